//! Array arithmetic and built-in functions on trees of scalars, whatever the scalars are.
//!
//! Two users: scalarisation, whose scalars are expressions of the system, and the translation of called functions, whose
//! scalars are values of the function. Nothing here makes events.

use super::value::{TextFragment, Val, either_text, split_text, text_size};
use super::{Lowering, unsupported};
use crate::base::budget;
use crate::frontend::flat::arrays::{self, Cell, Sizes};
use crate::frontend::flat::{self, BinaryOp, Builtin};
use partita_grammar::{Diagnostic, Span};
use partita_runtime::base::limits::Limit;
use partita_runtime::base::math::{Op1, Op2};

/// What can be done with scalars.
pub(super) trait Algebra {
    /// A scalar.
    type S: Copy + PartialEq;
    /// A number.
    fn constant(&mut self, value: f64) -> Self::S;
    /// The number, if the scalar is literally one.
    fn literal(&self, scalar: Self::S) -> Option<f64>;
    /// The number, if it is known when the model is compiled.
    fn known(&mut self, scalar: Self::S) -> Option<f64>;
    /// One operand.
    fn unary(&mut self, op: Op1, a: Self::S) -> Self::S;
    /// Two operands.
    fn binary(&mut self, op: Op2, a: Self::S, b: Self::S) -> Self::S;
    /// `if c then a else b`.
    fn select(&mut self, c: Self::S, a: Self::S, b: Self::S) -> Self::S;
    /// The same scalar, to be used more than once.
    fn shared(&mut self, scalar: Self::S) -> Self::S;
}

pub(super) fn shape_error(span: Span) -> Diagnostic {
    Diagnostic::error("D002", "the operands have different dimensions").at(span, "here")
}

/// The operation on scalars of a binary operator.
pub(super) fn scalar_op(op: BinaryOp) -> Op2 {
    match op {
        BinaryOp::Or => Op2::Or,
        BinaryOp::And => Op2::And,
        BinaryOp::Less => Op2::Lt,
        BinaryOp::LessEqual => Op2::Le,
        BinaryOp::Greater => Op2::Gt,
        BinaryOp::GreaterEqual => Op2::Ge,
        BinaryOp::Equal => Op2::Eq,
        BinaryOp::NotEqual => Op2::Ne,
        BinaryOp::Add | BinaryOp::ElementAdd => Op2::Add,
        BinaryOp::Subtract | BinaryOp::ElementSubtract => Op2::Sub,
        BinaryOp::Multiply | BinaryOp::ElementMultiply => Op2::Mul,
        BinaryOp::Divide | BinaryOp::ElementDivide => Op2::Div,
        BinaryOp::Power | BinaryOp::ElementPower => Op2::Pow,
    }
}

/// The operation on scalars of an elementary function.
pub(super) fn elementary(builtin: Builtin) -> Option<Op1> {
    Some(match builtin {
        Builtin::Sin => Op1::Sin,
        Builtin::Cos => Op1::Cos,
        Builtin::Tan => Op1::Tan,
        Builtin::Asin => Op1::Asin,
        Builtin::Acos => Op1::Acos,
        Builtin::Atan => Op1::Atan,
        Builtin::Sinh => Op1::Sinh,
        Builtin::Cosh => Op1::Cosh,
        Builtin::Tanh => Op1::Tanh,
        Builtin::Exp => Op1::Exp,
        Builtin::Log => Op1::Log,
        Builtin::Log10 => Op1::Log10,
        Builtin::Sqrt => Op1::Sqrt,
        Builtin::Abs => Op1::Abs,
        Builtin::Sign => Op1::Sign,
        _ => return None,
    })
}

/// Every scalar of both combined; `None` if the shapes differ.
pub(super) fn each<A: Algebra>(algebra: &mut A, op: Op2, a: &Val<A::S>, b: &Val<A::S>) -> Option<Val<A::S>> {
    // A scalar that is spread over an array is used more than once.
    let (a, b) = match (a, b) {
        (Val::Scalar(s), Val::Array(_)) => (&Val::Scalar(algebra.shared(*s)), b),
        (Val::Array(_), Val::Scalar(s)) => (a, &Val::Scalar(algebra.shared(*s))),
        _ => (a, b),
    };
    a.zip(b, &mut |a, b| Ok::<_, Diagnostic>(algebra.binary(op, a, b))).ok().flatten()
}

