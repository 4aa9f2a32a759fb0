//! From blocks to passages: which piece of a source becomes which kind of page.

use super::labels::Labels;
use super::source::Block;
use crate::chart::{ChartData, ChartKind, Series, TableData};
use crate::chart_drawing::number_columns;
use crate::content::{Figure, Matter, Passage, Point, plain};
use crate::document::Category;
use crate::run::Run;

/// The passages of a source. The first heading of the first level is the cover's title and is returned apart.
pub struct Planned {
    /// The title that the source gives itself.
    pub title: Option<String>,
    /// What stands directly under it, if that is brief.
    pub subtitle: String,
    /// What follows.
    pub passages: Vec<Passage>,
}

/// Plans a source.
pub fn plan(blocks: &[Block], category: Category, labels: &Labels) -> Planned {
    let mut planned = Planned { title: None, subtitle: String::new(), passages: Vec::new() };
    let mut rest = blocks;
    if let Some(Block::Heading(1, title)) = blocks.first() {
        planned.title = Some(title.clone());
        rest = &blocks[1..];
        if let Some(Block::Paragraph(runs)) = rest.first().filter(|_| rest.len() > 1 || category == Category::Social) {
            let text = plain(runs);
            if text.chars().count() <= 180 && runs.iter().all(|run| run.link.is_none()) {
                planned.subtitle = text;
                rest = &rest[1..];
            }
        }
    }
    // “Northwind Coffee – year in review” is a title and the line under it.
    if planned.subtitle.is_empty()
        && let Some((head, rest)) =
            planned.title.as_deref().and_then(|title| [" – ", " — "].iter().find_map(|dash| title.split_once(dash)))
        && head.chars().count() >= 2
    {
        planned.subtitle = crate::read::text::capitalize(rest.trim());
        planned.title = Some(head.trim().to_owned());
    }
    if let (true, Some(Block::Table(table))) = (planned.subtitle.is_empty(), rest.first()) {
        planned.subtitle = names_of(table, planned.title.as_deref().unwrap_or_default());
    }
    let sections = sections_of(rest);
    let headed = sections.iter().filter(|section| section.level == 2).count();
    let deep = sections.iter().any(|section| section.level > 2);
    if headed >= 3 && matches!(category, Category::Slides) && sections.len() >= 4 {
        let items: Vec<String> = sections
            .iter()
            .filter(|section| section.level <= 2 && !section.title.is_empty())
            .map(|section| section.title.clone())
            .take(12)
            .collect();
        planned.passages.push(Passage::new(labels.agenda, Matter::Agenda { items }));
    }
    let mut part = 0;
    for section in &sections {
        // A heading with nothing of its own under it begins a part.
        if section.blocks.is_empty() && section.level <= 2 && deep {
            part += 1;
            planned.passages.push(Passage::new(&section.title, Matter::Section { number: part, lead: String::new() }));
            continue;
        }
        let before = planned.passages.len();
        plan_section(section, category == Category::Pdf, labels, &mut planned.passages);
        if planned.passages.len() == before && !section.title.is_empty() {
            planned.passages.push(Passage::new(&section.title, Matter::Statement { support: String::new() }));
        }
    }
    planned
}

/// What a table is about, where nothing else says it: the names of its columns, or of its rows where it has one column.
fn names_of(table: &TableData, title: &str) -> String {
    let columns: Vec<&str> = table.head.iter().skip(1).map(|name| name.trim()).collect();
    let rows: Vec<&str> = table.rows.iter().filter_map(|row| row.first()).map(|name| name.trim()).collect();
    let mut names = if columns.len() > 1 { columns } else { rows };
    names.retain(|name| !name.is_empty() && !name.eq_ignore_ascii_case(title));
    let text = names.join(", ");
    if (2..=8).contains(&names.len()) && text.chars().count() <= 90 { text } else { String::new() }
}

struct Section<'a> {
    level: u8,
    title: String,
    blocks: Vec<&'a Block>,
}

fn sections_of(blocks: &[Block]) -> Vec<Section<'_>> {
    let mut sections: Vec<Section<'_>> = Vec::new();
    for block in blocks {
        match block {
            Block::Heading(level, title) => {
                sections.push(Section { level: *level, title: title.clone(), blocks: Vec::new() });
            }
            block => match sections.last_mut() {
                Some(section) => section.blocks.push(block),
                None => sections.push(Section { level: 2, title: String::new(), blocks: vec![block] }),
            },
        }
    }
    sections
}

