//! Selects values by paths, and reads rows.

use std::ffi::CString;
use std::mem::MaybeUninit;

use variant::code::*;
use variant::rows::*;
use variant::select::*;
use variant::value::Value;
use variant_testkit::corpus;

use crate::calls::*;
use crate::file::{file_at, lent};

/// The path, the frame and the value of each match.
fn select(file: &Opened, path: &str) -> Outcome<Vec<(String, u64, Value)>> {
    let path = CString::new(path).unwrap();
    let selection = outcome(|selection, error| unsafe {
        variant_file_select(file.handle(), path.as_ptr(), selection, error)
    })?;
    let mut all = Vec::new();
    loop {
        let mut found = MaybeUninit::<Match>::uninit();
        let code = unsafe { variant_selection_next(selection.as_mut(), Some(&mut found), None) };
        if code != VARIANT_OK {
            assert_eq!(code, VARIANT_END);
            break;
        }
        let Match { value, frame, path } = unsafe { found.assume_init() };
        all.push((named(path).unwrap(), frame, value));
    }
    unsafe { variant_selection_free(selection) };
    Ok(all)
}

#[test]
#[cfg_attr(miri, ignore = "reads a megabyte of the corpus")]
fn a_path_selects_many_values_and_each_has_its_path() {
    let bytes = corpus::bytes("godot3/saves/rpg_save.bin").unwrap();
    let file = lent(&bytes, &options()).unwrap();
    let all = select(&file, "player.*").unwrap();
    assert_eq!(all.len(), 11);
    for (path, frame, value) in &all {
        assert_eq!(*frame, 1);
        assert_eq!(file_at(&file, path).unwrap().offset, value.offset, "{path}");
    }
    assert_eq!(select(&file, "player.mana").unwrap().len(), 0);
    assert_eq!(select(&file, "player[").unwrap_err().code, VARIANT_ERROR_PATH);
}

#[test]
fn a_path_selects_in_each_frame() {
    let bytes = frames(&["{\"hp\": 7}", "{\"hp\": 8}", "{}"]);
    let file = lent(&bytes, &framed()).unwrap();
    let found = select(&file, "hp").unwrap();
    let found: Vec<_> =
        found.into_iter().map(|(path, frame, value)| (path, frame, int(value))).collect();
    assert_eq!(found, [("hp".to_owned(), 1, Ok(7)), ("hp".to_owned(), 2, Ok(8))]);
    assert_eq!(select(&file, "frame 2: ..hp").unwrap().len(), 1);
    assert_eq!(select(&file, "").unwrap()[2].0, "(root)");
    let cut = lent(&bytes[..bytes.len() - 4], &framed());
    let cut = cut.and_then(|cut| select(&cut, "hp"));
    assert!(cut.is_err() || cut.unwrap().len() == 2);
}

struct Table(*mut Rows);

impl Drop for Table {
    fn drop(&mut self) {
        unsafe { variant_rows_free(self.0) };
    }
}

fn rows(file: &Opened, paths: &[&str]) -> Outcome<Table> {
    let paths: Vec<_> = paths.iter().map(|path| CString::new(*path).unwrap()).collect();
    let paths: Vec<_> = paths.iter().map(|path| path.as_ptr()).collect();
    let rows = outcome(|rows, error| unsafe {
        let file = std::ptr::from_ref(file.handle().unwrap());
        variant_file_rows(file, paths.as_ptr(), paths.len(), rows, error)
    });
    rows.map(Table)
}

fn next<const N: usize>(rows: &Table) -> Outcome<(u64, [Option<i64>; N])> {
    let mut values = MaybeUninit::<[Value; N]>::uninit();
    let frame = outcome(|frame, error| unsafe {
        variant_rows_next(rows.0.as_mut(), values.as_mut_ptr().cast(), N, frame, error)
    })?;
    let values = unsafe { values.assume_init() };
    Ok((frame, values.map(|value| (!value.bytes.is_null()).then(|| int(value).unwrap()))))
}

#[test]
fn the_items_of_each_frame_are_rows() {
    let bytes = frames(&["{\"id\": 9, \"items\": [{\"n\": 5}, {}]}", "{\"id\": 8}"]);
    let file = lent(&bytes, &framed()).unwrap();
    let rows = rows(&file, &["id", "items[*].n"]).unwrap();
    assert_eq!(next(&rows), Ok((1, [Some(9), Some(5)])));
    assert_eq!(next(&rows), Ok((1, [Some(9), None])));
    assert_eq!(next(&rows), Ok((2, [Some(8), None])));
    for _ in 0..2 {
        let code = unsafe {
            let mut values = MaybeUninit::<[Value; 2]>::uninit();
            variant_rows_next(rows.0.as_mut(), values.as_mut_ptr().cast(), 2, None, None)
        };
        assert_eq!(code, VARIANT_END);
    }
}

#[test]
fn damage_ends_the_rows_with_its_frame() {
    let mut bytes = frames(&["{\"id\": 9}", "{\"id\": 8}"]);
    let kind = bytes.len() - 8;
    bytes[kind] = 99;
    let file = lent(&bytes, &framed()).unwrap();
    let rows = rows(&file, &["id"]).unwrap();
    assert_eq!(next(&rows), Ok((1, [Some(9)])));
    let failed = next::<1>(&rows).unwrap_err();
    assert_eq!((failed.code, failed.frame), (VARIANT_ERROR_MALFORMED, 2));
    assert!(failed.offset >= u64::try_from(kind).unwrap() - 4, "{failed:?}");
    let mut value = MaybeUninit::<Value>::uninit();
    let code = unsafe { variant_rows_next(rows.0.as_mut(), value.as_mut_ptr(), 1, None, None) };
    assert_eq!(code, VARIANT_END);
}

#[test]
fn paths_that_make_no_rows_are_refused() {
    let bytes = frames(&["{}"]);
    let file = lent(&bytes, &framed()).unwrap();
    let failed = rows(&file, &["id", "..hp"]).err().unwrap();
    assert_eq!(failed.code, VARIANT_ERROR_PATH);
    assert!(failed.message.starts_with("path 2: "), "{failed:?}");
    let rows = rows(&file, &["id"]).unwrap();
    assert_eq!(next::<2>(&rows).unwrap_err().code, VARIANT_ERROR_ARGUMENT);
}