/// `if condition then a else b` on trees of one shape.
pub(super) fn choose<A: Algebra>(algebra: &mut A, condition: A::S, a: &Val<A::S>, b: &Val<A::S>) -> Option<Val<A::S>> {
    if a == b {
        return Some(a.clone());
    }
    match (a, b) {
        (Val::Text(then), Val::Text(or_else)) => return Some(Val::Text(either_text(condition, then, or_else))),
        (Val::Array(then), Val::Array(or_else)) if then.len() == or_else.len() => {
            let items = then.iter().zip(or_else).map(|(a, b)| choose(algebra, condition, a, b));
            return items.collect::<Option<_>>().map(Val::Array);
        }
        (Val::Record(then), Val::Record(or_else)) if then.len() == or_else.len() => {
            let fields = then.iter().zip(or_else).map(|(a, b)| choose(algebra, condition, a, b));
            return fields.collect::<Option<_>>().map(Val::Record);
        }
        _ => {}
    }
    a.zip(b, &mut |a, b| Ok::<_, Diagnostic>(algebra.select(condition, a, b))).ok().flatten()
}

/// How many conditions two texts that are compared may depend on.
const MAX_TEXT_CHOICES: usize = 8;

/// The same relation of the sides exchanged.
fn mirrored(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Less => BinaryOp::Greater,
        BinaryOp::LessEqual => BinaryOp::GreaterEqual,
        BinaryOp::Greater => BinaryOp::Less,
        BinaryOp::GreaterEqual => BinaryOp::LessEqual,
        other => other,
    }
}

/// A relation between two texts, character by character; `None` if that depends on values in them.
fn compare_texts<A: Algebra>(
    algebra: &mut A,
    op: BinaryOp,
    left: &[TextFragment<A::S>],
    right: &[TextFragment<A::S>],
    depth: usize,
) -> Option<A::S> {
    if let Some((condition, sides)) = split_text(left) {
        let [a, b] = sides.map(|side| if depth == 0 { None } else { compare_texts(algebra, op, &side, right, depth - 1) });
        let (a, b) = (a?, b?);
        return Some(match (algebra.literal(a), algebra.literal(b)) {
            (Some(1.0), Some(0.0)) => condition,
            (Some(0.0), Some(1.0)) => algebra.unary(Op1::Not, condition),
            _ => algebra.select(condition, a, b),
        });
    }
    if split_text(right).is_some() {
        return compare_texts(algebra, mirrored(op), right, left, depth);
    }
    let literal = |pieces: &[TextFragment<A::S>]| Val::Text(pieces.to_vec()).literal();
    let order = literal(left)?.cmp(&literal(right)?);
    let holds = match op {
        BinaryOp::Equal => order.is_eq(),
        BinaryOp::NotEqual => order.is_ne(),
        BinaryOp::Less => order.is_lt(),
        BinaryOp::LessEqual => order.is_le(),
        BinaryOp::Greater => order.is_gt(),
        BinaryOp::GreaterEqual => order.is_ge(),
        _ => return None,
    };
    Some(algebra.constant(f64::from(u8::from(holds))))
}

/// Two texts as one.
fn joined<S: Copy>(left: &[TextFragment<S>], right: &[TextFragment<S>], span: Span) -> Lowering<Val<S>> {
    let size = text_size(left) + text_size(right);
    if size > budget::limit(Limit::Strings) {
        return Err(budget::refusal("D021", "a String", Limit::Strings, span));
    }
    budget::spend(1 + size / 8);
    Ok(Val::Text([left, right].concat()))
}

/// A binary operator without events.
pub(super) fn combine<A: Algebra>(algebra: &mut A, op: BinaryOp, a: &Val<A::S>, b: &Val<A::S>, span: Span) -> Lowering<Val<A::S>> {
    if let (Val::Text(left), Val::Text(right)) = (a, b) {
        return match op {
            BinaryOp::Add => joined(left, right, span),
            _ if scalar_op(op).is_relation() => {
                let holds = compare_texts(algebra, op, left, right, MAX_TEXT_CHOICES);
                holds.map(Val::Scalar).ok_or_else(|| unsupported("comparing Strings made at run time", span))
            }
            _ => Err(unsupported("this operation on Strings", span)),
        };
    }
    let result = match op {
        BinaryOp::Multiply => multiply(algebra, a, b),
        BinaryOp::Power if matches!(a, Val::Array(_)) => return matrix_power(algebra, a, b, span),
        _ => each(algebra, scalar_op(op), a, b),
    };
    result.ok_or_else(|| shape_error(span))
}

