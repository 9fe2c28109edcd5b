//! [`Place`]: a path of a shape, and the kinds of its values.

use std::collections::{BTreeSet, HashMap};

use variant_view::{Dialect, Kind, PathStep};

use super::types::{Declared, Facts, Type};
use crate::query::{KeyedStep, ROOT};

/// A path of a shape, and the kinds of its values, without ranges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The path, with `[*]` for all elements.
    pub path: String,
    /// The kinds, in the order of their names.
    pub kinds: Vec<PlaceKind>,
    /// Whether some of the containers at the parent path have no value here.
    pub is_optional: bool,
    /// Whether a limit has left out some values.
    pub is_open: bool,
    /// The number of values.
    pub values: u64,
}

/// A kind of the values at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceKind {
    /// The kind.
    pub kind: Kind,
    /// The declared types of a container.
    pub declared: Declared,
    /// The different texts, if there are few: [`Facts::texts`].
    pub texts: Option<BTreeSet<String>>,
    /// The number of values of this kind.
    pub values: u64,
}

impl Type {
    /// All paths in a type, each once. The path of a container comes before the paths in it. O(places).
    ///
    /// ```
    /// use variant_document::shape::Shapes;
    /// use variant_view::{Dialect, Document};
    ///
    /// let mut shapes = Shapes::new();
    /// // [5]
    /// let array = b"\x1c\0\0\0\x01\0\0\0\x02\0\0\0\x05\0\0\0";
    /// shapes.add(Document::new(array, Dialect::Godot4))?;
    /// let places = shapes.into_type().places();
    /// assert_eq!((places[1].path.as_str(), places[1].to_kinds()), ("[*]", "int".to_owned()));
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    pub fn places(&self) -> Vec<Place> {
        let mut found = Found::default();
        found.add(self, &mut String::new(), false);
        found.places
    }
}

impl Place {
    /// The kinds in words: `int | float, optional`.
    pub fn to_kinds(&self) -> String {
        let optional = if self.is_optional { ", optional" } else { "" };
        format!("{}{optional}", self.names().join(" | "))
    }

    /// The names of the kinds, sorted.
    pub fn names(&self) -> Vec<&'static str> {
        self.kinds.iter().map(|of| of.kind.name()).collect()
    }

    /// Adds the values of the same path in another kind of container.
    fn merge(&mut self, other: Self) {
        self.is_optional |= other.is_optional;
        self.is_open |= other.is_open;
        self.values = self.values.saturating_add(other.values);
        for kind in other.kinds {
            match self.kinds.iter_mut().find(|own| own.kind == kind.kind) {
                Some(own) => own.merge(kind),
                None => self.kinds.push(kind),
            }
        }
        self.kinds.sort_unstable_by_key(|of| of.kind.name());
    }
}

impl PlaceKind {
    fn of(facts: &Facts) -> Self {
        let Facts { kind, declared, texts, values, .. } = facts;
        let is_text = matches!(kind, Kind::String | Kind::StringName);
        let texts = texts.clone().filter(|_| is_text);
        Self { kind: *kind, declared: *declared, texts, values: *values }
    }

    fn merge(&mut self, other: Self) {
        self.values = self.values.saturating_add(other.values);
        if self.declared != other.declared {
            self.declared = Declared::default();
        }
        self.texts = self.texts.take().zip(other.texts).map(|(texts, others)| &texts | &others);
    }
}

/// The places found so far, and the index of each path among them.
#[derive(Default)]
struct Found {
    places: Vec<Place>,
    positions: HashMap<String, usize>,
}

impl Found {
    /// Adds a type and the types inside it. The recursion is bounded, because types have a bounded depth.
    fn add(&mut self, of: &Type, path: &mut String, is_optional: bool) {
        self.note(of, path, is_optional);
        let len = path.len();
        for facts in &of.kinds {
            for (name, field) in &facts.fields {
                KeyedStep::from(PathStep::Name(name)).push_to(path, Dialect::Godot4);
                self.add(field, path, facts.is_optional(field));
                path.truncate(len);
            }
            if let Some(items) = &facts.items {
                path.push_str("[*]");
                self.add(items, path, false);
                path.truncate(len);
            }
        }
    }

    fn note(&mut self, of: &Type, path: &str, is_optional: bool) {
        let mut kinds: Vec<_> = of.kinds.iter().map(PlaceKind::of).collect();
        kinds.sort_unstable_by_key(|of| of.kind.name());
        let path = if path.is_empty() { ROOT } else { path }.to_owned();
        let place = Place { path, kinds, is_optional, is_open: of.is_open, values: of.values };
        let known = self.positions.get(&place.path).and_then(|at| self.places.get_mut(*at));
        if let Some(known) = known {
            known.merge(place);
            return;
        }
        self.positions.insert(place.path.clone(), self.places.len());
        self.places.push(place);
    }
}
