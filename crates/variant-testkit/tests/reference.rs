//! The reference agrees with the decoder on ids, and with the engines on their records.

use variant_testkit::corpus::{self, Case, Precision};
use variant_testkit::defects::Defects;
use variant_testkit::reference::{self, Rules, read};
use variant_view::{Dialect, Kind};

#[test]
fn the_ids_are_those_of_the_decoder() {
    for &dialect in Dialect::ALL {
        for &kind in Kind::ALL {
            let id = dialect.id(kind).map(u32::from);
            assert_eq!(reference::id(dialect, kind), id, "{dialect} {kind}");
        }
    }
}

/// Verdicts and consumed bytes equal those of the engines, except for known defects.
#[test]
fn the_engines_agree() {
    let defects = Defects::of_corpus().unwrap();
    let mut count = 0;
    for (dialect, path) in corpus::record_files() {
        let precision = Precision::of_file(&path);
        for case in corpus::read_cases(&path).unwrap() {
            let is_known = defects.find(dialect, precision, &case).is_some();
            if !is_known {
                let name = format!("{}:{} {}", path.display(), case.line, case.name);
                check_verdict(dialect, &case, &name);
                count += 1;
            }
        }
    }
    assert!(count > 15_000, "{count}");
}

fn check_verdict(dialect: Dialect, case: &Case, name: &str) {
    // Godot 3.2.3 has no depth limit.
    let depth = if dialect == Dialect::Godot3 { 100_000 } else { 1_024 };
    let rules = Rules { refuse_objects: !case.objects, depth, ..Rules::new(dialect) };
    let outcome = on_a_deep_stack(&case.bytes, rules);
    assert_eq!(outcome.is_ok(), case.accepted, "{name}: {outcome:?}");
    if let (Ok(summary), Some(consumed)) = (outcome, case.consumed) {
        assert_eq!(summary.consumed, consumed.min(case.bytes.len()), "{name}");
    }
}

/// The deepest records have 2,000 levels, for which the stack of a test is too small.
fn on_a_deep_stack(bytes: &[u8], rules: Rules) -> Result<reference::Summary, reference::Error> {
    if bytes.len() < 2_000 {
        return read(bytes, rules).outcome;
    }
    let thread = std::thread::Builder::new().stack_size(64 << 20);
    std::thread::scope(|scope| {
        thread.spawn_scoped(scope, || read(bytes, rules).outcome).unwrap().join().unwrap()
    })
}
