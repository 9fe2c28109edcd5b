//! Answers to "how do I ...?", one line each. Every line runs.
//!
//! ```sh
//! cargo run -p variant-owned --example idioms
//! ```
//!
//! It also runs as a test.

#![allow(clippy::indexing_slicing, reason = "the indexed values exist")]
#![cfg_attr(test, allow(clippy::unwrap_used, reason = "a test may panic"))]

use std::borrow::Cow;
use std::collections::BTreeMap;

use glam::Vec3;
use variant_owned::{Array, Dictionary, Object, Text, Variant, array, dictionary, encode};
use variant_view::{Color, Dialect, Document, VariantView, Vector2, Vector3, bytemuck};

type Result<T = (), E = Box<dyn std::error::Error>> = std::result::Result<T, E>;

fn main() -> Result {
    numbers_and_text_into_a_variant();
    numbers_that_may_not_fit()?;
    lists_into_a_variant();
    out_of_a_variant()?;
    containers()?;
    let save = dictionary! {
        "name" => "Åsa", "hp" => 7, "speed" => 1.5, "blob" => [1_u8, 2, 3],
        "path" => vec![Vector3::new(0.0, 1.0, 2.0), Vector3::new(3.0, 4.0, 5.0)], "tags" => ["a", "b"],
    };
    let bytes = encode(&save.into(), Dialect::Godot4)?;
    let document = Document::new(&bytes, Dialect::Godot4);
    out_of_a_view(document.root()?)?;
    packed_arrays(document.at("path")?)?;
    println!("all lines are correct");
    Ok(())
}

fn numbers_and_text_into_a_variant() {
    let _null = Variant::Nil;
    let _maybe = Variant::from(None::<i32>);
    let _yes = Variant::from(true);
    let _small = Variant::from(5_u8);
    let _large = Variant::from(5_i64);
    let _real = Variant::from(0.5_f32);
    let _text = Variant::from("text");
    let _owned = Variant::from(String::from("text"));
    let _either = Variant::from(Cow::Borrowed("text"));
    let _name = Variant::StringName("text".into());
    let _not_utf8 = Variant::from(Text::from_bytes(b"\xff"));
    let _vector = Variant::from(Vector3::new(1.0_f32, 2.0, 3.0));
    let _tuple = Variant::from((1.0_f32, 2.0, 3.0));
    let _numbers = Variant::from(Vector3::from([1.0_f32, 2.0, 3.0]));
    let _wide = Variant::from(Vector3::<f64>::new(1.0, 2.0, 3.0));
    let _glam = Variant::from(Vector3::from(Vec3::ONE.to_array()));
    let _color = Variant::from(Color::new(1.0_f32, 0.0, 0.0, 1.0));
    let _object = Variant::from(Object::new("Resource"));
}

fn numbers_that_may_not_fit() -> Result {
    assert_eq!(Variant::try_from(5_u64)?, 5);
    assert_eq!(Variant::try_from("five".len())?, 4);
    assert!(Variant::try_from(u64::MAX).is_err());
    assert_eq!(Variant::from_bits(u64::MAX), -1);
    Ok(())
}

fn lists_into_a_variant() {
    let _bytes = Variant::from(vec![1_u8, 2, 3]);
    let _floats = Variant::from([1.0_f32, 2.0, 3.0]);
    let _slice = Variant::from(&[1, 2, 3][..]);
    let _borrowed = Variant::from(&vec![1_i64, 2, 3]);
    let _cow = Variant::from(Cow::Borrowed(&[1, 2, 3][..]));
    let _strings = Variant::from(["a", "b"]);
    let _vectors = Variant::from(vec![Vector2::new(1.0_f32, 2.0)]);
    let _glams = Variant::from(bytemuck::cast_slice::<Vec3, Vector3>(&[Vec3::ONE, Vec3::ZERO]));
    let _records = Variant::from(vec![dictionary! { "hp" => 7 }]);
    let _mixed = Variant::from(array![1, "two", 3.0]);
    let _collected: Array = (0..10).collect();
    let _map = Variant::from(BTreeMap::from([("hp", 7)]));
}

