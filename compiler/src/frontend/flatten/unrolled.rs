//! Loops of algorithm sections that a tool wrote out turn by turn while it kept their `break`.
//!
//! Input: statements outside of any loop. Output: which of them are the turns of a loop that a `break` among them leaves.
//!
//! Method: the iterations of a loop that was unrolled are equal up to numbers. Around a statement with a `break` the shortest group of
//! statements is looked for that repeats at least twice; all its repetitions together are the loop.
//! Guarantee: a `break` without such repetitions stays an error, because nothing tells where its loop ended.
//! Cost: nothing for sections without such a `break`; else the text of the section times the length of a turn.

use super::{Flattener, Scope};
use crate::frontend::flat::construct::integer_literal;
use crate::frontend::flat::{Expr, ExprKind, Local, Scalar, Statement, StatementKind, Type};
use partita_grammar::ast::{self, StatementKind as SyntaxStatement};
use partita_grammar::{Diagnostic, print_statement};
use std::ops::Range;

/// `break` that leaves the loop which these statements stand in.
pub(super) fn contains_break(body: &[ast::Statement]) -> bool {
    body.iter().any(has_break)
}

fn has_break(statement: &ast::Statement) -> bool {
    match &statement.kind {
        SyntaxStatement::Break => true,
        SyntaxStatement::If { branches, otherwise } => {
            branches.iter().any(|(_, b)| contains_break(b)) || otherwise.as_deref().is_some_and(contains_break)
        }
        _ => false,
    }
}

/// The text of a statement without the numbers in it.
fn without_numbers(statement: &ast::Statement) -> String {
    print_statement(statement).chars().filter(|c| !c.is_ascii_digit()).collect()
}

/// The loops among statements outside of loops, in order.
pub(super) fn loops(statements: &[ast::Statement]) -> Vec<Range<usize>> {
    if !contains_break(statements) {
        return Vec::new();
    }
    let texts: Vec<String> = statements.iter().map(without_numbers).collect();
    let mut found: Vec<Range<usize>> = Vec::new();
    for at in (0..statements.len()).filter(|&at| has_break(&statements[at])) {
        if found.last().is_some_and(|last| last.contains(&at)) {
            continue;
        }
        let begin = found.last().map_or(0, |last| last.end);
        found.extend((1..=statements.len() / 2).find_map(|period| repetitions(&texts, begin, at, period)));
    }
    found
}

/// All repetitions of a group of `period` statements around `at`, at least two, none before `begin`.
fn repetitions(texts: &[String], begin: usize, at: usize, period: usize) -> Option<Range<usize>> {
    let same = |i: usize| i + period < texts.len() && texts[i] == texts[i + period];
    let mut first = at;
    while first > begin && same(first - 1) {
        first -= 1;
    }
    let mut last = first;
    while same(last) {
        last += 1;
    }
    // Statements from `first` to before `last` equal the ones a period later.
    let iterations = (last - first) / period + 1;
    let range = first..first + iterations * period;
    (iterations >= 2 && range.contains(&at)).then_some(range)
}

impl<'a> Flattener<'a> {
    /// Types the iterations of a loop that was unrolled as a loop of one iteration, which `break` leaves.
    pub(super) fn unrolled_loop(&mut self, iterations: &'a [ast::Statement], scope: &mut Scope<'a>, typed: &mut Vec<Statement>) {
        let Some(span) = iterations.first().map(|first| first.span) else { return };
        self.warn(
            Diagnostic::note("F031", format!("`break` leaves these {} statements, which are iterations of one loop", iterations.len()))
                .at(span, "the loop was unrolled before"),
        );
        let local = scope.locals.push(Local {
            name: "iteration".to_owned(),
            ty: Type::scalar(Scalar::Integer),
            dim_exprs: Vec::new(),
            binding: None,
            span,
        });
        let once = Expr { kind: ExprKind::Array(vec![integer_literal(1, span)]), ty: Type::array(Scalar::Integer, &[1]), span };
        let mut body = Vec::with_capacity(iterations.len());
        scope.loop_depth += 1;
        self.statements(iterations, scope, &mut body);
        scope.loop_depth -= 1;
        typed.push(Statement { kind: StatementKind::For(local, once, body), span });
    }
}
