# Executes the request of each input in the file `inputs`, and writes the results to the file `answers`. For
# Godot 4.
#
# --folder=FOLDER names the folder of both files.
#
# inputs:  u32 count, then for each input u32 request, u32 objects allowed (0 or 1), u32 length, bytes
# answers: u32 count, then for each input u8 outcome, u32 bytes consumed or NOBODY_KNOWS, u32 length, bytes
#
# The file `answers` is written only after all inputs have been processed.
extends SceneTree

enum { VALUE, TEXT, VALUE_OF_TEXT, JSON_TEXT, VALUE_OF_JSON, SCRIPT_PATHS, TYPES }
enum { REFUSED, ACCEPTED, NOT_WRITTEN }

const NOBODY_KNOWS = 0xffffffff
const Thing = preload("res://thing.gd")
const Part = preload("res://part.gd")


func _init():
	# A refusal prints several lines, which would take too long for thousands of inputs.
	Engine.print_error_messages = false
	answer_all(argument("folder"))
	quit()


func argument(name):
	for given in OS.get_cmdline_user_args():
		if given.begins_with("--" + name + "="):
			return given.substr(name.length() + 3)
	return ""


func answer_all(folder):
	var inputs = FileAccess.open(folder + "/inputs", FileAccess.READ)
	var answers = FileAccess.open(folder + "/unfinished", FileAccess.WRITE)
	if inputs == null or answers == null:
		return
	var count = inputs.get_32()
	answers.store_32(count)
	for _input in count:
		var what = inputs.get_32()
		var objects = inputs.get_32() != 0
		var length = inputs.get_32()
		answer(what, inputs.get_buffer(length), objects, answers)
	answers.close()
	DirAccess.rename_absolute(folder + "/unfinished", folder + "/answers")


func answer(what, bytes, objects, answers):
	match what:
		VALUE_OF_TEXT:
			store_value(answers, str_to_var(bytes.get_string_from_utf8()), NOBODY_KNOWS, false)
			return
		VALUE_OF_JSON:
			var json = JSON.new()
			if json.parse(bytes.get_string_from_utf8()) == OK:
				store_value(answers, JSON.to_native(json.data), NOBODY_KNOWS, false)
			else:
				store(answers, REFUSED, 0, PackedByteArray())
			return
		SCRIPT_PATHS:
			var paths = [Thing.resource_path, Part.resource_path]
			store_value(answers, paths, NOBODY_KNOWS, false)
			return
	var consumed = bytes.decode_var_size(0, objects)
	if consumed == 0:
		store(answers, REFUSED, 0, PackedByteArray())
		return
	var value = bytes_to_var_with_objects(bytes) if objects else bytes_to_var(bytes)
	match what:
		VALUE:
			store_value(answers, value, consumed, objects)
		TEXT:
			store(answers, ACCEPTED, consumed, var_to_str(value).to_utf8_buffer())
		JSON_TEXT:
			var text = JSON.stringify(JSON.from_native(value), "", false, true)
			store(answers, ACCEPTED, consumed, text.to_utf8_buffer())
		TYPES:
			store(answers, ACCEPTED, consumed, types_of(value).to_utf8_buffer())


func types_of(dictionary):
	var types = ""
	for key in dictionary:
		var value = dictionary[key]
		var element = value.get_typed_builtin() if value is Array else 0
		types += "%s %d %d\n" % [key, typeof(value), element]
	return types


func store_value(answers, value, consumed, objects):
	var written = var_to_bytes_with_objects(value) if objects else var_to_bytes(value)
	var outcome = NOT_WRITTEN if written.is_empty() else ACCEPTED
	store(answers, outcome, consumed, written)


func store(answers, outcome, consumed, bytes):
	answers.store_8(outcome)
	answers.store_32(consumed)
	answers.store_32(bytes.size())
	answers.store_buffer(bytes)
