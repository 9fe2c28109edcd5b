//! Reads a file of steps.

use std::collections::BTreeMap;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};
use variant_view::Dialect;

use super::chain::{Chain, Link};
use super::error::{MigrationError, Spots};
use super::retype::{Retype, Rule, Target};
use super::step::{Action, Literal, Place, Step};
use super::version::Version;
use super::{Frame, Migration};
use crate::edit::literal;
use crate::query::{Query, Step as PathStep};

/// The maximum number of nested `map` steps.
const MOST_MAPS: u32 = 16;

/// The kinds of steps, and the keys that a step of each kind may have. A step of any kind also has the name of its kind
/// as a key, and may have the keys `if` and `optional`.
const FORMS: [(&str, &[&str]); 11] = [
    ("rename", &["to"]),
    ("move", &["to"]),
    ("delete", &[]),
    ("default", &["value"]),
    ("set", &["value"]),
    ("retype", &["to", "rule", "by", "values"]),
    ("split", &["by", "into"]),
    ("join", &["by", "into"]),
    ("map", &["steps"]),
    ("wrap", &["key"]),
    ("unwrap", &["key"]),
];

type Value<'t> = Spanned<DeValue<'t>>;
type Fault = (Range<usize>, String);

pub(super) fn migration(text: &str, name: &str) -> Result<Migration, MigrationError> {
    let failed =
        |(span, why): Fault| MigrationError::at(name, Spots::new(text).at(span.start), why);
    let file = DeTable::parse(text)
        .map_err(|error| failed((error.span().unwrap_or_default(), error.message().to_owned())))?;
    let reader = Reader { spots: Spots::new(text) };
    reader.file(name, &file).map_err(failed)
}

struct Reader<'t> {
    spots: Spots<'t>,
}

/// A TOML table whose keys are read by name.
struct Fields<'f, 't> {
    table: &'f DeTable<'t>,
    span: Range<usize>,
}

impl<'f, 't> Fields<'f, 't> {
    fn of(value: &'f Value<'t>, what: &str) -> Result<Self, Fault> {
        match value.get_ref() {
            DeValue::Table(table) => Ok(Self { table, span: value.span() }),
            _ => Err((value.span(), format!("expected a table for {what}"))),
        }
    }

    fn get(&self, key: &str) -> Option<&'f Value<'t>> {
        self.table.get(key)
    }

    fn need(&self, key: &str) -> Result<&'f Value<'t>, Fault> {
        self.get(key).ok_or_else(|| (self.span.clone(), format!("the key `{key}` is missing")))
    }

    fn text(&self, key: &str) -> Result<Option<&'f str>, Fault> {
        self.get(key).map(|value| text(value, key)).transpose()
    }

    fn need_text(&self, key: &str) -> Result<&'f str, Fault> {
        text(self.need(key)?, key)
    }

    /// Refuses keys other than these.
    fn only(&self, known: &[&str]) -> Result<(), Fault> {
        match self.table.keys().find(|key| !known.contains(&key.get_ref().as_ref())) {
            None => Ok(()),
            Some(key) => {
                let known = known.join(", ");
                let why = format!("the key `{}` is unknown here; known: {known}", key.get_ref());
                Err((key.span(), why))
            }
        }
    }
}

