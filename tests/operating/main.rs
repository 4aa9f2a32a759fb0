//! What whoever operates the service relies on: backups, what verify finds, who may what, and the document that tells of it.
//!
//! Asked of the real program, over HTTP and by its command line. What is short here is long in `cargo xtask soak`.

#[cfg(test)]
mod backups;
#[cfg(test)]
mod backups_of_servers;
#[cfg(test)]
mod bucket_faults;
#[cfg(test)]
mod buckets;
#[cfg(test)]
mod certificates;
#[cfg(test)]
mod direct_downloads;
#[cfg(test)]
mod document;
#[cfg(test)]
mod kills;
#[cfg(test)]
mod leases;
#[cfg(test)]
mod load;
#[cfg(test)]
mod moves;
#[cfg(test)]
mod people;
#[cfg(test)]
mod postgres;
#[cfg(test)]
mod quotas;
#[cfg(test)]
mod readiness;
#[cfg(test)]
mod several;
#[cfg(test)]
mod several_contents;
#[cfg(test)]
mod several_kills;
#[cfg(test)]
mod several_stops;
#[cfg(test)]
mod several_together;
#[cfg(test)]
mod verify;
#[cfg(test)]
mod whole;
