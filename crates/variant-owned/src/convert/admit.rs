//! How readers treat elements and keys of a declared type (docs/spec/format.md#typed-containers and
//! docs/spec/engines.md#defects).

use variant_view::{Consumer, Dialect, ElementType, Head, Kind, Leaf, Real};

use super::{ConvertError, Converter, Loss};
use crate::leaf::Float;
use crate::path::Role;
use crate::variant::Variant;

/// A declared type of elements or keys, and how the reader enforces it.
#[derive(Clone, Copy)]
pub(super) struct Admits {
    declared: Option<Kind>,
    /// A packed typed array of Pandemonium 5, whose reader narrows floats.
    is_packed: bool,
    /// Godot 4 casts values that do not fit, where it can.
    casts: bool,
}

impl Admits {
    pub(super) const fn of(head: &Head<'_>, target: Dialect) -> Self {
        let (declared, is_packed) = match head {
            Head::Array(head) => (head.element_type, matches!(head.kind, Kind::PackedTypedArray)),
            Head::Dictionary(head) => (head.key_type, false),
            Head::Object(_) => (ElementType::Any, false),
        };
        let declared = match declared {
            ElementType::Builtin(kind) => Some(kind),
            _ => None,
        };
        Self { declared, is_packed, casts: target.has_typed_containers() }
    }
}

impl<C: Consumer> Converter<'_, C> {
    /// The element or key as the reader returns it; `None` if it is the leaf itself.
    pub(super) fn admit(&mut self, leaf: &Leaf<'_>) -> Result<Option<Variant>, ConvertError> {
        let is_admitted = matches!(self.path.role(), Role::Element | Role::Key);
        let admits = self.open.last().map(|container| container.admits);
        let Some(admits) = admits.filter(|_| is_admitted) else { return Ok(None) };
        let Some(declared) = admits.declared else { return Ok(None) };
        let (admitted, loss) = match (declared, *leaf) {
            (Kind::Float, Leaf::Int { value, .. }) if admits.casts => cast(value),
            (Kind::Float, Leaf::Float { bits, width }) if admits.is_packed => {
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

/// An integer as `f32`, rounded once.
#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "as the engine does"
)]
fn cast(int: i64) -> (Variant, Loss) {
    let float = int as f32;
    let is_exact = float as i128 == i128::from(int);
    let loss = if is_exact { Loss::Kind } else { Loss::Precision };
    (Variant::Float(Float::new(float.into())), loss)
}

/// The float in 32 bits, if that changes it.
#[expect(clippy::float_cmp, reason = "exactness is the question")]
fn narrowed(float: Float) -> Option<Variant> {
    let value = float.value();
    let narrow = f64::from(f32::narrow(value));
    (narrow != value && !value.is_nan()).then(|| Variant::Float(Float::new(narrow)))
}
