//! Numbered saves that resemble those of games, for tests and benchmarks of many files.
//!
//! [`SMALL_PERCENT`] percent of the bytes are dictionaries and arrays of small values (a player, an inventory, quests).
//! The other bytes are packed arrays (a map). The same number gives the same bytes.

use std::fs;
use std::io;
use std::num::NonZeroU64;
use std::ops::Range;
use std::path::{Path, PathBuf};

use variant_owned::{Array, Dictionary, dictionary, encode, encoded_len};
use variant_view::{Dialect, Vector2, Vector3};

use crate::random::Random;

/// The percentage of a save outside packed arrays.
pub const SMALL_PERCENT: usize = 40;

/// The default size of a save.
pub const BYTES: usize = 50_000;

/// The maximum number of saves in a folder.
const IN_FOLDER: u64 = 256;

const NAMES: [&str; 8] = ["Ada", "Åsa", "Bo", "Chidi", "Mei", "Noor", "Tariq", "Yuki"];
const PLACES: [&str; 6] = ["cellar", "forest", "harbour", "mill", "ruins", "village"];
const ITEMS: [&str; 8] =
    ["arrow", "bread", "helmet", "lantern", "potion", "rope", "shield", "sword"];
const STATES: [&str; 4] = ["unknown", "active", "done", "failed"];

/// Folders of saves.
#[derive(Clone, Copy, Debug)]
pub struct Saves {
    /// The number of saves.
    pub count: u64,
    /// The size of each save in bytes.
    pub bytes: usize,
    /// The dialect of the saves.
    pub dialect: Dialect,
    /// With `n`, one save in `n` is cut. With `None`, all saves are whole.
    pub damaged: Option<NonZeroU64>,
}

