//! [`TextPrinter`]: prints events as text.

use std::fmt::{self, Write};

use variant_view::{
    ArrayHead, Consumer, DictionaryHead, ElementType, Head, KeyRule, Kind, Leaf, Producer as _,
};

use super::escape::Place;
use super::held::Held;
use super::order::sorted;
use super::{BY_ID, TextOptions};
use crate::event::Collector;
use crate::path::{Form, Items, Role};

/// Prints one value as text: a [`Consumer`] of the events of any [`Producer`](variant_view::Producer).
///
/// The printer streams: memory is bounded by the depth. With [`TextOptions::sorted_keys`], an outermost dictionary is
/// kept in memory until it ends, since its last key may have to be printed first.
///
/// The rules of [`to_text`](crate::to_text) apply. A repeated key is printed twice, as the producer feeds it; with
/// sorted keys it is printed once, as in the engine.
///
/// ```
/// use variant_owned::{TextOptions, TextPrinter, TextStyle};
/// use variant_view::{ArrayHead, Consumer, Head, Leaf};
///
/// let mut printer = TextPrinter::new(String::new(), TextOptions::new(TextStyle::Godot4));
/// printer.enter(Head::Array(ArrayHead::default()))?;
/// printer.leaf(Leaf::String(b"axe"))?;
/// printer.leaf(Leaf::Bool(true))?;
/// printer.exit()?;
/// assert_eq!(printer.into_inner(), r#"["axe", true]"#);
/// # Ok::<(), std::fmt::Error>(())
/// ```
#[derive(Debug)]
pub struct TextPrinter<W> {
    pub(super) out: W,
    pub(super) options: TextOptions,
    open: Vec<Container>,
    held: Option<Held>,
    /// A dictionary whose keys are to be sorted, as received so far.
    kept: Option<Collector>,
}

#[derive(Debug)]
struct Container {
    items: Items,
    /// The closing text if the container is empty, and the closing text if it is not.
    closers: (&'static str, &'static str),
    /// Whether a closing parenthesis follows, as in `Array[int]([])`.
    is_wrapped: bool,
}

impl<W: Write> Consumer for TextPrinter<W> {
    type Error = fmt::Error;

    fn leaf(&mut self, leaf: Leaf<'_>) -> fmt::Result {
        if let Some(kept) = &mut self.kept {
            return kept.leaf(leaf).map_err(|_| fmt::Error);
        }
        if self.held.as_mut().is_some_and(|held| held.takes(&leaf)) {
            return Ok(());
        }
        self.begin_value()?;
        self.write_leaf(leaf)
    }

    fn enter(&mut self, head: Head<'_>) -> fmt::Result {
        if self.options.sorted_keys && matches!(head, Head::Dictionary(_)) {
            let rule = KeyRule::of(self.options.style.of().dialect);
            self.kept.get_or_insert_with(|| Collector::with_rule(rule));
        }
        if let Some(kept) = &mut self.kept {
            return kept.enter(head).map_err(|_| fmt::Error);
        }
        self.begin_value()?;
        match head {
            Head::Array(head) => self.enter_array(&head),
            Head::Dictionary(head) => self.enter_dictionary(&head),
            Head::Object { class, .. }
                if class == BY_ID.as_bytes() && !self.options.is_engine() =>
            {
                self.held = Some(Held::default());
                Ok(())
            }
            Head::Object { class, .. } => self.enter_object(class, false),
        }
    }

    fn name(&mut self, name: &[u8]) -> fmt::Result {
        if let Some(kept) = &mut self.kept {
            return kept.name(name).map_err(|_| fmt::Error);
        }
        if self.held.as_mut().is_some_and(|held| held.takes_name(name)) {
            return Ok(());
        }
        self.release(false)?;
        self.out.write_char(',')?;
        self.write_quoted(name, Place::Lines)?;
        self.out.write_char(':')
    }

    fn exit(&mut self) -> fmt::Result {
        if let Some(kept) = self.kept.take() {
            return self.exit_kept(kept);
        }
        self.release(self.held.is_some_and(Held::passes_for_id))?;
        let Some(container) = self.open.pop() else { return Ok(()) };
        let (of_empty, closer) = container.closers;
        self.out.write_str(if container.items.begun() == 0 { of_empty } else { closer })?;
        self.out.write_str(if container.is_wrapped { ")" } else { "" })
    }
}

