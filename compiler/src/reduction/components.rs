//! Finds the components of a flat model: the connectors by their members, and who owns them.
//!
//! Input: a flat model. Output: [`Components`]: connectors with their domain, the tree of components that own them, and the connection
//! sums. Method: flat text has no `flow` and no connector types left, but names keep the hierarchy; a path whose members are exactly
//! those of a connector of the standard library, with units that agree, is one. A connector in a connection sum with the opposite sign
//! is at the boundary of a composite; a path below which there are only such connectors, or one array of them, is itself a connector (a plug).
//! Guarantee: no variable belongs to two connectors; components come in the order of their declaration.
//! Not here: stream connectors of fluids, whose power needs the enthalpy of what flows in; they are counted in a note.
//! Cost: linear in the text of the names and equations.

use crate::frontend::flat::walk::push_summands;
use crate::frontend::flat::{EquationKind, Expr, ExprKind, FlatModel, Value, Variability};
use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use serde::Serialize;

/// Physical domains of connectors.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "each variant is the domain of its name")]
pub enum Domain {
    Electrical,
    QuasiStatic,
    Translational,
    Rotational,
    Heat,
    Magnetic,
    HeatFlow,
    Multibody,
}

impl Domain {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Domain::Electrical => "electrical",
            Domain::QuasiStatic => "quasi-static",
            Domain::Translational => "translational",
            Domain::Rotational => "rotational",
            Domain::Heat => "heat",
            Domain::Magnetic => "magnetic",
            Domain::HeatFlow => "heat flow of fluids",
            Domain::Multibody => "multibody",
        }
    }

    /// The members that are equal in a connection and that add up to zero there, where each is one number.
    pub fn pair(self) -> Option<(&'static str, &'static str)> {
        match self {
            Domain::Electrical => Some(("v", "i")),
            Domain::Translational => Some(("s", "f")),
            Domain::Rotational => Some(("phi", "tau")),
            Domain::Heat => Some(("T", "Q_flow")),
            Domain::Magnetic => Some(("V_m", "Phi")),
            Domain::QuasiStatic | Domain::HeatFlow | Domain::Multibody => None,
        }
    }
}

/// The members of a connector: the variables that its power is made of, and the flow that connection sums contain.
struct Kind {
    domain: Domain,
    /// All members, sorted; an array counts once.
    members: &'static [&'static str],
    /// Members with the units they have, where they have one.
    units: &'static [(&'static str, &'static [&'static str])],
    /// The variables of the power, in the order that `record` expects.
    power: &'static [&'static str],
    /// The flow of connection sums.
    flow: &'static str,
}

const KINDS: &[Kind] = &[
    Kind { domain: Domain::Electrical, members: &["i", "v"], units: &[("v", &["V"]), ("i", &["A"])], power: &["v", "i"], flow: "i" },
    Kind {
        domain: Domain::QuasiStatic,
        members: &["i.im", "i.re", "v.im", "v.re"],
        units: &[("v.re", &["V"]), ("i.re", &["A"])],
        power: &["v.re", "i.re", "v.im", "i.im"],
        flow: "i.re",
    },
    Kind {
        domain: Domain::QuasiStatic,
        members: &["i.im", "i.re", "reference.gamma", "v.im", "v.re"],
        units: &[("v.re", &["V"]), ("i.re", &["A"])],
        power: &["v.re", "i.re", "v.im", "i.im"],
        flow: "i.re",
    },
    Kind { domain: Domain::Translational, members: &["f", "s"], units: &[("s", &["m"]), ("f", &["N"])], power: &["s", "f"], flow: "f" },
    Kind {
        domain: Domain::Rotational,
        members: &["phi", "tau"],
        units: &[("phi", &["rad"]), ("tau", &["N.m"])],
        power: &["phi", "tau"],
        flow: "tau",
    },
    Kind {
        domain: Domain::Heat,
        members: &["Q_flow", "T"],
        units: &[("T", &["K"]), ("Q_flow", &["W"])],
        power: &["Q_flow"],
        flow: "Q_flow",
    },
    Kind {
        domain: Domain::Magnetic,
        members: &["Phi", "V_m"],
        units: &[("V_m", &["A"]), ("Phi", &["Wb"])],
        power: &["Phi", "V_m"],
        flow: "Phi",
    },
    Kind {
        domain: Domain::HeatFlow,
        members: &["H_flow", "h", "m_flow", "p"],
        units: &[("p", &["Pa"]), ("m_flow", &["kg/s"])],
        power: &["H_flow"],
        flow: "H_flow",
    },
    Kind {
        domain: Domain::Multibody,
        members: &["R.T", "R.w", "f", "r_0", "t"],
        units: &[("r_0", &["m"]), ("f", &["N"])],
        power: &[
            "r_0[1]", "r_0[2]", "r_0[3]", "f[1]", "f[2]", "f[3]", "R.w[1]", "R.w[2]", "R.w[3]", "t[1]", "t[2]", "t[3]", "R.T[1,1]",
            "R.T[1,2]", "R.T[1,3]", "R.T[2,1]", "R.T[2,2]", "R.T[2,3]", "R.T[3,1]", "R.T[3,2]", "R.T[3,3]",
        ],
        flow: "f[1]",
    },
];

