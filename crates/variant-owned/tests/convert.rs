//! Values are converted from any dialect to any other, and every loss is reported.

use std::convert::Infallible;

use proptest::prelude::*;
use variant_owned::{
    Array, ConvertOptions, Dictionary, ElementType, EncodeOptions, Float, Image, InputEvent,
    KeyRule, Loss, MathValue, NodePath, Object, Report, Variant, Widths, Writer, array, convert,
    convert_into, dictionary, encode,
};
use variant_testkit::conformance::options;
use variant_testkit::{corpus, values};
use variant_view::{
    Consumer, Dialect, Document, Head, Kind, Leaf, Number, Page, Producer as _, Profile, Reals,
    Vector2, Width,
};

fn engines_and_pages() -> Vec<Dialect> {
    let pages = Page::ALL.iter().map(|page| page.dialect());
    Dialect::ALL.iter().copied().chain(pages).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// The converted value can be written canonically. If no change is reported, it is equal to the original value.
    #[test]
    fn any_value_to_any_dialect(
        seed in prop::collection::vec(any::<u8>(), 0..500),
        from in prop::sample::select(Dialect::ALL),
        to in prop::sample::select(engines_and_pages()),
        is_double: bool,
    ) {
        let mut seed = arbitrary::Unstructured::new(&seed);
        let value = values::variant(&mut seed, from, is_double).unwrap();
        let (converted, report) = convert(&value, to).unwrap();

        let encoding = EncodeOptions::new(to).widths(Widths::Canonical);
        let bytes = encode(&converted, encoding).unwrap();
        let canonical = options(to, true).profile(Profile::Canonical);
        let verdict = Document::new(&bytes, canonical).validate();
        prop_assert!(verdict.is_ok(), "{from} to {to}: {verdict:?} of {converted:?}");

        let strict = convert(&value, ConvertOptions::new(to).strict(true));
        prop_assert_eq!(strict.is_ok(), report.is_empty());
        // Reals that are exact in 32 bits are narrowed if the target has no wider reals.
        let narrowed = is_double && from.has_wide_reals() && !to.has_wide_reals();
        if report.is_empty() && !narrowed {
            prop_assert_eq!(format!("{converted:?}"), format!("{value:?}"));
            prop_assert_eq!(Bits::of(&converted), Bits::of(&value));
            let (back, _) = convert(&converted, from).unwrap();
            prop_assert_eq!(format!("{back:?}"), format!("{value:?}"));
        }
        if from == to {
            prop_assert!(report.is_empty(), "{:?}", report);
        }
    }
}

/// The bits of all floats, as if all had 64 bits. The bits are compared because `Debug` prints all NaNs alike.
#[derive(Default)]
struct Bits(Vec<u64>);

impl Bits {
    fn of(value: &Variant) -> Vec<u64> {
        let mut bits = Self::default();
        let Ok(()) = value.feed(&mut bits).map_err(|error| error.either(|e| e, |e| e));
        bits.0
    }

    fn add(&mut self, bits: u64, width: Width) {
        let narrow = u32::try_from(bits).ok().filter(|_| width == Width::W32);
        self.0.push(narrow.map_or(bits, |narrow| match f32::from_bits(narrow) {
            nan if nan.is_nan() => {
                u64::from(narrow >> 31) << 63 | 0x7ff << 52 | u64::from(narrow & 0x7f_ffff) << 29
            }
            float => f64::from(float).to_bits(),
        }));
    }
}

impl Consumer for Bits {
    type Error = Infallible;

