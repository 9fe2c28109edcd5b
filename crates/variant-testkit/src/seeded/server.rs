//! Faults of the server of Godot 4's multiplayer, which the simulation finds.

use super::Fault;

/// The faults of the server.
pub const SERVER_FAULTS: &[Fault] = &[
    Fault {
        name: "a departure is not announced",
        file: "variant-multiplayer/src/server.rs",
        right: "            self.network.announce_departure(id);\n",
        wrong: "",
    },
    Fault {
        name: "members of a room are not notified of a peer that leaves it",
        file: "variant-multiplayer/src/server/room.rs",
        right: "self.send_system(*other, System::DelPeer(peer.get()));",
        wrong: "",
    },
    Fault {
        name: "a closed room keeps its members",
        file: "variant-multiplayer/src/server/room.rs",
        right: "            self.leave(peer, room);\n",
        wrong: "            self.rooms.leave(peer, room);\n",
    },
    Fault {
        name: "a relay to one peer ignores rooms",
        file: "variant-multiplayer/src/server/room.rs",
        right: "let is_known = peer == from || self.rooms.share(from, peer);",
        wrong: "let is_known = true;",
    },
    Fault {
        name: "a despawn is not sent",
        file: "variant-multiplayer/src/server/replicate.rs",
        right: "self.send_surely(peer, Message::Despawn(node));",
        wrong: "let _ = (node, peer);",
    },
    Fault {
        name: "changes reach peers that do not have the node",
        file: "variant-multiplayer/src/server/state.rs",
        right: "for peer in self.informed(synchronizer, &receivers) {",
        wrong: "for peer in receivers {",
    },
    Fault {
        name: "the mask of a change is shifted",
        file: "variant-multiplayer/src/server/state.rs",
        right: "push_change(synchronizer, mask, values, &mut bytes);",
        wrong: "push_change(synchronizer, mask << 1, values, &mut bytes);",
    },
    Fault {
        name: "latecomers get the old state",
        file: "variant-multiplayer/src/server/state.rs",
        right: ".map(|actor| actor.rows = vec![state])",
        wrong: ".map(|_| drop(state))",
    },
    Fault {
        name: "all synchronizations have one time",
        file: "variant-multiplayer/src/server/peer.rs",
        right: "self.sent_time = self.sent_time.wrapping_add(1);",
        wrong: "self.sent_time = 0;",
    },
    Fault {
        name: "the net id of a removed node is used again",
        file: "variant-multiplayer/src/server/stage.rs",
        right: "let actor = self.nodes.remove(&id)?;",
        wrong: "let actor = self.nodes.remove(&id)?;\n        self.last = id.to_wire().saturating_sub(1);",
    },
    Fault {
        name: "a node does not follow the audience of its leader",
        file: "variant-multiplayer/src/server/replicate.rs",
        right: "self.update_nodes(&self.stage.with_followers(node));",
        wrong: "self.update_nodes(&[node]);",
    },
    Fault {
        name: "the next peer with the same number inherits the announced paths",
        file: "variant-multiplayer/src/server/network.rs",
        right: "        self.cache.forget(id);\n",
        wrong: "",
    },
    Fault {
        name: "the next peer with the same number inherits the nodes",
        file: "variant-multiplayer/src/server/network.rs",
        right: "            self.stage.forget(id);\n",
        wrong: "",
    },
    Fault {
        name: "a peer is admitted before it has completed the authentication",
        file: "variant-multiplayer/src/server/peer.rs",
        right: "self.is_pending() && self.has_accepted && self.has_completed",
        wrong: "self.is_pending() && self.has_accepted",
    },
    Fault {
        name: "an authentication never ends",
        file: "variant-multiplayer/src/server/peer.rs",
        right: "Standing::Pending { deadline } => deadline,",
        wrong: "Standing::Pending { .. } => None,",
    },
    Fault {
        name: "a peer spawns one node more than the limit allows",
        file: "variant-multiplayer/src/server/receive.rs",
        right: "if !is_good || peer.spawned.len() >= limit {",
        wrong: "if !is_good || peer.spawned.len() > limit {",
    },
    Fault {
        name: "old states of a client count as new",
        file: "variant-multiplayer/src/server/receive.rs",
        right: "last.is_some_and(|last| !is_newer(time, last))",
        wrong: "last.is_some_and(|last| !is_newer(time, last) && false)",
    },
    Fault {
        name: "the authority over a node is not checked",
        file: "variant-multiplayer/src/server/receive.rs",
        right: "if entry.authority == from {",
        wrong: "if entry.authority != PeerId::SERVER {",
    },
    Fault {
        name: "offences are forgiven",
        file: "variant-multiplayer/src/server/receive.rs",
        right: "!peer.patience.take(1, self.options.limits.patience(), now)",
        wrong: "!peer.patience.take(0, self.options.limits.patience(), now)",
    },
    Fault {
        name: "relays to a peer have no bound",
        file: "variant-multiplayer/src/server/receive.rs",
        right: "if peer.received.take(cost, limits.receives(), now) {",
        wrong: "if peer.received.take(0, limits.receives(), now) {",
    },
    Fault {
        name: "a tick is due again at once",
        file: "variant-multiplayer/src/server.rs",
        right: "after(at).filter(|next| *next > now).or_else(|| after(now))",
        wrong: "after(at)",
    },
    Fault {
        name: "one path more than the limit allows",
        file: "variant-multiplayer/src/path_cache.rs",
        right: "self.paths.len() < limits.paths && bytes",
        wrong: "self.paths.len() <= limits.paths && bytes",
    },
    Fault {
        name: "a client gets the node that the server has adopted from it",
        file: "variant-multiplayer/src/server/replicate.rs",
        right: "let wanted = wanted.filter(|peer| !actor.is_of(*peer)).collect();",
        wrong: "let wanted = wanted.collect();",
    },
    Fault {
        name: "adopted nodes stay when their client leaves",
        file: "variant-multiplayer/src/server/network.rs",
        right: "            self.abandon(id);\n",
        wrong: "",
    },
    Fault {
        name: "an adopted node stays when its client despawns it",
        file: "variant-multiplayer/src/server/receive.rs",
        right: "drop(self.network.despawn(node));",
        wrong: "let _ = node;",
    },
];
