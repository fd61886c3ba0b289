//! What this program is told by its flags and its environment. The only file that reads the environment.
#![allow(clippy::disallowed_methods, reason = "this is that file")]

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use tracing::level_filters::LevelFilter;

use crate::hints::Hints;
use crate::secrets::Shown;
use crate::surface::Surface;
use crate::tmux::{Endpoint, Engine, Environment, Options};
use crate::view::Schemas;

/// The flags that all subcommands share. A flag wins over its variable.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "tmux")]
pub struct Flags {
    /// Use the tmux server on this socket by default (as `tmux -L`).
    #[arg(
        short = 'L',
        long,
        global = true,
        value_name = "NAME",
        env = "LIBTMUX_SOCKET",
        hide_env_values = true
    )]
    socket: Option<OsString>,
    /// Use the tmux server on this socket by default (as `tmux -S`). Wins over a name.
    #[arg(
        short = 'S',
        long,
        global = true,
        value_name = "PATH",
        env = "LIBTMUX_SOCKET_PATH",
        hide_env_values = true
    )]
    socket_path: Option<PathBuf>,
    /// The tmux program.
    #[arg(
        long,
        global = true,
        value_name = "PROGRAM",
        default_value = "tmux",
        env = "LIBTMUX_TMUX_BIN",
        hide_env_values = true
    )]
    tmux: PathBuf,
    /// The configuration for a tmux server that a tool starts (as `tmux -f`).
    #[arg(long, global = true, value_name = "FILE", env = "LIBTMUX_TMUX_CONFIG", hide_env_values = true)]
    tmux_config: Option<PathBuf>,
    /// How tmux is reached: over one connection where that changes nothing that matters, or by a process for each command.
    #[arg(
        long,
        global = true,
        value_name = "WAY",
        default_value = "auto",
        env = "SCHEMUX_ENGINE",
        hide_env_values = true
    )]
    engine: Way,
    /// Sets of tools to offer, with commas between: inspect, manage, execute, teardown. Empty for none.
    #[arg(
        long,
        global = true,
        value_name = "SETS",
        env = "LIBTMUX_TOOLSETS",
        hide_env_values = true,
        help_heading = "Tools"
    )]
    toolsets: Option<String>,
    /// Tools to offer besides, by name.
    #[arg(
        long,
        global = true,
        value_name = "TOOLS",
        env = "LIBTMUX_TOOLS",
        hide_env_values = true,
        help_heading = "Tools"
    )]
    tools: Option<String>,
    /// Tools not to offer, by name. Beats everything else.
    #[arg(
        long,
        global = true,
        value_name = "TOOLS",
        env = "LIBTMUX_EXCLUDE_TOOLS",
        hide_env_values = true,
        help_heading = "Tools"
    )]
    exclude_tools: Option<String>,
    /// How schemas are shown: word for word as the contract has them, or in what every model's function calling takes.
    #[arg(
        long,
        global = true,
        value_name = "VIEW",
        default_value = "exact",
        env = "SCHEMUX_SCHEMAS",
        hide_env_values = true,
        help_heading = "Tools"
    )]
    schemas: View,
    /// Which hints tools give: as the contract has them, or as each tool really is (read-only, destructive, ...).
    #[arg(
        long,
        global = true,
        value_name = "HINTS",
        default_value = "documented",
        env = "SCHEMUX_ANNOTATIONS",
        hide_env_values = true,
        help_heading = "Tools"
    )]
    annotations: Marks,
    /// The longest that a waiting tool may wait, in seconds: 1 to 120.
    #[arg(
        long,
        global = true,
        value_name = "SECONDS",
        env = "LIBTMUX_MCP_WAIT_MAX_SECONDS",
        hide_env_values = true,
        help_heading = "Tools"
    )]
    wait_max_seconds: Option<String>,
    /// Whether run_command keeps what it types out of the shell's history by default: 1 or 0.
    #[arg(
        long,
        global = true,
        value_name = "0|1",
        env = "LIBTMUX_SUPPRESS_HISTORY",
        hide_env_values = true,
        help_heading = "Tools"
    )]
    suppress_history: Option<String>,
    /// Variables of tmux's environment that are shown although their names or values look secret, with commas between; `*` for
    /// all.
    #[arg(
        long,
        global = true,
        value_name = "NAMES",
        env = "SCHEMUX_SHOW_ENVIRONMENT",
        hide_env_values = true,
        help_heading = "Tools"
    )]
    show_secrets: Option<String>,
    /// What to write to standard error: off, error, warn, info (one line per call), debug, trace.
    #[arg(
        long,
        global = true,
        value_name = "LEVEL",
        default_value = "warn",
        env = "SCHEMUX_LOG",
        hide_env_values = true,
        help_heading = "Output"
    )]
    log: LevelFilter,
}

/// [`Engine`], as it is written on the command line.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Way {
    Auto,
    Process,
}

impl From<Way> for Engine {
    fn from(way: Way) -> Self {
        match way {
            Way::Auto => Engine::Auto,
            Way::Process => Engine::Process,
        }
    }
}

/// [`Schemas`], as it is written on the command line.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum View {
    Exact,
    Portable,
}

impl From<View> for Schemas {
    fn from(view: View) -> Self {
        match view {
            View::Exact => Schemas::Exact,
            View::Portable => Schemas::Portable,
        }
    }
}

