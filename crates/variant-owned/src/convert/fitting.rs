//! [`Unfit`]: containers whose elements or keys do not fit their declared type, found before the conversion.

use std::convert::Infallible;

use variant_view::{Consumer, Dialect, ElementType, Head, Kind, Leaf, Producer};

use crate::path::{Form, Items, Role};

/// The containers in which an element or key does not fit the declared type, as ascending numbers. Only containers that
/// declare a type are numbered.
#[derive(Default)]
pub(super) struct Unfit {
    all: Vec<u64>,
    /// The number of containers for which `fits` has returned false. `seen` is the number of containers with a declared
    /// type for which `fits` was called.
    passed: usize,
    seen: u64,
}

impl Unfit {
    /// Reads the producer's value to find these containers. Reads nothing if the target has no typed containers.
    pub(super) fn of<P: Producer>(producer: P, target: Dialect) -> Result<Self, P::Error> {
        let casts = target.has_typed_containers();
        if !casts && target.id(Kind::TypedArray).is_none() {
            return Ok(Self::default());
        }
        let mut search = Search { casts, open: Vec::new(), seen: 0, all: Vec::new() };
        let fed = producer.feed(&mut search);
        fed.map_err(|error| error.either(|error| error, |never| match never {}))?;
        search.all.sort_unstable();
        Ok(Self { all: search.all, ..Self::default() })
    }

    /// Whether all elements or keys of the next container fit its declared type.
    pub(super) fn fits(&mut self, declared: &ElementType<&[u8]>) -> bool {
        if declared.is_any() {
            return true;
        }
        let is_unfit = self.all.get(self.passed) == Some(&self.seen);
        self.passed = self.passed.saturating_add(is_unfit.into());
        self.seen = self.seen.saturating_add(1);
        !is_unfit
    }
}

struct Search {
    /// Whether the reader casts values that do not fit, if possible.
    casts: bool,
    open: Vec<Open>,
    seen: u64,
    all: Vec<u64>,
}

struct Open {
    items: Items,
    /// The declared kind, and the number of the container.
    wanted: Option<(Kind, u64)>,
    fits: bool,
}

impl Search {
    fn value(&mut self, found: Kind) {
        let Some(open) = self.open.last_mut() else { return };
        let is_value = open.items.begin() == Role::Value;
        let Some((wanted, _)) = open.wanted.filter(|_| !is_value) else { return };
        open.fits &= match (wanted, found) {
            (Kind::Object, Kind::Nil) => true,
            (Kind::Float, Kind::Int)
            | (Kind::String, Kind::StringName)
            | (Kind::StringName, Kind::String) => self.casts,
            (wanted, found) => wanted == found,
        };
    }
}

impl Consumer for Search {
    type Error = Infallible;

    fn leaf(&mut self, leaf: Leaf<'_>) -> Result<(), Infallible> {
        self.value(leaf.kind());
        Ok(())
    }

    fn enter(&mut self, head: Head<'_>) -> Result<(), Infallible> {
        self.value(head.kind());
        let declared = match head {
            Head::Array(head) => head.element_type,
            Head::Dictionary(head) => head.key_type,
            Head::Object { .. } => ElementType::Any,
        };
        let kind = match declared {
            ElementType::Builtin(kind) => Some(kind),
            ElementType::Class(_) | ElementType::Script(_) => Some(Kind::Object),
            ElementType::Any | ElementType::Unknown(_) => None,
        };
        let wanted = kind.map(|kind| (kind, self.seen));
        self.seen = self.seen.saturating_add((!declared.is_any()).into());
        self.open.push(Open { items: Items::of(Form::of(&head)), wanted, fits: true });
        Ok(())
    }

    fn name(&mut self, _: &[u8]) -> Result<(), Infallible> {
        Ok(())
    }

    fn exit(&mut self) -> Result<(), Infallible> {
        if let Some(Open { wanted: Some((_, number)), fits: false, .. }) = self.open.pop() {
            self.all.push(number);
        }
        Ok(())
    }
}
