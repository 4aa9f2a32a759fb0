//! Briefs as strangers tell them: people and systems in sentences, plans in lists, pasted letters. Deliberately not here: how
//! the pages look, and briefs in one paragraph (`typed`).

mod drawn;

use easel_canvas::content::Matter;
use easel_canvas::{Category, Document};

use drawn::{draw, only, titles};

fn all_words(document: &Document) -> String {
    format!("{:?}", document.origin.outline)
}

/// Each box with the one that it hangs from; what is said of it in brackets.
fn hung(document: &Document) -> Vec<String> {
    let Matter::Flow { boxes, arrows, .. } = &only(document).matter else { panic!("{:?}", only(document)) };
    let name = |at: usize| match boxes[at].body_text() {
        body if body.is_empty() => boxes[at].head.clone(),
        body => format!("{} ({body})", boxes[at].head),
    };
    arrows.iter().map(|arrow| format!("{} < {}", name(arrow.to), boxes[arrow.from].head)).collect()
}

#[test]
fn an_org_chart_told_in_sentences_keeps_everybody() {
    for (prompt, expected) in [
        (
            "Org chart for Loft & Lane. Maria Lopez is CEO. Jonas Weber (CTO) and Ines Blanc (COO) report to her. Under Jonas: Tim (backend), \
             Ana (design). Under Ines: Kofi (sales).",
            vec![
                "Jonas Weber (CTO) < Maria Lopez",
                "Ines Blanc (COO) < Maria Lopez",
                "Tim (backend) < Jonas Weber",
                "Ana (design) < Jonas Weber",
                "Kofi (sales) < Ines Blanc",
            ],
        ),
        (
            "Organigramm. Maria Lopez ist Geschäftsführerin. Jonas Weber (Technik) und Ines Blanc (Vertrieb) berichten an sie. Jonas leitet Tim \
             und Ana.",
            vec![
                "Jonas Weber (Technik) < Maria Lopez",
                "Ines Blanc (Vertrieb) < Maria Lopez",
                "Tim < Jonas Weber",
                "Ana < Jonas Weber",
            ],
        ),
        (
            "org chart\n\nDr. Ada Lind is head of clinic. Two deputies report to her: Mo Frey (wards) and Kim Oh (surgery). Under Mo are the ward \
             sisters: Jo (east), Bo (west). Lia Poe, the bursar, also reports to Ada.",
            vec![
                "Two deputies < Dr. Ada Lind",
                "Mo Frey (wards) < Two deputies",
                "Kim Oh (surgery) < Two deputies",
                "Ward sisters < Mo Frey",
                "Jo (east) < Ward sisters",
                "Bo (west) < Ward sisters",
                "Lia Poe (Bursar) < Dr. Ada Lind",
            ],
        ),
    ] {
        assert_eq!(hung(&draw(prompt, Category::Diagram)), expected, "{prompt}");
    }
}

#[test]
fn an_architecture_told_in_sentences_is_drawn_with_its_links() {
    let page = draw(
        "Architecture diagram. The till and the web shop call an edge proxy. The proxy routes to two services: stock and billing. Stock reads from \
         MariaDB and publishes changes to RabbitMQ. The printer listens there.",
        Category::Diagram,
    );
    let expected = [
        "Edge proxy < Till",
        "Edge proxy < Web shop",
        "Stock < Edge proxy",
        "Billing < Edge proxy",
        "MariaDB < Stock",
        "RabbitMQ < Stock",
        "RabbitMQ < Printer",
    ];
    assert_eq!(hung(&page), expected);
}

#[test]
fn a_deck_is_one_whatever_the_category_says() {
    let prompt = "pitch deck 5 slides: problem: clinics lose 12% of slots to no-shows; solution: a text message that fills them; market: 9,000 \
                  clinics, €2.1bn a year; team: Mo Frey (CEO), Lia Poe (CTO); ask: €800k for 12 months";
    for category in [Category::Other, Category::Slides] {
        let deck = draw(prompt, category);
        assert_eq!(titles(&deck), ["Problem", "Solution", "Market", "Team", "Ask"], "{category:?}");
        assert_eq!((deck.page_count(), deck.category), (5, Category::Slides), "{category:?}");
    }
}

