//! Exact derivatives along a direction: with respect to time, one variable, or any tangent.
//!
//! Input: an expression and the tangent of each variable. Output: the directional derivative, `None` where it is zero by
//! structure. Method: forward differentiation of each node once, memoised, through the simplifying builders; iterative.
//! Conditions, relations and roundings are piecewise constant: their derivative is zero and their operands are not
//! visited. Rules and kinks are those of `rules`. Cost: linear in the nodes reached.

use super::rules::{self, Arithmetic, Dual, Lazy, is_smooth1, is_smooth2};
use super::{Arena, Node, next_in_post_order};
use crate::base::ids::{ExprId, FnId, VarId};
use partita_runtime::base::math::{Op1, Op2};
use rustc_hash::FxHashMap;
use std::fmt;

/// Why an expression has no derivative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeriveError {
    /// The function that cannot be differentiated.
    pub function: FnId,
    /// Which of its outputs.
    pub output: u32,
    /// What is missing, for the message.
    pub reason: String,
}

impl fmt::Display for DeriveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "output {} of {} cannot be differentiated: {}", self.output + 1, self.function, self.reason)
    }
}

impl std::error::Error for DeriveError {}

/// The tangent of a variable; `None` is zero.
pub type Tangent<'a> = dyn FnMut(&mut Arena, VarId) -> Option<ExprId> + 'a;

/// The derivative of a call's output, from its arguments and their derivatives (`None` is zero; at least one is not).
pub type CallDerivative<'a> = dyn FnMut(&mut Arena, FnId, &[ExprId], &[Option<ExprId>], u32) -> Result<ExprId, DeriveError> + 'a;

/// The derivative of one expression; `None` is zero. For many expressions use [`Derivatives`].
pub fn derive(
    arena: &mut Arena,
    expr: ExprId,
    tangent: &mut Tangent<'_>,
    call: &mut CallDerivative<'_>,
) -> Result<Option<ExprId>, DeriveError> {
    Derivatives::new().derive(arena, expr, tangent, call)
}

/// The partial derivative with respect to one variable. A call that depends on the variable is an error.
pub fn partial(arena: &mut Arena, expr: ExprId, var: VarId) -> Result<ExprId, DeriveError> {
    let derivative = derive(arena, expr, &mut |arena, v| (v == var).then(|| arena.one()), &mut |_, function, _, _, output| {
        Err(DeriveError { function, output, reason: "its partial derivatives are not known".into() })
    })?;
    Ok(derivative.unwrap_or_else(|| arena.zero()))
}

/// The derivatives of many expressions along one direction; what they share is differentiated once.
/// All calls of one value must use the same tangents.
#[derive(Clone, Debug, Default)]
pub struct Derivatives {
    memo: FxHashMap<ExprId, Option<ExprId>>,
}

impl Derivatives {
    /// Nothing differentiated yet.
    pub fn new() -> Derivatives {
        Derivatives::default()
    }

    /// The derivative of an expression; `None` is zero. Cost: linear in the nodes not seen by an earlier call.
    pub fn derive(
        &mut self,
        arena: &mut Arena,
        expr: ExprId,
        tangent: &mut Tangent<'_>,
        call: &mut CallDerivative<'_>,
    ) -> Result<Option<ExprId>, DeriveError> {
        let memo = &mut self.memo;
        let mut stack = vec![expr];
        loop {
            let push = |expr, open: &mut Vec<ExprId>| open.extend(differentiated_operands(arena.node(expr)).into_iter().flatten());
            let Some(top) = next_in_post_order(&mut stack, |expr| memo.contains_key(&expr), push) else { break };
            let node = arena.node(top);
            let derivative = match node {
                Node::Const(_) => None,
                Node::Var(var) => tangent(arena, var),
                Node::Unary(op, a) => memo.get(&a).copied().flatten().and_then(|da| rules::unary(arena, op, &|_| a, &|_| top, da)),
                Node::Binary(op, a, b) => {
                    let (da, db) = (memo.get(&a).copied().flatten(), memo.get(&b).copied().flatten());
                    binary(arena, op, top, (a, da), (b, db))
                }
                Node::Select(c, a, b) => match (memo[&a], memo[&b]) {
                    (None, None) => None,
                    (da, db) => {
                        let (da, db) = (rules::or_zero(arena, da), rules::or_zero(arena, db));
                        Some(arena.select(c, da, db))
                    }
                },
                // Of a list, only whether all items are constant is of interest: its derivative stands for "some are not".
                Node::Arg(a, rest) => memo[&a].or_else(|| rest.and_then(|rest| memo[&rest])),
                Node::Call(function, list, output) => match list.and_then(|list| memo[&list]) {
                    None => None,
                    Some(_) => {
                        let args: Vec<ExprId> = arena.arg_list(list).collect();
                        let dargs: Vec<Option<ExprId>> = args.iter().map(|arg| memo[arg]).collect();
                        Some(call(arena, function, &args, &dargs, output)?)
                    }
                },
            };
            memo.insert(top, derivative.filter(|d| !arena.is_zero(*d)));
        }
        Ok(memo[&expr])
    }
}

