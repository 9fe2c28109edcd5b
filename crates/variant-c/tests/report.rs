//! Converts, compares, merges, migrates, salvages and checks files of engines.

use std::ffi::c_char;
use std::mem::MaybeUninit;

use variant::code::*;
use variant::convert::*;
use variant::diff::*;
use variant::file::*;
use variant::merge::*;
use variant::migrate::*;
use variant::names::*;
use variant::options::Options;
use variant::salvage::*;
use variant::schema::*;
use variant_testkit::corpus;

use crate::calls::*;
use crate::file::{by_path, lent};

const SAVE: &str = "godot3/saves/rpg_save.bin";

fn diff(old: &Opened, new: &Opened, most: u64) -> Outcome<String> {
    outcome(|lines, error| unsafe {
        variant_file_diff(old.handle(), new.handle(), most, lines, error)
    })
    .map(lines)
}

const SAME: &str = "{\"added\":0,\"changed\":0,\"removed\":0,\"reordered\":0}\n";

#[test]
fn a_file_in_another_dialect_has_equal_values() {
    let file = by_path(SAVE, &options()).unwrap();
    let mut losses = MaybeUninit::uninit();
    let converted = outcome(|bytes, error| unsafe {
        variant_file_convert(file.handle(), VARIANT_DIALECT_GODOT4, bytes, Some(&mut losses), error)
    });
    let converted = take(converted.unwrap());
    assert_eq!(lines(unsafe { losses.assume_init() }), "");
    let reading = of_dialect(VARIANT_DIALECT_GODOT4);
    let new = lent(&converted, &reading).unwrap();
    assert_eq!(unsafe { variant_file_framing(new.handle()) }, VARIANT_FRAMING_FRAMES);
    assert_eq!(diff(&file, &new, 10).unwrap(), SAME);
    let unknown = outcome(|bytes, error| unsafe {
        variant_file_convert(file.handle(), 0, bytes, None, error)
    });
    assert_eq!(unknown.unwrap_err().code, VARIANT_ERROR_ARGUMENT);
}

#[test]
fn a_loss_is_reported_or_refused() {
    let bytes = frames(&["{\"at\": Vector2i(1, 2)}"]);
    let file = lent(&bytes, &framed()).unwrap();
    let convert = |losses| {
        outcome(|bytes, error| unsafe {
            variant_file_convert(file.handle(), VARIANT_DIALECT_GODOT3, bytes, losses, error)
        })
    };
    assert_eq!(convert(None).unwrap_err().code, VARIANT_ERROR_WRITE);
    let mut losses = MaybeUninit::uninit();
    take(convert(Some(&mut losses)).unwrap());
    let losses = lines(unsafe { losses.assume_init() });
    assert!(
        losses.starts_with("{\"frame\":1,\"message\":\"") && losses.contains("\"path\":\"at\""),
        "{losses}"
    );
}

#[test]
fn a_difference_has_both_values() {
    let bytes = corpus::bytes(SAVE).unwrap();
    let old = lent(&bytes, &options()).unwrap();
    let mut changed = bytes.clone();
    changed[344] = 38;
    let new = lent(&changed, &options()).unwrap();
    let all = diff(&old, &new, 10).unwrap();
    let (first, counts) = all.split_once('\n').unwrap();
    for part in [
        "\"change\":\"changed\"",
        "\"path\":\"player.level\"",
        "\"before\":\"37\"",
        "\"after\":\"38\"",
        "\"kind_after\":\"int\"",
        "\"offset_before\":340",
    ] {
        assert!(first.contains(part), "{part}: {first}");
    }
    assert_eq!(counts, SAME.replace("\"changed\":0", "\"changed\":1"));
    assert_eq!(diff(&old, &new, 0).unwrap(), counts);
    assert_eq!(diff(&old, &old, 10).unwrap(), SAME);
    // A file that ends within a value cannot be compared.
    let cut = lent(
        &bytes[..bytes.len() / 2],
        &Options { framing: VARIANT_FRAMING_FRAMES, ..of_dialect(VARIANT_DIALECT_GODOT3) },
    );
    let failed = diff(&cut.unwrap(), &old, 10).unwrap_err();
    assert_eq!(failed.code, VARIANT_ERROR_TRUNCATED);
}

#[test]
fn the_values_of_another_file_are_added() {
    let bytes = corpus::bytes(SAVE).unwrap();
    let file = lent(&bytes, &options()).unwrap();
    let other = frames(&["{\"player\": {\"level\": 38}}"]);
    let other = lent(&other, &framed()).unwrap();
    let mut changes = MaybeUninit::uninit();
    let merged = outcome(|bytes, error| unsafe {
        variant_file_merge(file.handle(), other.handle(), None, 0, bytes, Some(&mut changes), error)
    });
    let merged = take(merged.unwrap());
    let differing = merged.iter().zip(&bytes).filter(|(new, old)| new != old).count();
    assert_eq!((merged.len(), differing), (bytes.len(), 1));
    let changes = lines(unsafe { changes.assume_init() });
    assert!(changes.contains("\"path\":\"player.level\""), "{changes}");
    let none = outcome(|bytes, error| unsafe {
        variant_file_merge(file.handle(), None, None, 0, bytes, None, error)
    });
    assert_eq!(none.unwrap_err().code, VARIANT_ERROR_ARGUMENT);
}

