//! Inserts new items into containers.

use variant_owned::Variant;
use variant_view::{Document, ElementType, Elements, Kind, Reader, VariantView};

use super::{Job, Last, all, property_name, refuse, told_path};
use crate::edit::adapt::to_kind;
use crate::literal::text as short;
use crate::packed;
use crate::query::{Match, Query, Step, declared, from_start};
use crate::trouble::Trouble;

impl<'a> Job<'_, '_, 'a> {
    pub(super) fn insert_all(
        &mut self,
        query: &Query,
        last: &Last<'_>,
        value: &Variant,
    ) -> Result<u64, Trouble> {
        let mut items = Vec::new();
        all(self.document, query, |found| {
            let elements = packed::elements(&found.value, *self.document.options());
            if let Some(elements) = elements {
                items.push((found.start, self.insert_element(found, &elements, last, value)?));
            } else if is_open(&found.value) {
                items.push((found.start, self.insert(found, last, value)?));
            } else {
                self.leaf.get_or_insert(found.value.kind());
            }
            Ok(())
        })?;
        let count = u64::try_from(items.len()).unwrap_or(u64::MAX);
        // The items are written in the reverse order of their containers: if several containers end at one offset, the
        // item of the innermost container comes first. The padding of a byte array is part of its bytes.
        for (container, (at, bytes)) in items.into_iter().rev() {
            self.patches.replace(at..at, bytes);
            self.pad_byte_array(container);
        }
        Ok(count)
    }

    /// Encodes a new item of a container, and counts it in the container. Returns the offset of the item and its bytes.
    fn insert(
        &mut self,
        into: &Match<'_, 'a>,
        last: &Last<'_>,
        value: &Variant,
    ) -> Result<(usize, Vec<u8>), Trouble> {
        let container = &into.value;
        let (mut reader, items) = entered(container)?;
        let after_head = reader.offset();
        let value = adapt_to_declared(value, container);
        let value = self.encoded(&value, declared(container), None)?;
        let after = short(&Document::new(&value, *self.document.options()).root()?);
        let to_element = |index: u32| format!("[{index}]");
        let (at, item, step) = match (container.kind(), &last.step) {
            (Kind::Dictionary | Kind::Object, Some(step)) => {
                let item = [self.new_key(container, step)?, value].concat();
                (into.end()?, item, last.text.to_owned())
            }
            (Kind::Dictionary | Kind::Object, None) => {
                return Err(refuse("[+] is for arrays; a dictionary needs a key"));
            }
            (_, None) => (into.end()?, value, to_element(items)),
            (_, Some(Step::Number(index))) => {
                let (index, at) = element_at(&mut reader, items, *index)?;
                (at, value, to_element(index))
            }
            (_, Some(Step::Position(at))) => {
                let (index, at) = element_at(&mut reader, items, i64::from(*at))?;
                (at, value, to_element(index))
            }
            (_, Some(_)) => return Err(refuse("an array needs an index, or [+]")),
        };
        self.tell_new(into, &step, after);
        self.patches.count(after_head.saturating_sub(4), 1);
        Ok((at, after_padding(at, item)))
    }

    /// [`Job::insert`] for a packed array.
    fn insert_element(
        &mut self,
        into: &Match<'_, 'a>,
        elements: &Elements<'a>,
        last: &Last<'_>,
        value: &Variant,
    ) -> Result<(usize, Vec<u8>), Trouble> {
        let len = u32::try_from(elements.len()).unwrap_or(u32::MAX);
        let index = match last.step {
            None => len,
            Some(Step::Number(index)) => index_in(len, index)?,
            Some(Step::Position(index)) => index_in(len, index.into())?,
            Some(_) => return Err(refuse("an array needs an index, or [+]")),
        };
        let value = to_kind(value.clone(), elements.kind());
        let bytes = self.element(&value, &into.value)?;
        let after = self.encoded(&value, None, None)?;
        let after = short(&Document::new(&after, *self.document.options()).root()?);
        self.tell_new(into, &format!("[{index}]"), after);
        self.patches.count(into.start.saturating_add(4), 1);
        self.grow(&into.value, 1);
        let inside = usize::try_from(index).ok().and_then(|index| elements.start(index));
        let at = into.start.saturating_add(inside.unwrap_or_default());
        let has_bytes = into.value.kind() == Kind::PackedByteArray;
        Ok((at, if has_bytes { bytes } else { after_padding(at, bytes) }))
    }

