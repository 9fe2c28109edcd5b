# Executes tasks that read and write files. The file `tasks` has a line for each task: WHAT|HOW|ARGUMENT|NAME.
# For Godot 3 and Pandemonium. --folder=FOLDER names the folder of all these files.
#
# read:     writes the bytes of NAME to NAME.read
# write:    writes the bytes of NAME.plain to NAME
# vars:     reads the values of NAME, and writes each by store_var to NAME.read, which has the same wrapping as NAME
# settings: stores the values of NAME as the settings values/0, values/1 and so on, and writes them to NAME.binary
#
# HOW is the wrapping of NAME: raw, gcpf, pass or key. ARGUMENT is the mode for gcpf, the password for pass, and 64 hex
# digits for key. A task that fails leaves no file. After the last task, the script creates the file `done`.
extends SceneTree


func _init():
	var folder = argument("folder") + "/"
	var tasks = File.new()
	if tasks.open(folder + "tasks", File.READ) != OK:
		quit()
		return
	while not tasks.eof_reached():
		var task = tasks.get_line().split("|")
		if task.size() == 4:
			run(task[0], task[1], task[2], folder + task[3])
	var done = File.new()
	done.open(folder + "done", File.WRITE)
	done.close()
	quit()


func argument(name):
	for given in OS.get_cmdline_args():
		if given.begins_with("--" + name + "="):
			return given.substr(name.length() + 3)
	return ""


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
				copy_values(from, opened(name + ".read", File.WRITE, how, argument))
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
		"key":
			outcome = file.open_encrypted(name, mode, key(argument))
	return file if outcome == OK else null


func key(digits):
	var bytes = PoolByteArray()
	for at in 32:
		bytes.append(("0x" + digits.substr(at * 2, 2)).hex_to_int())
	return bytes


func copy(from, to):
	var length = from.get_len()
	if length > 0:
		# Pandemonium 4 and 5 lose the last byte of a compressed file, unless it is read alone.
		if length > 1:
			to.store_buffer(from.get_buffer(length - 1))
		to.store_8(from.get_8())
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
