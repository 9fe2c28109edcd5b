//! Reads events from JavaScript.

use core::fmt;

use variant_view::{
    ArrayHead, Consumer, Dialect, DictionaryHead, ElementType, FeedError, Head, Input, Kind, Leaf,
    NodePathLeaf, Numbers, Producer, Texts, Width,
};

use super::{FLAG_NAME, FLAG_SHARED, FLAG_WIDE, Op, UNKNOWN, declared};

/// The error for words that are not a value. Only a defect of `js/words.js` can cause it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Malformed {
    word: usize,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "word {} does not belong to a value: a defect of variant-wasm", self.word)
    }
}

impl std::error::Error for Malformed {}

/// A value in words, with its texts and numbers in `bytes`.
#[derive(Clone, Copy)]
pub(crate) struct Words<'w> {
    events: &'w [u32],
    bytes: &'w [u8],
    /// The dialect whose keys the value has.
    dialect: Dialect,
}

impl<'w> Words<'w> {
    pub(crate) const fn new(events: &'w [u32], bytes: &'w [u8], dialect: Dialect) -> Self {
        Self { events, bytes, dialect }
    }
}

impl Producer for Words<'_> {
    type Error = Malformed;

    fn feed<C: Consumer>(self, consumer: &mut C) -> Result<(), FeedError<Malformed, C::Error>> {
        let mut reader = Reader { all: self, next: 0 };
        while reader.next < self.events.len() {
            let word = reader.next;
            let event = reader.event(consumer).ok_or(FeedError::Producer(Malformed { word }))?;
            event.map_err(FeedError::Consumer)?;
        }
        Ok(())
    }

    fn input(&self) -> Input {
        Input { dialect: Some(self.dialect), ..Input::default() }
    }
}

struct Reader<'w> {
    all: Words<'w>,
    next: usize,
}

impl<'w> Reader<'w> {
    fn word(&mut self) -> Option<u32> {
        let word = *self.all.events.get(self.next)?;
        self.next = self.next.checked_add(1)?;
        Some(word)
    }

    fn long(&mut self) -> Option<u64> {
        let low = self.word()?;
        Some(u64::from(self.word()?) << 32 | u64::from(low))
    }

