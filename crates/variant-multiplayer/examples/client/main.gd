extends SceneTree
# Joins the server of examples/multiplayer_server.rs, says something, walks, and leaves:
#   godot --headless -s main.gd -- websocket 127.0.0.1 4245 [TOKEN]

func _initialize():
	Engine.max_fps = 60
	var arguments = OS.get_cmdline_user_args()
	var transport = arguments[0] if arguments.size() > 0 else "websocket"
	var host = arguments[1] if arguments.size() > 1 else "127.0.0.1"
	var port = int(arguments[2]) if arguments.size() > 2 else 4245

	# The same nodes as on the server: World, Spawner, and the parent of the players.
	var world = add("World", load("res://world.gd").new())
	var players = add("Players", Node.new())
	var spawner = MultiplayerSpawner.new()
	spawner.spawn_function = func(peer): return load("res://player.gd").make(peer)
	spawner.spawn_path = ^"../Players"
	add("Spawner", spawner)

	var multiplayer = get_multiplayer()
	multiplayer.peer_connected.connect(func(peer): print("peer ", peer))
	multiplayer.server_disconnected.connect(func(): quit(1))
	world.heard.connect(func(method, arguments): print(method, " ", arguments))
	players.child_entered_tree.connect(func(player): print("player ", player.name))
	# A server with authentication gets a token first. The callback runs when the server answers.
	if arguments.size() > 3:
		multiplayer.auth_callback = func(peer, _data): multiplayer.complete_auth(peer)
		multiplayer.peer_authenticating.connect(func(peer):
			multiplayer.send_auth(peer, arguments[3].to_utf8_buffer())
			multiplayer.complete_auth(peer))
	if transport == "enet":
		var peer = ENetMultiplayerPeer.new()
		peer.create_client(host, port)
		multiplayer.multiplayer_peer = peer
	else:
		var peer = WebSocketMultiplayerPeer.new()
		peer.create_client("ws://%s:%d" % [host, port])
		multiplayer.multiplayer_peer = peer
	await multiplayer.connected_to_server
	world.rpc_id(1, "say", "hello")
	for step in 60:
		world.rpc_id(1, "move_to", Vector2(step, 0))
		await process_frame
	for player in players.get_children():
		print(player.name, " is at ", player.position, " with ", player.hp)
	quit()

func add(name: String, node: Node) -> Node:
	node.name = name
	root.add_child(node)
	return node
