//! Compares a model from source with the same model as another tool exported it.
//!
//! In: two flat models. Out: per level equal, or what differs. Levels: V names and types of all variables; A attributes of
//! unknowns and values of parameters; N numbers of unknowns and states after index reduction. Both sides have the parameters
//! evaluated whose values are known, for the export has no others. Constants are left out: an exporter may fold them.
//! Guarantee: nothing is compared by its order or by the way it is written. Cost: linear.

use partita::equations::dae::{self, Role, System};
use partita::equations::expr::eval::eval;
use partita::frontend::flat::{self, Scalar, Value, Variability};
pub use partita::frontend::library::Disk;
use partita::pipeline::{self, Libraries, Packages};
use partita_grammar::{Diagnostic, Source};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What a comparison of one level says.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// Both are the same.
    Equal,
    /// What differs, and how often.
    Different(Vec<String>, usize),
    /// The level was not reached.
    Unknown,
}

/// Outcomes of V, A and N.
pub struct Levels {
    /// Names and types.
    pub variables: Outcome,
    /// Attributes and values.
    pub attributes: Outcome,
    /// Counts after index reduction.
    pub numbers: Outcome,
}

/// Differences beyond this number are counted, not kept.
const SHOWN: usize = 12;
/// Numbers that differ by less are the same: exporters print with 15 digits or more.
const NEAR: f64 = 1e-9;

/// The folder in which the standard library lies, if it does.
pub fn library_folder() -> Option<PathBuf> {
    let own = std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".openmodelica/libraries"));
    let listed = std::env::var_os("MODELICAPATH").map(|path| std::env::split_paths(&path).collect::<Vec<_>>()).unwrap_or_default();
    listed.into_iter().chain(own).find(|folder| folder.join("Modelica/package.mo").is_file())
}

/// Packages of a folder, for a class of them or a file that uses them.
pub fn libraries(folder: Option<&Path>, class: Option<&str>) -> Libraries {
    let roots = folder.map(Path::to_path_buf).into_iter().collect();
    let packages = Packages { files: Some(Box::new(Disk)), named: Vec::new(), roots, class: class.map(str::to_owned) };
    Libraries { packages, ..Libraries::default() }
}

/// Packages for files that use them: those that are named, and the standard library where it is.
pub fn named_libraries(named: Vec<PathBuf>) -> Libraries {
    let mut all = libraries(library_folder().as_deref(), None);
    all.packages.named = named;
    all
}

/// A class of a library as a flat model.
pub fn from_source(class: &str, folder: &Path) -> Result<flat::FlatModel, Vec<Diagnostic>> {
    let source = Source { name: class.to_owned(), text: String::new() };
    pipeline::flat_with(&source, &libraries(Some(folder), Some(class)), None)
}

/// The text of a file as a flat model.
pub fn from_text(source: &Source) -> Result<flat::FlatModel, Vec<Diagnostic>> {
    pipeline::flat_with(source, &Libraries::default(), None)
}

/// Tools differ in what `Modelica.Constants.inf` is: 1e60 or the largest number.
const INFINITE: f64 = 1e60;

fn same(a: f64, b: f64) -> bool {
    let both_infinite = a.abs() >= INFINITE * (1.0 - NEAR) && b.abs() >= INFINITE * (1.0 - NEAR) && a.signum() == b.signum();
    both_infinite || (a.is_nan() && b.is_nan()) || a == b || (a - b).abs() <= NEAR * a.abs().max(b.abs())
}

struct Compared {
    found: Vec<String>,
    count: usize,
}

impl Compared {
    fn new() -> Compared {
        Compared { found: Vec::new(), count: 0 }
    }

    fn say(&mut self, text: String) {
        self.count += 1;
        if self.found.len() < SHOWN {
            self.found.push(text);
        }
    }

    fn outcome(self) -> Outcome {
        if self.count == 0 { Outcome::Equal } else { Outcome::Different(self.found, self.count) }
    }
}

