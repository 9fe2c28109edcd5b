//! `get`: prints the values at paths.

use variant_io::Framing;
use variant_owned::json::{WriteOptions, write_with};
use variant_owned::{TextOptions, TextStyle};
use variant_view::{Document, short_path};

use crate::cli::{AsArg, GetArgs};
use crate::failure::{Failure, Status};
use crate::report::or_root;
use crate::terminal::Terminal;
use crate::values::{Trouble, Value, Values};
use crate::verbs::text::print_streamed;
use crate::verbs::tree::printer::{Extent, Printer};
use variant_document::escape::{escaped, neutral};
use variant_document::lookup::{element, look_up};
use variant_document::query::{Address, select_elements};

pub(crate) fn run(args: &GetArgs, terminal: &mut Terminal<'_>) -> Result<Status, Failure> {
    let mut wanted = wanted(&args.paths, args.frame.frame)?;
    let file = Values::open(&args.file, terminal)?;
    let is_labelled = wanted.len() > 1 || wanted.iter().any(|wanted| wanted.is_of_many(&file));
    let is_alone = file.is_one_frame();
    let status = file.each(terminal, |value, terminal| {
        for wanted in &mut wanted {
            wanted.each(value, (is_labelled, is_alone), |document, start, label| {
                print(args, &document, start, label, terminal)
            })?;
        }
        Ok(Status::Fine)
    })?;
    Ok(status.max(missing(&wanted, "nothing is", &file.input.name, terminal)?))
}

pub(super) struct Wanted<'a> {
    pub(super) path: &'a str,
    pub(super) address: Address,
    /// Whether elements of packed arrays are values. They have no bytes of a document.
    pub(super) has_elements: bool,
    /// The number of values found.
    pub(super) count: u64,
    /// The reason why the path selects no value in the first value of the file.
    pub(super) why_not: Option<String>,
}

impl Wanted<'_> {
    /// Whether the path may select several values of a file.
    pub(super) fn is_of_many(&self, file: &Values) -> bool {
        let names_one = match file.choice.framing {
            Framing::Bare => true,
            Framing::Frames(_) | Framing::Sequence(_) => {
                self.address.frame().is_some() || file.is_one()
            }
            Framing::Settings => self.address.frame().is_some() || !self.address.path().is_empty(),
        };
        !names_one || !self.address.query().is_plain()
    }

    /// Calls `print` with each value at the path: its document, its offset in the file, and the path if several values
    /// are printed. A path that selects one value may continue into a byte array with a value inside.
    pub(super) fn each(
        &mut self,
        value: &Value<'_>,
        (is_labelled, is_alone): (bool, bool),
        mut print: impl FnMut(Document<'_>, usize, Option<&str>) -> Result<(), Trouble>,
    ) -> Result<(), Trouble> {
        let Some(part) = self.address.part(value.piece) else { return Ok(()) };
        let options = *value.document.options();
        if part.query.is_plain() {
            let label = is_labelled.then(|| value.address_in(is_alone, or_root(part.path)));
            let count = &mut self.count;
            let mut print = |document: Document<'_>, start| {
                *count = count.saturating_add(1);
                print(document, value.piece.absolute(start), label.as_deref())
            };
            // Unlike `select`, `look_up` does not read the bytes after the value that it finds.
            let why = match look_up(value.document, part.path) {
                Ok(found) => return print(found.document, found.start),
                Err(why) => why,
            };
            let element = element(value.document, part.path).filter(|_| self.has_elements);
            let why = match element {
                Some(Ok(found)) => {
                    let bytes = found.document_bytes(options);
                    return print(Document::new(&bytes, options), found.start);
                }
                Some(Err(why)) => why,
                None => why,
            };
            self.why_not.get_or_insert(why);
            return Ok(());
        }
        Ok(select_elements(&value.document, &part.query, |found| {
            if found.array.is_some() && !self.has_elements {
                return Ok(());
            }
            self.count = self.count.saturating_add(1);
            let bytes = found.document_bytes(options)?;
            let label = value.address_in(is_alone, &found.text());
            print(Document::new(&bytes, options), value.piece.absolute(found.start), Some(&label))
        })?)
    }
}

/// Parses a path of the command line. If `--frame` is given, the path is in that frame.
pub(super) fn address(path: &str, frame: Option<u64>) -> Result<Address, Failure> {
    let address = Address::parse(path).and_then(|address| address.in_frame(frame));
    address.map_err(|why| invalid_path(path, &why))
}

pub(super) fn invalid_path(path: &str, why: &str) -> Failure {
    Failure::usage(format!("invalid path {}: {why}", escaped(&short_path(path))))
}

/// Reads the paths of the command line.
pub(super) fn wanted(paths: &[String], frame: Option<u64>) -> Result<Vec<Wanted<'_>>, Failure> {
    let wanted = paths.iter().map(|path| {
        let address = address(path, frame)?;
        Ok(Wanted { path, address, has_elements: true, count: 0, why_not: None })
    });
    wanted.collect()
}

/// Reports the paths at which nothing was found.
pub(super) fn missing(
    all: &[Wanted<'_>],
    what: &str,
    name: &str,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    let mut worst = Status::Fine;
    for Wanted { path, why_not, count, .. } in all {
        if *count == 0 {
            let nothing = || format!("{what} at the path {}", escaped(&short_path(path)));
            let why = why_not.clone().unwrap_or_else(nothing);
            terminal.error(&format!("{name}: {why}"))?;
            worst = Status::Invalid;
        }
    }
    Ok(worst)
}

fn print(
    args: &GetArgs,
    document: &Document<'_>,
    start: usize,
    label: Option<&str>,
    terminal: &mut Terminal<'_>,
) -> Result<(), Trouble> {
    match args.form {
        AsArg::Tree => {
            let extent = Extent {
                depth: args.depth.unwrap_or(u32::MAX),
                limit: args.limit.unwrap_or(u32::MAX),
                ..Extent::default()
            };
            let label = label.map(neutral).unwrap_or_default();
            let palette = terminal.palette();
            let printer = Printer::new(terminal.out, palette, extent);
            printer.labelled(&label).print(document, start).map(drop)
        }
        AsArg::Text => {
            let style = TextStyle::from(document.options().dialect);
            if let Some(label) = label {
                let key = terminal.palette().key;
                write!(terminal.out, "{key}{}{key:#} = ", neutral(label))?;
            }
            print_streamed(*document, TextOptions::new(style), terminal)
        }
        AsArg::Json => {
            let written =
                write_with(document, &WriteOptions::new(args.json_form.into()), &mut *terminal.out);
            written.map_err(|error| error.either(Trouble::from, Trouble::from))?;
            Ok(writeln!(terminal.out)?)
        }
        AsArg::Raw => Ok(terminal.out.write_all(document.root()?.raw_bytes()?)?),
    }
}
