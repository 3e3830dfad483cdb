//! Random systems with two or three time scales, and what plain `--decouple` makes of them.
//!
//! A system has groups of states whose rates lie 10 to 1e5 times apart. Within a group states form chains, oscillators or non-normal
//! cascades, some with cubic terms; groups are coupled by 1e-3 to 1 of their rates; sources drive some states. Every system is stable:
//! what a state takes from others is less than what it loses, or turns with it.

use crate::random::Random;
use crate::simulation::{Engine, compile, instance};
use partita::decouple::verify::{Grid, reference_of};
use partita_grammar::Source;
use partita_runtime::integrate::Experiment;
use partita_runtime::integrate::system::statistics::Partitioning;
use std::fmt::Write;

/// Tolerance of the runs.
const TOLERANCE: f64 = 1e-6;
/// What a run of all states is off by depends on chance where a system magnifies errors: it is judged at these parts of the tolerance.
const PARTS: [f64; 3] = [0.7, 1.0, 1.4];

/// How a group's states act on each other.
#[derive(Copy, Clone)]
enum Shape {
    /// Conduction between neighbours.
    Chain,
    /// Pairs that turn.
    Oscillators,
    /// Each state follows the one before it, several times as strongly as it decays.
    Cascade,
}

/// The equation of a state of a group: how fast it is, its number there, and the number of the group's first state.
fn own_terms(shape: Shape, rate: f64, at: usize, size: usize, first: usize) -> String {
    let state = |k: usize| format!("x[{}]", first + k);
    let (me, before) = (state(at), state(at.max(1) - 1));
    match shape {
        Shape::Chain => {
            let after = state((at + 1).min(size - 1));
            format!("{rate:e}*(0.5*{before} + 0.5*{after} - 1.3*{me})")
        }
        Shape::Oscillators if at.is_multiple_of(2) && at + 1 < size => format!("{rate:e}*(-0.2*{me} + {})", state(at + 1)),
        Shape::Oscillators if at % 2 == 1 => format!("{rate:e}*(-0.2*{me} - {before})"),
        Shape::Cascade if at > 0 => format!("{rate:e}*(3*{before} - 2*{me})"),
        _ => format!("-{rate:e}*{me}"),
    }
}

/// The system of a seed, as text.
pub fn system(seed: u64) -> String {
    let mut random = Random::new(seed);
    let n_groups = 2 + random.below(2);
    let ratio = 10f64.powf(1.0 + 4.0 * random.part());
    let coupling = 10f64.powf(-3.0 * random.part());
    let sizes: Vec<usize> = (0..n_groups).map(|_| 8 + random.below(60)).collect();
    let n: usize = sizes.iter().sum();
    let mut equations = String::new();
    let mut first = 1;
    for (group, &size) in sizes.iter().enumerate() {
        let rate = ratio.powf(group as f64 / (n_groups - 1) as f64);
        let shape = [Shape::Chain, Shape::Oscillators, Shape::Cascade][random.below(3)];
        for at in 0..size {
            let mut terms = own_terms(shape, rate, at, size, first);
            if random.below(3) == 0 {
                let other = 1 + random.below(n);
                // Less than what every state loses by itself.
                let _ = write!(terms, " + {:e}*sin(x[{other}])", 0.1 * coupling * rate * random.value(1.0).clamp(-1.0, 1.0));
            }
            if random.below(4) == 0 {
                let _ = write!(terms, " - {:e}*x[{}]^3", 0.1 * rate, first + at);
            }
            if random.below(6) == 0 {
                let _ = write!(terms, " + {:e}*sin({:e}*time)", 0.5 * rate, 1.0 + 4.0 * random.part());
            }
            let _ = writeln!(equations, "  der(x[{}]) = {terms};", first + at);
        }
        first += size;
    }
    format!(
        "model Scales\n  Real x[{n}](each start = 0.5, each fixed = true);\nequation\n{equations}  annotation(experiment(StopTime = 4, Tolerance = {TOLERANCE:e}));\nend Scales;\n"
    )
}

/// Two runs of a system against a reference, as parts of ranges.
#[derive(Clone, Debug)]
pub struct Compared {
    /// Error of runs of all states at about this tolerance, the largest.
    pub plain: f64,
    /// Error of the run that may split.
    pub split: f64,
    /// What the latter found.
    pub found: Partitioning,
}

impl Compared {
    /// More than half of the steps were solved for fast states alone.
    pub fn is_split(&self) -> bool {
        2 * self.found.split_solutions > self.found.solutions
    }

    /// The run that may split is as accurate as it has to be.
    pub fn is_right(&self) -> bool {
        self.split <= (3.0 * self.plain).max(10.0 * TOLERANCE)
    }
}

/// Runs the system of a seed.
pub fn compare(seed: u64) -> Result<Compared, String> {
    let text = system(seed);
    let compiled = compile(&Source { name: format!("scales{seed}.mo"), text }, None)?;
    let model = instance(&compiled, Engine::MachineCode).map_err(|error| error.title)?;
    let plain = Experiment { stop_time: 4.0, tolerance: TOLERANCE, ..Experiment::default() };
    let grid = Grid::new(&model, &plain);
    let run = |experiment: &Experiment| grid.run(&model, experiment).map_err(|message| message.title.clone());
    let reference = run(&reference_of(&plain, 1))?;
    let error = |run| grid.deviation(run, &reference, &plain).headline();
    let runs = PARTS.map(|part| run(&Experiment { tolerance: part * TOLERANCE, ..plain.clone() }));
    let wholes = runs.into_iter().collect::<Result<Vec<_>, _>>()?;
    let split = run(&Experiment { partition: true, ..plain.clone() })?;
    let found = split.statistics.apart.partitioning.clone().ok_or("the method does not split")?;
    Ok(Compared { plain: wholes.iter().map(&error).fold(0.0, f64::max), split: error(&split), found })
}
