//! Which files a model may touch: a model is data, and reaches no further than its user said.
//!
//! In: the folders that were named when the model was compiled ([`Permissions`]), names of files as a model writes them. Out: the true
//! path to be opened, or why it may not be. Method: names are resolved to their canonical paths (symbolic links and `..` followed) and
//! compared with canonical folders; what is opened is the canonical path that was compared.
//!
//! Guarantees: what is written or removed lies below the present directory or a folder of `--allow-files`; what is read may also lie below
//! the model's folder, a folder of `--resource-path` and installed libraries. Without [`Permissions::effects`] nothing is written or removed.
//! Another process that swaps folders between check and use is not defended against. Cost: a few calls of the system per file.
#![forbid(unsafe_code)]

pub use crate::base::permissions::Permissions;

use crate::base::limits::{Limit, Limits};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The files that a run may touch.
#[derive(Clone, Debug, Default)]
pub struct FileAccess {
    /// Where names are searched.
    search: Vec<PathBuf>,
    /// Canonical folders below which files may be read.
    read: Vec<PathBuf>,
    /// Canonical folders below which files may be written and removed.
    write: Vec<PathBuf>,
    effects: bool,
    limits: Limits,
}

/// Folders of installed libraries: those of `MODELICAPATH`, and where OpenModelica's package manager puts them.
fn installed() -> Vec<PathBuf> {
    let listed: Vec<PathBuf> = std::env::var_os("MODELICAPATH").map(|list| std::env::split_paths(&list).collect()).unwrap_or_default();
    let home = std::env::home_dir().filter(|home| !home.as_os_str().is_empty()).map(|home| home.join(".openmodelica/libraries"));
    listed.into_iter().filter(|folder| folder.is_absolute()).chain(home).collect()
}

/// A file's name without the scheme of a URI.
fn plain(name: &str) -> &str {
    name.strip_prefix("file://").or_else(|| name.strip_prefix("modelica://")).unwrap_or(name)
}

impl FileAccess {
    /// What a run in the present directory may touch.
    pub fn new(permissions: &Permissions) -> FileAccess {
        let here = PathBuf::from(".");
        let named = |list: &[OsString]| list.iter().filter(|name| !name.is_empty()).map(PathBuf::from).collect::<Vec<_>>();
        // A folder that is not there allows nothing.
        let canonical = |folders: Vec<PathBuf>| folders.into_iter().filter_map(|folder| folder.canonicalize().ok()).collect::<Vec<_>>();
        let search: Vec<PathBuf> = named(&permissions.resources).into_iter().chain([here.clone()]).collect();
        let write = canonical(named(&permissions.allowed).into_iter().chain([here]).collect());
        let further = search.iter().cloned().chain(named(&permissions.readable)).chain(installed()).collect();
        let read = write.iter().cloned().chain(canonical(further)).collect();
        FileAccess { search, read, write, effects: permissions.effects, limits: permissions.limits }
    }

    fn is_below(path: &Path, folders: &[PathBuf]) -> bool {
        folders.iter().any(|folder| path.starts_with(folder))
    }

    /// What may be read at a name, if something is there.
    fn look(&self, path: &Path, wanted: impl Fn(&Path) -> bool) -> Option<Result<PathBuf, PathBuf>> {
        let path = path.canonicalize().ok().filter(|path| wanted(path))?;
        Some(if Self::is_below(&path, &self.read) { Ok(path) } else { Err(path) })
    }

