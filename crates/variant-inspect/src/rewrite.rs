//! [`rewrite`]: changes a file. The new file is written completely. Then it replaces the old file, if the old file has
//! not changed since it was read. The old file is kept next to the new file. A file with other hard links, or in a
//! folder that is not writable, cannot be replaced, so its bytes are overwritten. While they are overwritten, a
//! copy keeps the old bytes.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use fs4::fs_std::FileExt as _;

use crate::cli::{ChangeArgs, TailArg};
use crate::draft::Draft;
use crate::envelope::CHECKSUM;
use crate::failure::{Failure, Status};
use crate::open::{Stamp, explain, name};
use crate::output::{self, Replacement};
use crate::report::or_root;
use crate::terminal::Terminal;
use crate::values::Values;
use variant_document::count::counted;
use variant_document::edit::{Change, Changes};
use variant_document::escape::neutral;

/// Opens a file, changes it with `change`, and writes the result.
pub(crate) fn rewrite(
    path: &Path,
    args: &ChangeArgs,
    terminal: &mut Terminal<'_>,
    change: impl FnOnce(&mut Draft<'_>, &mut Terminal<'_>) -> Result<(), Failure>,
) -> Result<Status, Failure> {
    let is_changed = args.output.is_none() && !args.dry_run;
    if is_changed && path == Path::new("-") {
        return Err(Failure::usage("standard input cannot be changed; name a file with -o"));
    }
    if is_changed && terminal.common.input.is_some() {
        return Err(Failure::usage(PRINTED));
    }
    if let Some(output) = &args.output {
        output::check(path, output)?;
    }
    let guard = if is_changed { Some(take(path)?) } else { None };
    let file = Values::open(path, terminal)?;
    let mut draft = Draft::new(&file, terminal.common);
    change(&mut draft, terminal)?;
    let changes = &draft.changes;
    if args.dry_run {
        print(changes, terminal)?;
        tell_new_kind(changes, terminal)?;
        return Ok(Status::Fine);
    }
    let writing = Writing { is_plain: args.plain, tail: terminal.common.tail };
    let is_as_it_was = changes.count == 0 && !writing.leaves_something_out(&file);
    if is_as_it_was && args.output.is_none() {
        terminal.note(&format!("{}: nothing changed, nothing written", file.input.name))?;
        return Ok(Status::Fine);
    }
    tell_new_kind(changes, terminal)?;
    let sealed = seal(&draft, writing)?;
    if guard.is_some() {
        check(&file)?;
    }
    match &args.output {
        Some(output) => {
            output::write(output, &sealed, terminal)?;
            let changes = counted(changes.count, "change");
            terminal.note(&format!("{changes}, written to {}", name(output)))?;
        }
        None => replace(&draft, &sealed, args, terminal)?,
    }
    if changes.count > 0 {
        writing.note(&file, terminal)?;
    }
    Ok(Status::Fine)
}

const PRINTED: &str = "a text that names bytes is not changed; name a file for the bytes with -o";

#[derive(Clone, Copy, Debug, Default)]
struct Writing {
    /// Whether compression and encryption are left out.
    is_plain: bool,
    tail: TailArg,
}

impl Writing {
    /// Whether the output lacks a layer or a tail that the file has.
    fn leaves_something_out(self, file: &Values) -> bool {
        let source = &file.input.source;
        let is_dropped = self.tail == TailArg::Drop;
        self.is_plain && !source.opened.wrapping().is_empty()
            || is_dropped && (!file.plain().after().is_empty() || source.behind_layers().is_some())
    }

    /// Prints a note that bytes after the values are kept.
    fn note(self, file: &Values, terminal: &mut Terminal<'_>) -> io::Result<()> {
        let is_kept = self.tail != TailArg::Drop
            && (!file.plain().after().is_empty()
                || file.input.source.behind_layers().is_some() && !self.is_plain);
        if is_kept { terminal.note(CHECKSUM) } else { Ok(()) }
    }
}

/// Replaces the file of a draft by the changed file, and keeps the old file.
pub(crate) fn save(draft: &Draft<'_>, terminal: &mut Terminal<'_>) -> Result<(), Failure> {
    let (file, path) = (draft.file, &draft.file.input.path);
    if path == Path::new("-") {
        return Err(Failure::usage("standard input cannot be changed"));
    }
    if file.input.is_printed {
        return Err(Failure::usage(PRINTED));
    }
    let _guard = take(path)?;
    let writing = Writing::default();
    let sealed = seal(draft, writing)?;
    check(file)?;
    replace(draft, &sealed, &ChangeArgs::default(), terminal)?;
    Ok(writing.note(file, terminal)?)
}

/// The bytes of the new file, with the compression and encryption of the old file.
fn seal(draft: &Draft<'_>, writing: Writing) -> Result<Vec<u8>, Failure> {
    let file = draft.file;
    let is_dropped = writing.tail == TailArg::Drop;
    let dropped = if is_dropped { draft.plain().after().len() } else { 0 };
    let bytes = draft.bytes();
    let bytes = bytes.get(..bytes.len().saturating_sub(dropped)).unwrap_or_default();
    if writing.is_plain { Ok(bytes.to_vec()) } else { wrapped(file, bytes, !is_dropped) }
}

