//! How values are shown in texts: what `String(x, ...)` of Modelica means.
//!
//! Input: a value and a format. Output: its text, as C's `printf` gives it. Formats are made when the model is compiled; the same code
//! shows constants there and values of the run here.

use serde::{Deserialize, Serialize};

/// Wider texts are not made.
pub const WIDEST: usize = 1000;

/// How a value is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Format {
    /// With as many digits as tell it from all others.
    Plain(SlotType),
    /// A Real with so many significant digits.
    General {
        /// Significant digits.
        digits: usize,
        /// Where the text stands.
        place: Padding,
    },
    /// An Integer or Boolean.
    Whole(SlotType, Padding),
    /// The name with the value's number, from one on.
    Name(Vec<String>, Padding),
    /// A format of C without its percent sign, for example `-8.3f`.
    C(SlotType, String),
}

/// The field that a text is put into.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Padding {
    /// The text has at least so many characters.
    pub width: usize,
    /// Blanks follow the text, or come before it.
    pub left: bool,
}

impl Default for Padding {
    fn default() -> Padding {
        Padding { width: 0, left: true }
    }
}

impl Padding {
    /// The text with the blanks that it needs.
    pub fn put(self, text: &str) -> String {
        let width = self.width.min(WIDEST);
        if self.left { format!("{text:<width$}") } else { format!("{text:>width$}") }
    }
}

/// A number to be shown.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Number {
    /// A Real.
    Real(f64),
    /// An Integer.
    Integer(i64),
}

impl Format {
    /// The text of a value.
    pub fn show(&self, value: f64) -> String {
        match self {
            Format::Plain(SlotType::Boolean) => (value != 0.0).to_string(),
            Format::Plain(_) => value.to_string(),
            Format::General { digits, place } => place.put(&general(value, *digits)),
            Format::Whole(SlotType::Boolean, place) => place.put(if value != 0.0 { "true" } else { "false" }),
            Format::Whole(_, place) => place.put(&format!("{value:.0}")),
            Format::Name(names, place) => place.put(names.get((value as usize).wrapping_sub(1)).map_or("", String::as_str)),
            Format::C(ty, format) => {
                let number = if *ty == SlotType::Real { Number::Real(value) } else { Number::Integer(value as i64) };
                printed(number, format).unwrap_or_default()
            }
        }
    }
}

/// A format of C, taken apart.
struct Conversion<'a> {
    flags: &'a str,
    width: usize,
    precision: Option<usize>,
    kind: &'a str,
}

fn conversion(format: &str) -> Option<Conversion<'_>> {
    let format = format.strip_prefix('%').unwrap_or(format);
    let (flags, rest) = format.split_at(format.find(|c| !"-+ 0#".contains(c)).unwrap_or(format.len()));
    let end_of_digits = |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (width, rest) = rest.split_at(end_of_digits(rest));
    let width = if width.is_empty() { 0 } else { width.parse().ok().filter(|w| *w <= WIDEST)? };
    let (precision, kind) = match rest.strip_prefix('.') {
        Some(rest) => {
            let (digits, kind) = rest.split_at(end_of_digits(rest));
            (Some(if digits.is_empty() { 0 } else { digits.parse().ok().filter(|p| *p <= 100)? }), kind)
        }
        None => (None, rest),
    };
    Some(Conversion { flags, width, precision, kind })
}

