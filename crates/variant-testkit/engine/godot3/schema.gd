# Reads each value of the file `save` by the classes in types.gd, and writes the values that the classes give back to
# `back`. Then takes each key of the last value away, and gives it a value of another kind. Writes the faults that the
# classes find to `faults`: a line for each value, which ends with what `read` returns.
extends SceneTree


func _init():
	var folder = argument("folder") + "/"
	var types = load(folder + "types.gd")
	var save = File.new()
	var back = File.new()
	var faults = File.new()
	if save.open(folder + "save", File.READ) != OK or back.open(folder + "back", File.WRITE) != OK:
		quit()
		return
	faults.open(folder + "faults", File.WRITE)
	var value
	while save.get_position() < save.get_len():
		value = save.get_var()
		back.store_var(types.read(value).to_dictionary())
	back.close()
	for key in value:
		var other = value.duplicate()
		other[key] = AABB()
		tell(faults, types, other)
		other.erase(key)
		tell(faults, types, other)
	faults.close()
	quit()


func tell(faults, types, value):
	faults.store_line(types.Save.fault(value, "") + "; " + str(types.read(value)))


func argument(name):
	for given in OS.get_cmdline_args():
		if given.begins_with("--" + name + "="):
			return given.substr(name.length() + 3)
	return ""