#[test]
fn items_that_say_one_slide_are_a_page_each() {
    let deck = draw(
        "Deck about our river cleanup\n- one slide: Why we do it, 4 tonnes of rubbish a year\n- one slide: Who helps, 120 volunteers from 6 clubs\n\
         - one slide: Next date, 9 May at the weir",
        Category::Slides,
    );
    assert_eq!(titles(&deck), ["River cleanup", "Why we do it", "Who helps", "Next date"]);
    assert!(!all_words(&deck).contains("ne slide"), "{}", all_words(&deck));
}

#[test]
fn sentences_of_minutes_end_once() {
    let page = draw(
        "Minutes please, one page.\nPresent: Rosa, Dev.\n\n1. Water: new tap agreed, £180. Dev gets a plumber.\n2. Bees: two hives. Vote 3 to 1.\n\n\
         Next meeting: 8 June.",
        Category::Pdf,
    );
    assert!(!all_words(&page).contains(".."), "{}", all_words(&page));
}

#[test]
fn tones_of_other_languages_choose_a_theme() {
    for (prompt, theme) in [
        ("Affiche pour le marché de Noël, chaleureux et rustique", "Hearth"),
        ("Carte de voeux pour Louise, tons pastel, doux", "Sorbet"),
        ("Plakat fürs Sommerfest, bunt und fröhlich", "Citrus"),
        ("Cartel para la feria, colores alegres", "Citrus"),
        ("夏の読書会のポスター。落ち着いた雰囲気で。", "Paper"),
    ] {
        assert_eq!(draw(prompt, Category::Other).theme.name, theme, "{prompt}");
    }
}

#[test]
fn pages_told_in_turn_or_by_their_place_have_their_page() {
    let deck = draw(
        "slides for thursday pls, its our harbour review. so: first what we built (two piers, a crane), then money - spent 1.2M of 1.5M, then whats \
         next: dredging in May, new lights",
        Category::Slides,
    );
    assert_eq!(titles(&deck), ["Harbour review", "What we built", "Money", "Whats next"]);
    let deck = draw(
        "スライドを3枚で作ってください。1枚目：表紙「冬の勉強会」1月18日、図書館。2枚目：話すこと—本、人、町。3枚目：次回 2月22日。",
        Category::Slides,
    );
    assert_eq!(titles(&deck), ["冬の勉強会", "話すこと", "次回"]);
    let deck = draw(
        "From: Kay <kay@weir.example>\nSubject: slides\n\nHi all,\nplease turn the below into 3 slides for the board on the 14th.\n\n1) Visitors: \
         May 900, June 1,300, July 2,100\n2) Risks: the weir, the wind\n\nOpening slide should just have the title \"Weir: summer so far\" and the date \
         14 August.\n\nMany thanks,\nKay\n\nKay Lund | Operations Manager | Weir Trust | 01253 555 010",
        Category::Slides,
    );
    assert_eq!(titles(&deck), ["Weir: summer so far", "Visitors", "Risks"]);
    assert!(!all_words(&deck).contains("Operations"), "{}", all_words(&deck));
}

#[test]
fn tips_say_all_by_themselves() {
    let cards = draw(
        "3 tips for the first swim, instagram carousel. 1. Go in slowly, never jump 2. Wear socks 3. \"The gasp\" is normal: count to ten. last card: \
         save this + @swimclub",
        Category::Carousel,
    );
    let expected =
        ["3 tips for the first swim", "Go in slowly", "Wear socks", "\"The gasp\" is normal", "Save this + @swimclub"];
    assert_eq!(titles(&cards), expected);
    assert!(!all_words(&cards).contains("Gap {"), "{}", all_words(&cards));
}

#[test]
fn conditions_without_a_comma_branch() {
    let flow = draw(
        "how a ticket moves: new -> triage -> if it's a bug goes to engineering, if it's a question support answers. engineering fixes -> review -> \
         deploy. if review fails back to engineering",
        Category::Diagram,
    );
    let links = hung(&flow);
    for link in
        ["Engineering < Triage", "Support answers < Triage", "Review < Engineering fixes", "Engineering < Review"]
    {
        assert!(links.contains(&link.to_owned()), "{link}: {links:?}");
    }
}

