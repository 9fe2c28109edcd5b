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
    json: 5
    io: 1
    render: 3
    multiplayer: 1
    debugger: 1
    server: 1
    serde: 1
    c_interface: 3
}

#[test]
fn every_target_is_replayed() {
    let targets: BTreeSet<_> = TARGETS.iter().map(|target| target.name).collect();
    assert_eq!(targets, REPLAYED.iter().copied().collect());
}

#[test]
fn every_target_can_be_run() {
    let mut files = BTreeSet::new();
    for workspace in ["../fuzz", "../fuzz/outer"].map(|folder| corpus::root().join(folder)) {
        let manifest = fs::read_to_string(workspace.join("Cargo.toml")).unwrap();
        for entry in fs::read_dir(workspace.join("fuzz_targets")).unwrap() {
            let path = entry.unwrap().path();
            let file = path.file_stem().unwrap().to_str().unwrap().to_owned();
            assert!(manifest.contains(&format!("path = \"fuzz_targets/{file}.rs\"")), "{file}");
            files.insert(file);
        }
    }
    // The bodies of these targets are in crates that the testkit does not build.
    let others = ["functions", "table", "words"].map(str::to_owned);
    let targets = TARGETS.iter().map(|target| target.name.to_owned());
    assert_eq!(files, targets.chain(others).collect());
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
