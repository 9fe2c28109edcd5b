//! [`Changes`]: changes that are not written yet.

use variant_owned::{
    EncodeOptions, KeyRule, ParseOptions, TextOptions, Variant, encode, from_text_at, to_text,
};
use variant_view::{Kind, Options};

/// A value that replaces another.
#[derive(Clone, Debug)]
pub(super) struct Change {
    /// The number of the frame or setting, from 1.
    pub(super) piece: u64,
    pub(super) path: String,
    pub(super) value: Variant,
    literal: String,
    /// The offset of the old value in the file. Rows find the new value by this offset.
    start: usize,
}

/// Changes. The oldest is first.
#[derive(Debug, Default)]
pub(super) struct Changes {
    pub(super) all: Vec<Change>,
}

impl Changes {
    /// Adds a change. Returns the kind of the new value.
    ///
    /// # Errors
    /// The error in the literal, or the reason why the file cannot hold it.
    pub(super) fn push(
        &mut self,
        (piece, path): (u64, String),
        start: usize,
        text: &str,
        options: Options,
    ) -> Result<Kind, String> {
        let value = parse(text, options)?;
        let kind = value.kind();
        let style = TextOptions::new(options.dialect.into());
        let literal = to_text(&value, &style).trim_end().to_owned();
        self.all.push(Change { piece, path, value, literal, start });
        Ok(kind)
    }

    /// Undoes the last change, and returns its path.
    pub(super) fn undo(&mut self) -> Option<String> {
        self.all.pop().map(|change| change.path)
    }

    /// The literal of the last change to the value at this offset of the file.
    pub(super) fn literal_at(&self, start: usize) -> Option<&str> {
        let last = self.all.iter().rev().find(|change| change.start == start);
        last.map(|change| change.literal.as_str())
    }
}

/// The value of a literal, or an error if the file's dialect cannot hold it.
fn parse(text: &str, options: Options) -> Result<Variant, String> {
    let parsing = ParseOptions::new().key_rule(KeyRule::of(options.dialect));
    let (value, end) = from_text_at(text, 0, &parsing).map_err(|error| error.to_string())?;
    if !text.get(end..).unwrap_or_default().trim().is_empty() {
        return Err(format!("more text after the literal, from byte {end}"));
    }
    let encoding = EncodeOptions::new(options.dialect).reals(options.reals);
    encode(&value, encoding).map_err(|error| error.to_string())?;
    Ok(value)
}
