//! The orders `inspect` and `set`, and [`Object`]: the properties of a node.

use std::borrow::Cow;
use std::io;

use serde_json::{Value as Json, json};
use variant_debugger::{Command, Message, Object as Sent, Value};
use variant_document::Plain;
use variant_document::edit::{Action, Draft, Edit, literal};
use variant_document::lookup::look_up;
use variant_io::Framing;
use variant_owned::{Variant, encode};
use variant_view::{Dialect, Document, Kind, Options};

use super::super::desk::Desk;
use super::super::shown;
use super::nodes::{Nodes, id_of};
use crate::cli::{InspectArgs, SetNodeArgs};
use crate::failure::Failure;
use crate::style::Palette;
use crate::terminal::Terminal;
use variant_document::escape::{escaped, neutral};

/// The prefix of the variables of scripts.
const MEMBERS: &str = "Members/";

/// The prefix of the facts about a node.
const NODE: &str = "Node/";

/// A property.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::verbs::debug) struct Property {
    /// The name, as commands take it.
    pub(in crate::verbs::debug) name: String,
    type_id: i64,
    usage: i64,
    pub(in crate::verbs::debug) value: Variant,
}

impl Property {
    /// The name without the prefix of variables.
    pub(in crate::verbs::debug) fn shown_name(&self) -> &str {
        let variable = self.name.strip_prefix(MEMBERS);
        // The variables of a base script have its name: `Members/base.gd/hp`.
        variable.map_or(&self.name, |name| name.rsplit('/').next().unwrap_or(name))
    }

    fn is_variable(&self) -> bool {
        self.name.starts_with(MEMBERS)
    }

    /// Whether the property is a heading in the editor.
    pub(in crate::verbs::debug) fn is_heading(&self, dialect: Dialect) -> bool {
        let category = if dialect == Dialect::Godot4 { 128 } else { 256 };
        self.type_id == 0 && self.usage & category != 0
    }

    fn kind(&self, dialect: Dialect) -> Option<Kind> {
        let id = u8::try_from(self.type_id).ok()?;
        dialect.kind(id)
    }
}

/// An object of the game.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::verbs::debug) struct Object {
    pub(in crate::verbs::debug) id: i64,
    pub(in crate::verbs::debug) class: String,
    /// The facts about a node, then the variables of scripts by name, then the others in the order of the engine.
    pub(in crate::verbs::debug) properties: Vec<Property>,
}

impl Object {
    /// The node that a user names.
    pub(in crate::verbs::debug) fn named(
        wanted: &str,
        desk: &mut Desk<'_>,
        terminal: &mut Terminal<'_>,
    ) -> Result<Self, Failure> {
        let id = match id_of(wanted) {
            Some(id) => id,
            None => Nodes::of(desk, terminal)?.find(wanted)?.id,
        };
        Self::of(id, desk, terminal)
    }

    /// Copies an object from a message. Engines send the variables of scripts in the order of a hash.
    pub(in crate::verbs::debug) fn read(sent: &Sent<'_>) -> Self {
        let mut properties: Vec<_> = shown::sound(sent.properties.clone())
            .map(|property| Property {
                name: property.name.into_owned(),
                type_id: property.type_id,
                usage: property.usage,
                value: property.value.to_variant().unwrap_or_default(),
            })
            .collect();
        let is_first = |property: &Property| property.name.starts_with(NODE);
        properties.sort_by(|one, other| match (one.is_variable(), other.is_variable()) {
            (true, true) => one.name.cmp(&other.name),
            (one_is, other_is) => (is_first(other), other_is).cmp(&(is_first(one), one_is)),
        });
        Self { id: sent.id, class: sent.class.to_string(), properties }
    }

    /// Asks the game.
    pub(in crate::verbs::debug) fn of(
        id: i64,
        desk: &mut Desk<'_>,
        terminal: &mut Terminal<'_>,
    ) -> Result<Self, Failure> {
        let command = Command::InspectObject { id };
        let what = format!("the object {id}, which may not exist");
        let found = desk.ask(&command, &what, terminal, |message| match message {
            Message::InspectObject(None) => Some(None),
            Message::InspectObject(Some(object)) if object.id == id => {
                Some(Some(Self::read(object)))
            }
            Message::InspectObjects(objects) | Message::ObjectsSelected(objects) => {
                let mut objects = shown::sound(objects.clone());
                objects.find(|object| object.id == id).map(|object| Some(Self::read(&object)))
            }
            _ => None,
        })?;
        found.ok_or_else(|| Failure::invalid(format!("no object has the id {id}")))
    }

