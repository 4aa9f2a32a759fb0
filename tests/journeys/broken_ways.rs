//! A way to the service on which answers are lost, connections are cut, and somebody else answers.

use std::path::PathBuf;
use std::time::Duration;

use easel_client::{Client, Connection, Patience};
use easel_sync::{State, Waiting};
use easel_tests::port::HeldPort;
use easel_tests::proxy::{Fault, Proxy};
use easel_tests::samples::write_noise;
use easel_tests::studio::{Key, Options, Studio, authority};

use crate::sending::{Sending, age, plain, read_disk, read_drive};

/// A studio behind proxies, and a queue that knows only them.
struct Way {
    studio: Studio,
    key: Key,
    api: Proxy,
    storage: Proxy,
    sending: Sending,
    _ports: [HeldPort; 2],
}

impl Way {
    async fn start() -> Self {
        let (api, storage) = (Proxy::start().await, Proxy::start().await);
        let (port, storage_port) = (HeldPort::any(), HeldPort::any());
        let behind = storage_port.to_string();
        let options = Options::new().listen(&port.to_string(), &behind).with("--public-upload-url", &storage.url());
        let studio = Studio::start(options);
        api.forward_to(authority(&studio.base_url));
        storage.forward_to(&behind);
        let key = studio.create_key("journey");
        let connection = Connection::new(&api.url(), key.key.clone().into()).expect("a connection");
        let short = Duration::from_secs(1);
        let patience =
            Patience { connect: short, answer: short, silence: short, last_byte: short, ..Patience::default() };
        let sending = Sending::start_with(Client::with_patience(connection, patience).expect("a client")).await;
        Self { studio, key, api, storage, sending, _ports: [port, storage_port] }
    }

    /// A folder with small files in folders and one that goes up signed.
    fn write_folder(&self, small_files: usize) -> PathBuf {
        let top = self.sending.path("everything");
        for index in 0..small_files {
            let path = top.join(format!("{}/{index}.txt", index % 5));
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(&path, format!("content {index}")).expect("a file");
            age(&path);
        }
        write_noise(&top.join("signed.bin"), 40_000_000, 1);
        age(&top.join("signed.bin"));
        top
    }

    async fn assert_arrives(self, top: PathBuf) {
        let transfers = self.sending.until_done().await;
        let unsent: Vec<_> = transfers.iter().filter(|transfer| transfer.state != State::Sent).collect();
        assert!(unsent.is_empty(), "{unsent:?}");
        assert_eq!(read_drive(&plain(&self.studio, &self.key)).await, read_disk(&top));
        self.sending.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_arrives_once_though_every_third_answer_is_lost() {
    let way = Way::start().await;
    let top = way.write_folder(30);
    let lose_every_third = || {
        let mut count = 0;
        move |_: &_| {
            count += 1;
            if count % 3 == 0 { Fault::DropAnswer } else { Fault::Pass }
        }
    };
    way.api.break_by(lose_every_third());
    way.storage.break_by(lose_every_third());
    way.sending.drop_paths(std::slice::from_ref(&top)).await;
    way.assert_arrives(top).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_arrives_once_though_connections_are_cut_at_every_place() {
    let way = Way::start().await;
    let top = way.write_folder(20);
    let mut count = 0;
    way.api.break_by(move |_| {
        count += 1;
        match count % 4 {
            0 => Fault::CutRequestAfter(100),
            2 => Fault::CutAnswerAfter(60),
            _ => Fault::Pass,
        }
    });
    // One PUT is cut at 1 %, the next in the middle, the next just before its end.
    let mut cuts = vec![39_600_000, 20_000_000, 400_000];
    way.storage.break_by(move |_| cuts.pop().map_or(Fault::Pass, Fault::CutRequestAfter));
    way.sending.drop_paths(std::slice::from_ref(&top)).await;
    way.assert_arrives(top).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_answers_in_the_services_place_is_told_apart_and_waited_out() {
    let way = Way::start().await;
    let html =
        Fault::answer(200, &[("Content-Type", "text/html")], "<!DOCTYPE html><title>Welcome to the hotel</title>");
    let unexpected = Fault::answer(200, &[("Content-Type", "application/json")], "{\"sausages\": 7");
    let redirect = Fault::answer(302, &[("Location", "https://elsewhere.example/v1/whoami")], "");
    let failing = Fault::answer(502, &[("Content-Type", "text/plain")], "bad gateway");
    let cases = [
        ("html", html, Waiting::NotTheService),
        ("unexpected body", unexpected, Waiting::NotTheService),
        ("redirect", redirect, Waiting::RedirectRefused { to_host: "elsewhere.example".to_owned() }),
        ("failing", failing, Waiting::ServiceFailing { status: 502 }),
        ("silence", Fault::Silence, Waiting::Offline),
        ("refused", Fault::Refuse, Waiting::Offline),
    ];
    for (name, fault, waiting) in cases {
        let top = way.sending.path(name);
        std::fs::write(&top, format!("content of {name}")).expect("a file");
        age(&top);
        way.api.break_by(move |_| fault.clone());
        let id = way.sending.drop_paths(std::slice::from_ref(&top)).await[0];
        way.sending.until_waiting(Some(waiting)).await;
        way.api.pass_all();
        way.sending.until(id, State::Sent).await;
        way.sending.until_waiting(None).await;
    }
    assert_eq!(read_drive(&plain(&way.studio, &way.key)).await.len(), 6);
    way.sending.stop().await;
}
