//! What the published equations give for the models of the papers, recomputed independently of this project, and its comparison with
//! what cycle analysis finds through the whole compiler.

use crate::simulation::{Engine, compile, instance};
use partita::decouple::cycles::report::Report;
use partita::decouple::cycles::{Options, SelfLoop};
use partita::decouple::operating_points::{At, operating_points};
use partita::pipeline;
use partita_grammar::Source;

/// What the published equations give for a model of the papers, recomputed independently of this project: number of cycles, stiffness
/// index, separability index, number of fast states, and bounds with the number of states that have them.
pub struct Seed {
    /// File in the folder of models.
    pub model: &'static str,
    /// What may be left of a perturbation.
    pub alpha: f64,
    /// Formula.
    pub self_loop: SelfLoop,
    cycles: u64,
    stiffness: f64,
    separability: f64,
    split: usize,
    bounds: &'static [(f64, usize)],
}

#[expect(clippy::too_many_arguments, reason = "a row of a table")]
const fn seed(
    model: &'static str,
    alpha: f64,
    self_loop: SelfLoop,
    cycles: u64,
    stiffness: f64,
    separability: f64,
    split: usize,
    bounds: &'static [(f64, usize)],
) -> Seed {
    Seed { model, alpha, self_loop, cycles, stiffness, separability, split, bounds }
}

use SelfLoop::{Compat, Printed};

