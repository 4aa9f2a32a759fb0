//! Contract, "Drive" and "Uploads": what a name may be, and that nothing ever leaves its folder.

use easel_tests::http::{Form, Http};
use serde_json::json;

use crate::service::{Service, all_files, create_folder, download, put, stage, text, upload};

/// Names that are stored as they are: any Unicode, 255 bytes long, leading dots, what Windows reserves.
fn plain_names() -> Vec<String> {
    [
        "a",
        "simple.txt",
        "two words.txt",
        "Grüße.png",
        "日本語のファイル.psd",
        "🎨🎨.ai",
        "\u{1F469}\u{200D}\u{1F3A8}.svg",
        "e\u{301}.txt",
        "العربية.pdf",
        ".hidden",
        "...three dots",
        "CON",
        "nul.txt",
        "COM1",
        "LPT9.log",
        "AUX.tar.gz",
        "a'b.txt",
        "a;b&c=d.txt",
        "100%.txt",
        "%2e%2e%2fescape.txt",
        "#1?.txt",
        "-rf",
        "~",
        "$HOME",
        "{}",
        "<script>alert(1)<script>.html",
        "a,b.txt",
        "ab:c|d*e.txt",
    ]
    .map(str::to_owned)
    .into_iter()
    .chain(["x".repeat(255), format!("{}.png", "ü".repeat(125)), "é".repeat(127), "界".repeat(85)])
    .collect()
}

#[tokio::test]
async fn any_unicode_is_a_name_and_comes_back_as_it_was() {
    let service = Service::start();
    let http = &service.http;
    for (number, name) in plain_names().iter().enumerate() {
        let folder = create_folder(http, &format!("Folder {number}"), None).await;
        let form = Form::new().text("folder_id", &folder).file(
            "file",
            name,
            "text/plain",
            format!("direct {name}").as_bytes(),
        );
        let direct = http.post_form("/v1/uploads", &form).await;
        assert_eq!(direct.success()["filename"], *name, "in one request");
        let id = text(&direct.value()["file_id"]);
        let record = http.get(&format!("/v1/drive/files/{id}/download")).await.expect(200);
        assert_eq!(record["filename"], *name, "in the download record");
        assert_eq!(download(http, &id).await, format!("direct {name}").as_bytes(), "{name}");

        let storage_key = stage(http, name, format!("staged {name}").as_bytes()).await;
        let result = http.post("/v1/uploads/register", &json!({"storage_key": storage_key})).await.success();
        assert_eq!(result["filename"], *name, "by a signed URL");

        let other = text(&upload(http, "other", format!("other {name}").as_bytes()).await["file_id"]);
        let moved = json!({"folder_id": create_folder(http, &format!("Other {number}"), None).await});
        http.post(&format!("/v1/drive/items/{other}/move"), &moved).await.is(200);
        let renamed = http.patch(&format!("/v1/drive/items/{other}"), &json!({"name": name})).await.expect(200);
        assert_eq!(renamed["item"]["name"], *name, "renamed");
        let body = json!({"name": name, "parent_folder_id": folder});
        assert_eq!(http.post("/v1/drive/folders", &body).await.expect(201)["folder"]["name"], *name, "a folder");
    }
}

/// A filename that tries to leave its folder, and the names that it may be stored under. It may also be refused.
const TRICKS: &[(&str, &[&str])] = &[
    ("..", &[]),
    (".", &[]),
    ("/", &[]),
    ("//", &[]),
    ("../", &[]),
    ("../../", &[]),
    ("a/..", &["a"]),
    ("../evil.txt", &["evil.txt"]),
    ("../../../../tmp/evil.txt", &["evil.txt"]),
    ("/etc/passwd", &["passwd"]),
    ("folder/evil.txt", &["evil.txt"]),
    ("folder/../evil.txt", &["evil.txt"]),
    ("./evil.txt", &["evil.txt"]),
    ("evil.txt/", &["evil.txt"]),
    ("..\\..\\evil.txt", &["evil.txt", "..\\..\\evil.txt"]),
    ("C:\\Windows\\evil.txt", &["evil.txt", "C:\\Windows\\evil.txt"]),
    ("C:evil.txt", &["evil.txt", "C:evil.txt"]),
    ("\\\\server\\share\\evil.txt", &["evil.txt", "\\\\server\\share\\evil.txt"]),
    ("evil.txt\u{0}.png", &["evil.txt.png", "evil.txt_.png", "evil.txt"]),
    ("evil\u{1}\u{1f}\u{7f}.txt", &["evil.txt", "evil___.txt"]),
    ("evil\u{85}.txt", &["evil.txt", "evil_.txt"]),
    ("evil\n.txt", &["evil.txt", "evil_.txt"]),
    ("evil\r\nX-Header: yes.txt", &["evilX-Header: yes.txt", "evil__X-Header: yes.txt"]),
];

