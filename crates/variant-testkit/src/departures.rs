//! The differences between the bytes of an engine and of this workspace for the same value. They come from design or
//! from defects.
//!
//! An engine writes the value that it holds, while this workspace keeps the bytes. Each allowed difference is a
//! [`Departure`], and applies only to the bytes of certain values. `reader.rs` changes the input to the bytes that
//! the engine appears to read. `holder.rs` computes the value that the engine then holds, and `writer.rs` computes the
//! bytes that the engine writes.

mod classes;
mod holder;
mod reader;
mod text;
mod writer;

use std::collections::BTreeSet;

use variant_owned::{EncodeOptions, Precision, Variant, Widths, encode};
use variant_view::{Dialect, Document, Result};

use crate::conformance;
use holder::Holder;
use writer::EngineWriter;

pub use classes::Classes;
pub use text::{TextDeparture, TextOf, between_texts, between_values, is_known, reason};

/// An allowed difference between an engine and this workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Departure {
    /// The engine writes a text again from its code points, up to a NUL and without a byte order mark. The encoding may
    /// differ (docs/spec/format.md#text).
    Text,
    /// The engine writes a null object as Nil (docs/spec/format.md#object).
    NullObject,
    /// The engine reads an object by id as a stand-in, a new `EncodedObjectAsID`. It writes the id of the stand-in, not
    /// the id that the stand-in holds (docs/spec/format.md#object).
    ObjectId,
    /// The engine has read an object by id as a new `EncodedObjectAsID`. If it writes objects in full, it writes this
    /// `EncodedObjectAsID` in full (docs/spec/format.md#object).
    StandIn,
    /// The engine's object has exactly the properties of its class, whatever properties the bytes have
    /// (docs/spec/format.md#object).
    Properties,
    /// The class may convert, correct or ignore the value of a property (docs/spec/format.md#object). Such an object is
    /// not compared.
    OtherProperty,
    /// The engine refuses a class that it lacks, or whose objects it cannot create (docs/spec/format.md#object).
    ClassRegistry,
    /// The engine refuses a script that it lacks (docs/spec/format.md#typed-containers).
    ScriptRegistry,
    /// The engine does not clear the padding of the names of a path (docs/spec/format.md#nodepath and
    /// docs/spec/engines.md#defects).
    PathPadding,
    /// A path without names and subnames loses its absolute flag (docs/spec/format.md#nodepath).
    RootPath,
    /// A key that does not equal itself is written as "[Deleted Object]", and its value as Nil
    /// (docs/spec/engines.md#defects).
    LostKey,
    /// An element that does not fit the declared type is dropped or converted (docs/spec/format.md#typed-containers).
    Element,
    /// The engine declares `EncodedObjectAsID` instead of another class, and Object instead of a class without a name
    /// (docs/spec/format.md#typed-containers).
    DeclaredType,
    /// The script that is declared for the values of a dictionary is lost (docs/spec/format.md#typed-containers).
    ValueScript,
    /// A single-precision build narrows reals of 8 bytes (docs/spec/format.md#double-precision).
    Narrowed,
    /// The reader of a Vector4 does not skip the whole value (docs/spec/engines.md#defects).
    Vector4,
    /// The reader of a Projection requires more bytes than it consumes (docs/spec/engines.md#defects).
    Projection,
    /// The readers of arrays of Vector4 and Vector4i read w from the bytes of z (docs/spec/engines.md#defects).
    PoolVector4,
    /// The engine reads the count of an array of objects beyond the end of the input (docs/spec/engines.md#defects).
    UncheckedCount,
    /// Two keys are or contain typed arrays. The arrays differ only in the sign of zeros, or in declared classes that
    /// the engine's reader replaces. The engine has two keys, and this workspace has one.
    TypedKeys,
}

/// Whether a departure is so rare that it does not always occur, even with many inputs.
pub const fn is_rare(departure: Departure) -> bool {
    matches!(departure, Departure::LostKey | Departure::TypedKeys)
}

/// The engines that the tests run.
const ENGINES: &[Dialect] = &[
    Dialect::Godot3,
    Dialect::Godot4,
    Dialect::Pandemonium3,
    Dialect::Pandemonium4,
    Dialect::Pandemonium5,
];

/// All engines except Godot 4.
const OLD: &[Dialect] =
    &[Dialect::Godot3, Dialect::Pandemonium3, Dialect::Pandemonium4, Dialect::Pandemonium5];

