//! Small documents: all readers agree with the reference, and the scope reaches every kind, flag and error.

use std::collections::{BTreeSet, HashSet};
use std::mem;

use variant_testkit::corpus::one_in;
use variant_testkit::small_scope::{Documents, Part, Reason, alphabet, compare, headers};
use variant_testkit::verdicts::Generated;
use variant_view::{Dialect, Document, ErrorKind, Kind, Limits, Objects, Options};

/// A prime: each position of a document gets each of its words. `.ci/proof` compares all documents.
const STEP: usize = 2_003;

#[test]
fn all_readers_agree_on_a_sample() {
    for &dialect in Dialect::ALL {
        for part in Part::ALL {
            let compared = compare(dialect, part, 7, STEP);
            let least = Documents::new(dialect, part).len() / STEP;
            assert!(compared.documents >= u64::try_from(least).unwrap(), "{dialect} {part:?}");
            assert!(compared.cases >= compared.documents * 13, "{dialect} {part:?}");
        }
    }
}

/// The kinds whose shortest value is longer than 16 bytes.
const LONG: [Kind; 13] = [
    Kind::Rect2,
    Kind::Rect2i,
    Kind::Transform2D,
    Kind::Vector4,
    Kind::Vector4i,
    Kind::Plane,
    Kind::Quaternion,
    Kind::Aabb,
    Kind::Basis,
    Kind::Transform3D,
    Kind::Projection,
    Kind::Color,
    Kind::Image,
];

/// The errors of a decoder in this scope, and the dialects that have them.
fn errors(dialect: Dialect) -> BTreeSet<&'static str> {
    use Dialect::{Godot2, Godot4, Pandemonium5};
    let mut errors =
        BTreeSet::from(["Truncated", "UnknownType", "NegativeLength", "LimitExceeded"]);
    if dialect != Godot2 {
        // Godot 2 does not validate texts, reads old paths, and has objects without a payload.
        errors.extend(["InvalidText", "OldNodePath", "ObjectRefused"]);
    }
    if dialect == Godot4 {
        errors.insert("ElementType");
    }
    if dialect == Pandemonium5 {
        errors.insert("ElementClass");
    }
    errors
}

/// The decoder's errors that documents of the scope cannot have.
fn reason_for_absence(kind: ErrorKind) -> Option<&'static str> {
    match kind {
        ErrorKind::Unsupported { .. } => Some("only layouts of documentation pages have it"),
        ErrorKind::NotCanonical(_) => Some("the reference has no canonical profile"),
        ErrorKind::Truncated { .. }
        | ErrorKind::UnknownType { .. }
        | ErrorKind::NegativeLength { .. }
        | ErrorKind::InvalidText
        | ErrorKind::OldNodePath
        | ErrorKind::ElementType { .. }
        | ErrorKind::ElementClass { .. }
        | ErrorKind::ObjectRefused
        | ErrorKind::LimitExceeded { .. } => None,
        _ => Some("only accessors of values and readers of paths have it"),
    }
}

/// What the documents of a dialect reach.
#[derive(Default)]
struct Reached {
    accepted: BTreeSet<Kind>,
    headers: BTreeSet<u32>,
    errors: BTreeSet<String>,
}

impl Reached {
    fn read(&mut self, bytes: &[u8], options: Options) {
        match Document::new(bytes, options).validate() {
            Ok(_) => {
                let root = Document::new(bytes, options).root().unwrap();
                self.accepted.insert(root.kind());
                self.headers.insert(u32::from_le_bytes(*bytes.first_chunk().unwrap()));
            }
            Err(error) => {
                assert_eq!(reason_for_absence(error.kind()), None, "{error}");
                let name = format!("{:?}", error.kind());
                let name = name.split(|c: char| !c.is_alphanumeric()).next().unwrap();
                self.errors.insert(name.to_owned());
            }
        }
    }
}

