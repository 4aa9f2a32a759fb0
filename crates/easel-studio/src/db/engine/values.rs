//! Kinds of values: whole numbers of 64 bits, yes and no, texts, bytes, and ids, which are the 16 bytes of a UUID.
//!
//! Always true: a whole number that does not fit the type that is asked for is an error, in both engines. Columns for
//! yes and no hold 0 and 1; what a condition comes to is PostgreSQL's own kind of value there, and is read all the same.

use std::borrow::Cow;
use std::fmt;

use sqlx::encode::IsNull;
use sqlx::error::BoxDynError;
use sqlx::postgres::{PgTypeInfo, PgValue, PgValueRef, Postgres};
use sqlx::sqlite::{Sqlite, SqliteTypeInfo, SqliteValue, SqliteValueRef};
use sqlx::{Decode, Encode, Type, TypeInfo as _, ValueRef as _};
use uuid::Uuid;

use super::{Bound, Engine};

/// The kind of a value that is bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A whole number, or yes and no.
    Integer,
    /// A text.
    Text,
    /// Bytes, also an id.
    Bytes,
}

/// The type of a value: what the studio binds, or what an engine has in a row.
#[derive(Debug, Clone, PartialEq)]
pub enum TypeInfo {
    /// Of a value that is bound.
    Bound(Kind),
    /// Of a value in a row of SQLite's.
    Sqlite(SqliteTypeInfo),
    /// Of a value in a row of PostgreSQL's.
    Postgres(PgTypeInfo),
}

impl TypeInfo {
    /// The kind of a value that is bound in a place of this type.
    pub(super) fn kind(&self) -> Kind {
        match self {
            Self::Bound(kind) => *kind,
            Self::Sqlite(_) | Self::Postgres(_) => Kind::Bytes,
        }
    }

    fn is<T: Type<Sqlite> + Type<Postgres> + ?Sized>(&self) -> bool {
        match self {
            Self::Bound(_) => false,
            Self::Sqlite(found) => <T as Type<Sqlite>>::compatible(found),
            Self::Postgres(found) => <T as Type<Postgres>>::compatible(found),
        }
    }

    fn is_integer(&self) -> bool {
        self.is::<i64>()
            || matches!(self, Self::Postgres(found)
                if <i32 as Type<Postgres>>::compatible(found) || <i16 as Type<Postgres>>::compatible(found))
    }
}

impl sqlx::TypeInfo for TypeInfo {
    fn is_null(&self) -> bool {
        match self {
            Self::Bound(_) => false,
            Self::Sqlite(found) => found.is_null(),
            Self::Postgres(found) => found.is_null(),
        }
    }

    fn name(&self) -> &str {
        match self {
            Self::Bound(Kind::Integer) => "a whole number",
            Self::Bound(Kind::Text) => "a text",
            Self::Bound(Kind::Bytes) => "bytes",
            Self::Sqlite(found) => found.name(),
            Self::Postgres(found) => found.name(),
        }
    }
}

impl fmt::Display for TypeInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A value by itself.
#[derive(Clone)]
pub enum Value {
    /// Of SQLite's.
    Sqlite(SqliteValue),
    /// Of PostgreSQL's.
    Postgres(PgValue),
}

impl sqlx::Value for Value {
    type Database = Engine;

    fn as_ref(&self) -> ValueRef<'_> {
        match self {
            Self::Sqlite(value) => ValueRef::Sqlite(value.as_ref()),
            Self::Postgres(value) => ValueRef::Postgres(value.as_ref()),
        }
    }

    fn type_info(&self) -> Cow<'_, TypeInfo> {
        Cow::Owned(self.as_ref().type_info().into_owned())
    }

    fn is_null(&self) -> bool {
        self.as_ref().is_null()
    }
}

