//! `mcp`: a scripted client over standard input and output.

#[cfg(feature = "mcp")]
#[path = "mcp/client.rs"]
mod client;
#[cfg(feature = "mcp")]
#[path = "mcp/debug.rs"]
mod debug;
#[cfg(feature = "mcp")]
#[path = "mcp/folders.rs"]
mod folders;
#[cfg(feature = "mcp")]
#[path = "mcp/protocol.rs"]
mod protocol;
#[cfg(feature = "mcp")]
#[path = "mcp/results.rs"]
mod results;
#[cfg(feature = "mcp")]
#[path = "mcp/set.rs"]
mod set;

#[cfg(not(feature = "mcp"))]
#[test]
fn a_program_without_the_server_says_so() {
    let told = crate::common::refused(2, &["mcp"], &[]);
    assert!(told.contains("--features mcp"), "{told}");
}
