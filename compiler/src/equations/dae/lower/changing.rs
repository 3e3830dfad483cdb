//! Discrete variables that change between events, and the kinds of equations.
//!
//! Input: a model whose equations are translated. Output: which of its discrete variables equal what changes between events
//! ([`Lowerer::changing_variables`]), and whether each equation determines a discrete variable ([`Lowerer::settle_kinds`]).
//!
//! Method: what a function, `sign` or a relation in `noEvent` makes of continuous values changes without events, and so does whatever is
//! computed from it; a discrete variable that equals it is an unknown at all times. Which these are decides how equations are translated (a
//! relation between them makes events), and the translation shows which these are. The first translation assumes none and gives too
//! many: all that depend on one, also through relations. The second one assumes these, so that every relation between them is a
//! variable of its own, and gives exactly those that depend on one without a relation in between. The third one is right.
//! Guarantee: what was assumed is what the last translation shows. Cost: models without such variables, nearly all, are translated once,
//! others two or three times, however long the chains of such variables are.

use super::{Lowerer, Phase};
use crate::base::ids::{ExprId, VarId};
use crate::equations::dae::{Equation, EquationKind, Role};
use crate::equations::expr::{Node, subst};
use cranelift_entity::SecondaryMap;
use partita_grammar::{Diagnostic, Span};
use partita_runtime::model::plan::SlotType;
use rustc_hash::{FxHashMap, FxHashSet};

/// Marks of expressions.
type Marked = SecondaryMap<ExprId, bool>;

/// Sets of discrete variables that were assumed to change between events, from one translation to the next.
#[derive(Debug, Default)]
pub(super) struct Assumed {
    /// The present set.
    set: FxHashSet<VarId>,
    /// Variables of the first translation that changed whatever the others do.
    certain: FxHashSet<VarId>,
    n_iterations: usize,
    /// The sets only grow, one generation of dependent variables at a time: slow, and never too large.
    grows: bool,
}

impl Assumed {
    pub(super) fn contains(&self, var: VarId) -> bool {
        self.set.contains(&var)
    }

    /// Whether the translation under this assumption confirms it; if not, there is another one.
    pub(super) fn is_confirmed(&mut self, lowerer: &mut Lowerer<'_>) -> bool {
        self.n_iterations += 1;
        if !lowerer.reports.errors.is_empty() {
            // What was assumed of too many may be what is wrong.
            if self.set.is_empty() || self.grows {
                return true;
            }
            self.set = self.certain.clone();
            self.grows = true;
            return false;
        }
        let (direct, all) = lowerer.changing_variables(self);
        if self.n_iterations == 1 {
            self.certain = direct.clone();
        }
        let mut next = if self.grows { direct } else { all };
        if self.grows || self.n_iterations > 3 {
            next.extend(&self.set);
        }
        let is_same = next == self.set;
        self.set = next;
        is_same
    }
}

