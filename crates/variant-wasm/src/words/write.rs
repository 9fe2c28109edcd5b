//! Writes events for JavaScript.

use js_sys::Function;
use variant_view::internal::ShortText;
use variant_view::{Consumer, ElementType, Head, Leaf, NodePathLeaf, Numbers, Width};
use wasm_bindgen::prelude::{JsError, JsValue};

use super::texts::{Telling, Texts};
use super::{FLAG_NAME, FLAG_SHARED, FLAG_WIDE, Op, SLOT, UNKNOWN, declared};

/// When the buffer has this number of words, JavaScript takes them. So the buffer is small even for a large value.
const FULL: usize = 1 << 15;

/// Writes events as words.
pub(crate) struct WordWriter<'w> {
    /// The input. Words locate texts and numbers in it.
    input: &'w [u8],
    words: &'w mut Vec<u32>,
    texts: &'w mut Texts,
    /// The function that takes words: `(address, count) => void`.
    drain: &'w Function,
}

impl<'w> WordWriter<'w> {
    pub(crate) fn new(
        input: &'w [u8],
        words: &'w mut Vec<u32>,
        texts: &'w mut Texts,
        drain: &'w Function,
    ) -> Self {
        Self { input, words, texts, drain }
    }

    /// Writes an event. The last words of a value stay in the buffer for the caller, so that a small packet causes no
    /// call of JavaScript.
    #[inline]
    fn event<const N: usize>(
        &mut self,
        op: Op,
        detail: u32,
        data: [u32; N],
    ) -> Result<(), JsValue> {
        if self.words.len() >= FULL {
            self.flush()?;
        }
        self.words.push(op.with(detail));
        self.words.extend_from_slice(&data);
        Ok(())
    }

    /// Writes a missing value.
    pub(crate) fn missing(&mut self) -> Result<(), JsValue> {
        self.event(Op::Missing, 0, [])
    }

    /// Lets JavaScript take the words. Not inlined, since each event would contain a copy.
    #[cold]
    fn flush(&mut self) -> Result<(), JsValue> {
        let address = JsValue::from(self.words.as_ptr());
        let count = JsValue::from(length(self.words.len()));
        self.drain.call2(&JsValue::UNDEFINED, &address, &count)?;
        self.words.clear();
        Ok(())
    }

    /// The address and the length of the bytes.
    fn place(&self, bytes: &[u8]) -> Result<[u32; 2], JsValue> {
        let (all, part) = (self.input.as_ptr_range(), bytes.as_ptr_range());
        if bytes.is_empty() {
            Ok([0, 0])
        } else if all.start <= part.start && part.end <= all.end {
            Ok([length(bytes.as_ptr().addr()), length(bytes.len())])
        } else {
            Err(outside())
        }
    }

    fn text(&mut self, flags: u32, text: &[u8]) -> Result<(), JsValue> {
        match self.texts.tell(text) {
            Telling::Known(slot) => self.event(Op::Known, flags | (slot << SLOT), []),
            Telling::Learn(slot) => {
                let place = self.place(text)?;
                self.event(Op::Learn, flags | (slot << SLOT), place)
            }
            Telling::Whole => {
                let place = self.place(text)?;
                self.event(Op::Text, flags, place)
            }
        }
    }

    fn path(&mut self, path: &NodePathLeaf<'_>) -> Result<(), JsValue> {
        match *path {
            NodePathLeaf::Plain(text) => {
                let place = self.place(text)?;
                self.event(Op::PlainPath, 0, place)
            }
            NodePathLeaf::Names { names, subnames, is_absolute, has_property } => {
                let detail = u32::from(is_absolute) | u32::from(has_property) << 1;
                let counts = [length(names.len()), length(subnames.len())];
                self.event(Op::Path, detail, counts)?;
                names.iter().chain(subnames.iter()).try_for_each(|name| {
                    let place = self.place(name)?;
                    self.words.extend_from_slice(&place);
                    Ok(())
                })
            }
        }
    }

    fn numbers(&mut self, numbers: Numbers<'_>) -> Result<(), JsValue> {
        let wide = if numbers.width() == Width::W64 { FLAG_WIDE } else { 0 };
        // The numbers of a document always have wire bytes, so the default is not used.
        let place = self.place(numbers.as_wire_bytes().unwrap_or_default())?;
        self.event(Op::Numbers, length(numbers.kind().index()) | wide, place)
    }

