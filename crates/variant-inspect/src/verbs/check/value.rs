//! [`check`]: the findings of one value and everything in it.

use std::collections::BTreeSet;

use variant_view::{
    Document, ErrorKind, Event, Limits, Node, NotCanonical, Number, ObjectForm, Role, StrView,
    VariantView,
};

use super::rule::Rule;
use variant_document::count::counted;
use variant_document::escape::escape;
use variant_document::explain;
use variant_document::texts::{TextAt, texts};

/// The longest text in a message, in characters.
const TEXT_MAX: usize = 80;
/// The maximum number of bytes of padding in a message.
const PADDING_MAX: usize = 8;
/// The size of the largest packet that packet peers send by default, in bytes.
const PACKET: usize = 8 << 20;

/// Receives findings: the rule, the offset in the document, and a function that makes the message. A message is made
/// only if the finding is printed, since a hostile file may have very many findings.
pub(super) type Tell<'t> = dyn FnMut(Rule, usize, &dyn Fn() -> String) + 't;

/// Reports all findings of a document. There are two passes: one of O(bytes), and [`Document::deviations`].
pub(super) fn check(document: &Document<'_>, tell: &mut Tell<'_>) {
    let len = document.bytes().len();
    if len > PACKET {
        tell(Rule::PacketLimit, 0, &|| format!("{} in one value", counted(len, "byte")));
    }
    if u64::try_from(len).unwrap_or(u64::MAX) > Limits::ENGINE.bytes {
        tell(Rule::LengthLimit, 0, &|| format!("{} in one value", counted(len, "byte")));
    }
    let mut checks = Checks { document, told_padding: BTreeSet::new() };
    for event in document.walk() {
        match event {
            Ok(Event::Enter(node) | Event::Leaf(node)) => checks.node(&node, tell),
            Ok(Event::Exit { .. }) => {}
            Err(error) => {
                let offset = error.offset();
                tell(Rule::Damaged, offset, &|| {
                    format!("{}; {}", error.kind(), explain::hint(&error, document))
                });
            }
        }
    }
    // An error is ignored here, because the loop above has reported the damage.
    let _ = document.deviations(|error| {
        let ErrorKind::NotCanonical(what) = error.kind() else { return };
        let offset = error.offset();
        if what != NotCanonical::Padding {
            tell(Rule::of_deviation(what), offset, &|| match what {
                NotCanonical::TrailingBytes => {
                    let after = document.bytes().len().saturating_sub(offset);
                    format!("{} after the value", counted(after, "byte"))
                }
                what => what.to_string(),
            });
        } else if !checks.told_padding.contains(&offset) {
            let behind = offset.checked_next_multiple_of(4).unwrap_or(offset);
            checks.padding(offset, behind, tell);
        }
    });
}

struct Checks<'d, 'a> {
    document: &'d Document<'a>,
    /// The offsets of padding that is already reported, in values that contain several texts. The pass over deviations
    /// would report the first padding of such a value again.
    told_padding: BTreeSet<usize>,
}

impl Checks<'_, '_> {
    fn node(&mut self, node: &Node<'_>, tell: &mut Tell<'_>) {
        let (view, offset) = (&node.view, node.view.offset());
        if node.depth == Limits::ENGINE.depth.saturating_add(1) {
            tell(Rule::DepthLimit, offset, &|| format!("{} deep", counted(node.depth, "level")));
        }
        if let Role::Property(_, name) = node.role() {
            self.name(&name, tell);
            let is_script = name.engine_bytes() == b"script" && !view.is_nil();
            if is_script {
                tell(Rule::Script, offset, &|| format!("a script as {}", view.kind()));
            }
        }
        match view {
            VariantView::Object(object) => match object.form() {
                ObjectForm::Full(class) => self.object(offset, &class, tell),
                ObjectForm::Id(id) => tell(Rule::ObjectId, offset, &|| format!("object id {id}")),
                ObjectForm::Null => {}
            },
            VariantView::String(text) | VariantView::StringName(text) => {
                self.valid(view, tell);
                let start = offset.saturating_add(8);
                text_of(text.as_bytes(), start, tell);
            }
            VariantView::NodePath(path) => {
                self.valid(view, tell);
                self.paddings(offset, path.raw_bytes(), 16, tell);
            }
            VariantView::PackedStringArray(strings) => {
                self.valid(view, tell);
                self.paddings(offset, strings.raw_bytes(), 8, tell);
                for text in strings.iter() {
                    text_of(text.as_bytes(), text.offset(), tell);
                }
            }
            VariantView::Signal(_) => self.valid(view, tell),
            VariantView::Float(float) => {
                number(Number::Float64(float.value().to_bits()), offset, tell);
            }
            _ => numbers(view, offset, tell),
        }
    }

    /// Checks the class of a full object.
    fn object(&self, offset: usize, class: &StrView<'_>, tell: &mut Tell<'_>) {
        self.name(class, tell);
        let is_script = class.engine_bytes().ends_with(b"Script");
        let rule = if is_script { Rule::Script } else { Rule::Object };
        tell(rule, offset, &|| format!("an object of class {}", quoted(class.as_bytes())));
    }

