//! Briefs as people type them, in one paragraph: what stands on which page. Deliberately not here: how the pages look.

use easel_canvas::content::{Matter, Passage};
use easel_canvas::{Brief, Category, Document, Format, compose};

fn draw(prompt: &str, category: Category) -> Document {
    let format = Format::of(category);
    let prompt = prompt.to_owned();
    let brief = Brief { prompt, format, page_count: None, name: None, brand: None, attachments: Vec::new(), seed: 7 };
    compose(&brief, &mut |_| {}).expect("a design").document
}

fn titles(document: &Document) -> Vec<&str> {
    document.origin.outline.passages.iter().map(|passage| passage.title.as_str()).collect()
}

fn only(document: &Document) -> &Passage {
    let [passage] = document.origin.outline.passages.as_slice() else { panic!("{:?}", titles(document)) };
    passage
}

#[test]
fn each_numbered_item_has_its_page() {
    let deck = draw(
        "I need a deck for our Monday all-hands. 6 slides. 1) where we are: 212 customers, churn 2.1%. 2) what went wrong: 3 outages, 41 tickets. \
         3) what we changed: two reviewers, rollback button. 4) hiring: two engineers by November. 5) Q4 goals: offline mode, NPS from 31 to 40. \
         Keep it friendly.",
        Category::Slides,
    );
    let expected = ["Monday all-hands", "Where we are", "What went wrong", "What we changed", "Hiring", "Q4 goals"];
    assert_eq!(titles(&deck), expected);
    assert_eq!(deck.page_count(), 6);
}

#[test]
fn each_part_of_the_agenda_has_its_page() {
    let deck = draw(
        "Quarterly review for the board. Agenda: numbers, product, risks. Numbers: revenue €3.2m, gross margin 71%, runway 22 months. \
         Product: mobile app launched in 4 countries; crash rate 0.3%. Risks: one customer is 22% of revenue; AWS bill up 40%.",
        Category::Slides,
    );
    assert_eq!(titles(&deck), ["Quarterly review for the board", "Agenda", "Numbers", "Product", "Risks"]);
    let deck = draw(
        "Our results 2025: Revenue grew 22% to €14.1m. Outlook: between €16m and €17m. Make it 4 slides, sober.",
        Category::Slides,
    );
    assert!(!titles(&deck).iter().any(|title| title.starts_with("It")), "{:?}", titles(&deck));
}

#[test]
fn dishes_stand_under_their_course() {
    let menu = draw(
        "Menu for Friday's supper club as a poster. Starters: beetroot carpaccio 9, smoked trout 12. Mains: lamb shoulder 24, pie 19. \
         Dessert: lemon posset 8. Wine pairing +25. 8 p.m., The Old Dairy, bring cash.",
        Category::Other,
    );
    let Matter::Menu { groups, .. } = &only(&menu).matter else { panic!("no menu") };
    let groups: Vec<(&str, usize)> = groups.iter().map(|group| (group.name.as_str(), group.items.len())).collect();
    assert_eq!(groups, [("Starters", 2), ("Mains", 2), ("Dessert", 1)]);
}

#[test]
fn the_plan_that_is_to_stand_out_does() {
    let page = draw(
        "Compare our three plans on one slide: Starter €9/month with 1 user and 5 GB; Team €29/month with 10 users and SSO; \
         Business €79/month with unlimited users and a manager. Highlight Team.",
        Category::Slides,
    );
    let passage = only(&page);
    let Matter::Columns { columns, .. } = &passage.matter else { panic!("{passage:?}") };
    let loud: Vec<&str> =
        columns.iter().filter(|column| column.is_highlighted).map(|column| column.head.as_str()).collect();
    assert_eq!((passage.title.as_str(), loud), ("Three plans", vec!["Team"]));
}

#[test]
fn who_marries_is_the_title() {
    let card = draw(
        "Invitation to our wedding! Clara Hoffmann & Luis Ortega. 12 September 2026, 3 pm, Schloss Lieser, Moselstraße 33. \
         Dinner and dancing afterwards. Soft, botanical, elegant.",
        Category::Social,
    );
    let passage = only(&card);
    assert_eq!((passage.kicker.as_str(), passage.title.as_str()), ("Wedding", "Clara Hoffmann & Luis Ortega"));
    let Matter::Cover { details, .. } = &passage.matter else { panic!("{passage:?}") };
    let place = details.iter().position(|detail| detail == "Moselstraße 33");
    assert_eq!(place.and_then(|at| details.get(at + 1)).map(String::as_str), Some("Dinner and dancing afterwards"));
    assert!(!details.iter().any(|detail| detail.contains("otanical")), "{details:?}");
}

#[test]
fn a_checklist_of_one_page_is_one() {
    let page = draw(
        "Checklist for moving house: 8 weeks before: give notice, book the movers, sort out cellar. 4 weeks before: order boxes, change address. \
         1 week before: defrost freezer, pack essentials bag. Moving day: read meters, hand over keys. Printable.",
        Category::Pdf,
    );
    assert_eq!(page.page_count(), 1);
    let passage = only(&page);
    let Matter::Board { parts, .. } = &passage.matter else { panic!("{passage:?}") };
    let parts: Vec<&str> = parts.iter().map(|part| part.title.as_str()).collect();
    assert_eq!(parts, ["8 weeks before", "4 weeks before", "1 week before", "Moving day"]);
}

#[test]
fn what_happens_otherwise_branches_where_it_was_asked() {
    let flow = draw(
        "How we handle refunds: customer writes to support. Support checks the order. If it is older than 30 days, we decline politely. \
         Otherwise we ask for a photo. If the photo shows damage, refund right away, else the warehouse inspects it and then we refund.",
        Category::Diagram,
    );
    let Matter::Flow { boxes, arrows } = &only(&flow).matter else { panic!("no diagram") };
    let at =
        |words: &str| boxes.iter().position(|own| own.head.starts_with(words)).unwrap_or_else(|| panic!("{words}"));
    let from_photo = |words| arrows.iter().any(|arrow| arrow.from == at("We ask for a photo") && arrow.to == at(words));
    assert!(from_photo("Refund right away") && from_photo("The warehouse"), "{arrows:?}");
}

#[test]
fn whose_it_is_and_whom_it_thanks_is_no_title() {
    let story = draw(
        "Story for our shop: SALE -30% on all raincoats until Sunday. Code DRIZZLE30. link in bio",
        Category::Social,
    );
    assert!(only(&story).title.starts_with("SALE -30%"), "{:?}", only(&story));
    let card = draw(
        "Thank you card for our volunteers. 240 hours, 35 helpers, 1 clean river. From all of us at RiverWatch.",
        Category::Social,
    );
    assert_eq!(only(&card).title, "Thank you");
}
