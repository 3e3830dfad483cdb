//! Random systems against the certificates of the structural algorithms, and broken results the certificates must catch.

use cranelift_entity::{EntityRef, SecondaryMap};
use partita::frontend::flat::StateSelect;
use partita::structure::blt::{self, Block, Blocks};
use partita::structure::check::{self, Violation};
use partita::structure::dulmage_mendelsohn::{Subsystem, decompose};
use partita::structure::incidence::{Col, DerivativeChains, Entry, Incidence, Row, Solvability};
use partita::structure::matching::{Matching, any_entry, by_solvability, maximum_matching};
use partita::structure::pantelides::{Differentiations, Singular, differentiate};
use partita::structure::states::{Certainty, NoStates, Preference, StateProblem, StateSelection, select_states};
use partita::structure::tearing::{TearingOptions, tear};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngAlgorithm, RngSeed, TestRng, TestRunner};

/// Small systems, many of them; fixed seeds so that every run tests the same ones.
fn config() -> ProptestConfig {
    ProptestConfig { cases: 10_000, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() }
}

fn solvability() -> impl Strategy<Value = Solvability> {
    prop_oneof![
        10 => Just(Solvability::Safe),
        4 => Just(Solvability::Risky),
        4 => Just(Solvability::Nonlinear),
        1 => Just(Solvability::Assigned),
        1 => Just(Solvability::Forbidden),
    ]
}

/// A row from (column, solvability) pairs; columns are taken modulo the number of columns.
fn row(cells: &[(usize, Solvability)], n_cols: usize) -> Vec<Entry> {
    let mut entries: Vec<Entry> = cells.iter().map(|&(col, solvability)| Entry { col: Col::new(col % n_cols), solvability }).collect();
    entries.sort_by_key(|entry| entry.col);
    entries.dedup_by_key(|entry| entry.col);
    entries
}

/// Any incidence: rectangular, empty rows, empty columns.
fn incidence() -> impl Strategy<Value = Incidence> {
    let cells = prop::collection::vec((0..64_usize, solvability()), 0..5);
    (prop::collection::vec(cells, 1..12), 1..12_usize).prop_map(|(rows, n_cols)| {
        let mut incidence = Incidence { n_cols, ..Incidence::default() };
        for cells in rows {
            incidence.rows.push(row(&cells, n_cols));
        }
        incidence
    })
}

/// A square incidence with a perfect matching, planted on a shifted diagonal.
fn regular(continuous_only: bool) -> impl Strategy<Value = Incidence> {
    let cells = prop::collection::vec((0..64_usize, solvability()), 1..5);
    (prop::collection::vec(cells, 1..10), 0..64_usize).prop_map(move |(mut rows, shift)| {
        let n = rows.len();
        let mut incidence = Incidence { n_cols: n, ..Incidence::default() };
        for (at, cells) in rows.iter_mut().enumerate() {
            if continuous_only {
                cells.retain(|(_, s)| !matches!(s, Solvability::Assigned | Solvability::Forbidden));
            }
            let assigns = cells.iter().any(|&(_, s)| s == Solvability::Assigned);
            let planted = if assigns { Solvability::Assigned } else { Solvability::Risky };
            let mut entries = row(cells, n);
            let col = Col::new((at + shift) % n);
            match entries.binary_search_by_key(&col, |entry| entry.col) {
                Ok(place) if entries[place].solvability == Solvability::Forbidden || assigns => {
                    entries[place].solvability = planted;
                }
                Ok(_) => {}
                Err(place) => entries.insert(place, Entry { col, solvability: planted }),
            }
            incidence.rows.push(entries);
        }
        incidence
    })
}

