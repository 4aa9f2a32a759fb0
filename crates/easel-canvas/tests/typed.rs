//! Briefs as people type them, in one paragraph: what stands on which page. Deliberately not here: how the pages look.

mod drawn;

use easel_canvas::content::Matter;
use easel_canvas::document::Node;
use easel_canvas::{Category, Document};

use drawn::{draw, only, titles};

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
    let Matter::Flow { boxes, arrows, .. } = &only(&flow).matter else { panic!("no diagram") };
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

#[test]
fn a_chart_and_a_second_page_of_reasons_are_two_pages() {
    for (prompt, reasons) in [
        (
            "One chart slide, title Visitors by quarter, Q1 1,200, Q2 1,900, Q3 2,400, Q4 2,100, and a second slide saying why: longer hours, \
             two big shows, free Thursdays.",
            ["Longer hours", "Two big shows", "Free Thursdays"],
        ),
        (
            "Eine Folie mit Diagramm, Titel Besucher pro Quartal, Q1 1.200, Q2 1.900, Q3 2.400, Q4 2.100, und eine zweite Folie mit den Gründen: \
             längere Öffnungszeiten, zwei große Ausstellungen, freier Donnerstag.",
            ["Längere Öffnungszeiten", "Zwei große Ausstellungen", "Freier Donnerstag"],
        ),
    ] {
        let deck = draw(prompt, Category::Slides);
        let [first, second] = deck.origin.outline.passages.as_slice() else { panic!("{:?}", titles(&deck)) };
        let Matter::Chart { chart, .. } = &first.matter else { panic!("{first:?}") };
        assert_eq!(chart.labels, ["Q1", "Q2", "Q3", "Q4"]);
        assert!(first.title.ends_with("uarter") || first.title.ends_with("Quartal"), "{}", first.title);
        let Matter::Points { points, .. } = &second.matter else { panic!("{second:?}") };
        assert_eq!(points.iter().map(|point| point.head.as_str()).collect::<Vec<_>>(), reasons);
    }
}

#[test]
fn a_certificate_leads_with_who_gets_it() {
    for (prompt, name, course) in [
        (
            "Certificate of completion awarded to Nora Lindqvist for completing Advanced Pastry, 40 hours, 12 June 2026, Rye Academy",
            "Nora Lindqvist",
            "completing Advanced Pastry",
        ),
        (
            "certificate for Tomas Reyes, course \"Boat engines for beginners\", 16 hours, signed by Ada Finch",
            "Tomas Reyes",
            "Boat engines for beginners",
        ),
        ("Certificate for the first aid course, awarded to Priya Nair on 3 May 2026", "Priya Nair", "irst aid course"),
        (
            "Urkunde für Lena Brandt, 2. Platz beim Lesewettbewerb der Grundschule Ahrweiler, 8. Mai 2026",
            "Lena Brandt",
            "2. Platz beim Lesewettbewerb",
        ),
        (
            "Certificate for Ines Okoro for completing Safe Lifting, 2 days, Dock School Hull, 4 March 2026",
            "Ines Okoro",
            "ompleting Safe Lifting",
        ),
        (
            "Urkunde für Jan Peters für die erfolgreiche Teilnahme am Kletterkurs, 3. Mai 2026",
            "Jan Peters",
            "erfolgreiche Teilnahme am Kletterkurs",
        ),
    ] {
        let sheet = draw(prompt, Category::Other);
        let passage = only(&sheet);
        assert_eq!(passage.title, name, "{passage:?}");
        assert!(format!("{passage:?}").contains(course), "{passage:?}");
        assert!(passage.kicker.starts_with("Certificate") || passage.kicker.starts_with("Urkunde"), "{passage:?}");
    }
}

#[test]
fn a_course_is_no_name_of_a_menu() {
    for prompt in [
        "Starters\nBeet soup 6\nSmoked eel 11\n\nMains\nLamb pie 19\nBarley risotto 15\n\nDesserts\nPlum tart 7",
        "Menu\n\nStarters: beet soup 6, smoked eel 11\nMains: lamb pie 19, barley risotto 15\nDesserts: plum tart 7",
        "Speisekarte\nVorspeisen\nRübensuppe 6,50\nRäucheraal 11,00\nHauptgerichte\nLammpastete 19,00\nGraupenrisotto 15,00\nNachspeisen\n\
         Pflaumenkuchen 7,00",
    ] {
        let menu = draw(prompt, Category::Other);
        let passage = only(&menu);
        let Matter::Menu { groups, .. } = &passage.matter else { panic!("{passage:?}") };
        assert_eq!(groups.iter().map(|group| group.items.len()).collect::<Vec<_>>(), [2, 2, 1], "{passage:?}");
        assert!(groups.iter().all(|group| !group.name.is_empty() && group.name != passage.title), "{passage:?}");
    }
}

