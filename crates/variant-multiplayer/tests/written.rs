//! A written packet is parsed as the same packet.

use std::error::Error as _;

use arbitrary::Unstructured;
use proptest::collection::vec;
use proptest::prelude::*;
use variant_multiplayer::CompactValues;
use variant_multiplayer::compact;
use variant_multiplayer::{
    Checksum, ConfirmPath, Delta, Error, IdWidth, Message, MethodId, NetId, NetIds, NodeRef,
    Packet, Relay, RpcWriter, SimplifyPath, Spawn, SpawnSource, Sync, System, WriteError,
    push_change, push_state,
};
use variant_owned::{Variant, arbitrary as values};
use variant_view::{Dialect, Document, Options};

/// Any values that Godot 4 can hold.
fn variants() -> impl Strategy<Value = Vec<Variant>> {
    vec(vec(any::<u8>(), 0..128), 0..6)
        .prop_map(|seeds| seeds.iter().map(|seed| value(seed)).collect())
}

fn value(seed: &[u8]) -> Variant {
    values::variant(&mut Unstructured::new(seed), Dialect::Godot4, false).unwrap()
}

/// Objects are accepted, since some values are objects.
fn options() -> Options {
    Options::engine(Dialect::Godot4)
}

fn parse(bytes: &[u8]) -> Result<Packet<'_>, Error> {
    Packet::parse_with(bytes, &options())
}

fn paths() -> impl Strategy<Value = String> {
    "[a-zA-Z0-9/_ äж語]{0,24}"
}

fn row(values: &[Variant]) -> Vec<u8> {
    let mut row = Vec::new();
    for value in values {
        compact::encode_into(value, Dialect::Godot4, &mut row).unwrap();
    }
    row
}

/// Compares values by their text, since a NaN does not equal itself.
fn same(values: CompactValues<'_>, own: &[Variant]) {
    assert_eq!(values.validate().unwrap().consumed, values.bytes().len());
    let read: Vec<_> = values.iter().map(|v| Variant::from_view(&v.unwrap()).unwrap()).collect();
    assert_eq!(format!("{read:?}"), format!("{own:?}"));
}

/// Writes a message and parses the bytes. The parsed packet must be written as the same bytes.
fn written(message: Message<'_>) -> Vec<u8> {
    let bytes = Packet::new(message).to_vec();
    let packet = parse(&bytes).unwrap();
    assert_eq!((packet.to_vec(), packet.unused_bits), (bytes.clone(), 0));
    bytes
}

fn call(node: NodeRef<'_>, method: MethodId, own: &[Variant]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let writer = RpcWriter::new(node, method, &mut bytes);
    let writer = own.iter().try_fold(writer, RpcWriter::value).unwrap();
    assert_eq!(writer.finish().unwrap(), bytes.len());
    bytes
}

fn check_call(node: NodeRef<'_>, method: MethodId, own: &[Variant]) {
    let bytes = call(node, method, own);
    let packet = parse(&bytes).unwrap();
    assert_eq!(packet.to_vec(), bytes);
    let Message::Rpc(rpc) = packet.message else { panic!("{packet:?}") };
    assert_eq!((rpc.node, rpc.method), (node, method));
    rpc.arguments.validate().unwrap();
    let read = rpc.arguments.to_variants().unwrap();
    assert_eq!(format!("{read:?}"), format!("{own:?}"));
    // The same packet, built by hand.
    assert_eq!(written(Message::Rpc(rpc)), bytes);
}

