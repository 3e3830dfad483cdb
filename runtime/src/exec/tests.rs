//! Runs of small models whose kernels are written by hand.

use super::{Instance, SetError};
use crate::abi::{Environment, KernelFailure, Kernels};
use crate::error::RunError;
use crate::integrate::{Experiment, Sink, Solver, simulate};
use crate::model::{EventCause, Model};
use crate::plan::*;
use cranelift_entity::EntityRef;
use std::sync::Arc;

type Code = Box<dyn Fn(&mut [f64], &mut [f64]) + Send + Sync>;

#[derive(Default)]
struct Closures(Vec<Code>);

impl Closures {
    fn add(&mut self, code: impl Fn(&mut [f64], &mut [f64]) + Send + Sync + 'static) -> KernelId {
        self.0.push(Box::new(code));
        KernelId::new(self.0.len() - 1)
    }
}

impl Kernels for Closures {
    fn call(&self, kernel: KernelId, m: &mut [f64], out: &mut [f64], _: &mut Environment) -> Result<(), KernelFailure> {
        self.0[kernel.index()](m, out);
        Ok(())
    }
}

fn s(index: usize) -> Slot {
    Slot::new(index)
}

fn truth(b: bool) -> f64 {
    f64::from(u8::from(b))
}

fn label(text: &str) -> Label {
    Label { text: text.to_owned(), span: (3, 7) }
}

fn state(name: &str, slot: usize, der: usize) -> State {
    State { slot: s(slot), der: s(der), nominal: 1.0, name: name.to_owned() }
}

fn signal(name: &str, slot: usize, factor: f64, varies: bool) -> Signal {
    let source = SignalSource { slot: s(slot), factor, offset: 0.0 };
    let (name, ty) = (name.to_owned(), SlotType::Real);
    Signal { name, description: String::new(), unit: String::new(), ty, source, varies, protected: false }
}

fn dense(n: usize) -> Pattern {
    Pattern { n_rows: n, col_starts: (0..=n).map(|j| j * n).collect(), rows: (0..n * n).map(|k| k % n).collect() }
}

fn schedule(steps: &[Step]) -> Schedule {
    Schedule { steps: steps.to_vec() }
}

fn block(kind: BlockKind, unknowns: &[usize], residuals: &[usize], residual: KernelId, tangent: KernelId) -> Block {
    let n = unknowns.len();
    Block {
        kind,
        unknowns: unknowns.iter().map(|&i| s(i)).collect(),
        residuals: residuals.iter().map(|&i| s(i)).collect(),
        residual,
        tangent,
        slopes: None,
        frozen: false,
        nominals: vec![1.0; n],
        relations: Vec::new(),
        relation_values: None,
        margins: None,
        discrete: None,
        discrete_slots: Vec::new(),
        size: n,
        equations: (0..n).map(|i| label(&format!("equation number {i}"))).collect(),
    }
}

fn start(plan: Plan, code: Closures) -> (Instance, Vec<f64>) {
    let mut instance = Instance::new(Arc::new(plan), Arc::new(code)).unwrap();
    let mut x = vec![0.0; instance.n_states()];
    instance.initialize(0.0, &mut x).unwrap();
    (instance, x)
}

/// Slots: 1 i, 2 w, 3 der(i), 4 der(w), 5 R, 6 torque, 7 twice R. u = 10, k = 0.5, L = 0.1, J = 0.01, d = 0.002.
fn motor() -> (Plan, Closures) {
    let mut code = Closures::default();
    let f = code.add(|m, _| {
        m[3] = (10.0 - m[5] * m[1] - 0.5 * m[2]) / 0.1;
        m[4] = (0.5 * m[1] - 0.002 * m[2]) / 0.01;
    });
    let df = code.add(|m, d| {
        d[3] = (-m[5] * d[1] - 0.5 * d[2]) / 0.1;
        d[4] = (0.5 * d[1] - 0.002 * d[2]) / 0.01;
    });
    let outputs = code.add(|m, _| m[6] = 0.5 * m[1]);
    let parameters = code.add(|m, _| m[7] = 2.0 * m[5]);
    let plan = Plan {
        n_slots: 8,
        initial_memory: vec![(s(1), 0.25), (s(2), 3.0), (s(5), 1.0)],
        slot_names: vec![(s(6), "torque".to_owned()), (s(5), "R".to_owned())],
        tangent_of: vec![(f, df)],
        states: vec![state("i", 1, 3), state("w", 2, 4)],
        parameters: schedule(&[Step::Kernel(parameters)]),
        derivatives: schedule(&[Step::Kernel(f)]),
        outputs: schedule(&[Step::Kernel(outputs)]),
        jacobian: dense(2),
        signals: vec![signal("i", 1, 1.0, true), signal("minus_torque", 6, -1.0, true), signal("R2", 7, 1.0, false)],
        settings: vec![Setting { name: "motor.R".to_owned(), slot: s(5), default: 1.0, ty: SlotType::Real }],
        folded: vec![("motor.k".to_owned(), "it is a constant".to_owned())],
        ..Plan::default()
    };
    (plan, code)
}

#[test]
fn a_motor_has_derivatives_an_exact_jacobian_and_outputs() {
    let (plan, code) = motor();
    let (mut instance, x) = start(plan, code);
    assert_eq!(x, [0.25, 3.0]);
    let mut dx = [0.0; 2];
    instance.derivatives(0.0, &x, &mut dx).unwrap();
    assert_eq!(dx, [(10.0 - 0.25 - 1.5) / 0.1, (0.125 - 0.006) / 0.01]);
    let mut values = [0.0; 4];
    instance.jacobian(0.0, &x, &mut values).unwrap();
    assert_eq!(values, [-1.0 / 0.1, 0.5 / 0.01, -0.5 / 0.1, -0.002 / 0.01]);
    let mut row = [0.0; 2];
    instance.outputs(0.0, &x, &mut row).unwrap();
    assert_eq!(row, [0.25, -0.125]);
    assert_eq!(instance.parameter_values(), [(2, 2.0)]);
    // The same point is not evaluated twice.
    assert_eq!(instance.statistics().derivative_evaluations, 1);
}

