//! Reads one text into its syntax tree.
//!
//! Input: a source. Output: the tree with its dialect settled, or every error found.
//! Method: `scan` walks the tokens once and refuses what would hurt (deep nesting, open strings and comments, unbalanced
//! brackets); `build` runs the grammar on a thread with a stack that the nesting limit cannot exhaust; `dialect` settles
//! what subscripts and `protected` mean; `diagnose` words the error where the grammar stopped.
//! Guarantees: no panic and no stack overflow on any text; linear time.
//!
//! Codes, by the file that gives them:
//! - `scan`: P002 brackets, P005 nesting too deep, P007 string, comment or quoted identifier without end, P008 empty file,
//!   P009 stray characters.
//! - `diagnose`: P001 anything else unexpected, P003 missing semicolon, P004 another name behind `end` (also `build`), P006 reserved
//!   word as a name, P023 missing or wrong `end`, P024 number glued to a name, P025 `=`, `:=` and `==` confused, P026 sign or `if`
//!   without parentheses, P027 missing operand, P028 missing `then`, `else` or `loop`, P029 wrong section, P030 no class,
//!   P031 one semicolon too many.
//! - `build`: P010 number out of range, P012 prefixes, P013 two `external`, P014 `enumeration(:)` as a component's type, P015 no
//!   equation, P016 assignment to no variable, P017 empty parentheses, P018 chained relations or powers, P019 ranges, P020 and P021
//!   arguments.
//! - `dialect`: P022 dotted name in a declaration. Here: P011 file too large. P900 is a fault of this crate.

use crate::ast::{Class, Definition, Dialect};
use crate::diagnose;
use crate::diagnostic::Diagnostic;
use crate::dialect;
use crate::scan;
use crate::span::{Source, Span};
use crate::strip::shift_spans;
use crate::tree_builder::{self, BuildError};
use std::sync::{Mutex, OnceLock, mpsc};

/// Enough for the deepest nesting that `scan` lets through, with debug-sized frames.
const STACK_BYTES: usize = 256 << 20;

/// Parses a whole file.
pub fn parse(source: &Source) -> Result<Definition, Vec<Diagnostic>> {
    let text = source.text.as_str();
    if u32::try_from(text.len()).is_err() {
        return Err(vec![Diagnostic::error("P011", "the file is larger than 4 GB")]);
    }
    let comments = scan::scan(text)?;
    let built = on_large_stack(|| tree_builder::build(text, &comments))?;
    match built {
        Ok(mut definition) => {
            dialect::settle(&mut definition, text)?;
            Ok(definition)
        }
        Err(BuildError::Errors(errors)) => Err(errors),
        Err(BuildError::Stopped(at)) => Err(vec![diagnose::diagnose(text, at)]),
    }
}

/// Parses one class of a hand-written file, given by its text alone; its spans count from `offset`.
///
/// Parsing happens on one thread that stays alive: a library gives out hundreds of classes one by one.
pub fn parse_class(text: String, offset: u32) -> Result<Class, Vec<Diagnostic>> {
    let moved = |mut errors: Vec<Diagnostic>| {
        errors.iter_mut().flat_map(|error| &mut error.labels).for_each(|label| label.span = label.span.shifted(offset));
        errors
    };
    let comments = scan::scan(&text).map_err(moved)?;
    let (text, built) = standing_parser(text, comments)?;
    match built {
        Ok(mut definition) => {
            dialect::settle_as(&mut definition, Dialect::Modelica).map_err(moved)?;
            let Some(mut class) = definition.classes.pop() else {
                return Err(moved(vec![Diagnostic::error("P030", "there is no class")]));
            };
            shift_spans(&mut class, offset);
            Ok(class)
        }
        Err(BuildError::Errors(errors)) => Err(moved(errors)),
        Err(BuildError::Stopped(at)) => Err(moved(vec![diagnose::diagnose(&text, at)])),
    }
}

/// A text with its comments, and where its tree goes.
type Job = (String, Vec<Span>, mpsc::Sender<(String, Result<Definition, BuildError>)>);

