//! What a running call knows about its surroundings: the run it belongs to, and what its executor supplies.
//!
//! [`RunContext::current`] works inside any tool of a run without a parameter for it. It rests on a thread-local that
//! is set while a call is polled and restored afterwards, so it needs no executor and holds on every thread that
//! polls or runs a part of the call.

use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::future::Future;
use std::ops::Deref;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use crate::args::ArgumentLimits;

/// Who and what a run is for: user, session, run id, metadata and typed state.
///
/// Cheap to clone. Outside a run, [`RunContext::current`] gives an empty one.
///
/// ```
/// use loom_core::RunContext;
///
/// struct Db(&'static str);
/// let context = RunContext::new().with_user_id("ada").with_metadata("plan", "pro").with_state(Db("main"));
/// let seen = context.enter(|| RunContext::current());
/// assert_eq!(seen.user_id(), Some("ada"));
/// assert_eq!(seen.metadata("plan"), Some("pro"));
/// assert_eq!(seen.state::<Db>().map(|db| db.0), Some("main"));
/// assert_eq!(RunContext::current().user_id(), None);
/// ```
#[derive(Clone, Default)]
pub struct RunContext(Option<Arc<Inner>>);

#[derive(Clone, Default)]
struct Inner {
    user_id: Option<String>,
    session_id: Option<String>,
    run_id: Option<String>,
    metadata: BTreeMap<String, String>,
    state: HashMap<TypeId, Arc<dyn Any + Send + Sync>>,
}

thread_local! {
    static CURRENT: RefCell<RunContext> = const { RefCell::new(RunContext(None)) };
}

impl RunContext {
    /// An empty context.
    pub const fn new() -> Self {
        Self(None)
    }

    /// The context of the run that this code runs in, or an empty one outside any run.
    #[inline]
    pub fn current() -> Self {
        // `try_with` fails only while the thread is being torn down, when no run is under way on it any more.
        CURRENT.try_with(|current| current.borrow().clone()).unwrap_or_default()
    }

    /// The user that the run acts for.
    pub fn user_id(&self) -> Option<&str> {
        self.0.as_ref()?.user_id.as_deref()
    }

    /// The conversation that the run belongs to.
    pub fn session_id(&self) -> Option<&str> {
        self.0.as_ref()?.session_id.as_deref()
    }

    /// The run itself.
    pub fn run_id(&self) -> Option<&str> {
        self.0.as_ref()?.run_id.as_deref()
    }

    /// The metadata filed under `key`.
    pub fn metadata(&self, key: &str) -> Option<&str> {
        self.0.as_ref()?.metadata.get(key).map(String::as_str)
    }

