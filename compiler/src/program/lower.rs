//! Lowers sorted problems to a `Program`: slots, kernels of straight-line code and the plan that runs them.
//!
//! Input: the index-1 system and its sorted problems. Output: `Program`. Variables lie where `layout` says; residuals of
//! torn systems get slots behind them. Neighbouring assignments form one kernel; each kernel that the Jacobian needs has a
//! tangent kernel. The simulation problem is split by what derivatives, crossings and results need, so that each function is
//! dependency-closed.
//! Cost: linear in the size of the solved expressions.

mod cells;
mod noted;
mod relations;
mod residual_pattern;
mod services;
mod starts;
mod switches;

use crate::base::ids::{ExprId, VarId, set_of};
use crate::equations::dae::incidence::Problem;
use crate::equations::dae::text::expression_text;
use crate::equations::dae::{Kept, Role, System};
use crate::equations::expr;
use crate::equations::function::table::FnTable;
use crate::program::cascade;
use crate::program::code::{Code, Instr};
use crate::program::emit::Emitter;
use crate::program::invariant::invariant_parts;
use crate::program::layout::Layout;
use crate::program::linearisation::split_linearisation;
use crate::program::needs::{self, Level, Needs};
use crate::program::tangent::{Prepared, tangent};
use crate::program::verify::verify;
use crate::sorting::sorted::{Sorted, Sorting};
use crate::sorting::tearing::{Assignment, Branch, ClosedForm, TornBlock, TornStep};
use crate::structure::incidence::Row;
use crate::transform::alias::{Alias, AliasMap};
use cranelift_entity::{EntityRef, EntitySet, PrimaryMap, SecondaryMap};
use partita_grammar::{Diagnostic, Span};
use partita_runtime::base::math::Op2;
use partita_runtime::model::closed_form::Chain;
use partita_runtime::model::plan::{
    self, Block, BlockId, BlockKind, Declared, InitialCheck, KernelId, Label, Part, Plan, RelationId, Schedule, Setting, Site, Slot, State,
    Step,
};
use residual_pattern::residual_pattern;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Code and the plan that runs it.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Where values lie and what runs when.
    pub plan: Plan,
    /// The code of every kernel.
    pub codes: PrimaryMap<KernelId, Code>,
    /// Kernels that run at every step or event, not only once: worth machine code.
    pub hot: Vec<KernelId>,
    /// Functions the kernels call.
    pub functions: FnTable,
    /// Where the equation of a slot's value came from, for messages.
    pub span_of: SecondaryMap<Slot, Option<Span>>,
}

impl Program {
    /// What is wrong with the code of its kernels. Cost: linear.
    pub fn verify(&self) -> Vec<String> {
        let check =
            |(kernel, code)| verify(code, &self.functions, Some(self.plan.memory.n_slots)).err().map(|wrong| format!("{kernel}: {wrong}"));
        self.codes.iter().filter_map(check).collect()
    }
}

/// States whose derivatives are to have a function of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartSpec {
    /// Positions in [`Sorting::states`], ascending.
    pub states: Vec<usize>,
    /// The Jacobian of these derivatives by these states is wanted as well.
    pub jacobian: bool,
}

/// Lowers a sorted system.
pub fn lower(sys: &mut System, sorting: &Sorting, aliases: &AliasMap) -> Result<Program, Vec<Diagnostic>> {
    lower_parts(sys, sorting, aliases, &[], Subsets::None)
}

/// Which subsets of the derivatives a run may compute.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Subsets {
    /// None.
    #[default]
    None,
    /// Any.
    Any,
    /// Any, if the states fall apart into a head and parts beside it.
    OfCascades,
}

