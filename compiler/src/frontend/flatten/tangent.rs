//! Derivatives of functions as functions: `function g = der(f, u, v)`.
//!
//! Input: functions whose bodies are translated. Output: a function with the inputs of `f` whose outputs are the derivatives of its Real
//! outputs, by one input after the other. So it can be called, evaluated, inlined and differentiated again like any other.
//!
//! Method: the tangent of a function (forward differentiation). Every Real variable gets a partner that holds its derivative, assigned just
//! before it; control flow, and what is no Real, stays. A called function is replaced by its declared derivative, or by its own tangent.
//! Guarantee: what has no derivative here (external functions without a declared one, records) is refused with its place (F033).
//! Cost: linear in the bodies that are differentiated; each function once for every choice of inputs that matter.

use crate::frontend::flat::{
    BinaryOp, Builtin, Expr, ExprKind, FuncId, Function, FunctionBody, Local, LocalId, Scalar, Statement, StatementKind, Subscript, Type,
    UnaryOp, Value,
};
use cranelift_entity::PrimaryMap;
use partita_grammar::{Diagnostic, Span};
use rustc_hash::FxHashMap;

type Functions = PrimaryMap<FuncId, Function>;
type Made<T> = Result<T, Diagnostic>;

/// The tangents made so far: by function and by which of its inputs vary.
#[derive(Default)]
pub(super) struct Tangents {
    known: FxHashMap<(FuncId, Vec<bool>), FuncId>,
}

impl Tangents {
    /// Gives `into` the body of the derivative of `of` by the inputs at these positions, one after the other.
    pub(super) fn partial(&mut self, functions: &mut Functions, of: FuncId, by: &[usize], into: FuncId) -> Made<()> {
        let mut last = of;
        for (round, position) in by.iter().enumerate() {
            let mut made = self.by_input(functions, last, *position)?;
            if round + 1 == by.len() {
                (made.name, made.span) = (functions[into].name.clone(), functions[into].span);
                functions[into] = made;
            } else {
                last = functions.push(made);
            }
        }
        Ok(())
    }

    /// The derivative by one input: its partner is one.
    fn by_input(&mut self, functions: &mut Functions, of: FuncId, position: usize) -> Made<Function> {
        let mut active = vec![false; functions[of].inputs.len()];
        active[position] = true;
        let (mut function, partners) = self.differentiated(functions, of, &active)?;
        for partner in partners {
            let span = function.locals[partner].span;
            function.locals[partner].binding = Some(number(1.0, span));
            function.protected.insert(0, partner);
        }
        Ok(function)
    }

    /// The tangent along the inputs that are active: those have partners behind all inputs.
    fn tangent(&mut self, functions: &mut Functions, of: FuncId, active: &[bool]) -> Made<FuncId> {
        if let Some(known) = self.known.get(&(of, active.to_vec())) {
            return Ok(*known);
        }
        // Known before it is made, for functions that call themselves.
        let reserved = functions.push(functions[of].clone());
        self.known.insert((of, active.to_vec()), reserved);
        let (mut function, partners) = self.differentiated(functions, of, active)?;
        function.inputs.extend(partners);
        function.name = format!("der({})", function.name);
        functions[reserved] = function;
        Ok(reserved)
    }

