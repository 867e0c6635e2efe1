//! The tests are targets of their own; see the manifest.
