//! [`StringName`] and [`NodePath`]: types of text.

use std::borrow::Borrow;
use std::fmt;
use std::ops::Deref;
use std::string::String;

use serde::{Deserialize, Serialize};

macro_rules! names {
    ($($(#[$doc:meta])* $name:ident = $mark:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename = $mark)]
        pub struct $name<T = String>(pub T);

        impl<T> From<T> for $name<T> {
            fn from(text: T) -> Self {
                Self(text)
            }
        }

        impl<T> Deref for $name<T> {
            type Target = T;

            fn deref(&self) -> &T {
                &self.0
            }
        }

        // Allows a look-up by `&str` in a map with these keys.
        impl Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl<T: fmt::Display> fmt::Display for $name<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    )*};
}

names! {
    /// Text that is written as a `StringName`, or as a `String` in a dialect without `StringName` (Godot 2 and 3).
    ///
    /// `T` is any text: `String`, `&str`, `Cow<str>`. Other formats write plain text.
    ///
    /// ```
    /// use variant_serde::{StringName, to_variant};
    /// use variant_view::{Dialect, Kind};
    ///
    /// let action = StringName("jump");
    /// assert_eq!(to_variant(&action, Dialect::Godot4)?.kind(), Kind::StringName);
    /// assert_eq!(to_variant(&action, Dialect::Godot3)?.kind(), Kind::String);
    /// # Ok::<(), variant_serde::Error>(())
    /// ```
    StringName = "$variant::StringName";
    /// Text that is parsed as the engine does, and written as a `NodePath`.
    ///
    /// `T` is any text: `String`, `&str`, `Cow<str>`. Other formats write plain text.
    ///
    /// ```
    /// use variant_serde::{NodePath, to_variant};
    /// use variant_view::{Dialect, Kind};
    ///
    /// let path = to_variant(&NodePath("/root/Main:position"), Dialect::Godot3)?;
    /// assert_eq!(path.kind(), Kind::NodePath);
    /// # Ok::<(), variant_serde::Error>(())
    /// ```
    NodePath = "$variant::NodePath";
}
