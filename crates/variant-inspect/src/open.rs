//! [`Input`]: an open input file.

use std::env::VarError;
use std::fs;
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use variant_document::Plain;
use variant_io::{
    Damage, GcpfHeader, Key, Layer, OpenError, OpenOptions, Opened, Wrapping, open, open_bytes,
};

use crate::choice::Choice;
use crate::cli::CommonArgs;
use crate::failure::{Failure, Status};
use crate::printed;
use crate::read;
use variant_document::count::counted;
use variant_document::escape::{escaped, neutral};
use variant_document::magic;

/// An open file, and its name in messages.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) name: String,
    path: PathBuf,
    /// The stamp of the file when it was opened; none if it is not a regular file.
    stamp: Option<Stamp>,
    /// Whether errors are reported with all that is known.
    pub(crate) is_explained: bool,
    /// Whether the file is a text that names the bytes.
    pub(crate) is_printed: bool,
    /// The plain bytes, with all layers removed.
    pub(crate) source: Source,
}

/// Metadata that change when a file is written or replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    /// Device and inode, where files have them.
    id: Option<(u64, u64)>,
    len: u64,
    modified: Option<SystemTime>,
    /// When its inode last changed. A program can set the time above, but not this one.
    changed: Option<(i64, i64)>,
}

impl Stamp {
    /// The stamp of a regular file.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let found = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
        let (id, changed) = inode(&found);
        Some(Self { id, len: found.len(), modified: found.modified().ok(), changed })
    }

    /// The part that stays the same after a rename, which changes the inode.
    pub(crate) fn renamed(self) -> Self {
        Self { changed: None, ..self }
    }
}

#[cfg(unix)]
#[expect(clippy::type_complexity, reason = "two pairs of numbers, as the system has them")]
fn inode(found: &fs::Metadata) -> (Option<(u64, u64)>, Option<(i64, i64)>) {
    use std::os::unix::fs::MetadataExt as _;
    (Some((found.dev(), found.ino())), Some((found.ctime(), found.ctime_nsec())))
}

#[cfg(not(unix))]
const fn inode(_: &fs::Metadata) -> (Option<(u64, u64)>, Option<(i64, i64)>) {
    (None, None)
}

/// The plain bytes of a file, between the bytes that `--skip` skips and those that `--tail` declares.
#[derive(Debug)]
pub(crate) struct Source {
    opened: Opened,
    skipped: usize,
    /// The number of bytes that `--tail` declares.
    declared: usize,
}

impl Source {
    /// The layers that were removed, the outermost first.
    pub(crate) fn layers(&self) -> &[Layer] {
        self.opened.layers()
    }

    pub(crate) const fn wrapping(&self) -> &Wrapping {
        self.opened.wrapping()
    }

    /// The parts that are missing from the contents of damaged layers.
    pub(crate) fn damage(&self) -> &[Damage] {
        self.opened.damage()
    }

    /// A description of the bytes after the ends of the layers; none if there are none.
    pub(crate) fn behind_layers(&self) -> Option<String> {
        let bytes = Some(self.opened.behind()).filter(|bytes| *bytes > 0);
        bytes.map(|bytes| format!("{} behind the end of a layer", counted(bytes, "byte")))
    }

    /// All bytes, and how they are read.
    pub(crate) fn plain(&self, choice: Choice) -> Plain<'_> {
        let tail = self.declared.saturating_add(choice.tail);
        self.untailed(choice).without_tail(tail)
    }

    /// As [`Source::plain`], but without the tail of the choice.
    pub(crate) fn untailed(&self, choice: Choice) -> Plain<'_> {
        let file = Plain::new(self.whole(), choice.framing, choice.options);
        file.skip(self.skipped).without_tail(self.declared)
    }

    /// All bytes, the skipped ones included.
    pub(crate) fn whole(&self) -> &[u8] {
        self.opened.bytes()
    }

    /// The skipped bytes.
    pub(crate) fn head(&self) -> &[u8] {
        self.whole().get(..self.skipped).unwrap_or_default()
    }

    /// The offset in the file of byte `offset` after the skipped bytes.
    pub(crate) const fn absolute(&self, offset: usize) -> usize {
        self.skipped.saturating_add(offset)
    }
}

