//! Nesting at, below and above the limit, through every entry point, on a small stack.
//!
//! The tests run in a debug build, in which stack frames are largest.

use std::thread;

use variant_testkit::agree::check_agree;
use variant_testkit::builder::{Builder, words};
use variant_testkit::exercise::exercise;
use variant_view::{Dialect, Document, ErrorKind, Limit, Limits, Options, Profile, VariantView};

/// The bytes before and after an inner value.
struct Shell {
    name: &'static str,
    dialect: Dialect,
    before: Builder,
    after: Builder,
}

/// Every kind of container, with the inner value in every possible place.
fn shells() -> Vec<Shell> {
    use Dialect::{Godot2, Godot3, Godot4, Pandemonium3, Pandemonium4, Pandemonium5};
    let shell = |name, dialect, before| Shell { name, dialect, before, after: Builder::new() };
    let new = Builder::new;
    let mut shells = vec![
        shell("object property", Godot3, new().u32(17).text("C").u32(1).text("p")),
        shell("object property", Godot4, new().u32(24).text("C").u32(1).text("p")),
        shell("object property", Pandemonium5, new().u32(23).text("C").u32(1).text("p")),
        shell("typed array", Godot4, new().u32(0x1_001c).u32(28).u32(1)),
        shell("array of a class", Godot4, new().u32(0x2_001c).text("C").u32(1)),
        shell("typed dictionary", Godot4, new().u32(0x5_001b).u32(2).u32(27).u32(1).u32(2).u32(7)),
        shell("typed array", Pandemonium5, new().u32(27).u32(27).u32(1)),
        shell("packed typed array", Pandemonium5, new().u32(28).u32(28).u32(1)),
    ];
    let ids = [(Godot2, 21, 20), (Godot3, 19, 18), (Godot4, 28, 27)];
    let more = [(Pandemonium3, 23, 22), (Pandemonium4, 26, 25), (Pandemonium5, 26, 25)];
    for (dialect, array, dictionary) in ids.into_iter().chain(more) {
        shells.push(shell("array", dialect, new().u32(array).u32(1)));
        shells.push(shell("dictionary value", dialect, new().u32(dictionary).u32(1).u32(2).u32(7)));
        let before = new().u32(dictionary).u32(1);
        shells.push(Shell { name: "dictionary key", dialect, before, after: new().u32(0) });
    }
    shells
}

/// A nil inside `levels` nested copies of a shell.
fn bomb(shell: &Shell, levels: usize) -> Vec<u8> {
    let before = shell.before.clone().build().bytes;
    let after = shell.after.clone().build().bytes;
    [before.repeat(levels), vec![0; 4], after.repeat(levels)].concat()
}

fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    thread::Builder::new().stack_size(128 << 10).spawn(work).unwrap().join().unwrap();
}

/// Calls the oracle. It is recursive, so it needs a large stack.
fn agrees(bytes: &[u8], options: Options) {
    let large = thread::Builder::new().stack_size(32 << 20);
    thread::scope(|scope| {
        large.spawn_scoped(scope, || check_agree(bytes, options)).unwrap().join().unwrap();
    });
}

