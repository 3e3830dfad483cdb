//! Compares the units of both sides of equations, of terms of sums and of sides of relations (`check --units`).
//!
//! Input: a flat model. Output: an error for each place where two units contradict each other. Method: the unit of an expression follows
//! from those of its variables; a scalar variable without a unit takes the one that an equation or sum outside of branches gives it, in
//! a few sweeps over the equations, and keeps it; then all places are compared. What is not known stays unknown and agrees with
//! everything: literals and constants, parameters whose unit is `1` (gains: they stand for a change of unit), functions of the user, unit
//! strings that are not known. Exported text has lost constants, final parameters that are one and the names of others: there no literal
//! and no unit `1` says anything, and components with a parameter that is one are left out (`exported`). Guarantee: reports only what
//! declared units contradict. Cost: linear in the model, times the number of sweeps, which is bounded.
//!
//! Codes: F039 units that do not agree.

mod exported;
pub mod unit;

use crate::frontend::flat::{
    BinaryOp, Builtin, Equation, EquationKind, Expr, ExprKind, FlatModel, Scalar, Statement, StatementKind, Subscript, UnaryOp, Value,
    VarId, Variability,
};
use cranelift_entity::SecondaryMap;
use exported::Ones;
use partita_grammar::{Diagnostic, Span, add_once};
use unit::Dimension;

/// So often the equations are gone through to find units.
const SWEEPS: usize = 4;
/// So many contradictions are shown.
const MOST: usize = 20;

/// What is known about the unit of an expression.
#[derive(Copy, Clone, Debug, PartialEq)]
enum Unit {
    /// A number that may have any unit in a sum and has none in a product.
    Number,
    /// May have any.
    Unknown,
    Known(Dimension),
}

/// The contradictions of units in a model; `is_exported` says that another tool wrote the text.
pub fn check(model: &FlatModel, is_exported: bool) -> Vec<Diagnostic> {
    let mut units = Units { model, of: SecondaryMap::new(), ones: is_exported.then(|| Ones::of(model)), branches: 0, found: None };
    for (var, variable) in model.vars.iter() {
        let declared = variable.attributes.unit.as_deref().and_then(Dimension::parse);
        let is_gain = (is_exported || variable.variability <= Variability::Parameter) && declared == Some(Dimension::ONE);
        units.of[var] = if is_gain { None } else { declared.map(|dimension| Origin { dimension, from: None }) };
    }
    for _ in 0..SWEEPS {
        if !units.sweep() {
            break;
        }
    }
    units.found = Some(Vec::new());
    units.sweep();
    units.found.unwrap_or_default()
}

/// A unit, and the equation it follows from if it is not declared.
#[derive(Copy, Clone, Debug)]
struct Origin {
    dimension: Dimension,
    from: Option<Span>,
}

/// The units of a model so far.
struct Units<'m> {
    model: &'m FlatModel,
    of: SecondaryMap<VarId, Option<Origin>>,
    /// Of exported text, where factors may have been left out.
    ones: Option<Ones<'m>>,
    /// Branches around the present place.
    branches: usize,
    /// Contradictions, once they are looked for; before, units are.
    found: Option<Vec<Diagnostic>>,
}

/// The scalar variable that an expression is, up to its sign.
fn lone(e: &Expr) -> Option<VarId> {
    match &e.kind {
        ExprKind::Var(var) if e.ty.is_scalar() => Some(*var),
        ExprKind::Unary(UnaryOp::Minus, inner) => lone(inner),
        _ => None,
    }
}

/// The variable that an expression is, or is an element of.
fn base(e: &Expr) -> Option<VarId> {
    match &e.kind {
        ExprKind::Var(var) => Some(*var),
        ExprKind::Index(inner, _) | ExprKind::Unary(UnaryOp::Minus, inner) => base(inner),
        _ => None,
    }
}

