//! Measures of how much components matter to a run, from the work through their connectors.
//!
//! Input: components and the work through their connectors. Output: a [`Measure`] for each component, the balance of the whole, and
//! relative energies. Method: energy-based ranking; what a component keeps to itself is what flows into it less what flows into the
//! components inside of it. Activity is the integral of the magnitude of that power; principal components are those of the powers at
//! [`SAMPLES`] times without their means removed, found from the matrix of their products.
//! Guarantee: pure wiring has no activity beyond round-off.
//! Cost: O(connectors * intervals + components^2 * samples); principal components of the most active [`MOST_PCA`] only.

use super::components::Components;
use super::record::Flows;

/// Samples of the principal component analysis.
const SAMPLES: usize = 501;
/// Components that take part in the principal component analysis: the products of all powers are a matrix.
const MOST_PCA: usize = 400;
/// Sweeps of Jacobi's method; each squares the error at last.
const SWEEPS: usize = 60;

/// What a component does with energy.
#[derive(Clone, Debug, Default)]
pub struct Measure {
    /// Integral of the magnitude of the power it keeps, in joule.
    pub activity: f64,
    /// Half the integral of the magnitudes of all powers at its connectors.
    pub through: f64,
    /// Integral of the power it keeps: energy stored or dissipated.
    pub net: f64,
    /// Root of the mean square of that power, in watt.
    pub rms: f64,
    /// Its part in the principal components, in percent.
    pub pca: f64,
    /// Largest energy that it kept.
    pub energy: f64,
    /// The work it keeps in each interval.
    pub works: Vec<f64>,
}

/// Measures of all components, and how well energy is balanced.
#[derive(Clone, Debug, Default)]
pub struct Measures {
    /// For each component.
    pub components: Vec<Measure>,
    /// What all components at the top take in together, against what flows through all: zero but for round-off.
    pub balance: f64,
}

/// The work that flows into a component through its own connectors, by intervals.
pub fn into(components: &Components, flows: &Flows, component: usize) -> Vec<f64> {
    let mut total = vec![0.0; flows.times.len().saturating_sub(1)];
    for connector in &components.components[component].connectors {
        total.iter_mut().zip(&flows.works[*connector]).for_each(|(sum, work)| *sum += work);
    }
    total
}

/// Measures all components.
pub fn measure(components: &Components, flows: &Flows) -> Measures {
    let n = components.components.len();
    let net: Vec<Vec<f64>> = (0..n).map(|component| into(components, flows, component)).collect();
    let mut kept = net.clone();
    let mut top = vec![0.0; flows.times.len().saturating_sub(1)];
    for (child, component) in components.components.iter().enumerate() {
        match component.parent {
            Some(parent) => kept[parent].iter_mut().zip(&net[child]).for_each(|(sum, work)| *sum -= work),
            None => top.iter_mut().zip(&net[child]).for_each(|(sum, work)| *sum += work),
        }
    }
    for (connector, works) in components.connectors.iter().zip(&flows.works) {
        // Connectors of the model itself: what flows in from outside is no fault of the balance.
        if connector.owner.is_none() {
            top.iter_mut().zip(works).for_each(|(sum, work)| *sum -= work);
        }
    }
    let mut measures: Vec<Measure> = kept
        .into_iter()
        .zip(&components.components)
        .map(|(works, component)| {
            let through = component.connectors.iter().map(|at| flows.works[*at].iter().map(|work| work.abs()).sum::<f64>()).sum::<f64>();
            one(works, 0.5 * through, &flows.times)
        })
        .collect();
    let everything: f64 = measures.iter().map(|measure| measure.through).sum();
    let missing: f64 = top.iter().map(|work| work.abs()).sum();
    principal(&mut measures, &flows.times);
    Measures { components: measures, balance: if everything > 0.0 { missing / everything } else { 0.0 } }
}

/// The measures of one course of work, without the principal components.
pub fn one(works: Vec<f64>, through: f64, times: &[f64]) -> Measure {
    let lengths = times.windows(2).map(|pair| pair[1] - pair[0]);
    let squares: f64 = works.iter().zip(lengths).map(|(work, length)| work * work / length).sum();
    let span = times.last().zip(times.first()).map_or(0.0, |(last, first)| last - first);
    let mut energy = 0.0;
    let largest = works.iter().map(|work| {
        energy += work;
        f64::abs(energy)
    });
    Measure {
        energy: largest.fold(0.0, f64::max),
        activity: works.iter().map(|work| work.abs()).sum(),
        through,
        net: works.iter().sum(),
        rms: if span > 0.0 { (squares / span).sqrt() } else { 0.0 },
        pca: 0.0,
        works,
    }
}

