//! Programs that must not compile. The program before each of them compiles, and differs only in the point where a
//! borrow ends.
//!
//! Only documentation tests build this file, because other tests cannot check that a program does not compile.

/// A struct with a borrowed text does not outlive its bytes.
///
/// ```
/// use serde::Deserialize;
/// use variant_serde::from_slice;
/// use variant_view::Dialect;
///
/// #[derive(Deserialize)]
/// struct Player<'a> {
///     name: &'a str,
/// }
///
/// let bytes = variant_serde::to_vec(&std::collections::BTreeMap::from([("name", "Ada")]), Dialect::Godot4).unwrap();
/// let player: Player<'_> = from_slice(&bytes, Dialect::Godot4).unwrap();
/// assert_eq!(player.name, "Ada");
/// ```
///
/// ```compile_fail,E0597
/// use serde::Deserialize;
/// use variant_serde::from_slice;
/// use variant_view::Dialect;
///
/// #[derive(Deserialize)]
/// struct Player<'a> {
///     name: &'a str,
/// }
///
/// let player: Player<'_> = {
///     let bytes = vec![0_u8; 4];
///     from_slice(&bytes, Dialect::Godot4).unwrap()
/// };
/// println!("{}", player.name);
/// ```
pub mod text {}

/// A packed array does not outlive its bytes.
///
/// ```
/// use variant_serde::{Packed, from_slice};
/// use variant_view::Dialect;
///
/// let bytes = variant_serde::to_vec(&variant_serde::PackedArray([0.5_f32]), Dialect::Godot4).unwrap();
/// let heights: Packed<'_, f32> = from_slice(&bytes, Dialect::Godot4).unwrap();
/// assert_eq!(heights.len(), 1);
/// ```
///
/// ```compile_fail,E0597
/// use variant_serde::{Packed, from_slice};
/// use variant_view::Dialect;
///
/// let heights: Packed<'_, f32>;
/// {
///     let bytes = vec![0_u8; 4];
///     heights = from_slice(&bytes, Dialect::Godot4).unwrap();
/// }
/// println!("{}", heights.len());
/// ```
pub mod packed {}

/// An iterator over a packed array does not outlive the bytes.
///
/// ```
/// use variant_serde::{Packed, from_slice};
/// use variant_view::Dialect;
///
/// let bytes = variant_serde::to_vec(&variant_serde::PackedArray([0.5_f32]), Dialect::Godot4).unwrap();
/// let elements = {
///     let heights: Packed<'_, f32> = from_slice(&bytes, Dialect::Godot4).unwrap();
///     heights.iter()
/// };
/// assert_eq!(elements.len(), 1);
/// ```
///
/// ```compile_fail,E0597
/// use variant_serde::{Packed, from_slice};
/// use variant_view::Dialect;
///
/// let elements = {
///     let bytes = vec![0_u8; 4];
///     let heights: Packed<'_, f32> = from_slice(&bytes, Dialect::Godot4).unwrap();
///     heights.iter()
/// };
/// println!("{}", elements.len());
/// ```
pub mod iterator_of_packed {}

/// A raw value does not outlive a change of its buffer.
///
/// ```
/// use variant_serde::{RawValue, from_slice};
/// use variant_view::Dialect;
///
/// let mut buffer = vec![0_u8; 4];
/// let raw: RawValue<'_> = from_slice(&buffer, Dialect::Godot4).unwrap();
/// assert_eq!(raw.bytes(), [0; 4]);
/// buffer.clear();
/// ```
///
/// ```compile_fail,E0502
/// use variant_serde::{RawValue, from_slice};
/// use variant_view::Dialect;
///
/// let mut buffer = vec![0_u8; 4];
/// let raw: RawValue<'_> = from_slice(&buffer, Dialect::Godot4).unwrap();
/// buffer.clear();
/// println!("{:?}", raw.bytes());
/// ```
pub mod raw_value {}

/// A text of a raw value does not outlive the bytes.
///
/// ```
/// use variant_serde::RawValue;
/// use variant_view::Dialect;
///
/// fn text(bytes: &[u8]) -> &str {
///     let raw = RawValue::new(bytes, Dialect::Godot4).unwrap();
///     raw.get::<&str>().unwrap()
/// }
///
/// assert_eq!(text(&variant_serde::to_vec("axe", Dialect::Godot4).unwrap()), "axe");
/// ```
///
/// ```compile_fail,E0515
/// use variant_serde::RawValue;
/// use variant_view::Dialect;
///
/// fn text() -> &'static str {
///     let bytes = vec![0_u8; 4];
///     let raw = RawValue::new(&bytes, Dialect::Godot4).unwrap();
///     raw.get::<&str>().unwrap()
/// }
///
/// println!("{}", text());
/// ```
pub mod value_of_raw_value {}

/// A text does not outlive the owned value from which it is borrowed.
///
/// ```
/// use variant_owned::Variant;
/// use variant_serde::from_variant;
///
/// let value = Variant::from("text");
/// let text: &str = from_variant(&value).unwrap();
/// assert_eq!(text, "text");
/// ```
///
/// ```compile_fail,E0597
/// use variant_owned::Variant;
/// use variant_serde::from_variant;
///
/// let text: &str = {
///     let value = Variant::from("text");
///     from_variant(&value).unwrap()
/// };
/// println!("{text}");
/// ```
pub mod from_variant {}
