//! Equations and statements.

use super::*;

impl Builder<'_> {
    pub(super) fn equation_section(&self, pair: Pair) -> Section {
        let mut initial = false;
        let mut equations = Vec::new();
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::initial => initial = true,
                _ => equations.push(self.equation(p)),
            }
        }
        Section::Equations { initial, equations }
    }

    pub(super) fn algorithm_section(&self, pair: Pair) -> Section {
        let span = self.span(&pair);
        let mut initial = false;
        let mut statements = Vec::new();
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::initial => initial = true,
                _ => statements.push(self.statement(p)),
            }
        }
        Section::Algorithm { initial, statements, span }
    }

    pub(super) fn equation(&self, pair: Pair) -> Equation {
        let span = self.span(&pair);
        let mut kind = None;
        let mut left = None;
        let (mut description, mut annotation) = (None, None);
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::expression => match left.take() {
                    None => left = Some(self.expression(p)),
                    Some(left) => kind = Some(EquationKind::Equal(left, self.expression(p))),
                },
                Rule::if_equation => {
                    let (branches, otherwise) = self.branches(p, Rule::equations, |p| self.equations(p));
                    kind = Some(EquationKind::If { branches, otherwise });
                }
                Rule::when_equation => {
                    let (branches, _) = self.branches(p, Rule::equations, |p| self.equations(p));
                    kind = Some(EquationKind::When { branches });
                }
                Rule::for_equation => {
                    let (iterators, body) = self.for_loop(p, |p| self.equations(p));
                    kind = Some(EquationKind::For { iterators, body });
                }
                Rule::connect => {
                    let mut inner = p.into_inner();
                    let mut end = || inner.next().map_or_else(|| self.no_reference("a connector", span), |p| self.reference(p));
                    kind = Some(EquationKind::Connect(end(), end()));
                }
                Rule::description => description = Some(self.description(p)),
                Rule::annotation => annotation = Some(self.annotation(p)),
                _ => self.unexpected(&p, "an equation"),
            }
        }
        let kind = kind.unwrap_or_else(|| {
            let call = left.unwrap_or_else(|| self.no_expression("an expression", span));
            if !matches!(call.kind, ExprKind::Call { .. }) {
                let compares = matches!(call.kind, ExprKind::Binary(BinaryOp::Equal, ..));
                self.error(
                    Diagnostic::error("P015", "an expression alone is not an equation")
                        .at(call.span, if compares { "this only compares" } else { "nothing says what it equals" })
                        .with_hint("an equation is written `left = right`"),
                );
            }
            EquationKind::Call(call)
        });
        Equation { kind, description, annotation, span }
    }

    pub(super) fn equations(&self, pair: Pair) -> Vec<Equation> {
        pair.into_inner().map(|p| self.equation(p)).collect()
    }

    pub(super) fn statement(&self, pair: Pair) -> Statement {
        let span = self.span(&pair);
        let mut kind = None;
        let mut target = None;
        let (mut description, mut annotation) = (None, None);
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::reference => target = Some(Expr { span: self.span(&p), kind: ExprKind::Ref(self.reference(p)) }),
                Rule::keyword_function => target = Some(self.keyword_function(&p)),
                Rule::tuple => target = Some(self.tuple(p)),
                Rule::expression => {
                    let value = self.expression(p);
                    kind = Some(match target.take().map(|t| (t.span, t.kind)) {
                        Some((_, ExprKind::Ref(target))) => StatementKind::Assign(target, value),
                        Some((_, ExprKind::Tuple(targets))) => StatementKind::AssignTuple(self.targets(targets), value),
                        Some((_, ExprKind::Parenthesised(target))) => StatementKind::AssignTuple(self.targets(vec![Some(*target)]), value),
                        _ => StatementKind::Assign(self.no_reference("a target", span), value),
                    });
                }
                Rule::call_arguments => {
                    let function = target.take().unwrap_or_else(|| self.no_expression("a function", span));
                    kind = Some(StatementKind::Call(self.call(function, p)));
                }
                Rule::if_statement => {
                    let (branches, otherwise) = self.branches(p, Rule::statements, |p| self.statements(p));
                    kind = Some(StatementKind::If { branches, otherwise });
                }
                Rule::when_statement => {
                    let (branches, _) = self.branches(p, Rule::statements, |p| self.statements(p));
                    kind = Some(StatementKind::When { branches });
                }
                Rule::for_statement => {
                    let (iterators, body) = self.for_loop(p, |p| self.statements(p));
                    kind = Some(StatementKind::For { iterators, body });
                }
                Rule::while_statement => {
                    let mut inner = p.into_inner();
                    let condition = inner.next().map_or_else(|| self.no_expression("a condition", span), |p| self.expression(p));
                    let body = inner.next().map(|p| self.statements(p)).unwrap_or_default();
                    kind = Some(StatementKind::While { condition, body });
                }
                Rule::break_statement => kind = Some(StatementKind::Break),
                Rule::return_statement => kind = Some(StatementKind::Return),
                Rule::description => description = Some(self.description(p)),
                Rule::annotation => annotation = Some(self.annotation(p)),
                _ => self.unexpected(&p, "a statement"),
            }
        }
        let kind = kind.unwrap_or_else(|| StatementKind::Call(self.no_expression("a statement", span)));
        Statement { kind, description, annotation, span }
    }

    pub(super) fn statements(&self, pair: Pair) -> Vec<Statement> {
        pair.into_inner().map(|p| self.statement(p)).collect()
    }

    /// The entries on the left of `:=` must be variables.
    pub(super) fn targets(&self, targets: Vec<Option<Expr>>) -> Vec<Option<Expr>> {
        for target in targets.iter().flatten() {
            if !matches!(target.kind, ExprKind::Ref(_)) {
                self.error(Diagnostic::error("P016", "only variables can be assigned to").at(target.span, "this is not a variable"));
            }
        }
        targets
    }

    /// Conditions with bodies, and the body after `else`, of `if` and `when`.
    pub(super) fn branches<B>(&self, pair: Pair, body_rule: Rule, body: impl Fn(Pair) -> Vec<B>) -> Branches<B> {
        let mut branches = Vec::new();
        let mut condition = None;
        let mut otherwise = None;
        for p in pair.into_inner() {
            if p.as_rule() == body_rule {
                match condition.take() {
                    Some(condition) => branches.push((condition, body(p))),
                    None => otherwise = Some(body(p)),
                }
            } else {
                condition = Some(self.expression(p));
            }
        }
        (branches, otherwise)
    }

    pub(super) fn for_loop<B>(&self, pair: Pair, body: impl Fn(Pair) -> Vec<B>) -> (Vec<Iterator>, Vec<B>) {
        let mut inner = pair.into_inner();
        let iterators = inner.next().map(|p| self.iterators(p)).unwrap_or_default();
        (iterators, inner.next().map(body).unwrap_or_default())
    }

    pub(super) fn iterators(&self, pair: Pair) -> Vec<Iterator> {
        pair.into_inner()
            .map(|p| {
                let span = self.span(&p);
                let mut inner = p.into_inner();
                let name = inner.next().map_or_else(|| self.no_ident("a loop variable", span), |p| self.ident(&p));
                Iterator { name, range: inner.next().map(|p| self.expression(p)) }
            })
            .collect()
    }

    // ---- A.2.7: expressions ----
}
