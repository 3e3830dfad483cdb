//! Prints models of any size, to see how time grows with it: `generate FAMILY EQUATIONS`, with FAMILY one of
//!
//! - `chain`: a ladder of resistors, torn to a sequence of small steps;
//! - `tree`: a binary tree of resistors;
//! - `grid`: a square grid of resistors, one large linear system;
//! - `rc-grid`: the same with capacitors on one node in a hundred, so that states are coupled by the whole grid.
//!
//! The models are scalar, as other tools flatten them.

use std::fmt::Write;
use std::process::ExitCode;

/// Declarations and equations.
#[derive(Default)]
struct Text {
    declarations: String,
    equations: String,
}

impl Text {
    fn declare(&mut self, words: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.declarations, "  Real {words};");
    }

    fn equation(&mut self, words: std::fmt::Arguments<'_>) {
        let _ = writeln!(self.equations, "  {words};");
    }
}

/// Terms added up, or zero.
fn sum(terms: &[String]) -> String {
    if terms.is_empty() { "0".to_string() } else { terms.join(" + ") }
}

/// Resistors from every node to its parent and to earth; node 1 hangs on the source.
fn branches(n_equations: usize, parent: impl Fn(usize) -> usize, children: impl Fn(usize) -> Vec<usize>) -> Text {
    let n = (n_equations / 2).max(1);
    let mut text = Text::default();
    for node in 1..=n {
        text.declare(format_args!("v{node}, i{node}"));
        let above = if node == 1 { "source".to_string() } else { format!("v{}", parent(node)) };
        text.equation(format_args!("{above} - v{node} = R*i{node}"));
        let below: Vec<String> = children(node).into_iter().filter(|child| *child <= n).map(|child| format!("i{child}")).collect();
        text.equation(format_args!("i{node} = G*v{node} + {}", sum(&below)));
    }
    text
}

/// A square grid; every `capacitors`-th node has a capacitor to earth, the others a resistor.
fn grid(n_equations: usize, capacitors: Option<usize>) -> Text {
    // A side of s nodes has s^2 nodes and 2*s*(s - 1) resistors.
    let side = (((1.0 + (1.0 + 3.0 * n_equations as f64).sqrt()) / 3.0).round() as usize).max(2);
    let mut text = Text::default();
    for row in 0..side {
        for column in 0..side {
            let number = row * side + column;
            let is_state = capacitors.is_some_and(|every| number % every == every / 2);
            text.declare(format_args!("v{row}_{column}{}", if is_state { "(start = 0, fixed = true)" } else { "" }));
            let mut from = Vec::new();
            if number == 0 {
                from.push("(source - v0_0)/R".to_string());
            }
            if column > 0 {
                from.push(format!("h{row}_{}", column - 1));
            }
            if row > 0 {
                from.push(format!("w{}_{column}", row - 1));
            }
            let mut to = String::new();
            if column + 1 < side {
                text.declare(format_args!("h{row}_{column}"));
                text.equation(format_args!("v{row}_{column} - v{row}_{} = R*h{row}_{column}", column + 1));
                let _ = write!(to, " - h{row}_{column}");
            }
            if row + 1 < side {
                text.declare(format_args!("w{row}_{column}"));
                text.equation(format_args!("v{row}_{column} - v{}_{column} = R*w{row}_{column}", row + 1));
                let _ = write!(to, " - w{row}_{column}");
            }
            let own = if is_state { format!("C*der(v{row}_{column})") } else { format!("G*v{row}_{column}") };
            text.equation(format_args!("{own} = {}{to}", sum(&from)));
        }
    }
    text
}

/// Runs the command.
pub(crate) fn main(arguments: &[String]) -> ExitCode {
    let words = arguments;
    let (Some(family), Some(n)) = (words.first(), words.get(1).and_then(|word| word.parse::<usize>().ok())) else {
        eprintln!("generate chain|tree|grid|rc-grid EQUATIONS");
        return ExitCode::from(2);
    };
    let text = match family.as_str() {
        "chain" => branches(n, |node| node - 1, |node| vec![node + 1]),
        "tree" => branches(n, |node| node / 2, |node| vec![2 * node, 2 * node + 1]),
        "grid" => grid(n, None),
        "rc-grid" => grid(n, Some(100)),
        other => {
            eprintln!("there is no family `{other}`; the families are chain, tree, grid, rc-grid");
            return ExitCode::from(2);
        }
    };
    println!("model Family \"{family} of about {n} equations\"\n  parameter Real R = 2, G = 0.01, C = 0.5;\n  Real source = sin(time);");
    println!("{}equation\n{}end Family;", text.declarations, text.equations);
    ExitCode::SUCCESS
}
