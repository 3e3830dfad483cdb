//! Random discrete programs: `when` with samples, times and relations, `pre`, `edge`, `change`, algorithms, a state that is reset.
//!
//! Each discrete variable is defined by what stands before it in an order that the text does not show, and by `pre` of all, so
//! that the order of evaluation is known and the equations can be shuffled.

use super::case::Case;
use super::models::TYPES;
use crate::random::Random;
use std::fmt::Write;

/// The type of a discrete variable.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Type {
    Integer,
    Boolean,
    Real,
}

#[derive(Clone, Debug)]
struct Variable {
    name: String,
    ty: Type,
}

struct Writer<'r> {
    random: &'r mut Random,
    /// All discrete variables, in the order of evaluation.
    all: Vec<Variable>,
    /// How many of them have been defined.
    n_known: usize,
    has_state: bool,
}

/// A discrete program.
pub fn program(random: &mut Random) -> Case {
    let mut writer = Writer { has_state: random.below(5) < 2, all: Vec::new(), n_known: 0, random };
    let mut declarations = writer.declared();
    let mut sections: Vec<String> = Vec::new();
    let mut equations: Vec<String> = Vec::new();
    while writer.n_known < writer.all.len() {
        let n = (1 + writer.below(3)).min(writer.all.len() - writer.n_known);
        match writer.below(6) {
            0 | 1 if n == 1 => equations.push(writer.plain()),
            2 => sections.push(writer.algorithm(n)),
            _ => equations.push(writer.when(n)),
        }
    }
    if writer.has_state {
        let (k, x) = (writer.integer(true), writer.number());
        equations.push(format!(
            "  der(s) = -{:.2} * s + {:.2} * sin(3 * time) + 0.05 * mod({k}, 7);\n",
            0.5 + writer.random.part(),
            1.0 + writer.random.part()
        ));
        if writer.below(2) == 0 {
            let condition = writer.condition();
            equations.push(format!("  when {condition} then\n    reinit(s, 0.3 * {x} - 0.4 * s);\n  end when;\n"));
        }
        declarations += &format!("  Real s(start = {:.2}, fixed = true);\n", writer.random.part());
    }
    let mut text = format!("{TYPES}model M\n{declarations}equation\n");
    while !equations.is_empty() {
        text += &equations.swap_remove(writer.below(equations.len()));
    }
    while !sections.is_empty() {
        text += &sections.swap_remove(writer.below(sections.len()));
    }
    let tolerance = if writer.has_state { 1e-6 } else { 1e-8 };
    Case { n_points: 10, n_steps: 12, tolerance, ..Case::of_text(text + "end M;\n") }
}

