extends Node
# The node "World". The server has the same names, since their order determines the ids of the methods.

signal heard(method: String, arguments: Array)

# Clients call these functions on the server, by rpc_id(1, ...). The bodies do nothing.
@rpc("any_peer") func say(_text): pass
@rpc("any_peer", "unreliable") func move_to(_position): pass
@rpc("any_peer") func hit(_peer): pass
@rpc("any_peer") func echo(_value): pass

# Clients call this function on each other. The server relays the call.
@rpc("any_peer") func greet(text):
	heard.emit("greet", [multiplayer.get_remote_sender_id(), text])

# The server calls these functions.
@rpc func said(who, text):
	heard.emit("said", [who, text])
@rpc func echoed(value):
	heard.emit("echoed", [value])
