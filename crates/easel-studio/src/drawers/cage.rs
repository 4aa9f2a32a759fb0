//! The cage of a process that draws: from now on it may compute, and speak to the process that started it. Nothing
//! else.
//!
//! Always true on every Unix: no file, no socket and no other descriptor can be opened beyond the three that it was
//! started with; memory and processor time end at a limit, at which the system ends the process. On Linux besides:
//! seccomp allows only the system calls that computing takes, new threads but no new programs, no memory that becomes
//! code; and where the kernel has Landlock, it forbids files and the network once more. On other systems only the time
//! limit of the starting process holds. The cage is closed before the first byte of an order is read.

/// Memory that a process that draws may write to, in bytes: a page at four times its size, or the largest photograph
/// that is opened, with what is made of it.
#[cfg(unix)]
const MEMORY_BYTES: u64 = 1 << 30;

/// Addresses beyond those in use at the start: more than memory, because threads keep addresses that they do not use.
#[cfg(target_os = "linux")]
const ADDRESS_BYTES: u64 = 3 << 30;

/// The number of descriptors: standard input, output and error.
#[cfg(unix)]
const DESCRIPTORS: u64 = 3;

/// Processor time beyond its limit, in seconds, for a process that does not end when it is told to.
#[cfg(unix)]
const SECONDS_BEYOND: u64 = 2;

/// So much the process gives way to the service.
#[cfg(unix)]
const NICENESS: i32 = 5;

/// Closes the cage around this process, for good.
///
/// # Errors
/// Where the system has a limit and it cannot be set.
#[cfg(unix)]
pub fn close() -> std::io::Result<()> {
    use rustix::process::{Resource, nice};
    // Where memory runs out, this process goes first.
    #[cfg(target_os = "linux")]
    let _ = std::fs::write("/proc/self/oom_score_adj", "1000");
    let _ = nice(NICENESS);
    #[cfg(target_os = "linux")]
    {
        if let Some(used) = address_bytes() {
            limit(Resource::As, used.saturating_add(ADDRESS_BYTES))?;
        }
        land();
    }
    limit(Resource::Data, MEMORY_BYTES)?;
    limit(Resource::Core, 0)?;
    limit(Resource::Fsize, 0)?;
    limit(Resource::Nofile, DESCRIPTORS)?;
    #[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
    calls::allow_few();
    Ok(())
}

/// Closes what whoever started the service left open in it beyond the three: before anything here has opened something.
#[cfg(unix)]
pub fn close_inherited() {
    let listed = std::fs::read_dir(if cfg!(target_os = "linux") { "/proc/self/fd" } else { "/dev/fd" });
    let numbers =
        listed.into_iter().flatten().filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<i32>().ok());
    // All numbers first, because the open list has a descriptor itself.
    for number in numbers.collect::<Vec<_>>() {
        if number > 2 {
            let _ = nix::unistd::close(number);
        }
    }
}

#[cfg(not(unix))]
pub const fn close_inherited() {}

#[cfg(not(unix))]
pub fn close() -> std::io::Result<()> {
    Ok(())
}

/// Ends this process once it has computed for so many seconds, on all processors together: first by a signal for this,
/// which the starting process can tell from other ends, and soon after by one that cannot be caught.
///
/// # Errors
/// Where the system does not take the limit.
#[cfg(unix)]
pub fn allow_seconds(seconds: u64) -> std::io::Result<()> {
    limit_softly(rustix::process::Resource::Cpu, seconds, SECONDS_BEYOND)
}

#[cfg(not(unix))]
pub fn allow_seconds(_: u64) -> std::io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn limit(resource: rustix::process::Resource, most: u64) -> std::io::Result<()> {
    limit_softly(resource, most, 0)
}

/// Sets a limit at which the system warns, and one `beyond` it at which it ends the process.
#[cfg(unix)]
fn limit_softly(resource: rustix::process::Resource, most: u64, beyond: u64) -> std::io::Result<()> {
    use rustix::process::{Rlimit, getrlimit, setrlimit};
    let hard = most.saturating_add(beyond);
    let hard = getrlimit(resource).maximum.map_or(hard, |allowed| allowed.min(hard));
    Ok(setrlimit(resource, Rlimit { current: Some(most.min(hard)), maximum: Some(hard) })?)
}

