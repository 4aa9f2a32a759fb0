//! Values in a statement, where there may be any number of them.
//!
//! Not here: rows that are written ([`sqlx::QueryBuilder::push_values`]).

use sqlx::QueryBuilder;

use super::engine::Engine;

/// Writes `values` and the end of their list into a statement. There are few different lengths, so that few statements
/// are prepared: the last value stands there again.
pub(in crate::db) fn push_list<V>(sql: &mut QueryBuilder<Engine>, values: impl Iterator<Item = V>)
where
    V: Clone + Send + for<'q> sqlx::Encode<'q, Engine> + sqlx::Type<Engine> + 'static,
{
    let mut values: Vec<V> = values.collect();
    if let Some(last) = values.last().cloned() {
        values.resize(values.len().next_power_of_two(), last);
    }
    let mut list = sql.separated(", ");
    for value in values {
        list.push_bind(value);
    }
    sql.push(")");
}
