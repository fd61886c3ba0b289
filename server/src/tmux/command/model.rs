//! Small models of tmux's two parsers, to hold quoting against: in tests and in the fuzzer. Nothing else of this crate is used.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;

/// What tmux makes of the arguments of a process (`cmd_parse_from_arguments`).
pub fn parse_argv(argv: &[OsString]) -> Vec<Vec<Vec<u8>>> {
    let mut commands = vec![Vec::new()];
    for word in argv {
        let mut word = word.as_bytes().to_vec();
        let mut end = false;
        if word.last() == Some(&b';') {
            word.pop();
            if word.last() == Some(&b'\\') {
                word.pop();
                word.push(b';');
            } else {
                end = true;
            }
        }
        if !end || !word.is_empty() {
            commands.last_mut().expect("never empty").push(word);
        }
        if end {
            commands.push(Vec::new());
        }
    }
    commands
}

/// What tmux makes of a line, as far as the lines of this module go: quotes, escapes and separators.
pub fn parse_line(line: &[u8]) -> Vec<Vec<Vec<u8>>> {
    let mut commands = vec![Vec::new()];
    let mut bytes = line.iter().copied().peekable();
    while let Some(&byte) = bytes.peek() {
        match byte {
            b' ' => {
                bytes.next();
            }
            b';' => {
                bytes.next();
                commands.push(Vec::new());
            }
            _ => {
                let mut word = Vec::new();
                while let Some(&byte) = bytes.peek() {
                    match byte {
                        b' ' => break,
                        b'\'' => {
                            bytes.next();
                            word.extend(bytes.by_ref().take_while(|&b| b != b'\''));
                        }
                        b'"' => {
                            bytes.next();
                            while let Some(byte) = bytes.next().filter(|&b| b != b'"') {
                                assert!(!b"$~".contains(&byte), "would be expanded");
                                match byte {
                                    b'\\' => word.push(escape(&mut bytes)),
                                    byte => word.push(byte),
                                }
                            }
                        }
                        byte => {
                            assert!(!b"#%~{}$;\"\\\n=".contains(&byte), "{:?} unquoted", byte as char);
                            word.push(byte);
                            bytes.next();
                        }
                    }
                }
                commands.last_mut().expect("never empty").push(word);
            }
        }
    }
    commands
}

fn escape(bytes: &mut impl Iterator<Item = u8>) -> u8 {
    let first = bytes.next().expect("an escaped byte");
    match first {
        b'0'..=b'3' => {
            let mut value = first - b'0';
            for _ in 0..2 {
                value = value * 8 + (bytes.next().expect("three digits") - b'0');
            }
            value
        }
        other => {
            assert!(!other.is_ascii_alphanumeric());
            other
        }
    }
}
