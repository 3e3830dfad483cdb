//! Names of methods: ours, and those of OpenModelica that ours stand for.

use crate::integrate::experiment::Solver;
use std::str::FromStr;

/// A method as the user names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The method.
    pub solver: Solver,
    /// What is to be said if another name was given.
    pub note: Option<String>,
}

/// The methods that stand for those of OpenModelica; methods of the same name are not listed.
const OPENMODELICA: &[(&str, Solver)] = &[
    ("dassl", Solver::Bdf),
    ("ida", Solver::Bdf),
    ("cvode", Solver::Bdf),
    ("gbode", Solver::Esdirk),
    ("irksco", Solver::Esdirk),
    ("rungekutta", Solver::Rk4),
    ("rungekuttaSsc", Solver::Dopri5),
    ("impeuler", Solver::ImplicitEuler),
    ("trapezoid", Solver::ImplicitMidpoint),
];

impl FromStr for Named {
    type Err = String;

    fn from_str(word: &str) -> Result<Named, String> {
        match OPENMODELICA.iter().find(|(name, _)| *name == word) {
            Some((_, solver)) => {
                Ok(Named { solver: *solver, note: Some(format!("`{word}` is a method of OpenModelica; {solver} takes its place")) })
            }
            None => Solver::from_str(word).map(|solver| Named { solver, note: None }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_openmodelica_are_noted_and_ours_are_not() {
        assert_eq!(
            "dassl".parse::<Named>().unwrap(),
            Named { solver: Solver::Bdf, note: Some("`dassl` is a method of OpenModelica; bdf takes its place".to_string()) }
        );
        for (name, solver) in OPENMODELICA {
            assert_eq!(name.parse::<Named>().map(|named| named.solver), Ok(*solver));
        }
        for solver in Solver::ALL {
            assert_eq!(solver.word().parse::<Named>(), Ok(Named { solver, note: None }));
        }
        assert!("DASSL".parse::<Named>().is_err());
    }
}
