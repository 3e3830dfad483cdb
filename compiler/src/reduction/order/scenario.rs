//! Scenarios: how many are needed for a statement about all of them, and courses of inputs made from a seed.
//!
//! Input: the part of scenarios that may be worse, the part that is left out, the doubt. Output: the number of scenarios and how many of
//! them are left out; tables for inputs. Method: the first N whose binomial tail is small enough (Papadopoulos' thesis, 5.22), sums of
//! logarithms; noise by SplitMix64 and Box and Muller, held for a time. Guarantee: the same seed gives the same courses on every machine.
//! The condition does not hold for all larger N, because the number that is left out is rounded down. Cost: O(N^2).

use partita_runtime::model::table::Table;
use std::collections::BTreeMap;

/// What is asked of scenarios.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Confidence {
    /// The part of all scenarios that may be worse.
    pub epsilon: f64,
    /// The part of the sample that is left out.
    pub eta: f64,
    /// The probability that the statement is wrong.
    pub beta: f64,
}

impl Default for Confidence {
    fn default() -> Confidence {
        Confidence { epsilon: 0.1, eta: 0.05, beta: 1e-6 }
    }
}

impl Confidence {
    /// How many of a sample are left out.
    pub fn left_out(&self, n: usize) -> usize {
        (self.eta * n as f64 + 1e-12).floor() as usize
    }

    /// Whether a sample of this size is enough for a statement about each of some orders.
    pub fn holds(&self, n: usize, orders: usize) -> bool {
        let (p, q) = (self.epsilon.ln(), (-self.epsilon).ln_1p());
        let mut binomial = 0.0;
        let mut logs = Vec::new();
        for i in 0..=self.left_out(n).min(n) {
            logs.push(binomial + i as f64 * p + (n - i) as f64 * q);
            binomial += ((n - i) as f64 / (i + 1) as f64).ln();
        }
        let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = logs.iter().map(|log| (log - largest).exp()).sum();
        largest + sum.ln() <= (self.beta / orders as f64).ln()
    }

    /// The first size of a sample that is enough; nothing below a million.
    pub fn first(&self, orders: usize) -> Option<usize> {
        (1..1_000_000).find(|n| self.holds(*n, orders))
    }
}

/// Noise for inputs.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Noise {
    /// Its standard deviation.
    pub size: f64,
    /// How long a value is held.
    pub hold: f64,
    /// The seed of the first scenario; the next one has the next number.
    pub seed: u64,
}

/// SplitMix64.
struct Generator(u64);

impl Generator {
    fn part(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        (z >> 11) as f64 / (1u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        let (u1, u2) = (self.part(), self.part());
        (-2.0 * (1.0 - u1).ln()).sqrt() * (2.0 * std::f64::consts::PI * u2).cos()
    }
}

impl Noise {
    /// Courses of inputs for a scenario: one normal number for each input and each time that a value is held.
    pub fn table(&self, scenario: u64, inputs: &[(String, f64)], start: f64, stop: f64) -> Table {
        let mut generator = Generator(self.seed.wrapping_add(scenario));
        let steps = ((stop - start) / self.hold).ceil() as usize + 1;
        let (mut times, mut columns) = (Vec::new(), vec![Vec::new(); inputs.len()]);
        for step in 0..steps {
            let from = start + step as f64 * self.hold;
            times.extend([from, from + self.hold]);
            for (column, (_, mean)) in columns.iter_mut().zip(inputs) {
                let value = mean + self.size * generator.normal();
                column.extend([value, value]);
            }
        }
        let named = inputs.iter().map(|(name, _)| name.clone()).zip(columns).collect();
        Table::from_columns(times, named)
    }
}

/// Scenarios of a file: the column `u@2` is the input `u` in scenario 2. Nothing if a column is of another form.
pub fn split(table: &Table) -> Option<Vec<Table>> {
    let mut scenarios: BTreeMap<usize, Vec<(String, Vec<f64>)>> = BTreeMap::new();
    for name in table.names() {
        let (input, number) = name.trim_matches('\'').rsplit_once('@')?;
        scenarios.entry(number.parse().ok()?).or_default().push((input.to_string(), table.values(name)?));
    }
    Some(scenarios.into_values().map(|columns| Table::from_columns(table.time.clone(), columns)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sizes_of_samples_are_the_published_ones() {
        let table = [
            (0.1, 0.05, 1e-6, 7, 778, 38, 806),
            (0.1, 0.05, 1e-6 / 7.0, 7, 896, 44, 923),
            (0.1, 0.05, 1e-6, 1, 674, 33, 702),
            (0.1, 0.0, 1e-6, 7, 150, 0, 150),
            (0.05, 0.025, 1e-6, 7, 1633, 40, 1688),
            (0.1, 0.05, 1e-10, 7, 1317, 65, 1344),
            (0.2, 0.1, 1e-3, 5, 168, 16, 182),
        ];
        for (epsilon, eta, beta, orders, n, left_out, all) in table {
            let confidence = Confidence { epsilon, eta, beta };
            assert_eq!(confidence.first(orders), Some(n));
            assert_eq!(confidence.left_out(n), left_out);
            assert!((all..2 * all).all(|n| confidence.holds(n, orders)) && !confidence.holds(all - 1, orders), "{all}");
        }
    }

    #[test]
    fn the_noise_is_that_of_the_published_seed() {
        let noise = Noise { size: 1.0, hold: 600.0, seed: 20_140_000 };
        let table = noise.table(0, &[("n".to_string(), 0.0)], 0.0, 86400.0);
        let values = table.values("n").expect("it has the column");
        for (at, wanted) in [1.046160972, -0.3899332498, -1.215870907].into_iter().enumerate() {
            assert!((values[2 * at] - wanted).abs() < 1e-8, "{values:?}");
        }
        assert_eq!(table.time[1..3], [600.0, 600.0]);
    }

    #[test]
    fn a_table_holds_several_scenarios() {
        let column = |name: &str, value: f64| (name.to_string(), vec![value, value]);
        let table = Table::from_columns(vec![0.0, 1.0], vec![column("u@2", 2.0), column("v@2", 3.0), column("u@10", 4.0)]);
        let scenarios = split(&table).expect("all columns have numbers");
        assert_eq!(scenarios.len(), 2);
        assert_eq!((scenarios[0].values("v"), scenarios[1].values("u")), (Some(vec![3.0, 3.0]), Some(vec![4.0, 4.0])));
        assert!(split(&Table::from_columns(vec![0.0], vec![column("u", 1.0)])).is_none());
    }
}
