//! Separated values — commas or semicolons without a blank behind them, cells in quotation marks — as tables.
//!
//! What holds: lines are rows only where two or more have as many cells; a sentence with commas is none, because there a blank
//! follows. Deliberately not here: columns set with tabs, bars or blanks (`lines::columns`).

use super::nodes::barred;
use crate::read::text;

/// Names that stand over columns.
#[rustfmt::skip]
const COLUMNS: &[&str] = &[
    "name", "role", "item", "price", "time", "date", "day", "title", "what", "when", "where", "who", "room", "place", "service", "product", "phone", "mail", "email",
    "position", "preis", "zeit", "datum", "raum", "ort", "rolle", "nom", "prix", "heure", "lieu", "nombre", "precio", "hora", "fecha", "nome", "prezzo", "orario",
];

/// The brief with tables for its separated values; `None` where it has none.
pub fn as_tables(text: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut plain: Vec<String> = Vec::new();
    let (mut at, mut is_found) = (0, false);
    while at < lines.len() {
        let found = [',', ';'].into_iter().find_map(|mark| rows_at(&lines[at..], mark));
        match found {
            Some(rows) => {
                is_found = true;
                at += rows.len();
                plain.extend([String::new(), written(rows), String::new()]);
            }
            None => {
                let others =
                    [at.checked_sub(1), Some(at + 1)].into_iter().flatten().filter_map(|other| lines.get(other));
                let unbarred = unbarred(lines[at]).filter(|_| !others.into_iter().any(|other| other.contains(BAR)));
                is_found |= unbarred.is_some();
                plain.push(unbarred.unwrap_or_else(|| lines[at].to_owned()));
                at += 1;
            }
        }
    }
    is_found.then(|| plain.join("\n"))
}

/// Between cells that people type.
const BAR: &str = " | ";

/// So many bars divide what is no name under a letter.
const LEAST_BARS: usize = 3;

/// “Weir Day | Date: 3 May | Place: the weir | free”: several things on one line of their own, one of them behind a label, with
/// semicolons between them.
fn unbarred(line: &str) -> Option<String> {
    let pieces: Vec<&str> = line.split(BAR).collect();
    let is_list = pieces.len() > LEAST_BARS
        && !line.trim_start().starts_with('|')
        && pieces[1..].iter().any(|piece| text::label(piece).is_some_and(|(_, body)| !body.is_empty()));
    is_list.then(|| pieces.join("; "))
}

/// The rows that lines begin with: two or more with as many cells each.
fn rows_at(lines: &[&str], mark: char) -> Option<Vec<Vec<String>>> {
    let first = cells_of(lines.first()?, mark)?;
    let mut rows = vec![first];
    for line in &lines[1..] {
        match cells_of(line, mark).filter(|cells| cells.len() == rows[0].len()) {
            Some(cells) => rows.push(cells),
            None => break,
        }
    }
    (rows.len() >= 2).then_some(rows)
}

/// The cells of a row; `None` where a mark is followed by a blank, as in a sentence, or stands within a number.
fn cells_of(line: &str, mark: char) -> Option<Vec<String>> {
    let mut cells = vec![String::new()];
    let mut is_quoted = false;
    let letters: Vec<char> = line.trim().chars().collect();
    for (at, letter) in letters.iter().enumerate() {
        let (before, next) = (at.checked_sub(1).map(|before| letters[before]), letters.get(at + 1));
        match letter {
            '"' if is_quoted && next == Some(&'"') => {}
            '"' if is_quoted && before == Some('"') && !cells.last()?.is_empty() => cells.last_mut()?.push('"'),
            '"' if is_quoted || cells.last()?.is_empty() => is_quoted = !is_quoted,
            letter if *letter == mark && !is_quoted => {
                let is_digit = |letter: Option<&char>| letter.is_some_and(char::is_ascii_digit);
                if next.is_some_and(|next| next.is_whitespace())
                    || is_digit(before.as_ref()) && is_digit(next) && mark == ','
                {
                    return None;
                }
                cells.push(String::new());
            }
            letter => cells.last_mut()?.push(*letter),
        }
    }
    let is_row = cells.len() >= 2 && !cells[0].trim().is_empty() && !is_quoted && !line.contains("://");
    is_row.then(|| cells.into_iter().map(|cell| cell.trim().to_owned()).collect())
}

/// Rows under a head are a table; pairs without one are labels with what they say.
fn written(mut rows: Vec<Vec<String>>) -> String {
    let has_digit = |row: &[String]| row.iter().any(|cell| cell.chars().any(|letter| letter.is_ascii_digit()));
    let is_named = rows[0].iter().any(|cell| COLUMNS.contains(&cell.to_lowercase().as_str()));
    let count = rows[0].len();
    let has_head = is_named && rows.len() > 2
        || !has_digit(&rows[0]) && rows.len() > 2 && rows[1..].iter().all(|row| has_digit(row));
    if !has_head && count == 2 {
        return rows.iter().map(|row| format!("{}: {}", row[0], row[1])).collect::<Vec<_>>().join("\n");
    }
    if !has_head && (rows.len() == 2 || has_digit(&rows[0])) {
        rows.insert(0, vec![String::new(); count]);
    }
    barred(&rows).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::as_tables;

    #[test]
    fn rows_under_a_head_are_a_table() {
        let plain = as_tables("Prices:\nItem,Price\nTea,2\n\"Cake, with cream\",\"3,50\"").unwrap();
        assert_eq!(plain, "Prices:\n\n| Item | Price |\n|---|---|\n| Tea | 2 |\n| Cake, with cream | 3,50 |\n");
    }

    #[test]
    fn pairs_without_a_head_are_labels() {
        assert_eq!(as_tables("Day;3 May\nPlace;the weir").unwrap(), "\nDay: 3 May\nPlace: the weir\n");
    }

    #[test]
    fn bars_on_one_line_divide_things() {
        let line = "Poster: Weir Day | Date: 3 May | the weir | free";
        assert_eq!(as_tables(line).unwrap(), "Poster: Weir Day; Date: 3 May; the weir; free");
        for line in ["Ada Byron | Engineer | Weir Trust | 020", "Tea | 2 | 3 | 4\nCake: x | 3 | 4 | 5"] {
            assert_eq!(as_tables(line), None);
        }
    }

    #[test]
    fn sentences_are_no_rows() {
        assert_eq!(as_tables("Tea, coffee, cake\nBread, butter, jam"), None);
        assert_eq!(as_tables("1,200 guests\n3,400 cups"), None);
    }
}
