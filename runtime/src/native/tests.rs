//! Every function is compared with a second, plain implementation at 10 000 random arguments.

mod tables_2d;
mod time_tables;

use super::access::FileAccess;
use super::*;
use crate::abi::{KernelFailure, Kernels};
use crate::exec::Instance;
use crate::model::interface::HybridModel;
use crate::model::plan::{KernelId, ObjectSpec, Plan, Schedule, Signal, SignalSource, Slot, SlotType, Step};

pub(super) const N_QUERIES: usize = 10_000;

/// Pseudorandom numbers, the same in every run.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 ^ (self.0 >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd) >> 11
    }

    /// Between two numbers.
    pub(super) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.bits() as f64 / (1u64 << 53) as f64)
    }

    pub(super) fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }
}

pub(super) fn text(text: &str) -> Argument {
    Argument::Text(text.to_string())
}

pub(super) fn scalar(value: f64) -> Argument {
    Argument::Numbers { dims: vec![], values: vec![value] }
}

pub(super) fn vector(values: &[f64]) -> Argument {
    Argument::Numbers { dims: vec![values.len()], values: values.to_vec() }
}

pub(super) fn matrix(rows: &[Vec<f64>]) -> [Argument; 3] {
    let (n_rows, n_columns) = (rows.len(), rows[0].len());
    let table = Argument::Numbers { dims: vec![n_rows, n_columns], values: rows.concat() };
    [table, scalar(n_rows as f64), scalar(n_columns as f64)]
}

pub(super) fn environment(constructor: &str, arguments: &[Argument]) -> Environment {
    let object = construct(constructor, arguments, &FileAccess::default()).unwrap();
    Environment { objects: vec![object], object_names: vec!["tab".to_string()], ..Environment::default() }
}

pub(super) fn try_call(environment: &mut Environment, name: &str, arguments: &[f64], n_outputs: usize) -> Result<Vec<f64>, String> {
    let mut outputs = vec![f64::NAN; n_outputs];
    let native = lookup(name).unwrap_or_else(|| panic!("no function {name}"));
    if native(environment, arguments, &mut outputs) { Ok(outputs) } else { Err(environment.failure.take().unwrap()) }
}

pub(super) fn call(environment: &mut Environment, name: &str, arguments: &[f64]) -> f64 {
    try_call(environment, name, arguments, 1).unwrap()[0]
}

pub(super) fn assert_close(a: f64, b: f64, tolerance: f64, what: &dyn Fn() -> String) {
    assert!((a - b).abs() <= tolerance * (1.0 + a.abs().max(b.abs())), "{a} instead of {b}: {}", what());
}

/// Random abscissas, strictly increasing.
pub(super) fn abscissas(random: &mut Random, n: usize) -> Vec<f64> {
    let mut x = random.between(-5.0, 2.0);
    (0..n)
        .map(|_| {
            x += random.between(0.05, 1.5);
            x
        })
        .collect()
}

/// Random ordinates with plateaus and zeros.
pub(super) fn ordinates(random: &mut Random, n: usize) -> Vec<f64> {
    let mut y = random.between(-2.0, 2.0);
    (0..n)
        .map(|_| {
            if random.below(4) > 0 {
                y = random.between(-3.0, 3.0)
            }
            y
        })
        .collect()
}

