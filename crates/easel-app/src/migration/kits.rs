//! The brand kits of a studio, made at the other connection.
//!
//! Always true: a kit that is there by its name stays as it is; the pictures of a kit are the copies of its files, so that
//! kits come after those; what a service does not take is named. Not here: the files themselves.

use std::collections::HashMap;

use easel_client::{Client, Error as ClientError};
use easel_wire::FolderId;
use easel_wire::brand_kits::{BrandImage, BrandImageGroup, BrandKit, WriteBrandKit};

use super::destination::Destination;
use super::survey::{Survey, list_kits};

/// Where the files of a studio were copied to: the folder for each of the studio's, and the one for the top.
pub(super) struct Folders {
    pub(super) top: FolderId,
    pub(super) copies: HashMap<FolderId, FolderId>,
}

/// Makes the kits that are not there yet. Returns the names of kits and pictures that were not taken.
pub(super) async fn copy(
    client: &Client,
    survey: &Survey,
    to: &mut Destination,
    folders: &Folders,
) -> Result<Vec<String>, ClientError> {
    let mut left = Vec::new();
    if survey.kits.is_empty() {
        return Ok(left);
    }
    let there = match list_kits(client).await {
        Err(ClientError::RouteMissing) => Vec::new(),
        there => there?,
    };
    for kit in survey.kits.iter().filter(|kit| !there.iter().any(|other| other.title == kit.title)) {
        let (logos, mut without) = copy_pictures(kit, survey, to, folders).await?;
        let mut made = client.create_brand_kit(&written(kit, &logos)).await;
        if made.as_ref().is_err_and(|error| !error.is_offline()) && !logos.is_empty() {
            made = client.create_brand_kit(&written(kit, &[])).await;
            without = kit.logos.iter().flat_map(|group| &group.images).map(|image| name_of(kit, image)).collect();
        }
        match made {
            Ok(_) => left.append(&mut without),
            Err(error) if error.is_offline() => return Err(error),
            Err(error) => {
                tracing::warn!(%error, "a brand kit was not taken");
                left.push(kit.title.clone());
            }
        }
    }
    Ok(left)
}

/// The pictures of a kit as the copies of their files, and the names of those whose copy is not found.
async fn copy_pictures(
    kit: &BrandKit,
    survey: &Survey,
    to: &mut Destination,
    folders: &Folders,
) -> Result<(Vec<BrandImageGroup>, Vec<String>), ClientError> {
    let (mut groups, mut left) = (Vec::new(), Vec::new());
    for group in &kit.logos {
        let mut images = Vec::new();
        for image in &group.images {
            let file = survey.files.iter().find(|file| Some(file.id) == image.file_id);
            let found = match file {
                Some(file) => {
                    let folder = survey.folder_of(file).and_then(|folder| folders.copies.get(&folder).copied());
                    to.find_content(folder.unwrap_or(folders.top), file).await?
                }
                None => None,
            };
            match found {
                Some(file_id) => {
                    images.push(BrandImage { name: image.name.clone(), url: None, file_id: Some(file_id) });
                }
                None => left.push(name_of(kit, image)),
            }
        }
        if !images.is_empty() {
            groups.push(BrandImageGroup { group_name: group.group_name.clone(), images });
        }
    }
    Ok((groups, left))
}

/// How a picture of a kit is named to a person.
fn name_of(kit: &BrandKit, image: &BrandImage) -> String {
    image.name.as_ref().map_or_else(|| kit.title.clone(), |name| format!("{}: {name}", kit.title))
}

/// A kit as another service takes it.
fn written(kit: &BrandKit, logos: &[BrandImageGroup]) -> WriteBrandKit {
    WriteBrandKit {
        title: Some(kit.title.clone()),
        company_name: kit.company_name.clone(),
        company_url: kit.company_url.clone(),
        tagline: kit.tagline.clone(),
        colors: Some(kit.colors.clone()),
        fonts: Some(kit.fonts.clone()),
        logos: (!logos.is_empty()).then(|| logos.to_vec()),
        ..WriteBrandKit::default()
    }
}