impl Units<'_> {
    /// Goes through the model once; whether a unit was found.
    fn sweep(&mut self) -> bool {
        let before = self.n_known();
        let model = self.model;
        for (var, variable) in model.vars.iter() {
            if let Some(binding) = &variable.binding {
                let value = self.of(binding);
                self.agree_with_variable(var, variable.span, binding, value);
            }
        }
        self.equations(&model.equations);
        self.equations(&model.initial_equations);
        for algorithm in model.algorithms.iter().chain(&model.initial_algorithms) {
            self.statements(&algorithm.statements);
        }
        self.n_known() > before
    }

    fn n_known(&self) -> usize {
        self.of.values().filter(|unit| unit.is_some()).count()
    }

    fn equations(&mut self, equations: &[Equation]) {
        for equation in equations {
            match &equation.kind {
                EquationKind::Equal(left, right) => {
                    let (a, b) = (self.of(left), self.of(right));
                    self.agree((left, a), (right, b), equation.span);
                }
                EquationKind::Tuple(_, call) | EquationKind::Call(call) => {
                    self.of(call);
                }
                EquationKind::For(_, _, body) => self.equations(body),
                EquationKind::If(branches, otherwise) => {
                    branches.iter().for_each(|(condition, body)| self.branch(condition, |units| units.equations(body)));
                    self.otherwise(|units| units.equations(otherwise));
                }
                EquationKind::When(branches) => {
                    branches.iter().for_each(|(condition, body)| self.branch(condition, |units| units.equations(body)));
                }
            }
        }
    }

    fn otherwise(&mut self, body: impl FnOnce(&mut Self)) {
        self.branches += 1;
        body(self);
        self.branches -= 1;
    }

    fn branch(&mut self, condition: &Expr, body: impl FnOnce(&mut Self)) {
        self.of(condition);
        self.otherwise(body);
    }

    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            match &statement.kind {
                StatementKind::Assign(target, value) => {
                    let (a, b) = (self.of(target), self.of(value));
                    self.agree((target, a), (value, b), statement.span);
                }
                StatementKind::Tuple(_, call) | StatementKind::Call(call) => {
                    self.of(call);
                }
                StatementKind::If(branches, otherwise) => {
                    branches.iter().for_each(|(condition, body)| self.branch(condition, |units| units.statements(body)));
                    self.otherwise(|units| units.statements(otherwise));
                }
                StatementKind::When(branches) => {
                    branches.iter().for_each(|(condition, body)| self.branch(condition, |units| units.statements(body)));
                }
                StatementKind::For(_, _, body) => self.statements(body),
                StatementKind::While(condition, body) => self.branch(condition, |units| units.statements(body)),
                StatementKind::Break | StatementKind::Return => {}
            }
        }
    }

    /// The unit of an expression; what it consists of is compared on the way.
    fn of(&mut self, e: &Expr) -> Unit {
        match &e.kind {
            ExprKind::Literal(_) if self.ones.is_some() => Unit::Unknown,
            ExprKind::Literal(Value::Real(value)) => literal(*value),
            ExprKind::Literal(_) => Unit::Number,
            ExprKind::Time => Unit::Known(Dimension::second()),
            ExprKind::Var(var) => self.variable(*var),
            ExprKind::Local(_) => {
                if e.ty.scalar == Scalar::Integer {
                    Unit::Number
                } else {
                    Unit::Unknown
                }
            }
            ExprKind::Index(array, subscripts) => {
                for subscript in subscripts {
                    if let Subscript::Index(at) | Subscript::Slice(at) = subscript {
                        self.of(at);
                    }
                }
                self.of(array)
            }
            ExprKind::Unary(_, inner) | ExprKind::ToReal(inner) => self.of(inner),
            ExprKind::Binary(..) => self.chain(e),
            ExprKind::If(condition, yes, no) => {
                self.of(condition);
                self.branches += 1;
                let (a, b) = (self.of(yes), self.of(no));
                let unit = self.agree((yes, a), (no, b), e.span);
                self.branches -= 1;
                unit
            }
            ExprKind::Builtin(builtin, arguments) => self.builtin(*builtin, arguments, e.span),
            ExprKind::Array(elements) => self.array(elements),
            ExprKind::Comprehension(body, _) => self.of(body),
            ExprKind::Call(_, parts) | ExprKind::NewObject(_, parts) | ExprKind::Record(_, parts) => {
                parts.iter().for_each(|part| _ = self.of(part));
                Unit::Unknown
            }
            ExprKind::Field(inner, _) => {
                self.of(inner);
                Unit::Unknown
            }
            ExprKind::Range(..) => Unit::Unknown,
        }
    }

    fn variable(&self, var: VarId) -> Unit {
        let variable = &self.model.vars[var];
        match self.of[var] {
            Some(origin) => Unit::Known(origin.dimension),
            None if variable.ty.scalar == Scalar::Integer => Unit::Number,
            None => Unit::Unknown,
        }
    }

    /// Elements may differ in their units; only what is the same for all is known of the whole.
    fn array(&mut self, elements: &[Expr]) -> Unit {
        let units: Vec<Unit> = elements.iter().map(|element| self.of(element)).collect();
        match units.first() {
            Some(first) if units.iter().all(|unit| unit == first) => *first,
            _ => Unit::Unknown,
        }
    }

    /// Binary operators; those in a row, which may be many, without recursion.
    fn chain(&mut self, e: &Expr) -> Unit {
        let mut operators = Vec::new();
        let mut first = e;
        while let ExprKind::Binary(op, left, right) = &first.kind {
            operators.push((*op, &**left, &**right, first.span));
            first = left;
        }
        let mut unit = self.of(first);
        while let Some((op, left, right, span)) = operators.pop() {
            let other = self.of(right);
            unit = self.binary(op, (left, unit), (right, other), span);
        }
        unit
    }

    fn binary(&mut self, op: BinaryOp, a: (&Expr, Unit), b: (&Expr, Unit), span: Span) -> Unit {
        use BinaryOp as B;
        match op {
            B::Add | B::Subtract | B::ElementAdd | B::ElementSubtract => self.agree(a, b, span),
            B::Less | B::LessEqual | B::Greater | B::GreaterEqual | B::Equal | B::NotEqual => {
                self.agree(a, b, span);
                Unit::Number
            }
            B::Or | B::And => Unit::Number,
            B::Multiply | B::ElementMultiply => product(a.1, b.1, 1),
            B::Divide | B::ElementDivide => product(a.1, b.1, -1),
            B::Power | B::ElementPower => power(a.1, b.0),
        }
    }

    fn builtin(&mut self, builtin: Builtin, arguments: &[Expr], span: Span) -> Unit {
        use Builtin as B;
        let units: Vec<Unit> = arguments.iter().map(|argument| self.of(argument)).collect();
        let first = units.first().copied().unwrap_or(Unit::Unknown);
        match builtin {
            B::Der => product(first, Unit::Known(Dimension::second()), -1),
            B::Abs | B::Pre | B::NoEvent | B::Delay | B::Floor | B::Ceil => first,
            B::Sum | B::MinArray | B::MaxArray | B::Diagonal | B::Promote | B::Fill => first,
            B::Transpose | B::Vector | B::Scalar | B::Matrix | B::Symmetric => first,
            B::Smooth => units.get(1).copied().unwrap_or(Unit::Unknown),
            B::Min | B::Max | B::Homotopy | B::Mod | B::Rem => match (arguments, units.as_slice()) {
                ([a, b], [ua, ub]) => self.agree((a, *ua), (b, *ub), span),
                _ => first,
            },
            B::Sqrt => root(first),
            B::Cross | B::OuterProduct => product(first, units.get(1).copied().unwrap_or(Unit::Unknown), 1),
            B::Sin | B::Cos | B::Tan | B::Asin | B::Acos | B::Atan | B::Atan2 => Unit::Number,
            B::Sinh | B::Cosh | B::Tanh | B::Exp | B::Log | B::Log10 | B::Sign => Unit::Number,
            B::Size | B::Ndims | B::IntegerOfEnum | B::Identity | B::Zeros | B::Ones => Unit::Number,
            _ => Unit::Unknown,
        }
    }

    /// Two expressions that have to have the same unit. While units are looked for, a variable without one takes that of the other side.
    fn agree(&mut self, a: (&Expr, Unit), b: (&Expr, Unit), span: Span) -> Unit {
        match (a.1, b.1) {
            (Unit::Known(left), Unit::Known(right)) => {
                if left != right {
                    self.contradiction(a.0, &left, b.0, &right, span);
                    return Unit::Unknown;
                }
                a.1
            }
            (Unit::Known(dimension), other) => self.learn(b.0, other, dimension, span),
            (other, Unit::Known(dimension)) => self.learn(a.0, other, dimension, span),
            (Unit::Number, Unit::Number) => Unit::Number,
            _ => Unit::Unknown,
        }
    }

    /// The unit of a variable and that of its binding.
    fn agree_with_variable(&mut self, var: VarId, span: Span, binding: &Expr, value: Unit) {
        let own = Expr { kind: ExprKind::Var(var), ty: self.model.vars[var].ty.clone(), span };
        let unit = self.variable(var);
        self.agree((&own, unit), (binding, value), span.to(binding.span));
    }

    /// Notes what an expression without a known unit must have.
    fn learn(&mut self, e: &Expr, unit: Unit, dimension: Dimension, span: Span) -> Unit {
        if unit == Unit::Unknown
            && self.branches == 0
            && self.found.is_none()
            && let Some(var) = lone(e)
            && self.may_learn(var)
            && !self.ones.as_ref().is_some_and(|ones| ones.concern(self.model, [e, e]))
        {
            self.of[var] = Some(Origin { dimension, from: Some(span) });
        }
        Unit::Known(dimension)
    }

    /// Constants and parameters are free: their numbers may stand for anything.
    fn may_learn(&self, var: VarId) -> bool {
        let variable = &self.model.vars[var];
        let is_free = variable.attributes.unit.is_none() && self.of[var].is_none();
        is_free && variable.ty.scalar == Scalar::Real && variable.variability > Variability::Parameter
    }

    fn contradiction(&mut self, a: &Expr, left: &Dimension, b: &Expr, right: &Dimension, span: Span) {
        if self.ones.as_ref().is_some_and(|ones| ones.concern(self.model, [a, b])) {
            return;
        }
        let (left_text, right_text) = (self.text(a, left), self.text(b, right));
        let notes = [a, b].map(|e| self.origin(e));
        let Some(found) = self.found.as_mut().filter(|found| found.len() < MOST) else { return };
        let mut error = Diagnostic::error("F039", format!("the units {left_text} and {right_text} do not agree"))
            .at(span, "")
            .at(a.span, format!("has the unit {left_text}"))
            .at(b.span, format!("has the unit {right_text}"));
        for (from, name) in notes.into_iter().flatten() {
            error = error.at(from, format!("gives `{name}` its unit"));
        }
        add_once(found, error);
    }

    /// A unit as it is declared, or in base units.
    fn text(&self, e: &Expr, dimension: &Dimension) -> String {
        let declared = base(e).and_then(|var| self.model.vars[var].attributes.unit.clone());
        declared.unwrap_or_else(|| dimension.to_string())
    }

    /// The equation that a variable has its unit from.
    fn origin(&self, e: &Expr) -> Option<(Span, String)> {
        let var = lone(e)?;
        Some((self.of[var]?.from?, self.model.vars[var].name.clone()))
    }
}

