//! How briefs of people whom nobody knows are read: each test is a kind of brief that was read wrongly once, told in words that
//! stand in none of the measured briefs.
//!
//! Deliberately not here: figures over all briefs (`reading`).

use easel_canvas::content::{Matter, Passage};
use easel_canvas::document::Document;
use easel_canvas::{Brief, Category, Format, compose};

fn drawn(prompt: &str, category: Category) -> Document {
    let format = Format::of(category);
    let prompt = prompt.to_owned();
    let brief = Brief { prompt, format, page_count: None, name: None, brand: None, attachments: Vec::new(), seed: 4 };
    compose(&brief, &mut |_| {}).expect("a design").document
}

fn passages(document: &Document) -> &[Passage] {
    &document.origin.outline.passages
}

fn said(document: &Document) -> String {
    format!("{:?}", document.origin.outline)
}

fn titles(document: &Document) -> Vec<&str> {
    passages(document).iter().map(|passage| passage.title.as_str()).collect()
}

#[test]
fn a_numbered_outline_is_a_page_for_each_number() {
    let deck = drawn(
        "Deck for our bank, serious.\n\n1. Brightwater Laundry – loan request\n2. Who we are: family business since 1987, 14 \
         staff, 3 vans\n3. Why now\n- energy costs rose by a third\n- the hospital contract starts in September\n4. What we \
         ask: a loan over seven years",
        Category::Slides,
    );
    assert_eq!(titles(&deck), ["Brightwater Laundry", "Who we are", "Why now", "What we ask"]);
}

#[test]
fn numbers_without_dots_number_cards() {
    let cards = drawn(
        "Carousel, 4 cards, for our practice\n\n1 Sit up straight.\n2 Chin tucks: hold 5 seconds\n3 Shoulder rolls: 15 \
         times\n4 Book a check-up",
        Category::Carousel,
    );
    assert_eq!(cards.page_count(), 4);
    assert!(!said(&cards).contains("2 Chin") && said(&cards).contains("Chin tucks"), "{}", said(&cards));
}

#[test]
fn a_kind_that_is_only_mentioned_asks_for_nothing() {
    let flow = drawn(
        "How a complaint is handled: customer complains at the till. Is the receipt there? If yes, the cashier refunds the \
         money. If no, the manager is called. In both cases the customer signs the form.",
        Category::Diagram,
    );
    assert_eq!(flow.name, "How a complaint is handled");
    assert!(matches!(&passages(&flow)[0].matter, Matter::Flow { arrows, .. } if arrows.len() >= 3), "{}", said(&flow));
    let letter = drawn(
        "Write-up for the neighbours:\n\nWorks at Rosenhof\n\nThe roof is renewed.\n\nWhat you will notice\nNoise in the \
         morning\nThe lift is out of order",
        Category::Pdf,
    );
    assert!(said(&letter).contains("What you will notice"), "{}", said(&letter));
}

#[test]
fn who_stands_over_a_tree_is_in_it() {
    let chart = drawn(
        "Org chart please.\nManaging director: Sofia Brandt\n - Production: Emil Novak\n   - Shift A: Rita Owusu\n - Sales: \
         Petra Lind",
        Category::Diagram,
    );
    let Matter::Flow { boxes, .. } = &passages(&chart)[0].matter else { panic!("{}", said(&chart)) };
    assert_eq!(boxes.len(), 4, "{}", said(&chart));
    assert!(said(&chart).contains("Sofia Brandt"));
}

#[test]
fn sides_of_a_sheet_are_no_titles() {
    let flyer = drawn(
        "Flyer A5 for the nursery\n\nFront:\nOpen Day at Bloom Nursery\nSaturday 10 May, 10am to 3pm\n\nBack:\n10.30 Pruning \
         roses with Ted\n12.00 Children's planting table\n1.30 Compost explained",
        Category::Other,
    );
    assert_eq!(flyer.name, "Open Day at Bloom Nursery");
    assert!(!said(&flyer).contains("Front") && !said(&flyer).contains("Figures"), "{}", said(&flyer));
}

