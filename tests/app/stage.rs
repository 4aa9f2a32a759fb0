//! The desktop around the app, as tests need it: a keychain in memory that can be absent, locked or refusing, a page that
//! remembers every event, a person who chooses what the test says.

use std::collections::HashMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use easel_app::App;
use easel_app::connections::{ConnectionDraft, ConnectionState, ConnectionView};
use easel_app::drive::{DriveItem, DriveListing, DriveSort, DriveSortColumn};
use easel_app::events::Event;
use easel_app::ports::{
    CommandEnded, Desktop, DrawnPreview, EventSink, FileReader, FileReaderError, FoundBrand, FoundLogo, KeyStore,
    KeyStoreError, Later, ListedKey, LocalKey, LocalService, LocalServiceError, LocalState, LocalWriter, Notice,
    Notifier, Pasted, Ports, StudioFault,
};
use easel_studio::file_reader;
use easel_tests::patience::wait_for;
use easel_tests::studio::{Key, Options, Studio, command};
use secrecy::SecretString;
use tempfile::TempDir;
use tokio::sync::watch;

pub const SOON: Duration = Duration::from_secs(20);
pub const BY_NAME: DriveSort = DriveSort { by: DriveSortColumn::Name, descending: false };

/// A keychain in memory.
#[derive(Default)]
pub struct Memory {
    pub keys: Mutex<HashMap<String, String>>,
    pub error: Mutex<Option<KeyStoreError>>,
}

impl Memory {
    pub fn fails_with(&self, error: Option<KeyStoreError>) {
        *self.error.lock().unwrap() = error;
    }

    fn check(&self) -> Result<(), KeyStoreError> {
        self.error.lock().unwrap().clone().map_or(Ok(()), Err)
    }
}

impl KeyStore for Memory {
    fn get_key(&self, connection_id: &str) -> Result<Option<SecretString>, KeyStoreError> {
        self.check()?;
        Ok(self.keys.lock().unwrap().get(connection_id).cloned().map(SecretString::from))
    }
    fn set_key(&self, connection_id: &str, key: &SecretString) -> Result<(), KeyStoreError> {
        use secrecy::ExposeSecret;
        self.check()?;
        self.keys.lock().unwrap().insert(connection_id.to_owned(), key.expose_secret().to_owned());
        Ok(())
    }
    fn delete_key(&self, connection_id: &str) -> Result<(), KeyStoreError> {
        self.check()?;
        self.keys.lock().unwrap().remove(connection_id);
        Ok(())
    }
}

/// A page that remembers.
#[derive(Default)]
pub struct Page {
    seen: Mutex<Vec<Event>>,
}

impl EventSink for Page {
    fn emit(&self, event: Event) {
        self.seen.lock().unwrap().push(event);
    }
}

impl Page {
    pub fn events(&self) -> Vec<Event> {
        self.seen.lock().unwrap().clone()
    }

    /// Waits for an event that `pick` takes something out of.
    pub async fn wait_for<T>(&self, what: &str, mut pick: impl FnMut(&Event) -> Option<T>) -> T {
        wait_for(what, SOON, async || {
            let events = self.events();
            events.iter().find_map(&mut pick).ok_or_else(|| format!("{:?}", events.last()))
        })
        .await
    }
}

/// A person at a desktop, as far as the app can tell.
#[derive(Default)]
pub struct Person {
    pub chooses: Mutex<Vec<PathBuf>>,
    pub pasted: Mutex<Option<Pasted>>,
    pub clipboard: Mutex<String>,
    pub downloads: Mutex<Option<PathBuf>>,
    pub opened: Mutex<Vec<PathBuf>>,
    pub revealed: Mutex<Vec<PathBuf>>,
    pub messages: Mutex<Vec<String>>,
    pub notices: Mutex<Vec<Notice>>,
    pub is_in_front: AtomicBool,
    pub has_tray: AtomicBool,
    pub starts_at_login: AtomicBool,
}

