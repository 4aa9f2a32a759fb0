//! Asks the service to make designs: from a description, by a remix, and as samples for a new studio.
//!
//! Always true: a double click makes one design; of two plain copies of one design, one is made after the other, so
//! that each click gets its own. Not here: sending a task and following it ([`crate::tasks`]).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use easel_wire::CanvasId;

use super::Designs;
use super::views::DesignView;
use crate::connections::Connections;
use crate::core::Core;
use crate::receiver::Receiver;
use crate::request_coalescer::RequestCoalescer;
use crate::tasks::Tasks;
use crate::tasks::views::TaskView;

/// Asks for designs. Clones are the same generation.
#[derive(Clone)]
pub struct Generation {
    pub(super) core: Core,
    pub(super) connections: Connections,
    pub(super) designs: Designs,
    pub(super) tasks: Tasks,
    pub(super) receiver: Receiver,
    pub(super) inner: Arc<Inner>,
}

/// Requests under way.
#[derive(Debug, Default)]
pub(super) struct Inner {
    /// Requests that make tasks.
    pub(super) coalescer: RequestCoalescer<TaskView>,
    pub(super) copies: RequestCoalescer<DesignView>,
    /// Held while a copy of a design is being made, so that the copies of two clicks cannot be mistaken for each other.
    sources: Mutex<HashMap<CanvasId, Arc<tokio::sync::Mutex<()>>>>,
}

impl Inner {
    pub(super) fn source(&self, canvas: CanvasId) -> Arc<tokio::sync::Mutex<()>> {
        let mut sources = self.sources.lock().unwrap_or_else(PoisonError::into_inner);
        sources.retain(|_, held| Arc::strong_count(held) > 1);
        Arc::clone(sources.entry(canvas).or_default())
    }
}

impl Generation {
    pub(crate) fn new(
        core: Core,
        connections: Connections,
        designs: Designs,
        tasks: Tasks,
        receiver: Receiver,
    ) -> Self {
        Self { core, connections, designs, tasks, receiver, inner: Arc::default() }
    }
}
