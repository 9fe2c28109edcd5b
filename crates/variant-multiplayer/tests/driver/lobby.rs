//! The example `lobby` as a program: its processes, tokens and numbers.

use std::collections::BTreeSet;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use serde::Deserialize;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tokio::time::{sleep, timeout};
use variant_multiplayer::{Message, Packet, PeerId, System, TransportLimits, websocket};

/// The time for which tokens are valid. It is also the time after which an empty match ends.
const PATIENCE: Duration = Duration::from_secs(2);

#[derive(Deserialize)]
struct Seat {
    url: String,
    token: String,
}

#[derive(Deserialize)]
struct Targets {
    targets: BTreeSet<SocketAddr>,
}

/// A running lobby. It is killed when it is dropped.
struct Lobby {
    child: Child,
    address: SocketAddr,
}

/// The path of the example. `cargo test` builds the example before the tests, `cargo test --test driver` does not.
fn program() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let program = test.ancestors().nth(2).unwrap().join("examples/lobby");
    let program = program.with_extension(std::env::consts::EXE_EXTENSION);
    assert!(program.exists(), "`cargo build --all-features --example lobby` makes it");
    program
}

impl Lobby {
    async fn start() -> Self {
        let mut command = Command::new(program());
        command.args(["127.0.0.1:0", &PATIENCE.as_secs().to_string()]);
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let line = lines.next_line().await.unwrap().unwrap();
        let address = line.split_once(": ").unwrap().0.parse().unwrap();
        Self { child, address }
    }

    async fn join(&self) -> Option<Seat> {
        let (status, body) = request(self.address, "POST", "/join").await.unwrap();
        if status == 503 {
            return None;
        }
        assert_eq!(status, 200, "{body}");
        Some(serde_json::from_str(&body).unwrap())
    }

    async fn matches(&self) -> BTreeSet<SocketAddr> {
        let (_, body) = request(self.address, "GET", "/targets").await.unwrap();
        let [list]: [Targets; 1] = serde_json::from_str(&body).unwrap();
        list.targets
    }

    /// A player of a match. A token may expire before a slow machine has used it. Then the player requests another
    /// token.
    async fn player(&self) -> (Seat, websocket::Client) {
        loop {
            let seat = self.join().await.unwrap();
            if let Some(client) = enter(&seat).await {
                return (seat, client);
            }
        }
    }
}

/// The status and the body of an HTTP answer.
async fn request(to: SocketAddr, method: &str, path: &str) -> io::Result<(u16, String)> {
    let mut stream = TcpStream::connect(to).await?;
    let head = format!("{method} {path} HTTP/1.1\r\nHost: {to}\r\nConnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    let (head, body) = answer.split_once("\r\n\r\n").ok_or(io::ErrorKind::InvalidData)?;
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    Ok((status.ok_or(io::ErrorKind::InvalidData)?, body.to_owned()))
}

fn address(seat: &Seat) -> SocketAddr {
    seat.url.strip_prefix("ws://").unwrap().strip_suffix("/play").unwrap().parse().unwrap()
}

/// Sends the token of a seat as an engine does. `None` if the match refuses the token or has ended.
async fn enter(seat: &Seat) -> Option<websocket::Client> {
    let stream = TcpStream::connect(address(seat)).await.ok()?;
    let client = websocket::Client::over(stream, &seat.url, TransportLimits::SERVER);
    let mut client = client.await.ok()?;
    for data in [seat.token.as_bytes(), b""] {
        client.send(Packet::new(Message::System(System::Auth(data))).to_vec()).await.ok()?;
    }
    let answer = client.recv().await.ok()??;
    let accepted = Packet::new(Message::System(System::Auth(b""))).to_vec();
    (answer == accepted).then_some(client)
}

/// Waits until a client sees another peer.
async fn sees(client: &mut websocket::Client) -> PeerId {
    loop {
        let packet = client.recv().await.unwrap().unwrap();
        if let Message::System(System::AddPeer(peer)) = Packet::parse(&packet).unwrap().message {
            return PeerId::new(peer).unwrap();
        }
    }
}

/// Waits until a condition is true.
async fn until(mut is_true: impl AsyncFnMut() -> bool) {
    while !is_true().await {
        sleep(Duration::from_millis(50)).await;
    }
}

async fn play() {
    let mut lobby = Lobby::start().await;

    // Two players meet in one match.
    let (red, mut first) = lobby.player().await;
    let (blue, mut second) = lobby.player().await;
    assert_eq!(red.url, blue.url);
    assert_eq!(sees(&mut first).await, second.id());
    assert_eq!(sees(&mut second).await, first.id());
    let game = address(&red);
    assert_eq!(lobby.matches().await, BTreeSet::from([game]));

    // Wrong, used and expired tokens are refused.
    assert!(enter(&Seat { url: red.url.clone(), token: "0".repeat(32) }).await.is_none());
    assert!(enter(&red).await.is_none());
    let late = lobby.join().await.unwrap();
    assert_eq!(late.url, red.url);
    sleep(PATIENCE + Duration::from_millis(1)).await;
    assert!(enter(&late).await.is_none());

    // The metrics are updated once a second.
    let finds = |line: &'static str| async move {
        let (status, text) = request(game, "GET", "/metrics").await.unwrap();
        assert_eq!(status, 200);
        text.lines().any(|found| found == line)
    };
    until(async || finds("match_players 2").await).await;
    first.close().await.unwrap();
    let departure = "match_departures_total{reason=\"left\"} 1";
    until(async || finds("match_players 1").await && finds(departure).await).await;

    // A request for the path of the game must be an upgrade to a web socket.
    assert_eq!(request(game, "GET", "/play").await.unwrap().0, 400);

    // The match ends when it is empty, and the lobby forgets it.
    second.close().await.unwrap();
    until(async || lobby.matches().await.is_empty()).await;
    until(async || TcpStream::connect(game).await.is_err()).await;

    // The seats of all matches are bounded.
    let mut seats = 0;
    while lobby.join().await.is_some() {
        seats += 1;
        assert!(seats < 64);
    }
    let matches = lobby.matches().await;
    assert!((1..=4).contains(&matches.len()));

    // The matches end when the lobby is gone.
    lobby.child.kill().await.unwrap();
    for game in matches {
        until(async || TcpStream::connect(game).await.is_err()).await;
    }
}

#[tokio::test]
async fn a_lobby_starts_matches_and_forgets_them() {
    timeout(Duration::from_secs(60), play()).await.unwrap();
}
