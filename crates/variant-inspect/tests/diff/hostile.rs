//! Hostile files take linear time.

use std::time::{Duration, Instant};

use super::*;
use crate::common::words;

/// Runs `diff` on hostile files. The files are small enough for linear time, and too large for quadratic time.
fn hostile(arguments: &[&str], old: &[u8], new: &[u8]) -> (Option<i32>, String) {
    let files = Folder::new();
    let (old, new) = (files.file("old", old), files.file("new", new));
    let start = Instant::now();
    let (status, told) = diff(&[&BARE, arguments].concat(), &old, &new);
    assert!(start.elapsed() < Duration::from_secs(20), "{arguments:?}: {:?}", start.elapsed());
    (status, told)
}

/// `{x: inner, y: 0}`, or the same pairs in reverse order.
fn turned(inner: &[u8], is_turned: bool) -> Vec<u8> {
    let pair = |key: u8, value: &[u8]| [&words(&[4, 1, key.into()]), value].concat();
    let (x, y) = (pair(b'x', inner), pair(b'y', &[0; 4]));
    let pairs = if is_turned { [y, x] } else { [x, y] };
    [words(&[27, 2]), pairs.concat()].concat()
}

/// At each level, the pairs of the two files are in different orders, so `diff` skips the levels inside to find a pair.
/// Skipping them again at each level would take a thousand times as long.
#[test]
fn depth_times_bytes_is_not_paid() {
    let heap = |end: u32| {
        let mut heap = words(&[28, 200_000]);
        heap.extend((0..199_999).flat_map(|n| words(&[2, n])));
        heap.extend(words(&[2, end]));
        heap
    };
    let deep = |end: u32, is_turned: bool| {
        // The bytes are built directly, since a thousand calls of `turned` would copy everything each time.
        let (mut before, mut behind) = (Vec::new(), Vec::new());
        let shell = turned(b"INNER", is_turned);
        let at = shell.windows(5).position(|part| part == b"INNER").unwrap();
        for _ in 0..1_000 {
            before.extend_from_slice(&shell[..at]);
            behind.extend_from_slice(&shell[at + 5..]);
        }
        [before, heap(end), behind].concat()
    };
    let (status, told) = hostile(&[], &deep(1, false), &deep(2, true));
    assert_eq!(status, Some(1));
    let changed = told.lines().next().unwrap();
    assert!(changed.starts_with("~ x.x.x.") && changed.ends_with("[199999]: 1 -> 2"), "{changed}");
    assert!(told.ends_with("1 changed, 1,000 containers in another order\n"));
    // The arrays of the two files have different lengths at each level, so later values are compared from the end.
    let arrays = |more: &[u32], end: u32| {
        let count = if more.is_empty() { 2 } else { 3 };
        let behind = words(&[&[2, 9], more].concat());
        [words(&[28, count]).repeat(1_000), heap(end), behind.repeat(1_000)].concat()
    };
    let (status, told) = hostile(&[], &arrays(&[], 5), &arrays(&[2, 7], 6));
    assert_eq!(status, Some(1));
    assert!(told.ends_with("1 changed, 1,000 added\n"), "{}", told.lines().last().unwrap());
}

#[test]
fn a_hundred_thousand_keys_in_another_order() {
    let keys = |count: u32, all: &mut dyn Iterator<Item = u32>| {
        let pairs = all.flat_map(|key| words(&[2, key, 2, key / 2]));
        words(&[27, count]).into_iter().chain(pairs).collect::<Vec<_>>()
    };
    let (old, new) = (keys(100_000, &mut (0..100_000)), keys(99_999, &mut (0..99_999).rev()));
    let told = "- [99999] = 49999\n1 removed, 1 container in another order\n".to_owned();
    assert_eq!(hostile(&[], &old, &new), (Some(1), told));
}

#[test]
fn equal_ids_are_matched_in_order() {
    let items = |count: u32, last: u32| {
        let (id, n) = (u32::from_le_bytes(*b"id\0\0"), u32::from(b'n'));
        let item = |last| words(&[27, 2, 4, 2, id, 2, 7, 4, 1, n, 2, last]);
        let before = item(1).repeat(usize::try_from(count - 1).unwrap());
        [words(&[28, count]), before, item(last)].concat()
    };
    let (status, told) = hostile(&["--by", "id"], &items(60_000, 1), &items(60_001, 5));
    assert_eq!((status, told.as_str()), (Some(1), "+ [?id==7] = Dictionary (2)\n1 added\n"));
    let (status, told) = hostile(&["--by", "id"], &items(60_000, 1), &items(60_000, 5));
    assert_eq!((status, told.as_str()), (Some(1), "~ [?id==7].n: 1 -> 5\n1 changed\n"));
}

/// The output contains only the ends of a long path, so the middle of the path takes no time.
#[test]
fn many_differences_deep_down() {
    let deep = |value: u32| {
        let (around, items) = (words(&[28, 1]).repeat(1_000), words(&[2, value]).repeat(30_000));
        [around, words(&[28, 30_000]), items].concat()
    };
    let (status, told) = hostile(&[], &deep(1), &deep(2));
    assert_eq!((status, told.lines().count()), (Some(1), 30_001));
    assert!(told.lines().all(|line| line.len() < 300));
    assert!(told.ends_with("[29999]: 1 -> 2\n30,000 changed\n"));
}
