//! Briefs as strangers tell them: people and systems in sentences, plans in lists, pasted letters. Deliberately not here: how
//! the pages look, and briefs in one paragraph (`typed`).

use easel_canvas::content::{Matter, Passage};
use easel_canvas::{Brief, Category, Document, Format, compose};

fn draw(prompt: &str, category: Category) -> Document {
    compose(&Brief::new(prompt, Format::of(category), 7), &mut |_| {}).expect("a design").document
}

fn titles(document: &Document) -> Vec<&str> {
    document.origin.outline.passages.iter().map(|passage| passage.title.as_str()).collect()
}

fn only(document: &Document) -> &Passage {
    let [passage] = document.origin.outline.passages.as_slice() else { panic!("{:?}", titles(document)) };
    passage
}

fn all_words(document: &Document) -> String {
    format!("{:?}", document.origin.outline)
}

/// Each box with the one that it hangs from; what is said of it in brackets.
fn hung(document: &Document) -> Vec<String> {
    let Matter::Flow { boxes, arrows } = &only(document).matter else { panic!("{:?}", only(document)) };
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
    for category in [Category::Other, Category::Slides, Category::Pdf] {
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