impl Reader<'_> {
    fn file(&self, name: &str, file: &Spanned<DeTable<'_>>) -> Result<Migration, Fault> {
        let fields = Fields { table: file.get_ref(), span: 0..0 };
        fields.only(&["version", "default", "frame", "migration"])?;
        let field = query(fields.need("version")?, "version")?;
        if !is_of_keys(&field) {
            let why = "the path of the version must have keys only, such as meta.version";
            return Err((fields.need("version")?.span(), why.to_owned()));
        }
        let links = list(fields.need("migration")?, "migration")?;
        let read: Vec<_> = links.iter().map(|link| self.link(link)).collect::<Result<_, _>>()?;
        let chain = Chain::of(read).map_err(|(at, why)| {
            let link = links.get(at).or(links.first());
            (link.map_or(0..0, Spanned::span), why)
        })?;
        let default = fields.get("default").map(version).transpose()?;
        if let (Some(default), Some(value)) = (&default, fields.get("default"))
            && !chain.versions().any(|version| version == default)
        {
            return Err((value.span(), chain.unknown(default)));
        }
        Ok(Migration {
            name: name.to_owned(),
            field_text: fields.need_text("version")?.to_owned(),
            field,
            default,
            frame: fields.get("frame").map(frame).transpose()?,
            chain,
        })
    }

    fn link(&self, value: &Value<'_>) -> Result<Link, Fault> {
        let fields = Fields::of(value, "a migration")?;
        fields.only(&["from", "to", "schema", "steps"])?;
        let (from, to) = (version(fields.need("from")?)?, version(fields.need("to")?)?);
        if from == to {
            return Err((
                fields.need("to")?.span(),
                format!("the migration leads from {from} to {to}"),
            ));
        }
        let schema = fields.text("schema")?.map(str::to_owned);
        let steps = fields.get("steps").map_or(Ok(Vec::new()), |steps| self.steps(steps, 0))?;
        Ok(Link { from, to, schema, steps })
    }

    fn steps(&self, value: &Value<'_>, maps: u32) -> Result<Vec<Step>, Fault> {
        if maps > MOST_MAPS {
            return Err((value.span(), format!("steps are in more than {MOST_MAPS} maps")));
        }
        list(value, "steps")?.iter().map(|step| self.step(step, maps)).collect()
    }

    fn step(&self, value: &Value<'_>, maps: u32) -> Result<Step, Fault> {
        let fields = Fields::of(value, "a step")?;
        let mut forms = FORMS.iter().filter(|(name, _)| fields.get(name).is_some());
        let (Some((name, keys)), None) = (forms.next(), forms.next()) else {
            let names: Vec<_> = FORMS.iter().map(|(name, _)| *name).collect();
            let why = format!("expected one kind of step: {}", names.join(", "));
            return Err((fields.span, why));
        };
        let known: Vec<_> = [*name, "if", "optional"].iter().chain(*keys).copied().collect();
        fields.only(&known)?;
        // Before the place of a step inside it, so that places are counted in the order of the text.
        let spot = self.spots.at(fields.span.start);
        let action = self.action(name, &fields, maps)?;
        let condition = fields.get("if").map(|value| query(value, "if")).transpose()?;
        let is_optional = match fields.get("optional").map(|value| (value.get_ref(), value)) {
            None => false,
            Some((DeValue::Boolean(is_optional), _)) => *is_optional,
            Some((_, value)) => return Err((value.span(), "expected true or false".to_owned())),
        };
        Ok(Step { spot, name, path: path_of(name, &fields)?, action, condition, is_optional })
    }

    fn action(&self, name: &str, fields: &Fields<'_, '_>, maps: u32) -> Result<Action, Fault> {
        let query = || query(fields.need(name)?, name);
        Ok(match name {
            "rename" => Action::Rename { query: query()?, to: fields.need_text("to")?.to_owned() },
            "move" => Action::Move { query: query()?, to: plain_place(fields.need("to")?)? },
            "delete" => Action::Delete { query: query()? },
            "default" => Action::Default {
                to: place(fields.need(name)?)?,
                value: value_of(fields.need("value")?)?,
            },
            "set" => {
                let value = value_of(fields.need("value")?)?;
                match place(fields.need(name)?) {
                    Ok(to) => Action::Set { to, value },
                    Err(_) => Action::SetAll { query: query()?, value },
                }
            }
            "retype" => Action::Retype { query: query()?, how: retype(fields)? },
            "split" => Action::Split {
                query: query()?,
                by: separator(fields)?,
                into: texts(fields.need("into")?, "into")?,
            },
            "join" => Action::Join {
                to: place(fields.need("into")?)?,
                by: fields.need_text("by")?.to_owned(),
                keys: texts(fields.need(name)?, name)?,
            },
            "map" => {
                let steps = self.steps(fields.need("steps")?, maps.saturating_add(1))?;
                Action::Map { query: query()?, steps }
            }
            "wrap" => Action::Wrap { query: query()?, key: fields.need_text("key")?.to_owned() },
            _ => Action::Unwrap { query: query()?, key: fields.need_text("key")?.to_owned() },
        })
    }
}

/// The path of a step, for messages. The path of a `join` is that of its first text.
fn path_of(name: &str, fields: &Fields<'_, '_>) -> Result<String, Fault> {
    if name != "join" {
        return fields.need_text(name).map(str::to_owned);
    }
    let into = fields.need_text("into")?;
    let parent = Query::split_last(into).map_or("", |(parent, _)| parent);
    let first = texts(fields.need(name)?, name)?.into_iter().next().unwrap_or_default();
    Ok(if parent.is_empty() { first } else { format!("{parent}.{first}") })
}

fn retype(fields: &Fields<'_, '_>) -> Result<Retype, Fault> {
    let to = fields.need("to")?;
    let target = text(to, "to")?;
    let target = Target::parse(target).ok_or_else(|| {
        (
            to.span(),
            format!("`{target}` is not a kind; expected one such as int, String or Array[int]"),
        )
    })?;
    let rule = fields.get("rule").map_or(Ok(Rule::Exact), |value| {
        let name = text(value, "rule")?;
        let found = Rule::ALL.iter().find(|(own, _)| *own == name).map(|(_, rule)| *rule);
        let names = Rule::ALL.map(|(name, _)| name).join(", ");
        found.ok_or_else(|| {
            (value.span(), format!("`{name}` is not a rule; expected one of {names}"))
        })
    })?;
    let by = fields.text("by")?.map(str::to_owned);
    let values = fields.get("values").map(listed_values).transpose()?;
    Ok(Retype { to: target, rule, by, values })
}

fn listed_values(value: &Value<'_>) -> Result<BTreeMap<String, String>, Fault> {
    let fields = Fields::of(value, "values")?;
    let pair = |(key, value): (&Spanned<_>, &Value<'_>)| {
        let key: &str = std::borrow::Borrow::<str>::borrow(key);
        let literal = match value_of(value)? {
            Literal::Text(text) => text,
            Literal::Value(value) => value.to_string(),
        };
        Ok((key.to_owned(), literal))
    };
    fields.table.iter().map(pair).collect()
}

