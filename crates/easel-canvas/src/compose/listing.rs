//! Tables and lists of a file as what a kind of thing needs of them: prices on a menu, a certificate for each person, a
//! card for each paragraph.

use super::source::Block;
use crate::chart::TableData;
use crate::chart_drawing::number_columns;
use crate::content::{Matter, MenuGroup, Passage, Priced, plain};
use crate::read::Reading;
use crate::read::kinds::Kind;
use crate::read::{sizes, text};

/// No more things of a list have a page each.
const MAX_PAGES_OF_LIST: usize = 60;

/// The prices of the tables of a file, in groups; `None` where a table has no column of numbers.
pub fn menu_of(blocks: &[Block]) -> Option<Matter> {
    let tables: Vec<&TableData> = blocks
        .iter()
        .filter_map(|block| match block {
            Block::Table(table) => Some(table),
            _ => None,
        })
        .collect();
    let mut groups: Vec<MenuGroup> = Vec::new();
    for table in &tables {
        take_prices(table, &mut groups)?;
    }
    (!groups.is_empty()).then(|| Matter::Menu { lead: String::new(), groups, details: Vec::new() })
}

fn take_prices(table: &TableData, groups: &mut Vec<MenuGroup>) -> Option<()> {
    let numeric = number_columns(table);
    let price_at = (0..table.head.len()).rev().find(|column| numeric[*column])?;
    let words: Vec<usize> = (0..table.head.len()).filter(|column| !numeric[*column]).collect();
    let cell = |row: &[String], column: usize| row.get(column).map(|cell| cell.trim().to_owned()).unwrap_or_default();
    // “klein” and “groß” over their prices: of several columns of prices each is a size.
    let sized: Vec<usize> =
        (0..table.head.len()).filter(|column| numeric[*column] && sizes::is_size(&table.head[*column])).collect();
    let sized = if sized.len() >= 2 { sized } else { Vec::new() };
    // The first column names groups where it says the same again.
    let is_grouped = words.len() >= 2 && {
        let mut names: Vec<String> = table.rows.iter().map(|row| cell(row, words[0])).collect();
        names.dedup();
        names.len() < table.rows.len()
    };
    let name_at = *words.get(usize::from(is_grouped))?;
    for row in &table.rows {
        let group = if is_grouped { text::capitalize(&cell(row, words[0])) } else { String::new() };
        let rest: Vec<String> = (0..table.head.len())
            .filter(|column| {
                *column != price_at
                    && *column != name_at
                    && !sized.contains(column)
                    && !(is_grouped && *column == words[0])
            })
            .map(|column| cell(row, column))
            .filter(|words| !words.is_empty())
            .collect();
        let prices: Vec<String> = sized.iter().map(|column| cell(row, *column)).collect();
        let has_all = !prices.is_empty() && prices.iter().all(|price| !price.is_empty());
        let item = Priced {
            name: cell(row, name_at),
            note: rest.join(", "),
            price: if has_all { prices.join(Priced::BETWEEN_PRICES) } else { cell(row, price_at) },
            sizes: if has_all {
                sized.iter().map(|column| table.head[*column].trim().to_owned()).collect()
            } else {
                Vec::new()
            },
        };
        match groups.last_mut().filter(|last| last.name == group) {
            Some(last) => last.items.push(item),
            None => groups.push(MenuGroup { name: group, items: vec![item] }),
        }
    }
    Some(())
}

/// The same where the table stands in the brief itself.
pub fn one_for_each_told(reading: &Reading, kind: Kind) -> Vec<Reading> {
    let found = reading.parts.iter().enumerate().find_map(|(at, part)| match part.matters.as_slice() {
        [Matter::Table { table, .. }] if table.rows.len() >= 2 => Some((at, table.clone())),
        _ => None,
    });
    let Some((at, table)) = found else { return Vec::new() };
    let mut rest = reading.clone();
    rest.parts.remove(at);
    one_for_each(&rest, &[Block::Table(table)], kind)
}

/// A reading for each row of a table of people: what the row says stands before the other details.
pub fn one_for_each(reading: &Reading, blocks: &[Block], kind: Kind) -> Vec<Reading> {
    let table = blocks.iter().find_map(|block| match block {
        Block::Table(table) if table.rows.len() >= 2 => Some(table),
        _ => None,
    });
    let Some(table) = table else { return Vec::new() };
    table
        .rows
        .iter()
        .take(MAX_PAGES_OF_LIST)
        .map(|row| {
            let mut own = reading.clone();
            let mut cells = row.iter().map(|cell| cell.trim().to_owned()).filter(|cell| !cell.is_empty());
            // Who is honoured is the title; what it is called stands above.
            if kind == Kind::Certificate
                && let Some(name) = cells.next()
            {
                let title = std::mem::replace(&mut own.title, name);
                if !title.is_empty() {
                    let above = std::mem::replace(&mut own.kicker, title);
                    if !above.is_empty() && !own.kicker.to_lowercase().contains(&above.to_lowercase()) {
                        own.details.insert(0, above);
                    }
                }
            }
            own.details.splice(0..0, cells);
            own
        })
        .collect()
}

/// A card for each paragraph of a file that is a list of such: its first line is the title.
pub fn cards_of(blocks: &[Block]) -> Vec<Passage> {
    let mut cards: Vec<Passage> = Vec::new();
    for block in blocks {
        match block {
            Block::Heading(_, title) => {
                let (head, rest) = title.split_once(", ").unwrap_or((title, ""));
                let details = if rest.is_empty() { Vec::new() } else { vec![text::capitalize(rest)] };
                cards.push(Passage::new(head, Matter::Cover { subtitle: String::new(), details, picture: None }));
            }
            Block::Paragraph(runs) => {
                let Some(Passage { matter: Matter::Cover { subtitle, details, .. }, .. }) = cards.last_mut() else {
                    return Vec::new();
                };
                let words = plain(runs);
                if subtitle.is_empty() && words.split_whitespace().count() >= 3 {
                    *subtitle = text::capitalize(&words);
                } else {
                    details.push(words);
                }
            }
            _ => return Vec::new(),
        }
    }
    cards
}
