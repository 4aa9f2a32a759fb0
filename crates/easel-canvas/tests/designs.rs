//! The designs themselves, measured: over the gallery's forty briefs and five hundred random ones no word is cut, lies
//! over another, is hard to read, tiny, or at the edge; what a source says stands on pages; the same seed gives the same.

use std::collections::BTreeSet;

use easel_canvas::audit::audit;
use easel_canvas::content::Matter;
use easel_canvas::document::{Document, Node, Page, TextRole};
use easel_canvas::{
    Attachment, AttachmentRole, Brand, BrandColor, Brief, Category, FileFormat, Format, RenderRequest, compose, edit,
    render, thumbnail,
};

mod briefs;

fn draw(brief: &Brief) -> Document {
    compose(brief, &mut |_| {}).unwrap_or_else(|error| panic!("{:?}: {error}", brief.prompt)).document
}

fn check(name: &str, document: &Document) {
    let findings = audit(document);
    assert!(findings.is_empty(), "{name} ({}x{}): {findings:#?}", document.pages[0].width, document.pages[0].height);
}

/// Everything that is written on the pages.
fn words_on_pages(document: &Document) -> String {
    fn walk(nodes: &[Node], words: &mut Vec<String>) {
        for node in nodes {
            match node {
                Node::Text(text) => words.push(text.text()),
                Node::Group(group) => walk(&group.nodes, words),
                Node::Table(table) => {
                    words.extend(std::iter::once(&table.data.head).chain(&table.data.rows).flatten().cloned());
                }
                Node::Chart(chart) => {
                    words.extend(chart.data.labels.iter().cloned());
                    let values = chart.data.series.iter().flat_map(|series| series.values.iter().flatten());
                    // As it is drawn, and as a file has it: without marks between thousands.
                    words.extend(values.flat_map(|value| [chart.data.write(*value), value.to_string()]));
                }
                _ => {}
            }
        }
    }
    let mut words = Vec::new();
    document.pages.iter().for_each(|page| walk(&page.nodes, &mut words));
    words.join("\n")
}

#[test]
fn draws_forty_designs_without_a_fault() {
    let briefs = briefs::all();
    assert_eq!(briefs.len(), 40);
    for named in &briefs {
        check(named.name, &draw(&named.brief));
    }
}

#[test]
fn draws_forty_designs_that_differ() {
    let mut small: Vec<(String, Vec<u8>)> = Vec::new();
    for named in briefs::all() {
        let picture =
            image::load_from_memory(&thumbnail(&draw(&named.brief), 48).expect("a thumbnail")).expect("a picture");
        let picture = picture.resize_exact(24, 24, image::imageops::FilterType::Triangle).to_rgb8();
        for (other, pixels) in &small {
            let far: u64 = pixels.iter().zip(picture.as_raw()).map(|(one, two)| u64::from(one.abs_diff(*two))).sum();
            let mean = far as f64 / pixels.len() as f64;
            assert!(mean > 6.0, "{} looks like {other}: {mean}", named.name);
        }
        small.push((named.name.to_owned(), picture.into_raw()));
    }
}

/// The highest strip across a page, of its height, on which nothing stands but its foot.
fn emptiest_strip(page: &Page) -> f32 {
    fn walk(nodes: &[Node], spans: &mut Vec<(f32, f32)>) {
        for node in nodes {
            match node {
                Node::Group(group) => walk(&group.nodes, spans),
                Node::Text(text) if text.role == TextRole::Footer => {}
                node => spans.push((node.frame().y, node.frame().bottom())),
            }
        }
    }
    let mut spans = Vec::new();
    walk(&page.nodes, &mut spans);
    spans.sort_by(|one, two| one.0.total_cmp(&two.0));
    let (mut free_from, mut most) = (0.0_f32, 0.0_f32);
    for (top, bottom) in spans {
        most = most.max(top - free_from);
        free_from = free_from.max(bottom);
    }
    most.max(page.height as f32 - free_from) / page.height as f32
}

