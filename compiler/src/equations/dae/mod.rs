//! The scalar hybrid system (Modelica Appendix B): what the structural passes work on.
//!
//! Every quantity is a scalar variable: unknowns, parameters, `pre` values, relations, `time`. Derivatives are variables
//! linked to what they are the derivative of. Each event-generating relation is a Boolean variable with a definition; between
//! events it is frozen like every discrete variable, during events and initialisation its definition is live. A `when` branch
//! is an activation variable (`$when1.active`), so that `v = if $when1.active then e else pre(v)` is an ordinary discrete
//! equation.

pub mod bounds;
pub mod incidence;
pub mod initial;
pub mod lower;
pub mod print;
pub mod text;
pub mod time_derivative;
pub mod verify;

use crate::base::budget;
use crate::base::ids::{EqId, ExprId, VarId};
use crate::equations::expr::Arena;
use crate::equations::function::table::FnTable;
use crate::frontend::flat::{Experiment, StateSelect};
use cranelift_entity::{EntityRef, EntitySet, PrimaryMap};
use partita_grammar::Span;
use partita_runtime::base::format::Format;
use partita_runtime::base::math::Op2;
use partita_runtime::base::text::TextPiece;
use partita_runtime::model::plan::{ActionKind, ObjectSpec, SlotType};

/// What external functions need.
#[derive(Clone, Debug, Default)]
pub struct ExternalData {
    /// External objects; called functions get their positions.
    pub objects: Vec<ObjectSpec>,
    /// Strings in calls of external functions, which get their positions.
    pub strings: Vec<String>,
    /// Texts that called functions print, which get their positions.
    pub texts: Vec<Vec<TextPiece>>,
}

/// Variables that the run-time sets.
#[derive(Clone, Debug, Default)]
pub struct RunTimeFlags {
    /// The time that scheduled relations see at events, if there are any.
    pub event_time: Option<VarId>,
    /// Set by the run-time while the initial system is solved, if the model asks `initial()`.
    pub initial_flag: Option<VarId>,
    /// Set by the run-time at the last event, if the model asks `terminal()`.
    pub terminal_flag: Option<VarId>,
    /// The homotopy parameter, if the model uses `homotopy`: 1 is the actual model. Only `continuations` contain it.
    pub homotopy: Option<VarId>,
}

/// A scalar hybrid system of equations.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// The model's name.
    pub name: String,
    /// The model's experiment annotation.
    pub experiment: Experiment,
    /// All expressions.
    pub arena: Arena,
    /// All quantities.
    pub vars: PrimaryMap<VarId, Variable>,
    /// Equations that hold at all times, continuous and discrete.
    pub eqs: PrimaryMap<EqId, Equation>,
    /// Equations that hold at the start only.
    pub initial_eqs: Vec<Equation>,
    /// Event-generating relations.
    pub relations: Vec<Relation>,
    /// `sample` operators.
    pub samplers: Vec<Sampler>,
    /// `reinit` operators.
    pub reinits: Vec<Reinit>,
    /// `assert`, `terminate` and messages.
    pub actions: Vec<Action>,
    /// `delay` operators.
    pub delays: Vec<Delay>,
    /// Lines along which something moves.
    pub transports: Vec<Transport>,
    /// Functions that are called, not inlined.
    pub functions: FnTable,
    /// What external functions need.
    pub outside: ExternalData,
    /// Variables that the run-time sets.
    pub flags: RunTimeFlags,
    /// Equations with `homotopy`, for finding the start.
    pub continuations: Vec<Continuation>,
    /// Parameters that hold the start value of a state, with the state.
    pub starts: Vec<(VarId, VarId)>,
    /// Parameters of the source whose values cannot be changed any more, by their whole names.
    pub kept: Vec<(String, Kept)>,
    /// Parameters whose values decided something about the equations.
    pub decisive: EntitySet<VarId>,
}

