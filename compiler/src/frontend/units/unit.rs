//! Units as products of powers of the base units.
//!
//! Input: a unit string of Modelica such as `N.m`, `kg/(m.s2)` or `1`. Output: its dimension, or none if it is no unit that is known here.
//! Scale and offset are left out: `km` and `m`, `degC` and `K` agree. Angles have no dimension. Exponents are kept in twelfths, so that
//! roots are exact. Cost: linear in the string.

use std::fmt;

/// The base units, in the order in which they are written.
const BASES: [&str; 7] = ["kg", "m", "s", "A", "K", "mol", "cd"];
/// Exponents are multiples of one over this.
const PARTS: i32 = 12;

/// A product of powers of the base units.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Dimension([i32; BASES.len()]);

/// Units with names of their own, by their exponents.
const NAMED: &[(&str, [i32; BASES.len()])] = &[
    ("g", [1, 0, 0, 0, 0, 0, 0]),
    ("m", [0, 1, 0, 0, 0, 0, 0]),
    ("s", [0, 0, 1, 0, 0, 0, 0]),
    ("A", [0, 0, 0, 1, 0, 0, 0]),
    ("K", [0, 0, 0, 0, 1, 0, 0]),
    ("mol", [0, 0, 0, 0, 0, 1, 0]),
    ("cd", [0, 0, 0, 0, 0, 0, 1]),
    ("rad", [0; BASES.len()]),
    ("sr", [0; BASES.len()]),
    ("deg", [0; BASES.len()]),
    ("rev", [0; BASES.len()]),
    ("Hz", [0, 0, -1, 0, 0, 0, 0]),
    ("Bq", [0, 0, -1, 0, 0, 0, 0]),
    ("N", [1, 1, -2, 0, 0, 0, 0]),
    ("Pa", [1, -1, -2, 0, 0, 0, 0]),
    ("bar", [1, -1, -2, 0, 0, 0, 0]),
    ("atm", [1, -1, -2, 0, 0, 0, 0]),
    ("J", [1, 2, -2, 0, 0, 0, 0]),
    ("eV", [1, 2, -2, 0, 0, 0, 0]),
    ("W", [1, 2, -3, 0, 0, 0, 0]),
    ("var", [1, 2, -3, 0, 0, 0, 0]),
    ("VA", [1, 2, -3, 0, 0, 0, 0]),
    ("C", [0, 0, 1, 1, 0, 0, 0]),
    ("V", [1, 2, -3, -1, 0, 0, 0]),
    ("F", [-1, -2, 4, 2, 0, 0, 0]),
    ("Ohm", [1, 2, -3, -2, 0, 0, 0]),
    ("S", [-1, -2, 3, 2, 0, 0, 0]),
    ("Wb", [1, 2, -2, -1, 0, 0, 0]),
    ("T", [1, 0, -2, -1, 0, 0, 0]),
    ("H", [1, 2, -2, -2, 0, 0, 0]),
    ("lm", [0, 0, 0, 0, 0, 0, 1]),
    ("lx", [0, -2, 0, 0, 0, 0, 1]),
    ("Gy", [0, 2, -2, 0, 0, 0, 0]),
    ("Sv", [0, 2, -2, 0, 0, 0, 0]),
    ("kat", [0, 0, -1, 0, 0, 1, 0]),
    ("degC", [0, 0, 0, 0, 1, 0, 0]),
    ("degF", [0, 0, 0, 0, 1, 0, 0]),
    ("degRk", [0, 0, 0, 0, 1, 0, 0]),
    ("l", [0, 3, 0, 0, 0, 0, 0]),
    ("L", [0, 3, 0, 0, 0, 0, 0]),
    ("t", [1, 0, 0, 0, 0, 0, 0]),
    ("min", [0, 0, 1, 0, 0, 0, 0]),
    ("h", [0, 0, 1, 0, 0, 0, 0]),
    ("d", [0, 0, 1, 0, 0, 0, 0]),
    ("rpm", [0, 0, -1, 0, 0, 0, 0]),
];

const PREFIXES: [&str; 20] = ["da", "Y", "Z", "E", "P", "T", "G", "M", "k", "h", "d", "c", "m", "u", "n", "p", "f", "a", "z", "y"];

impl Dimension {
    /// Numbers without unit.
    pub const ONE: Dimension = Dimension([0; BASES.len()]);

    /// Reads a unit string; `None` if something in it is not known.
    pub fn parse(text: &str) -> Option<Dimension> {
        let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let mut reader = Reader { rest: &text };
        let dimension = reader.quotient()?;
        reader.rest.is_empty().then_some(dimension)
    }

    /// Seconds.
    pub fn second() -> Dimension {
        Dimension::ONE.times(&Dimension::symbol("s").unwrap_or_default(), 1)
    }

    /// The product with a power of another.
    #[must_use]
    pub fn times(self, other: &Dimension, power: i32) -> Dimension {
        let mut exponents = self.0;
        exponents.iter_mut().zip(&other.0).for_each(|(own, other)| *own = own.saturating_add(other.saturating_mul(power)));
        Dimension(exponents)
    }

