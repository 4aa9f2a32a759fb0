//! Briefs in as few words as will do: weeks, surcharges, names without a mark, wishes thrown in at the end. Deliberately not
//! here: how the pages look.

mod drawn;
mod said;

use easel_canvas::content::Matter;
use easel_canvas::{Category, Document};

use drawn::{draw, only};
use said::says;

/// What a menu offers: each thing, what is said of it, and its price.
fn offered(document: &Document) -> Vec<String> {
    let groups = document.origin.outline.passages.iter().flat_map(|passage| match &passage.matter {
        Matter::Menu { groups, .. } => groups.clone(),
        Matter::Board { parts, .. } => parts
            .iter()
            .flat_map(|part| match &part.matter {
                Matter::Menu { groups, .. } => groups.clone(),
                _ => Vec::new(),
            })
            .collect(),
        _ => Vec::new(),
    });
    groups.flat_map(|group| group.items).map(|item| format!("{}|{}|{}", item.name, item.note, item.price)).collect()
}

#[test]
fn a_menu_of_the_week_has_its_days() {
    for (prompt, expected) in [
        (
            "menu for the staff room\n\nmon potato soup 5\ntue ravioli 7.5\nwed closed\nthu fish cakes 8\n\ncard only",
            vec!["Mon|Potato soup|5", "Tue|Ravioli|7.5", "Wed|Closed|", "Thu|Fish cakes|8"],
        ),
        (
            "Wochenkarte Kantine. Mo Linsen mit Spätzle 6,20, Di Ruhetag, Mi Kürbisrisotto 7, Do Gulasch 8,40",
            vec!["Mo|Linsen mit Spätzle|6,20", "Di|Ruhetag|", "Mi|Kürbisrisotto|7", "Do|Gulasch|8,40"],
        ),
        (
            "lunch menu, kids welcome\n\nMonday: pancakes 4.50\nTuesday: chilli 5.80\nFriday: no kitchen",
            vec!["Monday|Pancakes|4.50", "Tuesday|Chilli|5.80", "Friday|No kitchen|"],
        ),
    ] {
        assert_eq!(offered(&draw(prompt, Category::Other)), expected, "{prompt}");
    }
}

#[test]
fn prices_by_the_piece_and_surcharges_are_prices() {
    for (prompt, expected) in [
        (
            "price list for the tailor\n\nhem 12\nbuttons from 2 per piece\nzip 15\nnext day +5",
            vec!["Hem||12", "Buttons|per piece|from 2", "Zip||15", "Next day||+5"],
        ),
        (
            "Preisliste Sattlerei: Naht 8, Nieten ab 1,50 pro Stück, Polster 35, Eilauftrag +20",
            vec!["Naht||8", "Nieten|pro Stück|ab 1,50", "Polster||35", "Eilauftrag||+20"],
        ),
        (
            "price list for the car wash, bold. outside 9, inside 12, seats 3 each, dog hair +4",
            vec!["Outside||9", "Inside||12", "Seats|each|3", "Dog hair||+4"],
        ),
    ] {
        assert_eq!(offered(&draw(prompt, Category::Other)), expected, "{prompt}");
    }
}

#[test]
fn days_with_dashes_in_one_paragraph_are_a_timetable() {
    for (prompt, heads) in [
        (
            "poster for the boxing gym. Mon – beginners 18:00, Wed – sparring 19:30, Fri – open gym 17:00. First hour is on us.",
            ["Mon", "Wed", "Fri"],
        ),
        (
            "Aushang Kursplan: Dienstag – Chor 19 Uhr; Mittwoch – Malen 17 Uhr; Samstag – Theater 10 Uhr. Anmeldung im Büro.",
            ["Dienstag", "Mittwoch", "Samstag"],
        ),
        (
            "flyer for the market, rustic. 9:00 - the stalls open, 11:30 - brass band, 13:00 - sack race. bring the kids!",
            ["9:00", "11:30", "13:00"],
        ),
    ] {
        let document = draw(prompt, Category::Other);
        let outline = format!("{:?}", document.origin.outline.passages);
        for head in heads {
            assert!(outline.contains(&format!("head: \"{head}\"")), "{head}: {outline}");
        }
    }
}

#[test]
fn a_page_about_something_is_called_by_it() {
    for (prompt, title) in [
        ("One page about frozen pipes for our tenants.\n\nTurn the main off. Call us at once.", "Frozen pipes"),
        ("Eine Seite über Zecken, ruhig.\n\nNach jedem Ausflug den Körper absuchen. Nicht quetschen.", "Zecken"),
        ("two pages on moth traps, plain\n\nHang them low. Change the lure in June.", "Moth traps"),
        (
            "faq page for the tool library, friendly\n\nHow do I join?\nCome by on Monday.\nWhat if it breaks?\nTell us.",
            "Tool library",
        ),
    ] {
        assert_eq!(draw(prompt, Category::Pdf).name, title, "{prompt}");
    }
}

