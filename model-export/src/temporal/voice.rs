//! Ways to say a stretch of days, each with the share of the data it belongs to.

use almanac::time::DayNumber;

/// Which data a template serves, so that a model is measured on words it was not trained on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Split {
    /// Training.
    Train,
    /// Held out for measuring.
    HeldOut,
}

/// The language of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// English.
    English,
    /// Chinese, in traditional or simplified characters.
    Chinese,
}

/// A temporal expression in words.
#[derive(Clone, Debug, PartialEq)]
pub struct Phrase {
    /// The form it has, by which figures are reported, such as `year` or `years-ago`.
    pub form: &'static str,
    /// The words, such as "the 1850s".
    pub text: String,
    /// The preposition before it in an English sentence, with its space; empty for none.
    pub preposition: &'static str,
    /// The day it counts from, where it is relative to one.
    pub anchor: Option<DayNumber>,
    /// The data it serves.
    pub split: Split,
}

/// Collects the ways to say one stretch.
#[derive(Default)]
pub(super) struct Phrases(pub(super) Vec<Phrase>);

impl Phrases {
    /// Adds a template of the training data.
    pub(super) fn train(&mut self, form: &'static str, preposition: &'static str, text: String) {
        self.add(form, preposition, text, None, Split::Train);
    }

    /// Adds a template that is held out.
    pub(super) fn held(&mut self, form: &'static str, preposition: &'static str, text: String) {
        self.add(form, preposition, text, None, Split::HeldOut);
    }

    /// Adds any template.
    pub(super) fn add(
        &mut self,
        form: &'static str,
        preposition: &'static str,
        text: String,
        anchor: Option<DayNumber>,
        split: Split,
    ) {
        self.0.push(Phrase {
            form,
            text,
            preposition,
            anchor,
            split,
        });
    }
}