/// A system with derivative chains of length one to three, in which every equation has an unknown of a chain of its own.
fn tangle() -> impl Strategy<Value = (Incidence, DerivativeChains)> {
    let chain = (1..4_usize, prop::collection::vec((0..64_usize, 0..3_usize), 0..4), 0..3_usize);
    (prop::collection::vec(chain, 1..8), prop::collection::vec(solvability(), 8), any::<bool>()).prop_map(|(specs, kinds, planted)| {
        let mut chains = DerivativeChains::default();
        let mut cols_of: Vec<Vec<Col>> = Vec::new();
        let mut n_cols = 0;
        for (length, _, _) in &specs {
            let cols: Vec<Col> = (n_cols..n_cols + length).map(Col::new).collect();
            for pair in cols.windows(2) {
                chains.der_of[pair[0]] = pair[1].into();
                chains.integral_of[pair[1]] = pair[0].into();
            }
            n_cols += length;
            cols_of.push(cols);
        }
        let mut incidence = Incidence { n_cols, ..Incidence::default() };
        for (at, (_, cells, own_order)) in specs.iter().enumerate() {
            let pick = |chain: usize, order: usize| {
                let cols: &Vec<Col> = &cols_of[chain % cols_of.len()];
                cols[order.min(cols.len() - 1)].index()
            };
            let mut cells: Vec<(usize, Solvability)> = cells
                .iter()
                .zip(&kinds)
                .map(|(&(chain, order), &kind)| match kind {
                    // Discrete unknowns have no derivatives; keep this generator to continuous equations.
                    Solvability::Assigned | Solvability::Forbidden => (pick(chain, order), Solvability::Safe),
                    kind => (pick(chain, order), kind),
                })
                .collect();
            if planted {
                cells.push((pick(at, *own_order), Solvability::Safe));
            }
            incidence.rows.push(row(&cells, n_cols));
        }
        (incidence, chains)
    })
}

/// Bodies with constraints: x_i' = v_i, v_i' = sum of the forces of the constraints on x_i, g_j(x) = 0.
fn mechanism() -> impl Strategy<Value = (Incidence, DerivativeChains)> {
    let kind = prop_oneof![Just(Solvability::Safe), Just(Solvability::Risky), Just(Solvability::Nonlinear)];
    let constraint = prop::collection::vec((0..64_usize, kind), 1..4);
    (2..7_usize, prop::collection::vec(constraint, 1..5)).prop_map(|(n, constraints)| {
        // Unknowns x, x', v, v' of body i are 4i .. 4i + 3; then the forces.
        let n_cols = 4 * n + constraints.len();
        let mut incidence = Incidence { n_cols, ..Incidence::default() };
        let mut chains = DerivativeChains::default();
        for at in (0..4 * n).step_by(2) {
            chains.der_of[Col::new(at)] = Col::new(at + 1).into();
            chains.integral_of[Col::new(at + 1)] = Col::new(at).into();
        }
        for at in (0..4 * n).step_by(4) {
            incidence.rows.push(row(&[(at + 1, Solvability::Safe), (at + 2, Solvability::Safe)], n_cols));
            let acts = |cells: &[(usize, Solvability)]| cells.iter().any(|&(body, _)| 4 * (body % n) == at);
            let forces = (0..constraints.len()).filter(|&force| acts(&constraints[force]));
            let forces = forces.map(|force| (4 * n + force, Solvability::Risky));
            incidence.rows.push(row(&[(at + 3, Solvability::Safe)].into_iter().chain(forces).collect::<Vec<_>>(), n_cols));
        }
        for cells in &constraints {
            let cells: Vec<(usize, Solvability)> = cells.iter().map(|&(body, kind)| (4 * (body % n), kind)).collect();
            incidence.rows.push(row(&cells, n_cols));
        }
        (incidence, chains)
    })
}

/// Systems with derivatives.
fn dynamic() -> impl Strategy<Value = (Incidence, DerivativeChains)> {
    prop_oneof![tangle(), mechanism()]
}

/// The system with every chain taken for one unknown, and the lowest unknown of each chain.
fn merged(incidence: &Incidence, chains: &DerivativeChains) -> (Incidence, Vec<Col>) {
    let lowest = |mut col: Col| {
        while let Some(below) = chains.integral_of[col].expand() {
            col = below;
        }
        col
    };
    let roots: Vec<Col> = incidence.cols().filter(|&col| chains.integral_of[col].is_none()).collect();
    let mut merged = Incidence { n_cols: roots.len(), ..Incidence::default() };
    for entries in incidence.rows.values() {
        let cells: Vec<(usize, Solvability)> =
            entries.iter().map(|entry| (roots.binary_search(&lowest(entry.col)).unwrap(), entry.solvability)).collect();
        merged.rows.push(row(&cells, roots.len()));
    }
    (merged, roots)
}