/// Lowers a sorted system, with a function for the derivatives of each of `parts`, and with cells where subsets are to be computed.
pub fn lower_parts(
    sys: &mut System,
    sorting: &Sorting,
    aliases: &AliasMap,
    parts: &[PartSpec],
    subsets: Subsets,
) -> Result<Program, Vec<Diagnostic>> {
    let layout = Rc::new(Layout::new(sys.vars.len(), &sorting.states));
    let mut builder = Builder {
        program: Program::default(),
        next_slot: layout.n_slots(),
        layout,
        errors: Vec::new(),
        relation_of: SecondaryMap::with_default(None),
        set_of: SecondaryMap::with_default(None),
        live: Vec::new(),
        between_events: false,
        prepared: SecondaryMap::new(),
        is_state: EntitySet::new(),
        has_started: false,
        optional: FxHashSet::default(),
        sites: Some(Vec::new()),
    };
    for (i, relation) in sys.relations.iter().enumerate() {
        builder.relation_of[relation.var] = Some(RelationId::new(i));
    }
    builder.program.plan.name = sys.name.clone();
    // Functions without a derivative matter only where one is needed; `tangent` says so then.
    sys.functions.derive_all();
    builder.program.functions = sys.functions.clone();
    builder.program.plan.outside.objects = sys.outside.objects.clone();
    builder.program.plan.outside.strings = sys.outside.strings.clone();
    builder.program.plan.outside.texts = sys.outside.texts.clone();
    builder.values(sys, aliases);
    builder.program.plan.start.parameters = builder.schedule(sys, &sorting.parameters, &|_| true, Use::Once);
    builder.start_values(sys, aliases);
    builder.program.plan.start.initial = builder.schedule(sys, &sorting.initial, &|_| true, Use::Once);
    builder.by_starts(sys, sorting);
    builder.program.plan.start.initial_by_states =
        sorting.initial_by_states.as_ref().map(|sorted| builder.schedule(sys, sorted, &|_| true, Use::Once));
    builder.alternatives(sys, sorting);
    builder.program.plan.start.initial_homotopy =
        sorting.initial_homotopy.as_ref().map(|sorted| builder.schedule(sys, sorted, &|_| true, Use::Once));
    builder.initial_checks(sys, sorting);
    builder.state_sets(sys, sorting);
    builder.has_started = true;
    builder.is_state = set_of(sorting.states.iter().map(|(x, _)| *x).filter(|x| builder.set_of[*x].is_none()));
    let needs = Needs::of(sys, sorting);
    builder.between_events = true;
    let plan_derivatives = builder.schedule(sys, &sorting.simulation, &|step| needs.level[step] == Level::Derivatives, Use::Differentiated);
    builder.program.plan.derivatives = plan_derivatives;
    for spec in parts {
        let part = builder.part(sys, sorting, &needs, spec);
        builder.program.plan.pieces.parts.push(part);
    }
    if subsets == Subsets::OfCascades {
        builder.program.plan.pieces.cascade = cascade::find(sys, sorting, &needs);
    }
    if subsets == Subsets::Any || builder.program.plan.pieces.cascade.is_some() {
        builder.program.plan.pieces.cells = builder.cells(sys, sorting, &needs);
    }
    builder.program.plan.crossing.before_crossings =
        builder.schedule(sys, &sorting.simulation, &|step| needs.level[step] == Level::Crossings, Use::Often);
    builder.program.plan.outputs = builder.schedule(sys, &sorting.simulation, &|step| needs.level[step] == Level::Outputs, Use::Often);
    builder.between_events = false;
    // Without anything that makes events the schedule runs once, at the start: not worth machine code.
    let has_events = !(sys.relations.is_empty() && sys.samplers.is_empty() && sys.delays.is_empty());
    builder.live = builder.live_relations(sys);
    builder.program.plan.events.event = builder.schedule(sys, &sorting.event, &|_| true, if has_events { Use::Often } else { Use::Once });
    let live = std::mem::take(&mut builder.live);
    builder.switches(sys, sorting, &needs.level);
    builder.program.plan.jacobian = needs.jacobian;
    builder.relations(sys, &live);
    builder.services(sys, sorting, aliases);
    builder.program.plan.memory.n_slots = builder.next_slot;
    if builder.errors.is_empty() { Ok(builder.program) } else { Err(builder.errors) }
}

/// How often a schedule runs.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Use {
    /// At the start only.
    Once,
    /// At every point or event.
    Often,
    /// At every point, and its tangents are needed.
    Differentiated,
}

