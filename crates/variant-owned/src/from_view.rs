//! Values out of views, without recursion.

use std::mem;

use variant_view::{
    ArrayView, Dialect, DictionaryView, Document, Node, ObjectForm, ObjectView, Result, Role,
    StrView, VariantView, Visitor, Walker,
};

use crate::array::Array;
use crate::build::{Builder, Open};
use crate::dictionary::Dictionary;
use crate::key::KeyRule;
use crate::leaf::{Float, Image, InputEvent, Int, NodePath, Signal};
use crate::object::Object;
use crate::reals::Reals;
use crate::shapes::Shapes;
use crate::text::Text;
use crate::variant::Variant;

impl Variant {
    /// The value of a document. O(bytes); memory grows with the values that are there, never with a count
    /// that is claimed. The limits of the document's options apply.
    ///
    /// Of a key that stands twice in a dictionary the last value is kept, in the place of the first, as in
    /// the engine.
    ///
    /// # Errors
    /// Whatever is wrong in the document; text is not checked.
    pub fn from_document(document: &Document<'_>) -> Result<Self> {
        let rule = KeyRule::of(document.options().dialect);
        build(&mut document.walk(), document.bytes().len(), rule)
    }

    /// The value of a view. As [`Variant::from_document`]; of the limits only the depth applies.
    ///
    /// # Errors
    /// Whatever is wrong inside the view.
    pub fn from_view(view: &VariantView<'_>) -> Result<Self> {
        // Once through to find its end, which bounds the memory.
        let bytes = view.raw_bytes()?.len();
        match view {
            VariantView::Array(v)
            | VariantView::TypedArray(v)
            | VariantView::PackedTypedArray(v) => {
                build(&mut v.walk(), bytes, KeyRule::of(v.dialect()))
            }
            VariantView::Dictionary(v) => build(&mut v.walk(), bytes, KeyRule::of(v.dialect())),
            VariantView::Object(v) => build(&mut v.walk(), bytes, KeyRule::of(v.dialect())),
            leaf => Ok(leaf_of(leaf)),
        }
    }
}

/// Places that may still be reserved: each value takes four bytes of input, so all of them together cannot
/// be more than a quarter of it, whatever the counts claim.
struct Budget(usize);

impl Budget {
    fn take(&mut self, claimed: u32) -> usize {
        let granted = usize::try_from(claimed).unwrap_or(usize::MAX).min(self.0);
        self.0 = self.0.saturating_sub(granted);
        granted
    }
}

fn build(walker: &mut Walker<'_>, bytes: usize, rule: KeyRule) -> Result<Variant> {
    let mut building = Building {
        builder: Builder::default(),
        budget: Budget(bytes / 4),
        rule,
        shapes: Shapes::default(),
    };
    walker.visit(&mut building)?;
    Ok(building.builder.finish().unwrap_or_default())
}

struct Building<'a> {
    builder: Builder,
    budget: Budget,
    rule: KeyRule,
    shapes: Shapes<'a>,
}

impl<'a> Visitor<'a> for Building<'a> {
    #[inline(always)]
    fn leaf(&mut self, node: Node<'a>) -> Result<()> {
        if let VariantView::String(key) | VariantView::StringName(key) = &node.view
            && let Role::Key(pair) = node.role()
        {
            let is_name = matches!(node.view, VariantView::StringName(_));
            self.text_key(is_name, *key, node.depth, pair);
        } else {
            self.leaf_value(node);
        }
        Ok(())
    }

    #[inline(always)]
    fn enter(&mut self, node: Node<'a>) -> Result<()> {
        self.name(node);
        match shell_of(&node.view, &mut self.budget, self.rule) {
            Some(shell) => self.builder.enter(shell),
            None => self.builder.value(Variant::Nil),
        }
        if let VariantView::Dictionary(_) = node.view {
            self.shapes.start(node.depth.saturating_add(1));
        }
        Ok(())
    }

    #[inline(always)]
    fn exit(&mut self, _end: usize) -> Result<()> {
        self.builder.exit();
        Ok(())
    }
}

