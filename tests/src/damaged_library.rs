//! A library of which one file is damaged, and a model that is built with it.
//!
//! In: `models/Parts`, the models of `models/built` that need nothing else, a seed. Out: the same files with edits in one of them, and
//! whether the model is flattened or refused. Nothing is written: files are read from memory.

use crate::mutation::{Seeds, tokens};
use crate::random::Random;
use crate::simulation::models_folder;
use partita::frontend::library::Files;
use partita::pipeline::{self, Libraries, Packages};
use partita_grammar::Source;
use partita_runtime::native::access::Permissions;
use std::fmt;
use std::path::{Path, PathBuf};

/// The files of a library, and models that use it.
pub(crate) struct Parts {
    files: Vec<(PathBuf, String)>,
    models: Vec<String>,
}

/// A library with a damaged file, or a damaged model, that is about to be read.
pub(crate) struct Damaged {
    files: Vec<(PathBuf, String)>,
    model: String,
    /// What was damaged.
    text: String,
}

/// Where the library lies in memory.
const ROOT: &str = "Parts";

impl Parts {
    /// Reads the files.
    pub(crate) fn read() -> std::io::Result<Parts> {
        let texts = |folder: &str| -> std::io::Result<Vec<(PathBuf, String)>> {
            let mut found = Vec::new();
            for entry in std::fs::read_dir(models_folder().join(folder))? {
                let path = entry?.path();
                if path.extension().is_some_and(|ending| ending == "mo") {
                    let name = path.file_name().unwrap_or_default();
                    found.push((Path::new(ROOT).join(name), std::fs::read_to_string(&path)?));
                }
            }
            found.sort();
            Ok(found)
        };
        let models = texts("built")?.into_iter().map(|(_, text)| text).filter(|text| !text.contains("Modelica."));
        Ok(Parts { files: texts("Parts")?, models: models.collect() })
    }

    /// The input of a seed.
    pub(crate) fn damaged(&self, seeds: &Seeds, seed: u64) -> Damaged {
        let random = &mut Random::new(seed);
        let (mut files, mut model) = (self.files.clone(), self.models[random.below(self.models.len())].clone());
        let at = random.below(files.len() + 2);
        let damaged = files.get_mut(at).map_or(&mut model, |(_, text)| text);
        *damaged = seeds.mutated(tokens(damaged), random);
        let text = damaged.clone();
        Damaged { files, model, text }
    }
}

impl fmt::Display for Damaged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n--- in\n{}", self.text, self.model)
    }
}

impl Damaged {
    /// Whether the model is flattened.
    pub(crate) fn accepted(self) -> bool {
        let source = Source { name: "model.mo".to_owned(), text: self.model };
        let files: Box<dyn Files + Send + Sync> = Box::new(Memory { files: self.files });
        let packages = Packages { files: Some(files), named: vec![PathBuf::from(ROOT)], ..Packages::default() };
        let files = Permissions { effects: false, ..Permissions::default() };
        pipeline::flat_with(&source, &Libraries { packages, files, ..Libraries::default() }, None).is_ok()
    }
}

/// Files in memory.
struct Memory {
    files: Vec<(PathBuf, String)>,
}

impl Files for Memory {
    fn read(&self, path: &Path) -> Result<String, String> {
        let found = self.files.iter().find(|(name, _)| name == path);
        found.map(|(_, text)| text.clone()).ok_or_else(|| format!("there is no {}", path.display()))
    }

    fn entries(&self, path: &Path) -> Vec<String> {
        let inside = self.files.iter().filter(|(name, _)| name.parent() == Some(path));
        inside.filter_map(|(name, _)| Some(name.file_name()?.to_string_lossy().into_owned())).collect()
    }

    fn exists(&self, path: &Path) -> bool {
        self.files.iter().any(|(name, _)| name == path)
    }
}
