//! The environment that tmux gives to new programs, global or of a session.
//!
//! `show-environment -s` prints it for a shell, with a backslash before each quote, dollar and backslash of a value. So a value
//! ends at the first quote without one, whatever it holds: lines that look like another variable stay part of it. (Tried on 3.3a, 3.5a,
//! 3.7c and 3.8; 3.5a writes control characters as `\033` besides, which is undone as well.)

use super::command::Command;
use super::error::TmuxError;
use super::format::unquote;
use super::id::SessionId;
use super::server::Server;

/// A variable: its value, or that new programs do not get it. Lossy where it is no UTF-8.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Variable {
    /// It has this value.
    Set(String),
    /// It is taken out of the environment of new programs.
    Removed,
}

impl Server {
    /// The variables of a session's environment, or of the global one. Those that tmux hides are left out.
    ///
    /// # Errors
    ///
    /// [`TmuxError::NoSuchSession`].
    pub async fn variables(&self, session: Option<SessionId>) -> Result<Vec<(String, Variable)>, TmuxError> {
        let show = of(Command::new("show-environment").flag('s'), session);
        let output = self.run(&show.into()).await.map_err(|error| missing(error, session))?;
        Ok(read(&output))
    }

    /// Sets a variable for new programs, to exactly this value.
    ///
    /// # Errors
    ///
    /// [`TmuxError::BadVariable`], [`TmuxError::NoSuchSession`], [`TmuxError::Nul`].
    pub async fn set_variable(
        &self,
        session: Option<SessionId>,
        name: &str,
        value: &str,
    ) -> Result<(), TmuxError> {
        if name.is_empty() || name.contains(|c: char| c == '=' || c.is_control()) {
            return Err(TmuxError::BadVariable { name: name.to_owned() });
        }
        let set = of(Command::new("set-environment"), session).operand(name).operand(value);
        self.run(&set.into()).await.map_err(|error| missing(error, session))?;
        Ok(())
    }
}

fn of(command: Command, session: Option<SessionId>) -> Command {
    match session {
        Some(session) => command.target(session),
        None => command.flag('g'),
    }
}

fn missing(error: TmuxError, session: Option<SessionId>) -> TmuxError {
    match (&error, session) {
        (TmuxError::Refused { stderr, .. }, Some(session))
            if stderr.starts_with("no such session") || stderr.starts_with("can't find session") =>
        {
            TmuxError::NoSuchSession { session: session.to_string() }
        }
        _ => error,
    }
}

/// Reads what `show-environment -s` prints: `NAME="value"; export NAME;` or `unset NAME;`. A line that is neither is passed over.
fn read(mut output: &[u8]) -> Vec<(String, Variable)> {
    let mut variables = Vec::new();
    while !output.is_empty() {
        match set(output).or_else(|| removed(output)) {
            Some((name, variable, rest)) => {
                variables.push((name, variable));
                output = rest;
            }
            None => {
                let end = output.iter().position(|&byte| byte == b'\n').map_or(output.len(), |at| at + 1);
                output = &output[end..];
            }
        }
    }
    variables
}

type Entry<'a> = Option<(String, Variable, &'a [u8])>;

fn set(text: &[u8]) -> Entry<'_> {
    // A name holds no `=`, and what is printed between two entries ends with its line.
    let at = text.iter().position(|&byte| byte == b'=')?;
    let (name, rest) = (&text[..at], text[at + 1..].strip_prefix(b"\"")?);
    if name.contains(&b'\n') {
        return None;
    }
    let end = quote(rest)?;
    let after = rest[end + 1..].strip_prefix(b"; export ")?.strip_prefix(name)?.strip_prefix(b";\n")?;
    Some((text_of(name), Variable::Set(text_of(&rest[..end])), after))
}

fn removed(text: &[u8]) -> Entry<'_> {
    let rest = text.strip_prefix(b"unset ")?;
    let end = rest.iter().position(|&byte| byte == b'\n')?;
    Some((text_of(rest[..end].strip_suffix(b";")?), Variable::Removed, &rest[end + 1..]))
}

/// Where the first quote is that has no backslash before it.
fn quote(text: &[u8]) -> Option<usize> {
    let mut escaped = false;
    text.iter().position(|&byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    })
}

fn text_of(printed: &[u8]) -> String {
    String::from_utf8_lossy(&unquote(printed)).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What tmux prints for a variable.
    fn printed(name: &str, value: &str) -> String {
        let mut escaped = String::new();
        for c in value.chars() {
            if "\"\\$`".contains(c) {
                escaped.push('\\');
            }
            escaped.push(c);
        }
        format!("{name}=\"{escaped}\"; export {name};\n")
    }

    fn set(value: &str) -> Variable {
        Variable::Set(value.to_owned())
    }

    #[test]
    fn values_hold_anything() {
        let odd = "a\nB=\"x\"; export B;\nC=1 \\\" $HOME `id` \\";
        let output = format!("said by a hook\n{}unset DISPLAY;\n{}", printed("A", odd), printed("E", ""));
        let expected = [("A", set(odd)), ("DISPLAY", Variable::Removed), ("E", set(""))];
        assert_eq!(read(output.as_bytes()), expected.map(|(name, value)| (name.to_owned(), value)));
    }

    #[test]
    fn control_characters_of_tmux_3_5() {
        assert_eq!(read(b"A=\"\\033\\\\033\"; export A;\n"), [("A".to_owned(), set("\x1b\\033"))]);
    }

    proptest! {
        #[test]
        fn what_tmux_prints_is_read(values in prop::collection::vec("[\\PC\n\t\"\\\\$=;]{0,12}", 0..4)) {
            let named: Vec<_> = values.iter().enumerate().map(|(n, value)| (format!("N{n}"), value)).collect();
            let output: String = named.iter().map(|(name, value)| printed(name, value)).collect();
            let expected: Vec<_> = named.into_iter().map(|(name, value)| (name, set(value))).collect();
            prop_assert_eq!(read(output.as_bytes()), expected);
        }

        #[test]
        fn reading_is_total(output in prop::collection::vec(prop_oneof![
            Just(b"A=\"".to_vec()), Just(b"\"; export A;\n".to_vec()), Just(b"unset ".to_vec()), prop::collection::vec(any::<u8>(), 0..4),
        ], 0..20)) {
            let _ = read(&output.concat());
        }
    }
}
