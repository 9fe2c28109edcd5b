//! [`Place`]: the bytes of a value, and how they are read.

use variant_view::{Document, Error, Limits, Objects, Options, Reader, VariantView};

use crate::border::{Result, list};
use crate::code::VARIANT_ERROR_WRITE;
use crate::error::Failure;
use crate::value::Value;
use crate::{kinds, names};
use variant_owned::{ConvertOptions, Variant, convert};

/// The bytes from a value to the end of its packet or frame, and the offset of the value in the packet or file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'a> {
    pub(crate) document: Document<'a>,
    pub(crate) start: u64,
}

impl<'a> Place<'a> {
    /// The place of the caller's value.
    ///
    /// # Safety
    /// The bytes of the value exist and do not change, as the documentation of this library demands.
    pub(crate) unsafe fn of(value: Value) -> Result<'a, Self> {
        let unknown = Failure::argument("the value is empty: no call has written it");
        if value.bytes.is_null() {
            return Err(unknown);
        }
        // SAFETY: the caller promises that the bytes exist.
        let bytes = unsafe { list(value.bytes, value.len) }?;
        let dialect = names::dialect(value.dialect)?.ok_or(unknown)?;
        let reals = names::reals(value.reals)?.unwrap_or_default();
        let objects = if value.objects == 0 { Objects::Accept } else { Objects::Refuse };
        let limits = Limits::FILE.depth(value.depth);
        let options = Options::engine(dialect).reals(reals).objects(objects).limits(limits);
        Ok(Self { document: Document::new(bytes, options), start: value.offset })
    }

    /// The value at the start of the document, as the struct for the caller.
    pub(crate) fn value(&self) -> Result<'a, Value> {
        let reader = Reader::new(self.document.bytes(), self.document.options());
        let kind = reader.kind().map_err(|error| self.failure(error))?;
        Ok(Value { kind: kinds::of_kind(kind), ..self.position() })
    }

    /// The place as a value of unknown kind. The kind is not read, since the place may have no value.
    pub(crate) fn position(&self) -> Value {
        let (bytes, options) = (self.document.bytes(), self.document.options());
        Value {
            bytes: bytes.as_ptr(),
            len: bytes.len(),
            offset: self.start,
            depth: options.limits.depth,
            kind: kinds::VARIANT_KIND_OTHER,
            dialect: names::of_dialect(options.dialect),
            reals: names::of_reals(options.reals),
            objects: u8::from(options.objects == Objects::Refuse),
        }
    }

    pub(crate) fn view(&self) -> Result<'a, VariantView<'a>> {
        self.document.root().map_err(|error| self.failure(error))
    }

    /// The value with everything in it, in the dialect and with the width of reals of `wanted`. A value of another
    /// dialect is refused unless its conversion changes nothing.
    pub(crate) fn to_variant(self, wanted: Options) -> Result<'a, Variant> {
        let read = Variant::from_document(&self.document).map_err(|error| self.failure(error))?;
        let own = self.document.options();
        if (own.dialect, own.reals) == (wanted.dialect, wanted.reals) {
            return Ok(read);
        }
        let options = ConvertOptions::new(wanted.dialect).reals(wanted.reals).strict(true);
        let refused =
            |error: &dyn std::error::Error| Failure::new(VARIANT_ERROR_WRITE, error.to_string());
        convert(&read, options).map(|(value, _)| value).map_err(|error| refused(&error))
    }

    /// The place `offset` bytes after this place, with `len` bytes and `levels` levels deeper.
    pub(crate) fn inner(&self, offset: usize, len: usize, levels: u32) -> Self {
        let options = self.document.options();
        let depth = options.limits.depth.saturating_sub(levels);
        let options = options.limits(options.limits.depth(depth));
        let rest = self.document.bytes().get(offset..).unwrap_or_default();
        let bytes = rest.get(..len).unwrap_or(rest);
        let start = self.start.saturating_add(u64::try_from(offset).unwrap_or(u64::MAX));
        Self { document: Document::new(bytes, options), start }
    }

    /// The place of a view of this document. Below it, the whole depth of the limits is allowed again.
    pub(crate) fn of_view(&self, view: &VariantView<'_>) -> Self {
        self.inner(view.offset(), usize::MAX, 0)
    }

    /// The failure for an error whose offset counts from this place.
    pub(crate) const fn failure(&self, error: Error) -> Failure<'a> {
        Failure::Data { document: self.document, start: self.start, frame: 0, error }
    }
}