/// All of them, at the start of the run.
pub const SEEDS: &[Seed] = &[
    seed("dc_motor", 0.5, Printed, 4, 2.456398919, 0.0, 1, &[(0.09, 1), (0.2210759027, 1), (f64::INFINITY, 1)]),
    seed("dc_motor", 0.5, Compat, 4, 15.66666667, 0.1609095253, 2, &[(0.03191489362, 1), (0.2210759027, 1), (0.5, 1)]),
    seed("dc_motor", 1.0, Printed, 4, 2.6054045, 0.0, 1, &[(0.12, 1), (0.3126485399, 1), (f64::INFINITY, 1)]),
    seed("dc_motor", 1.0, Compat, 4, 15.66666667, 0.319001801, 2, &[(0.06382978723, 1), (0.3126485399, 1), (1.0, 1)]),
    seed("half_car", 0.5, Printed, 7, 1.394433378, 0.6666666667, 2, &[(0.07142857143, 2), (0.09960238411, 2)]),
    seed(
        "half_car",
        0.5,
        Compat,
        7,
        2.589661987,
        0.3817981162,
        1,
        &[(0.03846153846, 1), (0.07142857143, 1), (0.07692307692, 1), (0.09960238411, 1)],
    ),
    seed("half_car", 1.0, Printed, 7, 1.394433378, 0.6666666667, 2, &[(0.1010152545, 2), (0.1408590425, 2)]),
    seed("half_car", 1.0, Compat, 7, 1.831167552, 0.4651113867, 2, &[(0.07692307692, 1), (0.1010152545, 1), (0.1408590425, 2)]),
    seed(
        "double_mass",
        0.5,
        Printed,
        17,
        12.92284798,
        0.7794733526,
        4,
        &[(0.03159120118, 2), (0.04467670516, 2), (0.2886751346, 2), (0.4082482905, 2)],
    ),
    seed(
        "double_mass",
        0.5,
        Compat,
        17,
        12.92284798,
        0.7794733526,
        4,
        &[(0.03159120118, 2), (0.04467670516, 2), (0.2886751346, 2), (0.4082482905, 2)],
    ),
    seed(
        "double_mass",
        1.0,
        Printed,
        17,
        12.92284798,
        0.7794733526,
        4,
        &[(0.04467670516, 2), (0.06318240236, 2), (0.4082482905, 2), (0.5773502692, 2)],
    ),
    seed(
        "double_mass",
        1.0,
        Compat,
        17,
        12.92284798,
        0.7794733526,
        4,
        &[(0.04467670516, 2), (0.06318240236, 2), (0.4082482905, 2), (0.5773502692, 2)],
    ),
    seed(
        "heat_exchanger",
        0.5,
        Printed,
        95,
        4.575906336,
        0.9539572249,
        10,
        &[(0.0126, 10), (0.04634404879, 12), (0.0481496761, 2), (0.05045236421, 2), (0.05348619613, 2), (0.05765641983, 2)],
    ),
    seed(
        "heat_exchanger",
        0.5,
        Compat,
        95,
        13.61240617,
        0.954025958,
        10,
        &[
            (0.004235578862, 10),
            (0.04430379747, 10),
            (0.04634404879, 2),
            (0.0481496761, 2),
            (0.05045236421, 2),
            (0.05348619613, 2),
            (0.05765641983, 2),
        ],
    ),
    seed(
        "heat_exchanger",
        1.0,
        Printed,
        95,
        3.60612297,
        0.9513413322,
        10,
        &[(0.0168, 10), (0.04782744207, 12), (0.04984767076, 2), (0.05243308498, 2), (0.05585423234, 2), (0.0605828659, 2)],
    ),
    seed(
        "heat_exchanger",
        1.0,
        Compat,
        95,
        7.151663074,
        0.9543413337,
        10,
        &[(0.008471157725, 10), (0.04782744207, 12), (0.04984767076, 2), (0.05243308498, 2), (0.05585423234, 2), (0.0605828659, 2)],
    ),
    seed(
        "heat_exchanger_30",
        0.5,
        Printed,
        585,
        3.267253044,
        0.985495195,
        30,
        &[
            (0.004701492537, 30),
            (0.01295871232, 32),
            (0.01304822045, 2),
            (0.01314458534, 2),
            (0.01324862333, 2),
            (0.01336128521, 2),
            (0.01348368504, 2),
            (0.01361713659, 2),
            (0.01376319999, 2),
            (0.01392374214, 2),
            (0.01410101554, 2),
            (0.01429776282, 2),
            (0.01451735696, 2),
            (0.01476399226, 2),
            (0.01504294886, 2),
            (0.0153609658, 2),
        ],
    ),
    seed(
        "heat_exchanger_30",
        0.5,
        Compat,
        585,
        9.771037199,
        0.9863935776,
        30,
        &[
            (0.00157209163, 30),
            (0.01295871232, 32),
            (0.01304822045, 2),
            (0.01314458534, 2),
            (0.01324862333, 2),
            (0.01336128521, 2),
            (0.01348368504, 2),
            (0.01361713659, 2),
            (0.01376319999, 2),
            (0.01392374214, 2),
            (0.01410101554, 2),
            (0.01429776282, 2),
            (0.01451735696, 2),
            (0.01476399226, 2),
            (0.01504294886, 2),
            (0.0153609658, 2),
        ],
    ),
    seed(
        "heat_exchanger_30",
        1.0,
        Printed,
        585,
        2.500908819,
        0.9845348909,
        30,
        &[
            (0.006268656716, 30),
            (0.01310440091, 32),
            (0.01319983347, 2),
            (0.01330261625, 2),
            (0.01341362894, 2),
            (0.01353389691, 2),
            (0.01366462249, 2),
            (0.01380722473, 2),
            (0.01396339035, 2),
            (0.0141351396, 2),
            (0.01432491264, 2),
            (0.01453568388, 2),
            (0.01477111589, 2),
            (0.01503576921, 2),
            (0.01533539347, 2),
            (0.01567733887, 2),
        ],
    ),
    seed(
        "heat_exchanger_30",
        1.0,
        Compat,
        585,
        4.986140299,
        0.9858615566,
        30,
        &[
            (0.003144183261, 30),
            (0.01310440091, 32),
            (0.01319983347, 2),
            (0.01330261625, 2),
            (0.01341362894, 2),
            (0.01353389691, 2),
            (0.01366462249, 2),
            (0.01380722473, 2),
            (0.01396339035, 2),
            (0.0141351396, 2),
            (0.01432491264, 2),
            (0.01453568388, 2),
            (0.01477111589, 2),
            (0.01503576921, 2),
            (0.01533539347, 2),
            (0.01567733887, 2),
        ],
    ),
    seed(
        "triangle",
        0.5,
        Printed,
        3984,
        2.490790117,
        0.8987897282,
        8,
        &[(0.08327025281, 2), (0.08385371897, 2), (0.08685027145, 2), (0.08700244074, 2), (0.1985060979, 2), (0.2074087227, 2)],
    ),
    seed(
        "triangle",
        0.5,
        Compat,
        3984,
        2.490790117,
        0.8987897282,
        8,
        &[(0.08327025281, 2), (0.08385371897, 2), (0.08685027145, 2), (0.08700244074, 2), (0.1985060979, 2), (0.2074087227, 2)],
    ),
    seed(
        "triangle",
        1.0,
        Printed,
        3984,
        1.887665922,
        0.8959808745,
        8,
        &[(0.1177619209, 2), (0.1185870666, 2), (0.1228248318, 2), (0.1230400317, 2), (0.2143984443, 2), (0.2222951649, 2)],
    ),
    seed(
        "triangle",
        1.0,
        Compat,
        3984,
        1.887665922,
        0.8959808745,
        8,
        &[(0.1177619209, 2), (0.1185870666, 2), (0.1228248318, 2), (0.1230400317, 2), (0.2143984443, 2), (0.2222951649, 2)],
    ),
    seed(
        "brake",
        0.5,
        Printed,
        19,
        1000.22,
        0.6607851349,
        4,
        &[(0.0001499670073, 1), (0.004472135955, 2), (0.01189207115, 1), (0.075, 1), (0.125743343, 2), (0.15, 1)],
    ),
    seed(
        "brake",
        0.5,
        Compat,
        19,
        2515.168643,
        0.7441692726,
        6,
        &[(4.999400072e-05, 1), (0.004472135955, 2), (0.01189207115, 1), (0.02631578947, 1), (0.05555555556, 1), (0.125743343, 2)],
    ),
    seed(
        "brake",
        1.0,
        Printed,
        19,
        1000.22,
        0.6675567971,
        4,
        &[(0.0001999560097, 1), (0.00632455532, 2), (0.01414213562, 1), (0.1, 1), (0.1495348781, 2), (0.2, 1)],
    ),
    seed(
        "brake",
        1.0,
        Compat,
        19,
        1495.528223,
        0.6349519113,
        5,
        &[(9.998800144e-05, 1), (0.00632455532, 2), (0.01414213562, 1), (0.05263157895, 1), (0.1111111111, 1), (0.1495348781, 2)],
    ),
    seed(
        "power_supply",
        1.0,
        Printed,
        18,
        132217.5418,
        0.7679047668,
        7,
        &[(4.366669214e-05, 1), (5e-05, 2), (9.528346832e-05, 1), (2.0, 2), (2.236067977, 1), (5.0, 1), (5.773502692, 2)],
    ),
    seed(
        "power_supply",
        1.0,
        Compat,
        18,
        102413.0314,
        0.8260792127,
        4,
        &[(2.183382277e-05, 1), (4.7644004e-05, 1), (5e-05, 2), (1.428571429, 2), (1.666666667, 1), (2.236067977, 3)],
    ),
    seed(
        "smart_grid",
        1.0,
        Printed,
        14,
        500000.0,
        0.8995935327,
        8,
        &[(4e-05, 1), (0.003992015967, 3), (0.0316227766, 2), (0.08099535756, 1), (0.08100419613, 1), (20.0, 3)],
    ),
    seed(
        "smart_grid",
        1.0,
        Compat,
        14,
        55554.44444,
        0.8921382728,
        8,
        &[(2.000040001e-05, 1), (0.002, 3), (0.0316227766, 2), (0.08099535756, 1), (0.08100419613, 1), (1.111111111, 3)],
    ),
];

