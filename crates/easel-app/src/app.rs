//! interim
use crate::connections::*;
use crate::drive::*;
use crate::keys::*;
use crate::overview::*;
use crate::problem::*;
use crate::settings::*;
use crate::uploads::*;
/// The program.
#[derive(Clone)]
pub struct App;
impl App {
    /// What the first screen needs.
    /// # Errors
    /// Interim.
    pub async fn get_overview(&self) -> Result<Overview, Problem> {
        Err(interim())
    }
    /// Sets the built-in studio up, or starts it again, and puts it in view.
    /// # Errors
    /// Interim.
    pub async fn start_local_studio(&self, _keep_for_session: bool) -> Result<ConnectionView, Problem> {
        Err(interim())
    }
    /// Tries an address and a key without saving anything.
    /// # Errors
    /// Interim.
    pub async fn test_connection(&self, _draft: ConnectionDraft) -> Result<ConnectionTested, Problem> {
        Err(interim())
    }
    /// Tries an address and a key, saves them and puts the connection in view.
    /// # Errors
    /// Interim.
    pub async fn connect_service(&self, _draft: ConnectionDraft) -> Result<ConnectionView, Problem> {
        Err(interim())
    }
    /// Gives a connection another key, after trying it.
    /// # Errors
    /// Interim.
    pub async fn replace_key(
        &self,
        _connection_id: String,
        _key: String,
        _keep_for_session: bool,
    ) -> Result<ConnectionView, Problem> {
        Err(interim())
    }
    /// All connections.
    /// # Errors
    /// Interim.
    pub async fn list_connections(&self) -> Result<Vec<ConnectionView>, Problem> {
        Err(interim())
    }
    /// Puts a connection in view.
    /// # Errors
    /// Interim.
    pub async fn select_connection(&self, _connection_id: String) -> Result<ConnectionView, Problem> {
        Err(interim())
    }
    /// Forgets a connection, its key and its queue.
    /// # Errors
    /// Interim.
    pub async fn remove_connection(&self, _connection_id: String) -> Result<(), Problem> {
        Err(interim())
    }
    /// Looks at once whether a service answers again.
    /// # Errors
    /// Interim.
    pub async fn retry_connection(&self, _connection_id: String) -> Result<ConnectionView, Problem> {
        Err(interim())
    }
    /// A part of a folder, folders first.
    /// # Errors
    /// Interim.
    pub async fn list_drive(
        &self,
        _folder_id: Option<String>,
        _offset: u32,
        _limit: u32,
        _sort: DriveSort,
    ) -> Result<DriveListing, Problem> {
        Err(interim())
    }
    /// The files of the drive that changed last, newest first.
    /// # Errors
    /// Interim.
    pub async fn list_recent_files(&self, _limit: u32) -> Result<Vec<DriveItem>, Problem> {
        Err(interim())
    }
    /// Makes a folder.
    /// # Errors
    /// Interim.
    pub async fn create_folder(&self, _parent_id: Option<String>, _name: String) -> Result<DriveItem, Problem> {
        Err(interim())
    }
    /// Gives an item another name.
    /// # Errors
    /// Interim.
    pub async fn rename_item(&self, _item_id: String, _name: String) -> Result<DriveItem, Problem> {
        Err(interim())
    }
    /// Moves items into a folder.
    /// # Errors
    /// Interim.
    pub async fn move_items(&self, _item_ids: Vec<String>, _folder_id: Option<String>) -> Result<ItemsMoved, Problem> {
        Err(interim())
    }
    /// Counts what goes when items go.
    /// # Errors
    /// Interim.
    pub async fn count_items(&self, _item_ids: Vec<String>) -> Result<ItemCounts, Problem> {
        Err(interim())
    }
    /// Deletes items ten seconds from now.
    /// # Errors
    /// Interim.
    pub async fn delete_items(&self, _item_ids: Vec<String>) -> Result<PendingDeletion, Problem> {
        Err(interim())
    }
    /// Takes a deletion back that has not been sent.
    /// # Errors
    /// Interim.
    pub async fn undo_deletion(&self, _deletion_id: String) -> Result<(), Problem> {
        Err(interim())
    }
    /// The folders of the drive, for choosing one.
    /// # Errors
    /// Interim.
    pub async fn list_folder_tree(&self) -> Result<FolderTree, Problem> {
        Err(interim())
    }
    /// Starts a download; nothing where the person chose no place.
    /// # Errors
    /// Interim.
    pub async fn download_file(
        &self,
        _file_id: String,
        _place: DownloadPlace,
    ) -> Result<Option<DownloadView>, Problem> {
        Err(interim())
    }
    /// Stops a download.
    /// # Errors
    /// Interim.
    pub async fn cancel_download(&self, _download_id: String) -> Result<(), Problem> {
        Err(interim())
    }
    /// Opens a file of the drive with its program on this computer.
    /// # Errors
    /// Interim.
    pub async fn open_file(&self, _file_id: String) -> Result<(), Problem> {
        Err(interim())
    }
    /// Shows a downloaded file in its folder.
    /// # Errors
    /// Interim.
    pub async fn reveal_download(&self, _download_id: String) -> Result<(), Problem> {
        Err(interim())
    }
    /// Asks for files and puts them in the drive.
    /// # Errors
    /// Interim.
    pub async fn choose_files(&self, _folder_id: Option<String>) -> Result<Option<FilesTaken>, Problem> {
        Err(interim())
    }
    /// Asks for a folder and puts it in the drive, whole.
    /// # Errors
    /// Interim.
    pub async fn choose_folder(&self, _folder_id: Option<String>) -> Result<Option<FilesTaken>, Problem> {
        Err(interim())
    }
    /// Puts the files or the picture in the clipboard in the drive; nothing where it holds neither.
    /// # Errors
    /// Interim.
    pub async fn paste_files(&self, _folder_id: Option<String>) -> Result<Option<FilesTaken>, Problem> {
        Err(interim())
    }
    /// Says where dropped files land; nowhere where there is no target.
    /// # Errors
    /// Interim.
    pub async fn set_drop_target(&self, _target: Option<DropTarget>) -> Result<(), Problem> {
        Err(interim())
    }
    /// A part of the transfers of the connection in view.
    /// # Errors
    /// Interim.
    pub async fn list_transfers(
        &self,
        _filter: TransferFilter,
        _offset: u32,
        _limit: u32,
    ) -> Result<TransferList, Problem> {
        Err(interim())
    }
    /// Pauses a transfer.
    /// # Errors
    /// Interim.
    pub async fn pause_transfer(&self, _transfer_id: String) -> Result<(), Problem> {
        Err(interim())
    }
    /// Lets a transfer go on.
    /// # Errors
    /// Interim.
    pub async fn resume_transfer(&self, _transfer_id: String) -> Result<(), Problem> {
        Err(interim())
    }
    /// Takes a transfer back, or a failed one off the list.
    /// # Errors
    /// Interim.
    pub async fn cancel_transfer(&self, _transfer_id: String) -> Result<(), Problem> {
        Err(interim())
    }
    /// Tries a failed transfer again.
    /// # Errors
    /// Interim.
    pub async fn retry_transfer(&self, _transfer_id: String) -> Result<(), Problem> {
        Err(interim())
    }
    /// Pauses everything.
    /// # Errors
    /// Interim.
    pub async fn pause_all_transfers(&self) -> Result<(), Problem> {
        Err(interim())
    }
    /// Lets everything go on.
    /// # Errors
    /// Interim.
    pub async fn resume_all_transfers(&self) -> Result<(), Problem> {
        Err(interim())
    }
    /// Tries all failed transfers again.
    /// # Errors
    /// Interim.
    pub async fn retry_failed_transfers(&self) -> Result<(), Problem> {
        Err(interim())
    }
    /// Takes what is in the drive off the list.
    /// # Errors
    /// Interim.
    pub async fn clear_finished_transfers(&self) -> Result<(), Problem> {
        Err(interim())
    }
    /// Lets a transfer go first.
    /// # Errors
    /// Interim.
    pub async fn promote_transfer(&self, _transfer_id: String) -> Result<(), Problem> {
        Err(interim())
    }
    /// Shows the file of a transfer in its folder on this computer.
    /// # Errors
    /// Interim.
    pub async fn reveal_transfer(&self, _transfer_id: String) -> Result<(), Problem> {
        Err(interim())
    }
    /// Moves a file that was in the drive already to the folder that it was dropped on.
    /// # Errors
    /// Interim.
    pub async fn move_duplicate_here(&self, _transfer_id: String) -> Result<(), Problem> {
        Err(interim())
    }
    /// The keys of the built-in studio.
    /// # Errors
    /// Interim.
    pub async fn list_api_keys(&self) -> Result<Vec<ApiKeyView>, Problem> {
        Err(interim())
    }
    /// Makes a key of the built-in studio.
    /// # Errors
    /// Interim.
    pub async fn create_api_key(&self, _name: String) -> Result<NewApiKey, Problem> {
        Err(interim())
    }
    /// Deletes a key of the built-in studio, with effect at once.
    /// # Errors
    /// Interim.
    pub async fn delete_api_key(&self, _key_id: String) -> Result<(), Problem> {
        Err(interim())
    }
    /// What the person has set.
    /// # Errors
    /// Interim.
    pub async fn get_settings(&self) -> Result<Settings, Problem> {
        Err(interim())
    }
    /// Keeps what the person has set.
    /// # Errors
    /// Interim.
    pub async fn set_settings(&self, _settings: Settings) -> Result<Settings, Problem> {
        Err(interim())
    }
    /// Puts a text into the clipboard.
    /// # Errors
    /// Interim.
    pub async fn copy_text(&self, _text: String) -> Result<(), Problem> {
        Err(interim())
    }
    /// Closes Easel although something is being sent.
    /// # Errors
    /// Interim.
    pub async fn confirm_close(&self) -> Result<(), Problem> {
        Err(interim())
    }
}
fn interim() -> Problem {
    Problem {
        code: "internal".into(),
        title: "Not there yet".into(),
        detail: String::new(),
        action: Action { kind: ActionKind::Dismiss, label: "OK".into(), target: None },
        request_id: None,
    }
}