#[test]
fn leaves_no_page_half_empty() {
    for named in briefs::all() {
        let document = draw(&named.brief);
        let is_paper = document.category == Category::Pdf;
        for (at, page) in document.pages.iter().enumerate() {
            // Reading matter ends where it ends, a short one on its last page.
            let is_end = is_paper && at + 1 == document.page_count();
            let empty = emptiest_strip(page);
            let most = if is_end { 0.6 } else { 0.46 };
            assert!(empty <= most, "{} page {} ({}): {empty}", named.name, at + 1, page.layout);
        }
    }
}

#[test]
fn says_what_the_source_says() {
    for named in briefs::all() {
        let document = draw(&named.brief);
        let shown = words_on_pages(&document);
        let folded = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let shown = folded(&shown);
        for attachment in named.brief.attachments.iter().filter(|attachment| attachment.role == AttachmentRole::Source)
        {
            let text = String::from_utf8_lossy(&attachment.bytes).into_owned();
            for heading in text.lines().filter_map(|line| line.strip_prefix("# ").or_else(|| line.strip_prefix("## ")))
            {
                assert!(shown.contains(&folded(heading)), "{}: the heading “{heading}” is missing", named.name);
            }
            let numbers: BTreeSet<&str> =
                text.split(|letter: char| !letter.is_ascii_digit()).filter(|number| number.len() > 1).collect();
            for number in numbers {
                assert!(shown.contains(number), "{}: the number {number} is missing", named.name);
            }
        }
        let noted: usize = document.pages.iter().map(|page| page.notes.split_whitespace().count()).sum();
        assert!(noted * 10 <= shown.split_whitespace().count(), "{}: {noted} words only in the notes", named.name);
    }
}

#[test]
fn draws_the_same_from_the_same_seed() {
    for named in briefs::all().into_iter().step_by(5) {
        let (one, two) = (draw(&named.brief), draw(&named.brief));
        assert_eq!(one.to_json().expect("json"), two.to_json().expect("json"), "{}", named.name);
        let request = RenderRequest { format: FileFormat::Pdf, page: None, pixel_ratio: 1, flatten: false };
        assert_eq!(render(&one, &request).expect("a file"), render(&two, &request).expect("a file"), "{}", named.name);
    }
}

/// A row of numbers that is the same in every run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % count.max(1)
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    fn words(&mut self, least: usize, most: usize) -> String {
        const WORDS: &[&str] = &[
            "light",
            "harbour",
            "a",
            "the",
            "of",
            "unternehmensverantwortung",
            "bread",
            "with",
            "internationalisation",
            "café",
            "river",
            "42",
            "growth",
            "2026",
            "small",
            "Donaudampfschifffahrt",
            "in",
            "plan",
            "1,250",
            "people",
            "ideas",
            "to",
            "früh",
            "œuvre",
            "Привет",
            "город",
            "μουσείο",
            "שלום",
            "and",
            "12%",
        ];
        let count = least + self.below(most - least + 1);
        (0..count).map(|_| *self.pick(WORDS)).collect::<Vec<_>>().join(" ")
    }

    fn markdown(&mut self) -> String {
        let mut text = format!("# {}\n\n", self.words(1, 7));
        for _ in 0..1 + self.below(6) {
            text += &format!("## {}\n\n", self.words(1, 9));
            match self.below(6) {
                0 => text += &format!("{}\n\n{}\n\n", self.words(10, 90), self.words(5, 200)),
                1 => (0..1 + self.below(11))
                    .for_each(|_| text += &format!("- **{}**: {}\n", self.words(1, 3), self.words(2, 25))),
                2 => (0..1 + self.below(9)).for_each(|_| text += &format!("{}. {}\n", 1, self.words(2, 18))),
                3 => text += &format!("> {}\n> — {}\n", self.words(5, 60), self.words(1, 4)),
                4 => {
                    text += "| a | b | c |\n|---|---|---|\n";
                    (0..1 + self.below(14)).for_each(|_| {
                        text += &format!("| {} | {} | {} |\n", self.words(1, 4), self.below(9000), self.words(1, 6));
                    });
                }
                _ => (0..2 + self.below(4))
                    .for_each(|_| text += &format!("- {}% {}\n", self.below(100), self.words(2, 5))),
            }
            text.push('\n');
        }
        text
    }
}