impl Lowerer<'_> {
    /// The expressions that are assigned in a `when`, in which the variable that says whether it is active occurs.
    fn of_whens(&self) -> Marked {
        match self.activations.is_empty() {
            true => SecondaryMap::new(),
            false => subst::containing(&self.sys.arena, |v| self.activations.contains(&v)),
        }
    }

    fn variable(&self, expr: ExprId) -> Option<VarId> {
        match self.sys.arena.node(expr) {
            Node::Var(v) => Some(v),
            _ => None,
        }
    }

    /// Whether `lhs = rhs` assigns a discrete variable, other than those that are determined elsewhere. `discrete = expression` does;
    /// `discrete = continuous` is an ordinary equation for the other. Initial equations may be solved for parameters and `pre`
    /// values, so only a discrete variable makes them discrete.
    pub(super) fn kind(&self, (lhs, rhs): (ExprId, ExprId), phase: Phase, elsewhere: &FxHashSet<VarId>) -> EquationKind {
        let is_discrete = |e: ExprId| self.variable(e).is_some_and(|v| self.sys.is_discrete(v) && !elsewhere.contains(&v));
        let is_continuous =
            |e: ExprId| self.variable(e).is_some_and(|v| self.sys.is_continuous(v) && self.sys.vars[v].ty == SlotType::Real);
        if (is_discrete(lhs) && !is_continuous(rhs))
            || (is_discrete(rhs) && !is_continuous(lhs))
            || !(phase == Phase::Start || self.has_continuous((lhs, rhs)))
        {
            EquationKind::Discrete
        } else {
            EquationKind::Continuous
        }
    }

    fn has_continuous(&self, (lhs, rhs): (ExprId, ExprId)) -> bool {
        [lhs, rhs].iter().any(|e| subst::any_variable(&self.sys.arena, *e, |v| self.sys.is_continuous(v)))
    }

    /// The discrete variable that an equation certainly determines: what a `when` assigns, and what equals an expression without any
    /// continuous unknown.
    fn determined(&self, equation: &Equation, of_whens: &Marked, continuous: &Marked) -> Option<VarId> {
        let is_one = |marked: &Marked| marked[equation.lhs] || marked[equation.rhs];
        let discrete = |e: ExprId| self.variable(e).filter(|v| self.sys.is_discrete(*v));
        if equation.kind != EquationKind::Discrete {
            None
        } else if is_one(of_whens) {
            self.variable(equation.lhs)
        } else {
            match (discrete(equation.lhs), discrete(equation.rhs)) {
                (Some(var), None) | (None, Some(var)) if !is_one(continuous) => Some(var),
                _ => None,
            }
        }
    }

    /// What a `when` or a discrete expression determines, no other equation does: `2*x = u` is one for `x` if `u` is assigned in a
    /// `when`. All equations are there now, so it is known element by element.
    pub(super) fn settle_kinds(&mut self) {
        let mut equations = std::mem::take(&mut self.eqs);
        let (of_whens, continuous) = (self.of_whens(), subst::containing(&self.sys.arena, |v| self.sys.is_continuous(v)));
        let by: Vec<Option<VarId>> = equations.iter().map(|equation| self.determined(equation, &of_whens, &continuous)).collect();
        let determined: FxHashSet<VarId> = by.iter().copied().flatten().collect();
        for (equation, by) in equations.iter_mut().zip(by) {
            let names_one = [equation.lhs, equation.rhs].iter().any(|e| self.variable(*e).is_some_and(|v| determined.contains(&v)));
            if by.is_none() && names_one && equation.kind == EquationKind::Discrete {
                equation.kind = self.kind((equation.lhs, equation.rhs), Phase::Run, &determined);
            }
        }
        self.eqs = equations;
    }

    /// The equations that may make a discrete variable change between events, with that variable: what a `when` assigns changes
    /// where it is active.
    fn candidates<'a>(&'a self, assumed: &'a Assumed) -> impl Iterator<Item = (VarId, &'a Equation)> {
        let of_whens = self.of_whens();
        self.eqs.iter().filter_map(move |equation| {
            let var = self.variable(equation.lhs)?;
            let variable = &self.sys.vars[var];
            let is_one = equation.kind == EquationKind::Discrete && variable.role == Role::Discrete && !variable.hidden;
            let is_of_when = of_whens[equation.lhs] || of_whens[equation.rhs];
            ((is_one || assumed.contains(var)) && !is_of_when).then_some((var, equation))
        })
    }

    /// Discrete variables that equal what changes between events whatever else was assumed to, and with them all that depend on one.
    fn changing_variables(&mut self, assumed: &Assumed) -> (FxHashSet<VarId>, FxHashSet<VarId>) {
        let pairs: Vec<(VarId, ExprId)> = self.candidates(assumed).map(|(var, equation)| (var, equation.rhs)).collect();
        let (mut direct, mut open) = (FxHashSet::default(), Vec::new());
        let mut users = FxHashMap::<VarId, Vec<VarId>>::default();
        if !pairs.iter().any(|(_, rhs)| self.is_continuous_expr(*rhs)) {
            return Default::default();
        }
        for (var, rhs) in pairs {
            for used in subst::variables(&self.sys.arena, rhs) {
                if (assumed.grows || !assumed.contains(used)) && self.is_changing(used) && direct.insert(var) {
                    open.push(var);
                }
                users.entry(used).or_default().push(var);
            }
        }
        let mut all = direct.clone();
        while let Some(var) = open.pop() {
            open.extend(users.remove(&var).unwrap_or_default().into_iter().filter(|user| all.insert(*user)));
        }
        (direct, all)
    }

    /// One warning for each variable that is assumed to change.
    pub(super) fn warn_of_changing(&mut self, assumed: &Assumed) {
        let mut named = FxHashSet::default();
        let found: Vec<(VarId, Span)> = self.candidates(assumed).map(|(var, equation)| (var, equation.origin.span())).collect();
        for (var, span) in found.into_iter().filter(|(var, _)| assumed.contains(*var)) {
            if named.insert(var) {
                let name = &self.sys.vars[var].name;
                let warning = Diagnostic::warning("D011", format!("{name} is discrete, but what it equals changes between events"))
                    .at(span, "computed at all times, without events of its own")
                    .with_hint("`annotation(GenerateEvents = true)` makes events of the relations in a function");
                self.reports.warnings.push(warning);
            }
        }
    }
}
