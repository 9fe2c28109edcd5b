//! Tests which files are selected, how files are written, and how wide converted reals are.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use variant_document::convert::reals;
use variant_document::files::{Folders, select};
use variant_document::output::{Output, OutputError, Replacement, Stamp, replace};
use variant_view::{Dialect, Options, Reals};

/// The names of the selected files; `None` if a pattern has no match.
fn selected(folder: &Path, name: &str, folders: Folders) -> Option<String> {
    let mut kept = 0;
    let files = select(&folder.join(name), folders, &mut kept)?;
    assert_eq!(kept, 0);
    let names = files.iter().map(|path| path.strip_prefix(folder).unwrap().to_str().unwrap());
    Some(names.collect::<Vec<_>>().join(" "))
}

#[test]
fn names_folders_and_patterns_select_files() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("more")).unwrap();
    for name in ["a1", "a[1]", "b", "more/c"] {
        fs::write(folder.join(name), "").unwrap();
    }
    for (name, folders, expected) in [
        ("b", Folders::Unopened, Some("b")),
        ("missing", Folders::Matched, Some("missing")),
        // An existing name is not a pattern.
        ("a[1]", Folders::Matched, Some("a[1]")),
        ("a[1-9]", Folders::Matched, Some("a1")),
        ("x*", Folders::Matched, None),
        ("more", Folders::Unopened, Some("more")),
        ("more", Folders::Named, Some("more/c")),
        ("[bm]*", Folders::Unopened, Some("b more")),
        ("[bm]*", Folders::Named, Some("b")),
        ("[bm]*", Folders::Matched, Some("b more/c")),
        ("m*", Folders::Named, None),
    ] {
        let found = selected(folder, name, folders);
        assert_eq!(found.as_deref(), expected, "{name} {folders:?}");
    }
}

/// Only a folder without write permission is a reason to write in place.
#[test]
fn a_lost_draft_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("save");
    fs::write(&path, "old").unwrap();
    let mut lines = Vec::new();
    let mut note = |line: &str| -> io::Result<()> {
        lines.push(line.to_owned());
        Ok(())
    };
    let mut output = Output::create(&path, &mut note).unwrap();
    output.write_all(b"new").unwrap();
    for entry in fs::read_dir(folder.path()).unwrap() {
        let other = entry.unwrap().path();
        if other != path {
            fs::remove_file(other).unwrap();
        }
    }
    let error = output.finish(&mut note).unwrap_err();
    assert!(matches!(&error, OutputError::Io(error) if error.kind() == io::ErrorKind::NotFound));
    assert_eq!((fs::read(&path).unwrap(), lines), (b"old".to_vec(), Vec::<String>::new()));
}

/// Runs the job on a thread of an unprivileged user if the tests run as root, because root may write to every folder.
#[cfg(target_os = "linux")]
fn without_rights(job: impl FnOnce() + Send) {
    use std::os::unix::fs::MetadataExt as _;
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let is_root = fs::metadata("/proc/thread-self").unwrap().uid() == 0;
            let nobody = rustix::thread::Uid::from_raw(65_534);
            if is_root && rustix::thread::set_thread_uid(nobody).is_err() {
                eprintln!("not tested: the user cannot be changed");
                return;
            }
            job();
        });
    });
}

/// The temporary file is in the folder by then, but cannot be renamed.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_may_lose_its_write_permission_before_the_end() {
    use std::os::unix::fs::PermissionsExt as _;
    without_rights(|| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("save");
        fs::write(&path, "older").unwrap();
        let set = |mode| fs::set_permissions(folder.path(), fs::Permissions::from_mode(mode));
        let mut lines = Vec::new();
        let mut note = |line: &str| -> io::Result<()> {
            lines.push(line.to_owned());
            Ok(())
        };
        let [mut output, mut new] = [&path, &folder.path().join("new")]
            .map(|path| Output::create(path, &mut note).unwrap());
        output.write_all(b"new").unwrap();
        new.write_all(b"new").unwrap();
        set(0o555).unwrap();
        output.finish(&mut note).unwrap();
        let error = new.finish(&mut note).unwrap_err();
        set(0o755).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        let why = "save: written in place, not replaced: its folder is not writable; until that is";
        assert!(lines.len() == 1 && lines[0].contains(why), "{lines:?}");
        assert!(
            matches!(&error, OutputError::Io(error) if error.kind() == io::ErrorKind::PermissionDenied)
        );
    });
}

