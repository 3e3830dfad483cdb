//! What a comparison of a result with a reference found, for people and for programs.

use crate::failure::Failure;
use indexmap::IndexSet;
use partita_runtime::result::compare::{Comparison, SignalComparison, compare_by, few_digits};
use partita_runtime::result::distance::{Distance, distance};
use partita_runtime::result::read::{Table, canonical, read_selected};
use partita_runtime::result::rules::Rule;
use partita_runtime::result::side_by_side::side_by_side;
use regex::Regex;
use std::collections::HashSet;
use std::ffi::OsStr;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Which signals are compared.
#[derive(Clone, Debug)]
pub(crate) enum Selection {
    /// Those whose whole name matches.
    Pattern(Regex),
    /// Those of these names, in the form in which names are compared, and the file they were read from.
    Names(IndexSet<String>, PathBuf),
}

impl Selection {
    pub(crate) fn parse(text: &OsStr) -> Result<Selection, String> {
        let path = Path::new(text);
        if !path.is_file() {
            return whole_name(text.to_str().ok_or("there is no such file")?).map(Selection::Pattern);
        }
        let content = std::fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        Ok(Selection::Names(content.lines().map(canonical).filter(|name| !name.is_empty()).collect(), path.to_path_buf()))
    }

    fn takes(&self, name: &str) -> bool {
        match self {
            Selection::Pattern(pattern) => pattern.is_match(name),
            Selection::Names(names, _) => names.contains(&canonical(name)),
        }
    }

    /// The words of the user for what is selected.
    fn words(&self) -> String {
        match self {
            Selection::Pattern(pattern) => {
                let written = pattern.as_str().trim_start_matches("^(?:").trim_end_matches(")$");
                format!("whose whole name matches `{written}` (and no file has this name)")
            }
            Selection::Names(names, _) => format!("of the {} names in the file of signals", names.len()),
        }
    }

    /// Names that were asked for and that a reference does not have.
    fn unknown(&self, reference: &Table) -> Vec<String> {
        match self {
            Selection::Pattern(_) => Vec::new(),
            Selection::Names(names, _) => names.iter().filter(|name| !reference.has(name)).cloned().collect(),
        }
    }
}

/// A regular expression that must match a whole name.
pub(crate) fn whole_name(text: &str) -> Result<Regex, String> {
    Regex::new(&format!("^(?:{text})$")).map_err(|error| error.to_string())
}

fn table(path: &Path, keep: &dyn Fn(&str) -> bool) -> Result<Table, Failure> {
    read_selected(path, keep).map_err(|error| Failure::Outside(error.title))
}

/// The times of a result.
pub(crate) struct Grid {
    pub(crate) start: f64,
    pub(crate) stop: f64,
    /// The distance of the points, if they lie on a grid: events divide its intervals, so it is the largest distance, and there are
    /// several such.
    pub(crate) interval: Option<f64>,
}

impl Grid {
    pub(crate) fn of(path: &Path) -> Result<Grid, Failure> {
        let times = table(path, &|_| false)?.time;
        let steps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let largest = steps.iter().copied().fold(0.0, f64::max);
        let equal = steps.iter().filter(|step| **step > largest * (1.0 - 1e-6)).count();
        // A table has points.
        Ok(Grid { start: times[0], stop: times[times.len() - 1], interval: (equal >= 3 && largest > 0.0).then_some(largest) })
    }
}

/// How many different times there are.
fn n_times(times: &[f64]) -> usize {
    1 + times.windows(2).filter(|pair| pair[1] > pair[0]).count()
}

/// The first names of a list.
fn listed(names: &[String]) -> String {
    let shown: Vec<&str> = names.iter().take(10).map(String::as_str).collect();
    let more = names.len().saturating_sub(10);
    format!("{}{}", shown.join(", "), if more > 0 { format!(" and {more} more") } else { String::new() })
}

/// How many of the worst signals are shown.
const SHOWN: usize = 5;

/// What a comparison found, for people and for programs.
pub(crate) struct Verdict {
    pub(crate) result: PathBuf,
    pub(crate) reference: PathBuf,
    pub(crate) tube: f64,
    /// Signals of the reference that are names of the tool that wrote it.
    n_internal: usize,
    /// Parameters of the reference that the result does not have because it is text.
    n_parameters: usize,
    /// Names that were asked for and that the reference does not have.
    unknown: Vec<String>,
    /// By rule; the first decides.
    pub(crate) by_rule: Vec<(Rule, Comparison)>,
    /// Times and names; values only if they were asked for.
    pub(crate) got: Table,
    pub(crate) wanted: Table,
}

