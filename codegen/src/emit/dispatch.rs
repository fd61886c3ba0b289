//! From a tool's name and JSON arguments to the trait's method and back.

use proc_macro2::TokenStream;
use quote::quote;

use super::{constant, method};
use crate::model::Api;

/// `fn dispatch`.
pub fn emit(api: &Api) -> TokenStream {
    let arms = api.tools.iter().map(|tool| {
        let (wire, constant, method) = (&tool.name, constant(tool), method(tool));
        quote!(#wire => call(&catalogue::#constant, arguments, |args| tools.#method(cx, args)).await,)
    });
    quote! {
        //! From a tool's name and JSON arguments to the method and back.

        use serde_json::{Map, Value};

        use super::catalogue;
        use super::runtime::{Answer, Cx, ToolError, call, unknown_tool};
        use super::tools::Tools;

        /// Calls a tool by its name: checks and decodes the arguments, runs it, encodes and checks the result.
        ///
        /// # Errors
        ///
        /// An unknown name, arguments that the schema refuses, the tool's own error, and a result that the schema refuses.
        pub async fn dispatch<T: Tools>(
            tools: &T,
            name: &str,
            arguments: Map<String, Value>,
            cx: &Cx,
        ) -> Result<Answer, ToolError> {
            match name {
                #(#arms)*
                _ => Err(unknown_tool(name)),
            }
        }
    }
}
