//! Given values against written ones: a model with values given from outside gives the bits of the model that has them in its text, and a
//! compiled model either follows a value or refuses it.

use partita::pipeline::{self, Compiled, Libraries};
use partita_grammar::Source;
use partita_runtime::exec::SetError;
use partita_runtime::integrate::simulate;
use partita_runtime::model::overrides::Override;
use partita_tests::random::Random;
use partita_tests::simulation::{Engine, Points, instance, rendered};
use std::fmt::Write;

/// A declaration: `head name = value tail;`, of a parameter, or `Real name(start = value, fixed = true)`.
#[derive(Clone)]
struct Declared {
    head: String,
    name: String,
    value: String,
    kind: Kind,
}

#[derive(Copy, Clone, PartialEq)]
enum Kind {
    Real,
    Integer,
    Boolean,
    Mode,
    /// Three numbers.
    Vector,
    /// Of the size `n`, from an expression.
    Sized,
    State,
}

#[derive(Clone)]
struct Program {
    declared: Vec<Declared>,
    equations: String,
}

impl Program {
    fn text(&self) -> String {
        let mut text = "model M\n  type Mode = enumeration(slow, fast, wild);\n".to_string();
        for Declared { head, name, value, kind } in &self.declared {
            let _ = match kind {
                Kind::State => writeln!(text, "  {head} {name}(start = {value}, fixed = true);"),
                _ => writeln!(text, "  {head} {name} = {value};"),
            };
        }
        text + &self.equations + "end M;\n"
    }

    fn names(&self, kind: Kind) -> Vec<&str> {
        self.declared.iter().filter(|d| d.kind == kind).map(|d| d.name.as_str()).collect()
    }
}

fn pick<'n>(random: &mut Random, names: &[&'n str]) -> &'n str {
    names[random.below(names.len())]
}

/// A number that text and arithmetic keep exactly.
fn number(random: &mut Random) -> String {
    format!("{}", (random.below(61) as f64 - 30.0) / 8.0)
}

fn real(random: &mut Random, program: &Program) -> String {
    let (reals, integers, flags) = (program.names(Kind::Real), program.names(Kind::Integer), program.names(Kind::Boolean));
    let a = pick(random, &reals);
    match random.below(7) {
        0 => format!("{}*{a}", number(random)),
        1 => format!("{a} + {}", pick(random, &reals)),
        2 => format!("{} - {a}*{}", number(random), pick(random, &integers)),
        3 => format!("if {} then {a} else {}", pick(random, &flags), pick(random, &reals)),
        4 => format!("sin({a}) + {}[{}]", pick(random, &program.names(Kind::Vector)), 1 + random.below(3)),
        5 => format!("if {} == Mode.fast then {a} else 2*{a}", pick(random, &program.names(Kind::Mode))),
        _ => format!("sum({})", pick(random, &program.names(Kind::Vector))),
    }
}

fn dependent(random: &mut Random, program: &Program, at: usize) -> Declared {
    let last = ["", "final "][random.below(2)];
    let r = real(random, program);
    let (head, kind, value) = match random.below(6) {
        0 | 1 => ("Real", Kind::Real, r),
        2 => ("Integer", Kind::Integer, format!("integer(abs({r})) + {}", pick(random, &program.names(Kind::Integer)))),
        3 => ("Boolean", Kind::Boolean, format!("({r}) > {}", number(random))),
        4 => ("Real[3]", Kind::Vector, format!("({r})*{}", pick(random, &program.names(Kind::Vector)))),
        _ => ("Real[n]", Kind::Sized, format!("{{i*({r}) for i in 1:n}}")),
    };
    Declared { head: format!("{last}parameter {head}"), name: format!("p{at}"), value, kind }
}

