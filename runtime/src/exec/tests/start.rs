//! Initial values that are hard to find.

use super::*;

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
        blocks,
        memory: crate::model::plan::MemoryPlan {
            n_slots: 6,
            initial_memory: vec![(s(1), 0.5), (s(3), 1.0)],
            slot_names: vec![(s(1), "z".to_owned())],
            ..Default::default()
        },
        start: crate::model::plan::StartPlan { initial: schedule(&[Step::Block(b)]), homotopy, ..Default::default() },
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
    let plan = Plan {
        blocks,
        memory: crate::model::plan::MemoryPlan { n_slots: 5, ..Default::default() },
        start: crate::model::plan::StartPlan { initial: schedule(&[Step::Block(b)]), ..Default::default() },
        ..Plan::default()
    };
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

/// z^2 = 4 with the simplified form z = 2.5, from the start 1.5: the path ends where the start leads directly.
/// Slots: 1 z, 2 residual, 3 homotopy.
#[test]
fn a_path_is_not_followed_where_the_simplified_model_leads_to_the_same_start() {
    let mut code = Closures::default();
    let residual = code.add(|m, _| m[2] = m[3] * (m[1] * m[1] - 4.0) + (1.0 - m[3]) * (m[1] - 2.5));
    let tangent = code.add(|m, d| d[2] = (m[3] * 2.0 * m[1] + (1.0 - m[3])) * d[1]);
    let mut blocks = cranelift_entity::PrimaryMap::new();
    let b = blocks.push(block(BlockKind::Nonlinear, &[1], &[2], residual, tangent));
    let plan = Plan {
        blocks,
        memory: crate::model::plan::MemoryPlan {
            n_slots: 4,
            initial_memory: vec![(s(1), 1.5), (s(3), 1.0)],
            slot_names: vec![(s(1), "z".to_owned())],
            ..Default::default()
        },
        start: crate::model::plan::StartPlan { initial: schedule(&[Step::Block(b)]), homotopy: Some(s(3)), ..Default::default() },
        ..Plan::default()
    };
    let (instance, _) = start(plan, code);
    assert_eq!((instance.machine.memory[1], instance.machine.memory[3]), (2.0, 1.0));
    // Directly, the simplified model, and one step from it.
    assert_eq!(instance.statistics().block_solves, 3);
}
