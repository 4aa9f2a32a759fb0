//! The desktop program without its window: the real `App` on a real data folder, against the real studio as a process.
//!
//! Only the ports of the desktop are stood in for (`stage`): keychain, dialogs, clipboard and the page. A module is a
//! noun of the app. Not here: what the page makes of it, and the system's own keychain (`desktop/`).

#[cfg(test)]
mod backups;
#[cfg(test)]
mod brand_kits;
#[cfg(test)]
mod colors;
#[cfg(test)]
mod conflicts;
#[cfg(test)]
mod connecting;
#[cfg(test)]
mod copies;
#[cfg(test)]
mod deletions;
#[cfg(test)]
mod deliveries;
#[cfg(test)]
mod designs;
#[cfg(test)]
mod downloads;
#[cfg(test)]
mod drive;
#[cfg(test)]
mod exports;
#[cfg(test)]
mod history;
#[cfg(test)]
mod keys;
mod links;
#[cfg(test)]
mod looks;
#[cfg(test)]
mod mangled;
#[cfg(test)]
mod marks;
#[cfg(test)]
mod migration;
#[cfg(test)]
mod pictures;
#[cfg(test)]
mod receiver;
#[cfg(test)]
mod secrets;
#[cfg(test)]
mod stage;
#[cfg(test)]
mod starting;
#[cfg(test)]
mod synced;
#[cfg(test)]
mod tasks;
#[cfg(test)]
mod team;
#[cfg(test)]
mod texts;
#[cfg(test)]
mod trash;
#[cfg(test)]
mod uploads;
#[cfg(test)]
mod versions;
#[cfg(test)]
mod writing;
