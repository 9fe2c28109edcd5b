//! The lines of a log for operators.

use std::io;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::{Duration, Instant};

use tracing::Dispatch;
use tracing::subscriber::NoSubscriber;
use tracing_subscriber::fmt;
use variant_multiplayer::server::{
    Authentication, Call, CallResult, Handler, Method, Network, Node, Server, ServerLimits,
    ServerOptions,
};
use variant_multiplayer::{
    Delivery, Departure, Input, Message, NodeRef, Packet, PeerId, RpcTable, RpcWriter, Service,
    System, Target,
};

/// Accepts a ticket, and logs the calls of `say`.
struct Chat;

impl Handler for Chat {
    type Event = ();

    fn authenticate(&mut self, _: PeerId, data: &[u8], _: &mut Network) -> Authentication {
        if data == b"ticket" { Authentication::Accept } else { Authentication::Refuse }
    }

    fn call(&mut self, call: Call<'_>, network: &mut Network) -> CallResult {
        let (text,): (String,) = call.arguments.decode()?;
        tracing::info!(text, "the program's event");
        Ok(network.rpc(Target::All, "World", "say", &(text,))?)
    }
}

/// The log of a server with a clock.
struct Log {
    text: Arc<Mutex<Vec<u8>>>,
    server: Server<Chat>,
    now: Instant,
}

#[derive(Clone)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Log {
    /// Logs events up to a level while `play` runs. Returns the lines.
    fn of(level: tracing::Level, options: ServerOptions, play: impl FnOnce(&mut Self)) -> String {
        // With only one subscriber, `tracing` asks the subscriber of the thread that first reaches an event. This
        // thread may run another test, without a subscriber.
        static OTHER: LazyLock<Dispatch> = LazyLock::new(|| Dispatch::new(NoSubscriber::new()));
        LazyLock::force(&OTHER);
        let text = Arc::<Mutex<Vec<u8>>>::default();
        let lines = Lines(Arc::clone(&text));
        let subscriber = fmt().with_max_level(level).without_time().with_ansi(false);
        let subscriber = subscriber.with_writer(move || lines.clone()).finish();
        let world = Node::new("World").method("say", Method::ANY_PEER);
        let server = Server::new(Chat, options, [world]);
        let mut log = Self { text, server, now: Instant::now() };
        tracing::subscriber::with_default(subscriber, || play(&mut log));
        String::from_utf8(std::mem::take(&mut log.text.lock().unwrap())).unwrap()
    }

    fn handle(&mut self, input: Input<'_>) {
        self.server.handle(input, self.now);
    }

    fn connect(&mut self, peer: i32) -> PeerId {
        let peer = PeerId::client(peer).unwrap();
        self.handle(Input::Connected { peer, address: Some(([127, 0, 0, 1], 99).into()) });
        peer
    }

    fn receive(&mut self, from: PeerId, bytes: &[u8]) {
        self.handle(Input::Received { from, bytes, delivery: Delivery::RELIABLE });
    }

    fn send(&mut self, from: PeerId, message: Message<'_>) {
        self.receive(from, &Packet::new(message).to_vec());
    }
}

fn say(text: &str) -> Vec<u8> {
    let (mut call, say) = (Vec::new(), RpcTable::new(["say"]).id("say").unwrap());
    RpcWriter::new(NodeRef::Path("World"), say, &mut call).string(text).finish().unwrap();
    call
}

#[test]
fn a_peer_joins_is_refused_and_leaves() {
    let text = Log::of(tracing::Level::INFO, ServerOptions::default(), |log| {
        let peer = log.connect(77);
        log.receive(peer, &say("hello"));
        log.receive(peer, &[5, 9, 0]);
        let round_trip = Duration::from_millis(20);
        log.handle(Input::Measured { peer, round_trip, waiting: 0 });
        log.handle(Input::Disconnected { peer, why: Departure::Left });
    });
    let expected = r#" INFO variant_multiplayer: admitted peer=77 address=127.0.0.1:99
 INFO all::traced: the program's event text="hello"
 WARN variant_multiplayer: refused peer=77 refusal=net id needs 4 bytes, 2 are left at byte 1
 INFO variant_multiplayer: disconnected peer=77 why=left packets_received=2 bytes_received=32 packets_sent=2 bytes_sent=73 refusals=1 skipped=0 round_trip=20ms
"#;
    assert_eq!(text, expected);
}

#[test]
fn rooms_calls_and_packets_are_logged_on_request() {
    let text = Log::of(tracing::Level::TRACE, ServerOptions::default(), |log| {
        let peer = log.connect(77);
        log.receive(peer, &say("hello"));
        log.server.network().leave(peer, variant_multiplayer::server::RoomId::LOBBY);
    });
    let expected = r#"DEBUG variant_multiplayer: connected peer=77 address=127.0.0.1:99
 INFO variant_multiplayer: admitted peer=77 address=127.0.0.1:99
DEBUG variant_multiplayer: joined a room peer=77 room=RoomId(0)
 INFO packet{peer=77 bytes=29}:call{peer=77 node="World" method="say"}: all::traced: the program's event text="hello"
DEBUG variant_multiplayer: left a room peer=77 room=RoomId(0)
"#;
    assert_eq!(text, expected);
}

#[test]
fn an_authentication_fails() {
    let options = ServerOptions::default().authentication(true);
    let text = Log::of(tracing::Level::INFO, options, |log| {
        let peer = log.connect(77);
        log.send(peer, Message::System(System::Auth(b"another ticket")));
    });
    let expected = " WARN variant_multiplayer: refused peer=77 refusal=authentication refused, or not asked for
 WARN variant_multiplayer: authentication failed peer=77 why=closed by the server
";
    assert_eq!(text, expected);
}

/// Overload is not an offence, so nothing else bounds the log lines of a peer.
#[test]
fn overload_is_logged_once_a_second() {
    let mut limits = ServerLimits::DEFAULT;
    limits.received = 1;
    let text = Log::of(tracing::Level::WARN, ServerOptions::default().limits(limits), |log| {
        let [peer, _] = [77, 78].map(|peer| log.connect(peer));
        for _ in 0..3 {
            for _ in 0..10 {
                log.receive(peer, &say("to all"));
            }
            log.now += Duration::from_secs(1);
        }
    });
    let refusal = "more is sent to others than the limits allow";
    let expected = [1, 9, 10].map(|packets| {
        format!(" WARN variant_multiplayer: dropped peer=77 refusal={refusal} packets={packets}\n")
    });
    assert_eq!(text, expected.concat());
}
