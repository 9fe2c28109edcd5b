//! [`Value`]: a value in the caller's bytes.

use std::ffi::c_char;
use std::mem::MaybeUninit;

use variant_document::lookup::look_up;
use variant_io::Framing;
use variant_view::{Document, Key, VariantView};

use crate::border::{Result, call, list, put, text};
use crate::code::{
    Code, VARIANT_ERROR_FORMAT, VARIANT_ERROR_KIND, VARIANT_ERROR_NOT_FOUND, VARIANT_ERROR_PATH,
};
use crate::error::{Error, Failure, VARIANT_NO_OFFSET};
use crate::names;
use crate::options::Options;
use crate::place::Place;

/// A value: a pointer to its bytes, and the settings for reading them. It is passed by value, and does not need to be
/// freed. The caller reads `kind`, `offset` and `dialect`, and leaves all members unchanged.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Value {
    /// The bytes, which begin with the header of the value; NULL if there is no value.
    pub bytes: *const u8,
    /// The number of bytes: at least the size of the value, and at most up to the end of the packet or frame.
    pub len: usize,
    /// The offset of the value in the packet, or in the plain bytes of the file.
    pub offset: u64,
    /// The number of levels of nested values that are allowed below this value.
    pub depth: u32,
    /// The kind, VARIANT_KIND_*.
    pub kind: u8,
    /// The dialect, VARIANT_DIALECT_*.
    pub dialect: u8,
    /// The width of reals, VARIANT_REALS_*.
    pub reals: u8,
    /// 1 if objects with class and properties are refused.
    pub objects: u8,
}

/// The counts of a validation.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Summary {
    /// The number of bytes of all values.
    pub bytes: u64,
    /// The number of values, containers and keys included. Elements of packed arrays do not count.
    pub values: u64,
    /// The number of frames or settings; 1 for a packet.
    pub frames: u64,
    /// The depth of the deepest value; 0 for the root.
    pub depth: u32,
    /// Zero.
    pub reserved: u32,
}

impl Summary {
    /// The counts of both summaries together.
    pub(crate) fn and(self, other: variant_view::Summary) -> Self {
        let bytes = u64::try_from(other.consumed).unwrap_or(u64::MAX);
        Self {
            bytes: self.bytes.saturating_add(bytes),
            values: self.values.saturating_add(other.values),
            frames: self.frames.saturating_add(1),
            depth: self.depth.max(other.depth),
            reserved: 0,
        }
    }
}

/// Validates a packet, which has one value without a length before it, and returns the value. Later calls with this
/// value fail only because of their request, such as another kind or a missing key. Bytes after the value are ignored:
/// the `len` of the value is its size. O(bytes) in one pass; nothing is copied or allocated.
///
/// For untrusted bytes, set the dialect and VARIANT_LIMITS_SERVER in the options. `summary` may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_read(
    bytes: *const u8,
    len: usize,
    options: *const Options,
    value: Option<&mut MaybeUninit<Value>>,
    summary: Option<&mut MaybeUninit<Summary>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        // SAFETY: the caller promises `len` bytes, and options of the stated size.
        let (bytes, options) = unsafe { (list(bytes, len)?, Options::copied(options)?) };
        let document = Document::new(bytes, of_packet(bytes, &options)?);
        let whole = Place { document, start: 0 };
        let counts = document.validate().map_err(|error| whole.failure(error))?;
        put(value, whole.inner(0, counts.consumed, 0).value()?)?;
        if let Some(summary) = summary {
            summary.write(Summary::default().and(counts));
        }
        Ok(())
    })
}

/// The options for reading a packet. The dialect is detected if the options do not name it.
fn of_packet<'a>(bytes: &[u8], options: &Options) -> Result<'a, variant_view::Options> {
    let reals = names::reals(options.reals)?;
    if let Some(dialect) = names::dialect(options.dialect)? {
        return options.of_value(dialect, reals.unwrap_or_default());
    }
    let guess = Framing::Bare.examine(bytes);
    let fit = guess.dialects().best().filter(|fit| fit.is_complete());
    let unknown =
        "the bytes are not one whole value in any dialect; set the dialect for the reason";
    let fit = fit.ok_or_else(|| Failure::new(VARIANT_ERROR_FORMAT, unknown))?;
    options.of_value(fit.dialect(), reals.unwrap_or_else(|| fit.reals()))
}

/// The value at a path such as `player.items[3].name`, counted from `value`. O(bytes of the containers on the path).
///
/// A step is `name` or `["any text"]` (a key or a property), `[3]` or `[-1]` (an element, or the value of an integer
/// key), `[&"name"]` (a StringName), `{2}` (the value of pair 2), `{2:key}` (the key of pair 2), or a key as a script
/// writes it, such as `[Vector2(1, 2)]`. The empty path selects `value`. A step into a PackedByteArray continues in the
/// value that its bytes hold.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_at(
    value: Value,
    path: *const c_char,
    found: Option<&mut MaybeUninit<Value>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        // SAFETY: the caller promises the bytes of the value, and a text that ends with a NUL.
        let (place, path) = unsafe { (Place::of(value)?, text(path)?) };
        put(found, at(&place, path)?.value()?)
    })
}

