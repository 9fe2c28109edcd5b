extends Node2D
# A player, as the server spawns it. The server sends its position regularly, and its health when it changes.

var hp := 100

static func make(peer) -> Node2D:
	var player = load("res://player.gd").new()
	player.name = "Player%d" % peer
	var config = SceneReplicationConfig.new()
	for property in [^".:position", ^".:hp"]:
		config.add_property(property)
		config.property_set_spawn(property, true)
	config.property_set_replication_mode(^".:position", SceneReplicationConfig.REPLICATION_MODE_ALWAYS)
	config.property_set_replication_mode(^".:hp", SceneReplicationConfig.REPLICATION_MODE_ON_CHANGE)
	var synchronizer = MultiplayerSynchronizer.new()
	synchronizer.name = "Synchronizer"
	synchronizer.replication_config = config
	player.add_child(synchronizer)
	return player
