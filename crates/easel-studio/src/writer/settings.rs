//! The settings of a language model: its address, its protocol, its name and its key.
//!
//! Always true: a key comes from a file that is read once, or through standard input, and from there is in memory only;
//! no `Debug` and no error shows one. Deliberately not here: a key as an argument or in the environment, where other
//! programs see it.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use secrecy::SecretString;
use serde::{Deserialize, Deserializer};
use url::Url;

use crate::core::error::Error;

/// How long all tries of one task may take together where nobody says otherwise.
pub const WRITING_LIMIT: Duration = Duration::from_secs(150);

/// The longest limit that may be set, in seconds: drawing has to fit into the try of a task after it.
pub const MAX_WRITING_SECONDS: u64 = 170;

/// The longest key, in bytes.
const MAX_KEY_BYTES: u64 = 8 * 1024;

/// What is spoken at an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum Protocol {
    /// What OpenAI speaks, and many others with it
    #[value(name = "openai")]
    #[serde(rename = "openai")]
    OpenAi,
    /// What Anthropic speaks
    Anthropic,
    /// What Gemini speaks
    Gemini,
    /// What Ollama speaks
    Ollama,
}

impl Protocol {
    /// What an address most likely speaks: the services by their names, Ollama by its port, everybody else as OpenAI
    /// does.
    #[must_use]
    pub fn of_address(address: &Url) -> Self {
        let host = address.host_str().unwrap_or_default();
        if host == "anthropic.com" || host.ends_with(".anthropic.com") {
            Self::Anthropic
        } else if host == "generativelanguage.googleapis.com" {
            Self::Gemini
        } else if address.port() == Some(11_434) {
            Self::Ollama
        } else {
            Self::OpenAi
        }
    }
}

/// The model that writes.
#[derive(Debug, Clone, Deserialize)]
pub struct Settings {
    /// The service's address.
    pub address: Url,
    /// The model's name at the service.
    pub model: String,
    /// The service's protocol; told by the address where absent.
    #[serde(default)]
    pub protocol: Option<Protocol>,
    /// The API key, where the service needs one.
    #[serde(default, deserialize_with = "take_secret")]
    pub key: Option<SecretString>,
    /// How long all tries of one task may take together, in seconds.
    #[serde(default)]
    pub limit_seconds: Option<u64>,
}

fn take_secret<'de, D: Deserializer<'de>>(from: D) -> Result<Option<SecretString>, D::Error> {
    Ok(Option::<String>::deserialize(from)?.map(SecretString::from))
}

impl Settings {
    /// The service's protocol.
    #[must_use]
    pub fn protocol(&self) -> Protocol {
        self.protocol.unwrap_or_else(|| Protocol::of_address(&self.address))
    }

    /// How long all tries of one task may take together.
    #[must_use]
    pub fn limit(&self) -> Duration {
        self.limit_seconds.map_or(WRITING_LIMIT, |seconds| Duration::from_secs(seconds.clamp(1, MAX_WRITING_SECONDS)))
    }
}

impl FromStr for Settings {
    type Err = Error;

    /// Reads a line of JSON, as standard input brings it.
    fn from_str(line: &str) -> Result<Self, Error> {
        // The parser's own words may show the key.
        serde_json::from_str(line).map_err(|_| Error::Usage("a line that sets no writer".to_owned()))
    }
}

/// Reads a key: the first line of its file.
///
/// # Errors
/// [`Error::Usage`] where there is none that can go into a header.
pub fn read_key(path: &Path) -> Result<SecretString, Error> {
    let refuse = |words: String| Error::Usage(format!("the key file {}: {words}", path.display()));
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(MAX_KEY_BYTES).read_to_string(&mut text));
    read.map_err(|error| refuse(error.to_string()))?;
    let key = text.lines().next().unwrap_or_default().trim();
    if key.is_empty() || !key.bytes().all(|letter| letter.is_ascii_graphic()) {
        return Err(refuse("no key stands in its first line".to_owned()));
    }
    Ok(SecretString::from(key.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_spoken_is_told_by_the_address() {
        let check = |address: &str, expected: Protocol| {
            assert_eq!(Protocol::of_address(&Url::parse(address).unwrap()), expected, "{address}");
        };
        check("https://api.openai.com/v1", Protocol::OpenAi);
        check("https://api.anthropic.com", Protocol::Anthropic);
        check("https://generativelanguage.googleapis.com", Protocol::Gemini);
        check("http://127.0.0.1:11434", Protocol::Ollama);
        check("http://127.0.0.1:8000/v1", Protocol::OpenAi);
        check("https://anthropic.com.evil.example", Protocol::OpenAi);
    }

    #[test]
    fn a_key_is_the_first_line_of_its_file_and_shown_by_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("key");
        let check = |text: &str, is_good: bool| {
            std::fs::write(&file, text).unwrap();
            let read = read_key(&file);
            assert_eq!(read.is_ok(), is_good, "{text:?}");
            assert!(!format!("{read:?}").contains("sk-"), "{read:?}");
        };
        check("sk-secret\n", true);
        check("  sk-secret  \nmore", true);
        check("", false);
        check("\nsk-secret", false);
        check("sk-sec ret", false);
        check("sk-sécret", false);
        std::fs::write(&file, [0xff, 0xfe]).unwrap();
        assert!(read_key(&file).is_err());
        assert!(read_key(&folder.path().join("none")).is_err());
    }

    #[test]
    fn settings_and_what_is_wrong_with_them_are_shown_without_the_key() {
        let line = r#"{"address": "http://127.0.0.1:11434", "model": "small", "key": "sk-secret"}"#;
        let settings: Settings = line.parse().unwrap();
        assert!(!format!("{settings:?}").contains("sk-secret"), "{settings:?}");
        let refused = r#"{"key": "sk-secret"}"#.parse::<Settings>().unwrap_err();
        assert!(!refused.to_string().contains("sk-secret"), "{refused}");
    }
}
