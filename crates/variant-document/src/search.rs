//! [`Search`]: searches for a text in keys and values.

use memchr::memchr2_iter;
use memchr::memmem::Finder;
use variant_view::VariantView;

use crate::plain::Plain;
use crate::tree::{Child, Store, Walk};

/// The searched text, and the places in which it is searched.
#[derive(Clone, Debug)]
pub struct Search {
    text: Vec<u8>,
    /// Whether the case of ASCII letters is ignored.
    is_any_case: bool,
    /// Whether keys, names of properties and names of settings are searched.
    pub of_keys: bool,
    /// Whether texts of values are searched.
    pub of_values: bool,
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

impl Search {
    /// Searches keys and values for a text.
    pub fn new(text: &str, is_any_case: bool) -> Self {
        let is_any_case = is_any_case && text.bytes().any(|byte| byte.is_ascii_alphabetic());
        Self { text: text.as_bytes().to_vec(), is_any_case, of_keys: true, of_values: true }
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
        let mut hits = Hits { found: Vec::new(), next: None };
        // The walk only moves forward, so that bytes are not read again for each match.
        let mut walk = None::<Walk<'a>>;
        let mut at = from;
        for looked_at in 0..=MOST_LOOKED_AT {
            let Some(byte) = self.find(file.bytes, at) else { break };
            if hits.found.len() >= most || looked_at == MOST_LOOKED_AT {
                hits.next = Some(byte);
                break;
            }
            match &mut walk {
                Some(walk) => walk.forth_to(byte),
                None => walk = Walk::to_byte(file, byte, store),
            }
            at = byte.saturating_add(1);
            let Some((walk, child)) = walk.as_mut().and_then(|walk| {
                let child = walk.child()?;
                Some((walk, child))
            }) else {
                continue;
            };
            let is_key = byte < child.spot.start;
            at = at.max(behind(&child, is_key));
            if self.holds(&child, is_key) {
                hits.found.push(Hit { chain: walk.chain(), is_key });
            }
        }
        if let Some(walk) = walk {
            walk.keep(store);
        }
        hits
    }

    /// Whether the key contains the text. If `is_key` is not set, whether the value contains the text.
    fn holds(&self, child: &Child<'_>, is_key: bool) -> bool {
        if is_key {
            self.of_keys && child.name().is_some_and(|name| self.is_in(name))
        } else {
            self.of_values && self.is_in_value(child)
        }
    }

    /// The offset of the text in `bytes`, from `from` on.
    fn find(&self, bytes: &[u8], from: usize) -> Option<usize> {
        let rest = bytes.get(from..).filter(|_| !self.text.is_empty())?;
        let at = if self.is_any_case { self.find_any_case(rest) } else { self.find_exact(rest) };
        at.map(|at| from.saturating_add(at))
    }

    fn find_exact(&self, bytes: &[u8]) -> Option<usize> {
        Finder::new(&self.text).find(bytes)
    }

    /// Searches for the rarest byte of the text, and then compares the bytes around it.
    fn find_any_case(&self, bytes: &[u8]) -> Option<usize> {
        let (position, rare) = rarest(&self.text)?;
        let [small, capital] = [rare.to_ascii_lowercase(), rare.to_ascii_uppercase()];
        let starts = memchr2_iter(small, capital, bytes).filter_map(|at| at.checked_sub(position));
        starts.into_iter().find(|start| {
            let text = bytes.get(*start..).and_then(|rest| rest.get(..self.text.len()));
            text.is_some_and(|text| text.eq_ignore_ascii_case(&self.text))
        })
    }

    fn is_in(&self, text: &[u8]) -> bool {
        self.find(text, 0).is_some()
    }

    fn is_in_value(&self, child: &Child<'_>) -> bool {
        let Ok(view) = child.spot.view() else { return false };
        match view {
            VariantView::String(text) | VariantView::StringName(text) => {
                self.is_in(text.as_bytes())
            }
            VariantView::NodePath(path) => self.is_in(path.to_string().as_bytes()),
            VariantView::PackedStringArray(texts) => {
                texts.iter().any(|text| self.is_in(text.as_bytes()))
            }
            VariantView::Object(object) => {
                object.class().is_some_and(|class| self.is_in(class.as_bytes()))
            }
            VariantView::Signal(signal) => self.is_in(signal.name().as_bytes()),
            _ => false,
        }
    }
}

/// The end of the examined bytes: the end of the key, of the leaf, or of the head of a container.
fn behind(child: &Child<'_>, is_key: bool) -> usize {
    let len = if is_key { 0 } else { child.spot.head_len() };
    child.spot.start.saturating_add(len)
}

/// The byte of a text that is probably the rarest, and its position. A common letter is used only if the text has no
/// other bytes.
fn rarest(text: &[u8]) -> Option<(usize, u8)> {
    const COMMON: &[u8] = b"etaoinsrhldcum_0 ";
    let rank = |byte: &u8| {
        COMMON.iter().position(|common| common.eq_ignore_ascii_case(byte)).unwrap_or(usize::MAX)
    };
    text.iter().copied().enumerate().max_by_key(|(_, byte)| rank(byte))
}
