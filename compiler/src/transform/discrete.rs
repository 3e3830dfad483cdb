//! Solves discrete equations for the unknowns they determine: `2*x = u`, `not b = c`, `i + j = 10`.
//!
//! Input: a system without aliases. Output: the same system in which every discrete equation has the variable that it determines alone on
//! its left-hand side, which is the form that sorting at events takes. An equation that has this form already stays as it is where that
//! is possible.
//!
//! Method: a matching of discrete equations and discrete variables; then each equation is solved for its variable: by affine and
//! inverse solution for numbers, through `not`, `==` and `<>` for Booleans. Real equations that depend on each other in a circle are
//! eliminated one after the other, as Gauss did.
//! Guarantee: a solution of an Integer equation that is not whole is an error of the run, with the equation. What cannot be solved is
//! refused (S009); what cannot be matched is left to `causalize`, which explains it.
//! Cost: linear, if all equations have the form that is needed; otherwise one incidence and one matching of the discrete equations.

use crate::base::ids::{EqId, ExprId, VarId};
use crate::equations::dae::text::expression_text;
use crate::equations::dae::{Action, Equation, EquationKind, Purpose, Role, System, Text, Variable};
use crate::equations::expr::solve::{Occurrence, Workspace};
use crate::equations::expr::subst::{Substitution, any_variable, contains, variables};
use crate::equations::expr::{Arena, Node};
use crate::structure::blt;
use crate::structure::incidence::{Col, Entry, Incidence, Row, Solvability};
use crate::structure::matching::{any_entry, by_solvability, maximum_matching};
use crate::transform::alias::AliasMap;
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{PrimaryMap, SecondaryMap};
use partita_grammar::{Diagnostic, Span};
use partita_runtime::base::format::Format;
use partita_runtime::base::math::{Op1, Op2};
use partita_runtime::model::plan::{ActionKind, SlotType};
use rustc_hash::FxHashMap;

/// Equations with more discrete variables are not searched for inverse functions.
const FEW: usize = 16;

