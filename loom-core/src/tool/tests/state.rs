//! A tool's own state comes before the run's, and is nobody else's.

use super::*;
use crate::{State, ToolList, Work, tool};

/// Says what is shared.
#[tool(blocking = false)]
fn say(
    #[context] word: &State<&'static str>,
    #[context] number: Option<State<u8>>,
    #[context] run: &RunContext,
) -> String {
    let of_run = run.state::<&'static str>().map_or("nothing", |word| *word);
    format!("{} {:?}, the run has {of_run}", **word, number.map(|number| *number))
}

fn said(tool: &Tool, run: &RunContext) -> Result<String, String> {
    let context = CallContext::new("call_1", tool.name(), run);
    let prepared = tool.prepare(&Arguments::default(), &context).map_err(|error| error.to_string())?;
    let Work::Inline(work) = prepared.work else { unreachable!("the tool does not block") };
    work().map(|output| output.as_text().into_owned()).map_err(|error| error.to_string())
}

#[expect(clippy::unnecessary_wraps, reason = "as it is compared with")]
fn ok(text: &str) -> Result<String, String> {
    Ok(text.to_owned())
}

#[test]
fn the_tools_own_state_comes_before_that_of_the_run() {
    let (empty, run) = (RunContext::new(), RunContext::new().with_state("run").with_state(7_u8));
    assert_eq!(
        said(&say::tool(), &empty),
        Err("the tool cannot run here: the run has no state of type `&str`".to_owned())
    );
    assert_eq!(said(&say::tool(), &run), ok("run Some(7), the run has run"));
    let own = say::tool().with_state("own");
    assert_eq!(said(&own, &empty), ok("own None, the run has nothing"));
    assert_eq!(said(&own, &run), ok("own Some(7), the run has run"));
    // The tool that it was made of is as it was.
    assert_eq!(said(&say::tool(), &run), ok("run Some(7), the run has run"));
}

#[test]
fn values_of_several_types_add_up_and_the_last_of_one_type_counts() {
    let run = RunContext::new();
    let tool = say::tool().with_state("first").with_state(1_u8).with_shared_state(Arc::new("second"));
    assert_eq!(said(&tool, &run), ok("second Some(1), the run has nothing"));
    assert_eq!(said(&tool.with_state(2_u8).with_state("third"), &run), ok("third Some(2), the run has nothing"));
    assert!(tool.origin().is(&say::tool()));
    assert_eq!(tool.definition(), say::tool().definition());
}

#[test]
fn the_same_tool_under_several_names_works_on_several_things() {
    struct Through(Tool);
    impl ToolHandler for Through {
        fn prepare(&self, arguments: &Arguments, context: &CallContext<'_>) -> Result<Prepared, CallError> {
            self.0.prepare(arguments, context)
        }
    }
    let named = |name: &'static str, tool: Tool| {
        let mut definition = tool.definition().clone();
        definition.name = name.into();
        tool.derive(definition, Through(tool.clone()))
    };
    // The name may be given before the state or after it.
    let tools = [
        named("say_a", say::tool().with_state("a")),
        named("say_b", say::tool()).with_state("b"),
        say::tool().with_state("c"),
    ];
    let (list, run) = (ToolList::new(tools).unwrap(), RunContext::new());
    let all: Vec<_> = list.iter().map(|tool| format!("{}: {}", tool.name(), said(tool, &run).unwrap())).collect();
    assert_eq!(
        all,
        [
            "say_a: a None, the run has nothing",
            "say_b: b None, the run has nothing",
            "say: c None, the run has nothing",
        ]
    );
}

#[test]
fn nothing_but_a_tool_is_taken_for_its_own_state() {
    /// An executor that supplies values of the types that are looked for.
    struct Offers(State<&'static str>, &'static str);
    impl crate::Supplies for Offers {
        fn supply(&self, id: std::any::TypeId) -> Option<&dyn std::any::Any> {
            let known = [&self.0 as &dyn std::any::Any, &self.1];
            known.into_iter().find(|known| (**known).type_id() == id)
        }
    }
    let run = RunContext::new().with_state("run");
    let offers = Offers(State::from_shared(Arc::new("offered")), "offered");
    let context = CallContext::new("call_1", "say", &run).with_supplies(&offers);
    let word = |tool: &Tool| {
        let Work::Inline(work) = tool.prepare(&Arguments::default(), &context).unwrap().work else { unreachable!() };
        work().unwrap().as_text().into_owned()
    };
    assert_eq!(word(&say::tool()), "run None, the run has run");
    assert_eq!(word(&say::tool().with_state("own")), "own None, the run has run");
}