    fn leaf(&mut self, leaf: Leaf<'_>) -> Result<(), Infallible> {
        match leaf {
            Leaf::Float { bits, width } => self.add(bits, width),
            Leaf::Numbers(numbers) => numbers.iter().for_each(|number| match number {
                Number::Int(_) => {}
                Number::Float32(bits) => self.add(bits.into(), Width::W32),
                Number::Float64(bits) => self.add(bits, Width::W64),
            }),
            _ => {}
        }
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

/// Tests the sign, the payload and the quiet bit of NaNs of both widths in floats, vectors and packed arrays.
#[test]
fn the_bits_of_a_nan_are_kept_or_reported() {
    let wide = [
        0x7ff8_0000_0000_0000,
        0xfff8_0000_2000_0000,
        0x7ff8_0000_0000_0001,
        0x7ff0_0000_0000_0001,
    ];
    let narrow = [0x7fc0_0000, 0xffc0_0001, 0x7f80_0001_u32];
    let mut values = Vec::<(Variant, bool)>::new();
    for (bits, fits) in wide.into_iter().zip([true, true, false, false]) {
        let nan = f64::from_bits(bits);
        values.push((Variant::Float(Float::wide(nan)), fits));
        values.push((Variant::Vector2(MathValue::double(Vector2 { x: nan, y: 0.0 })), fits));
        values.push((Variant::PackedFloat64Array(vec![nan]), true));
    }
    for bits in narrow {
        let nan = f32::from_bits(bits);
        values.push((Variant::Float(nan.into()), true));
        values.push((Variant::PackedFloat32Array(vec![nan]), true));
        values.push((Vector2 { x: nan, y: 0.0 }.into(), true));
    }
    for (value, fits) in values {
        for &to in Dialect::ALL {
            let (converted, report) = convert(&value, to).unwrap();
            let is_kept = Bits::of(&converted) == Bits::of(&value);
            assert_eq!(is_kept, report.is_lossless(), "{to}: {value:?} is {:x?}", Bits::of(&value));
            assert!(!fits || is_kept || to == Dialect::Godot2, "{to}: {value:?}");
        }
    }
}

/// Integers near the limits of `f32` and `f64` precision are rounded once. A changed value is a loss.
#[test]
#[allow(
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "a test may panic"
)]
fn integers_are_rounded_once() {
    let near = (20..63).flat_map(|bit| {
        let half = |under: u32| 1_i64 << bit.max(under) >> under;
        [0, 1, -1, half(24), half(24) + 1, half(25), half(25) + 1, half(53) + 1]
            .map(|more| (1_i64 << bit).saturating_add(more))
    });
    for value in near.flat_map(|value| [value, -value]).chain([i64::MAX, i64::MIN]) {
        if i32::try_from(value).is_ok() {
            continue;
        }
        let nearest = value as f32;
        let is_exact = nearest as i128 == i128::from(value);
        for given in [Variant::from(value), array![value].into(), vec![value].into()] {
            let (converted, report) = convert(&given, Dialect::Godot2).unwrap();
            let float = converted.as_f64().or_else(|| converted.index(0)?.as_f64());
            assert_eq!(float, Some(nearest.into()), "{value}");
            assert_eq!(report.is_lossless(), is_exact, "{value}: {given:?}");
        }
    }
}

/// Godot 2 has paths of one text, which may be any bytes.
#[test]
fn a_path_that_is_not_text_is_reported() {
    for (plain, told) in [(&b"a/b:c"[..], 0), (b"a/\xff", 1), (b"\xed\xa0\x80:x", 1)] {
        let path = NodePath { plain: Some(plain.into()), ..NodePath::default() };
        for &to in Dialect::ALL {
            let report = report_of(Variant::NodePath(Box::new(path.clone())), to);
            assert_eq!(report.len(), told, "{to}: {report:?}");
        }
    }
}

fn report_of(value: impl Into<Variant>, to: Dialect) -> Vec<String> {
    let (_, report) = convert(&value.into(), to).unwrap();
    in_words(report.changes())
}

fn in_words(all: &[impl ToString]) -> Vec<String> {
    all.iter().map(ToString::to_string).collect()
}

/// The elements as an array of this declared type.
fn declared(kind: Kind, mut elements: Array) -> Array {
    elements.set_element_type(ElementType::Builtin(kind));
    elements
}

