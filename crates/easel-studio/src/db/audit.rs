//! The audit log: who did what, from where and when.
//!
//! Always true: an entry is written in the transaction of what it tells, so that neither is there without the other.
//! Not here: what is worth an entry ([`crate::audit`]).

use easel_wire::Timestamp;
use serde_json::Value;
use sqlx::{QueryBuilder, Row};
use uuid::Uuid;

use crate::core::clock::DAY_US;
use crate::core::error::Error;
use crate::db::{DbConnection, Engine};
use crate::wire::{ApiKeyId, OrganizationId};

/// An entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditRow {
    /// When.
    pub at: Timestamp,
    /// The address of a user, `operator`, or nothing for who is not known.
    pub actor: String,
    /// The key that a request came with.
    pub api_key_id: Option<ApiKeyId>,
    /// The organization of the entry, if it is of one.
    pub organization_id: Option<OrganizationId>,
    /// The network address that the request came from.
    pub address: String,
    /// The action, by name.
    pub action: String,
    /// The item or account that the action was done to.
    pub subject: String,
    /// A JSON object.
    pub details: Value,
}

/// Writes an entry.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn insert(conn: &mut DbConnection, row: &AuditRow) -> Result<(), Error> {
    sqlx::query(
        "INSERT INTO audit_log (at, actor, api_key_id, organization_id, address, action, subject, details)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(row.at.as_micros())
    .bind(&row.actor)
    .bind(row.api_key_id.map(ApiKeyId::uuid))
    .bind(row.organization_id.map(OrganizationId::uuid))
    .bind(&row.address)
    .bind(&row.action)
    .bind(&row.subject)
    .bind(row.details.to_string())
    .execute(conn)
    .await?;
    Ok(())
}

/// Which entries are asked for; those of every organization, moment and action unless said.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wanted<'a> {
    /// Of this organization alone.
    pub organization: Option<OrganizationId>,
    /// Since this moment.
    pub since: Option<Timestamp>,
    /// Of this action.
    pub action: Option<&'a str>,
}

/// The newest `limit` entries of those that are wanted, the oldest first.
///
/// # Errors
/// [`Error::Database`].
pub async fn list(conn: &mut DbConnection, wanted: Wanted<'_>, limit: u32) -> Result<Vec<AuditRow>, Error> {
    let Wanted { organization, since, action } = wanted;
    let mut sql = QueryBuilder::<Engine>::new(
        "SELECT at, actor, api_key_id, organization_id, address, action, subject, details FROM audit_log WHERE at >= ",
    );
    sql.push_bind(since.map_or(i64::MIN, Timestamp::as_micros));
    if let Some(action) = action {
        sql.push(" AND action = ").push_bind(action.to_owned());
    }
    if let Some(organization) = organization {
        sql.push(" AND organization_id = ").push_bind(organization.uuid());
    }
    sql.push(" ORDER BY id DESC LIMIT ").push_bind(limit);
    let mut rows = sql.build().fetch_all(conn).await?;
    rows.reverse();
    rows.iter()
        .map(|row| {
            Ok(AuditRow {
                at: Timestamp::from_micros(row.try_get("at")?),
                actor: row.try_get("actor")?,
                api_key_id: row.try_get::<Option<Uuid>, _>("api_key_id")?.map(ApiKeyId::from_uuid),
                organization_id: row.try_get::<Option<Uuid>, _>("organization_id")?.map(OrganizationId::from_uuid),
                address: row.try_get("address")?,
                action: row.try_get("action")?,
                subject: row.try_get("subject")?,
                details: serde_json::from_str(row.try_get("details")?)
                    .map_err(|_| Error::Corrupt("details of an entry that are no JSON"))?,
            })
        })
        .collect()
}

/// Removes entries that are `days` old by the clock and by the days that the studio served, and all of an action but
/// its newest `newest`. Says how many.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn forget(
    conn: &mut DbConnection,
    now: Timestamp,
    days: u32,
    (action, newest): (&str, u32),
) -> Result<u64, Error> {
    let old = "DELETE FROM audit_log WHERE at < $1 AND id <=
        (SELECT newest_entry FROM served_days ORDER BY number DESC LIMIT 1 OFFSET $2)";
    let before = now.as_micros().saturating_sub(i64::from(days).saturating_mul(DAY_US));
    let old = sqlx::query(old).bind(before).bind(days).execute(&mut *conn).await?;
    let many = "DELETE FROM audit_log WHERE action = $1 AND id <=
        (SELECT id FROM audit_log WHERE action = $1 ORDER BY id DESC LIMIT 1 OFFSET $2)";
    let many = sqlx::query(many).bind(action).bind(newest).execute(conn).await?;
    Ok(old.rows_affected() + many.rows_affected())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::db::served_days;
    use crate::fixture::Fixture;

    #[tokio::test]
    async fn of_what_strangers_cause_the_newest_entries_stay_and_of_the_rest_all_that_are_young() {
        let folder = tempfile::tempdir().unwrap();
        let fixture = Fixture::start(folder.path(), 0).await;
        let mut tx = fixture.studio.db.begin().await.unwrap();
        for number in 0..20 {
            let action = if number % 2 == 0 { "key_refused" } else { "item_deleted" };
            let row = AuditRow {
                at: Timestamp::from_micros(number),
                actor: String::new(),
                api_key_id: None,
                organization_id: None,
                address: number.to_string(),
                action: action.to_owned(),
                subject: String::new(),
                details: Value::Object(serde_json::Map::new()),
            };
            insert(&mut tx, &row).await.unwrap();
        }
        let at = |day: i64| Timestamp::from_micros(day * DAY_US + 4);
        // The clock says at once that a year is over.
        served_days::count(&mut tx, at(0)).await.unwrap();
        served_days::count(&mut tx, at(400)).await.unwrap();
        assert_eq!(forget(&mut tx, at(400), 2, ("key_refused", 100)).await.unwrap(), 0, "it served for one day since");
        served_days::count(&mut tx, at(401)).await.unwrap();
        let gone = forget(&mut tx, at(2), 2, ("key_refused", 3)).await.unwrap();
        let left = async |tx: &mut DbConnection, action: &str| {
            let rows = list(tx, Wanted { action: Some(action), ..Wanted::default() }, 100).await.unwrap();
            rows.into_iter().map(|row| row.address).collect::<Vec<_>>()
        };
        assert_eq!((gone, left(&mut tx, "key_refused").await), (9, vec!["14".into(), "16".into(), "18".into()]));
        assert_eq!(left(&mut tx, "item_deleted").await.len(), 8);
        assert_eq!(forget(&mut tx, at(2), 2, ("key_refused", 3)).await.unwrap(), 0);
    }
}
