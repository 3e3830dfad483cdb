//! What a component is by its equations: whether one equation of it can be replaced by another so that it is gone.
//!
//! Input: a flat model and its components. Output: for each component a [`Kind`], with the equation that is its law.
//! Method: the equations that contain variables of one component only are its own. An equation that is a sum of variables without
//! factors only names or balances; one whose variable occurs nowhere else only shows. If just one is left, that is the law.
//! Guarantee: sources, grounds, sensors, converters and composites have no law here: what is not recognised is not removed.
//! Cost: linear in the equations.

use super::components::{Components, Connector, paths_above};
use crate::frontend::flat::walk::push_summands;
use crate::frontend::flat::{BinaryOp, Builtin, Equation, EquationKind, Expr, ExprKind, FlatModel, Subscript, Value, VarId, Variability};
use partita_grammar::Span;
use rustc_hash::FxHashMap;

/// What a component is.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Two connectors of one domain whose flows add up to zero, and one law: spring, damper, resistor, conductor.
    Between {
        /// Its law.
        law: Span,
        /// Its connectors.
        ends: [usize; 2],
    },
    /// A store at a node whose law balances all its flows: mass, inertia, heat capacity, or a capacitor to ground.
    Store {
        /// Its law.
        law: Span,
    },
    /// Nothing that can be removed, and why.
    Fixed(String),
}

/// The equation as a sum of variables with signs, if it is one; derivatives count as variables.
fn plain_sum<'m>(lhs: &'m Expr, rhs: &'m Expr) -> Option<Vec<(VarId, bool)>> {
    let mut stack = vec![(lhs, true), (rhs, false)];
    let mut terms = Vec::new();
    while let Some((e, sign)) = stack.pop() {
        if push_summands(e, sign, &mut stack) {
            continue;
        }
        match &e.kind {
            ExprKind::Builtin(Builtin::Der, of) => stack.push((of.first()?, sign)),
            ExprKind::Literal(Value::Real(_) | Value::Integer(_)) => {}
            ExprKind::Var(var) => terms.push((*var, sign)),
            _ => return None,
        }
    }
    Some(terms)
}

/// Calls `f` with the variables of an equation, those inside of branches too.
fn each_variable(equation: &Equation, f: &mut dyn FnMut(VarId)) {
    let mut stack = vec![equation];
    while let Some(equation) = stack.pop() {
        match &equation.kind {
            EquationKind::Equal(a, b) => {
                a.each_variable(f);
                b.each_variable(f);
            }
            EquationKind::Tuple(outputs, call) => {
                outputs.iter().flatten().for_each(|output| output.each_variable(f));
                call.each_variable(f);
            }
            EquationKind::For(_, range, body) => {
                range.each_variable(f);
                stack.extend(body);
            }
            EquationKind::If(branches, otherwise) => {
                branches.iter().for_each(|(condition, _)| condition.each_variable(f));
                stack.extend(branches.iter().flat_map(|(_, body)| body).chain(otherwise));
            }
            EquationKind::When(branches) => {
                branches.iter().for_each(|(condition, _)| condition.each_variable(f));
                stack.extend(branches.iter().flat_map(|(_, body)| body));
            }
            EquationKind::Call(call) => call.each_variable(f),
        }
    }
}

/// Variables that relations, conditions and `when` read: what decides about events.
pub fn read_by_events(model: &FlatModel) -> Vec<VarId> {
    let mut found = Vec::new();
    let mut equations: Vec<&Equation> = model.equations.iter().collect();
    let mut expressions: Vec<&Expr> = Vec::new();
    while let Some(equation) = equations.pop() {
        match &equation.kind {
            EquationKind::Equal(a, b) => expressions.extend([a, b]),
            EquationKind::Tuple(_, call) | EquationKind::Call(call) => expressions.push(call),
            EquationKind::For(_, _, body) => equations.extend(body),
            EquationKind::If(branches, otherwise) => {
                branches.iter().for_each(|(condition, _)| condition.each_variable(&mut |var| found.push(var)));
                equations.extend(branches.iter().flat_map(|(_, body)| body).chain(otherwise));
            }
            EquationKind::When(branches) => {
                branches.iter().for_each(|(condition, _)| condition.each_variable(&mut |var| found.push(var)));
                equations.extend(branches.iter().flat_map(|(_, body)| body));
            }
        }
    }
    while let Some(e) = expressions.pop() {
        match &e.kind {
            ExprKind::Binary(
                BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual | BinaryOp::Equal | BinaryOp::NotEqual,
                a,
                b,
            ) => [a, b].into_iter().for_each(|side| side.each_variable(&mut |var| found.push(var))),
            ExprKind::Binary(_, a, b) => expressions.extend([&**a, &**b]),
            ExprKind::Unary(_, a) | ExprKind::ToReal(a) | ExprKind::Field(a, _) => expressions.push(a),
            ExprKind::If(a, b, c) => expressions.extend([&**a, &**b, &**c]),
            ExprKind::Builtin(_, es) | ExprKind::Call(_, es) | ExprKind::Array(es) | ExprKind::Record(_, es) => expressions.extend(es),
            ExprKind::Index(a, subscripts) => {
                expressions.push(a);
                expressions.extend(subscripts.iter().filter_map(|subscript| match subscript {
                    Subscript::Index(e) | Subscript::Slice(e) => Some(e),
                    Subscript::All => None,
                }));
            }
            _ => {}
        }
    }
    found
}