/// A place where power enters a component.
#[derive(Clone, Debug)]
pub struct Connector {
    /// Its path.
    pub path: String,
    /// Its domain.
    pub domain: Domain,
    /// The variables of its power; their order depends on the domain.
    pub variables: Vec<String>,
    /// The component that owns it; none for connectors of the model itself.
    pub owner: Option<usize>,
    /// It stands in a connection sum with the opposite sign: the boundary of a composite, seen from inside.
    pub is_boundary: bool,
}

/// A component: something that owns connectors.
#[derive(Clone, Debug)]
pub struct Component {
    /// Its path.
    pub path: String,
    /// Its connectors.
    pub connectors: Vec<usize>,
    /// The component that contains it, if one does.
    pub parent: Option<usize>,
}

/// The components of a model.
#[derive(Clone, Debug, Default)]
pub struct Components {
    /// All connectors.
    pub connectors: Vec<Connector>,
    /// All components.
    pub components: Vec<Component>,
    /// Connectors that are connected with each other.
    pub sums: Vec<Vec<usize>>,
    /// What the user should know.
    pub notes: Vec<String>,
}

/// The parts of a path: dots inside of brackets divide nothing. A flat model tells its components by its names alone.
fn parts(path: &str) -> Vec<&str> {
    let mut depth = 0;
    let divides = move |c: char| {
        match c {
            '[' | '(' => depth += 1,
            ']' | ')' => depth -= 1,
            _ => {}
        }
        c == '.' && depth == 0
    };
    path.split(divides).collect()
}

/// The paths that a path leads through, the innermost first.
pub fn paths_above(path: &str) -> impl Iterator<Item = &str> {
    path.rmatch_indices('.').map(|(at, _)| &path[..at])
}

/// Whether a path leads into another.
pub fn is_inside(path: &str, outer: &str) -> bool {
    path.strip_prefix(outer).is_some_and(|rest| rest.starts_with('.'))
}

/// A path without its last part.
fn parent(path: &str) -> Option<&str> {
    let last = parts(path).pop()?.len();
    path.len().checked_sub(last + 1).map(|end| &path[..end])
}

/// What is directly below a path.
#[derive(Default)]
struct PathMembers {
    /// Names of members; those of members that are records come with a dot.
    members: Vec<(String, String)>,
    /// Members that are parameters.
    parameters: Vec<String>,
    /// Paths below.
    below: Vec<String>,
}

/// All paths with what is below them.
fn places(model: &FlatModel) -> IndexMap<String, PathMembers> {
    let mut places: IndexMap<String, PathMembers> = IndexMap::new();
    for variable in model.vars.values() {
        let Some(path) = parent(&variable.name) else { continue };
        let mut inner = path;
        // The way up ends at a path that was met before, or at the model.
        while !places.contains_key(inner) {
            places.insert(inner.to_string(), PathMembers::default());
            let Some(outer) = parent(inner) else { break };
            inner = outer;
        }
        let member = variable.name[path.len() + 1..].to_string();
        let place = places.entry(path.to_string()).or_default();
        if matches!(variable.variability, Variability::Parameter | Variability::Constant) {
            place.parameters.push(member);
        } else {
            place.members.push((member, variable.attributes.unit.clone().unwrap_or_default()));
        }
    }
    for at in 0..places.len() {
        let path = places.get_index(at).map(|(path, _)| path.clone()).unwrap_or_default();
        if let Some(outer) = parent(&path).and_then(|outer| places.get_mut(outer)) {
            outer.below.push(path);
        }
    }
    places
}

/// A member's name without subscripts.
fn bare(member: &str) -> &str {
    member.split('[').next().unwrap_or(member)
}

