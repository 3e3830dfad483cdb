//! The functions of random numbers, as generated code calls them. Outputs are the random number and then the new state.
#![forbid(unsafe_code)]

use super::environment::{NativeFn, finish, settle, wrong_call};
use super::random::{ImpureRandom, fraction, join, read_state, split, xorshift64star, xorshift128plus, xorshift1024star};

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
