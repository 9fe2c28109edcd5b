extends SceneTree
# A peer of Godot's own multiplayer: a client that uses everything in the arena, or the server of the arena.
#   --role=client|server --transport=websocket|wss|enet --port=N --folder=PATH
#   --others=N    a client waits for N other clients, and greets them
#   --leave=N     a server ends when N clients have left
#   --token=TEXT  a client authenticates itself
#   --rooms=A,B   a client only enters these rooms, one after the other, and writes who is there
# Results are written to PATH/answers-ID as lines of JSON. The last line is {"done": true}.

var options := {"role": "client", "transport": "websocket", "port": "0", "folder": ".", "others": "0", "leave": "1", "token": "", "rooms": ""}
var answers: FileAccess
var world: Node
var players: Node
var spawner: MultiplayerSpawner
var echoes := []
var greetings := []
var sayings := []
var packets := []

func tell(line: Dictionary):
	answers.store_line(JSON.stringify(line))
	answers.flush()

func add(title: String, node: Node) -> Node:
	node.name = title
	root.add_child(node)
	return node

# Returns true when the condition becomes true. Returns false after some seconds, or if the connection is closed.
func until(condition: Callable) -> bool:
	var start = Time.get_ticks_msec()
	while not condition.call():
		var is_closed = get_multiplayer().multiplayer_peer.get_connection_status() == MultiplayerPeer.CONNECTION_DISCONNECTED
		if is_closed or Time.get_ticks_msec() - start > 20000:
			return false
		await process_frame
	return true

func _initialize():
	Engine.max_fps = 60
	for argument in OS.get_cmdline_user_args():
		var parts = argument.trim_prefix("--").split("=", true, 1)
		options[parts[0]] = parts[1]
	var is_server = options.role == "server"
	world = add("World", load("res://arena.gd" if is_server else "res://world.gd").new())
	players = add("Players", Node.new())
	spawner = MultiplayerSpawner.new()
	spawner.spawn_function = func(peer): return load("res://player.gd").make(peer)
	spawner.spawn_path = ^"../Players"
	add("Spawner", spawner)
	var multiplayer = get_multiplayer()
	if options.token:
		multiplayer.auth_callback = func(peer, _data): multiplayer.complete_auth(peer)
		multiplayer.peer_authenticating.connect(func(peer):
			multiplayer.send_auth(peer, options.token.to_utf8_buffer())
			multiplayer.complete_auth(peer))
	multiplayer.multiplayer_peer = peer_of(options.transport, is_server)
	if is_server:
		serve(multiplayer)
	else:
		join(multiplayer)

func peer_of(transport: String, is_server: bool) -> MultiplayerPeer:
	var port = int(options.port)
	if transport == "enet":
		var peer = ENetMultiplayerPeer.new()
		if is_server:
			peer.set_bind_ip("127.0.0.1")
			peer.create_server(port, 1024)
		else:
			peer.create_client("127.0.0.1", port)
		return peer
	var peer = WebSocketMultiplayerPeer.new()
	if is_server:
		peer.create_server(port, "127.0.0.1")
	elif transport == "wss":
		peer.create_client("wss://localhost:%d" % port, TLSOptions.client_unsafe())
	else:
		peer.create_client("ws://127.0.0.1:%d" % port)
	return peer

func serve(multiplayer):
	Engine.max_fps = 0
	var left = [0]
	multiplayer.peer_connected.connect(func(peer):
		spawner.spawn(peer))
	multiplayer.peer_disconnected.connect(func(peer):
		var player = players.get_node_or_null("Player%d" % peer)
		if player: player.queue_free()
		left[0] += 1)
	var file = FileAccess.open(options.folder.path_join("ready"), FileAccess.WRITE)
	file.store_line("ready")
	file.close()
	while left[0] < int(options.leave):
		await process_frame
	quit()

func join(multiplayer):
	world.heard.connect(hear)
	multiplayer.peer_packet.connect(func(from, bytes): packets.append([from, bytes.hex_encode()]))
	# The client is connected. A client with a token has also been admitted.
	if not await until(func(): return 1 in multiplayer.get_peers()):
		quit(1)
		return
	var me = multiplayer.get_unique_id()
	answers = FileAccess.open(options.folder.path_join("answers-%d" % me), FileAccess.WRITE)
	tell({"id": me})
	if options.rooms:
		await visit(options.rooms.split(","))
		return
	var wanted = int(options.others)
	var others = func(): return Array(multiplayer.get_peers()).filter(func(peer): return peer != 1)
	tell({"others": await until(func(): return others.call().size() >= wanted)})
	await echo()
	await play(me)
	await meet(others.call())
	# Only the server may call this method, so the call has no effect.
	world.rpc_id(1, "said", me, "forged")
	world.rpc_id(1, "say", "hello from %d" % me)
	tell({"said": await until(func(): return sayings.has([me, "hello from %d" % me]))})
	tell({"forged": sayings.any(func(saying): return saying[1] == "forged")})
	tell({"packets": packets})
	tell({"done": true})
	# The other clients may not know this client yet.
	for i in 30: await process_frame
	quit()

