//! [`Node`]: a value of a document as JSON in the plain form, without a copy of it.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt::Write as _;

use jsonschema::JsonType;
use jsonschema::json::{Array, Json, Node as JsonNode, NodeIdentity, Object};
use serde_json::Value;
use variant_owned::json::PlainKeys;
use variant_view::{Kind, Number, Numbers, PackedStrings, TapeValue, VariantView};

use super::figure::Figure;
use super::sheet::{Sheet, class_of, text_of};

/// The implementation of [`Json`] by which the crate `jsonschema` reads documents.
pub(super) struct Godot;

/// Parts of a mathematical value: their names, and the names of the numbers in each of them.
type Parts = &'static [(&'static str, &'static [&'static str])];

/// A value, a part of it, or a name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<'d> {
    /// `None` for a name.
    sheet: Option<&'d Sheet<'d>>,
    /// The number that the value has on the tape, the list of all values. This node is the value or a part of it.
    number: u32,
    what: What<'d>,
}

#[derive(Clone, Copy, Debug)]
enum What<'d> {
    Value(TapeValue<'d, 'd>),
    /// The parts of a vector, a matrix and the like. The second field is the index of their first number.
    Parts(Numbers<'d>, usize, Parts),
    /// The numbers of one such part. The second field is the index of the first number.
    Part(Numbers<'d>, usize, &'static [&'static str]),
    Number(Number),
    Text(&'d [u8]),
    Name(&'d str),
    Json(&'d Value),
}

impl Json for Godot {
    type Node<'a> = Node<'a>;
    type PreparedKey = String;
    type StringBuffer = ();

    /// If an object has at most this number of members for each look-up, one pass over its members replaces the
    /// look-ups. In a dictionary of few keys, a look-up reads all keys, so the pass costs less.
    const KEYS_PER_LOOKUP: usize = 4;
    const ACYCLIC: bool = true;

    fn prepare_key(key: &str) -> String {
        key.to_owned()
    }

    fn with_string_node<T>((): &mut (), string: &str, f: impl FnOnce(Node<'_>) -> T) -> T {
        f(Node { sheet: None, number: 0, what: What::Name(string) })
    }
}

impl<'d> Node<'d> {
    pub(super) fn root(sheet: &'d Sheet<'d>) -> Self {
        Self { sheet: Some(sheet), number: 0, what: What::Value(sheet.root) }
    }

    /// Another part of the same value.
    const fn part(self, what: What<'d>) -> Self {
        Self { what, ..self }
    }

    fn child(self, value: TapeValue<'d, 'd>) -> Self {
        Self { number: value.number(), what: What::Value(value), ..self }
    }

    /// The plain form of the value as JSON, if the sheet has it.
    fn made(&self) -> Option<&'d Value> {
        match self.what {
            What::Value(value) => self.sheet?.made(&value),
            What::Json(json) => Some(json),
            _ => None,
        }
    }

    fn numbers(&self) -> Option<Numbers<'d>> {
        match self.what {
            What::Value(value) => value.view().numbers(),
            _ => None,
        }
    }

    /// The number as a figure. `None` for NaN, for infinities, and for values that are not numbers.
    fn figure(&self) -> Option<Figure> {
        match self.what {
            What::Number(number) => Figure::of_part(number),
            What::Json(Value::Number(number)) => Some(number.into()),
            What::Value(value) => match value.view() {
                VariantView::Int(int) => Some(Figure::Int(int.value())),
                VariantView::Float(float) => {
                    Some(float.value()).filter(|value| value.is_finite()).map(Figure::Float)
                }
                VariantView::Rid(rid) => Some(Figure::Unsigned(rid.value())),
                _ => None,
            },
            _ => None,
        }
    }

    /// The kind of the value, or of the part; `None` for names, and for parts without a kind.
    pub(super) fn kind(&self) -> Option<Kind> {
        match self.what {
            What::Value(value) => Some(value.kind()),
            What::Number(Number::Int(_)) => Some(Kind::Int),
            What::Number(_) => Some(Kind::Float),
            What::Text(_) => Some(Kind::String),
            What::Parts(numbers, ..) => Some(element_kind(numbers.kind())),
            What::Part(..) | What::Name(_) | What::Json(_) => None,
        }
    }

    /// Whether containers are shown as empty, because the check ends early.
    fn is_ended(&self) -> bool {
        self.sheet.is_some_and(Sheet::is_full)
    }

    /// Appends a text for comparisons: two nodes get the same text exactly if they are equal as JSON. The recursion is
    /// bounded, because the depth of the document is bounded.
    fn write_equal(&self, out: &mut String) {
        // Writing to a string cannot fail.
        let _ = if let Some(members) = self.as_object() {
            let mut texts: Vec<_> = members.members().collect();
            texts.sort_by(|(one, _), (two, _)| one.cmp(two));
            out.push('{');
            for (name, node) in texts {
                let _ = write!(out, "{name:?}:");
                node.write_equal(out);
            }
            out.write_char('}')
        } else if let Some(elements) = self.as_array() {
            out.push('[');
            for node in elements.elements() {
                node.write_equal(out);
                out.push(',');
            }
            out.write_char(']')
        } else if let Some(text) = self.as_string() {
            write!(out, "{text:?}")
        } else if let Some(figure) = self.figure() {
            figure.write_equal(out)
        } else {
            write!(out, "{:?}", self.as_boolean())
        };
    }
}

/// The kind of the elements of a packed array of vectors or colours; for any other kind, the kind itself.
const fn element_kind(kind: Kind) -> Kind {
    match kind {
        Kind::PackedVector2Array => Kind::Vector2,
        Kind::PackedVector2iArray => Kind::Vector2i,
        Kind::PackedVector3Array => Kind::Vector3,
        Kind::PackedVector3iArray => Kind::Vector3i,
        Kind::PackedVector4Array => Kind::Vector4,
        Kind::PackedVector4iArray => Kind::Vector4i,
        Kind::PackedColorArray => Kind::Color,
        other => other,
    }
}

impl<'a> JsonNode<'a, Godot> for Node<'a> {
    type Object = Members<'a>;
    type Array = Elements<'a>;
    type Number = Figure;

    fn as_object(&self) -> Option<Members<'a>> {
        let is_object = match self.what {
            What::Value(value) => match value.kind() {
                Kind::Dictionary => true,
                Kind::Object => class_of(&value).is_some() || self.made()?.is_object(),
                _ => match self.numbers() {
                    Some(numbers) => !numbers.shape().is_packed,
                    None => self.made()?.is_object(),
                },
            },
            What::Parts(..) | What::Part(..) => true,
            What::Json(json) => json.is_object(),
            _ => false,
        };
        is_object.then_some(Members(*self))
    }

    fn as_array(&self) -> Option<Elements<'a>> {
        let is_array = match self.what {
            What::Value(value) => match value.kind() {
                Kind::Array
                | Kind::TypedArray
                | Kind::PackedTypedArray
                | Kind::PackedStringArray => true,
                Kind::PackedByteArray => false,
                _ => self.numbers()?.shape().is_packed,
            },
            What::Json(json) => json.is_array(),
            _ => false,
        };
        is_array.then_some(Elements(*self))
    }

    fn as_string(&self) -> Option<Cow<'a, str>> {
        match self.what {
            What::Name(name) => Some(name.into()),
            What::Text(text) => Some(String::from_utf8_lossy(text)),
            What::Value(value) => match value.view() {
                VariantView::String(text) | VariantView::StringName(text) => {
                    Some(text.to_str_lossy())
                }
                _ => self.made()?.as_str().map(Cow::Borrowed),
            },
            What::Json(json) => json.as_str().map(Cow::Borrowed),
            _ => None,
        }
    }

    fn as_number(&self) -> Option<Figure> {
        self.figure()
    }

    fn as_boolean(&self) -> Option<bool> {
        match self.what {
            What::Value(value) => match value.view() {
                VariantView::Bool(bool) => Some(bool.value()),
                _ => None,
            },
            What::Json(json) => json.as_bool(),
            _ => None,
        }
    }

    fn is_null(&self) -> bool {
        self.json_type() == JsonType::Null
    }

    fn json_type(&self) -> JsonType {
        match self.what {
            What::Value(value) => match value.kind() {
                Kind::Dictionary => JsonType::Object,
                Kind::Array
                | Kind::TypedArray
                | Kind::PackedTypedArray
                | Kind::PackedStringArray => JsonType::Array,
                Kind::String | Kind::StringName | Kind::PackedByteArray => JsonType::String,
                Kind::Bool => JsonType::Boolean,
                Kind::Int | Kind::Rid => JsonType::Number,
                Kind::Float if self.figure().is_some() => JsonType::Number,
                Kind::Object if class_of(&value).is_some() => JsonType::Object,
                _ => match self.numbers() {
                    Some(numbers) if numbers.shape().is_packed => JsonType::Array,
                    Some(_) => JsonType::Object,
                    None => self.made().map_or(JsonType::Null, JsonType::from),
                },
            },
            What::Parts(..) | What::Part(..) => JsonType::Object,
            What::Number(number) if number.is_finite() => JsonType::Number,
            What::Number(_) => JsonType::Null,
            What::Text(_) | What::Name(_) => JsonType::String,
            What::Json(json) => json.into(),
        }
    }

    fn equals_value(&self, expected: &Value) -> bool {
        match expected {
            Value::Null => self.is_null(),
            Value::Bool(value) => self.as_boolean() == Some(*value),
            Value::Number(number) => self.figure() == Some(number.into()),
            Value::String(text) => self.as_string().is_some_and(|own| own == text.as_str()),
            Value::Array(items) => self.as_array().is_some_and(|own| {
                let mut pairs = own.elements().zip(items);
                own.len() == items.len() && pairs.all(|(node, item)| node.equals_value(item))
            }),
            Value::Object(fields) => self.as_object().is_some_and(|own| {
                let has = |(name, field): (&String, &Value)| {
                    own.get(name).is_some_and(|node| node.equals_value(field))
                };
                own.len() == fields.len() && fields.iter().all(has)
            }),
        }
    }

    /// The number of the value on the tape. An error keeps the result of this method. So the value of an error can be
    /// found later, and making an error costs O(1). Other methods that would call this method are overridden.
    fn to_value(&self) -> Cow<'a, Value> {
        if let Some(sheet) = self.sheet {
            sheet.count();
        }
        Cow::Owned(Value::from(self.number))
    }

    fn identity(&self) -> Option<NodeIdentity> {
        match (self.sheet, self.what) {
            (Some(_), What::Value(_)) => {
                Some(NodeIdentity::new(usize::try_from(self.number).ok()?))
            }
            _ => None,
        }
    }
}

