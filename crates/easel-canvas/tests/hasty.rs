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

#[test]
fn a_deck_is_called_by_the_name_before_its_line() {
    let deck = draw(
        "pitch deck pls: Kettlewise - smart descaling for cafe espresso machines. problem = 1 in 3 cafe machines breaks down every \
         year. solution: sensor + monthly visit. traction: 62 cafes in Leipzig, churn 1.4%",
        Category::Slides,
    );
    let outline = &deck.origin.outline;
    assert_eq!(outline.title, "Kettlewise");
    let titles: Vec<&str> = outline.passages.iter().map(|passage| passage.title.as_str()).collect();
    assert_eq!(titles, ["Kettlewise", "Problem", "Solution", "Traction"]);
    assert!(all_words(&deck).contains("1 in 3"), "{outline:?}");
    let review = draw(
        "Quartalsbericht Q1 für den Beirat, 3 Folien: Umsatz 3,2 Mio. €. Neukunden: 41. Ausblick: Werk 2",
        Category::Slides,
    );
    assert_eq!(review.origin.outline.title, "Quartalsbericht Q1");
}

#[test]
fn a_small_line_over_a_list_is_its_heading() {
    let deck = draw(
        "Q2 retro for the support team. max 5 slides\n\nwhat went well\n- first response time down to 1h 20\n- 3 new hires\n\n\
         what didn't\n- backlog peaked at 412 tickets\n- 2 outages at night\n\nnext quarter\n- on-call rota\n- macro library",
        Category::Slides,
    );
    let outline = &deck.origin.outline;
    assert_eq!(outline.title, "Q2 retro");
    let titles: Vec<&str> = outline.passages.iter().skip(1).map(|passage| passage.title.as_str()).collect();
    assert_eq!(titles, ["What went well", "What didn't", "Next quarter"]);
}

#[test]
fn a_numbered_carousel_keeps_every_word_of_its_pages() {
    let carousel = draw(
        "linkedin carousel, 6 slides: what I learned from 100 interviews. 1 nobody reads your homepage 2 price is rarely the real \
         objection 3 the champion is never the buyer 4 silence is data. end w/ follow me @dana.builds",
        Category::Carousel,
    );
    let outline = &carousel.origin.outline;
    assert_eq!(outline.passages[1].title, "Nobody reads your homepage");
    assert!(!matches!(outline.passages[1].matter, Matter::Gap { .. }), "{outline:?}");
    assert_eq!(outline.passages[3].title, "The champion is never the buyer");
    let said = all_words(&carousel);
    assert!(said.contains("ollow me @dana.builds") && !said.contains("nd w/"), "{said}");
    let carousel = draw(
        "linkedin carousel, 6 slides: what I learned from 100 interviews. 1 nobody reads your homepage 2 price is rarely the objection 3 \
         the champion is never the buyer 4 ask \"what happened last time?\" 5 silence is data. end w/ follow me @dana.builds",
        Category::Carousel,
    );
    assert_eq!(carousel.page_count(), 6);
    assert_eq!(carousel.origin.outline.passages[0].title, "What I learned from 100 interviews");
    assert_eq!(carousel.origin.outline.passages[4].title, "Ask \"what happened last time?\"");
    assert!(all_words(&carousel).contains("Follow me @dana.builds"));
    let carousel = draw(
        "Carrousel Instagram : 4 idées reçues sur le compost. 1. Ça sent mauvais. Non, pas si on équilibre vert et brun. 2. Il faut \
         un jardin. Un lombricomposteur suffit. 3. Ça attire les rats. Pas sans viande ni fromage. 4. Les agrumes. Si, en petite \
         quantité.",
        Category::Carousel,
    );
    let said = all_words(&carousel);
    for words in ["Non, pas si on équilibre vert et brun", "Pas sans viande ni fromage", "Si, en petite quantité"] {
        assert!(said.contains(words), "{words}: {said}");
    }
}

