//! Scalarises a flat model and makes its hybrid parts explicit.
//!
//! Input: `flat::FlatModel`. Output: `dae::System` with scalar variables and equations; arrays and records taken apart, `for`
//! unrolled, functions inlined by symbolic execution or translated and called, `der`, `pre`, `when`, `sample`, relations turned into variables.
//! Guarantee: every scalar of the flat model is a variable or a folded value, every equation keeps its source place.
//! Cost: linear in the size of the scalarised model.
//!
//! Codes: D001 unsupported construct, D002 shape, D003 not an assignment in a `when`, D004 a size or loop of a function that
//! is known only at run time, D005 `reinit` of something that is not a state, D006 an index out of range, D007 undefined
//! value, D008 an external function or object that cannot be used, D009 (warning) what a called function does not show,
//! D010 a value that a function reads although nobody assigned it, D011 (warning) a discrete variable that changes between events,
//! or `pre` of a continuous one, D012 `der` of a discrete variable,
//! D013 options of `String`, D014 (warning) `==` of Reals,
//! D015 an Integer that is too large, D020 the model takes too many operations to compile, D021 a String or an array is too large.

mod arrays;
mod called;
mod changing;
mod definite_assignment;
mod derivative;
mod effect;
mod equality;
mod expr;
mod guarded;
mod homotopy;
mod hybrid;
mod object;
mod outline;
mod parameters;
mod shape;
mod statement;
#[cfg(test)]
mod tests;
mod text;
mod translate;
mod transport;
mod value;
mod whole;

use crate::base::budget;
use crate::base::ids::{ExprId, VarId};
use crate::equations::dae::{Equation, EquationKind, OPERATIONS_PER_VARIABLE, Origin, Purpose, Role, System, Variable};
use crate::frontend::flat;
use cranelift_entity::SecondaryMap;
use partita_grammar::{Diagnostic, Span};
use partita_runtime::base::math::Op2;
use partita_runtime::model::plan::{ActionKind, SlotType};
use partita_runtime::native::external::SharedLibraries;
use rustc_hash::{FxHashMap, FxHashSet};
use value::{TextFragment, Val};

/// The scalar system and what was assumed on the way.
#[derive(Debug)]
pub struct Lowered {
    /// The system.
    pub system: System,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
}

type Lowering<T> = Result<T, Diagnostic>;

/// Scalarises `model`.
pub fn lower(model: &flat::FlatModel) -> Result<Lowered, Vec<Diagnostic>> {
    lower_with(model, &SharedLibraries::default())
}

/// Scalarises `model`, which may call functions of shared libraries.
pub fn lower_with(model: &flat::FlatModel, shared: &SharedLibraries) -> Result<Lowered, Vec<Diagnostic>> {
    let (errors, mut needing_loops) = match attempt(model, shared) {
        Ok(lowered) => return Ok(lowered),
        Err(refused) => refused,
    };
    // What cannot be executed symbolically may do so at run time; a statement that is a call may show the next one.
    let mut places = FxHashSet::default();
    while !needing_loops.is_empty() {
        places.extend(needing_loops);
        let Some(outlined) = outline::outlined(model, &places) else { break };
        match attempt(&outlined, shared) {
            Ok(lowered) => return Ok(lowered),
            Err((_, more)) if more.iter().any(|place| !places.contains(place)) => needing_loops = more,
            Err((others, _)) if others.iter().all(|error| error.code != "D004") => return Err(others),
            Err(_) => break,
        }
    }
    Err(errors)
}

/// Scalarises `model` as it stands; the errors, and the statements of algorithm sections that need loops at run time.
fn attempt(model: &flat::FlatModel, shared: &SharedLibraries) -> Result<Lowered, (Vec<Diagnostic>, FxHashSet<Span>)> {
    let mut assumed = changing::Assumed::default();
    let mut lowerer = loop {
        let mut lowerer = Lowerer::new(model, shared.clone());
        lowerer.declare_variables(&assumed);
        lowerer.bind_variables();
        lowerer.equations();
        lowerer.settle_kinds();
        if assumed.is_confirmed(&mut lowerer) {
            break lowerer;
        }
    };
    lowerer.warn_of_changing(&assumed);
    for equation in lowerer.eqs.drain(..).chain(lowerer.auxiliary_eqs.drain(..)) {
        lowerer.sys.eqs.push(equation);
    }
    homotopy::keep_actual(&mut lowerer.sys);
    lowerer.report_uninitialised();
    lowerer.check_transports();
    if lowerer.errors.is_empty() {
        Ok(Lowered { system: lowerer.sys, warnings: lowerer.warnings })
    } else {
        Err((lowerer.errors, lowerer.needing_loops))
    }
}

