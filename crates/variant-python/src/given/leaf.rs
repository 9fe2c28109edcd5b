//! Values without children.

use std::borrow::Cow;

use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyMemoryView, PyString, PyType};
use variant_view::{
    Consumer, FeedError, Kind, Leaf, NodePathLeaf, Numbers, Producer as _, Texts, Width,
};

use super::{Fed, is_a};
use crate::builder::{is_single, single_bits};
use crate::classes::Classes;
use crate::container::place_of;
use crate::key::Key;
use crate::packed::{self, PackedArray};
use crate::text;

pub(super) fn int<'a>(value: &Bound<'_, PyAny>, is_wide: bool) -> PyResult<Leaf<'a>> {
    let value: i64 = value
        .extract()
        .map_err(|_| PyOverflowError::new_err(format!("the int {value} has more than 64 bits")))?;
    let fits = i32::try_from(value).is_ok() && !is_wide;
    Ok(Leaf::Int { value, width: if fits { Width::W32 } else { Width::W64 } })
}

pub(super) fn float<'a>(value: f64, is_narrow: bool, is_wide: bool) -> Leaf<'a> {
    if is_narrow || (is_single(value) && !is_wide) {
        return Leaf::Float { bits: single_bits(value).into(), width: Width::W32 };
    }
    Leaf::Float { bits: value.to_bits(), width: Width::W64 }
}

pub(super) fn text_of<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyString>> {
    Ok(value.clone().cast_into::<PyString>()?)
}

fn attribute<'py>(value: &Bound<'py, PyAny>, name: &str) -> PyResult<Bound<'py, PyString>> {
    text_of(&value.getattr(name)?)
}

fn texts(values: &Bound<'_, PyAny>) -> PyResult<Vec<Vec<u8>>> {
    let text =
        |value: PyResult<Bound<'_, PyAny>>| Ok(text::written(&text_of(&value?)?)?.into_owned());
    values.try_iter()?.map(text).collect()
}

/// Feeds a value whose class is of this package, or a value that exports a buffer.
pub(super) fn rare<C: Consumer>(
    classes: &Classes,
    value: &Bound<'_, PyAny>,
    is_digested: bool,
    consumer: &mut C,
) -> Fed<C::Error> {
    if let Some(place) = place_of(value) {
        let py = value.py();
        return place.document(py).feed(consumer).map_err(|error| match error {
            FeedError::Producer(error) => FeedError::Producer(place.failure(py, error)),
            FeedError::Consumer(error) => FeedError::Consumer(error),
        });
    }
    let mut leaf = |leaf: Leaf<'_>| consumer.leaf(leaf).map_err(FeedError::Consumer);
    if let (Ok(key), true) = (value.cast::<Key>(), is_digested) {
        // The digest of the key is fed as an input event of a kind that no engine writes.
        let payload = &key.get().digest().bytes();
        return leaf(Leaf::InputEvent { event: u32::MAX, device: u32::MAX, payload });
    }
    if let Ok(array) = value.cast::<PackedArray>() {
        let array = array.get();
        return match array.numbers(value.py()) {
            Some(numbers) => leaf(Leaf::Numbers(numbers)),
            None => Ok(()),
        };
    }
    if is_a(value, &classes.math_base)? {
        let math = packed::Flat::of_math(value).map_err(FeedError::Producer)?;
        return match math.numbers() {
            Some(numbers) => leaf(Leaf::Numbers(numbers)),
            None => Err(FeedError::Producer(packed::misshapen(value))),
        };
    }
    if is_a(value, &classes.packed_strings)? {
        let texts = texts(value).map_err(FeedError::Producer)?;
        return leaf(Leaf::Strings(Texts::of(&texts.as_slice())));
    }
    if let Ok(bytes) = value.cast::<PyBytes>() {
        return match Numbers::from_wire(Kind::PackedByteArray, Width::W32, bytes.as_bytes()) {
            Some(numbers) => leaf(Leaf::Numbers(numbers)),
            None => Ok(()),
        };
    }
    if is_a(value, &classes.null_object)? {
        return leaf(Leaf::NullObject);
    }
    if is_a(value, &classes.callable)? {
        return leaf(Leaf::Callable);
    }
    if is_a(value, &classes.node_path)? {
        return node_path(value, consumer);
    }
    let kept = Kept::of(classes, value).map_err(FeedError::Producer)?;
    match &kept {
        Kept::Rid(id) => leaf(Leaf::Rid(*id)),
        Kept::ObjectId(id) => leaf(Leaf::ObjectId(*id)),
        Kept::Signal(name, object_id) => leaf(Leaf::Signal { name, object_id: *object_id }),
        Kept::Image([format, mipmaps, width, height], data) => {
            let (format, mipmaps, width, height) = (*format, *mipmaps, *width, *height);
            leaf(Leaf::Image { format, mipmaps, width, height, data })
        }
        Kept::InputEvent(event, device, payload) => {
            leaf(Leaf::InputEvent { event: *event, device: *device, payload })
        }
        Kept::Int(int) => leaf(*int),
        Kept::Float(value) => leaf(float(*value, false, false)),
        Kept::Flat(flat) => match flat.numbers() {
            Some(numbers) => leaf(Leaf::Numbers(numbers)),
            None => Err(FeedError::Producer(packed::misshapen(value))),
        },
    }
}

