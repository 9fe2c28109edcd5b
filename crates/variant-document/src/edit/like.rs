//! [`like`]: gives a value of plain JSON the types of an older value at the same paths.

use std::collections::HashMap;
use std::vec::IntoIter;

use variant_owned::json::{self, Form};
use variant_owned::{
    Array, Collector, Dictionary, ElementType as OwnedElementType, Int, KeyRule, Variant, encode,
    from_text,
};
use variant_view::{
    Dialect, Document, ElementType, Kind, Number, Options, Producer as _, Shape, Width,
};

use super::adapt::to_kind;

/// Gives a value the types of `old` at the same paths, where they fit. These types are the kinds of numbers, of texts
/// and of keys; mathematical types; packed and typed arrays; and typed dictionaries. Values that fit no type of `old`
/// stay unchanged. The plain form cannot express some values, such as objects and numbers that are not finite. A value
/// that equals the plain form of such an old value becomes the old value.
///
/// O(bytes of both) expected; no recursion.
///
/// ```
/// use variant_document::edit::like;
/// use variant_owned::{Variant, from_text};
/// use variant_view::Dialect;
///
/// let old = from_text(r#"{5: Array[int]([1]), &"at": Vector2(1, 2), "hp": 2.5}"#)?;
/// let plain = from_text(r#"{"5": [7, 8], "at": {"x": 3, "y": 4.5}, "hp": 3}"#)?;
/// let expected = from_text(r#"{5: Array[int]([7, 8]), &"at": Vector2(3, 4.5), "hp": 3.0}"#)?;
/// assert_eq!(like(plain, &old, Dialect::Godot4), expected);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn like(value: Variant, old: &Variant, dialect: Dialect) -> Variant {
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut next = (value, Some(old));
    loop {
        let mut done = match next {
            (Variant::Array(array), Some(Variant::Array(old))) => {
                let done = Vec::with_capacity(array.len());
                let rest = array.into_iter().collect::<Vec<_>>().into_iter();
                open.push(Open::Array { old, rest, done });
                None
            }
            (Variant::Dictionary(pairs), Some(Variant::Dictionary(old))) => {
                open.push(Open::Dictionary(Pairs::new(pairs, old, dialect)));
                None
            }
            (value, Some(old)) => Some(leaf(value, old, dialect)),
            (value, None) => Some(value),
        };
        // Continues with the innermost container that has items left.
        next = loop {
            let Some(top) = open.last_mut() else { return done.unwrap_or_default() };
            if let Some(done) = done.take() {
                top.take(done);
            }
            if let Some(next) = top.next() {
                break next;
            }
            done = open.pop().map(Open::finish);
        };
    }
}

/// A container of the result.
enum Open<'o> {
    Array { old: &'o Array, rest: IntoIter<Variant>, done: Vec<Variant> },
    Dictionary(Pairs<'o>),
}

impl<'o> Open<'o> {
    fn next(&mut self) -> Option<(Variant, Option<&'o Variant>)> {
        match self {
            Self::Array { old, rest, done } => Some((rest.next()?, old.get(done.len()))),
            Self::Dictionary(pairs) => pairs.next(),
        }
    }

    fn take(&mut self, value: Variant) {
        match self {
            Self::Array { done, .. } => done.push(value),
            Self::Dictionary(pairs) => {
                let key = std::mem::take(&mut pairs.key);
                pairs.done.insert(key, value);
            }
        }
    }

    fn finish(self) -> Variant {
        match self {
            Self::Array { old, done, .. } => Variant::Array(typed(done, old)),
            Self::Dictionary(pairs) => Variant::Dictionary(pairs.finish()),
        }
    }
}

/// Gives the elements the kinds of the old array. The array keeps the old declared type if all elements fit it.
fn typed(mut items: Vec<Variant>, old: &Array) -> Array {
    for item in &mut items {
        fit(item, old.element_type());
    }
    let is_fitting = items.iter().all(|item| fits(item, old.element_type()));
    let mut array: Array = items.into_iter().collect();
    if is_fitting {
        array.set_element_type(old.element_type().clone());
    }
    array.set_shared(old.is_shared());
    array
}

fn fit(item: &mut Variant, declared: &OwnedElementType) {
    if let ElementType::Builtin(kind) = declared {
        *item = scalar(std::mem::take(item), *kind);
    }
}

fn fits(item: &Variant, declared: &OwnedElementType) -> bool {
    match declared {
        ElementType::Any => true,
        ElementType::Builtin(kind) => item.kind() == *kind,
        // A declared class or script allows null and objects.
        _ => matches!(item.kind(), Kind::Object | Kind::Nil),
    }
}

/// The pairs of a dictionary of the result.
struct Pairs<'o> {
    old: &'o Dictionary,
    /// The pairs of the old dictionary, by the plain form of their keys.
    by_text: HashMap<String, (&'o Variant, &'o Variant)>,
    /// The kind of the old keys, if all of them have the same kind.
    keys: Option<Kind>,
    rest: IntoIter<(Variant, Variant)>,
    key: Variant,
    done: Dictionary,
}