    /// The file of a name: the name itself, otherwise its last parts below each of the folders that are searched, the most parts first.
    pub fn readable(&self, name: &str) -> Result<PathBuf, String> {
        let plain = plain(name);
        let is_file = |path: &Path| path.is_file();
        let own = self.look(Path::new(plain), is_file);
        if let Some(Ok(path)) = own {
            return Ok(path);
        }
        let parts: Vec<&str> = plain.split(['/', '\\']).filter(|part| !part.is_empty() && *part != "." && *part != "..").collect();
        let tails = (0..parts.len()).map(|from| parts[from..].iter().collect::<PathBuf>());
        let mut found =
            tails.flat_map(|tail| self.search.iter().map(move |folder| folder.join(&tail))).filter_map(|path| self.look(&path, is_file));
        let mut outside = own.and_then(Result::err);
        match found.find_map(|place| place.map_err(|path| outside.get_or_insert(path).clone()).ok()) {
            Some(path) => Ok(path),
            None => Err(outside.map_or_else(|| format!("the file `{name}` is not found"), |path| refused(name, &path, "read"))),
        }
    }

    /// What lies at a name, if anything: a file, folder or something else.
    pub(super) fn existing(&self, name: &str) -> Result<Option<std::fs::Metadata>, String> {
        let found = match self.look(Path::new(plain(name)), |_| true) {
            Some(Ok(path)) => Some(path),
            Some(Err(path)) => return Err(refused(name, &path, "read")),
            None => self.readable(name).ok(),
        };
        Ok(found.and_then(|path| std::fs::metadata(path).ok()))
    }

    /// The bytes of a file; as many as fit within the limits.
    pub(super) fn bytes(&self, path: &Path) -> Result<Vec<u8>, String> {
        let cannot = |error: std::io::Error| format!("the file `{}` cannot be read: {error}", path.display());
        let most = self.limits.get(Limit::Memory) / 4;
        if std::fs::metadata(path).map_err(cannot)?.len() > most {
            return Err(format!("the file `{}` is larger than {most} bytes; {}", path.display(), Limit::Memory.hint(4 * most)));
        }
        crate::base::files::note_read(path);
        std::fs::read(path).map_err(cannot)
    }

    /// The lines of a text file, as many as fit within the limits.
    pub fn lines(&self, name: &str) -> Result<Vec<String>, String> {
        let bytes = self.bytes(&self.readable(name)?)?;
        let lines: Vec<String> = String::from_utf8_lossy(&bytes).lines().map(str::to_string).collect();
        match self.most_elements() {
            most if lines.len() > most => {
                Err(format!("the file `{name}` has more than {most} lines; {}", Limit::Elements.hint(most as u64)))
            }
            _ => Ok(lines),
        }
    }

    /// The most elements that a table may have.
    pub(super) fn most_elements(&self) -> usize {
        usize::try_from(self.limits.get(Limit::Elements)).unwrap_or(usize::MAX)
    }

    /// Where a file of this name may be written: an existing one, or a new one in an existing folder.
    pub(super) fn writable(&self, name: &str) -> Result<PathBuf, String> {
        let place = self.place_in_folder(name, "written")?;
        match place.canonicalize() {
            Ok(path) if Self::is_below(&path, &self.write) => Ok(path),
            Ok(path) => Err(refused(name, &path, "write")),
            // Writing to a link that leads nowhere would make the file that it names.
            Err(_) if place.is_symlink() => Err(format!("the file `{name}` is a symbolic link that leads nowhere")),
            Err(_) => Ok(place),
        }
    }

    /// The file or link of this name, which may be removed.
    pub(super) fn removable(&self, name: &str) -> Result<PathBuf, String> {
        self.place_in_folder(name, "removed")
    }

    /// The place of a name in its folder, which must lie where files may be written; a link at that place is not followed.
    fn place_in_folder(&self, name: &str, what: &str) -> Result<PathBuf, String> {
        if !self.effects {
            return Err(format!(
                "the file `{name}` is not {what}: models write and remove files only in `partita run` and in built simulators"
            ));
        }
        let path = Path::new(plain(name));
        let file = path.file_name().ok_or_else(|| format!("`{name}` is not the name of a file"))?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = folder.canonicalize().map_err(|error| format!("the file `{name}` cannot be {what}: {error}"))?;
        let place = folder.join(file);
        if Self::is_below(&folder, &self.write) { Ok(place) } else { Err(refused(name, &place, "write")) }
    }
}

