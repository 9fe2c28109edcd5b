//! A server of buckets on the loopback: `moto_server` of the package `moto[server]` for Python.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A server with the bucket `saves`, which ends with the test.
pub(crate) struct Moto {
    server: Child,
    port: u16,
}

impl Moto {
    /// Starts a server; `None` if `moto_server` is not installed.
    pub(crate) fn start() -> Option<Self> {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let server = Command::new("moto_server")
            .args(["-H", "127.0.0.1", "-p", &port.to_string()])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let server = match server {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                eprintln!(
                    "buckets are NOT TESTED: there is no moto_server (pip install moto[server])"
                );
                return None;
            }
            server => server.unwrap(),
        };
        let moto = Self { server, port };
        let started = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(started.elapsed() < Duration::from_secs(100), "moto_server does not answer");
            sleep(Duration::from_millis(50));
        }
        moto.put("saves", &[]);
        Some(moto)
    }

    /// Makes an object `BUCKET/NAME`, or a bucket.
    pub(crate) fn put(&self, name: &str, bytes: &[u8]) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(100))).unwrap();
        let (port, len) = (self.port, bytes.len());
        let head = format!(
            "PUT /{name} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: {len}\r\nConnection: close\r\n\r\n"
        );
        stream.write_all(&[head.as_bytes(), bytes].concat()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.split(' ').nth(1) == Some("200"), "{name}: {answer}");
    }

    /// The environment variables for clients of this server.
    pub(crate) fn settings(&self) -> [(&'static str, String); 5] {
        [
            ("AWS_ENDPOINT", format!("http://127.0.0.1:{}", self.port)),
            ("AWS_ALLOW_HTTP", "true".to_owned()),
            ("AWS_ACCESS_KEY_ID", "test".to_owned()),
            ("AWS_SECRET_ACCESS_KEY", "test".to_owned()),
            ("AWS_REGION", "us-east-1".to_owned()),
        ]
    }
}

impl Drop for Moto {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
