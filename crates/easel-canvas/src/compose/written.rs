//! Designs whose words somebody else wrote: what that somebody has to know, and a document from the outline that came back.
//!
//! What is not words stays as it is without them: kind, size and number of pages, look, pictures. Deliberately not here: who
//! writes, what becomes of the outline (`compose::outline`), and whether it is one (`crate::outline`).

use serde::{Deserialize, Serialize};

use super::composed::Composed;
use super::format::make_of;
use super::given::read_attachments;
use super::outline::plan_outline;
use super::progress::Progress;
use super::source::Block;
use super::{compose_of, edit_of};
use crate::brand::Brand;
use crate::brief::Brief;
use crate::content::{Outline, plain};
use crate::document::Document;
use crate::error::Error;
use crate::read;

/// The most of what files say that is handed on, in bytes.
const MAX_SOURCE_BYTES: usize = 400_000;

/// What is known before anybody writes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Material {
    /// What the built-in reading makes of it, or what the design says so far.
    pub draft: Outline,
    /// What the files say, or what was asked for before; without any form.
    pub words: String,
    /// The pictures that there are, by the names of their assets.
    pub pictures: Vec<String>,
    /// How many pages were asked for.
    pub page_count: Option<u32>,
}

/// Reads a brief and its files.
///
/// # Errors
/// As [`super::compose`].
pub fn read_material(brief: &Brief) -> Result<Material, Error> {
    brief.format.size()?;
    let reading = read::read(&brief.prompt, brief.format.category);
    let made = make_of(brief, &reading);
    let given = read_attachments(brief, &mut |_| {})?;
    let draft = plan_outline(brief, &reading, &given, &made);
    let pictures = given.pictures.iter().map(|picture| picture.id.clone()).collect();
    Ok(Material { draft, words: words_of_blocks(&given.blocks), pictures, page_count: made.count })
}

/// What a design says that is there already.
#[must_use]
pub fn read_material_of(document: &Document) -> Material {
    let pictures = document.assets.iter().map(|picture| picture.id.clone()).collect();
    let mut words = document.origin.prompts.join("\n");
    cut(&mut words);
    Material { draft: document.origin.outline.clone(), words, pictures, page_count: None }
}

/// Makes a document from a brief, with this outline in place of what the brief was read as.
///
/// # Errors
/// As [`super::compose`].
pub fn compose_written(brief: &Brief, outline: Outline, progress: &mut dyn FnMut(Progress)) -> Result<Composed, Error> {
    compose_of(brief, Some(outline), progress)
}

/// Makes a document anew as a prompt asks, with this outline in place of what it said.
///
/// # Errors
/// As [`super::edit`].
pub fn edit_written(
    document: &Document,
    prompt: &str,
    outline: Outline,
    brand: Option<&Brand>,
    turn: u32,
    progress: &mut dyn FnMut(Progress),
) -> Result<Composed, Error> {
    edit_of(document, prompt, Some(outline), brand, turn, progress)
}

/// What blocks say, a line each.
fn words_of_blocks(blocks: &[Block]) -> String {
    let mut words = String::new();
    for block in blocks {
        let lines: Vec<String> = match block {
            Block::Heading(level, text) => vec![format!("{} {text}", "#".repeat(usize::from(*level).clamp(1, 6)))],
            Block::Quote(text) => vec![format!("> {text}")],
            Block::Paragraph(runs) => vec![with_links(runs)],
            Block::List(_, items) => items.iter().map(|runs| format!("- {}", with_links(runs))).collect(),
            Block::Table(table) => std::iter::once(&table.head).chain(&table.rows).map(|row| row.join(" | ")).collect(),
        };
        for line in lines {
            words.push_str(&line);
            words.push('\n');
        }
        if words.len() > MAX_SOURCE_BYTES {
            break;
        }
    }
    cut(&mut words);
    words
}

fn with_links(runs: &[crate::run::Run]) -> String {
    let links: String = runs.iter().filter_map(|run| run.link.as_ref()).map(|link| format!(" <{link}>")).collect();
    plain(runs) + &links
}

fn cut(words: &mut String) {
    let end = words.floor_char_boundary(MAX_SOURCE_BYTES);
    words.truncate(end);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::brief::{Attachment, AttachmentRole, Format};
    use crate::content::{Matter, Passage};
    use crate::document::Category;

    fn brief(prompt: &str, category: Category) -> Brief {
        Brief::new(prompt, Format::of(category), 3)
    }

    fn outline(words: &[&str]) -> Outline {
        let passages =
            words.iter().map(|words| Passage::new(*words, Matter::Statement { support: format!("{words} indeed") }));
        Outline { title: words[0].to_owned(), language: "en".to_owned(), passages: passages.collect() }
    }

    fn titles(composed: &Composed) -> Vec<String> {
        composed.document.origin.outline.passages.iter().map(|passage| passage.title.clone()).collect()
    }

    #[test]
    fn a_design_says_what_was_written_and_looks_as_its_brief_asks() {
        let brief = brief("A dark deck about bread", Category::Slides);
        let own = super::super::compose(&brief, &mut |_| {}).unwrap();
        let written = compose_written(&brief, outline(&["Flour", "Water", "Salt"]), &mut |_| {}).unwrap();
        assert_eq!(titles(&written), ["Flour", "Water", "Salt"]);
        assert_eq!(written.document.origin.look, own.document.origin.look);
        assert_eq!(written.name, "Flour");
    }

    #[test]
    fn the_number_of_pages_that_was_asked_for_is_kept() {
        let mut brief = brief("A deck about bread", Category::Slides);
        for count in [1, 2, 5] {
            brief.page_count = Some(count);
            let written = compose_written(&brief, outline(&["Flour", "Water", "Salt"]), &mut |_| {}).unwrap();
            assert_eq!(written.document.page_count(), count as usize);
        }
        let poster = self::brief("Poster for a bakery", Category::Social);
        assert_eq!(
            compose_written(&poster, outline(&["Flour", "Water"]), &mut |_| {}).unwrap().document.page_count(),
            1
        );
    }

    #[test]
    fn a_change_takes_the_words_that_were_written_and_the_look_that_was_asked_for() {
        let base = super::super::compose(&brief("A light deck about bread", Category::Slides), &mut |_| {}).unwrap();
        let prompt = "Make it dark and shorter";
        let changed = edit_written(&base.document, prompt, outline(&["Flour", "Water"]), None, 5, &mut |_| {}).unwrap();
        assert_eq!(titles(&changed), ["Flour", "Water"]);
        assert_ne!(changed.document.origin.look.inverted, base.document.origin.look.inverted);
        // What no rule understands was understood by whoever wrote: the look stays.
        let told =
            edit_written(&base.document, "Rather about flour", outline(&["Flour"]), None, 5, &mut |_| {}).unwrap();
        assert_eq!(told.document.origin.look, base.document.origin.look);
        assert!(!told.message.contains("could not tell"), "{}", told.message);
    }

    #[test]
    fn files_are_handed_on_as_words() {
        let mut brief = brief("Sum this up", Category::Slides);
        brief.attachments = vec![Attachment {
            role: AttachmentRole::Source,
            name: "notes.md".to_owned(),
            mime: "text/markdown".to_owned(),
            bytes:
                b"# Bread\n\nWe bake [at night](https://a.example).\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |"
                    .to_vec(),
        }];
        let material = read_material(&brief).unwrap();
        for line in ["# Bread", "We bake at night. <https://a.example>", "- two", "a | b", "1 | 2"] {
            assert!(material.words.contains(line), "{line}: {}", material.words);
        }
        assert!(!material.draft.passages.is_empty());
    }
}
