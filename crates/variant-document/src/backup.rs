//! The names of old and unfinished files, which the command keeps beside its output.

use std::path::Path;

/// The suffix of the name of an old file, which is kept beside its replacement.
pub const OLD: &str = "~";

/// The prefix of the names of unfinished files, including those that an interrupted run left.
pub const DRAFT: &str = ".variant-inspect-";

/// Whether a file is an old file that is kept beside its replacement, or an unfinished file. `is_file` returns whether
/// a file exists; it is called at most once.
///
/// ```
/// use std::path::Path;
/// use variant_document::backup::is_kept;
///
/// let is_there = |path: &Path| path == Path::new("saves/save.dat");
/// assert!(is_kept(Path::new("saves/save.dat~"), is_there));
/// assert!(is_kept(Path::new("saves/.variant-inspect-17-x3Fe1a.part"), is_there));
/// // There is no `other.dat`, so this file is the only copy of its content.
/// assert!(!is_kept(Path::new("saves/other.dat~"), is_there));
/// ```
pub fn is_kept(path: &Path, is_file: impl FnOnce(&Path) -> bool) -> bool {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return false };
    let is_old = |name: &str| !name.is_empty() && is_file(&path.with_file_name(name));
    name.starts_with(DRAFT) || name.strip_suffix(OLD).is_some_and(is_old)
}