#[test]
fn settings_change_what_follows_from_them_and_bad_names_are_refused() {
    let (plan, code) = motor();
    let (mut instance, mut x) = start(plan, code);
    instance.set("motor.R", 4.0).unwrap();
    instance.initialize(0.0, &mut x).unwrap();
    assert_eq!(instance.parameter_values(), [(2, 8.0)]);
    assert_eq!(instance.fork().overrides, [(s(5), 4.0)]);
    let near = vec!["motor.R".to_owned()];
    assert_eq!(instance.set("motor.r1", 4.0), Err(SetError::Unknown { name: "motor.r1".to_owned(), near }));
    assert!(matches!(instance.set("motor.k", 4.0), Err(SetError::Folded { .. })));
    assert!(matches!(instance.set("motor.R", f64::NAN), Err(SetError::WrongType { .. })));
}

/// A linear block of three unknowns (4, 5, 6) with an inner variable (7), then a nonlinear one (11).
/// Slots: 1, 2 states, 3 unused, 8..10 residuals, 12 residual, 13, 14 derivatives, 15 a coefficient.
fn loops() -> (Plan, Closures) {
    let mut code = Closures::default();
    let linear = code.add(|m, _| {
        m[7] = m[15] * m[4] - m[5] + m[2];
        m[8] = 3.0 * m[4] + m[7] - m[1];
        m[9] = m[4] - 4.0 * m[5] + m[6] - 2.0 * m[2];
        m[10] = m[7] + m[6] * 5.0 - 1.0;
    });
    let linear_tangent = code.add(|m, d| {
        d[7] = m[15] * d[4] - d[5] + d[2];
        d[8] = 3.0 * d[4] + d[7] - d[1];
        d[9] = d[4] - 4.0 * d[5] + d[6] - 2.0 * d[2];
        d[10] = d[7] + d[6] * 5.0;
    });
    let cubic = code.add(|m, _| m[12] = m[11] + m[11].powi(3) - 20.0 * m[4] + m[7]);
    let cubic_tangent = code.add(|m, d| d[12] = (1.0 + 3.0 * m[11] * m[11]) * d[11] - 20.0 * d[4] + d[7]);
    let f = code.add(|m, _| {
        m[13] = m[11] * m[1];
        m[14] = m[6] * m[7] + m[11];
    });
    let df = code.add(|m, d| {
        d[13] = d[11] * m[1] + m[11] * d[1];
        d[14] = d[6] * m[7] + m[6] * d[7] + d[11];
    });
    let mut blocks = cranelift_entity::PrimaryMap::new();
    let b0 = blocks.push(block(BlockKind::Linear, &[4, 5, 6], &[8, 9, 10], linear, linear_tangent));
    let b1 = blocks.push(block(BlockKind::Nonlinear, &[11], &[12], cubic, cubic_tangent));
    let names = [(4, "a"), (5, "b"), (6, "c"), (7, "inner"), (11, "z")];
    let plan = Plan {
        n_slots: 16,
        initial_memory: vec![(s(1), 0.5), (s(2), -1.5), (s(15), 2.0)],
        slot_names: names.iter().map(|(slot, name)| (s(*slot), (*name).to_owned())).collect(),
        tangent_of: vec![(f, df)],
        blocks,
        states: vec![state("x", 1, 13), state("y", 2, 14)],
        derivatives: schedule(&[Step::Block(b0), Step::Block(b1), Step::Kernel(f)]),
        jacobian: dense(2),
        settings: vec![Setting { name: "k".to_owned(), slot: s(15), default: 2.0, ty: SlotType::Real }],
        ..Plan::default()
    };
    (plan, code)
}

#[test]
fn algebraic_loops_are_solved_and_their_factors_reused() {
    let (plan, code) = loops();
    let (mut instance, x) = start(plan, code);
    let mut dx = [0.0; 2];
    for k in 0..20 {
        instance.derivatives(f64::from(k), &[x[0] + f64::from(k), x[1]], &mut dx).unwrap();
        let m = &instance.machine.memory;
        for residual in [8, 9, 10, 12] {
            assert!(m[residual].abs() < 1e-12 * (1.0 + m[11].powi(3).abs()), "residual {residual}: {}", m[residual]);
        }
    }
    let statistics = instance.statistics();
    assert_eq!(statistics.block_solves, 40);
    let nonlinear = statistics.newton_iterations - 20;
    assert_eq!(statistics.block_factorisations - nonlinear, 1, "the linear block is factorised once");
}

#[test]
fn the_jacobian_through_blocks_agrees_with_central_differences() {
    let (plan, code) = loops();
    let (mut instance, x) = start(plan, code);
    let mut exact = [0.0; 4];
    instance.jacobian(0.0, &x, &mut exact).unwrap();
    let h = 1e-5;
    for j in 0..2 {
        let mut at = |step: f64| {
            let (mut moved, mut dx) = (x.clone(), [0.0; 2]);
            moved[j] += step;
            instance.derivatives(0.0, &moved, &mut dx).unwrap();
            dx
        };
        let (up, down) = (at(h), at(-h));
        for i in 0..2 {
            let difference = (up[i] - down[i]) / (2.0 * h);
            let error = (exact[2 * j + i] - difference).abs();
            assert!(error < 1e-7 * (1.0 + difference.abs()), "{i}, {j}: {} and {difference}", exact[2 * j + i]);
        }
    }
}

