//! `from`: writes a file from JSON, from lines of `flatten`, or from literals.

mod json;
mod lines;
mod literals;

use variant_io::Framing;
use variant_owned::json::{Form, JsonErrorKind, Parsed, documents};
use variant_view::Dialect;

pub(super) use self::json::parse_exact;
pub(super) use self::literals::{Named, is_of_name, parse};
use crate::cli::{FromArgs, SourceArg};
use crate::failure::{Failure, Status};
use crate::flat;
use crate::read;
use crate::target::Target;
use crate::terminal::Terminal;

/// A text, and the file to write.
struct Job<'j> {
    args: &'j FromArgs,
    target: Target<'j>,
    /// The name of the text in messages.
    name: String,
    text: String,
}

pub(crate) fn run(args: &FromArgs, terminal: &mut Terminal<'_>) -> Result<Status, Failure> {
    let target = Target::new(&args.target, &args.file, terminal)?;
    let (name, text) = read::text(&args.file, terminal.common.max_input)?;
    let framing = target.like().map(|like| like.choice.framing);
    let framing = args.target.to_framing.given().or(framing);
    let is_of_settings = framing == Some(Framing::Settings);
    let form = args.form.unwrap_or_else(|| recognised(&text, is_of_settings));
    if args.form.is_none() {
        let form = name_of(form);
        terminal.note(&format!("{name}: read as {form}; --form names another form"))?;
    }
    let job = Job { args, target, name, text };
    match form {
        SourceArg::Lines => lines::write(&job, terminal),
        SourceArg::Literals => literals::write(&job, terminal),
        SourceArg::Json => json::write(&job, json::form_of(&job.text), terminal),
        SourceArg::Native => json::write(&job, Form::Native, terminal),
        SourceArg::Plain => json::write(&job, Form::Plain, terminal),
        SourceArg::Exact => json::write(&job, Form::Exact, terminal),
    }?;
    Ok(Status::Fine)
}

impl Job<'_> {
    fn invalid(&self, message: &str) -> Failure {
        Failure::invalid(format!("{}: {message}", self.name))
    }
}

/// The form of a text: lines if it begins with a line of `flatten`, JSON if the whole text has a form of JSON,
/// otherwise literals. O(bytes).
fn recognised(text: &str, is_of_settings: bool) -> SourceArg {
    let is_json = |form| documents(text, form).next().is_some();
    let is_native = |parsed| is_native(&parsed, is_of_settings);
    if flat::begins_with_line(text) {
        SourceArg::Lines
    } else if json::form_of(text) == Form::Exact {
        SourceArg::Exact
    } else if !is_json(Form::Plain) || !documents(text, Form::Plain).all(|parsed| parsed.is_ok()) {
        SourceArg::Literals
    } else if documents(text, Form::Native).all(|parsed| parsed.is_ok_and(is_native)) {
        SourceArg::Native
    } else {
        SourceArg::Plain
    }
}

/// Whether JSON has the native form. The dialect need not support its values.
fn is_native(parsed: &Parsed<'_>, is_of_settings: bool) -> bool {
    let encoded = if is_of_settings {
        parsed.encode_fields(Dialect::Godot4).map(drop)
    } else {
        parsed.encode(Dialect::Godot4).map(drop)
    };
    encoded.map_or_else(|error| matches!(error.kind(), JsonErrorKind::Encode(..)), |()| true)
}

const fn name_of(form: SourceArg) -> &'static str {
    match form {
        SourceArg::Lines => "lines of path = literal",
        SourceArg::Literals => "literals",
        SourceArg::Json => "JSON",
        SourceArg::Native => "native JSON",
        SourceArg::Plain => "plain JSON",
        SourceArg::Exact => "exact JSON",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_recognised() {
        for (text, form) in [
            ("player.level = 10\n", SourceArg::Lines),
            ("\n[\"a = b\"][0] = 10\n", SourceArg::Lines),
            ("frame 2: (root) = {}\n", SourceArg::Lines),
            ("(root) = 1\n", SourceArg::Lines),
            (r#"{"dialect":"godot3","name":"hp","value":7}"#, SourceArg::Exact),
            (r#"["i:1", "s:a"]"#, SourceArg::Native),
            (r#"{"a": 1, "b": [2.5]}"#, SourceArg::Plain),
            (r#""a = b""#, SourceArg::Plain),
            ("Vector2(1, 2)", SourceArg::Literals),
            ("1\nVector2(1, 2)\n", SourceArg::Literals),
            ("[application]\n\nconfig/name=\"x\"\n", SourceArg::Literals),
            ("a/b=1\n", SourceArg::Literals),
            ("", SourceArg::Literals),
        ] {
            assert_eq!(recognised(text, false), form, "{text}");
        }
        let settings = r#"{"a/b": "i:1", "c": null}"#;
        assert_eq!(recognised(settings, true), SourceArg::Native);
        assert_eq!(recognised(settings, false), SourceArg::Plain);
    }
}
