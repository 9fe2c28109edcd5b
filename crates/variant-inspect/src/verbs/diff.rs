//! `diff`: compares two files, value by value, whatever their dialects and wrappings.

mod print;

use std::path::Path;

use variant_document::Piece;
use variant_document::diff::{self, Rule, Side, Stop};
use variant_document::escape::{escaped, neutral};
use variant_document::query::{self, Address, Query, address_text, select};
use variant_view::{Error, short_path};

use self::print::Printer;
use crate::cli::{CommonArgs, DiffArgs};
use crate::failure::{Failure, Status};
use crate::report::Report;
use crate::style::Palette;
use crate::terminal::Terminal;
use crate::values::Values;
use crate::verbs::get::address;

/// The status if a file is damaged, which distinguishes it from a difference.
const TROUBLE: Status = Status::Usage;

pub(crate) fn run(
    args: &DiffArgs,
    common: &CommonArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    if args.old == Path::new("-") && args.new == Path::new("-") {
        let message = "standard input can be read once; name one of the files".to_owned();
        return Err(Failure::file(Status::Usage, message));
    }
    let rule = rule(args)?;
    let old = Values::open(&args.old, common, terminal).map_err(trouble)?;
    let mut of_new = common.clone();
    if args.new_dialect.is_some() {
        (of_new.dialect, of_new.as_documented) = (args.new_dialect, None);
    }
    let new = Values::open(&args.new, &of_new, terminal).map_err(trouble)?;
    if let Some(address) = &rule.address {
        check_one(&old, address)?;
        check_one(&new, address)?;
    }
    let of = |side| if side == Side::Old { &old } else { &new };
    let mut printer = Printer::new(args, (&old.input.name, &new.input.name), terminal);
    let summary = match diff::files(old.plain(), new.plain(), &rule, &mut printer) {
        Ok(summary) => summary,
        Err(Stop::Data { side, piece, error }) => {
            return damaged(of(side), &piece, error, terminal);
        }
        Err(Stop::Cut { side, error }) => return cut(of(side), &error, terminal),
        Err(Stop::Caller(failure)) => return Err(failure),
    };
    if let (Some(at), 0) = (&args.at, summary.values) {
        let message = format!("nothing is at the path {}", escaped(&short_path(at)));
        return Err(Failure::file(Status::Usage, message));
    }
    printer.finish(&summary)?;
    Ok(if summary.total(args.order) == 0 { Status::Fine } else { Status::Invalid })
}

/// Refuses a path that selects several values of a frame: differences between lists of values have no path. The
/// comparison reports damage.
fn check_one(values: &Values, address: &Address) -> Result<(), Failure> {
    if !address.query().selects_many() {
        return Ok(());
    }
    let plain = values.plain();
    let mut first = None;
    for piece in plain.pieces().map_while(Result::ok) {
        let Some(part) = address.part(&piece) else { continue };
        if !address.names_several(plain.framing) {
            first = None;
        }
        let selected = select(&plain.document(piece.bytes), &part.query, |found| {
            let text = address_text(&piece, &found.text());
            first.replace(text.clone()).map_or(Ok(()), |first| Err((first, text)))
        });
        if let Err(query::Stop::Caller((one, two))) = selected {
            let name = &values.input.name;
            let [at, one, two] =
                [address.path(), &one, &two].map(|path| neutral(&short_path(path)));
            let message = format!(
                "{name}: --at {at} selects several values, such as {one} and {two}; diff compares one of each file"
            );
            return Err(Failure::file(Status::Usage, message));
        }
    }
    Ok(())
}

fn rule(args: &DiffArgs) -> Result<Rule, Failure> {
    let parse = |path: &String| {
        Query::parse(path).map_err(|why| {
            let shown = escaped(&short_path(path));
            Failure::file(Status::Usage, format!("invalid path {shown}: {why}"))
        })
    };
    let address = args.at.as_deref().map(|path| address(path, None)).transpose()?;
    Ok(Rule {
        tolerance: args.tolerance,
        relative: args.relative,
        is_exact: args.exact,
        is_loose: args.loose,
        is_ordered: args.order,
        by: args.by.clone(),
        ignored: args.ignore.iter().map(parse).collect::<Result<_, _>>()?,
        at: None,
        address,
        limit: args.limit,
    })
}

/// The failure of a file that cannot be compared. Its status is not that of a difference.
fn trouble(failure: Failure) -> Failure {
    match failure {
        Failure::File { status, message } => Failure::File { status: status.max(TROUBLE), message },
        Failure::Told(status) => Failure::Told(status.max(TROUBLE)),
        failure @ Failure::Output(_) => failure,
    }
}

/// Reports a damaged value.
fn damaged(
    values: &Values,
    piece: &Piece<'_>,
    error: Error,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    // Keeps the report after the differences printed so far.
    terminal.out.flush()?;
    let palette = Palette::new(terminal.is_err_coloured);
    let document = values.plain().document(piece.bytes);
    Report { input: &values.input, piece, document, error }.write(terminal.err, &palette)?;
    Ok(TROUBLE)
}

/// Reports that a file ends within a value.
fn cut(
    values: &Values,
    error: &variant_io::ValueError,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    terminal.error(&format!("{}: {}", values.input.name, values.plain().cut(error)))?;
    Ok(TROUBLE)
}
