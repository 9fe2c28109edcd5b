//! Look-up of keys on a tape: compares words, and makes no view.

use super::{Node, TapeValue};
use crate::bytes::{count, size};
use crate::dialect::DialectRules;
use crate::error::Result;
use crate::key::TextValue;
use crate::kind::Kind;
use crate::options::Mode;
use crate::view::{Key, Wanted};

/// The key of a pair.
struct PairKey<'a> {
    node: Node,
    /// The bytes of the document from the header of the key on.
    bytes: &'a [u8],
    /// The text, if the key is text.
    text: Option<TextValue<'a>>,
}

impl<'a> PairKey<'a> {
    #[cfg_attr(not(variant_small), inline(always))]
    fn read(node: Node, document: &'a [u8]) -> Self {
        let bytes = document.get(node.offset()..).unwrap_or_default();
        let text = if is_text(node) { TextValue::read(bytes) } else { None };
        Self { node, bytes, text }
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn is(&self, wanted: &Wanted<'_>, mode: Mode, rules: &DialectRules) -> bool {
        let kind = self.node.kind();
        if is_text(self.node) {
            wanted.is_text(kind, self.text.as_ref(), self.bytes, rules)
        } else {
            wanted.key().is_scalar(kind, self.bytes, mode)
        }
    }
}

#[cfg_attr(not(variant_small), inline(always))]
fn is_text(node: Node) -> bool {
    matches!(node.kind(), Kind::String | Kind::StringName)
}

impl TapeValue<'_, '_> {
    /// The value of `key` in a dictionary, or of the property named `key` in an object. If a key occurs
    /// twice, the last value wins, as in the engines.
    ///
    /// O(pairs), for values of any size; O(properties) in an object. Text of up to 16 ASCII bytes
    /// is compared as two words, longer text byte by byte.
    ///
    /// ```
    /// # use variant_view::{Dialect, Document, Tape};
    /// # let bytes = b"\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x07\0\0\0";
    /// # let mut tape = Tape::new();
    /// let packet = tape.read(Document::new(bytes, Dialect::Godot4))?; // {"hp": 7}
    /// assert_eq!(packet.get("hp")?.unwrap().view().as_i64()?, 7);
    /// assert!(packet.get("mp")?.is_none());
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::NotAContainer`](crate::ErrorKind::NotAContainer) for other kinds.
    #[inline]
    pub fn get<'k>(&self, key: impl Into<Key<'k>>) -> Result<Option<Self>> {
        let [value] = self.get_many([key.into()])?;
        Ok(value)
    }

    /// The values of several keys of a dictionary, or of several properties, in one pass. O(pairs x keys).
    ///
    /// ```
    /// # use variant_view::{Dialect, Document, Tape};
    /// # let bytes = [18, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, b'h', b'p', 0, 0, 2, 0, 0, 0, 7, 0, 0, 0];
    /// # let mut tape = Tape::new();
    /// let packet = tape.read(Document::new(&bytes, Dialect::Godot3))?;
    /// let [hp, name] = packet.get_many(["hp", "name"])?;
    /// assert_eq!(hp.map(|hp| hp.view().as_i64()), Some(Ok(7)));
    /// assert!(name.is_none());
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`TapeValue::get`].
    #[inline]
    pub fn get_many<'k, K: Into<Key<'k>>, const N: usize>(
        &self,
        keys: [K; N],
    ) -> Result<[Option<Self>; N]> {
        let mut keys = keys.map(|key| Wanted::new(key.into()));
        self.find(&mut keys)?;
        // The root has the number 0, and is never the value of a key.
        Ok(keys.map(|wanted| (wanted.found != 0).then_some(self.other(count(wanted.found)))))
    }

    /// Finds the number of each key's value.
    #[inline(never)]
    fn find(&self, keys: &mut [Wanted<'_>]) -> Result<()> {
        let node = self.node();
        match node.kind() {
            Kind::Dictionary => self.find_pairs(node, keys),
            Kind::Object => self.find_properties(keys),
            _ => return Err(self.mismatch()),
        }
        Ok(())
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn find_pairs(&self, node: Node, keys: &mut [Wanted<'_>]) {
        let (nodes, document, mode) = (self.nodes(), self.bytes(), self.mode());
        let rules = mode.dialect.rules();
        let mut number = self.number().wrapping_add(1);
        for _ in 0..node.items() / 2 {
            let Some(&own) = nodes.get(size(number)) else { return };
            let key = PairKey::read(own, document);
            for wanted in &mut *keys {
                if key.is(wanted, mode, rules) {
                    wanted.found = size(own.next());
                }
            }
            let Some(value) = nodes.get(size(own.next())) else { return };
            number = value.next();
        }
    }

    #[inline(never)]
    fn find_properties(&self, keys: &mut [Wanted<'_>]) {
        for (name, value) in self.properties() {
            for wanted in &mut *keys {
                if wanted.text().is_some_and(|wanted| name.reads_as(wanted)) {
                    wanted.found = size(value.number());
                }
            }
        }
    }
}
