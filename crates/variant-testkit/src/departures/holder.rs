//! The value that an engine holds after reading. Its objects are of the engine's classes, and its typed containers have
//! only fitting elements (docs/spec/format.md#object and docs/spec/format.md#typed-containers).

use std::collections::BTreeSet;

use variant_owned::{
    Array, Dictionary, ElementType, Float, KeyRule, Object, Properties, Text, Variant,
};
use variant_view::{Dialect, Document, Event, Kind, ObjectForm, StrView, VariantView};

use super::classes::{Properties as Defaults, STAND_IN};
use super::{Asked, Classes, Departure};
use crate::engine::{Admission, admission};

/// Computes the value that the engine holds, in one pass.
pub(super) struct Holder<'c> {
    asked: Asked<'c>,
    pub(super) departures: BTreeSet<Departure>,
    /// The reason why the engine refuses the value.
    pub(super) refusal: Option<String>,
    /// Whether the value has a part for which the engine's result is unknown.
    pub(super) is_unsure: bool,
}

impl<'c> Holder<'c> {
    pub(super) const fn new(asked: Asked<'c>, departures: BTreeSet<Departure>) -> Self {
        Self { asked, departures, refusal: None, is_unsure: false }
    }

    /// Finds all classes and scripts in a document, including those in values that the engine drops later. The engine
    /// also reads the value of a repeated key.
    pub(super) fn look_up(&mut self, document: &Document<'_>) {
        let owned = |declared: variant_view::ElementType<StrView<'_>>| declared.map(Text::from);
        for event in document.walk().map_while(Result::ok) {
            let (Event::Enter(node) | Event::Leaf(node)) = event else { continue };
            match node.view {
                VariantView::Array(array)
                | VariantView::TypedArray(array)
                | VariantView::PackedTypedArray(array) => {
                    self.declared(&owned(array.element_type()));
                }
                VariantView::Dictionary(dictionary) => {
                    self.declared(&owned(dictionary.key_type()));
                    self.declared(&owned(dictionary.value_type()));
                }
                VariantView::Object(object) => {
                    if let ObjectForm::Full(class) = object.form() {
                        self.defaults(&bare(&Text::from(class)));
                    }
                }
                _ => {}
            }
        }
    }

