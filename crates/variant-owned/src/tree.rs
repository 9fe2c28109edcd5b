//! [`Walk`]: visits a value and everything in it, from front to back, without recursion.

use std::slice::Iter;

use crate::text::Text;
use crate::variant::Variant;

/// One step of a [`Walk`].
#[derive(Clone, Copy)]
pub(crate) enum Visit<'v> {
    /// A value without children.
    Leaf(&'v Variant, Place<'v>),
    /// A container or full object begins; its contents follow, then its [`Visit::Exit`].
    Enter(&'v Variant, Place<'v>),
    /// The container that was entered last ends.
    Exit,
}

/// The role of a value in its container.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place<'v> {
    Root,
    Element,
    Key(usize),
    Value(usize),
    Property(&'v Text),
}

pub(crate) struct Walk<'v> {
    root: Option<&'v Variant>,
    /// Open containers, each with the number of items visited; keys and values both count.
    open: Vec<(Children<'v>, usize)>,
}

/// The remaining items of a container.
pub(crate) enum Children<'v> {
    Elements(Iter<'v, Variant>),
    /// Pairs, and the value of the pair whose key has been visited.
    Pairs(Iter<'v, (Variant, Variant)>, Option<&'v Variant>),
    Properties(Iter<'v, (Text, Variant)>),
}

impl<'v> Children<'v> {
    /// The children of a value; `None` for a leaf.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(crate) fn of(value: &'v Variant) -> Option<Self> {
        Some(match value {
            Variant::Dictionary(dictionary) => Self::Pairs(dictionary.as_slice().iter(), None),
            Variant::Array(array)
            | Variant::TypedArray(array)
            | Variant::PackedTypedArray(array) => Self::Elements(array.as_slice().iter()),
            Variant::Object(object) => Self::Properties(object.properties()?.as_slice().iter()),
            _ => return None,
        })
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn next(&mut self, index: usize) -> Option<(&'v Variant, Place<'v>)> {
        match self {
            Self::Elements(all) => all.next().map(|value| (value, Place::Element)),
            Self::Pairs(all, pending) => match pending.take() {
                Some(value) => Some((value, Place::Value(index / 2))),
                None => all.next().map(|(key, value)| {
                    *pending = Some(value);
                    (key, Place::Key(index / 2))
                }),
            },
            Self::Properties(all) => all.next().map(|(name, value)| (value, Place::Property(name))),
        }
    }
}

impl<'v> Walk<'v> {
    pub(crate) const fn new(root: &'v Variant) -> Self {
        Self { root: Some(root), open: Vec::new() }
    }
}

impl<'v> Iterator for Walk<'v> {
    type Item = Visit<'v>;

    #[cfg_attr(not(variant_small), inline(always))]
    fn next(&mut self) -> Option<Visit<'v>> {
        let next = match self.open.last_mut() {
            Some((top, visited)) => {
                let index = *visited;
                *visited = index.saturating_add(1);
                top.next(index)
            }
            None => Some((self.root.take()?, Place::Root)),
        };
        let Some((value, place)) = next else {
            self.open.pop();
            return Some(Visit::Exit);
        };
        Some(match Children::of(value) {
            Some(children) => {
                self.open.push((children, 0));
                Visit::Enter(value, place)
            }
            None => Visit::Leaf(value, place),
        })
    }
}
