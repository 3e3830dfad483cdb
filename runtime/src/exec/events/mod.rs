//! Events of a run: iteration until nothing changes, what fires at the same moment, assertions, delayed values.

pub(crate) mod assertions;
pub(crate) mod iteration;
pub(crate) mod modes;
pub(crate) mod simultaneous;
pub(crate) mod sites;
