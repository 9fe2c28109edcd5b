//! [`mend`]: repairs a file that a text editor read as text and saved again.

use variant_io::{ByteOrder, Framing, Verdict};
use variant_view::Dialect;

use crate::count::counted;
use crate::seek::{WORD, is_header};

/// A file as it was before a text editor saved it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mended {
    /// The bytes. A question mark replaces each lost byte.
    pub bytes: Vec<u8>,
    /// The changes by the editor, as text.
    pub cause: String,
    /// The offsets of the lost bytes.
    pub lost: Vec<usize>,
}

/// Undoes changes by text editors: a byte order mark, bytes of Latin-1 or Windows-1252 written as UTF-8, line feeds
/// that became CR LF, bytes that became U+FFFD. `None` if the file can be read without repair, or cannot be read after
/// the repair. O(bytes).
pub fn mend(bytes: &[u8]) -> Option<Mended> {
    let text = bytes.strip_prefix(MARK).unwrap_or(bytes);
    let has_mark = text.len() < bytes.len();
    let decoded = || from_utf8(text);
    let repairs: [&dyn Fn() -> Option<Step>; 5] = [
        &|| Some(Step { bytes: text.to_vec(), what: None, lost: Vec::new() }).filter(|_| has_mark),
        &|| joined_lines(text),
        &decoded,
        &|| joined_lines(&decoded()?.bytes).map(|step| Step { what: Some(BOTH), ..step }),
        &|| without_replacements(text),
    ];
    let is_suspicious = has_mark || repairs.iter().skip(1).any(|repair| repair().is_some());
    if !is_suspicious || is_readable(bytes) {
        return None;
    }
    let step =
        repairs.iter().find_map(|repair| repair().filter(|step| is_readable(&step.bytes)))?;
    let mark = has_mark.then_some("a byte order mark was put before it");
    let lost = step.lost.len();
    let lost_bytes = (lost > 0).then(|| format!("{} lost", counted(lost, "byte")));
    let causes = mark.into_iter().chain(step.what).map(str::to_owned).chain(lost_bytes);
    let causes: Vec<_> = causes.collect();
    let cause = format!("a text editor saved this file again: {}", causes.join(", "));
    Some(Mended { bytes: step.bytes, cause, lost: step.lost })
}

/// The repaired bytes, and a description of the editor's change.
struct Step {
    bytes: Vec<u8>,
    what: Option<&'static str>,
    lost: Vec<usize>,
}

const MARK: &[u8] = b"\xef\xbb\xbf";
const REPLACEMENT: &[u8] = b"\xef\xbf\xbd";
const BOTH: &str = "bytes from 0x80 were written as UTF-8, and line feeds as CR LF";

/// Whether the bytes are whole values. They are if the length prefixes lead exactly to the end, or if the detected
/// reading is credible.
fn is_readable(bytes: &[u8]) -> bool {
    let is_framed = |order| {
        let mut values = Framing::Frames(order).values(bytes);
        let is_full = values.all(|value| value.is_ok_and(|value| value.bytes.len() >= WORD));
        is_full && bytes.len() > WORD && is_header(bytes, WORD, Dialect::Godot4)
    };
    if is_framed(ByteOrder::Little) || is_framed(ByteOrder::Big) {
        return true;
    }
    let detection = Framing::detect(bytes);
    let verdict = detection.best().verdict();
    matches!(verdict, Verdict::Any(_) | Verdict::Clear(_) | Verdict::Tied(_))
}

/// Replaces CR LF by LF.
fn joined_lines(bytes: &[u8]) -> Option<Step> {
    let is_pair = |at: usize| bytes.get(at..).is_some_and(|rest| rest.starts_with(b"\r\n"));
    let kept = bytes.iter().enumerate().filter(|(at, _)| !is_pair(*at)).map(|(_, byte)| *byte);
    let kept: Vec<_> = kept.collect();
    let what = Some("line feeds were written as CR LF");
    (kept.len() < bytes.len()).then_some(Step { bytes: kept, what, lost: Vec::new() })
}

/// Undoes an editor that read each byte as one character and wrote the characters as UTF-8.
fn from_utf8(bytes: &[u8]) -> Option<Step> {
    let text = str::from_utf8(bytes).ok().filter(|text| !text.is_ascii())?;
    let bytes: Option<Vec<u8>> = text.chars().map(byte_of).collect();
    let what = Some("bytes from 0x80 were written as UTF-8");
    Some(Step { bytes: bytes?, what, lost: Vec::new() })
}

