//! Files on their way into the drive: the real queue on a real journal, against the real studio as a process.
//!
//! A module is something that happens on the way. What the drive holds in the end is asked of the service with a plain
//! HTTP client and compared with the files on disk. The window is left out here; it has journeys of its own.

#[cfg(test)]
mod broken_ways;
#[cfg(test)]
mod changing_files;
#[cfg(test)]
mod crashes;
#[cfg(test)]
mod full_disks;
#[cfg(test)]
mod keys;
#[cfg(test)]
mod main_job;
#[cfg(test)]
mod memory;
#[cfg(test)]
mod probe;
#[cfg(test)]
mod sending;
#[cfg(test)]
mod strange_files;
