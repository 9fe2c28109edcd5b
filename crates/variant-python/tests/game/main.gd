extends Node2D

var hp = 10
var speed = 2.5
var title = "Åsa"
var bag = {"gold": 3, "items": ["axe", "rope"]}
var frames = 0

func _ready():
	print("ready")
	follow(OS.get_environment("GAME_ORDER"))

func _process(_delta):
	frames += 1
	if frames % 5 == 0:
		beat(frames / 5)

func beat(count):
	var words = ["beat", count]
	words.append(twice(count))
	return words

func twice(number):
	var sum = number + number
	return sum

func follow(order):
	if order == "quit with 3":
		get_tree().quit(3)
	if order == "fail and quit":
		get_tree().quit()
		var nothing = null
		nothing.open()
