//! Resolves names to addresses: as the system does, or as a test has scripted it.
//!
//! With a script a test plays the owner of a name who answers otherwise the second time (DNS rebinding); it is given
//! with the hidden option `--resolve`, and no real service runs with one. Not here: which addresses may be connected
//! to.

use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};

/// How names become addresses.
#[derive(Debug, Default)]
pub struct Names {
    /// For each scripted name, its answers: one a lookup, the last again and again.
    scripted: Mutex<HashMap<String, Vec<IpAddr>>>,
}

/// One scripted name: `name=address`, with further addresses for later lookups, such as
/// `hook.example=8.8.8.8,127.0.0.1`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Script {
    name: String,
    answers: Vec<IpAddr>,
}

impl FromStr for Script {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, answers) = text.split_once('=').ok_or("name=address is needed")?;
        let answers = answers.split(',').map(|answer| answer.parse().map_err(|_| format!("{answer} is no address")));
        Ok(Self { name: name.to_ascii_lowercase(), answers: answers.collect::<Result<_, String>>()? })
    }
}

impl Names {
    /// As the system says.
    #[cfg(test)]
    #[must_use]
    pub fn of_the_system() -> Self {
        Self::default()
    }

    /// As these scripts say; every other name as the system says.
    #[must_use]
    pub fn scripted(scripts: Vec<Script>) -> Self {
        let scripted = scripts.into_iter().map(|Script { name, answers }| (name, answers)).collect();
        Self { scripted: Mutex::new(scripted) }
    }

    /// The addresses of a name, now.
    ///
    /// # Errors
    /// Where the name does not resolve.
    pub async fn resolve(&self, name: &str) -> io::Result<Vec<SocketAddr>> {
        if let Some(answer) = self.next_answer(name) {
            return Ok(vec![SocketAddr::new(answer, 0)]);
        }
        Ok(tokio::net::lookup_host((name, 0)).await?.collect())
    }

    fn next_answer(&self, name: &str) -> Option<IpAddr> {
        let mut scripted = self.scripted.lock().unwrap_or_else(PoisonError::into_inner);
        let answers = scripted.get_mut(&name.to_ascii_lowercase())?;
        if answers.len() > 1 { Some(answers.remove(0)) } else { answers.first().copied() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_scripted_name_answers_in_turn_and_then_the_same_again() {
        let names = Names::scripted(vec!["Hook.example=8.8.8.8,127.0.0.1".parse().unwrap()]);
        for expected in ["8.8.8.8:0", "127.0.0.1:0", "127.0.0.1:0"] {
            assert_eq!(names.resolve("hook.EXAMPLE").await.unwrap(), [expected.parse().unwrap()]);
        }
        for wrong in ["hook.example", "hook.example=", "a=b"] {
            assert!(wrong.parse::<Script>().is_err(), "{wrong}");
        }
    }
}
