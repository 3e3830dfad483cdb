//! Tables of two arguments against a direct evaluation.

use super::*;

const VALUE_2D: &str = "ModelicaStandardTables_CombiTable2D_getValue";
const SLOPE_2D: &str = "ModelicaStandardTables_CombiTable2D_getDerValue";
const BEND_2D: &str = "ModelicaStandardTables_CombiTable2D_getDer2Value";

fn table_2d(x: &[f64], y: &[f64], z: &[Vec<f64>], smoothness: usize, extrapolation: usize) -> Environment {
    let mut rows = vec![[&[0.0], y].concat()];
    rows.extend(x.iter().zip(z).map(|(x, z)| [&[*x], z.as_slice()].concat()));
    let [table, n_rows, n_columns] = matrix(&rows);
    let kinds = [scalar(smoothness as f64), scalar(extrapolation as f64), scalar(0.0), text(","), scalar(0.0)];
    environment(
        "ModelicaStandardTables_CombiTable2D_init3",
        &[&[text("NoName"), text("NoName"), table, n_rows, n_columns], kinds.as_slice()].concat(),
    )
}

/// The surface at a point inside: value, derivatives by each argument, mixed derivative.
fn reference_surface(smoothness: usize, x: &[f64], y: &[f64], z: &[Vec<f64>], u: f64, w: f64) -> [f64; 4] {
    let cell = |x: &[f64], u: f64| (1..x.len() - 1).filter(|&i| x[i] <= u).max().unwrap_or(0);
    let (i, j) = (cell(x, u), cell(y, w));
    let (h, k) = (x[i + 1] - x[i], y[j + 1] - y[j]);
    let (s, t) = ((u - x[i]) / h, (w - y[j]) / k);
    if smoothness == 3 {
        return [z[i + usize::from(s >= 1.0)][j + usize::from(t >= 1.0)], 0.0, 0.0, 0.0];
    }
    if smoothness == 1 || (x.len() == 2 && y.len() == 2) {
        let (low, high) = (z[i][j] * (1.0 - t) + z[i][j + 1] * t, z[i + 1][j] * (1.0 - t) + z[i + 1][j + 1] * t);
        let (low_slope, high_slope) = ((z[i][j + 1] - z[i][j]) / k, (z[i + 1][j + 1] - z[i + 1][j]) / k);
        return [low * (1.0 - s) + high * s, (high - low) / h, low_slope * (1.0 - s) + high_slope * s, (high_slope - low_slope) / h];
    }
    // Differences between neighbours; beyond the ends each one changes as the last ones did.
    fn along(n: usize, k: isize, inner: &dyn Fn(usize) -> f64) -> f64 {
        let last = n as isize - 2;
        if n == 2 {
            inner(0)
        } else if k < 0 {
            inner(0) + k as f64 * (inner(1) - inner(0))
        } else if k > last {
            inner(last as usize) + (k - last) as f64 * (inner(last as usize) - inner(last as usize - 1))
        } else {
            inner(k as usize)
        }
    }
    let dx = |a: isize, b: usize| along(x.len(), a, &|a| (z[a + 1][b] - z[a][b]) / (x[a + 1] - x[a]));
    let dy = |a: usize, b: isize| along(y.len(), b, &|b| (z[a][b + 1] - z[a][b]) / (y[b + 1] - y[b]));
    let mixed = |a: isize, b: isize| {
        along(x.len(), a, &|a| {
            along(y.len(), b, &|b| ((z[a + 1][b + 1] - z[a + 1][b]) - (z[a][b + 1] - z[a][b])) / (x[a + 1] - x[a]) / (y[b + 1] - y[b]))
        })
    };
    let weights = |d: [f64; 4]| {
        let (p, q) = ((d[3] - d[2]).abs(), (d[1] - d[0]).abs());
        if p + q > 1e-13 { (p / (p + q), q / (p + q)) } else { (0.5, 0.5) }
    };
    let node = |a: usize, b: usize| {
        let (ia, ib) = (a as isize, b as isize);
        let d = [-2, -1, 0, 1].map(|k| dx(ia + k, b));
        let e = [-2, -1, 0, 1].map(|k| dy(a, ib + k));
        let ((p2, p3), (q2, q3)) = (weights(d), weights(e));
        let zxy = p2 * (q2 * mixed(ia - 1, ib - 1) + q3 * mixed(ia - 1, ib)) + p3 * (q2 * mixed(ia, ib - 1) + q3 * mixed(ia, ib));
        [z[a][b], p2 * d[1] + p3 * d[2], q2 * e[1] + q3 * e[2], zxy]
    };
    // Hermite's basis: values at both ends, slopes at both ends; and its derivative.
    let basis = |s: f64, h: f64| {
        [
            [(1.0 + 2.0 * s) * (1.0 - s).powi(2), s * s * (3.0 - 2.0 * s), h * s * (1.0 - s).powi(2), h * s * s * (s - 1.0)],
            [6.0 * s * (s - 1.0) / h, 6.0 * s * (1.0 - s) / h, 3.0 * s * s - 4.0 * s + 1.0, s * (3.0 * s - 2.0)],
        ]
    };
    let (bx, by) = (basis(s, h), basis(t, k));
    let sum = |p: usize, q: usize| {
        let mut sum = 0.0;
        for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let [f, fx, fy, fxy] = node(i + a, j + b);
            sum +=
                f * bx[p][a] * by[q][b] + fx * bx[p][2 + a] * by[q][b] + fy * bx[p][a] * by[q][2 + b] + fxy * bx[p][2 + a] * by[q][2 + b];
        }
        sum
    };
    [sum(0, 0), sum(1, 0), sum(0, 1), sum(1, 1)]
}

