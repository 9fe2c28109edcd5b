//! [`Datagrams`]: tokio's socket as an ENet socket.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use rusty_enet::{Host, HostSettings, MTU_MAX, PacketReceived, Socket, SocketOptions};
use socket2::SockRef;
use tokio::net::UdpSocket;
use tokio::time::{Instant, sleep};

use super::delivery::label;
use super::guard::{Guard, Verdict};
use super::{CHANNELS, MTU};

/// The maximum number of senders of oversized packets that are remembered between two polls. The same maximum applies
/// to leaving peers. Further senders are found at later polls. Further leaving peers are reported as silent.
const OVERSIZE: usize = 64;
/// The pause after a failed read.
const PAUSE: Duration = Duration::from_millis(1);

/// Reads and writes datagrams without waiting. Errors count as lost datagrams. An error of UDP, such as a closed port,
/// concerns only one peer, and ENet detects a lost peer.
#[derive(Debug)]
pub(super) struct Datagrams {
    socket: Arc<UdpSocket>,
    guard: Option<Guard>,
    /// The senders of packets above the limit: the address of each, and its slot in the ENet host.
    oversize: Vec<(SocketAddr, u16)>,
    /// The peers that leave: the address of each, and its slot in the ENet host.
    leaving: Vec<(SocketAddr, u16)>,
    /// The buffer for a datagram with labels (`delivery.rs`).
    labelled: Vec<u8>,
    failed: bool,
}

impl Datagrams {
    pub(super) fn new(socket: Arc<UdpSocket>, guard: Option<Guard>) -> Self {
        let (oversize, leaving, labelled) = (Vec::new(), Vec::new(), Vec::new());
        Self { socket, guard, oversize, leaving, labelled, failed: false }
    }

    /// Waits until datagrams can be sent. Without this wait, tokio would drop datagrams until the system reports that
    /// the socket is writable.
    pub(super) fn writable(&self) -> impl Future<Output = ()> + use<> {
        let socket = Arc::clone(&self.socket);
        async move {
            // If the socket fails, its datagrams are lost.
            let _ = socket.writable().await;
        }
    }

    /// Removes a sender of a packet above the limit.
    pub(super) fn pop_oversize(&mut self) -> Option<(SocketAddr, u16)> {
        self.oversize.pop()
    }

    /// Whether a peer has left since the last [`Datagrams::forget_leaving`].
    pub(super) fn leaves(&self, address: SocketAddr, place: u16) -> bool {
        self.leaving.contains(&(address, place))
    }

    pub(super) fn forget_leaving(&mut self) {
        self.leaving.clear();
    }

    /// The time to wait after a failed read, so that a socket that always fails does not keep a core busy.
    pub(super) fn pause(&self) -> Option<Duration> {
        self.failed.then_some(PAUSE)
    }

    /// Ends the pause.
    pub(super) fn resume(&mut self) {
        self.failed = false;
    }

    /// Ready if a datagram can be read. Pending during a pause.
    pub(super) fn poll_readable(&self, context: &mut Context<'_>) -> Poll<()> {
        if self.failed {
            return Poll::Pending;
        }
        // An error also counts as ready: the next read returns it.
        self.socket.poll_recv_ready(context).map(drop)
    }

    /// Waits until a datagram can be read. If the last read failed, only pauses, so that a socket that always fails
    /// does not keep a core busy.
    pub(super) fn readable(&mut self) -> impl Future<Output = ()> + use<> {
        let socket = Arc::clone(&self.socket);
        let failed = std::mem::take(&mut self.failed);
        async move {
            if failed || socket.readable().await.is_err() {
                sleep(PAUSE).await;
            }
        }
    }

    /// Checks and labels a datagram of `length` bytes for ENet. `None` if ENet must not receive it.
    fn admit(
        &mut self,
        buffer: &mut [u8; MTU_MAX],
        length: usize,
        from: SocketAddr,
    ) -> Option<usize> {
        // A datagram that fills the buffer may have been cut off, so it is dropped.
        let datagram = buffer.get(..length).filter(|datagram| datagram.len() < MTU_MAX)?;
        match self.guard.map_or(Verdict::Pass, |guard| guard.check(datagram)) {
            Verdict::Pass => {}
            Verdict::Leave(place) => {
                if self.leaving.len() < OVERSIZE {
                    self.leaving.push((from, place));
                }
            }
            Verdict::Drop => return None,
            Verdict::Oversize(place) => {
                if self.oversize.len() < OVERSIZE {
                    self.oversize.push((from, place));
                }
                return None;
            }
        }
        label(datagram, &mut self.labelled)?;
        buffer.get_mut(..self.labelled.len())?.copy_from_slice(&self.labelled);
        Some(self.labelled.len())
    }
}

/// The sizes of the buffers of a socket, in bytes. Linux reports twice the size that was set, since its number includes
/// the kernel's own data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Buffers {
    /// The size of the buffer for received datagrams.
    pub receive: usize,
    /// The size of the buffer for datagrams to be sent.
    pub send: usize,
}

