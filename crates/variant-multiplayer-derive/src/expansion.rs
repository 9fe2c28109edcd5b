//! The implementation of `Replicated`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, Field, Fields, Index, Member, Result};

use crate::property::Property;

pub(crate) fn expand(input: &DeriveInput) -> Result<TokenStream> {
    let properties = properties(input)?;
    let constants = properties.iter().map(Property::constant);
    let arms = properties.iter().enumerate().map(|(index, property)| {
        let serialization = property.serialization();
        quote!(#index => #serialization)
    });
    let (name, (generics, arguments, bounds)) = (&input.ident, input.generics.split_for_impl());
    Ok(quote! {
        #[automatically_derived]
        impl #generics ::variant_multiplayer::Replicated for #name #arguments #bounds {
            const PROPERTIES: &'static [::variant_multiplayer::Property] = &[#(#constants),*];

            fn serialize_property<__S: ::variant_multiplayer::derived::Serializer>(
                &self,
                index: usize,
                serializer: __S,
            ) -> ::core::result::Result<__S::Ok, __S::Error> {
                match index {
                    #(#arms,)*
                    _ => ::core::result::Result::Err(
                        ::variant_multiplayer::derived::Error::custom("no such property"),
                    ),
                }
            }
        }
    })
}

/// Reads the replicated fields. Reports all faults of the fields at once.
fn properties(input: &DeriveInput) -> Result<Vec<Property>> {
    let refuse = |what| Err(Error::new_spanned(&input.ident, what));
    let fields = match &input.data {
        Data::Struct(data) => &data.fields,
        Data::Enum(_) => return refuse("`Replicated` is for structs; this is an enum"),
        Data::Union(_) => return refuse("`Replicated` is for structs; this is a union"),
    };
    let (mut properties, mut errors) = (Vec::new(), Vec::new());
    for (member, field) in members(fields) {
        match Property::read(member, field) {
            Ok(property) => properties.extend(property),
            Err(error) => errors.push(error),
        }
    }
    // Packets mark the changed properties in a mask of 64 bits.
    if let Some(excess) = properties.iter().filter(|one| one.is_on_change()).nth(64) {
        let name = excess.name();
        let message = format!("field `{name}`: more than 64 properties are `on_change`");
        errors.push(Error::new(excess.span(), message));
    }
    let all = errors.into_iter().reduce(|mut all, error| {
        all.combine(error);
        all
    });
    match all {
        Some(errors) => Err(errors),
        None if properties.is_empty() => refuse("no field has `#[replicated(..)]`"),
        None => Ok(properties),
    }
}

/// The fields with their names or indices.
fn members(fields: &Fields) -> impl Iterator<Item = (Member, &Field)> {
    fields.iter().zip(0..).map(|(field, index)| {
        let member = match &field.ident {
            Some(name) => Member::Named(name.clone()),
            None => Member::Unnamed(Index::from(index)),
        };
        (member, field)
    })
}
