//! [`convert`]: values of one dialect for another, and what is lost on the way.

mod leaf;
mod report;

pub use report::{Change, ConvertError, Loss, Report};

use variant_view::{Dialect, Kind};

use crate::array::{Array, ElementType};
use crate::build::{Builder, Open};
use crate::dictionary::Dictionary;
use crate::key::KeyRule;
use crate::object::Object;
use crate::path::Path;
use crate::text::Text;
use crate::tree::{Place, Visit, Walk};
use crate::variant::Variant;

/// What to convert to, and whether losses are borne.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ConvertOptions {
    /// The dialect to convert to.
    pub to: Dialect,
    /// Whether a loss is an error.
    pub is_strict: bool,
}

impl ConvertOptions {
    /// To `dialect`, with losses reported.
    pub const fn new(to: Dialect) -> Self {
        Self { to, is_strict: false }
    }

    /// The same with losses as errors, if `is_strict`.
    #[must_use]
    pub const fn strict(mut self, is_strict: bool) -> Self {
        self.is_strict = is_strict;
        self
    }
}

/// A value that `options.to` can hold, as near to `value` as it gets, and a report of what is not the same.
///
/// Kinds that the target has are kept; the others become the nearest kind by the rules of docs/dialects.md.
/// A change of kind that can be taken back without a loss is in the report, too, with [`Loss::Kind`].
/// O(values), without recursion.
///
/// ```
/// use variant_owned::{ConvertOptions, Variant, array, convert};
/// use variant_view::{Dialect, Kind};
///
/// let value = array![1, (2, 3)].into(); // an int and a Vector2i
/// let (converted, report) = convert(&value, &ConvertOptions::new(Dialect::Godot3))?;
/// assert_eq!(converted[1].kind(), Kind::Vector2);
/// assert_eq!(report.changes()[0].to_string(), "[1]: Vector2i became Vector2");
/// # Ok::<(), variant_owned::ConvertError>(())
/// ```
///
/// # Errors
/// With `is_strict`, the first change.
pub fn convert(
    value: &Variant,
    options: &ConvertOptions,
) -> Result<(Variant, Report), ConvertError> {
    let mut conversion = Conversion {
        target: options.to,
        is_strict: options.is_strict,
        builder: Builder::default(),
        path: Path::default(),
        report: Report::default(),
    };
    let mut sizes = Vec::new();
    for visit in Walk::new(value) {
        match visit {
            Visit::Leaf(value, place) => {
                conversion.enter(place, value)?;
                conversion.leaf(value)?;
                conversion.path.leave();
            }
            Visit::Enter(value, place) => {
                conversion.enter(place, value)?;
                sizes.push(value.as_dictionary().map(Dictionary::len));
                conversion.container(value)?;
            }
            Visit::Exit => conversion.exit(sizes.pop().flatten())?,
        }
    }
    let converted = conversion.builder.finish().unwrap_or_default();
    Ok((converted, conversion.report))
}

struct Conversion {
    target: Dialect,
    is_strict: bool,
    builder: Builder,
    path: Path,
    report: Report,
}

impl Conversion {
    fn enter(&mut self, place: Place<'_>, value: &Variant) -> Result<(), ConvertError> {
        self.path.enter(place, value);
        if let Place::Property(_, name) = place {
            let name = self.text(name, Kind::Object)?;
            self.builder.name(name);
        }
        Ok(())
    }

    fn changed(&mut self, from: Kind, to: Kind, loss: Loss) -> Result<(), ConvertError> {
        let change = Change::new(self.path.as_str(), from, to, loss);
        if self.is_strict {
            return Err(ConvertError::new(change, self.target));
        }
        self.report.add(change);
        Ok(())
    }

    fn has(&self, kind: Kind) -> bool {
        self.target.id(kind).is_some()
    }

    fn leaf(&mut self, value: &Variant) -> Result<(), ConvertError> {
        let converted = self.convert_leaf(value)?;
        self.builder.value(converted);
        Ok(())
    }

    /// Text that the target's reader takes.
    fn text(&mut self, text: &Text, kind: Kind) -> Result<Text, ConvertError> {
        if self.target.text_rule().check(text.as_bytes()).is_ok() {
            return Ok(text.clone());
        }
        self.changed(kind, kind, Loss::Text)?;
        Ok(Text::from(&*text.to_str_lossy()))
    }

    fn container(&mut self, value: &Variant) -> Result<(), ConvertError> {
        let shell = match value {
            Variant::Dictionary(dictionary) => self.dictionary(dictionary)?,
            Variant::Object(object) => self.object(object)?,
            _ => self.array(value)?,
        };
        self.builder.enter(shell);
        Ok(())
    }

    fn array(&mut self, value: &Variant) -> Result<Open, ConvertError> {
        let from = value.kind();
        let declared = value.as_array().map_or(&ElementType::Any, Array::element_type).clone();
        let kept = self.element_type(&declared);
        let make: fn(Array) -> Variant = match from {
            Kind::TypedArray if self.has(from) => Variant::TypedArray,
            Kind::PackedTypedArray if self.has(from) => Variant::PackedTypedArray,
            Kind::Array if kept != ElementType::Any && self.has(Kind::TypedArray) => {
                Variant::TypedArray
            }
            _ => Variant::Array,
        };
        let to = make(Array::new()).kind();
        let holds_types = to != Kind::Array || self.target.has_typed_containers();
        let kept = if holds_types { kept } else { ElementType::Any };
        if kept != declared && declared != ElementType::Builtin(Kind::Nil) {
            self.changed(from, to, Loss::ElementType)?;
        } else if from != to {
            self.changed(from, to, Loss::Kind)?;
        }
        Ok(Open::Array(Array::with_type(kept), make))
    }

    /// The declared type as the target has it.
    fn element_type(&self, declared: &ElementType) -> ElementType {
        match declared {
            ElementType::Builtin(kind) if self.has(*kind) => declared.clone(),
            ElementType::Class(_) => declared.clone(),
            ElementType::Script(_) if self.target.has_typed_containers() => declared.clone(),
            _ => ElementType::Any,
        }
    }

    fn dictionary(&mut self, dictionary: &Dictionary) -> Result<Open, ConvertError> {
        let mut converted = Dictionary::with_rule(KeyRule::of(self.target));
        let (key, value) = dictionary.types();
        if (key, value) != (&ElementType::Any, &ElementType::Any) {
            if self.target.has_typed_containers() {
                converted.set_types(self.element_type(key), self.element_type(value));
            }
            if converted.types() != (key, value) {
                self.changed(Kind::Dictionary, Kind::Dictionary, Loss::ElementType)?;
            }
        }
        Ok(Open::Dictionary(converted, None))
    }

    /// Where the target writes nothing of objects, a dictionary of the properties.
    fn object(&mut self, object: &Object) -> Result<Open, ConvertError> {
        let class = match object {
            Object::Full { class, .. } => self.text(class, Kind::Object)?,
            Object::Null | Object::Id(_) => Text::new(),
        };
        if !self.target.writes_objects() {
            self.changed(Kind::Object, Kind::Array, Loss::Object)?;
            return Ok(Open::Array(Array::new(), Variant::Array));
        }
        Ok(Open::object(class))
    }

    fn exit(&mut self, size: Option<usize>) -> Result<(), ConvertError> {
        let found = self.builder.pairs();
        if found < size {
            self.changed(Kind::Dictionary, Kind::Dictionary, Loss::Keys)?;
        }
        self.builder.exit();
        self.path.leave();
        Ok(())
    }
}
