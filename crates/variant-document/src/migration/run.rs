//! [`run`]: makes the steps of a migration.

use std::mem;

use variant_owned::{Dictionary, Entry, Variant};
use variant_view::Dialect;

use super::error::Fault;
use super::pairs;
use super::step::{Action, Literal, Place, Step};
use super::tree::{
    Chosen, Refused, Tree, as_declared, fitting, item_mut, key_of, no_container, open,
};
use crate::edit::{like, literal};
use crate::query::Query;

/// Makes the steps, one after the other. Returns the number of steps that were made. O(steps × bytes).
pub(super) fn run(tree: &mut Tree, steps: &[Step]) -> Result<u64, Fault> {
    let mut made = 0_u64;
    for step in steps {
        let in_step = |fault: Fault| fault.in_step(step.spot, step.name);
        made = made.saturating_add(make(tree, step).map_err(in_step)?.into());
    }
    Ok(made)
}

/// Makes a step, unless its condition does not hold or it has nothing to change.
fn make(tree: &mut Tree, step: &Step) -> Result<bool, Fault> {
    if let Some(condition) = &step.condition
        && !tree.has(condition)?
    {
        return Ok(false);
    }
    let count = act(tree, &step.action).map_err(|fault| match fault {
        // The fault has no path, so the message shows the path of the step.
        Fault { step: None, path, why } if path.is_empty() => {
            Fault { step: None, path: step.path.clone(), why }
        }
        fault => fault,
    })?;
    // A `default` step changes nothing if the key exists, and that is not an error.
    let is_needed = !step.is_optional && !matches!(step.action, Action::Default { .. });
    if count == 0 && is_needed {
        return Err(missing(step));
    }
    if count > 0 {
        tree.settle()?;
    }
    Ok(count > 0)
}

/// The fault of a path that selects nothing.
fn missing(step: &Step) -> Fault {
    let why = "nothing is there; `optional = true` accepts that";
    Fault { step: None, path: step.path.clone(), why: why.to_owned() }
}

/// Makes the change of a step. Returns the number of changed values.
fn act(tree: &mut Tree, action: &Action) -> Result<u64, Fault> {
    let dialect = tree.options().dialect;
    match action {
        Action::Rename { query, to } => rename(tree, query, to),
        Action::Move { query, to } => relocate(tree, query, to),
        Action::Delete { query } => tree.change(query, &mut delete),
        Action::Default { to, value } => put(tree, to, value, false),
        Action::Set { to, value } => put(tree, to, value, true),
        Action::SetAll { query, value } => {
            let value = value.read(dialect)?;
            tree.change_each(query, |old| {
                *old = like(value.clone(), old, dialect);
                Ok(())
            })
        }
        Action::Retype { query, how } => tree.change_each(query, |value| how.apply(value, dialect)),
        Action::Split { query, by, into } => split(tree, query, by, into),
        Action::Join { to, by, keys } => join(tree, to, by, keys),
        Action::Map { query, steps } => map(tree, query, steps),
        Action::Wrap { query, key } => {
            let rule = tree.rule();
            tree.change_each(query, |value| {
                let mut pairs = Dictionary::with_rule(rule);
                pairs.insert(key.as_str(), mem::take(value));
                *value = pairs.into();
                Ok(())
            })
        }
        Action::Unwrap { query, key } => tree.change_each(query, |value| unwrap(value, key)),
    }
}

impl Literal {
    fn read(&self, dialect: Dialect) -> Result<Variant, String> {
        match self {
            Self::Value(value) => Ok(value.clone()),
            Self::Text(text) => literal(text, dialect),
        }
    }
}

/// The container, and the positions of the selected items in it. The root is refused, since it is in no container.
fn items(chosen: Chosen<'_>) -> Result<(&mut Variant, &[u32]), Refused> {
    match chosen {
        Chosen::Items(container, positions) => Ok((container, positions)),
        Chosen::Root(_) => Err((None, "the whole value is in no container".into())),
    }
}

/// The dictionary, and the positions of the selected pairs in it.
fn pairs_of(chosen: Chosen<'_>) -> Result<(&mut Dictionary, &[u32]), Refused> {
    let (container, positions) = items(chosen)?;
    let first = positions.first().copied();
    let kind = container.kind();
    match container {
        Variant::Dictionary(pairs) => Ok((pairs, positions)),
        _ => Err((first, format!("an item of the {kind} has no key").into())),
    }
}

fn rename(tree: &mut Tree, query: &Query, to: &str) -> Result<u64, Fault> {
    let dialect = tree.options().dialect;
    tree.change(query, &mut |chosen| {
        let (dictionary, positions) = pairs_of(chosen)?;
        if let [_, second, ..] = positions {
            let why = format!("two values of one dictionary would have the key {to:?}");
            return Err((Some(*second), why.into()));
        }
        positions.iter().try_for_each(|at| pairs::rename(dictionary, *at, to, dialect))
    })
}

fn delete(chosen: Chosen<'_>) -> Result<(), Refused> {
    let (container, positions) = items(chosen)?;
    let mut place = 0_u32;
    let mut keep = || {
        let is_kept = positions.binary_search(&place).is_err();
        place = place.saturating_add(1);
        is_kept
    };
    match container {
        Variant::Dictionary(pairs) => pairs.retain(|_, _| keep()),
        other => other.as_array_mut().into_iter().for_each(|a| a.as_mut_vec().retain(|_| keep())),
    }
    Ok(())
}

