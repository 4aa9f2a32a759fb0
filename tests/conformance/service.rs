//! A studio with a key, and the few calls that most tests make on the way to what they check.

use bytes::Bytes;
pub use easel_tests::drive::{create_folder, upload, upload_into};
use easel_tests::http::{Answer, CANONICAL, Http, LEGACY};
use easel_tests::studio::{Key, ONLY_THE_OPERATOR, Options, Studio};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// A running studio, a key of its owner, and a client with that key that pins the canonical version.
pub struct Service {
    pub studio: Studio,
    pub key: Key,
    pub http: Http,
}

impl Service {
    /// Without a limit on requests; the service at `EASEL_BASE_URL` with the key `EASEL_KEY` where that is set, emptied first
    /// where `EASEL_EMPTY_WORKSPACE` is set too: then one test at a time.
    pub fn start() -> Self {
        match std::env::var("EASEL_BASE_URL") {
            Ok(base_url) => Self::elsewhere(&base_url),
            Err(_) => Self::start_with(Options::new()),
        }
    }

    fn elsewhere(base_url: &str) -> Self {
        let key = std::env::var("EASEL_KEY").expect("EASEL_KEY beside EASEL_BASE_URL");
        let studio = Studio::elsewhere(base_url);
        let key = Key { id: String::new(), key, signing_secret: String::new() };
        let http = Http::new(&studio.base_url).with_key(&key.key).with_version(CANONICAL);
        // The tests do not share what others left behind: here neither, where that is said to be allowed.
        if std::env::var_os("EASEL_EMPTY_WORKSPACE").is_some() {
            let http = http.clone();
            let emptying = std::thread::spawn(move || {
                let runtime = tokio::runtime::Runtime::new().expect("a runtime");
                runtime.block_on(empty_workspace(&http));
            });
            emptying.join().expect("an empty workspace");
        }
        Self { studio, key, http }
    }

    /// A studio of the test's own, whose options only its operator can set.
    pub fn start_with(options: Options) -> Self {
        assert!(std::env::var_os("EASEL_BASE_URL").is_none(), "{ONLY_THE_OPERATOR}");
        let studio = Studio::start(options);
        let key = studio.create_key("conformance");
        let http = Http::new(&studio.base_url).with_key(&key.key).with_version(CANONICAL);
        Self { studio, key, http }
    }

    /// A client without key and version.
    pub fn anonymous(&self) -> Http {
        Http::new(&self.studio.base_url)
    }

    /// The same key, the legacy version.
    pub fn legacy(&self) -> Http {
        self.http.with_version(LEGACY)
    }

    /// A client with a new key of a new member of the team.
    pub fn member(&self, email: &str) -> Http {
        self.studio.add_user(email, "member");
        let key = self.studio.create_key_for("a member's", email);
        self.anonymous().with_key(&key.key).with_version(CANONICAL)
    }

    /// A client with the key of the owner of a new organization.
    pub fn stranger(&self, email: &str) -> Http {
        self.studio.add_organization(email, email);
        let key = self.studio.create_key_for("a stranger's", email);
        self.anonymous().with_key(&key.key).with_version(CANONICAL)
    }
}

/// Deletes everything that the key sees: drive items and brand kits.
async fn empty_workspace(http: &Http) {
    for (resource, path) in [
        ("files", "/v1/drive/items/"),
        ("folders", "/v1/drive/items/"),
        ("canvases", "/v1/drive/items/"),
        ("brand-kits", "/v1/brand-kits/"),
    ] {
        let listed = if matches!(resource, "files" | "folders") { "/v1/drive/" } else { "/v1/" };
        loop {
            let items = list(&http.get(&format!("{listed}{resource}?limit=100")).await);
            if items.is_empty() {
                break;
            }
            for item in items {
                // What lay in a folder has gone with it.
                let deleted = http.delete(&format!("{path}{}?recursive=true", text(&item["id"]))).await;
                assert!(deleted.status.is_success() || deleted.status == 404, "{deleted:?}");
            }
        }
    }
}

/// Asks for a signed URL and returns the signed upload record.
pub async fn sign(http: &Http, filename: &str) -> Value {
    let body = json!({"filename": filename, "mime_type": "application/octet-stream"});
    http.post("/v1/uploads/url", &body).await.success()
}

/// Signs and PUTs; returns the storage key.
pub async fn stage(http: &Http, filename: &str, content: &[u8]) -> String {
    let signed = sign(http, filename).await;
    put(http, &signed, content).await.is(200);
    text(&signed["storage_key"])
}

/// PUTs as a signed upload record asks.
pub async fn put(http: &Http, signed: &Value, content: &[u8]) -> Answer {
    let content_type = text(&signed["mime_type"]);
    http.put_bytes(&text(&signed["upload_url"]), &content_type, Bytes::copy_from_slice(content)).await
}

/// Registers a staged blob.
pub async fn register(http: &Http, storage_key: &str) -> Answer {
    http.post("/v1/uploads/register", &json!({"storage_key": storage_key})).await
}

/// Every file of the drive that the caller sees.
pub async fn all_files(http: &Http) -> Vec<Value> {
    list(&http.get("/v1/drive/files?limit=200").await)
}

/// Every folder of the drive that the caller sees.
pub async fn all_folders(http: &Http) -> Vec<Value> {
    list(&http.get("/v1/drive/folders?limit=200").await)
}

/// The items of a canonical page.
#[track_caller]
pub fn list(answer: &Answer) -> Vec<Value> {
    answer.expect(200)["data"].as_array().unwrap_or_else(|| panic!("no list: {answer:?}")).clone()
}

/// The names of the items of a canonical page.
#[track_caller]
pub fn names(answer: &Answer) -> Vec<String> {
    list(answer).iter().map(|item| text(&item["name"])).collect()
}

/// The file's bytes, by a signed download.
pub async fn download(http: &Http, file_id: &str) -> Bytes {
    let record = http.get(&format!("/v1/drive/files/{file_id}/download")).await.expect(200);
    let answer = http.get_url(&text(&record["download_url"]), &[]).await;
    answer.is(200);
    answer.body
}

/// A text that must be there.
#[track_caller]
pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}")).to_owned()
}

/// `sha256:` and hex, as the drive writes it.
pub fn content_hash(content: &[u8]) -> String {
    let digits: String = Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{digits}")
}

/// The bare UUID of a prefixed id, by the contract's alphabet.
#[track_caller]
pub fn uuid_of(id: &str) -> uuid::Uuid {
    const ALPHABET: &str = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    let (_, digits) = id.split_once('_').unwrap_or_else(|| panic!("no prefixed id: {id}"));
    assert_eq!(digits.len(), 26, "{id}");
    let bits = digits.chars().fold(0_u128, |bits, digit| {
        let value = ALPHABET.find(digit).unwrap_or_else(|| panic!("no digit of an id: {digit} in {id}"));
        (bits << 5) | value as u128
    });
    uuid::Uuid::from_u128(bits)
}

/// An id of this kind that nothing has.
pub fn unused_id(prefix: &str) -> String {
    format!("{prefix}_01KAAAAAAA7AAAAAAAAAAAAAAA")
}
