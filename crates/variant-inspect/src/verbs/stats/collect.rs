//! [`Collected`]: the statistics of a file, in one pass over its values.

use std::collections::BTreeMap;

use variant_view::{Document, Event, Kind, Node, Result, Role, VariantView};

use super::paths::{Paths, Step};
use super::top::Top;
use crate::verbs::tree::printer::len;
use variant_document::Piece;
use variant_document::literal;

/// One of the longest values.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// The number of the frame or setting; none if the file has one value.
    pub(super) frame: Option<u64>,
    /// The number of the outermost value around this value.
    pub(super) number: u64,
    /// The offset in the outermost value.
    pub(super) within: usize,
    /// The offset in the file.
    pub(super) offset: usize,
    pub(super) literal: String,
}

/// The statistics of a file.
#[derive(Debug)]
pub(super) struct Collected<'a> {
    pub(super) frames: u64,
    pub(super) values: u64,
    pub(super) bytes: u64,
    pub(super) depth: u32,
    /// The bytes of the longest frame, and the number of values of the frame with the most values.
    pub(super) largest: u64,
    pub(super) most_values: u64,
    /// The numbers of values and of bytes of each kind. The bytes of a container exclude its items.
    pub(super) kinds: BTreeMap<Kind, (u64, u64)>,
    pub(super) paths: Paths<'a>,
    pub(super) texts: Top<Place>,
    pub(super) packed: Top<Place>,
    pub(super) containers: Top<Place>,
}

/// A container that the walk has entered but not left.
#[derive(Clone, Copy, Debug)]
struct Open {
    path: Option<usize>,
    /// The offset of the container's key or name if it has one, otherwise of the container itself.
    start: usize,
    kind: Kind,
    /// The bytes of the container's items.
    inside: usize,
    view_start: usize,
}

impl<'a> Collected<'a> {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            frames: 0,
            values: 0,
            bytes: 0,
            depth: 0,
            largest: 0,
            most_values: 0,
            kinds: BTreeMap::new(),
            paths: Paths::new(),
            texts: Top::new(limit),
            packed: Top::new(limit),
            containers: Top::new(limit),
        }
    }

    /// Adds a value. O(bytes) expected.
    ///
    /// # Errors
    /// The first error in the value.
    pub(super) fn add(&mut self, piece: &Piece<'a>, document: Document<'a>) -> Result<()> {
        let mut walk = Walk { piece, open: Vec::new(), key: None, values: 0 };
        let mut end = 0;
        for event in document.walk() {
            end = match event? {
                Event::Enter(node) => walk.enter(self, &node),
                Event::Leaf(node) => walk.leaf(self, &node)?,
                Event::Exit { end, .. } => walk.exit(self, end),
            };
        }
        let bytes = u64::try_from(end).unwrap_or(u64::MAX);
        self.frames = self.frames.saturating_add(1);
        self.bytes = self.bytes.saturating_add(bytes);
        self.values = self.values.saturating_add(walk.values);
        self.largest = self.largest.max(bytes);
        self.most_values = self.most_values.max(walk.values);
        Ok(())
    }

    fn count(&mut self, kind: Kind, bytes: usize) {
        let (values, sum) = self.kinds.entry(kind).or_default();
        *values = values.saturating_add(1);
        *sum = sum.saturating_add(u64::try_from(bytes).unwrap_or(u64::MAX));
    }
}

/// A walk over one value.
struct Walk<'w, 'a> {
    piece: &'w Piece<'a>,
    open: Vec<Open>,
    /// The last key, and its offset.
    key: Option<(Step<'a>, usize)>,
    values: u64,
}

impl<'a> Walk<'_, 'a> {
    /// Returns the path of a value, and the offset of its key or name. If the value has no key and no name, the offset
    /// is that of the value itself. Returns `None` for a key, since a key is counted with its value.
    fn reach(&mut self, to: &mut Collected<'a>, node: &Node<'a>) -> Option<(Option<usize>, usize)> {
        self.values = self.values.saturating_add(1);
        to.depth = to.depth.max(node.depth);
        let offset = node.view.offset();
        let (step, start) = match node.role() {
            Role::Root => return Some((Some(Paths::ROOT), offset)),
            Role::Element(_) => (Step::Each, offset),
            Role::Key(_) => {
                self.key = Some((named(&node.view), offset));
                return None;
            }
            Role::Value(_) => self.key.take().unwrap_or((Step::Each, offset)),
            Role::Property(_, name) => {
                let step = name.engine_text().map_or(Step::Each, Step::Name);
                (step, name.offset().saturating_sub(4))
            }
        };
        let parent = self.open.last().and_then(|open| open.path);
        Some((parent.and_then(|parent| to.paths.child(parent, step)), start))
    }

    fn leaf(&mut self, to: &mut Collected<'a>, node: &Node<'a>) -> Result<usize> {
        let reached = self.reach(to, node);
        let (view, offset) = (&node.view, node.view.offset());
        let len = view.raw_bytes()?.len();
        let end = offset.saturating_add(len);
        to.count(view.kind(), len);
        if let Some((path, start)) = reached {
            to.paths.add(path, end.saturating_sub(start));
        }
        if let Some(open) = self.open.last_mut() {
            open.inside = open.inside.saturating_add(len);
        }
        let size = u64::try_from(len).unwrap_or(u64::MAX);
        match view.kind() {
            Kind::String | Kind::StringName | Kind::NodePath => {
                to.texts.offer(size, || self.place(view));
            }
            kind if kind.name().starts_with("Packed") => {
                to.packed.offer(size, || self.place(view));
            }
            _ => {}
        }
        Ok(end)
    }

    fn enter(&mut self, to: &mut Collected<'a>, node: &Node<'a>) -> usize {
        let parent = self.open.last().and_then(|open| open.path);
        let reached = self.reach(to, node);
        let view = &node.view;
        let (path, start) = reached.unwrap_or_else(|| {
            (parent.and_then(|at| to.paths.child(at, Step::Key)), view.offset())
        });
        let (view_start, kind) = (view.offset(), view.kind());
        self.open.push(Open { path, start, kind, inside: 0, view_start });
        let items = u64::try_from(len(view)).unwrap_or(u64::MAX);
        to.containers.offer(items, || self.place(view));
        view_start
    }

    fn exit(&mut self, to: &mut Collected<'a>, end: usize) -> usize {
        let Some(open) = self.open.pop() else { return end };
        let len = end.saturating_sub(open.view_start);
        to.count(open.kind, len.saturating_sub(open.inside));
        to.paths.add(open.path, end.saturating_sub(open.start));
        if let Some(around) = self.open.last_mut() {
            around.inside = around.inside.saturating_add(len);
        }
        end
    }

    fn place(&self, view: &VariantView<'a>) -> Place {
        let mut text = String::new();
        literal::write(&mut text, view);
        Place {
            frame: self.piece.called().map(|_| self.piece.number),
            number: self.piece.number,
            within: view.offset(),
            offset: self.piece.absolute(view.offset()),
            literal: text,
        }
    }
}

/// The step to the value of a key.
fn named<'a>(key: &VariantView<'a>) -> Step<'a> {
    match key {
        VariantView::String(name) | VariantView::StringName(name) => {
            name.engine_text().map_or(Step::Each, Step::Name)
        }
        _ => Step::Each,
    }
}