/// Why a parameter keeps its value when a model has been compiled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// The reason, as the rest of a sentence about the parameter.
    pub reason: String,
    /// Where the value is needed.
    pub span: Span,
    /// Compiling again with another value helps.
    pub recompile: bool,
}

/// What a variable is to the equations.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// Simulation time.
    Time,
    /// Known before the run: a literal value, or computed from other parameters.
    Parameter,
    /// A parameter with `fixed = false`: an unknown of initialisation.
    FreeParameter,
    /// An input of the model without equation: known at all times.
    Input,
    /// A Real unknown at all times; derivatives too.
    Continuous,
    /// An unknown that changes only at events.
    Discrete,
    /// An event-generating relation: discrete, defined by `System::relations`.
    Relation,
    /// The value of a variable before the event.
    Pre(VarId),
    /// Set by the run-time: `initial()`, `terminal()`, an active sampler, a delayed value.
    External,
}

/// What a variable is for that no source declares and that is no derivative, `pre` value or start value of another.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Stands for an expression.
    Auxiliary,
    /// The run-time reads it: it keeps a slot of its own.
    RunTime,
    /// Stands for a value that nobody assigned, which no equation reads.
    NoValue,
}

/// What a user sees of it.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// Unit, or empty.
    pub unit: String,
    /// The unit in which it is to be shown, or empty.
    pub display_unit: String,
    /// Description.
    pub description: String,
}

/// A scalar quantity.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Full name, for people; nothing follows from how it is spelled.
    pub name: String,
    /// What it is for, if the compiler made it.
    pub made: Option<Purpose>,
    /// Real, Integer (also enumerations) or Boolean.
    pub ty: SlotType,
    /// What it is to the equations.
    pub role: Role,
    /// Start value, if written. For a parameter its binding.
    pub start: Option<ExprId>,
    /// The `fixed` attribute, if written.
    pub fixed: Option<bool>,
    /// The `nominal` attribute, if written and constant.
    pub nominal: Option<f64>,
    /// The `min` attribute, if written and constant.
    pub min: Option<f64>,
    /// The `max` attribute, if written and constant.
    pub max: Option<f64>,
    /// The `stateSelect` attribute.
    pub state_select: StateSelect,
    /// What a user sees of it.
    pub about: About,
    /// Its time derivative, if that is a variable.
    pub derivative: Option<VarId>,
    /// What it is the time derivative of.
    pub integral: Option<VarId>,
    /// Its `pre` value, if used.
    pub pre: Option<VarId>,
    /// Not shown in results.
    pub hidden: bool,
    /// Declared `protected`.
    pub protected: bool,
    /// A parameter that may be set without compiling again.
    pub settable: bool,
    /// The value of a parameter if nothing is set, when it is known.
    pub value: Option<f64>,
    /// Where it was declared.
    pub span: Span,
}

impl Variable {
    /// A variable without attributes.
    pub fn new(name: impl Into<String>, ty: SlotType, role: Role, span: Span) -> Variable {
        Variable {
            name: name.into(),
            made: None,
            ty,
            role,
            start: None,
            fixed: None,
            nominal: None,
            min: None,
            max: None,
            state_select: StateSelect::Default,
            derivative: None,
            integral: None,
            pre: None,
            hidden: false,
            protected: false,
            settable: false,
            value: None,
            span,
            about: About { unit: String::new(), display_unit: String::new(), description: String::new() },
        }
    }
}

/// Whether an equation holds continuously or assigns a discrete variable.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum EquationKind {
    /// A Real equation between continuous unknowns.
    Continuous,
    /// Assigns the discrete variable that stands alone on one side.
    Discrete,
    /// The definition of a `when` activation: at the start it is `true` only if the condition has `initial()`.
    Activation {
        /// Active during initialisation.
        at_start: bool,
    },
}

/// A scalar equation `lhs = rhs`.
#[derive(Copy, Clone, Debug)]
pub struct Equation {
    /// Left-hand side.
    pub lhs: ExprId,
    /// Right-hand side.
    pub rhs: ExprId,
    /// Continuous or discrete.
    pub kind: EquationKind,
    /// Where it came from.
    pub origin: Origin,
}

