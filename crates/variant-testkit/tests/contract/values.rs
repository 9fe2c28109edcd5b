//! Compares each accessor of a view with the accessor of the owned value.

use variant_owned::{Array, Dictionary, NodePath, Object, RealVec, Text, Variant};
use variant_view::{
    ArrayView, Dialect, DictionaryView, ElementType, NodePathView, ObjectForm, ObjectView,
    PackedReals, StrView, VariantView, Wire,
};

/// The maximum number of items that are read by position. Each read is O(bytes).
const BY_POSITION: usize = 8;

/// Walks through both values at once, without recursion.
///
/// # Panics
/// If they disagree.
pub(crate) fn assert_same(view: &VariantView<'_>, owned: &Variant, place: &str) {
    let mut pairs = vec![(*view, owned)];
    while let Some((view, owned)) = pairs.pop() {
        assert_eq!(view.kind(), owned.kind(), "{place}: kind");
        assert_eq!(view.is_nil(), owned.is_nil(), "{place}: is_nil");
        assert_scalars(&view, owned, place);
        assert_math(&view, owned, place);
        assert_packed(&view, owned, place);
        assert_leaves(&view, owned, place);
        assert_eq!(view.at("").unwrap().offset(), view.offset(), "{place}: at");
        assert!(std::ptr::eq(owned.at("").unwrap(), owned), "{place}: at");
        match (view.as_array(), owned.as_array()) {
            (Ok(view), Some(owned)) => push_elements(&mut pairs, &view, owned, place),
            (Err(_), None) => {
                assert!(view.index(0).is_err() && owned.index(0).is_none(), "{place}: index");
            }
            (view, owned) => panic!("{place}: as_array: {view:?}, {owned:?}"),
        }
        match (view.as_dictionary(), owned.as_dictionary()) {
            (Ok(view), Some(owned)) => push_pairs(&mut pairs, &view, owned, place),
            (Err(_), None) => {}
            (view, owned) => panic!("{place}: as_dictionary: {view:?}, {owned:?}"),
        }
        match (view.as_object(), owned.as_object()) {
            (Ok(view), Some(owned)) => push_properties(&mut pairs, &view, owned, place),
            (Err(_), None) => {}
            (view, owned) => panic!("{place}: as_object: {view:?}, {owned:?}"),
        }
        if view.as_dictionary().is_err() && view.as_object().is_err() {
            assert!(view.get("x").is_err() && owned.get("x").is_none(), "{place}: get");
        }
    }
}

/// Compares the printed values of accessors, since a NaN does not equal itself.
macro_rules! same {
    ($view:ident $owned:ident $place:ident: $($accessor:ident)*) => {$({
        let (seen, held) = ($view.$accessor().ok(), $owned.$accessor());
        let is_same = seen == held || format!("{seen:?}") == format!("{held:?}");
        assert!(is_same, "{}: {}: {seen:?}, {held:?}", $place, stringify!($accessor));
    })*};
}

fn assert_scalars(view: &VariantView<'_>, owned: &Variant, place: &str) {
    same!(view owned place: as_bool as_i64 as_i32 as_u64 as_f64 as_f32 as_str as_rid as_bytes);
}

/// Compares the conversions to mathematical types in `f64`.
macro_rules! same_wide {
    ($view:ident $owned:ident $place:ident: $($type:ident)*) => {$({
        let seen = variant_view::$type::<f64>::try_from(*$view).ok();
        let held = variant_view::$type::<f64>::try_from($owned).ok();
        assert_eq!(format!("{seen:?}"), format!("{held:?}"), "{}: {}", $place, stringify!($type));
    })*};
}

fn assert_math(view: &VariantView<'_>, owned: &Variant, place: &str) {
    same!(view owned place: as_vector2 as_vector3 as_vector4 as_rect2 as_plane as_quaternion as_aabb as_basis
        as_transform2d as_transform3d as_projection as_color as_vector2i as_vector3i as_vector4i as_rect2i);
    same_wide!(view owned place: Vector2 Vector3 Vector4 Rect2 Plane Quaternion Aabb Basis Transform2D Transform3D
        Projection);
}

