//! Alias elimination: removes variables that equal another one, its negative, a parameter or a number.
//!
//! Input: a system. Output: the system without the eliminated variables and their equations, and for every eliminated
//! variable what it equals, so that results can show it. Folding and elimination alternate until nothing changes, because a
//! number put into an equation can make it trivial.
//!
//! Method: union-find with signs over the equations `±a ±b = 0` and `±a + c = 0`; one survivor per class.
//! Guarantee: the map is idempotent (targets survive). Attributes of eliminated variables merge into the survivor; two
//! different `fixed` starts are an error (A001). An equation that contradicts others is kept and found by matching.
//! Cost: linear per iteration; a handful of iterations.
//!
//! `a = k*b + c` stays an equation, although one in ten of those that are left in library models is of this form: sorting makes it the
//! assignment `a := k*b + c`, also inside a loop, where it costs no iteration unknown, and results have their row for `a` already. To put
//! it into its uses would compute the product as often as `a` is used, and round it differently at each.

use crate::base::ids::{EqId, ExprId, VarId};
use crate::equations::dae::{Equation, EquationKind, Purpose, Role, System};
use crate::equations::expr::Node;
use crate::equations::expr::subst::{Occurrences, Substitution, variables};
use crate::frontend::flat::StateSelect;
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};
use partita_grammar::{Diagnostic, Span};
use partita_runtime::base::math::{Op1, Op2};
use partita_runtime::model::plan::SlotType;
use rustc_hash::FxHashMap;

/// What an eliminated variable equals.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Alias {
    /// `sign * variable`, sign 1 or -1.
    Variable(VarId, f64),
    /// A number.
    Constant(f64),
}

/// For every eliminated variable what it equals.
#[derive(Clone, Debug, Default)]
pub struct AliasMap {
    /// `None` for variables that were not eliminated.
    pub of: SecondaryMap<VarId, Option<Alias>>,
    /// How many were eliminated.
    pub n_eliminated: usize,
    /// For every variable that an equation eliminated, where that equation was written.
    by: SecondaryMap<VarId, Option<Span>>,
    /// Both sides of the equations that are left, as they were before elimination.
    written: PrimaryMap<EqId, (ExprId, ExprId)>,
}

impl AliasMap {
    /// The variables that were in an equation when it was written and have been eliminated since, with the equations that did it.
    pub fn eliminated_from(&self, sys: &System, eq: EqId) -> Vec<(VarId, Span)> {
        let Some(&(lhs, rhs)) = self.written.get(eq) else { return Vec::new() };
        let mut vars: Vec<VarId> = [lhs, rhs].into_iter().flat_map(|side| variables(&sys.arena, side)).collect();
        vars.sort_unstable();
        vars.dedup();
        vars.into_iter().filter_map(|var| Some((var, self.by[var]?))).collect()
    }

    /// What is wrong with the map: targets are not eliminated, and no equation names what is. Cost: a walk over the equations.
    pub fn verify(&self, sys: &System) -> Vec<String> {
        let mut found = Vec::new();
        let eliminated = sys.vars.keys().filter_map(|var| Some((var, self.of[var]?)));
        for (var, alias) in eliminated {
            if let Alias::Variable(target, factor) = alias
                && (self.of[target].is_some() || factor.abs() != 1.0)
            {
                found.push(format!("{} stands for a variable that was eliminated too", sys.vars[var].name));
            }
        }
        let equations = sys.eqs.values().chain(&sys.initial_eqs).map(|equation| [equation.lhs, equation.rhs]);
        let sides = equations.chain(sys.relations.iter().map(|relation| [relation.lhs, relation.rhs]));
        let mut named = Vec::new();
        let mut occurrences = Occurrences::new();
        for both in sides {
            occurrences.variables(&sys.arena, &both, &mut named);
            let gone = named.iter().filter(|var| self.of[**var].is_some());
            found.extend(gone.map(|var| format!("{} was eliminated and is in an equation", sys.vars[*var].name)));
        }
        found
    }
}

/// The terms of an equation that may be an alias: at most two variables with sign, and a number.
struct Terms {
    vars: Vec<(VarId, f64)>,
    constant: f64,
}