fn dot<A: Algebra>(algebra: &mut A, a: &[Val<A::S>], b: &[Val<A::S>]) -> Option<Val<A::S>> {
    if a.len() != b.len() {
        return None;
    }
    let mut sum = None;
    for (a, b) in a.iter().zip(b) {
        let product = multiply(algebra, a, b)?;
        sum = Some(match sum {
            None => product,
            Some(sum) => each(algebra, Op2::Add, &sum, &product)?,
        });
    }
    Some(sum.unwrap_or_else(|| Val::Scalar(algebra.constant(0.0))))
}

/// Every scalar of a value, to be used more than once.
fn shared<A: Algebra>(algebra: &mut A, value: &Val<A::S>) -> Val<A::S> {
    match value.map(&mut |e| Ok::<_, std::convert::Infallible>(algebra.shared(e))) {
        Ok(value) => value,
        Err(never) => match never {},
    }
}

/// Scalar, vector and matrix products.
pub(super) fn multiply<A: Algebra>(algebra: &mut A, a: &Val<A::S>, b: &Val<A::S>) -> Option<Val<A::S>> {
    match (a.n_dims(), b.n_dims()) {
        (0, _) | (_, 0) => each(algebra, Op2::Mul, a, b),
        (1, 1) => dot(algebra, a.items()?, b.items()?),
        (2, 1) => {
            let b = shared(algebra, b);
            a.items()?.iter().map(|row| dot(algebra, row.items()?, b.items()?)).collect::<Option<Vec<_>>>().map(Val::Array)
        }
        (1, 2) => {
            let a = shared(algebra, a);
            let columns = transpose(b)?;
            columns.items()?.iter().map(|col| dot(algebra, a.items()?, col.items()?)).collect::<Option<Vec<_>>>().map(Val::Array)
        }
        (2, 2) => {
            let a = shared(algebra, a);
            let columns = transpose(&shared(algebra, b))?;
            let rows = a.items()?.iter().map(|row| {
                let row = row.items()?;
                columns.items()?.iter().map(|col| dot(algebra, row, col.items()?)).collect::<Option<Vec<_>>>().map(Val::Array)
            });
            let width = columns.size(0)?;
            rows.collect::<Option<Vec<_>>>().map(|rows| Val::array(rows, vec![width]))
        }
        _ => None,
    }
}

fn matrix_power<A: Algebra>(algebra: &mut A, a: &Val<A::S>, b: &Val<A::S>, span: Span) -> Lowering<Val<A::S>> {
    let n = match b {
        Val::Scalar(e) => algebra.known(*e),
        _ => None,
    };
    let (Some(n), Some(size)) = (n.filter(|n| *n >= 0.0 && *n <= 64.0), a.size(0)) else {
        return Err(unsupported("this matrix power", span));
    };
    let mut result = identity(algebra, size);
    for _ in 0..n as usize {
        result = multiply(algebra, &result, a).ok_or_else(|| shape_error(span))?;
    }
    Ok(result)
}

fn identity<A: Algebra>(algebra: &mut A, n: usize) -> Val<A::S> {
    let zero = Val::Scalar(algebra.constant(0.0));
    let one = Val::Scalar(algebra.constant(1.0));
    Val::array((0..n).map(|i| Val::Array((0..n).map(|j| if i == j { one.clone() } else { zero.clone() }).collect())).collect(), vec![n])
}

/// Refuses arrays that no memory would hold once every element is an expression of its own.
pub(super) fn check_elements(n: usize, span: Span) -> Lowering<()> {
    if n as u64 > budget::limit(Limit::Elements) {
        return Err(budget::refusal("D021", "an array", Limit::Elements, span));
    }
    budget::spend(n as u64);
    Ok(())
}

/// The values of `start:step:stop`.
pub(super) fn range<A: Algebra>(algebra: &mut A, start: f64, step: f64, stop: f64, span: Span) -> Lowering<Val<A::S>> {
    let n = if step == 0.0 { 0.0 } else { ((stop - start) / step + 1e-9).floor() + 1.0 };
    check_elements(n.max(0.0) as usize, span)?;
    Ok(Val::Array((0..n.max(0.0) as usize).map(|i| Val::Scalar(algebra.constant(start + i as f64 * step))).collect()))
}

