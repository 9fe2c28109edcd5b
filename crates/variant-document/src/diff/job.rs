//! [`Job`]: two files, and the comparison of a value of each.

use variant_view::{Document, Error, KeyRule, short_path};

use super::changes::Changes;
use super::difference::{Side, Value};
use super::half::{Cursor, Half};
use super::ident::Idents;
use super::rule::Rule;
use super::run::Run;
use super::sink::Sink;
use super::stop::Stop;
use super::summary::Summary;
use super::trail::Trail;
use super::walk::{Halt, Walk};
use crate::plain::{Piece, Plain, unit};

/// Two files, and the rule of their comparison.
pub(super) struct Job<'j, 'a, S> {
    pub(super) old: Plain<'a>,
    pub(super) new: Plain<'a>,
    pub(super) idents: Idents,
    pub(super) summary: Summary,
    rule: &'j Rule,
    sink: &'j mut S,
}

/// A value of a file to compare.
struct Root<'a> {
    piece: Piece<'a>,
    document: Document<'a>,
    start: usize,
    path: String,
}

impl<'j, 'a, S: Sink<'a>> Job<'j, 'a, S> {
    pub(super) fn new(old: Plain<'a>, new: Plain<'a>, rule: &'j Rule, sink: &'j mut S) -> Self {
        let has_one_text = |file: &Plain<'_>| KeyRule::of(file.options.dialect).has_one_text_key();
        let mut idents = Idents::default();
        idents.is_one_text = rule.is_loose || has_one_text(&old) || has_one_text(&new);
        Self { old, new, idents, summary: Summary::default(), rule, sink }
    }

    /// Compares one value of each file, or reports the only one.
    pub(super) fn pieces(
        &mut self,
        old: Option<Piece<'a>>,
        new: Option<Piece<'a>>,
    ) -> Result<(), Stop<'a, S::Error>> {
        let has_number = |piece: &Piece<'_>| unit(piece.framing).is_some();
        let Some(piece) = old.filter(has_number).or(new).or(old) else { return Ok(()) };
        self.compare(piece, old, new).map_err(|halt| match halt {
            Halt::Old(error) => Stop::Data { side: Side::Old, piece: old.unwrap_or(piece), error },
            Halt::New(error) => Stop::Data { side: Side::New, piece: new.unwrap_or(piece), error },
            Halt::Caller(error) => Stop::Caller(error),
        })
    }

    fn compare(
        &mut self,
        piece: Piece<'a>,
        old: Option<Piece<'a>>,
        new: Option<Piece<'a>>,
    ) -> Result<(), Halt<S::Error>> {
        if self.is_same(old.as_ref(), new.as_ref()).map_err(Halt::Old)? {
            self.summary.values = self.summary.values.saturating_add(1);
            return Ok(());
        }
        let old = self.root(self.old, old).map_err(Halt::Old)?;
        let new = self.root(self.new, new).map_err(Halt::New)?;
        if old.is_none() && new.is_none() {
            return Ok(());
        }
        self.summary.values = self.summary.values.saturating_add(1);
        let (old, new) = match (old, new) {
            (Some(old), Some(new)) => return self.walk(piece, old, new),
            alone => alone,
        };
        let old = old.map(|old| old.value()).transpose().map_err(Halt::Old)?;
        let new = new.map(|new| new.value()).transpose().map_err(Halt::New)?;
        let (rule, sink) = (self.rule, &mut *self.sink);
        let mut changes = Changes { rule, piece, summary: &mut self.summary, sink };
        changes.tell(old, new).map_err(Halt::Caller)
    }

    /// Whether both are the same bytes, read the same way; then only checks the old one. O(bytes).
    fn is_same(&self, old: Option<&Piece<'_>>, new: Option<&Piece<'_>>) -> Result<bool, Error> {
        let (Some(old), Some(new), false) = (old, new, self.rule.is_of_part()) else {
            return Ok(false);
        };
        let how = |file: &Plain<'_>| (file.options.dialect, file.options.reals);
        if how(&self.old) != how(&self.new) || old.bytes != new.bytes {
            return Ok(false);
        }
        Cursor::new(&self.old.document(old.bytes), 0).skip().map(|_| true)
    }

    /// The value of a piece to compare, if it exists.
    fn root(&self, file: Plain<'a>, piece: Option<Piece<'a>>) -> Result<Option<Root<'a>>, Error> {
        let Some(piece) = piece else { return Ok(None) };
        let document = file.document(piece.bytes);
        let start = self.rule.start(&document, &piece)?;
        Ok(start.map(|(start, path)| Root { piece, document, start, path }))
    }

    fn walk(
        &mut self,
        piece: Piece<'a>,
        old: Root<'a>,
        new: Root<'a>,
    ) -> Result<(), Halt<S::Error>> {
        let rule = self.rule;
        let ignored = rule.ignored(&old.document).map_err(Halt::Old)?;
        let new_ignored = rule.ignored(&new.document).map_err(Halt::New)?;
        let by = rule.by.as_deref();
        let mut walk = Walk {
            rule,
            idents: &self.idents,
            old: Half::new(old.document, old.start, ignored),
            new: Half::new(new.document, new.start, new_ignored),
            equal: Run::new(&old.document, &new.document),
            starts: (old.piece.start, new.piece.start),
            levels: Vec::new(),
            trails: (
                Trail::new(old.path, by, old.document.options().dialect),
                Trail::new(new.path, by, new.document.options().dialect),
            ),
            changes: Changes { rule, piece, summary: &mut self.summary, sink: self.sink },
        };
        walk.run()?;
        let ends = (walk.old.cursor.offset(), walk.new.cursor.offset());
        if !rule.is_of_part() {
            self.tell_rest(Side::Old, old.piece, ends.0)?;
            self.tell_rest(Side::New, new.piece, ends.1)?;
        }
        Ok(())
    }

    /// Reports bytes after the value, which have neither a path nor a meaning.
    fn tell_rest(
        &mut self,
        side: Side,
        piece: Piece<'a>,
        end: usize,
    ) -> Result<(), Halt<S::Error>> {
        match piece.bytes.len().saturating_sub(end) {
            0 => Ok(()),
            rest => self.sink.rest(side, piece, rest).map_err(Halt::Caller),
        }
    }
}

impl<'a> Root<'a> {
    /// The value that only one file has.
    fn value(&self) -> Result<Value<'a>, Error> {
        let view = Cursor::new(&self.document, self.start).next()?.view;
        // Checks all of it.
        Cursor::new(&self.document, self.start).skip()?;
        let path = if self.path.is_empty() {
            "(root)".to_owned()
        } else {
            short_path(&self.path).into_owned()
        };
        Ok(Value { path, offset: self.piece.absolute(self.start), view, elements: None })
    }
}
