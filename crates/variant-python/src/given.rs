//! [`Given`]: feeds values of Python as events.

mod declared;
mod leaf;

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyMapping, PyString, PyTuple, PyType};
use variant_view::{
    ArrayHead, Consumer, DictionaryHead, FeedError, Head, Key as PathKey, Leaf, PathStep, Producer,
};

use self::declared::Declared;
use self::leaf::{int, rare, text_of};
use crate::classes::{Classes, classes};
use crate::container::place_of;
use crate::failure;
use crate::key::Key;
use crate::{packed, text};

/// A value of Python that is fed as events. Open containers are in a list, so that a deep value needs no deep stack.
pub(crate) struct Given<'v, 'py> {
    root: &'v Bound<'py, PyAny>,
    open: Vec<Open<'py>>,
    depth: u32,
    /// Whether each [`Key`] is fed as its digest.
    is_digested: bool,
}

/// A container whose items are being fed.
struct Open<'py> {
    items: Items<'py>,
    /// The number of items whose feeding has begun.
    begun: usize,
    /// The last key or name that was fed.
    key: Option<Bound<'py, PyAny>>,
}

enum Items<'py> {
    List(Bound<'py, PyList>),
    Tuple(Bound<'py, PyTuple>),
    /// The pairs of a mapping, and whether the value of the current pair comes next.
    Pairs {
        pairs: Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>)>,
        is_value_due: bool,
        has_names: bool,
    },
}

