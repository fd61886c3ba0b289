//! The contract as the emitters see it: tools and types, without JSON schemas and without tokens.

use serde_json::Value;

/// All tools with all the types they need.
#[derive(Debug, Clone, Default)]
pub struct Api {
    /// The tools, sorted by name.
    pub tools: Vec<Tool>,
    /// The named types, sorted by name.
    pub types: Vec<Definition>,
    /// What the types cannot say about the contract, sorted.
    pub notes: Vec<Note>,
}

/// One tool.
#[derive(Debug, Clone)]
pub struct Tool {
    /// Its name on the wire.
    pub name: String,
    /// The file that its contract was read from, relative to the project.
    pub file: String,
    /// What the tool does, for a reader of the documentation.
    pub docs: String,
    /// The set it belongs to.
    pub toolset: String,
    /// The type of its arguments: always a [`Body::Struct`].
    pub args: String,
    /// The type of its result; `Value` where the contract says nothing.
    pub output: Shape,
    /// Whether the result stands in `{"result": …}` on the wire.
    pub wrapped: bool,
}

/// The type of a value.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Shape {
    /// Any JSON value.
    Any,
    /// `null` and nothing else.
    Null,
    /// `true` or `false`.
    Boolean,
    /// A whole number, 64 bits.
    Integer {
        /// Whether the contract allows no number below zero.
        unsigned: bool,
    },
    /// A floating-point number.
    Number,
    /// Text.
    String,
    /// A list.
    Array(Box<Shape>),
    /// An object with any names and values of one type.
    Map(Box<Shape>),
    /// The value or `null`; never nested.
    Nullable(Box<Shape>),
    /// A type of its own, by its Rust name (by its key while names are still to be given).
    Named(String),
}

/// A type with a name.
#[derive(Debug, Clone, PartialEq)]
pub struct Definition {
    /// Its Rust name.
    pub name: String,
    /// Its documentation; may be empty.
    pub docs: String,
    /// What it is.
    pub body: Body,
    /// The tool that it belongs to; `None` where several share it.
    pub owner: Option<String>,
    /// Whether results carry it: then a field that is `null` is written, not left out.
    pub in_output: bool,
}

/// What a type with a name is.
#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    /// An object with known names.
    Struct {
        /// The fields in the order of the schema.
        fields: Vec<Field>,
        /// What other names may hold.
        extra: Extra,
    },
    /// One of several words.
    Enum {
        /// The words as they are on the wire.
        variants: Vec<String>,
    },
    /// One of several types that their JSON kind tells apart.
    Union {
        /// The types, none of them nullable.
        arms: Vec<Shape>,
    },
}

/// What an object may hold beside its fields.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Extra {
    /// Nothing.
    Closed,
    /// Anything; it is not kept.
    Ignored,
    /// Values of this type; they are kept.
    Kept(Shape),
}

/// One field of an object.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// Its name on the wire.
    pub wire: String,
    /// Its Rust name.
    pub name: String,
    /// Its documentation; may be empty.
    pub docs: String,
    /// Its type.
    pub shape: Shape,
    /// Whether the contract requires it.
    pub required: bool,
    /// The default that the contract states, `null` too.
    pub default: Option<Value>,
    /// Whether the contract takes `null` here.
    pub null: bool,
    /// Whether its type holds the one that the field stands in, so that it must be behind a pointer.
    pub boxed: bool,
}

/// Something about the contract that a type cannot say and that only the boundary checks.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Note {
    /// The file.
    pub file: String,
    /// The JSON pointer.
    pub pointer: String,
    /// What is not in the type.
    pub what: String,
}

impl Shape {
    /// The named types in it.
    pub fn names(&self) -> Vec<String> {
        match self {
            Shape::Named(name) => vec![name.clone()],
            Shape::Array(inner) | Shape::Map(inner) | Shape::Nullable(inner) => inner.names(),
            _ => Vec::new(),
        }
    }
}

impl Body {
    /// The named types in it.
    pub fn names(&self) -> Vec<String> {
        match self {
            Body::Struct { fields, extra } => {
                let mut names: Vec<String> = fields.iter().flat_map(|field| field.shape.names()).collect();
                if let Extra::Kept(shape) = extra {
                    names.extend(shape.names());
                }
                names
            }
            Body::Union { arms } => arms.iter().flat_map(Shape::names).collect(),
            Body::Enum { .. } => Vec::new(),
        }
    }
}
