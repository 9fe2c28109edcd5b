//! Repeats one workload, so that `.ci/instructions` can count the instructions of a round.
//!
//! `instructions WORK ROUNDS`; a number at the end of the name WORK is the number of items or levels.

#![allow(
    clippy::expect_used,
    clippy::arithmetic_side_effects,
    missing_docs,
    reason = "a benchmark may panic"
)]

use std::env;
use std::hint::black_box;

use serde::{Deserialize, Serialize};
use variant_multiplayer::{
    Checksum, Message, MethodId, NodeRef, Packet, PathCache, PeerId, RpcTable, RpcWriter,
    SimplifyPath,
};
use variant_owned::json::{self, Form};
use variant_owned::{
    EncodeOptions, TextOptions, TextStyle, Variant, Writer, encode_into, write_text,
};
use variant_testkit::builder::Builder;
use variant_testkit::corpus;
use variant_view::{
    Dialect, Document, Event, Limits, Lookup, Options, Producer as _, Profile, Tape,
};

const SAVE: (&str, Dialect, usize) = ("godot4/saves/save_10k.variant", Dialect::Godot4, 0);
const RPG: (&str, Dialect, usize) = ("godot3/saves/rpg_save.bin", Dialect::Godot3, 4);
const RPC: (&str, Dialect, usize) = ("godot4/saves/rpc.variant", Dialect::Godot4, 0);

fn main() {
    let mut arguments = env::args().skip(1);
    let work = arguments.next().expect("a work");
    let rounds: u32 =
        arguments.next().and_then(|text| text.parse().ok()).expect("a number of rounds");
    let split = work.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let (name, size) = work.split_at(split);
    match name {
        "validate-save" => validate(&read(SAVE), SAVE.1, Profile::Engine, rounds),
        "validate-rpg" => validate(&read(RPG), RPG.1, Profile::Engine, rounds),
        "validate-rpc" => validate(&read(RPC), RPC.1, Profile::Engine, rounds),
        "validate-flat" => validate(&flat(&read(SAVE)), SAVE.1, Profile::Engine, rounds),
        "validate-varied" => validate(&varied(), Dialect::Godot4, Profile::Engine, rounds),
        "validate-math" => validate(&math(), Dialect::Godot4, Profile::Engine, rounds),
        "validate-letters" => validate(&letters(), Dialect::Godot4, Profile::Engine, rounds),
        "get-rpc" => get(&read(RPC), rounds),
        "validated-get-rpc" => validated_get(&read(RPC), rounds),
        "lookup-rpc" => lookup(&read(RPC), &[], rounds),
        "lookup-name" => lookup(&read(RPC), &["a", "twenty letters, these"], rounds),
        "lookup-validate" => lookup_validate(&read(RPC), rounds),
        "get-last" => get_last(rounds),
        "each-save" => each(&read(SAVE), rounds),
        "at-save" => at(&read(SAVE), rounds),
        "tape-save" => tape(&read(SAVE), rounds),
        "tape-rpc" => tape(&read(RPC), rounds),
        "tape-get-rpc" => tape_get(&read(RPC), rounds),
        "walk-save" => walk(&read(SAVE), rounds),
        "own-save" => own(&read(SAVE), SAVE.1, rounds),
        "own-rpg" => own(&read(RPG), RPG.1, rounds),
        "own-rpc" => own(&read(RPC), RPC.1, rounds),
        "encode-save" => encode(&read(SAVE), rounds),
        "encode-rpc" => encode(&read(RPC), rounds),
        "derive-rpc" => derive(&read(RPC), rounds),
        "derive-write-rpc" => derive_write(&read(RPC), rounds),
        "multiplayer-decode" => multiplayer_decode(rounds),
        "multiplayer-encode" => multiplayer_encode(rounds),
        "multiplayer-arguments" => multiplayer_arguments(rounds),
        "feed-save" => feed(&read(SAVE), rounds),
        shape => {
            let bytes = shaped(shape, size.parse().expect("a size"));
            validate(&bytes, Dialect::Godot4, Profile::Engine, rounds);
            validate(&bytes, Dialect::Godot4, Profile::Canonical, rounds);
            own(&bytes, Dialect::Godot4, rounds);
            path(&bytes, rounds);
            print(&bytes, rounds);
        }
    }
}

