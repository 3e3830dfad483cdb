//! Random numbers: the xorshift generators of `Modelica.Math.Random` (Vigna, 2014).
//!
//! States are vectors of 32-bit Integers, two for each 64-bit word, the lower half first. Outputs are the random number and
//! then the new state. `automaticGlobalSeed` is left out on purpose: a run must be repeatable.

use super::{NativeFn, finish, settle, wrong_call};

/// The hidden state of the impure generator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImpureRandom {
    words: [u64; 16],
    position: usize,
    id: i32,
}

/// A signed word as a number between 0 and 1, never 0.
fn fraction(word: u64) -> f64 {
    word as i64 as f64 * 5.421_010_862_427_522e-20 + 0.5
}

fn join(low: f64, high: f64) -> u64 {
    u64::from(low as i64 as u32) | u64::from(high as i64 as u32) << 32
}

fn split(word: u64) -> [f64; 2] {
    [f64::from(word as u32 as i32), f64::from((word >> 32) as u32 as i32)]
}

fn xorshift64star(mut word: u64) -> u64 {
    word ^= word >> 12;
    word ^= word << 25;
    word ^= word >> 27;
    word.wrapping_mul(2_685_821_657_736_338_717)
}

fn xorshift128plus([s1, s0]: [u64; 2]) -> [u64; 2] {
    let s1 = s1 ^ s1 << 23;
    [s0, (s1 ^ s0 ^ s1 >> 17 ^ s0 >> 26).wrapping_add(s0)]
}

/// Changes the state and gives a number.
fn xorshift1024star(words: &mut [u64; 16], position: &mut usize) -> f64 {
    let mut s0 = words[*position & 15];
    *position = (*position + 1) & 15;
    let mut s1 = words[*position];
    s1 ^= s1 << 31;
    s1 ^= s1 >> 11;
    s0 ^= s0 >> 30;
    words[*position] = s0 ^ s1;
    fraction(words[*position].wrapping_mul(1_181_783_497_276_652_981))
}

/// The state of the largest generator: 16 words and a position.
fn read_state(state: &[f64; 33]) -> ([u64; 16], usize) {
    (std::array::from_fn(|i| join(state[2 * i], state[2 * i + 1])), (state[32] as i64 & 15) as usize)
}

/// The functions for random numbers.
pub(super) fn lookup(function: &str) -> Option<NativeFn> {
    Some(match function {
        "xorshift64star" => |environment, arguments, outputs| {
            let result = match (arguments, outputs) {
                (&[low, high], [number, state @ ..]) if state.len() == 2 => {
                    let word = xorshift64star(join(low, high));
                    *number = fraction(word);
                    state.copy_from_slice(&split(word));
                    Ok(())
                }
                _ => Err(wrong_call()),
            };
            settle(environment, result)
        },
        "xorshift128plus" => |environment, arguments, outputs| {
            let result = match (arguments, outputs) {
                (&[a, b, c, d], [number, state @ ..]) if state.len() == 4 => {
                    let [first, second] = xorshift128plus([join(a, b), join(c, d)]);
                    *number = fraction(second);
                    state[..2].copy_from_slice(&split(first));
                    state[2..].copy_from_slice(&split(second));
                    Ok(())
                }
                _ => Err(wrong_call()),
            };
            settle(environment, result)
        },
        "xorshift1024star" => |environment, arguments, outputs| {
            let result = match (<&[f64; 33]>::try_from(arguments), outputs) {
                (Ok(before), [number, state @ ..]) if state.len() == 33 => {
                    let (mut words, mut position) = read_state(before);
                    *number = xorshift1024star(&mut words, &mut position);
                    for (word, pair) in words.iter().zip(state.chunks_exact_mut(2)) {
                        pair.copy_from_slice(&split(*word));
                    }
                    state[32] = position as f64;
                    Ok(())
                }
                _ => Err(wrong_call()),
            };
            settle(environment, result)
        },
        "setInternalState_xorshift1024star" => |environment, arguments, outputs| {
            let result = match (arguments, &*outputs) {
                ([state @ .., _, id], []) => match <&[f64; 33]>::try_from(state) {
                    Ok(state) => {
                        let (words, position) = read_state(state);
                        environment.random = Some(ImpureRandom { words, position, id: *id as i32 });
                        Ok(())
                    }
                    Err(_) => Err(format!("the state of the random numbers has {} elements, not 33", state.len())),
                },
                _ => Err(wrong_call()),
            };
            settle(environment, result)
        },
        "impureRandom_xorshift1024star" => |environment, arguments, outputs| {
            let result = match (arguments, &mut environment.random) {
                ([id], Some(random)) if *id == f64::from(random.id) => Ok(xorshift1024star(&mut random.words, &mut random.position)),
                ([_], _) => Err("impureRandom is called before initializeImpureRandom".to_string()),
                _ => Err(wrong_call()),
            };
            finish(environment, outputs, result)
        },
        _ => return None,
    })
}
