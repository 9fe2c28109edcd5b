//! Seeds of campaigns, from the corpus, and the findings of campaigns.

use std::fs;
use std::io;
use std::path::PathBuf;

use variant_io::{ByteOrder, append_frame};
use variant_owned::json;
use variant_view::{Dialect, Document, Reals};

use super::choice::{choosing, dialect_byte};
use super::json::FORMS;
use super::multiplayer::{CONVERSATION, PACKET, ROW};
use super::server::scripts;
use super::{Seeds, Target};
use crate::conformance::options;
use crate::corpus;
use crate::random::Random;

/// The maximum size of a seed. Longer files slow a campaign too much.
const LONGEST: usize = 32 << 10;

/// The seeds of a target.
pub fn seeds(target: &Target) -> io::Result<Vec<Vec<u8>>> {
    let mut seeds = match target.seeds {
        Seeds::Documents => documents()?,
        Seeds::Files => files()?,
        Seeds::Carriers => [files()?, streams()?].concat(),
        Seeds::Inspected => inspected()?,
        Seeds::Literals => [literals()?, values()].concat(),
        Seeds::Json => json_texts()?,
        Seeds::Packets => packets()?,
        Seeds::Debugged => debugged()?,
        Seeds::Scripts => scripts(),
        Seeds::Calls => calls()?,
        Seeds::Choices => choices(),
    };
    seeds.sort_unstable();
    seeds.dedup();
    seeds.retain(|seed| seed.len() <= LONGEST);
    Ok(seeds)
}

/// The findings of campaigns: each file of `corpus/regressions` for the target.
pub fn regressions(target: &Target) -> io::Result<Vec<(PathBuf, Vec<u8>)>> {
    let folder = corpus::root().join("regressions").join(target.name);
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for path in corpus::files_in(&folder)? {
        found.push((path.clone(), fs::read(path)?));
    }
    Ok(found)
}

/// Every record of every engine, and of the documentation pages.
fn records() -> io::Result<Vec<(Dialect, Vec<u8>)>> {
    let mut records = Vec::new();
    for (dialect, path) in corpus::every_record_file() {
        let cases = corpus::read_cases(&path)?;
        records.extend(cases.into_iter().map(|case| (dialect, case.bytes)));
    }
    Ok(records)
}

fn documents() -> io::Result<Vec<Vec<u8>>> {
    let seed = |(dialect, bytes): (Dialect, Vec<u8>)| {
        [choosing(dialect, Reals::ByFlag).as_slice(), &bytes].concat()
    };
    Ok(records()?.into_iter().map(seed).collect())
}

/// The bytes that pick a dialect, a program that calls each function, and a record or a file.
fn calls() -> io::Result<Vec<Vec<u8>>> {
    // Each call has three bytes: a function, a value, an argument. A write with an argument from 0 to 19 appends one piece.
    let reads = [0, 1, 2, 3, 4, 5, 6, 7].map(|function| [function, 1, 0]);
    let inner = [3, 4, 5, 6].map(|function| [function, 2, 0]);
    let writes = [13, 14, 5, 2, 19, 0, 1, 3, 17, 18, 19].map(|piece| [9, 1, piece]);
    let program = [&reads[..], &inner, &writes, &[[8, 0, 0], [4, 9, 0]]].concat().concat();
    let calls = u8::try_from(program.len() / 3).unwrap_or(u8::MAX);
    let seed = |dialect: u8, bytes: &[u8]| {
        [&[dialect, 0, 0, 0, 0, 0, 0, 0, calls][..], &program, bytes].concat()
    };
    let position = |of: Dialect| Dialect::ALL.iter().position(|known| *known == of.engine());
    let dialect = |of| position(of).and_then(|at| u8::try_from(at + 1).ok()).unwrap_or(0);
    let records = records()?.into_iter().step_by(7);
    let records = records.map(|(of, bytes)| seed(dialect(of), &bytes));
    let files = files()?;
    Ok(records.chain(files.iter().map(|bytes| seed(0, bytes))).collect())
}

/// Saves, compressed and encrypted files, packets, and damaged files.
fn files() -> io::Result<Vec<Vec<u8>>> {
    let mut files = Vec::new();
    for path in corpus::files()? {
        let extension = path.extension().and_then(|text| text.to_str()).unwrap_or_default();
        let is_regression = path.components().any(|part| part.as_os_str() == "regressions");
        if ["variant", "bin", "binary", "gcpf", "gdec"].contains(&extension) && !is_regression {
            files.push(fs::read(path)?);
        }
    }
    // A few records of each engine are enough.
    files.extend(records()?.into_iter().step_by(16).map(|(_, bytes)| bytes));
    Ok(files)
}

/// Streams of frames that arrive in pieces of 8 bytes, with a limit of 64 bytes for a frame. Every second stream is
/// cut.
fn streams() -> io::Result<Vec<Vec<u8>>> {
    let records: Vec<_> = records()?.into_iter().step_by(32).map(|(_, bytes)| bytes).collect();
    let mut streams = Vec::new();
    for order in [ByteOrder::Little, ByteOrder::Big] {
        for (number, values) in records.chunks(4).enumerate() {
            let mut stream = vec![7, 16];
            for value in values {
                append_frame(&mut stream, value, order).map_err(io::Error::other)?;
            }
            let missing = if number & 1 == 0 { 0 } else { 5 };
            stream.truncate(stream.len().saturating_sub(missing));
            streams.push(stream);
        }
    }
    Ok(streams)
}

