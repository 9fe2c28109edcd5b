//! A file that is converted to a form (JSON, text, lines) and back is the same file.

use std::collections::BTreeSet;
use std::path::Path;

use variant_inspect::{CommonArgs, FramingArg, Verb};
use variant_owned::KeyRule;
use variant_testkit::corpus;
use variant_testkit::texts::{Exceptions, OneWay};
use variant_view::{
    Document, ElementType, Event, Node, Number, NumberType, Profile, Role, StrView, VariantView,
};

use crate::bench::{Bench, Outcome, from_json, from_text, salvage, unflatten};
use crate::hold;
use crate::samples::{Sample, opened, samples};

/// Whether a file equals the sample. A compressor may write other bytes for the same contents.
pub(crate) fn is_sample(found: &Outcome, sample: &Sample) -> Result<(), String> {
    let found = found.as_ref().map_err(Clone::clone)?;
    if *found == sample.bytes {
        return Ok(());
    }
    let both = opened(found, &sample.common).zip(opened(&sample.bytes, &sample.common));
    match both {
        Some(((new, layers), (old, of))) if new == old && layers == of && !of.is_empty() => Ok(()),
        Some(((new, _), (old, _))) => Err(difference(&new, &old)),
        None => Err(difference(found, &sample.bytes)),
    }
}

fn is_same(found: &Outcome, expected: &[u8]) -> Result<(), String> {
    let found = found.as_ref().map_err(Clone::clone)?;
    if found == expected { Ok(()) } else { Err(difference(found, expected)) }
}

fn difference(new: &[u8], old: &[u8]) -> String {
    let at = new.iter().zip(old).position(|(new, old)| new != old);
    let at = at.unwrap_or_else(|| new.len().min(old.len()));
    let near = |bytes: &[u8]| {
        let start = (at & !3).saturating_sub(8).min(bytes.len());
        corpus::to_hex(&bytes[start..bytes.len().min(start + 40)])
    };
    let (lens, near) = ((old.len(), new.len()), (near(old), near(new)));
    format!("{} bytes became {}, other at byte {at}: {} became {}", lens.0, lens.1, near.0, near.1)
}

/// The arguments of a command that writes values of the sample but does not read its file.
fn alone(sample: &Sample) -> CommonArgs {
    CommonArgs { skip: 0, dialect: Some(sample.dialect()), ..sample.common.clone() }
}

#[test]
fn exact_json_is_the_file() {
    hold("json --form exact | from-json, also with --like", 400, |bench, sample| {
        let json = bench.put("middle", sample.json.as_bytes());
        is_same(&Bench::run(&from_json(&json, None), &alone(sample)), &sample.alone())?;
        let file = bench.put("file", &sample.bytes);
        is_sample(&Bench::run(&from_json(&json, Some(&file)), &sample.common), sample)?;
        Ok(1)
    });
}

#[test]
fn what_is_sound_is_salvaged_as_it_is() {
    hold("salvage", 400, |bench, sample| {
        let file = bench.put("file", &sample.bytes);
        is_sample(&Bench::run(&salvage(&file), &sample.common), sample)?;
        Ok(1)
    });
}

type Back = fn(&Path, Option<&Path>, FramingArg) -> Verb;

/// Whether a printed form, read with `--like`, gives the file.
fn is_like(bench: &Bench, sample: &Sample, printed: &[u8], back: Back) -> Result<(), String> {
    let (file, middle) = (bench.put("file", &sample.bytes), bench.put("middle", printed));
    let verb = back(&middle, Some(&file), FramingArg::Auto);
    is_sample(&Bench::run(&verb, &sample.common), sample)
}

/// Whether a printed form, read without `--like`, gives the values of the file.
fn is_alone(bench: &Bench, sample: &Sample, printed: &[u8], back: Back) -> Result<(), String> {
    let verb = back(&bench.put("middle", printed), None, sample.framing());
    is_same(&Bench::run(&verb, &alone(sample)), &sample.alone())
}

#[test]
fn flat_lines_are_the_file() {
    hold_but_for_exceptions("flatten --like", |bench, sample| {
        is_like(bench, sample, sample.flat(bench)?, unflatten)
    });
}

#[test]
fn flat_lines_are_the_values() {
    hold_but_for_exceptions("flatten", |bench, sample| {
        // The lines of settings contain names, so they can be read only with `--like`.
        if sample.is_of_settings() {
            return Ok(());
        }
        is_alone(bench, sample, sample.flat(bench)?, unflatten)
    });
}

#[test]
fn text_is_the_file() {
    hold_but_for_exceptions("text --like", |bench, sample| {
        is_like(bench, sample, sample.text(bench)?, from_text)
    });
}

#[test]
fn text_is_the_values() {
    hold_but_for_exceptions("text", |bench, sample| {
        is_alone(bench, sample, sample.text(bench)?, from_text)
    });
}