#[test]
fn who_has_whom_is_an_org_chart() {
    for (prompt, expected) in [
        (
            "org chart of the bakery. Ada Lind runs it. Tom has 3 bakers. Mia has two drivers: Jo and Bo.",
            &["Tom > 3 bakers", "Mia > Two drivers", "Two drivers > Jo", "Two drivers > Bo"][..],
        ),
        (
            "Organigramm Gärtnerei. Chefin ist Ina Vogt. Ina hat zwei Meister: Ole Rau und Kim Sand. Ole hat 3 Azubis (Lea, Max, Finn).",
            &["Zwei Meister > Ole Rau", "Zwei Meister > Kim Sand", "3 Azubis > Lea", "3 Azubis > Finn"],
        ),
        (
            "org chart for the programme\n\nAt the top is Vera Holm. Vera has Stage (Piet), Light (Su) and Costume (vacant). Piet's team is Rope and Paint.",
            &["Vera Holm > Stage", "Vera Holm > Light", "Vera Holm > Costume"],
        ),
    ] {
        let document = draw(prompt, Category::Diagram);
        let Matter::Flow { boxes, arrows, .. } = &only(&document).matter else { panic!("{:?}", only(&document)) };
        let drawn: Vec<String> =
            arrows.iter().map(|arrow| format!("{} > {}", boxes[arrow.from].head, boxes[arrow.to].head)).collect();
        for arrow in expected {
            assert!(drawn.contains(&(*arrow).to_owned()), "{arrow} of {prompt}: {drawn:?}");
        }
    }
}

#[test]
fn what_somebody_says_is_an_answer() {
    for (prompt, expected) in [
        (
            "flow: Guest asks for late check-out. Guest pays? Guest says yes → extend the key → note it. Guest says no → offer the lounge.",
            &["Guest pays? -Guest says yes> Extend the key", "Guest pays? -Guest says no> Offer the lounge"][..],
        ),
        (
            "Ablauf Werkstatt: Kostenvoranschlag schicken. Kunde sagt ja → Teile bestellen → reparieren. Kunde sagt nein → Rad zurückgeben.",
            &[
                "Kostenvoranschlag schicken -Kunde sagt ja> Teile bestellen",
                "Kostenvoranschlag schicken -Kunde sagt nein> Rad zurückgeben",
            ],
        ),
        (
            "process for loans\n\nAsk the owner. owner says yes -> book the kennel, owner says no -> call the shelter",
            &["Ask the owner -Owner says yes> Book the kennel", "Ask the owner -Owner says no> Call the shelter"],
        ),
    ] {
        let document = draw(prompt, Category::Diagram);
        let Matter::Flow { boxes, arrows, .. } = &only(&document).matter else { panic!("{:?}", only(&document)) };
        let drawn: Vec<String> = arrows
            .iter()
            .map(|arrow| format!("{} -{}> {}", boxes[arrow.from].head, arrow.label, boxes[arrow.to].head))
            .collect();
        for arrow in expected {
            assert!(drawn.contains(&(*arrow).to_owned()), "{arrow} of {prompt}: {drawn:?}");
        }
    }
}

#[test]
fn a_kind_in_two_languages_stands_above_the_title() {
    for (prompt, kicker, title) in [
        (
            "Save the date / Bitte vormerken\nMara & Timo\n12 June 2027\nHarbour Hall",
            "Save the date / Bitte vormerken",
            "Mara & Timo",
        ),
        (
            "Einladung / Invitation\nZehn Jahre Radwerk\n3. Mai 2027\nHofstraße 4",
            "Einladung / Invitation",
            "Zehn Jahre Radwerk",
        ),
        ("Convite / Invitation\nNoite de Fado\n3 May 2027, 8 pm\nRua Nova 4", "Convite / Invitation", "Noite de Fado"),
    ] {
        let document = draw(prompt, Category::Other);
        let passage = only(&document);
        assert_eq!((passage.kicker.as_str(), passage.title.as_str()), (kicker, title), "{prompt}");
    }
}

#[test]
fn a_project_gives_its_name_to_its_deck() {
    for (prompt, title) in [
        (
            "kickoff deck project Heron, for the crew, plain\n\nwhy: the old pump leaks\nwho: Ana leads\nwhen: done by June",
            "Project Heron",
        ),
        (
            "Startfolien Projekt Otter, nüchtern\n\nWarum: die Halle ist zu klein\nWer: Jana leitet\nWann: bis Juni",
            "Projekt Otter",
        ),
        (
            "status slides product Marten, no jokes\n\nSales: 40 units\nSupport: 3 tickets\nNext: the manual",
            "Product Marten",
        ),
    ] {
        assert_eq!(draw(prompt, Category::Slides).name, title, "{prompt}");
    }
}

