//! `--omc` with a stand-in for OpenModelica: a script that says a version and prints an export.
#![cfg(unix)]

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const EXPORT: &str = "//! base 0.1.0\npackage 'Decay'\n  model 'Decay'\n    Real 'part.x'(start = 1.0, fixed = true);\n  equation\n    der('part.x') = -'part.x';\n  end 'Decay';\nend 'Decay';\n";

/// A folder with a model beyond the front end and a script that says this version.
fn folder(name: &str, version: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("partita-omc-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a temporary folder can be made");
    std::fs::write(folder.join("Decay.mo"), "model Decay\n  replaceable type E = enumeration(:);\n  outer Missing missing;\nend Decay;\n")
        .expect("written");
    std::fs::write(folder.join("export.bmo"), EXPORT).expect("written");
    let script = format!(
        "#!/bin/sh\nif [ \"$1\" = --version ]; then echo '{version}'; exit 0; fi\necho \"$@\" >> {0}/calls\nif [ -f {0}/broken ]; then echo 'Error: no such class' >&2; exit 1; fi\ncat {0}/export.bmo\n",
        folder.display()
    );
    let omc = folder.join("omc");
    std::fs::write(&omc, script).expect("written");
    std::fs::set_permissions(&omc, std::fs::Permissions::from_mode(0o755)).expect("a script can be run");
    folder
}

fn partita(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_partita"))
        .args(arguments)
        .current_dir(folder)
        .env("XDG_CACHE_HOME", folder.join("cache"))
        .env("OMC", folder.join("omc"))
        .output()
        .expect("partita can be started")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn calls(folder: &Path) -> Vec<String> {
    std::fs::read_to_string(folder.join("calls")).unwrap_or_default().lines().map(str::to_owned).collect()
}

#[test]
fn an_export_takes_the_place_of_the_model_and_is_kept() {
    let folder = folder("kept", "OpenModelica 1.25.3");
    for _ in 0..2 {
        let output = partita(&folder, &["check", "--omc", "Decay.mo", "--model", "Decay"]);
        assert!(output.status.success(), "{}", said(&output));
        assert!(String::from_utf8_lossy(&output.stdout).contains("part.x"));
    }
    assert_eq!(calls(&folder), ["--baseModelica -i=Decay Decay.mo"]);
    std::fs::write(folder.join("Decay.mo"), "model Decay\nend Decay;\n").expect("written");
    assert!(partita(&folder, &["check", "--omc", "Decay.mo", "--model", "Decay"]).status.success());
    assert_eq!(calls(&folder).len(), 2, "another text is exported anew");
}

#[test]
fn what_openmodelica_says_is_told() {
    let folder = folder("broken", "v1.24.0");
    std::fs::write(folder.join("broken"), "").expect("written");
    let output = partita(&folder, &["check", "--omc", "Decay.mo"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("no such class"), "{}", said(&output));
    std::fs::remove_file(folder.join("broken")).expect("removed");
    assert!(partita(&folder, &["check", "--omc", "Decay.mo"]).status.success(), "a failure is not kept");
}

#[test]
fn old_versions_and_missing_ones_are_refused() {
    let folder = folder("old", "OpenModelica 1.23.1");
    assert!(said(&partita(&folder, &["check", "--omc", "Decay.mo"])).contains("1.24 or newer is needed"));
    assert!(said(&partita(&folder, &["check", "--omc=nowhere", "Decay.mo"])).contains("there is no nowhere"));
}

#[test]
fn the_command_that_exports_a_model_stands_in_the_hint() {
    let folder = folder("hint", "OpenModelica 1.25.0");
    let text = "package Clocked\n  connector Pin\n    Real v;\n  end Pin;\n  model All\n    Pin p;\n    Real x(start = 0);\n  equation\n    p.v = time;\n    when Clock(0.1) then\n      x = previous(x) + 1;\n    end when;\n  end All;\nend Clocked;\n";
    std::fs::write(folder.join("Clocked.mo"), text).expect("written");
    let output = partita(&folder, &["check", "Clocked.mo"]);
    let expected = format!("{}/omc --baseModelica Clocked.mo > Clocked.bmo", folder.display());
    assert!(said(&output).contains(&expected), "{}", said(&output));
}