#[test]
fn a_singular_linear_block_names_unknowns_and_equations() {
    let (plan, code) = loops();
    let (mut instance, mut x) = start(plan, code);
    // The determinant of the linear block is -55.0 k - 61.0 - ..., zero where the third column depends on the others.
    let determinant = |k: f64| {
        let a = [[3.0 + k, -1.0, 0.0], [1.0, -4.0, 1.0], [k, -1.0, 5.0]];
        a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) - a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0])
    };
    let (at_0, at_1) = (determinant(0.0), determinant(1.0));
    instance.set("k", at_0 / (at_0 - at_1)).unwrap();
    instance.initialize(0.0, &mut x).unwrap();
    let failure = instance.derivatives(0.0, &x, &mut [0.0; 2]).unwrap_err();
    assert!(failure.reason.contains("singular"), "{failure:?}");
    let notes = failure.notes.join("\n");
    for word in ["a = ", "b = ", "c = ", "equation number 2", "residual"] {
        assert!(notes.contains(word), "{word} in {notes}");
    }
    assert_eq!(failure.span, Some((3, 7)));
}

#[test]
fn newton_shortens_steps_into_undefined_regions_and_reports_what_has_no_solution() {
    // 2: residual of log(z) = 1 (case 0) or z*z = -1 (case 1); 1: z; 3: case; 4: state; 5: derivative
    let mut code = Closures::default();
    let residual = code.add(|m, _| m[2] = if m[3] == 0.0 { m[1].ln() - 1.0 } else { m[1] * m[1] + 1.0 });
    let tangent = code.add(|m, d| d[2] = if m[3] == 0.0 { d[1] / m[1] } else { 2.0 * m[1] * d[1] });
    let f = code.add(|m, _| m[5] = m[1]);
    let mut blocks = cranelift_entity::PrimaryMap::new();
    let b = blocks.push(block(BlockKind::Nonlinear, &[1], &[2], residual, tangent));
    let plan = Plan {
        n_slots: 6,
        initial_memory: vec![(s(1), 100.0)],
        slot_names: vec![(s(1), "z".to_owned())],
        blocks,
        states: vec![state("x", 4, 5)],
        derivatives: schedule(&[Step::Block(b), Step::Kernel(f)]),
        jacobian: dense(1),
        ..Plan::default()
    };
    let (mut instance, _) = start(plan, code);
    let mut dx = [0.0];
    instance.derivatives(0.0, &[0.0], &mut dx).unwrap();
    assert!((dx[0] - std::f64::consts::E).abs() < 1e-10, "{}", dx[0]);
    instance.machine.memory[3] = 1.0;
    let failure = instance.derivatives(0.0, &[1.0], &mut dx).unwrap_err();
    assert!(failure.reason.contains("Newton"), "{failure:?}");
    assert!(failure.notes.iter().any(|note| note.starts_with("z = ")), "{failure:?}");
    assert!(instance.machine.memory[1] > 2.0, "the guess is kept for the next attempt");
}

#[test]
fn a_derivative_that_is_not_a_number_names_its_cause() {
    let mut code = Closures::default();
    let first = code.add(|m, _| m[3] = (-m[1]).sqrt());
    let second = code.add(|m, _| m[2] = m[3] + 1.0);
    let plan = Plan {
        n_slots: 4,
        initial_memory: vec![(s(1), 1.0)],
        slot_names: vec![(s(3), "root".to_owned())],
        states: vec![state("x", 1, 2)],
        derivatives: schedule(&[Step::Kernel(first), Step::Kernel(second)]),
        jacobian: dense(1),
        ..Plan::default()
    };
    let (mut instance, x) = start(plan, code);
    let failure = instance.derivatives(0.0, &x, &mut [0.0]).unwrap_err();
    assert_eq!(failure.reason, "der(x) is not a number");
    assert_eq!(failure.notes, ["first of all root became not a number"]);
}

/// An ideal diode: u = R*i + v, s the curve parameter, off = s < 0.
/// Slots: 1 u, 2 s, 3 v, 4 i, 5 residual, 6 relation, 7 off.
fn diode(broken: bool) -> (Plan, Closures) {
    let mut code = Closures::default();
    let residual = code.add(|m, _| {
        m[3] = if m[7] != 0.0 { m[2] } else { 0.0 };
        m[4] = if m[7] != 0.0 { 0.0 } else { m[2] };
        m[5] = m[1] - 10.0 * m[4] - m[3];
    });
    let tangent = code.add(|m, d| {
        d[3] = if m[7] != 0.0 { d[2] } else { 0.0 };
        d[4] = if m[7] != 0.0 { 0.0 } else { d[2] };
        d[5] = d[1] - 10.0 * d[4] - d[3];
    });
    let discrete = code.add(move |m, _| {
        m[6] = truth(if broken { m[3] < 1.0 } else { m[2] < 0.0 });
        m[7] = m[6];
    });
    let mut relations = cranelift_entity::PrimaryMap::new();
    let relation = relations.push(Relation { slot: s(6), kind: RelationKind::State, rest: None, label: label("s < 0") });
    let mut blocks = cranelift_entity::PrimaryMap::new();
    let b = blocks.push(Block {
        relations: vec![relation],
        relation_values: None,
        margins: None,
        discrete: Some(discrete),
        discrete_slots: vec![s(6), s(7)],
        ..block(BlockKind::Linear, &[2], &[5], residual, tangent)
    });
    let crossings = code.add(|m, out| out[0] = -m[2]);
    let plan = Plan {
        n_slots: 8,
        initial_memory: vec![(s(1), 20.0)],
        slot_names: vec![(s(2), "diode.s".to_owned()), (s(7), "diode.off".to_owned())],
        blocks,
        initial: schedule(&[Step::Block(b)]),
        event: schedule(&[Step::Block(b)]),
        relations,
        crossings: Some(crossings),
        settings: vec![Setting { name: "u".to_owned(), slot: s(1), default: 20.0, ty: SlotType::Real }],
        ..Plan::default()
    };
    (plan, code)
}

