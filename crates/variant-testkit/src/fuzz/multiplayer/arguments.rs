//! Checks calls: arguments as views, as owned values and as a program's own types.

use std::fmt::Debug;

use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use variant_multiplayer::{Arguments, Message, MethodId, NodeRef, Packet, Rpc, RpcWriter};
use variant_owned::Variant;
use variant_view::Options;

use super::{check_error, check_values};

/// Checks that counting, validating and reading find the same arguments. The writer must write these arguments.
pub(super) fn check_call(rpc: &Rpc<'_>, packet: &[u8], options: &Options) {
    let arguments = rpc.arguments;
    if let Arguments::Values(values) = arguments {
        check_values(values, packet);
    }
    let verdict = arguments.validate();
    if let Err(error) = verdict {
        check_error(error, packet);
    }
    let own = arguments.to_variants();
    if let (Ok(()), Ok(own)) = (verdict, &own) {
        assert_eq!(own.len(), arguments.len(), "as many as the header says");
        assert_eq!(arguments.is_empty(), own.is_empty());
        check_writer(rpc, own, options);
    }
    check_types(&arguments);
}

/// Checks that writing the call argument by argument gives the same call.
fn check_writer(rpc: &Rpc<'_>, own: &[Variant], options: &Options) {
    let mut written = b"in front".to_vec();
    let mut call = RpcWriter::new(rpc.node, rpc.method, &mut written);
    for value in own {
        call = call.value(value).expect("what was read");
    }
    let len = call.finish().expect("no more than before");
    assert_eq!(len.checked_add(8), Some(written.len()), "bytes of the packet");
    check_same(rpc, own, written.get(8..).unwrap_or_default(), options);

    let Some(values) = rpc.arguments.values() else { return };
    let mut copied = Vec::new();
    let mut call = RpcWriter::new(rpc.node, rpc.method, &mut copied);
    for view in values {
        call = call.view(&view.expect("validated")).expect("validated");
    }
    call.finish().expect("no more than before");
    check_same(rpc, own, &copied, options);
}

fn check_same(rpc: &Rpc<'_>, own: &[Variant], written: &[u8], options: &Options) {
    let packet = Packet::parse_with(written, options).expect("what was written");
    let Message::Rpc(again) = packet.message else { panic!("another packet: {packet:?}") };
    assert_eq!((again.node, again.method), (rpc.node, rpc.method));
    assert_eq!(packet.trailing.is_empty(), !matches!(rpc.node, NodeRef::Path(_)), "a NUL");
    again.arguments.validate().expect("what was written");
    let read = again.arguments.to_variants().expect("what was written");
    // The values are compared as text, since a NaN does not equal itself.
    assert_eq!(format!("{read:?}"), format!("{own:?}"), "read again");
}

/// Checks that decoding panics for no type. Each type must decode an array of bytes to the same value with the header
/// of the array and without it.
fn check_types(arguments: &Arguments<'_>) {
    check::<()>(arguments);
    check::<(i64,)>(arguments);
    check::<(u8, bool)>(arguments);
    check::<(String, [f32; 3], i64)>(arguments);
    check::<(Option<f64>, Option<String>)>(arguments);
    check::<(Vec<u8>,)>(arguments);
    check::<(Option<Vec<u8>>,)>(arguments);
    check::<(serde_json::Value,)>(arguments);
    check::<Vec<serde_json::Value>>(arguments);
    check::<Vec<i64>>(arguments);
    check::<Vec<Vec<i16>>>(arguments);
    check::<Hit>(arguments);
    check::<Name>(arguments);
    check_borrowed(arguments);
}

fn check<T: DeserializeOwned + Serialize + Debug>(arguments: &Arguments<'_>) {
    let decoded = arguments.decode::<T>();
    if let Err(error) = &decoded {
        assert!(!error.to_string().is_empty());
    }
    check_both_forms::<T>(arguments);
    let Ok(value) = decoded else { return };
    let mut written = Vec::new();
    let call = RpcWriter::new(NodeRef::id(1), MethodId::new(1), &mut written);
    // The writer refuses more than 255 arguments, and a value that is not a list.
    if let Ok(call) = call.arguments(&value) {
        call.finish().expect("no more than were read");
        Packet::parse(&written).expect("what was written");
    }
}

/// Checks that a type decodes a single array of bytes to the same value with the header of the array and without it.
fn check_both_forms<T: DeserializeOwned + Debug>(arguments: &Arguments<'_>) {
    let Arguments::Bytes(bare @ [_, ..]) = *arguments else { return };
    let mut written = Vec::new();
    // In a call with two arguments, the array has its header.
    let call = RpcWriter::new(NodeRef::id(1), MethodId::new(1), &mut written);
    call.byte_array(bare).int(0).finish().expect("two arguments");
    if let Some(count) = written.get_mut(3) {
        *count = 1;
    }
    let packet = Packet::parse(&written).expect("what was written");
    let Message::Rpc(rpc) = packet.message else { panic!("another packet: {packet:?}") };
    let alike = |decoded: Result<T, _>| decoded.map(|value| format!("{value:?}")).ok();
    let (bare, whole) = (alike(arguments.decode()), alike(rpc.arguments.decode()));
    assert_eq!(bare, whole, "as {}", std::any::type_name::<T>());
}

/// Checks that ignored values are read to their end, and that borrowed bytes are in the packet.
fn check_borrowed(arguments: &Arguments<'_>) {
    let ignored = arguments.decode::<IgnoredAny>();
    if arguments.validate().is_ok() {
        assert!(ignored.is_ok(), "{:?}", ignored.err());
    }
    let _ = arguments.decode::<(IgnoredAny, IgnoredAny)>();
    let _ = arguments.decode::<(&str,)>();
    if let Ok((bytes,)) = arguments.decode::<(&[u8],)>() {
        assert!(bytes.len() <= u32::MAX.try_into().unwrap_or(usize::MAX));
        if let Ok([Variant::PackedByteArray(own)]) = arguments.to_variants().as_deref() {
            assert_eq!(own, bytes, "borrowed");
        }
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct Hit {
    who: i32,
    how: String,
    #[serde(with = "variant_serde::as_vector3")]
    at: [f32; 3],
}

#[derive(Debug, Serialize, Deserialize)]
struct Name(String);
