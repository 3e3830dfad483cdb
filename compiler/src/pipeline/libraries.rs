//! What lies beside a model file, and what the user says about it.

use crate::frontend::instance::{self, Asked, Instantiated, Search};
use crate::frontend::library::{Files, NoFiles};
use partita_grammar::{Diagnostic, Source, ast};
use partita_runtime::model::overrides::Override;
use partita_runtime::native::access::Permissions;
use partita_runtime::native::external::SharedLibraries;
use std::fmt::Write;
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
    /// Functions of the packages that the user names, by their full names, with all that they need; nothing if there are none of them.
    ///
    /// Method: a function that nobody needs declares each as its derivative, so that no arguments have to be made up.
    pub fn functions(&self, names: &[String]) -> Option<ast::Definition> {
        let files = self.files.as_ref().filter(|_| !self.named.is_empty() && !names.is_empty())?;
        let (mut functions, mut calls) = (String::new(), String::new());
        for (at, name) in names.iter().enumerate() {
            let annotation = format!("annotation(derivative = {name})");
            let _ = writeln!(functions, "function f{at} input Real u; output Real y; algorithm y := u; {annotation}; end f{at};");
            let _ = writeln!(calls, "Real y{at} = f{at}(time);");
        }
        let text = format!("package LibraryFunctions\n{functions}model All\n{calls}end All;\nend LibraryFunctions;\n");
        let source = Source { name: "functions of a library".to_owned(), text };
        let search = Search { files: &**files, named: &self.named, roots: &[] };
        // A file of flat functions is no package: what it has is found by name.
        let asked = Asked { model: Some("LibraryFunctions.All"), ..Asked::default() };
        instance::instantiate(&source, None, &asked, &search).ok().map(|made| made.definition)
    }

    /// Instantiates a class of a file or library; the file may be parsed already.
    pub fn instantiate(
        &self,
        source: &Source,
        parsed: Option<ast::Definition>,
        asked: &Asked<'_>,
    ) -> Result<Instantiated, Vec<Diagnostic>> {
        let none = NoFiles;
        let files: &dyn Files = match &self.files {
            Some(files) => &**files,
            None => &none,
        };
        let search = Search { files, named: &self.named, roots: &self.roots };
        let class = self.class.as_deref().or(asked.model);
        instance::instantiate(source, parsed, &Asked { model: class, ..*asked }, &search)
    }
}