/// Addresses in use now.
#[cfg(target_os = "linux")]
fn address_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmSize:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kilobytes| kilobytes.saturating_mul(1024))
}

/// No files and no network, as far as this kernel can say so.
#[cfg(target_os = "linux")]
fn land() {
    use landlock::{ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, Scope};
    let rules = Ruleset::default()
        .handle_access(AccessFs::from_all(ABI::V5))
        .and_then(|rules| rules.handle_access(AccessNet::from_all(ABI::V5)))
        .and_then(|rules| rules.scope(Scope::from_all(ABI::V6)))
        .and_then(|rules| rules.create());
    // An older kernel has less of it or none; the other limits hold there.
    let _ = rules.and_then(|rules| rules.restrict_self());
}

/// What the kernel may still be asked for.
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod calls {
    use std::collections::BTreeMap;

    use seccompiler::{
        BpfProgram, SeccompAction, SeccompCmpArgLen as Length, SeccompCmpOp as Is, SeccompCondition as Condition,
        SeccompFilter, SeccompRule, TargetArch, apply_filter,
    };

    /// What computing takes: memory, threads, time, chance, and the descriptors that are there.
    const ALLOWED: &[i64] = &[
        libc::SYS_read,
        libc::SYS_readv,
        libc::SYS_write,
        libc::SYS_writev,
        libc::SYS_close,
        libc::SYS_fcntl,
        libc::SYS_brk,
        libc::SYS_munmap,
        libc::SYS_mremap,
        libc::SYS_madvise,
        libc::SYS_membarrier,
        libc::SYS_futex,
        libc::SYS_clone3,
        libc::SYS_set_robust_list,
        libc::SYS_rseq,
        libc::SYS_sched_getaffinity,
        libc::SYS_sched_yield,
        libc::SYS_getcpu,
        libc::SYS_exit,
        libc::SYS_exit_group,
        libc::SYS_rt_sigaction,
        libc::SYS_rt_sigprocmask,
        libc::SYS_rt_sigreturn,
        libc::SYS_sigaltstack,
        libc::SYS_restart_syscall,
        libc::SYS_getpid,
        libc::SYS_gettid,
        libc::SYS_clock_gettime,
        libc::SYS_clock_getres,
        libc::SYS_clock_nanosleep,
        libc::SYS_nanosleep,
        libc::SYS_gettimeofday,
        libc::SYS_getrandom,
        libc::SYS_sysinfo,
        libc::SYS_prlimit64,
    ];

    /// Names a mapping, which the allocator does.
    const NAME_A_MAPPING: u64 = 0x5356_4d41;

    /// Refuses everything else that a program may ask the kernel for. A kernel without this has the other limits.
    pub fn allow_few() {
        if let Some((few, no_clone3)) = filters() {
            // The first of them leaves the way open for the second.
            let _ = apply_filter(&no_clone3).and_then(|()| apply_filter(&few));
        }
    }

    fn filters() -> Option<(BpfProgram, BpfProgram)> {
        let arch: TargetArch = std::env::consts::ARCH.try_into().ok()?;
        let refuse = |error: i32| SeccompAction::Errno(error.unsigned_abs());
        let mut rules: BTreeMap<i64, Vec<SeccompRule>> = ALLOWED.iter().map(|call| (*call, Vec::new())).collect();
        let rule =
            |argument, is, value| SeccompRule::new(vec![Condition::new(argument, Length::Qword, is, value).ok()?]).ok();
        // Memory never becomes code.
        let code = libc::PROT_EXEC.unsigned_abs().into();
        rules.insert(libc::SYS_mmap, vec![rule(2, Is::MaskedEq(code), 0)?]);
        rules.insert(libc::SYS_mprotect, vec![rule(2, Is::MaskedEq(code), 0)?]);
        // Threads of this program, and signals to itself, by which it ends where it cannot go on.
        let thread = libc::CLONE_THREAD.unsigned_abs().into();
        rules.insert(libc::SYS_clone, vec![rule(0, Is::MaskedEq(thread), thread)?]);
        rules.insert(libc::SYS_tgkill, vec![rule(0, Is::Eq, std::process::id().into())?]);
        let names = [libc::PR_SET_NAME.unsigned_abs().into(), NAME_A_MAPPING];
        rules.insert(libc::SYS_prctl, names.into_iter().map(|name| rule(0, Is::Eq, name)).collect::<Option<_>>()?);
        let few = SeccompFilter::new(rules, refuse(libc::EPERM), SeccompAction::Allow, arch).ok()?;
        // The flags of a new thread cannot be seen in `clone3`; where `clone3` is said to be missing, `clone` is asked
        // instead.
        let clone3 = BTreeMap::from([(libc::SYS_clone3, Vec::new())]);
        let no_clone3 = SeccompFilter::new(clone3, SeccompAction::Allow, refuse(libc::ENOSYS), arch).ok()?;
        Some((few.try_into().ok()?, no_clone3.try_into().ok()?))
    }
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use std::io::ErrorKind;
    use std::net::{TcpListener, TcpStream, UdpSocket};
    use std::process::Command;

    use crate::drawers::{Deadly, RenderError};

    /// Set in a process that computes without end.
    const SPINS: &str = "EASEL_TEST_SPINS";

    #[test]
    fn a_process_that_computes_too_long_ends_by_the_signal_that_says_so() {
        use std::os::unix::process::ExitStatusExt;
        if std::env::var_os(SPINS).is_some() {
            super::close().unwrap();
            super::allow_seconds(1).unwrap();
            loop {
                std::hint::spin_loop();
            }
        }
        let name = "drawers::cage::tests::a_process_that_computes_too_long_ends_by_the_signal_that_says_so";
        let mut again = Command::new(std::env::current_exe().unwrap());
        let status = again.args([name, "--exact"]).env(SPINS, "1").status().unwrap();
        assert_eq!(status.signal(), Some(rustix::process::Signal::XCPU.as_raw()), "{status:?}");
        let undone = super::super::tell_end(Some(status), "");
        assert!(matches!(undone, RenderError::Deadly(Deadly::Time)), "{undone:?}");
    }

    /// Runs in a process of its own (nextest), because a closed cage stays closed.
    #[test]
    fn a_process_that_draws_computes_and_reaches_nothing() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let open = std::fs::File::open(file.path()).unwrap();
        super::close().unwrap();
        super::allow_seconds(20).unwrap();
        let threads: Vec<_> = (0..4).map(|at| std::thread::spawn(move || vec![at; 1 << 20].len())).collect();
        assert_eq!(threads.into_iter().map(|thread| thread.join().unwrap()).sum::<usize>(), 4 << 20);
        // Also where there is a descriptor free, as the one that is given back here.
        drop(open);
        for path in ["/etc/hostname", "/proc/self/environ", file.path().to_str().unwrap()] {
            assert!(std::fs::read(path).is_err(), "{path}");
        }
        assert!(std::fs::write(file.path(), "x").is_err() && std::fs::read_dir("/").is_err());
        assert!(std::fs::remove_file(file.path()).is_err());
        let denied = |error: std::io::Error| error.kind() == ErrorKind::PermissionDenied;
        assert!(TcpStream::connect("127.0.0.1:9").is_err_and(denied));
        assert!(TcpListener::bind("127.0.0.1:0").is_err_and(denied));
        assert!(UdpSocket::bind("127.0.0.1:0").is_err_and(denied));
        assert!(Command::new("/bin/true").status().is_err());
        let mut much: Vec<u8> = Vec::new();
        assert!(much.try_reserve_exact(2 << 30).is_err(), "more memory than the limit");
        assert!(much.try_reserve_exact(100 << 20).is_ok());
        // The cage cannot be got out of by raising a limit again.
        use rustix::process::{Resource, Rlimit, setrlimit};
        assert!(setrlimit(Resource::Nofile, Rlimit { current: Some(99), maximum: Some(99) }).is_err());
    }
}
