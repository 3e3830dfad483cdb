//! Whether two systems have the same equations, by numbers.
//!
//! In: two scalar systems. Out: whether to each equation of one belongs one of the other that has the same residual, up to a factor, at
//! points that nobody chose. Variables that equations say are equal have equal values, so that it does not matter which of them is
//! written. Guarantee: a difference is found unless residuals agree by chance at all points. Cost: linear per point.

use crate::sha256::sha256;
use partita::base::ids::{ExprId, VarId};
use partita::equations::dae::{Equation, Role, System};
use partita::equations::expr::Node;
use partita::equations::expr::eval::eval_with;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Points at which residuals are compared.
const POINTS: u8 = 3;
/// Residuals that agree to this part are the same.
const NEAR: f64 = 1e-7;

/// A number that belongs to a text, between 0.5 and 1.5 or, but for the first point, between -1.5 and -0.5.
fn number(text: &str, point: u8) -> f64 {
    let digest = sha256(format!("{point} {text}").as_bytes());
    let size = 0.5 + f64::from(u16::from_be_bytes([digest[0], digest[1]])) / 65536.0;
    if point == 0 || digest[2].is_multiple_of(2) { size } else { -size }
}

struct Side<'s> {
    system: &'s System,
    /// The first name of those that are equal.
    first: BTreeMap<VarId, VarId>,
    /// What variables of the compiler stand for.
    meanings: BTreeMap<VarId, (ExprId, Option<(partita_runtime::base::math::Op2, ExprId)>)>,
}

impl Side<'_> {
    fn new(system: &System) -> Side<'_> {
        let mut meanings = BTreeMap::new();
        for relation in &system.relations {
            meanings.insert(relation.var, (relation.lhs, Some((relation.op, relation.rhs))));
        }
        let mut parent: BTreeMap<VarId, VarId> = BTreeMap::new();
        for equation in system.eqs.values() {
            match (system.arena.node(equation.lhs), system.arena.node(equation.rhs)) {
                (Node::Var(a), Node::Var(b)) if is_own(system, a) && is_own(system, b) => {
                    let (a, b) = (root(&parent, a), root(&parent, b));
                    let (low, high) = if system.vars[a].name <= system.vars[b].name { (a, b) } else { (b, a) };
                    if low != high {
                        parent.insert(high, low);
                    }
                }
                (Node::Var(a), _) if !is_own(system, a) => {
                    meanings.entry(a).or_insert((equation.rhs, None));
                }
                _ => {}
            }
        }
        let all: Vec<VarId> = parent.keys().copied().collect();
        let first = all.into_iter().map(|v| (v, root(&parent, v))).collect();
        Side { system, first, meanings }
    }

    fn value(&self, v: VarId, point: u8, open: &RefCell<Vec<VarId>>) -> f64 {
        if let Some((lhs, relation)) = self.meanings.get(&v)
            && !open.borrow().contains(&v)
        {
            open.borrow_mut().push(v);
            let a = self.of(*lhs, point, open);
            let value = match relation {
                Some((op, rhs)) => op.eval(a, self.of(*rhs, point, open)),
                None => a,
            };
            open.borrow_mut().pop();
            return value;
        }
        let v = self.first.get(&v).copied().unwrap_or(v);
        let variable = &self.system.vars[v];
        if let Role::Pre(of) = variable.role {
            return number(&format!("pre {}", self.system.vars[of].name), point);
        }
        let name: String = variable.name.chars().filter(|c| !(c.is_ascii_digit() && variable.name.starts_with('$'))).collect();
        number(&name, point)
    }

    fn of(&self, e: ExprId, point: u8, open: &RefCell<Vec<VarId>>) -> f64 {
        eval_with(&self.system.arena, e, &|v| self.value(v, point, open), &mut |function, arguments, output| {
            let name = self.system.functions.get(function).map_or("", |function| function.name.as_str());
            let name = name.split('@').next().unwrap_or(name).rsplit('.').next().unwrap_or(name);
            let arguments: Vec<String> = arguments.iter().map(|x| format!("{x:.9e}")).collect();
            number(&format!("{name} {output} {}", arguments.join(" ")), point)
        })
    }

    /// Residuals at all points, the first 1 where it is not zero.
    fn residuals(&self, equations: &[&Equation]) -> Vec<Vec<f64>> {
        let mut made: Vec<Vec<f64>> = Vec::new();
        for equation in equations {
            if let Node::Var(v) = self.system.arena.node(equation.lhs)
                && self.meanings.contains_key(&v)
            {
                continue;
            }
            let open = RefCell::new(Vec::new());
            let at = |point| self.of(equation.lhs, point, &open) - self.of(equation.rhs, point, &open);
            let values: Vec<f64> = (0..POINTS).map(at).collect();
            // The residual of an equality of variables is zero everywhere.
            let scale = values.iter().copied().find(|value| *value != 0.0);
            if let Some(scale) = scale {
                made.push(values.iter().map(|value| value / scale).collect());
            }
        }
        made
    }

    /// For each variable that equals another one, their common first name.
    fn equal(&self) -> BTreeMap<&str, &str> {
        self.first.iter().map(|(v, first)| (self.system.vars[*v].name.as_str(), self.system.vars[*first].name.as_str())).collect()
    }
}

fn root(parent: &BTreeMap<VarId, VarId>, v: VarId) -> VarId {
    let mut at = v;
    while let Some(next) = parent.get(&at) {
        at = *next;
    }
    at
}

/// A variable of the model, not of the compiler.
fn is_own(system: &System, v: VarId) -> bool {
    system.vars[v].made.is_none() && !system.vars[v].name.starts_with('$') && !matches!(system.vars[v].role, Role::Relation)
}

/// Whether the equations of two systems are the same ones.
pub(super) fn same_numbers(a: &System, b: &System) -> bool {
    let (left, right) = (Side::new(a), Side::new(b));
    let actions = |system: &System| (system.actions.len(), system.reinits.len(), system.delays.len(), system.samplers.len());
    if actions(a) != actions(b) || left.equal() != right.equal() {
        return false;
    }
    let of = |side: &Side<'_>, initial: bool| match initial {
        true => side.residuals(&side.system.initial_eqs.iter().collect::<Vec<_>>()),
        false => side.residuals(&side.system.eqs.values().collect::<Vec<_>>()),
    };
    [false, true].into_iter().all(|initial| {
        let (mine, mut theirs) = (of(&left, initial), of(&right, initial));
        mine.len() == theirs.len()
            && mine.iter().all(|residual| {
                let near = |other: &Vec<f64>| {
                    // Roots of negative numbers have no value at the other points; where there is none at all, nothing is known.
                    !residual[0].is_nan()
                        && residual
                            .iter()
                            .zip(other)
                            .all(|(x, y)| x == y || (x - y).abs() <= NEAR * x.abs().max(y.abs()) || (x.is_nan() && y.is_nan()))
                };
                match theirs.iter().position(near) {
                    Some(at) => {
                        theirs.swap_remove(at);
                        true
                    }
                    None => false,
                }
            })
    })
}
