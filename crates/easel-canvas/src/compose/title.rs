//! What a design is called: as its files or its brief say, else by its first words.

use super::given::Given;
use super::labels::Labels;
use super::plan;
use super::source::{self, Block};
use crate::brief::{AttachmentRole, Brief};
use crate::content::{Matter, Passage, plain};
use crate::read::Reading;

/// The title: what a file is called by itself, else what the brief is about.
pub(super) fn take_title(brief: &Brief, reading: &mut Reading, planned: &plan::Planned, given: &Given) {
    if given.blocks.is_empty() {
        return;
    }
    let is_told = brief.prompt.split_whitespace().count() > 6 && !reading.title.is_empty();
    let is_list = !given.blocks.is_empty()
        && given.blocks.iter().any(|block| matches!(block, Block::Heading(2, _)))
        && !given.blocks.iter().any(|block| matches!(block, Block::Heading(1, _)));
    if is_told && is_list {
        return;
    }
    let is_table = matches!(given.blocks.as_slice(), [Block::Heading(..), Block::Table(_)]);
    match &planned.title {
        Some(_) if is_told && is_table => {}
        Some(title) => {
            if is_told && reading.kicker.is_empty() && reading.title.to_lowercase() != title.to_lowercase() {
                reading.kicker = std::mem::take(&mut reading.title);
            }
            reading.title.clone_from(title);
        }
        None if is_told => {}
        None => {
            let file = brief.attachments.iter().find(|file| file.role == AttachmentRole::Source);
            // A saying needs no name of its file over it.
            let is_saying = given.blocks.iter().all(|block| matches!(block, Block::Quote(_)));
            reading.title = if is_saying {
                String::new()
            } else {
                file.map(|file| source::title_of_file(&file.name)).unwrap_or_default()
            };
        }
    }
}

/// Whether a reading says something that can be called by its first words.
pub(super) fn says_anything(reading: &Reading) -> bool {
    !reading.parts.is_empty() || !reading.details.is_empty() || !reading.subtitle.is_empty()
}

/// The first words that stand as a title somewhere.
pub(super) fn title_in(passages: &[Passage], labels: &Labels) -> String {
    let first = passages.iter().find_map(|passage| match &passage.matter {
        _ if !passage.title.is_empty() => Some(passage.title.clone()),
        Matter::Quote { .. } => said_in(passage),
        Matter::Flow { boxes, .. } => boxes.first().map(|first| first.head.clone()),
        Matter::Cover { subtitle, details, .. } => {
            std::iter::once(subtitle).chain(details).find(|words| !words.is_empty()).cloned()
        }
        Matter::Board { parts, subtitle, .. } => Some(subtitle.clone())
            .filter(|words| !words.is_empty())
            .or_else(|| parts.iter().map(|part| part.title.clone()).find(|title| !title.is_empty()))
            .or_else(|| parts.iter().find_map(said_in)),
        Matter::Prose { paragraphs, .. } => paragraphs.first().map(|runs| plain(runs).chars().take(80).collect()),
        Matter::Menu { groups, .. } => groups
            .iter()
            .flat_map(|group| std::iter::once(&group.name).chain(group.items.iter().map(|item| &item.name)))
            .find(|name| !name.is_empty())
            .cloned(),
        Matter::Points { points, .. } | Matter::Steps { points, .. } => {
            points.first().map(|first| first.head.clone()).filter(|head| !head.is_empty())
        }
        _ => None,
    });
    first.unwrap_or_else(|| labels.untitled.to_owned())
}

/// The first letters of what someone said.
fn said_in(passage: &Passage) -> Option<String> {
    match &passage.matter {
        Matter::Quote { words, .. } => Some(words.chars().take(80).collect()),
        _ => None,
    }
}
