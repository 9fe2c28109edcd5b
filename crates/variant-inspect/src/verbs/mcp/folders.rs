//! [`Folders`]: the folders whose files tools may read and change.

use std::collections::BTreeSet;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Component, Path, PathBuf};

use variant_document::count::counted;
use variant_document::escape::escaped;
use variant_document::files;

use crate::failure::Failure;
use crate::open::{explain, name};

/// The maximum number of names of files in a request.
const NAMES: usize = 1_000;

/// The longest path of any system, in bytes. Each folder of a path that is missing is looked up.
const LONGEST: usize = 32_767;

/// The folders whose files tools may read and change. A path is compared after links and `..` in it were followed, and
/// the path that was compared is opened.
#[derive(Debug)]
pub(super) struct Folders {
    /// All folders, without links. A relative path starts at the first.
    pub(super) all: Vec<PathBuf>,
    /// The folders whose files may be changed.
    changed: Vec<PathBuf>,
}

/// Files that patterns select.
#[derive(Debug, Default)]
pub(super) struct Selected {
    pub(super) files: Vec<PathBuf>,
    /// The number of files that are outside the folders.
    pub(super) left_out: u64,
}

impl Folders {
    /// The folders that the arguments name; without names, the working folder for reading.
    pub(super) fn new(read: &[PathBuf], changed: &[PathBuf]) -> Result<Self, Failure> {
        let here = [PathBuf::from(".")];
        let read = if read.is_empty() && changed.is_empty() { &here } else { read };
        let read = read.iter().map(|path| folder("--allow", path));
        let mut all: Vec<_> = read.collect::<Result<_, _>>()?;
        let changed = changed.iter().map(|path| folder("--allow-write", path));
        let changed: Vec<_> = changed.collect::<Result<_, _>>()?;
        all.extend(changed.iter().cloned());
        Ok(Self { all, changed })
    }

    /// Whether files in the folder may be changed.
    pub(super) fn may_change(&self, folder: &Path) -> bool {
        is_in(folder, &self.changed)
    }

    /// A file or a folder that may be read, without links in its path.
    pub(super) fn place(&self, path: &str) -> Result<PathBuf, Failure> {
        let joined = self.join(path)?;
        match fs::canonicalize(&joined) {
            Ok(real) if is_in(&real, &self.all) => Ok(real),
            // The message for a file that is missing must not show which files are outside.
            Err(error) if self.is_missing(&joined) => {
                Err(Failure::io(format!("{}: {}", name(&joined), explain(&error))))
            }
            _ => Err(self.outside(&joined)),
        }
    }

    /// Whether a missing path is in the folders: the part of it that exists is there after links were followed. A link
    /// without a target is not, because the target may be outside.
    fn is_missing(&self, path: &Path) -> bool {
        let part = path.ancestors().find(|part| fs::symlink_metadata(part).is_ok());
        let real = part.and_then(|part| fs::canonicalize(part).ok());
        !has_parents(path) && real.is_some_and(|real| is_in(&real, &self.all))
    }

    /// A regular file that may be read.
    pub(super) fn file(&self, path: &str) -> Result<PathBuf, Failure> {
        let real = self.place(path)?;
        regular(&real)?;
        Ok(real)
    }

    /// A regular file that may be changed. A file with other hard links is refused: its bytes would also change in
    /// folders that are not allowed.
    pub(super) fn changed_file(&self, path: &str) -> Result<PathBuf, Failure> {
        let real = self.place(path)?;
        let found = regular(&real)?;
        self.check_change(&real)?;
        if links(&found) > 1 {
            let how =
                "has other names, which may be outside the folders; `output` names a new file";
            return Err(Failure::usage(format!("{}: {how}", name(&real))));
        }
        Ok(real)
    }

    /// A new file that may be written.
    pub(super) fn new_file(&self, path: &str) -> Result<PathBuf, Failure> {
        let joined = self.join(path)?;
        let (Some(parent), Some(last)) =
            (joined.parent().and_then(Path::to_str), joined.file_name())
        else {
            return Err(Failure::usage(format!("{}: is not the name of a file", name(&joined))));
        };
        let file = self.place(parent)?.join(last);
        self.check_change(&file)?;
        // A link without a target also counts as a file.
        match fs::symlink_metadata(&file) {
            Ok(_) => Err(Failure::usage(format!("{}: exists; name a new file", name(&file)))),
            Err(_) => Ok(file),
        }
    }

    /// The files that names, folders and patterns select, without those outside the folders.
    pub(super) fn select(&self, names: &[String]) -> Result<Selected, Failure> {
        at_most(NAMES, names.len(), "names of files")?;
        let mut selected = Selected::default();
        for pattern in names {
            let is_pattern = pattern.contains(files::WILD) && !self.join(pattern)?.exists();
            let found = if is_pattern {
                self.matched(pattern, &mut selected.left_out)?
            } else {
                vec![self.place(pattern)?]
            };
            let below = |path: PathBuf| files::select(&path, files::Folders::Matched, &mut 0);
            for path in found.into_iter().filter_map(below).flatten() {
                match fs::canonicalize(&path) {
                    Ok(real) if is_in(&real, &self.all) && real.is_file() => {
                        selected.files.push(real);
                    }
                    _ => selected.left_out = selected.left_out.saturating_add(1),
                }
            }
        }
        Ok(selected)
    }

