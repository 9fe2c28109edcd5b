//! `row!`: items whose fields are elements in order.

/// Reads and writes a struct whose fields are elements in order.
macro_rules! row {
    ($type:ty, $life:lifetime, { $($field:ident: $how:ident),* $(,)? }) => {
        impl<$life> crate::list::Row<$life> for $type {
            fn read(
                reader: &mut crate::reader::Reader<$life>,
            ) -> Result<Self, crate::error::Error> {
                Ok(Self { $($field: reader.$how()?),* })
            }
        }

        impl<$life> $type {
            pub(crate) fn write(
                &self,
                pen: &mut crate::pen::Pen,
            ) -> Result<(), crate::error::SendError> {
                $(crate::message::row::row!(@write pen, self.$field, $how);)*
                Ok(())
            }
        }
    };
    (@write $pen:ident, $value:expr, text) => { $pen.text(&$value)? };
    (@write $pen:ident, $value:expr, $how:ident) => { $pen.$how($value)? };
}

pub(crate) use row;