fn collect_terms(sys: &System, equation: &Equation) -> Option<Terms> {
    let mut terms = Terms { vars: Vec::new(), constant: 0.0 };
    let mut stack = vec![(equation.lhs, 1.0), (equation.rhs, -1.0)];
    let mut n_constants = 0;
    while let Some((expr, sign)) = stack.pop() {
        match sys.arena.node(expr) {
            Node::Const(bits) => {
                let value = f64::from_bits(bits);
                // A sum of several numbers would be rounded: leave it to the solver.
                if value != 0.0 {
                    n_constants += 1;
                    terms.constant += sign * value;
                }
            }
            Node::Var(v) => terms.vars.push((v, sign)),
            Node::Unary(Op1::Neg, a) => stack.push((a, -sign)),
            Node::Binary(Op2::Add, a, b) => stack.extend([(a, sign), (b, sign)]),
            Node::Binary(Op2::Sub, a, b) => stack.extend([(a, sign), (b, -sign)]),
            _ => return None,
        }
        if terms.vars.len() > 2 || n_constants > 1 || stack.len() > 4 {
            return None;
        }
    }
    Some(terms)
}

/// Eliminates aliases of `sys` in place.
pub fn eliminate(sys: &mut System) -> Result<AliasMap, Vec<Diagnostic>> {
    eliminate_more(sys, AliasMap::default())
}

/// Eliminates what became an alias after an earlier elimination; the map is of both.
pub fn eliminate_more(sys: &mut System, earlier: AliasMap) -> Result<AliasMap, Vec<Diagnostic>> {
    let mut classes = Classes { parent: earlier.of, by: earlier.by, errors: Vec::new() };
    let mut written: PrimaryMap<EqId, (ExprId, ExprId)> = sys.eqs.values().map(|equation| (equation.lhs, equation.rhs)).collect();
    for _round in 0..20 {
        let mut kept: PrimaryMap<EqId, Equation> = PrimaryMap::new();
        let mut kept_written = PrimaryMap::new();
        let mut changed = false;
        let equations: Vec<Equation> = sys.eqs.values().copied().collect();
        for (equation, before) in equations.into_iter().zip(written.values()) {
            if classes.absorb(sys, &equation) {
                changed = true;
            } else {
                kept.push(equation);
                kept_written.push(*before);
            }
        }
        written = kept_written;
        sys.eqs = kept;
        if !changed {
            break;
        }
        apply(sys, &mut classes);
    }
    let mut map = AliasMap { written, ..AliasMap::default() };
    let vars: Vec<VarId> = sys.vars.keys().collect();
    for var in vars {
        let resolved = classes.find(var);
        if resolved != Alias::Variable(var, 1.0) {
            map.of[var] = Some(resolved);
            map.n_eliminated += 1;
        }
    }
    map.by = classes.by;
    if classes.errors.is_empty() { Ok(map) } else { Err(classes.errors) }
}

struct Classes {
    /// What a variable was replaced by; chains are followed by `find`.
    parent: SecondaryMap<VarId, Option<Alias>>,
    /// Where the equation was written that eliminated a variable.
    by: SecondaryMap<VarId, Option<Span>>,
    errors: Vec<Diagnostic>,
}

impl Classes {
    /// What a variable equals in the end; compresses the chain.
    fn find(&mut self, var: VarId) -> Alias {
        let mut chain = Vec::new();
        let mut at = var;
        let mut sign = 1.0;
        let end = loop {
            match self.parent[at] {
                None => break Alias::Variable(at, sign),
                Some(Alias::Constant(c)) => break Alias::Constant(sign * c),
                Some(Alias::Variable(next, s)) => {
                    chain.push((at, sign));
                    sign *= s;
                    at = next;
                }
            }
        };
        for (link, to_link) in chain {
            // var = to_link * link, and var = end; so link = end / to_link, and to_link is 1 or -1.
            self.parent[link] = Some(match end {
                Alias::Variable(v, s) => Alias::Variable(v, s * to_link),
                Alias::Constant(c) => Alias::Constant(c * to_link),
            });
        }
        end
    }

