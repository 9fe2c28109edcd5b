//! Places in files that engines wrote: every byte leads to a value, every value has a path, and every field has its
//! bytes.

use variant_document::Plain;
use variant_document::fields::fields;
use variant_document::query::path_to;
use variant_document::search::Search;
use variant_document::tree::{Child, Children, Entry, Label, Store, Walk};
use variant_io::{ByteOrder, Framing};
use variant_owned::{encode, from_text};
use variant_testkit::corpus;
use variant_view::{Dialect, Event, Options, Role, VariantView};

const FRAMES: Framing = Framing::Frames(ByteOrder::Little);

/// Files of the corpus, their framing and dialect.
const FILES: [(&str, Framing, Dialect); 6] = [
    ("godot3/saves/objects_full.bin", FRAMES, Dialect::Godot3),
    ("godot3/saves/store_var_seq.bin", FRAMES, Dialect::Godot3),
    ("godot3/saves/project.binary", Framing::Settings, Dialect::Godot3),
    ("godot4/saves/project.binary", Framing::Settings, Dialect::Godot4),
    ("godot4/saves/sample20.variant", Framing::Bare, Dialect::Godot4),
    ("godot4/saves/sample3.variant", Framing::Bare, Dialect::Godot4),
];

/// Calls `check` for each file.
fn each(check: impl Fn(&str, Plain<'_>)) {
    for (name, framing, dialect) in FILES {
        let bytes = corpus::bytes(name).unwrap();
        check(name, Plain::new(&bytes, framing, Options::engine(dialect)));
    }
}

/// The path of the last of these values, each of which is inside the value before it.
fn path_of(chain: &[(usize, Child<'_>)]) -> String {
    let mut path = String::new();
    for (_, child) in chain {
        child.extend_path(&mut path);
    }
    path
}

#[test]
fn every_value_is_found_by_its_offset() {
    each(|name, file| {
        let mut store = Store::default();
        let mut count = 0;
        for piece in file.pieces() {
            let piece = piece.unwrap();
            let document = file.document(piece.bytes);
            for event in document.walk() {
                let (Event::Enter(node) | Event::Leaf(node)) = event.unwrap() else { continue };
                let at = piece.absolute(node.view.offset());
                let mut walk = Walk::to_byte(file, at, &mut store).unwrap();
                let chain = walk.chain();
                let mut again = Walk::to(Children::of_file(file), &walk.way());
                let found = again.child().map(|child| child.spot.start);
                assert_eq!(
                    found,
                    chain.last().map(|(_, child)| child.spot.start),
                    "{name} at {at}"
                );
                walk.keep(&mut store);
                let path = path_of(&chain);
                let expected = path_to(&document, node.view.offset()).unwrap();
                let (_, last) = chain.last().unwrap();
                // If the value is a key, its offset leads to the pair.
                if at == last.spot.start {
                    assert_eq!(path, expected, "{name} at {at}");
                } else {
                    assert!(matches!(last.label, Label::Pair { key, .. } if key.start == at));
                }
                count += 1;
            }
        }
        assert!(count > 5, "{name}: {count}");
    });
}

/// The path of each value has keys as queries write them, also for a pair whose key is a container.
#[test]
fn rows_have_the_paths_of_queries() {
    let literal = "{\"map\": {Vector2i(1, 0): {\"hp\": [5]}, [1, [true]]: {1.5: 6}, \"a.b\": 7}}";
    let bytes = encode(&from_text(literal).unwrap(), Dialect::Godot4).unwrap();
    let file = Plain::new(&bytes, Framing::Bare, Options::engine(Dialect::Godot4));
    let (document, mut store) = (file.document(&bytes), Store::default());
    let mut paths = Vec::new();
    for at in (0..bytes.len()).step_by(4) {
        let mut walk = Walk::to_byte(file, at, &mut store).unwrap();
        let chain = walk.chain();
        walk.keep(&mut store);
        let (_, last) = chain.last().unwrap();
        if at == last.spot.start {
            let path = path_of(&chain);
            assert_eq!(path, path_to(&document, at).unwrap(), "{at}");
            paths.push(path);
        }
    }
    for path in ["map[Vector2i(1, 0)].hp[0]", "map[[1, [true]]][1.5]", "map{1:key}[1][0]"] {
        assert!(paths.iter().any(|own| own == path), "{path}: {paths:?}");
    }
}

#[test]
fn every_byte_has_one_field() {
    each(|name, file| {
        let mut store = Store::default();
        let mut end = match file.framing {
            Framing::Settings => 8,
            _ => 0,
        };
        let whole = 0..file.bytes.len();
        let all = fields(file, whole.clone(), &mut store);
        for field in &all {
            assert_eq!(field.range.start, end, "{name}: {field:?}");
            end = field.range.end;
        }
        // The fields of a window of 64 bytes are those fields of the file that overlap the window.
        for start in whole.step_by(97) {
            let window = start..start + 64;
            let is_within = |range: &std::ops::Range<usize>| {
                range.start < window.end && range.end > window.start
            };
            let expected: Vec<_> = all.iter().filter(|field| is_within(&field.range)).collect();
            let found = fields(file, window.clone(), &mut store);
            assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{name} {window:?}");
        }
    });
}

#[test]
fn what_is_known_gives_the_same_children() {
    let bytes = corpus::bytes("godot4/saves/save_10k.variant").unwrap();
    let file = Plain::new(&bytes, Framing::Bare, Options::engine(Dialect::Godot4));
    let mut store = Store::default();
    for at in (0..bytes.len()).rev().step_by(4_001) {
        let [fresh, known] = [&mut Store::default(), &mut store].map(|store| {
            let mut walk = Walk::to_byte(file, at, store).unwrap();
            let chain = walk.chain();
            walk.keep(store);
            chain.iter().map(|(index, child)| (*index, child.spot.start)).collect::<Vec<_>>()
        });
        assert_eq!(fresh, known);
    }
    let mut root = store.of_file(file);
    let Some(Entry::Child(root)) = root.get(0) else { panic!("no root") };
    let mut fresh = Children::of(&root).unwrap();
    let mut known = store.of(&root).unwrap();
    for index in 0..=fresh.rows() {
        let [a, b] = [&mut fresh, &mut known].map(|children| match children.get(index) {
            Some(Entry::Child(child)) => Some(child.spot.start),
            _ => None,
        });
        assert_eq!(a, b);
    }
}

#[test]
fn texts_are_found_in_keys_and_values() {
    // {"Hero": "hero", "n": ["x", "HERO!"]}
    let text = |text: &str| {
        let mut bytes = vec![4, 0, 0, 0];
        bytes.extend_from_slice(&u32::try_from(text.len()).unwrap().to_le_bytes());
        bytes.extend_from_slice(text.as_bytes());
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        bytes
    };
    let array = [&[28, 0, 0, 0, 2, 0, 0, 0][..], &text("x"), &text("HERO!")].concat();
    let pairs = [text("Hero"), text("hero"), text("n"), array].concat();
    let bytes = [&[27, 0, 0, 0, 2, 0, 0, 0][..], &pairs].concat();
    let file = Plain::new(&bytes, Framing::Bare, Options::engine(Dialect::Godot4));
    let find = |search: &Search, most| {
        let mut store = Store::default();
        let hits = search.run(file, 0, most, &mut store);
        let found = hits.found.iter().map(|hit| (path_of(&hit.chain), hit.is_key));
        let found: Vec<_> = found.collect();
        (found, hits.next)
    };
    let hero = ("Hero".to_owned(), true);
    let last = ("n[1]".to_owned(), false);
    let value = ("Hero".to_owned(), false);
    let any = Search::new("hero", true);
    assert_eq!(find(&any, 9), (vec![hero.clone(), value.clone(), last.clone()], None));
    assert_eq!(find(&Search::new("Hero", false), 9), (vec![hero.clone()], None));
    let mut of_values = any.clone();
    of_values.of_keys = false;
    assert_eq!(find(&of_values, 9), (vec![value, last], None));
    let (found, next) = find(&any, 1);
    assert!(found == [hero] && next.is_some());
    assert_eq!(find(&Search::new("", true), 9), (vec![], None));
    assert_eq!(find(&Search::new("absent", true), 9), (vec![], None));
}

#[test]
fn a_search_finds_what_a_walk_does() {
    let rpg = ("godot3/saves/rpg_save.bin", FRAMES, Dialect::Godot3);
    for (name, framing, dialect) in FILES.into_iter().chain([rpg]) {
        let bytes = corpus::bytes(name).unwrap();
        let file = Plain::new(&bytes, framing, Options::engine(dialect));
        for text in ["a", "or", "Vector"] {
            let mut search = Search::new(text, false);
            search.of_keys = false;
            let mut expected = Vec::new();
            for piece in file.pieces().map(Result::unwrap) {
                for event in file.document(piece.bytes).walk() {
                    let (Event::Enter(node) | Event::Leaf(node)) = event.unwrap() else { continue };
                    let holds = match node.view {
                        VariantView::String(own) | VariantView::StringName(own) => {
                            own.to_str().unwrap().contains(text)
                        }
                        VariantView::NodePath(path) => path.to_string().contains(text),
                        VariantView::Object(object) => {
                            object.class().is_some_and(|own| own.to_str().unwrap().contains(text))
                        }
                        _ => false,
                    };
                    if let VariantView::PackedStringArray(all) = node.view {
                        // The element begins with the length of its text.
                        let all = all.iter().filter(|own| own.to_str().unwrap().contains(text));
                        expected.extend(all.map(|own| piece.absolute(own.offset() - 4)));
                    }
                    if holds && !matches!(node.role(), Role::Key(_)) {
                        expected.push(piece.absolute(node.view.offset()));
                    }
                }
            }
            // Each call of `run` finds a few values, and the next call continues where the search ended.
            let (mut found, mut next) = (Vec::new(), Some(0));
            let mut store = Store::default();
            while let Some(from) = next {
                let hits = search.run(file, from, 7, &mut store);
                next = hits.next;
                found.extend(hits.found.iter().map(|hit| hit.chain.last().unwrap().1.spot.start));
            }
            assert_eq!(found, expected, "{name}: {text}");
        }
    }
}
