//! Skipping of values.

use super::Scanner;
use crate::bytes::{Cursor, Fault, Unfit};
use crate::contents::{Contents, OpenContainer};
use crate::error::Result;
use crate::layout::{self, Extent};
use crate::options::Mode;

/// Moves `cursor` past the value at its position.
///
/// O(bytes of the value) for containers, string arrays and node paths; O(1) for others.
#[inline(always)]
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
    let bytes = start.rest();
    match skip_flat(bytes, mode).or_else(|| skip_fast(bytes, OpenContainer::ROOT, mode)) {
        Some(len) => Ok(start.behind(len)),
        None => skip_container_slowly(start, mode),
    }
}

/// The most items for which skipping one by one beats starting a scanner.
const FLAT: u32 = 8;

/// The length of a container with few items, none of which has items itself.
///
/// Takes and returns bytes and numbers instead of cursors, here and below: they stay in registers.
#[inline(never)]
fn skip_flat(bytes: &[u8], mode: Mode) -> Option<usize> {
    let (mut cursor, extent) = layout::measure(Cursor::<Unfit>::new(bytes, 0), mode).ok()?;
    let Extent::Open { items: items @ ..=FLAT, form: Contents::Elements | Contents::Pairs } =
        extent
    else {
        return None;
    };
    if mode.depth == 0 {
        return None;
    }
    for _ in 0..items {
        match layout::measure(cursor, mode.inner()).ok()? {
            (behind, Extent::Leaf | Extent::Open { items: 0, .. }) => cursor = behind,
            (_, Extent::Open { .. }) => return None,
        }
    }
    Some(cursor.offset())
}

/// Skips items of a container; none on errors, or if skipping one by one is cheaper.
pub(crate) fn skip_items(
    start: Cursor<'_>,
    items: OpenContainer,
    mode: Mode,
) -> Option<Cursor<'_>> {
    let is_worth = items.left > FLAT && items.form != Contents::Properties;
    let len = is_worth.then(|| skip_fast(start.rest(), items, mode))??;
    Some(start.behind(len))
}

/// The length of some items of a container.
#[inline(never)]
fn skip_fast(bytes: &[u8], items: OpenContainer, mode: Mode) -> Option<usize> {
    let mut scanner = Scanner::<false, Unfit>::of_items(Cursor::new(bytes, 0), mode, items);
    scanner.run_fast(&mut ()).ok().map(|outcome| outcome.cursor.offset())
}

#[cold]
#[inline(never)]
fn skip_container_slowly<E: Fault>(start: Cursor<'_, E>, mode: Mode) -> Result<Cursor<'_, E>, E> {
    Scanner::<false, E>::new(start, mode).run(&mut ()).map(|outcome| outcome.cursor.with_fault())
}