/// The separator of `split`, which must not be empty.
fn separator(fields: &Fields<'_, '_>) -> Result<String, Fault> {
    let by = fields.need("by")?;
    match text(by, "by")? {
        "" => Err((by.span(), "the separator is empty".to_owned())),
        text => Ok(text.to_owned()),
    }
}

fn text<'f>(value: &'f Value<'_>, key: &str) -> Result<&'f str, Fault> {
    let text = value.get_ref().as_str();
    text.ok_or_else(|| (value.span(), format!("expected a text for `{key}`")))
}

fn list<'f, 't>(value: &'f Value<'t>, key: &str) -> Result<&'f [Value<'t>], Fault> {
    match value.get_ref() {
        DeValue::Array(list) => Ok(list),
        _ => Err((value.span(), format!("expected a list for `{key}`"))),
    }
}

fn texts(value: &Value<'_>, key: &str) -> Result<Vec<String>, Fault> {
    let list = list(value, key)?;
    if list.is_empty() {
        return Err((value.span(), format!("the list `{key}` is empty")));
    }
    list.iter().map(|value| text(value, key).map(str::to_owned)).collect()
}

/// A path whose values can be changed.
fn query(value: &Value<'_>, key: &str) -> Result<Query, Fault> {
    let path = text(value, key)?;
    let query = Query::parse(path).map_err(|why| (value.span(), format!("{path}: {why}")))?;
    if query.has_keys_or_bytes() {
        let why = "a step needs the path of a value: not of a key, and not a byte offset";
        return Err((value.span(), format!("{path}: {why}")));
    }
    Ok(query)
}

/// The place of a value that may be new: a path that ends with a key or an index.
fn place(value: &Value<'_>) -> Result<Place, Fault> {
    let path = text(value, "path")?;
    let refused = |why: String| (value.span(), format!("{path}: {why}"));
    query(value, "path")?;
    let (parent, last) = Query::split_last(path).map_err(refused)?;
    let last = Query::parse(last).map_err(refused)?.into_step();
    let last = last.filter(|step| step.to_key().is_some());
    let last =
        last.ok_or_else(|| refused("the path must end with a key or an index".to_owned()))?;
    Ok(Place { parent: Query::parse(parent).map_err(refused)?, last })
}

/// A [`place`] whose path leads to only one container.
fn plain_place(value: &Value<'_>) -> Result<Place, Fault> {
    let place = place(value)?;
    if is_of_keys(&place.parent) {
        return Ok(place);
    }
    Err((value.span(), "the path must lead to one place, by keys and indices".to_owned()))
}

/// Whether all steps of a path are keys or indices.
fn is_of_keys(query: &Query) -> bool {
    query.steps().iter().all(|step: &PathStep| step.to_key().is_some())
}

/// A literal in a text of the file, or a number or a boolean of the file.
fn value_of(value: &Value<'_>) -> Result<Literal, Fault> {
    match value.get_ref() {
        DeValue::String(text) => {
            let how = "text needs quotes, such as '\"like this\"'";
            literal(text, Dialect::Godot4)
                .map_err(|why| (value.span(), format!("the literal {text}: {why}; {how}")))?;
            Ok(Literal::Text(text.clone().into_owned()))
        }
        DeValue::Boolean(value) => Ok(Literal::Value((*value).into())),
        DeValue::Integer(_) => Ok(Literal::Value(number(value)?.into())),
        DeValue::Float(float) => {
            let number = float.as_str().parse::<f64>();
            number.map(|number| Literal::Value(number.into())).map_err(|_| unread(value))
        }
        _ => Err((value.span(), "expected a literal as text, a number, true or false".to_owned())),
    }
}

fn version(value: &Value<'_>) -> Result<Version, Fault> {
    match value.get_ref() {
        DeValue::String(text) => Ok(Version::Text(text.clone().into_owned())),
        DeValue::Integer(_) => number(value).map(Version::Number),
        _ => Err((value.span(), "a version is a whole number or a text".to_owned())),
    }
}

fn frame(value: &Value<'_>) -> Result<Frame, Fault> {
    match value.get_ref() {
        DeValue::String(text) if text == "all" => Ok(Frame::All),
        DeValue::Integer(_) => match u64::try_from(number(value)?) {
            Ok(number @ 1..) => Ok(Frame::Number(number)),
            _ => Err((value.span(), "frames count from 1".to_owned())),
        },
        _ => Err((value.span(), "expected \"all\" or the number of a frame".to_owned())),
    }
}

fn number(value: &Value<'_>) -> Result<i64, Fault> {
    let DeValue::Integer(number) = value.get_ref() else { return Err(unread(value)) };
    i64::from_str_radix(number.as_str(), number.radix()).map_err(|_| unread(value))
}

fn unread(value: &Value<'_>) -> Fault {
    (value.span(), "the number is too large".to_owned())
}
