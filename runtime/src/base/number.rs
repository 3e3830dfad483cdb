//! Numbers in messages.
//!
//! Input: a number. Output: its shortest text that reads back as the same number: with an exponent where digits alone would be long
//! (`8.914e-21`, `2e8` stays `200000000`). All messages of the run-time and of the commands take their numbers from here.

/// A number as messages show it.
pub fn shown(value: f64) -> String {
    let size = value.abs();
    let is_plain = value == 0.0 || !value.is_finite() || (1e-4..1e15).contains(&size);
    if is_plain { format!("{value}") } else { format!("{value:e}") }
}

/// A number with at most nine digits: for times, of which more say nothing to a reader.
pub fn rounded(value: f64) -> String {
    shown(format!("{value:.8e}").parse().unwrap_or(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_numbers_have_an_exponent() {
        let small = [(0.0, "0"), (0.5, "0.5"), (8.914e-21, "8.914e-21"), (-1.55e-17, "-1.55e-17"), (0.0001, "0.0001"), (0.00001, "1e-5")];
        for (value, text) in small.into_iter().chain([(2e8, "200000000"), (1e15, "1e15")]) {
            assert_eq!(shown(value), text);
            assert_eq!(text.parse::<f64>(), Ok(value));
        }
        assert_eq!(rounded(1.0 / 3.0), "0.333333333");
        assert_eq!((shown(f64::NAN), shown(f64::INFINITY)), ("NaN".to_string(), "inf".to_string()));
    }
}
