//! A process among others that serve the same PostgreSQL database: that it is there, and what it holds against them.
//!
//! Advisory locks of one session, which a task of its own keeps and asks, in the order in which it is asked, so that nothing that is held
//! is forgotten when whoever asked for it goes away. Always true: a lock that is held here is held on the server, unless the session
//! broke, which is noticed with the next question; then everything is free, and what rests on it alone has to be guarded by rows as
//! well ([`super::removals`]). A process that stands still keeps its locks, and one whose machine is lost has none after a minute.
//! Locks keep processes apart and not the parts of one, which is what memory is for. With SQLite there is one process, and
//! everything is granted. Not here: the turns of transactions ([`super::turns`]).

use std::fmt;
use std::time::Duration;

use sha2::{Digest, Sha256};
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _, Executor as _};
use tokio::sync::{mpsc, oneshot};

use super::DbConnection;
use super::engine::ConnectOptions;
use super::turns::SERVED;
use crate::core::error::Error;

/// How often the session is looked at while nobody asks for anything: one that broke says anew that the process serves.
const EVERY: Duration = Duration::from_secs(2);

/// How long a question to the server may take; then the session counts as broken.
const PATIENCE: Duration = Duration::from_secs(10);

/// The most questions in one statement.
const MOST_AT_ONCE: usize = 64;

/// How long a start waits for the start of another process.
const PATIENCE_WITH_STARTS: Duration = Duration::from_secs(120);

/// The pause between two tries to get a lock.
const BETWEEN_TRIES: Duration = Duration::from_millis(100);

/// What the session is told first: a machine that is lost is noticed within a minute.
const TOLD: &str = "SET tcp_keepalives_idle = 20; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3; \
                    SET synchronous_commit = on";

/// What keeps every process from removing contents while a backup copies them: held alone by the backup, and shared by each removal.
pub(super) const BACKUP: &str = "backup";

/// Says that a backup wants that. A session that holds something gets it once more whoever waits for it, so removals without pause would
/// keep a backup waiting; each asks for this first, for a moment.
pub(super) const BACKUP_WANTED: &str = "backup wanted";

/// How something is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Beside others who hold it so.
    Shared,
    /// Alone.
    Alone,
}

/// The process among others; a cheap clone.
#[derive(Debug, Clone)]
pub struct Presence(Option<Asker>);

/// To whom questions go.
#[derive(Debug, Clone)]
struct Asker(mpsc::UnboundedSender<Ask>);

enum Ask {
    Take { lock: i64, way: Way, answer: oneshot::Sender<Result<Option<u64>, Error>> },
    Give { lock: i64, way: Way, session: u64 },
    IsThere { session: u64, answer: oneshot::Sender<bool> },
}

/// What the server is asked.
#[derive(Debug, Clone, Copy)]
enum Question {
    Take(i64, Way),
    Give(i64, Way),
}

/// Something that this process holds until it is dropped.
pub struct Hold {
    of: Option<(Asker, u64)>,
    lock: i64,
    way: Way,
}

impl fmt::Debug for Hold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hold").field("way", &self.way).finish_non_exhaustive()
    }
}

impl Presence {
    /// One process and no other.
    #[must_use]
    pub fn of_one() -> Self {
        Self(None)
    }

    /// Says that this process serves the database, alone or beside others, until the answer and its clones are gone; `None` where
    /// another has it in a way that forbids that. Tells also whether no other process serves it at this moment.
    ///
    /// # Errors
    /// [`Error::Database`].
    pub(super) async fn begin(options: ConnectOptions, way: Way) -> Result<Option<(Self, bool)>, Error> {
        let mut session = Session { options, way, number: 0, connection: None };
        let conn = session.open().await?;
        let deadline = tokio::time::Instant::now() + PATIENCE;
        let was_alone = loop {
            if take(conn, SERVED, Way::Alone).await? {
                if way == Way::Shared {
                    // In this order there is no moment at which the process does not say that it serves.
                    take(conn, SERVED, Way::Shared).await?;
                    give(conn, SERVED, Way::Alone).await?;
                }
                break true;
            }
            if way == Way::Shared && take(conn, SERVED, Way::Shared).await? {
                break false;
            }
            // Another may just have asked whether it is alone.
            if way == Way::Alone || tokio::time::Instant::now() >= deadline {
                return Ok(None);
            }
            tokio::time::sleep(BETWEEN_TRIES).await;
        };
        let (asker, asks) = mpsc::unbounded_channel();
        tokio::spawn(session.keep(asks));
        Ok(Some((Self(Some(Asker(asker))), was_alone)))
    }

    /// This process on the database of a server, and no other as long as the answer lives; `None` where another serves it.
    ///
    /// # Errors
    /// [`Error::Database`].
    pub async fn alone_on(options: PgConnectOptions) -> Result<Option<Self>, Error> {
        let begun = Self::begin(ConnectOptions::Postgres(Box::new(options)), Way::Alone).await?;
        Ok(begun.map(|(presence, _)| presence))
    }