/// A size or position known when the model is compiled.
fn whole<A: Algebra>(algebra: &mut A, value: &Val<A::S>, span: Span) -> Lowering<usize> {
    match value {
        Val::Scalar(e) => match algebra.known(*e) {
            Some(v) if v >= 0.0 && v.fract() == 0.0 => Ok(v as usize),
            Some(v) => Err(Diagnostic::error("D006", format!("{v} is not a size")).at(span, "here")),
            None => Err(Diagnostic::error("D006", "the size must be known when the model is compiled").at(span, "this is not a constant")),
        },
        _ => Err(shape_error(span)),
    }
}

/// The operation of a sum, product, least or largest value, and its value for no elements.
pub(super) fn reduction(builtin: Builtin) -> (Op2, f64) {
    match builtin {
        Builtin::MinArray => (Op2::Min, f64::MAX),
        Builtin::MaxArray => (Op2::Max, -f64::MAX),
        Builtin::Sum => (Op2::Add, 0.0),
        _ => (Op2::Mul, 1.0),
    }
}

/// A built-in function of evaluated arguments that neither looks at time nor makes events; `types` are the arguments' types.
pub(super) fn builtin<A: Algebra>(
    algebra: &mut A,
    builtin: Builtin,
    args: &[Val<A::S>],
    types: &[&flat::Type],
    span: Span,
) -> Lowering<Val<A::S>> {
    let arg = |n: usize| -> Lowering<&Val<A::S>> {
        args.get(n).ok_or_else(|| unsupported(&format!("{builtin:?} with {} arguments", args.len()), span))
    };
    let vector = |n: usize, len: usize| -> Lowering<Vec<A::S>> {
        let scalars = arg(n)?.to_scalars();
        if scalars.len() == len { Ok(scalars) } else { Err(shape_error(span)) }
    };
    if let Some(op) = elementary(builtin) {
        return arg(0)?.map(&mut |e| Ok(algebra.unary(op, e)));
    }
    if let Some(row) = arrays::row(builtin) {
        return arranged(algebra, row, args, span);
    }
    match builtin {
        Builtin::Atan2 => each(algebra, Op2::Atan2, arg(0)?, arg(1)?).ok_or_else(|| shape_error(span)),
        Builtin::Min => each(algebra, Op2::Min, arg(0)?, arg(1)?).ok_or_else(|| shape_error(span)),
        Builtin::Max => each(algebra, Op2::Max, arg(0)?, arg(1)?).ok_or_else(|| shape_error(span)),
        Builtin::MinArray | Builtin::MaxArray | Builtin::Sum | Builtin::Product => {
            let (op, empty) = reduction(builtin);
            let mut values = arg(0)?.to_scalars().into_iter();
            let start = values.next().unwrap_or_else(|| algebra.constant(empty));
            Ok(Val::Scalar(values.fold(start, |sum, v| algebra.binary(op, sum, v))))
        }
        Builtin::Ceil | Builtin::Floor | Builtin::IntegerFloor => {
            let op = if builtin == Builtin::Ceil { Op1::Ceil } else { Op1::Floor };
            arg(0)?.map(&mut |e| Ok(algebra.unary(op, e)))
        }
        Builtin::Div | Builtin::Mod | Builtin::Rem => {
            let op = if builtin == Builtin::Mod { Op1::Floor } else { Op1::Trunc };
            let result = arg(0)?.zip(arg(1)?, &mut |a, b| {
                let (a, b) = (algebra.shared(a), algebra.shared(b));
                let quotient = algebra.binary(Op2::Div, a, b);
                let whole = algebra.unary(op, quotient);
                if builtin == Builtin::Div {
                    return Ok(whole);
                }
                let multiple = algebra.binary(Op2::Mul, whole, b);
                Ok(algebra.binary(Op2::Sub, a, multiple))
            })?;
            result.ok_or_else(|| shape_error(span))
        }
        Builtin::IntegerOfEnum => Ok(arg(0)?.clone()),
        Builtin::SemiLinear => semi_linear(algebra, arg(0)?, arg(1)?, arg(2)?, span),
        Builtin::Size => size(algebra, args, types, span),
        Builtin::Ndims => Ok(Val::Scalar(algebra.constant(types.first().map_or(0, |ty| ty.dims.len()) as f64))),
        Builtin::Linspace => linspace(algebra, &vector(0, 1)?, &vector(1, 1)?, arg(2)?, span),
        Builtin::Cat => {
            let dim = whole(algebra, arg(0)?, span)?;
            concatenate(dim, &args[1..]).ok_or_else(|| shape_error(span))
        }
        Builtin::Array => Ok(Val::Array(args.to_vec())),
        Builtin::Reinit | Builtin::Assert | Builtin::Terminate | Builtin::Print => {
            Err(unsupported("this statement inside an expression", span))
        }
        Builtin::SpatialDistribution => Err(unsupported("spatialDistribution", span)),
        Builtin::Cardinality => Err(unsupported("cardinality", span)),
        _ if builtin.is_of_time() => Err(unsupported(&format!("{} inside a function", format!("{builtin:?}").to_lowercase()), span)),
        _ => Err(unsupported(&format!("{builtin:?}"), span)),
    }
}

