//! The team and its invitations on a real data folder, by a clock that the test sets.

use std::time::Duration;

use easel_wire::Scope;
use http::Method;
use serde_json::{Value, json};

use crate::background::upkeep::forget_closed_invitations;
use crate::fixture::Fixture;
use crate::operators::{invitations as operator, keys, users};
use crate::studio::redemptions::OF_ADDRESS;
use crate::wire::account::Role;

const MINUTE: Duration = Duration::from_secs(60);

/// A studio with an owner whose key is `owner`, an admin whose key is `admin`, and a member whose key is `member`; each of
/// them with every scope.
async fn team(folder: &std::path::Path) -> (Fixture, [String; 3]) {
    let fixture = Fixture::start(folder, 0).await;
    users::add(folder, "ada@example.org", Role::Admin, None).await.unwrap();
    users::add(folder, "mia@example.org", Role::Member, None).await.unwrap();
    let mut made = Vec::new();
    for user in [None, Some("ada@example.org"), Some("mia@example.org")] {
        let wanted = keys::Wanted {
            name: "k".to_owned(),
            user_email: user.map(str::to_owned),
            scopes: Some(Scope::KNOWN.to_vec()),
            good_for: None,
        };
        made.push(keys::create_as_wanted(folder, &wanted).await.unwrap().key);
    }
    (fixture, made.try_into().unwrap())
}

async fn ask(fixture: &Fixture, key: &str, method: Method, path: &str, body: Value) -> (u16, Value) {
    let bearer = format!("Bearer {key}");
    let mut headers = vec![("content-type", "application/json")];
    if !key.is_empty() {
        headers.push(("authorization", &bearer));
    }
    let answer = fixture.ask(&method, path, &headers, body.to_string()).await;
    (answer.status.as_u16(), answer.json())
}

async fn redeem(fixture: &Fixture, code: &str) -> (u16, Value) {
    ask(fixture, "", Method::POST, "/invitations/redeem", json!({ "code": code })).await
}

async fn invite(fixture: &Fixture, key: &str, email: &str, role: &str) -> (u16, Value) {
    ask(fixture, key, Method::POST, "/team/invitations", json!({ "email": email, "role": role })).await
}

fn code_of(answer: &(u16, Value)) -> &Value {
    &answer.1["error"]["code"]
}

#[tokio::test]
async fn an_invitation_makes_a_person_with_a_key_of_their_own_once() {
    let folder = tempfile::tempdir().unwrap();
    let (fixture, [_, admin, _]) = team(folder.path()).await;
    let (status, made) = invite(&fixture, &admin, " Ben@Example.org ", "member").await;
    assert_eq!(
        (status, &made["email"], &made["invited_by"]),
        (201, &json!("ben@example.org"), &json!("ada@example.org"))
    );
    let code = made["code"].as_str().unwrap();
    assert!(easel_wire::invitation::Invitation::find(code).unwrap().address() == "http://127.0.0.1:1");
    let (status, redeemed) = redeem(&fixture, code).await;
    assert_eq!((status, &redeemed["user"]["email"]), (201, &json!("ben@example.org")), "{redeemed}");
    assert_eq!(redeemed["version_header"], crate::fixture::VERSION_HEADER);
    let key = redeemed["key"].as_str().unwrap();
    let (status, whoami) = ask(&fixture, key, Method::GET, "/v1/whoami", json!({})).await;
    assert_eq!((status, &whoami["role"]), (200, &json!("member")));
    assert!(!whoami["scopes"].as_array().unwrap().contains(&json!("admin")));
    assert_eq!(redeem(&fixture, code).await.0, 403);
    let (_, seen) = ask(&fixture, &admin, Method::GET, "/team", json!({})).await;
    assert_eq!((seen["people"].as_array().unwrap().len(), seen["invitations"].as_array().unwrap().len()), (4, 0));
    let (_, log) = ask(&fixture, &admin, Method::GET, "/team/audit?limit=2", json!({})).await;
    let actions: Vec<_> = log["entries"].as_array().unwrap().iter().map(|entry| &entry["action"]).collect();
    assert_eq!(actions, ["invitation_redeemed", "user_invited"]);
    let secret = &key["svc_live_".len()..];
    assert!(!format!("{seen}{log}").contains(secret), "nobody else sees the key");
    for entry in
        std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file())
    {
        let bytes = std::fs::read(&entry).unwrap();
        for text in [secret, &code[10..40]] {
            assert!(!bytes.windows(text.len()).any(|window| window == text.as_bytes()), "{}", entry.display());
        }
    }
}

