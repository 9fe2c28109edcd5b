//! Prints the statistics of a file, for people and for programs.

use std::collections::BTreeMap;
use std::io;

use serde_json::{Map, Value, json};
use variant_view::{Document, Event, Objects, short_path};

use super::collect::{Collected, Place};
use super::excess::excesses;
use super::top::Top;
use crate::cli::StatsArgs;
use crate::report::shown;
use crate::terminal::Terminal;
use crate::trail::Trail;
use crate::values::Values;
use variant_document::count::{counted, grouped};
use variant_document::escape::neutral;
use variant_document::unit;

/// The sizes of several files.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sum {
    files: u64,
    frames: u64,
    values: u64,
    bytes: u64,
}

impl Sum {
    pub(super) const fn of(file: &Collected<'_>) -> Self {
        Self { files: 1, frames: file.frames, values: file.values, bytes: file.bytes }
    }

    pub(super) fn add(&mut self, next: &Self) {
        self.files = self.files.saturating_add(next.files);
        self.frames = self.frames.saturating_add(next.frames);
        self.values = self.values.saturating_add(next.values);
        self.bytes = self.bytes.saturating_add(next.bytes);
    }

    pub(super) fn print(&self, terminal: &mut Terminal<'_>) -> io::Result<()> {
        let files = counted(self.files, "file");
        let (values, bytes) = (counted(self.values, "value"), counted(self.bytes, "byte"));
        writeln!(terminal.out, "{files}: {values}, {bytes}")
    }
}

pub(super) fn text(
    file: &Values,
    found: &Collected<'_>,
    args: &StatsArgs,
    terminal: &mut Terminal<'_>,
) -> io::Result<()> {
    let dialect = file.choice.options.dialect;
    let frames = unit(file.choice.framing)
        .map_or_else(|| "bare".to_owned(), |unit| counted(found.frames, unit));
    let (values, bytes) = (counted(found.values, "value"), counted(found.bytes, "byte"));
    let (name, depth) = (&file.input.name, found.depth);
    writeln!(terminal.out, "{name}: {dialect}, {frames}, {values}, depth {depth}, {bytes}")?;
    paths(found, args, terminal)?;
    kinds(found, terminal)?;
    let tops = [
        ("longest texts, bytes", &found.texts),
        ("largest packed arrays, bytes", &found.packed),
        ("containers of most items", &found.containers),
    ];
    let named = Named::of(file, found);
    for (what, top) in tops {
        longest(file, &named, what, top, terminal)?;
    }
    let all = excesses(found, dialect);
    if !all.is_empty() {
        heading("beyond limits", terminal)?;
    }
    for excess in all {
        let (limit, found) = (grouped(excess.limit), grouped(excess.found));
        writeln!(terminal.out, "  {}: at most {limit} {}, found {found}", excess.of, excess.what)?;
    }
    Ok(())
}

fn heading(text: &str, terminal: &mut Terminal<'_>) -> io::Result<()> {
    let style = terminal.palette().key;
    writeln!(terminal.out, "{style}{text}{style:#}")
}

fn paths(found: &Collected<'_>, args: &StatsArgs, terminal: &mut Terminal<'_>) -> io::Result<()> {
    heading("       bytes      values  path", terminal)?;
    for line in found.paths.listed(args.depth, args.limit) {
        let (bytes, values) = (grouped(line.size.bytes), grouped(line.size.values));
        let path = neutral(&short_path(&found.paths.text(line.number)));
        let hidden = match line.hidden {
            0 => String::new(),
            hidden => format!("  (and {} more below)", grouped(hidden)),
        };
        writeln!(terminal.out, "{bytes:>12}  {values:>10}  {path}{hidden}")?;
    }
    if found.paths.is_full() {
        writeln!(terminal.out, "  (too many paths: the rest counts for its containers)")?;
    }
    Ok(())
}

fn kinds(found: &Collected<'_>, terminal: &mut Terminal<'_>) -> io::Result<()> {
    heading("       bytes      values  kind", terminal)?;
    let mut kinds: Vec<_> = found.kinds.iter().collect();
    kinds.sort_by_key(|(_, (_, bytes))| std::cmp::Reverse(*bytes));
    for (kind, (values, bytes)) in kinds {
        writeln!(terminal.out, "{:>12}  {:>10}  {kind}", grouped(bytes), grouped(values))?;
    }
    Ok(())
}

