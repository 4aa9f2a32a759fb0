//! Brand kits over HTTP (specification, "Other records"; contract, "Brand kits").
//!
//! Always true: every member of the team reads and changes its kits, and a kit is deleted for good by its maker, an
//! admin or an owner; the first kit of a team is its default, and as long as there is a kit one of them is. An image is
//! a picture of the drive, and is seen by those who see its file. Not here: SQL, and what a task makes of a kit
//! ([`crate::tasks`]).

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use easel_wire::Version;
use http::StatusCode;
use serde_json::json;
use url::Url;

use crate::audit;
use crate::core::caller::Caller;
use crate::core::error::Error;
use crate::db::brand_kits::{self as rows, BrandImageRow, BrandKitPosition, BrandKitRow};
use crate::db::drive::get_visible_file;
use crate::db::{DbConnection, Viewer};
use crate::drive::file_url;
use crate::studio::SharedStudio;
use crate::studio::config::Config;
use crate::web::extract::{Json, PathId, Query, Shape};
use crate::web::list::{DEFAULT_LIMIT, ListPage, MAX_LIMIT, PageQuery};
use crate::web::origin::Origin;
use crate::wire::FileId;
use crate::wire::brand_kits::{
    AddBrandImage, BrandColor, BrandFont, BrandImage, BrandImageGroup, BrandKit, MAX_COLORS, MAX_FONTS, MAX_IMAGES,
    MAX_TAGLINE_CHARS, MAX_TEXT_CHARS, MAX_URL_CHARS, WriteBrandKit,
};
use crate::wire::id::kind;

const RESOURCE: &str = "brand_kits";
/// A page of the team's kits, the newest first.
pub async fn list_brand_kits(
    State(studio): State<SharedStudio>,
    caller: Caller,
    Shape(version): Shape,
    query: Query,
) -> Result<Response, Error> {
    let limits = (DEFAULT_LIMIT, MAX_LIMIT);
    let page = PageQuery::<BrandKitPosition>::of_list(&query, &studio.cursors, RESOURCE, version, limits)?;
    // One transaction, so that the page and the total are of the same moment.
    let mut tx = studio.db.read().begin().await?;
    let mut kits = rows::list_brand_kits(&mut tx, caller.team_id, &page.start, page.limit).await?;
    let total = rows::count_brand_kits(&mut tx, caller.team_id).await?;
    let limit = usize::try_from(page.limit).unwrap_or(usize::MAX);
    let more = kits.len() > limit;
    kits.truncate(limit);
    let next = kits.last().filter(|_| more).map(|last| (last.created_at.as_micros(), last.id.uuid()));
    let next_cursor = next.map(|position| studio.cursors.seal(RESOURCE, &position)).transpose()?;
    let ids: Vec<_> = kits.iter().map(|kit| kit.id).collect();
    let mut images = rows::list_images(&mut tx, Viewer::from(&caller), &ids).await?;
    drop(tx);
    let items = kits.into_iter().map(|kit| {
        let images = images.remove(&kit.id).unwrap_or_default();
        write_kit(&studio.config, kit, images, version)
    });
    let (items, offset) = (items.collect(), page.offset());
    Ok(ListPage { resource: RESOURCE, items, total, limit: page.limit, offset, next_cursor }
        .into_list_response(version))
}

/// One kit.
pub async fn get_brand_kit(
    State(studio): State<SharedStudio>,
    caller: Caller,
    Shape(version): Shape,
    PathId(id): PathId<kind::BrandKit>,
) -> Result<Response, Error> {
    let mut tx = studio.db.read().begin().await?;
    let kit = rows::get_brand_kit(&mut tx, caller.team_id, id).await?;
    answer(&studio, &mut tx, &caller, kit, version, StatusCode::OK).await
}

/// Makes a kit; the team's first becomes its default.
pub async fn create_brand_kit(
    State(studio): State<SharedStudio>,
    caller: Caller,
    Shape(version): Shape,
    Json(body): Json<WriteBrandKit>,
) -> Result<Response, Error> {
    if body.title.is_none() {
        return Err(Error::validation("title", "required"));
    }
    let body = check(body)?;
    let mut tx = studio.db.begin_for(caller.team_id).await?;
    let now = studio.clock.now();
    let mut kit = BrandKitRow {
        id: studio.new_id(),
        team_id: caller.team_id,
        title: String::new(),
        is_default: rows::find_default(&mut tx, caller.team_id).await?.is_none(),
        company_name: None,
        company_url: None,
        tagline: None,
        colors: Vec::new(),
        fonts: Vec::new(),
        created_by: Some(caller.user_id),
        created_at: now,
        updated_at: now,
    };
    store(&mut tx, &caller, &mut kit, body).await?;
    let response = answer(&studio, &mut tx, &caller, kit, version, StatusCode::CREATED).await?;
    tx.commit().await?;
    Ok(response)
}