impl Verdict {
    /// Compares two files by the default rule.
    pub(crate) fn of(result: &Path, reference: &Path, filter: Option<&Regex>, tube: f64) -> Result<Verdict, Failure> {
        Verdict::by(&[Rule::Tube], result, reference, filter.cloned().map(Selection::Pattern).as_ref(), tube, false)
    }

    /// Compares two files. Names that begin with `$` (or their derivatives) belong to the tool that wrote the reference and are left out;
    /// so are parameters, unless they were asked for by name, where the result is text: no tool writes them there.
    pub(crate) fn by(
        rules: &[Rule],
        result: &Path,
        reference: &Path,
        selection: Option<&Selection>,
        tube: f64,
        with_values: bool,
    ) -> Result<Verdict, Failure> {
        let selected = |name: &str| selection.is_none_or(|selection| selection.takes(name));
        let is_internal = |name: &str| name.starts_with('$') || name.starts_with("der($");
        let is_wanted = |name: &str| !is_internal(name) && selected(name);
        let (path, reference_path) = (result.to_path_buf(), reference.to_path_buf());
        // Two texts that are nearly the same need not be kept.
        if rules == [Rule::Tube]
            && !with_values
            && let Some(found) = side_by_side(reference, result, &is_wanted, tube)
        {
            let n_internal = found.reference.names().iter().filter(|name| is_internal(name)).count();
            let unknown = selection.map_or(Vec::new(), |selection| selection.unknown(&found.reference));
            let by_rule = vec![(Rule::Tube, found.comparison)];
            return Ok(Verdict {
                result: path,
                reference: reference_path,
                tube,
                n_internal,
                n_parameters: 0,
                unknown,
                by_rule,
                got: found.result,
                wanted: found.reference,
            });
        }
        let wanted = table(reference, &is_wanted)?;
        let mut names: Vec<String> =
            wanted.names().iter().filter(|name| wanted.is_loaded(name) && canonical(name) != "time").cloned().collect();
        let n_internal = wanted.names().iter().filter(|name| is_internal(name)).count();
        if names.is_empty() {
            let which = selection.map_or("to compare".to_string(), Selection::words);
            return Err(Failure::Outside(format!("{} has no signal {which}", reference.display())));
        }
        let keys: HashSet<String> = names.iter().map(|name| canonical(name)).collect();
        let got = table(result, &|name| keys.contains(&canonical(name)))?;
        let n_wanted = names.len();
        let is_text = result.extension().is_none_or(|ending| !ending.eq_ignore_ascii_case("mat"));
        if is_text && !matches!(selection, Some(Selection::Names(..))) {
            names.retain(|name| got.has(name) || !wanted.is_constant(name));
        }
        let n_parameters = n_wanted - names.len();
        let by_rule: Vec<(Rule, Comparison)> =
            rules.iter().map(|rule| (*rule, compare_by(*rule, &wanted, &got, Some(&names), tube))).collect();
        if by_rule.iter().all(|(_, comparison)| comparison.signals.is_empty()) {
            return Err(Failure::Outside(format!("{} has none of the {n_wanted} signals of {}", result.display(), reference.display())));
        }
        let unknown = selection.map_or(Vec::new(), |selection| selection.unknown(&wanted));
        Ok(Verdict { result: path, reference: reference_path, tube, n_internal, n_parameters, unknown, by_rule, got, wanted })
    }

    /// How far signals are from the reference, the farthest first; values have to have been asked for.
    pub(crate) fn distances(&self) -> Vec<(String, Distance)> {
        let of = |signal: &SignalComparison| {
            let (expected, values) = (self.wanted.values(&signal.name)?, self.got.values(&signal.name)?);
            Some((signal.name.clone(), distance((&self.wanted.time, &expected), (&self.got.time, &values))?))
        };
        let mut found: Vec<(String, Distance)> = self.comparison().signals.iter().filter_map(of).collect();
        found.sort_by(|(_, a), (_, b)| b.epsilon.total_cmp(&a.epsilon));
        found
    }

    /// The comparison that decides.
    pub(crate) fn comparison(&self) -> &Comparison {
        &self.by_rule[0].1
    }

    /// Everything keeps to the rule that decides.
    pub(crate) fn passes(&self) -> bool {
        self.comparison().passes()
    }