#[tokio::test]
async fn every_code_that_is_not_good_gets_the_same_answer() {
    let folder = tempfile::tempdir().unwrap();
    let (fixture, [owner, admin, _]) = team(folder.path()).await;
    let code =
        async |email: &str| invite(&fixture, &admin, email, "member").await.1["code"].as_str().unwrap().to_owned();
    let (used, replaced, late) = (code("a@x.org").await, code("b@x.org").await, code("c@x.org").await);
    let (_, revoked) = invite(&fixture, &admin, "d@x.org", "member").await;
    assert_eq!(redeem(&fixture, &used).await.0, 201);
    let newer = code("b@x.org").await;
    let path = format!("/team/invitations/{}", revoked["id"].as_str().unwrap());
    assert_eq!(ask(&fixture, &owner, Method::DELETE, &path, json!({})).await.0, 200);
    assert_eq!(ask(&fixture, &owner, Method::DELETE, &path, json!({})).await.0, 404);
    let (came_otherwise, gone) = (code("e@x.org").await, code("f@x.org").await);
    users::add(folder.path(), "e@x.org", Role::Member, None).await.unwrap();
    // Who invited is removed, and what they invited with them.
    let (_, seen) = ask(&fixture, &owner, Method::GET, "/team", json!({})).await;
    let ada = seen["people"].as_array().unwrap().iter().find(|one| one["email"] == "ada@example.org").unwrap();
    fixture.clock.advance(MINUTE);
    let earlier = redeem(&fixture, &newer).await;
    assert_eq!(earlier.0, 201, "{}", earlier.1);
    let path = format!("/team/people/{}", ada["id"].as_str().unwrap());
    assert_eq!(ask(&fixture, &owner, Method::DELETE, &path, json!({})).await.0, 200);
    fixture.clock.advance(MINUTE * 60 * 72);
    let stranger = easel_wire::invitation::Invitation::new("http://127.0.0.1:1", [9; 20]).unwrap().code();
    let revoked = revoked["code"].as_str().unwrap().to_owned();
    let mut answers = Vec::new();
    for refused in [used, replaced, late, revoked, came_otherwise, gone, stranger, String::new(), "easel_x".to_owned()]
    {
        let (status, mut answer) = redeem(&fixture, &refused).await;
        assert!(answer["error"]["request_id"].take().is_string());
        answers.push((status, answer));
    }
    assert_eq!(answers[0].0, 403);
    assert_eq!(code_of(&answers[0]), "invitation_refused");
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:#?}");
}

#[tokio::test]
async fn an_invitation_that_is_closed_goes_after_thirty_days_and_an_open_one_stays() {
    let folder = tempfile::tempdir().unwrap();
    let (fixture, [owner, ..]) = team(folder.path()).await;
    let (_, redeemed) = invite(&fixture, &owner, "a@x.org", "member").await;
    let (_, revoked) = invite(&fixture, &owner, "b@x.org", "member").await;
    invite(&fixture, &owner, "c@x.org", "member").await;
    assert_eq!(redeem(&fixture, redeemed["code"].as_str().unwrap()).await.0, 201);
    let path = format!("/team/invitations/{}", revoked["id"].as_str().unwrap());
    assert_eq!(ask(&fixture, &owner, Method::DELETE, &path, json!({})).await.0, 200);
    let days = |days: u32| MINUTE * 60 * 24 * days;
    fixture.clock.advance(days(30));
    assert_eq!(forget_closed_invitations(&fixture.studio).await.unwrap(), 0);
    fixture.clock.advance(days(1));
    assert_eq!(forget_closed_invitations(&fixture.studio).await.unwrap(), 2);
    let (_, seen) = ask(&fixture, &owner, Method::GET, "/team", json!({})).await;
    assert_eq!(seen["invitations"][0]["email"], "c@x.org");
    assert_eq!(redeem(&fixture, redeemed["code"].as_str().unwrap()).await.0, 403);
}

