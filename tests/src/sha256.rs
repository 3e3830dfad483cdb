//! SHA-256 (FIPS 180-4), to choose models in an order that nobody chose.
//!
//! Input: bytes. Output: the digest. Guarantee: the test vectors of the standard. Cost: linear.

/// The first 32 bits of the fractional parts of roots of the first primes: cube roots for the rounds, square roots for the start.
fn fractions(n: usize, root: fn(f64) -> f64) -> Vec<u32> {
    let is_prime = |p: &u32| (2..*p).take_while(|d| d * d <= *p).all(|d| !p.is_multiple_of(d));
    (2..).filter(is_prime).take(n).map(|p| (root(f64::from(p)).fract() * 4_294_967_296.0) as u32).collect()
}

/// The digest of some bytes.
pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    let k = fractions(64, f64::cbrt);
    let mut h = fractions(8, f64::sqrt);
    let mut message = bytes.to_vec();
    message.push(0x80);
    while message.len() % 64 != 56 {
        message.push(0);
    }
    message.extend((bytes.len() as u64 * 8).to_be_bytes());
    for block in message.chunks(64) {
        let mut w: Vec<u32> = block.chunks(4).map(|b| u32::from_be_bytes([b[0], b[1], b[2], b[3]])).collect();
        for i in 16..64 {
            let s0 = w[i - 15].rotate_right(7) ^ w[i - 15].rotate_right(18) ^ (w[i - 15] >> 3);
            let s1 = w[i - 2].rotate_right(17) ^ w[i - 2].rotate_right(19) ^ (w[i - 2] >> 10);
            w.push(w[i - 16].wrapping_add(s0).wrapping_add(w[i - 7]).wrapping_add(s1));
        }
        let mut v = h.clone();
        for i in 0..64 {
            let s1 = v[4].rotate_right(6) ^ v[4].rotate_right(11) ^ v[4].rotate_right(25);
            let choice = (v[4] & v[5]) ^ (!v[4] & v[6]);
            let t1 = v[7].wrapping_add(s1).wrapping_add(choice).wrapping_add(k[i]).wrapping_add(w[i]);
            let s0 = v[0].rotate_right(2) ^ v[0].rotate_right(13) ^ v[0].rotate_right(22);
            let majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
            v.rotate_right(1);
            v[4] = v[4].wrapping_add(t1);
            v[0] = t1.wrapping_add(s0).wrapping_add(majority);
        }
        h.iter_mut().zip(v).for_each(|(h, v)| *h = h.wrapping_add(v));
    }
    let mut digest = [0; 32];
    digest.chunks_mut(4).zip(h).for_each(|(place, word)| place.copy_from_slice(&word.to_be_bytes()));
    digest
}

#[cfg(test)]
mod tests {
    use super::sha256;

    #[test]
    fn the_vectors_of_the_standard() {
        let hex = |bytes: &[u8]| sha256(bytes).iter().map(|b| format!("{b:02x}")).collect::<String>();
        assert_eq!(hex(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(hex(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }
}
