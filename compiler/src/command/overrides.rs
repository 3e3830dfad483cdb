//! `--set` of all commands: what is on the command line, for the compiler and for messages of built simulators.

use super::Input;
use partita_grammar::Diagnostic;
use partita_runtime::overrides::{self, Override};
use std::path::Path;

/// Reads the argument of one `--set`.
pub(super) fn list(text: &str) -> Result<Vec<Override>, String> {
    overrides::list(text)
}

/// Whether the command line is at fault, not the model.
pub(super) fn are_at_fault(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|diagnostic| diagnostic.code == "F037")
}

/// A word of a command line that the shell reads as it is.
fn word(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "._-/+=,:".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) { text.to_string() } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

impl Input {
    /// All values given, in order.
    pub(super) fn overrides(&self) -> Vec<Override> {
        self.set.concat()
    }

    /// The command that builds this model again.
    pub(super) fn rebuild_command(&self) -> String {
        let path = |path: &Path| word(&path.display().to_string());
        let mut command = format!("partita build {}", path(&self.file));
        if let Some(model) = &self.model {
            command.push_str(&format!(" --model {}", word(model)));
        }
        for (flag, files) in [("--library", &self.library), ("--external", &self.external), ("--resource-path", &self.resource_path)] {
            files.iter().for_each(|file| command.push_str(&format!(" {flag} {}", path(file))));
        }
        for given in self.overrides() {
            command.push_str(&format!(" --set {}", word(&format!("{}={}", given.name, given.value))));
        }
        command
    }
}
