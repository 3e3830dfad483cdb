//! Result files written byte by byte from the layout of their formats.

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
        let constants: Vec<Vec<Vec<u8>>> =
            [[0.0, 2.5], [1.0, 2.5]].iter().map(|row| row.iter().map(|value| self.number(*value)).collect()).collect();
        self.matrix(&mut out, "data_1", kind, &constants, self.transposed);
        let points: Vec<Vec<Vec<u8>>> =
            (0..5).map(|i| [TIMES[i], X[i], B[i], 1.0 - B[i]].iter().map(|value| self.number(*value)).collect()).collect();
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
