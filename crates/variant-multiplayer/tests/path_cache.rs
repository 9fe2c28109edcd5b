//! The paths of peers in a cache: limits, duplicates, extreme ids, forgetting, memory. There is only one test, since
//! the counting allocator is global.

#![allow(clippy::unwrap_used, clippy::arithmetic_side_effects, reason = "a test may stop")]

use std::time::Instant;

use peak_alloc::PeakAlloc;
use variant_multiplayer::server::{
    Call, CallResult, Handler, Network, Node, Server, ServerLimits, ServerOptions,
};
use variant_multiplayer::{
    Checksum, ConfirmPath, Delivery, Input, Message, NetId, NodeRef, Packet, PathCache, PathError,
    PathLimits, PeerId, Service, SimplifyPath, Sync, push_state,
};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

fn peer(id: i32) -> PeerId {
    PeerId::new(id).unwrap()
}

fn tells(id: u32, path: &str) -> SimplifyPath<'_> {
    SimplifyPath::new(id, path, Checksum::NO_METHODS)
}

#[test]
fn caches_keep_to_their_limits() {
    the_number_of_paths_is_limited();
    the_bytes_of_paths_are_limited();
    an_id_is_given_once();
    ids_are_any_number();
    forgotten_paths_leave_room();
    a_call_has_the_id_once_it_is_confirmed();
    a_confirmed_path_is_what_was_announced();
    a_hostile_peer_takes_its_share();
    ever_new_ids_of_one_node_take_no_more();
}

fn the_number_of_paths_is_limited() {
    for limit in [0, 1, 7, 1_024] {
        let mut cache = PathCache::new(PathLimits::SERVER.paths(limit));
        for id in 0..limit {
            let path = id.to_string();
            cache.receive(peer(2), &tells(id.try_into().unwrap(), &path)).unwrap();
        }
        let more = cache.receive(peer(2), &tells(5_000, "a"));
        assert_eq!(more, Err(PathError::LimitExceeded), "{limit}");
        // An older id of the same path is removed.
        assert_eq!(cache.receive(peer(2), &tells(6_000, "0")).is_ok(), limit > 0);
        assert_eq!(cache.path(peer(2), 0), None);
        assert_eq!(cache.path(peer(2), 6_000), (limit > 0).then_some("0"));
        assert_eq!(cache.path(peer(2), 5_000), None, "nothing is kept");
        // Another peer has separate limits.
        assert_eq!(cache.receive(peer(3), &tells(0, "a")).is_ok(), limit > 0);
    }
}

fn the_bytes_of_paths_are_limited() {
    let path = "x".repeat(100);
    for (limit, fits) in [(99, false), (100, true), (101, true)] {
        let mut cache = PathCache::new(PathLimits::SERVER.bytes(limit));
        assert_eq!(cache.receive(peer(2), &tells(1, &path)).is_ok(), fits, "{limit}");
    }
    let mut cache = PathCache::new(PathLimits::SERVER.bytes(100));
    cache.receive(peer(2), &tells(1, &"x".repeat(60))).unwrap();
    assert_eq!(cache.receive(peer(2), &tells(2, &"x".repeat(41))), Err(PathError::LimitExceeded));
    // Refused paths do not count towards the limits.
    cache.receive(peer(2), &tells(2, &"x".repeat(40))).unwrap();
    cache.receive(peer(2), &tells(3, "")).unwrap();
    assert_eq!(cache.receive(peer(2), &tells(4, "x")), Err(PathError::LimitExceeded));
}

fn an_id_is_given_once() {
    let mut cache = PathCache::new(PathLimits::SERVER.paths(1));
    cache.receive(peer(2), &tells(9, "a")).unwrap();
    let again = cache.receive(peer(2), &tells(9, "b")).unwrap_err();
    assert_eq!(again, PathError::Duplicate { id: 9 }, "and not the limit");
    assert_eq!(again.to_string(), "the peer has given the id 9 to a path before");
    assert_eq!(cache.path(peer(2), 9), Some("a"), "the first stays");
}

