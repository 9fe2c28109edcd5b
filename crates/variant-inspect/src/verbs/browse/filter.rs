//! The values that a path selects, as separate rows.

use variant_document::Plain;
use variant_document::query::Query;
use variant_document::tree::{Children, matches};

/// The most values that are listed.
const MOST_MATCHES: usize = 100_000;

/// The selected values, and a remark about them.
pub(super) struct Matches<'a> {
    pub(super) children: Children<'a>,
    pub(super) count: usize,
    /// Why there may be more.
    pub(super) remark: Option<String>,
}

/// The values that a path selects. O(bytes of the file).
///
/// # Errors
/// The error in the path.
pub(super) fn filter<'a>(file: Plain<'a>, path: &str) -> Result<Matches<'a>, String> {
    let variant_document::tree::Matches { found, remark } =
        matches(file, &Query::parse(path)?, MOST_MATCHES);
    let count = found.len();
    Ok(Matches { children: Children::known(found), count, remark })
}
