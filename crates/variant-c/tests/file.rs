//! Opens files of engines.

use std::ffi::CString;
use std::mem::MaybeUninit;

use variant::bytes::Text;
use variant::code::*;
use variant::file::*;
use variant::names::*;
use variant::options::Options;
use variant::value::{Summary, Value};
use variant_testkit::corpus;

use crate::calls::*;

/// Opens bytes, which outlive the file.
pub(crate) fn lent(bytes: &[u8], options: &Options) -> Outcome<Opened> {
    Opened::new(|file, error| unsafe {
        variant_file_of_bytes(bytes.as_ptr(), bytes.len(), options, file, error)
    })
}

pub(crate) fn by_path(path: &str, options: &Options) -> Outcome<Opened> {
    let path = CString::new(corpus::root().join(path).to_str().unwrap()).unwrap();
    Opened::new(|file, error| unsafe { variant_file_open(path.as_ptr(), options, file, error) })
}

pub(crate) fn file_at(file: &Opened, path: &str) -> Outcome<Value> {
    let path = CString::new(path).unwrap();
    outcome(|found, error| unsafe { variant_file_at(file.handle(), path.as_ptr(), found, error) })
}

fn count(file: &Opened) -> Outcome<u64> {
    outcome(|count, error| unsafe { variant_file_count(file.handle(), count, error) })
}

fn validate(file: &Opened) -> Outcome<Summary> {
    outcome(|summary, error| unsafe { variant_file_validate(file.handle(), summary, error) })
}

fn value(file: &Opened, number: u64) -> Outcome<Value> {
    outcome(|found, error| unsafe { variant_file_value(file.handle(), number, found, error) })
}

const SAVE: &str = "godot3/saves/rpg_save.bin";

#[test]
fn a_save_is_read_by_path() {
    let bytes = corpus::bytes(SAVE).unwrap();
    for file in [by_path(SAVE, &options()).unwrap(), lent(&bytes, &options()).unwrap()] {
        let framing = unsafe { variant_file_framing(file.handle()) };
        let dialect = unsafe { variant_file_dialect(file.handle()) };
        assert_eq!((framing, dialect), (VARIANT_FRAMING_FRAMES, VARIANT_DIALECT_GODOT3));
        assert!(unsafe { variant_file_is_certain(file.handle()) });
        assert_eq!(int(file_at(&file, "player.level").unwrap()), Ok(37));
        assert_eq!(
            string(file_at(&file, "frame 1: player.name").unwrap()).unwrap(),
            "Åsa Stormrød"
        );
        assert_eq!(count(&file), Ok(1));
        assert!(validate(&file).unwrap().values > 10_000);
        let failed = file_at(&file, "player.mana").unwrap_err();
        assert_eq!((failed.code, failed.frame), (VARIANT_ERROR_NOT_FOUND, 1));
        assert_eq!(file_at(&file, "frame 2: player").unwrap_err().code, VARIANT_ERROR_NOT_FOUND);
        assert_eq!(file_at(&file, "a[").unwrap_err().code, VARIANT_ERROR_PATH);
        assert_eq!(value(&file, 0).unwrap_err().code, VARIANT_ERROR_NOT_FOUND);
    }
}

#[test]
fn layers_are_removed_and_added() {
    let file = by_path("godot3/containers/gcpf_zstd_save.bin", &options()).unwrap();
    assert!(file_at(&file, "player.level").is_ok());
    let mut data = MaybeUninit::uninit();
    let len = outcome(|len, error| unsafe {
        variant_file_bytes(file.handle(), Some(&mut data), len, error)
    });
    let len = len.unwrap();
    let wrapped = outcome(|bytes, error| unsafe {
        variant_file_wrap(file.handle(), data.assume_init(), len, bytes, error)
    });
    let wrapped = take(wrapped.unwrap());
    assert!(wrapped.starts_with(b"GCPF"));
    let again = lent(&wrapped, &options()).unwrap();
    assert!(file_at(&again, "player.level").is_ok());
}