    /// A function with the derivatives as outputs, and the partners of the active inputs, which have no place yet.
    fn differentiated(&mut self, functions: &mut Functions, of: FuncId, active: &[bool]) -> Made<(Function, Vec<LocalId>)> {
        let mut function = functions[of].clone();
        let FunctionBody::Algorithm(body) = std::mem::replace(&mut function.body, FunctionBody::Algorithm(Vec::new())) else {
            return Err(refused("an external function without a declared derivative", function.span));
        };
        let mut partner_of = FxHashMap::default();
        let varying: Vec<LocalId> = function.inputs.iter().zip(active).filter(|(_, active)| **active).map(|(input, _)| *input).collect();
        let own: Vec<LocalId> = function.outputs.iter().chain(&function.protected).copied().collect();
        for local in varying.iter().chain(&own) {
            if function.locals[*local].ty.scalar == Scalar::Real {
                let Local { name, ty, dim_exprs, span, .. } = function.locals[*local].clone();
                let partner = function.locals.push(Local { name: format!("der({name})"), ty, dim_exprs, binding: None, span });
                partner_of.insert(*local, partner);
            }
        }
        let mut writer = Writer { tangents: self, functions, partner_of };
        for local in &own {
            if let (Some(partner), Some(binding)) = (writer.partner_of.get(local).copied(), function.locals[*local].binding.clone()) {
                function.locals[partner].binding = Some(writer.derivative_or_zero(&binding)?);
            }
        }
        let body = writer.statements(&body)?;
        let partner_of = writer.partner_of;
        function.body = FunctionBody::Algorithm(body);
        function.derivatives.clear();
        let partners = |locals: &[LocalId]| -> Vec<LocalId> { locals.iter().filter_map(|local| partner_of.get(local).copied()).collect() };
        let outputs = partners(&function.outputs);
        let mut protected = partners(&function.protected);
        protected.extend(function.outputs.iter().chain(&function.protected));
        // A binding reads what is declared before it.
        protected.sort_by_key(|local| own.iter().position(|own| own == local || partner_of.get(own) == Some(local)));
        (function.outputs, function.protected) = (outputs, protected);
        Ok((function, partners(&varying)))
    }
}

fn refused(what: &str, span: Span) -> Diagnostic {
    Diagnostic::error("F033", format!("the derivative of {what} cannot be formed"))
        .at(span, "needed for a function that is defined as a derivative")
}

fn number(value: f64, span: Span) -> Expr {
    Expr { kind: ExprKind::Literal(Value::Real(value)), ty: Type::scalar(Scalar::Real), span }
}

fn binary(op: BinaryOp, a: Expr, b: Expr, like: &Expr) -> Expr {
    Expr { kind: ExprKind::Binary(op, Box::new(a), Box::new(b)), ty: like.ty.clone(), span: like.span }
}

fn builtin(builtin: Builtin, args: Vec<Expr>, like: &Expr) -> Expr {
    Expr { kind: ExprKind::Builtin(builtin, args), ty: like.ty.clone(), span: like.span }
}

fn negative(a: Expr) -> Expr {
    let (ty, span) = (a.ty.clone(), a.span);
    Expr { kind: ExprKind::Unary(UnaryOp::Minus, Box::new(a)), ty, span }
}

fn if_then(condition: Expr, a: Expr, b: Expr, like: &Expr) -> Expr {
    Expr { kind: ExprKind::If(Box::new(condition), Box::new(a), Box::new(b)), ty: like.ty.clone(), span: like.span }
}

fn relation(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    let span = a.span;
    Expr { kind: ExprKind::Binary(op, Box::new(a), Box::new(b)), ty: Type::scalar(Scalar::Boolean), span }
}

/// Zero in the shape of an expression.
fn zero_like(e: &Expr) -> Expr {
    if e.ty.is_scalar() { number(0.0, e.span) } else { binary(BinaryOp::Multiply, number(0.0, e.span), e.clone(), e) }
}

/// `a + b` of terms that may be missing, because they are zero.
fn sum(a: Option<Expr>, b: Option<Expr>, like: &Expr) -> Option<Expr> {
    match (a, b) {
        (Some(a), Some(b)) => Some(binary(BinaryOp::Add, a, b, like)),
        (a, b) => a.or(b),
    }
}

struct Writer<'t> {
    tangents: &'t mut Tangents,
    functions: &'t mut Functions,
    partner_of: FxHashMap<LocalId, LocalId>,
}

