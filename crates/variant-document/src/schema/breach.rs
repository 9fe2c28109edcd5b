//! [`Breach`]: a value that breaks a schema.

use std::collections::HashSet;
use std::fmt;

use jsonschema::ValidationError;
use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use serde_json::Value;
use variant_view::{Kind as Godot, VariantView};

use super::kind::KEYWORD;
use super::place::Spot;
use super::sheet::Sheet;
use crate::count::counted;
use crate::literal;

/// The maximum length of a text of the schema in a message, in characters.
const SHOWN: usize = 160;

/// A value that breaks a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// The path of the value, or of the key that is missing.
    pub path: String,
    /// The offset in the document of the value, or of the dictionary that lacks a key.
    pub offset: usize,
    /// The keyword of the schema, such as `required`.
    pub keyword: String,
    /// The place of the keyword in the schema: a JSON pointer.
    pub schema_path: String,
    /// What was found, and what the schema expects.
    pub message: String,
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}

/// The values of a document that break a schema.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Breaches {
    /// The first of these values, ordered by offset.
    pub list: Vec<Breach>,
    /// The number of all values that break the schema.
    pub count: usize,
    /// Whether the check ended early, because the errors took too much memory.
    pub is_cut: bool,
}

impl Breaches {
    /// The result for a document with more levels than the check allows: this is its only breach.
    pub(super) fn too_deep(depth: u32, most: u32) -> Self {
        let message = format!("found {depth} levels; at most {most} are checked");
        let (path, keyword) = (crate::query::ROOT.to_owned(), "depth".to_owned());
        let breach = Breach { path, offset: 0, keyword, schema_path: "#".to_owned(), message };
        Self { list: vec![breach], count: 1, is_cut: false }
    }

    pub(super) fn of(errors: &[ValidationError<'_>], sheet: &Sheet<'_>, limit: usize) -> Self {
        let mut found = Found { sheet, limit, all: Self::default() };
        found.add_all(errors);
        found.all.is_cut = sheet.is_full();
        found.all.list.sort_by_key(|breach| breach.offset);
        found.all
    }
}

struct Found<'s, 'd> {
    sheet: &'s Sheet<'d>,
    limit: usize,
    all: Breaches,
}

impl Found<'_, '_> {
    fn add_all(&mut self, errors: &[ValidationError<'_>]) {
        // If a value breaks both `type` and `x-godot-type` of one schema, only the latter is reported, since its
        // message says more.
        let kinds: HashSet<_> = errors.iter().filter(|error| is_kind(error)).map(site).collect();
        for error in errors {
            if !(matches!(error.kind(), Kind::Type { .. }) && kinds.contains(&site(error))) {
                self.add(error);
            }
        }
    }

    /// Adds the breaches of an error. The recursion is bounded by the depth of the document and the schema.
    fn add(&mut self, error: &ValidationError<'_>) {
        match error.kind() {
            Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
                match nearest(error, context) {
                    Some(errors) => self.add_all(errors),
                    None => self.note(error, |spot| (spot.path(), alternatives(spot, context))),
                }
            }
            Kind::Required { property: Value::String(key) } => self.note(error, |spot| {
                (spot.path_of(key), "the key is missing; the schema requires it".to_owned())
            }),
            Kind::AdditionalProperties { unexpected }
            | Kind::UnevaluatedProperties { unexpected } => {
                for key in unexpected {
                    self.note(error, |spot| {
                        (spot.path_of(key), "the schema has no such key".to_owned())
                    });
                }
            }
            Kind::UnevaluatedItems { unexpected } => {
                for _ in unexpected {
                    let message = "the schema has no such element";
                    self.note(error, |spot| (spot.path(), message.to_owned()));
                }
            }
            _ => self.note(error, |spot| {
                (spot.path(), format!("{}{}", part(error, spot), message(error, spot)))
            }),
        }
    }

    /// Counts a breach, and lists it if there is room.
    fn note(&mut self, error: &ValidationError<'_>, of: impl Fn(&Spot<'_>) -> (String, String)) {
        self.all.count = self.all.count.saturating_add(1);
        if self.all.list.len() >= self.limit {
            return;
        }
        let spot = Spot::of(self.sheet.root, number(error));
        let (path, message) = of(&spot);
        self.all.list.push(Breach {
            path,
            offset: spot.value.offset(),
            keyword: keyword(error).to_owned(),
            schema_path: format!("#{}", error.schema_path()),
            message,
        });
    }
}

/// The number that the value has on the tape. The error has this number instead of the value (see `Node::to_value`).
fn number(error: &ValidationError<'_>) -> u32 {
    error.instance().as_u64().and_then(|number| number.try_into().ok()).unwrap_or(0)
}

fn keyword<'e>(error: &'e ValidationError<'_>) -> &'e str {
    error.kind().keyword()
}

fn is_kind(error: &ValidationError<'_>) -> bool {
    matches!(error.kind(), Kind::Custom { keyword, .. } if keyword == KEYWORD)
}

