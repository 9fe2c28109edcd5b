//! Recognises what is no serialized Variant, by its first bytes, and says what to do with it.

/// What starts with these bytes, and what to try. No frame starts with them either: read as a length
/// word they are not a multiple of 4, or beyond a gigabyte.
const MAGICS: [(&[u8], &str); 12] = [
    (b"RSRC", "a binary resource of Godot (.res, .scn), which is another format"),
    (b"GDPC", "a pack of Godot (.pck); take the file in question out of it first"),
    (b"\x89PNG\r\n\x1a\n", "a PNG image, not a serialized Variant; look for another file"),
    (b"\xff\xd8\xff", "a JPEG image, not a serialized Variant; look for another file"),
    (b"OggS", "an Ogg sound, not a serialized Variant; look for another file"),
    (b"RIFF", "a WAV or WebP file, not a serialized Variant; look for another file"),
    (b"%PDF", "a PDF document, not a serialized Variant; look for another file"),
    (b"\x7fELF", "a program, not a serialized Variant; look for another file"),
    (b"SQLite format 3\0", "an SQLite database, not a serialized Variant; try sqlite3"),
    (b"PK\x03\x04", "a ZIP archive; take the file in question out of it first"),
    (b"\x1f\x8b\x08", "compressed by gzip; try: gzip -dc FILE | variant-inspect -"),
    (b"\x28\xb5\x2f\xfd", "compressed by zstd; try: zstd -dc FILE | variant-inspect -"),
];

const BASE64: &str = "text, and maybe base64; if so, try: base64 -d FILE | variant-inspect -";
const RESOURCE: &str = "a text resource of Godot (.tres, .tscn), not binary; any editor shows it";
const TEXT: &str =
    "text, not binary (such as JSON, a ConfigFile or var_to_str); any editor shows it";

/// How far to look for what is no text.
const TEXT_HEAD: usize = 4096;

/// What the bytes are if they are surely no Variants. O(1).
pub(crate) fn recognise(bytes: &[u8]) -> Option<&'static str> {
    if bytes.is_empty() {
        return Some("empty; look for a copy or a backup");
    }
    let known = MAGICS.iter().find(|(magic, _)| bytes.starts_with(magic));
    known.map(|(_, what)| *what).or_else(|| text(bytes))
}

fn text(bytes: &[u8]) -> Option<&'static str> {
    let head = bytes.get(..TEXT_HEAD).unwrap_or(bytes);
    if !is_text(head) {
        return None;
    }
    let is_base64 = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/=\r\n".contains(byte);
    Some(match head {
        [b'[', b'g', b'd', b'_', ..] => RESOURCE,
        _ if head.len() >= 8 && head.iter().all(is_base64) => BASE64,
        _ => TEXT,
    })
}

/// Serialized Variants have zeros in their headers, text has none.
fn is_text(head: &[u8]) -> bool {
    let valid = match std::str::from_utf8(head) {
        Ok(text) => text,
        // The last character may be cut.
        Err(error) if error.error_len().is_none() => {
            let valid = head.get(..error.valid_up_to()).unwrap_or_default();
            std::str::from_utf8(valid).unwrap_or_default()
        }
        Err(_) => return false,
    };
    !valid.is_empty() && !valid.chars().any(|c| c.is_control() && !"\t\r\n\x0c\x1b".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_files_are_told() {
        for (bytes, words) in [
            (&b""[..], "empty"),
            (b"RSRC\0\0\0\0", "binary resource"),
            (b"\x89PNG\r\n\x1a\n\0\0", "PNG"),
            (b"{\"a\": 1}\n", "JSON"),
            (b"[gd_scene load_steps=2]", "text resource"),
            (b"GwAAAAEAAAAEAAAA\n", "base64 -d"),
        ] {
            assert!(recognise(bytes).is_some_and(|what| what.contains(words)), "{words}");
        }
    }

    #[test]
    fn variants_are_not_foreign() {
        for bytes in [&[0; 4][..], &[4, 0, 0, 0, 1, 0, 0, 0, b'a', 0, 0, 0], &[0xff; 8]] {
            assert_eq!(recognise(bytes), None);
        }
    }

    #[test]
    fn a_character_may_be_cut_at_the_end_of_the_head() {
        let text = "a".repeat(TEXT_HEAD - 1) + "\u{e9}\u{e9}";
        assert!(recognise(text.as_bytes()).is_some());
    }
}