/// Roots of all types, a chain of what follows from them, and states, equations, sizes and start values that follow from all of it.
fn program(random: &mut Random) -> Program {
    let root = |head: &str, name: &str, value: String, kind: Kind| Declared {
        head: format!("parameter {head}"),
        name: name.to_string(),
        value,
        kind,
    };
    let mut program = Program {
        declared: vec![
            root("Real", "a", number(random), Kind::Real),
            root("Real", "b", number(random), Kind::Real),
            root("Integer", "n", format!("{}", 1 + random.below(4)), Kind::Integer),
            root("Boolean", "q", format!("{}", random.below(2) == 1), Kind::Boolean),
            root("Mode", "m", "Mode.slow".to_string(), Kind::Mode),
            root("Real[3]", "v", format!("{{{}, {}, {}}}", number(random), number(random), number(random)), Kind::Vector),
        ],
        equations: String::new(),
    };
    for at in 0..2 + random.below(6) {
        let declared = dependent(random, &program, at);
        program.declared.push(declared);
    }
    let mut equations = "equation\n".to_string();
    for at in 0..1 + random.below(3) {
        let value = if random.below(3) == 0 { number(random) } else { real(random, &program) };
        program.declared.push(Declared { head: "Real".to_string(), name: format!("x{at}"), value, kind: Kind::State });
        let _ = writeln!(equations, "  der(x{at}) = ({}) - x{at};", real(random, &program));
    }
    let sized = program.names(Kind::Sized);
    let sum = if sized.is_empty() { "1".to_string() } else { format!("sum({})", pick(random, &sized)) };
    let _ = writeln!(equations, "  for i in 1:n loop der(y[i]) = {sum} - i*y[i]; end for;\n  z = ({})*time;", real(random, &program));
    let start = real(random, &program);
    program.equations = format!("  Real y[n](each start = {start}, each fixed = true);\n  Real z;\n{equations}");
    program
}

/// Another value for something, as it is given and as it is written.
fn change(random: &mut Random, program: &mut Program) -> Option<Override> {
    let at = random.below(program.declared.len());
    let declared = &mut program.declared[at];
    if declared.head.starts_with("final") {
        return None;
    }
    let given = |name: &str, value: &str| Some(Override { name: name.to_string(), value: value.to_string() });
    match declared.kind {
        Kind::Real => declared.value = number(random),
        Kind::Integer => declared.value = format!("{}", 1 + random.below(4)),
        Kind::Boolean => declared.value = format!("{}", random.below(2) == 1),
        Kind::Mode => {
            let word = ["slow", "fast", "wild"][random.below(3)];
            declared.value = format!("Mode.{word}");
            return given(&declared.name, word);
        }
        Kind::Vector if random.below(2) == 0 && declared.value.starts_with('{') => {
            let position = random.below(3);
            let mut elements: Vec<String> = declared.value.trim_matches(['{', '}']).split(", ").map(str::to_string).collect();
            elements[position] = number(random);
            declared.value = format!("{{{}}}", elements.join(", "));
            return given(&format!("{}[{}]", declared.name, position + 1), &elements[position]);
        }
        Kind::Vector => declared.value = format!("{{{}, {}, {}}}", number(random), number(random), number(random)),
        Kind::Sized => return None,
        Kind::State => {
            declared.value = number(random);
            let name = if random.below(2) == 0 { format!("{}.start", declared.name) } else { declared.name.clone() };
            return given(&name, &declared.value);
        }
    }
    given(&declared.name, &declared.value)
}

fn compile(text: &str, overrides: &[Override]) -> Compiled {
    let source = Source { name: "m.mo".to_string(), text: text.to_string() };
    let libraries = Libraries { overrides: overrides.to_vec(), ..Libraries::default() };
    pipeline::compile_with(&source, &libraries, None)
        .unwrap_or_else(|messages| panic!("{}\n{text}{overrides:?}", rendered(&messages, &source)))
}

/// All numbers of a run, with other values given to the compiled model.
fn results(compiled: &Compiled, given: &[Override], engine: Engine) -> Result<Vec<u64>, SetError> {
    let mut model = instance(compiled, engine).unwrap_or_else(|error| panic!("{error:?}"));
    for one in given {
        model.set_text(&one.name, &one.value)?;
    }
    let mut points = Points::default();
    let experiment = pipeline::experiment(&compiled.experiment, None, Some(0.25));
    simulate(&mut model, &experiment, &mut points).unwrap_or_else(|error| panic!("{error:?}"));
    let parameters = model.parameter_values().into_iter().map(|(_, value)| value);
    Ok(points.times.into_iter().chain(points.rows.into_iter().flatten()).chain(parameters).map(f64::to_bits).collect())
}

fn names(compiled: &Compiled) -> Vec<&str> {
    compiled.program.plan.interface.signals.iter().map(|signal| signal.name.as_str()).collect()
}