fn ids_are_any_number() {
    let mut cache = PathCache::default();
    let ids = [0, 1, u32::MAX, 1 << 31, (1 << 31) - 1];
    for id in ids {
        cache.receive(peer(2), &tells(id, &id.to_string())).unwrap();
    }
    for id in ids {
        assert_eq!(cache.path(peer(2), id), Some(&*id.to_string()));
    }
    // A call cannot name an id with bit 31, which marks a path, so `NodeRef::id` drops this bit.
    assert_eq!(cache.resolve(peer(2), NodeRef::id(u32::MAX)), Some("2147483647"));
    assert_eq!(cache.resolve(peer(2), NodeRef::Path("any/where")), Some("any/where"));
    assert_eq!(cache.resolve(peer(2), NodeRef::id(77)), None);
}

fn forgotten_paths_leave_room() {
    let mut cache = PathCache::new(PathLimits::SERVER.paths(1));
    cache.receive(peer(2), &tells(1, "a")).unwrap();
    let told = cache.tell(peer(2), "World").unwrap();
    assert!(cache.confirm(peer(2), &ConfirmPath::new(told.id, true)));
    cache.forget(peer(2));
    assert_eq!(cache.path(peer(2), 1), None);
    assert_eq!(cache.node(peer(2), "World"), NodeRef::Path("World"), "no longer confirmed");
    assert!(!cache.confirm(peer(2), &ConfirmPath::new(told.id, true)), "not announced");
    cache.receive(peer(2), &tells(1, "b")).unwrap();
    let again = cache.tell(peer(2), "World").unwrap();
    assert_eq!((again.id, again.is_new, again.is_confirmed), (told.id, true, false));
    cache.forget(peer(99));
}

fn a_call_has_the_id_once_it_is_confirmed() {
    let mut cache = PathCache::default();
    for number in 1..=70_000_u32 {
        assert_eq!(cache.own_id(&number.to_string()), Some(number), "ids count from 1");
    }
    for (number, path) in [(255, "255"), (256, "256"), (65_536, "65536")] {
        let told = cache.tell(peer(2), path).unwrap();
        assert!((told.id, told.is_new, told.is_confirmed) == (number, true, false));
        assert_eq!(cache.node(peer(2), path), NodeRef::Path(path));
        // The id was announced only to peer 2.
        assert!(!cache.confirm(peer(3), &ConfirmPath::new(number, true)));
        // Engines continue if methods differ.
        assert!(cache.confirm(peer(2), &ConfirmPath::new(number, false)));
        assert_eq!(cache.node(peer(2), path), NodeRef::id(number));
        assert_eq!(cache.node(peer(3), path), NodeRef::Path(path));
        assert!(cache.tell(peer(2), path).unwrap().is_confirmed);
    }
    assert!(!cache.confirm(peer(2), &ConfirmPath::new(0, true)), "never announced");
}