/// The byte of a character of Latin-1 or Windows-1252. The two encodings differ in the bytes from 0x80 to 0x9f.
fn byte_of(c: char) -> Option<u8> {
    const WINDOWS: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž',
        '\u{8f}', '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}',
        'ž', 'Ÿ',
    ];
    let of_windows = || WINDOWS.iter().position(|known| *known == c);
    let place = || u8::try_from(of_windows()?).ok()?.checked_add(0x80);
    u8::try_from(u32::from(c)).ok().or_else(place)
}

/// Replaces each U+FFFD by one question mark: the original byte is lost.
fn without_replacements(bytes: &[u8]) -> Option<Step> {
    let (mut kept, mut lost) = (Vec::new(), Vec::new());
    let mut rest = bytes;
    while let Some((first, others)) = rest.split_first() {
        if let Some(behind) = rest.strip_prefix(REPLACEMENT) {
            lost.push(kept.len());
            kept.push(b'?');
            rest = behind;
        } else {
            kept.push(*first);
            rest = others;
        }
    }
    let what = Some("bytes that are not UTF-8 became U+FFFD");
    (!lost.is_empty()).then_some(Step { bytes: kept, what, lost })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;

    /// `store_var({"x": 0.1, "n": "Åsa", "ten": [10, 13]})` of Godot 4.
    fn save() -> Vec<u8> {
        let mut value = vec![27, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0, b'x', 0, 0, 0];
        value.extend([3, 0, 1, 0]);
        value.extend(0.1_f64.to_le_bytes());
        value.extend([4, 0, 0, 0, 1, 0, 0, 0, b'n', 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0]);
        value.extend("Åsa".as_bytes());
        value.extend([4, 0, 0, 0, 3, 0, 0, 0, b't', b'e', b'n', 0, 28, 0, 0, 0, 2, 0, 0, 0]);
        value.extend([2, 0, 0, 0, 10, 0, 0, 0, 2, 0, 0, 0, 13, 0, 0, 0]);
        [&u32::try_from(value.len()).unwrap().to_le_bytes(), &value[..]].concat()
    }

    fn as_latin1(bytes: &[u8]) -> Vec<u8> {
        bytes.iter().map(|byte| char::from(*byte)).collect::<String>().into_bytes()
    }

    fn with_cr(bytes: &[u8]) -> Vec<u8> {
        let pair = |byte: &u8| if *byte == b'\n' { vec![b'\r', b'\n'] } else { vec![*byte] };
        bytes.iter().flat_map(pair).collect()
    }

    #[test]
    fn what_an_editor_did_is_undone() {
        let save = save();
        assert_eq!(mend(&save), None);
        for (file, cause) in [
            (as_latin1(&save), "bytes from 0x80 were written as UTF-8"),
            (with_cr(&save), "line feeds were written as CR LF"),
            ([MARK, &save].concat(), "a byte order mark was put before it"),
            (
                [MARK, &as_latin1(&save)].concat(),
                "a byte order mark was put before it, bytes from 0x80 were written as UTF-8",
            ),
            (as_latin1(&with_cr(&save)), BOTH),
        ] {
            let cause = format!("a text editor saved this file again: {cause}");
            let expected = Mended { bytes: save.clone(), cause, lost: Vec::new() };
            assert_eq!(mend(&file), Some(expected));
        }
    }

    #[test]
    fn bytes_that_were_replaced_are_counted() {
        let save = save();
        let text = String::from_utf8_lossy(&save).into_owned();
        let lost = text.matches('\u{fffd}').count();
        let mended = mend(text.as_bytes()).unwrap();
        assert_eq!((mended.bytes.len(), mended.lost.len()), (save.len(), lost));
        assert!(
            lost > 0 && mended.cause.contains(&format!("{lost} bytes lost")),
            "{}",
            mended.cause
        );
        let is_kept =
            |at: &usize| mended.lost.contains(at) || mended.bytes.get(*at) == save.get(*at);
        assert!((0..save.len()).all(|at| is_kept(&at)));
    }

    #[test]
    fn other_files_are_left_alone() {
        for file in
            [&b""[..], b"text\r\n", MARK, b"\xef\xbf\xbd", &[0xff; 64], "größer\r\n".as_bytes()]
        {
            assert_eq!(mend(file), None, "{file:?}");
        }
    }
}
