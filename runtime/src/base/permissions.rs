//! Which files a model may touch, as the user said when it was compiled. Names of folders are kept as they were given;
//! `native::access` resolves and holds them.

use super::limits::Limits;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;

/// What was said when the model was compiled; names of folders as the user gave them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Permissions {
    /// Folders below which files are searched, besides the present directory.
    pub resources: Vec<OsString>,
    /// Further folders below which a model may read: those of the model and of its libraries.
    pub readable: Vec<OsString>,
    /// Folders below which a model may read, write and remove: `--allow-files`.
    pub allowed: Vec<OsString>,
    /// Files may be written and removed at all.
    pub effects: bool,
    /// The limits of the user.
    pub limits: Limits,
}

impl Default for Permissions {
    fn default() -> Permissions {
        Permissions { resources: Vec::new(), readable: Vec::new(), allowed: Vec::new(), effects: true, limits: Limits::default() }
    }
}
