//! The words of a passage, one text for each thing that it says.
//!
//! What holds: all of its words stand there; of a chart the names, and its numbers where they are asked for. Deliberately not here: their order on a page.

use super::{Matter, Passage, Point, plain};

/// All words of a passage.
pub fn words_of(passage: &Passage) -> String {
    let mut words = vec![passage.kicker.clone(), passage.title.clone()];
    let points = |points: &[Point]| -> Vec<String> {
        points.iter().map(|point| format!("{} {}", point.head, point.body_text()).trim().to_owned()).collect()
    };
    match &passage.matter {
        Matter::Cover { subtitle: lead, details, .. } | Matter::Closing { lead, details } => {
            words.push(lead.clone());
            words.extend(details.iter().cloned());
        }
        Matter::Agenda { items } => words.extend(items.iter().cloned()),
        Matter::Section { lead, .. } | Matter::Statement { support: lead } => words.push(lead.clone()),
        Matter::Prose { paragraphs, .. } => words.extend(paragraphs.iter().map(|runs| plain(runs))),
        Matter::Points { lead, points: list, .. } | Matter::Steps { lead, points: list } => {
            words.push(lead.clone());
            words.extend(points(list));
        }
        Matter::Figures { lead, figures } => {
            words.push(lead.clone());
            words.extend(figures.iter().map(|figure| format!("{} {}", figure.value, figure.label)));
        }
        Matter::Quote { words: said, by } => words.push(format!("{said} {by}")),
        Matter::Table { lead, table } => {
            words.push(lead.clone());
            words.extend(std::iter::once(&table.head).chain(&table.rows).map(|row| row.join(" ")));
        }
        Matter::Chart { lead, chart, insights } => {
            words.push(lead.clone());
            words.extend(chart.labels.iter().cloned());
            words.extend(chart.series.iter().map(|series| series.name.clone()));
            words.extend(insights.iter().map(|figure| format!("{} {}", figure.value, figure.label)));
        }
        Matter::Picture { caption, .. } => words.push(caption.clone()),
        Matter::Comparison { left, right } => {
            for side in [left, right] {
                words.push(side.head.clone());
                words.extend(side.points.iter().cloned());
            }
        }
        Matter::Flow { boxes, arrows, lanes } => {
            words.extend(lanes.iter().map(|lane| lane.name.clone()));
            words.extend(points(boxes));
            words.extend(arrows.iter().map(|arrow| arrow.label.clone()));
        }
        Matter::Columns { lead, columns } => {
            words.push(lead.clone());
            for column in columns {
                words.push(format!("{} {}", column.head, column.figure));
                words.extend(column.points.iter().cloned());
            }
        }
        Matter::Menu { lead, groups, details } => {
            words.push(lead.clone());
            for group in groups {
                words.push(group.name.clone());
                words.extend(
                    group
                        .items
                        .iter()
                        .map(|item| format!("{} {} {} {}", item.name, item.note, item.sizes.join(" "), item.price)),
                );
            }
            words.extend(details.iter().cloned());
        }
        Matter::Gap { ask } => words.push(ask.clone()),
        Matter::Board { subtitle, parts, details } => {
            words.push(subtitle.clone());
            words.extend(parts.iter().map(words_of));
            words.extend(details.iter().cloned());
        }
        Matter::Screen { navigation, figures, table, .. } => {
            words.extend(navigation.iter().cloned());
            words.extend(figures.iter().map(|figure| format!("{} {}", figure.value, figure.label)));
            words.extend(std::iter::once(&table.head).chain(&table.rows).map(|row| row.join(" ")));
        }
    }
    words.retain(|text| !text.trim().is_empty());
    words.join("\n")
}
