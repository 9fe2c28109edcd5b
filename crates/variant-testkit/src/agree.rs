//! Compares all readers of bytes with the [reference](mod@crate::reference): lazy views, the walk, visitors,
//! validation, owned values.

mod content;
mod found;
#[cfg(feature = "alloc")]
mod tree;

use std::collections::BTreeMap;
use std::fmt;
use std::thread;

#[cfg(feature = "alloc")]
use variant_owned::Variant;
use variant_view::{Document, ErrorKind, Kind, Limit, Limits, Objects, Options, Part, Reals};

use crate::reference::{self, Content, Event, Fault, Reading, Role, Rules, Summary};
use found::Found;

/// The error is the first difference between the reference and another reader.
type Agreed = Result<(), String>;

/// Reads `bytes` in every possible way.
///
/// # Panics
/// If two ways differ in the events, in the bytes consumed, in the first error, or in the offset of the error.
pub fn check_agree(bytes: &[u8], options: Options) {
    if let Err(difference) = compare(bytes, options) {
        panic!("{difference}\n  {options:?}\n  {bytes:02x?}");
    }
}

/// Works as [`check_agree`], but returns the difference. Always uses the engine's profile, and at most 16,384 levels.
fn compare(bytes: &[u8], mut options: Options) -> Agreed {
    options.profile = variant_view::Profile::Engine;
    options.limits.depth = options.limits.depth.min(DEEPEST);
    // Each level takes at least 8 bytes.
    let levels = usize::try_from(options.limits.depth).unwrap_or(usize::MAX).min(bytes.len() / 8);
    if levels < 64 {
        return compare_here(bytes, options);
    }
    let stack = levels.saturating_mul(STACK_OF_A_LEVEL).saturating_add(1 << 20);
    thread::scope(|scope| {
        let spawned = thread::Builder::new()
            .stack_size(stack)
            .spawn_scoped(scope, || compare_here(bytes, options));
        match spawned.map(thread::ScopedJoinHandle::join) {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(error) => differ("a stack", &"room", &error),
        }
    })
}

/// The maximum depth, since the reference and lazy iteration recurse.
const DEEPEST: u32 = 16_384;
/// The maximum depth for lazy iteration. Nested iterators read the same bytes once for each level above, which takes
/// too long in deeper values.
const DEEPEST_LAZY: u32 = 128;
const STACK_OF_A_LEVEL: usize = 16 << 10;

fn compare_here(bytes: &[u8], options: Options) -> Agreed {
    let document = Document::new(bytes, options);
    let rules = rules(&options);
    let walked = reference::read(bytes, Rules { check_text: false, ..rules });
    check("walk", &walked, &found::walk(&document))?;
    check_visited(&walked, &found::visit(&document), rules.values)?;
    if walked.deepest() <= DEEPEST_LAZY {
        let unlimited = Rules { check_text: false, bytes: u64::MAX, values: u64::MAX, ..rules };
        let lazy = reference::read(bytes, unlimited);
        check_lazy(&lazy, &found::lazy(&document))?;
        #[cfg(feature = "alloc")]
        check_tree(
            "owned, of a view",
            &lazy,
            document.root().and_then(|v| Variant::from_view(&v)),
        )?;
    }
    let validated = reference::read(bytes, Rules { check_text: true, ..rules });
    check_outcome("validation", validated.outcome, document.validate().map(found::summary))?;
    #[cfg(feature = "alloc")]
    check_tree("owned, of a document", &walked, Variant::from_document(&document))?;
    Ok(())
}

/// Converts the options for the reference.
fn rules(options: &Options) -> Rules {
    let room = if cfg!(feature = "alloc") { u32::MAX } else { Limits::MAX_DEPTH_NO_ALLOC };
    Rules {
        dialect: options.dialect,
        always_wide: options.reals == Reals::Always64,
        refuse_objects: options.objects == Objects::Refuse,
        check_text: true,
        depth: options.limits.depth.min(room),
        bytes: options.limits.bytes,
        values: options.limits.values,
    }
}

fn check(side: &str, expected: &Reading<'_>, found: &Found<'_>) -> Agreed {
    check_events(side, &expected.events, &found.events)?;
    check_outcome(side, expected.outcome, found.outcome)
}

fn check_events(side: &str, expected: &[Event<'_>], found: &[Event<'_>]) -> Agreed {
    let same = expected.iter().zip(found).take_while(|(expected, found)| expected == found).count();
    match (expected.get(same), found.get(same)) {
        (None, None) => Ok(()),
        (expected, found) => differ(side, &expected, &found),
    }
}

/// Compares the events of a visitor. A visitor may see fewer events if containers claim more values than the limit.
fn check_visited(expected: &Reading<'_>, found: &Found<'_>, limit: u64) -> Agreed {
    let seen = if asked_for(&expected.events) > limit { found.events.len() } else { usize::MAX };
    let events = expected.events.get(..seen).unwrap_or(&expected.events);
    check_events("visit", events, &found.events)?;
    check_outcome("visit", expected.outcome, found.outcome)
}