/// Number of fast states of the largest gap from one alpha to another, both in twentieths.
pub type Splits = &'static [(u32, u32, usize)];

/// By model and formula.
pub const SPLITS: &[(&str, SelfLoop, Splits)] = &[
    ("dc_motor", Printed, &[(1, 20, 1)]),
    ("dc_motor", Compat, &[(1, 6, 1), (7, 20, 2)]),
    ("half_car", Printed, &[(1, 20, 2)]),
    ("half_car", Compat, &[(1, 3, 2), (4, 5, 3), (6, 15, 1), (16, 20, 2)]),
    ("double_mass", Printed, &[(1, 20, 4)]),
    ("double_mass", Compat, &[(1, 20, 4)]),
    ("heat_exchanger", Printed, &[(1, 20, 10)]),
    ("heat_exchanger", Compat, &[(1, 5, 20), (6, 20, 10)]),
    ("heat_exchanger_30", Printed, &[(1, 20, 30)]),
    ("heat_exchanger_30", Compat, &[(1, 4, 60), (5, 20, 30)]),
    ("triangle", Printed, &[(1, 20, 8)]),
    ("triangle", Compat, &[(1, 1, 11), (2, 3, 9), (4, 20, 8)]),
    ("brake", Printed, &[(1, 1, 7), (2, 20, 4)]),
    ("brake", Compat, &[(1, 16, 6), (17, 20, 5)]),
    ("power_supply", Printed, &[(1, 20, 7)]),
    ("power_supply", Compat, &[(1, 5, 8), (6, 20, 4)]),
    ("smart_grid", Printed, &[(1, 20, 8)]),
    ("smart_grid", Compat, &[(1, 20, 8)]),
];

