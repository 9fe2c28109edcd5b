//! docs/spec/format.md#nodepath: node paths.

use nom::Parser;
use nom::multi::count;
use variant_view::Kind;

use super::event::Content;
use super::fault::{Fault, Parsed, Part, fail, take, word};
use super::rules::Rules;
use super::text::text;

const NEW_FORM: u32 = 1 << 31;
const ABSOLUTE: u32 = 1;
const ONE_MORE: u32 = 1 << 1;

pub(super) fn node_path(input: &[u8], rules: Rules) -> Parsed<'_, Content<'_>> {
    let (rest, first) = word(PART).parse(input)?;
    if first & NEW_FORM != 0 {
        names(rest, first & !NEW_FORM, rules)
    } else if rules.has_text_node_paths() {
        text(input, rules).map(|(rest, path)| (rest, Content::PlainPath(path)))
    } else if rules.has_old_node_paths() {
        take(Part::Text, first.into()).map(Content::PlainPath).parse(rest)
    } else {
        fail(Fault::OldNodePath, input)
    }
}

const PART: Part = Part::Payload(Kind::NodePath);

/// Steps 2 to 4 of docs/spec/format.md#nodepath.
fn names(input: &[u8], names: u32, rules: Rules) -> Parsed<'_, Content<'_>> {
    let (rest, (subnames, flags)) = (word(PART), word(PART)).parse(input)?;
    let (total, flags) = if rules.has_uncounted_subname() {
        let more = u32::from(flags & ONE_MORE != 0);
        (subnames.wrapping_add(more).wrapping_add(names), flags & (ABSOLUTE | ONE_MORE))
    } else {
        // A sum that overflows becomes the maximum, which is also refused, since the texts are missing.
        (subnames.saturating_add(names), flags & ABSOLUTE)
    };
    let (rest, mut texts) = count(|input| text(input, rules), length(total)).parse(rest)?;
    let subnames = texts.split_off(length(names).min(texts.len()));
    Ok((rest, Content::Path(flags, texts, subnames)))
}

fn length(count: u32) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}
