//! `get` returns a value that was set, inserted values can be deleted, and changes can be undone.

use variant_document::Plain;
use variant_document::edit::{Action, Draft, Edit};
use variant_document::lookup::look_up;
use variant_document::query::{Address, Query, ROOT, address_text, declared, select};
use variant_inspect::{AsArg, CommonArgs, FramingArg};
use variant_owned::{NumberStyle, TextOptions, TextStyle, Variant, encode, to_text};
use variant_testkit::random::Random;
use variant_testkit::table;
use variant_view::{DictionaryView, Document, ElementType, Kind, VariantView};

use crate::bench::{Bench, get, set};
use crate::comes_back::{OTHERS, exceptional, is_sample};
use crate::samples::Sample;
use crate::{hold, hold_inside};

/// A value of a file.
pub(crate) struct Spot {
    /// The path of the value, with the frame if there are several frames.
    pub(crate) path: String,
    pub(crate) kind: Kind,
    /// Whether the value is in an array. `is_keyed`: whether the value is in a dictionary or an object.
    pub(crate) is_element: bool,
    pub(crate) is_keyed: bool,
    /// For a container, the number of items and a value that can be added.
    pub(crate) item: Option<Variant>,
    /// The bytes of the value. `start` is their offset in the file.
    pub(crate) bytes: Vec<u8>,
    start: usize,
}

/// Some values, spread over the file: few in a long file, since a change takes time proportional to the file's length.
pub(crate) fn spots(plain: Plain<'_>) -> Vec<Spot> {
    let most = (150_000 / plain.bytes.len().max(1)).clamp(2, 12);
    let all = |work: &mut dyn FnMut(Spot), step: usize| {
        let mut count = 0;
        for piece in plain.pieces() {
            let piece = piece.unwrap();
            let document = plain.document(piece.bytes);
            select(&document, &Query::everything(), |found| {
                if count % step == step / 2 {
                    let around = found.slot.map(|slot| slot.kind);
                    let len = found.end().unwrap() - found.start;
                    work(Spot {
                        path: address_text(&piece, &found.text()),
                        kind: found.value.kind(),
                        is_element: around.is_some_and(is_array),
                        is_keyed: matches!(around, Some(Kind::Dictionary | Kind::Object)),
                        item: item(&found.value),
                        bytes: found.rest(&document)[..len].to_vec(),
                        start: piece.absolute(found.start),
                    });
                }
                count += 1;
                Ok::<_, ()>(())
            })
            .unwrap();
        }
        count
    };
    let count = all(&mut |_| {}, usize::MAX);
    let mut spots = Vec::new();
    all(&mut |spot| spots.push(spot), (count / most).max(1));
    spots
}

const fn is_array(kind: Kind) -> bool {
    matches!(kind, Kind::Array | Kind::TypedArray | Kind::PackedTypedArray)
}

fn has_texts_as_keys(pairs: &DictionaryView<'_>) -> bool {
    use ElementType::{Any, Builtin};
    matches!(pairs.key_type(), Any | Builtin(Kind::String | Kind::StringName))
}

/// A value that can be added to a container; `None` for a leaf.
fn item(container: &VariantView<'_>) -> Option<Variant> {
    use VariantView as V;
    let first = match container {
        V::Array(v) | V::TypedArray(v) | V::PackedTypedArray(v) => {
            v.iter().next().and_then(Result::ok)
        }
        // A new text key would be converted to the declared kind of keys, and then no path with a text would select it.
        V::Dictionary(v) if !has_texts_as_keys(v) => None,
        V::Dictionary(v) => v.iter().next().and_then(Result::ok).map(|(_, value)| value),
        V::Object(v) if v.class().is_some() => None,
        _ => return None,
    };
    let declared = declared(container).filter(|kind| *kind != Kind::Nil);
    Some(match (first, declared) {
        (Some(first), _) => Variant::from_view(&first).unwrap(),
        (None, Some(kind)) => table::sample(kind),
        (None, None) => Variant::Nil,
    })
}

/// The path of an item of a container.
pub(crate) fn inside(container: &str, step: &str) -> String {
    let container = match container.strip_suffix(ROOT) {
        Some(before) if before.is_empty() || before.ends_with(": ") => before,
        _ => container,
    };
    format!("{container}{step}")
}

/// A key that no sample has.
pub(crate) const KEY: &str = "[\"a \\new'key\"]";

pub(crate) fn edit(path: &str, action: Action) -> Edit {
    Edit { frame: None, path: path.to_owned(), action }
}

