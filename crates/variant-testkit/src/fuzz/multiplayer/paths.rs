//! Compares the cache of peers' paths with a plain map.

use std::collections::BTreeMap;

use variant_multiplayer::{
    Checksum, ConfirmPath, Message, NodeRef, Packet, PathCache, PathError, PathLimits, PeerId,
};

use super::conversation;

/// The paths of one peer, by their ids.
type Paths = BTreeMap<u32, String>;

/// Checks the packets of four peers. The cache must accept or refuse each id as a plain map of the paths does.
pub(super) fn check_paths(bytes: &[u8], limit: u8) {
    let limits = PathLimits::SERVER.paths(usize::from(limit & 7)).bytes(usize::from(limit) << 1);
    let mut cache = PathCache::new(limits);
    let mut announced = BTreeMap::<PeerId, Paths>::new();
    for (number, packet) in conversation(bytes) {
        let peer = PeerId::new(i32::from(number & 3).saturating_add(1)).expect("positive");
        let paths = announced.entry(peer).or_default();
        if number & 0xf8 == 0xf8 {
            cache.forget(peer);
            paths.clear();
        }
        let Ok(packet) = Packet::parse(packet) else { continue };
        match packet.message {
            Message::SimplifyPath(simplify) => {
                let verdict = cache.receive(peer, &simplify);
                assert_eq!(verdict, expected(paths, limits, simplify.id, simplify.path));
                if verdict.is_ok() {
                    paths.insert(simplify.id, simplify.path.to_owned());
                }
                check_own(&mut cache, peer, simplify.path);
            }
            Message::ConfirmPath(confirm) => {
                // This side assigns only small ids. A greater id is accepted only from a peer that confirms by paths.
                let is_confirmed = cache.confirm(peer, &confirm);
                let is_small = confirm.id <= 255 * 128;
                assert!(!is_confirmed || is_small || cache.confirms_paths(peer));
            }
            Message::Rpc(rpc) => {
                let known = match rpc.node {
                    NodeRef::Path(path) => Some(path),
                    NodeRef::Id { id, .. } => {
                        announced.get(&peer).and_then(|all| Some(&**all.get(&id)?))
                    }
                };
                assert_eq!(cache.resolve(peer, rpc.node), known, "{:?}", rpc.node);
            }
            _ => {}
        }
    }
    check_all(&cache, &announced, limits);
}

/// The result of a plain map of paths. If there is no room, it removes an older id of the same path.
fn expected(paths: &mut Paths, limits: PathLimits, id: u32, path: &str) -> Result<(), PathError> {
    if paths.contains_key(&id) {
        return Err(PathError::Duplicate { id });
    }
    let is_full = |paths: &Paths| {
        let bytes = paths.values().map(String::len).sum::<usize>().saturating_add(path.len());
        paths.len() >= limits.paths || bytes > limits.bytes
    };
    let older = paths.iter().find(|(_, one)| *one == path).map(|(id, _)| *id);
    if let (Some(older), true) = (older, is_full(paths)) {
        paths.remove(&older);
    }
    if is_full(paths) { Err(PathError::LimitExceeded) } else { Ok(()) }
}

/// Announces a path of this side. A call must name the path by its id if and only if the id was confirmed.
fn check_own(cache: &mut PathCache, peer: PeerId, path: &str) {
    let announced = cache.tell(peer, path).expect("few paths");
    assert!(announced.id != 0 && announced.id >> 31 == 0);
    assert!(!(announced.is_new && announced.is_confirmed), "confirmed before it was announced");
    assert_eq!(announced.packet(path, Checksum::NO_METHODS).path, path);
    let node = cache.node(peer, path);
    let expected =
        if announced.is_confirmed { NodeRef::id(announced.id) } else { NodeRef::Path(path) };
    assert_eq!(node, expected);
    // Every second id is confirmed at once.
    if announced.id & 1 == 1 {
        assert!(cache.confirm(peer, &ConfirmPath::new(announced.id, true)), "it was announced");
        assert_eq!(cache.node(peer, path), NodeRef::id(announced.id));
    }
    let again = cache.tell(peer, path).expect("few paths");
    assert_eq!((again.id, again.is_new), (announced.id, false), "announced once");
}

fn check_all(cache: &PathCache, announced: &BTreeMap<PeerId, Paths>, limits: PathLimits) {
    for (peer, paths) in announced {
        assert!(paths.len() <= limits.paths);
        assert!(paths.values().map(String::len).sum::<usize>() <= limits.bytes);
        for (id, path) in paths {
            assert_eq!(cache.path(*peer, *id), Some(&**path), "{id} of {peer}");
        }
    }
}
