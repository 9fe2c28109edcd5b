//! The tasks of a driver and of its clients, in many orders. Streams pause and split at random, and a task that pauses runs
//! after all others that are ready, so each seed has another order. The time of the runtime passes only while all tasks
//! wait, so a deadlock is a timeout.

use std::collections::{HashMap, VecDeque};
use std::env;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncWrite, DuplexStream, ReadBuf, duplex};
use tokio::sync::oneshot;
use tokio::task::{JoinHandle, yield_now};
use tokio::time::timeout;
use variant_multiplayer::websocket::{Acceptor, Client, channel};
use variant_multiplayer::{
    Delivery, Departure, Driver, Input, Output, PeerId, Service, TransportLimits,
};
use variant_testkit::random::Random;

/// The numbers that decide an order.
#[derive(Clone)]
struct Chance(Arc<Mutex<Random>>);

impl Chance {
    fn below(&self, end: usize) -> usize {
        self.0.lock().unwrap().below(end)
    }

    /// Whether the task pauses. It then runs again after the other tasks that are ready.
    fn pauses(&self, context: &Context<'_>) -> bool {
        let pauses = self.below(3) == 0;
        if pauses {
            context.waker().wake_by_ref();
        }
        pauses
    }
}

/// A stream that pauses at random, and passes a random part of the bytes. After it has passed `breaks_after` parts to its
/// reader, it panics.
struct Unsteady {
    stream: DuplexStream,
    chance: Chance,
    breaks_after: usize,
}

impl AsyncRead for Unsteady {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.chance.pauses(context) {
            return Poll::Pending;
        }
        self.breaks_after = self.breaks_after.checked_sub(1).expect("the stream breaks here");
        let mut part = vec![0; 1 + self.chance.below(buffer.remaining().clamp(1, 200))];
        let mut part = ReadBuf::new(&mut part);
        let read = Pin::new(&mut self.stream).poll_read(context, &mut part);
        buffer.put_slice(part.filled());
        read
    }
}

impl AsyncWrite for Unsteady {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if self.chance.pauses(context) {
            return Poll::Pending;
        }
        let length = bytes.len().min(1 + self.chance.below(200));
        Pin::new(&mut self.stream).poll_write(context, &bytes[..length])
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.chance.pauses(context) {
            return Poll::Pending;
        }
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.chance.pauses(context) {
            return Poll::Pending;
        }
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

/// The end of a server. The driver polls it at each turn, so it also wakes the driver at random.
struct Shutdown(oneshot::Receiver<()>, Chance);

impl Future for Shutdown {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        self.1.pauses(context);
        Pin::new(&mut self.0).poll(context).map(drop)
    }
}

/// What a client does after its packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// Reads until the server ends.
    Stays,
    /// Reads all answers, then closes.
    Closes,
    /// Drops its stream.
    Vanishes,
    /// Is closed by the service.
    IsDismissed,
    /// Does not read, and gets more than its backlog.
    IsFlooded,
    /// Sends a packet above the limit.
    SendsTooMuch,
    /// Neither reads nor sends.
    FallsSilent,
    /// The server's end of its stream panics.
    Breaks,
}

impl End {
    const ALL: [Self; 8] = [
        Self::Stays,
        Self::Closes,
        Self::Vanishes,
        Self::IsDismissed,
        Self::IsFlooded,
        Self::SendsTooMuch,
        Self::FallsSilent,
        Self::Breaks,
    ];

    /// The reasons of the departure that the service is to see.
    const fn departures(self) -> &'static [Departure] {
        match self {
            Self::Stays | Self::IsDismissed => &[],
            Self::Closes => &[Departure::Left],
            Self::Vanishes => &[Departure::Left, Departure::Lost],
            Self::IsFlooded => &[Departure::Backlog],
            Self::SendsTooMuch => &[Departure::TooLarge],
            Self::FallsSilent => &[Departure::Silent],
            Self::Breaks => &[Departure::Lost],
        }
    }
}

/// The first byte of a packet. The rest is its number.
const ECHO: u8 = 0;
const DISMISS: u8 = 1;
const FLOOD: u8 = 2;

fn packet(command: u8, number: usize) -> Vec<u8> {
    [&[command][..], &number.to_le_bytes()].concat()
}

/// The peer of a service.
#[derive(Debug, Default, PartialEq, Eq)]
struct Seen {
    packets: usize,
    is_dismissed: bool,
    departure: Option<Departure>,
}