/// An equation whose actual form is `lhs = rhs`, and the form that goes over from the simplified to the actual model.
/// It belongs to the equations with these sides; where those were rewritten otherwise, it has no effect.
#[derive(Copy, Clone, Debug)]
pub struct Continuation {
    /// Left-hand side of the actual equation.
    pub lhs: ExprId,
    /// Right-hand side of the actual equation.
    pub rhs: ExprId,
    /// Left-hand side with the homotopy parameter.
    pub path_lhs: ExprId,
    /// Right-hand side with the homotopy parameter.
    pub path_rhs: ExprId,
}

/// Where an equation came from.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Written by the user.
    Source(Span),
    /// The time derivative of another equation, which was written at the span.
    Derivative(EqId, Span),
}

impl Origin {
    /// The place in the source.
    pub fn span(self) -> Span {
        match self {
            Origin::Source(span) | Origin::Derivative(_, span) => span,
        }
    }
}

/// An event-generating relation `lhs op rhs`.
#[derive(Copy, Clone, Debug)]
pub struct Relation {
    /// Its Boolean variable.
    pub var: VarId,
    /// The operator.
    pub op: Op2,
    /// Left operand.
    pub lhs: ExprId,
    /// Right operand.
    pub rhs: ExprId,
    /// When it changes, if that follows from values that change at events only.
    pub schedule: Option<Schedule>,
    /// The relation that is the other half of an equality.
    pub partner: Option<VarId>,
    /// Where it was written.
    pub span: Span,
}

/// When two sides that are affine in time are equal.
#[derive(Copy, Clone, Debug)]
pub struct Schedule {
    /// The time.
    pub at: ExprId,
    /// Positive where the left side grows against the right one, negative where it falls, zero if neither.
    pub slope: ExprId,
}

/// `sample(start, interval)`.
#[derive(Copy, Clone, Debug)]
pub struct Sampler {
    /// True during the event at a sample time.
    pub active: VarId,
    /// Parameter variable with the first sample time.
    pub start: VarId,
    /// Parameter variable with the interval.
    pub interval: VarId,
    /// Where it was written.
    pub span: Span,
}

/// `reinit(state, value)`.
#[derive(Copy, Clone, Debug)]
pub struct Reinit {
    /// When to do it.
    pub active: VarId,
    /// The variable with the new value.
    pub value: VarId,
    /// The state.
    pub state: VarId,
    /// Where it was written.
    pub span: Span,
}

/// `assert`, `terminate` or a message.
#[derive(Clone, Debug)]
pub struct Action {
    /// The Boolean variable that triggers it.
    pub trigger: VarId,
    /// What it does.
    pub kind: ActionKind,
    /// Its message.
    pub message: Vec<Text>,
    /// Where it was written.
    pub span: Span,
}

/// A piece of a message.
#[derive(Clone, Debug, PartialEq)]
pub enum Text {
    /// Literal.
    Literal(String),
    /// The value of a variable, and how it is shown.
    Value(VarId, Format),
    /// The first text where the variable is true, else the second.
    Either(VarId, Vec<Text>, Vec<Text>),
}

/// `delay(source, delay, max)`.
#[derive(Copy, Clone, Debug)]
pub struct Delay {
    /// The variable with the delayed expression.
    pub source: VarId,
    /// The variable with the delay time.
    pub delay: VarId,
    /// The parameter with the largest delay.
    pub max: VarId,
    /// The variable that receives the value.
    pub value: VarId,
    /// Where it was written.
    pub span: Span,
}

/// `spatialDistribution(...)`.
#[derive(Clone, Debug)]
pub struct Transport {
    /// The way the line has moved: a state.
    pub way: VarId,
    /// What enters at the left and at the right.
    pub enter: [VarId; 2],
    /// Receive the values at the left and at the right.
    pub leave: [VarId; 2],
    /// Places at the start, from 0 to 1.
    pub places: Vec<f64>,
    /// Their values.
    pub values: Vec<f64>,
    /// Where it was written.
    pub span: Span,
}

