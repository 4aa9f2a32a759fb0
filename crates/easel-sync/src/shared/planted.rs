//! Known bugs, planted to see that the simulation finds them.
//!
//! Only the tests switch the feature `planted-bugs` on. Without it nothing can be planted, and the question costs nothing.

/// A known bug.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mutant {
    /// Deletes a drive file although another local path has its content.
    ForgetsLinks,
    /// Deletes the old version before the new one is sent.
    DeletesBeforeUpload,
    /// Takes a file for unchanged when its modification time is.
    TrustsModifiedTime,
    /// Deletes without asking, however much it is and even when the root is gone.
    IgnoresGuard,
    /// Pulls back what was deleted here.
    PullsBack,
    /// Takes a file of the same size for the one that moved.
    MovesBySize,
    /// Lets two names stand beside each other that are one to the drive.
    IgnoresCase,
    /// Downloads over what it finds.
    Overwrites,
    /// Trashes without looking at the file again.
    TrashesUnseen,
    /// Deletes folders with whatever is in them.
    DeletesWholeFolders,
    /// Remembers no intents.
    ForgetsIntents,
    /// Records a file as it is after it was sent.
    StampsAfterwards,
    /// Asks again without waiting as long as it was told.
    Impatient,
    /// Sends what is in the drive already.
    SendsKnownContent,
    /// Believes a deletion in the drive that only a list tells of.
    BelievesLists,
    /// Believes a deletion here that only one look tells of.
    BelievesLooks,
    /// Sends a file's bytes again because register refused.
    ResendsRefused,
    /// Forgets the key under which the bytes are in storage.
    ForgetsStorageKey,
    /// Takes an old file for the one that was just sent.
    TakesOldFiles,
    /// Leaves a file where the service put it.
    LeavesAtTop,
    /// Moves what the drive had already.
    MovesDuplicates,
    /// Takes an answer that was lost for a failure.
    TakesLostForFailed,
    /// Takes no notice of new content that a drive file was given.
    IgnoresNewContent,
    /// Replaces what a drive file has, whatever that is by now.
    ReplacesUnseen,
    /// Deletes a content though pointers stand for it.
    IgnoresPointers,
    /// Believes that a copy was deleted whose pointer is gone.
    BelievesLostPointers,
    /// Plan: calls a drive folder empty that has nothing of what was agreed on.
    CallsEditsEmpty,
    /// Plan: leaves out what has the content of something that differs.
    LeavesOutContents,
    /// Disk: forgets what changed while it looked.
    DropsMarks,
    /// Disk: does not look into a folder that is new.
    SkipsNewFolders,
    /// Disk: takes no notice of when an item itself changed.
    IgnoresChangeTime,
    /// Disk: takes a folder that is gone for one that cannot be read.
    TakesGoneForUnreadable,
    /// Disk: keeps what was in a folder that is gone.
    KeepsTheInside,
    /// Disk: sees nothing where the top is read twice in one look, and answers a doubt by what it saw.
    ForgetsTheTop,
    /// Disk: takes any folder at the path for the watched one.
    TakesAnyFolder,
    /// Watch: watches the top alone.
    WatchesTheTop,
    /// Watch: hears from where a file was moved, and not to where.
    HearsHalfOfMoves,
    /// Watch: hears of no writing in place.
    HearsNoWriting,
    /// Watch: hears of nothing that is made.
    HearsNoMaking,
    /// Watch: hears of nothing that is removed.
    HearsNoRemoving,
    /// Index: asks from the moment at which reading ended.
    AsksFromTheEnd,
    /// Index: keeps asking from a moment that the service's clock has yet to come to.
    TrustsTheClock,
    /// Index: takes a drive that was restored for one that was changed.
    FollowsRestores,
    /// Index: takes no notice of a file's new name.
    KeepsOldNames,
    /// Index: wakes no folder when others changed something in it.
    WakesNobody,
}

/// The bug that is planted, if any is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Planted {
    #[cfg(feature = "planted-bugs")]
    mutant: Option<Mutant>,
}

#[cfg(feature = "planted-bugs")]
impl Planted {
    /// This one, or none.
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
    /// No bug is.
    #[expect(clippy::unused_self, reason = "with the feature it is asked of a value")]
    pub(crate) const fn is(self, _mutant: Mutant) -> bool {
        false
    }
}
