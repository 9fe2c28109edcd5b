//! [`Builder`]: makes values for Python from events.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyTuple};
use variant_owned::internal::{narrowed, widened};
use variant_view::internal::ShortText;
use variant_view::{
    ArrayHead, Consumer, DictionaryHead, Head, Kind, Leaf, NodePathLeaf, Number, NumberType,
    Numbers, Texts, Width,
};

use crate::classes::{Classes, classes, named};
use crate::key::Key;
use crate::packed::PackedArray;
use crate::source::Source;
use crate::text::{self, Known};

/// Makes one value of Python. Open containers are in a list, so that a deep value needs no deep stack.
pub(crate) struct Builder<'py, 's> {
    py: Python<'py>,
    classes: &'py Classes,
    /// The source of the bytes, from which packed arrays borrow.
    source: &'s Arc<Source>,
    known: Known,
    open: Vec<Open<'py>>,
    /// Whether the root becomes a key.
    is_key: bool,
    root: Option<Bound<'py, PyAny>>,
}

/// A container whose items are not complete.
enum Open<'py> {
    List { items: Bound<'py, PyList>, declared: Option<Bound<'py, PyDict>> },
    Pairs { pairs: Pairs<'py>, declared: Option<Bound<'py, PyDict>> },
    Object { class: Bound<'py, PyAny>, pairs: Pairs<'py> },
}

/// The pairs of a dictionary or an object.
#[derive(Default)]
struct Pairs<'py> {
    all: Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>)>,
    /// The key or name whose value comes next.
    key: Option<Bound<'py, PyAny>>,
}

impl<'py, 's> Builder<'py, 's> {
    pub(crate) fn new(py: Python<'py>, source: &'s Arc<Source>) -> PyResult<Self> {
        let classes = classes(py)?;
        let (known, open) = (Known::new(), Vec::new());
        Ok(Self { py, classes, source, known, open, is_key: false, root: None })
    }

    /// A builder for a value that becomes a key of a `dict`.
    pub(crate) fn of_key(py: Python<'py>, source: &'s Arc<Source>) -> PyResult<Self> {
        Ok(Self { is_key: true, ..Self::new(py, source)? })
    }

