//! A new data folder with its database, on its way: what a restore and a move make.
//!
//! Always true: nothing that is there is replaced, neither in the folder nor in a database on a server; until everything has come, a note in
//! the folder says so, its database has no name there, and one on a server is closed to whoever would serve it. What was broken off goes
//! on when it is run again. Not here: contents, and where rows come from.

use std::fs::File;
use std::path::{Path, PathBuf};

use sqlx::Connection as _;

use crate::blobs::{bucket_of, copy_file};
use crate::core::error::Error;
use crate::core::private_files::{private_file, remove_if_there, sync_folder_of};
use crate::core::secrets::MasterKey;
use crate::data_folder::{DataFolder, KEY_FILE, TELL_KEY};
use crate::db::DbConnection;
use crate::db::copies::{connect_as_it_is, connect_lastingly, open_as_it_is};
use crate::db::filling::{self, Holds, UNFINISHED, begin_file, empty_unfinished, fill, look_into};
use crate::db::place::{self, DATABASE, DatabaseAt, ServerUrl};
use crate::db::presence::Presence;
use crate::db::shared_settings::{self, ContentsAt};
use crate::db::transfer::{TableSum, TellTables};

/// SQLite's database as long as it has no name.
const DRAFT: &str = "studio.db.unfinished";

/// What is to be made.
#[derive(Debug, Clone)]
pub struct NewPlace {
    /// The data folder.
    pub data: PathBuf,
    /// Its database.
    pub database: DatabaseAt,
}

/// What is being made; nobody else makes or serves it as long as this lives.
#[derive(Debug)]
pub struct Making {
    place: NewPlace,
    note: PathBuf,
    _held: File,
    _alone: Option<Presence>,
}

impl NewPlace {
    /// Whether it was begun, and broken off.
    #[must_use]
    pub fn is_begun(&self, by: &str) -> bool {
        self.note(by).exists()
    }

    fn note(&self, by: &str) -> PathBuf {
        self.data.join(format!("{by}.unfinished"))
    }

    /// Begins it, or goes on with it; `by` is the word of the command.
    ///
    /// # Errors
    /// [`Error::Usage`] where the folder or the database holds something; [`Error::DataFolderHeld`], [`Error::DatabaseHeld`], [`Error::Io`],
    /// [`Error::Database`].
    pub async fn begin(self, by: &str) -> Result<Making, Error> {
        let (data, note) = (&self.data, self.note(by));
        let is_begun = note.exists();
        if !is_begun && data.exists() && std::fs::read_dir(data)?.next().is_some() {
            return Err(Error::Usage(format!("{} is not empty: a {by} makes a new data folder", data.display())));
        }
        if let DatabaseAt::Server(url) = &self.database {
            let mut conn = connect_as_it_is(url).await?;
            let holds = look_into(&mut conn).await;
            conn.close().await?;
            if holds? == Holds::Something {
                if is_begun && place::of_folder(data)? == self.database {
                    std::fs::remove_file(&note)?;
                    return Err(Error::Usage(format!("the {by} to {} had come to its end", data.display())));
                }
                return Err(Error::Usage(format!(
                    "{url} holds something of a studio: a {by} wants an empty database, and this one is left as it is"
                )));
            }
        }
        let held = DataFolder::hold(data)?;
        let alone = match &self.database {
            DatabaseAt::Folder => None,
            DatabaseAt::Server(url) => Some(Presence::alone_on(url.options()?).await?.ok_or(Error::DatabaseHeld)?),
        };
        private_file().write(true).create(true).truncate(true).open(&note)?.sync_all()?;
        Ok(Making { place: self, note, _held: held, _alone: alone })
    }
}

impl Making {
    /// The data folder.
    #[must_use]
    pub fn data(&self) -> &Path {
        &self.place.data
    }

    /// Where its database is.
    #[must_use]
    pub fn database(&self) -> &DatabaseAt {
        &self.place.database
    }

