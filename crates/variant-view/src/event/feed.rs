//! Documents and views as producers.

use super::{
    ArrayHead, Consumer, DictionaryHead, FeedError, Head, Input, Leaf, NodePathLeaf, Numbers,
    Producer, Texts,
};
use crate::dialect::Dialect;
use crate::error::{Error, ErrorKind, Result};
use crate::key::KeyRule;
use crate::view::{
    ArrayView, DictionaryView, NodePathView, ObjectForm, ObjectView, Raw, VariantView,
};
use crate::walk::{Node, Role, Visitor, Walker};

impl Producer for &VariantView<'_> {
    type Error = Error;

    #[inline]
    fn feed<C: Consumer>(self, consumer: &mut C) -> Result<(), FeedError<Error, C::Error>> {
        (*self).feed(consumer)
    }

    fn input(&self) -> Input {
        (**self).input()
    }
}

impl Producer for VariantView<'_> {
    type Error = Error;

    /// One pass through the value: O(bytes), no allocation. The only limit that applies is the depth, counted from this
    /// value.
    #[inline]
    fn feed<C: Consumer>(self, consumer: &mut C) -> Result<(), FeedError<Error, C::Error>> {
        let (mut walker, dialect) = match &self {
            Self::Array(v) | Self::TypedArray(v) | Self::PackedTypedArray(v) => {
                (v.walk(), v.dialect())
            }
            Self::Dictionary(v) => (v.walk(), v.dialect()),
            Self::Object(v) => (v.walk(), v.dialect()),
            other => {
                if C::WANTS_ORIGINS {
                    consumer.origin(other.offset(), other.raw().bytes);
                }
                return leaf(other, consumer).map_err(FeedError::Consumer);
            }
        };
        feed(&mut walker, self.raw(), dialect, consumer)
    }

    /// The dialect is known if the view is of a container, a text or a path. Other views do not contain it. For a
    /// container, the greatest possible number of values is computed from all bytes up to the end of the document.
    fn input(&self) -> Input {
        let dialect = match self {
            Self::Array(v) | Self::TypedArray(v) | Self::PackedTypedArray(v) => Some(v.dialect()),
            Self::Dictionary(v) => Some(v.dialect()),
            Self::Object(v) => Some(v.dialect()),
            Self::String(v) | Self::StringName(v) => Some(v.dialect()),
            Self::NodePath(v) => Some(v.dialect()),
            _ => None,
        };
        Input { dialect, reals: None, max_values: Some(max_values(self.raw().bytes.len())) }
    }
}

/// The greatest number of values in `bytes` bytes: each has a header of 4 bytes.
pub(crate) const fn max_values(bytes: usize) -> usize {
    bytes / 4
}

/// Feeds a consumer the values that `walker` has not read yet. `input` has the bytes that the walker reads.
#[inline]
pub(crate) fn feed<'a, C: Consumer>(
    walker: &mut Walker<'a>,
    input: Raw<'a>,
    dialect: Dialect,
    consumer: &mut C,
) -> Result<(), FeedError<Error, C::Error>> {
    let mut feeding = Feeding { consumer, input, rule: KeyRule::of(dialect), refused: None };
    match (walker.visit(&mut feeding), feeding.refused) {
        (Ok(()), _) => Ok(()),
        (Err(_), Some(refused)) => Err(FeedError::Consumer(refused)),
        (Err(error), None) => Err(FeedError::Producer(error)),
    }
}

/// Forwards the values of a walk to a consumer.
struct Feeding<'c, 'a, C: Consumer> {
    consumer: &'c mut C,
    input: Raw<'a>,
    rule: KeyRule,
    /// The error with which the consumer ended the walk.
    refused: Option<C::Error>,
}

impl<'a, C: Consumer> Visitor<'a> for Feeding<'_, 'a, C> {
    #[cfg_attr(not(variant_small), inline(always))]
    fn leaf(&mut self, node: Node<'a>) -> Result<()> {
        let outcome = self.lead(&node).and_then(|()| leaf(&node.view, self.consumer));
        self.keep(outcome)
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn enter(&mut self, node: Node<'a>) -> Result<()> {
        let outcome = self.lead(&node).and_then(|()| match node.view.head(self.rule) {
            Some(head) => self.consumer.enter(head),
            None => Ok(()),
        });
        self.keep(outcome)
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn exit(&mut self, end: usize) -> Result<()> {
        if C::WANTS_ORIGINS {
            self.consumer.origin(end, &[]);
        }
        let outcome = self.consumer.exit();
        self.keep(outcome)
    }
}

impl<'a, C: Consumer> Feeding<'_, 'a, C> {
    /// Forwards the events before a value: its origin, and the name of a property.
    #[cfg_attr(not(variant_small), inline(always))]
    fn lead(&mut self, node: &Node<'a>) -> Result<(), C::Error> {
        if let Role::Property(_, name) = node.role() {
            if C::WANTS_ORIGINS {
                let offset = name.offset().saturating_sub(4);
                let bytes = self.input.between(offset, node.view.offset());
                self.consumer.origin(offset, bytes);
            }
            self.consumer.name(name.as_bytes())?;
        }
        if C::WANTS_ORIGINS {
            self.consumer.origin(node.view.offset(), node.view.head_bytes());
        }
        Ok(())
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn keep(&mut self, outcome: Result<(), C::Error>) -> Result<()> {
        outcome.map_err(|refused| {
            self.refused = Some(refused);
            // The returned error only ends the walk; the consumer's error is in `refused`.
            Error::new(ErrorKind::OutsideDocument, 0)
        })
    }
}

#[cfg_attr(not(variant_small), inline(always))]
fn array<'a>(array: &ArrayView<'a>, view: &VariantView<'a>) -> ArrayHead<'a> {
    ArrayHead {
        kind: view.kind(),
        element_type: array.element_type().map(|name| name.as_bytes()),
        is_shared: array.is_shared(),
        len: Some(array.len()),
    }
}

#[cfg_attr(not(variant_small), inline(always))]
fn dictionary<'a>(dictionary: &DictionaryView<'a>, rule: KeyRule) -> DictionaryHead<'a> {
    DictionaryHead {
        key_type: dictionary.key_type().map(|name| name.as_bytes()),
        value_type: dictionary.value_type().map(|name| name.as_bytes()),
        is_shared: dictionary.is_shared(),
        rule: Some(rule),
        len: Some(dictionary.len()),
    }
}

