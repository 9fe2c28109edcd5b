//! [`Datagrams`]: tokio's socket as ENet's.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use rusty_enet::{Host, HostSettings, MTU_MAX, PacketReceived, Socket};
use tokio::net::UdpSocket;
use tokio::time::{Instant, sleep};

use super::guard::{Guard, Verdict};
use super::delivery::label;
use super::{CHANNELS, MTU};

/// The oversized packets that are remembered between two looks. More peers than that are seen at the next.
const OVERSIZE: usize = 64;
/// How long nothing is read after a failure.
const PAUSE: Duration = Duration::from_millis(1);

/// The datagrams of a socket, without waiting. Errors are lost datagrams: what UDP reports, such as a port that
/// nobody listens at, is about one peer, and ENet notices that by itself.
#[derive(Debug)]
pub(super) struct Datagrams {
    socket: Arc<UdpSocket>,
    guard: Option<Guard>,
    /// Who sent packets above the limit: address and place.
    oversize: Vec<(SocketAddr, u16)>,
    failed: bool,
}

impl Datagrams {
    /// A datagram with labels.
    labelled: Vec<u8>,
    pub(super) fn new(socket: Arc<UdpSocket>, guard: Option<Guard>) -> Self {
        Self { socket, guard, oversize: Vec::new(), labelled: Vec::new(), failed: false }
    }

    /// Waits until datagrams can be sent. Before the first look of the system, tokio takes no socket for writable, and the
    /// first datagram would be lost.
    pub(super) fn writable(&self) -> impl Future<Output = ()> + use<> {
        let socket = Arc::clone(&self.socket);
        async move {
            // A socket that fails loses datagrams, as said above.
            let _ = socket.writable().await;
        }
    }

    /// Who sent packets above the limit since the last look.
    pub(super) fn take_oversize(&mut self) -> Vec<(SocketAddr, u16)> {
        std::mem::take(&mut self.oversize)
    }

    /// Waits until a datagram can be read. A socket that fails on and on does not keep a core busy.
    pub(super) fn readable(&mut self) -> impl Future<Output = ()> + use<> {
        let socket = Arc::clone(&self.socket);
        let failed = std::mem::take(&mut self.failed);
        async move {
            if failed || socket.readable().await.is_err() {
                sleep(PAUSE).await;
            }
        }
    }

    /// Makes a datagram of `length` bytes one for ENet, with labels; none if ENet is not to have it.
    fn admit(
        &mut self,
        buffer: &mut [u8; MTU_MAX],
        length: usize,
        from: SocketAddr,
    ) -> Option<usize> {
        // A datagram that fills the buffer may have been longer.
        let datagram = buffer.get(..length).filter(|datagram| datagram.len() < MTU_MAX)?;
        match self.guard.map_or(Verdict::Pass, |guard| guard.check(datagram)) {
            Verdict::Pass => {}
            Verdict::Drop => return None,
            Verdict::Oversize(place) => {
                if self.oversize.len() < OVERSIZE {
                    self.oversize.push((from, place));
                }
                return None;
            }
        }
    }
}

impl Socket for Datagrams {
        label(datagram, &mut self.labelled)?;
        buffer.get_mut(..self.labelled.len())?.copy_from_slice(&self.labelled);
        Some(self.labelled.len())
    type Address = SocketAddr;
    type Error = Infallible;

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
                // ENet skips an empty one, and counts it, so that a flood does not hold it up.
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

/// A host as the engine makes it.
pub(super) fn host(datagrams: Datagrams, peers: usize) -> io::Result<Host<Datagrams>> {
    // The default is the clock on the wall, which may be set back.
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
