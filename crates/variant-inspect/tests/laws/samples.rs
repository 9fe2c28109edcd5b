//! The files with which the laws are checked: files of the corpus, generated files, and files of a given folder.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use variant_document::Plain;
use variant_inspect::{CommonArgs, FramingArg, TailArg};
use variant_io::{
    ByteOrder, Compression, ECFG_MAGICS, Encryption, Framing, GcpfOptions, Key, OpenOptions,
    compress, encrypt, open_bytes,
};
use variant_owned::json::{Form, documents};
use variant_owned::{Dictionary, KeyRule, Variant, array, encode};
use variant_testkit::random::Random;
use variant_testkit::{corpus, hostile, made, saves, table, texts};
use variant_view::{Dialect, Document, Kind, Options, Vector2};

use crate::bench::{Bench, Outcome, flatten, text};

/// A file without damage, and the way to read it.
pub(crate) struct Sample {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    /// The arguments of the commands that read the file.
    pub(crate) common: CommonArgs,
    /// The exact JSON of the file.
    pub(crate) json: String,
    /// The bytes without layers.
    opened: Vec<u8>,
    framing: Framing,
    options: Options,
    tail: usize,
    /// The outputs of `flatten` and `text`. They are kept, because two laws use each of them.
    flat: OnceLock<Outcome>,
    text: OnceLock<Outcome>,
}

impl Sample {
    /// Returns `None` if the file is damaged, encrypted with another key, or not a file of values.
    fn new(bench: &Bench, name: String, bytes: Vec<u8>, common: CommonArgs) -> Option<Self> {
        let json = bench.json_of(&bytes, &common).ok()?;
        let opened = opened(&bytes, &common)?.0;
        let first = documents(&json, Form::Exact).next()?.ok()?;
        let said = first.envelope()?.clone();
        let framing = match said.framing.as_deref()? {
            "sequence" => Framing::Sequence(said.dialect),
            name => Framing::ALL.into_iter().find(|framing| framing.name() == name)?,
        };
        let options = Options::engine(said.dialect).reals(said.reals);
        let (flat, text) = (OnceLock::new(), OnceLock::new());
        let mut sample =
            Self { name, bytes, common, json, opened, framing, options, tail: 0, flat, text };
        sample.tail = sample.reading().find_tail().tail;
        sample.is_sound().then_some(sample)
    }

    /// Whether every value is valid and has no bytes after its end.
    fn is_sound(&self) -> bool {
        let plain = self.plain();
        plain.pieces().all(|piece| {
            let bytes = piece.unwrap().bytes;
            plain.document(bytes).validate().is_ok_and(|summary| summary.consumed == bytes.len())
        })
    }

    /// The parts that distinguish samples for a law that does not depend on layers.
    pub(crate) fn inside(&self) -> (&[u8], Dialect, &'static str, usize) {
        (self.plain().bytes, self.dialect(), self.framing.name(), self.tail)
    }

    fn reading(&self) -> Plain<'_> {
        let skipped = usize::try_from(self.common.skip).unwrap();
        let declared = usize::try_from(self.common.tail.declared()).unwrap();
        Plain::new(&self.opened, self.framing, self.options).skip(skipped).without_tail(declared)
    }

    /// The bytes without layers, and the way to read them.
    pub(crate) fn plain(&self) -> Plain<'_> {
        self.reading().without_tail(self.tail)
    }

    pub(crate) fn dialect(&self) -> Dialect {
        self.options.dialect
    }

    pub(crate) fn framing(&self) -> FramingArg {
        match self.framing {
            Framing::Bare => FramingArg::Bare,
            Framing::Frames(ByteOrder::Little) => FramingArg::Frames,
            Framing::Frames(ByteOrder::Big) => FramingArg::FramesBe,
            Framing::Settings => FramingArg::Settings,
            Framing::Sequence(_) => FramingArg::Sequence,
        }
    }

    /// The output of `flatten`.
    pub(crate) fn flat(&self, bench: &Bench) -> Result<&[u8], String> {
        let run = || Bench::run(&flatten(&bench.put("file", &self.bytes)), &self.common);
        self.flat.get_or_init(run).as_deref().map_err(Clone::clone)
    }

    /// The output of `text`.
    pub(crate) fn text(&self, bench: &Bench) -> Result<&[u8], String> {
        let run = || Bench::run(&text(&bench.put("file", &self.bytes)), &self.common);
        self.text.get_or_init(run).as_deref().map_err(Clone::clone)
    }

    /// Whether values have names.
    pub(crate) fn is_of_settings(&self) -> bool {
        self.framing == Framing::Settings
    }

    /// The values, each up to its end.
    pub(crate) fn documents(&self) -> Vec<Document<'_>> {
        documents_of(self.plain())
    }

    /// A file of the same values without other bytes, in the same framing.
    pub(crate) fn alone(&self) -> Vec<u8> {
        let plain = self.plain();
        let mut file = self.framing.values(plain.body()).writer(self.dialect());
        for (piece, document) in plain.pieces().zip(self.documents()) {
            file.bytes(piece.unwrap().name, document.bytes()).unwrap();
        }
        file.finish()
    }
}

