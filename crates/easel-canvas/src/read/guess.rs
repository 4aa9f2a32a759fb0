//! What kind of thing a brief wants that names none: told by its sheet, its prices, its numbered cards and its length.
//!
//! Only where the format leaves it open: slides stay slides.

use super::courses::is_course;
use super::instructions;
use super::kinds::{self, Kind};
use super::letter;
use super::lines::Line;
use super::parts;
use super::prices;
use super::request::Request;
use super::text;
use super::{amounts, dates};
use crate::document::Category;

/// More words than these are read, not seen from afar.
const MOST_WORDS_OF_A_POSTER: usize = 150;

/// More words than these are read where nothing but an hour says that something happens.
const MOST_WORDS_OF_A_NOTICE: usize = 70;

/// Whether the clauses of several lines say what things cost, in numbers without a currency: “lobe 35, helix 45”. That they
/// are no figures shows in a word about paying.
fn are_clauses_priced(texts: &[&str]) -> bool {
    const PAYING: &[&str] =
        &["free", "deposit", "discount", "extra", "incl", "cash", "gratis", "anzahlung", "inkl", "aufpreis"];
    let is_priced = |clause: &String| {
        clause.split_whitespace().count() <= 5 && prices::priced(clause).is_some_and(|item| !item.price.is_empty())
    };
    let counts = texts.iter().map(|words| {
        let body = text::label(words).map_or(*words, |(_, body)| body);
        let clauses = body.split(" / ").flat_map(text::clauses);
        clauses.filter(is_priced).count()
    });
    let counts: Vec<usize> = counts.filter(|count| *count > 0).collect();
    let pays = texts.iter().any(|words| text::words(words).iter().any(|word| PAYING.contains(&word.as_str())));
    pays && counts.len() >= 3 && counts.iter().sum::<usize>() >= 6
}

/// Whether a sentence tells several things and their prices in words.
fn are_told(words: &str) -> bool {
    let told = |words: &str| prices::told::within(words, false).is_some_and(|told| told.items.len() >= 3);
    text::sentences(words).iter().any(|sentence| told(text::label(sentence).map_or(sentence, |(_, body)| body)))
}

/// The kind of a brief that names none; `None` where its format says enough.
pub fn kind_of(lines: &[Line], request: &Request, category: Category) -> Option<Kind> {
    let texts: Vec<&str> = lines
        .iter()
        .filter_map(|line| match line {
            Line::Text(words) | Line::Heading(words) | Line::Item(_, words) | Line::Nested(_, words) => {
                Some(words.as_str())
            }
            _ => None,
        })
        .collect();
    let cards =
        texts.iter().filter(|words| text::label(words).is_some_and(|(label, _)| parts::is_place(label))).count();
    // A story of several frames stays one.
    if request.kind == Some(Kind::Story) {
        return None;
    }
    if matches!(category, Category::Social | Category::Carousel) && cards >= 2 {
        return Some(Kind::Carousel);
    }
    // A vacancy is shown on a wall, in a feed, or on a page to be read, as its format says.
    if category == Category::Pdf && kinds::is_vacancy(&request.kind_name) {
        return Some(Kind::OnePager);
    }
    // “5 cards for Instagram” are a carousel.
    let is_several = instructions::wishes(&request.instructions).page_count.is_some_and(|count| count > 1);
    if matches!(category, Category::Social | Category::Carousel)
        && is_several
        && matches!(request.kind, Some(Kind::Card | Kind::Post) | None)
    {
        return Some(Kind::Carousel);
    }
    // “5 slides insta: …”: what is swiped has slides, too.
    if category == Category::Carousel && is_several && request.kind == Some(Kind::Deck) {
        return Some(Kind::Carousel);
    }
    // “carta” and “carte” name a menu as well as a letter: whom it greets tells which.
    let is_carte = request.kind == Some(Kind::Menu) && request.kind_name.to_lowercase().starts_with("cart");
    if (request.kind.is_none() || is_carte)
        && matches!(category, Category::Pdf | Category::Other)
        && letter::of_lines(lines).is_some()
    {
        return Some(Kind::OnePager);
    }
    if request.kind.is_some() || !matches!(category, Category::Pdf | Category::Other) {
        return None;
    }
    let is_priced = |words: &&&str| {
        prices::priced(words)
            .is_some_and(|item| amounts::amounts(&item.price).iter().any(|amount| amount.is_price(&item.price)))
    };
    let priced = texts.iter().filter(is_priced).count();
    if priced >= 3 && priced * 2 >= texts.len() {
        return Some(Kind::Menu);
    }
    let are_in_words = are_told(&request.content.join(", ")) || texts.iter().any(|words| are_told(words));
    let are_courses = texts.iter().filter(|words| is_course(words)).count() >= 2;
    if are_in_words || are_courses || are_clauses_priced(&texts) {
        return Some(Kind::Menu);
    }
    let words: usize = texts.iter().map(|words| words.split_whitespace().count()).sum();
    if is_code(&texts) {
        return Some(Kind::OnePager);
    }
    let is_reading = lines.iter().any(|line| matches!(line, Line::Marked(_)));
    if is_reading || words > MOST_WORDS_OF_A_POSTER {
        return None;
    }
    let spoken = text::words(&request.instructions);
    let sheet = spoken.iter().find(|word| instructions::is_sheet(word)).map(String::as_str);
    match sheet {
        Some("a0" | "a1" | "a2" | "a3") => return Some(Kind::Poster),
        Some("a5" | "a6" | "a7" | "dl") => return Some(Kind::Flyer),
        _ => {}
    }
    let happens = texts.iter().any(|words| dates::has_moment(words));
    let is_brief = texts.iter().all(|words| words.split_whitespace().count() <= 25);
    let is_bare = words <= 3 && request.title.is_empty() || words == 0;
    (is_bare
        || happens && is_brief && texts.len() >= 3 && words <= MOST_WORDS_OF_A_NOTICE && category == Category::Other)
        .then_some(Kind::Poster)
}

/// Whether lines are of a program: most end or begin as only lines of programs do.
fn is_code(texts: &[&str]) -> bool {
    const STARTS: &[&str] = &[
        "def ",
        "return ",
        "import ",
        "from ",
        "function ",
        "const ",
        "let ",
        "var ",
        "class ",
        "#include",
        "public ",
        "if (",
        "for (",
        "fn ",
        "print(",
    ];
    let looks = |line: &&&str| {
        let line = line.trim();
        line.ends_with(['{', '}', ';'])
            || line.ends_with("):")
            || STARTS.iter().any(|start| line.starts_with(start))
            || line.contains(" = ") && line.contains('(')
    };
    texts.len() >= 3 && texts.iter().filter(looks).count() * 2 >= texts.len()
}
