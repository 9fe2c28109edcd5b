//! The elements of packed arrays are rows, and are edited like the list of them.

use variant_document::edit::{Action, Draft, Edit};
use variant_document::lookup::offset_of;
use variant_document::query::{Query, select_elements};
use variant_document::search::Search;
use variant_document::tree::{Child, Children, Entry, Label, Store, Walk, matches};
use variant_document::{Plain, batches};
use variant_io::{ByteOrder, Framing};
use variant_owned::{EncodeOptions, Precision, Variant, encode, from_text};
use variant_testkit::corpus;
use variant_view::{Dialect, Kind, Options, Reals, VariantView};

/// The name of each packed array, the name of its elements in literals, and the arguments of some elements.
const ARRAYS: [(&str, &str, [&str; 5]); 12] = [
    ("PackedByteArray", "", ["0", "255", "7", "12", "1"]),
    ("PackedInt32Array", "", ["-2147483648", "2147483647", "0", "12", "1"]),
    ("PackedInt64Array", "", ["-9223372036854775808", "9223372036854775807", "0", "12", "1"]),
    ("PackedFloat32Array", "", ["0.1", "-0.0", "inf", "1e-45", "12.0"]),
    ("PackedFloat64Array", "", ["0.1", "-0.0", "inf", "5e-324", "12.0"]),
    ("PackedStringArray", "", ["\"\"", "\"a\"", "\"four\"", "\"\u{e5} \\\" \\n\"", "\"a, b\""]),
    ("PackedVector2Array", "Vector2", ["1, 2", "0.1, -0.1", "0, 0", "12, 1.5", "inf, 3"]),
    ("PackedVector3Array", "Vector3", ["1, 2, 3", "0.1, 0, 0", "0, 0, 0", "12, 1, 2", "inf, 3, 1"]),
    (
        "PackedVector4Array",
        "Vector4",
        ["1, 2, 3, 4", "0.1, 0, 0, 1", "0, 0, 0, 0", "12, 1, 2, 3", "1, 1, 1, 1"],
    ),
    (
        "PackedColorArray",
        "Color",
        ["1, 1, 1, 1", "0.1, 0, 0, 1", "0, 0, 0, 0", "0.5, 1, 1, 1", "1, 0, 0, 1"],
    ),
    ("PackedVector2iArray", "Vector2i", ["1, 2", "-1, 0", "0, 0", "12, 1", "7, 7"]),
    ("PackedVector3iArray", "Vector3i", ["1, 2, 3", "-1, 0, 0", "0, 0, 0", "12, 1, 1", "7, 7, 7"]),
];

/// Dialects and their options, with reals of both widths.
fn ways() -> impl Iterator<Item = (EncodeOptions, Options)> {
    let all = [
        (Dialect::Godot2, Precision::Single, Reals::ByFlag),
        (Dialect::Godot3, Precision::Single, Reals::ByFlag),
        (Dialect::Godot3, Precision::AsIs, Reals::Always64),
        (Dialect::Godot4, Precision::Single, Reals::ByFlag),
        (Dialect::Godot4, Precision::Double, Reals::ByFlag),
        (Dialect::Pandemonium5, Precision::Single, Reals::ByFlag),
    ];
    all.into_iter().map(|(dialect, precision, reals)| {
        let encoding = EncodeOptions::new(dialect).precision(precision).reals(reals);
        (encoding, Options::engine(dialect).reals(reals))
    })
}

/// A file with a packed array of these elements between other values.
fn file_of(array: &str, elements: &[&str], encoding: EncodeOptions) -> Vec<u8> {
    let list = elements.join(", ");
    let literal = format!("{{\"n\": 1, \"a\": {array}({list}), \"z\": \"end\"}}");
    encode(&from_text(&literal).unwrap(), encoding).unwrap()
}

