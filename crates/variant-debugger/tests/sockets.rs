//! Sessions over sockets of the loopback interface: several games at once.

#![allow(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "a test may stop")]

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use variant_debugger::{Command, Game, GameOptions, Listener, Message, SessionOptions};

/// A game that sends its id, and ends after a command.
fn play(port: u16, pid: i64) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut game = Game::new(GameOptions::GODOT_4);
        let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream.write_all(&game.send(&Message::SetPid { pid }).unwrap()).unwrap();
        let mut place = [0; 64];
        loop {
            let read = stream.read(&mut place).unwrap();
            assert!(read > 0, "the debugger closed the connection");
            game.handle(&place[..read], Instant::now());
            if let Some(request) = game.next_request() {
                return request.unwrap().name().to_owned();
            }
        }
    })
}

#[test]
fn a_blocking_listener_takes_a_game() {
    let listener = Listener::loopback(0).unwrap();
    let address = listener.address().unwrap();
    assert!(address.ip().is_loopback());
    let played = play(address.port(), 7);
    let mut game = listener.accept(SessionOptions::default()).unwrap();
    let event = game.next_event().unwrap().unwrap();
    assert!(matches!(event.message(), Message::SetPid { pid: 7 }));
    let error = game.send(&Command::Step).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidInput, "the game runs");
    game.send(&Command::Break).unwrap();
    assert_eq!(played.join().unwrap(), "break");
    assert!(game.next_event().unwrap().is_none(), "the game has closed the connection");
}

/// A message that arrives byte by byte does not keep a call longer than the timeout of the socket.
#[test]
fn a_slow_message_ends_a_call() {
    let listener = Listener::loopback(0).unwrap();
    let port = listener.address().unwrap().port();
    let slow = thread::spawn(move || {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream.write_all(&(1_u32 << 20).to_le_bytes()).unwrap();
        // Ends when the debugger closes the connection.
        (0..10_000)
            .take_while(|_| {
                thread::sleep(Duration::from_millis(2));
                stream.write_all(&[0]).is_ok()
            })
            .count()
    });
    let mut game = listener.accept(SessionOptions::default()).unwrap();
    game.stream().set_read_timeout(Some(Duration::from_millis(50))).unwrap();
    for _ in 0..2 {
        let start = Instant::now();
        let error = game.next_event().unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::TimedOut | ErrorKind::WouldBlock), "{error}");
        assert!(start.elapsed() < Duration::from_secs(5));
    }
    drop(game);
    assert!(slow.join().unwrap() < 10_000);
}

#[tokio::test]
async fn several_games_have_a_session_each() {
    let listener = variant_debugger::tokio::Listener::loopback(0).await.unwrap();
    let port = listener.address().unwrap().port();
    let played: Vec<_> = (1..=4).map(|pid| play(port, pid)).collect();
    let mut games = Vec::new();
    for _ in &played {
        games.push(listener.accept(SessionOptions::default()).await.unwrap());
    }
    let mut pids = Vec::new();
    for game in &mut games {
        let event = game.next_event().await.unwrap().unwrap();
        let Message::SetPid { pid } = event.message() else { panic!("{event:?}") };
        pids.push(pid);
    }
    pids.sort_unstable();
    assert_eq!(pids, [1, 2, 3, 4]);
    for game in &mut games {
        game.send(&Command::SceneTree).await.unwrap();
        assert!(game.next_event().await.unwrap().is_none());
    }
    for game in played {
        assert_eq!(game.join().unwrap(), "scene:request_scene_tree");
    }
}

#[test]
fn no_event_follows_a_fatal_error() {
    let listener = Listener::loopback(0).unwrap();
    let mut stream = TcpStream::connect(listener.address().unwrap()).unwrap();
    stream.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
    let mut game = listener.accept(SessionOptions::default()).unwrap();
    let error = game.next_event().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidData);
    // The socket is still open: a read would wait.
    assert!(game.next_event().unwrap().is_none());
    drop(stream);
}