#[test]
fn plans_of_a_sentence_each_are_columns() {
    let page = draw(
        "one slide: our pricing. Free 0€ 1 project, mail support. Pro 12€ / month, unlimited projects, custom domains. Team 39€/month everything in Pro \
         plus SSO, audit log. most popular is Pro",
        Category::Slides,
    );
    let passage = only(&page);
    let Matter::Columns { columns, .. } = &passage.matter else { panic!("{passage:?}") };
    let told: Vec<(&str, &str, bool)> =
        columns.iter().map(|column| (column.head.as_str(), column.figure.as_str(), column.is_highlighted)).collect();
    assert_eq!(told, [("Free", "0€", false), ("Pro", "12€/month", true), ("Team", "39€/month", false)]);
    assert_eq!(passage.title, "Our pricing");
}

#[test]
fn a_card_is_about_a_person_and_a_list_has_its_groups() {
    let card = draw("Faire-part de naissance: Louise, née le 14 mars 2026 à 6h42, 3,2 kg", Category::Other);
    assert_eq!((only(&card).kicker.as_str(), only(&card).title.as_str()), ("Naissance", "Louise"));
    let list = draw(
        "Price list \"Schere & Kamm\": Damen - Schnitt 39, Farbe ab 65. Herren - Schnitt 29, Bart 15. Kinder bis 12: 19",
        Category::Other,
    );
    let Matter::Menu { groups, .. } = &only(&list).matter else { panic!("{:?}", only(&list)) };
    let names: Vec<(&str, usize)> = groups.iter().map(|group| (group.name.as_str(), group.items.len())).collect();
    assert_eq!(names[..2], [("Damen", 2), ("Herren", 2)]);
}

#[test]
fn a_short_paper_has_no_cover_of_its_own() {
    let cv = draw(
        "CV\nAna Ferreira\nProduct Designer, Lisbon\nana@ferreira.example, +351 912 345 678\nExperience\nDesigner, Feedzai, 2021-now\n- led the \
         redesign, used by 60 banks\nEducation\nMA Design, Malmö, 2017\nSkills\nFigma, SQL basics",
        Category::Pdf,
    );
    assert_eq!(cv.page_count(), 1);
    let first = &cv.origin.outline.passages[0];
    let Matter::Cover { details, .. } = &first.matter else { panic!("{first:?}") };
    assert_eq!(details, &["Product Designer, Lisbon", "ana@ferreira.example, +351 912 345 678"]);
    assert_eq!(titles(&cv)[1..], ["Experience", "Education", "Skills"]);
}

#[test]
fn the_occasion_is_the_cover_where_headings_name_only_pages() {
    for (prompt, expected) in [
        (
            "Half-year update for our donors, at most 6 slides.\n\nIncome\nGrew from 12k to 15k\nTwo grants ended\n\nTeam\nHired a \
             coordinator\nNobody left",
            ["Half-year update", "Income", "Team"],
        ),
        (
            "Folien für die Versammlung des Angelvereins, schlicht.\n\nKasse\n- Einnahmen gestiegen\n- Ausgaben gesunken\n\nWahlen\n\
             - neuer Kassenwart gesucht",
            ["Versammlung des Angelvereins", "Kasse", "Wahlen"],
        ),
    ] {
        let deck = draw(prompt, Category::Slides);
        let titles = titles(&deck);
        for (title, expected) in titles.iter().zip(expected) {
            assert!(title.contains(expected), "{prompt}: {titles:?}");
        }
    }
    let deck = draw(
        "Investor update Moss & Co, March\n\nNumbers\n- MRR 41k\n- 12 new customers\n\nTeam\n- Kim joins as CTO\n\nAsk\n- intros to hotels",
        Category::Slides,
    );
    assert_eq!(titles(&deck)[..2], ["Investor update Moss & Co, March", "Numbers"]);
}

#[test]
fn who_said_it_keeps_the_profession() {
    for prompt in [
        "Post for the forestry office, calm. Quote: \"A forest is never finished. We only hand it on.\" – Maren Holt, forester",
        "quote post pls\n\n\"A forest is never finished. We only hand it on.\"\n– Maren Holt, forester",
    ] {
        let words = all_words(&draw(prompt, Category::Social));
        assert!(words.contains("by: \"Maren Holt, forester\""), "{words}");
    }
}