    fn bytes(&mut self) -> Option<&'w [u8]> {
        let start = usize::try_from(self.word()?).ok()?;
        let len = usize::try_from(self.word()?).ok()?;
        self.all.bytes.get(start..)?.get(..len)
    }

    fn list(&mut self, count: u32) -> Option<Vec<&'w [u8]>> {
        (0..count).map(|_| self.bytes()).collect()
    }

    /// Reads texts up to the exit event. The count before the texts is ignored, since no memory is reserved for it.
    fn strings(&mut self) -> Option<Vec<&'w [u8]>> {
        self.word()?;
        let mut list = Vec::new();
        loop {
            match Op::of(self.word()?)? {
                Op::Text => list.push(self.bytes()?),
                Op::Exit => return Some(list),
                _ => return None,
            }
        }
    }

    fn element_type(&mut self) -> Option<ElementType<&'w [u8]>> {
        match self.word()? {
            declared::CLASS => Some(ElementType::Class(self.bytes()?)),
            declared::SCRIPT => Some(ElementType::Script(self.bytes()?)),
            form => {
                let (first, _) = (self.word()?, self.word()?);
                match form {
                    declared::ANY => Some(ElementType::Any),
                    declared::BUILTIN => Some(ElementType::Builtin(kind(first)?)),
                    declared::UNKNOWN => Some(ElementType::Unknown(first)),
                    _ => None,
                }
            }
        }
    }

    /// `None` if the count is unknown.
    fn count(word: u32) -> Option<usize> {
        (word != UNKNOWN).then_some(word).and_then(|count| count.try_into().ok())
    }

    /// Feeds the next event to the consumer. `None` if the words are not an event.
    fn event<C: Consumer>(&mut self, consumer: &mut C) -> Option<Result<(), C::Error>> {
        let first = self.word()?;
        let detail = first >> 8;
        let width = if detail & 1 == 1 { Width::W64 } else { Width::W32 };
        let leaf = match Op::of(first)? {
            Op::Nil => Leaf::Nil,
            Op::Bool => Leaf::Bool(detail == 1),
            Op::Int => Leaf::Int { value: self.long()?.cast_signed(), width },
            Op::Float => Leaf::Float { bits: self.long()?, width },
            Op::Text if detail & FLAG_NAME == 0 => Leaf::String(self.bytes()?),
            Op::Text => Leaf::StringName(self.bytes()?),
            Op::PlainPath => {
                let path = NodePathLeaf::Plain(self.bytes()?);
                return Some(consumer.leaf(Leaf::NodePath(&path)));
            }
            Op::Path => return self.path(detail, consumer),
            Op::Numbers => {
                let width = if detail & FLAG_WIDE == 0 { Width::W32 } else { Width::W64 };
                Leaf::Numbers(Numbers::from_wire(kind(detail & 0xff)?, width, self.bytes()?)?)
            }
            Op::Strings => {
                let list = self.strings()?;
                return Some(consumer.leaf(Leaf::Strings(Texts::of(&list.as_slice()))));
            }
            Op::Rid => Leaf::Rid(self.long()?),
            Op::Callable => Leaf::Callable,
            Op::Signal => Leaf::Signal { name: self.bytes()?, object_id: self.long()? },
            Op::NullObject => Leaf::NullObject,
            Op::ObjectId => Leaf::ObjectId(self.long()?),
            Op::Image => {
                let (format, mipmaps) = (self.word()?, self.word()?);
                let (width, height) = (self.word()?, self.word()?);
                Leaf::Image { format, mipmaps, width, height, data: self.bytes()? }
            }
            Op::InputEvent => {
                let (event, device) = (self.word()?, self.word()?);
                Leaf::InputEvent { event, device, payload: self.bytes()? }
            }
            Op::Array => {
                let (len, element_type) = (Self::count(self.word()?), self.element_type()?);
                let mut head =
                    ArrayHead { kind: kind(detail & 0xff)?, len, ..ArrayHead::default() };
                head.element_type = element_type;
                head.is_shared = detail & FLAG_SHARED != 0;
                return Some(consumer.enter(Head::Array(head)));
            }
            Op::Dictionary => {
                let mut head =
                    DictionaryHead { len: Self::count(self.word()?), ..DictionaryHead::default() };
                head.key_type = self.element_type()?;
                head.value_type = self.element_type()?;
                head.is_shared = detail & FLAG_SHARED != 0;
                return Some(consumer.enter(Head::Dictionary(head)));
            }
            Op::Object => {
                let len = Self::count(self.word()?);
                let head = Head::Object { class: self.bytes()?, rule: None, len };
                return Some(consumer.enter(head));
            }
            Op::Name => return Some(consumer.name(self.bytes()?)),
            Op::Exit => return Some(consumer.exit()),
            Op::Known | Op::Learn | Op::Missing => return None,
        };
        Some(consumer.leaf(leaf))
    }

    fn path<C: Consumer>(&mut self, detail: u32, consumer: &mut C) -> Option<Result<(), C::Error>> {
        let (names, subnames) = (self.word()?, self.word()?);
        let (names, subnames) = (self.list(names)?, self.list(subnames)?);
        let (names, subnames) = (names.as_slice(), subnames.as_slice());
        let path = NodePathLeaf::Names {
            names: Texts::of(&names),
            subnames: Texts::of(&subnames),
            is_absolute: detail & 1 != 0,
            has_property: detail & 2 != 0,
        };
        Some(consumer.leaf(Leaf::NodePath(&path)))
    }
}

fn kind(index: u32) -> Option<Kind> {
    Kind::ALL.get(usize::try_from(index).ok()?).copied()
}
