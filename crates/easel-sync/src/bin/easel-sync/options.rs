//! The command line, the key, and where the state is kept.

use std::fs;
use std::io::Read as _;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use clap::{Parser, ValueEnum};
use data_encoding::HEXLOWER;
use easel_sync::folders::{DeletionRule, Mode, wait_after};
use easel_sync::{Error, Waiting};
use secrecy::SecretString;
use sha2::{Digest as _, Sha256};

use crate::code::Code;

const AFTER_HELP: &str = "\
The key is read from the environment variable EASEL_KEY, or from --key-file. EASEL_LOG sets what is logged to standard
error, such as `easel_sync=debug`.

Exit codes:
  0  both sides are the same, or the program was asked to end
  1  both sides are the same but for differences that stay; they are named, and so is a file that never stood still
     (--once, see --give-up-after)
  2  the program was called the wrong way
  3  a person has to decide or mend something: the folder is missing, many items would be deleted (see --yes)
  4  the key is refused, or may not do what is needed
  5  the service could not be reached (--once), see --give-up-after
  6  no room is left, in the workspace or on the disk (--once)
  7  another program of Easel syncs this folder
  8  the state cannot be used";

/// Sync a folder with a folder of the drive
#[derive(Debug, Parser)]
#[command(name = "easel-sync", version, about, after_help = AFTER_HELP)]
pub(crate) struct Options {
    /// Where the service is
    #[arg(long, value_name = "URL")]
    pub base_url: String,
    /// The name of the version header, where the service has another one
    #[arg(long, value_name = "NAME")]
    pub version_header: Option<String>,
    /// Speak to this host without encryption, though it is another machine
    #[arg(long)]
    pub plain_http: bool,
    /// A file with the key in it, which only its owner can read (mode 0600)
    #[arg(long, value_name = "FILE")]
    pub key_file: Option<PathBuf>,
    /// The folder on this computer
    #[arg(long, value_name = "DIR")]
    pub folder: PathBuf,
    /// The folder in the drive: its path such as Brand/Photos, made where it is missing, or its id (fld_…)
    #[arg(long, value_name = "PATH")]
    pub drive: String,
    /// Bring changes of the drive here too; without it, changes only go up
    #[arg(long)]
    pub both_ways: bool,
    /// What a deletion here does in the drive
    #[arg(long, value_enum, default_value_t = Deletions::Keep)]
    pub deletions: Deletions,
    /// Patterns of what is left out, in gitignore form, beside .easelignore files in the folder
    #[arg(long, value_name = "FILE")]
    pub ignore_file: Option<PathBuf>,
    /// End when both sides are the same, instead of going on
    #[arg(long)]
    pub once: bool,
    /// With --once: end when nothing came through for this many seconds, whatever it waits for: the service, a file that
    /// keeps growing
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub give_up_after: u64,
    /// Say what a first run would do, and do nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Do not say beforehand what a first run will do
    #[arg(long)]
    pub no_preview: bool,
    /// Let many items be deleted without asking
    #[arg(long)]
    pub yes: bool,
    /// Where the service was restored from a backup: keep what is here and send it again, or take over what the drive has
    #[arg(long, value_enum, value_name = "KEEP")]
    pub after_restore: Option<AfterRestore>,
    /// One JSON object a line
    #[arg(long)]
    pub json: bool,
    /// How many files of more than 64 KB are on their way at the same time
    #[arg(long, value_name = "COUNT", default_value_t = 4)]
    pub at_once: usize,
    /// Send and fetch no faster than this; 0 is no limit
    #[arg(long, value_name = "BYTES", default_value_t = 0)]
    pub limit_bytes_per_second: u64,
    /// Send and fetch nothing while the system says that the network is metered
    #[arg(long)]
    pub pause_on_metered: bool,
    /// Forget what earlier runs learned of what the service takes, and try everything again
    #[arg(long)]
    pub forget_learned: bool,
    /// Where the state is kept [default: easel-sync in $XDG_STATE_HOME or ~/.local/state]
    #[arg(long, value_name = "DIR")]
    pub state: Option<PathBuf>,
}

/// What a deletion here does in the drive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Deletions {
    /// Nothing: the drive keeps the file
    Keep,
    /// It deletes there too
    Delete,
}

/// What becomes of newer files when the service was restored from a backup.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AfterRestore {
    /// They are kept and sent again
    Keep,
    /// What the drive has is taken over; what is newer goes to the trash
    Take,
}

/// Why the program ends before it could begin, or cannot go on.
#[derive(Debug)]
pub(crate) struct ExitError {
    pub code: Code,
    pub words: String,
    /// What has to pass, where it will by itself.
    pub waiting: Option<Waiting>,
}

impl ExitError {
    pub(crate) fn new(code: Code, words: impl Into<String>) -> Self {
        Self { code, words: words.into(), waiting: None }
    }
}

impl From<Error> for ExitError {
    fn from(error: Error) -> Self {
        let code = match &error {
            Error::HeldElsewhere { .. } => Code::Held,
            Error::JournalInUse
            | Error::JournalDamaged { .. }
            | Error::JournalTooNew
            | Error::JournalUnavailable { .. } => Code::JournalUnusable,
            Error::DiskFull => Code::NoRoom,
            Error::Service(error) => return Self::from_service(error),
            Error::DriveFolderGone => Code::NeedsAPerson,
            _ => Code::Usage,
        };
        Self::new(code, error.to_string())
    }
}

