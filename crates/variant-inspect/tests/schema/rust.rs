//! The Rust modules that `schema --rust` writes are compiled here. They read every save of the corpus, and write the same
//! bytes.

use std::fs;
use std::path::Path;

use variant_document::Reading;
use variant_document::typed::TypedError;
use variant_io::OpenOptions;
use variant_view::{Dialect, Document, Objects, Options};

use super::written::{check, corpus_saves, kinds};
use crate::common::{Folder, corpus, name, run};

/// A module that was written for a save of the corpus.
struct Module {
    name: &'static str,
    save: &'static str,
    dialect: Dialect,
    /// Reads one value, and writes it.
    again: fn(&[u8]) -> Result<Vec<u8>, variant_serde::Error>,
    /// Opens a file, and saves it as another.
    copy: fn(&Path, &Path) -> Result<(), TypedError>,
}

macro_rules! modules {
    ($($name:ident: $dialect:ident $save:literal;)*) => {
        $(#[allow(clippy::all, clippy::pedantic, reason = "the module is written by a program")]
        mod $name;)*

        const MODULES: &[Module] = &[$(Module {
            name: stringify!($name),
            save: $save,
            dialect: Dialect::$dialect,
            again: |bytes| $name::to_bytes(&$name::from_bytes(bytes)?),
            copy: |from, to| $name::load(from, OpenOptions::new())?.save(to),
        }),*];
    };
}

modules! {
    godot3_nodepath_padding: Godot3 "godot3/saves/nodepath_padding.bin";
    godot3_objects_full: Godot3 "godot3/saves/objects_full.bin";
    godot3_project: Godot3 "godot3/saves/project.binary";
    godot3_replay_200: Godot3 "godot3/saves/replay_200.bin";
    godot3_rpg_save: Godot3 "godot3/saves/rpg_save.bin";
    godot3_store_var_seq: Godot3 "godot3/saves/store_var_seq.bin";
    godot4_nested_18k: Godot4 "godot4/saves/nested_18k.variant";
    godot4_plain: Godot4 "godot4/saves/plain.bin";
    godot4_project: Godot4 "godot4/saves/project.binary";
    godot4_rpc: Godot4 "godot4/saves/rpc.variant";
    godot4_sample0: Godot4 "godot4/saves/sample0.variant";
    godot4_sample1: Godot4 "godot4/saves/sample1.variant";
    godot4_sample20: Godot4 "godot4/saves/sample20.variant";
    godot4_sample200: Godot4 "godot4/saves/sample200.variant";
    godot4_sample3: Godot4 "godot4/saves/sample3.variant";
    godot4_sample7: Godot4 "godot4/saves/sample7.variant";
    godot4_save_10k: Godot4 "godot4/saves/save_10k.variant";
    pandemonium3_project: Pandemonium3 "pandemonium3/saves/project.binary";
    pandemonium4_nested_18k: Pandemonium4 "pandemonium4/saves/nested_18k.variant";
    pandemonium4_project: Pandemonium4 "pandemonium4/saves/project.binary";
    pandemonium5_project: Pandemonium5 "pandemonium5/saves/project.binary";
}

#[allow(clippy::all, clippy::pedantic, reason = "the module is written by a program")]
#[rustfmt::skip]
mod kinds;

fn module(name: &str) -> std::path::PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/schema/rust");
    folder.join(name).with_extension("rs")
}

#[test]
fn the_modules_that_are_compiled_are_those_that_are_written() {
    for of in MODULES {
        let written =
            run(&["schema", "--rust", "--dialect", of.dialect.name()], &[&corpus(of.save)])
                .expect(0);
        check(&module(of.name), &written.out);
    }
    let folder = Folder::new();
    check(&module("kinds"), &kinds(&folder, "--rust"));
}

#[test]
fn every_save_of_the_corpus_has_a_module() {
    let saves = corpus_saves();
    let lacking: Vec<_> =
        saves.iter().filter(|save| !MODULES.iter().any(|of| of.save == **save)).collect();
    assert!(saves.len() >= 20 && lacking.is_empty(), "{lacking:?}");
}

