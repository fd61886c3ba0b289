//! Does hostile input give a fault or right code? One crate is made from every hostile tool that codegen accepts, built,
//! and asked: thousands of valid values must decode, and come out valid, the same the second time, with their nulls.

mod package;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use jsonschema::Validator;
use package::Package;
use schemux_tests::cargo::workspace;
use schemux_tests::schema::{holds_a_huge_number, mutants, sample, strategy};
use serde_json::{Map, Value, json};

/// How many values are made for each side of each tool, and how many edited ones of those.
const VALUES: usize = 120;

#[test]
fn hostile_schemas_give_a_fault_or_right_code() {
    let tools = accepted(hostile().into_iter().chain(cases()));
    assert!(tools.len() >= 50, "only {} tools were accepted", tools.len());
    let package = Package::build("hostile", &tools);
    let asked = prove(&package, &tools);
    println!("{} tools, {asked} values", tools.len());
    assert!(asked > 5000, "only {asked} values were asked for");
}

/// The tools of the hostile set.
fn hostile() -> Vec<Value> {
    let text = include_str!("../../codegen/tests/hostile.json");
    let mut all: Value = serde_json::from_str(text).expect("JSON");
    all["tools"].as_array_mut().map(std::mem::take).expect("a list")
}

/// The tools of codegen's own cases.
fn cases() -> Vec<Value> {
    let folder = workspace().join("codegen/tests/cases");
    let mut files: Vec<_> = list(&folder).iter().flat_map(|case| list(case)).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "json"));
    files.iter().filter_map(|file| serde_json::from_str(&fs::read_to_string(file).ok()?).ok()).collect()
}

fn list(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

/// Those that codegen makes code of, each name once: a name that another tool has gets a number.
fn accepted(tools: impl Iterator<Item = Value>) -> Vec<Value> {
    let mut accepted: BTreeMap<String, Value> = BTreeMap::new();
    for mut tool in tools {
        let Some(name) = tool.get("name").and_then(Value::as_str).map(str::to_owned) else { continue };
        let method = |name: &str| name.to_lowercase().replace(['-', '.'], "_");
        let taken = |name: &str| accepted.keys().any(|other| method(other) == method(name));
        let numbered = (2..).map(|number| format!("{name}{number}"));
        let name =
            std::iter::once(name.clone()).chain(numbered).find(|name| !taken(name)).expect("a free one");
        tool["name"] = json!(name);
        if package::render(std::slice::from_ref(&tool)).is_ok() {
            accepted.insert(name, tool);
        }
    }
    accepted.into_values().collect()
}

/// One question to the package: a value of one side of a tool.
#[derive(Debug)]
struct Question<'a> {
    face: &'a Face,
    value: Value,
}

/// One side of a tool.
#[derive(Debug)]
struct Face {
    tool: Value,
    side: &'static str,
    schema: Value,
    validator: Validator,
}

/// Asks for all tools; how many values were asked for.
fn prove(package: &Package, tools: &[Value]) -> usize {
    let faces: Vec<Face> = tools.iter().flat_map(faces).collect();
    let mut questions = Vec::new();
    for face in &faces {
        let values = sample(&strategy(&face.schema), VALUES);
        let edited = sample(&mutants(&face.schema), 2 * VALUES);
        let valid = values.into_iter().chain(edited).filter(|value| face.validator.is_valid(value));
        questions.extend(valid.map(|value| Question { face, value }));
    }
    let answers = package.ask(questions.iter().map(|question| question.line()));
    assert_eq!(answers.len(), questions.len());
    let mut wrong = Vec::new();
    let mut again = Vec::new();
    for (question, answer) in questions.iter().zip(&answers) {
        match question.judge(answer) {
            Ok(Some(recoded)) => again.push(Question { face: question.face, value: recoded }),
            Ok(None) => {}
            Err(why) => wrong.push(format!("{}: {why}", question.line())),
        }
    }
    for (question, answer) in again.iter().zip(package.ask(again.iter().map(|question| question.line()))) {
        if answer.get("ok") != Some(&question.value) {
            wrong.push(format!("{}: the second time it came out as {answer}", question.line()));
        }
    }
    assert!(wrong.is_empty(), "{} of {} are wrong:\n{}", wrong.len(), questions.len(), examples(&wrong));
    questions.len()
}

fn faces(tool: &Value) -> Vec<Face> {
    let face = |side| {
        let schema = tool.get(side)?.clone();
        let validator = jsonschema::validator_for(&schema).expect("codegen has checked it");
        Some(Face { tool: tool.clone(), side, schema, validator })
    };
    ["inputSchema", "outputSchema"].into_iter().filter_map(face).collect()
}

/// A few of each tool, short.
fn examples(wrong: &[String]) -> String {
    let mut shown: BTreeMap<&str, usize> = BTreeMap::new();
    let mut text = String::new();
    for line in wrong {
        let count = shown.entry(line.split(',').next().unwrap_or_default()).or_default();
        *count += 1;
        if *count <= 2 {
            text.extend(line.chars().take(600));
            text.push('\n');
        }
    }
    text
}

impl Question<'_> {
    fn line(&self) -> Value {
        json!({"tool": self.face.tool["name"], "side": self.face.side, "value": self.value})
    }

    /// The value that came out, where the answer is right.
    fn judge(&self, answer: &Value) -> Result<Option<Value>, String> {
        let Face { side, schema, validator, .. } = self.face;
        let Some(recoded) = answer.get("ok") else {
            // The one thing that types do not hold.
            return if holds_a_huge_number(&self.value) {
                Ok(None)
            } else {
                Err(format!("it did not decode: {answer}"))
            };
        };
        if !validator.is_valid(recoded) {
            return Err(format!("it came out invalid: {recoded}"));
        }
        // Under these a name more or less can make a value invalid: then nothing is added.
        let conditions = [
            "$ref",
            "enum",
            "const",
            "allOf",
            "anyOf",
            "oneOf",
            "not",
            "if",
            "minProperties",
            "maxProperties",
            "dependentRequired",
            "dependentSchemas",
            "dependencies",
            "propertyNames",
            "patternProperties",
            "then",
            "else",
        ];
        let conditional = conditions.iter().any(|keyword| schema.get(keyword).is_some());
        if *side == "outputSchema" && !conditional {
            for name in schema["properties"].as_object().into_iter().flat_map(Map::keys) {
                let mut with_null = recoded.clone();
                with_null[name.as_str()] = Value::Null;
                if recoded.get(name).is_none() && validator.is_valid(&with_null) {
                    return Err(format!("its `{name}` could be null and is missing: {recoded}"));
                }
            }
        }
        Ok(Some(recoded.clone()))
    }
}
