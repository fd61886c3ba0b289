//! Lets typify write the types. It sees schemas made from the model only: names that are decided, nothing that it would
//! silently get wrong, nothing that it panics at.

use std::panic::{AssertUnwindSafe, catch_unwind};

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use schemars::schema::Schema;
use serde_json::{Map, Value, json};

use crate::fault::{Fault, Faults};
use crate::model::{Api, Body, Definition, Extra, Field, Shape};

/// All named types as typify writes them.
///
/// # Errors
///
/// What typify refuses although the stages before have let it pass: an error of this program, reported with the type.
pub fn file(api: &Api) -> Result<syn::File, Faults> {
    let definitions: Vec<(String, Schema)> = api
        .types
        .iter()
        .map(|definition| {
            serde_json::from_value(schema(definition))
                .map(|schema| (definition.name.clone(), schema))
                .map_err(|error| fault(&definition.name, &error.to_string()))
        })
        .collect::<Result<_, _>>()?;
    let names = definitions.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
    let written = catch_unwind(AssertUnwindSafe(|| {
        let mut settings = ::typify::TypeSpaceSettings::default();
        settings.with_derive("PartialEq".to_owned()).with_map_type("::std::collections::BTreeMap");
        let mut space = ::typify::TypeSpace::new(&settings);
        space.add_ref_types(definitions).map(|()| space.to_stream()).map_err(|error| error.to_string())
    }));
    match written {
        Ok(Ok(tokens)) => Ok(syn::parse2(tokens).map_err(|error| fault(&names, &error.to_string()))?),
        Ok(Err(error)) => Err(fault(&names, &error).into()),
        Err(_) => Err(fault(&names, "typify panicked").into()),
    }
}

fn fault(types: &str, what: &str) -> Fault {
    Fault::new("schemas", types, format!("typify cannot write these types: {what}"))
        .hint("this is a fault of schemux-codegen: report it with the schemas")
}

fn schema(definition: &Definition) -> Value {
    let mut schema = match &definition.body {
        Body::Struct { fields, extra } => object(fields, extra),
        Body::Enum { variants } => json!({"type": "string", "enum": variants}),
        Body::Union { arms } => json!({"anyOf": arms.iter().map(shape).collect::<Vec<_>>()}),
    };
    if let (false, Some(schema)) = (definition.docs.is_empty(), schema.as_object_mut()) {
        schema.insert("description".to_owned(), json!(definition.docs));
    }
    schema
}

fn object(fields: &[Field], extra: &Extra) -> Value {
    let mut properties = Map::new();
    for field in fields {
        let mut schema = shape(&field.shape);
        if let Some(schema) = schema.as_object_mut() {
            if !field.docs.is_empty() {
                schema.insert("description".to_owned(), json!(field.docs));
            }
            if let Some(default) = stated_default(field) {
                schema.insert("default".to_owned(), default.clone());
            }
        }
        properties.insert(field.name.clone(), schema);
    }
    let required: Vec<&str> =
        fields.iter().filter(|field| field.required).map(|field| field.name.as_str()).collect();
    let additional = match extra {
        Extra::Closed => json!(false),
        // An object of no names would be a map to typify; as a closed one it is a struct. The pass afterwards opens it.
        Extra::Ignored => json!(!fields.is_empty()),
        Extra::Kept(values) => shape(values),
    };
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": additional})
}

/// The default that typify can turn into a function: not `null`, which is `None`, and not an object's.
pub fn stated_default(field: &Field) -> Option<&Value> {
    let plain = match &field.shape {
        Shape::Nullable(inner) => inner,
        other => other,
    };
    field.default.as_ref().filter(|default| {
        !field.required
            && match plain {
                Shape::Boolean => default.is_boolean(),
                Shape::Integer { unsigned: true } => default.is_u64(),
                Shape::Integer { unsigned: false } => default.is_i64(),
                Shape::Number => default.is_number(),
                Shape::String => default.is_string(),
                Shape::Named(_) => default.is_string(),
                Shape::Array(_) => default.as_array().is_some_and(|list| !list.is_empty()),
                _ => false,
            }
    })
}

fn shape(model: &Shape) -> Value {
    match model {
        Shape::Any => json!({}),
        Shape::Null => json!({"type": "null"}),
        Shape::Boolean => json!({"type": "boolean"}),
        Shape::Integer { unsigned: true } => json!({"type": "integer", "minimum": 0}),
        Shape::Integer { unsigned: false } => json!({"type": "integer"}),
        Shape::Number => json!({"type": "number"}),
        Shape::String => json!({"type": "string"}),
        Shape::Array(items) => json!({"type": "array", "items": shape(items)}),
        Shape::Map(values) => json!({"type": "object", "additionalProperties": shape(values)}),
        Shape::Nullable(inner) => json!({"anyOf": [shape(inner), {"type": "null"}]}),
        Shape::Named(name) => json!({"$ref": format!("#/definitions/{name}")}),
    }
}

/// The Rust type of a shape, the same that typify gives it.
pub fn shape_tokens(model: &Shape) -> TokenStream {
    match model {
        Shape::Any => quote!(::serde_json::Value),
        Shape::Null => quote!(()),
        Shape::Boolean => quote!(bool),
        Shape::Integer { unsigned: true } => quote!(u64),
        Shape::Integer { unsigned: false } => quote!(i64),
        Shape::Number => quote!(f64),
        Shape::String => quote!(String),
        Shape::Array(items) => {
            let items = shape_tokens(items);
            quote!(Vec<#items>)
        }
        Shape::Map(values) if **values == Shape::Any => quote!(::serde_json::Map<String, ::serde_json::Value>),
        Shape::Map(values) => {
            let values = shape_tokens(values);
            quote!(::std::collections::BTreeMap<String, #values>)
        }
        Shape::Nullable(inner) => {
            let inner = shape_tokens(inner);
            quote!(Option<#inner>)
        }
        Shape::Named(name) => {
            let name = format_ident!("{name}");
            quote!(#name)
        }
    }
}
