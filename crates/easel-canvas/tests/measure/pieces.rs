//! The pieces of an outline that facts are looked for in: titles, points, prices with their dishes, nodes with their arrows.

use easel_canvas::chart::{ChartData, TableData};
use easel_canvas::content::{Arrow, Column, Lane, Matter, MenuGroup, Passage, Point, Priced};

use super::words::tokens;

/// A piece of the outline: what it is, its words, the words that stand with it, and the page that it is on.
pub(super) struct Piece {
    pub(super) kind: &'static str,
    pub(super) words: Vec<String>,
    pub(super) company: Vec<String>,
    /// Titles that it stands under.
    pub(super) under: Vec<Vec<String>>,
}

/// The pieces of an outline.
#[derive(Default)]
pub(super) struct Pieces {
    pub(super) all: Vec<Piece>,
    under: Vec<Vec<String>>,
}

impl Pieces {
    fn add(&mut self, kind: &'static str, words: &str, company: &str) {
        if !words.trim().is_empty() {
            self.all.push(Piece {
                kind,
                words: tokens(words),
                company: tokens(&format!("{company} {words}")),
                under: self.under.clone(),
            });
        }
    }

    pub(super) fn add_passage(&mut self, passage: &Passage) {
        self.under.push(tokens(&passage.title));
        self.add("kicker", &passage.kicker, "");
        self.add("title", &passage.title, "");
        self.add_matter(&passage.matter, &passage.title);
        self.under.pop();
    }

    fn add_matter(&mut self, matter: &Matter, title: &str) {
        match matter {
            Matter::Cover { subtitle, details, .. } | Matter::Closing { lead: subtitle, details } => {
                self.add("subtitle", subtitle, title);
                let all = format!("{title} {subtitle} {}", details.join(" "));
                details.iter().for_each(|detail| self.add("detail", detail, &all));
            }
            Matter::Agenda { items } => items.iter().for_each(|item| self.add("point", item, "")),
            Matter::Section { lead, .. } | Matter::Statement { support: lead } => self.add("prose", lead, title),
            Matter::Prose { paragraphs, .. } => {
                let all: String = paragraphs.iter().map(|runs| easel_canvas::content::plain(runs) + " ").collect();
                self.add("prose", &all, title);
            }
            Matter::Points { lead, points, .. } | Matter::Steps { lead, points } => {
                self.add("lead", lead, title);
                let kind = if matches!(matter, Matter::Steps { .. }) { "step" } else { "point" };
                for point in points {
                    let whole = format!("{} {}", point.head, point.body_text());
                    self.add(kind, &whole, &format!("{lead} {title}"));
                }
            }
            Matter::Figures { lead, figures } => {
                self.add("lead", lead, title);
                for figure in figures {
                    self.add("figure", &figure.value, &format!("{} {lead} {title}", figure.label));
                    self.add("label", &figure.label, &format!("{} {title}", figure.value));
                }
            }
            Matter::Quote { words, by } => {
                self.add("quote", words, by);
                self.add("by", by, words);
            }
            Matter::Table { lead, table } => {
                self.add("lead", lead, title);
                self.add_table(table);
            }
            Matter::Chart { lead, chart, .. } => {
                self.add("lead", lead, title);
                self.add_chart(chart, lead, title);
            }
            Matter::Picture { caption, .. } => self.add("detail", caption, title),
            Matter::Comparison { left, right } => {
                for side in [left, right] {
                    self.add("column", &side.head, &side.points.join(" "));
                    side.points.iter().for_each(|point| self.add("column_point", point, &side.head));
                }
            }
            Matter::Columns { lead, columns } => {
                self.add("lead", lead, title);
                self.add_columns(columns, title);
            }
            Matter::Menu { lead, groups, details } => {
                self.add("lead", lead, title);
                self.add_groups(groups, title);
                details.iter().for_each(|detail| self.add("detail", detail, title));
            }
            Matter::Gap { .. } => {}
            Matter::Board { subtitle, parts, details } => {
                self.add("subtitle", subtitle, title);
                parts.iter().for_each(|part| self.add_passage(part));
                let all = format!("{title} {subtitle} {}", details.join(" "));
                details.iter().for_each(|detail| self.add("detail", detail, &all));
            }
            Matter::Flow { boxes, arrows, lanes } => {
                self.add_flow(boxes, arrows, lanes);
            }
            Matter::Screen { navigation, figures, table, .. } => {
                navigation.iter().for_each(|item| self.add("point", item, ""));
                for figure in figures {
                    self.add("figure", &figure.value, &figure.label);
                    self.add("label", &figure.label, &figure.value);
                }
                for row in &table.rows {
                    self.add("point", &row.join(" "), title);
                }
            }
        }
    }