/// A value in a row.
pub enum ValueRef<'r> {
    /// Of SQLite's.
    Sqlite(SqliteValueRef<'r>),
    /// Of PostgreSQL's.
    Postgres(PgValueRef<'r>),
}

impl<'r> sqlx::ValueRef<'r> for ValueRef<'r> {
    type Database = Engine;

    fn to_owned(&self) -> Value {
        match self {
            Self::Sqlite(value) => Value::Sqlite(sqlx::ValueRef::to_owned(value)),
            Self::Postgres(value) => Value::Postgres(sqlx::ValueRef::to_owned(value)),
        }
    }

    fn type_info(&self) -> Cow<'_, TypeInfo> {
        Cow::Owned(match self {
            Self::Sqlite(value) => TypeInfo::Sqlite(value.type_info().into_owned()),
            Self::Postgres(value) => TypeInfo::Postgres(value.type_info().into_owned()),
        })
    }

    fn is_null(&self) -> bool {
        match self {
            Self::Sqlite(value) => value.is_null(),
            Self::Postgres(value) => value.is_null(),
        }
    }
}

/// A value that may be nothing is bound as its kind.
impl<'q, T: Encode<'q, Engine> + Type<Engine> + 'q> Encode<'q, Engine> for Option<T> {
    fn encode(self, buf: &mut Vec<Bound>) -> Result<IsNull, BoxDynError> {
        match self {
            Some(value) => value.encode(buf),
            None => Ok(IsNull::Yes),
        }
    }

    fn encode_by_ref(&self, buf: &mut Vec<Bound>) -> Result<IsNull, BoxDynError> {
        match self {
            Some(value) => value.encode_by_ref(buf),
            None => Ok(IsNull::Yes),
        }
    }
}

fn decode_integer(value: ValueRef<'_>) -> Result<i64, BoxDynError> {
    match value {
        ValueRef::Sqlite(value) => <i64 as Decode<Sqlite>>::decode(value),
        // Reads any length of whole number.
        ValueRef::Postgres(value) => <i64 as Decode<Postgres>>::decode(value),
    }
}

/// Whole numbers, which are bound and kept in 64 bits.
macro_rules! whole_numbers {
    ($($number:ty),*) => {$(
        impl Type<Engine> for $number {
            fn type_info() -> TypeInfo {
                TypeInfo::Bound(Kind::Integer)
            }

            fn compatible(found: &TypeInfo) -> bool {
                found.is_integer()
            }
        }

        impl Encode<'_, Engine> for $number {
            fn encode_by_ref(&self, buf: &mut Vec<Bound>) -> Result<IsNull, BoxDynError> {
                buf.push(Bound::Integer(i64::from(*self)));
                Ok(IsNull::No)
            }
        }

        impl Decode<'_, Engine> for $number {
            fn decode(value: ValueRef<'_>) -> Result<Self, BoxDynError> {
                Ok(Self::try_from(decode_integer(value)?)?)
            }
        }
    )*};
}

whole_numbers!(u16, u32, i64);

/// Values that both engines read by themselves.
macro_rules! read_alike {
    ($($value:ty),*) => {$(
        impl<'r> Decode<'r, Engine> for $value {
            fn decode(value: ValueRef<'r>) -> Result<Self, BoxDynError> {
                match value {
                    ValueRef::Sqlite(value) => <Self as Decode<Sqlite>>::decode(value),
                    ValueRef::Postgres(value) => <Self as Decode<Postgres>>::decode(value),
                }
            }
        }
    )*};
}

read_alike!(&'r str, String, Vec<u8>);

impl Type<Engine> for bool {
    fn type_info() -> TypeInfo {
        TypeInfo::Bound(Kind::Integer)
    }

    fn compatible(found: &TypeInfo) -> bool {
        found.is::<bool>() || found.is_integer()
    }
}

impl Encode<'_, Engine> for bool {
    fn encode_by_ref(&self, buf: &mut Vec<Bound>) -> Result<IsNull, BoxDynError> {
        buf.push(Bound::Integer(i64::from(*self)));
        Ok(IsNull::No)
    }
}

