//! Almanac.
