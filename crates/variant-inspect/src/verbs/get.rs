//! `get`: prints the values at paths.

use variant_owned::json::{WriteOptions, write_with};
use variant_owned::{TextOptions, TextStyle};
use variant_view::{Document, PathStep, VariantView, write_path};

use crate::cli::{AsArg, CommonArgs, GetArgs};
use crate::failure::{Failure, Status};
use crate::terminal::Terminal;
use crate::values::{Trouble, Value, Values};
use crate::verbs::text::print_streamed;
use crate::verbs::tree::printer::{self, Extent, Printer};
use variant_document::escape::{escaped, shortened};
use variant_document::lookup::look_up;
use variant_document::query::{Query, Stop, select};

pub(crate) fn run(
    args: &GetArgs,
    common: &CommonArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    let wanted = wanted(&args.paths)?;
    let file = Values::open(&args.file, common, terminal)?;
    let is_labelled = args.paths.len() > 1 || !wanted.iter().all(|wanted| wanted.query.is_plain());
    let mut job = Job { args, wanted, is_labelled };
    let status = file.each(terminal, |value, terminal| job.print(value, terminal))?;
    let mut worst = status;
    for Wanted { path, why_not, count, .. } in &job.wanted {
        if *count == 0 {
            let nothing = || format!("nothing is at the path {}", escaped(&shortened(path)));
            let why = why_not.clone().unwrap_or_else(nothing);
            terminal.error(&format!("{}: {why}", file.input.name))?;
            worst = worst.max(Status::Invalid);
        }
    }
    Ok(worst)
}

/// A path, and what was found.
pub(super) struct Wanted<'a> {
    pub(super) path: &'a str,
    pub(super) query: Query,
    /// The number of values found.
    pub(super) count: u64,
    /// Why the first value of the file does not have it.
    pub(super) why_not: Option<String>,
}

/// Reads the paths of the command line.
pub(super) fn wanted(paths: &[String]) -> Result<Vec<Wanted<'_>>, Failure> {
    let parse = |path: &'_ String| Query::parse(path);
    let queries = paths.iter().map(|path| {
        let query = parse(path).map_err(|why| {
            let shown = escaped(&shortened(path));
            Failure::file(Status::Usage, format!("invalid path {shown}: {why}"))
        })?;
        Ok(Wanted { path, query, count: 0, why_not: None })
    });
    queries.collect()
}

struct Job<'j> {
    args: &'j GetArgs,
    wanted: Vec<Wanted<'j>>,
    /// Whether the path of each value is printed.
    is_labelled: bool,
}

impl Job<'_> {
    fn print(&mut self, value: &Value<'_>, terminal: &mut Terminal<'_>) -> Result<Status, Trouble> {
        let (args, is_labelled) = (self.args, self.is_labelled);
        for wanted in &mut self.wanted {
            if wanted.query.is_plain() {
                // The look-up stops at the value, and leads into byte arrays.
                match look_up(value.document, wanted.path) {
                    Ok(found) => {
                        wanted.count = wanted.count.saturating_add(1);
                        let label = is_labelled.then_some(wanted.path);
                        let start = value.piece.absolute(found.start);
                        print(args, &found.document, start, label, terminal)?;
                    }
                    Err(why) => {
                        wanted.why_not.get_or_insert(why);
                    }
                }
                continue;
            }
            let options = *value.document.options();
            let selected = select(&value.document, &wanted.query, |found| {
                wanted.count = wanted.count.saturating_add(1);
                let document = Document::new(found.value.raw_bytes()?, options);
                let start = value.piece.absolute(found.start);
                print(args, &document, start, Some(&text_of(found.path)), terminal)
            });
            match selected {
                Ok(()) => {}
                Err(Stop::Data(error)) => return Err(error.into()),
                Err(Stop::Caller(trouble)) => return Err(trouble),
            }
        }
        Ok(Status::Fine)
    }
}

/// A path as text; the root is `(root)`.
pub(super) fn text_of(path: &[PathStep<'_>]) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_path(&mut text, path.iter().copied());
    if text.is_empty() { "(root)".to_owned() } else { shortened(&text) }
}

fn print(
    args: &GetArgs,
    document: &Document<'_>,
    start: usize,
    label: Option<&str>,
    terminal: &mut Terminal<'_>,
) -> Result<(), Trouble> {
    match args.form {
        AsArg::Tree => print_tree(args, document, start, label, terminal),
        AsArg::Text => {
            let style = TextStyle::from(document.options().dialect);
            if let Some(label) = label {
                let key = terminal.palette().key;
                write!(terminal.out, "{key}{}{key:#} = ", escaped(label))?;
            }
            print_streamed(*document, TextOptions::new(style), terminal)
        }
        AsArg::Json => {
            let written =
                write_with(document, &WriteOptions::new(args.json_form.into()), &mut *terminal.out);
            written.map_err(|error| error.either(Trouble::from, Trouble::from))?;
            Ok(writeln!(terminal.out)?)
        }
        AsArg::Raw => {
            let root: VariantView<'_> = document.root()?;
            Ok(terminal.out.write_all(root.raw_bytes()?)?)
        }
    }
}

fn print_tree(
    args: &GetArgs,
    document: &Document<'_>,
    start: usize,
    label: Option<&str>,
    terminal: &mut Terminal<'_>,
) -> Result<(), Trouble> {
    let extent = Extent {
        depth: args.depth.unwrap_or(u32::MAX),
        limit: args.limit.unwrap_or(u32::MAX),
        ..Extent::default()
    };
    let palette = terminal.palette();
    let printer = Printer::new(terminal.out, palette, extent);
    let label = label.map(escaped).unwrap_or_default();
    match printer.labelled(&label).print(document, start) {
        Ok(_) => Ok(()),
        Err(printer::Stop::Data(error)) => Err(error.into()),
        Err(printer::Stop::Output(error)) => Err(error.into()),
    }
}
