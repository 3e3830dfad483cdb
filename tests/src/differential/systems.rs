//! Random differential-algebraic systems with a known solution: an explicit system, and the same one hidden.
//!
//! A system is a list of blocks; each uses signals of earlier blocks and gives new ones. The explicit text has every unknown alone on
//! the left; the hidden one mixes equations by regular matrices, makes them implicit, chains aliases, states constraints instead of
//! derivatives (index 2 and 3), and shuffles. Blocks can be left out one by one, which is how a difference is made small.

use super::case::Case;
use crate::random::Random;
use std::fmt::Write;

/// Blocks of the largest system.
pub const MOST_BLOCKS: usize = 6;

struct Writer {
    random: Random,
    block: usize,
    /// Smooth variables of both texts, bounded by a few units.
    signals: Vec<String>,
    /// Those that are states, so that their derivatives may be used.
    states: Vec<String>,
    /// Declarations of both texts.
    declarations: String,
    explicit: Vec<String>,
    hidden: Vec<String>,
}

const FUNCTIONS: &str = "function g0\n  input Real a;\n  input Real b;\n  output Real y;\nprotected\n  Real w[3];\nalgorithm\n  y := 0;\n  \
    for i in 1:3 loop\n    w[i] := sin(a + i * b);\n    y := y + w[i] / (1 + i);\n  end for;\nend g0;\n\
    function g1\n  input Real a;\n  output Real y;\nalgorithm\n  y := a / sqrt(1 + a ^ 2);\nend g1;\n";

/// The system of a seed, without the blocks that `keep` says no to.
pub fn system(random: &mut Random, keep: &dyn Fn(usize) -> bool) -> Case {
    let n_blocks = 1 + random.below(MOST_BLOCKS);
    let seeds: Vec<u64> = (0..n_blocks).map(|_| random.below(1 << 30) as u64).collect();
    let mut writer = Writer {
        random: Random::new(0),
        block: 0,
        signals: vec!["u".to_string()],
        states: Vec::new(),
        declarations: "  parameter Real p = 0.75;\n  Real u = p * sin(2.3 * time);\n".to_string(),
        explicit: Vec::new(),
        hidden: Vec::new(),
    };
    for (block, &seed) in seeds.iter().enumerate().filter(|(block, _)| keep(*block)) {
        (writer.random, writer.block) = (Random::new(seed), block);
        writer.add();
    }
    let mut hidden = String::new();
    while !writer.hidden.is_empty() {
        hidden += &writer.hidden.swap_remove(random.below(writer.hidden.len()));
    }
    let text = |equations: &str| format!("model M\n{}equation\n{equations}end M;\n{FUNCTIONS}", writer.declarations);
    Case { explicit: Some(text(&writer.explicit.concat())), n_steps: 30, tolerance: 1e-6, ..Case::of_text(text(&hidden)) }
}

impl Writer {
    fn below(&mut self, n: usize) -> usize {
        self.random.below(n)
    }

    /// A number of a range, as it is written.
    fn number(&mut self, from: f64, to: f64) -> String {
        format!("{:.3}", from + (to - from) * self.random.part())
    }

    fn signal(&mut self) -> String {
        let at = self.random.below(self.signals.len());
        self.signals[at].clone()
    }

    fn declare(&mut self, text: &str) {
        let _ = writeln!(self.declarations, "  {text};");
    }

    /// The same equation in both texts.
    fn both(&mut self, equation: &str) {
        self.explicit.push(format!("  {equation};\n"));
        self.hidden.push(format!("  {equation};\n"));
    }

    fn explicit(&mut self, equation: &str) {
        self.explicit.push(format!("  {equation};\n"));
    }

    fn hidden(&mut self, equation: &str) {
        self.hidden.push(format!("  {equation};\n"));
    }

