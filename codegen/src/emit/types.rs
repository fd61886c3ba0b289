//! The types: a file per tool, and one for those that several tools share.

use std::collections::{BTreeMap, BTreeSet};

use quote::{format_ident, quote};
use syn::Item;

use super::{Files, add, builder};
use crate::fault::Faults;
use crate::model::{Api, Definition};
use crate::rust;

/// The file of the types that several tools share.
const SHARED: &str = "shared";

/// `types/mod.rs`, `types/shared.rs` and a `types/<tool>.rs` for each tool.
///
/// # Errors
///
/// What typify refuses.
pub fn emit(api: &Api, files: &mut Files) -> Result<(), Faults> {
    let mut items = rust::types(api)?;
    let mut modules: BTreeMap<String, (String, Vec<Item>)> = BTreeMap::new();
    for definition in &api.types {
        let (module, source) = home(api, definition);
        let items = items.remove(&definition.name).unwrap_or_default();
        let builder =
            builder::emit(definition, &items, api.tools.iter().any(|tool| tool.args == definition.name));
        let (_, all) = modules.entry(module).or_insert_with(|| (source, Vec::new()));
        all.extend(items);
        all.extend(builder);
    }
    for (module, (source, items)) in &modules {
        let about = match module.as_str() {
            SHARED => " Types that several tools share.".to_owned(),
            _ => format!(" The types of {source}."),
        };
        let tokens = quote! {
            #![doc = #about]

            #[allow(unused_imports, reason = "only what the types here need")]
            use super::*;

            #(#items)*
        };
        add(files, &format!("types/{module}.rs"), source, &tokens);
    }
    let modules: BTreeSet<&String> = modules.keys().collect();
    let names: Vec<_> = modules.iter().map(|module| format_ident!("{module}")).collect();
    let mut rest: Vec<Item> = items.into_values().flatten().collect();
    keep_what_is_called(&mut rest, files);
    let tokens = quote! {
        //! The types of all arguments and results.

        #![allow(missing_docs, reason = "the contract need not describe every field")]

        #(mod #names;)*

        #(pub use #names::*;)*

        #(#rest)*
    };
    add(files, "types/mod.rs", "schemas/*.json", &tokens);
    Ok(())
}

/// Leaves out functions for defaults that no type calls; typify writes some in reserve.
fn keep_what_is_called(items: &mut Vec<Item>, files: &Files) {
    for item in items.iter_mut() {
        let Item::Mod(module) = item else { continue };
        let (name, Some((_, functions))) = (module.ident.to_string(), &mut module.content) else { continue };
        functions.retain(|item| match item {
            Item::Fn(function) => {
                let path = format!("{name}::{}", function.sig.ident);
                files.values().any(|text| text.contains(&path))
            }
            _ => true,
        });
    }
    items.retain(|item| !matches!(item, Item::Mod(module) if module.content.as_ref().is_some_and(|(_, all)| all.is_empty())));
}

fn home(api: &Api, definition: &Definition) -> (String, String) {
    let tool = api.tools.iter().find(|tool| Some(&tool.name) == definition.owner.as_ref());
    match tool {
        Some(tool) => {
            // A tool may be called as the shared file is, or as what typify writes beside the types.
            let module = crate::lower::method(&tool.name);
            let taken = [SHARED, "error", "defaults"].contains(&module.as_str());
            (if taken { format!("{module}_") } else { module }, tool.file.clone())
        }
        None => (SHARED.to_owned(), "schemas/*.json".to_owned()),
    }
}
