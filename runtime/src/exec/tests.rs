//! Runs of small models whose kernels are written by hand.

mod blocks;
mod events;
mod runs;
mod start;

use super::{Instance, SetError};
use crate::abi::{Environment, KernelFailure, Kernels};
use crate::base::error::RunError;
use crate::integrate::{Experiment, Sink, Solver, simulate};
use crate::model::interface::{EventCause, HybridModel};
use crate::model::plan::*;
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
    State { slot: s(slot), der: s(der), declared: Declared::default(), name: name.to_owned() }
}

fn signal(name: &str, slot: usize, factor: f64, varies: bool) -> Signal {
    let source = SignalSource { slot: s(slot), factor, offset: 0.0 };
    let (name, ty) = (name.to_owned(), SlotType::Real);
    Signal {
        name,
        description: String::new(),
        unit: String::new(),
        display_unit: String::new(),
        ty,
        source,
        varies,
        protected: false,
        derivative: false,
    }
}

fn dense(n: usize) -> Pattern {
    Pattern { n_rows: n, col_starts: (0..=n).map(|j| j * n).collect(), rows: (0..n * n).map(|k| k % n).collect() }
}

fn schedule(steps: &[Step]) -> Schedule {
    Schedule { steps: steps.to_vec(), ..Schedule::default() }
}

fn block(kind: BlockKind, unknowns: &[usize], residuals: &[usize], residual: KernelId, tangent: KernelId) -> Block {
    let n = unknowns.len();
    Block {
        kind,
        unknowns: unknowns.iter().map(|&i| s(i)).collect(),
        residuals: residuals.iter().map(|&i| s(i)).collect(),
        residual,
        tangent,
        jacobian_product: None,
        linearisation: None,
        frozen: false,
        declared: vec![Declared::default(); n],
        relations: Vec::new(),
        relation_values: None,
        margins: None,
        discrete: None,
        discrete_slots: Vec::new(),
        closed: None,
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
        tangent_of: vec![(f, df)],
        states: vec![state("i", 1, 3), state("w", 2, 4)],
        derivatives: schedule(&[Step::Kernel(f)]),
        outputs: schedule(&[Step::Kernel(outputs)]),
        jacobian: dense(2),
        memory: crate::model::plan::MemoryPlan {
            n_slots: 8,
            initial_memory: vec![(s(1), 0.25), (s(2), 3.0), (s(5), 1.0)],
            slot_names: vec![(s(6), "torque".to_owned()), (s(5), "R".to_owned())],
            ..Default::default()
        },
        start: crate::model::plan::StartPlan { parameters: schedule(&[Step::Kernel(parameters)]), ..Default::default() },
        interface: crate::model::plan::InterfacePlan {
            signals: vec![signal("i", 1, 1.0, true), signal("minus_torque", 6, -1.0, true), signal("R2", 7, 1.0, false)],
            settings: vec![Setting { name: "motor.R".to_owned(), slot: s(5), default: 1.0, ty: SlotType::Real, is_start: false }],
            kept: vec![Kept { name: "motor.k".to_owned(), reason: "it is a constant".to_owned(), place: (0, 0), rebuild: false }],
            ..Default::default()
        },
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
    assert!(matches!(instance.set("motor.k", 4.0), Err(SetError::Kept { .. })));
    assert!(matches!(instance.set("motor.R", f64::NAN), Err(SetError::WrongType { .. })));
}

#[test]
fn a_derivative_that_is_not_a_number_names_its_cause() {
    let mut code = Closures::default();
    let first = code.add(|m, _| m[3] = (-m[1]).sqrt());
    let second = code.add(|m, _| m[2] = m[3] + 1.0);
    let plan = Plan {
        states: vec![state("x", 1, 2)],
        derivatives: schedule(&[Step::Kernel(first), Step::Kernel(second)]),
        jacobian: dense(1),
        memory: crate::model::plan::MemoryPlan {
            n_slots: 4,
            initial_memory: vec![(s(1), 1.0)],
            slot_names: vec![(s(3), "root".to_owned())],
            ..Default::default()
        },
        ..Plan::default()
    };
    let (mut instance, x) = start(plan, code);
    let failure = instance.derivatives(0.0, &x, &mut [0.0]).unwrap_err();
    assert_eq!(failure.reason, "der(x) is not a number");
    assert_eq!(failure.notes, ["first of all root became not a number"]);
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
    relations.push(Relation {
        slot: s(5),
        kind: RelationKind::State,
        hysteresis: None,
        partner: None,
        sides: Sides::default(),
        label: label("h <= 0"),
    });
    let plan = Plan {
        tangent_of: vec![(f, df)],
        states: vec![state("h", 1, 3), state("v", 2, 4)],
        derivatives: schedule(&[Step::Kernel(f)]),
        jacobian: dense(2),
        memory: crate::model::plan::MemoryPlan { n_slots: 9, initial_memory: vec![(s(1), 1.0)], ..Default::default() },
        start: crate::model::plan::StartPlan { initial: schedule(&[Step::Kernel(event)]), ..Default::default() },
        events: crate::model::plan::EventPlan {
            event: schedule(&[Step::Kernel(event)]),
            relations,
            pre: vec![PreSlot { current: s(5), pre: s(6), continuous: false }],
            reinits: vec![Reinit { active: s(7), value: s(8), state: s(2), label: label("reinit(v, -0.5*v)") }],
            ..Default::default()
        },
        crossing: crate::model::plan::CrossingPlan { crossings: Some(crossings), ..Default::default() },
        interface: crate::model::plan::InterfacePlan { signals: vec![signal("h", 1, 1.0, true)], ..Default::default() },
        ..Plan::default()
    };
    (plan, code)
}

#[test]
fn a_plan_with_an_index_out_of_range_is_refused() {
    let (mut plan, code) = motor();
    plan.states[0].der = s(100);
    let error = Instance::new(Arc::new(plan), Arc::new(code)).err().unwrap();
    assert_eq!(error.code, "R106");
}
