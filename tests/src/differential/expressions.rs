//! Random expressions of a wanted type and shape, over the variables in sight.

use crate::random::Random;

/// The type of an expression's elements.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// Real.
    Real,
    /// Integer.
    Integer,
    /// Boolean.
    Boolean,
    /// The enumeration `E` that every model has.
    Enumeration,
}

impl Type {
    /// As it is written.
    pub fn word(self) -> &'static str {
        match self {
            Type::Real => "Real",
            Type::Integer => "Integer",
            Type::Boolean => "Boolean",
            Type::Enumeration => "E",
        }
    }
}

/// A variable that expressions may use.
#[derive(Clone, Debug)]
pub struct Variable {
    /// As it is written.
    pub name: String,
    /// Of its elements.
    pub ty: Type,
    /// Its sizes.
    pub dims: Vec<usize>,
}

/// A function that expressions may call.
#[derive(Clone, Debug)]
pub struct Signature {
    /// Its name.
    pub name: String,
    /// Types and sizes of the inputs, and whether they have defaults.
    pub inputs: Vec<(String, Type, Vec<usize>, bool)>,
    /// Type and sizes of the first output.
    pub output: (Type, Vec<usize>),
    /// Types and sizes of further outputs.
    pub more: Vec<(Type, Vec<usize>)>,
}

/// Makes expressions.
pub struct Writer<'r> {
    /// Where choices come from.
    pub random: &'r mut Random,
    /// In sight.
    pub variables: Vec<Variable>,
    /// In sight.
    pub functions: Vec<Signature>,
    /// How many loop variables there are.
    pub n_iterators: usize,
}

/// Sizes of the vectors and matrices that are made.
const SIZES: [usize; 3] = [2, 3, 3];

