//! The requests of an upload over the way, for synced folders and for dropped files alike.
//!
//! Always true: the effect of a request and its answer are decided apart, so that an answer can be lost after its
//! effect. Not here: which request comes next (the upload itself).

use super::*;

impl Sim {
    pub fn request(&self, name: String, is_change: bool) -> Request {
        Request { name, is_change, left_at: self.world().calls, dropped: None }
    }

    /// A request for a signed address. One for an upload that a pointer's new name announced cannot be called back.
    pub(super) fn request_for_signature(&self, to: &Destination) -> Request {
        let request = self.request(format!("sign {}", to.name), false);
        let world = self.world();
        match world.way.announced.filter(|(_, at_ms)| world.now_ms <= at_ms + 100) {
            Some((left_at, _)) => Request { left_at, ..request },
            None => request,
        }
    }

    /// A request about a file that an upload may just have come to.
    pub(super) fn request_about(&self, name: String, is_change: bool, file: FileId) -> Request {
        let request = self.request(name, is_change);
        let world = self.world();
        // A file that was just asked about is in the middle of a step, which cannot be called back either.
        let asked = world.way.asked_about.get(&file).filter(|(_, at_ms)| world.now_ms <= at_ms + 100);
        match world.way.begun.get(&file.to_string()).or(asked.map(|(left_at, _)| left_at)) {
            Some(left_at) => Request { left_at: *left_at, ..request },
            None => request,
        }
    }

    /// Waits for a rate permit, as the client does.
    fn take_place(&self) {
        let mut world = self.world();
        let limit = world.service.requests_a_minute;
        loop {
            let now = world.now_ms;
            let way = &mut world.way;
            while way.asked_ms.front().is_some_and(|asked| asked + MINUTE_MS <= now) {
                way.asked_ms.pop_front();
            }
            if way.asked_ms.len() + way.on_their_way < limit {
                way.on_their_way += 1;
                return;
            }
            let Some(first) = way.asked_ms.front().copied() else { return };
            world.now_ms = first + MINUTE_MS;
            world.count("waits for the budget");
        }
    }

