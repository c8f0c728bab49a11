//! A collection as its owner keeps it: a file of rows, and how its fields are to be read.

mod config;
mod csv;
mod detect;
mod file;
mod json_lines;
mod link;
mod mapping;
mod objects;
mod table;

pub use config::Config;
pub use file::{InputFormat, SourceFile};
pub use mapping::{Mapping, MappingFlags, column_of};
pub use objects::{Object, read_objects};
pub use table::Table;