/// The members of an object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Members<'d>(Node<'d>);

impl<'a> Object<'a, Godot> for Members<'a> {
    type Node = Node<'a>;
    type MemberName = Cow<'a, str>;
    type MembersIter = Box<dyn Iterator<Item = (Cow<'a, str>, Node<'a>)> + 'a>;

    fn len(&self) -> usize {
        match self.0.what {
            What::Value(value) => match value.kind() {
                Kind::Dictionary => value.len(),
                Kind::Object if class_of(&value).is_some() => value.len().saturating_add(1),
                _ => self.members().count(),
            },
            _ => self.members().count(),
        }
    }

    fn get(&self, key: &String) -> Option<Node<'a>> {
        let What::Value(value) = self.0.what else {
            return self.members().find_map(|(name, node)| (name == key.as_str()).then_some(node));
        };
        match self.0.sheet?.keys(&value) {
            Some(keys) => Some(match keys.get(key)? {
                Some(member) => self.0.child(member),
                None => self.0.part(What::Text(class_of(&value)?.as_bytes())),
            }),
            None if value.kind() == Kind::Dictionary => {
                let mut pairs = value.pairs();
                let found = pairs.find(|(name, _)| text_of(name) == Some(key.as_str()));
                found.map(|(_, value)| self.0.child(value))
            }
            None => self.members().find_map(|(name, node)| (name == key.as_str()).then_some(node)),
        }
    }

    fn members(&self) -> Self::MembersIter {
        let node = self.0;
        if node.is_ended() {
            return Box::new(std::iter::empty());
        }
        match node.what {
            What::Value(value) => self.of_value(value),
            What::Parts(numbers, first, parts) => Box::new(of_parts(node, numbers, first, parts)),
            What::Part(numbers, first, names) => Box::new(
                (first..)
                    .zip(names)
                    .map(move |(at, name)| (Cow::Borrowed(*name), number(node, &numbers, at))),
            ),
            What::Json(Value::Object(fields)) => {
                Box::new(fields.iter().map(move |(name, json)| {
                    (Cow::Borrowed(name.as_str()), node.part(What::Json(json)))
                }))
            }
            _ => Box::new(std::iter::empty()),
        }
    }
}