/// Numbers that people write as numbers; others may be quantities whose unit is not written.
fn literal(value: f64) -> Unit {
    let is_plain = value.abs() <= 4.0 && (4.0 * value).fract() == 0.0;
    if is_plain { Unit::Number } else { Unit::Unknown }
}

fn product(a: Unit, b: Unit, power: i32) -> Unit {
    match (a, b) {
        (Unit::Unknown, _) | (_, Unit::Unknown) => Unit::Unknown,
        (Unit::Known(a), Unit::Known(b)) => Unit::Known(a.times(&b, power)),
        (Unit::Known(a), Unit::Number) => Unit::Known(a),
        // `1/x`: the number may be a quantity as well, but a product with it is what is meant.
        (Unit::Number, Unit::Known(b)) => Unit::Known(Dimension::ONE.times(&b, power)),
        (Unit::Number, Unit::Number) => Unit::Number,
    }
}

fn root(unit: Unit) -> Unit {
    match unit {
        Unit::Known(dimension) => dimension.power(0.5).map_or(Unit::Unknown, Unit::Known),
        other => other,
    }
}

fn power(unit: Unit, exponent: &Expr) -> Unit {
    let value = match &exponent.kind {
        ExprKind::Literal(Value::Real(value)) => Some(*value),
        ExprKind::Literal(Value::Integer(value)) => Some(*value as f64),
        ExprKind::ToReal(inner) => match inner.kind {
            ExprKind::Literal(Value::Integer(value)) => Some(value as f64),
            _ => None,
        },
        _ => None,
    };
    match (unit, value) {
        (Unit::Known(Dimension::ONE), _) => unit,
        (Unit::Known(dimension), Some(value)) => dimension.power(value).map_or(Unit::Unknown, Unit::Known),
        (Unit::Number, _) => Unit::Number,
        _ => Unit::Unknown,
    }
}