    /// Checks a text outside of values: a class or the name of a property. The encoding is checked only if the
    /// dialect's rule is plain UTF-8.
    fn name(&self, name: &StrView<'_>, tell: &mut Tell<'_>) {
        text_of(name.as_bytes(), name.offset(), tell);
        let is_strict = self.document.options().dialect.has_strict_text();
        if is_strict && let Err(error) = name.engine_text() {
            tell(Rule::InvalidText, error.offset(), &|| "a name that is not UTF-8".to_owned());
        }
    }

    /// Checks the texts of a leaf by the rule of the dialect.
    fn valid(&self, view: &VariantView<'_>, tell: &mut Tell<'_>) {
        let bytes = view.raw_bytes().unwrap_or_default();
        let Err(error) = Document::new(bytes, *self.document.options()).validate() else { return };
        if error.kind() == ErrorKind::InvalidText {
            let offset = view.offset().saturating_add(error.offset());
            tell(Rule::InvalidText, offset, &|| {
                let rest = bytes.get(error.offset()..).unwrap_or_default();
                let rest = rest.get(..16).unwrap_or(rest);
                format!("{}: {}", error.kind(), quoted(rest))
            });
        }
    }

    /// Checks the padding of each text of a value, from byte `first` of the value.
    fn paddings(&mut self, offset: usize, bytes: &[u8], first: usize, tell: &mut Tell<'_>) {
        for TextAt { end, behind, .. } in texts(bytes, first) {
            let padding = bytes.get(end..behind).unwrap_or_default();
            if let Some(dirty) = padding.iter().position(|byte| *byte != 0) {
                let at = |within: usize| offset.saturating_add(within);
                let dirty = at(end.saturating_add(dirty));
                self.told_padding.insert(dirty);
                self.padding(dirty, at(behind), tell);
            }
        }
    }

    /// Reports padding from its first nonzero byte.
    fn padding(&self, dirty: usize, behind: usize, tell: &mut Tell<'_>) {
        tell(Rule::DirtyPadding, dirty, &|| {
            let bytes = self.document.bytes().get(dirty..behind).unwrap_or_default();
            let shown = bytes.get(..PADDING_MAX).unwrap_or(bytes);
            let hex: Vec<_> = shown.iter().map(|byte| format!("{byte:02x}")).collect();
            format!("padding is not zero: {} {}", hex.join(" "), quoted(shown))
        });
    }
}

/// Reports a text that names a resource. Also reports a text that engines read only in part.
fn text_of(text: &[u8], start: usize, tell: &mut Tell<'_>) {
    const ROOTS: [&[u8]; 3] = [b"res://", b"user://", b"uid://"];
    if ROOTS.iter().any(|root| text.starts_with(root)) {
        tell(Rule::ResourcePath, start, &|| quoted(text));
    }
    if let Some(nul) = memchr::memchr(0, text) {
        let hidden = text.get(nul..).unwrap_or_default();
        tell(Rule::HiddenText, start.saturating_add(nul), &|| {
            format!("{} from a NUL on: {}", counted(hidden.len(), "byte"), quoted(hidden))
        });
    }
}

/// Reports the first NaN and the first infinity of a value.
fn numbers(view: &VariantView<'_>, offset: usize, tell: &mut Tell<'_>) {
    let Some(numbers) =
        view.numbers().filter(|numbers| !matches!(numbers.get(0), Some(Number::Int(_)) | None))
    else {
        return;
    };
    let mut firsts = [None, None];
    for number in numbers.iter() {
        let place = match odd(number) {
            Some(Rule::NotANumber) => firsts.first_mut(),
            Some(_) => firsts.last_mut(),
            None => None,
        };
        if let Some(place) = place {
            place.get_or_insert(number);
        }
    }
    firsts.into_iter().flatten().for_each(|first| number(first, offset, tell));
}

fn number(number: Number, offset: usize, tell: &mut Tell<'_>) {
    if let Some(rule) = odd(number) {
        tell(rule, offset, &|| {
            let what = if rule == Rule::NotANumber { "NaN" } else { "an infinity" };
            format!("{what} in the value")
        });
    }
}

fn odd(number: Number) -> Option<Rule> {
    let value = match number {
        Number::Float32(bits) => f64::from(f32::from_bits(bits)),
        Number::Float64(bits) => f64::from_bits(bits),
        Number::Int(_) => return None,
    };
    match value {
        value if value.is_nan() => Some(Rule::NotANumber),
        value if value.is_infinite() => Some(Rule::Infinity),
        _ => None,
    }
}

fn quoted(text: &[u8]) -> String {
    let mut out = "\"".to_owned();
    let is_all = escape(&mut out, text, TEXT_MAX);
    out.push_str(if is_all { "\"" } else { "...\"" });
    out
}
