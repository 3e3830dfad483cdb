//! What events do to relations and to functions with effects, through the whole compiler.

use partita::pipeline;
use partita_grammar::Source;
use partita_runtime::result::read::Table;
use partita_tests::simulation::{Engine, compile, run, table};

fn results(text: &str) -> Table {
    let source = Source { name: "model.mo".to_owned(), text: text.to_owned() };
    let compiled = compile(&source, None).unwrap_or_else(|why| panic!("{why}"));
    let experiment = pipeline::experiment(&compiled.experiment, None, None);
    let points = run(&compiled, &source, Engine::MachineCode, &experiment).unwrap_or_else(|why| panic!("{why}"));
    table(&compiled, &points)
}

fn values(results: &Table, name: &str) -> Vec<f64> {
    results.values(name).unwrap_or_else(|| panic!("{name} is in the result"))
}

fn last(results: &Table, name: &str) -> f64 {
    let values = values(results, name);
    values[values.len() - 1]
}

/// `w` is zero, and its computed value is not; the clock makes many events that do not concern it.
#[test]
fn round_off_does_not_switch_a_relation_at_rest() {
    let results = results(
        "model Rest
           Real a(start = 0.25, fixed = true), b(start = 0.75, fixed = true), w = 3*a - b;
           Boolean forward = w > 0, backward = w < 0;
           Integer ticks(start = 0, fixed = true);
         equation
           der(a) = sin(7*time) + 1.1;
           der(b) = 3*sin(7*time) + 3.3;
           when sample(0.01, 0.01) then
             ticks = pre(ticks) + 1;
           end when;
         end Rest;",
    );
    assert_eq!(last(&results, "ticks"), 100.0);
    let w = values(&results, "w");
    assert!(w.iter().any(|w| *w != 0.0), "the test needs round-off");
    for name in ["forward", "backward"] {
        assert!(values(&results, name).iter().all(|value| *value == 0.0), "{name}");
    }
}

/// The ramp comes to rest at exactly zero at an event: equality is meant.
#[test]
fn exact_equality_after_an_event_switches() {
    let results = results(
        "model Ramp
           Real f = if time < 0.5 then 0.5 - time else 0;
           Boolean free = f <= 0;
         end Ramp;",
    );
    assert_eq!(last(&results, "free"), 1.0);
}

/// The force is zero at the start, and the relation of time that is at its threshold there does not change that.
#[test]
fn other_relations_do_not_see_the_time_after_a_threshold() {
    let results = results(
        "model Start
           Real f = if time > 0 then sin(time) else 0;
           Boolean free = f <= 0;
         end Start;",
    );
    assert_eq!(values(&results, "free")[0], 1.0);
    assert_eq!(last(&results, "free"), 0.0);
}

/// A function without outputs that need it is called for what it leaves behind.
#[test]
fn effects_of_functions_are_kept() {
    let results = results(
        "function setState
           input Integer state[:];
           input Integer id;
         external \"C\" ModelicaRandom_setInternalState_xorshift1024star(state, size(state, 1), id);
         end setState;
         function draw
           input Integer id;
           output Real y;
         external \"C\" y = ModelicaRandom_impureRandom_xorshift1024star(id);
         end draw;
         function seed
           input Integer first;
           output Integer id;
         protected
           Integer state[33];
         algorithm
           for i in 1:33 loop
             state[i] := first + 1000003*i;
           end for;
           state[33] := 0;
           id := 17;
           setState(state, id);
         end seed;
         model Draws
           parameter Integer id(fixed = false);
           discrete Real y, before;
         initial equation
           id = seed(5);
         equation
           when {initial(), sample(0.25, 0.25)} then
             y = draw(id);
             before = pre(y);
           end when;
         end Draws;",
    );
    let (y, before) = (last(&results, "y"), last(&results, "before"));
    assert!(y > 0.0 && y < 1.0 && before > 0.0 && before < 1.0 && y != before, "{before} then {y}");
}