#[test]
fn with_a_base_only_the_changes_of_the_other_file_are_made() {
    let [base, ours, theirs] =
        ["{\"a\": 1, \"b\": 1}", "{\"a\": 2, \"b\": 1}", "{\"a\": 3, \"b\": 4}"]
            .map(|text| frames(&[text]));
    let [base, ours, theirs] = [&base, &ours, &theirs].map(|file| lent(file, &framed()).unwrap());
    let merge = |base, prefer| {
        outcome(|bytes, error| unsafe {
            variant_file_merge(ours.handle(), theirs.handle(), base, prefer, bytes, None, error)
        })
    };
    let refused = merge(base.handle(), VARIANT_PREFER_NONE).unwrap_err();
    assert_eq!(refused.code, VARIANT_ERROR_EDIT);
    assert!(refused.message.contains("both files changed 1 values, such as a"), "{refused:?}");
    for (prefer, expected) in [
        (VARIANT_PREFER_OURS, "{\"a\": 2, \"b\": 4}"),
        (VARIANT_PREFER_THEIRS, "{\"a\": 3, \"b\": 4}"),
    ] {
        assert_eq!(take(merge(base.handle(), prefer).unwrap()), frames(&[expected]));
    }
    for (base, prefer) in [(None, VARIANT_PREFER_OURS), (base.handle(), 3)] {
        assert_eq!(merge(base, prefer).unwrap_err().code, VARIANT_ERROR_ARGUMENT);
    }
}

fn migrate(file: &Opened, steps: &str) -> Outcome<(Vec<u8>, String)> {
    let mut report = MaybeUninit::uninit();
    let (text, len): (*const c_char, _) = (steps.as_ptr().cast(), steps.len());
    let migrated = outcome(|bytes, error| unsafe {
        variant_file_migrate(file.handle(), text, len, bytes, Some(&mut report), error)
    })?;
    Ok((take(migrated), lines(unsafe { report.assume_init() })))
}

#[test]
fn old_saves_become_the_newest() {
    let folder = "godot3/migration";
    let steps = corpus::bytes(&format!("{folder}/steps.toml")).unwrap();
    let steps = String::from_utf8(steps).unwrap();
    let [old, newest] = ["v1", "v3"].map(|version| {
        by_path(&format!("{folder}/saves/player1_{version}.gcpf"), &options()).unwrap()
    });
    let (migrated, report) = migrate(&old, &steps).unwrap();
    assert!(migrated.starts_with(b"GCPF"));
    assert!(
        report.contains("\"status\":\"migrated\"") && report.contains("\"from\":1,"),
        "{report}"
    );
    let migrated = lent(&migrated, &options()).unwrap();
    assert_eq!(diff(&migrated, &newest, 10).unwrap(), SAME);
    let (_, report) = migrate(&newest, &steps).unwrap();
    assert!(report.contains("\"status\":\"current\""), "{report}");
    let failed = migrate(&old, "version = 1\n[[").unwrap_err();
    assert_eq!(failed.code, VARIANT_ERROR_TEXT);
    assert!(failed.message.starts_with("the steps"), "{failed:?}");
}

#[test]
fn what_is_left_of_a_damaged_file_is_recovered() {
    let lenient = Options { lenient: 1, ..options() };
    let file = by_path("damaged/salvage/block_broken.gcpf", &lenient).unwrap();
    let mut report = MaybeUninit::uninit();
    let salvaged = outcome(|bytes, error| unsafe {
        variant_file_salvage(file.handle(), bytes, Some(&mut report), error)
    });
    let salvaged = take(salvaged.unwrap());
    assert!(salvaged.starts_with(b"GCPF"));
    let again =
        lent(&salvaged, &of_dialect(unsafe { variant_file_dialect(file.handle()) })).unwrap();
    let valid =
        outcome(|summary, error| unsafe { variant_file_validate(again.handle(), summary, error) });
    assert!(valid.unwrap().values > 1);
    let report = lines(unsafe { report.assume_init() });
    let last = report.lines().last().unwrap();
    assert!(report.contains("\"reason\":") && last.contains("\"recovered_bytes\":"), "{report}");
}

fn check(file: &Opened, schema: &str) -> Outcome<String> {
    let (text, len): (*const c_char, _) = (schema.as_ptr().cast(), schema.len());
    let report = outcome(|report, error| unsafe {
        variant_file_check(file.handle(), text, len, report, error)
    });
    report.map(lines)
}

#[test]
fn values_are_checked_against_a_schema() {
    let file = by_path(SAVE, &options()).unwrap();
    let is_of = |kind: &str| {
        format!(
            "{{\"properties\": {{\"player\": {{\"properties\": {{\"level\": {{\"type\": \"{kind}\"}}}}}}}}}}"
        )
    };
    let good = check(&file, &is_of("integer")).unwrap();
    assert_eq!(
        good,
        "{\"dialect\":\"godot3\",\"errors\":0,\"frames\":1,\"framing\":\"frames\",\"status\":\"ok\"}\n"
    );
    let bad = check(&file, &is_of("string")).unwrap();
    let first = bad.lines().next().unwrap();
    for part in [
        "\"keyword\":\"type\"",
        "\"path\":\"player.level\"",
        "\"offset\":340",
        "\"rule\":\"schema\"",
    ] {
        assert!(first.contains(part), "{part}: {first}");
    }
    assert!(bad.ends_with("\"status\":\"invalid\"}\n"), "{bad}");
    let failed = check(&file, "{").unwrap_err();
    assert_eq!(failed.code, VARIANT_ERROR_TEXT);
}

#[test]
fn the_shape_lists_each_path() {
    let file = by_path(SAVE, &options()).unwrap();
    let shape = outcome(|shape, error| unsafe { variant_file_schema(file.handle(), shape, error) });
    let shape = lines(shape.unwrap());
    let level =
        "{\"is_optional\":false,\"kinds\":[\"int\"],\"path\":\"player.level\",\"values\":1}";
    assert!(shape.lines().any(|line| line == level), "{shape}");
}
