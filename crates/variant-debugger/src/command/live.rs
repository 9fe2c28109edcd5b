//! Reads and writes [`LiveEdit`].

use super::{LiveEdit, Target};
use crate::error::{Error, SendError};
use crate::list::List;
use crate::pen::Pen;
use crate::reader::Reader;
use crate::value::Value;

type Result<T = (), E = SendError> = std::result::Result<T, E>;

/// The number of arguments that games of Godot 3 and Pandemonium read from a call.
const CALL: usize = 8;

impl LiveEdit<'_> {
    /// Writes the arguments; returns the name.
    pub(super) fn write(&self, pen: &mut Pen) -> Result<&'static str> {
        let name = self.name(pen);
        match self {
            Self::SetRoot { root: path, scene: text } | Self::Duplicate { path, name: text } => {
                pen.value(path)?;
                pen.text(text)?;
            }
            Self::NodePath { path, number } | Self::RemoveAndKeep { path, keep: number } => {
                pen.value(path)?;
                pen.int(*number)?;
            }
            Self::ResourcePath { path, number } => {
                pen.text(path)?;
                pen.int(*number)?;
            }
            Self::Set { target, name, value } => {
                pen.int(target.number())?;
                pen.text(name)?;
                pen.value(value)?;
            }
            Self::SetResource { target, name, path } => {
                pen.int(target.number())?;
                pen.text(name)?;
                pen.text(path)?;
            }
            Self::Call { target, method, arguments } => {
                pen.int(target.number())?;
                pen.text(method)?;
                write_call(arguments, pen)?;
            }
            Self::Create { parent, class: text, name }
            | Self::Instantiate { parent, scene: text, name } => {
                pen.value(parent)?;
                pen.text(text)?;
                pen.text(name)?;
            }
            Self::Remove { path } => pen.value(path)?,
            Self::Restore { keep, path, position } => {
                pen.int(*keep)?;
                pen.value(path)?;
                pen.int(*position)?;
            }
            Self::Reparent { path, parent, name, position } => {
                pen.value(path)?;
                pen.value(parent)?;
                pen.text(name)?;
                pen.int(*position)?;
            }
        }
        Ok(name)
    }

    const fn name(&self, pen: &Pen) -> &'static str {
        use Target::{Node, Resource};
        match self {
            Self::SetRoot { .. } => pen.either("live_set_root", "scene:live_set_root"),
            Self::NodePath { .. } => pen.either("live_node_path", "scene:live_node_path"),
            Self::ResourcePath { .. } => pen.either("live_res_path", "scene:live_res_path"),
            Self::Set { target: Node(_), .. } => {
                pen.either("live_node_prop", "scene:live_node_prop")
            }
            Self::Set { target: Resource(_), .. } => {
                pen.either("live_res_prop", "scene:live_res_prop")
            }
            Self::SetResource { target: Node(_), .. } => {
                pen.either("live_node_prop_res", "scene:live_node_prop_res")
            }
            Self::SetResource { target: Resource(_), .. } => {
                pen.either("live_res_prop_res", "scene:live_res_prop_res")
            }
            Self::Call { target: Node(_), .. } => {
                pen.either("live_node_call", "scene:live_node_call")
            }
            Self::Call { target: Resource(_), .. } => {
                pen.either("live_res_call", "scene:live_res_call")
            }
            Self::Create { .. } => pen.either("live_create_node", "scene:live_create_node"),
            Self::Instantiate { .. } => {
                pen.either("live_instance_node", "scene:live_instantiate_node")
            }
            Self::Remove { .. } => pen.either("live_remove_node", "scene:live_remove_node"),
            Self::RemoveAndKeep { .. } => {
                pen.either("live_remove_and_keep_node", "scene:live_remove_and_keep_node")
            }
            Self::Restore { .. } => pen.either("live_restore_node", "scene:live_restore_node"),
            Self::Duplicate { .. } => {
                pen.either("live_duplicate_node", "scene:live_duplicate_node")
            }
            Self::Reparent { .. } => pen.either("live_reparent_node", "scene:live_reparent_node"),
        }
    }
}

