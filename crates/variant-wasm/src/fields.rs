//! A few values of a packet, by their paths.

use core::array;

use variant_view::{
    Document, Error, ErrorClass, FeedError, Key, Options, PathStep, Producer as _, VariantView,
};
use wasm_bindgen::prelude::{JsError, JsValue, wasm_bindgen};

use crate::codec::Codec;
use crate::words::WordWriter;
use crate::{failure, options};

/// Paths that are resolved once. Then their values are read from any number of packets.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Fields {
    options: Options,
    all: Vec<Field>,
    /// Whether each path begins with a key. Then passes over the keys of the root find all fields.
    are_keys: bool,
}

#[wasm_bindgen]
impl Fields {
    /// # Errors
    /// One of the texts is not a path.
    #[wasm_bindgen(constructor)]
    pub fn new(
        paths: Vec<String>,
        dialect: u32,
        flags: u32,
        depth: u32,
        values: u32,
    ) -> Result<Self, JsValue> {
        let options = options::read(dialect, flags, depth, values)?;
        let all = paths.into_iter().map(Field::new).collect::<Result<Vec<_>, _>>()?;
        // Without fields, there is no pass over the keys, and nothing would check the packet. So this is false.
        let are_keys = !all.is_empty() && all.iter().all(|field| field.key.is_some());
        Ok(Self { options, all, are_keys })
    }

    /// Reads the fields of the value at the start of the input's first `len` bytes, and checks the whole value. Returns
    /// the number of words that JavaScript has not taken yet. Each field is written as a value, or as missing.
    pub fn read(&self, len: usize) -> usize {
        Codec::read(len, |bytes, writer| {
            let document = Document::new(bytes, self.options);
            self.write(&document, writer).map_err(|error| match error {
                FeedError::Producer(error) => failure::read(&document, &error),
                FeedError::Consumer(thrown) => thrown,
            })
        })
    }
}

impl Fields {
    /// Writes the fields as words. Returns 0 as the number of bytes read, since no caller uses that number.
    fn write(
        &self,
        document: &Document<'_>,
        writer: &mut WordWriter<'_>,
    ) -> Result<usize, FeedError<Error, JsValue>> {
        let found = match *self.all.as_slice() {
            _ if !self.are_keys => None,
            [_] => write_keys::<1>(document, &self.all, writer)?,
            [_, _] => write_keys::<2>(document, &self.all, writer)?,
            [_, _, _] => write_keys::<3>(document, &self.all, writer)?,
            [_, _, _, _] => write_keys::<4>(document, &self.all, writer)?,
            _ => write_keys::<8>(document, &self.all, writer)?,
        };
        if found.is_none() {
            document.validate().map_err(FeedError::Producer)?;
            for field in &self.all {
                write(document.at(&field.path), writer)?;
            }
        }
        Ok(0)
    }
}

/// Writes fields of a root that has keys, `N` fields in each pass. If the root has no keys, returns `None` and writes
/// nothing.
#[inline]
fn write_keys<const N: usize>(
    document: &Document<'_>,
    fields: &[Field],
    writer: &mut WordWriter<'_>,
) -> Result<Option<()>, FeedError<Error, JsValue>> {
    let mut is_valid = false;
    for fields in fields.chunks(N) {
        // The last pass may have fewer than `N` fields. Its remaining keys are nil, and their values are ignored.
        let keys: [Key<'_>; N] = array::from_fn(|at| fields.get(at).map_or(Key::Nil, Field::key));
        let values =
            if is_valid { document.get_many(keys) } else { document.validated_get_many(keys) };
        let values = match values {
            Ok(values) => values,
            Err(error) if error.class() == ErrorClass::Mismatch => return Ok(None),
            Err(error) => return Err(FeedError::Producer(error)),
        };
        is_valid = true;
        for (field, value) in fields.iter().zip(values) {
            field.write(value, writer)?;
        }
    }
    Ok(Some(()))
}

/// Writes a value that was looked up. Not inlined, since the function contains a whole reader.
#[inline(never)]
fn write(
    found: Result<VariantView<'_>, Error>,
    writer: &mut WordWriter<'_>,
) -> Result<(), FeedError<Error, JsValue>> {
    match found {
        Ok(value) => value.feed(writer),
        // The path has no value.
        Err(error) if error.class() == ErrorClass::Mismatch => {
            writer.missing().map_err(FeedError::Consumer)
        }
        Err(error) => Err(FeedError::Producer(error)),
    }
}

#[derive(Debug)]
struct Field {
    path: String,
    /// The first step of the path, if it is a key.
    key: Option<FirstKey>,
    /// The offset at which the second step of the path starts, or the length of the path if it has only one step.
    rest: usize,
}

#[derive(Debug)]
enum FirstKey {
    String(Box<[u8]>),
    StringName(Box<[u8]>),
    Int(i64),
}

impl Field {
    fn new(path: String) -> Result<Self, JsValue> {
        let second = PathStep::parse_at(&path).nth(1);
        let rest = second.and_then(|(column, _)| usize::try_from(column).ok());
        let rest = rest.unwrap_or(path.len());
        let mut steps = PathStep::parse(&path);
        let first = steps.next();
        let key = match &first {
            Some(Ok(PathStep::Name(name))) => Some(FirstKey::String(name.as_bytes().into())),
            Some(Ok(PathStep::StringName(name))) => {
                Some(FirstKey::StringName(name.as_bytes().into()))
            }
            Some(Ok(PathStep::Number(number))) => Some(FirstKey::Int(*number)),
            _ => None,
        };
        if let Some(Err(error)) = first.into_iter().chain(steps).find(Result::is_err) {
            return Err(JsError::new(&format!("{path}: {error}")).into());
        }
        Ok(Self { path, key, rest })
    }

    /// The key of the first step. Nil if the step is not a key.
    fn key(&self) -> Key<'_> {
        match &self.key {
            Some(FirstKey::String(name)) => Key::String(name),
            Some(FirstKey::StringName(name)) => Key::StringName(name),
            Some(FirstKey::Int(number)) => Key::Int(*number),
            None => Key::Nil,
        }
    }

    /// Writes the field. `value` is the value at the first step.
    #[inline]
    fn write(
        &self,
        value: Option<VariantView<'_>>,
        writer: &mut WordWriter<'_>,
    ) -> Result<(), FeedError<Error, JsValue>> {
        match (value, self.path.get(self.rest..)) {
            (None, _) => writer.missing().map_err(FeedError::Consumer),
            (Some(value), None | Some("")) => write(Ok(value), writer),
            (Some(value), Some(rest)) => write(value.at(rest), writer),
        }
    }
}
