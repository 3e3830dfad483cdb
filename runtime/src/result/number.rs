//! Doubles from text, correctly rounded and fast: reading result files is reading numbers.
//!
//! Input: bytes that begin with a number. Output: the number and its length, or nothing if this file cannot be certain of it; then
//! the standard library decides.
//!
//! Method: digits are collected in 64 bits, sixteen or eight at once; a decimal exponent between -27 and 0 is a product with a
//! truncated reciprocal of a power of five (Eisel and Lemire's idea without its second step).
//! Guarantees: a number that is returned is that of `str::parse`, to the last bit; truncation that could change the rounding is
//! noticed.
//! Cost: about a hundred instructions for a number of 17 digits, hardly a branch that is guessed wrong.

/// The highest 64 bits of `floor(2^127 / 5^k)`, and its length in bits less `k`, moved such that it counts as an exponent.
const RECIPROCALS: [(u64, u64); 28] = {
    let mut table = [(0, 0); 28];
    let mut power: u128 = 1;
    let mut k = 0;
    while k < 28 {
        let quotient = (1_u128 << 127) / power;
        let bits = 128 - quotient.leading_zeros();
        table[k] = ((quotient >> (bits - 64)) as u64, bits as u64 + 958 - k as u64);
        power *= 5;
        k += 1;
    }
    table
};

/// Eight zeros as text.
const ZEROS: u64 = 0x3030_3030_3030_3030;

/// Powers of ten.
const POWERS: [u64; 9] = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// A number at the beginning of the bytes, and how many bytes it has; `None` if it is not written in the usual way with at most 19
/// digits, or if its last bit is not certain.
pub(super) fn leading_number(bytes: &[u8]) -> Option<(f64, usize)> {
    match bytes.first_chunk().and_then(common_number) {
        Some((value, length)) if !matches!(bytes[length], b'e' | b'E') => Some((value, length)),
        _ => any_number(bytes),
    }
}

/// The most common form at the beginning of the bytes: one digit, a point, up to 19 digits; an exponent is left where it is. Digits are
/// taken by the sixteen or eight; the only branches are those that mostly go the same way, as a wrong guess costs more than
/// all the rest.
#[inline(always)]
pub(super) fn common_number(bytes: &[u8; 32]) -> Option<(f64, usize)> {
    let negative = bytes[0] == b'-';
    let size: &[u8; 31] = bytes[usize::from(negative)..].first_chunk()?;
    let whole = u64::from(size[0].wrapping_sub(b'0'));
    if whole > 9 || size[1] != b'.' {
        return None;
    }
    let word = |at: usize| size[at..].first_chunk().map(|eight| u64::from_le_bytes(*eight));
    let (first, second) = (word(2)?, word(10)?);
    let (digits, n_digits) = match sixteen_digits(first, second) {
        Some(sixteen) => {
            // Up to three more digits always have room behind a zero, up to two behind another digit.
            let (more, n) = three_digits(word(18)? as u32);
            if n + usize::from(whole != 0) > 3 {
                return None;
            }
            ((whole * 10_000_000_000_000_000 + sixteen) * POWERS[n] + more, 16 + n)
        }
        None => {
            let (more, n) = some_digits(first);
            let digits = whole * POWERS[n] + more;
            if n < 8 {
                (digits, n)
            } else {
                let (more, n) = some_digits(second);
                (digits * POWERS[n] + more, 8 + n)
            }
        }
    };
    let value = if digits == 0 { 0.0 } else { fraction(digits, n_digits)? };
    let sign = u64::from(negative) << 63;
    Some((f64::from_bits(value.to_bits() | sign), usize::from(negative) + 2 + n_digits))
}

/// The number of sixteen bytes, if all are digits.
#[inline]
fn sixteen_digits(first: u64, second: u64) -> Option<u64> {
    let (first, second) = (first ^ ZEROS, second ^ ZEROS);
    let sixes = 0x0606_0606_0606_0606;
    // A nine and six have room in four bits, a ten has not.
    let other = first | second | first.wrapping_add(sixes) | second.wrapping_add(sixes);
    (other & 0xf0f0_f0f0_f0f0_f0f0 == 0).then(|| joined(first) * 100_000_000 + joined(second))
}

/// The number of the digits that begin four bytes, and how many there are; what it is of four has no meaning.
#[inline]
fn three_digits(word: u32) -> (u64, usize) {
    let digits = word ^ 0x3030_3030;
    let other = (((digits & 0x7f7f_7f7f) + 0x7676_7676) | digits) & 0x8080_8080;
    let n = other.trailing_zeros() / 8;
    // Zeros before them, and what is behind them falls off.
    let digits = (u64::from(digits) << (32 - 8 * n)) & 0xffff_ffff;
    let pairs = digits * 10 + (digits >> 8);
    ((pairs & 0xff) * 100 + (pairs >> 16 & 0xff), n as usize)
}

