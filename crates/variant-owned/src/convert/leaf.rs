//! Converts values without children (docs/dialects.md).

use std::borrow::Cow;

use variant_view::{
    Consumer, Dialect, Kind, Leaf, Number, NumberType, Numbers, Shape, Texts, Width, Wire,
};

use super::{ConvertError, Converter, ConverterError, Loss};
use crate::array::{Array, ElementType};
use crate::dictionary::Dictionary;
use crate::encode::legal;
use crate::event;
use crate::key::KeyRule;
use crate::leaf::{self, Float, Int, NodePath, Signal};
use crate::text::Text;
use crate::variant::Variant;

type Result<T, E = ConvertError> = std::result::Result<T, E>;

impl<C: Consumer> Converter<'_, C> {
    /// Feeds a leaf to the consumer, converted if necessary. `is_mixed`: the value is a node path that has both a plain
    /// text and names, and `leaf` has only the names.
    pub(super) fn value(
        &mut self,
        leaf: Leaf<'_>,
        is_mixed: bool,
    ) -> Result<(), ConverterError<C::Error>> {
        self.path.leaf(&leaf);
        self.begin();
        let converted = self.convert_leaf(&leaf, is_mixed)?;
        let admitted = match &converted {
            Some(value) => value.with_leaf(|leaf| self.admit(&leaf))?,
            None => self.admit(&leaf)?,
        };
        self.give_value(leaf, admitted.or(converted))?;
        self.groups.leave();
        Ok(())
    }

    /// Feeds a leaf, or the value that replaces it.
    fn give_value(
        &mut self,
        leaf: Leaf<'_>,
        changed: Option<Variant>,
    ) -> Result<(), ConverterError<C::Error>> {
        let given = if let Some(value) = changed {
            let Ok(()) = event::feed(&value, &mut self.keys, &event::leaf);
            event::feed(&value, &mut self.inner, &event::leaf)
        } else {
            let Ok(()) = self.keys.leaf(leaf);
            self.inner.leaf(leaf)
        };
        given.map_err(ConverterError::Consumer)
    }

    /// Converts a leaf to the target; `None` if the target has the same leaf.
    fn convert_leaf(&mut self, leaf: &Leaf<'_>, is_mixed: bool) -> Result<Option<Variant>> {
        let kind = leaf.kind();
        match *leaf {
            Leaf::Int { value, .. } => self.int(value).map(Some),
            Leaf::Float { bits, width } => self.float(Float::from_wire(bits, width)).map(Some),
            Leaf::String(text) => Ok(changed_text(self.text(text, kind)?).map(Variant::String)),
            Leaf::StringName(text) if self.has(kind) => {
                Ok(changed_text(self.text(text, kind)?).map(Variant::StringName))
            }
            Leaf::StringName(text) => {
                let text = self.text(text, kind)?;
                self.becomes(kind, Variant::String((&*text).into()), Loss::Kind)
            }
            Leaf::NodePath(path) => self.node_path(&path.into(), is_mixed).map(Some),
            Leaf::Numbers(numbers) => self.numbers(&numbers),
            Leaf::Strings(texts) => self.texts(texts),
            Leaf::Rid(id) => self.rid(id),
            Leaf::Signal { name, object_id } => self.signal(name, object_id),
            Leaf::NullObject => self.object(None),
            Leaf::ObjectId(id) => self.object(Some(id)),
            Leaf::InputEvent { event, device, payload }
                if !self.has(kind) || legal::input_event(event, payload.len()).is_err() =>
            {
                let words = [("event", event), ("device", device)];
                let (dictionary, loss) = self.record(&words, ("payload", payload));
                self.becomes(kind, dictionary, loss)
            }
            _ if self.has(kind) => Ok(None),
            Leaf::Image { format, mipmaps, width, height, data } => {
                let size = [("width", width), ("height", height)];
                let words = [[("format", format), ("mipmaps", mipmaps)], size];
                let (dictionary, loss) = self.record(words.as_flattened(), ("data", data));
                self.becomes(kind, dictionary, loss)
            }
            // A callable has only a header on the wire, and no value, so it becomes nil.
            _ => self.becomes(kind, Variant::Nil, Loss::Value),
        }
    }

    /// Reports a change to another value, and returns that value.
    fn becomes(&mut self, from: Kind, value: Variant, loss: Loss) -> Result<Option<Variant>> {
        self.changed(from, value.kind(), loss)?;
        Ok(Some(value))
    }

    fn int(&mut self, value: i64) -> Result<Variant> {
        let fits = i32::try_from(value).is_ok();
        if fits || self.target.int_width() != Some(Width::W32) {
            return Ok(Variant::Int(Int::new(value)));
        }
        let (float, loss) = nearest_float(value);
        self.changed(Kind::Int, Kind::Float, loss)?;
        Ok(Variant::Float(float))
    }

    fn float(&mut self, float: Float) -> Result<Variant> {
        let written = match float.width() {
            // A 32-bit NaN becomes a 64-bit NaN, because the engine's writer writes every NaN in 64 bits.
            Width::W32 if float.value().is_nan() => {
                Float::from_wire(leaf::widened(float.low()), Width::W64)
            }
            Width::W32 => float,
            Width::W64 => Float::new(float.value()),
        };
        if written.width() == Width::W64 && !self.target.has_wide_scalars() {
            let (narrow, is_exact) = leaf::narrowed(written.value());
            if !is_exact {
                self.changed(Kind::Float, Kind::Float, Loss::Precision)?;
            }
            return Ok(Variant::Float(Float::from(narrow)));
        }
        Ok(Variant::Float(written))
    }

    /// Converts mathematical values and packed arrays of numbers by their shape.
    fn numbers(&mut self, numbers: &Numbers<'_>) -> Result<Option<Variant>> {
        let kind = numbers.kind();
        if !self.has(kind) {
            let (nearest, loss) = self.nearest(numbers);
            return self.becomes(kind, nearest, loss);
        }
        if numbers.width() == Width::W32 || self.has_wide_reals {
            return Ok(None);
        }
        let (narrow, is_exact) = narrowed(numbers);
        if !is_exact {
            self.changed(kind, kind, Loss::Precision)?;
        }
        Ok(Some(of_numbers(kind, &narrow)))
    }

    /// The nearest value that the target can hold. 32-bit integers become a value with the same fields if the target
    /// has such a kind. Otherwise the result is an array of numbers.
    fn nearest(&self, numbers: &Numbers<'_>) -> (Variant, Loss) {
        let shape = numbers.shape();
        match shape.number {
            NumberType::Byte | NumberType::Int32 => self.near_ints(numbers, shape),
            NumberType::Int64 => self.ints(&numbers.to_vec().unwrap_or_default()),
            NumberType::Float32 | NumberType::Float64 | NumberType::Real => self.floats(numbers),
        }
    }

    /// Converts 32-bit integers to an array of elements, to reals with the same fields, or to an array of integers.
    fn near_ints(&self, numbers: &Numbers<'_>, shape: Shape) -> (Variant, Loss) {
        let integers = || numbers.to_vec::<i32>().unwrap_or_default();
        let element = Shape { is_packed: false, ..shape };
        if let Some(kind) = self.kind_of(element).filter(|_| shape.is_packed) {
            let integers = integers();
            let elements = integers.chunks(shape.count.into());
            return (
                self.list(kind, elements.map(|element| of_numbers(kind, element))),
                Loss::Kind,
            );
        }
        if let Some(kind) = self.kind_of(Shape { number: NumberType::Real, ..shape }) {
            let (narrow, is_exact) = narrowed(numbers);
            let loss = if is_exact { Loss::Kind } else { Loss::Precision };
            return (of_numbers(kind, &narrow), loss);
        }
        (Variant::PackedInt32Array(integers()), Loss::Kind)
    }

    /// The kind with this shape, if the target has the kind. Vectors and quaternions have the same shape. For such a
    /// shape, only the first of the kinds in [`Kind::ALL`] counts.
    fn kind_of(&self, shape: Shape) -> Option<Kind> {
        let found = Kind::ALL.iter().copied().find(|kind| kind.shape() == Some(shape));
        found.filter(|&kind| self.has(kind))
    }

    /// A packed array of 32-bit integers if all values fit; otherwise an array of integers, or of floats if the target
    /// has no wider integers.
    fn ints(&self, values: &[i64]) -> (Variant, Loss) {
        let narrow: Option<Vec<i32>> = values.iter().map(|&value| value.try_into().ok()).collect();
        match narrow {
            Some(narrow) => (Variant::PackedInt32Array(narrow), Loss::Kind),
            None if self.target.int_width() != Some(Width::W32) => {
                (Variant::Array(values.iter().copied().collect()), Loss::Kind)
            }
            None => {
                let floats = || values.iter().map(|&value| nearest_float(value));
                let is_exact = floats().all(|(_, loss)| loss == Loss::Kind);
                let loss = if is_exact { Loss::Kind } else { Loss::Precision };
                (Variant::Array(floats().map(|(float, _)| float).collect()), loss)
            }
        }
    }

    /// A packed array of 32-bit floats, if these hold all numbers exactly or the target has no wider floats; otherwise
    /// an array of floats.
    fn floats(&self, numbers: &Numbers<'_>) -> (Variant, Loss) {
        let (narrow, is_exact) = narrowed(numbers);
        match (is_exact, self.target.has_wide_scalars()) {
            (true, _) => (Variant::PackedFloat32Array(narrow), Loss::Kind),
            (false, true) => {
                (Variant::Array(numbers.iter().map(Number::to_f64).collect()), Loss::Kind)
            }
            (false, false) => (Variant::PackedFloat32Array(narrow), Loss::Precision),
        }
    }

    /// An array of values of a kind that the target has, with a declared type if the target has typed containers.
    fn list(&self, kind: Kind, values: impl Iterator<Item = Variant>) -> Variant {
        let mut array: Array = values.collect();
        if self.target.has_typed_containers() {
            array.set_element_type(ElementType::Builtin(kind));
        }
        Variant::Array(array)
    }

    fn texts(&mut self, texts: Texts<'_>) -> Result<Option<Variant>> {
        let texts = texts.iter().map(|text| self.text(text, Kind::PackedStringArray));
        let texts = texts.collect::<Result<Vec<_>>>()?;
        if texts.iter().all(|text| matches!(text, Cow::Borrowed(_))) {
            return Ok(None);
        }
        let texts = texts.iter().map(|text| Text::from_bytes(text));
        Ok(Some(Variant::PackedStringArray(texts.collect())))
    }

    /// Converts a path that is one text to a path of names. Splits the text as the engine's parser does.
    fn node_path(&mut self, path: &NodePath, is_mixed: bool) -> Result<Variant> {
        let mut converted = match &path.plain {
            Some(plain) => {
                let text = plain.to_str_lossy();
                if let Cow::Owned(_) = text {
                    self.changed(Kind::NodePath, Kind::NodePath, Loss::Text)?;
                }
                NodePath::parse(&text)
            }
            None => path.clone(),
        };
        if is_mixed {
            self.changed(Kind::NodePath, Kind::NodePath, Loss::Value)?;
        }
        // The property is the last subname; only Godot 2 marks it as a property.
        converted.has_property &= self.target == Dialect::Godot2 && !converted.subnames.is_empty();
        for name in converted.names.iter_mut().chain(&mut converted.subnames) {
            if let Some(changed) = changed_text(self.text(name.as_bytes(), Kind::NodePath)?) {
                *name = changed;
            }
        }
        Ok(Variant::NodePath(Box::new(converted)))
    }

    fn rid(&mut self, id: u64) -> Result<Option<Variant>> {
        if !self.has(Kind::Rid) {
            let loss = if id == 0 { Loss::Kind } else { Loss::Id };
            return self.becomes(Kind::Rid, Variant::Nil, loss);
        }
        if id != 0 && !self.target.writes_rids() {
            return self.becomes(Kind::Rid, Variant::Rid(0), Loss::Id);
        }
        Ok(None)
    }

    fn signal(&mut self, name: &[u8], object_id: u64) -> Result<Option<Variant>> {
        let text = self.text(name, Kind::Signal)?;
        if !self.has(Kind::Signal) {
            return self.becomes(Kind::Signal, Variant::String((&*text).into()), Loss::Id);
        }
        let signal = |name| Variant::Signal(Box::new(Signal { name, object_id }));
        Ok(changed_text(text).map(signal))
    }

    /// Converts an object by id. Some targets write a null object as nil.
    fn object(&mut self, id: Option<u64>) -> Result<Option<Variant>> {
        match id {
            Some(_) if self.target.writes_objects() => Ok(None),
            Some(_) => self.becomes(Kind::Object, Variant::Nil, Loss::Id),
            None if self.has(Kind::Object) && !self.target.writes_objects() => Ok(None),
            None => self.becomes(Kind::Object, Variant::Nil, Loss::Kind),
        }
    }

    /// An unsigned 32-bit number as an integer; as a float if the target's integers cannot hold it.
    fn word(&self, word: u32) -> (Variant, Loss) {
        if self.target.has_wide_scalars() || i32::try_from(word).is_ok() {
            return (Variant::from(word), Loss::Kind);
        }
        let (float, loss) = nearest_float(word.into());
        (Variant::Float(float), loss)
    }

    /// A dictionary of numbers and data, and the worst loss among the numbers.
    fn record(&self, words: &[(&str, u32)], data: (&str, &[u8])) -> (Variant, Loss) {
        let mut dictionary = Dictionary::with_rule(KeyRule::of(self.target));
        let mut worst = Loss::Kind;
        for &(name, word) in words {
            let (number, loss) = self.word(word);
            dictionary.insert(name, number);
            worst = if loss == Loss::Kind { worst } else { loss };
        }
        dictionary.insert(data.0, data.1);
        (dictionary.into(), worst)
    }
}

