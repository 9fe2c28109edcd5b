//! Recognises files of other formats by their first bytes, with advice for each.

use crate::count::grouped;

/// Magic bytes, the name of the format, and advice. A frame cannot start with these bytes: as a length prefix, they are
/// not a multiple of 4, or they exceed the size of the file.
const MAGICS: [(&[u8], &str); 22] = [
    (b"RSRC", "a binary resource of Godot (.res, .scn), which is another format"),
    (b"GDSC", "a compiled script of Godot (.gdc, .gde), which is another format"),
    (b"GDPC", "a pack of Godot (.pck); extract the file first"),
    (
        b"GST2",
        "an imported texture of Godot 4 (.ctex), not a serialized Variant; look for another file",
    ),
    (
        b"GDST",
        "an imported texture of Godot 3 (.stex), not a serialized Variant; look for another file",
    ),
    (
        b"GSTL",
        "an imported layered texture of Godot 4, not a serialized Variant; look for another file",
    ),
    (b"\x89PNG\r\n\x1a\n", "a PNG image, not a serialized Variant; look for another file"),
    (b"\xff\xd8\xff", "a JPEG image, not a serialized Variant; look for another file"),
    (b"OggS", "an Ogg sound, not a serialized Variant; look for another file"),
    (b"RIFF", "a WAV or WebP file, not a serialized Variant; look for another file"),
    (b"glTF", "a glTF model (.glb), not a serialized Variant; look for another file"),
    (b"wOF2", "a font, not a serialized Variant; look for another file"),
    (b"%PDF", "a PDF document, not a serialized Variant; look for another file"),
    (b"\x7fELF", "a program, not a serialized Variant; look for another file"),
    (b"SQLite format 3\0", "an SQLite database, not a serialized Variant; try sqlite3"),
    (b"PK\x03\x04", "a ZIP archive (also .docx and some .pxo projects); extract the file first"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive; extract the file first"),
    (b"\x1f\x8b\x08", "compressed with gzip; try: gzip -dc FILE | variant-inspect -"),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd; try: zstd -dc FILE | variant-inspect -"),
    (b"BZh", "compressed with bzip2; try: bzip2 -dc FILE | variant-inspect -"),
    (b"\xfd7zXZ\0", "compressed with xz; try: xz -dc FILE | variant-inspect -"),
    (
        b"\0\x01\0\0\0\xff\xff\xff\xff\x01\0\0\0\0\0\0\0",
        "a file of .NET's BinaryFormatter, not a serialized Variant; only the game's own code reads it",
    ),
];

const PICKLE: &str =
    "a pickle of Python, not a serialized Variant; try: python3 -m pickletools FILE";
const BASE64: &str = "text, possibly base64; try: base64 -d FILE | variant-inspect -";
const HEX: &str = "text, hexadecimal digits; to read the bytes that they name: --input hex";
const BYTES: &str = "text, bytes as a script prints them; to read them: --input bytes";
const ZLIB: &str = "compressed with zlib, as PackedByteArray.compress does; try: variant-inspect unwrap --raw deflate --size BYTES FILE";
const RESOURCE: &str =
    "a text resource of Godot (.tres, .tscn), not binary; open it in a text editor";
const TEXT: &str =
    "text, not binary (such as JSON, a ConfigFile or var_to_str); open it in a text editor";

const JSON: &str = "text, not binary (starts like JSON); open it in a text editor";
const CONFIG: &str = "text, not binary (starts like a ConfigFile); open it in a text editor";
const UID_CACHE: &str = "the editor's cache of resource ids (uid_cache.bin), which is another format; the editor recreates it";
const PIXELORAMA: &str =
    "a project of Pixelorama (.pxo), which is JSON and pixels; open it with Pixelorama";

/// The number of bytes checked for text.
const TEXT_HEAD: usize = 4096;

/// The format of a file without Variants, with advice after a semicolon. `None` if it may hold Variants. O(1).
pub fn recognise(bytes: &[u8]) -> Option<&'static str> {
    if bytes.is_empty() {
        return Some("an empty file; look for a copy or a backup");
    }
    let known = MAGICS.iter().find(|(magic, _)| bytes.starts_with(magic)).map(|(_, what)| *what);
    known.or_else(|| zeros(bytes)).or_else(|| shape(bytes)).or_else(|| text(bytes))
}

/// The message for a file of zeros only. Up to eight zeros may be values: a null has four, and a length prefix adds
/// four.
pub fn zeros(bytes: &[u8]) -> Option<&'static str> {
    let is_empty = bytes.len() > 8 && bytes.iter().all(|byte| *byte == 0);
    is_empty.then_some("a file of zeros only: it was never written, or a crash lost it; look for a copy or a backup")
}

