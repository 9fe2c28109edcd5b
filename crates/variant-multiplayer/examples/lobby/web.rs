//! The process of a match: an HTTP server with the game at `/play` and its numbers at `/metrics`.
//!
//! The limits of the driver apply from the upgrade on. Over an open network, a proxy before the match limits the time and
//! the number of HTTP connections.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use hyper_util::rt::TokioIo;
use prometheus_client::encoding::text::encode;
use prometheus_client::registry::Registry;
use tokio::net::TcpListener;
use tokio::sync::{Notify, mpsc};
use tokio_tungstenite::tungstenite::handshake::server::create_response_with_body;
use variant_multiplayer::Driver;
use variant_multiplayer::websocket::{self, Acceptor};

use crate::game::{self, Token};

/// Serves a match until it ends. Its address is the first line of the output.
pub(crate) async fn serve(ip: IpAddr, patience: Duration) -> io::Result<()> {
    let listener = TcpListener::bind((ip, 0)).await?;
    println!("{}", listener.local_addr()?);
    let end = Arc::new(Notify::new());
    let (tokens, inbox) = mpsc::channel(16);
    read_tokens(tokens, Arc::clone(&end));
    let mut registry = Registry::with_prefix("match");
    let server = game::server(patience, Arc::clone(&end), &mut registry);
    let (acceptor, source) = websocket::channel();
    let game = Driver::new(server).websocket(source).inbox(inbox).run(end.notified());
    let paths = Router::new()
        .route("/play", get(play))
        .with_state(acceptor)
        .route("/metrics", get(metrics))
        .with_state(Arc::new(registry));
    let service = paths.into_make_service_with_connect_info::<SocketAddr>();
    tokio::select! {
        done = game => done.map(drop),
        done = axum::serve(listener, service) => done,
    }
}

/// Passes the lines of the lobby to the game, and ends the match after the last line. Runs on a thread, since a runtime
/// does not end during a read of the standard input.
fn read_tokens(tokens: mpsc::Sender<Token>, end: Arc<Notify>) {
    thread::spawn(move || {
        let mut lines = io::stdin().lines().map_while(Result::ok);
        while lines.next().is_some_and(|line| tokens.blocking_send(Token(line)).is_ok()) {}
        end.notify_one();
    });
}

/// Answers the upgrade, and passes the connection to the driver.
async fn play(
    State(acceptor): State<Acceptor>,
    ConnectInfo(address): ConnectInfo<SocketAddr>,
    mut request: Request,
) -> Result<Response, StatusCode> {
    let response = create_response_with_body(&request, Body::empty);
    let response = response.map_err(|_| StatusCode::BAD_REQUEST)?;
    let upgrade = hyper::upgrade::on(&mut request);
    let stream = async { upgrade.await.map(TokioIo::new).map_err(io::Error::other) };
    let accepted = acceptor.accept_upgraded(stream, Some(address)).await;
    accepted.map_err(|_| StatusCode::SERVICE_UNAVAILABLE)?;
    Ok(response)
}

async fn metrics(State(registry): State<Arc<Registry>>) -> Response {
    let mut text = String::new();
    if encode(&mut text, &registry).is_err() {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    }
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}
