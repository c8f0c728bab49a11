//! Damage that every section has to notice, for the sections' tests.

/// Asserts that a reader refuses its section when it is cut short anywhere or any bit of it is flipped.
pub(super) fn is_always_refused<T, E>(bytes: &[u8], read: impl Fn(&[u8]) -> Result<T, E>) {
    for length in 0..bytes.len() {
        assert!(read(&bytes[..length]).is_err(), "{length}");
    }
    for place in 0..bytes.len() {
        for bit in 0..8 {
            let mut flipped = bytes.to_vec();
            flipped[place] ^= 1 << bit;
            assert!(read(&flipped).is_err(), "{place}.{bit}");
        }
    }
}