#[tokio::test]
async fn an_invitation_is_good_for_72_hours_and_not_a_moment_longer() {
    let folder = tempfile::tempdir().unwrap();
    let (fixture, [owner, ..]) = team(folder.path()).await;
    let (_, first) = invite(&fixture, &owner, "a@x.org", "admin").await;
    let (_, second) = invite(&fixture, &owner, "b@x.org", "admin").await;
    fixture.clock.advance(MINUTE * 60 * 72 - Duration::from_micros(1));
    assert_eq!(redeem(&fixture, first["code"].as_str().unwrap()).await.0, 201);
    fixture.clock.advance(Duration::from_micros(1));
    assert_eq!(redeem(&fixture, second["code"].as_str().unwrap()).await.0, 403);
    let (_, seen) = ask(&fixture, &owner, Method::GET, "/team", json!({})).await;
    assert_eq!(seen["invitations"].as_array().unwrap().len(), 1, "it is shown as past its end until somebody acts");
}

#[tokio::test]
async fn of_many_who_redeem_one_code_at_once_one_gets_a_key() {
    let folder = tempfile::tempdir().unwrap();
    let (fixture, [owner, ..]) = team(folder.path()).await;
    for round in 0..5 {
        let (_, made) = invite(&fixture, &owner, &format!("a{round}@x.org"), "member").await;
        let code = made["code"].as_str().unwrap();
        let tries = futures_util::future::join_all((0..5).map(|_| redeem(&fixture, code))).await;
        assert_eq!(tries.iter().filter(|answer| answer.0 == 201).count(), 1, "{tries:?}");
        assert_eq!(tries.iter().filter(|answer| answer.0 == 403).count(), 4);
        fixture.clock.advance(MINUTE);
    }
    let members = users::list(folder.path(), None).await.unwrap();
    assert_eq!(members.iter().filter(|user| user.email.ends_with("@x.org")).map(|user| user.keys).sum::<u64>(), 5);
}

#[tokio::test]
async fn codes_are_tried_ten_times_a_minute_and_a_good_one_waits_as_well() {
    let folder = tempfile::tempdir().unwrap();
    let (fixture, [owner, ..]) = team(folder.path()).await;
    let (_, made) = invite(&fixture, &owner, "a@x.org", "member").await;
    for _ in 0..OF_ADDRESS {
        assert_eq!(redeem(&fixture, "easel_wrong").await.0, 403);
    }
    let (status, refused) = redeem(&fixture, made["code"].as_str().unwrap()).await;
    assert_eq!((status, &refused["error"]["code"]), (429, &json!("rate_limited")));
    fixture.clock.advance(MINUTE);
    assert_eq!(redeem(&fixture, made["code"].as_str().unwrap()).await.0, 201);
}

