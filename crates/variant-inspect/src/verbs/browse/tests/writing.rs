//! Changes are written, unless another program has written the file.

use std::fs;

use tempfile::TempDir;

use super::*;

/// A copy of a save, and a change that is not written yet; `None` in the published package.
fn changed() -> Option<(TempDir, PathBuf, Values, Vec<Change>)> {
    if crate::is_packed() {
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("save");
    fs::copy(corpus(SAVE), &path).unwrap();
    let values = open_at(&path, &CommonArgs::default());
    let file = File::new(&values);
    let mut session = Session::new(&file, 60, 12);
    session.press("/level<enter>i<c-u>42<enter>");
    let changes = session.state.changes.all.clone();
    drop(session);
    assert_eq!(changes.len(), 1);
    Some((folder, path, values, changes))
}

fn write_it(values: &Values, changes: &[Change]) -> Result<String, String> {
    with_terminal(|terminal| write(values, changes, Recorder::of(terminal)))
}

#[test]
fn changes_are_written_and_the_old_file_is_kept() {
    let Some((folder, path, values, changes)) = changed() else { return };
    assert!(!values.input.is_changed());
    write_it(&values, &changes).unwrap();
    let (old, new) = (fs::read(corpus(SAVE)).unwrap(), fs::read(&path).unwrap());
    let differing = old.iter().zip(&new).filter(|(old, new)| old != new).count();
    assert_eq!((old.len(), differing), (new.len(), 1));
    assert!(fs::read(folder.path().join("save~")).unwrap() == old);
}

#[test]
fn a_file_that_was_changed_meanwhile_is_not_written() {
    let Some((folder, path, values, changes)) = changed() else { return };
    let theirs = [&fs::read(&path).unwrap()[..], b"more"].concat();
    // The file is replaced as another program would replace it. The old file stays mapped.
    fs::remove_file(&path).unwrap();
    fs::write(&path, &theirs).unwrap();
    let file = File::new(&values);
    let (mut session, mut is_stale) = (Session::new(&file, 90, 12), false);
    warn(&values, &mut session.state, &mut is_stale);
    session.draw();
    assert!(session.foot().starts_with("another program changed the file"), "{}", session.foot());
    let why = write_it(&values, &changes).unwrap_err();
    assert!(why.contains("changed meanwhile"), "{why}");
    assert!(fs::read(&path).unwrap() == theirs);
    assert!(!folder.path().join("save~").exists());
}