impl Decode<'_, Engine> for bool {
    fn decode(value: ValueRef<'_>) -> Result<Self, BoxDynError> {
        match value {
            ValueRef::Sqlite(value) => <Self as Decode<Sqlite>>::decode(value),
            ValueRef::Postgres(value) if <Self as Type<Postgres>>::compatible(&value.type_info()) => {
                <Self as Decode<Postgres>>::decode(value)
            }
            ValueRef::Postgres(value) => Ok(<i64 as Decode<Postgres>>::decode(value)? != 0),
        }
    }
}

impl Type<Engine> for str {
    fn type_info() -> TypeInfo {
        TypeInfo::Bound(Kind::Text)
    }

    fn compatible(found: &TypeInfo) -> bool {
        found.is::<Self>()
    }
}

impl Encode<'_, Engine> for &str {
    fn encode_by_ref(&self, buf: &mut Vec<Bound>) -> Result<IsNull, BoxDynError> {
        buf.push(Bound::Text((*self).to_owned()));
        Ok(IsNull::No)
    }
}

impl Type<Engine> for String {
    fn type_info() -> TypeInfo {
        <str as Type<Engine>>::type_info()
    }

    fn compatible(found: &TypeInfo) -> bool {
        <str as Type<Engine>>::compatible(found)
    }
}

impl Encode<'_, Engine> for String {
    fn encode(self, buf: &mut Vec<Bound>) -> Result<IsNull, BoxDynError> {
        buf.push(Bound::Text(self));
        Ok(IsNull::No)
    }

    fn encode_by_ref(&self, buf: &mut Vec<Bound>) -> Result<IsNull, BoxDynError> {
        buf.push(Bound::Text(self.clone()));
        Ok(IsNull::No)
    }
}

impl Type<Engine> for [u8] {
    fn type_info() -> TypeInfo {
        TypeInfo::Bound(Kind::Bytes)
    }

    fn compatible(found: &TypeInfo) -> bool {
        found.is::<Vec<u8>>()
    }
}

impl Encode<'_, Engine> for &[u8] {
    fn encode_by_ref(&self, buf: &mut Vec<Bound>) -> Result<IsNull, BoxDynError> {
        buf.push(Bound::Bytes(self.to_vec()));
        Ok(IsNull::No)
    }
}

impl Type<Engine> for Vec<u8> {
    fn type_info() -> TypeInfo {
        <[u8] as Type<Engine>>::type_info()
    }

    fn compatible(found: &TypeInfo) -> bool {
        <[u8] as Type<Engine>>::compatible(found)
    }
}

impl Encode<'_, Engine> for Vec<u8> {
    fn encode(self, buf: &mut Vec<Bound>) -> Result<IsNull, BoxDynError> {
        buf.push(Bound::Bytes(self));
        Ok(IsNull::No)
    }

    fn encode_by_ref(&self, buf: &mut Vec<Bound>) -> Result<IsNull, BoxDynError> {
        buf.push(Bound::Bytes(self.clone()));
        Ok(IsNull::No)
    }
}

impl Type<Engine> for Uuid {
    fn type_info() -> TypeInfo {
        <[u8] as Type<Engine>>::type_info()
    }

    fn compatible(found: &TypeInfo) -> bool {
        <[u8] as Type<Engine>>::compatible(found)
    }
}

impl Encode<'_, Engine> for Uuid {
    fn encode_by_ref(&self, buf: &mut Vec<Bound>) -> Result<IsNull, BoxDynError> {
        buf.push(Bound::Bytes(self.as_bytes().to_vec()));
        Ok(IsNull::No)
    }
}

impl Decode<'_, Engine> for Uuid {
    fn decode(value: ValueRef<'_>) -> Result<Self, BoxDynError> {
        let bytes = match value {
            ValueRef::Sqlite(value) => return <Self as Decode<Sqlite>>::decode(value),
            ValueRef::Postgres(value) => <&[u8] as Decode<Postgres>>::decode(value)?,
        };
        Ok(Self::from_slice(bytes)?)
    }
}
