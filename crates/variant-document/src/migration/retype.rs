//! [`Retype`]: converts values to another kind.

mod lists;
mod numbers;
mod texts;

use std::collections::BTreeMap;
use std::mem;

use variant_owned::{Array, Dictionary, ElementType, KeyRule, Variant};
use variant_view::{Dialect, Kind};

use super::error::Fault;
use crate::edit::{literal, to_kind};
pub(super) use numbers::{float, whole};

/// A conversion of values to another kind.
#[derive(Clone, Debug)]
pub(super) struct Retype {
    pub(super) to: Target,
    pub(super) rule: Rule,
    /// The key whose values become the keys of the new dictionary, if an array of dictionaries becomes a dictionary.
    pub(super) by: Option<String>,
    /// The new value of each old value, as literals.
    pub(super) values: Option<BTreeMap<String, String>>,
}

/// The new kind and, for a typed array, the declared kind of its elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) kind: Kind,
    pub(super) elements: Option<Kind>,
}

/// The rule of a conversion: what it may lose, or which parts of a dictionary it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    Exact,
    Round,
    Floor,
    Ceil,
    Truncate,
    Text,
    Parse,
    Values,
    Keys,
    Pairs,
}

impl Rule {
    pub(super) const ALL: [(&'static str, Self); 10] = [
        ("exact", Self::Exact),
        ("round", Self::Round),
        ("floor", Self::Floor),
        ("ceil", Self::Ceil),
        ("truncate", Self::Truncate),
        ("text", Self::Text),
        ("parse", Self::Parse),
        ("values", Self::Values),
        ("keys", Self::Keys),
        ("pairs", Self::Pairs),
    ];
}

impl Target {
    /// The kind that a name such as `int` or `Array[int]` means.
    pub(super) fn parse(name: &str) -> Option<Self> {
        let kind_of = |name: &str| Kind::ALL.iter().copied().find(|kind| kind.name() == name);
        let elements = name.strip_prefix("Array[").and_then(|name| name.strip_suffix(']'));
        match elements {
            Some(elements) => {
                let elements = Some(kind_of(elements)?);
                Some(Self { kind: Kind::Array, elements })
            }
            None => Some(Self { kind: kind_of(name)?, elements: None }),
        }
    }

    /// Whether a value has this kind already.
    fn is_of(self, value: &Variant) -> bool {
        let declared = match value {
            Variant::Array(array) => match array.element_type() {
                ElementType::Any => None,
                ElementType::Builtin(kind) => Some(*kind),
                _ => return false,
            },
            _ => None,
        };
        value.kind() == self.kind && declared == self.elements
    }
}

impl Retype {
    pub(super) fn apply(&self, value: &mut Variant, dialect: Dialect) -> Result<(), Fault> {
        if let Some(values) = &self.values {
            *value = self.looked_up(value, values, dialect)?;
        } else if !self.to.is_of(value) {
            *value = self.converted(mem::take(value), dialect)?;
        }
        Ok(())
    }

    /// The new value that the step lists for this value.
    fn looked_up(
        &self,
        value: &Variant,
        values: &BTreeMap<String, String>,
        dialect: Dialect,
    ) -> Result<Variant, String> {
        let text = texts::plain(value).ok_or_else(|| format!("{} has no text", value.kind()))?;
        let Some(new) = values.get(&text) else {
            let known: Vec<_> = values.keys().map(String::as_str).collect();
            return Err(format!("{value} is none of the listed values: {}", known.join(", ")));
        };
        let new = to_kind(literal(new, dialect)?, self.to.kind);
        let (kind, wanted) = (new.kind(), self.to.kind);
        if kind == wanted {
            Ok(new)
        } else {
            Err(format!("the listed value is {kind}, not {wanted}"))
        }
    }

    fn converted(&self, value: Variant, dialect: Dialect) -> Result<Variant, String> {
        match (value, self.to.kind) {
            (Variant::Array(array), _) => self.of_array(array, dialect),
            (Variant::Dictionary(pairs), Kind::Array) => self.listed(pairs, dialect),
            (value, Kind::Array) => match lists::items(&value)? {
                Some(items) => self.declared(items.into_iter().collect(), dialect),
                None => Err(refusal(value.kind(), Kind::Array)),
            },
            (value, Kind::Int) => numbers::to_int(&value, self.rule),
            (value, Kind::Float) => numbers::to_float(&value, self.rule),
            (value, Kind::Bool) => numbers::to_bool(&value, self.rule),
            (value, wanted @ (Kind::String | Kind::StringName)) => {
                let text = texts::to_text(&value, self.rule, dialect)?;
                Ok(to_kind(text.into(), wanted))
            }
            (value, Kind::Color) => texts::to_color(&value, dialect),
            (value, wanted) => {
                let kind = value.kind();
                let value = to_kind(value, wanted);
                if value.kind() == wanted { Ok(value) } else { Err(refusal(kind, wanted)) }
            }
        }
    }

