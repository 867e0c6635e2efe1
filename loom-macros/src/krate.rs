//! Which path generated code reaches loom by: the one given, or the one that the manifest says.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::Ident;

/// The crates that may be depended on, the one that people mostly use first.
const CRATES: [&str; 2] = ["loom-runtime", "loom-core"];

/// The path of loom, as the manifest of the crate being compiled names it.
///
/// # Errors
/// When the manifest names no crate of loom.
pub(crate) fn find() -> Result<TokenStream, String> {
    // All tools that one run of this crate expands belong to one crate, so its manifest is read once.
    static FOUND: OnceLock<Option<String>> = OnceLock::new();
    let found = FOUND.get_or_init(|| {
        let Some(folder) = std::env::var_os("CARGO_MANIFEST_DIR") else {
            // Built without cargo: there is no manifest to ask, and no renaming either.
            return Some(ident(CRATES[0]));
        };
        let manifest = PathBuf::from(folder).join("Cargo.toml");
        let text = std::fs::read_to_string(&manifest).ok()?;
        dependency(&text, || workspace_of(&manifest))
    });
    match found {
        Some(name) => {
            let name = Ident::new(name, Span::call_site());
            Ok(quote!(::#name))
        }
        None => {
            Err("neither `loom-runtime` nor `loom-core` is a dependency of this crate; add one, or say where loom \
                     is with `#[tool(crate = path)]`"
                .to_owned())
        }
    }
}

/// The text of the workspace manifest above this one.
fn workspace_of(manifest: &Path) -> Option<String> {
    let folders = manifest.parent()?.ancestors().skip(1);
    let mut texts = folders.filter_map(|folder| std::fs::read_to_string(folder.join("Cargo.toml")).ok());
    texts.find(|text| entries(text).any(|entry| entry.table == "workspace" || entry.table.starts_with("workspace.")))
}

/// The name under which a manifest depends on loom.
fn dependency(manifest: &str, workspace: impl FnOnce() -> Option<String>) -> Option<String> {
    let entries: Vec<_> = entries(manifest).collect();
    let own = entries.iter().find(|entry| entry.table == "package" && entry.key == "name");
    let dependencies: Vec<_> = entries.iter().filter(|entry| entry.is_dependency()).collect();
    let inherited = dependencies.iter().any(|entry| entry.is_inherited());
    let workspace = if inherited { workspace() } else { None };
    let workspace: Vec<_> = workspace.as_deref().map(|text| self::entries(text).collect()).unwrap_or_default();
    CRATES.into_iter().find_map(|krate| {
        // The crate itself, while its own examples and tests are compiled.
        if own.is_some_and(|own| unquote(own.value) == Some(krate)) {
            return Some(ident(krate));
        }
        let found = dependencies.iter().find(|entry| match entry.package() {
            Some(package) => package == krate,
            None if entry.is_inherited() => workspace
                .iter()
                .filter(|other| other.table.starts_with("workspace.dependencies") && other.alias() == entry.alias())
                .find_map(Entry::package)
                .map_or(entry.alias() == krate, |package| package == krate),
            None => entry.alias() == krate,
        })?;
        Some(ident(found.alias()))
    })
}

/// A crate's name as Rust code writes it.
fn ident(name: &str) -> String {
    name.replace('-', "_")
}

/// One `key = value` of a manifest, with the table that it stands in. Enough of TOML to find dependencies; whatever it
/// cannot follow is answered by `crate = …`.
#[derive(Debug, Clone, Copy)]
struct Entry<'a> {
    table: &'a str,
    key: &'a str,
    value: &'a str,
}

fn entries(manifest: &str) -> impl Iterator<Item = Entry<'_>> {
    let mut table = "";
    manifest.lines().filter_map(move |line| {
        let line = line.trim();
        if let Some(header) = line.strip_prefix('[') {
            table = header.trim_start_matches('[').split(']').next().unwrap_or_default().trim();
            // A table is an entry too: `[dependencies.loom-runtime]` may say nothing more than a version.
            return Some(Entry { table, key: "", value: "" });
        }
        let (key, value) = line.split_once('=')?;
        (!line.starts_with('#')).then(|| Entry { table, key: key.trim(), value: value.trim() })
    })
}

