//! [`Rows`]: the values of many paths, read in one pass, row by row.

mod place;
mod plan;

use variant_view::{Dialect, Document, Key, KeyRule, Kind, Reader, Result, VariantView};

use self::plan::{Level, Node, Spread};
pub use self::plan::{RowPlan, RowPlanError};
use crate::query::{Place, key_of};

/// The rows of documents, one document after another.
///
/// A document has one row or, if paths select many items, one row for each item. Values outside the items are the same
/// in each of these rows. A document without such items has one row, so that each document has a row.
///
/// If keys are equal, the last value counts, as in the engines.
///
/// ```
/// use variant_document::query::Query;
/// use variant_document::rows::{RowPlan, Rows};
/// use variant_view::{Dialect, Document};
///
/// # let bytes = [
/// #     18, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, b'i', b'd', 0, 0, 2, 0, 0, 0, 9, 0, 0, 0,
/// #     4, 0, 0, 0, 2, 0, 0, 0, b'h', b'p', 0, 0, 19, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0,
/// # ];
/// // {"id": 9, "hp": [5, 7]}, as Godot 3 writes it
/// let paths = [Query::parse("id")?, Query::parse("hp[*]")?];
/// let plan = RowPlan::new(&paths)?;
/// let mut rows = Rows::new(&plan);
/// rows.start(&Document::new(&bytes, Dialect::Godot3));
/// let mut seen = Vec::new();
/// while rows.next_row()? {
///     let [id, hp] = [0, 1].map(|column| rows.value(column).and_then(|value| value.as_i64().ok()));
///     seen.push((id, hp));
/// }
/// assert_eq!(seen, [(Some(9), Some(5)), (Some(9), Some(7))]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Rows<'p, 'a> {
    plan: &'p RowPlan,
    dialect: Dialect,
    rule: KeyRule,
    /// For each level after the first, the open container whose items make rows.
    open: Vec<Items<'a>>,
    /// For each level, the container whose items make rows. `None` if the document does not have the container.
    containers: Vec<Option<Reader<'a>>>,
    slots: Vec<Option<VariantView<'a>>>,
    /// The document, until its first row is read.
    fresh: Option<Reader<'a>>,
    found: u64,
    frames: Vec<Frame<'a>>,
    /// If several steps lead to one value, the value is read again for each further step. An entry has the node of that
    /// step, and a reader at the start of the value.
    again: Vec<(usize, Reader<'a>)>,
}

/// An open container whose items make rows, and the number of items that were begun.
#[derive(Debug)]
struct Items<'a> {
    reader: Reader<'a>,
    kind: Kind,
    count: u32,
    begun: u32,
    place: Place<'a>,
    /// The key of the pair, if `place` has none.
    other: Option<VariantView<'a>>,
}

#[derive(Debug)]
struct Frame<'a> {
    node: usize,
    kind: Kind,
    /// The number of all items, both keys and values; and the number of items that were begun.
    items: u32,
    begun: u32,
    /// The last key: in `key` if a path can name it, otherwise in `other`.
    key: Option<Key<'a>>,
    other: Option<VariantView<'a>>,
}

impl<'p, 'a> Rows<'p, 'a> {
    /// Rows without a document. O(columns).
    pub fn new(plan: &'p RowPlan) -> Self {
        Self {
            plan,
            dialect: Dialect::Godot4,
            rule: KeyRule::GODOT_4,
            open: Vec::new(),
            containers: vec![None; plan.levels.len()],
            slots: vec![None; plan.slots()],
            fresh: None,
            found: 0,
            frames: Vec::new(),
            again: Vec::new(),
        }
    }

    /// Starts with the first row of a document. O(columns).
    pub fn start(&mut self, document: &Document<'a>) {
        let options = *document.options();
        self.dialect = options.dialect;
        self.rule = KeyRule::of(options.dialect);
        self.fresh = Some(Reader::new(document.bytes(), options));
        self.open.clear();
        self.slots.fill(None);
        // The document before may have left entries, if it was damaged.
        self.again.clear();
        self.containers.fill_with(|| None);
    }

    /// Reads the next row. Returns false after the last row. Reads the bytes of a document once. Reads the items that
    /// make rows once more for each level of such items.
    ///
    /// # Errors
    /// Damage, which ends the rows of the document.
    pub fn next_row(&mut self) -> Result<bool> {
        let row = self.advance();
        if row.is_err() {
            self.fresh = None;
            self.open.clear();
        }
        row
    }

