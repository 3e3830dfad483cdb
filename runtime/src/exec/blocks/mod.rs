//! Blocks: equations that are solved together.

mod affine;
mod closed_form;
mod constants;
mod evaluate;
mod guesses;
mod mixed;
mod newton;
mod solve;
mod starts;