impl<'a> Building<'a> {
    #[inline(always)]
    fn leaf_value(&mut self, node: Node<'a>) {
        let Some(room) = self.builder.room() else {
            self.name(node);
            self.builder.value(leaf_of(&node.view));
            return;
        };
        let (VariantView::String(text) | VariantView::StringName(text)) = &node.view else {
            // Nil has nothing to be dropped, of which the compiler would make sure.
            mem::forget(mem::replace(room, leaf_of(&node.view)));
            return;
        };
        *room = Variant::of_text(Text::new(), matches!(node.view, VariantView::StringName(_)));
        if let Variant::String(own) | Variant::StringName(own) = room {
            own.set(text.as_bytes());
        }
    }

    #[inline(always)]
    fn text_key(&mut self, is_name: bool, key: StrView<'a>, depth: u32, pair: u32) {
        if self.shapes.is_new(depth, pair, key.raw_bytes()) {
            self.builder.new_text_key(is_name, key.as_bytes());
        } else {
            self.builder.value(Variant::of_text(Text::from_bytes(key.as_bytes()), is_name));
            self.shapes.learn(depth, pair, key.raw_bytes(), self.builder.pairs());
        }
    }

    #[inline(always)]
    fn name(&mut self, node: Node<'a>) {
        if self.builder.takes_names()
            && let Role::Property(_, name) = node.role()
        {
            self.builder.name(Text::from_bytes(name.as_bytes()));
        }
    }
}

fn shell_of(view: &VariantView<'_>, budget: &mut Budget, rule: KeyRule) -> Option<Open> {
    Some(match view {
        VariantView::Array(view) => Open::Array(array(view, budget), Variant::Array),
        VariantView::TypedArray(view) => Open::Array(array(view, budget), Variant::TypedArray),
        VariantView::PackedTypedArray(view) => {
            Open::Array(array(view, budget), Variant::PackedTypedArray)
        }
        VariantView::Dictionary(view) => Open::Dictionary(dictionary(view, budget, rule), None),
        VariantView::Object(view) => Open::object(class(view)),
        _ => return None,
    })
}

fn array(view: &ArrayView<'_>, budget: &mut Budget) -> Array {
    let mut array = Array::with_room(budget.take(view.len()));
    array.set_element_type(view.element_type().into());
    array.set_shared(view.is_shared());
    array
}

fn dictionary(view: &DictionaryView<'_>, budget: &mut Budget, rule: KeyRule) -> Dictionary {
    let values = budget.take(view.len().saturating_mul(2));
    let mut dictionary = Dictionary::with_room(rule, values / 2);
    dictionary.set_types(view.key_type().into(), view.value_type().into());
    dictionary.set_shared(view.is_shared());
    dictionary
}

fn class(view: &ObjectView<'_>) -> Text {
    view.class().map(Text::from).unwrap_or_default()
}

impl From<ObjectForm<'_>> for Object {
    fn from(form: ObjectForm<'_>) -> Self {
        match form {
            ObjectForm::Null => Self::Null,
            ObjectForm::Id(id) => Self::Id(id),
            ObjectForm::Full(class) => Self::new(class),
        }
    }
}

