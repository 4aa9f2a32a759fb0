//! Briefs in which somebody speaks: to guests, to readers, to whoever makes the thing. What is said to whom decides what
//! stands on the page. Deliberately not here: how the pages look.

mod drawn;

use easel_canvas::content::Matter;
use easel_canvas::{Category, Document};

use drawn::{draw, only};

/// Everything that stands on the pages, in small letters.
fn words(document: &Document) -> String {
    format!("{:?}", document.origin.outline.passages).to_lowercase()
}

#[test]
fn what_guests_shall_bring_is_no_kind_of_thing() {
    for (prompt, said) in [
        (
            "we're having a campfire night on saturday 13 june, 8pm at Ahornweg 4. bring a story and a blanket",
            "bring a story and a blanket",
        ),
        ("Campfire night\nSaturday 13 June, 8 pm\nAhornweg 4\nBring a story", "bring a story"),
        ("Bring a card for Tom. He leaves on Friday. Cake at 4 pm in the kitchen.", "bring a card for tom"),
    ] {
        let page = draw(prompt, Category::Other);
        assert!(words(&page).contains(said), "{prompt}: {:?}", only(&page));
    }
}

#[test]
fn lines_numbered_without_a_mark_are_a_list() {
    let deck = draw("Deck for the spring kickoff\n1 Intro\n2 Market\n3 What we do next", Category::Slides);
    let said = words(&deck);
    assert!(!said.contains("figures"), "{said}");
    for item in ["intro", "market", "what we do next"] {
        assert!(said.contains(item), "{item}: {said}");
    }
}

#[test]
fn what_is_typed_for_short_is_no_word_of_the_title() {
    for (prompt, title) in [
        ("flyer 4 our spring sale, saturday 9 may, 20% off all bikes", "Spring sale"),
        (
            "we need a poster re: bike theft in the yard. lock your bikes, yard office 040 1234567",
            "Bike theft in the yard",
        ),
    ] {
        assert_eq!(only(&draw(prompt, Category::Other)).title, title, "{prompt}");
    }
}

#[test]
fn a_deck_that_nothing_names_is_called_by_what_it_is_about() {
    for (prompt, title) in [
        (
            "6 slides: problem, solution, market (€4.2bn), team, ask\nwe make sensors for beehives",
            "Sensors for beehives",
        ),
        (
            "Make me a presentation with 5 slides. We build electric cargo bikes for bakeries. We have 40 customers and €1.2m revenue. We need €2m.",
            "Electric cargo bikes for bakeries",
        ),
    ] {
        let deck = draw(prompt, Category::Slides);
        assert_eq!(deck.origin.outline.passages[0].title, title, "{prompt}");
    }
}

#[test]
fn those_who_gave_money_have_it_beside_their_names() {
    let deck = draw(
        "pitch deck for Hivewatch, sensors for beehives. Our investors so far: Nordic Seed (€200k), Ada Lind (€50k)",
        Category::Slides,
    );
    let passage = &deck.origin.outline.passages[1];
    let Matter::Menu { groups, .. } = &passage.matter else { panic!("{passage:?}") };
    let items: Vec<(&str, &str)> =
        groups[0].items.iter().map(|item| (item.name.as_str(), item.price.as_str())).collect();
    assert_eq!(items, [("Nordic Seed", "€200k"), ("Ada Lind", "€50k")]);
}

#[test]
fn questions_with_their_answers_below_are_headings() {
    let page = draw(
        "One-pager about the Repair Café\n\nWhat do we do?\nWe mend what you bring: lamps, bikes, clothes.\n\n\
         When are we open?\nEvery first Saturday, 10 to 14.\n\nWho can help?\nAnyone with two hands.",
        Category::Pdf,
    );
    let Matter::Board { parts, .. } = &only(&page).matter else { panic!("{:?}", only(&page)) };
    let titles: Vec<&str> = parts.iter().map(|part| part.title.as_str()).collect();
    assert_eq!(titles, ["What do we do?", "When are we open?", "Who can help?"]);
}

