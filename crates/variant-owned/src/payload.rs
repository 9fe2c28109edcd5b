//! [`Payload`]: the operations on the contents of a [`Variant`](crate::Variant)'s arms. Each operation is written once
//! per type of contents.

use std::fmt::{self, Debug as _};
use std::slice;

use variant_view::{Kind, Leaf, NodePathLeaf, Numbers, Texts, Width, Wire, math_types};

use crate::array::Array;
use crate::dictionary::Dictionary;
use crate::leaf::{Float, Image, InputEvent, Int, NodePath, Signal};
use crate::object::{Object, Properties};
use crate::reals::{MathValue, RealVec};
use crate::text::Text;

/// The contents of an arm of [`Variant`](crate::Variant): conversion from and to leaves, cloning,
/// comparison and `Debug`. These operations do not include the children of a container.
pub(crate) trait Payload: Sized {
    /// Passes the payload to `take` as a leaf of `kind`; containers as null. O(1).
    fn with_leaf<R>(&self, kind: Kind, take: impl FnOnce(Leaf<'_>) -> R) -> R;

    /// The payload of a leaf; `None` for a leaf of another type. O(bytes).
    fn from_leaf(leaf: &Leaf<'_>) -> Option<Self>;

    /// A copy without children.
    fn shell(&self) -> Self;

    /// Whether both payloads are equal, except for children.
    fn is_same_shell(&self, other: &Self) -> bool;

    /// Writes the payload for `Debug`; nothing for containers.
    fn show(&self, kind: Kind, f: &mut fmt::Formatter<'_>) -> fmt::Result;
}

/// A payload without children uses the `Clone`, `PartialEq` and `Debug` of its type.
macro_rules! plain {
    () => {
        plain!(|held, _kind, f| held.fmt(f));
    };
    (|$held:ident, $kind:ident, $f:ident| $show:expr) => {
        #[inline]
        fn shell(&self) -> Self {
            self.clone()
        }

        #[inline]
        fn is_same_shell(&self, other: &Self) -> bool {
            self == other
        }

        fn show(&self, $kind: Kind, $f: &mut fmt::Formatter<'_>) -> fmt::Result {
            let $held = self;
            $show
        }
    };
}

/// Payloads that a leaf holds directly.
macro_rules! scalars {
    ($($type:ty: |$held:ident, $kind:ident, $take:ident| $leaf:expr, $pattern:pat => $make:expr, |$f:ident| $show:expr;)*) => {$(
        impl Payload for $type {
            #[cfg_attr(not(variant_small), inline(always))]
            fn with_leaf<R>(&self, $kind: Kind, $take: impl FnOnce(Leaf<'_>) -> R) -> R {
                let $held = self;
                $leaf
            }

            #[cfg_attr(not(variant_small), inline(always))]
            fn from_leaf(leaf: &Leaf<'_>) -> Option<Self> {
                match *leaf {
                    $pattern => Some($make),
                    _ => None,
                }
            }

            plain!(|$held, $kind, $f| $show);
        }
    )*};
}

scalars! {
    bool: |held, _kind, take| take(Leaf::Bool(*held)), Leaf::Bool(value) => value, |f| held.fmt(f);
    Int: |held, _kind, take| take(Leaf::Int { value: held.value(), width: held.width() }),
        Leaf::Int { value, width } => Self::with_width(value, width),
        |f| held.value().fmt(f);
    Float: |held, _kind, take| take(Leaf::Float { bits: held.bits(), width: held.width() }),
        Leaf::Float { bits, width } => Self::from_wire(bits, width),
        |f| held.value().fmt(f);
    Text: |held, kind, take| match kind {
            Kind::StringName => take(Leaf::StringName(held.as_bytes())),
            _ => take(Leaf::String(held.as_bytes())),
        },
        Leaf::String(text) | Leaf::StringName(text) => Self::from_bytes(text),
        |f| match kind {
            Kind::StringName => write!(f, "&{held:?}"),
            _ => held.fmt(f),
        };
    u64: |held, _kind, take| take(Leaf::Rid(*held)), Leaf::Rid(id) => id, |f| write!(f, "RID({held})");
    Box<Signal>: |held, _kind, take| {
            take(Leaf::Signal { name: held.name.as_bytes(), object_id: held.object_id })
        },
        Leaf::Signal { name, object_id } => Self::new(Signal { name: name.into(), object_id }),
        |f| held.fmt(f);
    Box<InputEvent>: |held, _kind, take| {
            let InputEvent { event, device, ref payload } = **held;
            take(Leaf::InputEvent { event, device, payload })
        },
        Leaf::InputEvent { event, device, payload } => {
            Self::new(InputEvent { event, device, payload: payload.to_vec() })
        },
        |f| held.fmt(f);
    Box<Image>: |held, _kind, take| {
            let Image { format, mipmaps, width, height, ref data } = **held;
            take(Leaf::Image { format, mipmaps, width, height, data })
        },
        Leaf::Image { format, mipmaps, width, height, data } => {
            Self::new(Image { format, mipmaps, width, height, data: data.to_vec() })
        },
        |f| held.fmt(f);
    Vec<Text>: |held, _kind, take| take(Leaf::Strings(Texts::of(&held.as_slice()))),
        Leaf::Strings(texts) => texts.iter().map(Text::from_bytes).collect(),
        |f| held.fmt(f);
    // If a path has both a plain text and names, the leaf has the names. Dialects cannot hold such a path.
    Box<NodePath>: |held, _kind, take| match &held.plain {
            Some(plain) if !held.is_mixed() => {
                take(Leaf::NodePath(&NodePathLeaf::Plain(plain.as_bytes())))
            }
            _ => take(Leaf::NodePath(&NodePathLeaf::Names {
                names: Texts::of(&held.names.as_slice()),
                subnames: Texts::of(&held.subnames.as_slice()),
                is_absolute: held.is_absolute,
                has_property: held.has_property,
            })),
        },
        Leaf::NodePath(path) => Self::new(path.into()),
        |f| held.fmt(f);
}

impl From<&NodePathLeaf<'_>> for NodePath {
    fn from(leaf: &NodePathLeaf<'_>) -> Self {
        match *leaf {
            NodePathLeaf::Names { names, subnames, is_absolute, has_property } => Self {
                names: names.iter().map(Text::from_bytes).collect(),
                subnames: subnames.iter().map(Text::from_bytes).collect(),
                is_absolute,
                has_property,
                plain: None,
            },
            NodePathLeaf::Plain(plain) => Self { plain: Some(plain.into()), ..Self::default() },
        }
    }
}

/// Payloads made of numbers.
pub(crate) trait NumericPayload: Sized {
    /// Passes the numbers to `take`; passes `None` if `kind` does not consist of numbers of this type.
    fn with_numbers<R>(&self, kind: Kind, take: impl FnOnce(Option<Numbers<'_>>) -> R) -> R;

    /// The payload of these numbers; `None` if they are of another type.
    fn from_numbers(numbers: &Numbers<'_>) -> Option<Self>;
}

macro_rules! numeric {
    ($([$($generics:tt)*] $type:ty: |$held:ident, $kind:ident, $take:ident| $of:expr, |$numbers:ident| $from_numbers:expr, |$f:ident| $show:expr;)*) => {$(
        impl<$($generics)*> NumericPayload for $type {
            #[inline]
            fn with_numbers<R>(&self, $kind: Kind, $take: impl FnOnce(Option<Numbers<'_>>) -> R) -> R {
                let $held = self;
                $of
            }

            #[inline]
            fn from_numbers($numbers: &Numbers<'_>) -> Option<Self> {
                $from_numbers
            }
        }

        impl<$($generics)*> Payload for $type {
            #[inline]
            fn with_leaf<R>(&self, kind: Kind, take: impl FnOnce(Leaf<'_>) -> R) -> R {
                self.with_numbers(kind, |numbers| take(numbers.map_or(Leaf::Nil, Leaf::Numbers)))
            }

            #[inline]
            fn from_leaf(leaf: &Leaf<'_>) -> Option<Self> {
                match leaf {
                    Leaf::Numbers(numbers) => Self::from_numbers(numbers),
                    _ => None,
                }
            }

            plain!(|$held, _kind, $f| $show);
        }
    )*};
}

numeric! {
    [T: Wire] Vec<T>: |held, kind, take| take(Numbers::of(kind, &held.as_slice())), |numbers| numbers.to_vec(), |f| held.fmt(f);
    [T: Wire] MathValue<T>: |held, kind, take| match held {
            Self::Single(value) => take(Numbers::of(kind, &slice::from_ref(value))),
            Self::Double(value) => take(Numbers::of(kind, &slice::from_ref(&**value))),
        },
        |numbers| match numbers.width() {
            Width::W32 => numbers.value().map(Self::Single),
            Width::W64 => numbers.value().map(Self::double),
        },
        |f| match held {
            Self::Single(value) => value.fmt(f),
            Self::Double(value) => value.fmt(f),
        };
    [T: Wire] Box<MathValue<T>>: |held, kind, take| (**held).with_numbers(kind, take),
        |numbers| MathValue::from_numbers(numbers).map(Self::new),
        |f| (**held).show(Kind::Nil, f);
    [T: Wire] RealVec<T>: |held, kind, take| match held {
            Self::Single(values) => take(Numbers::of(kind, &values.as_slice())),
            Self::Double(values) => take(Numbers::of(kind, &values.as_slice())),
        },
        |numbers| match numbers.width() {
            Width::W32 => numbers.to_vec().map(Self::Single),
            Width::W64 => numbers.to_vec().map(|values| Self::Double(Box::new(values))),
        },
        |f| held.fmt(f);
}

macro_rules! numeric_math {
    (
        reals { $($kind:ident: $as_real:ident $what:literal;)* }
        others { $($other:ident = $of:ident $(<$number:ident>)?: $as:ident $other_what:literal;)* }
    ) => {
        numeric! {$(
            [] variant_view::$of $(<$number>)?: |held, kind, take| take(Numbers::of(kind, &slice::from_ref(held))),
                |numbers| numbers.value(),
                |f| held.fmt(f);
        )*}
    };
}

math_types!(numeric_math);

/// Containers, which no leaf holds.
macro_rules! containers {
    ($($type:ty: |$held:ident, $other:ident| $shell:expr, $is_same:expr;)*) => {$(
        impl Payload for $type {
            fn with_leaf<R>(&self, _: Kind, take: impl FnOnce(Leaf<'_>) -> R) -> R {
                take(Leaf::Nil)
            }

            fn from_leaf(_: &Leaf<'_>) -> Option<Self> {
                None
            }

            fn shell(&self) -> Self {
                let $held = self;
                $shell
            }

            fn is_same_shell(&self, $other: &Self) -> bool {
                let $held = self;
                $is_same
            }

            fn show(&self, _: Kind, _: &mut fmt::Formatter<'_>) -> fmt::Result {
                Ok(())
            }
        }
    )*};
}

containers! {
    Array: |held, other| held.without_elements(),
        held.len() == other.len() && held.element_type() == other.element_type();
    Dictionary: |held, other| held.without_pairs(),
        held.len() == other.len() && held.types() == other.types();
}

impl Payload for Box<Object> {
    fn with_leaf<R>(&self, _: Kind, take: impl FnOnce(Leaf<'_>) -> R) -> R {
        take(match **self {
            Object::Id(id) => Leaf::ObjectId(id),
            Object::Null | Object::Full { .. } => Leaf::NullObject,
        })
    }

    fn from_leaf(leaf: &Leaf<'_>) -> Option<Self> {
        match *leaf {
            Leaf::NullObject => Some(Self::new(Object::Null)),
            Leaf::ObjectId(id) => Some(Self::new(Object::Id(id))),
            _ => None,
        }
    }

    fn shell(&self) -> Self {
        Self::new(match &**self {
            Object::Null => Object::Null,
            Object::Id(id) => Object::Id(*id),
            Object::Full { class, properties } => Object::Full {
                class: class.clone(),
                properties: Properties::with_rule(properties.rule()),
            },
        })
    }

    fn is_same_shell(&self, other: &Self) -> bool {
        match (&**self, &**other) {
            (Object::Null, Object::Null) => true,
            (Object::Id(a), Object::Id(b)) => a == b,
            (
                Object::Full { class, properties },
                Object::Full { class: other, properties: all },
            ) => class == other && properties.as_slice().len() == all.as_slice().len(),
            _ => false,
        }
    }

    fn show(&self, _: Kind, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match **self {
            Object::Id(id) => write!(f, "Object#{id}"),
            _ => f.write_str("Object(null)"),
        }
    }
}
