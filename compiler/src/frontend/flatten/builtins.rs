//! Types calls of built-in operators and functions.
//!
//! Input: a call of one of Modelica's own functions. Output: `ExprKind::Builtin` with its arguments by position, options
//! filled in (`assert` always has its level, `String` its options), and the type and size of the result.
//! Sizes given by values (`zeros(n)`) are evaluated; inside functions they may stay open.

use super::types::{merged_dims, shapes_agree, to_real};
use super::{Checked, Flattener, Scope};
use crate::frontend::flat::construct::integer_literal;
use crate::frontend::flat::{Builtin, Expr, ExprKind, Scalar, Type, Value};
use partita_grammar::ast::{self, CallArguments};
use partita_grammar::{Diagnostic, Span};

const TABLE: &[(&str, Builtin)] = &[
    ("sin", Builtin::Sin),
    ("cos", Builtin::Cos),
    ("tan", Builtin::Tan),
    ("asin", Builtin::Asin),
    ("acos", Builtin::Acos),
    ("atan", Builtin::Atan),
    ("atan2", Builtin::Atan2),
    ("sinh", Builtin::Sinh),
    ("cosh", Builtin::Cosh),
    ("tanh", Builtin::Tanh),
    ("exp", Builtin::Exp),
    ("log", Builtin::Log),
    ("log10", Builtin::Log10),
    ("sqrt", Builtin::Sqrt),
    ("abs", Builtin::Abs),
    ("sign", Builtin::Sign),
    ("div", Builtin::Div),
    ("mod", Builtin::Mod),
    ("rem", Builtin::Rem),
    ("ceil", Builtin::Ceil),
    ("floor", Builtin::Floor),
    ("integer", Builtin::IntegerFloor),
    ("String", Builtin::String),
    ("min", Builtin::Min),
    ("max", Builtin::Max),
    ("der", Builtin::Der),
    ("pre", Builtin::Pre),
    ("edge", Builtin::Edge),
    ("change", Builtin::Change),
    ("initial", Builtin::Initial),
    ("terminal", Builtin::Terminal),
    ("sample", Builtin::Sample),
    ("reinit", Builtin::Reinit),
    ("noEvent", Builtin::NoEvent),
    ("smooth", Builtin::Smooth),
    ("homotopy", Builtin::Homotopy),
    ("semiLinear", Builtin::SemiLinear),
    ("delay", Builtin::Delay),
    ("spatialDistribution", Builtin::SpatialDistribution),
    ("cardinality", Builtin::Cardinality),
    ("assert", Builtin::Assert),
    ("terminate", Builtin::Terminate),
    ("print", Builtin::Print),
    ("size", Builtin::Size),
    ("ndims", Builtin::Ndims),
    ("scalar", Builtin::Scalar),
    ("vector", Builtin::Vector),
    ("matrix", Builtin::Matrix),
    ("identity", Builtin::Identity),
    ("diagonal", Builtin::Diagonal),
    ("zeros", Builtin::Zeros),
    ("ones", Builtin::Ones),
    ("fill", Builtin::Fill),
    ("linspace", Builtin::Linspace),
    ("sum", Builtin::Sum),
    ("product", Builtin::Product),
    ("transpose", Builtin::Transpose),
    ("outerProduct", Builtin::OuterProduct),
    ("symmetric", Builtin::Symmetric),
    ("cross", Builtin::Cross),
    ("skew", Builtin::Skew),
    ("cat", Builtin::Cat),
    ("promote", Builtin::Promote),
    ("array", Builtin::Array),
];

/// The built-in function of a name.
pub(in crate::frontend) fn builtin_named(name: &str) -> Option<Builtin> {
    TABLE.iter().find(|(n, _)| *n == name).map(|(_, b)| *b)
}

/// Names of built-in functions, for suggestions.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    TABLE.iter().map(|(n, _)| *n)
}

/// Operators of synchronous Modelica.
pub(super) fn is_clock_operator(name: &str) -> bool {
    matches!(
        name,
        "Clock"
            | "previous"
            | "hold"
            | "subSample"
            | "superSample"
            | "shiftSample"
            | "backSample"
            | "noClock"
            | "interval"
            | "firstTick"
            | "transition"
            | "initialState"
            | "activeState"
            | "ticksInState"
            | "timeInState"
    )
}