#[test]
fn a_count_before_a_price_is_part_of_the_dish() {
    let menu = draw(
        "Speisekarte\nGasthof zur Linde\nHauptgerichte\nSaibling, Mangold 24,50\nWiener Schnitzel 22,90\nSüßes\nMarillenknödel 3 Stück 9,20",
        Category::Pdf,
    );
    let Matter::Menu { groups, .. } = &only(&menu).matter else { panic!("{:?}", only(&menu)) };
    let last = &groups[groups.len() - 1].items;
    assert_eq!(last.len(), 1);
    assert_eq!((last[0].name.as_str(), last[0].price.as_str()), ("Marillenknödel 3 Stück", "9,20"));
    let list = draw(
        "lista de precios peluquería Rizos. Corte mujer 28 €, corte hombre 18 €, mechas 70 €. Martes a sábado 10–20 h. Calle Olmo 8, \
         Valencia.",
        Category::Pdf,
    );
    assert_eq!(list.language, "es");
    let Matter::Menu { details, .. } = &only(&list).matter else { panic!("{:?}", only(&list)) };
    assert!(details.iter().any(|detail| detail == "Martes a sábado 10–20 h"), "{details:?}");
}

#[test]
fn a_course_is_called_by_its_label_and_begins_where_it_begins() {
    let course = draw(
        "How a refund works at our shop: customer fills form -> support checks order. If under 50€ support refunds right away. If more, \
         the team lead must approve. refund goes out within 5 working days, then ticket is closed.",
        Category::Diagram,
    );
    assert_eq!(only(&course).title, "How a refund works at our shop");
    let Matter::Flow { boxes, .. } = &only(&course).matter else { panic!("{:?}", only(&course)) };
    assert_eq!(boxes[0].head, "Customer fills form");
    assert_eq!(boxes[boxes.len() - 1].head, "Ticket is closed");
    let asked = draw(
        "refund process: check order. If more than 50€, the team lead must approve. If the lead says no, customer gets an email.",
        Category::Diagram,
    );
    let Matter::Flow { boxes, arrows, .. } = &only(&asked).matter else { panic!("{:?}", only(&asked)) };
    let no = arrows.iter().find(|arrow| arrow.label == "The lead says no").expect("an arrow for no");
    assert_eq!(boxes[no.from].head, "The team lead must approve");
    let parts = draw(
        "architecture: browser, CDN, load balancer, 2 app servers, redis cache, postgres primary with read replica, S3 for uploads",
        Category::Diagram,
    );
    assert_eq!(parts.page_count(), 1);
}

#[test]
fn who_works_where_stands_under_it() {
    for (prompt, below) in [
        (
            "Organigramm: Geschäftsführerin Petra Vogt. Unter ihr: Vertrieb (Leitung Ali Demir), Verwaltung (Leitung Tom Haase). Im \
             Vertrieb arbeiten Mia Lang und Jonas Behr. Zur Verwaltung gehören Buchhaltung und Personal.",
            [
                ("Vertrieb", "Mia Lang"),
                ("Vertrieb", "Jonas Behr"),
                ("Verwaltung", "Buchhaltung"),
                ("Verwaltung", "Personal"),
            ],
        ),
        (
            "org chart: Director Ana Ruiz. Under her: Sales (Leo Blum), Finance (Kay Owen). In Sales work Mia Lang and Jo Behr. Finance \
             includes Payroll and Audit.",
            [("Sales", "Mia Lang"), ("Sales", "Jo Behr"), ("Finance", "Payroll"), ("Finance", "Audit")],
        ),
    ] {
        let chart = draw(prompt, Category::Diagram);
        let Matter::Flow { boxes, arrows, .. } = &only(&chart).matter else { panic!("{:?}", only(&chart)) };
        for (over, under) in below {
            let is_there = arrows.iter().any(|arrow| boxes[arrow.from].head == over && boxes[arrow.to].head == under);
            assert!(is_there, "{over} over {under}: {boxes:?} {arrows:?}");
        }
    }
}

