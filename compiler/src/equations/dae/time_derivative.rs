//! Applies decisions of `structure` to equations: differentiates what Pantelides asks for.
//!
//! Input: a system and how often each equation is to be differentiated. Output: the system with the differentiated
//! equations appended, each knowing the line it came from. `time_derivative` is also what `der(expression)` means.
//! Cost: linear in the size of the differentiated expressions.

use crate::base::ids::{EqId, ExprId, FnId, VarId};
use crate::equations::dae::{Equation, EquationKind, Origin, Role, System};
use crate::equations::expr::Arena;
use crate::equations::expr::derive::{DeriveError, derive};
use crate::equations::expr::subst::variables;
use crate::equations::function::table::Derivative;
use partita_grammar::Diagnostic;
use partita_runtime::model::plan::SlotType;

/// The derivative of a call whose arguments vary in at most so many ways is written as a sum: each term costs a call.
const MOST_PARTIALS: usize = 4;

/// The total time derivative of an expression. Variables get derivative variables where they have none.
/// The error says what could not be differentiated.
pub fn time_derivative(sys: &mut System, expr: ExprId) -> Result<ExprId, String> {
    let is_input = |v: &VarId| sys.vars[*v].role == Role::Input && sys.vars[*v].ty == SlotType::Real;
    if let Some(input) = variables(&sys.arena, expr).into_iter().find(is_input) {
        return Err(format!("the input `{}`", sys.vars[input].name));
    }
    let mut arena = std::mem::take(&mut sys.arena);
    let mut functions = std::mem::take(&mut sys.functions);
    let result = derive(
        &mut arena,
        expr,
        &mut |arena, var: VarId| match sys.vars[var].role {
            Role::Time => Some(arena.constant(1.0)),
            Role::Continuous if sys.vars[var].ty == SlotType::Real => {
                let der = sys.derivative_of(var);
                Some(arena.var(der))
            }
            _ => None,
        },
        &mut |arena, function, args, dargs, output| match functions.derive(function) {
            Ok(Derivative::Function(derivative)) => Ok(call_derivative(arena, derivative, args, dargs, output)),
            Ok(Derivative::Zero) => Ok(arena.constant(0.0)),
            Ok(Derivative::Unknown | Derivative::FiniteDifference) => {
                Err(DeriveError { function, output, reason: "it has no derivative".into() })
            }
            Err(error) => Err(DeriveError { function, output, reason: error.reason }),
        },
    );
    sys.arena = arena;
    sys.functions = functions;
    match result {
        Ok(Some(derivative)) => Ok(derivative),
        Ok(None) => Ok(sys.arena.constant(0.0)),
        Err(error) => Err(format!("function {}", sys.functions.name(error.function))),
    }
}

/// The derivative of a call along the derivatives of its arguments, of which some are not zero. Where they are few it is the sum of
/// partial derivatives times them, so that everyone sees that it is linear in them: systems for derivatives become linear.
fn call_derivative(arena: &mut Arena, derivative: FnId, args: &[ExprId], dargs: &[Option<ExprId>], output: u32) -> ExprId {
    let zero = arena.constant(0.0);
    let along = |arena: &mut Arena, direction: &mut dyn FnMut(usize) -> ExprId| {
        let all: Vec<ExprId> = args.iter().copied().chain((0..dargs.len()).map(direction)).collect();
        arena.call(derivative, &all, output)
    };
    if dargs.iter().flatten().count() > MOST_PARTIALS {
        return along(arena, &mut |i| dargs[i].unwrap_or(zero));
    }
    let one = arena.constant(1.0);
    let mut sum = zero;
    for (i, darg) in dargs.iter().enumerate() {
        if let Some(darg) = darg {
            let partial = along(arena, &mut |j| if i == j { one } else { zero });
            let term = arena.mul(partial, *darg);
            sum = arena.add(sum, term);
        }
    }
    sum
}

/// Appends the derivative of an equation.
pub fn differentiate(sys: &mut System, eq: EqId) -> Result<EqId, Diagnostic> {
    let Equation { lhs, rhs, kind, origin } = sys.eqs[eq];
    let fail = |what: String| {
        Diagnostic::error("S004", "the model must be differentiated, but an equation has no derivative")
            .at(origin.span(), format!("the derivative of {what} is not known"))
            .with_hint("a function needs annotation(derivative = ...) or a body that can be differentiated; inputs and discrete variables have no derivative")
    };
    if let Some(discrete) = jumping(sys, lhs, rhs) {
        return Err(fail(format!("`{}`, which jumps at events,", sys.vars[discrete].name)));
    }
    debug_assert_eq!(kind, EquationKind::Continuous);
    let lhs = time_derivative(sys, lhs).map_err(fail)?;
    let rhs = time_derivative(sys, rhs).map_err(fail)?;
    Ok(sys.eqs.push(Equation { lhs, rhs, kind, origin: Origin::Derivative(eq, origin.span()) }))
}

/// The discrete variable that alone determines the only continuous unknown of an equation: the unknown jumps with it, and its
/// derivative would be zero at all times that are computed.
fn jumping(sys: &System, lhs: ExprId, rhs: ExprId) -> Option<VarId> {
    let mut all = variables(&sys.arena, lhs);
    all.extend(variables(&sys.arena, rhs));
    all.sort_unstable();
    all.dedup();
    let n_continuous = all.iter().filter(|v| matches!(sys.vars[**v].role, Role::Continuous | Role::Time)).count();
    let discrete = all.iter().find(|v| sys.vars[**v].role == Role::Discrete && sys.vars[**v].ty == SlotType::Real);
    if n_continuous == 1 { discrete.copied() } else { None }
}
