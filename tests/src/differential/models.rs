//! Random models around expressions and functions: constants, parameters that depend on each other, variables of time.

use super::case::Case;
use super::expressions::{Type, Variable, Writer};
use super::functions;
use crate::random::Random;
use std::fmt::Write;

/// Enumerations and records that every model has.
pub const TYPES: &str = "type E = enumeration(one, two, three, four);\nrecord R\n  Real a;\n  Integer k;\nend R;\n";

/// How large the expressions are.
const DEPTH: usize = 3;

/// A model of expressions.
pub fn of_expressions(random: &mut Random) -> Case {
    let mut writer = Writer::new(random);
    Case::of_text(format!("{TYPES}{}", model(&mut writer)))
}

/// A model that calls functions.
pub fn of_functions(random: &mut Random) -> Case {
    let mut writer = Writer::new(random);
    let mut text = TYPES.to_string();
    for at in 0..1 + writer.random.below(3) {
        text += &functions::function(&mut writer, &format!("f{at}"));
    }
    text += &model(&mut writer);
    Case::of_text(text)
}

fn model(writer: &mut Writer) -> String {
    let mut text = "model M\n".to_string();
    given(writer, &mut text);
    for at in 0..2 + writer.random.below(2) {
        declare(writer, &mut text, "parameter ", &format!("q{at}"));
    }
    let n_fixed = writer.variables.len();
    moving(writer, &mut text);
    for at in 0..3 + writer.random.below(3) {
        declare(writer, &mut text, "", &format!("v{at}"));
    }
    for at in 0..writer.random.below(3) {
        tuple(writer, &mut text, at, n_fixed);
    }
    let equations = std::mem::take(&mut text);
    let (declarations, equations) = split(&equations);
    format!("{declarations}{}{equations}end M;\n", if equations.is_empty() { "" } else { "equation\n" })
}

/// Lines that begin with `=` are equations.
fn split(text: &str) -> (String, String) {
    let (equations, declarations): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| line.starts_with('='));
    let joined = |lines: Vec<&str>| lines.iter().map(|line| format!("{}\n", line.strip_prefix('=').unwrap_or(line))).collect::<String>();
    (joined(declarations), joined(equations))
}

fn dims_text(dims: &[usize]) -> String {
    if dims.is_empty() {
        return String::new();
    }
    format!("[{}]", dims.iter().map(usize::to_string).collect::<Vec<_>>().join(", "))
}

/// Constants and parameters with literal values.
fn given(writer: &mut Writer, text: &mut String) {
    let shapes = [
        ("c0", "constant", Type::Real, vec![]),
        ("c1", "constant", Type::Integer, vec![]),
        ("p0", "parameter", Type::Real, vec![]),
        ("p1", "parameter", Type::Integer, vec![]),
        ("p2", "parameter", Type::Boolean, vec![]),
        ("p3", "parameter", Type::Real, vec![3]),
        ("p4", "parameter", Type::Real, vec![3, 2]),
        ("p5", "parameter", Type::Integer, vec![2]),
        ("p6", "parameter", Type::Enumeration, vec![]),
    ];
    for (name, prefix, ty, dims) in shapes {
        let value = literal(writer, ty, &dims);
        let _ = writeln!(text, "  {prefix} {} {name}{} = {value};", ty.word(), dims_text(&dims));
        writer.variables.push(Variable { name: name.to_string(), ty, dims });
    }
    let _ = writeln!(text, "  parameter R r = R({}, {});", writer.real(), writer.integer());
    writer.variables.push(Variable { name: "r.a".to_string(), ty: Type::Real, dims: vec![] });
    writer.variables.push(Variable { name: "r.k".to_string(), ty: Type::Integer, dims: vec![] });
}

fn literal(writer: &mut Writer, ty: Type, dims: &[usize]) -> String {
    if let Some((&n, inner)) = dims.split_first() {
        let items: Vec<String> = (0..n).map(|_| literal(writer, ty, inner)).collect();
        return format!("{{{}}}", items.join(", "));
    }
    match ty {
        Type::Real => writer.real(),
        Type::Integer => writer.integer(),
        Type::Boolean => writer.pick(&["true", "false"]).to_string(),
        Type::Enumeration => format!("E.{}", writer.pick(&["one", "two", "three", "four"])),
    }
}

/// Variables that change with time, smoothly and in steps.
fn moving(writer: &mut Writer, text: &mut String) {
    let _ = writeln!(
        text,
        "  Real x0 = {:.2} * sin({:.2} * time + {:.2});",
        0.5 + 2.0 * writer.random.part(),
        1.0 + writer.random.part(),
        writer.random.part()
    );
    let _ = writeln!(text, "  Real x1[3] = {{{0}, {1} + {2} * time, cos(time + {1})}};", writer.real(), writer.real(), writer.real());
    let _ = writeln!(text, "  Integer k0 = integer({:.2} * time + {:.2});", 4.0 * writer.random.part(), writer.random.part());
    let _ = writeln!(text, "  Boolean b0 = x0 > {};", writer.real());
    for (name, ty, dims) in
        [("x0", Type::Real, vec![]), ("x1", Type::Real, vec![3]), ("k0", Type::Integer, vec![]), ("b0", Type::Boolean, vec![])]
    {
        writer.variables.push(Variable { name: name.to_string(), ty, dims });
    }
}

/// A parameter or variable with an expression for what is in sight.
fn declare(writer: &mut Writer, text: &mut String, prefix: &str, name: &str) {
    let (ty, dims) = (writer.ty(), writer.dims());
    // A function makes no events, so what it gives for moving arguments is no value of a discrete variable (section 3.8).
    let is_discrete = ty != Type::Real && prefix.is_empty();
    let functions = if is_discrete { std::mem::take(&mut writer.functions) } else { Vec::new() };
    let value = writer.expr(ty, &dims, DEPTH);
    writer.functions.extend(functions);
    let _ = writeln!(text, "  {prefix}{} {name}{} = {value};", ty.word(), dims_text(&dims));
    writer.variables.push(Variable { name: name.to_string(), ty, dims });
}

/// `(a, b) = f(x)` for a function with several outputs; where not all are Reals, of parameters, which are the first `n_fixed` variables.
fn tuple(writer: &mut Writer, text: &mut String, at: usize, n_fixed: usize) {
    let several: Vec<_> = writer.functions.iter().filter(|f| !f.more.is_empty()).cloned().collect();
    if several.is_empty() {
        return;
    }
    let function = writer.pick(&several).clone();
    let is_real = std::iter::once(&function.output).chain(&function.more).all(|(ty, _)| *ty == Type::Real);
    let moving = writer.variables.split_off(if is_real { writer.variables.len() } else { n_fixed });
    let arguments: Vec<String> = function.inputs.iter().map(|(_, ty, dims, _)| writer.expr(*ty, dims, 2)).collect();
    writer.variables.extend(moving);
    let mut targets = Vec::new();
    for (i, (ty, dims)) in std::iter::once(&function.output).chain(&function.more).enumerate() {
        let name = format!("t{at}_{i}");
        let _ = writeln!(text, "  {} {name}{};", ty.word(), dims_text(dims));
        targets.push(name);
    }
    let _ = writeln!(text, "=  ({}) = {}({});", targets.join(", "), function.name, arguments.join(", "));
}