/// Enlarges the buffers of a socket to `bytes`, or to the limit of the system (Linux: `net.core.rmem_max` and
/// `net.core.wmem_max`). Returns the sizes that the system has granted. A buffer that is larger than `bytes` stays.
///
/// With the usual 208 KiB, a system drops datagrams when two hundred clients send at once. A [`Driver`](crate::Driver)
/// calls this function with [`TransportLimits::buffer`](crate::TransportLimits::buffer). A program may call it earlier
/// to get the sizes.
///
/// # Errors
/// The system does not report the sizes.
///
/// ```
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
/// # runtime.block_on(async {
/// let socket = tokio::net::UdpSocket::bind("127.0.0.1:0").await?;
/// let granted = variant_multiplayer::enet::enlarge_buffers(&socket, 64 << 10)?;
/// assert!(granted.receive >= 64 << 10 && granted.send >= 64 << 10);
/// # Ok::<_, std::io::Error>(())
/// # })?;
/// # Ok::<_, std::io::Error>(())
/// ```
pub fn enlarge_buffers(socket: &UdpSocket, bytes: usize) -> io::Result<Buffers> {
    let socket = SockRef::from(socket);
    enlarge(socket.recv_buffer_size(), bytes, |size| socket.set_recv_buffer_size(size));
    enlarge(socket.send_buffer_size(), bytes, |size| socket.set_send_buffer_size(size));
    Ok(Buffers { receive: socket.recv_buffer_size()?, send: socket.send_buffer_size()? })
}

/// Requests a buffer of the size `wanted`, or the largest buffer that the system grants. Some systems refuse a size
/// above their limit, others grant a smaller size. A buffer that is larger than `wanted` keeps its size.
fn enlarge(has: io::Result<usize>, wanted: usize, set: impl Fn(usize) -> io::Result<()>) {
    let has = has.unwrap_or(0);
    let mut sizes = std::iter::successors(Some(wanted), |size| Some(size / 2));
    let _ = sizes.find(|size| *size <= has || set(*size).is_ok());
}

impl Socket for Datagrams {
    type Address = SocketAddr;
    type Error = Infallible;

    fn init(&mut self, options: SocketOptions) -> Result<(), Infallible> {
        let wanted = options.receive_buffer.max(options.send_buffer);
        // With smaller buffers more datagrams are lost, and ENet sends them again.
        let _ = enlarge_buffers(&self.socket, wanted);
        Ok(())
    }

    fn send(&mut self, address: SocketAddr, buffer: &[u8]) -> Result<usize, Infallible> {
        // A datagram that is not sent is lost, as on any network.
        Ok(self.socket.try_send_to(buffer, address).unwrap_or(0))
    }

    fn receive(
        &mut self,
        buffer: &mut [u8; MTU_MAX],
    ) -> Result<Option<(SocketAddr, PacketReceived)>, Infallible> {
        match self.socket.try_recv_from(buffer) {
            Ok((length, from)) => {
                // ENet gets an empty datagram instead of a refused datagram. ENet skips the empty datagram but counts
                // it, so that a flood does not prolong the poll.
                let admitted = self.admit(buffer, length, from).unwrap_or(0);
                Ok(Some((from, PacketReceived::Complete(admitted))))
            }
            Err(error) => {
                self.failed |= error.kind() != io::ErrorKind::WouldBlock;
                Ok(None)
            }
        }
    }
}

/// ENet's largest number of peers.
const PEERS: usize = 4_095;

/// A host with the engine's configuration.
pub(super) fn host(datagrams: Datagrams, peers: usize) -> io::Result<Host<Datagrams>> {
    if !(1..=PEERS).contains(&peers) {
        let reason = format!("`peers` is {peers}: an ENet socket has 1 to {PEERS}");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
    }
    // The host gets a monotonic clock. The default clock is the system's clock, which may be set back.
    let start = Instant::now();
    let settings = HostSettings {
        peer_limit: peers,
        channel_limit: CHANNELS,
        time: Box::new(move || start.elapsed()),
        ..HostSettings::default()
    };
    let invalid = |error| io::Error::new(io::ErrorKind::InvalidInput, error);
    let mut host = Host::new(datagrams, settings)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error.to_string()))?;
    host.set_mtu(MTU).map_err(invalid)?;
    Ok(host)
}

#[cfg(test)]
mod tests {
    use tokio::time::timeout;

    use super::*;

    #[tokio::test]
    async fn senders_of_large_packets_are_limited() {
        let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
        let from = socket.local_addr().unwrap();
        let mut datagrams = Datagrams::new(Arc::new(socket), Some(Guard::new(10)));
        // A reliable packet of 11 bytes.
        let datagram = [&[0x80, 5, 0, 0, 0x86, 0, 0, 1, 0, 11][..], &[7; 11]].concat();
        let mut buffer = [0; MTU_MAX];
        buffer.get_mut(..datagram.len()).unwrap().copy_from_slice(&datagram);
        for _ in 0..1_000 {
            assert_eq!(datagrams.admit(&mut buffer, datagram.len(), from), None);
        }
        assert_eq!(
            std::iter::from_fn(|| datagrams.pop_oversize()).collect::<Vec<_>>(),
            [(from, 5); OVERSIZE]
        );
    }

