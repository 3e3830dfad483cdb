//! Faults while results are written, a few of each kind; the tool `faults` of the tests package does the same many times.

#[expect(unreachable_pub, reason = "the file is a module of the tests package")]
#[path = "../../tests/src/faults.rs"]
mod faults;

use std::path::Path;

#[test]
fn no_fault_leaves_a_file_that_is_not_whole() {
    let folder = std::env::temp_dir().join(format!("partita-faults-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let mut faults = faults::Faults::new(Path::new(env!("CARGO_BIN_EXE_partita")), &folder).expect("undisturbed commands succeed");
    faults.kill(6).expect("what is killed leaves whole files");
    faults.collide(4).expect("two at once leave whole files");
    let failed = faults.limit(101).expect("full disks leave whole files");
    assert!(failed >= 4, "only {failed} runs met the limit");
    faults.fill(40).expect("small file systems leave whole files");
    std::fs::remove_dir_all(&folder).expect("the folder can be removed");
}