/// Calls `check` with each kind of array in each dialect that has it: the arguments of two elements, the literal of an
/// element, the encoding, and the options.
fn each(check: impl Fn(&str, &[&str; 5], &dyn Fn(&str) -> Variant, EncodeOptions, Options)) {
    let mut count = 0;
    for (encoding, options) in ways() {
        for (array, element, all) in &ARRAYS {
            let kind = Kind::ALL.iter().find(|kind| kind.name() == *array).unwrap();
            if options.dialect.id(*kind).is_none() {
                continue;
            }
            let value = |arguments: &str| {
                let is_call = !element.is_empty();
                let literal =
                    if is_call { format!("{element}({arguments})") } else { arguments.to_owned() };
                from_text(&literal).unwrap()
            };
            check(array, all, &value, encoding, options);
            count += 1;
        }
    }
    assert!(count > 50, "{count}");
}

/// Makes a change, undoes it, and makes it again. Returns the changed bytes.
fn edited(bytes: &[u8], options: Options, path: String, action: Action) -> Result<Vec<u8>, String> {
    let mut draft = Draft::new(Plain::new(bytes, Framing::Bare, options));
    let edit = Edit { frame: None, path, action };
    let back = draft.make(&edit).map_err(|error| error.to_string())?;
    let changed = draft.bytes().to_vec();
    let forth = draft.apply(back).unwrap();
    assert_eq!(draft.bytes(), bytes);
    draft.apply(forth).unwrap();
    assert_eq!(draft.bytes(), changed);
    Ok(changed)
}

#[test]
fn a_change_of_an_element_is_that_of_the_list() {
    each(|array, all, value, encoding, options| {
        for len in (0..all.len()).step_by(corpus::one_in(3)).chain([all.len()]) {
            let list = &all[..len];
            let bytes = file_of(array, list, encoding);
            let check = |path: String, action: Action, list: &[&str]| {
                let changed = edited(&bytes, options, path.clone(), action);
                assert_eq!(changed, Ok(file_of(array, list, encoding)), "{array} {len}: {path}");
            };
            for new in all {
                for index in 0..len {
                    let mut list = list.to_vec();
                    list[index] = new;
                    check(format!("a[{index}]"), Action::Set(value(new)), &list);
                    let from_end = len - index;
                    check(format!("{{1}}[-{from_end}]"), Action::Set(value(new)), &list);
                }
                for index in 0..=len {
                    let mut list = list.to_vec();
                    list.insert(index, new);
                    check(format!("a[{index}]"), Action::Insert(value(new)), &list);
                }
                let more = [list, &[*new]].concat();
                check("a[+]".to_owned(), Action::Insert(value(new)), &more);
                let same = vec![*new; len];
                if len > 0 {
                    check("a[*]".to_owned(), Action::Set(value(new)), &same);
                }
            }
            for index in 0..len {
                let mut list = list.to_vec();
                list.remove(index);
                check(format!("a{{{index}}}"), Action::Delete, &list);
            }
            for start in 0..len.saturating_sub(1) {
                let rest = [&list[..start], &list[len - 1..]].concat();
                check(format!("a[{start}:-1]"), Action::Delete, &rest);
            }
        }
    });
}

#[test]
fn changes_of_several_elements_are_made_in_one_pass() {
    each(|array, all, value, encoding, options| {
        let bytes = file_of(array, all, encoding);
        let mut draft = Draft::new(Plain::new(&bytes, Framing::Bare, options));
        let set = |path: &str, new| Edit {
            frame: Some(1),
            path: path.to_owned(),
            action: Action::Set(value(new)),
        };
        let edits = [set("a[3]", all[0]), set("a[-5]", all[1]), set("a{2}", all[4])];
        assert_eq!(draft.make_all(&edits).unwrap().len(), 1, "{array}");
        let list = [all[1], all[1], all[4], all[0], all[4]];
        assert_eq!(draft.bytes(), file_of(array, &list, encoding), "{array}");
    });
}

