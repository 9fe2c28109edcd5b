//! [`Program`]: the types of the values of a file, in the terms that all languages share.

use std::collections::HashMap;

use variant_document::shape::{Declared, Facts, Type};
use variant_view::Kind;

use super::names::{Language, Names, singular};

/// The name of the type of the whole value.
pub(super) const ROOT: &str = "Save";

/// Whether a program writes the values that it has read, and whether the written bytes are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Keeps {
    /// The program does not write them.
    #[default]
    Nothing,
    /// The program writes an equal value.
    Values,
    /// The program writes the same bytes.
    Bytes,
}

/// The types of a program.
#[derive(Debug)]
pub(super) struct Program {
    /// Each struct comes after the structs that its fields refer to. No two structs are equal.
    pub(super) structs: Vec<Struct>,
    /// The whole value.
    pub(super) root: Form,
    /// Whether all numbers have the width that the engine's writer picks.
    pub(super) has_usual_widths: bool,
}

#[derive(Debug)]
pub(super) struct Struct {
    pub(super) name: String,
    pub(super) fields: Vec<Field>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Field {
    /// The key of the dictionary.
    pub(super) key: String,
    /// The key as an identifier.
    pub(super) name: String,
    pub(super) form: Form,
    pub(super) is_optional: bool,
}

/// The form of the values at one place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Form {
    /// Whether some values are null, if the other values have one form.
    pub(super) is_nullable: bool,
    pub(super) of: Of,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Of {
    /// Values of any kind.
    Any,
    /// Only null.
    Null,
    /// Values of one kind, as they are. `is_wide` is set for reals of 64 bits, and for integers beyond 53 bits.
    Leaf {
        kind: Kind,
        is_wide: bool,
    },
    Array {
        kind: Kind,
        items: Box<Form>,
        declared: Declared,
    },
    /// A dictionary whose keys are data, and the kind of the keys if it is always the same.
    Map {
        key: Option<Kind>,
        items: Box<Form>,
        declared: Declared,
    },
    /// A dictionary with fields: the index in [`Program::structs`].
    Struct(usize),
    /// Values of several forms, in a program that does not write them.
    Union(Vec<Form>),
}

impl From<Of> for Form {
    fn from(of: Of) -> Self {
        Self { is_nullable: false, of }
    }
}

impl Program {
    pub(super) fn new(of: &Type, language: Language) -> Self {
        let has_usual_widths = has_usual_widths(of);
        let mut builder = Builder { language, has_usual_widths, ..Builder::default() };
        for name in language.taken.split_whitespace() {
            builder.names.unique(name);
        }
        builder.names.unique(ROOT);
        let root = builder.form(of, None);
        Self { structs: builder.structs, root, has_usual_widths }
    }
}

/// Whether every integer and float has the width that the engine's writer picks. The recursion is bounded, because
/// types have a bounded depth.
fn has_usual_widths(of: &Type) -> bool {
    !of.is_open
        && of.kinds.iter().all(|facts| {
            let may_differ = matches!(facts.kind, Kind::Int | Kind::Float | Kind::Dictionary);
            (facts.is_plain || !may_differ)
                && facts.fields.iter().all(|(_, field)| has_usual_widths(field))
                && facts.items.as_ref().is_none_or(|items| has_usual_widths(items))
        })
}

#[derive(Debug, Default)]
struct Builder {
    language: Language,
    has_usual_widths: bool,
    names: Names,
    structs: Vec<Struct>,
    /// The index of the struct with these fields.
    numbers: HashMap<Vec<Field>, usize>,
}

impl Builder {
    /// The form of a [`Type`]. If the form is a struct, it gets the name `name`. The whole value has no name. The
    /// recursion is bounded, because types have a bounded depth.
    fn form(&mut self, of: &Type, name: Option<&str>) -> Form {
        let (is_nullable, kinds) = of.without_null();
        let of = match kinds.as_slice() {
            _ if of.is_open || of.values == 0 => Of::Any,
            [] => Of::Null,
            [only] => self.one(only, name),
            several if self.language.keeps == Keeps::Nothing => {
                let mut forms: Vec<Form> = Vec::new();
                for facts in several {
                    let form = self.one(facts, name).into();
                    if !forms.contains(&form) {
                        forms.push(form);
                    }
                }
                Of::Union(forms)
            }
            _ => Of::Any,
        };
        Form { is_nullable: is_nullable && !matches!(of, Of::Any | Of::Null), of }
    }

