//! The parameters of a tool as a nested list, read without a struct or a derive of their own.

use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Number, Value};

use super::lend::Lend;
use super::list::List;
use crate::args::{Depth, Parameter, Read, Refusal, Slots, read_absent, read_text, read_value};
use crate::call::CallError;
use crate::context::{CallContext, ContextError, FromContext};
use crate::schema::Property;

/// What a parameter's type has to be.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a tool",
    label = "a model cannot supply this",
    note = "derive `serde::Deserialize` and `schemars::JsonSchema` for it; it must be `Send` and borrow nothing",
    note = "if the runtime is to supply it, mark the parameter `#[context]`"
)]
pub trait ToolArg: DeserializeOwned + JsonSchema + Send + 'static {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema + Send + 'static> ToolArg for T {}

/// What the type of a `#[context]` parameter has to be.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the type of a `#[context]` parameter",
    label = "the runtime does not know how to supply this",
    note = "implement `FromContext` for it, or remove `#[context]` if the model is to supply it",
    note = "a value that all calls of a run share is a `State<…>`"
)]
pub trait ToolContext: FromContext {}

#[diagnostic::do_not_recommend]
impl<T: FromContext> ToolContext for T {}

/// One parameter that the model supplies.
#[derive(Debug)]
pub struct Arg<T> {
    name: &'static str,
    text: &'static str,
    aliases: &'static [&'static str],
    read: ReadText<T>,
    read_value: ReadValue<T>,
    absent: fn() -> Option<T>,
    default: Option<Default<T>>,
    schema: fn(&mut SchemaGenerator) -> schemars::Schema,
    keywords: Vec<(&'static str, Value)>,
}

type Default<T> = (fn() -> T, fn(&T) -> Option<Value>);
type ReadText<T> = fn(&str, Depth, &mut Option<T>) -> Result<Read, Refusal>;
type ReadValue<T> = fn(&Value, Depth, &mut Option<T>) -> Result<Read, Refusal>;

/// Describes a parameter: its name and what the model reads about it.
pub fn arg<T: ToolArg>(name: &'static str, text: &'static str) -> Arg<T> {
    Arg {
        name,
        text,
        aliases: &[],
        read: read_text::<T>,
        read_value: read_value::<T>,
        absent: read_absent::<T>,
        default: None,
        schema: |generator| generator.subschema_for::<T>(),
        keywords: Vec::new(),
    }
}

/// Describes a list of which the only item may be sent by itself.
///
/// The items are asked for what a parameter has to be, and the list only for being one: the compiler says either once.
pub fn one_or_many<T: List<Item: ToolArg>>(name: &'static str, text: &'static str) -> Arg<T> {
    Arg {
        name,
        text,
        aliases: &[],
        read: T::read,
        read_value: T::read_value,
        absent: T::absent,
        default: None,
        schema: T::schema,
        keywords: Vec::new(),
    }
}

/// Describes a list of which the only item may be sent by itself, and that is lent.
pub fn one_or_many_lent<T: Lend<'static, Owned: List<Item: ToolArg>>>(
    name: &'static str,
    text: &'static str,
) -> Arg<T::Owned> {
    one_or_many(name, text)
}

/// Describes a parameter that is read as the owned form of its type, and lent.
pub fn lent<T: Lend<'static, Owned: ToolArg>>(name: &'static str, text: &'static str) -> Arg<T::Owned> {
    arg(name, text)
}

impl<T> Arg<T> {
    /// The value when none is sent, and how it is shown in the schema.
    #[must_use]
    pub fn or(mut self, default: fn() -> T, show: fn(&T) -> Option<Value>) -> Self {
        self.default = Some((default, show));
        self
    }

    /// The default of the type when none is sent.
    #[must_use]
    pub fn or_default(self, show: fn(&T) -> Option<Value>) -> Self
    where
        T: std::default::Default,
    {
        self.or(T::default, show)
    }

