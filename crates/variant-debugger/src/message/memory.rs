//! [`VideoResource`]: a resource in video memory.

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
