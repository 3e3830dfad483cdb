//! External C functions of shared libraries: a C file is compiled with gcc and called by models, in both engines and in simulators.

use partita::pipeline::{self, Compiled, Libraries};
use partita_grammar::Source;
use partita_runtime::abi::machine_code::MachineCode;
use partita_runtime::exec::Instance;
use partita_runtime::integrate::simulate;
use partita_runtime::native::external::SharedLibraries;
use partita_tests::simulation::{Engine, Points, rendered, run, table};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

const C: &str = r#"
#include <stddef.h>
#include <string.h>
double ext_scale(double x, int n, const char *word) { return x * n + (double)strlen(word); }
double ext_square(double x) { return x * x; }
double ext_square_scaled(double x, int n) { return x * x * n; }
double ext_square_slope(double x, double dx) { return 2 * x * dx; }
int ext_half(int n, int up) { return up ? (n + 1) / 2 : n / 2; }
int ext_next(int color) { return color % 3 + 1; }
int ext_two(int k) { return 2; }
int ext_seven(int k) { return 7; }
void ext_rotate(const double *a, size_t n, size_t m, double shift, double *b, const int *order, int *flag) {
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++) b[i * m + (size_t)order[j] - 1] = a[i * m + j] + shift;
    *flag = n < m;
}
double ext_sum(const double *a, size_t n) { double s = 0; for (size_t i = 0; i < n; i++) s += a[i]; return s; }
void ext_split(double x, double *low, double *both, size_t n) { *low = x - 1; for (size_t i = 0; i < n; i++) both[i] = x + (double)i; }
void ext_marks(const int *marks, size_t n, int *twice, size_t m) { for (size_t i = 0; i < n && i < m; i++) twice[i] = 2 * marks[i]; }
void ext_forgets(double x, double *y, size_t n) { (void)x; (void)y; (void)n; }
double ext_many(double a, double b, double c, double d, double e, double f, double g, double h, double i, double j,
    int k, int l, int m, int n, int o, int p, int q, int r) {
    return a + 2*b + 3*c + 4*d + 5*e + 6*f + 7*g + 8*h + 9*i + 10*j + 11*k + 12*l + 13*m + 14*n + 15*o + 16*p + 17*q + 18*r;
}
"#;

/// A folder of its own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("partita-external-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder for the test");
        Folder(path)
    }

    /// Compiles C to a shared library.
    fn library(&self, name: &str, text: &str) -> PathBuf {
        let (source, library) = (self.0.join(format!("{name}.c")), self.0.join(format!("lib{name}.so")));
        std::fs::write(&source, text).expect("a C file can be written");
        let output =
            Command::new("gcc").args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).arg(&source).output().expect("gcc can be started");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        library
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn compiled(text: &str, library: &Path) -> Result<(Source, Compiled), String> {
    let source = Source { name: "model.mo".to_string(), text: text.to_string() };
    let libraries = Libraries { shared: SharedLibraries::open(&[library.to_path_buf()])?, ..Libraries::default() };
    let made = pipeline::structure_with(&source, &libraries, None).and_then(|structured| pipeline::program(structured, &[]));
    made.map(|compiled| (source.clone(), compiled)).map_err(|messages| rendered(&messages, &source))
}

/// The points of a run, the same from both engines and from an image as a simulator has it.
fn points(text: &str, library: &Path) -> Result<(Compiled, Points), String> {
    let (source, compiled) = compiled(text, library)?;
    let experiment = pipeline::experiment(&compiled.experiment, None, None);
    let interpreted = run(&compiled, &source, Engine::Interpreter, &experiment);
    let native = run(&compiled, &source, Engine::MachineCode, &experiment);
    assert!(interpreted == native, "the engines differ");
    let native = native?;
    let image = pipeline::image(&source, &compiled, None).map_err(|messages| rendered(&messages, &source))?;
    let code = MachineCode::load(&image.object, &[]).map_err(|error| error.to_string())?;
    let mut from_image = Points::default();
    let mut instance = Instance::new(Arc::new(image.plan), Arc::new(code)).map_err(|error| error.title)?;
    simulate(&mut instance, &experiment, &mut from_image).map_err(|error| error.title)?;
    assert!(from_image == native, "the simulator differs");
    Ok((compiled, native))
}

const FUNCTIONS: &str = r#"
type Color = enumeration(red, green, blue);
function scale
  input Real x; input Integer n; input String word; output Real y;
  external "C" y = ext_scale(x, n, word);
end scale;
function square
  input Real x; output Real y;
  external "C" y = ext_square(x);
end square;
function squareScaled
  input Real x; input Integer n; output Real y;
  external "C" y = ext_square_scaled(x, n);
