//! Searches with a game that is a function of the bytes.

use std::path::PathBuf;
use std::time::Duration;

use variant_owned::{Dictionary, Variant, encode};
use variant_view::{Dialect, Document};

use super::place::Place;
use super::search::Found;
use super::*;
use crate::cli::{CommonArgs, FailOnArg};

const SAVE: &str = r#"{"version": 3, "name": "Ada", "hp": 7, "speed": 1.5, "list": [{"id": 1}, {"id": 2}], "odd": {"a b": [true]}}"#;

/// Calls `work` with the saves of a text.
fn with_saves(text: &str, work: impl FnOnce(&Saves<'_>, &[Place])) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("save");
    let value: Variant = text.parse().unwrap();
    std::fs::write(&path, encode(&value, Dialect::Godot3).unwrap()).unwrap();
    let common = CommonArgs { dialect: Some(Dialect::Godot3), ..CommonArgs::default() };
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut terminal = Terminal::of(&mut out, &mut err);
    let file = Values::open(&path, &mut terminal.with(&common)).unwrap();
    let older: [PathBuf; 0] = [];
    let saves = Saves::read(&file, &older, &common).unwrap();
    let places = places(&file, 100, &|_| true).unwrap();
    work(&saves, &places);
}

/// What a search finds with a game, and the number of runs.
fn search(
    saves: &Saves<'_>,
    places: &[Place],
    runs: u32,
    game: impl Fn(Option<Variant>) -> Vec<&'static str>,
) -> (Vec<Found>, u32) {
    let bounds = Bounds { runs, end: None, fail_on: FailOnArg::ScriptError };
    let mut play = |bytes: &[u8]| {
        let document = Document::new(bytes, Dialect::Godot3);
        let value = document.root().ok().and_then(|root| Variant::from_producer(root).ok());
        let finding = |text| Finding::new(Rule::Script, Duration::ZERO, text);
        Ok(Some(game(value).into_iter().map(finding).collect()))
    };
    let mut search = Search::new(saves, &[], bounds, &mut play);
    search.run(&plan(saves, places, &[]), 0).unwrap();
    (search.results.found, search.results.runs)
}

fn lines(found: &[Found]) -> Vec<String> {
    found.iter().map(|found| found.save.lines().join(" ")).collect()
}

#[test]
fn each_change_makes_a_file_that_is_read_unless_it_is_cut() {
    with_saves(SAVE, |saves, places| {
        let plan = plan(saves, places, &[]);
        for changes in &plan {
            let save = saves.make(changes).unwrap();
            let is_sound = Document::new(&save.bytes, Dialect::Godot3).validate().is_ok();
            let is_cut = matches!(changes[..], [Change::CutFile(_)]);
            assert_eq!(is_sound, !is_cut, "{changes:?}");
            assert_eq!(save.edits.len() + save.others.len(), 1, "{changes:?}");
        }
        assert!(plan.len() > 60, "{}", plan.len());
        // Equal items are one place.
        assert!(places.iter().all(|place| !place.path.contains("list[1]")), "{places:?}");
    });
}

#[test]
fn a_fault_is_shrunk_to_one_change() {
    with_saves(SAVE, |saves, places| {
        let (found, _) = search(saves, places, 500, |value| {
            let Some(value) = value else { return vec!["not a save"] };
            let hp = value.at("hp").ok().cloned();
            match hp {
                None if value.kind() == variant_view::Kind::Dictionary => vec!["no hp"],
                Some(hp) if hp.as_i64().is_some_and(|hp| hp > 99) => vec!["hp 100 is too high"],
                _ => Vec::new(),
            }
        });
        let whole = saves.len();
        assert_eq!(
            lines(&found),
            [
                "- hp: 7".to_owned(),
                format!("~ only the first {} bytes of the file, of {whole}", whole - 1),
                "- hp: 7 + hp: 100".to_owned(),
            ]
        );
    });
}

#[test]
fn a_fault_of_two_changes_keeps_both() {
    with_saves(r#"{"a": 1, "b": 2}"#, |saves, places| {
        let (found, _) = search(saves, places, 500, |value| {
            let has = |key| value.as_ref().is_some_and(|value| value.at(key).is_ok());
            let is_empty =
                value.as_ref().and_then(Variant::as_dictionary).is_some_and(Dictionary::is_empty);
            if !has("a") && !has("b") && is_empty { vec!["empty"] } else { Vec::new() }
        });
        // One change that empties the dictionary comes before the pair.
        assert_eq!(lines(&found).len(), 1);
        let (found, _) = search(saves, places, 500, |value| {
            let of = |key| value.as_ref().and_then(|value| value.at(key).ok()?.as_i64());
            let is_negative = |key| of(key).is_some_and(|value| value < 0);
            if is_negative("a") && is_negative("b") { vec!["both"] } else { Vec::new() }
        });
        let [found] = found.as_slice() else { panic!("{found:?}") };
        let mut lines = found.save.lines();
        lines.sort_unstable();
        assert_eq!(lines, ["+ a: -1", "+ b: -1", "- a: 1", "- b: 2"]);
    });
}

#[test]
fn a_search_is_bounded_and_the_same_each_time() {
    with_saves(SAVE, |saves, places| {
        let seen = |runs| {
            let all = std::cell::RefCell::new(Vec::new());
            let (_, used) = search(saves, places, runs, |value| {
                all.borrow_mut().push(value.map(|value| value.to_string()));
                Vec::new()
            });
            assert_eq!(used, runs);
            all.into_inner()
        };
        let all = seen(120);
        assert_eq!(all.len(), 120);
        assert_eq!(all, seen(120));
        assert_eq!(all[..7], seen(7));
    });
}

#[test]
fn what_an_older_save_lacks_is_removed_with_all_inside_it() {
    with_saves(SAVE, |_, places| {
        let old = ["(root)", "version", "list", "list[*]", "hp"].map(str::to_owned);
        let gone = lacking(places, &old.into_iter().collect());
        let paths: Vec<_> = gone
            .iter()
            .map(|change| match change {
                Change::Edit(edit) => edit.path.as_str(),
                _ => panic!("{change:?}"),
            })
            .collect();
        assert_eq!(paths, ["name", "speed", "list[0].id", "odd"]);
    });
}
