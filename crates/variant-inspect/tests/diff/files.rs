//! Files of several values, and damaged files.

use super::*;
use crate::common::{framed, refused};

#[test]
fn frames_are_compared_by_number() {
    let int = |n: u8| [2, 0, 0, 0, n, 0, 0, 0];
    let files = Folder::new();
    let old = files.file("old", &framed(&[&int(1), &int(2), &int(3)]));
    let new = files.file("new", &framed(&[&int(1), &int(5)]));
    let how = ["--dialect", "godot4", "--framing", "frames"];
    let (status, told) = diff(&how, &old, &new);
    assert_eq!(status, Some(1));
    assert_eq!(told, "~ frame 2: (root): 2 -> 5\n- frame 3: (root) = 3\n1 changed, 1 removed\n");
    let (_, told) = diff(&how, &new, &old);
    assert!(told.contains("+ frame 3: (root) = 3\n"), "{told}");
    // Offsets count from the start of the file.
    let (_, told) = diff(&[&how[..], &["--json"]].concat(), &old, &new);
    let first: Value = serde_json::from_str(told.lines().next().unwrap()).unwrap();
    assert_eq!((&first["frame"], &first["offset_before"]), (&2.into(), &16.into()));
    // `diff` reports no difference between a bare value and a single frame of this value.
    let bare = files.file("bare", &int(1));
    let one = files.file("one", &framed(&[&int(1)]));
    assert_eq!(diff(&["--dialect", "godot4"], &bare, &one), (Some(0), String::new()));
}

#[test]
fn settings_are_compared_by_name() {
    let project = corpus("godot4/saves/project.binary");
    assert_eq!(diff(&[], &project, &project), (Some(0), String::new()));
    let bytes = fs::read(&project).unwrap();
    let count = u32::from_le_bytes(bytes[4..8].try_into().unwrap());
    let mut rest = &bytes[8..];
    let mut settings = Vec::new();
    for _ in 0..count {
        let word = |at: usize| {
            usize::try_from(u32::from_le_bytes(rest[at..at + 4].try_into().unwrap())).unwrap()
        };
        let name = word(0);
        let len = 8 + name + word(4 + name);
        settings.push(&rest[..len]);
        rest = &rest[len..];
    }
    let files = Folder::new();
    let whole = |settings: &[&[u8]]| {
        let count = u32::try_from(settings.len()).unwrap();
        [&bytes[..4], &count.to_le_bytes(), &settings.concat(), rest].concat()
    };
    settings.reverse();
    assert_ne!(whole(&settings), bytes);
    let turned = files.file("turned", &whole(&settings));
    assert_eq!(diff(&["--dialect", "godot4"], &project, &turned), (Some(0), String::new()));
    settings.pop();
    let fewer = files.file("fewer", &whole(&settings));
    let (status, told) = diff(&["--dialect", "godot4"], &project, &fewer);
    assert_eq!(status, Some(1));
    assert!(told.starts_with("- setting 1, ") && told.ends_with("\n1 removed\n"), "{told}");
}

#[test]
fn damage_is_no_difference() {
    let files = Folder::new();
    let whole = fs::read(corpus("godot4/saves/sample3.variant")).unwrap();
    let (old, cut) = (files.file("old", &whole), files.file("cut", &whole[..whole.len() - 4]));
    for (old, new) in [(&old, &cut), (&cut, &old), (&cut, &cut)] {
        let (status, said) = diff(&BARE, old, new);
        assert_eq!(status, Some(4), "{said}");
        assert!(said.contains("cut: invalid:"), "{said}");
    }
    assert_eq!(diff(&BARE, &old, &files.path("none")).0, Some(3));
    let frames = framed(&[&[2, 0, 0, 0, 1, 0, 0, 0]]);
    let (old, cut) =
        (files.file("old", &frames), files.file("cut", &[&frames[..], &[8, 0, 0, 0, 2]].concat()));
    let (status, said) = diff(&["--dialect", "godot4", "--framing", "frames"], &old, &cut);
    assert!(status == Some(4) && said.contains("cut: "), "{said}");
    refused(2, &["diff", "-", "-"], &[]);
    // Bytes after the value are reported, but are not a difference.
    let more = files.file("more", &[&whole[..], &[0; 4]].concat());
    let told = good(&[&["diff"], &BARE[..]].concat(), &[&files.file("old", &whole), &more]).err;
    assert!(told.contains("4 bytes after the value"), "{told}");
}