fn assert_depth(shell: &Shell, levels: u32, limits: Limits) {
    let bytes = bomb(shell, levels as usize);
    let name = format!("{levels} levels of {} in {}", shell.name, shell.dialect);
    let options = Options::engine(shell.dialect).limits(limits);
    let document = Document::new(&bytes, options);
    let fits = levels <= limits.depth;
    agrees(&bytes, options);
    let is_too_deep = |kind| kind == ErrorKind::LimitExceeded { limit: Limit::Depth };

    match document.validate() {
        Ok(summary) => {
            assert!(fits, "{name}: {summary:?}");
            assert_eq!(summary.depth, levels, "{name}");
            assert_eq!(summary.consumed, bytes.len(), "{name}");
        }
        Err(error) => assert!(!fits && is_too_deep(error.kind()), "{name}: {error}"),
    }
    let canonical = Document::new(&bytes, options.profile(Profile::Canonical)).validate();
    // The contents of a typed shell may have another type than the shell declares. Only the canonical profile refuses
    // them.
    if shell.name.contains("typed") || shell.name.contains("class") {
        assert!(fits || canonical.is_err(), "{name}: {canonical:?}");
    } else if cfg!(feature = "alloc") || levels < 256 {
        // Without an allocator, the check for duplicates stops at 256 keys.
        assert_eq!(canonical, document.validate(), "{name}: canonical");
    }
    let walked = document.walk().find_map(Result::err);
    assert_eq!(walked, document.validate().err(), "{name}: walk and validation");
    assert_eq!(document.root().unwrap().raw_bytes().err(), walked, "{name}: skipping");
    #[cfg(feature = "alloc")]
    {
        let mut tape = variant_view::Tape::new();
        let read = tape.read(document).map(|read| read.summary());
        assert_eq!(read, document.validate(), "{name}: tape");
    }
    descend(&document, levels, &name);
    let innermost = document.path_to(bytes.len() / 2).unwrap();
    if levels <= 200 {
        let path = innermost.to_string();
        if let Ok(view) = document.at(&path) {
            assert_eq!(document.path_to(view.offset()).unwrap().to_string(), path, "{name}");
        }
        exercise(&bytes, options);
    }
}

/// Descends through the lazy views, level by level; each level must know the remaining depth.
fn descend(document: &Document<'_>, levels: u32, name: &str) {
    let mut view = document.root().unwrap();
    let mut depth = 0;
    let error = loop {
        let inner = match view {
            VariantView::Array(v)
            | VariantView::TypedArray(v)
            | VariantView::PackedTypedArray(v) => v.iter().next(),
            VariantView::Dictionary(v) => match v.iter().next() {
                Some(Ok((key, VariantView::Nil(_)))) => Some(Ok(key)),
                Some(pair) => Some(pair.map(|(_, value)| value)),
                None => None,
            },
            VariantView::Object(v) => v.properties().next().map(|p| p.map(|(_, value)| value)),
            _ => break None,
        };
        match inner.expect("one item") {
            Ok(inner) => view = inner,
            Err(error) => break Some(error),
        }
        depth += 1;
    };
    let limit = document.options().limits.depth;
    match error {
        None => assert_eq!(depth, levels, "{name}"),
        Some(error) => {
            // A dictionary's key is skipped before its value is read, so the error comes one level up.
            assert!(depth <= limit && levels > limit, "{name}: {error}");
            assert_eq!(error.kind(), ErrorKind::LimitExceeded { limit: Limit::Depth }, "{name}");
        }
    }
}

#[test]
fn limits_of_engines_and_of_servers() {
    on_a_small_stack(|| {
        for shell in shells() {
            for levels in [0, 1, 1_023, 1_024, 1_025, 1_026, 3_000] {
                assert_depth(&shell, levels, Limits::ENGINE);
            }
            for levels in [31, 32, 33, 127, 128, 129, 5_000] {
                assert_depth(&shell, levels, Limits::SERVER);
            }
        }
    });
}

/// An empty container may be on the last level, as in the engines.
#[test]
fn an_empty_container_is_a_leaf() {
    let bytes = [words(&[28, 1]).build().bytes.repeat(1_024), vec![28, 0, 0, 0, 0, 0, 0, 0]];
    let summary =
        Document::new(&bytes.concat(), Options::engine(Dialect::Godot4)).validate().unwrap();
    assert_eq!(summary.depth, 1_024);
}

/// A raised limit allows values deeper than the engines' limit.
#[cfg(feature = "alloc")]
#[test]
fn a_raised_limit() {
    on_a_small_stack(|| {
        let limits = Limits::ENGINE.depth(100_000);
        for shell in shells() {
            let bytes = bomb(&shell, 100_000);
            let document = Document::new(&bytes, Options::engine(shell.dialect).limits(limits));
            assert_eq!(document.validate().unwrap().depth, 100_000);
            let ends = document
                .walk()
                .filter(|e| matches!(e, Ok(variant_view::Event::Exit { .. })))
                .count();
            assert_eq!(ends, 100_000);
            assert_eq!(document.root().unwrap().raw_bytes().unwrap().len(), bytes.len());
        }
    });
}