    /// All metadata, in the order of the keys.
    pub fn metadata_iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().flat_map(|inner| inner.metadata.iter()).map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// The shared state of type `T`, if the run was given one.
    pub fn state<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        let state = self.0.as_ref()?.state.get(&TypeId::of::<T>())?;
        Arc::clone(state).downcast().ok()
    }

    /// Sets the user.
    #[must_use]
    pub fn with_user_id(self, id: impl Into<String>) -> Self {
        self.edit(|inner| inner.user_id = Some(id.into()))
    }

    /// Sets the session.
    #[must_use]
    pub fn with_session_id(self, id: impl Into<String>) -> Self {
        self.edit(|inner| inner.session_id = Some(id.into()))
    }

    /// Sets the run id.
    #[must_use]
    pub fn with_run_id(self, id: impl Into<String>) -> Self {
        self.edit(|inner| inner.run_id = Some(id.into()))
    }

    /// Files `value` under `key`.
    #[must_use]
    pub fn with_metadata(self, key: impl Into<String>, value: impl Into<String>) -> Self {
        self.edit(|inner| {
            inner.metadata.insert(key.into(), value.into());
        })
    }

    /// Shares `state` with every tool of the run; one value per type, the last one wins.
    #[must_use]
    pub fn with_state<T: Any + Send + Sync>(self, state: T) -> Self {
        self.with_shared_state(Arc::new(state))
    }

    /// Like [`RunContext::with_state`], for a value that is shared already.
    #[must_use]
    pub fn with_shared_state<T: Any + Send + Sync>(self, state: Arc<T>) -> Self {
        self.edit(|inner| {
            inner.state.insert(TypeId::of::<T>(), state);
        })
    }

    /// Runs `work` with this context as the current one.
    #[inline]
    pub fn enter<R>(&self, work: impl FnOnce() -> R) -> R {
        let _restore = Restore::install(self);
        work()
    }

    /// Wraps a future so that this context is the current one whenever the future is polled.
    ///
    /// A task that a tool spawns itself leaves the scope of its call; wrap its future to take the context along.
    pub fn scope<F: Future>(&self, future: F) -> Scoped<Pin<Box<F>>> {
        Scoped { context: self.clone(), future: Box::pin(future) }
    }

    /// The same for a future that is pinned already, which costs no allocation.
    pub fn scope_pinned<F: Future + Unpin>(&self, future: F) -> Scoped<F> {
        Scoped { context: self.clone(), future }
    }

    /// Whether both are the very same context.
    fn is(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (None, None) => true,
            _ => false,
        }
    }

    fn edit(mut self, edit: impl FnOnce(&mut Inner)) -> Self {
        edit(Arc::make_mut(self.0.get_or_insert_default()));
        self
    }
}

impl std::fmt::Debug for RunContext {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // State may hold secrets and need not be `Debug`; metadata is the program's own text.
        f.debug_struct("RunContext")
            .field("user_id", &self.user_id())
            .field("session_id", &self.session_id())
            .field("run_id", &self.run_id())
            .field("metadata", &self.0.as_ref().map(|inner| &inner.metadata))
            .finish_non_exhaustive()
    }
}

/// Puts the previous context back, also when the work unwinds.
struct Restore(Option<RunContext>);

impl Restore {
    fn install(context: &RunContext) -> Self {
        let previous = CURRENT.try_with(|current| {
            // Calls within a run are mostly made where its context is the current one already.
            let same = context.is(&current.borrow());
            (!same).then(|| current.replace(context.clone()))
        });
        Self(previous.unwrap_or_default())
    }
}

impl Drop for Restore {
    fn drop(&mut self) {
        if let Some(previous) = self.0.take() {
            // The replaced context is dropped after the borrow ends: its state may run user code that asks for the
            // current one.
            let _replaced = CURRENT.try_with(|current| current.replace(previous));
        }
    }
}

/// A future that runs in a [`RunContext`]; made by [`RunContext::scope`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Scoped<F> {
    context: RunContext,
    future: F,
}

impl<F: Future + Unpin> Future for Scoped<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let this = self.get_mut();
        let _restore = Restore::install(&this.context);
        Pin::new(&mut this.future).poll(cx)
    }
}

/// What surrounds one call: its identity, its run, and whatever the executor supplies beside them.
///
/// Extractors read from it; see [`FromContext`].
#[derive(Clone, Copy)]
pub struct CallContext<'a> {
    call_id: &'a str,
    tool_name: &'a str,
    run: &'a RunContext,
    supplies: &'a dyn Supplies,
    limits: ArgumentLimits,
}

impl std::fmt::Debug for CallContext<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CallContext")
            .field("call_id", &self.call_id)
            .field("tool_name", &self.tool_name)
            .field("run", &self.run)
            .finish_non_exhaustive()
    }
}

impl<'a> CallContext<'a> {
    /// The context of the call `call_id` to the tool `tool_name`, within `run`.
    pub const fn new(call_id: &'a str, tool_name: &'a str, run: &'a RunContext) -> Self {
        Self { call_id, tool_name, run, supplies: &(), limits: ArgumentLimits::new() }
    }