fn read((file, _, skip): (&str, Dialect, usize)) -> Vec<u8> {
    corpus::bytes(file).expect("the corpus is there").split_off(skip)
}

fn options(dialect: Dialect) -> Options {
    Options::engine(dialect).limits(Limits::FILE.depth(u32::MAX))
}

fn validate(bytes: &[u8], dialect: Dialect, profile: Profile, rounds: u32) {
    for _ in 0..rounds {
        let document = Document::new(black_box(bytes), options(dialect).profile(profile));
        // The canonical profile reports repeated keys as an error at the end of its pass. So errors are ignored.
        let _ = black_box(document.validate());
    }
}

fn get(bytes: &[u8], rounds: u32) {
    for _ in 0..rounds {
        let root = Document::new(black_box(bytes), Options::engine(Dialect::Godot4))
            .root()
            .expect("valid");
        let packet = root.as_dictionary().expect("a dictionary");
        let found = packet.get_many(["method", "id", "pos"]).expect("valid");
        black_box(found);
    }
}

/// Validates and looks up in one call.
fn validated_get(bytes: &[u8], rounds: u32) {
    for _ in 0..rounds {
        let document = Document::new(black_box(bytes), Options::engine(Dialect::Godot4));
        black_box(document.validated_get_many(["method", "id", "pos"]).expect("valid"));
    }
}

/// Reads three fields with a lookup. The lookup has learnt the layout of the packet, and of packets with each of
/// `names` as the name of the method.
fn lookup(packet: &[u8], names: &[&str], rounds: u32) {
    let document = Document::new(packet, Dialect::Godot4);
    let renamed = names.iter().map(|name| {
        let mut value = Variant::from_document(&document).expect("valid");
        value["method"] = (*name).into();
        let mut bytes = Vec::new();
        encode_into(&value, EncodeOptions::new(Dialect::Godot4), &mut bytes).expect("encodes");
        bytes
    });
    let packets: Vec<_> = renamed.chain([packet.to_vec()]).collect();
    let mut lookup = Lookup::new(["method", "id", "pos"], Dialect::Godot4);
    for packet in packets.iter().chain(&packets) {
        lookup.validated(packet).expect("valid");
    }
    for _ in 0..rounds {
        let packet = packets.first().expect("a packet");
        let found = lookup.validated(black_box(packet)).expect("valid");
        let [Some(method), Some(id), Some(pos)] = &found else { return };
        let _fields = black_box((method.as_str(), id.as_i64(), pos.as_vector3()));
    }
}

/// Validates a packet with a lookup. The lookup has no keys, and has learnt the layout of the packet.
fn lookup_validate(packet: &[u8], rounds: u32) {
    let mut lookup = Lookup::new([""; 0], Dialect::Godot4);
    for _ in 0..rounds {
        black_box(lookup.validate(black_box(packet))).expect("valid");
    }
}

/// Looks up the last value of a dictionary. The look-up skips small arrays before this value.
fn get_last(rounds: u32) {
    let start = Builder::new().u32(27).u32(17);
    let arrays = (0..16_u32).fold(start, |all, n| {
        let array = all.u32(4).text(format!("array {n}")).u32(28).u32(3);
        array.u32(2).u32(n).u32(4).text("item").u32(3).f32s(&[0.5])
    });
    let bytes = arrays.u32(4).text("last").u32(2).u32(1).build().bytes;
    for _ in 0..rounds {
        let document = Document::new(black_box(&bytes), Options::engine(Dialect::Godot4));
        black_box(document.get_many(["last"]).expect("valid"));
    }
}

/// All records of an array. Each record is skipped unread to find the next record.
fn each(bytes: &[u8], rounds: u32) {
    let items = Document::new(bytes, options(SAVE.1)).at("items").expect("there");
    let items = items.as_array().expect("an array");
    for _ in 0..rounds {
        black_box(black_box(items).iter().flatten().count());
    }
}

