//! What happens around every call, once for all tools: what was meant → is it offered → run and check → note.

use std::time::Instant;

use schemux::{Answer, Cx, ToolError, ToolInfo, Tools, dispatch, lenient, unknown_tool};
use serde_json::{Map, Value};

use crate::audit;
use crate::surface::Surface;

/// The tools behind what is offered of them.
#[derive(Debug)]
pub struct Calls<T> {
    tools: T,
    surface: Surface,
    defaults: Vec<Default>,
}

/// What an argument is where a call leaves it out, other than its schema says.
#[derive(Debug)]
struct Default {
    tool: &'static str,
    argument: &'static str,
    value: Value,
}

impl<T: Tools> Calls<T> {
    /// Offers the tools of `surface`.
    pub fn new(tools: T, surface: Surface) -> Self {
        Calls { tools, surface, defaults: Vec::new() }
    }

    /// The same, with a setting in the place of the default of a tool's argument.
    #[must_use]
    pub fn with_default(mut self, tool: &'static str, argument: &'static str, value: Value) -> Self {
        self.defaults.push(Default { tool, argument, value });
        self
    }

    /// What is offered.
    pub fn surface(&self) -> &Surface {
        &self.surface
    }

    /// The tools themselves.
    pub fn tools(&self) -> &T {
        &self.tools
    }

    /// Runs one call.
    ///
    /// # Errors
    ///
    /// An unknown or hidden tool (one is like the other), arguments that its schema refuses, the tool's own error.
    pub async fn call(
        &self,
        name: &str,
        mut arguments: Map<String, Value>,
        cx: &Cx,
    ) -> Result<Answer, ToolError> {
        for default in self.defaults.iter().filter(|default| default.tool == name) {
            arguments.entry(default.argument).or_insert_with(|| default.value.clone());
        }
        run(&self.tools, self.surface.tool(name), name, arguments, cx).await
    }
}

/// Runs one call of a tool, which is none if it is not to be had.
///
/// # Errors
///
/// As for [`Calls::call`].
pub async fn run<T: Tools>(
    tools: &T,
    tool: Option<&ToolInfo>,
    name: &str,
    arguments: Map<String, Value>,
    cx: &Cx,
) -> Result<Answer, ToolError> {
    let started = Instant::now();
    // Digests are not made for nobody.
    let noted = audit::is_on().then(|| audit::summary(&arguments));
    let result = match tool {
        None => Err(unknown_tool(name)),
        Some(tool) => {
            let mut arguments = Value::Object(arguments);
            if let Some(schema) = tool.input_schema() {
                lenient(schema, &mut arguments);
            }
            match arguments {
                Value::Object(arguments) => dispatch(tools, name, arguments, cx).await,
                _ => Err(unknown_tool(name)), // not reached: an object stays one
            }
        }
    };
    if let Some(noted) = noted {
        audit::note(name, result.as_ref().err(), started.elapsed(), &noted);
    }
    result
}