/// Changes a kit: what is named, whole.
pub async fn change_brand_kit(
    State(studio): State<SharedStudio>,
    caller: Caller,
    Shape(version): Shape,
    PathId(id): PathId<kind::BrandKit>,
    Json(body): Json<WriteBrandKit>,
) -> Result<Response, Error> {
    let body = check(body)?;
    let mut tx = studio.db.begin_for(caller.team_id).await?;
    let mut kit = rows::get_brand_kit(&mut tx, caller.team_id, id).await?;
    kit.updated_at = studio.clock.now().max(kit.updated_at);
    store(&mut tx, &caller, &mut kit, body).await?;
    let response = answer(&studio, &mut tx, &caller, kit, version, StatusCode::OK).await?;
    tx.commit().await?;
    Ok(response)
}

/// Deletes a kit for good, which its maker, admins and owners may: there is no trash for kits. Its files stay in the
/// drive, and designs that were made with it stay as they are.
pub async fn delete_brand_kit(
    State(studio): State<SharedStudio>,
    caller: Caller,
    origin: Origin,
    PathId(id): PathId<kind::BrandKit>,
) -> Result<Response, Error> {
    let delete = async || {
        let mut tx = studio.db.begin_for(caller.team_id).await?;
        let kit = rows::get_brand_kit(&mut tx, caller.team_id, id).await?;
        // Of one that was made before this was noted, nobody is its maker.
        if kit.created_by != Some(caller.user_id) && !caller.oversees() {
            return Err(Error::NotPermitted("only who made a brand kit, an admin or an owner deletes it"));
        }
        rows::delete_brand_kit(&mut tx, caller.team_id, id).await?;
        let what = ("brand_kit_deleted", id.to_string(), json!({ "title": kit.title }));
        audit::note(&mut tx, &caller, origin, what, studio.clock.now()).await?;
        Ok(tx.commit().await?)
    };
    studio.room.lend(delete).await?;
    tracing::info!(user = %caller.user_id, key = %caller.api_key_id, kit = %id, "brand kit deleted");
    Ok(axum::Json(json!({ "id": id, "deleted": true })).into_response())
}

/// Adds a picture of the drive to a kit, in the group of its role.
pub async fn add_image(
    State(studio): State<SharedStudio>,
    caller: Caller,
    Shape(version): Shape,
    PathId(id): PathId<kind::BrandKit>,
    Json(body): Json<AddBrandImage>,
) -> Result<Response, Error> {
    let label = match &body.label {
        Some(label) => read_text("label", label, MAX_TEXT_CHARS)?,
        None => None,
    };
    let mut tx = studio.db.begin_for(caller.team_id).await?;
    let mut kit = rows::get_brand_kit(&mut tx, caller.team_id, id).await?;
    check_picture(&mut tx, Viewer::from(&caller), "file_id", body.file_id).await?;
    rows::add_image(&mut tx, id, body.role.as_str(), body.file_id, label.as_deref()).await?;
    check_number_of_images(&mut tx, &kit).await?;
    kit.updated_at = studio.clock.now().max(kit.updated_at);
    rows::put_brand_kit(&mut tx, &kit).await?;
    let response = answer(&studio, &mut tx, &caller, kit, version, StatusCode::CREATED).await?;
    tx.commit().await?;
    Ok(response)
}

async fn answer(
    studio: &SharedStudio,
    conn: &mut DbConnection,
    caller: &Caller,
    kit: BrandKitRow,
    version: Version,
    status: StatusCode,
) -> Result<Response, Error> {
    let images = rows::list_images(conn, Viewer::from(caller), &[kit.id]).await?.remove(&kit.id).unwrap_or_default();
    Ok((status, axum::Json(write_kit(&studio.config, kit, images, version))).into_response())
}

/// A kit as `version` writes it: the team's id is in the old one alone (specification, "Differences between versions").
fn write_kit(config: &Config, kit: BrandKitRow, images: Vec<BrandImageRow>, version: Version) -> BrandKit {
    let mut logos: Vec<BrandImageGroup> = Vec::new();
    for image in images {
        let written =
            BrandImage { name: Some(image.name), url: Some(file_url(config, image.file_id)), file_id: image.file_id };
        match logos.iter_mut().find(|group| group.group_name == image.group_name) {
            Some(group) => group.images.push(written),
            None => logos.push(BrandImageGroup { group_name: image.group_name, images: vec![written] }),
        }
    }
    BrandKit {
        id: kit.id,
        team_id: (version == Version::Legacy).then_some(kit.team_id),
        title: kit.title,
        is_default: kit.is_default,
        company_name: kit.company_name,
        company_url: kit.company_url,
        tagline: kit.tagline,
        colors: kit.colors,
        fonts: kit.fonts,
        logos,
        created_at: Some(kit.created_at),
        updated_at: Some(kit.updated_at),
    }
}

