//! Folders whose names consist of a key and a value: `day=2024-06-01`.

use std::borrow::Cow;

/// The value of the folder `KEY=VALUE` in the name of a file. Neither `key` nor the result has percent-encoding.
pub(crate) fn folder<'f>(file: &'f str, key: &str) -> Option<Cow<'f, str>> {
    let value = folders(file).find_map(|(found, value)| (found == key).then_some(value))?;
    (value != NULL).then(|| decoded(value))
}

/// The keys of the folders in the name of a file, without percent-encoding.
pub(crate) fn keys(file: &str) -> impl Iterator<Item = Cow<'_, str>> {
    folders(file).map(|(key, _)| key)
}

/// The value by which Hive writes null.
const NULL: &str = "__HIVE_DEFAULT_PARTITION__";

fn folders(file: &str) -> impl Iterator<Item = (Cow<'_, str>, &str)> {
    let folders =
        file.rsplit_once(['/', std::path::MAIN_SEPARATOR]).map_or("", |(folders, _)| folders);
    let pairs =
        folders.split(['/', std::path::MAIN_SEPARATOR]).filter_map(|folder| folder.split_once('='));
    pairs.map(|(key, value)| (decoded(key), value))
}

/// The text without percent-encoding such as `%41`. An invalid escape is not changed.
fn decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return text.into();
    }
    let (mut bytes, mut rest) = (Vec::new(), text);
    while let Some((before, after)) = rest.split_once('%') {
        bytes.extend_from_slice(before.as_bytes());
        let byte = after.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(byte.unwrap_or(b'%'));
        rest = if byte.is_some() { after.get(2..).unwrap_or_default() } else { after };
    }
    bytes.extend_from_slice(rest.as_bytes());
    String::from_utf8(bytes).map_or_else(|_| text.into(), Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_have_values() {
        for (file, value) in [
            ("saves/day=1/a.sav", Some("1")),
            ("s3://bucket/kind=x/day=a%2Fb%zz/a.sav", Some("a/b%zz")),
            ("day=/a=b.sav", Some("")),
            ("day=__HIVE_DEFAULT_PARTITION__/a.sav", None),
            ("day=1", None),
            ("days=1/a.sav", None),
        ] {
            assert_eq!(folder(file, "day").as_deref(), value, "{file}");
        }
        assert_eq!(keys("a=1/b/c=d=e/f=g").collect::<Vec<_>>(), ["a", "c"]);
        // `Partitions` writes keys percent-encoded.
        let encoded = "gr%C3%B6%C3%9Fe=1/items%5B%2A%5D.kind=a%2520b/100%=x/a.sav";
        assert_eq!(keys(encoded).collect::<Vec<_>>(), ["größe", "items[*].kind", "100%"]);
        for (key, value) in [("größe", "1"), ("items[*].kind", "a%20b"), ("100%", "x")] {
            assert_eq!(folder(encoded, key).as_deref(), Some(value));
        }
    }
}
