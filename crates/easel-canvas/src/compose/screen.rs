//! A screen of an app from what a brief and its files name. Nothing stands in for what they do not.

use super::{labels, pages, plan};
use crate::content::{Matter, Passage};
use crate::read::kinds::Kind;
use crate::read::{self, Reading};

/// A screen of what a brief and its files name: numbers, a list, a chart; nothing stands in for what they do not.
pub fn screen(reading: &Reading, planned: plan::Planned) -> Passage {
    let mut names: Vec<String> = Vec::new();
    let (mut figures, mut chart, mut table) = (Vec::new(), None, crate::chart::TableData::default());
    let more_parts: Vec<read::parts::Part> = planned
        .passages
        .iter()
        .map(|passage| read::parts::Part {
            title: passage.title.clone(),
            matters: vec![passage.matter.clone()],
            is_named: false,
        })
        .collect();
    let own = reading
        .parts
        .iter()
        .flat_map(|part| part.matters.iter().map(move |matter| (part.title.clone(), matter.clone())));
    let more = planned.passages.into_iter().map(|passage| (passage.title, passage.matter));
    for (title, matter) in own.chain(more) {
        if !title.is_empty() && !names.contains(&title) {
            names.push(title);
        }
        match matter {
            Matter::Figures { figures: more, .. } => figures.extend(more),
            Matter::Chart { chart: drawn, .. } => chart = chart.or(Some(drawn)),
            Matter::Table { table: rows, .. } if table.head.is_empty() => table = rows,
            Matter::Points { points, .. } | Matter::Steps { points, .. } => {
                table.rows.extend(points.iter().map(|point| vec![point.head.clone(), point.body_text()]));
            }
            Matter::Menu { groups, .. } => {
                table.rows.extend(
                    groups
                        .iter()
                        .flat_map(|group| &group.items)
                        .map(|item| vec![item.name.clone(), item.price.clone()]),
                );
            }
            Matter::Prose { paragraphs, .. } => {
                table.rows.extend(paragraphs.iter().map(|runs| vec![crate::content::plain(runs), String::new()]));
            }
            _ => {}
        }
    }
    names.extend(reading.parts.iter().filter(|part| part.matters.is_empty()).map(|part| part.title.clone()));
    table.rows.extend(reading.details.iter().map(|detail| vec![detail.clone(), String::new()]));
    // What has to be read is no list of an app.
    if table.rows.iter().flatten().any(|cell| cell.chars().count() > 60) {
        let mut whole = reading.clone();
        whole.parts.extend(more_parts);
        return pages::single(&whole, Kind::Screen, labels::labels(&reading.language));
    }
    let is_empty = figures.is_empty() && chart.is_none() && table.rows.is_empty() && names.is_empty();
    if is_empty {
        return Passage::new(&reading.title, Matter::Gap { ask: labels::labels(&reading.language).ask_for("") });
    }
    if table.head.is_empty() && !table.rows.is_empty() {
        table.head = vec![String::new(), String::new()];
    }
    let kicker: String =
        if reading.kicker.is_empty() { String::new() } else { reading.kicker.chars().take(24).collect() };
    Passage {
        kicker,
        ..Passage::new(
            &reading.title,
            Matter::Screen { navigation: names, figures, table, chart, action: String::new() },
        )
    }
}