#[test]
fn losses_are_reported() {
    use Dialect::{Godot2, Godot3, Godot4};
    for (value, to, told) in [
        (Variant::from((1, 2)), Godot3, "(root): Vector2i became Vector2"),
        ((1, i32::MAX).into(), Godot3, "(root): Vector2i became Vector2, digits were lost"),
        (Variant::StringName("n".into()), Godot3, "(root): StringName became String"),
        (Variant::Callable, Godot3, "(root): Callable became Nil, its value was lost"),
        (Variant::Rid(7), Godot3, "(root): RID, its id was lost"),
        (vec![0.1_f64].into(), Godot3, "(root): PackedFloat64Array became Array"),
        (vec![0.5_f64].into(), Godot3, "(root): PackedFloat64Array became PackedFloat32Array"),
        (vec![1_i64 << 40].into(), Godot3, "(root): PackedInt64Array became Array"),
        ((1_i64 << 40).into(), Godot2, "(root): int became float"),
        (0.1.into(), Godot2, "(root): float, digits were lost"),
        (
            Variant::Vector2(MathValue::double(Vector2 { x: 0.1, y: 0.0 })),
            Godot3,
            "(root): Vector2, digits were lost",
        ),
        (
            Variant::String(b"\xed\xa0\x80"[..].into()),
            Godot4,
            "(root): String, bytes that are not text were replaced",
        ),
    ] {
        assert_eq!(report_of(value, to), [told]);
    }
    let keys = dictionary! { "a" => 1, array![(1, 2)] => array![Variant::Callable] };
    assert_eq!(
        report_of(keys, Godot3),
        ["{1:key}[0]: Vector2i became Vector2", "{1}[0]: Callable became Nil, its value was lost"]
    );
}

/// Pandemonium 5 can declare a class, but not a script. An array that declares a script becomes an untyped `Array`: a
/// `TypedArray` without a type would have the type nil, and could not hold the objects.
#[test]
fn a_type_that_the_target_lacks_is_not_declared() {
    for (declared, kept, kind) in [
        (ElementType::Script("res://a.gd".into()), ElementType::Any, Kind::Array),
        (ElementType::Class("Node".into()), ElementType::Class("Node".into()), Kind::TypedArray),
        (ElementType::Builtin(Kind::Int), ElementType::Builtin(Kind::Int), Kind::TypedArray),
    ] {
        let array = Array::with_type(declared);
        let (converted, report) = convert(&array.into(), Dialect::Pandemonium5).unwrap();
        assert_eq!(converted.kind(), kind);
        assert_eq!(converted.as_array().map(Array::element_type), Some(&kept));
        assert_eq!(report.changes().len(), 1);
    }
}

/// An image and an input event, which only Godot 2 has, become dictionaries of their fields.
#[test]
fn images_and_input_events_become_dictionaries() {
    let data = vec![1, 2, 255];
    let image = Image { format: 5, mipmaps: 0, width: 1, height: 2, data: data.clone() };
    let event = InputEvent { event: 4, device: 3, payload: data.clone() };
    let bytes = Variant::PackedByteArray(data);
    let of_image = dictionary! {
        "format" => 5, "mipmaps" => 0, "width" => 1, "height" => 2, "data" => bytes.clone()
    };
    let of_event = dictionary! { "event" => 4, "device" => 3, "payload" => bytes };
    for (value, expected) in [
        (Variant::Image(Box::new(image)), of_image),
        (Variant::InputEvent(Box::new(event)), of_event),
    ] {
        let name = value.kind();
        for to in Dialect::ALL.iter().copied().filter(|to| to.id(value.kind()).is_none()) {
            let (converted, report) = convert(&value, to).unwrap();
            assert!(converted.as_dictionary().unwrap().iter().eq(&expected), "{name} to {to}");
            let expected = format!("(root): {name} became Dictionary");
            assert_eq!(in_words(report.changes()), [expected], "{to}");
        }
    }
}

/// Converts bytes to bytes, without a tree.
fn streamed(document: Document<'_>, to: Dialect) -> (Vec<u8>, Report) {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, to);
    let report = convert_into(document, to, &mut writer).unwrap();
    writer.finish().unwrap();
    (bytes, report)
}

