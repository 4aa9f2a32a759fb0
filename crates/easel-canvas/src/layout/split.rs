//! Dividing what is too much for one page: between things, else between paragraphs, sentences, words.

use crate::chart::{ChartData, TableData};
use crate::content::{Arrow, Figure, Lane, Matter, MenuGroup, Passage, Point, Side, plain, words_of};
use crate::document::Page;
use crate::run::Run;

/// Two passages that say what one said; `None` where there is nothing to divide.
pub fn halve(passage: &Passage) -> Option<(Passage, Passage)> {
    let (first, second) = halve_matter(&passage.matter)?;
    let again = Passage { notes: String::new(), matter: second, ..passage.clone() };
    Some((Passage { matter: first, ..passage.clone() }, again))
}

fn halve_matter(matter: &Matter) -> Option<(Matter, Matter)> {
    match matter {
        Matter::Prose { paragraphs, picture } => {
            let (one, two) = halve_paragraphs(paragraphs)?;
            Some((
                Matter::Prose { paragraphs: one, picture: picture.clone() },
                Matter::Prose { paragraphs: two, picture: None },
            ))
        }
        Matter::Points { lead, points, ordered } => {
            let (one, two) = halve_points(points)?;
            Some((
                Matter::Points { lead: lead.clone(), points: one, ordered: *ordered },
                Matter::Points { lead: String::new(), points: two, ordered: false },
            ))
        }
        Matter::Steps { lead, points } => {
            let (one, two) = halve_points(points)?;
            // A ladder that goes on would begin anew with its first number.
            Some((
                Matter::Points { lead: lead.clone(), points: one, ordered: false },
                Matter::Points { lead: String::new(), points: two, ordered: false },
            ))
        }
        Matter::Menu { lead, groups, details } => halve_menu(lead, groups, details),
        Matter::Columns { lead, columns } => {
            let (one, two) = halve_list(columns)?;
            Some((
                Matter::Columns { lead: lead.clone(), columns: one },
                Matter::Columns { lead: String::new(), columns: two },
            ))
        }
        Matter::Board { subtitle, parts, details } => halve_board(subtitle, parts, details),
        Matter::Flow { boxes, arrows, lanes } => {
            let told: Vec<Point> = boxes
                .iter()
                .enumerate()
                .map(|(at, point)| by_whom(under_conditions(point, at, arrows), at, lanes))
                .collect();
            let (one, two) = halve_points(&told)?;
            Some((
                Matter::Points { lead: String::new(), points: one, ordered: false },
                Matter::Points { lead: String::new(), points: two, ordered: false },
            ))
        }
        Matter::Agenda { items } => {
            let (one, two) = halve_list(items)?;
            Some((Matter::Agenda { items: one }, Matter::Agenda { items: two }))
        }
        Matter::Figures { lead, figures } => {
            let (one, two) = halve_list(figures)?;
            Some((
                Matter::Figures { lead: lead.clone(), figures: one },
                Matter::Figures { lead: String::new(), figures: two },
            ))
        }
        Matter::Table { lead, table } => halve_table(lead, table),
        Matter::Quote { words, by } => {
            let (one, two) = halve_text(words)?;
            Some((Matter::Quote { words: one, by: String::new() }, Matter::Quote { words: two, by: by.clone() }))
        }
        Matter::Comparison { left, right } => Some((points_of(left), points_of(right))),
        Matter::Cover { subtitle, details, picture } => halve_cover(subtitle, details, picture.as_ref()),
        Matter::Closing { lead, details } => halve_closing(lead, details),
        Matter::Chart { chart, insights, .. } => Some(table_and_figures(chart, insights)),
        Matter::Section { lead, .. } if !lead.is_empty() => Some((
            Matter::Section { number: 1, lead: String::new() },
            Matter::Prose { paragraphs: vec![vec![Run::plain(lead)]], picture: None },
        )),
        Matter::Statement { support } if !support.is_empty() => Some((
            Matter::Statement { support: String::new() },
            Matter::Prose { paragraphs: vec![vec![Run::plain(support)]], picture: None },
        )),
        Matter::Section { .. }
        | Matter::Statement { .. }
        | Matter::Picture { .. }
        | Matter::Screen { .. }
        | Matter::Gap { .. } => None,
    }
}

/// A step with who does it, where that is told.
fn by_whom(mut point: Point, at: usize, lanes: &[Lane]) -> Point {
    if let Some(lane) = lanes.iter().find(|lane| lane.boxes.contains(&at)) {
        let more = std::mem::take(&mut point.body);
        point.body.push(Run::plain(if more.is_empty() { lane.name.clone() } else { format!("{}: ", lane.name) }));
        point.body.extend(more);
    }
    point
}

fn points_of(side: &Side) -> Matter {
    Matter::Points {
        lead: side.head.clone(),
        points: side.points.iter().map(|point| Point::new("", point)).collect(),
        ordered: false,
    }
}