/// Compares the elements, by position and in order, from both ends.
macro_rules! same_elements {
    ($view:ident $owned:ident $place:ident: $($accessor:ident)*) => {$({
        let (seen, held) = ($view.$accessor().ok(), $owned.$accessor());
        assert_eq!(seen.is_some(), held.is_some(), "{}: {}", $place, stringify!($accessor));
        if let (Some(seen), Some(held)) = (seen, held) {
            assert_eq!((seen.len(), seen.is_empty()), (held.len(), held.is_empty()), "{}: len", $place);
            let all: Vec<_> = seen.iter().collect();
            let is_same = all == held || format!("{all:?}") == format!("{held:?}");
            assert!(is_same, "{}: {}: {all:?}, {held:?}", $place, stringify!($accessor));
            assert_eq!(seen.iter().rev().len(), held.iter().rev().len());
            for at in [0, held.len() / 2, held.len()] {
                let (seen, held) = (seen.get(at), held.get(at).copied());
                assert_eq!(format!("{seen:?}"), format!("{held:?}"), "{}: get", $place);
            }
        }
    })*};
}

fn assert_packed(view: &VariantView<'_>, owned: &Variant, place: &str) {
    same_elements!(view owned place: as_int32s as_int64s as_float32s as_float64s as_vector2is as_vector3is
        as_vector4is as_colors);
    assert_reals(view.as_vector2s().ok(), owned.as_vector2s(), place);
    assert_reals(view.as_vector3s().ok(), owned.as_vector3s(), place);
    assert_reals(view.as_vector4s().ok(), owned.as_vector4s(), place);
    assert_eq!(view.as_strings().is_ok(), owned.as_strings().is_some(), "{place}: as_strings");
    if let (Ok(seen), Some(held)) = (view.as_strings(), owned.as_strings()) {
        assert_eq!((seen.len(), seen.is_empty()), (held.len(), held.is_empty()), "{place}: len");
        assert_texts(seen.iter(), held, place);
    }
}

fn assert_reals<T: Wire>(seen: Option<PackedReals<'_, T>>, held: Option<&RealVec<T>>, place: &str) {
    assert_eq!(seen.is_some(), held.is_some(), "{place}: vectors");
    let (Some(seen), Some(held)) = (seen, held) else { return };
    assert_eq!((seen.len(), seen.width()), (held.len(), held.width()), "{place}: len");
    assert_eq!(seen.is_empty(), held.is_empty(), "{place}: is_empty");
    let [all, back] = [seen.iter().collect(), seen.iter().rev().collect::<Vec<_>>()];
    let [wanted, wanted_back]: [Vec<T>; 2] =
        [held.into_iter().collect(), held.iter().rev().collect()];
    assert_eq!(format!("{all:?}"), format!("{wanted:?}"), "{place}: iter");
    assert_eq!(format!("{back:?}"), format!("{wanted_back:?}"), "{place}: rev");
    let [wide, wanted]: [Vec<_>; 2] = [seen.iter_f64().collect(), held.iter_f64().collect()];
    assert_eq!(format!("{wide:?}"), format!("{wanted:?}"), "{place}: iter_f64");
    assert_eq!(seen.as_f32().is_some(), held.as_f32().is_some(), "{place}: as_f32");
    assert_eq!(seen.as_f64().is_some(), held.as_f64().is_some(), "{place}: as_f64");
    for at in [0, held.len() / 2, held.len()] {
        let seen = (seen.get(at), seen.get_f64(at));
        let held = (held.get(at), held.get_f64(at));
        assert_eq!(format!("{seen:?}"), format!("{held:?}"), "{place}: get");
    }
}