pub(crate) fn value_at(plain: Plain<'_>, path: &str) -> Result<Variant, String> {
    let address = Address::parse(path)?;
    for piece in plain.pieces() {
        let piece = piece.map_err(|error| error.to_string())?;
        if let Some(part) = address.part(&piece) {
            let found = look_up(plain.document(piece.bytes), part.path)?;
            return Variant::from_document(&found.document).map_err(|error| error.to_string());
        }
    }
    Err(format!("no frame has the path {path}"))
}

/// The literal of a value. Its numbers are as the engine prints them, so the literal does not show whether they have 32
/// or 64 bits.
pub(crate) fn shown(value: &Variant) -> String {
    let options = TextOptions::new(TextStyle::Godot4).numbers(NumberStyle::Engine);
    to_text(value, &options.sorted_keys(true))
}

/// `get` with a printed path returns the value alone. `set` with the literal that `get` prints changes nothing.
#[test]
fn what_is_got_can_be_set() {
    hold("get PATH, and set PATH to it", 500, |bench, sample| {
        let file = bench.put("file", &sample.bytes);
        let spots = spots(sample.plain());
        // `set` is checked only for samples whose values have unique paths and exact literals. Otherwise, a path may
        // select the values of several equal keys, or a text or number may have no literal.
        let is_plain = sample.documents().iter().all(|one| exceptional(one).is_empty());
        let mut held = 0;
        for spot in spots.iter().step_by((spots.len() / 3).max(1)) {
            let raw = Bench::run(&get(&file, &spot.path, AsArg::Raw), &sample.common)?;
            if raw != spot.bytes {
                let lens = (raw.len(), spot.bytes.len());
                return Err(format!("{}: {} bytes, not {}", spot.path, lens.0, lens.1));
            }
            held += 1;
            if !is_plain || spot.item.is_some() || !HAVE_LITERALS.contains(&spot.kind) {
                continue;
            }
            let value = value_at(sample.plain(), &spot.path)?;
            if encode(&value, sample.dialect()).ok().as_ref() != Some(&spot.bytes) {
                continue;
            }
            let literal = Bench::run(&get(&file, &spot.path, AsArg::Text), &sample.common)?;
            let Ok(literal) = String::from_utf8(literal) else { continue };
            let literal = literal.strip_suffix('\n').unwrap();
            let verb = set(&file, &spot.path, literal);
            let common = CommonArgs { dialect: Some(sample.dialect()), ..sample.common.clone() };
            is_sample(&Bench::run(&verb, &common), sample)
                .map_err(|why| format!("{} to {literal}: {why}", spot.path))?;
            held += 1;
        }
        Ok(held)
    });
}

/// Kinds with literals that are exact.
const HAVE_LITERALS: [Kind; 9] = [
    Kind::Nil,
    Kind::Bool,
    Kind::Int,
    Kind::Float,
    Kind::String,
    Kind::StringName,
    Kind::Vector2,
    Kind::Color,
    Kind::PackedByteArray,
];

#[test]
fn what_is_set_is_got_and_can_be_undone() {
    hold_inside("set, get, undo and redo", 1_500, |_, sample| {
        let mut held = 0;
        // Values of equal keys have the same path, so a change through this path changes all of them.
        let is_plain = |one: &Document<'_>| !exceptional(one).contains(OTHERS);
        let is_alone =
            sample.framing() == FramingArg::Bare && sample.documents().iter().all(is_plain);
        for spot in spots(sample.plain()) {
            let of = if spot.kind == Kind::Nil { Kind::Int } else { spot.kind };
            for value in [table::sample(of), Variant::from("another")] {
                let Some(after) = both_ways(sample, &spot.path, Action::Set(value.clone()))? else {
                    continue;
                };
                let found = value_at(sample.plain().with_bytes(&after), &spot.path)?;
                if is_alone && !is_kept_around(sample, &spot, &after) {
                    return Err(format!("{}: other bytes changed", spot.path));
                }
                // A text keeps its kind. An empty container keeps the types of the old value.
                let is_like = match (&value, &found) {
                    (Variant::String(_), Variant::StringName(_) | Variant::NodePath(_)) => true,
                    (Variant::Array(_), Variant::Array(all)) => all.is_empty(),
                    (Variant::Dictionary(_), Variant::Dictionary(all)) => all.is_empty(),
                    _ => false,
                };
                let [value, found] = [&value, &found].map(shown);
                if found != value && !is_like {
                    return Err(format!("{}: {value} became {found}", spot.path));
                }
                held += 1;
            }
        }
        Ok(held)
    });
}

/// Whether the bytes before and after a value are unchanged. An exception: if a bare value lacks its padding at the
/// end, an edit adds it.
fn is_kept_around(sample: &Sample, spot: &Spot, after: &[u8]) -> bool {
    let before = sample.plain().bytes;
    let (head, rest) = (&before[..spot.start], &before[spot.start + spot.bytes.len()..]);
    let ends_alike = |padding: usize| after[..after.len() - padding].ends_with(rest);
    after.starts_with(head) && (0..4).any(ends_alike)
}

