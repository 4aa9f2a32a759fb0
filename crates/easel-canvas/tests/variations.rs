//! Variations of a design: each is arranged otherwise, keeps every word, and says in its name what is different.

use std::collections::BTreeSet;

use easel_canvas::audit::audit;
use easel_canvas::document::{Document, Node, Page};
use easel_canvas::geometry::Frame;
use easel_canvas::text::lay_out;
use easel_canvas::{Brief, Category, Composed, FileFormat, Format, RenderRequest, compose, edit, render};

mod briefs;
mod kept;
#[expect(dead_code, reason = "only the briefs are wanted here, not what they come to")]
mod measure;

use kept::{all_briefs, find_lost_words};

/// A page is looked at through a grid of so many cells a side.
const CELLS: usize = 120;

/// Designs of which fewer than three of four variations are arranged otherwise, of all that are looked at: flows that
/// have room in one direction alone, boards full of words, and reading matter above all. The aim is none; a change that makes fewer of them writes the new number here.
const ALIKE: usize = 20;

/// What the app asks for when a person wants variations.
const PROMPTS: [&str; 4] = [
    "A variation with a warm, editorial look, the same content",
    "A variation with a bold, high contrast look, the same content",
    "A variation with a dark look, the same content",
    "A variation with a playful, colourful look, the same content",
];

fn draw(brief: &Brief) -> Document {
    compose(brief, &mut |_| {}).unwrap_or_else(|error| panic!("{:?}: {error}", brief.prompt)).document
}

fn vary(document: &Document, prompt: &str, turn: u32) -> Composed {
    edit(document, prompt, None, turn, &mut |_| {}).expect("a variation")
}

/// Which cells of a page are covered by text: by the boxes around its words as they are set, because a box reaches as far as words
/// of its kind may.
fn cells_of(document: &Document, page: &Page) -> Vec<bool> {
    fn walk(document: &Document, nodes: &[Node], frames: &mut Vec<Frame>) {
        for node in nodes {
            match node {
                Node::Text(text) => frames.push(lay_out(text, &document.theme).ink),
                Node::Table(table) => frames.push(table.frame),
                Node::Group(group) => walk(document, &group.nodes, frames),
                _ => {}
            }
        }
    }
    let mut frames = Vec::new();
    walk(document, &page.nodes, &mut frames);
    let mut cells = vec![false; CELLS * CELLS];
    for frame in frames {
        let place = |at: f32, side: u32| ((at / side as f32).clamp(0.0, 1.0) * CELLS as f32).round() as usize;
        for y in place(frame.y, page.height)..place(frame.bottom(), page.height) {
            for x in place(frame.x, page.width)..place(frame.right(), page.width) {
                cells[y * CELLS + x] = true;
            }
        }
    }
    cells
}

/// Which part of the area of two designs' text boxes is covered in both, of what is covered in either.
fn coincidence(one: &Document, two: &Document) -> f32 {
    let (mut both, mut either) = (0, 0);
    for (first, second) in one.pages.iter().zip(&two.pages) {
        for (one, two) in cells_of(one, first).into_iter().zip(cells_of(two, second)) {
            both += usize::from(one && two);
            either += usize::from(one || two);
        }
    }
    both as f32 / either.max(1) as f32
}

/// How many of them are arranged otherwise than each other: the largest set without two that coincide by half.
fn count_apart(designs: &[&Document]) -> usize {
    (0_u32..1 << designs.len())
        .filter(|chosen| {
            let chosen: Vec<&&Document> = designs
                .iter()
                .enumerate()
                .filter(|(at, _)| chosen & (1 << at) != 0)
                .map(|(_, design)| design)
                .collect();
            chosen.iter().enumerate().all(|(at, one)| chosen[at + 1..].iter().all(|two| coincidence(one, two) < 0.5))
        })
        .map(u32::count_ones)
        .max()
        .unwrap_or_default() as usize
}

#[test]
fn three_of_four_variations_are_arranged_otherwise_in_most_designs() {
    let mut faults: Vec<String> = Vec::new();
    for (name, brief) in all_briefs() {
        let first = draw(&brief);
        let made: Vec<Composed> = (0..4).map(|turn| vary(&first, PROMPTS[turn as usize], turn)).collect();
        let designs: Vec<&Document> = made.iter().map(|made| &made.document).collect();
        let apart = count_apart(&designs);
        if apart < 3 {
            let layouts: Vec<String> = designs
                .iter()
                .map(|design| format!("{:?}", design.pages.iter().map(|page| page.layout.as_str()).collect::<Vec<_>>()))
                .collect();
            faults.push(format!("{name}: {apart} {}", layouts.join(" ")));
        }
    }
    assert!(faults.len() <= ALIKE, "{} designs, where {ALIKE} were reached: {faults:#?}", faults.len());
}

