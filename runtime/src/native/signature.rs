//! How external C functions are called: the mapping of section 12.9 of the Modelica specification, as data.
#![forbid(unsafe_code)]

use serde::{Deserialize, Serialize};

/// What a number is in C.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Kind {
    /// `double`.
    Real,
    /// `int`; as an argument also `size_t`, whose register it fills.
    Integer,
    /// `int`, 0 or 1.
    Boolean,
    /// `int`, from 1 up to the number of literals.
    Enumeration(u32),
}

/// An argument of a C function.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Passed {
    /// The next argument by its value.
    Value(Kind),
    /// The string whose position is the next argument, as `const char *`.
    Text,
    /// The address of a copy of the next arguments, so many, row by row.
    Array(Kind, usize),
    /// The address of outputs, `len` of them beginning with number `start`.
    Output {
        /// What they are.
        kind: Kind,
        /// The first.
        start: usize,
        /// How many.
        len: usize,
    },
}

/// How a C function is called.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Signature {
    /// Its name in the library.
    pub symbol: String,
    /// Its arguments in order.
    pub arguments: Vec<Passed>,
    /// What it returns, and the number of the output that receives it.
    pub result: Option<(Kind, usize)>,
}

impl Signature {
    /// The number of arguments of a native call.
    pub fn n_inputs(&self) -> usize {
        let width = |passed: &Passed| match passed {
            Passed::Value(_) | Passed::Text => 1,
            Passed::Array(_, n) => *n,
            Passed::Output { .. } => 0,
        };
        self.arguments.iter().map(width).sum()
    }

    /// The number of outputs, if each is given exactly once.
    pub fn n_outputs(&self) -> Option<usize> {
        let mut given: Vec<usize> = self.result.iter().map(|(_, output)| *output).collect();
        for passed in &self.arguments {
            if let Passed::Output { start, len, .. } = passed {
                given.extend(*start..start + len);
            }
        }
        given.sort_unstable();
        let n = given.len();
        given.into_iter().eq(0..n).then_some(n)
    }
}