/// Value and slopes of a curve by definition: slopes at the points as in the papers, Hermite's basis between them.
pub(super) fn reference_curve(smoothness: usize, x: &[f64], y: &[f64], u: f64) -> [f64; 3] {
    let n = x.len();
    let i = (1..n - 1).filter(|&i| x[i] <= u).max().unwrap_or(0);
    let h = x[i + 1] - x[i];
    let s = (u - x[i]) / h;
    if smoothness == 1 || (n == 2 && smoothness != 3) {
        return [(1.0 - s) * y[i] + s * y[i + 1], (y[i + 1] - y[i]) / h, 0.0];
    }
    if smoothness == 3 {
        return [if s >= 1.0 { y[i + 1] } else { y[i] }, 0.0, 0.0];
    }
    // Divided differences, with those beyond the ends on a parabola.
    let d = |k: isize| -> f64 {
        let inner = |k: isize| (y[k as usize + 1] - y[k as usize]) / (x[k as usize + 1] - x[k as usize]);
        let last = n as isize - 2;
        if k < 0 {
            inner(0) + k as f64 * (inner(1) - inner(0))
        } else if k > last {
            inner(last) + (k - last) as f64 * (inner(last) - inner(last - 1))
        } else {
            inner(k)
        }
    };
    let slope = |k: usize| -> f64 {
        let (m1, m2, m3, m4) = (d(k as isize - 2), d(k as isize - 1), d(k as isize), d(k as isize + 1));
        let weigh = |w1: f64, w2: f64, otherwise: f64| if w1 + w2 > 1e-13 { (w1 * m2 + w2 * m3) / (w1 + w2) } else { otherwise };
        match smoothness {
            2 => weigh((m4 - m3).abs(), (m2 - m1).abs(), (m2 + m3) / 2.0),
            6 => weigh((m4 - m3).abs() + (m4 + m3).abs() / 2.0, (m2 - m1).abs() + (m2 + m1).abs() / 2.0, 0.0),
            _ if k == 0 => m3,
            _ if k == n - 1 => m2,
            _ if m2 * m3 <= 0.0 => 0.0,
            4 => {
                let (h1, h2) = (x[k] - x[k - 1], x[k + 1] - x[k]);
                let alpha = (1.0 + h2 / (h1 + h2)) / 3.0;
                m2 * m3 / (alpha * m3 + (1.0 - alpha) * m2)
            }
            _ => {
                let (h1, h2) = (x[k] - x[k - 1], x[k + 1] - x[k]);
                let p = (m2 * h2 + m3 * h1) / (h1 + h2);
                (m2.signum() + m3.signum()) * m2.abs().min(m3.abs()).min(0.5 * p.abs())
            }
        }
    };
    let (p, q) = (slope(i), slope(i + 1));
    let value = y[i] * (1.0 + 2.0 * s) * (1.0 - s).powi(2)
        + h * p * s * (1.0 - s).powi(2)
        + y[i + 1] * s * s * (3.0 - 2.0 * s)
        + h * q * s * s * (s - 1.0);
    let first = (y[i] - y[i + 1]) / h * 6.0 * s * (s - 1.0) + p * (3.0 * s * s - 4.0 * s + 1.0) + q * s * (3.0 * s - 2.0);
    let second = ((y[i] - y[i + 1]) / h * (12.0 * s - 6.0) + p * (6.0 * s - 4.0) + q * (6.0 * s - 2.0)) / h;
    [value, first, second]
}

/// The curve beyond its ends.
fn reference_1d(smoothness: usize, extrapolation: usize, x: &[f64], y: &[f64], u: f64) -> Option<[f64; 3]> {
    let (min, max) = (x[0], x[x.len() - 1]);
    if (min..=max).contains(&u) {
        return Some(reference_curve(smoothness, x, y, u));
    }
    let end = if u < min { min } else { max };
    match extrapolation {
        1 => Some([y[if u < min { 0 } else { y.len() - 1 }], 0.0, 0.0]),
        2 => {
            // Constant segments continue with the straight line of the last two points.
            let [value, slope, _] = reference_curve(if smoothness == 3 { 1 } else { smoothness }, x, y, end);
            Some([value + slope * (u - end), slope, 0.0])
        }
        3 => Some(reference_curve(smoothness, x, y, min + (u - min).rem_euclid(max - min))),
        _ => None,
    }
}

