//! Through a tool's types and back, by the tool's name: what tests hold the types to the contract with.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::model::Api;
use crate::rust::shape_tokens;

/// `fn recode_arguments` and `fn recode_result`.
pub fn emit(api: &Api) -> TokenStream {
    let arguments = api.tools.iter().map(|tool| {
        let (wire, args) = (&tool.name, format_ident!("{}", tool.args));
        quote!(#wire => Some(recode::<types::#args>(value)),)
    });
    let results = api.tools.iter().map(|tool| {
        let (wire, output) = (&tool.name, shape_tokens(&tool.output));
        quote!(#wire => Some(recode::<#output>(value)),)
    });
    quote! {
        //! Through a tool's types and back, by the tool's name.

        use serde_json::{Error, Value};

        #[allow(unused_imports, reason = "only what the contract's results name")]
        use super::types::{self, *};
        use super::runtime::recode;

        /// Decodes a tool's arguments and encodes them again; `None` for an unknown tool.
        pub fn recode_arguments(tool: &str, value: Value) -> Option<Result<Value, Error>> {
            match tool {
                #(#arguments)*
                _ => None,
            }
        }

        /// Decodes a tool's result, unwrapped, and encodes it again; `None` for an unknown tool.
        pub fn recode_result(tool: &str, value: Value) -> Option<Result<Value, Error>> {
            match tool {
                #(#results)*
                _ => None,
            }
        }
    }
}
