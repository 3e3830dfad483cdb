//! The plan of a compiled model: which kernels run in which order, where values lie, what to solve. Data only.
//!
//! All values live in one array of doubles, the memory; a slot is an index into it. Slot 0 is time. A *kernel* is a piece
//! of straight-line code that reads and writes slots; a *block* is a set of equations solved together by Newton's method.
//! A *schedule* is kernels and blocks in an order in which every value is computed before it is used.
//!
//! Tangents: every kernel of a schedule that is differentiated has a tangent kernel that works on the memory and on a
//! tangent buffer of the same layout, the tangents: it writes the tangent of each slot the kernel writes.

mod ids;
mod interface;

pub use crate::base::error::Label;
pub use crate::base::format::SlotType;
pub use crate::linear::pattern::Pattern;
pub use ids::{BlockId, KernelId, RelationId, Slot};
pub use interface::{Bound, Input, Kept, Setting, Signal, SignalSource};

use crate::base::format::Format;
use crate::base::permissions::Permissions;
use crate::base::text::TextPiece;
use crate::model::closed_form::Chain;
use cranelift_entity::PrimaryMap;
use serde::{Deserialize, Serialize};

/// One step of a schedule.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Step {
    /// Run a kernel. Its tangent kernel is `Plan::tangent_of`.
    Kernel(KernelId),
    /// Solve a block.
    Block(BlockId),
}

/// Steps in dependency order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schedule {
    /// In order.
    pub steps: Vec<Step>,
    /// Where the steps meet values that may be not a number.
    #[serde(default)]
    pub sites: Vec<Site>,
}

/// A value that something is decided by: an operand of a relation, `min` or `max`, or an element at a computed subscript. Where it is not
/// a number and the point stands, the run fails.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Site {
    /// Holds what is not a number if the value is not a number, whether it is needed or not.
    pub seen: Slot,
    /// The kernel to run then, on a copy of the memory, to see whether it is needed; nothing if `seen` says that already.
    pub exact: Option<KernelId>,
    /// Where that kernel puts what is not a number if the value is needed.
    pub slot: Slot,
    /// What to say, and where.
    pub label: Label,
    /// For an element at a computed subscript: the slot of the subscript and the size of the array; `label` has the subscript as text.
    pub subscript: Option<(Slot, u32)>,
}

/// How a block is solved.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BlockKind {
    /// Residuals are affine in the unknowns: one Newton step is exact.
    Linear,
    /// Newton's method.
    Nonlinear,
}

/// A system of equations solved together. Given the iteration unknowns, the residual kernel computes the inner (torn)
/// variables and writes the residuals.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Block {
    /// Linear or not.
    pub kind: BlockKind,
    /// Slots of the iteration unknowns.
    pub unknowns: Vec<Slot>,
    /// Slots that receive the residuals, as many as unknowns.
    pub residuals: Vec<Slot>,
    /// Computes inner variables and residuals.
    pub residual: KernelId,
    /// Tangents of inner variables and residuals from the tangents of all they depend on, the unknowns included.
    pub tangent: KernelId,
    /// The same from the tangents of the unknowns alone: all that the block's own Jacobian needs. `tangent` serves where there is none.
    #[serde(default)]
    pub jacobian_product: Option<KernelId>,
    /// Computes what `slopes` reads that does not depend on the tangents; runs once before it is run in several directions.
    #[serde(default)]
    pub linearisation: Option<KernelId>,
    /// The block is linear, and its coefficients change at events only.
    #[serde(default)]
    pub frozen: bool,
    /// What is declared about the sizes of the unknowns.
    pub declared: Vec<Declared>,
    /// Relations computed inside the block when it is part of an event schedule: frozen, solved, evaluated again.
    pub relations: Vec<RelationId>,
    /// Computes the live values of the block's relations from solved unknowns, for mixed blocks.
    pub relation_values: Option<KernelId>,
    /// Writes the difference of the two sides of each of `relations` to the tangent buffer, for mixed blocks.
    pub margins: Option<KernelId>,
    /// Computes the block's other discrete unknowns from solved unknowns and relations, for mixed blocks.
    pub discrete: Option<KernelId>,
    /// Slots that `relation_values` and `discrete` write.
    pub discrete_slots: Vec<Slot>,
    /// Where the solutions are found without iterating.
    #[serde(default)]
    pub closed: Option<ClosedForm>,
    /// The number of equations before tearing.
    pub size: usize,
    /// For messages: what each residual is, with its source line.
    pub equations: Vec<Label>,
}

