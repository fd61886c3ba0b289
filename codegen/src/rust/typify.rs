//! Lets typify write the types. It sees schemas made from the model only: names that are decided, nothing that it would
//! silently get wrong, nothing that it panics at.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use schemars::schema::Schema;
use serde_json::{Map, Value, json};

use crate::fault::{Fault, Faults};
use crate::lower::snake;
use crate::model::{Api, Body, Definition, Extra, Field, Shape};

/// All named types as typify writes them.
///
/// # Errors
///
/// What typify refuses although the stages before have let it pass: an error of this program, reported with the type.
pub fn file(api: &Api) -> Result<syn::File, Faults> {
    // typify changes names to its taste (`ABArgs` to `AbArgs`), so it gets names that it likes.
    let numbers: Numbers<'_> = api
        .types
        .iter()
        .zip(1..)
        .map(|(one, number)| (one.name.as_str(), format!("{STAND_IN}{number:0DIGITS$}")))
        .collect();
    let definitions: Vec<(String, Schema)> = api
        .types
        .iter()
        .map(|definition| {
            serde_json::from_value(schema(definition, &numbers))
                .map(|schema| (numbers[definition.name.as_str()].clone(), schema))
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
        Ok(Ok(tokens)) => {
            let text = renamed(&tokens.to_string(), &numbers);
            Ok(syn::parse_file(&text).map_err(|error| fault(&names, &error.to_string()))?)
        }
        Ok(Err(error)) => Err(fault(&names, &error).into()),
        Err(_) => Err(fault(&names, "typify panicked").into()),
    }
}

/// The name that typify sees, by the type's own.
type Numbers<'a> = BTreeMap<&'a str, String>;

/// What the names begin with that typify sees.
const STAND_IN: &str = "SchemuxStandIn";

/// How many digits follow.
const DIGITS: usize = 5;

/// The types' own names for those that typify has seen, in functions' names too.
fn renamed(text: &str, numbers: &Numbers<'_>) -> String {
    let own: BTreeMap<&str, &str> =
        numbers.iter().map(|(name, stand_in)| (&stand_in[STAND_IN.len()..], *name)).collect();
    let types = replaced(text, STAND_IN, |number| own.get(number).map(|name| (*name).to_owned()));
    replaced(&types, "schemux_stand_in", |number| own.get(number).map(|name| snake(name)))
}

/// The text with each mark and the number behind it replaced.
fn replaced(text: &str, mark: &str, name: impl Fn(&str) -> Option<String>) -> String {
    let mut parts = text.split(mark);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (number, rest) = part.split_at_checked(DIGITS).unwrap_or(("", part));
        match name(number) {
            Some(name) => out.extend([name.as_str(), rest]),
            None => out.extend([mark, part]),
        }
    }
    out
}

fn fault(types: &str, what: &str) -> Fault {
    Fault::new("schemas", types, format!("typify cannot write these types: {what}"))
        .hint("this is a fault of schemux-codegen: report it with the schemas")
}

fn schema(definition: &Definition, numbers: &Numbers<'_>) -> Value {
    let mut schema = match &definition.body {
        Body::Struct { fields, extra } => object(fields, extra, numbers),
        Body::Enum { variants } => json!({"type": "string", "enum": variants}),
        Body::Union { arms } => {
            json!({"anyOf": arms.iter().map(|arm| shape(arm, numbers)).collect::<Vec<_>>()})
        }
    };
    if let (false, Some(schema)) = (definition.docs.is_empty(), schema.as_object_mut()) {
        schema.insert("description".to_owned(), json!(definition.docs));
    }
    schema
}

fn object(fields: &[Field], extra: &Extra, numbers: &Numbers<'_>) -> Value {
    let mut properties = Map::new();
    for field in fields {
        let mut schema = shape(&field.shape, numbers);
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
    // With a name in it typify makes a struct of it and no map. The pass afterwards takes the name out again.
    if let (true, Extra::Kept(_)) = (fields.is_empty(), extra) {
        properties.insert("schemux".to_owned(), json!({"type": "string"}));
    }
    let required: Vec<&str> =
        fields.iter().filter(|field| field.required).map(|field| field.name.as_str()).collect();
    let additional = match extra {
        Extra::Closed => json!(false),
        // An object of no names would be a map to typify; as a closed one it is a struct. The pass afterwards opens it.
        Extra::Ignored => json!(!fields.is_empty()),
        Extra::Kept(values) => shape(values, numbers),
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
            && !field.boxed
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

fn shape(model: &Shape, numbers: &Numbers<'_>) -> Value {
    match model {
        Shape::Any => json!({}),
        Shape::Null => json!({"type": "null"}),
        Shape::Boolean => json!({"type": "boolean"}),
        Shape::Integer { unsigned: true } => json!({"type": "integer", "minimum": 0}),
        Shape::Integer { unsigned: false } => json!({"type": "integer"}),
        Shape::Number => json!({"type": "number"}),
        Shape::String => json!({"type": "string"}),
        Shape::Array(items) => json!({"type": "array", "items": shape(items, numbers)}),
        Shape::Map(values) => json!({"type": "object", "additionalProperties": shape(values, numbers)}),
        Shape::Nullable(inner) => json!({"anyOf": [shape(inner, numbers), {"type": "null"}]}),
        Shape::Named(name) => json!({"$ref": format!("#/definitions/{}", numbers[name.as_str()])}),
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
        Shape::Map(values) if **values == Shape::Any => {
            quote!(::serde_json::Map<String, ::serde_json::Value>)
        }
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