/// The members of a path and of the records below it that connectors have.
fn members(places: &IndexMap<String, PathMembers>, path: &str) -> Option<Vec<(String, String)>> {
    let place = &places[path];
    if !place.parameters.is_empty() {
        return None;
    }
    let mut found = place.members.clone();
    for below in &place.below {
        let record = &below[path.len() + 1..];
        let inner = &places[below.as_str()];
        if !["R", "v", "i", "reference"].contains(&record) || !inner.below.is_empty() || !inner.parameters.is_empty() {
            return None;
        }
        found.extend(inner.members.iter().map(|(member, unit)| (format!("{record}.{member}"), unit.clone())));
    }
    Some(found)
}

/// The kind of connector whose members these are.
fn kind(members: &[(String, String)]) -> Option<(&'static Kind, bool)> {
    let mut names: Vec<&str> = members.iter().map(|(name, _)| bare(name)).collect();
    names.sort_unstable();
    names.dedup();
    let kind = KINDS.iter().find(|kind| kind.members == names)?;
    let unit = |wanted: &str| members.iter().find(|(name, _)| bare(name) == wanted).map_or("", |(_, unit)| unit.as_str());
    if kind.units.iter().any(|(member, units)| !unit(member).is_empty() && !units.contains(&unit(member))) {
        return None;
    }
    Some((kind, kind.units.iter().any(|(member, _)| unit(member).is_empty())))
}

/// Finds connectors, components and connection sums.
pub fn find(model: &FlatModel) -> Components {
    let places = places(model);
    let mut found = Components::default();
    let (mut without_units, mut n_fluid) = (0, 0);
    let mut flows: FxHashMap<String, usize> = FxHashMap::default();
    for path in places.keys() {
        let Some(members) = members(&places, path) else { continue };
        n_fluid +=
            usize::from(members.iter().any(|(member, _)| member == "h_outflow") && members.iter().any(|(member, _)| member == "m_flow"));
        let Some((kind, lacks_unit)) = kind(&members) else { continue };
        without_units += usize::from(lacks_unit);
        // An array as a whole stands for its elements, which results name one by one.
        let variables = kind.power.iter().map(|member| format!("{path}.{member}")).collect();
        flows.insert(format!("{path}.{}", kind.flow), found.connectors.len());
        let connector = Connector { path: path.clone(), domain: kind.domain, variables, owner: None, is_boundary: false };
        found.connectors.push(connector);
    }
    connect(model, &flows, &mut found);
    own(&places, &mut found);
    if without_units > 0 {
        found.notes.push(format!("{without_units} connectors were recognised by the names of their members alone: units are not declared"));
    }
    if n_fluid > 0 {
        found.notes.push(format!("{n_fluid} stream connectors of fluids are not counted: their power needs the enthalpy of what flows in"));
    }
    found
}

/// The flows of a connection sum with their signs: `a + b - c = 0` of connector flows only.
fn connection_sum(model: &FlatModel, lhs: &Expr, rhs: &Expr, flows: &FxHashMap<String, usize>) -> Option<Vec<(usize, bool)>> {
    let is_zero = |e: &Expr| matches!(&e.kind, ExprKind::Literal(Value::Real(0.0) | Value::Integer(0)));
    let sum = if is_zero(rhs) {
        lhs
    } else if is_zero(lhs) {
        rhs
    } else {
        return None;
    };
    let mut stack = vec![(sum, true)];
    let mut terms = Vec::new();
    while let Some((e, sign)) = stack.pop() {
        if push_summands(e, sign, &mut stack) {
            continue;
        }
        match &e.kind {
            ExprKind::Var(var) => terms.push((*flows.get(&model.vars[*var].name)?, sign)),
            ExprKind::Index(array, subscripts) => {
                let ExprKind::Var(var) = array.kind else { return None };
                let numbers: Option<Vec<String>> = subscripts
                    .iter()
                    .map(|subscript| match subscript {
                        crate::frontend::flat::Subscript::Index(Expr { kind: ExprKind::Literal(Value::Integer(i)), .. }) => {
                            Some(i.to_string())
                        }
                        _ => None,
                    })
                    .collect();
                terms.push((*flows.get(&format!("{}[{}]", model.vars[var].name, numbers?.join(",")))?, sign));
            }
            _ => return None,
        }
    }
    // `-(a + b) = 0` says the same as `a + b = 0`.
    if terms.iter().all(|(_, sign)| !sign) {
        terms.iter_mut().for_each(|(_, sign)| *sign = true);
    }
    (terms.len() > 1).then_some(terms)
}

