//! `json`: prints values as JSON, one document per value.

mod lost;

use variant_io::Framing;
use variant_owned::json::{Form, Losses, WriteOptions, write_with};
use variant_view::{Node, Visitor};

use crate::cli::{FormArg, JsonArgs};
use crate::failure::{Failure, Status};
use crate::terminal::Terminal;
use crate::values::{Trouble, Value, Values};
use lost::Lost;

pub(crate) fn run(args: &JsonArgs, terminal: &mut Terminal<'_>) -> Result<Status, Failure> {
    let file = Values::open(&args.file, terminal)?;
    let framing = file.choice.framing;
    let options = WriteOptions::new(args.form.into()).pretty(args.pretty).framing(framing.name());
    let mut lost = Lost::default();
    let outcome = file.each(terminal, |value, terminal| {
        let losses = write_one(value, options, terminal)?;
        lost.add(value, &losses);
        Ok(Status::Fine)
    });
    lost.tell(terminal)?;
    if let Ok(Status::Fine) = outcome {
        tell_what_is_left_out(args.form, &file, terminal)?;
    }
    outcome
}

/// A visitor that ignores every value. A walk with this visitor only validates the document.
struct Whole;

impl Visitor<'_> for Whole {
    fn leaf(&mut self, _: Node<'_>) -> variant_view::Result<()> {
        Ok(())
    }
}

/// Prints exact JSON of all values, indented.
pub(super) fn print_exact(file: &Values, terminal: &mut Terminal<'_>) -> Result<Status, Failure> {
    let options = WriteOptions::new(Form::Exact).pretty(true).framing(file.choice.framing.name());
    file.each(terminal, |value, terminal| {
        write_one(value, options, terminal)?;
        Ok(Status::Fine)
    })
}

fn write_one(
    value: &Value<'_>,
    options: WriteOptions<'_>,
    terminal: &mut Terminal<'_>,
) -> Result<Losses, Trouble> {
    // A damaged value is not printed in part, so that all output is valid JSON.
    value.document.walk().visit(&mut Whole)?;
    let options = value.piece.name.map_or(options, |name| options.name(name));
    let written = write_with(&value.document, &options, &mut *terminal.out);
    let losses = written.map_err(|error| error.either(Trouble::from, Trouble::from))?;
    if !options.is_pretty {
        writeln!(terminal.out)?;
    }
    Ok(losses)
}

/// Prints a note on parts of the file around its values, such as layers and a tail. The JSON lacks these parts. The
/// note contains the options that restore them.
fn tell_what_is_left_out(
    form: FormArg,
    file: &Values,
    terminal: &mut Terminal<'_>,
) -> Result<(), Failure> {
    let (framing, source) = (file.choice.framing, &file.input.source);
    let is_framed = form != FormArg::Exact && framing != Framing::Bare;
    let is_alone = source.head().is_empty() && file.plain().tail == 0;
    if !is_framed && source.opened.wrapping().is_empty() && is_alone {
        return Ok(());
    }
    let mut how = match form {
        FormArg::Exact => "from".to_owned(),
        form => format!("from --form {}", name_of(form)),
    };
    how = format!("{how} --like {}", file.input.argument());
    if is_framed {
        how = format!("{how}, or --dialect and --to-framing {framing}");
    }
    let what = match form {
        FormArg::Exact => "the wrapping of the file is not in the JSON",
        _ => "the JSON holds the values alone",
    };
    terminal.note(&format!("{what}; to write such a file again: {how}"))?;
    Ok(())
}

const fn name_of(form: FormArg) -> &'static str {
    match form {
        FormArg::Native => "native",
        FormArg::Plain => "plain",
        FormArg::Exact => "exact",
    }
}
