//! What the specification asks of a client and no other file here names: slow registers, limits that are read, answers
//! that say more than is known.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails where it stands")]

mod stub;

use std::time::Duration;

use easel_client::{Client, PageRequest, Patience, Place, Target};
use serde_json::json;
use stub::{FILE_ID, FOLDER_ID, SHORT, Stub};

#[tokio::test(flavor = "multi_thread")]
async fn endpoints_behaviour_rule_3_a_register_that_takes_long_is_waited_for() {
    const LONG: Duration = Duration::from_millis(1_500);
    let stub = Stub::start(|_| {
        // The service hashes a large blob meanwhile.
        std::thread::sleep(LONG);
        stub::json(201, &json!({"file_id": FILE_ID}))
    })
    .await;
    let patience = Patience { register: Duration::from_secs(30), ..SHORT };
    assert!(patience.answer < LONG && Patience::default().register >= Duration::from_secs(600));
    let client = Client::with_patience(stub.connection(), patience).unwrap();
    client.register_upload("pending/1", &Target::new("a.bin", None)).await.unwrap();
    assert_eq!(stub.lines(), ["POST /v1/uploads/register"]);
}

#[tokio::test]
async fn limits_max_file_bytes_is_read_once_for_each_key() {
    let limits = json!({
        "max_direct_upload_bytes": 1_000, "max_file_bytes": 7_000, "max_file_bytes_is_plan_limit": true,
    });
    let stub = Stub::start(move |_| stub::json(200, &limits)).await;
    for client in [stub.client(), stub.client()] {
        let limits = client.upload_limits().await.unwrap();
        assert_eq!((limits.max_file_bytes, limits.max_file_bytes_is_plan_limit), (7_000, true));
    }
    assert_eq!(stub.lines(), ["GET /v1/uploads/limits"]);
}

#[tokio::test]
async fn change_policy_rule_2_unknown_fields_of_an_answer_are_ignored() {
    let file = json!({"id": FILE_ID, "name": "a", "mood": {"calm": [1, 2]}});
    let folder = json!({"id": FOLDER_ID, "name": "b", "weather": null});
    let stub = Stub::start(move |request| match request.target.split('?').next().unwrap_or_default() {
        "/v1/drive/folders" => {
            stub::json(200, &json!({"data": [folder], "next_cursor": null, "has_more": false, "x": 1}))
        }
        "/v1/drive/files" => stub::json(200, &json!({"data": [file], "next_cursor": null, "has_more": false, "x": 1})),
        _ => stub::json(200, &json!({"file": file, "x": 1})),
    })
    .await;
    let client = stub.client();
    assert_eq!(client.list_folders(&Place::Top, &PageRequest::default()).await.unwrap().items[0].name, "b");
    assert_eq!(client.list_files(&Place::Top, &PageRequest::default()).await.unwrap().items[0].name, "a");
    assert_eq!(client.get_file(FILE_ID.parse().unwrap()).await.unwrap().name, "a");
}