/// Godot 4.0 to 4.2 confirm the path and not the id. A confirmation of six bytes can be either form.
fn a_confirmed_path_is_what_was_announced() {
    let confirms = |cache: &mut PathCache, from: i32, bytes: &[u8]| match Packet::parse(bytes) {
        Ok(Packet { message: Message::ConfirmPath(confirm), .. }) => {
            cache.confirm(peer(from), &confirm)
        }
        _ => false,
    };
    let mut cache = PathCache::default();
    let as_id = u32::from_le_bytes(*b"Foo\0");
    for path in ["World", "W", "Wo", "Foo", "Welt/Straße", "Bar"] {
        let told = cache.tell(peer(2), path).unwrap();
        let bytes = [b"\x02\x01", path.as_bytes(), b"\0"].concat();
        assert!(!confirms(&mut cache, 3, &bytes), "{path} was announced to another peer");
        assert_eq!(cache.node(peer(2), path), NodeRef::Path(path));
        assert!(confirms(&mut cache, 2, &bytes), "{path}");
        assert_eq!(cache.node(peer(2), path), NodeRef::id(told.id));
    }
    assert!(cache.confirms_paths(peer(2)) && !cache.confirms_paths(peer(3)));
    for bytes in [&b"\x02\x01Never\0"[..], b"\x02\x01Nev\0", b"\x02\x01\0", b"\x02\x01World"] {
        assert!(!confirms(&mut cache, 2, bytes), "{bytes:?}");
    }
    // The bytes of an announced id are read as the id, even if they can be a path.
    cache.tell(peer(3), "World").unwrap();
    assert!(confirms(&mut cache, 3, &[2, 1, 1, 0, 0, 0]) && !cache.confirms_paths(peer(3)));
    assert!(!cache.confirm(peer(3), &ConfirmPath::new(as_id, true)), "neither was announced");
    cache.forget(peer(2));
    assert!(!cache.confirms_paths(peer(2)), "another peer may have the number");
}

/// Each path that a peer announces takes the memory of its bytes and of a few machine words. Forgetting the peer frees
/// this memory.
fn a_hostile_peer_takes_its_share() {
    let before = MEMORY.current_usage();
    let mut cache = PathCache::default();
    let long = "x".repeat(1_000);
    MEMORY.reset_peak_usage();
    for id in 0..100_000_u32 {
        // Ids with large gaps, and long, short and empty paths.
        let id = id.wrapping_mul(2_654_435_761);
        let _ = cache.receive(peer(2), &tells(id, &long));
        let _ = cache.receive(peer(2), &tells(id ^ 1, "x"));
        let _ = cache.receive(peer(2), &tells(id ^ 2, ""));
        let _ = cache.confirm(peer(2), &ConfirmPath::new(id, true));
    }
    let PathLimits { paths, bytes, .. } = PathLimits::SERVER;
    let taken = MEMORY.peak_usage().saturating_sub(before);
    println!("{taken} bytes for a peer of {paths} paths and {bytes} bytes");
    assert!(taken < bytes + paths * 64, "{taken} bytes");
    cache.forget(peer(2));
    let left = MEMORY.current_usage().saturating_sub(before);
    assert!(left < 2_048, "{left} bytes are left of a peer that is gone");
}

/// A program that does nothing.
struct Quiet;

impl Handler for Quiet {
    type Event = ();

    fn call(&mut self, _: Call<'_>, _: &mut Network) -> CallResult {
        Ok(())
    }
}

/// A peer announces its synchronizer with a new id each time, and sends a state for each id.
fn ever_new_ids_of_one_node_take_no_more() {
    let mut limits = ServerLimits::DEFAULT;
    (limits.packets, limits.bytes) = (u32::MAX, u32::MAX);
    limits.paths = PathLimits::SERVER.paths(64);
    let own = Node::new("Sync").authority(peer(2));
    let mut server = Server::new(Quiet, ServerOptions::default().limits(limits), [own]);
    let now = Instant::now();
    server.handle(Input::Connected { peer: peer(2), address: None }, now);
    let mut announce = |ids: core::ops::Range<u32>| {
        for id in ids {
            let mut state = Vec::new();
            Sync::begin(1, &mut state);
            push_state(NetId::of_path(id), &[2, 7], &mut state);
            let path = Packet::new(Message::SimplifyPath(tells(id, "Sync"))).to_vec();
            for bytes in [&path[..], &state] {
                let (from, delivery) = (peer(2), Delivery::RELIABLE);
                server.handle(Input::Received { from, bytes, delivery }, now);
            }
            while server.output().is_some() {}
        }
    };
    announce(0..64);
    let before = MEMORY.current_usage();
    announce(64..20_000);
    let grown = MEMORY.current_usage().saturating_sub(before);
    assert!(grown < 1_024, "{grown} bytes more for ids that are of no use");
}
