//! [`EngineWriter`]: converts the bytes that this workspace writes for a value to those of an engine.

use std::collections::BTreeSet;
use std::ops::Range;

use variant_view::{
    Dialect, Document, Event, Limits, NodePathView, ObjectForm, Options, PackedStrings, Result,
    Role, StrView, VariantView,
};

use super::Departure;
use crate::builder::Builder;

/// Computes the bytes that the engine should write.
pub(super) struct EngineWriter {
    dialect: Dialect,
    bytes: Vec<u8>,
    /// The ranges of bytes that may have any value.
    noise: Vec<(Range<usize>, Departure)>,
    departures: BTreeSet<Departure>,
}

impl EngineWriter {
    pub(super) const fn new(dialect: Dialect) -> Self {
        Self { dialect, bytes: Vec::new(), noise: Vec::new(), departures: BTreeSet::new() }
    }

    pub(super) fn accounts_for(mut self, theirs: &[u8]) -> Option<BTreeSet<Departure>> {
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

    /// Copies a value, except for leaves that the engine writes differently.
    pub(super) fn value(&mut self, bytes: &[u8]) -> Result<()> {
        let document = Document::new(bytes, self.options());
        let mut end = 0;
        for event in document.walk() {
            let event = event?;
            let (Event::Leaf(node) | Event::Enter(node)) = event else { continue };
            let (view, start) = (&node.view, node.view.offset());
            let is_lost = matches!(node.role(), Role::Key(_)) && self.is_lost(view)?;
            // The values in the pair of a lost key (a key that does not equal itself) are already written. A container
            // is not copied as a whole, since the events of its contents follow.
            if start < end || (matches!(event, Event::Enter(_)) && !is_lost) {
                continue;
            }
            // The bytes after the last copied value are heads of containers.
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
        for text in strings.iter() {
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

    /// Writes a text and its padding. Returns the range of the padding.
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

    /// Whether a key does not equal itself: an engine that iterates over keys does not find the value of the key.
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

    /// The length of the value at the start of the bytes.
    fn first_value(&self, bytes: &[u8]) -> Result<usize> {
        Ok(Document::new(bytes, self.options()).validate()?.consumed)
    }

    /// The depth is not limited, since these bytes are as deep as the input.
    fn options(&self) -> Options {
        Options::engine(self.dialect).limits(Limits::FILE.depth(100_000))
    }
}

/// Writes a text as Pandemonium 3 writes it: a surrogate pair as one code point, a lone surrogate as a space.
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

/// The bits that mark the lead byte, by the number of continuation bytes.
const LEADS: [u32; 6] = [0, 0xc0, 0xe0, 0xf0, 0xf8, 0xfc];

/// Writes a code point as the engine's writer does, including surrogates and numbers above 10FFFF.
pub(super) fn push_point(text: &mut Vec<u8>, point: u32) {
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