#[test]
fn a_thing_and_its_hour_stay_together() {
    let page = draw(
        "Aushang Nachmittagsangebote: Mathe-Förderung dienstags 14 Uhr, Schach-AG mittwochs 15 Uhr, Chorprobe donnerstags 13.30 Uhr",
        Category::Slides,
    );
    let all = format!("{:?}", page.origin.outline.passages);
    for words in ["Mathe-Förderung dienstags 14 Uhr", "Schach-AG mittwochs 15 Uhr", "Chorprobe donnerstags 13.30 Uhr"]
    {
        assert!(all.contains(words), "{words}: {all}");
    }
}

#[test]
fn strengths_and_weaknesses_are_four_fields_of_one_page() {
    for prompt in [
        "SWOT for our bike shop. Strengths: own workshop, loyal regulars. Weaknesses: small window, no online shop. Opportunities: cargo bikes, \
         company leasing. Threats: discounters, rising rent.",
        "SWOT-Analyse Imkerei Kranz\n\nStärken: eigener Wald, kurze Wege\nSchwächen: nur zwei Leute, kein Laden\nChancen: Hofläden, Kurse\n\
         Risiken: Milben, nasse Sommer",
        "Make a SWOT slide for Alder Kayaks\n\nStrengths\n- light hulls\n- repair within a day\n\nWeaknesses\n- one supplier\n\nOpportunities\n\
         - rental fleets\n- schools\n\nThreats\n- cheap imports",
    ] {
        let deck = draw(prompt, Category::Slides);
        let passage = only(&deck);
        let Matter::Board { parts, .. } = &passage.matter else { panic!("{passage:?}") };
        assert_eq!(parts.len(), 4, "{passage:?}");
        assert_eq!(deck.page_count(), 1);
    }
    let deck = draw(
        "Strategy day for Alder Kayaks, 3 slides. Market: 4,100 boats sold, up 6%. Strengths: light hulls, quick repairs. Weaknesses: one supplier, \
         no shop. Opportunities: rental fleets, schools. Threats: cheap imports, dry rivers.",
        Category::Slides,
    );
    assert_eq!(deck.page_count(), 3, "{:?}", titles(&deck));
}

#[test]
fn prices_by_size_stand_in_columns() {
    for prompt in [
        "Price list for Café Anker: Latte small 3.20, medium 3.80, large 4.40. Mocha small 3.60, medium 4.20, large 4.80. Espresso 2.40.",
        "Price list for Café Anker\n\nLatte small 3.20, medium 3.80, large 4.40\nMocha: small 3.60, medium 4.20, large 4.80\nEspresso 2.40",
        "Preisliste Café Anker\nLatte klein 3,20 mittel 3,80 groß 4,40\nMocha klein 3,60 mittel 4,20 groß 4,80\nEspresso 2,40",
    ] {
        let list = draw(prompt, Category::Other);
        let passage = only(&list);
        let Matter::Menu { groups, .. } = &passage.matter else { panic!("{passage:?}") };
        let items: Vec<_> = groups.iter().flat_map(|group| &group.items).collect();
        assert_eq!(items.iter().map(|item| item.name.as_str()).collect::<Vec<_>>(), ["Latte", "Mocha", "Espresso"]);
        assert_eq!(items.iter().map(|item| item.sizes.len()).collect::<Vec<_>>(), [3, 3, 0], "{items:?}");
        // Prices of one size stand under each other, each in a box of its own.
        let boxes: Vec<(String, f32)> = list.pages[0]
            .nodes
            .iter()
            .filter_map(|node| match node {
                Node::Text(text) => Some((text.text().replace(',', "."), text.frame.right())),
                _ => None,
            })
            .collect();
        let end = |words: &str| {
            boxes.iter().find(|(text, _)| text == words).unwrap_or_else(|| panic!("{words}: {boxes:?}")).1
        };
        assert!((end("3.20") - end("3.60")).abs() < 1.0 && end("3.20") + 10.0 < end("3.80"), "{boxes:?}");
        assert!(end("3.80") + 10.0 < end("4.40"), "{boxes:?}");
    }
}

#[test]
fn how_a_sheet_is_printed_and_for_what_is_not_on_it() {
    let list = draw(
        "One page price list of my pottery for a town fair. Two columns, printable. Mugs 18, bowls 24, plates 22, vases 40. Cash only.",
        Category::Pdf,
    );
    let all = format!("{:?}", list.origin.outline);
    for words in ["columns", "rintable", "town fair"] {
        assert!(!all.contains(words), "{words}: {all}");
    }
    assert!(all.contains("Cash only") && all.contains("Vases"), "{all}");
    assert_eq!(only(&list).title, "Pottery");
    let list = draw(
        "Preisliste Hofladen Kern: Eier 3,50, Honig 7,00, Apfelsaft 2,80. Zweispaltig, druckfähig.",
        Category::Other,
    );
    let all = format!("{:?}", list.origin.outline).to_lowercase();
    assert!(!all.contains("spaltig") && !all.contains("druckf"), "{all}");
    let flyer = draw("Flyer for a bake sale, Saturday 9 May, 10 to 2, parish hall", Category::Other);
    assert_eq!(only(&flyer).title, "Bake sale");
}