type Tree<A> = Val<<A as Algebra>::S>;

/// `semiLinear(x, up, down)`, element by element; one number goes with every element of the others.
fn semi_linear<A: Algebra>(algebra: &mut A, x: &Tree<A>, up: &Tree<A>, down: &Tree<A>, span: Span) -> Lowering<Tree<A>> {
    let x = x.map(&mut |x| Ok(algebra.shared(x)))?;
    let zero = algebra.constant(0.0);
    let shape = [&x, up, down].into_iter().find(|v| matches!(v, Val::Array(_))).unwrap_or(&x).clone();
    let mut elements = [&x, up, down].map(|v| v.to_scalars().into_iter().cycle());
    shape.map(&mut |_| {
        let [Some(x), Some(up), Some(down)] = elements.each_mut().map(Iterator::next) else { return Err(shape_error(span)) };
        let positive = algebra.binary(Op2::Ge, x, zero);
        let slope = algebra.select(positive, up, down);
        Ok(algebra.binary(Op2::Mul, x, slope))
    })
}

/// `size(array, dim)` or all sizes.
fn size<A: Algebra>(algebra: &mut A, args: &[Tree<A>], types: &[&flat::Type], span: Span) -> Lowering<Tree<A>> {
    let dims = types.first().map_or(&[][..], |ty| &ty.dims);
    let size = |dim: usize| dims.get(dim).copied().flatten().or_else(|| args.first()?.size(dim));
    match args.get(1) {
        Some(dim) => {
            let dim = whole(algebra, dim, span)?;
            let size = size(dim.wrapping_sub(1))
                .ok_or_else(|| Diagnostic::error("D006", format!("there is no dimension {dim}")).at(span, "here"))?;
            Ok(Val::Scalar(algebra.constant(size as f64)))
        }
        None => Ok(Val::Array((0..dims.len()).map(|d| Val::Scalar(algebra.constant(size(d).unwrap_or(0) as f64))).collect())),
    }
}

fn linspace<A: Algebra>(algebra: &mut A, a: &[A::S], b: &[A::S], n: &Tree<A>, span: Span) -> Lowering<Tree<A>> {
    let n = whole(algebra, n, span)?;
    check_elements(n, span)?;
    let ([a], [b]) = (a, b) else { return Err(shape_error(span)) };
    let a = algebra.shared(*a);
    let difference = algebra.binary(Op2::Sub, *b, a);
    let difference = algebra.shared(difference);
    let mut items = Vec::new();
    for i in 0..n {
        let fraction = algebra.constant(i as f64 / (n.max(2) - 1) as f64);
        let step = algebra.binary(Op2::Mul, difference, fraction);
        items.push(Val::Scalar(algebra.binary(Op2::Add, a, step)));
    }
    Ok(Val::Array(items))
}

