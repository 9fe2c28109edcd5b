//! [`Line`]: the group of engines that have settings with the names in a file.

use variant_view::Dialect;

/// A group of engines whose settings have the same names. A converted project keeps old names, so the newest name
/// decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Line {
    Godot2,
    /// Godot 3 and Pandemonium, which is a fork of Godot 3.
    Godot3,
    /// The names that Godot 3, Godot 4 and Pandemonium all have.
    Since3,
    Godot4,
}

impl Line {
    /// The group of engines whose names the file has. `None` if no name is known.
    pub(super) fn of<'n>(names: impl Iterator<Item = &'n [u8]>) -> Option<Self> {
        let lines = names.filter_map(Self::of_name);
        lines.reduce(|one, other| match (one, other) {
            (Self::Since3, Self::Godot3) | (Self::Godot3, Self::Since3) => Self::Godot3,
            (one, other) => one.max(other),
        })
    }

    fn of_name(name: &[u8]) -> Option<Self> {
        match name {
            b"display/window/size/viewport_width"
            | b"display/window/size/viewport_height"
            | b"display/window/size/window_width_override"
            | b"display/window/size/window_height_override"
            | b"display/window/size/mode"
            | b"display/window/stretch/scale_mode"
            | b"display/window/vsync/vsync_mode"
            | b"application/config/features"
            | b"application/config/tags"
            | b"physics/common/physics_ticks_per_second" => Some(Self::Godot4),
            b"display/window/size/width"
            | b"display/window/size/height"
            | b"display/window/size/test_width"
            | b"display/window/size/test_height"
            | b"display/window/vsync/use_vsync"
            | b"physics/common/physics_fps" => Some(Self::Godot3),
            b"application/name"
            | b"application/main_scene"
            | b"application/icon"
            | b"display/width"
            | b"display/height" => Some(Self::Godot2),
            name if name.starts_with(b"rendering/renderer/")
                || name.starts_with(b"rendering/textures/canvas_textures/") =>
            {
                Some(Self::Godot4)
            }
            name if name.starts_with(b"rendering/quality/") => Some(Self::Godot3),
            name if name.starts_with(b"application/config/")
                || name.starts_with(b"application/run/")
                || name.starts_with(b"display/window/") =>
            {
                Some(Self::Since3)
            }
            _ => None,
        }
    }

    /// Whether the engine of a dialect has settings of these names.
    pub(super) fn has(self, dialect: Dialect) -> bool {
        match dialect.engine() {
            Dialect::Godot2 => self == Self::Godot2,
            Dialect::Godot4 => matches!(self, Self::Since3 | Self::Godot4),
            _ => matches!(self, Self::Godot3 | Self::Since3),
        }
    }
}
