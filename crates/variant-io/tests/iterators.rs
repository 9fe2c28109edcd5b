//! Adapters do not hide damage: `nth`, `skip` and `step_by` of frames, settings and values find an error wherever
//! `next` finds an error.

use variant_io::{ByteOrder, Framing, frames, settings, validate_documents, validate_frames};
use variant_testkit::adapters::hides_nothing;
use variant_testkit::made;
use variant_testkit::random::Random;
use variant_view::Dialect;

const ORDERS: [ByteOrder; 2] = [ByteOrder::Little, ByteOrder::Big];

/// Small values of a dialect.
fn values(dialect: Dialect, count: usize) -> Vec<Vec<u8>> {
    let mut random = Random::new(u64::try_from(count).unwrap() + 7);
    (0..count).map(|_| made::value(&mut random, dialect)).collect()
}

/// Files of up to five values in each framing.
fn files() -> Vec<(Framing, Vec<u8>)> {
    let framings =
        Framing::ALL.into_iter().chain(Dialect::ALL.iter().copied().map(Framing::Sequence));
    let mut files = Vec::new();
    for framing in framings {
        for count in 0..5 {
            let dialect =
                if let Framing::Sequence(dialect) = framing { dialect } else { Dialect::Godot4 };
            let count = if framing == Framing::Bare { 1 } else { count };
            let mut writer = framing.writer();
            for (number, bytes) in values(dialect, count).iter().enumerate() {
                let name = number.to_string();
                let name = (framing == Framing::Settings).then_some(name.as_bytes());
                writer.bytes(name, bytes).unwrap();
            }
            files.push((framing, writer.finish()));
        }
    }
    files
}

/// The whole file. For each of up to 40 offsets: the file that is cut at the offset, and the file with another byte at
/// the offset.
fn variants(file: &[u8]) -> Vec<Vec<u8>> {
    let ends = (0..file.len()).step_by(1 + file.len() / 40);
    let cut = ends.clone().map(|end| file[..end].to_vec());
    let changed = ends.map(|at| {
        let mut other = file.to_vec();
        other[at] ^= 0x55;
        other
    });
    [file.to_vec()].into_iter().chain(cut).chain(changed).collect()
}

#[test]
fn adapters_find_the_damage_that_next_finds() {
    let mut damaged = [0; 3];
    for (framing, file) in files() {
        for bytes in variants(&file) {
            let place = (framing, &bytes);
            damaged[0] += usize::from(hides_nothing(framing.values(&bytes), &place));
            for order in ORDERS {
                let all = frames(&bytes, order);
                damaged[1] += usize::from(hides_nothing(all.clone(), &place));
                hides_nothing(all.max_len(9), &place);
            }
            if let Ok(all) = settings(&bytes) {
                damaged[2] += usize::from(hides_nothing(all, &place));
            }
        }
    }
    assert!(damaged.iter().all(|damaged| *damaged > 100), "{damaged:?}");
}

/// An iterator that is moved to another offset no longer returns the earlier error.
#[test]
fn a_new_start_forgets_the_error() {
    let mut all = frames(&[0, 0, 0, 0, 1], ByteOrder::Little);
    assert!(all.nth(3).unwrap().is_err());
    let mut all = all.starting_at(0);
    assert!(all.next().unwrap().is_ok() && all.next().unwrap().is_err() && all.next().is_none());
}

/// Each frame has a verdict. Skipped frames are counted like returned frames.
#[test]
fn batches_count_what_is_skipped() {
    for dialect in Dialect::ALL.iter().copied() {
        let mut documents = values(dialect, 9);
        documents[4].fill(0xee);
        let mut file = Framing::Frames(ByteOrder::Little).writer();
        for bytes in &documents {
            file.bytes(None, bytes).unwrap();
        }
        let file = file.finish();
        for n in 0..12 {
            let all = validate_frames(&file, ByteOrder::Little, dialect);
            let plain: Vec<_> = all.clone().map(|item| format!("{item:?}")).collect();
            let mut skipped = all.clone();
            let found: Vec<_> = skipped.by_ref().skip(n).map(|item| format!("{item:?}")).collect();
            assert_eq!(found, plain.get(n..).unwrap_or_default());
            assert_eq!(skipped.tally(), all.clone().finish(), "{n}");
            let all = || validate_documents(&documents, dialect);
            let plain: Vec<_> = all().collect();
            assert!(all().step_by(n + 1).eq(plain.iter().copied().step_by(n + 1)));
            let mut skipped = all();
            assert_eq!(skipped.nth(n), plain.get(n).copied());
            assert_eq!(skipped.finish(), all().finish(), "{n}");
        }
    }
}
