//! Builders that simplify while they build.
//!
//! Input: operands in the arena. Output: an expression with the same value. Method: constants are folded through
//! `runtime::math`, so a folded value has the bits the running model would compute, and local identities are applied that
//! change no result for finite operands (at most the sign of a zero). Nothing is reassociated, so rounding is untouched.
//!
//! Guarantees: `a + b` and `b + a` are one expression, likewise for `*`, `and`, `or`, `==`, `<>`; a sign is moved
//! outwards and absorbed by the next sum. A literal `0*x` and `0/x` are 0; a parameter that can be set is a variable and
//! never folds. A constant operation without a finite result (`1/0`, `sqrt(-1)`) stays an operation, so that the
//! fault appears where and when it is evaluated. Cost: constant per builder.

use super::{Arena, Node};
use crate::base::ids::{ExprId, FnId};
use partita_runtime::base::math::{Op1, Op2};

/// Where a literal operand of a commutative operation is placed.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Literal {
    First,
    Last,
}

impl Arena {
    /// The expression of a node, simplified by the builder of its kind.
    pub fn simplified(&mut self, node: Node) -> ExprId {
        match node {
            Node::Const(_) | Node::Var(_) | Node::Arg(..) | Node::Call(..) => self.intern(node),
            Node::Unary(op, a) => self.unary(op, a),
            Node::Binary(op, a, b) => self.binary(op, a, b),
            Node::Select(c, a, b) => self.select(c, a, b),
        }
    }

    /// The number 0.
    pub fn zero(&mut self) -> ExprId {
        self.constant(0.0)
    }

    /// The number 1.
    pub fn one(&mut self) -> ExprId {
        self.constant(1.0)
    }

    /// The literal zero, of either sign.
    pub fn is_zero(&self, expr: ExprId) -> bool {
        self.as_constant(expr) == Some(0.0)
    }

    /// The literal one.
    pub fn is_one(&self, expr: ExprId) -> bool {
        self.as_constant(expr) == Some(1.0)
    }

    /// `op(a)`.
    pub fn unary(&mut self, op: Op1, a: ExprId) -> ExprId {
        match op {
            Op1::Neg => return self.neg(a),
            Op1::Not => return self.not(a),
            _ => {}
        }
        if let Some(folded) = self.fold_unary(op, a) {
            return folded;
        }
        let operand = self.node(a);
        match (op, operand) {
            (Op1::Abs, Node::Unary(Op1::Neg, inner)) => self.intern(Node::Unary(Op1::Abs, inner)),
            (Op1::Abs, Node::Unary(Op1::Abs, _)) => a,
            // A whole number is its own rounding.
            (Op1::Floor | Op1::Ceil | Op1::Trunc, Node::Unary(Op1::Floor | Op1::Ceil | Op1::Trunc, _)) => a,
            _ => self.intern(Node::Unary(op, a)),
        }
    }

    /// `a op b`.
    pub fn binary(&mut self, op: Op2, a: ExprId, b: ExprId) -> ExprId {
        match op {
            Op2::Add => self.add(a, b),
            Op2::Sub => self.sub(a, b),
            Op2::Mul => self.mul(a, b),
            Op2::Div => self.div(a, b),
            Op2::Pow => self.pow(a, b),
            Op2::Atan2 => self.atan2(a, b),
            Op2::Min => self.min(a, b),
            Op2::Max => self.max(a, b),
            Op2::And => self.and(a, b),
            Op2::Or => self.or(a, b),
            Op2::Lt | Op2::Le | Op2::Gt | Op2::Ge | Op2::Eq | Op2::Ne => self.relation(op, a, b),
        }
    }

    /// `-a`.
    pub fn neg(&mut self, a: ExprId) -> ExprId {
        match self.node(a) {
            Node::Const(bits) => self.constant(-f64::from_bits(bits)),
            Node::Unary(Op1::Neg, inner) => inner,
            Node::Binary(Op2::Sub, x, y) => self.sub(y, x),
            Node::Binary(op @ (Op2::Mul | Op2::Div), factor, x) if self.as_constant(factor).is_some() => {
                let factor = self.neg(factor);
                self.intern(Node::Binary(op, factor, x))
            }
            _ => self.intern(Node::Unary(Op1::Neg, a)),
        }
    }