/// The head of a full object; `None` for null and for an object by id.
fn object<'a>(object: &ObjectView<'a>, rule: KeyRule) -> Option<Head<'a>> {
    let class = object.class()?.as_bytes();
    Some(Head::Object { class, rule: Some(rule), len: Some(object.len()) })
}

/// Feeds a leaf. If callers inline this function with a constant kind, only one arm of the `match` remains.
#[cfg_attr(not(variant_small), inline(always))]
pub(crate) fn leaf<C: Consumer>(view: &VariantView<'_>, consumer: &mut C) -> Result<(), C::Error> {
    consumer.leaf(match view {
        VariantView::Nil(_) => Leaf::Nil,
        VariantView::Bool(v) => Leaf::Bool(v.value()),
        VariantView::Int(v) => Leaf::Int { value: v.value(), width: v.width() },
        VariantView::Float(v) => Leaf::Float { bits: v.bits(), width: v.width() },
        VariantView::String(v) => Leaf::String(v.as_bytes()),
        VariantView::StringName(v) => Leaf::StringName(v.as_bytes()),
        VariantView::Rid(v) => Leaf::Rid(v.value()),
        VariantView::Callable(_) => Leaf::Callable,
        VariantView::PackedStringArray(v) => Leaf::Strings(Texts::of_strings(v)),
        other => match other.numbers() {
            Some(numbers) => Leaf::Numbers(numbers),
            None => return rare_leaf(other, consumer),
        },
    })
}

#[inline(never)]
fn rare_leaf<C: Consumer>(view: &VariantView<'_>, consumer: &mut C) -> Result<(), C::Error> {
    match view {
        VariantView::NodePath(v) => consumer.leaf(Leaf::NodePath(&node_path(v))),
        VariantView::Signal(v) => {
            let (name, object_id) = (v.name().as_bytes(), v.object_id());
            consumer.leaf(Leaf::Signal { name, object_id })
        }
        VariantView::Object(v) => consumer.leaf(match v.form() {
            ObjectForm::Id(id) => Leaf::ObjectId(id),
            ObjectForm::Null | ObjectForm::Full(_) => Leaf::NullObject,
        }),
        VariantView::Image(v) => consumer.leaf(Leaf::Image {
            format: v.format(),
            mipmaps: v.mipmaps(),
            width: v.width(),
            height: v.height(),
            data: v.data(),
        }),
        VariantView::InputEvent(v) => {
            let (event, device, payload) = (v.event(), v.device(), v.payload());
            consumer.leaf(Leaf::InputEvent { event, device, payload })
        }
        _ => consumer.leaf(Leaf::Nil),
    }
}

fn node_path<'a>(path: &NodePathView<'a>) -> NodePathLeaf<'a> {
    if let Some(plain) = path.plain() {
        return NodePathLeaf::Plain(plain.as_bytes());
    }
    let subnames = Texts::of_subnames(path);
    // Only Godot 2 reads the last subname as a property if the flag is set; other dialects read it as a subname. If the
    // sum of the counts wraps, the path may have the flag, but no subname.
    let has_property =
        path.has_property() && path.dialect() == Dialect::Godot2 && !subnames.is_empty();
    NodePathLeaf::Names {
        names: Texts::of_names(path),
        subnames,
        is_absolute: path.is_absolute(),
        has_property,
    }
}

impl<'a> VariantView<'a> {
    /// The head of a container, with `rule` as the rule for its keys; `None` for a leaf. O(1).
    #[cfg_attr(not(variant_small), inline(always))]
    pub fn head(&self, rule: KeyRule) -> Option<Head<'a>> {
        Some(match self {
            Self::Array(v) | Self::TypedArray(v) | Self::PackedTypedArray(v) => {
                Head::Array(array(v, self))
            }
            Self::Dictionary(v) => Head::Dictionary(dictionary(v, rule)),
            Self::Object(v) => object(v, rule)?,
            _ => return None,
        })
    }

    /// The numbers of a mathematical value or of a packed array of numbers; `None` for other kinds. O(1).
    ///
    /// ```
    /// use variant_view::{Dialect, Document, Number};
    ///
    /// let bytes = [5, 0, 0, 0, 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40]; // Vector2(1, 2)
    /// let numbers = Document::new(&bytes, Dialect::Godot3).root()?.numbers().unwrap();
    /// assert!(numbers.iter().eq([Number::from(1.0_f32), Number::from(2.0_f32)]));
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    #[inline]
    pub fn numbers(&self) -> Option<Numbers<'a>> {
        Numbers::of_view(self)
    }

    /// The bytes of a leaf, or those before the first child of a container.
    pub fn head_bytes(&self) -> &'a [u8] {
        match self {
            Self::Array(v) | Self::TypedArray(v) | Self::PackedTypedArray(v) => v.head_bytes(),
            Self::Dictionary(v) => v.head_bytes(),
            Self::Object(v) => v.head_bytes(),
            leaf => leaf.raw().bytes,
        }
    }
}
