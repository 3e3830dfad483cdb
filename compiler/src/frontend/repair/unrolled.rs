//! Loops of algorithm sections that a tool wrote out turn by turn while it kept their `break`.
//!
//! Input: statements outside of any loop. Output: the same; what are the turns of a loop that a `break` among them leaves, is a loop of one
//! turn, with a note (F031).
//!
//! Method: the turns of a loop that was written out are equal up to numbers. Around a statement with a `break` the shortest group of
//! statements is looked for that repeats at least twice; all its repetitions together are the loop.
//! Guarantee: a `break` without such repetitions stays an error, because nothing tells where its loop ended.
//! Cost: nothing for sections without such a `break`; else the text of the section times the length of a turn.

use crate::frontend::flatten::breaks::{contains_break, has_break};
use partita_grammar::ast::{self, Expr, ExprKind, Ident, Statement, StatementKind};
use partita_grammar::{Diagnostic, print_statement};
use std::ops::Range;

/// The text of a statement without the numbers in it.
fn without_numbers(statement: &Statement) -> String {
    print_statement(statement).chars().filter(|c| !c.is_ascii_digit()).collect()
}

/// The loops among statements outside of loops, in order.
fn loops(statements: &[Statement]) -> Vec<Range<usize>> {
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
    let turns = (last - first) / period + 1;
    let range = first..first + turns * period;
    (turns >= 2 && range.contains(&at)).then_some(range)
}

/// Makes the turns of loops that were written out loops of one turn, which `break` leaves; says so.
pub(super) fn repair_loops(statements: &mut Vec<Statement>, notes: &mut Vec<Diagnostic>) {
    for statement in statements.iter_mut() {
        match &mut statement.kind {
            StatementKind::If { branches, otherwise } => {
                branches.iter_mut().for_each(|(_, body)| repair_loops(body, notes));
                otherwise.iter_mut().for_each(|body| repair_loops(body, notes));
            }
            StatementKind::When { branches } => branches.iter_mut().for_each(|(_, body)| repair_loops(body, notes)),
            _ => {}
        }
    }
    for turns in loops(statements).into_iter().rev() {
        let span = statements[turns.start].span;
        let title = format!("`break` leaves these {} statements, which are turns of one loop", turns.len());
        notes.push(Diagnostic::note("F031", title).at(span, "the loop was unrolled before"));
        let body: Vec<Statement> = statements.drain(turns.clone()).collect();
        let once = Expr { kind: ExprKind::Array(vec![Expr { kind: ExprKind::Integer(1), span }]), span };
        // No name of a model begins like this.
        let iterator = ast::Iterator { name: Ident { text: "'$turn'".into(), span }, range: Some(once) };
        let kind = StatementKind::For { iterators: vec![iterator], body };
        statements.insert(turns.start, Statement { kind, description: None, annotation: None, span });
    }
}
