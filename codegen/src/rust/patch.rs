//! What typify cannot know: wire names, the order of fields, documentation as it is, and when `null` is written.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::visit_mut::VisitMut;
use syn::{Attribute, Item, Meta};

use super::docs;
use super::typify::{self, shape_tokens};
use crate::fault::Faults;
use crate::lower::EXTRA;
use crate::model::{Api, Body, Definition, Extra, Field, Shape};

/// The items of each type by its name, those of defaults under `defaults`, those of errors under `error`.
///
/// # Errors
///
/// What typify refuses.
pub fn types(api: &Api) -> Result<BTreeMap<String, Vec<Item>>, Faults> {
    let definitions: BTreeMap<&str, &Definition> =
        api.types.iter().map(|definition| (definition.name.as_str(), definition)).collect();
    let mut items: BTreeMap<String, Vec<Item>> = BTreeMap::new();
    let mut file = typify::file(api)?;
    Shorten.visit_file_mut(&mut file);
    for mut item in file.items {
        let Some(name) = name(&item) else { continue };
        match (&mut item, definitions.get(name.as_str())) {
            (Item::Struct(item), Some(definition)) => structure(item, definition),
            (Item::Enum(item), Some(definition)) => enumeration(item, definition),
            _ => {}
        }
        items.entry(name).or_default().push(item);
    }
    Ok(items)
}

/// Writes the names that Rust's prelude has as people write them.
struct Shorten;

impl VisitMut for Shorten {
    fn visit_path_mut(&mut self, path: &mut syn::Path) {
        syn::visit_mut::visit_path_mut(self, path);
        let segments: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let known = matches!(
            segments.iter().map(String::as_str).collect::<Vec<_>>().as_slice(),
            ["std", "string", "String"]
                | ["std", "vec", "Vec"]
                | ["std", "option", "Option"]
                | ["std", "boxed", "Box"]
                | ["std", "convert", "From" | "TryFrom"]
                | ["std", "result", "Result"]
                | ["std", "default", "Default"]
        );
        if let (true, Some(last)) = (known, path.segments.last().cloned()) {
            *path = syn::Path::from(last);
        }
    }
}

/// The type that an item belongs to.
fn name(item: &Item) -> Option<String> {
    match item {
        Item::Struct(item) => Some(item.ident.to_string()),
        Item::Enum(item) => Some(item.ident.to_string()),
        Item::Mod(item) => Some(item.ident.to_string()),
        Item::Impl(item) => match &*item.self_ty {
            syn::Type::Path(path) => path.path.segments.last().map(|segment| segment.ident.to_string()),
            _ => None,
        },
        _ => None,
    }
}

fn structure(item: &mut syn::ItemStruct, definition: &Definition) {
    let Body::Struct { fields, extra } = &definition.body else { return };
    set_docs(&mut item.attrs, &definition.docs);
    if *extra == Extra::Ignored {
        item.attrs
            .retain(|attribute| !attribute.to_token_stream().to_string().contains("deny_unknown_fields"));
    }
    let syn::Fields::Named(named) = &mut item.fields else { return };
    let mut written: BTreeMap<String, syn::Field> = std::mem::take(&mut named.named)
        .into_iter()
        .filter_map(|field| Some((field.ident.as_ref()?.to_string(), field)))
        .collect();
    for field in fields {
        let Some(mut written) = written.remove(&field.name) else { continue };
        let default = default_function(&written.attrs);
        let (serde, kind) = field_attributes(field, definition.in_output, default);
        written.attrs = serde.into_iter().collect();
        set_docs(&mut written.attrs, &field.docs);
        if let Ok(kind) = syn::parse2(kind) {
            written.ty = kind;
        }
        named.named.push(written);
    }
    if let Some(mut extra) = written.remove(EXTRA) {
        set_docs(&mut extra.attrs, "What stands under names that the contract does not list.");
        named.named.push(extra);
    }
}

/// The function that gives a field's default, where typify has written one.
pub fn default_function(attributes: &[Attribute]) -> Option<syn::LitStr> {
    let mut found = None;
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("serde")) {
        // Other entries of the list are passed over; their values are read so that the parser gets past them.
        let _ = attribute.parse_nested_meta(|meta| {
            if meta.input.peek(syn::Token![=]) {
                let value: syn::LitStr = meta.value()?.parse()?;
                if meta.path.is_ident("default") {
                    found = Some(value);
                }
            }
            Ok(())
        });
    }
    found
}

/// A field's serde attribute and type.
fn field_attributes(
    field: &Field,
    in_output: bool,
    default: Option<syn::LitStr>,
) -> (Option<Attribute>, TokenStream) {
    let mut entries: Vec<TokenStream> = Vec::new();
    let wire = &field.wire;
    if *wire != field.name {
        entries.push(quote!(rename = #wire));
    }
    let nullable = matches!(field.shape, Shape::Nullable(_));
    let mut kind = field_type(field);
    if field.required {
        // `Option` alone would take a field that is not there for `null`.
        if nullable {
            entries.push(quote!(deserialize_with = "::serde::Deserialize::deserialize"));
        }
    } else if let Some(function) = default {
        entries.push(quote!(default = #function));
    } else if typify::stated_default(field).is_some() {
        entries.push(quote!(default)); // the type's own default is the one that is stated
    } else {
        entries.push(quote!(default));
        if is_option(field) {
            kind = quote!(Option<#kind>);
        }
        // In a result a field that may be `null` is always there. Elsewhere what is not given is not sent.
        if !(in_output && field.null) {
            entries.push(quote!(skip_serializing_if = "Option::is_none"));
        }
    }
    let attribute = (!entries.is_empty()).then(|| syn::parse_quote!(#[serde(#(#entries),*)]));
    (attribute, kind)
}

/// The type of a field's value, behind a pointer where it must be; without the `Option` of what may be left out.
fn field_type(field: &Field) -> TokenStream {
    let boxed = |shape: &Shape| {
        let kind = shape_tokens(shape);
        if field.boxed { quote!(Box<#kind>) } else { kind }
    };
    match &field.shape {
        Shape::Nullable(inner) => {
            let inner = boxed(inner);
            quote!(Option<#inner>)
        }
        shape => boxed(shape),
    }
}

/// Whether a field that is not nullable is an `Option`, because it may be left out.
pub fn is_option(field: &Field) -> bool {
    !field.required && !matches!(field.shape, Shape::Nullable(_)) && typify::stated_default(field).is_none()
}

fn enumeration(item: &mut syn::ItemEnum, definition: &Definition) {
    set_docs(&mut item.attrs, &definition.docs);
    for variant in &mut item.variants {
        let text = match &definition.body {
            Body::Enum { .. } => format!("`{}`", wire_name(variant)),
            _ => variant
                .fields
                .iter()
                .map(|field| format!("`{}`", field.ty.to_token_stream().to_string().replace(' ', "")))
                .collect(),
        };
        set_docs(&mut variant.attrs, &text);
    }
}

fn wire_name(variant: &syn::Variant) -> String {
    let mut name = variant.ident.to_string();
    for attribute in &variant.attrs {
        let _ = attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("rename") {
                name = meta.value()?.parse::<syn::LitStr>()?.value();
            }
            Ok(())
        });
    }
    name
}

fn set_docs(attributes: &mut Vec<Attribute>, text: &str) {
    attributes
        .retain(|attribute| !matches!(&attribute.meta, Meta::NameValue(meta) if meta.path.is_ident("doc")));
    let lines = docs::lines(text);
    let lines = lines.iter().map(|line| -> Attribute { syn::parse_quote!(#[doc = #line]) });
    attributes.splice(0..0, lines);
}