struct Builder {
    program: Program,
    /// Shared, because code is emitted while the rest of this changes.
    layout: Rc<Layout>,
    next_slot: usize,
    errors: Vec<Diagnostic>,
    relation_of: SecondaryMap<VarId, Option<RelationId>>,
    /// The state set of an unknown, known once the start is lowered: the start knows no states.
    set_of: SecondaryMap<VarId, Option<usize>>,
    /// While events are lowered, how every relation is evaluated.
    live: Vec<relations::Live>,
    /// What is lowered runs between events, where discrete values stand.
    between_events: bool,
    /// What is computed before a block because it does not depend on its unknowns.
    prepared: SecondaryMap<BlockId, Vec<(Slot, ExprId)>>,
    /// The states whose choice stands.
    is_state: EntitySet<VarId>,
    /// The start is lowered: parameters are known from here on.
    has_started: bool,
    /// Slots of what is computed before a block although only a branch of its equations needs it.
    optional: FxHashSet<Slot>,
    /// Sites of the schedule being lowered; nothing where none are wanted.
    sites: Option<Vec<Site>>,
}

/// A state and its derivative as the run sees them.
fn state(sys: &System, layout: &Layout, x: VarId, dx: VarId) -> State {
    State { slot: layout.slot(x), der: layout.slot(dx), declared: declared(sys, x), name: sys.vars[x].name.clone() }
}

/// What is declared about the size of a variable. A start value of zero tells nothing, and neither does one bound alone.
fn declared(sys: &System, v: VarId) -> Declared {
    let var = &sys.vars[v];
    let size = |value: f64| Some(value.abs()).filter(|size| *size > 0.0 && size.is_finite());
    let start = var.start.and_then(|e| sys.arena.as_constant(e)).and_then(size);
    let bounds = var.min.zip(var.max).and_then(|(min, max)| size(min.abs().max(max.abs())));
    Declared { nominal: var.nominal, expected: start.or(bounds) }
}

fn label(text: String, span: Span) -> Label {
    Label { text, span: (span.start, span.end) }
}

impl Builder {
    fn new_slot(&mut self) -> Slot {
        self.next_slot += 1;
        Slot::new(self.next_slot - 1)
    }

    fn kernel(&mut self, code: Code, how: Use) -> KernelId {
        let id = self.program.codes.push(code);
        if how != Use::Once {
            self.program.hot.push(id);
        }
        id
    }

    /// Straight-line code of assignments.
    fn assignments(&mut self, sys: &System, list: &[(Slot, ExprId)], how: Use) -> KernelId {
        self.assignments_after(sys, &[], list, how)
    }

    /// The same behind code that has computed what is prepared.
    fn assignments_after(&mut self, sys: &System, prepared: &[(Slot, ExprId)], list: &[(Slot, ExprId)], how: Use) -> KernelId {
        let layout = self.layout.clone();
        let slot_of = |var| layout.slot(var);
        let mut emitter = Emitter::new(&sys.arena, &slot_of);
        for (slot, value) in prepared {
            emitter.assume_stored(*value, *slot);
        }
        for (slot, value) in list {
            let relation = layout.var(*slot).and_then(|var| self.relation_of[var]);
            match relation.and_then(|id| Some((id, *self.live.get(id.index())?))) {
                Some((id, live)) => {
                    let relation = &sys.relations[id.index()];
                    let now = self.live_relation(&mut emitter, relation, live, *slot);
                    emitter.store_value(*slot, now);
                }
                None => emitter.store(*slot, *value),
            }
        }
        self.noted(sys, emitter, how)
    }

    fn tangent(
        &mut self,
        sys: &System,
        list: &[(Slot, ExprId)],
        prepared: Prepared<'_>,
        active: &dyn Fn(VarId) -> bool,
        span: Span,
        how: Use,
    ) -> KernelId {
        let layout = self.layout.clone();
        match tangent(&sys.arena, list, prepared, &|var| layout.slot(var), active, &self.program.functions) {
            Ok(code) => self.kernel(code, how),
            Err(error) => {
                self.errors
                    .push(Diagnostic::error("G001", format!("no derivative can be formed: {error}")).at(span, "needed for this equation"));
                self.kernel(Code::default(), how)
            }
        }
    }

