//! Tables of two arguments: `Modelica.Blocks.Tables.CombiTable2Ds` and `CombiTable2Dv`.
//!
//! The first column holds the values of the first argument, the first row those of the second. A table with only one row or
//! one column of data depends on one argument only.
//!
//! Method: every interpolation is a product: weights of the first argument, coefficients of the cell, weights of the second
//! argument. Derivatives and extrapolation change the weights only. The cells of smooth tables are bicubic with derivatives
//! at the nodes after Akima (Comm. ACM 17, 1974). Cost: linear to build, logarithmic to look up.
#![forbid(unsafe_code)]

use super::curve::{Extrapolation, Jet, Smoothness, TableEnd, segment_of, wrap};
use super::matrix::Matrix;
use super::table1d::Table1D;

/// A table of two arguments.
#[derive(Debug)]
pub struct Table2D {
    /// Values of the first argument.
    pub(super) x: Vec<f64>,
    /// Values of the second argument.
    pub(super) y: Vec<f64>,
    extrapolation: Extrapolation,
    surface: Surface,
}

#[derive(Debug)]
enum Surface {
    /// The same everywhere.
    Point(f64),
    /// Depends on the first argument only.
    AlongFirst(Table1D),
    /// Depends on the second argument only.
    AlongSecond(Table1D),
    /// Values at the nodes, row by row, and whether they hold until the next node.
    Nodes { z: Vec<f64>, constant: bool },
    /// Coefficients `[i][j]` of `v1^(3-i) v2^(3-j)` for each cell, row by row, where `v` begins at 0 in the cell.
    Cells(Vec<[[f64; 4]; 4]>),
}

/// Value and derivatives of the surface.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct SurfaceJet {
    pub(super) value: f64,
    pub(super) d1: f64,
    pub(super) d2: f64,
    pub(super) d11: f64,
    pub(super) d12: f64,
    pub(super) d22: f64,
}

impl SurfaceJet {
    fn along_first(jet: Jet) -> SurfaceJet {
        SurfaceJet { value: jet.value, d1: jet.slope, d11: jet.bend, ..SurfaceJet::default() }
    }

    fn along_second(jet: Jet) -> SurfaceJet {
        SurfaceJet { value: jet.value, d2: jet.slope, d22: jet.bend, ..SurfaceJet::default() }
    }
}

/// An argument, located.
#[derive(Copy, Clone)]
struct Located {
    /// The cell.
    cell: usize,
    /// The argument, or the end of the table if it lies outside.
    inside: f64,
    /// How far it lies outside.
    outside: f64,
}

/// Weights of one argument for the value and for two derivatives.
type Weights<const N: usize> = [[f64; N]; 3];

impl Table2D {
    pub(super) fn new(matrix: &Matrix, smoothness: Smoothness, extrapolation: Extrapolation) -> Result<Table2D, String> {
        let (n_rows, n_columns) = (matrix.n_rows(), matrix.n_columns());
        if n_rows < 2 || n_columns < 2 {
            return Err(format!("a table of {n_rows} rows and {n_columns} columns has no two arguments"));
        }
        if !matches!(smoothness, Smoothness::Linear | Smoothness::Constant | Smoothness::Akima) {
            return Err("tables of two arguments can be linear, constant or continuously differentiable, not monotone or modified Akima"
                .to_string());
        }
        let x = matrix.column(0)[1..].to_vec();
        let y = matrix.values()[1..n_columns].to_vec();
        for (values, what) in [(&x, "column"), (&y, "row")] {
            if let Some(i) = values.windows(2).position(|pair| pair[0].partial_cmp(&pair[1]) != Some(std::cmp::Ordering::Less)) {
                return Err(format!("the first {what} of the table must increase, but {} is followed by {}", values[i], values[i + 1]));
            }
        }
        let surface = match (x.len(), y.len()) {
            (1, 1) => Surface::Point(matrix.at(1, 1)),
            (_, 1) => Surface::AlongFirst(Table1D::new(&line(&x, |i| matrix.at(i + 1, 1)), &[2], smoothness, extrapolation)?),
            (1, _) => Surface::AlongSecond(Table1D::new(&line(&y, |j| matrix.at(1, j + 1)), &[2], smoothness, extrapolation)?),
            (n1, n2) => {
                let z: Vec<f64> = (0..n1).flat_map(|i| (0..n2).map(move |j| matrix.at(i + 1, j + 1))).collect();
                // Two nodes each way determine no more than a bilinear cell.
                if smoothness == Smoothness::Akima && (n1 > 2 || n2 > 2) {
                    Surface::Cells(cells(&x, &y, &z))
                } else {
                    Surface::Nodes { z, constant: smoothness == Smoothness::Constant }
                }
            }
        };
        Ok(Table2D { x, y, extrapolation, surface })
    }

