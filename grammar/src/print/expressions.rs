//! Expressions as text, with the parentheses that their levels ask for.

use super::Printer;
use super::levels::*;
use crate::ast::*;

impl Printer {
    pub(super) fn reference(&mut self, reference: &ComponentRef) {
        for (i, part) in reference.parts.iter().enumerate() {
            self.text(if i > 0 || reference.global { "." } else { "" });
            self.text(&part.name.text);
            self.subscripts(&part.subscripts);
        }
    }

    pub(super) fn subscripts(&mut self, subscripts: &[Subscript]) {
        if subscripts.is_empty() {
            return;
        }
        self.text("[");
        self.list(subscripts, |p, subscript| match subscript {
            Subscript::All(_) => p.text(":"),
            Subscript::Index(index) => p.expression(index, LOOSEST),
        });
        self.text("]");
    }

    /// Prints in a place that demands at least this level.
    pub(super) fn expression(&mut self, expression: &Expr, at_least: Level) {
        let parentheses = level(expression) < at_least;
        if parentheses {
            self.text("(");
        }
        match &expression.kind {
            ExprKind::Integer(value) => self.fmt(format_args!("{value}")),
            // Debug prints the shortest text that reads back as the same Real, with a point or an exponent.
            ExprKind::Real(value) => self.fmt(format_args!("{value:?}")),
            ExprKind::String(value) => self.string(value),
            ExprKind::Boolean(value) => self.text(if *value { "true" } else { "false" }),
            ExprKind::End => self.text("end"),
            ExprKind::Break => self.text("break"),
            ExprKind::Ref(reference) => self.reference(reference),
            ExprKind::Call { function, arguments } => self.call(function, arguments),
            ExprKind::Unary(op, operand) => {
                self.text(match op {
                    UnaryOp::Minus => "-",
                    UnaryOp::Plus => "+",
                    UnaryOp::ElementMinus => ".-",
                    UnaryOp::ElementPlus => ".+",
                    UnaryOp::Not => "not ",
                });
                self.expression(operand, if *op == UnaryOp::Not { 5 } else { 7 });
            }
            ExprKind::Binary(op, left, right) => {
                let at_least = binary_level(*op) + 1;
                self.expression(left, at_least);
                self.fmt(format_args!(" {} ", op.symbol()));
                self.operand(*op, right, at_least);
            }
            ExprKind::Chain(first, rest) => {
                let op = rest.first().map_or(BinaryOp::Add, |(op, _)| *op);
                // A sign may stand before the first term of a sum, nowhere else in a chain of arithmetic.
                let leading_sign = matches!(first.kind, ExprKind::Unary(..)) && binary_level(op) == RELATION_PART;
                self.expression(first, binary_level(op) + u8::from(!leading_sign));
                for (op, operand) in rest {
                    self.fmt(format_args!(" {} ", op.symbol()));
                    self.operand(*op, operand, binary_level(*op) + 1);
                }
            }
            _ => self.composite(expression),
        }
        if parentheses {
            self.text(")");
        }
    }