/// Names of the arguments, and how many of them must be given.
fn signature(builtin: Builtin) -> (&'static [&'static str], usize) {
    use Builtin as B;
    match builtin {
        B::Atan2 => (&["u1", "u2"], 2),
        B::Div | B::Mod | B::Rem => (&["x", "y"], 2),
        B::Min | B::Max => (&["x", "y"], 1),
        B::Initial | B::Terminal => (&[], 0),
        B::Sample => (&["start", "interval"], 2),
        B::Reinit => (&["x", "expr"], 2),
        B::Smooth => (&["p", "expr"], 2),
        B::Homotopy => (&["actual", "simplified"], 2),
        B::SemiLinear => (&["x", "positiveSlope", "negativeSlope"], 3),
        B::Delay => (&["expr", "delayTime", "delayMax"], 2),
        B::SpatialDistribution => (&["in0", "in1", "x", "positiveVelocity", "initialPoints", "initialValues"], 4),
        B::Assert => (&["condition", "message", "level"], 2),
        B::Terminate | B::Print => (&["message"], 1),
        B::Size => (&["a", "i"], 1),
        B::Identity => (&["n"], 1),
        B::Linspace => (&["x1", "x2", "n"], 3),
        B::OuterProduct => (&["v1", "v2"], 2),
        B::Cross => (&["x", "y"], 2),
        B::Promote => (&["a", "n"], 2),
        _ => (&["x"], 1),
    }
}

fn boolean() -> Type {
    Type::scalar(Scalar::Boolean)
}

pub(super) fn real() -> Type {
    Type::scalar(Scalar::Real)
}

pub(super) fn integer() -> Type {
    Type::scalar(Scalar::Integer)
}

fn is_numeric(e: &Expr) -> bool {
    matches!(e.ty.scalar, Scalar::Real | Scalar::Integer)
}

impl<'a> Flattener<'a> {
    /// Types a call of a built-in function.
    pub(super) fn builtin_call(
        &mut self,
        builtin: Builtin,
        name: &str,
        arguments: &'a CallArguments,
        span: Span,
        scope: &mut Scope<'a>,
        expected: Option<&Type>,
    ) -> Checked<Expr> {
        use Builtin as B;
        if scope.function.is_some() {
            let model_only = builtin.is_of_time() || builtin == B::Reinit;
            if model_only {
                return Err(self.error(
                    Diagnostic::error("F025", format!("`{name}` cannot be used in a function")).at(span, "a function knows no time"),
                ));
            }
        }
        if !arguments.iterators.is_empty() {
            return self.reduction_call(builtin, name, arguments, span, scope);
        }
        match builtin {
            B::String => return self.string_call(arguments, span, scope),
            B::Zeros | B::Ones | B::Fill | B::Cat | B::Array => return self.variadic(builtin, name, arguments, span, scope, expected),
            B::Size => {
                if let Some(sizes) = self.declared_sizes(arguments, span, scope) {
                    return sizes;
                }
            }
            B::Cardinality => {
                return Err(
                    self.error(Diagnostic::error("F010", "`cardinality` belongs to connectors").at(span, "needs a hierarchical front end"))
                );
            }
            B::Sample if arguments.positional.len() + arguments.named.len() == 1 => {
                return Err(self.error(Diagnostic::error("F009", "`sample` of a clock: clocks are not supported").at(span, "")));
            }
            _ => {}
        }
        let (names, n_needed) = signature(builtin);
        let names: Vec<String> = names.iter().map(|n| (*n).to_owned()).collect();
        let names = if arguments.named.is_empty() { names } else { self.renamed(builtin, names, arguments) };
        let matched = self.matched(name, &names, arguments, span)?;
        if let Some(missing) = matched[..n_needed].iter().position(Option::is_none) {
            return Err(
                self.error(Diagnostic::error("F013", format!("the argument `{}` of `{name}` is missing", names[missing])).at(span, ""))
            );
        }
        let passes_type = matches!(builtin, B::NoEvent | B::Pre | B::Homotopy | B::Smooth);
        let mut values = Vec::with_capacity(matched.len());
        for (i, argument) in matched.iter().enumerate() {
            let Some(argument) = argument else { break };
            let level = (builtin == B::Assert && i == 2).then(|| self.assertion_level()).flatten();
            let expected = level.as_ref().or(if passes_type { expected } else { None });
            values.push(self.expr(argument, scope, expected));
        }
        let values = values.into_iter().collect::<Checked<Vec<_>>>()?;
        if builtin == B::Der {
            self.warn_of_zero_derivative(&values[0], span);
        }
        self.typed_builtin(builtin, name, values, span, scope)
    }

