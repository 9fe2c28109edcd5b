# Sends each value of the file `inputs` to an echo server, and writes the received values to the file `answers`.
#
# For Godot 3 and Pandemonium. --folder=FOLDER names the folder of both files; --kind=stream (StreamPeerTCP), packets
# (PacketPeerStream), udp (PacketPeerUDP) or websocket (WebSocketClient); --port=NUMBER
#
# inputs:  u32 count, then for each input u32 request, u32 objects allowed (0 or 1), u32 length, bytes
# answers: u32 count, then for each input two values: the sent one and the received one. Each is u8 1, u32 without a
#          meaning, u32 length, bytes
#
# The file `answers` is written only after all values have been received.
extends SceneTree

const PATIENCE = 10000

var answers = File.new()
var client = null


func _init():
	var folder = argument("folder")
	var inputs = File.new()
	if inputs.open(folder + "/inputs", File.READ) == OK and answers.open(folder + "/unfinished", File.WRITE) == OK:
		var peer = connected(argument("kind"), int(argument("port")))
		if peer != null and ask_all(inputs, peer):
			answers.close()
			Directory.new().rename(folder + "/unfinished", folder + "/answers")
	quit()


func argument(name):
	for given in OS.get_cmdline_args():
		if given.begins_with("--" + name + "="):
			return given.substr(name.length() + 3)
	return ""


func connected(kind, port):
	if kind == "udp":
		var udp = PacketPeerUDP.new()
		return udp if udp.set_dest_address("127.0.0.1", port) == OK else null
	if kind == "websocket":
		return websocket(port)
	var tcp = StreamPeerTCP.new()
	if tcp.connect_to_host("127.0.0.1", port) != OK:
		return null
	var end = OS.get_ticks_msec() + PATIENCE
	while tcp.get_status() == StreamPeerTCP.STATUS_CONNECTING and OS.get_ticks_msec() < end:
		OS.delay_msec(1)
	tcp.set_no_delay(true)
	if kind == "stream":
		return tcp
	var packets = PacketPeerStream.new()
	packets.stream_peer = tcp
	return packets


func websocket(port):
	client = WebSocketClient.new()
	if client.connect_to_url("ws://127.0.0.1:%d" % port) != OK:
		return null
	var end = OS.get_ticks_msec() + PATIENCE
	while client.get_connection_status() == NetworkedMultiplayerPeer.CONNECTION_CONNECTING and OS.get_ticks_msec() < end:
		client.poll()
		OS.delay_msec(1)
	if client.get_connection_status() != NetworkedMultiplayerPeer.CONNECTION_CONNECTED:
		return null
	return client.get_peer(1)


func ask_all(inputs, peer):
	var count = inputs.get_32()
	answers.store_32(count)
	for _input in count:
		var _what = inputs.get_32()
		var objects = inputs.get_32() != 0
		var length = inputs.get_32()
		var value = bytes2var(inputs.get_buffer(length), objects)
		peer.put_var(value)
		if peer is PacketPeer and not arrives(peer):
			return false
		store(value)
		store(peer.get_var())
	return true


func arrives(peer):
	var end = OS.get_ticks_msec() + PATIENCE
	while peer.get_available_packet_count() == 0:
		if client != null:
			client.poll()
		if OS.get_ticks_msec() > end:
			return false
		OS.delay_usec(100)
	return true


func store(value):
	var bytes = var2bytes(value)
	answers.store_8(1)
	answers.store_32(0)
	answers.store_32(bytes.size())
	answers.store_buffer(bytes)
