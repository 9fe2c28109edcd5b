//! Events out of the module.

use core::convert::Infallible;

use variant_view::{
    Consumer, ElementType, Head, ImageLeaf, Leaf, NodePathLeaf, Numbers, ShortText, Width,
};

use super::texts::{Telling, Texts};
use super::{FLAG_NAME, FLAG_SHARED, FLAG_WIDE, Op, UNKNOWN, declared};

/// The words after which JavaScript is asked to take what there is, so that a large value takes no more memory than a small one.
const FULL: usize = 1 << 15;

/// Takes words, while what they point at is where they say.
pub(crate) trait Drain {
    type Error;
    fn drain(&mut self, words: &[u32]) -> Result<(), Self::Error>;
}

/// Writes events as words.
pub(crate) struct WordWriter<'w, D> {
    /// The bytes that are read: texts in them are told by their place.
    input: &'w [u8],
    words: &'w mut Vec<u32>,
    /// Texts that are not in `input`, in pieces that do not move.
    aside: Vec<Box<[u8]>>,
    texts: &'w mut Texts,
    drain: D,
}

impl<'w, D: Drain> WordWriter<'w, D> {
    pub(crate) fn new(
        input: &'w [u8],
        words: &'w mut Vec<u32>,
        texts: &'w mut Texts,
        drain: D,
    ) -> Self {
        words.clear();
        Self { input, words, aside: Vec::new(), texts, drain }
    }

    /// Leaves the last words where they are, for the caller: a packet is done without a call. What they point at outlives this
    /// writer only where it is of the input.
    pub(crate) fn finish(mut self) -> Result<(), D::Error> {
        if self.aside.is_empty() { Ok(()) } else { self.flush() }
    }

    fn flush(&mut self) -> Result<(), D::Error> {
        let drained = self.drain.drain(self.words);
        self.words.clear();
        self.aside.clear();
        drained
    }

    fn event(&mut self, op: Op, detail: u32, data: &[u32]) -> Result<(), D::Error> {
        if self.words.len() >= FULL {
            self.flush()?;
        }
        self.words.push(op.with(detail));
        self.words.extend_from_slice(data);
        Ok(())
    }

    /// Where bytes are, and how many.
    fn place(&mut self, bytes: &[u8]) -> [u32; 2] {
        let all = self.input.as_ptr_range();
        let part = bytes.as_ptr_range();
        if all.start <= part.start && part.end <= all.end {
            return [address(bytes), length(bytes.len())];
        }
        let copy: Box<[u8]> = bytes.into();
        let place = [address(&copy), length(copy.len())];
        self.aside.push(copy);
        place
    }

    fn text(&mut self, flags: u32, text: &[u8]) -> Result<(), D::Error> {
        let [place, len] = self.place(text);
        match self.texts.tell(text) {
            Telling::Known(slot) => self.event(Op::Known, flags, &[slot]),
            Telling::Learn(slot) => self.event(Op::Learn, flags, &[slot, place, len]),
            Telling::Whole => self.event(Op::Text, flags, &[place, len]),
        }
    }

    fn list<'a>(&mut self, texts: impl Iterator<Item = &'a [u8]>) {
        for text in texts {
            let place = self.place(text);
            self.words.extend_from_slice(&place);
        }
    }

    fn path(&mut self, path: &NodePathLeaf<'_>) -> Result<(), D::Error> {
        match *path {
            NodePathLeaf::Plain(text) => {
                let place = self.place(text);
                self.event(Op::PlainPath, 0, &place)
            }
            NodePathLeaf::Names { names, subnames, is_absolute, has_property } => {
                let detail = u32::from(is_absolute) | u32::from(has_property) << 1;
                let counts = [length(names.len()), length(subnames.len())];
                self.event(Op::Path, detail, &counts)?;
                self.list(names.iter());
                self.list(subnames.iter());
                Ok(())
            }
        }
    }

    fn numbers(&mut self, numbers: Numbers<'_>) -> Result<(), D::Error> {
        let wide = if numbers.width() == Width::W64 { FLAG_WIDE } else { 0 };
        let [place, len] = if let Some(bytes) = numbers.as_wire_bytes() {
            self.place(bytes)
        } else {
            let mut bytes = Vec::with_capacity(numbers.wire_len());
            let Ok(()) = numbers.try_for_each_piece(|piece| {
                bytes.extend_from_slice(piece);
                Ok::<(), Infallible>(())
            });
            self.place(&bytes)
        };
        self.event(Op::Numbers, length(numbers.kind().index()) | wide, &[place, len])
    }

    fn image(&mut self, image: &ImageLeaf<'_>) -> Result<(), D::Error> {
        let [place, len] = self.place(image.data);
        let data = [image.format, image.mipmaps, image.width, image.height, place, len];
        self.event(Op::Image, 0, &data)
    }

    fn element_type(&mut self, element_type: ElementType<&[u8]>) -> [u32; 3] {
        let mut named = |form, name| {
            let [place, len] = self.place(name);
            [form, place, len]
        };
        match element_type {
            ElementType::Any => [declared::ANY, 0, 0],
            ElementType::Builtin(kind) => [declared::BUILTIN, length(kind.index()), 0],
            ElementType::Class(name) => named(declared::CLASS, name),
            ElementType::Script(name) => named(declared::SCRIPT, name),
            ElementType::Unknown(id) => [declared::UNKNOWN, id, 0],
        }
    }
}