    /// `size` of an array of records whose elements are declared one by one: it has sizes although it has no type.
    fn declared_sizes(&mut self, arguments: &'a CallArguments, span: Span, scope: &mut Scope<'a>) -> Option<Checked<Expr>> {
        let (ast::ExprKind::Ref(reference), Some(dimension)) = (&arguments.positional.first()?.kind, arguments.positional.get(1)) else {
            return None;
        };
        if scope.function.is_some() || self.speculate(|f| f.reference(reference, scope, None)).is_ok() {
            return None;
        }
        let sizes = self.element_sizes(reference)?;
        let dimension = self.expr(dimension, scope, None).and_then(|d| self.try_eval(&d)).ok()?;
        let Some(Value::Integer(i)) = dimension else { return None };
        let size = usize::try_from(i - 1).ok().and_then(|i| sizes.get(i))?;
        Some(Ok(integer_literal(*size as i64, span)))
    }

    /// Some arguments have several names in use.
    fn renamed(&self, builtin: Builtin, mut names: Vec<String>, arguments: &CallArguments) -> Vec<String> {
        if names.len() == 1
            && arguments.named.len() == 1
            && builtin != Builtin::String
            && let Some((name, _)) = arguments.named.first()
            && matches!(name.unquoted(), "u" | "v" | "y" | "n" | "a" | "e" | "expr")
        {
            names[0] = name.unquoted().to_owned();
        }
        names
    }

    pub(super) fn assertion_level(&mut self) -> Option<Type> {
        let literals = vec!["warning".to_owned(), "error".to_owned()];
        Some(Type::scalar(Scalar::Enumeration(self.named_enum("AssertionLevel", literals))))
    }

    pub(super) fn numbers(&mut self, name: &str, values: &[Expr]) -> Checked<()> {
        for value in values {
            if !is_numeric(value) {
                let text = self.type_text(&value.ty);
                let mut error =
                    Diagnostic::error("F011", format!("`{name}` needs numbers, not {text}")).at(value.span, format!("is {text}"));
                if value.ty.scalar == Scalar::Boolean {
                    error = error.with_hint("Booleans are no numbers in Modelica; write `if b then 1 else 0`");
                }
                return Err(self.error(error));
            }
        }
        Ok(())
    }

    /// Sizes of arguments that act element by element; scalars go with every element.
    pub(super) fn elementwise(&mut self, name: &str, values: &[Expr], span: Span) -> Checked<Vec<Option<usize>>> {
        let mut dims: Vec<Option<usize>> = Vec::new();
        for value in values.iter().filter(|v| !v.ty.is_scalar()) {
            if dims.is_empty() {
                dims = value.ty.dims.clone();
            } else if shapes_agree(&dims, &value.ty.dims) {
                dims = merged_dims(&dims, &value.ty.dims);
            } else {
                return Err(self.error(Diagnostic::error("F012", format!("the arguments of `{name}` differ in size")).at(span, "")));
            }
        }
        Ok(dims)
    }

    pub(super) fn array_argument(&mut self, name: &str, value: &Expr, n_dims: &[usize]) -> Checked<()> {
        if n_dims.contains(&value.ty.dims.len()) {
            return Ok(());
        }
        let text = self.type_text(&value.ty);
        let words: Vec<&str> = n_dims
            .iter()
            .map(|n| match n {
                0 => "scalar",
                1 => "vector",
                2 => "matrix",
                _ => "array",
            })
            .collect();
        Err(self.error(Diagnostic::error("F012", format!("`{name}` needs a {}", words.join(" or "))).at(value.span, format!("is {text}"))))
    }

