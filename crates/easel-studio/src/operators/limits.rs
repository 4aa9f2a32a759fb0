//! `easel-studio limits`: an organization's own limits, set beside a running service and with effect on its next
//! request (specification, "Limits").

use std::path::Path;
use std::str::FromStr;

use serde_json::json;

use super::find_organization;
use crate::audit;
use crate::core::error::Error;
use crate::core::limits::Overrides;
use crate::data_folder::DataFolder;
use crate::db::limits;
use crate::wire::OrganizationId;

/// What shall become of an override.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change<N = u32> {
    /// A new limit; for a rate or a cap, zero is no limit.
    To(N),
    /// What the plan and the studio say holds again; of a quota, that there is none.
    ToDefault,
}

impl<N: FromStr> FromStr for Change<N> {
    type Err = String;

    /// Reads a number, or `default`.
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "default" => Ok(Self::ToDefault),
            digits => digits.parse().map(Self::To).map_err(|_| "a number is needed, or: default".to_owned()),
        }
    }
}

impl<N> Change<N> {
    /// What holds instead, where something does.
    pub fn over(self) -> Option<N> {
        match self {
            Self::To(limit) => Some(limit),
            Self::ToDefault => None,
        }
    }
}

/// The changes to an organization's overrides; what is absent stays.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Changes {
    /// Requests a minute and key.
    pub requests_per_minute: Option<Change>,
    /// Exports a minute.
    pub exports_per_minute: Option<Change>,
    /// Tasks queued or running at once.
    pub concurrent_tasks: Option<Change>,
}

/// Changes the overrides of an organization, the only one where none is named, and says what they are now.
///
/// # Errors
/// [`Error::Usage`] where there is no such organization; [`Error::Io`], [`Error::Database`], [`Error::StorageFull`].
pub async fn set(
    data_dir: &Path,
    organization: Option<OrganizationId>,
    changes: Changes,
) -> Result<(OrganizationId, Overrides), Error> {
    let folder = DataFolder::open(data_dir).await?;
    let mut tx = folder.db.begin().await?;
    let organization = find_organization(&mut tx, organization).await?;
    let mut overrides = limits::get_overrides(&mut tx, organization).await?;
    let change = |limit: &mut Option<u32>, change: Option<Change>| {
        if let Some(change) = change {
            *limit = change.over();
        }
    };
    change(&mut overrides.requests_per_minute, changes.requests_per_minute);
    change(&mut overrides.exports_per_minute, changes.exports_per_minute);
    change(&mut overrides.concurrent_tasks, changes.concurrent_tasks);
    limits::put_overrides(&mut tx, organization, &overrides).await?;
    let details = json!({
        "requests_per_minute": overrides.requests_per_minute, "exports_per_minute": overrides.exports_per_minute,
        "concurrent_tasks": overrides.concurrent_tasks,
    });
    let what = ("limits_changed", organization.to_string(), details);
    audit::note_operator(&mut tx, Some(organization), what, folder.clock.now()).await?;
    tx.commit().await?;
    folder.db.close().await;
    Ok((organization, overrides))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crate::wire::account::Plan;
    use easel_wire::Version;

    use super::*;
    use crate::core::limits::Limits;
    use crate::studio::config::Config;

    #[tokio::test]
    async fn an_override_stays_until_it_is_changed_or_taken_back() {
        let folder = tempfile::tempdir().unwrap();
        let check = async |changes: Changes, requests: Option<u32>, tasks: Option<u32>| {
            let (_, now) = set(folder.path(), None, changes).await.unwrap();
            assert_eq!((now.requests_per_minute, now.concurrent_tasks), (requests, tasks), "{changes:?}");
        };
        let none = Changes::default();
        check(none, None, None).await;
        check(Changes { requests_per_minute: Some(Change::To(600)), ..none }, Some(600), None).await;
        check(Changes { concurrent_tasks: Some(Change::To(0)), ..none }, Some(600), Some(0)).await;
        check(Changes { requests_per_minute: Some(Change::ToDefault), ..none }, None, Some(0)).await;
        let nobody = OrganizationId::from_uuid(uuid::Uuid::nil());
        assert!(matches!(set(folder.path(), Some(nobody), none).await, Err(Error::Usage(_))));
    }

    #[test]
    fn a_change_is_a_number_or_the_default() {
        let check = |text: &str, expected: Option<Change>| assert_eq!(text.parse().ok(), expected, "{text}");
        check("0", Some(Change::To(0)));
        check("25", Some(Change::To(25)));
        check("default", Some(Change::ToDefault));
        for wrong in ["", "-1", "1.5", "many", "4294967296"] {
            check(wrong, None);
        }
    }

    fn config() -> Config {
        Config {
            base_url: String::new(),
            upload_url: String::new(),
            version_header: "acme-version".parse().unwrap(),
            oldest_version: Version::Legacy,
            max_file_bytes: None,
            requests_per_minute: 120,
            exports_per_minute: 25,
            concurrent_tasks: None,
            expire_tasks_after: Duration::from_secs(3_600),
        }
    }

    #[test]
    fn a_plan_says_how_many_tasks_and_how_large_a_file() {
        let check = |plan: Plan, concurrent_tasks: u32, max_file_bytes: (u64, bool)| {
            let config = config();
            let limits = config.limits(plan, &Overrides::default());
            assert_eq!(limits, Limits { requests_per_minute: 120, exports_per_minute: 25, concurrent_tasks });
            assert_eq!(config.max_file_bytes(plan), max_file_bytes, "{plan:?}");
        };
        check(Plan::Free, 3, (50_000_000, true));
        check(Plan::Paid, 10, (250_000_000, false));
        check(Plan::Ultra, 15, (250_000_000, false));
    }

    #[test]
    fn what_was_set_comes_before_the_plan_and_an_organizations_own_limits_before_both() {
        let set = Config { max_file_bytes: Some(1_000), concurrent_tasks: Some(7), ..config() };
        assert_eq!(set.max_file_bytes(Plan::Free), (1_000, true));
        let above_the_platform = Config { max_file_bytes: Some(u64::MAX), ..config() };
        assert_eq!(above_the_platform.max_file_bytes(Plan::Paid), (250_000_000, true));
        let limits = set.limits(Plan::Free, &Overrides::default());
        assert_eq!(limits, Limits { requests_per_minute: 120, exports_per_minute: 25, concurrent_tasks: 7 });
        let own = Overrides {
            requests_per_minute: Some(1),
            exports_per_minute: Some(0),
            concurrent_tasks: Some(99),
            ..Overrides::default()
        };
        let limits = set.limits(Plan::Free, &own);
        assert_eq!(limits, Limits { requests_per_minute: 1, exports_per_minute: 0, concurrent_tasks: 99 });
    }
}
