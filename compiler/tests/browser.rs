//! Pages in a real browser: plots, comparisons and analyses show values, zoom, hide and show curves, load nothing and cut no curve.
//!
//! A page gets a script at its end that does what a reader does and writes down what is to be seen; Chromium without a window prints the
//! page that comes out. Without a browser (or with one that does not start) nothing is tested, and that is said. `CHROMIUM=PATH` names one.

use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Longer than any page takes.
const MOST_SECONDS: u64 = 90;

/// Notes what goes wrong while the page is made.
const FIRST: &str = r##"<head><script>
const noted = { errors: [], blocked: [] };
addEventListener("error", event => noted.errors.push(event.message));
addEventListener("securitypolicyviolation", event => noted.blocked.push(event.blockedURI));
</script>"##;

/// What a reader does, in words that the tests below use.
const LAST: &str = r##"<script>
const all = (where, what) => [...where.querySelectorAll(what)];
const tip = document.querySelector(".tip");
const at = (svg, type, x, y) => {
  const box = svg.getBoundingClientRect();
  const place = { clientX: box.left + x * box.width, clientY: box.top + y * box.height };
  const under = type === "pointermove" ? document.elementFromPoint(place.clientX, place.clientY) || svg : svg;
  (svg.contains(under) ? under : svg).dispatchEvent(new PointerEvent(type, { ...place, bubbles: true, button: 0, pointerId: 1 }));
};
const drag = (svg, from, to) => {
  at(svg, "pointerdown", ...from);
  at(svg, "pointermove", ...to);
  noted.boxes = all(svg, ".box").length;
  at(svg, "pointerup", ...to);
};
const times = svg => all(svg, "text").filter(text => text.getAttribute("text-anchor") === "middle").map(text => text.textContent);
// How far a curve reaches beyond the frame it is drawn in, in pixels.
const beyond = svg => Math.max(0, ...all(svg, "g[clip-path]").map(group => {
  const id = group.getAttribute("clip-path").slice(5, -1), frame = svg.querySelector(`#${id} rect`).getBBox(), box = group.getBBox();
  if (!box.width && !box.height) return 0;
  return Math.max(frame.x - box.x, frame.y - box.y, box.x + box.width - frame.x - frame.width, box.y + box.height - frame.y - frame.height);
}));
try { look(); } catch (error) { noted.errors.push(String(error)); }
noted.loaded = performance.getEntriesByType("resource").length;
noted.ready = document.documentElement.dataset.ready;
noted.background = getComputedStyle(document.body).backgroundColor;
document.getElementById("theme").click();
noted.other = getComputedStyle(document.body).backgroundColor;
const told = document.createElement("pre");
told.id = "noted";
told.textContent = "NOTED" + JSON.stringify(noted) + "NOTED";
document.body.append(told);
</script></body>"##;

/// A browser, if there is one that starts.
fn browser() -> Option<String> {
    let named = std::env::var("CHROMIUM").ok();
    let known = ["chromium", "chromium-browser", "google-chrome"].map(str::to_string);
    let starts = |name: &String| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success());
    let found = named.into_iter().chain(known).find(starts);
    if found.is_none() {
        // Not by a macro: what those print of a test that passes is not shown.
        let text = "skipped: no Chromium is installed (apt-get install chromium); CHROMIUM=PATH names one\n";
        std::io::stderr().write_all(text.as_bytes()).expect("standard error can be written");
    }
    found
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("partita-browser-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a temporary folder can be made");
    folder
}

fn partita(folder: &Path, arguments: &[&str]) {
    let output = Command::new(env!("CARGO_BIN_EXE_partita")).args(arguments).current_dir(folder).output().expect("the command runs");
    let (code, said) = (output.status.code(), String::from_utf8_lossy(&output.stderr));
    assert!(code == Some(0) || (arguments[0] == "compare" && code == Some(1)), "{arguments:?}: {said}");
}

