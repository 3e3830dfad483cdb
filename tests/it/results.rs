//! Result files: every variant is read, damage is noticed.

use partita::pipeline::embed::Model;
use partita_runtime::result::compare::{TUBE, compare};
use partita_runtime::result::read::{Table, read_csv, read_mat, read_plt, read_selected};
use partita_tests::results::{B, TIMES, X, csv, plt, variants};
use partita_tests::simulation::models_folder;

fn check(table: &Table, what: &str) {
    assert_eq!(table.time, TIMES, "{what}");
    let values = |name: &str| table.values(name).unwrap_or_else(|| panic!("{what}: no {name}"));
    assert_eq!(values("x"), X, "{what}");
    assert_eq!(values("minus_x"), X.map(|x| -x), "{what}");
    assert_eq!(values("p"), [2.5; 5], "{what}");
    assert_eq!(values("minus_p"), [-2.5; 5], "{what}");
    assert_eq!(values("b"), B, "{what}");
    assert_eq!(values("not_b"), B.map(|b| 1.0 - b), "{what}");
    // An alias of time, under the names that tools give a derivative.
    for name in ["der(a[1].x)", "a[1].der(x)", "'der(a[ 1 ].x)'"] {
        assert_eq!(values(name), TIMES, "{what}: {name}");
    }
    assert!(table.values("y").is_none());
}

#[test]
fn every_variant_of_a_result_file_is_read() {
    for variant in variants() {
        let table = read_mat(&variant.file()).unwrap_or_else(|why| panic!("{variant:?}: {why}"));
        check(&table, &format!("{variant:?}"));
    }
    for (separator, quoted) in [(',', true), (',', false), (';', true), (';', false)] {
        check(&read_csv(&csv(separator, quoted)).unwrap_or_else(|why| panic!("{why}")), "csv");
        check(&read_csv(&csv(separator, quoted).replace('\n', "\r\n")).unwrap_or_else(|why| panic!("{why}")), "csv");
    }
    check(&read_plt(&plt()).unwrap_or_else(|why| panic!("{why}")), "plt");
}

#[test]
fn decimal_commas_and_other_nonsense_are_refused_with_the_line() {
    let reason = |text: &str| read_csv(text).err().unwrap_or_else(|| panic!("{text} was read"));
    assert!(reason("time;x\n0;1,5\n").contains("decimal comma"));
    assert!(reason("time,x\n0,1\n1,abc\n").contains("line 3"));
    assert!(reason("time,x\n0,1\n1\n").contains("line 3"));
    assert!(reason("time,x\n1,1\n0,1\n").contains("time goes back"));
    assert!(reason("time,x\n").contains("no points"));
    assert!(reason("x,y\n1,2\n").contains("no column `time`; its names are x,y"));
    // Decimal commas in quotes, between commas, are as many fields too many.
    assert!(reason("time,x\n\"0,5\",\"1,5\"\n").contains("quotes"));
    assert!(reason("time,x\n0,1,2\n").contains("more than 2 values"));
}

#[test]
fn separators_are_told_from_the_names() {
    for text in
        ["time,a[1]\n0,1\n1,2,\n", "time;a[1,2]\n0;1\n1;2\n", "\"time\"\t\"a\"\n0\t1\n1\t2\t\n", "\u{feff}Time , x\r\n0 , 1\r\n1 , 2\r\n"]
    {
        let table = read_csv(text).unwrap_or_else(|why| panic!("{text}: {why}"));
        assert_eq!((&table.time[..], table.names().len()), (&[0.0, 1.0][..], 1), "{text}");
        assert_eq!(table.values(&table.names()[0]).expect("a column"), [1.0, 2.0], "{text}");
    }
}

#[test]
fn only_what_is_asked_for_is_kept() {
    let folder = std::env::temp_dir().join(format!("partita-selected-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    for (name, bytes) in [
        ("r.mat", variants()[0].file()),
        ("n.mat", variants()[31].file()),
        ("r.csv", csv(',', true).into_bytes()),
        ("r.plt", plt().into_bytes()),
    ] {
        let path = folder.join(name);
        std::fs::write(&path, bytes).expect("a file can be written");
        let table =
            read_selected(&path, &|signal| signal == "minus_x" || signal == "p").unwrap_or_else(|error| panic!("{name}: {}", error.title));
        assert_eq!(table.values("minus_x").expect("wanted"), X.map(|x| -x), "{name}");
        assert_eq!(table.values("p").expect("wanted"), [2.5; 5], "{name}");
        assert!(table.has("b") && !table.is_loaded("b") && table.values("b").is_none(), "{name}");
    }
    std::fs::remove_dir_all(&folder).expect("the folder can be removed");
}

#[test]
fn sizes_that_cannot_be_are_refused() {
    let file = variants()[0].file();
    // Rows and columns of the second matrix, `name`: after the 20 + 7 + 48 bytes of the first.
    let at = 27 + 48;
    assert_eq!(&file[at + 20..at + 25], b"name\0");
    for (rows, columns) in [(0, 1_000_000_000_u32), (1_000_000_000, 0), (u32::MAX, u32::MAX), (1, u32::MAX), (12, 0)] {
        let mut bytes = file.clone();
        bytes[at + 4..at + 8].copy_from_slice(&rows.to_le_bytes());
        bytes[at + 8..at + 12].copy_from_slice(&columns.to_le_bytes());
        assert!(read_mat(&bytes).is_err(), "{rows} x {columns}");
    }
}

#[test]
fn formats_agree_with_each_other() {
    let from_mat = read_mat(&variants()[0].file()).expect("a file");
    for other in [read_csv(&csv(',', true)), read_plt(&plt()), read_mat(&variants()[31].file())] {
        let comparison = compare(&from_mat, &other.expect("a file"), None, TUBE);
        assert!(comparison.passes() && comparison.signals.len() == 7, "{comparison:?}");
    }
}

#[test]
fn one_percent_of_a_parameter_is_noticed_where_it_shows() {
    // The peak of the current, at 0.2 s, is where the resistance of the motor matters most; the speed stays in its tube.
    let model = Model::open(&models_folder().join("dc_motor.mo")).unwrap_or_else(|failure| panic!("{failure}"));
    let run = |resistance: f64| model.run().set("R", resistance).simulate().unwrap_or_else(|failure| panic!("{failure}"));
    let reference = run(0.05);
    assert!(compare(&reference, &run(0.05), None, TUBE).passes());
    let variables = ["I", "w", "phi"].map(str::to_string);
    let comparison = compare(&reference, &run(0.0505), Some(&variables), TUBE);
    assert!(!comparison.passes());
    let worst = comparison.worst()[0];
    assert_eq!(worst.name, "I", "{worst}");
    assert!((0.15..0.3).contains(&worst.judgement.time), "{worst}");
    assert!(comparison.signals[1].judgement.inside, "{}", comparison.signals[1]);
}
