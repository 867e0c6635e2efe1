//! The examples are programs of their own; see the manifest for their names.
