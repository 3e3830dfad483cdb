//! Equations written so that those that mean the same are written the same.
//!
//! In: a scalar system. Out: the sets of variables that equations say are equal, and all other equations as sorted texts: both sides on
//! one, sums and products in order, the first coefficient 1, relations with `<`; what the compiler introduced is replaced by what it
//! stands for. Long texts are replaced by their hashes. Cost: linear in the expressions, for their texts are short or hashes.

use crate::sha256::sha256;
use partita::base::ids::{ExprId, VarId};
use partita::equations::dae::{EquationKind, Role, System, Text};
use partita::equations::expr::Node;
use partita_runtime::base::math::{Op1, Op2};
use std::collections::{BTreeMap, BTreeSet};

/// Texts beyond this length are replaced by their hashes.
const LONGEST: usize = 400;

/// What a system says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Canonical {
    /// Variables that are equal.
    pub aliases: BTreeSet<BTreeSet<String>>,
    /// All other equations.
    pub equations: BTreeMap<String, usize>,
    /// Those of the start.
    pub initial: BTreeMap<String, usize>,
    /// `assert`, `terminate`, `reinit`, `delay` …
    pub actions: BTreeMap<String, usize>,
}

/// A sum: products with their coefficients, in order. The product of nothing is the empty text.
type Sum = Vec<(String, f64)>;

/// Between the factors of a product.
const TIMES: char = '\u{1}';

struct Writer<'s> {
    system: &'s System,
    /// What variables of the compiler stand for.
    meanings: BTreeMap<VarId, Meaning>,
    sums: BTreeMap<ExprId, Sum>,
    open: BTreeSet<VarId>,
}

#[derive(Clone, Copy)]
enum Meaning {
    Is(ExprId),
    Relation(Op2, ExprId, ExprId),
    Sample(VarId, VarId),
}

/// What a system says.
pub fn canonical(system: &System) -> Canonical {
    let mut writer = Writer { system, meanings: meanings(system), sums: BTreeMap::new(), open: BTreeSet::new() };
    let mut made = Canonical::default();
    let mut equal: Vec<(String, String)> = Vec::new();
    for equation in system.eqs.values() {
        let defined = writer.variable_of(equation.lhs).filter(|v| writer.meanings.contains_key(v));
        if defined.is_some() {
            continue;
        }
        let sum = writer.residual(equation.lhs, equation.rhs);
        match writer.equal_variables(&sum) {
            Some(pair) => equal.push(pair),
            None if sum.is_empty() => {}
            None => count(&mut made.equations, text(&sum)),
        }
    }
    made.aliases = sets(&equal);
    for equation in &system.initial_eqs {
        let sum = writer.residual(equation.lhs, equation.rhs);
        if !sum.is_empty() {
            count(&mut made.initial, text(&sum));
        }
    }
    for action in &system.actions {
        let trigger = writer.of_variable(action.trigger);
        let message: String = action.message.iter().map(|piece| writer.message(piece)).collect();
        count(&mut made.actions, format!("{:?} {} {message}", action.kind, text(&trigger)));
    }
    for reinit in &system.reinits {
        let (active, value) = (writer.of_variable(reinit.active), writer.of_variable(reinit.value));
        count(&mut made.actions, format!("reinit {} {} {}", system.vars[reinit.state].name, text(&active), text(&value)));
    }
    for delay in &system.delays {
        let parts = [delay.source, delay.delay, delay.max].map(|v| text(&writer.of_variable(v)));
        count(&mut made.actions, format!("delay {}", parts.join(" ")));
    }
    made
}

fn count(into: &mut BTreeMap<String, usize>, text: String) {
    *into.entry(text).or_default() += 1;
}

/// What variables of the compiler stand for.
fn meanings(system: &System) -> BTreeMap<VarId, Meaning> {
    let mut made = BTreeMap::new();
    for relation in &system.relations {
        made.insert(relation.var, Meaning::Relation(relation.op, relation.lhs, relation.rhs));
    }
    for sampler in &system.samplers {
        made.insert(sampler.active, Meaning::Sample(sampler.start, sampler.interval));
    }
    for equation in system.eqs.values() {
        if let Node::Var(v) = system.arena.node(equation.lhs)
            && (system.vars[v].made.is_some() || matches!(equation.kind, EquationKind::Activation { .. }))
        {
            made.entry(v).or_insert(Meaning::Is(equation.rhs));
        }
    }
    for (v, variable) in &system.vars {
        if variable.made.is_some()
            && variable.role == Role::Parameter
            && let Some(value) = variable.start
        {
            made.entry(v).or_insert(Meaning::Is(value));
        }
    }
    made
}

