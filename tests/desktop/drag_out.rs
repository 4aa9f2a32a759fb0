//! Files dragged out of the window into another program.

use easel_tests::desktop::Keychain;
use easel_tests::drop_target::DropTarget;
use easel_tests::journey::{Journey, SENDING};
use easel_tests::patience::wait_for;

#[tokio::test]
async fn an_export_and_a_file_that_was_fetched_are_dragged_into_another_program() {
    let journey = Journey::begin(Keychain::Unlocked).await;
    let window = &journey.window;
    journey.start_on_this_computer().await;
    let target = DropTarget::show(&journey.desktop);

    // An export of one of the first designs.
    window.click("rail-designs").await;
    window.find("design-card").await;
    window.look("document.querySelector('[data-testid=\"design-export\"]').click()").await;
    window.click("export-pdf").await;
    window.click("rail-activity").await;
    window.click("activity-exports").await;
    let row = "[data-testid=\"export-row\"][data-state=\"finished\"]";
    window.find_by(row).await;
    window.rest().await;
    let given = target.drag_from(window.place_by(&journey.desktop, &format!("{row} .name")).await);
    let [exported] = given.expect("the export arrives").try_into().expect("one file");
    assert_eq!(exported.parent(), Some(journey.desktop.downloads().as_path()));
    assert!(exported.is_file(), "{}", exported.display());

    // A file of the drive whose name has to be escaped on the way: only once it is on this computer.
    let name = "50 % off #1 – Größe.txt";
    let path = journey.files().join(name);
    std::fs::write(&path, "a price").expect("a file");
    window.click("rail-home").await;
    journey.drop_files("home-dropzone", &[path]).await;
    journey.wait_for_transfers(&[name]).await;
    window.click("rail-drive").await;
    let row = format!("[data-testid=\"drive-row\"][data-name=\"{name}\"]");
    let words = format!("{row} .words");
    window.click_by(&words).await;
    let fetched = journey.desktop.downloads().join(name);
    window.click("details-download").await;
    wait_for("the download", SENDING, async || if fetched.is_file() { Ok(()) } else { Err("not there") }).await;
    window.rest().await;
    let given = target.drag_from(window.place_by(&journey.desktop, &words).await);
    assert_eq!(given, Some(vec![fetched]));
}
