# A class of a script, of which there may be arrays.
class_name Thing
extends Resource

@export var count = 1