    /// A power; `None` if its exponents cannot be written.
    pub fn power(self, exponent: f64) -> Option<Dimension> {
        let mut exponents = [0; BASES.len()];
        for (new, old) in exponents.iter_mut().zip(self.0) {
            let exact = f64::from(old) * exponent;
            if exact.abs() > 1e6 || (exact - exact.round()).abs() > 1e-9 {
                return None;
            }
            *new = exact.round() as i32;
        }
        Some(Dimension(exponents))
    }

    fn symbol(name: &str) -> Option<Dimension> {
        let entry = |name: &str| NAMED.iter().find(|(symbol, _)| *symbol == name);
        let find = |name: &str| entry(name).map(|(_, exponents)| Dimension(exponents.map(|n| n * PARTS)));
        find(name).or_else(|| PREFIXES.iter().find_map(|prefix| find(name.strip_prefix(prefix)?)))
    }
}

/// What is left of a unit string.
struct Reader<'t> {
    rest: &'t str,
}

impl Reader<'_> {
    fn takes(&mut self, c: char) -> bool {
        let rest = self.rest.strip_prefix(c);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn quotient(&mut self) -> Option<Dimension> {
        let mut dimension = self.product(Self::factor)?;
        while self.takes('/') {
            dimension = dimension.times(&self.factor()?, -1);
        }
        Some(dimension)
    }

    fn product(&mut self, factor: fn(&mut Self) -> Option<Dimension>) -> Option<Dimension> {
        let mut dimension = factor(self)?;
        while self.takes('.') {
            dimension = dimension.times(&factor(self)?, 1);
        }
        Some(dimension)
    }

    fn factor(&mut self) -> Option<Dimension> {
        if !self.takes('(') {
            return self.power();
        }
        // A second level is not needed by any unit, and a string cannot ask for more.
        let dimension = self.product(Self::power)?;
        self.takes(')').then_some(dimension)
    }

    /// A symbol with its exponent.
    fn power(&mut self) -> Option<Dimension> {
        if self.takes('1') {
            return Some(Dimension::ONE);
        }
        let end = self.rest.find(|c: char| !c.is_alphabetic()).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        let digits = rest.find(|c: char| !(c.is_ascii_digit() || c == '-' || c == '+')).unwrap_or(rest.len());
        let (exponent, rest) = rest.split_at(digits);
        self.rest = rest;
        let exponent: i32 = if exponent.is_empty() { 1 } else { exponent.parse().ok().filter(|n: &i32| n.abs() < 100)? };
        Some(Dimension::ONE.times(&Dimension::symbol(name)?, exponent))
    }
}

/// One factor with its exponent, of which the sign has been taken off.
fn factor(base: &str, exponent: i32) -> String {
    match (exponent / PARTS, exponent % PARTS) {
        (1, 0) => base.to_string(),
        (whole, 0) => format!("{base}{whole}"),
        _ => format!("{base}^({exponent}/{PARTS})"),
    }
}

impl fmt::Display for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |sign: i32| -> Vec<String> {
            let exponents = BASES.iter().zip(self.0).map(|(base, n)| (base, n * sign));
            exponents.filter(|(_, n)| *n > 0).map(|(base, n)| factor(base, n)).collect()
        };
        let (above, below) = (side(1), side(-1));
        let above = if above.is_empty() { "1".to_string() } else { above.join(".") };
        match below.as_slice() {
            [] => write!(f, "{above}"),
            [one] => write!(f, "{above}/{one}"),
            several => write!(f, "{above}/({})", several.join(".")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(unit: &str) -> String {
        Dimension::parse(unit).map_or("unknown".to_string(), |dimension| dimension.to_string())
    }

    #[test]
    fn units_are_read() {
        let cases = [
            ("m/s2", "m/s2"),
            ("N.m", "kg.m2/s2"),
            ("kg/(m.s2)", "kg/(m.s2)"),
            ("1", "1"),
            ("rad", "1"),
            ("rad/s", "1/s"),
            ("1/K", "1/K"),
            ("J/(kg.K)", "m2/(s2.K)"),
            ("m3/s", "m3/s"),
            ("N.m.s/rad", "kg.m2/s"),
            ("km/h", "m/s"),
            ("mm2", "m2"),
            ("s-1", "1/s"),
            ("Ohm", "kg.m2/(s3.A2)"),
            ("kW.h", "kg.m2/s2"),
            ("degC", "K"),
            ("m/s/s", "m/s2"),
        ];
        for (unit, expected) in cases {
            assert_eq!(text(unit), expected, "{unit}");
        }
    }

    #[test]
    fn what_is_no_unit_is_unknown() {
        for unit in ["", "foo", "m/", "(m", "m2000000000", "m..s", "((m))", "€", "m s²"] {
            assert_eq!(text(unit), "unknown", "{unit}");
        }
    }

    #[test]
    fn roots_are_exact() {
        let area = Dimension::parse("m2").expect("a unit");
        assert_eq!(area.power(0.5), Dimension::parse("m"));
        assert_eq!(area.power(0.25).map(|root| root.to_string()), Some("m^(6/12)".to_string()));
        assert_eq!(area.power(0.123), None);
    }
}