proptest! {
    #[test]
    fn calls_by_id(id in 0..1_u32 << 31, shift in 0..31_u32, method: u16, own in variants()) {
        check_call(NodeRef::id(id >> shift), MethodId::new(method), &own);
        let wide = NodeRef::Id { id: id >> shift, width: IdWidth::W32 };
        check_call(wide, MethodId::wide(method), &own);
    }

    #[test]
    fn calls_by_path(path in paths(), method: u16, own in variants()) {
        check_call(NodeRef::Path(&path), MethodId::new(method), &own);
    }

    #[test]
    fn calls_in_relays(path in paths(), peer: i32, own in variants()) {
        let inner = call(NodeRef::Path(&path), MethodId::new(1), &own);
        let bytes = written(Message::System(System::Relay(Relay::new(peer, &inner))));
        let Message::System(System::Relay(relay)) = parse(&bytes).unwrap().message else {
            panic!("a relay")
        };
        prop_assert_eq!((relay.peer, relay.packet), (peer, &*inner));
        let Message::Rpc(rpc) = relay.parse_with(&options()).unwrap().message else { panic!("a call") };
        prop_assert_eq!(rpc.node, NodeRef::Path(&path));
        let read = rpc.arguments.to_variants().unwrap();
        prop_assert_eq!(format!("{read:?}"), format!("{own:?}"));
    }

    #[test]
    fn spawns(
        scene in 0..u8::MAX, function: bool, spawner: u32, node: u32, ids in vec(any::<u32>(), 0..8),
        name in "[a-z ä]{0,12}", argument in vec(any::<u8>(), 0..64), own in variants(),
    ) {
        let (argument, state) = ([value(&argument)], row(&own));
        let bytes_of_argument = row(&argument);
        let source = if function {
            SpawnSource::Function(CompactValues::counted(&bytes_of_argument, Dialect::Godot4, 1))
        } else {
            SpawnSource::Scene(scene)
        };
        let words: Vec<_> = ids.iter().map(|id| id.to_le_bytes()).collect();
        let mut spawn = Spawn::new(source, spawner, NetId::new(node), &name);
        spawn.synchronizers = NetIds::new(&words);
        spawn.state = CompactValues::new(&state, Dialect::Godot4);

        let bytes = written(Message::Spawn(spawn));
        let Message::Spawn(read) = parse(&bytes).unwrap().message else { panic!("a spawn") };
        prop_assert_eq!((read.spawner, read.node.to_wire(), read.name), (spawner, node, &*name));
        let read_ids: Vec<_> = read.synchronizers.iter().map(NetId::to_wire).collect();
        prop_assert_eq!(read_ids, ids);
        same(read.state, &own);
        match read.source {
            SpawnSource::Function(values) => same(values, &argument),
            SpawnSource::Scene(read) => prop_assert!(!function && read == scene),
        }
    }

    #[test]
    fn states(time: u16, all in vec((any::<u32>(), variants()), 1..6)) {
        let mut bytes = Vec::new();
        Sync::begin(time, &mut bytes);
        for (id, own) in &all {
            push_state(NetId::new(*id), &row(own), &mut bytes);
        }
        let packet = parse(&bytes).unwrap();
        prop_assert_eq!(packet.to_vec(), bytes.clone());
        let Message::Sync(sync) = packet.message else { panic!("a sync") };
        prop_assert_eq!((sync.time, sync.states.iter().count()), (time, all.len()));
        for (state, (id, own)) in sync.states.iter().zip(&all) {
            let state = state.unwrap();
            prop_assert_eq!(state.synchronizer.to_wire(), *id);
            same(state.values, own);
        }
    }

    #[test]
    fn changes(all in vec((any::<u32>(), any::<u64>(), variants()), 1..6)) {
        let mut bytes = Vec::new();
        Delta::begin(&mut bytes);
        for (id, mask, own) in &all {
            push_change(NetId::new(*id), *mask, &row(own), &mut bytes);
        }
        let packet = parse(&bytes).unwrap();
        prop_assert_eq!(packet.to_vec(), bytes.clone());
        let Message::Delta(delta) = packet.message else { panic!("a delta") };
        prop_assert_eq!(delta.changes.iter().count(), all.len());
        for (change, (id, mask, own)) in delta.changes.iter().zip(&all) {
            let change = change.unwrap();
            prop_assert_eq!((change.synchronizer.to_wire(), change.mask), (*id, *mask));
            same(change.values, own);
        }
    }

    #[test]
    fn other_messages(id: u32, peer: i32, path in paths(), data in vec(any::<u8>(), 1..40), digits: [u8; 32]) {
        for message in [
            Message::SimplifyPath(SimplifyPath::new(id, &path, Checksum::new(digits))),
            Message::ConfirmPath(ConfirmPath::new(id, peer < 0)),
            Message::Despawn(NetId::new(id)),
            Message::System(System::AddPeer(peer)),
            Message::System(System::DelPeer(peer)),
            Message::System(System::Auth(&data)),
            Message::System(System::Auth(b"")),
            Message::Raw(&data),
        ] {
            let bytes = written(message);
            let read = parse(&bytes).unwrap().message;
            prop_assert_eq!(format!("{read:?}"), format!("{message:?}"));
        }
        // With its final NUL, a path of three bytes is as long as an id, so it is read as an id.
        let confirm = ConfirmPath::by_path(&path, peer < 0);
        let bytes = written(Message::ConfirmPath(confirm));
        prop_assert_eq!(bytes.len().checked_sub(path.len()), Some(3));
        if path.len() != 3 {
            let read = parse(&bytes).unwrap().message;
            prop_assert!(matches!(read, Message::ConfirmPath(read) if read == confirm));
        }
    }
}

/// If the only argument is an empty array of bytes, an engine sends the call without this argument. This crate sends
/// the array, and the receiver gets it.
#[test]
fn a_single_empty_array_of_bytes_arrives() {
    let empty = Variant::PackedByteArray(Vec::new());
    check_call(NodeRef::id(1), MethodId::new(2), std::slice::from_ref(&empty));
    let bytes = call(NodeRef::id(1), MethodId::new(2), &[empty]);
    assert_eq!(bytes, [0, 1, 2, 1, 29, 0, 0, 0, 0, 0, 0, 0]);
    let bytes = call(NodeRef::id(1), MethodId::new(2), &[Variant::PackedByteArray(vec![9])]);
    assert_eq!(bytes, [0x80, 1, 2, 9], "bare");
    assert_eq!(call(NodeRef::Path("W"), MethodId::new(2), &[]), b"\xa0\x06\0\0\x80\x02W\0");
}

