//! Ranking and reduction: the numbers of the car suspension, computed independently of this project.

use partita::pipeline::{self, Libraries};
use partita::reduction::components;
use partita::reduction::rank::{Options, Ranking, Suggestion, rank};
use partita::reduction::record::record;
use partita::reduction::reference::{ReductionOptions, Reference};
use partita::reduction::removal::Study;
use partita::reduction::replacement::{Replacement, Way};
use partita_grammar::Source;
use partita_tests::random::Random;
use partita_tests::simulation::{models_folder, read_source, rendered};

fn source(name: &str) -> Source {
    read_source(&models_folder().join(name)).expect("the model can be read")
}

fn near(what: &str, got: f64, wanted: f64, tolerance: f64) {
    assert!((got - wanted).abs() <= tolerance * wanted.abs(), "{what}: {got}, not {wanted}");
}

fn ranking(source: &Source) -> Ranking {
    let flat = pipeline::flat_with(source, &Libraries::default(), None).expect("it is flat");
    let compiled = pipeline::compile(source, None).expect("it compiles");
    let instance = pipeline::instantiate(&compiled, false).expect("it can be run").instance;
    let found = components::find(&flat);
    let experiment = pipeline::experiment(&compiled.experiment, None, None);
    let flows = record(&instance, &experiment, &found, None).expect("it runs");
    rank(&flat, &found, &flows, &compiled.report.states, &Options::default()).expect("it has components")
}

/// Name, activity in joule, share in percent, RMS in watt, principal components in percent, energy kept in joule.
const CAR: &[(&str, [f64; 5])] = &[
    ("gravity_s", [2269.102567, 37.0565933, 827.6048476, 30.84323998, 525.0009153]),
    ("spring_s", [1762.584188, 28.78466859, 612.7480926, 26.12316681, f64::NAN]),
    ("ground", [794.998332, 12.98307546, 670.6503297, 25.83033674, -794.998332]),
    ("mass_s", [787.3585106, 12.85830994, 369.8430046, 10.17746129, f64::NAN]),
    ("damper_s", [198.7396531, 3.2456067, 95.81540243, 1.431462217, 198.7396531]),
    ("spring_t", [192.5399442, 3.144359584, 66.33059693, 2.760521518, f64::NAN]),
    ("gravity_t", [92.97717023, 1.51840522, 57.86606579, 2.389199879, 71.83499154]),
    ("mass_t", [24.51137478, 0.4002939574, 18.64856393, 0.4394549447, f64::NAN]),
    ("damper_t", [0.5319501165, 0.00868724905, 0.2681120956, 0.005156620088, 0.5319501165]),
];

#[test]
fn the_parts_of_the_car_are_ranked_by_their_energy() {
    let ranking = ranking(&source("car_parts.mo"));
    assert!(ranking.balance < 1e-12, "{}", ranking.balance);
    assert_eq!(ranking.components.len(), CAR.len());
    for (row, (name, [activity, share, rms, pca, net])) in ranking.components.iter().zip(CAR) {
        assert_eq!(row.name, *name);
        near(name, row.activity, *activity, 1e-3);
        near(name, row.share, *share, 1e-3);
        near(name, row.rms, *rms, 1e-3);
        near(name, row.pca, *pca, 2e-3);
        if !net.is_nan() {
            near(name, row.net, *net, 1e-3);
        }
    }
    let suggested: Vec<&str> =
        ranking.components.iter().filter(|row| matches!(row.suggestion, Suggestion::Remove(_))).map(|row| row.name.as_str()).collect();
    assert_eq!(suggested, ["mass_t", "damper_t"]);
}

#[test]
fn energies_of_neighbours_are_compared_with_stores() {
    let ranking = ranking(&source("car_parts.mo"));
    for (store, energy, neighbours) in [
        (
            "mass_t",
            12.07385138,
            [
                ("spring_t", 67.21518254),
                ("spring_s", 62.77432395),
                ("gravity_t", 6.234493886),
                ("damper_s", 2.475355612),
                ("damper_t", 0.1037979433),
            ]
            .as_slice(),
        ),
        ("mass_s", 200.5360151, [("spring_s", 4.435720776), ("gravity_s", 3.999424373), ("damper_s", 1.140078149)].as_slice()),
    ] {
        let entry = ranking.relative.iter().find(|entry| entry.name == store).expect("the store has neighbours");
        near(store, entry.energy, energy, 1e-3);
        for (name, ratio) in neighbours {
            let (_, got) = entry.ratios.iter().find(|(other, _)| other == name).expect("a neighbour");
            near(name, *got, *ratio, 1e-3);
        }
    }
}

