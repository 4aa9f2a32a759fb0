//! The pictures of a design and exchanging one in its place: which there are, where they stand, and another file for one of them.
//!
//! Always true: nothing moves, and every frame stays: the other picture fills it or is seen whole in it as the one before was; a
//! picture that stands in several places, such as a logo, is exchanged in all of them, and in what the design is made anew from;
//! what cannot be read changes nothing. Deliberately not here: shapes and charts, which are no pictures, and adding one where there
//! is none.

use serde::{Deserialize, Serialize};

use crate::compose::{MAX_PICTURE_BYTES, read_picture};
use crate::document::{Asset, Document, Node};
use crate::error::Error;
use crate::geometry::Frame;
use crate::origin::Origin;
use crate::texts::MAX_DEPTH;

/// The largest file of a picture, in bytes.
pub const MAX_FILE_BYTES: usize = MAX_PICTURE_BYTES;

/// A picture where it stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlacedPicture {
    /// Which picture of the design it is.
    pub reference: String,
    /// What it shows, for those who do not see it.
    pub description: String,
    /// Where it is, in pixels of the page.
    pub frame: Frame,
}

impl Document {
    /// The pictures of a page, from the back to the front; none where there is no such page. `page` counts from 0.
    #[must_use]
    pub fn pictures(&self, page: usize) -> Vec<PlacedPicture> {
        let mut found = Vec::new();
        if let Some(page) = self.pages.get(page) {
            self.collect_pictures(&page.nodes, 0, &mut found);
        }
        found
    }

    fn collect_pictures(&self, nodes: &[Node], depth: usize, found: &mut Vec<PlacedPicture>) {
        for node in nodes {
            match node {
                Node::Image(image) => found.extend(self.asset(&image.asset).map(|asset| PlacedPicture {
                    reference: asset.id.clone(),
                    description: asset.alt.clone(),
                    frame: image.frame,
                })),
                Node::Group(group) if depth < MAX_DEPTH => self.collect_pictures(&group.nodes, depth + 1, found),
                _ => {}
            }
        }
    }

    /// Puts another picture in the place of one, wherever that stands. `name` is the file's, `bytes` are a PNG, JPEG, GIF, WebP or
    /// SVG.
    ///
    /// # Errors
    /// [`Error::PictureNotFound`]; [`Error::AttachmentUnreadable`] where the file is none, is broken, or is larger than can be opened.
    pub fn replace_picture(&mut self, reference: &str, name: &str, bytes: &[u8]) -> Result<(), Error> {
        let is_there =
            (0..self.page_count()).any(|page| self.pictures(page).iter().any(|one| one.reference == reference));
        if !is_there {
            return Err(Error::PictureNotFound { reference: reference.to_owned() });
        }
        let picture = read_picture(name, bytes)?;
        if picture.id == reference {
            return Ok(());
        }
        for page in &mut self.pages {
            exchange_in(&mut page.nodes, reference, &picture.id);
        }
        exchange_in_origin(&mut self.origin, reference, &picture.id);
        self.exchange_asset(reference, picture);
        Ok(())
    }

    /// Each picture is kept once, also where the other one was in the design already.
    fn exchange_asset(&mut self, reference: &str, picture: Asset) {
        if self.asset(&picture.id).is_some() {
            self.assets.retain(|asset| asset.id != reference);
        } else if let Some(asset) = self.assets.iter_mut().find(|asset| asset.id == reference) {
            *asset = picture;
        }
    }
}

fn exchange_in(nodes: &mut [Node], old: &str, new: &str) {
    for node in nodes {
        match node {
            Node::Image(image) if image.asset == old => new.clone_into(&mut image.asset),
            Node::Group(group) => exchange_in(&mut group.nodes, old, new),
            _ => {}
        }
    }
}

fn exchange_in_origin(origin: &mut Origin, old: &str, new: &str) {
    let of_pages = origin.outline.passages.iter_mut().filter_map(|passage| passage.matter.picture_mut());
    let of_brand = origin.look.brand.iter_mut().filter_map(|brand| brand.logo_asset.as_mut());
    for picture in of_pages.chain(of_brand).filter(|picture| *picture == old) {
        new.clone_into(picture);
    }
}

#[cfg(test)]
mod tests;