#[test]
fn dishes_without_prices_are_dishes() {
    for (prompt, expected) in [
        (
            "Menu for the supper club, simple.\n\nLow Tide\nOysters, seaweed butter\nGrilled mackerel\nRhubarb and custard",
            vec!["Oysters, seaweed butter", "Grilled mackerel", "Rhubarb and custard"],
        ),
        (
            "menu card for the supper club, elegant\n\nMussels with cider\nOnion tart\nQuince again\n\nPlease tell us about allergies.",
            vec!["Mussels with cider", "Onion tart", "Quince again"],
        ),
        (
            "menu card for our wedding, no prices, elegant: leek soup, roast chicken with beans, lemon cake",
            vec!["Leek soup", "Roast chicken with beans", "Lemon cake"],
        ),
        (
            "Speisekarte fürs Sommerfest, keine Preise\n\nVom Grill\nBratwurst\nHalloumi mit Minze\n\nDazu\nKrautsalat\nBrot",
            vec!["Bratwurst", "Halloumi mit Minze", "Krautsalat", "Brot"],
        ),
    ] {
        let menu = draw(prompt, Category::Other);
        let Matter::Menu { groups, .. } = &only(&menu).matter else { panic!("{prompt}: {:?}", only(&menu)) };
        let names: Vec<&str> = groups.iter().flat_map(|group| &group.items).map(|item| item.name.as_str()).collect();
        assert_eq!(names, expected, "{prompt}");
    }
}

#[test]
fn who_is_in_a_part_of_the_whole_hangs_from_it() {
    for (prompt, expected) in [
        (
            "Organigramm für die Gärtnerei. Chefin ist Rosa Lind. Rosa hat zwei Meister: Yusuf Aydin und Petra Blum. Petra macht die Baumschule mit Ines und Tom.",
            &["Baumschule < Petra Blum", "Ines < Baumschule", "Tom < Baumschule"][..],
        ),
        (
            "Org chart for the theatre: artistic director Mae Lund. Under her: head of stage Bo Fisk, head of costume Rina Patel. Rina leads two tailors, \
             Ivo and Lena. Bo runs the youth club with Dana.",
            &["Ivo < Two tailors", "Lena < Two tailors", "Dana < Youth club"],
        ),
    ] {
        let hung = hung(&draw(prompt, Category::Diagram));
        for arrow in expected {
            assert!(hung.iter().any(|own| own == arrow), "{arrow}: {hung:?}");
        }
    }
}

#[test]
fn ways_that_exclude_each_other_part_at_the_step_before() {
    for prompt in [
        "flowchart: guest rings. if urgent → porter at once, not urgent → list for the morning. then tick it off",
        "Diagram: guest rings → note it, urgent → porter at once, not urgent → list for the morning",
    ] {
        let document = draw(prompt, Category::Diagram);
        let Matter::Flow { boxes, arrows, .. } = &only(&document).matter else { panic!("{:?}", only(&document)) };
        let labelled: Vec<&str> =
            arrows.iter().filter(|arrow| !arrow.label.is_empty()).map(|arrow| arrow.label.as_str()).collect();
        assert_eq!(labelled, ["Urgent", "Not urgent"], "{prompt}");
        assert!(!boxes.iter().any(|point| point.head.to_lowercase().contains("urgent")), "{boxes:?}");
    }
}

/// The lanes of a diagram, each with its boxes.
fn lanes(document: &Document) -> Vec<String> {
    let Matter::Flow { boxes, lanes, .. } = &only(document).matter else { panic!("{:?}", only(document)) };
    let heads = |of: &[usize]| of.iter().map(|at| boxes[*at].head.as_str()).collect::<Vec<_>>().join(" | ");
    lanes.iter().map(|lane| format!("{}: {}", lane.name, heads(&lane.boxes))).collect()
}

