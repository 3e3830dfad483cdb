//! What `partita flatten` writes is read as the same model: variables, attributes and values, numbers of equations and states, and the
//! residuals of all equations.

use crate::golden;
use partita::pipeline::{self, Libraries};
use partita_grammar::Source;
use partita_tests::flattening::judge::same_equations;
use partita_tests::levels::{Outcome, compare};
use partita_tests::simulation::{models, read_source, rendered};

/// Flattens a model, reads the text again, and compares both at the levels V, A, N and R.
pub(crate) fn agrees(source: &Source, libraries: &Libraries) {
    let name = &source.name;
    let text = pipeline::base_modelica(source, libraries, None).unwrap_or_else(|messages| panic!("{}", rendered(&messages, source)));
    let again = Source { name: format!("{name} as Base Modelica"), text };
    let ours = pipeline::flat_with(source, libraries, None).unwrap_or_else(|messages| panic!("{}", rendered(&messages, source)));
    let other =
        pipeline::flat_with(&again, &Libraries::default(), None).unwrap_or_else(|messages| panic!("{}", rendered(&messages, &again)));
    if let Err(difference) = same_equations(ours.clone(), other.clone()) {
        panic!("{name}: {difference}\n{}", again.text);
    }
    let levels = compare(ours, other).unwrap_or_else(|messages| panic!("{}", rendered(&messages, source)));
    for (level, outcome) in [("V", levels.variables), ("A", levels.attributes), ("N", levels.numbers)] {
        assert_eq!(outcome, Outcome::Equal, "{name}, level {level}");
    }
}

#[test]
fn models_are_flattened_to_the_same_models() {
    for path in models().expect("the models can be read") {
        agrees(&read_source(&path).expect("a model can be read"), &Libraries::default());
    }
}

#[test]
fn goldens_are_flattened_to_the_same_models() {
    let folders = ["instance", "connections", "flat", "dae", "alias", "blt"];
    let mut count = 0;
    for path in folders.into_iter().flat_map(golden::files) {
        let (source, _) = golden::split(&path);
        // Some are there to be refused, or are no whole systems.
        let whole = pipeline::structure(&source, None).is_ok();
        if whole {
            agrees(&source, &Libraries::default());
            count += 1;
        }
    }
    assert!(count >= 30, "only {count} goldens were compared");
}