#[test]
fn an_ideal_diode_finds_its_side() {
    let (plan, code) = diode(false);
    let (mut instance, mut x) = start(plan, code);
    assert_eq!(instance.machine.memory[2..5], [2.0, 0.0, 2.0]);
    instance.set("u", -20.0).unwrap();
    instance.initialize(0.0, &mut x).unwrap();
    assert_eq!(instance.machine.memory[2..5], [-20.0, -20.0, 0.0]);
    assert_eq!(instance.machine.memory[6..8], [1.0, 1.0]);
    let mut out = [0.0];
    instance.crossings(0.0, &x, &mut out).unwrap();
    assert_eq!((out, instance.crossing_label(0)), ([20.0], "s < 0".to_owned()));
}

#[test]
fn contradicting_relations_are_named() {
    let (plan, code) = diode(true);
    let mut instance = Instance::new(Arc::new(plan), Arc::new(code)).unwrap();
    instance.set("u", 20.0).unwrap();
    let error = instance.initialize(0.0, &mut []).unwrap_err();
    assert_eq!(error.code, "R101");
    assert!(error.notes.contains(&"relation s < 0".to_owned()), "{error:?}");
    assert!(error.notes.contains(&"discrete value diode.off".to_owned()), "{error:?}");
}

/// Slots: 1 h, 2 v, 3 der(h), 4 der(v), 5 relation h <= 0, 6 pre of it, 7 reinit active, 8 its value.
fn ball() -> (Plan, Closures) {
    let mut code = Closures::default();
    let f = code.add(|m, _| {
        m[3] = m[2];
        m[4] = -9.81;
    });
    let df = code.add(|_, d| {
        d[3] = d[2];
        d[4] = 0.0;
    });
    let event = code.add(|m, _| {
        m[3] = m[2];
        m[4] = -9.81;
        m[5] = truth(m[1] <= 0.0);
        m[7] = truth(m[5] != 0.0 && m[6] == 0.0);
        m[8] = -0.5 * m[2];
    });
    let crossings = code.add(|m, out| out[0] = -m[1]);
    let mut relations = cranelift_entity::PrimaryMap::new();
    relations.push(Relation { slot: s(5), kind: RelationKind::State, rest: None, label: label("h <= 0") });
    let plan = Plan {
        n_slots: 9,
        initial_memory: vec![(s(1), 1.0)],
        tangent_of: vec![(f, df)],
        states: vec![state("h", 1, 3), state("v", 2, 4)],
        initial: schedule(&[Step::Kernel(event)]),
        derivatives: schedule(&[Step::Kernel(f)]),
        event: schedule(&[Step::Kernel(event)]),
        relations,
        crossings: Some(crossings),
        pre: vec![PreSlot { current: s(5), pre: s(6), continuous: false }],
        reinits: vec![Reinit { active: s(7), value: s(8), state: s(2), label: label("reinit(v, -0.5*v)") }],
        jacobian: dense(2),
        signals: vec![signal("h", 1, 1.0, true)],
        ..Plan::default()
    };
    (plan, code)
}

#[test]
fn a_bouncing_ball_is_thrown_back_once() {
    let (plan, code) = ball();
    let (mut instance, mut x) = start(plan, code);
    assert_eq!(x, [1.0, 0.0]);
    x = vec![-1e-12, -4.0];
    let outcome = instance.event(0.4, &mut x, &EventCause::State(vec![(0, true)])).unwrap();
    assert!(outcome.changed);
    assert_eq!(x, [-1e-12, 2.0]);
    // Back in the air the condition falls; nothing else happens.
    x = vec![1e-9, 1.9];
    let outcome = instance.event(0.41, &mut x, &EventCause::State(vec![(0, false)])).unwrap();
    assert!(outcome.changed);
    assert_eq!(x, [1e-9, 1.9]);
    let outcome = instance.event(0.42, &mut x, &EventCause::Time).unwrap();
    assert!(!outcome.changed);
}

/// Slots: 1 sample active, 2 its pre, 3 n, 4 pre(n), 5 start, 6 interval.
#[test]
fn samples_come_at_exact_multiples_and_fire_once() {
    let mut code = Closures::default();
    let event = code.add(|m, _| m[3] = if m[1] != 0.0 && m[2] == 0.0 { m[4] + 1.0 } else { m[4] });
    let plan = Plan {
        n_slots: 7,
        initial_memory: vec![(s(6), 0.1)],
        event: schedule(&[Step::Kernel(event)]),
        pre: vec![PreSlot { current: s(1), pre: s(2), continuous: false }, PreSlot { current: s(3), pre: s(4), continuous: false }],
        samplers: vec![Sampler { active: s(1), start: s(5), interval: s(6), label: label("sample(0, 0.1)") }],
        settings: vec![Setting { name: "T".to_owned(), slot: s(6), default: 0.1, ty: SlotType::Real }],
        ..Plan::default()
    };
    let (mut instance, _) = start(plan, code);
    assert_eq!(instance.machine.memory[3], 1.0, "the sample at the start");
    let mut t = 0.0;
    for k in 1..=1000 {
        t = instance.next_time_event(t).unwrap();
        assert_eq!(t, f64::from(k) * 0.1);
        let outcome = instance.event(t, &mut [], &EventCause::Time).unwrap();
        assert!(outcome.changed);
        assert_eq!(instance.machine.memory[3], f64::from(k + 1));
        assert_eq!(instance.machine.memory[1], 0.0);
    }
    instance.set("T", 0.0).unwrap();
    assert_eq!(instance.initialize(0.0, &mut []).unwrap_err().code, "R105");
    instance.set("T", 0.1).unwrap();
    instance.initialize(0.35, &mut []).unwrap();
    assert_eq!(instance.next_time_event(0.35), Some(0.4));
}

