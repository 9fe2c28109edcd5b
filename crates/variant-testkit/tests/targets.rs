//! Runs the bodies of all fuzz targets over the corpus and over the findings of campaigns.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeSet;
use std::fs;

use variant_testkit::corpus;
use variant_testkit::fuzz::{TARGETS, Target, regressions, seeds};

fn target(name: &str) -> &'static Target {
    TARGETS.iter().find(|target| target.name == name).unwrap()
}

/// Runs one seed in `step`, and all regressions.
fn replay(name: &str, step: usize) {
    let target = target(name);
    let seeds = seeds(target).unwrap();
    assert!(seeds.len() > 64, "{name} has {} seeds", seeds.len());
    seeds.iter().step_by(step).for_each(|seed| (target.check)(seed));
    for (path, input) in regressions(target).unwrap() {
        println!("{}", path.display());
        (target.check)(&input);
    }
}

macro_rules! replays {
    ($($name:ident: $step:literal)*) => {
        $(
            #[test]
            fn $name() {
                replay(stringify!($name), $step);
            }
        )*

        const REPLAYED: &[&str] = &[$(stringify!($name)),*];
    };
}

// Here, slow targets run on a part of the seeds. `fuzz/run` runs every target on all seeds.
replays! {
    open_walk: 5
    agree: 5
    validated_access: 1
    roundtrip: 5
    arbitrary_value: 1
    near_valid: 1
    padding_and_lengths: 1
    packed_align: 1
    dialects: 1
    text: 1
    json: 1
    io: 1
    render: 1
    multiplayer: 1
    debugger: 1
    server: 1
    serde: 1
    c_interface: 1
}

#[test]
fn every_target_is_replayed() {
    let targets: BTreeSet<_> = TARGETS.iter().map(|target| target.name).collect();
    assert_eq!(targets, REPLAYED.iter().copied().collect());
}

#[test]
fn every_target_can_be_run() {
    let folder = corpus::root().join("../fuzz/fuzz_targets");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files: BTreeSet<_> =
        files.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
    assert_eq!(files, TARGETS.iter().map(|target| target.name.to_owned()).collect());
    let manifest = fs::read_to_string(corpus::root().join("../fuzz/Cargo.toml")).unwrap();
    for target in TARGETS {
        assert!(manifest.contains(&format!("name = \"{}\"", target.name)), "{}", target.name);
    }
}

#[test]
fn every_regression_is_replayed() {
    let folder = corpus::root().join("regressions");
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            target(path.file_name().unwrap().to_str().unwrap());
        }
    }
}
