//! Writes a file from JSON, in its original framing.

use std::collections::HashMap;

use variant_io::{Framing, ValuesWriter};
use variant_owned::json::{
    self, Documents, Envelope, Form, JsonError, JsonErrorKind, Parsed, documents,
};
use variant_owned::{EncodeOptions, Text, Variant, encode};
use variant_view::{Dialect, Document};

use super::Job;
use super::literals::Named;
use crate::draft::{Draft, Place};
use crate::failure::Failure;
use crate::rewrite::write_draft;
use crate::target::framing_of;
use crate::terminal::Terminal;
use variant_document::Trouble;
use variant_document::edit::{self, Graft};
use variant_document::escape::neutral;

/// Writes the values of JSON of this form.
pub(super) fn write(job: &Job<'_>, form: Form, terminal: &mut Terminal<'_>) -> Result<(), Failure> {
    let Job { args, target, name, text } = job;
    let source = Source::read(name, documents(text, form))?;
    let said = source.said.as_ref();
    let options = EncodeOptions::new(target.dialect(said.map(|said| said.dialect))?)
        .reals(target.reals(said.map(|said| said.reals)));
    let like = target.like().filter(|_| args.target.to_framing.given().is_none());
    if let Some(like) = like.filter(|_| form == Form::Plain) {
        if let Some(draft) = grafted(Draft::new(like, terminal.common), text, name, options)? {
            return write_draft(&draft, args.target.plain, &args.target.output, true, terminal);
        }
        let how = "other values than this file, whose types are not kept";
        terminal.note(&format!("--like {}: the JSON has {how}", like.input.name))?;
    }
    let around = target.envelope(|| source.framing(), terminal)?;
    let framing = around.framing();
    for difference in said.map_or_else(Vec::new, |said| differences(said, options, framing)) {
        terminal.note(&difference)?;
    }
    let mut values = around.writer(options.dialect);
    let have_names = source.write(&mut values, options, framing)?;
    target.write(values, around, have_names, terminal)
}

/// Returns the file of `--like` with the values of plain JSON. New values get the types of the old values at the same
/// paths. Values whose plain form is unchanged keep their bytes. Returns `None` if the number or the names of the
/// values differ.
fn grafted<'f>(
    mut draft: Draft<'f>,
    text: &str,
    name: &str,
    options: EncodeOptions,
) -> Result<Option<Draft<'f>>, Failure> {
    let unfit = |error: JsonError| invalid(name, &error.to_string());
    let is_named = draft.file.choice.framing == Framing::Settings;
    let (mut values, mut places) = (HashMap::new(), (1_u64..).map(Place::Number));
    for parsed in documents(text, Form::Plain) {
        let parsed = parsed.map_err(unfit)?;
        if is_named {
            for (name, bytes) in parsed.encode_fields(options).map_err(unfit)? {
                values.insert(Place::Name(name.as_bytes().to_vec()), bytes);
            }
        } else {
            let bytes = parsed.encode(options).map_err(unfit)?;
            values.extend(places.next().map(|place| (place, bytes)));
        }
    }
    let mut is_missing = false;
    draft.graft(|value, document| {
        let Some(new) = values.remove(&Place::of(value.number, value.name)) else {
            is_missing = true;
            return Ok(None);
        };
        let old = Variant::from_document(&document)?;
        let like = |bytes: &[u8]| {
            let value = Variant::from_document(&Document::new(bytes, *document.options()))?;
            let value = edit::like(value, &old, options.dialect);
            encode(&value, options).map_err(|error| Trouble::message(&error))
        };
        let mut plain = Vec::new();
        json::write(&document, Form::Plain, &mut plain, false).map_err(|error| {
            error.either(Trouble::from, |error| Trouble::Message(error.to_string()))
        })?;
        let plain = json::read(&String::from_utf8_lossy(&plain), Form::Plain, options);
        let base = like(&plain.map_err(|error| Trouble::Message(error.to_string()))?)?;
        Ok(Some(Graft { base, new: like(&new)?, is_merge: false }))
    })?;
    Ok(Some(draft).filter(|_| values.is_empty() && !is_missing))
}

/// A JSON text, and the parts that determine the framing.
struct Source<'t> {
    name: &'t str,
    first: Parsed<'t>,
    second: Option<Parsed<'t>>,
    rest: Documents<'t>,
    /// The envelope of the first value: the fields of exact JSON that name the dialect and the framing.
    said: Option<Envelope>,
}

impl<'t> Source<'t> {
    fn read(name: &'t str, mut rest: Documents<'t>) -> Result<Self, Failure> {
        let unfit = |error: JsonError| invalid(name, &error.to_string());
        let first = rest.next().transpose().map_err(unfit)?;
        let Some(first) = first else {
            return Err(invalid(name, "no JSON found; expected at least one value"));
        };
        let second = rest.next().transpose().map_err(unfit)?;
        let said = first.envelope().cloned();
        Ok(Self { name, first, second, rest, said })
    }