/// Makes a change, undoes it and makes it again. Returns the changed bytes, or `None` if the change is refused. A
/// refused change must change nothing.
fn both_ways(sample: &Sample, path: &str, action: Action) -> Result<Option<Vec<u8>>, String> {
    let before = sample.plain().bytes;
    let mut draft = Draft::new(sample.plain());
    let Ok(back) = draft.make(&edit(path, action)) else {
        let is_as_it_was = draft.bytes() == before;
        return is_as_it_was.then_some(None).ok_or_else(|| format!("{path}: refused, and made"));
    };
    let after = draft.bytes().to_vec();
    let again = draft.apply(back).map_err(|why| format!("{path}: undo: {why}"))?;
    if draft.bytes() != before {
        return Err(format!("{path}: not undone"));
    }
    draft.apply(again).map_err(|why| format!("{path}: redo: {why}"))?;
    if draft.bytes() != after {
        return Err(format!("{path}: not made again"));
    }
    Ok(Some(after))
}

#[test]
fn what_is_inserted_can_be_deleted() {
    hold_inside("insert, then delete", 500, |_, sample| {
        let mut held = 0;
        for spot in spots(sample.plain()) {
            let Some(item) = &spot.item else { continue };
            let of_array = [("[+]", "[-1]"), ("[0]", "[0]")];
            let steps = if is_array(spot.kind) { &of_array[..] } else { &[(KEY, KEY)] };
            // A printed path has at most 62 steps. The path of an inserted item has one step more than the path of its
            // container, so containers with longer paths are skipped.
            if spot.path.matches(['.', '[']).count() > 60 {
                continue;
            }
            for (new, there) in steps {
                let path = inside(&spot.path, new);
                let Some(after) = both_ways(sample, &path, Action::Insert(item.clone()))? else {
                    continue;
                };
                let mut draft = Draft::new(sample.plain().with_bytes(&after));
                let path = inside(&spot.path, there);
                draft.make(&edit(&path, Action::Delete)).map_err(|why| format!("{path}: {why}"))?;
                let before = sample.plain().bytes;
                // A bare value may lack its padding at the end. An insertion adds it.
                if draft.bytes() != before && draft.bytes().len() / 4 != before.len().div_ceil(4) {
                    return Err(format!("{path}: other bytes are left"));
                }
                held += 1;
            }
        }
        Ok(held)
    });
}

/// A random change that fits a value.
pub(crate) fn any_edit(spot: &Spot, random: &mut Random) -> Edit {
    match random.below(4) {
        0 if spot.is_element || spot.is_keyed => edit(&spot.path, Action::Delete),
        1 if spot.is_keyed => edit(&spot.path, Action::RenameKey("a new'key".to_owned())),
        2 if spot.item.is_some() => {
            let item = spot.item.clone().unwrap_or_default();
            let is_keyed = matches!(spot.kind, Kind::Dictionary | Kind::Object);
            let step = if is_keyed { KEY } else { random.pick(&["[+]", "[0]", "[-1]"]) };
            edit(&inside(&spot.path, step), Action::Insert(item))
        }
        _ => {
            let kind = if random.below(2) == 0 { spot.kind } else { Kind::String };
            edit(&spot.path, Action::Set(table::sample(kind)))
        }
    }
}

#[test]
fn several_changes_are_undone_one_by_one() {
    hold_inside("undo and redo of several changes", 500, |_, sample| {
        let mut random = Random::new(0xd0);
        let mut draft = Draft::new(sample.plain());
        let (mut states, mut backs) = (Vec::new(), Vec::new());
        for _ in 0..4 {
            let spots = spots(draft.plain());
            if spots.is_empty() {
                break;
            }
            let spot = &spots[random.below(spots.len())];
            let before = draft.bytes().to_vec();
            if let Ok(back) = draft.make(&any_edit(spot, &mut random)) {
                states.push(before);
                backs.push(back);
            }
        }
        let (last, mut forth) = (draft.bytes().to_vec(), Vec::new());
        for (number, (state, back)) in states.iter().zip(backs).enumerate().rev() {
            forth.push(draft.apply(back).map_err(|why| format!("undo of {number}: {why}"))?);
            if draft.bytes() != *state {
                return Err(format!("change {number} is not undone"));
            }
        }
        for again in forth.into_iter().rev() {
            draft.apply(again).map_err(|why| format!("redo: {why}"))?;
        }
        if draft.bytes() == last { Ok(states.len()) } else { Err("not made again".to_owned()) }
    });
}
