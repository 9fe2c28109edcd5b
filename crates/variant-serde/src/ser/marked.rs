//! Writes the forms that a newtype's name requests.

use serde::ser::Serialize;
use variant_view::{
    ArrayHead, Document, ElementType, FeedError, Head, Kind, Leaf, Limits, Objects, Options, Reals,
};

use super::numbers::{Few, Gather};
use super::only::Only;
use super::refuse::{refuse, sequences};
use super::texts::{TextOf, Texts};
use super::{Compound, Error, Result, Serializer, Target, error};
use crate::mark::Mark;

impl<T: Target> Serializer<T> {
    #[inline(always)]
    pub(super) fn marked<V: Serialize + ?Sized>(&mut self, mark: Mark, value: &V) -> Result {
        match mark {
            Mark::Kind(kind) => self.write_as(kind, value),
            Mark::ArrayOf(element) => value.serialize(Elements { to: self, element }),
            Mark::Raw(how) => {
                let (dialect, reals) = how.unwrap_or((self.dialect, Reals::ByFlag));
                let options = Options::engine(dialect).reals(reals);
                value.serialize(RawBytes { to: self, options })
            }
            Mark::Whole => value.serialize(Whole { to: self }),
        }
    }

    /// Writes a value as `kind`, if the value has the numbers or texts of which that kind consists.
    #[inline(always)]
    fn write_as<V: Serialize + ?Sized>(&mut self, kind: Kind, value: &V) -> Result {
        match (kind, kind.shape()) {
            (_, Some(shape)) if shape.is_packed => {
                let mut numbers = Gather::<Vec<u8>>::new(kind, shape);
                value.serialize(&mut numbers)?;
                self.leaf(numbers.leaf()?)
            }
            (_, Some(shape)) => {
                let mut numbers = Gather::<Few>::new(kind, shape);
                value.serialize(&mut numbers)?;
                if let Some(words) = numbers.words(shape) {
                    match self.target.words(kind, words, shape.count.into()) {
                        Ok(false) => {}
                        Ok(true) => return Ok(()),
                        Err(refused) => return Err(self.refuse(refused)),
                    }
                }
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

    /// Opens an array with a declared element type, in the form of the dialect. Opens a plain array if the dialect
    /// cannot declare the type.
    fn typed_array(&mut self, element: Kind) -> Result<T::Open> {
        let mut head = ArrayHead::default();
        if self.dialect.has_typed_containers() {
            head.element_type = ElementType::Builtin(element);
        } else if self.dialect.id(Kind::TypedArray).is_some() {
            head.kind = Kind::TypedArray;
            head.element_type = ElementType::Builtin(element);
        }
        self.enter(Head::Array(head))
    }
}

/// A serializer that accepts a sequence and writes an array with a declared element type.
struct Elements<'s, T: Target> {
    to: &'s mut Serializer<T>,
    element: Kind,
}

impl<'s, T: Target> Elements<'s, T> {
    fn unfit(self, found: &str) -> Error {
        let element = self.element;
        error(format_args!("expected a sequence for an Array of {element}, found {found}"))
    }

    fn open(self) -> Result<OpenElements<'s, T>> {
        let open = self.to.typed_array(self.element)?;
        Ok(OpenElements { compound: Compound::new(self.to, open), element: self.element })
    }
}

/// An open array with a declared element type.
struct OpenElements<'s, T: Target> {
    compound: Compound<'s, T>,
    element: Kind,
}

impl<'s, T: Target> serde::Serializer for Elements<'s, T> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = OpenElements<'s, T>;
    type SerializeTuple = OpenElements<'s, T>;
    type SerializeTupleStruct = OpenElements<'s, T>;
    type SerializeStruct = serde::ser::Impossible<(), Error>;
    refuse!(impossible_variants scalars bytes unit unit_variant opens map structs variants wrappers_pass);

    fn serialize_none(self) -> Result {
        self.to.leaf(Leaf::Nil)
    }
}

sequences! {
    ['s, T: Target] OpenElements<'s, T>: |own, value| {
        let element = own.element;
        own.compound.element(|to| to.write_as(element, value))
    },
    |own| own.compound.close()
}

/// A serializer that accepts bytes and writes the value that they encode.
struct RawBytes<'s, T: Target> {
    to: &'s mut Serializer<T>,
    /// The options for reading the bytes.
    options: Options,
}

impl<T: Target> RawBytes<'_, T> {
    #[expect(clippy::unused_self, reason = "`refuse!` calls a method")]
    fn unfit(self, found: &str) -> Error {
        error(format_args!("expected the bytes of a value, found {found}"))
    }
}

impl<T: Target> serde::Serializer for RawBytes<'_, T> {
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
        self.to.target.whole(document).map_err(|failed| match failed {
            FeedError::Producer(invalid) => error(invalid),
            FeedError::Consumer(refused) => self.to.refuse(refused),
        })
    }
}

/// A serializer that accepts a `Variant` of `variant-owned`. The `Variant` recognises this serializer by its type name.
struct Whole<'s, T: Target> {
    to: &'s mut Serializer<T>,
}

impl<T: Target> Whole<'_, T> {
    #[expect(clippy::unused_self, reason = "`refuse!` calls a method")]
    fn unfit(self, found: &str) -> Error {
        error(format_args!("expected a Variant, found {found}"))
    }
}

impl<T: Target> serde::Serializer for Whole<'_, T> {
    type Ok = ();
    type Error = Error;
    refuse!(impossible scalars bytes none unit_variant compounds wrappers_pass);

    fn serialize_unit(self) -> Result {
        let Some(value) = variant_owned::internal::given() else { return Err(self.unfit("unit")) };
        self.to.target.whole(&value).map_err(|failed| match failed {
            FeedError::Producer(never) => match never {},
            FeedError::Consumer(refused) => self.to.refuse(refused),
        })
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result {
        self.serialize_unit()
    }
}