#[cfg(not(feature = "alloc"))]
#[test]
fn a_raised_limit_ends_where_memory_does() {
    let limits = Limits::ENGINE.depth(u32::MAX);
    for shell in shells() {
        for (levels, fits) in
            [(Limits::MAX_DEPTH_NO_ALLOC, true), (Limits::MAX_DEPTH_NO_ALLOC + 1, false)]
        {
            let bytes = bomb(&shell, levels as usize);
            let document = Document::new(&bytes, Options::engine(shell.dialect).limits(limits));
            assert_eq!(document.validate().is_ok(), fits, "{levels} of {}", shell.name);
        }
    }
}

/// Nested arrays of the given depth around an array of class `Node`: the class is a `StringName` value one level below
/// the array.
fn array_of_a_class(depth: usize) -> Vec<u8> {
    let outer = words(&[26, 1]).build().bytes.repeat(depth);
    let array = words(&[27, 23, 24]).text("Node").u32(0).build().bytes;
    [outer, array].concat()
}

/// Pandemonium 5 accepts the typed array on level 1,023, whose class is on the deepest allowed level. It refuses the
/// typed array on level 1,024.
#[test]
fn the_class_of_a_typed_array_counts_as_a_level() {
    let options = Options::engine(Dialect::Pandemonium5);
    let bytes = array_of_a_class(1023);
    let summary = Document::new(&bytes, options).validate().unwrap();
    assert_eq!((summary.consumed, summary.depth), (bytes.len(), 1023));
    let bytes = array_of_a_class(1024);
    let document = Document::new(&bytes, options);
    let error = document.validate().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::LimitExceeded { limit: Limit::Depth });
    // The class starts at this offset, after the header and the type id.
    assert_eq!(error.offset(), 1024 * 8 + 8);
    exercise(&bytes, options);
    assert_eq!(document.at(&"[0]".repeat(1024)).unwrap_err(), error);
    assert!(document.at(&"[0]".repeat(1023)).is_ok());
    // An array without a class has no value below it.
    let by_number = words(&[27, 2, 0]).build().bytes;
    let bytes = [words(&[26, 1]).build().bytes.repeat(1024), by_number].concat();
    assert_eq!(Document::new(&bytes, options).validate().unwrap().depth, 1024);
}

/// Typed arrays in every place: alone, in records of equal layout, and in records at different levels.
#[test]
fn the_class_of_a_typed_array_is_looked_at_on_every_way() {
    for depth in 0..6_u32 {
        let limits = Limits::FILE.depth(depth);
        let options = Options::engine(Dialect::Pandemonium5).limits(limits);
        let (array, record) = (array_of_a_class(0), array_of_a_class(1));
        let list = |inner: &[u8], count: u32| {
            [words(&[26, count]).build().bytes, inner.repeat(count as usize)].concat()
        };
        let pair = |inner: [Vec<u8>; 2]| [words(&[26, 2]).build().bytes, inner.concat()].concat();
        // The first record in the second list is less deep than the others, which are like those in the first list.
        let deeper = |record: &[u8]| {
            let deep = [words(&[26, 21, 26, 1, 0]).build().bytes, record.repeat(20)].concat();
            pair([list(record, 20), list(&deep, 1)])
        };
        let plain = words(&[26, 1, 26, 1, 0]).build().bytes;
        for (bytes, deepest) in [
            (array.clone(), 1),
            (list(&array, 40), 2),
            (list(&record, 40), 3),
            (list(&list(&record, 20), 20), 4),
            (deeper(&record), 5),
            (deeper(&plain), 5),
            (pair([list(&record, 20), list(&list(&record, 20), 2)]), 5),
            (pair([list(&list(&record, 20), 2), list(&record, 20)]), 5),
            (pair([list(&array, 40), list(&list(&list(&array, 40), 2), 2)]), 5),
        ] {
            let document = Document::new(&bytes, options);
            let is_fine = document.validate().is_ok();
            assert_eq!(is_fine, deepest <= depth, "{deepest} {depth}");
            agrees(&bytes, options);
            exercise(&bytes, options);
        }
    }
}
