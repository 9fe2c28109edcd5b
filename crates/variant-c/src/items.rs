//! [`Items`]: iterates over a container.

use std::mem::MaybeUninit;
use std::ptr;

use variant_view::{Reader, VariantView};

use crate::border::{Result, call, put};
use crate::bytes::Text;
use crate::code::Code;
use crate::error::{Error, Failure};
use crate::place::Place;
use crate::value::{Value, other_kind};

/// An iteration over an array, a dictionary or an object. The caller leaves the members unchanged. Nothing needs to be
/// freed.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Items {
    /// The bytes from the next item on.
    pub rest: Value,
    /// The number of items that remain, as the bytes claim.
    pub left: u32,
    /// The form of the items: 0 for elements, 1 for pairs, 2 for properties.
    pub form: u8,
    /// Zero.
    pub reserved: [u8; 3],
}

/// An item of a container.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Item {
    /// The element, or the value of the pair or property.
    pub value: Value,
    /// The key of a pair. In an array or an object its `bytes` are NULL.
    pub key: Value,
    /// The key of a pair if it is a text, or the name of a property; otherwise `data` is NULL.
    pub name: Text,
}

const ELEMENTS: u8 = 0;
const PAIRS: u8 = 1;
const PROPERTIES: u8 = 2;

/// Begins an iteration over the items of a container: elements, pairs or properties. O(1).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_items_of(
    container: Value,
    items: Option<&mut MaybeUninit<Items>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        // SAFETY: the caller promises that the bytes of the value exist and do not change.
        let place = unsafe { Place::of(container) }?;
        put(items, Items::of(&place)?)
    })
}

/// Reads the next item. Returns VARIANT_END after the last item, and after a failure. O(1). If the item is a container
/// or a text array, O(bytes of the item), since the `len` of its value is exact.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_next(
    items: Option<&mut Items>,
    item: Option<&mut MaybeUninit<Item>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        let items = items.ok_or(Failure::argument("the pointer to the items is null"))?;
        items.left = items.left.checked_sub(1).ok_or(Failure::End)?;
        // SAFETY: the caller promises that the bytes of the items exist and do not change.
        let next = unsafe { Place::of(items.rest) }.and_then(|place| items.next(&place));
        // After a failure the position of the next item is unknown, so the iteration ends.
        let next = next.inspect_err(|_| items.left = 0)?;
        put(item, next)
    })
}

impl Items {
    fn of<'a>(container: &Place<'a>) -> Result<'a, Self> {
        let document = &container.document;
        let mut reader = Reader::new(document.bytes(), document.options());
        let next = reader.next_value();
        let (view, count) = next.map_err(|error| container.failure(error))?;
        let count = count.unwrap_or(0);
        let (form, left) = match view {
            VariantView::Array(_)
            | VariantView::TypedArray(_)
            | VariantView::PackedTypedArray(_) => (ELEMENTS, count),
            VariantView::Dictionary(_) => (PAIRS, count / 2),
            VariantView::Object(_) => (PROPERTIES, count),
            _ => return Err(other_kind(container, "an array, a dictionary or an object")),
        };
        let rest = container.inner(reader.offset(), usize::MAX, 1);
        Ok(Self { rest: rest.position(), left, form, reserved: [0; 3] })
    }

    fn next<'a>(&mut self, place: &Place<'a>) -> Result<'a, Item> {
        let document = &place.document;
        let mut reader = Reader::new(document.bytes(), document.options());
        let mut name = Text::NONE;
        if self.form == PROPERTIES {
            let own = reader.name().map_err(|error| place.failure(error))?;
            name = Text::from(own.engine_bytes());
        }
        let mut key = Value::NONE;
        if self.form == PAIRS {
            let own = take(place, &mut reader)?;
            if let Ok(text) = own.view()?.as_text() {
                name = Text::from(text.engine_bytes());
            }
            key = own.value()?;
        }
        let value = take(place, &mut reader)?.value()?;
        self.rest = place.inner(reader.offset(), usize::MAX, 0).position();
        Ok(Item { value, key, name })
    }
}

/// Reads the next value of the reader, as a place that has the bytes of this value and no others.
fn take<'a>(place: &Place<'a>, reader: &mut Reader<'a>) -> Result<'a, Place<'a>> {
    let start = reader.offset();
    let bytes = reader.skip().map_err(|error| place.failure(error))?;
    Ok(place.inner(start, bytes.len(), 0))
}

impl Value {
    pub(crate) const NONE: Self = Self {
        bytes: ptr::null(),
        len: 0,
        offset: 0,
        depth: 0,
        kind: 0,
        dialect: 0,
        reals: 0,
        objects: 0,
    };
}