/// The values of a file, each up to its end.
pub(crate) fn documents_of(plain: Plain<'_>) -> Vec<Document<'_>> {
    let whole = |bytes| {
        let document = plain.document(bytes);
        let len = document.validate().unwrap().consumed;
        plain.document(&bytes[..len])
    };
    plain.pieces().map(|piece| whole(piece.unwrap().bytes)).collect()
}

/// The bytes without layers, and the layers.
pub(crate) fn opened(bytes: &[u8], common: &CommonArgs) -> Option<(Vec<u8>, Vec<String>)> {
    let options = OpenOptions::new();
    let options = match &common.key {
        Some(key) => options.key(key.clone()),
        None => options,
    };
    let opened = open_bytes(bytes.to_vec(), &options).ok()?;
    let layers = opened.layers().iter().map(ToString::to_string).collect();
    Some((opened.into_bytes(), layers))
}

/// The password of encrypted files of the corpus.
const PASSWORD: &str = "hunter2";

type Add = fn(&Bench, &mut Vec<Sample>);

/// All samples. They are the same in each run.
pub(crate) fn samples() -> &'static [Sample] {
    static SAMPLES: OnceLock<Vec<Sample>> = OnceLock::new();
    SAMPLES.get_or_init(|| {
        let bench = Bench::new();
        let mut samples = Vec::new();
        let origins: [(&str, Add); 5] = [
            ("files of the corpus", files_of_corpus),
            ("records of the corpus", records),
            ("generated values", generated),
            ("carriers of generated values", carried),
            ("files of VARIANT_SAMPLES", others),
        ];
        for (origin, add) in origins {
            let before = samples.len();
            add(&bench, &mut samples);
            println!("{}: {origin}", samples.len() - before);
        }
        samples
    })
}

fn of(dialect: Option<Dialect>, framing: FramingArg) -> CommonArgs {
    let key = Some(Key::from_password(PASSWORD));
    CommonArgs { dialect, framing, key, ..CommonArgs::default() }
}

/// The most bytes of a file.
const LONGEST_FILE: usize = 320_000;
/// The most bytes of a record.
const LONGEST_RECORD: usize = 8_000;

/// Longer inputs take most of the time of each law, so they are samples only with `VARIANT_RECORDS=all`.
fn is_too_long(bytes: &[u8], longest: usize) -> bool {
    bytes.len() > longest && !corpus::are_all()
}

/// Every file that is neither text nor damaged.
fn files_of_corpus(bench: &Bench, samples: &mut Vec<Sample>) {
    let before = samples.len();
    for path in corpus::files().unwrap() {
        let name = path.strip_prefix(corpus::root()).unwrap().to_string_lossy().into_owned();
        let is_text = [".json", ".jsonl", ".md", ".txt"].iter().any(|end| name.ends_with(end));
        let bytes = fs::read(&path).unwrap();
        if is_text || is_too_long(&bytes, LONGEST_FILE) {
            continue;
        }
        let dialect = Dialect::ALL.iter().find(|dialect| name.starts_with(dialect.name()));
        let common = of(dialect.copied(), FramingArg::Auto);
        samples.extend(Sample::new(bench, name, bytes, common));
    }
    assert!(samples.len() - before > 35, "{}", samples.len() - before);
}