    /// Takes what is named, if no other process holds it in a way that forbids that.
    ///
    /// # Errors
    /// [`Error::Database`].
    pub async fn try_hold(&self, kind: &str, name: &[u8], way: Way) -> Result<Option<Hold>, Error> {
        let lock = lock_of(kind, name);
        let Some(asker) = &self.0 else { return Ok(Some(Hold { of: None, lock, way })) };
        let (answer, answered) = oneshot::channel();
        let gone = || Error::Database(sqlx::Error::PoolClosed);
        asker.0.send(Ask::Take { lock, way, answer }).map_err(|_| gone())?;
        let session = answered.await.map_err(|_| gone())??;
        Ok(session.map(|session| Hold { of: Some((asker.clone(), session)), lock, way }))
    }

    /// As [`Self::try_hold`], but waits so long; `None` where it is not to be had by then.
    ///
    /// # Errors
    /// [`Error::Database`].
    pub async fn hold_within(&self, kind: &str, name: &[u8], way: Way, limit: Duration) -> Result<Option<Hold>, Error> {
        let deadline = tokio::time::Instant::now() + limit;
        loop {
            let held = self.try_hold(kind, name, way).await?;
            if held.is_some() || tokio::time::Instant::now() >= deadline {
                return Ok(held);
            }
            tokio::time::sleep(BETWEEN_TRIES).await;
        }
    }

    /// The turn of this process's start: what a start decides for all is decided by one after the other.
    ///
    /// # Errors
    /// [`Error::Database`], [`Error::Usage`] where another start takes too long.
    pub async fn take_turn_to_start(&self) -> Result<Hold, Error> {
        let held = self.hold_within("start", b"", Way::Alone, PATIENCE_WITH_STARTS).await?;
        held.ok_or_else(|| Error::Usage("another process is starting, and does not come to an end".to_owned()))
    }
}

impl Hold {
    /// Whether it is held still: asked of the server, where there are others.
    pub async fn is_there(&self) -> bool {
        let Some((asker, session)) = &self.of else { return true };
        let (answer, answered) = oneshot::channel();
        asker.0.send(Ask::IsThere { session: *session, answer }).is_ok() && answered.await.unwrap_or(false)
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        if let Some((asker, session)) = self.of.take() {
            // Where nobody listens any more, the session has ended and everything is free.
            let _ = asker.0.send(Ask::Give { lock: self.lock, way: self.way, session });
        }
    }
}

/// The session, and how it is opened again.
struct Session {
    options: ConnectOptions,
    way: Way,
    /// Counts the sessions: what was taken in one that broke is held no longer.
    number: u64,
    connection: Option<DbConnection>,
}

impl Session {
    async fn open(&mut self) -> Result<&mut DbConnection, Error> {
        let opened = async {
            let mut conn = self.options.connect().await?;
            conn.execute(sqlx::raw_sql(TOLD)).await?;
            Ok::<_, Error>(conn)
        };
        let conn = tokio::time::timeout(PATIENCE, opened).await.map_err(|_| silent())??;
        self.number += 1;
        Ok(self.connection.insert(conn))
    }

    /// The session, opened again where it broke, once it says again that this process serves.
    async fn connection(&mut self) -> Result<&mut DbConnection, Error> {
        if self.connection.is_none() {
            let way = self.way;
            let conn = self.open().await?;
            let is_back = take(conn, SERVED, way).await;
            if !matches!(is_back, Ok(true)) {
                self.connection = None;
                is_back?;
                return Err(Error::Usage(
                    "another process has taken the database while it could not be reached".to_owned(),
                ));
            }
            tracing::warn!("the database was away: what this process held against others is free");
        }
        self.connection.as_mut().ok_or_else(silent)
    }

    /// Answers until nobody asks any more. Who asks at the same moment is answered together.
    async fn keep(mut self, mut asks: mpsc::UnboundedReceiver<Ask>) {
        let mut few = Vec::new();
        loop {
            match tokio::time::timeout(EVERY, asks.recv_many(&mut few, MOST_AT_ONCE)).await {
                Ok(0) => break,
                Ok(_) => self.answer(few.drain(..)).await,
                Err(_) => {
                    if let Err(error) = self.look().await {
                        tracing::error!(%error, "the database does not know that this process serves it");
                    }
                }
            }
        }
        if let Some(conn) = self.connection.take() {
            let _ = conn.close().await;
        }
    }

