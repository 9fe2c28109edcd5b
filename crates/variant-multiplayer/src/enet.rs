//! The transport of the engine's `ENetMultiplayerPeer`, over tokio: [`serve`] for servers, [`Client`] for bots and tests.
//!
//! ENet 1.3 over UDP, without compression and checksums. A client chooses its number, and sends it when it connects.
//! One ENet packet carries one packet.
//!
//! | mode | ENet |
//! |---|---|
//! | reliable | reliable |
//! | unreliable ordered | sequenced |
//! | unreliable | unsequenced |
//!
//! Reliable packets of channel 0 use ENet's channel 0, other packets of channel 0 use 1, packets of channel n use n + 1.
//!
//! Nothing is encrypted, and one answer of a client proves its address: anyone who sees the client's datagrams can
//! impersonate it.

mod client;
mod delivery;
mod guard;
mod hub;
mod socket;

use std::future::Future;
use std::io;

use tokio::net::UdpSocket;

pub use self::client::Client;
use self::hub::Hub;
use crate::transport::{Service, TransportLimits};

/// The channels of a connection: the engine's number, which is ENet's maximum.
const CHANNELS: usize = 255;
/// The engine's largest datagram, for clients and servers.
const MTU: u16 = 1_392;

/// Serves the clients of a socket until `shutdown`, then disconnects them and returns the service.
///
/// One task does everything: it handles waiting datagrams as a batch, and sends the outputs after each packet. If a
/// client does not acknowledge, the task disconnects it when more than [`TransportLimits::backlog`] bytes wait, and
/// ENet disconnects it after [`TransportLimits::idle`], or a sixth of it if its round trips were short.
///
/// A client whose number is in use, below 2 or above 2,147,483,647 is disconnected without notice to the service.
///
/// The buffers of the socket are enlarged to 4 MiB, or to the limit of the system (Linux: `net.core.rmem_max` and
/// `net.core.wmem_max`). With the usual 208 KiB a system drops datagrams when two hundred clients send at once.
///
/// Datagrams that the engine cannot have sent are dropped before ENet sees them: fragments that leave gaps, empty
/// packets, MTUs below the engine's.
///
/// At `shutdown` the queued packets are sent and all clients are disconnected, within two seconds. The service is not
/// notified.
///
/// # Errors
/// [`TransportLimits::peers`] is 0, or more than ENet's 4,095; [`TransportLimits::idle`] is shorter than three pings. No error of the socket ends the server.
///
/// ```
/// # use std::time::{Duration, Instant};
/// # use tokio::net::UdpSocket;
/// # use variant_multiplayer::{Input, Output, Service, TransportLimits, enet};
/// /// Answers nobody.
/// struct Silent;
///
/// impl Service for Silent {
///     fn handle(&mut self, _: Input<'_>, _: Instant) {}
///     fn output(&mut self) -> Option<Output> {
///         None
///     }
/// }
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
/// # runtime.block_on(async {
/// let socket = UdpSocket::bind("127.0.0.1:0").await?;
/// let shutdown = tokio::time::sleep(Duration::from_millis(10));
/// enet::serve(socket, Silent, TransportLimits::SERVER, shutdown).await?;
/// # Ok::<_, std::io::Error>(())
/// # })?;
/// # Ok::<_, std::io::Error>(())
/// ```
pub async fn serve<S: Service>(
    socket: UdpSocket,
    service: S,
    limits: TransportLimits,
    shutdown: impl Future<Output = ()>,
) -> io::Result<S> {
    limits.check()?;
    Ok(Hub::new(socket, service, limits)?.run(shutdown).await)
}
