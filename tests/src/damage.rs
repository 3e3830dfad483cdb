//! Files that are damaged byte by byte: results, inputs, tables, images of simulators.
//!
//! Input: whole files of every kind, a seed. Output: a damaged one, the same for the same seed, and whether its reader accepts it.
//! Method: one to three edits: cut off, bits flipped, four bytes replaced by a number that is trouble as a size, pieces moved or removed.

use crate::random::Random;
use crate::results::{Variant, csv, plt, variants};
use crate::target::Target;
use partita::pipeline;
use partita_grammar::Source;
use partita_runtime::abi::{Environment, KernelFailure, Kernels};
use partita_runtime::exec::Instance;
use partita_runtime::integrate::simulate;
use partita_runtime::model::plan::KernelId;
use partita_runtime::model::plan::Plan;
use partita_runtime::native::access::{FileAccess, Permissions};
use partita_runtime::native::{Argument, construct};
use partita_runtime::result::read::{Table, read_csv, read_mat, read_plt};
use partita_runtime::simulator::model_image::{ModelImage, TRAILER};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A model with all that a plan can hold: states, systems, events, samplers, delays, messages, inputs, tables.
const MODEL: &str = "model M
  input Real u(start = 1);
  parameter Real a = 2;
  Real x(start = 1, fixed = true), y(start = 1), z, d;
  discrete Integer n(start = 0, fixed = true);
