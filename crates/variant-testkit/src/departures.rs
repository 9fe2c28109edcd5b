//! How what an engine writes of a value it has read differs from what is written here, by design or by defect.
//!
//! An engine writes what it holds; here the bytes are kept as they stand. Each difference that is allowed is a
//! [`Departure`], and holds for the bytes of the values that it is about and for no others.
//! What a reader makes of the input is in `reader.rs`, what it holds then in `holder.rs`, what it writes of that here.

mod classes;
mod holder;
mod reader;
mod text;

use std::collections::BTreeSet;
use std::ops::Range;

use variant_owned::{EncodeOptions, Precision, Variant, Widths, encode};
use variant_view::{
    Dialect, Document, Event, Limits, NodePathView, ObjectForm, Options, PackedStrings, Result,
    Role, StrView, VariantView,
};

use crate::builder::Builder;
use crate::conformance;
use holder::Holder;

pub use classes::Classes;
pub use text::{TextDeparture, TextOf, between_texts, between_values, of_text, reason};

/// A difference that is none of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Departure {
    /// Of a text the engine holds code points: those in front of a NUL, without a byte order mark, and however
    /// they were spelled (docs/format.md, section 2.3).
    Text,
    /// The engine writes a null object as Nil (2.7).
    NullObject,
    /// An object read by id is written under the id of its stand-in (2.7).
    ObjectId,
    /// An object read by id is written as its stand-in in full, where objects are written in full (2.7).
    StandIn,
    /// An object has the properties of its class, and no others (2.7).
    Properties,
    /// A property is set to what the class may convert, correct or ignore (2.7); the object is not compared.
    OtherProperty,
    /// A class that the engine does not have or does not make objects of is refused (2.7).
    ClassRegistry,
    /// A script that the engine does not have is refused (2.10).
    ScriptRegistry,
    /// The padding of the names of a path is not cleared (2.5, 2.14).
    PathPadding,
    /// A path of neither names nor subnames forgets that it is absolute (2.5).
    RootPath,
    /// A key that does not equal itself is written as "[Deleted Object]", and its value as Nil (2.14).
    LostKey,
    /// What does not fit a declared type is dropped or converted (2.10).
    Element,
    /// The class of stand-ins takes the place of a declared class, or a class without a name that of Object (2.10).
    DeclaredType,
    /// The script that is declared for the values of a dictionary is lost (2.10).
    ValueScript,
    /// A single-precision build narrows reals of 8 bytes (2.12).
    Narrowed,
    /// The reader of a Vector4 goes on inside it (2.14).
    Vector4,
    /// The reader of a Projection wants more bytes than it takes (2.14).
    Projection,
    /// The readers of arrays of Vector4 and Vector4i take w from z (2.14).
    PoolVector4,
    /// The count of an array of objects is read behind the end of the input (2.14).
    UncheckedCount,
    /// Typed arrays that are keys are told apart by zeros, or by classes that reading replaces, where they are the same here.
    TypedKeys,
}

/// Whether a departure is seen so seldom that many inputs may not show it.
pub const fn is_rare(departure: Departure) -> bool {
    matches!(departure, Departure::LostKey | Departure::TypedKeys)
}

/// What the engine of a dialect may depart in, and nothing else.
pub const fn of(dialect: Dialect) -> &'static [Departure] {
    #[allow(clippy::enum_glob_use, reason = "a table of names")]
    use Departure::*;
    match dialect {
        Dialect::Godot3 | Dialect::Pandemonium3 => &[
            Text,
            NullObject,
            ObjectId,
            StandIn,
            Properties,
            OtherProperty,
            ClassRegistry,
            PathPadding,
            RootPath,
            LostKey,
        ],
        Dialect::Godot4 => &[
            Text,
            NullObject,
            ObjectId,
            StandIn,
            Properties,
            OtherProperty,
            ClassRegistry,
            ScriptRegistry,
            PathPadding,
            Element,
            DeclaredType,
            ValueScript,
            Narrowed,
        ],
        Dialect::Pandemonium4 => &[
            Text,
            NullObject,
            ObjectId,
            StandIn,
            Properties,
            OtherProperty,
            ClassRegistry,
            PathPadding,
            RootPath,
            Vector4,
            Projection,
            PoolVector4,
        ],
        Dialect::Pandemonium5 => &[
            Text,
            NullObject,
            ObjectId,
            StandIn,
            Properties,
            OtherProperty,
            ClassRegistry,
            PathPadding,
            RootPath,
            Element,
            DeclaredType,
            Vector4,
            Projection,
            PoolVector4,
            UncheckedCount,
            TypedKeys,
        ],
        _ => &[],
    }
}

/// Who is asked, and for what.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'c> {
    /// Whose bytes they are.
    pub dialect: Dialect,
    /// Whether objects may be read, and are written, in full.
    pub objects: bool,
    /// The classes that the engine has.
    pub classes: &'c Classes,
}

