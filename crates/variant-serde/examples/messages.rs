//! The messages of a game server. An enum borrows names and texts from the packet. The answer is written into a reused
//! buffer.
//!
//! ```sh
//! cargo run -p variant-serde --example messages
//! ```

use serde::{Deserialize, Serialize};
use variant_serde::{Error, as_vector3, from_slice, to_vec, to_vec_into};
use variant_view::{Dialect, Options};

/// In `GDScript`: `{"Join": {"name": "Ada"}}`, `{"Say": "hello"}`, `{"Move": {"to": Vector3(1, 2, 3)}}` or `"Leave"`.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum Message<'a> {
    Join {
        name: &'a str,
    },
    Say(&'a str),
    Move {
        #[serde(with = "as_vector3")]
        to: [f32; 3],
    },
    Leave,
}

#[derive(Debug, Serialize)]
#[serde(tag = "type")]
enum Answer<'a> {
    Joined { name: &'a str },
    Chat { text: &'a str },
    Moved { distance: f32 },
    Left,
}

fn answer<'a>(message: &Message<'a>) -> Answer<'a> {
    match *message {
        Message::Join { name } => Answer::Joined { name },
        Message::Say(text) => Answer::Chat { text },
        Message::Move { to: [x, y, z] } => Answer::Moved { distance: x.hypot(y).hypot(z) },
        Message::Leave => Answer::Left,
    }
}

fn main() -> Result<(), Error> {
    let sent = [
        Message::Join { name: "Ada" },
        Message::Say("hello"),
        Message::Move { to: [3.0, 4.0, 0.0] },
        Message::Leave,
    ];
    let mut buffer = Vec::new();
    for message in sent {
        let packet = to_vec(&message, Dialect::Godot4)?;
        // The server reads with limits, and does not copy text.
        let received: Message<'_> = from_slice(&packet, Options::server(Dialect::Godot4))?;
        assert_eq!(received, message);
        buffer.clear();
        let len = to_vec_into(&answer(&received), Dialect::Godot4, &mut buffer)?;
        println!("{received:?}: {:?} in {len} bytes", answer(&received));
    }
    Ok(())
}
