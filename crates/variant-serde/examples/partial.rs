//! Decodes only parts of a save: some fields, one deep value, and a part that is kept as bytes.
//!
//! ```sh
//! cargo run -p variant-serde --example partial
//! ```

use std::error::Error;

use serde::{Deserialize, Serialize};
use variant_serde::{RawValue, from_slice, from_view, to_vec};
use variant_view::{Dialect, Document};

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Player {
    name: String,
    level: u32,
    bag: Vec<Item>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Item {
    name: String,
    count: u32,
}

#[derive(Serialize)]
struct Save {
    version: u32,
    players: Vec<Player>,
    settings: (bool, f64),
}

/// The version decides the type of the players, so the players stay bytes until the version is read. The settings are
/// skipped.
#[derive(Deserialize)]
struct Envelope<'a> {
    version: u32,
    #[serde(borrow)]
    players: RawValue<'a>,
}

#[derive(Deserialize, Debug)]
#[allow(dead_code, reason = "the type is never constructed")]
struct Small {
    players: Vec<SmallPlayer>,
}

#[derive(Deserialize, Debug)]
#[allow(dead_code, reason = "the type is never constructed")]
struct SmallPlayer {
    name: u8,
}

fn main() -> Result<(), Box<dyn Error>> {
    let player = |name: &str, level| Player {
        name: name.to_owned(),
        level,
        bag: vec![Item { name: "axe".to_owned(), count: level }],
    };
    let save = Save {
        version: 2,
        players: vec![player("Ada", 3), player("Bo", 7)],
        settings: (true, 0.5),
    };
    let file = to_vec(&save, Dialect::Godot4)?;

    let envelope: Envelope<'_> = from_slice(&file, Dialect::Godot4)?;
    assert_eq!(envelope.version, 2);
    let players: Vec<Player> = envelope.players.get()?;
    assert_eq!(players, save.players);

    // Decodes one player, by its path.
    let document = Document::new(&file, Dialect::Godot4);
    let second: Player = from_view(document.at("players[1]")?)?;
    println!("{second:?}");

    // Forwards the players to a peer without decoding them.
    let forwarded = to_vec(&("players", envelope.players), Dialect::Godot4)?;
    let (_, again): (&str, Vec<Player>) = from_slice(&forwarded, Dialect::Godot4)?;
    assert_eq!(again, players);

    // `SmallPlayer` expects a number as the name, so the error has the path of the name.
    match from_slice::<Small>(&file, Dialect::Godot4) {
        Ok(_) => Err("a name was a number".into()),
        Err(error) => {
            println!("{error}");
            Ok(())
        }
    }
}
