//! One design in other sizes: for each a remix whose pages are laid out anew, with every word kept.
//!
//! Always true: each size is a task of its own, begun at once; a double click begins no second one. Not here: laying the
//! pages out, which is the service's; and remixes in a person's words (`remix`).

use serde::{Deserialize, Serialize};

use super::generation::Generation;
use super::read_design;
use crate::drive::reading::read_name;
use crate::problem::Problem;
use crate::tasks::views::TaskView;

/// A size that a design can be laid out anew in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum DesignSize {
    /// 1080 × 1080 pixels.
    SquarePost,
    /// 1080 × 1920 pixels.
    Story,
    /// 210 × 297 mm, upright.
    A4,
    /// 16:9, 1920 × 1080 pixels.
    Widescreen,
    /// 1500 × 500 pixels.
    Banner,
}

impl DesignSize {
    /// What a remix in this size is asked for with. In English, which every service takes.
    const fn prompt(self) -> &'static str {
        match self {
            Self::SquarePost => "The same content, laid out anew as a square Instagram post, 1080 x 1080 pixels",
            Self::Story => "The same content, laid out anew as an upright Instagram story, 1080 x 1920 pixels",
            Self::A4 => "The same content, laid out anew in A4 format, upright",
            Self::Widescreen => "The same content, laid out anew in 16:9, 1920 x 1080 pixels",
            Self::Banner => "The same content, laid out anew in banner format, 1500 x 500 pixels",
        }
    }
}

/// A remix in another size.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct DesignResize {
    /// The size.
    pub size: DesignSize,
    /// What the remix is called.
    pub name: String,
}

impl Generation {
    /// Lays a design out anew in other sizes: so many tasks, at once.
    ///
    /// # Errors
    /// `name_not_usable`; as [`Self::remix_design`].
    pub async fn resize_design(&self, design_id: String, resizes: Vec<DesignResize>) -> Result<Vec<TaskView>, Problem> {
        let id = read_design(&design_id)?;
        // Nothing is begun where one of them could not be.
        let names = resizes.iter().map(|resize| read_name(&resize.name)).collect::<Result<Vec<_>, _>>()?;
        let mut tasks = Vec::with_capacity(resizes.len());
        for (resize, name) in resizes.iter().zip(names) {
            tasks.push(self.begin_remix(id, resize.size.prompt(), Some(name)).await?);
        }
        Ok(tasks)
    }
}
