//! Headers and little-endian numbers shared by the binary sections.

use crate::{Error, Result};

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