impl<'o> Pairs<'o> {
    fn new(pairs: Dictionary, old: &'o Dictionary, dialect: Dialect) -> Self {
        let mut by_text = HashMap::new();
        for (key, value) in old {
            by_text.entry(key_text(key)).or_insert((key, value));
        }
        let mut kinds = old.keys().map(Variant::kind);
        let first = kinds.next();
        Self {
            old,
            by_text,
            keys: first.filter(|first| kinds.all(|kind| kind == *first)),
            rest: pairs.into_iter().collect::<Vec<_>>().into_iter(),
            key: Variant::Nil,
            done: Dictionary::with_rule(KeyRule::of(dialect)),
        }
    }

    fn next(&mut self) -> Option<(Variant, Option<&'o Variant>)> {
        let (key, value) = self.rest.next()?;
        let known = match &key {
            Variant::String(text) => self.by_text.get(&*text.to_str_lossy()),
            _ => None,
        };
        let Some((key, old)) = known else {
            self.key = self.keys.map_or_else(|| key.clone(), |kind| as_key(key.clone(), kind));
            return Some((value, None));
        };
        self.key = (*key).clone();
        Some((value, Some(old)))
    }

    fn finish(self) -> Dictionary {
        let Self { old, mut done, .. } = self;
        let (keys, values) = (old.key_type(), old.value_type());
        done.values_mut().for_each(|value| fit(value, values));
        let is_fitting = done.iter().all(|(key, value)| fits(key, keys) && fits(value, values));
        if is_fitting {
            done.set_types(keys.clone(), values.clone());
        }
        done.set_shared(old.is_shared());
        done
    }
}

/// Converts a text key to this kind, if the text is the plain form of a key of this kind.
fn as_key(key: Variant, kind: Kind) -> Variant {
    let number = match (&key, kind) {
        (Variant::String(text), Kind::Int) => text.to_str_lossy().parse::<i64>().ok(),
        _ => None,
    };
    let number = number.map(|number| Variant::Int(Int::new(number)));
    match number.filter(
        |number| matches!(&key, Variant::String(text) if text.to_str_lossy() == key_text(number)),
    ) {
        Some(number) => number,
        None if kind == Kind::StringName => to_kind(key, kind),
        None => key,
    }
}

/// The plain form of a key.
fn key_text(key: &Variant) -> String {
    match key {
        Variant::String(text) | Variant::StringName(text) => text.to_str_lossy().into_owned(),
        Variant::Int(int) => int.value().to_string(),
        other => {
            let mut alone = Dictionary::new();
            alone.insert(other.clone(), Variant::Nil);
            match plain(&Variant::Dictionary(alone)) {
                Some(Variant::Dictionary(pairs)) => {
                    pairs.keys().next().map_or_else(String::new, key_text)
                }
                _ => String::new(),
            }
        }
    }
}

/// Converts a value to the plain form and back.
fn plain(value: &Variant) -> Option<Variant> {
    let mut text = Vec::new();
    json::write(value, Form::Plain, &mut text, false).ok()?;
    let parsed = json::parse(str::from_utf8(&text).ok()?, Form::Plain).ok()?;
    let mut collector = Collector::with_rule(KeyRule::default());
    parsed.feed(&mut collector).ok()?;
    collector.finish()
}

/// Converts a leaf, or a container whose old value is of another kind.
fn leaf(value: Variant, old: &Variant, dialect: Dialect) -> Variant {
    let kind = old.kind();
    match (&value, old) {
        (Variant::Array(_) | Variant::Dictionary(_), _) if kind.shape().is_some() => {
            numbers(&value, old, dialect).unwrap_or(value)
        }
        (Variant::Array(_), _) if kind == Kind::PackedStringArray => to_kind(value, kind),
        (Variant::String(_), _) if kind == Kind::PackedByteArray => bytes(&value).unwrap_or(value),
        _ if value.kind() == kind => value,
        (Variant::Int(_) | Variant::Float(_) | Variant::String(_), _) => scalar(value, kind),
        // The new value equals the plain form of the old value. That form cannot express the old value itself, so the
        // old value is kept.
        (Variant::Nil | Variant::Dictionary(_), _) if plain(old).as_ref() == Some(&value) => {
            old.clone()
        }
        _ => value,
    }
}