fn assert_leaves(view: &VariantView<'_>, owned: &Variant, place: &str) {
    let both = (view.as_text().ok(), owned.as_text());
    let (Some(seen), Some(held)) = both else {
        assert!(both.0.is_none() && both.1.is_none(), "{place}: as_text");
        return assert_rare(view, owned, place);
    };
    assert_text(&seen, held, place);
}

fn assert_rare(view: &VariantView<'_>, owned: &Variant, place: &str) {
    match (view.as_node_path(), owned.as_node_path()) {
        (Ok(seen), Some(held)) => assert_node_path(&seen, held, place),
        (seen, held) => assert!(seen.is_err() && held.is_none(), "{place}: as_node_path"),
    }
    match (view.as_signal(), owned.as_signal()) {
        (Ok(seen), Some(held)) => {
            assert_text(&seen.name(), &held.name, place);
            assert_eq!(seen.object_id(), held.object_id, "{place}: object_id");
        }
        (seen, held) => assert!(seen.is_err() && held.is_none(), "{place}: as_signal"),
    }
    match (view.as_image(), owned.as_image()) {
        (Ok(seen), Some(held)) => {
            let seen = (seen.format(), seen.mipmaps(), seen.width(), seen.height(), seen.data());
            let held = (held.format, held.mipmaps, held.width, held.height, &held.data[..]);
            assert_eq!(seen, held, "{place}: as_image");
        }
        (seen, held) => assert!(seen.is_err() && held.is_none(), "{place}: as_image"),
    }
    match (view.as_input_event(), owned.as_input_event()) {
        (Ok(seen), Some(held)) => {
            let seen = (seen.event(), seen.device(), seen.payload());
            assert_eq!(seen, (held.event, held.device, &held.payload[..]), "{place}: event");
        }
        (seen, held) => assert!(seen.is_err() && held.is_none(), "{place}: as_input_event"),
    }
}

fn assert_node_path(seen: &NodePathView<'_>, held: &NodePath, place: &str) {
    assert_texts(seen.names(), &held.names, place);
    assert_texts(seen.subnames(), &held.subnames, place);
    // A view has the flag on the wire. An owned value keeps the flag only if it has a meaning.
    let is_kept = seen.dialect() == Dialect::Godot2 && !held.subnames.is_empty();
    assert_eq!(seen.has_property() && is_kept, held.has_property, "{place}: has_property");
    assert_eq!(seen.plain().is_some(), held.plain.is_some(), "{place}: plain");
    if let (Some(seen), Some(held)) = (seen.plain(), &held.plain) {
        return assert_text(&seen, held, place);
    }
    assert_eq!(seen.is_absolute(), held.is_absolute, "{place}: is_absolute");
}

fn assert_texts<'a>(seen: impl ExactSizeIterator<Item = StrView<'a>>, held: &[Text], place: &str) {
    assert_eq!(seen.len(), held.len(), "{place}: texts");
    for (seen, held) in seen.zip(held) {
        assert_text(&seen, held, place);
    }
}

fn assert_text(seen: &StrView<'_>, held: &Text, place: &str) {
    assert_eq!(seen.as_bytes(), held.as_bytes(), "{place}: as_bytes");
    assert_eq!((seen.len(), seen.is_empty()), (held.len(), held.is_empty()), "{place}: len");
    assert_eq!(seen.engine_bytes(), held.engine_bytes(), "{place}: engine_bytes");
    assert_eq!(seen.engine_text().ok(), held.engine_text(), "{place}: engine_text");
    assert_eq!(seen.to_str().ok(), held.to_str(), "{place}: to_str");
    assert_eq!(seen.to_str_lossy(), held.to_str_lossy(), "{place}: to_str_lossy");
}

fn assert_type(seen: ElementType<StrView<'_>>, held: &ElementType<Text>, place: &str) {
    assert_eq!(&seen.map(Text::from), held, "{place}: declared type");
}

