//! [`Wanted`]: a key to look up, prepared once for all comparisons.

use super::key::Key;
use crate::dialect::DialectRules;
use crate::key::{ShortKey, TextValue, is_same_text};
use crate::kind::Kind;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted<'k> {
    /// The text of the key is cut at the first NUL, because keys on the wire end there.
    key: Key<'k>,
    short: Option<ShortKey<'k>>,
    /// The position of the key's value: a byte offset in a view, a node number on a tape, or 0 if not found. It is
    /// stored with the key, so that one loop uses both.
    pub(crate) found: usize,
}

impl<'k> Wanted<'k> {
    // Always inlined, so that a literal is prepared at compile time.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(crate) fn new(key: Key<'k>) -> Self {
        let short = match key {
            Key::String(text) | Key::StringName(text) => ShortKey::new(text),
            _ => None,
        };
        // A short key is not cut, since it has no NUL.
        Self { key: if short.is_some() { key } else { key.cut() }, short, found: 0 }
    }

    #[inline]
    pub(crate) const fn key(&self) -> Key<'k> {
        self.key
    }

    /// The text, if the key is text.
    pub(crate) const fn text(&self) -> Option<&'k [u8]> {
        match self.key {
            Key::String(text) | Key::StringName(text) => Some(text),
            _ => None,
        }
    }

    /// Whether the text key of this kind at the start of `bytes` equals the wanted key. `text` is the result of
    /// [`TextValue::read`] for `bytes`.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(crate) fn is_text(
        &self,
        kind: Kind,
        text: Option<&TextValue<'_>>,
        bytes: &[u8],
        rules: &DialectRules,
    ) -> bool {
        match (text, &self.short) {
            (Some(text), Some(short)) => short.is(text, rules.text) && self.is_of(kind, rules),
            _ => self.is_long_text(kind, bytes, rules),
        }
    }

    /// Whether a text key of this kind equals the wanted key, if the texts are equal.
    #[cfg_attr(not(variant_small), inline(always))]
    fn is_of(&self, kind: Kind, rules: &DialectRules) -> bool {
        rules.keys.one_text_key || matches!(self.key, Key::String(_)) == (kind == Kind::String)
    }

    /// [`Wanted::is_text`] without a [`ShortKey`]: compares the bytes of the texts as the dialect reads them.
    #[inline(never)]
    fn is_long_text(&self, kind: Kind, bytes: &[u8], rules: &DialectRules) -> bool {
        self.text().is_some_and(|wanted| {
            self.is_of(kind, rules) && is_same_text(TextValue::slice(bytes), wanted, rules.text)
        })
    }
}
