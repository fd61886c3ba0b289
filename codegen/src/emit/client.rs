//! The typed client's methods.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::{constant, docs, method};
use crate::model::Api;
use crate::rust::shape_tokens;

/// `impl Client`: one method per tool.
pub fn emit(api: &Api) -> TokenStream {
    let methods = api.tools.iter().map(|tool| {
        let docs = docs(&tool.docs);
        let (name, constant) = (method(tool), constant(tool));
        let args = format_ident!("{}", tool.args);
        let output = shape_tokens(&tool.output);
        quote! {
            #docs
            ///
            /// # Errors
            ///
            /// The tool's own error, arguments or a result that disobey the contract, or a connection that failed.
            pub async fn #name(&self, args: types::#args) -> Result<#output, CallError> {
                self.typed(&catalogue::#constant, args).await
            }
        }
    });
    quote! {
        //! The typed client: one method per tool.

        use super::catalogue;
        #[allow(unused_imports, reason = "only what the contract's results name")]
        use super::types::{self, *};
        use super::runtime::{CallError, Caller, Client};

        impl<T: Caller> Client<T> {
            #(#methods)*
        }
    }
}