    /// The framing that the JSON names, or the framing that fits its values.
    fn framing(&self) -> Result<Option<Framing>, Failure> {
        let Some(name) = self.said.as_ref().and_then(|said| said.framing.as_deref()) else {
            return Ok(framing_of(self.have_names(), self.second.is_some()));
        };
        let found = Framing::named(name, Dialect::Godot4);
        found.map(Some).ok_or_else(|| {
            let names = Framing::NAMES.join(", ");
            invalid(self.name, &format!("unknown framing {name:?}; expected one of {names}"))
        })
    }

    /// Whether any value has a name. Reads all values, because the first value may have no name.
    fn have_names(&self) -> bool {
        let is_named =
            |parsed: &Parsed<'_>| parsed.envelope().is_some_and(|own| own.name.is_some());
        self.said.is_some()
            && (is_named(&self.first)
                || self.second.as_ref().is_some_and(is_named)
                || self.rest.clone().flatten().any(|parsed| is_named(&parsed)))
    }

    /// Writes all values. Returns whether any value has a name.
    fn write(
        self,
        values: &mut ValuesWriter,
        options: EncodeOptions,
        framing: Framing,
    ) -> Result<bool, Failure> {
        let mut have_names = false;
        let unfit = |error: JsonError| invalid(self.name, &error.to_string());
        let all = [Some(self.first), self.second].into_iter().flatten().map(Ok).chain(self.rest);
        for (number, parsed) in (1_u64..).zip(all) {
            let parsed = parsed.map_err(unfit)?;
            let fail = |what: &str| invalid(self.name, &format!("value {number}{what}"));
            if !is_of_one_file(self.said.as_ref(), parsed.envelope()) {
                return Err(fail(" names another dialect or framing than the first"));
            }
            for (name, bytes) in bytes_of(&parsed, options, framing).map_err(unfit)? {
                have_names |= name.is_some();
                let name = name.as_ref().map(Text::as_bytes);
                values.bytes(name, &bytes).map_err(|error| fail(&format!(": {error}")))?;
            }
        }
        Ok(have_names)
    }
}

fn invalid(name: &str, message: &str) -> Failure {
    Failure::invalid(format!("{name}: {}", neutral(message)))
}

/// The form of the JSON: exact if the first value has an envelope (fields that name dialect and framing), even if the
/// envelope has a fault. Otherwise native.
pub(super) fn form_of(text: &str) -> Form {
    let is_exact = match documents(text, Form::Exact).next() {
        Some(Ok(parsed)) => parsed.envelope().is_some(),
        Some(Err(error)) => is_of_envelope(error.kind()),
        None => false,
    };
    if is_exact { Form::Exact } else { Form::Native }
}

/// Whether the error is about an envelope, and not about JSON syntax or the fields of the native form.
fn is_of_envelope(kind: &JsonErrorKind) -> bool {
    match kind {
        JsonErrorKind::Syntax(_) | JsonErrorKind::Missing(_) => false,
        JsonErrorKind::Field { name, .. } => !matches!(name.as_str(), "type" | "args"),
        _ => true,
    }
}

/// Notes on arguments that override facts of the JSON.
fn differences(said: &Envelope, options: EncodeOptions, framing: Framing) -> Vec<String> {
    let mut differences = Vec::new();
    let mut tell = |what: &str, was: &str, is: &str| {
        if was != is {
            differences.push(format!("{what} {is}; the JSON names {was}"));
        }
    };
    tell("written as", said.dialect.name(), options.dialect.name());
    tell("reals written", said.reals.name(), options.reals.name());
    if let Some(own) = &said.framing {
        tell("framing", own, framing.name());
    }
    differences
}

fn is_of_one_file(first: Option<&Envelope>, other: Option<&Envelope>) -> bool {
    let about = |envelope: &Envelope| (envelope.dialect, envelope.reals, envelope.framing.clone());
    first.map(about) == other.map(about)
}

/// The names and bytes of all values of exact JSON.
pub(in crate::verbs) fn parse_exact(
    text: &str,
    options: EncodeOptions,
) -> Result<Vec<Named>, String> {
    let bytes = |parsed: Result<Parsed<'_>, JsonError>| {
        let parsed = parsed?;
        Ok((parsed.envelope().and_then(|own| own.name.clone()), parsed.encode(options)?))
    };
    documents(text, Form::Exact)
        .map(bytes)
        .collect::<Result<_, JsonError>>()
        .map_err(|error| error.to_string())
}

/// The bytes of a value, and its name if it has one. If the file has settings and the JSON has no envelope, each field
/// is a setting: returns the name and the bytes of each field.
fn bytes_of(
    parsed: &Parsed<'_>,
    options: EncodeOptions,
    framing: Framing,
) -> Result<Vec<Named>, JsonError> {
    match parsed.envelope() {
        Some(envelope) => Ok(vec![(envelope.name.clone(), parsed.encode(options)?)]),
        None if framing == Framing::Settings => {
            let fields = parsed.encode_fields(options)?;
            Ok(fields.into_iter().map(|(name, bytes)| (Some(name), bytes)).collect())
        }
        None => Ok(vec![(None, parsed.encode(options)?)]),
    }
}
