extends Node
# Loads the save that `--save=PATH` names, or `user://save.dat`. The loader has three faults, which the tests look for.

const TITLES = ["novice", "knight", "queen"]

func _ready():
	# Also after an error, the game ends.
	get_tree().quit()
	var save = read(path())
	if typeof(save) != TYPE_DICTIONARY:
		print("not a save")
		return
	if not save.has("items") or typeof(save["items"]) != TYPE_ARRAY:
		print("no items")
		return
	print(greeting(save))
	print("gold ", gold(save["items"]))
	print(title(save))

func path():
	for argument in OS.get_cmdline_args():
		if argument.begins_with("--save="):
			return argument.trim_prefix("--save=")
	return "user://save.dat"

func read(from):
	var file = File.new()
	if file.open(from, File.READ) != OK:
		return null
	var save = file.get_var()
	file.close()
	return save

func greeting(save):
	# A save without the key.
	return "hello " + str(save["player"])

func gold(items):
	var sum = 0
	for item in items:
		if typeof(item) == TYPE_DICTIONARY and item.has("gold"):
			# A text instead of a number.
			sum += item["gold"]
	return sum

func title(save):
	var rank = save.get("rank", 0)
	if typeof(rank) != TYPE_INT:
		return TITLES[0]
	# A number after the last title.
	return TITLES[rank]
