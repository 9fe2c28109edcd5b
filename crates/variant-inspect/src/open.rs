//! [`Input`]: a file that may hold Variants.

use std::env::VarError;
use std::fs;
use std::io;
use std::path::Path;

use variant_io::{GcpfHeader, Key, Layer, OpenError, OpenOptions, Opened, open, open_reader};

use crate::cli::CommonArgs;
use crate::escape::escaped;
use crate::failure::{Failure, Status};
use crate::magic;

/// An open file, and what to call it.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) name: String,
    /// The plain bytes, whatever is around them taken off.
    pub(crate) source: Opened,
}

impl Input {
    /// Opens the file at `path`, and refuses what is surely something else than Variants.
    pub(crate) fn open(path: &Path, args: &CommonArgs) -> Result<Self, Failure> {
        let input = Self::open_any(path, args)?;
        let is_resource = |layer: &Layer| {
            matches!(layer, Layer::Compressed(GcpfHeader { magic: [b'R', ..], .. }))
        };
        let what = if input.source.layers().iter().any(is_resource) {
            Some("a compressed resource of Godot (.res, .scn), which is another format")
        } else {
            magic::recognise(&input.source)
        };
        match what {
            None => Ok(input),
            Some(what) => {
                let message = format!("{}: this is {what}", input.name);
                Err(Failure::file(Status::Invalid, message))
            }
        }
    }

    /// Opens the file at `path`, whatever it holds; `-` is standard input.
    pub(crate) fn open_any(path: &Path, args: &CommonArgs) -> Result<Self, Failure> {
        let name = name(path);
        let options = options(args);
        let opened = if path == Path::new("-") {
            open_reader(&mut io::stdin().lock(), &options)
        } else {
            open(path, &options)
        };
        let source = opened.map_err(|error| failure(&name, &error))?;
        Ok(Self { name, source })
    }

    /// What was around the values, a line each.
    pub(crate) fn layers(&self) -> impl Iterator<Item = String> {
        self.source.layers().iter().map(|layer| format!("{}: {}", self.name, describe(layer)))
    }
}

fn describe(layer: &Layer) -> String {
    format!("{layer}; bytes are counted inside")
}

fn options(args: &CommonArgs) -> OpenOptions {
    let options = OpenOptions::new().map(!args.no_mmap).max_len(args.max_unpacked);
    match &args.key {
        None => options,
        Some(key) => options.key(key.clone()),
    }
}

/// The arguments with the key that they name, and never hold themselves but in hexadecimal digits. Read once,
/// since what it is read from may be a pipe.
pub(crate) fn with_key(args: &CommonArgs) -> Result<CommonArgs, Failure> {
    let key = args.key.clone().map_or_else(|| key(args), |key| Ok(Some(key)))?;
    Ok(CommonArgs { key, ..args.clone() })
}

fn key(args: &CommonArgs) -> Result<Option<Key>, Failure> {
    let usage = |message| Failure::file(Status::Usage, message);
    if let Some(variable) = &args.password_env {
        // Whatever it holds is not shown.
        let password = std::env::var(variable).map_err(|error| {
            let why = match error {
                VarError::NotPresent => "is not set",
                VarError::NotUnicode(_) => "does not hold UTF-8",
            };
            usage(format!("the variable {} {why}", escaped(variable)))
        })?;
        return Ok(Some(Key::from_password(&password)));
    }
    if let Some(path) = &args.password_file {
        let name = name(path);
        let text = fs::read_to_string(path)
            .map_err(|error| Failure::file(Status::Io, format!("{name}: {}", explain(&error))))?;
        return Ok(Some(Key::from_password(text.lines().next().unwrap_or_default())));
    }
    let Some(digits) = &args.key_hex else { return Ok(None) };
    let key = Key::from_hex(digits.reveal());
    key.map(Some).ok_or_else(|| usage("--key-hex takes 64 hexadecimal digits".to_owned()))
}

fn failure(name: &str, error: &OpenError) -> Failure {
    match error {
        OpenError::Io(error) => Failure::file(Status::Io, format!("{name}: {}", explain(error))),
        OpenError::NoKey(_) => {
            let how = "--password-env, --password-file or --key-hex";
            Failure::file(Status::Usage, format!("{name}: {error}: {how}"))
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

pub(crate) fn explain(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file; check its name".to_owned(),
        io::ErrorKind::IsADirectory => "this is a directory; name a file in it".to_owned(),
        io::ErrorKind::PermissionDenied => "you may not read this file".to_owned(),
        _ => format!("cannot be read: {error}"),
    }
}
