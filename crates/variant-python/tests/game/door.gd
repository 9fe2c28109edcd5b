extends Sprite

var is_open = false setget open

func open(value):
	is_open = value
	print("the door is ", "open" if value else "closed")