fn node_path<C: Consumer>(value: &Bound<'_, PyAny>, consumer: &mut C) -> Fed<C::Error> {
    let parts = || {
        let text = value.getattr("text")?;
        let text =
            if text.is_none() { None } else { Some(text::written(&text_of(&text)?)?.into_owned()) };
        let flags = (
            value.getattr("is_absolute")?.is_truthy()?,
            value.getattr("has_property")?.is_truthy()?,
        );
        Ok((text, texts(&value.getattr("names")?)?, texts(&value.getattr("subnames")?)?, flags))
    };
    let (text, names, subnames, (is_absolute, has_property)) =
        parts().map_err(FeedError::Producer)?;
    let (names, subnames) = (names.as_slice(), subnames.as_slice());
    let path = match &text {
        Some(text) => NodePathLeaf::Plain(text),
        None => NodePathLeaf::Names {
            names: Texts::of(&names),
            subnames: Texts::of(&subnames),
            is_absolute,
            has_property,
        },
    };
    consumer.leaf(Leaf::NodePath(&path)).map_err(FeedError::Consumer)
}

/// A leaf and its parts, which exist while the leaf is fed.
enum Kept {
    Rid(u64),
    ObjectId(u64),
    Signal(Vec<u8>, u64),
    Image([u32; 4], Vec<u8>),
    InputEvent(u32, u32, Vec<u8>),
    Int(Leaf<'static>),
    Float(f64),
    Flat(packed::Flat),
}

impl Kept {
    fn of(classes: &Classes, value: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = value.py();
        let is = |class: &Py<PyType>| value.is_instance(class.bind(py));
        let word = |name: &str| value.getattr(name)?.extract::<u32>();
        let bytes = |name: &str| {
            Ok::<_, PyErr>(value.getattr(name)?.extract::<Cow<'_, [u8]>>()?.into_owned())
        };
        if is(&classes.rid)? {
            return Ok(Self::Rid(value.getattr("id")?.extract()?));
        }
        if is(&classes.object_id)? {
            return Ok(Self::ObjectId(value.getattr("id")?.extract()?));
        }
        if is(&classes.signal)? {
            let name = attribute(value, "name")?;
            return Ok(Self::Signal(
                text::written(&name)?.into_owned(),
                value.getattr("object_id")?.extract()?,
            ));
        }
        if is(&classes.image)? {
            let words = [word("format")?, word("mipmaps")?, word("width")?, word("height")?];
            return Ok(Self::Image(words, bytes("data")?));
        }
        if is(&classes.input_event)? {
            return Ok(Self::InputEvent(word("event")?, word("device")?, bytes("payload")?));
        }
        // The value may be a number of another library. A number of numpy also exports a buffer, but does not have
        // elements.
        if value.hasattr("__index__")? && !is_array(value)? {
            return Ok(Self::Int(int(&value.call_method0("__index__")?, false)?));
        }
        if value.hasattr("__float__")? && !is_array(value)? {
            return Ok(Self::Float(value.call_method0("__float__")?.extract()?));
        }
        packed::Flat::of_buffer(value).map(Self::Flat)
    }
}

/// Whether a value has elements.
fn is_array(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    if value.is_instance_of::<PyByteArray>() || value.is_instance_of::<PyMemoryView>() {
        return Ok(true);
    }
    value.hasattr("__len__")
}