    /// The steps of a sorted problem that `take` admits, as kernels and blocks.
    fn schedule(&mut self, sys: &System, sorted: &Sorted, take: &dyn Fn(usize) -> bool, how: Use) -> Schedule {
        let mut schedule = Schedule::default();
        let mut run: Vec<Assignment> = Vec::new();
        for (i, step) in sorted.torn.steps.iter().enumerate() {
            if !take(i) {
                continue;
            }
            match step {
                TornStep::Assign(assignment) => run.push(*assignment),
                TornStep::Solve(block) => {
                    let prepared = self.invariant(sys, block);
                    self.flush(sys, &mut run, &prepared, &mut schedule, how);
                    let lowered = self.block(sys, &sorted.problem, block, &prepared, how);
                    let id = self.program.plan.blocks.push(lowered);
                    self.prepared[id] = prepared;
                    let mut sets: Vec<usize> = block.iteration.iter().filter_map(|a| self.set_of[a.var]).collect();
                    sets.sort_unstable();
                    sets.dedup();
                    for set in &sets {
                        self.program.plan.state_sets[*set].blocks.push(id);
                    }
                    // The unknowns of such a block change, and its pattern with them.
                    if sets.is_empty()
                        && let Some(pattern) = residual_pattern(sys, block)
                    {
                        self.program.plan.block_patterns.push((id, pattern));
                    }
                    schedule.steps.push(Step::Block(id));
                }
            }
        }
        self.flush(sys, &mut run, &[], &mut schedule, how);
        schedule.sites = self.take_sites();
        schedule
    }

    /// The function for the derivatives of some states: the steps they need, in kernels of their own. Systems of equations are
    /// those of `derivatives`, so that a solution found by one function is the guess of the other.
    fn part(&mut self, sys: &System, sorting: &Sorting, needs: &Needs, spec: &PartSpec) -> Part {
        let how = if spec.jacobian { Use::Differentiated } else { Use::Often };
        let wanted = needs::closure(sys, sorting, &spec.states);
        // Points that stand are evaluated as a whole.
        let sites = self.sites.take();
        let shared = self.program.plan.derivatives.steps.iter().filter_map(|step| match step {
            Step::Block(block) => Some(*block),
            Step::Kernel(_) => None,
        });
        let mut shared: std::vec::IntoIter<_> = shared.collect::<Vec<_>>().into_iter();
        let mut schedule = Schedule::default();
        let mut run: Vec<Assignment> = Vec::new();
        for (i, step) in sorting.simulation.torn.steps.iter().enumerate() {
            if needs.level[i] != Level::Derivatives {
                continue;
            }
            match step {
                TornStep::Assign(assignment) if wanted[i] => run.push(*assignment),
                TornStep::Assign(_) => {}
                TornStep::Solve(_) => {
                    // The systems of `derivatives` in their order.
                    let Some(block) = shared.next() else { continue };
                    if wanted[i] {
                        let prepared = self.prepared[block].clone();
                        self.flush(sys, &mut run, &prepared, &mut schedule, how);
                        schedule.steps.push(Step::Block(block));
                    }
                }
            }
        }
        self.flush(sys, &mut run, &[], &mut schedule, how);
        self.sites = sites;
        let jacobian = spec.jacobian.then(|| needs.jacobian.restricted(&spec.states));
        // What delays, lines and chosen states read is not seen in the steps.
        let is_seen = sys.delays.is_empty() && sys.transports.is_empty() && sorting.sets.is_empty();
        let reads = if is_seen { needs.jacobian.columns_of(&spec.states) } else { (0..sorting.states.len()).collect() };
        Part { states: spec.states.clone(), reads, derivatives: schedule, jacobian }
    }

    /// Makes a kernel of the assignments so far and of what the block behind them needs.
    fn flush(&mut self, sys: &System, run: &mut Vec<Assignment>, prepared: &[(Slot, ExprId)], schedule: &mut Schedule, how: Use) {
        if run.is_empty() && prepared.is_empty() {
            return;
        }
        let span = run.first().map(|first| first.span).unwrap_or_default();
        let mut list = self.slots_of(run);
        list.extend_from_slice(prepared);
        let kernel = self.assignments(sys, &list, how);
        if how == Use::Differentiated {
            let tangent = self.tangent(sys, &list, Prepared::default(), &|v| sys.is_continuous(v), span, how);
            self.program.plan.tangent_of.push((kernel, tangent));
        }
        schedule.steps.push(Step::Kernel(kernel));
        run.clear();
    }

    fn slots_of(&mut self, run: &[Assignment]) -> Vec<(Slot, ExprId)> {
        for a in run {
            let slot = self.layout.slot(a.var);
            self.program.span_of[slot] = Some(a.span);
            if a.span.start < a.span.end {
                self.program.plan.memory.slot_spans.push((slot, (a.span.start, a.span.end)));
            }
        }
        run.iter().map(|a| (self.layout.slot(a.var), a.value)).collect()
    }

