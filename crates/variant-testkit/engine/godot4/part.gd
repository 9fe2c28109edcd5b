# One that derives from it.
extends "res://thing.gd"

@export var label = "a part"
