//! Brand kits and their images (contract, "Brand kits").
//!
//! Always true: of the kits of a team, one is the default; an image whose file is private is there for that file's
//! owner alone. Not here: what a kit may hold, and what a task makes of it.

use std::collections::HashMap;

use easel_wire::Timestamp;
use easel_wire::error::code;
use serde::de::DeserializeOwned;
use sqlx::{FromRow, QueryBuilder, Row};
use uuid::Uuid;

use super::Viewer;
use super::columns::moment;
use crate::core::error::Error;
use crate::core::page::Start;
use crate::db::selected::columns;
use crate::db::{DbConnection, DbRow, Engine};
use crate::wire::brand_kits::{BrandColor, BrandFont, MAX_IMAGES};
use crate::wire::{BrandKitId, FileId, TeamId, UserId};

/// A brand kit without its images.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrandKitRow {
    /// Its id.
    pub id: BrandKitId,
    /// Its team.
    pub team_id: TeamId,
    /// What it is called.
    pub title: String,
    /// Whether a task that names no kit follows this one.
    pub is_default: bool,
    /// The company's name.
    pub company_name: Option<String>,
    /// The company's site.
    pub company_url: Option<String>,
    /// The company's line.
    pub tagline: Option<String>,
    /// Its colours.
    pub colors: Vec<BrandColor>,
    /// Its fonts.
    pub fonts: Vec<BrandFont>,
    /// Who made it; nobody knows of those that were made before this was noted.
    pub created_by: Option<UserId>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

impl FromRow<'_, DbRow> for BrandKitRow {
    fn from_row(row: &DbRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            id: BrandKitId::from_uuid(row.try_get("id")?),
            team_id: TeamId::from_uuid(row.try_get("team_id")?),
            title: row.try_get("title")?,
            is_default: row.try_get("is_default")?,
            company_name: row.try_get("company_name")?,
            company_url: row.try_get("company_url")?,
            tagline: row.try_get("tagline")?,
            colors: read_json(row, "colors")?,
            fonts: read_json(row, "fonts")?,
            created_by: row.try_get::<Option<Uuid>, _>("created_by")?.map(UserId::from_uuid),
            created_at: moment(row.try_get("created_at")?),
            updated_at: moment(row.try_get("updated_at")?),
        })
    }
}

fn read_json<T: DeserializeOwned>(row: &DbRow, column: &str) -> Result<T, sqlx::Error> {
    serde_json::from_str(row.try_get(column)?).map_err(|error| sqlx::Error::Decode(Box::new(error)))
}

/// An image of a kit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrandImageRow {
    /// The group that it is in.
    pub group_name: String,
    /// The file.
    pub file_id: FileId,
    /// What it is called.
    pub name: String,
    /// The file's type.
    pub mime_type: String,
    /// The file's size in bytes.
    pub size_bytes: u64,
    /// SHA-256 of the file.
    pub content_hash: [u8; 32],
    /// Whether only its owner sees the file.
    pub is_private: bool,
}

/// A kit's position in its list: when it was made, and its id.
pub type BrandKitPosition = (i64, Uuid);

/// A page of kits, `created_at` descending, then id descending; and one more where more follow.
///
/// # Errors
/// [`Error::Database`].
pub async fn list_brand_kits(
    conn: &mut DbConnection,
    team: TeamId,
    start: &Start<BrandKitPosition>,
    limit: u64,
) -> Result<Vec<BrandKitRow>, Error> {
    let mut sql = QueryBuilder::<Engine>::new(concat!(
        "SELECT ",
        columns!("brand_kits", brand_kits),
        " FROM brand_kits WHERE team_id = "
    ));
    sql.push_bind(team.uuid());
    if let Start::After((created_at, id)) = start {
        sql.push(" AND (created_at, id) < (").push_bind(*created_at).push(", ").push_bind(*id).push(")");
    }
    sql.push(" ORDER BY created_at DESC, id DESC LIMIT ").push_bind(i64::try_from(limit).unwrap_or(i64::MAX - 1) + 1);
    if let Start::Offset(offset) = start {
        sql.push(" OFFSET ").push_bind(i64::try_from(*offset).unwrap_or(i64::MAX));
    }
    Ok(sql.build_query_as().fetch_all(conn).await?)
}

/// How many kits the team has.
///
/// # Errors
/// [`Error::Database`].
pub async fn count_brand_kits(conn: &mut DbConnection, team: TeamId) -> Result<u64, Error> {
    let count: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM brand_kits WHERE team_id = $1")
        .bind(team.uuid())
        .fetch_one(conn)
        .await?;
    Ok(u64::try_from(count).unwrap_or_default())
}

