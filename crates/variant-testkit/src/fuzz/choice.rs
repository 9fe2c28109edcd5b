//! Takes options from the first bytes of an input.

use variant_view::{Dialect, Limits, Objects, Options, Page, Profile, Reals};

/// The options that the first three bytes pick, and the remaining bytes.
pub(super) fn choose(data: &[u8]) -> Option<(Options, &[u8])> {
    let (&[reading, limits, limit], bytes) = data.split_first_chunk()?;
    let mut options = Options::engine(dialect(reading >> 3)).limits(limits_of(limits, limit));
    if reading & 1 != 0 {
        options = options.reals(Reals::Always64);
    }
    if reading & 2 != 0 {
        options = options.objects(Objects::Refuse);
    }
    if reading & 4 != 0 {
        options = options.profile(Profile::Canonical);
    }
    Some((options, bytes))
}

/// The three bytes that pick this dialect, these reals and the limits of engines.
#[cfg(feature = "fuzz")]
pub(super) fn choosing(wanted: Dialect, reals: Reals) -> [u8; 3] {
    let reals = u8::from(reals == Reals::Always64);
    [dialect_byte(wanted) << 3 | reals, 0, 0]
}

fn limits_of(which: u8, limit: u8) -> Limits {
    match which % 5 {
        0 => Limits::ENGINE,
        1 => Limits::SERVER,
        2 => Limits::FILE.depth(limit.into()),
        3 => Limits::FILE.bytes(limit.into()),
        _ => Limits::FILE.values(limit.into()).bytes(u64::from(limit) << 3),
    }
}

/// The dialect that a byte picks. One byte in four picks a page of the documentation, other bytes an engine.
pub(super) fn dialect(byte: u8) -> Dialect {
    let engines = Dialect::ALL.iter().copied().cycle().take(PAGES.into());
    let pages = Page::ALL.iter().copied().map(Page::dialect).cycle();
    let dialect = engines.chain(pages).nth(usize::from(byte % 32));
    dialect.unwrap_or(Dialect::Godot4)
}

/// A byte picks a page if its remainder modulo 32 is at least this number.
const PAGES: u8 = 24;

/// The least byte that picks a dialect.
#[cfg(feature = "fuzz")]
pub(super) fn dialect_byte(wanted: Dialect) -> u8 {
    (0..=u8::MAX).find(|&byte| dialect(byte) == wanted).unwrap_or(0)
}