/// A value without children. The kind is known where this is inlined, and one arm is left.
#[inline(always)]
fn leaf_of(view: &VariantView<'_>) -> Variant {
    match view {
        VariantView::Bool(v) => Variant::Bool(v.value()),
        VariantView::Int(v) => Variant::Int(Int::with_width(v.value(), v.width())),
        VariantView::Float(v) => Variant::Float(Float::from_wire(v.bits(), v.width())),
        VariantView::String(v) => Variant::String(Text::from_bytes(v.as_bytes())),
        VariantView::Vector2(v) => Variant::Vector2(v.into()),
        VariantView::Vector2i(v) => Variant::Vector2i(v.value()),
        VariantView::Rect2(v) => Variant::Rect2(v.into()),
        VariantView::Rect2i(v) => Variant::Rect2i(v.value()),
        VariantView::Vector3(v) => Variant::Vector3(v.into()),
        VariantView::Vector3i(v) => Variant::Vector3i(v.value()),
        VariantView::Transform2D(v) => Variant::Transform2D(boxed(v)),
        VariantView::Vector4(v) => Variant::Vector4(v.into()),
        VariantView::Vector4i(v) => Variant::Vector4i(v.value()),
        VariantView::Plane(v) => Variant::Plane(v.into()),
        VariantView::Quaternion(v) => Variant::Quaternion(v.into()),
        VariantView::Aabb(v) => Variant::Aabb(boxed(v)),
        VariantView::Basis(v) => Variant::Basis(boxed(v)),
        VariantView::Transform3D(v) => Variant::Transform3D(boxed(v)),
        VariantView::Projection(v) => Variant::Projection(boxed(v)),
        VariantView::Color(v) => Variant::Color(v.value()),
        VariantView::StringName(v) => Variant::StringName(Text::from_bytes(v.as_bytes())),
        VariantView::Rid(v) => Variant::Rid(v.value()),
        VariantView::Callable(_) => Variant::Callable,
        VariantView::PackedByteArray(v) => Variant::PackedByteArray(v.as_bytes().to_vec()),
        VariantView::PackedInt32Array(v) => Variant::PackedInt32Array(v.iter().collect()),
        VariantView::PackedInt64Array(v) => Variant::PackedInt64Array(v.iter().collect()),
        VariantView::PackedFloat32Array(v) => Variant::PackedFloat32Array(v.iter().collect()),
        VariantView::PackedFloat64Array(v) => Variant::PackedFloat64Array(v.iter().collect()),
        VariantView::PackedStringArray(v) => {
            Variant::PackedStringArray(v.iter().map(Text::from).collect())
        }
        VariantView::PackedVector2Array(v) => Variant::PackedVector2Array(v.into()),
        VariantView::PackedVector2iArray(v) => Variant::PackedVector2iArray(v.iter().collect()),
        VariantView::PackedVector3Array(v) => Variant::PackedVector3Array(v.into()),
        VariantView::PackedVector3iArray(v) => Variant::PackedVector3iArray(v.iter().collect()),
        VariantView::PackedColorArray(v) => Variant::PackedColorArray(v.iter().collect()),
        VariantView::PackedVector4Array(v) => Variant::PackedVector4Array(v.into()),
        VariantView::PackedVector4iArray(v) => Variant::PackedVector4iArray(v.iter().collect()),
        other => rare_leaf_of(other),
    }
}

fn boxed<T: variant_view::Real>(view: &variant_view::MathView<'_, T>) -> Box<Reals<T>> {
    Box::new(view.into())
}

fn rare_leaf_of(view: &VariantView<'_>) -> Variant {
    match view {
        VariantView::NodePath(v) => Variant::NodePath(Box::new(NodePath {
            names: v.names().map(Text::from).collect(),
            subnames: v.subnames().map(Text::from).collect(),
            is_absolute: v.plain().is_none() && v.is_absolute(),
            // The others have forgotten what it was, and read a subname.
            has_property: v.has_property() && v.dialect() == Dialect::Godot2,
            plain: v.plain().map(Text::from),
        })),
        VariantView::Signal(v) => {
            Variant::Signal(Box::new(Signal { name: v.name().into(), object_id: v.object_id() }))
        }
        VariantView::Object(v) => Variant::Object(Box::new(v.form().into())),
        VariantView::Image(v) => Variant::Image(Box::new(Image {
            format: v.format(),
            mipmaps: v.mipmaps(),
            width: v.width(),
            height: v.height(),
            data: v.data().to_vec(),
        })),
        VariantView::InputEvent(v) => Variant::InputEvent(Box::new(InputEvent {
            event: v.event(),
            device: v.device(),
            payload: v.payload().to_vec(),
        })),
        _ => Variant::Nil,
    }
}