fn plan_section(section: &Section<'_>, is_paper: bool, labels: &Labels, passages: &mut Vec<Passage>) {
    let title = section.title.as_str();
    let mut prose: Vec<Vec<Run>> = Vec::new();
    for block in &section.blocks {
        match block {
            Block::Paragraph(runs) => prose.push(runs.clone()),
            Block::List(ordered, items) => {
                let lead = take_lead(&mut prose, title, passages);
                passages.push(Passage::new(title, matter_of_list(*ordered, items, lead, title)));
            }
            Block::Quote(text) => {
                end_prose(&mut prose, title, passages);
                let (words, by) = split_quote(text);
                let is_first = !passages.iter().any(|passage| passage.title == title);
                passages.push(Passage::new(if is_first { title } else { "" }, Matter::Quote { words, by }));
            }
            Block::Table(table) => {
                let lead = take_lead(&mut prose, title, passages);
                plan_table(table, title, lead, is_paper, section.title.is_empty(), labels, passages);
            }
            Block::Heading(..) => {}
        }
    }
    end_prose(&mut prose, title, passages);
}

/// A short paragraph before a list or a table introduces it; a longer one has a page of its own.
fn take_lead(prose: &mut Vec<Vec<Run>>, title: &str, passages: &mut Vec<Passage>) -> String {
    let is_short = prose.len() == 1
        && prose
            .first()
            .is_some_and(|runs| plain(runs).chars().count() <= 220 && runs.iter().all(|run| run.link.is_none()));
    if is_short {
        return prose.drain(..).map(|runs| plain(&runs)).collect();
    }
    end_prose(prose, title, passages);
    String::new()
}

fn end_prose(prose: &mut Vec<Vec<Run>>, title: &str, passages: &mut Vec<Passage>) {
    if prose.is_empty() {
        return;
    }
    let paragraphs = std::mem::take(prose);
    passages.push(Passage::new(title, Matter::Prose { paragraphs, picture: None }));
}

/// Words and who said them, where the last line begins with a dash.
fn split_quote(text: &str) -> (String, String) {
    let text = text.trim().trim_matches(['"', '“', '”', '„', '«', '»']);
    for dash in ["\n— ", "\n– ", "\n- ", " — ", " – "] {
        if let Some((words, by)) = text.rsplit_once(dash).filter(|(_, by)| by.chars().count() <= 80) {
            return (words.trim().trim_matches(['"', '“', '”', '„']).to_owned(), by.trim().to_owned());
        }
    }
    (text.to_owned(), String::new())
}

fn matter_of_list(ordered: bool, items: &[Vec<Run>], lead: String, title: &str) -> Matter {
    let figures: Vec<Figure> = items.iter().filter_map(|item| figure_of(&plain(item))).collect();
    if figures.len() == items.len() && (2..=6).contains(&figures.len()) {
        return Matter::Figures { lead, figures };
    }
    let points: Vec<Point> = items.iter().map(|item| point_of(item)).collect();
    let lower = title.to_lowercase();
    let is_way = [
        "step", "process", "timeline", "roadmap", "plan", "how ", "ablauf", "schritt", "étape", "pasos", "этап", "шаг",
        "βήμα", "שלב", "צעד", "خطو",
    ]
    .iter()
    .any(|word| lower.contains(word));
    if (ordered || is_way)
        && (2..=8).contains(&points.len())
        && points.iter().all(|point| point.body_text().chars().count() < 220)
    {
        return Matter::Steps { lead, points };
    }
    Matter::Points { lead, points, ordered }
}

/// `42 % of customers` is a number and what it counts.
fn figure_of(text: &str) -> Option<Figure> {
    let text = text.trim();
    let mut words = text.splitn(2, [' ', '\u{a0}']);
    let value = words.next()?;
    let mut label = words.next()?.trim().to_owned();
    let digits = value.chars().filter(char::is_ascii_digit).count();
    let is_number = digits > 0
        && value.chars().count() <= 10
        && value.chars().all(|letter| letter.is_ascii_digit() || "+-−.,%$€£¥×xkKmMbB°/:".contains(letter))
        && !value.ends_with('.')
        && !value.ends_with(':');
    if !is_number || label.chars().count() > 80 {
        return None;
    }
    let mut value = value.to_owned();
    for unit in ["%", "million", "billion", "Mio.", "Mrd.", "€"] {
        if let Some(rest) = label.strip_prefix(unit).filter(|rest| rest.starts_with(' ')) {
            value = format!("{value} {unit}");
            label = rest.trim().to_owned();
            break;
        }
    }
    let label = label.trim_start_matches([':', '–', '—', '-', ' ']).to_owned();
    (!label.is_empty()).then(|| Figure { value, label: crate::read::text::capitalize(&label) })
}