    /// Lets extractors read from `supplies` too.
    #[must_use]
    pub const fn with_supplies(self, supplies: &'a dyn Supplies) -> Self {
        Self { supplies, ..self }
    }

    /// Sets how large the arguments may be.
    #[must_use]
    pub const fn with_limits(self, limits: ArgumentLimits) -> Self {
        Self { limits, ..self }
    }

    /// How large the arguments may be.
    pub const fn limits(&self) -> ArgumentLimits {
        self.limits
    }

    /// The id that the model gave the call.
    pub const fn call_id(&self) -> &'a str {
        self.call_id
    }

    /// The tool's name as the model called it.
    pub const fn tool_name(&self) -> &'a str {
        self.tool_name
    }

    /// The run that the call belongs to.
    pub const fn run(&self) -> &'a RunContext {
        self.run
    }

    /// Everything that is supplied, for a tool that adds to it.
    pub(crate) const fn supplies(&self) -> &'a dyn Supplies {
        self.supplies
    }

    /// What the executor supplies under the type `T`, such as a cancellation token.
    pub fn supply<T: Any>(&self) -> Option<&'a T> {
        self.supplies.supply(TypeId::of::<T>())?.downcast_ref()
    }
}

/// What an executor offers to extractors beside the run context, looked up by type: a lookup that costs nothing for
/// calls that ask for nothing.
pub trait Supplies: Send + Sync {
    /// The value of the type with this id, if there is one.
    fn supply(&self, id: TypeId) -> Option<&dyn Any>;
}

/// Nothing is supplied.
impl Supplies for () {
    fn supply(&self, _: TypeId) -> Option<&dyn Any> {
        None
    }
}

/// A type that a `#[context]` parameter may have: the runtime makes it from the surroundings of the call, and the
/// model never sees it.
///
/// ```
/// use loom_core::{CallContext, ContextError, FromContext};
///
/// /// The language that answers are to be written in.
/// struct Language(String);
///
/// impl FromContext for Language {
///     fn from_context(context: &CallContext<'_>) -> Result<Self, ContextError> {
///         Ok(Self(context.run().metadata("language").unwrap_or("en").to_owned()))
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the type of a `#[context]` parameter",
    label = "the runtime does not know how to supply this",
    note = "implement `FromContext` for it, or remove `#[context]` if the model is to supply it"
)]
pub trait FromContext: Sized + Send + 'static {
    /// Makes the value for one call.
    ///
    /// # Errors
    /// When the surroundings lack what the type needs; the call then fails before the tool runs.
    fn from_context(context: &CallContext<'_>) -> Result<Self, ContextError>;
}

/// Why a `#[context]` parameter could not be supplied.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ContextError {
    message: String,
}

impl ContextError {
    /// Says what is missing.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }
}

impl FromContext for RunContext {
    fn from_context(context: &CallContext<'_>) -> Result<Self, ContextError> {
        Ok(context.run().clone())
    }
}

/// The value, or `None` where it is missing.
impl<T: FromContext> FromContext for Option<T> {
    fn from_context(context: &CallContext<'_>) -> Result<Self, ContextError> {
        Ok(T::from_context(context).ok())
    }
}

/// Which call this is: the model's id for it and the name it used.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CallInfo {
    /// The id that the model gave the call.
    pub call_id: String,
    /// The tool's name as the model called it.
    pub tool_name: String,
}

impl CallInfo {
    /// That of the call in this context.
    pub fn of(context: &CallContext<'_>) -> Self {
        Self { call_id: context.call_id().to_owned(), tool_name: context.tool_name().to_owned() }
    }
}

impl FromContext for CallInfo {
    fn from_context(context: &CallContext<'_>) -> Result<Self, ContextError> {
        Ok(Self::of(context))
    }
}

