//! [`rewrite`]: changes a file. Replaces it when the new one is complete and the old one has not changed since it was read.
//! Keeps the old one beside it. Overwrites a file that cannot be replaced (it has other hard links, its folder is not
//! writable); a copy has its old bytes until that is done.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use fs4::fs_std::FileExt as _;

use crate::cli::{ChangeArgs, CommonArgs, TailArg};
use crate::draft::Draft;
use crate::envelope::CHECKSUM;
use crate::failure::{Failure, Status};
use crate::open::{Stamp, explain, name};
use crate::output::{self, Replacement};
use crate::terminal::Terminal;
use crate::values::Values;
use variant_document::count::counted;
use variant_document::edit::{Change, Changes};
use variant_document::escape::neutral;
use variant_document::query::ROOT;

/// Opens a file, lets `change` change it, and writes the result.
pub(crate) fn rewrite(
    path: &Path,
    args: &ChangeArgs,
    common: &CommonArgs,
    terminal: &mut Terminal<'_>,
    change: impl FnOnce(&mut Draft<'_>, &mut Terminal<'_>) -> Result<(), Failure>,
) -> Result<Status, Failure> {
    let is_stream = path == Path::new("-");
    if is_stream && args.output.is_none() && !args.dry_run {
        return Err(usage("standard input cannot be changed; name a file with -o"));
    }
    if common.input.is_some() && args.output.is_none() && !args.dry_run {
        return Err(usage(PRINTED));
    }
    if let Some(output) = &args.output {
        output::check(path, output)?;
    }
    let is_changed = args.output.is_none() && !args.dry_run;
    let guard = if is_changed { Some(Guard::take(path)?) } else { None };
    let file = Values::open(path, common, terminal)?;
    let mut draft = Draft::new(&file, common);
    change(&mut draft, terminal)?;
    if args.dry_run {
        print(draft.changes(), terminal)?;
        tell_new_kind(draft.changes(), terminal)?;
        return Ok(Status::Fine);
    }
    let writing = Writing { is_plain: args.plain, tail: common.tail };
    let is_as_it_was = draft.changes().count == 0 && !writing.leaves_something_out(&file);
    if is_as_it_was && args.output.is_none() {
        terminal.note(&format!("{}: nothing changed, nothing written", file.input.name))?;
        return Ok(Status::Fine);
    }
    tell_new_kind(draft.changes(), terminal)?;
    let sealed = seal(&file, &draft, writing)?;
    if guard.is_some() {
        Guard::check(&file)?;
    }
    let changes = counted(draft.changes().count, "change");
    match &args.output {
        Some(output) => {
            output::write(output, &sealed, terminal)?;
            terminal.note(&format!("{changes}, written to {}", name(output)))?;
        }
        None => replace(&file, &sealed, &changes, args, terminal)?,
    }
    if draft.changes().count > 0 {
        writing.note(&file, terminal)?;
    }
    Ok(Status::Fine)
}

const PRINTED: &str = "a text that names bytes is not changed; name a file for the bytes with -o";

/// How the parts of a file around its values are written.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Writing {
    /// No compression and encryption.
    pub(crate) is_plain: bool,
    pub(crate) tail: TailArg,
}

impl Writing {
    /// Whether the output lacks something that the file has.
    fn leaves_something_out(self, file: &Values) -> bool {
        let source = &file.input.source;
        let is_dropped = self.tail == TailArg::Drop;
        self.is_plain && !source.wrapping().is_empty()
            || is_dropped && (!file.plain().after().is_empty() || source.behind_layers().is_some())
    }

    /// Prints that bytes after the values are kept.
    pub(crate) fn note(self, file: &Values, terminal: &mut Terminal<'_>) -> io::Result<()> {
        let is_kept = self.tail != TailArg::Drop
            && (!file.plain().after().is_empty()
                || file.input.source.behind_layers().is_some() && !self.is_plain);
        if is_kept { terminal.note(CHECKSUM) } else { Ok(()) }
    }
}

/// Replaces the file of a draft by the changed one, and keeps the old file.
pub(crate) fn save(
    file: &Values,
    draft: &Draft<'_>,
    terminal: &mut Terminal<'_>,
) -> Result<(), Failure> {
    let (path, args) = (file.input.path(), ChangeArgs::default());
    if path == Path::new("-") {
        return Err(usage("standard input cannot be changed"));
    }
    if file.input.is_printed {
        return Err(usage(PRINTED));
    }
    let _guard = Guard::take(path)?;
    let writing = Writing::default();
    let sealed = seal(file, draft, writing)?;
    Guard::check(file)?;
    replace(file, &sealed, &counted(draft.changes().count, "change"), &args, terminal)?;
    Ok(writing.note(file, terminal)?)
}

