//! What tmux writes to a control client, as values. Pure and total: any bytes, in any pieces, give events and never a panic.
//!
//! A control client gets lines. A command's output stands between `%begin` and `%end` or `%error`, which repeat the same
//! time, number and flags; everything else is a notification, or (what `run-shell` and `wait-for -v` print) a bare line.
//!
//! That alone is not safe to read. A pane can show the line `%end 1796065649 272 1`, a `capture-pane` prints it as it is, and the
//! numbers of the real guard can be guessed. So whoever sends a command sends a second line after it, in the same
//! write: a *mark*, one word that nobody knew before and that is no command. tmux answers it with a block of its own,
//! `parse error: unknown command: MARK`, and the last guard before that block ends the output. A mark that fails to parse costs
//! nothing (3.3a to 3.8): no hook runs for it and tmux's message log does not show it, unlike a `display-message`.
//!
//! Blocks with flags 0 were not asked for by this client: they are what hooks print, and the answer to attaching itself.

mod line;
mod parser;
mod transcript;

pub use line::{Guard, Notification};
pub use parser::{Event, Parser};
pub use transcript::Reply;

/// For the fuzzer: reads any bytes, in pieces as the first bytes say. Must not panic.
#[doc(hidden)]
pub fn fuzz(input: &[u8]) {
    let (seed, rest) = input.split_at(input.len().min(2));
    let step = usize::from(seed.first().copied().unwrap_or(0)) + 1;
    let mut parser = Parser::new(1 << 16);
    if seed.get(1).is_some_and(|byte| byte % 2 == 1) {
        parser.expect("zmark".to_owned());
    }
    for piece in rest.chunks(step) {
        parser.feed(piece, &mut |_| ());
    }
}

#[cfg(test)]
mod tests;
