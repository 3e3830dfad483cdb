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
mod assignment;
mod call;
mod called;
mod changing;
mod definite_assignment;
mod derivative;
mod effect;
mod equality;
mod equations;
mod event_builtins;
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
mod variables;
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
    if lowerer.reports.errors.is_empty() {
        Ok(Lowered { system: lowerer.sys, warnings: lowerer.reports.warnings })
    } else {
        Err((lowerer.reports.errors, lowerer.reports.needing_loops))
    }
}

/// What was found before.
#[derive(Default)]
struct Memo {
    /// Relations by operands, so that equal relations are one variable.
    relation_of: FxHashMap<(Op2, ExprId, ExprId), VarId>,
    /// Whether an expression can change between events, memoised.
    continuous: FxHashMap<ExprId, bool>,
    /// Whether an expression may have no value, memoised.
    fallible: FxHashMap<ExprId, guarded::Fallible>,
    /// Positions of strings in `System::strings`.
    string_of: FxHashMap<String, usize>,
}

/// What is said about the model.
#[derive(Default)]
struct LowerReports {
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    /// Statements of algorithm sections that cannot be executed symbolically.
    needing_loops: FxHashSet<Span>,
}

/// What a flat variable becomes, and the current value of names during symbolic execution.
struct Lowerer<'m> {
    model: &'m flat::FlatModel,
    /// Where external functions are found that are not built in.
    shared: SharedLibraries,
    sys: System,
    /// The value of every flat variable: variables of the system, or folded literals.
    value_of: SecondaryMap<flat::VarId, Option<Val>>,
    /// What was found before.
    memo: Memo,
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
    /// What is said about the model.
    reports: LowerReports,
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

/// When equations and statements hold.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
enum Phase {
    /// At the start only.
    Start,
    /// At all times.
    #[default]
    Run,
}

/// Where an expression stands.
#[derive(Clone, Default)]
struct Scope {
    /// Relations make no events here (`noEvent`, functions, `when` bodies, initial equations).
    no_event: bool,
    /// Statements of a `when`, or of functions called there: they act at the moment it becomes active.
    in_when: bool,
    /// Equations and algorithms of the start, or functions called there: their asserts hold at the start only.
    phase: Phase,
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
        time.about.unit = "s".into();
        sys.vars.push(time);
        let mut when_assigned = FxHashSet::default();
        hybrid::collect_when_assigned(model, &mut when_assigned);
        Lowerer {
            model,
            shared,
            sys,
            value_of: SecondaryMap::new(),
            calls: FxHashMap::default(),
            called: called::Called::default(),
            node_limit: usize::MAX,
            missing: definite_assignment::UninitialisedReads::default(),
            pending_actions: Vec::new(),
            is_kept: SecondaryMap::new(),
            activations: FxHashSet::default(),
            inlining: Vec::new(),
            when_assigned,
            eqs: Vec::new(),
            auxiliary_eqs: Vec::new(),
            n_when: 0,
            n_auxiliary: 0,
            memo: Memo {
                relation_of: FxHashMap::default(),
                continuous: FxHashMap::default(),
                fallible: FxHashMap::default(),
                string_of: FxHashMap::default(),
            },
            reports: LowerReports { errors: Vec::new(), warnings: Vec::new(), needing_loops: FxHashSet::default() },
        }
    }

    fn fail(&mut self, error: Diagnostic) {
        if self.reports.errors.len() < 20 {
            self.reports.errors.push(error);
        }
    }

    fn warn_once(&mut self, warning: Diagnostic) {
        if !self.reports.warnings.contains(&warning) {
            self.reports.warnings.push(warning);
        }
    }

    /// The position of a string among those of the system.
    fn string_index(&mut self, text: &str) -> f64 {
        if let Some(index) = self.memo.string_of.get(text) {
            return *index as f64;
        }
        self.sys.outside.strings.push(text.to_string());
        let index = self.sys.outside.strings.len() - 1;
        self.memo.string_of.insert(text.to_string(), index);
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