impl Desktop for Person {
    fn choose_files(&self) -> Later<'_, Option<Vec<PathBuf>>> {
        let chosen = self.chooses.lock().unwrap().clone();
        Box::pin(async move { (!chosen.is_empty()).then_some(chosen) })
    }
    fn choose_folder(&self) -> Later<'_, Option<PathBuf>> {
        let chosen = self.chooses.lock().unwrap().first().cloned();
        Box::pin(async move { chosen })
    }
    fn choose_place(&self) -> Later<'_, Option<PathBuf>> {
        self.choose_folder()
    }
    fn choose_file_to_save(&self, suggested: &str) -> Later<'_, Option<PathBuf>> {
        let chosen = self.chooses.lock().unwrap().first().map(|folder| folder.join(suggested));
        Box::pin(async move { chosen })
    }
    fn downloads_dir(&self) -> Option<PathBuf> {
        self.downloads.lock().unwrap().clone()
    }
    fn paste(&self) -> Later<'_, io::Result<Pasted>> {
        let pasted = self.pasted.lock().unwrap().clone();
        Box::pin(async move { Ok(pasted.unwrap_or(Pasted::Nothing)) })
    }
    fn copy_text(&self, text: String) -> Later<'_, io::Result<()>> {
        *self.clipboard.lock().unwrap() = text;
        Box::pin(async { Ok(()) })
    }
    fn take_back_text(&self, text: SecretString) -> Later<'_, io::Result<()>> {
        use secrecy::ExposeSecret;
        let mut clipboard = self.clipboard.lock().unwrap();
        if *clipboard == text.expose_secret() {
            clipboard.clear();
        }
        Box::pin(async { Ok(()) })
    }
    fn open(&self, path: &Path) -> io::Result<()> {
        self.opened.lock().unwrap().push(path.to_owned());
        Ok(())
    }
    fn reveal(&self, path: &Path) -> io::Result<()> {
        self.revealed.lock().unwrap().push(path.to_owned());
        Ok(())
    }
    fn is_in_front(&self) -> bool {
        self.is_in_front.load(Ordering::SeqCst)
    }
    fn has_tray(&self) -> bool {
        self.has_tray.load(Ordering::SeqCst)
    }
    fn computer_name(&self) -> Option<String> {
        Some("laptop".to_owned())
    }
    fn set_starts_at_login(&self, is_wanted: bool) -> io::Result<()> {
        self.starts_at_login.store(is_wanted, Ordering::SeqCst);
        Ok(())
    }
    fn close(&self) {}
}

impl Notifier for Person {
    fn notify(&self, notice: &Notice) {
        self.messages.lock().unwrap().push(format!("{} / {}", notice.title, notice.body));
        self.notices.lock().unwrap().push(notice.clone());
    }
}

/// The real studio in the place of the built-in one: a process, made and ended when the app says so.
pub struct BuiltIn {
    data_dir: PathBuf,
    studio: Arc<Mutex<Option<Studio>>>,
    state: watch::Sender<LocalState>,
    /// Who writes, as the app said last.
    pub writer: Mutex<Option<LocalWriter>>,
}

impl BuiltIn {
    fn new(data_dir: PathBuf) -> Self {
        Self {
            data_dir,
            studio: Arc::default(),
            state: watch::Sender::new(LocalState::Stopped),
            writer: Mutex::default(),
        }
    }

    /// As the window starts its own.
    fn options(&self) -> Options {
        Options::new().data_dir(&self.data_dir).flag("--allow-local-callbacks")
    }

    /// Starts it again on other ports, as the supervisor does after a crash.
    pub fn crash_and_restart(&self) {
        let mut studio = self.studio.lock().unwrap();
        studio.take().unwrap().kill();
        self.state.send_replace(LocalState::Failing(StudioFault::Ended));
        let started = Studio::start(self.options());
        self.state.send_replace(LocalState::Running { base_url: started.base_url.clone() });
        *studio = Some(started);
    }

    fn with_studio<T>(&self, work: impl FnOnce(&Studio) -> T) -> Result<T, LocalServiceError> {
        let reason = "It does not run.".to_owned();
        self.studio.lock().unwrap().as_ref().map(work).ok_or(LocalServiceError::Data { reason })
    }
}