/// Where the solutions of a block are found without iterating.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClosedForm {
    /// Writes the coefficients of all chains of all branches to the second array, in order.
    pub coefficients: KernelId,
    /// How many these are.
    pub n_coefficients: usize,
    /// Each solution is one of a branch.
    pub branches: Vec<Branch>,
    /// Formulas give the roots. Otherwise they are searched, which costs more than Newton's method where that works.
    pub is_direct: bool,
}

/// Solutions that follow from the roots of one unknown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Branch {
    /// The unknown of the chains, as a position among those of the block.
    pub unknown: usize,
    /// It solves the block where one of these vanishes.
    pub chains: Vec<Chain>,
    /// What the other unknowns are then.
    pub others: Option<Others>,
}

/// Unknowns that follow from another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Others {
    /// Writes their values to the second array, where the root is the value of its unknown.
    pub kernel: KernelId,
    /// Their positions among the unknowns of the block.
    pub unknowns: Vec<usize>,
}

/// An initial equation that was not needed to find the start.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct InitialCheck {
    /// The equation.
    pub label: Label,
    /// Initial equations that determine the same unknowns, a few of them.
    pub competing: Vec<Label>,
}

/// What is declared about the size of a quantity.
#[derive(Copy, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Declared {
    /// The `nominal` attribute, if written.
    pub nominal: Option<f64>,
    /// The size that the start value or, if that is zero, the bounds tell.
    pub expected: Option<f64>,
}

impl Declared {
    /// A size to begin with, as long as nothing is known: the nominal value, an expected size below one, or one.
    pub fn size(&self) -> f64 {
        self.size_or(1.0)
    }

    /// The same where quantities of which nothing is declared have another size than one.
    pub fn size_or(&self, usual: f64) -> f64 {
        self.nominal.or(self.expected.filter(|expected| *expected < 1.0)).unwrap_or(usual)
    }
}

/// A continuous state.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct State {
    /// Where its value lies.
    pub slot: Slot,
    /// Where its derivative lies.
    pub der: Slot,
    /// What is declared about its size.
    pub declared: Declared,
    /// Its name.
    pub name: String,
}

/// Unknowns of which some are states; a run may choose others when the constraints between them no longer determine the rest.
///
/// The blocks of a set compute their residuals from the values of all candidates, so that a choice is nothing but which
/// slots are integrated and which are solved for.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DynamicStateSet {
    /// The unknowns that can be states.
    pub candidates: Vec<State>,
    /// The positions in `Plan::states` of those that are; the same whatever is chosen.
    pub states: Vec<usize>,
    /// The blocks that solve for the candidates that are no states, the one of `Plan::derivatives` first.
    pub blocks: Vec<BlockId>,
}

/// What makes a relation change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RelationKind {
    /// A zero crossing of a function of the states: `Plan::crossings` writes its value at this position.
    State,
    /// A threshold in time that changes only at events: `Plan::thresholds` writes the time at this position.
    Time,
    /// Both: half of an equality with time.
    Both,
}

/// The two sides of a relation.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sides {
    /// The numbers of the two expressions among all, the smaller one first: equal numbers are equal expressions.
    pub expressions: (u32, u32),
    /// One of them is the time itself.
    pub of_time: bool,
}

impl Sides {
    /// Whether rounding cannot make two relations change one after the other: they compare the same, or both the time itself.
    pub fn change_together(&self, other: &Sides) -> bool {
        self.of_time && other.of_time || self.expressions == other.expressions
    }
}

/// An event-generating relation. Its Boolean value lies in `slot` and is frozen between events.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Relation {
    /// Where its value lies.
    pub slot: Slot,
    /// What makes it change.
    pub kind: RelationKind,
    /// Where the event schedule finds the distance of the two sides within which the relation keeps its value; negative for none.
    #[serde(default)]
    pub hysteresis: Option<Slot>,
    /// The other half, if this is one of an equality: `a == b` is `a >= b and a <= b`.
    #[serde(default)]
    pub partner: Option<RelationId>,
    /// What it compares.
    #[serde(default)]
    pub sides: Sides,
    /// For messages.
    pub label: Label,
}

/// A value that is remembered from before an event.
#[derive(Copy, Clone, Debug, Serialize, Deserialize)]
pub struct PreSlot {
    /// The current value.
    pub current: Slot,
    /// The value before the event.
    pub pre: Slot,
    /// The current value changes between events too: its left limit is taken when an event begins.
    pub continuous: bool,
}

