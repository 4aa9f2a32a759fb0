//! Journeys in Easel's real window: the program that is shipped, on a virtual desktop, used as a person uses it.
//!
//! Nothing is skipped: a display, a driver or a tool that is missing fails the journey and is named. Each journey
//! prints its name and result; of one that failed, a picture is left in `target/desktop/`.

mod accessibility;
mod api_keys;
mod brand_kits;
mod broken;
mod conflicts;
mod connecting;
mod contact_sheet;
mod designs;
mod drag_out;
mod drive_work;
mod dropped_files;
mod elsewhere;
mod harness;
mod history;
mod jobs;
mod keychain;
mod killed_midway;
mod memory;
mod migration;
mod outside;
mod quick_look;
mod synced;
mod tray;
mod webhooks;
mod writing;