#[tokio::test]
async fn a_filename_that_tries_to_leave_its_folder_is_stored_under_its_base_name_or_refused() {
    let service = Service::start();
    let http = &service.http;
    for (trick, allowed) in TRICKS {
        // In a form no line can end within a header: the JSON way shows what the service does with one.
        if !trick.contains(['\r', '\n', '\0']) {
            let answer =
                http.post_form("/v1/uploads", &Form::of_file(trick, format!("direct {trick}").as_bytes())).await;
            check_trick(http, trick, allowed, &answer).await;
        }
        let body = json!({"filename": trick, "mime_type": "text/plain"});
        let signed = http.post("/v1/uploads/url", &body).await;
        if signed.status == 422 {
            assert_eq!(signed.invalid_fields(), ["filename"], "{trick:?}");
        } else {
            put(http, &signed.success(), format!("signed {trick}").as_bytes()).await.is(200);
            let body = json!({"storage_key": signed.value()["storage_key"]});
            let answer = http.post("/v1/uploads/register", &body).await;
            check_trick(http, trick, allowed, &answer).await;
        }
        let storage_key = stage(http, "innocent.txt", format!("register {trick}").as_bytes()).await;
        let body = json!({"storage_key": storage_key, "filename": trick});
        let answer = http.post("/v1/uploads/register", &body).await;
        check_trick(http, trick, allowed, &answer).await;
    }
    for file in all_files(http).await {
        assert!(file["folder_id"].is_null(), "a file left its folder: {file}");
    }
    service.anonymous().get("/v1/healthz").await.is(200);
}

async fn check_trick(http: &Http, trick: &str, allowed: &[&str], answer: &easel_tests::http::Answer) {
    if answer.status == 422 {
        let _ = answer.invalid_fields();
        return;
    }
    // A control character may make the whole form unreadable.
    if answer.status == 400 && trick.contains(char::is_control) {
        answer.error(400, "invalid_request", "invalid_request");
        return;
    }
    let name = text(&answer.success()["filename"]);
    assert!(allowed.contains(&name.as_str()), "{trick:?} was stored as {name:?}");
    let file = text(&answer.value()["file_id"]);
    http.delete(&format!("/v1/drive/items/{file}")).await.is(200);
}

#[tokio::test]
async fn a_name_of_a_drive_item_that_is_a_path_or_holds_control_characters_is_refused() {
    let service = Service::start();
    let http = &service.http;
    let folder = create_folder(http, "Folder", None).await;
    let file = text(&upload(http, "file.txt", b"x").await["file_id"]);
    for name in ["..", ".", "/", "a/b", "../a", "a/", "a\u{0}b", "a\nb", "a\u{7f}b", "\u{1b}[31mred", ""] {
        let answers = [
            http.post("/v1/drive/folders", &json!({"name": name})).await,
            http.patch(&format!("/v1/drive/items/{folder}"), &json!({"name": name})).await,
            http.patch(&format!("/v1/drive/items/{file}"), &json!({"name": name})).await,
        ];
        for answer in answers {
            assert_eq!(answer.invalid_fields(), ["name"], "{name:?}");
        }
    }
}

#[tokio::test]
async fn a_filename_of_up_to_512_characters_is_shortened_to_255_with_its_extension_kept() {
    let service = Service::start();
    let http = &service.http;
    for (filename, end) in [
        (format!("{}.png", "x".repeat(508)), ".png"),
        (format!("{}.jpeg", "ü".repeat(260)), ".jpeg"),
        (format!("{}.gz", "界".repeat(400)), ".gz"),
        ("y".repeat(512), "y"),
    ] {
        let storage_key = stage(http, &filename, filename.as_bytes()).await;
        let result = http.post("/v1/uploads/register", &json!({"storage_key": storage_key})).await.success();
        let name = text(&result["filename"]);
        assert_eq!(name.chars().count(), 255, "{name}");
        assert!(name.ends_with(end) && name.starts_with(filename.chars().next().unwrap()), "{name}");
        // The number of a taken name must fit too.
        let storage_key = stage(http, &filename, format!("again {filename}").as_bytes()).await;
        let result = http.post("/v1/uploads/register", &json!({"storage_key": storage_key})).await.success();
        let name = text(&result["filename"]);
        assert!(name.chars().count() <= 255 && name.contains(" (2)"), "{name}");
        assert!(end == "y" || name.ends_with(end), "{name}");
    }
    let body = json!({"filename": "x".repeat(513), "mime_type": "text/plain"});
    assert_eq!(http.post("/v1/uploads/url", &body).await.invalid_fields(), ["filename"]);
    // 512 characters are more bytes than that, and a path in front does not count.
    let storage_key = stage(http, &format!("{}/short.txt", "界".repeat(400)), b"path").await;
    let result = http.post("/v1/uploads/register", &json!({"storage_key": storage_key})).await.success();
    assert_eq!(result["filename"], "short.txt");
}

#[tokio::test]
async fn a_name_of_255_characters_is_a_name_however_many_bytes_it_has() {
    let service = Service::start();
    let http = &service.http;
    for name in ["z".repeat(255), "ü".repeat(255), "🎨".repeat(255)] {
        let folder = http.post("/v1/drive/folders", &json!({"name": name})).await.expect(201);
        assert_eq!(folder["folder"]["name"], name);
        let answer = http.post("/v1/drive/folders", &json!({"name": format!("{name}x")})).await;
        assert_eq!(answer.invalid_fields(), ["name"]);
    }
}

#[tokio::test]
async fn the_files_of_the_data_folder_are_never_named_by_a_person() {
    let service = Service::start();
    for name in ["needle-in-the-data.txt", "../needle-in-the-data.txt"] {
        upload(&service.http, name, name.as_bytes()).await;
        let storage_key = stage(&service.http, name, format!("staged {name}").as_bytes()).await;
        service.http.post("/v1/uploads/register", &json!({"storage_key": storage_key})).await.is(201);
    }
    let mut folders = vec![service.studio.data_dir.parent().unwrap().to_owned()];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            assert!(!entry.file_name().to_string_lossy().contains("needle"), "{}", entry.path().display());
            if entry.file_type().unwrap().is_dir() {
                folders.push(entry.path());
            } else {
                files += 1;
            }
        }
    }
    assert!(files > 4, "the data folder is elsewhere");
}
