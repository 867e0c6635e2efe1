//! Parameters that may be left out: with a default, without one, and switches.

use loom_runtime::tool;
use serde::Serialize;
use serde_json::{Value, json};

use super::Function;

pub(super) fn functions() -> Vec<Function> {
    vec![
        Function::new(get_stock_price::tool(), json!({"exchange": "NASDAQ"})),
        Function::new(stock_price::tool(), json!({"data_type": "Close"})),
        Function::new(get_stock_info::tool(), json!({"market": null})),
        Function::new(mutation_type_find::tool(), json!({"species": "Homo sapiens"})),
        Function::new(event_finder_find_upcoming::tool(), json!({"days_ahead": 7})),
        Function::new(get_shortest_driving_distance::tool(), json!({"unit": "kilometers"})),
        Function::new(geometry_area_triangle::tool(), json!({"unit": "square meters"})),
        Function::new(geometry_area_circle::tool(), json!({"units": "meters"})),
        Function::new(geometry_circumference::tool(), json!({"units": null})),
        Function::new(calculus_derivative::tool(), json!({"function_variable": "x"})),
        Function::new(cellbio_get_proteins::tool(), json!({"include_description": false})),
        Function::new(forest_growth_forecast::tool(), json!({"include_human_impact": null})),
    ]
}

/// Say what a share cost on a day.
///
/// # Arguments
/// * `company_name` - Whose share it is.
/// * `date` - The day, as `YYYY-MM-DD`.
/// * `exchange` - Where it was traded.
#[tool(read_only, open_world)]
async fn get_stock_price(
    company_name: &str,
    #[arg(pattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$", format = "date")] date: &str,
    #[arg(default = "NASDAQ")] exchange: &str,
) -> Value {
    tokio::task::yield_now().await;
    json!({"company_name": company_name, "date": date, "exchange": exchange})
}

#[derive(Serialize)]
struct Prices {
    company: String,
    days: u32,
    data_type: String,
}

/// Say what a share has cost lately.
///
/// Args:
///     company: Whose share it is.
///     days: For how many days back.
///     data_type: Which of a day's prices is meant.
#[tool]
fn stock_price(
    company: String,
    #[arg(min = 1)] days: u32,
    #[arg(default = "Close".to_owned())] data_type: String,
) -> Prices {
    Prices { company, days, data_type }
}

/// Tell about a share.
///
/// Parameters
/// ----------
/// company_name : str
///     Whose share it is.
/// detail_level : str
///     How much to tell.
/// market : str, optional
///     Where it is traded.
#[tool]
async fn get_stock_info(company_name: &str, detail_level: &str, market: Option<&str>) -> Value {
    tokio::task::yield_now().await;
    json!({"company_name": company_name, "detail_level": detail_level, "market": market})
}

/// Tell which kind of mutation a place in the genome has.
///
/// :param snp_id: The place, by its public number.
/// :type snp_id: str
/// :param species: Whose genome it is.
/// :type species: str
#[tool(blocking = false)]
fn mutation_type_find(
    #[arg(pattern = "^rs[0-9]+$")] snp_id: &str,
    #[arg(default = "Homo sapiens")] species: &str,
) -> Value {
    json!({"snp_id": snp_id, "species": species})
}

#[derive(Serialize)]
struct Events {
    location: String,
    genre: String,
    days_ahead: u16,
}

/// Look for events in the days to come.
#[tool]
async fn event_finder_find_upcoming(
    /// The city, and its state.
    location: String,
    /// What kind of event it is.
    genre: String,
    /// How many days to look ahead.
    #[arg(default = 7, max = 365)]
    days_ahead: u16,
) -> Events {
    tokio::task::yield_now().await;
    Events { location, genre, days_ahead }
}

/// Say how far it is by road.
///
/// # Arguments
/// - `origin`: Where the way begins.
/// - `destination`: Where it ends.
/// - `unit`: What the distance is said in.
#[tool]
fn get_shortest_driving_distance(
    origin: &str,
    destination: &str,
    #[arg(default = "kilometers")] unit: &str,
) -> anyhow::Result<Value> {
    anyhow::ensure!(origin != destination, "one is there already");
    Ok(json!({"origin": origin, "destination": destination, "unit": unit}))
}

/// Say how large a triangle is.
///
/// Args:
///     base (int): The side that it stands on.
///     height (int): How far its tip is from there.
///     unit (str): What the area is said in.
#[tool(blocking = false)]
fn geometry_area_triangle(base: u32, height: u32, #[arg(default = "square meters")] unit: &str) -> Value {
    json!({"base": base, "height": height, "unit": unit})
}

/// Say how large a circle is.
///
/// :param radius: From its middle to its edge.
/// :param units: What the radius is measured in.
#[tool]
async fn geometry_area_circle(radius: f64, #[arg(default = "meters")] units: &str) -> Value {
    tokio::task::yield_now().await;
    json!({"radius": radius, "units": units})
}

/// Say how long the edge of a circle is.
///
/// Parameters
/// ----------
/// radius
///     From its middle to its edge.
/// units
///     What the length is said in.
#[tool]
fn geometry_circumference(radius: u32, units: Option<&str>) -> Value {
    json!({"radius": radius, "units": units})
}

/// Say how steep a function is at a point.
///
/// # Arguments
/// * `function` - The function as a formula.
/// * `value` - The point.
/// * `variable` - What the formula calls its unknown.
#[tool]
async fn calculus_derivative(
    function: &str,
    value: i32,
    #[arg(name = "function_variable", default = "x")] variable: &str,
) -> Value {
    tokio::task::yield_now().await;
    json!({"function": function, "value": value, "function_variable": variable})
}

/// List the proteins in a part of a cell.
///
/// Args:
///     cell_compartment: The part.
///     include_description: Whether each protein is described.
#[tool(blocking = false)]
fn cellbio_get_proteins(cell_compartment: &str, #[arg(default)] include_description: bool) -> Value {
    json!({"cell_compartment": cell_compartment, "include_description": include_description})
}

/// Foretell how a forest grows.
///
/// :param location: Where it is.
/// :param years: How far to look ahead.
/// :param include_human_impact: Whether what people do is taken into account.
#[tool(timeout = "5s")]
async fn forest_growth_forecast(location: &str, years: u16, include_human_impact: Option<bool>) -> Value {
    tokio::task::yield_now().await;
    json!({"location": location, "years": years, "include_human_impact": include_human_impact})
}