    /// `a + b`.
    pub fn add(&mut self, a: ExprId, b: ExprId) -> ExprId {
        if let Some(folded) = self.fold_binary(Op2::Add, a, b) {
            return folded;
        }
        if self.is_zero(a) {
            return b;
        }
        if self.is_zero(b) {
            return a;
        }
        if a == b {
            let two = self.constant(2.0);
            return self.mul(two, a);
        }
        let (minus_a, plain_a) = self.without_sign(a);
        let (minus_b, plain_b) = self.without_sign(b);
        match (minus_a, minus_b) {
            (false, false) => self.commutative(Op2::Add, plain_a, plain_b, Literal::Last),
            (false, true) => self.difference(plain_a, plain_b),
            (true, false) => self.difference(plain_b, plain_a),
            // A sign inside a literal costs nothing where it is.
            (true, true) if !self.is_negation(a) => self.difference(a, plain_b),
            (true, true) if !self.is_negation(b) => self.difference(b, plain_a),
            (true, true) => {
                let sum = self.commutative(Op2::Add, plain_a, plain_b, Literal::Last);
                self.intern(Node::Unary(Op1::Neg, sum))
            }
        }
    }

    /// `a - b`.
    pub fn sub(&mut self, a: ExprId, b: ExprId) -> ExprId {
        if let Some(folded) = self.fold_binary(Op2::Sub, a, b) {
            return folded;
        }
        if self.is_zero(b) {
            return a;
        }
        if self.is_zero(a) {
            return self.neg(b);
        }
        if a == b {
            return self.zero();
        }
        let (minus_a, plain_a) = self.without_sign(a);
        let (minus_b, plain_b) = self.without_sign(b);
        match (minus_a, minus_b) {
            (false, false) => self.difference(plain_a, plain_b),
            (false, true) => self.plain_sum(plain_a, plain_b),
            (true, true) => self.difference(plain_b, plain_a),
            (true, false) if !self.is_negation(a) => self.difference(a, plain_b),
            (true, false) => {
                let sum = self.plain_sum(plain_a, plain_b);
                self.neg(sum)
            }
        }
    }

    /// `a * b`.
    pub fn mul(&mut self, a: ExprId, b: ExprId) -> ExprId {
        if let Some(folded) = self.fold_binary(Op2::Mul, a, b) {
            return folded;
        }
        for (factor, other) in [(a, b), (b, a)] {
            match self.as_constant(factor) {
                Some(0.0) => return self.zero(),
                Some(1.0) => return other,
                Some(-1.0) => return self.neg(other),
                _ => {}
            }
        }
        let (minus_a, a) = self.without_negation(a);
        let (minus_b, b) = self.without_negation(b);
        let product = self.commutative(Op2::Mul, a, b, Literal::First);
        if minus_a == minus_b { product } else { self.neg(product) }
    }

    /// `a / b`. A division by a literal stays a division, because its reciprocal would round.
    pub fn div(&mut self, a: ExprId, b: ExprId) -> ExprId {
        if let Some(folded) = self.fold_binary(Op2::Div, a, b) {
            return folded;
        }
        match self.as_constant(b) {
            Some(0.0) => return self.intern(Node::Binary(Op2::Div, a, b)),
            Some(1.0) => return a,
            Some(-1.0) => return self.neg(a),
            _ => {}
        }
        if self.is_zero(a) {
            return self.zero();
        }
        let (minus_a, a) = self.without_negation(a);
        let (minus_b, mut b) = self.without_negation(b);
        let mut negative = minus_a != minus_b;
        if negative && self.as_constant(b).is_some() {
            b = self.neg(b);
            negative = false;
        }
        let quotient = self.intern(Node::Binary(Op2::Div, a, b));
        if negative { self.neg(quotient) } else { quotient }
    }

    /// `a ^ b`.
    pub fn pow(&mut self, a: ExprId, b: ExprId) -> ExprId {
        if let Some(folded) = self.fold_binary(Op2::Pow, a, b) {
            return folded;
        }
        match self.as_constant(b) {
            Some(0.0) => return self.one(),
            Some(1.0) => return a,
            Some(2.0) => return self.mul(a, a),
            _ => {}
        }
        if self.is_one(a) {
            return a;
        }
        self.intern(Node::Binary(Op2::Pow, a, b))
    }