#[test]
fn given_values_do_what_written_values_do() {
    let (mut followed, mut refused) = (0, 0);
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let original = program(&mut random);
        let mut changed = original.clone();
        let given: Vec<Override> = (0..1 + random.below(3)).filter_map(|_| change(&mut random, &mut changed)).collect();
        let (text, expected) = (original.text(), compile(&changed.text(), &[]));
        let overridden = compile(&text, &given);
        assert_eq!(names(&expected), names(&overridden), "seed {seed}: {given:?}\n{text}");
        let wanted = results(&expected, &[], Engine::Interpreter).unwrap();
        assert!(wanted == results(&overridden, &[], Engine::Interpreter).unwrap(), "seed {seed}: {given:?}\n{text}");
        match results(&compile(&text, &[]), &given, Engine::MachineCode) {
            Ok(found) => {
                assert!(wanted == found, "seed {seed}: a compiled model does not follow {given:?}\n{text}");
                followed += usize::from(!given.is_empty());
            }
            Err(SetError::Kept { rebuild: true, .. }) => refused += 1,
            Err(other) => panic!("seed {seed}: {other}"),
        }
    }
    assert!(followed >= 20 && refused >= 60, "{followed} followed, {refused} were refused");
}

/// Everything that the value of `a` can reach, one model each; a compiled model follows or refuses.
#[test]
fn whatever_depends_on_a_value_follows_it() {
    let follows = [
        "parameter Real a = 2; final parameter Real c = 3*a; Real v = c + 0*time;",
        "parameter Real a = 2; final parameter Real c[2] = {a, 2*a}; Real v = c[2] + time;",
        "parameter Real a = 2; final parameter Real c = 3*a; final parameter Real d = c^2; Real x(start = d, fixed = true); equation der(x) = -c*x;",
        "parameter Real a = 2; Real x(start = a, fixed = true, min = -a, max = 10*a); equation der(x) = -x;",
        "parameter Real a = 2; parameter Real c = a; parameter Real d = c; Real v = d*time;",
        "parameter Real a = 2; Real x(start = 0, fixed = true); equation der(x) = 1; when sample(0, a/10) then reinit(x, 0); end when;",
        "parameter Real a = 2; parameter Real p(fixed = false); Real v = p*time; initial equation p = 3*a;",
        "parameter Real a = 2; Real v = delay(time, a/10);",
    ];
    let refuses = [
        "parameter Real a = 2; parameter Integer k = integer(a); Real v = k*time;",
        "parameter Real a = 2; parameter Boolean k = a > 3; Real v = if k then time else 2*time;",
        "parameter Real a = 2; final parameter Boolean k = a > 3; Real v; equation if k then v = time; else v = 2*time; end if;",
        "parameter Real a = 2; parameter Integer k = integer(a); Real v[k]; equation for i in 1:k loop v[i] = i*time; end for;",
        "parameter Real a = 2; Real v[integer(a)] = fill(time, integer(a));",
        "parameter Real a = 2; final parameter Real c = 2*a; Real v; equation if c > 5 then v = time; else v = 2*time; end if;",
        "parameter Real a = 2; parameter String s = if a > 3 then \"large\" else \"small\"; Real v = if s == \"large\" then time else 2*time;",
        "parameter Real a = 2; Real x(start = 1, fixed = true, nominal = a); equation der(x) = -x;",
        "parameter Real a = 2; Real x[3] = {1, 2, 3}*time; Real v = x[integer(a) - 1];",
        "parameter Real a = 2; Real x(start = 1, fixed = a > 3); Real v; equation der(x) = -x; v = x; initial equation if a <= 3 then x = a; end if;",
    ];
    let given = [Override { name: "a".to_string(), value: "4".to_string() }];
    for (body, follow) in follows.iter().map(|body| (body, true)).chain(refuses.iter().map(|body| (body, false))) {
        let model = |body: &str| format!("model M {body} end M;");
        let written = compile(&model(&body.replacen("a = 2;", "a = 4;", 1)), &[]);
        let wanted = results(&written, &[], Engine::Interpreter).unwrap();
        assert!(wanted == results(&compile(&model(body), &given), &[], Engine::Interpreter).unwrap(), "{body}");
        assert!(
            wanted != results(&compile(&model(body), &[]), &[], Engine::Interpreter).unwrap() || body.contains("nominal"),
            "the value matters: {body}"
        );
        match results(&compile(&model(body), &[]), &given, Engine::MachineCode) {
            Ok(found) => assert!(follow && wanted == found, "{body}"),
            Err(error) => assert!(!follow, "{body}: {error}"),
        }
    }
}
