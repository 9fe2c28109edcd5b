//! [`Printer`]: prints a value as a tree, one line for each nested value.

use std::fmt::Write as _;
use std::io;

use variant_view::{Document, Event, Node, Role, VariantView, Walker};

use crate::style::Palette;
use crate::values::Trouble;
use variant_document::count::grouped;
use variant_document::escape::escape;
use variant_document::literal;
use variant_document::nested::{MOST_NESTED, Nested};

/// The limits of the printed tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    /// The deepest level; 0 is the root alone.
    pub(crate) depth: u32,
    /// The maximum number of printed values of each container.
    pub(crate) limit: u32,
    /// The number of digits of offsets. `None` if offsets are not printed.
    pub(crate) offset_digits: Option<usize>,
    /// Whether values inside byte arrays are printed.
    pub(crate) is_nested: bool,
}

impl Default for Extent {
    fn default() -> Self {
        Self { depth: u32::MAX, limit: u32::MAX, offset_digits: None, is_nested: false }
    }
}

/// Prints a value and all nested values. The depth bounds the memory.
pub(crate) struct Printer<'p> {
    out: &'p mut dyn io::Write,
    palette: Palette,
    extent: Extent,
    /// The number of byte arrays that hold encoded values. These values are not printed.
    held: u64,
    line: String,
    /// The key of the next value as text; empty if the key is a container.
    key: String,
}

/// A document being printed: the whole value, or a value inside a byte array.
struct Level<'a> {
    document: Document<'a>,
    walker: Walker<'a>,
    /// The offset of the document in the file.
    start: usize,
    /// The depth of the document's root in the whole value.
    depth: u32,
    /// The number of items of each open container.
    open: Vec<usize>,
}

impl<'a> Level<'a> {
    fn new(document: Document<'a>, start: usize, depth: u32) -> Self {
        Self { document, walker: document.walk(), start, depth, open: Vec::new() }
    }

    const fn depth_of(&self, node: &Node<'_>) -> u32 {
        self.depth.saturating_add(node.depth)
    }
}

/// The deepest level that is indented. Lines of deeper levels start with the number of the level, so that their length
/// is bounded.
const MOST_INDENTED: u32 = 32;

impl<'p> Printer<'p> {
    pub(crate) fn new(out: &'p mut dyn io::Write, palette: Palette, extent: Extent) -> Self {
        Self { out, palette, extent, held: 0, line: String::new(), key: String::new() }
    }

    /// Prints `label` before the root.
    pub(crate) fn labelled(mut self, label: &str) -> Self {
        self.key.push_str(label);
        self
    }

    pub(crate) const fn held(&self) -> u64 {
        self.held
    }

    /// Prints the value of a document at byte `start` of the file. Returns the end offset of the value in the document.
    /// Returns `None` if items were left unread because of the limit.
    pub(crate) fn print(
        &mut self,
        document: &Document<'_>,
        start: usize,
    ) -> Result<Option<usize>, Trouble> {
        let mut around = Vec::new();
        let mut level = Level::new(*document, start, 0);
        loop {
            let Some(event) = level.walker.next() else {
                let end = level.walker.offset();
                let Some(outer) = around.pop() else { return Ok(Some(end)) };
                level = outer;
                continue;
            };
            if let Ok(Event::Enter(node) | Event::Leaf(node)) = &event
                && level.depth_of(node) == 1
                && around.is_empty()
                && self.is_beyond(node)
            {
                self.tell_cut(node, &level)?;
                return Ok(None);
            }
            if let Some(inner) = self.tell(event?, &mut level, around.len())? {
                around.push(std::mem::replace(&mut level, inner));
            }
        }
    }