impl<'a> Members<'a> {
    fn of_value(&self, value: TapeValue<'a, 'a>) -> <Self as Object<'a, Godot>>::MembersIter {
        let node = self.0;
        let keys = node.sheet.and_then(|sheet| sheet.keys(&value));
        let ends = move |_: &(Cow<'a, str>, Node<'a>)| !node.is_ended();
        if let Some(class) = class_of(&value) {
            let class = std::iter::once(node.part(What::Text(class.as_bytes())));
            let nodes = class.chain(value.items().map(move |item| node.child(item)));
            let names = keys.map(|keys| keys.names.as_slice()).unwrap_or_default();
            return Box::new(names.iter().map(borrowed).zip(nodes).take_while(ends));
        }
        match (keys, value.kind()) {
            (Some(keys), Kind::Dictionary) => {
                let nodes = value.pairs().map(move |(_, value)| node.child(value));
                Box::new(keys.names.iter().map(borrowed).zip(nodes).take_while(ends))
            }
            (None, Kind::Dictionary) => {
                let named = move |(key, value): (TapeValue<'a, 'a>, _)| {
                    (PlainKeys::text(&key.view()), node.child(value))
                };
                Box::new(value.pairs().map(named).take_while(ends))
            }
            _ => match (node.numbers(), node.made()) {
                (Some(numbers), _) => Box::new(of_parts(node, numbers, 0, numbers.shape().parts)),
                (None, Some(json)) => Members(node.part(What::Json(json))).members(),
                (None, None) => Box::new(std::iter::empty()),
            },
        }
    }
}