/// Looks up one value near the end.
fn at(bytes: &[u8], rounds: u32) {
    for _ in 0..rounds {
        let document = Document::new(black_box(bytes), options(SAVE.1));
        black_box(document.at("items[9999]").expect("there"));
    }
}

fn tape(bytes: &[u8], rounds: u32) {
    let mut tape = Tape::new();
    for _ in 0..rounds {
        let document = Document::new(black_box(bytes), options(SAVE.1));
        black_box(tape.read(document).expect("valid"));
    }
}

fn tape_get(bytes: &[u8], rounds: u32) {
    let mut tape = Tape::new();
    let packet = tape.read(Document::new(bytes, options(RPC.1))).expect("valid");
    for _ in 0..rounds {
        black_box(black_box(packet).get_many(["method", "id", "pos"]).expect("a dictionary"));
    }
}

fn walk(bytes: &[u8], rounds: u32) {
    for _ in 0..rounds {
        black_box(Document::new(black_box(bytes), options(SAVE.1)).walk().flatten().count());
    }
}

fn own(bytes: &[u8], dialect: Dialect, rounds: u32) {
    for _ in 0..rounds {
        let document = Document::new(black_box(bytes), options(dialect));
        drop(black_box(Variant::from_document(&document).expect("valid")));
    }
}

/// Prints JSON, with its losses, and text with keys sorted as the engine sorts them.
fn print(bytes: &[u8], rounds: u32) {
    let (mut json, mut text) = (Vec::new(), String::new());
    let sorted = TextOptions::new(TextStyle::Godot3).sorted_keys(true);
    for _ in 0..rounds {
        json.clear();
        text.clear();
        let document = Document::new(black_box(bytes), options(Dialect::Godot4));
        black_box(json::write(&document, Form::Plain, &mut json, false).expect("valid"));
        write_text(&document, &sorted, &mut text).expect("valid");
        black_box(&text);
    }
}

/// Finds the path of the last value, which is the deepest if values are nested.
fn path(bytes: &[u8], rounds: u32) {
    for _ in 0..rounds {
        let document = Document::new(black_box(bytes), options(Dialect::Godot4));
        let path = document.path_to(bytes.len().saturating_sub(1)).expect("valid");
        drop(black_box(path.to_string()));
    }
}

fn encode(bytes: &[u8], rounds: u32) {
    let value = Variant::from_document(&Document::new(bytes, options(SAVE.1))).expect("valid");
    let mut buffer = Vec::new();
    for _ in 0..rounds {
        buffer.clear();
        encode_into(black_box(&value), SAVE.1, &mut buffer).expect("valid");
    }
}

/// Reads the events of the bytes, and writes these events as bytes.
fn feed(bytes: &[u8], rounds: u32) {
    let mut buffer = Vec::new();
    for _ in 0..rounds {
        buffer.clear();
        let document = Document::new(black_box(bytes), options(SAVE.1));
        document.feed(&mut Writer::new(&mut buffer, SAVE.1)).expect("valid");
    }
}

/// All values of a save except containers, in one array, so that no part has the layout of an
/// earlier part.
fn flat(save: &[u8]) -> Vec<u8> {
    let events = Document::new(save, options(SAVE.1)).walk().flatten();
    let leaves = events.filter_map(|event| match event {
        Event::Leaf(node) => node.view.raw_bytes().ok(),
        _ => None,
    });
    let (all, count) = leaves.fold((Builder::new(), 0), |(all, count), leaf| {
        (all.raw(leaf), u32::saturating_add(count, 1))
    });
    Builder::new().u32(28).u32(count).raw(&all.build().bytes).build().bytes
}