impl Saves {
    /// Writes all saves. The first save is `000/00000.variant`. A folder has at most 256 saves. Returns the number of
    /// bytes.
    pub fn write_into(&self, folder: &Path) -> io::Result<u64> {
        let mut written = 0_u64;
        for number in 0..self.count {
            let path = folder.join(self.path(number));
            if number.is_multiple_of(IN_FOLDER) {
                path.parent().map_or(Ok(()), fs::create_dir_all)?;
            }
            let bytes = self.bytes_of(number);
            written = written.saturating_add(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
            fs::write(path, bytes)?;
        }
        Ok(written)
    }

    /// The path of a save.
    pub fn path(&self, number: u64) -> PathBuf {
        let folder = number.checked_div(IN_FOLDER).unwrap_or_default();
        PathBuf::from(format!("{folder:03}/{number:05}.variant"))
    }

    /// The contents of a file: a [`save`], or its start if the save is cut.
    pub fn bytes_of(&self, number: u64) -> Vec<u8> {
        let mut bytes = save(number, self.bytes, self.dialect);
        if self.is_damaged(number) {
            let cut = Random::new(seed(number)).below(bytes.len());
            bytes.truncate(cut);
        }
        bytes
    }

    /// Whether a save is cut.
    pub fn is_damaged(&self, number: u64) -> bool {
        self.damaged.is_some_and(|every| number.saturating_add(1).is_multiple_of(every.get()))
    }
}

/// A save of about this many bytes, at least 4,000, as `var_to_bytes` writes it.
pub fn save(number: u64, bytes: usize, dialect: Dialect) -> Vec<u8> {
    let mut maker = Maker(Random::new(seed(number)));
    let len_of = |value: Dictionary| encoded_len(&value.into(), dialect).expect("a value");
    let mut save = maker.head(number);
    let mut len = len_of(save.clone());
    let mut inventory = Array::new();
    while len < percent(SMALL_PERCENT, bytes) {
        let item = maker.item();
        len = len.saturating_add(len_of(item.clone()));
        inventory.push(item);
    }
    save.insert("inventory", inventory);
    save.insert("map", maker.map(bytes.saturating_sub(len)));
    encode(&save.into(), dialect).expect("a value")
}

/// The seed of a save. Consecutive numbers give very different saves.
const fn seed(number: u64) -> u64 {
    (number | 1 << 63).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

fn percent(percent: usize, of: usize) -> usize {
    percent.saturating_mul(of).checked_div(100).unwrap_or_default()
}

/// Makes the parts of a save.
struct Maker(Random);

impl Maker {
    /// All parts of a save except the inventory and the map.
    fn head(&mut self, number: u64) -> Dictionary {
        dictionary! {
            "version" => self.int(1..4),
            "player" => self.player(),
            "meta" => self.meta(number),
            "stats" => self.stats(),
            "quests" => self.quests(),
            "flags" => self.flags(),
        }
    }

    fn player(&mut self) -> Dictionary {
        let mut player = dictionary! {
            "name" => self.0.pick(&NAMES),
            "hp" => self.int(1..50),
            "max_hp" => self.int(50..150),
            "gold" => self.int(0..100_000),
            "level" => self.int(1..60),
            "position" => Vector3::new(self.real(), self.real(), self.real()),
            "is_resting" => self.coin(),
            "place" => self.0.pick(&PLACES),
        };
        // Some players do not have a title.
        if self.coin() {
            player.insert("title", format!("bearer of the {}", self.0.pick(&ITEMS)));
        }
        player
    }

    fn meta(&mut self, number: u64) -> Dictionary {
        dictionary! {
            "slot" => self.int(0..10),
            "time" => self.int(1_700_000_000..1_750_000_000),
            "played" => self.fraction() * 1e6,
            "label" => format!("Save {number} in the {}", self.0.pick(&PLACES)),
        }
    }

    fn stats(&mut self) -> Dictionary {
        let names = ["distance", "damage_dealt", "damage_taken", "accuracy", "luck", "fastest_lap"];
        names.into_iter().map(|name| (name, self.fraction() * 1e4)).collect()
    }

    fn quests(&mut self) -> Dictionary {
        let places = PLACES.iter().flat_map(|place| ITEMS.iter().map(move |item| (place, item)));
        let quests = places.step_by(4).map(|(place, item)| {
            let steps: Array = (0..self.int(0..4)).collect();
            let quest = dictionary! {
                "state" => self.0.pick(&STATES), "steps" => steps, "reward" => self.int(0..500),
            };
            (format!("the {item} of the {place}"), quest)
        });
        quests.collect()
    }

    fn flags(&mut self) -> Dictionary {
        (0..24).map(|door| (format!("door_{door}"), self.coin())).collect()
    }

    fn item(&mut self) -> Dictionary {
        dictionary! {
            "id" => self.int(0..10_000),
            "name" => self.0.pick(&ITEMS),
            "count" => self.int(1..100),
            "quality" => self.fraction(),
        }
    }

    /// A map of packed arrays. It takes this number of bytes, including headers and names.
    fn map(&mut self, bytes: usize) -> Dictionary {
        let bytes = bytes.saturating_sub(120);
        let count = |share, size| percent(share, bytes).checked_div(size).unwrap_or_default();
        let heights: Vec<f32> = (0..count(30, 4)).map(|_| self.real()).collect();
        let tiles = self.0.bytes(count(30, 1));
        let path = (0..count(20, 8)).map(|_| Vector2::new(self.real(), self.real()));
        let path: Vec<Vector2> = path.collect();
        let cells: Vec<i32> = (0..count(20, 4)).map(|_| self.int(0..1_000_000)).collect();
        dictionary! { "heights" => heights, "tiles" => tiles, "path" => path, "cells" => cells }
    }

    fn int(&mut self, mut range: Range<i32>) -> i32 {
        range.nth(self.0.below(range.len())).unwrap_or_default()
    }

    fn coin(&mut self) -> bool {
        self.0.below(2) == 0
    }

    /// A number from 0 to 1 that needs more than 32 bits.
    fn fraction(&mut self) -> f64 {
        f64::from(self.int(0..1_000_000_000)) / 1e9
    }

    /// A coordinate on a map.
    fn real(&mut self) -> f32 {
        f32::from(u16::try_from(self.0.below(65_536)).unwrap_or_default()) / 16.0
    }
}

#[cfg(test)]
mod tests {
    use variant_view::{Document, Event};

    use super::*;

    /// The number of bytes in packed arrays, and the number of arrays.
    fn packed(bytes: &[u8], dialect: Dialect) -> (usize, usize) {
        let mut packed = 0_usize;
        for event in Document::new(bytes, dialect).walk() {
            if let Event::Leaf(node) = event.unwrap()
                && let Some(numbers) = node.view.numbers()
                && numbers.shape().is_packed
            {
                packed = packed.saturating_add(numbers.wire_len());
            }
        }
        (packed, bytes.len())
    }

    #[test]
    fn saves_have_the_size_and_the_shares_that_are_said() {
        for &dialect in Dialect::ALL {
            for size in [10_000, BYTES, 200_000] {
                let (packed, all) = packed(&save(7, size, dialect), dialect);
                assert!(all.abs_diff(size) < size / 50, "{dialect:?}: {all} of {size}");
                let share = (all - packed) * 100 / all;
                assert!(share.abs_diff(SMALL_PERCENT) <= 2, "{dialect:?}, {size}: {share} %");
            }
        }
    }

    #[test]
    fn folders_have_256_files_and_some_saves_are_damaged() {
        let folder = tempfile::tempdir().unwrap();
        let dialect = Dialect::Godot4;
        let saves = Saves { count: 258, bytes: 4_000, dialect, damaged: NonZeroU64::new(100) };
        let written = saves.write_into(folder.path()).unwrap();
        let mut all = Vec::new();
        for number in 0..258 {
            let bytes = fs::read(folder.path().join(saves.path(number))).unwrap();
            let is_whole = Document::new(&bytes, dialect).validate().is_ok();
            assert_eq!(is_whole, ![99, 199].contains(&number), "{number}");
            all.extend(bytes);
        }
        assert_eq!(usize::try_from(written), Ok(all.len()));
        let files = |name| fs::read_dir(folder.path().join(name)).unwrap().count();
        assert_eq!((files("000"), files("001")), (256, 2));
    }
}