/// Runs the browser on a page; what it prints.
fn shown(browser: &str, folder: &Path, page: &str, arguments: &[&str]) -> String {
    let printed = folder.join("printed");
    let out = std::fs::File::create(&printed).expect("a file can be made");
    let mut child = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--window-size=1100,900", "--virtual-time-budget=3000"])
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .args(arguments)
        .arg(format!("file://{}", folder.join(page).display()))
        .stdout(out)
        .stderr(Stdio::null())
        .spawn()
        .expect("the browser starts");
    let began = Instant::now();
    while child.try_wait().expect("it can be asked").is_none() {
        if began.elapsed() > Duration::from_secs(MOST_SECONDS) {
            let _ = child.kill();
            panic!("the browser does not end with {page}");
        }
        std::thread::sleep(Duration::from_millis(30));
    }
    String::from_utf8_lossy(&std::fs::read(&printed).expect("what it printed can be read")).into_owned()
}

/// What a reader notes who does `look`, a function of JavaScript.
fn noted(browser: &str, folder: &Path, page: &str, look: &str) -> Value {
    let text = std::fs::read_to_string(folder.join(page)).expect("the page can be read");
    assert_eq!((text.matches("<head>").count(), text.matches("</body>").count()), (1, 1));
    let last = LAST.replacen("<script>", &format!("<script>function look() {{\n{look}\n}}\n"), 1);
    std::fs::write(folder.join("probe.html"), text.replace("<head>", FIRST).replace("</body>", &last)).expect("a page can be written");
    let printed = shown(browser, folder, "probe.html", &["--dump-dom"]);
    let told = printed.rsplit("NOTED").nth(1).unwrap_or_else(|| panic!("the browser says nothing of {page}: {printed}"));
    let told = told.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    let noted: Value = serde_json::from_str(&told).unwrap_or_else(|error| panic!("{error}: {told}"));
    assert_eq!(noted["errors"], serde_json::json!([]), "{page}");
    assert_eq!((&noted["blocked"], &noted["loaded"]), (&serde_json::json!([]), &Value::from(0)), "{page}");
    assert_eq!(noted["ready"], "yes", "{page}");
    assert_ne!(noted["background"], noted["other"], "{page}: light and dark are the same");
    noted
}

