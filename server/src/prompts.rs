//! MCP prompts: recipes that a person picks in the client and a model carries out with the tools.

use rmcp::model::{ErrorData, GetPromptResult, Prompt, PromptArgument, PromptMessage, Role};
use serde_json::{Map, Value, json};

/// A recipe, and what must be filled in.
struct Recipe {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    arguments: &'static [Argument],
    text: fn(&Given) -> String,
}

struct Argument {
    name: &'static str,
    description: &'static str,
    /// What it is if it is not given. One without must be given.
    default: Option<&'static str>,
    /// Whether it is a number.
    number: bool,
}

/// The arguments of one request, all of them checked.
struct Given(Map<String, Value>);

impl Given {
    fn text(&self, name: &str) -> &str {
        self.0.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    /// The argument as it is written in a call.
    fn quoted(&self, name: &str) -> String {
        json!(self.text(name)).to_string()
    }
}

const fn required(name: &'static str, description: &'static str) -> Argument {
    Argument { name, description, default: None, number: false }
}

const PANE: Argument = required("pane_id", "The pane's id, such as %1.");

const RECIPES: [Recipe; 4] = [
    Recipe {
        name: "run_and_wait",
        title: "Run and Wait",
        description: "Run a shell command in a pane, wait for its end and judge its result.",
        arguments: &[
            required("command", "The shell command."),
            PANE,
            Argument {
                name: "timeout",
                description: "The longest to wait, in seconds (JSON number; default 60).",
                default: Some("60.0"),
                number: true,
            },
        ],
        text: run_and_wait,
    },
    Recipe {
        name: "diagnose_failing_pane",
        title: "Diagnose Failing Pane",
        description: "Look at a pane where something went wrong and say what it probably was, without touching anything.",
        arguments: &[PANE],
        text: diagnose,
    },
    Recipe {
        name: "build_dev_workspace",
        title: "Build Dev Workspace",
        description: "Set up a session with an editor above, and a shell and a log beside each other below.",
        arguments: &[
            required("session_name", "The name for the new session."),
            Argument {
                name: "log_command",
                description: "What shows the log (default: watch -n 1 date).",
                default: Some("watch -n 1 date"),
                number: false,
            },
        ],
        text: workspace,
    },
    Recipe {
        name: "interrupt_gracefully",
        title: "Interrupt Gracefully",
        description: "Interrupt what runs in a pane with C-c, and make sure that the shell is back.",
        arguments: &[PANE],
        text: interrupt,
    },
];

fn run_and_wait(given: &Given) -> String {
    let (pane, command) = (given.quoted("pane_id"), given.quoted("command"));
    let lines = given.text("command").contains(['\n', '\r']);
    let history = if lines { ", suppress_history=False" } else { "" };
    let note = if lines {
        "\nThe command has several lines, which a shell can only be kept from remembering one by one: so it stays in the shell's history.\n"
    } else {
        ""
    };
    format!(
        "Run this in tmux pane {pane} and wait for its end, in one call:\n\n\
         run_command(command={command}, pane_id={pane}, timeout={}, max_lines=100{history})\n{note}\n\
         Then read the result:\n\
         - `timed_out` true: it still runs. Say so; go on with wait_for_text or capture_since, and do not start it again.\n\
         - `exit_status` 0: it worked. Anything else: it failed, and `output` says why.\n\
         - `output_truncated` true: only the end is shown. `output` is what the command wrote and nothing else, so there is no \
         need to capture the pane.",
        given.text("timeout")
    )
}

fn diagnose(given: &Given) -> String {
    let pane = given.quoted("pane_id");
    format!(
        "Something went wrong in tmux pane {pane}. Find out what, without changing anything:\n\n\
         1. snapshot_pane(pane_id={pane}): what stands there, what runs, whether the pane is dead, in a mode, or on the alternate screen.\n\
         2. If the cause scrolled away, capture_pane(pane_id={pane}, start=-500) reads the history.\n\
         3. If the program still writes, capture_since(pane_id={pane}) gives a cursor; call it again with that cursor for what is new.\n\
         4. Find the first error, not the last: what follows is often only its consequence. Note command, directory and exit status.\n\
         5. Answer with the likeliest cause, the lines that show it, and one next step for the user to decide on. Run nothing yourself."
    )
}

fn workspace(given: &Given) -> String {
    let (session, log) = (given.quoted("session_name"), given.quoted("log_command"));
    format!(
        "Set up a tmux session {session} with three panes: editor above, shell below on the left, log below on the right.\n\n\
         1. create_session(session_name={session}); its `active_pane_id` is the editor's pane, A.\n\
         2. split_window(pane_id=A, direction=\"below\"); the new pane's `pane_id` is the shell's, B.\n\
         3. split_window(pane_id=B, direction=\"right\"); the new pane's `pane_id` is the log's, C.\n\
         4. send_keys(pane_id=C, keys={log}, literal=true).\n\
         5. In A start the editor that the user names; if none was named, leave the shell there and ask.\n\
         6. To be sure that the log runs: wait_for_text(pane_id=C, timeout=5).\n\n\
         Answer with the three pane ids and what each is for. If the session exists already, say so and change nothing."
    )
}

fn interrupt(given: &Given) -> String {
    let pane = given.quoted("pane_id");
    format!(
        "Interrupt what runs in tmux pane {pane}, and make sure that the shell is back:\n\n\
         1. get_pane_info(pane_id={pane}): note `pane_current_command`. If it is a shell already, nothing runs: stop here.\n\
         2. send_keys(pane_id={pane}, keys=\"C-c\", enter=false).\n\
         3. wait_for_text(pane_id={pane}, patterns=[\"[$#%>] ?$\"], regex=true, timeout=5).\n\
         4. get_pane_info(pane_id={pane}) again: a shell in `pane_current_command` means that it worked.\n\n\
         If the program is still there, say so and ask. Do not try stronger signals, and do not kill the pane."
    )
}

/// All prompts.
pub fn list() -> Vec<Prompt> {
    let argument = |argument: &Argument| {
        PromptArgument::new(argument.name)
            .with_description(argument.description)
            .with_required(argument.default.is_none())
    };
    let shown = |recipe: &Recipe| {
        let arguments = recipe.arguments.iter().map(argument).collect();
        Prompt::new(recipe.name, Some(recipe.description), Some(arguments)).with_title(recipe.title)
    };
    RECIPES.iter().map(shown).collect()
}

/// The prompt of this name, filled in. Arguments that it does not have count for nothing.
///
/// # Errors
///
/// Invalid params (-32602): there is no such prompt, an argument is missing, or it is not of its kind.
pub fn get(name: &str, arguments: Map<String, Value>) -> Result<GetPromptResult, ErrorData> {
    let recipe = RECIPES.iter().find(|recipe| recipe.name == name).ok_or_else(|| {
        let names = RECIPES.map(|recipe| recipe.name).join(", ");
        ErrorData::invalid_params(format!("there is no prompt of this name; there are {names}"), None)
    })?;
    let given = given(recipe, arguments).map_err(|problem| ErrorData::invalid_params(problem, None))?;
    let message = PromptMessage::new_text(Role::User, (recipe.text)(&given));
    Ok(GetPromptResult::new(vec![message]).with_description(recipe.description))
}

fn given(recipe: &Recipe, mut arguments: Map<String, Value>) -> Result<Given, String> {
    let mut given = Map::new();
    for Argument { name, default, number, .. } in recipe.arguments {
        let value = match (arguments.remove(*name), default) {
            (Some(Value::String(text)), _) => text,
            (Some(Value::Number(value)), _) if *number => value.to_string(),
            (None | Some(Value::Null), Some(default)) => (*default).to_owned(),
            (None | Some(Value::Null), None) => {
                return Err(format!("prompt {} needs the argument `{name}`", recipe.name));
            }
            (Some(_), _) => {
                return Err(format!("the argument `{name}` of prompt {} must be text", recipe.name));
            }
        };
        if *number && !value.trim().parse::<f64>().is_ok_and(|seconds| seconds.is_finite() && seconds > 0.0) {
            return Err(format!("the argument `{name}` of prompt {} must be a number above 0", recipe.name));
        }
        given.insert((*name).to_owned(), Value::String(value));
    }
    Ok(Given(given))
}

#[cfg(test)]
mod tests {
    use schemux::TOOLS;

