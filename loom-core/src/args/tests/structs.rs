//! Structs: nested, flattened, recursive; nothing that was sent is dropped.

use std::net::IpAddr;
use std::num::NonZeroU8;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{answer, change, coerced, refused, taken};
use crate::CoercionRule::{TextToInteger, TextToJson};
use crate::tool;

#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "printed")]
struct Place {
    city: String,
    floor: Option<i8>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "printed")]
struct Visit {
    day: u8,
    places: Vec<Place>,
    #[serde(flatten)]
    person: Person,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "printed")]
struct Person {
    name: String,
    age: Option<u8>,
}

/// Takes a place.
#[tool(blocking = false)]
fn go(place: Place, other: Option<Place>) -> String {
    format!("{place:?} {other:?}")
}

/// Takes a visit.
#[tool(blocking = false)]
fn visit(visit: Visit) -> String {
    format!("{visit:?}")
}

#[test]
fn a_struct_is_an_object_and_no_list() {
    let tool = go::tool();
    assert_eq!(taken(&tool, r#"{"place":{"floor":-1,"city":"x"}}"#), r#"Place { city: "x", floor: Some(-1) } None"#);
    for sent in [r#"["x",1]"#, "\"x\"", "null", "5"] {
        assert_eq!(
            refused(&tool, format!(r#"{{"place":{sent}}}"#)),
            [format!("/place: expected an object with `city`, got {sent}")]
        );
    }
    assert_eq!(
        refused(&tool, r#"{"place":{"city":"x"},"other":["y",1]}"#),
        [r#"/other: expected an object with `city`, got ["y",1]"#]
    );
}

#[test]
fn a_struct_sent_as_text() {
    let tool = go::tool();
    let (output, coercions) =
        coerced(&tool, json!({"place": r#"{"city":"5","floor":"5"}"#, "other": r#"{"city":"y"}"#}));
    assert_eq!(output, r#"Place { city: "5", floor: Some(5) } Some(Place { city: "y", floor: None })"#);
    let (place, shown) = (r#""{\"city\":\"5\",\"floor\":\"5\"}""#, r#"{"city":"5","floor":"5"}"#);
    let mut expected = vec![
        change("/place", TextToJson, place, shown),
        change("/place/floor", TextToInteger, "\"5\"", "5"),
        change("/other", TextToJson, r#""{\"city\":\"y\"}""#, r#"{"city":"y"}"#),
    ];
    // A parsed value has the order of its map.
    if coercions[0].0 == "/other" {
        expected.rotate_right(1);
    }
    assert_eq!(coercions, expected);
    assert_eq!(
        refused(&tool, json!({"place": r#"{"city":5,"flor":1}"#})),
        ["/place/city: expected a string, got 5", "/place: unknown property `flor`; did you mean `floor`?",]
    );
}

#[test]
fn everything_wrong_is_told_in_the_order_of_the_document() {
    assert_eq!(
        refused(
            &go::tool(),
            r#"{"plce":1,"other":{"floor":"x","town":1,"city":"a","city":"b"},"place":{"floor":200}, "extra": {}}"#
        ),
        [
            "unknown argument `plce`; the arguments are `place` and `other`",
            "/other/floor: expected an integer from -128 to 127, got \"x\"",
            "/other: unknown property `town`; the properties are `city` and `floor`",
            "/other: property `city` is given more than once; give it once",
            "/place/floor: expected an integer from -128 to 127, got 200",
            "/place: missing required property `city`",
            "unknown argument `extra`",
        ]
    );
}

#[test]
fn nothing_undeclared_is_dropped() {
    let tool = visit::tool();
    assert_eq!(
        taken(&tool, r#"{"visit":{"day":1,"name":"n","places":[{"city":"x"}],"age":null}}"#),
        r#"Visit { day: 1, places: [Place { city: "x", floor: None }], person: Person { name: "n", age: None } }"#
    );
    assert_eq!(
        coerced(&tool, r#"{"visit":{"age":"5","day":"1","name":"5","places":[]}}"#).0,
        r#"Visit { day: 1, places: [], person: Person { name: "5", age: Some(5) } }"#
    );
    assert_eq!(
        refused(&tool, r#"{"visit":{"day":1,"name":"n","places":[{"city":"x","zip":1}],"agee":5}}"#),
        [
            "/visit/places/0: unknown property `zip`; the properties are `city` and `floor`",
            "/visit: unknown property `agee`; did you mean `age`?",
        ]
    );
    assert_eq!(
        refused(&tool, r#"{"visit":{"places":[{}],"person":{"name":"n"}}}"#),
        [
            "/visit/places/0: missing required property `city`",
            "/visit: unknown property `person`; the properties are `day`, `places`, `name` and `age`",
            "/visit: missing required properties `day` and `name`",
        ]
    );
}

#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "printed")]
struct Tree {
    n: u8,
    #[serde(default)]
    kids: Vec<Tree>,
}

/// Takes a tree.
#[tool(blocking = false)]
fn grow(tree: Tree) -> String {
    format!("{tree:?}")
}

#[test]
fn recursion_is_followed() {
    assert_eq!(
        taken(&grow::tool(), r#"{"tree":{"n":1,"kids":[{"n":2}]}}"#),
        "Tree { n: 1, kids: [Tree { n: 2, kids: [] }] }"
    );
    assert_eq!(
        refused(&grow::tool(), r#"{"tree":{"n":1,"kids":[{"n":2,"kids":[{"n":-3},{"m":4}]}]}}"#),
        [
            "/tree/kids/0/kids/0/n: expected an integer from 0 to 255, got -3",
            "/tree/kids/0/kids/1: unknown property `m`; the properties are `n` and `kids`",
            "/tree/kids/0/kids/1: missing required property `n`",
        ]
    );
}

#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "printed")]
struct Größe {
    cm: u8,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "printed")]
struct Rest {
    id: u8,
    #[serde(flatten)]
    more: std::collections::BTreeMap<String, u8>,
}

/// Takes a size and the rest.
#[tool(blocking = false)]
fn measure(size: Option<Größe>, rest: Option<Rest>) -> String {
    format!("{size:?} {rest:?}")
}

#[test]
fn a_type_name_beyond_ascii_is_found() {
    assert_eq!(coerced(&measure::tool(), r#"{"size":{"cm":"5"}}"#).0, "Some(Größe { cm: 5 }) None");
}

#[test]
fn a_flattened_map_takes_the_rest() {
    let tool = measure::tool();
    assert_eq!(
        taken(&tool, r#"{"rest":{"a":1,"id":2,"b":3}}"#),
        r#"None Some(Rest { id: 2, more: {"a": 1, "b": 3} })"#
    );
    assert_eq!(coerced(&tool, r#"{"rest":{"a":"1","id":2}}"#).0, r#"None Some(Rest { id: 2, more: {"a": 1} })"#);
    assert_eq!(
        refused(&tool, r#"{"rest":{"a":1,"id":2,"a":3,"b":"x"}}"#),
        [
            "/rest: property `a` is given more than once; give it once",
            "/rest/b: expected an integer from 0 to 255, got \"x\"",
        ]
    );
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Server {
    #[schemars(with = "String")]
    address: IpAddr,
    ports: Vec<Port>,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Port(#[schemars(with = "u8")] NonZeroU8);

/// Takes servers.
#[tool(blocking = false)]
fn serve(servers: Vec<Server>) -> String {
    let ports = |server: &Server| server.ports.iter().map(|port| port.0).collect::<Vec<_>>();
    servers.iter().map(|server| format!("{:?} {:?}", server.address, ports(server))).collect::<Vec<_>>().join(", ")
}

#[test]
fn what_only_the_type_refuses_is_told_with_its_place() {
    let tool = serve::tool();
    assert_eq!(taken(&tool, r#"{"servers":[{"address":"::1","ports":[80]}]}"#), "::1 [80]");
    assert_eq!(
        refused(&tool, r#"{"servers":[{"address":"::1","ports":[80]},{"address":"here","ports":[]}]}"#),
        ["/servers/1/address: the value is not accepted: invalid IP address syntax, got \"here\""]
    );
    assert_eq!(
        refused(&tool, r#"{"servers":[{"address":"::1","ports":[80, 0]}]}"#),
        ["/servers/0/ports/1: the value is not accepted: invalid value: integer `0`, expected an integer other than 0"]
    );
}

#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "printed")]
struct Aliased {
    #[serde(alias = "sort")]
    order: String,
    #[serde(alias = "max")]
    #[schemars(range(max = 9))]
    limit: Option<u8>,
}

#[derive(Debug, Deserialize, JsonSchema)]
enum Degrees {
    #[serde(alias = "k")]
    Kelvin,
    Celsius,
}

/// Takes types with second names.
#[tool(blocking = false)]
fn second_names(v: Aliased, unit: Option<Degrees>, n: Option<u8>) -> String {
    format!("{v:?} {unit:?} {n:?}")
}

#[test]
fn a_second_name_that_only_the_type_knows_is_understood_whatever_else_is_sent() {
    let tool = second_names::tool();
    let read = r#"Aliased { order: "x", limit: Some(9) } Some(Kelvin) Some(1)"#;
    for sent in [
        r#"{"v":{"sort":"x","max":9},"unit":"k","n":1}"#,
        r#"{"\u0076":{"sort":"x","max":9},"unit":"k","n":1}"#,
        "{\"v\":{\"sort\":\"x\",\"max\":9},\"unit\":\"k\",\"n\":1,}",
    ] {
        assert_eq!(answer(&tool, sent).output, read, "{sent}");
    }
    assert_eq!(answer(&tool, json!({"v": {"sort": "x", "max": 9}, "unit": "k", "n": 1})).output, read);
    assert_eq!(answer(&tool, r#"{"v":{"sort":"x","max":9},"unit":"k","n":"1"}"#).output, read);
    // Its bounds are those of the field.
    assert_eq!(
        refused(&tool, r#"{"v":{"sort":"x","max":10}}"#),
        [
            "/v: unknown property `sort`; the properties are `order` and `limit`",
            "/v: unknown property `max`",
            "/v: missing required property `order`"
        ]
    );
    // What has to be changed as well is told of by the names that the schema has.
    assert_eq!(
        refused(&tool, r#"{"v":{"order":"x","limit":"10"}}"#),
        ["/v/limit: expected an integer from 0 to 9, got 10"]
    );
}
