//! From the user's choice and a cycle analysis to a partition into fast and slow states.
//!
//! Input: the text of `--decouple` ([`Choice::parse`]) and a [`CycleAnalysis`]. Output: a [`Partition`]. Method: a state may be
//! slow only if its certified lower bound allows it. Guarantee: fast and slow are disjoint, ascending, and hold all states; no
//! partition is made inside a tie. Cost: O(n log n).

use super::analysis::CycleAnalysis;
use super::indices::tied;
use super::options::check_alpha;
use partita_grammar::Diagnostic;
use partita_runtime::integrate::mixed::Pair;
use regex::Regex;

/// A largest gap below this ratio of neighbouring bounds is not worth a partition by itself.
const WORTHWHILE_RATIO: f64 = 2.0;

/// How the fast states are chosen.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Rule {
    /// The largest gap.
    #[default]
    Automatic,
    /// `h=0.1`: states whose `h_lower` is below it are fast, and it is the step.
    Threshold(f64),
    /// `cut=8`: so many states with the smallest bounds are fast.
    Cut(usize),
    /// `fast=I,w`: these states are fast.
    Fast(Vec<String>),
}

/// How the step is chosen.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub enum StepRule {
    /// The threshold if there is one, otherwise half of the smallest `h_lower` of the slow states.
    #[default]
    Automatic,
    /// `step=0.2`.
    Fixed(f64),
    /// `step=adaptive`: an error estimate chooses it; the run begins with the automatic one.
    Adaptive,
}

/// What the user wants of `--decouple`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Choice {
    /// Which states are fast.
    pub rule: Rule,
    /// Which step.
    pub step: StepRule,
    /// `alpha=0.5`.
    pub alpha: Option<f64>,
    /// `pair=euler`.
    pub pair: Option<Pair>,
}

/// States that are integrated implicitly and explicitly, and the step.
#[derive(Clone, Debug, PartialEq)]
pub struct Partition {
    /// Implicit states, ascending.
    pub fast: Vec<usize>,
    /// Explicit states, ascending.
    pub slow: Vec<usize>,
    /// The step, or the first step if it is adaptive.
    pub step: f64,
    /// The step is controlled by an error estimate.
    pub adaptive: bool,
    /// Why these states, in a sentence.
    pub reason: String,
    /// The brackets of all bounds agree with the partition: no fast state could be a slow one.
    pub certified: bool,
    /// Why the model is not worth this partition, if it is not. Only for an automatic choice.
    pub doubt: Option<String>,
}

impl Choice {
    /// Reads the text of `--decouple`: `pair=euler`, `h=0.1`, `alpha=0.5`, `cut=8`, `fast=I,w`, `step=0.2`, `step=adaptive`, joined by `;`.
    /// An empty text is the automatic choice.
    pub fn parse(text: &str) -> Result<Choice, Box<Diagnostic>> {
        let wrong = |why: String| {
            Box::new(
                Diagnostic::error("C006", why)
                    .with_note(
                        "choices are pair=euler, h=0.1, alpha=0.5, cut=8, fast=I,w, step=0.2 and step=adaptive, joined by semicolons",
                    )
                    .with_hint("for example `--decouple 'pair=euler;fast=I,w;step=0.2'`"),
            )
        };
        let mut choice = Choice::default();
        for part in text.split(';').map(str::trim).filter(|part| !part.is_empty()) {
            let Some((word, value)) = part.split_once('=').map(|(word, value)| (word.trim(), value.trim())) else {
                return Err(wrong(format!("`{part}` is not a choice of the form name=value")));
            };
            let positive = || match value.parse::<f64>() {
                Ok(number) if number.is_finite() && number > 0.0 => Ok(number),
                _ => Err(wrong(format!("`{word}` has to be a positive number, not `{value}`"))),
            };
            let rule = match word {
                "h" => Rule::Threshold(positive()?),
                "cut" => Rule::Cut(value.parse().map_err(|_| wrong(format!("`cut` has to be a number of states, not `{value}`")))?),
                "fast" => Rule::Fast(names(value)),
                "alpha" => {
                    let alpha = value.parse::<f64>().map_err(|_| wrong(format!("`alpha` has to be a number, not `{value}`")))?;
                    check_alpha(alpha)?;
                    choice.alpha = Some(alpha);
                    continue;
                }
                "pair" => {
                    choice.pair = Some(value.parse().map_err(|why: String| wrong(why))?);
                    continue;
                }
                "step" => {
                    choice.step = if value == "adaptive" { StepRule::Adaptive } else { StepRule::Fixed(positive()?) };
                    continue;
                }
                _ => return Err(wrong(format!("there is no choice `{word}`"))),
            };
            if choice.rule != Rule::Automatic {
                return Err(wrong("only one of `h`, `cut` and `fast` can choose the fast states".to_string()));
            }
            choice.rule = rule;
        }
        Ok(choice)
    }
}

