//! `--set` of all commands: what is on the command line, for the compiler and for messages of built simulators.

use crate::input::Input;
use partita_grammar::Diagnostic;
use std::path::Path;

/// Whether the command line is at fault, not the model.
pub(crate) fn are_at_fault(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|diagnostic| diagnostic.code == "F037")
}

/// A word of a command line that the shell reads as it is.
fn word(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "._-/+=,:".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) { text.to_string() } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

impl Input {
    /// The command that builds this model again.
    pub(crate) fn rebuild_command(&self) -> String {
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
