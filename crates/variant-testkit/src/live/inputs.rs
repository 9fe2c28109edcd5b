//! The inputs for engines: values of all kinds, intact and damaged.

use variant_owned::{
    Array, Dictionary, ElementType, EncodeOptions, KeyRule, Object, Text, Variant, encode,
};
use variant_view::{Dialect, Kind};

use super::{Ask, Input};
use crate::builder::Builder;
use crate::corpus;
use crate::departures::{Asked, Classes};
use crate::made;
use crate::mutate::mutate;
use crate::random::Random;

/// The maximum size of an input.
const LONGEST: usize = 4_096;

/// The maximum size of the vectors from which inputs are made. Longer vectors may be so deep that Godot 3 crashes.
const LONGEST_SEED: usize = 800;

/// Makes inputs from bytes that an engine has written, from values that it may write, and from nearly equal keys. Also
/// makes objects, and containers that declare their types.
#[derive(Debug)]
pub struct Inputs {
    dialect: Dialect,
    random: Random,
    vectors: Vec<Vec<u8>>,
    objects: Vec<Vec<u8>>,
}

impl Inputs {
    /// Inputs for an engine with these classes.
    pub fn new(dialect: Dialect, classes: &Classes) -> Self {
        let vectors = vectors(dialect);
        let vectors = vectors.into_iter().filter(|bytes| bytes.len() <= LONGEST_SEED).collect();
        let objects = objects(dialect, classes);
        Self { dialect, vectors, objects, random: Random::new(0x11fe_c0de) }
    }

    /// A request to read a value and write it again.
    pub fn input(&mut self) -> Input {
        let bytes = self.bytes();
        let objects = self.random.below(3) == 0 && Asked::may_create(self.dialect, &bytes);
        Input { ask: Ask::Value, bytes, objects }
    }

    fn bytes(&mut self) -> Vec<u8> {
        loop {
            let (mut bytes, most) = match self.random.below(8) {
                0 | 1 => (self.vector(), 4),
                2..=4 => (made::nested(&mut self.random, self.dialect, 3), 4),
                5 | 6 => (self.similar_keys(), 2),
                _ => (self.object(), 3),
            };
            for _ in 0..self.random.below(most) {
                mutate(&mut self.random, &mut bytes);
            }
            if bytes.len() <= LONGEST {
                return bytes;
            }
        }
    }

    fn vector(&mut self) -> Vec<u8> {
        one_of(&mut self.random, &self.vectors)
    }

    /// An object, or a container with a declared type, or an array of several of both.
    fn object(&mut self) -> Vec<u8> {
        let count = self.random.below(4);
        if count == 0 {
            return one_of(&mut self.random, &self.objects);
        }
        let mut bytes = made::container(self.dialect, Kind::Array, count);
        for _ in 0..count {
            bytes.extend(one_of(&mut self.random, &self.objects));
        }
        bytes
    }

    /// A dictionary of two pairs with equal or slightly different keys.
    fn similar_keys(&mut self) -> Vec<u8> {
        let key = match self.random.below(3) {
            0 => self.vector(),
            1 => made::value(&mut self.random, self.dialect),
            _ => Builder::new().u32(4).text("abcd").build().bytes,
        };
        let other = self.similar(&key);
        let head = made::container(self.dialect, Kind::Dictionary, 2);
        let value = |value| Builder::new().u32(2).u32(value).build().bytes;
        [head, key, value(1), other, value(2)].concat()
    }

    fn similar(&mut self, key: &[u8]) -> Vec<u8> {
        let mut other = key.to_vec();
        match self.random.below(4) {
            0 => {}
            1 => mutate(&mut self.random, &mut other),
            // A text that the engine reads as an equal or a similar text.
            _ if key.ends_with(b"abcd") => {
                let texts: [&[u8]; 5] = [
                    b"\xef\xbb\xbfabcd",
                    b"abcd\0e",
                    b"\xe0\x81\xa1bcd",
                    b"abc\xf0\x80\x8a\xa4",
                    b"\xef\xbb\xbf\xef\xbb\xbfabcd",
                ];
                let kind = self.random.pick(&[Kind::String, Kind::StringName]);
                let id = self.dialect.id(kind).unwrap_or(4);
                other = Builder::new().u32(id.into()).text(self.random.pick(&texts)).build().bytes;
            }
            // Changes the sign of a number.
            _ => {
                let at = self.random.below(other.len().saturating_sub(4)).saturating_add(4) | 3;
                if let Some(byte) = other.get_mut(at) {
                    *byte ^= 0x80;
                }
            }
        }
        other
    }
}