/// Reads some of the short documents, and those of the pairs whose further bytes are 0: every header, and every word
/// after it.
fn reached(dialect: Dialect) -> Reached {
    let mut reached = Reached::default();
    let engine = Options::engine(dialect);
    let documents = Documents::new(dialect, Part::Short);
    for index in (0..documents.len()).step_by(29) {
        let bytes = documents.get(index);
        reached.read(&bytes, engine);
        if index % 101 == 0 {
            reached.read(&bytes, engine.objects(Objects::Refuse));
            reached.read(&bytes, engine.limits(Limits::ENGINE.values(0)));
        }
    }
    let letters = alphabet(dialect);
    for header in headers(dialect) {
        for letter in &letters {
            let bytes = [header, letter.word, 0, 0].map(u32::to_le_bytes);
            for len in [8, 12, 16] {
                reached.read(&bytes.as_flattened()[..len], engine);
            }
        }
    }
    reached
}

#[test]
fn the_scope_reaches_every_kind_flag_and_error() {
    for &dialect in Dialect::ALL {
        let reached = reached(dialect);
        let short = |kind: &Kind| !LONG.contains(kind);
        let kinds: BTreeSet<_> = dialect.kinds().iter().copied().filter(short).collect();
        assert_eq!(reached.accepted, kinds, "{dialect}");
        let expected: BTreeSet<_> = errors(dialect).into_iter().map(str::to_owned).collect();
        assert_eq!(reached.errors, expected, "{dialect}");
        for kind in kinds {
            let id = u32::from(dialect.id(kind).unwrap());
            for flags in flags(dialect, kind) {
                assert!(reached.headers.contains(&(flags << 16 | id)), "{dialect} {kind} {flags}");
            }
        }
    }
}

/// The flags with which a value of this kind has at most 16 bytes.
fn flags(dialect: Dialect, kind: Kind) -> std::ops::Range<u32> {
    match kind {
        _ if dialect == Dialect::Godot2 => 0..1,
        Kind::Vector2 | Kind::Vector3 if dialect == Dialect::Godot4 => 0..1,
        _ => 0..16,
    }
}

#[test]
fn the_alphabet_has_each_word_once_and_all_reasons() {
    for &dialect in Dialect::ALL {
        let letters = alphabet(dialect);
        let words: BTreeSet<u32> = letters.iter().map(|letter| letter.word).collect();
        assert_eq!(words.len(), letters.len(), "{dialect}");
        assert!((0..=9).all(|length| words.contains(&length)), "{dialect}");
        for kind in dialect.kinds() {
            let is_header = |reason| matches!(reason, Reason::Type(own) if own == *kind);
            assert!(letters.iter().any(|letter| is_header(letter.reason)), "{dialect} {kind}");
        }
        for reason in
            [Reason::UnknownType, Reason::OtherBits, Reason::Edge, Reason::HighBit, Reason::Bytes]
        {
            assert!(letters.iter().any(|letter| letter.reason == reason), "{dialect} {reason:?}");
        }
    }
}

/// `Documents` builds each document of the scope from its index: none is missing, and none occurs twice.
#[test]
fn an_index_is_a_document() {
    for part in Part::ALL {
        let documents = Documents::new(Dialect::Pandemonium5, part);
        let longest = if part == Part::Short { 12 } else { 16 };
        // The first documents have few words, so all pairs of neighbours differ.
        let first: Vec<_> = (0..30_000).map(|index| documents.get(index)).collect();
        assert_eq!(first.iter().collect::<BTreeSet<_>>().len(), first.len(), "{part:?}");
        assert_eq!(documents.get(documents.len() - 1).len(), longest, "{part:?}");
    }
}

#[test]
fn decoder_and_reference_have_one_verdict_on_generated_documents() {
    let (mut accepted, mut errors) = (0, HashSet::new());
    let count = 200_000 / one_in(10);
    for judged in Generated::new(0x5eed).take(count) {
        assert_eq!(judged.decoder, judged.reference, "{judged}");
        match judged.decoder {
            Ok(_) => accepted += 1,
            Err((kind, _)) => {
                errors.insert(mem::discriminant(&kind.expect("an error of the decoder")));
            }
        }
    }
    assert!(accepted > count / 4 && accepted < count * 3 / 4, "{accepted} of {count} are accepted");
    // Truncated, unknown type, negative length, text, old path, element type.
    assert!(errors.len() >= 6, "{} kinds of errors", errors.len());
}