fn push_elements<'a, 'v>(
    pairs: &mut Vec<(VariantView<'a>, &'v Variant)>,
    view: &ArrayView<'a>,
    owned: &'v Array,
    place: &str,
) {
    assert_eq!((view.len(), view.is_empty()), (owned.len(), owned.is_empty()), "{place}: len");
    assert_eq!(view.is_shared(), owned.is_shared(), "{place}: is_shared");
    assert_type(view.element_type(), owned.element_type(), place);
    for at in (0..owned.len().min(BY_POSITION)).chain([owned.len(), usize::MAX]) {
        let (seen, held) = (view.get(at).unwrap(), owned.get(at));
        let kinds = (seen.map(|seen| seen.kind()), held.map(Variant::kind));
        assert_eq!(kinds.0, kinds.1, "{place}: get");
    }
    pairs.extend(view.iter().map(Result::unwrap).zip(owned));
}

fn push_pairs<'a, 'v>(
    pairs: &mut Vec<(VariantView<'a>, &'v Variant)>,
    view: &DictionaryView<'a>,
    owned: &'v Dictionary,
    place: &str,
) {
    assert_eq!(view.is_shared(), owned.is_shared(), "{place}: is_shared");
    assert_eq!(view.is_empty(), owned.is_empty(), "{place}: is_empty");
    assert_type(view.key_type(), owned.key_type(), place);
    assert_type(view.value_type(), owned.value_type(), place);
    // A repeated key in the bytes is one key of the owned value.
    assert!(view.len() >= owned.len(), "{place}: len");
    for key in owned.keys().take(BY_POSITION) {
        let Some(key) = key.as_text().map(Text::as_bytes) else { continue };
        let key = variant_view::Key::String(key);
        match (view.get(key).unwrap(), owned.get(key)) {
            // The values are compared here only if keys repeat. Otherwise all pairs are compared below, and a second
            // comparison would double the work at each level.
            (Some(seen), Some(held)) if view.len() != owned.len() => pairs.push((seen, held)),
            (Some(seen), Some(held)) => {
                assert_eq!(seen.kind(), held.kind(), "{place}: get {key:?}");
            }
            (seen, held) => assert!(seen.is_none() && held.is_none(), "{place}: get {key:?}"),
        }
    }
    if view.len() == owned.len() {
        for (pair, (key, value)) in view.iter().map(Result::unwrap).zip(owned) {
            pairs.extend([(pair.0, key), (pair.1, value)]);
        }
    }
}

fn push_properties<'a, 'v>(
    pairs: &mut Vec<(VariantView<'a>, &'v Variant)>,
    view: &ObjectView<'a>,
    owned: &'v Object,
    place: &str,
) {
    let is_same_form = match view.form() {
        ObjectForm::Null => matches!(owned, Object::Null),
        ObjectForm::Id(_) => matches!(owned, Object::Id(_)),
        ObjectForm::Full(_) => matches!(owned, Object::Full { .. }),
    };
    assert!(is_same_form, "{place}: form");
    assert_eq!((view.len(), view.is_empty()), (owned.len(), owned.is_empty()), "{place}: len");
    assert_eq!(view.id(), owned.id(), "{place}: id");
    assert_eq!(view.class().map(Text::from).as_ref(), owned.class(), "{place}: class");
    let Some(properties) = owned.properties() else { return };
    assert_eq!(properties.len(), owned.len(), "{place}: properties");
    for (property, (name, value)) in view.properties().map(Result::unwrap).zip(properties) {
        assert_text(&property.0, name, place);
        pairs.push((property.1, value));
        match (view.get(name.as_bytes()).unwrap(), owned.get(name.as_bytes())) {
            (Some(seen), Some(held)) => assert_eq!(seen.kind(), held.kind(), "{place}: get"),
            (seen, held) => assert!(seen.is_none() && held.is_none(), "{place}: get"),
        }
    }
}
