//! The stub of built simulators: an executable that holds the runtime only and runs the model behind its own end. `partita build`
//! copies it and appends a model.
#![forbid(unsafe_code)]

use partita_runtime::base::terminal::say;
use partita_runtime::simulator::{self, model_image::ModelImage};
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let began = Instant::now();
    match ModelImage::of_this_program() {
        Ok(Some(image)) => simulator::main(image, began),
        Ok(None) => {
            say(&format!(
                "error: this is the empty simulator of Partita {}; `partita build Model.mo -o sim` puts a model into a copy of it\n",
                env!("CARGO_PKG_VERSION")
            ));
            ExitCode::from(2)
        }
        Err(error) => {
            say(&format!("error: the model of this simulator cannot be read: {error}\n"));
            ExitCode::from(2)
        }
    }
}
