//! Brings a tool's contract into `schemas/`.