/// A service that checks the order of its inputs, and answers each packet with the same packet.
#[derive(Debug, Default)]
struct Watch {
    peers: HashMap<PeerId, Seen>,
    outputs: VecDeque<Output>,
}

impl Watch {
    /// A peer that is connected.
    fn peer(&mut self, id: PeerId) -> &mut Seen {
        let peer = self.peers.get_mut(&id).expect("an input of a peer that never connected");
        assert!(!peer.is_dismissed, "an input after the service has closed the peer");
        assert_eq!(peer.departure, None, "an input after the departure");
        peer
    }
}

impl Service for Watch {
    type Event = ();

    fn handle(&mut self, input: Input<'_>, _: Instant) {
        match input {
            Input::Connected { peer, .. } => {
                assert!(self.peers.insert(peer, Seen::default()).is_none(), "connected twice");
            }
            Input::Received { from, bytes, .. } => {
                let peer = self.peer(from);
                assert_eq!(bytes[1..], peer.packets.to_le_bytes(), "lost, doubled or moved");
                peer.packets += 1;
                peer.is_dismissed = bytes[0] == DISMISS;
                let answers = if bytes[0] == FLOOD { 200 } else { 1 };
                for _ in 0..answers {
                    let (bytes, delivery) = (bytes.into(), Delivery::RELIABLE);
                    self.outputs.push_back(Output::Send { to: from, bytes, delivery });
                }
                if bytes[0] == DISMISS {
                    self.outputs.push_back(Output::Close(from));
                }
            }
            Input::Measured { peer, .. } => drop(self.peer(peer)),
            Input::Disconnected { peer, why } => self.peer(peer).departure = Some(why),
            _ => {}
        }
    }

    fn output(&mut self) -> Option<Output> {
        self.outputs.pop_front()
    }
}

/// What a client did.
#[derive(Debug)]
struct Story {
    id: PeerId,
    end: End,
    sent: usize,
    /// The answers, which have the order of the packets.
    answers: usize,
    /// Whether the server has closed the connection, so that it was not lost.
    was_closed: bool,
}

impl Story {
    /// Receives an answer. Returns whether there was one.
    async fn hear(&mut self, client: &mut Client) -> bool {
        let heard = client.recv().await;
        if let Ok(Some(answer)) = &heard {
            assert_eq!(answer[1..], self.answers.to_le_bytes(), "lost, doubled or moved");
            self.answers += 1;
        }
        self.was_closed = matches!(heard, Ok(None));
        matches!(heard, Ok(Some(_)))
    }

    /// Sends the next packet. An error is not counted, since the server may have ended.
    async fn say(&mut self, client: &mut Client, command: u8) -> bool {
        let is_sent = client.send(packet(command, self.sent)).await.is_ok();
        self.sent += usize::from(is_sent);
        is_sent
    }
}

/// The limits, small enough that the clients reach each.
const LIMITS: TransportLimits = {
    let mut limits = TransportLimits::SERVER;
    (limits.peers, limits.packet, limits.backlog) = (12, 512, 4_096);
    limits
};

/// Joins, sends some packets, hears some answers, and ends.
async fn client(acceptor: Acceptor, end: End, chance: Chance) -> Option<Story> {
    let (here, there) = duplex(1 + chance.below(300));
    let breaks_after = if end == End::Breaks { chance.below(30) } else { usize::MAX };
    let there = Unsteady { stream: there, chance: chance.clone(), breaks_after };
    acceptor.accept(there, None).await.ok()?;
    let here = Unsteady { stream: here, chance: chance.clone(), breaks_after: usize::MAX };
    let mut client = Client::over(here, "ws://localhost/", LIMITS).await.ok()?;
    let mut story = Story { id: client.id(), end, sent: 0, answers: 0, was_closed: false };
    for _ in 0..chance.below(20) {
        story.say(&mut client, ECHO).await;
        if chance.below(2) == 0 && !story.hear(&mut client).await {
            return Some(story);
        }
    }
    match end {
        End::Stays | End::Breaks => while story.hear(&mut client).await {},
        End::Closes => {
            while story.answers < story.sent && story.hear(&mut client).await {}
            story.was_closed = client.close().await.is_ok();
        }
        End::Vanishes => drop(client),
        End::IsDismissed => {
            story.say(&mut client, DISMISS).await;
            while story.hear(&mut client).await {}
        }
        End::IsFlooded => {
            story.say(&mut client, FLOOD).await;
            // A bounded number, since time passes only while all tasks wait.
            for _ in 0..1_000 {
                if !story.say(&mut client, ECHO).await {
                    break;
                }
            }
        }
        End::SendsTooMuch => {
            let _ = client.send(vec![ECHO; LIMITS.packet + 1]).await;
            while story.hear(&mut client).await {}
        }
        // Longer than a silent peer stays connected, with some pings before.
        End::FallsSilent => tokio::time::sleep(LIMITS.idle * 3).await,
    }
    Some(story)
}

