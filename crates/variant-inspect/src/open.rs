//! [`Input`]: a file that may hold Variants.

use std::io;
use std::path::Path;

use crate::cli::CommonArgs;
use crate::escape::escaped;
use crate::failure::{Failure, Status};
use crate::magic;
use crate::source::Source;

/// An open file, and what to call it.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) name: String,
    pub(crate) source: Source,
}

impl Input {
    /// Opens the file at `path`, and refuses what is surely something else than Variants.
    pub(crate) fn open(path: &Path, args: &CommonArgs) -> Result<Self, Failure> {
        let name = name(path);
        let source = Source::open(path, !args.no_mmap)
            .map_err(|error| Failure::file(Status::Io, format!("{name}: {}", explain(&error))))?;
        match magic::recognise(&source) {
            None => Ok(Self { name, source }),
            Some(what) => Err(Failure::file(Status::Invalid, format!("{name}: this is {what}"))),
        }
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
