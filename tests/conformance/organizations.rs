//! Contract, "Requests and responses": `GET /v1/organizations`; specification, "Differences between versions".

use serde_json::json;

use crate::service::{Service, list, text};

#[tokio::test]
async fn a_key_reaches_the_organization_of_its_team() {
    let service = Service::start();
    let whoami = service.http.get("/v1/whoami").await.expect(200);
    let found = list(&service.http.get("/v1/organizations").await);
    assert_eq!(found.len(), 1);
    let expected = json!({
        "id": whoami["organization"]["id"], "name": whoami["organization"]["name"], "plan": "paid",
        "teams": [{"id": whoami["team"]["id"], "name": whoami["team"]["name"]}],
    });
    assert_eq!(found[0], expected);
    let member = service.member("ada@example.test");
    assert_eq!(list(&member.get("/v1/organizations").await), found);
}

#[tokio::test]
async fn the_list_has_the_shape_of_its_version() {
    let service = Service::start();
    let page = service.http.get("/v1/organizations").await.expect(200);
    assert_eq!((&page["next_cursor"], &page["has_more"]), (&json!(null), &json!(false)));
    let page = service.legacy().get("/v1/organizations").await.expect(200);
    assert!(text(&page["organizations"][0]["id"]).starts_with("org_"));
    assert_eq!((&page["total"], &page["offset"], &page["limit"]), (&json!(1), &json!(0), &json!(20)));
    let page = service.legacy().get("/v1/organizations?offset=1").await.expect(200);
    assert_eq!((&page["organizations"], &page["total"]), (&json!([]), &json!(1)));
    service.http.get("/v1/organizations?cursor=forged").await.error(400, "invalid_request", "invalid_request");
    for wrong in ["limit=0", "limit=101", "limit=x"] {
        assert_eq!(service.http.get(&format!("/v1/organizations?{wrong}")).await.invalid_fields(), ["limit"]);
    }
}
