//! Do the prose and the signature of a page agree with the schema that it shows? Both directions, every disagreement.

use std::ops::Range;

use serde_json::{Map, Value};

use super::arguments::{self, Argument, CONSTRAINTS};
use super::layout::{Layout, Said};
use super::text::Text;
use super::types;
use crate::fault::{Fault, Faults};
use crate::pointer;

const AGAIN: &str = "take the page again from the site, or mend whichever of the two is wrong";

/// One of the two schemas, and the words that its section uses.
struct Side<'a> {
    file: &'a str,
    /// `inputSchema` or `outputSchema`.
    key: &'static str,
    /// Argument or field.
    thing: &'static str,
    closed: &'static str,
    schema: &'a Value,
    properties: Map<String, Value>,
    required: Vec<&'a str>,
}

/// Checks the section "Arguments" and the signature against the input schema.
pub fn input(file: &str, text: &Text<'_>, layout: &Layout, schema: &Value, faults: &mut Faults) {
    let side = Side::new(file, "inputSchema", "argument", "No other arguments are accepted.", schema);
    side.required_exist(faults);
    side.section(text, layout.arguments.clone(), "Arguments", faults);
    if let Some(said) = &layout.signature {
        side.signature(said, faults);
    }
}

/// Checks the section "Result" against the output schema, or that there is nothing to check.
pub fn output(file: &str, text: &Text<'_>, layout: &Layout, schema: Option<&Value>, faults: &mut Faults) {
    let Some(schema) = schema else {
        let listed = layout.result.clone().map(|range| arguments::section(text, range)).unwrap_or_default();
        if let Some(first) = listed.first() {
            faults.push(
                Fault::new(
                    file,
                    line(first.line),
                    format!("the page lists the field `{}`, but has no output schema", first.name),
                )
                .hint("take the page again from the site, whole"),
            );
        }
        return;
    };
    let side = Side::new(file, "outputSchema", "field", "No other properties are accepted.", schema);
    side.required_exist(faults);
    side.section(text, layout.result.clone(), "Result", faults);
}

fn line(number: usize) -> String {
    format!("line {number}")
}

impl<'a> Side<'a> {
    fn new(
        file: &'a str,
        key: &'static str,
        thing: &'static str,
        closed: &'static str,
        schema: &'a Value,
    ) -> Self {
        let properties = schema.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
        let required = schema.get("required").and_then(Value::as_array);
        let required =
            required.map(|names| names.iter().filter_map(Value::as_str).collect()).unwrap_or_default();
        Side { file, key, thing, closed, schema, properties, required }
    }

    fn fault(&self, property: &str, keyword: &str, what: String) -> Fault {
        let property = pointer::escape(property);
        Fault::new(self.file, format!("/{}/properties/{property}{keyword}", self.key), what).hint(AGAIN)
    }

    fn required_exist(&self, faults: &mut Faults) {
        for name in self.required.iter().filter(|name| !self.properties.contains_key(**name)) {
            let place = format!("/{}/required", self.key);
            faults.push(
                Fault::new(self.file, place, format!("`{name}` is required, but no property has this name"))
                    .hint(AGAIN),
            );
        }
    }

    fn section(&self, text: &Text<'_>, range: Option<Range<usize>>, title: &str, faults: &mut Faults) {
        let Some(range) = range else {
            if !self.properties.is_empty() {
                faults.push(
                    Fault::new(
                        self.file,
                        "",
                        format!("the page has no section {title}, yet its schema has {}s", self.thing),
                    )
                    .hint("take the page again from the site, whole"),
                );
            }
            return;
        };
        let listed = arguments::section(text, range.clone());
        let own: Vec<&Argument> = listed.iter().filter(|argument| !self.is_nested(argument)).collect();
        self.names(&own, &format!("the section {title}"), faults);
        for argument in &own {
            if let Some(property) = self.properties.get(&argument.name) {
                self.declared(argument, faults);
                self.default(argument, property, faults);
                self.constraints(argument, property, faults);
            }
            self.link(argument, faults);
        }
        self.closed(text, range, title, faults);
    }