    /// A bounded smooth expression over the signals.
    fn term(&mut self) -> String {
        let (c, a, b) = (self.number(-0.9, 0.9), self.signal(), self.signal());
        match self.below(8) {
            0 => format!("({c}) * sin({a} + {b})"),
            1 => format!("({c}) * tanh({a})"),
            2 => format!("({c}) * cos({} * time)", self.number(1.0, 6.0)),
            3 => format!("({c}) * {a} / (1.3 + {b} ^ 2)"),
            4 => format!("g0({a}, {b})"),
            5 => format!("g1(2 * {a})"),
            6 => format!("({c}) * exp(-{a} ^ 2)"),
            _ => format!("({c}) * sin({a})"),
        }
    }

    fn terms(&mut self) -> String {
        let n = 1 + self.below(3);
        (0..n).map(|_| self.term()).collect::<Vec<_>>().join(" + ")
    }

    fn add(&mut self) {
        match self.below(10) {
            0 | 1 => self.dynamics(),
            2 | 3 => self.algebra(),
            4 => self.aliases(),
            5 => self.constrained(),
            6 => self.masses(),
            7 => self.pendulum(),
            8 => self.rod(),
            _ => self.switched(),
        }
    }

    /// Equations `left = right`, mixed by a matrix whose diagonal dominates.
    fn mixed(&mut self, equations: &[(String, String)]) {
        let n = equations.len();
        for row in 0..n {
            let (mut left, mut right) = (Vec::new(), Vec::new());
            for (col, (l, r)) in equations.iter().enumerate() {
                let weight = if row == col { self.number(1.2, 2.5) } else { format!("({})", self.number(-0.5, 0.5)) };
                left.push(format!("{weight} * {l}"));
                right.push(format!("{weight} * ({r})"));
            }
            let (left, right) = (left.join(" + "), right.join(" + "));
            let text = if self.below(3) == 0 { format!("{left} - ({right}) = 0") } else { format!("{left} = {right}") };
            self.hidden(&text);
        }
    }

    /// Equations `left = right` in a form that has to be solved.
    fn hide(&mut self, equations: &[(String, String)]) {
        if equations.len() > 1 && self.below(2) == 0 {
            return self.mixed(equations);
        }
        for (left, right) in equations {
            let factor = self.term();
            let text = match self.below(6) {
                0 => format!("{right} = {left}"),
                1 => format!("{left} + 0.3 * sin({left}) = {right} + 0.3 * sin({right})"),
                2 => format!("{left} ^ 3 + 2 * {left} = ({right}) ^ 3 + 2 * ({right})"),
                3 => format!("{left} * (6 + {factor}) = ({right}) * (6 + {factor})"),
                4 => format!("0 = {left} - ({right})"),
                _ => format!("{left} = {right}"),
            };
            self.hidden(&text);
        }
    }

    /// Coupled states.
    fn dynamics(&mut self) {
        let n = 1 + self.below(3);
        let names: Vec<String> = (0..n).map(|i| format!("x{}_{i}", self.block)).collect();
        for name in &names {
            let start = self.number(-1.0, 1.0);
            self.declare(&format!("Real {name}(start = {start}, fixed = true)"));
        }
        self.signals.extend(names.clone());
        let mut equations = Vec::new();
        for name in &names {
            let rate = if self.below(4) == 0 { self.number(6.0, 20.0) } else { self.number(0.3, 3.0) };
            equations.push((format!("der({name})"), format!("-{rate} * {name} + {}", self.terms())));
        }
        equations.iter().for_each(|(left, right)| self.explicit(&format!("{left} = {right}")));
        self.hide(&equations);
        self.states.extend(names);
    }

    /// Algebraic variables, each a function of those before.
    fn algebra(&mut self) {
        let n = 1 + self.below(3);
        let mut equations = Vec::new();
        for i in 0..n {
            let name = format!("a{}_{i}", self.block);
            self.declare(&format!("Real {name}"));
            let value = self.terms();
            self.explicit(&format!("{name} = {value}"));
            equations.push((name.clone(), value));
            self.signals.push(name);
        }
        self.hide(&equations);
    }

