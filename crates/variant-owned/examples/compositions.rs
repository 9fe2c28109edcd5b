//! Combines producers of events with consumers, in one line of code for each pair. Prints the memory that each line
//! takes.
//!
//! ```sh
//! cargo run --release -p variant-owned --features json --example compositions
//! ```
//!
//! It also runs as a test. The test checks that a stream of eight times as many values does not take more memory.

#![cfg_attr(test, allow(clippy::unwrap_used, reason = "a test may panic"))]

use std::fmt;
use std::io;

use peak_alloc::PeakAlloc;
use variant_owned::json::{self, Form, JsonWriter, Parsed, WriteOptions};
use variant_owned::{
    Array, ConvertOptions, EncodeOptions, Limited, TextOptions, TextPrinter, TextSource, TextStyle,
    Variant, Writer, array, convert_into, dictionary, encode, to_text, write_text, write_text_to,
};
use variant_view::{Dialect, Document, Input, Limits, Producer as _};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

type Result<T = (), E = Box<dyn std::error::Error>> = std::result::Result<T, E>;

/// A value in each form, and a buffer with room for it.
struct Forms {
    value: Variant,
    bytes: Vec<u8>,
    text: String,
    json: String,
    buffer: Vec<u8>,
}

impl Forms {
    fn new(len: i32) -> Result<Self> {
        let record = |at: i32| dictionary! { "at" => array![at, "text"], "place" => (at, 2) };
        let value = Variant::from((0..len).map(record).collect::<Array>());
        let bytes = encode(&value, EncodeOptions::new(Dialect::Godot4))?;
        let text = to_text(&value, &TextOptions::new(TextStyle::Godot4));
        let mut json = Vec::new();
        json::write(&value, Form::Native, &mut json, false)?;
        let buffer = Vec::with_capacity(bytes.len().saturating_mul(2));
        Ok(Self { value, bytes, text, json: String::from_utf8(json)?, buffer })
    }

    fn document(&self) -> Document<'_> {
        Document::new(&self.bytes, Dialect::Godot4)
    }
}

/// The name of a composition, whether only the depth determines its memory, and its line of code.
type Composition = (&'static str, bool, fn(&mut Forms) -> Result);

const COMPOSITIONS: &[Composition] = &[
    ("Variant to JSON", true, |forms| {
        Ok(json::write(&forms.value, Form::Plain, io::sink(), false).map(drop)?)
    }),
    ("Variant to text, as it is printed", true, |forms| {
        Ok(write_text_to(&forms.value, &TEXT, &mut io::sink())?)
    }),
    ("bytes to text", true, |forms| Ok(write_text_to(forms.document(), &TEXT, &mut io::sink())?)),
    ("text to JSON", true, |forms| {
        Ok(json::write(TextSource::new(&forms.text), Form::Native, io::sink(), false).map(drop)?)
    }),
    ("text to bytes", true, |forms| {
        Ok(TextSource::new(&forms.text).feed(&mut writer(&mut forms.buffer))?)
    }),
    ("text to text of another engine", true, |forms| {
        Ok(write_text(TextSource::new(&forms.text), &OLDER_TEXT, &mut Ignored)?)
    }),
    ("bytes to bytes, as the writer has them", true, |forms| {
        Ok(Document::new(&forms.bytes, Dialect::Godot4).feed(&mut writer(&mut forms.buffer))?)
    }),
    ("bytes to converted bytes", true, |forms| {
        let document = Document::new(&forms.bytes, Dialect::Godot4);
        Ok(convert_into(document, OLDER, &mut Writer::new(&mut forms.buffer, OLDER.to))
            .map(drop)?)
    }),
    ("bytes to converted text", true, |forms| {
        let mut printer = TextPrinter::new(Ignored, OLDER_TEXT);
        Ok(convert_into(forms.document(), OLDER, &mut printer).map(drop)?)
    }),
    ("text to converted JSON", true, |forms| {
        let mut json = JsonWriter::new(&PLAIN, Input::default(), io::sink());
        Ok(convert_into(TextSource::new(&forms.text), OLDER, &mut json).map(drop)?)
    }),
    ("a part of the bytes, by its path, to JSON", true, |forms| {
        let part = forms.document().at("[999].place")?;
        Ok(json::write(part, Form::Plain, io::sink(), false).map(drop)?)
    }),
    ("text to bytes, within limits", true, |forms| {
        let mut limited = Limited::new(writer(&mut forms.buffer), Limits::SERVER);
        Ok(TextSource::new(&forms.text).feed(&mut limited)?)
    }),
    ("JSON to text", false, |forms| {
        Ok(write_text_to(&parsed(&forms.json)?, &TEXT, &mut io::sink())?)
    }),
    (
        "JSON to bytes",
        false,
        |forms| Ok(parsed(&forms.json)?.feed(&mut writer(&mut forms.buffer))?),
    ),
    ("JSON to JSON of another form", false, |forms| {
        Ok(json::write(&parsed(&forms.json)?, Form::Plain, io::sink(), false).map(drop)?)
    }),
    (
        "JSON to Variant",
        false,
        |forms| Ok(Variant::from_producer(&parsed(&forms.json)?).map(drop)?),
    ),
];

const PLAIN: WriteOptions<'static> = WriteOptions::new(Form::Plain);
const TEXT: TextOptions = TextOptions::new(TextStyle::Godot4);
const OLDER_TEXT: TextOptions = TextOptions::new(TextStyle::Godot3);
const OLDER: ConvertOptions = ConvertOptions::new(Dialect::Godot3);

fn writer(buffer: &mut Vec<u8>) -> Writer<'_> {
    Writer::new(buffer, EncodeOptions::new(Dialect::Godot4))
}

fn parsed(json: &str) -> Result<Parsed<'_>, json::JsonError> {
    json::parse(json, Form::Native)
}

struct Ignored;

impl fmt::Write for Ignored {
    fn write_str(&mut self, _: &str) -> fmt::Result {
        Ok(())
    }
}

/// The peak memory of a line of code, without its input and the buffer for its output.
fn most_taken(forms: &mut Forms, line: fn(&mut Forms) -> Result) -> Result<usize> {
    forms.buffer.clear();
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    line(forms)?;
    Ok(MEMORY.peak_usage().saturating_sub(before))
}

fn main() -> Result {
    let [mut few, mut many] = [Forms::new(1_000)?, Forms::new(8_000)?];
    println!("{:40} {:>12} {:>12}", "bytes of memory", "1,000", "8,000");
    for (name, _, line) in COMPOSITIONS {
        let [few, many] = [most_taken(&mut few, *line)?, most_taken(&mut many, *line)?];
        println!("{name:40} {few:>12} {many:>12}");
    }
    Ok(())
}

#[test]
fn streams_take_memory_by_depth() {
    let [mut few, mut many] = [1_000, 8_000].map(|len| Forms::new(len).unwrap());
    // The tape of the JSON reader grows with the text, since it has an entry per value.
    let tape = 32 * many.json.len();
    for (name, is_stream, line) in COMPOSITIONS {
        let [few, many] = [&mut few, &mut many].map(|forms| most_taken(forms, *line).unwrap());
        println!("{name}: {few} and {many}");
        assert!(if *is_stream { few == many && many < 32 << 10 } else { many < tape }, "{name}");
    }
}
