//! All tools as they are advertised.

use proc_macro2::TokenStream;
use quote::quote;

use super::constant;
use crate::model::Api;

/// One static per tool and `TOOLS`.
pub fn emit(api: &Api, schemas: &str) -> TokenStream {
    let tools = api.tools.iter().map(|tool| {
        let (constant, name, toolset, wrapped) = (constant(tool), &tool.name, &tool.toolset, tool.wrapped);
        let file = tool.file.rsplit('/').next().unwrap_or(&tool.file);
        let path = format!("{schemas}/{file}");
        let docs = format!(" The tool `{name}`.");
        quote! {
            #[doc = #docs]
            pub static #constant: ToolInfo = ToolInfo::new(#name, #toolset, #wrapped, include_str!(#path));
        }
    });
    let constants = api.tools.iter().map(constant);
    quote! {
        //! All tools as they are advertised.

        use super::runtime::ToolInfo;

        #(#tools)*

        /// All tools, sorted by name.
        pub static TOOLS: &[&ToolInfo] = &[#(&#constants),*];
    }
}
