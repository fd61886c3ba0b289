//! Which tools are offered. Pure: settings in, tools out.

use std::collections::BTreeSet;

use schemux::{TOOLS, ToolInfo};

/// The sets of tools that there are. They are no levels: `inspect,teardown` is as good as any other choice.
pub const TOOLSETS: [&str; 4] = ["inspect", "manage", "execute", "teardown"];

/// The sets that are offered when nothing else is said: what ends things for good is not among them.
const USUAL: [&str; 3] = ["inspect", "manage", "execute"];

/// The tools that are offered. A tool that is not is answered for as one that does not exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Surface {
    toolsets: BTreeSet<&'static str>,
    tools: BTreeSet<&'static str>,
    excluded: BTreeSet<&'static str>,
}

impl Surface {
    /// From lists with commas between; `None` where nothing was said. Empty items count for nothing, so that an empty list
    /// of sets offers no set.
    ///
    /// # Errors
    ///
    /// A sentence that names the sets or tools that there are not.
    pub fn new(toolsets: Option<&str>, tools: Option<&str>, exclude: Option<&str>) -> Result<Self, String> {
        let toolsets = match toolsets {
            None => BTreeSet::from(USUAL),
            Some(list) => known(list, &TOOLSETS, "LIBTMUX_TOOLSETS", "toolset")?,
        };
        let names: Vec<&'static str> = TOOLS.iter().map(|tool| tool.name).collect();
        let named = |list: Option<&str>, setting| known(list.unwrap_or_default(), &names, setting, "tool");
        let more = named(tools, "LIBTMUX_TOOLS")?;
        let fewer = named(exclude, "LIBTMUX_EXCLUDE_TOOLS")?;
        Ok(Surface::of(toolsets, &more, &fewer))
    }

    fn of(toolsets: BTreeSet<&'static str>, more: &BTreeSet<&str>, fewer: &BTreeSet<&str>) -> Self {
        let tools = TOOLS
            .iter()
            .filter(|tool| toolsets.contains(tool.toolset) || more.contains(tool.name))
            .filter(|tool| !fewer.contains(tool.name))
            .map(|tool| tool.name)
            .collect();
        let excluded = TOOLS.iter().map(|tool| tool.name).filter(|name| fewer.contains(name)).collect();
        Surface { toolsets, tools, excluded }
    }

    /// The tools, sorted by name.
    pub fn tools(&self) -> impl Iterator<Item = &'static ToolInfo> + '_ {
        TOOLS.iter().copied().filter(|tool| self.tools.contains(tool.name))
    }

    /// The tool of this name, if it is offered.
    pub fn tool(&self, name: &str) -> Option<&'static ToolInfo> {
        self.tools().find(|tool| tool.name == name)
    }

    /// The tool of this name, offered or not, unless it was excluded by name.
    pub fn not_excluded(&self, name: &str) -> Option<&'static ToolInfo> {
        TOOLS.iter().copied().find(|tool| tool.name == name && !self.excluded.contains(name))
    }

    /// The sets that were chosen, sorted by name.
    pub fn toolsets(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.toolsets.iter().copied()
    }
}

impl Default for Surface {
    fn default() -> Self {
        Surface::of(BTreeSet::from(USUAL), &BTreeSet::new(), &BTreeSet::new())
    }
}

fn known(
    list: &str,
    names: &[&'static str],
    setting: &str,
    what: &str,
) -> Result<BTreeSet<&'static str>, String> {
    let mut found = BTreeSet::new();
    let mut unknown = Vec::new();
    for item in list.split(',').map(str::trim).filter(|item| !item.is_empty()) {
        match names.iter().find(|name| **name == item) {
            Some(name) => {
                found.insert(*name);
            }
            None => unknown.push(format!("`{item}`")),
        }
    }
    if unknown.is_empty() {
        return Ok(found);
    }
    let plural = if unknown.len() == 1 { "" } else { "s" };
    Err(format!("{setting}: no such {what}{plural}: {}; there are {}", unknown.join(", "), names.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(toolsets: Option<&str>, tools: Option<&str>, exclude: Option<&str>) -> Vec<&'static str> {
        Surface::new(toolsets, tools, exclude).unwrap().tools().map(|tool| tool.name).collect()
    }

    #[test]
    fn sets_and_names() {
        assert_eq!(names(Some(""), None, None), Vec::<&str>::new());
        // The 54 tools of the server that this contract is from, and wait_for_exit.
        assert_eq!(names(None, None, None).len(), 48 + 1);
        assert_eq!(names(Some("inspect,manage,execute,teardown"), None, None).len(), 54 + 1);
        let inspect = names(Some(" inspect ,,"), None, None);
        assert_eq!(inspect.len(), 21 + 1);
        assert!(inspect.contains(&"list_panes") && !inspect.contains(&"send_keys"));
        assert_eq!(names(Some(""), Some("respawn_pane"), None), ["respawn_pane"]);
        assert_eq!(names(Some("inspect"), Some("respawn_pane"), Some("respawn_pane")), inspect);
        assert!(TOOLS.iter().all(|tool| TOOLSETS.contains(&tool.toolset)));
        assert!(
            TOOLS
                .iter()
                .all(|tool| tool.toolset == "teardown" || names(None, None, None).contains(&tool.name))
        );
    }

    #[test]
    fn what_is_excluded_is_not_to_be_had_at_all() {
        let surface = Surface::new(Some(""), None, Some("respawn_pane")).unwrap();
        assert!(surface.not_excluded("wait_for_exit").is_some());
        assert!(surface.not_excluded("respawn_pane").is_none() && surface.not_excluded("nope").is_none());
    }

    #[test]
    fn unknown_names_are_named() {
        let error = Surface::new(Some("inspekt,Inspect"), None, None).unwrap_err();
        assert!(
            error.starts_with("LIBTMUX_TOOLSETS: no such toolsets: `inspekt`, `Inspect`; there are inspect"),
            "{error}"
        );
        let error = Surface::new(None, None, Some("nope")).unwrap_err();
        assert!(error.starts_with("LIBTMUX_EXCLUDE_TOOLS: no such tool: `nope`; there are "), "{error}");
    }
}
