//! [`VideoResource`]: a resource in video memory.

use crate::error::{Error, SendError};
use crate::list::Row;
use crate::pen::Pen;
use crate::reader::Reader;
use std::borrow::Cow;

/// A resource in video memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VideoResource<'a> {
    /// The path of the resource.
    pub path: Cow<'a, str>,
    /// Its type.
    pub kind: Cow<'a, str>,
    /// Its format.
    pub format: Cow<'a, str>,
    /// Its size in bytes.
    pub bytes: i64,
}

impl<'a> Row<'a> for VideoResource<'a> {
    fn read(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let (path, second, third) = (reader.text()?, reader.text()?, reader.text()?);
        let (kind, format) =
            if reader.family().is_array() { (third, second) } else { (second, third) };
        Ok(Self { path, kind, format, bytes: reader.int()? })
    }
}

impl VideoResource<'_> {
    pub(crate) fn write(&self, pen: &mut Pen) -> Result<(), SendError> {
        let (kind, format) = (&self.kind, &self.format);
        let (second, third) = if pen.family.is_array() { (format, kind) } else { (kind, format) };
        pen.text(&self.path)?;
        pen.text(second)?;
        pen.text(third)?;
        pen.int(self.bytes)
    }
}
