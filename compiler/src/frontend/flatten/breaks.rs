//! Where `break` leaves a loop from inside. Input: statements. Output: whether one leaves the loop that they stand in. Cost: linear.

use partita_grammar::ast::{Statement, StatementKind};

/// `break` that leaves the loop which these statements stand in.
pub(in crate::frontend) fn contains_break(body: &[Statement]) -> bool {
    body.iter().any(has_break)
}

/// The same for one statement.
pub(in crate::frontend) fn has_break(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Break => true,
        StatementKind::If { branches, otherwise } => {
            branches.iter().any(|(_, b)| contains_break(b)) || otherwise.as_deref().is_some_and(contains_break)
        }
        _ => false,
    }
}
