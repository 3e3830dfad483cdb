//! What a model may touch, seen from outside: files of `run`, of built simulators, and of commands that only look at a model.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder with an empty folder `work` to work in, and a file beside it; gone at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("partita-permissions-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(path.join("work")).expect("a folder can be made");
        std::fs::write(path.join("secret.txt"), "#1\ndouble a(2,2)\n0 0\n1 3\n").expect("a file can be written");
        Folder(path.canonicalize().expect("it is there"))
    }

    fn work(&self) -> PathBuf {
        self.0.join("work")
    }

    fn model(&self, name: &str, text: &str) {
        std::fs::write(self.work().join(name), text).expect("the model can be written");
    }

    fn partita(&self, arguments: &[&str]) -> Output {
        start(Path::new(env!("CARGO_BIN_EXE_partita")), arguments, &self.work())
    }

    /// Names of all that lies in the folder and in `work`.
    fn left(&self) -> Vec<String> {
        let list = |folder: &Path| {
            std::fs::read_dir(folder)
                .expect("the folder can be read")
                .flatten()
                .map(|entry| entry.file_name().to_string_lossy().into_owned())
                .collect::<Vec<_>>()
        };
        let mut names = [list(&self.0), list(&self.work())].concat();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn start(program: &Path, arguments: &[&str], folder: &Path) -> Output {
    Command::new(program).args(arguments).current_dir(folder).env_remove("MODELICAPATH").output().expect("it can be started")
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// A model that computes a number at its start, by a function that touches a file.
fn model(number: &str) -> String {
    format!(
        "impure function remove input String f; external \"C\" ModelicaInternal_removeFile(f); end remove;
impure function removed input String f; output Real y; algorithm remove(f); y := 1; end removed;
impure function lines input String f; output Integer n; external \"C\" n = ModelicaInternal_countLines(f); end lines;
impure function kind input String f; output Integer n; external \"C\" n = ModelicaInternal_stat(f); end kind;
impure function rows input String f; input String m; output Integer n[2]; external \"C\" ModelicaIO_readMatrixSizes(f, m, n); end rows;
impure function print input String text; input String f; external \"C\" ModelicaInternal_print(text, f); end print;
impure function printed input String f; output Real y; algorithm print(\"a line\", f); y := 1; end printed;
impure function write input String f; input String m; input Real a[:, :]; output Boolean b;
  external \"C\" b = ModelicaIO_writeRealMatrix(f, m, a, size(a, 1), size(a, 2), false, \"4\"); end write;
model M
  Real x(start = 1, fixed = true), y(start = 1, fixed = true);
  discrete Real n;
equation
  der(x) = -x;
  der(y) = x - 100*y;
  when initial() then
    n = {number};
  end when;
  annotation(experiment(StopTime = 1));
end M;
"
    )
}

const TABLE: &str = "class Table
  extends ExternalObject;
  function constructor
    input String fileName;
    output Table object;
    external \"C\" object = ModelicaStandardTables_CombiTable1D_init2(fileName, \"a\", {{0, 0}}, 1, 2, {2}, 1, 1, 1, false);
  end constructor;
  function destructor input Table object; external \"C\" ModelicaStandardTables_CombiTable1D_close(object); end destructor;
end Table;
function value input Table object; input Integer column; input Real u; output Real y;
  external \"C\" y = ModelicaStandardTables_CombiTable1D_getValue(object, column, u); end value;
";

#[test]
fn lines_are_printed_to_the_end_of_a_file_by_runs_only() {
    let folder = Folder::new("print");
    folder.model("m.mo", &model("printed(\"log.txt\")"));
    let log = folder.work().join("log.txt");
    let checked = folder.partita(&["check", "m.mo"]);
    assert!(checked.status.success() && !log.exists(), "{}", said(&checked));
    for lines in 1..=2 {
        let run = folder.partita(&["run", "m.mo", "-o", "r.csv"]);
        assert!(run.status.success(), "{}", said(&run));
        assert_eq!(std::fs::read_to_string(&log).expect("the run writes it"), "a line\n".repeat(lines));
    }
}

#[test]
fn files_outside_are_refused_whatever_they_are_called() {
    let folder = Folder::new("outside");
    std::os::unix::fs::symlink(folder.0.join("secret.txt"), folder.work().join("link.txt")).expect("a link can be made");
    std::os::unix::fs::symlink(&folder.0, folder.work().join("up")).expect("a link can be made");
    let outside = folder.0.display().to_string();
    let names = [
        format!("{outside}/secret.txt"),
        "../secret.txt".to_string(),
        format!("file://{outside}/secret.txt"),
        "link.txt".to_string(),
        "up/secret.txt".to_string(),
    ];
    for name in &names {
        for (call, is_removal) in [
            (format!("lines(\"{name}\")"), false),
            (format!("kind(\"{name}\")"), false),
            (format!("sum(rows(\"{name}\", \"a\"))"), false),
            (format!("if write(\"{name}\", \"a\", {{{{1, 2}}}}) then 1 else 0"), false),
            (format!("printed(\"{name}\")"), false),
            (format!("removed(\"{name}\")"), true),
        ] {
            // Removing a link takes the link, which is inside.
            if is_removal && name == "link.txt" {
                continue;
            }
            folder.model("m.mo", &model(&call));
            let refused = folder.partita(&["run", "m.mo", "-o", "r.csv"]);
            assert_eq!(refused.status.code(), Some(1), "{call}: {}", said(&refused));
            assert!(said(&refused).contains("--allow-files"), "{call}: {}", said(&refused));
        }
        folder.model("t.mo", &format!("{TABLE}model M Table t = Table(\"{name}\"); Real y = value(t, 1, time); end M;\n"));
        let refused = folder.partita(&["run", "t.mo", "-o", "r.csv"]);
        assert!(refused.status.code() == Some(1) && said(&refused).contains("--allow-files"), "{name}: {}", said(&refused));
        let read = folder.partita(&["run", "t.mo", "-o", "r.csv", "--allow-files", ".."]);
        assert!(read.status.success(), "{name}: {}", said(&read));
    }
    assert!(std::fs::read_to_string(folder.0.join("secret.txt")).expect("it is still there").starts_with("#1"));
    folder.model("m.mo", &model("if write(\"../new.mat\", \"a\", {{1, 2}}) then 1 else 0"));
    assert!(!folder.partita(&["run", "m.mo", "-o", "r.csv"]).status.success());
    assert!(!folder.0.join("new.mat").exists());
    let allowed = folder.partita(&["run", "m.mo", "-o", "r.csv", "--allow-files", ".."]);
    assert!(allowed.status.success() && folder.0.join("new.mat").exists(), "{}", said(&allowed));
}

#[test]
fn the_folder_of_the_model_is_read_and_not_written() {
    let folder = Folder::new("own");
    std::fs::write(
        folder.0.join("t.mo"),
        format!("{TABLE}model M Table t = Table(\"{}/secret.txt\"); Real y = value(t, 1, time); end M;\n", folder.0.display()),
    )
    .expect("a model");
    let read = folder.partita(&["run", "../t.mo", "-o", "r.csv"]);
    assert!(read.status.success(), "{}", said(&read));
    std::fs::write(folder.0.join("m.mo"), model("removed(\"../secret.txt\")")).expect("a model");
    let refused = folder.partita(&["run", "../m.mo", "-o", "r.csv"]);
    assert!(!refused.status.success() && said(&refused).contains("--allow-files"), "{}", said(&refused));
}

#[test]
fn commands_that_look_at_a_model_let_it_do_nothing() {
    let folder = Folder::new("looks");
    folder.model("m.mo", &model("removed(\"own.txt\") + (if write(\"new.mat\", \"a\", {{1, 2}}) then 1 else 0)"));
    std::fs::write(folder.work().join("own.txt"), "own").expect("a file");
    let before = folder.left();
    for arguments in [
        vec!["check", "m.mo"],
        vec!["analyze", "m.mo"],
        vec!["analyze", "m.mo", "--verify"],
        vec!["dump", "--pass", "program", "m.mo"],
        vec!["dump", "--pass", "cycles", "m.mo"],
        vec!["dump", "--pass", "partition", "m.mo"],
        vec!["build", "m.mo", "-o", "m.simulator", "--decouple"],
    ] {
        let output = folder.partita(&arguments);
        let left: Vec<String> = folder.left().into_iter().filter(|name| name != "m.simulator").collect();
        assert_eq!(left, before, "{arguments:?}: {}", said(&output));
    }
    let ran = folder.partita(&["run", "m.mo", "-o", "r.csv"]);
    assert!(ran.status.success(), "{}", said(&ran));
    assert!(folder.work().join("new.mat").exists() && !folder.work().join("own.txt").exists());
}

#[test]
fn a_simulator_keeps_to_its_folder() {
    let folder = Folder::new("simulator");
    folder.model("m.mo", &model("if write(\"../new.mat\", \"a\", {{1, 2}}) then 1 else 0"));
    let built = folder.partita(&["build", "m.mo", "-o", "m.simulator"]);
    assert!(built.status.success(), "{}", said(&built));
    let simulator = folder.work().join("m.simulator");
    let refused = start(&simulator, &["-r=r.csv"], &folder.work());
    assert!(refused.status.code() == Some(1) && said(&refused).contains("--allow-files"), "{}", said(&refused));
    assert!(!folder.0.join("new.mat").exists());
    for flag in ["-allowFiles=..", "--allow-files=.."] {
        let allowed = start(&simulator, &["-r=r.csv", flag], &folder.work());
        assert!(allowed.status.success(), "{}", said(&allowed));
        std::fs::remove_file(folder.0.join("new.mat")).expect("it was written");
    }
    assert_eq!(start(&simulator, &["-allowFiles=nowhere"], &folder.work()).status.code(), Some(2));
}

#[test]
fn tables_do_not_grow_beyond_the_limit() {
    let folder = Folder::new("tables");
    std::fs::write(folder.work().join("big.txt"), "#1\ndouble a(100000,100000)\n0 0\n").expect("a file");
    folder.model("t.mo", &format!("{TABLE}model M Table t = Table(\"big.txt\"); Real y = value(t, 1, time); end M;\n"));
    let refused = folder.partita(&["run", "t.mo", "-o", "r.csv"]);
    assert!(refused.status.code() == Some(1) && said(&refused).contains("--limit elements="), "{}", said(&refused));
}

#[cfg(target_os = "linux")]
#[test]
fn memory_is_watched() {
    let folder = Folder::new("memory");
    folder.model("m.mo", "model M Real x[60000]; equation for i in 1:60000 loop x[i] = sin(i*time); end for; end M;\n");
    let refused = folder.partita(&["check", "m.mo", "--limit", "memory=2e7"]);
    assert_eq!(refused.status.code(), Some(1), "{}", said(&refused));
    assert!(said(&refused).contains("error[G010]") && said(&refused).contains("--limit memory=200000000"), "{}", said(&refused));
    assert!(folder.partita(&["check", "m.mo"]).status.success());
}
