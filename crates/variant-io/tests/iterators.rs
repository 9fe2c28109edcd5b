//! Adapters do not hide damage: `nth`, `skip` and `step_by` of frames, settings and values find an error wherever
//! `next` finds an error.

use variant_io::{
    AppendError, ByteOrder, EcfgPart, FramePart, Framing, Setting, ValueError, frames, settings,
    validate_documents, validate_frames,
};
use variant_owned::{Variant, array};
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

/// The values from a position on are those that the iterator has left, with their numbers and offsets.
#[test]
fn a_position_continues_where_it_was_taken() {
    let mut stops = 0;
    for (framing, file) in files() {
        for bytes in variants(&file) {
            let all: Vec<_> = framing.values(&bytes).collect();
            let mut values = framing.values(&bytes);
            for taken in 0..all.len() + 2 {
                let position = values.position();
                assert_eq!(position.offset(), values.offset());
                let mut rest = framing.values_from(&bytes, position);
                assert_eq!(rest.position(), position, "{framing} {bytes:?}");
                let left: Vec<_> = rest.by_ref().collect();
                assert_eq!(left, all.get(taken..).unwrap_or_default(), "{framing} {bytes:?}");
                values.next();
                stops += 1;
            }
        }
    }
    assert!(stops > 1_000, "{stops}");
}

/// A value is where its offset says, and the next begins after it.
#[test]
fn values_have_their_places() {
    for (framing, file) in files() {
        for bytes in variants(&file) {
            let mut values = framing.values(&bytes);
            for number in 1.. {
                let start = values.offset();
                let Some(Ok(value)) = values.next() else { break };
                assert_eq!(value.number, number);
                let end = value.start + value.bytes.len();
                assert_eq!(bytes.get(value.start..end), Some(value.bytes));
                assert_eq!(value.absolute(0), value.start);
                assert_eq!(value.absolute(3), value.start + 3);
                assert_eq!(value.name.is_some(), framing == Framing::Settings);
                let ahead = match framing {
                    Framing::Bare | Framing::Sequence(_) => 0,
                    Framing::Frames(_) => 4,
                    Framing::Settings => 8 + value.name.unwrap().len(),
                };
                assert_eq!(value.start, start + ahead);
                if framing != Framing::Bare {
                    assert_eq!(values.offset(), end);
                }
            }
        }
    }
}

/// Encoded values are read again. A value that the dialect lacks leaves the earlier values as they are.
#[test]
fn encoded_values_come_back_in_each_framing() {
    let dialect = Dialect::Godot4;
    let values = [Variant::from(7), "text".into(), array![1, Variant::Nil].into()];
    for framing in Framing::ALL.into_iter().chain([Framing::Sequence(dialect)]) {
        let name = (framing == Framing::Settings).then_some(&b"name"[..]);
        let count = if framing == Framing::Bare { 1 } else { values.len() };
        let mut writer = framing.writer();
        for value in &values[..count] {
            writer.value(name, value, dialect).unwrap();
        }
        let lacking = Variant::StringName("name".into());
        let error = writer.value(name, &lacking, Dialect::Godot2).unwrap_err();
        assert_eq!(error == AppendError::NotAlone, framing == Framing::Bare, "{framing}: {error}");
        let file = writer.finish();
        let read = framing.values(&file).map(|value| {
            let document = value.unwrap().document(dialect);
            Variant::from_document(&document).unwrap()
        });
        assert_eq!(read.collect::<Vec<_>>(), values[..count], "{framing}");
    }
}

/// The last value of a file may lack its padding. The padding is added before the next value.
#[test]
fn a_sequence_pads_its_values() {
    let mut writer = Framing::Sequence(Dialect::Godot4).writer();
    writer.bytes(None, b"\x04\0\0\0\x01\0\0\0a").unwrap();
    writer.value(None, &7.into(), Dialect::Godot4).unwrap();
    assert_eq!(writer.finish(), b"\x04\0\0\0\x01\0\0\0a\0\0\0\x02\0\0\0\x07\0\0\0");
}

/// The error of an incomplete value names the part, the bytes that it needs, and those that are left.
#[test]
fn errors_of_frames_have_their_places() {
    for order in ORDERS {
        let file = Framing::Frames(order);
        let mut writer = file.writer();
        for bytes in values(Dialect::Godot4, 5) {
            writer.bytes(None, &bytes).unwrap();
        }
        let file = writer.finish();
        for len in 0..file.len() {
            let mut all = frames(&file[..len], order);
            let whole: Vec<_> = all.by_ref().map_while(Result::ok).collect();
            for frame in &whole {
                assert_eq!(frame.start(), frame.offset() + 4);
                let end = frame.start() + frame.bytes().len();
                assert_eq!(&file[frame.start()..end], frame.as_ref());
                assert_eq!(frame.as_ref(), frame.bytes());
            }
            let start = whole.last().map_or(0, |last| last.start() + last.bytes().len());
            assert_eq!(all.offset(), start);
            let error = frames(&file[..len], order).find_map(Result::err);
            let Some(error) = error else {
                assert_eq!(start, len);
                continue;
            };
            assert!(error.is_incomplete() && error.max_len().is_none());
            assert_eq!(error.offset(), start);
            let needed = usize::try_from(error.needed()).unwrap();
            assert_eq!(error.missing(), needed - error.found());
            match error.part() {
                FramePart::Length => {
                    assert_eq!((needed, start + error.found()), (4, len));
                    assert_eq!(error.value_start(), None);
                }
                FramePart::Value => {
                    let next = frames(&file, order).starting_at(start).next().unwrap().unwrap();
                    assert_eq!((needed, next.start() + error.found()), (next.bytes().len(), len));
                    assert_eq!(error.value_start(), Some(next.start()));
                }
            }
            let value = Framing::Frames(order).values(&file[..len]).find_map(Result::err).unwrap();
            assert_eq!(value, ValueError::Frame(error));
            assert_eq!(value.to_string(), error.to_string());
            assert_eq!(
                (value.offset(), value.value_start()),
                (error.offset(), error.value_start())
            );
        }
    }
}

/// The same for settings.
#[test]
fn errors_of_settings_have_their_places() {
    let mut writer = Framing::Settings.writer();
    for (bytes, name) in values(Dialect::Godot4, 3).iter().zip(["a", "", "long"]) {
        writer.bytes(Some(name.as_bytes()), bytes).unwrap();
    }
    let file = writer.finish();
    let whole: Vec<_> = settings(&file).unwrap().map(Result::unwrap).collect();
    for len in 4..file.len() {
        let error = Framing::Settings.values(&file[..len]).find_map(Result::err).unwrap();
        let ValueError::Setting(one) = error else { panic!("{error}") };
        assert_eq!(error.to_string(), one.to_string());
        assert_eq!((error.offset(), error.value_start()), (one.offset(), one.value_start()));
        assert!(one.to_string().starts_with(&format!("byte {}: ", one.offset())), "{one}");
        assert!(one.to_string().ends_with(&format!(" {} are left", len - one.offset())), "{one}");
        // The setting whose bytes are incomplete, and the start of its value.
        let next = whole.iter().find(|setting| setting.start() + setting.bytes().len() > len);
        let expected = match one.part() {
            EcfgPart::Value => next.map(Setting::start).filter(|start| *start <= len),
            _ => None,
        };
        assert_eq!(one.value_start(), expected, "{len}: {one}");
    }
}