fn options<'a>(source: &'a Source, libraries: &'a Libraries, outputs: &'a [String]) -> ReductionOptions<'a> {
    ReductionOptions { source, libraries, model: None, outputs, stop_time: None }
}

/// A term, its magnitude in its equation, and the error of `xs` by screening, by exact linearisation and in truth.
const TERMS: &[(&str, Option<f64>, f64, f64, f64)] = &[
    ("kt1*(xr - xt)", Some(0.001083828511), 8.465379408e-05, 8.476096838e-05, 8.464990951e-05),
    ("Bt*(vr - vt)", None, 0.0004102147104, 0.000409971537, 0.0004104441614),
    ("ks1*(xt - xs)", Some(0.001107019319), 0.0008166711922, 0.0008176382525, 0.0008166651032),
    ("mt*g", None, 0.01018095661, 0.01018095661, 0.01212017396),
    ("Bs*(vt - vs)", None, 0.1725397382, 0.4160714445, 0.5045002384),
    ("ms*g", None, 0.8288310847, 0.8288310847, 1.284213172),
    ("ks3*(xt - xs)^3", Some(1.0), 0.4722008641, 53.44888459, f64::NAN),
    ("kt3*(xr - xt)^3", Some(1.0), 0.04886652664, 62.05379325, f64::NAN),
];

/// The car with its start at rest written down: without a term it starts where it did with it.
fn car_with_its_start() -> Source {
    let mut source = source("car_suspension.mo");
    for (before, after) in [
        ("start = -0.03)", "start = -0.02458942123, fixed = true)"),
        ("start = -0.3)", "start = -0.2601698411, fixed = true)"),
        ("initial equation\n  vt = 0;\n  vs = 0;\n  der(vt) = 0;\n  der(vs) = 0;\n", "initial equation\n  vt = 0;\n  vs = 0;\n"),
    ] {
        assert!(source.text.contains(before), "{before}");
        source.text = source.text.replace(before, after);
    }
    source
}

#[test]
fn estimates_of_the_terms_of_the_car_are_quantitative() {
    let (source, libraries, outputs) = (car_with_its_start(), Libraries::default(), ["xs".to_string()]);
    let study = Study::new(options(&source, &libraries, &outputs)).unwrap_or_else(|messages| panic!("{}", rendered(&messages, &source)));
    let term = |text: &str| study.terms.terms.iter().position(|term| term.text == text).expect("the term is found");
    for (text, magnitude, screened, linear, truth) in TERMS {
        let at = term(text);
        let (got_screened, got_linear) = study.estimate(at).expect("there is an estimate");
        near(text, got_screened, *screened, 0.01);
        near(text, got_linear, *linear, 0.01);
        if let Some(magnitude) = magnitude {
            near(text, study.magnitude(at).expect("a magnitude"), *magnitude, 0.01);
        }
        if !truth.is_nan() {
            near(text, study.without(&[at]).expect("it runs").largest(), *truth, 0.005);
        }
    }
    // What decides the height looks harmless to screening alone.
    assert!(!study.is_trusted(term("kt3*(xr - xt)^3")) && study.is_trusted(term("kt1*(xr - xt)")));
    let mut removed = Vec::new();
    for (text, truth) in
        [("kt1*(xr - xt)", 8.464990951e-05), ("Bt*(vr - vt)", 0.0003527794879), ("ks1*(xt - xs)", 0.001011837122), ("mt*g", 0.01159965723)]
    {
        removed.push(term(text));
        near(text, study.without(&removed).expect("it runs").largest(), truth, 0.005);
    }
}