enum Step<'py> {
    Name(Bound<'py, PyAny>),
    Value(Bound<'py, PyAny>),
    End,
}

type Fed<E> = Result<(), FeedError<PyErr, E>>;

impl<'v, 'py> Given<'v, 'py> {
    pub(crate) const fn new(root: &'v Bound<'py, PyAny>, depth: u32) -> Self {
        Self { root, open: Vec::new(), depth, is_digested: false }
    }

    /// The same value, in which each [`Key`] is fed as its digest.
    #[must_use]
    pub(crate) fn digested(self) -> Self {
        Self { is_digested: true, ..self }
    }

    /// Feeds the value to the consumer. After an error, [`Given::path`] returns the path of the faulty value.
    pub(crate) fn tell<C: Consumer>(&mut self, consumer: &mut C) -> Fed<C::Error> {
        let classes = classes(self.root.py()).map_err(FeedError::Producer)?;
        self.value(classes, self.root, consumer)?;
        while let Some(open) = self.open.last_mut() {
            match open.next().map_err(FeedError::Producer)? {
                Step::Name(name) => {
                    let name = text_of(&name).map_err(FeedError::Producer)?;
                    let name = text::written(&name).map_err(FeedError::Producer)?;
                    consumer.name(&name).map_err(FeedError::Consumer)?;
                }
                Step::Value(value) => self.value(classes, &value, consumer)?,
                Step::End => {
                    consumer.exit().map_err(FeedError::Consumer)?;
                    self.open.pop();
                }
            }
        }
        Ok(())
    }

    /// The path of the value that was fed last.
    pub(crate) fn path(&self) -> String {
        let path: String = self.open.iter().map(Open::step).collect();
        path.strip_prefix('.').map_or_else(|| path.clone(), ToOwned::to_owned)
    }

    /// Feeds one value, or the head of a container.
    fn value<C: Consumer>(
        &mut self,
        classes: &Classes,
        value: &Bound<'py, PyAny>,
        consumer: &mut C,
    ) -> Fed<C::Error> {
        let mut leaf = |leaf: Leaf<'_>| consumer.leaf(leaf).map_err(FeedError::Consumer);
        if value.is_none() {
            return leaf(Leaf::Nil);
        }
        if let Ok(string) = value.cast::<PyString>() {
            let text = text::written(string).map_err(FeedError::Producer)?;
            let is_name = is_a(value, &classes.string_name)?;
            return leaf(if is_name { Leaf::StringName(&text) } else { Leaf::String(&text) });
        }
        if let Ok(value) = value.cast::<PyBool>() {
            return leaf(Leaf::Bool(value.is_true()));
        }
        if value.is_instance_of::<PyInt>() {
            let is_wide = is_a(value, &classes.int64)?;
            return leaf(int(value, is_wide).map_err(FeedError::Producer)?);
        }
        if let Ok(float) = value.cast::<PyFloat>() {
            let is_narrow = is_a(value, &classes.float32)?;
            let is_wide = is_a(value, &classes.float64)?;
            return leaf(leaf::float(float.value(), is_narrow, is_wide));
        }
        match self.container(classes, value, consumer)? {
            Entered::Yes => Ok(()),
            Entered::No => rare(classes, value, self.is_digested, consumer),
            Entered::Other(inner) => self.value(classes, &inner, consumer),
        }
    }

    /// Opens a value if it is a container.
    fn container<C: Consumer>(
        &mut self,
        classes: &Classes,
        value: &Bound<'py, PyAny>,
        consumer: &mut C,
    ) -> Result<Entered<'py>, FeedError<PyErr, C::Error>> {
        if let Ok(list) = value.cast::<PyList>() {
            Self::array(classes, value, consumer)?;
            self.enter(Items::List(list.clone()))?;
        } else if let Ok(tuple) = value.cast::<PyTuple>() {
            if is_a(value, &classes.math_base)? || is_a(value, &classes.packed_strings)? {
                return Ok(Entered::No);
            }
            enter(Head::Array(ArrayHead::default()), consumer)?;
            self.enter(Items::Tuple(tuple.clone()))?;
        } else if let Ok(dict) = value.cast::<PyDict>() {
            let pairs = Self::dictionary(classes, dict, consumer)?;
            self.enter(Items::Pairs { pairs, is_value_due: false, has_names: false })?;
        } else if is_a(value, &classes.object)? {
            let pairs = object(classes, value, consumer)?;
            self.enter(Items::Pairs { pairs, is_value_due: false, has_names: true })?;
        } else if let Ok(key) = value.cast::<Key>() {
            if self.is_digested {
                return Ok(Entered::No);
            }
            return Ok(Entered::Other(key.get().value().bind(value.py()).clone()));
        } else if place_of(value).is_none() && value.is_instance_of::<PyMapping>() {
            let pairs = pairs_of(value).map_err(FeedError::Producer)?;
            enter(Head::Dictionary(DictionaryHead::default()), consumer)?;
            self.enter(Items::Pairs { pairs, is_value_due: false, has_names: false })?;
        } else {
            return Ok(Entered::No);
        }
        Ok(Entered::Yes)
    }

    fn enter<E>(&mut self, items: Items<'py>) -> Fed<E> {
        // The root does not count as a level.
        if self.open.len() > usize::try_from(self.depth).unwrap_or(usize::MAX) {
            let what = format!("nested deeper than {}, or within itself", self.depth);
            let error = failure::encode_at(self.root.py(), &what, &self.path());
            return Err(FeedError::Producer(error));
        }
        self.open.push(Open { items, begun: 0, key: None });
        Ok(())
    }

    fn array<C: Consumer>(
        classes: &Classes,
        list: &Bound<'py, PyAny>,
        consumer: &mut C,
    ) -> Fed<C::Error> {
        if !is_a(list, &classes.array)? {
            return enter(Head::Array(ArrayHead::default()), consumer);
        }
        let declared = || {
            let element_type = Declared::of(&list.getattr("element_type")?)?;
            let kind = packed::kind(&list.getattr("kind")?.extract::<String>()?)?;
            Ok((element_type, kind, list.getattr("is_shared")?.is_truthy()?))
        };
        let (element_type, kind, is_shared) = declared().map_err(FeedError::Producer)?;
        let mut head = ArrayHead { kind, is_shared, ..ArrayHead::default() };
        head.element_type = element_type.get();
        enter(Head::Array(head), consumer)
    }

    fn dictionary<C: Consumer>(
        classes: &Classes,
        dict: &Bound<'py, PyDict>,
        consumer: &mut C,
    ) -> Result<Pairs<'py>, FeedError<PyErr, C::Error>> {
        if !is_a(dict.as_any(), &classes.dictionary)? {
            enter(Head::Dictionary(DictionaryHead::default()), consumer)?;
            return Ok(dict.iter().collect());
        }
        let declared = || {
            let key_type = Declared::of(&dict.getattr("key_type")?)?;
            let value_type = Declared::of(&dict.getattr("value_type")?)?;
            let is_shared = dict.getattr("is_shared")?.is_truthy()?;
            Ok((key_type, value_type, is_shared, kept_pairs(dict)?))
        };
        let (key_type, value_type, is_shared, pairs) = declared().map_err(FeedError::Producer)?;
        let mut head = DictionaryHead { is_shared, ..DictionaryHead::default() };
        (head.key_type, head.value_type) = (key_type.get(), value_type.get());
        enter(Head::Dictionary(head), consumer)?;
        Ok(pairs)
    }
}

type Pairs<'py> = Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>)>;

/// Whether a value was a container.
enum Entered<'py> {
    Yes,
    No,
    /// The value represents another value, which is fed instead.
    Other(Bound<'py, PyAny>),
}

