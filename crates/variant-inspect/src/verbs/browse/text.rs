//! Values as literals of a bounded length, to be edited and copied.

use variant_owned::{TextOptions, write_text_to};
use variant_view::{Document, FeedError};

use super::clipboard;
use crate::bounded::Bounded;
use variant_document::count::counted;
use variant_document::tree::Spot;

/// The longest literal that is edited in a line.
pub(super) const LINE: usize = 4_096;

/// The longest literal that is copied.
pub(super) const CLIPBOARD: usize = clipboard::MOST;

/// The literal of a value. O(`most`).
///
/// # Errors
/// The damage, or a literal longer than `most` bytes.
pub(super) fn of(spot: &Spot<'_>, most: usize) -> Result<String, String> {
    let document = Document::new(spot.bytes, spot.options);
    let options = TextOptions::new(spot.options.dialect.into());
    let mut out = Bounded::new(most);
    write_text_to(document, &options, &mut out).map_err(|error| match error {
        FeedError::Producer(error) => spot.placed(error).to_string(),
        FeedError::Consumer(_) => {
            format!("the literal has more than {}; `text` prints it", counted(most, "byte"))
        }
    })?;
    Ok(out.into_text().trim_end().to_owned())
}