impl Writer<'_> {
    fn below(&mut self, n: usize) -> usize {
        self.random.below(n)
    }

    fn pick<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.random.below(of.len())]
    }

    /// A number with digits that no event meets by chance.
    fn odd(&mut self) -> String {
        format!("{:.4}", 0.0301 + 0.93 * self.random.part())
    }

    fn declared(&mut self) -> String {
        let mut text = String::new();
        let _ = writeln!(text, "  parameter Integer n = {};\n  parameter Real p = {};", 1 + self.below(5), self.odd());
        let _ = writeln!(
            text,
            "  Real x0 = {:.3} * sin({:.3} * time + {:.3});",
            0.6 + self.random.part(),
            2.0 + 9.0 * self.random.part(),
            self.random.part()
        );
        let _ = writeln!(text, "  Real x1 = {:.3} * time + 0.2 * cos({:.3} * time);", self.random.part(), 3.0 + 5.0 * self.random.part());
        for at in 0..2 + self.below(5) {
            let (ty, word, start) = match self.below(5) {
                0 | 1 => (Type::Integer, "Integer", self.below(4).to_string()),
                2 | 3 => (Type::Boolean, "Boolean", self.pick(&["true", "false"]).to_string()),
                _ => (Type::Real, "discrete Real", self.odd()),
            };
            let _ = writeln!(text, "  {word} d{at}(start = {start}, fixed = true);");
            self.all.push(Variable { name: format!("d{at}"), ty });
        }
        text
    }

    /// A variable: as it is now, if it is known, or as it was.
    fn variable(&mut self, ty: Type, now: bool) -> Option<String> {
        let known = if now { self.n_known } else { self.all.len() };
        let fitting: Vec<String> = self.all[..known].iter().filter(|v| v.ty == ty).map(|v| v.name.clone()).collect();
        if fitting.is_empty() {
            return None;
        }
        let name = &fitting[self.random.below(fitting.len())];
        Some(if now { name.clone() } else { format!("pre({name})") })
    }

    fn any_variable(&mut self, ty: Type) -> Option<String> {
        let now = self.below(2) == 0;
        self.variable(ty, now).or_else(|| self.variable(ty, !now))
    }

    fn integer(&mut self, now_only: bool) -> String {
        let variable = if now_only { self.variable(Type::Integer, true) } else { self.any_variable(Type::Integer) };
        match variable {
            Some(name) if self.below(4) > 0 => name,
            _ => self.pick(&["n", "1", "2", "3"]).to_string(),
        }
    }

    /// A Real that is known now.
    fn number(&mut self) -> String {
        match self.below(6) {
            0 => self.any_variable(Type::Real).unwrap_or_else(|| "p".to_string()),
            1 => "x1".to_string(),
            2 => "time".to_string(),
            3 if self.has_state => "s".to_string(),
            4 => self.odd(),
            _ => "x0".to_string(),
        }
    }

    fn boolean(&mut self) -> String {
        match self.below(6) {
            0 | 1 => self.any_variable(Type::Boolean).unwrap_or_else(|| "true".to_string()),
            2 => format!("{} {} {}", self.integer(false), self.pick(&["<", ">=", "==", "<>"]), self.integer(false)),
            3 => format!("not ({})", self.boolean()),
            4 => format!("({} {} {})", self.boolean(), self.pick(&["and", "or"]), self.boolean()),
            _ => format!("{} > {}", self.pick(&["x0", "x1"]), self.odd()),
        }
    }

    /// What a discrete variable becomes.
    fn value(&mut self, ty: Type) -> String {
        match (ty, self.below(5)) {
            (Type::Integer, 0) => format!("integer(7.3 * {})", self.number()),
            (Type::Integer, 1) => format!("if {} then {} else {}", self.boolean(), self.integer(false), self.integer(false)),
            (Type::Integer, 2) => format!("mod({} * {} + 1, 11)", self.integer(false), self.integer(false)),
            (Type::Integer, _) => format!("{} {} {}", self.integer(false), self.pick(&["+", "-"]), self.integer(false)),
            (Type::Boolean, _) => self.boolean(),
            (Type::Real, 0) => format!("0.5 * {} + 0.3 * {}", self.number(), self.number()),
            (Type::Real, 1) => format!("if {} then {} else {}", self.boolean(), self.number(), self.number()),
            (Type::Real, _) => format!("sin({}) - 0.2 * {}", self.number(), self.integer(false)),
        }
    }

    /// When something happens.
    fn condition(&mut self) -> String {
        let simple = |this: &mut Self| match this.below(11) {
            0 | 1 => {
                let start = this.pick(&["0", "0.1", "0.05", "0.13"]);
                format!("sample({start}, {})", this.pick(&["0.1", "0.2", "0.25", "0.17"]))
            }
            2 => format!("time >= {}", this.odd()),
            3 => format!("{} {} {}", this.pick(&["x0", "x1"]), this.pick(&[">", "<"]), this.odd()),
            4 => this.variable(Type::Boolean, true).map_or_else(|| "x0 > p".to_string(), |b| format!("edge({b})")),
            5 => this.variable(Type::Integer, true).map_or_else(|| "x1 > p".to_string(), |k| format!("change({k})")),
            6 => this.variable(Type::Boolean, true).map_or_else(|| "x0 < p".to_string(), |b| this.pick(&["", "not "]).to_string() + &b),
            7 => format!("{} > {}", this.integer(false), 1 + this.below(4)),
            8 if this.has_state => format!("s > {}", this.odd()),
            9 => format!("{} and x0 > {}", this.boolean(), this.odd()),
            _ => format!("sample({}, 0.2)", this.pick(&["0", "0.1"])),
        };
        match self.below(8) {
            0 => format!("{{{}, {}}}", simple(self), simple(self)),
            _ => simple(self),
        }
    }

    /// The same, possibly active at the start.
    fn start_condition(&mut self) -> String {
        let condition = self.condition();
        if self.below(8) > 0 || condition.starts_with('{') {
            return condition;
        }
        format!("{{initial(), {condition}}}")
    }

    /// The next variables, all defined by one `when`.
    fn when(&mut self, n: usize) -> String {
        let own: Vec<Variable> = self.all[self.n_known..self.n_known + n].to_vec();
        let mut text = String::new();
        for branch in 0..1 + self.below(3) {
            let condition = self.start_condition();
            let _ = writeln!(text, "  {} {condition} then", if branch == 0 { "when" } else { "elsewhen" });
            for variable in &own {
                let value = self.value(variable.ty);
                let _ = writeln!(text, "    {} = {value};", variable.name);
            }
        }
        self.n_known += n;
        text + "  end when;\n"
    }

    /// The next variable, by an equation: no memory but hysteresis.
    fn plain(&mut self) -> String {
        let variable = self.all[self.n_known].clone();
        let text = match variable.ty {
            Type::Boolean => {
                let (low, x) = (0.4 * self.random.part(), self.pick(&["x0", "x1"]));
                format!("{x} > {:.4} or (pre({}) and {x} > {low:.4})", low + 0.2, variable.name)
            }
            Type::Integer => {
                let k = self.integer(true);
                format!("integer({:.3} * {}) + {k}", 3.0 * self.random.part(), self.pick(&["x0", "x1", "time"]))
            }
            Type::Real => {
                let (a, b) = (self.odd(), self.odd());
                format!("if {} > p then {a} else {b}", self.pick(&["x0", "x1"]))
            }
        };
        self.n_known += 1;
        format!("  {} = {text};\n", variable.name)
    }

    /// The next variables, by an algorithm.
    fn algorithm(&mut self, n: usize) -> String {
        let own: Vec<Variable> = self.all[self.n_known..self.n_known + n].to_vec();
        let mut text = "algorithm\n".to_string();
        for _ in 0..1 + self.below(2) {
            for branch in 0..1 + self.below(2) {
                let condition = self.condition();
                let _ = writeln!(text, "  {} {condition} then", if branch == 0 { "when" } else { "elsewhen" });
                for _ in 0..1 + self.below(3) {
                    text += &self.statement(&own);
                }
            }
            text += "  end when;\n";
        }
        // Every variable has a statement somewhere.
        for variable in own.iter().filter(|variable| !text.contains(&format!(" {} :=", variable.name))).cloned().collect::<Vec<_>>() {
            let (condition, value) = (self.condition(), self.value(variable.ty));
            let _ = writeln!(text, "  when {condition} then\n    {} := {value};\n  end when;", variable.name);
        }
        self.n_known += n;
        text
    }

    /// An assignment inside `when`; the variables of the algorithm may be read as they are at this point.
    fn statement(&mut self, own: &[Variable]) -> String {
        let target = own[self.random.below(own.len())].clone();
        let value = match target.ty {
            Type::Integer if self.below(2) == 0 => format!("{} + {}", target.name, self.integer(false)),
            Type::Boolean if self.below(3) == 0 => format!("not {}", target.name),
            ty => self.value(ty),
        };
        if self.below(4) == 0 {
            return format!("    if {} then\n      {} := {value};\n    end if;\n", self.boolean(), target.name);
        }
        format!("    {} := {value};\n", target.name)
    }
}