    /// Other names that are understood.
    #[must_use]
    pub fn aliases(mut self, aliases: &'static [&'static str]) -> Self {
        self.aliases = aliases;
        self
    }

    /// The smallest number that is taken.
    #[must_use]
    pub fn min(self, bound: impl Bound) -> Self {
        self.keyword("minimum", bound.into_json())
    }

    /// The largest number that is taken.
    #[must_use]
    pub fn max(self, bound: impl Bound) -> Self {
        self.keyword("maximum", bound.into_json())
    }

    /// A value to show the model; says nothing where it cannot be written as JSON.
    #[must_use]
    pub fn example<E: ToolExample>(mut self, example: &E) -> Self {
        if let Some(example) = example.shown() {
            match self.keywords.iter_mut().find(|(keyword, _)| *keyword == "examples") {
                Some((_, Value::Array(examples))) => examples.push(example),
                _ => self.keywords.push(("examples", Value::Array(vec![example]))),
            }
        }
        self
    }

    /// The smallest number of characters.
    #[must_use]
    pub fn min_length(self, bound: impl Length) -> Self {
        self.keyword("minLength", bound.into_json())
    }

    /// The largest number of characters.
    #[must_use]
    pub fn max_length(self, bound: impl Length) -> Self {
        self.keyword("maxLength", bound.into_json())
    }

    /// A regular expression that the text matches.
    #[must_use]
    pub fn pattern(self, pattern: &'static str) -> Self {
        self.keyword("pattern", pattern.into())
    }

    /// A hint at the form of the text.
    #[must_use]
    pub fn format(self, format: &'static str) -> Self {
        self.keyword("format", format.into())
    }

    fn keyword(mut self, keyword: &'static str, value: Value) -> Self {
        self.keywords.push((keyword, value));
        self
    }

    fn is_required(&self) -> bool {
        self.default.is_none() && (self.absent)().is_none()
    }

    fn parameter(&self) -> Parameter {
        Parameter { name: self.name.into(), aliases: self.aliases, required: self.is_required() }
    }

    fn property(&self) -> Property<'_> {
        Property {
            name: self.name,
            description: self.text,
            schema: self.schema,
            default: self.default.and_then(shown),
            required: self.is_required(),
            keywords: self.keywords.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect(),
        }
    }
}

/// The default as the schema shows it. It is the user's code: should it panic, the schema shows none, and the calls that
/// need it say so.
fn shown<T>((default, show): Default<T>) -> Option<Value> {
    std::panic::catch_unwind(|| show(&default())).ok().flatten()
}

/// A bound of a number, of any number type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` bounds no number",
    label = "expected a number",
    note = "integers of up to 64 bits and floats are bounds"
)]
pub trait Bound {
    /// The bound as a JSON number.
    fn into_json(self) -> Value;
}

macro_rules! integers {
    ($bound:ident: $($kind:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl $bound for $kind {
            fn into_json(self) -> Value {
                self.into()
            }
        }
    )*};
}

integers!(Bound: i8 i16 i32 i64 isize u8 u16 u32 u64 usize);

macro_rules! float_bounds {
    ($($kind:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Bound for $kind {
            /// A bound that is no finite number bounds nothing.
            fn into_json(self) -> Value {
                Number::from_f64(self.into()).map_or(Value::Null, Value::Number)
            }
        }
    )*};
}

float_bounds!(f32 f64);

/// A bound of a text's length.
#[diagnostic::on_unimplemented(
    message = "`{Self}` bounds no length",
    label = "expected a whole number without a sign",
    note = "`u8`, `u16`, `u32`, `u64` and `usize` are lengths"
)]
pub trait Length {
    /// The length as a JSON number.
    fn into_json(self) -> Value;
}

integers!(Length: u8 u16 u32 u64 usize);

/// What is made from the text of a string literal.
#[diagnostic::on_unimplemented(
    message = "a text cannot be the default of `{Self}`",
    label = "expected `{Self}`",
    note = "a string literal is a default of any type that is `From<&'static str>`"
)]
pub trait FromText {
    /// The value.
    fn from_text(text: &'static str) -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: From<&'static str>> FromText for T {
    fn from_text(text: &'static str) -> Self {
        text.into()
    }
}

/// The value that a string literal stands for.
pub fn text<T: FromText>(text: &'static str) -> T {
    T::from_text(text)
}

/// What an example has to be.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be shown to a model as an example",
    label = "this cannot be written as JSON",
    note = "derive `serde::Serialize` for it"
)]
pub trait ToolExample {
    /// The value as JSON.
    fn shown(&self) -> Option<Value>;
}

#[diagnostic::do_not_recommend]
impl<T: Serialize + ?Sized> ToolExample for T {
    fn shown(&self) -> Option<Value> {
        serde_json::to_value(self).ok()
    }
}

/// A default, to be shown in the schema if its type can be serialised.
#[derive(Debug)]
pub struct Shown<'a, T>(pub &'a T);

impl<T> Clone for Shown<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Shown<'_, T> {}

/// The type can be serialised.
pub trait Show {
    /// The value as JSON.
    fn __json(self) -> Option<Value>;
}

impl<T: Serialize> Show for &Shown<'_, T> {
    fn __json(self) -> Option<Value> {
        serde_json::to_value(self.0).ok()
    }
}

/// The type cannot.
pub trait ShowNot {
    /// Nothing.
    fn __json(self) -> Option<Value>;
}

impl<T> ShowNot for Shown<'_, T> {
    fn __json(self) -> Option<Value> {
        None
    }
}

