//! `partita build` from outside: the executables themselves.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../models")
}

fn partita(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_partita")).args(arguments).current_dir(folder).output().expect("partita can be started")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// An empty folder that is gone at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("partita-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder can be made");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_built_simulator_gives_the_bytes_of_a_run() {
    let folder = Folder::new("build");
    for (name, own, foreign) in [
        ("dc_motor", ["--stop-time", "2", "--set", "R=0.7"], ["-stopTime=2", "-override=R=0.7"]),
        ("bouncing_ball", ["--stop-time", "2.5", "--tolerance", "1e-8"], ["-stopTime=2.5", "-tolerance=1e-8"]),
        ("power_supply", ["--stop-time", "0.05", "--solver", "esdirk"], ["-stopTime=0.05", "-s=gbode"]),
    ] {
        let model = models().join(format!("{name}.mo"));
        let model = model.to_str().expect("a path in UTF-8");
        let simulator = folder.0.join(name);
        let built = partita(&["build", model, "-o", name], &folder.0);
        assert!(built.status.success(), "{}", text(&built.stderr));
        let mut arguments = vec!["run", model, "-o", "expected.csv"];
        arguments.extend(own);
        let ran = partita(&arguments, &folder.0);
        assert!(ran.status.success(), "{name}: {}", text(&ran.stderr));
        let inside = Folder::new(&format!("empty-{name}"));
        let outcome = Command::new(&simulator)
            .args(foreign)
            .arg("-r=got.csv")
            .env_clear()
            .current_dir(&inside.0)
            .output()
            .expect("the simulator starts");
        assert!(outcome.status.success(), "{name}: {}", text(&outcome.stderr));
        let (expected, got) = (std::fs::read(folder.0.join("expected.csv")), std::fs::read(inside.0.join("got.csv")));
        assert!(expected.expect("a result") == got.expect("a result"), "{name}: the results differ");
    }
}

/// Starts what this process has just written. A test beside this one that starts a process meanwhile hands it the open
/// file until that process has become another, and so long the file cannot be executed.
fn start_when_closed(command: &mut Command) -> Output {
    loop {
        match command.output() {
            Err(busy) if busy.kind() == std::io::ErrorKind::ExecutableFileBusy => std::thread::sleep(std::time::Duration::from_millis(5)),
            outcome => return outcome.expect("it starts"),
        }
    }
}

#[test]
fn a_damaged_simulator_says_so() {
    let folder = Folder::new("damage");
    let model = models().join("dc_motor.mo");
    let built = partita(&["build", model.to_str().expect("a path in UTF-8"), "-o", "sim"], &folder.0);
    assert!(built.status.success(), "{}", text(&built.stderr));
    let simulator = folder.0.join("sim");
    let mut bytes = std::fs::read(&simulator).expect("the simulator can be read");
    let at = bytes.len() - 100;
    bytes[at] ^= 1;
    std::fs::write(&simulator, &bytes).expect("the simulator can be written");
    let outcome = start_when_closed(&mut Command::new(&simulator));
    assert_eq!(outcome.status.code(), Some(2));
    assert!(text(&outcome.stderr).contains("checksum"), "{}", text(&outcome.stderr));
    let wrong = Command::new(env!("CARGO_BIN_EXE_partita-stub")).output().expect("it starts");
    assert_eq!(wrong.status.code(), Some(2));
    let refused = partita(&["build", model.to_str().expect("a path in UTF-8"), "--decouple", "fast=J"], &folder.0);
    assert_eq!(refused.status.code(), Some(1));
}

#[test]
fn a_failed_run_keeps_its_results_and_a_closed_pipe_does_no_harm() {
    let folder = Folder::new("failed");
    std::fs::write(folder.0.join("m.mo"), "model M Real x(start = 1, fixed = true); equation der(x) = x^2; end M;")
        .expect("a model can be written");
    let built = partita(&["build", "m.mo", "-o", "sim"], &folder.0);
    assert!(built.status.success(), "{}", text(&built.stderr));
    let simulator = folder.0.join("sim");
    let failed = start_when_closed(Command::new(&simulator).args(["-stopTime=2", "-r=r.csv"]).current_dir(&folder.0));
    assert_eq!(failed.status.code(), Some(1));
    assert!(text(&failed.stderr).contains("the results so far are in r.incomplete.csv"), "{}", text(&failed.stderr));
    assert!(std::fs::read(folder.0.join("r.incomplete.csv")).expect("a result").len() > 1000);
    let mut child = Command::new(&simulator)
        .args(["-stopTime=0.5", "-outputFormat=empty"])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("it starts");
    drop(child.stdout.take());
    assert!(child.wait().expect("it ends").success());
}