fn halve_cover(subtitle: &str, details: &[String], picture: Option<&String>) -> Option<(Matter, Matter)> {
    if subtitle.is_empty() && details.is_empty() {
        return None;
    }
    let mut paragraphs: Vec<Vec<Run>> = vec![vec![Run::plain(subtitle)]];
    paragraphs.extend(details.iter().map(|detail| vec![Run::plain(detail)]));
    paragraphs.retain(|runs| !plain(runs).trim().is_empty());
    Some((
        Matter::Cover { subtitle: String::new(), details: Vec::new(), picture: picture.cloned() },
        Matter::Prose { paragraphs, picture: None },
    ))
}

fn halve_closing(lead: &str, details: &[String]) -> Option<(Matter, Matter)> {
    let paragraphs: Vec<Vec<Run>> = std::iter::once(lead)
        .chain(details.iter().map(String::as_str))
        .filter(|text| !text.trim().is_empty())
        .map(|text| vec![Run::plain(text)])
        .collect();
    if paragraphs.len() < 2 { None } else { halve_matter(&Matter::Prose { paragraphs, picture: None }) }
}

/// What is too much for a chart is a table.
fn table_and_figures(chart: &ChartData, insights: &[Figure]) -> (Matter, Matter) {
    let mut head = vec![String::new()];
    head.extend(chart.series.iter().map(|series| series.name.clone()));
    let rows = chart
        .labels
        .iter()
        .enumerate()
        .map(|(at, label)| {
            let values = chart.series.iter().map(|series| {
                series.values.get(at).copied().flatten().map(|value| value.to_string()).unwrap_or_default()
            });
            std::iter::once(label.clone()).chain(values).collect()
        })
        .collect();
    (
        Matter::Table { lead: String::new(), table: TableData { head, rows } },
        Matter::Figures { lead: String::new(), figures: insights.to_vec() },
    )
}

fn halve_menu(lead: &str, groups: &[MenuGroup], details: &[String]) -> Option<(Matter, Matter)> {
    let (one, two) = match groups {
        [only] => {
            let (one, two) = halve_list(&only.items)?;
            (
                vec![MenuGroup { name: only.name.clone(), items: one }],
                vec![MenuGroup { name: String::new(), items: two }],
            )
        }
        groups => halve_list(groups)?,
    };
    Some((
        Matter::Menu { lead: lead.to_owned(), groups: one, details: Vec::new() },
        Matter::Menu { lead: String::new(), groups: two, details: details.to_vec() },
    ))
}

fn halve_board(subtitle: &str, parts: &[Passage], details: &[String]) -> Option<(Matter, Matter)> {
    if let Some((one, two)) = halve_list(parts) {
        return Some((
            Matter::Board { subtitle: subtitle.to_owned(), parts: one, details: Vec::new() },
            Matter::Board { subtitle: String::new(), parts: two, details: details.to_vec() },
        ));
    }
    let part = parts.first()?;
    if !subtitle.is_empty() || !details.is_empty() {
        return Some((
            Matter::Cover { subtitle: subtitle.to_owned(), details: details.to_vec(), picture: None },
            Matter::Board { subtitle: String::new(), parts: parts.to_vec(), details: Vec::new() },
        ));
    }
    if !part.title.is_empty() {
        let bare = Passage { title: String::new(), kicker: String::new(), ..part.clone() };
        return Some((
            Matter::Statement { support: part.title.clone() },
            Matter::Board { subtitle: String::new(), parts: vec![bare], details: Vec::new() },
        ));
    }
    let (one, two) = halve_matter(&part.matter)?;
    Some((one, two))
}

fn halve_list<T: Clone>(list: &[T]) -> Option<(Vec<T>, Vec<T>)> {
    if list.len() < 2 {
        return None;
    }
    let (one, two) = list.split_at(list.len().div_ceil(2));
    Some((one.to_vec(), two.to_vec()))
}

/// A box that is no longer led to by arrows, with the words that stood on them.
fn under_conditions(point: &Point, at: usize, arrows: &[Arrow]) -> Point {
    let labels: Vec<&str> = arrows
        .iter()
        .filter(|arrow| arrow.to == at && !arrow.label.is_empty())
        .map(|arrow| arrow.label.as_str())
        .collect();
    let mut told = point.clone();
    if !labels.is_empty() {
        let words = labels.join(" / ");
        told.body.insert(0, Run::plain(if point.body.is_empty() { words } else { format!("{words}: ") }));
    }
    told
}

fn halve_points(points: &[Point]) -> Option<(Vec<Point>, Vec<Point>)> {
    if let Some(halves) = halve_list(points) {
        return Some(halves);
    }
    let point = points.first()?;
    if point.body.is_empty() {
        let (one, two) = halve_text(&point.head)?;
        return Some((vec![Point::new("", one)], vec![Point::new("", two)]));
    }
    let (one, two) = halve_runs(&point.body)?;
    Some((vec![Point { head: point.head.clone(), body: one }], vec![Point { head: String::new(), body: two }]))
}

type Paragraphs = Vec<Vec<Run>>;

