//! Where a page of a list begins.
//!
//! Not here: what a cursor looks like outside ([`crate::web::list`]).

/// Where a page begins.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Start<T> {
    /// After so many items of the list; zero for its beginning.
    Offset(u64),
    /// After the item with this sort key.
    After(T),
}