/// The text, if it changed.
fn changed_text(text: Cow<'_, [u8]>) -> Option<Text> {
    match text {
        Cow::Borrowed(_) => None,
        Cow::Owned(text) => Some(Text::from_bytes(&text)),
    }
}

/// The numbers in 32 bits, and whether all are unchanged.
fn narrowed(numbers: &Numbers<'_>) -> (Vec<f32>, bool) {
    let mut is_exact = true;
    let narrow = numbers.iter().map(|number| {
        let (narrow, is_same) = match number {
            Number::Float32(bits) => (f32::from_bits(bits), true),
            other => leaf::narrowed(other.to_f64()),
        };
        is_exact &= is_same;
        narrow
    });
    let narrow = narrow.collect();
    (narrow, is_exact)
}

/// The value of a kind that consists of these numbers; their count must fit the kind.
fn of_numbers<T: Wire>(kind: Kind, numbers: &[T]) -> Variant {
    let numbers = Numbers::of(kind, &numbers);
    numbers.map_or(Variant::Nil, |numbers| Variant::from_numbers(&numbers))
}

/// The nearest 32-bit float. The integer is converted directly, so that it is rounded only once. The result has 32 bits
/// because Godot 2 has no wider floats, and because Godot 4 casts integers to 32 bits.
#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "the number is rounded on purpose, and compared afterwards"
)]
pub(super) fn nearest_float(value: i64) -> (Float, Loss) {
    let nearest = value as f32;
    let is_exact = nearest as i128 == i128::from(value);
    (Float::from(nearest), if is_exact { Loss::Kind } else { Loss::Precision })
}
