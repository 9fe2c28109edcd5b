//! `tree`: prints values, one to a line.

use std::fmt::Write as _;
use std::io;

use variant_io::{Framing, ValueError};
use variant_view::{Document, Error, Event, Node, Role, VariantView, Walker};

use crate::choice::Choice;
use crate::cli::{CommonArgs, TreeArgs};
use crate::count::{counted, grouped};
use crate::escape::escape;
use crate::failure::{Failure, Status};
use crate::literal;
use crate::open::Input;
use crate::pieces::{Piece, pieces, unit};
use crate::report::Report;
use crate::style::Palette;
use crate::terminal::Terminal;

/// Prints the values of a file.
pub(crate) fn run(
    args: &TreeArgs,
    common: &CommonArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    let input = Input::open(&args.file, common)?;
    let choice = Choice::make(&input, common, terminal)?;
    let shown = match (choice.framing, args.limit) {
        (Framing::Frames(_) | Framing::Settings, Some(limit)) => {
            usize::try_from(limit).unwrap_or(usize::MAX)
        }
        _ => usize::MAX,
    };
    let mut all = pieces(&input.source, choice.framing);
    let job = Job { input: &input, choice, args };
    let mut worst = Status::Fine;
    // Each frame stands for itself: behind a damaged one the next may be fine.
    for (number, piece) in (1..).zip(all.by_ref().take(shown)) {
        worst = worst.max(match piece {
            Ok(piece) => job.print_piece(&piece, terminal)?,
            Err(error) => job.print_cut(&error, number, terminal)?,
        });
    }
    let left = all.flatten().count();
    if left > 0 {
        let style = terminal.palette().note;
        writeln!(
            terminal.out,
            "{style}... {} more{style:#}",
            counted(left, unit(choice.framing).unwrap_or("value"))
        )?;
    }
    Ok(worst)
}

/// What is printed, and how.
#[derive(Clone, Copy)]
struct Job<'j> {
    input: &'j Input,
    choice: Choice,
    args: &'j TreeArgs,
}

impl Job<'_> {
    fn print_piece(
        &self,
        piece: &Piece<'_>,
        terminal: &mut Terminal<'_>,
    ) -> Result<Status, Failure> {
        let is_alone = piece.bytes.len().saturating_add(4) == self.input.source.len();
        if piece.framing != Framing::Bare && !is_alone {
            print_heading(piece, terminal)?;
        }
        let document = Document::new(piece.bytes, self.choice.options);
        match self.print_value(&document, piece, terminal) {
            Ok(end) => {
                print_rest(piece, end, terminal)?;
                Ok(Status::Fine)
            }
            Err(Stop::Output(error)) => Err(error.into()),
            Err(Stop::Data(error)) => {
                terminal.out.flush()?;
                let palette = Palette::new(terminal.is_err_coloured);
                let report = Report { input: self.input, piece, document, error };
                report.write(terminal.err, &palette)?;
                Ok(Status::Invalid)
            }
        }
    }

    /// As much as there is of a value that ends too early.
    fn print_cut(
        &self,
        error: &ValueError,
        number: u64,
        terminal: &mut Terminal<'_>,
    ) -> Result<Status, Failure> {
        let framing = self.choice.framing;
        if let Some(piece) = Piece::of_cut(&self.input.source, error, number, framing) {
            self.print_piece(&piece, terminal)?;
        }
        let unit = unit(framing).unwrap_or("value");
        terminal.error(&format!("{}: {unit} {number}: {error}", self.input.name))?;
        Ok(Status::Invalid)
    }

    fn print_value(
        &self,
        document: &Document<'_>,
        piece: &Piece<'_>,
        terminal: &mut Terminal<'_>,
    ) -> Result<usize, Stop> {
        let digits = self.input.source.len().to_string().len();
        let mut printer = Printer {
            out: terminal.out,
            palette: Palette::new(terminal.is_out_coloured),
            depth: self.args.depth.unwrap_or(u32::MAX),
            limit: self.args.limit.unwrap_or(u32::MAX),
            offset_digits: self.args.offsets.then_some(digits),
            start: piece.start,
            line: String::new(),
            key: String::new(),
            open: Vec::new(),
        };
        printer.print(document.walk())
    }
}

fn print_heading(piece: &Piece<'_>, terminal: &mut Terminal<'_>) -> io::Result<()> {
    let style = terminal.palette().note;
    let (number, len) = (grouped(piece.number), counted(piece.bytes.len(), "byte"));
    // With the length word in front of it.
    let from = grouped(piece.start.saturating_sub(4));
    let unit = unit(piece.framing).unwrap_or("value");
    let mut name = String::new();
    if let Some(bytes) = piece.name {
        name.push_str(", ");
        escape(&mut name, bytes, 100);
    }
    writeln!(terminal.out, "{style}--- {unit} {number}{name}: {len} from byte {from}{style:#}")
}

/// What stands behind the value.
fn print_rest(piece: &Piece<'_>, end: usize, terminal: &mut Terminal<'_>) -> io::Result<()> {
    let rest = piece.bytes.get(end..).unwrap_or_default();
    if rest.is_empty() {
        return Ok(());
    }
    let mut line = String::new();
    for byte in rest.iter().take(8) {
        let _ = write!(line, " {byte:02x}");
    }
    let more = if rest.len() > 8 { " ..." } else { "" };
    let (len, from) = (counted(rest.len(), "byte"), grouped(piece.absolute(end)));
    let style = terminal.palette().note;
    writeln!(
        terminal.out,
        "{style}+ {len} behind the value, from byte {from}:{line}{more}{style:#}"
    )
}

