# Times bytes2var and var2bytes of the engine that runs this script. The variable VARIANT_FILE names a file,
# and its first frame is read.
extends SceneTree

# The minimum time of a batch, as in ../examples/round_trip.rs, in microseconds.
const BATCH = 20000
const BATCHES = 9


func _init():
	var file = File.new()
	if file.open(OS.get_environment("VARIANT_FILE"), File.READ) != OK:
		print("error: the file cannot be opened")
		quit()
		return
	var bytes = file.get_buffer(file.get_32())
	var value = bytes2var(bytes)
	print("decode ", median(funcref(self, "decode"), bytes))
	print("encode ", median(funcref(self, "encode"), value))
	quit()


# The loop is inside of each function, so that a round does not include a call of a script function.
func decode(bytes, rounds):
	for _round in rounds:
		bytes2var(bytes)


func encode(value, rounds):
	for _round in rounds:
		var2bytes(value)


# Milliseconds per round.
func median(work, argument):
	var rounds = 1
	while batch(work, argument, rounds) < BATCH:
		rounds *= 2
	var times = []
	for _batch in BATCHES:
		times.append(batch(work, argument, rounds))
	times.sort()
	return "%.6f" % (times[BATCHES / 2] / 1000.0 / rounds)


func batch(work, argument, rounds):
	var start = OS.get_ticks_usec()
	work.call_func(argument, rounds)
	return OS.get_ticks_usec() - start
