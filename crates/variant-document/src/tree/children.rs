//! [`Children`]: the values in a container or a file, read on demand.

use std::collections::VecDeque;
use std::rc::Rc;

use variant_io::{Framing, Position};
use variant_view::{Elements, Error, Kind};

use super::spot::{Child, Label, Spot};
use crate::plain::Plain;

/// The number of children in a page. The place of the first child of each page is always kept.
const STEP: usize = 256;

/// The number of pages whose places are all kept. The rows on a screen may belong to two pages.
const PAGES: usize = 2;

/// The values in a container or a file.
///
/// Reads nothing until a child is requested. Keeps one place for every 256 children that were read past. Memory is not
/// reserved for the claimed count.
#[derive(Debug)]
pub struct Children<'a> {
    source: Source<'a>,
    /// The maximum number of children: the claimed count, limited to the number that fits into the bytes.
    claimed: usize,
    known: Known,
}

/// The known places of children, from which reading can resume. Borrows nothing from the file.
#[derive(Clone, Debug)]
pub struct Known {
    /// The places of every [`STEP`]-th child.
    anchors: Vec<Place>,
    pages: VecDeque<Page>,
    end: Option<End>,
}

#[derive(Clone, Debug)]
enum Source<'a> {
    File(Plain<'a>),
    Container(Spot<'a>, Kind),
    /// The elements of a packed array.
    Packed(Spot<'a>, Elements<'a>),
    /// A few known children.
    Known(Rc<[Child<'a>]>),
}

/// The place at which a child starts.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// The offset in the container or the packed array, or the index among known children.
    At(usize),
    /// The position of a value of the file.
    Value(Position),
}

#[derive(Clone, Debug)]
struct Page {
    number: usize,
    places: Vec<Place>,
}

/// The number of children that can be read, and the damage if the container claims more.
#[derive(Clone, Debug)]
struct End {
    len: usize,
    damage: Option<Rc<str>>,
}

/// A row below a container.
#[derive(Clone, Debug)]
pub enum Entry<'a> {
    /// A value.
    Child(Child<'a>),
    /// The damage to the rest of the container.
    Damage(Rc<str>),
}

impl<'a> Children<'a> {
    fn new(source: Source<'a>, claimed: usize, first: Place) -> Self {
        let known = Known { anchors: vec![first], pages: VecDeque::new(), end: None };
        Self { source, claimed, known }
    }

    /// The same children with known places, which [`Children::into_known`] returned for the same bytes.
    #[must_use]
    pub fn with_known(self, known: Known) -> Self {
        Self { known, ..self }
    }

    /// The places known so far.
    pub fn into_known(self) -> Known {
        self.known
    }

    /// The values of a file.
    pub fn of_file(file: Plain<'a>) -> Self {
        let first = file.framing.values(file.body()).position();
        // Each frame has at least its length prefix, so the size of the file limits the number of frames.
        let claimed = match file.framing {
            Framing::Bare => 1,
            Framing::Frames(_) | Framing::Settings | Framing::Sequence(_) => most(file.body()),
        };
        Self::new(Source::File(file), claimed, Place::Value(first))
    }

    /// A few known children.
    pub fn known(all: Vec<Child<'a>>) -> Self {
        let claimed = all.len();
        Self::new(Source::Known(all.into()), claimed, Place::At(0))
    }

    /// The values in a value: the items of a container, the elements of a packed array, or the value inside a byte
    /// array. The values in a pair whose key is a container are this key and its value. `None` if there are no values.
    pub fn of(child: &Child<'a>) -> Option<Self> {
        let known = |all| Some(Self::known(all));
        if let (Some(key), Label::Pair { position, .. }) = (child.wide_key(), &child.label) {
            let key = Child { label: Label::Key(*position), spot: key };
            return known(vec![key, Child { label: Label::Value, spot: child.spot }]);
        }
        let spot = child.spot;
        let (view, items) = spot.head().ok()?;
        let Some(items) = items else {
            if let Some((inner, _)) = spot.nested() {
                return known(vec![Child { label: Label::Inside, spot: inner }]);
            }
            return Self::of_packed(spot, view.elements()?);
        };
        let kind = view.kind();
        let claimed = usize::try_from(items).unwrap_or(usize::MAX);
        let claimed = if kind == Kind::Dictionary { claimed / 2 } else { claimed };
        let first = Place::At(spot.head_len());
        let claimed = claimed.min(most(spot.bytes));
        (claimed > 0).then(|| Self::new(Source::Container(spot, kind), claimed, first))
    }

    fn of_packed(spot: Spot<'a>, elements: Elements<'a>) -> Option<Self> {
        let first = Place::At(elements.start(0)?);
        let claimed = elements.len();
        (claimed > 0).then(|| Self::new(Source::Packed(spot, elements), claimed, first))
    }

    /// The same children, but without the places that `self` has already found.
    #[must_use]
    pub fn afresh(&self) -> Self {
        let first = self.known.anchors.first().copied().unwrap_or(Place::At(0));
        Self::new(self.source.clone(), self.claimed, first)
    }

    /// The maximum number of rows. It is exact if the end of the children is known.
    pub fn rows(&self) -> usize {
        self.known.end.as_ref().map_or(self.claimed, End::rows)
    }

    /// The row at `index`. O(256) if an earlier call has read past this child, otherwise O(children between the last
    /// child that was read and this child).
    pub fn get(&mut self, index: usize) -> Option<Entry<'a>> {
        if index < self.rows()
            && let Some(place) = self.place(index)
        {
            match self.source.child(place, index) {
                Ok(child) => return Some(Entry::Child(child)),
                Err(damage) => self.known.end = Some(End { len: index, damage }),
            }
        }
        let end = self.known.end.as_ref().filter(|end| end.len == index)?;
        end.damage.clone().map(Entry::Damage)
    }

    /// The index of the child whose bytes, key or name contain a byte of the file: the last child that starts at the
    /// byte or before it. O(256) if an earlier call has read past this child, otherwise O(children between the last
    /// child that was read and this child).
    pub fn index_of(&mut self, offset: usize) -> Option<usize> {
        if let Source::Packed(spot, elements) = &self.source
            && let (Some(size), Some(first)) = (elements.size(), elements.start(0))
        {
            let inside = offset.checked_sub(spot.start)?.checked_sub(first)?;
            return inside.checked_div(size).map(|index| index.min(self.claimed.saturating_sub(1)));
        }
        let is_past = |children: &Self, place: Option<&Place>| {
            place.is_none_or(|place| children.source.start(*place) > offset)
        };
        // Reads on to a child that starts after the byte, since the byte may belong to a child that is not read yet.
        let is_more = |children: &Self| {
            let passed = children.known.anchors.len().saturating_mul(STEP);
            passed < children.rows() && !is_past(children, children.known.anchors.last())
        };
        while is_more(self) && self.add_anchor().is_some() {}
        let past = self.known.anchors.partition_point(|place| self.source.start(*place) <= offset);
        let first = past.checked_sub(1)?.saturating_mul(STEP);
        let begun = (first..first.saturating_add(STEP)).take_while(|index| {
            let place = Some(*index).filter(|index| *index < self.rows());
            let place = place.and_then(|index| self.place(index));
            !is_past(self, place.as_ref())
        });
        // The end of the last child is also a place, and may be the first place of a page.
        let index = first.saturating_add(begun.count()).min(self.rows()).checked_sub(1)?;
        self.get(index).map(|_| index)
    }

    /// The last row. O(children that were not read yet).
    pub fn last(&mut self) -> Option<(usize, Entry<'a>)> {
        // A second attempt is needed if the first finds that there are fewer rows than claimed.
        (0..2).find_map(|_| {
            let index = self.rows().checked_sub(1)?;
            Some((index, self.get(index)?))
        })
    }

    /// The place of a child, unless the children end before it.
    fn place(&mut self, index: usize) -> Option<Place> {
        if let Source::Packed(_, elements) = &self.source
            && elements.size().is_some()
        {
            return elements.start(index).map(Place::At);
        }
        if self.known.end.as_ref().is_some_and(|end| index >= end.len) {
            return None;
        }
        let page = index.checked_div(STEP)?;
        while self.known.anchors.len() <= page {
            self.add_anchor()?;
        }
        self.place_in(page, index.checked_rem(STEP)?)
    }

    /// Reads past the children of the last known page, and adds the place of the next page.
    fn add_anchor(&mut self) -> Option<()> {
        let last = self.known.anchors.len().saturating_sub(1);
        let behind = self.place_in(last, STEP)?;
        self.known.anchors.push(behind);
        Some(())
    }

    /// The place of child `at` in page `number`. The first place of this page must be known.
    fn place_in(&mut self, number: usize, at: usize) -> Option<Place> {
        let mut page = self.take_page(number)?;
        while page.places.len() <= at {
            let Some(last) = page.places.last() else { break };
            let index =
                number.saturating_mul(STEP).saturating_add(page.places.len()).saturating_sub(1);
            match self.source.behind(*last, index) {
                Ok(next) => page.places.push(next),
                Err(end) => {
                    self.known.end = Some(end);
                    break;
                }
            }
        }
        let place = page.places.get(at).copied();
        self.known.pages.push_front(page);
        self.known.pages.truncate(PAGES);
        place
    }

    fn take_page(&mut self, number: usize) -> Option<Page> {
        let found = self.known.pages.iter().position(|page| page.number == number);
        if let Some(found) = found {
            return self.known.pages.remove(found);
        }
        let anchor = *self.known.anchors.get(number)?;
        Some(Page { number, places: vec![anchor] })
    }
}

impl End {
    fn rows(&self) -> usize {
        self.len.saturating_add(usize::from(self.damage.is_some()))
    }
}

impl<'a> Source<'a> {
    /// The offset of a place in the file.
    fn start(&self, place: Place) -> usize {
        match (self, place) {
            (Self::Known(all), Place::At(number)) => {
                all.get(number).map_or(usize::MAX, Child::start)
            }
            (Self::Container(spot, _) | Self::Packed(spot, _), Place::At(offset)) => {
                spot.start.saturating_add(offset)
            }
            (Self::File(file), Place::Value(position)) => file.absolute(position.offset()),
            _ => usize::MAX,
        }
    }

    /// The child at a place; the damage if its head cannot be read; `Err(None)` at the end.
    fn child(&self, place: Place, index: usize) -> Result<Child<'a>, Option<Rc<str>>> {
        match (self, place) {
            (Self::Known(all), _) => all.get(index).cloned().ok_or(None),
            (Self::Container(spot, kind), Place::At(offset)) => {
                let damage = |error| Some(told(error));
                let child = item(spot, *kind, offset, index).map_err(damage)?;
                child.spot.head().map_err(damage)?;
                Ok(child)
            }
            (Self::Packed(spot, elements), Place::At(offset)) => {
                element(spot, elements, offset, index).map(|(child, _)| child).ok_or(None)
            }
            (Self::File(file), Place::Value(position)) => {
                let next = file.framing.values_from(file.body(), position).next();
                let value = next.ok_or(None)?.map_err(|error| Some(file.cut(&error).into()))?;
                // A damaged value is also a row, because the frames after it can be read.
                Ok(piece(*file, &value))
            }
            _ => Err(None),
        }
    }

    /// The place after the child that starts at `place`.
    fn behind(&self, place: Place, index: usize) -> Result<Place, End> {
        match (self, place) {
            (Self::Container(spot, kind), Place::At(offset)) => {
                let child = item(spot, *kind, offset, index);
                let child = child.map_err(|error| End { len: index, damage: Some(told(error)) })?;
                let is_readable = child.spot.head().is_ok();
                let len = index.saturating_add(usize::from(is_readable));
                let size = child.spot.size();
                let size = size.map_err(|error| End { len, damage: Some(told(error)) })?;
                let before = child.spot.start.saturating_sub(spot.start);
                Ok(Place::At(before.saturating_add(size)))
            }
            (Self::Packed(_, elements), Place::At(offset)) => {
                let behind = elements.at(offset).map(|(_, behind)| Place::At(behind));
                behind.ok_or(End { len: index, damage: None })
            }
            (Self::File(file), Place::Value(position)) => {
                let mut values = file.framing.values_from(file.body(), position);
                match values.next() {
                    Some(Ok(_)) => Ok(Place::Value(values.position())),
                    Some(Err(error)) => {
                        Err(End { len: index, damage: Some(file.cut(&error).into()) })
                    }
                    None => Err(End { len: index, damage: None }),
                }
            }
            _ => Ok(Place::At(index.saturating_add(1))),
        }
    }
}