/// Checks a law with all samples. A sample may break the law only if it has a property in
/// `corpus/text-exceptions.json`. With `VARIANT_RECORDS=all`, also checks that each property is needed: some sample
/// that breaks the law has no other property in the list.
fn hold_but_for_exceptions(verb: &str, check: impl Fn(&Bench, &Sample) -> Result<(), String>) {
    let mut listed = Exceptions::of_corpus().unwrap().round_trips;
    listed.retain(|one_way| one_way.verbs.iter().any(|of| of == verb));
    let (bench, mut held, mut excused) = (Bench::new(), 0, 0);
    let (mut broken, mut needed) = (Vec::new(), BTreeSet::new());
    for sample in samples() {
        let Err(why) = check(&bench, sample) else {
            held += 1;
            continue;
        };
        let found: BTreeSet<_> = sample.documents().iter().flat_map(exceptional).collect();
        let why_not: Vec<_> =
            listed.iter().map(|listed| &*listed.what).filter(|what| found.contains(what)).collect();
        match why_not[..] {
            [] => broken.push(format!("{} ({found:?}): {why}", sample.name)),
            [only] => _ = needed.insert(only),
            _ => {}
        }
        excused += 1;
    }
    println!("{verb}: held by {held}, {excused} are excused");
    assert!(
        broken.is_empty(),
        "{verb}: {}:\n{}",
        broken.len(),
        broken[..broken.len().min(60)].join("\n")
    );
    assert!(held > 300, "{held}");
    if !corpus::are_all() {
        return;
    }
    let is_idle = |one_way: &&OneWay| !needed.contains(&*one_way.what);
    let idle: Vec<_> = listed.iter().filter(is_idle).map(|one_way| &one_way.what).collect();
    assert!(idle.is_empty(), "{verb}: nothing needs the exceptions of {idle:?}");
}

pub(crate) const OTHERS: &str = "bytes that no engine writes";

/// The properties of a value that text does not always preserve.
pub(crate) fn exceptional(document: &Document<'_>) -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    let options = document.options().profile(Profile::Canonical);
    if Document::new(document.bytes(), options).validate().is_err() {
        found.insert(OTHERS);
    }
    for event in document.walk() {
        if let Event::Leaf(node) | Event::Enter(node) = event.unwrap() {
            found.extend(exception_of(&node.view));
            found.extend(width_of(&node.view));
            found.extend(is_key(&node).then(|| exception_of_key(&node.view)).flatten());
            found.extend((node.depth >= 1_024).then_some("more than 1,024 levels"));
        }
    }
    found
}

fn is_key(node: &Node<'_>) -> bool {
    matches!(node.role(), Role::Key(_))
}

/// The property that prevents a step of a path from expressing a key. `None` if a step can express it.
fn exception_of_key(key: &VariantView<'_>) -> Option<&'static str> {
    match key {
        VariantView::String(text) | VariantView::StringName(text)
            if text.engine_bytes() != text.as_bytes() =>
        {
            Some("keys with a NUL or a byte order mark")
        }
        VariantView::StringName(name) if KeyRule::of(name.dialect()).has_one_text_key() => {
            Some("keys that are StringNames")
        }
        _ => None,
    }
}

/// The property of a value with the flag for reals of 64 bits.
fn width_of(view: &VariantView<'_>) -> Option<&'static str> {
    let is_of_reals = view.kind().shape().is_some_and(|of| of.number == NumberType::Real);
    let flags = view.raw_bytes().ok()?.get(2)?;
    (is_of_reals && flags & 1 != 0).then_some("reals of 64 bits")
}

fn exception_of(view: &VariantView<'_>) -> Option<&'static str> {
    use VariantView as V;
    let is_text = |bytes: &[u8]| std::str::from_utf8(bytes).is_ok();
    match view {
        V::String(text) | V::StringName(text) if !is_text(text.as_bytes()) => {
            Some("texts that are not UTF-8")
        }
        V::Array(array) => exception_of_type(array.element_type()),
        V::Dictionary(pairs) => {
            exception_of_type(pairs.key_type()).or(exception_of_type(pairs.value_type()))
        }
        V::PackedStringArray(all) if !all.iter().all(|text| is_text(text.as_bytes())) => {
            Some("texts that are not UTF-8")
        }
        V::Signal(_) => Some("Signal"),
        V::Rid(_) => Some("RID"),
        V::NodePath(_) => Some("NodePath"),
        V::Object(object) if object.class().is_some() => Some("Object"),
        V::Object(object) if object.id().is_some() => Some("Object by id"),
        V::Float(float) if float.value().is_nan() => Some("NaN"),
        view => view.numbers().is_some_and(|all| all.iter().any(is_nan)).then_some("NaN"),
    }
}

fn exception_of_type(declared: ElementType<StrView<'_>>) -> Option<&'static str> {
    let (ElementType::Class(name) | ElementType::Script(name)) = declared else { return None };
    std::str::from_utf8(name.as_bytes()).is_err().then_some("texts that are not UTF-8")
}

fn is_nan(number: Number) -> bool {
    match number {
        Number::Int(_) => false,
        Number::Float32(bits) => f32::from_bits(bits).is_nan(),
        Number::Float64(bits) => f64::from_bits(bits).is_nan(),
    }
}
