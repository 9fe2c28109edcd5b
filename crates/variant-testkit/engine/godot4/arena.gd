extends Node
# The node "World" of an engine as the server. It has the methods of examples/multiplayer_server.rs, without its rooms and grid.

@rpc("any_peer") func say(text):
	rpc("said", multiplayer.get_remote_sender_id(), text)

@rpc("any_peer", "unreliable") func move_to(position):
	var player = player_of(multiplayer.get_remote_sender_id())
	if player: player.position = position

@rpc("any_peer") func hit(peer):
	var player = player_of(peer)
	if player: player.hp = max(player.hp - 10, 0)

@rpc("any_peer") func echo(value):
	rpc_id(multiplayer.get_remote_sender_id(), "echoed", value)

@rpc("any_peer") func greet(_text): pass
@rpc func said(_who, _text): pass
@rpc func echoed(_value): pass

func player_of(peer):
	return get_node_or_null("../Players/Player%d" % peer)