/// Shared state of type `T`; it dereferences to the state. It is the tool's own, as given to
/// [`Tool::with_state`](crate::Tool::with_state), or else the run's, as given to [`RunContext::with_state`].
#[derive(Debug)]
pub struct State<T> {
    // Not a tuple: its `.0` would hide that of a state that is one.
    shared: Arc<T>,
}

impl<T> State<T> {
    pub(crate) const fn from_shared(shared: Arc<T>) -> Self {
        Self { shared }
    }

    /// The state as it is shared.
    pub fn into_shared(self) -> Arc<T> {
        self.shared
    }
}

impl<T> Clone for State<T> {
    fn clone(&self) -> Self {
        Self { shared: Arc::clone(&self.shared) }
    }
}

impl<T> Deref for State<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.shared
    }
}

impl<T: Any + Send + Sync> FromContext for State<T> {
    fn from_context(context: &CallContext<'_>) -> Result<Self, ContextError> {
        if let Some(OwnState(own)) = context.supply::<OwnState<T>>() {
            return Ok(own.clone());
        }
        context
            .run()
            .state()
            .map(|shared| Self { shared })
            .ok_or_else(|| ContextError::new(format!("the run has no state of type `{}`", std::any::type_name::<T>())))
    }
}

/// State that a tool brings along, supplied under this type so that nothing else is taken for it.
pub(crate) struct OwnState<T>(pub(crate) State<T>);

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::pin::pin;
    use std::task::Waker;

    use super::*;

    fn user() -> Option<String> {
        RunContext::current().user_id().map(str::to_owned)
    }

    fn of(user: &str) -> RunContext {
        RunContext::new().with_user_id(user)
    }

    #[test]
    fn outside_a_run_everything_is_empty() {
        let context = RunContext::current();
        assert_eq!((context.user_id(), context.session_id(), context.run_id()), (None, None, None));
        assert_eq!(context.metadata("key"), None);
        assert_eq!(context.metadata_iter().count(), 0);
        assert!(context.state::<u8>().is_none());
    }

    #[test]
    fn a_context_holds_what_it_was_given() {
        let context = of("ada")
            .with_session_id("s")
            .with_run_id("r")
            .with_metadata("b", "2")
            .with_metadata("a", "1")
            .with_metadata("b", "3")
            .with_state(5_u8)
            .with_state("text")
            .with_state(6_u8);
        assert_eq!((context.user_id(), context.session_id(), context.run_id()), (Some("ada"), Some("s"), Some("r")));
        assert_eq!(context.metadata_iter().collect::<Vec<_>>(), [("a", "1"), ("b", "3")]);
        assert_eq!(context.state::<u8>().as_deref(), Some(&6));
        assert_eq!(context.state::<&str>().as_deref(), Some(&"text"));
        assert_eq!(context.state::<u16>(), None);
    }

    #[test]
    fn a_changed_copy_leaves_the_original_as_it_was() {
        let original = of("ada").with_metadata("key", "old");
        let changed = original.clone().with_metadata("key", "new").with_user_id("bob");
        assert_eq!((original.user_id(), original.metadata("key")), (Some("ada"), Some("old")));
        assert_eq!((changed.user_id(), changed.metadata("key")), (Some("bob"), Some("new")));
    }

    #[test]
    fn printing_a_context_shows_no_state() {
        let context = of("ada").with_metadata("key", "value").with_state("secret".to_owned());
        assert_eq!(
            format!("{context:?}"),
            r#"RunContext { user_id: Some("ada"), session_id: None, run_id: None, metadata: Some({"key": "value"}), .. }"#
        );
    }

    #[test]
    fn contexts_nest_and_are_put_back() {
        let seen = of("outer").enter(|| {
            let inner = of("inner").enter(user);
            (inner, user())
        });
        assert_eq!(seen, (Some("inner".to_owned()), Some("outer".to_owned())));
        assert_eq!(user(), None);
    }

    #[test]
    fn a_context_is_put_back_when_the_work_panics() {
        of("outer").enter(|| {
            let result = catch_unwind(AssertUnwindSafe(|| of("inner").enter(|| panic!("stop"))));
            assert!(result.is_err());
            assert_eq!(user().as_deref(), Some("outer"));
        });
        assert_eq!(user(), None);
    }

    /// A future that is ready when it is polled for the second time, and notes the user at each.
    struct Twice(Vec<Option<String>>);

    impl Future for Twice {
        type Output = Vec<Option<String>>;

        fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
            self.0.push(user());
            if self.0.len() < 2 { Poll::Pending } else { Poll::Ready(std::mem::take(&mut self.0)) }
        }
    }

    #[test]
    fn a_scoped_future_has_its_context_at_every_poll_and_only_then() {
        let mut first = pin!(of("first").scope(Twice(Vec::new())));
        let mut second = of("second").scope_pinned(Twice(Vec::new()));
        let mut context = Context::from_waker(Waker::noop());
        assert!(first.as_mut().poll(&mut context).is_pending());
        assert!(Pin::new(&mut second).poll(&mut context).is_pending());
        assert_eq!(user(), None);
        let twice = |user: &str| Poll::Ready(vec![Some(user.to_owned()), Some(user.to_owned())]);
        assert_eq!(Pin::new(&mut second).poll(&mut context), twice("second"));
        assert_eq!(first.as_mut().poll(&mut context), twice("first"));
        assert_eq!(user(), None);
    }

    #[test]
    fn another_thread_has_none_unless_it_is_given_one() {
        of("ada").enter(|| {
            let context = RunContext::current();
            let (without, with) = std::thread::spawn(move || (user(), context.enter(user))).join().unwrap();
            assert_eq!((without, with), (None, Some("ada".to_owned())));
        });
    }

    /// State that asks for the current context when it is dropped.
    struct Asks(Arc<std::sync::Mutex<Option<String>>>);

    impl Drop for Asks {
        fn drop(&mut self) {
            *self.0.lock().unwrap() = user();
        }
    }

    #[test]
    fn state_may_ask_for_the_context_while_it_is_dropped() {
        let seen = Arc::new(std::sync::Mutex::new(None));
        let mut scoped = of("outer").with_state(Asks(Arc::clone(&seen))).scope_pinned(std::future::ready(()));
        assert!(Pin::new(&mut scoped).poll(&mut Context::from_waker(Waker::noop())).is_ready());
        of("last").enter(|| drop(scoped));
        assert_eq!(seen.lock().unwrap().as_deref(), Some("last"));
    }

    struct Token(u8);

    impl Supplies for Token {
        fn supply(&self, id: TypeId) -> Option<&dyn Any> {
            (id == TypeId::of::<u8>()).then_some(&self.0 as &dyn Any)
        }
    }

    #[test]
    fn extractors_read_what_surrounds_the_call() {
        let run = of("ada").with_state(7_u8);
        let call = CallContext::new("call_1", "search", &run);
        assert_eq!(
            CallInfo::from_context(&call),
            Ok(CallInfo { call_id: "call_1".to_owned(), tool_name: "search".to_owned() })
        );
        assert_eq!(RunContext::from_context(&call).unwrap().user_id(), Some("ada"));
        assert_eq!(*State::<u8>::from_context(&call).unwrap(), 7);
        assert_eq!(State::<u16>::from_context(&call).unwrap_err().to_string(), "the run has no state of type `u16`");
        assert!(Option::<State<u16>>::from_context(&call).unwrap().is_none());
        assert!(Option::<State<u8>>::from_context(&call).unwrap().is_some());
        assert_eq!(call.supply::<u8>(), None);
        let call = call.with_supplies(&Token(9));
        assert_eq!((call.supply::<u8>(), call.supply::<u16>()), (Some(&9), None));
        assert_eq!((call.call_id(), call.tool_name()), ("call_1", "search"));
    }
}