/// The kinds of files of records, each with a number N: every N-th record of such a file is a sample. With
/// `VARIANT_RECORDS=all`, all records are samples. There are thousands of records, and each law takes a millisecond for
/// each record.
const RECORDS_OF: [(&str, usize); 5] =
    [("vectors", 8), ("elements", 4), ("mutants", 160), ("keys", 80), ("text", 48)];

fn records(bench: &Bench, samples: &mut Vec<Sample>) {
    let before = samples.len();
    let step = |index: usize| if corpus::are_all() { 1 } else { RECORDS_OF[index].1 };
    let mut add = |path: &Path, name: &str, bytes: Vec<u8>, dialect| {
        let name = format!("{} {name}", path.strip_prefix(corpus::root()).unwrap().display());
        samples.extend(Sample::new(bench, name, bytes, of(Some(dialect), FramingArg::Bare)));
    };
    for (dialect, path) in corpus::record_files() {
        let name = path.to_string_lossy();
        let index = RECORDS_OF.iter().position(|(of, _)| name.contains(of)).unwrap();
        for case in corpus::read_cases(&path).unwrap().into_iter().step_by(step(index)) {
            let bytes = case.bytes.get(..case.consumed.unwrap_or(case.bytes.len()));
            // Defective engines report more consumed bytes than the record has. Such a record is not a sample.
            let is_sample = |bytes: &&[u8]| case.accepted && !is_too_long(bytes, LONGEST_RECORD);
            if let Some(bytes) = bytes.filter(is_sample) {
                add(&path, &case.name, bytes.to_vec(), dialect);
            }
        }
    }
    for (dialect, path) in texts::files() {
        for record in texts::read(&path).unwrap().into_iter().step_by(step(4)) {
            add(&path, &record.name, record.bytes, dialect);
        }
    }
    assert!(samples.len() - before > 200, "{}", samples.len() - before);
}

/// A dictionary of keys that look like paths. Its values look alike, and one is a dictionary.
fn hostile_keys(dialect: Dialect) -> Variant {
    let pairs = |value: &dyn Fn(i64) -> Variant| {
        let mut all = Dictionary::with_rule(KeyRule::of(dialect));
        for (number, key) in (0..).zip(hostile::KEYS) {
            all.insert(key, value(number));
        }
        for number in [0, -1, 7] {
            all.insert(number, value(number));
        }
        all.insert(0.5, value(1));
        all.insert(true, value(2));
        all.insert(Vector2 { x: 1.0_f32, y: 0.5 }, value(4));
        all.insert(array![1, array!["a = b"]], value(5));
        all.insert("k".repeat(300), value(3));
        all
    };
    let inner = pairs(&|number| number.into());
    pairs(&|number| if number == 7 { inner.clone().into() } else { number.into() }).into()
}

/// A value of each kind that text can express, between two other values.
fn kinds(dialect: Dialect) -> impl Iterator<Item = (String, Vec<u8>)> {
    // Godot 2 does not write the contents of objects. Its images and events are objects in text.
    let of_objects = [Kind::Object, Kind::Image, Kind::InputEvent];
    let kinds = dialect.kinds().iter();
    let kinds = kinds.filter(move |kind| dialect != Dialect::Godot2 || !of_objects.contains(kind));
    kinds.map(move |&kind| {
        let mut all = Dictionary::with_rule(KeyRule::of(dialect));
        all.insert("before", Variant::PackedByteArray(vec![1, 2, 3]));
        all.insert("value", table::sample(kind));
        all.insert("after", "x");
        (format!("kind {kind}"), encode(&all.into(), dialect).unwrap())
    })
}

fn generated(bench: &Bench, samples: &mut Vec<Sample>) {
    for dialect in Dialect::ALL.iter().copied() {
        let mut random = Random::new(0x1a35);
        let mut all: Vec<_> = kinds(dialect).collect();
        for number in 0..10 {
            all.push((format!("nested {number}"), made::nested(&mut random, dialect, 4)));
            let hostile = made::hostile(&mut random, dialect);
            all.extend(hostile.map(|bytes| (format!("hostile {number}"), bytes)));
        }
        all.push(("save".to_owned(), saves::save(7, 6_000, dialect)));
        all.push(("hostile keys".to_owned(), encode(&hostile_keys(dialect), dialect).unwrap()));
        for (name, bytes) in all {
            let common = of(Some(dialect), FramingArg::Bare);
            samples.extend(Sample::new(bench, format!("{dialect} {name}"), bytes, common));
        }
    }
}

