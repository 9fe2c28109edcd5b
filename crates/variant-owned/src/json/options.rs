//! [`Form`] and [`WriteOptions`]: the form of the JSON, and the options for writing it.

/// The form of the JSON, by purpose.
///
/// ```
/// use variant_owned::Variant;
/// use variant_owned::json::{self, Form};
///
/// let print = |form| {
///     let mut text = Vec::new();
///     json::write(&Variant::from((1, 2)), form, &mut text, false).map(|_| text)
/// };
/// assert_eq!(print(Form::Exact)?, br#"{"t":"Vector2i","v":[1,2]}"#);
/// assert_eq!(print(Form::Plain)?, br#"{"x":1,"y":2}"#);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Form {
    /// Restores the document byte for byte.
    #[default]
    Exact,
    /// For Godot's `JSON.to_native`.
    Native,
    /// For other tools; losses are reported.
    Plain,
}

/// The options for writing a value and the object around it.
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
    /// Whether to indent.
    pub is_pretty: bool,
    /// A label for the framing of the file's values. The program that reads the JSON back defines the label. Written
    /// only in the exact form.
    pub framing: Option<&'o str>,
    /// The name of the value.
    pub name: Option<&'o [u8]>,
}

impl<'o> WriteOptions<'o> {
    /// Options for one line, without framing and name.
    pub const fn new(form: Form) -> Self {
        Self { form, is_pretty: false, framing: None, name: None }
    }

    /// Returns the options, indented if `is_pretty`.
    #[must_use]
    pub const fn pretty(mut self, is_pretty: bool) -> Self {
        self.is_pretty = is_pretty;
        self
    }

    /// Returns the options with this framing.
    #[must_use]
    pub const fn framing(mut self, framing: &'o str) -> Self {
        self.framing = Some(framing);
        self
    }

    /// Returns the options with this name.
    #[must_use]
    pub const fn name(mut self, name: &'o [u8]) -> Self {
        self.name = Some(name);
        self
    }
}
