//! The text form of columns: `NAME=WHAT:TYPE`.

use std::fmt;
use std::str::FromStr;

use variant_document::query::Query;

use super::{Column, Fold, Meta, PathText, What};
use crate::error::TableError;

impl FromStr for Column {
    type Err = TableError;

    /// Reads a column from its text form. O(bytes).
    ///
    /// # Errors
    /// An invalid path or type, or a function over the values (such as `sum`) that does not fit its path.
    fn from_str(text: &str) -> Result<Self, TableError> {
        let invalid = |why: String| TableError::Column { column: text.trim().to_owned(), why };
        let (name, rest) = match outside(text, '=').first() {
            Some(&at) => (Some(split(text, at)), behind(text, at)),
            None => (None, text),
        };
        let (what, of) = match outside(rest, ':').last() {
            Some(&at) => (split(rest, at), Some(behind(rest, at).trim())),
            None => (rest, None),
        };
        let what = what.trim();
        let parsed = self::what(what).map_err(invalid)?;
        let of = of.map(str::parse).transpose();
        let of = of.map_err(|error: crate::column_type::UnknownType| invalid(error.to_string()))?;
        if let (What::Meta(_) | What::Folder(_), Some(_)) = (&parsed, &of) {
            return Err(invalid(format!("{parsed} has a fixed type")));
        }
        let name = name.map(|name| unquoted(name.trim()));
        let name = name.unwrap_or(what).to_owned();
        if name.is_empty() {
            return Err(invalid("the root needs a name, such as `save=`".to_owned()));
        }
        Ok(Self { name, what: parsed, of })
    }
}

/// Reads the part `WHAT` of `NAME=WHAT:TYPE`: the content of a column.
fn what(text: &str) -> Result<What, String> {
    if let Some(meta) = Meta::ALL.into_iter().find(|meta| meta.name() == text) {
        return Ok(What::Meta(meta));
    }
    let call = text.strip_suffix(')').and_then(|text| text.split_once('('));
    if let Some(("folder", key)) = call {
        return Ok(What::Folder(unquoted(key.trim()).to_owned()));
    }
    let fold = call.and_then(|(name, inner)| {
        Fold::ALL
            .into_iter()
            .find(|fold| fold.name() == name.trim())
            .map(|fold| (fold, inner.trim()))
    });
    let path = |text: &str| {
        let query = Query::parse(text)?;
        Ok::<_, String>(PathText { text: text.to_owned(), query })
    };
    let Some((fold, inner)) = fold else {
        let path = path(text)?;
        let is_deep = path.query.is_deep();
        return Ok(if is_deep { What::Fold(Fold::List, path) } else { What::Value(path) });
    };
    let path = path(inner)?;
    if fold == Fold::Key && (path.query.is_deep() || !path.query.selects_many()) {
        return Err("key() is about items that make rows, as in key(players.*)".to_owned());
    }
    Ok(What::Fold(fold, path))
}

/// The offsets of a character outside of brackets and quotes.
pub(crate) fn outside(text: &str, wanted: char) -> Vec<usize> {
    let (mut places, mut open, mut quote) = (Vec::new(), 0_u32, None);
    for (at, c) in text.char_indices() {
        match (c, quote) {
            (c, Some(end)) => quote = quote.filter(|_| c != end),
            ('"' | '\'', None) => quote = Some(c),
            ('[' | '{' | '(' | '<', None) => open = open.saturating_add(1),
            (']' | '}' | ')' | '>', None) => open = open.saturating_sub(1),
            (c, None) if c == wanted && open == 0 => places.push(at),
            _ => {}
        }
    }
    places
}

fn split(text: &str, at: usize) -> &str {
    text.get(..at).unwrap_or_default()
}

fn behind(text: &str, at: usize) -> &str {
    text.get(at.saturating_add(1)..).unwrap_or_default()
}

fn unquoted(name: &str) -> &str {
    ['"', '\'']
        .into_iter()
        .find_map(|quote| name.strip_prefix(quote)?.strip_suffix(quote))
        .unwrap_or(name)
}

/// Writes a name. Puts it in quotes if it would otherwise be read differently.
pub(super) fn write_name(f: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
    let is_plain = !name.contains(['=', '"', '\'', '[', '{', '(', '<', ']', '}', ')', '>'])
        && name.trim() == name;
    match (is_plain, name.contains('"')) {
        (true, _) => f.write_str(name),
        (false, false) => write!(f, "\"{name}\""),
        (false, true) => write!(f, "'{name}'"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column_type::ColumnType;

    #[test]
    fn columns_are_read_as_they_are_written() {
        for (text, name, path, of) in [
            ("player.hp", "player.hp", Some("player.hp"), None),
            ("hp=player.hp:int", "hp", Some("player.hp"), Some("int")),
            ("items[2:5].id:list<int>", "items[2:5].id", Some("items[2:5].id"), Some("list<int>")),
            ("poor=items[?hp==3].id", "poor", Some("items[?hp==3].id"), None),
            ("x=[\"a:b=c\"]:text", "x", Some("[\"a:b=c\"]"), Some("text")),
            ("\"a=b\"=x", "a=b", Some("x"), None),
            ("sum(..gold):int", "sum(..gold)", Some("..gold"), Some("int")),
            ("key(players.*)", "key(players.*)", Some("players.*"), None),
            ("k={2:key}", "k", Some("{2:key}"), None),
            ("save=", "save", Some(""), None),
            ("_file", "_file", None, None),
            ("from=_file", "from", None, None),
            ("day=folder(day)", "day", None, None),
            ("\"a):b\"=folder(\"a):b\")", "a):b", None, None),
            ("d=folder('a\"b')", "d", None, None),
            ("d=folder(\" day \")", "d", None, None),
        ] {
            let column: Column = text.parse().unwrap();
            let given = column.column_type().map(ColumnType::to_string);
            assert_eq!(
                (column.name(), column.path(), given.as_deref()),
                (name, path, of),
                "{text}"
            );
            assert_eq!(column.to_string(), text);
            assert_eq!(column.to_string().parse::<Column>().unwrap(), column);
        }
        let deep: Column = "..gold".parse().unwrap();
        assert_eq!(deep.fold(), Some(Fold::List));
        assert_eq!(deep.to_string().parse::<Column>().unwrap(), deep);
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, why) in [
            ("hp=player..:int", "syntax error"),
            ("hp:number", "no type of a column"),
            ("_file:text", "a fixed type"),
            ("folder(day):int", "folder(day) has a fixed type"),
            ("key(player)", "items that make rows"),
            (":int", "needs a name"),
        ] {
            let error = text.parse::<Column>().unwrap_err().to_string();
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