equation
  der(x) = -a*x + y*u;
  y + y^3 = x + z;
  z + 0.5*y = sin(time);
  d = delay(x, 0.1);
  when sample(0.1, 0.1) then
    n = pre(n) + 1;
  end when;
  when x < 0.5 then
    reinit(x, 0.6);
  end when;
  assert(x > -1, \"x is \" + String(x) + (if n > 3 then \" late\" else \"\"), AssertionLevel.warning);
  annotation(experiment(StopTime = 1, Interval = 0.05));
end M;
";

/// How long a run of a mutated model is let go on.
const MOMENT: Duration = Duration::from_millis(200);
/// And how many times it may ask.
const ASKED: u64 = 20_000;

/// Stops a run after a moment.
pub struct Moment {
    end: Instant,
    asked: AtomicU64,
}

impl Moment {
    /// Begins now.
    #[expect(clippy::new_without_default, reason = "it begins when it is made")]
    pub fn new() -> Moment {
        Moment { end: Instant::now() + MOMENT, asked: AtomicU64::new(0) }
    }

    /// It is over.
    pub fn is_over(&self) -> bool {
        self.asked.fetch_add(1, Ordering::Relaxed) > ASKED || Instant::now() > self.end
    }
}

/// Code that does nothing.
struct Idle;

impl Kernels for Idle {
    fn call(&self, _: KernelId, _: &mut [f64], _: &mut [f64], _: &mut Environment) -> Result<(), KernelFailure> {
        Ok(())
    }
}

/// Whole files of a target, each with the ending that tells its reader.
pub struct Files {
    target: Target,
    whole: Vec<(&'static str, Vec<u8>)>,
    /// For inputs.
    instance: Option<Instance>,
    /// Where tables are written, to be read.
    scratch: Scratch,
}

struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        // What remains is in the folder for temporary files.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn compiled() -> Result<(Source, pipeline::Compiled), String> {
    let source = Source { name: "image.mo".to_string(), text: MODEL.to_string() };
    let compiled =
        pipeline::compile(&source, None).map_err(|messages| messages.iter().map(|m| m.title.clone()).collect::<Vec<_>>().join(", "))?;
    Ok((source, compiled))
}

fn image_bytes() -> Result<Vec<u8>, String> {
    let (source, compiled) = compiled()?;
    let image = pipeline::image(&source, &compiled, None).map_err(|_| "there is no machine code".to_string())?;
    let mut bytes = image.to_bytes().map_err(|error| error.to_string())?;
    bytes.truncate(bytes.len() - TRAILER as usize);
    Ok(bytes)
}

/// An element of a MATLAB file of level 5.
fn element(kind: u32, data: &[u8]) -> Vec<u8> {
    let mut bytes: Vec<u8> = [kind, data.len() as u32].iter().flat_map(|word| word.to_le_bytes()).collect();
    bytes.extend(data);
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    bytes
}

/// A MATLAB file of level 5 with a matrix `tab` of this many rows, compressed or not.
fn level_5(rows: u32, compressed: bool) -> Vec<u8> {
    let words = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    let values: Vec<u8> = (0..2 * rows).flat_map(|i| f64::from(i % rows).to_le_bytes()).collect();
    let parts = [element(6, &words(&[6, 0])), element(5, &words(&[rows, 2])), element(1, b"tab"), element(9, &values)];
    let matrix = element(14, &parts.concat());
    let mut bytes = format!("{:<124}", "MATLAB 5.0 MAT-file").into_bytes();
    bytes.extend([0, 1, b'I', b'M']);
    if compressed {
        let stream = miniz_oxide::deflate::compress_to_vec_zlib(&matrix, 6);
        bytes.extend([15u32, stream.len() as u32].iter().flat_map(|word| word.to_le_bytes()));
        bytes.extend(stream);
    } else {
        bytes.extend(matrix);
    }
    bytes
}

fn tables() -> Vec<(&'static str, Vec<u8>)> {
    let text = "#1\n# a table\ndouble other(1,1)\n 9\ndouble tab(3,2)  # the one\n0 1\n1, 2\n2;4\n".to_string();
    let rows = "0,1\n0.5,2\n1,-3e2\n".to_string();
    let mut level_4: Vec<u8> = [0u32, 2, 2, 0, 4].iter().flat_map(|word| word.to_le_bytes()).collect();
    level_4.extend(b"tab\0");
    level_4.extend([0.0f64, 1.0, 5.0, 6.0].iter().flat_map(|value| value.to_le_bytes()));
    vec![
        ("txt", text.into_bytes()),
        ("csv", rows.into_bytes()),
        ("mat", level_4),
        ("mat", level_5(3, false)),
        ("mat", level_5(3, true)),
        ("mat", level_5(4000, true)),
    ]
}

impl Files {
    /// The files of a target; none for targets that take texts.
    pub fn new(target: Target) -> Result<Files, String> {
        let scratch = Scratch(std::env::temp_dir().join(format!("partita-fuzz-{}-{}", target.word(), std::process::id())));
        let mut instance = None;
        let whole = match target {
            Target::Parse | Target::Structure | Target::Run | Target::Library => Vec::new(),
            Target::Mat => variants().into_iter().map(|variant| ("mat", Variant::file(variant))).collect(),
            Target::Csv => {
                instance = Some(pipeline::instantiate(&compiled()?.1, false).map_err(|_| "the model cannot be run".to_string())?.instance);
                let inputs = "time,u\n0,1\n0.5,2\n0.5,3\n1,0\n".to_string();
                vec![
                    ("csv", csv(',', true).into_bytes()),
                    ("csv", csv(';', false).into_bytes()),
                    ("csv", inputs.into_bytes()),
                    ("plt", plt().into_bytes()),
                ]
            }
            Target::Tables => {
                std::fs::create_dir_all(&scratch.0).map_err(|error| error.to_string())?;
                tables()
            }
            Target::Image => vec![("image", image_bytes()?)],
        };
        Ok(Files { target, whole, instance, scratch })
    }

    /// The damaged file of a seed, and its ending.
    pub fn damaged(&self, seed: u64) -> (&'static str, Vec<u8>) {
        let random = &mut Random::new(seed);
        let (ending, mut bytes) = self.whole[random.below(self.whole.len())].clone();
        for _ in 0..=random.below(3) {
            damage(&mut bytes, random);
        }
        (ending, bytes)
    }

    /// Whether the reader accepts the damaged file of a seed.
    pub fn accepts(&self, seed: u64) -> bool {
        let (ending, bytes) = self.damaged(seed);
        match self.target {
            Target::Parse | Target::Structure | Target::Run | Target::Library => false,
            Target::Mat => read_mat(&bytes).is_ok_and(|table| can_be_asked(&table)),
            Target::Csv => {
                let text = String::from_utf8_lossy(&bytes);
                let table = if ending == "plt" { read_plt(&text) } else { read_csv(&text) };
                table.is_ok_and(|table| can_be_asked(&table) && self.can_be_input(&table))
            }
            Target::Tables => self.is_table(ending, &bytes),
            Target::Image => ModelImage::plan_of(&bytes).is_ok_and(is_a_plan),
        }
    }

    /// Takes a table as inputs; whether it has them does not matter.
    fn can_be_input(&self, table: &Table) -> bool {
        let Some(instance) = &self.instance else { return true };
        let mut instance = instance.fork();
        if instance.set_inputs(table).is_ok() {
            let _ = simulate(&mut instance, &Default::default(), &mut Moment::new());
        }
        true
    }

    fn is_table(&self, ending: &str, bytes: &[u8]) -> bool {
        let path = self.scratch.0.join(format!("t.{ending}"));
        if std::fs::write(&path, bytes).is_err() {
            return false;
        }
        let number = |value: f64| Argument::Numbers { dims: Vec::new(), values: vec![value] };
        let empty = Argument::Numbers { dims: vec![0, 2], values: Vec::new() };
        let columns = Argument::Numbers { dims: vec![1], values: vec![2.0] };
        let names = [Argument::Text(path.display().to_string()), Argument::Text("tab".to_string())];
        let rest = [empty, number(0.0), number(2.0), columns, number(1.0), number(1.0), number(1.0), number(0.0)];
        let arguments: Vec<Argument> = names.into_iter().chain(rest).collect();
        let files = FileAccess::new(&Permissions {
            allowed: vec![self.scratch.0.clone().into_os_string()],
            effects: false,
            ..Permissions::default()
        });
        construct("ModelicaStandardTables_CombiTable1D_init2", &arguments, &files).is_ok()
    }
}

/// What could be read can be asked for.
fn can_be_asked(table: &Table) -> bool {
    table.names().iter().all(|name| table.values(name).map_or(0, |values| values.len()) == table.time.len())
}

/// The plan of an image is checked before it runs. Its code is native and is not run here.
fn is_a_plan(plan: Plan) -> bool {
    Instance::new(Arc::new(plan), Arc::new(Idle)).is_ok()
}

/// Numbers that are trouble as sizes.
const EXTREMES: [u32; 10] = [0, 1, 4, 5, 1 << 16, 1_000_000_000, i32::MAX as u32, 1 << 31, u32::MAX - 1, u32::MAX];

/// Characters that mean something in texts of numbers.
const SIGNS: &[u8] = b"0129-+eE.,;# \n\"(){}\xff\x00";

/// One edit.
fn damage(bytes: &mut Vec<u8>, random: &mut Random) {
    let n = bytes.len();
    match random.below(7) {
        0 => bytes.truncate(random.below(n + 1)),
        1 | 2 if n > 4 => {
            let at = random.below(n - 4);
            bytes[at..at + 4].copy_from_slice(&EXTREMES[random.below(EXTREMES.len())].to_le_bytes());
        }
        3 if n > 0 => {
            let at = random.below(n);
            bytes[at] ^= 1 << random.below(8);
        }
        4 if n > 0 => {
            let (from, length) = (random.below(n), random.below(40));
            let piece: Vec<u8> = bytes[from..(from + length).min(n)].to_vec();
            let at = random.below(n);
            bytes.splice(at..at, piece);
        }
        5 if n > 0 => {
            let at = random.below(n);
            let end = (at + random.below(40)).min(n);
            bytes.drain(at..end);
        }
        6 if n > 0 => {
            let at = random.below(n);
            bytes[at] = SIGNS[random.below(SIGNS.len())];
        }
        _ => bytes.push(random.below(256) as u8),
    }
}
