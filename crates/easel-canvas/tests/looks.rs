//! What a design looks like follows from its occasion and its tone, and no two briefs get the same drawing.

use easel_canvas::document::Document;
use easel_canvas::theme::Role;
use easel_canvas::{Brief, Category, Format, compose, thumbnail};

#[expect(dead_code, reason = "only the briefs are wanted here, not what they come to")]
mod measure;

/// Themes that shout.
const LOUD: [&str; 4] = ["Signal", "Citrus", "Orchid", "Midnight"];

fn draw(prompt: &str, category: Category, seed: u64) -> Document {
    compose(&Brief::new(prompt, Format::of(category), seed), &mut |_| {}).expect("a design").document
}

#[test]
fn occasion_and_tone_choose_the_theme() {
    let quiet = [
        "Wedding invitation: Clara and Jonah, 14 June, 2 pm, Little Marsden",
        "Wedding invitation, romantic but not cheesy: Clara and Jonah, 14 June, 2 pm",
        "Einladung zur Hochzeit von Lena und Paul, 3. Mai, 14 Uhr",
        "Poster for a reading of poems, warm and quiet: Tuesday 4 March, 19:00, Old Library",
        "Flyer: meditation course, calm, gentle. Mondays 18:30",
        "Memorial service for Ruth Adler, 14 May at 11",
    ];
    for prompt in quiet {
        for seed in 0..40 {
            let document = draw(prompt, Category::Other, seed);
            let name = document.theme.name.as_str();
            assert!(!LOUD.contains(&name), "{prompt} in {name}");
            let accent = document.theme.base.color(Role::Accent).oklch();
            let is_scarlet = accent.c > 0.17 && (accent.h < 45.0 || accent.h > 350.0);
            assert!(!is_scarlet, "{prompt} in {name}: {accent:?}");
        }
    }
    // What asks to be loud may be.
    let is_loud = (0..40).any(|seed| {
        let document = draw("Bold poster: Warehouse rave, Friday 23:00", Category::Other, seed);
        LOUD.contains(&document.theme.name.as_str())
    });
    assert!(is_loud);
}

#[test]
fn things_of_one_page_are_one_page_of_their_usual_size() {
    for (prompt, category, ratio) in [
        ("Poster: Summer Jazz Night, 12 July, 8 pm, Riverside Park", Category::Slides, 0.707),
        ("Poster: Summer Jazz Night, 12 July, 8 pm, Riverside Park", Category::Pdf, 0.707),
        ("Flyer: Yard sale, Saturday 9 to 14, 12 Elm Road", Category::Other, 0.707),
        ("Certificate for Mia Torres: 50 metres breaststroke, 3 May", Category::Slides, 1.414),
        ("Instagram story: Flash sale, today only, 30 % off", Category::Social, 0.5625),
        ("Menu: Espresso 2.20, Cappuccino 3.10, Carrot cake 3.80", Category::Pdf, 0.707),
    ] {
        let document = draw(prompt, category, 5);
        assert_eq!(document.page_count(), 1, "{prompt} {category:?}");
        let page = &document.pages[0];
        let found = page.width as f32 / page.height as f32;
        assert!((found - ratio).abs() < 0.02, "{prompt} {category:?}: {}x{}", page.width, page.height);
    }
}

#[test]
fn no_two_of_the_open_briefs_get_the_same_drawing() {
    let mut small: Vec<(String, Vec<u8>)> = Vec::new();
    for written in measure::load("open") {
        let document = compose(&written.brief, &mut |_| {}).expect("a design").document;
        let picture = image::load_from_memory(&thumbnail(&document, 48).expect("a thumbnail")).expect("a picture");
        let picture = picture.resize_exact(24, 24, image::imageops::FilterType::Triangle).to_rgb8();
        for (other, pixels) in &small {
            let far: u64 = pixels.iter().zip(picture.as_raw()).map(|(one, two)| u64::from(one.abs_diff(*two))).sum();
            let mean = far as f64 / pixels.len() as f64;
            assert!(mean > 5.0, "{} looks like {other}: {mean}", written.name);
        }
        small.push((written.name.clone(), picture.into_raw()));
    }
    assert!(small.len() >= 80);
}

/// The colour of the paper on which each page of a design stands.
fn papers(document: &Document) -> Vec<easel_canvas::color::Oklch> {
    document.pages.iter().map(|page| document.theme.palette(page.ground).ground.oklch()).collect()
}

#[test]
fn colours_that_are_wished_are_those_of_the_design() {
    for (prompt, is_right) in [
        (
            "Poster: Summer fete, Saturday 14 June, 11 to 3, free entry. Black and white please",
            (|document| {
                document.theme.base.accent.oklch().c < 0.01 && papers(document).iter().all(|paper| paper.l > 0.9)
            }) as fn(&Document) -> bool,
        ),
        ("Plakat: Flohmarkt im Hof, Samstag 5. Juli, 10 bis 16 Uhr, schwarz weiß", |document| {
            document.theme.base.accent.oklch().c < 0.01 && papers(document).iter().all(|paper| paper.l > 0.9)
        }),
        ("Invitation: Sabine turns 50, 12 September, 6 pm, beige and dark green", |document| {
            let (paper, accent) = (document.theme.base.ground.oklch(), document.theme.base.accent.oklch());
            paper.l > 0.88 && (60.0..100.0).contains(&paper.h) && (140.0..160.0).contains(&accent.h) && accent.l < 0.5
        }),
        ("Menú: lentejas 5 €, merluza 9 €, colores azul marino y dorado, fondo oscuro", |document| {
            let (paper, accent) = (document.theme.base.ground.oklch(), document.theme.base.accent.oklch());
            paper.l < 0.4 && (250.0..275.0).contains(&paper.h) && (70.0..100.0).contains(&accent.h)
        }),
        ("Affiche : fête du village, samedi 6 juin à 15h, fond rouge", |document| {
            papers(document).iter().all(|paper| (20.0..35.0).contains(&paper.h) && paper.c > 0.15)
        }),
        ("Poster: Open mic night, Thursday 8 pm, pink and black, dark background", |document| {
            let accent = document.theme.base.accent.oklch();
            papers(document).iter().all(|paper| paper.l < 0.35) && (345.0..360.0).contains(&accent.h)
        }),
        ("Volantino: sagra della castagna, domenica 19 ottobre, in rosso e arancione", |document| {
            (20.0..35.0).contains(&document.theme.base.accent.oklch().h)
        }),
        ("Post: Rye bread is back from Friday, €3.20 the loaf. In our green #2F6B3A", |document| {
            (140.0..160.0).contains(&document.theme.base.accent.oklch().h)
        }),
    ] {
        for seed in 0..8 {
            let document = draw(prompt, Category::Other, seed);
            assert!(is_right(&document), "{prompt}, {seed}: {:?} {:?}", document.theme.base, papers(&document));
            let said = serde_json::to_string(&document.origin.outline).expect("an outline");
            for word in ["lack", "schwarz", "beige", "marino", "rouge", "pink", "rosso", "green", "#2F"] {
                assert!(!said.contains(word), "{prompt}: {said}");
            }
        }
    }
}
