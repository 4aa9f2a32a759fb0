//! The three sample designs that a person finds after the first start on this computer.
//!
//! Always true: they are described like any other design, so that they show the result of a description; they are asked
//! for once, when the built-in studio is first set up here, and never at a service that others use. Not here: drawing.

use easel_wire::tasks::{Category, Format, StartTask};

use super::generation::Generation;
use crate::tasks::work::{Along, DesignRequest};

/// Name, category and words of each.
const SAMPLES: [(&str, Category, &str); 3] = [
    (
        "Welcome to Easel",
        Category::Slides,
        "Welcome to Easel\n\n\
         # Put files in the drive\nDrop them anywhere in the window. Large ones find their own way.\n\n\
         # Describe a design\nSay what it is for and who will see it. Attach what it should be made from.\n\n\
         # Remix it\nOne click makes a copy. A few words make it another one.",
    ),
    (
        "Harbour Lights",
        Category::Social,
        "An announcement for Harbour Lights, an evening of music by the water. Saturday, 14 June, from seven o'clock at the \
         old lighthouse. Admission is free.",
    ),
    (
        "How a remix comes about",
        Category::Diagram,
        "A diagram of how a remix comes about: Design -> Remix -> Copy. Copy -> Words -> New design. New design -> Export.",
    ),
];

impl Generation {
    /// Asks for the sample designs of a connection that was just made.
    pub(crate) fn make_samples(&self, connection_id: &str) {
        let Some(connection) = self.connections.find(connection_id) else { return };
        // Made in reverse order, so that the first one stands first in the gallery.
        for (name, category, prompt) in SAMPLES.into_iter().rev() {
            let request = StartTask {
                prompt: prompt.to_owned(),
                format: Some(Format { category: Some(category), ..Format::default() }),
                canvas_name: Some(name.to_owned()),
                ..StartTask::default()
            };
            let quiet = Along { is_quiet: true, ..Along::default() };
            if let Err(problem) = self.tasks.begin_work(&connection, DesignRequest::Task(Box::new(request)), quiet) {
                tracing::warn!(code = problem.code, "a sample design could not be asked for");
            }
        }
    }
}
