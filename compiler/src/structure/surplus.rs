//! Who is left over when members compete for too few places, the first members served first.
//!
//! Input: for each member the places it can take. Output: for each member its place, or none. Method: each member in turn is given a
//! place along an augmenting path, so that nobody who was served loses the place for good (the sets that can be served together
//! are a matroid: serving greedily leaves over those that come last). Guarantee: as many are served as can be; ends for every input.
//! Cost: O(members * entries) at worst; it is asked only about small parts of a system that is refused.

use std::collections::VecDeque;

/// The place of each member; `None` for those that are left over.
pub fn serve(places_of: &[Vec<usize>], n_places: usize) -> Vec<Option<usize>> {
    let mut served = Served { owner_of: vec![None; n_places], place_of: vec![None; places_of.len()] };
    (0..places_of.len()).for_each(|member| served.augment(places_of, member));
    served.place_of
}

/// Who has what so far.
struct Served {
    owner_of: Vec<Option<usize>>,
    place_of: Vec<Option<usize>>,
}

impl Served {
    /// Gives a member a place, moving others on, if that is possible.
    fn augment(&mut self, places_of: &[Vec<usize>], member: usize) {
        let mut seen_from: Vec<Option<usize>> = vec![None; self.owner_of.len()];
        let mut queue = VecDeque::from([member]);
        while let Some(asking) = queue.pop_front() {
            for &place in &places_of[asking] {
                if seen_from[place].is_some() {
                    continue;
                }
                seen_from[place] = Some(asking);
                match self.owner_of[place] {
                    Some(owner) => queue.push_back(owner),
                    None => return self.move_on(place, &seen_from),
                }
            }
        }
    }

    /// Gives a free place to the one that saw it, that one's place to the next, and so on.
    fn move_on(&mut self, free: usize, seen_from: &[Option<usize>]) {
        let mut next = Some(free);
        while let Some(place) = next {
            let Some(asking) = seen_from[place] else { return };
            next = self.place_of[asking].replace(place);
            self.owner_of[place] = Some(asking);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::serve;

    #[test]
    fn the_last_member_is_left_over() {
        assert_eq!(serve(&[vec![0], vec![0, 1], vec![1]], 2), [Some(0), Some(1), None]);
    }

    #[test]
    fn others_move_on() {
        assert_eq!(serve(&[vec![0, 1], vec![0]], 2), [Some(1), Some(0)]);
        assert_eq!(serve(&[vec![], vec![0]], 1), [None, Some(0)]);
    }
}
