//! What leaves, where to, and who sees the key.

use easel_tests::http::{CANONICAL, Http};
use easel_tests::model_server::{Manner, ModelServer};
use easel_tests::studio::{Options, Studio};
use serde_json::json;

use crate::stage::{BRIEF, KEY, Stage, good, message};

/// The header in which each protocol has its key.
const HEADERS: [(&str, &str, &str); 4] = [
    ("openai", "authorization", "Bearer "),
    ("anthropic", "x-api-key", ""),
    ("gemini", "x-goog-api-key", ""),
    ("ollama", "authorization", "Bearer "),
];

#[tokio::test]
async fn the_key_stands_in_its_header_and_nowhere_else() {
    for (protocol, header, before) in HEADERS {
        // Whoever refuses repeats what came.
        let stage =
            Stage::set(protocol, vec![Manner::Refuse(500), Manner::Say(KEY.to_owned()), Manner::say(&good())]).await;
        let done = stage.design().await;
        assert!(message(&done).ends_with("Written by small."), "{protocol}: {}", message(&done));
        for asked in stage.server.asked() {
            assert_eq!(asked.header(header), format!("{before}{KEY}"), "{protocol}");
            let rest: String = asked
                .headers
                .iter()
                .filter(|(name, _)| name.as_str() != header)
                .map(|(name, value)| format!("{name}: {value:?}\n"))
                .collect();
            let rest = format!("{}\n{rest}{}", asked.request_line, String::from_utf8_lossy(&asked.body));
            assert!(!rest.contains(KEY), "{protocol}: {rest}");
        }
        assert!(!done.to_string().contains(KEY), "{protocol}: {done}");
        assert!(!stage.studio.log().contains(KEY), "{protocol}: {}", stage.studio.log());
        assert!(!stage.studio.output().contains(KEY), "{protocol}");
        let process = format!("/proc/{}", stage.studio.pid());
        for place in ["cmdline", "environ"] {
            let text = std::fs::read(format!("{process}/{place}")).expect("a process");
            assert!(!String::from_utf8_lossy(&text).contains(KEY), "{protocol}: {place}");
        }
        for entry in files_of(&stage.studio.data_dir) {
            let bytes = std::fs::read(&entry).unwrap_or_default();
            assert!(!bytes.windows(KEY.len()).any(|window| window == KEY.as_bytes()), "{}", entry.display());
        }
    }
}

fn files_of(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .flat_map(|entry| {
            let path = entry.path();
            if path.is_dir() { files_of(&path) } else { vec![path] }
        })
        .collect()
}

#[tokio::test]
async fn without_a_writer_nothing_leaves_and_a_refusal_that_points_elsewhere_is_not_followed() {
    let elsewhere = ModelServer::start(vec![Manner::say(&good())]).await;
    let studio = Studio::start(Options::new());
    let key = studio.create_key("writer");
    let http = Http::new(&studio.base_url).with_key(&key.key).with_version(CANONICAL);
    let task = http.post("/v1/tasks", &json!({"prompt": format!("{BRIEF} {}", elsewhere.url())})).await.expect(202);
    let stage = Stage::set("openai", vec![Manner::Refuse(307)]).await;
    let done = stage.design().await;
    assert!(message(&done).contains("refused the request (status 307)"), "{}", message(&done));
    let path = format!("/v1/tasks/{}", task["id"].as_str().expect("an id"));
    let own = easel_tests::patience::wait_for("the end", crate::stage::PATIENCE, async || {
        let task = http.get(&path).await.expect(200);
        if task["status"] == "succeeded" { Ok(task) } else { Err(task.to_string()) }
    })
    .await;
    assert!(!message(&own).contains("ritten") && !message(&own).contains("wrote"), "{}", message(&own));
    assert!(elsewhere.asked().is_empty());
}

#[tokio::test]
async fn an_attachment_may_not_use_the_exception_that_the_writer_has() {
    let stage = Stage::set("openai", vec![Manner::say(&good())]).await;
    let attachments = json!([{"url": format!("{}/secret", stage.server.url()), "role": "source"}]);
    let answer = stage.http.post("/v1/tasks", &json!({"prompt": BRIEF, "attachments": attachments})).await;
    if answer.status == 202 {
        let done = stage.finish(&answer.expect(202)).await;
        assert_eq!(done["status"], "failed", "{done}");
    } else {
        assert_eq!(answer.status, 422, "{answer:?}");
    }
    assert!(stage.server.asked().is_empty());
}
