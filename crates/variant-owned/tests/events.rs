//! Owned values as events: a collector restores the value that a producer feeds.

use std::collections::BTreeMap;

use proptest::prelude::*;
use variant_owned::{
    Array, Collector, ConvertOptions, Dictionary, EncodeOptions, KeyRule, LimitError, Limited,
    Object, Variant, array, convert, convert_into, encode,
};
use variant_testkit::builder::Builder;
use variant_testkit::conformance::options;
use variant_testkit::random::Random;
use variant_testkit::{corpus, hostile, values};
use variant_view::{
    ArrayHead, Consumer, Dialect, DictionaryHead, Document, ErrorKind, FeedError, Head, Kind, Leaf,
    Limit, Limits, Numbers, Options, Producer as _,
};

/// Asserts equality including bits and widths.
#[track_caller]
fn assert_comes_back(value: &Variant, dialect: Dialect) {
    let Ok(collected) = Variant::from_producer(value);
    assert_eq!(format!("{collected:?}"), format!("{value:?}"));
    let encoding = EncodeOptions::new(dialect);
    assert_eq!(encode(&collected, encoding), encode(value, encoding));
    let leaf = value.with_leaf(|leaf| Variant::from_leaf(&leaf));
    if value.head().is_none() {
        assert_eq!(encode(&leaf, encoding), encode(value, encoding));
    }
}

#[test]
fn every_record_comes_back() {
    for (dialect, path) in corpus::record_files() {
        for case in corpus::read_cases(&path).unwrap() {
            let document = Document::new(&case.bytes, options(dialect, true));
            let value = Variant::from_document(&document);
            let fed = Variant::from_producer(document).map_err(|_| ());
            assert_eq!(format!("{fed:?}"), format!("{:?}", value.clone().map_err(|_| ())));
            if let Ok(value) = value {
                assert_comes_back(&value, dialect);
                assert_eq!(encode(&fed.unwrap(), dialect), encode(&value, dialect));
            }
        }
    }
}

/// Dictionaries with the same keys again are read without look-ups of the keys. Those of many keys have an index.
#[test]
fn records_with_the_same_keys_are_read_alike() {
    for pairs in [1_i64, 16, 17, 18, 70] {
        let of = |first: i64| -> Dictionary {
            (0..pairs).map(|at| (format!("key {at}"), first + at)).collect()
        };
        let value = Variant::from(array![of(0), of(1_000), of(2_000)]);
        let bytes = encode(&value, Dialect::Godot4).unwrap();
        let document = Document::new(&bytes, options(Dialect::Godot4, true));
        let read = Variant::from_document(&document).unwrap();
        assert_eq!(read, value);
        for record in read.as_array().unwrap() {
            let record = record.as_dictionary().unwrap();
            assert!(record.iter().all(|(key, own)| record.get_variant(key) == Some(own)));
            assert!(record.get(format!("key {pairs}").as_str()).is_none());
        }
    }
}

/// Writes arrays and dictionaries of few keys, so that keys are often repeated, also at another depth.
fn write_records(random: &mut Random, depth: u32, to: Builder) -> Builder {
    let len = random.below(4);
    let count = u32::try_from(len).unwrap();
    match random.below(4) {
        0 if depth > 0 => {
            let to = to.u32(28).u32(count);
            (0..len).fold(to, |to, _| write_records(random, depth - 1, to))
        }
        1 | 2 if depth > 0 => {
            let to = to.u32(27).u32(count);
            (0..len).fold(to, |to, _| {
                let kind = random.pick(&[4, 4, 4, 21]);
                let to = to.u32(kind).text(random.pick(&["a", "b"]));
                write_records(random, depth - 1, to)
            })
        }
        _ => to.u32(2).u32(count),
    }
}

