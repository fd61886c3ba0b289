//! Is nobody connected to the tmux server but those whom we know?
//!
//! tmux tells who is attached. Who waits inside it (`wait-for`) it does not tell; but Linux tells how many are connected to a
//! socket. If there are as many as there are attached clients and waits of our own, nobody else waits.
//!
//! That holds for the moment of the look. Who connects after it, and waits before what is done because of it is done, is not seen;
//! tmux tells nothing by which that could be ruled out.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use crate::tmux::command::Command;
use crate::tmux::format::Query;
use crate::tmux::server::Server;

/// Whether it is certain that nobody else waits inside tmux. Where that cannot be known, it is not.
pub(super) async fn is_alone(server: &Server) -> bool {
    let Ok(facts) = server.facts().await else { return false };
    let connected = || connected(&facts.socket_path);
    let Some(before) = connected() else { return false };
    // Of the clients that are attached none waits, and this program's own are told too.
    let query = Query::new(&["client_name"]);
    let list = Command::new("list-clients").value('F', query.template());
    let Ok(output) = server.run(&list.into()).await else { return false };
    let Ok(attached) = query.rows(&output) else { return false };
    before == attached.len() + server.waiting() && connected() == Some(before)
}

fn connected(socket: &Path) -> Option<usize> {
    // Not there on other systems than Linux. It lists the sockets of this program's network namespace: of a server in another one
    // it has none, which is fewer than there are.
    let sockets = std::fs::read("/proc/net/unix").ok()?;
    Some(connections(&sockets, socket))
}

/// How many connections to a socket a list of sockets holds: those of its server's end, which have its path. As `proc_net(5)` has
/// it: number, count of references, protocol, flags, type, state, inode, path. The state of a connected one is 3.
fn connections(sockets: &[u8], socket: &Path) -> usize {
    let is_one = |line: &&[u8]| {
        let mut fields = line.splitn(2, |&byte| byte == b'/');
        let (Some(facts), Some(path)) = (fields.next(), fields.next()) else { return false };
        let state = facts.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty()).nth(5);
        // (An `@` would stand before the path of an abstract one.)
        state == Some(b"03")
            && facts.ends_with(b" ")
            && socket.as_os_str().as_bytes().strip_prefix(b"/") == Some(path)
    };
    sockets.split(|&byte| byte == b'\n').filter(is_one).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_are_counted() {
        let sockets = b"Num       RefCount Protocol Flags    Type St Inode Path\n\
            00000000e4a1: 00000002 00000000 00010000 0001 01  4711 /tmp/a b/default\n\
            00000000e4a2: 00000003 00000000 00000000 0001 03    12 /tmp/a b/default\n\
            00000000e4a3: 00000003 00000000 00000000 0001 03 14502 /tmp/a b/default\n\
            00000000e4a4: 00000003 00000000 00000000 0001 03 14503 /tmp/a b/default2\n\
            00000000e4a5: 00000003 00000000 00000000 0001 03 14504\n\
            00000000e4a6: 00000003 00000000 00000000 0001 03 14505 @/tmp/a b/default\n";
        assert_eq!(connections(sockets, Path::new("/tmp/a b/default")), 2);
        assert_eq!(connections(sockets, Path::new("/tmp/a")), 0);
        assert_eq!(connections(b"", Path::new("/")), 0);
    }
}
