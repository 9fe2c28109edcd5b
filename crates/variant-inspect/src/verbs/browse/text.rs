//! Values as literals of a bounded length, to be edited and copied.

use variant_owned::{TextOptions, write_text_to};
use variant_view::{Document, FeedError};

use super::clipboard;
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
    let bytes = spot.document_bytes();
    let document = Document::new(&bytes, spot.options);
    let options = TextOptions::new(spot.options.dialect.into());
    // The buffer rejects more bytes than it can hold, so the cost is bounded for a value of any size.
    let mut text = vec![0; most];
    let mut room = text.as_mut_slice();
    write_text_to(document, &options, &mut room).map_err(|error| match error {
        FeedError::Producer(error) => spot.placed(error).to_string(),
        FeedError::Consumer(_) => {
            format!("the literal has more than {}; `text` prints it", counted(most, "byte"))
        }
    })?;
    let len = most.saturating_sub(room.len());
    let text = String::from_utf8_lossy(text.get(..len).unwrap_or_default());
    Ok(text.trim_end().to_owned())
}
