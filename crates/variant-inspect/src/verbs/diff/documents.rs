//! [`Job`]: two files, and the comparison of one value of each.

use variant_view::{Document, Error, KeyRule, Objects, write_path};

use super::TROUBLE;
use super::changes::{Changes, Told};
use super::ident::Idents;
use super::rule::Rule;
use super::run::Run;
use super::side::{Cursor, Side};
use super::trail::Trail;
use super::walk::{Stop, Walk};
use crate::cli::DiffArgs;
use crate::failure::{Failure, Status};
use crate::report::Report;
use crate::style::Palette;
use crate::terminal::Terminal;
use crate::values::Values;
use variant_document::Piece;
use variant_document::count::counted;
use variant_document::escape::{escaped, shortened};
use variant_document::query::{self, Query, select};

/// Which values are compared.
#[derive(Debug)]
pub(super) struct Scope {
    at: Option<Query>,
    ignored: Vec<Query>,
}

impl Scope {
    pub(super) fn of(args: &DiffArgs) -> Result<Self, Failure> {
        let parse = |path: &String| {
            Query::parse(path).map_err(|why| {
                let shown = escaped(&shortened(path));
                Failure::file(Status::Usage, format!("invalid path {shown}: {why}"))
            })
        };
        let at = args.at.as_ref().map(parse).transpose()?;
        if at.as_ref().is_some_and(|at| !at.is_plain()) {
            let message = "--at takes a path of one value, without * .. : or ?".to_owned();
            return Err(Failure::file(Status::Usage, message));
        }
        let ignored = args.ignore.iter().map(parse).collect::<Result<_, _>>()?;
        Ok(Self { at, ignored })
    }

    /// The offset and the path of the value to compare, if it is there.
    fn start(&self, document: &Document<'_>) -> Result<Option<(usize, String)>, Error> {
        let Some(at) = &self.at else { return Ok(Some((0, String::new()))) };
        let found = select(document, at, |found| {
            let mut path = String::new();
            // Writing to a string cannot fail.
            let _ = write_path(&mut path, found.path.iter().copied());
            Err((found.start, path))
        });
        match found {
            Ok(()) => Ok(None),
            Err(query::Stop::Caller(found)) => Ok(Some(found)),
            Err(query::Stop::Data(error)) => Err(error),
        }
    }

    /// The offsets of the values to leave out, sorted.
    fn ignored(&self, document: &Document<'_>) -> Result<Vec<usize>, Error> {
        let mut all = Vec::new();
        for query in &self.ignored {
            let found = select(document, query, |found| {
                all.push(found.start);
                Ok::<_, Error>(())
            });
            found.map_err(|stop| match stop {
                query::Stop::Caller(error) | query::Stop::Data(error) => error,
            })?;
        }
        all.sort_unstable();
        Ok(all)
    }
}

/// Two files, and how they are compared.
#[derive(Debug)]
pub(super) struct Job<'j> {
    pub(super) old: &'j Values,
    pub(super) new: &'j Values,
    pub(super) idents: Idents,
    rule: Rule,
    scope: Scope,
    by: Option<&'j str>,
    /// Whether some value has the path of `--at`.
    pub(super) was_found: bool,
}

impl<'j> Job<'j> {
    pub(super) fn new(args: &'j DiffArgs, scope: Scope, old: &'j Values, new: &'j Values) -> Self {
        let has_one_text =
            |values: &Values| KeyRule::of(values.choice.options.dialect).has_one_text_key();
        let mut idents = Idents::default();
        idents.is_one_text = args.loose || has_one_text(old) || has_one_text(new);
        let rule = Rule::of(args);
        Self { old, new, idents, rule, scope, by: args.by.as_deref(), was_found: false }
    }

    /// Compares one value of each file, or tells the only one.
    pub(super) fn pieces(
        &mut self,
        old: Option<&Piece<'_>>,
        new: Option<&Piece<'_>>,
        changes: &mut Changes<'_>,
        terminal: &mut Terminal<'_>,
    ) -> Result<Status, Failure> {
        let called = |piece: &Piece<'_>| Some((piece.called()?, piece.number));
        changes.frame = old.and_then(called).or_else(|| new.and_then(called));
        let [a, b] = [(self.old, old), (self.new, new)].map(|(values, piece)| {
            let options = values.choice.options.objects(Objects::Accept);
            piece.map(|piece| Document::new(piece.bytes, options))
        });
        let stop = match self.documents((old, a), (new, b), changes, terminal) {
            Ok(()) => return Ok(Status::Fine),
            Err(Stop::Failure(failure)) => return Err(failure),
            Err(stop) => stop,
        };
        let (values, piece, document, error) = match stop {
            Stop::Old(error) => (self.old, old, a, error),
            Stop::New(error) => (self.new, new, b, error),
            Stop::Failure(failure) => return Err(failure),
        };
        let (Some(piece), Some(document)) = (piece, document) else { return Ok(TROUBLE) };
        // Keeps the report after the differences printed so far.
        terminal.out.flush()?;
        let palette = Palette::new(terminal.is_err_coloured);
        let report = Report { input: &values.input, piece, document, error };
        report.write(terminal.err, &palette)?;
        Ok(TROUBLE)
    }