    /// Prints an expression with parts that are not operands of an operator.
    pub(super) fn composite(&mut self, expression: &Expr) {
        match &expression.kind {
            ExprKind::If { branches, otherwise } => {
                for (i, (condition, value)) in branches.iter().enumerate() {
                    self.text(if i == 0 { "if " } else { " elseif " });
                    self.expression(condition, LOOSEST);
                    self.text(" then ");
                    self.expression(value, LOOSEST);
                }
                self.text(" else ");
                self.expression(otherwise, LOOSEST);
            }
            ExprKind::Range { start, step, stop } => {
                self.expression(start, RANGE_PART);
                for part in step.iter().chain([stop]) {
                    self.text(":");
                    self.expression(part, RANGE_PART);
                }
            }
            ExprKind::Array(entries) => {
                self.text("{");
                self.list(entries, |p, entry| p.expression(entry, LOOSEST));
                self.text("}");
            }
            ExprKind::Comprehension(entry, iterators) => {
                self.text("{");
                self.expression(entry, LOOSEST);
                self.text(" for ");
                self.iterators(iterators);
                self.text("}");
            }
            ExprKind::Matrix(rows) => {
                self.text("[");
                for (i, row) in rows.iter().enumerate() {
                    self.text(if i > 0 { "; " } else { "" });
                    self.list(row, |p, entry| p.expression(entry, LOOSEST));
                }
                self.text("]");
            }
            ExprKind::Tuple(entries) => self.entries(entries),
            ExprKind::Parenthesised(inner) => {
                self.text("(");
                self.expression(inner, LOOSEST);
                self.text(")");
            }
            ExprKind::Subscripted(inner, subscripts) => {
                self.accessed(inner);
                self.subscripts(subscripts);
            }
            ExprKind::Field(inner, field) => {
                self.accessed(inner);
                self.fmt(format_args!(".{}", field.text));
            }
            _ => {}
        }
    }

    /// The operand on the right of an operator: a negative number needs no parentheses, except before a power.
    pub(super) fn operand(&mut self, op: BinaryOp, operand: &Expr, at_least: Level) {
        let negative_number =
            matches!(&operand.kind, ExprKind::Unary(UnaryOp::Minus, n) if matches!(n.kind, ExprKind::Integer(_) | ExprKind::Real(_)));
        // A relation takes a signed sum on its right.
        let signed = binary_level(op) == 5;
        self.expression(
            operand,
            if negative_number {
                LOOSEST
            } else if signed {
                RELATION_PART
            } else {
                at_least
            },
        );
    }

    /// What subscripts or a field are taken from: anything but a call or something in brackets gets parentheses.
    pub(super) fn accessed(&mut self, inner: &Expr) {
        let simple = matches!(
            inner.kind,
            ExprKind::Call { .. }
                | ExprKind::Parenthesised(_)
                | ExprKind::Tuple(_)
                | ExprKind::Array(_)
                | ExprKind::Comprehension(..)
                | ExprKind::Matrix(_)
                | ExprKind::Subscripted(..)
                | ExprKind::Field(..)
        );
        if simple {
            self.expression(inner, PRIMARY);
        } else {
            self.text("(");
            self.expression(inner, LOOSEST);
            self.text(")");
        }
    }

    pub(super) fn call(&mut self, function: &ComponentRef, arguments: &CallArguments) {
        if arguments.is_partial_application {
            self.text("function ");
        }
        self.reference(function);
        self.text("(");
        self.list(&arguments.positional, |p, argument| p.expression(argument, LOOSEST));
        if !arguments.positional.is_empty() && !arguments.named.is_empty() {
            self.text(", ");
        }
        self.list(&arguments.named, |p, (name, value)| {
            p.fmt(format_args!("{} = ", name.text));
            p.expression(value, LOOSEST);
        });
        if !arguments.iterators.is_empty() {
            self.text(" for ");
            self.iterators(&arguments.iterators);
        }
        self.text(")");
    }

    pub(super) fn entries(&mut self, entries: &[Option<Expr>]) {
        self.text("(");
        self.list(entries, |p, entry| {
            if let Some(entry) = entry {
                p.expression(entry, LOOSEST);
            }
        });
        self.text(")");
    }

    pub(super) fn string(&mut self, value: &str) {
        self.text("\"");
        for c in value.chars() {
            match c {
                '"' => self.text("\\\""),
                '\\' => self.text("\\\\"),
                '\x07' => self.text("\\a"),
                '\x08' => self.text("\\b"),
                '\x0c' => self.text("\\f"),
                '\n' => self.text("\\n"),
                '\r' => self.text("\\r"),
                '\t' => self.text("\\t"),
                '\x0b' => self.text("\\v"),
                c => self.out.push(c),
            }
        }
        self.text("\"");
    }
}
