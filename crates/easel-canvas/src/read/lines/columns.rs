//! Tables without a mark at their beginning: columns set with tabs, with bars, or with blanks.
//!
//! They are returned as rows of Markdown. Every row has as many cells as the head; a cell may be empty. Deliberately not
//! here: tables of Markdown itself, whose rows begin with a bar.

/// The rows of a table that begins with a line, as rows of Markdown, and where it ends.
pub fn table_at(all: &[&str], from: usize) -> Option<(Vec<String>, usize)> {
    marked_at(all, from, '\t')
        .or_else(|| marked_at(all, from, '|'))
        .or_else(|| marked_at(all, from, ';'))
        .or_else(|| aligned_at(all, from))
}

/// A table whose cells a mark divides: at least a head and two rows, of at least two cells each.
fn marked_at(all: &[&str], from: usize, mark: char) -> Option<(Vec<String>, usize)> {
    let cells_of = |line: &str| -> Vec<String> { line.split(mark).map(|cell| cell.trim().to_owned()).collect() };
    // A row of Markdown begins with its mark.
    if mark == '|' && all[from].trim_start().starts_with('|') || !all[from].contains(mark) {
        return None;
    }
    let head = cells_of(all[from]);
    let rows: Vec<Vec<String>> = all[from + 1..]
        .iter()
        .take_while(|line| line.contains(mark))
        .map(|line| cells_of(line))
        .take_while(|cells| cells.len() <= head.len())
        .collect();
    let is_table =
        head.len() >= 2 && rows.len() >= 2 && rows.iter().all(|cells| cells.iter().any(|cell| !cell.is_empty()));
    // Sentences have semicolons too: there every row has as many cells, and its last is a number.
    let is_number = |cell: &String| {
        cell.chars().next().is_some_and(|first| first.is_ascii_digit()) && cell.split_whitespace().count() <= 2
    };
    // “Men | cut | 26” over “Men | beard | 12”: where the first row ends with a number as the others do, no row is a head.
    let is_headless = mark == '|'
        && head.last().is_some_and(is_number)
        && rows.iter().all(|cells| {
            cells.len() == head.len()
                && cells.last().is_some_and(|cell| cell.chars().any(|letter| letter.is_ascii_digit()))
        });
    if is_headless && is_table {
        let blank = vec![String::new(); head.len()];
        let all_rows: Vec<Vec<String>> = std::iter::once(head).chain(rows).collect();
        let count = all_rows.len();
        let (told, _) = written(&blank, all_rows, from);
        return Some((told, from + count));
    }
    let is_exact =
        mark != ';' || rows.iter().all(|cells| cells.len() == head.len() && cells.last().is_some_and(is_number));
    (is_table && is_exact).then(|| written(&head, rows, from))
}

/// A table that is set with blanks: at least three cells in each row.
fn aligned_at(all: &[&str], from: usize) -> Option<(Vec<String>, usize)> {
    let cells_of = |line: &str| -> Vec<String> {
        let spaced = line.trim_end().replace('\t', "   ");
        spaced.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).map(str::to_owned).collect()
    };
    let head = cells_of(all[from]);
    let rows: Vec<Vec<String>> =
        all[from + 1..].iter().map(|line| cells_of(line)).take_while(|cells| cells.len() >= 3).collect();
    let width = rows.first()?.len();
    let rows: Vec<Vec<String>> = rows.into_iter().take_while(|cells| cells.len() == width).collect();
    // The head may say nothing over the names of the rows.
    let fits = rows.len() >= 2 && (head.len() == width || head.len() + 1 == width) && !all[from].contains('|');
    if !fits {
        return None;
    }
    let blank = std::iter::repeat_n(String::new(), width - head.len());
    let head: Vec<String> = blank.chain(head).collect();
    Some(written(&head, rows, from))
}

/// A head and rows as they are written in Markdown, and where they end.
fn written(head: &[String], mut rows: Vec<Vec<String>>, from: usize) -> (Vec<String>, usize) {
    let width = head.len();
    rows.iter_mut().for_each(|cells| cells.resize(width, String::new()));
    let row = |cells: &[String]| format!("| {} |", cells.join(" | "));
    let rule = vec!["---".to_owned(); width];
    let end = from + 1 + rows.len();
    ([row(head), row(&rule)].into_iter().chain(rows.iter().map(|cells| row(cells))).collect(), end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_columns_however_they_are_set() {
        for text in ["Lock\tBoats\nEast\t12\nWest\t9", "Lock | Boats\nEast | 12\nWest | 9"] {
            let all: Vec<&str> = text.lines().collect();
            let (rows, end) = table_at(&all, 0).unwrap_or_else(|| panic!("{text}"));
            assert_eq!((rows[0].as_str(), rows[3].as_str(), end), ("| Lock | Boats |", "| West | 9 |", 3));
        }
        let all: Vec<&str> = "\tEast\tWest\nMonday\topen\tshut\nTuesday\topen\t".lines().collect();
        let (rows, _) = table_at(&all, 0).expect("a table");
        assert_eq!(rows[3], "| Tuesday | open |  |");
        for text in ["Poster | A3 | spring", "one | two\nthree"] {
            assert_eq!(table_at(&text.lines().collect::<Vec<_>>(), 0), None);
        }
    }
}
