extends Node
var health = 0

remote func one(a):
	print("one ", a)

remote func two(a, b):
	print("two ", a, " ", b)

remote func none():
	print("none")

func _ready():
	rset_config("health", 1)
