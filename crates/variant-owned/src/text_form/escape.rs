//! Escapes characters of texts.

use std::fmt::{self, Write};

use variant_view::is_invisible;

use super::style::Style;
use super::{NumberStyle, TextOptions, TextStyle};

/// The context of a text.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Place {
    /// A `String`, or the name of a class or property: line breaks and tabs are not escaped.
    Lines,
    /// A `StringName`, a path, or a text of a packed array.
    Symbol,
}

/// Writes a text without quotes.
pub(super) fn write(
    out: &mut impl Write,
    text: &str,
    place: Place,
    options: TextOptions,
) -> fmt::Result {
    let escape = |c| match options.numbers {
        NumberStyle::Exact => exact(c, place, options.style),
        NumberStyle::Engine => engine(c, place, options.style.of()),
    };
    let mut rest = text;
    while let Some(at) = rest.find(|c| escape(c) != Escape::None) {
        let (plain, special) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.write_str(plain)?;
        let mut chars = special.chars();
        if let Some(c) = chars.next() {
            escape(c).write(c, out)?;
        }
        rest = chars.as_str();
    }
    out.write_str(rest)
}

/// Adds a character, escaped by its number if it is invisible.
pub(super) fn push_visible(out: &mut String, c: char) {
    let escape = if is_invisible(c) { Escape::Number } else { Escape::None };
    // Writing to a `String` cannot fail.
    let _ = escape.write(c, out);
}

#[derive(Clone, Copy, PartialEq)]
enum Escape {
    None,
    /// A backslash and this character.
    Letter(char),
    /// The number of the character: `\u202e`, `\U0e0041`.
    Number,
}

impl Escape {
    fn write(self, c: char, out: &mut impl Write) -> fmt::Result {
        match self {
            Self::None => out.write_char(c),
            Self::Letter(letter) => write!(out, "\\{letter}"),
            Self::Number if c > '\u{ffff}' => write!(out, "\\U{:06x}", u32::from(c)),
            Self::Number => write!(out, "\\u{:04x}", u32::from(c)),
        }
    }
}

/// Chooses the escape of a character. Uses only escapes that the parsers of all engines read, so neither `\a` nor `\v`.
/// Only Godot 4 reads escapes beyond U+FFFF, so other styles leave such invisible characters unescaped.
fn exact(c: char, place: Place, style: TextStyle) -> Escape {
    match c {
        '"' | '\\' => Escape::Letter(c),
        '\n' | '\t' if place == Place::Lines => Escape::None,
        '\n' => Escape::Letter('n'),
        '\t' => Escape::Letter('t'),
        '\r' => Escape::Letter('r'),
        _ if c > '\u{ffff}' && style != TextStyle::Godot4 => Escape::None,
        _ if is_invisible(c) => Escape::Number,
        _ => Escape::None,
    }
}

fn engine(c: char, place: Place, style: &Style) -> Escape {
    let letter = match c {
        '"' | '\\' => c,
        _ if place == Place::Lines => return Escape::None,
        '\x07' => 'a',
        '\x08' => 'b',
        '\x0c' => 'f',
        '\n' => 'n',
        '\r' => 'r',
        '\t' => 't',
        '\x0b' => 'v',
        '\'' => c,
        '?' if style.escapes_question_marks => c,
        _ => return Escape::None,
    };
    Escape::Letter(letter)
}

#[cfg(test)]
mod tests {
    use super::super::TextStyle;
    use super::*;

    fn escaped(text: &str, place: Place, options: TextOptions) -> String {
        let mut out = String::new();
        write(&mut out, text, place, options).unwrap();
        out
    }

    #[test]
    fn what_is_hidden_is_shown() {
        let text =
            "a\n\t\r\u{1b}]0;\u{7}\u{9b}\u{7f}\u{202e}\u{2066}\u{200b}\u{2028}\u{feff}é?'\"\\\0";
        let tail = r#"\u001b]0;\u0007\u009b\u007f\u202e\u2066\u200b\u2028\ufeffé?'\"\\\u0000"#;
        for style in [TextStyle::Godot3, TextStyle::Godot4, TextStyle::Pandemonium] {
            let options = TextOptions::new(style);
            assert_eq!(escaped(text, Place::Lines, options), format!("a\n\t\\r{tail}"));
            assert_eq!(escaped(text, Place::Symbol, options), format!("a\\n\\t\\r{tail}"));
        }
    }

    #[test]
    fn what_is_invisible_is_shown_where_there_is_a_way_to_read_it() {
        for c in ('\0'..=char::MAX).filter(|&c| is_invisible(c) && c != '\n' && c != '\t') {
            for (style, is_old) in [(TextStyle::Godot4, false), (TextStyle::Godot3, true)] {
                let text = escaped(&c.to_string(), Place::Lines, TextOptions::new(style));
                assert_eq!(text.starts_with('\\'), c <= '\u{ffff}' || !is_old, "{c:?}: {text}");
            }
        }
        let text = escaped("\u{e0041}", Place::Symbol, TextOptions::new(TextStyle::Godot4));
        assert_eq!(text, "\\U0e0041");
    }

    #[test]
    fn engines_escape_as_c_does() {
        let text = "\u{1b}\u{7}\u{b}\u{202e}?'\"\\\n";
        for (style, expected) in [
            (TextStyle::Godot4, "\u{1b}\\a\\v\u{202e}?\\'\\\"\\\\\\n"),
            (TextStyle::Godot3, "\u{1b}\\a\\v\u{202e}\\?\\'\\\"\\\\\\n"),
        ] {
            let options = TextOptions::new(style).numbers(NumberStyle::Engine);
            assert_eq!(escaped(text, Place::Symbol, options), expected);
            let lines = text.replace('\\', "\\\\").replace('"', "\\\"");
            assert_eq!(escaped(text, Place::Lines, options), lines);
        }
    }
}
