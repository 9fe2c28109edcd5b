# A class that derives from the class of thing.gd.
extends "res://thing.gd"

@export var label = "a part"
