//! Reads a service's records without needing more of them than their meaning (specification, "Change policy", rule 2;
//! contract, "A service that others wrote").
//!
//! Always true: [`read`] never fails. A field that is missing, null, of another type or has an unknown value becomes
//! "not told" (`None`, empty, zero), and a value of another type that says the same is understood: a number as text, a
//! text as number, Unix seconds as a moment. Not here: which fields a step cannot do without; those are read by plain
//! serde.

use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::{Id, ItemRef, Timestamp};

/// Larger numbers are milliseconds: as seconds they would lie after the year 5138.
const SMALLEST_MILLIS: i64 = 100_000_000_000;

/// Reads a field, for `#[serde(default, deserialize_with = "lenient::read")]`.
pub(crate) fn read<'de, D: Deserializer<'de>, T: Lenient + Default>(deserializer: D) -> Result<T, D::Error> {
    Ok(Value::deserialize(deserializer).ok().and_then(T::read).unwrap_or_default())
}

/// Reads a field whose `null` differs from its absence: `None` where it is missing or unusable, `Some(None)` for null.
pub(crate) fn read_nullable<'de, D: Deserializer<'de>, T: Lenient>(
    deserializer: D,
) -> Result<Option<Option<T>>, D::Error> {
    let value = Value::deserialize(deserializer).unwrap_or(Value::Bool(false));
    Ok(if value.is_null() { Some(None) } else { T::read(value).map(Some) })
}

/// Reads a field without which a record has no meaning, such as its id.
pub(crate) fn needed<'de, D: Deserializer<'de>, T: Lenient>(deserializer: D) -> Result<T, D::Error> {
    T::read(Value::deserialize(deserializer)?).ok_or_else(|| serde::de::Error::custom("of no use"))
}

/// Types that can be read from any JSON value.
pub(crate) trait Lenient: Sized {
    /// `None` where the value has no meaning for this type.
    fn read(value: Value) -> Option<Self>;
}

impl Lenient for String {
    fn read(value: Value) -> Option<Self> {
        match value {
            Value::String(text) => Some(text),
            Value::Number(number) => Some(number.to_string()),
            Value::Bool(is_so) => Some(is_so.to_string()),
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        }
    }
}

impl Lenient for bool {
    fn read(value: Value) -> Option<Self> {
        match value {
            Value::Bool(is_so) => Some(is_so),
            Value::String(text) => text.trim().to_ascii_lowercase().parse().ok(),
            Value::Number(number) => Some(number.as_f64()? != 0.0),
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        }
    }
}

impl Lenient for f64 {
    fn read(value: Value) -> Option<Self> {
        match value {
            Value::Number(number) => number.as_f64(),
            Value::String(text) => text.trim().parse().ok().filter(|number: &Self| number.is_finite()),
            _ => None,
        }
    }
}

impl Lenient for i64 {
    fn read(value: Value) -> Option<Self> {
        match &value {
            Value::Number(number) if number.is_i64() => number.as_i64(),
            Value::String(text) if text.trim().parse::<Self>().is_ok() => text.trim().parse().ok(),
            _ => {
                let number = f64::read(value)?;
                #[expect(clippy::cast_possible_truncation, reason = "the bound is checked, the fraction means nothing")]
                (number.abs() < 9e15).then_some(number as Self)
            }
        }
    }
}

macro_rules! unsigned {
    ($($type:ty)+) => {$(
        impl Lenient for $type {
            fn read(value: Value) -> Option<Self> {
                i64::read(value)?.try_into().ok()
            }
        }
    )+};
}
unsigned!(u8 u16 u32 u64);

impl Lenient for Value {
    fn read(value: Value) -> Option<Self> {
        Some(value)
    }
}

