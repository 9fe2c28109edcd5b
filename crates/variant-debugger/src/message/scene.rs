//! [`Node`]: a node of the scene tree.

use crate::error::{Error, SendError};
use crate::list::Row;
use crate::pen::Pen;
use crate::reader::Reader;
use std::borrow::Cow;

/// A node of the scene tree. Nodes come depth first: `children` nodes of the next level follow, each with its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node<'a> {
    /// The number of its children. May exceed the nodes that follow: do not reserve memory for it.
    pub children: i64,
    /// The name.
    pub name: Cow<'a, str>,
    /// The class, or that of its script.
    pub class: Cow<'a, str>,
    /// The id, for [`Command::InspectObject`](crate::Command::InspectObject).
    pub id: i64,
    /// The file of the scene whose root it is; `None` in Godot 3 and Pandemonium.
    pub scene: Option<Cow<'a, str>>,
    /// 2: has `is_visible`; 4: visible; 8: visible in the tree. `None` in Godot 3 and Pandemonium.
    pub flags: Option<i64>,
}

impl<'a> Row<'a> for Node<'a> {
    fn read(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let mut node = Self {
            children: reader.int()?,
            name: reader.text()?,
            class: reader.text()?,
            id: reader.int()?,
            scene: None,
            flags: None,
        };
        if reader.family().is_array() {
            (node.scene, node.flags) = (Some(reader.text()?), Some(reader.int()?));
        }
        Ok(node)
    }
}

impl Node<'_> {
    pub(crate) fn write(&self, pen: &mut Pen) -> Result<(), SendError> {
        pen.int(self.children)?;
        pen.text(&self.name)?;
        pen.text(&self.class)?;
        pen.int(self.id)?;
        if !pen.family.is_array() {
            return Ok(());
        }
        pen.text(self.scene.as_deref().unwrap_or_default())?;
        pen.int(self.flags.unwrap_or_default())
    }
}