/// Writes what `body` names over `kit`, images included. In a write transaction.
async fn store(
    conn: &mut DbConnection,
    caller: &Caller,
    kit: &mut BrandKitRow,
    body: WriteBrandKit,
) -> Result<(), Error> {
    match body.is_default {
        Some(true) => kit.is_default = true,
        // Another kit becomes the default, or none does.
        Some(false) if kit.is_default => return Err(Error::validation("is_default", "make_another_kit_the_default")),
        _ => {}
    }
    let or_nothing = |text: String| Some(text).filter(|text| !text.is_empty());
    if let Some(title) = body.title {
        kit.title = title;
    }
    if let Some(name) = body.company_name {
        kit.company_name = or_nothing(name);
    }
    if let Some(url) = body.company_url {
        kit.company_url = or_nothing(url);
    }
    if let Some(tagline) = body.tagline {
        kit.tagline = or_nothing(tagline);
    }
    kit.colors = body.colors.unwrap_or_else(|| std::mem::take(&mut kit.colors));
    kit.fonts = body.fonts.unwrap_or_else(|| std::mem::take(&mut kit.fonts));
    rows::put_brand_kit(conn, kit).await?;
    if let Some(groups) = body.logos {
        let viewer = Viewer::from(caller);
        rows::clear_images(conn, viewer, kit.id).await?;
        for (at, group) in groups.iter().enumerate() {
            for (place, image) in group.images.iter().enumerate() {
                let field = format!("logos[{at}].images[{place}].file_id");
                check_picture(conn, viewer, &field, image.file_id).await?;
                rows::add_image(conn, kit.id, &group.group_name, image.file_id, image.name.as_deref()).await?;
            }
        }
        check_number_of_images(conn, kit).await?;
    }
    Ok(())
}

async fn check_picture(conn: &mut DbConnection, viewer: Viewer, field: &str, id: FileId) -> Result<(), Error> {
    let file = get_visible_file(conn, viewer, id).await?;
    if file.mime_type.starts_with("image/") { Ok(()) } else { Err(Error::validation(field, "not_an_image")) }
}

async fn check_number_of_images(conn: &mut DbConnection, kit: &BrandKitRow) -> Result<(), Error> {
    match rows::count_images(conn, kit.id).await? {
        count if count > MAX_IMAGES as u64 => Err(Error::validation("logos", "too_many")),
        _ => Ok(()),
    }
}

/// Refuses what is wrong by itself, and writes the rest in one way: colours in lower case, texts without blanks around
/// them.
fn check(mut body: WriteBrandKit) -> Result<WriteBrandKit, Error> {
    if let Some(title) = &body.title {
        let title = read_text("title", title, MAX_TEXT_CHARS)?;
        body.title = Some(title.ok_or_else(|| Error::validation("title", "required"))?);
    }
    let clearable = |field: &str, text: Option<String>, max_chars: usize| match text {
        Some(text) => Ok(Some(read_text(field, &text, max_chars)?.unwrap_or_default())),
        None => Ok::<_, Error>(None),
    };
    body.company_name = clearable("company_name", body.company_name, MAX_TEXT_CHARS)?;
    body.tagline = clearable("tagline", body.tagline, MAX_TAGLINE_CHARS)?;
    body.company_url = clearable("company_url", body.company_url, MAX_URL_CHARS)?;
    if let Some(url) = body.company_url.as_deref().filter(|url| !url.is_empty()) {
        let parsed = Url::parse(url).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
        parsed.ok_or_else(|| Error::validation("company_url", "invalid"))?;
    }
    check_length("colors", body.colors.as_ref().map(Vec::len), MAX_COLORS)?;
    for (place, color) in body.colors.iter_mut().flatten().enumerate() {
        *color = BrandColor {
            color: read_color(&format!("colors[{place}].color"), &color.color)?,
            label: read_label(&format!("colors[{place}].label"), color.label.as_deref())?,
        };
    }
    check_length("fonts", body.fonts.as_ref().map(Vec::len), MAX_FONTS)?;
    for (place, font) in body.fonts.iter_mut().flatten().enumerate() {
        let field = format!("fonts[{place}].family");
        let family = read_text(&field, &font.family, MAX_TEXT_CHARS)?;
        if font.weight.is_some_and(|weight| !(1..=1_000).contains(&weight)) {
            return Err(Error::validation(format!("fonts[{place}].weight"), "out_of_range"));
        }
        *font = BrandFont {
            family: family.ok_or_else(|| Error::validation(field, "required"))?,
            label: read_label(&format!("fonts[{place}].label"), font.label.as_deref())?,
            weight: font.weight,
        };
    }
    let images = body.logos.as_ref().map(|groups| groups.iter().map(|group| group.images.len()).sum());
    check_length("logos", images.max(body.logos.as_ref().map(Vec::len)), MAX_IMAGES)?;
    for (at, group) in body.logos.iter_mut().flatten().enumerate() {
        let field = format!("logos[{at}].group_name");
        let name = read_text(&field, &group.group_name, MAX_TEXT_CHARS)?;
        group.group_name = name.ok_or_else(|| Error::validation(field, "required"))?;
        for (place, image) in group.images.iter_mut().enumerate() {
            image.name = read_label(&format!("logos[{at}].images[{place}].name"), image.name.as_deref())?;
        }
    }
    Ok(body)
}

