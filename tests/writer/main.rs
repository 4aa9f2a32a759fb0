//! A model that writes (`easel-studio serve --writer`): the real studio over HTTP, and a server of the tests' own in the model's
//! place, which answers well, streams, stalls, breaks, lies, refuses, floods and talks nonsense.
//!
//! Whatever it does, the task succeeds, the pages say what the brief says, and the message of the task says who wrote. Not here: how
//! facts are compared, which `easel-canvas` tests by itself.

#[cfg(test)]
mod answers;
#[cfg(test)]
mod failures;
#[cfg(test)]
mod secrecy;
#[cfg(test)]
mod stage;
