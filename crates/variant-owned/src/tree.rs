//! [`Walk`]: a value and everything in it, from front to back, without recursion.

use crate::text::Text;
use crate::variant::Variant;

/// One step of a [`Walk`].
#[derive(Clone, Copy)]
pub(crate) enum Visit<'v> {
    /// A value without children.
    Leaf(&'v Variant, Place<'v>),
    /// A container, or an object in full; its contents follow, then its [`Visit::Exit`].
    Enter(&'v Variant, Place<'v>),
    /// The end of the container that was entered last.
    Exit,
}

/// What a value is to the container around it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place<'v> {
    Root,
    Element(usize),
    Key(usize),
    Value(usize),
    Property(usize, &'v Text),
}

pub(crate) struct Walk<'v> {
    root: Option<&'v Variant>,
    open: Vec<Children<'v>>,
}

/// What is left of a container.
enum Children<'v> {
    Elements(std::iter::Enumerate<std::slice::Iter<'v, Variant>>),
    Pairs(
        std::iter::Enumerate<std::slice::Iter<'v, (Variant, Variant)>>,
        Option<(usize, &'v Variant)>,
    ),
    Properties(std::iter::Enumerate<std::slice::Iter<'v, (Text, Variant)>>),
}

impl<'v> Walk<'v> {
    pub(crate) const fn new(root: &'v Variant) -> Self {
        Self { root: Some(root), open: Vec::new() }
    }

    /// The number of containers around the next value.
    pub(crate) const fn depth(&self) -> usize {
        self.open.len()
    }

    #[inline(always)]
    fn visit(&mut self, value: &'v Variant, place: Place<'v>) -> Visit<'v> {
        let children = match value {
            Variant::Array(array)
            | Variant::TypedArray(array)
            | Variant::PackedTypedArray(array) => {
                Children::Elements(array.as_slice().iter().enumerate())
            }
            Variant::Dictionary(dictionary) => {
                Children::Pairs(dictionary.as_slice().iter().enumerate(), None)
            }
            Variant::Object(object) => match object.properties() {
                Some(properties) => Children::Properties(properties.as_slice().iter().enumerate()),
                None => return Visit::Leaf(value, place),
            },
            _ => return Visit::Leaf(value, place),
        };
        self.open.push(children);
        Visit::Enter(value, place)
    }
}

impl<'v> Iterator for Walk<'v> {
    type Item = Visit<'v>;

    #[inline(always)]
    fn next(&mut self) -> Option<Visit<'v>> {
        let Some(top) = self.open.last_mut() else {
            let root = self.root.take()?;
            return Some(self.visit(root, Place::Root));
        };
        let next = match top {
            Children::Elements(all) => all.next().map(|(i, value)| (value, Place::Element(i))),
            Children::Pairs(all, pending) => match pending.take() {
                Some((i, value)) => Some((value, Place::Value(i))),
                None => all.next().map(|(i, (key, value))| {
                    *pending = Some((i, value));
                    (key, Place::Key(i))
                }),
            },
            Children::Properties(all) => {
                all.next().map(|(i, (name, value))| (value, Place::Property(i, name)))
            }
        };
        if let Some((value, place)) = next {
            Some(self.visit(value, place))
        } else {
            self.open.pop();
            Some(Visit::Exit)
        }
    }
}