#[test]
fn a_variation_keeps_every_word_and_has_no_fault() {
    for (name, brief) in all_briefs() {
        let first = draw(&brief);
        for turn in 0..12 {
            let made = vary(&first, "a variation", turn);
            assert_eq!(made.document.origin.outline, first.origin.outline, "{name} {turn}");
            let lost = find_lost_words(&first, &made.document);
            assert!(lost.is_empty(), "{name} {turn}: {lost:?}");
            let findings = audit(&made.document);
            assert!(findings.is_empty(), "{name} {turn}: {findings:#?}");
        }
    }
}

#[test]
fn a_variation_that_is_called_dark_or_light_looks_so() {
    let opens_light = |document: &Document| {
        let request = RenderRequest { format: FileFormat::Png, page: Some(1), pixel_ratio: 1, flatten: false };
        let drawn = render(document, &request).expect("a picture");
        let picture = image::load_from_memory(&drawn.bytes).expect("a picture").to_luma8();
        let light = picture.pixels().filter(|pixel| pixel.0[0] > 127).count();
        light * 2 > (picture.width() * picture.height()) as usize
    };
    let mut judged = 0;
    for (name, brief) in all_briefs().into_iter().step_by(9) {
        let first = draw(&brief);
        for turn in 0..12 {
            let made = vary(&first, "a variation", turn);
            let called = made.variation.expect("a name").called.to_lowercase();
            let said: Vec<&str> = called.split(", ").collect();
            for (tone, is_light) in [("dark", false), ("dark cover", false), ("light", true), ("light cover", true)] {
                if said.contains(&tone) {
                    judged += 1;
                    assert_eq!(opens_light(&made.document), is_light, "{name} {turn}: {called}");
                }
            }
        }
    }
    assert!(judged > 20, "{judged}");
}

#[test]
fn twelve_variations_say_in_their_names_what_is_different() {
    for (name, brief) in all_briefs().into_iter().step_by(3) {
        let first = draw(&brief);
        let said = |turn| vary(&first, "a variation", turn).variation.expect("a name").called;
        let names: Vec<String> = (0..12).map(said).collect();
        assert!(names.iter().all(|name| !name.is_empty() && name.chars().count() < 80), "{name}: {names:?}");
        // Those that are made at once tell themselves apart; of twelve, few are called alike.
        for four in names.windows(4) {
            assert_eq!(four.iter().collect::<BTreeSet<_>>().len(), 4, "{name}: {four:?}");
        }
        assert!(names.iter().collect::<BTreeSet<_>>().len() >= 8, "{name}: {names:?}");
    }
}

#[test]
fn a_repeat_gives_others() {
    let named = &briefs::all()[2];
    let first = draw(&named.brief);
    let made: Vec<Composed> = (0..8).map(|turn| vary(&first, "a variation", turn)).collect();
    for (at, one) in made.iter().enumerate() {
        for two in &made[at + 1..] {
            assert!(one.document.pages != two.document.pages, "{:?}", one.variation);
            assert!(one.variation != two.variation, "{:?}", one.variation);
        }
    }
    // The same turn gives the same again, for whoever asks for the result of one task twice.
    assert_eq!(vary(&first, "a variation", 3), made[3]);
    // A variation of a variation says what is different from its own source.
    let again = vary(&made[0].document, "a variation", 0).variation.expect("a name");
    assert_eq!(again.was_called, made[0].variation.as_ref().expect("a name").called);
}

#[test]
fn a_variation_stays_within_what_suits_the_occasion() {
    let prompt = "Invitation to the funeral of Ruth Adler, 14 May at 11, St Mary's, Ely. Quiet, please.";
    let brief = Brief::new(prompt, Format::of(Category::Other), 3);
    let first = draw(&brief);
    for turn in 0..12 {
        for prompt in PROMPTS {
            let theme = vary(&first, prompt, turn).document.theme.name;
            assert!(!["Signal", "Citrus", "Orchid", "Midnight"].contains(&theme.as_str()), "{prompt}: {theme}");
        }
    }
}
