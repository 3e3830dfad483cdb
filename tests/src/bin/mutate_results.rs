//! `mutate_results N [SEED]`: damages N result files and reads them; no panic, no huge allocation.

fn main() {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|text| text.parse().ok()).collect();
    let (Some(rounds), seed) = (numbers.first().copied(), numbers.get(1).copied().unwrap_or(1)) else {
        eprintln!("usage: mutate_results N [SEED]");
        std::process::exit(2);
    };
    let readable = partita_tests::results::mutate(rounds as usize, seed);
    println!("{rounds} damaged files, {readable} of which could still be read");
}
