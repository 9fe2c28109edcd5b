//! Numbers and plurals for messages.

use std::fmt::Display;

/// `n` with thousands separators: `1,000`.
pub fn grouped(n: impl Display) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && digits.len().saturating_sub(i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `n` and a noun, in the plural if needed: `2 bytes`.
pub fn counted(n: impl Display, noun: &str) -> String {
    let plural = match (n.to_string().as_str(), noun.strip_suffix('y')) {
        ("1", _) => noun.to_owned(),
        (_, Some(stem)) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ => format!("{noun}s"),
    };
    format!("{} {plural}", grouped(n))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_have_separators() {
        for (n, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(n), text);
        }
    }

    #[test]
    fn nouns_agree() {
        assert_eq!(counted(1, "byte"), "1 byte");
        assert_eq!(counted(9990, "property"), "9,990 properties");
        assert_eq!(counted(0, "key"), "0 keys");
    }
}