/// What a flat variable becomes, and the current value of names during symbolic execution.
struct Lowerer<'m> {
    model: &'m flat::FlatModel,
    /// Where external functions are found that are not built in.
    shared: SharedLibraries,
    sys: System,
    /// The value of every flat variable: variables of the system, or folded literals.
    value_of: SecondaryMap<flat::VarId, Option<Val>>,
    /// Relations by operands, so that equal relations are one variable.
    relation_of: FxHashMap<(Op2, ExprId, ExprId), VarId>,
    /// Whether an expression can change between events, memoised.
    continuous: FxHashMap<ExprId, bool>,
    /// Whether an expression may have no value, memoised.
    fallible: FxHashMap<ExprId, guarded::Fallible>,
    /// Results of inlined calls by function and arguments.
    calls: FxHashMap<(flat::FuncId, Vec<ExprId>), Vec<Val>>,
    /// Functions that are called, not inlined.
    called: called::Called,
    /// The number of expressions at which inlining the present function is given up.
    node_limit: usize,
    /// Values that were read although nobody assigned them.
    missing: definite_assignment::UninitialisedReads,
    /// Asserts and messages of functions being inlined, until it is sure that they are.
    pending_actions: Vec<PendingAction>,
    /// Parameters of the flat model whose values cannot be changed any more.
    is_kept: SecondaryMap<flat::VarId, bool>,
    /// Positions of strings in `System::strings`.
    string_of: FxHashMap<String, usize>,
    /// Activations of `when` clauses.
    activations: FxHashSet<VarId>,
    /// Functions being inlined, from the outside in.
    inlining: Vec<flat::FuncId>,
    /// Flat variables that are assigned in `when` only: discrete.
    when_assigned: FxHashSet<flat::VarId>,
    /// Equations of the model so far.
    eqs: Vec<Equation>,
    /// Equations of variables the compiler made; kept apart so that branches of an if-equation hold written ones only.
    auxiliary_eqs: Vec<Equation>,
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    /// Statements of algorithm sections that cannot be executed symbolically.
    needing_loops: FxHashSet<Span>,
    n_when: usize,
    n_auxiliary: usize,
}

/// An assert or message whose trigger is not a variable yet.
struct PendingAction {
    trigger: ExprId,
    kind: ActionKind,
    message: Vec<TextFragment<ExprId>>,
    span: Span,
    /// In a `when`: due at the moment it becomes active, not at every point.
    momentary: bool,
}

/// Where an expression stands.
#[derive(Clone, Default)]
struct Scope {
    /// Relations make no events here (`noEvent`, functions, `when` bodies, initial equations).
    no_event: bool,
    /// Statements of a `when`, or of functions called there: they act at the moment it becomes active.
    in_when: bool,
    /// Equations and algorithms of the start, or functions called there: their asserts hold at the start only.
    initial: bool,
    /// Values of loop variables and function locals.
    locals: SecondaryMap<flat::LocalId, Option<Val>>,
    /// The function being executed.
    function: Option<flat::FuncId>,
    /// The statements of the function are being executed, not its declarations.
    in_body: bool,
    /// Values of model variables assigned so far in the algorithm or `when` being executed.
    assigned: indexmap::IndexMap<flat::VarId, Val>,
    /// Assignments happen only where this holds; `None` is always.
    guard: Option<ExprId>,
    /// The value being computed matters only where this holds; `None` is always. Asserts inside functions depend on it.
    path: Option<ExprId>,
    /// `return` was executed where this holds.
    returned: Option<ExprId>,
    /// `break` was executed where this holds, in the innermost loop.
    broken: Option<ExprId>,
    /// How many calls are being executed.
    depth: usize,
}

fn slot_type(scalar: flat::Scalar) -> Option<SlotType> {
    match scalar {
        flat::Scalar::Real => Some(SlotType::Real),
        flat::Scalar::Integer | flat::Scalar::Enumeration(_) => Some(SlotType::Integer),
        flat::Scalar::Boolean => Some(SlotType::Boolean),
        flat::Scalar::String | flat::Scalar::Record(_) | flat::Scalar::Object(_) => None,
    }
}

/// The number of elements of an array; 1 for a scalar.
fn n_elements(dims: &[Option<usize>]) -> usize {
    dims.iter().fold(1, |n: usize, size| n.saturating_mul(size.unwrap_or(0)))
}

