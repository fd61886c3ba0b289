//! Which controlled sentence classifies the tool in its description, and what does it say?

/// The controlled sentence of a description, and what it says about the tool. Ports that write it put it first or last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opener {
    /// The sentence, as the page shows it.
    pub sentence: String,
    /// The set of tools that it belongs to, where the sentence tells.
    pub toolset: Option<&'static str>,
    /// How far a call reaches into processes: `none`, `configured-process`, `pane-input` or `pane-command`.
    pub reach: &'static str,
    /// The class of output that decided the sentence: `tmux-metadata`, `terminal-content`, `process-environment` or
    /// `configured-command`, where the sentence tells.
    pub output: Option<&'static str>,
}

type Row = (&'static str, Option<&'static str>, &'static str, Option<&'static str>);

/// The vocabulary that the ports share: sentence, toolset, reach, output. "Change tmux state" stands for two toolsets.
const ROWS: [Row; 9] = [
    ("Delete tmux state; accepts no command payload.", Some("teardown"), "none", None),
    (
        "Start a pane's configured process; accepts no command payload.",
        Some("execute"),
        "configured-process",
        None,
    ),
    (
        "Send input to a pane's program; a shell that receives it runs it with your user's permissions.",
        Some("execute"),
        "pane-input",
        None,
    ),
    ("Run a shell command in a pane with your user's permissions.", Some("execute"), "pane-command", None),
    ("Change tmux state; no client-supplied executable input.", None, "none", None),
    (
        "Read pane output; accepts no client-supplied executable input.",
        Some("inspect"),
        "none",
        Some("terminal-content"),
    ),
    (
        "Read the tmux environment; accepts no client-supplied executable input.",
        Some("inspect"),
        "none",
        Some("process-environment"),
    ),
    (
        "Read configured tmux commands; accepts no client-supplied executable input.",
        Some("inspect"),
        "none",
        Some("configured-command"),
    ),
    (
        "Inspect tmux metadata; accepts no client-supplied executable input.",
        Some("inspect"),
        "none",
        Some("tmux-metadata"),
    ),
];

/// Finds the sentence at the beginning or the end of a description.
pub fn find(description: &str) -> Option<Opener> {
    ROWS.iter().find_map(|(sentence, toolset, reach, output)| {
        let typographic = sentence.replace('\'', "’");
        let sentence =
            [*sentence, &typographic].into_iter().find_map(|sentence| whole(description, sentence))?;
        Some(Opener { sentence: sentence.to_owned(), toolset: *toolset, reach, output: *output })
    })
}

/// The sentence with the one about what is returned, which some have.
fn whole<'a>(description: &'a str, sentence: &str) -> Option<&'a str> {
    description.match_indices(sentence).find_map(|(start, _)| {
        let from = &description[start..];
        let rest = &from[sentence.len()..];
        let returned = rest.strip_prefix(" Returned ").and_then(|text| text.find('.'));
        let length = sentence.len() + returned.map_or(0, |stop| " Returned ".len() + stop + 1);
        let first = start == 0 && (rest.is_empty() || rest.starts_with(char::is_whitespace));
        let last = from.len() == length && description[..start].ends_with(char::is_whitespace);
        (first || last).then(|| &from[..length])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sentence_is_found_first_and_last() {
        let found = |text: &str| find(text).map(|opener| (opener.sentence, opener.toolset, opener.output));
        let read = "Read pane output; accepts no client-supplied executable input. Returned content may be sensitive.";
        let expected = Some((read.to_owned(), Some("inspect"), Some("terminal-content")));
        assert_eq!(found(&format!("{read} Searches panes.")), expected);
        assert_eq!(found(&format!("Searches panes. {read}")), expected);
        assert_eq!(found(&format!("Searches. {read} More.")), None);
        let change = "Change tmux state; no client-supplied executable input.";
        assert_eq!(found(change), Some((change.to_owned(), None, None)));
        let run = "Run a shell command in a pane with your user’s permissions. Returns its status.";
        assert_eq!(find(run).map(|opener| opener.reach), Some("pane-command"));
        assert_eq!(found("Run a shell command in a pane and wait."), None);
    }
}
