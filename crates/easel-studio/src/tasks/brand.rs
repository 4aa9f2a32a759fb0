//! Which brand kit a task follows, and what it says.

use easel_wire::BrandKitId;
use easel_wire::error::code;
use sqlx::SqliteConnection;

use crate::db::drive::Viewer;
use crate::db::tasks::TaskRow;
use crate::drawing::Brand;
use crate::error::Error;
use crate::studio::App;

/// The kit that a task follows: the one that is named, else the team's default, else none (contract, "Brand kits").
///
/// # Errors
/// 404 `brand_kit_not_found`, 422 where one is named and none wanted.
pub(super) async fn settle_brand(
    _conn: &mut SqliteConnection,
    _viewer: Viewer,
    named: Option<BrandKitId>,
    skip: bool,
) -> Result<Option<BrandKitId>, Error> {
    match named {
        Some(_) if skip => Err(Error::validation("brand_kit_id", "not_with_skip_brand_kit")),
        // This service holds no brand kits yet, so there is none with this id.
        Some(_) => Err(Error::not_found(code::BRAND_KIT_NOT_FOUND)),
        None => Ok(None),
    }
}

/// What the task's kit says; `None` where it follows none, or the kit is gone meanwhile.
///
/// # Errors
/// [`Error::Database`], [`Error::Blobs`].
pub async fn load_brand(_app: &App, _task: &TaskRow) -> Result<Option<Brand>, Error> {
    Ok(None)
}