/// The results of a command that succeeds, and what it said on standard error.
fn results(command: &mut Command, folder: &Path) -> (Vec<u8>, String) {
    let outcome = command.current_dir(folder).output().expect("it starts");
    assert!(outcome.status.success(), "{}", text(&outcome.stderr));
    (std::fs::read(folder.join("r.csv")).expect("a result"), text(&outcome.stderr))
}

#[test]
fn a_decoupled_simulator_gives_the_bytes_of_a_decoupled_run() {
    let folder = Folder::new("decoupled");
    for (name, choice) in [
        ("dc_motor", &["--decouple"][..]),
        ("smart_grid", &["--decouple"]),
        ("dc_motor", &["--decouple=pair=euler"]),
        ("heat_exchanger", &["--decouple=cut=10;step=adaptive", "--pair=imex4", "--at=0"]),
        ("half_car", &["--decouple=fast=zdot", "--step=0.04"]),
    ] {
        let model = models().join(format!("{name}.mo"));
        let model = model.to_str().expect("a path in UTF-8");
        let built = partita(&[&["build", model, "-o", name], choice].concat(), &folder.0);
        assert!(built.status.success() && text(&built.stdout).contains("decoupled: "), "{}{}", text(&built.stdout), text(&built.stderr));
        let (expected, _) =
            results(Command::new(env!("CARGO_BIN_EXE_partita")).args([&["run", model, "-o", "r.csv"], choice].concat()), &folder.0);
        let (got, said) = results(Command::new(folder.0.join(name)).arg("-r=r.csv").env_clear(), &folder.0);
        assert!(expected == got, "{name}: the results differ");
        assert!(said.is_empty(), "{name}: {said}");
    }
}

#[test]
fn a_partition_that_no_longer_holds_is_given_up_and_said_so() {
    let folder = Folder::new("broken");
    let model = models().join("dc_motor.mo");
    let model = model.to_str().expect("a path in UTF-8");
    let built = partita(&["build", model, "-o", "sim", "--decouple", "fast=I;step=0.1"], &folder.0);
    assert!(built.status.success(), "{}", text(&built.stderr));
    let run = |arguments: &[&str]| {
        results(Command::new(env!("CARGO_BIN_EXE_partita")).args(["run", model, "-o", "r.csv"]).args(arguments), &folder.0).0
    };
    let simulate = |arguments: &[&str]| results(Command::new(folder.0.join("sim")).arg("-r=r.csv").args(arguments), &folder.0);
    // Another resistance leaves the time scales what they are.
    let (got, said) = simulate(&["-override=R=0.06"]);
    assert!(got == run(&["--decouple", "fast=I;step=0.1", "--set", "R=0.06"]) && said.is_empty(), "{said}");
    // With a thousandth of its inertia the speed is as fast as the current.
    let (got, said) = simulate(&["-override=J=1.5"]);
    assert!(got == run(&["--set", "J=1.5"]), "{said}");
    assert!(said.contains("no longer holds") && said.contains("spectral radius"), "{said}");
    let (got, said) = simulate(&["-s=dassl"]);
    assert!(got == run(&[]) && said.contains("as a whole"), "{said}");
}