/// Games of Godot 3 and Pandemonium read a fixed number of arguments, which crashes them if one is missing.
fn write_call(arguments: &List<'_, Value<'_>>, pen: &mut Pen) -> Result {
    let before = pen.len();
    pen.each(arguments, Pen::value)?;
    if pen.family.is_array() {
        return Ok(());
    }
    let given = pen.len().saturating_sub(before);
    if given > CALL {
        let name = String::from("live_node_call");
        return Err(SendError::TooManyArguments { name, found: given, most: CALL });
    }
    for _ in given..CALL {
        pen.variant(&variant_owned::Variant::Nil)?;
    }
    Ok(())
}

impl Target {
    const fn number(self) -> i64 {
        match self {
            Self::Node(number) | Self::Resource(number) => number,
        }
    }
}

impl<'a> LiveEdit<'a> {
    /// The edit `name` without its prefix.
    pub(super) fn read(name: &str, reader: &mut Reader<'a>) -> Result<Option<Self>, Error> {
        Ok(Some(match name {
            "live_set_root" => {
                Self::SetRoot { root: reader.value()?.into(), scene: reader.text()? }
            }
            "live_node_path" => {
                Self::NodePath { path: reader.value()?.into(), number: reader.int()? }
            }
            "live_res_path" => Self::ResourcePath { path: reader.text()?, number: reader.int()? },
            "live_node_prop" => Self::set(Target::Node(reader.int()?), reader)?,
            "live_res_prop" => Self::set(Target::Resource(reader.int()?), reader)?,
            "live_node_prop_res" => Self::set_resource(Target::Node(reader.int()?), reader)?,
            "live_res_prop_res" => Self::set_resource(Target::Resource(reader.int()?), reader)?,
            "live_node_call" => Self::call(Target::Node(reader.int()?), reader)?,
            "live_res_call" => Self::call(Target::Resource(reader.int()?), reader)?,
            "live_create_node" => Self::Create {
                parent: reader.value()?.into(),
                class: reader.text()?,
                name: reader.text()?,
            },
            "live_instance_node" | "live_instantiate_node" => Self::Instantiate {
                parent: reader.value()?.into(),
                scene: reader.text()?,
                name: reader.text()?,
            },
            _ => return Self::read_move(name, reader),
        }))
    }

    fn read_move(name: &str, reader: &mut Reader<'a>) -> Result<Option<Self>, Error> {
        Ok(Some(match name {
            "live_remove_node" => Self::Remove { path: reader.value()?.into() },
            "live_remove_and_keep_node" => {
                Self::RemoveAndKeep { path: reader.value()?.into(), keep: reader.int()? }
            }
            "live_restore_node" => Self::Restore {
                keep: reader.int()?,
                path: reader.value()?.into(),
                position: reader.int()?,
            },
            "live_duplicate_node" => {
                Self::Duplicate { path: reader.value()?.into(), name: reader.text()? }
            }
            "live_reparent_node" => Self::Reparent {
                path: reader.value()?.into(),
                parent: reader.value()?.into(),
                name: reader.text()?,
                position: reader.int()?,
            },
            _ => return Ok(None),
        }))
    }

    fn set(target: Target, reader: &mut Reader<'a>) -> Result<Self, Error> {
        Ok(Self::Set { target, name: reader.text()?, value: reader.value()?.into() })
    }

    fn set_resource(target: Target, reader: &mut Reader<'a>) -> Result<Self, Error> {
        Ok(Self::SetResource { target, name: reader.text()?, path: reader.text()? })
    }

    fn call(target: Target, reader: &mut Reader<'a>) -> Result<Self, Error> {
        let method = reader.text()?;
        Ok(Self::Call { target, method, arguments: List::read(reader.rest()) })
    }
}