end squareScaled;
function squareSlope
  input Real x; input Real dx; output Real dy;
  external "C" dy = ext_square_slope(x, dx);
end squareSlope;
function smoothSquare
  input Real x; output Real y;
  external "C" y = ext_square(x) annotation(derivative = squareSlope);
end smoothSquare;
function half
  input Integer n; input Boolean up; output Integer y;
  external "C" y = ext_half(n, up);
end half;
function next
  input Color c; output Color d;
  external "C" d = ext_next(c);
end next;
function isTwo
  input Integer k; output Boolean b;
  external "C" b = ext_two(k);
end isTwo;
function rotate
  input Real a[:, :]; input Integer order[:]; input Real shift; output Real b[size(a, 1), size(a, 2)]; output Boolean wide;
  external "C" ext_rotate(a, size(a, 1), size(a, 2), shift, b, order, wide);
end rotate;
function ext_sum
  input Real a[:]; output Real s;
  external "C";
end ext_sum;
function ext_split
  input Real x; output Real low; output Real both[3];
  external "C";
end ext_split;
function ext_marks
  input Boolean marks[:]; output Integer twice[size(marks, 1)];
  external "C";
end ext_marks;
function many
  input Real x; input Integer k; output Real y;
  external "C" y = ext_many(x, 2*x, 3*x, 4*x, 5*x, 6*x, 7*x, 8*x, 9*x, 10*x, k, k + 1, k + 2, k + 3, k + 4, k + 5, k + 6, k + 7);
end many;
"#;

#[test]
fn arguments_and_results_of_every_kind_arrive() {
    let folder = Folder::new("kinds");
    let library = folder.library("kinds", C);
    let model = r#"
model M
  Real x(start = 1, fixed = true);
  Real b[2, 3], s, low, both[3], m;
  Boolean wide, two;
  Integer h, twice[2];
  Color c;
  discrete Integer k(start = 3, fixed = true);
equation
  der(x) = -scale(x, 2, "abc") + 3;
  (b, wide) = rotate({{x, 2, 3}, {4, 5, 6}}, {2, 3, 1}, time);
  s = ext_sum({x, 1, time});
  (low, both) = ext_split(x);
  m = many(x, k);
  when time > 0.5 then k = pre(k) + 4; end when;
  h = half(k, true);
  twice = ext_marks({k > 5, true});
  two = isTwo(k);
  c = next(if k > 5 then Color.blue else Color.red);
end M;
"#;
    let (compiled, points) = points(&format!("{FUNCTIONS}{model}"), &library).expect("the model runs");
    let table = table(&compiled, &points);
    let last = |name: &str| *table.values(name).unwrap_or_else(|| panic!("no {name}")).last().expect("a value");
    let x = last("x");
    assert!((x - (-2.0_f64).exp()).abs() < 1e-5, "{x}");
    let rows = [[4.0, x + 1.0, 3.0], [7.0, 5.0, 6.0]];
    for (i, row) in rows.iter().enumerate() {
        for (j, value) in row.iter().enumerate() {
            assert_eq!(last(&format!("b[{},{}]", i + 1, j + 1)), *value);
        }
    }
    assert_eq!(last("s"), x + 1.0 + 1.0);
    assert_eq!((last("low"), last("both[1]"), last("both[3]")), (x - 1.0, x, x + 2.0));
    assert!((last("m") - (385.0 * x + 1260.0)).abs() < 1e-9);
    assert_eq!((last("wide"), last("two"), last("h"), last("c")), (1.0, 1.0, 4.0, 1.0));
    assert_eq!((last("twice[1]"), last("twice[2]")), (2.0, 2.0));
    assert_eq!(table.values("h").expect("h")[0], 2.0);
}

#[test]
fn derivatives_come_from_annotations_or_differences() {
    let folder = Folder::new("derivatives");
    let library = folder.library("derivatives", C);
    for (call, factor) in [("square(x)", 1.0), ("smoothSquare(x)", 1.0), ("squareScaled(x, 1000000)", 1e6)] {
        // Index reduction differentiates the constraint; the loop for `z` needs a Jacobian.
        let model = format!(
            "model M\n Real x, v, z;\nequation\n {call} = {factor}*(1 + time)^2;\n der(x) = v;\n z + {call}/{factor}*z^3 = 2;\nend M;\n"
        );
        let (compiled, points) = points(&format!("{FUNCTIONS}{model}"), &library).unwrap_or_else(|error| panic!("{call}: {error}"));
        let table = table(&compiled, &points);
        let v = table.values("v").expect("v");
        assert!(v.iter().all(|v| (v - 1.0).abs() < 1e-6), "{call}: {:?}", v.last());
        let (x, z) = (table.values("x").expect("x"), table.values("z").expect("z"));
        assert!(x.iter().zip(z).all(|(x, z)| (z + x * x * z * z * z - 2.0).abs() < 1e-6), "{call}");
    }
}