    pub(super) fn jet(&self, u1: f64, u2: f64) -> Result<SurfaceJet, String> {
        let (z, constant) = match &self.surface {
            Surface::Point(value) => return Ok(SurfaceJet { value: *value, ..SurfaceJet::default() }),
            Surface::AlongFirst(table) => return table.jet(0, u1, "u1").map(SurfaceJet::along_first),
            Surface::AlongSecond(table) => return table.jet(0, u2, "u2").map(SurfaceJet::along_second),
            Surface::Nodes { z, constant } => (z, *constant),
            Surface::Cells(cells) => {
                let (Some(at1), Some(at2)) = (self.locate(&self.x, u1, "u1")?, self.locate(&self.y, u2, "u2")?) else {
                    return Ok(nowhere());
                };
                let cell = &cells[at1.cell * (self.y.len() - 1) + at2.cell];
                return Ok(product(cell, &self.cubic_weights(&self.x, at1), &self.cubic_weights(&self.y, at2)));
            }
        };
        let (Some(at1), Some(at2)) = (self.locate(&self.x, u1, "u1")?, self.locate(&self.y, u2, "u2")?) else {
            return Ok(nowhere());
        };
        let node = |i: usize, j: usize| z[(at1.cell + i) * self.y.len() + at2.cell + j];
        let cell = [[node(0, 0), node(0, 1)], [node(1, 0), node(1, 1)]];
        let extends = self.extrapolation == Extrapolation::LastTwoPoints && (at1.outside != 0.0 || at2.outside != 0.0);
        let weights = |x: &[f64], at: Located| {
            if constant && !extends { step_weights(x, at) } else { self.linear_weights(x, at) }
        };
        Ok(product(&cell, &weights(&self.x, at1), &weights(&self.y, at2)))
    }

    /// Finds the cell of an argument; nowhere if it is not a number.
    fn locate(&self, x: &[f64], u: f64, what: &str) -> Result<Option<Located>, String> {
        let (min, max) = (x[0], x[x.len() - 1]);
        let u = if self.extrapolation == Extrapolation::Periodic { wrap(u, min, max) } else { u };
        if u.is_nan() {
            return Ok(None);
        }
        let inside = u.clamp(min, max);
        if u != inside && self.extrapolation == Extrapolation::Forbidden {
            let side = if u < min { TableEnd::Left } else { TableEnd::Right };
            return Err(side.refusal(what, u, inside));
        }
        Ok(Some(Located { cell: segment_of(x, inside), inside, outside: u - inside }))
    }

    fn linear_weights(&self, x: &[f64], at: Located) -> Weights<2> {
        let (x0, x1) = (x[at.cell], x[at.cell + 1]);
        let hold = self.extrapolation == Extrapolation::Hold && at.outside != 0.0;
        let s = (at.inside + if hold { 0.0 } else { at.outside } - x0) / (x1 - x0);
        let slope = if hold { 0.0 } else { 1.0 / (x1 - x0) };
        [[1.0 - s, s], [-slope, slope], [0.0, 0.0]]
    }

    fn cubic_weights(&self, x: &[f64], at: Located) -> Weights<4> {
        let v = at.inside - x[at.cell];
        let value = [v * v * v, v * v, v, 1.0];
        let slope = [3.0 * v * v, 2.0 * v, 1.0, 0.0];
        if at.outside == 0.0 {
            return [value, slope, [6.0 * v, 2.0, 0.0, 0.0]];
        }
        match self.extrapolation {
            Extrapolation::LastTwoPoints => [std::array::from_fn(|i| value[i] + slope[i] * at.outside), slope, [0.0; 4]],
            _ => [value, [0.0; 4], [0.0; 4]],
        }
    }
}