/// Why a tree ends early.
enum Stop {
    Data(Error),
    Output(io::Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Data(error)
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// Prints one value and everything in it, in memory that is bounded by the depth.
struct Printer<'p> {
    out: &'p mut dyn io::Write,
    palette: Palette,
    depth: u32,
    limit: u32,
    offset_digits: Option<usize>,
    /// Where in the file the document starts.
    start: usize,
    line: String,
    /// The key that belongs to the next value, as text; none if the key is a container.
    key: String,
    /// The number of items of each open container.
    open: Vec<u32>,
}

impl Printer<'_> {
    /// Says where the value ends.
    fn print(&mut self, mut walker: Walker<'_>) -> Result<usize, Stop> {
        while let Some(event) = walker.next() {
            match event? {
                Event::Enter(node) if self.is_beyond(&node) => {
                    walker.skip_rest()?;
                    walker.next().transpose()?;
                    self.cut(&node, &mut walker)?;
                }
                Event::Leaf(node) if self.is_beyond(&node) => self.cut(&node, &mut walker)?,
                Event::Enter(node) => self.enter(&node, &mut walker)?,
                Event::Leaf(node) if matches!(node.role(), Role::Key(_)) => {
                    self.remember(&node.view);
                }
                Event::Leaf(node) => self.print_line(&node, "")?,
                Event::Exit { .. } => {
                    self.open.pop();
                }
            }
        }
        Ok(walker.offset())
    }

    fn is_beyond(&self, node: &Node<'_>) -> bool {
        index(&node.role()).is_some_and(|index| index >= self.limit)
    }

    /// Leaves out the rest of a container.
    fn cut(&mut self, node: &Node<'_>, walker: &mut Walker<'_>) -> Result<(), Stop> {
        walker.skip_rest()?;
        let left = self.open.last().copied().unwrap_or(0).saturating_sub(self.limit);
        let style = self.palette.note;
        self.begin_line(None, node.depth);
        let _ = write!(self.line, "{style}... {} more{style:#}", grouped(left));
        Ok(self.end_line()?)
    }

    fn enter(&mut self, node: &Node<'_>, walker: &mut Walker<'_>) -> Result<(), Stop> {
        let len = len(&node.view);
        self.open.push(len);
        let is_closed = node.depth >= self.depth && len > 0;
        self.print_line(node, if is_closed { " ..." } else { "" })?;
        if is_closed {
            walker.skip_rest()?;
        }
        Ok(())
    }

    fn remember(&mut self, key: &VariantView<'_>) {
        self.key.clear();
        literal::write(&mut self.key, key);
    }

    fn print_line(&mut self, node: &Node<'_>, suffix: &str) -> io::Result<()> {
        let offset = self.start.saturating_add(node.view.offset());
        self.begin_line(Some(offset), node.depth);
        self.write_role(&node.role());
        let style = self.style(&node.view);
        let _ = write!(self.line, "{style}");
        literal::write(&mut self.line, &node.view);
        let _ = write!(self.line, "{style:#}");
        self.line.push_str(suffix);
        self.end_line()
    }

    fn write_role(&mut self, role: &Role<'_>) {
        let (style, line) = (self.palette.key, &mut self.line);
        let _ = match role {
            Role::Root => Ok(()),
            Role::Element(index) => write!(line, "{style}[{index}]{style:#} "),
            Role::Key(_) => write!(line, "{style}key{style:#} "),
            Role::Value(_) if self.key.is_empty() => write!(line, "{style}value{style:#} "),
            Role::Value(_) => write!(line, "{style}{}{style:#}: ", self.key),
            Role::Property(_, name) => {
                let _ = write!(line, "{style}");
                escape(line, name.as_bytes(), 100);
                write!(line, "{style:#} = ")
            }
        };
        self.key.clear();
    }

    const fn style(&self, view: &VariantView<'_>) -> anstyle::Style {
        match view {
            VariantView::String(_) | VariantView::StringName(_) | VariantView::NodePath(_) => {
                self.palette.text
            }
            VariantView::Object(_)
            | VariantView::Dictionary(_)
            | VariantView::Array(_)
            | VariantView::TypedArray(_)
            | VariantView::PackedTypedArray(_) => self.palette.container,
            _ => self.palette.value,
        }
    }

    fn begin_line(&mut self, offset: Option<usize>, depth: u32) {
        self.line.clear();
        if let Some(digits) = self.offset_digits {
            let style = self.palette.note;
            let offset = offset.map_or_else(String::new, |offset| offset.to_string());
            let _ = write!(self.line, "{style}{offset:>digits$}{style:#}  ");
        }
        (0..depth).for_each(|_| self.line.push_str("  "));
    }

    fn end_line(&mut self) -> io::Result<()> {
        self.line.push('\n');
        self.out.write_all(self.line.as_bytes())
    }
}

const fn index(role: &Role<'_>) -> Option<u32> {
    match role {
        Role::Root => None,
        Role::Element(i) | Role::Key(i) | Role::Value(i) | Role::Property(i, _) => Some(*i),
    }
}

fn len(view: &VariantView<'_>) -> u32 {
    match view {
        VariantView::Array(v) | VariantView::TypedArray(v) | VariantView::PackedTypedArray(v) => {
            v.len()
        }
        VariantView::Dictionary(v) => v.len(),
        VariantView::Object(v) => v.len(),
        _ => 0,
    }
}