#[test]
fn tables_of_one_argument() {
    let mut random = Random(1);
    for smoothness in 1..=6 {
        for extrapolation in 1..=4 {
            for n in [2, 3, 4, 11] {
                let x = abscissas(&mut random, n);
                let columns = [ordinates(&mut random, n), ordinates(&mut random, n)];
                let rows: Vec<Vec<f64>> = (0..n).map(|i| vec![x[i], columns[0][i], columns[1][i]]).collect();
                let [table, n_rows, n_columns] = matrix(&rows);
                let (s, e) = (scalar(smoothness as f64), scalar(extrapolation as f64));
                let arguments = [
                    text("NoName"),
                    text("NoName"),
                    table,
                    n_rows,
                    n_columns,
                    vector(&[3.0, 2.0]),
                    scalar(2.0),
                    s,
                    e,
                    scalar(0.0),
                    text(","),
                    scalar(0.0),
                ];
                let mut environment = environment("ModelicaStandardTables_CombiTable1D_init3", &arguments);
                let (min, max) = (x[0], x[n - 1]);
                assert_eq!(call(&mut environment, "ModelicaStandardTables_CombiTable1D_minimumAbscissa", &[0.0]), min);
                assert_eq!(call(&mut environment, "ModelicaStandardTables_CombiTable1D_maximumAbscissa", &[0.0]), max);
                for query in 0..N_QUERIES / 4 {
                    let u = if query < n { x[query] } else { random.between(min - 8.0, max + 8.0) };
                    let icol = 1 + random.below(2);
                    let expected = reference_1d(smoothness, extrapolation, &x, &columns[2 - icol], u);
                    let (der, der2) = (random.between(-2.0, 2.0), random.between(-2.0, 2.0));
                    let c = icol as f64;
                    let value = try_call(&mut environment, "ModelicaStandardTables_CombiTable1D_getValue", &[0.0, c, u], 1);
                    let first = try_call(&mut environment, "ModelicaStandardTables_CombiTable1D_getDerValue", &[0.0, c, u, der], 1);
                    let second = try_call(&mut environment, "ModelicaStandardTables_CombiTable1D_getDer2Value", &[0.0, c, u, der, der2], 1);
                    let Some([y, y1, y2]) = expected else {
                        assert!(value.unwrap_err().starts_with("tab: u = "));
                        assert!(first.is_err() && second.is_err());
                        continue;
                    };
                    let what = || format!("smoothness {smoothness}, extrapolation {extrapolation}, u = {u}, {x:?}, {columns:?}");
                    assert_close(value.unwrap()[0], y, 1e-9, &what);
                    assert_close(first.unwrap()[0], y1 * der, 1e-9, &what);
                    assert_close(second.unwrap()[0], y1 * der2 + y2 * der * der, 1e-8, &what);
                }
            }
        }
    }
}

#[test]
fn single_rows_old_constructors_and_wrong_tables() {
    let [table, n_rows, n_columns] = matrix(&[vec![0.0, 0.5, 0.25]]);
    let shape = [table, n_rows, n_columns];
    let tail = [vector(&[2.0, 3.0]), scalar(2.0), scalar(1.0)];
    let arguments = [[text("NoName"), text("NoName")].as_slice(), &shape, &tail, &[scalar(4.0), scalar(0.0)]].concat();
    let mut env = environment("ModelicaStandardTables_CombiTable1D_init2", &arguments);
    assert_eq!(call(&mut env, "ModelicaStandardTables_CombiTable1D_getValue", &[0.0, 2.0, 77.0]), 0.25);
    assert_eq!(call(&mut env, "ModelicaStandardTables_CombiTable1D_getDerValue", &[0.0, 2.0, 77.0, 3.0]), 0.0);
    assert!(try_call(&mut env, "ModelicaStandardTables_CombiTable1D_close", &[0.0], 0).is_ok());
    let old = [[text("NoName"), text(" ")].as_slice(), &shape, &tail].concat();
    let mut env = environment("ModelicaStandardTables_CombiTable1D_init", &old);
    assert_eq!(call(&mut env, "ModelicaStandardTables_CombiTable1D_getValue", &[0.0, 1.0, 1.0]), 0.5);
    let error = |arguments: &[f64]| {
        try_call(
            &mut environment("ModelicaStandardTables_CombiTable1D_init", &old),
            "ModelicaStandardTables_CombiTable1D_getValue",
            arguments,
            1,
        )
        .unwrap_err()
    };
    assert!(error(&[0.0, 3.0, 1.0]).contains("no column 3"));
    assert!(error(&[1.0, 1.0, 1.0]).contains("no external object 1"));
    assert!(error(&[0.0, 1.0]).contains("wrong number"));

    let make = |rows: &[Vec<f64>], column: f64, file: &str, table: &str| {
        let [m, r, c] = matrix(rows);
        let arguments = [text(file), text(table), m, r, c, vector(&[column]), scalar(1.0), scalar(1.0), scalar(1.0), scalar(0.0)];
        construct("ModelicaStandardTables_CombiTable1D_init2", &arguments, &FileAccess::default()).unwrap_err()
    };
    assert!(make(&[vec![0.0, 1.0], vec![0.0, 2.0]], 2.0, "NoName", "NoName").contains("row 2 has 0"));
    assert!(make(&[vec![f64::NAN, 1.0], vec![0.0, 2.0]], 2.0, "NoName", "NoName").contains("must increase"));
    assert!(make(&[vec![0.0, 1.0]], 3.0, "NoName", "NoName").contains("column 3 is wanted"));
    assert!(make(&[vec![0.0]], 1.0, "NoName", "NoName").contains("cannot be interpolated"));
    assert!(make(&[vec![0.0, 1.0]], 2.0, "a/b.txt", "t").contains("`a/b.txt` is not found"));
    assert!(make(&[vec![0.0, 1.0]], 2.0, "a/b.txt", "NoName").contains("no table name"));
    assert!(make(&[vec![0.0, 1.0]], 2.0, "NoName", "t").contains("usertab"));
    assert!(
        construct("ModelicaStandardTables_CombiTable1D_init2", &arguments[..9], &FileAccess::default()).unwrap_err().contains("too few")
    );
    assert!(construct("ModelicaStandardTables_CombiTable1D_init4", &arguments, &FileAccess::default()).is_err());
}