#[test]
fn a_certificate_typed_small_has_its_name() {
    for (prompt, name, facts) in [
        (
            "urkunde. schönster garten. geht an familie yilmaz. 2. august 2026. bitte bunt",
            "Familie Yilmaz",
            ["schönster garten", "2. august 2026"],
        ),
        (
            "certificate, fun. best ghost costume, goes to maya bell, 31 october 2026",
            "Maya Bell",
            ["best ghost costume", "31 october 2026"],
        ),
        (
            "diploma awarded to ole van der berg for the loudest sneeze, 1 april 2026",
            "Ole van der Berg",
            ["for the loudest sneeze", "1 april 2026"],
        ),
    ] {
        let document = draw(prompt, Category::Other);
        assert_eq!(only(&document).title, name, "{prompt}");
        says(prompt, Category::Other, &facts, &["bunt", "fun"]);
    }
}

#[test]
fn wishes_thrown_in_at_the_end_are_not_printed() {
    says(
        "flyer: open garden, sun 3 may, 11 to 4, tea and cake, flowers pls",
        Category::Other,
        &["open garden", "3 may", "tea and cake"],
        &["flowers"],
    );
    says(
        "Plakat: Herbstmarkt, 4. Oktober, 10 bis 16 Uhr, Kürbissuppe, bunte Blätter plz",
        Category::Other,
        &["Herbstmarkt", "4. Oktober", "Kürbissuppe"],
        &["Blätter"],
    );
    says(
        "Poster for the rowing club\n\nRow with us\nSaturdays 9 am\nBring a towel pls\nanchors pls",
        Category::Other,
        &["Row with us", "Saturdays", "towel"],
        &["anchors"],
    );
}

#[test]
fn what_is_told_and_taken_back_is_not_printed() {
    says(
        "org chart for the zoo. Head is Lea Brandt. Under Lea: Omar (reptiles), Pia (birds). Omar works nights, poor man – don't write that!",
        Category::Diagram,
        &["Lea Brandt", "Omar", "Pia"],
        &["poor man", "don't write"],
    );
    says(
        "Deck for the choir\n\nPEOPLE\nConductor: Ines Roth\nPiano: vacant (two candidates, don't put that bit in)\n\nMONEY\nGrant: £4,000",
        Category::Slides,
        &["Ines Roth", "vacant", "£4,000"],
        &["candidates", "that bit"],
    );
    says(
        "Aushang Tauschregal\n\nTauschregal im Flur\nNehmen und geben\nSchlüssel bei Frau Kunz (die schläft lange, das bitte nicht schreiben)",
        Category::Other,
        &["Tauschregal im Flur", "Frau Kunz"],
        &["schläft", "nicht schreiben"],
    );
}

#[test]
fn what_is_left_to_the_maker_is_not_printed() {
    says(
        "Q3 slides for the shop\n\n# Visitors\nJul 900\nAug 1,100\nSep 870\n(bars or a line, whatever looks better)\n\n# Staff\n4 people, one leaves in May",
        Category::Slides,
        &["900", "one leaves in May"],
        &["bars or a line", "whatever"],
    );
    says(
        "Handout on bees, A4, numbered headings are fine\n\nBees\nThey dance. Annex A list of plants (I'll attach it myself)",
        Category::Pdf,
        &["They dance", "Annex A"],
        &["are fine", "attach it"],
    );
    says(
        "Liste für die Küche, A4\n\nKüchendienst\nMontag Ute\nDienstag Jan\n(Tabelle oder Liste, was besser passt)",
        Category::Pdf,
        &["Küchendienst", "Ute", "Jan"],
        &["was besser passt"],
    );
}

#[test]
fn what_is_asked_for_at_the_end_is_asked_for() {
    for (prompt, title, fact, wish) in [
        (
            "Barn dance at Hill Farm\nSaturday 20 June, 7 pm\nCaller: Ned Fry\n£8 on the door\n\ncan you make a poster out of that? rustic, easy to read thx",
            "Barn dance at Hill Farm",
            "Ned Fry",
            "easy to read",
        ),
        (
            "Sperrmüll am Dienstag, 5. Mai! Bitte bis 7 Uhr an die Straße stellen. Fragen: Hausmeister, 0341 555 0180. Daraus bitte einen Aushang, groß und gelb.",
            "Sperrmüll",
            "0341 555 0180",
            "Aushang",
        ),
        (
            "Bike check Friday 8 am in the yard. Free oil and air. Sam fixes brakes for a fiver. Kids' bikes first. Bring your lock key. Coffee from Lou. That as a poster please, orange",
            "Bike check",
            "Coffee from Lou",
            "as a poster",
        ),
    ] {
        let document = draw(prompt, Category::Other);
        assert!(only(&document).title.starts_with(title), "{:?}", only(&document));
        says(prompt, Category::Other, &[fact], &[wish]);
    }
}
