//! What is wrong with an input, said so that it can be mended: which file, where in it, what, and what to do.

use std::fmt;

/// One thing that is wrong in one file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fault {
    /// The file, as it was named to the program.
    pub file: String,
    /// Where in the file: a JSON pointer (`/inputSchema/properties/pane_id`), a table of a TOML file, or `line 12`.
    /// Empty for the whole file.
    pub place: String,
    /// What is wrong, in lower case.
    pub what: String,
    /// What to do about it; may be empty.
    pub hint: String,
}

impl Fault {
    /// A fault without a hint.
    pub fn new(file: impl Into<String>, place: impl Into<String>, what: impl Into<String>) -> Self {
        Fault { file: file.into(), place: place.into(), what: what.into(), hint: String::new() }
    }

    /// The same fault, with what to do about it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = hint.into();
        self
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if !self.place.is_empty() {
            let separator = if self.place.starts_with('/') { "#" } else { ", " };
            write!(f, "{separator}{}", self.place)?;
        }
        write!(f, ": {}", self.what)?;
        if !self.hint.is_empty() {
            write!(f, "; {}", self.hint)?;
        }
        Ok(())
    }
}

/// Every fault that was found: never empty when it is an error.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Faults(pub Vec<Fault>);

impl Faults {
    /// Notes one more fault.
    pub fn push(&mut self, fault: Fault) {
        self.0.push(fault);
    }

    /// `value` when nothing was found, otherwise all that was found.
    ///
    /// # Errors
    ///
    /// The faults themselves, sorted by file and place.
    pub fn or<T>(mut self, value: T) -> Result<T, Faults> {
        if self.0.is_empty() {
            return Ok(value);
        }
        self.0.sort();
        self.0.dedup();
        Err(self)
    }
}

impl From<Fault> for Faults {
    fn from(fault: Fault) -> Self {
        Faults(vec![fault])
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.0.iter().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            write!(f, "{fault}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Faults {}
