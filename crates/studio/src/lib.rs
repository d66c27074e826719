//! The studio: play, teach, watch, ask why, rewind and edit in a browser.
//!
//! [`Studio::open`] starts a server on one thread and a match ([`stage`]) on another. Browsers get pages that are part of the program
//! (`web/`, plain ES modules), and speak with the stage over WebSockets: [`stage::ask::Ask`] is all they can say.
//!
//! | module     | what it holds                                                             |
//! |------------|---------------------------------------------------------------------------|
//! | [`stage`]  | the match, its past, people and pupils                                    |
//! | [`server`] | pages and sockets; who may connect                                        |
//! | `clock`    | the one place that looks at the clock                                     |
//!
//! What a library user would want is elsewhere: timelines, what-if, how-often, why-not and breakpoints are in `repertoire_eval`.

mod clock;
pub mod server;
pub mod stage;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;

use server::guard::Guard;
use stage::cast::Setting;
use stage::{Shared, Stage};

/// Asks that may wait for the stage; a browser that asks when there is no room is sent away.
const WAITING: usize = 20_000;

/// What a studio is opened with.
pub struct Options {
    /// The address to serve on; loopback unless told otherwise. Beyond loopback a token is required.
    pub host: IpAddr,
    /// The port; 0 lets the system choose one.
    pub port: u16,
    /// Files are only read and written below this folder.
    pub folder: PathBuf,
    /// The first match.
    pub setting: Setting,
    /// The most browsers at the same time.
    pub most_clients: usize,
}

impl Options {
    /// On loopback, at a port that the system chooses.
    pub fn new(setting: Setting, folder: PathBuf) -> Self {
        Options { host: Ipv4Addr::LOCALHOST.into(), port: 0, folder, setting, most_clients: 1200 }
    }
}

/// A studio that serves.
#[derive(Debug)]
pub struct Studio {
    address: SocketAddr,
    token: Option<String>,
    server: std::thread::JoinHandle<std::io::Result<()>>,
}

impl Studio {
    /// Starts to serve.
    ///
    /// # Errors
    /// If the port is taken.
    pub fn open(options: Options) -> std::io::Result<Self> {
        let listener = std::net::TcpListener::bind((options.host, options.port))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let guard = Guard::new(address);
        let token = guard.token().map(str::to_owned);
        let shared = Arc::new(Shared::default());
        let (asks, waiting) = sync_channel(WAITING);
        let stage = Stage::new(shared.clone(), options.folder, options.setting);
        std::thread::Builder::new().name("stage".to_owned()).spawn(move || stage.run(&waiting))?;
        let server = std::thread::Builder::new().name("server".to_owned()).spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            runtime.block_on(server::serve(listener, guard, shared, asks, options.most_clients))
        })?;
        Ok(Studio { address, token, server })
    }

    /// Where it serves.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address for a browser, with the token if one is needed.
    pub fn url(&self) -> String {
        let token = self.token.as_ref().map_or(String::new(), |token| format!("?token={token}"));
        format!("http://{}/{token}", self.address)
    }

    /// Serves until the process ends.
    ///
    /// # Errors
    /// If the server stops by itself.
    pub fn wait(self) -> std::io::Result<()> {
        self.server.join().unwrap_or_else(|_| Err(std::io::Error::other("the server panicked")))
    }
}
