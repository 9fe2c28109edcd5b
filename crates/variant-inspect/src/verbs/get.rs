//! `get`: prints the values at paths.

use variant_io::Framing;
use variant_owned::json::{WriteOptions, write_with};
use variant_owned::{TextOptions, TextStyle};
use variant_view::{Document, VariantView, short_path};

use crate::cli::{AsArg, CommonArgs, GetArgs};
use crate::failure::{Failure, Status};
use crate::terminal::Terminal;
use crate::values::{Trouble, Value, Values};
use crate::verbs::text::print_streamed;
use crate::verbs::tree::printer::{self, Extent, Printer};
use variant_document::escape::{escaped, neutral};
use variant_document::lookup::look_up;
use variant_document::query::{Address, ROOT, Stop, select};

pub(crate) fn run(
    args: &GetArgs,
    common: &CommonArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    let wanted = wanted(&args.paths, args.frame.frame)?;
    let file = Values::open(&args.file, common, terminal)?;
    let is_labelled = wanted.len() > 1 || wanted.iter().any(|wanted| wanted.is_of_many(&file));
    let mut job = Job { args, wanted, is_labelled, is_alone: file.is_one_frame() };
    let status = file.each(terminal, |value, terminal| job.print(value, terminal))?;
    Ok(status.max(missing(&job.wanted, "nothing is", &file, terminal)?))
}

/// A path, and the values found at it.
pub(super) struct Wanted<'a> {
    pub(super) path: &'a str,
    pub(super) address: Address,
    /// The number of values found.
    pub(super) count: u64,
    /// Why the first value of the file does not have it.
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
}

/// A path of the command line, in a frame if one is asked for.
pub(super) fn address(path: &str, frame: Option<u64>) -> Result<Address, Failure> {
    Address::parse(path).and_then(|address| address.in_frame(frame)).map_err(|why| {
        let shown = escaped(&short_path(path));
        Failure::file(Status::Usage, format!("invalid path {shown}: {why}"))
    })
}

/// Reads the paths of the command line.
pub(super) fn wanted(paths: &[String], frame: Option<u64>) -> Result<Vec<Wanted<'_>>, Failure> {
    let wanted = paths
        .iter()
        .map(|path| Ok(Wanted { path, address: address(path, frame)?, count: 0, why_not: None }));
    wanted.collect()
}

/// Reports the paths at which nothing was found.
pub(super) fn missing(
    all: &[Wanted<'_>],
    what: &str,
    file: &Values,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    let mut worst = Status::Fine;
    for Wanted { path, why_not, count, .. } in all {
        if *count == 0 {
            let nothing = || format!("{what} at the path {}", escaped(&short_path(path)));
            let why = why_not.clone().unwrap_or_else(nothing);
            terminal.error(&format!("{}: {why}", file.input.name))?;
            worst = Status::Invalid;
        }
    }
    Ok(worst)
}

struct Job<'j> {
    args: &'j GetArgs,
    wanted: Vec<Wanted<'j>>,
    /// Whether the path of each value is printed.
    is_labelled: bool,
    /// Whether the file is one frame.
    is_alone: bool,
}

impl Job<'_> {
    fn print(&mut self, value: &Value<'_>, terminal: &mut Terminal<'_>) -> Result<Status, Trouble> {
        let Self { args, is_labelled, is_alone, .. } = *self;
        for wanted in &mut self.wanted {
            let Some(part) = wanted.address.part(value.piece) else { continue };
            if part.query.is_plain() {
                // The look-up stops at the value, and leads into byte arrays.
                match look_up(value.document, part.path) {
                    Ok(found) => {
                        wanted.count = wanted.count.saturating_add(1);
                        let path = if part.path.is_empty() { ROOT } else { part.path };
                        let label = is_labelled.then(|| value.address_in(is_alone, path));
                        let start = value.piece.absolute(found.start);
                        print(args, &found.document, start, label.as_deref(), terminal)?;
                    }
                    Err(why) => {
                        wanted.why_not.get_or_insert(why);
                    }
                }
                continue;
            }
            let options = *value.document.options();
            let selected = select(&value.document, &part.query, |found| {
                wanted.count = wanted.count.saturating_add(1);
                let document = Document::new(found.value.raw_bytes()?, options);
                let start = value.piece.absolute(found.start);
                print(
                    args,
                    &document,
                    start,
                    Some(&value.address_in(is_alone, &found.text())),
                    terminal,
                )
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
    let label = label.map(neutral).unwrap_or_default();
    match printer.labelled(&label).print(document, start) {
        Ok(_) => Ok(()),
        Err(printer::Stop::Data(error)) => Err(error.into()),
        Err(printer::Stop::Output(error)) => Err(error.into()),
    }
}
