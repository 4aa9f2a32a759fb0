//! Files that take much where they are read or drawn: each kind, ten ways, while somebody else works with the service. They
//! fail with words or are drawn in part; the service stays small and quick, and the next design comes out.
//!
//! What somebody else waits is measured beside another studio, which has nothing to do and is asked at the same moments: a machine
//! that is busy with other things makes both wait, and what the service itself makes wait is between them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use easel_tests::bombs::{Kind, bomb};
use easel_tests::http::{Form, Http};
use easel_tests::patience::wait_for;
use easel_tests::process::{forget_peak, list_children, read_peak_bytes};
use easel_tests::samples::write_picture;
use easel_tests::soak;
use easel_tests::studio::Options;
use serde_json::{Value, json};

use crate::hostile::crc_of;
use crate::service::{Service, register, stage, text};
use crate::tasks::{design, finish, start};

/// Ways to make each kind.
const WAYS: u64 = 1;

/// Until all of a kind have ended, in a build without optimisation on a machine with other work.
const PATIENCE: Duration = Duration::from_secs(280);

/// What another caller waits for an answer, beyond what the machine makes them wait anywhere: each of them.
const LONGEST_ANSWER: Duration = Duration::from_millis(100);

/// The most memory of the service.
const SERVICE_BYTES: u64 = 300_000_000;

/// The same where files of up to 100 MB go through it: less than two of them.
const LARGE_BYTES: u64 = 160_000_000;

/// The most memory of a process that draws: its limit, with its code and its stacks.
const DRAWER_BYTES: u64 = (1 << 30) + 150_000_000;

async fn upload_large(http: &Http, name: &str, content: &[u8]) -> Value {
    let storage_key = stage(http, name, content).await;
    register(http, &storage_key).await.success()
}

/// The most memory that a process had, unless it is gone meanwhile.
fn peak_of(pid: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}

/// How long the same question took here, and at a studio that has nothing to do.
#[derive(Debug, Clone, Copy)]
struct Waited {
    here: Duration,
    elsewhere: Duration,
}

/// What somebody else notices meanwhile: how long answers take, and the most memory that a process that draws had.
struct Bystander {
    stop: Arc<AtomicBool>,
    asking: tokio::task::JoinHandle<(Vec<Waited>, u64)>,
}

async fn ask(http: &Http) -> Duration {
    let began = Instant::now();
    http.get("/v1/whoami").await.is(200);
    began.elapsed()
}

impl Bystander {
    fn begin(service: &Service, idle: &Service) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let (flag, http, pid) = (Arc::clone(&stop), service.http.clone(), service.studio.pid());
        let idle = idle.http.clone();
        let asking = tokio::spawn(async move {
            let (mut answers, mut most) = (Vec::new(), 0);
            while !flag.load(Ordering::Relaxed) {
                let (here, elsewhere) = tokio::join!(ask(&http), ask(&idle));
                answers.push(Waited { here, elsewhere });
                most = list_children(pid).into_iter().filter_map(peak_of).fold(most, u64::max);
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            (answers, most)
        });
        Self { stop, asking }
    }

    async fn end(self, kind: Kind) {
        self.stop.store(true, Ordering::Relaxed);
        let (mut answers, most) = self.asking.await.expect("somebody else's answers");
        answers.sort_by_key(|waited| waited.here.saturating_sub(waited.elsewhere));
        let longest = *answers.last().expect("an answer");
        let mut here: Vec<Duration> = answers.iter().map(|waited| waited.here).collect();
        here.sort();
        let (usual, most_here) = (here[here.len() / 2], here[here.len() - 1]);
        let count = here.len();
        eprintln!(
            "{kind:?}: {count} answers, {usual:?}, at most {most_here:?}, at most beyond an idle studio's {longest:?}; a process \
             that draws had {} MB",
            most >> 20
        );
        assert!(usual < LONGEST_ANSWER, "{kind:?}: half of the answers took {usual:?}");
        assert!(longest.here.saturating_sub(longest.elsewhere) < LONGEST_ANSWER, "{kind:?}: {longest:?}");
        assert!(most < DRAWER_BYTES, "{kind:?}: a process that draws had {most} bytes");
    }
}

