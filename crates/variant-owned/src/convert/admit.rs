//! How readers treat elements and keys that have a declared type (docs/spec/format.md#typed-containers and
//! docs/spec/engines.md#defects).

use variant_view::{Consumer, Dialect, ElementType, Head, Kind, Leaf, Width};

use super::leaf::nearest_float;
use super::{ConvertError, Converter, Loss};
use crate::leaf::{self, Float};
use crate::path::Role;
use crate::variant::Variant;

/// A declared type of elements or keys, and how the reader enforces it.
#[derive(Clone, Copy)]
pub(super) struct Admits {
    declared: Option<Kind>,
    /// Whether this is a packed typed array of Pandemonium 5. The reader of such arrays narrows floats.
    is_packed: bool,
    /// Whether the reader casts values that do not fit, if possible. The reader of Godot 4 does.
    casts: bool,
}

impl Admits {
    pub(super) const fn of(head: &Head<'_>, target: Dialect) -> Self {
        let (declared, is_packed) = match head {
            Head::Array(head) => (head.element_type, matches!(head.kind, Kind::PackedTypedArray)),
            Head::Dictionary(head) => (head.key_type, false),
            Head::Object { .. } => (ElementType::Any, false),
        };
        let declared = match declared {
            ElementType::Builtin(kind) => Some(kind),
            _ => None,
        };
        Self { declared, is_packed, casts: target.has_typed_containers() }
    }
}

impl<C: Consumer> Converter<'_, C> {
    /// The value that the target's reader makes of an element or key. `None` if the reader does not change it, or if
    /// the leaf is neither an element nor a key.
    pub(super) fn admit(&mut self, leaf: &Leaf<'_>) -> Result<Option<Variant>, ConvertError> {
        let is_admitted = matches!(self.path.role(), Role::Element | Role::Key);
        let admits = self.open.last().map(|container| container.admits);
        let Some(admits) = admits.filter(|_| is_admitted) else { return Ok(None) };
        let Some(declared) = admits.declared else { return Ok(None) };
        let (admitted, loss) = match (declared, *leaf) {
            (Kind::Float, Leaf::Int { value, .. }) if admits.casts => {
                let (float, loss) = nearest_float(value);
                (Variant::Float(float), loss)
            }
            (Kind::Float, Leaf::Float { bits, width })
                if admits.is_packed && width == Width::W64 =>
            {
                match narrowed(Float::from_wire(bits, width)) {
                    Some(narrow) => (narrow, Loss::Precision),
                    None => return Ok(None),
                }
            }
            (Kind::String, Leaf::StringName(text)) if admits.casts => {
                (Variant::String(text.into()), Loss::Kind)
            }
            (Kind::StringName, Leaf::String(text)) if admits.casts => {
                (Variant::StringName(text.into()), Loss::Kind)
            }
            _ => return Ok(None),
        };
        self.changed(leaf.kind(), declared, loss)?;
        Ok(Some(admitted))
    }
}

/// The float in 32 bits, if narrowing changes it.
fn narrowed(float: Float) -> Option<Variant> {
    let (narrow, is_exact) = leaf::narrowed(float.value());
    let wide = f64::from_bits(leaf::widened(narrow.to_bits()));
    (!is_exact).then(|| Variant::Float(Float::new(wide)))
}