#[test]
fn a_life_keeps_its_skills_and_languages_apart() {
    let life = draw(
        "CV\n\nLeonor Pacheco\nProduct designer, Lisbon\nleonor@example.pt\n\nExperience\n2021–now  Senior Product Designer, Farol Bank\n\
         2018–2021  UX Designer, Nimbo\nEducation\n2018 MA Interaction Design, University of Porto\n\
         Skills: Figma, prototyping, user research\nLanguages: Portuguese (native), English (C1), German (A2)",
        Category::Pdf,
    );
    let said = all_words(&life);
    assert!(said.contains("\"MA Interaction Design, University of Porto\""), "{said}");
    let titles: Vec<&str> = life.origin.outline.passages.iter().map(|passage| passage.title.as_str()).collect();
    for title in ["Experience", "Education", "Skills", "Languages"] {
        assert!(titles.contains(&title), "{title}: {titles:?}");
    }
    assert!(said.contains("A2") && said.contains("Figma"), "{said}");
}

#[test]
fn a_programme_has_its_parts() {
    let programme = draw(
        "programme for the parish summer concert\nSaturday 4 July, St Anne's, 7.30pm\nPart one\nVivaldi – Gloria in D (extracts)\n\
         Fauré – Cantique de Jean Racine\nPart two\nRutter – For the Beauty of the Earth\nTrad. arr. Chilcott – The Skye Boat Song",
        Category::Pdf,
    );
    let said = all_words(&programme);
    assert!(said.contains("\"Trad. arr. Chilcott\"") && said.contains("\"Vivaldi\""), "{said}");
    assert!(said.contains("title: \"Part one\"") && said.contains("title: \"Part two\""), "{said}");
}

#[test]
fn a_story_told_in_one_breath_has_its_details_apart() {
    let story = draw(
        "Hi! could you do an insta story for our pub quiz?? The Crooked Billet, every tuesday 8pm, teams of max 6, £2 pp, winner takes \
         the pot, book a table 020 7946 0321. dark green + gold would be cool thx",
        Category::Social,
    );
    let said = all_words(&story);
    assert!(!said.contains("would be cool"), "{said}");
    for words in ["\"The Crooked Billet\"", "\"Every tuesday 8pm\"", "\"Teams of max 6\"", "\"£2 pp\""] {
        assert!(said.contains(words), "{words}: {said}");
    }
}

#[test]
fn who_gives_and_who_gets_stay_with_their_words() {
    let voucher = draw(
        "Gutschein für eine Rückenmassage 60 Minuten, für: Oma Helga, von: Lina und Max, einlösbar bis 31.12.2026 bei Praxis Sonnenhof",
        Category::Other,
    );
    let said = all_words(&voucher);
    assert!(only(&voucher).title.starts_with("Rückenmassage"), "{said}");
    for words in ["\"Für: Oma Helga\"", "\"Von: Lina und Max\""] {
        assert!(said.contains(words), "{words}: {said}");
    }
    let poster = draw(
        "Plakat für unseren Blutspendetag: Do 18.9., 15–19.30 Uhr, Turnhalle Wehden. Bitte Ausweis mitbringen.",
        Category::Other,
    );
    assert_eq!(only(&poster).title, "Blutspendetag");
    let paper = draw(
        "one pager about our new returns policy. From 1 May customers have 45 days. Gift cards can't be returned. Questions? ask Nadia in \
         head office, ext. 214. Make it friendly, A4",
        Category::Pdf,
    );
    let said = all_words(&paper);
    assert!(!said.contains("Make it friendly"), "{said}");
    let party = draw(
        "Flyer bilingual DE/EN: Nachbarschaftsfest / Neighbourhood party, Sa 30. Mai / Sat 30 May. Bringt Kuchen mit! / Bring cake!",
        Category::Other,
    );
    assert!(all_words(&party).contains("Bringt Kuchen mit! / Bring cake!"), "{:?}", party.origin.outline);
}

