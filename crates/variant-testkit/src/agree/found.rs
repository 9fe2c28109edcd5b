//! [`Found`]: the decoder's result for a document, in the terms of the reference.

use variant_view::{Document, Error, Node, Result, Role, VariantView, Visitor};

use super::content;
use crate::reference::{self, Event, Summary};

/// The result of one way of reading.
#[derive(Debug)]
pub(super) struct Found<'a> {
    pub(super) events: Vec<Event<'a>>,
    pub(super) outcome: Result<Summary>,
}

/// Reads the events of the walk one by one.
pub(super) fn walk<'a>(document: &Document<'a>) -> Found<'a> {
    let mut events = Vec::new();
    let mut walker = document.walk();
    let mut error = None;
    for event in walker.by_ref() {
        match event {
            Ok(variant_view::Event::Enter(node)) => events.push(Event::Enter(node_of(node))),
            Ok(variant_view::Event::Leaf(node)) => events.push(leaf(node)),
            Ok(variant_view::Event::Exit { end, depth }) => events.push(Event::Exit { end, depth }),
            Err(found) => error = Some(found),
        }
    }
    Found::new(events, walker.offset(), error)
}

/// Reads with a visitor.
pub(super) fn visit<'a>(document: &Document<'a>) -> Found<'a> {
    let mut recorded = Recorded { events: Vec::new(), open: 0 };
    let mut walker = document.walk();
    let error = walker.visit(&mut recorded).err();
    assert!(walker.next().is_none(), "the walk has ended");
    assert_eq!(walker.skip_rest(), Ok(()), "nothing is left");
    Found::new(recorded.events, walker.offset(), error)
}

/// Reads with the iterators of views.
pub(super) fn lazy<'a>(document: &Document<'a>) -> Found<'a> {
    let mut events = Vec::new();
    let read = |root: VariantView<'a>| {
        collect(root, reference::Role::Root, 0, &mut events)?;
        root.raw_bytes().map(<[u8]>::len)
    };
    match document.root().and_then(read) {
        Ok(end) => Found::new(events, end, None),
        Err(error) => Found::new(events, 0, Some(error)),
    }
}

/// The result of validation, in the terms of the reference.
pub(super) fn summary(summary: variant_view::Summary) -> Summary {
    let variant_view::Summary { consumed, values, depth, .. } = summary;
    Summary { consumed, values, depth }
}

impl<'a> Found<'a> {
    fn new(events: Vec<Event<'a>>, consumed: usize, error: Option<Error>) -> Self {
        let mut summary = Summary { consumed, values: 0, depth: 0 };
        for event in &events {
            if let Event::Enter(node) | Event::Leaf(node, _) = event {
                summary.values = summary.values.saturating_add(1);
                summary.depth = summary.depth.max(node.depth);
            }
        }
        Self { events, outcome: error.map_or(Ok(summary), Err) }
    }
}

/// A visitor that collects events. It counts the open containers, because `exit` does not get the depth.
struct Recorded<'a> {
    events: Vec<Event<'a>>,
    open: u32,
}

impl<'a> Visitor<'a> for Recorded<'a> {
    fn leaf(&mut self, node: Node<'a>) -> Result<()> {
        self.events.push(leaf(node));
        Ok(())
    }

    fn enter(&mut self, node: Node<'a>) -> Result<()> {
        self.events.push(Event::Enter(node_of(node)));
        self.open = self.open.saturating_add(1);
        Ok(())
    }

    fn exit(&mut self, end: usize) -> Result<()> {
        self.open = self.open.saturating_sub(1);
        self.events.push(Event::Exit { end, depth: self.open });
        Ok(())
    }
}

fn leaf(node: Node<'_>) -> Event<'_> {
    Event::Leaf(node_of(node), end_of(&node.view))
}

/// The end of a leaf. The reader has already read the leaf completely.
fn end_of(leaf: &VariantView<'_>) -> usize {
    leaf.offset().saturating_add(leaf.raw_bytes().map_or(0, <[u8]>::len))
}

fn node_of(node: Node<'_>) -> reference::Node<'_> {
    let role = match node.role() {
        Role::Root => reference::Role::Root,
        Role::Element(index) => reference::Role::Element(index),
        Role::Key(index) => reference::Role::Key(index),
        Role::Value(index) => reference::Role::Value(index),
        Role::Property(index, name) => reference::Role::Property(index, content::text(name)),
    };
    new_node(&node.view, role, node.depth)
}

fn new_node<'a>(
    view: &VariantView<'a>,
    role: reference::Role<'a>,
    depth: u32,
) -> reference::Node<'a> {
    let content = content::content(view);
    reference::Node { kind: view.kind(), offset: view.offset(), depth, role, content }
}

fn collect<'a>(
    view: VariantView<'a>,
    role: reference::Role<'a>,
    depth: u32,
    events: &mut Vec<Event<'a>>,
) -> Result<()> {
    let node = new_node(&view, role, depth);
    if !is_container(&view) {
        events.push(Event::Leaf(node, end_of(&view)));
        return Ok(());
    }
    events.push(Event::Enter(node));
    collect_items(view, depth.saturating_add(1), events)?;
    let end = view.offset().saturating_add(view.raw_bytes()?.len());
    events.push(Event::Exit { end, depth });
    Ok(())
}

fn is_container(view: &VariantView<'_>) -> bool {
    match view {
        VariantView::Object(object) => object.class().is_some(),
        view => view.as_array().is_ok() || view.as_dictionary().is_ok(),
    }
}

fn collect_items<'a>(view: VariantView<'a>, depth: u32, events: &mut Vec<Event<'a>>) -> Result<()> {
    match view {
        VariantView::Array(array)
        | VariantView::TypedArray(array)
        | VariantView::PackedTypedArray(array) => {
            (0..).zip(array).try_for_each(|(index, element)| {
                collect(element?, reference::Role::Element(index), depth, events)
            })
        }
        VariantView::Dictionary(dictionary) => {
            (0..).zip(dictionary).try_for_each(|(index, pair)| {
                let (key, value) = pair?;
                collect(key, reference::Role::Key(index), depth, events)?;
                collect(value, reference::Role::Value(index), depth, events)
            })
        }
        VariantView::Object(object) => {
            (0..).zip(object.properties()).try_for_each(|(index, property)| {
                let (name, value) = property?;
                let role = reference::Role::Property(index, content::text(name));
                collect(value, role, depth, events)
            })
        }
        _ => Ok(()),
    }
}