/// `sample(start, interval)`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Sampler {
    /// True exactly during the event at a sample time.
    pub active: Slot,
    /// Slot with the first sample time.
    pub start: Slot,
    /// Slot with the interval.
    pub interval: Slot,
    /// For messages.
    pub label: Label,
}

/// `reinit(x, e)` inside a `when`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Reinit {
    /// True when it is to be done.
    pub active: Slot,
    /// The new value.
    pub value: Slot,
    /// The state's slot.
    pub state: Slot,
    /// For messages.
    pub label: Label,
}

/// `assert` or `terminate`: acts when `trigger` is true.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Action {
    /// True when it is to be done.
    pub trigger: Slot,
    /// What to do.
    pub kind: ActionKind,
    /// Literal text and slots whose values are put in, in order.
    pub message: Vec<MessagePart>,
    /// Some of the values that the condition depends on, for messages.
    #[serde(default)]
    pub condition: Vec<Slot>,
    /// For messages.
    pub label: Label,
}

/// The effect of an action.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "each variant is what it says")]
pub enum ActionKind {
    AssertError,
    AssertWarning,
    Terminate,
    Print,
}

/// A piece of a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MessagePart {
    /// Literal text.
    Text(String),
    /// The value of a slot.
    Value(Slot, Format),
    /// The negative of the value of a slot.
    Opposite(Slot, Format),
    /// The first text where the slot is true, else the second.
    Either(Slot, Vec<MessagePart>, Vec<MessagePart>),
}

/// `delay(e, d)`: `value` is the value that `source` had `delay` ago.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Delay {
    /// Slot of the delayed expression.
    pub source: Slot,
    /// Slot of the delay time.
    pub delay: Slot,
    /// Slot of the largest delay time.
    pub max: Slot,
    /// Slot that receives the value.
    pub value: Slot,
}

/// `spatialDistribution(in0, in1, x, ...)`: `left` and `right` are the values at the ends of a line that has moved by `way`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Transport {
    /// Slot of the way, a state.
    pub way: Slot,
    /// Slots of the values that enter at the left and at the right.
    pub enter: [Slot; 2],
    /// Slots that receive the values at the left and at the right.
    pub leave: [Slot; 2],
    /// Places on the line at the start, from 0 to 1.
    pub places: Vec<f64>,
    /// Their values.
    pub values: Vec<f64>,
}

/// An external object, made before a run begins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ObjectSpec {
    /// The name of the C function that makes it.
    pub constructor: String,
    /// The arguments of that function in its order.
    pub arguments: Vec<Argument>,
    /// The name of the object in the model.
    pub name: String,
}

/// A function that computes the derivatives of some states and nothing that these do not need.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Positions in `Plan::states`, ascending.
    pub states: Vec<usize>,
    /// The states that the function reads, ascending, by their positions.
    pub reads: Vec<usize>,
    /// Time, the states in `reads` and frozen discrete values to the derivatives of `states`.
    pub derivatives: Schedule,
    /// Pattern of the derivatives of `states` by `states`, if that Jacobian is wanted: the kernels then have tangents.
    pub jacobian: Option<Pattern>,
}

/// All that the derivatives need, in pieces of which any set can be run: those that some derivatives need, in order.
///
/// Pieces do not depend on later ones. What lies in a piece and is read by no other piece is not known outside of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cells {
    /// The cells in order, neighbours that are iterations of one loop together.
    pub families: Vec<CellFamily>,
    /// Where the needs of each cell begin in `needs`, and the end.
    pub need_starts: Vec<u32>,
    /// The cells that a cell reads from, all of them earlier ones.
    pub needs: Vec<u32>,
    /// The cell that computes the derivative of a state; none for one that is a state itself.
    pub of_state: Vec<Option<u32>>,
    /// Holds the first iteration that a loop of cells is to run.
    pub first: Option<Slot>,
    /// Holds the round behind the last one.
    pub end: Option<Slot>,
}

/// How the states fall apart: a head, and parts that do not act back on it nor on each other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cascade {
    /// The part of each state; 0 is the head, which has all that events need. It may be empty.
    pub part_of: Vec<u32>,
    /// Parts beside the head.
    pub n_parts: u32,
    /// Derivatives that read what the head or events change, but are not the head's.
    pub is_edge: Vec<bool>,
}

