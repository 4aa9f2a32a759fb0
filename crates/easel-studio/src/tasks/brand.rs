//! The brand kit that a task follows, as the process that draws gets it (contract, "Brand kits").

use easel_canvas::color::Rgb;
use easel_canvas::{Brand, BrandColor};
use easel_wire::error::code;

use crate::blobs::ContentHash;
use crate::core::error::Error;
use crate::db::brand_kits::{BrandKitRow, find_default, get_brand_kit, list_images};
use crate::db::{DbConnection, Viewer};
use crate::studio::SharedStudio;
use crate::wire::BrandKitId;
use crate::wire::brand_kits::{BrandFont, BrandImageRole};

/// The largest logo that is drawn, in bytes.
const MAX_LOGO_BYTES: u64 = 20_000_000;

/// The kit that a task follows: the named one, else the team's default, else none.
///
/// # Errors
/// 404 `brand_kit_not_found`, 422 where one is named and none wanted.
pub(super) async fn settle_brand(
    conn: &mut DbConnection,
    viewer: Viewer,
    named: Option<BrandKitId>,
    skip: bool,
) -> Result<Option<BrandKitId>, Error> {
    match named {
        Some(_) if skip => Err(Error::validation("brand_kit_id", "not_with_skip_brand_kit")),
        Some(id) => get_brand_kit(conn, viewer.team, id).await.map(|kit| Some(kit.id)),
        None if skip => Ok(None),
        None => find_default(conn, viewer.team).await,
    }
}

/// What a kit says, as `viewer` may see it, and which content its logo is; nothing where none is followed, or the kit
/// is gone meanwhile. `is_private` where nobody else will see what is drawn from it.
///
/// # Errors
/// [`Error::Database`].
pub async fn load_brand(
    studio: &SharedStudio,
    viewer: Viewer,
    kit: Option<BrandKitId>,
    is_private: bool,
) -> Result<(Option<Brand>, Option<(ContentHash, u64)>), Error> {
    let Some(id) = kit else { return Ok((None, None)) };
    let mut conn = studio.db.read().acquire().await?;
    let kit = match get_brand_kit(&mut conn, viewer.team, id).await {
        Ok(kit) => kit,
        Err(Error::NotFound { code: code::BRAND_KIT_NOT_FOUND, .. }) => return Ok((None, None)),
        Err(error) => return Err(error),
    };
    let images = list_images(&mut conn, viewer, &[id]).await?.remove(&id).unwrap_or_default();
    drop(conn);
    let logo = images.into_iter().find(|image| {
        image.group_name == BrandImageRole::Logo.as_str()
            && image.size_bytes <= MAX_LOGO_BYTES
            && image.mime_type.starts_with("image/")
            // A picture that its maker alone sees must not come into a design that everyone sees.
            && (!image.is_private || is_private)
    });
    Ok((Some(into_brand(kit)), logo.map(|logo| (logo.content_hash, logo.size_bytes))))
}

fn into_brand(kit: BrandKitRow) -> Brand {
    let labelled = |words: &[&str]| {
        let is = |font: &&BrandFont| {
            let label = font.label.as_deref().unwrap_or_default().to_lowercase();
            words.iter().any(|word| label.contains(word))
        };
        kit.fonts.iter().find(is).map(|font| font.family.clone())
    };
    // Where no label says so, the first font is that of headings and the second that of text.
    let unlabelled = |place: usize| kit.fonts.get(place.min(kit.fonts.len().saturating_sub(1)));
    let heading_font = labelled(&["head", "title", "display"]).or_else(|| Some(unlabelled(0)?.family.clone()));
    let body_font = labelled(&["body", "text", "copy"]).or_else(|| Some(unlabelled(1)?.family.clone()));
    let colors = kit.colors.iter().filter_map(|color| {
        Some(BrandColor {
            role: color.label.clone().unwrap_or_default().to_lowercase(),
            color: Rgb::parse(&color.color)?,
        })
    });
    Brand {
        colors: colors.collect(),
        heading_font,
        body_font,
        name: kit.company_name.unwrap_or(kit.title),
        logo: None,
        logo_asset: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::{TeamId, brand_kits};
    use easel_wire::Timestamp;

    fn kit(fonts: &[(&str, Option<&str>)]) -> BrandKitRow {
        let (id, team_id, now) =
            (BrandKitId::from_uuid(uuid::Uuid::nil()), TeamId::from_uuid(uuid::Uuid::nil()), Timestamp::from_micros(0));
        let fonts = fonts.iter().map(|(family, label)| BrandFont {
            family: (*family).to_owned(),
            label: label.map(str::to_owned),
            weight: None,
        });
        BrandKitRow {
            id,
            team_id,
            title: "Kit".to_owned(),
            is_default: true,
            company_name: Some("Bakery".to_owned()),
            company_url: None,
            tagline: None,
            colors: vec![brand_kits::BrandColor { color: "#ff8000".to_owned(), label: Some("Primary".to_owned()) }],
            fonts: fonts.collect(),
            created_by: None,
            created_at: now,
            updated_at: now,
        }
    }

    #[test]
    fn a_kit_says_which_font_is_for_what_and_its_order_where_it_does_not() {
        let check = |fonts: &[(&str, Option<&str>)], heading: Option<&str>, body: Option<&str>| {
            let brand = into_brand(kit(fonts));
            assert_eq!((brand.heading_font.as_deref(), brand.body_font.as_deref()), (heading, body), "{fonts:?}");
            assert_eq!((brand.name.as_str(), brand.colors[0].role.as_str()), ("Bakery", "primary"));
            assert_eq!(brand.colors[0].color, Rgb { r: 255, g: 128, b: 0 });
        };
        check(&[], None, None);
        check(&[("Lora", None)], Some("Lora"), Some("Lora"));
        check(&[("Lora", None), ("Inter", None)], Some("Lora"), Some("Inter"));
        check(&[("Inter", Some("Body text")), ("Lora", Some("Headings"))], Some("Lora"), Some("Inter"));
    }
}