    /// The default properties of a class. `None` if the class cannot be created.
    fn defaults(&mut self, class: &Text) -> Option<&'c Defaults> {
        if class.is_empty() {
            return None;
        }
        let defaults = self.asked.classes.defaults(class);
        if defaults.is_none() {
            self.departures.insert(Departure::ClassRegistry);
            self.refusal = Some(format!("no class {}", class.to_str_lossy()));
        }
        defaults
    }

    /// The value that the engine holds.
    pub(super) fn hold(&mut self, value: &Variant) -> Variant {
        match value {
            Variant::Array(array) => Variant::Array(self.array(array, false)),
            Variant::TypedArray(array) => Variant::TypedArray(self.array(array, false)),
            Variant::PackedTypedArray(array) => Variant::PackedTypedArray(self.array(array, true)),
            Variant::Dictionary(dictionary) => self.dictionary(dictionary).into(),
            Variant::Object(object) => self.object(object).into(),
            leaf => leaf.clone(),
        }
    }

    fn array(&mut self, array: &Array, is_packed: bool) -> Array {
        let read = self.declared(array.element_type());
        let mut held = Array::with_type(self.written_type(&read));
        if held.element_type() != array.element_type() {
            self.departures.insert(Departure::DeclaredType);
        }
        for element in array {
            let element = self.hold(element);
            if let Some(element) = self.admit(&read, element) {
                held.push(if is_packed { self.packed(&read, element) } else { element });
            }
        }
        held
    }

    fn dictionary(&mut self, dictionary: &Dictionary) -> Dictionary {
        let mut held = Dictionary::with_rule(KeyRule::of(self.asked.dialect));
        let keys = self.declared(dictionary.key_type());
        let values = self.declared(dictionary.value_type());
        let (keys, values) = self.with_one_script(keys, values);
        held.set_types(self.written_type(&keys), self.written_type(&values));
        let types = |of: &Dictionary| (of.key_type().clone(), of.value_type().clone());
        if types(&held) != types(dictionary) {
            self.departures.insert(Departure::DeclaredType);
        }
        for (key, value) in dictionary {
            let (key, value) = (self.hold(key), self.hold(value));
            if let Some(key) = self.admit(&keys, key) {
                held.insert(key, value);
            }
        }
        held
    }

    /// A declared type as the engine holds it.
    fn declared(&mut self, declared: &ElementType) -> ElementType {
        let is_godot4 = self.asked.dialect == Dialect::Godot4;
        let object = || ElementType::Builtin(Kind::Object);
        match declared {
            ElementType::Builtin(Kind::Nil) if is_godot4 => ElementType::Any,
            ElementType::Builtin(Kind::Object) if is_godot4 && self.asked.objects => object(),
            ElementType::Builtin(Kind::Object) => ElementType::Class(STAND_IN.into()),
            ElementType::Class(_) | ElementType::Script(_) if is_godot4 && !self.asked.objects => {
                ElementType::Class(STAND_IN.into())
            }
            ElementType::Class(class) => match bare(class) {
                class if class.is_empty() && is_godot4 => object(),
                class => ElementType::Class(class),
            },
            ElementType::Script(path) => {
                let path = bare(path);
                if !self.asked.classes.scripts().contains(&path) {
                    self.departures.insert(Departure::ScriptRegistry);
                    self.refusal = Some(format!("no script {}", path.to_str_lossy()));
                }
                ElementType::Script(path)
            }
            other => other.clone(),
        }
    }

    /// The types that Godot 4.4 declares for a dictionary. If the type of the keys is a script, Godot declares that
    /// script for the values also.
    fn with_one_script(
        &mut self,
        keys: ElementType,
        values: ElementType,
    ) -> (ElementType, ElementType) {
        let (keys, values) = match (keys, values) {
            (keys @ ElementType::Script(_), ElementType::Class(_) | ElementType::Script(_)) => {
                (keys.clone(), keys)
            }
            // The type of the values has no class. Godot does not add the keys' script to a type without a class, and
            // then declares neither the type of the keys nor the type of the values.
            (ElementType::Script(_), _) => (ElementType::Any, ElementType::Any),
            // The type of the keys has no script, so the type of the values loses its script. It keeps the class that
            // the script extends.
            (keys, ElementType::Script(_)) => (keys, ElementType::Class("Resource".into())),
            types => return types,
        };
        self.departures.insert(Departure::ValueScript);
        (keys, values)
    }

    /// The declared type as the engine's writer writes it.
    fn written_type(&self, held: &ElementType) -> ElementType {
        match held {
            // Here the engine writes no class name, and sets flag 16, which means that the name is absent.
            ElementType::Class(_)
                if self.asked.dialect == Dialect::Pandemonium5 && !self.asked.objects =>
            {
                ElementType::Builtin(Kind::Object)
            }
            other => other.clone(),
        }
    }

    fn admit(&mut self, declared: &ElementType, element: Variant) -> Option<Variant> {
        let wanted = match declared {
            ElementType::Any => return Some(element),
            ElementType::Builtin(kind) => Some(*kind),
            ElementType::Class(_) | ElementType::Script(_) => Some(Kind::Object),
            ElementType::Unknown(_) => None,
        };
        let admission = wanted.map(|kind| admission(self.asked.dialect, kind, element.kind()));
        let admitted = match admission {
            Some(Admission::Kept) if self.fits(declared, &element) => return Some(element),
            Some(Admission::Converted) => Some(converted(element)),
            _ => None,
        };
        self.departures.insert(Departure::Element);
        admitted
    }

    /// Whether an element is an object of the declared class, or of a class that derives from it.
    fn fits(&self, declared: &ElementType, element: &Variant) -> bool {
        let class = match element.as_object() {
            None | Some(Object::Null) => return true,
            Some(Object::Id(_)) => Text::from(STAND_IN),
            Some(Object::Full { class, .. }) => class.clone(),
        };
        match declared {
            ElementType::Class(base) => self.asked.classes.derives(base, &class),
            ElementType::Script(_) => false,
            _ => true,
        }
    }

    /// The element as a `PackedTypedArray` keeps it.
    fn packed(&mut self, declared: &ElementType, element: Variant) -> Variant {
        let packed = match (declared, &element) {
            (ElementType::Builtin(Kind::Nil), _) => Variant::Bool(false),
            (_, Variant::Float(float)) => Float::new(f64::from(float.value() as f32)).into(),
            _ => return element,
        };
        if packed != element {
            self.departures.insert(Departure::Element);
        }
        packed
    }

    fn object(&mut self, object: &Object) -> Object {
        match object {
            Object::Null | Object::Id(0) => Object::Null,
            Object::Id(id) if self.asked.objects => {
                self.departures.insert(Departure::StandIn);
                let mut stand_in = Properties::new();
                stand_in.push("object_id", id.cast_signed());
                self.full(&STAND_IN.into(), &stand_in)
            }
            Object::Id(id) => Object::Id(*id),
            Object::Full { class, properties } => self.full(&bare(class), properties),
        }
    }

    fn full(&mut self, class: &Text, given: &Properties) -> Object {
        let Some(defaults) = self.defaults(class) else { return Object::Null };
        let mut held = defaults.clone();
        for (name, value) in given.as_slice() {
            let (name, value) = (bare(name), self.hold(value));
            let place = held.iter_mut().find(|(own, _)| *own == name);
            self.is_unsure |= match place {
                Some((_, place)) if place.kind() == value.kind() => {
                    *place = value;
                    !Classes::is_plain(class)
                }
                // The class may have a property of this name that can be set but is not written.
                None => !is_written(&name),
                Some(_) => true,
            };
        }
        if self.is_unsure {
            self.departures.insert(Departure::OtherProperty);
        }
        if held != given.as_slice() {
            self.departures.insert(Departure::Properties);
        }
        let mut properties = Properties::new();
        for (name, value) in held {
            properties.push(name, value);
        }
        Object::Full { class: class.clone(), properties }
    }
}

/// Whether it is certain that no class has a property of this name that can be set but is not written. The inputs use
/// names of only `z` for properties that no class has.
fn is_written(name: &Text) -> bool {
    name.as_bytes().iter().all(|byte| *byte == b'z')
}

/// The text as an engine reads it: without a byte order mark, and only up to a NUL.
fn bare(text: &Text) -> Text {
    let bytes = text.as_bytes();
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    Text::from_bytes(bytes.split(|byte| *byte == 0).next().unwrap_or_default())
}

/// Godot 4's conversion of an element whose type differs from the declared type.
fn converted(element: Variant) -> Variant {
    match element {
        Variant::String(text) => Variant::StringName(text),
        Variant::StringName(text) => Variant::String(text),
        Variant::Int(int) => Float::new(f64::from(int.value() as f32)).into(),
        other => other,
    }
}
