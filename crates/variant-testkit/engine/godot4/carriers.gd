# Executes tasks that read and write files. The file `tasks` has a line for each task: WHAT|HOW|ARGUMENT|NAME.
# For Godot 4. --folder=FOLDER names the folder of all these files.
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
	var tasks = FileAccess.open(folder + "tasks", FileAccess.READ)
	if tasks == null:
		quit()
		return
	while not tasks.eof_reached():
		var task = tasks.get_line().split("|")
		if task.size() == 4:
			run(task[0], task[1], task[2], folder + task[3])
	FileAccess.open(folder + "done", FileAccess.WRITE).close()
	quit()


func argument(name):
	for given in OS.get_cmdline_user_args():
		if given.begins_with("--" + name + "="):
			return given.substr(name.length() + 3)
	return ""


func run(what, how, argument, name):
	match what:
		"read":
			var from = opened(name, FileAccess.READ, how, argument)
			if from != null:
				copy(from, opened(name + ".read", FileAccess.WRITE, "raw", ""))
		"write":
			var from = opened(name + ".plain", FileAccess.READ, "raw", "")
			copy(from, opened(name, FileAccess.WRITE, how, argument))
		"vars":
			var from = opened(name, FileAccess.READ, how, argument)
			if from != null:
				copy_values(from, opened(name + ".read", FileAccess.WRITE, how, argument))
		"settings":
			var from = opened(name, FileAccess.READ, how, argument)
			if from != null:
				compile_values(from, name + ".binary")


func opened(name, mode, how, argument):
	match how:
		"gcpf":
			return FileAccess.open_compressed(name, mode, int(argument))
		"pass":
			return FileAccess.open_encrypted_with_pass(name, mode, argument)
		"key":
			return FileAccess.open_encrypted(name, mode, argument.hex_decode())
	return FileAccess.open(name, mode)


func copy(from, to):
	var length = from.get_length()
	if length > 0:
		# Pandemonium 4 and 5 lose the last byte of a compressed file, unless it is read alone.
		if length > 1:
			to.store_buffer(from.get_buffer(length - 1))
		to.store_8(from.get_8())
	to.close()


func copy_values(from, to):
	while from.get_position() < from.get_length():
		to.store_var(from.get_var())
	to.close()


func compile_values(from, name):
	var count = 0
	while from.get_position() < from.get_length():
		ProjectSettings.set_setting("values/%d" % count, from.get_var())
		count += 1
	ProjectSettings.save_custom(name)