/// The operands whose derivatives the node's derivative is made of.
fn differentiated_operands(node: Node) -> [Option<ExprId>; 2] {
    match node {
        Node::Const(_) | Node::Var(_) => [None, None],
        Node::Unary(op, a) => [is_smooth1(op).then_some(a), None],
        Node::Binary(op, a, b) => {
            let is_smooth = is_smooth2(op);
            [is_smooth.then_some(a), is_smooth.then_some(b)]
        }
        Node::Select(_, a, b) => [Some(a), Some(b)],
        Node::Arg(a, rest) => [Some(a), rest],
        Node::Call(_, list, _) => [list, None],
    }
}

impl Arithmetic for Arena {
    type Value = ExprId;
    const LOOKS_AT_TANGENTS: bool = false;

    fn constant(&mut self, value: f64) -> ExprId {
        Arena::constant(self, value)
    }

    fn unary(&mut self, op: Op1, a: ExprId) -> ExprId {
        Arena::unary(self, op, a)
    }

    fn binary(&mut self, op: Op2, a: ExprId, b: ExprId) -> ExprId {
        Arena::binary(self, op, a, b)
    }

    fn select(&mut self, c: ExprId, a: ExprId, b: ExprId) -> ExprId {
        Arena::select(self, c, a, b)
    }

    fn are_same(&mut self, a: Lazy<'_, Arena>, b: Lazy<'_, Arena>) -> bool {
        a(self) == b(self)
    }
}