/// The cycle analysis of a model at the start of its run.
pub fn analysed(source: &Source, model: Option<&str>, options: &Options) -> Result<Report, String> {
    let compiled = compile(source, model)?;
    let instance = instance(&compiled, Engine::Interpreter).map_err(|error| error.title)?;
    let experiment = pipeline::experiment(&compiled.experiment, None, None);
    let (points, remark) = operating_points(&instance, &experiment, &At::Times(vec![0.0])).map_err(|message| message.title.clone())?;
    if let Some(remark) = remark {
        return Err(remark);
    }
    Report::new(&source.name, &points, options).map_err(|message| message.title.clone())
}

/// Whether two numbers are equal but for a part of them.
pub fn close(a: f64, b: f64, part: f64) -> bool {
    a == b || (a - b).abs() <= part * a.abs().max(b.abs())
}

/// Compares cycles, bounds, indices and the cut of a model with what they have to be, to 1e-6.
pub fn check_seed(seed: &Seed, source: &Source, model: Option<&str>) -> Result<(), String> {
    let what = format!("{} at alpha {} ({:?})", source.name, seed.alpha, seed.self_loop);
    let report = analysed(source, model, &Options { alpha: seed.alpha, self_loop: seed.self_loop, ..Options::default() })?;
    let analysis = &report.analysis;
    let need = |holds: bool, why: String| if holds { Ok(()) } else { Err(format!("{what}: {why}")) };
    need(analysis.cycles == Some(seed.cycles), format!("{:?} cycles instead of {}", analysis.cycles, seed.cycles))?;
    need(analysis.certified && analysis.bounds.iter().all(|bound| bound.exact), "bounds are not exact".to_string())?;
    let bounds: Vec<f64> = analysis.order.iter().map(|&state| analysis.bounds[state].h_lower).collect();
    let expected: Vec<f64> = seed.bounds.iter().flat_map(|&(h, count)| std::iter::repeat_n(h, count)).collect();
    need(
        bounds.len() == expected.len() && bounds.iter().zip(&expected).all(|(h, e)| close(*h, *e, 1e-6)),
        format!("{bounds:?} instead of {expected:?}"),
    )?;
    let (sigma, s) = (analysis.stiffness_index.unwrap_or(f64::NAN), analysis.separability_index.unwrap_or(f64::NAN));
    need(close(sigma, seed.stiffness, 1e-6), format!("sigma is {sigma} instead of {}", seed.stiffness))?;
    need((s - seed.separability).abs() <= 1e-6, format!("s is {s} instead of {}", seed.separability))?;
    let split = analysis.cuts.first().map(|cut| cut.after);
    need(split == Some(seed.split), format!("{split:?} fast states instead of {}", seed.split))
}

/// Compares how the cut moves with alpha.
pub fn check_splits(source: &Source, model: Option<&str>, self_loop: SelfLoop, splits: Splits) -> Result<(), String> {
    let report = analysed(source, model, &Options { self_loop, ..Options::default() })?;
    for (from, to, split) in splits {
        for twentieth in *from..=*to {
            let found = report
                .analysis
                .at_alpha(f64::from(twentieth) / 20.0)
                .ok_or_else(|| format!("{}: not all cycles are known", source.name))?;
            let after = found.indices.cuts.first().map(|cut| cut.after);
            if after != Some(*split) {
                return Err(format!("{} ({self_loop:?}) at alpha {twentieth}/20: {after:?} fast states instead of {split}", source.name));
            }
        }
    }
    Ok(())
}
