//! What both ends of a connection set.

use std::io;

use tokio_tungstenite::tungstenite::Error;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

/// What is read at once. Small, since there are many connections.
const READ_BUFFER: usize = 8 << 10;
/// What is gathered before it is written without a flush.
const WRITE_BUFFER: usize = 16 << 10;

/// The configuration for messages of up to `packet` bytes.
pub(super) fn config(packet: usize) -> WebSocketConfig {
    WebSocketConfig::default()
        .read_buffer_size(READ_BUFFER)
        .write_buffer_size(WRITE_BUFFER)
        .max_message_size(Some(packet))
        .max_frame_size(Some(packet))
}

/// An error of the library as one of input and output.
pub(super) fn io_error(error: Error) -> io::Error {
    match error {
        Error::Io(error) => error,
        other => io::Error::other(other),
    }
}