    fn element_type(&self, element_type: ElementType<&[u8]>) -> Result<[u32; 3], JsValue> {
        let named = |form, name| {
            let [place, len] = self.place(name)?;
            Ok([form, place, len])
        };
        match element_type {
            ElementType::Any => Ok([declared::ANY, 0, 0]),
            ElementType::Builtin(kind) => Ok([declared::BUILTIN, length(kind.index()), 0]),
            ElementType::Class(name) => named(declared::CLASS, name),
            ElementType::Script(name) => named(declared::SCRIPT, name),
            ElementType::Unknown(id) => Ok([declared::UNKNOWN, id, 0]),
        }
    }
}

impl Consumer for WordWriter<'_> {
    type Error = JsValue;

    fn leaf(&mut self, leaf: Leaf<'_>) -> Result<(), JsValue> {
        match leaf {
            Leaf::Nil => self.event(Op::Nil, 0, []),
            Leaf::Bool(value) => self.event(Op::Bool, value.into(), []),
            Leaf::Int { value, width } => {
                self.event(Op::Int, is_wide(width), halves(value.cast_unsigned()))
            }
            Leaf::Float { bits, width } => self.event(Op::Float, is_wide(width), halves(bits)),
            Leaf::String(text) => self.text(0, text),
            Leaf::StringName(text) => self.text(FLAG_NAME, text),
            Leaf::NodePath(path) => self.path(path),
            Leaf::Numbers(numbers) => self.numbers(numbers),
            Leaf::Strings(texts) => {
                self.event(Op::Strings, 0, [length(texts.len())])?;
                texts.iter().try_for_each(|text| self.text(0, text))?;
                self.event(Op::Exit, 0, [])
            }
            Leaf::Rid(id) => self.event(Op::Rid, 0, halves(id)),
            Leaf::Callable => self.event(Op::Callable, 0, []),
            Leaf::Signal { name, object_id } => {
                let ([place, len], [low, high]) = (self.place(name)?, halves(object_id));
                self.event(Op::Signal, 0, [place, len, low, high])
            }
            Leaf::NullObject => self.event(Op::NullObject, 0, []),
            Leaf::ObjectId(id) => self.event(Op::ObjectId, 0, halves(id)),
            Leaf::Image { format, mipmaps, width, height, data } => {
                let [place, len] = self.place(data)?;
                self.event(Op::Image, 0, [format, mipmaps, width, height, place, len])
            }
            Leaf::InputEvent { event, device, payload } => {
                let [place, len] = self.place(payload)?;
                self.event(Op::InputEvent, 0, [event, device, place, len])
            }
        }
    }

    fn short_text(&mut self, is_name: bool, text: ShortText<'_>) -> Result<(), JsValue> {
        self.text(if is_name { FLAG_NAME } else { 0 }, text.as_bytes())
    }

    fn enter(&mut self, head: Head<'_>) -> Result<(), JsValue> {
        let count = head.len().map_or(UNKNOWN, length);
        let shared = |is_shared| if is_shared { FLAG_SHARED } else { 0 };
        match head {
            Head::Array(array) => {
                let [form, first, second] = self.element_type(array.element_type)?;
                let detail = length(array.kind.index()) | shared(array.is_shared);
                self.event(Op::Array, detail, [count, form, first, second])
            }
            Head::Dictionary(dictionary) => {
                let [keys, key_first, key_second] = self.element_type(dictionary.key_type)?;
                let [values, first, second] = self.element_type(dictionary.value_type)?;
                let detail = shared(dictionary.is_shared);
                let data = [count, keys, key_first, key_second, values, first, second];
                self.event(Op::Dictionary, detail, data)
            }
            Head::Object { class, .. } => {
                let [place, len] = self.place(class)?;
                self.event(Op::Object, 0, [count, place, len])
            }
        }
    }

    fn name(&mut self, name: &[u8]) -> Result<(), JsValue> {
        let place = self.place(name)?;
        self.event(Op::Name, 0, place)
    }

    fn exit(&mut self) -> Result<(), JsValue> {
        self.event(Op::Exit, 0, [])
    }
}

/// The error for bytes outside the input. It never occurs, since events of a document borrow from its bytes.
#[cold]
fn outside() -> JsValue {
    JsError::new("a text outside the input: a defect of variant-wasm").into()
}

/// A count or a length as a word. It fits, since addresses of the module's memory have 32 bits.
fn length(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn is_wide(width: Width) -> u32 {
    (width == Width::W64).into()
}

/// The low and the high word.
fn halves(value: u64) -> [u32; 2] {
    let half = |bits: u64| u32::try_from(bits & u64::from(u32::MAX)).unwrap_or_default();
    [half(value), half(value >> 32)]
}
