# Reads files and writes others, each as its task says. `tasks` has a line for each: WHAT|HOW|ARGUMENT|NAME
#
# read:     the bytes of NAME go to NAME.read
# write:    the bytes of NAME.plain go to NAME
# vars:     the values of NAME go to NAME.read, one store_var each
# settings: the values of NAME become settings, values/0 and so on, which are compiled to NAME.binary
#
# HOW is raw, gcpf with a mode, or pass with a password. What fails leaves no file. The last one is `done`.
extends SceneTree


func _init():
	var tasks = File.new()
	if tasks.open("res://tasks", File.READ) != OK:
		quit()
		return
	while not tasks.eof_reached():
		var task = tasks.get_line().split("|")
		if task.size() == 4:
			run(task[0], task[1], task[2], "res://" + task[3])
	var done = File.new()
	done.open("res://done", File.WRITE)
	done.close()
	quit()


func run(what, how, argument, name):
	match what:
		"read":
			var from = opened(name, File.READ, how, argument)
			if from != null:
				copy(from, opened(name + ".read", File.WRITE, "raw", ""))
		"write":
			var from = opened(name + ".plain", File.READ, "raw", "")
			copy(from, opened(name, File.WRITE, how, argument))
		"vars":
			var from = opened(name, File.READ, how, argument)
			if from != null:
				copy_values(from, opened(name + ".read", File.WRITE, "raw", ""))
		"settings":
			var from = opened(name, File.READ, how, argument)
			if from != null:
				compile_values(from, name + ".binary")


func opened(name, mode, how, argument):
	var file = File.new()
	var outcome = FAILED
	match how:
		"raw":
			outcome = file.open(name, mode)
		"gcpf":
			outcome = file.open_compressed(name, mode, int(argument))
		"pass":
			outcome = file.open_encrypted_with_pass(name, mode, argument)
	return file if outcome == OK else null


func copy(from, to):
	var length = from.get_len()
	if length > 0:
		to.store_buffer(from.get_buffer(length))
	to.close()


func copy_values(from, to):
	while from.get_position() < from.get_len():
		to.store_var(from.get_var())
	to.close()


func compile_values(from, name):
	var count = 0
	while from.get_position() < from.get_len():
		ProjectSettings.set_setting("values/%d" % count, from.get_var())
		count += 1
	ProjectSettings.save_custom(name)