    fn signature(&self, said: &Said, faults: &mut Faults) {
        let Some(arguments) = arguments::signature(said) else {
            faults.push(
                Fault::new(self.file, line(said.line), "the arguments of the signature cannot be read")
                    .hint(AGAIN),
            );
            return;
        };
        self.names(&arguments.iter().collect::<Vec<_>>(), "the signature", faults);
        for argument in arguments.iter().filter(|argument| self.properties.contains_key(&argument.name)) {
            self.declared(argument, faults);
        }
    }

    /// Pages without indentation show what is inside an argument like an argument; the schema tells them apart.
    fn is_nested(&self, argument: &Argument) -> bool {
        argument.nested
            || argument.pointer.is_none()
                && !self.properties.contains_key(&argument.name)
                && self.properties.values().any(|property| names_property(property, &argument.name))
    }

    fn names(&self, listed: &[&Argument], who: &str, faults: &mut Faults) {
        for (index, argument) in listed.iter().enumerate() {
            let name = &argument.name;
            if !self.properties.contains_key(name) {
                let what = format!("{who} lists the {} `{name}`, which the schema does not have", self.thing);
                faults.push(Fault::new(self.file, line(argument.line), what).hint(AGAIN));
            }
            if listed[..index].iter().any(|earlier| earlier.name == *name) {
                let what = format!("{who} lists the {} `{name}` a second time", self.thing);
                faults.push(Fault::new(self.file, line(argument.line), what).hint(AGAIN));
            }
        }
        for name in
            self.properties.keys().filter(|name| !listed.iter().any(|argument| argument.name == **name))
        {
            faults.push(self.fault(name, "", format!("{who} does not list the {} `{name}`", self.thing)));
        }
    }

    /// `?` and the type, in a section or in the signature.
    fn declared(&self, argument: &Argument, faults: &mut Faults) {
        let (name, at) = (&argument.name, argument.line);
        let required = self.required.contains(&name.as_str());
        if argument.optional == required {
            let (prose, schema) =
                if required { ("optional", "requires it") } else { ("required", "does not require it") };
            faults.push(self.fault(
                name,
                "",
                format!("line {at} shows the {} as {prose}, the schema {schema}", self.thing),
            ));
        }
        let schema = types::schema(self.schema, &self.properties[name]);
        let kind = argument.kind.as_deref();
        match kind.map(|kind| (kind, types::prose(kind))) {
            Some((kind, None)) => {
                faults.push(
                    Fault::new(self.file, line(at), format!("the type `{kind}` cannot be read")).hint(AGAIN),
                );
            }
            Some((kind, Some(prose))) if !types::agree(&prose, &schema) => {
                faults.push(self.fault(
                    name,
                    "",
                    format!("line {at} gives the type `{kind}`, the schema another one"),
                ));
            }
            None if schema != [types::Arm::Any] => {
                faults.push(self.fault(name, "", format!("line {at} gives no type, the schema does")));
            }
            _ => {}
        }
    }

    fn default(&self, argument: &Argument, property: &Value, faults: &mut Faults) {
        let at = argument.line;
        let what = match (&argument.default, property.get("default")) {
            (None, None) => return,
            (Some(prose), Some(schema)) if same_value(prose, schema) => return,
            (Some(prose), Some(schema)) => {
                format!("line {at} gives the default `{prose}`, the schema `{schema}`")
            }
            (Some(prose), None) => format!("line {at} gives the default `{prose}`, the schema none"),
            (None, Some(schema)) => format!("line {at} gives no default, the schema `{schema}`"),
        };
        faults.push(self.fault(&argument.name, "/default", what));
    }