fn perfect(incidence: &Incidence) -> Matching {
    let matching = maximum_matching(incidence, any_entry, by_solvability);
    assert!(matching.is_perfect(incidence));
    matching
}

fn problem<'a>(
    reduced: &'a Differentiations,
    preference: &'a SecondaryMap<Col, Preference>,
    coefficient: &'a dyn Fn(Row, Col) -> Option<f64>,
) -> StateProblem<'a> {
    StateProblem { incidence: &reduced.incidence, chains: &reduced.chains, derivative_of: &reduced.derivative_of, preference, coefficient }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn matchings_are_maximum(incidence in incidence(), safe_only in any::<bool>()) {
        let allowed = |entry: &Entry| !safe_only || matches!(entry.solvability, Solvability::Safe | Solvability::Assigned);
        let mut matching = maximum_matching(&incidence, allowed, by_solvability);
        check::matching(&incidence, allowed, &matching).unwrap();
        let parts = decompose(&incidence, allowed, &matching);
        check::parts(&incidence, allowed, &parts).unwrap();
        prop_assert_eq!(parts.is_regular(), matching.is_perfect(&incidence));

        // Broken: a wrong size, a pair short, a pair that is no entry.
        matching.size += 1;
        prop_assert!(check::matching(&incidence, allowed, &matching).is_err());
        matching.size -= 1;
        let first = matching.pairs().next();
        if let Some((row, col)) = first {
            matching.col_of[row] = None.into();
            matching.row_of[col] = None.into();
            matching.size -= 1;
            prop_assert!(check::matching(&incidence, allowed, &matching).is_err());
            let other = matching.unmatched_cols(&incidence).find(|&c| incidence.entry(row, c).is_none());
            if let Some(other) = other {
                matching.pair(row, other);
                prop_assert!(matches!(check::matching(&incidence, allowed, &matching), Err(Violation::BadPair(..))));
            }
        }
    }

    #[test]
    fn parts_are_proved(incidence in incidence()) {
        let matching = maximum_matching(&incidence, any_entry, by_solvability);
        let parts = decompose(&incidence, any_entry, &matching);
        // Broken: an equation of an over-determined part given to the well-determined one, a part forgotten.
        if let Some(over) = parts.over.first() {
            let mut broken = parts.clone();
            broken.over[0].rows.pop();
            broken.well.rows.push(*over.rows.last().unwrap());
            prop_assert!(check::parts(&incidence, any_entry, &broken).is_err());
            let mut broken = parts.clone();
            broken.over.remove(0);
            prop_assert!(check::parts(&incidence, any_entry, &broken).is_err());
        }
    }

    #[test]
    fn blocks_are_loops_in_order(incidence in regular(false)) {
        let matching = maximum_matching(&incidence, any_entry, by_solvability);
        check::matching(&incidence, any_entry, &matching).unwrap();
        let sorted = blt::sort(&incidence, &matching);
        check::blocks(&incidence, &matching, &sorted).unwrap();

        // Broken: two neighbours joined, a loop split, a block lost, the order reversed where it matters.
        if sorted.blocks.len() > 1 {
            let mut joined = sorted.clone();
            let last = joined.blocks.pop().unwrap();
            let before = joined.blocks.last_mut().unwrap();
            before.rows.extend(last.rows);
            before.cols.extend(last.cols);
            prop_assert!(matches!(check::blocks(&incidence, &matching, &joined), Err(Violation::NotConnected(_))));
            let mut lost = sorted.clone();
            lost.blocks.remove(0);
            prop_assert!(check::blocks(&incidence, &matching, &lost).is_err());
        }
        if let Some(at) = sorted.blocks.iter().position(|block| block.len() > 1) {
            let mut split = sorted.clone();
            let whole = split.blocks[at].clone();
            let part = |range: std::ops::Range<usize>| Block {
                rows: whole.rows[range.clone()].to_vec(),
                cols: whole.cols[range].to_vec(),
            };
            split.blocks.splice(at..=at, [part(0..1), part(1..whole.len())]);
            prop_assert!(matches!(check::blocks(&incidence, &matching, &split), Err(Violation::Edge(..))));
        }
        let first = &sorted.blocks[0];
        let needed = sorted.blocks.iter().skip(1).any(|block| {
            block.rows.iter().any(|&row| incidence.rows[row].iter().any(|entry| first.cols.contains(&entry.col)))
        });
        if needed {
            let reversed = Blocks { blocks: sorted.blocks.iter().rev().cloned().collect() };
            prop_assert!(matches!(check::blocks(&incidence, &matching, &reversed), Err(Violation::Edge(..))));
        }
    }

    #[test]
    fn differentiations_are_sufficient_and_necessary((incidence, chains) in dynamic()) {
        match differentiate(&incidence, &chains) {
            Ok(mut result) => {
                check::offsets(&incidence, &chains, &result).unwrap();
                let order_before = |col: Col| result.new_cols.iter().all(|new| new.col != col || new.of < col);
                prop_assert!(result.incidence.cols().all(order_before));

                // Broken: one differentiation more or less than was made, and a pair lost.
                let row = Row::new(0);
                result.count_of[row] += 1;
                prop_assert!(check::offsets(&incidence, &chains, &result).is_err());
                result.count_of[row] -= 1;
                if result.count_of[row] > 0 {
                    result.count_of[row] -= 1;
                    prop_assert!(check::offsets(&incidence, &chains, &result).is_err());
                    result.count_of[row] += 1;
                }
                let (row, _) = result.matching.pairs().next().unwrap();
                result.matching.col_of[row] = None.into();
                prop_assert!(check::offsets(&incidence, &chains, &result).is_err());
            }
            Err(Singular::Structure(mut parts)) => {
                let (merged, roots) = merged(&incidence, &chains);
                for part in parts.over.iter_mut().chain(&mut parts.under).chain([&mut parts.well]) {
                    for col in &mut part.cols {
                        *col = Col::new(roots.binary_search(col).unwrap());
                    }
                }
                prop_assert!(!parts.is_regular());
                check::parts(&merged, any_entry, &parts).unwrap();
            }
            Err(Singular::Assignment { .. }) => prop_assert!(false, "there are no assignments"),
        }
    }

    #[test]
    fn differentiating_all_again_is_not_smallest((incidence, chains) in dynamic()) {
        // Ask for the derivative of every highest derivative: then all equations must be differentiated once more, and
        // those offsets are not the smallest ones of the original system.
        let mut longer = chains.clone();
        let mut wider = incidence.clone();
        for col in incidence.cols().filter(|&col| chains.der_of[col].is_none()) {
            let derivative = Col::new(wider.n_cols);
            wider.n_cols += 1;
            longer.der_of[col] = derivative.into();
            longer.integral_of[derivative] = col.into();
        }
        if let (Ok(once), Ok(mut more)) = (differentiate(&incidence, &chains), differentiate(&wider, &longer)) {
            check::offsets(&wider, &longer, &more).unwrap();
            for row in incidence.rows.keys() {
                prop_assert_eq!(more.count_of[row], once.count_of[row] + 1);
            }
            // As a result for the original system.
            let added = (incidence.n_cols..wider.n_cols).map(|at| {
                let col = Col::new(at);
                partita::structure::pantelides::NewCol { of: longer.integral_of[col].unwrap(), col }
            });
            more.new_cols.splice(0..0, added);
            prop_assert!(matches!(check::offsets(&incidence, &chains, &more), Err(Violation::NotSmallest(_))));
        }
    }

    #[test]
    fn selected_states_leave_a_regular_system((incidence, chains) in dynamic(), wanted in 0..64_usize, seed in any::<u64>()) {
        let Ok(reduced) = differentiate(&incidence, &chains) else { return Ok(()) };
        let mut preference: SecondaryMap<Col, Preference> = SecondaryMap::new();
        let always = Col::new(wanted % incidence.n_cols);
        preference[always].select = StateSelect::Always;
        let generic = problem(&reduced, &preference, &|_, _| None);
        let selection = select_states(&generic).unwrap();
        check::states(&generic, &selection).unwrap();

        // `Always` is overruled only if no other choice exists (or if the unknown has no derivative at all).
        if !selection.overruled.is_empty() && reduced.chains.der_of[always].is_some() {
            let lower = |mut col: Col| loop {
                if col == always { return true }
                match reduced.chains.integral_of[col].expand() { Some(below) => col = below, None => return false }
            };
            let choice = selection.choices.iter().find(|choice| {
                choice.follows.is_none() && choice.dummies.iter().any(|&dummy| lower(dummy))
            });
            let choice = choice.expect("a dummy of the chain was chosen on the highest level");
            let mut rest = Incidence { n_cols: reduced.incidence.n_cols, ..Incidence::default() };
            for &row in &choice.rows {
                let others = reduced.incidence.rows[row].iter().copied();
                rest.rows.push(others.filter(|e| choice.candidates.contains(&e.col) && !lower(e.col)).collect());
            }
            prop_assert!(maximum_matching(&rest, any_entry, |_| 0).size < choice.rows.len());
        }

        // Broken: a dummy fewer, a state too many.
        if !selection.dummies.is_empty() {
            let mut broken = selection.clone();
            let dummy = broken.dummies.pop().unwrap();
            prop_assert!(check::states(&generic, &broken).is_err());
            let mut broken = selection.clone();
            broken.states.push(reduced.chains.integral_of[dummy].unwrap());
            prop_assert!(check::states(&generic, &broken).is_err());
        }

        // With constant coefficients of plus and minus one a singular choice is refused or nothing is left to choose.
        let coefficient = |row: Row, col: Col| {
            let mut lowest = col;
            while let Some(below) = reduced.chains.integral_of[lowest].expand() { lowest = below }
            let bit = (row.index() * 31 + lowest.index() * 17 + seed as usize % 64) % 5;
            Some(if bit < 3 { 1.0 } else { -1.0 })
        };
        let numeric = problem(&reduced, &preference, &coefficient);
        match select_states(&numeric) {
            Ok(selection) => {
                check::states(&numeric, &selection).unwrap();
                for choice in &selection.choices {
                    prop_assert!(determinant(&numeric, &choice.rows, &choice.dummies) != 0.0);
                }
            }
            Err(NoStates::Dependent { rows, cols, redundant }) => {
                prop_assert!(!redundant.is_empty());
                prop_assert!(rank(&numeric, &rows, &cols) < rows.len());
            }
            Err(NoStates::Structure(_)) => prop_assert!(false, "the highest derivatives can be matched"),
        }
    }

    #[test]
    fn torn_blocks_are_assignable(incidence in regular(true), allow_risky in any::<bool>()) {
        let options = TearingOptions { allow_risky };
        let matching = perfect(&incidence);
        for block in &blt::sort(&incidence, &matching).blocks {
            let mut torn = tear(&incidence, block, &options);
            check::torn(&incidence, block, &options, &torn).unwrap();
            prop_assert_eq!(&torn, &tear(&incidence, block, &options));

            // Broken: an assignment lost, a tearing unknown assigned beyond what is known, the order reversed.
            let lost = torn.inner.pop();
            prop_assert_eq!(check::torn(&incidence, block, &options, &torn).is_err(), lost.is_some());
            torn.inner.extend(lost);
            if block.len() > 1 {
                let mut broken = torn.clone();
                let (row, col) = broken.iteration.remove(0);
                broken.inner.push((row, col));
                prop_assert!(check::torn(&incidence, block, &options, &broken).is_err());
            }
            let depends = torn.inner.iter().enumerate().any(|(at, &(row, _))| {
                torn.inner[..at].iter().any(|&(_, col)| incidence.entry(row, col).is_some())
            });
            torn.inner.reverse();
            prop_assert_eq!(check::torn(&incidence, block, &options, &torn).is_err(), depends);
        }
    }
}

