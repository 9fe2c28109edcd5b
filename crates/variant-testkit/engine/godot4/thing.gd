# A class that a script defines. Arrays may declare it.
class_name Thing
extends Resource

@export var count = 1
