//! The ports of a dropped file's upload in the simulation: the same steps as in the real queue.
//!
//! Always true: every access can be where the program is killed. Not here: which transfer comes next (`desk`).

use super::*;

/// A dropped file at work.
pub(super) struct OnDesk {
    pub sim: Sim,
    pub number: u64,
}

/// A dropped file, with its identity when it was last looked at.
pub struct Source {
    path: String,
    identity: Identity,
}

impl OnDesk {
    fn request(&self, name: &str, is_change: bool) -> Request {
        self.sim.request(format!("drop {}: {name}", self.number), is_change).of_drop(self.number)
    }

    /// A person's command interrupts requests that change nothing, or only what is settled later.
    fn heed(&self) -> Result<(), DriveError> {
        match self.sim.world().desk.drop_of(self.number).command {
            Some(_) => Err(DriveError::Stopped { may_be_done: false }),
            None => Ok(()),
        }
    }

    /// Whether a person stops it just while its bytes are on their way.
    fn is_stopped_midway(&self) -> bool {
        let mut world = self.sim.world();
        if world.chaos.edits_left == 0 || !world.dice.percent(8) {
            return false;
        }
        world.chaos.edits_left -= 1;
        let command = if world.dice.percent(50) { TransferCommand::Pause } else { TransferCommand::Cancel };
        ask(&mut world, self.number, Some(command));
        world.count("drops stopped midway");
        true
    }

    /// Judges bytes that are about to leave.
    fn judge_bytes(&self, world: &mut World, source: &Source) {
        let offset_us = world.wall_offset_us;
        let dropped = world.desk.drop_of(self.number);
        let is_known = *dropped.offset_us.get_or_insert(offset_us) == offset_us;
        let (taken, was_refused) = (dropped.taken, dropped.was_refused);
        let number = self.number;
        if is_known && taken == Some(source.identity) {
            world.violate(format!("drop {number}: bytes that the service has taken are sent again"));
        }
        if was_refused {
            world.violate(format!("drop {number}: it was refused and is sent again though nobody asked"));
        }
    }

    async fn keep<T>(&self, access: impl FnOnce(&mut World, u64) -> T) -> Result<T, StoreError> {
        self.sim.keep(|world| access(world, self.number)).await
    }
}

/// The content of a file on the desk, if it still has the same identity.
fn read(world: &World, source: &Source) -> Result<Content, DriveError> {
    match world.desk.files.get(&source.path) {
        Some(file) if file.identity() == source.identity => Ok(file.content),
        Some(_) => Err(DriveError::SourceChanged),
        None => Err(DriveError::Refused(Cause::Vanished.into())),
    }
}

impl Uploads for OnDesk {
    type Source = Source;

    async fn route(&self, source: &Source, _to: &Destination) -> Result<Route, DriveError> {
        self.heed()?;
        read(&self.sim.world(), source)?;
        self.sim.route_of(source.identity.size_bytes)
    }

    async fn send_direct(&self, source: &Source, to: &Destination) -> Result<Uploaded, DriveError> {
        self.heed()?;
        let request = self.request("send", true);
        let content = self.sim.call(|world| read(world, source)).await?;
        self.judge_bytes(&mut self.sim.world(), source);
        if self.is_stopped_midway() {
            // Whether the last byte had left is not always known.
            let may_be_done = self.sim.world().dice.percent(70);
            if may_be_done && self.sim.world().dice.percent(50) {
                drop(self.sim.upload_direct(request, content, to, Maker::Drop(self.number)).await);
            }
            return Err(DriveError::Stopped { may_be_done });
        }
        self.sim.upload_direct(request, content, to, Maker::Drop(self.number)).await
    }

    async fn sign_upload(&self, to: &Destination) -> Result<String, DriveError> {
        self.heed()?;
        self.sim.sign_for(self.request("sign", false), to).await
    }