#[test]
fn who_reports_to_whom_is_a_tree() {
    for (prompt, expected) in [
        (
            "org chart: CEO Mara Lund. Reports to her: CTO Ed Vale, CFO Ana Roth. Under Ed: Platform (Kim Oh), Mobile (Lia Poe).",
            [(0, 1), (0, 2), (1, 3), (1, 4)],
        ),
        (
            "Organigramm: Leitung Ute Kern. An sie berichten: Küche, Service. Unter Küche: Patisserie, Spüle.",
            [(0, 1), (0, 2), (1, 3), (1, 4)],
        ),
    ] {
        let page = draw(prompt, Category::Diagram);
        let passage = only(&page);
        let Matter::Flow { boxes, arrows, .. } = &passage.matter else { panic!("{passage:?}") };
        assert_eq!(arrows.iter().map(|arrow| (arrow.from, arrow.to)).collect::<Vec<_>>(), expected, "{boxes:?}");
        assert_eq!(page.pages[0].layout, "flow_tree");
    }
}

#[test]
fn sizes_with_slashes_have_prices_with_slashes() {
    let list =
        draw("Coffee menu: cappuccino small/large 3.20/3.80, latte small/large 3/4 €, espresso 2.20", Category::Other);
    let passage = only(&list);
    let Matter::Menu { groups, .. } = &passage.matter else { panic!("{passage:?}") };
    let items: Vec<(&str, usize, &str)> = groups
        .iter()
        .flat_map(|group| &group.items)
        .map(|item| (item.name.as_str(), item.sizes.len(), item.price.as_str()))
        .collect();
    assert_eq!(items, [("Cappuccino", 2, "3.20 / 3.80"), ("Latte", 2, "3 € / 4 €"), ("Espresso", 0, "2.20")]);
}

fn all_words(document: &Document) -> String {
    format!("{:?}", document.origin.outline)
}

#[test]
fn words_that_beg_are_no_part_of_a_title() {
    for (prompt, title) in [
        ("need a pitch deck for Tidepipe by tmrw pls. 4 slides. problem: pipes leak. ask: £2m seed", "Tidepipe"),
        ("Poster, about brushing teeth, A3. Twice a day, two minutes, gently", "Brushing teeth"),
        ("Kurze Präsi über Moore, 3 Folien. Moore speichern Kohlenstoff. Sie brauchen Wasser.", "Moore"),
        (
            "Présentation de 4 diapos pour notre équipe : 1) Bilan : 12 projets livrés. 2) Équipe : deux départs. 3) Budget : 40 000 €.",
            "Équipe",
        ),
        ("Präsentation 4 Folien für den Elternabend. Themen: Stundenplan, Klassenfahrt, Klassenkasse.", "Elternabend"),
        ("プレゼン5枚、テーマは海の生き物。くじらは哺乳類です。", "海の生き物"),
    ] {
        let document = draw(prompt, Category::Other);
        assert_eq!(document.origin.outline.title.to_lowercase(), title.to_lowercase(), "{prompt}");
    }
}

#[test]
fn what_a_list_has_last_is_one_of_its_things() {
    let page = draw("Poster about hand washing. 5 steps: wet hands, soap, rub, rinse, dry. Cheerful", Category::Other);
    let words = all_words(&page);
    assert!(words.contains("Dry") && !words.contains("Cheerful"), "{words}");
}

#[test]
fn a_menu_without_a_name_is_called_what_it_is() {
    for (prompt, title) in [
        ("Eiskarte: Kugel 1,60 €, Sahne 1 €, Spaghettieis 6,50 €", "Eiskarte"),
        ("Price list. Haircut 20, shave 10, beard 8, kids 12", "Price list"),
    ] {
        assert_eq!(only(&draw(prompt, Category::Other)).title, title);
    }
}

#[test]
fn a_sign_before_a_number_stays() {
    let post = draw("Post: −20% on everything this weekend", Category::Social);
    assert!(all_words(&post).contains("−20%"), "{}", all_words(&post));
    let deck = draw("Sales deck. Results: returns −20%, sales +12%, costs -3%.", Category::Slides);
    let values: Vec<Option<f64>> = deck
        .origin
        .outline
        .passages
        .iter()
        .filter_map(|passage| match &passage.matter {
            Matter::Chart { chart, .. } => Some(chart.series[0].values.clone()),
            _ => None,
        })
        .flatten()
        .collect();
    assert_eq!(values, [Some(-20.0), Some(12.0), Some(-3.0)]);
}

