//! Any value that a program may build; a part of the fuzz target `arbitrary_value`.

use arbitrary::Unstructured;
use variant_owned::{
    EncodeErrorKind, EncodeOptions, Object, Precision, Text, Variant, Widths, Writer, convert,
    encode, encoded_len,
};
use variant_view::{Consumer as _, Dialect, Document, Event, Limits, Options, Reals};

use super::choice::dialect;
use crate::hostile;

/// A written value is read back whole and unchanged, or an error names the cause and the place. A writer that gets
/// the value piece by piece gives the same result, and a converted value can always be written.
pub fn check_hostile_value(data: &[u8]) {
    let Some((&choice, seed)) = data.split_first() else { return };
    let dialect = dialect(choice);
    let Ok(value) = hostile::variant(&mut Unstructured::new(seed), dialect) else { return };
    let encoding = EncodeOptions::new(dialect);
    for encoding in [
        encoding,
        encoding.widths(Widths::Canonical),
        encoding.precision(Precision::Single),
        encoding.precision(Precision::Double),
        encoding.reals(Reals::Always64),
    ] {
        check_written(&value, encoding);
    }
    check_pieces(&value, encoding);
    for &to in Dialect::ALL {
        let (converted, _) = convert(&value, to).expect("a conversion");
        let encoding = EncodeOptions::new(to).depth(10_000);
        let bytes = encode(&converted, encoding).expect("what was converted can be written");
        read_whole(&bytes, encoding);
    }
}

/// Reads all of the written bytes.
fn read_whole(bytes: &[u8], encoding: EncodeOptions) -> Variant {
    let limits = Limits::FILE.depth(encoding.depth);
    let options = Options::new(encoding.dialect).reals(encoding.reals).limits(limits);
    let document = Document::new(bytes, options);
    let summary = document.validate().expect("what is written is valid");
    assert_eq!(summary.consumed, bytes.len(), "consumed");
    check_paths(&document);
    Variant::from_document(&document).expect("what is valid")
}

/// The paths of the first values lead back to them.
fn check_paths(document: &Document<'_>) {
    let nodes = document.walk().filter_map(|event| match event {
        Ok(Event::Enter(node) | Event::Leaf(node)) => Some(node.view.offset()),
        _ => None,
    });
    for offset in nodes.take(20) {
        let path = document.path_to(offset).expect("a place in the document").to_string();
        let found = document.at(&path).map(|found| found.offset());
        assert_eq!(found, Ok(offset), "{path}");
    }
}

fn check_written(value: &Variant, encoding: EncodeOptions) {
    let bytes = match encode(value, encoding) {
        Ok(bytes) => bytes,
        Err(error) => {
            assert_eq!(encoded_len(value, encoding), Err(error.clone()), "once more");
            assert!(!error.kind().to_string().is_empty(), "the reason");
            return;
        }
    };
    assert_eq!(encoded_len(value, encoding), Ok(bytes.len()), "length");
    let read = read_whole(&bytes, encoding);
    assert_eq!(encode(&read, encoding).as_ref(), Ok(&bytes), "written again");
    let [text, wanted] = [&read, value].map(|value| format!("{value:?}"));
    let dialect = encoding.dialect;
    let keeps_widths = encoding.reals == Reals::ByFlag && encoding.precision == Precision::AsIs;
    if !keeps_widths || text == wanted {
        return;
    }
    // Godot 4 can hold everything; the others narrow numbers and drop the ids of RIDs.
    assert_ne!(dialect, Dialect::Godot4, "{text}\n{wanted}");
    let [held, wanted] =
        [&read, value].map(|value| convert(value, dialect).expect("a conversion").0);
    assert_eq!(format!("{held:?}"), format!("{wanted:?}"), "by the dialect");
}

/// Writing piece by piece gives the same bytes or the same error.
fn check_pieces(value: &Variant, encoding: EncodeOptions) {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, encoding);
    let written = write(&mut writer, value).and_then(|()| writer.finish());
    match (encode(value, encoding), written) {
        (Ok(whole), Ok(len)) => assert_eq!((whole.len(), &whole), (len, &bytes), "in pieces"),
        (Err(a), Err(b)) => {
            assert!(bytes.is_empty(), "taken back");
            // Only one of them checks a name that is too deep.
            if *a.kind() != EncodeErrorKind::TooDeep {
                assert_eq!(a.kind(), b.kind(), "in pieces");
            }
        }
        // Whoever writes the pieces must keep the keys different.
        (Err(error), Ok(_)) if matches!(error.kind(), EncodeErrorKind::SameKeys { .. }) => {}
        (whole, pieces) => panic!("{:?} as a whole, {pieces:?} in pieces", whole.err()),
    }
}

/// A value that is not written yet.
enum Left<'v> {
    Value(&'v Variant),
    Name(&'v Text),
    End,
}

fn write(writer: &mut Writer<'_>, value: &Variant) -> Result<(), variant_owned::EncodeError> {
    let mut left = vec![Left::Value(value)];
    while let Some(next) = left.pop() {
        match next {
            Left::Value(value) => begin(writer, value, &mut left)?,
            Left::Name(name) => writer.name(name)?,
            Left::End => writer.end()?,
        }
    }
    Ok(())
}

/// Opens a container and lists its contents, or writes a whole value.
fn begin<'v>(
    writer: &mut Writer<'_>,
    value: &'v Variant,
    left: &mut Vec<Left<'v>>,
) -> Result<(), variant_owned::EncodeError> {
    let Some(head) = value.head() else { return writer.value(value) };
    writer.enter(head)?;
    left.push(Left::End);
    let mut inside = Vec::new();
    if let Some(array) = value.as_array() {
        inside.extend(array.iter().map(Left::Value));
    }
    if let Some(dictionary) = value.as_dictionary() {
        let items = dictionary.iter().flat_map(|(key, value)| [key, value]);
        inside.extend(items.map(Left::Value));
    }
    if let Some(properties) = value.as_object().and_then(Object::properties) {
        let items = properties.as_slice().iter();
        inside.extend(items.flat_map(|(name, value)| [Left::Name(name), Left::Value(value)]));
    }
    left.extend(inside.into_iter().rev());
    Ok(())
}
