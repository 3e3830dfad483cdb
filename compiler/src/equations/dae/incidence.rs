//! The only bridge from equations to graphs: a problem is a list of equations and a list of unknowns, with its incidence.
//!
//! Input: the system, which equations, which unknowns. Output: `Problem`. The same bridge serves the simulation between
//! events (continuous unknowns), events (continuous and discrete), initialisation and parameters.
//! Cost: linear in the size of the expressions of the chosen equations.

use crate::base::budget;
use crate::base::ids::{ExprId, VarId};
use crate::equations::dae::System;
use crate::equations::expr::Node;
use crate::equations::expr::solve::{Occurrence, Workspace};
use crate::equations::expr::subst::variables;
use crate::structure::incidence::{Col, Entry, Incidence, Row, Solvability};
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntitySet, PrimaryMap, SecondaryMap};
use partita_grammar::Span;

/// One equation of a problem.
#[derive(Copy, Clone, Debug)]
pub struct ProblemEquation {
    /// Left-hand side.
    pub lhs: ExprId,
    /// Right-hand side.
    pub rhs: ExprId,
    /// Assigns the unknown that stands alone on a side; may not be solved for anything else.
    pub assigns: bool,
    /// Where it came from.
    pub span: Span,
}

/// Equations, unknowns and their incidence.
#[derive(Clone, Debug, Default)]
pub struct Problem {
    /// The equations by row.
    pub equations: PrimaryMap<Row, ProblemEquation>,
    /// The unknowns by column.
    pub unknowns: PrimaryMap<Col, VarId>,
    /// The column of an unknown.
    pub col_of: SecondaryMap<VarId, PackedOption<Col>>,
    /// Who occurs where, and how.
    pub incidence: Incidence,
    /// The unknowns that change at events only.
    discrete: EntitySet<Col>,
}

/// What an unknown in an equation costs until the equations are sorted, among the operations of `budget`.
const OPERATIONS_PER_ENTRY: u64 = 4;

impl Problem {
    /// The problem of solving `equations` for `unknowns`.
    pub fn new(
        sys: &mut System,
        equations: impl IntoIterator<Item = ProblemEquation>,
        unknowns: impl IntoIterator<Item = VarId>,
    ) -> Problem {
        let mut problem = Problem::default();
        for var in unknowns {
            let col = problem.unknowns.push(var);
            problem.col_of[var] = col.into();
            if sys.is_discrete(var) {
                problem.discrete.insert(col);
            }
        }
        problem.incidence.n_cols = problem.unknowns.len();
        let mut workspace = Workspace::new();
        for equation in equations {
            problem.push(sys, &mut workspace, equation);
        }
        problem
    }

    /// Adds an equation.
    pub fn push(&mut self, sys: &mut System, workspace: &mut Workspace, equation: ProblemEquation) -> Row {
        let entries = self.entries(sys, workspace, &equation);
        budget::spend(OPERATIONS_PER_ENTRY * entries.len() as u64);
        self.incidence.rows.push(entries);
        self.equations.push(equation)
    }

    fn entries(&self, sys: &mut System, workspace: &mut Workspace, equation: &ProblemEquation) -> Vec<Entry> {
        if equation.assigns
            && let Some(entries) = self.assigned(sys, equation)
        {
            return entries;
        }
        let vars = &sys.vars;
        let col_of = &self.col_of;
        let alone = |e: ExprId| match sys.arena.node(e) {
            Node::Var(v) => Some(v),
            _ => None,
        };
        let sides = [alone(equation.lhs), alone(equation.rhs)];
        let found =
            workspace.occurrences(&mut sys.arena, equation.lhs, equation.rhs, &|v| col_of[v].is_some(), &|arena, e| match arena.node(e) {
                Node::Var(v) => vars[v].value.is_some_and(|value| value != 0.0),
                _ => false,
            });
        let mut entries: Vec<Entry> = Vec::new();
        for (var, occurrence) in found {
            let Some(col) = col_of[var].expand() else { continue };
            let solvability = if equation.assigns {
                // Both sides alone: `a = b` may assign either.
                if sides.contains(&Some(var)) && !occurs_inside(sides, var, &occurrence) {
                    Solvability::Assigned
                } else {
                    Solvability::Forbidden
                }
            } else if self.discrete.contains(col) {
                Solvability::Forbidden
            } else {
                match occurrence {
                    Occurrence::Absent => continue,
                    // Written but cancelling: read, never solved for.
                    Occurrence::Linear { coefficient, .. } if sys.arena.as_constant(coefficient) == Some(0.0) => Solvability::Forbidden,
                    Occurrence::Linear { safe: true, .. } => Solvability::Safe,
                    Occurrence::Linear { safe: false, .. } => Solvability::Risky,
                    Occurrence::Nonlinear => Solvability::Nonlinear,
                }
            };
            entries.push(Entry { col, solvability });
        }
        entries.sort_by_key(|e| e.col);
        entries
    }

    /// The entries of an equation that assigns a variable which its other side does not read. How that side depends on what it reads does
    /// not matter, and the sides of many such equations share most of what an algorithm computes: only variables are looked for.
    fn assigned(&self, sys: &System, equation: &ProblemEquation) -> Option<Vec<Entry>> {
        let (goal, value) = match (sys.arena.node(equation.lhs), sys.arena.node(equation.rhs)) {
            (Node::Var(_), Node::Var(_)) => return None,
            (Node::Var(goal), _) => (goal, equation.rhs),
            (_, Node::Var(goal)) => (goal, equation.lhs),
            _ => return None,
        };
        let read = variables(&sys.arena, value);
        if read.binary_search(&goal).is_ok() {
            return None;
        }
        let entry = |var: VarId, solvability: Solvability| Some(Entry { col: self.col_of[var].expand()?, solvability });
        let others = read.into_iter().filter_map(|var| entry(var, Solvability::Forbidden));
        let mut entries: Vec<Entry> = entry(goal, Solvability::Assigned).into_iter().chain(others).collect();
        entries.sort_by_key(|e| e.col);
        Some(entries)
    }
}

/// A variable alone on one side may occur on the other side too (`v = f(v)`): then it is not assigned by it alone.
fn occurs_inside(sides: [Option<VarId>; 2], var: VarId, occurrence: &Occurrence) -> bool {
    let n_alone = sides.iter().filter(|s| **s == Some(var)).count();
    n_alone == 2 || !matches!(occurrence, Occurrence::Linear { .. })
}
