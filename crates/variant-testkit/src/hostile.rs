//! Values that a program may build. Some dialects cannot express some of them.

use arbitrary::{Result, Unstructured};
use variant_owned::{
    Array, Dictionary, ElementType, Float, Image, InputEvent, Int, KeyRule, NodePath, Object,
    Signal, Text, Variant,
};
use variant_view::{Dialect, Kind, Width};

use crate::values::leaf;

/// Keys that look like a path or like another key, or that have invisible characters.
#[rustfmt::skip]
pub const KEYS: [&str; 33] = [
    "", "a", "a.b", "a[0]", "[0]", "{0}", "0", "-1", "*", "..", "?", "&a", "\"", "'", "\"'",
    "\"]", "']", "frame 1: a", "setting 2: a", "(root)", "@16", "#1", "a = b", "a: b", " ", "\n",
    "\t", "\u{1b}[2J", "\u{202e}", "\\", "\\n", "d\u{e9}", "Vector2i(1, 0)",
];

/// The maximum depth of a generated value, without the containers that [`variant`] sometimes puts around it.
const DEPTH: u32 = 4;

/// Any value. Most of its kinds and rules are from `dialect`, so that the dialect can express some of the values.
pub fn variant(u: &mut Unstructured<'_>, dialect: Dialect) -> Result<Variant> {
    let mut hostile = Hostile { u, dialect };
    let is_deep = hostile.one_in(64)?;
    let kind = hostile.u.int_in_range(0..=3)?;
    let mut value = hostile.value(DEPTH)?;
    let levels = match (is_deep, kind) {
        (false, _) => 0,
        // Each container is a key of the next one. Each level compares all keys below it, so there are few levels.
        (true, 3) => 50,
        // The depth limit is within this range.
        (true, _) => hostile.u.int_in_range(1_000..=1_100)?,
    };
    for _ in 0..levels {
        value = hostile.around(value, kind);
    }
    Ok(value)
}

/// Bytes with a meaning for readers of texts.
const TEXTS: [&[u8]; 14] = [
    b"",
    b"\0",
    b"\0x",
    b"a",
    b"a\0b",
    b"\xef\xbb\xbf",
    b"\xef\xbb\xbf\0",
    b"\xef\xbb\xbfa",
    b"Resource",
    b"\xe0\x81\xa1",
    b"\xed\xa0\x80",
    b"\xff",
    b"res://a.gd",
    b"a text of more than some bytes: \xf0\x9f\x98\x80",
];

struct Hostile<'u, 'b> {
    u: &'u mut Unstructured<'b>,
    dialect: Dialect,
}

impl Hostile<'_, '_> {
    fn one_in(&mut self, n: u8) -> Result<bool> {
        self.u.ratio(1, n)
    }

    fn value(&mut self, depth: u32) -> Result<Variant> {
        if self.u.is_empty() {
            return Ok(Variant::Nil);
        }
        let kind = self.kind()?;
        match (kind, depth.checked_sub(1)) {
            (Kind::Dictionary, Some(inside)) => self.dictionary(inside).map(Variant::from),
            (Kind::Array, Some(inside)) => self.array(inside).map(Variant::Array),
            (Kind::TypedArray, Some(inside)) => self.array(inside).map(Variant::TypedArray),
            (Kind::PackedTypedArray, Some(inside)) => {
                self.array(inside).map(Variant::PackedTypedArray)
            }
            (Kind::Object, Some(inside)) => self.object(inside).map(Variant::from),
            _ => self.leaf(kind),
        }
    }

    /// A kind, usually one of the dialect.
    fn kind(&mut self) -> Result<Kind> {
        let kinds = if self.one_in(32)? { Kind::ALL } else { self.dialect.kinds() };
        self.u.choose(kinds).copied()
    }

    fn leaf(&mut self, kind: Kind) -> Result<Variant> {
        Ok(match kind {
            Kind::Int => Variant::Int(self.int()?),
            Kind::Float => Variant::Float(self.float()?),
            Kind::String => Variant::String(self.text()?),
            Kind::StringName => Variant::StringName(self.text()?),
            Kind::NodePath => self.node_path()?.into(),
            Kind::Rid => Variant::Rid(self.u.arbitrary()?),
            Kind::Object => match self.u.arbitrary::<u8>()? {
                0..64 => Object::Null.into(),
                64..128 => Object::Id(0).into(),
                _ => Object::Id(self.u.arbitrary()?).into(),
            },
            Kind::Signal => Signal { name: self.text()?, object_id: self.u.arbitrary()? }.into(),
            Kind::Image => Variant::Image(Box::new(self.image()?)),
            Kind::InputEvent => Variant::InputEvent(Box::new(self.input_event()?)),
            Kind::PackedStringArray => Variant::PackedStringArray(self.texts()?),
            Kind::Dictionary => Dictionary::new().into(),
            Kind::Array => Array::with_type(self.element_type()?).into(),
            Kind::TypedArray => Variant::TypedArray(Array::with_type(self.element_type()?)),
            Kind::PackedTypedArray => {
                Variant::PackedTypedArray(Array::with_type(self.element_type()?))
            }
            other => {
                let is_double = self.one_in(4)?;
                leaf(self.u, other, self.dialect, is_double)?
            }
        })
    }