#[test]
fn a_stream_is_converted_as_a_tree() {
    for (from, path) in corpus::record_files() {
        for case in corpus::read_cases(&path).unwrap().iter().step_by(7) {
            let document = Document::new(&case.bytes, options(from, true));
            let Ok(value) = Variant::from_document(&document) else { continue };
            // Records with equal keys are skipped: a tree keeps only one of the keys, but a stream has all of them.
            if encode(&value, EncodeOptions::new(from)).ok().as_ref() != Some(&case.bytes) {
                continue;
            }
            for &to in Dialect::ALL {
                let (converted, report) = convert(&value, to).unwrap();
                let (bytes, streamed) = streamed(document, to);
                let read = Variant::from_document(&Document::new(&bytes, options(to, true)));
                assert_eq!(format!("{:?}", read.unwrap()), format!("{converted:?}"), "{from} {to}");
                let is_merged =
                    |report: &Report| report.groups().iter().any(|group| group.loss == Loss::Keys);
                if !is_merged(&streamed) {
                    assert_eq!(streamed, report);
                    assert_eq!(bytes, encode(&converted, to).unwrap());
                }
            }
        }
    }
}

/// A type is not declared if a much later element does not fit it. All keys that become equal are written.
#[test]
fn a_stream_knows_what_comes() {
    let mut ints: Array = (0..1_000).collect();
    ints.push("two");
    let fine = declared(Kind::Int, array![1]);
    let value = array![fine.clone(), declared(Kind::Int, ints), fine].into();
    let bytes = encode(&value, Dialect::Godot4).unwrap();
    let document = Document::new(&bytes, options(Dialect::Godot4, true));
    let (bytes, report) = streamed(document, Dialect::Godot4);
    let read = Variant::from_document(&Document::new(&bytes, Dialect::Godot4)).unwrap();
    let declared = [0, 1, 2].map(|at| read[at].as_array().unwrap().element_type().clone());
    let int = ElementType::Builtin(Kind::Int);
    assert_eq!(declared, [int.clone(), ElementType::Any, int]);
    assert_eq!(report.changes()[0].to_string(), "[1]: Array, the declared element type was lost");

    let rule = KeyRule::of(Dialect::Pandemonium5);
    let mut two = Dictionary::with_rule(rule);
    two.insert(array![Variant::StringName("k".into())], 1);
    two.insert("k", 2);
    two.insert(Variant::StringName("k".into()), 3);
    let bytes = encode(&two.into(), Dialect::Pandemonium5).unwrap();
    let document = Document::new(&bytes, options(Dialect::Pandemonium5, true));
    let (bytes, report) = streamed(document, Dialect::Godot4);
    assert_eq!(
        report.changes()[0].to_string(),
        "(root): Dictionary, keys that are the same there were merged"
    );
    let read = Variant::from_document(&Document::new(&bytes, Dialect::Godot4)).unwrap();
    assert_eq!(read["k"], 3);
    let options = ConvertOptions::new(Dialect::Godot4).strict(true);
    assert!(convert_into(document, options, &mut variant_owned::Collector::default()).is_err());
}

#[test]
fn changes_are_reported_in_groups() {
    let entity = |tag: &str| dictionary! { "tag" => Variant::StringName(tag.into()), 7 => (1, 2) };
    let save = dictionary! {
        "entities" => (0..20).map(|n| entity(&n.to_string())).collect::<Array>(),
        "lone" => array![Variant::Callable, 1],
        array![(3, 4)] => true,
    };
    let (_, report) = convert(&save.into(), Dialect::Godot3).unwrap();
    assert_eq!(
        in_words(report.groups()),
        [
            "entities[*].tag x20: StringName became String",
            "entities[*][*] x20: Vector2i became Vector2",
            "lone[0]: Callable became Nil, its value was lost",
            "{2:key}[0]: Vector2i became Vector2",
        ]
    );
    assert_eq!(report.groups()[0].first.as_deref(), Some("entities[0].tag"));
    assert_eq!((report.count(), report.changes().len()), (42, 42));
    assert!(!report.is_lossless());
}