    fn tell_new(&mut self, into: &Match<'_, 'a>, step: &str, after: String) {
        let path = told_path(into);
        let dot = if path.is_empty() || step.starts_with(['[', '{', '.']) { "" } else { "." };
        self.told.add(format!("{path}{dot}{step}"), None, Some(after));
    }

    /// The bytes of a key that is new in its container.
    fn new_key(&self, container: &VariantView<'a>, step: &Step) -> Result<Vec<u8>, Trouble> {
        let key = step.to_key();
        let value = key.ok_or_else(|| refuse("a new pair needs a key, not a position"))?;
        let bytes = Document::new(container.raw_bytes()?, *self.document.options());
        let mut is_there = false;
        all(bytes, &Query::of_step(step.clone()), |_| {
            is_there = true;
            Ok(())
        })?;
        if is_there {
            return Err(refuse("a value exists already; set changes it"));
        }
        let VariantView::Dictionary(dictionary) = container else {
            return match step {
                Step::Name(name) => property_name(name),
                _ => Err(refuse("a property needs a name")),
            };
        };
        let declared = match dictionary.key_type() {
            ElementType::Builtin(kind) => Some(kind),
            _ => None,
        };
        let value = declared.map_or_else(|| value.clone(), |kind| to_kind(value.clone(), kind));
        self.encoded(&value, declared, None)
    }
}

fn adapt_to_declared(value: &Variant, container: &VariantView<'_>) -> Variant {
    match declared(container) {
        Some(kind) => to_kind(value.clone(), kind),
        None => value.clone(),
    }
}

/// An item to be inserted at an offset. The last value of the document may lack its padding, which must precede the item.
fn after_padding(at: usize, item: Vec<u8>) -> Vec<u8> {
    let mut bytes = vec![0; at.next_multiple_of(4).saturating_sub(at)];
    bytes.extend(item);
    bytes
}

/// Whether items can be inserted into a value.
fn is_open(value: &VariantView<'_>) -> bool {
    use VariantView as V;
    match value {
        V::Array(_) | V::TypedArray(_) | V::PackedTypedArray(_) | V::Dictionary(_) => true,
        V::Object(object) => object.class().is_some(),
        _ => false,
    }
}

/// A reader before the first item of a container, and the number of its items.
fn entered<'a>(container: &VariantView<'a>) -> Result<(Reader<'a>, u32), Trouble> {
    use VariantView as V;
    let mut reader = match container {
        V::Array(v) | V::TypedArray(v) | V::PackedTypedArray(v) => v.reader(),
        V::Dictionary(v) => v.reader(),
        V::Object(v) if v.class().is_some() => v.reader(),
        leaf => return Err(refuse(&format!("{} is not a container", leaf.kind()))),
    };
    let items = reader.next_value()?.1.unwrap_or(0);
    Ok((reader, items))
}

/// The index of an element, counted from the start, or the index after the last element.
fn index_in(items: u32, index: i64) -> Result<u32, Trouble> {
    let index = from_start(index, items).filter(|index| *index <= items);
    index.ok_or_else(|| refuse(&format!("the array has {items} elements, and [+] adds one")))
}

/// The index of an element, counted from the start, and its offset. The index after the last element is also valid; its
/// offset is the end.
fn element_at(reader: &mut Reader<'_>, items: u32, index: i64) -> Result<(u32, usize), Trouble> {
    let index = index_in(items, index)?;
    for _ in 0..index {
        reader.skip()?;
    }
    Ok((index, reader.offset()))
}