    fn advance(&mut self) -> Result<bool> {
        if let Some(mut reader) = self.fresh.take() {
            self.scan(0, &mut reader)?;
            self.descend()?;
            return Ok(true);
        }
        while !self.open.is_empty() {
            if self.next_item()? {
                self.descend()?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Goes to the first item that makes rows, level by level. If a level has no such item, its columns are empty.
    fn descend(&mut self) -> Result<()> {
        let plan = self.plan;
        loop {
            let level = self.open.len();
            let container = self.containers.get_mut(level).and_then(Option::take);
            let items = match container {
                Some(reader) => Items::of(reader)?,
                None => None,
            };
            if let Some(items) = items {
                self.open.push(items);
                if self.next_item()? {
                    continue;
                }
            }
            let read = plan.levels.get(level).map_or(0, |level| level.slots.end);
            if let Some(unread) = self.slots.get_mut(read..) {
                unread.fill(None);
            }
            return Ok(());
        }
    }

    /// Reads the next item of the innermost container. After the last item, closes the container and returns false.
    fn next_item(&mut self) -> Result<bool> {
        let (plan, rule, level) = (self.plan, self.rule, self.open.len());
        let above = level.checked_sub(1).and_then(|above| plan.levels.get(above));
        let Some(Spread { step, .. }) = above.and_then(|above| above.spread.as_ref()) else {
            return Ok(false);
        };
        let Some(mut items) = self.open.pop() else { return Ok(false) };
        while items.begun < items.count {
            items.step(rule)?;
            if step.takes(&items.place, items.other.as_ref(), &items.reader, rule)? {
                let mut reader = items.reader.clone();
                self.scan(level, &mut reader)?;
                items.reader = reader;
                self.open.push(items);
                return Ok(true);
            }
            items.reader.skip()?;
        }
        Ok(false)
    }

    /// Reads the parts of one value that a level needs. Skips the other parts.
    fn scan(&mut self, level: usize, reader: &mut Reader<'a>) -> Result<()> {
        let Some(level_plan) = self.plan.levels.get(level) else { return Ok(()) };
        self.scan_from(level, level_plan, 0, reader)?;
        while let Some((node, mut reader)) = self.again.pop() {
            self.scan_from(level, level_plan, node, &mut reader)?;
        }
        Ok(())
    }

    fn scan_from(
        &mut self,
        at: usize,
        level: &'p Level,
        node: usize,
        reader: &mut Reader<'a>,
    ) -> Result<()> {
        self.frames.clear();
        self.visit(at, level, node, reader)?;
        while let Some(frame) = self.frames.last_mut() {
            if frame.begun == frame.items {
                reader.exit();
                self.frames.pop();
                continue;
            }
            let place = frame.next(reader)?;
            let other = frame.other.filter(|_| matches!(place, Place::Value { .. }));
            let Some(node) = level.nodes.get(frame.node) else { return Ok(()) };
            let mut first = None;
            for (step, child) in &node.children {
                if !step.leads_to(&place, other.as_ref(), self.rule) {
                    continue;
                }
                match first {
                    None => first = Some(*child),
                    Some(_) => self.again.push((*child, reader.clone())),
                }
            }
            match first {
                Some(child) => self.visit(at, level, child, reader)?,
                None if matches!(place, Place::Key { .. }) => {
                    self.frames
                        .last_mut()
                        .map_or(Ok(()), |frame| frame.read_key(reader, self.rule))?;
                }
                None => {
                    reader.skip()?;
                }
            }
        }
        Ok(())
    }

    /// Reads the next value, which belongs to a node. Opens the value if the node has children.
    fn visit(
        &mut self,
        at: usize,
        level: &'p Level,
        node: usize,
        reader: &mut Reader<'a>,
    ) -> Result<()> {
        let Some(Node { children, slot, slots, leads_to_items }) = level.nodes.get(node) else {
            return Ok(());
        };
        // An earlier pair with an equal key may have filled these slots, so they are cleared.
        if let Some(slots) = self.slots.get_mut(slots.clone()) {
            slots.fill(None);
        }
        let before = reader.clone();
        if *leads_to_items && let Some(container) = self.containers.get_mut(at) {
            let is_it = level.spread.as_ref().is_some_and(|spread| spread.node == node);
            *container = is_it.then(|| before.clone());
        }
        if slot.is_none() && children.is_empty() {
            reader.skip()?;
            return Ok(());
        }
        // A column reads this key. The key is also recorded, since the place of the next value needs it.
        if let Some(frame) = self.frames.last_mut()
            && frame.is_at_key()
        {
            frame.key_is(&reader.clone().next_value()?.0);
        }
        let (view, items) = reader.next_value()?;
        if let Some(slot) = slot.and_then(|slot| self.slots.get_mut(slot)) {
            *slot = Some(view);
            self.found = self.found.saturating_add(1);
        }
        match items {
            Some(items) if !children.is_empty() => {
                self.frames.push(Frame {
                    node,
                    kind: view.kind(),
                    items,
                    begun: 0,
                    key: None,
                    other: None,
                });
            }
            Some(_) => {
                *reader = before;
                reader.skip()?;
            }
            None => {}
        }
        Ok(())
    }

    /// The value of a column in this row. O(1).
    pub fn value(&self, column: usize) -> Option<&VariantView<'a>> {
        let column = self.plan.columns.get(column)?;
        self.slots.get(column.slot)?.as_ref()
    }

    /// The number of levels of items around this row; 0 for the row of a document. O(1).
    pub const fn depth(&self) -> usize {
        self.open.len()
    }

    /// The number of values that were read for columns, in all documents so far.
    pub const fn found(&self) -> u64 {
        self.found
    }
}

impl<'a> Items<'a> {
    /// The items of the container that the reader is at. `None` if the value is not a container.
    fn of(mut reader: Reader<'a>) -> Result<Option<Self>> {
        let (view, items) = reader.next_value()?;
        let place = Place::Element { index: 0, len: 0 };
        let kind = view.kind();
        let of = |count| Self { reader, kind, count, begun: 0, place, other: None };
        Ok(items.map(of))
    }

    /// Moves to the next value, past its key or name.
    fn step(&mut self, rule: KeyRule) -> Result<()> {
        let at = self.begun;
        self.begun = at.saturating_add(1);
        self.place = match self.kind {
            Kind::Dictionary => {
                let key;
                (key, self.other) = read_key(&mut self.reader, rule)?;
                self.begun = self.begun.saturating_add(1);
                Place::Value { key, position: at / 2 }
            }
            kind => item(kind, at, self.count, &mut self.reader)?,
        };
        Ok(())
    }
}

impl<'a> Frame<'a> {
    const fn is_at_key(&self) -> bool {
        matches!(self.kind, Kind::Dictionary) && !self.begun.is_multiple_of(2)
    }

    /// The place of the next item. Moves past the name of a property.
    fn next(&mut self, reader: &mut Reader<'a>) -> Result<Place<'a>> {
        let at = self.begun;
        self.begun = at.saturating_add(1);
        Ok(match self.kind {
            Kind::Dictionary if at.is_multiple_of(2) => Place::Key { position: at / 2 },
            Kind::Dictionary => Place::Value { key: self.key.take(), position: at / 2 },
            kind => item(kind, at, self.items, reader)?,
        })
    }

    fn read_key(&mut self, reader: &mut Reader<'a>, rule: KeyRule) -> Result<()> {
        (self.key, self.other) = read_key(reader, rule)?;
        Ok(())
    }

    fn key_is(&mut self, key: &VariantView<'a>) {
        self.key = key_of(key);
        self.other = Some(*key).filter(|_| self.key.is_none());
    }
}

/// The place of a property or an element. Moves past the name of a property.
fn item<'a>(kind: Kind, at: u32, len: u32, reader: &mut Reader<'a>) -> Result<Place<'a>> {
    if kind != Kind::Object {
        return Ok(Place::Element { index: at, len });
    }
    let name = reader.name()?;
    Ok(Place::Value { key: Some(Key::String(name.engine_bytes())), position: at })
}

/// Reads a key. Returns the key as the first result if a path can name it, otherwise as the second.
fn read_key<'a>(
    reader: &mut Reader<'a>,
    rule: KeyRule,
) -> Result<(Option<Key<'a>>, Option<VariantView<'a>>)> {
    const MARK: u8 = 0xef;
    let kind = reader.kind()?;
    // Most keys are text without a byte order mark or NUL. The engine reads such text unchanged.
    if let Some(text) =
        reader.text_if(|text| (text.first() != Some(&MARK) && !text.contains(&0)).then_some(text))
    {
        let is_string = kind == Kind::String || rule.has_one_text_key();
        let key = if is_string { Key::String(text) } else { Key::StringName(text) };
        return Ok((Some(key), None));
    }
    let (view, _) = reader.clone().next_value()?;
    reader.skip()?;
    let key = key_of(&view);
    Ok((key, Some(view).filter(|_| key.is_none())))
}
