//! Is this program running in a pane of the server that it is asked to change? Pure: facts and a `realpath` are handed in.
//!
//! There are two answers, for two purposes. [`Caller::is_pane`] is strict and says "yes" only when it is proven. [`Caller::guards`]
//! is loose and says "yes" whenever it cannot be excluded, because a wrong "no" would let a program end itself.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::endpoint::{Endpoint, Environment};
use super::id::PaneId;

/// Where this program runs, as tmux told it through `TMUX` and `TMUX_PANE`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// The socket of the server whose pane this program runs in.
    pub socket: Option<PathBuf>,
    /// That server's process.
    pub server_pid: Option<i32>,
    /// The pane. Kept as text, because anybody can set the variable to anything.
    pub pane: Option<String>,
}

impl Caller {
    /// Reads the two variables. Nothing if both are unset or empty: the program does not run in tmux.
    pub fn from_environment(environment: &Environment) -> Option<Self> {
        let text = |value: &Option<std::ffi::OsString>| {
            value.as_ref().map(|value| value.to_string_lossy().into_owned()).filter(|value| !value.is_empty())
        };
        let (tmux, pane) = (text(&environment.tmux), text(&environment.tmux_pane));
        if tmux.is_none() && pane.is_none() {
            return None;
        }
        let server_pid = tmux.as_deref().and_then(|tmux| tmux.split(',').nth(1)?.parse().ok());
        Some(Self { socket: environment.tmux_socket(), server_pid, pane })
    }

    /// Whether `pane` of the server that listens on `socket` is the one that this program runs in.
    ///
    /// `None` if this program runs in no pane. `Some(true)` only if the ids are equal and both sockets are the same file, which is
    /// looked at only then.
    pub fn is_pane(
        caller: Option<&Self>,
        pane: PaneId,
        socket: impl FnOnce() -> PathBuf,
        realpath: impl Realpath,
    ) -> Option<bool> {
        let caller = caller?;
        let own = caller.pane.as_deref()?;
        let same_server = || caller.socket.as_deref().is_some_and(|own| same_file(own, &socket(), &realpath));
        Some(own == pane.to_string() && same_server())
    }

    /// Whether this program may be running on the server at `endpoint`, whose socket is `socket`, so that killing things
    /// there needs a second look.
    ///
    /// Also true if only the name of the socket is the same: the directory may be mounted somewhere else here.
    pub fn guards(
        caller: Option<&Self>,
        endpoint: &Endpoint,
        socket: &Path,
        realpath: impl Realpath,
    ) -> bool {
        let Some(caller) = caller else { return false };
        let Some(own) = caller.socket.as_deref() else { return caller.pane.is_some() };
        let name = match endpoint {
            Endpoint::Default => Some(OsStr::new("default")),
            Endpoint::Name(name) => Some(name.as_os_str()),
            Endpoint::Path(path) => path.file_name(),
        };
        same_file(own, socket, &realpath) || (name.is_some() && own.file_name() == name)
    }

    /// Whether killing `pane` could end this program: [`Self::guards`], and the id is that of its pane.
    pub fn guards_pane(
        caller: Option<&Self>,
        pane: PaneId,
        endpoint: &Endpoint,
        socket: &Path,
        realpath: impl Realpath,
    ) -> bool {
        caller.is_some_and(|caller| caller.pane.as_deref() == Some(pane.to_string().as_str()))
            && Self::guards(caller, endpoint, socket, realpath)
    }
}

/// Resolves symbolic links. Nothing for a path that does not exist. In programs: `|path| path.canonicalize().ok()`.
pub trait Realpath: Fn(&Path) -> Option<PathBuf> {}
impl<F: Fn(&Path) -> Option<PathBuf>> Realpath for F {}

fn same_file(a: &Path, b: &Path, realpath: impl Realpath) -> bool {
    let resolved = |path: &Path| realpath(path).unwrap_or_else(|| path.to_owned());
    resolved(a) == resolved(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caller(tmux: &str, pane: &str) -> Option<Caller> {
        Caller::from_environment(&Environment {
            tmux: Some(tmux.into()),
            tmux_pane: Some(pane.into()),
            tmux_tmpdir: None,
        })
    }

    /// `/link` leads to `/run/tmux`.
    fn realpath(path: &Path) -> Option<PathBuf> {
        Some(Path::new("/run/tmux").join(path.strip_prefix("/link").ok()?))
    }

    #[test]
    fn the_variables_are_read() {
        assert_eq!(caller("", ""), None);
        assert_eq!(Caller::from_environment(&Environment::default()), None);
        let read = caller("/run/tmux/s,12,3", "%4").unwrap();
        assert_eq!(
            (read.socket, read.server_pid, read.pane),
            (Some("/run/tmux/s".into()), Some(12), Some("%4".into()))
        );
        let odd = caller("/run/tmux/s,x", "").unwrap();
        assert_eq!((odd.socket, odd.server_pid, odd.pane), (Some("/run/tmux/s".into()), None, None));
    }

    #[test]
    fn the_strict_answer_needs_proof() {
        let is = |caller: Option<Caller>, socket: &str| {
            Caller::is_pane(caller.as_ref(), PaneId(4), || socket.into(), realpath)
        };
        assert_eq!(is(None, "/run/tmux/s"), None);
        assert_eq!(is(caller("/run/tmux/s,1,0", ""), "/run/tmux/s"), None);
        assert_eq!(is(caller("/run/tmux/s,1,0", "%4"), "/link/s"), Some(true));
        assert_eq!(is(caller("/run/tmux/s,1,0", "%4"), "/other/s"), Some(false));
        assert_eq!(is(caller("/run/tmux/s,1,0", "%5"), "/run/tmux/s"), Some(false));
        assert_eq!(is(caller("", "%4"), "/run/tmux/s"), Some(false));
    }

    #[test]
    fn the_loose_answer_needs_disproof() {
        let guards = |caller: Option<Caller>, endpoint: Endpoint, socket: &str| {
            Caller::guards(caller.as_ref(), &endpoint, Path::new(socket), realpath)
        };
        let inside = || caller("/run/tmux/s,1,0", "%4");
        assert!(!guards(None, Endpoint::Default, "/run/tmux/s"));
        assert!(guards(caller("", "%4"), Endpoint::Name("any".into()), "/run/tmux/any"));
        assert!(guards(inside(), Endpoint::Path("/link/s".into()), "/link/s"));
        assert!(guards(inside(), Endpoint::Name("s".into()), "/elsewhere/s"));
        assert!(!guards(inside(), Endpoint::Name("t".into()), "/run/tmux/t"));
        assert!(guards(caller("/x/default,1,0", "%4"), Endpoint::Default, "/y/default"));
        let pane = |id| {
            Caller::guards_pane(
                inside().as_ref(),
                PaneId(id),
                &Endpoint::Default,
                Path::new("/run/tmux/s"),
                realpath,
            )
        };
        assert!(pane(4));
        assert!(!pane(5));
    }
}