    /// Takes a file of SQLite's as its database, as it is.
    ///
    /// # Errors
    /// [`Error::Usage`] where there is none; [`Error::Io`], [`Error::StorageFull`].
    pub fn take_file(&self, database: &Path) -> Result<(), Error> {
        match copy_file(database, &self.data().join(DRAFT), None)? {
            Ok(_) => Ok(()),
            Err(_) => Err(Error::Usage(format!("{} is gone", database.display()))),
        }
    }

    /// Fills its database with the rows of another, and says what they are. The key file and the note of a bucket are in the folder by now.
    ///
    /// # Errors
    /// As for [`fill`]; [`Error::Usage`] where somebody has used the database meanwhile.
    pub async fn fill(&self, from: &mut DbConnection, tell: TellTables<'_>) -> Result<Vec<TableSum>, Error> {
        match self.database() {
            DatabaseAt::Folder => self.fill_file(from, tell).await,
            DatabaseAt::Server(url) => self.fill_server(url, from, tell).await,
        }
    }

    async fn fill_file(&self, from: &mut DbConnection, tell: TellTables<'_>) -> Result<Vec<TableSum>, Error> {
        let draft = self.data().join(DRAFT);
        let mut conn = begin_file(&draft, None).await?;
        let filled = async {
            let mut tx = filling::begin(&mut conn).await?;
            let sums = fill(&mut tx, from, tell).await?;
            tx.commit().await?;
            Ok::<_, Error>(sums)
        };
        let filled = filled.await;
        conn.close().await?;
        File::open(&draft)?.sync_all()?;
        filled
    }

    async fn fill_server(
        &self,
        url: &ServerUrl,
        from: &mut DbConnection,
        tell: TellTables<'_>,
    ) -> Result<Vec<TableSum>, Error> {
        filling::bring_in_schema_of_server(url).await?;
        let mut conn = connect_lastingly(url).await?;
        let mut tx = filling::begin(&mut conn).await?;
        match look_into(&mut tx).await? {
            Holds::Nothing => {}
            Holds::Unfinished => empty_unfinished(&mut tx).await?,
            Holds::Something => return Err(Error::Usage(format!("{url} was used by somebody else meanwhile"))),
        }
        let sums = fill(&mut tx, from, tell).await?;
        let key_file = self.data().join(KEY_FILE);
        let key = key_file.is_file().then(|| MasterKey::load_or_create(&key_file)).transpose()?;
        let key_check = key.map(|key| key.derive(TELL_KEY));
        let at = bucket_of(self.data())?.map(|(bucket, studio)| ContentsAt { bucket, studio });
        shared_settings::write_new(&mut tx, key_check.as_ref(), at.as_ref(), Some(UNFINISHED)).await?;
        tx.commit().await?;
        conn.close().await?;
        Ok(sums)
    }

    /// Opens its database as it is, after it was filled.
    ///
    /// # Errors
    /// [`Error::Database`], [`Error::Usage`].
    pub async fn open(&self) -> Result<DbConnection, Error> {
        match self.database() {
            DatabaseAt::Server(url) => connect_as_it_is(url).await,
            DatabaseAt::Folder => {
                let draft = self.data().join(DRAFT);
                open_as_it_is(&if draft.exists() { draft } else { self.data().join(DATABASE) }).await
            }
        }
    }

    /// Everything has come: from now on it may be served. Done once more, it changes nothing.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::Database`], [`Error::StorageFull`].
    pub async fn finish(self) -> Result<(), Error> {
        match self.database() {
            DatabaseAt::Folder => {
                let (draft, place) = (self.data().join(DRAFT), self.data().join(DATABASE));
                if draft.exists() {
                    std::fs::rename(&draft, &place)?;
                    sync_folder_of(&place)?;
                }
            }
            DatabaseAt::Server(url) => {
                place::settle(self.data(), self.database())?;
                let mut conn = connect_as_it_is(url).await?;
                let mut tx = filling::begin(&mut conn).await?;
                shared_settings::set_closed(&mut tx, None).await?;
                tx.commit().await?;
                conn.close().await?;
            }
        }
        remove_if_there(&self.note)?;
        Ok(sync_folder_of(&self.note)?)
    }
}
