//! Skipping of values.

use super::{Scanner, flat};
use crate::bytes::{Cursor, Fault};
use crate::contents::{Contents, OpenContainer};
use crate::error::Result;
use crate::layout::{self, Extent};
use crate::options::Mode;

/// Moves `cursor` past the value at its position.
///
/// O(bytes of the value) for containers, string arrays and node paths; O(1) for others.
#[cfg_attr(not(variant_small), inline(always))]
pub(crate) fn skip<E: Fault>(cursor: &mut Cursor<'_, E>, mode: Mode) -> Result<(), E> {
    *cursor = match layout::measure(*cursor, mode)? {
        (behind, Extent::Leaf | Extent::Open { items: 0, .. }) => behind,
        (_, Extent::Open { .. }) => skip_container(*cursor, mode)?,
    };
    Ok(())
}

/// [`skip`] for rare cases, not inlined.
#[inline(never)]
pub(crate) fn skip_apart<E: Fault>(
    mut cursor: Cursor<'_, E>,
    mode: Mode,
) -> Result<Cursor<'_, E>, E> {
    skip(&mut cursor, mode)?;
    Ok(cursor)
}

fn skip_container<E: Fault>(start: Cursor<'_, E>, mode: Mode) -> Result<Cursor<'_, E>, E> {
    match flat::skip::<false>(start.rest(), mode) {
        Some(len) => Ok(start.behind(len)),
        None => skip_container_slowly(start, mode),
    }
}

/// Up to this number, items are skipped one by one, which costs less than starting a pass.
const FEW: u32 = 8;

/// Skips items of a container, and returns the cursor after them. `None` on errors, or if skipping
/// one by one is cheaper.
pub(crate) fn skip_items(
    start: Cursor<'_>,
    items: OpenContainer,
    mode: Mode,
) -> Option<Cursor<'_>> {
    let is_worth = items.left > FEW && items.form != Contents::Properties;
    let len = is_worth.then(|| flat::skip_items(start.rest(), items, mode))??;
    Some(start.behind(len))
}

#[cold]
#[inline(never)]
fn skip_container_slowly<E: Fault>(start: Cursor<'_, E>, mode: Mode) -> Result<Cursor<'_, E>, E> {
    Scanner::<false, E>::new(start, mode).run(&mut ()).map(|outcome| outcome.cursor.with_fault())
}
