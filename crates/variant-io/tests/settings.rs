//! Settings files that engines compiled, read and written.

use variant_io::{ECFG_MAGICS, Setting, SettingsWriter, settings};
use variant_owned::Variant;
use variant_view::{Dialect, Objects, Options};

/// The settings as Godot 3.2.3 compiled them.
#[test]
fn an_engine_s_file() {
    let file = std::fs::read("../../corpus/godot3/saves/project.binary").unwrap();
    let all: Vec<_> = settings(&file).unwrap().map(Result::unwrap).collect();
    let names: Vec<_> = all.iter().map(Setting::name).collect();
    let expected = [
        "application/config/name",
        "display/window/size/width",
        "display/window/size/height",
        "global/typed",
        "global/table",
        "global/path",
        "global/big",
    ];
    assert_eq!(names, expected);
    assert!(all.iter().all(|setting| setting.document(Dialect::Godot3).validate().is_ok()));
    let big = all.last().unwrap().document(Dialect::Godot3);
    assert_eq!(big.root().unwrap().as_i64(), Ok(1 << 40));
}

/// Files of the engines are written again in two ways: from the bytes of their values, and from decoded values.
#[test]
fn an_engine_s_file_is_written_byte_for_byte() {
    let mut magics = Vec::new();
    for dialect in Dialect::ALL.iter().copied().filter(|&dialect| dialect != Dialect::Godot2) {
        let file = std::fs::read(format!("../../corpus/{dialect}/saves/project.binary"));
        let file = file.unwrap();
        let all = settings(&file).unwrap();
        let magic = all.magic();
        for setting in all.clone().map(Result::unwrap) {
            let place = setting.start()..setting.start() + setting.bytes().len();
            assert_eq!(&file[place], setting.bytes(), "{dialect}");
        }
        let mut verbatim = SettingsWriter::new().magic(magic);
        let mut encoded = verbatim.clone();
        for setting in all.map(Result::unwrap) {
            verbatim.bytes(setting.name_bytes(), setting.bytes()).unwrap();
            let document = setting.document(Options::engine(dialect).objects(Objects::Accept));
            let value = Variant::from_document(&document).unwrap();
            encoded.value(setting.name_bytes(), &value, dialect).unwrap();
        }
        assert!(verbatim.count() >= 7, "{dialect}");
        assert_eq!(verbatim.finish(), file, "{dialect}");
        assert_eq!(encoded.finish(), file, "{dialect}");
        magics.push(magic);
    }
    assert!(ECFG_MAGICS.iter().all(|magic| magics.contains(magic)), "{magics:?}");
}

#[test]
fn a_writer_has_no_settings_by_default() {
    let file = SettingsWriter::default().finish();
    assert_eq!(file, b"ECFG\0\0\0\0");
    assert_eq!(settings(&file).unwrap().count(), 0);
}