/// The departures, and the engines for which each is allowed.
const ALLOWED: &[(Departure, &[Dialect])] = {
    #[allow(clippy::enum_glob_use, reason = "a table of names")]
    use {Departure::*, Dialect::*};
    &[
        (Text, ENGINES),
        (NullObject, ENGINES),
        (ObjectId, ENGINES),
        (StandIn, ENGINES),
        (Properties, ENGINES),
        (OtherProperty, ENGINES),
        (ClassRegistry, ENGINES),
        (ScriptRegistry, &[Godot4]),
        (PathPadding, ENGINES),
        (RootPath, OLD),
        (LostKey, &[Godot3, Pandemonium3]),
        (Element, &[Godot4, Pandemonium5]),
        (DeclaredType, &[Godot4, Pandemonium5]),
        (ValueScript, &[Godot4]),
        (Narrowed, &[Godot4]),
        (Vector4, &[Pandemonium4, Pandemonium5]),
        (Projection, &[Pandemonium4, Pandemonium5]),
        (PoolVector4, &[Pandemonium4, Pandemonium5]),
        (UncheckedCount, &[Pandemonium5]),
        (TypedKeys, &[Pandemonium5]),
    ]
};

/// All departures that are allowed for the engine of a dialect.
pub fn of(dialect: Dialect) -> impl Iterator<Item = Departure> {
    let is_its = move |(_, engines): &&(Departure, &[Dialect])| engines.contains(&dialect);
    ALLOWED.iter().filter(is_its).map(|(departure, _)| *departure)
}

/// An engine that a test runs, and its permissions.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'c> {
    /// The dialect of the engine.
    pub dialect: Dialect,
    /// Whether the engine may read and write objects in full.
    pub objects: bool,
    /// The engine's classes.
    pub classes: &'c Classes,
}

/// The result of this workspace for an input, which the engine should match.
#[derive(Clone, Debug)]
pub enum Expected {
    /// This workspace refuses the input, for this reason.
    Refused(String),
    /// This workspace accepts the input.
    Accepted {
        /// The bytes consumed.
        consumed: usize,
        /// The bytes that this workspace writes. [`between`] compares the engine's bytes with them.
        written: Vec<u8>,
    },
    /// The engine should accept the input. The bytes that it writes are unknown.
    AcceptedSomehow,
    /// The engine may accept or refuse the input.
    Anything,
}

impl Asked<'_> {
    /// The expected answer of the engine to an input, and the departures in it.
    pub fn expect(&self, bytes: &[u8]) -> (Expected, BTreeSet<Departure>) {
        let options = conformance::options(self.dialect, self.objects);
        let mut departures = BTreeSet::new();
        let seen = reader::as_read(bytes, options, &mut departures);
        let document = Document::new(&seen, options);
        let consumed = match document.validate() {
            Ok(summary) => summary.consumed,
            Err(error) if reader::count_is_unchecked(&seen, options, error.offset()) => {
                return (Expected::Anything, [Departure::UncheckedCount].into());
            }
            Err(error) => return (Expected::Refused(error.to_string()), departures),
        };
        if reader::lacks_projection(&document) {
            let refusal = "a Projection with too little behind it".to_owned();
            return (Expected::Refused(refusal), [Departure::Projection].into());
        }
        let mut holder = Holder::new(*self, departures);
        holder.look_up(&document);
        let value = Variant::from_document(&document).expect("it is valid");
        let narrow = self.narrowed(value, &mut holder.departures);
        let held = narrow.map(|value| holder.hold(&value));
        if let Some(refusal) = holder.refusal {
            return (Expected::Refused(refusal), holder.departures);
        }
        let held = held.filter(|_| !holder.is_unsure);
        let Some(held) = held else { return (Expected::AcceptedSomehow, holder.departures) };
        let written = self.written(&held);
        (Expected::Accepted { consumed, written }, holder.departures)
    }

    /// The bytes of a value as the engine's writer writes them.
    pub fn written(&self, value: &Variant) -> Vec<u8> {
        let options = EncodeOptions::new(self.dialect).widths(Widths::Canonical).depth(100_000);
        encode(value, options.precision(Precision::Single)).expect("it has been read")
    }

    /// The value with reals of 4 bytes. `None` if two keys become equal.
    fn narrowed(&self, value: Variant, departures: &mut BTreeSet<Departure>) -> Option<Variant> {
        let options = EncodeOptions::new(self.dialect).depth(100_000);
        let narrow = encode(&value, options.precision(Precision::Single));
        let wide = encode(&value, options);
        if matches!((&narrow, &wide), (Ok(narrow), Ok(wide)) if narrow == wide) {
            return Some(value);
        }
        departures.insert(Departure::Narrowed);
        let narrow = narrow.ok()?;
        let document = Document::new(&narrow, conformance::options(self.dialect, true));
        Some(Variant::from_document(&document).expect("it has just been written"))
    }
}

/// The departures between the bytes `theirs` of the engine and the bytes `ours` of this workspace for one value. Empty
/// if the bytes are the same. `None` if there is any other difference.
pub fn between(
    dialect: Dialect,
    ours: &[u8],
    theirs: &[u8],
) -> Result<Option<BTreeSet<Departure>>> {
    if ours == theirs {
        return Ok(Some(BTreeSet::new()));
    }
    let mut writer = EngineWriter::new(dialect);
    writer.value(ours)?;
    Ok(writer.accounts_for(theirs))
}

