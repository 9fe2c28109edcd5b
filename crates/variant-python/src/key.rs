//! [`Key`]: an array, dictionary or object as a key of a `dict`, which requires a hash.

use std::convert::Infallible;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::OnceLock;

use pyo3::prelude::*;
use variant_view::{
    ArrayHead, Consumer, ElementType, FeedError, Head, KeyRule, Kind, Leaf, NodePathLeaf, Number,
    Numbers, Producer, Width,
};

use crate::given::Given;
use crate::options::DEPTH;

/// An array, dictionary or object as a key of a ``dict``.
///
/// ``value`` is the original value, and must not be changed: two keys are equal if their values had the same contents
/// when the keys were made. Making a key is O(size of the value); hashing and comparing it are O(1).
#[pyclass(frozen, module = "variant_view")]
#[derive(Debug)]
pub(crate) struct Key {
    /// The original value.
    #[pyo3(get)]
    value: Py<PyAny>,
    digest: Digest,
}

/// A digest of a key, 128 bits. Equal keys have equal digests. Nobody can choose different keys with equal digests,
/// since the hash includes a secret of this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Digest(u64, u64);

impl Digest {
    fn of(bytes: &[u8]) -> Self {
        static SECRETS: OnceLock<[RandomState; 2]> = OnceLock::new();
        let [first, second] = SECRETS.get_or_init(|| [RandomState::new(), RandomState::new()]);
        Self(first.hash_one(bytes), second.hash_one(bytes))
    }

    /// The digest of a value of Python. O(size of the value).
    pub(crate) fn of_value(value: &Bound<'_, PyAny>, rule: Option<KeyRule>) -> PyResult<Self> {
        let mut print = Print::new(rule);
        match Given::new(value, DEPTH).digested().feed(&mut print) {
            Ok(()) => Ok(Self::of(&print.bytes)),
            Err(FeedError::Producer(error)) => Err(error),
            Err(FeedError::Consumer(never)) => match never {},
        }
    }

    /// The digest of a value without children; `None` for a damaged value.
    pub(crate) fn of_leaf(leaf: impl Producer, rule: KeyRule) -> Option<Self> {
        let mut print = Print::new(Some(rule));
        leaf.feed(&mut print).ok()?;
        Some(Self::of(&print.bytes))
    }

    pub(crate) fn of_text(text: Leaf<'_>, rule: KeyRule) -> Self {
        let mut print = Print::new(Some(rule));
        let Ok(()) = print.leaf(text);
        Self::of(&print.bytes)
    }

    /// The digest as bytes, which replace the digested value.
    pub(crate) fn bytes(self) -> [u8; 16] {
        let mut bytes = [0; 16];
        let (first, second) = bytes.split_at_mut(8);
        first.copy_from_slice(&self.0.to_le_bytes());
        second.copy_from_slice(&self.1.to_le_bytes());
        bytes
    }
}

impl Key {
    pub(crate) fn of(value: &Bound<'_, PyAny>) -> PyResult<Self> {
        let digest = Digest::of_value(value, None)?;
        Ok(Self { value: value.clone().unbind(), digest })
    }

    pub(crate) const fn value(&self) -> &Py<PyAny> {
        &self.value
    }

    pub(crate) const fn digest(&self) -> Digest {
        self.digest
    }
}

#[pymethods]
impl Key {
    #[new]
    fn new(value: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::of(value)
    }

    const fn __hash__(&self) -> u64 {
        self.digest.0
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().digest == self.digest)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Key({})", self.value.bind(py).repr()?))
    }

    fn __reduce__(&self, py: Python<'_>) -> (Py<PyAny>, (Py<PyAny>,)) {
        (py.get_type::<Self>().into_any().unbind(), (self.value.clone_ref(py),))
    }
}

/// Collects the bytes that are hashed for a digest: the kinds, numbers and texts that distinguish keys.
#[derive(Debug)]
struct Print {
    bytes: Vec<u8>,
    /// The rule by which keys are compared in a look-up. Without a rule, texts are compared by kind and all bytes.
    rule: Option<KeyRule>,
}

impl Print {
    const fn new(rule: Option<KeyRule>) -> Self {
        Self { bytes: Vec::new(), rule }
    }

    fn kind(&mut self, kind: Kind) {
        self.bytes.push(u8::try_from(kind.index()).unwrap_or(u8::MAX));
    }

    fn count(&mut self, count: usize) {
        self.bytes.extend_from_slice(&count.to_le_bytes());
    }

    fn word(&mut self, word: u64) {
        self.bytes.extend_from_slice(&word.to_le_bytes());
    }

    fn data(&mut self, data: &[u8]) {
        self.count(data.len());
        self.bytes.extend_from_slice(data);
    }