#[test]
fn wishes_in_brackets_and_behind_that_are_not_printed() {
    for (prompt, wish, fact) in [
        (
            "Poster for the village run (keep it simple)\nVillage Run\nSunday 7 June, 10:00 (no pictures of shoes please)\n5 km and 10 km",
            "shoes",
            "10:00",
        ),
        (
            "We need a flyer for the open day. We want that the date is big and that it looks friendly. 12 September, 10-16, Gartenstraße 5",
            "friendly",
            "gartenstraße 5",
        ),
        (
            "Flyer Tag der offenen Tür. Wir möchten, dass das Datum groß ist und dass es freundlich aussieht. 12. September, 10–16 Uhr, Gartenstraße 5",
            "freundlich",
            "10–16 uhr",
        ),
    ] {
        let said = words(&draw(prompt, Category::Other));
        assert!(!said.contains(wish) && said.contains(fact), "{prompt}: {said}");
    }
}

#[test]
fn a_number_that_the_page_shall_have_stands_there_alone() {
    for prompt in [
        "It should have my number on it, 0170 1234567",
        "it should have my number on it 0170 1234567",
        "da muss meine nummer drauf, 0170 1234567",
    ] {
        for category in [Category::Other, Category::Social] {
            assert_eq!(only(&draw(prompt, category)).title, "0170 1234567", "{prompt}");
        }
    }
    let page = draw("piano lessons for kids, first lesson free. put my number on it 0170 1234567", Category::Other);
    let said = words(&page);
    assert!(said.contains("\"0170 1234567\"") && !said.contains("on it"), "{said}");
}

#[test]
fn a_question_is_a_name_and_no_direction() {
    let deck = draw(
        "Präsi für Montag, 4 Folien\nWo stehen wir: 212 Kunden, 2,1 % Kündigungen\nWas lief schief: 3 Ausfälle\n\
         Was ändern wir: zwei Reviewer, Rollback-Knopf",
        Category::Slides,
    );
    let said = words(&deck);
    assert!(said.contains("wo stehen wir"), "{said}");
    let flow = draw(
        "member asks at desk, we check the card. card expired? renew it first. then scan book, book due in 4 weeks",
        Category::Diagram,
    );
    assert!(words(&flow).contains("card expired"), "{:?}", only(&flow));
}

#[test]
fn steps_that_sound_like_wishes_stay_steps() {
    let cards = draw(
        "5 slides insta: how to store bread. 1 never in the fridge 2 use a wooden box 3 cut side down 4 freeze slices 5 toast from frozen",
        Category::Carousel,
    );
    assert!(words(&cards).contains("use a wooden box"), "{}", words(&cards));
}

#[test]
fn minutes_are_numbered_without_a_mark() {
    let minutes = draw(
        "Protokoll Elternbeirat 3.11.2026\nAnwesend: Meyer, Öz, Brandt\n1 Begrüßung\nFrau Meyer eröffnet um 19:05.\n2 Kasse\n\
         Stand 1.240 €. Ausgaben Herbstfest 310 €.\n3 Nächster Termin\n1. Dezember, 19 Uhr, Raum 12",
        Category::Pdf,
    );
    let titles: Vec<&str> = minutes.origin.outline.passages.iter().map(|passage| passage.title.as_str()).collect();
    for title in ["Begrüßung", "Kasse", "Nächster Termin"] {
        assert!(
            format!("{:?}", minutes.origin.outline.passages).contains(&format!("title: \"{title}\"")),
            "{titles:?}"
        );
    }
}

#[test]
fn whom_a_certificate_is_for_is_no_audience() {
    let page = draw(
        "certificate of attendance\nfor: Ines Duarte\ncourse: Watercolour for Beginners, 6 evenings\noct-nov 2026\nteacher Pavel Novak\n\
         gold border and elegant please",
        Category::Other,
    );
    assert_eq!(only(&page).title, "Ines Duarte");
    assert!(!words(&page).contains("gold"), "{}", words(&page));
}

