//! Properties over generated schemas and over a zoo of parameter types: what is valid comes through as it is, what is
//! taken is valid, what is refused is refused with its place.

mod animal;
mod faults;
mod generated;
mod known;
mod mutations;
mod spec;
mod zoo;