const MODEL: &str = "model Motor
  parameter Real k = 2;
  Real w(start = 1, fixed = true, unit = \"rad/s\") \"speed\";
  Real T[3](start = {300, 310, 320}, each fixed = true, each unit = \"K\");
  Real '<b>&'(unit = \"K\") \"a name that has to be escaped\";
equation
  der(w) = -k*w;
  der(T) = {-0.1, -0.2, -20}.*(T - {280, 280, 280});
  '<b>&' = T[1] + w;
end Motor;
";

/// A folder with the model.
fn with_model(name: &str) -> PathBuf {
    let folder = folder(name);
    std::fs::write(folder.join("Motor.mo"), MODEL).expect("the model can be written");
    folder
}

#[test]
fn a_plot_shows_values_zooms_and_chooses() {
    let Some(browser) = browser() else { return };
    let folder = with_model("plot");
    partita(&folder, &["run", "Motor.mo", "--plot", "w,T,'<b>&'=p.html"]);
    let look = r##"
      const svg = document.querySelector("svg.plot");
      noted.units = all(svg, ".unit").map(text => text.textContent);
      noted.names = all(document, "#legend button").map(button => button.textContent);
      noted.beyond = beyond(svg);
      at(svg, "pointermove", 0.5, 0.3);
      noted.tip = tip.innerText;
      noted.dots = all(svg, "circle").length;
      const before = times(svg);
      drag(svg, [0.4, 0.3], [0.6, 0.3]);
      noted.zoomed = times(svg);
      noted.button = !document.querySelector("[data-do=reset]").hidden;
      svg.dispatchEvent(new MouseEvent("dblclick", { bubbles: true }));
      noted.back = JSON.stringify(times(svg)) === JSON.stringify(before);
      drag(svg, [0.4, 0.2], [0.6, 0.4]);
      noted.rectangle = JSON.stringify(times(svg)) !== JSON.stringify(before);
      document.querySelector("[data-do=reset]").click();
      noted.curves = all(svg, "path[data-key]").length;
      document.querySelector("#legend button").click();
      noted.fewer = all(svg, "path[data-key]").length;
      noted.panels = all(svg, ".frame").length;"##;
    let noted = noted(&browser, &folder, "p.html", look);
    assert_eq!(noted["units"], serde_json::json!(["rad/s", "K"]));
    assert_eq!(noted["names"], serde_json::json!(["w", "T[1]", "T[2]", "T[3]", "<b>&"]));
    assert!(noted["beyond"].as_f64().expect("a number") < 1.0, "{noted}");
    let tip = noted["tip"].as_str().expect("a text");
    assert!(tip.contains("time 0.") && tip.contains("T[1]") && tip.contains(" K") && tip.contains("rad/s"), "{tip}");
    assert_eq!((&noted["dots"], &noted["boxes"]), (&Value::from(5), &Value::from(1)));
    assert!(["button", "back", "rectangle"].iter().all(|what| noted[what] == true), "{noted}");
    // A fifth of the picture is a quarter of its second.
    let zoomed: Vec<f64> = noted["zoomed"].as_array().expect("a list").iter().filter_map(|text| text.as_str()?.parse().ok()).collect();
    assert!(zoomed.iter().all(|t| (0.3..0.7).contains(t)) && zoomed.len() > 2, "{noted}");
    // The speed is alone with its unit.
    assert_eq!((&noted["curves"], &noted["fewer"], &noted["panels"]), (&Value::from(5), &Value::from(4), &Value::from(1)));
    let pdf = folder.join("p.pdf");
    shown(&browser, &folder, "p.html", &[&format!("--print-to-pdf={}", pdf.display())]);
    assert!(std::fs::read(pdf).expect("it prints").starts_with(b"%PDF"));
    std::fs::remove_dir_all(&folder).expect("the folder can be removed");
}

#[test]
fn a_comparison_cuts_no_curve_and_has_units_and_one_legend() {
    let Some(browser) = browser() else { return };
    let folder = with_model("compare");
    partita(&folder, &["run", "Motor.mo", "-o", "good.mat"]);
    // The result runs away by far more than the range of the reference.
    partita(&folder, &["run", "Motor.mo", "-o", "bad.mat", "--set", "k=-9"]);
    partita(&folder, &["compare", "bad.mat", "good.mat", "--html", "c.html"]);
    let look = r##"
      const charts = all(document, "svg.plot");
      noted.beyond = Math.max(...charts.map(beyond));
      noted.charts = charts.length;
      noted.legends = all(document, ".legend").length;
      noted.names = all(document, "#legend button").map(button => button.textContent);
      const svg = all(document, "details").find(one => one.querySelector("summary").textContent.startsWith("w ")).querySelector("svg.plot");
      noted.units = all(svg, ".unit").map(text => text.textContent);
      noted.marks = all(svg, ".mark").length;
      at(svg, "pointermove", 0.5, 0.3);
      noted.tip = tip.innerText;
      noted.low = all(svg, "text").map(text => text.textContent);
      svg.parentNode.querySelector("[data-do=detail]").click();
      noted.detail = times(svg);
      document.querySelector("#legend button").click();
      noted.left = all(document, "path[data-key=reference]").length;"##;
    let noted = noted(&browser, &folder, "c.html", look);
    assert!(noted["beyond"].as_f64().expect("a number") < 1.0, "{noted}");
    assert!(noted["charts"].as_u64() >= Some(3) && noted["legends"] == 1, "{noted}");
    assert_eq!(noted["names"], serde_json::json!(["reference", "result", "tube", "difference (result − reference)"]));
    assert_eq!(noted["units"], serde_json::json!(["rad/s", "difference [rad/s]"]));
    assert_eq!((&noted["marks"], &noted["left"]), (&Value::from(1), &Value::from(0)));
    let tip = noted["tip"].as_str().expect("a text");
    assert!(["reference", "result", "tube", "difference", "rad/s", "…"].iter().all(|word| tip.contains(word)), "{tip}");
    std::fs::remove_dir_all(&folder).expect("the folder can be removed");
}

#[test]
fn an_analysis_tells_looks_closer_and_dims() {
    let Some(browser) = browser() else { return };
    let folder = with_model("analyze");
    partita(&folder, &["analyze", "Motor.mo", "--at", "0", "--html", "a.html"]);
    let look = r##"
      const svg = document.querySelector("svg.picture"), whole = svg.getAttribute("viewBox");
      const dot = svg.querySelector("circle").getBoundingClientRect(), box = svg.getBoundingClientRect();
      at(svg, "pointermove", (dot.x + dot.width / 2 - box.x) / box.width, (dot.y + dot.height / 2 - box.y) / box.height);
      noted.tip = tip.innerText;
      drag(svg, [0.2, 0.2], [0.7, 0.9]);
      noted.closer = svg.getAttribute("viewBox") !== whole;
      svg.dispatchEvent(new MouseEvent("dblclick", { bubbles: true }));
      noted.back = svg.getAttribute("viewBox") === whole;
      noted.pictures = all(document, "svg.picture").length;
      document.querySelector("button[data-group]").click();
      noted.dim = all(document, ".dim").length;
      document.querySelector("button[data-group]").click();
      noted.bright = all(document, ".dim").length;"##;
    let noted = noted(&browser, &folder, "a.html", look);
    assert!(noted["tip"].as_str().is_some_and(|tip| tip.starts_with("T[3]: 0.07")), "{noted}");
    assert!(noted["closer"] == true && noted["back"] == true && noted["pictures"] == 3, "{noted}");
    assert!(noted["dim"].as_u64() >= Some(2) && noted["bright"] == 0, "{noted}");
    std::fs::remove_dir_all(&folder).expect("the folder can be removed");
}

#[test]
fn many_signals_are_searched() {
    let Some(browser) = browser() else { return };
    let folder = folder("many");
    let names: Vec<String> = (1..=30).map(|k| format!("{}{k}", if k % 2 == 0 { "flow" } else { "level" })).collect();
    let row = |t: u32| format!("{t}{}\n", (1..=30).map(|k| format!(",{}", k * t)).collect::<String>());
    std::fs::write(folder.join("r.csv"), format!("time,{}\n{}{}", names.join(","), row(0), row(1))).expect("a result can be written");
    partita(&folder, &["plot", "r.csv", "-o", "r.html"]);
    let look = r##"
      const curves = () => all(document, "path[data-key]").length, field = document.querySelector("#choose input");
      noted.first = curves();
      document.querySelector("[data-do=none]").click();
      noted.none = curves();
      field.value = "FLOW";
      field.dispatchEvent(new Event("input"));
      noted.listed = all(document, "#legend button").filter(button => button.offsetWidth).length;
      document.querySelector("[data-do=all]").click();
      noted.chosen = curves();
      at(document.querySelector("svg.plot"), "pointermove", 0.9, 0.5);
      noted.tip = tip.innerText;
      document.querySelector("#legend button[data-key='1']").dispatchEvent(new MouseEvent("dblclick"));
      noted.alone = curves();"##;
    let noted = noted(&browser, &folder, "r.html", look);
    let counts = ["first", "none", "listed", "chosen", "alone"].map(|what| noted[what].as_u64());
    assert_eq!(counts, [8, 0, 15, 15, 1].map(Some), "{noted}");
    assert!(noted["tip"].as_str().is_some_and(|tip| tip.contains("flow") && !tip.contains("level")), "{noted}");
    std::fs::remove_dir_all(&folder).expect("the folder can be removed");
}

#[test]
fn hard_data_makes_whole_pages() {
    let Some(browser) = browser() else { return };
    let folder = folder("hard");
    for (name, text) in [
        ("one", "time,x\n5,7\n"),
        ("gaps", "time,x,y\n0,1,nan\n1,nan,nan\n2,3,nan\n3,inf,nan\n4,0,nan\n"),
        ("flat", "time,x\n0,101325\n1,101325\n"),
        ("huge", "time,x\n0,-1.7e308\n1,1.7e308\n"),
        ("tiny", "time,x\n0,1e-320\n1,3e-320\n"),
        ("same", "time,x\n1,1\n1,2\n1,3\n"),
        ("endless", "time,x\n-inf,5\n0,1\n1,2\ninf,3\n"),
    ] {
        std::fs::write(folder.join(format!("{name}.csv")), text).expect("a result can be written");
        partita(&folder, &["plot", &format!("{name}.csv"), "-o", &format!("{name}.html")]);
        let look = r##"
          const svg = document.querySelector("svg.plot");
          at(svg, "pointermove", 0.5, 0.3);
          noted.beyond = beyond(svg);
          noted.bad = /NaN|Infinity/.test(svg.outerHTML);
          drag(svg, [0.4, 0.3], [0.6, 0.3]);"##;
        let noted = noted(&browser, &folder, &format!("{name}.html"), look);
        assert!(noted["bad"] == false && noted["beyond"].as_f64().expect("a number") < 1.0, "{name}: {noted}");
    }
    std::fs::remove_dir_all(&folder).expect("the folder can be removed");
}
