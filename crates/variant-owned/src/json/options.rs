//! [`Form`] and [`WriteOptions`]: what the JSON is for, and what stood around the value.

/// What the JSON is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Form {
    /// To come back byte for byte.
    #[default]
    Exact,
    /// For Godot's `JSON.to_native`.
    Native,
    /// For everything else; what it cannot hold is reported.
    Plain,
}

/// How to write a value, and what is to be known about it from outside of it.
///
/// ```
/// use variant_owned::json::{self, Form, WriteOptions};
/// use variant_view::{Dialect, Document};
///
/// let document = Document::new(&[0, 0, 0, 0], Dialect::Godot3);
/// let mut text = Vec::new();
/// let options = WriteOptions::new(Form::Exact).framing("settings").name(b"a/b");
/// json::write_with(&document, &options, &mut text)?;
/// assert_eq!(
///     String::from_utf8(text)?,
///     r#"{"dialect":"godot3","reals":"by-flag","framing":"settings","name":"a/b","value":null}"#,
/// );
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct WriteOptions<'o> {
    /// The form.
    pub form: Form,
    /// Whether it stands in lines, indented.
    pub is_pretty: bool,
    /// How values are set apart in their file, in the words of whoever is to set them apart again. Only the exact
    /// form has a place for it.
    pub framing: Option<&'o str>,
    /// What the value is called.
    pub name: Option<&'o [u8]>,
}

impl<'o> WriteOptions<'o> {
    /// In one line, without anything around the value.
    pub const fn new(form: Form) -> Self {
        Self { form, is_pretty: false, framing: None, name: None }
    }

    /// The same in lines, if `is_pretty`.
    #[must_use]
    pub const fn pretty(mut self, is_pretty: bool) -> Self {
        self.is_pretty = is_pretty;
        self
    }

    /// The same with a `framing`.
    #[must_use]
    pub const fn framing(mut self, framing: &'o str) -> Self {
        self.framing = Some(framing);
        self
    }

    /// The same with a `name`.
    #[must_use]
    pub const fn name(mut self, name: &'o [u8]) -> Self {
        self.name = Some(name);
        self
    }
}
