//! Any value that a program may build; a part of the fuzz target `arbitrary_value`.

use arbitrary::Unstructured;
use variant_owned::{
    EncodeErrorKind, EncodeOptions, Object, Precision, Text, Variant, Widths, Writer, convert,
    encode, encoded_len,
};
use variant_view::{Consumer as _, Dialect, Document, Limits, Options, Reals};

use super::choice::dialect;
use crate::exercise::check_paths;
use crate::{hostile, values};

/// Checks that a written value is read back whole and unchanged, or that an error names the cause and the place.
/// Writing the value piece by piece must give the same result. A converted value must always be writable.
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
        check_written_or_refused(&value, encoding);
    }
    check_pieces(&value, encoding);
    for &to in Dialect::ALL {
        let (converted, _) = convert(&value, to).expect("a conversion");
        let encoding = EncodeOptions::new(to).depth(10_000);
        let bytes = encode(&converted, encoding).expect("what was converted can be written");
        read_whole(&bytes, encoding);
    }
}

/// Reads the written bytes, which must be one whole value.
fn read_whole(bytes: &[u8], encoding: EncodeOptions) -> Variant {
    let limits = Limits::FILE.depth(encoding.depth);
    let options = Options::engine(encoding.dialect).reals(encoding.reals).limits(limits);
    let document = Document::new(bytes, options);
    let summary = document.validate().expect("what is written is valid");
    assert_eq!(summary.consumed, bytes.len(), "consumed");
    check_paths(&document, 20);
    Variant::from_document(&document).expect("what is valid")
}

/// Writes a value that the dialect can express, and reads it back whole. Writing the value that was read must give the
/// same bytes.
pub(super) fn check_written(value: &Variant, encoding: EncodeOptions) -> (Vec<u8>, Variant) {
    let bytes = encode(value, encoding).expect("the dialect can hold it");
    assert_eq!(encoded_len(value, encoding), Ok(bytes.len()), "length");
    let read = read_whole(&bytes, encoding);
    assert_eq!(encode(&read, encoding).as_ref(), Ok(&bytes), "written again");
    (bytes, read)
}

fn check_written_or_refused(value: &Variant, encoding: EncodeOptions) {
    if let Err(error) = encode(value, encoding) {
        assert!(!error.kind().to_string().is_empty(), "the reason");
        assert_eq!(encoded_len(value, encoding), Err(error), "once more");
        return;
    }
    let (_, read) = check_written(value, encoding);
    let [text, wanted] = [&read, value].map(|value| format!("{value:?}"));
    let dialect = encoding.dialect;
    let keeps_widths = encoding.reals == Reals::ByFlag && encoding.precision == Precision::AsIs;
    if !keeps_widths || text == wanted {
        return;
    }
    // Godot 4 can express every value, so a difference is an error. The other engines narrow numbers and drop the
    // ids of RIDs.
    assert_ne!(dialect, Dialect::Godot4, "{text}\n{wanted}");
    let [held, wanted] =
        [&read, value].map(|value| convert(value, dialect).expect("a conversion").0);
    assert_eq!(format!("{held:?}"), format!("{wanted:?}"), "by the dialect");
}

/// Checks that writing piece by piece gives the same bytes or the same error.
fn check_pieces(value: &Variant, encoding: EncodeOptions) {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, encoding);
    let written = write(&mut writer, value).and_then(|()| writer.finish());
    match (encode(value, encoding), written) {
        (Ok(whole), Ok(len)) => assert_eq!((whole.len(), &whole), (len, &bytes), "in pieces"),
        (Err(a), Err(b)) => {
            assert!(bytes.is_empty(), "taken back");
            // Only one of the two writers checks the name of a property that is too deep, so the errors may differ.
            if *a.kind() != EncodeErrorKind::TooDeep {
                assert_eq!(a.kind(), b.kind(), "in pieces");
            }
        }
        // Only a whole value is checked for equal keys. A caller that writes pieces must avoid equal keys.
        (Err(error), Ok(_)) if matches!(error.kind(), EncodeErrorKind::SameKeys { .. }) => {}
        (whole, pieces) => panic!("{:?} as a whole, {pieces:?} in pieces", whole.err()),
    }
}

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

/// Writes a leaf. Otherwise opens the container and lists its contents.
fn begin<'v>(
    writer: &mut Writer<'_>,
    value: &'v Variant,
    left: &mut Vec<Left<'v>>,
) -> Result<(), variant_owned::EncodeError> {
    let Some(head) = value.head() else { return writer.value(value) };
    writer.enter(head)?;
    left.push(Left::End);
    match value.as_object().and_then(Object::properties) {
        Some(properties) => {
            for (name, value) in properties.as_slice().iter().rev() {
                left.extend([Left::Value(value), Left::Name(name)]);
            }
        }
        None => left.extend(values::inside(value).into_iter().rev().map(Left::Value)),
    }
    Ok(())
}
