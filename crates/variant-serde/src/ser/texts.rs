//! [`TextOf`]: a text that is not written as a `String`; [`Texts`]: the texts of a packed array.

use std::string::{String, ToString};
use std::vec::Vec;

use serde::ser::Serialize;
use variant_view::{Kind, Leaf, PathStep};

use super::refuse::{refuse, sequences};
use super::{Error, Result, error};

/// Passes a text to `take`. For an option without a value, passes `None`.
pub(super) struct TextOf<F> {
    /// The kind that the text is written as. Error messages contain it.
    pub(super) kind: Kind,
    pub(super) take: F,
}

impl<F> TextOf<F> {
    fn unfit(self, found: &str) -> Error {
        error(format_args!("expected text for a {}, found {found}", self.kind))
    }
}

impl<F: FnOnce(Option<&str>) -> Result> serde::Serializer for TextOf<F> {
    type Ok = ();
    type Error = Error;
    refuse!(impossible bool ints floats bytes unit compounds wrappers_pass);

    #[inline]
    fn serialize_str(self, text: &str) -> Result {
        (self.take)(Some(text))
    }

    fn serialize_char(self, text: char) -> Result {
        (self.take)(Some(text.encode_utf8(&mut [0; 4])))
    }

    fn serialize_none(self) -> Result {
        (self.take)(None)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result {
        (self.take)(Some(variant))
    }
}

/// The texts of a packed array; `None` for an option without a value.
#[derive(Debug, Default)]
pub(super) struct Texts(Option<Vec<String>>);

impl Texts {
    #[expect(clippy::unused_self, reason = "`refuse!` calls a method")]
    fn unfit(&self, found: &str) -> Error {
        error(format_args!("expected a sequence for a {}, found {found}", Kind::PackedStringArray))
    }

    #[expect(clippy::unnecessary_wraps, reason = "`refuse!` calls it")]
    fn open(&mut self) -> Result<&mut Self> {
        self.0 = Some(Vec::new());
        Ok(self)
    }

    fn add<T: Serialize + ?Sized>(&mut self, value: &T) -> Result {
        let texts = self.0.get_or_insert_default();
        let number = i64::try_from(texts.len()).unwrap_or(i64::MAX);
        let take = |text: Option<&str>| {
            texts.push(
                text.ok_or_else(|| error("a text of a PackedStringArray is missing"))?.to_string(),
            );
            Ok(())
        };
        let text = value.serialize(TextOf { kind: Kind::String, take });
        text.map_err(|error| error.below(PathStep::Number(number)))
    }

    pub(super) fn with_leaf(&self, take: impl FnOnce(Leaf<'_>) -> Result) -> Result {
        match self.0.as_deref() {
            Some(texts) => take(Leaf::Strings(variant_view::Texts::of(&texts))),
            None => take(Leaf::Nil),
        }
    }
}

impl<'t> serde::Serializer for &'t mut Texts {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = &'t mut Texts;
    type SerializeTuple = &'t mut Texts;
    type SerializeTupleStruct = &'t mut Texts;
    type SerializeStruct = serde::ser::Impossible<(), Error>;
    refuse!(impossible_variants scalars bytes unit unit_variant opens map structs variants wrappers_pass);

    fn serialize_none(self) -> Result {
        Ok(())
    }
}

sequences! { ['t] &'t mut Texts: |own, value| own.add(value), |_own| Ok(()) }
