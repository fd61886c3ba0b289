//! The import of documentation pages: the three real pages, every refusal, and pages that are broken at random.

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use schemux_codegen::import::{Page, State, import, parse};
use serde_json::{Value, json};

const PAGES: [&str; 3] = ["exit_copy_mode.md", "respawn_pane.txt", "wait_for_exit.txt"];

fn path(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/pages").join(file)
}

fn text(file: &str) -> String {
    fs::read_to_string(path(file)).unwrap()
}

fn page(file: &str) -> Page {
    parse(file, &text(file)).unwrap_or_else(|faults| panic!("{faults}"))
}

/// The JSON below the last line that is the label, read without any of the import.
fn json_below(text: &str, label: &str) -> Option<Value> {
    let mut at = None;
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        offset += line.len();
        if line.trim() == label {
            at = Some(offset);
        }
    }
    let rest = &text[at?..];
    let json = &rest[rest.find('{')?..];
    serde_json::Deserializer::from_str(json).into_iter::<Value>().next()?.ok()
}

/// The page with one thing replaced, which must stand in it exactly once.
fn edited(file: &str, from: &str, to: &str) -> String {
    let text = text(file);
    assert_eq!(text.matches(from).count(), 1, "`{from}` in {file}");
    text.replacen(from, to, 1)
}

/// What the import says of a page that it must refuse.
fn refused(file: &str, text: &str) -> String {
    match parse(file, text) {
        Ok(page) => panic!("`{}` was accepted", page.name),
        Err(faults) => faults.to_string(),
    }
}

fn refusal(file: &str, from: &str, to: &str) -> String {
    refused(file, &edited(file, from, to))
}

mod pages {
    use super::*;

    #[test]
    fn schemas_are_the_documents_json() {
        for (file, inputs, outputs) in [(PAGES[0], 5, 21), (PAGES[1], 7, 21), (PAGES[2], 2, 4)] {
            let (text, page) = (text(file), page(file));
            let input = json_below(&text, "Input schema").unwrap();
            let output = json_below(&text, "Output schema").unwrap();
            assert_eq!(input["properties"].as_object().unwrap().len(), inputs);
            assert_eq!(output["properties"].as_object().unwrap().len(), outputs);
            // As text, so that the order of the keys counts.
            assert_eq!(page.input_schema.to_string(), input.to_string());
            assert_eq!(page.output_schema.unwrap().to_string(), output.to_string());
        }
    }

    #[test]
    fn annotations_are_the_documents() {
        let expected =
            r#"{"destructiveHint":true,"idempotentHint":false,"openWorldHint":true,"readOnlyHint":false}"#;
        for file in PAGES {
            assert_eq!(Value::from(page(file).annotations).to_string(), expected, "{file}");
        }
    }

    #[test]
    fn exit_copy_mode() {
        let page = page(PAGES[0]);
        assert_eq!(page.name, "exit_copy_mode");
        assert_eq!(
            page.description,
            "Exit copy mode in a tmux pane.\n\nReturns the pane to normal mode. Use after scrolling through scrollback history."
        );
        assert_eq!((page.port.as_str(), page.channel.as_str()), ("py", "stable"));
        assert_eq!(page.address.unwrap(), "https://libtmux.org/en/py/stable/mcp/tools/exit_copy_mode/");
        assert_eq!(
            page.source.unwrap(),
            "https://github.com/tmux-python/libtmux-mcp/blob/4daddc0dfca96c43bf521d818bf91564e1434760/src/libtmux_mcp/tools/pane_tools/__init__.py#L189"
        );
        assert_eq!((page.opener, page.tmux), (None, None));
    }

    #[test]
    fn respawn_pane() {
        let page = page(PAGES[1]);
        assert_eq!(page.name, "respawn_pane");
        assert_eq!(
            page.description,
            "Restart a pane’s process in place, preserving pane_id and layout.\n\n\
             Use when a shell wedges (hung REPL, runaway process, bad terminal mode). The alternative — kill_pane + \
             split_window — destroys pane_id references the agent may still be holding, and rearranges the layout. \
             respawn-pane preserves both.\n\n\
             With kill=True (the default), tmux kills the existing process before respawning. Optional shell replaces the \
             command tmux relaunches; start_directory sets the working directory for the new process; environment sets \
             per-process environment variables for the relaunched command (one -e KEY=VALUE flag per entry).\n\n\
             pane_id is required — sibling pane tools accept a hierarchical fallback (session_name / window_id / \
             pane_index) that resolves to “first pane in session/window”, but combined with default kill=True that \
             fallback could silently kill an unrelated process. The signature deliberately omits the resolver fields so \
             the FastMCP schema rejects them at the framework boundary. Resolve via list_panes first.\n\n\
             Tip: call get_pane_info first if you need to capture pane_current_command before respawn — the new process \
             loses its argv. Omitting shell makes tmux replay the original argv (good default for shells; may differ for \
             processes spawned via custom shell at split time)."
        );
        assert_eq!((page.port.as_str(), page.channel.as_str()), ("py", "stable"));
        assert_eq!((page.address, page.source, page.opener, page.tmux), (None, None, None, None));
    }

    #[test]
    fn wait_for_exit() {
        let page = page(PAGES[2]);
        assert_eq!(page.name, "wait_for_exit");
        assert_eq!(
            page.description,
            "Inspect tmux metadata; accepts no client-supplied executable input. Wait until the program in a pane exits \
             and return its exit status or signal. Use it for a pane you did not start, such as a person’s build or a \
             server someone launched; for run_program and start_program, their own results report the exit. A pane that \
             closes on exit still reports its status; a pane killed from outside during the wait has none and answers \
             gone within about two seconds, and a pane id that is already gone is not found. A pane at a shell prompt \
             exits only when the shell does: for a command typed into it, use run_shell_command or wait_for_text. \
             Requires tmux 3.8 or newer."
        );
        assert_eq!((page.port.as_str(), page.channel.as_str()), ("ts", "latest"));
        assert_eq!((page.address, page.source), (None, None));
        assert_eq!(page.tmux.as_deref(), Some("3.8"));
        let opener = page.opener.unwrap();
        assert_eq!(opener.sentence, "Inspect tmux metadata; accepts no client-supplied executable input.");
        assert_eq!(
            (opener.toolset, opener.reach, opener.output),
            (Some("inspect"), "none", Some("tmux-metadata"))
        );
    }

    #[test]
    fn markdown_in_a_description_is_undone() {
        let from = "  Returns the pane to normal mode.";
        let to = "  Returns **the** [`pane`](https://x.org/#mcp.tool.other \"a (b)\") to\n  *normal* `mode`.\n\n  * a\n    * b\n\n ";
        let page = parse(PAGES[0], &edited(PAGES[0], from, to)).unwrap();
        assert_eq!(
            page.description,
            "Exit copy mode in a tmux pane.\n\nReturns the pane to\nnormal mode.\n\n* a\n  * b\n\n\
             Use after scrolling through scrollback history."
        );
    }

