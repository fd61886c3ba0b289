//! The trait that a server implements.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::{docs, method};
use crate::model::Api;
use crate::rust::shape_tokens;

/// `trait Tools`: no default bodies, so that a tool without an implementation does not compile.
pub fn emit(api: &Api) -> TokenStream {
    let methods = api.tools.iter().map(|tool| {
        let docs = docs(&tool.docs);
        let name = method(tool);
        let args = format_ident!("{}", tool.args);
        let output = shape_tokens(&tool.output);
        quote! {
            #docs
            fn #name(
                &self,
                cx: &Cx,
                args: types::#args,
            ) -> impl Future<Output = Result<#output, ToolError>> + Send;
        }
    });
    quote! {
        //! What a server implements: one method per tool.

        use std::future::Future;

        #[allow(unused_imports, reason = "only what the contract's results name")]
        use super::types::{self, *};
        use super::runtime::{Cx, ToolError};

        /// The tools. A server implements every one: a tool that the contract gains is an error here until it does.
        pub trait Tools: Send + Sync + 'static {
            #(#methods)*
        }
    }
}
