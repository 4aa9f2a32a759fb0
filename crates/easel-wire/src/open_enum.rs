//! Enums that stay open: a value that this build does not know is kept and written back as it came.
//!
//! "Clients must tolerate" (specification, Errors and Versioning, change policy 2) holds by construction: reading an
//! unknown value never fails. A reader that must refuse one (the studio, in a request) matches on `Other`.

/// Declares an enum of strings with an `Other(String)` variant, its serde forms, `as_str`, `Display` and `From<&str>`.
macro_rules! open_enum {
    ($(#[$meta:meta])* $name:ident { $($(#[doc = $doc:literal])+ $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[doc = $doc])+ $variant,)+
            /// A value that this build does not know, as it came.
            Other(String),
        }

        impl $name {
            /// Every value that this build knows, in declaration order.
            pub const KNOWN: &'static [$name] = &[$($name::$variant),+];

            /// The value as it stands on the wire.
            #[must_use]
            pub fn as_str(&self) -> &str {
                match self {
                    $($name::$variant => $text,)+
                    $name::Other(text) => text,
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                match text {
                    $($text => $name::$variant,)+
                    other => $name::Other(other.to_owned()),
                }
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
                Ok($name::from(text.as_ref()))
            }
        }

        impl $crate::lenient::Lenient for $name {
            fn read(value: serde_json::Value) -> Option<Self> {
                String::read(value).map(|text| $name::from(text.as_str()))
            }
        }

        impl utoipa::PartialSchema for $name {
            /// The values that this build knows, each with its words; a reader expects further ones.
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

pub(crate) use open_enum;