#[test]
fn groups_of_prices_leave_the_title_to_the_request() {
    for (prompt, title) in [
        (
            "Price list for our dog salon, A4\n\nSmall dogs\nWash ... £18\nGroom ... £32\n\nLarge dogs\nWash ... £28\nGroom ... £52",
            "Dog salon",
        ),
        (
            "price list for my guitar lessons pls\n\n30 min – 25\n45 min – 35\n60 min – 45\ntrial lesson – free",
            "Guitar lessons",
        ),
    ] {
        let list = drawn(prompt, Category::Other);
        assert_eq!(list.name, title, "{}", said(&list));
        assert_eq!(list.language, "en");
    }
    let list =
        drawn("Price list\n\nMill Garage\nWheel truing: from 18 €\nTyre 12 €\nFirst look – free", Category::Other);
    assert!(said(&list).contains("price: \"free\"") && said(&list).contains("price: \"from 18 €\""), "{}", said(&list));
}

#[test]
fn reading_matter_that_one_page_holds_has_no_cover() {
    let life = drawn(
        "CV. for a job on a ship, no photo\n\nBasil Orde\nCook\n\nJOBS\n2019–2024 MS Nord – galley chief\n2014–2019 Chez Mado \
         – kitchen hand\n\nPAPERS\n- Basic safety\n- Seaman's book",
        Category::Pdf,
    );
    assert_eq!(life.page_count(), 1);
}

#[test]
fn where_parts_of_the_thing_shall_stand_is_not_printed() {
    let certificate = drawn(
        "Certificate for a first aid course.\n\nAwarded to: Miriam Adeyemi\n12 March 2025, Red Lion Hall\n\nFrame around it, \
         seal bottom left, no clip art.",
        Category::Other,
    );
    assert!(!said(&certificate).contains("seal bottom"), "{}", said(&certificate));
}

#[test]
fn who_can_be_asked_is_one_line() {
    let sign = drawn(
        "Sign for the door, A4\n\nClosed on Wednesday\n7 May, all day\nInstead: Dr. Renate Vogt, Lindenstraße 12, Tel. 555 0190 22",
        Category::Other,
    );
    assert!(said(&sign).contains("Instead: Dr. Renate Vogt, Lindenstraße 12, Tel. 555 0190 22"), "{}", said(&sign));
}

#[test]
fn names_with_numbers_under_each_other_are_figures() {
    let sheet = drawn(
        "Fact sheet, A4\n\nHallow Fen\n\nIn figures\nArea: 640 hectares\nDepth of the peat: up to 3.5 metres\nVisitors in 2024: \
         9,600\nProtected since: 1987",
        Category::Pdf,
    );
    for value in ["640 hectares", "3.5", "9,600", "1987"] {
        assert!(said(&sheet).contains(&format!("Figure {{ value: \"{value}")), "{value}: {}", said(&sheet));
    }
}

#[test]
fn a_lead_between_a_heading_and_its_table_asks_for_nothing() {
    let deck = drawn(
        "Slides on the library\n\n# Use of the library\nLoans per quarter:\nQuarter\tLoans\nQ1\t41\nQ2\t38\nQ3\t36\n\n# \
         What changed\n- Sunday opening\n- No more fines",
        Category::Slides,
    );
    assert!(!said(&deck).contains("Gap"), "{}", said(&deck));
}

#[test]
fn the_day_until_which_a_deck_is_needed_is_no_title() {
    let deck = drawn(
        "a couple of slides for Thursday\n\nCustomer survey\n\nWhat they like: bread, staff, hours\nWhat they miss: seats, \
         cakes, wifi",
        Category::Slides,
    );
    assert_eq!(deck.name, "Customer survey", "{}", said(&deck));
}

#[test]
fn yes_and_no_stand_on_the_arrows_of_a_question() {
    let flow = drawn(
        "flowchart for new volunteers: application arrives → interview → references ok? yes → induction day. no → we write a \
         friendly letter.",
        Category::Diagram,
    );
    assert!(said(&flow).contains("label: \"Yes\"") && said(&flow).contains("label: \"No\""), "{}", said(&flow));
}

#[test]
fn plans_with_a_label_stand_beside_each_other() {
    let plans = drawn(
        "Price sheet, one page. Heading \"Plans from May\".\n\nSolo: free. One user; 1 GB of storage\nBand: €7 per user and month. \
         Ten users; shared folders\nHall: from €900 a year. All of Band; a named contact\n\nUnderneath in small type: all prices \
         without VAT",
        Category::Pdf,
    );
    let outline = said(&plans);
    for words in ["figure: \"free\"", "figure: \"€7\"", "Per user and month", "head: \"Hall\"", "Shared folders"] {
        assert!(outline.contains(words), "{words}: {outline}");
    }
    assert!(!outline.contains("small type"), "{outline}");
}