    /// `atan2(a, b)`.
    pub fn atan2(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.fold_binary(Op2::Atan2, a, b).unwrap_or_else(|| self.intern(Node::Binary(Op2::Atan2, a, b)))
    }

    /// `min(a, b)`.
    pub fn min(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.extremum(Op2::Min, a, b)
    }

    /// `max(a, b)`.
    pub fn max(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.extremum(Op2::Max, a, b)
    }

    /// `a < b`.
    pub fn lt(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.relation(Op2::Lt, a, b)
    }

    /// `a <= b`.
    pub fn le(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.relation(Op2::Le, a, b)
    }

    /// `a > b`.
    pub fn gt(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.relation(Op2::Gt, a, b)
    }

    /// `a >= b`.
    pub fn ge(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.relation(Op2::Ge, a, b)
    }

    /// `a == b`.
    pub fn eq(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.relation(Op2::Eq, a, b)
    }

    /// `a <> b`.
    pub fn ne(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.relation(Op2::Ne, a, b)
    }

    /// `not a`. The negation of an ordering is kept, because both it and its opposite are false for a NaN.
    pub fn not(&mut self, a: ExprId) -> ExprId {
        match self.node(a) {
            Node::Const(bits) => self.constant(Op1::Not.eval(f64::from_bits(bits))),
            Node::Unary(Op1::Not, inner) => inner,
            Node::Binary(Op2::Eq, x, y) => self.intern(Node::Binary(Op2::Ne, x, y)),
            Node::Binary(Op2::Ne, x, y) => self.intern(Node::Binary(Op2::Eq, x, y)),
            _ => self.intern(Node::Unary(Op1::Not, a)),
        }
    }

    /// `a and b`.
    pub fn and(&mut self, a: ExprId, b: ExprId) -> ExprId {
        if let Some(folded) = self.fold_binary(Op2::And, a, b) {
            return folded;
        }
        match (self.as_constant(a), self.as_constant(b)) {
            (Some(0.0), _) | (_, Some(0.0)) => self.zero(),
            (Some(_), _) => b,
            (_, Some(_)) => a,
            _ if a == b => a,
            _ => self.commutative(Op2::And, a, b, Literal::Last),
        }
    }

    /// `a or b`.
    pub fn or(&mut self, a: ExprId, b: ExprId) -> ExprId {
        if let Some(folded) = self.fold_binary(Op2::Or, a, b) {
            return folded;
        }
        match (self.as_constant(a), self.as_constant(b)) {
            (Some(0.0), _) => b,
            (_, Some(0.0)) => a,
            (Some(_), _) | (_, Some(_)) => self.one(),
            _ if a == b => a,
            _ => self.commutative(Op2::Or, a, b, Literal::Last),
        }
    }

    /// `if c then a else b`.
    pub fn select(&mut self, c: ExprId, a: ExprId, b: ExprId) -> ExprId {
        if let Some(value) = self.as_constant(c) {
            return if value != 0.0 { a } else { b };
        }
        let (c, mut a, mut b) = match self.node(c) {
            Node::Unary(Op1::Not, inner) => (inner, b, a),
            _ => (c, a, b),
        };
        // The same condition asked again is already decided.
        while let Node::Select(inner, then, _) = self.node(a)
            && inner == c
        {
            a = then;
        }
        while let Node::Select(inner, _, other) = self.node(b)
            && inner == c
        {
            b = other;
        }
        if a == b { a } else { self.intern(Node::Select(c, a, b)) }
    }

    /// Output number `output` of a call.
    pub fn call(&mut self, function: FnId, args: &[ExprId], output: u32) -> ExprId {
        let args = self.args(args);
        self.intern(Node::Call(function, args, output))
    }

    fn relation(&mut self, op: Op2, a: ExprId, b: ExprId) -> ExprId {
        if let Some(folded) = self.fold_binary(op, a, b) {
            return folded;
        }
        match op {
            // False even for a NaN; the other relations of equal operands depend on it.
            Op2::Lt | Op2::Gt if a == b => self.zero(),
            Op2::Eq | Op2::Ne => self.commutative(op, a, b, Literal::Last),
            _ => self.intern(Node::Binary(op, a, b)),
        }
    }

