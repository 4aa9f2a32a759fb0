//! What comes with a brief beside its words: files that are read, pictures that are shown or lend their colours, the logo of a
//! brand.
//!
//! Always true: each picture is there once. Deliberately not here: what is in a file (`source`, `picture`), and where pictures go
//! (`illustrate`).

use super::progress::{Progress, Step, tell};
use super::source::Block;
use super::{picture, source};
use crate::brand::Brand;
use crate::brief::{AttachmentRole, Brief};
use crate::color::Rgb;
use crate::document::Asset;
use crate::error::Error;
use crate::read::colors;
use crate::render::Warning;

/// No design carries more pictures than this.
const MAX_PICTURES: usize = 40;

/// What the attachments of a brief came to.
#[derive(Default)]
pub struct Given {
    /// What files say.
    pub blocks: Vec<Block>,
    /// Pictures that shall be seen, each once.
    pub pictures: Vec<Asset>,
    /// Colours of what the design shall look like.
    pub borrowed: Vec<Rgb>,
    /// What was not taken over as it is.
    pub warnings: Vec<Warning>,
}

/// Reads the attachments of a brief, each in its role.
///
/// # Errors
/// [`Error::AttachmentUnreadable`] for a file that is broken, or of a kind that its role has no use for.
pub fn read_attachments(brief: &Brief, progress: &mut dyn FnMut(Progress)) -> Result<Given, Error> {
    let mut given = Given::default();
    let count = brief.attachments.len().max(1);
    for (at, attachment) in brief.attachments.iter().enumerate() {
        let percent = 5 + (15 * at / count) as u8;
        let shown: String = attachment.name.chars().take(60).collect();
        tell(progress, percent, Step::Reading, format!("Reading {shown}"));
        match attachment.role {
            AttachmentRole::Reference if picture::is_picture(attachment) => {
                let colors = picture::palette_of(attachment);
                given.borrowed.extend(colors);
            }
            AttachmentRole::Reference => given.borrowed.extend(
                colors::read(&String::from_utf8_lossy(&attachment.bytes[..attachment.bytes.len().min(20_000)])).colors,
            ),
            AttachmentRole::Asset | AttachmentRole::Source if picture::is_picture(attachment) => {
                if given.pictures.len() < MAX_PICTURES {
                    let asset = picture::read(attachment)?;
                    if !given.pictures.iter().any(|known| known.id == asset.id) {
                        given.pictures.push(asset);
                    }
                }
            }
            AttachmentRole::Asset => {
                let reason = "it is not a picture (PNG, JPEG, GIF, WebP or SVG)".to_owned();
                return Err(Error::AttachmentUnreadable { name: attachment.name.clone(), reason });
            }
            AttachmentRole::Source => {
                let source = source::read(attachment)?;
                if source.was_cut {
                    given.warnings.push(Warning {
                        code: "source_cut",
                        message: format!("“{shown}” is very long: only its beginning was used."),
                    });
                }
                given.blocks.extend(source.blocks);
            }
        }
    }
    Ok(given)
}

/// Makes the logo of a brand one of the pictures of a design; one that is broken is left out with a warning.
pub fn take_logo(brand: &mut Brand, assets: &mut Vec<Asset>, warnings: &mut Vec<Warning>) {
    let Some(bytes) = brand.logo.take() else { return };
    match picture::read_bytes("logo", &bytes) {
        Ok(mut asset) => {
            asset.alt.clone_from(&brand.name);
            brand.logo_asset = Some(asset.id.clone());
            if !assets.iter().any(|known| known.id == asset.id) {
                assets.push(asset);
            }
        }
        Err(error) => warnings.push(Warning { code: "logo_unreadable", message: error.to_string() }),
    }
}