    /// What the equations of a block hold that does not depend on its unknowns, with slots of its own.
    fn invariant(&mut self, sys: &System, block: &TornBlock) -> Vec<(Slot, ExprId)> {
        let determined = || block.iteration.iter().chain(&block.inner);
        if determined().any(|a| self.set_of[a.var].is_some()) {
            // Its unknowns may be others while the model runs.
            return Vec::new();
        }
        let unknowns: FxHashSet<VarId> = determined().chain(&block.discrete).map(|a| a.var).collect();
        let roots: Vec<ExprId> = determined().map(|a| a.value).collect();
        let parts = invariant_parts(&sys.arena, &roots, &|var| unknowns.contains(&var));
        let parts: Vec<(Slot, ExprId)> = parts.into_iter().map(|part| (self.new_slot(), part)).collect();
        self.note_optional(sys, &roots, &parts);
        parts
    }

    fn block(&mut self, sys: &System, problem: &Problem, block: &TornBlock, prepared: &[(Slot, ExprId)], how: Use) -> Block {
        let mut list = self.slots_of(&block.inner);
        let mut residuals = Vec::new();
        let mut equations = Vec::new();
        for residual in &block.iteration {
            let slot = self.new_slot();
            residuals.push(slot);
            self.program.span_of[slot] = Some(problem.equations[residual.row].span);
            list.push((slot, residual.value));
            let equation = problem.equations[residual.row];
            let text = format!("{} = {}", expression_text(sys, equation.lhs), expression_text(sys, equation.rhs));
            equations.push(label(text, equation.span));
        }
        let residual = self.assignments_after(sys, prepared, &list, how);
        let span = block.iteration.first().map(|r| r.span).unwrap_or_default();
        // The initial system also solves for parameters and the like: everything it solves for has a tangent.
        let active = |v: VarId| sys.is_continuous(v) || problem.col_of[v].is_some();
        let is_unknown: FxHashSet<VarId> = block.iteration.iter().map(|a| a.var).collect();
        let (tangent, jacobian_product) = if block.iteration.iter().any(|a| self.set_of[a.var].is_some()) {
            // Its unknowns may be others while the model runs.
            (self.tangent(sys, &list, Prepared::default(), &active, span, how), None)
        } else {
            // What lies before the block moves only where the whole model is differentiated.
            let values = Prepared { values: prepared, has_tangents: false };
            let jacobian_product = self.tangent(sys, &list, values, &|v| is_unknown.contains(&v), span, how);
            let moving = Prepared { has_tangents: true, ..values };
            let tangent = if how == Use::Differentiated { self.tangent(sys, &list, moving, &active, span, how) } else { jacobian_product };
            (tangent, Some(jacobian_product))
        };
        let closed = block.closed.as_ref().map(|form| self.closed_form(sys, form, prepared, how));
        let frozen = block.linear
            && self.between_events
            && jacobian_product.is_some_and(|jacobian_product| self.is_frozen(sys, jacobian_product, prepared));
        let linearisation = jacobian_product
            .filter(|_| block.iteration.len() > 1 && !frozen)
            .and_then(|jacobian_product| self.linearisation(jacobian_product, how));
        let relations: Vec<RelationId> = block.discrete.iter().filter_map(|a| self.relation_of[a.var]).collect();
        let discrete_slots = block.discrete.iter().map(|a| self.layout.slot(a.var)).collect();
        let (of_relations, others): (Vec<Assignment>, Vec<Assignment>) =
            block.discrete.iter().partition(|a| self.relation_of[a.var].is_some());
        let mut some = |list: &[Assignment]| {
            let list = self.slots_of(list);
            if list.is_empty() { None } else { Some(self.assignments(sys, &list, how)) }
        };
        let (relation_values, discrete) = (some(&of_relations), some(&others));
        let margins = self.margins(sys, &relations, how);
        Block {
            kind: if block.linear { BlockKind::Linear } else { BlockKind::Nonlinear },
            unknowns: block.iteration.iter().map(|r| self.layout.slot(r.var)).collect(),
            residuals,
            residual,
            tangent,
            jacobian_product,
            linearisation,
            frozen,
            declared: block.iteration.iter().map(|r| declared(sys, r.var)).collect(),
            relations,
            relation_values,
            margins,
            discrete,
            discrete_slots,
            closed,
            size: block.size,
            equations,
        }
    }

