//! Decides how a model is run in mixed mode: from `--decouple` to a split of its states.
//!
//! Input: an instance about to run, its experiment, the user's choice. Output: a [`Decision`]: fast states, pair and step with the
//! reasons, the spectral radius of a step at the start, and warnings; or why the model runs as a whole.
//! Method: cycle analysis of the Jacobian at the start and along a cheap run chooses the states; the map of one step is examined
//! at the same points; derivatives are probed within steps to see whether the step resolves what the model does in time.
//! Guarantee: nothing is decided silently; an automatic choice that promises nothing is not taken.
//! Cost: the cycle analysis, and a few hundred evaluations of the derivatives.

use crate::base::messages::run_message;
use crate::decouple::cycles::partition::{Rule, StepRule, partition};
use crate::decouple::cycles::{self, Choice, Jacobian, Partition};
use crate::decouple::operating_points::{At, operating_points};
use partita_grammar::Diagnostic;
use partita_runtime::exec::Instance;
use partita_runtime::integrate::Experiment;
use partita_runtime::integrate::mixed::{Pair, Split};
use partita_runtime::integrate::stability::{GROWTH, SpectralRadius, spectral_radius};
use partita_runtime::model::interface::HybridModel;
use partita_runtime::simulator::embedded_partition::EmbeddedPartition;
use serde::Serialize;
use std::fmt;

/// An automatic choice that needs more steps than this is not taken.
const MOST_STEPS: f64 = 5e5;
/// Steps that are probed for what happens within them.
const PROBED_STEPS: usize = 24;
/// Points within a probed step.
const PROBES: usize = 9;
/// A step is too long if within it the mean of a derivative differs from that of its ends by this part of all its change in time.
const UNRESOLVED: f64 = 0.1;

/// What the user asks for.
#[derive(Clone, Debug, Default)]
pub struct DecoupleOptions {
    /// Which states are fast.
    pub choice: Choice,
    /// The formulas; Euler's for fixed steps, the pair of order 3 for adaptive ones if not given.
    pub pair: Option<Pair>,
    /// `--step`, which wins over the automatic step.
    pub step: Option<f64>,
    /// `--at`, the operating points; the start and points along a run if not given.
    pub at: Option<At>,
}

impl DecoupleOptions {
    /// The user gave a choice: it is done whatever the analysis thinks of it.
    fn is_forced(&self) -> bool {
        Choice { pair: None, ..self.choice.clone() } != Choice::default() || self.step.is_some()
    }
}

/// How the model runs, and why.
#[derive(Clone, Debug, Serialize)]
pub struct Decision {
    /// Names of the fast states.
    pub fast: Vec<String>,
    /// Positions of the fast states.
    #[serde(skip)]
    pub positions: Vec<usize>,
    /// Number of all states.
    pub states: usize,
    /// The formulas.
    pub pair: Pair,
    /// The step, or the first guess of it.
    pub step: f64,
    /// Steps follow from error estimates.
    pub adaptive: bool,
    /// Why these states.
    pub reason: String,
    /// The bounds leave no doubt which states are fast.
    pub certified: bool,
    /// Of one step at the first operating point.
    pub spectral_radius: Option<SpectralRadius>,
    /// The time of that point, if it is not the start.
    pub radius_time: Option<f64>,
    /// Why the model runs as a whole, if it does.
    pub refused: Option<String>,
    /// What the user should know.
    pub warnings: Vec<String>,
}

impl Decision {
    /// What a simulator of its own needs to know of it; nothing if the model runs as a whole.
    pub fn partition(&self) -> Option<EmbeddedPartition> {
        Some(EmbeddedPartition { split: self.split()?, step: self.step, spectral_radius: self.spectral_radius.map(|radius| radius.value) })
    }

    /// The split for the experiment; nothing if the model runs as a whole.
    pub fn split(&self) -> Option<Split> {
        self.refused.is_none().then(|| Split { fast: self.positions.clone(), pair: self.pair, adaptive: self.adaptive })
    }
}

/// Names, not too many of them.
fn shown(names: &[String]) -> String {
    const MOST: usize = 8;
    match names.len() {
        0 => "none".to_string(),
        n if n <= MOST => names.join(", "),
        n => format!("{}, and {} more", names[..MOST].join(", "), n - MOST),
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(why) = &self.refused {
            return writeln!(
                f,
                "not decoupled: {why}\n  run as a whole; give a choice (`--decouple 'pair=euler;cut=N'`, `fast=...`, `h=...`) to split it all the same"
            );
        }
        let n_fast = self.fast.len();
        writeln!(f, "decoupled: {} of {} states are fast and implicit, {} slow and explicit", n_fast, self.states, self.states - n_fast)?;
        writeln!(f, "  fast             {}", shown(&self.fast))?;
        let doubt = if self.certified { "" } else { " (the bounds leave room for doubt)" };
        writeln!(f, "  why              {}{doubt}", self.reason)?;
        writeln!(f, "  method           {}", self.pair.description())?;
        match self.adaptive {
            true => writeln!(f, "  step             adaptive")?,
            false => writeln!(f, "  step             {}, fixed: no tolerance holds", self.step)?,
        }
        match self.spectral_radius {
            Some(radius) => {
                let how = if radius.exact { "" } else { " (estimate)" };
                let which = if self.adaptive { format!(" with step {}", self.step) } else { String::new() };
                let when = self.radius_time.map_or("the start".to_string(), |time| format!("time {time}"));
                writeln!(f, "  spectral radius  {:.6} of a step at {when}{which}{how}; above 1 errors grow", radius.value)
            }
            None => writeln!(f, "  spectral radius  unknown: the fast part is singular with this step"),
        }
    }
}

