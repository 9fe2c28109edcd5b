//! [`Search`]: searches for a text or a number in keys and values.

mod number;
mod packed;
mod text;

use std::ops::{ControlFlow, Range};

use variant_view::VariantView;

use self::number::Wanted;
use self::packed::Packed;
use self::text::Sought;
use crate::plain::Plain;
use crate::tree::{Child, Label, Store, Walk};

/// The searched text, and the places in which it is searched.
#[derive(Clone, Debug)]
pub struct Search {
    text: Sought,
    number: Option<Wanted>,
    /// Whether keys, names of properties and names of settings are searched.
    pub of_keys: bool,
    /// Whether texts of values are searched.
    pub of_values: bool,
    /// Whether numbers are searched, if the text is a number: integers that begin with it, and floats that begin with it
    /// or are it when they are rounded to as many decimals. Its digits may be grouped: `9,999`, `9 999`.
    pub of_numbers: bool,
    /// The maximum number of bytes that one search examines.
    pub most_bytes: usize,
}

/// A value that was found.
#[derive(Clone, Debug)]
pub struct Hit<'a> {
    /// The values from the root to the found value, each with its number among its siblings.
    pub chain: Vec<(usize, Child<'a>)>,
    /// Whether the key of the value has the text.
    pub is_key: bool,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Hits<'a> {
    /// The values, in the order of the file.
    pub found: Vec<Hit<'a>>,
    /// The byte at which the next search resumes; `None` at the end of the file.
    pub next: Option<usize>,
}

/// The maximum number of values that one search examines. A search examines the value at each match of the bytes, even
/// if these bytes are not a text.
const MOST_LOOKED_AT: usize = 20_000;

/// The bytes of a leaf that cost as much as one examined value.
const LEAF: usize = 4_096;

impl Search {
    /// Searches keys and values for a text. `is_any_case` ignores the case of letters of all scripts.
    pub fn new(text: &str, is_any_case: bool) -> Self {
        let (number, text) = (Wanted::of(text), Sought::new(text, is_any_case));
        let most_bytes = usize::MAX;
        Self { text, number, of_keys: true, of_values: true, of_numbers: true, most_bytes }
    }

