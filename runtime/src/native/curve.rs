//! Curves through points that share their abscissas: the interpolation behind tables of one argument.
//!
//! Input: a matrix with abscissas in the first column, the columns wanted, the kind of interpolation. Output: value, slope
//! and second derivative on a segment or on the straight line that continues the curve at an end.
//!
//! Method: straight or constant segments, or cubic Hermite segments whose slopes follow Akima (J. ACM 17, 1970), Akima with
//! modified weights (Ionita, 2019), Fritsch and Butland (SIAM J. Sci. Stat. Comput. 5, 1984) or Steffen (Astron. Astrophys.
//! 239, 1990). Cost: linear to build, logarithmic to look up.
#![forbid(unsafe_code)]

use super::matrix::Matrix;

/// `Modelica.Blocks.Types.Smoothness`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Smoothness {
    Linear,
    Akima,
    Constant,
    FritschButland,
    Steffen,
    ModifiedAkima,
}

impl Smoothness {
    /// The kind of an enumeration's number.
    pub(super) fn of(number: usize) -> Result<Smoothness, String> {
        Ok(match number {
            1 => Smoothness::Linear,
            2 => Smoothness::Akima,
            3 => Smoothness::Constant,
            4 => Smoothness::FritschButland,
            5 => Smoothness::Steffen,
            6 => Smoothness::ModifiedAkima,
            _ => return Err(format!("there is no smoothness {number}")),
        })
    }

    pub(super) fn is_spline(self) -> bool {
        !matches!(self, Smoothness::Linear | Smoothness::Constant)
    }
}

/// `Modelica.Blocks.Types.Extrapolation`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Extrapolation {
    Hold,
    LastTwoPoints,
    Periodic,
    Forbidden,
}

impl Extrapolation {
    /// The kind of an enumeration's number.
    pub(super) fn of(number: usize) -> Result<Extrapolation, String> {
        Ok(match number {
            1 => Extrapolation::Hold,
            2 => Extrapolation::LastTwoPoints,
            3 => Extrapolation::Periodic,
            4 => Extrapolation::Forbidden,
            _ => return Err(format!("there is no extrapolation {number}")),
        })
    }
}

/// A side of the table.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum TableEnd {
    Left,
    Right,
}

impl TableEnd {
    /// Why there is no value on this side.
    pub(super) fn refusal(self, what: &str, value: f64, end: f64) -> String {
        match self {
            TableEnd::Left => format!("{what} = {value} is less than {end}, the smallest in the table, which may not be extrapolated"),
            TableEnd::Right => format!("{what} = {value} is greater than {end}, the largest in the table, which may not be extrapolated"),
        }
    }
}

/// A value with its first two derivatives by the argument.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub(super) struct Jet {
    pub(super) value: f64,
    pub(super) slope: f64,
    pub(super) bend: f64,
}

impl Jet {
    pub(super) fn constant(value: f64) -> Jet {
        Jet { value, slope: 0.0, bend: 0.0 }
    }

    /// The derivative by time of the curve, given that of the argument.
    pub(super) fn first(self, der_u: f64) -> f64 {
        self.slope * der_u
    }

    /// The second derivative by time of the curve, given those of the argument.
    pub(super) fn second(self, der_u: f64, der2_u: f64) -> f64 {
        let mut result = self.slope * der2_u;
        if self.bend != 0.0 {
            result += self.bend * der_u * der_u;
        }
        result
    }
}

/// Coefficients of `v^3`, `v^2` and `v` of a segment, where `v` begins at 0.
type Cubic = [f64; 3];

/// Abscissas and curves over them.
#[derive(Debug)]
pub(super) struct Curves {
    pub(super) x: Vec<f64>,
    pub(super) smoothness: Smoothness,
    columns: Vec<Column>,
}

#[derive(Debug)]
struct Column {
    y: Vec<f64>,
    /// One for each segment; empty unless the smoothness is a spline.
    cubics: Vec<Cubic>,
}

/// Whether two times are one; the measure of the Modelica Standard Library.
pub(super) fn nearly_equal(x: f64, y: f64) -> bool {
    (y - x).abs() < x.abs().max(y.abs()).max(NEAR) * NEAR
}

/// Relative distance within which times are equal.
pub(super) const NEAR: f64 = 1e-10;

