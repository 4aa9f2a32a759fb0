//! Points in time as the wire writes them: RFC 3339 in UTC with an offset (contract, "Requests and responses").
//!
//! Always true: written with `+00:00` and, where the moment is not on a whole second, microseconds. Not here: the
//! clock.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::openapi::{KnownFormat, SchemaFormat};

/// A moment in UTC, with a precision of one microsecond.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Timestamp(jiff::Timestamp);

impl Timestamp {
    /// The moment so many microseconds after the Unix epoch; moments outside the calendar become its nearest end.
    #[must_use]
    pub fn from_micros(micros: i64) -> Self {
        let nearest = if micros < 0 { jiff::Timestamp::MIN } else { jiff::Timestamp::MAX };
        Self(jiff::Timestamp::from_microsecond(micros).unwrap_or(nearest))
    }

    /// Microseconds since the Unix epoch.
    #[must_use]
    pub fn as_micros(self) -> i64 {
        self.0.as_microsecond()
    }
}

impl From<jiff::Timestamp> for Timestamp {
    fn from(moment: jiff::Timestamp) -> Self {
        Self::from_micros(moment.as_microsecond())
    }
}

impl From<Timestamp> for jiff::Timestamp {
    fn from(moment: Timestamp) -> Self {
        moment.0
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let format =
            if self.0.subsec_nanosecond() == 0 { "%Y-%m-%dT%H:%M:%S+00:00" } else { "%Y-%m-%dT%H:%M:%S%.6f+00:00" };
        write!(f, "{}", self.0.strftime(format))
    }
}

impl FromStr for Timestamp {
    type Err = jiff::Error;

    /// Reads RFC 3339 with any offset, `Z` included.
    fn from_str(text: &str) -> Result<Self, jiff::Error> {
        text.parse::<jiff::Timestamp>().map(Self::from)
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

impl utoipa::PartialSchema for Timestamp {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        utoipa::openapi::ObjectBuilder::new()
            .schema_type(utoipa::openapi::schema::Type::String)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)))
            .description(Some("A moment in UTC, RFC 3339 with an offset."))
            .into()
    }
}

impl utoipa::ToSchema for Timestamp {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_written_in_utc_with_an_offset() {
        let check = |read: &str, written: &str| assert_eq!(read.parse::<Timestamp>().unwrap().to_string(), written);
        check("2026-05-01T12:00:00+00:00", "2026-05-01T12:00:00+00:00");
        check("2026-05-01T12:00:00Z", "2026-05-01T12:00:00+00:00");
        check("2026-05-01T14:00:00.25+02:00", "2026-05-01T12:00:00.250000+00:00");
    }

    #[test]
    fn microseconds_read_back() {
        let moment = Timestamp::from_micros(1_777_636_800_123_456);
        assert_eq!(moment.to_string().parse::<Timestamp>().unwrap(), moment);
        assert_eq!(moment.as_micros(), 1_777_636_800_123_456);
        assert_eq!(jiff::Timestamp::from(moment).as_microsecond(), 1_777_636_800_123_456);
        assert!(Timestamp::from_micros(i64::MAX) > moment);
        assert!(Timestamp::from_micros(i64::MIN) < moment);
    }
}
