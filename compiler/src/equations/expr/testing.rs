//! Random expressions for the tests of this folder, from a fixed seed.

use super::{Arena, Node};
use crate::base::ids::{ExprId, VarId};
use cranelift_entity::EntityRef;
use partita_runtime::base::math::{Op1, Op2};

/// A small pseudo-random generator (xorshift64*).
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11
    }

    pub(super) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// Uniform in [0, 1).
    pub(super) fn unit(&mut self) -> f64 {
        self.next() as f64 / (1u64 << 53) as f64
    }

    /// Something of ordinary size and either sign.
    pub(super) fn value(&mut self) -> f64 {
        4.0 * self.unit() - 2.0
    }

    pub(super) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

const UNARY: [Op1; 19] = {
    use Op1::*;
    [Neg, Neg, Abs, Sign, Sqrt, Sin, Cos, Tan, Asin, Acos, Atan, Sinh, Cosh, Tanh, Exp, Log, Log10, Floor, Trunc]
};
const BINARY: [Op2; 13] =
    [Op2::Add, Op2::Add, Op2::Sub, Op2::Sub, Op2::Mul, Op2::Mul, Op2::Div, Op2::Div, Op2::Pow, Op2::Atan2, Op2::Min, Op2::Max, Op2::Add];
const RELATION: [Op2; 6] = [Op2::Lt, Op2::Le, Op2::Gt, Op2::Ge, Op2::Eq, Op2::Ne];

/// A random expression of `steps` operations over the variables 0..4: once without simplification, once with.
pub(super) fn grow(arena: &mut Arena, random: &mut Random, steps: usize) -> (ExprId, ExprId) {
    let mut pool: Vec<(ExprId, ExprId)> = Vec::new();
    let mut conditions: Vec<(ExprId, ExprId)> = Vec::new();
    for i in 0..4 {
        let var = arena.var(VarId::new(i));
        pool.push((var, var));
    }
    for literal in [0.0, 1.0, -1.0, 2.0, -3.0] {
        let literal = arena.constant(literal);
        pool.push((literal, literal));
    }
    let no = arena.constant(0.0);
    conditions.push((no, no));
    let mut last = pool[0];
    for _ in 0..steps {
        let other = random.pick(&pool);
        // Mostly build on what was built last, so that the result is deep.
        let base = if random.below(4) == 0 { random.pick(&pool) } else { last };
        let (a, b) = if random.below(2) == 0 { (base, other) } else { (other, base) };
        match random.below(8) {
            0 => {
                let op = random.pick(&RELATION);
                let mut c = (arena.intern(Node::Binary(op, a.0, b.0)), arena.binary(op, a.1, b.1));
                if random.below(2) == 0 {
                    c = (arena.intern(Node::Unary(Op1::Not, c.0)), arena.not(c.1));
                }
                let d = random.pick(&conditions);
                let op = random.pick(&[Op2::And, Op2::Or]);
                c = (arena.intern(Node::Binary(op, c.0, d.0)), arena.binary(op, c.1, d.1));
                conditions.push(c);
                continue;
            }
            1 => {
                let c = random.pick(&conditions);
                last = (arena.intern(Node::Select(c.0, a.0, b.0)), arena.select(c.1, a.1, b.1));
            }
            2 | 3 => {
                let op = random.pick(&UNARY);
                last = (arena.intern(Node::Unary(op, base.0)), arena.unary(op, base.1));
            }
            _ => {
                let op = random.pick(&BINARY);
                last = (arena.intern(Node::Binary(op, a.0, b.0)), arena.binary(op, a.1, b.1));
            }
        }
        pool.push(last);
    }
    last
}