impl<W: Write> TextPrinter<W> {
    /// Creates a printer to `out`.
    pub const fn new(out: W, options: TextOptions) -> Self {
        Self { out, options, open: Vec::new(), held: None, kept: None }
    }

    /// Returns the output.
    pub fn into_inner(self) -> W {
        self.out
    }

    /// Ends a container in the kept dictionary, or the kept dictionary itself. In the second case, prints the
    /// dictionary.
    fn exit_kept(&mut self, mut kept: Collector) -> fmt::Result {
        if let Some(dictionary) = kept.innermost_dictionary() {
            dictionary.reorder(|pairs| sorted(pairs, self.options.style.of()));
        }
        kept.exit().map_err(|_| fmt::Error)?;
        if kept.is_empty() {
            self.kept = Some(kept);
            return Ok(());
        }
        let dictionary = kept.finish().unwrap_or_default();
        self.options.sorted_keys = false;
        let outcome = dictionary.feed(self);
        self.options.sorted_keys = true;
        outcome.map_err(|_| fmt::Error)
    }

    /// Writes the separator before a value.
    fn begin_value(&mut self) -> fmt::Result {
        self.release(false)?;
        let Some(container) = self.open.last_mut() else { return Ok(()) };
        let is_first = container.items.begun() == 0;
        self.out.write_str(match (container.items.begin(), is_first) {
            (Role::Key, true) => "\n",
            (Role::Key, false) => ",\n",
            (Role::Value, _) => ": ",
            (Role::Element, false) => ", ",
            _ => "",
        })
    }

    fn enter_array(&mut self, head: &ArrayHead<'_>) -> fmt::Result {
        let style = self.options.style.of();
        if head.kind == Kind::Array {
            let is_wrapped = self.open_type("Array[", &[head.element_type])?;
            let (opener, closer) = style.brackets;
            return self.open(opener, Form::Elements, (closer, closer), is_wrapped);
        }
        let (opener, closer) = style.parentheses;
        write!(self.out, "{}{opener}", head.kind)?;
        // Pandemonium prints no type for objects without a class.
        if head.element_type != ElementType::Class(&[]) {
            self.write_type(head.element_type)?;
        }
        self.open(" , ", Form::Elements, (closer, closer), false)
    }

    fn enter_dictionary(&mut self, head: &DictionaryHead<'_>) -> fmt::Result {
        let is_wrapped = self.open_type("Dictionary[", &[head.key_type, head.value_type])?;
        let closers = (self.options.style.of().empty_closer, "\n}");
        self.open("{", Form::Pairs, closers, is_wrapped)
    }

    fn enter_object(&mut self, class: &[u8], in_quotes: bool) -> fmt::Result {
        self.out.write_str("Object(")?;
        self.write_class(class, in_quotes)?;
        // Engines also print the line break.
        self.open("", Form::Properties, (")\n", ")\n"), false)
    }

    fn open(
        &mut self,
        opener: &str,
        form: Form,
        closers: (&'static str, &'static str),
        is_wrapped: bool,
    ) -> fmt::Result {
        self.open.push(Container { items: Items::of(form), closers, is_wrapped });
        self.out.write_str(opener)
    }

    /// Writes declared types and their brackets; returns whether any type is declared.
    fn open_type(
        &mut self,
        opener: &str,
        types: &[ElementType<&[u8]>],
    ) -> Result<bool, fmt::Error> {
        if types.iter().all(ElementType::is_any) {
            return Ok(false);
        }
        self.out.write_str(opener)?;
        for (i, declared) in types.iter().enumerate() {
            self.out.write_str(if i > 0 { ", " } else { "" })?;
            self.write_type(*declared)?;
        }
        self.out.write_str("](")?;
        Ok(true)
    }

    fn release(&mut self, in_quotes: bool) -> fmt::Result {
        let Some(held) = self.held.take() else { return Ok(()) };
        self.enter_object(BY_ID.as_bytes(), in_quotes)?;
        held.print(self)
    }
}