/// The kit of the team.
///
/// # Errors
/// 404 `brand_kit_not_found`.
pub async fn get_brand_kit(conn: &mut DbConnection, team: TeamId, id: BrandKitId) -> Result<BrandKitRow, Error> {
    sqlx::query_as(concat!(
        "SELECT ",
        columns!("brand_kits", brand_kits),
        " FROM brand_kits WHERE id = $1 AND team_id = $2"
    ))
    .bind(id.uuid())
    .bind(team.uuid())
    .fetch_optional(conn)
    .await?
    .ok_or_else(|| Error::not_found(code::BRAND_KIT_NOT_FOUND))
}

/// The team's default; `None` where it has no kit.
///
/// # Errors
/// [`Error::Database`].
pub async fn find_default(conn: &mut DbConnection, team: TeamId) -> Result<Option<BrandKitId>, Error> {
    let id: Option<Uuid> = sqlx::query_scalar("SELECT id FROM brand_kits WHERE team_id = $1 AND is_default = 1")
        .bind(team.uuid())
        .fetch_optional(conn)
        .await?;
    Ok(id.map(BrandKitId::from_uuid))
}

/// Stores a kit, in place of what it was where it is there. A default takes the place of the one before. In a write
/// transaction.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn put_brand_kit(conn: &mut DbConnection, kit: &BrandKitRow) -> Result<(), Error> {
    if kit.is_default {
        sqlx::query("UPDATE brand_kits SET is_default = 0 WHERE team_id = $1 AND is_default = 1")
            .bind(kit.team_id.uuid())
            .execute(&mut *conn)
            .await?;
    }
    let json =
        |text: Result<String, serde_json::Error>| text.map_err(|_| Error::Corrupt("a kit that cannot be written"));
    sqlx::query(
        "INSERT INTO brand_kits
           (id, team_id, title, is_default, company_name, company_url, tagline, colors, fonts, created_at, updated_at,
            created_by)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
         ON CONFLICT (id) DO UPDATE SET title = $3, is_default = $4, company_name = $5, company_url = $6, tagline = $7,
           colors = $8, fonts = $9, updated_at = $11",
    )
    .bind(kit.id.uuid())
    .bind(kit.team_id.uuid())
    .bind(&kit.title)
    .bind(kit.is_default)
    .bind(&kit.company_name)
    .bind(&kit.company_url)
    .bind(&kit.tagline)
    .bind(json(serde_json::to_string(&kit.colors))?)
    .bind(json(serde_json::to_string(&kit.fonts))?)
    .bind(kit.created_at.as_micros())
    .bind(kit.updated_at.as_micros())
    .bind(kit.created_by.map(UserId::uuid))
    .execute(conn)
    .await?;
    Ok(())
}

/// Deletes a kit with its images. If it was the default, the oldest of the others becomes it. In a write transaction.
///
/// # Errors
/// 404 `brand_kit_not_found`.
pub async fn delete_brand_kit(conn: &mut DbConnection, team: TeamId, id: BrandKitId) -> Result<(), Error> {
    let kit = get_brand_kit(conn, team, id).await?;
    sqlx::query("DELETE FROM brand_kits WHERE id = $1").bind(id.uuid()).execute(&mut *conn).await?;
    if kit.is_default {
        sqlx::query(
            "UPDATE brand_kits SET is_default = 1 WHERE id =
               (SELECT id FROM brand_kits WHERE team_id = $1 ORDER BY created_at, id LIMIT 1)",
        )
        .bind(team.uuid())
        .execute(conn)
        .await?;
    }
    Ok(())
}