fn inspected() -> io::Result<Vec<Vec<u8>>> {
    let seed = |(choice, file): (u8, Vec<u8>)| [&[choice, 0], file.as_slice()].concat();
    Ok((0..=u8::MAX).cycle().zip(files()?).map(seed).collect())
}

/// Texts that the engines printed for their own values.
fn literals() -> io::Result<Vec<Vec<u8>>> {
    let mut literals = Vec::new();
    for (dialect, path) in corpus::every_record_file() {
        for line in fs::read_to_string(path)?.lines() {
            let record: serde_json::Value = serde_json::from_str(line)?;
            if let Some(text) = record.get("text").and_then(serde_json::Value::as_str) {
                literals.push([&[dialect_byte(dialect)], text.as_bytes()].concat());
            }
        }
    }
    Ok(literals)
}

/// Each record in one of the forms of JSON, and as bytes.
fn json_texts() -> io::Result<Vec<Vec<u8>>> {
    let mut texts = Vec::new();
    for ((dialect, bytes), (number, form)) in
        records()?.into_iter().step_by(4).zip((0_u8..).zip(FORMS).cycle())
    {
        let mut text = vec![dialect_byte(dialect) << 2 | number];
        let document = Document::new(&bytes, options(dialect, true));
        if json::write(&document, form, &mut text, false).is_ok() {
            texts.push(text);
        }
        texts.push([&[dialect_byte(dialect) << 2 | 3, 0], bytes.as_slice()].concat());
    }
    Ok(texts)
}

/// Packets between engines: single packets, several consecutive packets, the values of packets as rows, and relayed
/// packets.
fn packets() -> io::Result<Vec<Vec<u8>>> {
    let folder = corpus::root().join("multiplayer");
    let mut seeds = Vec::new();
    for path in corpus::files_in(&folder)? {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if name.contains(".datagrams.") || name.contains(".received.") {
            continue;
        }
        let mut packets = Vec::new();
        for line in fs::read_to_string(&path)?.lines() {
            let record: serde_json::Value = serde_json::from_str(line)?;
            let hex = |field| hex_of(record.get(field)?);
            seeds.extend(hex("compact").map(|row| packet_seed(ROW, &row)));
            packets.extend([hex("hex"), hex("rpc")].into_iter().flatten());
            let many = record.get("packets").and_then(serde_json::Value::as_array);
            packets.extend(many.into_iter().flatten().filter_map(hex_of));
        }
        packets.dedup();
        seeds.extend(packets.iter().map(|packet| packet_seed(PACKET, packet)));
        seeds.extend(packets.chunks(12).map(|some| packet_seed(CONVERSATION, &conversation(some))));
    }
    Ok(seeds)
}

/// Frames between debuggers and games: runs of frames in each direction, for a session that finds the family, and
/// for the game's side of each family.
fn debugged() -> io::Result<Vec<Vec<u8>>> {
    let folder = corpus::root().join("debugger");
    let mut seeds = Vec::new();
    for path in corpus::files_in(&folder)? {
        let (mut from_game, mut to_game) = (Vec::new(), Vec::new());
        for line in fs::read_to_string(&path)?.lines().filter(|line| line.starts_with('{')) {
            let record: serde_json::Value = serde_json::from_str(line)?;
            let Some(value) = record.get("hex").and_then(hex_of) else { continue };
            let is_from_game = record.get("way").is_some_and(|way| way == "from game");
            let frames = if is_from_game { &mut from_game } else { &mut to_game };
            append_frame(frames, &value, ByteOrder::Little).map_err(io::Error::other)?;
        }
        let part = |bytes: &[u8], choice: u8| {
            [&[choice, 63], bytes.get(..bytes.len().min(2_000)).unwrap_or_default()].concat()
        };
        seeds.extend((0..4).map(|choice| part(&from_game, choice)));
        seeds.extend((4..12).map(|choice| part(&to_game, choice)));
    }
    Ok(seeds)
}

fn hex_of(field: &serde_json::Value) -> Option<Vec<u8>> {
    corpus::from_hex(field.as_str()?)
}

/// An input of the target `multiplayer`. `what` is the kind of the bytes.
fn packet_seed(what: u8, bytes: &[u8]) -> Vec<u8> {
    [&choosing(Dialect::Godot4, Reals::ByFlag), [what].as_slice(), bytes].concat()
}

/// Alternating packets of two peers. Each follows its sender and its length.
fn conversation(packets: &[Vec<u8>]) -> Vec<u8> {
    let short =
        packets.iter().filter_map(|packet| Some((u8::try_from(packet.len()).ok()?, packet)));
    let each = [0, 1].into_iter().cycle().zip(short);
    each.flat_map(|(peer, (len, packet))| [&[peer, len], packet.as_slice()].concat()).collect()
}

/// Seeds of the target `text` that make values instead of literals.
fn values() -> Vec<Vec<u8>> {
    let seed = |(number, choice): (u8, Vec<u8>)| [&[0x80 | number], choice.as_slice()].concat();
    (0..0x80).zip(choices()).map(seed).collect()
}

/// Bytes without a pattern, equal in each run.
fn choices() -> Vec<Vec<u8>> {
    let mut random = Random::new(0x5eed);
    (4..10).flat_map(|power| [1_usize << power; 16]).map(|len| random.bytes(len)).collect()
}