#[test]
fn a_title_beside_a_colon_is_kept() {
    let carousel = draw(
        "Instagram carousel: 5 mistakes when buying a used bike: no test ride, no papers, wrong size, rusty chain, paying upfront",
        Category::Carousel,
    );
    assert_eq!(
        drawn::titles(&carousel),
        [
            "5 mistakes when buying a used bike",
            "No test ride",
            "No papers",
            "Wrong size",
            "Rusty chain",
            "Paying upfront"
        ]
    );
    assert!(!all_words(&carousel).contains("Gap"), "{:?}", carousel.origin.outline);
    let carousel = draw(
        "3 Fehler beim Gebrauchtradkauf: Karussell für Insta\n- keine Probefahrt\n- keine Papiere\n- falsche Größe",
        Category::Carousel,
    );
    assert_eq!(carousel.origin.outline.title, "3 Fehler beim Gebrauchtradkauf");
    assert!(!all_words(&carousel).contains("Karussell"), "{:?}", carousel.origin.outline);
    assert_eq!(carousel.page_count(), 1 + 3, "{:?}", drawn::titles(&carousel));
    let deck = draw(
        "How we cut our cloud bill by 40%: deck for the all-hands, 5 slides: where we started, what we tried, what worked, what's next",
        Category::Slides,
    );
    assert_eq!(deck.origin.outline.title, "How we cut our cloud bill by 40%");
    assert!(drawn::titles(&deck).contains(&"What worked"), "{:?}", drawn::titles(&deck));
    assert!(all_words(&deck).contains("Add: what's next"), "{:?}", deck.origin.outline);
    let slides = draw("スライドを5枚：新入社員研修のご案内。1日目は会社紹介、2日目は安全研修", Category::Slides);
    assert!(!all_words(&slides).contains("5枚"), "{:?}", slides.origin.outline);
}

#[test]
fn the_place_of_a_page_leaves_no_dash() {
    let deck = draw(
        "deck, 3 slides\nSlide 1 – Tidewater Hotels\nSlide 2 – Costs: energy down 8%; laundry up 3%; staff flat\nSlide 3 – Contact: Ruth Feldman",
        Category::Slides,
    );
    assert_eq!(drawn::titles(&deck)[1..], ["Costs", "Contact"]);
}

#[test]
fn the_first_of_several_plans_stands_beside_the_others() {
    let slide = draw(
        "one slide comparing our plans: Solo 9€/mo for 1 user. Team 29€/mo for 10 users with chat. Business 79€/mo with SSO",
        Category::Slides,
    );
    let Matter::Columns { columns, .. } = &only(&slide).matter else { panic!("{:?}", only(&slide)) };
    let heads: Vec<&str> = columns.iter().map(|column| column.head.as_str()).collect();
    assert_eq!(heads, ["Solo", "Team", "Business"]);
}

#[test]
fn who_said_it_is_no_title() {
    for prompt in [
        "Quote card for Instagram: \"Slow is smooth, smooth is fast.\" Maya Lindqvist",
        "quote card: Maya Lindqvist - \"Slow is smooth, smooth is fast.\"",
    ] {
        let card = draw(prompt, Category::Other);
        let Matter::Quote { words, by } = &only(&card).matter else { panic!("{:?}", only(&card)) };
        assert_eq!((words.as_str(), by.as_str()), ("Slow is smooth, smooth is fast.", "Maya Lindqvist"), "{prompt}");
        assert_eq!(only(&card).title, "", "{prompt}");
    }
    let story =
        draw("quiz night story! \"Brains & Beers\" at The Anchor, thursday 8pm, teams up to 5", Category::Other);
    assert_eq!((only(&story).kicker.as_str(), only(&story).title.as_str()), ("Quiz night", "Brains & Beers"));
    assert!(all_words(&story).contains("\"At The Anchor\""), "{:?}", story.origin.outline);
}

