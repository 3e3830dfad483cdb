//! Expressions: operators by pest's Pratt parser, calls and their arguments, arrays, literals.

use super::*;

/// From the loosest to the tightest; the second entry starts a new level.
static OPERATORS: ConstPrattParser<Rule, 12> = ConstPrattParser::new_const([
    (Op::infix(Rule::range_op, Assoc::Left), true),
    (Op::infix(Rule::or_op, Assoc::Left), true),
    (Op::infix(Rule::and_op, Assoc::Left), true),
    (Op::prefix(Rule::not_op), true),
    (Op::infix(Rule::rel_op, Assoc::Left), true),
    (Op::infix(Rule::add_op, Assoc::Left), true),
    (Op::prefix(Rule::sign), true),
    (Op::infix(Rule::mul_op, Assoc::Left), true),
    (Op::infix(Rule::pow_op, Assoc::Left), true),
    (Op::postfix(Rule::call_arguments), true),
    (Op::postfix(Rule::subscripts), false),
    (Op::postfix(Rule::field), false),
]);

/// The longest run of subscripts and fields behind a call or parentheses, each of which nests the tree once.
const MOST_ACCESSES: usize = 50;

impl Builder<'_> {
    pub(super) fn no_expression(&self, what: &str, span: Span) -> Expr {
        self.missing(what, span);
        Expr { kind: ExprKind::Tuple(Vec::new()), span }
    }

    pub(super) fn expression(&self, pair: Pair) -> Expr {
        let mut inner = pair.clone().into_inner();
        // Most expressions are a single operand, or a name with subscripts or arguments.
        if inner.len() <= 2
            && let Some(first) = inner.next()
        {
            match inner.next() {
                None => return self.operand(first),
                Some(second) if is_postfix(&second) => return self.postfix_operation(self.operand(first), second),
                Some(_) => inner = pair.into_inner(),
            }
        }
        OPERATORS
            .map_primary(|p| self.operand(p))
            .map_prefix(|op, operand| self.prefix_operation(&op, operand))
            .map_postfix(|operand, op| self.postfix_operation(operand, op))
            .map_infix(|left, op, right| self.infix_operation(left, &op, right))
            .parse(inner)
    }

    fn operand(&self, pair: Pair) -> Expr {
        let span = self.span(&pair);
        let kind = match pair.as_rule() {
            Rule::number => self.number(&pair, span),
            Rule::name => ExprKind::Ref(ComponentRef { global: pair.as_str().starts_with('.'), parts: plain_parts(&pair), span }),
            Rule::string => ExprKind::String(unescape(pair.as_str())),
            Rule::negative => match pair.into_inner().next() {
                Some(p) => ExprKind::Unary(UnaryOp::Minus, Box::new(self.operand(p))),
                None => return self.no_expression("a number", span),
            },
            Rule::boolean => ExprKind::Boolean(pair.as_str() == "true"),
            Rule::end_index => ExprKind::End,
            Rule::keyword_function => return self.keyword_function(&pair),
            Rule::tuple => return self.tuple(pair),
            Rule::if_expression => self.if_expression(pair, span),
            Rule::array => self.array(pair),
            Rule::matrix => ExprKind::Matrix(pair.into_inner().map(|row| row.into_inner().map(|p| self.expression(p)).collect()).collect()),
            _ => {
                self.unexpected(&pair, "an expression");
                ExprKind::End
            }
        };
        Expr { kind, span }
    }

    fn number(&self, pair: &Pair, span: Span) -> ExprKind {
        let text = pair.as_str();
        if text.bytes().all(|b| b.is_ascii_digit()) {
            return match text.parse::<i64>() {
                Ok(value) => ExprKind::Integer(value),
                Err(_) => {
                    self.error(
                        Diagnostic::error("P010", "this whole number does not fit 64 bits")
                            .at(span, format!("the largest is {}", i64::MAX))
                            .with_hint("write it as a Real, with a point or an exponent"),
                    );
                    ExprKind::Integer(0)
                }
            };
        }
        let value = text.parse::<f64>().unwrap_or(f64::NAN);
        let is_zero = !text.split(['e', 'E']).next().unwrap_or("").bytes().any(|b| (b'1'..=b'9').contains(&b));
        if !value.is_finite() || (value == 0.0 && !is_zero) {
            let limit = if value == 0.0 { "the smallest is about 4.9e-324" } else { "the largest is about 1.8e308" };
            self.error(Diagnostic::error("P010", "this number is outside the range of Real").at(span, limit));
        }
        ExprKind::Real(value)
    }

    pub(super) fn keyword_function(&self, pair: &Pair) -> Expr {
        let name = self.ident(pair);
        let span = name.span;
        Expr { kind: ExprKind::Ref(ComponentRef { global: false, parts: vec![RefPart { name, subscripts: Vec::new() }], span }), span }
    }

    pub(super) fn tuple(&self, pair: Pair) -> Expr {
        let span = self.span(&pair);
        let mut entries: Vec<Option<Expr>> = Vec::new();
        let mut open = true;
        for p in pair.into_inner() {
            if p.as_rule() == Rule::gap {
                if open {
                    entries.push(None);
                }
                open = true;
            } else {
                entries.push(Some(self.expression(p)));
                open = false;
            }
        }
        // `(a, )` has an empty last entry; `(a)` and `()` have none.
        if open && !entries.is_empty() {
            entries.push(None);
        }
        if entries.is_empty() {
            self.error(Diagnostic::error("P017", "nothing stands between these parentheses").at(span, "an expression belongs here"));
        }
        let kind = match (entries.len(), entries.pop()) {
            (1, Some(Some(only))) => ExprKind::Parenthesised(Box::new(only)),
            (_, last) => {
                entries.extend(last);
                ExprKind::Tuple(entries)
            }
        };
        Expr { kind, span }
    }

    fn array(&self, pair: Pair) -> ExprKind {
        let mut entries = Vec::new();
        let mut iterators = None;
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::iterators => iterators = Some(self.iterators(p)),
                _ => entries.push(self.expression(p)),
            }
        }
        match (iterators, entries.len(), entries.pop()) {
            (Some(iterators), 1, Some(entry)) => ExprKind::Comprehension(Box::new(entry), iterators),
            (_, _, last) => {
                entries.extend(last);
                ExprKind::Array(entries)
            }
        }
    }

    fn if_expression(&self, pair: Pair, span: Span) -> ExprKind {
        let mut branches = Vec::with_capacity(1);
        let mut condition = None;
        for p in pair.into_inner() {
            let value = self.expression(p);
            match condition.take() {
                None => condition = Some(value),
                Some(condition) => branches.push((condition, value)),
            }
        }
        let otherwise = condition.unwrap_or_else(|| self.no_expression("the value after `else`", span));
        ExprKind::If { branches, otherwise: Box::new(otherwise) }
    }

    fn prefix_operation(&self, op: &Pair, operand: Expr) -> Expr {
        let unary = match op.as_str() {
            "-" => UnaryOp::Minus,
            "+" => UnaryOp::Plus,
            ".-" => UnaryOp::ElementMinus,
            ".+" => UnaryOp::ElementPlus,
            _ => UnaryOp::Not,
        };
        let span = self.span(op).to(operand.span);
        Expr { kind: ExprKind::Unary(unary, Box::new(operand)), span }
    }

    fn postfix_operation(&self, mut operand: Expr, op: Pair) -> Expr {
        let span = operand.span.to(self.span(&op));
        if op.as_rule() == Rule::call_arguments {
            return self.call(operand, op);
        }
        // Behind a name they belong to the name.
        if let ExprKind::Ref(reference) = &mut operand.kind {
            match op.as_rule() {
                Rule::subscripts => self.subscribe(reference, op),
                _ => reference.parts.extend(plain_parts(&op)),
            }
            reference.span = span;
            operand.span = span;
            return operand;
        }
        let new = if op.as_rule() == Rule::subscripts { 1 } else { op.as_str().matches('.').count() };
        if accesses(&operand) + new > MOST_ACCESSES {
            self.error(
                Diagnostic::error("P005", format!("more than {MOST_ACCESSES} subscripts and fields behind one another"))
                    .at(span, "")
                    .with_hint("give inner parts names of their own"),
            );
            return Expr { kind: ExprKind::End, span };
        }
        if op.as_rule() == Rule::subscripts {
            return Expr { kind: ExprKind::Subscripted(Box::new(operand), self.subscripts(op)), span };
        }
        for field in idents(&op) {
            let span = operand.span.to(field.span);
            operand = Expr { kind: ExprKind::Field(Box::new(operand), field), span };
        }
        operand
    }

    fn infix_operation(&self, left: Expr, op: &Pair, right: Expr) -> Expr {
        let span = left.span.to(right.span);
        if op.as_rule() == Rule::range_op {
            return self.range(left, right, span);
        }
        let Some(binary) = binary_op(op.as_str()) else {
            self.unexpected(op, "an expression");
            return left;
        };
        let kind = match op.as_rule() {
            Rule::rel_op | Rule::pow_op => {
                if let ExprKind::Binary(inner, ..) = &left.kind
                    && (op.as_rule() == Rule::pow_op) == matches!(inner, BinaryOp::Power | BinaryOp::ElementPower)
                {
                    let what = if op.as_rule() == Rule::pow_op { "a power of a power" } else { "a comparison of a comparison" };
                    self.error(
                        Diagnostic::error("P018", format!("{what} needs parentheses"))
                            .at(self.span(op), format!("second `{}`", op.as_str()))
                            .with_hint(if op.as_rule() == Rule::pow_op {
                                "write `(a ^ b) ^ c` or `a ^ (b ^ c)`"
                            } else {
                                "join two comparisons with `and`"
                            }),
                    );
                    // A run of them must not become a deep tree.
                    return left;
                }
                ExprKind::Binary(binary, Box::new(left), Box::new(right))
            }
            _ => match left.kind {
                ExprKind::Chain(first, mut rest) if rest.first().is_some_and(|(o, _)| level(*o) == level(binary)) => {
                    rest.push((binary, right));
                    ExprKind::Chain(first, rest)
                }
                kind => ExprKind::Chain(Box::new(Expr { kind, span: left.span }), vec![(binary, right)]),
            },
        };
        Expr { kind, span }
    }

    pub(super) fn range(&self, left: Expr, right: Expr, span: Span) -> Expr {
        let kind = match left.kind {
            ExprKind::Range { start, step: None, stop } => ExprKind::Range { start, step: Some(stop), stop: Box::new(right) },
            kind => {
                if matches!(kind, ExprKind::Range { .. }) {
                    self.error(
                        Diagnostic::error("P019", "a range has at most three parts")
                            .at(span, "")
                            .with_hint("a range is written `first:last` or `first:step:last`"),
                    );
                    return Expr { kind, span };
                }
                ExprKind::Range { start: Box::new(Expr { kind, span: left.span }), step: None, stop: Box::new(right) }
            }
        };
        Expr { kind, span }
    }

    /// A call of what stands before the parentheses.
    pub(super) fn call(&self, function: Expr, arguments: Pair) -> Expr {
        let span = function.span.to(self.span(&arguments));
        let ExprKind::Ref(function) = function.kind else {
            return self.no_expression("a function", span);
        };
        let arguments = Box::new(self.call_arguments(arguments));
        Expr { kind: ExprKind::Call { function, arguments }, span }
    }

    pub(super) fn call_arguments(&self, pair: Pair) -> CallArguments {
        let mut arguments = CallArguments::default();
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::expression => {
                    arguments.positional.push(self.expression(p));
                }
                Rule::partial_application => {
                    arguments.positional.push(self.partial_application(p));
                }
                Rule::named_value => self.named_value(p, &mut arguments),
                Rule::iterators => arguments.iterators = self.iterators(p),
                _ => self.unexpected(&p, "a call"),
            }
        }
        if let (Some((name, _)), Some(last)) = (arguments.named.first(), arguments.positional.last())
            && last.span.start > name.span.start
        {
            self.error(
                Diagnostic::error("P020", "an argument by position follows one by name")
                    .at(last.span, "this one has no name")
                    .at(name.span, "this one has")
                    .with_hint("arguments by position come first"),
            );
        }
        arguments
    }

    /// `= e` after an argument: what was taken for a positional argument is its name.
    fn named_value(&self, pair: Pair, arguments: &mut CallArguments) {
        let span = self.span(&pair);
        let value = match pair.into_inner().next() {
            Some(p) if p.as_rule() == Rule::partial_application => self.partial_application(p),
            Some(p) => self.expression(p),
            None => self.no_expression("a value", span),
        };
        let Some(name) = arguments.positional.pop() else {
            return self.missing("a name", span);
        };
        match name.kind {
            ExprKind::Ref(ComponentRef { global: false, mut parts, .. }) if parts.len() == 1 && parts[0].subscripts.is_empty() => {
                arguments.named.extend(parts.pop().map(|part| (part.name, value)));
            }
            _ => self.error(
                Diagnostic::error("P021", "an argument's name is a single identifier")
                    .at(name.span, "this is not one")
                    .with_hint("to compare two values write `==`"),
            ),
        }
    }

    fn partial_application(&self, pair: Pair) -> Expr {
        let span = self.span(&pair);
        let mut function = None;
        let mut arguments = CallArguments { is_partial_application: true, ..CallArguments::default() };
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::reference => function = Some(self.reference(p)),
                Rule::expression => {
                    arguments.positional.push(self.expression(p));
                }
                Rule::named_value => self.named_value(p, &mut arguments),
                _ => self.unexpected(&p, "a function argument"),
            }
        }
        let function = function.unwrap_or_else(|| self.no_reference("a function", span));
        Expr { kind: ExprKind::Call { function, arguments: Box::new(arguments) }, span }
    }
}

