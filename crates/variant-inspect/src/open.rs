//! [`Input`]: an open input file.

use std::fs::{self, File};
use std::io::{self, BufReader};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

pub(crate) use variant_document::output::Stamp;
use variant_document::{Plain, Reading, TooShort, names};
use variant_io::{Key, OpenError, OpenOptions, Opened, open, open_bytes};
use variant_view::Reals;

use crate::choice::Choice;
use crate::cli::CommonArgs;
use crate::failure::Failure;
use crate::read;
use variant_document::count::counted;
use variant_document::escape::escaped;

/// An open file, and its name in messages.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) name: String,
    /// The path that was opened; `-` is standard input.
    pub(crate) path: PathBuf,
    /// The stamp of the file when it was opened; none if it is not a regular file.
    pub(crate) stamp: Option<Stamp>,
    /// Whether errors are reported with all details (`--explain`).
    pub(crate) is_explained: bool,
    /// Whether the file is a text that describes the bytes (`--input`).
    pub(crate) is_printed: bool,
    /// The plain bytes: the contents without compression and encryption.
    pub(crate) source: Source,
}

/// The plain bytes of a file. Dereferences to the bytes without those of `--skip` and `--tail`.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) opened: Opened,
    skipped: usize,
    /// The number of bytes that `--tail` declares.
    declared: usize,
}

impl Source {
    /// A description of the bytes after the end of the compressed or encrypted data; none if there are none.
    pub(crate) fn behind_layers(&self) -> Option<String> {
        let bytes = Some(self.opened.behind()).filter(|bytes| *bytes > 0);
        bytes.map(|bytes| format!("{} after the end of a layer", counted(bytes, "byte")))
    }

