//! The lines of `diff --json`, applied to the old file, give the values of the new file.

use serde::Deserialize;
use variant_document::Plain;
use variant_document::edit::{Action, Draft};
use variant_document::query::{Address, Query};
use variant_inspect::{CommonArgs, TailArg};
use variant_owned::Variant;
use variant_testkit::random::Random;
use variant_view::PathStep;

use crate::bench::{Bench, diff};
use crate::comes_back::{OTHERS, exceptional};
use crate::edits::{any_edit, edit, shown, spots, value_at};
use crate::hold_inside;
use crate::samples::{Sample, documents_of, samples};

/// A line of `diff --json`, except the last.
#[derive(Clone, Debug, Deserialize)]
struct Line {
    change: Change,
    frame: Option<u64>,
    path: String,
    path_after: Option<String>,
    before: Option<String>,
    after: Option<String>,
    kind_before: Option<String>,
    kind_after: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Change {
    Changed,
    Removed,
    Added,
}

impl Line {
    fn address(&self, path: &str) -> String {
        self.frame.map_or_else(|| path.to_owned(), |frame| format!("frame {frame}: {path}"))
    }

    /// The path in the old file. For a value that only the new file has, the path in the new file.
    fn path_before(&self) -> String {
        self.address(&self.path)
    }

    fn path_after(&self) -> String {
        self.address(self.path_after.as_ref().unwrap_or(&self.path))
    }
}

/// The container in which a path ends.
fn around(path: &str) -> Result<String, String> {
    let (frame, path) = Address::split(path);
    let (outer, _) = Query::split_last(path)?;
    Ok(match frame {
        Some(frame) if outer.is_empty() => format!("frame {frame}: (root)"),
        Some(frame) => format!("frame {frame}: {outer}"),
        None if outer.is_empty() => "(root)".to_owned(),
        None => outer.to_owned(),
    })
}

/// Whether `outer` is the path, or the path of a container around it.
fn is_within(path: &str, outer: &str) -> bool {
    let mut path = path.to_owned();
    loop {
        if path == outer {
            return true;
        }
        match around(&path) {
            Ok(next)
                if next != path && next.len() < path.len() + 6 && !path.ends_with("(root)") =>
            {
                path = next;
            }
            _ => return false,
        }
    }
}

/// The old file, to which the lines are applied. The new file supplies the values of the lines.
struct Job<'f> {
    draft: Draft<'f>,
    new: Plain<'f>,
    changed: usize,
    renamed: usize,
}

impl Job<'_> {
    fn make(&mut self, path: &str, action: Action) -> Result<(), String> {
        let shown = format!("{action:?}");
        let shown = shown.chars().take(80).collect::<String>();
        let made = self.draft.make(&edit(path, action));
        made.map(drop).map_err(|why| format!("{path}: {shown}: {why}"))
    }

    fn set(&mut self, old: &str, new: &str) -> Result<(), String> {
        let value = value_at(self.new, new)?;
        self.changed += 1;
        self.make(old, Action::Set(value))
    }

    /// Sets a value, or all elements of a packed array.
    fn change(&mut self, line: &Line) -> Result<(), String> {
        let (old, new) = (line.path_before(), line.path_after());
        let kind = value_at(self.new, &new).map(|value| value.kind().name());
        if kind.ok() == line.kind_after.as_deref() && line.kind_after.is_some() {
            return self.set(&old, &new);
        }
        self.set(&around(&old)?, &around(&new)?)
    }
}

