extends Node2D
# The tests set `order`, or the variable GAME_ORDER of the environment, and look at what the game prints.

export var hp = 10
var speed = 2.5
var title = "Åsa"
var bag = {"gold": 3, "items": ["axe", "rope"]}
var order = "" setget set_order
var frames = 0

func _ready():
	print("ready")
	set_order(OS.get_environment("GAME_ORDER"))

func _process(_delta):
	frames += 1
	if frames % 5 == 0:
		beat(frames / 5)

func beat(count):
	var words = ["beat", count]
	var doubled = twice(count)
	words.append(doubled)
	return words

func twice(number):
	var sum = number + number
	return sum

func set_order(what):
	order = what
	if what == "":
		return
	print("order ", what, ", hp ", hp)
	if what.begins_with("warn"):
		push_warning("the door creaks")
	if what.begins_with("error"):
		push_error("the door is locked")
	if what == "fail":
		var nothing = null
		nothing.open()
		print("after the failure")
	if what == "fail and quit":
		var nothing = null
		get_tree().quit()
		nothing.open()
	if what == "quit":
		get_tree().quit()
	if what == "quit with 3":
		get_tree().quit(3)
	if what.ends_with("then quit"):
		get_tree().quit()
