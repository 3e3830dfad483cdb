//! Words that templates use for numbers.
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
