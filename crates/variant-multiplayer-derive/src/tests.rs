//! Tests the code that the macro expands to, and the messages of its errors.

#![allow(clippy::unwrap_used, reason = "a test may stop")]

use quote::quote;
use syn::DeriveInput;

use crate::expansion::expand;

fn expanded(input: &str) -> String {
    let input: DeriveInput = syn::parse_str(input).unwrap();
    expand(&input).unwrap().to_string()
}

/// The messages of all errors.
fn errors(input: &str) -> Vec<String> {
    let input: DeriveInput = syn::parse_str(input).unwrap();
    let error = expand(&input).unwrap_err();
    error.into_iter().map(|error| error.to_string()).collect()
}

/// The message for a field `hp` with these attributes.
fn of_field(attributes: &str) -> String {
    errors(&format!("struct Orc {{ {attributes} hp: i32 }}")).concat()
}

#[test]
fn a_struct_is_expanded() {
    let written = expanded(
        "struct Orc<T: Serialize> where T: Copy {
            #[replicated(spawn, always)]
            #[serde(rename = \"at\", with = \"kinds::as_vector2\")]
            position: [f32; 2],
            secret: u8,
            #[replicated(on_change)]
            r#type: T,
            #[replicated(spawn)]
            #[serde(serialize_with = \"write\", default)]
            name: String,
        }",
    );
    let wanted = quote! {
        #[automatically_derived]
        impl<T: Serialize> ::variant_multiplayer::Replicated for Orc<T> where T: Copy {
            const PROPERTIES: &'static [::variant_multiplayer::Property] = &[
                ::variant_multiplayer::Property::new(
                    "position", true, ::variant_multiplayer::Replication::Always,
                ),
                ::variant_multiplayer::Property::new(
                    "type", false, ::variant_multiplayer::Replication::OnChange,
                ),
                ::variant_multiplayer::Property::new(
                    "name", true, ::variant_multiplayer::Replication::Never,
                )
            ];

            fn serialize_property<__S: ::variant_multiplayer::derived::Serializer>(
                &self,
                index: usize,
                serializer: __S,
            ) -> ::core::result::Result<__S::Ok, __S::Error> {
                match index {
                    0usize => kinds::as_vector2::serialize(&self.position, serializer),
                    1usize => ::variant_multiplayer::derived::Serialize::serialize(&self.r#type, serializer),
                    2usize => write(&self.name, serializer),
                    _ => ::core::result::Result::Err(
                        ::variant_multiplayer::derived::Error::custom("no such property"),
                    ),
                }
            }
        }
    };
    assert_eq!(written, wanted.to_string());
}

#[test]
fn a_tuple_struct_has_indices() {
    let written = expanded("struct Place(u8, #[replicated(always)] f32);");
    assert!(written.contains("& self . 1 , serializer"), "{written}");
    assert!(written.contains("\"1\" , false"), "{written}");
}

#[test]
fn errors_name_the_field() {
    let known = "known are `spawn`, `always` and `on_change`";
    for (attributes, message) in [
        ("#[replicated(spawn, allways)]", format!("`allways` is unknown; {known}")),
        ("#[replicated(with = \"as_vector2\")]", format!("`with` is unknown; {known}")),
        ("#[replicated(spawn, spawn)]", "`spawn` twice".to_owned()),
        ("#[replicated(spawn)] #[replicated(always)]", "`#[replicated(..)]` twice".to_owned()),
        (
            "#[replicated(always, on_change)]",
            "`always` and `on_change` exclude each other".to_owned(),
        ),
        ("#[replicated()]", "`spawn`, `always` or `on_change` is missing".to_owned()),
        ("#[replicated(spawn)] #[serde(with = 5)]", "a path in quotes is missing".to_owned()),
    ] {
        assert_eq!(of_field(attributes), format!("field `hp`: {message}"));
    }
    // `syn` writes these messages, so only their start is checked.
    for attributes in
        ["#[replicated]", "#[replicated = 5]", "#[replicated(spawn)] #[serde(with = \"a b\")]"]
    {
        let message = of_field(attributes);
        assert!(message.starts_with("field `hp`: "), "{message}");
    }
}

#[test]
fn all_faults_are_reported_at_once() {
    let messages =
        errors("struct Orc(#[replicated(a)] u8, #[replicated(always)] u8, #[replicated(b)] u8);");
    let starts: Vec<_> =
        messages.iter().map(|message| message.split(';').next().unwrap()).collect();
    assert_eq!(starts, ["field `0`: `a` is unknown", "field `2`: `b` is unknown"]);
}

#[test]
fn a_mask_has_64_bits() {
    let fields = |count: u32| {
        let fields = (0..count).map(|index| format!("#[replicated(on_change)] p{index}: u8,"));
        format!("struct Orc {{ #[replicated(always)] at: u8, {} }}", fields.collect::<String>())
    };
    expanded(&fields(64));
    let excess = "field `p64`: more than 64 properties are `on_change`";
    assert_eq!(errors(&fields(66)), [excess]);
}

#[test]
fn only_structs_with_properties_are_replicated() {
    let only = "`Replicated` is for structs; this is";
    assert_eq!(errors("enum Orc { A, B }"), [format!("{only} an enum")]);
    assert_eq!(errors("union Orc { a: u8, b: i8 }"), [format!("{only} a union")]);
    for none in ["struct Orc;", "struct Orc { hp: i32 }", "struct Orc(u8);"] {
        assert_eq!(errors(none), ["no field has `#[replicated(..)]`"]);
    }
}
