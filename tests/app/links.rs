//! Links that open Easel, as a studio's own pages have them.

use easel_app::links::LinkTarget;
use easel_tests::http::{CANONICAL, Http};
use easel_tests::studio::{Options, Studio};
use serde_json::json;

use crate::stage::Stage;

#[tokio::test(flavor = "multi_thread")]
async fn the_page_behind_a_designs_url_opens_it_in_easel() {
    let studio = Studio::start(Options::new());
    let stage = Stage::connected_to(&studio).await;
    let http = Http::new(&studio.base_url).with_key(&studio.create_key("k").key).with_version(CANONICAL);
    let task = http.post("/v1/tasks", &json!({"prompt": "A poster"})).await.success();
    let path = format!("/v1/tasks/{}", task["id"].as_str().unwrap());
    let design = easel_tests::patience::wait_for("the design", crate::stage::SOON, async || {
        let now = http.get(&path).await.expect(200);
        now["result"]["canvas_id"].as_str().map(str::to_owned).ok_or_else(|| now.to_string())
    })
    .await;
    let url = http.get(&format!("/v1/canvases/{design}")).await.expect(200)["url"].as_str().unwrap().to_owned();
    let page = reqwest::get(url).await.unwrap().text().await.unwrap();
    let link = page.split("href=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap().replace("&amp;", "&");

    stage.app.links().open_link(&link);
    let shown = stage.app.links().take_link().await.unwrap().unwrap();
    assert_eq!(shown.target, LinkTarget::Design { design_id: design });
    let connected = stage.app.get_overview().await.unwrap().connections;
    assert_eq!(shown.connection_id.as_ref(), connected.first().map(|connection| &connection.id), "{link}");
}