impl<D: Drain> Consumer for WordWriter<'_, D> {
    type Error = D::Error;

    fn leaf(&mut self, leaf: Leaf<'_>) -> Result<(), D::Error> {
        match leaf {
            Leaf::Nil => self.event(Op::Nil, 0, &[]),
            Leaf::Bool(value) => self.event(Op::Bool, value.into(), &[]),
            Leaf::Int { value, width } => {
                self.event(Op::Int, is_wide(width), &halves(value.cast_unsigned()))
            }
            Leaf::Float { bits, width } => self.event(Op::Float, is_wide(width), &halves(bits)),
            Leaf::String(text) => self.text(0, text),
            Leaf::StringName(text) => self.text(FLAG_NAME, text),
            Leaf::NodePath(path) => self.path(path),
            Leaf::Numbers(numbers) => self.numbers(numbers),
            Leaf::Strings(texts) => {
                self.event(Op::Strings, 0, &[length(texts.len())])?;
                texts.iter().try_for_each(|text| self.text(0, text))?;
                self.event(Op::Exit, 0, &[])
            }
            Leaf::Rid(id) => self.event(Op::Rid, 0, &halves(id)),
            Leaf::Callable => self.event(Op::Callable, 0, &[]),
            Leaf::Signal { name, object_id } => {
                let ([place, len], [low, high]) = (self.place(name), halves(object_id));
                self.event(Op::Signal, 0, &[place, len, low, high])
            }
            Leaf::NullObject => self.event(Op::NullObject, 0, &[]),
            Leaf::ObjectId(id) => self.event(Op::ObjectId, 0, &halves(id)),
            Leaf::Image(image) => self.image(image),
            Leaf::InputEvent { event, device, payload } => {
                let [place, len] = self.place(payload);
                self.event(Op::InputEvent, 0, &[event, device, place, len])
            }
        }
    }

    fn short_text(&mut self, is_name: bool, text: ShortText<'_>) -> Result<(), D::Error> {
        self.text(if is_name { FLAG_NAME } else { 0 }, text.as_bytes())
    }

    fn enter(&mut self, head: Head<'_>) -> Result<(), D::Error> {
        let count = head.len().map_or(UNKNOWN, length);
        let shared = |is_shared| if is_shared { FLAG_SHARED } else { 0 };
        match head {
            Head::Array(array) => {
                let [form, first, second] = self.element_type(array.element_type);
                let detail = length(array.kind.index()) | shared(array.is_shared);
                self.event(Op::Array, detail, &[count, form, first, second])
            }
            Head::Dictionary(dictionary) => {
                let [keys, key_first, key_second] = self.element_type(dictionary.key_type);
                let [values, first, second] = self.element_type(dictionary.value_type);
                let detail = shared(dictionary.is_shared);
                let data = [count, keys, key_first, key_second, values, first, second];
                self.event(Op::Dictionary, detail, &data)
            }
            Head::Object(object) => {
                let [place, len] = self.place(object.class);
                self.event(Op::Object, 0, &[count, place, len])
            }
        }
    }

    fn name(&mut self, name: &[u8]) -> Result<(), D::Error> {
        let place = self.place(name);
        self.event(Op::Name, 0, &place)
    }

    fn exit(&mut self) -> Result<(), D::Error> {
        self.event(Op::Exit, 0, &[])
    }
}

/// A count or a length: the module's memory has 32 bits, so that each fits.
fn length(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn address(bytes: &[u8]) -> u32 {
    length(bytes.as_ptr().addr())
}

fn is_wide(width: Width) -> u32 {
    (width == Width::W64).into()
}

/// The low and the high word.
fn halves(value: u64) -> [u32; 2] {
    let half = |bits: u64| u32::try_from(bits & u64::from(u32::MAX)).unwrap_or_default();
    [half(value), half(value >> 32)]
}