    fn one(&mut self, facts: &Facts, name: Option<&str>) -> Of {
        if self.language.keeps == Keeps::Bytes && !self.is_exact(facts) {
            return Of::Any;
        }
        let is_container = matches!(
            facts.kind,
            Kind::Dictionary | Kind::Array | Kind::TypedArray | Kind::PackedTypedArray
        );
        match facts.kind {
            Kind::Dictionary if self.is_struct(facts) => self.fields(facts, name),
            // The generated program declares only one type for the containers at a path. If the files declare
            // different types there, or a class or a script, the program keeps each container as a value.
            _ if is_container && self.language.keeps == Keeps::Values && !facts.is_plain => {
                Of::Leaf { kind: facts.kind, is_wide: false }
            }
            Kind::Dictionary => self.map(facts, name),
            kind if is_container => Of::Array {
                kind,
                items: Box::new(self.items(facts, name)),
                declared: facts.declared,
            },
            kind => {
                let is_long = facts.ints.is_some_and(|(low, high)| low < -EXACT || high > EXACT);
                Of::Leaf { kind, is_wide: facts.has_wide || is_long }
            }
        }
    }

    /// Whether the content of the values determines their bytes.
    fn is_exact(&self, facts: &Facts) -> bool {
        // An empty packed array does not show the width of its elements.
        let is_empty = facts.lens.is_some_and(|(least, _)| least == 0);
        facts.is_plain
            && !(facts.has_wide && (facts.has_narrow || is_empty))
            && (facts.kind != Kind::Float || self.has_usual_widths)
    }

    /// Whether the keys of the dictionaries are the names of fields.
    fn is_struct(&self, facts: &Facts) -> bool {
        let is_written_back = facts.is_ordered
            && facts.is_plain
            && facts.names == [Kind::String]
            && facts.declared == Declared::default();
        !facts.fields.is_empty()
            && facts.items.is_none()
            && (self.language.keeps == Keeps::Nothing || is_written_back)
    }

    fn fields(&mut self, facts: &Facts, name: Option<&str>) -> Of {
        let language = self.language;
        let unique = match name {
            None => ROOT.to_owned(),
            Some(name) => {
                let name = format!("{}{}", language.type_name(name), language.suffix);
                self.names.unique(&name)
            }
        };
        let mut names = Names::default();
        let fields = facts.fields.iter().map(|(key, field)| Field {
            key: key.clone(),
            name: names.unique(&language.field_name(key)),
            form: self.form(field, Some(key)),
            is_optional: facts.is_optional(field),
        });
        let fields: Vec<_> = fields.collect();
        if let Some(number) = self.numbers.get(&fields).filter(|_| name.is_some()) {
            self.names.release(&unique);
            return Of::Struct(*number);
        }
        let number = self.structs.len();
        self.numbers.insert(fields.clone(), number);
        self.structs.push(Struct { name: unique, fields });
        Of::Struct(number)
    }

    fn map(&mut self, facts: &Facts, name: Option<&str>) -> Of {
        let mut keys = facts.names.clone();
        keys.extend(facts.keys.iter().filter(|kind| !facts.names.contains(kind)));
        let key =
            Some(keys.as_slice()).and_then(|keys| if let [key] = keys { Some(*key) } else { None });
        Of::Map { key, items: Box::new(self.items(facts, name)), declared: facts.declared }
    }

    fn items(&mut self, facts: &Facts, name: Option<&str>) -> Form {
        let name = singular(name.unwrap_or(ROOT));
        match (&facts.items, facts.declared.items) {
            (Some(items), _) => self.form(items, Some(&name)),
            _ if !facts.fields.is_empty() => {
                let mut items = Type::default();
                facts.fields.iter().for_each(|(_, field)| items.merge(field.clone()));
                self.form(&items, Some(&name))
            }
            (None, Some(kind)) => Of::Leaf { kind, is_wide: false }.into(),
            (None, None) => Of::Any.into(),
        }
    }
}

/// All integers up to this one are exact floats.
const EXACT: i64 = 1 << 53;