/// What is made of an input here, as the engine should make it.
#[derive(Clone, Debug)]
pub enum Expected {
    /// It is not read, for this reason.
    Refused(String),
    /// It is read.
    Accepted {
        /// The bytes consumed.
        consumed: usize,
        /// What is written of it here; [`between`] tells in what the engine's may differ.
        written: Vec<u8>,
    },
    /// It is read, and what is written of it cannot be told.
    AcceptedSomehow,
    /// Either may be.
    Anything,
}

impl Asked<'_> {
    /// What the engine should make of an input, and what of that is not as the bytes stand.
    ///
    /// # Panics
    /// If what has been read cannot be written.
    #[expect(clippy::expect_used, reason = "for tests")]
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
    ///
    /// # Panics
    /// If it cannot be written.
    #[expect(clippy::expect_used, reason = "for tests")]
    pub fn written(&self, value: &Variant) -> Vec<u8> {
        let options = EncodeOptions::new(self.dialect).widths(Widths::Canonical).depth(100_000);
        encode(value, options.precision(Precision::Single)).expect("it has been read")
    }

    /// A value whose reals have 4 bytes; none if keys are one then.
    #[expect(clippy::expect_used, reason = "for tests")]
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

/// What makes `ours`, one value as it is written here, `theirs`: nothing if they are the same. None if there is
/// any other difference.
///
/// # Errors
/// What is written here does not read.
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

/// What the engine should write.
struct EngineWriter {
    dialect: Dialect,
    bytes: Vec<u8>,
    /// Bytes that may be anything.
    noise: Vec<(Range<usize>, Departure)>,
    departures: BTreeSet<Departure>,
}

impl EngineWriter {
    const fn new(dialect: Dialect) -> Self {
        Self { dialect, bytes: Vec::new(), noise: Vec::new(), departures: BTreeSet::new() }
    }

    fn accounts_for(mut self, theirs: &[u8]) -> Option<BTreeSet<Departure>> {
        let mut quiet = theirs.to_vec();
        for (place, departure) in self.noise {
            let noise = quiet.get_mut(place.clone())?;
            let own = self.bytes.get(place)?;
            if noise != own {
                noise.copy_from_slice(own);
                self.departures.insert(departure);
            }
        }
        (quiet == self.bytes).then_some(self.departures)
    }

    /// A value as it stands, but for leaves that the engine writes otherwise.
    fn value(&mut self, bytes: &[u8]) -> Result<()> {
        let document = Document::new(bytes, self.options());
        let mut end = 0;
        for event in document.walk() {
            let event = event?;
            let (Event::Leaf(node) | Event::Enter(node)) = event else { continue };
            let (view, start) = (&node.view, node.view.offset());
            let is_lost = matches!(node.role(), Role::Key(_)) && self.is_lost(view)?;
            // What is in a lost pair has been dealt with, and what is not a leaf waits for its end.
            if start < end || (matches!(event, Event::Enter(_)) && !is_lost) {
                continue;
            }
            // Heads of containers.
            self.bytes.extend(bytes.get(end..start).unwrap_or_default());
            let raw = view.raw_bytes()?;
            end = start.saturating_add(raw.len());
            if is_lost {
                end = end.saturating_add(self.first_value(bytes.get(end..).unwrap_or_default())?);
                self.lost_pair();
            } else {
                self.leaf(view, raw);
            }
        }
        self.bytes.extend(bytes.get(end..).unwrap_or_default());
        Ok(())
    }

    fn lost_pair(&mut self) {
        self.departures.insert(Departure::LostKey);
        let pair = Builder::new().u32(4).text("[Deleted Object]").u32(0);
        self.bytes.extend(pair.build().bytes);
    }

    fn leaf(&mut self, view: &VariantView<'_>, raw: &[u8]) {
        let header = raw.get(..4).unwrap_or_default();
        match view {
            VariantView::String(text) | VariantView::StringName(text) => {
                self.bytes.extend(header);
                self.text(*text, false);
            }
            VariantView::Signal(signal) => {
                self.bytes.extend(header);
                self.text(signal.name(), false);
                self.bytes.extend(signal.object_id().to_le_bytes());
            }
            VariantView::PackedStringArray(strings) => self.strings(header, strings),
            VariantView::NodePath(path) => self.path(raw, path),
            VariantView::Object(object) => self.object(object.form(), raw),
            _ => self.bytes.extend(raw),
        }
    }

    fn strings(&mut self, header: &[u8], strings: &PackedStrings<'_>) {
        self.bytes.extend(header);
        self.word(strings.len());
        for text in *strings {
            self.text(text, true);
        }
    }

    fn path(&mut self, raw: &[u8], path: &NodePathView<'_>) {
        let (head, flags) = raw.split_at_checked(12).unwrap_or_default();
        self.bytes.extend(head);
        let is_empty = path.names().chain(path.subnames()).next().is_none();
        if is_empty && path.is_absolute() && self.dialect != Dialect::Godot4 {
            self.departures.insert(Departure::RootPath);
            self.word(0);
        } else {
            self.bytes.extend(flags.get(..4).unwrap_or_default());
        }
        for name in path.names().chain(path.subnames()) {
            let padding = self.text(name, false);
            self.noise.push((padding, Departure::PathPadding));
        }
    }

