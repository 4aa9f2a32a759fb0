//! Designs from briefs, whose words are changed and drawn.

use super::*;
use crate::audit::audit;
use crate::{Brief, FileFormat, Format, RenderRequest, compose, edit, render};

fn brief(prompt: &str, category: crate::Category) -> Brief {
    Brief::new(prompt, Format::of(category), 7)
}

const DECK: &str = "# Bread of the week\n\nA talk about baking\n\n## Why rye\n\n- **Keeps longer**: a week in the box\n\
                    - **Tastes of more**: caraway and malt\n\n## What it costs\n\nA loaf is 4 euros, and half of one 2.20.";

fn deck() -> Document {
    compose(&brief(DECK, crate::Category::Slides), &mut |_| {}).unwrap().document
}

/// The text that says this, and the page that it is on.
fn find_text(document: &Document, words: &str) -> TextRef {
    let pages = 0..document.page_count();
    let mut all = pages.flat_map(|page| document.texts(page).into_iter().map(move |text| (page, text)));
    let (page, text) = all.find(|(_, text)| text.text == words).unwrap_or_else(|| panic!("nothing says {words:?}"));
    TextRef::parse(page, &text.path).unwrap()
}

fn svg(document: &Document, page: usize) -> String {
    let page = u32::try_from(page + 1).unwrap();
    let request = RenderRequest { format: FileFormat::Svg, page: Some(page), pixel_ratio: 1, flatten: false };
    String::from_utf8(render(document, &request).unwrap().bytes).unwrap()
}

#[test]
fn every_text_of_a_page_is_listed_with_its_place_and_found_by_its_reference() {
    let document = deck();
    for page in 0..document.page_count() {
        let texts = document.texts(page);
        assert!(!texts.is_empty(), "page {page}");
        for text in texts {
            let at = TextRef::parse(page, &text.path).unwrap();
            assert_eq!(document.text(&at).as_ref(), Some(&text));
            assert_eq!(at.to_string(), text.path);
            assert!(document.pages[page].frame().contains(&text.frame, 1.0), "{text:?}");
            assert!(text.frame.contains(&text.ink, 1.0), "{text:?}");
            assert!(text.least_size <= text.size && text.least_size > 8.0, "{text:?}");
            assert!(text.color.starts_with('#') && text.color.len() == 7, "{text:?}");
            assert!(text.ground.as_ref().is_none_or(|ground| *ground != text.color), "{text:?}");
        }
    }
    for path in ["", ".", "1.", "-1", "+1", "a", "99999999999999999999", &"0.".repeat(40)] {
        assert_eq!(TextRef::parse(0, path), None, "{path}");
    }
    assert!(document.texts(99).is_empty());
}

#[test]
fn other_words_stand_in_the_place_of_the_first_and_nothing_else_moves() {
    let before = deck();
    let at = find_text(&before, "Why rye");
    let mut after = before.clone();
    after.set_text(&at, "  Why spelt \r\n").unwrap();
    let drawn = svg(&after, at.page);
    assert!(drawn.contains("Why spelt") && !drawn.contains("Why rye"), "{drawn}");
    assert!(audit(&after).is_empty(), "{:?}", audit(&after));
    let text = after.text(&at).unwrap();
    assert_eq!((text.text.as_str(), text.frame), ("Why spelt", before.text(&at).unwrap().frame));
    assert_eq!(after.pages[at.page].name, "Why spelt");
    // All but this box is as it was.
    for page in 0..before.page_count() {
        let others = |document: &Document| {
            let mut nodes = document.pages[page].nodes.clone();
            if let Some(text) = find_mut(&mut nodes, &at.path).filter(|_| page == at.page) {
                text.paragraphs.clear();
            }
            nodes
        };
        assert_eq!(others(&before), others(&after), "page {page}");
    }
    for format in [FileFormat::Pdf, FileFormat::Pptx, FileFormat::Png] {
        let request = RenderRequest { format, page: None, pixel_ratio: 1, flatten: false };
        assert!(render(&after, &request).is_ok(), "{format:?}");
    }
}