/// Moves an argument into one period. NaN if it is too far away to know where.
pub(super) fn wrap(mut u: f64, min: f64, max: f64) -> f64 {
    let period = max - min;
    let n_periods = if u < min { ((min - u) / period).floor() } else { ((u - max) / period).floor() };
    if !u.is_finite() || n_periods > 1e15 {
        return f64::NAN;
    }
    // Near the table the steps are single, as others do it, so that results agree to the last bit.
    let jump = if n_periods > 1000.0 { (n_periods - 1.0) * period } else { 0.0 };
    if u < min {
        u += jump;
        while u < min {
            u += period;
        }
    } else if u > max {
        u -= jump;
        while u > max {
            u -= period;
        }
    }
    u
}

/// The segment of an argument: the last of those that begin at or before it, the first or the last outside the table.
pub(super) fn segment_of(x: &[f64], u: f64) -> usize {
    x.partition_point(|&point| point <= u).saturating_sub(1).min(x.len().saturating_sub(2))
}

impl Curves {
    /// Curves through the columns (counted from 1) of a matrix. The abscissas must increase; they may be equal only if
    /// `repeats` allows it and the curve is no spline.
    pub(super) fn new(matrix: &Matrix, columns: &[usize], smoothness: Smoothness, repeats: bool) -> Result<Curves, String> {
        if matrix.n_rows() < 1 || matrix.n_columns() < 2 {
            return Err(format!("a table of {} rows and {} columns cannot be interpolated", matrix.n_rows(), matrix.n_columns()));
        }
        if let Some(column) = columns.iter().find(|&&column| column > matrix.n_columns()) {
            return Err(format!("the table has {} columns, but column {column} is wanted", matrix.n_columns()));
        }
        let x = matrix.column(0);
        let strict = smoothness.is_spline() || !repeats;
        let rises = |a: f64, b: f64| if strict { a < b } else { a <= b };
        if let Some(row) = x.windows(2).position(|pair| !rises(pair[0], pair[1])) {
            let (a, b) = (x[row], x[row + 1]);
            let how = if strict { "increase" } else { "not decrease" };
            return Err(format!("the first column of the table must {how}, but row {} has {a} and row {} has {b}", row + 1, row + 2));
        }
        // Two points determine a line only.
        let smoothness = if smoothness.is_spline() && x.len() <= 2 { Smoothness::Linear } else { smoothness };
        let make = |&column: &usize| {
            let y = matrix.column(column - 1);
            let cubics = cubics(smoothness, &x, &y);
            Column { y, cubics }
        };
        let columns = columns.iter().map(make).collect();
        Ok(Curves { x, smoothness, columns })
    }

    pub(super) fn min(&self) -> f64 {
        self.x[0]
    }

    pub(super) fn max(&self) -> f64 {
        self.x[self.x.len() - 1]
    }

    pub(super) fn segment_of(&self, u: f64) -> usize {
        segment_of(&self.x, u)
    }

    /// The position of a column that the model counts from 1.
    pub(super) fn column(&self, number: f64) -> Result<usize, String> {
        let position = number as usize;
        if number >= 1.0 && position <= self.columns.len() {
            Ok(position - 1)
        } else {
            Err(format!("there is no column {number} among the {} of the table", self.columns.len()))
        }
    }

    /// The ordinate of a point.
    pub(super) fn point(&self, column: usize, row: usize) -> f64 {
        self.columns[column].y[row]
    }

    /// The curve on a segment. Where the points of the segment are nearly one and `merge` says so, the right one counts.
    pub(super) fn within(&self, column: usize, segment: usize, u: f64, merge: bool) -> Jet {
        let Column { y, cubics } = &self.columns[column];
        let (x0, x1, y0, y1) = (self.x[segment], self.x[segment + 1], y[segment], y[segment + 1]);
        match self.smoothness {
            Smoothness::Linear if merge && nearly_equal(x0, x1) => Jet::constant(y1),
            Smoothness::Linear => Jet { value: y0 + (y1 - y0) * (u - x0) / (x1 - x0), slope: (y1 - y0) / (x1 - x0), bend: 0.0 },
            Smoothness::Constant => Jet::constant(if u >= x1 { y1 } else { y0 }),
            _ => {
                let [a, b, c] = cubics[segment];
                let v = u - x0;
                Jet { value: y0 + ((a * v + b) * v + c) * v, slope: (3.0 * a * v + 2.0 * b) * v + c, bend: 6.0 * a * v + 2.0 * b }
            }
        }
    }

