//! Failures on demand, for tests: a hidden setting of `serve`, never on by itself.

use std::str::FromStr;
use std::time::Duration;

use super::failure::Failure;

/// What goes wrong with every task.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Injection {
    /// Each try takes this much longer.
    pause: Duration,
    /// So many first tries fail in a way that passes by itself.
    passing: u32,
    /// So many first tries break down.
    breakdowns: u32,
    /// How every try fails that gets as far as drawing.
    always: Option<Always>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Always {
    Final,
    StorageFull,
}

impl FromStr for Injection {
    type Err = String;

    /// Reads `pause=<ms>`, `passing=<tries>`, `breakdowns=<tries>`, `final` and `storage-full`, separated by commas.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut injection = Self::default();
        for part in text.split(',') {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            let number = || value.parse::<u32>().map_err(|_| format!("{name} needs a number"));
            match name {
                "pause" => injection.pause = Duration::from_millis(number()?.into()),
                "passing" => injection.passing = number()?,
                "breakdowns" => injection.breakdowns = number()?,
                "final" => injection.always = Some(Always::Final),
                "storage-full" => injection.always = Some(Always::StorageFull),
                _ => return Err(format!("{name} is no failure that can be injected")),
            }
        }
        Ok(injection)
    }
}

impl Injection {
    /// Injects the failure for this try, before anything is drawn.
    ///
    /// # Errors
    /// The failure that was asked for.
    ///
    /// # Panics
    /// Where a breakdown was asked for.
    pub async fn inject(&self, attempt: u32) -> Result<(), Failure> {
        if !self.pause.is_zero() {
            tokio::time::sleep(self.pause).await;
        }
        assert!(attempt > self.breakdowns, "a breakdown was injected");
        match self.always {
            _ if attempt <= self.passing => Err(Failure::Passing("A passing failure was injected.".to_owned())),
            Some(Always::Final) => Err(Failure::Final("A final failure was injected.".to_owned())),
            Some(Always::StorageFull) => Err(crate::core::error::Error::StorageFull.into()),
            None => Ok(()),
        }
    }
}