impl Decision {
    /// The model runs as a whole, for this reason.
    fn refusal(states: usize, reason: String) -> Decision {
        Decision {
            fast: Vec::new(),
            positions: Vec::new(),
            states,
            pair: Pair::default(),
            step: 0.0,
            adaptive: false,
            reason: String::new(),
            certified: false,
            spectral_radius: None,
            radius_time: None,
            refused: Some(reason),
            warnings: Vec::new(),
        }
    }
}

/// The choice with the pair and step of their own flags.
fn asked_choice(decouple_options: &DecoupleOptions) -> Result<(Choice, Option<Pair>), Box<Diagnostic>> {
    let mut choice = decouple_options.choice.clone();
    let asked_pair = decouple_options.pair.or(choice.pair);
    if asked_pair.is_some_and(Pair::is_multistep) {
        if matches!(choice.step, StepRule::Fixed(_)) || decouple_options.step.is_some() {
            return Err(Box::new(
                Diagnostic::error("C006", "the pair `bdf` has no fixed steps")
                    .with_hint("leave the step out, or choose another pair, for example `--pair imex3`"),
            ));
        }
        choice.step = StepRule::Adaptive;
    }
    if let (Some(step), StepRule::Automatic) = (decouple_options.step, choice.step) {
        choice.step = StepRule::Fixed(step);
    }
    Ok((choice, asked_pair))
}

/// What a user should know of a partition.
fn warnings_of(made: &Partition, choice: &Choice, experiment: &Experiment) -> Vec<String> {
    let mut warnings = Vec::new();
    if matches!(choice.rule, Rule::Threshold(_) | Rule::Cut(_)) && !made.certified {
        warnings.push("the bounds are not tight enough to certify this partition".to_string());
    }
    if !made.adaptive && made.step > experiment.span() {
        warnings.push(format!("the step {} is longer than the run", made.step));
    }
    warnings
}

/// Decides how to run a model.
pub fn decide(instance: &Instance, experiment: &Experiment, decouple_options: &DecoupleOptions) -> Result<Decision, Box<Diagnostic>> {
    let mut model = instance.fork();
    let n = model.n_states();
    let t = experiment.start_time;
    let mut x = vec![0.0; n];
    model.initialize(t, &mut x).map_err(|error| Box::new(run_message(&error)))?;
    let (choice, asked_pair) = asked_choice(decouple_options)?;
    let defaults = cycles::Options::default();
    let options = cycles::Options { alpha: choice.alpha.unwrap_or(defaults.alpha), ..defaults };
    // States and step given: the start is enough to describe them.
    let given = matches!((&choice.rule, choice.step), (Rule::Fast(_), StepRule::Fixed(_)));
    let at = match &decouple_options.at {
        Some(at) => at.clone(),
        None if given => At::Times(vec![t]),
        None => At::Run,
    };
    let (points, remark) = operating_points(instance, experiment, &at)?;
    let jacobians: Vec<Jacobian> = points.iter().map(|point| point.jacobian.clone()).collect();
    let analysis = cycles::analyze_points(&jacobians, &options)?;
    let refusal = |reason: String| Decision::refusal(n, reason);
    let made: Partition = match partition(&analysis, &choice) {
        Ok(made) => made,
        // An automatic choice without a usable step is no mistake of the user's.
        Err(message) if !decouple_options.is_forced() && message.code == "C007" => return Ok(refusal(message.title.clone())),
        // Nothing limits the step of the slow states but what is to be seen of them.
        Err(message) if message.code == "C007" => {
            partition(&analysis, &Choice { step: StepRule::Fixed(experiment.output_interval()), ..choice.clone() })?
        }
        Err(message) => return Err(message),
    };
    if !decouple_options.is_forced() {
        let why = match &made.doubt {
            Some(doubt) => Some(doubt.clone()),
            None if made.slow.is_empty() => Some("all states are fast".to_string()),
            None if made.fast.is_empty() => Some("no state is fast".to_string()),
            None => unfit(experiment, made.step),
        };
        if let Some(why) = why {
            return Ok(refusal(why));
        }
    }
    let pair = asked_pair.unwrap_or(if made.adaptive { Pair::Imex3 } else { Pair::Euler });
    let radius_at = |jacobian: &Jacobian| spectral_radius(jacobian.pattern(), jacobian.values(), &made.fast, pair, made.step);
    let radius = jacobians.first().and_then(radius_at);
    let mut warnings: Vec<String> = remark.into_iter().collect();
    if !made.adaptive {
        // Estimates for large models are not cheap: the start stands for all points there.
        let considered = if radius.is_some_and(|radius| radius.exact) { points.len() } else { 1 };
        let radii = points[..considered].iter().filter_map(|point| radius_at(&point.jacobian).map(|radius| (point.time, radius.value)));
        if let Some((time, value)) = radii.max_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, value)| *value > 1.0 + GROWTH) {
            warnings.push(format!("the spectral radius of a step is {value:.6} at time {time}: above 1 errors may grow from step to step"));
        }
    }
    warnings.extend(warnings_of(&made, &choice, experiment));
    if !made.adaptive
        && let Some(driven) = unresolved(&mut model, experiment, made.step, &x)
    {
        if !decouple_options.is_forced() {
            return Ok(refusal(driven));
        }
        warnings.push(driven);
    }
    let name = |state: &usize| model.state_name(*state).to_string();
    Ok(Decision {
        fast: made.fast.iter().map(name).collect(),
        positions: made.fast,
        states: n,
        pair,
        step: made.step,
        adaptive: made.adaptive,
        reason: made.reason,
        certified: made.certified,
        spectral_radius: radius,
        radius_time: points.first().map(|point| point.time).filter(|time| *time > t),
        refused: None,
        warnings,
    })
}

