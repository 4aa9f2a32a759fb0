//! Designs from briefs, whose colours are chosen and drawn.

use super::*;
use crate::document::Category;
use crate::theme::{Background, TEXT_CONTRAST};
use crate::{Brief, FileFormat, Format, RenderRequest, compose, edit, render};

const DECK: &str =
    "# Bread of the week\n\n## Why rye\n\n- Keeps longer\n- Tastes of more\n\n## What it costs\n\nA loaf is 4 euros.";

fn deck() -> Document {
    compose(&Brief::new(DECK, Format::of(Category::Slides), 7), &mut |_| {}).unwrap().document
}

fn svg(document: &Document, page: u32) -> String {
    let request = RenderRequest { format: FileFormat::Svg, page: Some(page), pixel_ratio: 1, flatten: false };
    String::from_utf8(render(document, &request).unwrap().bytes).unwrap()
}

fn color_of(document: &Document, role: ColorRole) -> DesignColor {
    *document.colors().iter().find(|color| color.role == role).unwrap()
}

const TEAL: Rgb = Rgb::new(0, 110, 110);

#[test]
fn a_chosen_colour_is_drawn_and_nothing_moves() {
    let before = deck();
    let mut after = before.clone();
    after.choose_colors(&[(ColorRole::Accent, Some(TEAL))]);
    let accent = color_of(&after, ColorRole::Accent);
    assert_eq!((accent.color, accent.chosen), (TEAL, Some(TEAL)));
    assert_eq!((&after.pages, &after.theme.fonts), (&before.pages, &before.theme.fonts));
    assert!((1..=3).any(|page| svg(&after, page).contains(&TEAL.hex())), "it is drawn");
    let read = Document::from_json(&after.to_json().unwrap()).unwrap();
    assert_eq!(read, after);
}

#[test]
fn a_choice_that_is_taken_back_brings_back_what_was_drawn() {
    let before = deck();
    let mut after = before.clone();
    after.choose_colors(&[(ColorRole::Ground, Some(Rgb::new(20, 24, 40))), (ColorRole::Second, Some(TEAL))]);
    assert_ne!(svg(&after, 1), svg(&before, 1));
    after.choose_colors(&[(ColorRole::Ground, None), (ColorRole::Second, None)]);
    assert_eq!(after, before);
}

#[test]
fn words_stay_readable_whatever_is_chosen() {
    for ground in [Rgb::WHITE, Rgb::BLACK, Rgb::new(128, 128, 128), Rgb::new(255, 80, 0), Rgb::new(12, 20, 90)] {
        for accent in [ground, Rgb::WHITE, Rgb::BLACK, Rgb::new(255, 221, 0)] {
            let mut document = deck();
            document.choose_colors(&[(ColorRole::Ground, Some(ground)), (ColorRole::Accent, Some(accent))]);
            assert_eq!(color_of(&document, ColorRole::Ground).color, ground);
            for background in [Background::Base, Background::Tint, Background::Accent, Background::Inverse] {
                let palette = document.theme.palette(background);
                for shade in [palette.ground, palette.surface, palette.wash] {
                    assert!(palette.ink.contrast(shade) >= TEXT_CONTRAST, "{ground:?} {accent:?} {palette:?}");
                }
            }
            // A colour that would not be seen on its paper gives way.
            let drawn = color_of(&document, ColorRole::Accent);
            assert!(drawn.color.contrast(ground) >= 1.5 && drawn.chosen == Some(accent), "{drawn:?}");
        }
    }
}

#[test]
fn what_was_chosen_stays_until_another_look_is_asked_for() {
    let mut document = deck();
    document.choose_colors(&[(ColorRole::Accent, Some(TEAL))]);
    let shorter = edit(&document, "Make it shorter", None, 0, &mut |_| {}).unwrap();
    assert_eq!(color_of(&shorter.document, ColorRole::Accent).color, TEAL);
    let red = edit(&document, "Make it red", None, 0, &mut |_| {}).unwrap();
    let accent = color_of(&red.document, ColorRole::Accent);
    assert_eq!(accent.chosen, None);
    assert!(accent.color.r > accent.color.b, "{accent:?}");
}
