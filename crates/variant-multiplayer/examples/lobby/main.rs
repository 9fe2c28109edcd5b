//! A lobby that starts a process for each match, and sends players to the matches.
//!
//! ```sh
//! cargo run --release -p variant-multiplayer --features tracing,websocket --example lobby -- 127.0.0.1:4250
//! ```
//!
//! | request | answer |
//! |---|---|
//! | `POST /join` | `{"url": "ws://127.0.0.1:40123/play", "token": "5d41.."}`: the client connects to the URL, and sends the token by `send_auth` |
//! | `GET /targets` | the addresses of the matches, as Prometheus discovers targets by HTTP |
//!
//! A match is this program with the argument `match`. `game.rs` is its game, `numbers.rs` has its metrics, and `web.rs`
//! is its HTTP server. The lobby and a match exchange lines through the pipes of the process:
//!
//! | line | from | meaning |
//! |---|---|---|
//! | `127.0.0.1:40123` | the match, first | its address |
//! | a token | the lobby | a player with this token will join, and has a seat |
//! | `taken` | the match | the match knows the oldest unanswered token |
//! | `free` | the match | a seat is free again: the player has left, or its token has expired |
//!
//! A match ends when it has been empty for some time, or when the pipe from the lobby closes. An argument after the
//! address sets this time, and the time for which tokens are valid: 30 seconds by default.

mod game;
mod numbers;
mod web;

use std::collections::{BTreeMap, VecDeque};
use std::env;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Serialize;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::net::TcpListener;
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::{Mutex, oneshot};
use tokio::time::timeout;
use tracing::{info, warn};

/// The number of matches, and of seats in each.
const MATCHES: usize = 4;
const SEATS: usize = 4;

/// The time that a process may take to answer a line.
const ANSWER: Duration = Duration::from_secs(5);

struct Lobby {
    /// Matches listen on this address.
    ip: IpAddr,
    patience: Duration,
    matches: Mutex<Matches>,
}

#[derive(Default)]
struct Matches {
    running: BTreeMap<u64, Match>,
    started: u64,
}

struct Match {
    address: SocketAddr,
    stdin: ChildStdin,
    /// The number of taken seats.
    taken: usize,
    /// Players with unanswered tokens, oldest first.
    waiting: VecDeque<oneshot::Sender<()>>,
}

#[derive(Serialize)]
struct Seat {
    url: String,
    token: String,
}

/// An element of Prometheus' list of targets.
#[derive(Serialize)]
struct Targets {
    targets: Vec<SocketAddr>,
}

async fn join(State(lobby): State<Arc<Lobby>>) -> Result<Json<Seat>, StatusCode> {
    // A match may end during the request. Then the lobby tries another match.
    for _ in 0..3 {
        match lobby.take_seat().await {
            Ok(Some((seat, known))) => {
                if let Ok(Ok(())) = timeout(ANSWER, known).await {
                    return Ok(Json(seat));
                }
            }
            Ok(None) => return Err(StatusCode::SERVICE_UNAVAILABLE),
            Err(error) => warn!(%error, "no seat"),
        }
    }
    Err(StatusCode::INTERNAL_SERVER_ERROR)
}

async fn targets(State(lobby): State<Arc<Lobby>>) -> Json<[Targets; 1]> {
    let matches = lobby.matches.lock().await;
    Json([Targets { targets: matches.running.values().map(|game| game.address).collect() }])
}

impl Lobby {
    /// Takes a seat in a running match or in a new match. `None` if all seats are taken. The receiver gets a message
    /// when the match knows the token.
    async fn take_seat(self: &Arc<Self>) -> io::Result<Option<(Seat, oneshot::Receiver<()>)>> {
        let mut matches = self.matches.lock().await;
        let has_seat = |game: &Match| game.taken < SEATS;
        if !matches.running.values().any(has_seat) {
            if matches.running.len() >= MATCHES {
                return Ok(None);
            }
            self.start(&mut matches).await?;
        }
        let Some(game) = matches.running.values_mut().find(|game| has_seat(game)) else {
            return Ok(None);
        };
        let mut random = [0; 16];
        getrandom::fill(&mut random).map_err(io::Error::other)?;
        let token = format!("{:032x}", u128::from_ne_bytes(random));
        game.taken = game.taken.saturating_add(1);
        let (answer, known) = oneshot::channel();
        game.waiting.push_back(answer);
        // An error of this write needs no handling: if the match has ended, `follow` drops the sender `answer`.
        drop(game.stdin.write_all(format!("{token}\n").as_bytes()).await);
        Ok(Some((Seat { url: format!("ws://{}/play", game.address), token }, known)))
    }

    /// Starts the process of a match.
    async fn start(self: &Arc<Self>, matches: &mut Matches) -> io::Result<()> {
        let mut child = Command::new(env::current_exe()?)
            .args(["match", &self.ip.to_string(), &self.patience.as_secs().to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let (stdin, stdout) = stdin.zip(stdout).ok_or(io::ErrorKind::BrokenPipe)?;
        let mut lines = BufReader::new(stdout).lines();
        let first = timeout(ANSWER, lines.next_line()).await??;
        let address: SocketAddr =
            first.and_then(|line| line.parse().ok()).ok_or(io::ErrorKind::InvalidData)?;
        info!(%address, "a match has started");
        matches.started = matches.started.saturating_add(1);
        let id = matches.started;
        let game = Match { address, stdin, taken: 0, waiting: VecDeque::new() };
        matches.running.insert(id, game);
        tokio::spawn(Arc::clone(self).follow(id, child, lines));
        Ok(())
    }

    /// Reads the lines of a match, and forgets the match at its end.
    async fn follow(
        self: Arc<Self>,
        id: u64,
        mut child: Child,
        mut lines: Lines<BufReader<ChildStdout>>,
    ) {
        while let Ok(Some(line)) = lines.next_line().await {
            let mut matches = self.matches.lock().await;
            let Some(game) = matches.running.get_mut(&id) else { break };
            match line.as_str() {
                "taken" => drop(game.waiting.pop_front().map(|player| player.send(()))),
                "free" => game.taken = game.taken.saturating_sub(1),
                _ => break,
            }
        }
        let ended = self.matches.lock().await.running.remove(&id);
        info!(address = ended.map(|game| game.address.to_string()), "a match has ended");
        drop(child.wait().await);
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The lobby reads the standard output of a match, so logs go to standard error.
    tracing_subscriber::fmt().with_writer(io::stderr).init();
    let mut arguments = env::args().skip(1).peekable();
    let is_match = arguments.next_if_eq("match").is_some();
    let address = arguments.next().unwrap_or_else(|| "127.0.0.1:4250".to_owned());
    let patience = Duration::from_secs(arguments.next().map_or(Ok(30), |text| text.parse())?);
    if is_match {
        return Ok(web::serve(address.parse()?, patience).await?);
    }
    let listener = TcpListener::bind(address).await?;
    let address = listener.local_addr()?;
    println!("{address}: Ctrl-C ends it, and the matches");
    let lobby = Lobby { ip: address.ip(), patience, matches: Mutex::default() };
    let paths = Router::new().route("/join", post(join)).route("/targets", get(targets));
    tokio::select! {
        done = axum::serve(listener, paths.with_state(Arc::new(lobby))) => done?,
        ended = tokio::signal::ctrl_c() => ended?,
    }
    Ok(())
}