/// `name[1,2]` for every element of an array in row-major order; `name` itself for a scalar.
fn element_names(name: &str, dims: &[Option<usize>]) -> Vec<String> {
    if dims.is_empty() {
        return vec![name.to_string()];
    }
    let mut indices: Vec<Vec<usize>> = vec![Vec::new()];
    for dim in dims {
        let size = dim.unwrap_or(0);
        indices = indices.into_iter().flat_map(|index| (1..=size).map(move |i| [index.as_slice(), &[i]].concat())).collect();
    }
    indices.into_iter().map(|index| format!("{name}[{}]", index.iter().map(usize::to_string).collect::<Vec<_>>().join(","))).collect()
}

/// The inner sizes of a comprehension whose outermost range is empty, as far as types tell; none if they do not.
fn sizes_without_iterations(body: &flat::Expr, inner: &[(flat::LocalId, flat::Expr)]) -> Vec<usize> {
    let ranges = inner.iter().map(|(_, range)| range.ty.dims.first().copied().flatten());
    ranges.chain(body.ty.dims.iter().copied()).collect::<Option<Vec<_>>>().unwrap_or_default()
}

/// The sizes of the items of an array as its type tells them; none if it does not.
fn item_sizes(ty: &flat::Type) -> Vec<usize> {
    ty.dims.iter().skip(1).copied().collect::<Option<Vec<_>>>().unwrap_or_default()
}

/// Builds the tree of an array from its elements in row-major order.
fn shape(dims: &[Option<usize>], scalars: &mut impl Iterator<Item = Val>) -> Val {
    match dims.split_first() {
        None => scalars.next().unwrap_or(Val::Uninitialised),
        Some((size, rest)) => {
            let inner = rest.iter().map(|size| size.unwrap_or(0)).collect();
            Val::array((0..size.unwrap_or(0)).map(|_| shape(rest, scalars)).collect(), inner)
        }
    }
}

