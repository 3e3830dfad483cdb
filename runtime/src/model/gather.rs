//! GatherScatterMap of some values within a longer vector, for moving them in and out.
//!
//! Most parts of a model are arrays, whose values lie side by side or evenly apart: these are moved as blocks. Cost: one copy of the
//! values; nothing is allocated.

use crate::base::simd::{LONG, all_finite, bits_unless_finite, sum, update};

/// GatherScatterMap in a vector.
#[derive(Clone, Debug)]
pub struct GatherScatterMap {
    /// The place of each value.
    each: Vec<usize>,
    /// Neighbours that lie evenly apart. Empty if there are too few of them to be worth it.
    blocks: Vec<Block>,
}

/// Neighbouring values whose places have the same distance.
#[derive(Clone, Debug)]
struct Block {
    /// Of the first value.
    place: usize,
    /// Number of the first value.
    value: usize,
    n: usize,
    /// From place to place, at least 1.
    apart: usize,
}

/// Blocks are used if they hold so many values on average.
const WORTHWHILE: usize = 8;

impl GatherScatterMap {
    /// Notes where values lie.
    pub fn new(each: Vec<usize>) -> GatherScatterMap {
        let mut blocks: Vec<Block> = Vec::new();
        for (value, &place) in each.iter().enumerate() {
            match blocks.last_mut() {
                Some(block) if block.n == 1 && place > block.place => (block.n, block.apart) = (2, place - block.place),
                Some(block) if block.n > 1 && block.place + block.n * block.apart == place => block.n += 1,
                _ => blocks.push(Block { place, value, n: 1, apart: 1 }),
            }
        }
        if blocks.len() * WORTHWHILE > each.len() {
            blocks.clear();
        }
        GatherScatterMap { each, blocks }
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.each.len()
    }

    /// There are none.
    pub fn is_empty(&self) -> bool {
        self.each.is_empty()
    }

    /// Copies the values out of the long vector.
    pub fn take(&self, from: &[f64], values: &mut [f64]) {
        if self.blocks.is_empty() {
            for (value, &place) in values.iter_mut().zip(&self.each) {
                *value = from[place];
            }
        }
        for &Block { place, value, n, apart } in &self.blocks {
            let (values, from) = (&mut values[value..value + n], &from[place..=place + (n - 1) * apart]);
            match apart {
                1 => values.copy_from_slice(from),
                // A distance that is known here is quicker than one that is not.
                2 => values.iter_mut().zip(from.iter().step_by(2)).for_each(|(value, from)| *value = *from),
                _ => values.iter_mut().zip(from.iter().step_by(apart)).for_each(|(value, from)| *value = *from),
            }
        }
    }

    /// Copies the values out of the long vector; whether all of them are finite.
    #[inline(always)]
    pub fn take_finite(&self, from: &[f64], values: &mut [f64]) -> bool {
        if let [Block { place, value: 0, n, apart: 1 }] = self.blocks[..]
            && n < LONG
            && n == values.len()
        {
            return copy_few(&from[place..place + n], values);
        }
        self.take(from, values);
        all_finite(values)
    }

    /// Replaces every value by a function of itself and of the long vector at its place.
    pub fn gather(&self, from: &[f64], values: &mut [f64], value: impl Fn(f64, f64) -> f64) {
        if !self.are_neighbours() {
            values.iter_mut().zip(&self.each).for_each(|(out, &place)| *out = value(*out, from[place]));
            return;
        }
        for block in &self.blocks {
            update(&mut values[block.value..block.value + block.n], [&from[block.place..block.place + block.n]], |out, [from]| {
                value(out, from)
            });
        }
    }

    /// Adds multiples of the values to the long vector.
    pub fn add(&self, factor: f64, values: &[f64], into: &mut [f64]) {
        if !self.are_neighbours() {
            self.each.iter().zip(values).for_each(|(&place, v)| into[place] += factor * v);
            return;
        }
        for block in &self.blocks {
            let values = &values[block.value..block.value + block.n];
            update(&mut into[block.place..block.place + block.n], [values], |out, [v]| out + factor * v);
        }
    }

    /// The sum of the squares of the values, each times the long vector at its place.
    pub fn weighted_square(&self, values: &[f64], weights: &[f64]) -> f64 {
        if !self.are_neighbours() {
            return values.iter().zip(&self.each).map(|(v, &place)| (v * weights[place]) * (v * weights[place])).sum();
        }
        let square = |block: &Block| {
            sum([&values[block.value..block.value + block.n], &weights[block.place..block.place + block.n]], |[v, w]| (v * w) * (v * w))
        };
        self.blocks.iter().map(square).sum()
    }

    /// All values lie side by side in blocks.
    fn are_neighbours(&self) -> bool {
        !self.blocks.is_empty() && self.blocks.iter().all(|block| block.apart == 1)
    }

    /// Whether the long vector holds these values.
    pub fn holds(&self, from: &[f64], values: &[f64]) -> bool {
        if self.blocks.is_empty() {
            return values.iter().zip(&self.each).all(|(value, &place)| *value == from[place]);
        }
        self.blocks.iter().all(|&Block { place, value, n, apart }| {
            let (values, from) = (&values[value..value + n], &from[place..=place + (n - 1) * apart]);
            if apart == 1 { values == from } else { values.iter().eq(from.iter().step_by(apart)) }
        })
    }

