//! Draws a scene as PNG: smoothed lines, letters of a fixed grid, and the compression that white paper needs.
//!
//! Compression: every row is stored as its difference to the one above, and runs of equal bytes are matches of distance one in
//! a single deflate block with fixed codes (RFC 1951, 3.2.6). A plot of 900 by 500 pixels has about 60 kB.

use super::font;
use super::scene::{Anchor, Colour, Item, Scene};

struct Image {
    width: usize,
    height: usize,
    pixels: Vec<u8>,
}

impl Image {
    /// Mixes a colour into a pixel; outside the picture nothing happens.
    fn blend(&mut self, x: i64, y: i64, colour: Colour, part: f64) {
        if x < 0 || y < 0 || x >= self.width as i64 || y >= self.height as i64 {
            return;
        }
        let at = 3 * (y as usize * self.width + x as usize);
        for (pixel, wanted) in self.pixels[at..at + 3].iter_mut().zip(colour) {
            *pixel = (f64::from(*pixel) + (f64::from(wanted) - f64::from(*pixel)) * part.clamp(0.0, 1.0)).round() as u8;
        }
    }

    /// A straight line: every pixel near it is covered by how near it is.
    fn line(&mut self, from: (f64, f64), to: (f64, f64), colour: Colour, width: f64) {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = dx.hypot(dy);
        if !length.is_finite() || length > 1e5 {
            return;
        }
        let reach = 0.5 * width + 1.0;
        let steep = dy.abs() > dx.abs();
        // Along the longer direction pixel by pixel, across it as far as the line reaches.
        let (a, b) = if steep { (from.1, to.1) } else { (from.0, to.0) };
        let (first, last) = ((a.min(b) - reach).floor() as i64, (a.max(b) + reach).ceil() as i64);
        for along in first..=last {
            let centre = along as f64 + 0.5;
            let part = if b == a { 0.0 } else { ((centre - a) / (b - a)).clamp(0.0, 1.0) };
            let middle = if steep { from.0 + part * dx } else { from.1 + part * dy };
            for across in (middle - reach - 1.0).floor() as i64..=(middle + reach + 1.0).ceil() as i64 {
                let (x, y) = if steep { (across, along) } else { (along, across) };
                let (px, py) = (x as f64 + 0.5 - from.0, y as f64 + 0.5 - from.1);
                let at = if length == 0.0 { 0.0 } else { ((px * dx + py * dy) / (length * length)).clamp(0.0, 1.0) };
                let distance = (px - at * dx).hypot(py - at * dy);
                self.blend(x, y, colour, 0.5 * width + 0.5 - distance);
            }
        }
    }

    fn text(&mut self, at: (f64, f64), anchor: Anchor, text: &str, colour: Colour) {
        // Letters are five by seven dots of two by two pixels at most.
        const SCALE: i64 = 2;
        let width = text.chars().count() as i64 * 6 * SCALE;
        let mut x = at.0 as i64
            - match anchor {
                Anchor::Left => 0,
                Anchor::Middle => width / 2,
                Anchor::Right => width,
            };
        let y = at.1 as i64 - 7 * SCALE;
        for c in text.chars() {
            for (column, bits) in font::columns(c).into_iter().enumerate() {
                for row in 0..8 {
                    if bits >> row & 1 == 1 {
                        for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                            self.blend(x + column as i64 * SCALE + i, y + row * SCALE + j, colour, 0.9);
                        }
                    }
                }
            }
            x += 6 * SCALE;
        }
    }
}

