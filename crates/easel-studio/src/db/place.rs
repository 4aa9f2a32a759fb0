//! Where the database of a data folder is: in it, or on a PostgreSQL server that the folder names.
//!
//! The server is said once, at the first command on a new folder, and noted in the folder, as its whole address with the
//! password, where that has one: the note is as secret as the key file beside it. Always true: a folder has one database
//! for good; a command that says another is refused, because contents that this other one does not name would be taken
//! for left over. Not here: opening it.

use std::fmt;
use std::io::ErrorKind;
use std::path::Path;
use std::str::FromStr;

use sqlx::postgres::PgConnectOptions;
use url::Url;

use crate::core::error::Error;
use crate::core::private_files::{create_private_folder, write_durably};

/// The name of SQLite's database in a data folder.
pub const DATABASE: &str = "studio.db";

/// The note of a data folder whose database is elsewhere.
const NOTE: &str = "database.url";

/// Where a database is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DatabaseAt {
    /// SQLite, in the data folder.
    Folder,
    /// A database of a PostgreSQL server.
    Server(ServerUrl),
}

/// The address of a database of a PostgreSQL server, `postgres://USER:PASSWORD@HOST:PORT/NAME`. Shown without its
/// password.
#[derive(Clone, PartialEq, Eq)]
pub struct ServerUrl(Url);

impl fmt::Display for DatabaseAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder => f.write_str("sqlite:"),
            Self::Server(url) => url.fmt(f),
        }
    }
}

impl FromStr for DatabaseAt {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "sqlite:" {
            return Ok(Self::Folder);
        }
        text.parse().map(Self::Server)
    }
}

impl FromStr for ServerUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let url = Url::parse(text).map_err(|error| error.to_string())?;
        let is_named = url.path().len() > 1 && url.path().matches('/').count() == 1;
        if !matches!(url.scheme(), "postgres" | "postgresql") || !is_named {
            return Err("sqlite: or postgres://USER@HOST/NAME is needed".to_owned());
        }
        PgConnectOptions::from_str(text).map_err(|error| error.to_string())?;
        Ok(Self(url))
    }
}

impl fmt::Display for ServerUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let port = self.0.port().map(|port| format!(":{port}")).unwrap_or_default();
        write!(f, "postgres://{}{port}{}", self.0.host_str().unwrap_or_default(), self.0.path())
    }
}

impl fmt::Debug for ServerUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl ServerUrl {
    /// How it is connected to. What the address leaves out comes from the environment and the password file, as with
    /// PostgreSQL's own programs (`PGUSER`, `PGPASSWORD`, `~/.pgpass`).
    ///
    /// # Errors
    /// [`Error::Usage`] where it cannot be read.
    pub fn options(&self) -> Result<PgConnectOptions, Error> {
        PgConnectOptions::from_str(self.0.as_str()).map_err(|error| Error::Usage(error.to_string()))
    }

    /// Whether both are one database of one server, whoever asks for it.
    #[must_use]
    pub fn is_same_place(&self, other: &Self) -> bool {
        let port = |url: &Url| url.port().unwrap_or(5432);
        let place = |url: &Self| (url.0.host_str().map(str::to_owned), port(&url.0), url.0.path().to_owned());
        place(self) == place(other)
    }
}

/// Where the database of this data folder is.
///
/// # Errors
/// [`Error::Io`], [`Error::Usage`] where the note cannot be read.
pub fn of_folder(folder: &Path) -> Result<DatabaseAt, Error> {
    let text = match std::fs::read_to_string(folder.join(NOTE)) {
        Ok(text) => text,
        // Also below what is no folder, which is said where the folder is made.
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(DatabaseAt::Folder);
        }
        Err(error) => return Err(error.into()),
    };
    let url = text.trim().parse();
    url.map(DatabaseAt::Server).map_err(|error| Error::Usage(format!("{}: {error}", folder.join(NOTE).display())))
}

/// Notes that the database of this data folder is `asked`, where none is noted yet; a new way to the same database, such
/// as with another password, takes the place of the one before.
///
/// # Errors
/// [`Error::Usage`] where the folder has another database; [`Error::DataFolderUnusable`], [`Error::Io`],
/// [`Error::StorageFull`].
pub fn settle(folder: &Path, asked: &DatabaseAt) -> Result<(), Error> {
    let known = of_folder(folder)?;
    let has_own = std::fs::metadata(folder.join(DATABASE)).is_ok_and(|file| file.len() > 0);
    match (asked, &known) {
        (asked, known) if asked == known => return Ok(()),
        (DatabaseAt::Folder, DatabaseAt::Folder) => return Ok(()),
        (DatabaseAt::Server(_), DatabaseAt::Folder) if has_own => {
            return Err(Error::Usage(format!("{} has a database of its own, {DATABASE}", folder.display())));
        }
        (DatabaseAt::Server(asked), DatabaseAt::Server(known)) if asked.is_same_place(known) => {}
        (_, DatabaseAt::Server(known)) => {
            return Err(Error::Usage(format!("the database of {} is {known}", folder.display())));
        }
        (DatabaseAt::Server(_), DatabaseAt::Folder) => {}
    }
    let DatabaseAt::Server(url) = asked else { return Ok(()) };
    create_private_folder(folder).map_err(|cause| Error::DataFolderUnusable { path: folder.to_owned(), cause })?;
    Ok(write_durably(&folder.join(NOTE), format!("{}\n", url.0).as_bytes())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> DatabaseAt {
        text.parse().unwrap()
    }

    #[test]
    fn an_address_names_a_database_and_is_shown_without_its_password() {
        let DatabaseAt::Server(url) = at("postgres://ada:secret@db.example:6432/studio?sslmode=require") else {
            panic!("not a server")
        };
        assert_eq!(
            (url.to_string(), format!("{url:?}")),
            (url.to_string(), "postgres://db.example:6432/studio".into())
        );
        assert_eq!(at("sqlite:"), DatabaseAt::Folder);
        for wrong in ["sqlite:x.db", "mysql://h/x", "postgres://h", "postgres://h/", "postgres://h/a/b", "x"] {
            assert!(wrong.parse::<DatabaseAt>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_folder_has_one_database_for_good() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        assert_eq!(of_folder(&path).unwrap(), DatabaseAt::Folder);
        settle(&path, &at("sqlite:")).unwrap();
        assert!(!path.exists(), "nothing is noted of what holds without a note");
        for way in ["postgres://ada:old@h/studio", "postgres://ben:new@h:5432/studio"] {
            settle(&path, &at(way)).unwrap();
            assert_eq!(of_folder(&path).unwrap(), at(way));
        }
        for another in ["sqlite:", "postgres://ada@h/other", "postgres://ada@g/studio", "postgres://ada@h:1/studio"] {
            let refused = settle(&path, &at(another)).unwrap_err();
            assert!(matches!(&refused, Error::Usage(text) if text.contains("postgres://h:5432/studio")), "{refused}");
        }
        let own = folder.path().join("own");
        std::fs::create_dir(&own).unwrap();
        std::fs::write(own.join(DATABASE), b"SQLite").unwrap();
        assert!(matches!(settle(&own, &at("postgres://h/studio")), Err(Error::Usage(_))));
    }
}