/// The rows below a value, each with its path.
fn rows<'a>(of: &Child<'a>, path: &str) -> Vec<(String, Child<'a>)> {
    let Some(mut children) = Children::of(of) else { return Vec::new() };
    let mut rows = Vec::new();
    for index in 0..children.rows() {
        let Some(Entry::Child(child)) = children.get(index) else { panic!("no row {index}") };
        let mut path = path.to_owned();
        child.extend_path(&mut path);
        rows.push((path, child));
    }
    rows
}

/// The number of elements of a file that are looked up.
const LOOK_UPS: usize = 20;

/// Checks the rows of all packed arrays of a file. Returns the number of elements.
fn check_rows(name: &str, file: Plain<'_>) -> usize {
    let mut open = Vec::new();
    let mut pieces = Children::of_file(file);
    for index in 0.. {
        let Some(Entry::Child(piece)) = pieces.get(index) else { break };
        open.push((vec![index], String::new(), piece));
    }
    let (mut count, mut looked_up) = (0, 0);
    while let Some((way, path, child)) = open.pop() {
        let view = child.spot.view().unwrap();
        let below = rows(&child, &path);
        if let Some(elements) = child.spot.elements() {
            let values: Vec<_> = elements.iter().map(owned).collect();
            assert_eq!(values, listed(&view), "{name}: {path}");
            let found: Vec<_> =
                below.iter().map(|(_, row)| owned(row.spot.view().unwrap())).collect();
            assert_eq!(found, values, "{name}: {path}");
            // Each look-up reads the file up to the element, so only some elements are looked up: at most eight of an
            // array, and those of the first arrays.
            let step = below.len() / 8 + 1;
            let some =
                below.iter().enumerate().step_by(step).take(LOOK_UPS.saturating_sub(looked_up));
            for (index, (inner, row)) in some {
                looked_up += 1;
                assert!(
                    matches!(row.label, Label::Element(at) if usize::try_from(at) == Ok(index))
                );
                assert_eq!(row.spot.view().unwrap().kind(), view.kind().element().unwrap());
                let first = &child_of_file(file, way[0]);
                let piece = file.document(first.spot.bytes);
                let offset = offset_of(piece, inner).unwrap() + first.spot.start;
                assert_eq!(offset, row.spot.start, "{name}: {inner}");
                let mut walk = Walk::to_byte(file, offset, &mut Store::default()).unwrap();
                let expected: Vec<_> = way.iter().copied().chain([index]).collect();
                assert_eq!(walk.way(), expected, "{name}: {inner}");
                let again = Walk::to_way(file, &expected, &mut Store::default());
                assert_eq!(again.unwrap().child().unwrap().spot.start, row.spot.start);
                let around = walk.around().unwrap();
                assert_eq!(around.spot.start, child.spot.start);
                let bytes = row.spot.document_bytes();
                let document = variant_view::Document::new(&bytes, row.spot.options);
                assert_eq!(owned(document.root().unwrap()), values[index], "{name}: {inner}");
            }
            let end = below.last().map(|(_, row)| row.spot.start + row.spot.size().unwrap());
            if let Some(end) = end {
                let len = child.spot.start + child.spot.size().unwrap() - end;
                assert!(len < 4, "{name}: {path}");
            }
            count += values.len();
        }
        for (index, (path, row)) in below.into_iter().enumerate() {
            // The path of the value inside a byte array is that of the array.
            if !matches!(row.label, Label::Inside) {
                open.push((way.iter().copied().chain([index]).collect(), path, row));
            }
        }
    }
    count
}