/// `**Name**: what is said` and `Name: what is said` are a name and words about it.
fn point_of(item: &[Run]) -> Point {
    if let Some((first, rest)) =
        item.split_first().filter(|(first, rest)| first.strong && !rest.is_empty() && first.text.chars().count() <= 60)
    {
        let mut body = rest.to_vec();
        if let Some(run) = body.first_mut() {
            run.text = run.text.trim_start_matches([':', '–', '—', '-', '.', ',', ' ']).to_owned();
        }
        body.retain(|run| !run.text.is_empty());
        return Point { head: first.text.trim_end_matches([':', '.', ' ']).to_owned(), body };
    }
    let text = plain(item);
    if item.len() == 1 {
        for divider in [": ", " — ", " – ", " - "] {
            if let Some((head, body)) =
                text.split_once(divider).filter(|(head, body)| head.chars().count() <= 48 && !body.trim().is_empty())
            {
                return Point::new(head.trim(), body.trim());
            }
        }
        if text.chars().count() <= 60 {
            return Point::new(text.trim(), "");
        }
    }
    Point { head: String::new(), body: item.to_vec() }
}

/// A table stands as it is; where it has numbers along names, a chart stands for it or goes before it.
fn plan_table(
    table: &TableData,
    title: &str,
    lead: String,
    is_paper: bool,
    is_sole: bool,
    labels: &Labels,
    passages: &mut Vec<Passage>,
) {
    let mut lead = lead;
    if let Some(chart) = chart_of(table) {
        let insights = insights_of(&chart, labels);
        // A chart of every column says what the table says.
        let is_whole = is_sole && chart.series.len() + 1 == table.head.len() && chart.labels.len() <= 12 && !is_paper;
        passages.push(Passage::new(title, Matter::Chart { lead: std::mem::take(&mut lead), chart, insights }));
        if !is_whole {
            passages.push(Passage::new(
                if is_paper { "" } else { title },
                Matter::Table { lead: String::new(), table: table.clone() },
            ));
        }
    } else {
        passages.push(Passage::new(title, Matter::Table { lead, table: table.clone() }));
    }
}

/// The number that a cell writes, with what stands before and behind it.
pub fn number_of(cell: &str) -> Option<(f64, String, String)> {
    let cell = cell.trim();
    let start = cell.find(|letter: char| letter.is_ascii_digit())?;
    let end = cell.rfind(|letter: char| letter.is_ascii_digit())? + 1;
    let prefix = cell[..start].trim().to_owned();
    let suffix = cell[end..].trim().to_owned();
    let is_negative = prefix.contains(['-', '−', '(']);
    let digits: String = cell[start..end]
        .chars()
        .filter(|letter| !letter.is_whitespace() && !matches!(letter, '\'' | '’' | '\u{a0}' | '\u{202f}'))
        .collect();
    // The last mark is the decimal one, unless it stands before exactly three digits and is alone of its kind to do so.
    let comma = digits.rfind(',');
    let dot = digits.rfind('.');
    let normal = match (comma, dot) {
        (Some(comma), Some(dot)) if comma > dot => digits.replace('.', "").replace(',', "."),
        (Some(_), Some(_)) => digits.replace(',', ""),
        (Some(comma), None) if digits.len() - comma - 1 == 3 || digits.matches(',').count() > 1 => {
            digits.replace(',', "")
        }
        (Some(_), None) => digits.replace(',', "."),
        (None, Some(_)) if digits.matches('.').count() > 1 => digits.replace('.', ""),
        _ => digits,
    };
    let value: f64 = normal.parse().ok()?;
    let prefix = prefix.replace(['-', '−', '(', '+'], "");
    let suffix = suffix.replace(')', "");
    value.is_finite().then_some((if is_negative { -value } else { value }, prefix, suffix))
}