    fn text(&mut self, kind: Kind, text: &[u8]) {
        let Some(rule) = self.rule else {
            self.kind(kind);
            return self.data(text);
        };
        let is_one = rule.has_one_text_key() && kind == Kind::StringName;
        self.kind(if is_one { Kind::String } else { kind });
        // Compares the text as the engines read it.
        let text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text);
        self.data(text.split(|byte| *byte == 0).next().unwrap_or_default());
    }

    fn numbers(&mut self, numbers: &Numbers<'_>) {
        self.count(numbers.len());
        // The same real gets the same bits in both widths.
        let bits = |number: Number| match number {
            Number::Int(value) => value.cast_unsigned(),
            number => float_bits(number.to_f64()),
        };
        for number in numbers.iter() {
            self.word(bits(number));
        }
    }

    fn declared(&mut self, element_type: ElementType<&[u8]>) {
        match element_type {
            ElementType::Any => self.bytes.push(0),
            ElementType::Builtin(kind) => {
                self.bytes.push(1);
                self.kind(kind);
            }
            ElementType::Class(name) => {
                self.bytes.push(2);
                self.data(name);
            }
            ElementType::Script(name) => {
                self.bytes.push(3);
                self.data(name);
            }
            ElementType::Unknown(id) => {
                self.bytes.push(4);
                self.word(id.into());
            }
        }
    }
}

/// The bits of a float for comparison. All NaNs have the same bits, and so do 0.0 and -0.0, as in the engines.
fn float_bits(value: f64) -> u64 {
    if value.is_nan() { f64::NAN.to_bits() } else { (value + 0.0).to_bits() }
}

impl Consumer for Print {
    type Error = Infallible;

    fn leaf(&mut self, leaf: Leaf<'_>) -> Result<(), Self::Error> {
        if let Leaf::String(text) | Leaf::StringName(text) = leaf {
            self.text(leaf.kind(), text);
            return Ok(());
        }
        self.kind(leaf.kind());
        match leaf {
            Leaf::Nil | Leaf::String(_) | Leaf::StringName(_) | Leaf::Callable => {}
            Leaf::Bool(value) => self.bytes.push(value.into()),
            Leaf::Int { value, .. } => self.word(value.cast_unsigned()),
            Leaf::Float { bits, width: Width::W32 } => {
                let single = f32::from_bits(u32::try_from(bits).unwrap_or_default());
                self.word(float_bits(single.into()));
            }
            Leaf::Float { bits, width: Width::W64 } => self.word(float_bits(f64::from_bits(bits))),
            Leaf::NodePath(NodePathLeaf::Plain(text)) => self.data(text),
            Leaf::NodePath(NodePathLeaf::Names { names, subnames, is_absolute, has_property }) => {
                self.bytes.extend([u8::from(*is_absolute), u8::from(*has_property)]);
                self.count(names.len());
                for name in names.iter().chain(subnames.iter()) {
                    self.data(name);
                }
            }
            Leaf::Numbers(numbers) => self.numbers(&numbers),
            Leaf::Strings(texts) => {
                self.count(texts.len());
                texts.iter().for_each(|text| self.data(text));
            }
            Leaf::Rid(id) => self.word(id),
            Leaf::Signal { name, object_id } => {
                self.data(name);
                self.word(object_id);
            }
            Leaf::NullObject => self.bytes.push(0),
            Leaf::ObjectId(id) => {
                self.bytes.push(1);
                self.word(id);
            }
            Leaf::Image { format, mipmaps, width, height, data } => {
                for word in [format, mipmaps, width, height] {
                    self.word(word.into());
                }
                self.data(data);
            }
            Leaf::InputEvent { event, device, payload } => {
                self.word(event.into());
                self.word(device.into());
                self.data(payload);
            }
        }
        Ok(())
    }

    fn enter(&mut self, head: Head<'_>) -> Result<(), Self::Error> {
        self.kind(head.kind());
        match head {
            Head::Array(ArrayHead { element_type, .. }) => self.declared(element_type),
            Head::Dictionary(dictionary) => {
                self.declared(dictionary.key_type);
                self.declared(dictionary.value_type);
            }
            Head::Object { class, .. } => {
                self.bytes.push(2);
                self.data(class);
            }
        }
        Ok(())
    }

    fn name(&mut self, name: &[u8]) -> Result<(), Self::Error> {
        self.bytes.push(b'n');
        self.data(name);
        Ok(())
    }

    fn exit(&mut self) -> Result<(), Self::Error> {
        // No kind has this number, so the end of a container differs from every value.
        self.bytes.push(u8::MAX);
        Ok(())
    }
}
