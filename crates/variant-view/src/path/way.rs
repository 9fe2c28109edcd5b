//! [`Way`]: the containers around a value, found in one pass.

use crate::bytes::Cursor;
use crate::contents::Contents;
use crate::error::Result;
use crate::key::KeyRule;
use crate::kind::Kind;
use crate::layout::{self};
use crate::options::Mode;
use crate::scan::{Item, Scanner, Step};
use crate::stack::Stack;
use crate::view::{Key, StrView, VariantView};

use super::step::PathStep;

/// The containers around the innermost value at an offset. Each container has the index of its item that contains the
/// offset.
///
/// The scanner is a separate value, so that it is never moved. Way and scanner fit on a small stack.
pub(super) struct Way<'a> {
    /// The whole document.
    bytes: &'a [u8],
    mode: Mode,
    levels: Stack<Level>,
    depth: u32,
    /// Whether the scan failed at the innermost value.
    is_damaged: bool,
}

/// A container on the path.
#[derive(Clone, Copy)]
struct Level {
    form: Contents,
    /// The current item; in a dictionary keys and values both count.
    slot: u32,
    /// The offset of the pair's key or of the property's name.
    label: usize,
    /// Whether a later item with the same key hides this one.
    is_hidden: bool,
}

impl<'a> Way<'a> {
    pub(super) const fn new(bytes: &'a [u8], mode: Mode) -> Self {
        Self { bytes, mode, levels: Stack::new(Level::ROOT), depth: 0, is_damaged: false }
    }

    /// Reads up to the innermost value that contains byte `offset`; false if `offset` is outside the document. O(bytes
    /// before `offset`).
    pub(super) fn read_to(&mut self, offset: usize, scanner: &mut Scanner<'a, false>) -> bool {
        if offset > self.bytes.len() {
            return false;
        }
        loop {
            match scanner.step() {
                Ok(Some(Step::Leaf(item) | Step::Enter(item))) if offset < item.end => return true,
                Ok(Some(Step::Leaf(_))) => self.next_item(scanner.offset()),
                Ok(Some(Step::Enter(item))) => self.enter(&item),
                Ok(Some(Step::Exit)) => {
                    self.depth = self.depth.saturating_sub(1);
                    self.next_item(scanner.offset());
                }
                Ok(None) => return false,
                Err(_) => {
                    self.is_damaged = true;
                    return true;
                }
            }
        }
    }

    /// The number of containers around the value.
    pub(super) const fn depth(&self) -> u32 {
        self.depth
    }

    fn enter(&mut self, item: &Item<'_>) {
        let form = match item.header.kind {
            Kind::Dictionary => Contents::Pairs,
            Kind::Object => Contents::Properties,
            _ => Contents::Elements,
        };
        let level = Level { form, slot: 0, label: item.end, is_hidden: false };
        self.levels.set(self.depth, level);
        self.depth = self.depth.saturating_add(1);
    }

    /// Moves to the next item of the innermost container. The current item ended at `end`.
    fn next_item(&mut self, end: usize) {
        let Some((at, mut level)) = self.innermost() else { return };
        level.slot = level.slot.saturating_add(1);
        // The value of a pair keeps the key as its label.
        if level.form != Contents::Pairs || level.slot.is_multiple_of(2) {
            level.label = end;
        }
        self.levels.set(at, level);
    }

    fn innermost(&self) -> Option<(u32, Level)> {
        let at = self.depth.checked_sub(1)?;
        Some((at, self.levels.get(at)?))
    }

