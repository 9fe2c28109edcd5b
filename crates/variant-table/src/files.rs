//! [`Files`]: the files that names and patterns select.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

use variant_document::files::{Folders, select};

use crate::error::TableError;
#[cfg(feature = "object-store")]
use crate::objects::of_url;
use crate::source::{Source, read_at_most};

/// The files that names and patterns select, each file once, and remarks on the selection.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Files {
    /// The files, in the order of the names. The files of a pattern or a folder are sorted.
    pub sources: Vec<Source>,
    /// The patterns that do not match any file.
    pub unmatched: Vec<String>,
    /// The number of files that were named more than once. Each is read once.
    pub repeated: usize,
    /// The number of backups and unfinished files in folders, which are left out.
    pub kept: u64,
}

impl Files {
    /// Finds files. A name is a file, a folder with all files in it, or a pattern of files with `*`, `?`, `[...]` and
    /// `**`. `-` is standard input, which this function reads, up to `max_len` bytes. A missing file is included, and
    /// its row reports that it is missing.
    ///
    /// With the feature `object-store`, URLs such as `s3://bucket/saves/*.sav` are objects of a store. The store takes
    /// its settings from the environment.
    ///
    /// # Errors
    /// Standard input cannot be read or has more than `max_len` bytes, or a store cannot be listed.
    pub fn find<T: AsRef<Path>>(
        names: impl IntoIterator<Item = T>,
        max_len: u64,
    ) -> Result<Self, TableError> {
        Self::with_urls(names, max_len, of_url)
    }

    /// Works as [`Files::find`]. `of_url` finds the files of a URL.
    pub(crate) fn with_urls<T: AsRef<Path>>(
        names: impl IntoIterator<Item = T>,
        max_len: u64,
        of_url: impl Fn(&str) -> Result<Self, TableError>,
    ) -> Result<Self, TableError> {
        let mut files = Self::default();
        let mut seen = HashSet::new();
        for name in names {
            let name = name.as_ref();
            if name == Path::new("-") {
                let (text, mut bytes) = ("standard input", Vec::new());
                read_at_most(max_len, io::stdin().lock(), &mut bytes)
                    .map_err(|error| TableError::Io { name: text.to_owned(), error })?;
                files.sources.push(Source::Bytes(text.into(), bytes.into()));
                continue;
            }
            if let Some(url) = name.to_str().filter(|name| is_url(name)) {
                let Self { sources, unmatched, .. } = of_url(url)?;
                files.unmatched.extend(unmatched);
                for source in sources {
                    files.add(source, &mut seen);
                }
                continue;
            }
            match select(name, Folders::Named, &mut files.kept) {
                None => files.unmatched.push(name.to_string_lossy().into_owned()),
                Some(paths) => {
                    for path in paths {
                        files.add(Source::Path(path), &mut seen);
                    }
                }
            }
        }
        Ok(files)
    }

    fn add(&mut self, source: Source, seen: &mut HashSet<PathBuf>) {
        let is_new = seen.insert(match &source {
            Source::Path(path) => path.clone(),
            other => other.name().into(),
        });
        if is_new {
            self.sources.push(source);
        } else {
            self.repeated = self.repeated.saturating_add(1);
        }
    }
}

#[cfg(not(feature = "object-store"))]
fn of_url(name: &str) -> Result<Files, TableError> {
    let why = "this program was built without the feature object-store";
    let error = io::Error::new(io::ErrorKind::Unsupported, why);
    Err(TableError::Io { name: without_secrets(name), error })
}

/// Whether a name is a URL. False if a file has this name.
fn is_url(name: &str) -> bool {
    let scheme = name.split_once("://").map_or("", |(scheme, _)| scheme);
    scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
        && !Path::new(name).exists()
}

/// A URL for messages, without the parts that may be secret.
pub(crate) fn without_secrets(name: &str) -> String {
    let Some((scheme, rest)) = name.split_once("://") else { return name.to_owned() };
    let is_http = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    let (rest, _) = rest.split_once(['?', '#']).filter(|_| is_http).unwrap_or((rest, ""));
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    match authority.rsplit_once('@') {
        // In `abfss://CONTAINER@HOST`, the part before the `@` is not secret.
        Some((user, host)) if is_http || user.contains(':') => format!("{scheme}://{host}{path}"),
        _ => format!("{scheme}://{rest}"),
    }
}
