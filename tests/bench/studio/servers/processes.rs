//! Small files registered in a second by three processes and by one, on all processors and with each process held to a share of one.
//!
//! Each file was sent to storage before, and has a content that is nowhere else; its row and its content are there when it is answered.

use bytes::Bytes;
use easel_tests::figures::{Target, median, write, write_plain};
use easel_tests::several::Rig;
use easel_tests::studio::{Options, Studio};
use serde_json::json;

use super::share::Held;
use crate::load::{self, Until};
use crate::stock::text;

const PROCESSES: usize = 3;
const RUNS: usize = 5;
/// Files of a run on all processors.
const FILES: usize = 2_000;
/// Files of a run with little of them.
const FEW: usize = 400;
/// What a process is held to, of one processor.
const SHARE: f64 = 0.2;

pub async fn measure() {
    let rig = Rig::start(Options::new(), PROCESSES);
    let mut senders = Senders::of(&rig);
    for (words, files, share, at_least) in
        [("small files registered", FILES, None, 0.9), ("each held to a fifth of a core", FEW, Some(SHARE), 2.2)]
    {
        let [one, three] = senders.measure(&rig, files, share).await;
        write_plain(&format!("{words}: one process"), one, "/s");
        write_plain(&format!("{words}: three processes"), three, "/s");
        write(&format!("{words}: three beside one"), three / one, "×", Target::AtLeast(at_least));
    }
}

/// Who sends files and has them registered.
struct Senders {
    key: String,
    api: Vec<String>,
    storage: Vec<String>,
    /// Files that were sent so far.
    sent: usize,
}

impl Senders {
    fn of(rig: &Rig) -> Self {
        let key = rig.studios[0].create_key("bench").key;
        let api = rig.studios.iter().map(Studio::api_authority).collect();
        let storage = rig.studios.iter().map(Studio::storage_authority).collect();
        Self { key, api, storage, sent: 0 }
    }

    /// Files registered in a second by the first process and by all, which take turns, each held to `share` of a processor meanwhile.
    async fn measure(&mut self, rig: &Rig, files: usize, share: Option<f64>) -> [f64; 2] {
        let mut rates: [Vec<f64>; 2] = Default::default();
        for run in 0..RUNS {
            eprintln!("{files} files, run {} of {RUNS}", run + 1);
            for (which, processes) in [1, PROCESSES].into_iter().enumerate() {
                let staged = self.stage(files).await;
                let hold = |share| rig.studios.iter().map(|studio| Held::to(share, studio.pid())).collect::<Vec<_>>();
                let held = share.map(hold);
                let register = move |number: usize| staged[number].clone();
                let until = Until::Count(files);
                rates[which].push(load::ask_each(&self.api[..processes], until, register, |_, _| {}).await);
                drop(held);
            }
        }
        rates.map(median)
    }

    /// Sends so many files to storage; the requests that register them.
    async fn stage(&mut self, files: usize) -> Vec<Bytes> {
        let (first, key) = (self.sent, self.key.clone());
        self.sent += files;
        let sign = move |number: usize| {
            let name = format!("Notes of the meeting {}.txt", first + number);
            let body = json!({"filename": name, "mime_type": "text/plain"}).to_string();
            load::post("/v1/uploads/url", &key, "application/json", body.as_bytes())
        };
        let signed = load::collect(&self.api, files, sign).await;
        let paths: Vec<String> = signed.iter().map(|answer| path_of(&text(&answer["upload_url"])).to_owned()).collect();
        let put = move |number: usize| {
            let content = format!("What was said in meeting {}", first + number);
            load::put(&paths[number], "text/plain", content.as_bytes())
        };
        load::ask_each(&self.storage, Until::Count(files), put, |_, _| {}).await;
        let register = signed.iter().map(|answer| {
            let body = json!({"storage_key": answer["storage_key"]}).to_string();
            load::post("/v1/uploads/register", &self.key, "application/json", body.as_bytes())
        });
        register.collect()
    }
}

/// Path and query of an address.
fn path_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.find('/').map_or("/", |start| &rest[start..])
}