/// Sets of what is equal to one another.
fn sets(pairs: &[(String, String)]) -> BTreeSet<BTreeSet<String>> {
    let mut set_of: BTreeMap<&str, usize> = BTreeMap::new();
    let mut sets: Vec<BTreeSet<String>> = Vec::new();
    for (a, b) in pairs {
        let of = |name: &str, set_of: &BTreeMap<&str, usize>| set_of.get(name).copied();
        let (at, moved) = match (of(a, &set_of), of(b, &set_of)) {
            (Some(x), Some(y)) if x != y => (x, std::mem::take(&mut sets[y])),
            (Some(x), _) | (None, Some(x)) => (x, BTreeSet::new()),
            (None, None) => {
                sets.push(BTreeSet::new());
                (sets.len() - 1, BTreeSet::new())
            }
        };
        for pair in pairs.iter().filter(|(p, _)| moved.contains(p)) {
            set_of.insert(&pair.0, at);
        }
        for pair in pairs.iter().filter(|(_, q)| moved.contains(q)) {
            set_of.insert(&pair.1, at);
        }
        sets[at].extend(moved);
        for name in [a, b] {
            set_of.insert(name, at);
            sets[at].insert(name.clone());
        }
    }
    sets.into_iter().filter(|set| !set.is_empty()).collect()
}

fn number(x: f64) -> String {
    // Two ways of computing a constant may differ in its last digits.
    let rounded: f64 = format!("{x:.11e}").parse().unwrap_or(x);
    format!("{rounded:?}")
}

fn text(sum: &Sum) -> String {
    if sum.is_empty() {
        return "0".to_owned();
    }
    let parts: Vec<String> = sum
        .iter()
        .map(|(product, coefficient)| match (product.as_str(), *coefficient) {
            ("", c) => number(c),
            (product, 1.0) => product.replace(TIMES, "*"),
            (product, c) => format!("{}*{}", number(c), product.replace(TIMES, "*")),
        })
        .collect();
    short(parts.join(" + "))
}

fn short(text: String) -> String {
    if text.len() <= LONGEST {
        return text;
    }
    let digest: String = sha256(text.as_bytes()).iter().take(12).map(|byte| format!("{byte:02x}")).collect();
    format!("#{digest}")
}

fn collect(terms: Vec<(String, f64)>) -> Sum {
    let mut sum: BTreeMap<String, f64> = BTreeMap::new();
    for (product, coefficient) in terms {
        *sum.entry(product).or_default() += coefficient;
    }
    sum.into_iter().filter(|(_, coefficient)| *coefficient != 0.0).collect()
}

fn constant(sum: &Sum) -> Option<f64> {
    match sum.as_slice() {
        [] => Some(0.0),
        [(product, value)] if product.is_empty() => Some(*value),
        _ => None,
    }
}

fn scaled(sum: &Sum, by: f64) -> Sum {
    collect(sum.iter().map(|(product, c)| (product.clone(), c * by)).collect())
}

fn factors(a: &str, b: &str) -> String {
    let mut all: Vec<&str> = a.split(TIMES).chain(b.split(TIMES)).filter(|f| !f.is_empty()).collect();
    all.sort_unstable();
    all.join(&TIMES.to_string())
}

/// A sum as one factor of a product, with its coefficient.
fn factor(sum: &Sum) -> (String, f64) {
    match sum.as_slice() {
        [(product, c)] => (product.clone(), *c),
        [(_, c), ..] => (format!("({})", text(&scaled(sum, 1.0 / c))), *c),
        [] => (String::new(), 0.0),
    }
}

fn product(a: &Sum, b: &Sum) -> Sum {
    if let Some(c) = constant(a) {
        return scaled(b, c);
    }
    if let Some(c) = constant(b) {
        return scaled(a, c);
    }
    let ((f, c), (g, d)) = (factor(a), factor(b));
    vec![(short_product(factors(&f, &g)), c * d)]
}

fn short_product(text: String) -> String {
    if text.len() <= LONGEST { text } else { short(text) }
}

fn quotient(a: &Sum, b: &Sum) -> Sum {
    if let Some(c) = constant(b) {
        return scaled(a, 1.0 / c);
    }
    let (below, c) = factor(b);
    let inverse: Vec<String> = below.split(TIMES).map(|f| format!("1/{f}")).collect();
    let (above, d) = factor(a);
    collect(vec![(factors(&above, &inverse.join(&TIMES.to_string())), d / c)])
}

