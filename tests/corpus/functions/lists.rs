//! Lists: owned and lent, of numbers and of enums, required and with a default.

use loom_runtime::tool;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Function;

pub(super) fn functions() -> Vec<Function> {
    vec![
        Function::new(t_test::tool(), json!({"alpha": 0.05})),
        Function::new(generate_dna_sequence::tool(), json!({})),
        Function::new(
            restaurant_find_nearby::tool(),
            json!({"cuisine": null, "max_distance": 5, "dietary_preference": ["Vegan"]}),
        ),
    ]
}

/// Say whether two samples differ by more than chance.
///
/// # Arguments
/// * `left` - The first sample.
/// * `right` - The second sample.
/// * `alpha` - How unlikely chance has to be.
#[tool]
fn t_test(
    #[arg(name = "dataset_A")] left: &[i64],
    #[arg(name = "dataset_B")] right: &[i64],
    #[arg(default = 0.05)] alpha: f64,
) -> Value {
    json!({"dataset_A": left, "dataset_B": right, "alpha": alpha})
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
enum Base {
    A,
    T,
    C,
    G,
}

/// Make up a strand of DNA.
///
/// Args:
///     length: How many bases it has.
///     preferences: Bases that are to come more often.
#[tool(name = "generate_DNA_sequence")]
async fn generate_dna_sequence(length: usize, preferences: &[Base]) -> Value {
    tokio::task::yield_now().await;
    json!({"length": length, "preferences": preferences})
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
enum Diet {
    Vegan,
    Vegetarian,
    #[serde(rename = "Gluten-free")]
    GlutenFree,
    #[serde(rename = "Dairy-free")]
    DairyFree,
    #[serde(rename = "Nut-free")]
    NutFree,
}

#[derive(Serialize)]
struct Restaurants {
    location: String,
    cuisine: Option<String>,
    max_distance: f64,
    dietary_preference: Vec<Diet>,
}

/// Look for somewhere to eat.
///
/// Parameters
/// ----------
/// location : str
///     Where to look.
/// cuisine : str, optional
///     What kind of food it is to have.
/// max_distance : float, optional
///     How far away it may be.
/// dietary_preference : list of str, optional
///     What the guests do not eat.
#[tool]
async fn restaurant_find_nearby(
    location: String,
    cuisine: Option<String>,
    #[arg(default = 5.0)] max_distance: f64,
    #[arg(default = vec![Diet::Vegan])] dietary_preference: Vec<Diet>,
) -> Result<Restaurants, String> {
    tokio::task::yield_now().await;
    Ok(Restaurants { location, cuisine, max_distance, dietary_preference })
}