    fn extremum(&mut self, op: Op2, a: ExprId, b: ExprId) -> ExprId {
        if let Some(folded) = self.fold_binary(op, a, b) {
            return folded;
        }
        if a == b { a } else { self.intern(Node::Binary(op, a, b)) }
    }

    /// `a - b` of operands that carry no sign to absorb.
    fn difference(&mut self, a: ExprId, b: ExprId) -> ExprId {
        if a == b { self.zero() } else { self.intern(Node::Binary(Op2::Sub, a, b)) }
    }

    /// `a + b` of operands that carry no sign to absorb.
    fn plain_sum(&mut self, a: ExprId, b: ExprId) -> ExprId {
        if a == b {
            let two = self.constant(2.0);
            self.mul(two, a)
        } else {
            self.commutative(Op2::Add, a, b, Literal::Last)
        }
    }

    fn commutative(&mut self, op: Op2, a: ExprId, b: ExprId, literal: Literal) -> ExprId {
        let swap = match (self.as_constant(a).is_some(), self.as_constant(b).is_some()) {
            (true, false) => literal == Literal::Last,
            (false, true) => literal == Literal::First,
            _ => b < a,
        };
        let (a, b) = if swap { (b, a) } else { (a, b) };
        self.intern(Node::Binary(op, a, b))
    }

    fn is_negation(&self, expr: ExprId) -> bool {
        matches!(self.node(expr), Node::Unary(Op1::Neg, _))
    }

    /// Strips `-` operators: whether their number is odd, and what is beneath.
    fn without_negation(&self, mut expr: ExprId) -> (bool, ExprId) {
        let mut negative = false;
        while let Node::Unary(Op1::Neg, inner) = self.node(expr) {
            negative = !negative;
            expr = inner;
        }
        (negative, expr)
    }

    /// Strips the sign that a sum could absorb: of a negation, a literal, or a literal factor or numerator.
    fn without_sign(&mut self, expr: ExprId) -> (bool, ExprId) {
        let (negative, plain) = self.without_negation(expr);
        let carries_minus = match self.node(plain) {
            Node::Const(bits) => f64::from_bits(bits) < 0.0,
            Node::Binary(Op2::Mul | Op2::Div, factor, _) => self.as_constant(factor).is_some_and(|f| f < 0.0),
            _ => false,
        };
        if carries_minus { (!negative, self.neg(plain)) } else { (negative, plain) }
    }

    fn fold_unary(&mut self, op: Op1, a: ExprId) -> Option<ExprId> {
        let a = self.as_constant(a)?;
        let value = op.eval(a);
        (value.is_finite() || !a.is_finite()).then(|| self.constant(value))
    }

