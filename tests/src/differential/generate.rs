//! The case of a seed, how it is run, and a smaller one with the same difference.

use super::case::Case;
use super::judge::{Verdict, Way, judge};
use super::{models, programs, shrink, systems};
use crate::random::Random;
use crate::simulation::Engine;
use std::fmt;
use std::str::FromStr;

/// What random models are made of.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Parameters and variables with expressions of all types and shapes.
    Expressions,
    /// Functions with algorithms.
    Functions,
    /// Discrete programs: events, `when`, `pre`, algorithms.
    Programs,
    /// Differential-algebraic systems, hidden from their explicit form.
    Systems,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 4] = [Kind::Expressions, Kind::Functions, Kind::Programs, Kind::Systems];

    /// The word for the kind.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Expressions => "expressions",
            Kind::Functions => "functions",
            Kind::Programs => "programs",
            Kind::Systems => "systems",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for Kind {
    type Err = String;

    fn from_str(word: &str) -> Result<Kind, String> {
        let words = Kind::ALL.map(Kind::word).join(", ");
        Kind::ALL.into_iter().find(|kind| kind.word() == word).ok_or_else(|| format!("there is no kind `{word}`; there are {words}"))
    }
}

impl Case {
    /// The case of a seed.
    pub fn of(kind: Kind, seed: u64) -> Case {
        Case::without(kind, seed, &|_| true)
    }

    /// The case of a seed with only some blocks of a system.
    fn without(kind: Kind, seed: u64, keep: &dyn Fn(usize) -> bool) -> Case {
        let random = &mut Random::new(seed.wrapping_mul(8).wrapping_add(kind as u64));
        match kind {
            Kind::Expressions => models::of_expressions(random),
            Kind::Functions => models::of_functions(random),
            Kind::Programs => programs::program(random),
            Kind::Systems => systems::system(random, keep),
        }
    }
}

/// How Partita runs the case of a seed: by both engines; machine code takes longer to make, so every fourth time.
pub fn ways(seed: u64) -> Vec<Way> {
    let mut ways = vec![Way::by(Engine::Interpreter)];
    if seed.is_multiple_of(4) {
        ways.push(Way::by(Engine::MachineCode));
    }
    ways
}

/// The code of a message of Partita, or nothing for another difference.
fn code(what: &str) -> Option<&str> {
    what.split(['[', ']']).nth(1).filter(|code| code.len() == 4)
}

/// A case that shows a difference, made small, and its difference: for the same reason, so that one bug does not turn into another.
pub fn shrunk(kind: Kind, seed: u64) -> (Case, String) {
    let ways = ways(seed);
    let difference = |case: &Case| match judge(case, &ways) {
        Verdict::Different(what) if !what.contains("does not know") => Some(what),
        _ => None,
    };
    let mut case = Case::of(kind, seed);
    let Some(first) = difference(&case) else { return (case, String::new()) };
    if case.explicit.is_none() {
        case.text = shrink::shrink(&case.text, &mut |text| {
            let tried = Case { text: text.to_string(), ..case.clone() };
            difference(&tried).is_some_and(|what| code(&what) == code(&first))
        });
    } else {
        let mut left: Vec<usize> = (0..systems::MOST_BLOCKS).collect();
        for block in 0..systems::MOST_BLOCKS {
            let fewer: Vec<usize> = left.iter().copied().filter(|other| *other != block).collect();
            let tried = Case::without(kind, seed, &|block| fewer.contains(&block));
            if difference(&tried).is_some_and(|what| code(&what) == code(&first)) {
                (left, case) = (fewer, tried);
            }
        }
    }
    let what = difference(&case).unwrap_or(first);
    (case, what)
}
