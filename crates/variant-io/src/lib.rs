//! What serialized Variants are wrapped in.