fn refused(name: &str, path: &Path, verb: &str) -> String {
    let folder = path.parent().unwrap_or(path);
    let whose = if verb == "read" { "the folders that this model may read" } else { "the present directory, where a model may write" };
    format!("the file `{name}` lies outside {whose}; `--allow-files {}` allows it", folder.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder `inside` that everything is allowed in, beside a file `secret` that is not.
    fn folders(name: &str) -> (PathBuf, FileAccess) {
        let base = std::env::temp_dir().join(format!("partita-access-{name}-{}", std::process::id()));
        std::fs::create_dir_all(base.join("inside/sub")).unwrap();
        let base = base.canonicalize().unwrap();
        std::fs::write(base.join("secret"), "s").unwrap();
        std::fs::write(base.join("inside/own"), "o").unwrap();
        let permissions = Permissions { allowed: vec![base.join("inside").into_os_string()], ..Permissions::default() };
        (base, FileAccess::new(&permissions))
    }

    #[test]
    fn only_true_paths_below_allowed_folders_are_reached() {
        let (base, access) = folders("reach");
        let inside = base.join("inside").display().to_string();
        assert_eq!(access.readable(&format!("{inside}/sub/../own")).unwrap(), base.join("inside/own"));
        assert_eq!(access.writable(&format!("file://{inside}/new")).unwrap(), base.join("inside/new"));
        for name in [format!("{}/secret", base.display()), format!("{inside}/../secret"), format!("file://{inside}/sub/../../secret")] {
            let words = access.readable(&name).unwrap_err();
            assert!(words.contains("--allow-files") && words.contains(&name), "{words}");
            assert!(access.existing(&name).unwrap_err().contains("--allow-files"));
            assert!(access.writable(&name).unwrap_err().contains("--allow-files"));
            assert!(access.removable(&name).unwrap_err().contains("--allow-files"));
        }
        assert!(access.readable("/dev/null").is_err());
        assert!(access.writable(&format!("{inside}/..")).is_err());
        std::fs::remove_dir_all(base).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn symbolic_links_lead_nowhere_else() {
        let (base, access) = folders("links");
        let inside = base.join("inside");
        for (link, target) in
            [("file", base.join("secret")), ("folder", base.clone()), ("dangling", base.join("none")), ("zero", PathBuf::from("/dev/zero"))]
        {
            std::os::unix::fs::symlink(target, inside.join(link)).unwrap();
        }
        let name = |end: &str| inside.join(end).display().to_string();
        assert!(access.readable(&name("file")).unwrap_err().contains("--allow-files"));
        assert!(access.readable(&name("folder/secret")).unwrap_err().contains("--allow-files"));
        assert!(access.readable(&name("zero")).is_err());
        assert!(access.writable(&name("file")).unwrap_err().contains("--allow-files"));
        assert!(access.writable(&name("folder/new")).unwrap_err().contains("--allow-files"));
        assert!(access.writable(&name("dangling")).unwrap_err().contains("leads nowhere"));
        // Removing takes the link, not what it leads to.
        assert_eq!(access.removable(&name("file")).unwrap(), inside.join("file"));
        std::fs::remove_dir_all(base).unwrap();
    }

    #[test]
    fn without_effects_nothing_is_written() {
        let (base, access) = folders("effects");
        let access = FileAccess { effects: false, ..access };
        let own = base.join("inside/own").display().to_string();
        assert!(access.readable(&own).is_ok());
        assert!(access.writable(&own).unwrap_err().contains("partita run"));
        assert!(access.removable(&own).unwrap_err().contains("partita run"));
        std::fs::remove_dir_all(base).unwrap();
    }

    #[test]
    fn large_files_are_refused() {
        let (base, access) = folders("large");
        let mut limits = Limits::default();
        limits.set("memory=3").unwrap();
        let words = FileAccess { limits, ..access }.bytes(&base.join("inside/own")).unwrap_err();
        assert!(words.contains("--limit memory="), "{words}");
        std::fs::remove_dir_all(base).unwrap();
    }
}
