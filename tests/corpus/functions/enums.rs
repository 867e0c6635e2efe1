//! Enums: a value out of a few, by its own name, by a changed one, and with words between blanks.

use loom_runtime::tool;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Function;

pub(super) fn functions() -> Vec<Function> {
    vec![
        Function::new(array_sort::tool(), json!({})),
        Function::new(lawsuit_search::tool(), json!({"status": null})),
        Function::new(calculate_genotype_frequency::tool(), json!({})),
        Function::new(analyze_dna_sequence::tool(), json!({"mutation_type": "insertion"})),
        Function::new(travel_itinerary_generator::tool(), json!({"exploration_type": "urban"})),
        Function::new(diabetes_prediction::tool(), json!({})),
        Function::new(ecology_data_precipitation_stats::tool(), json!({})),
    ]
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Order {
    Ascending,
    Descending,
}

/// Put numbers in order.
///
/// # Arguments
/// * `list` - The numbers.
/// * `order` - Which end comes first.
#[tool(blocking = false)]
fn array_sort(list: &[f64], order: Order) -> Value {
    json!({"list": list, "order": order})
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Status {
    Ongoing,
    Settled,
    Dismissed,
}

#[derive(Serialize)]
struct Lawsuits {
    company: String,
    start_date: String,
    location: String,
    status: Option<Status>,
}

/// Look for court cases against a company.
///
/// Args:
///     company: Who is sued.
///     start_date: The earliest day, as `YYYY-MM-DD`.
///     location: Where the court is.
///     status: How far the case has come; all cases, if this is left out.
#[tool]
async fn lawsuit_search(company: String, start_date: String, location: String, status: Option<Status>) -> Lawsuits {
    tokio::task::yield_now().await;
    Lawsuits { company, start_date, location, status }
}

/// A pair of alleles.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
enum Genotype {
    /// Both dominant.
    #[serde(rename = "AA")]
    Dominant,
    /// One of each.
    #[serde(rename = "Aa")]
    Mixed,
    /// Both recessive.
    #[serde(rename = "aa")]
    Recessive,
}

/// Say how often a pair of alleles is to be expected.
///
/// Parameters
/// ----------
/// allele_frequency : float
///     How often the dominant allele is found.
/// genotype : str
///     The pair.
#[tool]
fn calculate_genotype_frequency(#[arg(min = 0, max = 1)] allele_frequency: f64, genotype: Genotype) -> Value {
    json!({"allele_frequency": allele_frequency, "genotype": genotype})
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Mutation {
    Insertion,
    Deletion,
    Substitution,
}

/// Compare a strand of DNA with another.
///
/// :param sequence: The strand.
/// :param reference_sequence: What it is compared with.
/// :param mutation_type: Which kind of difference is looked for.
#[tool]
async fn analyze_dna_sequence(
    #[arg(pattern = "^[ACGT]+$")] sequence: &str,
    #[arg(pattern = "^[ACGT]+$")] reference_sequence: &str,
    #[arg(default = Mutation::Insertion)] mutation_type: Mutation,
) -> Value {
    tokio::task::yield_now().await;
    json!({"sequence": sequence, "reference_sequence": reference_sequence, "mutation_type": mutation_type})
}

#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Exploration {
    Nature,
    #[default]
    Urban,
    History,
    Culture,
}

#[derive(Serialize, JsonSchema)]
struct Itinerary {
    destination: String,
    days: u8,
    daily_budget: u32,
    exploration_type: Exploration,
}

/// Plan a journey.
#[tool]
fn travel_itinerary_generator(
    #[arg(description = "Where the journey goes.")] destination: String,
    #[arg(description = "How long it takes.")] days: u8,
    #[arg(description = "What a day may cost.")] daily_budget: u32,
    #[arg(description = "What is to be seen.", default)] exploration_type: Exploration,
) -> Itinerary {
    Itinerary { destination, days, daily_budget, exploration_type }
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
enum Activity {
    #[serde(rename = "sedentary")]
    Sedentary,
    #[serde(rename = "lightly active")]
    Lightly,
    #[serde(rename = "moderately active")]
    Moderately,
    #[serde(rename = "very active")]
    Very,
    #[serde(rename = "extra active")]
    Extra,
}

/// Estimate how likely somebody is to get diabetes.
///
/// # Arguments
/// * `weight` - How heavy they are, in pounds.
/// * `height` - How tall they are, in inches.
/// * `activity_level` - How much they move.
#[tool(blocking = false)]
fn diabetes_prediction(weight: u16, height: u16, activity_level: Activity) -> Value {
    json!({"weight": weight, "height": height, "activity_level": activity_level})
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum TimeFrame {
    SixMonths,
    Year,
    FiveYears,
}

/// Say how much it has rained.
///
/// Args:
///     location: Where it rained.
///     time_frame: How far to look back.
#[tool]
async fn ecology_data_precipitation_stats(location: &str, time_frame: TimeFrame) -> Value {
    tokio::task::yield_now().await;
    json!({"location": location, "time_frame": time_frame})
}