fn one_of(random: &mut Random, from: &[Vec<u8>]) -> Vec<u8> {
    from.get(random.below(from.len())).cloned().unwrap_or_default()
}

/// The bytes that an engine wrote for values, from its records. The engine also reads these bytes.
pub fn vectors(dialect: Dialect) -> Vec<Vec<u8>> {
    let is_its = |(of, path): &(Dialect, std::path::PathBuf)| {
        *of == dialect && path.ends_with("single.vectors.jsonl")
    };
    let files = corpus::record_files().into_iter().filter(is_its);
    let cases = files.flat_map(|(_, path)| corpus::read_cases(&path).expect("the corpus is there"));
    cases.map(|case| case.bytes).collect()
}

/// Objects, and containers that declare one kind, class or script.
fn objects(dialect: Dialect, classes: &Classes) -> Vec<Vec<u8>> {
    let mut values: Vec<Variant> =
        Classes::names().iter().map(|name| object(name).into()).collect();
    let element_types = element_types(dialect, classes);
    for element_type in &element_types {
        values.extend(array(dialect, element_type));
    }
    if dialect == Dialect::Godot4 {
        let next = element_types.iter().cycle().skip(7);
        values
            .extend(element_types.iter().zip(next).map(|(keys, values)| dictionary(keys, values)));
    }
    let options = EncodeOptions::new(dialect);
    // `encode` fails for an element type that the dialect cannot declare. Such values are left out.
    values.iter().filter_map(|value| encode(value, options).ok()).collect()
}

fn object(class: &str) -> Object {
    let mut object = Object::new(class);
    if let Some(properties) = object.properties_mut() {
        properties.push("zz", 1);
        if class == "Resource" {
            properties.push("resource_name", "a name");
        } else if class == "EncodedObjectAsID" {
            properties.push("object_id", -5);
        }
    }
    object
}

fn element_types(dialect: Dialect, classes: &Classes) -> Vec<ElementType> {
    let mut types = Vec::new();
    if !matches!(dialect, Dialect::Godot4 | Dialect::Pandemonium5) {
        return types;
    }
    types.extend(dialect.kinds().iter().map(|kind| ElementType::Builtin(*kind)));
    types.extend(Classes::names().iter().map(|name| ElementType::Class((*name).into())));
    if dialect == Dialect::Godot4 {
        let nowhere = ["res://nowhere.gd", "thing.gd"].map(Text::from);
        let scripts = classes.scripts().iter().cloned().chain(nowhere);
        types.extend(scripts.map(ElementType::Script));
    }
    types
}

/// Elements of three sorts: those that fit a declared type, those that the engine converts to it, and those that it
/// drops.
fn elements() -> Vec<Variant> {
    vec![
        Variant::Nil,
        true.into(),
        16_777_217.into(),
        0.1.into(),
        "a".into(),
        Object::Null.into(),
        Object::Id(5).into(),
    ]
}

fn array(dialect: Dialect, element_type: &ElementType) -> Vec<Variant> {
    let mut array = Array::with_type(element_type.clone());
    array.extend(elements());
    if let ElementType::Class(_) = element_type {
        array.extend(["Resource", "EncodedObjectAsID"].map(object));
    }
    if dialect == Dialect::Pandemonium5 {
        return vec![Variant::TypedArray(array.clone()), Variant::PackedTypedArray(array)];
    }
    array.push(Variant::StringName("b".into()));
    vec![array.into()]
}

fn dictionary(keys: &ElementType, values: &ElementType) -> Variant {
    let mut dictionary = Dictionary::with_rule(KeyRule::of(Dialect::Godot4));
    dictionary.set_types(keys.clone(), values.clone());
    for element in elements() {
        dictionary.insert(element.clone(), element);
    }
    dictionary.into()
}
