//! The reasons why a value cannot be processed.

use std::error::Error as StdError;
use std::fmt;

use variant_view::{Dialect, Error};

/// The reason why a value cannot be processed.
#[derive(Clone, Debug)]
pub enum Trouble {
    /// The value is damaged.
    Data(Error),
    /// Any other reason, in one line.
    Message(String),
}

impl Trouble {
    /// The message of an error as a reason.
    pub fn message(error: &impl StdError) -> Self {
        Self::Message(error.to_string())
    }
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Self {
        Self::Data(error)
    }
}

/// The reason why a file was not changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditError {
    message: String,
    offset: Option<usize>,
    candidates: Vec<Dialect>,
}

impl EditError {
    pub(crate) const fn new(message: String) -> Self {
        Self { message, offset: None, candidates: Vec::new() }
    }

    /// The error for a change that these dialects write in different bytes.
    pub(crate) fn undecided(candidates: Vec<Dialect>) -> Self {
        let names: Vec<_> = candidates.iter().map(|dialect| dialect.name()).collect();
        let message = format!(
            "several engines may have written this file, and they write this change in different bytes: {}",
            names.join(", ")
        );
        Self { message, offset: None, candidates }
    }

    /// The error for a value that starts at `start`.
    pub(crate) fn of(trouble: Trouble, start: usize) -> Self {
        match trouble {
            Trouble::Data(error) => {
                let at = start.saturating_add(error.offset());
                let message =
                    format!("{} at byte {at}; salvage writes what is sound", error.kind());
                Self { message, offset: Some(at), candidates: Vec::new() }
            }
            Trouble::Message(message) => Self::new(message),
        }
    }

    /// The offset of the damaged byte in the file; `None` if the reason is not damage.
    pub const fn offset(&self) -> Option<usize> {
        self.offset
    }

    /// The dialects that write the change in different bytes ([`Rivals`](crate::edit::Rivals)). The user must name one
    /// of these dialects. Empty if the error has another reason.
    pub fn candidates(&self) -> &[Dialect] {
        &self.candidates
    }
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl StdError for EditError {}