    /// Coefficients of a closed form in a kernel of their own, and what follows from the roots of each branch in another one.
    fn closed_form(&mut self, sys: &System, form: &ClosedForm, prepared: &[(Slot, ExprId)], how: Use) -> plan::ClosedForm {
        let coefficients: Vec<ExprId> =
            form.branches.iter().flat_map(|branch| &branch.factors).flat_map(|factor| &factor.coefficients).copied().collect();
        let branch = |lowering: &mut Self, branch: &Branch| {
            let (unknowns, values): (Vec<usize>, Vec<ExprId>) = branch.others.iter().copied().unzip();
            plan::Branch {
                unknown: branch.unknown,
                chains: branch.factors.iter().map(|factor| Chain { layers: factor.layers.clone() }).collect(),
                others: (!unknowns.is_empty()).then(|| plan::Others { kernel: lowering.outputs(sys, &values, prepared, how), unknowns }),
            }
        };
        plan::ClosedForm {
            coefficients: self.outputs(sys, &coefficients, prepared, how),
            n_coefficients: coefficients.len(),
            branches: form.branches.iter().map(|one| branch(self, one)).collect(),
            is_direct: form.is_direct,
        }
    }

    /// A kernel that writes values to the second array.
    fn outputs(&mut self, sys: &System, values: &[ExprId], prepared: &[(Slot, ExprId)], how: Use) -> KernelId {
        let layout = self.layout.clone();
        let slot_of = |var| layout.slot(var);
        let mut emitter = Emitter::new(&sys.arena, &slot_of);
        for (slot, value) in prepared {
            emitter.assume_stored(*value, *slot);
        }
        for (position, value) in values.iter().enumerate() {
            emitter.store_out(position as u32, *value);
        }
        let code = emitter.finish();
        self.kernel(code, how)
    }

    /// Takes what does not depend on the direction out of a tangent kernel, into one that runs before it.
    fn linearisation(&mut self, tangent: KernelId, how: Use) -> Option<KernelId> {
        let code = std::mem::take(&mut self.program.codes[tangent]);
        match split_linearisation(&code, || self.new_slot()) {
            Some((before, rest)) => {
                self.program.codes[tangent] = rest;
                Some(self.kernel(before, how))
            }
            None => {
                self.program.codes[tangent] = code;
                None
            }
        }
    }

    /// Whether a kernel reads only what stands between events.
    fn is_frozen(&self, sys: &System, kernel: KernelId, prepared: &[(Slot, ExprId)]) -> bool {
        let is_still = |var: VarId| {
            matches!(sys.vars[var].role, Role::Parameter | Role::FreeParameter | Role::Discrete | Role::Relation | Role::Pre(_))
        };
        let stands = |slot: Slot| match prepared.binary_search_by_key(&slot, |(slot, _)| *slot) {
            Ok(at) => expr::subst::variables(&sys.arena, prepared[at].1).into_iter().all(is_still),
            Err(_) => self.layout.var(slot).is_some_and(is_still),
        };
        self.program.codes[kernel].instrs.values().all(|instr| !matches!(instr, Instr::Load(slot) if !stands(*slot)))
    }

    /// The choices of states that a run may change; `schedule` adds their blocks.
    fn state_sets(&mut self, sys: &System, sorting: &Sorting) {
        let layout = self.layout.clone();
        let position: FxHashMap<VarId, usize> = sorting.states.iter().enumerate().map(|(at, (x, _))| (*x, at)).collect();
        for (number, set) in sorting.sets.iter().enumerate() {
            for (x, _) in &set.candidates {
                self.set_of[*x] = Some(number);
            }
            self.program.plan.state_sets.push(partita_runtime::model::plan::DynamicStateSet {
                candidates: set.candidates.iter().map(|(x, dx)| state(sys, &layout, *x, *dx)).collect(),
                states: set.states.iter().filter_map(|x| position.get(x).copied()).collect(),
                blocks: Vec::new(),
            });
        }
    }

