//! Rules against their definitions, on signals made by hand.

use super::*;

/// A small generator of numbers, the same on every machine (Marsaglia's xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// The polyline's extrema in a window, straight from the definition.
fn slow_bounds((times, values): Line<'_>, t: f64, dx: f64) -> (f64, f64) {
    let at = |x: f64| between(times, values, times.iter().filter(|s| **s <= x).count(), x);
    let inside = times.iter().zip(values).filter(|(s, _)| **s >= t - dx && **s <= t + dx).map(|(_, y)| *y);
    inside.chain([at(t - dx), at(t + dx)]).fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), y| (low.min(y), high.max(y)))
}

fn slow_tube(reference: Line<'_>, result: Line<'_>, r: f64) -> bool {
    let (dx, dy) = rectangle(reference, r);
    let follows = |around: Line<'_>, line: Line<'_>| {
        line.0.iter().zip(line.1).all(|(t, y)| {
            let (low, high) = slow_bounds(around, *t, dx);
            *y >= low - dy * (1.0 + 1e-9) && *y <= high + dy * (1.0 + 1e-9)
        })
    };
    follows(reference, result) && follows(result, reference)
}

/// A signal with events on a grid of its own.
fn signal(random: &mut Random, n: usize, f: impl Fn(f64) -> f64, event: f64, jump: f64) -> (Vec<f64>, Vec<f64>) {
    let mut times: Vec<f64> =
        (0..=n).map(|i| (i as f64 + if i > 0 && i < n { 0.8 * (random.next() - 0.5) } else { 0.0 }) / n as f64).collect();
    times.push(event);
    times.push(event);
    times.sort_by(f64::total_cmp);
    let second = times.iter().rposition(|t| *t == event).unwrap_or(0);
    let values = times.iter().enumerate().map(|(i, t)| f(*t) + if i >= second { jump } else { 0.0 }).collect();
    (times, values)
}

#[test]
fn the_tube_is_what_its_definition_says() {
    let mut random = Random(7);
    let mut passed = 0;
    for _ in 0..500 {
        let (a, w) = (10.0 * random.next(), 1.0 + 12.0 * random.next());
        let size = 0.006 * random.next();
        let (shift, scale, spike) = match (random.next() * 4.0) as usize {
            0 => (size, 1.0, 0.0),
            1 => (0.0, 1.0 + size, 0.0),
            2 => (0.0, 1.0, a * size),
            _ => (size / 2.0, 1.0 + size / 2.0, 0.0),
        };
        let event = 0.2 + 0.6 * random.next();
        let reference = signal(&mut random, 250, |t| a * (w * t).sin(), event, a);
        let late = (event + shift).min(0.99);
        let result =
            signal(&mut random, 320, |t| scale * a * (w * (t - shift)).sin() + if (t - 0.4).abs() < 0.002 { spike } else { 0.0 }, late, a);
        let reference: Line<'_> = (&reference.0, &reference.1);
        let result: Line<'_> = (&result.0, &result.1);
        let judged = judge(Rule::Window, reference, result, 0.002);
        assert_eq!(judged.inside, slow_tube(reference, result, 0.002), "{judged:?}");
        passed += usize::from(judged.inside);
    }
    assert!((100..400).contains(&passed), "{passed} of 500 pairs are alike: the cases decide nothing");
}

#[test]
fn rules_differ_where_they_should() {
    let times: Vec<f64> = (0..=1000).map(|i| f64::from(i) / 1000.0).collect();
    let wave: Vec<f64> = times.iter().map(|t| (6.0 * t).sin()).collect();
    let verdicts = |values: &[f64]| Rule::ALL.map(|rule| judge(rule, (&times, &wave), (&times, values), 0.002).inside);
    assert_eq!(verdicts(&wave), [true; 6]);
    // One percent of the range is outside all tubes, but within two percent and the mean threshold of about 0.0066.
    let offset = |by: f64| wave.iter().map(|y| y + by).collect::<Vec<f64>>();
    assert_eq!(verdicts(&offset(0.005)), [false, false, false, true, true, true]);
    assert_eq!(verdicts(&offset(0.019)), [false, false, false, false, false, true]);
    assert_eq!(verdicts(&offset(0.05)), [false; 6]);
    let mut broken = wave.clone();
    broken[500] = f64::NAN;
    assert_eq!(verdicts(&broken), [false; 6]);
}

#[test]
fn sparse_and_long_results_are_told_apart() {
    let times: Vec<f64> = (0..=1000).map(|i| f64::from(i) / 1000.0).collect();
    let wave: Vec<f64> = times.iter().map(|t| (6.0 * t).sin()).collect();
    let sparse: (Vec<f64>, Vec<f64>) = times.iter().zip(&wave).step_by(250).unzip();
    // The tube and the window ask whether the reference is followed; csv-compare asks at the few points there are.
    assert!(!judge(Rule::Tube, (&times, &wave), (&sparse.0, &sparse.1), 0.002).inside);
    assert!(judge(Rule::CsvCompare, (&times, &wave), (&sparse.0, &sparse.1), 0.002).inside);
    let longer: Vec<f64> = times.iter().map(|t| 1.5 * t).collect();
    let values: Vec<f64> = longer.iter().map(|t| (6.0 * t).sin()).collect();
    assert!(!judge(Rule::Window, (&times, &wave), (&longer, &values), 0.002).inside);
    assert!(judge(Rule::Tube, (&times, &wave), (&longer, &values), 0.002).inside);
    assert!(judge(Rule::CsvCompare, (&times, &wave), (&longer, &values), 0.002).inside);
}

#[test]
fn limits_at_events_are_held_against_each_other() {
    let reference: (&[f64], &[f64]) = (&[0.0, 0.5, 0.5, 1.0], &[0.0, 0.0, 1.0, 1.0]);
    for rule in Rule::ALL {
        assert!(judge(rule, reference, reference, 0.002).inside, "{rule}");
        // The same line with one limit only; two percent has no width in time.
        let one: Line<'_> = (&[0.0, 0.499_999, 0.5, 1.0], &[0.0, 0.0, 1.0, 1.0]);
        assert_eq!(judge(rule, reference, one, 0.002).inside, rule != Rule::TwoPercent, "{rule}");
    }
    let swapped: (&[f64], &[f64]) = (&[0.0, 0.5, 0.5, 1.0], &[0.0, 1.0, 0.0, 1.0]);
    assert!(!judge(Rule::OmCompare, reference, swapped, 0.002).inside);
}