/// The matrix of coefficients of some equations and unknowns.
fn matrix(problem: &StateProblem<'_>, rows: &[Row], cols: &[Col]) -> Vec<Vec<f64>> {
    let at = |row, col| match problem.incidence.entry(row, col) {
        Some(_) => (problem.coefficient)(row, col).unwrap(),
        None => 0.0,
    };
    rows.iter().map(|&row| cols.iter().map(|&col| at(row, col)).collect()).collect()
}

/// The rank of a small matrix of plus and minus ones, by elimination with full pivoting.
fn rank(problem: &StateProblem<'_>, rows: &[Row], cols: &[Col]) -> usize {
    let mut matrix = matrix(problem, rows, cols);
    let mut rank = 0;
    for col in 0..cols.len() {
        let Some(pivot) = (rank..matrix.len()).max_by(|&a, &b| matrix[a][col].abs().total_cmp(&matrix[b][col].abs())) else {
            break;
        };
        if matrix[pivot][col].abs() < 1e-9 {
            continue;
        }
        matrix.swap(rank, pivot);
        let top = matrix[rank].clone();
        for below in &mut matrix[rank + 1..] {
            let factor = below[col] / top[col];
            below.iter_mut().zip(&top).for_each(|(value, top)| *value -= factor * top);
        }
        rank += 1;
    }
    rank
}

