//! Headers, compression and numbers shared by the binary sections.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;

use crate::{Error, ErrorKind, Result};

/// The largest payload once decompressed, 64 MiB.
pub const MAX_PLAIN_BYTES: usize = 64 * 1024 * 1024;

/// Splits a section into header fields and payload after checking magic and trailing CRC-32.
///
/// Layout: 8 bytes magic, four little-endian u32 fields, payload, CRC-32 of all before it.
pub(crate) fn open_section<'a>(bytes: &'a [u8], magic: &[u8; 8]) -> Result<([u32; 4], &'a [u8])> {
    const HEADER: usize = 8 + 16;
    if bytes.len() < HEADER + 4 {
        return Err(Error::corrupt(format!(
            "{} bytes, expected at least {}",
            bytes.len(),
            HEADER + 4
        )));
    }
    if &bytes[..8] != magic {
        return Err(Error::corrupt(format!(
            "starts with {:?}, expected {:?}",
            String::from_utf8_lossy(&bytes[..8]),
            String::from_utf8_lossy(magic)
        )));
    }
    let (body, trailer) = bytes.split_at(bytes.len() - 4);
    let expected = read_u32(trailer, 0);
    let found = crc32fast::hash(body);
    if found != expected {
        return Err(Error::corrupt(format!(
            "crc32 {found:08x}, expected {expected:08x}"
        )));
    }
    let fields = [8, 12, 16, 20].map(|at| read_u32(body, at));
    Ok((fields, &body[HEADER..]))
}

/// Lays a section out as [`open_section`] reads it.
pub(crate) fn close_section(magic: &[u8; 8], fields: [u32; 4], payload: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(28 + payload.len());
    bytes.extend_from_slice(magic);
    for field in fields {
        bytes.extend_from_slice(&field.to_le_bytes());
    }
    bytes.extend_from_slice(payload);
    let crc = crc32fast::hash(&bytes);
    bytes.extend_from_slice(&crc.to_le_bytes());
    bytes
}