    async fn answer(&mut self, asks: impl Iterator<Item = Ask>) {
        let asks: Vec<Ask> = asks.collect();
        // Giving back alone opens no session again: where one broke, everything is free.
        let needs_session = asks.iter().any(|ask| !matches!(ask, Ask::Give { .. }));
        let ready = if needs_session { self.connection().await.map(drop) } else { Ok(()) };
        let session = self.connection.as_ref().map(|_| self.number);
        let questions: Vec<Question> = asks
            .iter()
            .filter_map(|ask| match *ask {
                Ask::Take { lock, way, .. } => Some(Question::Take(lock, way)),
                Ask::Give { lock, way, session: of } if session == Some(of) => Some(Question::Give(lock, way)),
                Ask::Give { .. } | Ask::IsThere { .. } => None,
            })
            .collect();
        let answered = match ready {
            Ok(()) => self.ask(&questions).await,
            Err(error) => Err(error),
        };
        if let Err(error) = &answered {
            tracing::warn!(%error, "the database does not say what this process holds against others");
        }
        let mut answers = answered.as_ref().map(|answers| answers.iter());
        let mut unwanted = Vec::new();
        for ask in asks {
            match ask {
                Ask::Take { lock, way, answer } => {
                    let taken = match &mut answers {
                        Ok(answers) => Ok(answers.next().copied().unwrap_or(false).then_some(self.number)),
                        Err(_) => Err(silent()),
                    };
                    // Whoever asked may be gone.
                    if let Err(Ok(Some(_))) = answer.send(taken) {
                        unwanted.push(Question::Give(lock, way));
                    }
                }
                Ask::Give { session: of, .. } => {
                    if let (Ok(answers), true) = (&mut answers, session == Some(of)) {
                        answers.next();
                    }
                }
                Ask::IsThere { session: of, answer } => {
                    let _ = answer.send(answers.is_ok() && session == Some(of));
                }
            }
        }
        if !unwanted.is_empty() {
            let _ = self.ask(&unwanted).await;
        }
    }

    /// Sees whether the session is there, and opens it again where it is not.
    async fn look(&mut self) -> Result<(), Error> {
        self.connection().await?;
        self.ask(&[]).await.map(drop)
    }

    /// Asks the server these questions, one after the other, or only whether it is there; where that fails, the session has broken.
    /// Without a session nothing is asked.
    async fn ask(&mut self, questions: &[Question]) -> Result<Vec<bool>, Error> {
        let Some(conn) = self.connection.as_mut() else { return Ok(Vec::new()) };
        let answered = tokio::time::timeout(PATIENCE, answer_all(conn, questions)).await;
        let answered = answered.unwrap_or_else(|_| Err(silent()));
        if answered.is_err() {
            self.connection = None;
        }
        answered
    }
}

fn silent() -> Error {
    Error::Database(sqlx::Error::PoolTimedOut)
}

/// Whether each question was answered with yes. All of them are one statement, whose rows are computed in their order.
async fn answer_all(conn: &mut DbConnection, questions: &[Question]) -> Result<Vec<bool>, Error> {
    if questions.is_empty() {
        return Ok(conn.ping().await.map(|()| Vec::new())?);
    }
    let written = questions.iter().map(|question| match *question {
        Question::Take(lock, Way::Shared) => (lock.to_string(), "s"),
        Question::Take(lock, Way::Alone) => (lock.to_string(), "a"),
        Question::Give(lock, Way::Shared) => (lock.to_string(), "S"),
        Question::Give(lock, Way::Alone) => (lock.to_string(), "A"),
    });
    let (locks, acts): (Vec<String>, Vec<&str>) = written.unzip();
    let sql = "SELECT CASE act WHEN 's' THEN pg_try_advisory_lock_shared(lock) WHEN 'a' THEN pg_try_advisory_lock(lock) \
                 WHEN 'S' THEN pg_advisory_unlock_shared(lock) ELSE pg_advisory_unlock(lock) END \
               FROM unnest(string_to_array($1, ',')::bigint[], string_to_array($2, ',')) AS question (lock, act)";
    Ok(sqlx::query_scalar(sql).bind(locks.join(",")).bind(acts.join(",")).fetch_all(conn).await?)
}

async fn take(conn: &mut DbConnection, lock: i64, way: Way) -> Result<bool, Error> {
    Ok(answer_all(conn, &[Question::Take(lock, way)]).await?.first().copied().unwrap_or(false))
}

async fn give(conn: &mut DbConnection, lock: i64, way: Way) -> Result<(), Error> {
    answer_all(conn, &[Question::Give(lock, way)]).await.map(drop)
}

/// The lock of what is named: below zero, where no turn is ([`super::turns`]), and so long that nobody finds two names for one.
pub(super) fn lock_of(kind: &str, name: &[u8]) -> i64 {
    let [a, b, c, d, e, f, g, h, ..] =
        <[u8; 32]>::from(Sha256::new().chain_update(kind).chain_update([0]).chain_update(name).finalize());
    i64::from_be_bytes([a, b, c, d, e, f, g, h]) | i64::MIN
}

/// What a process says of itself while it serves.
#[derive(Debug)]
pub struct Served {
    /// The process among others.
    pub presence: Presence,
    /// Whether no other process served at the start.
    pub was_alone: bool,
}