/// Shifts of 64-bit words by arithmetic only.
fn shifted(word: u64, by: i32) -> u64 {
    if by >= 0 { (u128::from(word) * (1u128 << by) % (1u128 << 64)) as u64 } else { word / (1u64 << -by) }
}

fn pair(word: u64) -> [f64; 2] {
    let half = |half: u64| if half >= 1 << 31 { half as f64 - 4294967296.0 } else { half as f64 };
    [half(word % (1 << 32)), half(word / (1 << 32))]
}

fn centred(word: u64) -> f64 {
    let signed = if word >= 1 << 63 { i128::from(word) - (1i128 << 64) } else { i128::from(word) };
    signed as f64 / 2f64.powi(64) + 0.5
}

#[test]
fn random_numbers() {
    let mut env = Environment::default();
    let (mut a, mut b) = (1u64, [0x1234_5678_9abc_def0u64, 77]);
    let mut c: [u64; 16] = std::array::from_fn(|i| (i as u64 + 1) << 59 | 3 << i);
    let mut p = 14usize;
    let mut state = [c.map(pair).as_flattened(), &[p as f64]].concat();
    let setting = [state.clone(), vec![33.0, 5.0]].concat();
    assert!(
        try_call(&mut env, "ModelicaRandom_impureRandom_xorshift1024star", &[5.0], 1)
            .unwrap_err()
            .contains("before initializeImpureRandom")
    );
    try_call(&mut env, "ModelicaRandom_setInternalState_xorshift1024star", &setting, 0).unwrap();
    assert!(try_call(&mut env, "ModelicaRandom_impureRandom_xorshift1024star", &[6.0], 1).is_err());
    for _ in 0..N_QUERIES {
        let got = try_call(&mut env, "ModelicaRandom_xorshift64star", &pair(a), 3).unwrap();
        a ^= shifted(a, -12);
        a ^= shifted(a, 25);
        a ^= shifted(a, -27);
        a = (u128::from(a) * 2685821657736338717 % (1 << 64)) as u64;
        assert_eq!(got, [&[centred(a)], pair(a).as_slice()].concat());

        let got = try_call(&mut env, "ModelicaRandom_xorshift128plus", b.map(pair).as_flattened(), 5).unwrap();
        let x = b[0] ^ shifted(b[0], 23);
        let sum = u128::from(x ^ b[1] ^ shifted(x, -17) ^ shifted(b[1], -26)) + u128::from(b[1]);
        b = [b[1], (sum % (1 << 64)) as u64];
        assert_eq!(got, [&[centred(b[1])], b.map(pair).as_flattened()].concat());

        let got = try_call(&mut env, "ModelicaRandom_xorshift1024star", &state, 34).unwrap();
        let s0 = c[p];
        p = (p + 1) % 16;
        let mut s1 = c[p] ^ shifted(c[p], 31);
        s1 ^= shifted(s1, -11);
        c[p] = s0 ^ shifted(s0, -30) ^ s1;
        let expected = centred((u128::from(c[p]) * 1181783497276652981 % (1 << 64)) as u64);
        state = [c.map(pair).as_flattened(), &[p as f64]].concat();
        assert_eq!(got, [&[expected], state.as_slice()].concat());
        assert_eq!(call(&mut env, "ModelicaRandom_impureRandom_xorshift1024star", &[5.0]), expected);
    }
}

