//! A brand kit from a file: what a logo, a presentation, a document or a PDF shows of a brand, as a proposal.
//!
//! Always true: the file is read by a process of its own, behind the port [`crate::ports::FileReader`]; nothing is sent or
//! made before the person saves; the file's path and the logo's bytes stay in Rust. Only the logo that was found last is
//! kept, and in memory. Not here: what a file shows (easel-canvas).

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use data_encoding::BASE64;

use super::views::{BrandColorView, BrandFontView, FoundBrandView, FoundLogoView};
use super::{BrandImagePurpose, BrandKitView, BrandKits, read_kit};
use crate::events::{BrandFileDropped, Event};
use crate::kept_files::keep_picture;
use crate::messages;
use crate::ports::{FileReaderError, FoundBrand, FoundLogo};
use crate::problem::Problem;

/// The logo that was found last.
#[derive(Debug)]
pub(super) struct KeptLogo {
    id: String,
    name: String,
    logo: FoundLogo,
}

/// Where the logo that was found last is kept. Clones are the same place.
pub(super) type FoundLogos = Arc<Mutex<Option<KeptLogo>>>;

impl BrandKits {
    /// Asks for a file and says what it shows of a brand; nothing where the person thought better of it.
    ///
    /// # Errors
    /// `brand_file_unreadable`, `brand_file_too_large`, `brand_not_found`.
    pub async fn choose_brand_file(&self) -> Result<Option<FoundBrandView>, Problem> {
        let chosen = self.core.ports().desktop.choose_files().await;
        match chosen.and_then(|paths| paths.into_iter().next()) {
            Some(path) => self.find_brand(&path).await.map(Some),
            None => Ok(None),
        }
    }

    /// Reads the first of some dropped files and tells the page what it shows of a brand.
    pub(crate) async fn take_dropped(&self, paths: Vec<PathBuf>) {
        let Some(path) = paths.first() else { return };
        let (found, problem) = match self.find_brand(path).await {
            Ok(found) => (Some(found), None),
            Err(problem) => (None, Some(problem)),
        };
        self.core.emit(Event::BrandFileDropped(BrandFileDropped { found, problem }));
    }

    /// Puts the logo that was found into the drive and into a kit.
    ///
    /// # Errors
    /// `attachment_unknown` where another one was found since, `brand_kit_not_found`, `data_unwritable`, why the file was
    /// not sent, what the connection's state says, or what the service answers.
    pub async fn add_found_logo(&self, kit_id: String, found_id: String) -> Result<BrandKitView, Problem> {
        read_kit(&kit_id)?;
        let (name, bytes) = {
            let kept = self.found.lock().unwrap_or_else(PoisonError::into_inner);
            let kept = kept.as_ref().filter(|kept| kept.id == found_id);
            let kept = kept.ok_or_else(|| messages::problem("attachment_unknown", &[]))?;
            (format!("{}.{}", kept.name, kept.logo.extension), kept.logo.bytes.clone())
        };
        let path = keep_picture(&self.core.data_dir().pasted(), &name, bytes).await;
        let path = path.map_err(|error| self.core.unwritable(&error))?;
        let (attachments, _) = self.attachments.attach_files(vec![path]).await?;
        let attachment = attachments.first().ok_or_else(|| messages::problem("attachment_unknown", &[]))?;
        let file = self.attachments.wait_for_attachment(&attachment.id).await?;
        self.add_brand_kit_image(kit_id, file.to_string(), BrandImagePurpose::Logo, None).await
    }

    async fn find_brand(&self, path: &Path) -> Result<FoundBrandView, Problem> {
        let file_name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let named = [("name", file_name.as_str())];
        let found = self.core.ports().reader.find_brand(path).await.map_err(|error| match error {
            FileReaderError::TooLarge => messages::problem("brand_file_too_large", &named),
            FileReaderError::Unreadable => messages::problem("brand_file_unreadable", &named),
            FileReaderError::NotRead { said } => {
                tracing::warn!(said, "a file cannot be read for its brand");
                messages::problem("brand_file_unreadable", &named)
            }
        })?;
        let FoundBrand { name, colors, heading_font, body_font, logo } = found;
        if colors.is_empty() && heading_font.is_none() && body_font.is_none() && logo.is_none() {
            return Err(messages::problem("brand_not_found", &named));
        }
        let font = |family: Option<String>, label: &str| {
            family.map(|family| BrandFontView { family, label: Some(label.to_owned()), weight: None })
        };
        Ok(FoundBrandView {
            logo: logo.map(|logo| self.keep_logo(&name, logo)),
            file_name: messages::in_order(&file_name).into_owned(),
            title: name,
            colors: colors
                .into_iter()
                .map(|(role, color)| BrandColorView { color, label: Some(role).filter(|role| !role.is_empty()) })
                .collect(),
            fonts: font(heading_font, "heading").into_iter().chain(font(body_font, "body")).collect(),
        })
    }

    fn keep_logo(&self, name: &str, logo: FoundLogo) -> FoundLogoView {
        let id = uuid::Uuid::now_v7().to_string();
        let preview = format!("data:image/png;base64,{}", BASE64.encode(&logo.preview));
        // A name of a file: nothing in it is a path.
        let name: String = name.chars().map(|letter| if "/\\:".contains(letter) { '-' } else { letter }).collect();
        let kept = KeptLogo { id: id.clone(), name: format!("{} logo", name.trim()), logo };
        *self.found.lock().unwrap_or_else(PoisonError::into_inner) = Some(kept);
        FoundLogoView { id, preview }
    }
}