/// Slots: 1 time >= 0.5, 2 time > 0.7, 3 time < 0.7, 4 the time that these see.
#[test]
fn thresholds_in_time_are_met_exactly_and_strict_ones_just_after() {
    let mut code = Closures::default();
    let event = code.add(|m, _| {
        m[1] = truth(m[4] >= 0.5);
        m[2] = truth(m[4] > 0.7);
        m[3] = truth(m[4] < 0.7);
    });
    let thresholds = code.add(|_, out| out.copy_from_slice(&[0.5, 0.7, 0.7]));
    let mut relations = cranelift_entity::PrimaryMap::new();
    for slot in 1..=3 {
        relations.push(Relation { slot: s(slot), kind: RelationKind::Time, rest: None, label: label("time") });
    }
    let plan = Plan {
        n_slots: 5,
        event: schedule(&[Step::Kernel(event)]),
        event_time: Some(s(4)),
        relations,
        thresholds: Some(thresholds),
        ..Plan::default()
    };
    let (mut instance, _) = start(plan, code);
    assert_eq!(instance.machine.memory[1..4], [0.0, 0.0, 1.0]);
    assert_eq!(instance.next_time_event(0.0), Some(0.5));
    assert!(instance.event(0.5, &mut [], &EventCause::Time).unwrap().changed);
    assert_eq!(instance.machine.memory[1..4], [1.0, 0.0, 1.0]);
    assert_eq!(instance.next_time_event(0.5), Some(0.7));
    assert!(instance.event(0.7, &mut [], &EventCause::Time).unwrap().changed);
    assert_eq!(instance.machine.memory[..4], [0.7, 1.0, 1.0, 0.0]);
    assert_eq!(instance.next_time_event(0.7), None);
}

/// z^3 - 2z + 2 = y = 0 has a minimum of its residual between the start 0.5 and the root -1.77.
/// Slots: 1 z, 2 residual, 3 homotopy, 4 y, 5 residual.
fn hard_start(homotopy: Option<Slot>, unknowns: &[usize], residuals: &[usize]) -> (Plan, Closures) {
    let mut code = Closures::default();
    let residual = code.add(|m, _| {
        m[2] = m[3] * (m[1].powi(3) - 2.0 * m[1] + 2.0) + (1.0 - m[3]) * (m[1] + 2.0) - m[4];
        m[5] = m[4];
    });
    let tangent = code.add(|m, d| {
        d[2] = (m[3] * (3.0 * m[1] * m[1] - 2.0) + (1.0 - m[3])) * d[1] - d[4];
        d[5] = d[4];
    });
    let mut blocks = cranelift_entity::PrimaryMap::new();
    let b = blocks.push(block(BlockKind::Nonlinear, unknowns, residuals, residual, tangent));
    let plan = Plan {
        n_slots: 6,
        initial_memory: vec![(s(1), 0.5), (s(3), 1.0)],
        slot_names: vec![(s(1), "z".to_owned())],
        blocks,
        initial: schedule(&[Step::Block(b)]),
        homotopy,
        ..Plan::default()
    };
    (plan, code)
}

const ROOT: f64 = -1.769_292_354_238_631_4;

#[test]
fn homotopy_finds_initial_values_that_newton_misses_and_says_so() {
    let (plan, code) = hard_start(Some(s(3)), &[1, 4], &[2, 5]);
    let (instance, _) = start(plan, code);
    let z = instance.machine.memory[1];
    assert!((z - ROOT).abs() < 1e-12, "{z}");
    assert_eq!(instance.machine.memory[3], 1.0);
    assert!(instance.warnings()[0].contains("homotopy"), "{:?}", instance.warnings());

    let (plan, code) = hard_start(None, &[1, 4], &[2, 5]);
    let mut instance = Instance::new(Arc::new(plan), Arc::new(code)).unwrap();
    let error = instance.initialize(0.0, &mut []).unwrap_err();
    assert_eq!((error.code, error.time), ("R101", Some(0.0)));
    assert!(error.notes.iter().any(|note| note.starts_with("z = ")), "{error:?}");
}

/// 1/z = y and log(y) = 1, from the guess zero, where neither is defined. Slots: 1 z, 2 y, 3 and 4 residuals.
#[test]
fn a_guess_where_nothing_is_defined_is_replaced() {
    let mut code = Closures::default();
    let residual = code.add(|m, _| {
        m[3] = 1.0 / m[1] - m[2];
        m[4] = m[2].ln() - 1.0;
    });
    let tangent = code.add(|m, d| {
        d[3] = -d[1] / (m[1] * m[1]) - d[2];
        d[4] = d[2] / m[2];
    });
    let mut blocks = cranelift_entity::PrimaryMap::new();
    let b = blocks.push(block(BlockKind::Nonlinear, &[1, 2], &[3, 4], residual, tangent));
    let plan = Plan { n_slots: 5, blocks, initial: schedule(&[Step::Block(b)]), ..Plan::default() };
    let (instance, _) = start(plan, code);
    assert!((instance.machine.memory[1] - (-1f64).exp()).abs() < 1e-14);
    assert!((instance.machine.memory[2] - 1f64.exp()).abs() < 1e-14);
}

#[test]
fn a_single_unknown_is_found_beyond_a_minimum_of_the_residual() {
    let (plan, code) = hard_start(None, &[1], &[2]);
    let (instance, _) = start(plan, code);
    assert!((instance.machine.memory[1] - ROOT).abs() < 1e-12);
}