/// The bytes of a PNG file.
pub(super) fn draw(scene: &Scene) -> Vec<u8> {
    let mut image = Image { width: scene.width, height: scene.height, pixels: vec![255; 3 * scene.width * scene.height] };
    for item in &scene.items {
        match item {
            Item::Line { points, colour, width } => {
                for pair in points.windows(2) {
                    image.line(pair[0], pair[1], *colour, *width);
                }
            }
            Item::Text { at, anchor, text, colour } => image.text(*at, *anchor, text, *colour),
        }
    }
    let mut rows = Vec::with_capacity(image.pixels.len() + image.height);
    let stride = 3 * image.width;
    for y in 0..image.height {
        // Filter 2: the difference to the row above.
        rows.push(2);
        for x in 0..stride {
            let above = if y == 0 { 0 } else { image.pixels[(y - 1) * stride + x] };
            rows.push(image.pixels[y * stride + x].wrapping_sub(above));
        }
    }
    let mut head = Vec::new();
    head.extend_from_slice(&(image.width as u32).to_be_bytes());
    head.extend_from_slice(&(image.height as u32).to_be_bytes());
    // Eight bits, red-green-blue, deflate, filters per row, not interlaced.
    head.extend_from_slice(&[8, 2, 0, 0, 0]);
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    chunk(&mut out, b"IHDR", &head);
    chunk(&mut out, b"IDAT", &compressed(&rows));
    chunk(&mut out, b"IEND", &[]);
    out
}

fn chunk(out: &mut Vec<u8>, kind: &[u8; 4], content: &[u8]) {
    out.extend_from_slice(&(content.len() as u32).to_be_bytes());
    let begin = out.len();
    out.extend_from_slice(kind);
    out.extend_from_slice(content);
    let sum = crc(&out[begin..]);
    out.extend_from_slice(&sum.to_be_bytes());
}

/// The checksum of PNG (ISO 3309).
fn crc(bytes: &[u8]) -> u32 {
    let mut sum = u32::MAX;
    for byte in bytes {
        sum ^= u32::from(*byte);
        for _ in 0..8 {
            sum = if sum & 1 == 1 { 0xedb8_8320 ^ (sum >> 1) } else { sum >> 1 };
        }
    }
    !sum
}

/// The checksum of zlib.
fn adler(bytes: &[u8]) -> u32 {
    let (mut a, mut b) = (1u32, 0u32);
    for byte in bytes {
        a = (a + u32::from(*byte)) % 65521;
        b = (b + a) % 65521;
    }
    b << 16 | a
}

/// Bits, lowest first.
struct Bits {
    out: Vec<u8>,
    pending: u32,
    n_pending: u32,
}

impl Bits {
    fn put(&mut self, value: u32, n: u32) {
        self.pending |= value << self.n_pending;
        self.n_pending += n;
        while self.n_pending >= 8 {
            self.out.push(self.pending as u8);
            self.pending >>= 8;
            self.n_pending -= 8;
        }
    }

    /// A code of the fixed table, highest bit first.
    fn symbol(&mut self, symbol: u32) {
        let (code, n) = match symbol {
            0..=143 => (0x30 + symbol, 8),
            144..=255 => (0x190 + symbol - 144, 9),
            256..=279 => (symbol - 256, 7),
            _ => (0xc0 + symbol - 280, 8),
        };
        self.put(code.reverse_bits() >> (32 - n), n);
    }
}

/// zlib: literals, and runs of equal bytes.
fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut bits = Bits { out: vec![0x78, 0x01], pending: 0, n_pending: 0 };
    // The last block, with fixed codes.
    bits.put(1, 1);
    bits.put(1, 2);
    let mut at = 0;
    while at < bytes.len() {
        bits.symbol(u32::from(bytes[at]));
        let mut run = bytes[at + 1..].iter().take_while(|byte| **byte == bytes[at]).count();
        at += 1 + run;
        while run >= 3 {
            let length = if run >= 258 { 258 } else { run.min(10) };
            // 3..=10 have codes of their own; 258 is the longest. Distance one has code zero of five bits.
            bits.symbol(if length == 258 { 285 } else { 254 + length as u32 });
            bits.put(0, 5);
            run -= length;
        }
        at -= run;
    }
    bits.symbol(256);
    bits.put(0, 7);
    let mut out = bits.out;
    out.extend_from_slice(&adler(bytes).to_be_bytes());
    out
}
