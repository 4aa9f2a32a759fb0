//! The name in a body.
//!
//! Not here: whether it is taken ([`crate::db::drive`]).

use easel_wire::error::FieldError;

use crate::core::error::Error;
use crate::core::names::Name;

/// Reads the name in a body.
///
/// # Errors
/// 422 for the field `name`, in the words of the [`crate::core::names::NameError`].
pub fn read_name(text: &str) -> Result<Name, Error> {
    Name::parse(text).map_err(|error| Error::Validation {
        fields: vec![FieldError { field: "name".to_owned(), code: error.code().to_owned() }],
        message: format!("name: {error}"),
    })
}