    /// The property at the beginning of a path, and the rest of the path.
    fn property<'p>(&self, path: &'p str) -> Result<(&Property, &'p str), Failure> {
        let is_named = |property: &&Property, name: &str| {
            property.name == name || property.shown_name() == name
        };
        let find = |name: &str| self.properties.iter().find(|property| is_named(property, name));
        let end = path.find(['.', '[', '{']).unwrap_or(path.len());
        let (first, rest) = path.split_at_checked(end).unwrap_or((path, ""));
        let found = find(path).map(|property| (property, ""));
        let found = found.or_else(|| find(first).map(|property| (property, rest)));
        found.ok_or_else(|| Failure::invalid(self.missing(first)))
    }

    fn missing(&self, name: &str) -> String {
        let none =
            format!("{} #{} has no property {}", neutral(&self.class), self.id, escaped(name));
        let distance = |other: &&str| strsim::damerau_levenshtein(other, name);
        let names = self.properties.iter().map(Property::shown_name);
        match names.filter(|other| other.len() <= 64).min_by_key(distance) {
            Some(near) if distance(&near) <= 2 => format!("{none}; {} is near", escaped(near)),
            _ => format!("{none}; debug inspect #{} lists them", self.id),
        }
    }

    fn to_json(&self, dialect: Dialect) -> Json {
        let properties = self.properties.iter();
        let properties = properties.filter(|property| !property.is_heading(dialect));
        let properties: Vec<_> =
            properties.map(|property| property_json(property, dialect)).collect();
        json!({ "type": "object", "id": self.id, "class": self.class, "properties": properties })
    }
}

fn property_json(property: &Property, dialect: Dialect) -> Json {
    json!({
        "name": property.name,
        "kind": property.kind(dialect).map(Kind::name),
        "value": shown::json(&Value::from(&property.value)),
    })
}

pub(super) fn inspect(
    args: &InspectArgs,
    desk: &mut Desk<'_>,
    terminal: &mut Terminal<'_>,
) -> Result<(), Failure> {
    let object = Object::named(&args.node, desk, terminal)?;
    let dialect = desk.dialect()?;
    if !args.properties.is_empty() {
        for path in &args.properties {
            print_path(path, &object, desk, terminal)?;
        }
        return Ok(());
    }
    if desk.log.is_json {
        return Ok(terminal.json(&object.to_json(dialect))?);
    }
    Ok(print(&object, dialect, terminal)?)
}

/// Prints the value at a path into a property.
fn print_path(
    path: &str,
    object: &Object,
    desk: &Desk<'_>,
    terminal: &mut Terminal<'_>,
) -> Result<(), Failure> {
    let dialect = desk.dialect()?;
    let (property, rest) = object.property(path)?;
    let value = at(&property.value, rest, dialect)?;
    let value = Value::from(&value);
    if desk.log.is_json {
        let value = shown::json(&value);
        return Ok(terminal.json(&json!({ "type": "property", "path": path, "value": value }))?);
    }
    let key = terminal.palette().key;
    let whole = shown::whole(&value, dialect);
    Ok(writeln!(terminal.out, "{key}{}{key:#} = {whole}", neutral(path))?)
}

/// The value at a path into a value.
pub(super) fn at(value: &Variant, path: &str, dialect: Dialect) -> Result<Variant, Failure> {
    let path = path.strip_prefix('.').unwrap_or(path);
    if path.is_empty() {
        return Ok(value.clone());
    }
    let bytes = encode(value, dialect).map_err(|error| Failure::invalid(error.to_string()))?;
    let found = look_up(Document::new(&bytes, options(dialect)), path).map_err(Failure::invalid)?;
    Variant::from_document(&found.document).map_err(|error| Failure::invalid(error.to_string()))
}

fn options(dialect: Dialect) -> Options {
    Options::from(dialect)
}

fn print(object: &Object, dialect: Dialect, terminal: &mut Terminal<'_>) -> io::Result<()> {
    let Palette { key, value, note, container, .. } = terminal.palette();
    let class = neutral(&object.class);
    writeln!(terminal.out, "{class} {note}#{}{note:#}", object.id)?;
    let mut is_in_members = false;
    for property in &object.properties {
        if property.is_heading(dialect) {
            writeln!(terminal.out, "{container}{}{container:#}", neutral(&property.name))?;
            continue;
        }
        if property.is_variable() && !std::mem::replace(&mut is_in_members, true) {
            writeln!(terminal.out, "{container}Members{container:#}")?;
        }
        let name = neutral(property.name.strip_prefix(MEMBERS).unwrap_or(&property.name));
        let text = one_line(&property.value, dialect);
        writeln!(terminal.out, "  {key}{name}{key:#}: {value}{text}{value:#}")?;
    }
    Ok(())
}

