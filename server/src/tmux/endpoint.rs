//! Which tmux server is meant, and with which program it is reached. Pure: the facts are handed in.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The tmux server that is meant.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Endpoint {
    /// The one that tmux itself would choose: that of `TMUX`, else the socket `default` in the usual directory.
    Default,
    /// A socket by its name in the usual directory (`tmux -L`).
    Name(OsString),
    /// A socket by its path (`tmux -S`).
    Path(PathBuf),
}

impl Endpoint {
    /// The global arguments that choose this server.
    pub(crate) fn arguments(&self) -> Vec<&OsStr> {
        match self {
            Self::Default => Vec::new(),
            Self::Name(name) => vec![OsStr::new("-L"), name],
            Self::Path(path) => vec![OsStr::new("-S"), path.as_os_str()],
        }
    }

    /// Where the socket is, by tmux's own rules. A running server knows better: see [`super::Facts::socket_path`].
    pub fn socket_path(&self, environment: &Environment) -> PathBuf {
        let usual = |name: &OsStr| environment.socket_directory().join(name);
        match self {
            Self::Path(path) => path.clone(),
            Self::Name(name) => usual(name),
            Self::Default => environment.tmux_socket().unwrap_or_else(|| usual(OsStr::new("default"))),
        }
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("tmux's default socket"),
            Self::Name(name) => write!(f, "the socket named `{}`", name.display()),
            Self::Path(path) => write!(f, "the socket `{}`", path.display()),
        }
    }
}

/// The variables of this program's environment that steer tmux. What is `None` here is unset for the tmux processes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Environment {
    /// `TMUX`: set inside tmux, to `socket,server pid,session`.
    pub tmux: Option<OsString>,
    /// `TMUX_PANE`: the id of the pane that this program runs in.
    pub tmux_pane: Option<OsString>,
    /// `TMUX_TMPDIR`: where the directory of sockets is, `/tmp` if unset.
    pub tmux_tmpdir: Option<OsString>,
}

impl Environment {
    /// Where sockets are that are known by name.
    pub(crate) fn socket_directory(&self) -> PathBuf {
        let parent = self.tmux_tmpdir.as_deref().filter(|dir| !dir.is_empty()).unwrap_or(OsStr::new("/tmp"));
        Path::new(parent).join(format!("tmux-{}", rustix::process::getuid().as_raw()))
    }

    /// The socket that `TMUX` names.
    pub(crate) fn tmux_socket(&self) -> Option<PathBuf> {
        use std::os::unix::ffi::OsStrExt;
        let value = self.tmux.as_deref()?.as_bytes();
        let path = value.split(|&byte| byte == b',').next().filter(|path| !path.is_empty())?;
        Some(PathBuf::from(OsStr::from_bytes(path)))
    }
}

/// How commands reach a tmux server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Engine {
    /// Over one control connection where that changes nothing that matters, else by a process for each call.
    #[default]
    Auto,
    /// By a process for each call.
    Process,
}

/// How tmux is run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The program: a path, or a name that is looked up in `PATH`.
    pub tmux: PathBuf,
    /// The configuration of a server that a command starts (`tmux -f`); tmux's own choice without it.
    pub config: Option<PathBuf>,
    /// How long one command list may take before it is given up. A stopped server would hold it for ever.
    pub deadline: Duration,
    /// How many bytes of output one command list may print.
    pub output_limit: usize,
    /// How commands reach the server.
    pub engine: Engine,
    /// How long a connection is kept that nobody uses.
    pub idle: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            tmux: PathBuf::from("tmux"),
            config: None,
            deadline: Duration::from_secs(5),
            output_limit: 16 << 20,
            engine: Engine::default(),
            idle: Duration::from_secs(30),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sockets_are_where_tmux_puts_them() {
        let uid = rustix::process::getuid().as_raw();
        let plain = Environment::default();
        let moved = Environment { tmux_tmpdir: Some("/run/t".into()), ..Environment::default() };
        let inside = Environment { tmux: Some("/run/s,12,0".into()), ..Environment::default() };
        let path = |endpoint: Endpoint, environment| endpoint.socket_path(environment).display().to_string();
        assert_eq!(path(Endpoint::Default, &plain), format!("/tmp/tmux-{uid}/default"));
        assert_eq!(path(Endpoint::Name("x".into()), &moved), format!("/run/t/tmux-{uid}/x"));
        assert_eq!(path(Endpoint::Default, &inside), "/run/s");
        assert_eq!(path(Endpoint::Name("x".into()), &inside), format!("/tmp/tmux-{uid}/x"));
        assert_eq!(path(Endpoint::Path("/a/b".into()), &inside), "/a/b");
    }
}
