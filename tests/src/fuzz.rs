//! Inputs that nobody wrote, for the rule that no input makes Partita panic, hang or eat the memory.
//!
//! Input: a target, folders of models, a seed. Output: a mutated text or file, the same for the same seed; or what went wrong with it.
//!
//! Method for texts: one to six edits of tokens (removed, doubled, swapped, replaced by a token of any text or by one that is known to
//! be trouble), of lines, or of single characters; sometimes the halves of two texts are joined. Edits of tokens keep most texts close
//! enough to Modelica that passes behind the parser see them. Files are damaged byte by byte, see `damage`.

use crate::damage::{self, Files};
use crate::damaged_library::Parts;
use crate::mutation::Seeds;
use crate::target::Target;
use partita::pipeline::{self, Libraries};
use partita_grammar::{Source, parse};
use partita_runtime::base::error::RunError;
use partita_runtime::integrate::{Sink, simulate};
use partita_runtime::native::access::Permissions;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

/// Makes the inputs of a target and feeds them.
pub struct Fuzzer {
    target: Target,
    seeds: Seeds,
    files: Files,
    parts: Parts,
}

impl Fuzzer {
    /// A fuzzer whose texts come from models below the folders.
    pub fn new(target: Target, folders: &[&Path]) -> Result<Fuzzer, String> {
        let seeds = Seeds::read(folders).map_err(|error| error.to_string())?;
        if seeds.len() < 2 {
            return Err("there is no model to mutate".to_string());
        }
        Ok(Fuzzer { target, seeds, files: Files::new(target)?, parts: Parts::read().map_err(|error| error.to_string())? })
    }

    /// The input of a seed, for people.
    pub fn input(&self, seed: u64) -> String {
        match self.target {
            Target::Parse | Target::Structure | Target::Run => self.seeds.mutant(seed),
            Target::Library => self.parts.damaged(&self.seeds, seed).to_string(),
            _ => format!("{:?}", String::from_utf8_lossy(&self.files.damaged(seed).1)),
        }
    }

    /// Feeds the input of a seed and tells whether it was accepted. The error says that there was a panic, or how long it took.
    pub fn check(&self, seed: u64, longest: Duration) -> Result<bool, String> {
        let began = Instant::now();
        let outcome = catch_unwind(AssertUnwindSafe(|| match self.target {
            Target::Parse => parse(&self.source(seed)).is_ok(),
            Target::Structure => pipeline::structure_with(&self.source(seed), &harmless(), None).is_ok(),
            Target::Run => runs(&self.source(seed)),
            Target::Library => self.parts.damaged(&self.seeds, seed).accepted(),
            _ => self.files.accepts(seed),
        }));
        let spent = began.elapsed();
        match outcome {
            Err(_) => Err("panic".to_string()),
            Ok(_) if spent > longest => Err(format!("it took {:.1} s", spent.as_secs_f64())),
            Ok(accepted) => Ok(accepted),
        }
    }

    fn source(&self, seed: u64) -> Source {
        Source { name: "mutant.mo".to_string(), text: self.seeds.mutant(seed) }
    }
}

/// No mutated model writes or removes a file.
fn harmless() -> Libraries {
    Libraries { files: Permissions { effects: false, ..Permissions::default() }, ..Libraries::default() }
}

/// Compiles a model and runs it for a moment.
fn runs(source: &Source) -> bool {
    let compiled = pipeline::structure_with(source, &harmless(), None).and_then(|structured| pipeline::program(structured, &[]));
    let Ok(compiled) = compiled else { return false };
    let Ok(ready) = pipeline::instantiate(&compiled, false) else { return false };
    let mut instance = ready.instance;
    let experiment = pipeline::experiment(&compiled.experiment, None, None);
    simulate(&mut instance, &experiment, &mut damage::Moment::new()).is_ok()
}

impl Sink for damage::Moment {
    fn point(&mut self, _: f64, _: &[f64]) -> Result<(), RunError> {
        Ok(())
    }

    fn stops(&self) -> bool {
        self.is_over()
    }
}