/// Why a run does not take so many steps by itself.
fn unfit(experiment: &Experiment, step: f64) -> Option<String> {
    let steps = experiment.span() / step;
    match steps {
        steps if steps < 1.0 => Some(format!("the slow states allow a step of {step:.3e}, which is longer than the run")),
        steps if steps > MOST_STEPS => Some(format!("the slow states allow a step of {step:.3e}, which makes {steps:.0} steps")),
        _ => None,
    }
}

/// Why a run would not take a step by itself, if it would not.
pub fn refused_step(instance: &Instance, experiment: &Experiment, step: f64) -> Option<String> {
    let mut model = instance.fork();
    let mut x = vec![0.0; model.n_states()];
    model.initialize(experiment.start_time, &mut x).ok()?;
    unfit(experiment, step).or_else(|| unresolved(&mut model, experiment, step, &x))
}

/// Looks at how derivatives depend on time alone, at the states of the start: a source that moves much within a step is not seen by
/// a method that looks at the ends of steps. Steps that hold a single jump do not count.
fn unresolved(model: &mut Instance, experiment: &Experiment, step: f64, x: &[f64]) -> Option<String> {
    let n = x.len();
    let steps = (experiment.span() / step).floor().max(1.0);
    let mut at = |t: f64| {
        let mut dx = vec![0.0; n];
        model.sample_relations(t, x).ok()?;
        model.derivatives(t, x, &mut dx).ok()?;
        Some(dx)
    };
    let first = at(experiment.start_time)?;
    // Change in time over the whole run, and how often a step misses it.
    let mut change = vec![0.0_f64; n];
    let mut gaps: Vec<Vec<f64>> = Vec::new();
    for probe in 0..PROBED_STEPS {
        let begin = experiment.start_time + (probe as f64 / PROBED_STEPS as f64 * steps).floor() * step;
        let (Some(left), Some(right)) = (at(begin), at(begin + step)) else { continue };
        let mut mean = vec![0.0; n];
        let mut inside = 0;
        for k in 1..=PROBES {
            // Fractions that have no common period with a source.
            let theta = (0.618_033_988_749_894_9 * k as f64).fract();
            let Some(middle) = at(begin + theta * step) else { continue };
            inside += 1;
            for i in 0..n {
                mean[i] += middle[i];
                change[i] = change[i].max((middle[i] - first[i]).abs());
            }
        }
        if inside == 0 {
            continue;
        }
        gaps.push((0..n).map(|i| (mean[i] / f64::from(inside) - 0.5 * (left[i] + right[i])).abs()).collect());
    }
    let misses = |i: usize| gaps.iter().filter(|gap| gap[i] > UNRESOLVED * change[i]).count();
    let matters = |i: usize, model: &Instance| change[i] * step > 1e-3 * x[i].abs().max(model.nominal(i));
    let state = (0..n).filter(|&i| matters(i, model)).find(|&i| 4 * misses(i) >= gaps.len().max(1))?;
    Some(format!(
        "the step {step} is too long for what drives `{}`: within steps its derivative differs from what their ends show (an undersampled source)",
        model.state_name(state)
    ))
}