#[test]
fn a_reduced_car_keeps_its_promise_and_what_is_fatal_stays() {
    let (source, libraries, outputs) = (source("car_suspension.mo"), Libraries::default(), ["xs".to_string()]);
    let study = Study::new(options(&source, &libraries, &outputs)).unwrap_or_else(|messages| panic!("{}", rendered(&messages, &source)));
    let reduced = study.reduce(0.01).expect("it can be reduced");
    assert!(reduced.error.largest() <= 0.01);
    let gone: Vec<&str> = reduced.removed.iter().map(|term| study.terms.terms[*term].text.as_str()).collect();
    assert!(["kt1*(xr - xt)", "ks1*(xt - xs)", "Bt*(vr - vt)"].iter().all(|term| gone.contains(term)), "{gone:?}");
    assert!(!gone.iter().any(|term| term.starts_with("kt3") || term.starts_with("ks3")), "{gone:?}");
    // The text as it is written, read again.
    let again = study.reference.error_of(&reduced.source).expect("it runs");
    near("error", again.largest(), reduced.error.largest(), 1e-9);
}

#[test]
fn the_damping_of_the_tyre_and_the_mass_of_the_wheel_may_go() {
    let (source, libraries) = (source("car_parts.mo"), Libraries::default());
    let outputs = ["mass_s.s".to_string(), "mass_t.s".to_string()];
    let compiled = pipeline::compile(&source, None).expect("it compiles");
    let reference = Reference::new(options(&source, &libraries, &outputs), &compiled)
        .unwrap_or_else(|messages| panic!("{}", rendered(&messages, &source)));
    let flat = pipeline::flat_with(&source, &libraries, None).expect("it is flat");
    let definition = partita_grammar::parse(&source).expect("it can be read");
    let found = components::find(&flat);
    let replacement = Replacement { reference: &reference, model: &flat, definition: &definition, components: &found };
    let ranking = ranking(&source);
    // The damper alone, then the damper and the mass.
    let reduced = replacement.reduce(&ranking, 0.001).expect("it can be reduced");
    let gone: Vec<(&str, Way)> = reduced.gone.iter().map(|gone| (gone.component.as_str(), gone.way)).collect();
    assert_eq!(gone, [("damper_t", Way::Open)], "{:?}", reduced.kept);
    near("body", reduced.error.of_range[0], 4.10e-4, 0.01);
    near("wheel", reduced.error.of_range[1], 4.08e-4, 0.01);
    near("again", reference.error_of(&reduced.source).expect("it runs").largest(), reduced.error.largest(), 1e-9);
}

/// Random models whose output hangs on one term that is small in its equation: it always stays.
#[test]
fn a_decisive_term_never_goes() {
    for seed in 0..30 {
        let mut random = Random::new(seed);
        let mut real = |low: f64, high: f64| low + (high - low) * random.part();
        let (a, b, c, d) = (real(0.5, 3.0), real(0.2, 2.0), real(0.5, 4.0), real(0.3, 2.0));
        let small = real(0.001, 0.01);
        // The spring of x is all that holds it; beside the push it is small, and without it x drifts away.
        let text = format!(
            "model Decisive\n  Real x(start = 0, fixed = true), v(start = 0, fixed = true), p(start = 1, fixed = true), y(start = 0, fixed = true);\n\
             equation\n  der(x) = v;\n  der(v) = {b}*sin({c}*time) + {small} - {a}*x - {d}*v;\n  der(p) = {small}*y - {d}*p;\n\
             der(y) = {small}*p + {a}*v - {c}*y;\n  annotation(experiment(StopTime = 20, Tolerance = 1e-8));\nend Decisive;\n"
        );
        let source = Source { name: format!("decisive_{seed}.mo"), text };
        let (libraries, outputs) = (Libraries::default(), ["x".to_string()]);
        let study =
            Study::new(options(&source, &libraries, &outputs)).unwrap_or_else(|messages| panic!("{}", rendered(&messages, &source)));
        let reduced = study.reduce(0.02).expect("it can be reduced");
        let gone: Vec<&str> = reduced.removed.iter().map(|term| study.terms.terms[*term].text.as_str()).collect();
        let decisive = format!("{a}*x");
        assert!(study.terms.terms.iter().any(|term| term.text == decisive), "{}", source.text);
        assert!(!gone.contains(&decisive.as_str()), "{seed}: {gone:?}");
        assert!(study.reference.error_of(&reduced.source).expect("it runs").largest() <= 0.02);
        assert!(!gone.is_empty(), "{seed}: the states beside it are not needed");
    }
}