fn piece<'a>(file: Plain<'a>, value: &variant_io::Value<'a>) -> Child<'a> {
    let piece = file.piece(value);
    let (bytes, start, options) = (piece.bytes, piece.start, file.options);
    let spot = Spot { bytes, start, options, nesting: 0, element: None };
    Child { label: Label::Piece(piece), spot }
}

/// The item of a container at an offset.
fn item<'a>(spot: &Spot<'a>, kind: Kind, offset: usize, index: usize) -> Result<Child<'a>, Error> {
    let first = spot.inner(offset);
    let position = u32::try_from(index).unwrap_or(u32::MAX);
    let (label, before) = match kind {
        Kind::Dictionary => (Label::Pair { key: first, position }, first.size()?),
        Kind::Object => {
            let mut reader = first.reader();
            let name = reader.name().map_err(|error| first.placed(error))?;
            (Label::Property { name, position }, reader.offset())
        }
        _ => (Label::Element(position), 0),
    };
    Ok(Child { label, spot: spot.inner(offset.saturating_add(before)) })
}

/// The element of a packed array at an offset in the array, and the offset after it.
fn element<'a>(
    spot: &Spot<'a>,
    elements: &Elements<'a>,
    offset: usize,
    index: usize,
) -> Option<(Child<'a>, usize)> {
    let (view, behind) = elements.at(offset)?;
    let bytes = spot.bytes.get(offset..behind)?;
    let start = spot.start.saturating_add(offset);
    let spot = Spot { bytes, start, element: Some(view), ..*spot };
    let label = Label::Element(u32::try_from(index).unwrap_or(u32::MAX));
    Some((Child { label, spot }, behind))
}

/// The maximum number of values that fit into the bytes.
fn most(bytes: &[u8]) -> usize {
    (bytes.len() / 4).saturating_add(1)
}

fn told(error: Error) -> Rc<str> {
    error.to_string().into()
}