fn longest(
    file: &Values,
    named: &Named,
    what: &str,
    top: &Top<Place>,
    terminal: &mut Terminal<'_>,
) -> io::Result<()> {
    if top.iter().next().is_none() {
        return Ok(());
    }
    heading(what, terminal)?;
    for (size, place) in top.iter() {
        let (size, offset) = (grouped(size), grouped(place.offset));
        let called = place.frame.map_or_else(String::new, |frame| {
            format!("{} {frame}: ", unit(file.choice.framing).unwrap_or("value"))
        });
        let (path, literal) = (named.path(place), &place.literal);
        let path = neutral(&path);
        writeln!(terminal.out, "{size:>12}  byte {offset}  {called}{path}: {literal}")?;
    }
    Ok(())
}

/// The paths of values, by the number of the frame and the offset in the frame.
struct Named(BTreeMap<(u64, usize), String>);

impl Named {
    /// Finds the paths of the longest values, in a second walk over their frames. O(bytes).
    fn of(file: &Values, found: &Collected<'_>) -> Self {
        let tops = [&found.texts, &found.packed, &found.containers];
        let places = tops.iter().flat_map(|top| top.iter());
        let wanted = places.map(|(_, place)| ((place.number, place.within), String::new()));
        let mut paths: BTreeMap<_, _> = wanted.collect();
        let options = file.choice.options;
        let options = options.objects(Objects::Accept).limits(options.limits.depth(super::DEPTH));
        for piece in file.plain().pieces().flatten() {
            let mut left = paths.range_mut((piece.number, 0)..=(piece.number, usize::MAX));
            let mut next = left.next();
            let mut trail = Trail::new(options.dialect);
            let mut events = Document::new(piece.bytes, options).walk();
            while let Some(((_, within), path)) = &mut next {
                let Some(Ok(event)) = events.next() else { break };
                trail.follow(&event);
                if let Event::Enter(node) | Event::Leaf(node) = event
                    && node.view.offset() == *within
                {
                    **path = trail.text();
                    next = left.next();
                }
            }
        }
        Self(paths)
    }

    fn path(&self, place: &Place) -> String {
        let path = self.0.get(&(place.number, place.within)).map_or("", String::as_str);
        shown(path)
    }
}

pub(super) fn json(
    file: &Values,
    found: &Collected<'_>,
    args: &StatsArgs,
    terminal: &mut Terminal<'_>,
) -> io::Result<()> {
    let named = Named::of(file, found);
    let places = |top: &Top<Place>, what: &str| -> Vec<Value> {
        let one = |(size, place): (u64, &Place)| {
            json!({
                what: size,
                "frame": place.frame,
                "offset": place.offset,
                "path": named.path(place),
            })
        };
        top.iter().map(one).collect()
    };
    let kind = |(kind, (values, bytes)): (&variant_view::Kind, &(u64, u64))| {
        (kind.name().to_owned(), json!({"values": values, "bytes": bytes}))
    };
    let path = |line: super::paths::Line<'_, '_>| {
        json!({
            "path": found.paths.text(line.number),
            "values": line.size.values,
            "bytes": line.size.bytes,
        })
    };
    let dialect = file.choice.options.dialect;
    let excess = |excess: &super::excess::Excess| json!({"of": excess.of, "what": excess.what, "limit": excess.limit, "found": excess.found});
    let line = json!({
        "file": file.input.name,
        "dialect": dialect.name(),
        "framing": file.choice.framing.name(),
        "frames": found.frames,
        "values": found.values,
        "depth": found.depth,
        "bytes": found.bytes,
        "kinds": found.kinds.iter().map(kind).collect::<Map<_, _>>(),
        "paths": found.paths.listed(args.depth, args.limit).into_iter().map(path).collect::<Vec<_>>(),
        "texts": places(&found.texts, "bytes"),
        "packed": places(&found.packed, "bytes"),
        "containers": places(&found.containers, "items"),
        "beyond": excesses(found, dialect).iter().map(excess).collect::<Vec<_>>(),
    });
    terminal.json(&line)
}
