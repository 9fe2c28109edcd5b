//! Folds many values of a document into one.

use std::fmt::Display;

use variant_document::query::{Query, Stop, select};
use variant_owned::Variant;
use variant_owned::json::{Form, write};
use variant_view::{Document, Error, VariantView};

use crate::cells::{Appended, Cells, Value, append_json, exact_float};
use crate::column::Fold;
use crate::column_type::ColumnType;
use crate::misfit::Misfit;

#[derive(Debug)]
pub(crate) enum Folded<'a> {
    Nothing,
    Int(i64),
    Float(f64),
    View(VariantView<'a>),
    /// A value or the sum of the numbers does not fit.
    Misfit(Misfit),
}

impl<'a> Folded<'a> {
    /// Folds the values that a path selects into one value of a type. Also returns the number of selected values.
    /// O(bytes of the document).
    pub(crate) fn new(
        document: &Document<'a>,
        query: &Query,
        fold: Fold,
        of: &ColumnType,
    ) -> Result<(Self, u64), Error> {
        let (mut folded, mut count) = (Self::Nothing, 0_u64);
        let selected = select(document, query, |found| {
            count = count.saturating_add(1);
            if !matches!(folded, Self::Misfit(_)) {
                folded.add(found.value, fold, of);
            }
            Ok::<_, Error>(())
        });
        match selected {
            Ok(()) => {}
            Err(Stop::Data(error) | Stop::Caller(error)) => return Err(error),
        }
        if fold == Fold::Count {
            folded = Self::Int(i64::try_from(count).unwrap_or(i64::MAX));
        }
        Ok((folded, count))
    }

    fn add(&mut self, view: VariantView<'a>, fold: Fold, of: &ColumnType) {
        let new = match fold {
            Fold::Count | Fold::List | Fold::Key => return,
            Fold::First if !matches!(self, Self::Nothing) => return,
            Fold::First | Fold::Last => Ok(Self::View(view)),
            Fold::Sum | Fold::Min | Fold::Max => {
                // A null does not change the result.
                if view.is_nil() {
                    return;
                }
                number(&view, of).and_then(|number| match (&*self, number) {
                    (Self::Int(so_far), Self::Int(int)) => {
                        ints(*so_far, int, fold, &view).map(Self::Int)
                    }
                    (Self::Float(so_far), Self::Float(float)) => {
                        Ok(Self::Float(floats(*so_far, float, fold)))
                    }
                    (_, number) => Ok(number),
                })
            }
        };
        *self = new.unwrap_or_else(Self::Misfit);
    }

    /// Appends the result as a cell.
    pub(crate) fn append_to(&self, cells: &mut Cells) -> Appended {
        match self {
            Self::Nothing => cells.append(None),
            Self::Int(int) => cells.append(Some(Value::Int(*int))),
            Self::Float(float) => cells.append(Some(Value::Float(*float))),
            Self::View(view) => cells.append(Some(Value::View(view))),
            Self::Misfit(misfit) => {
                cells.append_null();
                misfit.clone().into()
            }
        }
    }
}

/// The value as a number of the column's type.
fn number<'a>(view: &VariantView<'a>, of: &ColumnType) -> Result<Folded<'a>, Misfit> {
    match (view, of) {
        (VariantView::Int(int), ColumnType::Float) => exact_float(int.value())
            .map(Folded::Float)
            .ok_or_else(|| Misfit::value(view, "float without loss")),
        (VariantView::Int(int), _) => Ok(Folded::Int(int.value())),
        (VariantView::Float(float), ColumnType::Float) => Ok(Folded::Float(float.value())),
        (view, ColumnType::Int) => Err(Misfit::kind(view, "int")),
        (view, _) => Err(Misfit::kind(view, "a number")),
    }
}

fn ints(one: i64, other: i64, fold: Fold, view: &VariantView<'_>) -> Result<i64, Misfit> {
    match fold {
        Fold::Min => Ok(one.min(other)),
        Fold::Max => Ok(one.max(other)),
        _ => one.checked_add(other).ok_or_else(|| Misfit::value(view, "a sum of 64 bits")),
    }
}

fn floats(one: f64, other: f64, fold: Fold) -> f64 {
    match fold {
        Fold::Min => one.min(other),
        Fold::Max => one.max(other),
        _ => one + other,
    }
}

/// Appends all values that a path selects as one list, or as one array in JSON. Also returns the number of selected
/// values. A value may be inside another selected value, so the list ends after `most` bytes. O(bytes of the document)
/// and O(`most`).
pub(crate) fn append_list(
    document: &Document<'_>,
    query: &Query,
    most: usize,
    cells: &mut Cells,
) -> (Appended, u64) {
    match cells {
        Cells::List(cells) => {
            let mut list = cells.open();
            let (count, misfit) = each(document, query, |view| {
                let has_room = list.bytes() <= most;
                if has_room {
                    list.push(Some(Value::View(view)));
                }
                has_room.then_some(()).ok_or_else(|| longer(most))
            });
            if let Some(misfit) = misfit {
                list.note(misfit);
            }
            (list.close(), count)
        }
        Cells::Json(cells, form, text) => {
            text.clear();
            text.push(b'[');
            let (count, mut misfit) = each(document, query, |view| {
                let before = text.len();
                if before > most {
                    return Err(longer(most));
                }
                if before > 1 {
                    text.push(b',');
                }
                write_item(view, *form, text).inspect_err(|_| text.truncate(before))
            });
            text.push(b']');
            let appended = append_json(cells, text).unwrap_or_else(|| {
                cells.append_null();
                misfit.get_or_insert_with(|| longer(most));
                Appended::bytes(text.len())
            });
            (Appended { misfit, ..appended }, count)
        }
        cells => {
            cells.append_null();
            (Misfit::number(&"a list", "a column of type list<TYPE>").into(), 0)
        }
    }
}

/// Writes a value as JSON without its dialect, which exact JSON has only around the whole text.
fn write_item(view: &VariantView<'_>, form: Form, text: &mut Vec<u8>) -> Result<(), Misfit> {
    let damage = |error: &dyn Display| Misfit::damage(view, error);
    if form == Form::Exact {
        let value = Variant::from_view(view).map_err(|error| damage(&error))?;
        write(&value, form, text, false).map(drop).map_err(|error| damage(&error))
    } else {
        write(view, form, text, false).map(drop).map_err(|error| damage(&error))
    }
}

fn longer(most: usize) -> Misfit {
    Misfit::number(&"a longer list", &format!("values of at most {most} bytes"))
}

/// Calls a function for each selected value. Returns the number of values, and the first misfit.
fn each(
    document: &Document<'_>,
    query: &Query,
    mut add: impl FnMut(&VariantView<'_>) -> Result<(), Misfit>,
) -> (u64, Option<Misfit>) {
    let (mut count, mut misfit) = (0_u64, None);
    let selected = select(document, query, |found| {
        count = count.saturating_add(1);
        if let Err(wrong) = add(&found.value) {
            misfit.get_or_insert(wrong);
        }
        Ok::<_, Error>(())
    });
    if let Err(Stop::Data(error) | Stop::Caller(error)) = selected {
        misfit.get_or_insert(Misfit::error(&error));
    }
    (count, misfit)
}
