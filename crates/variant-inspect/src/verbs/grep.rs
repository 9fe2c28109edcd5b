//! `grep`: finds keys and texts in files.

use std::path::Path;

use regex::bytes::{Regex, RegexBuilder};
use serde_json::json;
use variant_view::{Key, VariantView};

use crate::cli::GrepArgs;
use crate::failure::{Failure, Status};
use crate::files::Files;
use crate::terminal::Terminal;
use crate::values::{Trouble, Value, Values};
use variant_document::escape::neutral;
use variant_document::literal;
use variant_document::query::{Match, Query, select};

pub(crate) fn run(args: &GrepArgs, terminal: &mut Terminal<'_>) -> Result<Status, Failure> {
    let search = Search::of(args)?;
    let files = Files::of(&args.files, terminal)?;
    let mut found = 0_u64;
    let worst = files.each(
        terminal,
        |path, terminal| search.file(path, args, files.are_named, terminal),
        |count, _| {
            found = found.saturating_add(count);
            Ok(Status::Fine)
        },
    )?;
    Ok(if found == 0 { worst.max(Status::Invalid) } else { worst })
}

/// The pattern, and the places to search.
struct Search {
    pattern: Regex,
    /// Whether a match in a text is always a match in the raw bytes of the file. This is true for patterns that do not
    /// depend on the ends of texts. Then texts are decoded only if the raw bytes match.
    is_of_bytes: bool,
    of_keys: bool,
    of_values: bool,
    all: Query,
}

impl Search {
    fn of(args: &GrepArgs) -> Result<Self, Failure> {
        let text = &args.pattern;
        let source = if args.fixed_strings { regex::escape(text) } else { text.clone() };
        let pattern = RegexBuilder::new(&source).case_insensitive(args.ignore_case).build();
        let pattern = pattern.map_err(|error| {
            let how = "-F takes the pattern as text";
            Failure::usage(format!("the pattern {text}: {error}; {how}"))
        })?;
        Ok(Self {
            pattern,
            is_of_bytes: !text.contains(['^', '$', '\\']) || args.fixed_strings,
            of_keys: !args.values,
            of_values: !args.keys,
            all: Query::everything(),
        })
    }

    /// Prints the matches of a file as the arguments require. Returns the number of matches.
    fn file(
        &self,
        path: &Path,
        args: &GrepArgs,
        is_named: bool,
        terminal: &mut Terminal<'_>,
    ) -> Result<u64, Failure> {
        let file = Values::open(path, terminal)?;
        let name = file.input.name.clone();
        let mut count = 0_u64;
        let status = file.each(terminal, |value, terminal| {
            self.value(value, |found| {
                count = count.saturating_add(1);
                if args.files_with_matches {
                    return Err(Trouble::Failure(Failure::Told(Status::Fine)));
                }
                if !args.count {
                    found.print(value, &name, is_named, args.json, terminal)?;
                }
                Ok(())
            })?;
            Ok(Status::Fine)
        });
        match status {
            Ok(Status::Fine) | Err(Failure::Told(Status::Fine)) => {}
            Ok(status) => return Err(Failure::Told(status)),
            Err(failure) => return Err(failure),
        }
        if args.files_with_matches && count > 0 {
            writeln!(terminal.out, "{name}")?;
        }
        if args.count && args.json {
            terminal.json(&json!({"file": name, "count": count}))?;
        } else if args.count {
            let named = if is_named { format!("{name}:") } else { String::new() };
            writeln!(terminal.out, "{named}{count}")?;
        }
        Ok(count)
    }

    /// Calls `found` for each match in a value. O(bytes). Bytes without a match are not decoded.
    fn value(
        &self,
        value: &Value<'_>,
        mut found: impl FnMut(&Found<'_, '_>) -> Result<(), Trouble>,
    ) -> Result<(), Trouble> {
        if self.is_of_bytes && !self.pattern.is_match(value.piece.bytes) {
            return Ok(());
        }
        Ok(select(&value.document, &self.all, |at| {
            let is_key = self.of_keys && self.is_in_key(&at);
            if is_key || self.of_values && self.is_in_value(&at.value) {
                found(&Found { at: &at, is_key })?;
            }
            Ok(())
        })?)
    }

    fn is_in_key(&self, at: &Match<'_, '_>) -> bool {
        match at.key {
            Some(Key::String(name) | Key::StringName(name)) => self.pattern.is_match(name),
            _ => false,
        }
    }

    fn is_in_value(&self, view: &VariantView<'_>) -> bool {
        match view {
            VariantView::String(text) | VariantView::StringName(text) => {
                self.pattern.is_match(text.engine_bytes())
            }
            VariantView::NodePath(path) => self.pattern.is_match(path.to_string().as_bytes()),
            VariantView::PackedStringArray(texts) => {
                texts.iter().any(|text| self.pattern.is_match(text.engine_bytes()))
            }
            VariantView::Object(object) => {
                object.class().is_some_and(|class| self.pattern.is_match(class.engine_bytes()))
            }
            VariantView::Signal(signal) => self.pattern.is_match(signal.name().engine_bytes()),
            _ => false,
        }
    }
}

struct Found<'f, 'a> {
    at: &'f Match<'f, 'a>,
    /// Whether the match is in the key of the value.
    is_key: bool,
}

impl Found<'_, '_> {
    fn print(
        &self,
        value: &Value<'_>,
        name: &str,
        is_named: bool,
        is_json: bool,
        terminal: &mut Terminal<'_>,
    ) -> Result<(), Trouble> {
        let path = self.at.text();
        let offset = value.piece.absolute(self.at.start);
        let mut shown = String::new();
        literal::write(&mut shown, &self.at.value);
        if is_json {
            let line = json!({
                "file": name,
                "frame": value.piece.called().map(|_| value.piece.number),
                "path": path,
                "offset": offset,
                "kind": self.at.value.kind().name(),
                "in": if self.is_key { "key" } else { "value" },
                "value": shown,
            });
            return Ok(terminal.json(&line)?);
        }
        let palette = terminal.palette();
        let (note, key) = (palette.note, palette.key);
        let named = if is_named { format!("{name}:") } else { String::new() };
        let path = neutral(&value.address(&path));
        writeln!(terminal.out, "{note}{named}{offset}:{note:#} {key}{path}{key:#}: {shown}")?;
        Ok(())
    }
}
