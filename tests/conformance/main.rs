//! Every rule of the specification and of the contract, asked over HTTP of the real studio by a plain HTTP client.
//!
//! A module is a section, a test is a rule. Written from the specification alone: a test that needs to know how the
//! studio does something is in the studio's own crate. Each test has a studio of its own, so that no rule is kept only
//! because of what another test left behind.

#[cfg(test)]
mod authentication;
#[cfg(test)]
mod bombs;
#[cfg(test)]
mod brand_kits;
#[cfg(test)]
mod canvas_colors;
mod canvas_pictures;
#[cfg(test)]
mod canvas_texts;
#[cfg(test)]
mod canvas_versions;
#[cfg(test)]
mod canvases;
#[cfg(test)]
mod damage;
#[cfg(test)]
mod direct_ceiling;
#[cfg(test)]
mod drawers;
#[cfg(test)]
mod drive_changes;
#[cfg(test)]
mod drive_files;
#[cfg(test)]
mod drive_folders;
#[cfg(test)]
mod drive_lists;
#[cfg(test)]
mod endpoints;
#[cfg(test)]
mod errors;
#[cfg(test)]
mod exhaustion;
#[cfg(test)]
mod exports;
#[cfg(test)]
mod full_disk;
#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod hardening;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod identifiers;
#[cfg(test)]
mod keys;
#[cfg(test)]
mod limits;
#[cfg(test)]
mod names;
#[cfg(test)]
mod narrowing;
#[cfg(test)]
mod operators;
#[cfg(test)]
mod organizations;
#[cfg(test)]
mod process;
#[cfg(test)]
mod records;
#[cfg(test)]
mod registry;
#[cfg(test)]
mod remix;
#[cfg(test)]
mod request_rate;
#[cfg(test)]
mod requests;
#[cfg(test)]
mod schemathesis;
#[cfg(test)]
mod service;
#[cfg(test)]
mod signed_uploads;
#[cfg(test)]
mod starting_over;
#[cfg(test)]
mod task_attachments;
#[cfg(test)]
mod task_previews;
#[cfg(test)]
mod tasks;
#[cfg(test)]
mod team;
#[cfg(test)]
mod trash;
#[cfg(test)]
mod uploads;
#[cfg(test)]
mod versioning;
#[cfg(test)]
mod versions;
#[cfg(test)]
mod visibility;
#[cfg(test)]
mod webhooks;
