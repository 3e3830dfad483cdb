//! Reduction of order: figures of a switched affine system and of a long rod, computed independently of this project.

use partita::pipeline::Libraries;
use partita::reduction::order::choose::{Lowered, Measure, Question, Reset, reduce};
use partita::reduction::order::scenario::Confidence;
use partita::reduction::reference::ReductionOptions;
use partita::reduction::simplify::{Purpose, Technique, simplify};
use partita_grammar::Source;
use partita_runtime::integrate::Solver;
use partita_runtime::linear::balancing::Rest;
use partita_tests::simulation::{models_folder, read_source, rendered};

fn source(name: &str) -> Source {
    read_source(&models_folder().join(name)).expect("the model can be read")
}

fn question(order: usize, reset: Reset) -> Question {
    Question {
        order: Some(order),
        error: 0.01,
        measure: Measure::SameTime,
        reset,
        horizon: (reset == Reset::FreeMotionFor).then_some(600.0),
        rest: Rest::Residualised,
        scenarios: None,
        confidence: Confidence::default(),
        solver: Solver::Auto,
    }
}

fn lowered(source: &Source, outputs: &[&str], question: &Question) -> Lowered {
    let libraries = Libraries::default();
    let outputs: Vec<String> = outputs.iter().map(|name| name.to_string()).collect();
    let options = ReductionOptions { source, libraries: &libraries, model: None, outputs: &outputs, stop_time: None };
    reduce(&options, question).unwrap_or_else(|messages| panic!("{}", rendered(&messages, source)))
}

const ROOMS: [&str; 4] = ["T[1]", "T[2]", "T[3]", "T[4]"];

/// Order, distance at any time, at the same time, switchings.
type Figures = (usize, f64, f64, usize);

/// The least digits are those of the published figures.
fn check(found: &Lowered, figures: &[Figures], tolerance: f64) {
    for (order, any, same, switchings) in figures {
        let gap = found.rows[order - 1].gap.as_ref().unwrap_or_else(|| panic!("order {order}: {:?}", found.rows[order - 1].refused));
        let near = |got: f64, wanted: f64| (got - wanted).abs() <= tolerance * wanted + 1e-6;
        assert!(near(gap.hausdorff, *any) && near(gap.sup, *same), "order {order}: {gap:?}");
        assert_eq!(gap.switchings, *switchings, "order {order}");
    }
}

fn check_hankel(found: &Lowered, wanted: &[f64], scale: f64) {
    for (got, wanted) in found.hankel.iter().zip(wanted) {
        assert!((got - scale * wanted).abs() <= 1e-6 * scale * wanted, "{got}, not {wanted}");
    }
    assert!(found.hankel.len() >= wanted.len());
}

#[test]
fn four_rooms_with_heaters_as_inputs() {
    let model = source("four_rooms.mo");
    let found = lowered(&model, &ROOMS, &question(5, Reset::Inputs));
    assert_eq!((found.states, found.switchings), (8, 307));
    let hankel = [37.09958147, 20.30153293, 12.5092357, 5.194570042, 4.491332916, 3.102240281, 2.10984314, 0.8440982211];
    check_hankel(&found, &hankel, 1.0);
    check(
        &found,
        &[
            (1, 4.717083428, 33.97055714, 1280),
            (2, 3.332518561, 27.75833878, 988),
            (3, 2.588467277, 16.97578571, 643),
            (4, 2.996880544, 15.94121186, 276),
            (5, 1.571224359, 10.92692281, 337),
            (6, 1.889572866, 10.05362663, 345),
            (7, 1.324975225, 6.432951057, 327),
            (8, 0.0, 0.0, 307),
        ],
        1e-5,
    );
    let truncated = lowered(&model, &ROOMS, &Question { rest: Rest::Truncated, ..question(5, Reset::Inputs) });
    check(
        &truncated,
        &[
            (1, 5.120232592, 10.00507184, 65),
            (2, 3.21842064, 9.67688006, 552),
            (3, 3.072646744, 9.673593923, 653),
            (4, 3.513201567, 9.66933364, 687),
            (5, 2.32992195, 6.088515429, 402),
            (7, 1.413812372, 6.250846738, 310),
            (8, 0.0, 0.0, 307),
        ],
        1e-5,
    );
}

