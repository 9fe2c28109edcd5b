//! Heads of containers.

use variant_view::{ArrayHead, DictionaryHead, ElementType, Head, Kind};

use super::{Emit, FLAG, Result};
use crate::encode::{EncodeErrorKind, fail, legal};
use crate::key::KeyRule;

/// Bit of a count: Godot 2's shared flag.
const SHARED: u32 = 1 << 31;

impl Emit<'_> {
    /// Writes the head of a container; its last 4 bytes are the count.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(crate) fn head(&mut self, head: &Head<'_>, len: usize) -> Result {
        match head {
            Head::Dictionary(head) => {
                let has_own_rule = match head.rule {
                    Some(rule) => self.rule_is_plain && rule == KeyRule::GODOT_4,
                    None => true,
                };
                let is_plain =
                    head.key_type.is_any() && head.value_type.is_any() && !head.is_shared;
                if has_own_rule && is_plain {
                    return self.header_and_word(Kind::Dictionary, 0, legal::length(len)?);
                }
                self.rare_dictionary(head, len)
            }
            Head::Array(head) if matches!(head.kind, Kind::TypedArray | Kind::PackedTypedArray) => {
                self.typed_array(head, len)
            }
            // Another kind counts as an array, as for `Variant`.
            Head::Array(head) => {
                if head.element_type.is_any() && !head.is_shared {
                    return self.header_and_word(Kind::Array, 0, legal::length(len)?);
                }
                self.array(head, len)
            }
            Head::Object { class, .. } => self.object(class, len),
        }
    }

    #[inline(never)]
    fn array(&mut self, head: &ArrayHead<'_>, len: usize) -> Result {
        legal::element_type(&head.element_type, Kind::Array, self.dialect())?;
        self.header(Kind::Array, type_bits(&head.element_type) << 16)?;
        self.element_type(&head.element_type)?;
        self.shared_count(len, head.is_shared)
    }

    #[inline(never)]
    fn rare_dictionary(&mut self, head: &DictionaryHead<'_>, len: usize) -> Result {
        self.doubts.has_other_rule |=
            head.rule.is_some_and(|rule| rule != KeyRule::of(self.dialect()));
        for declared in [&head.key_type, &head.value_type] {
            legal::element_type(declared, Kind::Dictionary, self.dialect())?;
        }
        let bits = type_bits(&head.key_type) << 16 | type_bits(&head.value_type) << 18;
        self.header(Kind::Dictionary, bits)?;
        self.element_type(&head.key_type)?;
        self.element_type(&head.value_type)?;
        self.shared_count(len, head.is_shared)
    }

    #[inline(never)]
    fn object(&mut self, class: &[u8], len: usize) -> Result {
        self.id(Kind::Object)?;
        if !self.dialect().writes_objects() {
            return fail(EncodeErrorKind::Object);
        }
        legal::class(class)?;
        self.header(Kind::Object, 0)?;
        self.text(class)?;
        self.count(len)
    }

    fn shared_count(&mut self, len: usize, is_shared: bool) -> Result {
        let is_shared = is_shared && self.dialect().has_shared_bit();
        let word = legal::length(len)? | if is_shared { SHARED } else { 0 };
        self.word(word);
        Ok(())
    }

    /// Writes the element type of a Godot 4 container.
    fn element_type(&mut self, declared: &ElementType<&[u8]>) -> Result {
        match declared {
            ElementType::Builtin(kind) => {
                let id = self.id(*kind)?;
                self.word(id);
                Ok(())
            }
            ElementType::Class(text) | ElementType::Script(text) => self.text(text),
            ElementType::Any | ElementType::Unknown(_) => Ok(()),
        }
    }

    /// Writes the head of a Pandemonium 5 typed array.
    #[inline(never)]
    fn typed_array(&mut self, head: &ArrayHead<'_>, len: usize) -> Result {
        let declared = &head.element_type;
        legal::element_type(declared, head.kind, self.dialect())?;
        let (flag, id) = match declared {
            ElementType::Builtin(Kind::Object) => (FLAG, self.id(Kind::Object)?),
            ElementType::Builtin(element) => (0, self.id(*element)?),
            ElementType::Unknown(id) => (0, *id),
            ElementType::Class(_) | ElementType::Script(_) => (0, self.id(Kind::Object)?),
            ElementType::Any => (0, 0),
        };
        self.header(head.kind, flag)?;
        self.word(id);
        if let ElementType::Class(class) = declared {
            self.header(Kind::StringName, 0)?;
            self.text(class)?;
            self.count(len)?;
            self.class_end = self.bytes.len();
            return Ok(());
        }
        self.count(len)
    }

    /// Sets the count of the head that ends at byte `end`. The head was written with the count 0.
    pub(crate) fn patch_count(&mut self, end: usize, len: usize) -> Result {
        let count = legal::length(len)?;
        let place = self.bytes.get_mut(..end).and_then(|head| head.last_chunk_mut::<4>());
        if let Some(place) = place {
            *place = (u32::from_le_bytes(*place) | count).to_le_bytes();
        }
        Ok(())
    }
}

/// The header bits of a Godot 4 type declaration.
const fn type_bits(declared: &ElementType<&[u8]>) -> u32 {
    match declared {
        ElementType::Any | ElementType::Unknown(_) => 0,
        ElementType::Builtin(_) => 1,
        ElementType::Class(_) => 2,
        ElementType::Script(_) => 3,
    }
}
