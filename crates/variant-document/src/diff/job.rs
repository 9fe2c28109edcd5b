//! [`Job`]: two files, and the comparison of a value of each.

use variant_view::{Document, KeyRule};

use super::changes::Changes;
use super::difference::{Side, Value};
use super::half::{Cursor, Damage, Half};
use super::ident::Idents;
use super::rule::Rule;
use super::run::Run;
use super::sink::Sink;
use super::stop::Stop;
use super::summary::Summary;
use super::trail::{Trail, shown};
use super::walk::{Halt, Walk};
use crate::plain::{Piece, Plain, unit};

pub(super) struct Job<'j, 'a, S> {
    pub(super) old: Plain<'a>,
    pub(super) new: Plain<'a>,
    pub(super) idents: Idents,
    pub(super) summary: Summary,
    rule: &'j Rule,
    sink: &'j mut S,
}

/// A value to compare, and its place in its file.
struct Root<'a> {
    side: Side,
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

    /// Compares one value of each file. A value that only one file has is reported.
    pub(super) fn pieces(
        &mut self,
        old: Option<Piece<'a>>,
        new: Option<Piece<'a>>,
    ) -> Result<(), Stop<'a, S::Error>> {
        let has_number = |piece: &Piece<'_>| unit(piece.framing).is_some();
        let Some(piece) = old.filter(has_number).or(new).or(old) else { return Ok(()) };
        self.compare(piece, old, new).map_err(|halt| match halt {
            Halt::Data((side, error)) => {
                let damaged = if side == Side::Old { old } else { new };
                Stop::Data { side, piece: damaged.unwrap_or(piece), error }
            }
            Halt::Caller(error) => Stop::Caller(error),
        })
    }

    fn compare(
        &mut self,
        piece: Piece<'a>,
        old: Option<Piece<'a>>,
        new: Option<Piece<'a>>,
    ) -> Result<(), Halt<S::Error>> {
        if self.is_same(old.as_ref(), new.as_ref())? {
            self.summary.values = self.summary.values.saturating_add(1);
            return Ok(());
        }
        let (old, new) = (self.root(Side::Old, old)?, self.root(Side::New, new)?);
        if old.is_none() && new.is_none() {
            return Ok(());
        }
        self.summary.values = self.summary.values.saturating_add(1);
        let (old, new) = match (old, new) {
            (Some(old), Some(new)) => return self.walk(piece, old, new),
            alone => alone,
        };
        let old = old.map(|old| old.value()).transpose()?;
        let new = new.map(|new| new.value()).transpose()?;
        let (rule, sink) = (self.rule, &mut *self.sink);
        let mut changes = Changes { rule, piece, summary: &mut self.summary, sink };
        changes.tell(old, new).map_err(Halt::Caller)
    }

    /// Whether both values have the same bytes and are read in the same way. If so, only the old value is checked for
    /// damage. O(bytes).
    fn is_same(&self, old: Option<&Piece<'_>>, new: Option<&Piece<'_>>) -> Result<bool, Damage> {
        let (Some(old), Some(new), false) = (old, new, self.rule.is_of_part()) else {
            return Ok(false);
        };
        let how = |file: &Plain<'_>| (file.options.dialect, file.options.reals);
        if how(&self.old) != how(&self.new) || old.bytes != new.bytes {
            return Ok(false);
        }
        Cursor::new(Side::Old, &self.old.document(old.bytes), 0).skip().map(|_| true)
    }

    /// The value to compare in a piece; `None` if the piece has no such value.
    fn root(&self, side: Side, piece: Option<Piece<'a>>) -> Result<Option<Root<'a>>, Damage> {
        let Some(piece) = piece else { return Ok(None) };
        let file = if side == Side::Old { self.old } else { self.new };
        let document = file.document(piece.bytes);
        let start = self.rule.start(&document, &piece).map_err(|error| (side, error))?;
        Ok(start.map(|(start, path)| Root { side, piece, document, start, path }))
    }

    fn walk(
        &mut self,
        piece: Piece<'a>,
        old: Root<'a>,
        new: Root<'a>,
    ) -> Result<(), Halt<S::Error>> {
        let rule = self.rule;
        let pieces = [(Side::Old, old.piece), (Side::New, new.piece)];
        let (old, new) = (old.half(rule)?, new.half(rule)?);
        let equal = Run::new(&old.document, &new.document);
        let changes = Changes { rule, piece, summary: &mut self.summary, sink: self.sink };
        let idents = &self.idents;
        let mut walk = Walk { rule, idents, old, new, equal, levels: Vec::new(), changes };
        walk.run()?;
        let ends = [&walk.old, &walk.new].map(|half| half.cursor.offset());
        for ((side, piece), end) in pieces.into_iter().zip(ends) {
            // The bytes after the value are not compared: they have neither a path nor a meaning.
            let rest = piece.bytes.len().saturating_sub(end);
            if rest > 0 && !rule.is_of_part() {
                self.sink.rest(side, piece, rest).map_err(Halt::Caller)?;
            }
        }
        Ok(())
    }
}

impl<'a> Root<'a> {
    fn half(self, rule: &Rule) -> Result<Half<'a>, Damage> {
        let Self { side, piece, document, start, path } = self;
        let ignored = rule.ignored(&document).map_err(|error| (side, error))?;
        let trail = Trail::new(path, rule.by.as_deref(), document.options().dialect);
        let cursor = Cursor::new(side, &document, start);
        Ok(Half { side, document, cursor, start: piece.start, trail, spans: None, ignored })
    }

    /// The value that only one file has.
    fn value(&self) -> Result<Value<'a>, Damage> {
        let cursor = Cursor::new(self.side, &self.document, self.start);
        let (view, _) = cursor.clone().next()?;
        // Checks the whole value for damage.
        cursor.clone().skip()?;
        Ok(Value {
            path: shown(&self.path),
            offset: self.piece.absolute(self.start),
            view,
            elements: None,
        })
    }
}