    fn object(&mut self, form: ObjectForm<'_>, raw: &[u8]) {
        match form {
            ObjectForm::Null | ObjectForm::Id(0) => {
                self.word(0);
                self.departures.insert(Departure::NullObject);
            }
            ObjectForm::Id(_) => {
                self.bytes.extend(raw);
                let id = self.bytes.len().saturating_sub(8)..self.bytes.len();
                self.noise.push((id, Departure::ObjectId));
            }
            ObjectForm::Full(_) => self.bytes.extend(raw),
        }
    }

    /// A text and its padding, whose place it gives.
    fn text(&mut self, view: StrView<'_>, ends_in_nul: bool) -> Range<usize> {
        let mut text = Vec::new();
        if self.dialect == Dialect::Pandemonium3 {
            push_joined(&mut text, view);
        } else {
            view.code_points().for_each(|point| push_point(&mut text, point));
        }
        if text != view.as_bytes() {
            self.departures.insert(Departure::Text);
        }
        text.extend(ends_in_nul.then_some(0));
        self.word(text.len());
        self.bytes.extend(text);
        let end = self.bytes.len();
        self.bytes.resize(end.next_multiple_of(4), 0);
        end..self.bytes.len()
    }

    fn word(&mut self, count: usize) {
        self.bytes.extend(u32::try_from(count).unwrap_or(u32::MAX).to_le_bytes());
    }

    /// Whether a key does not equal itself, so that the engine does not find it when it goes through the keys.
    fn is_lost(&self, key: &VariantView<'_>) -> Result<bool> {
        if !matches!(self.dialect, Dialect::Godot3 | Dialect::Pandemonium3) {
            return Ok(false);
        }
        Ok(match key {
            VariantView::PackedFloat32Array(floats) => floats.iter().any(f32::is_nan),
            VariantView::Array(array) => {
                for element in *array {
                    if self.is_lost(&element?)? {
                        return Ok(true);
                    }
                }
                false
            }
            _ => false,
        })
    }

    /// The length of the first value.
    fn first_value(&self, bytes: &[u8]) -> Result<usize> {
        Ok(Document::new(bytes, self.options()).validate()?.consumed)
    }

    /// What is written here nests as deep as what was read.
    fn options(&self) -> Options {
        Options::new(self.dialect).limits(Limits::FILE.depth(100_000))
    }
}

/// As Pandemonium 3 spells a text: surrogates that are a pair as one code point, others as a space.
fn push_joined(text: &mut Vec<u8>, view: StrView<'_>) {
    let mut points = view.code_points().peekable();
    while let Some(point) = points.next() {
        let low = points.peek().copied().filter(|low| (0xdc00..0xe000).contains(low));
        match (point, low) {
            (0xd800..0xdc00, Some(low)) => {
                points.next();
                let pair = ((point & 0x3ff) << 10) | (low & 0x3ff);
                push_point(text, pair.saturating_add(0x1_0000));
            }
            (0xd800..0xe000, _) => text.push(b' '),
            _ => push_point(text, point),
        }
    }
}

/// The lead byte's mark, by the number of bytes that follow.
const LEADS: [u32; 6] = [0, 0xc0, 0xe0, 0xf0, 0xf8, 0xfc];

/// As the engine's writer spells a code point, surrogates and numbers above 10FFFF included.
fn push_point(text: &mut Vec<u8>, point: u32) {
    let follow: u32 = match point {
        0..0x80 => 0,
        0x80..0x800 => 1,
        0x800..0x1_0000 => 2,
        0x1_0000..0x20_0000 => 3,
        0x20_0000..0x400_0000 => 4,
        _ => 5,
    };
    for at in (0..=follow).rev() {
        let bits = point >> at.saturating_mul(6);
        let byte = if at == follow { lead(follow) | bits } else { 0x80 | bits & 0x3f };
        text.extend(u8::try_from(byte));
    }
}

fn lead(follow: u32) -> u32 {
    usize::try_from(follow).ok().and_then(|at| LEADS.get(at)).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn departures(ours: Builder, theirs: Builder) -> Option<Vec<Departure>> {
        let (ours, theirs) = (ours.build().bytes, theirs.build().bytes);
        between(Dialect::Godot3, &ours, &theirs).unwrap().map(|found| found.into_iter().collect())
    }

    /// A live run found it: the value of a key that comes again is read before it is dropped.
    #[test]
    fn a_script_is_looked_up_in_a_value_that_is_dropped() {
        let classes = Classes::default();
        let asked = Asked { dialect: Dialect::Godot4, objects: true, classes: &classes };
        let scripted = Builder::new().u32(28 | 3 << 16).text("res://none.gd").u32(0);
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
    fn objects_have_ids_of_their_own() {
        let object = |id| Builder::new().u32(0x1_0011).u64(id);
        assert_eq!(departures(object(5), object(9)), Some(vec![Departure::ObjectId]));
        assert_eq!(departures(object(0), Builder::new().u32(0)), Some(vec![Departure::NullObject]));
        assert_eq!(departures(object(0), object(9)), None);
        assert_eq!(departures(object(5), Builder::new().u32(0)), None);
    }
}
