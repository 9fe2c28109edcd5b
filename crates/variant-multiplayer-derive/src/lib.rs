//! `#[derive(Replicated)]` of [`variant-multiplayer`](https://docs.rs/variant-multiplayer). The feature `derive` of
//! that crate exports the macro.

#![forbid(unsafe_code)]

mod expansion;
mod property;
#[cfg(test)]
mod tests;

use proc_macro::TokenStream;

/// Implements the trait `Replicated` for a struct. The replicated fields must be the properties of a synchronizer's
/// configuration, in the same order.
///
/// | attribute of a field | in the `SceneReplicationConfig` |
/// |---|---|
/// | `#[replicated(spawn, always)]` | *spawn*, and mode *always* |
/// | `#[replicated(spawn, on_change)]` | *spawn*, and mode *on change* |
/// | `#[replicated(spawn)]` | *spawn*, and mode *never* |
/// | `#[replicated(always)]`, `#[replicated(on_change)]` | the mode alone |
/// | none | the property is not in the configuration |
/// | `#[serde(with = "...")]`, `#[serde(serialize_with = "...")]` | the kind of the value |
///
/// ```
/// use variant_multiplayer::{Replicated, Replication};
///
/// #[derive(Replicated)]
/// struct Orc {
///     #[replicated(spawn, on_change)]
///     hp: i32,
/// }
///
/// assert_eq!(Orc::PROPERTIES[0].mode, Replication::OnChange);
/// ```
///
/// Compile errors: enums and unions, a struct without a replicated field, more than 64 on-change properties.
///
/// ```compile_fail
/// #[derive(variant_multiplayer::Replicated)]
/// enum Orc { Alive, Dead }
/// ```
#[proc_macro_derive(Replicated, attributes(replicated, serde))]
pub fn replicated(input: TokenStream) -> TokenStream {
    let expanded = syn::parse(input).and_then(|input| expansion::expand(&input));
    expanded.unwrap_or_else(|error| error.to_compile_error()).into()
}

/// Compiles the program of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