    /// A kernel that writes the difference of the sides of each relation.
    fn margins(&mut self, sys: &System, relations: &[RelationId], how: Use) -> Option<KernelId> {
        if relations.is_empty() {
            return None;
        }
        let layout = self.layout.clone();
        let slot_of = |var| layout.slot(var);
        let mut emitter = Emitter::new(&sys.arena, &slot_of);
        for (i, relation) in relations.iter().enumerate() {
            let relation = sys.relations[relation.index()];
            let (lhs, rhs) = (emitter.value(relation.lhs), emitter.value(relation.rhs));
            let margin = emitter.binary(Op2::Sub, lhs, rhs);
            emitter.store_out_value(i as u32, margin);
        }
        let code = emitter.finish();
        Some(self.kernel(code, how))
    }

    /// Literal values and names.
    fn values(&mut self, sys: &System, aliases: &AliasMap) {
        let slot_of = |var| self.layout.slot(var);
        let plan = &mut self.program.plan;
        let decisive = sys.all_decisive();
        let kept = |name: &str, kept: &Kept| plan::Kept {
            name: name.to_string(),
            reason: kept.reason.clone(),
            place: (kept.span.start, kept.span.end),
            rebuild: kept.recompile,
        };
        plan.interface.kept = sys.kept.iter().map(|(name, reason)| kept(name, reason)).collect();
        for (var, variable) in sys.vars.iter() {
            plan.memory.slot_names.push((slot_of(var), variable.name.clone()));
            if let Some(Alias::Constant(value)) = aliases.of[var] {
                plan.memory.initial_memory.push((slot_of(var), value));
            } else if variable.role == Role::Parameter
                // What a parameter made for the run-time equals may have turned out to be a number.
                && let Some(value) = variable.value.or_else(|| sys.arena.as_constant(variable.start?))
            {
                plan.memory.initial_memory.push((slot_of(var), value));
                if variable.settable && decisive.contains(var) {
                    let reason = Kept {
                        reason: "its value was needed when the model was compiled".to_string(),
                        span: variable.span,
                        recompile: true,
                    };
                    plan.interface.kept.push(kept(&variable.name, &reason));
                } else if variable.settable {
                    plan.interface.settings.push(Setting {
                        name: variable.name.clone(),
                        slot: slot_of(var),
                        default: value,
                        ty: variable.ty,
                        is_start: false,
                    });
                }
            }
        }
        for (parameter, of) in &sys.starts {
            if let Some(default) = sys.vars[*parameter].value {
                plan.interface.settings.push(Setting {
                    name: sys.vars[*of].name.clone(),
                    slot: slot_of(*parameter),
                    default,
                    ty: sys.vars[*of].ty,
                    is_start: true,
                });
            }
        }
    }

    /// Both sides of the initial equations that were not needed.
    fn initial_checks(&mut self, sys: &System, sorting: &Sorting) {
        let mut sides = Vec::new();
        let label_of = |row: &Row| {
            let equation = sorting.initial.problem.equations[*row];
            label(format!("{} = {}", expression_text(sys, equation.lhs), expression_text(sys, equation.rhs)), equation.span)
        };
        for redundant in &sorting.redundant {
            let equation = sorting.initial.problem.equations[redundant.row];
            sides.extend([equation.lhs, equation.rhs]);
            let competing = redundant.competing.iter().map(label_of).collect();
            self.program.plan.start.initial_checks.push(InitialCheck { label: label_of(&redundant.row), competing });
        }
        self.program.plan.start.initial_check = self.vector_used(sys, &sides, Use::Once);
        // The start has met the same.
        self.take_sites();
    }

    /// A kernel that writes expressions to the second array.
    fn vector(&mut self, sys: &System, exprs: &[ExprId]) -> Option<KernelId> {
        self.vector_used(sys, exprs, Use::Often)
    }

    fn vector_used(&mut self, sys: &System, exprs: &[ExprId], how: Use) -> Option<KernelId> {
        if exprs.is_empty() {
            return None;
        }
        let layout = self.layout.clone();
        let slot_of = |var| layout.slot(var);
        let mut emitter = Emitter::new(&sys.arena, &slot_of);
        for (i, e) in exprs.iter().enumerate() {
            emitter.store_out(i as u32, *e);
        }
        Some(self.noted(sys, emitter, how))
    }
}