/// A value in a bounded number of characters.
pub(in crate::verbs::debug) fn one_line(value: &Variant, dialect: Dialect) -> String {
    let Ok(bytes) = encode(value, dialect) else { return value.kind().name().to_owned() };
    match Document::new(&bytes, options(dialect)).root() {
        Ok(view) => shown::short(&Value::from(view)),
        Err(_) => value.kind().name().to_owned(),
    }
}

pub(super) fn set(
    args: &SetNodeArgs,
    desk: &mut Desk<'_>,
    terminal: &mut Terminal<'_>,
) -> Result<(), Failure> {
    let object = Object::named(&args.node, desk, terminal)?;
    let dialect = desk.dialect()?;
    let (property, rest) = object.property(&args.property)?;
    let wanted = wanted(args, property, rest, dialect)?;
    let name = Cow::Borrowed(property.name.as_str());
    let value = Value::from(&wanted);
    desk.link.send(&Command::SetProperty { id: object.id, name, value })?;
    let after = Object::of(object.id, desk, terminal)?;
    let (property_after, _) = after.property(&property.name)?;
    let changed = [&property.value, &property_after.value].map(|value| at(value, rest, dialect));
    report(args, &changed.map(Result::unwrap_or_default), desk, terminal)?;
    // The text is compared, since the game may store a number in another width.
    let [is, should] =
        [&property_after.value, &wanted].map(|value| shown::whole(&Value::from(value), dialect));
    if is == should || property.value != property_after.value {
        return Ok(());
    }
    let why = "a setter may have refused it, or the type does not fit";
    Err(Failure::invalid(format!("{} did not change; {why}", escaped(&args.property))))
}

/// Prints the values before and after.
fn report(
    args: &SetNodeArgs,
    [before, after]: &[Variant; 2],
    desk: &Desk<'_>,
    terminal: &mut Terminal<'_>,
) -> Result<(), Failure> {
    if desk.log.is_json {
        let [before, after] = [before, after].map(|value| shown::json(&Value::from(value)));
        return Ok(terminal.json(&json!({
            "type": "set",
            "path": args.property,
            "before": before,
            "after": after,
        }))?);
    }
    let dialect = desk.dialect()?;
    let [before, after] = [before, after].map(|value| one_line(value, dialect));
    let key = terminal.palette().key;
    let name = neutral(&args.property);
    Ok(writeln!(terminal.out, "{key}{name}{key:#}: {before} -> {after}")?)
}

/// The value to send: the literal, or the property's value with the literal at the rest of the path.
fn wanted(
    args: &SetNodeArgs,
    property: &Property,
    rest: &str,
    dialect: Dialect,
) -> Result<Variant, Failure> {
    if property.kind(dialect) == Some(Kind::Object) {
        let how = "a debugger can send values, and no objects";
        return Err(Failure::invalid(format!(
            "{} holds an object; {how}",
            escaped(&property.name)
        )));
    }
    let value = if args.string {
        Variant::from(args.value.as_str())
    } else {
        literal(&args.value, dialect).map_err(|why| {
            let text = escaped(&args.value);
            Failure::usage(format!("{text} is not a value: {why}; --string takes text"))
        })?
    };
    let rest = rest.strip_prefix('.').unwrap_or(rest);
    if rest.is_empty() {
        return Ok(fitted(value, property.kind(dialect)));
    }
    let invalid = |why: String| Failure::invalid(format!("{}: {why}", escaped(&args.property)));
    let bytes = encode(&property.value, dialect).map_err(|error| invalid(error.to_string()))?;
    let mut draft = Draft::new(Plain::new(&bytes, Framing::Bare, options(dialect)));
    let edit = Edit { frame: None, path: rest.to_owned(), action: Action::Set(value) };
    draft.make(&edit).map_err(|error| invalid(error.to_string()))?;
    let document = Document::new(draft.bytes(), options(dialect));
    Variant::from_document(&document).map_err(|error| invalid(error.to_string()))
}

/// An integer for a property of floats is a float, as in scripts.
fn fitted(value: Variant, kind: Option<Kind>) -> Variant {
    match (kind, value.as_i64()) {
        (Some(Kind::Float), Some(number)) => {
            i32::try_from(number).map_or(value, |number| f64::from(number).into())
        }
        _ => value,
    }
}
