//! Result files written byte by byte from the layout of their formats, and damage done to them.

use partita_runtime::result::read::{Table, read_csv, read_mat, read_plt};

/// How a `.mat` file is written.
#[derive(Copy, Clone, Debug)]
pub struct Variant {
    /// `binTrans` or `binNormal`.
    pub transposed: bool,
    /// Single precision.
    pub single: bool,
    /// What fills texts up: zero or a blank.
    pub padding: u8,
    /// `time` or `Time`.
    pub time: &'static str,
    /// Big-endian.
    pub big: bool,
}

/// All variants.
pub fn variants() -> Vec<Variant> {
    let mut all = Vec::new();
    for transposed in [true, false] {
        for single in [false, true] {
            for padding in [0, b' '] {
                for time in ["time", "Time"] {
                    for big in [false, true] {
                        all.push(Variant { transposed, single, padding, time, big });
                    }
                }
            }
        }
    }
    all
}

/// Times of the points: an event at 0.5, the end written twice.
pub const TIMES: [f64; 5] = [0.0, 0.5, 0.5, 1.0, 1.0];
/// Values of `x`, all of which single precision can hold.
pub const X: [f64; 5] = [1.0, 0.25, -2.5, 8.0, 8.0];
/// Values of `b`.
pub const B: [f64; 5] = [1.0, 1.0, 0.0, 0.0, 0.0];

/// Name, channel and index of each signal. `minus_x` is a negated alias, `not_b` a Boolean one with a row of its own, `clock` is time.
const SIGNALS: [(&str, i32, i32); 8] =
    [("time", 0, 1), ("x", 2, 2), ("minus_x", 2, -2), ("p", 1, 2), ("minus_p", 1, -2), ("b", 2, 3), ("not_b", 2, 4), ("der(a[1].x)", 2, 1)];

impl Variant {
    fn word(self, value: u32) -> [u8; 4] {
        if self.big { value.to_be_bytes() } else { value.to_le_bytes() }
    }

    /// One matrix: header, name, elements by columns. `rows` is that of a matrix with one row per signal or point.
    fn matrix(self, out: &mut Vec<u8>, name: &str, kind: u32, elements: &[Vec<Vec<u8>>], transposed: bool) {
        let (rows, columns) = (elements.len(), elements.first().map_or(0, Vec::len));
        let (stored_rows, stored_columns) = if transposed { (columns, rows) } else { (rows, columns) };
        let kind = kind + if self.big { 1000 } else { 0 };
        for value in [kind, stored_rows as u32, stored_columns as u32, 0, name.len() as u32 + 1] {
            out.extend(self.word(value));
        }
        out.extend(name.as_bytes());
        out.push(0);
        for column in 0..stored_columns {
            for row in 0..stored_rows {
                let element = if transposed { &elements[column][row] } else { &elements[row][column] };
                out.extend(element);
            }
        }
    }

    fn texts(self, texts: &[&str], padding: u8) -> Vec<Vec<Vec<u8>>> {
        let width = texts.iter().map(|text| text.len()).max().unwrap_or(0) + 1;
        texts.iter().map(|text| (0..width).map(|i| vec![text.as_bytes().get(i).copied().unwrap_or(padding)]).collect()).collect()
    }

    fn number(self, value: f64) -> Vec<u8> {
        match (self.single, self.big) {
            (false, false) => value.to_le_bytes().to_vec(),
            (false, true) => value.to_be_bytes().to_vec(),
            (true, false) => (value as f32).to_le_bytes().to_vec(),
            (true, true) => (value as f32).to_be_bytes().to_vec(),
        }
    }

    /// The bytes of the file.
    pub fn file(self) -> Vec<u8> {
        let mut out = Vec::new();
        let layout = if self.transposed { "binTrans" } else { "binNormal" };
        // This one is never transposed.
        self.matrix(&mut out, "Aclass", 51, &self.texts(&["Atrajectory", "1.1", "", layout], self.padding), false);
        let mut names: Vec<&str> = SIGNALS.iter().map(|(name, _, _)| *name).collect();
        names[0] = self.time;
        self.matrix(&mut out, "name", 51, &self.texts(&names, self.padding), self.transposed);
        self.matrix(&mut out, "description", 51, &self.texts(&["what [m]"; 8], self.padding), self.transposed);
        let info = SIGNALS.map(|(_, channel, index)| [channel, index, 0, -1].map(|value| self.word(value as u32).to_vec()).to_vec());
        self.matrix(&mut out, "dataInfo", 20, &info, self.transposed);
        let kind = if self.single { 10 } else { 0 };
        let constants: Vec<Vec<Vec<u8>>> = [[0.0, 2.5], [1.0, 2.5]].iter().map(|row| row.iter().map(|value| self.number(*value)).collect()).collect();
        self.matrix(&mut out, "data_1", kind, &constants, self.transposed);
        let points: Vec<Vec<Vec<u8>>> = (0..5).map(|i| [TIMES[i], X[i], B[i], 1.0 - B[i]].iter().map(|value| self.number(*value)).collect()).collect();
        self.matrix(&mut out, "data_2", kind, &points, self.transposed);
        out
    }
}