impl Partition {
    /// As text, with the names of the states.
    pub fn describe(&self, names: &[String]) -> String {
        let list = |states: &[usize]| {
            if states.is_empty() {
                "none".to_string()
            } else {
                states.iter().map(|&state| names[state].as_str()).collect::<Vec<_>>().join(", ")
            }
        };
        let mut out = format!("partition: {}{}\n", self.reason, if self.certified { ", certified" } else { ", not certified" });
        if let Some(doubt) = &self.doubt {
            out.push_str(&format!("doubt: {doubt}\n"));
        }
        out.push_str(&format!("fast {}\nslow {}\nstep {}\n", list(&self.fast), list(&self.slow), self.step));
        out
    }
}

/// Names separated by commas, except for commas within brackets or quotes.
fn names(text: &str) -> Vec<String> {
    let (mut depth, mut quoted, mut begin) = (0usize, false, 0);
    let mut result = Vec::new();
    let mut push = |name: &str| {
        if !name.trim().is_empty() {
            result.push(name.trim().to_string());
        }
    };
    for (at, c) in text.char_indices() {
        match c {
            '\'' => quoted = !quoted,
            '[' if !quoted => depth += 1,
            ']' if !quoted => depth = depth.saturating_sub(1),
            ',' if !quoted && depth == 0 => {
                push(&text[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    push(&text[begin..]);
    result
}

/// Makes the partition that the user wants of the analysed model.
pub fn partition(analysis: &CycleAnalysis, choice: &Choice) -> Result<Partition, Box<Diagnostic>> {
    let n = analysis.names.len();
    let h = |state: usize| analysis.bounds[state].h_lower;
    let mut doubt = None;
    let (mut fast, reason): (Vec<usize>, String) = match &choice.rule {
        Rule::Automatic => match analysis.cuts.first() {
            Some(cut) => {
                if cut.ratio < WORTHWHILE_RATIO {
                    doubt = Some(format!("the largest gap between time scales is a factor of {:.3} only", cut.ratio));
                } else if !cut.certified {
                    doubt = Some("the bounds are not tight enough to certify the largest gap".to_string());
                }
                (analysis.order[..cut.after].to_vec(), format!("the largest gap between time scales is after {} of {n} states", cut.after))
            }
            None => {
                doubt = Some("all states have the same time scale, or none at all".to_string());
                (analysis.order.clone(), "there is no gap between time scales".to_string())
            }
        },
        Rule::Threshold(threshold) => {
            let fast: Vec<usize> = (0..n).filter(|&state| h(state) < *threshold).collect();
            let count = fast.len();
            (fast, format!("{count} of {n} states have a bound below {threshold}"))
        }
        Rule::Cut(wanted) => {
            let after = whole_tie(analysis, *wanted)?;
            let more = if after > *wanted { format!(", and {} more with the bound of the last", after - wanted) } else { String::new() };
            (analysis.order[..after].to_vec(), format!("the {wanted} fastest of {n} states were asked for{more}"))
        }
        Rule::Fast(wanted) => {
            let mut fast = Vec::new();
            for name in wanted {
                fast.extend(states_of(analysis, name)?);
            }
            (fast, "the fast states were given by name".to_string())
        }
    };
    fast.sort_unstable();
    fast.dedup();
    let is_fast = |state: &usize| fast.binary_search(state).is_ok();
    let slow: Vec<usize> = (0..n).filter(|state| !is_fast(state)).collect();
    let smallest = slow.iter().map(|&state| h(state)).fold(f64::INFINITY, f64::min);
    let certified = match choice.rule {
        Rule::Fast(_) => true,
        Rule::Threshold(threshold) => fast.iter().all(|&state| analysis.bounds[state].h_upper < threshold),
        Rule::Automatic | Rule::Cut(_) => fast.iter().all(|&state| analysis.bounds[state].h_upper < smallest || slow.is_empty()),
    };
    let automatic = match choice.rule {
        Rule::Threshold(threshold) => threshold,
        _ if slow.is_empty() => 0.5 * (0..n).map(h).fold(0.0, |a: f64, b| if b.is_finite() { a.max(b) } else { a }),
        _ => 0.5 * smallest,
    };
    let (step, adaptive) = match choice.step {
        StepRule::Fixed(step) => (step, false),
        StepRule::Automatic => (automatic, false),
        StepRule::Adaptive => (automatic, true),
    };
    if !(step.is_finite() && step > 0.0) {
        return Err(Box::new(
            Diagnostic::error("C007", "no step follows from the time scales: no cycle limits the step of the slow states")
                .with_hint("give the step: `step=0.1` in `--decouple`, or `--step 0.1`"),
        ));
    }
    Ok(Partition { fast, slow, step, adaptive, reason, certified, doubt })
}

/// The first cut from this one on that is not inside a tie.
fn whole_tie(analysis: &CycleAnalysis, after: usize) -> Result<usize, Box<Diagnostic>> {
    let n = analysis.names.len();
    let name = |place: usize| &analysis.names[analysis.order[place]];
    let h = |place: usize| analysis.bounds[analysis.order[place]].h_lower;
    if after == 0 || after >= n {
        return Err(Box::new(
            Diagnostic::error("C008", format!("`cut={after}` leaves no states on one side: the model has {n} states"))
                .with_hint(format!("choose a cut from 1 to {}", n - 1)),
        ));
    }
    let is_cut = |place: &usize| !tied(h(place - 1), h(*place));
    if let Some(place) = (after..n).find(is_cut) {
        return Ok(place);
    }
    let mut message =
        Diagnostic::error("C003", format!("`cut={after}` is inside a tie: {} and {} have the same bound", name(after - 1), name(after)))
            .with_note(format!("both bounds are {}, and no other state is slower; states of one time scale are not separated", h(after)));
    let allowed: Vec<String> = (1..n).filter(is_cut).map(|place| place.to_string()).collect();
    if !allowed.is_empty() {
        let shown = if allowed.len() > 12 { format!("{}, and more", allowed[..12].join(", ")) } else { allowed.join(", ") };
        message = message.with_hint(format!("possible cuts: {shown}"));
    }
    Err(Box::new(message))
}

/// The subscripts of an element, or a slice of an array: its name and, for each subscript, the first and last.
fn subscripts(given: &str) -> Option<(&str, Vec<(usize, usize)>)> {
    let (array, inside) = given.strip_suffix(']')?.rsplit_once('[')?;
    let one = |text: &str| match text.trim().split_once(':') {
        Some((first, last)) => {
            let bound = |text: &str, open: usize| if text.trim().is_empty() { Some(open) } else { text.trim().parse().ok() };
            Some((bound(first, 0)?, bound(last, usize::MAX)?))
        }
        None => text.trim().parse().ok().map(|number| (number, number)),
    };
    Some((array.trim(), inside.split(',').map(one).collect::<Option<_>>()?))
}

/// The states of a name: a state, an array (`T`), a part of one (`T[1:10]`, `T[2,:]`), or all whose whole name matches a regular expression.
fn states_of(analysis: &CycleAnalysis, name: &str) -> Result<Vec<usize>, Box<Diagnostic>> {
    let all_with = |is_one: &dyn Fn(&str) -> bool| -> Vec<usize> {
        analysis.names.iter().enumerate().filter(|(_, other)| is_one(other)).map(|(state, _)| state).collect()
    };
    let is_element = |other: &str| other.strip_prefix(name).is_some_and(|rest| rest.starts_with('[') && rest.ends_with(']'));
    let slice = subscripts(name);
    let is_within = |other: &str| {
        let (Some((array, ranges)), Some((of, at))) = (&slice, subscripts(other)) else { return false };
        *array == of && ranges.len() == at.len() && ranges.iter().zip(&at).all(|((first, last), (at, _))| first <= at && at <= last)
    };
    let pattern = Regex::new(&format!("^(?:{name})$")).ok();
    let is_matched = |other: &str| pattern.as_ref().is_some_and(|pattern| pattern.is_match(other));
    let found = [all_with(&|other| other == name), all_with(&is_element), all_with(&is_within), all_with(&is_matched)];
    found.into_iter().find(|states| !states.is_empty()).ok_or_else(|| unknown(analysis, name))
}

fn unknown(analysis: &CycleAnalysis, name: &str) -> Box<Diagnostic> {
    let shown: Vec<&str> = analysis.names.iter().take(12).map(String::as_str).collect();
    let more =
        if analysis.names.len() > shown.len() { format!(", and {} more", analysis.names.len() - shown.len()) } else { String::new() };
    let lower = name.to_lowercase();
    let mut message = Diagnostic::error("C002", format!("`{name}` in `fast=` is not a state of the model"))
        .with_note(format!("the states are {}{more}", shown.join(", ")));
    if let Some(near) = analysis.names.iter().find(|other| other.to_lowercase() == lower || other.replace(' ', "") == name.replace(' ', ""))
    {
        message = message.with_hint(format!("`{near}` is a state"));
    }
    Box::new(message)
}

#[cfg(test)]
mod tests {
    use super::super::{Jacobian, Options, SelfLoop, analyze};
    use super::*;

    fn motor(self_loop: SelfLoop) -> CycleAnalysis {
        let rows = vec![vec![-50.0 / 3.0, -6785.0 / 3.0, 0.0], vec![6.785 / 1500.0, -1e-3 / 1500.0, 0.0], vec![0.0, 1.0, 0.0]];
        let jacobian = Jacobian::dense(&["I", "w", "phi"], &rows).expect("finite");
        analyze(&jacobian, &Options { self_loop, ..Options::default() }).expect("three states")
    }

    fn made(text: &str) -> Result<Partition, Box<Diagnostic>> {
        partition(&motor(SelfLoop::Printed), &Choice::parse(text)?)
    }

    #[test]
    fn choices_become_partitions() {
        let automatic = made("").expect("a gap");
        assert_eq!((automatic.fast.as_slice(), automatic.slow.as_slice()), ([0].as_slice(), [1, 2].as_slice()));
        assert!((automatic.step - 0.5 * 0.22107590272660282).abs() < 1e-9 && automatic.certified && automatic.doubt.is_none());
        assert_eq!(made("h=0.1").expect("a threshold").step, 0.1);
        assert_eq!(made("fast = I, w ; step = 0.2").expect("names").fast, [0, 1]);
        let adaptive = made("cut=1;step=adaptive").expect("a cut");
        assert!(adaptive.adaptive && adaptive.step > 0.1);
        assert_eq!(names("a[1,2], 'b,c'"), ["a[1,2]", "'b,c'"]);
    }

    #[test]
    fn arrays_parts_of_them_and_patterns_are_names() {
        let names = ["Ta[1]", "Ta[2]", "Tb[1]", "Tb[2]", "c.v"];
        let row = |i: usize| (0..5).map(|j| if i == j { -1.0 - i as f64 } else { 0.0 }).collect::<Vec<f64>>();
        let jacobian = Jacobian::dense(&names, &(0..5).map(row).collect::<Vec<_>>()).expect("finite");
        let analysis = analyze(&jacobian, &Options::default()).expect("five states");
        let fast = |text: &str| partition(&analysis, &Choice::parse(text)?).map(|made| made.fast);
        assert_eq!(fast("fast=Ta").expect("an array"), [0, 1]);
        assert_eq!(fast("fast=Ta,Tb[2]").expect("an array and an element"), [0, 1, 3]);
        assert_eq!(fast("fast=Tb[1:1], c.v").expect("a part"), [2, 4]);
        assert_eq!(fast("fast=Tb[:]").expect("all of it"), [2, 3]);
        assert_eq!(fast("fast=T.\\[2\\]").expect("a pattern"), [1, 3]);
        assert_eq!(fast("fast=T").expect_err("no state").code, "C002");
        assert_eq!(fast("pair=heun;cut=1").expect("a cut"), [4]);
    }

    #[test]
    fn a_cut_takes_a_whole_tie() {
        let diagonal = [-1.0, -4.0, -4.0, -2.0];
        let row = |i: usize| (0..4).map(|j| if i == j { diagonal[i] } else { 0.0 }).collect::<Vec<f64>>();
        let jacobian = Jacobian::dense(&["a", "b", "c", "d"], &(0..4).map(row).collect::<Vec<_>>()).expect("finite");
        let analysis = analyze(&jacobian, &Options::default()).expect("four states");
        let made = partition(&analysis, &Choice::parse("cut=1").expect("a cut")).expect("a cut");
        assert_eq!(made.fast, [1, 2]);
        assert!(made.reason.ends_with("and 1 more with the bound of the last"), "{}", made.reason);
    }

    #[test]
    fn wrong_choices_are_refused_by_their_codes() {
        for (text, code) in [
            ("alpha=0", "C001"),
            ("fast=J", "C002"),
            ("cut=0", "C008"),
            ("cut=3", "C008"),
            ("x=1", "C006"),
            ("h=-1", "C006"),
            ("cut=2", "C007"),
            ("h=1;cut=1", "C006"),
        ] {
            assert_eq!(made(text).expect_err(text).code, code, "{text}");
        }
    }
}