# Enters rooms. The name of a room ends with the number of players to wait for, including the client: "red:2".
func visit(rooms):
	for room in rooms:
		var parts = room.split(":")
		world.rpc_id(1, "say", "/room " + parts[0])
		var others = func(): return Array(get_multiplayer().get_peers()).filter(func(peer): return peer != 1)
		var wanted = int(parts[1])
		await until(func(): return others.call().size() == wanted - 1 and players.get_child_count() == wanted)
		var names = players.get_children().map(func(player): return String(player.name))
		tell({parts[0]: {"peers": others.call(), "players": names}})
		# The other clients also need time to see the room.
		for i in 120: await process_frame
	tell({"done": true})
	quit()

func hear(method, arguments):
	match method:
		"echoed": echoes.append(arguments[0])
		"greet": greetings.append(arguments)
		"said": sayings.append(arguments)

# The server sends each value back unchanged.
func echo():
	var values = values_of_all_types()
	var different = []
	for value in values:
		var before = echoes.size()
		world.rpc_id(1, "echo", value)
		if not await until(func(): return echoes.size() > before):
			tell({"lost": var_to_str(value)})
			return
		# The padding of a node path has no meaning, so texts are compared.
		var sent = var_to_str(value)
		var came = var_to_str(echoes.back())
		if sent != came or typeof(value) != typeof(echoes.back()):
			different.append([sent, came])
	tell({"echoed": values.size(), "different": different})

# The server's node of this peer appears, moves on request, and is hit.
func play(me):
	var mine = func(): return players.get_node_or_null("Player%d" % me)
	tell({"spawned": await until(func(): return mine.call() != null), "hp": mine.call().hp if mine.call() else -1})
	world.rpc_id(1, "move_to", Vector2(3, -4))
	tell({"moved": await until(func(): return mine.call().position == Vector2(3, -4))})
	world.rpc_id(1, "hit", me)
	tell({"hit": await until(func(): return mine.call().hp == 90)})

# Clients call each other and send bytes to each other; the server forwards both.
func meet(others):
	for other in others:
		world.rpc_id(other, "greet", "hello %d" % other)
		get_multiplayer().send_bytes("bytes".to_utf8_buffer(), other)
	tell({"greeted": await until(func(): return greetings.size() >= others.size() and packets.size() >= others.size()), "greetings": greetings})

func values_of_all_types() -> Array:
	var typed: Array[int] = [1, 2]
	var typed_dictionary: Dictionary[String, int] = {"a": 1}
	return [null, true, false, 0, -1, 127, -129, 70000, 5000000000, -9223372036854775807 - 1, 0.5, 0.1, INF, "", "hé世", "x".repeat(5000),
		Vector2(1, -2), Vector2i(3, -4), Rect2(1, 2, 3, 4), Rect2i(1, 2, 3, 4), Vector3(1, 2, 3.5), Vector3i(1, 2, 3), Transform2D(), Vector4(1, 2, 3, 4),
		Vector4i(1, 2, 3, 4), Plane(0, 1, 0, 2), Quaternion(0, 0, 0, 1), AABB(Vector3(1, 2, 3), Vector3(4, 5, 6)), Basis(), Transform3D(), Projection(),
		Color(1, 0.5, 0.25, 1), &"name", ^"A/B:c", ^"/root", RID(), Callable(), Signal(), {}, {"k": 1, 2: [&"v"]}, typed_dictionary, [], [1, "a", [true, 2.5]], typed,
		PackedByteArray([7]), PackedByteArray([1, 2, 3, 4, 5]), PackedInt32Array([1, -2]), PackedInt64Array([5000000000]), PackedFloat32Array([0.5]),
		PackedFloat64Array([0.1]), PackedStringArray(["x", "yz"]), PackedVector2Array([Vector2(1, 2)]), PackedVector3Array([Vector3(1, 2, 3)]),
		PackedColorArray([Color(1, 0, 0, 1)]), PackedVector4Array([Vector4(1, 2, 3, 4)])]