/// Applies the lines.
fn apply<'f>(old: Plain<'f>, new: Plain<'f>, lines: &[Line]) -> Result<Job<'f>, String> {
    let mut job = Job { draft: Draft::new(old), new, changed: 0, renamed: 0 };
    // A container is set as a whole if its declared types differ, or if a key has a different kind.
    let mut whole: Vec<String> = Vec::new();
    let mut rest = Vec::new();
    for line in lines {
        if whole.iter().any(|outer| is_within(&line.path_before(), outer)) {
            continue;
        }
        let is_of_key = line.path.ends_with(":key}");
        let is_container = line.kind_before == line.kind_after
            && ["Array", "Dictionary", "Object", "TypedArray", "PackedTypedArray"]
                .contains(&line.kind_after.as_deref().unwrap_or_default());
        if line.change == Change::Changed && (is_of_key || is_container) {
            let (mut from, mut to) = (line.path_before(), line.path_after());
            if is_of_key {
                (from, to) = (around(&from)?, around(&to)?);
            }
            job.set(&from, &to)?;
            whole.push(from);
        } else {
            rest.push(line.clone());
        }
    }
    rest.retain(|line| !whole.iter().any(|outer| is_within(&line.path_before(), outer)));
    let (removed, added) = job.renames(&rest)?;
    for line in rest.iter().filter(|line| line.change == Change::Changed) {
        job.change(line)?;
    }
    for line in removed.iter().rev() {
        if is_element_of_packed(old, &line.path_before()) {
            continue;
        }
        job.make(&line.path_before(), Action::Delete)?;
    }
    for line in &added {
        let path = line.path_after();
        match value_at(new, &path) {
            Ok(value) if Some(value.kind().name()) == line.kind_after.as_deref() => {
                job.make(&path, Action::Insert(value))?;
            }
            // The value is an element of a packed array, which is set as a whole.
            _ => job.set(&around(&path)?, &around(&path)?)?,
        }
    }
    for line in removed.iter().filter(|line| is_element_of_packed(old, &line.path_before())) {
        let array = around(&line.path_before())?;
        job.set(&array, &array)?;
    }
    Ok(job)
}

fn is_element_of_packed(plain: Plain<'_>, path: &str) -> bool {
    value_at(plain, path).is_err()
}

impl Job<'_> {
    /// Renames a key if a value was removed and the same value was added. Returns the remaining lines.
    fn renames(&mut self, lines: &[Line]) -> Result<(Vec<Line>, Vec<Line>), String> {
        let of = |change| lines.iter().filter(move |line| line.change == change).cloned();
        let (mut removed, mut added): (Vec<_>, Vec<_>) =
            (of(Change::Removed).collect(), of(Change::Added).collect());
        let mut at = 0;
        while at < removed.len() {
            let line = &removed[at];
            let name = |step: &str| match PathStep::parse(step).next() {
                Some(Ok(PathStep::Name(name))) => Some(name.to_owned()),
                _ => None,
            };
            let same = added.iter().position(|other| {
                other.after == line.before
                    && other.kind_after == line.kind_before
                    && around(&other.path_after()).ok() == around(&line.path_before()).ok()
                    && Query::split_last(&other.path).is_ok_and(|(_, step)| name(step).is_some())
                    && Query::split_last(&line.path).is_ok_and(|(_, step)| name(step).is_some())
                    && is_equal(&self.draft, &line.path_before(), self.new, &other.path_after())
            });
            let Some(same) = same else {
                at += 1;
                continue;
            };
            let (line, other) = (removed.remove(at), added.remove(same));
            let key = Query::split_last(&other.path).ok().and_then(|(_, step)| name(step));
            self.make(&line.path_before(), Action::RenameKey(key.unwrap_or_default()))?;
            self.renamed += 1;
        }
        Ok((removed, added))
    }
}

fn is_equal(old: &Draft<'_>, at: &str, new: Plain<'_>, there: &str) -> bool {
    match (value_at(old.plain(), at), value_at(new, there)) {
        (Ok(old), Ok(new)) => shown(&old) == shown(&new),
        _ => false,
    }
}

/// The lines of `diff`, and whether it reports differences.
fn lines_of(
    bench: &Bench,
    old: &[u8],
    new: &[u8],
    common: &CommonArgs,
) -> Result<Vec<Line>, String> {
    let (old, new) = (bench.put("old", old), bench.put("new", new));
    let (status, out, said) = Bench::run_with_status(&diff(&old, &new), common);
    if status > 1 {
        return Err(format!("status {status}: {said}"));
    }
    let out = String::from_utf8(out).unwrap();
    let lines: Vec<_> = out.lines().collect();
    let (_, lines) = lines.split_last().unwrap();
    let lines: Result<Vec<Line>, _> = lines.iter().map(|line| serde_json::from_str(line)).collect();
    let lines = lines.map_err(|why| format!("{why}: {out}"))?;
    if lines.is_empty() == (status == 0) {
        Ok(lines)
    } else {
        Err(format!("status {status}: {out}"))
    }
}