#[test]
fn a_life_in_one_breath_begins_with_its_name() {
    let life = draw(
        "CV: Tomas Vrba, Carpenter, Brno. Experience: 2015–now Lead carpenter, Drevo. Skills: roofing, timber frames, CAD",
        Category::Pdf,
    );
    assert_eq!(life.origin.outline.title, "Tomas Vrba");
    assert!(!all_words(&life).contains("Gap"), "{:?}", life.origin.outline);
    let voucher = draw(
        "Bon cadeau massage 50 min, pour : Claire, de la part de : Hugo, valable jusqu'au 31/12/2026, Spa des Tilleuls",
        Category::Other,
    );
    for words in ["Claire", "Hugo\"", "Spa des Tilleuls"] {
        assert!(all_words(&voucher).contains(words), "{words}: {:?}", voucher.origin.outline);
    }
    let posts = draw(
        "org chart: CEO Nora Falk. Reports to her: CTO Ben Oduya, CFO Lea Kern. Under her deputy Ravi Shah and Mia Orth",
        Category::Diagram,
    );
    let Matter::Flow { boxes, .. } = &only(&posts).matter else { panic!("{:?}", only(&posts)) };
    assert!(
        boxes.iter().any(|point| point.head == "Ravi Shah") && boxes.iter().any(|point| point.head == "Mia Orth"),
        "{boxes:?}"
    );
}

#[test]
fn a_bracket_behind_what_a_number_counts_stays_whole() {
    let post = draw(
        "Post, square:\nIronworks Gym turned 3\n41,200 visits\n612 members\n1 broken treadmill (sorry)\n",
        Category::Social,
    );
    let words = all_words(&post);
    assert!(words.contains("Broken treadmill (sorry)"), "{words}");
}

#[test]
fn what_is_said_in_small_letters_with_a_verb_is_the_title_of_a_post() {
    let document =
        draw("insta post for our vet clinic: chocolate is poison for dogs. friendly not scary", Category::Social);
    assert_eq!(
        (only(&document).kicker.as_str(), only(&document).title.as_str()),
        ("Vet clinic", "Chocolate is poison for dogs")
    );
    assert!(!all_words(&document).contains("scary"), "{}", all_words(&document));
}

#[test]
fn a_timetable_in_one_sentence_has_its_days() {
    let document = draw(
        "Kursplan Yoga Herbst: Mo 18–19:15 Hatha mit Eva, Mi 9–10 Yoga für den Rücken, Do 19:30–21 Yin. Einzelstunde 14 €, Zehnerkarte 120 €.",
        Category::Other,
    );
    assert_eq!(only(&document).title, "Kursplan Yoga Herbst");
    assert!(all_words(&document).contains("head: \"Mo 18–19:15\""), "{}", all_words(&document));
}

#[test]
fn prices_before_words_that_tell_otherwise_are_a_list() {
    let document = draw(
        "ok so for the school fair I need a price list: cake slice 1.50, coffee 2, juice 1, face painting 3 and tickets are 1 each or 5 for 4",
        Category::Other,
    );
    assert_eq!(only(&document).title, "School fair");
    assert!(all_words(&document).contains("name: \"Coffee\""), "{}", all_words(&document));
}

#[test]
fn heads_of_a_letter_on_one_line_are_not_printed() {
    let document = draw(
        "From: Helen To: Studio Subject: Fwd: open day flyer\nHi, can you turn this into an A5 flyer? Use our orange.\n> Open day at Brook Farm, Sunday 4 May, 10am to 4pm\n> Dogs on leads.\n> No need to book",
        Category::Other,
    );
    assert_eq!(only(&document).title, "Open day at Brook Farm");
    assert!(!all_words(&document).contains("Helen"), "{}", all_words(&document));
}
