//! Who writes what the designs of the built-in studio say: kept, told to the studio, and its key nowhere else.

use easel_app::ports::WriterProtocol;
use easel_app::writing::{WriterKind, WriterPlace, WritingChoice};
use secrecy::ExposeSecret;

use crate::stage::Stage;

const KEY: &str = "sk-planted-0123456789";

fn choice(kind: WriterKind, address: &str, model: &str, key: Option<&str>) -> WritingChoice {
    let place = WriterPlace { address: address.to_owned(), model: model.to_owned(), protocol: None };
    WritingChoice { kind, place, key: key.map(str::to_owned), keep_for_session: false }
}

/// Who the studio was told writes: address, model, and the key.
fn told(stage: &Stage) -> Option<(String, String, Option<String>)> {
    let writer = stage.built_in.writer.lock().unwrap().clone()?;
    Some((writer.address, writer.model, writer.key.map(|key| key.expose_secret().to_owned())))
}

#[tokio::test(flavor = "multi_thread")]
async fn the_studio_writes_by_itself_until_somebody_else_is_chosen_and_again_afterwards() {
    let stage = Stage::open();
    let first = stage.app.writing().get_writing().await.unwrap();
    assert_eq!((first.kind, first.has_key), (WriterKind::BuiltIn, false));
    assert_eq!(first.on_this_computer.protocol, Some(WriterProtocol::Ollama));
    assert!(told(&stage).is_none());
    let here = choice(WriterKind::OnThisComputer, "http://127.0.0.1:11434/", " small ", None);
    let view = stage.app.writing().set_writing(here).await.unwrap();
    assert_eq!(
        (view.on_this_computer.address.as_str(), view.on_this_computer.model.as_str()),
        ("http://127.0.0.1:11434", "small")
    );
    assert_eq!(told(&stage), Some(("http://127.0.0.1:11434".to_owned(), "small".to_owned(), None)));
    let view = stage.app.writing().set_writing(choice(WriterKind::BuiltIn, "", "", None)).await.unwrap();
    assert_eq!((view.kind, view.on_this_computer.model.as_str()), (WriterKind::BuiltIn, "small"));
    assert!(told(&stage).is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_key_of_a_service_is_in_the_keychain_and_goes_to_its_own_service_alone() {
    let stage = Stage::open();
    let set = async |choice: WritingChoice| stage.app.writing().set_writing(choice).await;
    set(choice(WriterKind::Service, "models.example/v1", "large", Some(KEY))).await.unwrap();
    assert_eq!(told(&stage), Some(("https://models.example/v1".to_owned(), "large".to_owned(), Some(KEY.to_owned()))));
    // Another model of the same service keeps it; a model on this computer never gets it.
    set(choice(WriterKind::OnThisComputer, "http://127.0.0.1:11434", "small", None)).await.unwrap();
    assert_eq!(told(&stage).unwrap().2, None);
    let view = set(choice(WriterKind::Service, "https://models.example/v2", "larger", None)).await.unwrap();
    assert!(view.has_key && told(&stage).unwrap().2.as_deref() == Some(KEY));
    assert!(!format!("{view:?}").contains(KEY));
    // It is for this service: another one does not get it.
    let view = set(choice(WriterKind::Service, "https://elsewhere.example", "large", None)).await.unwrap();
    assert_eq!((view.has_key, told(&stage).unwrap().2), (false, None));
    assert!(stage.keychain.keys.lock().unwrap().values().all(|key| key != KEY));
    let written = stage.everything_written();
    assert!(!written.windows(KEY.len()).any(|window| window == KEY.as_bytes()), "the key is in a file of Easel's");
    let events = format!("{:?}", stage.page.events());
    assert!(!events.contains(KEY));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_used_is_refused_with_words_and_changes_nothing() {
    let stage = Stage::open();
    let check = async |address: &str, model: &str, key: Option<&str>, expected: &str| {
        let refused =
            stage.app.writing().set_writing(choice(WriterKind::Service, address, model, key)).await.unwrap_err();
        assert_eq!(refused.code, expected, "{address} {model}");
        assert!(!format!("{refused:?}").contains("secret"), "{refused:?}");
    };
    check("", "m", None, "writer_address_not_usable").await;
    check("https://a:secret@b.example", "m", None, "writer_address_not_usable").await;
    check("https://b.example", " ", None, "writer_model_missing").await;
    check("https://b.example", "m", Some("sk secret"), "writer_key_not_usable").await;
    assert_eq!(stage.app.writing().get_writing().await.unwrap().kind, WriterKind::BuiltIn);
    assert!(told(&stage).is_none());
}