/// A document is read as its events are collected, whichever keys the dictionaries before had.
#[test]
fn keys_are_looked_up_unless_they_are_known_to_be_new() {
    let mut random = Random::new(3);
    let mut shorter = 0;
    for _ in 0..4_000 {
        let start = Builder::new().u32(28).u32(6);
        let bytes = (0..6).fold(start, |to, _| write_records(&mut random, 4, to)).build().bytes;
        let document = Document::new(&bytes, Dialect::Godot4);
        let read = Variant::from_document(&document).unwrap();
        let collected = Variant::from_producer(document).unwrap();
        assert_eq!(format!("{read:?}"), format!("{collected:?}"));
        shorter += usize::from(encode(&read, Dialect::Godot4).unwrap().len() < bytes.len());
    }
    assert!(shorter > 500, "{shorter}");
}

/// [`Limited`] stops a producer without limits at the same value at which a document with these limits stops.
#[test]
fn limits_mean_the_same_for_any_producer() {
    let unlimited = Limits::FILE.depth(u32::MAX);
    let mut exceeded = BTreeMap::new();
    for (dialect, path) in corpus::record_files() {
        // A few records of each file are enough, because the others are similar.
        for case in corpus::read_cases(&path).unwrap().into_iter().step_by(17) {
            let document = Document::new(&case.bytes, Options::engine(dialect).limits(unlimited));
            let Ok(summary) = document.validate() else { continue };
            let depths = [0, 1, 2, summary.depth.saturating_sub(1), summary.depth]
                .map(|depth| unlimited.depth(depth));
            let values = [0, 1, 2, summary.values - 1, summary.values]
                .map(|values| unlimited.values(values));
            for limits in depths.into_iter().chain(values) {
                let limited = Document::new(&case.bytes, Options::engine(dialect).limits(limits));
                let expected = limited.validate().err().map(|error| error.kind());
                let mut consumer = Limited::new(Collector::default(), limits);
                let found = document.feed(&mut consumer).err().map(|error| match error {
                    FeedError::Consumer(LimitError::Depth(_)) => Limit::Depth,
                    FeedError::Consumer(LimitError::Values(_)) => Limit::Values,
                    other => panic!("{other:?}"),
                });
                *exceeded.entry(format!("{found:?}")).or_insert(0) += 1;
                let found = found.map(|limit| ErrorKind::LimitExceeded { limit });
                assert_eq!(found, expected, "{}:{}", path.display(), case.line);
            }
        }
    }
    assert!(exceeded.len() == 3 && exceeded.values().all(|count| *count > 100), "{exceeded:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_value_comes_back(
        seed in prop::collection::vec(any::<u8>(), 0..500),
        dialect in prop::sample::select(Dialect::ALL),
        is_hostile: bool,
        is_double: bool,
    ) {
        let mut seed = arbitrary::Unstructured::new(&seed);
        let value = if is_hostile {
            hostile::variant(&mut seed, dialect).unwrap()
        } else {
            values::variant(&mut seed, dialect, is_double).unwrap()
        };
        let Ok(collected) = Variant::from_producer(&value);
        prop_assert_eq!(collected.kind(), value.kind());
        // A value that no dialect can hold may change, for example a path that is one text and also has names.
        if !is_hostile {
            assert_comes_back(&value, dialect);
        }
    }
}

#[test]
fn numbers_are_those_of_the_value() {
    let value = Variant::from((1, -2));
    value.with_numbers(|numbers| {
        let numbers = numbers.unwrap();
        assert_eq!((numbers.kind(), numbers.len()), (Kind::Vector2i, 2));
        assert_eq!(Variant::from_numbers(&numbers), value);
    });
    assert!(Variant::from(1).with_numbers(|numbers| numbers.is_none()));
    let wide: &[f64] = &[0.1, f64::NAN];
    let value = Variant::from_numbers(&Numbers::of(Kind::PackedFloat64Array, &wide).unwrap());
    assert_eq!(value.to_string(), "PackedFloat64Array(0.1, nan)");
}