/// The number of values that the containers claim.
fn asked_for(events: &[Event<'_>]) -> u64 {
    let claims = events.iter().map(|event| match event {
        Event::Enter(node) => match node.content {
            Content::Container(count, ..) if node.kind == Kind::Dictionary => u64::from(count) << 1,
            Content::Container(count, ..) | Content::Class(_, count) => count.into(),
            _ => 0,
        },
        _ => 0,
    });
    claims.fold(1, u64::saturating_add)
}

/// Compares the events of lazy iterators. They return whole pairs, and leave out a key whose value cannot be read.
fn check_lazy(expected: &Reading<'_>, found: &Found<'_>) -> Agreed {
    let seen = first_lone_key(&expected.events).unwrap_or(expected.events.len());
    check_events("lazy views", expected.events.get(..seen).unwrap_or_default(), &found.events)?;
    check_outcome("lazy views", expected.outcome, found.outcome)
}

/// The index of the first event of a key without a value.
fn first_lone_key(events: &[Event<'_>]) -> Option<usize> {
    let mut lone = BTreeMap::new();
    for (place, event) in events.iter().enumerate() {
        if let Event::Enter(node) | Event::Leaf(node, _) = event {
            match node.role {
                Role::Key(_) => lone.insert(node.depth, place),
                Role::Value(_) => lone.remove(&node.depth),
                _ => None,
            };
        }
    }
    lone.into_values().min()
}

fn check_outcome(
    side: &str,
    expected: Result<Summary, reference::Error>,
    found: variant_view::Result<Summary>,
) -> Agreed {
    let expected = expected.map_err(|error| (kind_of(error.fault), error.offset));
    let found = found.map_err(|error| (Some(error.kind()), error.offset()));
    if expected == found { Ok(()) } else { differ(side, &expected, &found) }
}

fn differ(side: &str, expected: &dyn fmt::Debug, found: &dyn fmt::Debug) -> Agreed {
    Err(format!("{side}\n  expected {expected:?}\n     found {found:?}"))
}

/// Compares an owned value with the result of the reference. Both must have the same verdict and the same tree.
#[cfg(feature = "alloc")]
fn check_tree(side: &str, expected: &Reading<'_>, found: variant_view::Result<Variant>) -> Agreed {
    let value = match (expected.outcome, found) {
        (Ok(_), Ok(value)) => value,
        (outcome, found) => {
            let nothing = Summary { consumed: 0, values: 0, depth: 0 };
            return check_outcome(side, outcome.map(|_| nothing), found.map(|_| nothing));
        }
    };
    match tree::check(&expected.events, &value) {
        Ok(()) => Ok(()),
        Err(offset) => differ(side, &format!("the value at byte {offset} as it was read"), &value),
    }
}

/// The decoder's error for a fault. `None` for [`Fault::Parser`], which no error of the decoder matches.
pub fn kind_of(fault: Fault) -> Option<ErrorKind> {
    Some(match fault {
        Fault::Truncated { part, needed, available } => ErrorKind::Truncated {
            part: part_of(part),
            needed: u32::try_from(needed).unwrap_or(u32::MAX),
            available: u32::try_from(available).unwrap_or(u32::MAX),
        },
        Fault::UnknownType(header) => ErrorKind::UnknownType { header },
        Fault::Negative(part, value) => ErrorKind::NegativeLength { part: part_of(part), value },
        Fault::Text => ErrorKind::InvalidText,
        Fault::OldNodePath => ErrorKind::OldNodePath,
        Fault::Unsupported(kind) => ErrorKind::Unsupported { kind },
        Fault::ElementType(id) => ErrorKind::ElementType { id },
        Fault::ElementClass(header) => ErrorKind::ElementClass { header },
        Fault::ObjectRefused => ErrorKind::ObjectRefused,
        Fault::Limit(limit) => ErrorKind::LimitExceeded { limit: limit_of(limit) },
        Fault::Parser(_) => return None,
    })
}

fn part_of(part: reference::Part) -> Part {
    match part {
        reference::Part::Header => Part::Header,
        reference::Part::Payload(kind) => Part::Payload(kind),
        reference::Part::TextLength => Part::TextLength,
        reference::Part::Text => Part::Text,
        reference::Part::Padding => Part::Padding,
        reference::Part::Count(kind) => Part::Count(kind),
        reference::Part::Elements(kind) => Part::Elements(kind),
        reference::Part::ElementType => Part::ElementType,
        reference::Part::Properties => Part::Properties,
    }
}

fn limit_of(limit: reference::Limit) -> Limit {
    match limit {
        reference::Limit::Depth => Limit::Depth,
        reference::Limit::Bytes => Limit::Bytes,
        reference::Limit::Values => Limit::Values,
    }
}