/// Godot 3 pads the names of these node paths with other bytes of its memory. No value has such bytes: a file keeps
/// them, but a value that is written without its file has zeroes there.
fn has_leaks(save: &str) -> bool {
    save == "godot3/saves/nodepath_padding.bin"
}

fn differs_in_zeroes(old: &[u8], new: &[u8]) -> bool {
    old.len() == new.len() && old.iter().zip(new).all(|(old, new)| old == new || *new == 0)
}

#[test]
fn every_value_of_every_save_comes_back_byte_for_byte() {
    let mut values = 0;
    for of in MODULES {
        let bytes = fs::read(corpus(of.save)).unwrap();
        let reading = Reading { dialect: Some(of.dialect), ..Reading::new() };
        for piece in reading.choose(&bytes).unwrap().plain.pieces() {
            let piece = piece.unwrap();
            let options = Options::engine(of.dialect).objects(Objects::Accept);
            let len =
                Document::new(piece.bytes, options).root().unwrap().raw_bytes().unwrap().len();
            let again =
                (of.again)(piece.bytes).unwrap_or_else(|error| panic!("{}: {error}", of.name));
            let old = &piece.bytes[..len];
            let is_same = again == old || has_leaks(of.save) && differs_in_zeroes(old, &again);
            assert!(is_same, "{}: value {}", of.name, piece.number);
            values += 1;
        }
    }
    assert!(values > 200, "{values}");
}

#[test]
fn every_save_is_written_again_as_the_same_file() {
    let folder = Folder::new();
    let out = folder.path("out");
    for of in MODULES {
        (of.copy)(&corpus(of.save), &out).unwrap_or_else(|error| panic!("{}: {error}", of.name));
        assert!(fs::read(&out).unwrap() == fs::read(corpus(of.save)).unwrap(), "{}", of.name);
    }
}

/// The files have values of every kind, a dictionary with another order of keys, a missing key, and a key whose value
/// is null.
#[test]
fn values_of_every_kind_come_back() {
    let folder = Folder::new();
    let (one, two) = super::written::kind_files(&folder);
    for path in [&one, &two] {
        let bytes = fs::read(path).unwrap();
        let save = kinds::from_bytes(&bytes).unwrap();
        assert!(kinds::to_bytes(&save).unwrap() == bytes);
        let out = folder.path("out");
        kinds::load(path, OpenOptions::new()).unwrap().save(&out).unwrap();
        assert!(fs::read(&out).unwrap() == bytes);
    }
}

#[test]
fn a_changed_field_changes_only_its_bytes() {
    let (folder, save) = (Folder::new(), corpus("godot3/saves/rpg_save.bin"));
    let out = folder.path("out");
    let mut file = godot3_rpg_save::load(&save, OpenOptions::new()).unwrap();
    assert_eq!((file.values[0].inventory.len(), file.values[0].npcs.len()), (1_600, 700));
    file.values[0].player.level += 1;
    file.save(&out).unwrap();
    let (old, new) = (fs::read(&save).unwrap(), fs::read(&out).unwrap());
    assert_eq!(old.len(), new.len());
    assert_eq!(old.iter().zip(&new).filter(|(old, new)| old != new).count(), 1);
    let told = run(&["diff", name(&save), name(&out)], &[]).out;
    assert!(told.contains("player.level") && told.contains("37") && told.contains("38"), "{told}");
}

/// A value that the module could not write back is an error. The error names the file, the place and the offset.
#[test]
fn what_a_module_lacks_is_refused() {
    let folder = Folder::new();
    for (literal, why) in [
        (r#"{"version": 4, "more": 1}"#, "more"),
        (r#"{"version": "four"}"#, "version: expected i64, found String"),
        (r#"{"version": 4}"#, "name"),
    ] {
        let path = folder.literal("save", literal, "godot4");
        let error = godot4_sample3::load(&path, OpenOptions::new()).unwrap_err().to_string();
        assert!(error.contains(name(&path)) && error.contains(why), "{error}");
    }
    let file = godot4_sample3::load(corpus("godot4/saves/sample3.variant"), OpenOptions::new());
    let mut file = file.unwrap();
    file.values.clear();
    let error = file.to_bytes().unwrap_err().to_string();
    assert_eq!(error, "0 values for a file of 1");
}
