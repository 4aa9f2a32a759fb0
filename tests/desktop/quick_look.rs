//! Having a look at what is there, without opening it.

use easel_tests::axe;
use easel_tests::desktop::Keychain;
use easel_tests::drive::replace_content;
use easel_tests::hand::Hand;
use easel_tests::journey::{Journey, read_drive};
use easel_tests::patience::wait_for;
use easel_tests::samples;
use easel_tests::window::PATIENCE;

#[tokio::test]
async fn a_file_is_found_by_ctrl_k_in_another_folder_and_looked_at_with_space() {
    let journey = Journey::begin(Keychain::Unlocked).await;
    let window = &journey.window;
    let folder = journey.files().join("Brand");
    std::fs::create_dir_all(&folder).expect("a folder");
    samples::write_picture(&folder.join("Storefront.png"));
    std::fs::write(folder.join("Oven.md"), "# Lit at four").expect("a text");
    let red = "0.8 0.2 0.1 rg 60 60 475 722 re f";
    let pages = [("0 0 595 842", red), ("0 0 842 595", "0.1 0.3 0.7 rg 60 60 722 475 re f"), ("0 0 595 842", red)];
    std::fs::write(folder.join("Offer.pdf"), samples::pdf_of(&pages)).expect("a document");
    journey.start_on_this_computer().await;
    journey.drop_files("home-dropzone", &[folder]).await;
    journey.wait_for_transfers(&["Offer.pdf", "Oven.md", "Storefront.png"]).await;

    let hand = Hand::of(&journey);
    hand.bring_forward();
    hand.press("ctrl+k");
    window.find_by("[data-testid=palette-query]:focus").await;
    hand.write("storefront");
    let found = "return document.querySelector('[data-testid=palette] [aria-selected=true]')?.innerText ?? 'nothing'";
    wait_for("the file in the palette", PATIENCE, async || {
        let first = window.look(found).await;
        let words = first.as_str().unwrap_or_default();
        if words.contains("Storefront.png") && words.contains("Brand") { Ok(()) } else { Err(words.to_owned()) }
    })
    .await;
    hand.press("Return");
    window.find_by("[data-testid=drive-row][data-name=\"Storefront.png\"][aria-selected=true]").await;
    window.find_by("[data-testid=drive-list]:focus").await;

    hand.press("space");
    window.find_by("[data-testid=look-stage][data-name=\"Storefront.png\"]:focus").await;
    window.find_by("[data-testid=look-picture].here").await;
    axe::check(window, "a picture in the quick look").await;
    hand.press("Left");
    window.wait_for_words("look-text", "# Lit at four").await;
    axe::check(window, "a text in the quick look").await;
    hand.press("Left");
    window.find_by("[data-testid=look-stage][data-name=\"Offer.pdf\"]").await;
    window.find_by("[data-testid=look-picture].here").await;
    window.wait_for_words("quick-look", "3 pages").await;
    hand.press("Next");
    window.find_by("[data-testid=look-picture].here[src$=\"/2\"]").await;
    axe::check(window, "a page of a document in the quick look").await;
    hand.press("Right");
    hand.press("Right");
    window.find_by("[data-testid=look-stage][data-name=\"Storefront.png\"]").await;
    window.find_by("[data-testid=look-picture].here").await;
    hand.press("space");
    wait_for("the quick look to close", PATIENCE, async || {
        if window.has("quick-look").await { Err("it is open") } else { Ok(()) }
    })
    .await;
    window.find_by("[data-testid=drive-list]:focus").await;
    window.find_by("[data-testid=drive-row][data-name=\"Storefront.png\"][aria-selected=true]").await;
    window.find_by("[data-testid=drive-row][data-name=\"Offer.pdf\"] img.here").await;
    assert_eq!(hand.clicks(), 0);

    // What the document was before is looked at page by page, too.
    let service = journey.built_in_service().await;
    let offer = read_drive(&service).await["Offer.pdf"].clone();
    replace_content(&service, &offer.id, "application/pdf", &samples::pdf_of(&pages[..1])).await;
    window.click_by("[data-testid=drive-row][data-name=\"Offer.pdf\"] [data-testid=drive-row-menu]").await;
    window.click("menu-versions").await;
    window.wait_for_words("version-page-number", "Page 1 of 3").await;
    window.click("version-next").await;
    window.find_by("[data-testid=version-preview] img.here[src$=\"/2\"]").await;
    axe::check(window, "a page of a document's version").await;
    window.click("versions-close").await;

    // What is sent now stands above what was sent before, which the shelf does not count any more.
    let late = journey.files().join("Late.md");
    std::fs::write(&late, "# One more").expect("a text");
    journey.drop_files("drive", &[late]).await;
    window.find("shelf-earlier").await;
    window.wait_for_words("shelf", "1 file in the drive").await;
    let rows = "return document.querySelector('[data-testid=shelf]').innerText";
    let said = window.look(rows).await;
    let (above, below) = said.as_str().and_then(|said| said.split_once("Earlier")).expect("two parts");
    assert!(above.contains("Late.md") && below.contains("Offer.pdf"), "{said}");
}