impl Writer<'_> {
    fn statements(&mut self, body: &[Statement]) -> Made<Vec<Statement>> {
        let mut out = Vec::new();
        for statement in body {
            self.statement(statement, &mut out)?;
        }
        Ok(out)
    }

    fn statement(&mut self, statement: &Statement, out: &mut Vec<Statement>) -> Made<()> {
        let span = statement.span;
        let kind = match &statement.kind {
            StatementKind::Assign(target, value) => {
                if let Some(partner) = self.target(target)? {
                    let derivative = self.derivative_or_zero(value)?;
                    out.push(Statement { kind: StatementKind::Assign(partner, derivative), span });
                }
                statement.kind.clone()
            }
            StatementKind::Tuple(targets, call) => {
                self.tuple(targets, call, span, out)?;
                statement.kind.clone()
            }
            StatementKind::If(branches, otherwise) => {
                let branches = branches.iter().map(|(condition, body)| Ok((condition.clone(), self.statements(body)?)));
                let branches = branches.collect::<Made<Vec<_>>>()?;
                StatementKind::If(branches, self.statements(otherwise)?)
            }
            StatementKind::For(local, range, body) => StatementKind::For(*local, range.clone(), self.statements(body)?),
            StatementKind::While(condition, body) => StatementKind::While(condition.clone(), self.statements(body)?),
            StatementKind::When(_) => return Err(refused("`when`", span)),
            StatementKind::Call(_) | StatementKind::Break | StatementKind::Return => statement.kind.clone(),
        };
        out.push(Statement { kind, span });
        Ok(())
    }

    /// `(a, b) := f(x)`: the derivatives first, while `x` is what it was.
    fn tuple(&mut self, targets: &[Option<Expr>], call: &Expr, span: Span, out: &mut Vec<Statement>) -> Made<()> {
        let ExprKind::Call(function, args) = &call.kind else { return Err(refused("this statement", span)) };
        let outputs = &self.functions[*function].outputs;
        let is_real: Vec<bool> = outputs.iter().map(|output| self.functions[*function].locals[*output].ty.scalar == Scalar::Real).collect();
        let mut partners = Vec::new();
        for (target, _) in targets.iter().zip(&is_real).filter(|(_, is_real)| **is_real) {
            partners.push(match target {
                Some(target) => self.target(target)?,
                None => None,
            });
        }
        if partners.iter().all(Option::is_none) {
            return Ok(());
        }
        match self.call(*function, args, call)? {
            Some(derivative) => out.push(Statement { kind: StatementKind::Tuple(partners, derivative), span }),
            None => {
                for partner in partners.into_iter().flatten() {
                    let zero = zero_like(&partner);
                    out.push(Statement { kind: StatementKind::Assign(partner, zero), span });
                }
            }
        }
        Ok(())
    }

    /// The partner of what is assigned; `None` for what is no Real.
    fn target(&self, target: &Expr) -> Made<Option<Expr>> {
        let kind = match &target.kind {
            ExprKind::Local(local) => match self.partner_of.get(local) {
                Some(partner) => ExprKind::Local(*partner),
                None if target.ty.scalar == Scalar::Real || matches!(target.ty.scalar, Scalar::Record(_)) => {
                    return Err(refused("this variable", target.span));
                }
                None => return Ok(None),
            },
            ExprKind::Index(base, subscripts) => match self.target(base)? {
                Some(base) => ExprKind::Index(Box::new(base), subscripts.clone()),
                None => return Ok(None),
            },
            ExprKind::Field(..) => return Err(refused("a record", target.span)),
            _ if target.ty.scalar == Scalar::Real => return Err(refused("this assignment", target.span)),
            _ => return Ok(None),
        };
        Ok(Some(Expr { kind, ty: target.ty.clone(), span: target.span }))
    }

    fn derivative_or_zero(&mut self, e: &Expr) -> Made<Expr> {
        Ok(self.derivative(e)?.unwrap_or_else(|| zero_like(e)))
    }

    /// The derivative of an expression; `None` if it is zero.
    fn derivative(&mut self, e: &Expr) -> Made<Option<Expr>> {
        let made = |kind: ExprKind| Some(Expr { kind, ty: e.ty.clone(), span: e.span });
        Ok(match &e.kind {
            ExprKind::Local(local) => self.partner_of.get(local).and_then(|partner| made(ExprKind::Local(*partner))),
            ExprKind::Literal(_) | ExprKind::Time | ExprKind::Var(_) | ExprKind::ToReal(_) | ExprKind::Range(..) => None,
            ExprKind::Index(base, subscripts) => self.index(base, subscripts)?.and_then(made),
            ExprKind::Unary(UnaryOp::Minus, a) => self.derivative(a)?.map(negative),
            ExprKind::Unary(UnaryOp::Not, _) => None,
            ExprKind::Binary(op, a, b) => self.operator(*op, a, b, e)?,
            ExprKind::If(condition, a, b) => match (self.derivative(a)?, self.derivative(b)?) {
                (None, None) => None,
                (da, db) => Some(if_then((**condition).clone(), da.unwrap_or_else(|| zero_like(a)), db.unwrap_or_else(|| zero_like(b)), e)),
            },
            ExprKind::Builtin(function, args) => self.builtin(*function, args, e)?,
            ExprKind::Call(function, args) if e.ty.scalar == Scalar::Real => self.call(*function, args, e)?,
            ExprKind::Array(items) => self.each(items)?.and_then(|items| made(ExprKind::Array(items))),
            ExprKind::Comprehension(body, iterators) => {
                self.derivative(body)?.and_then(|body| made(ExprKind::Comprehension(Box::new(body), iterators.clone())))
            }
            ExprKind::Field(..) | ExprKind::Record(..) if matches!(e.ty.scalar, Scalar::Real | Scalar::Record(_)) => {
                return Err(refused("a record", e.span));
            }
            ExprKind::Field(..) | ExprKind::Record(..) | ExprKind::Call(..) | ExprKind::NewObject(..) => None,
        })
    }

    fn index(&mut self, base: &Expr, subscripts: &[Subscript]) -> Made<Option<ExprKind>> {
        Ok(self.derivative(base)?.map(|base| ExprKind::Index(Box::new(base), subscripts.to_vec())))
    }

    /// The derivatives of all items, if one of them is not zero.
    fn each(&mut self, items: &[Expr]) -> Made<Option<Vec<Expr>>> {
        let derivatives = items.iter().map(|item| self.derivative(item)).collect::<Made<Vec<_>>>()?;
        if derivatives.iter().all(Option::is_none) {
            return Ok(None);
        }
        Ok(Some(derivatives.into_iter().zip(items).map(|(derivative, item)| derivative.unwrap_or_else(|| zero_like(item))).collect()))
    }

    fn operator(&mut self, op: BinaryOp, a: &Expr, b: &Expr, e: &Expr) -> Made<Option<Expr>> {
        use BinaryOp as B;
        if matches!(op, B::Or | B::And | B::Less | B::LessEqual | B::Greater | B::GreaterEqual | B::Equal | B::NotEqual) {
            return Ok(None);
        }
        let (da, db) = (self.derivative(a)?, self.derivative(b)?);
        Ok(match op {
            B::Add | B::ElementAdd | B::Subtract | B::ElementSubtract => match (da, db) {
                (None, None) => None,
                // A scalar is spread over an array.
                (Some(da), None) if da.ty.dims.len() == e.ty.dims.len() => Some(da),
                (None, Some(db)) if db.ty.dims.len() == e.ty.dims.len() && matches!(op, B::Add | B::ElementAdd) => Some(db),
                (da, db) => Some(binary(op, da.unwrap_or_else(|| zero_like(a)), db.unwrap_or_else(|| zero_like(b)), e)),
            },
            B::Multiply | B::ElementMultiply => {
                let first = da.map(|da| binary(op, da, b.clone(), e));
                let second = db.map(|db| binary(op, a.clone(), db, e));
                sum(first, second, e)
            }
            B::Divide | B::ElementDivide => {
                let first = da.map(|da| binary(op, da, b.clone(), e));
                // -a/b*db/b
                let second = db.map(|db| negative(binary(op, binary(B::ElementMultiply, e.clone(), db, e), b.clone(), e)));
                sum(first, second, e)
            }
            B::Power | B::ElementPower if !e.ty.is_scalar() && op == B::Power => match (da, db) {
                (None, None) => None,
                _ => return Err(refused("the power of a matrix", e.span)),
            },
            _ => self.power(a, b, da, db, e),
        })
    }

    /// `a^b`: `b*a^(b - 1)*da + a^b*log(a)*db`.
    fn power(&self, a: &Expr, b: &Expr, da: Option<Expr>, db: Option<Expr>, e: &Expr) -> Option<Expr> {
        let times = BinaryOp::ElementMultiply;
        let first = da.map(|da| {
            let less = binary(BinaryOp::ElementSubtract, b.clone(), number(1.0, b.span), b);
            let power = binary(BinaryOp::ElementPower, a.clone(), less, e);
            binary(times, binary(times, b.clone(), power, e), da, e)
        });
        let second = db.map(|db| binary(times, binary(times, e.clone(), builtin(Builtin::Log, vec![a.clone()], a), e), db, e));
        sum(first, second, e)
    }

    fn builtin(&mut self, function: Builtin, args: &[Expr], e: &Expr) -> Made<Option<Expr>> {
        use Builtin as F;
        match (function, args) {
            (
                F::Size
                | F::Ndims
                | F::Zeros
                | F::Ones
                | F::Identity
                | F::Div
                | F::Ceil
                | F::Floor
                | F::IntegerFloor
                | F::IntegerOfEnum
                | F::Sign
                | F::String,
                _,
            ) => Ok(None),
            (F::Atan2, [y, x]) => self.atan2(y, x, e),
            (F::Min | F::Max, [a, b]) => {
                let Some(both) = self.each(args)? else { return Ok(None) };
                let op = if function == F::Min { BinaryOp::LessEqual } else { BinaryOp::GreaterEqual };
                let [da, db] = both.try_into().map_err(|_| refused("this call", e.span))?;
                Ok(Some(if_then(relation(op, a.clone(), b.clone()), da, db, e)))
            }
            // Linear in all, or in the first of, their arguments.
            (
                F::Sum | F::Scalar | F::Vector | F::Matrix | F::Diagonal | F::Transpose | F::Symmetric | F::Skew | F::NoEvent | F::Array,
                _,
            ) => Ok(self.each(args)?.map(|args| builtin(function, args, e))),
            (F::Fill | F::Promote | F::Mod | F::Rem, [first, rest @ ..]) => {
                if function != F::Fill && function != F::Promote && self.each(rest)?.is_some() {
                    return Err(refused("a remainder by its divisor", e.span));
                }
                let Some(first) = self.derivative(first)? else { return Ok(None) };
                let linear = matches!(function, F::Fill | F::Promote);
                Ok(Some(if linear { builtin(function, [std::slice::from_ref(&first), rest].concat(), e) } else { first }))
            }
            (F::Cat | F::Smooth, [first, rest @ ..]) => {
                Ok(self.each(rest)?.map(|rest| builtin(function, [std::slice::from_ref(first), &rest].concat(), e)))
            }
            (F::Homotopy, [actual, ..]) => self.derivative(actual),
            (F::Cross | F::OuterProduct, [a, b]) => {
                let first = self.derivative(a)?.map(|da| builtin(function, vec![da, b.clone()], e));
                let second = self.derivative(b)?.map(|db| builtin(function, vec![a.clone(), db], e));
                Ok(sum(first, second, e))
            }
            (_, [a]) => {
                let Some(da) = self.derivative(a)? else { return Ok(None) };
                let slope = slope(function, a, e).ok_or_else(|| refused("this call", e.span))?;
                Ok(Some(binary(BinaryOp::ElementMultiply, slope, da, e)))
            }
            _ => match self.each(args)? {
                None => Ok(None),
                Some(_) => Err(refused("this call", e.span)),
            },
        }
    }

    /// `(x*dy - y*dx)/(x^2 + y^2)`.
    fn atan2(&mut self, y: &Expr, x: &Expr, e: &Expr) -> Made<Option<Expr>> {
        let (dy, dx) = (self.derivative(y)?, self.derivative(x)?);
        let product = |a: &Expr, b: Expr| binary(BinaryOp::ElementMultiply, a.clone(), b, e);
        let above = sum(dy.map(|dy| product(x, dy)), dx.map(|dx| negative(product(y, dx))), e);
        let below = binary(BinaryOp::Add, product(x, x.clone()), product(y, y.clone()), e);
        Ok(above.map(|above| binary(BinaryOp::ElementDivide, above, below, e)))
    }

    /// The derivative of a call: of its declared derivative, or of its tangent; the outputs are those that are Real.
    fn call(&mut self, function: FuncId, args: &[Expr], e: &Expr) -> Made<Option<Expr>> {
        let derivatives = args.iter().map(|arg| self.derivative(arg)).collect::<Made<Vec<_>>>()?;
        if derivatives.iter().all(Option::is_none) {
            return Ok(None);
        }
        let callee = &self.functions[function];
        let declared = callee.derivatives.iter().find(|declared| declared.order == 1);
        let (derivative, wanted) = match declared {
            Some(declared) => {
                let is_real = |local: &LocalId| callee.locals[*local].ty.scalar == Scalar::Real && !declared.without.contains(local);
                (declared.function, callee.inputs.iter().map(is_real).collect::<Vec<bool>>())
            }
            None => {
                let active: Vec<bool> = derivatives.iter().map(Option::is_some).collect();
                (self.tangents.tangent(self.functions, function, &active)?, active)
            }
        };
        let directions = derivatives.into_iter().zip(args).zip(wanted).filter(|(_, wanted)| *wanted);
        let directions = directions.map(|((derivative, arg), _)| derivative.unwrap_or_else(|| zero_like(arg)));
        let all: Vec<Expr> = args.iter().cloned().chain(directions).collect();
        Ok(Some(Expr { kind: ExprKind::Call(derivative, all), ty: e.ty.clone(), span: e.span }))
    }
}