/// A model whose known parameters are constants, with its unknowns.
pub(crate) struct LevelModel {
    flat: flat::FlatModel,
    parameters: BTreeMap<String, (Scalar, Option<Value>)>,
    pub(crate) system: System,
}

impl LevelModel {
    /// Other names for all variables and parameters.
    pub(crate) fn rename(&mut self, name: impl Fn(&str) -> String) {
        self.system.vars.values_mut().for_each(|variable| variable.name = name(&variable.name));
        self.parameters = std::mem::take(&mut self.parameters).into_iter().map(|(old, value)| (name(&old), value)).collect();
    }
}

pub(crate) fn side(mut model: flat::FlatModel) -> Result<LevelModel, Vec<Diagnostic>> {
    let mut parameters = BTreeMap::new();
    for variable in model.vars.values_mut() {
        if variable.variability != Variability::Parameter {
            continue;
        }
        scalars(variable, &mut parameters);
        if variable.value.is_some() {
            variable.variability = Variability::Constant;
        }
    }
    let system = dae::lower::lower_with(&model, &Default::default())?.system;
    Ok(LevelModel { flat: model, parameters, system })
}

/// The elements of a parameter with their values.
fn scalars(variable: &flat::Variable, out: &mut BTreeMap<String, (Scalar, Option<Value>)>) {
    let dims: Vec<usize> = variable.ty.dims.iter().map(|size| size.unwrap_or(0)).collect();
    let n: usize = dims.iter().product();
    for at in 0..n {
        let mut rest = at;
        let mut subscripts: Vec<String> = Vec::new();
        for size in dims.iter().rev() {
            subscripts.push((rest % size + 1).to_string());
            rest /= size;
        }
        subscripts.reverse();
        let name = if dims.is_empty() { variable.name.clone() } else { format!("{}[{}]", variable.name, subscripts.join(",")) };
        let value = match &variable.value {
            Some(Value::Array(_, list)) => list.get(at).cloned(),
            Some(value) if dims.is_empty() => Some(value.clone()),
            _ => None,
        };
        out.insert(name, (variable.ty.scalar, value));
    }
}

fn kind(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Real => "Real",
        Scalar::Integer => "Integer",
        Scalar::Boolean => "Boolean",
        Scalar::String => "String",
        Scalar::Enumeration(_) => "enumeration",
        Scalar::Record(_) => "record",
        Scalar::Object(_) => "object",
    }
}

fn unknowns(system: &System) -> BTreeMap<&str, &dae::Variable> {
    let is_unknown = |v: &&dae::Variable| {
        matches!(v.role, Role::Continuous | Role::Discrete | Role::FreeParameter | Role::Input)
            && v.integral.is_none()
            && !v.name.starts_with('$')
    };
    system.vars.values().filter(is_unknown).map(|v| (v.name.as_str(), v)).collect()
}

/// All levels of two models; the first is ours.
pub fn compare(ours: flat::FlatModel, other: flat::FlatModel) -> Result<Levels, Vec<Diagnostic>> {
    let (ours, other) = (side(ours)?, side(other)?);
    let (variables, attributes) = declarations(&ours, &other);
    Ok(Levels { variables, attributes, numbers: numbers(ours.flat, other.flat)? })
}

/// Levels V and A.
pub(crate) fn declarations(ours: &LevelModel, other: &LevelModel) -> (Outcome, Outcome) {
    let (a, b) = (unknowns(&ours.system), unknowns(&other.system));
    let mut names = Compared::new();
    for (name, variable) in &a {
        match b.get(name) {
            None if !other.parameters.contains_key(*name) => names.say(format!("only from source: {name}")),
            Some(twin) if twin.ty != variable.ty => names.say(format!("{name}: types differ")),
            _ => {}
        }
    }
    b.keys().filter(|n| !a.contains_key(*n) && !ours.parameters.contains_key(**n)).for_each(|n| names.say(format!("only exported: {n}")));
    for (name, (scalar, _)) in &ours.parameters {
        match other.parameters.get(name) {
            None if !b.contains_key(name.as_str()) && !is_text(*scalar) => names.say(format!("parameter only from source: {name}")),
            Some((twin, _)) if kind(*twin) != kind(*scalar) => names.say(format!("{name}: {} and {}", kind(*scalar), kind(*twin))),
            _ => {}
        }
    }
    for (name, (scalar, _)) in &other.parameters {
        if !ours.parameters.contains_key(name) && !a.contains_key(name.as_str()) && !is_text(*scalar) {
            names.say(format!("parameter only exported: {name}"));
        }
    }
    let attributes = attributes(ours, other, &a, &b);
    (names.outcome(), attributes)
}

