//! How what Godot 3 writes of a value it has read differs from what is written here, by design or by defect.
//!
//! An engine writes what it holds; here the bytes are kept as they stand. Each difference that is allowed is a
//! [`Departure`], and holds for the bytes of the values that it is about and for no others.

use std::collections::BTreeSet;
use std::ops::Range;

use variant_view::{
    Dialect, Document, Event, Limits, NodePathView, ObjectForm, Options, Result, Role, StrView,
    StringPool, VariantView,
};

use crate::builder::Builder;

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
    /// The padding of the names of a path is not cleared (2.5, 2.14).
    PathPadding,
    /// A path of neither names nor subnames forgets that it is absolute (2.5).
    RootPath,
    /// A key that does not equal itself is written as "[Deleted Object]", and its value as Nil (2.14).
    LostKey,
}

/// What makes `ours`, one value as it is written here, `theirs`: nothing if they are the same. None if there is
/// any other difference.
///
/// # Errors
/// What is written here does not read.
pub fn between(ours: &[u8], theirs: &[u8]) -> Result<Option<BTreeSet<Departure>>> {
    if ours == theirs {
        return Ok(Some(BTreeSet::new()));
    }
    let mut expected = Expected::default();
    expected.value(ours)?;
    Ok(expected.accounts_for(theirs))
}

/// What the engine should write.
#[derive(Default)]
struct Expected {
    bytes: Vec<u8>,
    /// Bytes that may be anything.
    noise: Vec<(Range<usize>, Departure)>,
    departures: BTreeSet<Departure>,
}

impl Expected {
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
        let document = Document::new(bytes, options());
        let mut end = 0;
        for event in document.walk() {
            let event = event?;
            let (Event::Leaf(node) | Event::Enter(node)) = event else { continue };
            let (view, start) = (&node.view, node.view.offset());
            let is_lost = matches!(node.role(), Role::Key(_)) && is_lost(view)?;
            // What is in a lost pair has been dealt with, and what is not a leaf waits for its end.
            if start < end || (matches!(event, Event::Enter(_)) && !is_lost) {
                continue;
            }
            // Heads of containers.
            self.bytes.extend(bytes.get(end..start).unwrap_or_default());
            let raw = view.raw_bytes()?;
            end = start.saturating_add(raw.len());
            if is_lost {
                end = end.saturating_add(first_value(bytes.get(end..).unwrap_or_default())?);
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
            VariantView::String(text) => {
                self.bytes.extend(header);
                self.text(*text, false);
            }
            VariantView::PackedStringArray(strings) => self.strings(header, strings),
            VariantView::NodePath(path) => self.path(raw, path),
            VariantView::Object(object) => self.object(object.form(), raw),
            _ => self.bytes.extend(raw),
        }
    }

    fn strings(&mut self, header: &[u8], strings: &StringPool<'_>) {
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
        if is_empty && path.is_absolute() {
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
        view.code_points().for_each(|point| push_point(&mut text, point));
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
}

/// Whether a key does not equal itself, so that the engine does not find it when it goes through the keys.
fn is_lost(key: &VariantView<'_>) -> Result<bool> {
    Ok(match key {
        VariantView::PackedFloat32Array(floats) => floats.iter().any(f32::is_nan),
        VariantView::Array(array) => {
            for element in *array {
                if is_lost(&element?)? {
                    return Ok(true);
                }
            }
            false
        }
        _ => false,
    })
}

/// The length of the first value.
fn first_value(bytes: &[u8]) -> Result<usize> {
    let document = Document::new(bytes, options());
    Ok(document.validate()?.consumed)
}

/// What is written here nests as deep as what was read.
fn options() -> Options {
    Options::new(Dialect::Godot3).limits(Limits::FILE.depth(100_000))
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
        between(&ours, &theirs).unwrap().map(|found| found.into_iter().collect())
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