/// Solves the discrete equations of `sys`.
pub fn solve(sys: &mut System, aliases: &AliasMap) -> Result<(), Vec<Diagnostic>> {
    solve_initial(sys);
    let mut solver = Solver::new(sys, aliases);
    if solver.has_all_alone(sys) {
        return Ok(());
    }
    let incidence = solver.incidence(sys);
    let matching = maximum_matching(&incidence, any_entry, by_solvability);
    if matching.size < incidence.rows.len() {
        let refused = solver.refused(sys, &incidence, &matching.unmatched_cols(&incidence).collect::<Vec<_>>());
        return if refused.is_empty() { Ok(()) } else { Err(refused) };
    }
    let mut errors = Vec::new();
    for block in blt::sort(&incidence, &matching).blocks {
        let pairs: Vec<(EqId, VarId)> =
            block.rows.iter().zip(&block.cols).map(|(row, col)| (solver.rows[*row], solver.cols[*col])).collect();
        let is_circle = pairs.len() > 1 && pairs.iter().all(|(_, var)| sys.vars[*var].ty == SlotType::Real);
        for at in 0..pairs.len() {
            let (eq, var) = pairs[at];
            if let Err(error) = solver.rewrite(sys, eq, var) {
                errors.push(error);
                break;
            }
            if is_circle {
                solver.eliminate(sys, eq, var, &pairs[at + 1..]);
            }
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

struct Solver {
    rows: PrimaryMap<Row, EqId>,
    cols: PrimaryMap<Col, VarId>,
    col_of: SecondaryMap<VarId, PackedOption<Col>>,
    workspace: Workspace,
}

impl Solver {
    fn new(sys: &System, aliases: &AliasMap) -> Solver {
        let mut solver =
            Solver { rows: PrimaryMap::new(), cols: PrimaryMap::new(), col_of: SecondaryMap::new(), workspace: Workspace::new() };
        for (eq, equation) in sys.eqs.iter() {
            if equation.kind == EquationKind::Discrete {
                solver.rows.push(eq);
            }
        }
        for var in sys.vars.keys().filter(|var| sys.vars[*var].role == Role::Discrete && aliases.of[*var].is_none()) {
            solver.col_of[var] = solver.cols.push(var).into();
        }
        solver
    }

    /// The unknown that stands alone on a side and does not occur on the other.
    fn alone(&self, sys: &System, equation: &Equation) -> Option<VarId> {
        let side = |own: ExprId, other: ExprId| match sys.arena.node(own) {
            Node::Var(var) if self.col_of[var].is_some() && !contains(&sys.arena, other, own) => Some(var),
            _ => None,
        };
        side(equation.lhs, equation.rhs).or_else(|| side(equation.rhs, equation.lhs))
    }

    /// Whether every equation has a variable of its own alone on a side.
    fn has_all_alone(&self, sys: &System) -> bool {
        let mut taken: SecondaryMap<VarId, bool> = SecondaryMap::new();
        self.rows.values().all(|eq| match self.alone(sys, &sys.eqs[*eq]) {
            Some(var) => !std::mem::replace(&mut taken[var], true),
            None => false,
        })
    }

    fn incidence(&mut self, sys: &mut System) -> Incidence {
        let mut incidence = Incidence { n_cols: self.cols.len(), ..Incidence::default() };
        for eq in self.rows.values().copied().collect::<Vec<_>>() {
            let entries = self.entries(sys, sys.eqs[eq]);
            incidence.rows.push(entries);
        }
        incidence
    }

    fn entries(&mut self, sys: &mut System, equation: Equation) -> Vec<Entry> {
        let alone = self.alone(sys, &equation);
        let is_definition = self.is_definition(sys, &equation);
        let mut all = variables(&sys.arena, equation.lhs);
        all.extend(variables(&sys.arena, equation.rhs));
        all.sort_unstable();
        all.dedup();
        let known = occurrences(&mut self.workspace, sys, &equation, &|v| self.col_of[v].is_some());
        let few = all.len() <= FEW;
        let mut entries = Vec::new();
        for var in all {
            let Some(col) = self.col_of[var].expand() else { continue };
            let solvability = match alone {
                Some(own) if own == var => Solvability::Safe,
                Some(_) if is_definition => Solvability::Forbidden,
                _ => self.solvability(sys, &equation, var, known.get(&var).copied(), few),
            };
            entries.push(Entry { col, solvability });
        }
        entries.sort_by_key(|entry| entry.col);
        entries
    }

    /// How well an equation can be solved for a variable, which occurs in it as told. With many variables (not `few`) only numbers that it
    /// is affine in are solved for.
    fn solvability(&mut self, sys: &mut System, equation: &Equation, var: VarId, how: Option<Occurrence>, few: bool) -> Solvability {
        let is_side = |side: ExprId| matches!(sys.arena.node(side), Node::Var(v) if v == var);
        let reads = |side: ExprId| any_variable(&sys.arena, side, |v| v == var);
        if (is_side(equation.lhs) && !reads(equation.rhs)) || (is_side(equation.rhs) && !reads(equation.lhs)) {
            return Solvability::Safe;
        }
        match how {
            Some(Occurrence::Linear { coefficient, .. }) if sys.vars[var].ty != SlotType::Boolean => {
                match (sys.arena.as_constant(coefficient), how) {
                    (Some(0.0), _) => Solvability::Forbidden,
                    (_, Some(Occurrence::Linear { safe: true, .. })) => Solvability::Risky,
                    _ => Solvability::Nonlinear,
                }
            }
            _ if few && self.solution(sys, equation, var).is_some() => Solvability::Risky,
            _ => Solvability::Forbidden,
        }
    }

    /// What the variable equals.
    fn solution(&mut self, sys: &mut System, equation: &Equation, var: VarId) -> Option<ExprId> {
        let Equation { lhs, rhs, .. } = *equation;
        match sys.vars[var].ty {
            SlotType::Boolean => boolean_solution(&mut sys.arena, lhs, rhs, var),
            SlotType::Integer => self.workspace.solve(&mut sys.arena, lhs, rhs, var),
            SlotType::Real => self.workspace.solve(&mut sys.arena, lhs, rhs, var).or_else(|| {
                let System { arena, vars, .. } = sys;
                let is_nonzero =
                    |arena: &Arena, e: ExprId| matches!(arena.node(e), Node::Var(v) if vars[v].value.is_some_and(|value| value != 0.0));
                self.workspace.solve_inverse(arena, lhs, rhs, var, &is_nonzero)
            }),
        }
    }

    /// Gives an equation the form `var = solution`.
    fn rewrite(&mut self, sys: &mut System, eq: EqId, var: VarId) -> Result<(), Diagnostic> {
        let equation = sys.eqs[eq];
        let alone = sys.arena.var(var);
        let reads_itself = |sys: &System, side: ExprId| any_variable(&sys.arena, side, |v| v == var);
        if equation.lhs == alone && !reads_itself(sys, equation.rhs) {
            return Ok(());
        }
        let rhs = match equation.rhs == alone && !reads_itself(sys, equation.lhs) {
            true => equation.lhs,
            false => self.solution(sys, &equation, var).ok_or_else(|| unsolvable(sys, &equation, var))?,
        };
        if sys.vars[var].ty == SlotType::Integer && !is_whole(&mut self.workspace, sys, &equation, var) {
            must_be_whole(sys, &equation, var);
        }
        sys.eqs[eq] = Equation { lhs: alone, rhs, ..equation };
        Ok(())
    }

    /// Puts the solution of an equation into others of its circle.
    fn eliminate(&mut self, sys: &mut System, solved: EqId, var: VarId, others: &[(EqId, VarId)]) {
        let mut map = FxHashMap::default();
        map.insert(var, sys.eqs[solved].rhs);
        let mut substitution = Substitution::new(map);
        for (eq, _) in others {
            let equation = sys.eqs[*eq];
            let lhs = substitution.apply(&mut sys.arena, equation.lhs);
            let rhs = substitution.apply(&mut sys.arena, equation.rhs);
            sys.eqs[*eq] = Equation { lhs, rhs, ..equation };
        }
    }

    /// Errors for variables that no equation is left for, although one has them that cannot be solved for them.
    fn refused(&self, sys: &System, incidence: &Incidence, left: &[Col]) -> Vec<Diagnostic> {
        let rows_of = incidence.transposed();
        let mut found = Vec::new();
        for col in left.iter().take(10) {
            let is_open = |row: &&Row| !self.is_definition(sys, &sys.eqs[self.rows[**row]]);
            let is_unsolvable = |row: &&Row| incidence.entry(**row, *col).is_some_and(|entry| entry.solvability == Solvability::Forbidden);
            if let Some(row) = rows_of[*col].iter().filter(is_open).find(is_unsolvable) {
                found.push(unsolvable(sys, &sys.eqs[self.rows[*row]], self.cols[*col]));
            }
        }
        found
    }

    /// What the compiler wrote defines the variable it made, and what a `when` assigns is no equation for anything else.
    fn is_definition(&self, sys: &System, equation: &Equation) -> bool {
        let reads_pre = |var: VarId| sys.vars[var].pre.is_some_and(|pre| any_variable(&sys.arena, equation.rhs, |v| v == pre));
        self.alone(sys, equation).is_some_and(|var| sys.vars[var].hidden || reads_pre(var))
    }
}

fn unsolvable(sys: &System, equation: &Equation, var: VarId) -> Diagnostic {
    Diagnostic::error("S009", format!("a discrete equation cannot be solved for `{}`", sys.vars[var].name))
        .at(equation.origin.span(), "in this equation")
        .with_hint("write what the discrete variable equals: `variable = expression`")
}

/// How variables occur in an equation.
fn occurrences(
    workspace: &mut Workspace,
    sys: &mut System,
    equation: &Equation,
    unknown: &dyn Fn(VarId) -> bool,
) -> FxHashMap<VarId, Occurrence> {
    let System { arena, vars, .. } = sys;
    let is_nonzero = |arena: &Arena, e: ExprId| matches!(arena.node(e), Node::Var(v) if vars[v].value.is_some_and(|value| value != 0.0));
    workspace.occurrences(arena, equation.lhs, equation.rhs, &|v| unknown(v), &is_nonzero).into_iter().collect()
}

/// Whether the solution of an Integer equation is whole for sure: its coefficient is one.
fn is_whole(workspace: &mut Workspace, sys: &mut System, equation: &Equation, var: VarId) -> bool {
    match occurrences(workspace, sys, equation, &|v| v == var).get(&var).copied() {
        Some(Occurrence::Linear { coefficient, .. }) => sys.arena.as_constant(coefficient).is_some_and(|k| k.abs() == 1.0),
        _ => false,
    }
}

/// The run fails where an Integer would get a value that is not whole.
fn must_be_whole(sys: &mut System, equation: &Equation, var: VarId) {
    let span: Span = equation.origin.span();
    let text = format!("{} = {}", expression_text(sys, equation.lhs), expression_text(sys, equation.rhs));
    let value = sys.arena.var(var);
    let floor = sys.arena.unary(Op1::Floor, value);
    let broken = sys.arena.binary(Op2::Ne, floor, value);
    let mut trigger = Variable::new(format!("$whole({})", sys.vars[var].name), SlotType::Boolean, Role::Discrete, span);
    trigger.hidden = true;
    trigger.made = Some(Purpose::RunTime);
    let trigger = sys.vars.push(trigger);
    let lhs = sys.arena.var(trigger);
    sys.eqs.push(Equation { lhs, rhs: broken, kind: EquationKind::Discrete, origin: equation.origin });
    let message = vec![
        Text::Literal(format!("{text} has no whole solution: {} would be ", sys.vars[var].name)),
        Text::Value(var, Format::Plain(SlotType::Real)),
    ];
    sys.actions.push(Action { trigger, kind: ActionKind::AssertError, message, span });
}

/// What a Boolean equals that is reached through `not`, `==` and `<>` only.
fn boolean_solution(arena: &mut Arena, lhs: ExprId, rhs: ExprId, var: VarId) -> Option<ExprId> {
    let reads = |arena: &Arena, side: ExprId| any_variable(arena, side, |v| v == var);
    let (mut inside, mut value) = match (reads(arena, lhs), reads(arena, rhs)) {
        (true, false) => (lhs, rhs),
        (false, true) => (rhs, lhs),
        _ => return None,
    };
    // Ends: every round goes into an operand.
    loop {
        match arena.node(inside) {
            Node::Var(_) => return Some(value),
            Node::Unary(Op1::Not, a) => {
                inside = a;
                value = arena.not(value);
            }
            Node::Binary(op @ (Op2::Eq | Op2::Ne), a, b) => {
                let other = match (reads(arena, a), reads(arena, b)) {
                    (true, false) => b,
                    (false, true) => a,
                    _ => return None,
                };
                inside = if other == b { a } else { b };
                value = arena.binary(op, other, value);
            }
            _ => return None,
        }
    }
}

/// Initial equations with one discrete variable get the form that determines it.
fn solve_initial(sys: &mut System) {
    let mut solver = Solver { rows: PrimaryMap::new(), cols: PrimaryMap::new(), col_of: SecondaryMap::new(), workspace: Workspace::new() };
    for at in 0..sys.initial_eqs.len() {
        let equation = sys.initial_eqs[at];
        let mut all = variables(&sys.arena, equation.lhs);
        all.extend(variables(&sys.arena, equation.rhs));
        all.retain(|var| !matches!(sys.vars[*var].role, Role::Parameter | Role::Time));
        all.dedup();
        let &[var] = all.as_slice() else { continue };
        if equation.kind == EquationKind::Discrete || sys.vars[var].role != Role::Discrete || sys.vars[var].ty == SlotType::Integer {
            continue;
        }
        if let Some(rhs) = solver.solution(sys, &equation, var) {
            let lhs = sys.arena.var(var);
            sys.initial_eqs[at] = Equation { lhs, rhs, kind: EquationKind::Discrete, ..equation };
        }
    }
}
