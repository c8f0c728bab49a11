//! Almanac.

pub mod time;
