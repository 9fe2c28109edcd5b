//! [`Shapes`]: the shape of values, collected in one walk.

use std::collections::HashMap;

use variant_view::{
    Document, ElementType, Event, Kind, Node, NumberType, Numbers, ObjectForm, Result, Role,
    StrView, VariantView, Width,
};

use super::exact;
use super::types::{DEEPEST, Declared, Facts, MOST_FIELDS, Type};
use crate::nested;
use crate::query::declared;

/// The maximum number of places that are distinguished. A file can have as many places as values.
const MOST: usize = 20_000;

/// The maximum length of the name of a field, in bytes.
const LONGEST: usize = 100;

/// Collects the shape of values at the same place, such as the values of all frames of a file.
///
/// Memory is bounded. A dictionary has at most 128 names, of at most 100 bytes each; the values of other names become
/// [`Facts::items`]. At most 20,000 places and 48 levels are distinguished. [`Type::is_open`] is set where further
/// places or levels are left out.
#[derive(Debug)]
pub struct Shapes<'a> {
    /// The first shape is that of the root.
    shapes: Vec<Shape>,
    /// The index of the shape of a field or of the items, by parent shape, kind and step.
    numbers: HashMap<(usize, Kind, Step<'a>), usize>,
}

/// A shape. Its items and fields are separate shapes.
#[derive(Debug, Default)]
struct Shape {
    of: Type,
    /// The number of this field among the fields of its dictionary.
    number: usize,
    items: Vec<(Kind, usize)>,
    fields: Vec<(Kind, String, usize)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Step<'a> {
    Field(&'a str),
    Items,
}

/// A container around the current value.
#[derive(Clone, Copy, Debug)]
struct Open {
    /// The index of its shape, if it has a shape.
    place: Option<usize>,
    kind: Kind,
    /// The number of the last field that was read.
    last: Option<usize>,
}

impl Default for Shapes<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'a> Shapes<'a> {
    /// A shape without values.
    pub fn new() -> Self {
        Self { shapes: vec![Shape::default()], numbers: HashMap::new() }
    }

    /// Adds a value. O(bytes) expected.
    ///
    /// # Errors
    ///
    /// The errors of the walk. Values before the error are added.
    pub fn add(&mut self, document: Document<'a>) -> Result<()> {
        let (mut open, mut key): (Vec<Open>, _) = (Vec::new(), None);
        // The depth of the current key, if this key is a container. Values inside such a key are not in the shape.
        let mut in_key = None;
        for event in document.walk() {
            match event? {
                Event::Enter(node) => {
                    if in_key.is_none() && matches!(node.role(), Role::Key(_)) {
                        in_key = Some(node.depth);
                        self.key(open.last(), &node.view);
                        key = None;
                    }
                    let place = if in_key.is_some() {
                        None
                    } else {
                        self.reach(&mut open, &node, &mut key)
                    };
                    open.push(Open { place, kind: node.view.kind(), last: None });
                }
                Event::Leaf(node) if in_key.is_none() => {
                    self.reach(&mut open, &node, &mut key);
                }
                Event::Leaf(_) => {}
                Event::Exit { depth, .. } => {
                    open.pop();
                    if in_key == Some(depth) {
                        in_key = None;
                    }
                }
            }
        }
        Ok(())
    }

    /// Adds a value to the shape of its place. Returns the place.
    fn reach(
        &mut self,
        open: &mut [Open],
        node: &Node<'a>,
        key: &mut Option<&'a str>,
    ) -> Option<usize> {
        let step = match node.role() {
            Role::Root => return self.note(Some(0), &node.view),
            Role::Key(_) => {
                *key = field(&node.view);
                match key {
                    Some(_) => self.name(open.last(), &node.view),
                    None => self.key(open.last(), &node.view),
                }
                return None;
            }
            Role::Element(_) => Step::Items,
            Role::Value(_) => key.take().map_or(Step::Items, Step::Field),
            Role::Property(_, name) => name.engine_text().map_or(Step::Items, Step::Field),
        };
        let level = open.len();
        let within = open.last_mut()?;
        let place = self.child(within.place?, within.kind, step, level);
        if let (Kind::Dictionary, Step::Field(_), Some(place)) = (within.kind, step, place) {
            self.follow(within, place);
        }
        self.note(place, &node.view)
    }

    /// Records the place of a field among the fields of its dictionary.
    fn follow(&mut self, within: &mut Open, place: usize) {
        let number = self.shapes.get(place).map(|shape| shape.number);
        let parent = within.place.and_then(|parent| self.shapes.get_mut(parent));
        if let (Some(parent), Some(last), Some(number)) = (parent, within.last, number) {
            parent.of.of(Kind::Dictionary).order.follow(last, number);
        }
        within.last = number;
    }

    /// The place of an item or a field. `None` if it is left out.
    fn child(&mut self, parent: usize, kind: Kind, step: Step<'a>, level: usize) -> Option<usize> {
        let step = match step {
            Step::Field(name) if name.len() > LONGEST => Step::Items,
            step => step,
        };
        if let Some(&place) = self.numbers.get(&(parent, kind, step)) {
            return Some(place);
        }
        if let Step::Field(_) = step
            && kind == Kind::Dictionary
            && self.shapes.get(parent).is_some_and(|shape| shape.fields.len() >= MOST_FIELDS)
        {
            return self.child(parent, kind, Step::Items, level);
        }
        let place = self.shapes.len();
        let shape = self.shapes.get_mut(parent)?;
        if place >= MOST || level >= DEEPEST {
            shape.of.is_open = true;
            return None;
        }
        // Only the fields of dictionaries have numbers. A dictionary has few fields, so counting them takes little
        // time.
        let of_dictionary = |(of, ..): &&(Kind, String, usize)| *of == Kind::Dictionary;
        let number = match kind {
            Kind::Dictionary => shape.fields.iter().filter(of_dictionary).count(),
            _ => 0,
        };
        match step {
            Step::Items => shape.items.push((kind, place)),
            Step::Field(name) => shape.fields.push((kind, name.to_owned(), place)),
        }
        self.shapes.push(Shape { number, ..Shape::default() });
        self.numbers.insert((parent, kind, step), place);
        Some(place)
    }