impl Deref for Source {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        let end = self.whole().len().saturating_sub(self.declared);
        self.whole().get(self.skipped..end).unwrap_or_default()
    }
}

impl Input {
    /// Opens the file at `path`. Refuses files of other known formats, unless the arguments name both dialect and framing.
    pub(crate) fn open(path: &Path, args: &CommonArgs) -> Result<Self, Failure> {
        let input = Self::open_any(path, args)?;
        let is_resource = |layer: &Layer| {
            matches!(layer, Layer::Compressed(GcpfHeader { magic: [b'R', ..], .. }))
        };
        let what = if input.source.layers().iter().any(is_resource) {
            Some("a compressed resource of Godot (.res, .scn), which is another format")
        } else if args.dialect().is_some() && args.framing.given().is_some() {
            None
        } else {
            magic::recognise(&input.source)
        };
        match what {
            None => Ok(input),
            Some(what) => Err(input.foreign(what)),
        }
    }

    /// The message for a file of another format. The advice about a file does not apply to the contents of a layer.
    pub(crate) fn foreign(&self, what: &str) -> Failure {
        let inside = what.split_once("; ").map_or(what, |(what, _)| what);
        let message = if self.source.layers().is_empty() {
            format!("{}: this is {what}", self.name)
        } else {
            format!(
                "{}: the contents are {inside}; to extract them: variant-inspect unwrap FILE -o NEW",
                self.name
            )
        };
        Failure::file(Status::Invalid, message)
    }

    /// Opens the file at `path`, in any format; `-` is standard input.
    pub(crate) fn open_any(path: &Path, args: &CommonArgs) -> Result<Self, Failure> {
        Self::open_with(path, args, &options(args))
    }

    /// Opens the file at `path`, in any format. Damaged layers give as many bytes as they can.
    pub(crate) fn open_lenient(path: &Path, args: &CommonArgs) -> Result<Self, Failure> {
        Self::open_with(path, args, &options(args).lenient(true))
    }

    fn open_with(path: &Path, args: &CommonArgs, options: &OpenOptions) -> Result<Self, Failure> {
        let name = name(path);
        let is_mapped = !args.no_mmap && args.input.is_none() && is_regular(path);
        let stamp = Stamp::of(path);
        let opened = if is_mapped {
            match open(path, options) {
                // Asks for a password only now.
                Err(OpenError::NoKey(_)) if has_key(args) => {
                    with_each(&keys_of(args)?, options, |options| open(path, options))
                }
                opened => opened,
            }
        } else {
            let mut bytes = read::bytes(path, args.max_input)?;
            if let Some(form) = args.input {
                bytes = printed::bytes(&bytes, form).map_err(|why| {
                    Failure::file(Status::Invalid, format!("{name}: {}", neutral(&why)))
                })?;
            }
            let is_locked = bytes.starts_with(ENCRYPTED) && has_key(args);
            if is_locked {
                with_each(&keys_of(args)?, options, |options| open_bytes(bytes.clone(), options))
            } else {
                open_bytes(bytes, options)
            }
        };
        let opened = opened.map_err(|error| failure(&name, &error))?;
        let len = opened.bytes().len();
        let skipped = usize::try_from(args.skip).ok().filter(|skipped| *skipped <= len);
        let Some(skipped) = skipped else {
            let message = format!(
                "{name}: --skip {} is beyond the end of the file, which has {}",
                args.skip,
                counted(len, "byte")
            );
            return Err(Failure::file(Status::Usage, message));
        };
        let declared = args.tail.declared();
        let fitting =
            usize::try_from(declared).ok().filter(|tail| *tail <= len.saturating_sub(skipped));
        let Some(declared) = fitting else {
            let message = format!(
                "{name}: --tail {declared} is more than the file has, which is {}",
                counted(len.saturating_sub(skipped), "byte")
            );
            return Err(Failure::file(Status::Usage, message));
        };
        let source = Source { opened, skipped, declared };
        let (is_explained, is_printed) = (args.explain, args.input.is_some());
        Ok(Self { name, path: path.to_owned(), stamp, is_explained, is_printed, source })
    }

