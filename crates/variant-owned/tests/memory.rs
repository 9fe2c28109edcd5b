//! The memory that values take. This is a single test, since the whole program has one counting allocator.

#![allow(clippy::unwrap_used, clippy::arithmetic_side_effects, reason = "a test may panic")]

use std::cell::RefCell;
use std::convert::Infallible;
use std::io;

use peak_alloc::PeakAlloc;
use variant_owned::{
    Array, ConvertOptions, Dictionary, EncodeOptions, TextOptions, TextSource, TextStyle, Variant,
    convert, convert_into, dictionary, encode_into, write_text_to,
};
use variant_testkit::builder::Builder;
use variant_testkit::corpus;
use variant_view::{Consumer, Dialect, Document, Head, Leaf, Limits, Options};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The peak memory of `work`, without the memory in use before.
fn taken<T>(work: impl FnOnce() -> T) -> usize {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    drop(work());
    MEMORY.peak_usage().saturating_sub(before)
}

/// The peak memory of `work`: the minimum of several runs, since the test harness may allocate during a run.
fn most_taken<T>(work: impl Fn() -> T) -> usize {
    (0..2).map(|_| taken(&work)).min().unwrap()
}

fn document(bytes: &[u8]) -> Document<'_> {
    Document::new(bytes, Options::engine(Dialect::Godot4).limits(Limits::FILE))
}

#[test]
fn memory_follows_the_input() {
    a_tree_takes_at_most_four_times_its_input();
    a_value_without_heap_data_takes_none();
    a_claim_takes_no_more_than_the_input_allows();
    a_warm_buffer_takes_no_more();
    a_replaced_value_is_freed();
    a_converted_stream_takes_no_more_for_more_values();
    no_file_takes_more_than_its_share();
    a_report_is_bounded_whatever_the_input();
    floods_take_their_share();
    text_takes_no_more_than_its_depth();
}

/// The greatest memory per byte of inputs that are designed to fill memory.
const FLOOD: usize = 16;

fn floods_take_their_share() {
    let dictionary = |len: u32| Builder::new().u32(27).u32(len);
    let classes =
        |all: Builder, n: u32| all.u32(2 << 16 | 0x1c).text(format!("{n:x}")).u32(0).u32(0);
    let keys = |all: Builder, n: u32| all.u32(27).u32(1).u32(2).u32(n).u32(0).u32(0);
    let nans = |all: Builder, _| all.u32(28).u32(1).u32(3).f32s(&[f32::NAN]).u32(0);
    let texts = |all: Builder, n: u32| all.u32(4).text(format!("{n:08}")).u32(0);
    let names = |all: Builder, _| all.u32(21).text("n");
    let nested = (0..1_000).fold(Builder::new(), |all, _| all.u32(27).u32(2)).u32(2).u32(1);
    let floods = [
        ("declared classes", (0..12_000).fold(dictionary(12_000), classes)),
        ("dictionaries", (0..6_000).fold(dictionary(6_000), keys)),
        ("arrays of a NaN", (0..8_000).fold(dictionary(8_000), nans)),
        ("texts", (0..12_000).fold(dictionary(12_000), texts)),
        ("names", (0..12_000).fold(Builder::new().u32(28).u32(12_000), names)),
        (
            "keys in keys",
            (0..1_000).fold(nested, |all, n| all.u32(0).u32(28).u32(1).u32(2).u32(n).u32(0)),
        ),
    ];
    for (name, flood) in floods {
        let bytes = flood.build().bytes;
        let most = most_of(&document(&bytes));
        println!("{name}: {most} bytes for {}", bytes.len());
        assert!(most <= FLOOD * bytes.len() + START, "{name}: {most} for {}", bytes.len());
    }
}

fn a_tree_takes_at_most_four_times_its_input() {
    let bytes = corpus::bytes("godot4/saves/save_10k.variant").unwrap();
    let most = most_taken(|| Variant::from_document(&document(&bytes)).unwrap());
    println!("{} bytes of input, {most} of tree", bytes.len());
    assert!(bytes.len() < most && most <= 4 * bytes.len(), "{most} for {}", bytes.len());
}

fn a_value_without_heap_data_takes_none() {
    let int = [2, 0, 0, 0, 7, 0, 0, 0];
    let text = [4, 0, 0, 0, 2, 0, 0, 0, b'h', b'i', 0, 0];
    for bytes in [&int[..], &text] {
        let value = Variant::from_document(&document(bytes)).unwrap();
        let decoded = most_taken(|| Variant::from_document(&document(bytes)).unwrap());
        let copied = most_taken(|| value.clone());
        assert_eq!((decoded, copied), (0, 0), "{value:?}");
    }
}

