//! Books as running text: from their markup to passages that are the rows of a collection.
//!
//! A list ([`list`]) says which files are which books. [`kanripo`] reads the markup of the Kanripo
//! repository, [`plain`] texts that have modern punctuation. Both give sections ([`section`]), which
//! are cut into passages: at punctuation where there is any, else by length with an overlap.

mod kanripo;
mod list;
mod numeral;
mod passage;
mod plain;
mod section;

pub use list::Book;
pub use passage::rows;