    fn int(&mut self) -> Result<Int> {
        let value =
            if self.one_in(8)? { self.u.arbitrary()? } else { self.u.arbitrary::<i32>()?.into() };
        let width = if self.u.arbitrary()? { Width::W64 } else { Width::W32 };
        Ok(Int::with_width(value, width))
    }

    fn float(&mut self) -> Result<Float> {
        Ok(match self.u.int_in_range(0..=2)? {
            0 => Float::from(self.u.arbitrary::<f32>()?),
            1 => Float::wide(self.u.arbitrary()?),
            _ => Float::new(self.u.arbitrary()?),
        })
    }

    /// A text. A few texts are invalid in every dialect.
    fn text(&mut self) -> Result<Text> {
        if self.one_in(24)? {
            return self.u.choose(&TEXTS).map(|text| Text::from_bytes(text));
        }
        if self.one_in(48)? {
            return self.u.arbitrary().map(|bytes: &[u8]| Text::from_bytes(bytes));
        }
        self.u.arbitrary().map(|text: &str| Text::from(text))
    }

    fn texts(&mut self) -> Result<Vec<Text>> {
        let len = self.u.int_in_range(0..=3)?;
        (0..len).map(|_| self.text()).collect()
    }

    fn node_path(&mut self) -> Result<NodePath> {
        Ok(NodePath {
            names: self.texts()?,
            subnames: self.texts()?,
            is_absolute: self.u.arbitrary()?,
            has_property: self.one_in(8)?,
            plain: if self.one_in(8)? { Some(self.text()?) } else { None },
        })
    }

    fn image(&mut self) -> Result<Image> {
        let [format, mipmaps, width, height] = self.u.arbitrary()?;
        Ok(Image { format, mipmaps, width, height, data: self.u.arbitrary()? })
    }

    fn input_event(&mut self) -> Result<InputEvent> {
        let event =
            if self.one_in(4)? { self.u.arbitrary()? } else { self.u.int_in_range(0..=7)? };
        let payload = self.u.int_in_range(0..=9)?;
        let payload = if payload < 6 { payload & 4 } else { payload };
        Ok(InputEvent { event, device: self.u.arbitrary()?, payload: vec![7; payload] })
    }

    /// A declared type, usually none.
    fn element_type(&mut self) -> Result<ElementType> {
        if !self.one_in(3)? {
            return Ok(ElementType::Any);
        }
        Ok(match self.u.int_in_range(0..=7)? {
            0 => ElementType::Class(self.text()?),
            1 => ElementType::Class(Text::new()),
            2 => ElementType::Script(self.text()?),
            3 => ElementType::Unknown(self.u.arbitrary()?),
            4 => ElementType::Unknown(self.u.int_in_range(0..=48)?),
            _ => ElementType::Builtin(self.kind()?),
        })
    }

    fn array(&mut self, depth: u32) -> Result<Array> {
        let mut array = Array::with_type(self.element_type()?);
        array.set_shared(self.one_in(8)?);
        for _ in 0..self.u.int_in_range(0..=4)? {
            array.push(self.value(depth)?);
        }
        Ok(array)
    }

    /// A dictionary, usually with the dialect's rule for keys.
    fn dictionary(&mut self, depth: u32) -> Result<Dictionary> {
        let dialect = if self.one_in(8)? { *self.u.choose(Dialect::ALL)? } else { self.dialect };
        let mut dictionary = Dictionary::with_rule(KeyRule::of(dialect));
        if self.one_in(8)? {
            dictionary.set_types(self.element_type()?, self.element_type()?);
        }
        dictionary.set_shared(self.one_in(8)?);
        for _ in 0..self.u.int_in_range(0..=4)? {
            let key =
                if self.one_in(3)? { self.value(depth)? } else { Variant::String(self.text()?) };
            let value = self.value(depth)?;
            let _ = dictionary.insert(key, value);
        }
        Ok(dictionary)
    }

    fn object(&mut self, depth: u32) -> Result<Object> {
        if self.one_in(4)? {
            return Ok(Object::Null);
        }
        let class = if self.one_in(2)? { "Resource".into() } else { self.text()? };
        let mut object = Object::new(class);
        for _ in 0..self.u.int_in_range(0..=3)? {
            let name = self.text()?;
            let value = self.value(depth)?;
            if let Some(properties) = object.properties_mut() {
                properties.push(name, value);
            }
        }
        Ok(object)
    }

    /// A container that has only `value`. `kind` picks its kind.
    fn around(&self, value: Variant, kind: u8) -> Variant {
        match kind {
            0 => Array::from_iter([value]).into(),
            1 => {
                let mut dictionary = Dictionary::with_rule(KeyRule::of(self.dialect));
                let _ = dictionary.insert(Text::from("k"), value);
                dictionary.into()
            }
            2 if self.dialect.writes_objects() => {
                let mut object = Object::new("Resource");
                if let Some(properties) = object.properties_mut() {
                    properties.push("p", value);
                }
                object.into()
            }
            _ => {
                let mut dictionary = Dictionary::with_rule(KeyRule::of(self.dialect));
                let _ = dictionary.insert(value, Variant::Nil);
                dictionary.into()
            }
        }
    }
}