#[test]
fn a_title_is_said_once_and_without_what_asks_for_it() {
    let page = draw("Poster for the village run\nVillage Run\nSunday 7 June, 10:00", Category::Other);
    assert_eq!(words(&page).matches("village run").count(), 1, "{:?}", only(&page));
    for (prompt, title, category) in [
        (
            "we want 3 slides that explain why cats purr and that are fun for kids. Cats purr when happy. They also purr when hurt.",
            "Why cats purr",
            Category::Slides,
        ),
        (
            "post für insta wir suchen eine Aushilfe, 14 €/h, Bäckerei Korn",
            "Wir suchen eine Aushilfe",
            Category::Social,
        ),
        (
            "pitch deck 4 investors, Rootbox. Problem: 40% of balcony plants die. Ask: 300k for tooling",
            "Rootbox",
            Category::Slides,
        ),
    ] {
        assert_eq!(draw(prompt, category).origin.outline.passages[0].title, title, "{prompt}");
    }
}

#[test]
fn a_letter_ends_with_its_farewell() {
    let page = draw(
        "Hallo Team,\n\nanbei der Text für unseren Aushang. Bitte groß und gut lesbar.\n\nHeizung wird gewartet\nDienstag, 17. November, \
         8 bis 12 Uhr\nIn dieser Zeit kein warmes Wasser.\n\nDanke und Gruß\nSabine",
        Category::Other,
    );
    let said = words(&page);
    assert!(!said.contains("sabine") && said.contains("kein warmes wasser"), "{said}");
}

#[test]
fn what_is_only_asked_for_is_not_the_title() {
    let card = draw(
        "Kannst du mir eine Einladung machen? Wir feiern Richtfest am Freitag, den 4. Dezember ab 16 Uhr, Baustelle Lindenweg 12.",
        Category::Other,
    );
    assert_ne!(only(&card).title, "Machen");
    let page = draw(
        "Hey, can you make a nice looking one pager from this?\n\nRepair bonus 2026\nWho gets it: every household in Weimar county\n\
         Not for: cars and bikes",
        Category::Pdf,
    );
    assert_eq!((only(&page).kicker.as_str(), only(&page).title.as_str()), ("", "Repair bonus 2026"));
}

#[test]
fn an_aim_with_a_number_is_told() {
    let deck = draw(
        "kickoff deck, project Heron\nwhy: invoices take 9 days\ngoal: 2 days by June\nwho: Ana (lead), Ben, Chris from finance",
        Category::Slides,
    );
    assert!(words(&deck).contains("days by june"), "{}", words(&deck));
}

#[test]
fn prices_that_are_spoken_stand_beside_their_things() {
    for (prompt, first, price) in [
        (
            "Menu for our pop up, the soup is six pounds fifty, the pie nine, chips are three and a lemonade two twenty. We're called Copper Pot.",
            "Soup",
            "six pounds fifty",
        ),
        (
            "Getränkekarte für das Sommerfest. Ein Bier kostet drei Euro fünfzig, der Wein vier Euro, Wasser eins fünfzig.",
            "Bier",
            "drei Euro fünfzig",
        ),
        (
            "Price list for Fern Studio: a portrait costs 80 dollars, a family session 150 dollars, prints are 12 dollars each.",
            "Portrait",
            "80 dollars",
        ),
    ] {
        let menu = draw(prompt, Category::Other);
        let Matter::Menu { groups, .. } = &only(&menu).matter else { panic!("{prompt}: {:?}", only(&menu)) };
        let item = &groups[0].items[0];
        assert_eq!((item.name.as_str(), item.price.as_str()), (first, price), "{prompt}");
        assert!(groups[0].items.len() >= 3 && groups[0].items.iter().all(|item| !item.price.is_empty()), "{groups:?}");
    }
}

#[test]
fn those_who_do_something_have_lanes_where_these_are_asked_for() {
    let page = draw(
        "Draw our hiring process with swimlanes: HR posts the job, then the team lead reads the applications, HR invites three people, and \
         the director signs the contract.",
        Category::Diagram,
    );
    let Matter::Flow { lanes, .. } = &only(&page).matter else { panic!("{:?}", only(&page)) };
    assert_eq!(lanes.iter().map(|lane| lane.name.as_str()).collect::<Vec<_>>(), ["HR", "Team lead", "Director"]);
}
