//! Removes terms of a model as long as its outputs stay within an error, and measures that error.
//!
//! Input: a source, the outputs and the error that is allowed. Output: [`Reduced`]: the text of the smaller model with a header, the terms
//! that are gone with their estimates, and the true error of the text as it is. Method: terms in the order of their linearised effect;
//! added while the sum of their responses stays below half of the error, then run; if the run says otherwise the last half of the last
//! batch is dropped; at last the rest is tried one by one while runs are left. Guarantee: the printed error is that of a run of the
//! text that is written, over the experiment of the model: nothing is removed on the strength of an estimate, and a model that cannot
//! be sorted, started or run without a term keeps it. Valid for this run only. Cost: one run with estimates, and at most [`MOST_RUNS`] runs.

use super::reference::{Error, ReductionOptions, Reference, first};
use super::sensitivity::{Estimate, Estimates, estimate};
use super::terms::{self, Terms};
use crate::pipeline::{self, Compiled};
use partita_grammar::{Diagnostic, Source};

/// Runs of models without terms.
pub const MOST_RUNS: usize = 60;
/// Estimates that differ by more than this factor are not trusted.
const UNTRUSTED: f64 = 2.0;
/// A reference run, with the terms of the model and what they do.
pub struct Study<'a> {
    /// The run of the model as it is.
    pub reference: Reference<'a>,
    /// The terms.
    pub terms: Terms,
    /// What was estimated, unless the model does not allow it.
    pub estimates: Option<Estimates>,
    /// Why there are no estimates.
    pub remark: Option<String>,
}

/// The name as an expression of the file: quoted if it has dots and the file quotes names.
fn written(name: &str, source: &Source) -> String {
    let quoted = format!("'{name}'");
    if source.text.contains(&quoted) { quoted } else { name.to_string() }
}

impl<'a> Study<'a> {
    /// Runs the reference and estimates what the terms do.
    pub fn new(options: ReductionOptions<'a>) -> Result<Study<'a>, Vec<Diagnostic>> {
        let structured = pipeline::structure_with(options.source, options.libraries, options.model)?;
        let definition = partita_grammar::parse(options.source)?;
        let found = terms::find(options.source, &definition, &structured);
        let compiled = pipeline::program(structured, &[])?;
        let reference = Reference::new(options, &compiled)?;
        let Some(terms) = found else { return Err(vec![no_terms(&compiled)]) };
        let mut study = Study { reference, terms, estimates: None, remark: None };
        match study.estimated() {
            Ok(estimates) => study.estimates = Some(estimates),
            Err(message) => study.remark = Some(message.title),
        }
        Ok(study)
    }

    fn estimated(&self) -> Result<Estimates, Box<Diagnostic>> {
        let outputs: Vec<String> = self.reference.options.outputs.iter().map(|name| written(name, self.reference.options.source)).collect();
        let source = self.terms.instrumented(&outputs);
        let compiled = pipeline::compile_with(&source, self.reference.options.libraries, self.reference.options.model).map_err(first)?;
        let instance = pipeline::instantiate(&compiled, true).map_err(first)?.instance;
        let equation_of: Vec<usize> = self.terms.terms.iter().map(|term| term.equation).collect();
        estimate(&instance, &self.reference.experiment, &equation_of, outputs.len())
    }

    /// The largest estimated error of a term over all outputs, as a part of their ranges: screened and linearised.
    pub fn estimate(&self, term: usize) -> Option<(f64, f64)> {
        let estimate = &self.estimates.as_ref()?.terms[term];
        let part = |changes: &[f64]| {
            changes.iter().zip(&self.reference.outputs.ranges).map(|(change, (low, high))| change / (high - low)).fold(0.0, f64::max)
        };
        Some((part(&estimate.screened), part(&estimate.linear)))
    }

    /// The magnitude of a term against the largest of its equation.
    pub fn magnitude(&self, term: usize) -> Option<f64> {
        let estimates = &self.estimates.as_ref()?.terms;
        let same = |other: &usize| self.terms.terms[*other].equation == self.terms.terms[term].equation;
        let largest = (0..estimates.len()).filter(same).map(|other| estimates[other].magnitude).fold(0.0, f64::max);
        (largest > 0.0).then(|| estimates[term].magnitude / largest)
    }

    /// Whether the two estimates agree.
    pub fn is_trusted(&self, term: usize) -> bool {
        self.estimate(term).is_some_and(|(screened, linear)| linear <= UNTRUSTED * screened && screened <= UNTRUSTED * linear)
    }

    /// The true error without some terms.
    pub fn without(&self, removed: &[usize]) -> Result<Error, Box<Diagnostic>> {
        let nothing_left = || Box::new(Diagnostic::error("C106", "an equation would have no terms left"));
        self.reference.error_of(&self.terms.without(removed, "").ok_or_else(nothing_left)?)
    }

    /// Terms in the order in which they are tried: the least effect first.
    pub fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.terms.terms.len()).collect();
        let key = |term: &usize| self.estimate(*term).map_or(0.0, |(screened, linear)| screened.max(linear));
        order.sort_by(|a, b| key(a).total_cmp(&key(b)));
        order
    }
}