/// The first hundred groups have their paths; the changes after them are grouped by their type alone.
#[test]
fn groups_are_bounded() {
    let mut all = Dictionary::new();
    for n in 0..5_000 {
        all.insert(format!("key {n}"), Variant::StringName("n".into()));
        all.insert(format!("other {n}"), (n, n));
    }
    let (_, report) = convert(&all.into(), Dialect::Godot3).unwrap();
    assert_eq!((report.count(), report.changes().len()), (10_000, 100));
    assert_eq!(report.groups().len(), 102);
    assert_eq!(
        in_words(&report.groups()[99..]),
        [
            "[\"other 49\"]: Vector2i became Vector2",
            "… x4950: StringName became String",
            "… x4950: Vector2i became Vector2",
        ]
    );
}

/// The place of a group has no name of more than 48 bytes.
#[test]
fn groups_have_names_up_to_a_length() {
    for (len, is_kept) in [(1, true), (48, true), (49, false)] {
        let name = "k".repeat(len);
        let value = dictionary! { &name => array![Variant::Callable, Variant::Callable] };
        let (_, report) = convert(&value.into(), Dialect::Godot3).unwrap();
        let shown = if is_kept { name } else { "{*}".to_owned() };
        assert_eq!(
            in_words(report.groups()),
            [format!("{shown}[*] x2: Callable became Nil, its value was lost")]
        );
    }
}

/// An array of 64-bit integers becomes an array of integers if the target has wide integers, and of floats otherwise.
#[test]
fn wide_integers_stay_integers_where_they_can() {
    let wide = [1 << 40, (1 << 53) + 1, i64::MIN, 7_i64];
    for to in engines_and_pages() {
        let (converted, report) = convert(&Variant::from(wide), to).unwrap();
        let is_narrow = to.int_width() == Some(Width::W32);
        if to.id(Kind::PackedInt64Array).is_some() {
            assert_eq!(converted, Variant::from(wide), "{to}");
        } else if is_narrow {
            assert_eq!(converted[0].kind(), Kind::Float, "{to}");
        } else {
            assert_eq!(converted, Variant::from(Array::from_iter(wide)), "{to}");
        }
        assert_eq!(report.is_lossless(), !is_narrow, "{to}");
    }
}

/// A documentation page calls some kinds unsupported. Values of these kinds become nil.
#[test]
fn kinds_that_a_page_calls_unsupported_become_nil() {
    for to in Page::ALL.iter().map(|page| page.dialect()) {
        for (value, change) in [
            (Variant::Rid(0), "(root): RID became Nil"),
            (Variant::Rid(7), "(root): RID became Nil, its id was lost"),
            (Object::Null.into(), "(root): Object became Nil"),
            (Object::Id(7).into(), "(root): Object became Nil, its id was lost"),
        ] {
            assert_eq!(report_of(value.clone(), to), [change], "{to}");
            assert_eq!(convert(&value, to).unwrap().0, Variant::Nil);
        }
        let object = convert(&Object::new("Node").into(), to).unwrap().0;
        assert_eq!(object, Variant::from(array![]), "{to}");
    }
}

