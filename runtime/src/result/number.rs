//! Doubles from text, correctly rounded and fast: reading result files is reading numbers.
//!
//! Method: digits are collected in 64 bits; a decimal exponent between -27 and 0 is a product with a truncated reciprocal of a power of
//! five (Eisel and Lemire's idea without its second step). Where truncation could change the rounding, and for all else, the
//! standard library decides.

/// `floor(2^127 / 5^k)`, its highest 64 bits and its length in bits.
const RECIPROCALS: [(u64, u32); 28] = {
    let mut table = [(0, 0); 28];
    let mut power: u128 = 1;
    let mut k = 0;
    while k < 28 {
        let quotient = (1_u128 << 127) / power;
        let bits = 128 - quotient.leading_zeros();
        table[k] = ((quotient >> (bits - 64)) as u64, bits);
        power *= 5;
        k += 1;
    }
    table
};

/// A number at the beginning of the bytes, and how many bytes it has; `None` if it is not written in the usual way with at most 19
/// digits, or if its last bit is not certain.
#[inline]
pub(super) fn leading_number(bytes: &[u8]) -> Option<(f64, usize)> {
    let mut at = 0;
    let negative = bytes.first() == Some(&b'-');
    if negative {
        at = 1;
    }
    let mut digits: u64 = 0;
    let begin = at;
    while let Some(digit) = bytes.get(at).map(|b| b.wrapping_sub(b'0')).filter(|digit| *digit < 10) {
        digits = digits.wrapping_mul(10).wrapping_add(u64::from(digit));
        at += 1;
    }
    // Zeros before the point do not count.
    let mut n_digits = if digits == 0 && at - begin < 20 { 0 } else { at - begin };
    let n_whole = at - begin;
    let mut exponent: i32 = 0;
    if bytes.get(at) == Some(&b'.') {
        at += 1;
        let begin = at;
        while let Some(eight) = eight_digits(&bytes[at..]) {
            digits = digits.wrapping_mul(100_000_000).wrapping_add(eight);
            at += 8;
        }
        while let Some(digit) = bytes.get(at).map(|b| b.wrapping_sub(b'0')).filter(|digit| *digit < 10) {
            digits = digits.wrapping_mul(10).wrapping_add(u64::from(digit));
            at += 1;
        }
        n_digits += at - begin;
        exponent = -((at - begin) as i32);
    }
    // Zeros behind the point may make this too careful, never wrong.
    if n_whole as i32 - exponent == 0 || n_digits > 19 {
        return None;
    }
    if let Some(b'e' | b'E') = bytes.get(at) {
        at += 1;
        let minus = bytes.get(at) == Some(&b'-');
        if minus || bytes.get(at) == Some(&b'+') {
            at += 1;
        }
        let begin = at;
        let mut written: i32 = 0;
        while let Some(digit) = bytes.get(at).map(|b| b.wrapping_sub(b'0')).filter(|digit| *digit < 10) {
            written = written.saturating_mul(10).saturating_add(i32::from(digit));
            at += 1;
        }
        if at == begin || at - begin > 4 {
            return None;
        }
        exponent += if minus { -written } else { written };
    }
    let size = scaled(digits, exponent)?;
    Some((if negative { -size } else { size }, at))
}

/// The number of the first eight bytes, if all are digits: pairs, fours and eights are put together within one word (Lemire).
#[inline]
fn eight_digits(bytes: &[u8]) -> Option<u64> {
    let word = u64::from_le_bytes(*bytes.first_chunk()?);
    let high = 0xf0f0_f0f0_f0f0_f0f0;
    if word & high != 0x3030_3030_3030_3030 || word.wrapping_add(0x0606_0606_0606_0606) & high != 0x3030_3030_3030_3030 {
        return None;
    }
    let digits = word - 0x3030_3030_3030_3030;
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8);
    let mask = 0x0000_00ff_0000_00ff;
    let upper = (pairs & mask).wrapping_mul(0x000f_4240_0000_0064);
    let lower = (pairs >> 16 & mask).wrapping_mul(0x0000_2710_0000_0001);
    Some(upper.wrapping_add(lower) >> 32)
}

/// `digits * 10^exponent`, if that is certain.
#[inline]
fn scaled(digits: u64, exponent: i32) -> Option<f64> {
    if digits == 0 {
        return Some(0.0);
    }
    if exponent == 0 && digits < 1 << 53 {
        return Some(digits as f64);
    }
    let k = usize::try_from(-exponent).ok().filter(|k| *k < RECIPROCALS.len())?;
    let (reciprocal, bits) = RECIPROCALS[k];
    let zeros = digits.leading_zeros();
    let product = u128::from(digits << zeros) * u128::from(reciprocal);
    let high = (product >> 64) as u64;
    let n_rest = 10 + (high >> 63) as u32;
    let rest = high & ((1 << n_rest) - 1);
    let half = 1 << (n_rest - 1);
    // The true product is less than one unit of `high` larger.
    if rest == half || rest + 1 == half {
        return None;
    }
    let mantissa = (high >> n_rest) + u64::from(rest > half);
    let power = n_rest as i32 + 64 + bits as i32 - 191 - zeros as i32 - k as i32;
    // Far from the ends of the range of doubles, so both factors and the product are exact.
    Some(mantissa as f64 * f64::from_bits(((1023 + power) as u64) << 52))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_standard_library() {
        let mut state = 88_172_645_463_325_252_u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        let mut certain = 0;
        for round in 0..200_000 {
            let text = match round % 5 {
                0 => format!("{}", f64::from_bits(next())),
                1 => format!("{:.6e}", (next() as f64 / 1e19 - 0.9) * 1e3),
                2 => format!("{}", (next() >> 11) as f64 / (1_u64 << 53) as f64),
                3 => format!("-{}.{:05}", next() % 100_000, next() % 100_000),
                _ => format!("{}e-{}", next() % 10_000_000_000_000_000_000, next() % 30),
            };
            if let Some((value, length)) = leading_number(text.as_bytes()) {
                assert_eq!(length, text.len(), "{text}");
                assert_eq!(value.to_bits(), text.parse::<f64>().expect("a number").to_bits(), "{text}");
                certain += 1;
            }
        }
        assert!(certain > 130_000, "only {certain} numbers are read fast");
        assert_eq!(leading_number(b"1.5,2"), Some((1.5, 3)));
        assert_eq!(leading_number(b"-0,").map(|(value, length)| (value.to_bits(), length)), Some(((-0.0_f64).to_bits(), 2)));
        for text in ["", "-", ".", "e5", "1e", "nan", "12345678901234567890", "1e99999"] {
            assert_eq!(leading_number(text.as_bytes()), None, "{text}");
        }
    }
}