    /// Uses an equation to eliminate a variable. False if the equation must stay.
    fn absorb(&mut self, sys: &mut System, equation: &Equation) -> bool {
        match self.eliminated_by(sys, equation) {
            Some(var) => {
                self.by[var] = Some(equation.origin.span());
                true
            }
            None => false,
        }
    }

    /// Uses an equation to eliminate a variable, which is returned.
    fn eliminated_by(&mut self, sys: &mut System, equation: &Equation) -> Option<VarId> {
        if matches!(equation.kind, EquationKind::Activation { .. }) {
            return None;
        }
        let terms = collect_terms(sys, equation)?;
        let is_unknown = |sys: &System, v: VarId| matches!(sys.vars[v].role, Role::Continuous | Role::Discrete);
        // Resolve what earlier equations of this round have eliminated already.
        let mut constant = terms.constant;
        let mut vars: Vec<(VarId, f64)> = Vec::new();
        for (v, sign) in terms.vars {
            match self.find(v) {
                Alias::Constant(c) => {
                    if constant != 0.0 && c != 0.0 {
                        return None;
                    }
                    constant += sign * c;
                }
                Alias::Variable(root, s) => vars.push((root, sign * s)),
            }
        }
        match vars.as_slice() {
            [(v, sign)] if is_unknown(sys, *v) => {
                let value = 0.0 - sign * constant;
                if sys.vars[*v].ty != SlotType::Real && *sign < 0.0 && constant != 0.0 {
                    return None;
                }
                self.set_constant(sys, *v, if value == 0.0 { 0.0 } else { value }).then_some(*v)
            }
            [(a, sa), (b, sb)] if constant == 0.0 && a != b => {
                // a = factor * b
                let factor = -sa * sb;
                let numeric = sys.vars[*a].ty == SlotType::Real && sys.vars[*b].ty == SlotType::Real;
                if !numeric && (factor < 0.0 || sys.vars[*a].ty != sys.vars[*b].ty) {
                    return None;
                }
                match (is_unknown(sys, *a), is_unknown(sys, *b)) {
                    (true, true) => self.merge(sys, *a, *b, factor),
                    (true, false) => self.set_known(sys, *a, *b, factor).then_some(*a),
                    (false, true) => self.set_known(sys, *b, *a, factor).then_some(*b),
                    (false, false) => None,
                }
            }
            _ => None,
        }
    }

    fn set_constant(&mut self, sys: &mut System, var: VarId, value: f64) -> bool {
        if sys.vars[var].integral.is_some() || protected_role(sys, var) {
            return false;
        }
        self.parent[var] = Some(Alias::Constant(value));
        let mut derivative = sys.vars[var].derivative;
        while let Some(der) = derivative {
            self.parent[der] = Some(Alias::Constant(0.0));
            derivative = sys.vars[der].derivative;
        }
        if let Some(pre) = sys.vars[var].pre {
            self.parent[pre] = Some(Alias::Constant(value));
        }
        true
    }

    /// `var = factor * known` where `known` is a parameter.
    fn set_known(&mut self, sys: &mut System, var: VarId, known: VarId, factor: f64) -> bool {
        let stays_known = matches!(sys.vars[known].role, Role::Parameter | Role::FreeParameter | Role::Input | Role::Time);
        let is_fixed_over_time = matches!(sys.vars[known].role, Role::Parameter | Role::FreeParameter);
        if !stays_known || sys.vars[var].integral.is_some() || protected_role(sys, var) {
            return false;
        }
        if !is_fixed_over_time
            && (sys.vars[var].derivative.is_some() || sys.vars[var].pre.is_some() || sys.vars[var].role == Role::Discrete)
        {
            return false;
        }
        self.parent[var] = Some(Alias::Variable(known, factor));
        let mut derivative = sys.vars[var].derivative;
        while let Some(der) = derivative {
            self.parent[der] = Some(Alias::Constant(0.0));
            derivative = sys.vars[der].derivative;
        }
        if let Some(pre) = sys.vars[var].pre {
            self.parent[pre] = Some(Alias::Variable(known, factor));
        }
        true
    }