    /// The straight line that continues the curve at an end.
    pub(super) fn beyond(&self, column: usize, side: TableEnd, u: f64, merge: bool) -> Jet {
        let Column { y, cubics } = &self.columns[column];
        let last = self.x.len() - 1;
        let segment = if side == TableEnd::Left { 0 } else { last - 1 };
        let (x0, x1, y0, y1) = (self.x[segment], self.x[segment + 1], y[segment], y[segment + 1]);
        if !self.smoothness.is_spline() {
            if merge && nearly_equal(x0, x1) {
                return Jet::constant(if side == TableEnd::Left { y0 } else { y1 });
            }
            return Jet { value: y0 + (y1 - y0) * (u - x0) / (x1 - x0), slope: (y1 - y0) / (x1 - x0), bend: 0.0 };
        }
        let [a, b, c] = cubics[segment];
        match side {
            TableEnd::Left => Jet { value: y0 + c * (u - x0), slope: c, bend: 0.0 },
            TableEnd::Right => {
                let v = x1 - x0;
                let slope = (3.0 * a * v + 2.0 * b) * v + c;
                Jet { value: y1 + slope * (u - x1), slope, bend: 0.0 }
            }
        }
    }
}

/// The segments of a spline with at least three points.
pub(super) fn cubics(smoothness: Smoothness, x: &[f64], y: &[f64]) -> Vec<Cubic> {
    let d: Vec<f64> = x.windows(2).zip(y.windows(2)).map(|(x, y)| (y[1] - y[0]) / (x[1] - x[0])).collect();
    let slopes = match smoothness {
        Smoothness::Linear | Smoothness::Constant => return Vec::new(),
        Smoothness::Akima => akima_slopes(&d, false),
        Smoothness::ModifiedAkima => akima_slopes(&d, true),
        Smoothness::FritschButland => {
            monotone_slopes(x, &d, |d0, d1, h0, h1| 3.0 * (h0 + h1) / ((h0 + 2.0 * h1) / d0 + (h1 + 2.0 * h0) / d1))
        }
        Smoothness::Steffen => monotone_slopes(x, &d, |d0, d1, h0, h1| {
            let slope = (d0 * h1 + d1 * h0) / (h0 + h1);
            let smaller = d0.abs().min(d1.abs());
            if 0.5 * slope.abs() > smaller { if d0 > 0.0 { 2.0 * smaller } else { -2.0 * smaller } } else { slope }
        }),
    };
    let segment = |i: usize| {
        let h = x[i + 1] - x[i];
        [(slopes[i] + slopes[i + 1] - 2.0 * d[i]) / (h * h), (3.0 * d[i] - 2.0 * slopes[i] - slopes[i + 1]) / h, slopes[i]]
    };
    (0..d.len()).map(segment).collect()
}

/// Slopes at the points from the four divided differences around each, continued linearly beyond the ends.
fn akima_slopes(d: &[f64], modified: bool) -> Vec<f64> {
    let n = d.len();
    let mut e = Vec::with_capacity(n + 4);
    e.extend([3.0 * d[0] - 2.0 * d[1], 2.0 * d[0] - d[1]]);
    e.extend_from_slice(d);
    e.extend([2.0 * d[n - 1] - d[n - 2], 3.0 * d[n - 1] - 2.0 * d[n - 2]]);
    let slope = |e: &[f64]| {
        let mut left = (e[1] - e[0]).abs();
        let mut sum = (e[3] - e[2]).abs() + left;
        if modified {
            sum += 0.5 * (e[3] + e[2]).abs() + 0.5 * (e[1] + e[0]).abs();
            left += 0.5 * (e[1] + e[0]).abs();
        }
        if sum > 0.0 {
            let a = left / sum;
            (1.0 - a) * e[1] + a * e[2]
        } else if modified {
            0.0
        } else {
            0.5 * e[1] + 0.5 * e[2]
        }
    };
    e.windows(4).map(slope).collect()
}

/// Slopes that keep the curve monotone: 0 at extrema, `between` elsewhere, the divided difference at the ends.
fn monotone_slopes(x: &[f64], d: &[f64], between: impl Fn(f64, f64, f64, f64) -> f64) -> Vec<f64> {
    let mut slopes = Vec::with_capacity(x.len());
    slopes.push(d[0]);
    for i in 0..d.len() - 1 {
        let turns = d[i] == 0.0 || d[i + 1] == 0.0 || (d[i] < 0.0) != (d[i + 1] < 0.0);
        slopes.push(if turns { 0.0 } else { between(d[i], d[i + 1], x[i + 1] - x[i], x[i + 2] - x[i + 1]) });
    }
    slopes.push(d[d.len() - 1]);
    slopes
}
