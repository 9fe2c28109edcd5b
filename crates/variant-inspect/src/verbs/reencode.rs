//! `reencode`: decodes a file, encodes it again, and compares the bytes.

use std::collections::BTreeMap;
use std::io;

use serde_json::json;
use variant_io::Framing;
use variant_owned::{EncodeOptions, Variant, Widths, encode};

use crate::cli::{CommonArgs, ReencodeArgs};
use crate::difference::{Difference, Differences, MOST_KEPT};
use crate::failure::{Failure, Status};
use crate::hexdump::excerpt;
use crate::report::shown;
use crate::terminal::Terminal;
use crate::values::{Trouble, Value, Values};
use variant_document::count::{counted, grouped};
use variant_document::escape::neutral;
use variant_document::query::path_to;
use variant_document::unit;

pub(crate) fn run(
    args: &ReencodeArgs,
    common: &CommonArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    let file = Values::open(&args.file, common, terminal)?;
    let widths = if args.canonical { Widths::Canonical } else { Widths::AsIs };
    let mut found = Found::default();
    let status = file.each(terminal, |value, terminal| {
        let read = Variant::from_document(&value.document)?;
        let options = value.choice.options;
        let options = EncodeOptions::new(options.dialect).reals(options.reals).widths(widths);
        let written = encode(&read, options).map_err(|error| Trouble::message(&error))?;
        found.values = found.values.saturating_add(1);
        found.bytes = found.bytes.saturating_add(written.len());
        // Bytes after a bare value are not compared.
        let is_same = match value.piece.framing {
            Framing::Bare => value.piece.bytes.starts_with(&written),
            Framing::Frames(_) | Framing::Settings | Framing::Sequence(_) => {
                value.piece.bytes == written
            }
        };
        if !is_same {
            found.differ(value, &written, args.json, terminal)?;
        }
        Ok(Status::Fine)
    })?;
    if status != Status::Fine {
        return Ok(status);
    }
    found.end(&file, args.json, terminal)?;
    let name = &file.input.name;
    if args.json {
        let is_same = found.by_reason.is_empty();
        let line = json!({
            "file": name,
            "is_identical": is_same,
            "values": found.values,
            "bytes": found.bytes,
            "differing": found.differing,
            "reasons": found.by_reason,
        });
        terminal.json(&line)?;
        return Ok(if is_same { Status::Fine } else { Status::Invalid });
    }
    if found.differing == 0 && found.by_reason.is_empty() {
        let (values, bytes) = (counted(found.values, "value"), grouped(found.bytes));
        writeln!(terminal.out, "{name}: identical: {values}, {bytes} bytes")?;
        return Ok(Status::Fine);
    }
    let unit = unit(file.choice.framing).unwrap_or("value");
    writeln!(terminal.out, "\n{name}: {}", found.sum_up(unit))?;
    Ok(Status::Invalid)
}

/// The differences found in a file.
#[derive(Debug, Default)]
struct Found {
    values: u64,
    bytes: usize,
    /// The number of values that differ.
    differing: u64,
    /// The number of differences printed.
    told: usize,
    by_reason: BTreeMap<String, u64>,
}

impl Found {
    /// Prints the first difference of a file in detail, later ones in one line each, up to [`MOST_KEPT`].
    fn differ(
        &mut self,
        value: &Value<'_>,
        written: &[u8],
        is_json: bool,
        terminal: &mut Terminal<'_>,
    ) -> io::Result<()> {
        let mut all = Differences::of(&value.document, written);
        if value.piece.framing != Framing::Bare {
            all.add_behind(&value.document);
        }
        self.differing = self.differing.saturating_add(1);
        for (reason, count) in &all.by_reason {
            let sum = self.by_reason.entry(reason.clone()).or_default();
            *sum = sum.saturating_add(*count);
        }
        for one in &all.first {
            match self.told {
                told if is_json && told < MOST_KEPT => tell_json(value, one, terminal)?,
                0 => tell_first(value, one, terminal)?,
                told if told < MOST_KEPT => tell(value, one, terminal)?,
                _ => break,
            }
            self.told = self.told.saturating_add(1);
        }
        Ok(())
    }

    /// Counts bytes after the last setting as a difference: the encoder does not write them.
    fn end(&mut self, file: &Values, is_json: bool, terminal: &mut Terminal<'_>) -> io::Result<()> {
        let source = &file.input.source;
        let behind = file.plain().behind_all();
        if behind > 0 {
            let offset = source.absolute(source.len().saturating_sub(behind));
            let reason = "bytes behind the last setting";
            if !is_json {
                writeln!(terminal.out, "  byte {}: {reason}", grouped(offset))?;
            }
            self.by_reason.insert(reason.to_owned(), 1);
        }
        Ok(())
    }

    /// `5 differences in 2 of 7 frames: padding is not zero x4, width x1`
    fn sum_up(&self, unit: &str) -> String {
        let all = self.by_reason.values().fold(0_u64, |sum, count| sum.saturating_add(*count));
        let reasons: Vec<_> =
            self.by_reason.iter().map(|(reason, count)| format!("{reason} x{count}")).collect();
        let (all, differing) = (counted(all, "difference"), grouped(self.differing));
        let values = counted(self.values, unit);
        format!("{all} in {differing} of {values}: {}", reasons.join(", "))
    }
}

fn tell_first(value: &Value<'_>, one: &Difference, terminal: &mut Terminal<'_>) -> io::Result<()> {
    let byte = |byte: Option<u8>| byte.map_or("nothing".to_owned(), |byte| format!("{byte:02x}"));
    let found = value.piece.bytes.get(one.offset).copied();
    let offset = value.piece.absolute(one.offset);
    let palette = terminal.palette();
    let out = &mut *terminal.out;
    writeln!(out, "{}: differs at byte {}", value.input.name, grouped(offset))?;
    if let Some(called) = value.piece.called() {
        writeln!(out, "  in        {called}")?;
    }
    writeln!(out, "  path      {}", path(value, one))?;
    writeln!(out, "  found     {}", byte(found))?;
    writeln!(out, "  written   {}", byte(one.written))?;
    writeln!(out, "  reason    {}", one.reason)?;
    writeln!(out)?;
    excerpt(out, value.input.source.whole(), offset, &palette)
}

fn tell_json(value: &Value<'_>, one: &Difference, terminal: &mut Terminal<'_>) -> io::Result<()> {
    let line = json!({
        "file": value.input.name,
        "frame": value.piece.called().map(|_| value.piece.number),
        "offset": value.piece.absolute(one.offset),
        "path": path(value, one),
        "found": value.piece.bytes.get(one.offset),
        "written": one.written,
        "reason": one.reason,
    });
    terminal.json(&line)
}

fn tell(value: &Value<'_>, one: &Difference, terminal: &mut Terminal<'_>) -> io::Result<()> {
    let offset = grouped(value.piece.absolute(one.offset));
    let called = value.piece.called().map_or_else(String::new, |called| format!(" in {called}"));
    writeln!(terminal.out, "  byte {offset}{called}: {}: {}", path(value, one), one.reason)
}

fn path(value: &Value<'_>, one: &Difference) -> String {
    neutral(&shown(&path_to(&value.document, one.offset).unwrap_or_default()))
}