impl<'py> Open<'py> {
    fn next(&mut self) -> PyResult<Step<'py>> {
        let Self { items, begun, key } = self;
        let item = match items {
            // The length is read for each item, since other threads or getters may change the list during the loop.
            Items::List(list) if *begun < list.len() => list.get_item(*begun)?,
            Items::Tuple(tuple) if *begun < tuple.len() => tuple.get_item(*begun)?,
            Items::List(_) | Items::Tuple(_) => return Ok(Step::End),
            Items::Pairs { pairs, is_value_due, has_names } => {
                let at = if *is_value_due { begun.saturating_sub(1) } else { *begun };
                let Some((name, value)) = pairs.get(at) else { return Ok(Step::End) };
                *is_value_due = !*is_value_due;
                if !*is_value_due {
                    return Ok(Step::Value(value.clone()));
                }
                *begun = begun.saturating_add(1);
                *key = Some(name.clone());
                return Ok(if *has_names {
                    Step::Name(name.clone())
                } else {
                    Step::Value(name.clone())
                });
            }
        };
        *begun = begun.saturating_add(1);
        Ok(Step::Value(item))
    }

    /// The step of a path to the current item; empty before the first item.
    fn step(&self) -> String {
        let Some(at) = self.begun.checked_sub(1) else { return String::new() };
        let position = u32::try_from(at).unwrap_or(u32::MAX);
        let Items::Pairs { is_value_due, has_names, .. } = &self.items else {
            return PathStep::Number(position.into()).to_string();
        };
        if *is_value_due && !has_names {
            return PathStep::PositionKey(position).to_string();
        }
        let key = self.key.as_ref().and_then(|key| named_step(key));
        key.unwrap_or_else(|| PathStep::Position(position).to_string())
    }
}

/// The step to the value of a key; `None` if a path cannot name the key.
fn named_step(key: &Bound<'_, PyAny>) -> Option<String> {
    if let Ok(text) = key.cast::<PyString>() {
        return PathStep::of_key(PathKey::String(text.to_str().ok()?.as_bytes()))
            .map(|step| step.to_string());
    }
    if key.is_instance_of::<PyBool>() || !key.is_instance_of::<PyInt>() {
        return None;
    }
    PathStep::of_key(PathKey::Int(key.extract().ok()?)).map(|step| step.to_string())
}

impl Producer for Given<'_, '_> {
    type Error = PyErr;

    fn feed<C: Consumer>(mut self, consumer: &mut C) -> Result<(), FeedError<PyErr, C::Error>> {
        self.tell(consumer)
    }
}

fn enter<C: Consumer>(head: Head<'_>, consumer: &mut C) -> Fed<C::Error> {
    consumer.enter(head).map_err(FeedError::Consumer)
}

fn is_a<E>(value: &Bound<'_, PyAny>, class: &Py<PyType>) -> Result<bool, FeedError<PyErr, E>> {
    value.is_instance(class.bind(value.py())).map_err(FeedError::Producer)
}

/// The pairs of a mapping that is not a `dict`.
fn pairs_of<'py>(mapping: &Bound<'py, PyAny>) -> PyResult<Pairs<'py>> {
    let items = mapping.call_method0("items")?;
    items.try_iter()?.map(|pair| pair?.extract()).collect()
}

/// The pairs of a `Dictionary`: the pairs that were read or, if the `dict` was changed later, the pairs of the `dict`.
fn kept_pairs<'py>(dict: &Bound<'py, PyDict>) -> PyResult<Pairs<'py>> {
    let kept = dict.getattr("pairs")?;
    if kept.is_none() {
        return Ok(dict.iter().collect());
    }
    kept.try_iter()?.map(|pair| pair?.extract()).collect()
}

fn object<'py, C: Consumer>(
    classes: &Classes,
    value: &Bound<'py, PyAny>,
    consumer: &mut C,
) -> Result<Pairs<'py>, FeedError<PyErr, C::Error>> {
    let parts = || {
        let class = value.getattr("class_name")?.cast_into::<PyString>()?;
        let properties = value.getattr("properties")?;
        let pairs = match properties.cast::<PyDict>() {
            Ok(dict) if properties.is_instance(classes.dictionary.bind(value.py()))? => {
                kept_pairs(dict)?
            }
            Ok(dict) => dict.iter().collect(),
            Err(_) => pairs_of(&properties)?,
        };
        Ok((class, pairs))
    };
    let (class, pairs) = parts().map_err(FeedError::Producer)?;
    let class = text::written(&class).map_err(FeedError::Producer)?;
    enter(Head::object(&class), consumer)?;
    Ok(pairs)
}