fn reference_2d(kinds: (usize, usize), x: &[f64], y: &[f64], z: &[Vec<f64>], u: f64, w: f64) -> Option<f64> {
    let (smoothness, extrapolation) = kinds;
    let (x0, x1, y0, y1) = (x[0], x[x.len() - 1], y[0], y[y.len() - 1]);
    let (u, w) = if extrapolation == 3 { (x0 + (u - x0).rem_euclid(x1 - x0), y0 + (w - y0).rem_euclid(y1 - y0)) } else { (u, w) };
    let (inner_u, inner_w) = (u.clamp(x0, x1), w.clamp(y0, y1));
    let outside = u != inner_u || w != inner_w;
    match extrapolation {
        4 if outside => None,
        2 if outside => {
            let smoothness = if smoothness == 3 { 1 } else { smoothness };
            let [f, fx, fy, fxy] = reference_surface(smoothness, x, y, z, inner_u, inner_w);
            let (a, b) = (u - inner_u, w - inner_w);
            Some(f + fx * a + fy * b + fxy * a * b)
        }
        _ => Some(reference_surface(smoothness, x, y, z, inner_u, inner_w)[0]),
    }
}

#[test]
fn tables_of_two_arguments() {
    let mut random = Random(3);
    for smoothness in 1..=3 {
        for extrapolation in 1..=4 {
            for (n, m) in [(2, 2), (2, 5), (3, 3), (6, 2), (5, 7)] {
                let (x, y) = (abscissas(&mut random, n), abscissas(&mut random, m));
                let z: Vec<Vec<f64>> = (0..n).map(|_| ordinates(&mut random, m)).collect();
                let mut env = table_2d(&x, &y, &z, smoothness, extrapolation);
                let ends = |env: &mut Environment, name: &str| try_call(env, name, &[0.0], 2).unwrap();
                assert_eq!(ends(&mut env, "ModelicaStandardTables_CombiTable2D_minimumAbscissa"), [x[0], y[0]]);
                assert_eq!(ends(&mut env, "ModelicaStandardTables_CombiTable2D_maximumAbscissa"), [x[n - 1], y[m - 1]]);
                for query in 0..N_QUERIES / 5 {
                    let (u, w) = if query < n * m {
                        (x[query / m], y[query % m])
                    } else {
                        (random.between(x[0] - 2.0, x[n - 1] + 2.0), random.between(y[0] - 2.0, y[m - 1] + 2.0))
                    };
                    let what =
                        || format!("smoothness {smoothness}, extrapolation {extrapolation}, {n} x {m}, u = {u}, {w}, {x:?}, {y:?}, {z:?}");
                    let reference = |u: f64, w: f64| reference_2d((smoothness, extrapolation), &x, &y, &z, u, w);
                    let value = try_call(&mut env, VALUE_2D, &[0.0, u, w], 1);
                    let Some(expected) = reference(u, w) else {
                        assert!(value.unwrap_err().starts_with("tab: u"));
                        continue;
                    };
                    // Periodic reference: the end of a period is its beginning.
                    if query < n * m && extrapolation == 3 {
                        continue;
                    }
                    assert_close(value.unwrap()[0], expected, 1e-8, &what);
                    // Derivatives away from the borders of the cells, where they may jump.
                    let wrapped =
                        |x: &[f64], u: f64| if extrapolation == 3 { x[0] + (u - x[0]).rem_euclid(x[x.len() - 1] - x[0]) } else { u };
                    let (inner_u, inner_w) = (wrapped(&x, u), wrapped(&y, w));
                    if x.iter().any(|x| (x - inner_u).abs() < 1e-3) || y.iter().any(|y| (y - inner_w).abs() < 1e-3) {
                        continue;
                    }
                    let (du, dw, ddu, ddw) =
                        (random.between(-1.0, 1.0), random.between(-1.0, 1.0), random.between(-1.0, 1.0), random.between(-1.0, 1.0));
                    let h = 1e-5;
                    let moved = |t: f64| (u + du * t + ddu * t * t / 2.0, w + dw * t + ddw * t * t / 2.0);
                    let along = |t: f64| {
                        let (u, w) = moved(t);
                        reference(u, w).unwrap()
                    };
                    let slope = call(&mut env, SLOPE_2D, &[0.0, u, w, du, dw]);
                    assert_close(slope, (along(h) - along(-h)) / (2.0 * h), 1e-5, &what);
                    let mut slope_at = |t: f64| {
                        let (u, w) = moved(t);
                        call(&mut env, SLOPE_2D, &[0.0, u, w, du + ddu * t, dw + ddw * t])
                    };
                    let expected = (slope_at(h) - slope_at(-h)) / (2.0 * h);
                    assert_close(call(&mut env, BEND_2D, &[0.0, u, w, du, dw, ddu, ddw]), expected, 1e-4, &what);
                }
            }
        }
    }
}

