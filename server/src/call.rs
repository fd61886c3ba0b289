//! What happens around every call, once for all tools: what was meant → is it offered → run and check → note.

use std::time::Instant;

use schemux::{Answer, Cx, ToolError, Tools, dispatch, lenient, unknown_tool};
use serde_json::{Map, Value};

use crate::audit;
use crate::surface::Surface;

/// The tools behind what is offered of them.
#[derive(Debug)]
pub struct Calls<T> {
    tools: T,
    surface: Surface,
}

impl<T: Tools> Calls<T> {
    /// Offers the tools of `surface`.
    pub fn new(tools: T, surface: Surface) -> Self {
        Calls { tools, surface }
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
        arguments: Map<String, Value>,
        cx: &Cx,
    ) -> Result<Answer, ToolError> {
        let started = Instant::now();
        let noted = audit::summary(&arguments);
        let result = match self.surface.tool(name) {
            None => Err(unknown_tool(name)),
            Some(tool) => {
                let mut arguments = Value::Object(arguments);
                if let Some(schema) = tool.input_schema() {
                    lenient(schema, &mut arguments);
                }
                match arguments {
                    Value::Object(arguments) => dispatch(&self.tools, name, arguments, cx).await,
                    _ => Err(unknown_tool(name)), // not reached: an object stays one
                }
            }
        };
        audit::note(name, result.as_ref().err(), started.elapsed(), &noted);
        result
    }
}