/// Neighbouring cells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellFamily {
    /// The number of the first cell.
    pub first: u32,
    /// How many cells there are: one, or the iterations of a loop whose bounds lie in the memory.
    pub iterations: u32,
    /// Assignments, and what the block needs.
    pub kernel: Option<KernelId>,
    /// The block that is solved behind them.
    pub block: Option<BlockId>,
}

/// The initial system, completed by other start values than those of the first choice.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AlternativeInitialisation {
    /// Everything from parameters and start values.
    pub schedule: Schedule,
    /// Names of what takes its start value here only.
    pub taken: Vec<String>,
    /// Names of what does so in the first choice only.
    pub left: Vec<String>,
}

/// A nonlinear system of the start, some of whose unknowns have given start values.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ByStarts {
    /// The block of `Plan::initial`.
    pub block: BlockId,
    /// The same equations, iterating on all unknowns with given start values; `block` itself where it does so.
    pub form: BlockId,
    /// Which unknowns of `form` have given start values.
    pub given: Vec<bool>,
}

/// What lies in the memory.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct MemoryPlan {
    /// The size of the memory.
    pub n_slots: usize,
    /// Values put into the memory before anything runs (constants, defaults of settings, starts).
    pub initial_memory: Vec<(Slot, f64)>,
    /// Names of slots for messages; slots without a name are temporaries.
    pub slot_names: Vec<(Slot, String)>,
    /// Slots that hold no value because nobody assigned one, which no equation reads; ascending.
    #[serde(default)]
    pub without_value: Vec<Slot>,
    /// Byte ranges of the equations that slots are computed from, in the order in which schedules compute them, for messages.
    pub slot_spans: Vec<(Slot, (u32, u32))>,
}

/// How the start is found.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct StartPlan {
    /// Parameters that follow from others, and start values that are expressions.
    pub parameters: Schedule,
    /// The initial system: everything from parameters and start values.
    pub initial: Schedule,
    /// The same, iterating on states, for where `initial` finds no solution.
    #[serde(default)]
    pub initial_by_states: Option<Schedule>,
    /// Which blocks of `initial` have given start values that choose among their solutions.
    #[serde(default)]
    pub by_starts: Vec<ByStarts>,
    /// The same from other start values than those that complete `initial`, for where that has no solution.
    #[serde(default)]
    pub initial_alternatives: Vec<AlternativeInitialisation>,
    /// The initial system with `homotopy` between its simplified (0) and its actual (1) argument; the actual one is `initial`.
    #[serde(default)]
    pub initial_homotopy: Option<Schedule>,
    /// Initial equations that were not needed to find the start and must hold there all the same.
    #[serde(default)]
    pub initial_checks: Vec<InitialCheck>,
    /// Writes the left and the right side of every initial check, in order, to `out`.
    #[serde(default)]
    pub initial_check: Option<KernelId>,
    /// Slot of the homotopy parameter (1 = the actual model), if the model uses `homotopy`.
    pub homotopy: Option<Slot>,
    /// Slot of `initial()`, if used.
    pub initial_flag: Option<Slot>,
}

/// What happens at events.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct EventPlan {
    /// Slot of `terminal()`, if used.
    pub terminal_flag: Option<Slot>,
    /// The whole model with live relations and discrete equations.
    pub event: Schedule,
    /// The time that `Time` relations and integer parts of time see in `event`: a relation like `time > T` changes just after its threshold.
    #[serde(default)]
    pub event_time: Option<Slot>,
    /// Event-generating relations.
    pub relations: PrimaryMap<RelationId, Relation>,
    /// Values with a `pre`.
    pub pre: Vec<PreSlot>,
    /// Values without a `pre` that change at events only, such as integer parts.
    pub discrete: Vec<Slot>,
    /// Samplers.
    pub samplers: Vec<Sampler>,
    /// Reinitialisations.
    pub reinits: Vec<Reinit>,
    /// Asserts and terminates. Triggers are computed by `outputs`/`event`/`initial`.
    pub actions: Vec<Action>,
    /// Integer variables that change at events.
    pub integers: Vec<Slot>,
}

/// The derivatives in parts.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct PiecesPlan {
    /// Functions for the derivatives of some of the states, for methods that treat states differently.
    #[serde(default)]
    pub parts: Vec<Part>,
    /// The derivatives in pieces, if any subset of them is to be computed.
    #[serde(default)]
    pub cells: Option<Cells>,
    /// How the states fall apart, where parts of them are to have steps of their own.
    #[serde(default)]
    pub cascade: Option<Cascade>,
}