    async fn put_signed(&self, key: &str, source: &Source) -> Result<ContentHash, DriveError> {
        if !self.sim.take_address(key) {
            return Err(DriveError::Expired);
        }
        self.heed()?;
        let content = self.sim.call(|world| read(world, source)).await?;
        let is_stopped = self.is_stopped_midway();
        if is_stopped && self.sim.world().dice.percent(50) {
            let may_be_done = self.sim.world().dice.percent(50);
            return Err(DriveError::Stopped { may_be_done });
        }
        let put = self.sim.put(key, content, |world| self.judge_bytes(world, source)).await;
        if is_stopped {
            return Err(DriveError::Stopped { may_be_done: true });
        }
        let hash = put?;
        match self.sim.world().desk.drop_of(self.number).command {
            Some(_) => Err(DriveError::Stopped { may_be_done: true }),
            None => Ok(hash),
        }
    }

    async fn register(&self, key: &str, to: &Destination) -> Result<Uploaded, DriveError> {
        let registered = self.sim.register_for(self.request("register", true), key, to, Maker::Drop(self.number)).await;
        if registered == Err(DriveError::NotStaged) {
            self.sim.world().desk.drop_of(self.number).taken = None;
        }
        registered
    }

    /// A dropped file always becomes a new drive file.
    async fn replace(
        &self,
        _key: &str,
        _file: FileId,
        _expected: Option<ContentHash>,
    ) -> Result<RemoteFile, DriveError> {
        Err(DriveError::RouteMissing)
    }

    async fn hash(&self, source: &Source) -> Result<ContentHash, DriveError> {
        self.heed()?;
        self.sim.call(|world| read(world, source)).await.map(hash_of)
    }

    async fn find(
        &self,
        sent: &Fingerprint,
        folder: Option<FolderId>,
    ) -> Result<Option<(FileId, RemoteFile)>, DriveError> {
        self.heed()?;
        self.sim.look_for(self.request("look for it", false), sent, folder).await
    }

    async fn get_file(&self, file: FileId) -> Result<Option<RemoteFile>, DriveError> {
        let see = move |world: &mut World| Ok(world.service.files.get(&file).map(|seen| world.service.see(seen)));
        let seen = self.sim.ask(self.request("get file", false), see).await;
        if seen == Ok(None) {
            // Someone has deleted it, so it is sent again.
            self.sim.world().desk.drop_of(self.number).taken = None;
        }
        seen
    }

    async fn move_item(&self, item: ItemRef, folder: Option<FolderId>) -> Result<(), DriveError> {
        let maker = Maker::Drop(self.number);
        let act = move |world: &mut World| {
            check::judge_move(world, item, maker);
            world.service.move_to(item, folder)
        };
        self.sim.ask(self.request("move", true), act).await
    }

    async fn rename_item(&self, item: ItemRef, name: &str) -> Result<(), DriveError> {
        let name = name.to_owned();
        self.sim.ask(self.request("rename", true), move |world| world.service.rename(item, &name)).await
    }
}

impl Checkpoints for OnDesk {
    type Error = StoreError;

    async fn save(&self, checkpoint: &Checkpoint) -> Result<(), StoreError> {
        self.keep(|world, number| {
            world.say(|| format!("drop {number} is at {checkpoint:?}"));
            let (offset_us, now_ms, wall_us) = (world.wall_offset_us, world.now_ms, world.wall_us());
            let dropped = world.desk.drop_of(number);
            dropped.begun_ms.get_or_insert(now_ms);
            if checkpoint.has_all_bytes() {
                dropped.taken = Some(dropped.identity);
            }
            if let Checkpoint::Sent { since_us, .. } | Checkpoint::Signed { since_us, .. } = checkpoint {
                // The clock may have been set between the look at the file and this.
                let is_set_since = (wall_us - since_us).abs() > 60_000_000;
                (dropped.attempt_ms, dropped.sent_as) = (Some(now_ms), Some(dropped.identity));
                dropped.offset_us = Some(if is_set_since { i64::MAX } else { offset_us });
            }
            dropped.at = checkpoint.clone();
        })
        .await
    }