/// Recognises formats that have no magic bytes, or magic bytes with which a frame may also begin.
fn shape(bytes: &[u8]) -> Option<&'static str> {
    let pickle = is_pickle(bytes).then_some(PICKLE);
    let zlib = || is_zlib(bytes).then_some(ZLIB);
    let uid_cache = || is_uid_cache(bytes).then_some(UID_CACHE);
    let pixelorama = || is_pixelorama(bytes).then_some(PIXELORAMA);
    pickle.or_else(zlib).or_else(uid_cache).or_else(pixelorama)
}

/// Whether the first and the last opcode are those of a pickle of protocol 2 to 5. False if the first word fits as a
/// length prefix: the file is a frame then.
fn is_pickle(bytes: &[u8]) -> bool {
    let counted = bytes.first_chunk().map(|word| u32::from_le_bytes(*word));
    let is_frame =
        counted.is_some_and(|len| usize::try_from(len).is_ok_and(|len| len <= bytes.len()));
    matches!(bytes, [0x80, 2..=5, .., b'.']) && !is_frame
}

/// Whether the bytes start with a two-byte header of zlib with a window of 32 KiB. False if the first word fits as a
/// length prefix: the file is a frame then.
fn is_zlib(bytes: &[u8]) -> bool {
    let Some((word, rest)) = bytes.split_first_chunk::<4>() else { return false };
    let counts = [u32::from_le_bytes(*word), u32::from_be_bytes(*word)];
    let is_frame =
        counts.into_iter().any(|len| usize::try_from(len).is_ok_and(|len| len <= rest.len()));
    matches!(word, [0x78, 0x01 | 0x5e | 0x9c | 0xda, third, fourth] if (*third, *fourth) != (0, 0))
        && !is_frame
}

/// Whether the bytes are a count, and then entries of an 8-byte id and a path. False if a word of the first id looks
/// like the header word of a value: the bytes are then a value with a text at this offset. Also false if the count
/// equals the number of bytes after it: the bytes are then a frame.
fn is_uid_cache(bytes: &[u8]) -> bool {
    let Some((count, rest)) = bytes.split_first_chunk() else { return false };
    let counts = [u32::from_le_bytes(*count), u32::from_be_bytes(*count)];
    let is_frame =
        counts.into_iter().any(|len| usize::try_from(len).is_ok_and(|len| len == rest.len()));
    let is_header = |word: &[u8; 4]| matches!(word, [_, 0, flags, 0] if *flags < 16);
    let mut id = rest.as_chunks().0.iter().take(2);
    let has_path = rest.get(12..).is_some_and(|path| path.starts_with(b"res://"));
    has_path && !is_frame && !id.any(is_header)
}

/// Whether the bytes are one line of JSON, then pixels.
fn is_pixelorama(bytes: &[u8]) -> bool {
    let head = bytes.get(..PIXELORAMA_HEAD).unwrap_or(bytes);
    let key = b"\"pixelorama_version\"";
    head.starts_with(b"{") && head.windows(key.len()).any(|window| window == key)
}

/// The number of bytes searched for the version of Pixelorama.
const PIXELORAMA_HEAD: usize = 64 << 10;

/// The note that a file of four bytes may be a number of `store_32`. `None` for files of other lengths.
pub fn lone_word(bytes: &[u8]) -> Option<String> {
    let (word, []) = bytes.split_first_chunk()? else { return None };
    let number = grouped(usize::try_from(u32::from_le_bytes(*word)).unwrap_or(usize::MAX));
    Some(format!("the 4 bytes may also be the number {number}, written by store_32"))
}

fn text(bytes: &[u8]) -> Option<&'static str> {
    let head = bytes.get(..TEXT_HEAD).unwrap_or(bytes);
    if !is_text(head) {
        return None;
    }
    let is_number = |byte: &u8| byte.is_ascii_digit() || b"[](){}, \t\r\n".contains(byte);
    let is_hex = |byte: &u8| byte.is_ascii_hexdigit() || byte.is_ascii_whitespace();
    let are_bytes = |text: &[u8]| text.iter().all(is_number) && text.iter().any(u8::is_ascii_digit);
    let is_base64 = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/=\r\n".contains(byte);
    Some(match head.trim_ascii_start() {
        [b'[' | b'{', rest @ ..] if are_bytes(rest) => BYTES,
        text if are_bytes_of_script(text) => BYTES,
        [b'[', b'g', b'd', b'_', ..] => RESOURCE,
        [b'[', b'a'..=b'z' | b'A'..=b'Z' | b'_', ..] => CONFIG,
        [b'{' | b'[', ..] => JSON,
        _ if head.len() >= 8 && head.iter().all(is_hex) => HEX,
        _ if head.len() >= 8 && head.iter().all(is_base64) => BASE64,
        _ => TEXT,
    })
}