    /// Records the kind of a key that is not a name.
    fn key(&mut self, open: Option<&Open>, key: &VariantView<'a>) {
        let Some(shape) = open.and_then(|open| self.shapes.get_mut(open.place?)) else { return };
        let facts = shape.of.of(Kind::Dictionary);
        if !facts.keys.contains(&key.kind()) {
            facts.keys.push(key.kind());
        }
        // Values inside a key that is a container are not examined, so such a key counts as not plain.
        facts.is_plain &= !nested::is_open(key.kind()) && exact::is_plain(key);
    }

    /// Records the kind of a key that is a name.
    fn name(&mut self, open: Option<&Open>, key: &VariantView<'a>) {
        let Some(shape) = open.and_then(|open| self.shapes.get_mut(open.place?)) else { return };
        let facts = shape.of.of(Kind::Dictionary);
        if !facts.names.contains(&key.kind()) {
            facts.names.push(key.kind());
        }
        facts.is_plain &= exact::is_plain(key);
    }

    fn note(&mut self, place: Option<usize>, view: &VariantView<'a>) -> Option<usize> {
        let shape = self.shapes.get_mut(place?)?;
        shape.of.values = shape.of.values.saturating_add(1);
        shape.of.of(view.kind()).note(view);
        place
    }

    /// The shape of the values. O(places).
    pub fn into_type(self) -> Type {
        let mut done: Vec<Option<Type>> = Vec::new();
        done.resize_with(self.shapes.len(), || None);
        // The items and fields of a shape have greater indices than the shape, so in reverse order they are done first.
        for (place, shape) in self.shapes.into_iter().enumerate().rev() {
            let mut of = shape.of;
            let mut take = |place: usize| done.get_mut(place).and_then(Option::take);
            for (kind, items) in shape.items {
                of.of(kind).items = take(items).map(Box::new);
            }
            for (kind, name, field) in shape.fields {
                if let Some(field) = take(field) {
                    of.of(kind).fields.push((name, field));
                }
            }
            if let Some(slot) = done.get_mut(place) {
                *slot = Some(of);
            }
        }
        done.first_mut().and_then(Option::take).unwrap_or_default()
    }
}

/// The key as a name, if it is text.
fn field<'a>(key: &VariantView<'a>) -> Option<&'a str> {
    match key {
        VariantView::String(name) | VariantView::StringName(name) => name.engine_text().ok(),
        _ => None,
    }
}

impl Declared {
    fn of(container: &VariantView<'_>) -> Self {
        let VariantView::Dictionary(pairs) = container else {
            return Self { items: declared(container), keys: None };
        };
        // A dictionary that declares a class or a script for its keys or its values counts as untyped. If only the
        // class or script were left out, the shape would declare any kind for these keys or values.
        let kind = |declared: ElementType<StrView<'_>>| match declared {
            ElementType::Any => Some(None),
            ElementType::Builtin(kind) => Some(Some(kind)),
            _ => None,
        };
        match (kind(pairs.key_type()), kind(pairs.value_type())) {
            (Some(keys), Some(items)) => Self { items, keys },
            _ => Self::default(),
        }
    }
}

impl Facts {
    fn note(&mut self, view: &VariantView<'_>) {
        use VariantView as V;
        let is_first = self.values == 0;
        self.values = self.values.saturating_add(1);
        let declared = Declared::of(view);
        self.is_plain &= exact::is_plain(view);
        if is_first || self.declared != declared {
            self.is_plain &= is_first;
            self.declared = if is_first { declared } else { Declared::default() };
        }
        let len = match view {
            V::Int(int) => {
                let value = int.value();
                self.ints = Some(widened(self.ints, value));
                None
            }
            V::Float(float) if !float.value().is_nan() => {
                self.floats = Some(widened(self.floats, float.value()));
                None
            }
            V::String(text) | V::StringName(text) => {
                self.note_text(text.engine_text().ok());
                Some(text.as_bytes().len())
            }
            V::Array(v) | V::TypedArray(v) | V::PackedTypedArray(v) => Some(v.len()),
            V::Dictionary(v) => Some(v.len()),
            V::Object(v) => {
                let class = match v.form() {
                    ObjectForm::Full(class) => Some(class.to_str_lossy().into_owned()),
                    _ => None,
                };
                self.class = if is_first || self.class == class { class } else { None };
                Some(v.len())
            }
            V::PackedStringArray(v) => Some(v.len()),
            _ => view.numbers().and_then(|numbers| {
                self.note_width(&numbers);
                numbers.shape().is_packed.then(|| numbers.len())
            }),
        };
        if let Some(len) = len {
            self.lens = Some(widened(self.lens, u64::try_from(len).unwrap_or(u64::MAX)));
        }
    }

    fn note_width(&mut self, numbers: &Numbers<'_>) {
        if numbers.shape().number == NumberType::Real {
            let is_wide = numbers.width() == Width::W64;
            self.has_wide |= is_wide;
            self.has_narrow |= !is_wide;
        }
    }
}

fn widened<T: PartialOrd + Copy>(range: Option<(T, T)>, value: T) -> (T, T) {
    range.map_or((value, value), |(low, high)| {
        (if value < low { value } else { low }, if value > high { value } else { high })
    })
}