    fn of_array(&self, array: Array, dialect: Dialect) -> Result<Variant, String> {
        let wanted = self.to.kind;
        let (elements, numbers) = (wanted.element(), lists::number_of(wanted));
        match (wanted, elements, numbers) {
            (Kind::Array, ..) => self.declared(array, dialect),
            (Kind::Dictionary, ..) => self.keyed(array, KeyRule::of(dialect)),
            (_, Some(of), _) => {
                self.exactly(&self.elements(array, of, dialect)?, wanted, lists::packed)
            }
            (_, _, Some(of)) => {
                self.exactly(&self.elements(array, of, dialect)?, wanted, lists::composed)
            }
            _ => Err(refusal(Kind::Array, wanted)),
        }
    }

    /// The elements, converted to the kind `of` by the rule of this step.
    fn elements(&self, array: Array, of: Kind, dialect: Dialect) -> Result<Vec<Variant>, String> {
        let to = Target { kind: of, elements: None };
        let inner = Self { to, rule: self.rule, by: None, values: None };
        let convert = |(at, element)| {
            if to.is_of(&element) {
                return Ok(element);
            }
            inner.converted(element, dialect).map_err(|why| format!("element {at}: {why}"))
        };
        array.into_iter().enumerate().map(convert).collect()
    }

    /// The array with the declared kind of elements that the target requires, and its elements converted to this kind.
    fn declared(&self, array: Array, dialect: Dialect) -> Result<Variant, String> {
        let Some(kind) = self.to.elements else {
            return Ok(Variant::Array(array.into_iter().collect()));
        };
        let mut typed = Array::with_type(ElementType::Builtin(kind));
        typed.extend(self.elements(array, kind, dialect)?);
        Ok(typed.into())
    }

    /// A packed array, vector or colour that `make` builds from the items. Refused if it does not hold the items
    /// exactly, unless the rule is to round.
    fn exactly(
        &self,
        items: &[Variant],
        wanted: Kind,
        make: fn(&[Variant], Kind) -> Result<Variant, String>,
    ) -> Result<Variant, String> {
        let value = make(items, wanted)?;
        let is_exact = lists::items(&value)?.is_some_and(|held| held == items);
        if is_exact || self.rule == Rule::Round {
            return Ok(value);
        }
        Err(format!("{wanted} does not hold the numbers exactly; rule = \"round\" rounds them"))
    }

    /// A dictionary of the elements. The key of an element is the value that the element has at the key `by`.
    fn keyed(&self, array: Array, rule: KeyRule) -> Result<Variant, String> {
        let by = self.by.as_deref().ok_or("an Array becomes a Dictionary by a key: by = \"id\"")?;
        let mut pairs = Dictionary::with_rule(rule);
        for (at, element) in array.into_iter().enumerate() {
            let key = element.get(by).ok_or_else(|| format!("element {at} has no key {by:?}"))?;
            let key = key.clone();
            if pairs.insert(key.clone(), element).is_some() {
                return Err(format!("two elements have the {by} {key}"));
            }
        }
        Ok(pairs.into())
    }

    /// An array of the values, of the keys, or of pairs, as the rule says.
    fn listed(&self, pairs: Dictionary, dialect: Dialect) -> Result<Variant, String> {
        let items: Array = match self.rule {
            Rule::Values => pairs.into_iter().map(|(_, value)| value).collect(),
            Rule::Keys => pairs.into_iter().map(|(key, _)| key).collect(),
            Rule::Pairs => {
                pairs.into_iter().map(|(key, value)| Array::from_iter([key, value])).collect()
            }
            _ => {
                let how = "rule = \"values\", \"keys\" or \"pairs\"";
                return Err(format!("a Dictionary becomes an Array by a rule: {how}"));
            }
        };
        self.declared(items, dialect)
    }
}

/// The message for a value that has no conversion.
fn refusal(kind: Kind, wanted: Kind) -> String {
    format!("{kind} cannot become {wanted}")
}
