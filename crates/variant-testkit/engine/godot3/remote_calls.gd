# A server that calls the methods of a client, and sets a property, before and after the client has confirmed the path.
#
# python3 remote_calls.py > datagrams.jsonl &
# godot3-server --path . -s remote_calls.gd --as-server &
# godot3-server --path . -s remote_calls.gd
extends SceneTree
var t = 0.0
var step = 0
var is_server = false
var world

func _init():
	var peer = NetworkedMultiplayerENet.new()
	for a in OS.get_cmdline_args():
		if a == "--as-server": is_server = true
	if is_server:
		print("listen ", peer.create_server(47011, 4))
	else:
		print("connect ", peer.create_client("127.0.0.1", 47012))
	set_network_peer(peer)
	world = load("res://remote_calls_node.gd").new()
	world.name = "World"
	get_root().add_child(world)

func _iteration(delta):
	t += delta
	if is_server and t > 2.0 and step == 0 and get_network_connected_peers().size() > 0:
		step = 1
		world.rpc("one", 5)
		world.rpc("two", "a", 0.5)
		world.rpc("none")
		world.rset("health", 7)
		multiplayer.send_bytes(PoolByteArray([1,2,3]))
	if is_server and t > 4.0 and step == 1:
		step = 2
		world.rpc("one", 5)
		world.rset("health", 7)
	if t > 5.5: quit()