    /// The same file with other bytes, without layers.
    pub(crate) fn with_bytes(self, bytes: Vec<u8>, args: &CommonArgs) -> Result<Self, Failure> {
        let opened =
            open_bytes(bytes, &options(args)).map_err(|error| failure(&self.name, &error))?;
        Ok(Self { source: Source { opened, skipped: 0, declared: 0 }, ..self })
    }

    /// Whether the file has changed since it was opened.
    pub(crate) fn is_changed(&self) -> bool {
        Stamp::of(&self.path) != self.stamp
    }

    /// The stamp of the file when it was opened.
    pub(crate) const fn stamp(&self) -> Option<Stamp> {
        self.stamp
    }

    /// The path that was opened; `-` is standard input.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// One line for each layer.
    pub(crate) fn layers(&self) -> impl Iterator<Item = String> {
        let behind = self.source.behind_layers().map(|bytes| format!("{bytes} (not read)"));
        let layers = self.source.layers().iter().map(describe);
        layers.chain(behind).map(|line| format!("{}: {line}", self.name))
    }

    /// The name to use in a suggested command line: the path if no shell needs it quoted, otherwise FILE.
    pub(crate) fn argument(&self) -> &str {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "_/.-+@%:,".contains(c);
        let is_named = self.path != Path::new("-") && self.path.to_str() == Some(&self.name);
        if is_named && !self.name.starts_with('-') && self.name.chars().all(is_plain) {
            &self.name
        } else {
            "FILE"
        }
    }
}

/// Whether the file can be mapped. A file of length 0, such as a pipe, may still have contents.
fn is_regular(path: &Path) -> bool {
    path != Path::new("-")
        && fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() > 0)
}

fn describe(layer: &Layer) -> String {
    format!("{layer}; offsets count inside the layer")
}

fn options(args: &CommonArgs) -> OpenOptions {
    let options = OpenOptions::new().map(!args.no_mmap).max_len(args.max_unpacked);
    match &args.key {
        None => options,
        Some(key) => options.key(key.clone()),
    }
}

/// The longest password in a file, in bytes.
const LONGEST_PASSWORD: u64 = 4_096;

/// The first bytes of an encrypted file.
pub(crate) const ENCRYPTED: &[u8; 4] = b"GDEC";

/// The keys that the user was asked for. The first thread that opens an encrypted file asks, once.
#[derive(Clone, Debug, Default)]
pub struct AskedKey(Arc<Mutex<Option<Vec<Key>>>>);

/// Whether the arguments name a key.
pub(crate) const fn has_key(args: &CommonArgs) -> bool {
    !args.password_env.is_empty()
        || !args.password_file.is_empty()
        || args.password_command.is_some()
        || args.key_hex.is_some()
}

/// Opens with each key until one fits. Returns the error of the last key.
fn with_each(
    keys: &[Key],
    options: &OpenOptions,
    mut open: impl FnMut(&OpenOptions) -> Result<Opened, OpenError>,
) -> Result<Opened, OpenError> {
    let Some((last, others)) = keys.split_last() else { return open(options) };
    for key in others {
        match open(&options.clone().key(key.clone())) {
            Err(OpenError::Encrypted(_)) => {}
            opened => return opened,
        }
    }
    open(&options.clone().key(last.clone()))
}

/// The key that the arguments name, if any. Several keys are an error.
pub(crate) fn key_of(args: &CommonArgs) -> Result<Option<Key>, Failure> {
    let mut keys = keys_of(args)?.into_iter();
    let key = keys.next();
    if keys.next().is_some() {
        let message = "this command takes one password".to_owned();
        return Err(Failure::file(Status::Usage, message));
    }
    Ok(key)
}

/// The keys that the arguments name. Their sources are read once, because they may be pipes.
pub(crate) fn keys_of(args: &CommonArgs) -> Result<Vec<Key>, Failure> {
    if let Some(key) = &args.key {
        return Ok(vec![key.clone()]);
    }
    let mut asked = args.asked.0.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(match &*asked {
        Some(keys) => keys.clone(),
        None => asked.insert(keys(args)?).clone(),
    })
}

