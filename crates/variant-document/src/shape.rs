//! The shape of values: the kinds at each place, optional keys, and the ranges of numbers.
//!
//! [`Shapes`] collects values, [`Type`] is their shape, and [`Facts`] are about the values of one kind. A [`Place`] is one
//! path of a shape. With the feature `schema`, a [`Lock`] keeps the places of a shape as text, and
//! [`Type::to_json_schema`] writes it as a JSON Schema.
//!
//! ```
//! use variant_document::shape::Shapes;
//! use variant_owned::{Variant, encode};
//! use variant_view::{Dialect, Document};
//!
//! let saves = [r#"{"hp": 7, "name": "Ada"}"#, r#"{"hp": 9}"#].map(str::parse::<Variant>);
//! let saves = saves.into_iter().collect::<Result<Vec<_>, _>>()?;
//! let bytes: Result<Vec<_>, _> = saves.iter().map(|save| encode(save, Dialect::Godot4)).collect();
//! let bytes = bytes?;
//!
//! let mut shapes = Shapes::new();
//! for save in &bytes {
//!     shapes.add(Document::new(save, Dialect::Godot4))?;
//! }
//! let shape = shapes.into_type();
//! let [save] = shape.kinds.as_slice() else { panic!("one kind") };
//! let [(_, hp), (_, name)] = save.fields.as_slice() else { panic!("two keys") };
//! assert_eq!(hp.kinds[0].ints, Some((7, 9)));
//! assert!(save.is_optional(name));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod collect;
#[cfg(feature = "schema")]
mod difference;
mod exact;
#[cfg(feature = "schema")]
mod json_schema;
#[cfg(feature = "schema")]
mod lock;
mod order;
mod places;
mod types;

pub use collect::Shapes;
#[cfg(feature = "schema")]
pub use difference::{Change, Difference};
#[cfg(feature = "schema")]
pub use lock::{Lock, LockError};
pub use places::{Place, PlaceKind};
pub use types::{Declared, Facts, Type};
