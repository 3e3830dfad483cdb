//! What the fuzzer feeds.

/// What is fed.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// The parser.
    Parse,
    /// Parser, flattener and sorting.
    Structure,
    /// All up to a short run by the interpreter.
    Run,
    /// A model with components of a library of which one file is damaged.
    Library,
    /// The reader of `.mat` results.
    Mat,
    /// The readers of `.csv` and `.plt` results, and of inputs.
    Csv,
    /// The readers of tables: text, `.csv`, `.mat` of level 4 and 5, compressed or not.
    Tables,
    /// The image of a model inside a built simulator.
    Image,
}

impl Target {
    /// All targets.
    pub const ALL: [Target; 8] =
        [Target::Parse, Target::Structure, Target::Run, Target::Library, Target::Mat, Target::Csv, Target::Tables, Target::Image];

    /// Its word on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Target::Parse => "parse",
            Target::Structure => "structure",
            Target::Run => "run",
            Target::Library => "library",
            Target::Mat => "mat",
            Target::Csv => "csv",
            Target::Tables => "tables",
            Target::Image => "image",
        }
    }
}
