//! Lines, sizes and directions, measured with the shipped fonts.

use super::*;
use crate::document::{Align, Anchor, FontRole, Paragraph, TextRole, TextStyle};
use crate::theme::{Role, find_pairing, find_recipe};

fn theme() -> Theme {
    let fonts = find_pairing("Plain").expect("a pairing").fonts_for("abc");
    find_recipe("Slate").expect("a recipe").build(fonts)
}

fn text_box(words: &str, width: f32, height: f32) -> TextBox {
    TextBox {
        frame: Frame::new(10.0, 20.0, width, height),
        role: TextRole::Body,
        paragraphs: words.split('\n').map(Paragraph::plain).collect(),
        style: TextStyle {
            font: FontRole::Body,
            weight: None,
            italic: false,
            size: 20.0,
            line_height: 1.4,
            tracking: 0.0,
            capitals: false,
            paint: Role::Ink.into(),
            align: Align::Start,
            anchor: Anchor::Top,
            balanced: false,
            right_to_left: false,
            paragraph_gap: 0.5,
        },
        first_size: None,
    }
}

#[test]
fn breaks_lines_inside_the_box_and_loses_no_word() {
    let words = "The quick brown fox jumps over the lazy dog and then some more of it follows.";
    let layout = lay_out(&text_box(words, 200.0, 400.0), &theme());
    assert!(layout.fits && layout.lines.len() > 2);
    let back: Vec<String> =
        layout.lines.iter().map(|line| line.runs.iter().map(|run| run.text.as_str()).collect()).collect();
    assert_eq!(back.join(" ").split_whitespace().collect::<Vec<_>>(), words.split_whitespace().collect::<Vec<_>>());
    for run in layout.lines.iter().flat_map(|line| &line.runs) {
        assert!(run.x >= 9.9 && run.x + run.width <= 210.1, "{run:?}");
    }
}

#[test]
fn says_that_a_word_wider_than_the_box_does_not_fit() {
    let wide = text_box("Donaudampfschifffahrtsgesellschaft", 120.0, 400.0);
    assert!(!lay_out(&wide, &theme()).fits);
}

#[test]
fn sets_hebrew_from_the_right() {
    let mut text = text_box("שלום עולם, 2026 Easel.", 400.0, 100.0);
    text.style.right_to_left = true;
    let layout = lay_out(&text, &theme());
    let runs = &layout.lines[0].runs;
    let last = runs.last().expect("a run");
    assert!(last.right_to_left && last.text.starts_with("שלום"), "{runs:?}");
    assert!((last.x + last.width - 410.0).abs() < 1.0);
    let easel = runs.iter().find(|run| run.text.contains("Easel")).expect("the Latin word");
    assert!(easel.x < last.x && !easel.right_to_left);
}

#[test]
fn balances_a_heading_without_a_further_line() {
    let mut text = text_box("A heading of some words that is long", 300.0, 200.0);
    let plain = lay_out(&text, &theme());
    text.style.balanced = true;
    let balanced = lay_out(&text, &theme());
    assert_eq!(plain.lines.len(), balanced.lines.len());
    assert!(balanced.width <= plain.width);
}

#[test]
fn a_text_is_taken_apart_once_for_all_sizes_and_anew_for_other_letters() {
    let text = text_box("Bread and water, every morning", 200.0, 400.0);
    let of = |text: &TextBox| tokens::of_paragraph(&text.paragraphs[0], text, &theme());
    let tokens = of(&text);
    let with = |change: fn(&mut TextStyle)| {
        let mut other = text.clone();
        change(&mut other.style);
        of(&other)
    };
    assert!(std::rc::Rc::ptr_eq(&tokens, &with(|style| style.size = 7.5)));
    let changes: [fn(&mut TextStyle); 4] = [
        |style| style.weight = Some(900),
        |style| style.italic = true,
        |style| style.capitals = true,
        |style| style.tracking = 0.1,
    ];
    for (at, change) in changes.into_iter().enumerate() {
        assert!(!std::rc::Rc::ptr_eq(&tokens, &with(change)), "{at}");
    }
    // A text that was set before is set the same way again.
    let again = || format!("{:?}", lay_out(&text, &theme()));
    assert_eq!(again(), again());
    assert_eq!(measure(&text, &theme()).lines, lay_out(&text, &theme()).lines.len());
}