/// Keys inside of a key are compared like others: distinct keys are kept without a report, and equal keys are reported
/// where they are.
#[test]
fn keys_inside_of_a_key_are_merged_if_they_are_equal() {
    let mut two = Dictionary::with_rule(KeyRule::of(Dialect::Pandemonium5));
    two.insert("k", 1);
    two.insert(Variant::StringName("k".into()), 2);
    let mut outer = Dictionary::with_rule(KeyRule::of(Dialect::Pandemonium5));
    outer.insert(array![1, 2, array![3, 4]], 1);
    outer.insert(dictionary! { "a" => dictionary! { 1 => 2, 3 => 4 }, 5 => 6 }, 2);
    let value = Variant::from(outer.clone());
    for to in [Dialect::Godot4, Dialect::Godot3, Dialect::Pandemonium5] {
        assert_eq!(report_of(value.clone(), to), [""; 0], "{to}");
    }
    outer.insert(array![two.clone(), 1], 3);
    let merged = "keys that are the same there were merged";
    let told = [format!("{{2:key}}[0]: Dictionary, {merged}")];
    let value = Variant::from(outer.clone());
    assert_eq!(report_of(value, Dialect::Godot4), told);
    // The keys that follow such a key are still compared.
    outer.insert("k", 4);
    outer.insert(Variant::StringName("k".into()), two);
    let value = Variant::from(outer);
    let (converted, report) = convert(&value, Dialect::Godot4).unwrap();
    assert_eq!(report.count(), 3);
    assert_eq!(in_words(report.changes())[0], told[0]);
    assert_eq!(in_words(report.changes())[2], format!("(root): Dictionary, {merged}"));
    assert_eq!(converted.as_dictionary().map(Dictionary::len), Some(4));
}

/// Integers in arrays of floats, and floats in packed arrays, become the values that readers make of them
/// (docs/spec/format.md#typed-containers and docs/spec/format.md#packedtypedarray).
#[test]
fn elements_are_what_the_reader_has() {
    let floats = declared(Kind::Float, array![16_777_217, 3, 0.1, (1_i64 << 60) + (1 << 36) + 1]);
    let (converted, report) = convert(&floats.into(), Dialect::Godot4).unwrap();
    let nearest = f64::from(2.0_f32.powi(60)) + 2.0_f64.powi(37);
    let kept = declared(Kind::Float, array![16_777_216.0, 3.0, 0.1, nearest]);
    assert_eq!(converted, Variant::from(kept));
    assert_eq!(
        in_words(report.changes()),
        [
            "[0]: int became float, digits were lost",
            "[1]: int became float",
            "[3]: int became float, digits were lost"
        ]
    );

    let mut keys = dictionary! { 16_777_217 => 1, 16_777_216.0 => 16_777_217 };
    keys.set_types(ElementType::Builtin(Kind::Float), ElementType::Builtin(Kind::Float));
    let (converted, report) = convert(&keys.into(), Dialect::Godot4).unwrap();
    let mut one = dictionary! { 16_777_216.0 => 16_777_217 };
    one.set_types(ElementType::Builtin(Kind::Float), ElementType::Builtin(Kind::Float));
    assert_eq!(converted, Variant::from(one));
    assert_eq!(report.changes().last().map(|change| change.loss), Some(Loss::Keys));

    let packed = Variant::PackedTypedArray(declared(Kind::Float, array![0.1, 1.5, f64::NAN]));
    let (converted, report) = convert(&packed, Dialect::Pandemonium5).unwrap();
    let kept = declared(Kind::Float, array![f64::from(0.1_f32), 1.5, f64::NAN]);
    assert_eq!(converted, Variant::PackedTypedArray(kept));
    assert_eq!(report.count(), 1);
    let typed = Variant::TypedArray(declared(Kind::Float, array![0.1, 1.5, f64::NAN]));
    assert!(convert(&typed, Dialect::Pandemonium5).unwrap().1.is_empty());

    let names = declared(Kind::StringName, array!["a"]);
    let (converted, _) = convert(&names.into(), Dialect::Godot4).unwrap();
    assert_eq!(converted[0].kind(), Kind::StringName);
}