    fn add_table(&mut self, table: &TableData) {
        // What stands over a column names it.
        table.head.iter().for_each(|name| self.add("column", name, &table.head.join(" ")));
        for row in std::iter::once(&table.head).chain(&table.rows) {
            let company = format!("{} {}", row.join(" "), table.head.join(" "));
            row.iter().for_each(|cell| self.add("cell", cell, &company));
        }
    }

    fn add_chart(&mut self, chart: &ChartData, lead: &str, title: &str) {
        for series in &chart.series {
            self.add("label", &series.name, title);
            for (label, value) in chart.labels.iter().zip(&series.values) {
                self.add("chart_label", label, title);
                if let Some(value) = value {
                    let written = format!("{} {}{}{}", chart.write(*value), chart.prefix, value, chart.suffix);
                    self.add("chart_value", &written, &format!("{label} {} {lead} {title}", series.name));
                }
            }
        }
    }

    fn add_columns(&mut self, columns: &[Column], title: &str) {
        for column in columns {
            let whole = format!("{} {} {} {title}", column.head, column.figure, column.points.join(" "));
            self.add("column", &column.head, &whole);
            self.add("column_figure", &column.figure, &whole);
            column.points.iter().for_each(|point| self.add("column_point", point, &whole));
        }
    }

    fn add_groups(&mut self, groups: &[MenuGroup], title: &str) {
        for group in groups {
            self.under.push(tokens(&group.name));
            self.add("group", &group.name, title);
            for item in &group.items {
                let sizes = item.sizes.join(" ");
                let whole = format!("{} {} {sizes} {} {}", item.name, item.note, item.price, group.name);
                self.add("item", &item.name, &whole);
                self.add("note", &item.note, &whole);
                self.add("price", &item.price, &whole);
                // Of a thing that comes in sizes each price stands by itself, under its size.
                for (size, price) in item.sizes.iter().zip(item.price.split(Priced::BETWEEN_PRICES)) {
                    self.add("note", size, &whole);
                    self.add("column", size, &whole);
                    self.add("price", price, &format!("{size} {whole}"));
                }
            }
            self.under.pop();
        }
    }

    fn add_flow(&mut self, boxes: &[Point], arrows: &[Arrow], lanes: &[Lane]) {
        for (at, node) in boxes.iter().enumerate() {
            let labels: Vec<&str> =
                arrows.iter().filter(|arrow| arrow.to == at).map(|arrow| arrow.label.as_str()).collect();
            let near: Vec<&str> = arrows
                .iter()
                .filter(|arrow| arrow.to == at || arrow.from == at)
                .flat_map(|arrow| {
                    [boxes[arrow.from].head.as_str(), boxes[arrow.to].head.as_str(), arrow.label.as_str()]
                })
                .collect();
            let lane = lanes.iter().find(|lane| lane.boxes.contains(&at)).map_or("", |lane| lane.name.as_str());
            self.add(
                "node",
                &format!("{} {}", node.head, node.body_text()),
                &format!("{} {} {lane}", labels.join(" "), near.join(" ")),
            );
        }
        lanes.iter().for_each(|lane| self.add("label", &lane.name, ""));
        for arrow in arrows {
            self.add("edge", &arrow.label, &format!("{} {}", boxes[arrow.from].head, boxes[arrow.to].head));
        }
    }
}