    /// The first values with the text, at most `most`, from byte `from` of the file on. O(bytes up to the last found
    /// value) for each level of containers.
    pub fn run<'a>(
        &self,
        file: Plain<'a>,
        from: usize,
        most: usize,
        store: &mut Store,
    ) -> Hits<'a> {
        let most = most.max(1);
        let mut hits = Hits { found: Vec::new(), next: None };
        let end = from.saturating_add(self.most_bytes.max(1)).min(file.bytes.len());
        // The walk only moves forward, so that bytes are not read again for each match.
        let mut walk = None::<Walk<'a>>;
        let mut candidates = Candidates { search: self, file, end, text: None, number: None };
        let (mut at, mut work) = (from, 0_usize);
        // The search before may have ended inside a packed array, which has no candidates after its head.
        if from > 0 && self.number.is_some() {
            walk = Walk::to_byte(file, from, store);
            let packed = walk.as_mut().and_then(|walk| {
                let is_key = from < walk.child()?.spot.start;
                if is_key { None } else { Packed::at(walk) }
            });
            if let Some((walk, packed)) = walk.as_mut().zip(packed) {
                match self.elements(walk, &packed, from..end, most, &mut hits) {
                    ControlFlow::Continue(next) => at = at.max(next),
                    ControlFlow::Break(next) => hits.next = Some(next),
                }
            }
        }
        while hits.next.is_none() {
            let Some(byte) = candidates.next(at) else {
                // The last value may end after the last examined byte.
                hits.next = Some(at.max(end)).filter(|next| *next < file.bytes.len());
                break;
            };
            if hits.found.len() >= most || work >= MOST_LOOKED_AT {
                hits.next = Some(byte);
                break;
            }
            match &mut walk {
                Some(walk) => walk.forth_to(byte),
                None => walk = Walk::to_byte(file, byte, store),
            }
            at = byte.saturating_add(1);
            work = work.saturating_add(1);
            let Some((walk, child)) = walk.as_mut().and_then(|walk| {
                let child = walk.child()?;
                Some((walk, child))
            }) else {
                continue;
            };
            let is_key = byte < child.spot.start;
            if !is_key && let Some(packed) = Packed::at(walk) {
                match self.elements(walk, &packed, byte..end, most, &mut hits) {
                    ControlFlow::Continue(next) => at = at.max(next),
                    ControlFlow::Break(next) => hits.next = Some(next),
                }
                continue;
            }
            let end_of_child = behind(&child, is_key);
            if !is_key && byte >= end_of_child {
                // The bytes after a leaf belong to no value, and the walk has read the leaf again.
                work = work.saturating_add(child.spot.head_len() / LEAF);
                continue;
            }
            at = at.max(end_of_child);
            if self.holds(&child, is_key) {
                hits.found.push(Hit { chain: walk.chain(), is_key });
            }
        }
        if let Some(walk) = walk {
            walk.keep(store);
        }
        hits
    }

    /// Adds the elements of a packed array with the number, in a range of the file. Returns the offset at which the search
    /// continues, or breaks with the offset of the next search if there are `most` hits.
    fn elements<'a>(
        &self,
        walk: &mut Walk<'a>,
        packed: &Packed<'a>,
        Range { mut start, end }: Range<usize>,
        most: usize,
        hits: &mut Hits<'a>,
    ) -> ControlFlow<usize, usize> {
        let number = self.number.as_ref().filter(|_| self.of_numbers);
        loop {
            let (place, has_number) = packed.next(start, end, number);
            if !has_number {
                return ControlFlow::Continue(place);
            }
            if hits.found.len() >= most {
                return ControlFlow::Break(place);
            }
            walk.forth_to(place);
            hits.found.push(Hit { chain: walk.chain(), is_key: false });
            start = place.saturating_add(1);
        }
    }

    /// Whether the key contains the text. If `is_key` is not set, whether the value contains the text.
    fn holds(&self, child: &Child<'_>, is_key: bool) -> bool {
        if is_key {
            let is_named = || child.name().is_some_and(|name| self.is_in(name));
            self.of_keys && (is_named() || self.is_number_key(child))
        } else {
            let view = child.spot.view().ok();
            view.is_some_and(|view| {
                // The numbers of a byte array with a value inside are those of the value.
                self.of_values && self.is_in_value(&view)
                    || self.is_number(&view) && child.spot.nested().is_none()
            })
        }
    }

    fn is_number(&self, view: &VariantView<'_>) -> bool {
        self.of_numbers && self.number.as_ref().is_some_and(|number| number.is_in(view))
    }

    fn is_number_key(&self, child: &Child<'_>) -> bool {
        let Label::Pair { key, .. } = child.label else { return false };
        key.view().is_ok_and(|key| self.is_number(&key))
    }

    fn is_in(&self, text: &[u8]) -> bool {
        self.text.find(text, 0).is_some()
    }

    fn is_in_value(&self, view: &VariantView<'_>) -> bool {
        match view {
            VariantView::String(text) | VariantView::StringName(text) => {
                self.is_in(text.as_bytes())
            }
            VariantView::NodePath(path) => self.is_in(path.to_string().as_bytes()),
            VariantView::Object(object) => {
                object.class().is_some_and(|class| self.is_in(class.as_bytes()))
            }
            VariantView::Signal(signal) => self.is_in(signal.name().as_bytes()),
            _ => false,
        }
    }
}

/// The offsets at which the text or a number may be, in order.
struct Candidates<'s, 'a> {
    search: &'s Search,
    file: Plain<'a>,
    /// The offset before which candidates start.
    end: usize,
    /// The next offset of each kind that was found already; [`usize::MAX`] if there is none.
    text: Option<usize>,
    number: Option<usize>,
}

