//! Holds the generated code to the contract: every tool, both directions, valid values and such as are not.

mod boundary;
mod catalogue;
mod client;
mod differences;
mod documents;
mod errors;
mod generator;
mod leniency;
mod recoding;
mod stub;
mod support;
