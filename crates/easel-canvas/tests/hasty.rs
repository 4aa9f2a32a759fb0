//! Briefs typed in haste: what is said behind a colon, prices without currencies, letters with the wish at their end.
//! Deliberately not here: how the pages look.

mod drawn;

use easel_canvas::content::Matter;
use easel_canvas::{Category, Document};

use drawn::{draw, only};

fn all_words(document: &Document) -> String {
    format!("{:?}", document.origin.outline)
}

#[test]
fn what_is_said_is_the_title_and_whose_it_is_stands_above() {
    for (prompt, kicker, title) in [
        (
            "Post for our nursing home: Our oldest resident Hilde turned 94 today! Haus Sonnenberg",
            "Nursing home",
            "Our oldest resident Hilde turned 94 today",
        ),
        (
            "Trauerkarte: In stillem Gedenken an Heinz Kramer, * 3.2.1941 † 9.10.2025. Familie Kramer.",
            "Trauer",
            "In stillem Gedenken an Heinz Kramer",
        ),
    ] {
        let document = draw(prompt, Category::Other);
        let passage = only(&document);
        assert_eq!((passage.kicker.as_str(), passage.title.as_str()), (kicker, title), "{prompt}");
    }
    // A list of what there is leaves the name where it is.
    let fair = draw("Poster for our summer fair: bouncy castle, cake stall, raffle, free entry", Category::Other);
    assert_eq!(only(&fair).title, "Summer fair");
    let lost = draw("LOST: blue scooter helmet w/ shark stickers. left on bus 38. call 0171 5550182", Category::Other);
    assert_eq!(only(&lost).title, "LOST: blue scooter helmet w/ shark stickers");
}

#[test]
fn hasty_menus_have_their_prices() {
    let menu = draw(
        "food truck menu pls!! name is Seoul Bowl\nbibimbap 9.5 (veg 8.5)\nkimchi fried rice 8\ntteokbokki 7, extra cheese +1\n\
         chicken bao 2pcs 6.50",
        Category::Other,
    );
    let Matter::Menu { groups, .. } = &only(&menu).matter else { panic!("{:?}", only(&menu)) };
    let items: Vec<(&str, &str)> =
        groups.iter().flat_map(|group| &group.items).map(|item| (item.name.as_str(), item.price.as_str())).collect();
    assert_eq!(
        items,
        [("Bibimbap", "9.5"), ("Kimchi fried rice", "8"), ("Tteokbokki", "7"), ("Chicken bao 2pcs", "6.50")]
    );
    let quote =
        draw("Devis\n\nTaille de haie : 378,00 €\nMassif de vivaces : 1 260,00 €\nPaillage : 195,00 €", Category::Pdf);
    assert!(all_words(&quote).contains("1 260,00 €"), "{:?}", quote.origin.outline);
    let menu = draw("قائمة أسعار\n\nعصائر الواحة\n\nبرتقال – 12 درهم\nرمان – 18 درهم\nليمون – 10 دراهم", Category::Pdf);
    let Matter::Menu { groups, .. } = &only(&menu).matter else { panic!("{:?}", only(&menu)) };
    assert_eq!(groups[0].items.len(), 3);
}

#[test]
fn a_letter_keeps_how_it_begins_and_ends() {
    let letter = draw(
        "Dear neighbours,\n\nfrom Monday 3 March we will be replacing the water pipes in Birch Close. This takes about two weeks.\n\n\
         Please store some water.\n\n(can you make that a nice one page letter with our blue)",
        Category::Pdf,
    );
    assert!(all_words(&letter).contains("Dear neighbours"), "{:?}", letter.origin.outline);
    assert!(!all_words(&letter).contains("nice one page"), "{:?}", letter.origin.outline);
    let letter = draw(
        "a letter to all flats, one page\n\nWillow Court\n5 May 2026\n\nDear residents,\n\nThe lift will be replaced in May.\n\n\
         Yours sincerely,\nPhilippa Strand\nBuilding Manager",
        Category::Pdf,
    );
    for words in ["Yours sincerely", "Philippa Strand", "Building Manager"] {
        assert!(all_words(&letter).contains(words), "{words}: {:?}", letter.origin.outline);
    }
}

#[test]
fn a_deck_that_is_to_be_a_pdf_has_slides() {
    let deck = draw(
        "Pitch deck for Mossy, a rental service for moss walls. Problem: office air is dry. Solution: we water the walls. Ask: €400k",
        Category::Pdf,
    );
    assert_eq!((deck.pages[0].width, deck.pages[0].height), (1920, 1080));
}

#[test]
fn wishes_among_the_lines_are_not_printed() {
    let slides = draw(
        "slides for my theory night\n- lessons: 45 min each, book in the app\n- costs: lesson 42£, test day 95£, pack 5 lessons for 190£\n\
         yellow and black like our cars",
        Category::Slides,
    );
    let said = all_words(&slides);
    assert!(!said.contains("like our cars"), "{said}");
    assert!(said.contains("190£"), "{said}");
    let invitation = draw(
        "an invitation for dad's party\n\nLast stop: Desmond hangs up his keys\nFriday 27 March\nNo presents! A story about Des is plenty.",
        Category::Pdf,
    );
    assert!(all_words(&invitation).contains("A story about Des is plenty"), "{:?}", invitation.origin.outline);
}