/// Notes which connectors are connected, and which are boundaries.
fn connect(model: &FlatModel, flows: &FxHashMap<String, usize>, found: &mut Components) {
    for equation in &model.equations {
        let EquationKind::Equal(lhs, rhs) = &equation.kind else { continue };
        let Some(terms) = connection_sum(model, lhs, rhs, flows) else { continue };
        for (connector, sign) in &terms {
            found.connectors[*connector].is_boundary |= !sign;
        }
        let mut members: Vec<usize> = terms.iter().map(|(connector, _)| *connector).collect();
        members.sort_unstable();
        members.dedup();
        // `p.i + n.i = 0` is the law of one component, no connection.
        let owner = |connector: &usize| parent(&found.connectors[*connector].path).map(str::to_string);
        if members.len() > 1 && !members.iter().all(|member| owner(member) == owner(&members[0])) {
            found.sums.push(members);
        }
    }
}

/// Whether paths are the elements of one array.
fn is_one_array<'p>(mut paths: impl Iterator<Item = &'p String>) -> bool {
    let array = |path: &'p String| path.strip_suffix(']').and_then(|path| path.rfind('[').map(|at| &path[..at]));
    let first = paths.next().and_then(array);
    first.is_some() && paths.all(|path| array(path) == first)
}

/// Finds the owners of connectors and the tree of components.
fn own(places: &IndexMap<String, PathMembers>, found: &mut Components) {
    let connectors: FxHashMap<&str, bool> =
        found.connectors.iter().map(|connector| (connector.path.as_str(), connector.is_boundary)).collect();
    // Paths below which there are only connectors, one of them at a boundary: connectors of connectors.
    let mut plugs: FxHashMap<&str, ()> = FxHashMap::default();
    let mut inner_first: Vec<(&String, &PathMembers)> = places.iter().collect();
    inner_first.sort_by_key(|(path, _)| std::cmp::Reverse(path.len()));
    for (path, place) in inner_first {
        if connectors.contains_key(path.as_str()) || place.below.is_empty() {
            continue;
        }
        let is_connector = |below: &String| connectors.contains_key(below.as_str()) || plugs.contains_key(below.as_str());
        let only = place.members.is_empty()
            && place.parameters.iter().all(|parameter| parameter == "m")
            && place.below.iter().all(|below| is_connector(below) || below.ends_with(".reference"));
        let boundary = |below: &String| connectors.get(below.as_str()).copied().unwrap_or(false) || plugs.contains_key(below.as_str());
        // Where nothing is connected inside there is no such sign; a component has more than one array of connectors.
        let array = || parent(path).is_some() && is_one_array(place.below.iter().filter(|below| !below.ends_with(".reference")));
        if only && (place.below.iter().any(boundary) || array()) {
            plugs.insert(path.as_str(), ());
        }
    }
    let owners: Vec<Option<String>> = found
        .connectors
        .iter()
        .map(|connector| {
            let mut owner = parent(&connector.path);
            while let Some(path) = owner.filter(|path| plugs.contains_key(path)) {
                owner = parent(path);
            }
            owner.map(str::to_string)
        })
        .collect();
    let mut components: IndexMap<String, Vec<usize>> = IndexMap::new();
    for (connector, owner) in owners.into_iter().enumerate() {
        let Some(owner) = owner else { continue };
        components.entry(owner).or_default().push(connector);
    }
    for (at, (_, connectors)) in components.iter().enumerate() {
        connectors.iter().for_each(|connector| found.connectors[*connector].owner = Some(at));
    }
    let parent_of = |path: &str| {
        let mut path = parent(path);
        while let Some(outer) = path {
            if let Some(at) = components.get_index_of(outer) {
                return Some(at);
            }
            path = parent(outer);
        }
        None
    };
    found.components = components
        .iter()
        .map(|(path, connectors)| Component { path: path.clone(), connectors: connectors.clone(), parent: parent_of(path) })
        .collect();
}

impl Components {
    /// A component by its path.
    pub fn find(&self, path: &str) -> Option<usize> {
        self.components.iter().position(|component| component.path == path)
    }

    /// The names of all variables that powers are made of.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        self.connectors.iter().flat_map(|connector| connector.variables.iter().map(String::as_str))
    }
}