fn is_postfix(pair: &Pair) -> bool {
    matches!(pair.as_rule(), Rule::call_arguments | Rule::subscripts | Rule::field)
}

/// How many subscripts and fields are already taken from something that is not a name.
fn accesses(mut expression: &Expr) -> usize {
    let mut count = 0;
    while let ExprKind::Subscripted(inner, _) | ExprKind::Field(inner, _) = &expression.kind {
        expression = inner;
        count += 1;
    }
    count
}

fn binary_op(text: &str) -> Option<BinaryOp> {
    Some(match text {
        "or" => BinaryOp::Or,
        "and" => BinaryOp::And,
        "<" => BinaryOp::Less,
        "<=" => BinaryOp::LessEqual,
        ">" => BinaryOp::Greater,
        ">=" => BinaryOp::GreaterEqual,
        "==" => BinaryOp::Equal,
        "<>" => BinaryOp::NotEqual,
        "+" => BinaryOp::Add,
        "-" => BinaryOp::Subtract,
        ".+" => BinaryOp::ElementAdd,
        ".-" => BinaryOp::ElementSubtract,
        "*" => BinaryOp::Multiply,
        "/" => BinaryOp::Divide,
        ".*" => BinaryOp::ElementMultiply,
        "./" => BinaryOp::ElementDivide,
        "^" => BinaryOp::Power,
        ".^" => BinaryOp::ElementPower,
        _ => return None,
    })
}

/// Operators of one level share a `Chain`.
fn level(op: BinaryOp) -> u8 {
    match op {
        BinaryOp::Or => 0,
        BinaryOp::And => 1,
        BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual | BinaryOp::Equal | BinaryOp::NotEqual => 2,
        BinaryOp::Add | BinaryOp::Subtract | BinaryOp::ElementAdd | BinaryOp::ElementSubtract => 3,
        BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::ElementMultiply | BinaryOp::ElementDivide => 4,
        BinaryOp::Power | BinaryOp::ElementPower => 5,
    }
}