/// Where relations change between events.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct CrossingPlan {
    /// Runs after `derivatives` (not `outputs`): values that `crossings` needs.
    pub before_crossings: Schedule,
    /// Writes the crossing function of every `State` relation, in relation order, to `out`:
    /// positive where the relation is true.
    pub crossings: Option<KernelId>,
    /// Where `crossings` meets values that may be not a number.
    #[serde(default)]
    pub crossing_sites: Vec<Site>,
    /// Writes the absolute value of the larger side of every `State` relation, in relation order, to `out`.
    #[serde(default)]
    pub crossing_sizes: Option<KernelId>,
    /// Writes the live value of every relation, in order, to `out`; runs after `derivatives` and `before_crossings`.
    #[serde(default)]
    pub relation_values: Option<KernelId>,
    /// Functions whose signs choose between branches of the derivatives without events, for messages.
    #[serde(default)]
    pub switches: Vec<Label>,
    /// Writes these functions, in order, to `out`; runs after `derivatives`.
    #[serde(default)]
    pub switch_values: Option<KernelId>,
    /// Where `relation_values` meets values that may be not a number.
    #[serde(default)]
    pub relation_sites: Vec<Site>,
    /// Writes the threshold of every `Time` relation, in relation order, to `out`.
    pub thresholds: Option<KernelId>,
}

/// What depends on earlier times.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct PastPlan {
    /// Delays.
    pub delays: Vec<Delay>,
    /// Lines along which something moves.
    pub transports: Vec<Transport>,
}

/// What a user sees and may set.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct InterfacePlan {
    /// Results in order; `time` is not among them.
    pub signals: Vec<Signal>,
    /// Results that are to stay within bounds.
    #[serde(default)]
    pub bounds: Vec<Bound>,
    /// What `--set` may change.
    pub settings: Vec<Setting>,
    /// Quantities that come from outside.
    #[serde(default)]
    pub inputs: Vec<Input>,
    /// Parameters whose values cannot be changed any more, with the reasons.
    pub kept: Vec<Kept>,
}

/// What native functions need.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct OutsidePlan {
    /// External objects; native functions get their positions here.
    pub objects: Vec<ObjectSpec>,
    /// Strings in calls of native functions, which get their positions here.
    pub strings: Vec<String>,
    /// Texts with values that functions print; native functions get their positions.
    pub texts: Vec<Vec<TextPiece>>,
    /// The files that a run may touch.
    pub files: Permissions,
}

/// The whole plan.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Plan {
    /// The model's name.
    pub name: String,
    /// What lies in the memory.
    pub memory: MemoryPlan,
    /// Tangent kernels by kernel.
    pub tangent_of: Vec<(KernelId, KernelId)>,
    /// Blocks.
    pub blocks: PrimaryMap<BlockId, Block>,
    /// Which residuals of a block depend on which unknowns; a block without an entry counts as full. Worth giving for
    /// blocks of more than about ten unknowns.
    #[serde(default)]
    pub block_patterns: Vec<(BlockId, Pattern)>,
    /// Continuous states in order.
    pub states: Vec<State>,
    /// Choices of states that may change.
    #[serde(default)]
    pub state_sets: Vec<DynamicStateSet>,
    /// How the start is found.
    pub start: StartPlan,
    /// What happens at events.
    pub events: EventPlan,
    /// Time, states and frozen discrete values to derivatives.
    pub derivatives: Schedule,
    /// The derivatives in parts.
    pub pieces: PiecesPlan,
    /// What the others leave out and results show; runs after `derivatives` and `before_crossings`.
    pub outputs: Schedule,
    /// Where relations change between events.
    pub crossing: CrossingPlan,
    /// What depends on earlier times.
    pub past: PastPlan,
    /// Pattern of the Jacobian of derivatives by states.
    pub jacobian: Pattern,
    /// What a user sees and may set.
    pub interface: InterfacePlan,
    /// What native functions need.
    pub outside: OutsidePlan,
}

/// An argument of the constructor of an external object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Argument {
    /// A String.
    Text(String),
    /// A scalar (no dimensions) or an array, row by row.
    Numbers {
        /// The lengths of the dimensions.
        dims: Vec<usize>,
        /// The elements.
        values: Vec<f64>,
    },
}
