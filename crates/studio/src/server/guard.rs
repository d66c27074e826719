//! Who may connect: the host must be one of ours, a page that connects must be ours too, and beyond loopback a token is needed.
//!
//! A page somewhere on the web can make a browser send requests to loopback. It cannot choose the `Host` unless it rebinds a name of
//! its own, which is why the host is checked; and it cannot hide its `Origin`, which is why that is checked.

use std::fmt;
use std::hash::{BuildHasher, Hasher};
use std::net::SocketAddr;

use axum::http::{HeaderMap, StatusCode, Uri, header};

/// Decides who may connect.
#[derive(Debug)]
pub struct Guard {
    address: SocketAddr,
    token: Option<String>,
}

/// Why somebody may not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// Asked for by another name.
    Host,
    /// By another page.
    Origin,
    /// Without the token.
    Token,
}

impl Refused {
    /// The status of the answer.
    pub fn status(self) -> StatusCode {
        match self {
            Refused::Host => StatusCode::MISDIRECTED_REQUEST,
            Refused::Origin => StatusCode::FORBIDDEN,
            Refused::Token => StatusCode::UNAUTHORIZED,
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refused::Host => "the studio is not known by this name: use the address that it printed",
            Refused::Origin => "only the studio's own page may connect",
            Refused::Token => "a token is needed: use the address that the studio printed",
        })
    }
}

impl Guard {
    /// A guard for an address; beyond loopback with a token.
    pub fn new(address: SocketAddr) -> Self {
        Guard { address, token: (!address.ip().is_loopback()).then(token) }
    }

    /// The token, if one is needed.
    pub fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// Whether a page may be fetched. Scripts and styles are the same for everybody; the token is asked for where it matters, at the page itself and at the socket.
    pub fn check(&self, headers: &HeaderMap, uri: &Uri) -> Result<(), Refused> {
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).ok_or(Refused::Host)?;
        if !self.knows(host) {
            return Err(Refused::Host);
        }
        if uri.path() == "/" { self.check_token(uri) } else { Ok(()) }
    }

    /// Whether a socket may be opened: our page, and the token.
    pub fn check_socket(&self, headers: &HeaderMap, uri: &Uri) -> Result<(), Refused> {
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).ok_or(Refused::Host)?;
        let origin =
            headers.get(header::ORIGIN).and_then(|origin| origin.to_str().ok()).ok_or(Refused::Origin)?;
        let page = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        if page != Some(host) {
            return Err(Refused::Origin);
        }
        self.check_token(uri)
    }

    fn check_token(&self, uri: &Uri) -> Result<(), Refused> {
        match &self.token {
            None => Ok(()),
            Some(token) if parameter(uri, "token").is_some_and(|given| same(given, token)) => Ok(()),
            Some(_) => Err(Refused::Token),
        }
    }

    /// On loopback only its names; elsewhere the token tells friends, and names may be anything.
    fn knows(&self, host: &str) -> bool {
        if self.token.is_some() {
            return true;
        }
        let port = self.address.port();
        let names = [
            format!("127.0.0.1:{port}"),
            format!("localhost:{port}"),
            format!("[::1]:{port}"),
            self.address.to_string(),
        ];
        names.iter().any(|name| name == host)
    }
}

/// A value of the part of an address behind the `?`, as it is written there.
pub fn parameter<'a>(uri: &'a Uri, name: &str) -> Option<&'a str> {
    let pairs = uri.query()?.split('&').filter_map(|pair| pair.split_once('='));
    pairs.into_iter().find(|(key, _)| *key == name).map(|(_, value)| value)
}

/// Compares in a time that tells nothing of how much was right.
fn same(given: &str, token: &str) -> bool {
    given.len() == token.len()
        && given.bytes().zip(token.bytes()).fold(0, |differs, (a, b)| differs | (a ^ b)) == 0
}

/// 128 bits that nobody can guess: what the system seeds its hash tables with.
fn token() -> String {
    let bits = || std::hash::RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", bits(), bits())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(host: &str, origin: Option<&str>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().expect("good"));
        origin.map(|origin| headers.insert(header::ORIGIN, origin.parse().expect("good")));
        headers
    }

    #[test]
    fn on_loopback_only_its_names_and_its_own_page_may_connect() {
        let guard = Guard::new(([127, 0, 0, 1], 8000).into());
        let socket = Uri::from_static("/socket");
        for (host, origin, expected) in [
            ("127.0.0.1:8000", Some("http://127.0.0.1:8000"), Ok(())),
            ("localhost:8000", Some("http://localhost:8000"), Ok(())),
            ("localhost:8000", Some("http://evil.example"), Err(Refused::Origin)),
            ("localhost:8000", Some("null"), Err(Refused::Origin)),
            ("localhost:8000", None, Err(Refused::Origin)),
        ] {
            assert_eq!(guard.check_socket(&headers(host, origin), &socket), expected, "{host} {origin:?}");
        }
        for host in ["evil.example", "evil.example:8000", "127.0.0.1", "127.0.0.1:8001", ""] {
            assert_eq!(
                guard.check(&headers(host, None), &Uri::from_static("/")),
                Err(Refused::Host),
                "{host}"
            );
        }
        assert_eq!(guard.token(), None);
    }

    #[test]
    fn beyond_loopback_a_token_is_needed() {
        let guard = Guard::new(([0, 0, 0, 0], 8000).into());
        let token = guard.token().expect("it is needed").to_owned();
        let ours = headers("box.lan:8000", Some("http://box.lan:8000"));
        let uri = |query: &str| format!("/socket?{query}").parse::<Uri>().expect("good");
        assert_eq!(guard.check_socket(&ours, &uri(&format!("key=abc&token={token}"))), Ok(()));
        for wrong in ["", "token=", "token=0123", &format!("token={}x", &token[1..]), &format!("x{token}")] {
            assert_eq!(guard.check_socket(&ours, &uri(wrong)), Err(Refused::Token), "{wrong}");
        }
        assert_eq!(guard.check(&ours, &Uri::from_static("/")), Err(Refused::Token));
        assert_ne!(Some(token.as_str()), Guard::new(([0, 0, 0, 0], 8000).into()).token());
    }
}
