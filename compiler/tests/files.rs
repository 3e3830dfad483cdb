//! What commands and built simulators do to files: nothing that is read is written, nothing that is protected is replaced, nothing half-written
//! is left, names can be any bytes.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

const PARTITA: &str = env!("CARGO_BIN_EXE_partita");

/// A decay with an input.
const MODEL: &str = "model M
  parameter Real k = 1;
  input Real u(start = 0);
  Real x(start = 1, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = u - k*x;
  der(y) = x - 0.01*y;
end M;
";

/// A model that calls a function of a library.
const CALLER: &str = "model C Real x(start = 1, fixed = true); equation der(x) = f(x); end C;";
const LIBRARY: &str = "function f input Real x; output Real y; algorithm y := -x; end f;";

/// A model whose table is in a file.
const LOOKUP: &str = "class Table
  extends ExternalObject;
  function constructor
    input String tableName;
    input String fileName;
    input Real table[:, :];
    input Integer columns[:];
    input Integer smoothness;
    input Integer extrapolation;
    input Boolean verbose;
    output Table object;
    external \"C\" object = ModelicaStandardTables_CombiTable1D_init2(fileName, tableName, table, size(table, 1), size(table, 2), columns, size(columns, 1), smoothness, extrapolation, verbose);
  end constructor;
  function destructor
    input Table object;
    external \"C\" ModelicaStandardTables_CombiTable1D_close(object);
  end destructor;
end Table;
function value
  input Table object;
  input Integer column;
  input Real u;
  output Real y;
  external \"C\" y = ModelicaStandardTables_CombiTable1D_getValue(object, column, u);
end value;
model Lookup
  Table table = Table(\"a\", \"table.csv\", {{0, 0}}, {2}, 1, 1, false);
  Real y = value(table, 1, time);
end Lookup;
";

/// A run that does not end.
const ENDLESS: &str = "model E Real x(start = 0, fixed = true); equation der(x) = sin(1e3*time); annotation(experiment(StopTime = 1e9, Interval = 10)); end E;";

/// A folder that is gone at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("partita-files-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(path.join("below")).expect("a folder can be made");
        Folder(path)
    }

    fn write(&self, name: &str, content: &str) {
        std::fs::write(self.0.join(name), content).expect("a file can be written");
    }

    fn link(&self, target: &str, name: &str) {
        symlink(target, self.0.join(name)).expect("a link can be made");
    }

    fn hard_link(&self, target: &str, name: &str) {
        std::fs::hard_link(self.0.join(target), self.0.join(name)).expect("a hard link can be made");
    }

    /// The contents of all files, by name; links are followed.
    fn contents(&self) -> BTreeMap<OsString, Option<Vec<u8>>> {
        let entries = std::fs::read_dir(&self.0).expect("the folder can be read").flatten();
        entries.map(|entry| (entry.file_name(), std::fs::read(entry.path()).ok())).collect()
    }

    fn names(&self) -> Vec<String> {
        self.contents().into_keys().map(|name| name.to_string_lossy().into_owned()).collect()
    }

    fn run(&self, program: impl AsRef<OsStr>, arguments: &[impl AsRef<OsStr>]) -> Output {
        Command::new(program).args(arguments).current_dir(&self.0).stdin(Stdio::null()).output().expect("it starts")
    }

    /// Words separated by blanks to `partita`.
    fn partita(&self, line: &str) -> Output {
        self.run(PARTITA, &line.split(' ').collect::<Vec<_>>())
    }

    fn succeeds(&self, line: &str) {
        let output = self.partita(line);
        assert!(output.status.success(), "{line}: {}", said(&output));
    }

    /// A line of the shell.
    fn shell(&self, line: &str) -> Output {
        self.run("sh", &["-c", line])
    }

    /// A command is refused with a message and changes nothing.
    fn refuses(&self, what: &str, run: impl FnOnce() -> Output, message: &str) {
        let before = self.contents();
        let output = run();
        assert_eq!(output.status.code(), Some(2), "{what}: {}", said(&output));
        assert!(said(&output).contains(message), "{what}: {}", said(&output));
        assert!(self.contents() == before, "{what}: files have changed: {:?}", self.names());
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A folder with models, inputs and a result, and further names for them.
fn everything(name: &str) -> Folder {
    let folder = Folder::new(name);
    for (name, content) in [
        ("M.mo", MODEL),
        ("C.mo", CALLER),
        ("L.mo", LIBRARY),
        ("Lookup.mo", LOOKUP),
        ("u.csv", "time,u\n0,0\n1,1\n"),
        ("table.csv", "0,0\n1,3\n"),
        ("names.txt", "x\n"),
    ] {
        folder.write(name, content);
    }
    folder.succeeds("run M.mo -o M_res.mat --input u.csv --intervals 10");
    folder.succeeds("run M.mo -o reference.csv --input u.csv --intervals 10");
    for (target, name) in [
        ("M.mo", "model.svg"),
        ("M.mo", "model.csv"),
        ("L.mo", "library.csv"),
        ("u.csv", "hard.csv"),
        ("M_res.mat", "hard.mat"),
        ("M_res.mat", "hard.png"),
        ("names.txt", "hard.html"),
    ] {
        folder.hard_link(target, name);
    }
    for (target, name) in
        [("u.csv", "soft.csv"), ("below/../M_res.mat", "soft.mat"), ("new.svg", "dangling.svg"), ("M_res.mat", "M_res.incomplete.mat")]
    {
        folder.link(target, name);
    }
    folder
}

#[test]
fn what_is_read_is_not_written() {
    let folder = everything("read");
    for (line, message) in [
        (
            "run M.mo --input u.csv --reference M_res.mat",
            "cannot write the result to `M_res.mat`: this file is read as the reference; choose another name",
        ),
        ("run M.mo --input u.csv --reference soft.mat", "this file is read as the reference (`soft.mat`)"),
        ("run M.mo --reference reference.csv -o ./reference.csv", "read as the reference"),
        ("run M.mo --reference M_res.mat -o below/../M_res.mat", "read as the reference"),
        ("run M.mo --reference M_res.mat -o hard.mat", "read as the reference"),
        ("run M.mo --reference M_res.mat -o soft.mat", "read as the reference"),
        ("run M.mo --input u.csv -o u.csv", "cannot write the result to `u.csv`: this file is read as the inputs"),
        ("run M.mo --input u.csv -o soft.csv", "read as the inputs (`u.csv`)"),
        ("run M.mo --input soft.csv -o hard.csv", "read as the inputs"),
        ("run M.mo --input u.csv --jacobian=u.csv -o r.csv", "cannot write the Jacobian"),
        ("run M.mo -o model.csv", "read as the model (`M.mo`)"),
        ("run M.mo -o r.csv --plot x=model.svg", "cannot write a picture to `model.svg`: this file is read as the model"),
        ("run M.mo -o r.csv --jacobian=M.mo", "read as the model"),
        ("run C.mo --library L.mo -o library.csv", "read as a library"),
        ("run M.mo --reference M_res.incomplete.mat -o M_res.mat", "read as the reference"),
        ("run M.mo --reference M_res.incomplete.mat -o r.csv --jacobian=M_res.mat", "read as the reference"),
        ("run Lookup.mo -o table.csv", "read as a file of the model"),
        ("run Lookup.mo -o r.csv --jacobian=below/../table.csv", "read as a file of the model"),
        ("build M.mo -o M.mo", "cannot write the simulator to `M.mo`: this file is read as the model"),
        ("build M.mo -o ./model.csv", "read as the model"),
        ("build C.mo --library L.mo -o L.mo", "read as a library"),
        ("build Lookup.mo -o Lookup.mo", "read as the model"),
        ("analyze M.mo --html M.mo", "cannot write the report to `M.mo`: this file is read as the model"),
        ("dump M.mo --pass blt --svg model.svg", "cannot write the picture"),
        ("plot M_res.mat -o hard.png", "cannot write the picture to `hard.png`: this file is read as the result (`M_res.mat`)"),
        ("compare M_res.mat reference.csv --html reference.csv", "read as the reference"),
        ("compare M_res.mat reference.csv --html soft.mat", "read as the result"),
        ("compare M_res.mat reference.csv --signals names.txt --html hard.html", "read as the list of signals"),
    ] {
        folder.refuses(line, || folder.partita(line), message);
    }
    for (line, message) in [
        ("dump M.mo --pass flat >> M.mo", "standard output goes to the file that is read as the model"),
        ("check M.mo --json >> model.csv", "read as the model (`M.mo`)"),
        ("check - < M.mo >> M.mo", "standard output"),
        ("run - -o model.csv < M.mo", "this file is read as the model"),
        ("check M.mo --json >> M.mo 2>&1", ""),
        ("run M.mo -o M_res.mat --json >> M_res.mat", "standard output is written to the same file"),
        ("run M.mo -o M_res.mat >> M_res.mat", "standard output is written to the same file"),
        ("compare M_res.mat reference.csv >> reference.csv", "standard output"),
    ] {
        folder.refuses(line, || folder.shell(&format!("{PARTITA} {line}")), message);
    }
    // Where the message would go into the file it goes to the other stream.
    let before = folder.contents();
    let output = folder.shell(&format!("{PARTITA} check M.mo 2>> M.mo"));
    assert!(
        output.status.code() == Some(2)
            && String::from_utf8_lossy(&output.stdout).contains("standard error goes to the file that is read as the model")
    );
    assert!(folder.contents() == before);
}

#[test]
fn two_outputs_are_two_files() {
    let folder = everything("two");
    for line in [
        "run M.mo -o r.csv --jacobian=r.csv",
        "run M.mo -o r.csv --jacobian=below/../r.csv",
        "run M.mo -o r.csv --jacobian=r.incomplete.csv",
        "run M.mo -o r.csv --plot x=new.svg --plot x=./new.svg",
        "run M.mo -o r.csv --plot x=new.svg --plot x=dangling.svg",
        "run M.mo -o r.csv --plot x=dangling.svg --plot x=below/../new.svg",
    ] {
        folder.refuses(line, || folder.partita(line), "is written to the same file");
    }
    // What is no file can take anything, and stays what it is.
    folder.succeeds("run M.mo -o r.csv --jacobian=/dev/null");
    assert!(!Path::new("/dev/null").is_file());
}

#[test]
fn simulators_do_not_write_what_they_read() {
    let folder = everything("simulator");
    folder.write("override.csv", "k=2\n");
    folder.succeeds("build M.mo -o simulator.csv");
    folder.succeeds("build Lookup.mo -o lookup");
    let simulator = folder.0.join("simulator.csv");
    for (line, message) in [
        ("-csvInput=u.csv -r=u.csv", "this file is read as the inputs"),
        ("-csvInput=u.csv -r soft.csv", "read as the inputs"),
        ("--input soft.csv --output below/../hard.csv", "read as the inputs"),
        ("-overrideFile=override.csv -r=override.csv", "read as the file of -overrideFile"),
        ("-r=simulator.csv", "read as the simulator"),
    ] {
        let run = || folder.run(&simulator, &line.split(' ').collect::<Vec<_>>());
        folder.refuses(line, run, message);
    }
    folder.refuses("table", || folder.run(folder.0.join("lookup"), &["-r=table.csv"]), "read as a file of the model");
}

#[test]
fn what_is_protected_stays_and_permissions_are_kept() {
    let folder = everything("protected");
    let mode = |name: &str| std::fs::metadata(folder.0.join(name)).expect("it is there").permissions().mode() & 0o777;
    let set =
        |name: &str, mode: u32| std::fs::set_permissions(folder.0.join(name), std::fs::Permissions::from_mode(mode)).expect("it is ours");
    for name in ["old.mat", "old.csv", "old.svg", "old.html", "old"] {
        folder.write(name, "old");
        set(name, 0o444);
    }
    folder.link("old.csv", "to_old.csv");
    for line in [
        "run M.mo -o old.mat",
        "run M.mo -o old.csv",
        "run M.mo -o to_old.csv",
        "run M.mo -o r.csv --plot x=old.svg",
        "run M.mo -o r.csv --jacobian=old.csv",
        "plot M_res.mat -o old.svg",
        "plot M_res.mat --signals x -o old.html",
        "plot M_res.mat -o nowhere/p.png",
        "analyze M.mo --at 0 --html old.html",
        "compare M_res.mat reference.csv --html old.html",
        "dump M.mo --pass blt --svg old.svg",
        "build M.mo -o old",
        "run M.mo -o below",
        "build M.mo -o below",
        "run M.mo -o nowhere/r.csv",
        "run M.mo -o r.csv --plot x=nowhere/p.svg",
        "run M.mo -o M.mo/r.csv",
    ] {
        let message = if line.contains("old") { "it is write-protected" } else { "`" };
        folder.refuses(line, || folder.partita(line), message);
    }
    for (name, given, kept) in [("old.csv", 0o640, 0o640), ("old.svg", 0o600, 0o600), ("old", 0o640, 0o750)] {
        set(name, given);
        folder.succeeds(match name {
            "old.csv" => "run M.mo -o to_old.csv",
            "old.svg" => "run M.mo -o r.csv --plot x=old.svg",
            _ => "build M.mo -o old",
        });
        assert_eq!(mode(name), kept, "{name}");
    }
    // A link stays a link, and what it leads to is the result.
    assert!(
        folder.0.join("to_old.csv").is_symlink()
            && std::fs::read_to_string(folder.0.join("old.csv")).expect("it is text").starts_with("\"time\"")
    );
    let simulator = folder.run(folder.0.join("old"), &["-r=old.mat"]);
    assert!(simulator.status.code() == Some(2) && said(&simulator).contains("write-protected"), "{}", said(&simulator));
}

/// A process that is ended with the test.
struct Process(Child);

impl Process {
    /// Starts a run that does not end, and waits until it writes.
    fn start(folder: &Folder, program: &Path, arguments: &[&str]) -> Process {
        let child = Command::new(program)
            .args(arguments)
            .current_dir(&folder.0)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let own = child.id();
        let process = Process(child);
        let began = Instant::now();
        while !folder.names().iter().any(|name| name.contains(&format!("partita-{own}-"))) {
            assert!(began.elapsed() < Duration::from_secs(60), "it does not begin to write");
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(300));
        process
    }

    fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([name, &self.0.id().to_string()]).status().expect("kill can be started");
        assert!(sent.success());
    }

    fn end(mut self) -> (Option<i32>, String) {
        let status = self.0.wait().expect("it ends");
        let mut text = String::new();
        if let Some(mut said) = self.0.stderr.take() {
            std::io::Read::read_to_string(&mut said, &mut text).expect("it is text");
        }
        (status.code(), text)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn signals_end_runs_without_leaving_parts() {
    let folder = Folder::new("signals");
    folder.write("E.mo", ENDLESS);
    folder.succeeds("build E.mo -o simulator");
    let simulator = folder.0.join("simulator");
    let runs: [(&Path, &[&str]); 2] = [(Path::new(PARTITA), &["run", "E.mo", "-o", "r.csv"]), (&simulator, &["-r=r.csv"])];
    for (program, arguments) in runs {
        for (signal, code) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
            let process = Process::start(&folder, program, arguments);
            process.signal(signal);
            let (ended, text) = process.end();
            assert_eq!(ended, Some(code), "{signal}: {text}");
            assert!(text.contains("stopped at time") && text.contains("the results so far are in r.incomplete.csv"), "{text}");
            assert_eq!(folder.names(), ["E.mo", "below", "r.incomplete.csv", "simulator"], "{signal}");
            std::fs::remove_file(folder.0.join("r.incomplete.csv")).expect("it is there");
        }
    }
    // Who does not hear SIGHUP goes on.
    let process = Process::start(&folder, Path::new("sh"), &["-c", &format!("trap '' HUP; exec {PARTITA} run E.mo -o r.csv")]);
    process.signal("-HUP");
    std::thread::sleep(Duration::from_millis(300));
    process.signal("-INT");
    assert_eq!(process.end().0, Some(130));
}

#[test]
fn what_killed_processes_leave_is_removed_and_nothing_else() {
    let folder = Folder::new("killed");
    folder.write("E.mo", ENDLESS);
    folder.write("M.mo", MODEL);
    folder.write("mine.partita-1.part", "a name that is none of ours");
    folder.write("r.csv.part", "nor is this");
    let arguments = ["run", "E.mo", "-o", "r.csv"];
    let living = Process::start(&folder, Path::new(PARTITA), &arguments);
    let killed = Process::start(&folder, Path::new(PARTITA), &arguments);
    let of = |process: &Process| format!("r.csv.partita-{}-0.part", process.0.id());
    let (part_of_living, part_of_killed) = (of(&living), of(&killed));
    killed.signal("-KILL");
    killed.end();
    assert!(folder.names().contains(&part_of_killed));
    // What a living process would have written, and a link, stay.
    folder.write(&format!("r.csv.partita-{}-7.part", std::process::id()), "");
    folder.link("M.mo", "r.csv.partita-999999999-0.part");
    folder.succeeds("run M.mo -o other.csv");
    let names = folder.names();
    assert!(!names.contains(&part_of_killed), "{names:?}");
    for kept in [
        part_of_living.as_str(),
        "mine.partita-1.part",
        "r.csv.part",
        "r.csv.partita-999999999-0.part",
        &format!("r.csv.partita-{}-7.part", std::process::id()),
    ] {
        assert!(names.iter().any(|name| name == kept), "{kept} is gone: {names:?}");
    }
    living.signal("-INT");
    assert_eq!(living.end().0, Some(130));
}

#[test]
fn a_stream_that_cannot_be_written_is_an_error_and_a_closed_one_is_none() {
    let folder = everything("streams");
    for line in
        ["dump M.mo --pass flat", "check M.mo --json", "run M.mo --input u.csv -o r.csv", "completions bash", "compare M_res.mat M_res.mat"]
    {
        let full = folder.shell(&format!("{PARTITA} {line} > /dev/full"));
        assert!(
            full.status.code() == Some(2) && said(&full).contains("cannot write to standard output: No space left"),
            "{line}: {}",
            said(&full)
        );
        // A reader that takes nothing; the exit code is that of partita.
        for closed in ["| true", "2>&1 | true", "2>&1 >/dev/null | true"] {
            let output = folder.shell(&format!("{{ sleep 0.1; {PARTITA} {line}; echo $? > below/code; }} {closed}"));
            let code = std::fs::read_to_string(folder.0.join("below/code")).expect("the shell writes it");
            assert!(code.trim() == "0" && said(&output).is_empty(), "{line} {closed}: {code} {}", said(&output));
        }
    }
    for line in ["check none.mo", "run M.mo --tolerance x", "run M.mo -o r.xyz"] {
        folder.shell(&format!("{{ sleep 0.1; {PARTITA} {line}; echo $? > below/code; }} 2>&1 | true"));
        assert_eq!(std::fs::read_to_string(folder.0.join("below/code")).expect("the shell writes it").trim(), "2", "{line}");
    }
}

#[test]
fn names_of_files_can_be_any_bytes() {
    let folder = everything("bytes");
    let named = |before: &str, ending: &str| OsString::from_vec([before.as_bytes(), b"\xFF\xFE a", ending.as_bytes()].concat());
    let (model, inputs, result, picture, jacobian, page, simulator) = (
        named("", ".mo"),
        named("", ".csv"),
        named("r", ".csv"),
        named("x=", ".svg"),
        named("--jacobian=", ".csv.txt"),
        named("", ".html"),
        named("", ""),
    );
    for (from, to) in [("M.mo", &model), ("u.csv", &inputs)] {
        std::fs::copy(folder.0.join(from), folder.0.join(to)).expect("it can be copied");
    }
    let word = OsStr::new;
    let run = |arguments: &[&OsStr]| {
        let output = folder.run(PARTITA, arguments);
        assert!(output.status.success(), "{arguments:?}: {}", said(&output));
    };
    run(&[
        word("run"),
        &model,
        word("--input"),
        &inputs,
        word("-o"),
        &result,
        word("--plot"),
        &picture,
        &jacobian,
        word("--intervals"),
        word("10"),
    ]);
    let expected = std::fs::read(folder.0.join("reference.csv")).expect("it is there");
    assert!(std::fs::read(folder.0.join(&result)).expect("it is there") == expected);
    assert!(folder.0.join(named("", ".svg")).is_file() && folder.0.join(named("", ".csv.txt")).is_file());
    run(&[word("compare"), &result, word("reference.csv"), word("--html"), &page]);
    run(&[word("analyze"), &model, word("--at"), word("0"), word("--html"), &page]);
    run(&[word("build"), &model, word("-o"), &simulator]);
    let got =
        folder.run(folder.0.join(&simulator), &[named("-csvInput=", ".csv"), named("-r=s", ".csv"), "--intervals".into(), "10".into()]);
    assert!(got.status.success(), "{}", said(&got));
    assert!(std::fs::read(folder.0.join(named("s", ".csv"))).expect("it is there") == expected);
    let below = folder.0.join(OsStr::from_bytes(b"\xFFdir"));
    std::fs::create_dir(&below).expect("a folder can be made");
    std::fs::rename(folder.0.join("table.csv"), below.join("table.csv")).expect("it can be moved");
    run(&[word("run"), word("Lookup.mo"), word("--resource-path"), below.as_os_str()]);
    run(&[word("build"), word("Lookup.mo"), word("--resource-path"), below.as_os_str()]);
    let got = folder.run(folder.0.join("Lookup"), &["-r=l.csv"]);
    assert!(got.status.success(), "{}", said(&got));
}