fn child_of_file(file: Plain<'_>, index: usize) -> Child<'_> {
    match Children::of_file(file).get(index) {
        Some(Entry::Child(child)) => child,
        _ => panic!("no value {index}"),
    }
}

fn owned(view: VariantView<'_>) -> Variant {
    Variant::from_producer(view).unwrap()
}

/// The elements of an array, one by one from its owned form.
fn listed(view: &VariantView<'_>) -> Vec<Variant> {
    if let VariantView::PackedStringArray(texts) = view {
        return texts.iter().map(|text| Variant::String(text.as_bytes().into())).collect();
    }
    let (all, element) = (view.numbers().unwrap(), view.kind().element().unwrap());
    let lanes = usize::from(all.shape().count);
    let one = |at: usize| {
        let mut wire = Vec::new();
        for number in (at * lanes..(at + 1) * lanes).map(|at| all.get(at).unwrap()) {
            match number {
                variant_view::Number::Int(int) if lanes == 1 => return int.into(),
                variant_view::Number::Float32(bits) if lanes == 1 => {
                    return f64::from(f32::from_bits(bits)).into();
                }
                variant_view::Number::Float64(bits) if lanes == 1 => {
                    return f64::from_bits(bits).into();
                }
                variant_view::Number::Int(int) => {
                    wire.extend(i32::try_from(int).unwrap().to_le_bytes());
                }
                variant_view::Number::Float32(bits) => wire.extend(bits.to_le_bytes()),
                variant_view::Number::Float64(bits) => wire.extend(bits.to_le_bytes()),
            }
        }
        let numbers = variant_view::Numbers::from_wire(element, all.width(), &wire).unwrap();
        Variant::from_numbers(&numbers)
    };
    (0..all.elements()).map(one).collect()
}

#[test]
fn rows_are_the_elements() {
    let frames = Framing::Frames(ByteOrder::Little);
    let mut count = 0;
    for (name, framing, dialect) in [
        ("godot3/saves/rpg_save.bin", frames, Dialect::Godot3),
        ("godot3/saves/project.binary", Framing::Settings, Dialect::Godot3),
        ("godot4/saves/project.binary", Framing::Settings, Dialect::Godot4),
        ("godot4/saves/sample20.variant", Framing::Bare, Dialect::Godot4),
    ] {
        let bytes = corpus::bytes(name).unwrap();
        count += check_rows(name, Plain::new(&bytes, framing, Options::engine(dialect)));
    }
    assert!(count > 100, "{count}");
    each(|array, all, _, encoding, options| {
        let bytes = file_of(array, all, encoding);
        let count = check_rows(array, Plain::new(&bytes, Framing::Bare, options));
        assert_eq!(count, all.len(), "{array}");
    });
}

#[test]
fn an_element_of_another_kind_is_refused() {
    let file = r#"{"b": PackedByteArray(1, 2), "p": PackedVector2Array(1, 2), "s": PackedStringArray("a")}"#;
    let bytes = encode(&from_text(file).unwrap(), Dialect::Godot4).unwrap();
    let options = Options::engine(Dialect::Godot4);
    let refused =
        |path: &str, action: Action| edited(&bytes, options, path.to_owned(), action).unwrap_err();
    let value = |literal: &str| from_text(literal).unwrap();
    for (path, literal, why) in [
        ("b[0]", "1.5", "the container holds int only, and this is float"),
        ("b[0]", "256", "a byte, 0 to 255"),
        ("b[+]", "-1", "a byte, 0 to 255"),
        ("p[0]", "Vector3(1, 2, 3)", "the container holds Vector2 only, and this is Vector3"),
        ("p[+]", "[1, 2]", "the container holds Vector2 only, and this is Array"),
        ("s[0]", "1", "the container holds String only, and this is int"),
    ] {
        let action = if path.ends_with("[+]") { Action::Insert } else { Action::Set };
        let error = refused(path, action(value(literal)));
        assert!(error.contains(why), "{path}: {error}");
    }
    for (path, why) in [
        ("p[1]", "no element [1] at path column 1, in the PackedVector2Array p, which has 1"),
        ("p.x", "which is not a container"),
        ("..[0]", "nothing is at the path"),
    ] {
        let error = refused(path, Action::Delete);
        assert!(error.contains(why), "{path}: {error}");
    }
    let error = refused("p[5]", Action::Insert(value("Vector2(1, 2)")));
    assert!(error.contains("the array has 1 elements, and [+] adds one"), "{error}");
    let error = refused("p.x", Action::Insert(value("Vector2(1, 2)")));
    assert!(error.contains("an array needs an index, or [+]"), "{error}");
    let error = refused("p[0]", Action::RenameKey("a".to_owned()));
    assert!(error.contains("only a pair or a property has a key"), "{error}");
}

#[test]
fn a_path_into_a_byte_array_leads_to_the_value_inside() {
    let inner = encode(&from_text("[5, 7]").unwrap(), Dialect::Godot4).unwrap();
    let list: Vec<_> = inner.iter().map(ToString::to_string).collect();
    let bytes = file_of(
        "PackedByteArray",
        &list.iter().map(|byte| &**byte).collect::<Vec<_>>(),
        EncodeOptions::new(Dialect::Godot4),
    );
    let options = Options::engine(Dialect::Godot4);
    let changed = edited(&bytes, options, "a[0]".to_owned(), Action::Set(9.into())).unwrap();
    assert_eq!(changed.iter().zip(&bytes).filter(|(new, old)| new != old).count(), 1);
    assert!(changed.windows(8).any(|value| value == [2, 0, 0, 0, 9, 0, 0, 0]));
}

#[test]
fn paths_select_elements() {
    let file = r#"{"p": PackedVector2Array(1, 2, 3, 4, 5, 6), "n": [PackedInt32Array(1, 12, 3)], "s": PackedStringArray("a", "bb", "c")}"#;
    let bytes = encode(&from_text(file).unwrap(), Dialect::Godot4).unwrap();
    let plain = Plain::new(&bytes, Framing::Bare, Options::engine(Dialect::Godot4));
    let selected = |path: &str| {
        let mut found = Vec::new();
        let query = Query::parse(path).unwrap();
        select_elements(&plain.document(&bytes), &query, |one| {
            found.push((one.text(), one.start, one.end().unwrap()));
            Ok::<_, ()>(())
        })
        .unwrap();
        let rows = matches(plain, &query, 9).found;
        let places: Vec<_> = rows
            .iter()
            .map(|row| (row.spot.start, row.spot.start + row.spot.size().unwrap()))
            .collect();
        assert_eq!(places, found.iter().map(|(_, start, end)| (*start, *end)).collect::<Vec<_>>());
        found
    };
    let texts = |path: &str| selected(path).into_iter().map(|(text, ..)| text).collect::<Vec<_>>();
    assert_eq!(texts("p[1]"), ["p[1]"]);
    assert_eq!(texts("p[-1]"), ["p[2]"]);
    assert_eq!(texts("p{0}"), ["p[0]"]);
    assert_eq!(texts("p[3]"), [""; 0]);
    assert_eq!(texts("p[1:]"), ["p[1]", "p[2]"]);
    assert_eq!(texts("*[0]"), ["p[0]", "n[0]", "s[0]"]);
    assert_eq!(texts("n[*][?@>2]"), ["n[0][1]", "n[0][2]"]);
    assert_eq!(texts("s[?@==\"bb\"]"), ["s[1]"]);
    assert_eq!(texts("s.*"), ["s[0]", "s[1]", "s[2]"]);
    assert_eq!(texts("..[1]"), [""; 0]);
    for (text, start, end) in selected("*.*") {
        assert_eq!(selected(&format!("@{start}")), [(text, start, end)]);
    }
}

/// All hits of a search that stops after `most` hits or `most_bytes`, and continues where it stopped.
fn found(plain: Plain<'_>, most_bytes: usize, most: usize) -> Vec<String> {
    let mut search = Search::new("12", true);
    search.most_bytes = most_bytes;
    let (mut found, mut next, mut store) = (Vec::new(), Some(0), Store::default());
    while let Some(from) = next {
        let hits = search.run(plain, from, most, &mut store);
        assert!(hits.next.is_none_or(|next| next > from || !hits.found.is_empty()));
        assert!(hits.found.len() <= most);
        found.extend(hits.found.iter().map(|hit| {
            let mut path = String::new();
            hit.chain.iter().for_each(|(_, child)| child.extend_path(&mut path));
            path + if hit.is_key { " (key)" } else { "" }
        }));
        next = hits.next;
    }
    found
}

#[test]
fn a_search_finds_elements() {
    let packed = r#"{"b": PackedByteArray(12, 49, 50), "i": PackedInt32Array(1, 12, 125, 2, 12), "s": PackedStringArray("12", "", "a12", "b"), "v": PackedVector3Array(1, 2, 3, 12, 0, 0)}"#;
    let keys = r#"{"a": 12, "12": PackedInt32Array(5), "c": 12, "124": PackedByteArray(12)}"#;
    for (file, expected) in [
        (packed, &["b[0]", "i[1]", "i[2]", "i[4]", "s[0]", "s[2]", "v[1]"][..]),
        (keys, &["a", "12 (key)", "c", "124 (key)", "124[0]"]),
    ] {
        let bytes = encode(&from_text(file).unwrap(), Dialect::Godot4).unwrap();
        let plain = Plain::new(&bytes, Framing::Bare, Options::engine(Dialect::Godot4));
        for most_bytes in [1, 7, 64, usize::MAX] {
            for most in 1..4 {
                assert_eq!(found(plain, most_bytes, most), expected, "{most_bytes} {most}");
            }
        }
    }
}

#[test]
fn a_search_after_an_array_ends() {
    let array = encode(&from_text("PackedInt32Array(1, 2)").unwrap(), Dialect::Godot4).unwrap();
    let bytes = [&array[..], &12_u32.to_le_bytes().repeat(100_000)].concat();
    let plain = Plain::new(&bytes, Framing::Bare, Options::engine(Dialect::Godot4));
    assert_eq!(found(plain, usize::MAX, 3), <[&str; 0]>::default());
}

#[test]
fn items_of_arrays_inside_each_other_are_inserted_at_once() {
    let bytes = encode(&from_text("[[PackedByteArray(1, 2, 3, 4)]]").unwrap(), Dialect::Godot4);
    let options = Options::engine(Dialect::Godot4);
    let action = Action::Insert(from_text("7").unwrap());
    let changed = edited(&bytes.unwrap(), options, "..*[+]".to_owned(), action).unwrap();
    let expected = from_text("[[PackedByteArray(1, 2, 3, 4, 7), 7]]").unwrap();
    assert_eq!(changed, encode(&expected, Dialect::Godot4).unwrap());
}

/// The last row of a long array is found without the rows before it: nothing of the array is kept.
#[test]
fn a_long_array_is_read_where_it_is_shown() {
    const LEN: usize = 50_000_000;
    let mut bytes = [29_u32, u32::try_from(LEN).unwrap()].map(u32::to_le_bytes).concat();
    bytes.resize(bytes.len() + LEN, 0xff);
    bytes[8 + LEN - 1] = 3;
    let plain = Plain::new(&bytes, Framing::Bare, Options::engine(Dialect::Godot4));
    let mut children = Children::of(&child_of_file(plain, 0)).unwrap();
    assert_eq!(children.rows(), LEN);
    let Some((last, Entry::Child(child))) = children.last() else { panic!("no last row") };
    assert_eq!((last, owned(child.spot.view().unwrap())), (LEN - 1, 3.into()));
    assert_eq!(children.index_of(8 + 12_345_678), Some(12_345_678));
    let known = format!("{:?}", children.into_known());
    assert!(known.len() < 200, "{known}");
}

/// A damaged count adds no more rows than the bytes could hold.
#[test]
fn a_damaged_count_adds_few_rows() {
    for head in [27, 28] {
        let bytes = [head, 0x7fff_ffff_u32, 2, 7, 2, 8].map(u32::to_le_bytes).concat();
        let plain = Plain::new(&bytes, Framing::Bare, Options::engine(Dialect::Godot4));
        let rows = Children::of(&child_of_file(plain, 0)).unwrap().rows();
        assert!((2..=bytes.len() / 4 + 1).contains(&rows), "{rows}");
    }
}

/// A byte leads to the child that holds it, and a byte after the last child leads to the last child.
#[test]
fn a_byte_leads_to_its_child() {
    for len in [1, 2, 255, 256, 257, 512] {
        let items =
            |item: &[u32]| item.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>();
        let count = u32::try_from(len).unwrap();
        for (head, item) in
            [(28, &[2, 7][..]), (27, &[2, 7, 2, 8]), (30, &[7]), (28, &[28, 1, 2, 7])]
        {
            let bytes = [items(&[head, count]), items(item).repeat(len)].concat();
            let plain = Plain::new(&bytes, Framing::Bare, Options::engine(Dialect::Godot4));
            let root = child_of_file(plain, 0);
            let mut known = Children::of(&root).unwrap();
            for offset in (0..bytes.len() + 24).step_by(17) {
                let inside = offset.checked_sub(8).map(|inside| inside / (4 * item.len()));
                let expected = inside.map(|index| index.min(len - 1));
                let fresh = Children::of(&root).unwrap().index_of(offset);
                assert_eq!(fresh, expected, "{head} {len} at {offset}");
                assert_eq!(known.index_of(offset), expected, "{head} {len} at {offset}");
            }
            assert_eq!(known.rows(), len);
        }
    }
}

#[test]
fn a_byte_leads_to_its_frame() {
    let frame = [8_u32, 2, 7].map(u32::to_le_bytes).concat();
    for len in [1, 2, 255, 256, 257, 511, 512, 513] {
        let bytes = frame.repeat(len);
        let framing = Framing::Frames(ByteOrder::Little);
        let file = Plain::new(&bytes, framing, Options::engine(Dialect::Godot4));
        let mut known = Children::of_file(file);
        for offset in (0..bytes.len() + 24).step_by(5).chain([bytes.len()]) {
            let expected = Some((offset / frame.len()).min(len - 1));
            assert_eq!(Children::of_file(file).index_of(offset), expected, "{len} at {offset}");
            assert_eq!(known.index_of(offset), expected, "{len} at {offset}");
        }
        assert_eq!(known.rows(), len);
    }
}

#[test]
fn an_empty_value_has_no_children() {
    let containers = ["[]", "{}", "Array[int]([])", "Object(Node)", "5", "\"text\"", "null"];
    let arrays = ARRAYS.iter().map(|(array, ..)| format!("{array}()"));
    for text in containers.map(str::to_owned).into_iter().chain(arrays) {
        let bytes = encode(&from_text(&text).unwrap(), Dialect::Godot4);
        let Ok(bytes) = bytes else { continue };
        let plain = Plain::new(&bytes, Framing::Bare, Options::engine(Dialect::Godot4));
        assert!(Children::of(&child_of_file(plain, 0)).is_none(), "{text}");
    }
}

/// A batch ends at 512 values, or at the value that reaches 1 MiB.
#[test]
fn batches_have_512_values_or_a_mebibyte() {
    let sizes = |lens: &[usize]| -> Vec<usize> {
        let frame = |&len: &usize| {
            let word = u32::try_from(len).unwrap().to_le_bytes();
            [word.to_vec(), vec![0; len]].concat()
        };
        let file: Vec<u8> = lens.iter().flat_map(frame).collect();
        let framing = Framing::Frames(ByteOrder::Little);
        let plain = Plain::new(&file, framing, Options::engine(Dialect::Godot4));
        let found: Vec<_> = batches(plain.pieces()).collect();
        let pieces: Vec<_> = found.iter().flatten().map(|piece| piece.as_ref().unwrap()).collect();
        assert!(pieces.iter().map(|piece| piece.bytes.len()).eq(lens.iter().copied()));
        found.iter().map(Vec::len).collect()
    };
    assert_eq!(sizes(&[4; 1_100]), [512, 512, 76]);
    assert_eq!(sizes(&[4; 512]), [512]);
    assert_eq!(sizes(&[600 << 10; 3]), [2, 1]);
    assert_eq!(sizes(&[1 << 20, 4, 4]), [1, 2]);
    assert!(sizes(&[]).is_empty());
}
