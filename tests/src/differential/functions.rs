//! Random functions: inputs with defaults, several outputs, local arrays, loops, conditions, `break`, `return`, calls of each other.

use super::expressions::{Signature, Type, Variable, Writer};
use std::fmt::Write;

/// What statements may assign.
struct Body {
    text: String,
    targets: Vec<Variable>,
    indent: usize,
    in_loop: bool,
    n_loops: usize,
}

fn dims_text(dims: &[String]) -> String {
    if dims.is_empty() { String::new() } else { format!("[{}]", dims.join(", ")) }
}

/// A function over what is in sight of the writer's functions; afterwards it is in sight itself.
pub fn function(writer: &mut Writer, name: &str) -> String {
    let outside = std::mem::take(&mut writer.variables);
    let mut text = format!("function {name}\n");
    let inputs = inputs(writer, &mut text);
    let mut body = Body { text: String::new(), targets: Vec::new(), indent: 1, in_loop: false, n_loops: 0 };
    let output = local(writer, &mut text, &mut body, "  output ", "y", true);
    let more: Vec<_> =
        (0..writer.random.below(3)).map(|at| local(writer, &mut text, &mut body, "  output ", &format!("z{at}"), true)).collect();
    text += "protected\n";
    for at in 0..1 + writer.random.below(3) {
        local(writer, &mut text, &mut body, "  ", &format!("w{at}"), false);
    }
    writer.variables.extend(body.targets.clone());
    for _ in 0..2 + writer.random.below(4) {
        statement(writer, &mut body, 2);
    }
    writer.variables = outside;
    writer.functions.push(Signature { name: name.to_string(), inputs, output, more });
    format!("{text}algorithm\n{}end {name};\n", body.text)
}

fn inputs(writer: &mut Writer, text: &mut String) -> Vec<(String, Type, Vec<usize>, bool)> {
    let mut inputs = Vec::new();
    let scalars_only = writer.once_in(3);
    for at in 0..1 + writer.random.below(3) {
        let (ty, dims) = (writer.ty(), if scalars_only { vec![] } else { writer.dims() });
        let open = !dims.is_empty() && writer.once_in(2);
        let sizes: Vec<String> = dims.iter().map(|n| if open { ":".to_string() } else { n.to_string() }).collect();
        let default = at > 0 && dims.is_empty() && writer.once_in(2);
        let value = if default { format!(" = {}", writer.expr(ty, &[], 1)) } else { String::new() };
        let name = format!("u{at}");
        let _ = writeln!(text, "  input {} {name}{}{value};", ty.word(), dims_text(&sizes));
        writer.variables.push(Variable { name: name.clone(), ty, dims: dims.clone() });
        inputs.push((name, ty, dims, default));
    }
    inputs
}

/// Declares an output or a protected variable and gives it a value, in its declaration or by the first statements.
fn local(writer: &mut Writer, text: &mut String, body: &mut Body, prefix: &str, name: &str, plain_sizes: bool) -> (Type, Vec<usize>) {
    let (ty, dims) = (writer.ty(), writer.dims());
    let sized: Vec<Variable> = writer.variables.iter().filter(|v| !v.dims.is_empty()).cloned().collect();
    let sizes: Vec<String> = dims
        .iter()
        .map(|n| {
            let like = sized.iter().find_map(|v| v.dims.iter().position(|m| m == n).map(|at| format!("size({}, {})", v.name, at + 1)));
            like.filter(|_| !plain_sizes || writer.once_in(3)).unwrap_or_else(|| n.to_string())
        })
        .collect();
    let value = writer.expr(ty, &dims, 2);
    if writer.once_in(3) {
        let _ = writeln!(text, "{prefix}{} {name}{} = {value};", ty.word(), dims_text(&sizes));
    } else {
        let _ = writeln!(text, "{prefix}{} {name}{};", ty.word(), dims_text(&sizes));
        let _ = writeln!(body.text, "  {name} := {value};");
    }
    body.targets.push(Variable { name: name.to_string(), ty, dims: dims.clone() });
    (ty, dims)
}

fn line(body: &mut Body, text: &str) {
    let _ = writeln!(body.text, "{:indent$}{text}", "", indent = 2 * body.indent);
}

fn block(writer: &mut Writer, body: &mut Body, depth: usize) {
    body.indent += 1;
    for _ in 0..1 + writer.random.below(2) {
        statement(writer, body, depth);
    }
    body.indent -= 1;
}

fn statement(writer: &mut Writer, body: &mut Body, depth: usize) {
    match writer.random.below(if depth == 0 { 6 } else { 12 }) {
        0..=2 => assignment(writer, body),
        3 => element_assignment(writer, body),
        4 => several(writer, body),
        5 if body.in_loop && writer.once_in(2) => {
            let condition = writer.expr(Type::Boolean, &[], 1);
            let word = if writer.once_in(4) { "return" } else { "break" };
            line(body, &format!("if {condition} then {word}; end if;"));
        }
        5 => assignment(writer, body),
        6 | 7 => condition(writer, body, depth - 1),
        8 | 9 => for_loop(writer, body, depth - 1),
        10 => while_loop(writer, body, depth - 1),
        _ => early_return(writer, body),
    }
}