#[cfg(test)]
mod tests {
    use super::writer::push_point;
    use super::*;
    use crate::builder::Builder;

    fn departures(ours: Builder, theirs: Builder) -> Option<Vec<Departure>> {
        let (ours, theirs) = (ours.build().bytes, theirs.build().bytes);
        between(Dialect::Godot3, &ours, &theirs).unwrap().map(|found| found.into_iter().collect())
    }

    /// A live run found this case. The engine reads the value of a repeated key before it drops the value.
    #[test]
    fn a_script_is_looked_up_in_a_value_that_is_dropped() {
        let classes = Classes::default();
        let asked = Asked { dialect: Dialect::Godot4, objects: true, classes: &classes };
        let scripted = Builder::new().u32(0x3_001c).text("res://none.gd").u32(0);
        let once = |value: Builder| Builder::new().u32(2).u32(1).raw(&value.build().bytes);
        let pairs = once(scripted).build().bytes;
        let again = once(Builder::new().u32(0)).build().bytes;
        let bytes = Builder::new().u32(27).u32(2).raw(&pairs).raw(&again).build().bytes;
        let (expected, departures) = asked.expect(&bytes);
        assert!(matches!(expected, Expected::Refused(_)), "{expected:?}");
        assert_eq!(departures, [Departure::ScriptRegistry].into());
    }

    #[test]
    fn texts_are_spelled_anew() {
        let text = |text: &[u8]| Builder::new().u32(19).u32(2).u32(4).text(text).u32(0);
        let some = Some(vec![Departure::Text]);
        assert_eq!(departures(text(b"\xef\xbb\xbfa\0b"), text(b"a")), some);
        assert_eq!(departures(text(b"\xe0\x9f\xbf"), text(b"\xdf\xbf")), some);
        assert_eq!(departures(text(b"\xe0\x9f\xbf"), text(b"\xdf\xbe")), None);
        assert_eq!(departures(text(b"ab"), text(b"ab")), Some(vec![]));
        assert_eq!(departures(text(b"ab"), text(b"a")), None);
        for point in [0x7f, 0x80, 0xd800, 0xffff, 0x10_ffff, 0x1f_ffff, 0x20_0000, 0x7fff_ffff] {
            let mut spelled = Vec::new();
            push_point(&mut spelled, point);
            let value = text(&spelled).build().bytes;
            let view = Document::new(&value, Dialect::Godot3).at("[0]").unwrap();
            assert!(view.as_text().unwrap().code_points().eq([point]));
        }
    }

    #[test]
    fn padding_of_paths_is_noise_and_their_names_are_not() {
        let path = |name: &[u8; 4], flags| {
            Builder::new().u32(15).u32(0x8000_0001).u32(0).u32(flags).u32(1).raw(name)
        };
        let padding = Some(vec![Departure::PathPadding]);
        assert_eq!(departures(path(b"a\0\0\0", 1), path(b"axyz", 1)), padding);
        assert_eq!(departures(path(b"a\0\0\0", 1), path(b"bxyz", 1)), None);
        assert_eq!(departures(path(b"a\0\0\0", 1), path(b"axyz", 0)), None);
        let root = |flags| Builder::new().u32(15).u32(0x8000_0000).u32(0).u32(flags);
        assert_eq!(departures(root(1), root(0)), Some(vec![Departure::RootPath]));
        assert_eq!(departures(root(0), root(1)), None);
    }

    #[test]
    fn keys_that_do_not_equal_themselves_are_lost() {
        let one =
            |key: Builder| Builder::new().u32(18).u32(1).raw(&key.build().bytes).u32(2).u32(7);
        let lost = || Builder::new().u32(18).u32(1).u32(4).text("[Deleted Object]").u32(0);
        let floats = |float| Builder::new().u32(22).u32(1).f32s(&[float]);
        let array = |float| Builder::new().u32(19).u32(1).u32(22).u32(1).f32s(&[float]);
        for is_lost in
            [departures(one(floats(f32::NAN)), lost()), departures(one(array(f32::NAN)), lost())]
        {
            assert_eq!(is_lost, Some(vec![Departure::LostKey]));
        }
        assert_eq!(departures(one(floats(1.0)), lost()), None);
        assert_eq!(departures(one(floats(f32::NAN)), one(floats(1.0))), None);
    }

    #[test]
    fn each_engine_gives_objects_other_ids() {
        let object = |id| Builder::new().u32(0x1_0011).u64(id);
        assert_eq!(departures(object(5), object(9)), Some(vec![Departure::ObjectId]));
        assert_eq!(departures(object(0), Builder::new().u32(0)), Some(vec![Departure::NullObject]));
        assert_eq!(departures(object(0), object(9)), None);
        assert_eq!(departures(object(5), Builder::new().u32(0)), None);
    }
}
