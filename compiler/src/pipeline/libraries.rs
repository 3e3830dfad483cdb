//! What lies beside a model file, and what the user says about it.

use crate::frontend::instance::{self, Instantiated, Search};
use crate::frontend::library::{Files, NoFiles};
use partita_grammar::{Diagnostic, Source, ast};
use partita_runtime::model::overrides::Override;
use partita_runtime::native::access::Permissions;
use partita_runtime::native::external::SharedLibraries;
use std::path::PathBuf;

/// What lies beside a model file, and what the user says about it.
#[derive(Debug, Default)]
pub struct Libraries {
    /// Files with functions that the model file calls but does not define.
    pub functions: Vec<ast::Definition>,
    /// Shared libraries with external C functions.
    pub shared: SharedLibraries,
    /// The files that the model may touch when it runs, and how much it may ask for.
    pub files: Permissions,
    /// Values that take the place of bindings and start values of the text.
    pub overrides: Vec<Override>,
    /// Where packages are found.
    pub packages: Packages,
}

/// Where packages are found, and what reads them.
#[derive(Default)]
pub struct Packages {
    /// Reads files; nothing is read without it.
    pub files: Option<Box<dyn Files + Send + Sync>>,
    /// Files and folders that the user names.
    pub named: Vec<PathBuf>,
    /// Folders in which packages lie.
    pub roots: Vec<PathBuf>,
    /// The class that was asked for in the place of a file.
    pub class: Option<String>,
}

impl std::fmt::Debug for Packages {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Packages")
            .field("named", &self.named)
            .field("roots", &self.roots)
            .field("class", &self.class)
            .finish_non_exhaustive()
    }
}

impl Packages {
    /// Instantiates a class of a file or library.
    pub fn instantiate(&self, source: &Source, model: Option<&str>, given: &[Override]) -> Result<Instantiated, Vec<Diagnostic>> {
        let none = NoFiles;
        let files: &dyn Files = match &self.files {
            Some(files) => &**files,
            None => &none,
        };
        let search = Search { files, named: &self.named, roots: &self.roots };
        instance::instantiate(source, self.class.as_deref().or(model), &search, given)
    }
}