/// The memory of a container grows with the items received, not with its claimed count. With a true count, the same
/// bytes take as much memory as with a false one, except for the first reservation of each open container.
fn a_claim_takes_no_more_than_the_input_allows() {
    const MIB: usize = 1 << 20;
    let claims = [1, 2, 100, 1 << 16, 0x7fff_ffff];
    let bytes_of = |len: usize| {
        let leaf = Builder::new().u32(29).u32(u32::try_from(len).unwrap()).build().bytes;
        [leaf, vec![7; len.next_multiple_of(4)]].concat()
    };
    let array = |claim: u32| [28, claim].map(u32::to_le_bytes).concat();
    let dictionary = |claim: u32| [27, claim, 0].map(u32::to_le_bytes).concat();
    for claim in claims {
        for head in [array(claim), dictionary(claim)] {
            let one = [&head[..], &bytes_of(MIB)].concat();
            let most = most_of(&document(&one));
            assert!(most <= MIB + START, "{most} for a claim of {claim}");
            // A thousand nested containers around the same leaf.
            let nested = [head.repeat(1_000), bytes_of(MIB)].concat();
            let most = most_of(&document(&nested));
            println!("{most} bytes for {} with claims of {claim}", nested.len());
            assert!(most <= MIB + (1 << 20), "{most} for nested claims of {claim}");
        }
        // Many small items before the end of the bytes.
        let items = [array(claim), vec![0; MIB]].concat();
        let most = most_of(&document(&items));
        let true_count = [array(u32::try_from(MIB / 4).unwrap()), vec![0; MIB]].concat();
        let honest = most_of(&document(&true_count));
        assert!(most <= honest + START, "{most} for a claim of {claim}, {honest} for the true one");
    }
    let bytes = array(0x7fff_ffff).repeat(60);
    assert!(Variant::from_document(&document(&bytes)).is_err());
    let most = most_taken(|| Variant::from_document(&document(&bytes)));
    assert!(most <= 8 * bytes.len() + START + 60 * 128, "{most} for {}", bytes.len());
}

fn a_warm_buffer_takes_no_more() {
    let bytes = corpus::bytes("godot4/saves/rpc.variant").unwrap();
    let value = Variant::from_document(&document(&bytes)).unwrap();
    let options = EncodeOptions::new(Dialect::Godot4);
    let buffer = RefCell::new(Vec::with_capacity(bytes.len()));
    let most = most_taken(|| {
        buffer.borrow_mut().clear();
        encode_into(&value, options, &mut buffer.borrow_mut()).unwrap();
    });
    assert_eq!(*buffer.borrow(), bytes);
    println!("{most} bytes beside the buffer");
    assert!(most < 1024, "{most}");
}

/// The value of a repeated key is replaced by the value of the next one.
fn a_replaced_value_is_freed() {
    const LEN: usize = 1 << 16;
    let long = "v".repeat(LEN);
    let last_values: [fn(Builder) -> Builder; 2] =
        [|all| all.u32(2).u32(7), |all| all.u32(28).u32(0)];
    for last in last_values {
        let all = Builder::new().u32(27).u32(3).u32(4).text("k").u32(4).text(&long);
        let all = last(all.u32(4).text("k").u32(4).text(&long).u32(4).text("k"));
        let bytes = all.build().bytes;
        let read = || drop(Variant::from_document(&document(&bytes)).unwrap());
        read();
        let before = MEMORY.current_usage();
        read();
        let left = MEMORY.current_usage().saturating_sub(before);
        assert!(left < LEN, "{left} bytes are not freed");
    }
}

/// Ignores all events.
struct Ignored;

impl Consumer for Ignored {
    type Error = Infallible;

    fn leaf(&mut self, _: Leaf<'_>) -> Result<(), Infallible> {
        Ok(())
    }

    fn enter(&mut self, _: Head<'_>) -> Result<(), Infallible> {
        Ok(())
    }

    fn name(&mut self, _: &[u8]) -> Result<(), Infallible> {
        Ok(())
    }