    /// `a = factor * b`, both unknown; the one that was eliminated.
    fn merge(&mut self, sys: &mut System, a: VarId, b: VarId, factor: f64) -> Option<VarId> {
        let der_level = |v: VarId| sys.vars[v].integral.is_some();
        // A derivative equals another unknown: the unknown keeps its own name and the derivative is replaced only if it is
        // nobody's start of a chain. `der(x) = v` is an ordinary equation: states need it.
        if der_level(a) || der_level(b) {
            return None;
        }
        let roles = (sys.vars[a].role, sys.vars[b].role);
        let (survivor, eliminated) = match roles {
            (Role::Discrete, Role::Continuous) => (a, b),
            (Role::Continuous, Role::Discrete) => (b, a),
            _ if better(sys, a, b) => (a, b),
            _ => (b, a),
        };
        if roles.0 != roles.1 && sys.vars[eliminated].derivative.is_some() {
            return None;
        }
        if protected_role(sys, eliminated) {
            return None;
        }
        // A fixed start of a discrete variable is the first value of its `pre`; two of them cannot be one variable.
        if roles == (Role::Discrete, Role::Discrete)
            && sys.vars[a].pre.is_some()
            && sys.vars[b].pre.is_some()
            && start_conflict(sys, survivor, eliminated, factor).is_some()
        {
            return None;
        }
        self.parent[eliminated] = Some(Alias::Variable(survivor, factor));
        self.merge_attributes(sys, survivor, eliminated, factor);
        // Derivatives and `pre` values follow.
        let (mut e, mut s) = (eliminated, survivor);
        while let Some(der) = sys.vars[e].derivative {
            let target = sys.derivative_of(s);
            self.parent[der] = Some(Alias::Variable(target, factor));
            (e, s) = (der, target);
        }
        if let Some(pre) = sys.vars[eliminated].pre {
            let target = sys.pre_of(survivor);
            self.parent[pre] = Some(Alias::Variable(target, factor));
        }
        Some(eliminated)
    }

    fn merge_attributes(&mut self, sys: &mut System, survivor: VarId, eliminated: VarId, factor: f64) {
        let other = sys.vars[eliminated].clone();
        let flip = |sys: &mut System, e: ExprId| if factor < 0.0 { sys.arena.neg(e) } else { e };
        let mut is_first_of_pre = false;
        if let Some((a, b)) = start_conflict(sys, survivor, eliminated, factor) {
            let target = &sys.vars[survivor];
            if target.role == Role::Discrete && other.role == Role::Discrete {
                // At most one has a `pre`, and only there a start is seen.
                is_first_of_pre = other.pre.is_some();
            } else {
                self.errors.push(
                    Diagnostic::error("A001", format!("{} and {} are equal but start at different fixed values", target.name, other.name))
                        .at(target.span, format!("starts at {a}"))
                        .at(other.span, format!("starts at {b}"))
                        .with_hint("remove `fixed = true` from one of them"),
                );
            }
        }
        let takes_start =
            is_first_of_pre || (other.fixed == Some(true) && sys.vars[survivor].fixed != Some(true)) || sys.vars[survivor].start.is_none();
        if takes_start && let Some(start) = other.start {
            sys.vars[survivor].start = Some(flip(sys, start));
        }
        let target = &mut sys.vars[survivor];
        target.fixed = match (target.fixed, other.fixed) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (a, b) => a.or(b),
        };
        target.nominal = target.nominal.or(other.nominal);
        if factor > 0.0 {
            target.min = max_option(target.min, other.min);
            target.max = min_option(target.max, other.max);
        }
        target.state_select = match (target.state_select, other.state_select) {
            // What one name forbids is allowed under another one that the model differentiates, but not wanted.
            (StateSelect::Default, StateSelect::Never) if target.derivative.is_some() => StateSelect::Avoid,
            (StateSelect::Never, StateSelect::Default) if other.derivative.is_some() => StateSelect::Avoid,
            (StateSelect::Default, o) => o,
            (t, StateSelect::Default) => t,
            (t, o) => t.max(o),
        };
    }
}

fn max_option(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.max(b)),
        (a, b) => a.or(b),
    }
}