impl<'a> Entry<'a> {
    /// The part of the table's name after `dependencies`, if it is a table of dependencies.
    fn dependency_table(&self) -> Option<&'a str> {
        let (before, after) = self.table.split_once("dependencies")?;
        let before = before.trim_end_matches(['-', '_', '.']);
        let is_kind = matches!(before, "" | "dev" | "build" | "workspace");
        let is_target = before.starts_with("target.") && !before.starts_with("target.dependencies");
        (is_kind || is_target).then(|| after.trim_start_matches('.'))
    }

    fn is_dependency(&self) -> bool {
        self.dependency_table().is_some() && !self.table.starts_with("workspace") && !self.alias().is_empty()
    }

    /// The name that the dependency goes by here.
    fn alias(&self) -> &'a str {
        let name = match self.dependency_table() {
            Some("") => self.key.split('.').next().unwrap_or_default(),
            Some(name) => name,
            None => "",
        };
        name.trim().trim_matches(['"', '\''])
    }

    /// The package it stands for, where that is said.
    fn package(&self) -> Option<&'a str> {
        if self.key == "package" || self.key.ends_with(".package") {
            return unquote(self.value);
        }
        let (_, after) = self.value.split_once("package")?;
        unquote(after.trim_start().strip_prefix('=')?)
    }

    /// Whether the workspace says the rest.
    fn is_inherited(&self) -> bool {
        let inline = self.value.split_once("workspace").is_some_and(|(_, after)| is_true(after));
        inline || ((self.key == "workspace" || self.key.ends_with(".workspace")) && self.value.starts_with("true"))
    }
}

fn is_true(text: &str) -> bool {
    text.trim_start().strip_prefix('=').is_some_and(|text| text.trim_start().starts_with("true"))
}

/// The contents of the string that the text begins with.
fn unquote(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let quote = text.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    text.get(1..)?.split(quote).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(manifest: &str, workspace: &str) -> Option<String> {
        dependency(manifest, || Some(workspace.to_owned()))
    }

    #[test]
    fn dependencies_are_found_however_they_are_written() {
        let cases = [
            ("[dependencies]\nloom-runtime = \"1\"", Some("loom_runtime")),
            ("[dependencies]\nloom-core = \"1\"", Some("loom_core")),
            ("[dependencies]\nloom-core = \"1\"\nloom-runtime = \"1\"", Some("loom_runtime")),
            ("[dependencies]\nloom-runtime = { path = \"..\", features = [\"cli\"] }", Some("loom_runtime")),
            ("[dependencies]\n\"loom-runtime\" = \"1\"", Some("loom_runtime")),
            ("[dependencies]\nweave = { package = \"loom-runtime\", version = \"1\" }", Some("weave")),
            ("[dependencies]\nmy-weave.package = \"loom-runtime\"", Some("my_weave")),
            ("[dependencies.weave]\nversion = \"1\"\npackage = 'loom-runtime'", Some("weave")),
            ("[dependencies.loom-runtime]\nversion = \"1\"", Some("loom_runtime")),
            ("[dev-dependencies]\nloom-runtime = \"1\"", Some("loom_runtime")),
            ("[target.'cfg(unix)'.dependencies]\nloom-runtime = \"1\"", Some("loom_runtime")),
            ("[package]\nname = \"loom-runtime\"", Some("loom_runtime")),
            ("[dependencies]\nloom-runtime.workspace = true", Some("loom_runtime")),
            ("[dependencies]\nserde = \"1\" # loom-runtime = \"1\"", None),
            ("# [dependencies]\n#loom-runtime = \"1\"", None),
            ("[dependencies]\nloom = \"0.7\"", None),
            ("[dependencies]\nloom-runtime = { package = \"other\" }", None),
            ("[features]\nloom-runtime = []", None),
            ("", None),
        ];
        for (manifest, expected) in cases {
            assert_eq!(found(manifest, "").as_deref(), expected, "{manifest}");
        }
    }

    #[test]
    fn a_workspace_may_rename() {
        let workspace = "[workspace]\nmembers = []\n[workspace.dependencies]\nweave = { package = \"loom-runtime\" }\n";
        assert_eq!(found("[dependencies]\nweave = { workspace = true }", workspace).as_deref(), Some("weave"));
        assert_eq!(found("[dependencies]\nweave.workspace = true", workspace).as_deref(), Some("weave"));
        assert_eq!(found("[dependencies]\nweave = \"1\"", workspace), None);
    }
}