    use super::*;

    fn text(name: &str, arguments: Value) -> Result<String, String> {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        let result = get(name, arguments).map_err(|error| error.message.to_string())?;
        Ok(serde_json::to_value(&result.messages[0]).unwrap()["content"]["text"].as_str().unwrap().to_owned())
    }

    #[test]
    fn arguments_are_quoted_as_they_are() {
        let filled = text("run_and_wait", json!({"command": "echo \"a\\b\"", "pane_id": "%1"})).unwrap();
        assert!(
            filled.contains(
                r#"run_command(command="echo \"a\\b\"", pane_id="%1", timeout=60.0, max_lines=100)"#
            ),
            "{filled}"
        );
        let filled =
            text("run_and_wait", json!({"command": "a\nb", "pane_id": "%1", "timeout": "5"})).unwrap();
        assert!(filled.contains("timeout=5, max_lines=100, suppress_history=False"), "{filled}");
        let filled = text("build_dev_workspace", json!({"session_name": "it's", "other": "1"})).unwrap();
        assert!(filled.contains("\"it's\"") && filled.contains("\"watch -n 1 date\""), "{filled}");
    }

    #[test]
    fn what_is_wrong_is_said() {
        assert!(text("nope", json!({})).unwrap_err().contains("interrupt_gracefully"));
        assert!(text("interrupt_gracefully", json!({})).unwrap_err().contains("`pane_id`"));
        for timeout in [json!("abc"), json!("nan"), json!("0"), json!(-1)] {
            let error = text("run_and_wait", json!({"command": "x", "pane_id": "%1", "timeout": timeout}))
                .unwrap_err();
            assert!(error.contains("number above 0"), "{error}");
        }
    }

    #[test]
    fn recipes_call_tools_that_there_are() {
        for recipe in &RECIPES {
            let arguments = recipe
                .arguments
                .iter()
                .map(|argument| (argument.name.to_owned(), json!(argument.default.unwrap_or("x"))));
            let filled = text(recipe.name, Value::Object(arguments.collect())).unwrap();
            let mut calls = 0;
            for (at, _) in filled.match_indices('(') {
                let called =
                    filled[..at].rsplit(|c: char| !c.is_ascii_lowercase() && c != '_').next().unwrap();
                if called.contains('_') {
                    assert!(TOOLS.iter().any(|tool| tool.name == called), "{}: {called}", recipe.name);
                    calls += 1;
                }
            }
            assert!(calls > 0, "{}", recipe.name);
        }
    }
}
