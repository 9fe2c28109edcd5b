//! Reads consecutive compact values in several ways.

use variant_multiplayer::CompactValues;
use variant_multiplayer::compact;
use variant_owned::{EncodeOptions, Variant};
use variant_view::{Error, ErrorKind, Limits, Options, Profile, Result, Summary, VariantView};

use crate::exercise::touch;

/// Checks that validation and iteration give the same verdict and the same end. Decoded values must stay the same if
/// they are encoded and decoded again. Offsets count from the start of `buffer`.
pub(super) fn check_row(values: CompactValues<'_>, buffer: &[u8]) {
    let (views, end) = read(values, buffer);
    let options = *values.options();
    let roomy = options.limits(Limits::FILE.depth(options.limits.depth));
    let whole = with(values, roomy.profile(Profile::Engine)).validate();
    check_verdict(whole, &end);
    check_limits(values, whole);
    let Ok(summary) = whole else { return };
    assert_eq!(end, Ok(summary.consumed), "read as far as it is valid");
    check_written(values, &views, summary);
    check_canonical(with(values, roomy.profile(Profile::Canonical)), &views, summary);
}

/// The same values, read with other options.
fn with(values: CompactValues<'_>, options: Options) -> CompactValues<'_> {
    let row = match values.count() {
        Some(count) => CompactValues::counted(values.bytes(), options, count),
        None => CompactValues::new(values.bytes(), options),
    };
    row.in_buffer(values.offset())
}

/// All views in order. Also the number of bytes of all views, or the first error.
fn read<'a>(values: CompactValues<'a>, buffer: &[u8]) -> (Vec<VariantView<'a>>, Result<usize>) {
    let mut rest = values.iter();
    let (mut views, mut taken) = (Vec::new(), 0_usize);
    while let Some(value) = rest.next() {
        let view = match value {
            Ok(view) => view,
            Err(error) => {
                assert!(error.offset() <= buffer.len(), "{error}");
                assert!(rest.next().is_none() && rest.rest().is_empty(), "a value after an error");
                return (views, Err(error));
            }
        };
        assert_eq!(view.offset(), values.offset().saturating_add(taken), "one after the other");
        let bytes = view.raw_bytes().expect("a value that was stepped over");
        assert!(!bytes.is_empty(), "no value is without bytes");
        assert_eq!(buffer.get(view.offset()..).map(|all| all.starts_with(bytes)), Some(true));
        taken = taken.saturating_add(bytes.len());
        touch(&view);
        views.push(view);
    }
    assert!(rest.next().is_none(), "a value after the end");
    assert_eq!(values.bytes().get(taken..), Some(rest.rest().bytes()), "what is left");
    if let Some(count) = values.count() {
        assert_eq!(u32::try_from(views.len()), Ok(count), "as many as were counted");
    }
    (views, Ok(taken))
}

/// Checks the verdict of validation. Only validation finds errors in texts. Validation and iteration must find every
/// other error at the same byte.
fn check_verdict(verdict: Result<Summary>, end: &Result<usize>) {
    match (verdict, end) {
        (Err(error), _) if is_of_text(&error) => {}
        (verdict, end) => assert_eq!(verdict.map(|summary| summary.consumed), *end),
    }
}

fn is_of_text(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::InvalidText)
}

/// Checks that limits refuse a row if and only if the row exceeds them.
fn check_limits(values: CompactValues<'_>, whole: Result<Summary>) {
    let options = values.options().profile(Profile::Engine);
    let limited = with(values, options).validate();
    let is_within = |summary: &Summary| {
        let bytes = u64::try_from(summary.consumed).unwrap_or(u64::MAX);
        bytes <= options.limits.bytes && summary.values <= options.limits.values
    };
    match (whole, limited) {
        (Ok(summary), Ok(limited)) => {
            assert!(limited == summary && is_within(&summary), "{summary:?}, {limited:?}");
        }
        (Ok(summary), Err(error)) => assert!(
            !is_within(&summary) && matches!(error.kind(), ErrorKind::LimitExceeded { .. }),
            "{error}, {summary:?}"
        ),
        (Err(_), Ok(limited)) => panic!("limits make it valid: {limited:?}"),
        (Err(error), Err(limited)) => assert!(limited.offset() <= error.offset(), "{limited}"),
    }
}

fn encoding(options: &Options) -> EncodeOptions {
    EncodeOptions::new(options.dialect).reals(options.reals).depth(options.limits.depth)
}

/// Checks that decoded values stay the same if they are encoded and decoded again.
fn check_written(values: CompactValues<'_>, views: &[VariantView<'_>], summary: Summary) {
    let own: Vec<_> =
        views.iter().map(|view| Variant::from_view(view).expect("validated")).collect();
    let mut row = Vec::new();
    for value in &own {
        let start = row.len();
        let len = compact::encode_into(value, encoding(values.options()), &mut row);
        assert_eq!(len.ok(), Some(row.len().saturating_sub(start)), "{value:?}");
    }
    let options = values.options().profile(Profile::Engine);
    let options = options.limits(Limits::FILE.depth(options.limits.depth));
    let written = CompactValues::new(&row, options);
    let read: Vec<_> = written
        .iter()
        .map(|value| Variant::from_view(&value.expect("written")).expect("written"))
        .collect();
    assert_eq!(format!("{read:?}"), format!("{own:?}"), "read again");
    let again = written.validate().expect("what was written");
    assert_eq!(again.consumed, row.len(), "validated again");
    // Only the last of equal keys remains, so a deep value of an earlier key may be missing.
    assert!(again.depth <= summary.depth, "no deeper than before");
}

/// Checks that values in the engine's form are written with the same bytes.
fn check_canonical(values: CompactValues<'_>, views: &[VariantView<'_>], engine: Summary) {
    let Ok(summary) = values.validate() else { return };
    assert_eq!(summary, engine, "canonical");
    let mut row = Vec::new();
    for view in views {
        let value = Variant::from_view(view).expect("validated");
        compact::encode_into(&value, encoding(values.options()), &mut row).expect("as it was");
    }
    // Some dialects do not write the ids of RIDs, so that two keys may become one.
    if values.options().dialect.writes_rids() {
        assert_eq!(values.bytes().get(..summary.consumed), Some(&*row), "of the engine's bytes");
    }
}