/// [`Hints`], as it is written on the command line.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Marks {
    Documented,
    Precise,
}

impl From<Marks> for Hints {
    fn from(marks: Marks) -> Self {
        match marks {
            Marks::Documented => Hints::Documented,
            Marks::Precise => Hints::Precise,
        }
    }
}

/// All settings, checked.
#[derive(Debug, Clone)]
pub struct Config {
    /// The tmux server for calls that name none.
    pub endpoint: Endpoint,
    /// How tmux is run.
    pub options: Options,
    /// The variables that steer tmux.
    pub environment: Environment,
    /// Which tools are offered.
    pub surface: Surface,
    /// How their schemas are shown.
    pub schemas: Schemas,
    /// Which hints they give.
    pub annotations: Hints,
    /// The longest that a waiting tool may wait.
    pub wait_max: Duration,
    /// Whether `run_command` keeps what it types out of the shell's history where a call does not say.
    pub suppress_history: bool,
    /// The variables of tmux's environment that are shown although they look secret.
    pub shown: Shown,
    /// What is written to standard error.
    pub log: LevelFilter,
    /// The user's home, for `~`.
    pub home: Option<PathBuf>,
    /// This program's directory, for relative paths.
    pub directory: PathBuf,
}

/// A setting that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadSetting(pub String);

const WAIT_MAX: (f64, f64, f64) = (1.0, 30.0, 120.0);

impl Flags {
    /// Checks the flags and reads the rest of the environment.
    ///
    /// # Errors
    ///
    /// A tool or a set of tools that there is not; a choice that is none; the retired `LIBTMUX_SAFETY`, whatever it says: to pass over a setting
    /// that was meant to keep tools away would offer them.
    pub fn config(self) -> Result<Config, BadSetting> {
        if env::var_os("LIBTMUX_SAFETY").is_some() {
            return Err(BadSetting(
                "LIBTMUX_SAFETY is retired; unset it and set LIBTMUX_TOOLSETS instead: \
                 `inspect` for readonly, `inspect,manage,execute` for mutating, \
                 `inspect,manage,execute,teardown` for destructive"
                    .to_owned(),
            ));
        }
        let surface =
            Surface::new(self.toolsets.as_deref(), self.tools.as_deref(), self.exclude_tools.as_deref())
                .map_err(BadSetting)?;
        let endpoint = match (self.socket_path, self.socket) {
            (Some(path), _) if !path.as_os_str().is_empty() => Endpoint::Path(path),
            (_, Some(name)) if !name.is_empty() => Endpoint::Name(name),
            _ => Endpoint::Default,
        };
        Ok(Config {
            endpoint,
            options: Options {
                tmux: self.tmux,
                config: self.tmux_config,
                engine: self.engine.into(),
                ..Options::default()
            },
            environment: Environment {
                tmux: env::var_os("TMUX").filter(|value| !value.is_empty()),
                tmux_pane: env::var_os("TMUX_PANE").filter(|value| !value.is_empty()),
                tmux_tmpdir: env::var_os("TMUX_TMPDIR"),
            },
            surface,
            schemas: self.schemas.into(),
            annotations: self.annotations.into(),
            wait_max: wait_max(self.wait_max_seconds.as_deref()),
            suppress_history: suppress_history(self.suppress_history.as_deref())?,
            shown: self.show_secrets.as_deref().map(Shown::new).unwrap_or_default(),
            log: self.log,
            home: env::home_dir(),
            directory: env::current_dir().unwrap_or_else(|_| PathBuf::from("/")),
        })
    }
}

/// What leaves no trace is what happens if nothing is said, and a word that means neither must not decide it.
fn suppress_history(setting: Option<&str>) -> Result<bool, BadSetting> {
    match setting {
        None | Some("1") => Ok(true),
        Some("0") => Ok(false),
        Some(_) => Err(BadSetting("LIBTMUX_SUPPRESS_HISTORY must be 1 or 0".to_owned())),
    }
}

/// The ceiling for waits. What is no number is passed over with a warning, as by the server whose variable this is.
fn wait_max(setting: Option<&str>) -> Duration {
    let (least, usual, most) = WAIT_MAX;
    let seconds = match setting.map(|text| text.trim().parse::<f64>()) {
        None => usual,
        Some(Ok(seconds)) if seconds.is_finite() => seconds.clamp(least, most),
        Some(_) => {
            eprintln!("schemux: LIBTMUX_MCP_WAIT_MAX_SECONDS is no number of seconds; {usual} is used");
            usual
        }
    };
    Duration::from_secs_f64(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn history_is_kept_out_or_not() {
        for (setting, suppressed) in [(None, Some(true)), (Some("1"), Some(true)), (Some("0"), Some(false))] {
            assert_eq!(suppress_history(setting).ok(), suppressed, "{setting:?}");
        }
        for setting in ["", "yes", "2", " 1"] {
            assert!(suppress_history(Some(setting)).is_err(), "{setting}");
        }
    }

    #[test]
    fn the_ceiling_is_clamped() {
        for (setting, seconds) in [
            (None, 30.0),
            (Some("5"), 5.0),
            (Some("0"), 1.0),
            (Some("1e9"), 120.0),
            (Some("nan"), 30.0),
            (Some("x"), 30.0),
        ] {
            assert_eq!(wait_max(setting), Duration::from_secs_f64(seconds), "{setting:?}");
        }
    }
}