#[test]
fn a_simulator_follows_other_values_or_says_why_not() {
    let folder = Folder::new("values");
    let model = "model M
  parameter Real a = 2;
  final parameter Real c = 3*a;
  parameter Real e = 1;
  parameter Integer n = integer(e);
  parameter Real v[2] = {1, 2};
  constant Real k = 1;
  Real x[n](each start = c, each fixed = true);
  Real y = sum(v)*time;
equation
  for i in 1:n loop der(x[i]) = -c*x[i]; end for;
end M;
";
    std::fs::write(folder.0.join("m.mo"), model).expect("a model can be written");
    let built = partita(&["build", "m.mo", "--model", "M", "--set", "e=2", "-o", "sim"], &folder.0);
    assert!(built.status.success(), "{}", text(&built.stderr));
    let given = "a=5,v={3,4},x[1].start=7";
    let (expected, _) = results(
        Command::new(env!("CARGO_BIN_EXE_partita")).args(["run", "m.mo", "-o", "r.csv", "--set", "e=2", "--override", given]),
        &folder.0,
    );
    for arguments in [
        &["-override=a=5,v={3,4},x[1].start=7", "-r=r.csv"][..],
        &["--set", "a=5,v[1]=3", "--set=v[2]=4", "-override", "x[1]=7", "-r=r.csv"],
    ] {
        let outcome = Command::new(folder.0.join("sim")).args(arguments).current_dir(&folder.0).output().expect("it starts");
        // Start values that are expressions are part of the code.
        assert_eq!(outcome.status.code(), Some(2), "{}", text(&outcome.stderr));
        assert!(text(&outcome.stderr).contains("partita build m.mo --model M --set e=2 --set"), "{}", text(&outcome.stderr));
    }
    let (expected_without, _) =
        results(Command::new(env!("CARGO_BIN_EXE_partita")).args(["run", "m.mo", "-o", "r.csv", "--set", "e=2,a=5,v={3,4}"]), &folder.0);
    let (got, _) = results(Command::new(folder.0.join("sim")).args(["-override=a=5,v={3,4}", "-r=r.csv"]), &folder.0);
    assert!(got == expected_without && got != expected);
    for (given, said) in [
        (
            "e=3",
            "`e` cannot be changed: `n` follows from it, and that is part of the equations (m.mo:5)\n  hint: build it anew: partita build m.mo --model M --set e=2 --set e=3",
        ),
        ("n=3", "`n` cannot be changed: Integer parameters are part of the equations (m.mo:"),
        ("c=3", "`c` cannot be changed: it is final (m.mo:3)\n"),
        ("k=3", "`k` cannot be changed: it is a constant (m.mo:7)\n"),
        ("v={1,2,3}", "`v` needs 2 values in braces, not {1,2,3}"),
        ("a=much", "`a` needs a finite number, not much"),
        (
            "y=3",
            "`y` cannot be changed: its start value is part of the code\n  hint: build it anew: partita build m.mo --model M --set e=2 --set y=3",
        ),
        ("b=3", "the model has no parameter or variable `b`"),
    ] {
        let outcome =
            Command::new(folder.0.join("sim")).arg(format!("-override={given}")).current_dir(&folder.0).output().expect("it starts");
        assert_eq!(outcome.status.code(), Some(2), "{given}");
        assert!(text(&outcome.stderr).contains(said), "{given}: {}", text(&outcome.stderr));
    }
}

#[test]
fn given_values_outside_of_their_bounds_are_told() {
    let folder = Folder::new("outside");
    let model = "model M parameter Real a(min = 0) = 1; parameter Real b(max = 3) = 2*a; parameter Real c(min = 0, max = 1) = 0.5; \
                 Real x(start = 1, fixed = true, max = 10); equation der(x) = -a*c*x + 0*b; end M;";
    std::fs::write(folder.0.join("m.mo"), model).expect("a model can be written");
    let built = partita(&["build", "m.mo", "-o", "sim"], &folder.0);
    assert!(built.status.success(), "{}", text(&built.stderr));
    let said = |given: &str| {
        let outcome = start_when_closed(Command::new(folder.0.join("sim")).args([given, "-outputFormat=empty"]).current_dir(&folder.0));
        assert!(outcome.status.success(), "{}", text(&outcome.stderr));
        text(&outcome.stderr)
    };
    assert_eq!(said("-override=a=1.5,c=1"), "");
    assert!(
        said("-override=a=-1").starts_with("warning[R220]: `a` = -1 is below its min of 0\n  --> m.mo:1:"),
        "{}",
        said("-override=a=-1")
    );
    // What depends on a given value is compared, too.
    assert!(said("-override=a=2").contains("`b` = 4 is above its max of 3"), "{}", said("-override=a=2"));
    assert!(said("-override=c=1.25").contains("`c` = 1.25 is above its max of 1"), "{}", said("-override=c=1.25"));
    assert!(said("-override=x.start=20").contains("the start value 20 of `x` is above its max of 10"), "{}", said("-override=x.start=20"));
}