impl<'r> Writer<'r> {
    /// Nothing is in sight.
    pub fn new(random: &'r mut Random) -> Writer<'r> {
        Writer { random, variables: Vec::new(), functions: Vec::new(), n_iterators: 0 }
    }

    /// One of some.
    pub fn pick<'t, T>(&mut self, of: &'t [T]) -> &'t T {
        &of[self.random.below(of.len())]
    }

    /// True once in `n` times.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.random.below(n) == 0
    }

    /// A size.
    pub fn size(&mut self) -> usize {
        *self.pick(&SIZES)
    }

    /// Sizes of a scalar, vector or matrix.
    pub fn dims(&mut self) -> Vec<usize> {
        match self.random.below(6) {
            0..=2 => vec![],
            3 | 4 => vec![self.size()],
            _ => vec![self.size(), self.size()],
        }
    }

    /// A type.
    pub fn ty(&mut self) -> Type {
        *self.pick(&[Type::Real, Type::Real, Type::Real, Type::Integer, Type::Integer, Type::Boolean, Type::Enumeration])
    }

    /// A variable of this type and shape.
    pub fn variable(&mut self, ty: Type, dims: &[usize]) -> Option<String> {
        let fitting: Vec<usize> =
            (0..self.variables.len()).filter(|&i| self.variables[i].ty == ty && self.variables[i].dims == dims).collect();
        (!fitting.is_empty()).then(|| self.variables[fitting[self.random.below(fitting.len())]].name.clone())
    }

    /// A Real number that meets no other by chance.
    pub fn real(&mut self) -> String {
        let whole = self.random.below(4) as f64;
        match self.random.below(6) {
            0 => format!("{whole:.1}"),
            1 => format!("({:.3})", -whole - self.random.part()),
            2 => format!("{:.1}e-1", 1.0 + 8.0 * self.random.part()),
            _ => format!("{:.3}", whole + self.random.part()),
        }
    }

    /// A small Integer.
    pub fn integer(&mut self) -> String {
        match self.random.below(10) as i64 - 3 {
            i if i < 0 => format!("({i})"),
            i => i.to_string(),
        }
    }

    /// An expression of a type and shape; `depth` bounds its nesting.
    pub fn expr(&mut self, ty: Type, dims: &[usize], depth: usize) -> String {
        if depth > 0 && self.once_in(9) {
            return self.conditional(ty, dims, depth - 1);
        }
        if depth > 0
            && self.once_in(6)
            && let Some(call) = self.call(ty, dims, depth - 1)
        {
            return call;
        }
        match dims {
            [] => self.scalar(ty, depth),
            &[n] => self.vector(ty, n, depth),
            &[n, m] => self.matrix(ty, n, m, depth),
            _ => self.listed(ty, dims, depth),
        }
    }

    /// An expression that may stand as an operand of anything.
    fn operand(&mut self, ty: Type, dims: &[usize], depth: usize) -> String {
        let text = self.expr(ty, dims, depth);
        let plain = text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.');
        if plain { text } else { format!("({text})") }
    }

    fn conditional(&mut self, ty: Type, dims: &[usize], depth: usize) -> String {
        let condition = self.expr(Type::Boolean, &[], depth);
        let (a, b) = (self.expr(ty, dims, depth), self.expr(ty, dims, depth));
        if self.once_in(3) {
            let (other, c) = (self.expr(Type::Boolean, &[], depth), self.expr(ty, dims, depth));
            return format!("(if {condition} then {a} elseif {other} then {c} else {b})");
        }
        format!("(if {condition} then {a} else {b})")
    }

    /// A call of a function that gives this type and shape, or of one for scalars that is applied to all elements.
    fn call(&mut self, ty: Type, dims: &[usize], depth: usize) -> Option<String> {
        let spread = |f: &Signature| f.output == (ty, vec![]) && f.inputs.iter().all(|input| input.2.is_empty());
        let fitting: Vec<Signature> = self.functions.iter().filter(|f| f.output == (ty, dims.to_vec()) || spread(f)).cloned().collect();
        if fitting.is_empty() {
            return None;
        }
        let function = self.pick(&fitting).clone();
        let vectorized = function.output.1 != dims;
        if vectorized && function.inputs.is_empty() {
            return None;
        }
        let mut arguments = Vec::new();
        let mut by_name = false;
        for (at, (name, ty, own, default)) in function.inputs.iter().enumerate() {
            // The first argument spreads a vectorized call; others may stay scalars.
            let dims = if vectorized && (at == 0 || self.once_in(2)) { dims } else { own };
            if *default && at > 0 && self.once_in(3) {
                by_name = true;
                continue;
            }
            let argument = self.expr(*ty, dims, depth);
            by_name |= at > 0 && self.once_in(8);
            arguments.push(if by_name { format!("{name} = {argument}") } else { argument });
        }
        Some(format!("{}({})", function.name, arguments.join(", ")))
    }

    fn scalar(&mut self, ty: Type, depth: usize) -> String {
        match ty {
            Type::Real => self.real_scalar(depth),
            Type::Integer => self.integer_scalar(depth),
            Type::Boolean => self.boolean_scalar(depth),
            Type::Enumeration => match self.variable(ty, &[]) {
                Some(name) if self.once_in(2) => name,
                _ if depth > 0 && self.once_in(4) => self.element(ty, depth - 1),
                _ => format!("E.{}", self.pick(&["one", "two", "three", "four"])),
            },
        }
    }

    fn real_leaf(&mut self) -> String {
        match self.variable(Type::Real, &[]) {
            Some(name) if !self.once_in(4) => name,
            _ => self.real(),
        }
    }

    fn real_scalar(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.real_leaf();
        }
        let d = depth - 1;
        let a = |this: &mut Self| this.operand(Type::Real, &[], d);
        match self.random.below(26) {
            0..=3 => format!("{} {} {}", a(self), self.pick(&["+", "-", ".+", ".-"]), a(self)),
            4 | 5 => format!("{} {} {}", a(self), self.pick(&["*", ".*"]), a(self)),
            6 => format!("{} / (1.5 + abs({}))", a(self), a(self)),
            7 => format!("{} / {}", a(self), self.divisor(Type::Real, d)),
            8 => format!("-{}", a(self)),
            9 => {
                let argument = a(self);
                self.elementary(&argument)
            }
            10 => format!("{} ^ {}", a(self), self.random.below(4)),
            11 => format!("(0.1 + abs({})) {} {}", a(self), self.pick(&["^", ".^"]), self.real_leaf()),
            12 => format!("{}({}, {})", self.pick(&["min", "max", "atan2"]), a(self), a(self)),
            13 => format!("{}({})", self.pick(&["floor", "ceil", "abs", "sign"]), a(self)),
            14 => format!("{}({}, {})", self.pick(&["div", "mod", "rem"]), a(self), self.divisor(Type::Real, d)),
            15 => self.operand(Type::Integer, &[], d),
            16 => format!("{} / {}", self.operand(Type::Integer, &[], d), self.divisor(Type::Integer, d)),
            17 => format!("{} ^ {}", self.operand(Type::Integer, &[], d), self.random.below(3)),
            18 => self.product_to_scalar(d),
            19 | 20 => self.reduced(Type::Real, d),
            21 | 22 => self.element(Type::Real, d),
            23 => format!("{} + {} * {} - {}", a(self), a(self), a(self), a(self)),
            24 => format!("noEvent({})", a(self)),
            _ => self.real_leaf(),
        }
    }

    /// What is mostly not zero: a division by zero ends the run, and there is nothing to compare.
    fn divisor(&mut self, ty: Type, d: usize) -> String {
        match self.random.below(8) {
            0 => self.operand(ty, &[], d),
            1..=4 => format!("(1 + abs({}))", self.expr(ty, &[], d)),
            _ => self.pick(&["2", "3", "(-2)", "7"]).to_string(),
        }
    }

    fn elementary(&mut self, a: &str) -> String {
        match self.random.below(9) {
            0 => format!("exp(-abs({a}))"),
            1 => format!("log(1.2 + abs({a}))"),
            2 => format!("sqrt(0.3 + abs({a}))"),
            3 => format!("{}(sin({a}) * 0.9)", self.pick(&["asin", "acos", "tan", "sinh", "cosh", "exp"])),
            4 => format!("log10(0.7 + ({a}) ^ 2)"),
            _ => format!("{}({a})", self.pick(&["sin", "cos", "atan", "tanh"])),
        }
    }

    /// `v * v` and what else makes a scalar of arrays.
    fn product_to_scalar(&mut self, d: usize) -> String {
        let n = self.size();
        let (a, b) = (self.operand(Type::Real, &[n], d), self.operand(Type::Real, &[n], d));
        match self.random.below(4) {
            0 => format!("scalar({{{}}})", self.expr(Type::Real, &[], d)),
            1 => format!("{a} * {} * {b}", self.operand(Type::Real, &[n, n], d)),
            _ => format!("{a} * {b}"),
        }
    }

    /// A reduction of an array, or over an iterator.
    fn reduced(&mut self, ty: Type, d: usize) -> String {
        let word = *self.pick(&["sum", "product", "min", "max", "sum"]);
        if self.once_in(2) {
            let dims = if self.once_in(3) { vec![self.size(), self.size()] } else { vec![self.size()] };
            return format!("{word}({})", self.expr(ty, &dims, d));
        }
        let (iterator, range) = self.iterator();
        self.variables.push(Variable { name: iterator.clone(), ty: Type::Integer, dims: vec![] });
        let body = self.expr(ty, &[], d);
        self.variables.pop();
        if self.once_in(4) {
            return format!("{word}({body} for {iterator} in {range}, j in 1:2)");
        }
        format!("{word}({body} for {iterator} in {range})")
    }

    fn iterator(&mut self) -> (String, String) {
        self.n_iterators += 1;
        let range = *self.pick(&["1:3", "1:2", "2:2:6", "3:-1:1", "{1, 3, 2}", "-1:1"]);
        (format!("i{}", self.n_iterators), range.to_string())
    }

    /// An element of an array that is a variable.
    fn element(&mut self, ty: Type, d: usize) -> String {
        let arrays: Vec<Variable> = self.variables.iter().filter(|v| v.ty == ty && !v.dims.is_empty()).cloned().collect();
        if arrays.is_empty() {
            let n = self.size();
            let index = 1 + self.random.below(n);
            return format!("({})[{index}]", self.listed(ty, &[n], d));
        }
        let array = self.pick(&arrays).clone();
        let subscripts: Vec<String> = array.dims.iter().map(|&n| self.subscript(n, d)).collect();
        format!("{}[{}]", array.name, subscripts.join(", "))
    }

    /// One element of `n`.
    fn subscript(&mut self, n: usize, d: usize) -> String {
        match self.random.below(8) {
            0 => "end".to_string(),
            1 if n > 1 => "end - 1".to_string(),
            2 => format!("1 + mod({}, {n})", self.expr(Type::Integer, &[], d)),
            3 => format!("integer(min({n}, max(1, {})))", self.expr(Type::Integer, &[], d.min(1))),
            _ => (1 + self.random.below(n)).to_string(),
        }
    }

    fn integer_scalar(&mut self, depth: usize) -> String {
        let leaf = |this: &mut Self| match this.variable(Type::Integer, &[]) {
            Some(name) if !this.once_in(3) => name,
            _ => this.integer(),
        };
        if depth == 0 {
            return leaf(self);
        }
        let d = depth - 1;
        let a = |this: &mut Self| this.operand(Type::Integer, &[], d);
        match self.random.below(16) {
            0..=2 => format!("{} {} {}", a(self), self.pick(&["+", "-"]), a(self)),
            3 | 4 => format!("{} * {}", a(self), a(self)),
            5 | 6 => format!("{}({}, {})", self.pick(&["div", "mod", "rem"]), a(self), self.divisor(Type::Integer, d)),
            7 => format!("{}({})", self.pick(&["abs", "sign"]), a(self)),
            8 => format!("integer({})", self.expr(Type::Real, &[], d)),
            9 => format!("sign({})", self.expr(Type::Real, &[], d)),
            10 => format!("{}({}, {})", self.pick(&["min", "max"]), a(self), a(self)),
            11 => self.reduced(Type::Integer, d),
            12 => self.element(Type::Integer, d),
            13 => self.size_of(d),
            14 => format!("Integer({})", self.expr(Type::Enumeration, &[], d)),
            _ => leaf(self),
        }
    }

    fn size_of(&mut self, d: usize) -> String {
        let dims = if self.once_in(2) { vec![self.size()] } else { vec![self.size(), self.size()] };
        let array = self.expr(Type::Real, &dims, d.min(1));
        let at = 1 + self.random.below(dims.len());
        if self.once_in(4) { format!("ndims({array})") } else { format!("size({array}, {at})") }
    }

    fn boolean_scalar(&mut self, depth: usize) -> String {
        if depth == 0 {
            return match self.variable(Type::Boolean, &[]) {
                Some(name) if self.once_in(2) => name,
                _ => self.relation(Type::Integer, 0),
            };
        }
        let d = depth - 1;
        let a = |this: &mut Self| this.operand(Type::Boolean, &[], d);
        match self.random.below(10) {
            0..=2 => self.relation(Type::Real, d),
            3 => self.relation(Type::Integer, d),
            4 => self.relation(Type::Enumeration, d),
            5 => format!("not {}", a(self)),
            6 | 7 => format!("{} {} {}", a(self), self.pick(&["and", "or"]), a(self)),
            8 => format!("{} {} {}", a(self), self.pick(&["==", "<>"]), a(self)),
            _ => self.element(Type::Boolean, d),
        }
    }

    fn relation(&mut self, ty: Type, d: usize) -> String {
        let (a, b) = (self.operand(ty, &[], d), self.operand(ty, &[], d));
        let operators: &[&str] = if ty == Type::Real { &["<", "<=", ">", ">="] } else { &["<", "<=", ">", ">=", "==", "<>"] };
        format!("{a} {} {b}", self.pick(operators))
    }

    /// Elements one by one.
    fn listed(&mut self, ty: Type, dims: &[usize], depth: usize) -> String {
        let Some((&n, inner)) = dims.split_first() else { return self.expr(ty, &[], depth) };
        let items: Vec<String> = (0..n).map(|_| self.expr(ty, inner, depth.saturating_sub(1))).collect();
        format!("{{{}}}", items.join(", "))
    }

    /// What arrays of any rank and type may be.
    fn any_array(&mut self, ty: Type, dims: &[usize], depth: usize) -> String {
        let variable = self.variable(ty, dims);
        match variable {
            Some(name) if depth == 0 || self.once_in(3) => name,
            _ => match self.random.below(4) {
                0 => {
                    let sizes: Vec<String> = dims.iter().map(usize::to_string).collect();
                    format!("fill({}, {})", self.expr(ty, &[], depth.saturating_sub(1)), sizes.join(", "))
                }
                1 => self.comprehension(ty, dims, depth.saturating_sub(1)),
                _ => self.listed(ty, dims, depth),
            },
        }
    }

    /// `{e for i in 1:n}`; the last iterator is the first dimension.
    fn comprehension(&mut self, ty: Type, dims: &[usize], d: usize) -> String {
        let names: Vec<String> = dims.iter().map(|_| self.iterator().0).collect();
        names.iter().for_each(|name| self.variables.push(Variable { name: name.clone(), ty: Type::Integer, dims: vec![] }));
        let body = self.expr(ty, &[], d);
        self.variables.truncate(self.variables.len() - names.len());
        let iterators: Vec<String> = names.iter().zip(dims).map(|(name, n)| format!("{name} in 1:{n}")).rev().collect();
        format!("{{{body} for {}}}", iterators.join(", "))
    }

    /// What arrays of numbers of any rank may be.
    fn number_array(&mut self, ty: Type, dims: &[usize], d: usize) -> String {
        let a = |this: &mut Self| this.operand(ty, dims, d);
        match self.random.below(9) {
            0 | 1 => format!("{} {} {}", a(self), self.pick(&["+", "-", ".+", ".-", ".*"]), a(self)),
            2 => format!("{} * {}", self.operand(ty, &[], d), a(self)),
            3 => format!("{} {} {}", a(self), self.pick(&["*", ".*", ".+", ".-"]), self.operand(ty, &[], d)),
            4 => format!("-{}", a(self)),
            5 => format!("{}({})", if ty == Type::Real { *self.pick(&["sin", "abs", "tanh", "floor"]) } else { "abs" }, a(self)),
            6 if ty == Type::Real => format!("{} {} {}", a(self), self.pick(&["/", "./"]), self.real()),
            7 if ty == Type::Real => format!("{} ./ (2.5 .+ abs({}))", a(self), a(self)),
            8 if ty == Type::Real => format!("{} .^ {}", a(self), 1 + self.random.below(3)),
            _ => format!("{}({}, {})", self.pick(&["mod", "rem", "div"]), a(self), 2 + self.random.below(3)),
        }
    }

    fn vector(&mut self, ty: Type, n: usize, depth: usize) -> String {
        if depth == 0 || self.once_in(4) {
            return self.any_array(ty, &[n], depth);
        }
        let d = depth - 1;
        let numbers = matches!(ty, Type::Real | Type::Integer);
        match self.random.below(10) {
            0..=2 if numbers => self.number_array(ty, &[n], d),
            3 if numbers => {
                let m = self.size();
                format!("{} * {}", self.operand(ty, &[n, m], d), self.operand(ty, &[m], d))
            }
            4 if numbers => {
                let m = self.size();
                format!("{} * {}", self.operand(ty, &[m], d), self.operand(ty, &[m, n], d))
            }
            5 if ty == Type::Real && n > 1 => format!("linspace({}, {}, {n})", self.expr(ty, &[], d), self.expr(ty, &[], d)),
            6 if ty == Type::Real && n == 3 => format!("cross({}, {})", self.expr(ty, &[3], d), self.expr(ty, &[3], d)),
            7 => self.slice(ty, n, d),
            8 if n > 1 => {
                let first = 1 + self.random.below(n - 1);
                format!("cat(1, {}, {})", self.expr(ty, &[first], d), self.expr(ty, &[n - first], d))
            }
            9 if ty == Type::Integer => format!("{} .+ (1:{n})", self.random.below(3)),
            _ => self.any_array(ty, &[n], depth),
        }
    }

    /// Part of a larger array.
    fn slice(&mut self, ty: Type, n: usize, d: usize) -> String {
        let m = n + self.random.below(2);
        match self.random.below(5) {
            0 => {
                let column = 1 + self.random.below(2);
                format!("({})[:, {column}]", self.listed(ty, &[n, 2], d))
            }
            1 => {
                let row = self.subscript(3, 0);
                self.variable(ty, &[3, n]).map_or_else(|| self.any_array(ty, &[n], d), |name| format!("{name}[{row}, :]"))
            }
            2 => {
                let indices: Vec<String> = (0..n).map(|_| (1 + self.random.below(m)).to_string()).collect();
                let array = self.variable(ty, &[m]).unwrap_or_else(|| format!("({})", self.listed(ty, &[m], d)));
                format!("{array}[{{{}}}]", indices.join(", "))
            }
            3 => {
                let array = self.variable(ty, &[m]).unwrap_or_else(|| format!("({})", self.listed(ty, &[m], d)));
                format!("{array}[{}:end]", 1 + m - n)
            }
            _ => format!("vector({})", self.expr(ty, &[n, 1], d)),
        }
    }

    fn matrix(&mut self, ty: Type, n: usize, m: usize, depth: usize) -> String {
        if depth == 0 || self.once_in(4) || n < 2 || m < 2 {
            return self.any_array(ty, &[n, m], depth);
        }
        let d = depth - 1;
        let numbers = matches!(ty, Type::Real | Type::Integer);
        match self.random.below(11) {
            0..=2 if numbers => self.number_array(ty, &[n, m], d),
            3 if numbers => {
                let k = self.size();
                format!("{} * {}", self.operand(ty, &[n, k], d), self.operand(ty, &[k, m], d))
            }
            4 => format!("transpose({})", self.expr(ty, &[m, n], d)),
            5 if n == m && numbers => self.square(ty, n, d),
            6 if numbers => format!("outerProduct({}, {})", self.expr(ty, &[n], d), self.expr(ty, &[m], d)),
            7 => {
                let first = 1 + self.random.below(n - 1);
                format!("cat(1, {}, {})", self.expr(ty, &[first, m], d), self.expr(ty, &[n - first, m], d))
            }
            8 => {
                let rows: Vec<String> = (0..n).map(|_| (0..m).map(|_| self.expr(ty, &[], d)).collect::<Vec<_>>().join(", ")).collect();
                format!("[{}]", rows.join("; "))
            }
            9 if m == 2 => format!("[{}, {}]", self.expr(ty, &[n], d), self.expr(ty, &[n], d)),
            _ => self.any_array(ty, &[n, m], depth),
        }
    }

    fn square(&mut self, ty: Type, n: usize, d: usize) -> String {
        match self.random.below(5) {
            0 => format!("identity({n})"),
            1 => format!("diagonal({})", self.expr(ty, &[n], d)),
            2 => format!("symmetric({})", self.expr(ty, &[n, n], d)),
            3 if n == 3 && ty == Type::Real => format!("skew({})", self.expr(ty, &[3], d)),
            _ => format!("{} ^ {}", self.operand(ty, &[n, n], d), 1 + self.random.below(2)),
        }
    }
}
