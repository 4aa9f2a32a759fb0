//! The team of a studio, here and elsewhere, and the way into it by one paste.

use easel_app::connections::{ConnectionState, InvitationDraft, KeyKept};
use easel_app::ports::KeyStoreError;
use easel_app::problem::ActionKind;
use easel_app::team::TeamRole;
use easel_tests::http::Http;
use easel_tests::studio::{Options, Studio};

use crate::stage::{Stage, draft};

fn pasted(code: &str) -> InvitationDraft {
    InvitationDraft { code: format!("Here it is: {code} "), confirm_plain_http: false, keep_for_session: false }
}

/// What a command of the operator printed.
fn run(studio: &Studio, arguments: &[&str]) -> serde_json::Value {
    let output = studio.command(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// A key of a new admin of this studio, with every scope.
fn admin_key(studio: &Studio) -> String {
    studio.add_user("ada@example.org", "admin");
    let made = run(studio, &["keys", "create", "Team", "--user", "ada@example.org", "--admin"]);
    made["key"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_admin_invites_and_the_invited_person_is_in_by_one_paste() {
    let studio = Studio::start(Options::new().with("--version-header", "Acme-Version"));
    let key = admin_key(&studio);
    let (ada, ben) = (Stage::open(), Stage::open());
    let mut hers = draft(&studio.base_url, &key);
    hers.version_header = Some("Acme-Version".to_owned());
    ada.app.connections().connect_service(hers).await.unwrap();
    for wrong in ["", "ben", "@x", "b en@x.org"] {
        let refused = ada.app.team().invite_person(wrong.to_owned(), TeamRole::Member).await.unwrap_err();
        assert_eq!(refused.code, "email_not_usable", "{wrong}");
    }
    let made = ada.app.team().invite_person(" Ben@Example.org".to_owned(), TeamRole::Member).await.unwrap();
    assert!(!format!("{made:?}").contains(&made.code));
    let open = ada.app.team().get_team().await.unwrap();
    assert!(!open.is_local && !open.may_make_owners);
    assert_eq!((open.people.len(), open.invitations[0].email.as_str()), (2, "ben@example.org"));
    assert_eq!(open.invitations[0].invited_by.as_deref(), Some("ada@example.org"));
    let storage = open.storage.unwrap();
    assert_eq!((storage.used_files.get(), storage.max_files, storage.max_bytes), (0, None, None));
    assert_eq!(open.limits.requests_per_minute, None, "nought is no limit");
    assert!(open.limits.designs_at_once.is_some());

    let host = studio.base_url.trim_start_matches("http://");
    assert_eq!(ben.app.connections().read_invitation(made.code.clone()).await.unwrap().host, host);
    let cut = made.code[..made.code.len() - 1].to_owned();
    assert_eq!(ben.app.connections().read_invitation(cut.clone()).await.unwrap_err().code, "invitation_unreadable");
    assert_eq!(ben.app.connections().redeem_invitation(pasted(&cut)).await.unwrap_err().code, "invitation_unreadable");

    // The code is used up while the keychain refuses, and the same paste goes on where it was.
    ben.keychain.fails_with(Some(KeyStoreError::Locked));
    let locked = ben.app.connections().redeem_invitation(pasted(&made.code)).await.unwrap_err();
    assert_eq!((locked.code.as_str(), locked.action.kind), ("key_store_locked", ActionKind::KeepForSession));
    ben.keychain.fails_with(None);
    let view = ben.app.connections().redeem_invitation(pasted(&made.code)).await.unwrap();
    assert_eq!((view.state, view.key_kept), (ConnectionState::Ready, KeyKept::Keychain));
    assert_eq!(view.account.unwrap().user_email.as_deref(), Some("ben@example.org"));
    assert!(view.version_header.unwrap().eq_ignore_ascii_case("acme-version"));
    let kept = ben.keychain.keys.lock().unwrap().values().next().unwrap().clone();
    Http::new(&studio.base_url).with_key(&kept).get("/v1/whoami").await.is(200);
    for (stage, what) in [(&ben, "Ben's"), (&ada, "Ada's")] {
        let written = stage.everything_written();
        for secret in [&kept, &made.code] {
            assert!(!written.windows(secret.len()).any(|window| window == secret.as_bytes()), "in {what} files");
        }
    }

    // Used is used, for everybody.
    let again = Stage::open().app.connections().redeem_invitation(pasted(&made.code)).await.unwrap_err();
    assert_eq!(again.code, "invitation_refused");
    let team = ada.app.team().get_team().await.unwrap();
    assert!(team.invitations.is_empty());
    let person = team.people.iter().find(|person| person.email == "ben@example.org").unwrap();
    assert!(person.may_be_changed && person.role == TeamRole::Member);
    let log = ada.app.team().list_team_log(10).await.unwrap();
    assert_eq!((log[0].action.as_str(), log[0].subject.as_str()), ("invitation_redeemed", "ben@example.org"));

    // Ben is a member and is told so; after he was removed his key is refused.
    assert_eq!(ben.app.team().get_team().await.unwrap_err().code, "team_not_allowed");
    ada.app.team().change_person_role(person.id.clone(), TeamRole::Admin).await.unwrap();
    let needs = ben.app.team().get_team().await.unwrap_err();
    assert_eq!((needs.code.as_str(), needs.action.kind), ("team_needs_key", ActionKind::EnterKey));
    assert!(needs.detail.contains("ben@example.org") && needs.action.target.is_some());
    ada.app.team().remove_person(person.id.clone()).await.unwrap();
    Http::new(&studio.base_url).with_key(&kept).get("/v1/whoami").await.is(401);
    assert_eq!(ada.app.team().remove_person(person.id.clone()).await.unwrap_err().code, "user_not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invitation_of_the_operator_is_redeemed_as_well_and_one_that_was_taken_back_is_not() {
    let studio = Studio::start(Options::new());
    let invite = |email: &str| {
        let made = run(&studio, &["invite", email, "--role", "owner", "--address", &studio.base_url]);
        (made["code"].as_str().unwrap().to_owned(), made["id"].as_str().unwrap().to_owned())
    };
    let ((code, _), (taken_back, id)) = (invite("a@example.org"), invite("b@example.org"));
    run(&studio, &["invitations", "take-back", &id]);
    let stage = Stage::open();
    let refused = stage.app.connections().redeem_invitation(pasted(&taken_back)).await.unwrap_err();
    assert_eq!((refused.code.as_str(), refused.action.kind), ("invitation_refused", ActionKind::EditName));
    assert!(stage.app.connections().list_connections().await.unwrap().is_empty());
    let view = stage.app.connections().redeem_invitation(pasted(&code)).await.unwrap();
    assert_eq!(view.account.unwrap().role.as_deref(), Some("owner"));
    let key = stage.keychain.keys.lock().unwrap().values().next().unwrap().clone();
    let team = Http::new(&studio.base_url).with_key(&key);
    team.get("/team").await.is(403);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_encryption_a_code_leaves_only_after_a_yes() {
    let code = easel_wire::invitation::Invitation::new("http://studio.invalid", [3; 20]).unwrap().code();
    let stage = Stage::open();
    let refused = stage.app.connections().redeem_invitation(pasted(&code)).await.unwrap_err();
    assert_eq!((refused.code.as_str(), refused.action.kind), ("plain_http_refused", ActionKind::ConfirmPlainHttp));
    let confirmed = InvitationDraft { confirm_plain_http: true, ..pasted(&code) };
    assert_eq!(stage.app.connections().redeem_invitation(confirmed).await.unwrap_err().code, "unreachable");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_team_of_the_studio_on_this_computer_is_managed_by_its_own_commands() {
    let stage = Stage::open();
    assert_eq!(stage.app.team().get_team().await.unwrap_err().code, "no_connection");
    stage.app.connections().start_local_studio(false).await.unwrap();
    let team = stage.app.team();
    let made = team.invite_person("ben@example.org".to_owned(), TeamRole::Admin).await.unwrap();
    let seen = team.get_team().await.unwrap();
    assert!(seen.is_local && seen.may_make_owners);
    assert_eq!((seen.people.len(), seen.invitations.len(), seen.keys.len()), (1, 1, 1));
    assert!(seen.people[0].is_you && !seen.people[0].may_be_changed);
    assert!(seen.keys[0].used_by_easel && !seen.keys[0].may_be_deleted);
    assert_eq!(seen.storage.unwrap().max_bytes, None);
    let ben = Stage::open();
    ben.app.connections().redeem_invitation(pasted(&made.code)).await.unwrap();
    let seen = team.get_team().await.unwrap();
    let person = seen.people.iter().find(|person| !person.is_you).unwrap();
    assert_eq!((person.email.as_str(), person.role, person.may_be_changed), ("ben@example.org", TeamRole::Admin, true));
    assert_eq!(
        team.invite_person("ben@example.org".to_owned(), TeamRole::Admin).await.unwrap_err().code,
        "user_exists"
    );
    team.change_person_role(person.id.clone(), TeamRole::Member).await.unwrap();
    let key = seen.keys.iter().find(|key| key.user_email == "ben@example.org").unwrap();
    assert!(key.may_be_deleted && !key.is_admin);
    team.delete_team_key(key.id.clone()).await.unwrap();
    team.remove_person(person.id.clone()).await.unwrap();
    let made = team.invite_person("mia@example.org".to_owned(), TeamRole::Member).await.unwrap();
    team.revoke_invitation(made.invitation.id).await.unwrap();
    let seen = team.get_team().await.unwrap();
    assert_eq!((seen.people.len(), seen.invitations.len()), (1, 0));
    let actions: Vec<String> = team.list_team_log(4).await.unwrap().into_iter().map(|entry| entry.action).collect();
    assert_eq!(actions, ["invitation_taken_back", "user_invited", "user_removed", "key_deleted"]);
    ben.app.close().await;
    stage.app.close().await;
}
