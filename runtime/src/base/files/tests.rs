use super::*;
use std::io::Write;

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("partita-atomic-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::canonicalize(folder).unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_file_is_there_when_it_is_whole() {
    let folder = folder("whole");
    let path = folder.join("a.txt");
    let mut file = AtomicFile::create(&path).unwrap();
    file.write_all(b"some").unwrap();
    assert!(!path.exists() && names(&folder).len() == 1);
    file.write_all(b" text").unwrap();
    file.commit().unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"some text");
    // One that is given up leaves the old one, and nothing else.
    let mut file = AtomicFile::create(&path).unwrap();
    file.write_all(b"other").unwrap();
    drop(file);
    let panicked = std::thread::spawn({
        let path = path.clone();
        move || {
            let _file = AtomicFile::create(&path).unwrap();
            panic!("with a file that is not whole");
        }
    });
    assert!(panicked.join().is_err());
    assert_eq!((std::fs::read(&path).unwrap().as_slice(), names(&folder)), (b"some text".as_slice(), vec!["a.txt".to_string()]));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[cfg(unix)]
#[test]
fn no_link_is_followed_in_the_place_of_a_part() {
    let folder = folder("link");
    std::fs::write(folder.join("victim"), "mine").unwrap();
    for number in 0..2000 {
        std::os::unix::fs::symlink("victim", folder.join(format!("a.txt.partita-{}-{number}.part", std::process::id()))).unwrap();
    }
    write(&folder.join("a.txt"), b"text").unwrap();
    assert_eq!(std::fs::read(folder.join("victim")).unwrap(), b"mine");
    assert!(!folder.join("a.txt").is_symlink() && std::fs::read(folder.join("a.txt")).unwrap() == b"text");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[cfg(unix)]
#[test]
fn a_file_that_is_protected_meanwhile_stays() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("meanwhile");
    let path = folder.join("a.txt");
    std::fs::write(&path, "old").unwrap();
    let mut file = AtomicFile::create(&path).unwrap();
    file.write_all(b"new").unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o400)).unwrap();
    let error = file.commit().unwrap_err();
    assert!(error.code == "R211" && error.title.ends_with("it is write-protected"), "{}", error.title);
    assert_eq!((std::fs::read(&path).unwrap().as_slice(), names(&folder).len()), (b"old".as_slice(), 1));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn files_that_are_not_there_yet_are_told_apart() {
    let folder = folder("new");
    std::fs::create_dir(folder.join("below")).unwrap();
    let same = |a: &str, b: &str| Identity::of(&folder.join(a)).unwrap() == Identity::of(&folder.join(b)).unwrap();
    assert!(same("a.csv", "below/../a.csv") && same("a.csv", "./a.csv"));
    assert!(!same("a.csv", "b.csv") && !same("a.csv", "below/a.csv"));
    std::fs::write(folder.join("a.csv"), "").unwrap();
    assert!(same("a.csv", "below/../a.csv") && !same("a.csv", "b.csv"));
    assert!(Identity::of(&folder.join("nowhere/a.csv")).is_err());
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("chain", folder.join("link")).unwrap();
        std::os::unix::fs::symlink("below/new", folder.join("chain")).unwrap();
        std::os::unix::fs::symlink("circle", folder.join("circle")).unwrap();
        assert!(same("link", "below/new") && !same("link", "chain2"));
        assert!(Identity::of(&folder.join("circle")).is_err());
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn names_beside_a_file_keep_its_ending() {
    assert_eq!(beside(Path::new("a/x.1.mat"), "incomplete"), Path::new("a/x.1.incomplete.mat"));
    assert_eq!(beside(Path::new("x"), "incomplete"), Path::new("x.incomplete"));
}

#[test]
fn a_long_name_can_be_written() {
    let folder = folder("long");
    let path = folder.join(format!("{}.csv", "x".repeat(250)));
    write(&path, b"text").unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"text");
    std::fs::remove_dir_all(&folder).unwrap();
}