#[test]
fn an_encrypted_file_needs_its_password() {
    let key = variant_io::Key::from_password("hunter2");
    let plain = [8, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0];
    let encrypted = variant_io::encrypt(&plain, &key, variant_io::Encryption::Ecb);
    assert_eq!(lent(&encrypted, &options()).err().unwrap().code, VARIANT_ERROR_LOCKED);
    let wrong = Options { password: c"hunter3".as_ptr(), ..options() };
    assert_eq!(lent(&encrypted, &wrong).err().unwrap().code, VARIANT_ERROR_LAYER);
    let password = Options { password: c"hunter2".as_ptr(), ..options() };
    let file = lent(&encrypted, &password).unwrap();
    assert_eq!(int(value(&file, 1).unwrap()), Ok(7));
    let both = Options { key: plain.as_ptr(), ..password };
    assert_eq!(
        lent(&plain, &Options { key: [0; 32].as_ptr(), ..both }).err().unwrap().code,
        VARIANT_ERROR_ARGUMENT
    );
}

#[test]
fn frames_have_numbers() {
    let int_frame = |int| [8, 0, 0, 0, 2, 0, 0, 0, int, 0, 0, 0];
    let bytes = [&int_frame(5)[..], &int_frame(6), &int_frame(7), &[8, 0, 0, 0, 2]].concat();
    let settings =
        Options { framing: VARIANT_FRAMING_FRAMES, ..of_dialect(VARIANT_DIALECT_GODOT4) };
    let file = lent(&bytes[..36], &settings).unwrap();
    assert_eq!(count(&file), Ok(3));
    for number in [3, 1, 2] {
        let found = value(&file, number).unwrap();
        assert_eq!(int(found), Ok(i64::try_from(number + 4).unwrap()));
        assert_eq!(found.offset, (number - 1) * 12 + 4);
        assert_eq!(file_at(&file, &format!("frame {number}: ")).unwrap().offset, found.offset);
    }
    assert_eq!(value(&file, 4).unwrap_err().code, VARIANT_ERROR_NOT_FOUND);
    // A cut frame is an error. After a whole frame it could also be other bytes after the values, so here it is the
    // first frame.
    let cut = lent(&bytes[..10], &settings).unwrap();
    assert_eq!(count(&cut).unwrap_err().code, VARIANT_ERROR_TRUNCATED);
    let failed = validate(&cut).unwrap_err();
    assert_eq!((failed.code, failed.frame), (VARIANT_ERROR_TRUNCATED, 1));
}

#[test]
fn a_setting_has_a_name() {
    let mut writer = variant_io::SettingsWriter::new();
    writer
        .value(b"application/config/name", &"A game".into(), variant_view::Dialect::Godot4)
        .unwrap();
    let bytes = writer.finish();
    let file = lent(&bytes, &of_dialect(VARIANT_DIALECT_GODOT4)).unwrap();
    assert_eq!(string(file_at(&file, "application/config/name").unwrap()).unwrap(), "A game");
    assert_eq!(
        file_at(&file, "application/config/icon").unwrap_err().code,
        VARIANT_ERROR_NOT_FOUND
    );
    let mut data = MaybeUninit::uninit();
    let len = outcome(|len, error| unsafe {
        variant_file_name(file.handle(), 1, Some(&mut data), len, error)
    });
    let name = Text { data: unsafe { data.assume_init() }, len: len.unwrap() };
    assert_eq!(named(name).unwrap(), "application/config/name");
}

#[test]
fn what_is_not_a_file_of_values_is_refused() {
    assert_eq!(by_path("no/such/file", &options()).err().unwrap().code, VARIANT_ERROR_FILE);
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
    assert_eq!(lent(png, &options()).err().unwrap().code, VARIANT_ERROR_FORMAT);
    let skipping = Options { skip: 99, ..options() };
    assert_eq!(lent(&[0; 4], &skipping).err().unwrap().code, VARIANT_ERROR_FORMAT);
    unsafe {
        assert_eq!(variant_file_count(None, None, None), VARIANT_ERROR_ARGUMENT);
        variant_file_free(std::ptr::null_mut());
    }
}
