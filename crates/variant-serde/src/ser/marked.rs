//! Writes the forms that a newtype's name requests.

use serde::ser::{Serialize, SerializeSeq, SerializeTuple, SerializeTupleStruct};
use variant_view::{
    ArrayHead, Consumer, Document, ElementType, FeedError, Head, Kind, Leaf, Limits, Objects,
    Options, Producer, Reals,
};

use super::numbers::{Few, Gather};
use super::only::Only;
use super::refuse::refuse;
use super::texts::{TextOf, Texts};
use super::{Compound, Error, Result, Serializer, error};
use crate::mark::Mark;

impl<C: Consumer> Serializer<'_, C> {
    /// Writes a value as `mark` says.
    #[inline(always)]
    pub(super) fn marked<T: Serialize + ?Sized>(&mut self, mark: Mark, value: &T) -> Result {
        match mark {
            Mark::Kind(kind) => self.write_as(kind, value),
            Mark::ArrayOf(element) => value.serialize(Elements { to: self, element }),
            Mark::Raw(how) => {
                let (dialect, reals) = how.unwrap_or((self.dialect, Reals::ByFlag));
                let options = Options::new(dialect).reals(reals);
                value.serialize(RawBytes { to: self, options })
            }
        }
    }

    /// Writes a value as `kind`, if it has the parts of that kind.
    #[inline(always)]
    fn write_as<T: Serialize + ?Sized>(&mut self, kind: Kind, value: &T) -> Result {
        match (kind, kind.shape()) {
            (_, Some(shape)) if shape.is_packed => {
                let mut numbers = Gather::<Vec<u8>>::new(kind, shape);
                value.serialize(&mut numbers)?;
                self.leaf(numbers.leaf()?)
            }
            (_, Some(shape)) => {
                let mut numbers = Gather::<Few>::new(kind, shape);
                value.serialize(&mut numbers)?;
                self.leaf(numbers.leaf()?)
            }
            (Kind::StringName | Kind::NodePath, _) => value.serialize(TextOf {
                kind,
                take: |text: Option<&str>| self.special_text(kind, text),
            }),
            (Kind::PackedStringArray, _) => {
                let mut texts = Texts::default();
                value.serialize(&mut texts)?;
                texts.with_leaf(|leaf| self.leaf(leaf))
            }
            _ => value.serialize(Only { to: self, kind }),
        }
    }

    /// Writes a text as a `StringName` or a `NodePath`.
    fn special_text(&mut self, kind: Kind, text: Option<&str>) -> Result {
        let Some(text) = text else { return self.leaf(Leaf::Nil) };
        if kind == Kind::NodePath {
            let path = variant_owned::NodePath::parse(text);
            if path == variant_owned::NodePath::default() && !text.is_empty() {
                return Err(error(format_args!(
                    "{text:?} is not a NodePath, since a subname is empty"
                )));
            }
            return variant_owned::Variant::from(path).with_leaf(|leaf| self.leaf(leaf));
        }
        if self.dialect.id(kind).is_none() {
            return self.text(text);
        }
        self.leaf(Leaf::StringName(text.as_bytes()))
    }

    /// Opens an array with a declared element type, in the form of the dialect; a plain array if the dialect cannot
    /// declare it.
    fn typed_array(&mut self, element: Kind) -> Result {
        let mut head = ArrayHead::default();
        // A dialect without StringName has String in its place.
        let is_known = self.dialect.id(element).is_some();
        let element = if element == Kind::StringName && !is_known { Kind::String } else { element };
        if self.dialect.has_typed_containers() {
            head.element_type = ElementType::Builtin(element);
        } else if self.dialect.id(Kind::TypedArray).is_some() {
            head.kind = Kind::TypedArray;
            head.element_type = ElementType::Builtin(element);
        }
        self.enter(Head::Array(head))
    }
}

/// Takes a sequence, and writes an array of declared type.
struct Elements<'s, 'c, C: Consumer> {
    to: &'s mut Serializer<'c, C>,
    element: Kind,
}

impl<'s, 'c, C: Consumer> Elements<'s, 'c, C> {
    fn unfit(self, found: &str) -> Error {
        let element = self.element;
        error(format_args!("expected a sequence for an Array of {element}, found {found}"))
    }

    fn open(self) -> Result<OpenElements<'s, 'c, C>> {
        self.to.typed_array(self.element)?;
        Ok(OpenElements { compound: Compound::new(self.to), element: self.element })
    }
}

/// An open array of declared type.
struct OpenElements<'s, 'c, C: Consumer> {
    compound: Compound<'s, 'c, C>,
    element: Kind,
}

impl<'s, 'c, C: Consumer> serde::Serializer for Elements<'s, 'c, C> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = OpenElements<'s, 'c, C>;
    type SerializeTuple = OpenElements<'s, 'c, C>;
    type SerializeTupleStruct = OpenElements<'s, 'c, C>;
    type SerializeStruct = serde::ser::Impossible<(), Error>;
    refuse!(impossible_variants scalars bytes unit unit_variant map structs variants wrappers_pass);

    fn serialize_none(self) -> Result {
        self.to.leaf(Leaf::Nil)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<OpenElements<'s, 'c, C>> {
        self.open()
    }

    fn serialize_tuple(self, _: usize) -> Result<OpenElements<'s, 'c, C>> {
        self.open()
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<OpenElements<'s, 'c, C>> {
        self.open()
    }
}

macro_rules! sequences {
    ($($trait:ident $method:ident)*) => {$(
        impl<C: Consumer> $trait for OpenElements<'_, '_, C> {
            type Ok = ();
            type Error = Error;

            #[inline]
            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result {
                let element = self.element;
                self.compound.element(|to| to.write_as(element, value))
            }

            fn end(self) -> Result {
                self.compound.close()
            }
        }
    )*};
}

sequences! {
    SerializeSeq serialize_element
    SerializeTuple serialize_element
    SerializeTupleStruct serialize_field
}

/// Takes bytes, and writes the value that they encode.
struct RawBytes<'s, 'c, C: Consumer> {
    to: &'s mut Serializer<'c, C>,
    /// How to read them.
    options: Options,
}

impl<C: Consumer> RawBytes<'_, '_, C> {
    #[expect(clippy::unused_self, reason = "`refuse!` calls a method")]
    fn unfit(self, found: &str) -> Error {
        error(format_args!("expected the bytes of a value, found {found}"))
    }
}

impl<C: Consumer> serde::Serializer for RawBytes<'_, '_, C> {
    type Ok = ();
    type Error = Error;
    refuse!(impossible scalars none unit unit_variant compounds wrappers_pass);

    fn serialize_bytes(self, bytes: &[u8]) -> Result {
        let options = self.options.limits(Limits::FILE).objects(Objects::Accept);
        let document = Document::new(bytes, options);
        let read = document
            .validate()
            .map_err(|invalid| error(format_args!("not the bytes of a value: {invalid}")))?;
        if read.consumed != bytes.len() {
            return Err(error("bytes follow the value"));
        }
        document.feed(self.to.consumer).map_err(|failed| match failed {
            FeedError::Producer(invalid) => error(invalid),
            FeedError::Consumer(refused) => self.to.refuse(refused),
        })
    }
}
