//! Which types are one and the same? Equal structure and, for objects, equal documentation.

use std::collections::BTreeMap;

use crate::model::{Body, Definition};

/// All types so far. While names are still to be given, a definition's `name` is its key: `#0`, `#1`, ….
#[derive(Debug, Default)]
pub struct Interner {
    /// The types; the place in this list is the key.
    pub definitions: Vec<Definition>,
    /// Where each was met, in the order of the tools.
    pub sightings: BTreeMap<usize, Vec<Sighting>>,
    by_structure: BTreeMap<String, usize>,
}

/// Where a type was met; what a name can be made from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sighting {
    /// The tool.
    pub tool: String,
    /// The JSON pointer in the tool's entry.
    pub pointer: String,
    /// The schema's title.
    pub title: Option<String>,
}

/// The key of the definition at `index`.
pub fn key(index: usize) -> String {
    format!("#{index}")
}

/// The place of a key in [`Interner::definitions`].
pub fn index(key: &str) -> Option<usize> {
    key.strip_prefix('#')?.parse().ok()
}

impl Interner {
    /// A place for a type that refers to itself: its body follows with [`Interner::fill`], and it is never merged.
    pub fn reserve(&mut self) -> usize {
        let index = self.definitions.len();
        self.definitions.push(Definition {
            name: key(index),
            docs: String::new(),
            body: Body::Union { arms: Vec::new() },
            owner: None,
            in_output: false,
        });
        index
    }

    /// Gives a reserved place its body.
    pub fn fill(&mut self, index: usize, body: Body, docs: String) {
        self.definitions[index].body = body;
        self.definitions[index].docs = docs;
    }

    /// Notes that a type was met once more.
    pub fn saw(&mut self, index: usize, sighting: Sighting) {
        self.sightings.entry(index).or_default().push(sighting);
    }

    /// The key of the type with this structure, new or known.
    pub fn add(&mut self, body: Body, docs: String) -> usize {
        // The documentation of an enum or a union tells where it stands, not what it is.
        let docs_count = if matches!(body, Body::Struct { .. }) { docs.as_str() } else { "" };
        let structure = format!("{body:?}\n{docs_count}");
        if let Some(&known) = self.by_structure.get(&structure) {
            // What is said of one place is wrong for a union that stands in several; an enum keeps the first.
            let definition = &mut self.definitions[known];
            if matches!(definition.body, Body::Union { .. }) && definition.docs != docs {
                definition.docs.clear();
            }
            return known;
        }
        let index = self.reserve();
        self.fill(index, body, docs);
        self.by_structure.insert(structure, index);
        index
    }
}