    #[test]
    fn ends_of_lines_and_blanks_do_not_matter() {
        for file in PAGES {
            let (text, expected) = (text(file), page(file));
            let blanks = text.replace('\n', " \t\n");
            let hard = text.lines().map(|line| {
                let start = line.len() - line.trim_start().len();
                format!("{}{}\u{a0}", "\u{a0}".repeat(start), &line[start..])
            });
            // Not inside of JSON: there a space may belong to a string.
            let hard: Vec<String> = hard
                .map(|line| if line.contains('"') { line } else { line.replace(' ', "\u{a0}") })
                .collect();
            for changed in [
                text.replace('\n', "\r\n"),
                text.replace('\n', "\r"),
                format!("\u{feff}{text}"),
                format!("{}\n\n", text.trim_end()),
                text.trim_end().to_owned(),
                blanks,
                hard.join("\n"),
                text.replace("\": ", "\":\u{a0}"),
                text.replace("wait_for_exit", "wait_\u{200b}for_exit"),
            ] {
                let page = parse(file, &changed).unwrap_or_else(|faults| panic!("{faults}"));
                assert_eq!(page, expected);
            }
        }
    }

    #[test]
    fn a_page_needs_no_output_schema() {
        let text = text(PAGES[2]);
        let result = text.find("Result#").unwrap()..text.find("Annotations#").unwrap();
        let output = text.find("Output schema").unwrap()..text.find("Esc\n").unwrap();
        let text =
            format!("{}{}{}", &text[..result.start], &text[result.end..output.start], &text[output.end..]);
        let page = parse(PAGES[2], &text).unwrap();
        assert_eq!(page.output_schema, None);
        assert!(!page.entry().to_string().contains("outputSchema"));
    }

    #[test]
    fn a_signature_may_go_over_several_lines() {
        let spread = "wait_for_exit(\npaneId: string,\ntimeoutMs?: integer,\n)";
        let one = "wait_for_exit( paneId: string, timeoutMs?: integer, )";
        let changed = edited(PAGES[2], &format!("{one}\ntool [source]"), spread);
        assert_eq!(parse(PAGES[2], &changed).unwrap(), page(PAGES[2]));
        let wrong = edited(PAGES[2], &format!("{one}\ntool [source]"), &spread.replace("Ms?", "Ms"));
        insta::assert_snapshot!(refused(PAGES[2], &wrong), @"wait_for_exit.txt#/inputSchema/properties/timeoutMs: line 18 shows the argument as required, the schema does not require it; take the page again from the site, or mend whichever of the two is wrong");
    }

    #[test]
    fn an_address_is_taken_from_any_page() {
        let address = "https://libtmux.org/en/rs/0.2/mcp/tools/wait_for_exit/";
        let changed = format!("Source: {address}\n{}", edited(PAGES[2], "tool MCPlatest", "tool MCP0.2"));
        let page = parse(PAGES[2], &changed).unwrap();
        assert_eq!((page.port.as_str(), page.channel.as_str()), ("rs", "0.2"));
        assert_eq!(page.address.as_deref(), Some(address));
    }
}

mod refusals {
    use super::*;

    const MARKDOWN: &str = PAGES[0];
    const HEADINGS: &str = PAGES[1];
    const PLAIN: &str = PAGES[2];

