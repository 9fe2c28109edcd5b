//! [`Client`]: a scripted client of the server.

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// The time after which a test fails instead of waiting.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server, and a client that speaks to it.
pub(crate) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    id: u64,
}

impl Client {
    /// Starts a server in a folder. The handshake is left to the test.
    pub(crate) fn start(folder: &Path, arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_variant-inspect"))
            .arg("mcp")
            .args(arguments)
            .current_dir(folder)
            .env("VARIANT_INSPECT_CONFIG", "")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (send, lines) = channel();
        thread::spawn(move || {
            output.lines().map_while(Result::ok).try_for_each(|line| send.send(line))
        });
        Self { input: child.stdin.take(), child, lines, id: 0 }
    }

    /// Starts a server, and shakes hands.
    pub(crate) fn new(folder: &Path, arguments: &[&str]) -> Self {
        let mut client = Self::start(folder, arguments);
        client.initialize();
        client
    }

    /// Shakes hands. Returns what the server says about itself.
    pub(crate) fn initialize(&mut self) -> Value {
        let client = json!({ "name": "test", "version": "1" });
        let params = json!({
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client,
        });
        let answer = self.request("initialize", params);
        self.write(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string());
        answer["result"].clone()
    }

    /// Writes a line.
    pub(crate) fn write(&mut self, line: &str) {
        self.try_write(line).unwrap();
    }

    /// Writes a line to a server that may have ended.
    pub(crate) fn try_write(&mut self, line: &str) -> io::Result<()> {
        self.input.as_mut().unwrap().write_all(format!("{line}\n").as_bytes())
    }

    /// Writes a request. Returns its id.
    pub(crate) fn send(&mut self, method: &str, params: Value) -> u64 {
        self.id += 1;
        let id = self.id;
        let mut message = json!({ "jsonrpc": "2.0", "id": id, "method": method });
        message["params"] = params;
        self.write(&message.to_string());
        id
    }

    /// Reads a message.
    pub(crate) fn read(&mut self) -> Value {
        let line = self.lines.recv_timeout(PATIENCE).expect("an answer");
        serde_json::from_str(&line).unwrap()
    }

    /// Sends a request, and waits for its answer.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        let answer = self.read();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// Calls a tool. Returns its result.
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let mut call = json!({ "name": tool });
        call["arguments"] = arguments;
        let answer = self.request("tools/call", call);
        let result = answer.get("result").unwrap_or_else(|| panic!("{answer}"));
        // Clients of earlier versions read the text.
        let text = result["content"][0]["text"].as_str().unwrap();
        assert_eq!(serde_json::from_str::<Value>(text).unwrap(), result["structuredContent"]);
        result.clone()
    }

    /// Calls a tool, which must work. Returns the structured content.
    #[track_caller]
    pub(crate) fn good(&mut self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], false, "{result}");
        result["structuredContent"].clone()
    }

    /// Calls a tool, which must fail. Returns its notes.
    #[track_caller]
    pub(crate) fn refused(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], true, "{result}");
        assert_eq!(result["structuredContent"]["status"], "error");
        let notes = result["structuredContent"]["notes"].as_array().unwrap();
        notes.iter().map(|note| note.as_str().unwrap()).collect::<Vec<_>>().join("\n")
    }

    /// Closes the connection. Returns the exit status of the server.
    pub(crate) fn leave(&mut self) -> Option<i32> {
        drop(self.input.take());
        self.status()
    }

    /// Sends SIGTERM to the server. Returns its exit status.
    #[cfg(unix)]
    pub(crate) fn end(&mut self) -> Option<i32> {
        assert!(Command::new("kill").arg(self.child.id().to_string()).status().unwrap().success());
        self.status()
    }

    /// Waits for the end of the server. Returns its exit status.
    fn status(&mut self) -> Option<i32> {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            thread::sleep(Duration::from_millis(5));
        }
        panic!("the server does not end");
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
