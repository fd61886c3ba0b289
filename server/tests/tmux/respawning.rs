//! Starting a pane's program again.

use std::path::PathBuf;

use schemux_server::tmux::{PaneId, PaneRow, Respawn, TmuxError, respawn};
use schemux_tests::TmuxWorld;

use super::{id, server};

fn with(shell: &str) -> Respawn {
    Respawn { kill: true, shell_command: Some(shell.to_owned()), ..Respawn::default() }
}

async fn run(world: &TmuxWorld, pane: &str, what: &Respawn) -> Result<PaneRow, TmuxError> {
    respawn(&server(world), id(pane), what).await
}

#[tokio::test]
async fn the_program_is_replaced_and_the_pane_kept() {
    let world = TmuxWorld::start();
    let before = server(&world).pane(PaneId(0)).await.unwrap();
    let after = run(&world, "%0", &with("exec sleep 100")).await.unwrap();
    assert_eq!((after.id, after.window_id), (before.id, before.window_id));
    assert_ne!(after.pid, before.pid);
    assert_eq!(after.current_command.as_deref(), Some("sleep"));
    assert!(after.current_path.is_some());
    // The previous command again.
    let again = run(&world, "%0", &Respawn { kill: true, ..Respawn::default() }).await.unwrap();
    assert_eq!(again.current_command.as_deref(), Some("sleep"));
    assert_ne!(again.pid, after.pid);
}

#[tokio::test]
async fn a_program_that_runs_is_not_killed_unasked() {
    let world = TmuxWorld::start();
    let kept = Respawn { kill: false, ..with("sleep 100") };
    assert_eq!(run(&world, "%0", &kept).await, Err(TmuxError::StillActive { pane: PaneId(0) }));
    let gone = run(&world, "%99", &kept).await;
    assert_eq!(gone, Err(TmuxError::NoSuchPane { pane: "%99".to_owned() }));
    let pane = world.pane("exec sleep 0.2");
    world.tmux(["set-option", "-p", "-t", &pane, "remain-on-exit", "on"]);
    world.until("it is dead", || world.tmux(["display-message", "-p", "-t", &pane, "#{pane_dead}"]) == "1");
    assert!(!run(&world, &pane, &kept).await.unwrap().dead);
}

#[tokio::test]
async fn a_command_that_ends_at_once_is_told() {
    let world = TmuxWorld::start();
    for command in ["true", "exec /no/such/program", "exit 3"] {
        let pane = world.pane("exec sleep 100");
        let ended = run(&world, &pane, &with(command)).await;
        assert_eq!(ended, Err(TmuxError::EndedAtOnce { pane: id(&pane) }), "{command}");
        let pane = world.pane("exec sleep 100");
        world.tmux(["set-option", "-p", "-t", &pane, "remain-on-exit", "on"]);
        assert!(run(&world, &pane, &with(command)).await.unwrap().dead, "{command}");
    }
    // The last pane of the server.
    for pane in world.tmux(["list-panes", "-a", "-F", "#{pane_id}"]).lines().skip(1) {
        world.tmux(["kill-pane", "-t", pane]);
    }
    assert_eq!(run(&world, "%0", &with("true")).await, Err(TmuxError::EndedAtOnce { pane: PaneId(0) }));
}

#[tokio::test]
async fn directories_are_literal() {
    let world = TmuxWorld::start();
    for name in ["plain", "a b", "#S", "x##[y", "#{pane_id}", "%H%%", "a;", "-k", "#(id)", "é'\"$HOME"] {
        let directory = world.directory().join(name);
        std::fs::create_dir(&directory).unwrap();
        let what = Respawn { start_directory: Some(directory.clone()), ..with("exec sleep 100") };
        let row = run(&world, "%0", &what).await.unwrap();
        assert_eq!(row.current_path.map(PathBuf::from), Some(directory));
    }
}

#[tokio::test]
async fn variables_are_literal() {
    let world = TmuxWorld::start();
    let variables = [("A", "x;"), ("B", "#{pane_id} #S"), ("C", ""), ("D", "a=b\n'\"$HOME é"), ("E", "-k")];
    let environment: Vec<_> = variables.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    let what = Respawn {
        environment,
        ..with("printf '%s|' \"$A\" \"$B\" \"$C\" \"$D\" \"$E\" >out; mv out done; exec sleep 100")
    };
    let what = Respawn { start_directory: Some(world.directory().to_owned()), ..what };
    run(&world, "%0", &what).await.unwrap();
    let done = world.directory().join("done");
    world.until("the program has written", || done.exists());
    let expected: String = variables.iter().map(|(_, value)| format!("{value}|")).collect();
    assert_eq!(std::fs::read_to_string(done).unwrap(), expected);

    for name in ["", "A=B"] {
        let what = Respawn { environment: vec![(name.to_owned(), "x".to_owned())], ..with("true") };
        assert_eq!(run(&world, "%0", &what).await, Err(TmuxError::BadVariable { name: name.to_owned() }));
    }
    assert!(world.has_pane("%0"));
}