impl ExitError {
    /// What the service answered, or that it did not.
    pub(crate) fn from_service(error: &easel_client::Error) -> Self {
        let code = match error {
            error if error.is_key_refused() => Code::KeyRefused,
            error if error.is_storage_full() => Code::NoRoom,
            easel_client::Error::Api { status: 403, .. } => Code::KeyRefused,
            _ => Code::Unreachable,
        };
        Self { code, words: error.to_string(), waiting: wait_after(error) }
    }
}

impl Options {
    pub(crate) const fn mode(&self) -> Mode {
        if self.both_ways { Mode::BothWays } else { Mode::UploadOnly }
    }

    pub(crate) const fn deletions(&self) -> DeletionRule {
        match self.deletions {
            Deletions::Keep => DeletionRule::Keep,
            Deletions::Delete => DeletionRule::Delete,
        }
    }

    pub(crate) fn read_ignore(&self) -> Result<String, ExitError> {
        let Some(path) = &self.ignore_file else { return Ok(String::new()) };
        fs::read_to_string(path).map_err(|error| wrong(path, &error))
    }
}

fn wrong(path: &Path, error: &std::io::Error) -> ExitError {
    ExitError::new(Code::Usage, format!("{}: {error}", path.display()))
}

/// The key, from where nobody else can read it.
pub(crate) fn read_key(options: &Options) -> Result<SecretString, ExitError> {
    if let Some(path) = &options.key_file {
        let mut file = fs::File::open(path).map_err(|error| wrong(path, &error))?;
        let mode = file.metadata().map_err(|error| wrong(path, &error))?.permissions().mode();
        if mode & 0o077 != 0 {
            let words = format!("{}: others can read it; make its mode 0600", path.display());
            return Err(ExitError::new(Code::Usage, words));
        }
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(|error| wrong(path, &error))?;
        return Ok(SecretString::from(text));
    }
    match std::env::var("EASEL_KEY") {
        Ok(key) => Ok(SecretString::from(key)),
        Err(_) => Err(ExitError::new(Code::Usage, "no key: set EASEL_KEY, or name a file with --key-file")),
    }
}

/// The folder, without links on the way to it.
pub(crate) fn find_folder(path: &Path) -> Result<PathBuf, ExitError> {
    let not_a_folder = || ExitError::new(Code::Usage, format!("{} is not a folder", path.display()));
    match path.canonicalize() {
        Ok(found) if found.is_dir() => Ok(found),
        Ok(_) => Err(not_a_folder()),
        // One that is kept in step and is not there now is told of by its state.
        Err(_) if path.is_absolute() => Ok(path.to_owned()),
        Err(_) => Err(not_a_folder()),
    }
}

/// Makes the place of the journal: one for each folder, so that several can be kept in step side by side.
pub(crate) fn make_state(options: &Options, folder: &Path) -> Result<PathBuf, ExitError> {
    let base = match &options.state {
        Some(base) => base.clone(),
        None => {
            let from = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
            let state = from("XDG_STATE_HOME").or_else(|| from("HOME").map(|home| home.join(".local/state")));
            state
                .ok_or_else(|| ExitError::new(Code::Usage, "no place for the state: name one with --state"))?
                .join("easel-sync")
        }
    };
    let digest = Sha256::digest(folder.as_os_str().as_encoded_bytes());
    let place = base.join(HEXLOWER.encode(&digest[..8]));
    fs::DirBuilder::new().recursive(true).mode(0o700).create(&place).map_err(|error| wrong(&place, &error))?;
    Ok(place.join("journal.db"))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    const LEAST: [&str; 7] = ["easel-sync", "--base-url", "http://127.0.0.1:1", "--folder", "/f", "--drive", "Brand"];

    #[test]
    fn the_command_line_is_sound() {
        Options::command().debug_assert();
        let least = Options::try_parse_from(LEAST).unwrap();
        assert_eq!((least.mode(), least.deletions(), least.once), (Mode::UploadOnly, DeletionRule::Keep, false));
    }

    #[test]
    fn a_key_that_others_can_read_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        fs::write(&path, "svc_live_00\n").unwrap();
        let mut options = Options::try_parse_from(LEAST).unwrap();
        options.key_file = Some(path.clone());
        for (mode, is_taken) in [(0o644, false), (0o640, false), (0o604, false), (0o600, true), (0o400, true)] {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            assert_eq!(read_key(&options).is_ok(), is_taken, "{mode:o}");
        }
    }

    #[test]
    fn every_folder_has_a_state_of_its_own() {
        let state = tempfile::tempdir().unwrap();
        let mut options = Options::try_parse_from(LEAST).unwrap();
        options.state = Some(state.path().to_owned());
        let place = |folder: &str| make_state(&options, Path::new(folder)).unwrap();
        assert_eq!(place("/one"), place("/one"));
        assert_ne!(place("/one"), place("/two"));
        let mode = fs::metadata(place("/one").parent().unwrap()).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }
}