async fn check(kind: Kind) {
    let service = Service::start_with(Options::new().with("--concurrent-tasks", "0"));
    let idle = Service::start();
    let http = &service.http;
    design(http, "A card").await;
    let mut tasks = Vec::new();
    let mut files = Vec::new();
    for way in 0..soak::number("EASEL_SOAK_WAYS").unwrap_or(WAYS) {
        let (name, bytes) = bomb(kind, way);
        files.push(text(&upload_large(http, &name, &bytes).await["file_id"]));
    }
    forget_peak(service.studio.pid());
    let bystander = Bystander::begin(&service, &idle);
    for (file, role) in files.iter().zip(["source", "asset"].iter().cycle()) {
        let is_text = matches!(kind, Kind::Forms | Kind::Array | Kind::Streams | Kind::Heading | Kind::Package);
        let role = if is_text { "source" } else { *role };
        let body = json!({"prompt": "A card", "attachments": [{"file_id": file, "role": role}]});
        tasks.push(start(http, &body).await);
    }
    for task in &tasks {
        let path = format!("/v1/tasks/{}", text(&task["id"]));
        let began = Instant::now();
        let ended = wait_for("a bomb to be dealt with", PATIENCE, async || {
            let task = http.get(&path).await.expect(200);
            if matches!(task["status"].as_str(), Some("queued" | "running")) { Err(task.to_string()) } else { Ok(task) }
        })
        .await;
        eprintln!("{kind:?}: {} after {:?}: {}", ended["status"], began.elapsed(), ended["error"]["message"]);
        assert_eq!(ended["attempt"], 1, "it is tried once: {ended}");
        if ended["status"] != "succeeded" {
            assert_eq!((&ended["status"], &ended["error"]["retryable"]), (&json!("failed"), &json!(false)), "{ended}");
            assert!(text(&ended["error"]["message"]).len() > 20, "{ended}");
        }
    }
    bystander.end(kind).await;
    let took = read_peak_bytes(service.studio.pid());
    assert!(took < SERVICE_BYTES, "{kind:?}: the service took {} MB", took >> 20);
    assert_eq!(design(http, "A card").await["status"], "succeeded", "{kind:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn marks_at_many_points_harm_nobody() {
    check(Kind::Markers).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn patterns_of_patterns_harm_nobody() {
    check(Kind::Patterns).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn clips_of_clips_harm_nobody() {
    check(Kind::Clips).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn masks_of_masks_harm_nobody() {
    check(Kind::Masks).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn patterns_by_a_style_sheet_harm_nobody() {
    check(Kind::Styles).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn effects_without_end_harm_nobody() {
    check(Kind::Effects).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn forms_of_forms_harm_nobody() {
    check(Kind::Forms).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_array_without_end_harms_nobody() {
    check(Kind::Array).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn streams_without_end_harm_nobody() {
    check(Kind::Streams).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_heading_without_end_harms_nobody() {
    check(Kind::Heading).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_package_that_unpacks_without_end_harms_nobody() {
    check(Kind::Package).await;
}

/// A small picture in a large file: what no reader looks at is kept with it.
fn padded_picture(bytes: usize) -> Vec<u8> {
    let place = tempfile::tempdir().expect("a folder");
    let file = place.path().join("picture.png");
    write_picture(&file);
    let mut picture = std::fs::read(&file).expect("the picture");
    let end = picture.split_off(picture.len() - 12);
    let chunk = [b"eaSy".as_slice(), &vec![b'x'; bytes]].concat();
    picture.extend(u32::try_from(bytes).expect("a length").to_be_bytes());
    picture.extend(&chunk);
    picture.extend(crc_of(&chunk).to_be_bytes());
    [picture, end].concat()
}

#[tokio::test(flavor = "multi_thread")]
async fn large_files_are_never_whole_in_the_service() {
    let service = Service::start_with(Options::new().with("--concurrent-tasks", "0"));
    let http = &service.http;
    design(http, "A card").await;
    let picture = text(&upload_large(http, "picture.png", &padded_picture(8_000_000)).await["file_id"]);
    let mut bodies = vec![json!({"prompt": "A card", "attachments": [{"file_id": picture, "role": "asset"}]})];
    for number in 0..3 {
        // Neither a picture nor a text: its reader learns that from its first bytes, after all of them were sent.
        let file = upload_large(http, &format!("large-{number}.bin"), &vec![number; 95_000_000]).await;
        bodies.push(json!({"prompt": "A card", "attachments": [{"file_id": file["file_id"], "role": "source"}]}));
    }
    forget_peak(service.studio.pid());
    let mut tasks = Vec::new();
    for body in &bodies {
        tasks.push(start(http, body).await);
    }
    let mut ended = Vec::new();
    for task in &tasks {
        ended.push(finish(http, task).await);
    }
    // Nor what is made: the document holds the picture, and so do an export of it and a copy in a kit's colours.
    let canvas = text(&ended[0]["result"]["canvas_id"]);
    let exported = http.json(http::Method::POST, &format!("/v1/canvases/{canvas}/export?format=svg"), "").await;
    assert_eq!(exported.expect(200)["status"], "completed");
    let kit = http.post("/v1/brand-kits", &json!({"title": "Kit", "colors": [{"color": "#b5651d"}]})).await.expect(201);
    let copies: Vec<_> = (0..4)
        .map(|_| {
            let (http, body) = (http.clone(), json!({"canvas_id": canvas, "brand_kit_id": kit["id"]}));
            tokio::spawn(async move { http.post("/v1/remix", &body).await.is(201) })
        })
        .collect();
    for copy in copies {
        copy.await.expect("a copy");
    }
    let took = read_peak_bytes(service.studio.pid());
    eprintln!("the service had {} MB", took >> 20);
    assert!(took < LARGE_BYTES, "the service took {} MB", took >> 20);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bomb_as_the_logo_of_the_default_kit_takes_nobodys_design() {
    let service = Service::start_with(Options::new().with("--concurrent-tasks", "0"));
    let http = &service.http;
    for kind in [Kind::Markers, Kind::Styles] {
        let (name, bytes) = bomb(kind, 3);
        let form = Form::new().file("file", &name, "image/svg+xml", &bytes);
        let file = http.post_form("/v1/uploads", &form).await.success();
        let kit = http.post("/v1/brand-kits", &json!({"title": name})).await.expect(201);
        let image = json!({"file_id": file["file_id"], "role": "logo"});
        let path = format!("/v1/brand-kits/{}", text(&kit["id"]));
        http.post(&format!("{path}/images"), &image).await.is(201);
        http.patch(&path, &json!({"is_default": true})).await.is(200);
        let mut tasks = Vec::new();
        for prompt in ["A card", "A poster", "A deck"] {
            tasks.push(start(http, &json!({"prompt": prompt})).await);
        }
        for task in tasks {
            let path = format!("/v1/tasks/{}", text(&task["id"]));
            let ended = wait_for("a design with a bad logo", PATIENCE, async || {
                let task = http.get(&path).await.expect(200);
                if matches!(task["status"].as_str(), Some("queued" | "running")) {
                    Err(task.to_string())
                } else {
                    Ok(task)
                }
            })
            .await;
            assert_eq!(ended["status"], "succeeded", "{ended}");
            assert!(ended.to_string().contains("logo"), "it says that the logo is missing: {ended}");
        }
    }
}