/// The new file is written. The copy of the old bytes has to be removed by the caller, so its name is in the error.
#[cfg(unix)]
#[test]
fn a_copy_that_cannot_be_removed_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let [path, link] = ["save", "link"].map(|name| folder.path().join(name));
    fs::write(&path, "old").unwrap();
    fs::hard_link(&path, &link).unwrap();
    let how = Replacement { was: Stamp::of(&path), keeps_old: false, is_in_place: false };
    let mut note = |_: &str| -> io::Result<()> {
        for entry in fs::read_dir(folder.path())? {
            let other = entry?.path();
            if other != path && other != link {
                fs::remove_file(other)?;
            }
        }
        Ok(())
    };
    let error = replace(&path, b"new", &how, &mut note).unwrap_err().to_string();
    assert!(error.contains(": cannot be removed: "), "{error}");
    assert!(error.ends_with("; the new file is written, and this is the old file"), "{error}");
    assert_eq!(fs::read(&path).unwrap(), b"new");
}

/// The kept old file has the rights that it had, on each way of writing.
#[cfg(unix)]
#[test]
fn a_kept_file_keeps_its_rights() {
    use std::os::unix::fs::PermissionsExt as _;
    for (is_in_place, has_link) in [(true, false), (false, false), (false, true)] {
        let folder = tempfile::tempdir().unwrap();
        let [path, link, old] = ["save", "link", "save~"].map(|name| folder.path().join(name));
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        if has_link {
            fs::hard_link(&path, link).unwrap();
        }
        let how = Replacement { was: Stamp::of(&path), keeps_old: true, is_in_place };
        let replaced = replace(&path, b"new", &how, &mut |_| Ok(())).unwrap();
        assert_eq!(replaced.kept.as_deref(), Some(&*old));
        assert_eq!(Some(replaced.stamp), Stamp::of(&path));
        for (path, bytes) in [(&path, b"new"), (&old, b"old")] {
            assert_eq!(fs::read(path).unwrap(), bytes);
            let mode = fs::metadata(path).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o640, "{}: {is_in_place} {has_link}", path.display());
        }
    }
}

/// A file that another program replaced is another file, even if length and time are equal.
#[cfg(unix)]
#[test]
fn a_replaced_file_has_another_stamp() {
    let folder = tempfile::tempdir().unwrap();
    let [path, other] = ["save", "other"].map(|name| folder.path().join(name));
    fs::write(&path, "old").unwrap();
    let before = Stamp::of(&path).unwrap();
    let time = fs::metadata(&path).unwrap().modified().unwrap();
    fs::write(&other, "new").unwrap();
    fs::File::options().write(true).open(&other).unwrap().set_modified(time).unwrap();
    fs::rename(&other, &path).unwrap();
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), time);
    assert_ne!(Stamp::of(&path), Some(before));
    let how = Replacement { was: Some(before), keeps_old: false, is_in_place: false };
    let error = replace(&path, b"more", &how, &mut |_| Ok(())).unwrap_err().to_string();
    assert!(error.contains("the file was changed meanwhile"), "{error}");
    assert_eq!(fs::read(&path).unwrap(), b"new");
}

/// The program that wrote the file reads reals of 64 bits. So does a program that follows a page of
/// the documentation.
#[test]
fn wide_reals_stay_wide_where_they_are_read() {
    for (from, to, kept) in [
        (Dialect::Godot3, Dialect::Godot3, true),
        (Dialect::Godot4, Dialect::Godot3, false),
        (Dialect::Godot4, Dialect::DocumentedGodot31, true),
        (Dialect::DocumentedGodot31, Dialect::Godot3, false),
    ] {
        let wide = Options::engine(from).reals(Reals::Always64);
        assert_eq!(reals(wide, to) == Reals::Always64, kept, "{from} {to}");
        assert_eq!(reals(Options::engine(from), to), Reals::ByFlag);
    }
}