/// The bytes of the new file, in the layers of the old one.
pub(crate) fn seal(file: &Values, draft: &Draft<'_>, writing: Writing) -> Result<Vec<u8>, Failure> {
    let wrapping = file.input.source.wrapping();
    let is_dropped = writing.tail == TailArg::Drop;
    let dropped = if is_dropped { draft.plain().after().len() } else { 0 };
    let bytes = draft.bytes();
    let bytes = bytes.get(..bytes.len().saturating_sub(dropped)).unwrap_or_default();
    if writing.is_plain || wrapping.is_empty() {
        return Ok(bytes.to_vec());
    }
    wrapping.clone().keep_tails(!is_dropped).wrap(bytes).map_err(|error| {
        let how = "--plain writes the file without compression and encryption";
        Failure::file(Status::Invalid, format!("{}: {error}; {how}", file.input.name))
    })
}

/// Replaces the file, or its bytes, and keeps the old one.
fn replace(
    file: &Values,
    bytes: &[u8],
    changes: &str,
    args: &ChangeArgs,
    terminal: &mut Terminal<'_>,
) -> Result<(), Failure> {
    let path = file.input.path();
    let is_as_long =
        || fs::metadata(path).is_ok_and(|found| u64::try_from(bytes.len()) == Ok(found.len()));
    if args.in_place && !is_as_long() {
        let how = "the file changes its length; write it without --in-place";
        return Err(usage(&format!("{}: {how}", name(path))));
    }
    let how = Replacement {
        was: file.input.stamp(),
        keeps_old: !args.no_backup,
        is_in_place: args.in_place,
    };
    let kept = output::replace(path, bytes, &how, terminal)?;
    let kept = kept.map_or_else(String::new, |kept| format!("; the old file is {}", name(&kept)));
    terminal.note(&format!("{}: {changes}{kept}", name(path)))?;
    Ok(())
}

/// Prints a note if a value changed its kind.
fn tell_new_kind(changes: &Changes, terminal: &mut Terminal<'_>) -> io::Result<()> {
    let Some((path, was, is)) = &changes.new_kind else { return Ok(()) };
    let path = neutral(if path.is_empty() { ROOT } else { path });
    terminal.note(&format!("{path} changes its type: it was {was}, and is {is} now"))
}

/// Prints the changes: a line for the old value, and one for the new.
fn print(changes: &Changes, terminal: &mut Terminal<'_>) -> io::Result<()> {
    let palette = terminal.palette();
    let (old, new) = (palette.error, palette.good);
    for Change { called, path, before, after } in &changes.first {
        let called = called.as_ref().map_or_else(String::new, |called| format!("{called}: "));
        let path = neutral(if path.is_empty() { "(root)" } else { path });
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

/// A lock on a file, against another change at the same time.
#[derive(Debug)]
struct Guard {
    /// Holds the lock until it is dropped.
    _file: File,
}

impl Guard {
    /// Locks a file. Fails at once if it is already locked.
    fn take(path: &Path) -> Result<Self, Failure> {
        let failed = |error: io::Error| {
            Failure::file(Status::Io, format!("{}: {}", name(path), explain(&error)))
        };
        if fs::metadata(path).map_err(failed)?.is_dir() {
            return Err(failed(io::ErrorKind::IsADirectory.into()));
        }
        if Stamp::of(path).is_none() {
            return Err(usage(&format!("{}: not a regular file; name one with -o", name(path))));
        }
        // Locks the file that has the name now. `check` notices if another file takes the name.
        let file = File::open(path).map_err(failed)?;
        // Ignores errors: some file systems have no locks.
        if let Ok(false) = file.try_lock_exclusive() {
            let how = "another program is changing this file; try again";
            return Err(Failure::file(Status::Io, format!("{}: {how}", name(path))));
        }
        Ok(Self { _file: file })
    }

    /// Fails if the file has changed since it was read.
    fn check(file: &Values) -> Result<(), Failure> {
        let path = file.input.path();
        if !file.input.is_changed() {
            return Ok(());
        }
        let how = "the file was changed meanwhile; nothing is written, try again";
        Err(Failure::file(Status::Io, format!("{}: {how}", name(path))))
    }
}

fn usage(message: &str) -> Failure {
    Failure::file(Status::Usage, message.to_owned())
}
