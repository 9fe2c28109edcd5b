//! The configuration of both ends of a connection.

use std::io;

use tokio_tungstenite::tungstenite::Error;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

/// The size of a read. It is small, since there are many connections.
const READ_BUFFER: usize = 4 << 10;
/// The number of bytes that may be buffered. If more bytes are buffered, they are written without a flush.
const WRITE_BUFFER: usize = 4 << 10;

/// The configuration for messages of up to `packet` bytes.
pub(super) fn config(packet: usize) -> WebSocketConfig {
    WebSocketConfig::default()
        .read_buffer_size(READ_BUFFER)
        .write_buffer_size(WRITE_BUFFER)
        .max_message_size(Some(packet))
        .max_frame_size(Some(packet))
}

/// Converts an error of the library to an I/O error.
pub(super) fn io_error(error: Error) -> io::Error {
    match error {
        Error::Io(error) => error,
        other => io::Error::other(other),
    }
}
