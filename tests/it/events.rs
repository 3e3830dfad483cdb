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

/// How often `starting` becomes true if a mass is released whose speed is `b - 3*a`; the time of its release is met.
fn starts_of(a: &str, b: &str) -> usize {
    starts(&format!("a(start = {a}, fixed = true), b(start = {b}, fixed = true)"), "0", a)
}

/// The same for a speed that is what was integrated for a while before, and at first zero.
fn starts_of_what_was_left(left: &str) -> usize {
    starts("a(start = 0, fixed = true), b(start = 0, fixed = true)", &format!("if time < 0.25 then 4*{left} else 0"), left)
}

fn starts(states: &str, before: &str, what: &str) -> usize {
    let results = results(&format!(
        "model Release
           Real {states}, w = b - 3*a;
           Boolean released = time >= 0.5, starting = released and not w > 0;
         equation
           der(a) = 0;
           der(b) = if released then 1 else {before};
         end Release;"
    ));
    assert_eq!(last(&results, "released"), 1.0);
    let (times, released) = (values(&results, "time"), values(&results, "released"));
    let before = released.iter().rposition(|value| *value == 0.0).expect("it is held first");
    assert!(times[before] == 0.5 && times[before + 1] - 0.5 < 1e-9, "{what}");
    values(&results, "starting").windows(2).filter(|pair| pair[0] < pair[1]).count()
}

/// The speed leaves zero at the very moment of the release, so that it starts for an instant, whether rounding makes nothing of a difference
/// that is zero, or something.
#[test]
fn an_instant_between_two_events_is_shown_whatever_rounding_makes_of_zero() {
    let rounded = |a: f64, b: f64| b - 3.0 * a;
    assert!(rounded(0.125, 0.375) == 0.0 && rounded(0.1, 0.3) < 0.0, "the test needs both");
    for (a, b) in [("0.125", "0.375"), ("0.1", "0.3"), ("1e-7", "3e-7"), ("7e5", "21e5")] {
        assert_eq!(starts_of(a, b), 1, "{a}");
    }
}

/// A mass that has never moved and whose speed is a tiny number instead of zero: its sign means nothing, and neither does an instant between
/// its release and the moment at which it has the other one.
#[test]
fn what_integration_left_of_rest_starts_no_instant() {
    assert_eq!(starts_of_what_was_left("(-1e-21)"), 0);
    assert_eq!(starts_of_what_was_left("(-1e-19)"), 0);
    assert_eq!(starts_of_what_was_left("(-1e-40)"), 1, "as good as zero");
}