fn random_brief(seed: u64) -> Brief {
    use Category::{Carousel, Diagram, Other, Pdf, Slides, Social, Ui};
    let mut chance = Chance(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    for _ in 0..3 {
        chance.below(2);
    }
    let category = *chance.pick(&[Slides, Slides, Social, Carousel, Pdf, Diagram, Ui, Other]);
    let mut format = Format::of(category);
    if chance.below(3) == 0 {
        format.width = Some(400 + chance.below(1800) as u32);
        format.height = Some(400 + chance.below(1800) as u32);
    }
    let mut attachments = Vec::new();
    if chance.below(2) == 0 {
        let text = chance.markdown();
        attachments.push(Attachment {
            role: AttachmentRole::Source,
            name: "notes.md".to_owned(),
            mime: "text/markdown".to_owned(),
            bytes: text.into_bytes(),
        });
    }
    let brand = (chance.below(4) == 0).then(|| Brand {
        name: "Brand".to_owned(),
        colors: (0..1 + chance.below(4))
            .map(|at| BrandColor {
                role: ["primary", "secondary", "background", "text"][at].to_owned(),
                color: easel_canvas::color::Rgb::new(
                    chance.below(256) as u8,
                    chance.below(256) as u8,
                    chance.below(256) as u8,
                ),
            })
            .collect(),
        heading_font: None,
        body_font: None,
        logo: None,
        logo_asset: None,
    });
    let wish = ["dark", "warm", "bold", "in #884422 and teal", "minimal", ""][chance.below(6)];
    let prompt = format!("{}, {wish}, {}", chance.words(1, 12), chance.words(1, 6));
    let page_count = (chance.below(3) == 0).then(|| 1 + chance.below(9) as u32);
    Brief { page_count, brand, attachments, ..Brief::new(prompt, format, seed) }
}

/// Five hundred, or as many as `EASEL_SOAK_BRIEFS` says.
#[test]
fn draws_random_designs_without_a_fault() {
    let count = std::env::var("EASEL_SOAK_BRIEFS").ok().and_then(|count| count.parse().ok()).unwrap_or(500);
    // Seeds beyond that once had a fault are looked at every time.
    for seed in (0..count).chain([1861]) {
        let brief = random_brief(seed);
        let document = draw(&brief);
        check(&format!("seed {seed}, {:?}, {:?}", brief.format, brief.prompt), &document);
    }
}

#[test]
fn keeps_the_content_when_the_look_changes() {
    let named = &briefs::all()[2];
    for (at, prompt) in ["dark", "for Instagram", "make it 4:5", "warm and friendly", "in #123456 and gold", "hm"]
        .into_iter()
        .enumerate()
    {
        let before = draw(&named.brief);
        let after = edit(&before, prompt, None, at as u32, &mut |_| {}).expect("a design");
        check(prompt, &after.document);
        assert_eq!(after.document.origin.outline, before.origin.outline, "{prompt}");
        assert!((&after.document.pages, &after.document.theme) != (&before.pages, &before.theme), "{prompt}");
        assert!(!after.message.is_empty());
    }
    let before = draw(&named.brief);
    let copy = edit(&before, "", None, 5, &mut |_| {}).expect("a copy");
    assert_eq!(copy.document, before);
    let shorter = edit(&before, "shorter", None, 5, &mut |_| {}).expect("a design");
    assert!(shorter.document.page_count() <= before.page_count());
    assert!(
        !shorter.document.origin.outline.passages.iter().any(|passage| matches!(passage.matter, Matter::Agenda { .. }))
    );
}
