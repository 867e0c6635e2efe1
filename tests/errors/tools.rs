//! Tools as programs have them: none of them is ever reached here.

#![expect(dead_code, reason = "printed")]

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU16;

use loom_runtime::tool;
use schemars::JsonSchema;
use serde::Deserialize;

/// What to leave out of a search.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Filters {
    category: Option<Category>,
    price: Option<Price>,
    #[serde(default)]
    brands: BTreeSet<String>,
    in_stock: Option<bool>,
}

#[derive(Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Category {
    Books,
    Music,
    HomeAndGarden,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Price {
    min: f64,
    max: Option<f64>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Sort {
    Relevance,
    PriceAscending,
    PriceDescending,
}

/// Searches the shop.
#[tool(blocking = false)]
pub(crate) fn search(
    #[arg(min_length = 1)] query: String,
    filters: Option<Filters>,
    sort: Option<Sort>,
    #[arg(default = 10, min = 1, max = 100)] limit: u32,
) -> String {
    format!("{query} {filters:?} {sort:?} {limit}")
}

/// A day such as 2025-03-14.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(try_from = "String")]
pub(crate) struct Day(#[schemars(extend("format" = "date"))] String);

impl TryFrom<String> for Day {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let parts: Vec<_> = text.split('-').map(str::len).collect();
        let digits = text.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit());
        if parts == [4, 2, 2] && digits { Ok(Self(text)) } else { Err("a day is written as 2025-03-14".to_owned()) }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Attendee {
    name: String,
    #[schemars(regex(pattern = r"^[^@ ]+@[^@ ]+$"))]
    email: String,
    role: Role,
    #[serde(default)]
    optional: bool,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Role {
    Organiser,
    Speaker,
    Guest,
}

/// Puts an event into the calendar.
#[tool(blocking = false)]
pub(crate) fn create_event(
    title: String,
    start: Day,
    end: Option<Day>,
    attendees: Vec<Attendee>,
    #[arg(default)] reminders_minutes: Vec<u16>,
    room: Option<NonZeroU16>,
) -> String {
    format!("{title} {start:?} {end:?} {attendees:?} {reminders_minutes:?} {room:?}")
}

/// A change of a file.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "op", rename_all = "snake_case")]
pub(crate) enum Edit {
    Insert { line: u32, text: String },
    Replace { from: String, to: String, all: Option<bool> },
    DeleteLines { first: u32, last: u32 },
}

/// Edits a file.
#[tool(blocking = false)]
pub(crate) fn edit_file(path: String, edits: Vec<Edit>, finally: Option<Edit>) -> String {
    format!("{path} {edits:?} {finally:?}")
}

/// What is drawn.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Shape {
    Nothing,
    Circle { radius: f64 },
    Polygon(Vec<(f64, f64)>),
}

/// Draws on the canvas.
#[tool(blocking = false)]
pub(crate) fn draw(shape: Shape, colour: [u8; 3]) -> String {
    format!("{shape:?} {colour:?}")
}

/// Who is told.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Target {
    User(u64),
    Users(Vec<u64>),
    Channel { channel: String, thread: Option<u32> },
}

/// Tells somebody.
#[tool(blocking = false)]
pub(crate) fn notify(to: Target, text: String) -> String {
    format!("{to:?} {text}")
}

/// Sets how many of each there are.
#[tool(blocking = false)]
pub(crate) fn set_stock(counts: BTreeMap<String, u32>, #[arg(default)] shelves: BTreeMap<u8, String>) -> String {
    format!("{counts:?} {shelves:?}")
}

/// Makes an account.
#[tool(blocking = false)]
pub(crate) fn register(
    #[arg(pattern = "^[a-z][a-z0-9_]*$", max_length = 12)] username: String,
    #[arg(min = 18, max = 130)] age: u8,
    #[arg(min_length = 1)] languages: BTreeSet<Language>,
    newsletter: bool,
) -> String {
    format!("{username} {age} {languages:?} {newsletter}")
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, JsonSchema)]
pub(crate) enum Language {
    En,
    De,
    Fr,
}

/// A folder with folders inside.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Folder {
    name: String,
    #[serde(default)]
    folders: Vec<Folder>,
}

/// Makes folders.
#[tool(blocking = false)]
pub(crate) fn make_folders(root: Folder) -> String {
    format!("{root:?}")
}