/// Moves the only selected value to another place.
fn relocate(tree: &mut Tree, query: &Query, to: &Place) -> Result<u64, Fault> {
    let mut moved = None;
    let count = tree.change(query, &mut |chosen| {
        let (container, positions) = items(chosen)?;
        for position in positions {
            let placed = |fault| (Some(*position), fault);
            if moved.is_some() {
                let why = "the path selects several values, and the new place is for one";
                return Err(placed(why.into()));
            }
            moved = Some(mem::take(item_mut(container, *position).map_err(placed)?));
        }
        delete(Chosen::Items(container, positions))
    })?;
    if let Some(value) = moved {
        let rule = tree.rule();
        insert(open(&mut tree.value, to.parent.steps(), rule)?, to, value)?;
    }
    Ok(count)
}

/// Adds a value at a new key of a container.
fn insert(container: &mut Variant, to: &Place, value: Variant) -> Result<(), Fault> {
    let kind = container.kind();
    let Variant::Dictionary(pairs) = container else { return Err(no_container(kind).into()) };
    let key = key_of(&to.last, pairs).ok_or("a new value needs a key")?;
    if pairs.get_variant(&key).is_some() {
        return Err(format!("the key {key} exists already").into());
    }
    pairs.insert(key, value);
    fitting(container)
}

/// Sets a value at a key in each container that the path selects. An existing value is replaced only if `replaces` is
/// set. Returns the number of changed containers.
fn put(tree: &mut Tree, to: &Place, value: &Literal, replaces: bool) -> Result<u64, Fault> {
    let (dialect, rule) = (tree.options().dialect, tree.rule());
    let value = value.read(dialect)?;
    if to.parent.is_plain() {
        let container = open(&mut tree.value, to.parent.steps(), rule)?;
        let changed = put_in(container, to, &value, replaces, dialect)?;
        return Ok(changed.into());
    }
    let mut changed = 0_u64;
    tree.change_each(&to.parent, |container| {
        let is_changed = put_in(container, to, &value, replaces, dialect)?;
        changed = changed.saturating_add(is_changed.into());
        Ok(())
    })?;
    Ok(changed)
}

/// Sets a value at a key of one container. Returns whether the container changed.
fn put_in(
    container: &mut Variant,
    to: &Place,
    value: &Variant,
    replaces: bool,
    dialect: Dialect,
) -> Result<bool, Fault> {
    let kind = container.kind();
    let old = match &mut *container {
        Variant::Dictionary(pairs) => {
            let declared = pairs.value_type().clone();
            match pairs.entry(key_of(&to.last, pairs).ok_or("a new value needs a key")?) {
                Entry::Occupied(old) => Some(old.into_mut()),
                Entry::Vacant(place) => {
                    place.insert(as_declared(value.clone(), &declared));
                    None
                }
            }
        }
        other => {
            let array = other.as_array_mut().ok_or_else(|| no_container(kind))?;
            let index = to.last.index_in(array.len());
            match index.and_then(|index| array.get_mut(index)) {
                None if replaces => return Ok(false),
                None => return Err("a step adds no element to an array".into()),
                Some(old) => Some(old),
            }
        }
    };
    match old {
        Some(_) if !replaces => return Ok(false),
        Some(old) => *old = like(value.clone(), old, dialect),
        None => {}
    }
    fitting(container).map(|()| true)
}

fn split(tree: &mut Tree, query: &Query, by: &str, into: &[String]) -> Result<u64, Fault> {
    tree.change(query, &mut |chosen| {
        let (dictionary, positions) = pairs_of(chosen)?;
        pairs::split(dictionary, positions, by, into)
    })
}

/// Joins the texts of keys in each dictionary that has them. Returns the number of these dictionaries.
fn join(tree: &mut Tree, to: &Place, by: &str, keys: &[String]) -> Result<u64, Fault> {
    let new = to.last.to_key().ok_or("a new value needs a key")?;
    let mut joined = 0_u64;
    tree.change_each(&to.parent, |container| {
        let kind = container.kind();
        let Variant::Dictionary(pairs) = container else { return Err(no_container(kind).into()) };
        joined = joined.saturating_add(pairs::join(pairs, &new, by, keys)?.into());
        fitting(container)
    })?;
    Ok(joined)
}

/// Makes steps in each selected value. The paths of these steps begin at the selected value.
fn map(tree: &mut Tree, query: &Query, steps: &[Step]) -> Result<u64, Fault> {
    let options = tree.options();
    tree.change_each(query, |item| {
        let mut inner = Tree::new(mem::take(item), options)?;
        run(&mut inner, steps)?;
        *item = inner.value;
        Ok(())
    })
}

/// Replaces a dictionary of one pair by the value of this pair.
fn unwrap(value: &mut Variant, key: &str) -> Result<(), Fault> {
    let kind = value.kind();
    let Variant::Dictionary(pairs) = value else {
        return Err(format!("{kind} is not a Dictionary, and cannot be unwrapped").into());
    };
    let others = pairs.len().saturating_sub(1);
    let inner = pairs.get_mut(key).ok_or_else(|| format!("the dictionary has no key {key:?}"))?;
    if others > 0 {
        return Err(format!("unwrap would lose the other keys of the dictionary: {others}").into());
    }
    *value = mem::take(inner);
    Ok(())
}