impl Lenient for Timestamp {
    fn read(value: Value) -> Option<Self> {
        if let Value::String(text) = &value
            && let Ok(moment) = text.trim().parse()
        {
            return Some(moment);
        }
        let number = f64::read(value).filter(|number| number.abs() < 9e15)?;
        #[expect(clippy::cast_possible_truncation, reason = "the bound is checked above")]
        let whole = number as i64;
        let micros = if whole.abs() >= SMALLEST_MILLIS { number * 1e3 } else { number * 1e6 };
        #[expect(clippy::cast_possible_truncation, reason = "a float that is too large becomes the last moment")]
        Some(Self::from_micros(micros as i64))
    }
}

impl<K: crate::id::Kind> Lenient for Id<K> {
    fn read(value: Value) -> Option<Self> {
        Self::new(&String::read(value)?).ok()
    }
}

impl Lenient for ItemRef {
    fn read(value: Value) -> Option<Self> {
        String::read(value)?.parse().ok()
    }
}

impl<T: Lenient> Lenient for Option<T> {
    fn read(value: Value) -> Option<Self> {
        T::read(value).map(Some)
    }
}

impl<T: Lenient> Lenient for Vec<T> {
    /// Items that cannot be read are left out.
    fn read(value: Value) -> Option<Self> {
        let Value::Array(items) = value else { return None };
        Some(items.into_iter().filter_map(T::read).collect())
    }
}

impl<T: Lenient> Lenient for std::collections::BTreeMap<String, T> {
    fn read(value: Value) -> Option<Self> {
        let Value::Object(fields) = value else { return None };
        Some(fields.into_iter().filter_map(|(name, value)| Some((name, T::read(value)?))).collect())
    }
}

/// Lets records be fields of others, read in their own way.
macro_rules! records {
    ($($type:ty),+ $(,)?) => {$(
        impl $crate::lenient::Lenient for $type {
            fn read(value: serde_json::Value) -> Option<Self> {
                serde_json::from_value(value).ok()
            }
        }
    )+};
}
pub(crate) use records;

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[derive(Debug, Default, PartialEq, Deserialize)]
    struct Everything {
        #[serde(default, deserialize_with = "read")]
        text: Option<String>,
        #[serde(default, deserialize_with = "read")]
        number: Option<u32>,
        #[serde(default, deserialize_with = "read")]
        is_so: bool,
        #[serde(default, deserialize_with = "read")]
        at: Option<Timestamp>,
        #[serde(default, deserialize_with = "read")]
        list: Vec<u8>,
        #[serde(default, deserialize_with = "read_nullable")]
        nullable: Option<Option<String>>,
    }

    #[test]
    fn what_says_nothing_is_not_told() {
        for value in [json!(null), json!({}), json!([[]]), json!("?"), json!(-1)] {
            let read: Everything = serde_json::from_value(json!({"number": value, "at": {}, "list": value})).unwrap();
            assert_eq!(read, Everything::default(), "{value}");
        }
    }

    #[test]
    fn what_says_the_same_in_another_type_is_understood() {
        let moment = Timestamp::from_micros(1_777_636_800_500_000);
        for at in [
            json!("2026-05-01T12:00:00.5Z"),
            json!(1_777_636_800.5),
            json!(1_777_636_800_500_u64),
            json!("1777636800.5"),
        ] {
            let read: Everything = serde_json::from_value(
                json!({"text": 7, "number": " 12", "is_so": "true", "at": at, "list": [1, "2", {}, 300]}),
            )
            .unwrap();
            assert_eq!((read.text.as_deref(), read.number, read.is_so), (Some("7"), Some(12), true));
            assert_eq!((read.at, read.list), (Some(moment), vec![1, 2]), "{at}");
        }
    }

    #[test]
    fn null_is_told_apart_from_missing_where_that_matters() {
        let nullable = |body: Value| serde_json::from_value::<Everything>(body).unwrap().nullable;
        assert_eq!(nullable(json!({})), None);
        assert_eq!(nullable(json!({"nullable": []})), None);
        assert_eq!(nullable(json!({"nullable": null})), Some(None));
        assert_eq!(nullable(json!({"nullable": "x"})), Some(Some("x".to_owned())));
    }
}
