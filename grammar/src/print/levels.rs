//! How tightly expressions hold together.

use crate::ast::*;

/// How tightly an expression binds; a child that binds looser than its place demands gets parentheses.
pub(super) type Level = u8;
pub(super) const LOOSEST: Level = 0; // `if`
pub(super) const RANGE: Level = 1;
pub(super) const RANGE_PART: Level = 2;
pub(super) const RELATION_PART: Level = 6;
pub(super) const FACTOR: Level = 8;
pub(super) const PRIMARY: Level = 9;

pub(super) fn level(expression: &Expr) -> Level {
    match &expression.kind {
        ExprKind::If { .. } => LOOSEST,
        ExprKind::Range { .. } => RANGE,
        ExprKind::Chain(_, rest) => rest.first().map_or(PRIMARY, |(op, _)| binary_level(*op)),
        ExprKind::Binary(op, ..) => binary_level(*op),
        ExprKind::Unary(UnaryOp::Not, _) => 4,
        ExprKind::Unary(..) => RELATION_PART,
        _ => PRIMARY,
    }
}

pub(super) fn binary_level(op: BinaryOp) -> Level {
    match op {
        BinaryOp::Or => 2,
        BinaryOp::And => 3,
        BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual | BinaryOp::Equal | BinaryOp::NotEqual => 5,
        BinaryOp::Add | BinaryOp::Subtract | BinaryOp::ElementAdd | BinaryOp::ElementSubtract => RELATION_PART,
        BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::ElementMultiply | BinaryOp::ElementDivide => 7,
        BinaryOp::Power | BinaryOp::ElementPower => FACTOR,
    }
}