impl LocalService for BuiltIn {
    fn start(&self) -> Later<'_, Result<String, LocalServiceError>> {
        Box::pin(async {
            let mut studio = self.studio.lock().unwrap();
            let studio = studio.get_or_insert_with(|| Studio::start(self.options()));
            self.state.send_replace(LocalState::Running { base_url: studio.base_url.clone() });
            Ok(studio.base_url.clone())
        })
    }
    fn watch_state(&self) -> watch::Receiver<LocalState> {
        self.state.subscribe()
    }
    fn create_key(&self, name: &str) -> Later<'_, Result<LocalKey, LocalServiceError>> {
        let made = self.with_studio(|studio| studio.create_key(name));
        Box::pin(async move {
            let Key { id, key, signing_secret } = made?;
            Ok(LocalKey { id, key: key.into(), signing_secret: signing_secret.into() })
        })
    }
    fn list_keys(&self) -> Later<'_, Result<Vec<ListedKey>, LocalServiceError>> {
        let output = self.with_studio(|studio| studio.command(&["keys", "list"]));
        Box::pin(async move {
            let text = String::from_utf8(output?.stdout).expect("text");
            let listed = text.lines().map(|line| {
                let key: serde_json::Value = serde_json::from_str(line).expect("a line of JSON");
                let text = |name: &str| key[name].as_str().map(str::to_owned);
                let (id, name) = (text("id").expect("an id"), text("name").expect("a name"));
                ListedKey { id, name, created_at: text("created_at"), last_used_at: text("last_used_at") }
            });
            Ok(listed.collect())
        })
    }
    fn delete_key(&self, id: &str) -> Later<'_, Result<(), LocalServiceError>> {
        let output = self.with_studio(|studio| studio.command(&["keys", "delete", id]));
        Box::pin(async move { if output?.status.success() { Ok(()) } else { Err(LocalServiceError::UnknownKey) } })
    }
    fn set_writer(&self, writer: Option<LocalWriter>) {
        *self.writer.lock().unwrap() = writer;
    }
    fn list_models(&self, _: &LocalWriter) -> Later<'_, Result<Vec<String>, LocalServiceError>> {
        Box::pin(async { Ok(vec!["small".to_owned()]) })
    }
    fn run_command<'a>(
        &'a self,
        data: &'a Path,
        arguments: Vec<OsString>,
        told: &'a mut (dyn FnMut(&str) + Send),
    ) -> Later<'a, Result<CommandEnded, LocalServiceError>> {
        Box::pin(async move {
            let arguments: Vec<&str> = arguments.iter().map(|argument| argument.to_str().expect("UTF-8")).collect();
            let output = command(data, &arguments);
            String::from_utf8_lossy(&output.stdout).lines().for_each(told);
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            let last_words = said.lines().rev().find_map(|line| line.strip_prefix("easel-studio: "));
            Ok(CommandEnded { code: output.status.code(), last_words: last_words.unwrap_or_default().to_owned() })
        })
    }
    fn stop(&self) -> Later<'_, ()> {
        Box::pin(async {
            if let Some(mut studio) = self.studio.lock().unwrap().take() {
                studio.stop();
            }
            self.state.send_replace(LocalState::Stopped);
        })
    }
}

/// The studio's own reader, as a process.
struct Reader;

impl FileReader for Reader {
    fn find_brand<'a>(&'a self, file: &'a Path) -> Later<'a, Result<FoundBrand, FileReaderError>> {
        Box::pin(async move {
            let executable = tokio::process::Command::new(easel_tests::studio::binary());
            let found = file_reader::find_brand(executable, file).await.map_err(read_error)?;
            let file_reader::FoundBrand { name, colors, heading_font, body_font, logo } = found;
            let logo = logo.map(|file_reader::FoundLogo { extension, bytes, preview }| FoundLogo {
                extension,
                bytes,
                preview,
            });
            let colors = colors.into_iter().map(|found| (found.role, found.color.hex())).collect();
            Ok(FoundBrand { name, colors, heading_font, body_font, logo })
        })
    }

    fn draw_preview(&self, content: Bytes, page: u32) -> Later<'_, Result<DrawnPreview, FileReaderError>> {
        Box::pin(async move {
            let executable = tokio::process::Command::new(easel_tests::studio::binary());
            let drawn = file_reader::draw_preview(executable, &content, page).await.map_err(read_error)?;
            Ok(DrawnPreview { png: drawn.png.into(), page_count: drawn.page_count })
        })
    }
}

fn read_error(error: file_reader::FileReaderError) -> FileReaderError {
    match error {
        file_reader::FileReaderError::TooLarge => FileReaderError::TooLarge,
        file_reader::FileReaderError::Unreadable => FileReaderError::Unreadable,
        file_reader::FileReaderError::Io(error) => FileReaderError::NotRead { said: error.to_string() },
    }
}

/// The app with everything around it.
pub struct Stage {
    pub app: App,
    pub page: Arc<Page>,
    pub person: Arc<Person>,
    pub keychain: Arc<Memory>,
    pub built_in: Arc<BuiltIn>,
    pub folder: TempDir,
}

impl Stage {
    /// The app on a fresh data folder.
    pub fn open() -> Self {
        Self::open_in(TempDir::with_prefix("easel-app-").unwrap(), Arc::default())
    }