/// A brake holds one of three shafts of a planetary gear while the others run up, so that its speed is a small difference of large ones. It
/// slips when the torque is large enough: for an instant it is about to, then its speed has a sign.
#[test]
fn a_brake_that_is_held_shows_the_instant_of_its_release_at_every_tolerance() {
    for tolerance in ["1e-5", "1e-6", "1e-7", "1e-8", "1e-9"] {
        let results = results(&format!(
            "model Release
               Real sun(start = 0, fixed = true), carrier(start = 0, fixed = true), w = (5*carrier - 2*sun)/3;
               Real held, torque = time*time;
               Boolean starting(start = false, fixed = true), locked = not (starting or pre(slips));
               Boolean slips(start = false, fixed = true);
             equation
               der(sun) = 20 - 2*sin(3*time);
               5*der(carrier) - 2*der(sun) = 3*(if locked then 0 else torque - 4);
               held = torque;
               starting = not pre(slips) and (held > 4 or pre(starting) and held > 4);
               slips = (pre(slips) or starting) and w > 0;
               annotation(experiment(StopTime = 3, Tolerance = {tolerance}));
             end Release;"
        ));
        let (times, starting) = (values(&results, "time"), values(&results, "starting"));
        let at: Vec<f64> = (1..times.len()).filter(|&i| starting[i - 1] < starting[i]).map(|i| times[i]).collect();
        assert!(matches!(at[..], [t] if (t - 2.0).abs() < 1e-9), "{tolerance}: {at:?}");
        assert_eq!(last(&results, "slips"), 1.0);
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

/// Without flow the slope of `x*abs(x)` is zero: the guess solves the equation and is kept, though the Jacobian there is singular.
#[test]
fn a_singular_guess_that_is_a_solution_is_kept() {
    let results = results(
        "model Rest
           Real x(start = 0), z(start = 1, fixed = true);
         equation
           der(z) = -z;
           der(x) = 0;
         initial equation
           x*abs(x) + x^3 = 0;
         end Rest;",
    );
    assert!(values(&results, "x").iter().all(|x| *x == 0.0), "{:?}", values(&results, "x"));
}

/// What is zero at the start is zero far beyond the tolerance, because models divide such values by small ones.
#[test]
fn initial_values_are_polished() {
    let results = results(
        "model Small
           Real x(start = 0.3), y = x/1e-14;
         equation
           der(x) = -x;
         initial equation
           x + x^2 = 0;
         end Small;",
    );
    let y = values(&results, "y");
    assert!(y.iter().all(|y| y.abs() < 1e-20), "{y:?}");
}

/// A clutch slips from 1 until both speeds are 10/3 at 1 + 10/4.5, sticks until it is free at 7, and is driven apart from 8 on.
#[test]
fn a_clutch_slips_sticks_and_is_free() {
    let results = results(
        "model Clutch
           parameter Real J1 = 1, J2 = 2, c = 3, peak = 1.1;
           Real w1(start = 10, fixed = true), w2(start = 0, fixed = true), w_rel, a_rel, sa, tau, fn, tau0, tau0_max;
           Boolean free, locked(start = false);
           Boolean startForward(start = false, fixed = true), startBackward(start = false, fixed = true);
           constant Integer Free = 2, Forward = 1, Stuck = 0, Backward = -1;
           Integer mode(start = 3, fixed = true);
         equation
           fn = if time < 1 then 0 elseif time < 6 then 1 else max(0, 1 - (time - 6));
           free = fn <= 0;
           tau0 = c*fn;
           tau0_max = peak*tau0;
           w_rel = w1 - w2;
           a_rel = der(w1) - der(w2);
           J1*der(w1) = (if time > 8 then 2 else 0) - tau;
           J2*der(w2) = tau;
           startForward = pre(mode) == Stuck and (sa > tau0_max or pre(startForward) and sa > tau0)
             or pre(mode) == Backward and w_rel > 1e-10 or initial() and w_rel > 0;
           startBackward = pre(mode) == Stuck and (sa < -tau0_max or pre(startBackward) and sa < -tau0)
             or pre(mode) == Forward and w_rel < -1e-10 or initial() and w_rel < 0;
           locked = not free and not (pre(mode) == Forward or startForward or pre(mode) == Backward or startBackward);
           a_rel = if locked then 0 elseif free then sa elseif startForward then sa - tau0_max elseif startBackward then sa + tau0_max
             elseif pre(mode) == Forward then sa - tau0_max else sa + tau0_max;
           tau = if locked then sa elseif free then 0 elseif startForward then tau0 elseif startBackward then -tau0
             elseif pre(mode) == Forward then tau0 else -tau0;
           mode = if free then Free elseif (pre(mode) == Forward or pre(mode) == Free or startForward) and w_rel > 0 then Forward
             elseif (pre(mode) == Backward or pre(mode) == Free or startBackward) and w_rel < 0 then Backward else Stuck;
           annotation(experiment(StopTime = 12, Tolerance = 1e-6));
         end Clutch;",
    );
    assert!((last(&results, "w1") - 34.0 / 3.0).abs() < 1e-9 && (last(&results, "w2") - 10.0 / 3.0).abs() < 1e-9);
    let mut modes = values(&results, "mode");
    let (times, all) = (values(&results, "time"), modes.clone());
    modes.dedup();
    assert_eq!(modes, [2.0, 1.0, 0.0, 2.0]);
    let stuck = times.iter().zip(&all).find(|(_, mode)| **mode == 0.0).map(|(t, _)| *t);
    assert!((stuck.expect("it sticks") - (1.0 + 10.0 / 4.5)).abs() < 1e-9, "{stuck:?}");
    let free = times.iter().zip(&all).rfind(|(_, mode)| **mode == 0.0).map(|(t, _)| *t);
    assert!((free.expect("it sticks") - 7.0).abs() < 1e-9, "{free:?}");
}

/// Balls of equal mass exchange their speeds where they meet, so each leaves as if it had gone through the other.
#[test]
fn two_reinits_see_the_values_before_the_impact() {
    let results = results(
        "model Impact
           Real x1(start = 0.25, fixed = true), v1(start = 1, fixed = true), x2(start = 0.75, fixed = true), v2(start = -0.5, fixed = true);
           Integer n(start = 0, fixed = true);
         equation
           der(x1) = v1;
           der(v1) = 0;
           der(x2) = v2;
           der(v2) = 0;
           when x1 > x2 then
             reinit(v1, pre(v2));
             reinit(v2, pre(v1));
             n = pre(n) + 1;
           end when;
           when x1 < 0 then
             reinit(v1, -pre(v1));
           end when;
           when x2 > 1 then
             reinit(v2, -pre(v2));
           end when;
           annotation(experiment(StopTime = 20.1));
         end Impact;",
    );
    // The paths between the walls without impacts, folded back into [0, 1].
    let folded = |x: f64| 1.0 - (x.rem_euclid(2.0) - 1.0).abs();
    let (a, b) = (folded(0.25 + 20.1), folded(0.75 - 0.5 * 20.1));
    assert!((last(&results, "x1") - a.min(b)).abs() < 1e-9 && (last(&results, "x2") - a.max(b)).abs() < 1e-9, "{a} {b}");
    assert!(last(&results, "n") > 10.0);
}

/// `max` makes no event, so nothing but equality tells when the ramp has come to its end.
#[test]
fn a_signal_that_saturates_at_the_threshold_switches_there() {
    let results = results(
        "model Ramp
           Real x(start = 0, fixed = true), f = max(0, 0.5 - x), since(start = -1, fixed = true);
           Boolean free = f <= 0, strict = f > 0;
         equation
           der(x) = 1;
           when free then
             since = time;
           end when;
         end Ramp;",
    );
    assert!((last(&results, "since") - 0.5).abs() < 1e-9, "{}", last(&results, "since"));
    assert_eq!((last(&results, "free"), last(&results, "strict")), (1.0, 0.0));
}

/// What enters a line at one end leaves it at the other after the way of one line; after a reversal it comes back the way it came,
/// but what had left is lost.
#[test]
fn what_moves_along_a_line_leaves_it_in_order() {
    let results = results(
        "model Line
           Real x(start = 0, fixed = true), v, u = 5 + time, left, right;
         equation
           v = if time < 3 then 0.5 else -0.5;
           der(x) = v;
           (left, right) = spatialDistribution(u, -1, x, v >= 0, {0, 1}, {2, 3});
           annotation(experiment(StopTime = 6));
         end Line;",
    );
    let time = values(&results, "time");
    let (left, right) = (values(&results, "left"), values(&results, "right"));
    for ((t, left), right) in time.iter().zip(&left).zip(&right) {
        // Twice the way per time: what leaves has entered two seconds ago, or was there at the start.
        let expected = match t {
            t if *t < 2.0 - 1e-3 => Some((5.0 + t, 3.0 - t / 2.0)),
            t if *t > 2.0 + 1e-3 && *t < 3.0 - 1e-3 => Some((5.0 + t, 3.0 + t)),
            t if *t > 3.0 + 1e-3 && *t < 5.0 - 1e-3 => Some((5.0 + (6.0 - t), -1.0)),
            t if *t > 5.0 + 1e-3 => Some((-1.0, -1.0)),
            _ => None,
        };
        if let Some((at_left, at_right)) = expected {
            assert!((left - at_left).abs() < 1e-6 && (right - at_right).abs() < 1e-6, "at {t}: {left}, {right}, not {at_left}, {at_right}");
        }
    }
}

/// A field that a function leaves open does no harm as long as nobody reads it.
#[test]
fn fields_that_nobody_reads_may_stay_open() {
    let results = results(
        "record Data Real a; Real b; Integer n; end Data;
         function part input Real u; output Data d; algorithm d.a := 2*u; end part;
         function halved input Real u; output Data d; algorithm d.a := u; while d.a > 1 loop d.a := d.a/2; end while; end halved;
         function uses input Data d; input Real u; output Real y; algorithm y := u; while y > 1 loop y := y/2; end while; y := y + d.a; end uses;
         function both input Real u; output Real y; output Real z; protected Real open; algorithm y := u; z := 3*open; end both;
         function first input Real u; output Real y; protected Data d; algorithm d := halved(u); y := uses(d, u); end first;
         model Open
           Real inlined = part(time).a, called = halved(3 + time).a, passed = uses(part(time), 3), inside = first(3 + time);
           Real one;
         equation
           (one, ) = both(time);
         end Open;",
    );
    let expected = [("inlined", 2.0), ("called", 1.0), ("passed", 2.75), ("inside", 2.0), ("one", 1.0)];
    for (name, value) in expected {
        assert_eq!(last(&results, name), value, "{name}");
    }
}

/// A subscript beyond its array does no harm where a condition keeps it from being used.
#[test]
fn a_guarded_subscript_may_lie_outside() {
    let results = results(
        "model Guarded
           parameter Real a[3] = {1, 2, 4};
           Integer i = if time < 0.5 then 2 else 7;
           Real y = if i <= 3 then a[i] else 0, b[3], x(start = 0, fixed = true);
         algorithm
           b := {1, 2, 3};
           if i <= 3 then b[i] := 5; end if;
         equation
           der(x) = y + b[1];
         end Guarded;",
    );
    for (name, value) in [("y", 0.0), ("b[2]", 2.0), ("x", 2.0)] {
        assert!((last(&results, name) - value).abs() < 1e-9, "{name}");
    }
}

/// What is delayed is an alias of another variable, the negative of one, or a parameter; its time is a parameter or varies.
#[test]
fn delays_of_aliases_by_parameters_and_by_times_that_vary() {
    let results = results(
        "model Delays
           parameter Real T = 0.3;
           Real s, u, n, lag, late, opposite, moving, x(start = 0, fixed = true);
         equation
           s = sin(3*time);
           u = s;
           n = -s;
           lag = 0.2 + 0.1*sin(time);
           late = delay(u, T);
           opposite = delay(n, T);
           moving = delay(u, lag, 0.5);
           der(x) = (u - x)/0.01;
         end Delays;",
    );
    let times = values(&results, "time");
    let then = |t: f64, lag: f64| (3.0 * (t - lag).max(0.0)).sin();
    for (name, sign, lag) in [("late", 1.0, None), ("opposite", -1.0, None), ("moving", 1.0, Some(()))] {
        for (t, y) in times.iter().zip(values(&results, name)) {
            let lag = lag.map_or(0.3, |()| 0.2 + 0.1 * t.sin());
            assert!((y - sign * then(*t, lag)).abs() < 1e-4, "{name} at {t}: {y}");
        }
    }
}

/// The times of a sampler are variables, of which other equations say that they are constant.
#[test]
fn samples_at_variables_that_are_constant() {
    let results = results(
        "model Samples
           Real p = 0.3, q;
           discrete Real n(start = 0, fixed = true);
         equation
           q = p - 0.05;
           when sample(p, q) then
             n = pre(n) + 1;
           end when;
         end Samples;",
    );
    assert_eq!(last(&results, "n"), 3.0);
}

/// `u` has no slot of its own: it is the negative of `s`.
#[test]
fn messages_show_the_sign_of_a_variable() {
    let text = "model Message
           Real s = sin(3*time), u = -s, x(start = 0, fixed = true);
         equation
           der(x) = s;
           assert(u > -0.9, \"u is \" + String(u));
         end Message;";
    let source = Source { name: "model.mo".to_owned(), text: text.to_owned() };
    let compiled = compile(&source, None).unwrap_or_else(|why| panic!("{why}"));
    let experiment = pipeline::experiment(&compiled.experiment, None, None);
    let Err(why) = run(&compiled, &source, Engine::MachineCode, &experiment) else { panic!("the assertion holds") };
    assert!(why.to_string().contains("u is -0.9"), "{why}");
}

/// An integer part jumps at an event, and nothing else does.
#[test]
fn integrals_of_integer_parts() {
    let results = results(
        "model Rounding
           Real u = 3*sin(2*time), x(start = 0, fixed = true), y(start = 0, fixed = true), z(start = 0, fixed = true);
         equation
           der(x) = floor(u);
           der(y) = div(u, 0.7);
           der(z) = mod(u, 0.7);
         end Rounding;",
    );
    let steps = 1_000_000;
    let integral = |f: fn(f64) -> f64| {
        (0..steps).map(|k| f(3.0 * (2.0 * (f64::from(k) + 0.5) / f64::from(steps)).sin())).sum::<f64>() / f64::from(steps)
    };
    for (name, expected) in
        [("x", integral(f64::floor)), ("y", integral(|u| (u / 0.7).trunc())), ("z", integral(|u| u - 0.7 * (u / 0.7).floor()))]
    {
        assert!((last(&results, name) - expected).abs() < 1e-5, "{name}: {} and {expected}", last(&results, name));
    }
}

/// A pipe with the pressures `a` and `b` at its ends that is closed at both: nothing flows, and the pressure stays what it was.
#[test]
fn a_nonlinear_block_that_is_satisfied_keeps_what_it_does_not_determine() {
    let results = results(
        "model Kept
           Real x(start = 0, fixed = true), a(start = 2), b(start = 2), y;
           Boolean closed = time < 0.5;
         equation
           der(x) = 1;
           y = a - b;
           if closed then
             y + y^3 = 0;
             y + y^3 = 0;
           else
             a^3 = 1 + x;
             b^3 = 1 + x;
           end if;
         end Kept;",
    );
    let (a, closed) = (values(&results, "a"), values(&results, "closed"));
    assert!(a.iter().zip(&closed).all(|(a, closed)| *closed == 0.0 || *a == 2.0));
    assert!((last(&results, "a") - 2.0_f64.cbrt()).abs() < 1e-12);
    assert!((last(&results, "b") - 2.0_f64.cbrt()).abs() < 1e-12);
}