/// The power at a time: the mean of the intervals that meet there.
fn power_at(works: &[f64], times: &[f64], time: f64) -> f64 {
    let at = times.partition_point(|t| *t < time).min(works.len());
    let (before, after) = (at.saturating_sub(1), at.min(works.len() - 1));
    let between = times.get(at).is_none_or(|t| *t > time) || before == after;
    if between {
        return works[before] / (times[before + 1] - times[before]);
    }
    (works[before] + works[after]) / (times[after + 1] - times[before])
}

/// The parts of components in the principal components of all powers, in percent.
fn principal(measures: &mut [Measure], times: &[f64]) {
    let (Some(first), Some(last)) = (times.first(), times.last()) else { return };
    let mut chosen: Vec<usize> = (0..measures.len()).filter(|at| measures[*at].activity > 0.0).collect();
    chosen.sort_by(|a, b| measures[*b].activity.total_cmp(&measures[*a].activity));
    chosen.truncate(MOST_PCA);
    let n = chosen.len();
    let sample = |k: usize| first + (last - first) * k as f64 / (SAMPLES - 1) as f64;
    let powers: Vec<Vec<f64>> =
        chosen.iter().map(|at| (0..SAMPLES).map(|k| power_at(&measures[*at].works, times, sample(k))).collect()).collect();
    let mut products = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..=i {
            let product: f64 = powers[i].iter().zip(&powers[j]).map(|(a, b)| a * b).sum();
            products[i * n + j] = product;
            products[j * n + i] = product;
        }
    }
    let (values, vectors) = eigen(products, n);
    let parts: Vec<f64> = (0..n).map(|i| (0..n).map(|j| values[j].max(0.0) * vectors[i * n + j].abs()).sum()).collect();
    let total: f64 = parts.iter().sum();
    for (at, part) in chosen.iter().zip(parts) {
        measures[*at].pca = if total > 0.0 { 100.0 * part / total } else { 0.0 };
    }
}

/// Eigenvalues and vectors (by columns) of a symmetric matrix by Jacobi's rotations.
fn eigen(mut a: Vec<f64>, n: usize) -> (Vec<f64>, Vec<f64>) {
    let mut v = vec![0.0; n * n];
    (0..n).for_each(|i| v[i * n + i] = 1.0);
    for _ in 0..SWEEPS {
        let off: f64 = (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| a[i * n + j] * a[i * n + j]).sum();
        let diagonal: f64 = (0..n).map(|i| a[i * n + i] * a[i * n + i]).sum();
        if off <= 1e-30 * diagonal {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                rotate(&mut a, &mut v, n, (p, q));
            }
        }
    }
    ((0..n).map(|i| a[i * n + i]).collect(), v)
}

/// One rotation that makes an element vanish.
fn rotate(a: &mut [f64], v: &mut [f64], n: usize, (p, q): (usize, usize)) {
    let apq = a[p * n + q];
    if apq == 0.0 {
        return;
    }
    let theta = (a[q * n + q] - a[p * n + p]) / (2.0 * apq);
    let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let t = if theta == 0.0 { 1.0 } else { t };
    let c = 1.0 / (t * t + 1.0).sqrt();
    let s = t * c;
    for k in 0..n {
        let (x, y) = (a[k * n + p], a[k * n + q]);
        a[k * n + p] = c * x - s * y;
        a[k * n + q] = s * x + c * y;
    }
    for k in 0..n {
        let (x, y) = (a[p * n + k], a[q * n + k]);
        a[p * n + k] = c * x - s * y;
        a[q * n + k] = s * x + c * y;
        let (x, y) = (v[k * n + p], v[k * n + q]);
        v[k * n + p] = c * x - s * y;
        v[k * n + q] = s * x + c * y;
    }
}

/// For each component with a state: its neighbours in connections with the largest energy that came through the connector there,
/// against its own.
pub fn relative(components: &Components, flows: &Flows, measures: &[Measure], has_state: &[bool]) -> Vec<(usize, Vec<(usize, f64)>)> {
    let mut neighbours: Vec<Vec<(usize, f64)>> = vec![Vec::new(); components.components.len()];
    for sum in &components.sums {
        let ends: Vec<(usize, f64)> = sum
            .iter()
            .filter_map(|connector| {
                let owner = components.connectors[*connector].owner?;
                Some((owner, one(flows.works[*connector].clone(), 0.0, &flows.times).energy))
            })
            .collect();
        for (owner, _) in ends.iter().filter(|(owner, _)| has_state[*owner]) {
            neighbours[*owner].extend(ends.iter().filter(|(other, _)| other != owner));
        }
    }
    let with_states = (0..has_state.len()).filter(|at| has_state[*at] && measures[*at].energy > 0.0);
    with_states
        .map(|at| {
            let mut ratios: Vec<(usize, f64)> =
                std::mem::take(&mut neighbours[at]).into_iter().map(|(other, energy)| (other, energy / measures[at].energy)).collect();
            ratios.sort_by(|a, b| b.1.total_cmp(&a.1));
            (at, ratios)
        })
        .collect()
}