/// A number in a format of C without its percent sign; `None` if it is none of Modelica's formats for it.
pub fn printed(number: Number, format: &str) -> Option<String> {
    let Conversion { flags, width, precision, kind } = conversion(format)?;
    let real = match number {
        Number::Real(x) => x,
        Number::Integer(i) => i as f64,
    };
    let mut digits = match (kind, number) {
        ("d" | "i", Number::Integer(i)) => format!("{:0>1$}", i.unsigned_abs(), precision.unwrap_or(1)),
        ("u", Number::Integer(i)) => format!("{:0>1$}", i as u64, precision.unwrap_or(1)),
        ("x" | "X", Number::Integer(i)) => format!("{:0>1$}", format!("{i:x}"), precision.unwrap_or(1)),
        ("o", Number::Integer(i)) => format!("{:0>1$}", format!("{i:o}"), precision.unwrap_or(1)),
        ("f" | "F" | "e" | "E" | "g" | "G", _) if !real.is_finite() => not_finite(real.abs()),
        ("f" | "F", _) => format!("{:.*}", precision.unwrap_or(6), real.abs()),
        ("e" | "E", _) => scientific(real.abs(), precision.unwrap_or(6))?,
        ("g" | "G", _) => general(real.abs(), precision.unwrap_or(6)),
        _ => return None,
    };
    if matches!(kind, "E" | "G" | "F" | "X") {
        digits = digits.to_uppercase();
    }
    let negative = match number {
        Number::Integer(i) => i < 0 && matches!(kind, "d" | "i"),
        Number::Real(x) => x.is_sign_negative(),
    };
    let sign = if negative {
        "-"
    } else if flags.contains('+') {
        "+"
    } else if flags.contains(' ') {
        " "
    } else {
        ""
    };
    let missing = width.saturating_sub(sign.len() + digits.len());
    Some(if flags.contains('-') {
        format!("{sign}{digits}{}", " ".repeat(missing))
    } else if flags.contains('0') && real.is_finite() {
        format!("{sign}{}{digits}", "0".repeat(missing))
    } else {
        format!("{}{sign}{digits}", " ".repeat(missing))
    })
}

/// What C prints for what is no finite number.
fn not_finite(x: f64) -> String {
    if x.is_nan() { "nan".to_owned() } else { x.to_string() }
}

/// `%.{digits}e` of C.
fn scientific(x: f64, digits: usize) -> Option<String> {
    let text = format!("{x:.digits$e}");
    let (mantissa, exponent) = text.split_once('e')?;
    let exponent: i32 = exponent.parse().ok()?;
    Some(format!("{mantissa}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs()))
}

/// `%.{digits}g` of C.
pub fn general(x: f64, digits: usize) -> String {
    if !x.is_finite() {
        return not_finite(x);
    }
    let digits = digits.clamp(1, 60);
    let text = format!("{:.*e}", digits - 1, x);
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trimmed = |s: &str| {
        if s.contains('.') { s.trim_end_matches('0').trim_end_matches('.').to_owned() } else { s.to_owned() }
    };
    if exponent < -4 || exponent >= digits as i32 {
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{}e{sign}{:02}", trimmed(mantissa), exponent.abs())
    } else {
        let decimals = usize::try_from(digits as i32 - 1 - exponent).unwrap_or(0);
        trimmed(&format!("{x:.decimals$}"))
    }
}

/// The type a slot shows in results.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "each variant is the Modelica type of its name")]
pub enum SlotType {
    Real,
    Integer,
    Boolean,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_look_as_c_prints_them() {
        let real = |x: f64, format: &str| printed(Number::Real(x), format).unwrap_or_else(|| panic!("{format}"));
        for (x, format, expected) in [
            (3.16159, "10.3f", "     3.162"),
            (3.16159, "-10.3f", "3.162     "),
            (-3.16159, "+.2e", "-3.16e+00"),
            (1234567.0, "g", "1.23457e+06"),
            (0.0001, "g", "0.0001"),
            (0.00001, ".3G", "1E-05"),
            (2.5, "08.2f", "00002.50"),
            (f64::NAN, "5f", "  nan"),
            (f64::INFINITY, "-6gx", ""),
        ] {
            if expected.is_empty() {
                assert_eq!(printed(Number::Real(x), format), None);
            } else {
                assert_eq!(real(x, format), expected, "{format}");
            }
        }
        for (i, format, expected) in
            [(42, "5d", "   42"), (-42, "-6i", "-42   "), (42, "05d", "00042"), (255, "x", "ff"), (8, "o", "10"), (3, ".1f", "3.0")]
        {
            assert_eq!(printed(Number::Integer(i), format).as_deref(), Some(expected), "{format}");
        }
        assert_eq!(printed(Number::Real(1.0), "d"), None);
    }

    #[test]
    fn values_are_padded_and_named() {
        let right = Padding { width: 6, left: false };
        assert_eq!(Format::General { digits: 3, place: right }.show(1.0 / 3.0), " 0.333");
        assert_eq!(Format::Whole(SlotType::Boolean, Padding { width: 6, left: true }).show(1.0), "true  ");
        assert_eq!(Format::Whole(SlotType::Integer, right).show(-7.0), "    -7");
        assert_eq!(Format::Name(vec!["one".into(), "two".into()], right).show(2.0), "   two");
        assert_eq!(general(123456.0, 6), "123456");
        assert_eq!(general(1234567.0, 6), "1.23457e+06");
    }
}