/// Borrows a name from the list of names.
#[expect(clippy::ptr_arg, reason = "the names are in a list of these")]
fn borrowed<'a>(name: &'a Cow<'_, str>) -> Cow<'a, str> {
    Cow::Borrowed(name)
}

/// The parts of a mathematical value. Their numbers start at index `first`.
fn of_parts<'d>(
    node: Node<'d>,
    numbers: Numbers<'d>,
    first: usize,
    parts: Parts,
) -> impl Iterator<Item = (Cow<'d, str>, Node<'d>)> {
    parts.iter().scan(first, move |next, (name, names)| {
        let at = *next;
        *next = at.saturating_add(names.len().max(1));
        let part = if names.is_empty() {
            number(node, &numbers, at)
        } else {
            node.part(What::Part(numbers, at, names))
        };
        Some((Cow::Borrowed(*name), part))
    })
}

/// The number at index `at` of a mathematical value or a packed array. The index is always valid, because callers
/// compute it from the kind and the length of the value.
fn number<'d>(node: Node<'d>, numbers: &Numbers<'d>, at: usize) -> Node<'d> {
    node.part(What::Number(numbers.get(at).unwrap_or(Number::Int(0))))
}

/// The elements of an array.
#[derive(Clone, Copy, Debug)]
pub(super) struct Elements<'d>(Node<'d>);

impl<'a> Array<'a, Godot> for Elements<'a> {
    type Node = Node<'a>;
    type ElementsIter = Box<dyn Iterator<Item = Node<'a>> + 'a>;

    fn len(&self) -> usize {
        match self.0.what {
            What::Value(value) => match (value.view(), self.0.numbers()) {
                (VariantView::PackedStringArray(texts), _) => texts.len(),
                (_, Some(numbers)) => numbers.elements(),
                _ => value.len(),
            },
            What::Json(Value::Array(items)) => items.len(),
            _ => 0,
        }
    }

    fn elements(&self) -> Self::ElementsIter {
        let node = self.0;
        let ends = move |_: &Node<'a>| !node.is_ended();
        match node.what {
            What::Value(value) => match (value.view(), node.numbers()) {
                (VariantView::PackedStringArray(texts), _) => {
                    Box::new(of_texts(node, texts).take_while(ends))
                }
                (_, Some(numbers)) => Box::new(of_packed(node, numbers).take_while(ends)),
                _ => Box::new(value.items().map(move |item| node.child(item)).take_while(ends)),
            },
            What::Json(Value::Array(items)) => {
                Box::new(items.iter().map(move |json| node.part(What::Json(json))))
            }
            _ => Box::new(std::iter::empty()),
        }
    }

    /// O(bytes of the elements) expected.
    fn is_unique(&self) -> bool {
        let mut seen = HashSet::new();
        self.elements().all(|node| {
            let mut text = String::new();
            node.write_equal(&mut text);
            seen.insert(text)
        })
    }
}

fn of_texts<'d>(node: Node<'d>, texts: PackedStrings<'d>) -> impl Iterator<Item = Node<'d>> {
    texts.iter().map(move |text| node.part(What::Text(text.as_bytes())))
}

fn of_packed<'d>(node: Node<'d>, numbers: Numbers<'d>) -> impl Iterator<Item = Node<'d>> {
    let shape = numbers.shape();
    let count = usize::from(shape.count);
    (0..numbers.elements()).map(move |element| {
        let first = element.saturating_mul(count);
        if shape.parts.is_empty() {
            number(node, &numbers, first)
        } else {
            node.part(What::Parts(numbers, first, shape.parts))
        }
    })
}
