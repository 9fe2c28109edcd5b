//! Services and packets for the tests of both transports.

#![allow(dead_code, reason = "each transport needs some of it")]

use std::collections::VecDeque;
use std::future::Future;
use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};
use std::{process, thread};

use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use variant_multiplayer::server::{
    self, Call, CallResult, Handler, Method, Network, Node, ServerOptions,
};
use variant_multiplayer::{
    Delivery, Departure, Input, NodeRef, Output, PeerId, RpcTable, RpcWriter, Service, Target,
};

/// Echoes packets with the same delivery. Some packets are commands: `close` answers and then closes the connection,
/// `flood` sends ten megabytes, `large` sends a packet above the limit for received packets, and `gone` sends a packet
/// to a missing peer.
#[derive(Debug, Default)]
pub(crate) struct Echo {
    pub(crate) outputs: VecDeque<Output>,
    pub(crate) connected: Vec<PeerId>,
    pub(crate) disconnected: Vec<PeerId>,
    /// The reason of each disconnection.
    pub(crate) reasons: Vec<Departure>,
    /// The peers whose connections were measured.
    pub(crate) measured: Vec<PeerId>,
    /// The lengths of the packets that were received.
    pub(crate) received: Vec<usize>,
    pub(crate) ticks: usize,
    pub(crate) tick_at: Option<Instant>,
}

impl Echo {
    fn send(&mut self, to: PeerId, bytes: &[u8], delivery: Delivery) {
        self.outputs.push_back(Output::Send { to, bytes: bytes.into(), delivery });
    }
}

impl Service for Echo {
    type Event = ();

    fn handle(&mut self, input: Input<'_>, now: Instant) {
        match input {
            Input::Connected { peer, .. } => self.connected.push(peer),
            Input::Disconnected { peer, why } => {
                self.disconnected.push(peer);
                self.reasons.push(why);
            }
            Input::Received { from, bytes, delivery } => {
                assert!(!bytes.is_empty());
                // An id may be reused. A peer is connected if it was connected more often than disconnected.
                let count = |ids: &[PeerId]| ids.iter().filter(|id| **id == from).count();
                assert!(count(&self.connected) > count(&self.disconnected));
                self.received.push(bytes.len());
                match bytes {
                    b"close" => {
                        self.send(from, &vec![8; 20_000], delivery);
                        self.outputs.push_back(Output::Close(from));
                        self.send(from, b"too late", delivery);
                    }
                    b"flood" => (0..10_240).for_each(|_| self.send(from, &[7; 1_024], delivery)),
                    b"large" => self.send(from, &vec![9; 100_000], delivery),
                    b"gone" => self.send(PeerId::new(2).unwrap(), b"nobody", delivery),
                    _ => self.send(from, bytes, delivery),
                }
            }
            Input::Measured { peer, round_trip, .. } => {
                assert!(round_trip < Duration::from_secs(60));
                self.measured.push(peer);
            }
            Input::Tick => {
                self.ticks += 1;
                self.tick_at = self.tick_at.and_then(|_| now.checked_add(Duration::from_millis(5)));
            }
            _ => {}
        }
    }

    fn output(&mut self) -> Option<Output> {
        self.outputs.pop_front()
    }

    fn wake_at(&self) -> Option<Instant> {
        self.tick_at
    }
}

/// A server that runs until it is stopped, for at most a minute.
pub(crate) struct Server<S> {
    pub(crate) address: SocketAddr,
    _watch: mpsc::Sender<()>,
    stop: oneshot::Sender<()>,
    task: JoinHandle<S>,
}

impl<S: Send + 'static> Server<S> {
    pub(crate) fn run<R: Future<Output = S> + Send + 'static>(
        address: SocketAddr,
        serve: impl FnOnce(oneshot::Receiver<()>) -> R,
    ) -> Self {
        let (stop, stopped) = oneshot::channel();
        Self { address, _watch: watch(), stop, task: tokio::spawn(serve(stopped)) }
    }

    pub(crate) async fn stop(self) -> S {
        self.stop.send(()).unwrap();
        self.task.await.unwrap()
    }
}

/// Ends the program if the other end of the channel is not dropped in time. A test that waits forever reports nothing.
fn watch() -> mpsc::Sender<()> {
    let (test, watched) = mpsc::channel();
    let name = thread::current().name().unwrap_or_default().to_owned();
    thread::spawn(move || {
        if watched.recv_timeout(Duration::from_secs(60)) == Err(RecvTimeoutError::Timeout) {
            // Tests capture the output of `eprintln!`, so it would be lost when the program ends.
            let _ = writeln!(io::stderr(), "{name} takes too long");
            process::exit(1);
        }
    });
    test
}

/// The chat of the guide, and the peers that have left.
#[derive(Default)]
pub(crate) struct Chat {
    pub(crate) left: Vec<PeerId>,
}

impl Handler for Chat {
    type Event = ();

    fn call(&mut self, call: Call<'_>, network: &mut Network) -> CallResult {
        if call.method == "say" {
            let (text,): (&str,) = call.arguments.decode()?;
            network.rpc(Target::All, "World", "said", &(call.from.get(), text))?;
        }
        Ok(())
    }

    fn disconnected(&mut self, peer: PeerId, _: Departure, _: &mut Network) {
        self.left.push(peer);
    }
}

/// The chat as a server with default limits.
pub(crate) fn chat() -> server::Server<Chat> {
    let world = Node::new("World").method("say", Method::ANY_PEER);
    let world = world.method("said", Method::AUTHORITY);
    server::Server::new(Chat::default(), ServerOptions::default(), [world])
}

pub(crate) fn long_call() -> Vec<u8> {
    let mut call = Vec::new();
    let say = RpcTable::new(["say", "said"]).id("say").unwrap();
    let text = "x".repeat(60_000);
    RpcWriter::new(NodeRef::Path("World"), say, &mut call).string(&text).finish().unwrap();
    call
}