    /// What is worth knowing beside the verdict: where the two files do not show the same thing.
    pub(crate) fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        let (n_got, n_wanted) = (n_times(&self.got.time), n_times(&self.wanted.time));
        let between = |signal: &&SignalComparison| signal.outside_between.is_some();
        let outside: Vec<&SignalComparison> = self.comparison().signals.iter().filter(between).collect();
        if let Some(signal) = outside.first() {
            let time = signal.outside_between.map_or(f64::NAN, few_digits);
            let more = if outside.len() > 1 { format!(" and {} more", outside.len() - 1) } else { String::new() };
            remarks.push(format!(
                "between the {n_wanted} times of the reference `{}`{more} leave its lines (most at time {time}): it has too few points to show what happens there; `--rule window` asks there, too",
                signal.name
            ));
        }
        if n_got < n_wanted && !self.passes() {
            remarks.push(format!("the result has {n_got} times, the reference {n_wanted}: a coarser result may miss what lies between; `run --intervals {}` gives as many", n_wanted - 1));
        }
        if let (Some(end), Some(wanted)) = (self.got.time.last(), self.wanted.time.last())
            && *end > wanted + 1e-6 * wanted.abs().max(1.0)
        {
            remarks.push(format!(
                "the result goes on until time {end}; the reference ends at {wanted} and says nothing about what comes later"
            ));
        }
        remarks
    }

    /// For programs.
    pub(crate) fn json(&self) -> serde_json::Value {
        let comparison = self.comparison();
        let rules: serde_json::Map<String, serde_json::Value> =
            self.by_rule.iter().map(|(rule, comparison)| (rule.to_string(), comparison.passes().into())).collect();
        serde_json::json!({
            "result": self.result.display().to_string(),
            "reference": self.reference.display().to_string(),
            "rule": self.by_rule[0].0,
            "tube": self.tube,
            "inside": self.passes(),
            "rules": rules,
            "within_two_percent": comparison.within_two_percent(),
            "missing": comparison.missing,
            "not_in_reference": self.unknown,
            "parameters_left_out": self.n_parameters,
            "short": comparison.short,
            "remarks": self.remarks(),
            "signals": comparison.worst(),
        })
    }

    /// For people.
    pub(crate) fn text(&self) -> String {
        let comparison = self.comparison();
        let n = comparison.signals.len();
        let mut text = format!("{} against {}\n", self.result.display(), self.reference.display());
        for (rule, comparison) in &self.by_rule {
            let inside = comparison.signals.iter().filter(|signal| signal.judgement.inside).count();
            let what = match rule {
                Rule::Tube => format!("inside the tube of {} at the times of the reference", self.tube),
                Rule::Window => format!("inside the tube of {} at all times", self.tube),
                Rule::TwoPercent => "within 2 percent".to_string(),
                rule => format!("by {rule}"),
            };
            let _ = writeln!(text, "{what}: {inside} of {n} signals");
        }
        if self.by_rule.len() == 1 && self.by_rule[0].0 != Rule::TwoPercent {
            let _ = writeln!(
                text,
                "within 2 percent: {} of {n} signals",
                comparison.signals.iter().filter(|signal| signal.within_two_percent).count()
            );
        }
        if self.n_internal > 0 {
            let _ = writeln!(text, "left out: {} signals of the reference whose names begin with $", self.n_internal);
        }
        if self.n_parameters > 0 {
            let _ = writeln!(
                text,
                "left out: {} of the parameters of the reference, which text files do not have; a .mat result has them",
                self.n_parameters
            );
        }
        if !self.unknown.is_empty() {
            let _ = writeln!(text, "not in the reference: {}", listed(&self.unknown));
        }
        let _ = writeln!(text, "largest differences, as parts of the signal's range:");
        let mut by_error: Vec<&SignalComparison> = comparison.signals.iter().collect();
        by_error.sort_by(|a, b| b.error_of_range.total_cmp(&a.error_of_range));
        for signal in by_error.into_iter().take(SHOWN) {
            let _ = writeln!(
                text,
                "  {:<30} {:>10.1e}{}",
                signal.name,
                signal.error_of_range,
                if signal.judgement.inside { "" } else { "  outside" }
            );
        }
        for signal in comparison.worst().into_iter().filter(|signal| !signal.judgement.inside).take(SHOWN) {
            let _ = writeln!(text, "{signal}");
        }
        if !comparison.missing.is_empty() {
            let _ = writeln!(text, "missing in the result: {}", listed(&comparison.missing));
        }
        if let Some((end, wanted)) = comparison.short {
            let _ = writeln!(text, "the result ends at time {end}, the reference at {wanted}");
        }
        for remark in self.remarks() {
            let _ = writeln!(text, "remark: {remark}");
        }
        let _ = writeln!(text, "{}", if self.passes() { "the same" } else { "different" });
        text
    }
}
