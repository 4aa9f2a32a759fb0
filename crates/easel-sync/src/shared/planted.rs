//! Known bugs (mutants), planted to show that the simulation finds them.
//!
//! Only the tests switch the feature `planted-bugs` on. Without it no bug can be planted, and asking costs nothing.

/// A known bug.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mutant {
    /// Deletes a drive file although another local path has its content.
    ForgetsLinks,
    /// Deletes the old version before the new one is sent.
    DeletesBeforeUpload,
    /// Takes a file for unchanged when its modification time is unchanged.
    TrustsModifiedTime,
    /// Deletes without asking, however many items there are, and even when the root is gone.
    IgnoresGuard,
    /// Fetches again what was deleted here.
    PullsBack,
    /// Takes a file of the same size for the one that moved.
    MovesBySize,
    /// Lets two names stand beside each other that are the same to the drive.
    IgnoresCase,
    /// Downloads over an item that is at the path.
    Overwrites,
    /// Trashes without looking at the file again.
    TrashesUnseen,
    /// Deletes folders with everything in them.
    DeletesWholeFolders,
    /// Remembers no intents.
    ForgetsIntents,
    /// Records a file's state after it was sent instead of before.
    StampsAfterwards,
    /// Asks again sooner than it was told.
    Impatient,
    /// Sends a content that is in the drive already.
    SendsKnownContent,
    /// Believes a deletion in the drive that only a list shows.
    BelievesLists,
    /// Believes a deletion here that only one look shows.
    BelievesLooks,
    /// Sends a file's bytes again because register refused.
    ResendsRefused,
    /// Forgets the key under which the bytes are in storage.
    ForgetsStorageKey,
    /// Takes an old file for the one that was just sent.
    TakesOldFiles,
    /// Leaves a file where the service put it.
    LeavesAtTop,
    /// Moves a file that the drive had already.
    MovesDuplicates,
    /// Takes a lost answer for a failure.
    TakesLostForFailed,
    /// Ignores new content that a drive file was given.
    IgnoresNewContent,
    /// Replaces a drive file's content, even if that has changed.
    ReplacesUnseen,
    /// Deletes a content although pointers stand for it.
    IgnoresPointers,
    /// Believes that a copy was deleted when its pointer is gone.
    BelievesLostPointers,
    /// Plan: calls a drive folder empty that has none of the agreed items.
    CallsEditsEmpty,
    /// Plan: leaves out files that have the content of a differing one.
    LeavesOutContents,
    /// Plan: concludes from what is missing while some folders were not compared yet.
    ConcludesEarly,
    /// Loads no folder in which something changed.
    LeavesUnloaded,
    /// Undoing: takes the earlier content for a file that was edited since.
    UndoesOverEdits,
    /// Undoing: leaves moved items where they are.
    UndoesNoMoves,
    /// Undoing: takes a file of the trash whatever it holds.
    RestoresOthers,
    /// Settling a conflict: takes what is there for what was shown.
    SettlesUnseen,
    /// Settling a conflict: forgets, when the program ends, that the copy is to get the name.
    ForgetsTheCopy,
    /// Disk: forgets changes during a look.
    DropsMarks,
    /// Disk: does not look into a new folder.
    SkipsNewFolders,
    /// Disk: ignores the change time of an item.
    IgnoresChangeTime,
    /// Disk: takes a missing folder for one that cannot be read.
    TakesGoneForUnreadable,
    /// Disk: keeps the items of a folder that is gone.
    KeepsTheInside,
    /// Disk: sees nothing where the top is read twice in one look, and answers a doubt from what it saw before.
    ForgetsTheTop,
    /// Disk: takes any folder at the path for the watched one.
    TakesAnyFolder,
    /// Watch: watches the top alone.
    WatchesTheTop,
    /// Watch: hears where a file was moved from, and not where to.
    HearsHalfOfMoves,
    /// Watch: hears of no writing in place.
    HearsNoWriting,
    /// Watch: hears of no new items.
    HearsNoMaking,
    /// Watch: hears of no removed items.
    HearsNoRemoving,
    /// Index: asks from the moment at which reading ended.
    AsksFromTheEnd,
    /// Index: keeps asking from a moment that the service's clock has yet to come to.
    TrustsTheClock,
    /// Index: takes a drive that was restored for one that was changed.
    FollowsRestores,
    /// Index: ignores a file's new name.
    KeepsOldNames,
    /// Index: wakes no folder when others changed an item in it.
    WakesNobody,
}

/// The planted bug, if there is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Planted {
    #[cfg(feature = "planted-bugs")]
    mutant: Option<Mutant>,
}

#[cfg(feature = "planted-bugs")]
impl Planted {
    /// Plants this bug, or none.
    #[must_use]
    pub const fn new(mutant: Option<Mutant>) -> Self {
        Self { mutant }
    }

    /// Whether this bug is planted.
    pub(crate) fn is(self, mutant: Mutant) -> bool {
        self.mutant == Some(mutant)
    }
}

#[cfg(not(feature = "planted-bugs"))]
impl Planted {
    /// No bug is planted.
    #[expect(clippy::unused_self, reason = "with the feature it is asked of a value")]
    pub(crate) const fn is(self, _mutant: Mutant) -> bool {
        false
    }
}
