//! Systems of equations: solutions, reuse of factors, what has no solution.

use super::*;

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
        tangent_of: vec![(f, df)],
        blocks,
        states: vec![state("x", 1, 13), state("y", 2, 14)],
        derivatives: schedule(&[Step::Block(b0), Step::Block(b1), Step::Kernel(f)]),
        jacobian: dense(2),
        memory: crate::model::plan::MemoryPlan {
            n_slots: 16,
            initial_memory: vec![(s(1), 0.5), (s(2), -1.5), (s(15), 2.0)],
            slot_names: names.iter().map(|(slot, name)| (s(*slot), (*name).to_owned())).collect(),
            ..Default::default()
        },
        interface: crate::model::plan::InterfacePlan {
            settings: vec![Setting { name: "k".to_owned(), slot: s(15), default: 2.0, ty: SlotType::Real, is_start: false }],
            ..Default::default()
        },
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
fn a_linear_block_has_the_same_answer_from_any_guess() {
    let (plan, code) = loops();
    let (mut instance, x) = start(plan, code);
    let mut dx = [0.0; 2];
    instance.derivatives(0.0, &x, &mut dx).unwrap();
    let answer = instance.machine.memory[4..7].to_vec();
    let guesses = [[1e31, -3e30, 7e28], [1e150, 1.0, 1e-9], [f64::MAX, 1e300, -1e308], [f64::NAN, 0.0, f64::INFINITY]];
    for (guess, t) in guesses.into_iter().zip([1.0, 2.0, 3.0, 4.0]) {
        instance.machine.memory[4..7].copy_from_slice(&guess);
        instance.derivatives(t, &x, &mut dx).unwrap();
        for (found, wanted) in instance.machine.memory[4..7].iter().zip(&answer) {
            assert!((found - wanted).abs() < 1e-12, "{found} instead of {wanted} from {guess:?}");
        }
    }
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
        blocks,
        states: vec![state("x", 4, 5)],
        derivatives: schedule(&[Step::Block(b), Step::Kernel(f)]),
        jacobian: dense(1),
        memory: crate::model::plan::MemoryPlan {
            n_slots: 6,
            initial_memory: vec![(s(1), 100.0)],
            slot_names: vec![(s(1), "z".to_owned())],
            ..Default::default()
        },
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
        tangent_of: vec![(f, df)],
        block_patterns: if with_pattern { vec![(b, pattern)] } else { Vec::new() },
        blocks,
        states: vec![state("x", 2 + 2 * N, 3 + 2 * N)],
        derivatives: schedule(&[Step::Block(b), Step::Kernel(f)]),
        jacobian: dense(1),
        memory: crate::model::plan::MemoryPlan { n_slots: 4 + 2 * N, initial_memory: vec![(s(2 + 2 * N), 1.0)], ..Default::default() },
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
