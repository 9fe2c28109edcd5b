//! The same data as other formats have it, as far as the saves need it.

use variant_owned::Variant;

/// As `MessagePack`.
pub fn to_message_pack(value: &Variant) -> rmpv::Value {
    let array = |lanes: &[f32]| rmpv::Value::Array(lanes.iter().map(|&n| n.into()).collect());
    match value {
        Variant::Bool(v) => (*v).into(),
        Variant::Int(v) => v.value().into(),
        Variant::Float(v) => v.value().into(),
        Variant::String(v) | Variant::StringName(v) => v.to_str_lossy().into_owned().into(),
        Variant::Vector2(v) => {
            let v = v.f32();
            array(&[v.x, v.y])
        }
        Variant::Vector3(v) => {
            let v = v.f32();
            array(&[v.x, v.y, v.z])
        }
        Variant::Array(v) => rmpv::Value::Array(v.iter().map(to_message_pack).collect()),
        Variant::Dictionary(v) => {
            let pairs = v.iter().map(|(key, value)| (to_message_pack(key), to_message_pack(value)));
            rmpv::Value::Map(pairs.collect())
        }
        _ => rmpv::Value::Nil,
    }
}