/// The same values in every framing, with bytes before and after them, and in layers.
fn carried(bench: &Bench, samples: &mut Vec<Sample>) {
    const HEAD: &[u8] = b"\x01HEAD";
    const TAIL: &[u8] = b"a hash of it\xff";
    for dialect in Dialect::ALL.iter().copied() {
        let mut random = Random::new(0x0dd5);
        let mut add = |name: &str, bytes: Vec<u8>, common| {
            samples.extend(Sample::new(bench, format!("{dialect} {name}"), bytes, common));
        };
        let framings = [
            (FramingArg::Bare, 1),
            (FramingArg::Frames, 1),
            (FramingArg::Frames, 13),
            (FramingArg::FramesBe, 3),
            (FramingArg::Settings, 5),
            (FramingArg::Sequence, 3),
        ];
        for (turn, (framing, count)) in framings.into_iter().enumerate() {
            let mut file = framing.given().unwrap().writer();
            for number in 0..count {
                let bytes = if number == 0 {
                    encode(&hostile_keys(dialect), dialect).unwrap()
                } else {
                    made::nested(&mut random, dialect, 3)
                };
                let name = ["application/config/name", "a.b", "[0]", "frame 1: a", "\""]
                    .get(number)
                    .map_or("", |name| *name);
                let name = (framing == FramingArg::Settings).then_some(name.as_bytes());
                file.bytes(name, &bytes).unwrap();
            }
            let mut file = file.finish();
            if framing == FramingArg::Settings && dialect == Dialect::Pandemonium5 {
                file[..4].copy_from_slice(&ECFG_MAGICS[1]);
            }
            let name = format!("{count} {}", framing.given().unwrap());
            let common = || of(Some(dialect), framing);
            add(&name, file.clone(), common());
            let around = [HEAD, &file, TAIL].concat();
            let (skip, tail) = (5, TailArg::Bytes(13));
            let skipped = || CommonArgs { skip, tail, ..common() };
            add(&format!("{name}, head and tail"), around.clone(), skipped());
            // Without `VARIANT_RECORDS=all`, each file gets one compression. The framings get different compressions,
            // so every compression occurs.
            let all =
                [Compression::FastLz, Compression::Deflate, Compression::Zstd, Compression::Gzip];
            let chosen = if corpus::are_all() { &all } else { &all[turn % 4..][..1] };
            for &how in chosen {
                let packed = compress(&around, &GcpfOptions::new(how)).unwrap();
                add(&format!("{name}, {how:?}"), packed, skipped());
            }
            let key = Key::from_password(PASSWORD);
            let how =
                if dialect == Dialect::Godot4 { Encryption::Cfb([7; 16]) } else { Encryption::Ecb };
            let secret = encrypt(&around, &key, how);
            add(&format!("{name}, encrypted"), secret, skipped());
        }
    }
}

/// The files below the folder that `VARIANT_SAMPLES` names. `VARIANT_SAMPLES_PASSWORD` opens encrypted files.
fn others(bench: &Bench, samples: &mut Vec<Sample>) {
    let Some(folder) = std::env::var_os("VARIANT_SAMPLES") else {
        println!(
            "VARIANT_SAMPLES is unset: it names a folder of more files to hold the laws against"
        );
        return;
    };
    let folder = Path::new(&folder);
    let password = std::env::var("VARIANT_SAMPLES_PASSWORD").unwrap_or_default();
    for path in corpus::files_in(folder).unwrap() {
        let name = path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
        let key = Some(Key::from_password(&password));
        let common = CommonArgs { key, ..CommonArgs::default() };
        match Sample::new(bench, name.clone(), fs::read(&path).unwrap(), common) {
            Some(sample) => samples.push(sample),
            None => println!("{name}: no file of values, or damaged"),
        }
    }
}
