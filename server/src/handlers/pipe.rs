//! Writing what a pane prints to a file.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{Access, access};
use schemux::{PipePaneArgs, ToolError};

use super::errors::refused;
use super::target::{self, pane_target};
use crate::state::Tmux;
use crate::tmux::{self, Server};

/// How often, and how many times, it is looked whether a file that was not there has come. A shell took 2 to 6 ms here.
const LOOK: Duration = Duration::from_millis(5);
const OPENING: u32 = 200;

/// The longest path that a system opens, in bytes.
const LONGEST: usize = 4096;

/// Starts to write what a pane prints to a file, or ends that.
pub async fn pipe_pane(tmux: &Tmux, args: PipePaneArgs) -> Result<String, ToolError> {
    let server = tmux.server(args.socket_name.as_deref());
    let Some(given) = &args.output_path else {
        let id = target::pane_id(&server, pane_target!(args)).await?;
        return Ok(match tmux::stop_pipe(&server, id).await? {
            true => format!("what pane {id} prints is no longer written to a file"),
            false => format!("what pane {id} prints was not written to a file; there was nothing to stop"),
        });
    };
    if given.trim().is_empty() {
        return Err(refused("output_path is blank; give a file, or null to stop".to_owned()));
    }
    let id = target::pane_id(&server, pane_target!(args)).await?;
    let path = Path::new(given);
    let seen = seen(&server, path).await;
    let unwritable = |reason: &str| refused(format!("{given:?} cannot be written: {reason}"));
    if let Some(seen) = &seen {
        writable(seen).map_err(unwritable)?;
    }
    tmux::pipe_to(&server, id, path, args.append).await?;
    if let Some(seen) = seen
        && !comes(&seen).await
    {
        tmux::stop_pipe(&server, id).await?;
        return Err(unwritable("tmux did not make the file"));
    }
    Ok(format!("what pane {id} prints from now on is written to {given}"))
}

/// The path as this program sees it: a relative one starts where the tmux server runs. Nothing where the two may see different
/// files, or that cannot be found out.
async fn seen(server: &Server, path: &Path) -> Option<PathBuf> {
    let (pid, _) = server.identity().await.ok()?;
    let of = |process: &str, what: &str| std::fs::read_link(format!("/proc/{process}/{what}")).ok();
    let tmux = pid.to_string();
    let view = of(&tmux, "ns/mnt")?;
    (of("self", "ns/mnt")? == view).then_some(())?;
    Some(of(&tmux, "cwd")?.join(path))
}

/// Whether the file is there, or comes while the shell that opens it starts.
async fn comes(path: &Path) -> bool {
    for _ in 0..OPENING {
        if path.exists() {
            return true;
        }
        tokio::time::sleep(LOOK).await;
    }
    path.exists()
}

/// Whether a file can be written there, as far as that is known beforehand.
fn writable(path: &Path) -> Result<(), &'static str> {
    if path.as_os_str().len() > LONGEST {
        return Err("the path is too long");
    }
    if path.is_dir() {
        return Err("it is a directory");
    }
    let directory = path.parent().filter(|directory| !directory.as_os_str().is_empty());
    if directory.is_some_and(|directory| !directory.is_dir()) {
        return Err("its directory does not exist");
    }
    let place = if path.exists() { path } else { directory.unwrap_or(path) };
    access(place, Access::WRITE_OK).map_err(|_| "there is no permission to")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_beforehand() {
        let root = tempfile::tempdir().unwrap();
        let path = |name: &str| root.path().join(name);
        std::fs::write(path("file"), "").unwrap();
        assert_eq!(writable(&path("file")), Ok(()));
        assert_eq!(writable(&path("new")), Ok(()));
        assert_eq!(writable(root.path()), Err("it is a directory"));
        assert_eq!(writable(&path("no/such")), Err("its directory does not exist"));
        assert_eq!(writable(&path("file/below")), Err("its directory does not exist"));
        assert_eq!(writable(&path(&"x/".repeat(3000))), Err("the path is too long"));
    }
}