    /// A chain of equal and opposite variables.
    fn aliases(&mut self) {
        let mut last = self.signal();
        for i in 0..2 + self.below(3) {
            let name = format!("b{}_{i}", self.block);
            self.declare(&format!("Real {name}"));
            let negative = self.below(2) == 0;
            self.explicit(&if negative { format!("{name} = -{last}") } else { format!("{name} = {last}") });
            let text = match (negative, self.below(3)) {
                (true, 0) => format!("{name} + {last} = 0"),
                (true, 1) => format!("-{name} = {last}"),
                (true, _) => format!("{last} = -{name}"),
                (false, 0) => format!("{last} - {name} = 0"),
                (false, 1) => format!("{last} = {name}"),
                (false, _) => format!("{name} = {last}"),
            };
            self.hidden(&text);
            last = name;
        }
        self.signals.push(last);
    }

    /// The derivative of what a constraint determines: index 2.
    fn constrained(&mut self) {
        if self.states.is_empty() {
            self.dynamics();
        }
        let at = self.below(self.states.len());
        let state = self.states[at].clone();
        let (x, v) = (format!("c{}", self.block), format!("cv{}", self.block));
        let (a, b, w) = (self.number(0.2, 0.9), self.number(0.2, 0.9), self.number(1.0, 4.0));
        self.declare(&format!("Real {x}"));
        self.declare(&format!("Real {v}"));
        self.explicit(&format!("{x} = {a} * sin({state}) + {b} * sin({w} * time)"));
        self.explicit(&format!("{v} = {a} * cos({state}) * der({state}) + {b} * {w} * cos({w} * time)"));
        match self.below(3) {
            0 => self.hidden(&format!("{x} - {a} * sin({state}) = {b} * sin({w} * time)")),
            _ => self.hidden(&format!("{x} = {a} * sin({state}) + {b} * sin({w} * time)")),
        }
        self.hidden(&format!("der({x}) = {v}"));
        self.signals.push(x);
    }

    /// Two masses at a prescribed distance, with the force between them: index 3.
    fn masses(&mut self) {
        let k = self.block;
        let (m1, m2, a, w) = (self.number(0.5, 2.0), self.number(0.5, 2.0), self.number(0.1, 0.5), self.number(1.0, 4.0));
        let (f1, f2) = (self.terms(), self.terms());
        let (s, sv) = (self.number(-0.5, 0.5), self.number(-0.5, 0.5));
        for name in ["y1", "v1", "f"] {
            self.declare(&format!("Real {name}_{k}"));
        }
        self.declare(&format!("Real y2_{k}(start = {s}, fixed = true)"));
        self.declare(&format!("Real v2_{k}(start = {sv}, fixed = true)"));
        // F1 acts on the first mass, F2 with a spring and a damper on the second.
        let pull = format!("{f2} - 2.5 * y2_{k} - 0.8 * v2_{k}");
        let (d1, d2) = (format!("{a} * {w} * cos({w} * time)"), format!("(-{a} * {w} ^ 2 * sin({w} * time))"));
        self.explicit(&format!("der(y2_{k}) = v2_{k}"));
        self.explicit(&format!("der(v2_{k}) = ({f1} + {pull} - {m1} * {d2}) / ({m1} + {m2})"));
        self.explicit(&format!("y1_{k} = y2_{k} + {a} * sin({w} * time)"));
        self.explicit(&format!("v1_{k} = v2_{k} + {d1}"));
        self.explicit(&format!("f_{k} = {m1} * (der(v2_{k}) + {d2}) - ({f1})"));
        self.hidden(&format!("der(y1_{k}) = v1_{k}"));
        self.hidden(&format!("der(y2_{k}) = v2_{k}"));
        self.hidden(&format!("{m1} * der(v1_{k}) = {f1} + f_{k}"));
        self.hidden(&format!("{m2} * der(v2_{k}) = {pull} - f_{k}"));
        self.hidden(&format!("y1_{k} - y2_{k} = {a} * sin({w} * time)"));
        self.signals.push(format!("y1_{k}"));
    }

