//! What a compilation may still do before it is given up.
//!
//! In: the limits of a compilation ([`within`]), and what its passes do ([`spend`]). Out: a diagnostic as soon as they have done too much.
//! Method: one counter per thread, which every loop and every new expression makes smaller; when it is used up the stack is
//! unwound to `within`, so that no pass has to hand the message upwards. An operation takes about 50 ns.
//! Guarantees: the same text gives the same count on every machine; outside of `within` nothing is counted. Cost: a subtraction per call.

use partita_grammar::{Diagnostic, Span};
use partita_runtime::base::limits::{Limit, Limits};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// The state of the compilation of a thread.
#[derive(Copy, Clone)]
struct Account {
    limits: Limits,
    stage: Stage,
    place: Option<Span>,
}

/// What the compiler is doing, for messages.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Types and parameters.
    Flatten,
    /// Scalar equations.
    Lower,
    /// Aliases, index, order of equations.
    Sort,
    /// Plan and kernels.
    Program,
}

impl Stage {
    fn words(self) -> &'static str {
        match self {
            Stage::Flatten => "evaluating its parameters and sizes",
            Stage::Lower => "making its equations scalar",
            Stage::Sort => "sorting its equations",
            Stage::Program => "making code of its equations",
        }
    }
}

/// Unwinds to `within`.
struct Exhausted;

thread_local! {
    static LEFT: Cell<u64> = const { Cell::new(u64::MAX) };
    static ACCOUNT: Cell<Option<Account>> = const { Cell::new(None) };
}

/// Compiles within limits. Inside of another call the outer limits hold.
pub fn within<T>(limits: Limits, compile: impl FnOnce() -> Result<T, Vec<Diagnostic>>) -> Result<T, Vec<Diagnostic>> {
    if ACCOUNT.get().is_some() {
        return compile();
    }
    ACCOUNT.set(Some(Account { limits, stage: Stage::Flatten, place: None }));
    LEFT.set(limits.get(Limit::Operations));
    // Whatever was under construction is dropped on the way.
    let outcome = catch_unwind(AssertUnwindSafe(compile));
    let account = ACCOUNT.take();
    LEFT.set(u64::MAX);
    match (outcome, account) {
        (Ok(result), _) => result,
        (Err(payload), Some(account)) if payload.is::<Exhausted>() => Err(vec![account.message()]),
        (Err(payload), _) => resume_unwind(payload),
    }
}

impl Account {
    fn message(&self) -> Diagnostic {
        let limit = self.limits.get(Limit::Operations);
        let title = format!("{} takes more than {limit} operations", self.stage.words());
        let message = if self.stage == Stage::Flatten { Diagnostic::error("F040", title) } else { Diagnostic::error("D020", title) };
        let message = match self.place {
            Some(place) => message.at(place, "the limit is reached here"),
            None => message,
        };
        message.with_hint(Limit::Operations.hint(limit))
    }
}

/// Counts operations; does not return when there were too many.
#[inline]
pub fn spend(operations: u64) {
    match LEFT.get().checked_sub(operations) {
        Some(left) => LEFT.set(left),
        None => exhausted(),
    }
}

#[cold]
fn exhausted() -> ! {
    resume_unwind(Box::new(Exhausted))
}

/// Says what the compiler is doing now.
pub fn enter(stage: Stage) {
    ACCOUNT.set(ACCOUNT.get().map(|account| Account { stage, place: None, ..account }));
}

/// Says which part of the text is being compiled.
pub fn at(place: Span) {
    ACCOUNT.set(ACCOUNT.get().map(|account| Account { place: Some(place), ..account }));
}

/// A limit of the present compilation.
pub fn limit(limit: Limit) -> u64 {
    ACCOUNT.get().map_or(Limits::default(), |account| account.limits).get(limit)
}

/// The message about something that has more parts than a limit allows.
pub fn refusal(code: &'static str, what: &str, limit: Limit, place: Span) -> Diagnostic {
    let most = self::limit(limit);
    let unit = if limit == Limit::Strings { "bytes" } else { limit.word() };
    Diagnostic::error(code, format!("{what} has more than {most} {unit}")).at(place, "too large").with_hint(limit.hint(most))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_operations_are_an_error_with_its_place() {
        let mut limits = Limits::default();
        limits.set("operations=10").unwrap();
        let spending = |count| {
            move || {
                spend(count);
                Ok(())
            }
        };
        assert!(within(limits, spending(10)).is_ok());
        let reached = within(limits, || {
            enter(Stage::Lower);
            at(Span::new(3, 5));
            within(Limits::default(), spending(11))
        });
        let messages = reached.unwrap_err();
        assert_eq!((messages[0].code, messages[0].title.as_str()), ("D020", "making its equations scalar takes more than 10 operations"));
        // Other panics pass through, and nothing is counted afterwards.
        assert!(catch_unwind(|| within(limits, || -> Result<(), _> { panic!("another") })).is_err());
        spend(11);
    }
}