/// Reads a little-endian u32 at `at`, which the caller has checked to lie inside.
pub(crate) fn read_u32(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

/// Lays a compressed section out as [`open_packed`] reads it: the first field is the size of the
/// payload once decompressed.
pub(crate) fn close_packed(magic: &[u8; 8], fields: [u32; 3], plain: &[u8]) -> Result<Vec<u8>> {
    if plain.len() > MAX_PLAIN_BYTES {
        return Err(Error::invalid(format!(
            "{} bytes before compression, more than the {MAX_PLAIN_BYTES} of a section",
            plain.len()
        )));
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let compressed = encoder
        .write_all(plain)
        .and_then(|()| encoder.finish())
        .map_err(|e| Error::new(ErrorKind::Internal, e.to_string()))?;
    let [a, b, c] = fields;
    Ok(close_section(
        magic,
        [plain.len() as u32, a, b, c],
        &compressed,
    ))
}

/// Opens a compressed section; gives its last three fields and the payload, whose size is checked
/// before it is allocated.
pub(crate) fn open_packed(bytes: &[u8], magic: &[u8; 8]) -> Result<([u32; 3], Vec<u8>)> {
    let ([plain_bytes, a, b, c], compressed) = open_section(bytes, magic)?;
    let plain_bytes = plain_bytes as usize;
    // Deflate cannot expand beyond about 1032 : 1, so a larger claim is a lie.
    if plain_bytes > MAX_PLAIN_BYTES || plain_bytes / 1040 > compressed.len() {
        return Err(Error::corrupt(format!(
            "claims {plain_bytes} bytes, expected at most {MAX_PLAIN_BYTES}"
        )));
    }
    let broken = |e: std::io::Error| Error::corrupt(e.to_string());
    let wrong = |found: u64| {
        Error::corrupt(format!(
            "decompresses to {found} bytes, expected {plain_bytes}"
        ))
    };
    // A large claim costs no memory before it has been counted; a payload is allocated once.
    if plain_bytes > 4 * compressed.len() {
        let mut counted = GzDecoder::new(compressed).take(plain_bytes as u64 + 1);
        let found = std::io::copy(&mut counted, &mut std::io::sink()).map_err(broken)?;
        if found != plain_bytes as u64 {
            return Err(wrong(found));
        }
    }
    let mut decoder = GzDecoder::new(compressed);
    let mut plain = Vec::with_capacity(plain_bytes);
    let limit = plain_bytes as u64;
    decoder
        .by_ref()
        .take(limit)
        .read_to_end(&mut plain)
        .map_err(broken)?;
    // Reading on to the end checks the trailer.
    let more = decoder.read(&mut [0]).map_err(broken)?;
    if plain.len() != plain_bytes || more > 0 {
        return Err(wrong((plain.len() + more) as u64));
    }
    if !decoder.into_inner().is_empty() {
        return Err(Error::corrupt("bytes after the compressed payload"));
    }
    Ok(([a, b, c], plain))
}

/// Appends an unsigned number in LEB128: seven bits a byte, least first.
pub(crate) fn put_number(out: &mut Vec<u8>, number: u64) {
    let mut buffer = unsigned_varint::encode::u64_buffer();
    out.extend_from_slice(unsigned_varint::encode::u64(number, &mut buffer));
}

/// Appends a signed number, zigzag-coded so that small ones of either sign are short.
pub(crate) fn put_signed(out: &mut Vec<u8>, number: i64) {
    put_number(out, ((number << 1) ^ (number >> 63)) as u64);
}

/// Appends a text after its length in bytes.
pub(crate) fn put_text(out: &mut Vec<u8>, text: &str) {
    put_number(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

/// Reads what the `put_` functions wrote; every read past the end is an error.
#[derive(Debug)]
pub(crate) struct Cursor<'a> {
    rest: &'a [u8],
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// How many bytes have not been read.
    pub(crate) fn left(&self) -> usize {
        self.rest.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    pub(crate) fn number(&mut self) -> Result<u64> {
        let (number, rest) = unsigned_varint::decode::u64(self.rest)
            .map_err(|e| Error::corrupt(format!("a number {e}")))?;
        self.rest = rest;
        Ok(number)
    }

    /// A number that must fit 32 bits.
    pub(crate) fn number_u32(&mut self) -> Result<u32> {
        let number = self.number()?;
        u32::try_from(number).map_err(|_| Error::corrupt(format!("{number} where 32 bits fit")))
    }

    /// How many things of at least `least` bytes each follow; more than the rest can hold is
    /// refused before anything is allocated.
    pub(crate) fn count(&mut self, least: usize) -> Result<usize> {
        let count = self.number()?;
        if count > (self.rest.len() / least.max(1)) as u64 {
            return Err(Error::corrupt(format!(
                "claims {count} entries with {} bytes left",
                self.rest.len()
            )));
        }
        Ok(count as usize)
    }

    pub(crate) fn signed(&mut self) -> Result<i64> {
        let number = self.number()?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    pub(crate) fn bytes(&mut self, count: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or_else(|| {
            Error::corrupt(format!(
                "ends {} bytes early",
                count.saturating_sub(self.rest.len())
            ))
        })?;
        self.rest = rest;
        Ok(taken)
    }

    pub(crate) fn byte(&mut self) -> Result<u8> {
        Ok(self.bytes(1)?[0])
    }

    pub(crate) fn u32(&mut self) -> Result<u32> {
        Ok(read_u32(self.bytes(4)?, 0))
    }

    pub(crate) fn text(&mut self) -> Result<&'a str> {
        let length = self.count(1)?;
        std::str::from_utf8(self.bytes(length)?).map_err(|e| Error::corrupt(e.to_string()))
    }

    /// Checks that everything has been read.
    pub(crate) fn finish(&self) -> Result<()> {
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err(Error::corrupt(format!(
                "{} bytes more than expected",
                self.rest.len()
            )))
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_read_back_as_written(signed in any::<i64>(), number in any::<u64>(), text in ".{0,20}") {
            let mut out = Vec::new();
            put_signed(&mut out, signed);
            put_number(&mut out, number);
            put_text(&mut out, &text);
            let mut cursor = Cursor::new(&out);
            prop_assert_eq!(cursor.signed().unwrap(), signed);
            prop_assert_eq!(cursor.number().unwrap(), number);
            prop_assert_eq!(cursor.text().unwrap(), text);
            cursor.finish().unwrap();
        }

        #[test]
        fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
            let mut cursor = Cursor::new(&bytes);
            let _ = (cursor.number(), cursor.text(), cursor.signed(), cursor.u32(), cursor.finish());
        }
    }

    #[test]
    fn a_count_beyond_the_bytes_left_is_refused() {
        let mut out = Vec::new();
        put_number(&mut out, u64::MAX);
        assert!(Cursor::new(&out).count(1).unwrap_err().is_corrupt());
        assert!(Cursor::new(&out).text().unwrap_err().is_corrupt());
        assert!(Cursor::new(&out).number_u32().unwrap_err().is_corrupt());
    }

    #[test]
    fn a_packed_size_that_lies_is_refused_before_it_is_allocated() {
        let lie = close_section(b"ALMTST01", [u32::MAX, 1, 0, 0], b"x");
        let error = open_packed(&lie, b"ALMTST01").unwrap_err();
        assert!(error.to_string().contains("claims"), "{error}");
    }
}