/// The derivative of an elementary function `e` by its argument `a`.
fn slope(function: Builtin, a: &Expr, e: &Expr) -> Option<Expr> {
    use BinaryOp as B;
    use Builtin as F;
    let one = || number(1.0, e.span);
    let square = |x: &Expr| binary(B::ElementMultiply, x.clone(), x.clone(), e);
    let of = |function: F| builtin(function, vec![a.clone()], e);
    let inverse = |x: Expr| binary(B::ElementDivide, one(), x, e);
    Some(match function {
        F::Sin => of(F::Cos),
        F::Cos => negative(of(F::Sin)),
        F::Tan => binary(B::ElementAdd, one(), square(e), e),
        F::Asin => inverse(builtin(F::Sqrt, vec![binary(B::ElementSubtract, one(), square(a), e)], e)),
        F::Acos => negative(inverse(builtin(F::Sqrt, vec![binary(B::ElementSubtract, one(), square(a), e)], e))),
        F::Atan => inverse(binary(B::ElementAdd, one(), square(a), e)),
        F::Sinh => of(F::Cosh),
        F::Cosh => of(F::Sinh),
        F::Tanh => binary(B::ElementSubtract, one(), square(e), e),
        F::Exp => e.clone(),
        F::Log => inverse(a.clone()),
        F::Log10 => inverse(binary(B::ElementMultiply, a.clone(), number(std::f64::consts::LN_10, e.span), e)),
        F::Sqrt => inverse(binary(B::ElementMultiply, number(2.0, e.span), e.clone(), e)),
        F::Abs => {
            let sign = Expr {
                kind: ExprKind::Builtin(F::Sign, vec![a.clone()]),
                ty: Type { scalar: Scalar::Integer, dims: a.ty.dims.clone() },
                span: e.span,
            };
            Expr { kind: ExprKind::ToReal(Box::new(sign)), ty: e.ty.clone(), span: e.span }
        }
        _ => return None,
    })
}
