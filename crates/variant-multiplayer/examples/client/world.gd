extends Node
# The node "World". The server has the same names: their order decides on the numbers of the calls.

signal heard(method: String, arguments: Array)

# Clients call these on the server, by rpc_id(1, ...). Nothing happens where they are called.
@rpc("any_peer") func say(_text): pass
@rpc("any_peer", "unreliable") func move_to(_position): pass
@rpc("any_peer") func hit(_peer): pass
@rpc("any_peer") func echo(_value): pass

# Clients call this on each other; the server passes it on.
@rpc("any_peer") func greet(text):
	heard.emit("greet", [multiplayer.get_remote_sender_id(), text])

# The server calls these.
@rpc func said(who, text):
	heard.emit("said", [who, text])
@rpc func echoed(value):
	heard.emit("echoed", [value])