#[test]
fn who_does_what_stands_in_lanes_where_they_are_asked_for() {
    for (prompt, title, expected) in [
        (
            "swimlane diagram, one lane per team, plain\n\nLost keys\nGuest: reports the loss\nDesk: checks the safe, prints a new card\n\
             Guest: signs for it\nIf the room is sealed, the desk calls the manager.",
            "Lost keys",
            &[
                "Guest: Reports the loss | Signs for it",
                "Desk: Checks the safe | Prints a new card | Calls the manager",
            ][..],
        ),
        (
            "Schwimmbahnendiagramm Warenannahme, schlicht\n\nFahrer\n- meldet sich an\n- fährt an die Rampe\nLager\n- entlädt\n- prüft die Ware\n\
             Büro\n- bucht den Eingang",
            "Warenannahme",
            &[
                "Fahrer: Meldet sich an | Fährt an die Rampe",
                "Lager: Entlädt | Prüft die Ware",
                "Büro: Bucht den Eingang",
            ],
        ),
        (
            "cross-functional flowchart of lending\n\n1. Member: asks for a drill\n2. Keeper: looks it up, hands it out\n3. Member: brings it back",
            "Lending",
            &["Member: Asks for a drill | Brings it back", "Keeper: Looks it up | Hands it out"],
        ),
        (
            "Ablauf Urlaubsantrag, eine Bahn pro Rolle\n\nMitarbeiter: stellt Antrag -> Leitung: prüft Vertretung -> Personal: trägt ein",
            "Ablauf Urlaubsantrag",
            &["Mitarbeiter: Stellt Antrag", "Leitung: Prüft Vertretung", "Personal: Trägt ein"],
        ),
    ] {
        let document = draw(prompt, Category::Diagram);
        assert_eq!(lanes(&document), expected, "{prompt}");
        let passage = only(&document);
        assert_eq!((passage.title.as_str(), passage.kicker.as_str()), (title, ""), "{prompt}");
        assert!(document.pages[0].layout.starts_with("flow_lanes"), "{}", document.pages[0].layout);
    }
    let plain = draw("flow chart\n\nGuest: reports the loss\nDesk: checks the safe\nGuest: signs", Category::Diagram);
    assert!(lanes(&plain).is_empty(), "nobody asked for lanes");
}

#[test]
fn what_is_done_with_what_is_needed_is_steps() {
    for (prompt, expected, behind) in [
        (
            "recipe card for the guild, one page\n\nBarley soup\nserves 6\n\nIngredients: 200 g barley, 2 carrots, 1 leek, 1 l stock\n\n\
             Rinse the barley. Chop carrots and leek. Simmer all of it in the stock for 40 minutes. Season, rest, serve.\n\nKeeps for three days.",
            &[
                "Rinse the barley",
                "Chop carrots and leek",
                "Simmer all of it in the stock for 40 minutes",
                "Season, rest, serve",
            ][..],
            "Keeps for three days.",
        ),
        (
            "Anleitung Vogelhaus, eine Seite\n\nDas braucht ihr: 6 Bretter, 24 Schrauben, Leim, Dachpappe\n\n\
             Die Bretter zusägen. Den Boden mit den Seiten verschrauben. Das Dach aufsetzen und leimen.\n\nHält viele Winter.",
            &["Die Bretter zusägen", "Den Boden mit den Seiten verschrauben", "Das Dach aufsetzen und leimen"],
            "Hält viele Winter.",
        ),
    ] {
        let document = draw(prompt, Category::Pdf);
        let passages = format!("{:?}", document.origin.outline.passages);
        assert!(passages.contains("Steps"), "{prompt}: {passages}");
        for words in expected.iter().chain([&behind]) {
            assert!(passages.contains(*words), "{words} of {prompt}: {passages}");
        }
    }
}

#[test]
fn prices_under_sizes_stand_in_columns_and_sums_have_their_names() {
    for (prompt, name, sizes, price) in [
        (
            "Menu Café Linde\n\nsmall, medium, large\nLatte 3.20, 3.80, 4.40\nMocha 3.50, 4.10, 4.70",
            "Latte",
            &["Small", "Medium", "Large"][..],
            "3.20 / 3.80 / 4.40",
        ),
        (
            "Preisliste Kletterhalle Nord\n\nKinder / Erwachsene\nTageskarte 6,50 / 9,00\nZehnerkarte 55,00 / 80,00",
            "Zehnerkarte",
            &["Kinder", "Erwachsene"],
            "55,00 / 80,00",
        ),
    ] {
        let document = draw(prompt, Category::Other);
        let Matter::Menu { groups, .. } = &only(&document).matter else { panic!("{:?}", only(&document)) };
        let item = groups.iter().flat_map(|group| &group.items).find(|item| item.name == name).expect("the thing");
        assert_eq!(
            (item.sizes.as_slice(), item.price.as_str()),
            (&sizes.iter().map(|size| (*size).to_owned()).collect::<Vec<_>>()[..], price)
        );
    }
    let offer = draw(
        "Quote for the oak table, A4\n\nTable top planed and oiled 420.00 €\nFour legs turned 160.00 €\nSubtotal 580.00 €, VAT 20 % 116.00 €, total 696.00 €",
        Category::Pdf,
    );
    for sum in ["Subtotal", "VAT 20 %", "Total", "116.00 €"] {
        assert!(all_words(&offer).contains(&format!("\"{sum}\"")), "{sum}: {}", all_words(&offer));
    }
}