    /// Makes a request: it may be limited, refused, lost on its way there, late, or lost on its way back.
    pub async fn ask<T: Send + 'static>(
        &self,
        request: Request,
        act: impl FnOnce(&mut World) -> Result<T, DriveError> + Send + 'static,
    ) -> Result<T, DriveError> {
        self.take_place();
        let is_engines = request.dropped.is_none();
        let answer = self.call(move |world| come(world, request, act)).await;
        if is_engines
            && let Err(DriveError::Deferred(Hold { waiting: Waiting::RateLimited, after_ms: Some(after_ms), .. })) =
                &answer
        {
            let mut world = self.world();
            // Meanwhile the service may have told someone else another time.
            let is_this = world.now_ms + after_ms + 100 >= world.service.not_before_ms;
            if world.service.limit_told_at == 0 && is_this {
                world.service.limit_told_at = world.calls;
                world.service.limit_told_ms = world.now_ms;
            }
        }
        answer
    }

    /// The bytes of a file while they are sent: its stamp must be the same before the first byte and before the last.
    pub(super) async fn read_source(&self, source: &Source) -> Result<Content, DriveError> {
        self.call(read(source)).await?;
        self.call(read(source)).await
    }

    /// Which way a file of this size goes: none that is too large is sent.
    pub fn route_of(&self, size_bytes: u64) -> Result<Route, DriveError> {
        let world = self.world();
        if size_bytes > world.settings.max_file_bytes {
            let (max_file_bytes, is_plan_limit) = (world.settings.max_file_bytes, true);
            return Err(DriveError::Refused(Cause::TooLarge { size_bytes, max_file_bytes, is_plan_limit }.into()));
        }
        Ok(if size_bytes <= world.settings.direct_max_bytes { Route::Direct } else { Route::Signed })
    }

    /// One request with all bytes.
    pub async fn upload_direct(
        &self,
        request: Request,
        content: Content,
        to: &Destination,
        maker: Maker,
    ) -> Result<Uploaded, DriveError> {
        let (to, left_at, dropped) = (to.clone(), request.left_at, request.dropped);
        let uploaded = self
            .ask(request, move |world| {
                world.count("files sent");
                let now_ms = world.now_ms;
                let ignores_folder = world.service.deviations.direct_ignores_folder;
                let folder = if ignores_folder { None } else { to.folder };
                let uploaded = world.service.upload(content, &Destination { folder, ..to }, maker, now_ms)?;
                note_landing(world, folder, to.folder);
                Ok(uploaded)
            })
            .await?;
        self.note_told(&uploaded, dropped);
        self.world().way.begun.insert(uploaded.file.to_string(), left_at);
        Ok(Uploaded { hash: Some(hash_of(content)), ..uploaded })
    }

    /// A place in storage.
    pub async fn sign_for(&self, mut request: Request, to: &Destination) -> Result<String, DriveError> {
        // One name may be wanted in two folders.
        let at = format!("{:?}/{}", to.folder, to.name);
        if let Some(begun) = self.world().way.begun.remove(&at) {
            request.left_at = begun;
        }
        let left_at = request.left_at;
        self.ask(request, move |world| {
            let key = format!("pending/{}", world.service.new_uuid());
            world.way.destinations.insert(key.clone(), at);
            let good_until_ms = world.now_ms + SIGNED_MS;
            world.service.staged.insert(key.clone(), Staged { content: None, good_until_ms });
            world.way.begun.insert(key.clone(), left_at);
            world.way.signed.insert(key.clone());
            Ok(key)
        })
        .await
    }

    /// Whether the adapter still has the address of a key, which is good for one PUT.
    pub fn take_address(&self, key: &str) -> bool {
        self.world().way.signed.remove(key)
    }

    /// A PUT of bytes that were read. `judge` sees it when it comes to storage.
    pub async fn put(
        &self,
        key: &str,
        content: Content,
        judge: impl FnOnce(&mut World),
    ) -> Result<ContentHash, DriveError> {
        self.call(|world| {
            let chance = world.chaos.lost;
            let is_lost = world.dice.percent(chance);
            if is_lost && world.dice.percent(30) {
                // The PUT is cut off half-way: nothing is stored.
                world.is_calm = false;
                world.count("uploads cut");
                return Err(DriveError::Deferred(Waiting::Offline.into()));
            }
            if chance > 0 && world.dice.percent(10) {
                world.now_ms += SIGNED_MS + 1;
            }
            judge(world);
            let now = world.now_ms;
            match world.service.staged.get_mut(key) {
                Some(staged) if staged.good_until_ms >= now => staged.content = Some(content),
                _ => {
                    world.count("addresses that expired");
                    if let Some((begun, at)) = world.way.begun.remove(key).zip(world.way.destinations.remove(key)) {
                        world.way.begun.insert(at, begun);
                    }
                    return Err(DriveError::Expired);
                }
            }
            world.say(|| format!("put {key} (content {content})"));
            if is_lost {
                world.is_calm = false;
                world.count("answers of storage lost");
                return Err(lost());
            }
            Ok(hash_of(content))
        })
        .await
    }

    /// Makes a file of the bytes under a key.
    pub async fn register_for(
        &self,
        mut request: Request,
        key: &str,
        to: &Destination,
        maker: Maker,
    ) -> Result<Uploaded, DriveError> {
        if let Some(begun) = self.world().way.begun.remove(key) {
            request.left_at = begun;
        }
        let (key, to, left_at, dropped) = (key.to_owned(), to.clone(), request.left_at, request.dropped);
        let uploaded = self
            .ask(request, move |world| {
                if let Some(done) = world.service.consumed.get(&key) {
                    return Ok(done.clone());
                }
                let staged = world.service.staged.get(&key);
                let content = staged.and_then(|staged| staged.content).ok_or(DriveError::NotStaged)?;
                let now_ms = world.now_ms;
                let ignores_folder = world.service.deviations.register_ignores_folder;
                let folder = if ignores_folder { None } else { to.folder };
                let uploaded = world.service.upload(content, &Destination { folder, ..to }, maker, now_ms);
                if matches!(&uploaded, Err(DriveError::Refused(_))) {
                    world.count("refusals of register");
                }
                let uploaded = uploaded?;
                note_landing(world, folder, to.folder);
                world.count("files sent");
                world.service.staged.remove(&key);
                world.service.consumed.insert(key, uploaded.clone());
                Ok(uploaded)
            })
            .await?;
        // The service does not tell the content; whoever reads a list learns it.
        let known = self.world().way.files.get(&uploaded.file).and_then(|known| known.hash);
        let uploaded = Uploaded { hash: known, ..uploaded };
        self.note_told(&uploaded, dropped);
        self.world().way.begun.insert(uploaded.file.to_string(), left_at);
        Ok(uploaded)
    }

    /// Gives an existing file the bytes under a key as its content.
    pub(super) async fn replace_under(
        &self,
        mut request: Request,
        key: &str,
        file: FileId,
        expected: Option<ContentHash>,
    ) -> Result<RemoteFile, DriveError> {
        if let Some(begun) = self.world().way.begun.get(key) {
            request.left_at = *begun;
        }
        let (key, left_at) = (key.to_owned(), request.left_at);
        let seen = self
            .ask(request, move |world| {
                if world.service.deviations.keeps_no_versions {
                    return Err(DriveError::RouteMissing);
                }
                if !world.service.files.contains_key(&file) {
                    return Err(DriveError::NotFound);
                }
                match world.service.consumed.get(&key) {
                    Some(done) if done.file == file => return Ok(world.service.see(&world.service.files[&file])),
                    Some(_) => return Err(DriveError::NotStaged),
                    None => {}
                }
                let staged = world.service.staged.get(&key);
                let content = staged.and_then(|staged| staged.content).ok_or(DriveError::NotStaged)?;
                let place = world.service.place_of(ItemRef::File(file));
                let old = world.service.replace(file, content, expected)?;
                world.count("files given new content");
                if old != content {
                    judge::judge_deletion(world, ItemRef::File(file), &[old], place.as_ref());
                }
                let seen = world.service.see(&world.service.files[&file]);
                let RemoteFile { folder, name, size_bytes, hash } = seen.clone();
                let (name, folder, size_bytes) = (Some(name), Some(folder), Some(size_bytes));
                world.service.staged.remove(&key);
                world
                    .service
                    .consumed
                    .insert(key, Uploaded { file, name, folder, size_bytes, hash, was_duplicate: false });
                Ok(seen)
            })
            .await?;
        let mut world = self.world();
        world.way.files.insert(file, seen.clone());
        world.way.noted.insert(ItemRef::File(file));
        world.way.begun.insert(file.to_string(), left_at);
        Ok(seen)
    }

    /// Looks for the file that was sent, if it is new since then.
    pub async fn look_for(
        &self,
        request: Request,
        sent: &Fingerprint,
        folder: Option<FolderId>,
    ) -> Result<Option<(FileId, RemoteFile)>, DriveError> {
        let sent = sent.clone();
        self.ask(request, move |world| {
            // The offset that this computer's clock has now is taken to be the one that it had then.
            let since_ms = (sent.since.as_micros() - world.wall_offset_us) / 1_000;
            let slack_ms = if world.service.deviations.tells_no_hash { 2_000 } else { 600_000 };
            let is_it = |file: &&crate::service::StoredFile| {
                let seen = world.service.see(file);
                file.folder == folder
                    && seen.size_bytes == sent.size_bytes
                    // Sizes are few here, so if no hash is told, they are taken to be as telling as real ones.
                    && hash_of(file.content) == sent.sha256
                    && i64::try_from(file.created_ms).unwrap_or(i64::MAX) >= since_ms - slack_ms
                    && easel_sync::plan::names::is_numbered(&file.name, &sent.filename)
            };
            let mut files = world.service.files.iter();
            let found = files.find(|(_, file)| is_it(file));
            Ok(found.map(|(id, file)| (*id, world.service.see(file))))
        })
        .await
    }

    /// The adapter of the synced folder notes what the service told of an upload. The queue knows nothing of that
    /// adapter, so the answer to a dropped file's upload, which may be older than a move since, does not get there.
    fn note_told(&self, uploaded: &Uploaded, dropped: Option<u64>) {
        if dropped.is_none()
            && let Uploaded { file, name: Some(name), folder: Some(folder), size_bytes: Some(size_bytes), hash, .. } =
                uploaded.clone()
        {
            let mut world = self.world();
            world.way.files.insert(file, RemoteFile { folder, name, size_bytes, hash });
            world.way.noted.insert(ItemRef::File(file));
        }
    }
}

fn note_landing(world: &mut World, folder: Option<FolderId>, wanted: Option<FolderId>) {
    if folder != wanted {
        world.count("files that landed at the top of the drive");
    }
}