#[tokio::test]
async fn each_changes_what_their_role_allows_and_nothing_of_other_teams() {
    let folder = tempfile::tempdir().unwrap();
    let (fixture, [owner, admin, member]) = team(folder.path()).await;
    fixture.add_stranger("stranger", Scope::KNOWN).await;
    let (_, seen) = ask(&fixture, &owner, Method::GET, "/team", json!({})).await;
    let person = |email: &str| {
        let all = seen["people"].as_array().unwrap();
        let one = all.iter().find(|one| one["email"].as_str().unwrap().starts_with(email)).unwrap();
        format!("/team/people/{}", one["id"].as_str().unwrap())
    };
    let (own, ada, mia) = (person("owner"), person("ada"), person("mia"));
    let role = async |key: &str, path: &str, role: &str| {
        ask(&fixture, key, Method::PATCH, path, json!({ "role": role })).await
    };
    // A member may nothing, whatever the key's scopes.
    assert_eq!(code_of(&ask(&fixture, &member, Method::GET, "/team", json!({})).await), "permission");
    assert_eq!(code_of(&invite(&fixture, &member, "a@x.org", "member").await), "permission");
    // An admin changes admins and members, and no owner.
    assert_eq!(code_of(&role(&admin, &own, "member").await), "permission");
    assert_eq!(code_of(&role(&admin, &mia, "owner").await), "permission");
    assert_eq!(code_of(&invite(&fixture, &admin, "a@x.org", "owner").await), "permission");
    assert_eq!(code_of(&role(&admin, &ada, "member").await), "permission", "not oneself");
    assert_eq!(role(&admin, &mia, "admin").await.0, 200);
    // An owner does, but for the last one.
    assert_eq!(code_of(&ask(&fixture, &owner, Method::DELETE, &own, json!({})).await), "permission");
    assert_eq!(role(&owner, &mia, "owner").await.0, 200);
    assert_eq!(role(&member, &own, "member").await.0, 200, "an owner by now");
    assert_eq!(code_of(&role(&owner, &mia, "member").await), "permission");
    // Another team is not there.
    for path in [&ada, &mia] {
        assert_eq!(code_of(&ask(&fixture, "stranger", Method::DELETE, path, json!({})).await), "user_not_found");
    }
    let keys_seen = seen["keys"].as_array().unwrap();
    let key = |email: &str| {
        let one = keys_seen.iter().find(|one| one["user_email"].as_str().unwrap().starts_with(email)).unwrap();
        format!("/team/keys/{}", one["id"].as_str().unwrap())
    };
    assert_eq!(code_of(&ask(&fixture, "stranger", Method::DELETE, &key("ada"), json!({})).await), "api_key_not_found");
    assert_eq!(ask(&fixture, &member, Method::DELETE, &key("ada"), json!({})).await.0, 200);
    assert_eq!(ask(&fixture, &admin, Method::GET, "/v1/whoami", json!({})).await.0, 401);
    let (_, log) = ask(&fixture, "stranger", Method::GET, "/team/audit", json!({})).await;
    assert_eq!(log["entries"], json!([]));
    assert_eq!(code_of(&invite(&fixture, &owner, "b@x.org", "member").await), "permission", "a member by now");
    for (email, code) in [("nobody", "validation_failed"), ("ada@example.org", "user_exists")] {
        assert_eq!(code_of(&invite(&fixture, &member, email, "member").await), code, "{email}");
    }
}

#[tokio::test]
async fn an_operator_invites_beside_a_running_service() {
    let folder = tempfile::tempdir().unwrap();
    let (fixture, _) = team(folder.path()).await;
    // The command line goes by the system's clock.
    let ahead = crate::core::clock::Clock::now(&*fixture.clock).as_micros()
        - crate::core::clock::Clock::now(&crate::core::clock::SystemClock::new()).as_micros();
    fixture.clock.jump(-ahead);
    let invite =
        async |email: &str, address: &str| operator::invite(folder.path(), (email, Role::Owner), address, None).await;
    for (email, address) in [("nobody", "http://a.example"), ("a@x.org", "ftp://a.example"), ("a@x.org", "studio")] {
        assert!(matches!(invite(email, address).await, Err(crate::Error::Usage(_))), "{email} {address}");
    }
    let (first, first_code) = invite("a@x.org", "https://studio.example/").await.unwrap();
    let (second, second_code) = invite("b@x.org", "https://studio.example/").await.unwrap();
    let listed = operator::list(folder.path()).await.unwrap();
    assert_eq!(listed.iter().map(|one| one.id).collect::<Vec<_>>(), [second.id, first.id]);
    operator::revoke(folder.path(), first.id).await.unwrap();
    assert!(matches!(operator::revoke(folder.path(), first.id).await, Err(crate::Error::Usage(_))));
    assert_eq!((redeem(&fixture, &first_code).await.0, redeem(&fixture, &second_code).await.0), (403, 201));
}
