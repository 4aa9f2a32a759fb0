//! Reading what another Easel wrote: an older one, which did not know everything, or a newer one, which knew more.
//!
//! Always true: what cannot be read costs itself and nothing beside it. A setting that cannot be read has its usual
//! value; an entry of a list that cannot be read is not shown, and stays in the file as it stands there. Not here: a
//! file that is no JSON at all ([`crate::data_dir`] sets it aside).

use serde::de::{DeserializeOwned, Error as _};
use serde::ser::SerializeSeq;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// Reads a field by itself, for serde: what cannot be read has its usual value.
pub(crate) fn or_default<'de, D: Deserializer<'de>, T: DeserializeOwned + Default>(
    deserializer: D,
) -> Result<T, D::Error> {
    let stored = Value::deserialize(deserializer)?;
    Ok(T::deserialize(&stored).unwrap_or_else(|error| {
        tracing::warn!(%error, "what another Easel wrote cannot be read, and has its usual value");
        T::default()
    }))
}

/// The entries of a list in a file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entries<T> {
    /// Entries that can be read.
    pub(crate) known: Vec<T>,
    /// The other entries, as they stand in the file.
    unreadable: Vec<Value>,
}

impl<T> Default for Entries<T> {
    fn default() -> Self {
        Self::from(Vec::new())
    }
}

impl<T> From<Vec<T>> for Entries<T> {
    fn from(known: Vec<T>) -> Self {
        Self { known, unreadable: Vec::new() }
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Entries<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Value::Array(stored) = Value::deserialize(deserializer)? else { return Err(D::Error::custom("no list")) };
        let mut entries = Self::default();
        for entry in stored {
            match T::deserialize(&entry) {
                Ok(known) => entries.known.push(known),
                Err(error) => {
                    tracing::error!(%error, "an entry of a list cannot be read, and stays in its file as it is");
                    entries.unreadable.push(entry);
                }
            }
        }
        Ok(entries)
    }
}

impl<T: Serialize> Serialize for Entries<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.known.len() + self.unreadable.len()))?;
        for entry in &self.known {
            list.serialize_element(entry)?;
        }
        for entry in &self.unreadable {
            list.serialize_element(entry)?;
        }
        list.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_entry_that_cannot_be_read_costs_no_other_and_is_written_back() {
        let stored = json!([1, "two", {"three": 3}, 4]);
        let mut entries: Entries<u8> = serde_json::from_value(stored).unwrap();
        assert_eq!(entries.known, [1, 4]);
        entries.known.push(5);
        assert_eq!(serde_json::to_value(&entries).unwrap(), json!([1, 4, 5, "two", {"three": 3}]));
        assert!(serde_json::from_value::<Entries<u8>>(json!({"no": "list"})).is_err());
    }
}