/// The number of the digits that begin eight bytes, and how many there are.
#[inline]
fn some_digits(word: u64) -> (u64, usize) {
    let digits = word ^ ZEROS;
    // The highest bit of each byte: it is more than nine.
    let other = (((digits & 0x7f7f_7f7f_7f7f_7f7f) + 0x7676_7676_7676_7676) | digits) & 0x8080_8080_8080_8080;
    let n = other.trailing_zeros() / 8;
    // Zeros before them, and what is behind them falls off. In two halves, as no shift takes 64.
    let shift = 4 * (8 - n);
    (joined(digits << shift << shift), n as usize)
}

/// The number of eight digits, the first one lowest: pairs, fours and eights are put together within one word (Lemire).
#[inline]
fn joined(digits: u64) -> u64 {
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8);
    let mask = 0x0000_00ff_0000_00ff;
    let upper = (pairs & mask).wrapping_mul(0x000f_4240_0000_0064);
    let lower = (pairs >> 16 & mask).wrapping_mul(0x0000_2710_0000_0001);
    upper.wrapping_add(lower) >> 32
}

/// As [`leading_number`], digit by digit.
#[cold]
#[inline(never)]
fn any_number(bytes: &[u8]) -> Option<(f64, usize)> {
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
        while let Some(eight) = bytes[at..].first_chunk() {
            let (more, n) = some_digits(u64::from_le_bytes(*eight));
            digits = digits.wrapping_mul(POWERS[n]).wrapping_add(more);
            at += n;
            if n < 8 {
                break;
            }
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

/// `digits * 10^exponent`, if that is certain.
#[inline]
fn scaled(digits: u64, exponent: i32) -> Option<f64> {
    if digits == 0 {
        return Some(0.0);
    }
    if exponent == 0 && digits < 1 << 53 {
        return Some(digits as f64);
    }
    fraction(digits, usize::try_from(-exponent).ok().filter(|k| *k < RECIPROCALS.len())?)
}

/// `digits / 10^k`, if that is certain; there are digits, and a reciprocal for `k`.
#[inline]
fn fraction(digits: u64, k: usize) -> Option<f64> {
    let (reciprocal, exponent) = RECIPROCALS[k];
    let zeros = digits.leading_zeros();
    let product = u128::from(digits << zeros) * u128::from(reciprocal);
    let high = (product >> 64) as u64;
    // The true product is less than two units larger, less than four when its highest bit has been moved to the end.
    let more = (high >> 63) ^ 1;
    let high = high << more;
    let rest = high & 0x7ff;
    if (0x3fe..=0x400).contains(&rest) {
        return None;
    }
    // 53 bits; if rounding makes them one more, all others are zero, and the sum below is right too.
    let mantissa = ((high >> 1) + 0x200) >> 10;
    let exponent = exponent - u64::from(zeros) - more;
    Some(f64::from_bits((exponent << 52) + mantissa))
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
        let bits = |text: &str| leading_number(text.as_bytes()).map(|(value, length)| (value.to_bits(), length));
        let mut certain = 0;
        for round in 0..200_000 {
            let text = match round % 8 {
                0 => format!("{}", f64::from_bits(next())),
                1 => format!("{:.6e}", (next() as f64 / 1e19 - 0.9) * 1e3),
                2 => format!("{}", (next() >> 11) as f64 / (1_u64 << 53) as f64),
                3 => format!("-{}.{:05}", next() % 100_000, next() % 100_000),
                4 => format!("{}e-{}", next() % 10_000_000_000_000_000_000, next() % 30),
                5 => format!("{}.{:0width$}", next() % 10, next() % 10_u64.pow(1 + (next() % 19) as u32), width = (next() % 21) as usize),
                // Half way between two doubles, and just beside.
                6 => format!("{}", (1_u64 << 53) + 1 + 2 * (next() % (1 << 52))),
                _ => format!("0.{:019}", 5_u64.pow(19) * (1 + 2 * (next() % (1 << 18)))),
            };
            // What is behind a number decides how it is read, not what it is.
            for end in [",", ",0.123456789012345678901234567890", "\n1,2,3,4,5,6,7,8,9,10,11,12,13,14,15"] {
                let longer = format!("{text}{end}");
                assert_eq!(bits(&longer), bits(&text), "{longer}");
            }
            if let Some((value, length)) = leading_number(text.as_bytes()) {
                assert_eq!(length, text.len(), "{text}");
                assert_eq!(value.to_bits(), text.parse::<f64>().expect("a number").to_bits(), "{text}");
                certain += 1;
            }
        }
        assert!(certain > 120_000, "only {certain} numbers are read fast");
        assert_eq!(leading_number(b"1.5,2"), Some((1.5, 3)));
        assert_eq!(leading_number(b"-0,").map(|(value, length)| (value.to_bits(), length)), Some(((-0.0_f64).to_bits(), 2)));
        for text in ["", "-", ".", "e5", "1e", "nan", "12345678901234567890", "1e99999"] {
            assert_eq!(leading_number(text.as_bytes()), None, "{text}");
        }
    }
}