/// Checks the law for two files that are read with the same options. Returns the number of lines.
fn check(bench: &Bench, sample: &Sample, new: &[u8]) -> Result<usize, String> {
    let (old, new) = (sample.plain(), sample.plain().with_bytes(new));
    let framing = sample.framing();
    let tail = u64::try_from(old.tail).unwrap();
    let tail = if tail == 0 { TailArg::Keep } else { TailArg::Bytes(tail) };
    let common =
        CommonArgs { dialect: Some(sample.dialect()), framing, tail, ..sample.common.clone() };
    let lines = lines_of(bench, old.bytes, new.bytes, &common)?;
    // A value that is set to `[]` or `{}` keeps its old kind, so such a line does not always give the new value.
    let is_empty = |line: &Line| matches!(line.after.as_deref(), Some("[]" | "{}"));
    // A path has at most 62 steps. The middle of a longer path is left out, so the line cannot be applied.
    let is_long = |line: &Line| line.path.contains(" bytes ... ");
    if lines.iter().any(|line| line.change == Change::Changed && is_empty(line) || is_long(line)) {
        return Ok(0);
    }
    let job = apply(old, new, &lines).map_err(|why| format!("{why}\n{lines:#?}"))?;
    let left = lines_of(bench, job.draft.bytes(), new.bytes, &common)?;
    if !left.is_empty() {
        return Err(format!("{lines:?}\nleave {left:?}"));
    }
    // Compares the values without `diff`.
    let found = job.draft.plain();
    for (found, new) in documents_of(found).iter().zip(documents_of(new)) {
        let [found, new] = [found, &new].map(|one| shown(&Variant::from_document(one).unwrap()));
        // The order of pairs and properties is not a difference, so the parts of each text are sorted before the
        // comparison.
        let [one, other] = [&found, &new].map(|text| {
            let mut parts: Vec<_> = text.split([',', '\n', '(', ')']).map(str::trim).collect();
            parts.sort_unstable();
            parts
        });
        if one != other {
            return Err(format!("{lines:?}\ngive {found} and not {new}"));
        }
    }
    Ok(lines.len())
}

#[test]
fn differences_make_the_new_file() {
    hold_inside("diff --json of a file and a changed one, applied", 800, |bench, sample| {
        // Values of equal keys have the same path, so a line cannot say which of them changed.
        if sample.documents().iter().any(|one| exceptional(one).contains(OTHERS)) {
            return Ok(0);
        }
        let mut held = 0;
        let mut random = Random::new(0xd1ff);
        let rounds = if sample.plain().bytes.len() > 50_000 { 1 } else { 3 };
        for round in 1..=rounds {
            let mut draft = Draft::new(sample.plain());
            for _ in 0..round {
                let spots = spots(draft.plain());
                if !spots.is_empty() {
                    // A refused edit changes nothing.
                    let _ = draft.make(&any_edit(&spots[random.below(spots.len())], &mut random));
                }
            }
            held += check(bench, sample, draft.bytes())?;
        }
        Ok(held)
    });
}

/// The old and the new file are different samples, so their values have little in common.
#[test]
fn differences_of_different_files_make_the_new_file() {
    let all: Vec<_> = samples()
        .iter()
        .filter(|sample| sample.name.contains(" nested ") || sample.name.ends_with(" save"))
        .collect();
    let (bench, mut held, mut broken) = (Bench::new(), 0, Vec::new());
    for (old, new) in all.iter().zip(&all[1..]) {
        if old.dialect() == new.dialect() {
            match check(&bench, old, &new.bytes) {
                Ok(lines) => held += lines,
                Err(why) => broken.push(format!("{} to {}: {why}", old.name, new.name)),
            }
        }
    }
    println!("diff --json of different files, applied: {held} lines");
    assert!(broken.is_empty(), "{}:\n{}", broken.len(), broken[..broken.len().min(20)].join("\n"));
    assert!(held > 50, "{held}");
}