    fn documents<'a>(
        &mut self,
        (old, a): (Option<&Piece<'a>>, Option<Document<'a>>),
        (new, b): (Option<&Piece<'a>>, Option<Document<'a>>),
        changes: &mut Changes<'_>,
        terminal: &mut Terminal<'_>,
    ) -> Result<(), Stop> {
        if self.is_same(a.as_ref(), b.as_ref()).map_err(Stop::Old)? {
            return Ok(());
        }
        let [from, to] = [a, b].map(|document| {
            let start = document.map(|document| self.scope.start(&document));
            start.transpose().map(Option::flatten)
        });
        let (from, to) = (from.map_err(Stop::Old)?, to.map_err(Stop::New)?);
        self.was_found |= from.is_some() || to.is_some();
        let starts = [old, new].map(|piece| piece.map_or(0, |piece| piece.start));
        let [old_start, new_start] = starts;
        let (from, to) = match (a.zip(from), b.zip(to)) {
            (Some(from), Some(to)) => (from, to),
            (Some((document, (start, path))), None) => {
                let told = alone(&document, start, &path, old_start).map_err(Stop::Old)?;
                return Ok(changes.tell(Some(&told), None, terminal)?);
            }
            (None, Some((document, (start, path)))) => {
                let told = alone(&document, start, &path, new_start).map_err(Stop::New)?;
                return Ok(changes.tell(None, Some(&told), terminal)?);
            }
            (None, None) => return Ok(()),
        };
        let ((a, (from, path)), (b, (to, new_path))) = (from, to);
        let ignored = self.scope.ignored(&a).map_err(Stop::Old)?;
        let new_ignored = self.scope.ignored(&b).map_err(Stop::New)?;
        let mut walk = Walk {
            rule: &self.rule,
            idents: &self.idents,
            old: Side::new(a, from, ignored),
            new: Side::new(b, to, new_ignored),
            equal: Run::new(&a, &b),
            starts: (old_start, new_start),
            levels: Vec::new(),
            trails: (Trail::new(path, self.by), Trail::new(new_path, self.by)),
            changes,
            terminal,
        };
        walk.run()?;
        let ends = [walk.old.cursor.offset(), walk.new.cursor.offset()];
        if self.scope.at.is_none() {
            for ((values, document), end) in [(self.old, a), (self.new, b)].into_iter().zip(ends) {
                note_rest(values, &document, end, terminal)?;
            }
        }
        Ok(())
    }

    /// Whether both are the same bytes, read in the same way; then the old one is only checked. O(bytes).
    fn is_same(&self, a: Option<&Document<'_>>, b: Option<&Document<'_>>) -> Result<bool, Error> {
        let (Some(a), Some(b), None) = (a, b, &self.scope.at) else { return Ok(false) };
        let how = |document: &Document<'_>| (document.options().dialect, document.options().reals);
        if how(a) != how(b) || a.bytes() != b.bytes() {
            return Ok(false);
        }
        Cursor::new(a, 0).skip().map(|_| true)
    }
}

/// A value that only one file has.
fn alone<'a>(
    document: &Document<'a>,
    start: usize,
    path: &str,
    piece_start: usize,
) -> Result<Told<'a>, Error> {
    let view = Cursor::new(document, start).next()?.view;
    // All of it is there.
    Cursor::new(document, start).skip()?;
    let path = if path.is_empty() { "(root)".to_owned() } else { shortened(path) };
    Ok(Told { path, offset: piece_start.saturating_add(start), view })
}

/// Bytes behind the value have no path, and no meaning.
fn note_rest(
    values: &Values,
    document: &Document<'_>,
    end: usize,
    terminal: &mut Terminal<'_>,
) -> Result<(), Failure> {
    let rest = document.bytes().len().saturating_sub(end);
    if rest > 0 {
        let name = &values.input.name;
        let rest = counted(rest, "byte");
        terminal.note(&format!("{name}: {rest} behind the value, which are not compared"))?;
    }
    Ok(())
}
