//! Which hints does the page give? All four must be there: what a page leaves out cannot be told from what it lost.

use std::ops::Range;

use serde_json::{Map, Value};

use super::text::Text;
use crate::fault::{Fault, Faults};

const HINTS: [&str; 4] = ["destructiveHint", "idempotentHint", "openWorldHint", "readOnlyHint"];

/// Reads the section "Annotations": `name: true` on one line, or the value on the next line that is not blank.
pub fn read(file: &str, text: &Text<'_>, section: Range<usize>, faults: &mut Faults) -> Map<String, Value> {
    let mut found = Map::new();
    let mut given = Vec::new();
    let heading = section.start;
    let mut lines = section.filter(|at| !text.lines[*at].shown.is_empty());
    while let Some(at) = lines.next() {
        let fault = |what: String| {
            Fault::new(file, format!("line {}", at + 1), what).hint("take the page again from the site")
        };
        let (name, value) = match text.lines[at].content().split_once(':') {
            Some((name, value)) => (name.trim(), value.trim()),
            None => (text.lines[at].content(), lines.next().map_or("", |next| text.lines[next].content())),
        };
        let (name, value) = (name.trim_matches('`'), value.trim_matches('`'));
        if !HINTS.contains(&name) {
            faults.push(
                fault(format!("`{name}` is no annotation that is known"))
                    .hint(format!("known are {}", HINTS.join(", "))),
            );
            continue;
        }
        given.push(name);
        let Ok(value) = value.parse::<bool>() else {
            faults.push(fault(format!("the annotation {name} is neither true nor false, but `{value}`")));
            continue;
        };
        if found.insert(name.to_owned(), value.into()).is_some() {
            faults.push(fault(format!("the annotation {name} stands here a second time")));
        }
    }
    // `heading` is the index below the heading, which is the heading's own line number.
    for missing in HINTS.iter().filter(|hint| !given.contains(hint)) {
        faults.push(
            Fault::new(
                file,
                format!("line {heading}"),
                format!("the section Annotations does not give {missing}"),
            )
            .hint("take the page again from the site"),
        );
    }
    found
}