fn keys(args: &CommonArgs) -> Result<Vec<Key>, Failure> {
    let usage = |message| Failure::file(Status::Usage, message);
    let mut keys = Vec::new();
    for variable in &args.password_env {
        keys.push(Key::from_password(&of_variable(variable)?));
    }
    for path in &args.password_file {
        keys.push(Key::from_password(&of_file(path)?));
    }
    if let Some(command) = &args.password_command {
        keys.push(Key::from_password(&password_of(command)?));
    }
    if let Some(digits) = &args.key_hex {
        let key = Key::from_hex(digits.reveal());
        let how = || usage("--key-hex expects 64 hexadecimal digits".to_owned());
        keys.push(key.ok_or_else(how)?);
    }
    Ok(keys)
}

fn of_variable(variable: &str) -> Result<String, Failure> {
    // The message shows neither value nor name: the name may be the password itself, given by mistake.
    std::env::var(variable).map_err(|error| {
        let why = match error {
            VarError::NotPresent => "is not set",
            VarError::NotUnicode(_) => "is not UTF-8",
        };
        let what = "--password-env expects the name of an environment variable; this one";
        Failure::file(Status::Usage, format!("{what} {why}"))
    })
}

fn of_file(path: &Path) -> Result<String, Failure> {
    let line = read::first_line(path, LONGEST_PASSWORD).map_err(|error| {
        let why = explain(&error);
        Failure::file(Status::Io, format!("--password-file: {why}"))
    })?;
    line.ok_or_else(|| {
        let most = counted(LONGEST_PASSWORD, "byte");
        let how = format!("the first line must be UTF-8 text of at most {most}");
        Failure::file(Status::Usage, format!("--password-file: {how}"))
    })
}

/// The first line that a command of the shell prints.
fn password_of(command: &str) -> Result<String, Failure> {
    let failed = |why: &str| Failure::file(Status::Usage, format!("--password-command: {why}"));
    let (shell, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let mut child = Command::new(shell)
        .args([flag, command])
        // Standard input may be the file.
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| failed(&error.to_string()))?;
    let mut line = Vec::new();
    if let Some(out) = child.stdout.take() {
        let mut out = BufReader::new(out);
        let read =
            out.by_ref().take(LONGEST_PASSWORD.saturating_add(2)).read_until(b'\n', &mut line);
        // Reads the rest, too, so that the command ends by itself.
        read.and_then(|_| io::copy(&mut out, &mut io::sink()))
            .map_err(|error| failed(&error.to_string()))?;
    }
    let status = child.wait().map_err(|error| failed(&error.to_string()))?;
    if !status.success() {
        return Err(failed(&format!("the command failed: {status}")));
    }
    let line = line.strip_suffix(b"\n").unwrap_or(&line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let is_short = u64::try_from(line.len()).is_ok_and(|len| len <= LONGEST_PASSWORD);
    let text = str::from_utf8(line).ok().filter(|text| is_short && !text.is_empty());
    let most = counted(LONGEST_PASSWORD, "byte");
    let why = || failed(&format!("the first line must be UTF-8 text of 1 to {most}"));
    text.map(str::to_owned).ok_or_else(why)
}

fn failure(name: &str, error: &OpenError) -> Failure {
    match error {
        OpenError::Io(error) => Failure::file(Status::Io, format!("{name}: {}", explain(error))),
        OpenError::NoKey(_) => {
            let how = "--password-env, --password-file, --password-command or --key-hex";
            Failure::file(Status::Usage, format!("{name}: {error}; use {how}"))
        }
        error => Failure::file(Status::Invalid, format!("{name}: {error}")),
    }
}

pub(crate) fn name(path: &Path) -> String {
    match path.to_str() {
        Some("-") => "standard input".to_owned(),
        _ => escaped(&path.to_string_lossy()),
    }
}

/// The message for a file that cannot be read.
pub(crate) fn explain(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file; check the name".to_owned(),
        io::ErrorKind::IsADirectory => "is a directory; name a file in it".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => format!("cannot be read: {error}"),
    }
}
