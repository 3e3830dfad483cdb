//! Which parts of a model matter to a run, and smaller models that show it.
//!
//! ```text
//! flat::FlatModel           --components::find-->   Components     connectors, their owners, connection sums
//! (Components, run)     --record::record-->     Flows          work through every connector in every interval of the run
//! (Components, Flows)   --activity::measure-->  Vec<Measure>   activity, through, RMS, principal components, relative energy
//! (Source, Structured)  --terms::find-->        Terms          addends of equations; texts without some of them
//! Terms                 --sensitivity::estimate--> Estimates   what each does to outputs, linearised along the run
//! Estimates             --removal::Study::reduce--> Reduced    a smaller model with its true error
//! (Source, Structured)  --order::choose::reduce--> Lowered    fewer states for an affine continuous part, with the true error by order
//! Measures              --rank::rank-->         Ranking        shares, suggestions with reasons, balance; text, JSON, page
//! (Source, purpose)     --simplify::simplify--> Simplification  one row for each technique that applies, with its true error and time
//! ```
#![forbid(unsafe_code)]

pub mod activity;
pub mod components;
mod html;
pub mod kind;
pub mod order;
pub mod rank;
pub mod record;
pub mod reference;
pub mod removal;
pub mod replacement;
pub mod report;
pub mod sensitivity;
pub mod simplify;
mod simplify_html;
pub mod term_report;
pub mod terms;
mod text;

pub use html::page;
pub use simplify_html::page as page_of_simplification;