/// The images of these kits that the viewer sees, group by group in the order in which the groups came.
///
/// # Errors
/// [`Error::Database`].
pub async fn list_images(
    conn: &mut DbConnection,
    viewer: Viewer,
    kits: &[BrandKitId],
) -> Result<HashMap<BrandKitId, Vec<BrandImageRow>>, Error> {
    let mut found: HashMap<BrandKitId, Vec<BrandImageRow>> = HashMap::new();
    if kits.is_empty() {
        return Ok(found);
    }
    let mut sql = QueryBuilder::<Engine>::new(
        "SELECT image.brand_kit_id, image.group_name, image.file_id, COALESCE(image.name, file.name) AS name,
           file.mime_type, file.size_bytes, file.content_hash, file.private_to
         FROM brand_kit_images AS image JOIN files AS file ON file.id = image.file_id
         WHERE file.private_to IN (x'', ",
    );
    sql.push_bind(viewer.user.uuid()).push(") AND image.brand_kit_id IN (");
    let mut list = sql.separated(", ");
    for id in kits {
        list.push_bind(id.uuid());
    }
    sql.push(") ORDER BY image.brand_kit_id, image.position, image.file_id");
    for row in sql.build().fetch_all(conn).await? {
        let hash: Vec<u8> = row.try_get("content_hash")?;
        let image = BrandImageRow {
            group_name: row.try_get("group_name")?,
            file_id: FileId::from_uuid(row.try_get("file_id")?),
            name: row.try_get("name")?,
            mime_type: row.try_get("mime_type")?,
            size_bytes: u64::try_from(row.try_get::<i64, _>("size_bytes")?).unwrap_or_default(),
            content_hash: hash.try_into().map_err(|_| Error::Corrupt("a content hash"))?,
            is_private: !row.try_get::<Vec<u8>, _>("private_to")?.is_empty(),
        };
        found.entry(BrandKitId::from_uuid(row.try_get("brand_kit_id")?)).or_default().push(image);
    }
    Ok(found)
}

/// How many images a kit has, whoever sees them.
///
/// # Errors
/// [`Error::Database`].
pub async fn count_images(conn: &mut DbConnection, kit: BrandKitId) -> Result<u64, Error> {
    let count: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM brand_kit_images WHERE brand_kit_id = $1")
        .bind(kit.uuid())
        .fetch_one(conn)
        .await?;
    Ok(u64::try_from(count).unwrap_or_default())
}

/// Adds an image at the end; an image that is in its group already only gets the name. In a write transaction.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn add_image(
    conn: &mut DbConnection,
    kit: BrandKitId,
    group_name: &str,
    file: FileId,
    name: Option<&str>,
) -> Result<(), Error> {
    sqlx::query(
        "INSERT INTO brand_kit_images (brand_kit_id, group_name, file_id, name, position)
         SELECT $1, $2, $3, $4, COALESCE(MAX(position) + 1, 0) FROM brand_kit_images WHERE brand_kit_id = $1
         ON CONFLICT (brand_kit_id, group_name, file_id) DO UPDATE SET name = $4",
    )
    .bind(kit.uuid())
    .bind(group_name)
    .bind(file.uuid())
    .bind(name)
    .execute(conn)
    .await?;
    Ok(())
}

/// Removes the images of a kit that the viewer sees. In a write transaction.
///
/// # Errors
/// [`Error::Database`].
pub async fn clear_images(conn: &mut DbConnection, viewer: Viewer, kit: BrandKitId) -> Result<(), Error> {
    sqlx::query(
        "DELETE FROM brand_kit_images WHERE brand_kit_id = $1
           AND file_id IN (SELECT id FROM files WHERE private_to IN (x'', $2))",
    )
    .bind(kit.uuid())
    .bind(viewer.user.uuid())
    .execute(&mut *conn)
    .await?;
    // A kit whose images were settled anew gets none of the earlier ones back from the trash.
    sqlx::query(
        "DELETE FROM trashed_brand_kit_images WHERE brand_kit_id = $1
           AND file_id IN (SELECT id FROM trashed_files WHERE private_to IN (x'', $2))",
    )
    .bind(kit.uuid())
    .bind(viewer.user.uuid())
    .execute(conn)
    .await?;
    Ok(())
}

/// Notes which kits show the files of an entry of the trash, before those files leave the drive. In a write
/// transaction.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub(super) async fn set_images_aside(conn: &mut DbConnection, entry: Uuid) -> Result<(), Error> {
    sqlx::query(
        "INSERT INTO trashed_brand_kit_images (brand_kit_id, group_name, file_id, name, position)
         SELECT brand_kit_id, group_name, file_id, name, position FROM brand_kit_images
         WHERE file_id IN (SELECT id FROM trashed_files WHERE trash_id = $1)",
    )
    .bind(entry)
    .execute(conn)
    .await?;
    Ok(())
}

/// Shows the files of an entry of the trash in the kits that showed them, as far as these have room, once they are in
/// the drive again. In a write transaction.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub(super) async fn put_images_back(conn: &mut DbConnection, entry: Uuid) -> Result<(), Error> {
    let images: Vec<(Uuid, String, Uuid)> = sqlx::query_as(
        "SELECT brand_kit_id, group_name, file_id FROM trashed_brand_kit_images
         WHERE file_id IN (SELECT id FROM trashed_files WHERE trash_id = $1) ORDER BY brand_kit_id, position, file_id",
    )
    .bind(entry)
    .fetch_all(&mut *conn)
    .await?;
    for (kit, group_name, file) in images {
        if count_images(conn, BrandKitId::from_uuid(kit)).await? >= MAX_IMAGES as u64 {
            continue;
        }
        sqlx::query(
            "INSERT INTO brand_kit_images (brand_kit_id, group_name, file_id, name, position)
             SELECT brand_kit_id, group_name, file_id, name, position FROM trashed_brand_kit_images
             WHERE brand_kit_id = $1 AND group_name = $2 AND file_id = $3",
        )
        .bind(kit)
        .bind(group_name)
        .bind(file)
        .execute(&mut *conn)
        .await?;
    }
    Ok(())
}