#[test]
fn long_words_are_set_smaller_and_the_words_of_before_bring_back_what_was_there() {
    let before = deck();
    let at = find_text(&before, "Why rye");
    let first = before.text(&at).unwrap();
    let mut document = before.clone();
    let mut words = "Why rye".to_owned();
    while document.text(&at).unwrap().size >= first.size {
        words.push_str(" and spelt");
        document.set_text(&at, &words).unwrap();
    }
    let smaller = document.text(&at).unwrap();
    assert!(smaller.size >= first.least_size && smaller.least_size == first.least_size, "{smaller:?}");
    assert!(first.frame.contains(&smaller.ink, 1.0), "{smaller:?}");
    assert!(audit(&document).is_empty(), "{:?}", audit(&document));
    let read = Document::from_json(&document.to_json().unwrap()).unwrap();
    assert_eq!(read, document);
    document.set_text(&at, "Why rye").unwrap();
    assert_eq!(document, before);
}

#[test]
fn what_is_too_long_or_empty_or_nowhere_is_refused_and_changes_nothing() {
    let mut document = deck();
    let before = document.clone();
    let at = find_text(&document, "Why rye");
    let long = "Rye and spelt and wheat ".repeat(60);
    let Err(Error::TextTooLong { letters, fitting }) = document.set_text(&at, &long) else { panic!("it was taken") };
    assert_eq!(letters, long.trim().chars().count());
    assert!(long.starts_with(&fitting) && fitting.len() > 12 && !fitting.ends_with(' '), "{fitting:?}");
    assert_eq!(document, before);
    // What is said to fit does.
    document.set_text(&at, &fitting).unwrap();
    document = before.clone();
    let word = "Donaudampfschifffahrtsgesellschaft".repeat(8);
    let Err(Error::TextTooLong { fitting, .. }) = document.set_text(&at, &word) else { panic!("it was taken") };
    assert!(word.starts_with(&fitting) && !fitting.is_empty(), "{fitting:?}");
    for empty in ["", "  \n\t ", "\u{7}"] {
        assert!(matches!(document.set_text(&at, empty), Err(Error::TextEmpty)), "{empty:?}");
    }
    for (page, path) in [(99, "0"), (0, "99"), (at.page, "0.0.0.0")] {
        let nowhere = TextRef::parse(page, path).unwrap();
        assert!(matches!(document.set_text(&nowhere, "a"), Err(Error::TextNotFound { .. })), "{page} {path}");
    }
    assert_eq!(document, before);
}

#[test]
fn a_remix_says_what_was_changed() {
    let mut document = deck();
    let title = find_text(&document, "Why rye");
    document.set_text(&title, "Why spelt").unwrap();
    let item = find_text(&document, "caraway and malt");
    document.set_text(&item, "nuts and malt").unwrap();
    let dark = edit(&document, "make it dark", None, 0, &mut |_| {}).unwrap().document;
    let said: String = (0..dark.page_count()).flat_map(|page| dark.texts(page)).map(|text| text.text + "\n").collect();
    assert!(said.contains("Why spelt") && !said.contains("Why rye"), "{said}");
    assert!(said.contains("nuts and malt") && !said.contains("caraway"), "{said}");
}

/// Of two pages that are called alike, nobody can tell which one a remix shall call otherwise.
#[test]
fn a_title_that_stands_twice_is_left_in_the_outline() {
    let prompt =
        "# Fair\n\n## Prices\n\n- bread 3\n- cake 4\n\n## Hours\n\n- ten to six\n\n## Prices\n\n- tea 2\n- milk 1";
    let mut document = compose(&brief(prompt, crate::Category::Slides), &mut |_| {}).unwrap().document;
    let titles = |document: &Document| {
        document.origin.outline.passages.iter().filter(|passage| passage.title == "Prices").count()
    };
    assert_eq!(titles(&document), 2);
    let title = find_text(&document, "Prices");
    document.set_text(&title, "Costs").unwrap();
    assert_eq!(titles(&document), 2);
}