impl Candidates<'_, '_> {
    fn next(&mut self, from: usize) -> Option<usize> {
        let Self { search, file, end, .. } = *self;
        let is_old = |known: Option<usize>| known.is_none_or(|known| known < from);
        if is_old(self.text) {
            let last = end.saturating_add(search.text.most_bytes()).min(file.bytes.len());
            let found = search.text.find(file.bytes.get(..last).unwrap_or_default(), from);
            self.text = Some(found.filter(|found| *found < end).unwrap_or(usize::MAX));
        }
        if is_old(self.number) {
            let number = search.number.as_ref().filter(|_| search.of_numbers);
            let found = number.and_then(|number| number.find(file.bytes, from, end, file.options));
            self.number = Some(found.unwrap_or(usize::MAX));
        }
        self.text.min(self.number).filter(|next| *next != usize::MAX)
    }
}

/// The end of the examined bytes: the end of the key, of the leaf, or of the head of a container. A byte array with a value
/// inside, and an array of texts, are containers.
fn behind(child: &Child<'_>, is_key: bool) -> usize {
    if is_key {
        return child.spot.start;
    }
    if let Some((inner, _)) = child.spot.nested() {
        return inner.start;
    }
    let texts = child.spot.elements().and_then(|texts| texts.start(0));
    child.spot.start.saturating_add(texts.unwrap_or_else(|| child.spot.head_len()))
}

#[cfg(test)]
mod tests {
    use variant_io::Framing;
    use variant_owned::{EncodeOptions, encode, from_text};
    use variant_view::{Dialect, Options};

    use super::*;

    /// The starts of the hits, from searches of `most_bytes` bytes each.
    fn found(bytes: &[u8], text: &str, most_bytes: usize) -> Vec<(usize, bool)> {
        let file = Plain::new(bytes, Framing::Bare, Options::engine(Dialect::Godot4));
        let (mut search, mut store) = (Search::new(text, true), Store::default());
        search.most_bytes = most_bytes;
        let (mut found, mut next) = (Vec::new(), Some(0));
        while let Some(from) = next {
            let hits = search.run(file, from, 3, &mut store);
            assert!(hits.next.is_none_or(|next| next > from));
            found.extend(hits.found.iter().filter_map(|hit| {
                hit.chain.last().map(|(_, child)| (child.spot.start, hit.is_key))
            }));
            next = hits.next;
        }
        found
    }

    #[test]
    fn a_search_in_parts_finds_what_one_search_does() {
        let text = r#"{"hp": 12, 12: [1.2, 0.125, 1200, "12", 2], "at": Vector3(12, 0, 1),
            "all": PackedInt32Array(1, 2, 12), "none": PackedInt32Array(2, 2, 2), "Åsa": "ÅSA 12", "t": true}"#;
        let bytes = encode(&from_text(text).unwrap(), EncodeOptions::new(Dialect::Godot4)).unwrap();
        for (text, count) in [("12", 7), ("1.2", 1), ("2", 7), ("åsa", 2), ("0.13", 1), ("7", 0)] {
            let all = found(&bytes, text, usize::MAX);
            for most_bytes in 1..70 {
                assert_eq!(found(&bytes, text, most_bytes), all, "{text}: {most_bytes}");
            }
            assert!(all.windows(2).all(|pair| pair[0].0 <= pair[1].0));
            assert_eq!(all.len(), count, "{text}: {all:?}");
        }
    }

    fn encoded(text: &str) -> Vec<u8> {
        encode(&from_text(text).unwrap(), EncodeOptions::new(Dialect::Godot4)).unwrap()
    }

    #[test]
    fn a_number_inside_a_byte_array_is_found_there() {
        let inner = encoded(r#"{"hp": 12, "name": "12"}"#);
        let list: Vec<String> = inner.iter().map(ToString::to_string).collect();
        let file = encoded(&format!(r#"{{"d": PackedByteArray({})}}"#, list.join(", ")));
        let start = |value: &[u8]| file.windows(value.len()).position(|bytes| bytes == value);
        let int = start(&[2, 0, 0, 0, 12, 0, 0, 0]).unwrap();
        let text = start(&[4, 0, 0, 0, 2, 0, 0, 0, b'1', b'2']).unwrap();
        assert_eq!(found(&file, "12", usize::MAX), [(int, false), (text, false)]);
    }

    #[test]
    fn bytes_after_the_last_value_are_no_hits() {
        let file = [&encoded(r#"["12"]"#)[..], b"12 12 12 12"].concat();
        assert_eq!(found(&file, "12", usize::MAX), [(8, false)]);
    }
}