/// One parameter that the runtime supplies.
#[derive(Debug)]
pub struct Ctx<T>(fn(&CallContext<'_>) -> Result<T, ContextError>);

/// Describes a parameter that the runtime supplies.
pub fn ctx<T: ToolContext>() -> Ctx<T> {
    Ctx(T::from_context)
}

/// Describes a parameter that the runtime supplies, and that is lent.
pub fn ctx_lent<T: Lend<'static, Owned: ToolContext>>() -> Ctx<T::Owned> {
    ctx()
}

/// Parameters as a nested list: `(first, (second, ()))`.
///
/// What a type has to be is asked where it is described, and nowhere else: the compiler says it once.
pub trait Params: Send + Sync + 'static {
    /// The values of one call, nested in the same way.
    type Values;
    /// Where they are read into.
    type Filled: Slots;

    /// Empty slots for one call.
    fn slots(&self) -> Self::Filled;

    /// What the reader and the schema have to know.
    fn describe<'a>(&'a self, parameters: &mut Vec<Parameter>, properties: &mut Vec<Property<'a>>);

    /// The values: what was read, what is left out, what the context gives.
    ///
    /// # Errors
    /// When the context lacks something.
    fn take(&self, filled: Self::Filled, context: &CallContext<'_>) -> Result<Self::Values, CallError>;
}

/// A parameter being read.
#[derive(Debug)]
pub struct Slot<T> {
    value: Option<T>,
    read: ReadText<T>,
    read_value: ReadValue<T>,
}

impl Params for () {
    type Values = ();
    type Filled = ();

    fn slots(&self) {}

    fn describe<'a>(&'a self, _: &mut Vec<Parameter>, _: &mut Vec<Property<'a>>) {}

    fn take(&self, (): (), _: &CallContext<'_>) -> Result<(), CallError> {
        Ok(())
    }
}

impl<T: 'static, R: Params> Params for (Arg<T>, R) {
    type Values = (T, R::Values);
    type Filled = (Slot<T>, R::Filled);

    fn slots(&self) -> Self::Filled {
        (Slot { value: None, read: self.0.read, read_value: self.0.read_value }, self.1.slots())
    }

    fn describe<'a>(&'a self, parameters: &mut Vec<Parameter>, properties: &mut Vec<Property<'a>>) {
        parameters.push(self.0.parameter());
        properties.push(self.0.property());
        self.1.describe(parameters, properties);
    }

    fn take(&self, filled: Self::Filled, context: &CallContext<'_>) -> Result<Self::Values, CallError> {
        let (slot, rest) = filled;
        let value = match (slot.value, &self.0.default) {
            (Some(value), _) => Some(value),
            (None, Some((default, _))) => Some(default()),
            (None, None) => (self.0.absent)(),
        };
        // The reader has refused the call where a required parameter is missing; a type that answers differently each
        // time it is asked ends here.
        let value = value.ok_or_else(|| crate::args::missing(self.0.name))?;
        Ok((value, self.1.take(rest, context)?))
    }
}

impl<T: 'static, R: Params> Params for (Ctx<T>, R) {
    type Values = (T, R::Values);
    type Filled = R::Filled;

    fn slots(&self) -> Self::Filled {
        self.1.slots()
    }

    fn describe<'a>(&'a self, parameters: &mut Vec<Parameter>, properties: &mut Vec<Property<'a>>) {
        self.1.describe(parameters, properties);
    }

    fn take(&self, filled: Self::Filled, context: &CallContext<'_>) -> Result<Self::Values, CallError> {
        Ok(((self.0.0)(context)?, self.1.take(filled, context)?))
    }
}

impl Slots for () {
    fn read(&mut self, _: usize, _: &str, _: usize) -> Result<Read, Refusal> {
        Err(no_slot())
    }

    fn read_value(&mut self, _: usize, _: &Value, _: usize) -> Result<Read, Refusal> {
        Err(no_slot())
    }

    fn forget(&mut self, _: usize) {}
}

/// No reader asks for a parameter that it was not told of.
#[cold]
fn no_slot() -> Refusal {
    Refusal::without_place(serde::de::Error::custom("there is no such parameter"))
}

impl<T, R: Slots> Slots for (Slot<T>, R) {
    fn read(&mut self, index: usize, text: &str, max_depth: usize) -> Result<Read, Refusal> {
        let Some(index) = index.checked_sub(1) else {
            return (self.0.read)(text, Depth::inside(max_depth), &mut self.0.value);
        };
        self.1.read(index, text, max_depth)
    }

    fn read_value(&mut self, index: usize, value: &Value, max_depth: usize) -> Result<Read, Refusal> {
        let Some(index) = index.checked_sub(1) else {
            return (self.0.read_value)(value, Depth::inside(max_depth), &mut self.0.value);
        };
        self.1.read_value(index, value, max_depth)
    }

    fn forget(&mut self, index: usize) {
        match index.checked_sub(1) {
            Some(index) => self.1.forget(index),
            None => self.0.value = None,
        }
    }
}