#[test]
fn the_impure_generator_gives_the_numbers_of_the_standard_library() {
    let mut env = Environment::default();
    // Modelica.Math.Random.Utilities.initializeImpureRandom with the seed of Modelica.Blocks.Noise.GlobalSeed.
    let mut state = vec![715827883.0, 67867967.0];
    let step = |env: &mut Environment, state: &[f64]| try_call(env, "ModelicaRandom_xorshift64star", state, 3).unwrap()[1..].to_vec();
    for _ in 0..10 {
        state = step(&mut env, &state);
    }
    while state.len() < 34 {
        let next = step(&mut env, &state[state.len() - 2..]);
        state.extend(next);
    }
    state.truncate(33);
    try_call(&mut env, "ModelicaRandom_setInternalState_xorshift1024star", &[state, vec![33.0, 1.0]].concat(), 0).unwrap();
    // The first value is the one that OpenModelica shows for Modelica.Blocks.Examples.Noise.ImpureGenerator.
    for expected in [0.018660680846204425, 0.18502447944342726, 0.3416579889994176] {
        assert_eq!(call(&mut env, "ModelicaRandom_impureRandom_xorshift1024star", &[1.0]), expected);
    }
}

#[test]
fn strings_and_messages() {
    let strings = ["", "a", "Modelica", "modelica", "AutomaticSeed.automaticSeed1"].map(String::from).to_vec();
    let mut env = Environment { strings, ..Environment::default() };
    assert_eq!(call(&mut env, "ModelicaStrings_length", &[2.0]), 8.0);
    assert_eq!(call(&mut env, "ModelicaStrings_compare", &[2.0, 3.0, 1.0]), 1.0);
    assert_eq!(call(&mut env, "ModelicaStrings_compare", &[2.0, 3.0, 0.0]), 2.0);
    assert_eq!(call(&mut env, "ModelicaStrings_compare", &[2.0, 1.0, 0.0]), 3.0);
    let hashes = [0.0, 1.0, 2.0, 4.0].map(|string| call(&mut env, "ModelicaStrings_hashString", &[string]));
    assert_eq!(hashes, [-1431655766.0, -357913953.0, 2118346737.0, 163662653.0], "the last one is the seed that OpenModelica computes");
    try_call(&mut env, "ModelicaInternal_print", &[4.0, 0.0], 0).unwrap();
    assert_eq!(env.messages, ["AutomaticSeed.automaticSeed1\n"]);
    assert!(try_call(&mut env, "ModelicaInternal_print", &[4.0, 1.0], 0).unwrap_err().contains("file `a`"));
    assert!(try_call(&mut env, "ModelicaStrings_length", &[5.0], 1).unwrap_err().contains("no string 5"));
    assert!(lookup("ModelicaRandom_automaticGlobalSeed").is_none() && lookup("sin").is_none());
}

/// All may be done below a folder, which is searched.
fn access(folder: &std::path::Path) -> FileAccess {
    let folders = vec![folder.as_os_str().to_os_string()];
    FileAccess::new(&access::Permissions { resources: folders.clone(), allowed: folders, ..access::Permissions::default() })
}