/// A server and its clients. The clients end in all ways, and the server ends after them or at any time.
async fn run(chance: Chance, ends_early: bool) {
    let (acceptor, source) = channel();
    let (stop, stopped) = oneshot::channel();
    let driver = Driver::new(Watch::default()).limits(LIMITS).websocket(source);
    let server = tokio::spawn(driver.run(Shutdown(stopped, chance.clone())));
    let start = |end| tokio::spawn(client(acceptor.clone(), end, chance.clone()));
    let (staying, leaving): (Vec<_>, Vec<_>) = (0..LIMITS.peers)
        .map(|_| End::ALL[chance.below(End::ALL.len())])
        .partition(|end| *end == End::Stays);
    let staying: Vec<_> = staying.into_iter().map(start).collect();
    let leaving: Vec<_> = leaving.into_iter().map(start).collect();
    let mut stories = Vec::new();
    if ends_early {
        for _ in 0..chance.below(300) {
            yield_now().await;
        }
        stop.send(()).unwrap();
        stories.extend(ended(leaving).await);
    } else {
        // Each place that a client has left is taken again.
        let count = leaving.len();
        stories.extend(ended(leaving).await);
        for _ in 0..count {
            stories.push(late(&acceptor, &chance).await);
        }
        stop.send(()).unwrap();
    }
    stories.extend(ended(staying).await);
    let service = server.await.unwrap().unwrap();
    for story in stories {
        check(&story, &service, ends_early);
    }
}

/// A client that joins as soon as a place is free.
async fn late(acceptor: &Acceptor, chance: &Chance) -> Story {
    for _ in 0..10_000 {
        let story = client(acceptor.clone(), End::Closes, chance.clone()).await;
        if let Some(story) = story {
            return story;
        }
    }
    panic!("a place stays taken");
}

/// The stories of the clients that have joined.
async fn ended(clients: Vec<JoinHandle<Option<Story>>>) -> Vec<Story> {
    let mut stories = Vec::new();
    for client in clients {
        stories.extend(client.await.unwrap());
    }
    stories
}

fn check(story: &Story, service: &Watch, ends_early: bool) {
    // A server that ends early may not have seen the client that it has accepted.
    let unseen = Seen::default();
    let seen = service.peers.get(&story.id);
    assert!(seen.is_some() || ends_early, "{story:?} was not seen");
    let seen = seen.unwrap_or(&unseen);
    // The last packets of a client may be lost with its connection.
    assert!(
        seen.packets <= story.sent + 1 && story.answers <= story.sent.max(201),
        "{story:?}, {seen:?}"
    );
    if ends_early {
        return;
    }
    let departures = story.end.departures();
    assert_eq!(seen.departure.is_some(), !departures.is_empty(), "{story:?}, {seen:?}");
    assert!(seen.departure.is_none_or(|why| departures.contains(&why)), "{story:?}, {seen:?}");
    assert_eq!(seen.is_dismissed, story.end == End::IsDismissed, "{story:?}, {seen:?}");
    if matches!(story.end, End::Stays | End::Closes | End::IsDismissed) {
        let is_whole = (seen.packets, story.answers) == (story.sent, story.sent);
        assert!(is_whole && story.was_closed, "{story:?}, {seen:?}");
    }
}

#[test]
fn peers_join_and_leave_in_any_order() {
    let schedules = env::var("VARIANT_SCHEDULES").map_or(50, |count| count.parse().unwrap());
    for seed in 1..=schedules {
        // The first numbers of small seeds are alike.
        let random = Random::new(u64::wrapping_mul(seed, 0x9E37_79B9_7F4A_7C15));
        let chance = Chance(Arc::new(Mutex::new(random)));
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap();
        let ended = runtime.block_on(async {
            timeout(Duration::from_secs(3_600), run(chance, seed % 2 == 0)).await
        });
        assert!(ended.is_ok(), "seed {seed}: a task waits forever");
    }
}
