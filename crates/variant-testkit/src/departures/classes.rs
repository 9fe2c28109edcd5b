//! The classes and scripts that an engine has, as the engine itself reports them.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use variant_owned::{Array, ElementType, Object, Text, Variant, encode};
use variant_view::{Dialect, Document};

use super::Asked;
use crate::conformance::options;
use crate::live::{Answer, Ask, Input, LiveEngine};

/// The class of the stand-in for an object that was read by id.
pub(super) const STAND_IN: &str = "EncodedObjectAsID";

/// The names of classes. An engine is asked which of them it has. Engines lack the last class.
const NAMES: [&str; 8] = [
    "Object",
    "Reference",
    "RefCounted",
    "Resource",
    "Image",
    STAND_IN,
    "CanvasItem",
    "NoSuchClass",
];

/// Classes whose properties accept any value of their type.
const PLAIN: [&str; 4] = ["Reference", "RefCounted", "Resource", STAND_IN];

/// Properties with their defaults, in the order in which they are written.
pub(super) type Properties = Vec<(Text, Variant)>;

/// The classes and scripts that an engine has.
#[derive(Clone, Debug, Default)]
pub struct Classes {
    /// The default properties of each class, by its name. Empty if the engine is not allowed to create objects.
    defaults: BTreeMap<Text, Properties>,
    /// The pairs of a base and a class that derives from it, or of a class and itself.
    derived: BTreeSet<(Text, Text)>,
    scripts: Vec<Text>,
}

impl Classes {
    /// Asks an engine for its classes and scripts.
    pub fn of(engine: &LiveEngine) -> io::Result<Self> {
        let dialect = engine.dialect();
        let mut classes = Self::default();
        let bare = |name: &&str| object_input(dialect, &Object::new(*name).into());
        let answers = engine.ask(&NAMES.iter().map(bare).collect::<Vec<_>>())?;
        for (name, answer) in NAMES.iter().zip(&answers) {
            if let Some(written) = answer.written() {
                classes.defaults.insert((*name).into(), properties(dialect, written)?);
            }
        }
        classes.ask_for_bases(engine)?;
        if dialect == Dialect::Godot4 {
            classes.ask_for_scripts(engine)?;
        }
        Ok(classes)
    }

    /// Finds base classes. An array of a class accepts objects of the classes that derive from it.
    fn ask_for_bases(&mut self, engine: &LiveEngine) -> io::Result<()> {
        let dialect = engine.dialect();
        if !dialect.has_typed_containers() && dialect != Dialect::Pandemonium5 {
            return Ok(());
        }
        let pairs: Vec<_> = NAMES
            .iter()
            .flat_map(|base| self.defaults.keys().map(|class| (Text::from(*base), class.clone())))
            .collect();
        let input = |(base, class): &(Text, Text)| {
            let mut array = Array::with_type(ElementType::Class(base.clone()));
            array.push(Object::new(class.clone()));
            object_input(dialect, &typed(dialect, array))
        };
        let answers = engine.ask(&pairs.iter().map(input).collect::<Vec<_>>())?;
        for (pair, answer) in pairs.into_iter().zip(&answers) {
            let written = answer.written().ok_or_else(unlike)?;
            let document = Document::new(written, options(dialect, true));
            if document.at("[0]").is_ok() {
                self.derived.insert(pair);
            }
        }
        Ok(())
    }

    fn ask_for_scripts(&mut self, engine: &LiveEngine) -> io::Result<()> {
        let answers = engine.ask(&[Input { ask: Ask::ScriptPaths, ..Input::default() }])?;
        let [Answer::Accepted { written, .. }] = answers.as_slice() else { return Err(unlike()) };
        let document = Document::new(written, options(engine.dialect(), false));
        let paths = Variant::from_document(&document).map_err(io::Error::other)?;
        let paths = paths.as_array().ok_or_else(unlike)?;
        self.scripts = paths.iter().filter_map(|path| path.as_text().cloned()).collect();
        Ok(())
    }

    /// The names of the classes that an engine is asked for.
    pub const fn names() -> &'static [&'static str] {
        &NAMES
    }

    /// The paths of the engine's scripts.
    pub fn scripts(&self) -> &[Text] {
        &self.scripts
    }

    pub(super) fn defaults(&self, class: &Text) -> Option<&Properties> {
        self.defaults.get(class)
    }

    pub(super) fn derives(&self, base: &Text, class: &Text) -> bool {
        self.derived.contains(&(base.clone(), class.clone()))
    }

    /// Whether the properties of a class accept any value of their type.
    pub(super) fn is_plain(class: &Text) -> bool {
        PLAIN.iter().any(|name| name.as_bytes() == class.as_bytes())
    }
}

/// An array with a declared type, in the dialect's form.
pub(super) const fn typed(dialect: Dialect, array: Array) -> Variant {
    match dialect {
        Dialect::Pandemonium5 => Variant::TypedArray(array),
        _ => Variant::Array(array),
    }
}

fn object_input(dialect: Dialect, value: &Variant) -> Input {
    let bytes = encode(value, dialect).expect("the dialect has objects");
    Input { bytes, objects: true, ask: Ask::Value }
}

fn properties(dialect: Dialect, written: &[u8]) -> io::Result<Properties> {
    let document = Document::new(written, options(dialect, true));
    let value = Variant::from_document(&document).map_err(io::Error::other)?;
    let properties = value.as_object().and_then(Object::properties).ok_or_else(unlike)?;
    Ok(properties.as_slice().to_vec())
}

fn unlike() -> io::Error {
    io::Error::other("the engine writes objects in another form")
}

impl Asked<'_> {
    /// Whether an input may be sent with objects allowed. The engine's result must be known for each object of the
    /// input, even if the input ends in an error.
    pub fn may_create(dialect: Dialect, bytes: &[u8]) -> bool {
        use variant_view::{Event, ObjectForm, VariantView};
        let document = Document::new(bytes, options(dialect, true));
        document.walk().map_while(Result::ok).all(|event| {
            let (Event::Enter(node) | Event::Leaf(node)) = event else { return true };
            let VariantView::Object(object) = node.view else { return true };
            let ObjectForm::Full(class) = object.form() else { return true };
            NAMES.iter().any(|name| name.as_bytes() == class.as_bytes())
        })
    }
}