/// Records with the same keys and texts of different lengths.
fn varied() -> Vec<u8> {
    let text = |all: Builder, key, len| all.u32(4).text(key).u32(4).text("x".repeat(len));
    let int = |all: Builder, key, n| all.u32(4).text(key).u32(2).u32(n);
    let records = (0..5_000_u32).fold(Builder::new().u32(28).u32(5_000), |all, n| {
        let len = |most| usize::try_from(n.wrapping_mul(2_654_435_761) % most).unwrap_or(0);
        let all = text(all.u32(27).u32(9), "name", len(23));
        let all = ["level", "health", "x", "y"].into_iter().fold(all, |all, key| int(all, key, n));
        let all = text(all, "title", len(31));
        let all = ["gold", "age"].into_iter().fold(all, |all, key| int(all, key, n));
        text(all, "notes", len(47))
    });
    records.build().bytes
}

/// Short texts of mixed letters of one to four bytes, so that the start of the next letter is unpredictable.
fn letters() -> Vec<u8> {
    const LETTERS: [&str; 8] = ["ä", "ж", "語", "🎲", "a", "é", "한", "ש"];
    let texts = (0..5_000_u32).fold(Builder::new().u32(28).u32(5_000), |all, n| {
        let random = |n: u32| n.wrapping_mul(2_654_435_761) >> 16;
        let letter =
            |i: u32| LETTERS.iter().cycle().nth(usize::try_from(random(i) % 8).unwrap_or(0));
        let first = n.wrapping_mul(32);
        let text: String =
            (first..first.wrapping_add(4 + random(n) % 16)).filter_map(letter).copied().collect();
        all.u32(4).text(text)
    });
    texts.build().bytes
}

/// An array of values of all mathematical types, one type after another.
fn math() -> Vec<u8> {
    const BYTES: [usize; 16] = [8, 8, 16, 16, 12, 12, 24, 16, 16, 16, 16, 24, 36, 48, 64, 16];
    let values = (5_u32..).zip(BYTES).cycle().take(16_000);
    let array = values.fold(Builder::new().u32(28).u32(16_000), |all, (id, bytes)| {
        all.u32(id).raw(&vec![0; bytes])
    });
    array.build().bytes
}

/// Documents of Godot 4 whose cost could grow faster than their size.
fn shaped(shape: &str, size: u32) -> Vec<u8> {
    let array = |len| Builder::new().u32(28).u32(len);
    let dictionary = |len| Builder::new().u32(27).u32(len);
    let builder = match shape {
        "wide-" => (0..size).fold(array(size), |all, n| all.u32(2).u32(n)),
        "deep-" => (0..size).fold(Builder::new(), |all, _| all.u32(28).u32(1)).u32(0),
        "records-" => (0..size).fold(array(size), |all, n| {
            all.u32(27).u32(1).u32(4).text("key").u32(4).text(n.to_string())
        }),
        "keys-" => {
            (0..size).fold(dictionary(size), |all, n| all.u32(4).text(n.to_string()).u32(2).u32(n))
        }
        "paths-" => {
            (0..size).fold(Builder::new(), |all, _| all.u32(27).u32(1).u32(4).text("key")).u32(0)
        }
        "duplicates-" => {
            (0..size).fold(dictionary(size), |all, n| all.u32(4).text("same").u32(2).u32(n))
        }
        // Keys that differ only in their declared class. The engine treats them as equal.
        "classkeys-" => (0..size).fold(dictionary(size), |all, n| {
            all.u32(2 << 16 | 0x1c).text(format!("{n:x}")).u32(0).u32(0)
        }),
        "arraykeys-" => {
            (0..size).fold(dictionary(size), |all, n| all.u32(28).u32(1).u32(2).u32(n).u32(0))
        }
        "dictionarykeys-" => (0..size)
            .fold(dictionary(size), |all, n| all.u32(27).u32(1).u32(2).u32(n).u32(0).u32(0)),
        // Keys that equal no key, not even themselves.
        "nankeys-" => (0..size)
            .fold(dictionary(size), |all, _| all.u32(28).u32(1).u32(3).f32s(&[f32::NAN]).u32(0)),
        // Nested dictionaries, each of which is the first key of the dictionary around it. Each dictionary also has a
        // second key.
        "nestedkeys-" => {
            let open = (0..size).fold(Builder::new(), |all, _| all.u32(27).u32(2)).u32(2).u32(1);
            (0..size).fold(open, |all, n| all.u32(0).u32(28).u32(1).u32(2).u32(n).u32(0))
        }
        // An array of `size` NaNs, each of which is a loss, at a path of `size` bytes.
        "losses-" => {
            let name = "n".repeat(usize::try_from(size).unwrap_or(0));
            (0..size).fold(dictionary(1).u32(4).text(name).u32(32).u32(size), |all, _| {
                all.f32s(&[f32::NAN])
            })
        }
        other => unknown(other),
    };
    builder.build().bytes
}

