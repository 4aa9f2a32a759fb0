//! What an operator does to a data folder at the command line, also beside a running studio.
//!
//! Always true: what is changed is in the audit log, in the transaction that changes it. Not here: how a command is
//! written ([`crate::cli`]).

pub mod audit;
pub mod backup;
pub mod contents;
pub mod invitations;
pub mod keys;
pub mod limits;
pub mod moving;
pub mod new_place;
pub mod quotas;
pub mod restore;
pub mod users;
pub mod verify;

use data_encoding::HEXLOWER;

use crate::blobs::ContentHash;
use crate::core::error::Error;
use crate::db::{Tx, accounts};
use crate::wire::{OrganizationId, TeamId};

/// What an operator is told a content by.
fn written(hash: &ContentHash) -> String {
    format!("sha256:{}", HEXLOWER.encode(hash))
}

/// So many contents are on their way at once where a studio is copied: a small one waits for its disk or its bucket most of the time. Of
/// large ones, so many have parts in memory.
const AT_ONCE: usize = 4;

/// The organization that an operator means, the first one where none is named.
async fn find_organization(tx: &mut Tx, id: Option<OrganizationId>) -> Result<OrganizationId, Error> {
    let found = accounts::find_organization(tx, id).await?;
    found.ok_or_else(|| Error::Usage("there is no such organization".to_owned()))
}

/// The organization that an operator means, and its team.
async fn find_team(tx: &mut Tx, id: Option<OrganizationId>) -> Result<(OrganizationId, TeamId), Error> {
    let organization = find_organization(tx, id).await?;
    let team = accounts::find_team_of(tx, organization).await?.ok_or(Error::Corrupt("no team"))?;
    Ok((organization, team))
}
