//! The annotated bytes of docs/spec/carriers.md are from files of the corpus.

use std::fs;

use serde_json::Value;
use variant_testkit::{corpus, markdown};

/// The fenced blocks of the page: the words after the fence, and the bytes.
fn blocks() -> Vec<(Vec<String>, Vec<u8>)> {
    let page = fs::read_to_string(corpus::root().join("../docs/spec/carriers.md")).unwrap();
    let blocks = markdown::blocks(&page).into_iter().map(|(info, block)| {
        let lines = markdown::noted(&block).expect(&info).into_iter();
        (info.split(' ').map(str::to_owned).collect(), lines.flat_map(|(bytes, _)| bytes).collect())
    });
    blocks.collect()
}

fn lines(path: &str) -> Vec<Value> {
    let text = fs::read_to_string(corpus::root().join(path)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn hex(record: &Value) -> Vec<u8> {
    corpus::from_hex(record["hex"].as_str().unwrap()).unwrap()
}

#[test]
fn annotated_bytes_are_of_the_corpus() {
    let (mut parts, mut records) = (0, 0);
    for (info, found) in blocks() {
        match info.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["file", path, offset] => {
                let file = corpus::bytes(path.strip_prefix("corpus/").unwrap()).unwrap();
                let start: usize = offset.parse().unwrap();
                assert_eq!(file[start..start + found.len()], found, "{info:?}");
                parts += 1;
            }
            ["line", path, number] => {
                let number: usize = number.parse().unwrap();
                let all = lines(path.strip_prefix("corpus/").unwrap());
                assert_eq!(hex(&all[number - 1]), found, "{info:?}");
                records += 1;
            }
            ["bytes", path, name] => {
                let all = lines(&format!("{path}.jsonl"));
                let record = all.iter().find(|record| record["name"] == name).unwrap();
                assert_eq!(hex(record), found, "{info:?}");
                records += 1;
            }
            _ => panic!("{info:?}"),
        }
    }
    assert!(parts >= 7 && records >= 6, "{parts} {records}");
}

/// The page shows every byte of a small file, up to the magic at its end.
#[test]
fn whole_files_are_whole() {
    for (info, bytes) in blocks().iter().filter(|(info, _)| info[0] == "file") {
        let file = corpus::bytes(info[1].strip_prefix("corpus/").unwrap()).unwrap();
        if file.len() <= 64 {
            assert_eq!(*bytes, file, "{info:?}");
        }
    }
}