fn min_option(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// The starts of two equal variables, if both are fixed and differ.
fn start_conflict(sys: &mut System, survivor: VarId, eliminated: VarId, factor: f64) -> Option<(f64, f64)> {
    if sys.vars[survivor].fixed != Some(true) || sys.vars[eliminated].fixed != Some(true) {
        return None;
    }
    let zero = sys.arena.constant(0.0);
    let (a, b) = (sys.vars[survivor].start.unwrap_or(zero), sys.vars[eliminated].start.unwrap_or(zero));
    let b = if factor < 0.0 { sys.arena.neg(b) } else { b };
    sys.decided_value(a).zip(sys.decided_value(b)).filter(|(a, b)| a != b)
}

/// Variables that the run-time reads or writes must keep a slot of their own.
fn protected_role(sys: &System, var: VarId) -> bool {
    sys.vars[var].made == Some(Purpose::RunTime) || sys.transports.iter().any(|t| t.way == var)
}

/// Whether `a` should survive rather than `b`.
fn better(sys: &System, a: VarId, b: VarId) -> bool {
    let key = |v: VarId| {
        let var = &sys.vars[v];
        (
            var.state_select == StateSelect::Always,
            var.derivative.is_some(),
            var.state_select,
            var.fixed == Some(true),
            var.made.is_none(),
            var.start.is_some(),
            std::cmp::Reverse(var.name.matches('.').count()),
            std::cmp::Reverse(var.name.len()),
            std::cmp::Reverse(v.index()),
        )
    };
    key(a) > key(b)
}

/// Puts the aliases into every expression of the system.
fn apply(sys: &mut System, classes: &mut Classes) {
    let mut targets: FxHashMap<VarId, ExprId> = FxHashMap::default();
    let vars: Vec<VarId> = sys.vars.keys().collect();
    for var in vars {
        if classes.parent[var].is_none() {
            continue;
        }
        let expr = match classes.find(var) {
            Alias::Constant(c) => sys.arena.constant(c),
            Alias::Variable(v, sign) => {
                let e = sys.arena.var(v);
                if sign < 0.0 { sys.arena.neg(e) } else { e }
            }
        };
        targets.insert(var, expr);
    }
    substitute(sys, &targets);
}

/// Replaces variables by expressions in every equation, relation and start value, and in what the run-time reads.
pub fn substitute(sys: &mut System, targets: &FxHashMap<VarId, ExprId>) {
    let mut substitution = Substitution::new(targets.clone());
    let ids: Vec<EqId> = sys.eqs.keys().collect();
    for eq in ids {
        let Equation { lhs, rhs, .. } = sys.eqs[eq];
        sys.eqs[eq].lhs = substitution.apply(&mut sys.arena, lhs);
        sys.eqs[eq].rhs = substitution.apply(&mut sys.arena, rhs);
    }
    for equation in &mut sys.initial_eqs {
        equation.lhs = substitution.apply(&mut sys.arena, equation.lhs);
        equation.rhs = substitution.apply(&mut sys.arena, equation.rhs);
    }
    for continuation in &mut sys.continuations {
        for side in [&mut continuation.lhs, &mut continuation.rhs, &mut continuation.path_lhs, &mut continuation.path_rhs] {
            *side = substitution.apply(&mut sys.arena, *side);
        }
    }
    for relation in &mut sys.relations {
        relation.lhs = substitution.apply(&mut sys.arena, relation.lhs);
        relation.rhs = substitution.apply(&mut sys.arena, relation.rhs);
    }
    let vars: Vec<VarId> = sys.vars.keys().collect();
    for var in vars {
        if let Some(start) = sys.vars[var].start {
            sys.vars[var].start = Some(substitution.apply(&mut sys.arena, start));
        }
    }
    let positive = |sys: &System, v: VarId| match targets.get(&v).map(|e| sys.arena.node(*e)) {
        Some(Node::Var(t)) => t,
        _ => v,
    };
    for i in 0..sys.reinits.len() {
        sys.reinits[i].state = positive(sys, sys.reinits[i].state);
        sys.reinits[i].active = positive(sys, sys.reinits[i].active);
    }
}
