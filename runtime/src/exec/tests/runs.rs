//! Whole runs whose results are known.

use super::*;

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
    let relation = relations.push(Relation {
        slot: s(7),
        kind: RelationKind::State,
        hysteresis: None,
        partner: None,
        sides: Sides::default(),
        label: label("s < 0"),
    });
    let mut blocks = cranelift_entity::PrimaryMap::new();
    let frozen = blocks.push(block(BlockKind::Linear, &[3], &[6], residual, tangent));
    let live = Block { relations: vec![relation], discrete: Some(discrete), discrete_slots: vec![s(7)], ..blocks[frozen].clone() };
    let live = blocks.push(live);
    let plan = Plan {
        tangent_of: vec![(f, df)],
        blocks,
        states: vec![state("vC", 1, 2)],
        derivatives: schedule(&[Step::Block(frozen), Step::Kernel(f)]),
        jacobian: dense(1),
        memory: crate::model::plan::MemoryPlan { n_slots: 8, ..Default::default() },
        start: crate::model::plan::StartPlan { initial: schedule(&[Step::Block(live), Step::Kernel(f)]), ..Default::default() },
        events: crate::model::plan::EventPlan { event: schedule(&[Step::Block(live), Step::Kernel(f)]), relations, ..Default::default() },
        crossing: crate::model::plan::CrossingPlan { crossings: Some(crossings), ..Default::default() },
        interface: crate::model::plan::InterfacePlan { signals: vec![signal("vC", 1, 1.0, true)], ..Default::default() },
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
        tangent_of: vec![(f, df)],
        states: vec![state("x", 1, 2)],
        derivatives: schedule(&[Step::Kernel(f)]),
        jacobian: dense(1),
        memory: crate::model::plan::MemoryPlan { n_slots: 5, initial_memory: vec![(s(1), 1.0), (s(3), 1.0)], ..Default::default() },
        past: crate::model::plan::PastPlan {
            delays: vec![Delay { source: s(1), delay: s(3), max: s(3), value: s(4) }],
            ..Default::default()
        },
        interface: crate::model::plan::InterfacePlan { signals: vec![signal("x", 1, 1.0, true)], ..Default::default() },
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
        tangent_of: vec![(f, df)],
        states: vec![state("x", 1, 2)],
        derivatives: schedule(&[Step::Kernel(f)]),
        jacobian: dense(1),
        memory: crate::model::plan::MemoryPlan { n_slots: 9, initial_memory: vec![(s(1), 1.0), (s(8), 0.1)], ..Default::default() },
        events: crate::model::plan::EventPlan {
            event: schedule(&[Step::Kernel(event)]),
            pre: vec![PreSlot { current: s(3), pre: s(4), continuous: false }, PreSlot { current: s(5), pre: s(6), continuous: false }],
            samplers: vec![Sampler { active: s(5), start: s(7), interval: s(8), label: label("sample(0, 0.1)") }],
            ..Default::default()
        },
        interface: crate::model::plan::InterfacePlan { signals: vec![signal("x", 1, 1.0, true)], ..Default::default() },
        ..Plan::default()
    };
    let (x, _) = run(plan, code, 1.0, Solver::Dopri5);
    assert!((x - 0.9_f64.powi(10)).abs() < 1e-12, "{x}");
}
