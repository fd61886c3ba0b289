//! How a struct is made by hand: `new` takes what is required, and a method each sets what is optional.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Item;

use super::docs;
use crate::model::{Body, Definition, Extra, Field, Shape};
use crate::rust::{default_function, is_option, shape_tokens};

/// The constructor of a struct, and for arguments the methods that set what is optional.
pub fn emit(definition: &Definition, items: &[Item], is_arguments: bool) -> Vec<Item> {
    let Body::Struct { fields, extra } = &definition.body else { return Vec::new() };
    let written = items.iter().find_map(|item| match item {
        Item::Struct(item) => Some(item),
        _ => None,
    });
    let Some(written) = written else { return Vec::new() };
    let name = format_ident!("{}", definition.name);
    let attributes = |field: &Field| {
        let field = written
            .fields
            .iter()
            .find(|other| other.ident.as_ref().is_some_and(|ident| *ident == field.name));
        field.map_or(&[][..], |field| field.attrs.as_slice())
    };
    let parameters = fields.iter().filter(|field| field.required).map(|field| {
        let (name, kind) = (format_ident!("{}", field.name), parameter(&field.shape));
        quote!(#name: #kind)
    });
    let values = fields.iter().map(|field| {
        let name = format_ident!("{}", field.name);
        let value = match default_function(attributes(field)) {
            _ if field.required => given(field, &name),
            Some(function) => match function.parse::<syn::Expr>() {
                Ok(function) => quote!(#function()),
                Err(_) => quote!(Default::default()),
            },
            None => quote!(Default::default()),
        };
        if field.required && value.to_string() == field.name { quote!(#name) } else { quote!(#name: #value) }
    });
    let extra = match extra {
        Extra::Kept(_) => quote!(extra: Default::default(),),
        _ => TokenStream::new(),
    };
    let with_new = if fields.iter().any(|field| field.name == "with_new") { "new_" } else { "with_new" };
    let setters =
        fields.iter().filter(|field| !field.required && is_arguments).map(|field| setter(field, with_new));
    let about = if fields.iter().any(|field| field.required) {
        " What is required; the rest is as the contract's defaults say."
    } else {
        " All as the contract's defaults say."
    };
    let many = (fields.iter().filter(|field| field.required).count() > 7)
        .then(|| quote!(#[allow(clippy::too_many_arguments, reason = "the contract requires so many")]));
    let default = fields
        .iter()
        .all(|field| !field.required)
        .then(|| quote!(#[allow(clippy::new_without_default, reason = "where a default is stated the type derives none")]));
    let tokens = quote! {
        impl #name {
            #[doc = #about]
            #many
            #default
            pub fn new(#(#parameters),*) -> Self {
                Self { #(#values,)* #extra }
            }

            #(#setters)*
        }
    };
    syn::parse2(tokens).map(|item| vec![item]).unwrap_or_default()
}

/// `with_new` sets a field that is called `new`, as the constructor is.
fn setter(field: &Field, with_new: &str) -> TokenStream {
    let docs = docs(&field.docs);
    let name = format_ident!("{}", field.name);
    let method = if field.name == "new" { format_ident!("{with_new}") } else { name.clone() };
    // Where the contract's default is a value, `None` is another one: it must be possible to say so.
    let (kind, value) = match &field.shape {
        Shape::Nullable(inner) if field.default.as_ref().is_some_and(|default| !default.is_null()) => {
            let inner = shape_tokens(inner);
            (quote!(impl Into<Option<#inner>>), quote!(#name.into()))
        }
        Shape::Nullable(inner) => {
            let value = boxed(field, argument(inner, &quote!(#name)));
            (parameter(inner), quote!(Some(#value)))
        }
        shape => {
            let value = boxed(field, argument(shape, &quote!(#name)));
            (parameter(shape), if is_option(field) { quote!(Some(#value)) } else { value })
        }
    };
    quote! {
        #docs
        #[must_use]
        pub fn #method(mut self, #name: #kind) -> Self {
            self.#name = #value;
            self
        }
    }
}

/// The value of a required field from the constructor's parameter.
fn given(field: &Field, name: &proc_macro2::Ident) -> TokenStream {
    match &field.shape {
        Shape::Nullable(_) if field.boxed => quote!(#name.map(Box::new)),
        shape => boxed(field, argument(shape, &quote!(#name))),
    }
}

fn boxed(field: &Field, value: TokenStream) -> TokenStream {
    if field.boxed { quote!(Box::new(#value)) } else { value }
}

fn parameter(shape: &Shape) -> TokenStream {
    let kind = shape_tokens(shape);
    match shape {
        Shape::String | Shape::Named(_) | Shape::Any => quote!(impl Into<#kind>),
        _ => kind,
    }
}

fn argument(shape: &Shape, name: &TokenStream) -> TokenStream {
    match shape {
        Shape::String | Shape::Named(_) | Shape::Any => quote!(#name.into()),
        _ => quote!(#name),
    }
}
