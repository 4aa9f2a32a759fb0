//! Leases: for how long a process holds the work that it does, and which of them are over.
//!
//! Always true: a row in work names its holder and until when it is held, both or neither; each write of a holder names
//! the try and the holder in its own statement, so that one whose lease was ended changes nothing and is told so. Only
//! others end a lease: its holder renews it, however late, as long as nobody has. Not here: when leases are renewed
//! ([`crate::background::keeper`]) and ended ([`crate::background::reaper`]), and what becomes of the work (the file of each noun).

use std::time::Duration;

use easel_wire::Timestamp;
use sqlx::Row;
use uuid::Uuid;

use crate::core::error::Error;
use crate::db::{DbConnection, DbRow};

/// The end of a lease that its holder has given back, before every other.
const GIVEN_BACK_US: i64 = -1;

/// A process, from its start to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Holder(Uuid);

impl Holder {
    /// The process with this id, which no other process ever had.
    #[must_use]
    pub fn new(id: Uuid) -> Self {
        Self(id)
    }

    /// The process's id.
    #[must_use]
    pub fn uuid(self) -> Uuid {
        self.0
    }

    /// The holder that a row names; `None` where it names none.
    ///
    /// # Errors
    /// Where the column is missing, or no UUID.
    pub fn of_row(row: &DbRow) -> Result<Option<Self>, sqlx::Error> {
        Ok(row.try_get::<Option<Uuid>, _>("claimed_by")?.map(Self))
    }
}

/// What a claim takes: by whom, and until when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lease {
    /// The process that will work on it.
    pub holder: Holder,
    /// Until when nobody else may, unless it is renewed.
    pub until: Timestamp,
}

/// The kind of work that is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Work {
    /// A task.
    Task,
    /// An export.
    Export,
    /// An attempt at a delivery of a webhook.
    Delivery,
}

/// One try at some work, claimed by a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Claim {
    /// What kind of thing.
    pub work: Work,
    /// Its id.
    pub id: Uuid,
    /// The number of the try. A later one has a larger number, whoever makes it.
    pub attempt: u32,
}

/// Which leases are over: never those of the process that asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExpiredLeases {
    /// The process that asks.
    pub asking: Holder,
    /// Leases that end at this moment or before.
    pub ended_by: i64,
    /// Leases that end later than this: they come from a clock that was ahead, and nobody has renewed them since it was
    /// set back.
    pub too_far_ahead: i64,
}

impl ExpiredLeases {
    /// The leases of other processes that are over, if a lease is so long.
    #[must_use]
    pub fn expired(asking: Holder, now: Timestamp, length: Duration) -> Self {
        let length = i64::try_from(length.as_micros()).unwrap_or(i64::MAX);
        // Another process may have renewed a lease a moment later than this one asked for the time.
        let too_far_ahead = now.as_micros().saturating_add(length.saturating_mul(2));
        Self { asking, ended_by: now.as_micros(), too_far_ahead }
    }

    /// The leases that their own holder has given back ([`give_back`]).
    #[must_use]
    pub fn given_back() -> Self {
        Self { asking: Holder(Uuid::nil()), ended_by: GIVEN_BACK_US, too_far_ahead: i64::MAX }
    }

    /// Whether a try that is taken back counts as one that failed.
    #[must_use]
    pub fn counts_tries(self) -> bool {
        self.ended_by != GIVEN_BACK_US
    }

    /// The leases of every other process, because none of these is there any more.
    #[must_use]
    pub fn of_all_others(asking: Holder) -> Self {
        Self { asking, ended_by: i64::MAX, too_far_ahead: i64::MAX }
    }
}

/// Gives back everything that a process holds: it is over from now on, for [`ExpiredLeases::given_back`]. In the write transaction that takes it
/// back.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn give_back(conn: &mut DbConnection, holder: Holder) -> Result<(), Error> {
    renew(conn, Lease { holder, until: Timestamp::from_micros(GIVEN_BACK_US) }).await?;
    Ok(())
}

/// Holds everything that this process holds until the moment of `lease`; says what that is.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn renew(conn: &mut DbConnection, lease: Lease) -> Result<Vec<Claim>, Error> {
    let renewals = [
        (Work::Task, "UPDATE tasks SET lease_until = $2 WHERE claimed_by = $1 RETURNING id, attempt"),
        (Work::Export, "UPDATE exports SET lease_until = $2 WHERE claimed_by = $1 RETURNING id, attempt"),
        (Work::Delivery, "UPDATE webhook_deliveries SET lease_until = $2 WHERE claimed_by = $1 RETURNING id, attempts"),
    ];
    let mut held = Vec::new();
    for (work, renewal) in renewals {
        let rows: Vec<(Uuid, u32)> = sqlx::query_as(renewal)
            .bind(lease.holder.uuid())
            .bind(lease.until.as_micros())
            .fetch_all(&mut *conn)
            .await?;
        held.extend(rows.into_iter().map(|(id, attempt)| Claim { work, id, attempt }));
    }
    Ok(held)
}

/// Whether any lease is over.
///
/// # Errors
/// [`Error::Database`].
pub async fn is_any_over(conn: &mut DbConnection, over: ExpiredLeases) -> Result<bool, Error> {
    Ok(sqlx::query_scalar(
        "SELECT EXISTS (SELECT 1 FROM tasks WHERE claimed_by <> $1 AND (lease_until <= $2 OR lease_until > $3))
             OR EXISTS (SELECT 1 FROM exports WHERE claimed_by <> $1 AND (lease_until <= $2 OR lease_until > $3))
             OR EXISTS (SELECT 1 FROM webhook_deliveries
                        WHERE claimed_by <> $1 AND (lease_until <= $2 OR lease_until > $3))",
    )
    .bind(over.asking.uuid())
    .bind(over.ended_by)
    .bind(over.too_far_ahead)
    .fetch_one(conn)
    .await?)
}