/// What a scalar variable costs until its equation is sorted, among the operations of `budget`.
const OPERATIONS_PER_VARIABLE: u64 = 15;

impl System {
    /// `time`, always the first variable.
    pub fn time(&self) -> VarId {
        VarId::new(0)
    }

    /// What a variable is the derivative of, of whatever order; the variable itself if it is none.
    pub fn integrand(&self, var: VarId) -> VarId {
        let mut of = var;
        while let Some(integral) = self.vars[of].integral {
            of = integral;
        }
        of
    }

    /// The derivative variable of `var`, made if it does not exist.
    pub fn derivative_of(&mut self, var: VarId) -> VarId {
        if let Some(der) = self.vars[var].derivative {
            return der;
        }
        let of = &self.vars[var];
        let mut der = Variable::new(format!("der({})", of.name), SlotType::Real, Role::Continuous, of.span);
        der.integral = Some(var);
        der.protected = of.protected;
        der.hidden = of.hidden;
        der.about.unit = if of.about.unit.is_empty() { String::new() } else { format!("{}/s", of.about.unit) };
        // Names of higher derivatives grow with their order.
        budget::spend(OPERATIONS_PER_VARIABLE + der.name.len() as u64 / 8);
        let id = self.vars.push(der);
        self.vars[var].derivative = Some(id);
        id
    }

    /// The `pre` variable of `var`, made if it does not exist.
    pub fn pre_of(&mut self, var: VarId) -> VarId {
        if let Some(pre) = self.vars[var].pre {
            return pre;
        }
        let of = &self.vars[var];
        let mut pre = Variable::new(format!("pre({})", of.name), of.ty, Role::Pre(var), of.span);
        pre.hidden = true;
        budget::spend(OPERATIONS_PER_VARIABLE);
        let id = self.vars.push(pre);
        self.vars[var].pre = Some(id);
        id
    }

    /// An unknown of the continuous equations (states are decided later).
    pub fn is_continuous(&self, var: VarId) -> bool {
        self.vars[var].role == Role::Continuous
    }

    /// Changes only at events and is an unknown there.
    pub fn is_discrete(&self, var: VarId) -> bool {
        matches!(self.vars[var].role, Role::Discrete | Role::Relation)
    }

    /// Evaluates a closed expression over parameters with known values; one that calls functions has no value here.
    pub fn constant_value(&self, expr: ExprId) -> Option<f64> {
        let unknown = std::cell::Cell::new(false);
        let no_value = || {
            unknown.set(true);
            f64::NAN
        };
        let value = crate::equations::expr::eval::eval_with(
            &self.arena,
            expr,
            &|var| self.vars[var].value.unwrap_or_else(no_value),
            &mut |_, _, _| no_value(),
        );
        (!unknown.get()).then_some(value)
    }

    /// Like `constant_value`; the value decides something about the equations, so that the parameters it is made of keep theirs.
    pub fn decided_value(&mut self, expr: ExprId) -> Option<f64> {
        if let Some(value) = self.arena.as_constant(expr) {
            return Some(value);
        }
        let value = self.constant_value(expr)?;
        for var in crate::equations::expr::subst::variables(&self.arena, expr) {
            self.decisive.insert(var);
        }
        Some(value)
    }

    /// Parameters whose values decided something about the equations, and those that these follow from.
    pub fn all_decisive(&self) -> EntitySet<VarId> {
        let mut found = EntitySet::new();
        let mut work: Vec<VarId> = self.decisive.keys().collect();
        while let Some(var) = work.pop() {
            if found.insert(var)
                && let (Role::Parameter, Some(binding)) = (self.vars[var].role, self.vars[var].start)
            {
                work.extend(crate::equations::expr::subst::variables(&self.arena, binding));
            }
        }
        found
    }
}