/// Not zero if the square matrix is regular.
fn determinant(problem: &StateProblem<'_>, rows: &[Row], cols: &[Col]) -> f64 {
    if rank(problem, rows, cols) == rows.len() { 1.0 } else { 0.0 }
}

/// The least number of tearing unknowns, by trying all subsets.
fn least_tears(incidence: &Incidence, block: &Block, options: &TearingOptions) -> u32 {
    let n = block.len();
    let cells: Vec<Vec<(usize, bool)>> = block
        .rows
        .iter()
        .map(|&row| {
            let inside = |entry: &Entry| Some((block.cols.iter().position(|&c| c == entry.col)?, options.solvable(entry)));
            incidence.rows[row].iter().filter_map(inside).collect()
        })
        .collect();
    let assignable = |torn: u32| {
        let mut known = torn;
        loop {
            let before = known;
            for row in &cells {
                let mut open = row.iter().filter(|&&(col, _)| known & 1 << col == 0);
                if let (Some(&(col, true)), None) = (open.next(), open.next()) {
                    known |= 1 << col;
                }
            }
            if known == before {
                return known == (1 << n) - 1;
            }
        }
    };
    (0..1_u32 << n).filter(|&torn| assignable(torn)).map(u32::count_ones).min().unwrap_or(0)
}