/// Other plain bytes with the compression and encryption of a file, and with the tails of these layers if `keeps_tails`
/// is set.
pub(crate) fn wrapped(file: &Values, bytes: &[u8], keeps_tails: bool) -> Result<Vec<u8>, Failure> {
    let wrapping = file.input.source.opened.wrapping();
    if wrapping.is_empty() {
        return Ok(bytes.to_vec());
    }
    wrapping.clone().keep_tails(keeps_tails).wrap(bytes).map_err(|error| {
        let how = "--plain writes the file without compression and encryption";
        Failure::invalid(format!("{}: {error}; {how}", file.input.name))
    })
}

/// Writes the changed file to `to`. If `tells_kinds` is set, prints a note when a value changed its kind.
pub(crate) fn write_draft(
    draft: &Draft<'_>,
    is_plain: bool,
    to: &Path,
    tells_kinds: bool,
    terminal: &mut Terminal<'_>,
) -> Result<(), Failure> {
    let writing = Writing { is_plain, tail: terminal.common.tail };
    output::write(to, &seal(draft, writing)?, terminal)?;
    let changes = &draft.changes;
    if let Some((path, was, is)) = changes.new_kind.as_ref().filter(|_| tells_kinds) {
        let more = match changes.new_kinds.saturating_sub(1) {
            0 => String::new(),
            more => format!(", and so are {} more", counted(more, "value")),
        };
        terminal.note(&format!("{path} was {was}, and is {is} now{more}"))?;
    }
    let changes = counted(changes.count, "change");
    terminal.note(&format!("{changes}, written to {}", name(to)))?;
    Ok(writing.note(draft.file, terminal)?)
}

/// Replaces the file or overwrites its bytes, and keeps the old file.
fn replace(
    draft: &Draft<'_>,
    bytes: &[u8],
    args: &ChangeArgs,
    terminal: &mut Terminal<'_>,
) -> Result<(), Failure> {
    let (path, was) = (&draft.file.input.path, draft.file.input.stamp);
    let is_as_long =
        || fs::metadata(path).is_ok_and(|found| u64::try_from(bytes.len()) == Ok(found.len()));
    if args.in_place && !is_as_long() {
        let how = "the file changes its length; write it without --in-place";
        return Err(Failure::usage(format!("{}: {how}", name(path))));
    }
    let how = Replacement { was, keeps_old: !args.no_backup, is_in_place: args.in_place };
    let kept = output::replace(path, bytes, &how, terminal)?;
    let kept = kept.map_or_else(String::new, |kept| format!("; the old file is {}", name(&kept)));
    let changes = counted(draft.changes.count, "change");
    terminal.note(&format!("{}: {changes}{kept}", name(path)))?;
    Ok(())
}

/// Prints a note if a value changed its kind.
fn tell_new_kind(changes: &Changes, terminal: &mut Terminal<'_>) -> io::Result<()> {
    let Some((path, was, is)) = &changes.new_kind else { return Ok(()) };
    let path = neutral(or_root(path));
    terminal.note(&format!("{path} changes its type: it was {was}, and is {is} now"))
}

/// Prints the changes: a line for the old value, and one for the new.
pub(crate) fn print(changes: &Changes, terminal: &mut Terminal<'_>) -> io::Result<()> {
    let palette = terminal.palette();
    let (old, new) = (palette.error, palette.good);
    for Change { called, path, before, after } in &changes.first {
        let called = called.as_ref().map_or_else(String::new, |called| format!("{called}: "));
        let path = neutral(or_root(path));
        if let Some(before) = before {
            writeln!(terminal.out, "{old}- {called}{path}: {before}{old:#}")?;
        }
        if let Some(after) = after {
            let after = neutral(after);
            writeln!(terminal.out, "{new}+ {called}{path}: {after}{new:#}")?;
        }
    }
    let told = u64::try_from(changes.first.len()).unwrap_or(u64::MAX);
    match changes.count.saturating_sub(told) {
        0 => Ok(()),
        left => writeln!(terminal.out, "... {}", counted(left, "more change")),
    }
}

/// Locks a file against other changes until the result is dropped. Fails at once if the file is already locked.
fn take(path: &Path) -> Result<File, Failure> {
    let called = name(path);
    let failed = |error: io::Error| Failure::io(format!("{called}: {}", explain(&error)));
    if fs::metadata(path).map_err(failed)?.is_dir() {
        return Err(failed(io::ErrorKind::IsADirectory.into()));
    }
    if Stamp::of(path).is_none() {
        return Err(Failure::usage(format!("{called}: not a regular file; name one with -o")));
    }
    // Locks the file that has this name now. If another file gets the name later, `check` detects it.
    let file = File::open(path).map_err(failed)?;
    // Ignores errors: some file systems have no locks.
    if let Ok(false) = file.try_lock_exclusive() {
        let how = "another program is changing this file; try again";
        return Err(Failure::io(format!("{called}: {how}")));
    }
    Ok(file)
}

/// Fails if the file has changed since it was read.
fn check(file: &Values) -> Result<(), Failure> {
    if !file.input.is_changed() {
        return Ok(());
    }
    let how = "the file was changed meanwhile; nothing is written, try again";
    Err(Failure::io(format!("{}: {how}", name(&file.input.path))))
}
