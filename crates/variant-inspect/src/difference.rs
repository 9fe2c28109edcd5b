//! [`Differences`]: where the original and the re-encoded bytes of a value differ, and why.

use std::collections::BTreeMap;

use variant_view::{Document, ErrorKind, Event, Node, Profile, Role, VariantView, Walker};

/// The most differences that are kept. Others are counted only.
pub(crate) const MOST_KEPT: usize = 10;

/// Where the original and the re-encoded bytes of a value differ.
#[derive(Debug, Default)]
pub(crate) struct Differences {
    /// The first differences.
    pub(crate) first: Vec<Difference>,
    /// The number of differences by reason.
    pub(crate) by_reason: BTreeMap<String, u64>,
}

/// A value whose bytes differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    /// The first byte that differs.
    pub(crate) offset: usize,
    /// The re-encoded byte; none at the end of the value.
    pub(crate) written: Option<u8>,
    pub(crate) reason: String,
}

impl Differences {
    /// Compares both value by value, as long as their structure is the same. O(bytes).
    pub(crate) fn of(found: &Document<'_>, written: &[u8]) -> Self {
        let mut all = Self::default();
        let again = Document::new(written, *found.options());
        let (mut left, mut right) = (found.walk(), again.walk());
        loop {
            let pair = (next(&mut left), next(&mut right));
            let (Some(old), Some(new)) = pair else {
                if pair.0.is_some() != pair.1.is_some() {
                    let (offset, behind) = (left.offset(), right.offset());
                    all.add(offset, written.get(behind).copied(), "the number of values".into());
                }
                return all;
            };
            if !all.compare(found, &old, &again, &new) {
                return all;
            }
        }
    }

    /// Adds the bytes after the value of a document, which are not re-encoded.
    pub(crate) fn add_behind(&mut self, found: &Document<'_>) {
        let end = found.root().and_then(|root| root.raw_bytes()).map_or(0, <[u8]>::len);
        if end < found.bytes().len() {
            self.add(end, None, "bytes behind the value".to_owned());
        }
    }

    fn add(&mut self, offset: usize, written: Option<u8>, reason: String) {
        let count = self.by_reason.entry(reason.clone()).or_default();
        *count = count.saturating_add(1);
        if self.first.len() < MOST_KEPT {
            self.first.push(Difference { offset, written, reason });
        }
    }

    /// Compares two values without their contents. Returns whether their structure is the same.
    fn compare(
        &mut self,
        found: &Document<'_>,
        old: &Node<'_>,
        again: &Document<'_>,
        new: &Node<'_>,
    ) -> bool {
        let (bytes, start) = head(found, old);
        let (others, _) = head(again, new);
        if let Some(at) = first_difference(bytes, others) {
            let reason = reason(found, old, new, at < name_len(old));
            self.add(start.saturating_add(at), others.get(at).copied(), reason);
        }
        old.view.kind() == new.view.kind() && len(&old.view) == len(&new.view)
    }
}

/// The next value.
fn next<'a>(walker: &mut Walker<'a>) -> Option<Node<'a>> {
    walker.by_ref().map_while(Result::ok).find_map(|event| match event {
        Event::Enter(node) | Event::Leaf(node) => Some(node),
        Event::Exit { .. } => None,
    })
}

/// The bytes of a leaf, or of a container up to its first item, and their offset. The name of a property comes first.
fn head<'a>(document: &Document<'a>, node: &Node<'a>) -> (&'a [u8], usize) {
    let offset = node.view.offset();
    let start = offset.saturating_sub(name_len(node));
    let end = match head_end(&node.view) {
        Some(end) => end,
        None => offset.saturating_add(node.view.raw_bytes().map_or(0, <[u8]>::len)),
    };
    (document.bytes().get(start..end).unwrap_or_default(), start)
}

/// The offset of the first item of a container; none for a leaf.
fn head_end(view: &VariantView<'_>) -> Option<usize> {
    let mut inside = match view {
        VariantView::Array(v) | VariantView::TypedArray(v) | VariantView::PackedTypedArray(v) => {
            v.walk()
        }
        VariantView::Dictionary(v) => v.walk(),
        VariantView::Object(v) => v.walk(),
        _ => return None,
    };
    // The first event is the container itself.
    inside.next();
    Some(match inside.next() {
        Some(Ok(Event::Enter(node) | Event::Leaf(node))) => {
            node.view.offset().saturating_sub(name_len(&node))
        }
        _ => inside.offset(),
    })
}

