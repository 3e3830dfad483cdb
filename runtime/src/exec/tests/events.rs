//! Events: relations, samples, thresholds, assertions, delays.

use super::*;

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
    let relation = relations.push(Relation {
        slot: s(6),
        kind: RelationKind::State,
        hysteresis: None,
        partner: None,
        sides: Sides::default(),
        label: label("s < 0"),
    });
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
        blocks,
        memory: crate::model::plan::MemoryPlan {
            n_slots: 8,
            initial_memory: vec![(s(1), 20.0)],
            slot_names: vec![(s(2), "diode.s".to_owned()), (s(7), "diode.off".to_owned())],
            ..Default::default()
        },
        start: crate::model::plan::StartPlan { initial: schedule(&[Step::Block(b)]), ..Default::default() },
        events: crate::model::plan::EventPlan { event: schedule(&[Step::Block(b)]), relations, ..Default::default() },
        crossing: crate::model::plan::CrossingPlan { crossings: Some(crossings), ..Default::default() },
        interface: crate::model::plan::InterfacePlan {
            settings: vec![Setting { name: "u".to_owned(), slot: s(1), default: 20.0, ty: SlotType::Real, is_start: false }],
            ..Default::default()
        },
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
        memory: crate::model::plan::MemoryPlan { n_slots: 7, initial_memory: vec![(s(6), 0.1)], ..Default::default() },
        events: crate::model::plan::EventPlan {
            event: schedule(&[Step::Kernel(event)]),
            pre: vec![PreSlot { current: s(1), pre: s(2), continuous: false }, PreSlot { current: s(3), pre: s(4), continuous: false }],
            samplers: vec![Sampler { active: s(1), start: s(5), interval: s(6), label: label("sample(0, 0.1)") }],
            ..Default::default()
        },
        interface: crate::model::plan::InterfacePlan {
            settings: vec![Setting { name: "T".to_owned(), slot: s(6), default: 0.1, ty: SlotType::Real, is_start: false }],
            ..Default::default()
        },
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
        relations.push(Relation {
            slot: s(slot),
            kind: RelationKind::Time,
            hysteresis: None,
            partner: None,
            sides: Sides::default(),
            label: label("time"),
        });
    }
    let plan = Plan {
        memory: crate::model::plan::MemoryPlan { n_slots: 5, ..Default::default() },
        events: crate::model::plan::EventPlan {
            event: schedule(&[Step::Kernel(event)]),
            event_time: Some(s(4)),
            relations,
            ..Default::default()
        },
        crossing: crate::model::plan::CrossingPlan { thresholds: Some(thresholds), ..Default::default() },
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

#[test]
fn an_event_that_never_settles_names_what_changes() {
    let mut code = Closures::default();
    let event = code.add(|m, _| m[1] = truth(m[2] == 0.0));
    let plan = Plan {
        memory: crate::model::plan::MemoryPlan { n_slots: 3, slot_names: vec![(s(1), "flipflop".to_owned())], ..Default::default() },
        events: crate::model::plan::EventPlan {
            event: schedule(&[Step::Kernel(event)]),
            pre: vec![PreSlot { current: s(1), pre: s(2), continuous: false }],
            ..Default::default()
        },
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
        let message =
            vec![MessagePart::Text(text.to_owned()), MessagePart::Value(s(1), crate::base::format::Format::Plain(SlotType::Real))];
        Action { trigger: s(trigger), kind, message, condition: Vec::new(), label: label("assert(x < 5)") }
    };
    let mut relations = cranelift_entity::PrimaryMap::new();
    relations.push(Relation {
        slot: s(6),
        kind: RelationKind::State,
        hysteresis: None,
        partner: None,
        sides: Sides::default(),
        label: label("x > 3"),
    });
    let plan = Plan {
        states: vec![state("x", 1, 2)],
        derivatives: schedule(&[Step::Kernel(f)]),
        outputs: schedule(&[Step::Kernel(outputs)]),
        jacobian: dense(1),
        memory: crate::model::plan::MemoryPlan { n_slots: 8, ..Default::default() },
        events: crate::model::plan::EventPlan {
            event: schedule(&[Step::Kernel(event)]),
            relations,
            pre: vec![PreSlot { current: s(6), pre: s(7), continuous: false }],
            actions: vec![
                action(3, ActionKind::AssertError, "too large: "),
                action(4, ActionKind::AssertWarning, "large: "),
                action(5, ActionKind::Terminate, "done at "),
            ],
            ..Default::default()
        },
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
    relations.push(Relation {
        slot: s(6),
        kind: RelationKind::Time,
        hysteresis: None,
        partner: None,
        sides: Sides::default(),
        label: label("time >= 1"),
    });
    let plan = Plan {
        states: vec![state("x", 1, 2)],
        derivatives: schedule(&[Step::Kernel(f)]),
        jacobian: dense(1),
        memory: crate::model::plan::MemoryPlan { n_slots: 7, initial_memory: vec![(s(1), 2.0), (s(4), 0.5)], ..Default::default() },
        start: crate::model::plan::StartPlan { initial: schedule(&[Step::Kernel(event)]), ..Default::default() },
        events: crate::model::plan::EventPlan { event: schedule(&[Step::Kernel(event)]), relations, ..Default::default() },
        crossing: crate::model::plan::CrossingPlan { thresholds: Some(thresholds), ..Default::default() },
        past: crate::model::plan::PastPlan {
            delays: vec![Delay { source: s(3), delay: s(4), max: s(4), value: s(5) }],
            ..Default::default()
        },
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
fn terminal_is_true_in_the_last_event_only() {
    let mut code = Closures::default();
    let event = code.add(|m, _| {
        m[2] += m[1];
    });
    let plan = Plan {
        memory: crate::model::plan::MemoryPlan { n_slots: 3, ..Default::default() },
        events: crate::model::plan::EventPlan { event: schedule(&[Step::Kernel(event)]), terminal_flag: Some(s(1)), ..Default::default() },
        ..Plan::default()
    };
    let (mut instance, _) = start(plan, code);
    assert_eq!(instance.machine.memory[2], 0.0);
    instance.terminal(1.0, &mut []).unwrap();
    assert_eq!(instance.machine.memory[1..], [0.0, 1.0]);
}
