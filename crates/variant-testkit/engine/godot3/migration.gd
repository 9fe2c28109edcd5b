# Writes the saves of three versions of a game, as each version writes them, for the tests of migrations.
# For Godot 3. --folder=FOLDER names the folder of the saves.
#
# NAME_v1.save, NAME_v2.save and NAME_v3.save hold the same state, by store_var. Of the first state there are also
# compressed and encrypted saves of each version.
extends SceneTree

const STATES = [
	{
		"first": "Ada", "last": "King", "class": "mage", "health": 37, "mana": 50, "gold": 120,
		"x": 12.5, "y": -3.0, "tint": "#ff8000", "difficulty": "easy", "score": 1500,
		"items": [[3, 2], [14, 1]], "levels": [1, 1, 2, 3, 5],
	},
	{
		"first": "Bo", "last": "Åkesson", "class": "cook", "health": 80, "mana": 50, "gold": 0,
		"x": 0.0, "y": 0.0, "tint": "#0033ff", "difficulty": "hard", "score": 0,
		"items": [], "levels": [],
	},
]

const DIFFICULTIES = {"easy": 0, "hard": 1}


func _init():
	var folder = argument("folder") + "/"
	for number in STATES.size():
		var saves = [first(STATES[number]), second(STATES[number]), third(STATES[number])]
		for version in saves.size():
			var name = folder + "player%d_v%d" % [number + 1, version + 1]
			var file = File.new()
			file.open(name + ".save", File.WRITE)
			store(file, saves[version])
			if number == 0:
				file.open_compressed(name + ".gcpf", File.WRITE, File.COMPRESSION_ZSTD)
				store(file, saves[version])
				file.open_encrypted_with_pass(name + ".gdec", File.WRITE, "hunter2")
				store(file, saves[version])
	quit()


func argument(name):
	for given in OS.get_cmdline_args():
		if given.begins_with("--" + name + "="):
			return given.substr(name.length() + 3)
	return ""


func store(file, save):
	file.store_var(save)
	file.close()


# Version 1: the first release. It has no field for a version.
func first(state):
	var items = []
	for item in state["items"]:
		items.append({"id": item[0], "n": item[1], "debug": true})
	return {
		"player": {
			"name": state["first"] + " " + state["last"],
			"hp": float(state["health"]),
			"class": state["class"],
			"gold": state["gold"],
			"pos": [state["x"], state["y"]],
			"tint": state["tint"],
		},
		"items": items,
		"difficulty": state["difficulty"],
		"score": state["score"],
		"levels": state["levels"],
	}


# Version 2: health is an integer, names have two parts, the gold is in an inventory.
func second(state):
	var items = []
	for item in state["items"]:
		items.append({"id": item[0], "count": item[1]})
	return {
		"player": {
			"first": state["first"],
			"last": state["last"],
			"health": state["health"],
			"class": state["class"],
			"pos": [state["x"], state["y"]],
			"tint": state["tint"],
			"mana": state["mana"],
		},
		"items": items,
		"difficulty": state["difficulty"],
		"score": state["score"],
		"levels": state["levels"],
		"inventory": {"gold": state["gold"]},
		"meta": {"version": 2},
	}


# Version 3: values have the engine's types, items are found by their id.
func third(state):
	var items = {}
	for item in state["items"]:
		items[item[0]] = {"id": item[0], "count": item[1]}
	return {
		"player": {
			"first": state["first"],
			"last": state["last"],
			"health": state["health"],
			"class": state["class"],
			"pos": Vector2(state["x"], state["y"]),
			"tint": Color(state["tint"]),
			"mana": state["mana"],
		},
		"difficulty": DIFFICULTIES[state["difficulty"]],
		"score": {"value": state["score"]},
		"levels": PoolIntArray(state["levels"]),
		"inventory": {"gold": state["gold"], "items": items},
		"meta": {"version": 3},
	}