fn nowhere() -> SurfaceJet {
    SurfaceJet { value: f64::NAN, d1: f64::NAN, d2: f64::NAN, d11: f64::NAN, d12: f64::NAN, d22: f64::NAN }
}

/// A value holds until the next node.
fn step_weights(x: &[f64], at: Located) -> Weights<2> {
    let second = f64::from(u8::from(at.inside >= x[at.cell + 1]));
    [[1.0 - second, second], [0.0, 0.0], [0.0, 0.0]]
}

fn product<const N: usize>(cell: &[[f64; N]; N], w1: &Weights<N>, w2: &Weights<N>) -> SurfaceJet {
    let sum = |a: &[f64; N], b: &[f64; N]| -> f64 {
        // A weight of zero takes nothing, even from a value that is not finite.
        let row = |i: usize| (0..N).filter(|&j| b[j] != 0.0).map(|j| cell[i][j] * b[j]).sum::<f64>();
        (0..N).filter(|&i| a[i] != 0.0).map(|i| a[i] * row(i)).sum()
    };
    SurfaceJet {
        value: sum(&w1[0], &w2[0]),
        d1: sum(&w1[1], &w2[0]),
        d2: sum(&w1[0], &w2[1]),
        d11: sum(&w1[2], &w2[0]),
        d12: sum(&w1[1], &w2[1]),
        d22: sum(&w1[0], &w2[2]),
    }
}

/// A matrix of two columns.
fn line(x: &[f64], y: impl Fn(usize) -> f64) -> Matrix {
    Matrix::from_columns(x, &(0..x.len()).map(y).collect::<Vec<f64>>())
}

/// Nodes with two more on each side, so that every node has neighbours.
fn extended(x: &[f64]) -> Vec<f64> {
    let n = x.len();
    let mut all = Vec::with_capacity(n + 4);
    if n == 2 {
        all.extend([3.0 * x[0] - 2.0 * x[1], 2.0 * x[0] - x[1], x[0], x[1], 2.0 * x[1] - x[0], 3.0 * x[1] - 2.0 * x[0]]);
    } else {
        all.extend([2.0 * x[0] - x[2], x[0] + x[1] - x[2]]);
        all.extend_from_slice(x);
        all.extend([x[n - 1] + x[n - 2] - x[n - 3], 2.0 * x[n - 1] - x[n - 3]]);
    }
    all
}

/// The values at two nodes beyond the third of three, on their parabola.
fn continued(x: [f64; 5], z: [f64; 3]) -> [f64; 2] {
    let before = (z[1] - z[0]) / (x[1] - x[0]);
    let last = (z[2] - z[1]) / (x[2] - x[1]);
    let first = z[2] + (x[3] - x[2]) * (2.0 * last - before);
    let slope = (first - z[2]) / (x[3] - x[2]);
    [first, first + (x[4] - x[3]) * (slope + last - before)]
}

/// Fills the outer values of a line of extended nodes.
fn extend_line(x: &[f64], z: &mut [f64]) {
    let n = x.len();
    if n == 6 {
        let (a, b) = (z[2], z[3]);
        (z[0], z[1], z[4], z[5]) = (3.0 * a - 2.0 * b, 2.0 * a - b, 2.0 * b - a, 3.0 * b - 2.0 * a);
        return;
    }
    [z[1], z[0]] = continued([x[4], x[3], x[2], x[1], x[0]], [z[4], z[3], z[2]]);
    [z[n - 2], z[n - 1]] = continued([x[n - 5], x[n - 4], x[n - 3], x[n - 2], x[n - 1]], [z[n - 5], z[n - 4], z[n - 3]]);
}

/// Akima's slope from four divided differences, with its weights.
fn akima_slope([d1, d2, d3, d4]: [f64; 4]) -> (f64, f64, f64) {
    if d1 == d2 && d3 == d4 {
        return (0.5 * d2 + 0.5 * d3, 1.0, 1.0);
    }
    let (w2, w3) = ((d4 - d3).abs(), (d2 - d1).abs());
    ((w2 * d2 + w3 * d3) / (w2 + w3), w2, w3)
}