/// The place at a path.
pub(crate) fn at<'a>(place: &Place<'a>, path: &str) -> Result<'a, Place<'a>> {
    let error = match place.document.at(path) {
        Ok(view) => return Ok(place.of_view(&view)),
        Err(error) => error,
    };
    // Unlike the search above, `look_up` finds keys that are not texts, and values inside of byte arrays.
    match look_up(place.document, path) {
        Ok(found) => {
            let inner = place.inner(found.start, found.document.bytes().len(), 0);
            Ok(Place { document: found.document, ..inner })
        }
        Err(message) => match place.failure(error) {
            failure
                if failure.code() == VARIANT_ERROR_NOT_FOUND
                    || failure.code() == VARIANT_ERROR_PATH =>
            {
                let within = u64::try_from(error.offset()).unwrap_or(u64::MAX);
                let offset = place.start.saturating_add(within);
                Err(Failure::At { code: failure.code(), offset, frame: 0, message: message.into() })
            }
            failure => Err(failure),
        },
    }
}

/// The value of a text key in a dictionary, or of a property of an object. If several pairs have this key, the last one
/// counts, as in the engines. O(bytes of the container).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_get(
    value: Value,
    key: *const c_char,
    found: Option<&mut MaybeUninit<Value>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        // SAFETY: the caller promises the bytes of the value, and a text that ends with a NUL.
        let (place, key) = unsafe { (Place::of(value)?, text(key)?) };
        let item = place.view()?.get(Key::String(key.as_bytes()));
        put(found, existing(&place, item, "the container does not have this key")?)
    })
}

/// Element `index` of an array, from 0. O(bytes before the element), so variant_next is faster for reading all
/// elements.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_index(
    value: Value,
    index: usize,
    found: Option<&mut MaybeUninit<Value>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        // SAFETY: the caller promises that the bytes of the value exist and do not change.
        let place = unsafe { Place::of(value) }?;
        let item = place.view()?.index(index);
        put(found, existing(&place, item, "the array does not have this element")?)
    })
}

/// The value that a look-up found; a failure with `message` if it found nothing.
fn existing<'a>(
    place: &Place<'a>,
    item: variant_view::Result<Option<VariantView<'a>>>,
    message: &'static str,
) -> Result<'a, Value> {
    let missing = || {
        let (code, offset) = (VARIANT_ERROR_NOT_FOUND, place.start);
        Failure::At { code, offset, frame: 0, message: message.into() }
    };
    let view = item.map_err(|error| place.failure(error))?.ok_or_else(missing)?;
    place.of_view(&view).value()
}

/// The number of elements of an array or a packed array, of pairs of a dictionary, or of properties of an object. O(1).
/// In a damaged container the number may be wrong, so limit the memory that you allocate for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_count(
    value: Value,
    count: Option<&mut MaybeUninit<usize>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        // SAFETY: the caller promises that the bytes of the value exist and do not change.
        let place = unsafe { Place::of(value) }?;
        let len = match place.view()? {
            VariantView::Array(v)
            | VariantView::TypedArray(v)
            | VariantView::PackedTypedArray(v) => v.len(),
            VariantView::Dictionary(v) => v.len(),
            VariantView::Object(v) => v.len(),
            VariantView::PackedStringArray(v) => v.len(),
            _ => crate::numbers::of_packed(&place, |numbers| numbers.elements())?,
        };
        put(count, len)
    })
}

/// The bytes of the value, from its header to its end. They can be copied into another packet. O(1); for a container
/// O(bytes).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_raw(
    value: Value,
    bytes: Option<&mut MaybeUninit<*const u8>>,
    len: Option<&mut MaybeUninit<usize>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        // SAFETY: the caller promises that the bytes of the value exist and do not change.
        let place = unsafe { Place::of(value) }?;
        let raw = place.view()?.raw_bytes().map_err(|error| place.failure(error))?;
        put(bytes, raw.as_ptr())?;
        put(len, raw.len())
    })
}

/// The failure for a value of the wrong kind. `expected` names the right kinds, with an article.
pub(crate) fn other_kind<'a>(place: &Place<'a>, expected: &str) -> Failure<'a> {
    let found = place.document.root().map_or("a damaged value", |view| view.kind().name());
    let message = format!("expected {expected}, found {found}");
    let offset = if place.start == u64::MAX { VARIANT_NO_OFFSET } else { place.start };
    Failure::At { code: VARIANT_ERROR_KIND, offset, frame: 0, message: message.into() }
}
