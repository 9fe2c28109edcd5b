//! [`Object`] and [`Property`]: an inspected object.

use std::borrow::Cow;

use crate::error::{Error, SendError};
use crate::list::List;
use crate::list::Row;
use crate::pen::Pen;
use crate::reader::Reader;
use crate::value::Value;

/// An inspected object.
#[derive(Clone, Debug)]
pub struct Object<'a> {
    /// The id. In Godot 4, ids of `RefCounted` are negative.
    pub id: i64,
    /// The class.
    pub class: Cow<'a, str>,
    /// Its properties. Members of scripts come in the order of a hash: sort them.
    pub properties: List<'a, Property<'a>>,
}

/// A property of an object.
#[derive(Clone, Debug)]
pub struct Property<'a> {
    /// The name. `Members/` precedes variables of the script, `Constants/` constants, `Node/` the facts about a node.
    pub name: Cow<'a, str>,
    /// The engine's id of the type, in the numbering of the dialect.
    pub type_id: i64,
    /// How an editor shows it; the numbers differ by engine.
    pub hint: i64,
    /// The parameters of the hint.
    pub hint_text: Cow<'a, str>,
    /// Flags: `PROPERTY_USAGE_*`; the numbers differ by engine. A heading has 128 in Godot 4 and 256 in Godot 3 and
    /// Pandemonium.
    pub usage: i64,
    /// The value: `null` if it was too large. Objects are ids, resources with a path are that path.
    pub value: Value<'a>,
}

impl<'a> Object<'a> {
    /// Id, class and properties as elements.
    pub(crate) fn read_parts(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let (id, class) = (reader.int()?, reader.text()?);
        Ok(Self { id, class, properties: List::read(reader.array()?) })
    }

    pub(crate) fn write_parts(&self, pen: &mut Pen) -> Result<(), SendError> {
        pen.int(self.id)?;
        pen.text(&self.class)?;
        pen.array(|pen| pen.each(&self.properties, |pen, property| property.write(pen)))
    }

    pub(crate) fn write(&self, pen: &mut Pen) -> Result<(), SendError> {
        pen.array(|pen| self.write_parts(pen))
    }
}

impl<'a> Row<'a> for Object<'a> {
    fn read(reader: &mut Reader<'a>) -> Result<Self, Error> {
        Self::read_parts(&mut reader.array()?)
    }
}

impl<'a> Row<'a> for Property<'a> {
    fn read(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let mut parts = reader.array()?;
        Ok(Self {
            name: parts.text()?,
            type_id: parts.int()?,
            hint: parts.int()?,
            hint_text: parts.text()?,
            usage: parts.int()?,
            value: parts.value()?.into(),
        })
    }
}

impl Property<'_> {
    fn write(&self, pen: &mut Pen) -> Result<(), SendError> {
        pen.array(|pen| {
            pen.text(&self.name)?;
            pen.int(self.type_id)?;
            pen.int(self.hint)?;
            pen.text(&self.hint_text)?;
            pen.int(self.usage)?;
            pen.value(&self.value)
        })
    }
}