#[test]
fn four_rooms_with_reset_maps() {
    let model = source("four_rooms.mo");
    let found = lowered(&model, &ROOMS, &question(5, Reset::Projection));
    check_hankel(&found, &[0.9990193825, 0.02339478657, 0.003312992286, 0.0003802746906, 1.21483091e-06], 10.0);
    assert_eq!(found.hankel.len(), 5, "five of eight states are reached");
    for (order, psi) in [(1, 2.64), (2, 0.360047818), (3, 0.03717827748)] {
        let row = &found.rows[order - 1];
        assert!((100.0 * row.psi - psi).abs() < 1e-5 * psi, "{row:?}");
    }
    check(
        &found,
        &[
            (1, 23.4364583, 33.9586482, 1440),
            (2, 3.940269867, 29.73219465, 992),
            (3, 3.489080135, 23.40990309, 911),
            (4, 4.171830676, 21.34082355, 282),
            (5, 2.145096959, 17.22009985, 355),
        ],
        1e-5,
    );
    let found = lowered(&model, &ROOMS, &question(5, Reset::FreeMotionFor));
    let figures = [(1, 26.2364615, 33.71345272, 1440), (2, 3.652574861, 28.94990963, 1010), (3, 3.797450134, 23.37000491, 1064)];
    check(&found, &figures, 1e-3);
}

#[test]
fn seven_states_of_a_rod_of_a_hundred_switch_at_the_same_times() {
    let found = lowered(&source("rod.mo"), &["y"], &question(7, Reset::Inputs));
    assert_eq!((found.states, found.switchings), (100, 58));
    check_hankel(&found, &[20.43951782, 1.349478816, 0.9640450556, 0.0663791476, 0.03313722488, 0.0104598351, 0.003740378936], 1.0);
    check(
        &found,
        &[(3, 0.003041148604, 1.344462147, 58), (4, 0.002137164033, 0.6753194012, 58), (6, 0.003747188251, 0.2423361222, 58)],
        1e-3,
    );
    // 1.35 mK with the start looked at before its event, 1.25 mK after it.
    let seventh = found.rows[6].gap.as_ref().expect("it ran");
    assert!((seventh.hausdorff - 0.0007517197062).abs() < 1e-6 && (0.00124..0.00136).contains(&seventh.sup), "{seventh:?}");
    assert_eq!(seventh.switchings, 58);
    let shifts: Vec<Option<f64>> = [3, 4, 6, 7].iter().map(|order| found.rows[order - 1].gap.as_ref().and_then(|gap| gap.shift)).collect();
    for (got, wanted) in shifts.iter().zip([620.0, 300.0, 100.0, 0.0]) {
        assert!(got.is_some_and(|got| (got - wanted).abs() < 1e-6), "{shifts:?}");
    }
    assert!(found.gap == *found.rows[6].gap.as_ref().expect("it ran"), "the text that is written is the one that was measured");
}

#[test]
fn what_applies_is_tried_and_measured() {
    let text = "model Fall\n  Real x(start = 1, fixed = true), y(start = 0, fixed = true);\nequation\n  der(x) = -x + sin(time) + 1e-6*y;\n  der(y) = x - 50*y;\n  annotation(experiment(StopTime = 5, Tolerance = 1e-8));\nend Fall;\n";
    let source = Source { name: "fall.mo".to_string(), text: text.to_string() };
    let (libraries, outputs) = (Libraries::default(), ["x".to_string()]);
    let options = ReductionOptions { source: &source, libraries: &libraries, model: None, outputs: &outputs, stop_time: None };
    let found = simplify(&options, Purpose::Small, 0.01).unwrap_or_else(|messages| panic!("{}", rendered(&messages, &source)));
    let words: Vec<Technique> = found.rows.iter().map(|row| row.technique).collect();
    assert_eq!(words, [Technique::Components, Technique::Terms, Technique::Order]);
    assert!(found.rows[0].refused.as_ref().is_some_and(|why| why.contains("no connectors")), "{:?}", found.rows[0]);
    for row in &found.rows[1..] {
        assert!(row.refused.is_none() && row.error.is_some_and(|error| error <= 0.01) && !row.too_far && !row.general, "{row:?}");
        assert!(row.source.as_ref().is_some_and(|source| source.text.contains("// Reduced by")));
    }
    assert_eq!(found.rows[2].states, 1);
}