    fn fold_binary(&mut self, op: Op2, a: ExprId, b: ExprId) -> Option<ExprId> {
        let (a, b) = (self.as_constant(a)?, self.as_constant(b)?);
        // What is decided by something that is not a number is an error of the run.
        if (a.is_nan() || b.is_nan()) && (op.is_relation() || matches!(op, Op2::Min | Op2::Max)) {
            return None;
        }
        let value = op.eval(a, b);
        (value.is_finite() || !a.is_finite() || !b.is_finite()).then(|| self.constant(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ids::VarId;
    use crate::equations::expr::eval::eval;
    use crate::equations::expr::testing::{Random, grow};
    use cranelift_entity::EntityRef;

    fn setup() -> (Arena, ExprId, ExprId) {
        let mut arena = Arena::default();
        let x = arena.var(VarId::new(0));
        let y = arena.var(VarId::new(1));
        (arena, x, y)
    }

    #[test]
    fn identities() {
        let (mut e, x, y) = setup();
        let (zero, one, two) = (e.zero(), e.one(), e.constant(2.0));
        let minus_zero = e.constant(-0.0);
        let minus_one = e.constant(-1.0);
        let minus_two = e.constant(-2.0);
        let (nx, ny) = (e.neg(x), e.neg(y));
        assert_eq!(e.add(x, zero), x);
        assert_eq!(e.add(minus_zero, x), x);
        assert_eq!(e.sub(x, zero), x);
        assert_eq!(e.sub(zero, x), nx);
        assert_eq!(e.mul(one, x), x);
        assert_eq!(e.mul(x, minus_one), nx);
        assert_eq!(e.mul(x, zero), zero);
        assert_eq!(e.div(zero, x), zero);
        assert_eq!(e.div(x, one), x);
        assert_eq!(e.neg(nx), x);
        assert_eq!(e.add(x, y), e.add(y, x));
        assert_eq!(e.mul(x, y), e.mul(y, x));
        assert_eq!(e.add(x, ny), e.sub(x, y));
        assert_eq!(e.add(nx, y), e.sub(y, x));
        assert_eq!(e.sub(x, ny), e.add(x, y));
        assert_eq!(e.sub(nx, ny), e.sub(y, x));
        let sum = e.add(x, y);
        assert_eq!(e.sub(nx, y), e.neg(sum));
        let product = e.mul(x, y);
        assert_eq!(e.mul(nx, y), e.neg(product));
        assert_eq!(e.mul(nx, ny), product);
        let double = e.mul(two, y);
        assert_eq!(e.mul(two, ny), e.mul(minus_two, y));
        let minus_double = e.mul(minus_two, y);
        assert_eq!(e.neg(double), minus_double);
        assert_eq!(e.add(x, minus_double), e.sub(x, double));
        assert_eq!(e.sub(x, minus_double), e.add(x, double));
        assert_eq!(e.pow(x, one), x);
        assert_eq!(e.pow(x, two), e.mul(x, x));
        assert_eq!(e.sub(x, x), zero);
        assert_eq!(e.add(y, y), double);
        assert_eq!(e.min(x, x), x);
    }

    #[test]
    fn conditions() {
        let (mut e, x, y) = setup();
        let (no, yes) = (e.zero(), e.one());
        let c = e.lt(x, y);
        let not_c = e.not(c);
        assert_eq!(e.not(not_c), c);
        assert_ne!(not_c, e.ge(x, y), "not (x < y) differs from x >= y for a NaN");
        assert_eq!(e.and(c, yes), c);
        assert_eq!(e.and(no, c), no);
        assert_eq!(e.or(c, yes), yes);
        assert_eq!(e.or(no, c), c);
        assert_eq!(e.select(yes, x, y), x);
        assert_eq!(e.select(no, x, y), y);
        assert_eq!(e.select(c, x, x), x);
        assert_eq!(e.select(not_c, x, y), e.select(c, y, x));
        let inner = e.select(c, x, y);
        assert_eq!(e.select(c, inner, no), e.select(c, x, no));
        assert_eq!(e.lt(x, x), no);
        assert_ne!(e.eq(x, x), yes, "x == x is false for a NaN");
    }

    #[test]
    fn faults_stay() {
        let (mut e, x, _) = setup();
        let (zero, one) = (e.zero(), e.one());
        let quotient = e.div(one, zero);
        assert_eq!(e.as_constant(quotient), None);
        assert_eq!(eval(&e, quotient, &|_| 0.0), f64::INFINITY);
        let nothing = e.div(zero, zero);
        assert_eq!(e.as_constant(nothing), None);
        let by_zero = e.div(x, zero);
        assert_eq!(e.as_constant(by_zero), None);
        let minus_one = e.constant(-1.0);
        let root = e.unary(Op1::Sqrt, minus_one);
        assert_eq!(e.as_constant(root), None);
    }

    /// The simplified expression has the value of the plain one, bit for bit (zeros of either sign being equal).
    #[test]
    fn simplification_keeps_values() {
        let mut random = Random::new(7);
        let mut compared = 0;
        for _ in 0..4000 {
            let mut e = Arena::default();
            let values: Vec<f64> = (0..4).map(|_| random.value()).collect();
            let value = |v: VarId| values[v.index()];
            let (plain, simplified) = grow(&mut e, &mut random, 12);
            // A literal zero factor may hide a fault, so only faultless expressions are compared.
            if (0..plain.index() + 1).all(|i| eval(&e, ExprId::new(i), &value).is_finite()) {
                assert_eq!(eval(&e, plain, &value), eval(&e, simplified, &value));
                compared += 1;
            }
        }
        assert!(compared > 1000, "only {compared} expressions were faultless");
    }
}
