//! Values that are bound to a statement, before it is known which engine runs it.

use std::fmt::{self, Write};

use sqlx::encode::IsNull;
use sqlx::error::BoxDynError;
use sqlx::postgres::PgArguments;
use sqlx::sqlite::SqliteArguments;
use sqlx::{Arguments as _, Encode, IntoArguments, Type};

use super::Engine;
use super::values::Kind;

/// A bound value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Bound {
    /// Nothing, in a place for this kind of value.
    Null(Kind),
    /// A whole number, or 0 and 1 for no and yes.
    Integer(i64),
    /// A text.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
}

/// The values bound to one statement, in order.
#[derive(Debug, Clone, Default)]
pub struct Arguments(Vec<Bound>);

impl sqlx::Arguments for Arguments {
    type Database = Engine;

    fn reserve(&mut self, additional: usize, _bytes: usize) {
        self.0.reserve(additional);
    }

    fn add<'t, T>(&mut self, value: T) -> Result<(), BoxDynError>
    where
        T: Encode<'t, Engine> + Type<Engine>,
    {
        let before = self.0.len();
        match value.encode(&mut self.0) {
            Ok(IsNull::No) => Ok(()),
            Ok(IsNull::Yes) => {
                self.0.push(Bound::Null(T::type_info().kind()));
                Ok(())
            }
            Err(error) => {
                self.0.truncate(before);
                Err(error)
            }
        }
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn format_placeholder<W: Write>(&self, writer: &mut W) -> fmt::Result {
        write!(writer, "${}", self.0.len())
    }
}

impl IntoArguments<Engine> for Arguments {
    fn into_arguments(self) -> Self {
        self
    }
}

impl From<Vec<Bound>> for Arguments {
    fn from(values: Vec<Bound>) -> Self {
        Self(values)
    }
}

impl Arguments {
    pub(super) fn for_sqlite(self) -> Result<SqliteArguments, BoxDynError> {
        let mut arguments = SqliteArguments::default();
        arguments.reserve(self.0.len(), 0);
        for bound in self.0 {
            match bound {
                Bound::Null(_) => arguments.add(None::<i64>)?,
                Bound::Integer(number) => arguments.add(number)?,
                Bound::Text(text) => arguments.add(text)?,
                Bound::Bytes(bytes) => arguments.add(bytes)?,
            }
        }
        Ok(arguments)
    }

    /// PostgreSQL is told the kind of each value, also of one that is nothing, and guesses none. It has no text with a
    /// NUL in it: there it becomes what stands for a letter that cannot be shown.
    pub(super) fn for_postgres(self) -> Result<PgArguments, BoxDynError> {
        let mut arguments = PgArguments::default();
        arguments.reserve(self.0.len(), 0);
        for bound in self.0 {
            match bound {
                Bound::Null(Kind::Integer) => arguments.add(None::<i64>)?,
                Bound::Null(Kind::Text) => arguments.add(None::<String>)?,
                Bound::Null(Kind::Bytes) => arguments.add(None::<Vec<u8>>)?,
                Bound::Integer(number) => arguments.add(number)?,
                Bound::Text(text) if text.contains('\0') => arguments.add(text.replace('\0', "\u{FFFD}"))?,
                Bound::Text(text) => arguments.add(text)?,
                Bound::Bytes(bytes) => arguments.add(bytes)?,
            }
        }
        Ok(arguments)
    }
}