    pub(crate) fn finish(self) -> Bound<'py, PyAny> {
        self.root.unwrap_or_else(|| self.py.None().into_bound(self.py))
    }

    fn is_key_due(&self) -> bool {
        match self.open.last() {
            Some(Open::Pairs { pairs, .. }) => pairs.key.is_none(),
            Some(_) => false,
            None => self.is_key,
        }
    }

    fn put(&mut self, value: Bound<'py, PyAny>) -> PyResult<()> {
        match self.open.last_mut() {
            None => self.root = Some(value),
            Some(Open::List { items, .. }) => items.append(value)?,
            Some(Open::Pairs { pairs, .. } | Open::Object { pairs, .. }) => {
                match pairs.key.take() {
                    Some(key) => pairs.all.push((key, value)),
                    None => pairs.key = Some(value),
                }
            }
        }
        Ok(())
    }

    fn int(&self, value: i64, width: Width) -> PyResult<Bound<'py, PyAny>> {
        let int = value.into_pyobject(self.py)?.into_any();
        if width == Width::W64 && i32::try_from(value).is_ok() {
            return self.classes.int64.bind(self.py).call1((int,));
        }
        Ok(int)
    }

    fn float(&self, bits: u64, width: Width) -> PyResult<Bound<'py, PyAny>> {
        let value = real(match width {
            Width::W32 => Number::Float32(u32::try_from(bits).unwrap_or_default()),
            Width::W64 => Number::Float64(bits),
        });
        let float = PyFloat::new(self.py, value).into_any();
        let is_odd = match width {
            Width::W32 => value.is_nan(),
            Width::W64 => is_single(value),
        };
        match width {
            _ if !is_odd => Ok(float),
            Width::W32 => self.classes.float32.bind(self.py).call1((float,)),
            Width::W64 => self.classes.float64.bind(self.py).call1((float,)),
        }
    }

    /// Makes a text. Keys and names come from a cache, since they repeat.
    fn text(&mut self, is_name: bool, text: &[u8]) -> PyResult<()> {
        let string = if self.is_key_due() || is_name {
            self.known.read(self.py, text)?
        } else {
            text::read(self.py, text)?
        };
        let string = string.into_any();
        let value =
            if is_name { self.classes.string_name.bind(self.py).call1((string,))? } else { string };
        self.put(value)
    }

    fn texts(&self, texts: Texts<'_>) -> PyResult<Bound<'py, PyTuple>> {
        let texts = texts.iter().map(|text| text::read(self.py, text));
        PyTuple::new(self.py, texts.collect::<PyResult<Vec<_>>>()?)
    }

    fn path(&self, path: &NodePathLeaf<'_>) -> PyResult<Bound<'py, PyAny>> {
        let class = self.classes.node_path.bind(self.py);
        match *path {
            NodePathLeaf::Plain(text) => {
                let text = text::read(self.py, text)?.into_any();
                class.call((), Some(&named(self.py, [("text", text)])?))
            }
            NodePathLeaf::Names { names, subnames, is_absolute, has_property } => {
                let (names, subnames) = (self.texts(names)?, self.texts(subnames)?);
                class.call1((names, subnames, is_absolute, has_property))
            }
        }
    }

    fn numbers(&self, numbers: &Numbers<'_>) -> PyResult<Bound<'py, PyAny>> {
        if numbers.shape().is_packed {
            let array = PackedArray::of(self.py, self.source, numbers);
            return Ok(Bound::new(self.py, array)?.into_any());
        }
        math(self.py, self.classes, numbers)
    }

    fn value(&self, leaf: Leaf<'_>) -> PyResult<Bound<'py, PyAny>> {
        let (py, classes) = (self.py, self.classes);
        match leaf {
            // `text` makes texts, so they do not occur here.
            Leaf::Nil | Leaf::String(_) | Leaf::StringName(_) => Ok(py.None().into_bound(py)),
            Leaf::Bool(value) => Ok(PyBool::new(py, value).to_owned().into_any()),
            Leaf::Int { value, width } => self.int(value, width),
            Leaf::Float { bits, width } => self.float(bits, width),
            Leaf::NodePath(path) => self.path(path),
            Leaf::Numbers(numbers) => self.numbers(&numbers),
            Leaf::Strings(texts) => classes.packed_strings.bind(py).call1((self.texts(texts)?,)),
            Leaf::Rid(id) => classes.rid.bind(py).call1((id,)),
            Leaf::Callable => classes.callable.bind(py).call0(),
            Leaf::Signal { name, object_id } => {
                classes.signal.bind(py).call1((text::read(py, name)?, object_id))
            }
            Leaf::NullObject => classes.null_object.bind(py).call0(),
            Leaf::ObjectId(id) => classes.object_id.bind(py).call1((id,)),
            Leaf::Image { format, mipmaps, width, height, data } => {
                let data = PyBytes::new(py, data);
                classes.image.bind(py).call1((format, mipmaps, width, height, data))
            }
            Leaf::InputEvent { event, device, payload } => {
                classes.input_event.bind(py).call1((event, device, PyBytes::new(py, payload)))
            }
        }
    }

    /// The element type of an array, as arguments of `Array`; `None` for an array without a declared type.
    fn array(&self, head: &ArrayHead<'_>) -> PyResult<Option<Bound<'py, PyDict>>> {
        if head.kind == Kind::Array && head.element_type.is_any() && !head.is_shared {
            return Ok(None);
        }
        let declared = self.classes.declared(self.py, head.element_type)?;
        let kind = head.kind.name().into_pyobject(self.py)?.into_any();
        let is_shared = PyBool::new(self.py, head.is_shared).to_owned().into_any();
        let all = [("element_type", declared), ("kind", kind), ("is_shared", is_shared)];
        Ok(Some(named(self.py, all)?))
    }

    /// The declared types of a dictionary, as arguments of `Dictionary`; `None` for a dictionary without declared types.
    fn dictionary(&self, head: &DictionaryHead<'_>) -> PyResult<Option<Bound<'py, PyDict>>> {
        if head.key_type.is_any() && head.value_type.is_any() && !head.is_shared {
            return Ok(None);
        }
        let key_type = self.classes.declared(self.py, head.key_type)?;
        let value_type = self.classes.declared(self.py, head.value_type)?;
        let is_shared = PyBool::new(self.py, head.is_shared).to_owned().into_any();
        let all = [("key_type", key_type), ("value_type", value_type), ("is_shared", is_shared)];
        Ok(Some(named(self.py, all)?))
    }

    /// A `dict` of pairs, or a `Dictionary` if a `dict` would lose information.
    fn dict(
        &self,
        pairs: Pairs<'py>,
        declared: Option<Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let dict = PyDict::new(self.py);
        for (key, value) in &pairs.all {
            dict.set_item(key, value)?;
        }
        let is_whole = dict.len() == pairs.all.len();
        if is_whole && declared.is_none() {
            return Ok(dict.into_any());
        }
        let declared = declared.unwrap_or_else(|| PyDict::new(self.py));
        if !is_whole {
            declared.set_item("pairs", PyTuple::new(self.py, pairs.all)?)?;
        }
        self.classes.dictionary.bind(self.py).call((dict,), Some(&declared))
    }

    fn closed(&self, open: Open<'py>) -> PyResult<Bound<'py, PyAny>> {
        match open {
            Open::List { items, declared: None } => Ok(items.into_any()),
            Open::List { items, declared } => {
                self.classes.array.bind(self.py).call((items,), declared.as_ref())
            }
            Open::Pairs { pairs, declared } => self.dict(pairs, declared),
            Open::Object { class, pairs } => {
                let properties = self.dict(pairs, None)?;
                self.classes.object.bind(self.py).call1((class, properties))
            }
        }
    }
}

impl Consumer for Builder<'_, '_> {
    type Error = PyErr;

    fn leaf(&mut self, leaf: Leaf<'_>) -> PyResult<()> {
        match leaf {
            Leaf::String(text) => self.text(false, text),
            Leaf::StringName(text) => self.text(true, text),
            leaf => {
                let value = self.value(leaf)?;
                self.put(value)
            }
        }
    }

    fn short_text(&mut self, is_name: bool, text: ShortText<'_>) -> PyResult<()> {
        self.text(is_name, text.as_bytes())
    }

    fn enter(&mut self, head: Head<'_>) -> PyResult<()> {
        let open = match head {
            Head::Array(array) => {
                Open::List { items: PyList::empty(self.py), declared: self.array(&array)? }
            }
            Head::Dictionary(dictionary) => {
                Open::Pairs { pairs: Pairs::default(), declared: self.dictionary(&dictionary)? }
            }
            Head::Object { class, .. } => {
                let class = text::read(self.py, class)?.into_any();
                Open::Object { class, pairs: Pairs::default() }
            }
        };
        self.open.push(open);
        Ok(())
    }

    fn name(&mut self, name: &[u8]) -> PyResult<()> {
        let name = self.known.read(self.py, name)?.into_any();
        self.put(name)
    }

    fn exit(&mut self) -> PyResult<()> {
        let Some(open) = self.open.pop() else { return Ok(()) };
        let value = self.closed(open)?;
        let value = if self.is_key_due() {
            Bound::new(self.py, Key::of(&value)?)?.into_any()
        } else {
            value
        };
        self.put(value)
    }
}

/// Makes a mathematical value, or an element of a packed array, from its numbers.
pub(crate) fn math<'py>(
    py: Python<'py>,
    classes: &Classes,
    numbers: &Numbers<'_>,
) -> PyResult<Bound<'py, PyAny>> {
    let (shape, is_wide) = (numbers.shape(), numbers.width() == Width::W64);
    let mut all = numbers.iter().map(|one| number(py, one));
    let mut take = |count: usize| all.by_ref().take(count).collect::<Vec<_>>();
    let mut parts = Vec::with_capacity(shape.parts.len());
    for (_, names) in shape.parts {
        match vector_of(names.len(), shape.number) {
            Some(kind) => {
                let fields = PyTuple::new(py, take(names.len()))?;
                parts.push(classes.math(py, kind, is_wide, fields)?);
            }
            None => parts.append(&mut take(1)),
        }
    }
    classes.math(py, numbers.kind(), is_wide, PyTuple::new(py, parts)?)
}

/// The kind of a field that has this many numbers; `None` for a single number.
const fn vector_of(count: usize, number: NumberType) -> Option<Kind> {
    match (count, number) {
        (2, NumberType::Int32) => Some(Kind::Vector2i),
        (2, _) => Some(Kind::Vector2),
        (3, _) => Some(Kind::Vector3),
        (4, _) => Some(Kind::Vector4),
        _ => None,
    }
}

pub(crate) fn number(py: Python<'_>, number: Number) -> Bound<'_, PyAny> {
    match number {
        Number::Int(value) => PyInt::new(py, value).into_any(),
        real_number => PyFloat::new(py, real(real_number)).into_any(),
    }
}

/// Whether engines would write a float with 32 bits. They write every NaN with 64 bits.
pub(crate) fn is_single(value: f64) -> bool {
    f64::from(Number::from(value).to_f32()).to_bits() == value.to_bits() && !value.is_nan()
}

/// A number as a float. A NaN keeps its payload and its quiet bit.
fn real(number: Number) -> f64 {
    match number {
        Number::Float32(bits) => f64::from_bits(widened(bits)),
        number => number.to_f64(),
    }
}

/// The bits of a float rounded to 32 bits. A NaN that [`real`] made gets its original bits.
pub(crate) fn single_bits(value: f64) -> u32 {
    narrowed(value).0.to_bits()
}
