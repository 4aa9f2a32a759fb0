//! Enums that are closed: the values of this service and no others.
//!
//! Always true: a value that is not in the list is refused where it comes in, so that nothing behind has to think of it.
//! A client, which must tolerate values that it does not know, reads the same texts with easel-wire's open enums.

/// The text is none of the values that it may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a value of this service")]
pub struct UnknownValue;

/// Declares an enum of strings with its serde forms, its schema, `as_str` and `FromStr`.
macro_rules! closed_enum {
    ($(#[$meta:meta])* $name:ident { $($(#[doc = $doc:literal])+ $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl $name {
            /// Every value, in declaration order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The value as it stands on the wire.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)+
                }
            }
        }

        impl std::str::FromStr for $name {
            type Err = crate::wire::UnknownValue;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                match text {
                    $($text => Ok(Self::$variant),)+
                    _ => Err(crate::wire::UnknownValue),
                }
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            /// Only a string: serde's own reading of an enum would take `{"value": null}` too.
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
                text.parse().map_err(|_| serde::de::Error::unknown_variant(&text, &[$($text),+]))
            }
        }

        impl utoipa::PartialSchema for $name {
            /// The values, each with its words; those who read answers expect further ones.
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
                let words = [$(concat!("- `", $text, "`:", $($doc),+)),+];
                utoipa::openapi::ObjectBuilder::new()
                    .schema_type(utoipa::openapi::schema::Type::String)
                    .enum_values(Some([$($text),+]))
                    .description(Some(words.join("\n")))
                    .into()
            }
        }

        impl utoipa::ToSchema for $name {}
    };
}

pub(crate) use closed_enum;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::drive::Visibility;
    use serde_json::{Value, json};

    #[test]
    fn every_value_reads_back_and_nothing_else_is_one() {
        for value in Visibility::ALL {
            assert_eq!(value.as_str().parse(), Ok(*value));
            assert_eq!(serde_json::from_value::<Visibility>(json!(value)).unwrap(), *value);
        }
        assert_eq!("galactic".parse::<Visibility>(), Err(UnknownValue));
        assert_eq!("Team".parse::<Visibility>(), Err(UnknownValue));
        let refusal = |value: Value| serde_json::from_value::<Visibility>(value).unwrap_err().to_string();
        assert!(refusal(json!("galactic")).starts_with("unknown variant"));
        for wrong in [json!(7), json!(null), json!({"team": null}), json!(["team"])] {
            assert!(refusal(wrong.clone()).starts_with("invalid type"), "{wrong}");
        }
    }
}
