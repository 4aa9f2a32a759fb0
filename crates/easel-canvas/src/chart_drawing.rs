//! Charts and tables as the shapes and words that they are drawn with.
//!
//! A document keeps the numbers; what is drawn from them is found here each time, the same for every format. Labels that
//! would meet are left out, evenly; a value is written where there is room for it.

mod donut;
mod label;
mod plot;
mod table;

use crate::chart::ChartKind;
use crate::document::{Chart, Node};
use crate::theme::Theme;

pub use table::{CELL_PADDING, draw_table, is_number, number_columns};

/// The shapes and words of a chart, inside its frame.
pub fn draw_chart(chart: &Chart, theme: &Theme) -> Vec<Node> {
    match chart.data.kind {
        ChartKind::Donut => donut::draw(chart, theme),
        ChartKind::Bars => plot::draw_bars(chart, theme),
        ChartKind::Columns | ChartKind::Lines => plot::draw_upright(chart, theme),
    }
}
