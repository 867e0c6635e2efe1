//! Objects: structs, lists of structs, a struct with an enum inside, and maps with any keys.

use std::collections::BTreeMap;

use loom_runtime::tool;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Function;

pub(super) fn functions() -> Vec<Function> {
    vec![
        Function::new(calculate_average::tool(), json!({"numbers": null, "gradeDict": null})),
        Function::new(find_card_in_deck::tool(), json!({"deck": []})),
        Function::new(update_user_info::tool(), json!({"database": "CustomerInfo"})),
        Function::new(realestate_find_properties::tool(), json!({})),
        Function::new(database_query::tool(), json!({})),
    ]
}

#[derive(Serialize)]
struct Averaged {
    numbers: Option<Vec<f64>>,
    #[serde(rename = "gradeDict")]
    grades: Option<BTreeMap<String, f64>>,
}

/// Say what numbers or grades are on average.
///
/// # Arguments
/// * `numbers` - The numbers.
/// * `grades` - The grades, by their subjects.
#[tool(blocking = false)]
fn calculate_average(
    numbers: Option<Vec<f64>>,
    #[arg(name = "gradeDict")] grades: Option<BTreeMap<String, f64>>,
) -> Averaged {
    Averaged { numbers, grades }
}

/// A playing card.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Card {
    /// Its number or picture.
    rank: String,
    /// Its colour and sign.
    suit: String,
}

#[derive(Serialize)]
struct Search {
    rank: String,
    suit: String,
    deck: Vec<Card>,
}

/// Look for a card.
///
/// Args:
///     rank: The number or picture of the card.
///     suit: Its colour and sign.
///     deck: Where to look; in a full deck, if this is left out.
#[tool]
async fn find_card_in_deck(rank: String, suit: String, #[arg(default)] deck: Vec<Card>) -> Search {
    tokio::task::yield_now().await;
    Search { rank, suit, deck }
}

/// What is to change.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Update {
    /// A new name.
    name: Option<String>,
    /// A new address.
    email: Option<String>,
}

/// Change what is known of a customer.
///
/// :param user_id: Who it is.
/// :param update_info: What changes.
/// :param database: Where it is kept.
#[tool]
fn update_user_info(user_id: u64, update_info: &Update, #[arg(default = "CustomerInfo")] database: &str) -> Value {
    json!({"user_id": user_id, "update_info": update_info, "database": database})
}

/// What may be spent.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Budget {
    min: f64,
    max: f64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Wanted {
    location: String,
    property_type: String,
    bedrooms: u8,
    budget: Budget,
}

/// Look for a home to buy.
///
/// Parameters
/// ----------
/// location : str
///     Where it is to be.
/// kind : str
///     What kind of home it is.
/// bedrooms : int
///     How many can sleep apart.
/// budget : dict
///     What it may cost.
#[tool]
async fn realestate_find_properties(
    location: String,
    #[arg(name = "propertyType")] kind: String,
    bedrooms: u8,
    budget: Budget,
) -> Wanted {
    tokio::task::yield_now().await;
    Wanted { location, property_type: kind, bedrooms, budget }
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
enum Operation {
    #[serde(rename = "<")]
    Less,
    #[serde(rename = ">")]
    Greater,
    #[serde(rename = "=")]
    Equal,
    #[serde(rename = ">=")]
    AtLeast,
    #[serde(rename = "<=")]
    AtMost,
}

/// What a row has to fulfil.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Condition {
    field: String,
    operation: Operation,
    value: String,
}

/// Find the rows of a table that fulfil all conditions.
///
/// # Arguments
/// * `table` - The table.
/// * `conditions` - The conditions; none to find every row.
#[tool]
fn database_query(table: &str, conditions: &[Condition]) -> Value {
    json!({"table": table, "conditions": conditions})
}