/// A chain of 200 unknowns, each coupled with its neighbours; linear, or with a cubic term. Slots: 1 load, then unknowns,
/// then residuals, then state and derivative.
fn chain(kind: BlockKind, with_pattern: bool) -> (Plan, Closures) {
    const N: usize = 200;
    let cubic = if kind == BlockKind::Linear { 0.0 } else { 1.0 };
    let mut code = Closures::default();
    let at = |m: &[f64], i: usize, offset: isize| {
        let place = i as isize + offset;
        if (0..N as isize).contains(&place) { m[2 + place as usize] } else { 0.0 }
    };
    let residual = code.add(move |m, _| {
        for i in 0..N {
            let z = at(m, i, 0);
            m[2 + N + i] = 3.0 * z + cubic * z.powi(3) - at(m, i, -1) - at(m, i, 1) - m[2 + 2 * N] * (i % 7) as f64;
        }
    });
    let tangent = code.add(move |m, d| {
        for i in 0..N {
            let z = at(m, i, 0);
            d[2 + N + i] = (3.0 + 3.0 * cubic * z * z) * at(d, i, 0) - at(d, i, -1) - at(d, i, 1) - d[2 + 2 * N] * (i % 7) as f64;
        }
    });
    let f = code.add(|m, _| m[3 + 2 * N] = m[2 + N / 2]);
    let df = code.add(|_, d| d[3 + 2 * N] = d[2 + N / 2]);
    let mut blocks = cranelift_entity::PrimaryMap::new();
    let unknowns: Vec<usize> = (2..2 + N).collect();
    let residuals: Vec<usize> = (2 + N..2 + 2 * N).collect();
    let b = blocks.push(block(kind, &unknowns, &residuals, residual, tangent));
    let mut pattern = Pattern { n_rows: N, col_starts: vec![0], rows: Vec::new() };
    for j in 0..N {
        pattern.rows.extend(j.saturating_sub(1)..(j + 2).min(N));
        pattern.col_starts.push(pattern.rows.len());
    }
    let plan = Plan {
        n_slots: 4 + 2 * N,
        initial_memory: vec![(s(2 + 2 * N), 1.0)],
        tangent_of: vec![(f, df)],
        block_patterns: if with_pattern { vec![(b, pattern)] } else { Vec::new() },
        blocks,
        states: vec![state("x", 2 + 2 * N, 3 + 2 * N)],
        derivatives: schedule(&[Step::Block(b), Step::Kernel(f)]),
        jacobian: dense(1),
        ..Plan::default()
    };
    (plan, code)
}

#[test]
fn a_sparse_block_gives_what_a_full_one_gives_with_fewer_tangents() {
    for kind in [BlockKind::Linear, BlockKind::Nonlinear] {
        let [full, sparse] = [false, true].map(|with_pattern| {
            let (plan, code) = chain(kind, with_pattern);
            let (mut instance, x) = start(plan, code);
            let (mut dx, mut slope) = ([0.0], [0.0]);
            instance.derivatives(0.0, &x, &mut dx).unwrap();
            let tangents = instance.statistics().tangent_evaluations;
            instance.jacobian(0.0, &x, &mut slope).unwrap();
            (dx[0], slope[0], tangents, instance.statistics().newton_iterations)
        });
        assert!((full.0 - sparse.0).abs() < 1e-12 && (full.1 - sparse.1).abs() < 1e-12, "{full:?} {sparse:?}");
        assert_eq!((full.2, sparse.2), (200 * full.3, 3 * sparse.3));
    }
}

#[test]
fn an_event_that_never_settles_names_what_changes() {
    let mut code = Closures::default();
    let event = code.add(|m, _| m[1] = truth(m[2] == 0.0));
    let plan = Plan {
        n_slots: 3,
        slot_names: vec![(s(1), "flipflop".to_owned())],
        event: schedule(&[Step::Kernel(event)]),
        pre: vec![PreSlot { current: s(1), pre: s(2), continuous: false }],
        ..Plan::default()
    };
    let mut instance = Instance::new(Arc::new(plan), Arc::new(code)).unwrap();
    let error = instance.initialize(0.0, &mut []).unwrap_err();
    assert_eq!(error.code, "R103");
    assert_eq!(error.notes, ["flipflop is still changing"]);
}

/// Slots: 1 x, 2 der(x), 3 assert, 4 warning, 5 terminate, 6 relation x > 3, 7 pre of it.
#[test]
fn asserts_and_terminate_act_at_accepted_points() {
    let mut code = Closures::default();
    let f = code.add(|m, _| m[2] = 1.0);
    let outputs = code.add(|m, _| {
        m[3] = truth(m[1] > 5.0);
        m[4] = truth(m[1] > 1.0);
    });
    let event = code.add(|m, _| {
        m[6] = truth(m[1] > 3.0);
        m[5] = truth(m[6] != 0.0 && m[7] == 0.0);
    });
    let action = |trigger: usize, kind, text: &str| {
        let message = vec![MessagePart::Text(text.to_owned()), MessagePart::Value(s(1), SlotType::Real)];
        Action { trigger: s(trigger), kind, message, label: label("assert(x < 5)") }
    };
    let mut relations = cranelift_entity::PrimaryMap::new();
    relations.push(Relation { slot: s(6), kind: RelationKind::State, rest: None, label: label("x > 3") });
    let plan = Plan {
        n_slots: 8,
        states: vec![state("x", 1, 2)],
        derivatives: schedule(&[Step::Kernel(f)]),
        outputs: schedule(&[Step::Kernel(outputs)]),
        event: schedule(&[Step::Kernel(event)]),
        relations,
        pre: vec![PreSlot { current: s(6), pre: s(7), continuous: false }],
        actions: vec![
            action(3, ActionKind::AssertError, "too large: "),
            action(4, ActionKind::AssertWarning, "large: "),
            action(5, ActionKind::Terminate, "done at "),
        ],
        jacobian: dense(1),
        ..Plan::default()
    };
    let (mut instance, _) = start(plan, code);
    for x in [0.5, 1.5, 2.5] {
        let outcome = instance.accept(x, &mut [x]).unwrap();
        assert_eq!(outcome.terminate, None);
    }
    assert_eq!(instance.warnings(), ["at time 1.5: large: 1.5"]);
    let outcome = instance.event(3.5, &mut [3.5], &EventCause::State(vec![(0, true)])).unwrap();
    assert_eq!(outcome.terminate, Some("done at 3.5".to_owned()));
    // A trial point beyond the bound is no failure, an accepted one is.
    instance.derivatives(6.0, &[6.0], &mut [0.0]).unwrap();
    let error = instance.accept(6.0, &mut [6.0]).unwrap_err();
    assert_eq!((error.code, error.place), ("R104", Some(((3, 7), "assert(x < 5)".to_owned()))));
    assert!(error.title.contains("too large: 6"), "{}", error.title);
}

