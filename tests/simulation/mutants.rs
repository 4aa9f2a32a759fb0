//! The known bugs that can be planted, by name.

use easel_sync::Mutant;

/// Every mutant.
pub const MUTANTS: [(&str, Mutant); 32] = [
    ("forgets-links", Mutant::ForgetsLinks),
    ("deletes-before-upload", Mutant::DeletesBeforeUpload),
    ("trusts-modified-time", Mutant::TrustsModifiedTime),
    ("ignores-guard", Mutant::IgnoresGuard),
    ("pulls-back", Mutant::PullsBack),
    ("moves-by-size", Mutant::MovesBySize),
    ("ignores-case", Mutant::IgnoresCase),
    ("overwrites", Mutant::Overwrites),
    ("trashes-unseen", Mutant::TrashesUnseen),
    ("deletes-whole-folders", Mutant::DeletesWholeFolders),
    ("forgets-intents", Mutant::ForgetsIntents),
    ("stamps-afterwards", Mutant::StampsAfterwards),
    ("impatient", Mutant::Impatient),
    ("sends-known-content", Mutant::SendsKnownContent),
    ("believes-lists", Mutant::BelievesLists),
    ("believes-looks", Mutant::BelievesLooks),
    ("resends-refused", Mutant::ResendsRefused),
    ("forgets-storage-key", Mutant::ForgetsStorageKey),
    ("takes-old-files", Mutant::TakesOldFiles),
    ("leaves-at-top", Mutant::LeavesAtTop),
    ("moves-duplicates", Mutant::MovesDuplicates),
    ("takes-lost-for-failed", Mutant::TakesLostForFailed),
    ("ignores-new-content", Mutant::IgnoresNewContent),
    ("replaces-unseen", Mutant::ReplacesUnseen),
    ("ignores-pointers", Mutant::IgnoresPointers),
    ("believes-lost-pointers", Mutant::BelievesLostPointers),
    ("leaves-out-contents", Mutant::LeavesOutContents),
    ("concludes-early", Mutant::ConcludesEarly),
    ("leaves-unloaded", Mutant::LeavesUnloaded),
    ("undoes-over-edits", Mutant::UndoesOverEdits),
    ("undoes-no-moves", Mutant::UndoesNoMoves),
    ("restores-others", Mutant::RestoresOthers),
];
