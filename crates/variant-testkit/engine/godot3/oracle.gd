# Executes the request of each input in the file `inputs`, and writes the results to the file `answers`. For
# Godot 3 and Pandemonium.
#
# --folder=FOLDER names the folder of both files.
#
# inputs:  u32 count, then for each input u32 request, u32 objects allowed (0 or 1), u32 length, bytes
# answers: u32 count, then for each input u8 outcome, u32 NOBODY_KNOWS (for bytes consumed), u32 length, bytes
#
# The file `answers` is written only after all inputs have been processed.
extends SceneTree

enum { VALUE, TEXT, VALUE_OF_TEXT, VALUE_TO_JSON, VALUE_OF_JSON, SCRIPT_PATHS, TYPES }
enum { REFUSED, ACCEPTED, NOT_WRITTEN }

const NOBODY_KNOWS = 0xffffffff

# The result for a refused value: null in a build that checks its scripts, otherwise an array with the error text.
var refused_value


func _init():
	# A refusal prints several lines, which would take too long for thousands of inputs.
	Engine.set("print_error_messages", false)
	refused_value = read(PoolByteArray([255, 0, 0, 0]), false)
	answer_all(argument("folder"))
	quit()


func argument(name):
	for given in OS.get_cmdline_args():
		if given.begins_with("--" + name + "="):
			return given.substr(name.length() + 3)
	return ""


# A null alone is ambiguous, because it may be the value, so the function returns an array. A build that checks its
# scripts ends a function in which a call fails. Then the caller gets null instead of the array.
func read(bytes, objects):
	return [bytes2var(bytes, objects)]


func parse(text):
	return [str2var(text)]


func write(value, objects):
	return [var2bytes(value, objects)]


# A build that does not check its scripts continues. The value is then the text of the error.
func is_refused(found):
	if found == null:
		return true
	return refused_value != null and found[0] is String and found[0] == refused_value[0]


# If the text is not a value, the result is the same text, or the text of the error.
func is_unparsed(found, text):
	if found == null:
		return true
	return found[0] is String and (found[0] == text or found[0].begins_with("Parse error at line"))


func answer_all(folder):
	var inputs = File.new()
	var answers = File.new()
	if inputs.open(folder + "/inputs", File.READ) != OK:
		return
	if answers.open(folder + "/unfinished", File.WRITE) != OK:
		return
	var count = inputs.get_32()
	answers.store_32(count)
	for _input in count:
		var what = inputs.get_32()
		var objects = inputs.get_32() != 0
		answer(what, take(inputs), objects, answers)
	answers.close()
	Directory.new().rename(folder + "/unfinished", folder + "/answers")


func take(inputs):
	var length = inputs.get_32()
	return inputs.get_buffer(length) if length > 0 else PoolByteArray()


func answer(what, bytes, objects, answers):
	var found
	if what == VALUE_OF_TEXT:
		var text = bytes.get_string_from_utf8()
		found = parse(text)
		if is_unparsed(found, text):
			found = null
	else:
		found = read(bytes, objects)
		if is_refused(found):
			found = null
	if found == null:
		store(answers, REFUSED, PoolByteArray())
	elif what == TEXT:
		store(answers, ACCEPTED, var2str(found[0]).to_utf8())
	elif what == TYPES:
		store(answers, ACCEPTED, types_of(found[0]).to_utf8())
	else:
		var written = write(found[0], objects)
		if written == null or not (written[0] is PoolByteArray):
			store(answers, NOT_WRITTEN, PoolByteArray())
		else:
			store(answers, ACCEPTED, written[0])


func types_of(dictionary):
	var types = ""
	for key in dictionary:
		types += str(key) + " " + str(typeof(dictionary[key])) + " 0\n"
	return types


func store(answers, outcome, bytes):
	answers.store_8(outcome)
	answers.store_32(NOBODY_KNOWS)
	answers.store_32(bytes.size())
	if bytes.size() > 0:
		answers.store_buffer(bytes)