    pub(crate) fn plain(&self, choice: Choice) -> Plain<'_> {
        let tail = self.declared.saturating_add(choice.tail);
        self.untailed(choice).without_tail(tail)
    }

    /// Works as [`Source::plain`], but includes the `choice.tail` bytes after the values.
    pub(crate) fn untailed(&self, choice: Choice) -> Plain<'_> {
        let file = Plain::new(self.whole(), choice.framing, choice.options);
        file.skip(self.skipped).without_tail(self.declared)
    }

    /// The settings for reading the file. The numbers of skipped bytes and of tail bytes come from the open file, all
    /// other settings from the arguments.
    pub(crate) fn reading(&self, args: &CommonArgs) -> Reading {
        let known = |bytes: usize| u64::try_from(bytes).unwrap_or(u64::MAX);
        Reading { skip: known(self.skipped), tail: known(self.declared), ..reading(args) }
    }

    /// All bytes, including the skipped bytes.
    pub(crate) fn whole(&self) -> &[u8] {
        self.opened.bytes()
    }

    /// The skipped bytes.
    pub(crate) fn head(&self) -> &[u8] {
        self.whole().get(..self.skipped).unwrap_or_default()
    }

    /// Converts an offset that counts from the end of the skipped bytes into an offset in the file.
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
        match reading(args).other_format(input.source.opened.layers(), &input.source) {
            None => Ok(input),
            Some(what) => Err(input.foreign(what)),
        }
    }

    /// The message for a file of another format. `what` names the format and, after `; `, gives advice. The advice is
    /// only for a file without layers, so the message for a file with layers leaves it out.
    pub(crate) fn foreign(&self, what: &str) -> Failure {
        let inside = what.split_once("; ").map_or(what, |(what, _)| what);
        Failure::invalid(if self.source.opened.layers().is_empty() {
            format!("{}: this is {what}", self.name)
        } else {
            format!(
                "{}: the contents are {inside}; to extract them: variant-inspect unwrap FILE -o NEW",
                self.name
            )
        })
    }

    /// Opens the file at `path`, in any format; `-` is standard input.
    pub(crate) fn open_any(path: &Path, args: &CommonArgs) -> Result<Self, Failure> {
        Self::open_with(path, args, &reading(args))
    }

    /// Opens the file at `path`, in any format. If a layer is damaged, opens the readable part of its content.
    pub(crate) fn open_lenient(path: &Path, args: &CommonArgs) -> Result<Self, Failure> {
        let mut reading = reading(args);
        reading.layers = reading.layers.lenient(true);
        Self::open_with(path, args, &reading)
    }

    fn open_with(path: &Path, args: &CommonArgs, reading: &Reading) -> Result<Self, Failure> {
        let (name, options) = (name(path), &reading.layers);
        let is_mapped = !args.no_mmap && args.input.is_none() && is_regular(path);
        let stamp = Stamp::of(path);
        let opened = if is_mapped {
            match open(path, options) {
                // The password is read only if the file needs a key.
                Err(OpenError::NoKey(_)) if has_key(args) => {
                    with_each(&keys_of(args)?, options, |options| open(path, options))
                }
                opened => opened,
            }
        } else {
            let bytes = read::named_bytes(path, args)?;
            if bytes.starts_with(ENCRYPTED) && has_key(args) {
                with_each(&keys_of(args)?, options, |options| open_bytes(bytes.clone(), options))
            } else {
                open_bytes(bytes, options)
            }
        };
        let opened = opened.map_err(|error| failure(&name, &error))?;
        let ends = reading.ends(opened.bytes().len());
        let (skipped, declared) = ends.map_err(|error| too_short(&name, &error))?;
        let source = Source { opened, skipped, declared };
        let (is_explained, is_printed) = (args.explain, args.input.is_some());
        Ok(Self { name, path: path.to_owned(), stamp, is_explained, is_printed, source })
    }

    /// The same file with other plain bytes, without layers.
    pub(crate) fn with_bytes(self, bytes: Vec<u8>, args: &CommonArgs) -> Result<Self, Failure> {
        let opened = open_bytes(bytes, &reading(args).layers)
            .map_err(|error| failure(&self.name, &error))?;
        Ok(Self { source: Source { opened, skipped: 0, declared: 0 }, ..self })
    }

    /// Whether the file has changed since it was opened.
    pub(crate) fn is_changed(&self) -> bool {
        Stamp::of(&self.path) != self.stamp
    }

    /// One line for each layer.
    pub(crate) fn layers(&self) -> impl Iterator<Item = String> {
        let behind = self.source.behind_layers().map(|bytes| format!("{bytes} (not read)"));
        let layers = self.source.opened.layers().iter();
        let layers = layers.map(|layer| format!("{layer}; offsets count inside the layer"));
        layers.chain(behind).map(|line| format!("{}: {line}", self.name))
    }

    /// The name in a suggested command line: the path, or FILE if some shell needs quotes around the path.
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

/// Whether the file can be mapped into memory. A file whose length is given as 0 is read instead, because it may still
/// have contents, like the files in `/proc`.
fn is_regular(path: &Path) -> bool {
    path != Path::new("-")
        && fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() > 0)
}

/// The settings that the arguments give for reading a file.
pub(crate) fn reading(args: &CommonArgs) -> Reading {
    let layers = OpenOptions::new().map(!args.no_mmap).max_len(args.max_unpacked);
    Reading {
        dialect: args.dialect(),
        framing: args.framing.given(),
        reals: args.reals.map(Reals::from),
        skip: args.skip,
        tail: args.tail.declared(),
        layers: args.key.iter().fold(layers, |layers, key| layers.key(key.clone())),
        ..Reading::new()
    }
}

/// The failure of a file that is shorter than an option requires.
pub(crate) fn too_short(name: &str, error: &TooShort) -> Failure {
    Failure::usage(format!("{name}: --{error}"))
}

/// The longest password in a file, in bytes.
const LONGEST_PASSWORD: u64 = 4_096;

/// The first bytes of an encrypted file.
pub(crate) const ENCRYPTED: &[u8; 4] = b"GDEC";