/// What a row of the table of arrays makes of trees.
fn arranged<A: Algebra>(algebra: &mut A, row: &arrays::Row, args: &[Val<A::S>], span: Span) -> Lowering<Val<A::S>> {
    let (arguments, sizes) = match row.sizes {
        Sizes::None => (args, &[][..]),
        Sizes::All => (&[][..], args),
        Sizes::Rest => args.split_at(1.min(args.len())),
    };
    let sizes = sizes.iter().map(|size| whole(algebra, size, span)).collect::<Lowering<Vec<usize>>>()?;
    let dims: Vec<Vec<usize>> = arguments.iter().map(Val::sizes).collect();
    let made = (row.arrange)(&dims, &sizes).ok_or_else(|| shape_error(span))?;
    let n = made.len().unwrap_or(usize::MAX);
    check_elements(n, span)?;
    let arguments: Vec<Val<A::S>> =
        arguments.iter().map(|value| if made.repeats { shared(algebra, value) } else { value.clone() }).collect();
    let mut items: Vec<Vec<Val<A::S>>> = vec![Vec::new(); arguments.len()];
    arguments.iter().zip(&mut items).for_each(|(value, items)| leaves(value, items));
    let mut cells = Vec::with_capacity(n);
    for k in 0..n {
        cells.push(arranged_cell(algebra, made.cell(k), &items).ok_or_else(|| shape_error(span))?);
    }
    let mut cells = cells.into_iter();
    Ok(Val::shaped(&made.dims, &mut || cells.next().unwrap_or(Val::Uninitialised)))
}

/// One element; `None` if there is no such element, or no number where one is needed.
fn arranged_cell<A: Algebra>(algebra: &mut A, cell: Cell, items: &[Vec<Val<A::S>>]) -> Option<Val<A::S>> {
    let at = |(argument, place): arrays::Place| items.get(argument)?.get(place);
    let scalar = |place| match at(place) {
        Some(Val::Scalar(scalar)) => Some(*scalar),
        _ => None,
    };
    let value = match cell {
        Cell::Zero => algebra.constant(0.0),
        Cell::One => algebra.constant(1.0),
        Cell::Item(place) => return at(place).cloned(),
        Cell::Minus(place) => algebra.unary(Op1::Neg, scalar(place)?),
        Cell::Product([a, b]) => algebra.binary(Op2::Mul, scalar(a)?, scalar(b)?),
        Cell::Minor([[a, b], [c, d]]) => {
            let plus = algebra.binary(Op2::Mul, scalar(a)?, scalar(b)?);
            let minus = algebra.binary(Op2::Mul, scalar(c)?, scalar(d)?);
            algebra.binary(Op2::Sub, plus, minus)
        }
    };
    Some(Val::Scalar(value))
}

/// The elements of an array, row by row.
fn leaves<S: Copy>(value: &Val<S>, out: &mut Vec<Val<S>>) {
    match value {
        Val::Array(items) => items.iter().for_each(|item| leaves(item, out)),
        Val::Empty(_) => {}
        element => out.push(element.clone()),
    }
}

fn transpose<S: Copy>(value: &Val<S>) -> Option<Val<S>> {
    let rows = value.items()?;
    let n_cols = value.size(1)?;
    let column = |j: usize| rows.iter().map(|row| row.items()?.get(j).cloned()).collect::<Option<Vec<_>>>().map(Val::Array);
    (0..n_cols).map(column).collect::<Option<Vec<_>>>().map(|columns| Val::array(columns, vec![rows.len()]))
}

fn concatenate<S: Copy>(dim: usize, parts: &[Val<S>]) -> Option<Val<S>> {
    if dim <= 1 {
        let mut items = Vec::new();
        for part in parts {
            items.extend_from_slice(part.items()?);
        }
        let inner = parts.iter().map(|part| part.sizes().into_iter().skip(1).collect()).max_by_key(Vec::<usize>::len).unwrap_or_default();
        return Some(Val::array(items, inner));
    }
    let n = parts.first()?.items()?.len();
    if n == 0 {
        // Sizes along the dimension add up, the others are those of every part.
        let mut inner = parts.iter().map(|part| part.sizes().into_iter().skip(1).collect()).max_by_key(Vec::<usize>::len)?;
        if let Some(size) = inner.get_mut(dim - 2) {
            *size = parts.iter().map(|part| part.size(dim - 1).unwrap_or(0)).sum();
        }
        return Some(Val::array(Vec::new(), inner));
    }
    let row = |i: usize| {
        let inner = parts.iter().map(|p| p.items()?.get(i).cloned()).collect::<Option<Vec<_>>>()?;
        concatenate(dim - 1, &inner)
    };
    (0..n).map(row).collect::<Option<Vec<_>>>().map(Val::Array)
}