    fn typed_builtin(&mut self, builtin: Builtin, name: &str, mut values: Vec<Expr>, span: Span, scope: &mut Scope<'a>) -> Checked<Expr> {
        use Builtin as B;
        let made = |builtin: Builtin, values: Vec<Expr>, ty: Type| Expr { kind: ExprKind::Builtin(builtin, values), ty, span };
        match builtin {
            _ if is_elementwise(builtin) => {
                self.numbers(name, &values)?;
                let dims = self.elementwise(name, &values, span)?;
                let values = values.into_iter().map(to_real).collect();
                Ok(made(builtin, values, Type { scalar: Scalar::Real, dims }))
            }
            B::Abs => {
                self.numbers(name, &values)?;
                let ty = values[0].ty.clone();
                Ok(made(builtin, values, ty))
            }
            B::Sign | B::IntegerFloor => {
                self.numbers(name, &values)?;
                let ty = Type { scalar: Scalar::Integer, dims: values[0].ty.dims.clone() };
                if builtin == B::IntegerFloor && values[0].ty.scalar == Scalar::Integer {
                    return Ok(values.swap_remove(0));
                }
                Ok(made(builtin, values.into_iter().map(to_real).collect(), ty))
            }
            B::Div | B::Mod | B::Rem => {
                self.numbers(name, &values)?;
                let dims = self.elementwise(name, &values, span)?;
                let values = self.two_common(values, name)?;
                let ty = Type { scalar: values[0].ty.scalar, dims };
                Ok(made(builtin, values, ty))
            }
            B::Min | B::Max => {
                if values.len() == 1 {
                    return self.reduce(builtin, values.swap_remove(0), span, name);
                }
                for value in &values {
                    self.array_argument(name, value, &[0])?;
                }
                let values = self.two_common(values, name)?;
                let ty = values[0].ty.clone();
                Ok(made(builtin, values, ty))
            }
            B::Sum | B::Product => {
                self.numbers(name, &values)?;
                self.reduce(builtin, values.swap_remove(0), span, name)
            }
            _ => self.typed_operator(builtin, name, values, span, scope),
        }
    }

    /// Operators that look at time, make events or messages.
    fn typed_operator(&mut self, builtin: Builtin, name: &str, mut values: Vec<Expr>, span: Span, scope: &mut Scope<'a>) -> Checked<Expr> {
        use Builtin as B;
        let made = |builtin: Builtin, values: Vec<Expr>, ty: Type| Expr { kind: ExprKind::Builtin(builtin, values), ty, span };
        match builtin {
            B::Der => {
                self.numbers(name, &values)?;
                // A literal may be what an exporter made of a parameter.
                if values[0].ty.scalar == Scalar::Integer && !matches!(values[0].kind, ExprKind::Literal(_)) {
                    return Err(self.error(
                        Diagnostic::error("F011", "`der` needs a Real, not an Integer")
                            .at(values[0].span, "is Integer")
                            .with_hint("an Integer changes at events only and has no derivative"),
                    ));
                }
                let dims = values[0].ty.dims.clone();
                Ok(made(builtin, values.into_iter().map(to_real).collect(), Type { scalar: Scalar::Real, dims }))
            }
            B::Pre | B::NoEvent => {
                let ty = values[0].ty.clone();
                Ok(made(builtin, values, ty))
            }
            B::Edge | B::Change => {
                if builtin == B::Edge {
                    let value = values.swap_remove(0);
                    let ty = Type { scalar: Scalar::Boolean, dims: value.ty.dims.clone() };
                    values.push(self.fit(value, &ty, "the argument of `edge`")?);
                }
                let ty = Type { scalar: Scalar::Boolean, dims: values[0].ty.dims.clone() };
                Ok(made(builtin, values, ty))
            }
            B::Initial | B::Terminal => Ok(made(builtin, values, boolean())),
            B::Sample => {
                let values = self.fit_all(name, values, &[real(), real()])?;
                Ok(made(builtin, values, boolean()))
            }
            B::Reinit => self.reinit_operator(values, span, scope),
            B::Smooth => {
                let value = values.swap_remove(1);
                let order = values.swap_remove(0);
                let order = self.fit(order, &integer(), "the order of `smooth`")?;
                let ty = value.ty.clone();
                Ok(made(builtin, vec![order, value], ty))
            }
            B::Delay => {
                self.numbers(name, &values)?;
                let dims = values[0].ty.dims.clone();
                let values = values.into_iter().map(to_real).collect();
                Ok(made(builtin, values, Type { scalar: Scalar::Real, dims }))
            }
            B::SpatialDistribution => {
                let vector = Type { scalar: Scalar::Real, dims: vec![None] };
                let values = self.fit_all(name, values, &[real(), real(), real(), boolean(), vector.clone(), vector])?;
                Ok(made(builtin, values, real()))
            }
            B::Assert => self.assert_operator(name, values, span),
            B::Terminate | B::Print => {
                let values = self.fit_all(name, values, &[Type::scalar(Scalar::String)])?;
                Ok(made(builtin, values, boolean()))
            }
            _ => self.array_function(builtin, name, values, span),
        }
    }