/// Converts a number or a text to this kind, if nothing is lost.
fn scalar(value: Variant, kind: Kind) -> Variant {
    match (&value, kind) {
        (Variant::Float(float), Kind::Int) => whole(float.value()).unwrap_or(value),
        (Variant::Int(int), Kind::Rid) => match u64::try_from(int.value()) {
            Ok(id) => Variant::Rid(id),
            Err(_) => value,
        },
        _ => to_kind(value, kind),
    }
}

/// The float as an integer, if the float is whole and in range.
fn whole(float: f64) -> Option<Variant> {
    // Rust has no checked conversion from floats to integers, so the number is written and parsed.
    let text = format!("{float:.0}");
    let int = text.parse::<i64>().ok()?;
    let is_same = text.parse::<f64>().is_ok_and(|back| back.total_cmp(&float).is_eq());
    is_same.then(|| Variant::Int(Int::new(int)))
}

/// Decodes base64 text.
fn bytes(text: &Variant) -> Option<Variant> {
    let Variant::String(text) = text else { return None };
    let text = text.to_str_lossy();
    if text.is_empty() {
        return from_text("PackedByteArray()").ok();
    }
    let is_base64 = |c: char| c.is_ascii_alphanumeric() || "+/=".contains(c);
    let literal = text.chars().all(is_base64).then(|| format!("PackedByteArray(\"{text}\")"))?;
    from_text(&literal).ok().filter(|value| value.kind() == Kind::PackedByteArray)
}

/// Converts a value to the kind of `old`, which is a mathematical value or a packed array of numbers.
fn numbers(value: &Variant, old: &Variant, dialect: Dialect) -> Option<Variant> {
    let kind = old.kind();
    let shape = kind.shape()?;
    let encoded = encode(old, dialect).ok()?;
    let root = Document::new(&encoded, Options::engine(dialect)).root().ok()?;
    let of_old = root.numbers()?;
    // The literal below is parsed to reals of 32 bits, so reals of 64 bits would lose digits.
    if shape.number == variant_view::NumberType::Real && of_old.width() == Width::W64 {
        return None;
    }
    let mut of_old = of_old.iter();
    let mut found = Vec::new();
    if shape.is_packed {
        let Variant::Array(items) = value else { return None };
        items.iter().try_for_each(|item| structure(item, &shape, &mut of_old, &mut found))?;
    } else {
        structure(value, &shape, &mut of_old, &mut found)?;
    }
    let literal = format!("{kind}({})", found.join(", "));
    from_text(&literal).ok().filter(|value| value.kind() == kind)
}

/// Adds the numbers of one value or element to `found`. `None` if the value does not have exactly the parts of this
/// shape.
fn structure(
    value: &Variant,
    shape: &Shape,
    of_old: &mut impl Iterator<Item = Number>,
    found: &mut Vec<String>,
) -> Option<()> {
    if shape.parts.is_empty() {
        found.push(number(value, shape, of_old.next())?);
        return Some(());
    }
    let parts = fields(value, shape.parts.len())?;
    for (part, names) in shape.parts {
        let value = parts.get(*part)?;
        if names.is_empty() {
            found.push(number(value, shape, of_old.next())?);
            continue;
        }
        let parts = fields(value, names.len())?;
        for name in *names {
            found.push(number(parts.get(*name)?, shape, of_old.next())?);
        }
    }
    Some(())
}

fn fields(value: &Variant, count: usize) -> Option<&Dictionary> {
    let Variant::Dictionary(pairs) = value else { return None };
    (pairs.len() == count).then_some(pairs)
}

/// The literal of a number. The plain form writes a number that is not finite as null. So null becomes the old number,
/// if the old number is not finite.
fn number(value: &Variant, shape: &Shape, old: Option<Number>) -> Option<String> {
    use variant_view::NumberType as N;
    let is_real = matches!(shape.number, N::Real | N::Float32 | N::Float64);
    match value {
        Variant::Int(int) => Some(int.value().to_string()),
        Variant::Float(float) if is_real => Some(format!("{:?}", float.value())),
        Variant::Float(float) => match whole(float.value())? {
            Variant::Int(int) => Some(int.value().to_string()),
            _ => None,
        },
        Variant::Nil => not_finite(old?),
        _ => None,
    }
}

fn not_finite(number: Number) -> Option<String> {
    let value = match number {
        Number::Int(_) => return None,
        Number::Float32(bits) => f64::from(f32::from_bits(bits)),
        Number::Float64(bits) => f64::from_bits(bits),
    };
    let text = match value {
        value if value.is_finite() => return None,
        value if value.is_nan() => "nan",
        value if value > 0.0 => "inf",
        _ => "inf_neg",
    };
    Some(text.to_owned())
}
