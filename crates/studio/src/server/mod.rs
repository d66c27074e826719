//! Pages and sockets, on one thread.
//!
//! | module     | what it holds                                              |
//! |------------|------------------------------------------------------------|
//! | [`guard`]  | who may connect: host, origin, token                       |
//! | `pages`    | the pages, which are part of the program                   |
//! | `client`   | one browser: frames out, asks in, within limits            |
//! | [`elsewhere`] | rooms and towns                                         |
//! | `door`     | how many connections there may be                          |

mod client;
mod door;
pub mod elsewhere;
pub mod guard;
mod pages;

use std::net::TcpListener;
use std::sync::Arc;
use std::sync::mpsc::SyncSender;

use axum::Router;
use axum::extract::{Request, State, WebSocketUpgrade};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::stage::ask::LONGEST_TEXT;
use crate::stage::{Envelope, Shared};
use guard::Guard;

/// What every request sees.
#[derive(Clone)]
struct Server {
    guard: Arc<Guard>,
    shared: Arc<Shared>,
    asks: SyncSender<Envelope>,
    most_clients: usize,
}

/// Scripts and pictures only from here, and nobody may frame the page.
const POLICY: &str = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; connect-src 'self' ws: wss:; \
                      frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/// The same for pages that need nothing but themselves.
const POLICY_ELSEWHERE: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; base-uri 'none'";

/// Serves for ever.
pub(crate) async fn serve(
    listener: TcpListener,
    guard: Guard,
    shared: Arc<Shared>,
    asks: SyncSender<Envelope>,
    most_clients: usize,
) -> std::io::Result<()> {
    let server = Server { guard: Arc::new(guard), shared, asks, most_clients };
    let routes = Router::new()
        .route("/socket", get(socket))
        .fallback(page)
        .layer(from_fn_with_state(server.clone(), guarded))
        .with_state(server);
    let listener = door::Door::new(tokio::net::TcpListener::from_std(listener)?, most_clients);
    axum::serve(listener, routes).await
}

/// Refuses whoever comes by another name, from another page, or without the token.
async fn guarded(State(server): State<Server>, request: Request, next: Next) -> Response {
    if let Err(refused) = server.guard.check(request.headers(), request.uri()) {
        return (refused.status(), format!("{refused}\n")).into_response();
    }
    // Those pages carry their script in themselves.
    let policy = if elsewhere::is_one(request.uri().path()) { POLICY_ELSEWHERE } else { POLICY };
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-cache"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

async fn page(uri: Uri) -> Response {
    if elsewhere::is_one(uri.path()) {
        let path = uri.path().to_owned();
        let made = tokio::task::spawn_blocking(move || elsewhere::page(&path)).await;
        if let Ok(Some(page)) = made {
            return ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], page).into_response();
        }
    }
    match pages::find(uri.path()) {
        Some((kind, bytes)) => ([(header::CONTENT_TYPE, kind)], bytes).into_response(),
        None => (StatusCode::NOT_FOUND, "there is no such page\n").into_response(),
    }
}

/// The longest key by which a browser is known again.
const LONGEST_KEY: usize = 64;

async fn socket(
    State(server): State<Server>,
    uri: Uri,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    if let Err(refused) = server.guard.check_socket(&headers, &uri) {
        return (refused.status(), format!("{refused}\n")).into_response();
    }
    let key: Arc<str> = guard::parameter(&uri, "key")
        .filter(|key| (8..=LONGEST_KEY).contains(&key.len()))
        .unwrap_or("nobody")
        .into();
    let Some(seat) = client::Seat::take(&server.shared, server.most_clients) else {
        return (StatusCode::SERVICE_UNAVAILABLE, "too many browsers are connected: close one\n")
            .into_response();
    };
    upgrade
        .max_message_size(LONGEST_TEXT + 1024)
        .max_frame_size(LONGEST_TEXT + 1024)
        .max_write_buffer_size(4 * 1024 * 1024)
        .on_upgrade(move |socket| client::talk(socket, key, seat, server.asks))
}