/// The reader would drop the element, so the type is dropped instead.
#[test]
fn a_type_that_an_element_does_not_fit_is_not_declared() {
    for dialect in [Dialect::Godot4, Dialect::Pandemonium5] {
        let ints = declared(Kind::Int, array![1, "two"]);
        let (converted, report) = convert(&ints.into(), dialect).unwrap();
        assert_eq!(converted, Variant::from(array![1, "two"]));
        assert_eq!(report.changes()[0].loss, Loss::ElementType);
    }
    // Only the third array has such an element, so the other arrays keep their types.
    let arrays = [array![1], array![2], array!["three"], array![4]];
    let all: Array = arrays.into_iter().map(|elements| declared(Kind::Int, elements)).collect();
    for (value, is_inside) in [(all.clone(), false), (array![array![], all], true)] {
        let (converted, report) = convert(&value.into(), Dialect::Godot4).unwrap();
        let arrays = if is_inside { &converted[1] } else { &converted }.as_array().unwrap().iter();
        let is_typed = |array: &Variant| !array.as_array().unwrap().element_type().is_any();
        let is_typed: Vec<_> = arrays.map(is_typed).collect();
        assert_eq!((is_typed, report.count()), (vec![true, true, false, true], 1));
    }
    // The reader of Pandemonium 5 does not cast an integer to a float, so the type is dropped here too.
    let floats = declared(Kind::Float, array![1]).into();
    assert_eq!(convert(&floats, Dialect::Pandemonium5).unwrap().0, Variant::from(array![1]));
}

/// Each loss is described in words, and no two alike.
#[test]
fn losses_are_described() {
    let all = [
        Loss::Kind,
        Loss::Precision,
        Loss::Value,
        Loss::Id,
        Loss::ElementType,
        Loss::Text,
        Loss::Keys,
        Loss::Object,
    ];
    let texts: std::collections::BTreeSet<String> = all.iter().map(ToString::to_string).collect();
    assert_eq!(texts.len(), all.len());
    assert!(
        texts.iter().all(|text| text.contains(" was")
            || text.contains(" were")
            || text.ends_with("changed"))
    );
}

/// Reals in 64 bits stay if the options say so, also in a dialect whose reals have 32 bits.
#[test]
fn reals_of_64_bits_stay_if_wanted() {
    let value = Variant::Vector2(MathValue::double(Vector2 { x: 0.1, y: 0.0 }));
    for (reals, is_kept) in [(Reals::Always64, true), (Reals::default(), false)] {
        let options = ConvertOptions::new(Dialect::Godot3).reals(reals);
        let (converted, report) = convert(&value, ConvertOptions::from(&options)).unwrap();
        assert_eq!((converted == value, report.is_empty()), (is_kept, is_kept), "{report:?}");
    }
}

/// The reader of Godot 4 casts elements to the declared type. The reader of Pandemonium 5 does not, so no element is
/// changed for it.
#[test]
fn elements_are_cast_only_where_the_reader_casts() {
    let declared = |kind, element: Variant| {
        let mut array = Array::with_type(ElementType::Builtin(kind));
        array.push(element);
        Variant::TypedArray(array)
    };
    for value in [
        declared(Kind::Float, 5.into()),
        declared(Kind::String, Variant::StringName("a".into())),
        declared(Kind::StringName, "a".into()),
    ] {
        let kind = value.index(0).unwrap().kind();
        let of = |to| convert(&value, to).unwrap().0.index(0).unwrap().kind();
        assert_eq!(of(Dialect::Pandemonium5), kind);
        assert_ne!(of(Dialect::Godot4), kind);
    }
}

/// The path in a report of a stream has the mark of a `StringName` key where the source distinguishes both keys.
#[test]
fn a_stream_marks_keys_that_are_names() {
    for (dialect, path) in [(Dialect::Godot4, "k[0]"), (Dialect::Pandemonium5, "[&\"k\"][0]")] {
        let mut all = Dictionary::with_rule(KeyRule::of(dialect));
        all.insert(Variant::StringName("k".into()), array![Variant::Callable]);
        let value = Variant::from(all);
        let (_, report) = convert(&value, Dialect::Godot3).unwrap();
        let mut bytes = Vec::new();
        let mut writer = Writer::new(&mut bytes, Dialect::Godot3);
        let streamed = convert_into(&value, Dialect::Godot3, &mut writer).unwrap();
        for report in [report, streamed] {
            let paths: Vec<_> = report.changes().iter().map(|change| &*change.path).collect();
            assert!(paths.contains(&path), "{paths:?}");
        }
    }
}