    /// Copies the values into the long vector.
    pub fn put(&self, values: &[f64], into: &mut [f64]) {
        if self.blocks.is_empty() {
            for (value, &place) in values.iter().zip(&self.each) {
                into[place] = *value;
            }
        }
        for &Block { place, value, n, apart } in &self.blocks {
            let (values, into) = (&values[value..value + n], &mut into[place..=place + (n - 1) * apart]);
            match apart {
                1 => into.copy_from_slice(values),
                _ => into.iter_mut().step_by(apart).zip(values).for_each(|(into, value)| *into = *value),
            }
        }
    }
}

/// Values of one vector that go to places of another, as runs of neighbours.
#[derive(Clone, Debug)]
pub struct ScatterMap {
    runs: Vec<Run>,
}

#[derive(Clone, Debug)]
struct Run {
    from: usize,
    into: usize,
    n: usize,
}

impl ScatterMap {
    /// Notes from where to where values go.
    pub fn new(pairs: impl Iterator<Item = (usize, usize)>) -> ScatterMap {
        let mut runs: Vec<Run> = Vec::new();
        for (from, into) in pairs {
            match runs.last_mut() {
                Some(run) if run.from + run.n == from && run.into + run.n == into => run.n += 1,
                _ => runs.push(Run { from, into, n: 1 }),
            }
        }
        ScatterMap { runs }
    }

    /// Copies the values.
    #[inline(always)]
    pub fn copy(&self, values: &[f64], into: &mut [f64]) {
        for run in &self.runs {
            into[run.into..run.into + run.n].copy_from_slice(&values[run.from..run.from + run.n]);
        }
    }
}

/// Copies fewer than [`LONG`] values in less time than a call would take; whether all of them are finite. Both have the same length.
#[inline(always)]
fn copy_few(from: &[f64], into: &mut [f64]) -> bool {
    let mut rest = (from, into, 0);
    rest = copy_some::<16>(rest);
    rest = copy_some::<8>(rest);
    rest = copy_some::<4>(rest);
    rest = copy_some::<2>(rest);
    rest = copy_some::<1>(rest);
    rest.2 == 0
}

/// Copies `N` values if there are so many left. The last of the three is zero as long as they are finite.
#[inline(always)]
fn copy_some<'a, const N: usize>((from, into, bits): (&'a [f64], &'a mut [f64], u64)) -> (&'a [f64], &'a mut [f64], u64) {
    let (Some((&some, from)), true) = (from.split_first_chunk::<N>(), into.len() >= N) else { return (from, into, bits) };
    let (place, into) = into.split_at_mut(N);
    place.copy_from_slice(&some);
    (from, into, some.iter().fold(bits, |bits, value| bits | bits_unless_finite(*value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_copy_what_they_name_and_nothing_else() {
        let values: Vec<f64> = (0..10).map(f64::from).collect();
        let mut into = vec![-1.0; 8];
        let moves = ScatterMap::new([(0, 3), (1, 4), (2, 6), (9, 7)].into_iter());
        assert_eq!(moves.runs.len(), 3);
        moves.copy(&values, &mut into);
        assert_eq!(into, [-1.0, -1.0, -1.0, 0.0, 1.0, -1.0, 2.0, 9.0]);
    }

    #[test]
    fn every_value_that_is_not_finite_is_seen() {
        for n in 0..40 {
            for apart in [1, 2] {
                let places = GatherScatterMap::new((0..n).map(|i| 3 + apart * i).collect());
                let mut long: Vec<f64> = (0..90).map(f64::from).collect();
                let mut values = vec![-1.0; n];
                assert!(places.take_finite(&long, &mut values));
                assert!(values.iter().enumerate().all(|(i, value)| *value == (3 + apart * i) as f64), "{values:?}");
                for bad in 0..n {
                    let place = 3 + apart * bad;
                    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                        let kept = std::mem::replace(&mut long[place], value);
                        assert!(!places.take_finite(&long, &mut values), "{value} at {bad} of {n}");
                        long[place] = kept;
                    }
                }
            }
        }
    }

    #[test]
    fn values_come_back_from_where_they_were_put() {
        for each in [
            vec![],
            vec![3],
            vec![0, 2, 4, 5],
            (7..40).collect(),
            (0..20).chain(30..50).collect(),
            vec![5, 4, 3],
            (0..20).map(|i| 2 * i + 1).collect(),
            (0..9).map(|i| 3 * i).chain(40..55).collect(),
        ] {
            let places = GatherScatterMap::new(each.clone());
            let values: Vec<f64> = (0..each.len()).map(|i| i as f64 + 1.0).collect();
            let (mut long, mut back) = (vec![0.0; 60], vec![0.0; each.len()]);
            places.put(&values, &mut long);
            assert!(each.iter().zip(&values).all(|(&place, value)| long[place] == *value), "{each:?}");
            assert_eq!(long.iter().filter(|value| **value != 0.0).count(), each.len());
            assert!(places.holds(&long, &values));
            places.take(&long, &mut back);
            assert_eq!(back, values);
            places.add(2.0, &values, &mut long);
            assert_eq!(
                places.weighted_square(&values, &long),
                values.iter().map(|value| (3.0 * value * value).powi(2)).sum::<f64>(),
                "{each:?}"
            );
            places.gather(&long, &mut back, |back, long| long - 3.0 * back);
            assert!(back.iter().all(|value| *value == 0.0), "{each:?}");
            assert!(long.iter().enumerate().all(|(place, value)| each.contains(&place) || *value == 0.0), "{each:?}");
            places.put(&values, &mut long);
            if let Some(place) = each.last() {
                long[*place] = -1.0;
                assert!(!places.holds(&long, &values));
            }
        }
    }
}