/// Value, derivatives by each argument and mixed derivative at a node.
type Node = [f64; 4];

/// The bicubic cells of a grid.
fn cells(x: &[f64], y: &[f64], z: &[f64]) -> Vec<[[f64; 4]; 4]> {
    let (n1, n2) = (x.len(), y.len());
    let (ex, ey) = (extended(x), extended(y));
    let width = n2 + 4;
    let mut ez = vec![0.0; (n1 + 4) * width];
    for i in 0..n1 {
        let row = &mut ez[(i + 2) * width..(i + 3) * width];
        row[2..n2 + 2].copy_from_slice(&z[i * n2..(i + 1) * n2]);
        extend_line(&ey, row);
    }
    let mut column = vec![0.0; n1 + 4];
    for j in 0..width {
        for (i, value) in column.iter_mut().enumerate() {
            *value = ez[i * width + j];
        }
        extend_line(&ex, &mut column);
        for (i, value) in column.iter().enumerate() {
            ez[i * width + j] = *value;
        }
    }
    let at = |i: usize, j: usize| ez[i * width + j];
    let d_dx = |i: usize, j: usize| (at(i + 1, j) - at(i, j)) / (ex[i + 1] - ex[i]);
    let d_dy = |i: usize, j: usize| (at(i, j + 1) - at(i, j)) / (ey[j + 1] - ey[j]);
    let node = |i: usize, j: usize| -> Node {
        let (i, j) = (i + 2, j + 2);
        let (zx, wx2, wx3) = akima_slope([d_dx(i - 2, j), d_dx(i - 1, j), d_dx(i, j), d_dx(i + 1, j)]);
        let (zy, wy2, wy3) = akima_slope([d_dy(i, j - 2), d_dy(i, j - 1), d_dy(i, j), d_dy(i, j + 1)]);
        let mixed = |k: usize, l: usize| (d_dy(k + 1, l) - d_dy(k, l)) / (ex[k + 1] - ex[k]);
        let (e22, e23, e32, e33) = (mixed(i - 1, j - 1), mixed(i - 1, j), mixed(i, j - 1), mixed(i, j));
        let zxy = (wx2 * (wy2 * e22 + wy3 * e23) + wx3 * (wy2 * e32 + wy3 * e33)) / ((wx2 + wx3) * (wy2 + wy3));
        [at(i, j), zx, zy, zxy]
    };
    let nodes: Vec<Node> = (0..n1).flat_map(|i| (0..n2).map(move |j| (i, j))).map(|(i, j)| node(i, j)).collect();
    let mut cells = Vec::with_capacity((n1 - 1) * (n2 - 1));
    for i in 0..n1 - 1 {
        for j in 0..n2 - 1 {
            let [a, b, c, d] = [(i, j), (i, j + 1), (i + 1, j), (i + 1, j + 1)].map(|(i, j)| nodes[i * n2 + j]);
            cells.push(bicubic([[a, b], [c, d]], x[i + 1] - x[i], y[j + 1] - y[j]));
        }
    }
    cells
}

/// Coefficients of the cubic with given values and slopes at 0 and `h`, highest power first.
fn cubic(value0: f64, value1: f64, slope0: f64, slope1: f64, h: f64) -> [f64; 4] {
    let secant = (value1 - value0) / h;
    [(slope0 + slope1 - 2.0 * secant) / (h * h), (3.0 * secant - 2.0 * slope0 - slope1) / h, slope0, value0]
}

fn bicubic([[a, b], [c, d]]: [[Node; 2]; 2], dx: f64, dy: f64) -> [[f64; 4]; 4] {
    // Along the first argument at both ends of the second: values, then derivatives by the second.
    let values = [cubic(a[0], c[0], a[1], c[1], dx), cubic(b[0], d[0], b[1], d[1], dx)];
    let slopes = [cubic(a[2], c[2], a[3], c[3], dx), cubic(b[2], d[2], b[3], d[3], dx)];
    std::array::from_fn(|i| cubic(values[0][i], values[1][i], slopes[0][i], slopes[1][i], dy))
}