    fn exit(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

/// No container is collected, except a container that is a key.
fn a_converted_stream_takes_no_more_for_more_values() {
    let record = |all: Builder, n: u32| {
        let key = all.u32(27).u32(1).u32(28).u32(1).u32(2).u32(n);
        key.u32(28).u32(2).u32(2).u32(n).u32(2).u32(n)
    };
    let records = |count: u32| {
        let start = Builder::new().u32(28).u32(count);
        (0..count).fold(start, record).build().bytes
    };
    let [few, many] = [100, 10_000].map(|count| {
        let bytes = records(count);
        let report = || convert_into(document(&bytes), Dialect::Godot3, &mut Ignored).unwrap();
        assert!(report().is_empty());
        most_taken(report)
    });
    println!("{few} and {many} bytes to convert a stream");
    assert!(many < few + START, "{few}, {many}");
}

/// The greatest memory per byte of input. The worst case is 27: a thousand nested dictionaries, each of a single pair.
const SHARE: usize = 32;
/// The memory that any input may take in addition: the first allocations of growing lists.
const START: usize = 1 << 10;

/// Reads every record in its dialect, and every file and regression in all dialects.
fn no_file_takes_more_than_its_share() {
    let mut worst = (0, 0, 0, String::new());
    let mut check = |bytes: &[u8], dialect: Dialect, name: &str| {
        let document = Document::new(bytes, Options::engine(dialect).limits(Limits::FILE));
        let most = [most_of(&document), most_on_tape(&document)].into_iter().max().unwrap_or(0);
        assert!(most <= SHARE * bytes.len() + START, "{most} for {} of {name}", bytes.len());
        let share = most.saturating_sub(START) * 100 / bytes.len().max(1);
        if share > worst.0 {
            worst = (share, most, bytes.len(), format!("{name} as {dialect}"));
        }
    };
    for (dialect, path) in corpus::record_files() {
        for case in corpus::read_cases(&path).unwrap() {
            check(&case.bytes, dialect, &format!("{}:{}", path.display(), case.line));
        }
    }
    for path in corpus::files().unwrap() {
        let bytes = std::fs::read(&path).unwrap();
        for &dialect in Dialect::ALL {
            check(&bytes, dialect, &path.display().to_string());
        }
    }
    let (_, most, len, name) = worst;
    println!("at most {most} bytes for {len}, of {name}");
}

/// Each input is measured once, since there are many. The harness may allocate during this time, but less than
/// [`START`].
fn most_of(document: &Document<'_>) -> usize {
    taken(|| Variant::from_document(document))
}

fn most_on_tape(document: &Document<'_>) -> usize {
    taken(|| {
        let mut tape = variant_view::Tape::new();
        let verdict = tape.read(*document).map(|read| read.summary());
        assert_eq!(verdict, document.validate());
        tape
    })
}

/// The greatest memory of a report, for any number of changes and any length of paths.
const REPORT: usize = 1 << 19;

fn a_report_is_bounded_whatever_the_input() {
    let names = |count: usize| -> Array { std::iter::repeat_n(name(), count).collect() };
    let long_key: Variant = dictionary! { "k".repeat(80_000) => names(8_000) }.into();
    let deep = (0..1_000).fold(Variant::from(names(8_000)), |inner, n| {
        dictionary! { format!("{n}{}", "x".repeat(40)) => inner }.into()
    });
    let mut many = Dictionary::new();
    for n in 0..8_000 {
        let _ = many.insert(format!("{n}{}", "x".repeat(40)), names(2));
    }
    for value in [long_key, deep, many.into()] {
        let options = ConvertOptions::new(Dialect::Godot3);
        let converted = convert(&value, options).unwrap().0;
        let copied = most_taken(|| converted.clone());
        let most = most_taken(|| convert(&value, options).unwrap());
        let report = convert(&value, options).unwrap().1;
        assert!(report.count() >= 8_000);
        let shown: usize = report.groups().iter().map(|group| group.to_string().len()).sum();
        println!("{most} bytes to convert, {copied} to copy, {shown} to show");
        assert!(most <= 2 * copied + REPORT, "{most} for {copied}");
        assert!(shown <= REPORT / 4, "{shown}");
    }
}

fn name() -> Variant {
    Variant::StringName("n".into())
}

/// Text is printed while it is read. One dictionary with sorted keys at a time is in memory.
fn text_takes_no_more_than_its_depth() {
    let text = format!("[{}]", "{\"name\": [1, 2.5, Vector2(1, 2)]}, ".repeat(10_000));
    for options in [false, true].map(|s| TextOptions::new(TextStyle::Godot4).sorted_keys(s)) {
        let taken = most_taken(|| {
            write_text_to(TextSource::new(&text), &options, &mut io::sink()).unwrap();
        });
        assert!(taken < 4_096, "{taken}");
    }
}