/// An argument that cannot be written removes the packet, and not the bytes before it.
#[test]
fn an_argument_that_cannot_be_written_has_a_cause() {
    let mut bytes = vec![7];
    let mut refused = |write: &dyn Fn(RpcWriter<'_, '_>) -> Result<usize, WriteError>| {
        let call = RpcWriter::new(NodeRef::id(1), MethodId::new(2), &mut bytes).int(5);
        let error = write(call).unwrap_err();
        assert_eq!(bytes, [7], "{error:?}");
        error
    };
    // Godot 4 has no input events. The array lacks its element.
    let event = Variant::InputEvent(Box::default());
    let document = Document::new(b"\x1c\0\0\0\x01\0\0\0", Dialect::Godot4);
    let view = document.root().unwrap();
    for error in [
        refused(&|call| call.value(&event)?.finish()),
        refused(&|call| call.view(&view)?.finish()),
        refused(&|call| {
            call.value(&Variant::Array([event.clone()].into_iter().collect()))?.finish()
        }),
    ] {
        assert_eq!(error.source().map(ToString::to_string), Some(error.to_string()));
    }
    let many = refused(&|call| (0..255).fold(call, RpcWriter::int).finish());
    assert!(matches!(many, WriteError::TooManyArguments) && many.source().is_none());
}

/// The methods for single kinds write the same bytes as the method for any value.
#[test]
fn each_kind_has_one_form() {
    type Write = for<'b, 'n> fn(RpcWriter<'b, 'n>) -> RpcWriter<'b, 'n>;
    let bytes = Variant::PackedByteArray(b"abc".to_vec());
    let cases: [(Write, Variant); 12] = [
        (|call| call.int(-300), Variant::from(-300)),
        (|call| call.bool(true), true.into()),
        (|call| call.float(0.5), 0.5.into()),
        (|call| call.float(-0.0), (-0.0).into()),
        (|call| call.float(0.1), 0.1.into()),
        (|call| call.float(1e300), 1e300.into()),
        (|call| call.float(f64::INFINITY), f64::INFINITY.into()),
        (|call| call.string("Jürgen"), "Jürgen".into()),
        (|call| call.string_name("hit"), Variant::StringName("hit".into())),
        (|call| call.vector2([1.0, 2.0]), (1.0_f32, 2.0_f32).into()),
        (|call| call.vector3([1.0, 2.0, 3.0]), (1.0_f32, 2.0_f32, 3.0_f32).into()),
        (|call| call.int(1).byte_array(b"abc"), bytes),
    ];
    for (write, value) in cases {
        let mut typed = Vec::new();
        let writer = RpcWriter::new(NodeRef::id(1), MethodId::new(2), &mut typed);
        write(writer).finish().unwrap();
        let before = [Variant::from(1)].into_iter();
        let values: Vec<_> = match value {
            Variant::PackedByteArray(_) => before.chain([value]).collect(),
            other => vec![other],
        };
        assert_eq!(typed, call(NodeRef::id(1), MethodId::new(2), &values), "{values:?}");
    }
}

/// An array of bytes at the end of a document may lack its padding. An argument has its padding.
#[test]
fn a_view_without_padding_is_written_with_padding() {
    for bytes in [&b""[..], b"a", b"ab", b"abc", b"abcd", b"abcde"] {
        let length = u8::try_from(bytes.len()).unwrap();
        let document = [&[29, 0, 0, 0, length, 0, 0, 0], bytes].concat();
        let view = Document::new(&document, Dialect::Godot4).root().unwrap();
        let mut written = Vec::new();
        let writer = RpcWriter::new(NodeRef::id(1), MethodId::new(2), &mut written);
        writer.view(&view).unwrap().int(5).finish().unwrap();
        let own = [Variant::PackedByteArray(bytes.to_vec()), Variant::from(5)];
        assert_eq!(written, call(NodeRef::id(1), MethodId::new(2), &own), "{bytes:?}");
    }
}

/// The width of an id on the wire is the fewest bytes that can hold it, unless more are requested.
#[test]
fn ids_have_a_width() {
    for (id, is_wide) in [(0, false), (255, false), (256, true), (u16::MAX, true)] {
        assert_eq!((MethodId::new(id).id(), MethodId::new(id).is_wide()), (id, is_wide));
        assert_eq!((MethodId::wide(id).id(), MethodId::wide(id).is_wide()), (id, true));
    }
    for (id, width) in [
        (0, IdWidth::W8),
        (0xff, IdWidth::W8),
        (0x100, IdWidth::W16),
        (0xffff, IdWidth::W16),
        (0x1_0000, IdWidth::W32),
        (0x7fff_ffff, IdWidth::W32),
    ] {
        assert_eq!(NodeRef::id(id), NodeRef::Id { id, width });
    }
}

#[test]
fn ids_are_counted() {
    for count in 0..3 {
        let words = vec![[7, 0, 0, 0]; count];
        let ids = NetIds::new(&words);
        assert_eq!((ids.len(), ids.is_empty()), (count, count == 0));
        assert_eq!(ids.iter().collect::<Vec<_>>(), vec![NetId::new(7); count]);
    }
}
