//! Pictures of curves that are easy and of such that are not.

use super::*;

fn request(text: &str) -> Result<Request, String> {
    super::request(OsStr::new(text))
}

#[test]
fn requests_keep_commas_of_indices() {
    let wanted = request("a,x[1,2],'b,c'=out.SVG").unwrap();
    assert_eq!(wanted.names, ["a", "x[1,2]", "'b,c'"]);
    assert_eq!(wanted.file, Some(PathBuf::from("out.SVG")));
    assert_eq!(request("der(x)").unwrap(), Request { names: vec!["der(x)".to_string()], file: None });
    assert_eq!(request("a.*,b=p.html").unwrap().names, ["a.*", "b"]);
    assert!(request("a=out.pdf").unwrap_err().contains(".svg, .png or .html"));
    assert!(request("a,,b").is_err());
}

#[test]
fn axes_have_round_numbers() {
    let texts = |low, high| {
        let ticks = ticks(low, high, 5);
        let step = ticks[1] - ticks[0];
        ticks.iter().map(|tick| tick_text(*tick, step, f64::abs(low).max(f64::abs(high)))).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(texts(0.0, 8.0), "0 2 4 6 8");
    assert_eq!(texts(-0.13, 0.31), "-0.1 0.0 0.1 0.2 0.3".replace("0.0", "0"));
    assert_eq!(texts(0.0, 3e7), "0 1e7 2e7 3e7");
    assert_eq!(texts(0.0, 1.2e-4), "0 5e-5 1e-4");
    assert_eq!(texts(1e6, 1.000_002e6), "1e6 1.0000005e6 1.000001e6 1.0000015e6 1.000002e6");
    assert_eq!(widened((2.0, 2.0)), (1.0, 3.0));
    assert_eq!(widened((0.0, 0.0)), (-1.0, 1.0));
}

fn picture(curves: Vec<Curve>, times: Vec<f64>) -> Picture {
    Picture { title: "A & B".to_string(), times, curves }
}

fn sine(name: &str, unit: &str, n: u32) -> (Vec<f64>, Curve) {
    let times: Vec<f64> = (0..n).map(|k| f64::from(k) * 0.1).collect();
    let values = times.iter().map(|t| t.sin()).collect();
    (times, Curve::new(name, unit, values))
}

#[test]
fn pictures_are_whole() {
    let (times, curve) = sine("x <1>", "m", 200);
    let text = terminal::draw(&curve.label(), &times, &curve.values);
    assert!(text.lines().count() > 8 && text.contains("x <1> [m]") && text.contains("19.9"), "{text}");
    let svg = figure::svg(&picture(vec![curve], times)).unwrap();
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    assert!(svg.contains("A &#38; B") && svg.contains("x &#60;1&#62;") && svg.contains(">m</text>"), "{svg}");
    let png = png::draw(&svg).unwrap();
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n") && png.ends_with(b"IEND\xae\x42\x60\x82"));
    assert_eq!(&png[16..20], 1800_u32.to_be_bytes());
    assert!(png.len() < 200_000, "{} bytes", png.len());
}

#[test]
fn every_unit_has_an_axis_of_its_own() {
    let (times, x) = sine("x", "m", 50);
    let curves = vec![x.clone(), Curve::new("v", "m/s", x.values.clone()), Curve::new("y", "m", x.values)];
    let svg = figure::svg(&picture(curves, times)).unwrap();
    assert_eq!(svg.matches("fill=\"none\" stroke=\"#282828\"").count(), 2, "{svg}");
    assert_eq!(svg.matches("<polyline").count(), 3);
}

#[test]
fn letters_of_a_png_are_those_of_the_font() {
    // The old letters were five dots wide and had no Greek.
    let (times, curve) = sine("phi", "", 20);
    let pixels = |name: &str| {
        let picture = picture(vec![Curve::new(name, "", curve.values.clone())], times.clone());
        png::draw(&figure::svg(&picture).unwrap()).unwrap()
    };
    let [phi, rhi, greek, other] = ["phi", "rhi", "φ", "Ω"].map(pixels);
    assert!(phi != rhi && greek != other);
}

#[test]
fn no_points_can_break_a_picture() {
    let big = 1.7e308;
    let cases: Vec<(Vec<f64>, Vec<f64>)> = vec![
        (vec![], vec![]),
        (vec![0.0], vec![1.0]),
        (vec![0.0, 1.0], vec![f64::NAN, f64::NAN]),
        (vec![0.0, 1.0, 2.0], vec![1.0, f64::NAN, 2.0]),
        (vec![0.0, 1.0, 2.0], vec![-big, big, f64::INFINITY]),
        (vec![0.0, 1.0], vec![3e-320, 0.0]),
        (vec![0.0, 1.0], vec![101_325.0, 101_325.000_000_1]),
        (vec![5.0, 5.0, 5.0], vec![1.0, 2.0, 3.0]),
        (vec![-big, big], vec![1.0, 2.0]),
        (vec![f64::NEG_INFINITY, 0.0, 1.0, f64::INFINITY], vec![1.0, 2.0, 3.0, 4.0]),
    ];
    for (times, values) in cases {
        let shown = format!("{times:?} {values:?}");
        terminal::draw("x", &times, &values);
        let picture = picture(vec![Curve::new("x\u{1}", "m", values)], times);
        let svg = figure::svg(&picture).unwrap();
        assert!(!svg.contains("NaN") && !svg.contains("inf") && !svg.contains('\u{1}'), "{shown}\n{svg}");
        assert!(png::draw(&svg).is_ok(), "{shown}");
        // All points are on the paper.
        let coordinates = svg.split("points=\"").skip(1).flat_map(|rest| rest.split('"').next().unwrap_or_default().split([' ', ',']));
        assert!(coordinates.map(|text| text.parse::<f64>().unwrap()).all(|at| (0.0..=900.0).contains(&at)), "{shown}\n{svg}");
        assert!(page::page(&picture).is_ok(), "{shown}");
    }
}

#[test]
fn a_million_points_are_thinned_and_extrema_stay() {
    let times: Vec<f64> = (0..1_000_000).map(f64::from).collect();
    let mut values: Vec<f64> = times.iter().map(|t| (t * 0.37).sin()).collect();
    values[123_456] = 100.0;
    let picture = picture(vec![Curve::new("x", "m", values)], times);
    let svg = figure::svg(&picture).unwrap();
    assert!(svg.len() < 150_000, "{} bytes", svg.len());
    // The peak is at the top of the panel: 4 of 108 percent below the border.
    assert!(svg.contains(",80.") || svg.contains(",81."), "{}", &svg[..2000]);
    let page = page::page(&picture).unwrap();
    assert!(page.len() < 1_000_000 && page.contains(",100.0,"), "{} bytes", page.len());
}
