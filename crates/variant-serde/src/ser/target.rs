//! [`Target`]: the output of a serializer: bytes, or events for a consumer.

use variant_owned::EncodeErrorKind;
use variant_owned::internal::{Direct, Place};
use variant_view::internal::ShortText;
use variant_view::{Consumer, FeedError, Head, Kind, Leaf, Producer, Width};

/// Receives the pieces of one value, nested correctly.
pub(crate) trait Target {
    /// The reason for which a piece is refused.
    type Refused;
    type Open: Copy;
    /// A position to return to after an error.
    type Place: Copy;

    fn leaf(&mut self, leaf: Leaf<'_>) -> Result<(), Self::Refused>;
    fn int(&mut self, value: i64) -> Result<(), Self::Refused>;
    /// A text of `len` ASCII bytes, at most 24. Zeroes fill up the words.
    fn short_text(&mut self, words: [u64; 3], len: usize) -> Result<(), Self::Refused>;
    /// A mathematical value of `count` numbers of 4 bytes. Returns false if the target takes the value only as a leaf.
    fn words(&mut self, kind: Kind, words: [u8; 16], count: usize) -> Result<bool, Self::Refused>;
    fn enter(&mut self, head: Head<'_>) -> Result<Self::Open, Self::Refused>;
    /// Closes a container of `count` elements or pairs.
    fn exit(&mut self, open: Self::Open, count: usize) -> Result<(), Self::Refused>;
    fn whole<P: Producer>(&mut self, value: P) -> Result<(), FeedError<P::Error, Self::Refused>>;
    fn place(&self) -> Self::Place;
    /// Removes the pieces after `place`. Returns false if the target has forwarded them.
    fn take_back(&mut self, place: Self::Place) -> bool;
}

/// Events for a consumer. After an error the consumer keeps the events that it has received.
pub(crate) struct Events<'c, C>(pub(crate) &'c mut C);

impl<C: Consumer> Target for Events<'_, C> {
    type Refused = C::Error;
    type Open = ();
    type Place = ();

    #[inline(always)]
    fn leaf(&mut self, leaf: Leaf<'_>) -> Result<(), C::Error> {
        self.0.leaf(leaf)
    }

    #[inline]
    fn int(&mut self, value: i64) -> Result<(), C::Error> {
        let width = if i32::try_from(value).is_ok() { Width::W32 } else { Width::W64 };
        self.0.leaf(Leaf::Int { value, width })
    }

    #[inline]
    fn short_text(&mut self, words: [u64; 3], len: usize) -> Result<(), C::Error> {
        let block = words.map(u64::to_le_bytes);
        let text = block.as_flattened();
        let short = u8::try_from(len).ok().zip(text.first_chunk());
        match short.and_then(|(len, block)| ShortText::new(block, len)) {
            Some(text) => self.0.short_text(false, text),
            None => self.0.leaf(Leaf::String(text.get(..len).unwrap_or_default())),
        }
    }

    #[inline(always)]
    fn words(&mut self, _: Kind, _: [u8; 16], _: usize) -> Result<bool, C::Error> {
        Ok(false)
    }

    #[inline(always)]
    fn enter(&mut self, head: Head<'_>) -> Result<(), C::Error> {
        self.0.enter(head)
    }

    #[inline(always)]
    fn exit(&mut self, (): (), _: usize) -> Result<(), C::Error> {
        self.0.exit()
    }

    fn whole<P: Producer>(&mut self, value: P) -> Result<(), FeedError<P::Error, C::Error>> {
        value.feed(self.0)
    }

    fn place(&self) {}

    fn take_back(&mut self, (): ()) -> bool {
        false
    }
}

macro_rules! forward {
    ($($method:ident($($argument:ident: $type:ty),*) $out:ty;)*) => {$(
        #[inline(always)]
        fn $method(&mut self, $($argument: $type),*) -> Result<$out, EncodeErrorKind> {
            Direct::$method(self, $($argument),*)
        }
    )*};
}

impl Target for Direct<'_> {
    type Refused = EncodeErrorKind;
    type Open = usize;
    type Place = Place;

    forward! {
        leaf(leaf: Leaf<'_>) ();
        int(value: i64) ();
        short_text(words: [u64; 3], len: usize) ();
        words(kind: Kind, words: [u8; 16], count: usize) bool;
        exit(open: usize, count: usize) ();
    }

    #[inline(always)]
    fn enter(&mut self, head: Head<'_>) -> Result<usize, EncodeErrorKind> {
        Direct::enter(self, &head)
    }

    fn whole<P: Producer>(&mut self, value: P) -> Result<(), FeedError<P::Error, EncodeErrorKind>> {
        Direct::whole(self, value)
    }

    #[inline(always)]
    fn place(&self) -> Place {
        Direct::place(self)
    }

    fn take_back(&mut self, place: Place) -> bool {
        Direct::take_back(self, place);
        true
    }
}