impl Writer<'_> {
    fn variable_of(&self, e: ExprId) -> Option<VarId> {
        match self.system.arena.node(e) {
            Node::Var(v) => Some(v),
            _ => None,
        }
    }

    /// Both sides on one, the first coefficient 1.
    fn residual(&mut self, lhs: ExprId, rhs: ExprId) -> Sum {
        let (a, b) = (self.sum(lhs), self.sum(rhs));
        let all = collect(a.into_iter().chain(scaled(&b, -1.0)).collect());
        let first = all.iter().find(|(product, _)| !product.is_empty()).or(all.first()).map_or(1.0, |(_, c)| *c);
        scaled(&all, 1.0 / first)
    }

    /// Two variables whose difference is zero.
    fn equal_variables(&self, sum: &Sum) -> Option<(String, String)> {
        match sum.as_slice() {
            [(a, 1.0), (b, -1.0)] if is_name(a) && is_name(b) => Some((a.clone(), b.clone())),
            _ => None,
        }
    }

    fn sum(&mut self, e: ExprId) -> Sum {
        if let Some(known) = self.sums.get(&e) {
            return known.clone();
        }
        let made = self.made(e);
        if self.open.is_empty() {
            self.sums.insert(e, made.clone());
        }
        made
    }

    fn made(&mut self, e: ExprId) -> Sum {
        match self.system.arena.node(e) {
            Node::Const(bits) => collect(vec![(String::new(), f64::from_bits(bits))]),
            Node::Var(v) => self.of_variable(v),
            Node::Unary(Op1::Neg, a) => scaled(&self.sum(a), -1.0),
            Node::Unary(op, a) => {
                let a = self.sum(a);
                vec![(short(format!("{op:?}({})", text(&a))), 1.0)]
            }
            Node::Binary(op, a, b) => {
                let (a, b) = (self.sum(a), self.sum(b));
                self.binary(op, &a, &b)
            }
            Node::Select(c, a, b) => {
                let parts = [c, a, b].map(|part| text(&self.sum(part)));
                vec![(short(format!("if({})", parts.join("; "))), 1.0)]
            }
            Node::Arg(a, rest) => {
                let mut all = text(&self.sum(a));
                if let Some(rest) = rest {
                    all = format!("{all}, {}", text(&self.sum(rest)));
                }
                vec![(short(all), 1.0)]
            }
            Node::Call(function, args, output) => {
                let args = args.map_or(String::new(), |args| text(&self.sum(args)));
                let name = last_name(self.system.functions.get(function).map_or("", |function| function.name.as_str()));
                vec![(short(format!("{name}.{output}({args})")), 1.0)]
            }
        }
    }

    fn binary(&mut self, op: Op2, a: &Sum, b: &Sum) -> Sum {
        match op {
            Op2::Add => collect(a.iter().chain(b).cloned().collect()),
            Op2::Sub => collect(a.iter().cloned().chain(scaled(b, -1.0)).collect()),
            Op2::Mul => product(a, b),
            Op2::Div => quotient(a, b),
            Op2::Gt => self.binary(Op2::Lt, b, a),
            Op2::Ge => self.binary(Op2::Le, b, a),
            Op2::And | Op2::Or | Op2::Eq | Op2::Ne | Op2::Min | Op2::Max => {
                let mut parts = [text(a), text(b)];
                parts.sort();
                vec![(short(format!("{op:?}({})", parts.join("; "))), 1.0)]
            }
            _ => vec![(short(format!("{op:?}({}; {})", text(a), text(b))), 1.0)],
        }
    }

    fn of_variable(&mut self, v: VarId) -> Sum {
        let Some(meaning) = self.meanings.get(&v).copied().filter(|_| !self.open.contains(&v)) else {
            return vec![(self.name(v), 1.0)];
        };
        self.open.insert(v);
        let made = match meaning {
            Meaning::Is(e) => self.sum(e),
            Meaning::Relation(op, a, b) => {
                let (a, b) = (self.sum(a), self.sum(b));
                self.binary(op, &a, &b)
            }
            Meaning::Sample(start, interval) => {
                let (start, interval) = (self.of_variable(start), self.of_variable(interval));
                vec![(format!("sample({}; {})", text(&start), text(&interval)), 1.0)]
            }
        };
        self.open.remove(&v);
        made
    }

    fn name(&mut self, v: VarId) -> String {
        let variable = &self.system.vars[v];
        if let Role::Pre(of) = variable.role
            && self.meanings.contains_key(&of)
        {
            return format!("pre({})", text(&self.of_variable(of)));
        }
        // What the compiler counts has other numbers in the other model.
        if variable.name.starts_with('$') {
            return variable.name.chars().filter(|c| !c.is_ascii_digit()).collect();
        }
        variable.name.clone()
    }

    fn message(&mut self, piece: &Text) -> String {
        match piece {
            Text::Literal(words) => words.clone(),
            Text::Value(v, _) => format!("<{}>", text(&self.of_variable(*v))),
            Text::Either(v, a, b) => {
                let list = |writer: &mut Self, list: &[Text]| list.iter().map(|piece| writer.message(piece)).collect::<String>();
                let (a, b) = (list(self, a), list(self, b));
                format!("<{}: {a}|{b}>", text(&self.of_variable(*v)))
            }
        }
    }
}

/// The name of a function without the class it is in, and without what tells it from others of its name: tools choose these.
fn last_name(name: &str) -> &str {
    let name = name.split('@').next().unwrap_or(name);
    name.rsplit('.').next().unwrap_or(name)
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && !text.contains([TIMES, '(', '/', ';', '#'])
}