/// The size of a property's name: length prefix, text and padding.
fn name_len(node: &Node<'_>) -> usize {
    match node.role() {
        Role::Property(_, name) => name.as_bytes().len().next_multiple_of(4).saturating_add(4),
        _ => 0,
    }
}

fn len(view: &VariantView<'_>) -> Option<usize> {
    Some(match view {
        VariantView::Array(v) | VariantView::TypedArray(v) | VariantView::PackedTypedArray(v) => {
            v.len()
        }
        VariantView::Dictionary(v) => v.len(),
        VariantView::Object(v) => v.len(),
        _ => return None,
    })
}

fn first_difference(found: &[u8], written: &[u8]) -> Option<usize> {
    let differing = found.iter().zip(written).position(|(found, written)| found != written);
    let shorter = found.len().min(written.len());
    differing.or((found.len() != written.len()).then_some(shorter))
}

/// Why the bytes of a value differ.
fn reason(document: &Document<'_>, old: &Node<'_>, new: &Node<'_>, is_of_name: bool) -> String {
    if is_of_name {
        return "padding of a property's name".to_owned();
    }
    if old.view.kind() != new.view.kind() {
        return format!("order: found {}, written {}", old.view.kind(), new.view.kind());
    }
    if let (Some(old), Some(new)) = (len(&old.view), len(&new.view)) {
        let is_head = "header of a container";
        let is_merged = "number of items: duplicate keys are written once";
        return if old == new { is_head } else { is_merged }.to_owned();
    }
    let bytes = old.view.raw_bytes().unwrap_or_default();
    let alone = document.options().profile(Profile::Canonical);
    match Document::new(bytes, alone).validate().map_err(|error| error.kind()) {
        Err(ErrorKind::NotCanonical(what)) => what.to_string(),
        _ if bytes.len() != new.view.raw_bytes().map_or(0, <[u8]>::len) => "width".to_owned(),
        _ => "order or content".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use variant_view::Dialect;

    use super::*;

    fn words(words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    fn reasons(found: &[u32], written: &[u32]) -> Vec<(usize, String)> {
        let found = words(found);
        let all = Differences::of(&Document::new(&found, Dialect::Godot4), &words(written));
        assert_eq!(u64::try_from(all.first.len()).unwrap(), all.by_reason.values().sum::<u64>());
        all.first.into_iter().map(|one| (one.offset, one.reason)).collect()
    }

    const A: u32 = 0x61;
    const WIDE: u32 = 1 << 16;

    #[test]
    fn every_difference_has_a_reason() {
        let padding = (12, "padding is not zero".to_owned());
        assert_eq!(reasons(&[28, 1, 4, 1, A], &[28, 1, 4, 1, A]), []);
        assert_eq!(
            reasons(&[28, 2, 4, 1, A + 0x100, WIDE + 2, 7, 0], &[28, 2, 4, 1, A, 2, 7]),
            [(17, padding.1.clone()), (22, "64-bit integer that 32 bits hold".to_owned())]
        );
        assert_eq!(
            reasons(&[28, 0x8000_0001, 0], &[28, 1, 0]),
            [(7, "header of a container".to_owned())]
        );
        assert_eq!(
            reasons(&[27, 2, 2, 1, 0, 2, 1, 0], &[27, 1, 2, 1, 0]),
            [(4, "number of items: duplicate keys are written once".to_owned())]
        );
        assert_eq!(
            reasons(&[28, 1, 2, 7], &[28, 1, 0]),
            [(8, "order: found int, written Nil".to_owned())]
        );
    }

    #[test]
    fn names_of_properties_are_compared() {
        let object = |name: u32| [24, 1, A, 1, 1, name, 0];
        let name = A + 0x100;
        assert_eq!(
            reasons(&object(name), &object(A)),
            [(21, "padding of a property's name".to_owned())]
        );
    }
}