fn check_length(field: &str, length: Option<usize>, max: usize) -> Result<(), Error> {
    if length.is_some_and(|length| length > max) { Err(Error::validation(field, "too_many")) } else { Ok(()) }
}

fn read_label(field: &str, label: Option<&str>) -> Result<Option<String>, Error> {
    label.map_or(Ok(None), |label| read_text(field, label, MAX_TEXT_CHARS))
}

/// A line of text without blanks around it; `None` where nothing is left.
fn read_text(field: &str, text: &str, max_chars: usize) -> Result<Option<String>, Error> {
    let text = text.trim();
    if text.chars().any(char::is_control) {
        return Err(Error::validation(field, "invalid_character"));
    }
    if text.chars().count() > max_chars {
        return Err(Error::validation(field, "too_long"));
    }
    Ok(Some(text.to_owned()).filter(|text| !text.is_empty()))
}

/// `#rrggbb`, in lower case.
fn read_color(field: &str, text: &str) -> Result<String, Error> {
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6);
    match digits {
        Some(digits) if digits.bytes().all(|digit| digit.is_ascii_hexdigit()) => Ok(text.to_ascii_lowercase()),
        _ => Err(Error::validation(field, "invalid")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn what_is_wrong_with_a_kit_is_named_by_its_field() {
        let check_body = |body: Value, expected: Result<(), (&str, &str)>| {
            let found = check(serde_json::from_value(body.clone()).unwrap());
            match (found, expected) {
                (Ok(_), Ok(())) => {}
                (Err(Error::Validation { fields, .. }), Err((field, code))) => {
                    assert_eq!((fields[0].field.as_str(), fields[0].code.as_str()), (field, code), "{body}");
                }
                (found, _) => panic!("{body}: {found:?}"),
            }
        };
        check_body(json!({}), Ok(()));
        check_body(json!({"title": "T", "tagline": "", "company_url": ""}), Ok(()));
        check_body(json!({"title": " "}), Err(("title", "required")));
        check_body(json!({"title": "a\u{7}b"}), Err(("title", "invalid_character")));
        check_body(json!({"title": "ä".repeat(255)}), Ok(()));
        check_body(json!({"title": "ä".repeat(256)}), Err(("title", "too_long")));
        check_body(json!({"tagline": "x".repeat(1_001)}), Err(("tagline", "too_long")));
        check_body(json!({"company_url": "javascript:alert(1)"}), Err(("company_url", "invalid")));
        check_body(json!({"company_url": "acme"}), Err(("company_url", "invalid")));
        check_body(json!({"colors": [{"color": "#AABBCC"}]}), Ok(()));
        for wrong in ["#abc", "aabbcc", "#aabbcg", "#aabbccdd", "red"] {
            check_body(json!({"colors": [{"color": wrong}]}), Err(("colors[0].color", "invalid")));
        }
        check_body(json!({"colors": vec![json!({"color": "#000000"}); 51]}), Err(("colors", "too_many")));
        check_body(json!({"fonts": [{"family": ""}]}), Err(("fonts[0].family", "required")));
        check_body(json!({"fonts": [{"family": "Inter", "weight": 0}]}), Err(("fonts[0].weight", "out_of_range")));
        check_body(json!({"fonts": [{"family": "Inter", "weight": 1000}]}), Ok(()));
        check_body(json!({"logos": [{"group_name": "", "images": []}]}), Err(("logos[0].group_name", "required")));
    }

    #[test]
    fn colours_are_kept_in_lower_case_and_texts_without_blanks() {
        let body = json!({"title": " A ", "colors": [{"color": "#ABCDEF", "label": " "}]});
        let body = check(serde_json::from_value(body).unwrap()).unwrap();
        assert_eq!(body.title.as_deref(), Some("A"));
        assert_eq!(body.colors.unwrap(), [BrandColor { color: "#abcdef".to_owned(), label: None }]);
    }
}
