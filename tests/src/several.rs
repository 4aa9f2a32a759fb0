//! Several processes that serve one studio, behind a proxy that takes turns: on a PostgreSQL server and a bucket, without a shared disk.
//!
//! Always true here: each process has a data folder of its own and the key file of the first; clients know the address of the proxy alone.
//! The proxy runs in a thread of its own, so that a test may wait for a studio that it is in front of. Not here: what a process is told
//! besides; that is as with one ([`crate::studio`]).

use std::thread::JoinHandle;

use tokio::sync::oneshot;

use crate::bucket::Bucket;
use crate::http::{CANONICAL, Http};
use crate::postgres::{Database, Server};
use crate::proxy::Proxy;
use crate::studio::{Options, Studio, authority};

/// The proxies in front of the API and of storage.
pub struct Front {
    /// In front of the API.
    pub api: Proxy,
    /// In front of storage.
    pub storage: Proxy,
    running: Option<(oneshot::Sender<()>, JoinHandle<()>)>,
}

impl Front {
    /// Starts both, with nobody behind them yet.
    ///
    /// # Panics
    /// Where they cannot start.
    #[must_use]
    pub fn start() -> Self {
        let (stop, stopped) = oneshot::channel::<()>();
        let (started, starting) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async {
                let both = (Proxy::start().await, Proxy::start().await);
                started.send(both).unwrap_or_else(|_| panic!("a test that waits"));
                let _ = stopped.await;
            });
            runtime.shutdown_background();
        });
        let (api, storage) = starting.recv().expect("proxies that start");
        Self { api, storage, running: Some((stop, thread)) }
    }

    /// Lets these processes take turns from now on, and no others.
    pub fn take_turns(&self, studios: &[&Studio]) {
        self.api.forward_in_turn(&studios.iter().map(|studio| studio.api_authority()).collect::<Vec<_>>());
        self.storage.forward_in_turn(&studios.iter().map(|studio| studio.storage_authority()).collect::<Vec<_>>());
    }

    /// The options of a process behind it.
    #[must_use]
    pub fn before(&self, options: Options) -> Options {
        options.with("--public-url", &self.api.url()).with("--public-upload-url", &self.storage.url())
    }
}

impl Drop for Front {
    fn drop(&mut self) {
        if let Some((stop, thread)) = self.running.take() {
            drop(stop);
            let _ = thread.join();
        }
    }
}

/// Processes of one studio, what is in front of them, and what they share. What is dropped first stands first.
pub struct Rig {
    /// The processes.
    pub studios: Vec<Studio>,
    /// What takes turns in front of them.
    pub front: Front,
    /// What each of them is told.
    pub options: Options,
    /// Their database.
    pub database: Database,
    /// Their bucket.
    pub bucket: Bucket,
    /// The database's server.
    pub server: Server,
}

impl Rig {
    /// Starts so many processes with these options.
    ///
    /// # Panics
    /// Where one does not get ready.
    #[must_use]
    pub fn start(options: Options, count: usize) -> Self {
        let (server, bucket, front) = (Server::start(), Bucket::start(), Front::start());
        let database = server.make_database();
        let options = options.database(&database).bucket(&bucket);
        let studios = start(&front, &options, count);
        Self { studios, front, options, database, bucket, server }
    }

    /// Ends everything but the server.
    #[must_use]
    pub fn end(self) -> Server {
        let Self { studios, front, server, .. } = self;
        drop((studios, front));
        server
    }

    /// A client of whoever has the turn, with this key.
    #[must_use]
    pub fn client(&self, key: &str) -> Http {
        Http::new(&self.front.api.url()).with_key(key).with_version(CANONICAL)
    }

    /// A client of each process by itself, with this key.
    #[must_use]
    pub fn each(&self, key: &str) -> Vec<Http> {
        self.studios.iter().map(|studio| client_of(studio, key)).collect()
    }
}

/// A client of this process alone.
#[must_use]
pub fn client_of(studio: &Studio, key: &str) -> Http {
    Http::new(&own_address(studio)).with_key(key).with_version(CANONICAL)
}

/// Starts so many processes of one studio, which is told these options; the first has the key file of all. They take turns.
///
/// # Panics
/// Where one does not get ready.
#[must_use]
pub fn start(front: &Front, options: &Options, count: usize) -> Vec<Studio> {
    let mut studios = vec![Studio::start(front.before(options.clone()))];
    while studios.len() < count {
        let next = start_beside(front, options, &studios[0]);
        studios.push(next);
    }
    front.take_turns(&studios.iter().collect::<Vec<_>>());
    studios
}

/// Starts one more process beside this one; the proxy does not know it yet.
///
/// # Panics
/// Where it does not get ready.
#[must_use]
pub fn start_beside(front: &Front, options: &Options, first: &Studio) -> Studio {
    let key = first.data_dir.join("studio.key");
    Studio::start(front.before(options.clone()).with("--key-file", key.to_str().expect("a path of text")))
}

/// The address at which a process itself is asked, past the proxy.
#[must_use]
pub fn own_address(studio: &Studio) -> String {
    format!("http://{}", authority(&studio.api_authority()))
}