    fn open_in(folder: TempDir, keychain: Arc<Memory>) -> Self {
        let page = Arc::<Page>::default();
        let person = Arc::<Person>::default();
        let built_in = Arc::new(BuiltIn::new(folder.path().join("data/studio")));
        let ports = Ports {
            events: Arc::clone(&page) as Arc<_>,
            keys: Arc::clone(&keychain) as Arc<_>,
            studio: Arc::clone(&built_in) as Arc<_>,
            reader: Arc::new(Reader),
            desktop: Arc::clone(&person) as Arc<_>,
            notifier: Arc::clone(&person) as Arc<_>,
        };
        let app = App::start(ports, folder.path().join("data"));
        Self { app, page, person, keychain, built_in, folder }
    }

    /// The app, connected to `studio`.
    pub async fn connected_to(studio: &Studio) -> Self {
        let stage = Self::open();
        let key = studio.create_key("Easel");
        stage.app.connections().connect_service(draft(&studio.base_url, &key.key)).await.unwrap();
        stage
    }

    /// Closes the app and starts it again on the same data folder and keychain.
    pub async fn start_again(self) -> Self {
        self.app.close().await;
        let Self { folder, keychain, .. } = self;
        Self::open_in(folder, keychain)
    }

    pub fn data_dir(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Writes a file for the person to give.
    pub fn write(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.folder.path().join("given").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }

    pub async fn list(&self, folder_id: Option<&str>) -> DriveListing {
        self.app.drive().list_drive(folder_id.map(str::to_owned), 0, 100, BY_NAME).await.unwrap()
    }

    /// Puts a file in the drive and waits until it is there.
    pub async fn put(&self, name: &str, content: &[u8], folder_id: Option<&str>) -> DriveItem {
        *self.person.chooses.lock().unwrap() = vec![self.write(name, content)];
        self.app.uploads().choose_files(folder_id.map(str::to_owned)).await.unwrap();
        wait_for("the file in the drive", SOON, async || {
            let found = self.list(folder_id).await.items.into_iter().find(|item| item.name == name);
            found.ok_or("not there yet")
        })
        .await
    }

    pub async fn wait_for_state(&self, state: ConnectionState) -> ConnectionView {
        wait_for("the connection's state", SOON, async || {
            let connections = self.app.connections().list_connections().await.unwrap();
            let first = connections.into_iter().next().ok_or("no connection".to_owned())?;
            if first.state == state { Ok(first) } else { Err(format!("{first:?}")) }
        })
        .await
    }

    /// Every file that the app wrote, whole.
    pub fn everything_written(&self) -> Vec<u8> {
        fn read(folder: &Path, into: &mut Vec<u8>) {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    read(&path, into);
                } else {
                    into.extend(std::fs::read(&path).unwrap());
                }
            }
        }
        let mut bytes = Vec::new();
        read(&self.data_dir(), &mut bytes);
        bytes
    }
}

pub fn draft(address: &str, key: &str) -> ConnectionDraft {
    ConnectionDraft {
        address: address.to_owned(),
        key: key.to_owned(),
        version_header: None,
        confirm_plain_http: false,
        keep_for_session: false,
        corrects: None,
    }
}

/// Answers every connection on a port of its own with the same bytes.
pub async fn answer_always(bytes: &'static [u8]) -> String {
    answer(move |_| bytes.to_vec()).await
}

/// Answers every request on a port of its own with the JSON that `choose` has for its path and query.
pub async fn answer_json(choose: fn(&str) -> serde_json::Value) -> String {
    answer(move |path| {
        let body = choose(path).to_string();
        let length = body.len();
        format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
        )
        .into_bytes()
    })
    .await
}

async fn answer(choose: impl Fn(&str) -> Vec<u8> + Send + Sync + 'static) -> String {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let choose = Arc::new(choose);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let choose = Arc::clone(&choose);
            tokio::spawn(async move {
                let mut request = [0; 4096];
                let read = stream.read(&mut request).await.unwrap_or_default();
                let head = String::from_utf8_lossy(&request[..read]).into_owned();
                let path = head.split(' ').nth(1).unwrap_or_default();
                let _ = stream.write_all(&choose(path)).await;
            });
        }
    });
    format!("http://{address}")
}

/// Takes what a test threw away out of the person's trash: `name` is no other file's.
pub fn clear_trash(name: &str) {
    let data = std::env::var_os("XDG_DATA_HOME").map(PathBuf::from);
    let data = data.or_else(|| Some(std::env::home_dir()?.join(".local/share"))).unwrap();
    for part in ["files", "info"] {
        for entry in std::fs::read_dir(data.join("Trash").join(part)).into_iter().flatten().flatten() {
            if entry.file_name().to_string_lossy().starts_with(name) {
                std::fs::remove_file(entry.path()).unwrap();
            }
        }
    }
}
