# Times bytes_to_var and var_to_bytes of the Godot 4 that runs this script, on the file of its argument.
extends SceneTree

# The minimum time of a batch, as in ../examples/round_trip.rs, in microseconds.
const BATCH = 20000
const BATCHES = 9


func _init():
	var bytes = FileAccess.get_file_as_bytes(OS.get_cmdline_user_args()[0])
	var value = bytes_to_var(bytes)
	print("decode ", median(decode.bind(bytes)))
	print("encode ", median(encode.bind(value)))
	quit()


# The loop is inside of each function, so that a round does not include a call of a script function.
func decode(rounds, bytes):
	for _round in rounds:
		bytes_to_var(bytes)


func encode(rounds, value):
	for _round in rounds:
		var_to_bytes(value)


# Milliseconds per round.
func median(work):
	var rounds = 1
	while batch(work, rounds) < BATCH:
		rounds *= 2
	var times = []
	for _batch in BATCHES:
		times.append(batch(work, rounds))
	times.sort()
	return "%.6f" % (times[BATCHES / 2] / 1000.0 / rounds)


func batch(work, rounds):
	var start = Time.get_ticks_usec()
	work.call(rounds)
	return Time.get_ticks_usec() - start
