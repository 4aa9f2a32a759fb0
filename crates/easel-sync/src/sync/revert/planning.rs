//! What undoing comes to once it is known where contents are.
//!
//! Pure. Always true: a content that nothing holds any more is named, and its path stays as it is.

use std::collections::{BTreeMap, BTreeSet};

use easel_wire::FolderId;

use super::Undoing;
use super::acts::{Act, Figures, Plan, Source, Sources, Wanted, is_made};
use crate::shared::planted::Mutant;
use crate::sync::tree;

impl Undoing<'_> {
    /// What is to be done, as far as trash and versions hold what has to come back.
    #[must_use]
    pub fn plan(self, sources: &Sources) -> Plan {
        let (wanted, folders) = (self.wanted(), self.folders());
        let landing = self.landing();
        let restores_others = self.is_planted(Mutant::RestoresOthers);
        let (changing, left, beside_files) = self.into_parts();
        let missing: BTreeSet<&str> = folders.iter().map(|(path, _)| path.as_str()).collect();
        let mut in_drive: BTreeMap<&str, FolderId> = BTreeMap::new();
        for (path, folder) in &folders {
            let trashed = folder.and_then(|folder| Some((folder, sources.trashed_folders.get(&folder)?)));
            let Some((folder, trashed)) = trashed.filter(|_| sources.is_both_ways) else { continue };
            // One whose own folder does not come back there would come to the top of the drive.
            let above = tree::parent(path);
            let is_reached = !missing.contains(above) || in_drive.contains_key(above);
            if is_reached && landing.is_at(path, trashed, sources) {
                in_drive.insert(path, folder);
            }
        }
        // Out of the drive's trash a file comes back only to a folder that is there.
        let has_place =
            |path: &str| tree::above(path).all(|above| !missing.contains(above) || in_drive.contains_key(above));
        let mut plan = Plan { left, figures: Figures { beside_files, ..Figures::default() }, ..Plan::default() };
        let (mut restoring, mut placing) = (Vec::new(), Vec::new());
        for Wanted { path, was_at, content, replacing, deleted } in wanted {
            let trashed = deleted.and_then(|deleted| Some((sources.trashed_files.get(&deleted.file)?, deleted)));
            let lands = trashed.as_ref().is_some_and(|(place, _)| landing.is_at(&path, place, sources));
            let trashed = trashed.map(|(_, deleted)| deleted);
            let comes_by_itself = sources.is_both_ways && path == was_at && has_place(&path) && lands;
            let is_it = trashed.as_ref().is_some_and(|trashed| trashed.hash == content.hash || restores_others);
            let found = sources.contents.get(&content.hash).cloned();
            let bytes = content.bytes;
            match (trashed, found) {
                (Some(trashed), _) if is_it && comes_by_itself => {
                    restoring.push(Act::RestoreFile { path, file: trashed.file });
                }
                (_, Some(source)) => placing.push(Act::Place { path, content, source, replacing }),
                (Some(trashed), None) if is_it => {
                    let source = Source::DriveTrash(trashed.file);
                    placing.push(Act::Place { path, content, source, replacing });
                }
                (Some(trashed), None) if comes_by_itself => {
                    restoring.push(Act::RestoreFile { path, file: trashed.file });
                    plan.figures.later_files += 1;
                }
                (Some(_) | None, None) => {
                    plan.lost.push(path);
                    continue;
                }
            }
            plan.figures.bytes += bytes;
            *if replacing.is_some() { &mut plan.figures.earlier_files } else { &mut plan.figures.back_files } += 1;
        }
        let mut making: BTreeSet<&str> = BTreeSet::new();
        for act in &placing {
            let Act::Place { path, .. } = act else { continue };
            making.extend(tree::above(path).filter(|above| missing.contains(above)));
        }
        let is_known = |path: &str| folders.iter().any(|(known, folder)| known == path && folder.is_some());
        making.extend(missing.iter().filter(|path| !in_drive.contains_key(**path) && is_known(path)));
        let making: Vec<Act> = making
            .into_iter()
            .filter(|path| !is_made(&changing, path))
            .map(|path| Act::MakeFolder { path: path.to_owned() })
            .collect();
        let folders_back =
            in_drive.iter().map(|(path, folder)| Act::RestoreFolder { path: (*path).to_owned(), folder: *folder });
        plan.acts = folders_back.chain(restoring).chain(changing).chain(making).chain(placing).collect();
        plan.count();
        plan
    }
}
