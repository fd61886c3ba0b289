//! What a value does against its schema, said without repeating the value.

use std::fmt;

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{JsonType, ValidationError, Validator};
use serde_json::Value;

/// One place at which a value does not obey its schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The place, with dots: `operations.0.keys`; empty for the whole value.
    pub place: String,
    /// The kind, for programs: `missing_argument`, `string_type`, ….
    pub kind: &'static str,
    /// What is wrong, for people.
    pub message: String,
}

/// All of them; never empty as an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violations(pub Vec<Violation>);

impl Violations {
    /// The names of arguments that the tool does not have.
    pub fn unknown_names(&self) -> Vec<&str> {
        self.0
            .iter()
            .filter(|violation| violation.kind == UNKNOWN_ARGUMENT)
            .map(|violation| violation.place.as_str())
            .collect()
    }
}

impl fmt::Display for Violations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, violation) in self.0.iter().enumerate() {
            if number > 0 {
                writeln!(f)?;
            }
            if !violation.place.is_empty() {
                writeln!(f, "{}", violation.place)?;
            }
            write!(f, "  {} [type={}]", violation.message, violation.kind)?;
        }
        Ok(())
    }
}

impl std::error::Error for Violations {}

const UNKNOWN_ARGUMENT: &str = "unexpected_keyword_argument";

/// Checks a value; without a validator anything goes.
pub(super) fn violations(validator: Option<&Validator>, value: &Value) -> Result<(), Violations> {
    let Some(validator) = validator else { return Ok(()) };
    if validator.is_valid(value) {
        return Ok(());
    }
    let mut found = Vec::new();
    for error in validator.iter_errors(value) {
        explain(&error, &mut found);
    }
    Err(Violations(found))
}

fn explain(error: &ValidationError<'_>, found: &mut Vec<Violation>) {
    let place = dotted(error.instance_path().as_str());
    let top = place.is_empty();
    let below = |name: &str| if top { name.to_owned() } else { format!("{place}.{name}") };
    match error.kind() {
        ValidationErrorKind::Required { property } => found.push(Violation {
            place: below(property.as_str().unwrap_or_default()),
            kind: if top { "missing_argument" } else { "missing" },
            message: "this is required and missing".to_owned(),
        }),
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
            found.extend(unexpected.iter().map(|name| Violation {
                place: below(name),
                kind: if top { UNKNOWN_ARGUMENT } else { "extra_forbidden" },
                message: "there is no such argument".to_owned(),
            }));
        }
        // The arm that gets furthest tells most: the one whose complaint is not about the value's own type. Where all
        // are, the types that are welcome are told.
        ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
            let kinds: Option<Vec<JsonType>> = context
                .iter()
                .map(|errors| wanted(errors, error))
                .collect::<Option<Vec<_>>>()
                .map(|all| all.concat());
            match (kinds, context.iter().find(|errors| wanted(errors, error).is_none())) {
                (Some(kinds), _) if !kinds.is_empty() => {
                    let (kind, message) = type_message(&kinds);
                    found.push(Violation { place, kind, message });
                }
                (_, Some(errors)) if !errors.is_empty() => {
                    errors.iter().for_each(|error| explain(error, found))
                }
                _ => found.push(simple(place, error)),
            }
        }
        _ => found.push(simple(place, error)),
    }
}

/// The types that an arm of the union `of` wants, where the value's own type is all it complains of.
fn wanted(errors: &[ValidationError<'_>], of: &ValidationError<'_>) -> Option<Vec<JsonType>> {
    let kinds = errors.iter().map(|error| match error.kind() {
        ValidationErrorKind::Type { kind } if error.instance_path() == of.instance_path() => {
            Some(types(kind))
        }
        _ => None,
    });
    kinds.collect::<Option<Vec<_>>>().map(|kinds| kinds.concat())
}

fn types(kind: &TypeKind) -> Vec<JsonType> {
    match kind {
        TypeKind::Single(kind) => vec![*kind],
        TypeKind::Multiple(kinds) => kinds.iter().collect(),
    }
}

fn simple(place: String, error: &ValidationError<'_>) -> Violation {
    let (kind, message) = match error.kind() {
        ValidationErrorKind::Type { kind } => type_message(&types(kind)),
        ValidationErrorKind::Enum { options } => {
            ("literal_error", format!("this must be one of {}", list(options)))
        }
        ValidationErrorKind::Constant { expected_value } => {
            ("literal_error", format!("this must be {expected_value}"))
        }
        ValidationErrorKind::Pattern { pattern } => {
            ("string_pattern_mismatch", format!("this text must match `{pattern}`"))
        }
        ValidationErrorKind::Minimum { limit } => {
            ("greater_than_equal", format!("this must be at least {limit}"))
        }
        ValidationErrorKind::ExclusiveMinimum { limit } => {
            ("greater_than", format!("this must be more than {limit}"))
        }
        ValidationErrorKind::Maximum { limit } => {
            ("less_than_equal", format!("this must be at most {limit}"))
        }
        ValidationErrorKind::ExclusiveMaximum { limit } => {
            ("less_than", format!("this must be less than {limit}"))
        }
        ValidationErrorKind::MinLength { limit } => {
            ("string_too_short", format!("this text needs at least {limit} characters"))
        }
        ValidationErrorKind::MaxLength { limit } => {
            ("string_too_long", format!("this text may have at most {limit} characters"))
        }
        ValidationErrorKind::MinItems { limit } => {
            ("too_short", format!("this list needs at least {limit} items"))
        }
        ValidationErrorKind::MaxItems { limit } => {
            ("too_long", format!("this list may have at most {limit} items"))
        }
        other => ("value_error", format!("this does not obey `{}` of the schema", other.keyword())),
    };
    Violation { place, kind, message }
}

/// The kind is the first type's; `null` is told only where nothing else is welcome.
fn type_message(kinds: &[JsonType]) -> (&'static str, String) {
    let mut told: Vec<(&'static str, &'static str)> = Vec::new();
    for kind in kinds {
        let one = match kind {
            JsonType::String => ("string_type", "a string"),
            JsonType::Integer => ("int_type", "a whole number"),
            JsonType::Number => ("float_type", "a number"),
            JsonType::Boolean => ("bool_type", "true or false"),
            JsonType::Array => ("list_type", "a list"),
            JsonType::Object => ("dict_type", "an object"),
            JsonType::Null => continue,
        };
        if !told.contains(&one) {
            told.push(one);
        }
    }
    let nouns: Vec<&str> = told.iter().map(|(_, noun)| *noun).collect();
    match told.first() {
        Some((kind, _)) => (kind, format!("this must be {}", nouns.join(" or "))),
        None => ("none_required", "this must be null".to_owned()),
    }
}

fn list(options: &Value) -> String {
    match options.as_array() {
        Some(options) => options.iter().map(Value::to_string).collect::<Vec<_>>().join(", "),
        None => options.to_string(),
    }
}

fn dotted(pointer: &str) -> String {
    pointer
        .trim_start_matches('/')
        .split('/')
        .map(|part| part.replace("~1", "/").replace("~0", "~"))
        .collect::<Vec<_>>()
        .join(".")
}