/// A smaller model.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// Its text, with a header.
    pub source: Source,
    /// The terms that are gone.
    pub removed: Vec<usize>,
    /// Its true error.
    pub error: Error,
    /// Runs that were made.
    pub runs: usize,
}

impl Study<'_> {
    /// Removes as many terms as the error allows.
    pub fn reduce(&self, allowed: f64) -> Result<Reduced, Box<Diagnostic>> {
        let order: Vec<usize> = self.order();
        let mut runs = 0;
        let mut try_without = |removed: &[usize]| {
            runs += 1;
            self.without(removed).ok().filter(|error| error.largest() <= allowed)
        };
        let mut batch = self.first_batch(&order, allowed);
        // Each failure halves the batch.
        while !batch.is_empty() && try_without(&batch).is_none() {
            batch.truncate(batch.len() / 2);
        }
        let mut removed = batch;
        let promising = |term: &&usize| self.estimate(**term).is_none_or(|(_, linear)| linear <= 2.0 * allowed);
        let rest: Vec<usize> = order.iter().filter(promising).copied().filter(|term| !removed.contains(term)).collect();
        for term in rest {
            if runs >= MOST_RUNS {
                break;
            }
            let mut more = removed.clone();
            more.push(term);
            runs += 1;
            if self.without(&more).is_ok_and(|error| error.largest() <= allowed) {
                removed = more;
            }
        }
        self.finish(removed, allowed, runs)
    }

    /// Terms whose responses together stay below half of the error.
    fn first_batch(&self, order: &[usize], allowed: f64) -> Vec<usize> {
        let Some(estimates) = &self.estimates else { return Vec::new() };
        let mut sum: Vec<Vec<f64>> = Vec::new();
        let mut batch = Vec::new();
        for &term in order.iter().filter(|term| self.is_trusted(**term)) {
            let Estimate { response, .. } = &estimates.terms[term];
            let next: Vec<Vec<f64>> = if sum.is_empty() {
                response.clone()
            } else {
                sum.iter().zip(response).map(|(a, b)| a.iter().zip(b).map(|(a, b)| a + b).collect()).collect()
            };
            let fits = next
                .iter()
                .zip(&self.reference.outputs.ranges)
                .all(|(course, (low, high))| course.iter().all(|change| change.abs() <= 0.5 * allowed * (high - low)));
            if !fits {
                break;
            }
            sum = next;
            batch.push(term);
        }
        batch
    }

    /// Writes the model and measures the text that is written.
    fn finish(&self, mut removed: Vec<usize>, allowed: f64, runs: usize) -> Result<Reduced, Box<Diagnostic>> {
        removed.sort_unstable();
        let nothing = || Box::new(Diagnostic::error("C106", "an equation would have no terms left"));
        let draft = self.terms.without(&removed, "").ok_or_else(nothing)?;
        let error = self.reference.error_of(&draft)?;
        let source = self.terms.without(&removed, &self.header(&removed, allowed, &error)).ok_or_else(nothing)?;
        let error = self.reference.error_of(&source)?;
        Ok(Reduced { source, removed, error, runs })
    }

    /// What the reduced model says about itself.
    fn header(&self, removed: &[usize], allowed: f64, error: &Error) -> String {
        let change = format!("{} of {} terms removed", removed.len(), self.terms.terms.len());
        let mut text = self.reference.header("terms", &change, allowed, error);
        for term in removed {
            text.push_str(&format!("removed from line {}: {}\n", self.terms.line(*term), self.terms.terms[*term].text.replace('\n', " ")));
        }
        text
    }
}

fn no_terms(compiled: &Compiled) -> Diagnostic {
    Diagnostic::error("C110", format!("the model {} has no equation with terms that could be removed", compiled.report.model)).with_note(
        "terms are addends of scalar continuous equations in the section `equation`, outside of `for`, `if` and `when`; of equations that only give another name to a variable they are none",
    )
}
