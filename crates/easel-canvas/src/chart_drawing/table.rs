//! A table: a head, rows, hairlines between them, numbers at the right.

use super::label::label;
use crate::chart::TableData;
use crate::document::{Align, Line, Node, Stroke, Table};
use crate::geometry::Frame;
use crate::theme::{Role, Theme};

/// Between a cell's words and its edge, of their size.
pub const CELL_PADDING: f32 = 0.85;

/// The words and lines of a table, inside its frame.
pub fn draw_table(table: &Table, _theme: &Theme) -> Vec<Node> {
    let size = table.text_size;
    let numeric = number_columns(&table.data);
    let padding = size * CELL_PADDING;
    let mut nodes = Vec::new();
    let mut y = table.frame.y;
    let rows = std::iter::once(&table.data.head).chain(&table.data.rows);
    for (row_at, (row, height)) in rows.zip(&table.row_heights).enumerate() {
        let mut x = table.frame.x;
        for (column, width) in table.column_widths.iter().enumerate() {
            let words = row.get(column).map(String::as_str).unwrap_or_default();
            let left = if column == 0 { 0.0 } else { padding };
            let right = if column + 1 == table.column_widths.len() { 0.0 } else { padding };
            let frame = Frame::new(x + left, y, (width - left - right).max(1.0), *height);
            let align = if numeric.get(column).copied().unwrap_or(false) { Align::End } else { Align::Start };
            let paint = if row_at == 0 { Role::Muted } else { Role::Ink };
            let mut cell = label(words, frame, size, align, paint);
            cell.style.weight = (row_at == 0 || column == 0).then_some(700);
            if !words.trim().is_empty() {
                nodes.push(Node::Text(cell));
            }
            x += width;
        }
        y += height;
        let paint = if row_at == 0 { Role::Accent } else { Role::Line };
        let width = if row_at == 0 { (size * 0.12).max(1.5) } else { (size * 0.05).max(0.75) };
        nodes.push(Node::Line(Line {
            from: (table.frame.x, y),
            to: (table.frame.right(), y),
            stroke: Stroke { paint: paint.into(), width },
            arrow: false,
        }));
    }
    nodes
}

/// Which columns hold numbers and nothing else.
pub fn number_columns(table: &TableData) -> Vec<bool> {
    (0..table.head.len())
        .map(|column| {
            let mut cells = table.rows.iter().filter_map(|row| row.get(column)).filter(|cell| !cell.trim().is_empty());
            cells.clone().next().is_some() && cells.all(|cell| is_number(cell))
        })
        .collect()
}

/// Whether a cell is a number as people write them: with a sign, a currency, groups, a percent sign.
pub fn is_number(cell: &str) -> bool {
    let cell = cell.trim();
    let digits = cell.chars().filter(char::is_ascii_digit).count();
    let others = cell
        .chars()
        .filter(|character| !character.is_ascii_digit() && !" .,'’−-+%$€£¥₹()\u{a0}\u{202f}".contains(*character))
        .count();
    digits > 0 && others == 0 && cell.chars().count() <= 24
}