    #[test]
    fn names_that_disagree() {
        insta::assert_snapshot!(refusal(MARKDOWN, "# exit_copy_mode\n", "# exit_copy_mod\n"), @"exit_copy_mode.md, line 1: the heading names the tool `exit_copy_mod`, the sentence `Send … as the tool name` `exit_copy_mode`; take the page again from the site, whole");
        insta::assert_snapshot!(refusal(MARKDOWN, "**exit_copy_mode**(", "**enter_copy_mode**("), @"exit_copy_mode.md, line 13: the signature names the tool `enter_copy_mode`, the sentence `Send … as the tool name` `exit_copy_mode`; take the page again from the site, whole");
        insta::assert_snapshot!(refusal(MARKDOWN, "tools/exit_copy_mode/\n", "tools/enter_copy_mode/\n"), @"exit_copy_mode.md, line 3: the address names the tool `enter_copy_mode`, the sentence `Send … as the tool name` `exit_copy_mode`; take the page again from the site, whole");
        insta::assert_snapshot!(refusal(MARKDOWN, "#mcp.tool.exit_copy_mode.result", "#mcp.tool.other.result"), @"exit_copy_mode.md, line 49: the link names the tool `other`, the sentence `Send … as the tool name` `exit_copy_mode`; take the page again from the site, whole");
        insta::assert_snapshot!(refusal(HEADINGS, "MCPstable\n\n`respawn_pane`", "MCPstable\n\n`respawn`"), @"respawn_pane.txt, line 5: the heading names the tool `respawn`, the sentence `Send … as the tool name` `respawn_pane`; take the page again from the site, whole");
        insta::assert_snapshot!(refusal(HEADINGS, "Send respawn_pane as", "Send kill_pane as"), @"respawn_pane.txt, line 5: the heading names the tool `respawn_pane`, the sentence `Send … as the tool name` `kill_pane`; take the page again from the site, whole");
        insta::assert_snapshot!(refusal(PLAIN, "wait_for_exit( ", "wait( "), @"wait_for_exit.txt, line 18: the signature names the tool `wait`, the sentence `Send … as the tool name` `wait_for_exit`; take the page again from the site, whole");
        insta::assert_snapshot!(refused(PLAIN, &text(PLAIN).replace("wait_for_exit", "../wait")), @r#"
wait_for_exit.txt: `../wait` cannot name a tool, nor its file; a name starts with a letter and has at most 64 letters, digits, `_` and `-`
wait_for_exit.txt: no heading names the tool `../wait`; take the page again from the site, whole
"#);
    }

    #[test]
    fn arguments_that_disagree() {
        insta::assert_snapshot!(refusal(HEADINGS, "kill? = true (boolean) #", "kil? = true (boolean) #"), @r#"
respawn_pane.txt#/inputSchema/properties/kill: the section Arguments does not list the argument `kill`; take the page again from the site, or mend whichever of the two is wrong
respawn_pane.txt, line 24: the section Arguments lists the argument `kil`, which the schema does not have; take the page again from the site, or mend whichever of the two is wrong
"#);
        insta::assert_snapshot!(refusal(HEADINGS, "kill? = true (boolean) #\n", ""), @"respawn_pane.txt#/inputSchema/properties/kill: the section Arguments does not list the argument `kill`; take the page again from the site, or mend whichever of the two is wrong");
        insta::assert_snapshot!(refusal(HEADINGS, "kill? = true (boolean) #\n", "kill? = true (boolean) #\nkill? = true (boolean) #\n"), @"respawn_pane.txt, line 25: the section Arguments lists the argument `kill` a second time; take the page again from the site, or mend whichever of the two is wrong");
        insta::assert_snapshot!(refusal(HEADINGS, "kill? = true", "kill = true"), @"respawn_pane.txt#/inputSchema/properties/kill: line 24 shows the argument as required, the schema does not require it; take the page again from the site, or mend whichever of the two is wrong");
        insta::assert_snapshot!(refusal(HEADINGS, "pane_id (string) #\n\nPane ID (e.g. ‘%1’). Required.", "pane_id? (string) #"), @"respawn_pane.txt#/inputSchema/properties/pane_id: line 27 shows the argument as optional, the schema requires it; take the page again from the site, or mend whichever of the two is wrong");
        insta::assert_snapshot!(refusal(HEADINGS, "kill? = true (", "kill? = false ("), @"respawn_pane.txt#/inputSchema/properties/kill/default: line 24 gives the default `false`, the schema `true`; take the page again from the site, or mend whichever of the two is wrong");
        insta::assert_snapshot!(refusal(HEADINGS, "kill? = true (", "kill? ("), @"respawn_pane.txt#/inputSchema/properties/kill/default: line 24 gives no default, the schema `true`; take the page again from the site, or mend whichever of the two is wrong");
        insta::assert_snapshot!(refusal(HEADINGS, "pane_id (string) #\n\nPane ID (e.g. ‘%1’). Required.", "pane_id = 1 (string) #"), @"respawn_pane.txt#/inputSchema/properties/pane_id/default: line 27 gives the default `1`, the schema none; take the page again from the site, or mend whichever of the two is wrong");
        insta::assert_snapshot!(refusal(HEADINGS, "kill? = true (boolean)", "kill? = true (string)"), @"respawn_pane.txt#/inputSchema/properties/kill: line 24 gives the type `string`, the schema another one; take the page again from the site, or mend whichever of the two is wrong");
        insta::assert_snapshot!(refusal(HEADINGS, "kill? = true (boolean)", "kill? = true"), @"respawn_pane.txt#/inputSchema/properties/kill: line 24 gives no type, the schema does; take the page again from the site, or mend whichever of the two is wrong");
        insta::assert_snapshot!(refusal(HEADINGS, "kill? = true (boolean)", "kill? = true (boo lean)"), @"respawn_pane.txt, line 24: the type `boo lean` cannot be read; take the page again from the site, or mend whichever of the two is wrong");
        insta::assert_snapshot!(refusal(HEADINGS, "Record<string, string> |", "Record<string, integer> |"), @"respawn_pane.txt#/inputSchema/properties/environment: line 21 gives the type `Record<string, integer> | string | null`, the schema another one; take the page again from the site, or mend whichever of the two is wrong");
        insta::assert_snapshot!(refusal(HEADINGS, "\"required\": [\n    \"pane_id\"\n  ],\n  \"type\": \"object\"\n}\n\nOutput", "\"required\": [\n    \"pane\"\n  ],\n  \"type\": \"object\"\n}\n\nOutput"), @r#"
respawn_pane.txt#/inputSchema/properties/pane_id: line 27 shows the argument as required, the schema does not require it; take the page again from the site, or mend whichever of the two is wrong
respawn_pane.txt#/inputSchema/required: `pane` is required, but no property has this name; take the page again from the site, or mend whichever of the two is wrong
"#);
        insta::assert_snapshot!(refusal(MARKDOWN, "input%2Fproperties%2Fpane_id)**", "input%2Fproperties%2Fpane)**"), @"exit_copy_mode.md, line 27: `pane_id` links to `/properties/pane` of the schema; take the page again from the site, or mend whichever of the two is wrong");
    }

    #[test]
    fn signatures_that_disagree() {
        insta::assert_snapshot!(refusal(PLAIN, "timeoutMs?: integer, )", "timeoutMs?: string, )"), @"wait_for_exit.txt#/inputSchema/properties/timeoutMs: line 18 gives the type `string`, the schema another one; take the page again from the site, or mend whichever of the two is wrong");
        insta::assert_snapshot!(refusal(PLAIN, "paneId: string, ", "paneId?: string, "), @"wait_for_exit.txt#/inputSchema/properties/paneId: line 18 shows the argument as optional, the schema requires it; take the page again from the site, or mend whichever of the two is wrong");
        insta::assert_snapshot!(refusal(PLAIN, "paneId: string, ", ""), @"wait_for_exit.txt#/inputSchema/properties/paneId: the signature does not list the argument `paneId`; take the page again from the site, or mend whichever of the two is wrong");
        insta::assert_snapshot!(refusal(PLAIN, "paneId: string, ", "pane: string, "), @r#"
wait_for_exit.txt#/inputSchema/properties/paneId: the signature does not list the argument `paneId`; take the page again from the site, or mend whichever of the two is wrong
wait_for_exit.txt, line 18: the signature lists the argument `pane`, which the schema does not have; take the page again from the site, or mend whichever of the two is wrong
"#);
        insta::assert_snapshot!(refusal(PLAIN, "paneId: string, ", "paneId - string, "), @"wait_for_exit.txt, line 18: the arguments of the signature cannot be read; take the page again from the site, or mend whichever of the two is wrong");
    }

    #[test]
    fn fields_that_disagree() {
        insta::assert_snapshot!(refusal(PLAIN, r#""completed" | "timed_out""#, r#""completed" | "timeout""#), @r#"wait_for_exit.txt#/outputSchema/properties/outcome: line 61 gives the type `"completed" | "timeout" | "gone" | "cancelled"`, the schema another one; take the page again from the site, or mend whichever of the two is wrong"#);
        insta::assert_snapshot!(refusal(PLAIN, r#" | "gone" | "#, " | "), @r#"wait_for_exit.txt#/outputSchema/properties/outcome: line 61 gives the type `"completed" | "timed_out" | "cancelled"`, the schema another one; take the page again from the site, or mend whichever of the two is wrong"#);
        insta::assert_snapshot!(refusal(PLAIN, "signal (string | null) #", "signal? (string) #"), @r#"
wait_for_exit.txt#/outputSchema/properties/signal: line 65 gives the type `string`, the schema another one; take the page again from the site, or mend whichever of the two is wrong
wait_for_exit.txt#/outputSchema/properties/signal: line 65 shows the field as optional, the schema requires it; take the page again from the site, or mend whichever of the two is wrong
"#);
        insta::assert_snapshot!(refusal(PLAIN, "  • signal (string | null) #", "  • signals (string | null) #"), @r#"
wait_for_exit.txt#/outputSchema/properties/signal: the section Result does not list the field `signal`; take the page again from the site, or mend whichever of the two is wrong
wait_for_exit.txt, line 65: the section Result lists the field `signals`, which the schema does not have; take the page again from the site, or mend whichever of the two is wrong
"#);
        insta::assert_snapshot!(refusal(PLAIN, "Result#", "Results"), @r#"
wait_for_exit.txt: the page has no section Result, yet its schema has fields; take the page again from the site, whole
wait_for_exit.txt, line 47: the section Arguments lists the argument `effectiveTimeoutMs`, which the schema does not have; take the page again from the site, or mend whichever of the two is wrong
wait_for_exit.txt, line 55: the section Arguments lists the argument `exitStatus`, which the schema does not have; take the page again from the site, or mend whichever of the two is wrong
wait_for_exit.txt, line 61: the section Arguments lists the argument `outcome`, which the schema does not have; take the page again from the site, or mend whichever of the two is wrong
wait_for_exit.txt, line 65: the section Arguments lists the argument `signal`, which the schema does not have; take the page again from the site, or mend whichever of the two is wrong
"#);
    }

    #[test]
    fn open_and_closed() {
        insta::assert_snapshot!(refusal(MARKDOWN, "  No other arguments are accepted.\n", ""), @"exit_copy_mode.md#/inputSchema/additionalProperties: the schema is closed, the section Arguments does not say `No other arguments are accepted.`; take the page again from the site, or mend whichever of the two is wrong");
        insta::assert_snapshot!(refusal(MARKDOWN, "    \"additionalProperties\": false,\n", ""), @"exit_copy_mode.md#/inputSchema/additionalProperties: line 47 says `No other arguments are accepted.`, the schema accepts them; take the page again from the site, or mend whichever of the two is wrong");
        insta::assert_snapshot!(refusal(PLAIN, "No other properties are accepted.\n", ""), @"wait_for_exit.txt#/outputSchema/additionalProperties: the schema is closed, the section Result does not say `No other properties are accepted.`; take the page again from the site, or mend whichever of the two is wrong");
        insta::assert_snapshot!(refusal(PLAIN, "\"additionalProperties\": false,\n", ""), @"wait_for_exit.txt#/outputSchema/additionalProperties: line 69 says `No other properties are accepted.`, the schema accepts them; take the page again from the site, or mend whichever of the two is wrong");
        insta::assert_snapshot!(refusal(PLAIN, "Result#", "No other arguments are accepted.\n\nResult#"), @"wait_for_exit.txt#/inputSchema/additionalProperties: line 43 says `No other arguments are accepted.`, the schema accepts them; take the page again from the site, or mend whichever of the two is wrong");
    }

    #[test]
    fn constraints_that_disagree() {
        insta::assert_snapshot!(refusal(PLAIN, "\n    \"^%\\\\d+$\"\n", "\n    \"^@\\\\d+$\"\n"), @r#"wait_for_exit.txt#/inputSchema/properties/paneId/pattern: line 32 gives pattern `"^@\\d+$"`, the schema has `"^%\\d+$"`; take the page again from the site, or mend whichever of the two is wrong"#);
        insta::assert_snapshot!(refusal(PLAIN, "\"pattern\": \"^%\\\\d+$\",\n", ""), @r#"wait_for_exit.txt#/inputSchema/properties/paneId/pattern: line 32 gives pattern `"^%\\d+$"`, the schema has none; take the page again from the site, or mend whichever of the two is wrong"#);
        insta::assert_snapshot!(refusal(PLAIN, "    exclusiveMinimum\n    0\n", ""), @"wait_for_exit.txt#/inputSchema/properties/timeoutMs/exclusiveMinimum: the schema has the constraint exclusiveMinimum, which the page does not show below line 34; take the page again from the site, or mend whichever of the two is wrong");
        insta::assert_snapshot!(refusal(PLAIN, "    exclusiveMinimum\n    0\n", "    exclusiveMinimum\n    1\n"), @"wait_for_exit.txt#/inputSchema/properties/timeoutMs/exclusiveMinimum: line 40 gives exclusiveMinimum `1`, the schema has `0`; take the page again from the site, or mend whichever of the two is wrong");
        insta::assert_snapshot!(refusal(PLAIN, "    minimum\n    -9007199254740991\n", "    minLength\n    1\n"), @r#"
wait_for_exit.txt#/outputSchema/properties/effectiveTimeoutMs/minLength: line 51 gives minLength `1`, the schema has none; take the page again from the site, or mend whichever of the two is wrong
wait_for_exit.txt#/outputSchema/properties/effectiveTimeoutMs/minimum: the schema has the constraint minimum, which the page does not show below line 47; take the page again from the site, or mend whichever of the two is wrong
"#);
        insta::assert_snapshot!(refusal(PLAIN, "    Matches one or more variants.\n", ""), @"wait_for_exit.txt#/outputSchema/properties/exitStatus: the page does not show variants below line 55, the schema has some; take the page again from the site, or mend whichever of the two is wrong");
        insta::assert_snapshot!(refusal(MARKDOWN, "    Session ID for pane resolution.\n", "    Session ID.\n\n    minLength\n\n    `1`\n"), @"exit_copy_mode.md#/inputSchema/properties/session_id/minLength: line 35 gives minLength `1`, the schema has none; take the page again from the site, or mend whichever of the two is wrong");
    }

    #[test]
    fn annotations_that_are_missing_or_unknown() {
        insta::assert_snapshot!(refusal(HEADINGS, "idempotentHint: false\n", ""), @"respawn_pane.txt, line 113: the section Annotations does not give idempotentHint; take the page again from the site");
        insta::assert_snapshot!(refusal(HEADINGS, "idempotentHint: false\n", "idempotentHint: maybe\n"), @"respawn_pane.txt, line 116: the annotation idempotentHint is neither true nor false, but `maybe`; take the page again from the site");
        insta::assert_snapshot!(refusal(HEADINGS, "idempotentHint: false\n", "idempotentHint: false\nhugeHint: true\n"), @"respawn_pane.txt, line 117: `hugeHint` is no annotation that is known; known are destructiveHint, idempotentHint, openWorldHint, readOnlyHint");
        insta::assert_snapshot!(refusal(HEADINGS, "idempotentHint: false\n", "idempotentHint: false\nidempotentHint: true\n"), @"respawn_pane.txt, line 117: the annotation idempotentHint stands here a second time; take the page again from the site");
        insta::assert_snapshot!(refused(MARKDOWN, &text(MARKDOWN).replace("## Annotations", "## Notes")), @"exit_copy_mode.md: the page has no section Annotations; take the page again from the site, whole");
        insta::assert_snapshot!(refused(MARKDOWN, &text(MARKDOWN).replace("## Protocol data", "## Data")), @"exit_copy_mode.md: the page has no section Protocol data; take the page again from the site, whole");
    }

    #[test]
    fn schemas_that_are_none() {
        insta::assert_snapshot!(refusal(PLAIN, "Input schema\n{", "Input schema\n"), @"wait_for_exit.txt, line 86: no JSON object follows `Input schema`; take the page again from the site, whole");
        insta::assert_snapshot!(refusal(PLAIN, "\"pattern\": \"^%\\\\d+$\",", "\"pattern\": \"^%\\\\d+$\""), @"wait_for_exit.txt, line 93: the JSON of `Input schema` does not parse: expected `,` or `}`; take the page again from the site, whole");
        insta::assert_snapshot!(refusal(PLAIN, "\"required\": [\n\"paneId\"\n],", "\"required\": \"paneId\","), @r#"wait_for_exit.txt#/inputSchema/required: this is no valid JSON schema: value is not of type "array"; take the page again from the site, whole"#);
        insta::assert_snapshot!(refusal(PLAIN, "\"pattern\": \"^%\\\\d+$\",", "\"pattern\": \"(\","), @r#"wait_for_exit.txt#/inputSchema/properties/paneId/pattern: this is no valid JSON schema: value is not a "regex"; take the page again from the site, whole"#);
        insta::assert_snapshot!(refusal(PLAIN, "\"exclusiveMinimum\": 0,\n", "\"exclusiveMinimum\": 0,\n\"exclusiveMinimum\": 1,\n"), @"wait_for_exit.txt, line 98: the JSON of `Input schema` does not parse: the key `exclusiveMinimum` stands twice in one object; take the page again from the site, whole");
        insta::assert_snapshot!(refusal(PLAIN, "\"required\": [\n\"paneId\"\n],\n\"type\": \"object\"", "\"required\": [\n\"paneId\"\n],\n\"type\": \"array\""), @"wait_for_exit.txt#/inputSchema/type: the schema's root is not of type `object`; MCP wants an object at the root; take the page again from the site");
        insta::assert_snapshot!(refusal(PLAIN, "\nOutput schema\n", "\n"), @r#"
wait_for_exit.txt, line 106: the JSON of `Input schema` ends here, yet more of it follows; take the page again from the site, whole
wait_for_exit.txt, line 47: the page lists the field `effectiveTimeoutMs`, but has no output schema; take the page again from the site, whole
"#);
        insta::assert_snapshot!(refused(PLAIN, &text(PLAIN).replace("9007199254740991", "90071992547409910000")), @r#"
wait_for_exit.txt, line 108: the integer 90071992547409910000 in `Output schema` does not fit into 64 bits; it could not be kept exactly; leave the bound out
wait_for_exit.txt, line 87: the integer 90071992547409910000 in `Input schema` does not fit into 64 bits; it could not be kept exactly; leave the bound out
"#);
        insta::assert_snapshot!(refused(PLAIN, &text(PLAIN).replace("Input schema", "Input")), @"wait_for_exit.txt: the page has no line `Input schema`; take the page again from the site, whole");
        insta::assert_snapshot!(refusal(PLAIN, "\"$schema\": \"http://json-schema.org/draft-07/schema#\",\n\"properties\"", "\"$schema\": 7,\n\"properties\""), @r#"wait_for_exit.txt#/inputSchema/$schema: this is no valid JSON schema: value is not of type "string"; take the page again from the site, whole"#);
    }

    #[test]
    fn pages_of_something_else() {
        insta::assert_snapshot!(refused("p", ""), @"p: the page is empty; save the page of one tool");
        insta::assert_snapshot!(refused("p", "\u{feff} \r\n\n"), @"p: the page is empty; save the page of one tool");
        insta::assert_snapshot!(refused("p", "<!DOCTYPE html>\n<html><body>502 Bad Gateway</body></html>"), @"p: this is HTML, not the text of a tool's page; save the page's text, or the Markdown at its address with `.md`");
        insta::assert_snapshot!(refused("p", "# The tools\n\nThere are many.\n"), @"p: this is no tool's page: it has no sentence `Send <name> as the tool name` and no line `Input schema`; save the page of one tool, whole");
        insta::assert_snapshot!(refused("p", "Input schema\n{}\n"), @"p: this is no tool's page: it has no sentence `Send <name> as the tool name`; save the page of one tool, whole");
        insta::assert_snapshot!(refused("p", "Send x as the tool name"), @r#"
p: no badge `tool MCP<channel>` says which channel the page is from; put its address at the top: `Source: https://libtmux.org/en/<port>/<channel>/mcp/tools/<tool>/`
p: no heading names the tool `x`; take the page again from the site, whole
p: the page has no line `Input schema`; take the page again from the site, whole
p: the page has no section Annotations; take the page again from the site, whole
p, line 1: the description of the tool is empty; take the page again from the site, whole
"#);
    }

    #[test]
    fn descriptions_that_are_missing() {
        let text = text(PLAIN);
        let start = text.find("Inspect tmux").unwrap();
        let end = text.find("MCP request method").unwrap();
        insta::assert_snapshot!(refused(PLAIN, &format!("{}{}", &text[..start], &text[end..])), @"wait_for_exit.txt, line 20: the description of the tool is empty; take the page again from the site, whole");
        insta::assert_snapshot!(refusal(MARKDOWN, "> Exit copy mode in", "> Enter copy mode in"), @"exit_copy_mode.md, line 16: the description does not begin with the summary of line 5; take the page again from the site, whole");
    }

    #[test]
    fn origins_that_are_unknown() {
        insta::assert_snapshot!(refusal(MARKDOWN, "tool MCPstable", "tool MCPlatest"), @"exit_copy_mode.md: the address names the channel stable, the badge latest; take the page again from the site");
        insta::assert_snapshot!(refusal(MARKDOWN, "Source: https://libtmux.org/en/py/", "Source: https://libtmux.org/"), @"exit_copy_mode.md, line 3: https://libtmux.org/stable/mcp/tools/exit_copy_mode/ is no address of a tool's page; put its address at the top: `Source: https://libtmux.org/en/<port>/<channel>/mcp/tools/<tool>/`");
        insta::assert_snapshot!(refusal(MARKDOWN, "\n> Exit", "\nRust MCP reference\n\n> Exit"), @"exit_copy_mode.md: the address names the port py, the breadcrumb rs; take the page again from the site");
        insta::assert_snapshot!(refusal(HEADINGS, "Python MCP reference", "Basic MCP reference"), @"respawn_pane.txt, line 1: no port is known by the name Basic; put its address at the top: `Source: https://libtmux.org/en/<port>/<channel>/mcp/tools/<tool>/`");
        insta::assert_snapshot!(refused(PLAIN, &text(PLAIN).replace("\"$schema\": \"http://json-schema.org/draft-07/schema#\",\n", "")), @"wait_for_exit.txt: which port the page is from cannot be told: it has no address, no breadcrumb, and a schema of no one style; put its address at the top: `Source: https://libtmux.org/en/<port>/<channel>/mcp/tools/<tool>/`");
        insta::assert_snapshot!(refusal(PLAIN, "tool MCPlatest\n", ""), @"wait_for_exit.txt: no badge `tool MCP<channel>` says which channel the page is from; put its address at the top: `Source: https://libtmux.org/en/<port>/<channel>/mcp/tools/<tool>/`");
    }

    #[test]
    fn every_fault_is_told() {
        let text = edited(PLAIN, "paneId: string, ", "paneId: integer, ")
            .replace("idempotentHint\nfalse", "idempotentHint\nno")
            .replace("signal (string | null)", "signal? (string | null)")
            .replace("No other properties are accepted.", "");
        insta::assert_snapshot!(refused(PLAIN, &text), @r#"
wait_for_exit.txt#/inputSchema/properties/paneId: line 18 gives the type `integer`, the schema another one; take the page again from the site, or mend whichever of the two is wrong
wait_for_exit.txt#/outputSchema/additionalProperties: the schema is closed, the section Result does not say `No other properties are accepted.`; take the page again from the site, or mend whichever of the two is wrong
wait_for_exit.txt#/outputSchema/properties/signal: line 65 shows the field as optional, the schema requires it; take the page again from the site, or mend whichever of the two is wrong
wait_for_exit.txt, line 75: the annotation idempotentHint is neither true nor false, but `no`; take the page again from the site
"#);
    }
}

mod files {
    use super::*;

    fn bring(schemas: &Path, files: &[PathBuf], today: &str) -> Vec<(String, State)> {
        let imported = import(files, schemas, today).unwrap_or_else(|faults| panic!("{faults}"));
        for tool in &imported {
            assert_eq!(tool.file, schemas.join(format!("{}.json", tool.tool)));
        }
        imported.into_iter().map(|tool| (tool.tool, tool.state)).collect()
    }

    fn refused(schemas: &Path, files: &[PathBuf]) -> String {
        let faults = import(files, schemas, "2026-11-30").unwrap_err().to_string();
        // Folders of the run have names of their own.
        faults
            .replace(&schemas.parent().unwrap().display().to_string(), "…")
            .replace(&path("").display().to_string(), "pages/")
    }

    /// The names and the bytes of all files in a folder.
    fn all(folder: &Path) -> Vec<(String, Vec<u8>)> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<_> = entries
            .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(path).unwrap()))
            .collect();
        files.sort();
        files
    }

    fn seeds() -> Vec<PathBuf> {
        PAGES.iter().map(|file| path(file)).collect()
    }

    struct World {
        folder: tempfile::TempDir,
        schemas: PathBuf,
    }

    impl World {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let schemas = folder.path().join("schemas");
            World { folder, schemas }
        }

        fn with_contract(contract: &str) -> Self {
            let world = World::new();
            fs::create_dir(&world.schemas).unwrap();
            fs::write(world.schemas.join("contract.toml"), contract).unwrap();
            world
        }

        fn page(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
            let path = self.folder.path().join(name);
            fs::write(&path, bytes).unwrap();
            path
        }

        fn contract(&self) -> String {
            fs::read_to_string(self.schemas.join("contract.toml")).unwrap()
        }
    }

    #[test]
    fn the_three_pages_become_files() {
        let world = World::new();
        let states = bring(&world.schemas, &seeds(), "2026-11-30");
        let names = ["exit_copy_mode", "respawn_pane", "wait_for_exit"];
        assert_eq!(states, names.map(|name| (name.to_owned(), State::New)));
        let expected = ["contract.toml", "exit_copy_mode.json", "respawn_pane.json", "wait_for_exit.json"];
        assert_eq!(all(&world.schemas).into_iter().map(|(name, _)| name).collect::<Vec<_>>(), expected);
        for (file, name) in PAGES.iter().zip(names) {
            let written = fs::read_to_string(world.schemas.join(format!("{name}.json"))).unwrap();
            let page = page(file);
            let entry = json!({
                "name": name,
                "description": page.description,
                "annotations": page.annotations,
                "inputSchema": json_below(&text(file), "Input schema"),
                "outputSchema": json_below(&text(file), "Output schema"),
            });
            assert_eq!(written, format!("{}\n", serde_json::to_string_pretty(&entry).unwrap()));
        }
        insta::assert_snapshot!(world.contract(), @r#"
# Where each tool's contract comes from. The import of a page writes the keys that the page tells and leaves the others,
# and all comments, alone. `toolset` is for a person to add where the page does not tell.

[tools.exit_copy_mode]
port = "py"
channel = "stable"
page = "https://libtmux.org/en/py/stable/mcp/tools/exit_copy_mode/"
source = "https://github.com/tmux-python/libtmux-mcp/blob/4daddc0dfca96c43bf521d818bf91564e1434760/src/libtmux_mcp/tools/pane_tools/__init__.py#L189"
imported = "2026-11-30"

[tools.respawn_pane]
port = "py"
channel = "stable"
imported = "2026-11-30"

[tools.wait_for_exit]
port = "ts"
channel = "latest"
imported = "2026-11-30"
tmux = "3.8"
toolset = "inspect"
opener = "Inspect tmux metadata; accepts no client-supplied executable input."
capability = { reach = "none", output = "tmux-metadata" }
"#);
    }

    #[test]
    fn the_same_page_again_changes_nothing() {
        let world = World::new();
        bring(&world.schemas, &seeds(), "2026-11-30");
        let before = all(&world.schemas);
        let states = bring(&world.schemas, &seeds(), "2026-12-24");
        assert!(states.iter().all(|(_, state)| *state == State::Same), "{states:?}");
        assert_eq!(all(&world.schemas), before);
    }

    #[test]
    fn what_a_person_wrote_stays() {
        let world = World::with_contract(concat!(
            "# Of all tools.\r\n[names]\n\"Serialized tmux pane.\" = \"PaneInfo\"\n\n",
            "[tools.respawn_pane] # by hand\ntoolset   = \"execute\" # kills\nport = \"rs\" # wrong\nnote = 1\n\n",
            "[tools.other]\nport = \"go\"\n\n[last]\na = [\n  1, # one\n]\n",
        ));
        let states = bring(&world.schemas, &[path(PAGES[1]), path(PAGES[2])], "2026-11-30");
        assert_eq!(
            states,
            [("respawn_pane".to_owned(), State::New), ("wait_for_exit".to_owned(), State::New)]
        );
        insta::assert_snapshot!(world.contract(), @r#"
# Of all tools.
[names]
"Serialized tmux pane." = "PaneInfo"

[tools.respawn_pane] # by hand
toolset   = "execute" # kills
port = "py" # wrong
note = 1
channel = "stable"
imported = "2026-11-30"

[tools.other]
port = "go"

[tools.wait_for_exit]
port = "ts"
channel = "latest"
imported = "2026-11-30"
tmux = "3.8"
toolset = "inspect"
opener = "Inspect tmux metadata; accepts no client-supplied executable input."
capability = { reach = "none", output = "tmux-metadata" }

[last]
a = [
  1, # one
]
"#);
    }

    #[test]
    fn a_file_of_comments_keeps_them_above_and_its_line_ends() {
        let world = World::with_contract("# Mine.\r\n\r\n# Yours.\r\n");
        bring(&world.schemas, &[path(PAGES[1])], "2026-11-30");
        assert_eq!(
            world.contract(),
            "# Mine.\r\n\r\n# Yours.\r\n\r\n[tools.respawn_pane]\r\nport = \"py\"\r\nchannel = \"stable\"\r\n\
             imported = \"2026-11-30\"\r\n"
        );
    }

    #[test]
    fn a_changed_page_changes_its_files_and_its_date() {
        let world = World::new();
        bring(&world.schemas, &seeds(), "2026-11-30");
        let changed =
            edited(PAGES[2], " Requires tmux 3.8 or newer.", "").replace("Inspect tmux metadata; ", "This ");
        let changed = world.page("page.txt", changed);
        let states = bring(&world.schemas, &[path(PAGES[0]), changed.clone()], "2026-12-24");
        assert_eq!(
            states,
            [("exit_copy_mode".to_owned(), State::Same), ("wait_for_exit".to_owned(), State::Changed)]
        );
        insta::assert_snapshot!(world.contract(), @r#"
# Where each tool's contract comes from. The import of a page writes the keys that the page tells and leaves the others,
# and all comments, alone. `toolset` is for a person to add where the page does not tell.

[tools.exit_copy_mode]
port = "py"
channel = "stable"
page = "https://libtmux.org/en/py/stable/mcp/tools/exit_copy_mode/"
source = "https://github.com/tmux-python/libtmux-mcp/blob/4daddc0dfca96c43bf521d818bf91564e1434760/src/libtmux_mcp/tools/pane_tools/__init__.py#L189"
imported = "2026-11-30"

[tools.respawn_pane]
port = "py"
channel = "stable"
imported = "2026-11-30"

[tools.wait_for_exit]
port = "ts"
channel = "latest"
imported = "2026-12-24"
toolset = "inspect"
"#);
        let before = all(&world.schemas);
        bring(&world.schemas, &[changed], "2027-01-01");
        assert_eq!(all(&world.schemas), before);
    }

    #[test]
    fn a_tmux_set_by_hand_stays_where_the_page_says_nothing() {
        let world = World::with_contract("[tools.respawn_pane]\ntmux = \"3.2\"\npage = \"https://x\"\n");
        bring(&world.schemas, &[path(PAGES[1])], "2026-11-30");
        assert!(world.contract().starts_with("[tools.respawn_pane]\ntmux = \"3.2\"\npage = \"https://x\"\n"));
    }

    #[test]
    fn a_row_may_be_written_in_other_ways() {
        for contract in [
            "[tools]\nwait_for_exit = { port = \"py\" }\n",
            "tools.wait_for_exit.port = \"py\"\n",
            "[tools.wait_for_exit]\nport = \"py\"\n[tools.wait_for_exit.capability]\nreach = \"none\" # nothing\n",
            "tools = {}\n",
        ] {
            let world = World::with_contract(contract);
            bring(&world.schemas, &[path(PAGES[2])], "2026-11-30");
            let read: toml::Table = world.contract().parse().unwrap();
            let row = &read["tools"]["wait_for_exit"];
            assert_eq!(row["port"].as_str(), Some("ts"), "{contract}");
            assert_eq!(row["capability"]["output"].as_str(), Some("tmux-metadata"), "{contract}");
            let before = all(&world.schemas);
            assert_eq!(bring(&world.schemas, &[path(PAGES[2])], "2027-01-01")[0].1, State::Same);
            assert_eq!(all(&world.schemas), before);
        }
    }

    #[test]
    fn one_bad_page_stops_all_and_every_fault_is_told() {
        let world = World::new();
        let bad = world.page("bad.txt", edited(PAGES[2], "signal (string | null)", "signal (string)"));
        let html = world.page("page.html", "<html>404</html>");
        let binary = world.page("binary", b"one\n\xff\xfe");
        let missing = world.folder.path().join("missing.txt");
        let files = [path(PAGES[0]), bad, html, binary, missing, world.folder.path().to_owned()];
        insta::assert_snapshot!(refused(&world.schemas, &files), @r#"
…: cannot read the page: Is a directory (os error 21); name a file that holds one page
…/bad.txt#/outputSchema/properties/signal: line 65 gives the type `string`, the schema another one; take the page again from the site, or mend whichever of the two is wrong
…/binary, line 2: the page is not UTF-8; save it as UTF-8 text
…/missing.txt: cannot read the page: No such file or directory (os error 2); name a file that holds one page
…/page.html: this is HTML, not the text of a tool's page; save the page's text, or the Markdown at its address with `.md`
"#);
        assert!(!world.schemas.exists());
    }

    #[test]
    fn a_tool_comes_once() {
        let world = World::new();
        let twin = world.page("twin.txt", text(PAGES[2]));
        insta::assert_snapshot!(refused(&world.schemas, &[path(PAGES[2]), twin]), @"…/twin.txt: this is a second page for the tool `wait_for_exit`; import either this one or pages/wait_for_exit.txt");
        assert!(!world.schemas.exists());
    }

    #[test]
    fn a_contract_that_cannot_be_edited_stops_all() {
        for contract in
            ["[tools.\n", "a = 1\na = 2\n", "tools = 3\n", "[tools]\nwait_for_exit = 3\n", "[[tools]]\n"]
        {
            let world = World::with_contract(contract);
            let said = refused(&world.schemas, &seeds());
            let first = said.lines().next().unwrap();
            assert!(
                first.starts_with("…/schemas/contract.toml, ")
                    && first.ends_with("mend it, then import again"),
                "{said}"
            );
            assert_eq!(all(&world.schemas), [("contract.toml".to_owned(), contract.as_bytes().to_vec())]);
        }
        let world = World::with_contract("");
        fs::write(world.schemas.join("contract.toml"), b"# \xff").unwrap();
        insta::assert_snapshot!(refused(&world.schemas, &seeds()), @"…/schemas/contract.toml: the file is not UTF-8; mend it, then import again");
    }

    #[test]
    fn a_folder_that_cannot_be_written_stops_all() {
        let world = World::new();
        fs::write(&world.schemas, "a file").unwrap();
        insta::assert_snapshot!(refused(&world.schemas, &seeds()), @"…/schemas/contract.toml: cannot read it: Not a directory (os error 20)");
        let world = World::new();
        insta::assert_snapshot!(refused(&world.schemas.join("deeper/schemas"), &seeds()), @"…/schemas: cannot make the folder: No such file or directory (os error 2); nothing was imported; mend that and import again");
        let world = World::with_contract("");
        fs::create_dir(world.schemas.join("respawn_pane.json")).unwrap();
        insta::assert_snapshot!(refused(&world.schemas, &seeds()), @"…/schemas/respawn_pane.json: cannot read it: Is a directory (os error 21)");
        assert_eq!(world.contract(), "");
        assert_eq!(fs::read_dir(&world.schemas).unwrap().count(), 2);
    }

    #[test]
    fn a_day_is_a_day() {
        let world = World::new();
        let said = import(&seeds(), &world.schemas, "today").unwrap_err().to_string();
        insta::assert_snapshot!(said, @"today: `today` is no day; write it as `2026-11-30`");
        assert!(!world.schemas.exists());
    }

    #[cfg(unix)]
    #[test]
    fn files_are_as_readable_as_any() {
        use std::os::unix::fs::PermissionsExt;
        let world = World::new();
        bring(&world.schemas, &seeds(), "2026-11-30");
        let plain = world.page("plain", "");
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        for (name, _) in all(&world.schemas) {
            assert_eq!(mode(&world.schemas.join(&name)), mode(&plain), "{name}");
        }
    }
}

mod broken {
    use super::*;

    /// A page that still passes must say what it shows: schemas as its JSON, annotations as its text.
    fn holds(page: &Page, text: &str) -> Result<(), TestCaseError> {
        // A non-breaking space between two tokens is read as a space.
        let json =
            |label| json_below(text, label).or_else(|| json_below(&text.replace('\u{a0}', " "), label));
        prop_assert_eq!(Some(page.input_schema.clone()), json("Input schema"));
        prop_assert_eq!(page.output_schema.clone(), json("Output schema"));
        let keys: Vec<&String> = page.annotations.keys().collect();
        prop_assert_eq!(keys.len(), 4);
        let section = &text[text.find("Annotations").unwrap()..text.rfind("Input schema").unwrap()];
        for (hint, value) in &page.annotations {
            let after = &section[section.find(hint.as_str()).unwrap()..];
            let (yes, no) = (after.find("true"), after.find("false"));
            let first =
                if yes.unwrap_or(usize::MAX) < no.unwrap_or(usize::MAX) { json!(true) } else { json!(false) };
            prop_assert_eq!(value, &first);
        }
        Ok(())
    }

    /// What the prose repeats of a schema: not the texts, nor the bounds of variants, nor any order, nor the type of values
    /// that it lists.
    fn skeleton(schema: &Value) -> Value {
        let Value::Object(object) = schema else { return schema.clone() };
        let listed = object.contains_key("enum");
        let property = !object.contains_key("properties");
        let mut bones = serde_json::Map::new();
        for (key, value) in object {
            let bone = match (key.as_str(), value) {
                ("properties", Value::Object(map)) => {
                    Value::Object(map.iter().map(|(name, schema)| (name.clone(), skeleton(schema))).collect())
                }
                ("anyOf", Value::Array(list)) => sorted(list.iter().map(|variant| json!([variant["type"]]))),
                ("type", Value::Array(list)) if !listed => sorted(list.iter().cloned()),
                ("required" | "enum", Value::Array(list)) => sorted(list.iter().cloned()),
                ("type", _) if !listed => value.clone(),
                ("default" | "additionalProperties", _) => value.clone(),
                ("pattern" | "minimum" | "maximum" | "exclusiveMinimum", _) if property => value.clone(),
                _ => continue,
            };
            bones.insert(key.clone(), bone);
        }
        Value::Object(bones)
    }

    fn sorted(values: impl Iterator<Item = Value>) -> Value {
        let mut values: Vec<Value> = values.collect();
        values.sort_by_key(Value::to_string);
        Value::Array(values)
    }

    fn same_skeleton(page: &Page, whole: &Page) -> Result<(), TestCaseError> {
        prop_assert_eq!(skeleton(&page.input_schema), skeleton(&whole.input_schema));
        prop_assert_eq!(
            page.output_schema.as_ref().map(skeleton),
            whole.output_schema.as_ref().map(skeleton)
        );
        prop_assert_eq!(&page.name, &whole.name);
        Ok(())
    }

    fn join(lines: &[&str]) -> String {
        lines.join("\n")
    }

    /// Every line of every page is deleted once. What then still passes with another contract is what no prose repeats.
    #[test]
    fn no_lost_line_changes_what_the_prose_repeats() {
        let mut silent = Vec::new();
        for file in PAGES {
            let (text, whole) = (text(file), page(file));
            let lines: Vec<&str> = text.lines().collect();
            for at in 0..lines.len() {
                let mut lines = lines.clone();
                let lost = lines.remove(at).trim();
                let text = join(&lines);
                let Ok(page) = parse(file, &text) else { continue };
                holds(&page, &text).unwrap();
                same_skeleton(&page, &whole).unwrap();
                assert_eq!(page.annotations, whole.annotations, "{lost}");
                assert_eq!((&page.port, &page.channel), (&whole.port, &whole.channel), "{lost}");
                assert!(page.description == whole.description || whole.description.contains(lost), "{lost}");
                if (&page.input_schema, &page.output_schema) != (&whole.input_schema, &whole.output_schema) {
                    let key = lost.split(':').next().unwrap().to_owned();
                    silent.push(format!("{file} {key}"));
                }
            }
        }
        silent.sort();
        silent.dedup();
        insta::assert_snapshot!(silent.join("\n"), @r#"
exit_copy_mode.md "description"
respawn_pane.txt "description"
wait_for_exit.txt "$schema"
wait_for_exit.txt "description"
wait_for_exit.txt "maximum"
wait_for_exit.txt "minimum"
"#);
    }

    #[test]
    fn no_cut_page_changes_its_contract() {
        for file in PAGES {
            let (text, whole) = (text(file), page(file));
            let cuts: Vec<usize> = (0..=text.len()).filter(|at| text.is_char_boundary(*at)).collect();
            // Every cut of the last part, where the schemas end, and some of the rest: a page takes milliseconds.
            let last = cuts.len() - 400;
            let passed = cuts.iter().enumerate().filter(|(index, _)| *index >= last || index % 61 == 0);
            let passed = passed.filter_map(|(_, at)| parse(file, &text[..*at]).ok()).collect::<Vec<_>>();
            assert!(!passed.is_empty());
            assert!(passed.iter().all(|page| *page == whole), "{file}");
        }
    }

    #[derive(Debug, Clone)]
    enum Edit {
        Delete(usize),
        Repeat(usize),
        Swap(usize, usize),
        Cut(usize),
        Insert(usize, char),
        Remove(usize),
    }

    fn edit() -> impl Strategy<Value = Edit> {
        let at = || any::<prop::sample::Index>().prop_map(|index| index.index(1 << 20));
        prop_oneof![
            at().prop_map(Edit::Delete),
            at().prop_map(Edit::Repeat),
            (at(), at()).prop_map(|(a, b)| Edit::Swap(a, b)),
            (at(), Just(1)).prop_map(|(a, b)| Edit::Swap(a, a + b)),
            at().prop_map(Edit::Cut),
            (at(), prop::sample::select("{}[]()<>\"'`*\\,:|?=#• \u{a0}\n\r\0é𝄞".chars().collect::<Vec<_>>()))
                .prop_map(|(at, c)| Edit::Insert(at, c)),
            at().prop_map(Edit::Remove),
        ]
    }

    fn apply(text: &str, edit: &Edit) -> String {
        let mut lines: Vec<&str> = text.split('\n').collect();
        let count = lines.len();
        let letter = |at: &usize| text.char_indices().map(|(at, _)| at).nth(at % text.chars().count().max(1));
        match edit {
            Edit::Delete(at) => drop(lines.remove(at % count)),
            Edit::Repeat(at) => lines.insert(at % count, lines[at % count]),
            Edit::Swap(a, b) => lines.swap(a % count, b % count),
            Edit::Cut(at) => return text[..letter(at).unwrap_or(0)].to_owned(),
            Edit::Insert(at, c) => {
                let (before, after) = text.split_at(letter(at).unwrap_or(0));
                return format!("{before}{c}{after}");
            }
            Edit::Remove(at) => {
                let mut text = text.to_owned();
                if !text.is_empty() {
                    text.remove(letter(at).unwrap_or(0));
                }
                return text;
            }
        }
        join(&lines)
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

        #[test]
        fn any_text_is_read_without_a_panic(text in "\\PC{0,200}") {
            prop_assert!(parse("p", &text).is_err());
        }

        #[test]
        fn any_text_in_a_page_is_read_without_a_panic(
            heading in "(# )?\\PC{0,20}", body in "(\\PC|\n|\\* \\*\\*|\\[|\\]|\\(|\\)|`|\\*){0,120}", json in "\\PC{0,60}",
        ) {
            let text = format!(
                "{heading}\ntool MCPlatest\n`x`\n{body}\nMCP request method: Send x as the tool name\nArguments#\n{body} #\nResult\n\
                 {body}\nAnnotations\n{body}\nProtocol data\nInput schema\n{{{json}}}\nOutput schema\n{{}}"
            );
            prop_assert!(parse("p", &text).is_err());
        }

        #[test]
        fn a_broken_page_is_refused_or_says_what_it_shows(
            file in prop::sample::select(PAGES.to_vec()), edits in prop::collection::vec(edit(), 1..4),
        ) {
            let text = edits.iter().fold(text(file), |text, edit| apply(&text, edit));
            if let Ok(broken) = parse(file, &text) {
                holds(&broken, &text)?;
                // Two edits can take away a thing and what repeats it.
                if edits.len() == 1 {
                    same_skeleton(&broken, &page(file))?;
                }
            }
        }
    }
}