/// Equal keys become one, at the position of the first and with the value of the last. The dictionary's rule decides
/// which keys are equal.
#[test]
fn the_same_keys_are_one() {
    for (rule, len) in
        [(None, 1), (Some(KeyRule::GODOT_4), 1), (Some(KeyRule::of(Dialect::Pandemonium5)), 2)]
    {
        let mut collector = Collector::default();
        let head = DictionaryHead { rule, ..DictionaryHead::default() };
        let Ok(()) = collector.enter(Head::Dictionary(head));
        for leaf in
            [Leaf::String(b"k"), Leaf::Bool(false), Leaf::StringName(b"k"), Leaf::Bool(true)]
        {
            let Ok(()) = collector.leaf(leaf);
        }
        let Ok(()) = collector.exit();
        let value = collector.finish().unwrap();
        assert_eq!(value.as_dictionary().map(Dictionary::len), Some(len));
        assert_eq!(value["k"], len == 1);
    }
}

#[test]
fn a_claimed_length_reserves_nothing() {
    let mut collector = Collector::default();
    for _ in 0..100 {
        let head = ArrayHead { len: Some(usize::MAX), ..ArrayHead::default() };
        let Ok(()) = collector.enter(Head::Array(head));
    }
    assert_eq!(collector.finish(), None);
}

/// With a true count, an array reserves no more memory than its elements take. A dictionary does not show its room.
#[test]
fn an_array_has_no_room_for_more_than_its_elements() {
    for len in 0..100 {
        let elements: Array = (0..len).map(|n| array![n]).collect();
        let bytes = encode(&elements.into(), Dialect::Godot4).unwrap();
        let document = Document::new(&bytes, Dialect::Godot4);
        let read = Variant::from_document(&document).unwrap();
        let fed = Variant::from_producer(document).unwrap();
        for mut value in [read, fed] {
            let all = value.as_array_mut().unwrap().as_mut_vec();
            assert_eq!(all.capacity(), all.len());
            for one in all {
                assert_eq!(one.as_array_mut().unwrap().as_mut_vec().capacity(), 1, "{len}");
            }
        }
    }
}

/// Counts the events, and refuses the one after `left` events.
#[derive(Debug, Default)]
struct Counter {
    left: Option<usize>,
    origins: Vec<usize>,
    sources: Vec<Vec<u8>>,
}

/// The error of a [`Counter`], which has a cause.
#[derive(Debug)]
struct Full(std::fmt::Error);

impl std::fmt::Display for Full {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("no more events")
    }
}

impl std::error::Error for Full {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

impl Counter {
    fn take(&mut self) -> Result<(), Full> {
        let Some(left) = &mut self.left else { return Ok(()) };
        *left = left.checked_sub(1).ok_or(Full(std::fmt::Error))?;
        Ok(())
    }
}

impl Consumer for Counter {
    type Error = Full;
    const WANTS_ORIGINS: bool = true;