    #[test]
    fn buffers_are_as_large_as_the_system_allows() {
        let tried = std::cell::RefCell::new(Vec::new());
        let set = |most: usize| {
            let tried = &tried;
            move |size: usize| {
                tried.borrow_mut().push(size);
                if size <= most { Ok(()) } else { Err(io::ErrorKind::OutOfMemory.into()) }
            }
        };
        enlarge(Ok(100), 4_000, set(1_500));
        enlarge(Ok(3_000), 4_000, set(1_500));
        enlarge(Ok(8_000), 4_000, set(9_000));
        assert_eq!(tried.into_inner(), [4_000, 2_000, 1_000, 4_000]);
    }

    async fn datagrams(guard: Option<Guard>) -> (Datagrams, SocketAddr) {
        let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
        let address = socket.local_addr().unwrap();
        (Datagrams::new(Arc::new(socket), guard), address)
    }

    #[tokio::test]
    async fn leaving_peers_are_limited() {
        let (mut datagrams, from) = datagrams(Some(Guard::new(10))).await;
        let mut buffer = [0; MTU_MAX];
        let places = 0..u16::try_from(OVERSIZE).unwrap() + 2;
        for place in places.clone() {
            let leave = [&place.to_be_bytes()[..], &[0x84, 0xFF, 0, 1, 0, 0, 0, 0]].concat();
            buffer[..leave.len()].copy_from_slice(&leave);
            assert_eq!(datagrams.admit(&mut buffer, leave.len(), from), Some(leave.len()));
        }
        let leaving = places.filter(|place| datagrams.leaves(from, *place)).count();
        assert_eq!(leaving, OVERSIZE);
        assert!(!datagrams.leaves(SocketAddr::from(([127, 0, 0, 1], 0)), 0), "another address");
        datagrams.forget_leaving();
        assert!(!datagrams.leaves(from, 0));
    }

    /// A datagram that fills the buffer may be the start of a longer one.
    #[tokio::test]
    async fn datagrams_that_may_be_cut_off_are_dropped() {
        let (mut datagrams, from) = datagrams(None).await;
        let pings = [0x85, 0xFF, 0, 1].repeat(MTU_MAX / 4);
        let mut buffer = [0; MTU_MAX];
        for (length, expected) in [(MTU_MAX, None), (MTU_MAX - 4, Some(MTU_MAX - 4))] {
            buffer.copy_from_slice(&pings);
            // The header with a time has the size of a ping.
            buffer[..4].copy_from_slice(&[0x80, 5, 0, 0]);
            assert_eq!(datagrams.admit(&mut buffer, length, from), expected, "{length}");
        }
    }

    /// The system reports a closed port at the next read of a connected socket.
    #[tokio::test]
    async fn a_failed_read_is_followed_by_a_pause() {
        let other = UdpSocket::bind("127.0.0.1:0").await.unwrap();
        let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
        socket.connect(other.local_addr().unwrap()).await.unwrap();
        other.send_to(&[0x80, 0], socket.local_addr().unwrap()).await.unwrap();
        drop(other);
        socket.send(b"?").await.unwrap();
        let mut datagrams = Datagrams::new(Arc::new(socket), None);
        std::future::poll_fn(|context| datagrams.poll_readable(context)).await;
        let mut buffer = [0; MTU_MAX];
        assert_eq!(datagrams.pause(), None);
        assert!(matches!(datagrams.receive(&mut buffer), Ok(None)), "the port is closed");
        assert_eq!(datagrams.pause(), Some(PAUSE));
        let mut context = Context::from_waker(std::task::Waker::noop());
        assert_eq!(datagrams.poll_readable(&mut context), Poll::Pending);
        datagrams.resume();
        assert_eq!(datagrams.pause(), None);
        assert_eq!(datagrams.poll_readable(&mut context), Poll::Ready(()));
        assert!(matches!(datagrams.receive(&mut buffer), Ok(Some(_))));
        assert!(matches!(datagrams.receive(&mut buffer), Ok(None)), "nothing else has arrived");
        assert_eq!(datagrams.pause(), None);
        // After a failed read, a client does not wait for a datagram.
        datagrams.failed = true;
        timeout(Duration::from_secs(30), datagrams.readable()).await.unwrap();
        assert_eq!(datagrams.pause(), None);
    }

    /// ENet requests buffers when a host is created.
    #[tokio::test]
    async fn buffers_that_enet_requests_are_granted() {
        let (mut datagrams, _) = datagrams(None).await;
        let socket = Arc::clone(&datagrams.socket);
        let has = || SockRef::from(&*socket).recv_buffer_size().unwrap();
        SockRef::from(&*socket).set_recv_buffer_size(8 << 10).unwrap();
        assert!(has() < 64 << 10);
        let wanted = SocketOptions { receive_buffer: 64 << 10, send_buffer: 1 };
        datagrams.init(wanted).unwrap();
        assert!(has() >= 64 << 10);
    }
}