#[test]
fn tables_of_two_arguments_with_one_row_or_column() {
    let mut random = Random(4);
    for smoothness in 1..=3 {
        for extrapolation in 1..=4 {
            let x = abscissas(&mut random, 6);
            let z = ordinates(&mut random, 6);
            let columns: Vec<Vec<f64>> = z.iter().map(|z| vec![*z]).collect();
            let mut first = table_2d(&x, &[9.0], &columns, smoothness, extrapolation);
            let mut second = table_2d(&[9.0], &x, std::slice::from_ref(&z), smoothness, extrapolation);
            for _ in 0..N_QUERIES / 12 {
                let u = random.between(x[0] - 3.0, x[5] + 3.0);
                let (a, b) = (try_call(&mut first, VALUE_2D, &[0.0, u, 1.0], 1), try_call(&mut second, VALUE_2D, &[0.0, 1.0, u], 1));
                let Some([y, y1, _]) = reference_1d(smoothness, extrapolation, &x, &z, u) else {
                    assert!(a.unwrap_err().contains("u1 = ") && b.unwrap_err().contains("u2 = "));
                    continue;
                };
                let what = || format!("smoothness {smoothness}, extrapolation {extrapolation}, u = {u}, {x:?}, {z:?}");
                assert_close(a.unwrap()[0], y, 1e-9, &what);
                assert_close(b.unwrap()[0], y, 1e-9, &what);
                assert_close(call(&mut first, SLOPE_2D, &[0.0, u, 1.0, 2.0, 3.0]), 2.0 * y1, 1e-9, &what);
                assert_close(call(&mut second, SLOPE_2D, &[0.0, 1.0, u, 3.0, 2.0]), 2.0 * y1, 1e-9, &what);
            }
        }
    }
    assert_eq!(call(&mut table_2d(&[1.0], &[1.0], &[vec![7.0]], 1, 4), VALUE_2D, &[0.0, 5.0, 5.0]), 7.0);
    let wrong = |rows: &[Vec<f64>], smoothness: f64| {
        let [table, n_rows, n_columns] = matrix(rows);
        let arguments = [text("NoName"), text("NoName"), table, n_rows, n_columns, scalar(smoothness)];
        construct("ModelicaStandardTables_CombiTable2D_init", &arguments, &FileAccess::default()).unwrap_err()
    };
    assert!(wrong(&[vec![0.0, 2.0, 1.0], vec![1.0, 0.0, 0.0]], 1.0).contains("first row of the table must increase"));
    assert!(wrong(&[vec![0.0, 1.0]], 1.0).contains("no two arguments"));
    assert!(wrong(&[vec![0.0, 1.0], vec![0.0, 1.0]], 5.0).contains("monotone"));
}
