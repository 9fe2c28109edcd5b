//! The dictionary of `fuzz/variant.dict`: meaningful words for libFuzzer and AFL++.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use variant_owned::{TextOptions, TextStyle, to_text};
use variant_view::{Dialect, Kind};

use crate::table::sample;

/// Makes the dictionary from the tables of the dialects.
pub fn dictionary() -> String {
    let mut out = String::from(
        "# Words of serialized Variants and of their text forms.\n\
         # Made by: cargo run -p variant-testkit --bin spec\n",
    );
    section(&mut out, "headers", headers());
    section(&mut out, "lengths and counts", lengths());
    section(&mut out, "texts and magics", texts());
    section(&mut out, "literals of scripts", literals());
    section(&mut out, "JSON", json());
    out
}

/// The words, and the name of each.
type Words = BTreeMap<Vec<u8>, String>;

fn section(out: &mut String, title: &str, words: Words) {
    // Writing to a string cannot fail.
    let _ = write!(out, "\n# {title}\n");
    for (word, name) in words {
        let _ = write!(out, "{name}=\"");
        for byte in word {
            let _ = match byte {
                b'"' | b'\\' => write!(out, "\\{}", char::from(byte)),
                b' '..=b'~' => write!(out, "{}", char::from(byte)),
                _ => write!(out, "\\x{byte:02x}"),
            };
        }
        out.push_str("\"\n");
    }
}

/// Headers for each id: one without flags, and one with each meaningful flag of a kind with this id.
fn headers() -> Words {
    let mut words = Words::new();
    for &dialect in Dialect::ALL {
        for &kind in dialect.kinds() {
            let Some(id) = dialect.id(kind) else { continue };
            for flags in flags(kind) {
                let word = u32::from(id) | flags << 16;
                let name = format!("{}_{}_{flags}", dialect.name(), kind.name().to_lowercase());
                words.entry(word.to_le_bytes().to_vec()).or_insert(name);
            }
        }
    }
    words
}

/// The values of the high half of the header for a kind (docs/spec/format.md#header).
fn flags(kind: Kind) -> std::ops::RangeInclusive<u32> {
    match kind {
        Kind::Nil | Kind::Bool | Kind::String | Kind::StringName => 0..=0,
        Kind::Array => 0..=3,
        Kind::Dictionary => 0..=15,
        _ => 0..=1,
    }
}

fn lengths() -> Words {
    let signs = (0..3).map(|more| (1 << 31) + more);
    let greatest = [0, 3].into_iter().flat_map(|less| [(u32::MAX >> 1) - less, u32::MAX - less]);
    let numbers = [1, 2, 3, 4, 5, 8].into_iter().chain(signs).chain(greatest);
    numbers.map(|number| (number.to_le_bytes().to_vec(), format!("word_{number:x}"))).collect()
}

fn texts() -> Words {
    let words: [(&[u8], &str); 12] = [
        (b"\x01\0\0\0a\0\0\0", "text_of_one"),
        (b"\x04\0\0\0abcd", "text_of_four"),
        (b"\x05\0\0\0abcde\0\0\0", "text_of_five"),
        (b"\0\0\0\x80\0\0\0\0\0\0\0\0", "path_of_nothing"),
        (b"\xef\xbb\xbf", "byte_order_mark"),
        (b"\xc3\xa5", "two_byte_sequence"),
        (b"\xed\xa0\x80", "surrogate"),
        (b"\xfd\xbf\xbf\xbf\xbf\xbf", "six_byte_sequence"),
        (b"GCPF", "compressed_file"),
        (b"GDEC", "encrypted_file"),
        (b"ECFG", "project_settings"),
        (b"script", "script_property"),
    ];
    words.map(|(word, name)| (word.to_vec(), name.to_owned())).into()
}

/// The start of a literal of each kind, in each style.
fn literals() -> Words {
    let mut words = Words::new();
    for &style in TextStyle::ALL {
        for &kind in Kind::ALL {
            let literal = to_text(&sample(kind), &TextOptions::new(style));
            let word = literal.split_inclusive('(').next().unwrap_or_default();
            let name = format!("{style:?}_{kind}_literal").to_lowercase();
            words.entry(word.as_bytes().to_vec()).or_insert(name);
        }
    }
    words
}

fn json() -> Words {
    let mut words = Words::new();
    for &kind in Kind::ALL {
        let name = kind.name();
        words.insert(
            format!("{{\"t\":\"{name}\",\"v\":").into(),
            format!("json_{}", name.to_lowercase()),
        );
    }
    for (word, name) in [
        ("\"w\":64", "json_wide"),
        ("\"i:1\"", "json_native_int"),
        ("\"f:1.0\"", "json_native_float"),
        ("\"s:a\"", "json_native_string"),
        ("\"type\":", "json_native_type"),
        ("\"args\":[", "json_native_args"),
    ] {
        words.insert(word.into(), name.to_owned());
    }
    words
}
