//! `diff`: compares two files, value by value. The files may differ in dialect, compression and encryption.

mod print;

use std::path::Path;

use variant_document::diff::{self, Rule, Side, Stop};
use variant_document::escape::{escaped, neutral};
use variant_document::query::{self, Address, Query, address_text, select};
use variant_view::short_path;

use self::print::Printer;
use crate::cli::DiffArgs;
use crate::failure::{Failure, Status};
use crate::report::Report;
use crate::terminal::Terminal;
use crate::values::Values;
use crate::verbs::get::{address, invalid_path};

/// The status if a file is damaged. It differs from the status of a difference.
const TROUBLE: Status = Status::NoAnswer;

pub(crate) fn run(args: &DiffArgs, terminal: &mut Terminal<'_>) -> Result<Status, Failure> {
    if args.old == Path::new("-") && args.new == Path::new("-") {
        return Err(Failure::usage("standard input can be read once; name one of the files"));
    }
    let rule = rule(args)?;
    let old = Values::open(&args.old, terminal).map_err(trouble)?;
    let mut of_new = terminal.common.clone();
    if args.new_dialect.is_some() {
        (of_new.dialect, of_new.as_documented) = (args.new_dialect, None);
    }
    let new = Values::open(&args.new, &mut terminal.with(&of_new)).map_err(trouble)?;
    if let Some(address) = &rule.address {
        check_one(&old, address)?;
        check_one(&new, address)?;
    }
    let of = |side| if side == Side::Old { &old } else { &new };
    let mut printer = Printer::new(args, (&old.input.name, &new.input.name), terminal);
    let summary = match diff::files(old.plain(), new.plain(), &rule, &mut printer) {
        Ok(summary) => summary,
        Err(Stop::Data { side, piece, error }) => {
            let (input, plain) = (&of(side).input, of(side).plain());
            let document = plain.document(piece.bytes);
            Report { input, piece: &piece, document, error }.print(terminal)?;
            return Ok(TROUBLE);
        }
        Err(Stop::Cut { side, error }) => {
            let values = of(side);
            terminal.error(&format!("{}: {}", values.input.name, values.plain().cut(&error)))?;
            return Ok(TROUBLE);
        }
        Err(Stop::Caller(failure)) => return Err(failure),
    };
    if let (Some(at), 0) = (&args.at, summary.values) {
        return Err(Failure::usage(format!("nothing is at the path {}", escaped(&short_path(at)))));
    }
    printer.finish(&summary)?;
    Ok(if summary.total(args.order) == 0 { Status::Fine } else { Status::Invalid })
}

/// Refuses a path that selects several values of a frame, because differences between lists of values have no path.
/// Damage is not reported here, because the comparison reports it later.
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
            return Err(Failure::usage(format!(
                "{name}: --at {at} selects several values, such as {one} and {two}; diff compares one of each file"
            )));
        }
    }
    Ok(())
}

fn rule(args: &DiffArgs) -> Result<Rule, Failure> {
    let parse = |path: &String| Query::parse(path).map_err(|why| invalid_path(path, &why));
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

/// Converts a failure of a comparison: a damaged file has another status than a difference.
fn trouble(failure: Failure) -> Failure {
    let of = |status| if status == Status::Invalid { TROUBLE } else { status };
    match failure {
        Failure::File { status, message } => Failure::File { status: of(status), message },
        Failure::Told(status) => Failure::Told(of(status)),
        failure @ Failure::Output(_) => failure,
    }
}