    fn reinit_operator(&mut self, mut values: Vec<Expr>, span: Span, scope: &Scope<'a>) -> Checked<Expr> {
        let value = values.swap_remove(1);
        let state = values.swap_remove(0);
        if !is_variable(&state) || state.ty.scalar != Scalar::Real {
            return Err(self.error(Diagnostic::error("F025", "`reinit` needs a Real variable").at(state.span, "")));
        }
        if !scope.in_when {
            return Err(self.error(Diagnostic::error("F025", "`reinit` may only stand in `when`").at(span, "")));
        }
        let value = self.fit(value, &state.ty.clone(), "the new value in `reinit`")?;
        Ok(Expr { kind: ExprKind::Builtin(Builtin::Reinit, vec![state, value]), ty: boolean(), span })
    }

    fn assert_operator(&mut self, name: &str, mut values: Vec<Expr>, span: Span) -> Checked<Expr> {
        let string = Type::scalar(Scalar::String);
        let Some(level) = self.assertion_level() else {
            return Err(self.error(Diagnostic::error("F005", "unknown type `AssertionLevel`")));
        };
        if values.len() < 3 {
            let Scalar::Enumeration(id) = level.scalar else {
                return Err(self.error(Diagnostic::error("F005", "unknown type `AssertionLevel`")));
            };
            values.push(Expr { kind: ExprKind::Literal(Value::Enumeration(id, 2)), ty: level.clone(), span });
        }
        let values = self.fit_all(name, values, &[boolean(), string, level])?;
        Ok(Expr { kind: ExprKind::Builtin(Builtin::Assert, values), ty: boolean(), span })
    }

    pub(super) fn two_common(&mut self, mut values: Vec<Expr>, name: &str) -> Checked<Vec<Expr>> {
        let b = values.swap_remove(1);
        let a = values.swap_remove(0);
        let (a, b) = self.common_type(a, b, &format!("the arguments of `{name}`"))?;
        Ok(vec![a, b])
    }

    pub(super) fn fit_all(&mut self, name: &str, values: Vec<Expr>, types: &[Type]) -> Checked<Vec<Expr>> {
        let fitted: Vec<Checked<Expr>> = values
            .into_iter()
            .zip(types)
            .enumerate()
            .map(|(i, (value, ty))| self.fit(value, ty, &format!("argument {} of `{name}`", i + 1)))
            .collect();
        fitted.into_iter().collect()
    }

