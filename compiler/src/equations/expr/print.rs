//! Expressions as Modelica-like text, for dumps and messages.
//!
//! Infix with the parentheses the Modelica grammar needs and no more; different trees give different texts. Iterative.
//! A shared subexpression is written at every place it is used, so the text of a small arena can be huge: it is cut after
//! a number of bytes, and the cut shows as `…`. Cost: linear in the text written.

use super::{Arena, Node};
use crate::base::ids::{ExprId, FnId, VarId};
use partita_runtime::base::math::{Op1, Op2};
use std::fmt::Write;

/// Where [`print`] cuts.
pub const DEFAULT_LIMIT: usize = 1 << 20;

/// Binding strength, as in the Modelica grammar; an operand weaker than its place is put in parentheses.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    /// `if` and anything else.
    Whole,
    Or,
    And,
    Not,
    Relation,
    /// Sums, and a leading minus.
    Sum,
    Term,
    Factor,
    Primary,
}

enum PrintItem {
    Text(&'static str),
    Owned(String),
    Expr(ExprId, Level),
    /// The `else` part of an `if` expression; another `if` joins as `elseif`.
    Else(ExprId),
    /// The rest of an argument list.
    List(Option<ExprId>, &'static str),
}

/// The text of an expression; see the module for its form. Cut at [`DEFAULT_LIMIT`].
pub fn print(arena: &Arena, expr: ExprId, name: &dyn Fn(VarId) -> String, fn_name: &dyn Fn(FnId) -> String) -> String {
    print_limited(arena, expr, name, fn_name, DEFAULT_LIMIT)
}

/// The text of an expression, cut with `…` once it is longer than `limit` bytes.
pub fn print_limited(
    arena: &Arena,
    expr: ExprId,
    name: &dyn Fn(VarId) -> String,
    fn_name: &dyn Fn(FnId) -> String,
    limit: usize,
) -> String {
    let mut out = String::new();
    let mut todo = vec![PrintItem::Expr(expr, Level::Whole)];
    while let Some(piece) = todo.pop() {
        if out.len() > limit {
            let cut = (0..=limit).rev().find(|&at| out.is_char_boundary(at)).unwrap_or(0);
            out.truncate(cut);
            out.push('…');
            return out;
        }
        let start = todo.len();
        match piece {
            PrintItem::Text(text) => out.push_str(text),
            PrintItem::Owned(text) => out.push_str(&text),
            PrintItem::List(None, _) => {}
            PrintItem::List(Some(list), separator) => {
                out.push_str(separator);
                match arena.node(list) {
                    Node::Arg(arg, rest) => {
                        todo.push(PrintItem::Expr(arg, Level::Whole));
                        todo.push(PrintItem::List(rest, ", "));
                    }
                    _ => todo.push(PrintItem::Expr(list, Level::Whole)),
                }
            }
            PrintItem::Else(expr) => match arena.node(expr) {
                Node::Select(c, a, b) => todo.extend([
                    PrintItem::Text(" elseif "),
                    PrintItem::Expr(c, Level::Or),
                    PrintItem::Text(" then "),
                    PrintItem::Expr(a, Level::Or),
                    PrintItem::Else(b),
                ]),
                _ => todo.extend([PrintItem::Text(" else "), PrintItem::Expr(expr, Level::Or)]),
            },
            PrintItem::Expr(expr, place) => {
                let parentheses = level(arena, expr) < place;
                if parentheses {
                    todo.push(PrintItem::Text("("));
                }
                pieces(arena, expr, name, fn_name, &mut todo);
                if parentheses {
                    todo.push(PrintItem::Text(")"));
                }
            }
        }
        todo[start..].reverse();
    }
    out
}

fn level(arena: &Arena, expr: ExprId) -> Level {
    match arena.node(expr) {
        Node::Const(bits) if f64::from_bits(bits).is_sign_negative() => Level::Sum,
        Node::Const(_) | Node::Var(_) | Node::Arg(..) | Node::Call(..) => Level::Primary,
        Node::Unary(Op1::Neg, _) => Level::Sum,
        Node::Unary(Op1::Not, _) => Level::Not,
        Node::Unary(..) => Level::Primary,
        Node::Select(..) => Level::Whole,
        Node::Binary(op, _, _) => match op {
            Op2::Or => Level::Or,
            Op2::And => Level::And,
            Op2::Lt | Op2::Le | Op2::Gt | Op2::Ge | Op2::Eq | Op2::Ne => Level::Relation,
            Op2::Add | Op2::Sub => Level::Sum,
            Op2::Mul | Op2::Div => Level::Term,
            Op2::Pow => Level::Factor,
            Op2::Atan2 | Op2::Min | Op2::Max => Level::Primary,
        },
    }
}

fn pieces(arena: &Arena, expr: ExprId, name: &dyn Fn(VarId) -> String, fn_name: &dyn Fn(FnId) -> String, todo: &mut Vec<PrintItem>) {
    match arena.node(expr) {
        Node::Const(bits) => todo.push(PrintItem::Owned(number(f64::from_bits(bits)))),
        Node::Var(var) => todo.push(PrintItem::Owned(name(var))),
        Node::Unary(Op1::Neg, a) => todo.extend([PrintItem::Text("-"), PrintItem::Expr(a, Level::Term)]),
        Node::Unary(Op1::Not, a) => todo.extend([PrintItem::Text("not "), PrintItem::Expr(a, Level::Relation)]),
        Node::Unary(op, a) => {
            todo.extend([PrintItem::Text(unary_name(op)), PrintItem::Text("("), PrintItem::Expr(a, Level::Whole), PrintItem::Text(")")]);
        }
        Node::Binary(op, a, b) => {
            let (symbol, left, right) = match op {
                Op2::Add => (" + ", Level::Sum, Level::Term),
                Op2::Sub => (" - ", Level::Sum, Level::Term),
                Op2::Mul => ("*", Level::Term, Level::Factor),
                Op2::Div => ("/", Level::Term, Level::Factor),
                Op2::Pow => ("^", Level::Primary, Level::Primary),
                Op2::Lt => (" < ", Level::Sum, Level::Sum),
                Op2::Le => (" <= ", Level::Sum, Level::Sum),
                Op2::Gt => (" > ", Level::Sum, Level::Sum),
                Op2::Ge => (" >= ", Level::Sum, Level::Sum),
                Op2::Eq => (" == ", Level::Sum, Level::Sum),
                Op2::Ne => (" <> ", Level::Sum, Level::Sum),
                Op2::And => (" and ", Level::And, Level::Not),
                Op2::Or => (" or ", Level::Or, Level::And),
                Op2::Atan2 | Op2::Min | Op2::Max => {
                    let function = match op {
                        Op2::Atan2 => "atan2(",
                        Op2::Min => "min(",
                        _ => "max(",
                    };
                    todo.extend([
                        PrintItem::Text(function),
                        PrintItem::Expr(a, Level::Whole),
                        PrintItem::Text(", "),
                        PrintItem::Expr(b, Level::Whole),
                        PrintItem::Text(")"),
                    ]);
                    return;
                }
            };
            todo.extend([PrintItem::Expr(a, left), PrintItem::Text(symbol), PrintItem::Expr(b, right)]);
        }
        Node::Select(c, a, b) => todo.extend([
            PrintItem::Text("if "),
            PrintItem::Expr(c, Level::Or),
            PrintItem::Text(" then "),
            PrintItem::Expr(a, Level::Or),
            PrintItem::Else(b),
        ]),
        Node::Arg(..) => todo.push(PrintItem::List(Some(expr), "")),
        Node::Call(function, args, output) => {
            todo.extend([PrintItem::Owned(fn_name(function)), PrintItem::Text("("), PrintItem::List(args, ""), PrintItem::Text(")")]);
            // The first output is what the call means in an expression; others are numbered as in Modelica, from 1.
            if output > 0 {
                todo.push(PrintItem::Owned(format!("#{}", output + 1)));
            }
        }
    }
}

/// The shortest text that reads back as the same number; whole numbers of ordinary size without a decimal point.
pub fn number(value: f64) -> String {
    let mut text = String::new();
    let result = if value == value.trunc() && value.abs() < 1e15 { write!(text, "{value:.0}") } else { write!(text, "{value:?}") };
    debug_assert!(result.is_ok(), "writing to a string cannot fail");
    text
}

fn unary_name(op: Op1) -> &'static str {
    match op {
        Op1::Neg => "-",
        Op1::Not => "not",
        Op1::Abs => "abs",
        Op1::Sign => "sign",
        Op1::Sqrt => "sqrt",
        Op1::Sin => "sin",
        Op1::Cos => "cos",
        Op1::Tan => "tan",
        Op1::Asin => "asin",
        Op1::Acos => "acos",
        Op1::Atan => "atan",
        Op1::Sinh => "sinh",
        Op1::Cosh => "cosh",
        Op1::Tanh => "tanh",
        Op1::Exp => "exp",
        Op1::Log => "log",
        Op1::Log10 => "log10",
        Op1::Floor => "floor",
        Op1::Ceil => "ceil",
        Op1::Trunc => "trunc",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cranelift_entity::EntityRef;

    const NAMES: [&str; 3] = ["a", "b", "c"];

    fn text(arena: &Arena, expr: ExprId) -> String {
        print(arena, expr, &|v| NAMES[v.index()].into(), &|f| format!("f{}", f.index()))
    }

    fn binary(arena: &mut Arena, op: Op2, a: ExprId, b: ExprId) -> ExprId {
        arena.intern(Node::Binary(op, a, b))
    }

    #[test]
    fn parentheses() {
        let mut e = Arena::default();
        let [a, b, c] = [0, 1, 2].map(|i| e.var(VarId::new(i)));
        let half = e.constant(-0.5);
        let sum = binary(&mut e, Op2::Add, a, b);
        let difference = binary(&mut e, Op2::Sub, b, c);
        let product = binary(&mut e, Op2::Mul, a, b);
        let minus = e.intern(Node::Unary(Op1::Neg, a));
        let less = binary(&mut e, Op2::Lt, a, b);
        let not = e.intern(Node::Unary(Op1::Not, less));
        let and = binary(&mut e, Op2::And, less, not);
        let or = binary(&mut e, Op2::Or, and, less);
        let choice = e.intern(Node::Select(or, a, b));
        let chain = e.intern(Node::Select(less, c, choice));
        let call = e.call(FnId::new(3), &[sum, choice], 1);
        let cases = [
            (binary(&mut e, Op2::Add, sum, c), "a + b + c"),
            (binary(&mut e, Op2::Add, c, sum), "c + (a + b)"),
            (binary(&mut e, Op2::Sub, a, difference), "a - (b - c)"),
            (binary(&mut e, Op2::Mul, sum, c), "(a + b)*c"),
            (binary(&mut e, Op2::Mul, c, product), "c*(a*b)"),
            (binary(&mut e, Op2::Div, product, c), "a*b/c"),
            (binary(&mut e, Op2::Div, c, product), "c/(a*b)"),
            (binary(&mut e, Op2::Add, minus, b), "-a + b"),
            (binary(&mut e, Op2::Add, b, minus), "b + (-a)"),
            (binary(&mut e, Op2::Mul, minus, b), "(-a)*b"),
            (binary(&mut e, Op2::Mul, half, b), "(-0.5)*b"),
            (e.intern(Node::Unary(Op1::Neg, product)), "-a*b"),
            (e.intern(Node::Unary(Op1::Neg, sum)), "-(a + b)"),
            (binary(&mut e, Op2::Pow, product, minus), "(a*b)^(-a)"),
            (binary(&mut e, Op2::Add, choice, a), "(if a < b and not a < b or a < b then a else b) + a"),
            (chain, "if a < b then c elseif a < b and not a < b or a < b then a else b"),
            (call, "f3(a + b, if a < b and not a < b or a < b then a else b)#2"),
            (binary(&mut e, Op2::Max, a, half), "max(a, -0.5)"),
        ];
        for (expr, expected) in cases {
            assert_eq!(text(&e, expr), expected);
        }
    }

    #[test]
    fn numbers() {
        for (value, expected) in [(2.0, "2"), (-3.0, "-3"), (0.1, "0.1"), (1e300, "1e300"), (1e-7, "1e-7"), (-0.0, "-0")] {
            assert_eq!(number(value), expected);
        }
    }

    #[test]
    fn shared_and_deep() {
        let mut e = Arena::default();
        let a = e.var(VarId::new(0));
        // 2^200 leaves if written out.
        let doubled = (0..200).fold(a, |x, _| e.intern(Node::Binary(Op2::Add, x, x)));
        let cut = print_limited(&e, doubled, &|_| "a".into(), &|_| String::new(), 100);
        assert!(cut.ends_with('…') && cut.chars().count() == 101);
        let deep = (0..200_000).fold(a, |x, _| e.intern(Node::Binary(Op2::Add, a, x)));
        let whole = print_limited(&e, deep, &|_| "a".into(), &|_| String::new(), usize::MAX);
        assert!(whole.starts_with("a + (a + (a + ") && whole.ends_with(")))))"));
    }
}
