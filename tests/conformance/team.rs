//! The team of a studio over HTTP and the way into it: additions outside `/v1` (docs/operating.md, "People and keys").

use easel_tests::http::Http;
use easel_tests::studio::{Options, Studio};
use serde_json::{Value, json};

use crate::service::text;

fn run(studio: &Studio, arguments: &[&str]) -> Value {
    let output = studio.command(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// An admin with a key for the team.
fn admin(studio: &Studio) -> Http {
    studio.add_user("ada@example.org", "admin");
    let made = run(studio, &["keys", "create", "Team", "--user", "ada@example.org", "--admin"]);
    Http::new(&studio.base_url).with_key(&text(&made["key"]))
}

async fn invite(admin: &Http, email: &str) -> Value {
    admin.post("/team/invitations", &json!({ "email": email, "role": "member" })).await.expect(201)
}

async fn redeem(studio: &Studio, code: &str) -> easel_tests::http::Answer {
    Http::new(&studio.base_url).post("/invitations/redeem", &json!({ "code": code, "key_name": "Laptop" })).await
}

#[tokio::test]
async fn of_two_clients_that_redeem_a_code_at_once_one_comes_in() {
    let studio = Studio::start(Options::new());
    let admin = admin(&studio);
    for round in 0..4 {
        let code = text(&invite(&admin, &format!("ben{round}@example.org")).await["code"]);
        let (one, other) = tokio::join!(redeem(&studio, &code), redeem(&studio, &code));
        let (winner, loser) = if one.status.as_u16() == 201 { (one, other) } else { (other, one) };
        loser.error(403, "permission", "invitation_refused");
        let key = text(&winner.expect(201)["key"]);
        let whoami = Http::new(&studio.base_url).with_key(&key).get("/v1/whoami").await.expect(200);
        assert_eq!(text(&whoami["user"]["email"]), format!("ben{round}@example.org"));
    }
    let team = admin.get("/team").await.expect(200);
    let keys = team["keys"].as_array().unwrap();
    assert_eq!(keys.iter().filter(|key| key["name"] == "Laptop").count(), 4, "no key of those who were too late");
}

#[tokio::test]
async fn wrong_used_taken_back_and_replaced_codes_are_refused_alike_and_guessing_ends() {
    let studio = Studio::start(Options::new());
    let admin = admin(&studio);
    let used = text(&invite(&admin, "a@example.org").await["code"]);
    let taken_back = invite(&admin, "b@example.org").await;
    let replaced = text(&invite(&admin, "c@example.org").await["code"]);
    invite(&admin, "c@example.org").await;
    admin.delete(&format!("/team/invitations/{}", text(&taken_back["id"]))).await.is(200);
    redeem(&studio, &used).await.is(201);
    let stranger = easel_wire::invitation::Invitation::new(&studio.base_url, [1; 20]).unwrap().code();
    let mut seen = Vec::new();
    for code in [used, text(&taken_back["code"]), replaced, stranger, "easel_".to_owned(), "?".to_owned()] {
        let mut error = redeem(&studio, &code).await.error(403, "permission", "invitation_refused");
        error["request_id"].take();
        seen.push(error);
    }
    assert!(seen.iter().all(|error| *error == seen[0]), "{seen:#?}");
    for _ in seen.len() + 1..10 {
        redeem(&studio, "easel_guess").await.is(403);
    }
    let held_back = redeem(&studio, "easel_guess").await;
    held_back.error(429, "rate_limited", "rate_limited");
    assert!(held_back.header("retry-after").is_some());
    // As every code begins; the names of modules begin likewise.
    assert!(!studio.log().contains("easel_AQ"), "no code is in the log");
}

#[tokio::test]
async fn only_an_admins_key_of_the_scope_sees_the_team_and_it_is_not_below_v1() {
    let studio = Studio::start(Options::new());
    let admin = admin(&studio);
    let usual = Http::new(&studio.base_url).with_key(&studio.create_key("usual").key);
    usual.get("/team").await.error(403, "permission", "missing_scope");
    Http::new(&studio.base_url).get("/team").await.is(401);
    admin.get("/v1/team").await.is(404);
    admin.get("/team/audit?limit=0").await.is(422);
    let log = admin.get("/team/audit?limit=1").await.expect(200);
    assert_eq!(log["entries"][0]["action"], "key_created");
}