    fn leaf(&mut self, _: Leaf<'_>) -> Result<(), Full> {
        self.take()
    }
    fn enter(&mut self, _: Head<'_>) -> Result<(), Full> {
        self.take()
    }
    fn name(&mut self, _: &[u8]) -> Result<(), Full> {
        self.take()
    }
    fn exit(&mut self) -> Result<(), Full> {
        self.take()
    }
    fn origin(&mut self, offset: usize, _: &[u8]) {
        self.origins.push(offset);
    }
    fn source(&mut self, bytes: &[u8], _: &Options) -> Result<(), Full> {
        self.sources.push(bytes.to_vec());
        Ok(())
    }
}

/// A value with events of every sort: 1 array, 1 object with a name, 2 leaves and 2 ends.
fn of_seven_events() -> Variant {
    let mut object = Object::new("Node");
    object.properties_mut().unwrap().push("hp", 7);
    array![object, 1.5].into()
}

/// The error of any event ends the feed, and the producer returns it.
#[test]
fn the_first_refused_event_ends_the_feed() {
    let value = of_seven_events();
    for left in 0..9 {
        let mut direct = Counter { left: Some(left), ..Counter::default() };
        let mut limited =
            Limited::new(Counter { left: Some(left), ..Counter::default() }, Limits::FILE);
        let outcomes = (value.feed(&mut direct), value.feed(&mut limited));
        if left < 7 {
            assert!(matches!(outcomes.0, Err(FeedError::Consumer(Full(_)))), "{left}");
            let Err(FeedError::Consumer(error)) = outcomes.1 else { panic!("{left}") };
            assert!(matches!(error, LimitError::Consumer(_)), "{left}: {error}");
        } else {
            assert!(outcomes.0.is_ok() && outcomes.1.is_ok(), "{left}");
        }
    }
}

/// A limited consumer forwards all that its inner consumer would receive directly.
#[test]
fn a_limited_consumer_receives_origins_and_the_source() {
    let bytes = encode(&of_seven_events(), Dialect::Godot4).unwrap();
    let document = Document::new(&bytes, Options::engine(Dialect::Godot4));
    let (mut direct, mut limited) =
        (Counter::default(), Limited::new(Counter::default(), Limits::FILE));
    document.feed(&mut direct).unwrap();
    document.feed(&mut limited).unwrap();
    let limited = limited.into_inner();
    assert_eq!((&direct.origins, &direct.sources), (&limited.origins, &limited.sources));
    assert_eq!((direct.origins.first(), direct.sources), (Some(&0), vec![bytes]));
    assert!(direct.origins.len() > 2, "{:?}", direct.origins);
}

#[test]
fn errors_of_limits_have_the_limit_and_the_cause() {
    for (error, text, has_cause) in [
        (LimitError::Depth(3), "a value is nested deeper than the limit of 3", false),
        (LimitError::Values(9), "there are more values than the limit of 9", false),
        (LimitError::Consumer(Full(std::fmt::Error)), "no more events", true),
    ] {
        assert_eq!(error.to_string(), text);
        assert_eq!(std::error::Error::source(&error).is_some(), has_cause, "{text}");
    }
}

/// The errors of a stream's conversion are those of the change, or those of the consumer.
#[test]
fn a_stream_ends_at_a_change_or_at_a_full_consumer() {
    let value: Variant = array![(1, 2)].into();
    let strict = ConvertOptions::new(Dialect::Godot3).strict(true);
    let mut counter = Counter::default();
    let FeedError::Consumer(change) = convert_into(&value, strict, &mut counter).unwrap_err();
    let expected = convert(&value, strict).unwrap_err();
    assert_eq!(change.to_string(), expected.to_string());
    assert_eq!(expected.change().to_string(), "[0]: Vector2i became Vector2");
    let mut counter = Counter { left: Some(1), ..Counter::default() };
    let FeedError::Consumer(full) =
        convert_into(&value, Dialect::Godot3, &mut counter).unwrap_err();
    assert_eq!(full.to_string(), "no more events");
}

#[test]
fn debug_of_a_collector_shows_its_depth() {
    let mut collector = Collector::default();
    for depth in 0..3 {
        assert_eq!(format!("{collector:?}"), format!("Collector {{ depth: {depth}, .. }}"));
        let Ok(()) = collector.enter(Head::Array(ArrayHead::default()));
    }
}

/// A collector never fails: a name outside an object and an end of nothing are ignored.
#[test]
fn events_out_of_turn_are_ignored() {
    let mut collector = Collector::default();
    let Ok(()) = collector.exit();
    let Ok(()) = collector.name(b"none");
    assert!(collector.is_empty());
    let Ok(()) = collector.enter(Head::Array(ArrayHead::default()));
    let Ok(()) = collector.name(b"none");
    let Ok(()) = collector.leaf(Leaf::Bool(true));
    let Ok(()) = collector.exit();
    let Ok(()) = collector.exit();
    assert_eq!(collector.finish(), Some(array![true].into()));
}