/// The chart of a table: names in its first column, numbers in others.
pub fn chart_of(table: &TableData) -> Option<ChartData> {
    let numeric = number_columns(table);
    let names_at = (0..table.head.len()).find(|column| !numeric[*column] || is_year_column(table, *column))?;
    let columns: Vec<usize> = (0..table.head.len()).filter(|column| *column != names_at && numeric[*column]).collect();
    let rows = table.rows.len();
    if columns.is_empty() || !(3..=40).contains(&rows) {
        return None;
    }
    let labels: Vec<String> = table.rows.iter().map(|row| row.get(names_at).cloned().unwrap_or_default()).collect();
    let parse = |column: usize| -> Vec<Option<(f64, String, String)>> {
        table.rows.iter().map(|row| row.get(column).and_then(|cell| number_of(cell))).collect()
    };
    let first = parse(columns[0]);
    let largest = |values: &[Option<(f64, String, String)>]| {
        values.iter().flatten().map(|(value, ..)| value.abs()).fold(0.0, f64::max)
    };
    let unit = first.iter().flatten().next().map(|(_, prefix, suffix)| (prefix.clone(), suffix.clone()))?;
    let scale = largest(&first);
    let mut series = Vec::new();
    for column in columns.into_iter().take(6) {
        let values = parse(column);
        let same_unit = values.iter().flatten().all(|(_, prefix, suffix)| *prefix == unit.0 && *suffix == unit.1);
        let size = largest(&values);
        // Series of quite another size or unit would only hide each other on one axis.
        if same_unit && size * 12.0 >= scale && size <= scale * 12.0 {
            let values = values.into_iter().map(|value| value.map(|(value, ..)| value)).collect();
            series.push(Series { name: table.head.get(column).cloned().unwrap_or_default(), values });
        }
    }
    if series.is_empty() {
        return None;
    }
    let is_time = is_time(&labels);
    let longest = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
    let is_share =
        unit.1 == "%" && series.len() == 1 && (95.0..=105.0).contains(&series[0].values.iter().flatten().sum::<f64>());
    let kind = if is_share && rows <= 6 {
        ChartKind::Donut
    } else if is_time && (rows > 8 || series.len() > 2) {
        ChartKind::Lines
    } else if is_time || (longest <= 12 && rows <= 10) {
        ChartKind::Columns
    } else if rows <= 14 {
        ChartKind::Bars
    } else {
        ChartKind::Columns
    };
    let comma = table.rows.iter().flatten().any(|cell| crate::read::matter::has_decimal_comma(cell));
    Some(ChartData { kind, labels, series, prefix: unit.0, suffix: unit.1, comma })
}

fn is_year_column(table: &TableData, column: usize) -> bool {
    column == 0
        && table.rows.len() >= 3
        && table.rows.iter().all(|row| {
            row.first()
                .and_then(|cell| cell.trim().parse::<u32>().ok())
                .is_some_and(|year| (1800..=2200).contains(&year))
        })
}

fn is_time(labels: &[String]) -> bool {
    const MONTHS: &[&str] = &[
        "jan", "feb", "mar", "apr", "may", "mai", "jun", "jul", "aug", "sep", "oct", "okt", "nov", "dec", "dez", "mär",
        "q1", "q2", "q3", "q4", "mon", "tue", "wed", "thu", "fri", "sat", "sun", "week",
    ];
    !labels.is_empty()
        && labels.iter().all(|label| {
            let lower = label.trim().to_lowercase();
            let year = lower
                .get(..4)
                .and_then(|head| head.parse::<u32>().ok())
                .is_some_and(|year| (1800..=2200).contains(&year));
            year || MONTHS.iter().any(|month| lower.starts_with(month))
        })
}

/// What is to be seen in a chart: its highest and its lowest number. Sums and averages are not in the file.
fn insights_of(chart: &ChartData, labels: &Labels) -> Vec<Figure> {
    let [series] = chart.series.as_slice() else { return Vec::new() };
    let values: Vec<(usize, f64)> =
        series.values.iter().enumerate().filter_map(|(at, value)| value.map(|value| (at, value))).collect();
    let by_value = |one: &&(usize, f64), two: &&(usize, f64)| one.1.total_cmp(&two.1);
    let (Some(most), Some(least)) = (values.iter().max_by(by_value), values.iter().min_by(by_value)) else {
        return Vec::new();
    };
    let extreme = |label: &str, &(at, value): &(usize, f64)| Figure {
        value: chart.write(value),
        label: format!("{label} · {}", chart.labels.get(at).map(String::as_str).unwrap_or_default()),
    };
    vec![extreme(labels.highest, most), extreme(labels.lowest, least)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_numbers_as_people_write_them() {
        for (cell, value) in [
            ("1,234", 1234.0),
            ("1.234,5", 1234.5),
            ("€ 12", 12.0),
            ("-3.5%", -3.5),
            ("1 200", 1200.0),
            ("3,5", 3.5),
            ("(7)", -7.0),
        ] {
            assert_eq!(number_of(cell).map(|(value, ..)| value), Some(value), "{cell}");
        }
        assert_eq!(number_of("none"), None);
    }

    #[test]
    fn finds_the_figures_in_a_list() {
        assert_eq!(figure_of("42% of guests come back").map(|figure| figure.value), Some("42%".to_owned()));
        assert_eq!(figure_of("3 million loaves").map(|figure| figure.value), Some("3 million".to_owned()));
        assert_eq!(figure_of("1. first"), None);
    }
}