    fn constraints(&self, argument: &Argument, property: &Value, faults: &mut Faults) {
        for (at, key, prose) in &argument.constraints {
            let found = constraint_values(property, key);
            if !found.iter().any(|schema| equal(prose, schema)) {
                let schema = found.first().map_or("has none".to_owned(), |schema| format!("has `{schema}`"));
                let what = format!("line {at} gives {key} `{prose}`, the schema {schema}");
                faults.push(self.fault(&argument.name, &format!("/{key}"), what));
            }
        }
        if !argument.bulleted {
            return;
        }
        for key in CONSTRAINTS.iter().filter(|key| property.get(**key).is_some()) {
            if !argument.constraints.iter().any(|(_, shown, _)| shown == key) {
                let what = format!(
                    "the schema has the constraint {key}, which the page does not show below line {}",
                    argument.line
                );
                faults.push(self.fault(&argument.name, &format!("/{key}"), what));
            }
        }
        if argument.variants != property.get("anyOf").is_some() {
            let (page, schema) =
                if argument.variants { ("shows", "none") } else { ("does not show", "some") };
            let what =
                format!("the page {page} variants below line {}, the schema has {schema}", argument.line);
            faults.push(self.fault(&argument.name, "", what));
        }
    }

    fn link(&self, argument: &Argument, faults: &mut Faults) {
        if let Some(pointer) = &argument.pointer
            && *pointer != format!("/properties/{}", argument.name)
        {
            let what = format!("`{}` links to `{pointer}` of the schema", argument.name);
            faults.push(Fault::new(self.file, line(argument.line), what).hint(AGAIN));
        }
    }

    fn closed(&self, text: &Text<'_>, range: Range<usize>, title: &str, faults: &mut Faults) {
        let said = range.clone().find(|at| text.lines[*at].shown == self.closed);
        let closed = self.schema.get("additionalProperties") == Some(&Value::Bool(false));
        let place = format!("/{}/additionalProperties", self.key);
        match said {
            // An object inside may be closed; pages without indentation do not tell which one the sentence is about.
            Some(at) if !closed && !self.properties.values().any(holds_closed_object) => faults.push(
                Fault::new(
                    self.file,
                    place,
                    format!("line {} says `{}`, the schema accepts them", at + 1, self.closed),
                )
                .hint(AGAIN),
            ),
            None if closed => faults.push(
                Fault::new(
                    self.file,
                    place,
                    format!("the schema is closed, the section {title} does not say `{}`", self.closed),
                )
                .hint(AGAIN),
            ),
            _ => {}
        }
    }
}

/// The constraint of a property, or those of its variants.
fn constraint_values<'a>(property: &'a Value, key: &str) -> Vec<&'a Value> {
    let variants = ["anyOf", "oneOf"].iter().filter_map(|union| property.get(*union)?.as_array()).flatten();
    std::iter::once(property).chain(variants).filter_map(|schema| schema.get(key)).collect()
}

fn same_value(prose: &str, schema: &Value) -> bool {
    serde_json::from_str(prose).is_ok_and(|prose: Value| equal(&prose, schema))
        || schema.as_str() == Some(prose)
}

/// `10` and `10.0` are one number.
fn equal(prose: &Value, schema: &Value) -> bool {
    prose == schema
        || matches!((prose.as_f64(), schema.as_f64()), (Some(p), Some(s)) if p == s && !exact(prose, schema))
}

fn exact(prose: &Value, schema: &Value) -> bool {
    !prose.is_f64() && !schema.is_f64()
}

fn names_property(schema: &Value, name: &str) -> bool {
    let here = schema.get("properties").is_some_and(|properties| properties.get(name).is_some());
    here || children(schema).any(|child| names_property(child, name))
}

fn holds_closed_object(schema: &Value) -> bool {
    let closed =
        schema.get("additionalProperties") == Some(&Value::Bool(false)) && schema.get("properties").is_some();
    closed || children(schema).any(holds_closed_object)
}

fn children(schema: &Value) -> impl Iterator<Item = &Value> {
    let object = schema.as_object().into_iter().flat_map(|object| object.values());
    object.chain(schema.as_array().into_iter().flatten())
}
