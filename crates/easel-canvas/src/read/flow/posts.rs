//! A table of posts as a tree: one column names them, another names to whom each belongs.

use super::graph::Flow;
use crate::chart::TableData;
use crate::content::{Arrow, Point};
use crate::read::text;

/// The tree that a table is; `None` where no column names rows of the first.
pub fn tree_of(table: &TableData) -> Option<Flow> {
    let cell = |row: &[String], at: usize| row.get(at).map(|cell| cell.trim().to_owned()).unwrap_or_default();
    let names: Vec<String> = table.rows.iter().map(|row| cell(row, 0)).collect();
    let names_rows = |at: &usize| {
        let told: Vec<String> = table.rows.iter().map(|row| cell(row, *at)).filter(|cell| !cell.is_empty()).collect();
        told.len() >= 2 && told.len() < names.len() && told.iter().all(|cell| names.contains(cell))
    };
    let over = (1..table.head.len()).rev().find(names_rows)?;
    let mut flow = Flow::default();
    for row in &table.rows {
        let rest: Vec<String> = (1..table.head.len())
            .filter(|at| *at != over)
            .map(|at| cell(row, at))
            .filter(|cell| !cell.is_empty())
            .collect();
        flow.boxes.push(Point::new(text::capitalize(&cell(row, 0)), rest.join(", ")));
    }
    for (to, row) in table.rows.iter().enumerate() {
        if let Some(from) = names.iter().position(|name| *name == cell(row, over)).filter(|from| *from != to) {
            flow.arrows.push(Arrow { from, to, label: String::new() });
        }
    }
    Some(flow)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_who_stands_under_whom() {
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        let table = TableData {
            head: row(["Post", "Name", "Under"]),
            rows: vec![row(["Lock", "Ana", ""]), row(["Gate", "Bo", "Lock"]), row(["Weir", "Cy", "Lock"])],
        };
        let flow = tree_of(&table).expect("a tree");
        assert_eq!(flow.arrows.iter().map(|arrow| (arrow.from, arrow.to)).collect::<Vec<_>>(), [(0, 1), (0, 2)]);
        assert_eq!(flow.boxes[1].body_text(), "Bo");
    }
}