    /// Reads to the end and marks the items on the path that a later duplicate key hides. O(bytes).
    ///
    /// Does nothing in a damaged document: its duplicates are unknown, so its paths keep the names of keys.
    pub(super) fn find_hidden(&mut self, scanner: &mut Scanner<'a, false>) {
        if self.is_damaged {
            return;
        }
        let depth = self.depth;
        // The outermost items without a label cannot be hidden, since no later item can have the same label.
        let is_called = |level: Level| level.label(self.bytes, self.mode).is_some();
        let unnamed = self.levels.below(depth).take_while(|&level| !is_called(level)).count();
        let mut label = self.innermost_label();
        while crate::bytes::size(self.depth) > unnamed {
            match scanner.step() {
                Ok(Some(Step::Leaf(item) | Step::Enter(item))) if item.depth == self.depth => {
                    if label.is_some_and(|label| label.is_of(&item, self.mode)) {
                        self.hide_innermost();
                        label = None;
                    }
                }
                Ok(Some(Step::Exit)) if scanner.level() < self.depth => {
                    self.depth = scanner.level();
                    label = self.innermost_label();
                }
                Ok(Some(_)) => {}
                Ok(None) | Err(_) => break,
            }
        }
        self.depth = depth;
    }

    fn innermost_label(&self) -> Option<Label<'a>> {
        let (_, level) = self.innermost()?;
        level.label(self.bytes, self.mode)
    }

    fn hide_innermost(&mut self) {
        if let Some((at, level)) = self.innermost() {
            self.levels.set(at, Level { is_hidden: true, ..level });
        }
    }

    pub(super) fn steps(&self) -> impl Iterator<Item = PathStep<'a>> + '_ {
        self.levels.below(self.depth).map(|level| level.step(self.bytes, self.mode))
    }
}

impl Level {
    const ROOT: Self = Self { form: Contents::Elements, slot: 0, label: 0, is_hidden: false };

    fn step(self, bytes: &[u8], mode: Mode) -> PathStep<'_> {
        let position = match self.form {
            Contents::Elements => return PathStep::Number(self.slot.into()),
            Contents::Pairs if self.slot.is_multiple_of(2) => {
                return PathStep::PositionKey(self.slot / 2);
            }
            Contents::Pairs => self.slot / 2,
            Contents::Properties => self.slot,
        };
        let label = if self.is_hidden { None } else { self.label(bytes, mode) };
        let step = label.and_then(|label| PathStep::of_key(label.0));
        step.unwrap_or(PathStep::Position(position))
    }

    fn label(self, bytes: &[u8], mode: Mode) -> Option<Label<'_>> {
        let rest = bytes.get(self.label..)?;
        let key = match self.form {
            Contents::Elements => return None,
            Contents::Pairs if self.slot.is_multiple_of(2) => return None,
            Contents::Pairs => key_of(&VariantView::starting(rest, self.label, mode).ok()?)?,
            Contents::Properties => {
                let mut cursor = Cursor::new(rest, self.label);
                let name: Result<_> = layout::string::<false, _>(&mut cursor, mode.dialect.rules());
                let name = StrView::of_name(name.ok()?, self.label, mode.dialect);
                Key::String(name.engine_bytes())
            }
        };
        Some(Label(key))
    }
}

/// A dictionary key, or a property's name.
#[derive(Clone, Copy)]
struct Label<'a>(Key<'a>);

impl Label<'_> {
    /// Whether `item` has this label. `item` must be in the container that the label is from.
    fn is_of(&self, item: &Item<'_>, mode: Mode) -> bool {
        match (item.place.form, item.place.name, self.0) {
            (Contents::Properties, Some((name, _)), Key::String(wanted)) => {
                StrView::of_name(name, 0, mode.dialect).reads_as(wanted)
            }
            (Contents::Pairs, ..) if item.place.index.is_multiple_of(2) => {
                self.0.is(item.bytes, mode).unwrap_or_default()
            }
            _ => false,
        }
    }
}

/// The [`Key`] that finds the value of `key`, if a path can express the key.
fn key_of<'a>(key: &VariantView<'a>) -> Option<Key<'a>> {
    Some(match key {
        VariantView::Int(key) => Key::Int(key.value()),
        VariantView::String(key) => Key::String(key.engine_bytes()),
        VariantView::StringName(key) if KeyRule::of(key.dialect()).has_one_text_key() => {
            Key::String(key.engine_bytes())
        }
        VariantView::StringName(key) => Key::StringName(key.engine_bytes()),
        _ => return None,
    })
}