fn out_of_a_variant() -> Result {
    let save: Variant = r#"{"hp": 7, "speed": 1.5, "name": "Åsa", "tags": ["a"]}"#.parse()?;
    assert_eq!(save["hp"].as_i32(), Some(7));
    assert_eq!(save["hp"].as_u64(), Some(7));
    assert_eq!(save["speed"].as_f32(), Some(1.5));
    assert_eq!(save["name"].as_str(), Some("Åsa"));
    assert!(save["hp"] == 7 && save["speed"] == 1.5 && save["name"] == "Åsa");
    let hp: i32 = (&save["hp"]).try_into()?;
    let speed = f32::try_from(&save["speed"])?;
    let name = <&str>::try_from(&save["name"])?;
    println!("{name}: {hp} at {speed}; {save}");
    assert!(save.get("nothing").is_none());
    let error = u8::try_from(&Variant::from(300)).err().ok_or("300 is not a u8")?;
    assert_eq!(error.to_string(), "the int 300 does not fit into u8; try a wider type");
    let vectors = Vec::<Vector3>::try_from(Variant::from([Vector3::new(1.0, 2.0, 3.0)]))?;
    let names = Vec::<String>::try_from(Variant::from(["a", "b"]))?;
    assert_eq!((vectors.len(), names.len()), (1, 2));
    assert_eq!(Variant::from([1_u8, 2]).as_bytes(), Some(&[1, 2][..]));
    Ok(())
}

fn containers() -> Result {
    let mut save = dictionary! { "hp" => 7, "items" => array!["sword", "shield"] };
    save.insert("hp", 8);
    if let Some(hp) = save.get_mut("hp") {
        *hp = 9.into();
    }
    for (key, value) in &save {
        println!("{key}: {value}");
    }
    *save.entry("kills").or_insert(0) = 3.into();
    save.iter_mut().for_each(|(_, value)| println!("{}", value.kind()));
    save.retain(|key, _| *key != "kills");
    assert!(
        save.contains_key("hp") && save.keys().len() == 2 && save.values().any(|value| *value == 9)
    );
    let mut save = Variant::from(save);
    *save.at_mut("items[1]")? = "lute".into();
    assert_eq!(save.at("items[1]")?.as_str(), Some("lute"));
    assert_eq!(save.at("items[2]").err().map(|error| error.column()), Some(5));
    save["items"][0] = "axe".into();
    if let Some(items) = save["items"].as_array_mut() {
        items.push("bow");
        items.as_mut_vec().retain(|item| *item != "lute");
    }
    assert!(save["items"] == Variant::from(array!["axe", "bow"]));
    for (key, value) in save.as_dictionary().cloned().unwrap_or_default() {
        println!("{}: {} bytes of text", Text::try_from(key)?, value.to_string().len());
    }
    let items = Array::try_from(&save["items"])?;
    let items = items.into_iter().map(String::try_from).collect::<Result<Vec<_>, _>>()?;
    assert_eq!(items, ["axe", "bow"]);
    assert!(Dictionary::try_from(save)?.remove("hp").is_some());
    Ok(())
}

fn out_of_a_view(save: VariantView<'_>) -> Result {
    let get = |key: &str| -> Result<VariantView<'_>> {
        Ok(save.get(key)?.ok_or_else(|| format!("no {key}"))?)
    };
    assert_eq!(get("hp")?.as_i32()?, 7);
    assert_eq!(get("hp")?.as_u64()?, 7);
    assert!(get("speed")?.as_f32()? > 1.0);
    assert!(get("hp")? == 7 && get("speed")? == 1.5 && get("name")? == "Åsa");
    let name: &str = get("name")?.try_into()?;
    let hp = u16::try_from(get("hp")?)?;
    let blob = <&[u8]>::try_from(get("blob")?)?;
    println!("{name}: {hp}, {} bytes", blob.len());
    assert!(get("tags")?.as_strings()?.iter().any(|tag| tag == "b"));
    let list = array!["sword", "shield", "lute"];
    let list = encode(&list.into(), Dialect::Godot4)?;
    let list = Document::new(&list, Dialect::Godot4).root()?.as_array()?;
    let third = list.iter().nth(2).ok_or("no third element")??;
    assert!(third == "lute");
    Ok(())
}

fn packed_arrays(path: VariantView<'_>) -> Result {
    let path = path.as_vector3s()?;
    let height: f32 = path.iter().map(|point| point.y).sum();
    assert_eq!(path.iter().next_back(), Some(Vector3::new(3.0, 4.0, 5.0)));
    assert!(path.iter().rev().map(|point| point.x).eq([3.0, 0.0]));
    let mut copy = [Vector3::default(); 2];
    assert_eq!(path.copy_to(&mut copy), 2);
    // `cast` borrows the elements as vectors of another crate. `None` if the address is not aligned for them.
    let points: Cow<'_, [Vec3]> = match path.cast::<Vec3>() {
        Some(points) => points.into(),
        None => path.iter().map(|point| Vec3::from_array(point.into())).collect(),
    };
    let same: f32 = points.iter().map(|point| point.y).sum();
    assert_eq!(same.to_bits(), height.to_bits());
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_line_runs() {
        super::main().unwrap();
    }
}
