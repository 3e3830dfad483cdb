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
        let outcome = Command::new(&simulator).args(foreign).arg("-r=got.csv").env_clear().current_dir(&inside.0).output().expect("the simulator starts");
        assert!(outcome.status.success(), "{name}: {}", text(&outcome.stderr));
        let (expected, got) = (std::fs::read(folder.0.join("expected.csv")), std::fs::read(inside.0.join("got.csv")));
        assert!(expected.expect("a result") == got.expect("a result"), "{name}: the results differ");
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
    let outcome = Command::new(&simulator).output().expect("it starts");
    assert_eq!(outcome.status.code(), Some(2));
    assert!(text(&outcome.stderr).contains("checksum"), "{}", text(&outcome.stderr));
    let wrong = Command::new(env!("CARGO_BIN_EXE_partita-carrier")).output().expect("it starts");
    assert_eq!(wrong.status.code(), Some(2));
    let refused = partita(&["build", model.to_str().expect("a path in UTF-8"), "--decouple"], &folder.0);
    assert_eq!(refused.status.code(), Some(2));
}