#[expect(clippy::panic, reason = "a mistake of the caller")]
fn unknown(work: &str) -> ! {
    panic!("no such work: {work}")
}

/// The packet `rpc`, its text borrowed.
#[derive(Serialize, Deserialize)]
struct Call<'a> {
    method: &'a str,
    id: u32,
    #[serde(with = "variant_serde::as_vector3")]
    pos: Vector,
    #[serde(with = "variant_serde::as_vector3")]
    vel: Vector,
    t: f64,
    #[serde(borrow)]
    args: (bool, &'a str, i64),
}

#[derive(Serialize, Deserialize)]
struct Vector {
    x: f32,
    y: f32,
    z: f32,
}

/// Reads a struct from its packet.
fn derive(bytes: &[u8], rounds: u32) {
    for _ in 0..rounds {
        let call = variant_serde::from_slice::<Call<'_>>(black_box(bytes), options(RPC.1));
        black_box(call.expect("the packet"));
    }
}

/// Writes a struct as a packet, into a buffer that is large enough.
fn derive_write(bytes: &[u8], rounds: u32) {
    let call: Call<'_> = variant_serde::from_slice(bytes, options(RPC.1)).expect("the packet");
    let mut buffer = Vec::new();
    for _ in 0..rounds {
        buffer.clear();
        variant_serde::to_vec_into(black_box(&call), RPC.1, &mut buffer).expect("written");
        black_box(&buffer);
    }
}

/// Parses and validates a call of three arguments, finds its node and method by their ids, and reads the arguments as
/// types of the program.
fn multiplayer_decode(rounds: u32) {
    let (packet, peer) = (multiplayer_call(), PeerId::new(77).expect("positive"));
    let mut cache = PathCache::default();
    let announced = SimplifyPath::new(1, "World", Checksum::NO_METHODS);
    cache.receive(peer, &announced).expect("the first");
    let table = RpcTable::new(["hit", "move_to", "say"]);
    for _ in 0..rounds {
        let packet = Packet::parse(black_box(&packet)).expect("valid");
        let Message::Rpc(rpc) = packet.message else { continue };
        rpc.arguments.validate().expect("valid");
        let at = (cache.resolve(peer, rpc.node), table.name(rpc.method.id()));
        let values: (&str, (f32, f32, f32), i64) = rpc.arguments.decode().expect("valid");
        black_box((at, values));
    }
}

fn multiplayer_encode(rounds: u32) {
    let mut buffer = multiplayer_call();
    for _ in 0..rounds {
        buffer.clear();
        let call = RpcWriter::new(NodeRef::id(1), MethodId::new(1), black_box(&mut buffer));
        let call = call.string(black_box("sword")).vector3(black_box([1.0, 2.0, 3.0]));
        black_box(call.int(black_box(300)).finish().expect("written"));
    }
}

fn multiplayer_arguments(rounds: u32) {
    let mut buffer = multiplayer_call();
    for _ in 0..rounds {
        buffer.clear();
        let call = RpcWriter::new(NodeRef::id(1), MethodId::new(1), black_box(&mut buffer));
        let call =
            call.arguments(black_box(&("sword", [1.0_f32, 2.0, 3.0], 300))).expect("written");
        black_box(call.finish().expect("written"));
    }
}

fn multiplayer_call() -> Vec<u8> {
    let mut bytes = Vec::new();
    let call = RpcWriter::new(NodeRef::id(1), MethodId::new(1), &mut bytes);
    call.string("sword").vector3([1.0, 2.0, 3.0]).int(300).finish().expect("written");
    bytes
}
