# Sends each value of the file `inputs` to an echo server, and writes the received values to the file `answers`.
#
# For Godot 4. --folder=FOLDER names the folder of both files; --kind=stream (StreamPeerTCP), packets
# (PacketPeerStream), udp (PacketPeerUDP) or websocket (WebSocketPeer); --port=NUMBER
#
# inputs:  u32 count, then for each input u32 request, u32 objects allowed (0 or 1), u32 length, bytes
# answers: u32 count, then for each input two values: the sent one and the received one. Each is u8 1, u32 without a
#          meaning, u32 length, bytes
#
# The file `answers` is written only after all values have been received.
extends SceneTree

const PATIENCE = 10000

var answers


func _init():
	var folder = argument("folder")
	var inputs = FileAccess.open(folder + "/inputs", FileAccess.READ)
	answers = FileAccess.open(folder + "/unfinished", FileAccess.WRITE)
	if inputs != null and answers != null:
		var peer = connected(argument("kind"), int(argument("port")))
		if peer != null and ask_all(inputs, peer):
			answers.close()
			DirAccess.rename_absolute(folder + "/unfinished", folder + "/answers")
	quit()


func argument(name):
	for given in OS.get_cmdline_user_args():
		if given.begins_with("--" + name + "="):
			return given.substr(name.length() + 3)
	return ""


func connected(kind, port):
	if kind == "udp":
		var udp = PacketPeerUDP.new()
		return udp if udp.connect_to_host("127.0.0.1", port) == OK else null
	if kind == "websocket":
		return websocket(port)
	var tcp = StreamPeerTCP.new()
	if tcp.connect_to_host("127.0.0.1", port) != OK:
		return null
	var end = Time.get_ticks_msec() + PATIENCE
	while tcp.get_status() == StreamPeerTCP.STATUS_CONNECTING and Time.get_ticks_msec() < end:
		tcp.poll()
		OS.delay_msec(1)
	tcp.set_no_delay(true)
	if kind == "stream":
		return tcp
	var packets = PacketPeerStream.new()
	packets.stream_peer = tcp
	return packets


func websocket(port):
	var peer = WebSocketPeer.new()
	if peer.connect_to_url("ws://127.0.0.1:%d" % port) != OK:
		return null
	var end = Time.get_ticks_msec() + PATIENCE
	while peer.get_ready_state() == WebSocketPeer.STATE_CONNECTING and Time.get_ticks_msec() < end:
		peer.poll()
		OS.delay_msec(1)
	return peer if peer.get_ready_state() == WebSocketPeer.STATE_OPEN else null


func ask_all(inputs, peer):
	var count = inputs.get_32()
	answers.store_32(count)
	for _input in count:
		var _what = inputs.get_32()
		var objects = inputs.get_32() != 0
		var length = inputs.get_32()
		var value = bytes_to_var_with_objects(inputs.get_buffer(length)) if objects else bytes_to_var(inputs.get_buffer(length))
		peer.put_var(value)
		if peer is PacketPeer and not arrives(peer):
			return false
		store(value)
		store(peer.get_var())
	return true


func arrives(peer):
	var end = Time.get_ticks_msec() + PATIENCE
	while peer.get_available_packet_count() == 0:
		if peer is WebSocketPeer:
			peer.poll()
		if Time.get_ticks_msec() > end:
			return false
		OS.delay_usec(100)
	return true


func store(value):
	var bytes = var_to_bytes(value)
	answers.store_8(1)
	answers.store_32(0)
	answers.store_32(bytes.size())
	answers.store_buffer(bytes)
