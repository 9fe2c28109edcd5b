//! Bytes after the last value are kept: a checksum, a picture, the end of an older file.

use std::fs;

use crate::common::{self, Folder, Run, corpus, good, name, words};

fn word(word: usize) -> [u8; 4] {
    u32::try_from(word).unwrap().to_le_bytes()
}

fn framed(value: &[u8]) -> Vec<u8> {
    common::framed(&[value])
}

/// `{"hp": 77, "gold": 5}` as Godot 4 writes it.
fn save() -> Vec<u8> {
    let [hp, gold] = [*b"hp\0\0", *b"gold"].map(u32::from_le_bytes);
    words(&[27, 2, 4, 2, hp, 2, 77, 4, 4, gold, 2, 5])
}

fn tails() -> Vec<(&'static str, Vec<u8>)> {
    let hash: Vec<u8> = (0..64_u8).map(|byte| byte.wrapping_mul(37) ^ 0xa7).collect();
    let old = framed(&[save(), words(&[4, 9]), b"inventory\0\0\0".to_vec()].concat());
    vec![
        ("hash of 8", vec![0xa7, 0xee, 0x27, 0xfb, 0xae, 0x27, 0xbc, 0x40]),
        ("hash of 16", hash[..16].to_vec()),
        ("hash of 20", hash[..20].to_vec()),
        ("hash of 32", hash[..32].to_vec()),
        ("hash of 64", hash),
        ("picture", [&b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"[..], &[7; 90]].concat()),
        ("words", words(&[3, 100, 0])),
        ("zeros", vec![0; 40]),
        ("some zeros", vec![0; 7]),
        ("line feed", b"\n".to_vec()),
        ("older save", old[old.len() - 20..].to_vec()),
        ("older pairs", old[12..].to_vec()),
    ]
}

fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    let Run { code, out, err } = common::run(arguments, &[]);
    (code, out, err)
}

#[test]
fn a_tail_is_read_past_with_one_note() {
    let folder = Folder::new();
    for (what, tail) in tails() {
        let file = folder.file("save", &[framed(&save()), tail.clone()].concat());
        for verb in ["tree", "json", "text", "flatten", "keys", "stats", "check", "get"] {
            let path: &[&str] = if verb == "get" { &["hp"] } else { &[] };
            let (status, _, told) = run(&[&[verb, name(&file)], path].concat());
            assert_eq!(status, Some(0), "{what}: {verb}: {told}");
            assert_eq!(told.matches("belong to no value").count(), 1, "{what}: {verb}: {told}");
        }
        let (status, said, _) = run(&["check", name(&file), "--tail", "drop"]);
        assert_eq!(status, Some(1), "{what}: {said}");
        let declared = tail.len().to_string();
        let bytes = format!(", {declared} byte{} trailing", if tail.len() == 1 { "" } else { "s" });
        assert!(said.contains(&bytes), "{what}: {said}");
        good(&["check", name(&file), "--tail", &declared], &[]);
    }
}

#[test]
fn every_verb_that_writes_keeps_a_tail_unless_it_is_dropped() {
    let folder = Folder::new();
    for (what, tail) in tails() {
        let file = folder.file("save", &[framed(&save()), tail.clone()].concat());
        let [lines, json, literals] = ["flatten", "json", "text"]
            .map(|verb| folder.file(verb, run(&[verb, name(&file)]).1.as_bytes()));
        let other = folder.file("other", &framed(&save()));
        let (file, out) = (name(&file), folder.path("out"));
        let like = ["--like", file];
        let mut jobs: Vec<Vec<&str>> = vec![
            vec!["set", file, "hp", "78"],
            vec!["set", file, "hp", "78", "--frame", "1"],
            vec!["insert", file, "mana", "[1, 2]"],
            vec!["delete", file, "hp"],
            vec!["rename-key", file, "hp", "health"],
            vec!["merge", file, name(&other)],
            vec!["convert", file, "--to", "godot3"],
            vec!["salvage", file],
        ];
        for (verb, from) in [("unflatten", &lines), ("from-json", &json), ("from-text", &literals)]
        {
            jobs.push([&[verb, name(from)], &like[..]].concat());
        }
        for job in jobs {
            let write = |more: &[&str]| {
                let _ = fs::remove_file(&out);
                let (status, said, told) = run(&[&job[..], &["-o", name(&out)], more].concat());
                assert_eq!(status, Some(0), "{what}: {job:?}: {said}{told}");
                (fs::read(&out).unwrap(), told)
            };
            let (kept, told) = write(&[]);
            let (dropped, _) = write(&["--tail", "drop"]);
            assert_eq!(kept, [&dropped[..], &tail].concat(), "{what}: {job:?}: {told}");
            assert_eq!(word(dropped.len() - 4), dropped[..4], "{what}: {job:?}");
            let changes = !told.contains("0 changes");
            assert!(!changes || told.contains("computed again"), "{what}: {job:?}: {told}");
            let declared = tail.len().to_string();
            assert_eq!(write(&["--tail", &declared]).0, kept, "{what}: {job:?}");
        }
    }
}

/// If the last frame is cut at any byte, the rest is damage and not a tail.
#[test]
fn a_frame_that_is_cut_is_no_tail() {
    let folder = Folder::new();
    let first = framed(&save());
    let whole = [&first[..], &first].concat();
    for len in first.len() + 1..whole.len() {
        let file = folder.file("save", &whole[..len]);
        let (status, said, told) = run(&["check", name(&file)]);
        assert_eq!(status, Some(1), "{len}: {said}{told}");
        let (status, _, told) = run(&["set", name(&file), "hp", "1", "--frame", "1"]);
        assert_eq!(status, Some(1), "{len}: {told}");
        assert_eq!(fs::read(&file).unwrap(), whole[..len]);
    }
    // With `--tail`, the user declares that the rest is a tail.
    let file = folder.file("save", &whole[..first.len() + 8]);
    assert_eq!(run(&["set", name(&file), "hp", "1", "--tail", "8"]).0, Some(0));
}

#[test]
fn what_follows_a_bare_value_is_kept_by_convert_as_by_set() {
    let folder = Folder::new();
    let tail = b"more bytes";
    let file = folder.file("save", &[&save()[..], tail].concat());
    let out = folder.path("out");
    let bare = ["--framing", "bare", "--dialect", "godot4", "-o", name(&out)];
    for job in [&["set", name(&file), "hp", "78"][..], &["convert", name(&file), "--to", "godot3"]]
    {
        let (status, _, told) = run(&[job, &bare].concat());
        assert_eq!(status, Some(0), "{told}");
        let kept = fs::read(&out).unwrap();
        assert!(kept.ends_with(tail) && kept.len() == save().len() + tail.len(), "{job:?}");
        assert!(told.contains("computed again"), "{told}");
        let (status, _, told) = run(&[job, &bare, &["--tail", "drop"]].concat());
        assert_eq!((status, fs::read(&out).unwrap().len()), (Some(0), save().len()), "{told}");
    }
    // The length prefix also counts the bytes after the value, so they are part of the frame.
    let file = folder.file("frame", &framed(&[&save()[..], tail].concat()));
    let how = ["--to", "godot3", "--dialect", "godot4", "--framing", "frames", "-o"];
    good(&[&["convert", name(&file)], &how[..]].concat(), &[&out]);
    let kept = fs::read(&out).unwrap();
    assert!(kept.ends_with(tail) && kept[..4] == word(kept.len() - 4), "{kept:?}");
}

#[test]
fn several_frames_of_an_engine_have_a_tail() {
    let folder = Folder::new();
    let frames = fs::read(corpus("godot3/saves/store_var_seq.bin")).unwrap();
    let file = folder.file("save", &[&frames[..], b"a hash of it"].concat());
    let (status, said, told) = run(&["check", name(&file)]);
    assert!(status == Some(0) && said.contains("12 bytes trailing"), "{said}{told}");
}

/// `store_buffer(var_to_bytes(value))`, called more than once. The framing of such a file is `Framing::Sequence`.
#[test]
fn bare_values_one_after_another_are_read_and_written() {
    let folder = Folder::new();
    let (file, out) = (folder.file("save", &save().repeat(3)), folder.path("out"));
    let (status, said, told) = run(&["check", name(&file)]);
    assert!(status == Some(0) && said.contains("godot4, 3 values"), "{said}{told}");
    let (status, said, told) = run(&["get", name(&file), "gold"]);
    assert!(status == Some(0) && said.matches('5').count() >= 3, "{said}{told}");
    good(&["set", name(&file), "gold", "6", "--frame", "2", "-o", name(&out)], &[]);
    let mut changed = save().repeat(3);
    changed[save().len() + 44] = 6;
    assert_eq!(fs::read(&out).unwrap(), changed);
    good(&["convert", name(&file), "--to", "godot3", "-o", name(&out)], &[]);
    let said = good(&["check", name(&out)], &[]).out;
    assert!(said.contains("godot3, 3 values"), "{said}");
    good(&["convert", name(&file), "--to", "godot4", "--to-framing", "frames", "-o"], &[&out]);
    assert_eq!(fs::read(&out).unwrap(), framed(&save()).repeat(3));
}
