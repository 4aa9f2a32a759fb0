//! Whether words are anybody's, and whether kind, pages, gaps and language are those that were asked for.

use std::collections::BTreeSet;

use easel_canvas::content::{Matter, Passage};
use easel_canvas::document::Document;
use easel_canvas::{Category, Composed, label_words};
use toml::Value;

use super::Outcome;
use super::words::{contains, is_spaceless, tokens};
use super::written::{Written, list, text};

/// Words on pages that stand neither in the brief nor in its files.
pub fn foreign_words(written: &Written, document: &Document, pages: &[Vec<String>]) -> BTreeSet<String> {
    let mut own: Vec<String> = tokens(&written.brief.prompt);
    for attachment in &written.brief.attachments {
        // A comma between the cells of a table is no decimal mark.
        let text = String::from_utf8_lossy(&attachment.bytes).into_owned();
        own.extend(tokens(&if attachment.name.ends_with(".csv") { text.replace(',', " ") } else { text }));
        own.extend(tokens(&attachment.name.replace(['_', '-', '.'], " ")));
    }
    own.extend(label_words(&document.language).iter().flat_map(|word| tokens(word)));
    let squeezed = own.concat();
    let known: BTreeSet<&str> = own.iter().map(String::as_str).collect();
    let has_chart =
        document.origin.outline.passages.iter().any(|passage| format!("{:?}", passage.matter).contains("Chart {"));
    let is_free = |word: &str| {
        let is_number = word.chars().all(|letter| letter.is_ascii_digit() || letter == '.');
        let digits: String = word.chars().filter(char::is_ascii_digit).collect();
        // Page numbers, numbers of steps, and the marks along a chart.
        (is_number && (has_chart || digits.parse::<u32>().is_ok_and(|number| number <= 40)))
            || word.chars().all(|letter| !letter.is_alphanumeric())
    };
    pages
        .iter()
        .flatten()
        .filter(|word| {
            !known.contains(word.as_str())
                && !is_free(word)
                && (!is_spaceless(word) || !squeezed.contains(word.as_str()))
        })
        // A chart shortens its numbers and adds its unit.
        .filter(|word| !(has_chart && word.chars().next().is_some_and(|first| first.is_ascii_digit())))
        .filter(|word| !(word.chars().count() > 3 && known.iter().any(|known| known.contains(word.as_str()))))
        .cloned()
        .collect()
}

/// Notes what is wrong with kind, pages, gaps and language.
pub fn judge_form(written: &Written, composed: &Composed, outcome: &mut Outcome) {
    let document = &composed.document;
    let pages = document.page_count() as i64;
    let range: Vec<i64> = list(&written.expect, "pages").into_iter().filter_map(Value::as_integer).collect();
    if let [least, most] = range.as_slice()
        && !(least..=most).contains(&&pages)
    {
        outcome.faults.push(format!("{pages} pages, not {least} to {most}"));
    }
    let kind = text(&written.expect, "kind");
    let (width, height) = (document.pages[0].width, document.pages[0].height);
    let fits = match kind.as_str() {
        "deck" => document.category == Category::Slides,
        "carousel" => document.category == Category::Carousel,
        "diagram" => document.category == Category::Diagram,
        "document" | "report" | "one_pager" | "letter" => document.category == Category::Pdf,
        "post" => document.category == Category::Social && height < width * 3 / 2,
        "story" => height * 10 >= width * 16,
        "screen" | "ui" => document.category == Category::Ui,
        "poster" | "flyer" | "menu" | "price_list" | "invitation" | "card" | "certificate" | "banner"
        | "infographic" => matches!(document.category, Category::Other | Category::Social),
        _ => true,
    };
    if !fits {
        outcome.faults.push(format!("{kind} became {:?} of {width} by {height}", document.category));
    }
    for gap in &written.gaps {
        let wanted = tokens(gap);
        let is_left_open = |passage: &Passage| {
            contains(&tokens(&passage.title), &wanted) && matches!(passage.matter, Matter::Gap { .. })
        };
        let has = document.origin.outline.passages.iter().any(|passage| {
            is_left_open(passage)
                || matches!(&passage.matter, Matter::Board { parts, .. } if parts.iter().any(is_left_open))
        });
        if !has {
            outcome.faults.push(format!("no gap for “{gap}”"));
        }
    }
    let language = text(&written.expect, "language");
    if !language.is_empty() && language != document.language {
        outcome.faults.push(format!("language {} instead of {language}", document.language));
    }
}