    /// A pendulum in Cartesian coordinates, which turns less than a quarter.
    fn pendulum(&mut self) {
        let k = self.block;
        let (angle, g) = (-0.6 + 1.2 * self.random.part(), self.number(3.0, 10.0));
        let (px, py) = (angle.sin(), -angle.cos());
        self.declarations += &format!("  Real px{k}(start = {px}, fixed = true);\n  Real py{k}(start = {py});\n");
        self.declarations += &format!("  Real pu{k}(start = 0, fixed = true);\n  Real pw{k};\n  Real pf{k};\n");
        self.hidden(&format!("der(px{k}) = pu{k}"));
        self.hidden(&format!("der(py{k}) = pw{k}"));
        self.hidden(&format!("der(pu{k}) = -pf{k} * px{k}"));
        self.hidden(&format!("der(pw{k}) = -pf{k} * py{k} - {g}"));
        self.hidden(&format!("px{k} ^ 2 + py{k} ^ 2 = 1"));
        // Below the axis y = -sqrt(1 - x^2); the force follows from the second derivative of the constraint.
        self.explicit(&format!("der(px{k}) = pu{k}"));
        self.explicit(&format!("py{k} = -sqrt(1 - px{k} ^ 2)"));
        self.explicit(&format!("pw{k} = -px{k} * pu{k} / py{k}"));
        self.explicit(&format!("pf{k} = pu{k} ^ 2 + pw{k} ^ 2 - {g} * py{k}"));
        self.explicit(&format!("der(pu{k}) = -pf{k} * px{k}"));
    }

    /// An array of states with a loop of equations.
    fn rod(&mut self) {
        let (k, n) = (self.block, 3 + self.below(4));
        let (c, left) = (self.number(0.5, 6.0), self.term());
        self.declare(&format!("Real t{k}[{n}](each start = 0.1, each fixed = true)"));
        self.declare(&format!("Real q{k}[{}]", n + 1));
        self.both(&format!("q{k}[1] = {left} - t{k}[1]"));
        self.both(&format!("q{k}[{}] = 0.2 * t{k}[{n}]", n + 1));
        let text = format!("for i in 2:{n} loop\n    q{k}[i] = {c} * (t{k}[i - 1] - t{k}[i]);\n  end for");
        self.both(&text);
        self.explicit(&format!("for i in 1:{n} loop\n    der(t{k}[i]) = {c} * (q{k}[i] - q{k}[i + 1]);\n  end for"));
        if self.below(2) == 0 {
            self.hidden(&format!("der(t{k}) = {c} * (q{k}[1:{n}] - q{k}[2:end])"));
        } else {
            self.hidden(&format!("for i in 1:{n} loop\n    0 = {c} * (q{k}[i] - q{k}[i + 1]) - der(t{k}[i]);\n  end for"));
        }
        self.signals.push(format!("t{k}[{}]", 1 + k % n));
    }

    /// A state whose equation switches where another signal crosses a number, and a counter that samples.
    fn switched(&mut self) {
        let k = self.block;
        let (a, b, c, by) = (self.term(), self.term(), self.number(-0.4, 0.4), self.signal());
        self.declare(&format!("Real e{k}(start = 0.2, fixed = true)"));
        self.declare(&format!("Real es{k}"));
        self.declare(&format!("Integer ek{k}(start = 1, fixed = true)"));
        self.both(&format!("es{k} = if {by} > {c} then 0.5 + {a} else {b} - 0.4"));
        let (start, interval) = (self.number(0.05, 0.1), self.number(0.15, 0.4));
        self.both(&format!("when sample({start}, {interval}) then\n    ek{k} = pre(ek{k}) + (if e{k} > 0.1 then 1 else 2);\n  end when"));
        let equation = [(format!("der(e{k})"), format!("es{k} - 2 * e{k} + 0.1 * sin(ek{k})"))];
        self.explicit(&format!("{} = {}", equation[0].0, equation[0].1));
        self.hide(&equation);
        self.signals.push(format!("e{k}"));
    }
}