/// The derivative of `y = a op b` by the table of rules.
fn binary(arena: &mut Arena, op: Op2, y: ExprId, (a, da): (ExprId, Option<ExprId>), (b, db): (ExprId, Option<ExprId>)) -> Option<ExprId> {
    let left = Dual { value: &|_: &mut Arena| a, tangent: da };
    let right = Dual { value: &|_: &mut Arena| b, tangent: db };
    let exponent = arena.as_constant(b);
    rules::binary(arena, op, &left, &right, &|_| y, exponent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::equations::expr::eval::eval;
    use crate::equations::expr::print::print;
    use crate::equations::expr::testing::{Random, grow};
    use cranelift_entity::EntityRef;

    fn text(arena: &Arena, expr: ExprId) -> String {
        print(arena, expr, &|v| ["x", "y", "z"][v.index()].into(), &|f| format!("f{}", f.index()))
    }

    fn no_calls(_: &mut Arena, function: FnId, _: &[ExprId], _: &[Option<ExprId>], output: u32) -> Result<ExprId, DeriveError> {
        Err(DeriveError { function, output, reason: "no derivative".into() })
    }

    #[test]
    fn simplified_forms() {
        let mut e = Arena::default();
        let (x, y) = (e.var(VarId::new(0)), e.var(VarId::new(1)));
        let (three, half) = (e.constant(3.0), e.constant(0.5));
        let condition = e.lt(y, x);
        let product = e.mul(x, y);
        let cases = [
            (e.pow(x, three), "3*(x*x)"),
            (e.pow(x, half), "0.5*x^(-0.5)"),
            (e.mul(x, x), "2*x"),
            (product, "y"),
            (e.div(y, x), "-y/x/x"),
            (e.div(x, y), "1/y"),
            (e.unary(Op1::Sqrt, product), "y/(2*sqrt(x*y))"),
            (e.unary(Op1::Abs, x), "if x < 0 then -1 else 1"),
            (e.max(x, y), "if x > y then 1 else 0"),
            (e.select(condition, product, y), "if y < x then y else 0"),
            (e.unary(Op1::Floor, x), "0"),
            (condition, "0"),
            (y, "0"),
        ];
        for (expr, expected) in cases {
            let derivative = partial(&mut e, expr, VarId::new(0)).unwrap();
            assert_eq!(text(&e, derivative), expected, "derivative of {}", text(&e, expr));
        }
    }

    #[test]
    fn calls() {
        let mut e = Arena::default();
        let (x, y) = (e.var(VarId::new(0)), e.var(VarId::new(1)));
        let f = e.call(FnId::new(0), &[x, y], 0);
        let constant = e.call(FnId::new(1), &[y], 0);
        let sum = e.add(f, constant);
        assert_eq!(partial(&mut e, sum, VarId::new(0)).unwrap_err().function, FnId::new(0));
        assert_eq!(partial(&mut e, constant, VarId::new(0)), Ok(e.zero()));
        let derivative = derive(&mut e, sum, &mut |e, v| (v.index() == 0).then(|| e.one()), &mut |e, function, args, dargs, output| {
            assert_eq!((function, args, output), (FnId::new(0), &[x, y][..], 0));
            assert_eq!(dargs, [Some(e.one()), None]);
            Ok(e.call(FnId::new(2), args, 0))
        });
        assert_eq!(text(&e, derivative.unwrap().unwrap()), "f2(x, y)");
    }

    /// Against differences of fourth order, in a random direction at random points.
    #[test]
    fn differences() {
        let mut random = Random::new(11);
        let (mut compared, mut singular) = (0, 0);
        for case in 0..6000 {
            let mut e = Arena::default();
            let (plain, simplified) = grow(&mut e, &mut random, 6);
            let expr = if case % 2 == 0 { plain } else { simplified };
            let point: Vec<f64> = (0..4).map(|_| random.value()).collect();
            let direction: Vec<f64> = (0..4).map(|_| random.value()).collect();
            let at = |h: f64| eval(&e, expr, &|v| point[v.index()] + h * direction[v.index()]);
            let step = 1e-3;
            let difference = |h: f64| (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h);
            let (coarse, fine) = (difference(step), difference(0.5 * step));
            // Near a kink, a jump or a pole the differences do not agree with themselves.
            let scale = 1.0 + fine.abs().max(at(0.0).abs());
            let faultless = (0..e.len()).all(|i| eval(&e, ExprId::new(i), &|v| point[v.index()]).is_finite());
            let smooth = faultless && (coarse - fine).abs() < 1e-7 * scale;
            let derivative = derive(&mut e, expr, &mut |e, v| Some(e.constant(direction[v.index()])), &mut no_calls).unwrap();
            if smooth {
                let exact = derivative.map_or(0.0, |d| eval(&e, d, &|v| point[v.index()]));
                // At sqrt(0) and its like there is no derivative, though along this direction the differences agree.
                if !exact.is_finite() {
                    singular += 1;
                    continue;
                }
                assert!((exact - fine).abs() < 1e-5 * scale, "case {case}: {} gives {exact}, not {fine}", text_of(&e, expr));
                compared += 1;
            }
        }
        assert!(compared > 2000 && singular < 20, "{compared} cases were smooth, {singular} singular");
    }

    fn text_of(arena: &Arena, expr: ExprId) -> String {
        print(arena, expr, &|v| v.to_string(), &|f| f.to_string())
    }

    #[test]
    fn each_operation() {
        let mut random = Random::new(5);
        let unary = Op1::ALL.iter().filter(|op| **op != Op1::Not);
        let binary = &Op2::ALL[..8];
        let mut e = Arena::default();
        let (x, y) = (e.var(VarId::new(0)), e.var(VarId::new(1)));
        let mut all: Vec<ExprId> = unary.map(|op| e.unary(*op, x)).collect();
        all.extend(binary.iter().map(|op| e.binary(*op, x, y)));
        for expr in all {
            for _ in 0..20 {
                let point = [0.05 + 0.9 * random.unit(), 0.05 + 0.9 * random.unit()];
                for var in 0..2 {
                    let at = |h: f64| eval(&e, expr, &|v| point[v.index()] + if v.index() == var { h } else { 0.0 });
                    let h = 1e-5;
                    let difference = (at(h) - at(-h)) / (2.0 * h);
                    let derivative = partial(&mut e, expr, VarId::new(var)).unwrap();
                    let exact = eval(&e, derivative, &|v| point[v.index()]);
                    if (point[0] - point[1]).abs() > 3.0 * h {
                        assert!((exact - difference).abs() < 1e-6 * (1.0 + exact.abs()), "{}: {exact} {difference}", text(&e, expr));
                    }
                }
            }
        }
    }

    #[test]
    fn deep_and_shared() {
        let mut e = Arena::default();
        let (x, y) = (e.var(VarId::new(0)), e.var(VarId::new(1)));
        let deep = (0..200_000).fold(x, |inner, _| {
            let product = e.mul(y, inner);
            e.add(product, x)
        });
        partial(&mut e, deep, VarId::new(0)).unwrap();
        let before = e.len();
        let shared = (0..1000).fold(x, |inner, _| {
            let sine = e.unary(Op1::Sin, inner);
            e.mul(sine, inner)
        });
        partial(&mut e, shared, VarId::new(0)).unwrap();
        assert!(e.len() - before < 20_000, "shared subexpressions are differentiated once");
    }

    #[test]
    fn many_expressions_share_work() {
        let mut e = Arena::default();
        let x = e.var(VarId::new(0));
        let sine = e.unary(Op1::Sin, x);
        let (mut asked, mut derivatives) = (0, Derivatives::new());
        for i in 0..10 {
            let constant = e.constant(f64::from(i));
            let expr = e.mul(constant, sine);
            let d = derivatives
                .derive(
                    &mut e,
                    expr,
                    &mut |e, _| {
                        asked += 1;
                        Some(e.one())
                    },
                    &mut no_calls,
                )
                .unwrap();
            assert_eq!(d.is_none(), i == 0);
        }
        assert_eq!(asked, 1);
    }
}