/// The same result as text.
pub fn csv(separator: char, quoted: bool) -> String {
    let quote = if quoted { "\"" } else { "" };
    let names = ["time", "x", "minus_x", "p", "minus_p", "b", "not_b", "der(a[1].x)"];
    let mut text = names.map(|name| format!("{quote}{name}{quote}")).join(&separator.to_string());
    for i in 0..5 {
        let row = [TIMES[i], X[i], -X[i], 2.5, -2.5, B[i], 1.0 - B[i], TIMES[i]].map(|value| value.to_string());
        text.push('\n');
        text.push_str(&row.join(&separator.to_string()));
    }
    text.push('\n');
    text
}

/// The same result as a plot.
pub fn plt() -> String {
    let mut text = "#Ptolemy Plot file, generated by OpenModelica\n#NumberofVariables=8\n#IntervalSize=5\nTitleText: OpenModelica simulation plot\nXLabel: t\n\n".to_string();
    let column = |f: &dyn Fn(usize) -> f64| (0..5).map(f).collect::<Vec<f64>>();
    for (name, values) in [
        ("time", TIMES.to_vec()),
        ("x", X.to_vec()),
        ("minus_x", column(&|i| -X[i])),
        ("p", vec![2.5; 5]),
        ("minus_p", vec![-2.5; 5]),
        ("b", B.to_vec()),
        ("not_b", column(&|i| 1.0 - B[i])),
        ("der(a[1].x)", TIMES.to_vec()),
    ] {
        text.push_str(&format!("DataSet: {name}\n"));
        for (t, y) in TIMES.iter().zip(values) {
            text.push_str(&format!("{t}, {y}\n"));
        }
        text.push('\n');
    }
    text
}

/// Damages a file and reads it, many times. Gives how often it could still be read. A panic or a huge allocation ends the process.
pub fn mutate(rounds: usize, seed: u64) -> usize {
    // Never zero, and another one for every seed.
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03;
    let mut next = move |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as usize % n.max(1)
    };
    let mats: Vec<Vec<u8>> = variants().into_iter().map(Variant::file).collect();
    let texts = [csv(',', true).into_bytes(), csv(';', false).into_bytes(), plt().into_bytes()];
    let extremes: [u32; 10] = [0, 1, 4, 5, 1 << 16, 1_000_000_000, i32::MAX as u32, 1 << 31, u32::MAX - 1, u32::MAX];
    let mut readable = 0;
    for _ in 0..rounds {
        let is_mat = next(4) > 0;
        let mut bytes = if is_mat { mats[next(mats.len())].clone() } else { texts[next(texts.len())].clone() };
        for _ in 0..=next(3) {
            let n = bytes.len();
            match next(6) {
                0 => bytes.truncate(next(n + 1)),
                // A size, an offset or a number somewhere.
                1 | 2 if n > 4 => {
                    let at = next(n - 4);
                    bytes[at..at + 4].copy_from_slice(&extremes[next(extremes.len())].to_le_bytes());
                }
                3 if n > 0 => {
                    let at = next(n);
                    bytes[at] ^= 1 << next(8);
                }
                4 if n > 0 => {
                    let (from, length) = (next(n), next(40));
                    let piece: Vec<u8> = bytes[from..(from + length).min(n)].to_vec();
                    let at = next(n);
                    bytes.splice(at..at, piece);
                }
                5 if n > 0 => {
                    let at = next(n);
                    let end = (at + next(40)).min(n);
                    bytes.drain(at..end);
                }
                _ => bytes.push(next(256) as u8),
            }
        }
        let table: Result<Table, String> = if is_mat {
            read_mat(&bytes)
        } else {
            let text = String::from_utf8_lossy(&bytes);
            if text.contains("DataSet") { read_plt(&text) } else { read_csv(&text) }
        };
        if let Ok(table) = table {
            readable += 1;
            // What could be read can be asked for.
            for name in table.names() {
                assert_eq!(table.values(name).map_or(0, |values| values.len()), table.time.len(), "{name}");
            }
        }
    }
    readable
}