    /// `String(x, ...)` with its options in the order minimumLength, leftJustified, significantDigits, or the format.
    fn string_call(&mut self, arguments: &'a CallArguments, span: Span, scope: &mut Scope<'a>) -> Checked<Expr> {
        let Some(first) = arguments.positional.first() else {
            return Err(self.error(Diagnostic::error("F013", "`String` needs a value").at(span, "")));
        };
        let value = self.expr(first, scope, None)?;
        if !value.ty.is_scalar() || matches!(value.ty.scalar, Scalar::Record(_) | Scalar::Object(_)) {
            let text = self.type_text(&value.ty);
            return Err(self.error(Diagnostic::error("F011", "`String` needs a scalar").at(value.span, format!("is {text}"))));
        }
        let is_real = value.ty.scalar == Scalar::Real;
        let positional: &[&str] =
            if is_real { &["significantDigits", "minimumLength", "leftJustified"] } else { &["minimumLength", "leftJustified"] };
        let mut options: Vec<(&str, &'a ast::Expr)> = Vec::new();
        for (i, e) in arguments.positional[1..].iter().enumerate() {
            let Some(name) = positional.get(i) else {
                return Err(self.error(Diagnostic::error("F013", "`String` has too many arguments").at(span, "")));
            };
            options.push((name, e));
        }
        for (name, e) in &arguments.named {
            if !matches!(name.unquoted(), "significantDigits" | "minimumLength" | "leftJustified" | "format") {
                let text = name.unquoted();
                return Err(self.error(Diagnostic::error("F013", format!("`String` has no option `{text}`")).at(name.span, "")));
            }
            options.push((name.unquoted(), e));
        }
        let mut minimum = integer_literal(0, span);
        let mut left = Expr { kind: ExprKind::Literal(Value::Boolean(true)), ty: boolean(), span };
        let mut digits = integer_literal(6, span);
        let ty = Type::scalar(Scalar::String);
        for (name, e) in options {
            let option = self.expr(e, scope, None)?;
            // A format string may also stand in the first place after the value.
            if name == "format" || option.ty.scalar == Scalar::String {
                let format = self.fit(option, &ty, "the format of `String`")?;
                return Ok(Expr { kind: ExprKind::Builtin(Builtin::String, vec![value, format]), ty, span });
            }
            match name {
                "minimumLength" => minimum = self.fit(option, &integer(), "the minimum length")?,
                "leftJustified" => left = self.fit(option, &boolean(), "`leftJustified`")?,
                _ => digits = self.fit(option, &integer(), "the number of significant digits")?,
            }
        }
        let mut values = vec![value, minimum, left];
        if is_real {
            values.push(digits);
        }
        Ok(Expr { kind: ExprKind::Builtin(Builtin::String, values), ty, span })
    }

    pub(super) fn size_value(&mut self, name: &str, value: Expr) -> Checked<(Option<usize>, Expr)> {
        let value = self.fit(value, &integer(), &format!("a size in `{name}`"))?;
        let size = match self.try_eval(&value)? {
            Some(Value::Integer(n)) => match usize::try_from(n) {
                Ok(n) => Some(n),
                Err(_) => return Err(self.error(Diagnostic::error("F020", format!("the size {n} is negative")).at(value.span, ""))),
            },
            _ => None,
        };
        Ok((size, value))
    }

    /// Functions with any number of arguments.
    fn variadic(
        &mut self,
        builtin: Builtin,
        name: &str,
        arguments: &'a CallArguments,
        span: Span,
        scope: &mut Scope<'a>,
        expected: Option<&Type>,
    ) -> Checked<Expr> {
        use Builtin as B;
        if let Some((named, _)) = arguments.named.first() {
            let text = named.unquoted().to_owned();
            return Err(self.error(Diagnostic::error("F013", format!("`{name}` has no input `{text}`")).at(named.span, "")));
        }
        let element = expected.filter(|_| builtin == B::Fill).map(|t| Type::scalar(t.scalar));
        let values: Vec<Checked<Expr>> = arguments.positional.iter().map(|e| self.expr(e, scope, element.as_ref())).collect();
        let mut values = values.into_iter().collect::<Checked<Vec<_>>>()?;
        let n_needed = match builtin {
            B::Fill | B::Cat => 2,
            _ => 1,
        };
        if values.len() < n_needed {
            return Err(self.error(Diagnostic::error("F013", format!("`{name}` needs at least {n_needed} arguments")).at(span, "")));
        }
        match builtin {
            B::Array => self.array_of(values, span),
            B::Cat => {
                let along = values.remove(0);
                let along = self.fit(along, &integer(), "the dimension of `cat`")?;
                match self.try_eval(&along)? {
                    Some(Value::Integer(k)) if k >= 1 => self.concatenate(k as usize - 1, values, span),
                    _ => Err(self.error(Diagnostic::error("F020", "the dimension of `cat` must be known").at(along.span, ""))),
                }
            }
            _ => {
                let filler = (builtin == B::Fill).then(|| values.remove(0));
                let mut ty = filler.as_ref().map_or(integer(), |f| f.ty.clone());
                let mut dims = Vec::with_capacity(values.len());
                let mut arguments: Vec<Expr> = filler.into_iter().collect();
                for value in values {
                    let (size, value) = self.size_value(name, value)?;
                    dims.push(size);
                    arguments.push(value);
                }
                dims.append(&mut ty.dims);
                ty.dims = dims;
                let made = Expr { kind: ExprKind::Builtin(builtin, arguments), ty, span };
                self.known_size(&made, scope)?;
                Ok(made)
            }
        }
    }
}

/// Functions of numbers, element by element, with a Real result.
fn is_elementwise(builtin: Builtin) -> bool {
    use Builtin as B;
    let of_one = matches!(builtin, B::Sin | B::Cos | B::Tan | B::Asin | B::Acos | B::Atan | B::Sinh | B::Cosh | B::Tanh);
    let others = matches!(builtin, B::Exp | B::Log | B::Log10 | B::Sqrt | B::Ceil | B::Floor | B::Atan2 | B::Homotopy | B::SemiLinear);
    of_one || others
}

/// A variable, or an element or field of one.
fn is_variable(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Var(_) | ExprKind::Local(_) => true,
        ExprKind::Index(e, _) | ExprKind::Field(e, _) => is_variable(e),
        ExprKind::Array(es) | ExprKind::Record(_, es) => es.iter().all(is_variable),
        _ => false,
    }
}
