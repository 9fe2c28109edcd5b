//! An owned document has what a borrowed one has, and keeps its bytes.

use bytes::Bytes;
use variant_testkit::corpus;
use variant_view::{Dialect, Document, Options, OwnedDocument};

/// Both ways to own the bytes of a document.
fn owned(bytes: &[u8], options: Options) -> Option<[OwnedDocument; 2]> {
    let shared = OwnedDocument::from_bytes(Bytes::copy_from_slice(bytes), options);
    let copied = OwnedDocument::new(bytes, options);
    let verdict = Document::new(bytes, options).validate().map(drop);
    assert_eq!(shared.as_ref().map(drop), verdict.as_ref().map(drop), "{bytes:x?}");
    assert_eq!(copied.as_ref().map(drop), verdict.as_ref().map(drop), "{bytes:x?}");
    Some([shared.ok()?, copied.ok()?])
}

#[test]
fn every_record_is_owned_with_its_root_its_bytes_and_its_options() {
    let mut read = 0;
    for (dialect, path) in corpus::record_files() {
        let options = Options::engine(dialect);
        for case in corpus::read_cases(&path).unwrap().iter().step_by(7) {
            let Some(all) = owned(&case.bytes, options) else { continue };
            let document = Document::new(&case.bytes, options);
            let (root, summary) = (document.root().unwrap(), document.validate().unwrap());
            for own in all {
                assert_eq!(own.view().kind(), root.kind(), "{}", case.name);
                assert_eq!(own.view().raw_bytes(), root.raw_bytes(), "{}", case.name);
                assert_eq!(own.at("").unwrap().raw_bytes(), root.raw_bytes(), "{}", case.name);
                assert_eq!((own.summary(), own.options()), (summary, &options), "{}", case.name);
                assert_eq!(own.document().validate(), Ok(summary), "{}", case.name);
                assert!(own.memory() >= 16 * usize::try_from(summary.values).unwrap());
                assert_eq!((own.as_ref(), &own.to_bytes()[..]), (&case.bytes[..], &case.bytes[..]));
                let part = own.part(&own.root()).unwrap();
                assert_eq!(Ok(&part[..]), root.raw_bytes(), "{}", case.name);
                read += 1;
            }
        }
    }
    assert!(read > 100, "{read}");
}

/// `[null, 7]`, as Godot 4 writes it.
const LIST: [u8; 20] = [28, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0];

#[test]
fn parts_are_shared_and_those_of_other_documents_are_not_parts() {
    for own in owned(&LIST, Options::server(Dialect::Godot4)).unwrap() {
        let all = own.to_bytes();
        assert_eq!(all.as_ptr(), own.bytes().as_ptr(), "shared, not copied");
        let seven = own.part(&own.root().index(1).unwrap().unwrap()).unwrap();
        assert_eq!((&seven[..], seven.as_ptr()), (&LIST[12..], own.bytes()[12..].as_ptr()));
        let other = own.clone().detach();
        assert_ne!(other.bytes().as_ptr(), own.bytes().as_ptr(), "copied");
        assert_eq!((other.bytes(), other.summary()), (own.bytes(), own.summary()));
        assert_eq!(own.part(&other.root()), None);
        assert_eq!(own.part(&own.clone().root()), Some(all.clone()), "a clone shares its bytes");
        drop(own);
        assert_eq!((&all[..], &seven[..]), (&LIST[..], &LIST[12..]), "parts outlive the document");
    }
}

#[test]
fn paths_lead_to_what_a_borrowed_document_finds() {
    for own in owned(&LIST, Options::server(Dialect::Godot4)).unwrap() {
        assert_eq!(own.at("[1]").unwrap().as_i64(), Ok(7));
        for wrong in ["[2]", "hp", "[1].hp", "["] {
            let expected = Document::new(&LIST, Dialect::Godot4).at(wrong).unwrap_err();
            assert_eq!(own.at(wrong).unwrap_err(), expected, "{wrong}");
        }
    }
}

#[test]
fn descriptions_name_the_size_and_not_the_contents() {
    let [own, _] = owned(&LIST, Options::server(Dialect::Godot4)).unwrap();
    assert_eq!(format!("{own:?}"), "OwnedDocument { bytes: 20, values: 3, .. }");
    let document = format!("{:?}", own.document());
    assert!(
        document.starts_with("Document { bytes: 20, options: Options { dialect: Godot4"),
        "{document}"
    );
    let seven = format!("{:?}", own.root().index(1).unwrap().unwrap());
    assert!(seven.starts_with("TapeValue { number: 2, values: 1, view: Int("), "{seven}");
}
