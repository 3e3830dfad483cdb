//! Words that templates use for numbers.
//!
//! Input: a number. Output: its text, as in `{{ x|digits }}`. Guarantee: coordinates of a page have no more digits than can be seen.
//! Cost: constant.
#![allow(missing_docs, reason = "what the attribute makes of a function has no place for words")]

/// A coordinate: one digit after the point is finer than any screen.
#[askama::filter_fn]
pub fn digits(value: &f64, _: &dyn askama::Values) -> askama::Result<String> {
    Ok(format!("{value:.1}"))
}

/// A small part of something.
#[askama::filter_fn]
pub fn hundredths(value: &f64, _: &dyn askama::Values) -> askama::Result<String> {
    Ok(format!("{value:.2}"))
}