#[test]
fn tearing_is_near_the_optimum() {
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(ProptestConfig::default(), rng);
    let options = TearingOptions { allow_risky: true };
    let (mut found, mut least) = (0, 0);
    for _ in 0..5000 {
        let incidence = regular(true).new_tree(&mut runner).unwrap().current();
        let matching = perfect(&incidence);
        for block in blt::sort(&incidence, &matching).blocks.iter().filter(|block| block.len() > 1) {
            found += tear(&incidence, block, &options).iteration.len() as u32;
            least += least_tears(&incidence, block, &options);
        }
    }
    println!("{found} tearing unknowns, {least} at least");
    assert!(f64::from(found) <= 1.03 * f64::from(least), "{found} tearing unknowns where {least} are enough");
}

/// The random systems of the tests above are worth testing: enough of each kind of result comes up.
#[test]
fn random_systems_reach_every_result() {
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(ProptestConfig::default(), rng);
    let mut count: std::collections::BTreeMap<&str, usize> = std::collections::BTreeMap::new();
    let mut met = |what| *count.entry(what).or_default() += 1;
    for _ in 0..5000 {
        let (incidence, chains) = dynamic().new_tree(&mut runner).unwrap().current();
        let Ok(reduced) = differentiate(&incidence, &chains) else {
            met("singular");
            continue;
        };
        met(if reduced.is_empty() { "index one" } else { "higher index" });
        let twice = incidence.rows.keys().any(|row| reduced.count_of[row] > 1);
        met(if twice { "differentiated twice" } else { "differentiated at most once" });
        let preference = SecondaryMap::new();
        for coefficient in [None, Some(1.0)] {
            match select_states(&problem(&reduced, &preference, &|_, _| coefficient)) {
                Ok(selection) => {
                    for choice in &selection.choices {
                        met(match choice.certainty {
                            Certainty::Forced => "forced",
                            Certainty::Safe => "safe",
                            Certainty::Constant => "constant",
                            Certainty::Varying => "varying",
                        });
                    }
                    if selection.choices.iter().any(|choice| choice.follows.is_some()) {
                        met("two levels");
                    }
                }
                Err(_) => met("dependent"),
            }
        }
    }
    println!("{count:?}");
    let kinds = [
        "singular",
        "index one",
        "higher index",
        "differentiated twice",
        "forced",
        "safe",
        "constant",
        "varying",
        "two levels",
        "dependent",
    ];
    for kind in kinds {
        assert!(count.get(kind).is_some_and(|&n| n >= 20), "{kind}: {count:?}");
    }
}