    async fn belongs_to_another(&self, file: FileId) -> Result<bool, StoreError> {
        let mut world = self.sim.world();
        let own = world.desk.drop_of(self.number).clone();
        let others = world.desk.drops.iter().filter(|other| other.number != own.number);
        Ok(others.into_iter().any(|other| {
            let is_twin = other.path == own.path && other.identity.size_bytes == own.identity.size_bytes;
            (other.file == Some(file) && other.state == State::Sent) || (is_twin && other.at.is_in_doubt())
        }))
    }
}

impl UploadContext for OnDesk {
    type Source = Source;

    fn command(&self) -> Option<TransferCommand> {
        self.sim.world().desk.drop_of(self.number).command
    }

    async fn look(&self) -> Result<Identity, Cause> {
        self.sim
            .call(|world| {
                let path = world.desk.drop_of(self.number).path.clone();
                world.desk.files.get(&path).map(|file| file.identity()).ok_or(Cause::Vanished)
            })
            .await
    }

    fn source(&self, identity: Identity) -> Source {
        Source { path: self.sim.world().desk.drop_of(self.number).path.clone(), identity }
    }

    async fn destination(&self) -> Result<Destination, UploadError<StoreError>> {
        self.known_destination().await
    }

    async fn known_destination(&self) -> Result<Destination, UploadError<StoreError>> {
        let mut world = self.sim.world();
        let dropped = world.desk.drop_of(self.number);
        Ok(Destination { folder: dropped.folder, name: dropped.path.clone() })
    }

    async fn forget_destination(&self) -> Result<(), StoreError> {
        Ok(())
    }

    async fn turn(&self) -> Result<(), DriveError> {
        self.sim.pass().await;
        self.heed()
    }

    async fn save_identity(&self, identity: Identity) -> Result<(), StoreError> {
        self.keep(|world, number| world.desk.drop_of(number).identity = identity).await
    }

    async fn save_settling(&self, identity: Identity, due_at: i64) -> Result<(), StoreError> {
        self.keep(|world, number| {
            let dropped = world.desk.drop_of(number);
            if matches!(dropped.state, State::Queued | State::Settling) {
                (dropped.state, dropped.identity, dropped.due_us) = (State::Settling, identity, due_at);
            }
        })
        .await
    }

    async fn save_attempt(&self) -> Result<u32, StoreError> {
        self.keep(|world, number| {
            let dropped = world.desk.drop_of(number);
            dropped.attempts += 1;
            dropped.attempts
        })
        .await
    }

    async fn save_cancel_in_doubt(&self) -> Result<(), StoreError> {
        self.keep(|world, number| {
            let dropped = world.desk.drop_of(number);
            (dropped.is_cancel_asked, dropped.state) = (true, State::Queued);
        })
        .await
    }

    async fn save_end(&self, end: &End) -> Result<(), StoreError> {
        self.keep(|world, number| {
            check::judge_end(world, number, end);
            let now_ms = world.now_ms;
            let dropped = world.desk.drop_of(number);
            (dropped.is_cancel_asked, dropped.ended_ms) = (false, Some(now_ms));
            dropped.file = stored_of(end).and_then(|stored| stored.file_id);
            dropped.state = match end {
                End::Sent(_) => State::Sent,
                End::AlreadyThere(_) => State::AlreadyThere,
                End::Failed(_) => State::Failed,
                End::Canceled => State::Canceled,
            };
            match end {
                End::Failed(failure) => {
                    dropped.was_refused = failure.cause.is_lasting();
                    dropped.failure = Some(failure.cause.clone());
                }
                _ => dropped.at = Checkpoint::NotBegun,
            }
        })
        .await
    }
}

/// The drive file of an ended transfer.
pub const fn stored_of(end: &End) -> Option<&Stored> {
    match end {
        End::Sent(stored) | End::AlreadyThere(stored) => Some(stored),
        End::Failed(_) | End::Canceled => None,
    }
}