/// For each variable the innermost component it belongs to.
pub fn owners(model: &FlatModel, components: &Components) -> FxHashMap<VarId, usize> {
    let by_path: FxHashMap<&str, usize> =
        components.components.iter().enumerate().map(|(at, component)| (component.path.as_str(), at)).collect();
    let mut owners = FxHashMap::default();
    for (id, variable) in model.vars.iter() {
        if let Some(at) = paths_above(&variable.name).find_map(|path| by_path.get(path)) {
            owners.insert(id, *at);
        }
    }
    owners
}

/// What each component is.
pub fn kinds(model: &FlatModel, components: &Components) -> Vec<Kind> {
    let owners = owners(model, components);
    let n = components.components.len();
    let mut own: Vec<Vec<&Equation>> = vec![Vec::new(); n];
    let is_parameter = |var: VarId| matches!(model.vars[var].variability, Variability::Parameter | Variability::Constant);
    let mut occurrences: FxHashMap<VarId, usize> = FxHashMap::default();
    for equation in &model.equations {
        let (mut owner, mut mixed) = (None, false);
        let mut seen = Vec::new();
        each_variable(equation, &mut |var| {
            if is_parameter(var) {
                return;
            }
            seen.push(var);
            let of = owners.get(&var).copied();
            mixed |= of.is_none() || owner.is_some_and(|before| Some(before) != of);
            owner = owner.or(of);
        });
        seen.sort_unstable();
        seen.dedup();
        seen.into_iter().for_each(|var| *occurrences.entry(var).or_default() += 1);
        if let (Some(owner), false) = (owner, mixed) {
            own[owner].push(equation);
        }
    }
    let mut has_children = vec![false; n];
    components.components.iter().filter_map(|component| component.parent).for_each(|parent| has_children[parent] = true);
    (0..n)
        .map(|at| {
            if has_children[at] {
                return Kind::Fixed("contains other components".to_string());
            }
            kind(model, components, at, &own[at], &occurrences)
        })
        .collect()
}

fn kind(model: &FlatModel, components: &Components, at: usize, own: &[&Equation], occurrences: &FxHashMap<VarId, usize>) -> Kind {
    let ends: Vec<&Connector> = components.components[at].connectors.iter().map(|connector| &components.connectors[*connector]).collect();
    if ends.iter().any(|end| end.domain != ends[0].domain) {
        return Kind::Fixed("converts between domains".to_string());
    }
    if ends.len() > 2 {
        return Kind::Fixed(format!("has {} connectors", ends.len()));
    }
    let Some((_, flow)) = ends.first().and_then(|end| end.domain.pair()) else {
        return Kind::Fixed("its connectors have more than one flow".to_string());
    };
    let flows: Vec<String> = ends.iter().map(|end| format!("{}.{flow}", end.path)).collect();
    let is_flow = |var: VarId| flows.iter().position(|flow| *flow == model.vars[var].name);
    let is_balance = |terms: &[(VarId, bool)]| {
        terms.len() == 2 && ends.len() == 2 && terms.iter().all(|(var, _)| is_flow(*var).is_some()) && terms[0].1 == terms[1].1
    };
    let (mut balances, mut laws) = (0, Vec::new());
    for equation in own {
        let EquationKind::Equal(lhs, rhs) = &equation.kind else {
            return Kind::Fixed("has equations that are no sums of terms".to_string());
        };
        match plain_sum(lhs, rhs) {
            Some(terms) if is_balance(&terms) => balances += 1,
            // A potential or flow that is said to be a number.
            Some(terms) if terms.len() == 1 && ends.iter().any(|end| end.variables.contains(&model.vars[terms[0].0].name)) => {
                return Kind::Fixed("source or ground".to_string());
            }
            Some(_) => {}
            None => {
                let mut shows = false;
                lhs.each_variable(&mut |var| shows |= matches!(lhs.kind, ExprKind::Var(_)) && occurrences.get(&var) == Some(&1));
                if !shows {
                    laws.push(*equation);
                }
            }
        }
    }
    let [law] = laws.as_slice() else {
        let what = if laws.is_empty() { "has no law of its own: source, ground or sensor" } else { "has more than one law" };
        return Kind::Fixed(what.to_string());
    };
    let connectors = &components.components[at].connectors;
    let mut flows = 0;
    let mut stores = false;
    for equation in own {
        if let EquationKind::Equal(lhs, rhs) = &equation.kind {
            stores |= has_derivative(lhs) || has_derivative(rhs);
        }
    }
    each_variable(law, &mut |var| flows += usize::from(is_flow(var).is_some()));
    match (ends.len(), balances) {
        (2, 1) => Kind::Between { law: law.span, ends: [connectors[0], connectors[1]] },
        (n, 0) if stores && flows == n => Kind::Store { law: law.span },
        (1, _) => Kind::Fixed("source or ground".to_string()),
        _ => Kind::Fixed("is no store and nothing between two connectors".to_string()),
    }
}

fn has_derivative(e: &Expr) -> bool {
    let mut stack = vec![e];
    while let Some(e) = stack.pop() {
        match &e.kind {
            ExprKind::Builtin(Builtin::Der, _) => return true,
            ExprKind::Binary(_, a, b) => stack.extend([&**a, &**b]),
            ExprKind::Unary(_, a) | ExprKind::ToReal(a) => stack.push(a),
            ExprKind::Builtin(_, es) => stack.extend(es),
            _ => {}
        }
    }
    false
}