/// Whether the text is like `PackedByteArray(1, 2)`, with any of the names of this type.
fn are_bytes_of_script(text: &[u8]) -> bool {
    [&b"PackedByteArray("[..], b"PoolByteArray(", b"RawArray("]
        .iter()
        .any(|name| text.starts_with(name))
}

/// Whether the bytes are text. Serialized Variants have zero bytes in their headers, text does not.
fn is_text(head: &[u8]) -> bool {
    let valid = match std::str::from_utf8(head) {
        Ok(text) => text,
        // `head` may end inside a character, so an incomplete last character is left out.
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
            (b"1b00000001000000\n", "--input hex"),
            (b"1B 00 00 00 01 00", "--input hex"),
            (b"[27, 0, 0, 0, 1]\n", "--input bytes"),
            (b"{27, 0}", "--input bytes"),
            (b"PackedByteArray(27, 0)", "--input bytes"),
            (b"PoolByteArray( 27, 0 )", "--input bytes"),
            (b"[]", "JSON"),
            (b"[27, \"a\"]", "JSON"),
            (b"\x78\x9c\x93\x66\x60\x60", "--raw deflate"),
            (b"GDSC\x64\0\0\0", "compiled script"),
            (b"GST2\x01\0\0\0", ".ctex"),
            (b"GDST\x40\0\x40\0", ".stex"),
            (b"\x02\0\0\0\x01\x02\x03\x04\x05\x06\x07\x08\x0a\0\0\0res://a.gdres", "uid_cache.bin"),
            (b"\x80\x04\x95\x0b\0\0\0\0\0\0\0}\x94\x8c\x01a\x94K\x01s.", "Python"),
            (b"\x80\x04K\x05.", "Python"),
            (b"\x80\x02}q\0.", "Python"),
            (b"\0\x01\0\0\0\xff\xff\xff\xff\x01\0\0\0\0\0\0\0\x0c\x02", "BinaryFormatter"),
            (b"{\"name\": \"a\", \"pixelorama_version\": \"v0.11\"}\n\xff\0\xff\0", "Pixelorama"),
            (b"PK\x03\x04\x14\0\0\0", "ZIP"),
            (b"SQLite format 3\0\x10\0", "SQLite"),
            (b"\x1f\x8b\x08\0\0", "gzip"),
            (b"{\"hp\": 3}", "JSON"),
            (b"[1, true]", "JSON"),
            (b"[player]\n\nhp=3\n", "ConfigFile"),
            (b"hp = 3\n", "text, not binary"),
        ] {
            let what = recognise(bytes).unwrap_or_default();
            assert!(what.contains(words), "{words}: {what}");
        }
        let number = lone_word(&10_000_u32.to_le_bytes());
        assert!(number.is_some_and(|what| what.contains("the number 10,000, written by store_32")));
        assert_eq!(lone_word(&[0; 8]), None);
    }

    /// The second file is a frame of 640 bytes. It starts like a pickle of protocol 2, and ends with the last opcode of
    /// a pickle.
    #[test]
    fn a_frame_is_no_pickle_and_a_dictionary_of_paths_no_cache() {
        let paths = b"\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x08\0\0\0res://ab\0\0\0\0";
        assert_eq!(recognise(paths), None);
        let mut frame = vec![0x80, 2, 0, 0];
        frame.resize(4 + 0x280, b'.');
        assert_eq!(recognise(&frame), None);
    }

    /// In a frame, the first path of an array is at the offset of the first path of a cache. Of the counts in this
    /// test, only 1 and 255 look like header words.
    #[test]
    fn a_frame_of_paths_is_no_cache() {
        let word = |word: usize| u32::try_from(word).unwrap().to_le_bytes();
        let path = [&word(8)[..], b"res://ab"].concat();
        for count in [1, 255, 256, 300, 70_000] {
            let array = [&word(34)[..], &word(count), &path.repeat(count)].concat();
            let frame = [&word(array.len())[..], &array].concat();
            let high_first: Vec<_> = frame[..4].iter().rev().chain(&array).copied().collect();
            for bytes in [&array, &frame, &high_first, &frame.repeat(2)] {
                assert_eq!(recognise(bytes), None, "{count}");
            }
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
