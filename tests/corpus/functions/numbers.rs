//! Numbers: integers of several widths, floats, and what a number may be sent as.

use loom_runtime::tool;
use serde::Serialize;
use serde_json::{Value, json};

use super::Function;

pub(super) fn functions() -> Vec<Function> {
    vec![
        Function::new(calculate_bmi::tool(), json!({"unit": "metric"})).with_aliases(&[("system", "unit")]),
        Function::new(body_mass_index::tool(), json!({})),
        Function::new(math_factorial::tool(), json!({})),
        Function::new(math_gcd::tool(), json!({})),
        Function::new(math_hcf::tool(), json!({})),
        Function::new(math_hypot::tool(), json!({"z": 0})),
        Function::new(solve_quadratic_equation::tool(), json!({})),
        Function::new(solve_quadratic::tool(), json!({"root_type": "all"})),
        Function::new(get_prime_factors::tool(), json!({})),
        Function::new(calculate_displacement::tool(), json!({"acceleration": 0})),
        Function::new(light_travel_time::tool(), json!({"speed_of_light": 299_792_458})),
        Function::new(calculate_electric_field_strength::tool(), json!({"medium": "vacuum"})),
        Function::new(calculate_density::tool(), json!({"unit": "kg/m³"})),
    ]
}

/// Relate a person's weight to their height.
///
/// # Arguments
/// * `weight` - How heavy the person is.
/// * `height` - How tall the person is.
/// * `unit` - The system of units that both are in.
#[tool(read_only)]
fn calculate_bmi(
    weight: u32,
    height: f64,
    #[arg(default = "metric")]
    #[serde(alias = "system")]
    unit: &str,
) -> Value {
    json!({"weight": weight, "height": height, "unit": unit})
}

#[derive(Serialize)]
struct Body {
    weight_kg: u16,
    height_m: f32,
}

/// Relate weight to height, in metric units only.
///
/// Args:
///     weight_kg: The weight in kilograms.
///     height_m (float): The height in metres.
#[tool(name = "calculate_BMI")]
async fn body_mass_index(weight_kg: u16, height_m: f32) -> Body {
    tokio::task::yield_now().await;
    Body { weight_kg, height_m }
}

/// Multiply all whole numbers up to one.
///
/// Parameters
/// ----------
/// number : int
///     The largest factor.
#[tool(blocking = false)]
fn math_factorial(number: u64) -> Value {
    json!({"number": number})
}

/// Find the largest number that divides two others.
///
/// :param num1: The first of the two.
/// :param num2: The second of the two.
#[tool]
async fn math_gcd(num1: i64, num2: i64) -> Value {
    tokio::task::yield_now().await;
    json!({"num1": num1, "num2": num2})
}

/// Find the highest factor that two numbers share.
///
/// :param int number1: One number.
/// :param int number2: The other number.
#[tool(idempotent)]
fn math_hcf(number1: u32, number2: u32) -> Result<Value, String> {
    if number1 == 0 && number2 == 0 {
        return Err("every number divides zero".to_owned());
    }
    Ok(json!({"number1": number1, "number2": number2}))
}

/// Measure how far a point is from the origin.
///
/// # Arguments
/// - x: Along the first axis.
/// - y: Along the second axis.
/// - z: Along the third axis, for points in space.
#[tool(blocking = false)]
fn math_hypot(x: i32, y: i32, #[arg(default)] z: i32) -> Value {
    json!({"x": x, "y": y, "z": z})
}

/// Find where a parabola crosses zero.
///
/// Args:
///     a: What the square is multiplied with.
///     b: What the unknown is multiplied with.
///     c: What is added.
#[tool]
async fn solve_quadratic_equation(a: i64, b: i64, c: i64) -> anyhow::Result<Value> {
    tokio::task::yield_now().await;
    Ok(json!({"a": a, "b": b, "c": c}))
}

/// Find the roots of a polynomial of the second degree.
#[tool]
fn solve_quadratic(
    /// The factor of the square.
    a: f64,
    /// The factor of the unknown.
    b: f64,
    /// The constant.
    c: f64,
    /// Which roots are wanted.
    #[arg(default = "all")]
    root_type: &str,
) -> Value {
    json!({"a": a, "b": b, "c": c, "root_type": root_type})
}

/// Take a number apart into primes.
///
/// Parameters
/// ----------
/// number : int
///     What is taken apart.
/// formatted : bool
///     Whether the answer is for people to read.
#[tool]
async fn get_prime_factors(number: u64, formatted: bool) -> Value {
    tokio::task::yield_now().await;
    json!({"number": number, "formatted": formatted})
}

/// Say how far something moves.
///
/// # Arguments
/// * `initial_velocity` - How fast it is at first.
/// * `time` - For how long it moves.
/// * `acceleration` - How much faster it gets, which is not at all unless this is given.
#[tool(blocking = false)]
fn calculate_displacement(initial_velocity: f64, time: f64, #[arg(default = 0.0)] acceleration: f64) -> Value {
    json!({"initial_velocity": initial_velocity, "time": time, "acceleration": acceleration})
}

/// The speed of light in metres per second.
const SPEED_OF_LIGHT: u64 = 299_792_458;

/// Say how long light is under way.
///
/// Args:
///     distance_in_light_years: How far it goes.
///     speed_of_light: How fast it is,
///         in metres per second.
#[tool]
async fn light_travel_time(
    distance_in_light_years: f64,
    #[arg(default = SPEED_OF_LIGHT)] speed_of_light: u64,
) -> Value {
    tokio::task::yield_now().await;
    json!({"distance_in_light_years": distance_in_light_years, "speed_of_light": speed_of_light})
}

/// Say how strong the field of a charge is at a distance.
///
/// :param charge: How large the charge is.
/// :param distance: How far away the field is measured.
/// :param medium: What lies between.
#[tool]
fn calculate_electric_field_strength(charge: f64, distance: f64, #[arg(default = "vacuum")] medium: &str) -> Value {
    json!({"charge": charge, "distance": distance, "medium": medium})
}

#[derive(Serialize)]
struct Density {
    mass: u64,
    volume: u64,
    unit: String,
}

/// Say how much of a thing is in a volume.
///
/// Parameters
/// ----------
/// mass : int
///     How heavy it is.
/// volume : int
///     How much room it takes.
/// unit : str, optional
///     What the answer is said in.
#[tool(blocking = false)]
fn calculate_density(mass: u64, volume: u64, #[arg(default = "kg/m³")] unit: String) -> Density {
    Density { mass, volume, unit }
}