/// Builds the tree of a text on the standing thread, which is started at the first call.
fn standing_parser(text: String, comments: Vec<Span>) -> Result<(String, Result<Definition, BuildError>), Vec<Diagnostic>> {
    static JOBS: OnceLock<Option<Mutex<mpsc::Sender<Job>>>> = OnceLock::new();
    let failed = || vec![Diagnostic::error("P900", "internal error: the parser stopped abruptly; this is a bug")];
    let jobs = JOBS.get_or_init(|| {
        let (sender, jobs) = mpsc::channel::<Job>();
        let work = move || {
            for (text, comments, answer) in jobs {
                let built = tree_builder::build(&text, &comments);
                // Whoever asked may have gone.
                let _ = answer.send((text, built));
            }
        };
        let thread = std::thread::Builder::new().name("parse classes".to_owned()).stack_size(STACK_BYTES).spawn(work);
        thread.ok().map(|_| Mutex::new(sender))
    });
    let (sender, answer) = mpsc::channel();
    let jobs = jobs.as_ref().ok_or_else(failed)?;
    jobs.lock().map_err(|_| failed())?.send((text, comments, sender)).map_err(|_| failed())?;
    answer.recv().map_err(|_| failed())
}

/// Runs `work` on a thread of its own, so that nesting up to the limit is safe whatever stack the caller has.
fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, Vec<Diagnostic>> {
    let failed = |what: String| vec![Diagnostic::error("P900", what)];
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new()
            .name("parse".to_owned())
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, work)
            .map_err(|e| failed(format!("no thread could be started for parsing: {e}")))?;
        worker.join().map_err(|_| failed("internal error: the parser stopped abruptly; this is a bug".to_owned()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::*;
    use crate::{print, print_expression, scan::LIMIT, strip_spans};

    fn source(text: &str) -> Source {
        Source { name: "test.mo".to_owned(), text: text.to_owned() }
    }

    fn parsed(text: &str) -> Definition {
        parse(&source(text)).unwrap_or_else(|e| panic!("{}", crate::render(&e[0], &source(text))))
    }

    /// Code and byte offset of the first message.
    fn fault(text: &str) -> (&'static str, usize) {
        match parse(&source(text)) {
            Ok(_) => ("none", 0),
            Err(errors) => (errors[0].code, errors[0].labels.first().map_or(0, |l| l.span.start as usize)),
        }
    }

    fn round_trip(text: &str) {
        let mut tree = parsed(text);
        let printed = print(&tree);
        let mut again = parsed(&printed);
        strip_spans(&mut tree);
        strip_spans(&mut again);
        assert_eq!(tree, again, "\n{printed}");
    }

    fn expression(text: &str) -> Expr {
        let mut tree = parsed(&format!("model M Real x = {text}; end M;"));
        let ClassBody::Long(body) = &mut tree.classes[0].body else { panic!("not a long class") };
        let Section::Elements { elements, .. } = &mut body.sections[0] else { panic!("no elements") };
        let Element::Components(clause) = &mut elements[0] else { panic!("no component") };
        clause.components[0].binding.take().expect("a binding")
    }

    /// The grouping that the parser chose, with every operation in angle brackets.
    fn grouping(e: &Expr) -> String {
        match &e.kind {
            ExprKind::Chain(first, rest) => {
                let rest: Vec<String> = rest.iter().map(|(op, x)| format!("{op:?} {}", grouping(x))).collect();
                format!("<{} {}>", grouping(first), rest.join(" "))
            }
            ExprKind::Binary(op, a, b) => format!("<{} {op:?} {}>", grouping(a), grouping(b)),
            ExprKind::Unary(op, a) => format!("<{op:?} {}>", grouping(a)),
            ExprKind::Range { start, step, stop } => {
                format!("<{}:{}:{}>", grouping(start), step.as_ref().map(|s| grouping(s)).unwrap_or_default(), grouping(stop))
            }
            _ => print_expression(e),
        }
    }

    #[test]
    fn operators_bind_as_the_specification_says() {
        assert_eq!(
            grouping(&expression("-a*b^2 + c - d/e*f")),
            "<<Minus <a Multiply <b Power 2>>> Add c Subtract <d Divide e Multiply f>>"
        );
        assert_eq!(grouping(&expression("not a < -b + 1 and c or d")), "<<<Not <a Less <<Minus b> Add 1>>> And c> Or d>");
        assert_eq!(grouping(&expression("1:n+1:2*m")), "<1:<n Add 1>:<2 Multiply m>>");
        assert_eq!(grouping(&expression("a * -0.5 - -2")), "<<a Multiply <Minus 0.5>> Subtract <Minus 2>>");
        assert_eq!(
            grouping(&expression("a .* b ./ c .+ d .- e .^ f")),
            "<<a ElementMultiply b ElementDivide c> ElementAdd d ElementSubtract <e ElementPower f>>"
        );
    }

    #[test]
    fn a_long_sum_is_one_flat_chain() {
        let terms: Vec<String> = (0..20_000).map(|i| format!("a{i}")).collect();
        let ExprKind::Chain(_, rest) = expression(&terms.join(" + ")).kind else { panic!("not a chain") };
        assert_eq!(rest.len(), 19_999);
    }

    #[test]
    fn literals_keep_their_values() {
        assert_eq!(expression("1e-3").kind, ExprKind::Real(1e-3));
        assert_eq!(expression("2.").kind, ExprKind::Real(2.0));
        assert_eq!(expression("9223372036854775807").kind, ExprKind::Integer(i64::MAX));
        assert_eq!(expression(r#""a\"\\\n\?é""#).kind, ExprKind::String("a\"\\\n?é".to_owned()));
        assert_eq!(fault("model M Real x = 9223372036854775808; end M;"), ("P010", 17));
        assert_eq!(fault("model M Real x = 1e400; end M;"), ("P010", 17));
        assert_eq!(fault("model M Real x = 1e-400; end M;"), ("P010", 17));
        assert_eq!(expression("0e-400").kind, ExprKind::Real(0.0));
    }

    #[test]
    fn spans_end_with_the_last_token() {
        let text = "model M Real x = f(1) /* c */ + 2 // d \t\r\n /* e */ // f\n ; end M;";
        let e = parsed(text);
        let ClassBody::Long(body) = &e.classes[0].body else { panic!("not a long class") };
        let Section::Elements { elements, .. } = &body.sections[0] else { panic!("no elements") };
        let Element::Components(clause) = &elements[0] else { panic!("no component") };
        assert_eq!(clause.span.text(text), "Real x = f(1) /* c */ + 2");
        let binding = clause.components[0].binding.as_ref().expect("a binding");
        assert_eq!(binding.span.text(text), "f(1) /* c */ + 2");
        assert_eq!(e.classes[0].span.text(text), text.strip_suffix(';').expect("a semicolon"));
    }

    #[test]
    fn the_dialect_decides_about_subscripts_and_protected() {
        let clause = |text: &str, i: usize| {
            let tree = parsed(text);
            let ClassBody::Long(body) = &tree.classes[0].body else { panic!("not a long class") };
            let clauses: Vec<_> = body
                .sections
                .iter()
                .flat_map(|s| match s {
                    Section::Elements { elements, .. } => elements.as_slice(),
                    _ => &[],
                })
                .collect();
            let Element::Components(clause) = clauses[i] else { panic!("no component") };
            (tree.dialect, clause.clone())
        };
        let (dialect, flat) = clause("class A.B protected Real x[1]; Real y; end A.B;", 0);
        assert_eq!((dialect, flat.components[0].dims.len(), flat.prefixes.protected), (Dialect::OmcFlat, 0, true));
        let (_, next) = clause("class A.B protected Real x[1]; Real y; end A.B;", 1);
        assert!(!next.prefixes.protected);
        let (dialect, array) = clause("model A protected Real x[3]; Real y; end A;", 0);
        assert_eq!((dialect, array.components[0].dims.len(), array.prefixes.protected), (Dialect::Modelica, 1, false));
        let (dialect, base) = clause("//! base 0.1.0\nclass 'A' Real 'x[1].y'[3]; end 'A';", 0);
        assert_eq!((dialect, base.components[0].dims.len()), (Dialect::Base, 1));
        // A hand-written `class` shows itself by what omc never prints.
        assert_eq!(clause("class A Real x[n]; end A;", 0).0, Dialect::Modelica);
        assert_eq!(clause("class A Real x, y; end A;", 0).0, Dialect::Modelica);
        assert_eq!(clause("class A Real x[3]; end A;", 0).0, Dialect::Modelica);
        assert_eq!(clause("class A Real x[1]; Real x[2]; end A;", 0).0, Dialect::OmcFlat);
        assert_eq!(fault("class A Real x, a.b; end A;"), ("P022", 16));
    }

    #[test]
    fn all_of_modelica_prints_and_reads_back() {
        round_trip(
            r#"
            within Lib.Sub;
            encapsulated package P "text" + " more"
              import A.B.C;
              import D = A.B "why" annotation(x = 1);
              import A.*;
              import A.{b, c};
              type V = Real(unit = "V", min = -1e-3) "volt" annotation(absoluteValue = true);
              type E = enumeration(a "first", b annotation(x = 2), 'c d') "e";
              type F = enumeration(:);
              connector C Real v; flow Real i; stream Real h; end C;
              expandable connector Bus end Bus;
              function df = der(f, x, y) "partial";
              operator record R
                Real re, im = 2;
                encapsulated operator function '+' input R a; output R b; algorithm b := R(a.re, a.im); end '+';
                encapsulated operator 'constructor' function fromReal input Real x; output R r; algorithm r := R(x, 0); end fromReal; end 'constructor';
              end R;
              pure function f input Real x[:] = {1, 2}; output Real y; external "C" y = c_f(x, size(x, 1)) annotation(Library = "m"); annotation(Inline = false); end f;
              impure function g input Real x; output Real a; output Real b; protected Integer n = 0;
              algorithm
                (a, b) := h(x, n = 3);
                (a, , b) := h(x); (a) := k(x);
                while n < 3 loop n := n + 1; if n == 2 then break; elseif n > 5 then return; else a := 1; end if; end while;
                for i in 1:size(x, 1), j loop a := a + i*j; end for;
                when {initial(), sample(0, 0.1)} then a := pre(a); elsewhen b > 1 then b := 2 "note"; end when;
                assert(a > 0, "message", AssertionLevel.warning) annotation(x = 1);
                Modelica.Utilities.Streams.print("x");
              end g;
              partial model Base
                replaceable model M = N(x = 1) constrainedby K(each y = 2) "c" annotation(choicesAllMatching);
                replaceable Medium.State s[3] = x constrainedby State "t";
                outer World world;
                inner outer World other if use and not off;
                extends Super(redeclare replaceable model Q = Z, redeclare each final Real r = 2, final a(b = 3, c.d = break) = 4, break name, break connect(a, b.c)) annotation(x = 1);
                parameter Real k(start = 1, fixed = false) "k" annotation(Dialog(group = "g"), Placement(transformation(extent = {{-1, -2}, {3, 4}})));
                parameter Real a = 1, b[2, :] = [1, 2; 3, 4] "b", c = 3;
                constant Integer n = if k > 1 then 2 elseif k < 0 then 3 else 4;
                discrete input Real u; output Boolean y = time >= 1 or u <> 2 and not (u == 3);
                .Modelica.Units.SI.Voltage[3] v(each start = 0);
              public
                Real w;
              protected
                Real z = sum(x[i]*y[i, end] for i in 1:n, j in {1, 3}) + max({e^2 for e in v}) + f(function g(a = 1), 2, c = function h());
                class extends Q(a = 1) "redeclared" Real extra; end Q;
              initial equation
                der(w) = 0;
              initial algorithm
                w := 1;
              equation
                connect(p, q[1].r) annotation(Line(points = {{0, 0}}));
                if a then w = 1; elseif b then w = 2; else w = 3; end if "both";
                if a then end if;
                for i in 1:n loop v[i] = i; end for;
                when time > 1 then reinit(w, -pre(w)); elsewhen c then terminate("end"); end when;
                (z, ) = g(w);
                0 = (f(x)[1] + {1, 2}[k] + [1, 2][1, 2] + (a + b).re + f(x).re.im[2]) .* pure(f(y)) "text";
                Clock(0.1) = previous(hold(x));
                annotation(experiment(StopTime = 1.5e1, Tolerance = 1e-6), Documentation(info = "<html>\"x\"\n</html>"));
              end Base;
            end P;
            "#,
        );
        round_trip(
            "//! base 0.1.0\npackage 'P' class 'X'  extends ExternalObject; function constructor output 'X' x; external \"C\" x = f(); end constructor; end 'X';\n\
             model 'M' Real[3] 'a.b[1]'(each start = 1.0) = 'E'.'\\'0\\''; parameter equation guess('x') = 1.0; Real 'y'; initial algorithm 'y' := 1; end 'M'; end 'P';",
        );
        round_trip(
            "impure function A.f input Real[:] x; protected Integer n = size(x, 1); algorithm n := 2; end A.f;\n\
             class A.B \"c\" final parameter enumeration(slow, fast) a[1].m = A.Mode.fast; protected Real x.y[2,3] = /*Real*/(i); final Real z = 1.0;\n\
             equation for $i513 in 1:2 loop a[$i513].z = -x.y[2, 3] ^ 2.0; end for; end A.B;",
        );
    }

    #[test]
    fn messages_point_where_a_person_would_mend() {
        assert_eq!(fault("model M Real x\n  Real y; end M;"), ("P003", 14));
        assert_eq!(fault("model M Real x; equation x = 1 // c\nend M;"), ("P003", 30));
        assert_eq!(fault("model M Real x; equation x = f(1;\nend M;"), ("P002", 30));
        assert_eq!(fault("model M Real x; end N;"), ("P004", 20));
        assert_eq!(fault("package P model M Real x; end P;"), ("P004", 30));
        assert_eq!(fault("model M Real x; end M"), ("P003", 21));
        assert_eq!(fault("model M Real input; end M;"), ("P006", 13));
        assert_eq!(fault("model M Real x = type; end M;"), ("P006", 17));
        assert_eq!(fault("model M Real x \"a; end M;"), ("P007", 15));
        assert_eq!(fault(""), ("P008", 0));
        assert_eq!(fault("model M Real x = 1 != 2; end M;"), ("P009", 19));
        assert_eq!(fault("model M parameter constant Real x; end M;"), ("P012", 18));
        assert_eq!(fault("function f external \"C\"; external \"C\"; end f;"), ("P013", 25));
        assert_eq!(fault("model M enumeration(:) x; end M;"), ("P014", 8));
        assert_eq!(fault("model M equation x; end M;"), ("P015", 17));
        assert_eq!(fault("model M algorithm (x, 1) := f(y); end M;"), ("P016", 22));
        assert_eq!(fault("model M equation x = (); end M;"), ("P017", 21));
        assert_eq!(fault("model M equation x = a < b < c; end M;"), ("P018", 27));
        assert_eq!(fault("model M equation x = 1:2:3:4; end M;"), ("P019", 21));
        assert_eq!(fault("model M equation x = f(a = 1, 2); end M;"), ("P020", 30));
        assert_eq!(fault("model M equation x = f(a.b = 1); end M;"), ("P021", 23));
        assert_eq!(fault("model M equation if a then x = 1; end M;"), ("P023", 34));
        assert_eq!(fault("model M Real x;"), ("P023", 15));
        assert_eq!(fault("model M Real x = 2x; end M;"), ("P024", 17));
        assert_eq!(fault("model M equation x := 1; end M;"), ("P025", 19));
        assert_eq!(fault("model M equation x = 2 * -y; end M;"), ("P026", 25));
        assert_eq!(fault("model M equation x = 1 + ; end M;"), ("P027", 24));
        assert_eq!(fault("model M equation x = if a then 1; end M;"), ("P028", 32));
        assert_eq!(fault("model M equation for i in 1:3 x = 1; end for; end M;"), ("P028", 29));
        assert_eq!(fault("model M Real x; x = 1; end M;"), ("P029", 18));
        assert_eq!(fault("Real x;"), ("P030", 0));
        assert_eq!(fault("model M Real x;; end M;"), ("P031", 15));
    }

    #[test]
    fn nesting_up_to_the_limit_is_read_and_beyond_is_refused() {
        let nested = |open: &str, middle: &str, close: &str, n: usize| format!("{}{middle}{}", open.repeat(n), close.repeat(n));
        let in_model = |text: &str| format!("model M equation {text} end M;");
        let fits = LIMIT - 1;
        for (open, middle, close) in
            [("(", "1", ")"), ("{", "1", "}"), ("f(a, ", "1", ")"), ("x[", "1", "]"), ("(1 < -2 * 3 ^ (", "1", "))")]
        {
            let n = if open.ends_with("^ (") { fits / 2 } else { fits };
            let text = |n| in_model(&format!("x = {};", nested(open, middle, close, n)));
            round_trip(&text(n));
            assert_eq!(fault(&text(LIMIT + 1)).0, "P005");
        }
        round_trip(&in_model(&format!("x = {};", nested("if a then b else ", "1", "", fits))));
        round_trip(&in_model(&nested("if a then ", "x = 1;", " end if;", fits)));
        round_trip(&in_model(&nested("for i in 1:2 loop ", "x = 1;", " end for;", fits)));
        round_trip(&nested("package P ", "", "end P;", LIMIT));
        assert_eq!(fault(&nested("package P ", "", "end P;", LIMIT + 1)).0, "P005");
        assert_eq!(fault(&in_model(&format!("x = f(1){};", ".a".repeat(100_000)))).0, "P005");
        assert_eq!(fault(&in_model(&format!("x = 1{};", "^2".repeat(100_000)))).0, "P018");
    }

    #[test]
    fn no_text_makes_the_parser_panic() {
        let words: Vec<&str> = concat!(
            "model end M x 'q.r' Real if then else elseif for in loop when equation algorithm ( ) [ ] { ",
            "} ; , = := == : + - * ^ . .* 1 2.5e3 \"s\" ' \" /* */ // \n annotation parameter redeclare ",
            "replaceable function external not and der initial extends import each final class type ",
            "enumeration connect break return while protected é \u{feff} \\ 99999999999999999999",
        )
        .split(' ')
        .collect();
        const BASE: &str =
            "model M \"t\" parameter Real x(start = 1) = 2 if a; equation if a then x = f(1, {2, 3}); end if; algorithm x := (y); end M;";
        // A fixed linear congruential generator: the same texts in every run.
        let mut state = 12345_u64;
        let mut random = |n: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % n
        };
        for round in 0..3000 {
            let mut text = String::new();
            if round % 2 == 0 {
                for _ in 0..random(30) + 1 {
                    text.push_str(words[random(words.len())]);
                    text.push_str(["", " "][random(2)]);
                }
                text = format!("model M {text} end M;");
            } else {
                text.push_str(BASE);
                for _ in 0..random(4) + 1 {
                    let (mut a, mut b) = (random(text.len()), random(text.len()));
                    while !text.is_char_boundary(a) {
                        a -= 1;
                    }
                    while !text.is_char_boundary(b) {
                        b -= 1;
                    }
                    let word = words[random(words.len())];
                    text.replace_range(a..a.max(b.min(a + 8)), word);
                }
            }
            match parse(&source(&text)) {
                Ok(_) => round_trip(&text),
                Err(errors) => {
                    assert!(errors.iter().all(|e| e.code != "P900"), "{text}");
                    for error in &errors {
                        crate::render(error, &source(&text));
                    }
                }
            }
        }
    }
}