#[test]
fn matrices_from_files() {
    let directory = std::env::temp_dir().join(format!("partita-matrices-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    std::fs::write(directory.join("m.txt"), "#1\ndouble A(3,2)\n1 2\n3 4\n5 6\n").unwrap();
    let strings = vec!["/other/m.txt".to_string(), "A".to_string()];
    let mut env = Environment { strings, files: access(&directory), ..Environment::default() };
    assert_eq!(try_call(&mut env, "ModelicaIO_readMatrixSizes", &[0.0, 1.0], 2).unwrap(), [3.0, 2.0]);
    let read =
        |env: &mut Environment, n_rows: f64| try_call(env, "ModelicaIO_readRealMatrix", &[0.0, 1.0, n_rows, 2.0, 0.0], 2 * n_rows as usize);
    assert_eq!(read(&mut env, 3.0).unwrap(), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    assert!(read(&mut env, 2.0).unwrap_err().contains("3 times 2"));
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn kinds_and_lines_of_files() {
    let directory = std::env::temp_dir().join(format!("partita-files-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    for (name, text) in [("two.txt", "a\nb\n"), ("open.txt", "a\nb\nc"), ("empty.txt", "")] {
        std::fs::write(directory.join(name), text).unwrap();
    }
    let strings = ["two.txt", "open.txt", "empty.txt", "none.txt"].map(|name| directory.join(name).to_string_lossy().into_owned()).to_vec();
    let strings = [strings, vec![directory.to_string_lossy().into_owned()]].concat();
    let mut env = Environment { strings, files: access(&directory), ..Environment::default() };
    assert_eq!([0.0, 3.0, 4.0].map(|file| call(&mut env, "ModelicaInternal_stat", &[file])), [2.0, 1.0, 3.0]);
    assert_eq!([0.0, 1.0, 2.0].map(|file| call(&mut env, "ModelicaInternal_countLines", &[file])), [2.0, 3.0, 0.0]);
    assert!(try_call(&mut env, "ModelicaInternal_countLines", &[3.0], 1).unwrap_err().contains("not found"));
    std::fs::remove_dir_all(directory).unwrap();
}

/// A kernel that asks a table for its next event, and prints.
struct AskTable;

impl Kernels for AskTable {
    fn call(&self, _: KernelId, memory: &mut [f64], _: &mut [f64], environment: &mut Environment) -> Result<(), KernelFailure> {
        let time = memory[0];
        let asked = lookup(time_tables::NEXT).is_some_and(|next| next(environment, &[0.0, time], &mut memory[1..2]));
        let printed = lookup("ModelicaInternal_print").is_some_and(|print| print(environment, &[1.0, 0.0], &mut []));
        if asked && printed { Ok(()) } else { Err(KernelFailure) }
    }
}

#[test]
fn runs_own_their_objects() {
    let rows = [vec![0.0, 1.0], vec![1.0, 3.0], vec![5.0, 3.0]];
    let [table, n_rows, n_columns] = matrix(&rows);
    let kinds = [1.0, 1.0, 0.0, 1.0, 0.0].map(scalar);
    let head = [text("NoName"), text("NoName"), table, n_rows, n_columns, scalar(0.0), vector(&[2.0]), scalar(1.0)];
    let mut spec = ObjectSpec {
        constructor: "ModelicaStandardTables_CombiTimeTable_init2".to_string(),
        arguments: [head.as_slice(), &kinds].concat(),
        name: "source.tableID".to_string(),
    };
    let slot = Slot::from_u32(1);
    let signal = Signal {
        name: "next".to_string(),
        description: String::new(),
        unit: String::new(),
        display_unit: String::new(),
        ty: SlotType::Real,
        source: SignalSource { slot, factor: 1.0, offset: 0.0 },
        varies: false,
        protected: false,
        derivative: false,
    };
    let mut plan = Plan {
        memory: crate::model::plan::MemoryPlan { n_slots: 2, ..Default::default() },
        start: crate::model::plan::StartPlan {
            initial: Schedule { steps: vec![Step::Kernel(KernelId::from_u32(0))], ..Schedule::default() },
            ..Default::default()
        },
        interface: crate::model::plan::InterfacePlan { signals: vec![signal], ..Default::default() },
        outside: crate::model::plan::OutsidePlan {
            objects: vec![spec.clone()],
            strings: vec![String::new(), "hello".to_string()],
            ..Default::default()
        },
        ..Plan::default()
    };
    let mut instance = Instance::new(Arc::new(plan.clone()), Arc::new(AskTable)).unwrap();
    let mut other = instance.fork();
    for (t0, next) in [(0.0, 1.0), (2.0, 5.0), (0.5, 1.0)] {
        instance.initialize(t0, &mut []).unwrap();
        assert_eq!(instance.value("next"), Some(next));
        assert!(!instance.messages().is_empty() && instance.messages().iter().all(|message| message == "hello\n"));
    }
    other.initialize(1.0, &mut []).unwrap();
    assert_eq!(other.value("next"), Some(5.0));

    spec.arguments[0] = text("/nowhere/data.txt");
    spec.arguments[1] = text("tab");
    plan.outside.objects = vec![spec];
    let error = Instance::new(Arc::new(plan), Arc::new(AskTable)).err().unwrap();
    assert_eq!((error.code, error.title.as_str()), ("R108", "the external object source.tableID cannot be made"));
    assert_eq!(error.notes, ["the file `/nowhere/data.txt` is not found"]);
}