fn assignment(writer: &mut Writer, body: &mut Body) {
    let target = writer.pick(&body.targets.clone()).clone();
    let value = writer.expr(target.ty, &target.dims, 2);
    line(body, &format!("{} := {value};", target.name));
}

fn element_assignment(writer: &mut Writer, body: &mut Body) {
    let arrays: Vec<Variable> = body.targets.iter().filter(|v| !v.dims.is_empty()).cloned().collect();
    if arrays.is_empty() {
        return assignment(writer, body);
    }
    let array = writer.pick(&arrays).clone();
    let mut dims = Vec::new();
    let mut subscripts = Vec::new();
    for &n in &array.dims {
        match writer.random.below(5) {
            0 => {
                dims.push(n);
                subscripts.push(":".to_string());
            }
            1 => {
                dims.push(n - 1);
                subscripts.push("2:end".to_string());
            }
            2 => subscripts.push("end".to_string()),
            3 => {
                let index = writer.expr(Type::Integer, &[], 1);
                subscripts.push(format!("1 + mod({index}, {n})"));
            }
            _ => subscripts.push((1 + writer.random.below(n)).to_string()),
        }
    }
    let value = writer.expr(array.ty, &dims, 2);
    line(body, &format!("{}[{}] := {value};", array.name, subscripts.join(", ")));
}

/// `(a, , b) := f(x)`.
fn several(writer: &mut Writer, body: &mut Body) {
    let functions: Vec<Signature> = writer.functions.iter().filter(|f| !f.more.is_empty()).cloned().collect();
    if functions.is_empty() {
        return assignment(writer, body);
    }
    let function = writer.pick(&functions).clone();
    let mut targets: Vec<String> = Vec::new();
    for (ty, dims) in std::iter::once(&function.output).chain(&function.more) {
        let fitting: Vec<String> =
            body.targets.iter().filter(|v| v.ty == *ty && v.dims == *dims && !targets.contains(&v.name)).map(|v| v.name.clone()).collect();
        targets.push(if fitting.is_empty() { String::new() } else { writer.pick(&fitting).clone() });
    }
    if targets.iter().all(String::is_empty) {
        return assignment(writer, body);
    }
    let arguments: Vec<String> = function.inputs.iter().map(|(_, ty, dims, _)| writer.expr(*ty, dims, 1)).collect();
    line(body, &format!("({}) := {}({});", targets.join(", "), function.name, arguments.join(", ")));
}

fn condition(writer: &mut Writer, body: &mut Body, depth: usize) {
    let condition = writer.expr(Type::Boolean, &[], 2);
    line(body, &format!("if {condition} then"));
    block(writer, body, depth);
    if writer.once_in(3) {
        let condition = writer.expr(Type::Boolean, &[], 1);
        line(body, &format!("elseif {condition} then"));
        block(writer, body, depth);
    }
    if writer.once_in(2) {
        line(body, "else");
        block(writer, body, depth);
    }
    line(body, "end if;");
}

fn in_loop(writer: &mut Writer, body: &mut Body, depth: usize) {
    let was = std::mem::replace(&mut body.in_loop, true);
    block(writer, body, depth);
    body.in_loop = was;
}

fn for_loop(writer: &mut Writer, body: &mut Body, depth: usize) {
    body.n_loops += 1;
    let name = format!("n{}", body.n_loops);
    let sized: Vec<Variable> = writer.variables.iter().filter(|v| !v.dims.is_empty()).cloned().collect();
    let range = match writer.random.below(7) {
        0 if !sized.is_empty() => format!("1:size({}, 1)", writer.pick(&sized).name),
        1 => "3:-1:1".to_string(),
        2 => "{2, 1, 3, 3}".to_string(),
        3 => format!("1:mod({}, 4)", writer.expr(Type::Integer, &[], 1)),
        4 => "1:2:6".to_string(),
        _ => format!("1:{}", 1 + writer.random.below(4)),
    };
    line(body, &format!("for {name} in {range} loop"));
    writer.variables.push(Variable { name: name.clone(), ty: Type::Integer, dims: vec![] });
    in_loop(writer, body, depth);
    writer.variables.retain(|v| v.name != name);
    line(body, "end for;");
}

/// A loop with a counter of its own, so that it ends.
fn while_loop(writer: &mut Writer, body: &mut Body, depth: usize) {
    let counters: Vec<String> = body
        .targets
        .iter()
        .filter(|v| v.ty == Type::Integer && v.dims.is_empty() && v.name.starts_with('w'))
        .map(|v| v.name.clone())
        .collect();
    if counters.is_empty() {
        return assignment(writer, body);
    }
    let counter = writer.pick(&counters).clone();
    line(body, &format!("{counter} := 0;"));
    line(body, &format!("while {counter} < {} loop", 1 + writer.random.below(4)));
    let hidden = std::mem::take(&mut body.targets);
    body.targets = hidden.iter().filter(|v| v.name != counter).cloned().collect();
    let count = format!("  {counter} := {counter} + 1;");
    line(body, &count);
    if !body.targets.is_empty() {
        in_loop(writer, body, depth);
    }
    body.targets = hidden;
    line(body, "end while;");
}

fn early_return(writer: &mut Writer, body: &mut Body) {
    let condition = writer.expr(Type::Boolean, &[], 2);
    line(body, &format!("if {condition} then return; end if;"));
}