/// The place of the value that an error is about, and the place of the schema with the broken keyword.
fn site<'e>(error: &'e ValidationError<'_>) -> (&'e str, &'e str) {
    let at = error.schema_path().as_str();
    (error.instance_path().as_str(), at.rsplit_once('/').map_or(at, |(schema, _)| schema))
}

/// If the value has the type of only one alternative, the errors of this alternative. The errors of the others only say
/// that the type is wrong.
fn nearest<'c>(
    error: &ValidationError<'_>,
    context: &'c [Vec<ValidationError<'static>>],
) -> Option<&'c [ValidationError<'static>]> {
    let is_of_type = |inner: &ValidationError<'_>| {
        let is_own = inner.instance_path() == error.instance_path();
        !(is_own && (is_kind(inner) || matches!(inner.kind(), Kind::Type { .. })))
    };
    let mut near = context.iter().filter(|errors| errors.iter().all(is_of_type));
    let first = near.next()?;
    near.next().is_none().then_some(first)
}

/// The message for a value that agrees with no alternative: the types of the alternatives.
fn alternatives(spot: &Spot<'_>, context: &[Vec<ValidationError<'static>>]) -> String {
    let mut expected: Vec<String> = Vec::new();
    for errors in context {
        let kind = errors.iter().find(|error| is_kind(error));
        let text = kind.or(errors.first()).map(expected_by).unwrap_or_default();
        if !expected.contains(&text) {
            expected.push(text);
        }
    }
    format!("{}; expected {}", found(spot), shortened(&expected.join(", or ")))
}

/// If the error is about a part of a value without children (such as a vector), the path of the part inside the value,
/// and a colon: `size.x: `. Otherwise empty.
fn part(error: &ValidationError<'_>, spot: &Spot<'_>) -> String {
    let steps = error.instance_path().as_str().split('/').skip(1).skip(spot.depth());
    let steps: Vec<_> = steps.collect();
    if steps.is_empty() { String::new() } else { format!("{}: ", shortened(&steps.join("."))) }
}

/// A short description of the value.
fn found(spot: &Spot<'_>) -> String {
    let view = spot.value.view();
    let mut text = "found ".to_owned();
    if is_scalar(&view) {
        text.push_str(view.kind().name());
        text.push(' ');
    }
    literal::write(&mut text, &view);
    text
}

fn is_scalar(view: &VariantView<'_>) -> bool {
    matches!(
        view.kind(),
        Godot::Bool
            | Godot::Int
            | Godot::Float
            | Godot::String
            | Godot::StringName
            | Godot::NodePath
    )
}

fn message(error: &ValidationError<'_>, spot: &Spot<'_>) -> String {
    match error.kind() {
        Kind::FalseSchema => format!("{}; the schema allows no value here", found(spot)),
        Kind::UniqueItems => "two elements are equal; the schema expects different ones".to_owned(),
        _ => format!("{}; expected {}", found(spot), expected_by(error)),
    }
}

/// What the keyword of an error expects.
fn expected_by(error: &ValidationError<'_>) -> String {
    let text = match error.kind() {
        Kind::Custom { message, .. } => message.clone(),
        Kind::Type { kind: TypeKind::Single(one) } => one.to_string(),
        Kind::Type { kind: TypeKind::Multiple(types) } => {
            let types: Vec<_> = types.iter().map(|one| one.to_string()).collect();
            types.join(" or ")
        }
        Kind::Constant { expected_value } => expected_value.to_string(),
        Kind::Enum { options } => format!("one of {options}"),
        Kind::Minimum { limit } => format!("at least {limit}"),
        Kind::Maximum { limit } => format!("at most {limit}"),
        Kind::ExclusiveMinimum { limit } => format!("more than {limit}"),
        Kind::ExclusiveMaximum { limit } => format!("less than {limit}"),
        Kind::MultipleOf { multiple_of } => format!("a multiple of {multiple_of}"),
        Kind::MinLength { limit } => format!("at least {}", counted(*limit, "character")),
        Kind::MaxLength { limit } => format!("at most {}", counted(*limit, "character")),
        Kind::MinItems { limit } => format!("at least {}", counted(*limit, "element")),
        Kind::MaxItems { limit } => format!("at most {}", counted(*limit, "element")),
        Kind::MinProperties { limit } => format!("at least {}", counted(*limit, "key")),
        Kind::MaxProperties { limit } => format!("at most {}", counted(*limit, "key")),
        Kind::Pattern { pattern } => format!("text that matches {pattern}"),
        Kind::Contains => "another number of elements that agree with \"contains\"".to_owned(),
        Kind::Not { .. } => "a value that \"not\" does not describe".to_owned(),
        Kind::OneOfMultipleValid { .. } => {
            "a value that only one of \"oneOf\" describes".to_owned()
        }
        Kind::PropertyNames { error } => format!("other keys: {}", error.masked_with("a key")),
        Kind::AnyOf { .. } | Kind::OneOfNotValid { .. } => "one of several alternatives".to_owned(),
        Kind::Required { property } => format!("the key {property}"),
        _ => format!("what {:?} describes", keyword(error)),
    };
    shortened(&text)
}

/// The start of a text of the schema, with a bounded length.
pub(super) fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}...", text.get(..end).unwrap_or_default()),
    }
}
