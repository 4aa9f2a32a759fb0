//! Numbers to be drawn: tables and charts as they are kept, apart from where they stand.

mod number;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A table of words and numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, Default)]
pub struct TableData {
    /// The head, one cell a column.
    pub head: Vec<String>,
    /// The rows; each has as many cells as the head.
    pub rows: Vec<Vec<String>>,
}

/// How numbers are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChartKind {
    /// Upright bars side by side.
    Columns,
    /// Level bars, one below the other.
    Bars,
    /// A line for each series.
    Lines,
    /// Parts of a whole.
    Donut,
}

/// A row of numbers with a name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Series {
    /// What it is.
    pub name: String,
    /// One for each label; `None` where there is none.
    pub values: Vec<Option<f64>>,
}

/// The numbers of a chart.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChartData {
    /// How they are drawn.
    pub kind: ChartKind,
    /// What each place along the axis is.
    pub labels: Vec<String>,
    /// At least one; at most six are drawn.
    pub series: Vec<Series>,
    /// What stands before a number: a currency.
    pub prefix: String,
    /// What stands behind a number: a unit, `%`.
    pub suffix: String,
    /// Whether a comma stands before decimals.
    #[serde(default)]
    pub comma: bool,
}

impl ChartData {
    /// A number as this chart writes it.
    pub fn write(&self, value: f64) -> String {
        number::write(value, &self.prefix, &self.suffix, self.comma)
    }
}
