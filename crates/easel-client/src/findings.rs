//! What a client has found out about its service: asked, taken over from an earlier run, watched, and forgotten.
//!
//! Always true: all clients of one key share their findings. Not here: what can be found out, and how long it is
//! believed (`capabilities`).

use tokio::sync::watch;

use crate::capabilities::{Capabilities, Feature};
use crate::client::Client;
use crate::error::Error;

impl Client {
    /// The present findings about the service. All clients of this key share them.
    #[must_use]
    pub fn capabilities(&self) -> Capabilities {
        self.shared.key.learned.now()
    }

    /// Whether the service has `feature`; `None` where that is not known.
    #[must_use]
    pub fn offers(&self, feature: Feature) -> Option<bool> {
        self.shared.key.learned.read(|known| known.offers(feature))
    }

    /// Takes over the findings of an earlier run that are not too old. Those of this run stay.
    pub fn restore_capabilities(&self, earlier: Capabilities) {
        let earlier = earlier.believed_at(jiff::Timestamp::now().into());
        self.shared.key.learned.change(|known| {
            if *known == Capabilities::default() {
                *known = earlier;
            }
        });
    }

    /// Forgets all findings, so that everything is tried again.
    pub fn forget_capabilities(&self) {
        self.shared.key.learned.change(|known| *known = Capabilities::default());
    }

    /// Subscribes to findings from now on.
    #[must_use]
    pub fn watch_capabilities(&self) -> watch::Receiver<Capabilities> {
        self.shared.key.learned.subscribe()
    }

    /// Notes a finding that only the caller can make from an answer.
    pub fn learn(&self, feature: Feature, is_offered: bool) {
        self.shared.key.learned.learn(feature, is_offered);
    }

    /// Refuses a media type that the service has refused before.
    ///
    /// # Errors
    /// [`Error::MediaTypeRefused`], with the service's message.
    pub fn check_media_type(&self, mime_type: &str) -> Result<(), Error> {
        match self.shared.key.learned.read(|known| known.refused_media_types.get(mime_type).cloned()) {
            Some(message) => Err(Error::MediaTypeRefused { mime_type: mime_type.to_owned(), message }),
            None => Ok(()),
        }
    }
}