    /// Prints one event. Returns a nested document that must be printed next.
    fn tell<'a>(
        &mut self,
        event: Event<'a>,
        level: &mut Level<'a>,
        levels: usize,
    ) -> Result<Option<Level<'a>>, Trouble> {
        match event {
            Event::Enter(node) if self.is_beyond(&node) => {
                level.walker.skip_rest()?;
                level.walker.next().transpose()?;
                self.cut(&node, level)?;
            }
            Event::Leaf(node) if self.is_beyond(&node) => self.cut(&node, level)?,
            Event::Enter(node) => self.enter(&node, level)?,
            Event::Leaf(node) if matches!(node.role(), Role::Key(_)) => self.remember(&node.view),
            Event::Leaf(node) => return self.leaf(&node, level, levels),
            Event::Exit { .. } => {
                level.open.pop();
            }
        }
        Ok(None)
    }

    /// Prints a leaf. Returns the document inside a byte array, if this document must be printed.
    fn leaf<'a>(
        &mut self,
        node: &Node<'a>,
        level: &Level<'a>,
        levels: usize,
    ) -> Result<Option<Level<'a>>, Trouble> {
        let nested = Nested::of(&node.view, *level.document.options());
        let Some(nested) = nested.filter(|_| levels < MOST_NESTED) else {
            self.print_line(node, level, "")?;
            return Ok(None);
        };
        let depth = level.depth_of(node);
        let is_shown = self.extent.is_nested && depth < self.extent.depth;
        self.print_line(node, level, &format!(" holds {}", nested.describe()))?;
        if !is_shown {
            self.held = self.held.saturating_add(1);
            return Ok(None);
        }
        let start = level.start.saturating_add(nested.start);
        Ok(Some(Level::new(nested.document, start, depth.saturating_add(1))))
    }

    fn is_beyond(&self, node: &Node<'_>) -> bool {
        index(&node.role()).is_some_and(|index| index >= self.extent.limit)
    }

    /// Skips the rest of a container.
    fn cut(&mut self, node: &Node<'_>, level: &mut Level<'_>) -> Result<(), Trouble> {
        level.walker.skip_rest()?;
        Ok(self.tell_cut(node, level)?)
    }

    /// Prints the number of omitted items of a container.
    fn tell_cut(&mut self, node: &Node<'_>, level: &Level<'_>) -> io::Result<()> {
        let shown = usize::try_from(self.extent.limit).unwrap_or(usize::MAX);
        let left = level.open.last().copied().unwrap_or(0).saturating_sub(shown);
        let style = self.palette.note;
        self.begin_line(None, level.depth_of(node));
        let _ = write!(self.line, "{style}... {} more{style:#}", grouped(left));
        self.end_line()
    }

    fn enter(&mut self, node: &Node<'_>, level: &mut Level<'_>) -> Result<(), Trouble> {
        let len = len(&node.view);
        level.open.push(len);
        let is_closed = level.depth_of(node) >= self.extent.depth && len > 0;
        self.print_line(node, level, if is_closed { " ..." } else { "" })?;
        if is_closed {
            level.walker.skip_rest()?;
        }
        Ok(())
    }

    fn remember(&mut self, key: &VariantView<'_>) {
        self.key.clear();
        literal::write(&mut self.key, key);
    }

    fn print_line(&mut self, node: &Node<'_>, level: &Level<'_>, suffix: &str) -> io::Result<()> {
        let offset = level.start.saturating_add(node.view.offset());
        self.begin_line(Some(offset), level.depth_of(node));
        if node.depth == 0 && level.depth > 0 {
            self.line.push_str("= ");
        }
        self.write_role(&node.role());
        let style = self.style(&node.view);
        let _ = write!(self.line, "{style}");
        literal::write(&mut self.line, &node.view);
        let _ = write!(self.line, "{style:#}");
        self.line.push_str(suffix);
        self.end_line()
    }

    fn write_role(&mut self, role: &Role<'_>) {
        let (style, line) = (self.palette.key, &mut self.line);
        let _ = match role {
            Role::Root if self.key.is_empty() => Ok(()),
            Role::Element(index) => write!(line, "{style}[{index}]{style:#} "),
            Role::Key(_) => write!(line, "{style}key{style:#} "),
            Role::Value(_) if self.key.is_empty() => write!(line, "{style}value{style:#} "),
            Role::Root | Role::Value(_) => write!(line, "{style}{}{style:#}: ", self.key),
            Role::Property(_, name) => {
                let _ = write!(line, "{style}");
                escape(line, name.as_bytes(), 100);
                write!(line, "{style:#} = ")
            }
        };
        self.key.clear();
    }

    const fn style(&self, view: &VariantView<'_>) -> anstyle::Style {
        match view {
            VariantView::String(_) | VariantView::StringName(_) | VariantView::NodePath(_) => {
                self.palette.text
            }
            VariantView::Object(_)
            | VariantView::Dictionary(_)
            | VariantView::Array(_)
            | VariantView::TypedArray(_)
            | VariantView::PackedTypedArray(_) => self.palette.container,
            _ => self.palette.value,
        }
    }

    fn begin_line(&mut self, offset: Option<usize>, depth: u32) {
        self.line.clear();
        if let Some(digits) = self.extent.offset_digits {
            let style = self.palette.note;
            let offset = offset.map_or_else(String::new, |offset| offset.to_string());
            let _ = write!(self.line, "{style}{offset:>digits$}{style:#}  ");
        }
        (0..depth.min(MOST_INDENTED)).for_each(|_| self.line.push_str("  "));
        if depth > MOST_INDENTED {
            let style = self.palette.note;
            let _ = write!(self.line, "{style}level {depth}:{style:#} ");
        }
    }

    fn end_line(&mut self) -> io::Result<()> {
        self.line.push('\n');
        self.out.write_all(self.line.as_bytes())
    }
}

const fn index(role: &Role<'_>) -> Option<u32> {
    match role {
        Role::Root => None,
        Role::Element(i) | Role::Key(i) | Role::Value(i) | Role::Property(i, _) => Some(*i),
    }
}

/// The number of items of a container.
pub(crate) fn len(view: &VariantView<'_>) -> usize {
    match view {
        VariantView::Array(v) | VariantView::TypedArray(v) | VariantView::PackedTypedArray(v) => {
            v.len()
        }
        VariantView::Dictionary(v) => v.len(),
        VariantView::Object(v) => v.len(),
        _ => 0,
    }
}