/// An incidence of safe entries from one list of columns per row.
fn safe(rows: impl IntoIterator<Item = Vec<usize>>, n_cols: usize) -> Incidence {
    let mut incidence = Incidence { n_cols, ..Incidence::default() };
    for cols in rows {
        let cells: Vec<(usize, Solvability)> = cols.into_iter().map(|col| (col, Solvability::Safe)).collect();
        incidence.rows.push(row(&cells, n_cols));
    }
    incidence
}

/// A train of n masses coupled rigidly: x_i' = v_i, v_i' = F_(i-1) - F_i, x_i = x_(i+1).
fn train(n: usize) -> (Incidence, DerivativeChains) {
    // Unknowns x, x', v, v', F of mass i are 5i .. 5i + 4.
    let (mut rows, mut chains) = (Vec::new(), DerivativeChains::default());
    for i in 0..n {
        let at = 5 * i;
        rows.push(vec![at + 1, at + 2]);
        let forces = [i.checked_sub(1).map(|before| 5 * before + 4), (i + 1 < n).then_some(at + 4)];
        rows.push([at + 3].into_iter().chain(forces.into_iter().flatten()).collect());
        if i + 1 < n {
            rows.push(vec![at, at + 5]);
        }
        for (of, derivative) in [(at, at + 1), (at + 2, at + 3)] {
            chains.der_of[Col::new(of)] = Col::new(derivative).into();
            chains.integral_of[Col::new(derivative)] = Col::new(of).into();
        }
    }
    (safe(rows, 5 * n - 1), chains)
}

/// Time in seconds of one run.
fn seconds<T>(run: impl FnOnce() -> T) -> (f64, T) {
    let start = std::time::Instant::now();
    let result = run();
    (start.elapsed().as_secs_f64(), result)
}

