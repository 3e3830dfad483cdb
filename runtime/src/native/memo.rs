//! Memoisation: results of costly functions, kept for calls with the same arguments.
//!
//! Models of media call the same function for each property of one state, in several kernels and in every iteration of a system that
//! does not change its arguments. Only functions without effects are kept here, so a result that is found is the one that a call gives.
//!
//! Method: a table with one entry per hash of function and arguments; a new result replaces what was there.
//! Guarantees: arguments are compared bit by bit. Nothing is allocated once every entry has been used.
//! Cost: a few nanoseconds per argument and output.
#![forbid(unsafe_code)]

/// Number of entries, a power of two.
const ENTRIES: usize = 256;

/// The table.
#[derive(Debug, Default)]
pub struct MemoTable {
    entries: Vec<MemoEntry>,
}

#[derive(Clone, Debug, Default)]
struct MemoEntry {
    /// The address of the function; 0 if there is no result.
    function: usize,
    args: Vec<f64>,
    outs: Vec<f64>,
}

/// Where the results of a call are kept.
fn position(function: usize, args: &[f64]) -> usize {
    let mut hash = function as u64;
    for arg in args {
        hash = (hash.rotate_left(5) ^ arg.to_bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    (hash >> 32) as usize % ENTRIES
}

impl MemoTable {
    /// Runs `call` unless the results of `function` for these arguments are known. Failed calls are not kept.
    pub fn call(&mut self, function: usize, args: &[f64], outs: &mut [f64], call: impl FnOnce(&mut [f64]) -> i32) -> i32 {
        if self.entries.is_empty() {
            self.entries.resize(ENTRIES, MemoEntry::default());
        }
        let entry = &mut self.entries[position(function, args)];
        let same = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits();
        if entry.function == function && entry.args.len() == args.len() && entry.args.iter().zip(args).all(same) {
            outs.copy_from_slice(&entry.outs);
            return 0;
        }
        let status = call(outs);
        if status == 0 {
            entry.function = function;
            entry.args.clear();
            entry.args.extend_from_slice(args);
            entry.outs.clear();
            entry.outs.extend_from_slice(outs);
        }
        status
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_called_once_for_equal_arguments() {
        let mut memo = MemoTable::default();
        let mut calls = 0;
        let mut square = |memo: &mut MemoTable, function: usize, x: f64| {
            let mut outs = [f64::NAN];
            let status = memo.call(function, &[x], &mut outs, |outs| {
                calls += 1;
                outs[0] = x * x;
                i32::from(x < 0.0)
            });
            (status, outs[0], calls)
        };
        assert_eq!(square(&mut memo, 7, 3.0), (0, 9.0, 1));
        assert_eq!(square(&mut memo, 7, 3.0), (0, 9.0, 1));
        assert_eq!(square(&mut memo, 8, 3.0), (0, 9.0, 2));
        assert_eq!(square(&mut memo, 7, 2.0), (0, 4.0, 3));
        // Failures are told each time, and zeros of both signs are different arguments.
        assert_eq!(square(&mut memo, 7, -3.0), (1, 9.0, 4));
        assert_eq!(square(&mut memo, 7, -3.0), (1, 9.0, 5));
        assert_eq!(square(&mut memo, 7, 0.0), (0, 0.0, 6));
        assert_eq!(square(&mut memo, 7, -0.0), (0, 0.0, 7));
    }
}