#[test]
fn things_in_a_row_are_taken_apart_where_they_end() {
    let menu = draw(
        "menù pizzeria Da Lia. Margherita (pomodoro, mozzarella) 6,50; Diavola (salame piccante) 8; Ortolana (verdure) 8. Bibite: acqua 2, \
         birra media 5. Coperto 1,50.",
        Category::Other,
    );
    let Matter::Menu { groups, .. } = &only(&menu).matter else { panic!("{:?}", only(&menu)) };
    let count: usize = groups.iter().map(|group| group.items.len()).sum();
    assert_eq!(count, 6, "{groups:?}");
    let sale = draw(
        "yard sale poster!! saturday june 14 8am-2pm, 418 maple ave. furniture, tools, a canoe. cash only",
        Category::Other,
    );
    let words = all_words(&sale);
    assert!(words.contains("418 maple ave\"") && words.contains("\"Furniture\""), "{words}");
    let party = draw(
        "party invite!! Milo turns 6! sat 11 oct 2-5pm. rsvp to Kate by 4 oct. tell us about allergies",
        Category::Other,
    );
    let passage = only(&party);
    assert_eq!((passage.kicker.as_str(), passage.title.as_str()), ("Party", "Milo turns 6!"));
    assert!(all_words(&party).contains("\"Tell us about allergies\""), "{passage:?}");
}

#[test]
fn conditions_of_one_word_branch() {
    let flow = draw(
        "how a return works: drop parcel at shop -> warehouse checks item. if ok refund within 5 days, if damaged we contact the customer",
        Category::Diagram,
    );
    let Matter::Flow { boxes, arrows, .. } = &only(&flow).matter else { panic!("no diagram") };
    let from_check: Vec<(&str, &str)> = arrows
        .iter()
        .filter(|arrow| arrow.from == 1)
        .map(|arrow| (arrow.label.as_str(), boxes[arrow.to].head.as_str()))
        .collect();
    assert_eq!(from_check, [("Ok", "Refund within 5 days"), ("Damaged", "We contact the customer")]);
}

#[test]
fn tips_numbered_without_a_mark_are_a_list() {
    let cards = draw(
        "carousel for linkedin. \"4 things I learned\". 1 revenue is not profit 2 say it on a call, never by email 3 give notice early \
         4 your team will thank you",
        Category::Carousel,
    );
    let words = all_words(&cards);
    for tip in [
        "Revenue is not profit\"",
        "Say it on a call",
        "ever by email\"",
        "Give notice early\"",
        "Your team will thank you\"",
    ] {
        assert!(words.contains(tip), "{tip}: {words}");
    }
    assert_eq!(
        cards.origin.outline.passages[0].title, "4 things I learned",
        "what stands in quotation marks is the cover"
    );
    assert_eq!((cards.pages[0].width, cards.pages[0].height), (1080, 1350));
}

#[test]
fn pages_that_are_told_in_their_order_are_called_by_what_they_are_about() {
    let deck = draw(
        "Slides for the Monday meeting. Start with the numbers: 14 new members, 2 left. Then people: welcome Noor and Dieter. \
         Finally the plan: a second hall by May.",
        Category::Slides,
    );
    assert_eq!(titles(&deck)[1..], ["Numbers", "People", "Plan"]);
    let deck = draw(
        "4 slides, frame 1 hook: your bike squeaks? frame 2 the fix, 3 drops of oil on the chain. frame 3 come by, Radwerk, Hill Street 4.",
        Category::Slides,
    );
    let words = format!("{:?}", deck.origin.outline);
    assert!(!words.to_lowercase().contains("frame 2") && words.contains("The fix"), "{words}");
}

#[test]
fn states_in_the_colours_of_a_traffic_light_are_points() {
    let slide = draw(
        "Status der Projekte auf einer Folie: Heizung Altbau grün, fertig bis Ende Mai. Fassade gelb, Gerüst kommt erst KW 18. Aufzug rot, Ersatzteil fehlt.",
        Category::Slides,
    );
    let words = format!("{:?}", only(&slide));
    for name in ["Status der Projekte", "head: \"Heizung Altbau\"", "head: \"Fassade\"", "head: \"Aufzug\""] {
        assert!(words.contains(name), "{name}: {words}");
    }
}

#[test]
fn a_section_without_its_colon_is_one_among_others() {
    let deck = draw(
        "Deck for Kiln & Co. We make batteries. Problem: pumps run on petrol. Market €1.8bn in Europe. Team: Ana Reis (CEO).",
        Category::Slides,
    );
    assert_eq!(titles(&deck)[0], "Kiln & Co");
    assert!(titles(&deck).contains(&"Market"), "{:?}", titles(&deck));
}