/// Slots: 1 x, 2 der(x), 3 source, 4 delay, 5 delayed, 6 relation time >= 1.
#[test]
fn delayed_values_come_from_accepted_points_and_jumps_return_as_events() {
    let mut code = Closures::default();
    let f = code.add(|m, _| {
        m[3] = m[1] + 10.0 * m[6];
        m[2] = 1.0 + 0.0 * m[5];
    });
    let event = code.add(|m, _| {
        m[6] = truth(m[0] >= 1.0);
        m[3] = m[1] + 10.0 * m[6];
    });
    let thresholds = code.add(|_, out| out[0] = 1.0);
    let mut relations = cranelift_entity::PrimaryMap::new();
    relations.push(Relation { slot: s(6), kind: RelationKind::Time, rest: None, label: label("time >= 1") });
    let plan = Plan {
        n_slots: 7,
        initial_memory: vec![(s(1), 2.0), (s(4), 0.5)],
        states: vec![state("x", 1, 2)],
        initial: schedule(&[Step::Kernel(event)]),
        derivatives: schedule(&[Step::Kernel(f)]),
        event: schedule(&[Step::Kernel(event)]),
        relations,
        thresholds: Some(thresholds),
        delays: vec![Delay { source: s(3), delay: s(4), max: s(4), value: s(5) }],
        jacobian: dense(1),
        ..Plan::default()
    };
    let (mut instance, _) = start(plan, code);
    let mut dx = [0.0];
    assert_eq!(instance.machine.memory[5], 2.0);
    instance.derivatives(0.3, &[2.3], &mut dx).unwrap();
    assert_eq!(instance.machine.memory[5], 2.0, "before the start");
    for t in [0.25, 0.5, 0.75, 1.0] {
        instance.accept(t, &mut [2.0 + t]).unwrap();
    }
    instance.derivatives(1.0, &[3.0], &mut dx).unwrap();
    assert_eq!(instance.machine.memory[5], 2.5);
    instance.event(1.0, &mut [3.0], &EventCause::Time).unwrap();
    assert_eq!(instance.next_time_event(1.0), Some(1.5));
    instance.accept(1.25, &mut [3.25]).unwrap();
    instance.derivatives(1.5, &[3.5], &mut dx).unwrap();
    assert_eq!(instance.machine.memory[5], 3.0, "just before the jump");
    instance.event(1.5, &mut [3.5], &EventCause::Time).unwrap();
    instance.derivatives(1.5, &[3.5], &mut dx).unwrap();
    assert_eq!(instance.machine.memory[5], 13.0, "just after it");
}

#[test]
fn a_plan_with_an_index_out_of_range_is_refused() {
    let (mut plan, code) = motor();
    plan.states[0].der = s(100);
    let error = Instance::new(Arc::new(plan), Arc::new(code)).err().unwrap();
    assert_eq!(error.code, "R106");
}

#[test]
fn terminal_is_true_in_the_last_event_only() {
    let mut code = Closures::default();
    let event = code.add(|m, _| {
        m[2] += m[1];
    });
    let plan = Plan { n_slots: 3, event: schedule(&[Step::Kernel(event)]), terminal_flag: Some(s(1)), ..Plan::default() };
    let (mut instance, _) = start(plan, code);
    assert_eq!(instance.machine.memory[2], 0.0);
    instance.terminal(1.0, &mut []).unwrap();
    assert_eq!(instance.machine.memory[1..], [0.0, 1.0]);
}

/// Keeps the last point of a run.
#[derive(Default)]
struct Last(f64, Vec<f64>);

impl Sink for Last {
    fn point(&mut self, t: f64, row: &[f64]) -> Result<(), RunError> {
        (self.0, self.1) = (t, row.to_vec());
        Ok(())
    }
}

/// The first result at the end of a run, and the instance.
fn run(plan: Plan, code: Closures, stop_time: f64, solver: Solver) -> (f64, Instance) {
    let mut instance = Instance::new(Arc::new(plan), Arc::new(code)).unwrap();
    let experiment = Experiment { stop_time, solver, tolerance: 1e-8, ..Experiment::default() };
    let mut last = Last::default();
    simulate(&mut instance, &experiment, &mut last).unwrap();
    assert_eq!(last.0, stop_time);
    (last.1[0], instance)
}

#[test]
fn a_ball_bounces_at_the_right_times() {
    // It falls for sqrt(2/g); each flight takes half as long as the one before.
    let fall = (2.0_f64 / 9.81).sqrt();
    let since = 1.2 - (fall + fall + 0.5 * fall);
    let expected = 9.81 * fall / 8.0 * since - 0.5 * 9.81 * since * since;
    for solver in [Solver::Dopri5, Solver::Bdf] {
        let (plan, code) = ball();
        let (h, instance) = run(plan, code, 1.2, solver);
        assert!((h - expected).abs() < 1e-6, "{solver:?}: {h} and {expected}");
        assert!(instance.statistics().events >= 3);
    }
}