#[test]
fn sentences_on_lines_of_their_own_are_a_list() {
    let notice = drawn(
        "A notice (poster, A3) for the pool. Wording as follows:\n\nWATER OFF\nNorth bath\n\nDo not swim.\nDo not dive.\nDo not \
         drink the water.\n\nValid from 7 July",
        Category::Other,
    );
    assert!(said(&notice).contains("Points {") && said(&notice).contains("Do not swim"), "{}", said(&notice));
}

#[test]
fn what_one_pays_at_the_door_is_a_line_of_a_poster() {
    let poster = drawn(
        "Poster, A3\n\nSteam Rally\nSunday 9 August, gates open at 10\nThe showground\nAdults £7, under 14s free, parking £2 in aid \
         of the hospice\nInfo: 01555 550 146",
        Category::Other,
    );
    assert_eq!(poster.page_count(), 1);
    assert!(
        said(&poster).contains("\"Adults £7, under 14s free, parking £2 in aid of the hospice\""),
        "{}",
        said(&poster)
    );
    let run = drawn(
        "Poster for our Weir Run. Sunday 7 September, start at the mill. 5 km at 9:45 (€12), 10 km at 10:45 (€18), half marathon at \
         12:00 (€32). Register on weirrun.example",
        Category::Other,
    );
    assert!(!said(&run).contains("(\"") && !said(&run).contains("\")"), "{}", said(&run));
}

#[test]
fn what_is_said_to_the_maker_is_printed_nowhere() {
    for (note, printed) in [
        ("Contact for this order: Mr Hale, ext. 12. Not to be printed.", "Hale"),
        ("If it were possible to have the telephone number a little larger I should be glad.", "larger"),
        ("just make sure the date is bigger than the hall", "bigger"),
        ("the numbers in front can go, they are only for us. thx", "only for us"),
        ("Thank you so much dear", "Thank you"),
        ("two lines to sign on please", "sign on"),
    ] {
        let card = drawn(
            &format!("Invitation, A6\n\nThe Weir Choir\nSaturday 9 May, 7 pm\nThe old mill, Weir Lane\n\n{note}"),
            Category::Other,
        );
        assert!(!said(&card).contains(printed), "{note}: {}", said(&card));
    }
}

#[test]
fn the_price_of_a_room_leads_no_invitation() {
    let card = drawn(
        "Einladung\n\nAnton wird 50!\nSamstag, 22. März, ab 18 Uhr\nGasthof Krone, Marktplatz 3\nEinzelzimmer 58 €\nDoppelzimmer \
         86 €",
        Category::Other,
    );
    assert!(!said(&card).contains("Menu {") && said(&card).contains("Doppelzimmer 86 €"), "{}", said(&card));
}

#[test]
fn days_of_a_programme_head_their_hours() {
    let poster = drawn(
        "Poster, A3\n\nHill Farm Weekend\nOn the common\n\nSATURDAY\n10 am Opening\n2 pm Parade of ponies\nSUNDAY\n11 am Sheep \
         shearing\n\nFree entry",
        Category::Other,
    );
    assert!(
        said(&poster).contains("title: \"SATURDAY\"") && said(&poster).contains("title: \"SUNDAY\""),
        "{}",
        said(&poster)
    );
}

#[test]
fn a_sentence_of_two_clauses_is_no_list() {
    let life = drawn(
        "CV, one page\n\nBasil Orde\n\nABOUT ME\nI bake bread every day, also when it storms.\n\nJOBS\n- Cook on the MS Nord\n- \
         Baker in Bergen",
        Category::Pdf,
    );
    assert!(said(&life).contains("I bake bread every day, also when it storms."), "{}", said(&life));
    let sheet = drawn(
        "Fact sheet, A4\n\nHallow Fen\n\nWhat we are doing\n- 9 km of drains blocked\n- 40 ponies graze the edges\n- The walk is \
         renewed in autumn",
        Category::Pdf,
    );
    assert!(!said(&sheet).contains("Figures {"), "{}", said(&sheet));
}
