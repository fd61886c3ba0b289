//! Wakes when a process ends, without being its parent and without asking again and again.

use std::os::fd::OwnedFd;

use tokio::io::unix::AsyncFd;

/// A hint that a process has ended, never a proof: the number may belong to another pid namespace. Whoever is woken
/// looks at tmux, which knows.
pub(crate) enum ProcessEnd {
    /// It runs, and the descriptor becomes readable when it ends (also while nobody has reaped it).
    Awaited(AsyncFd<OwnedFd>),
    /// There is no such process.
    Past,
    /// It cannot be watched here: not on Linux, no descriptor left.
    Unknown,
}

impl ProcessEnd {
    pub fn of(pid: Option<i32>) -> Self {
        match pid.and_then(rustix::process::Pid::from_raw) {
            Some(pid) => open(pid),
            None => Self::Unknown,
        }
    }

    /// Whether [`Self::reached`] will ever return.
    pub fn is_known(&self) -> bool {
        !matches!(self, Self::Unknown)
    }

    /// Returns when the process has ended; never if that cannot be known.
    pub async fn reached(&self) {
        match self {
            Self::Awaited(descriptor) => {
                if descriptor.readable().await.is_err() {
                    std::future::pending().await
                }
            }
            Self::Past => (),
            Self::Unknown => std::future::pending().await,
        }
    }
}

#[cfg(target_os = "linux")]
fn open(pid: rustix::process::Pid) -> ProcessEnd {
    match rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty()) {
        Ok(descriptor) => register(descriptor).map_or(ProcessEnd::Unknown, ProcessEnd::Awaited),
        Err(rustix::io::Errno::SRCH) => ProcessEnd::Past,
        Err(_) => ProcessEnd::Unknown,
    }
}

#[cfg(target_os = "linux")]
#[expect(
    deprecated,
    reason = "what replaces it is unsafe for types whose descriptor can change; an OwnedFd's cannot"
)]
fn register(descriptor: OwnedFd) -> Option<AsyncFd<OwnedFd>> {
    AsyncFd::with_interest(descriptor, tokio::io::Interest::READABLE).ok()
}

#[cfg(not(target_os = "linux"))]
fn open(_: rustix::process::Pid) -> ProcessEnd {
    ProcessEnd::Unknown
}
