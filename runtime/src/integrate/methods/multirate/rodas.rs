//! Coefficients of RODAS, the Rosenbrock method of order 4(3) with six stages of Hairer and Wanner (Solving ODEs II, section IV.7):
//! L-stable, stiffly accurate, with values within a step of order 3.
//!
//! In the form without products by the Jacobian: stage `i` solves
//! `(I/(gamma*h) - J) u_i = f(t + c_i*h, x + sum a_ij u_j) + h*d_i*f_t + sum c_ij/h u_j`.

/// Number of stages.
pub(super) const STAGES: usize = 6;
/// The order of the solution.
pub(super) const ORDER: usize = 4;
/// The diagonal.
pub(super) const GAMMA: f64 = 0.25;
/// Times of stages.
pub(super) const C: [f64; STAGES] = [0.0, 0.386, 0.21, 0.63, 1.0, 1.0];
/// Factors of the derivative by time.
pub(super) const D: [f64; STAGES] = [0.25, -0.1043, 0.1035, -0.036_200_000_000_000_23, 0.0, 0.0];
/// Points of stages. The last two rows add the stage before to that of the row before.
pub(super) const A: [&[f64]; STAGES] = [
    &[],
    &[1.544],
    &[0.946_678_528_081_582_6, 0.255_701_169_898_328_4],
    &[3.314_825_187_068_521, 2.896_124_015_972_201, 0.998_641_913_997_781_7],
    &[1.221_224_509_226_641, 6.019_134_481_288_629, 12.537_083_329_320_87, -0.687_886_036_105_895],
    &[1.221_224_509_226_641, 6.019_134_481_288_629, 12.537_083_329_320_87, -0.687_886_036_105_895, 1.0],
];
/// Earlier stages on the right-hand side.
pub(super) const B: [&[f64]; STAGES] = [
    &[],
    &[-5.6688],
    &[-2.430_093_356_833_875, -0.206_359_915_709_191_5],
    &[-0.107_352_905_815_137_5, -9.594_562_251_023_355, -20.470_286_148_096_16],
    &[7.496_443_313_967_647, -10.246_804_314_643_52, -33.999_903_528_199_05, 11.708_908_932_061_6],
    &[8.083_246_795_921_522, -7.981_132_988_064_893, -31.521_594_328_743_71, 16.319_305_431_231_36, -6.058_818_238_834_054],
];
/// Values within a step: with `s` from 0 to 1 they are `(1-s)*x0 + s*(x1 + (1-s)*(p + s*q))`, where these weights of the stages give `p`
/// and `q`.
pub(super) const WITHIN: [[f64; 5]; 2] = [
    [10.126_235_083_445_86, -7.487_995_877_610_167, -34.800_918_615_557_47, -7.992_771_707_568_823, 1.025_137_723_295_662],
    [-0.676_280_339_280_625_3, 6.087_714_651_680_015, 16.430_843_208_924_78, 24.767_225_114_183_86, -6.594_389_125_716_872],
];
