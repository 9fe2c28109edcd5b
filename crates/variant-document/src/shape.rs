//! The shape of values: the kinds at each place, optional keys, and the ranges of numbers.
//!
//! [`Shapes`] collects values, [`Type`] is their shape, and [`Facts`] are about the values of one kind.
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
mod exact;
mod order;
mod types;

pub use collect::Shapes;
pub use types::{Declared, Facts, Type};