fn halve_paragraphs(paragraphs: &[Vec<Run>]) -> Option<(Paragraphs, Paragraphs)> {
    if paragraphs.len() > 1 {
        // Where half of the letters are.
        let total: usize = paragraphs.iter().map(|runs| plain(runs).len()).sum();
        let mut sum = 0;
        let at = paragraphs.iter().position(|runs| {
            sum += plain(runs).len();
            sum * 2 >= total
        });
        let at = (at.unwrap_or(0) + 1).clamp(1, paragraphs.len() - 1);
        return Some((paragraphs[..at].to_vec(), paragraphs[at..].to_vec()));
    }
    let (one, two) = halve_runs(paragraphs.first()?)?;
    Some((vec![one], vec![two]))
}

fn halve_runs(runs: &[Run]) -> Option<(Vec<Run>, Vec<Run>)> {
    let whole = plain(runs);
    let cut = cut_place(&whole)?;
    let (mut one, mut two) = (Vec::new(), Vec::new());
    let mut at = 0;
    for run in runs {
        let end = at + run.text.len();
        if end <= cut {
            one.push(run.clone());
        } else if at >= cut {
            two.push(run.clone());
        } else {
            one.push(Run { text: run.text[..cut - at].trim_end().to_owned(), ..run.clone() });
            two.push(Run { text: run.text[cut - at..].trim_start().to_owned(), ..run.clone() });
        }
        at = end;
    }
    Some((one, two))
}

fn halve_text(text: &str) -> Option<(String, String)> {
    let cut = cut_place(text)?;
    Some((text[..cut].trim_end().to_owned(), text[cut..].trim_start().to_owned()))
}

/// The end of a sentence nearest to the middle, else a space, else any letter.
fn cut_place(text: &str) -> Option<usize> {
    let middle = text.len() / 2;
    let nearest = |places: Vec<usize>| {
        places.into_iter().filter(|at| *at > 0 && *at < text.len()).min_by_key(|at| at.abs_diff(middle))
    };
    let is_end = |character: char| matches!(character, '.' | '!' | '?' | '。' | '！' | '？' | '؟');
    let sentences: Vec<usize> = text
        .char_indices()
        .zip(text.chars().skip(1))
        .filter(|((_, character), next)| is_end(*character) && next.is_whitespace())
        .map(|((at, character), _)| at + character.len_utf8())
        .collect();
    let central = |at: &usize| at.abs_diff(middle) < text.len() / 4;
    nearest(sentences.into_iter().filter(central).collect())
        .or_else(|| {
            nearest(text.char_indices().filter(|(_, character)| character.is_whitespace()).map(|(at, _)| at).collect())
        })
        .or_else(|| nearest(text.char_indices().map(|(at, _)| at).collect()))
        .filter(|_| text.chars().count() > 1)
}

fn halve_table(lead: &str, table: &TableData) -> Option<(Matter, Matter)> {
    if let Some((one, two)) = halve_list(&table.rows) {
        return Some((
            Matter::Table { lead: lead.to_owned(), table: TableData { head: table.head.clone(), rows: one } },
            Matter::Table { lead: String::new(), table: TableData { head: table.head.clone(), rows: two } },
        ));
    }
    // One row that is too broad: its columns are divided.
    let (head_one, head_two) = halve_list(&table.head)?;
    let at = head_one.len();
    let part = |range: std::ops::Range<usize>| -> Vec<Vec<String>> {
        table
            .rows
            .iter()
            .map(|row| row.get(range.start..range.end.min(row.len())).unwrap_or_default().to_vec())
            .collect()
    };
    Some((
        Matter::Table { lead: lead.to_owned(), table: TableData { head: head_one, rows: part(0..at) } },
        Matter::Table { lead: String::new(), table: TableData { head: head_two, rows: part(at..table.head.len()) } },
    ))
}

/// The passage as nothing but reading text, its title the first paragraph: what fits wherever words fit at all.
pub fn make_plainest(passage: &Passage) -> Passage {
    let paragraphs = words_of(passage).lines().map(|line| vec![Run::plain(line)]).collect();
    Passage { notes: passage.notes.clone(), ..Passage::new("", Matter::Prose { paragraphs, picture: None }) }
}

/// Whether nothing of a passage can be made plainer.
pub fn is_plainest(passage: &Passage) -> bool {
    passage.title.is_empty()
        && passage.kicker.is_empty()
        && matches!(passage.matter, Matter::Prose { picture: None, .. })
}

/// About how many letters a passage has.
pub fn letters_of(passage: &Passage) -> usize {
    match &passage.matter {
        Matter::Prose { paragraphs, .. } => paragraphs.iter().flatten().map(|run| run.text.len()).sum(),
        Matter::Points { points, .. } => points
            .iter()
            .map(|point| point.head.len() + point.body.iter().map(|run| run.text.len()).sum::<usize>())
            .sum(),
        Matter::Quote { words, .. } => words.len(),
        _ => 0,
    }
}

/// Puts a passage's words into the notes of a page; returns how many words these are.
pub fn move_to_notes(passage: &Passage, page: Option<&mut Page>) -> usize {
    let words = words_of(passage);
    let count = words.split_whitespace().count();
    if let Some(page) = page {
        if !page.notes.is_empty() {
            page.notes.push('\n');
        }
        page.notes.push_str(&words);
    }
    count
}