    /// The paths that a pattern matches, without links. A link that leads out of the folders is left out before its target
    /// is read, so that a pattern does not show what is there.
    fn matched(&self, pattern: &str, left_out: &mut u64) -> Result<Vec<PathBuf>, Failure> {
        let (start, rest) = self.pattern(pattern)?;
        let (mut found, before) = (vec![start], *left_out);
        let mut inside = |path: PathBuf| {
            let real = fs::canonicalize(path).ok().filter(|real| is_in(real, &self.all));
            *left_out = left_out.saturating_add(real.is_none().into());
            real
        };
        let mut parts: Vec<_> = rest.components().map(Component::as_os_str).collect();
        // A second `**` finds the same folders.
        parts.dedup_by(|one, before| one == before && *one == "**");
        for part in parts {
            found = match part.to_str() {
                Some("**") => folders_below(found),
                Some(part) => {
                    let part = glob::Pattern::new(part)
                        .map_err(|error| Failure::usage(format!("{pattern}: {error}")))?;
                    let all = found.iter().flat_map(|folder| entries(folder, &part));
                    all.filter_map(&mut inside).collect()
                }
                None => Vec::new(),
            };
            found.sort_unstable();
            found.dedup();
        }
        if found.is_empty() && *left_out == before {
            return Err(Failure::io(format!("{}: no file matches", escaped(pattern))));
        }
        Ok(found)
    }

    /// The folder where a pattern starts, without links, and the rest of the pattern. The part before the first wildcard
    /// must be a folder that may be read, and the rest must not lead out of it.
    fn pattern(&self, pattern: &str) -> Result<(PathBuf, PathBuf), Failure> {
        let joined = self.join(pattern)?;
        // The name of an allowed folder is not a pattern.
        let inside = |folder| Some((folder, joined.strip_prefix(folder).ok()?));
        let inside = self.all.iter().map(PathBuf::as_path).find_map(inside);
        let (root, inner) = inside.unwrap_or((Path::new(""), &joined));
        let is_plain = |part: &Component<'_>| {
            !part.as_os_str().to_str().is_some_and(|text| text.contains(files::WILD))
        };
        let start = root.join(inner.components().take_while(is_plain).collect::<PathBuf>());
        let rest: PathBuf = inner.components().skip_while(is_plain).collect();
        let (Some(text), false) = (start.to_str(), has_parents(&rest)) else {
            return Err(self.outside(&joined));
        };
        Ok((self.place(text)?, rest))
    }

    /// A relative path starts at the first folder.
    fn join(&self, path: &str) -> Result<PathBuf, Failure> {
        if path.is_empty() {
            return Err(Failure::usage("a path is empty; name a file"));
        }
        if path.len() > LONGEST {
            let len = counted(path.len(), "byte");
            return Err(Failure::usage(format!(
                "a path has {len}, and at most {LONGEST} are allowed"
            )));
        }
        Ok(self.all.first().map_or_else(|| path.into(), |first| first.join(path)))
    }

    fn check_change(&self, real: &Path) -> Result<(), Failure> {
        if self.may_change(real) {
            return Ok(());
        }
        let how = "may be read, but not changed; the user allows changes with --allow-write FOLDER \
                   where the server starts";
        Err(Failure::usage(format!("{}: {how}", name(real))))
    }

    fn outside(&self, path: &Path) -> Failure {
        let all: Vec<_> = self.all.iter().map(|folder| name(folder)).collect();
        let all = all.join(", ");
        Failure::usage(format!(
            "{}: is outside the folders that are allowed: {all}; the user allows more with --allow \
             FOLDER where the server starts",
            name(path)
        ))
    }
}

fn folder(option: &str, path: &Path) -> Result<PathBuf, Failure> {
    let failed = |why: &str| Failure::usage(format!("{option} {}: {why}", name(path)));
    let real = fs::canonicalize(path).map_err(|error| failed(&explain(&error)))?;
    if real.is_dir() {
        Ok(real)
    } else {
        Err(failed("is not a folder; name the folder of the file"))
    }
}

/// The paths in a folder whose names match a pattern. A folder that cannot be read is empty.
fn entries(folder: &Path, pattern: &glob::Pattern) -> Vec<PathBuf> {
    let all = fs::read_dir(folder).into_iter().flatten().flatten();
    let all =
        all.filter(|entry| entry.file_name().to_str().is_some_and(|name| pattern.matches(name)));
    all.map(|entry| entry.path()).collect()
}

/// The folders, and all folders below them, each of them once. Links to folders are not followed, because they may lead
/// in circles.
fn folders_below(mut left: Vec<PathBuf>) -> Vec<PathBuf> {
    let mut found = BTreeSet::new();
    while let Some(folder) = left.pop() {
        if found.contains(&folder) {
            continue;
        }
        let all = fs::read_dir(&folder).into_iter().flatten().flatten();
        let all = all.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        left.extend(all.map(|entry| entry.path()));
        found.insert(folder);
    }
    found.into_iter().collect()
}

/// Refuses a request with too many parts: the answer waits until all are read.
pub(super) fn at_most(most: usize, count: usize, what: &str) -> Result<(), Failure> {
    if count <= most {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "the request has {count} {what}, and at most {most} are allowed; send several requests"
    )))
}

fn is_in(path: &Path, folders: &[PathBuf]) -> bool {
    folders.iter().any(|folder| path.starts_with(folder))
}

fn has_parents(path: &Path) -> bool {
    path.components().any(|part| part == Component::ParentDir)
}

/// Refuses pipes and devices, which may block a reader forever.
fn regular(path: &Path) -> Result<Metadata, Failure> {
    let failed = |error: io::Error| Failure::io(format!("{}: {}", name(path), explain(&error)));
    let found = fs::metadata(path).map_err(failed)?;
    if found.is_dir() {
        return Err(failed(io::ErrorKind::IsADirectory.into()));
    }
    if !found.is_file() {
        return Err(Failure::usage(format!("{}: is not a regular file", name(path))));
    }
    Ok(found)
}

/// The number of names of a file.
#[cfg(unix)]
fn links(found: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(found)
}

#[cfg(not(unix))]
const fn links(_: &Metadata) -> u64 {
    1
}
