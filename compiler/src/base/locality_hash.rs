//! Hashes that keep neighbours together.
//!
//! Input: ids of expressions or the bytes of a name. Output: a hash for hashbrown's tables. What is made in a row has ids in a row
//! and names that differ in their last sign, and is asked for in a row; a hash that scatters it over a table of megabytes pays one
//! or two cache misses for every question: time per equation that grows with the model.
//! Method: the place in the table (the low bits) is a good hash of the coarse part of the key plus its fine part; the tag (the top
//! seven bits, compared before anything else) is a good hash of all of it.
//! Guarantee: at most [`FINE`] squared keys of two ids share one neighbourhood, so that a table never degenerates by more than a constant.

use rustc_hash::FxHasher;
use std::hash::{BuildHasherDefault, Hasher};

/// Ids that differ within a block of this size are neighbours.
const FINE: u32 = 16;
/// The bits of a hash that are its tag.
const TAG: u64 = 0x7f << 57;

fn combine(coarse: &FxHasher, fine: u64, whole: &FxHasher) -> u64 {
    (coarse.finish().wrapping_add(fine) & !TAG) | (whole.finish() & TAG)
}

/// The hash of a number that is scattered, as it says what kind of thing this is, and of ids.
pub fn of_ids(kind: u64, ids: [u32; 3]) -> u64 {
    let (mut coarse, mut whole) = (FxHasher::default(), FxHasher::default());
    coarse.write_u64(kind);
    whole.write_u64(kind);
    let mut fine = 0;
    for id in ids {
        coarse.write_u32(id / FINE);
        whole.write_u32(id);
        fine += u64::from(id % FINE);
    }
    combine(&coarse, fine, &whole)
}

/// Hashes names: those that differ in their last byte only lie side by side.
#[derive(Default)]
pub struct NameHasher {
    coarse: FxHasher,
    whole: FxHasher,
    fine: u64,
}

impl Hasher for NameHasher {
    fn write(&mut self, bytes: &[u8]) {
        let (last, rest) = bytes.split_last().map_or((0, bytes), |(last, rest)| (*last, rest));
        self.coarse.write(rest);
        self.whole.write(bytes);
        self.fine += u64::from(last);
    }

    /// The end of a text: the same for all.
    fn write_u8(&mut self, _: u8) {}

    fn finish(&self) -> u64 {
        combine(&self.coarse, self.fine, &self.whole)
    }
}

/// Makes [`NameHasher`]s.
pub type NameHash = BuildHasherDefault<NameHasher>;

#[cfg(test)]
mod tests {
    use super::*;
    use std::hash::BuildHasher;

    #[test]
    fn neighbours_lie_side_by_side_and_others_do_not() {
        let place = |hash: u64| hash % (1 << 20);
        let name = |text: &str| place(NameHash::default().hash_one(text));
        assert_eq!(name("resistor.v17").wrapping_sub(name("resistor.v16")), 1);
        assert!(name("resistor.v17").abs_diff(name("resistor.v27")) > 16);
        let sum = |a: u32, b: u32| of_ids(3, [a, b, 0]);
        assert_eq!(place(sum(7, 33)).wrapping_sub(place(sum(7, 32))), 1);
        assert!(place(sum(7, 48)).abs_diff(place(sum(7, 32))) > 16);
        assert_ne!(sum(7, 33), sum(33, 7));
    }

    #[test]
    fn neighbours_have_different_tags() {
        let tags: std::collections::BTreeSet<u64> = (0..64).map(|id| of_ids(3, [5, id, 0]) & TAG).collect();
        assert!(tags.len() > 32, "{} tags", tags.len());
    }

    #[test]
    fn mirrored_ids_share_no_place() {
        // The sums of the ids of mirrored pairs are all the same.
        let mut places: Vec<u64> = (0..100_000_u32).map(|k| of_ids(3, [k, 200_000 - k, 0]) % (1 << 18)).collect();
        places.sort_unstable();
        let most = places.chunk_by(|a, b| a == b).map(<[u64]>::len).max();
        assert!(most.is_some_and(|most| most < 40), "{most:?} in one place");
    }
}