#[test]
fn what_cannot_be_called_is_said() {
    let folder = Folder::new("refused");
    let library = folder.library("refused", C);
    let missing = SharedLibraries::open(&[folder.0.join("nowhere.so")]).expect_err("there is no such library");
    assert!(missing.contains("there is no library") && missing.contains("nowhere.so"), "{missing}");
    let no_library = SharedLibraries::open(&[folder.0.join("refused.c")]).expect_err("a C file is no library");
    assert!(no_library.contains("cannot be loaded"), "{no_library}");
    let open = folder.library("open", "void somewhere_else(void); void f(void) { somewhere_else(); }");
    let open = SharedLibraries::open(&[open]).expect_err("a symbol is missing");
    assert!(open.contains("somewhere_else"), "{open}");
    let cases = [
        (
            "input Real x; output Real y; external \"C\" y = nobody(x);",
            "f(time)",
            "external function nobody is in none of the shared libraries",
            2,
        ),
        ("input R x; output Real y; external \"C\" y = ext_square(x);", "f(R(time))", "a record cannot be passed", 2),
        (
            "input String x[2]; output Real y; external \"C\" y = ext_square(x);",
            "f({\"a\", \"b\"})",
            "an array of Strings cannot be passed",
            2,
        ),
        (
            "input Real x; output Real y; protected Real w[3]; external \"C\" y = ext_square(w);",
            "f(time)",
            "protected variable w cannot be passed",
            2,
        ),
        ("input Real x; output Real y; external \"FORTRAN 77\" y = ext_square(x);", "f(time)", "in the language \"FORTRAN 77\"", 2),
        ("input Real x; output Real y; external \"C\" ext_square(x);", "f(time)", "does not give every output once", 2),
        (
            "input Real x; output Real y = 1; external \"C\" y = ext_square(x);",
            "f(time)",
            "the first value of the output y cannot be passed",
            2,
        ),
        (
            "input Integer x[30]; output Real y; external \"C\" y = ext_square(x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10], x[11], x[12], x[13], x[14], x[15], x[16], x[17], x[18], x[19], x[20], x[21], x[22], x[23]);",
            "f(1:30)",
            "so many arguments (23) cannot be passed",
            2,
        ),
    ];
    for (body, call, expected, line) in cases {
        let text = format!("record R Real a; end R;\nfunction f {body} end f;\nmodel M\n Real y;\nequation\n y = {call};\nend M;\n");
        let error = compiled(&text, &library).map(|_| ()).expect_err(expected);
        assert!(
            error.starts_with("error[D008]") && error.contains(expected) && error.contains(&format!("model.mo:{line}:")),
            "{expected}: {error}"
        );
    }
}

#[test]
fn calls_that_go_wrong_fail() {
    let folder = Folder::new("failing");
    let library = folder.library("failing", C);
    let cases = [
        (
            "type E = enumeration(a, b);\nfunction f input Integer k; output E e; external \"C\" e = ext_seven(k); end f;",
            "E e;",
            "e = f(if time < 0.5 then 1 else 2);",
            "it gives 7 for an enumeration of 2 literals",
        ),
        (
            "function f input Real x; output Real y[2]; external \"C\" ext_forgets(x, y, size(y, 1)); end f;",
            "Real y[2];",
            "y = f(time);",
            "it does not write number 1 of its outputs",
        ),
        (
            "function f input Real x; input Integer n; output Real y; external \"C\" y = ext_square_scaled(x, n); end f;",
            "Real y; Integer k;",
            "y = f(time, k); k = if time < 0.5 then 1 else 2147483647 + 1;",
            "argument 2 is 2147483648, which C's int cannot hold",
        ),
    ];
    for (functions, variables, equations, expected) in cases {
        let text = format!("{functions}\nmodel M\n {variables}\nequation\n {equations}\nend M;\n");
        let error = points(&text, &library).map(|_| ()).expect_err(expected);
        assert!(error.contains(expected), "{expected}: {error}");
    }
}

#[test]
fn a_simulator_misses_its_library() {
    let folder = Folder::new("moved");
    let library = folder.library("moved", C);
    let text = format!("{FUNCTIONS}model M\n Real y;\nequation\n y = square(time);\nend M;\n");
    let (source, compiled) = compiled(&text, &library).expect("the model compiles");
    let image = pipeline::image(&source, &compiled, None).expect("there is machine code");
    std::fs::remove_file(&library).expect("the library can be removed");
    let error = MachineCode::load(&image.object, &[]).map(|_| ()).expect_err("the library is gone").to_string();
    assert!(error.contains("libmoved.so") && error.contains("is not there") && error.contains("-external="), "{error}");
}
