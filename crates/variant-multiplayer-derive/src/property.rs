//! [`Property`]: a field with its attributes.

use std::fmt::Display;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::punctuated::Punctuated;
use syn::{Attribute, Error, Expr, ExprLit, Field, Lit, LitStr, Member, Meta, Path, Result, Token};

/// A replicated field.
pub(crate) struct Property {
    member: Member,
    spawn: bool,
    mode: Mode,
    /// The function that serializes the value, from serde's attributes. `None` if the attributes name no function:
    /// then the `Serialize` of the field's type applies.
    serialize: Option<TokenStream>,
}

#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Never,
    Always,
    OnChange,
}

/// The words of `#[replicated(..)]`.
#[derive(Default)]
struct Words {
    spawn: Option<Path>,
    always: Option<Path>,
    on_change: Option<Path>,
}

impl Property {
    /// Reads the property of a field. `None` if the field is not replicated.
    pub(crate) fn read(member: Member, field: &Field) -> Result<Option<Self>> {
        let of_field = |error: Error| {
            let name = name(&member);
            Error::new(error.span(), format!("field `{name}`: {error}"))
        };
        let mut attributes = field.attrs.iter().filter(|one| one.path().is_ident("replicated"));
        let Some(attribute) = attributes.next() else { return Ok(None) };
        if let Some(second) = attributes.next() {
            return Err(of_field(error(second, "`#[replicated(..)]` twice")));
        }
        let (spawn, mode) = Words::read(attribute).and_then(Words::check).map_err(of_field)?;
        let serialize = serialize(&field.attrs).map_err(of_field)?;
        Ok(Some(Self { member, spawn, mode, serialize }))
    }

    pub(crate) fn is_on_change(&self) -> bool {
        self.mode == Mode::OnChange
    }

    pub(crate) fn span(&self) -> Span {
        match &self.member {
            Member::Named(name) => name.span(),
            Member::Unnamed(index) => index.span,
        }
    }

    pub(crate) fn name(&self) -> String {
        name(&self.member)
    }

    /// The property as a constant.
    pub(crate) fn constant(&self) -> TokenStream {
        let (name, spawn) = (self.name(), self.spawn);
        let mode = match self.mode {
            Mode::Never => quote!(Never),
            Mode::Always => quote!(Always),
            Mode::OnChange => quote!(OnChange),
        };
        quote! {
            ::variant_multiplayer::Property::new(
                #name,
                #spawn,
                ::variant_multiplayer::Replication::#mode,
            )
        }
    }

    /// The call that serializes the value.
    pub(crate) fn serialization(&self) -> TokenStream {
        let member = &self.member;
        let of_type = || quote!(::variant_multiplayer::derived::Serialize::serialize);
        let serialize = self.serialize.clone().unwrap_or_else(of_type);
        quote!(#serialize(&self.#member, serializer))
    }
}

impl Words {
    fn read(attribute: &Attribute) -> Result<Self> {
        let mut words = Self::default();
        attribute.parse_nested_meta(|meta| {
            let word = match &meta.path {
                path if path.is_ident("spawn") => &mut words.spawn,
                path if path.is_ident("always") => &mut words.always,
                path if path.is_ident("on_change") => &mut words.on_change,
                path => {
                    let path = path.to_token_stream();
                    let known = "`spawn`, `always` and `on_change`";
                    return Err(meta.error(format!("`{path}` is unknown; known are {known}")));
                }
            };
            match word.replace(meta.path.clone()) {
                Some(path) => Err(error(&meta.path, format!("`{}` twice", path.to_token_stream()))),
                None => Ok(()),
            }
        })?;
        if words.spawn.is_none() && words.always.is_none() && words.on_change.is_none() {
            return Err(error(attribute, "`spawn`, `always` or `on_change` is missing"));
        }
        Ok(words)
    }

    fn check(self) -> Result<(bool, Mode)> {
        let mode = match (self.always, self.on_change) {
            (Some(_), Some(second)) => {
                return Err(error(&second, "`always` and `on_change` exclude each other"));
            }
            (Some(_), None) => Mode::Always,
            (None, Some(_)) => Mode::OnChange,
            (None, None) => Mode::Never,
        };
        Ok((self.spawn.is_some(), mode))
    }
}

/// The function in serde's attributes of a field. Other words of the attributes matter only to serde.
fn serialize(attributes: &[Attribute]) -> Result<Option<TokenStream>> {
    for attribute in attributes.iter().filter(|one| one.path().is_ident("serde")) {
        let words = Punctuated::<Meta, Token![,]>::parse_terminated;
        for word in attribute.parse_args_with(words)? {
            let Meta::NameValue(word) = word else { continue };
            if word.path.is_ident("with") {
                let module: Path = text(&word.value)?.parse()?;
                return Ok(Some(quote!(#module::serialize)));
            }
            if word.path.is_ident("serialize_with") {
                let function: Path = text(&word.value)?.parse()?;
                return Ok(Some(function.to_token_stream()));
            }
        }
    }
    Ok(None)
}

fn text(value: &Expr) -> Result<&LitStr> {
    match value {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Ok(text),
        other => Err(error(other, "a path in quotes is missing")),
    }
}

/// The name of a field, or its index.
fn name(member: &Member) -> String {
    match member {
        Member::Named(name) => name.to_string().trim_start_matches("r#").to_owned(),
        Member::Unnamed(index) => index.index.to_string(),
    }
}

fn error(tokens: &impl ToTokens, message: impl Display) -> Error {
    Error::new_spanned(tokens, message)
}