/// Everything stays near-linear up to 100,000 unknowns on chains, trees and grids.
#[test]
fn large_systems_take_near_linear_time() {
    let mut slowest = 0.0_f64;
    for n in [10_usize, 1000, 3025, 100_000] {
        let side = (n as f64).sqrt().round() as usize;
        let chain = safe((0..n).map(|i| if i + 1 < n { vec![i, i + 1] } else { vec![i] }), n);
        let tree = safe((0..n).map(|i| if i > 0 { vec![i, (i - 1) / 2] } else { vec![i] }), n);
        let grid = safe(
            (0..side * side).map(|at| {
                let (x, y) = (at / side, at % side);
                let mut cols = vec![at];
                cols.extend((x > 0).then(|| at - side));
                cols.extend((y > 0).then(|| at - 1));
                cols.extend((x + 1 < side).then(|| at + side));
                cols.extend((y + 1 < side).then(|| at + 1));
                cols
            }),
            side * side,
        );
        for (name, incidence) in [("chain", &chain), ("tree", &tree), ("grid", &grid)] {
            let (matched, matching) = seconds(|| maximum_matching(incidence, any_entry, by_solvability));
            let (sorted, blocks) = seconds(|| blt::sort(incidence, &matching));
            let whole = Block { rows: incidence.rows.keys().collect(), cols: incidence.cols().collect() };
            let options = TearingOptions::default();
            let (tore, torn) = seconds(|| tear(incidence, &whole, &options));
            let (checked, _) = seconds(|| {
                check::matching(incidence, any_entry, &matching).unwrap();
                check::blocks(incidence, &matching, &blocks).unwrap();
                check::torn(incidence, &whole, &options, &torn).unwrap();
            });
            let (n_blocks, n_torn) = (blocks.blocks.len(), torn.iteration.len());
            println!(
                "{name} {n}: match {matched:.4} s, sort {sorted:.4} s ({n_blocks} blocks), tear {tore:.4} s ({n_torn}), \
                 check {checked:.4} s"
            );
            slowest = slowest.max(matched).max(sorted).max(tore);
        }
        let (incidence, chains) = train(n / 5);
        let (differentiated, reduced) = seconds(|| differentiate(&incidence, &chains).unwrap());
        let preference = SecondaryMap::new();
        let (selected, selection) = seconds(|| select_states(&problem(&reduced, &preference, &|_, _| Some(1.0))).unwrap());
        assert_eq!(selection.states.len(), 2);
        check::offsets(&incidence, &chains, &reduced).unwrap();
        check::states(&problem(&reduced, &preference, &|_, _| None), &selection).unwrap();
        println!("train {n}: differentiate {differentiated:.4} s, select {selected:.4} s");
        slowest = slowest.max(differentiated).max(selected);
    }
    // Quadratic cost would be minutes; the limit leaves room for a busy machine.
    assert!(slowest < 10.0, "{slowest} s");
}

/// Thousands of tangled constraints, for which elimination would fill in: dummies are then chosen by matching.
#[test]
fn tangled_constraints_are_chosen_by_matching() {
    let (n_bodies, n_constraints) = (4000, 3000);
    let mut random = 1_u64;
    let mut body = || {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % n_bodies
    };
    // x_i' = sum of the forces on x_i, over x, x' of every body and the forces; no velocities.
    let constraints: Vec<Vec<usize>> = (0..n_constraints).map(|_| (0..8).map(|_| body()).collect()).collect();
    let mut forces_on: Vec<Vec<usize>> = vec![Vec::new(); n_bodies];
    for (at, bodies) in constraints.iter().enumerate() {
        bodies.iter().for_each(|&body| forces_on[body].push(2 * n_bodies + at));
    }
    let mut chains = DerivativeChains::default();
    for at in (0..2 * n_bodies).step_by(2) {
        chains.der_of[Col::new(at)] = Col::new(at + 1).into();
        chains.integral_of[Col::new(at + 1)] = Col::new(at).into();
    }
    let motions = forces_on.into_iter().enumerate().map(|(body, forces)| [forces, vec![2 * body + 1]].concat());
    let positions = constraints.iter().map(|bodies| bodies.iter().map(|body| 2 * body).collect());
    let incidence = safe(motions.chain(positions), 2 * n_bodies + n_constraints);
    let reduced = differentiate(&incidence, &chains).unwrap();
    let mut preference: SecondaryMap<Col, Preference> = SecondaryMap::new();
    for body in 0..n_bodies {
        preference[Col::new(2 * body)].bonus = (body % 3) as i32;
    }
    let problem = problem(&reduced, &preference, &|_, _| Some(1.0));
    let selection = select_states(&problem).unwrap();
    check::states(&problem, &selection).unwrap();
    assert_eq!(selection.states.len(), n_bodies - n_constraints);
    assert!(selection.choices.iter().any(|choice| choice.certainty == Certainty::Varying));
}

#[test]
fn an_empty_system_is_fine() {
    let incidence = Incidence::default();
    let matching = maximum_matching(&incidence, any_entry, by_solvability);
    check::matching(&incidence, any_entry, &matching).unwrap();
    assert_eq!(decompose(&incidence, any_entry, &matching).well, Subsystem::default());
    assert!(blt::sort(&incidence, &matching).blocks.is_empty());
    let reduced = differentiate(&incidence, &DerivativeChains::default()).unwrap();
    let preference = SecondaryMap::new();
    assert_eq!(select_states(&problem(&reduced, &preference, &|_, _| None)), Ok(StateSelection::default()));
}