/// The keys that the arguments name. The first thread that opens an encrypted file reads them, and the other threads
/// reuse them.
#[derive(Clone, Debug, Default)]
pub struct AskedKey(Arc<Mutex<Option<Vec<Key>>>>);

/// Whether the arguments name a key.
pub(crate) const fn has_key(args: &CommonArgs) -> bool {
    !args.password_env.is_empty()
        || !args.password_file.is_empty()
        || args.password_command.is_some()
        || args.key_hex.is_some()
}

/// Opens with each key until one fits. If none fits, returns the error of the last key.
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

/// The key that the arguments name, if they name one. Several keys are an error.
pub(crate) fn key_of(args: &CommonArgs) -> Result<Option<Key>, Failure> {
    match &keys_of(args)?[..] {
        [_, _, ..] => Err(Failure::usage("this command takes one password")),
        keys => Ok(keys.first().cloned()),
    }
}

/// The keys that the arguments name. Each source of a key is read only once, because it may be a pipe.
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
    let mut keys = Vec::new();
    for variable in &args.password_env {
        let password = names::password_of(variable);
        let password = password.map_err(|why| Failure::usage(format!("--password-env {why}")))?;
        keys.push(Key::from_password(&password));
    }
    for path in &args.password_file {
        keys.push(Key::from_password(&of_file(path)?));
    }
    if let Some(command) = &args.password_command {
        keys.push(Key::from_password(&password_of(command)?));
    }
    if let Some(digits) = &args.key_hex {
        let key = Key::from_hex(digits.reveal());
        let how = "--key-hex expects 64 hexadecimal digits";
        keys.push(key.ok_or_else(|| Failure::usage(how))?);
    }
    Ok(keys)
}

fn of_file(path: &Path) -> Result<String, Failure> {
    let file = File::open(path).map(BufReader::new);
    let line = file.and_then(|mut file| read::first_line(&mut file, LONGEST_PASSWORD));
    let failed = |error| Failure::io(format!("--password-file: {}", explain(&error)));
    line.map_err(failed)?.ok_or_else(|| {
        let most = counted(LONGEST_PASSWORD, "byte");
        let how = format!("the first line must be UTF-8 text of at most {most}");
        Failure::usage(format!("--password-file: {how}"))
    })
}

/// Runs a command of the shell. Returns the first line of its output.
fn password_of(command: &str) -> Result<String, Failure> {
    let failed = |why: &str| Failure::usage(format!("--password-command: {why}"));
    let (shell, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let mut child = Command::new(shell)
        .args([flag, command])
        // The command gets no standard input, because standard input may be the file.
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| failed(&error.to_string()))?;
    let mut line = None;
    if let Some(out) = child.stdout.take() {
        let mut out = BufReader::new(out);
        let first = read::first_line(&mut out, LONGEST_PASSWORD);
        // Reads the rest of the output, since a closed pipe would stop the command.
        let first = first.and_then(|first| io::copy(&mut out, &mut io::sink()).map(|_| first));
        line = first.map_err(|error| failed(&error.to_string()))?;
    }
    let status = child.wait().map_err(|error| failed(&error.to_string()))?;
    if !status.success() {
        return Err(failed(&format!("the command failed: {status}")));
    }
    let most = counted(LONGEST_PASSWORD, "byte");
    let why = || failed(&format!("the first line must be UTF-8 text of 1 to {most}"));
    line.filter(|line| !line.is_empty()).ok_or_else(why)
}

fn failure(name: &str, error: &OpenError) -> Failure {
    match error {
        OpenError::Io(error) => Failure::io(format!("{name}: {}", explain(error))),
        OpenError::NoKey(_) => {
            let how = "--password-env, --password-file, --password-command or --key-hex";
            Failure::usage(format!("{name}: {error}; use {how}"))
        }
        error => Failure::invalid(format!("{name}: {error}")),
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