impl<'m> Lowerer<'m> {
    fn new(model: &'m flat::FlatModel, shared: SharedLibraries) -> Lowerer<'m> {
        let mut sys = System { name: model.name.clone(), experiment: model.experiment, ..System::default() };
        let mut time = Variable::new("time", SlotType::Real, Role::Time, Span::default());
        time.unit = "s".into();
        sys.vars.push(time);
        let mut when_assigned = FxHashSet::default();
        hybrid::collect_when_assigned(model, &mut when_assigned);
        Lowerer {
            model,
            shared,
            sys,
            value_of: SecondaryMap::new(),
            relation_of: FxHashMap::default(),
            continuous: FxHashMap::default(),
            fallible: FxHashMap::default(),
            calls: FxHashMap::default(),
            called: called::Called::default(),
            node_limit: usize::MAX,
            missing: definite_assignment::UninitialisedReads::default(),
            pending_actions: Vec::new(),
            is_kept: SecondaryMap::new(),
            string_of: FxHashMap::default(),
            activations: FxHashSet::default(),
            inlining: Vec::new(),
            when_assigned,
            eqs: Vec::new(),
            auxiliary_eqs: Vec::new(),
            errors: Vec::new(),
            warnings: Vec::new(),
            needing_loops: FxHashSet::default(),
            n_when: 0,
            n_auxiliary: 0,
        }
    }

    fn fail(&mut self, error: Diagnostic) {
        if self.errors.len() < 20 {
            self.errors.push(error);
        }
    }

    fn warn_once(&mut self, warning: Diagnostic) {
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// The position of a string among those of the system.
    fn string_index(&mut self, text: &str) -> f64 {
        if let Some(index) = self.string_of.get(text) {
            return *index as f64;
        }
        self.sys.strings.push(text.to_string());
        let index = self.sys.strings.len() - 1;
        self.string_of.insert(text.to_string(), index);
        index as f64
    }

    fn scalar_literal(&mut self, value: &flat::Value) -> Val {
        let number = match value {
            flat::Value::Real(v) => *v,
            flat::Value::Integer(v) => *v as f64,
            flat::Value::Boolean(v) => f64::from(u8::from(*v)),
            flat::Value::Enumeration(_, v) => f64::from(*v),
            flat::Value::String(s) => return Val::Text(vec![TextFragment::Literal(s.clone())]),
            flat::Value::Array(dims, items) => {
                budget::spend(items.len() as u64);
                let mut items = items.iter().map(|v| self.scalar_literal(v)).collect::<Vec<_>>().into_iter();
                return Val::shaped(dims, &mut || items.next().unwrap_or(Val::Uninitialised));
            }
            flat::Value::Record(_, fields) => return Val::Record(fields.iter().map(|v| self.scalar_literal(v)).collect()),
        };
        Val::Scalar(self.sys.arena.constant(number))
    }

    /// A variable made by the compiler that stands for an expression, named `$prefixN`.
    fn auxiliary_variable(&mut self, prefix: &str, ty: SlotType, role: Role, span: Span) -> VarId {
        self.variable_for(Purpose::Auxiliary, prefix, ty, role, span)
    }

    /// A variable made by the compiler, named `$prefixN`.
    fn variable_for(&mut self, purpose: Purpose, prefix: &str, ty: SlotType, role: Role, span: Span) -> VarId {
        self.n_auxiliary += 1;
        budget::spend(OPERATIONS_PER_VARIABLE);
        let mut var = Variable::new(format!("${prefix}{}", self.n_auxiliary), ty, role, span);
        var.hidden = true;
        var.made = Some(purpose);
        self.sys.vars.push(var)
    }

    /// Makes the scalar variables of every flat variable, without values that refer to others. They are the same each time; only their
    /// roles depend on what is assumed.
    fn declare_variables(&mut self, assumed: &changing::Assumed) {
        let parameters::Parameters { is_folded, kept } = parameters::decide(self.model);
        for (id, var) in self.model.vars.iter() {
            if let Some(value) = var.value.as_ref().filter(|_| var.ty.scalar == flat::Scalar::Integer).and_then(whole::too_large) {
                self.fail(whole::beyond(format!("{} = {value}", var.name), var.span));
            }
            if let Some(kept) = &kept[id] {
                self.sys.kept.push((var.name.clone(), kept.clone()));
            }
            self.is_kept[id] = kept[id].is_some();
            if let (true, Some(value)) = (is_folded[id], &var.value) {
                let val = self.scalar_literal(value);
                self.value_of[id] = Some(val.clone());
                self.folded_parameter(var, &val);
                continue;
            }
            let Some(ty) = slot_type(var.ty.scalar) else {
                if let (flat::Scalar::String, Some(value)) = (var.ty.scalar, &var.value) {
                    self.value_of[id] = Some(self.scalar_literal(value));
                }
                continue;
            };
            let role = match var.variability {
                flat::Variability::Constant | flat::Variability::Parameter => Role::Parameter,
                _ if var.causality == flat::Causality::Input && var.binding.is_none() => Role::Input,
                flat::Variability::Discrete => Role::Discrete,
                flat::Variability::Continuous if self.when_assigned.contains(&id) => Role::Discrete,
                flat::Variability::Continuous => Role::Continuous,
            };
            let mut scalars = Vec::new();
            budget::at(var.span);
            budget::spend((OPERATIONS_PER_VARIABLE + var.name.len() as u64 / 8).saturating_mul(n_elements(&var.ty.dims) as u64));
            for name in element_names(&var.name, &var.ty.dims) {
                let role = if assumed.contains(self.sys.vars.next_key()) { Role::Continuous } else { role };
                let mut scalar = Variable::new(name, ty, role, var.span);
                scalar.state_select = var.attributes.state_select;
                scalar.unit = var.attributes.unit.clone().unwrap_or_default();
                scalar.display_unit = var.attributes.display_unit.clone().unwrap_or_default();
                scalar.description = var.description.clone();
                scalar.protected = var.protected;
                let scalar = self.sys.vars.push(scalar);
                scalars.push(Val::Scalar(self.sys.arena.var(scalar)));
            }
            self.value_of[id] = Some(shape(&var.ty.dims, &mut scalars.into_iter()));
        }
    }

    /// A parameter whose value went into the equations still shows in results.
    fn folded_parameter(&mut self, var: &flat::Variable, val: &Val) {
        let Some(ty) = slot_type(var.ty.scalar) else { return };
        budget::at(var.span);
        budget::spend((OPERATIONS_PER_VARIABLE + var.name.len() as u64 / 8).saturating_mul(n_elements(&var.ty.dims) as u64));
        let names = element_names(&var.name, &var.ty.dims);
        for (name, value) in names.into_iter().zip(val.to_scalars()) {
            let mut scalar = Variable::new(name, ty, Role::Parameter, var.span);
            scalar.unit = var.attributes.unit.clone().unwrap_or_default();
            scalar.display_unit = var.attributes.display_unit.clone().unwrap_or_default();
            scalar.description = var.description.clone();
            scalar.protected = var.protected;
            scalar.value = self.sys.arena.as_constant(value);
            scalar.start = Some(value);
            self.sys.vars.push(scalar);
        }
    }

    fn own_vars(&self, id: flat::VarId) -> Vec<VarId> {
        let Some(val) = &self.value_of[id] else { return Vec::new() };
        val.to_scalars()
            .into_iter()
            .filter_map(|e| match self.sys.arena.node(e) {
                crate::equations::expr::Node::Var(v) => Some(v),
                _ => None,
            })
            .collect()
    }

    /// Lowers an attribute: one value per element, or one for all.
    fn attribute(&mut self, expr: Option<&flat::Expr>, n: usize) -> Vec<Option<ExprId>> {
        let Some(expr) = expr else { return vec![None; n] };
        let mut scope = Scope { no_event: true, ..Scope::default() };
        match self.expr(&mut scope, expr) {
            Ok(val) => {
                let scalars = self.completed(&Val::Uninitialised, &val, expr.span).to_scalars();
                if scalars.len() == n {
                    scalars.into_iter().map(Some).collect()
                } else if let [one] = scalars.as_slice() {
                    vec![Some(*one); n]
                } else {
                    self.fail(
                        Diagnostic::error("D002", "the attribute does not have the dimensions of its variable").at(expr.span, "here"),
                    );
                    vec![None; n]
                }
            }
            Err(error) => {
                self.fail(error);
                vec![None; n]
            }
        }
    }

    /// Values of parameters that are known at once; external objects may need them.
    fn literal_values(&mut self) {
        let model = self.model;
        for (id, var) in model.vars.iter() {
            let Some(value) = &var.value else { continue };
            let vars = self.own_vars(id);
            let values = self.scalar_literal(value).to_scalars();
            for (v, value) in vars.into_iter().zip(values) {
                self.sys.vars[v].value = self.sys.arena.as_constant(value);
            }
        }
    }

    /// Attributes and bindings, now that every variable exists. Parameters first: their values are needed for constants.
    fn bind_variables(&mut self) {
        let model = self.model;
        self.literal_values();
        self.bind_objects();
        for (id, var) in model.vars.iter() {
            let is_parameter = matches!(var.variability, flat::Variability::Constant | flat::Variability::Parameter);
            if !is_parameter {
                continue;
            }
            let vars = self.own_vars(id);
            if vars.is_empty() {
                continue;
            }
            let fixed = self.attribute(var.attributes.fixed.as_deref(), vars.len());
            let values: Vec<Option<f64>> = match &var.value {
                Some(value) => {
                    let val = self.scalar_literal(value);
                    val.to_scalars().into_iter().map(|e| self.sys.arena.as_constant(e)).collect()
                }
                None => vec![None; vars.len()],
            };
            let bindings = match &var.binding {
                Some(binding) => self.attribute(Some(binding), vars.len()),
                None => vec![None; vars.len()],
            };
            let starts = self.attribute(var.attributes.start.as_deref(), vars.len());
            let [min, max] = [&var.attributes.min, &var.attributes.max].map(|bound| self.attribute(bound.as_deref(), vars.len()));
            for (i, v) in vars.iter().enumerate() {
                (self.sys.vars[*v].min, self.sys.vars[*v].max) = (self.known(min[i]), self.known(max[i]));
                let is_free = fixed[i].and_then(|f| self.sys.arena.as_constant(f)) == Some(0.0);
                let literal = values.get(i).copied().flatten();
                if is_free && literal.is_none() {
                    self.sys.vars[*v].role = Role::FreeParameter;
                    self.sys.vars[*v].start = starts[i];
                    if let Some(binding) = bindings[i] {
                        let lhs = self.sys.arena.var(*v);
                        self.sys.initial_eqs.push(Equation {
                            lhs,
                            rhs: binding,
                            kind: EquationKind::Continuous,
                            origin: Origin::Source(var.span),
                        });
                    }
                    continue;
                }
                let binding_is_literal = bindings[i].is_none_or(|b| self.sys.arena.as_constant(b).is_some());
                self.sys.vars[*v].value = literal;
                self.sys.vars[*v].settable =
                    binding_is_literal && literal.is_some() && !self.is_kept[id] && var.variability == flat::Variability::Parameter;
                self.sys.vars[*v].start = match (bindings[i], literal) {
                    (Some(binding), _) => Some(binding),
                    (None, Some(literal)) => Some(self.sys.arena.constant(literal)),
                    (None, None) => None,
                };
                if self.sys.vars[*v].start.is_none() && var.binding.is_none() {
                    let name = self.sys.vars[*v].name.clone();
                    self.fail(
                        Diagnostic::error("D007", format!("parameter {name} has no value")).at(var.span, "declared here without a binding"),
                    );
                }
            }
        }
        for (id, var) in model.vars.iter() {
            let is_parameter = matches!(var.variability, flat::Variability::Constant | flat::Variability::Parameter);
            if is_parameter {
                continue;
            }
            let vars = self.own_vars(id);
            let n = vars.len();
            let start = self.attribute(var.attributes.start.as_deref(), n);
            let fixed = self.attribute(var.attributes.fixed.as_deref(), n);
            let nominal = self.attribute(var.attributes.nominal.as_deref(), n);
            let min = self.attribute(var.attributes.min.as_deref(), n);
            let max = self.attribute(var.attributes.max.as_deref(), n);
            for (i, v) in vars.iter().enumerate() {
                let fixed = fixed[i].and_then(|e| self.sys.decided_value(e)).map(|f| f != 0.0);
                let nominal = nominal[i].and_then(|e| self.sys.decided_value(e)).map(f64::abs).filter(|n| *n > 0.0 && n.is_finite());
                let (min, max) = (self.known(min[i]), self.known(max[i]));
                let target = &mut self.sys.vars[*v];
                target.start = start[i];
                target.fixed = fixed;
                target.nominal = nominal;
                target.min = min;
                target.max = max;
            }
        }
    }

    /// The value of an attribute, if there is one and it is known now.
    fn known(&self, attribute: Option<ExprId>) -> Option<f64> {
        attribute.and_then(|e| self.sys.constant_value(e))
    }

    fn equations(&mut self) {
        let model = self.model;
        self.define_texts();
        for (id, var) in model.vars.iter() {
            let is_parameter = matches!(var.variability, flat::Variability::Constant | flat::Variability::Parameter);
            let Some(binding) = var.binding.as_ref().filter(|_| !is_parameter) else { continue };
            if var.ty.scalar == flat::Scalar::String {
                let mut scope = Scope::default();
                match self.expr(&mut scope, binding) {
                    Ok(text) => self.value_of[id] = Some(text),
                    Err(error) => self.fail(error),
                }
                continue;
            }
            budget::at(var.span);
            let Some(lhs) = self.value_of[id].clone() else { continue };
            let mut scope = Scope::default();
            let result = self.expr(&mut scope, binding).and_then(|rhs| self.equate(&lhs, &rhs, var.span.to(binding.span), false));
            if let Err(error) = result {
                self.fail(error);
            }
        }
        for equation in &model.equations {
            budget::at(equation.span);
            let mut scope = Scope::default();
            if let Err(error) = self.equation(&mut scope, equation, false) {
                self.fail(error);
            }
        }
        for equation in &model.initial_equations {
            budget::at(equation.span);
            let mut scope = Scope { no_event: true, initial: true, ..Scope::default() };
            if let Err(error) = self.equation(&mut scope, equation, true) {
                self.fail(error);
            }
        }
        for algorithm in &model.algorithms {
            budget::at(algorithm.span);
            if let Err(error) = self.algorithm(algorithm, false) {
                self.fail(error);
            }
        }
        for algorithm in &model.initial_algorithms {
            budget::at(algorithm.span);
            if let Err(error) = self.algorithm(algorithm, true) {
                self.fail(error);
            }
        }
    }

    /// Adds `lhs = rhs` for every scalar.
    fn equate(&mut self, lhs: &Val, rhs: &Val, span: Span, initial: bool) -> Lowering<()> {
        let mut pairs = Vec::new();
        let rhs = self.completed(lhs, rhs, span);
        let matched = lhs.zip(&rhs, &mut |a, b| {
            pairs.push((a, b));
            Ok::<_, Diagnostic>(a)
        })?;
        if matched.is_none() {
            return Err(Diagnostic::error("D002", "the two sides of the equation have different dimensions").at(span, "in this equation"));
        }
        for (lhs, rhs) in pairs {
            self.add_equation(lhs, rhs, span, initial);
        }
        Ok(())
    }

    fn add_equation(&mut self, lhs: ExprId, rhs: ExprId, span: Span, initial: bool) {
        let kind = self.kind((lhs, rhs), initial, &FxHashSet::default());
        let equation = Equation { lhs, rhs, kind, origin: Origin::Source(span) };
        if initial {
            self.sys.initial_eqs.push(equation);
        } else {
            self.eqs.push(equation);
        }
    }

    /// Outside of `when`, `pre` is meant for what changes at events only.
    fn warn_of_pre_between_events(&mut self, val: &Val, span: Span) {
        let continuous = val.to_scalars().into_iter().find_map(|e| match self.sys.arena.node(e) {
            crate::equations::expr::Node::Var(v) if self.sys.vars[v].role == Role::Continuous && self.sys.vars[v].ty == SlotType::Real => {
                Some(v)
            }
            _ => None,
        });
        if let Some(var) = continuous {
            let name = &self.sys.vars[var].name;
            let warning = Diagnostic::warning("D011", format!("{name} changes between events, and `pre({name})` does not"))
                .at(span, "its value before the last event")
                .with_hint("`pre` of a continuous variable belongs into a `when`");
            self.warn_once(warning);
        }
    }

    /// The texts of String variables, from equations `variable = text`: they are put where the variables are used.
    fn define_texts(&mut self) {
        let model = self.model;
        let mut open: Vec<(flat::VarId, &flat::Expr)> = Vec::new();
        for equation in &model.equations {
            if let flat::EquationKind::Equal(flat::Expr { kind: flat::ExprKind::Var(id), ty, .. }, rhs) = &equation.kind
                && ty.scalar == flat::Scalar::String
                && ty.dims.is_empty()
                && self.value_of[*id].is_none()
            {
                open.push((*id, rhs));
            }
        }
        let mut counts: FxHashMap<flat::VarId, usize> = FxHashMap::default();
        open.iter().for_each(|(id, _)| *counts.entry(*id).or_default() += 1);
        open.retain(|(id, _)| counts[id] == 1);
        // A text may be made of others.
        loop {
            let before = open.len();
            open.retain(|(id, rhs)| match self.expr(&mut Scope::default(), rhs) {
                Ok(text @ Val::Text(_)) => {
                    self.value_of[*id] = Some(text);
                    false
                }
                _ => true,
            });
            if open.len() == before {
                break;
            }
        }
    }

    fn equation(&mut self, scope: &mut Scope, equation: &flat::Equation, initial: bool) -> Lowering<()> {
        match &equation.kind {
            flat::EquationKind::Equal(lhs, rhs) => {
                if lhs.ty.scalar == flat::Scalar::String {
                    let is_defined =
                        matches!(lhs.kind, flat::ExprKind::Var(id) if self.value_of[id].is_some() && self.model.vars[id].binding.is_none());
                    return if is_defined { Ok(()) } else { Err(unsupported("this equation between Strings", equation.span)) };
                }
                let lhs = self.expr(scope, lhs)?;
                let rhs = self.expr(scope, rhs)?;
                self.equate(&lhs, &rhs, equation.span, initial)
            }
            flat::EquationKind::Tuple(targets, call) => {
                let outputs = self.call_outputs(scope, call)?;
                for (target, output) in targets.iter().zip(&outputs) {
                    if let Some(target) = target {
                        let target = self.expr(scope, target)?;
                        self.equate(&target, output, equation.span, initial)?;
                    }
                }
                Ok(())
            }
            flat::EquationKind::For(local, range, body) => {
                let range = self.expr(scope, range)?;
                for item in range.items().unwrap_or(&[]).to_vec() {
                    scope.locals[*local] = Some(item);
                    for equation in body {
                        self.equation(scope, equation, initial)?;
                    }
                }
                Ok(())
            }
            flat::EquationKind::If(branches, otherwise) => self.if_equation(scope, branches, otherwise, equation.span, initial),
            flat::EquationKind::When(branches) => {
                if initial {
                    return Err(unsupported("`when` among initial equations", equation.span));
                }
                self.when_equation(scope, branches, equation.span)
            }
            flat::EquationKind::Call(call) => {
                let mut inner = scope.clone();
                self.effect(&mut inner, call, equation.span)
            }
        }
    }

    /// Branches of an if-equation become one set of equations with `if` expressions.
    fn if_equation(
        &mut self,
        scope: &mut Scope,
        branches: &[(flat::Expr, Vec<flat::Equation>)],
        otherwise: &[flat::Equation],
        span: Span,
        initial: bool,
    ) -> Lowering<()> {
        let mut kept: Vec<(Option<ExprId>, &[flat::Equation])> = Vec::new();
        let path = scope.path;
        for (condition, body) in branches {
            let condition = self.scalar(scope, condition);
            let condition = condition.inspect_err(|_| scope.path = path)?;
            match self.sys.arena.as_constant(condition) {
                Some(0.0) => {}
                Some(_) => {
                    kept.push((None, body));
                    break;
                }
                None => kept.push((Some(condition), body)),
            }
            // The next condition matters only where this one does not hold.
            let not = self.sys.arena.not(condition);
            scope.path = self.conjunction(scope.path, Some(not));
        }
        scope.path = path;
        if kept.last().is_none_or(|(condition, _)| condition.is_some()) {
            kept.push((None, otherwise));
        }
        if let [(None, body)] = kept.as_slice() {
            for equation in *body {
                self.equation(scope, equation, initial)?;
            }
            return Ok(());
        }
        // Lower each branch apart, then join the equations of equal position.
        let mut sides: Vec<Vec<Equation>> = Vec::new();
        let mut taken: Option<ExprId> = None;
        for (condition, body) in &kept {
            let here = match (taken, condition) {
                (None, Some(c)) => Some(*c),
                (Some(t), Some(c)) => {
                    let not = self.sys.arena.not(t);
                    Some(self.sys.arena.and(not, *c))
                }
                (Some(t), None) => Some(self.sys.arena.not(t)),
                (None, None) => None,
            };
            let mut inner = scope.clone();
            inner.guard = match (scope.guard, here) {
                (Some(g), Some(h)) => Some(self.sys.arena.and(g, h)),
                (g, h) => g.or(h),
            };
            let before = if initial { self.sys.initial_eqs.len() } else { self.eqs.len() };
            for equation in *body {
                self.equation(&mut inner, equation, initial)?;
            }
            let written = if initial { &mut self.sys.initial_eqs } else { &mut self.eqs };
            sides.push(written.drain(before..).collect());
            taken = match (taken, condition) {
                (None, Some(c)) => Some(*c),
                (Some(t), Some(c)) => Some(self.sys.arena.or(t, *c)),
                (t, None) => t,
            };
        }
        let n = sides[0].len();
        if sides.iter().any(|s| s.len() != n) {
            return Err(Diagnostic::error("D001", "the branches of this if-equation have different numbers of equations")
                .at(
                    span,
                    format!("the branches have {} equations", sides.iter().map(|s| s.len().to_string()).collect::<Vec<_>>().join(", ")),
                )
                .with_hint("this is allowed only if the condition is known when the model is compiled; make its parameters final"));
        }
        for i in 0..n {
            let mut i_sides: Vec<(Option<ExprId>, Equation)> = kept.iter().zip(&sides).map(|((c, _), s)| (*c, s[i])).collect();
            let same_lhs = i_sides.iter().all(|(_, e)| e.lhs == i_sides[0].1.lhs);
            let Some((_, last)) = i_sides.pop() else { continue };
            let arena = &mut self.sys.arena;
            let mut residual = if same_lhs { last.rhs } else { arena.sub(last.lhs, last.rhs) };
            for (condition, equation) in i_sides.into_iter().rev() {
                let value = if same_lhs { equation.rhs } else { arena.sub(equation.lhs, equation.rhs) };
                if let Some(condition) = condition {
                    residual = arena.select(condition, value, residual);
                }
            }
            let lhs = if same_lhs { last.lhs } else { arena.constant(0.0) };
            self.add_equation(lhs, residual, last.origin.span(), initial);
        }
        Ok(())
    }

    /// A discrete variable that always equals `expr`; the variable itself if `expr` is one.
    fn discrete_named(&mut self, expr: ExprId, (purpose, prefix): (Purpose, &str), ty: SlotType, span: Span) -> VarId {
        if let crate::equations::expr::Node::Var(v) = self.sys.arena.node(expr)
            && (self.sys.is_discrete(v) || self.sys.vars[v].role == Role::External)
        {
            return v;
        }
        let var = self.variable_for(purpose, prefix, ty, Role::Discrete, span);
        let lhs = self.sys.arena.var(var);
        self.auxiliary_eqs.push(Equation { lhs, rhs: expr, kind: EquationKind::Discrete, origin: Origin::Source(span) });
        var
    }

    /// A variable that always equals `expr`, for run-time services that read a slot. It is a new one even where `expr` is a
    /// variable: aliases may replace that one, and its slot would never be written.
    fn read_by_run_time(&mut self, expr: ExprId, prefix: &str, span: Span) -> VarId {
        let var = self.variable_for(Purpose::RunTime, prefix, SlotType::Real, Role::Continuous, span);
        let lhs = self.sys.arena.var(var);
        self.auxiliary_eqs.push(Equation { lhs, rhs: expr, kind: EquationKind::Continuous, origin: Origin::Source(span) });
        var
    }

    /// Whether a value is more than a function of parameters.
    fn changes_over_time(&self, expr: ExprId) -> bool {
        let is_known = |var: VarId| matches!(self.sys.vars[var].role, Role::Parameter | Role::FreeParameter);
        !crate::equations::expr::subst::variables(&self.sys.arena, expr).into_iter().all(is_known)
    }

    /// A parameter variable that equals `expr`, for run-time services.
    fn parameter_named(&mut self, expr: ExprId, prefix: &str, span: Span) -> VarId {
        let var = self.variable_for(Purpose::RunTime, prefix, SlotType::Real, Role::Parameter, span);
        self.sys.vars[var].value = self.sys.constant_value(expr);
        self.sys.vars[var].start = Some(expr);
        var
    }
}

fn unsupported(what: &str, span: Span) -> Diagnostic {
    Diagnostic::error("D001", format!("{what} is not supported")).at(span, "here")
}