/// Texts and objects have no value in a run; exporters leave them out when nothing needs them.
fn is_text(scalar: Scalar) -> bool {
    matches!(scalar, Scalar::String | Scalar::Object(_))
}

fn attributes(ours: &LevelModel, other: &LevelModel, a: &BTreeMap<&str, &dae::Variable>, b: &BTreeMap<&str, &dae::Variable>) -> Outcome {
    let mut found = Compared::new();
    for (name, (_, value)) in &ours.parameters {
        let Some((_, Some(twin))) = other.parameters.get(name) else { continue };
        match value {
            Some(value) if near(value, twin) => {}
            _ => found.say(format!("{name} = {value:?}, exported {twin:?}")),
        }
    }
    for (name, x) in a {
        let Some(y) = b.get(name) else { continue };
        let start = |side: &LevelModel, v: &dae::Variable| v.start.map(|e| eval(&side.system.arena, e, &|v| known(&side.system, v)));
        // What is not said is zero, and nothing is fixed; an exporter may say it or not.
        let (p, q) = (start(ours, x).unwrap_or(0.0), start(other, y).unwrap_or(0.0));
        if !same(p, q) {
            found.say(format!("{name}: start {p}, exported {q}"));
        }
        if x.fixed.unwrap_or(false) != y.fixed.unwrap_or(false) {
            found.say(format!("{name}: fixed {:?}, exported {:?}", x.fixed, y.fixed));
        }
        if x.state_select != y.state_select {
            found.say(format!("{name}: stateSelect {:?}, exported {:?}", x.state_select, y.state_select));
        }
        for (what, p, q) in [("nominal", x.nominal, y.nominal), ("min", x.min, y.min), ("max", x.max, y.max)] {
            let is_same = match (p, q) {
                (Some(p), Some(q)) => same(p, q),
                (p, q) => p == q,
            };
            if !is_same {
                found.say(format!("{name}: {what} {p:?}, exported {q:?}"));
            }
        }
        if x.about.unit != y.about.unit {
            found.say(format!("{name}: unit \"{}\", exported \"{}\"", x.about.unit, y.about.unit));
        }
    }
    found.outcome()
}

fn known(system: &System, v: partita::base::ids::VarId) -> f64 {
    system.vars[v].value.unwrap_or(f64::NAN)
}

fn near(a: &Value, b: &Value) -> bool {
    let number = |v: &Value| match v {
        Value::Real(x) => Some(*x),
        Value::Integer(i) => Some(*i as f64),
        Value::Enumeration(_, i) => Some(f64::from(*i)),
        Value::Boolean(b) => Some(f64::from(u8::from(*b))),
        _ => None,
    };
    match (number(a), number(b)) {
        (Some(x), Some(y)) => same(x, y),
        _ => match (a, b) {
            (Value::String(a), Value::String(b)) => a == b,
            _ => false,
        },
    }
}

fn numbers(ours: flat::FlatModel, other: flat::FlatModel) -> Result<Outcome, Vec<Diagnostic>> {
    let count = |model| {
        let made = pipeline::structure_flat(model, &Libraries::default())?;
        let report = made.report;
        Ok::<_, Vec<Diagnostic>>([("states", report.states.len()), ("balance", report.equations.abs_diff(report.unknowns))])
    };
    let mut found = Compared::new();
    for ((what, p), (_, q)) in count(ours)?.into_iter().zip(count(other)?) {
        if p != q {
            found.say(format!("{what} {p}, exported {q}"));
        }
    }
    Ok(found.outcome())
}
