//! Values from views, without recursion.

use std::mem;

use variant_view::{Document, Head, Node, Result, Role, StrView, VariantView, Visitor, Walker};

use crate::event::Collector;
use crate::key::KeyRule;
use crate::key_cache::KeyCache;
use crate::leaf::{Float, Int};
use crate::text::Text;
use crate::variant::Variant;

impl Variant {
    /// Builds the value of a document. O(bytes). Memory grows with the values read. A claimed count reserves at most 16
    /// items before the first item. Later it reserves at most as many items as were read. The limits of the document's
    /// options apply.
    ///
    /// If a dictionary key occurs twice, its pair has the first position and the last value, as in the engines.
    ///
    /// ```
    /// use variant_owned::Variant;
    /// use variant_view::{Dialect, Document};
    ///
    /// let bytes = [19, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0]; // [7]
    /// let value = Variant::from_document(&Document::new(&bytes, Dialect::Godot3))?;
    /// assert_eq!(value[0].as_i64(), Some(7));
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    ///
    /// # Errors
    /// The first error in the document; text is not validated.
    #[doc(alias("bytes_to_var", "bytes2var", "get_var"))]
    pub fn from_document(document: &Document<'_>) -> Result<Self> {
        let rule = KeyRule::of(document.options().dialect);
        build(&mut document.walk(), document.bytes().len(), rule)
    }

    /// Builds the value of a view, like [`Variant::from_document`]. The only limit that applies is the depth. O(bytes).
    ///
    /// ```
    /// use variant_owned::{Variant, array, dictionary, encode};
    /// use variant_view::{Dialect, Document};
    ///
    /// let bytes = encode(&dictionary! { "items" => array!["axe"], "hp" => 7 }.into(), Dialect::Godot4)?;
    /// let document = Document::new(&bytes, Dialect::Godot4);
    /// let items = Variant::from_view(&document.at("items")?)?; // a part of the document only
    /// assert_eq!(items, Variant::from(array!["axe"]));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The first error inside the view.
    pub fn from_view(view: &VariantView<'_>) -> Result<Self> {
        // A first pass finds the end of the view. The number of its bytes limits the memory that claimed counts can
        // reserve.
        let bytes = view.raw_bytes()?.len();
        match view {
            VariantView::Array(v)
            | VariantView::TypedArray(v)
            | VariantView::PackedTypedArray(v) => {
                build(&mut v.walk(), bytes, KeyRule::of(v.dialect()))
            }
            VariantView::Dictionary(v) => build(&mut v.walk(), bytes, KeyRule::of(v.dialect())),
            VariantView::Object(v) => build(&mut v.walk(), bytes, KeyRule::of(v.dialect())),
            leaf => Ok(leaf_of(leaf)),
        }
    }
}

fn build(walker: &mut Walker<'_>, bytes: usize, rule: KeyRule) -> Result<Variant> {
    let mut building = Building {
        // Each value takes at least four bytes of input.
        builder: Collector::with_budget(rule, bytes / 4),
        rule,
        key_cache: KeyCache::default(),
    };
    walker.visit(&mut building)?;
    Ok(building.builder.finish().unwrap_or_default())
}

struct Building<'a> {
    builder: Collector,
    rule: KeyRule,
    key_cache: KeyCache<'a>,
}

impl<'a> Visitor<'a> for Building<'a> {
    #[cfg_attr(not(variant_small), inline(always))]
    fn leaf(&mut self, node: Node<'a>) -> Result<()> {
        if let VariantView::String(key) | VariantView::StringName(key) = &node.view
            && let Role::Key(pair) = node.role()
        {
            let is_name = matches!(node.view, VariantView::StringName(_));
            self.text_key(is_name, *key, node.depth, pair);
        } else {
            self.leaf_value(node);
        }
        Ok(())
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn enter(&mut self, node: Node<'a>) -> Result<()> {
        self.name(node);
        match head_of(&node.view, self.rule) {
            Some(head) => self.builder.open_head(&head),
            None => self.builder.value(Variant::Nil),
        }
        if let VariantView::Dictionary(_) = node.view {
            self.key_cache.start(node.depth.saturating_add(1));
        }
        Ok(())
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn exit(&mut self, _end: usize) -> Result<()> {
        self.builder.close();
        Ok(())
    }
}

impl<'a> Building<'a> {
    #[cfg_attr(not(variant_small), inline(always))]
    fn leaf_value(&mut self, node: Node<'a>) {
        let Some(room) = self.builder.room() else {
            self.name(node);
            self.builder.value(leaf_of(&node.view));
            return;
        };
        let (VariantView::String(text) | VariantView::StringName(text)) = &node.view else {
            // The old value is nil and needs no drop, but the compiler does not know that it is nil.
            mem::forget(mem::replace(room, leaf_of(&node.view)));
            return;
        };
        *room = Variant::of_text(Text::new(), matches!(node.view, VariantView::StringName(_)));
        if let Variant::String(own) | Variant::StringName(own) = room {
            own.set(text.as_bytes());
        }
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn text_key(&mut self, is_name: bool, key: StrView<'a>, depth: u32, pair: u32) {
        if self.key_cache.is_new(depth, pair, key.raw_bytes()) {
            self.builder.new_text_key(is_name, key.as_bytes());
        } else {
            if self.builder.lacks_text_key(key.as_bytes()) {
                self.builder.new_text_key(is_name, key.as_bytes());
            } else {
                self.builder.value(Variant::of_text(Text::from_bytes(key.as_bytes()), is_name));
            }
            self.key_cache.learn(depth, pair, key.raw_bytes(), self.builder.pairs());
        }
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn name(&mut self, node: Node<'a>) {
        if self.builder.takes_names()
            && let Role::Property(_, name) = node.role()
        {
            self.builder.take_name(Text::from_bytes(name.as_bytes()));
        }
    }
}

/// The head of a container. Not inlined, so that callers with a constant kind do not get copies of the code.
#[inline(never)]
fn head_of<'a>(view: &VariantView<'a>, rule: KeyRule) -> Option<Head<'a>> {
    view.head(rule)
}

/// The value of a leaf. Callers inline this function with a constant kind, so that only the code for that kind remains.
/// Rare kinds are built from events.
#[cfg_attr(not(variant_small), inline(always))]
fn leaf_of(view: &VariantView<'_>) -> Variant {
    match view {
        VariantView::Bool(v) => Variant::Bool(v.value()),
        VariantView::Int(v) => Variant::Int(Int::with_width(v.value(), v.width())),
        VariantView::Float(v) => Variant::Float(Float::from_wire(v.bits(), v.width())),
        VariantView::String(v) => Variant::String(Text::from_bytes(v.as_bytes())),
        VariantView::StringName(v) => Variant::StringName(Text::from_bytes(v.as_bytes())),
        VariantView::Vector2(v) => Variant::Vector2(v.into()),
        VariantView::Vector3(v) => Variant::Vector3(v.into()),
        VariantView::Color(v) => Variant::Color(v.value()),
        other => rare_leaf_of(other),
    }
}

#[inline(never)]
fn rare_leaf_of(view: &VariantView<'_>) -> Variant {
    Variant::from_producer(view).unwrap_or_default()
}
