//! What a file is looked at as without being opened: its picture, the beginning of its text, or neither.

use easel_tests::samples;
use easel_tests::studio::{Options, Studio};

use crate::stage::Stage;

#[tokio::test(flavor = "multi_thread")]
async fn a_file_is_looked_at_by_its_picture_or_by_the_beginning_of_its_text() {
    let studio = Studio::start(Options::new());
    let stage = Stage::connected_to(&studio).await;

    let note = stage.put("oven.md", b"# Lit at four", None).await;
    let look = stage.app.drive().look_at_file(note.id.clone()).await.unwrap();
    let text = look.text.unwrap();
    assert_eq!((text.text.as_str(), text.is_cut, look.picture), ("# Lit at four", false, None));
    assert_eq!((look.file_id, look.size_bytes.map(|bytes| bytes.get())), (note.id, Some(13)));

    let long = stage.put("log.txt", "so long a line\n".repeat(20_000).as_bytes(), None).await;
    let text = stage.app.drive().look_at_file(long.id).await.unwrap().text.unwrap();
    assert_eq!((text.text.len(), text.is_cut), (64 * 1024, true));

    let drawn = stage.folder.path().join("drawn.png");
    samples::write_picture(&drawn);
    let bytes = std::fs::read(&drawn).unwrap();
    let picture = stage.put("logo.png", &bytes, None).await;
    let look = stage.app.drive().look_at_file(picture.id).await.unwrap();
    assert!(look.text.is_none());
    let address = look.picture.unwrap();
    let shown = stage.app.media().get_media(address.trim_start_matches("easel-media://localhost")).await.unwrap();
    assert_eq!((shown.mime_type.as_str(), shown.bytes.as_ref()), ("image/png", bytes.as_slice()));

    let other = stage.put("sounds.txt", b"\x00\x01\xff", None).await;
    let look = stage.app.drive().look_at_file(other.id).await.unwrap();
    assert_eq!((look.text, look.picture), (None, None), "it is only called a text");
    let gone = stage.app.drive().look_at_file("file_00000000000000000000000001".to_owned()).await.unwrap_err();
    assert_eq!(gone.code, "file_not_found");
}