/// A rectifier: u = sin(6t) drives a capacitor through a resistor and an ideal diode.
/// Slots: 1 vC, 2 der(vC), 3 s, 4 diode voltage, 5 current, 6 residual, 7 off.
#[test]
fn a_rectifier_charges_through_its_ideal_diode() {
    let u = |t: f64| (6.0 * t).sin();
    let mut code = Closures::default();
    let residual = code.add(move |m, _| {
        m[4] = if m[7] != 0.0 { m[3] } else { 0.0 };
        m[5] = if m[7] != 0.0 { 0.0 } else { m[3] };
        m[6] = u(m[0]) - 0.5 * m[5] - m[4] - m[1];
    });
    let tangent = code.add(|m, d| {
        d[4] = if m[7] != 0.0 { d[3] } else { 0.0 };
        d[5] = if m[7] != 0.0 { 0.0 } else { d[3] };
        d[6] = -0.5 * d[5] - d[4] - d[1];
    });
    let discrete = code.add(|m, _| m[7] = truth(m[3] < 0.0));
    let f = code.add(|m, _| m[2] = m[5] - 0.3 * m[1]);
    let df = code.add(|_, d| d[2] = d[5] - 0.3 * d[1]);
    let crossings = code.add(|m, out| out[0] = -m[3]);
    let mut relations = cranelift_entity::PrimaryMap::new();
    let relation = relations.push(Relation { slot: s(7), kind: RelationKind::State, rest: None, label: label("s < 0") });
    let mut blocks = cranelift_entity::PrimaryMap::new();
    let frozen = blocks.push(block(BlockKind::Linear, &[3], &[6], residual, tangent));
    let live = Block { relations: vec![relation], discrete: Some(discrete), discrete_slots: vec![s(7)], ..blocks[frozen].clone() };
    let live = blocks.push(live);
    let plan = Plan {
        n_slots: 8,
        tangent_of: vec![(f, df)],
        blocks,
        states: vec![state("vC", 1, 2)],
        initial: schedule(&[Step::Block(live), Step::Kernel(f)]),
        event: schedule(&[Step::Block(live), Step::Kernel(f)]),
        derivatives: schedule(&[Step::Block(frozen), Step::Kernel(f)]),
        relations,
        crossings: Some(crossings),
        jacobian: dense(1),
        signals: vec![signal("vC", 1, 1.0, true)],
        ..Plan::default()
    };
    let (v, instance) = run(plan, code, 3.0, Solver::Bdf);
    // The same without events, by many small steps of Heun's method.
    let slope = |t: f64, v: f64| ((u(t) - v) / 0.5).max(0.0) - 0.3 * v;
    let (mut expected, h) = (0.0, 3.0 / 100_000.0);
    for k in 0..100_000 {
        let t = f64::from(k) * h;
        let first = slope(t, expected);
        expected += 0.5 * h * (first + slope(t + h, expected + h * first));
    }
    assert!((v - expected).abs() < 1e-6, "{v} and {expected}");
    assert!((4..=8).contains(&instance.statistics().events), "{:?}", instance.statistics());
}

/// der(x) = -x(t - 1). Slots: 1 x, 2 der(x), 3 delay, 4 delayed.
#[test]
fn a_delay_equation_follows_the_method_of_steps() {
    let mut code = Closures::default();
    let f = code.add(|m, _| m[2] = -m[4]);
    let df = code.add(|_, d| d[2] = -d[4]);
    let plan = Plan {
        n_slots: 5,
        initial_memory: vec![(s(1), 1.0), (s(3), 1.0)],
        tangent_of: vec![(f, df)],
        states: vec![state("x", 1, 2)],
        derivatives: schedule(&[Step::Kernel(f)]),
        delays: vec![Delay { source: s(1), delay: s(3), max: s(3), value: s(4) }],
        jacobian: dense(1),
        signals: vec![signal("x", 1, 1.0, true)],
        ..Plan::default()
    };
    let (x, _) = run(plan, code, 3.0, Solver::Bdf);
    assert!((x + 1.0 / 6.0).abs() < 1e-5, "{x}");
}

/// der(x) = -xs, xs sampled every 0.1. Slots: 1 x, 2 der(x), 3 xs, 4 pre(xs), 5 sample, 6 its pre, 7 start, 8 interval.
#[test]
fn a_sampled_feedback_is_exact() {
    let mut code = Closures::default();
    let f = code.add(|m, _| m[2] = -m[3]);
    let df = code.add(|_, d| d[2] = 0.0);
    let event = code.add(|m, _| {
        m[3] = if m[5] != 0.0 && m[6] == 0.0 { m[1] } else { m[4] };
        m[2] = -m[3];
    });
    let plan = Plan {
        n_slots: 9,
        initial_memory: vec![(s(1), 1.0), (s(8), 0.1)],
        tangent_of: vec![(f, df)],
        states: vec![state("x", 1, 2)],
        derivatives: schedule(&[Step::Kernel(f)]),
        event: schedule(&[Step::Kernel(event)]),
        pre: vec![PreSlot { current: s(3), pre: s(4), continuous: false }, PreSlot { current: s(5), pre: s(6), continuous: false }],
        samplers: vec![Sampler { active: s(5), start: s(7), interval: s(8), label: label("sample(0, 0.1)") }],
        jacobian: dense(1),
        signals: vec![signal("x", 1, 1.0, true)],
        ..Plan::default()
    };
    let (x, _) = run(plan, code, 1.0, Solver::Dopri5);
    assert!((x - 0.9_f64.powi(10)).abs() < 1e-12, "{x}");
}
