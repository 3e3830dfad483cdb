//! Files of components as a user writes them: what inheritance, modifications and connections mean, by the values of a run.

use partita::pipeline::embed::Model;

/// The value of a signal at the end of a run of the last model of a text.
fn last(text: &str, name: &str) -> f64 {
    let model = Model::compile(text).unwrap_or_else(|failure| panic!("{failure}"));
    let table = model.run().simulate().unwrap_or_else(|failure| panic!("{failure}"));
    let values = table.values(name).unwrap_or_else(|| panic!("{name} is in the result"));
    values[values.len() - 1]
}

fn refused(text: &str) -> String {
    Model::compile(text).err().map(|failure| failure.to_string()).unwrap_or_else(|| panic!("this is accepted:\n{text}"))
}

#[test]
fn a_function_of_a_package_sees_what_a_derived_package_redeclares() {
    let text = "package P\n  partial package Medium\n    constant Real k = 1;\n    replaceable function density\n      input Real T;\n      output Real d;\n    algorithm\n      d := k*T;\n    end density;\n\
                function mass\n      input Real T;\n      output Real m;\n    algorithm\n      m := 2*density(T);\n    end mass;\n  end Medium;\n\
                package Water\n    extends Medium(k = 3);\n    redeclare function extends density\n    algorithm\n      d := d + 100;\n    end density;\n  end Water;\n\
                package Oil\n    extends Medium(k = 5);\n  end Oil;\n\
                model Tank\n    replaceable package Medium = Oil constrainedby P.Medium;\n    Real m = Medium.mass(10);\n  end Tank;\n\
                model Both\n    Tank oil;\n    Tank water(redeclare package Medium = Water);\n  end Both;\nend P;\n";
    assert_eq!((last(text, "oil.m"), last(text, "water.m")), (100.0, 260.0));
}

#[test]
fn a_function_of_a_component_takes_the_parameters_of_that_component() {
    let text = "package P\n  function force\n    input Real x;\n    input Real k = 1;\n    output Real f;\n  algorithm\n    f := k*x;\n  end force;\n\
                model World\n    parameter Real k = 7;\n    replaceable function field = force(k = k);\n  end World;\n\
                model Body\n    outer World world;\n    Real f = world.field(time);\n  end Body;\n\
                model All\n    inner World world(k = 9);\n    Body body;\n  end All;\n\
                model Alone\n    Body body;\n  end Alone;\nend P;\n";
    assert_eq!(last(text, "body.f"), 7.0);
    assert_eq!(
        last(
            &text
                .replace("model Alone", "model Another")
                .replace("end Alone", "end Another")
                .replace("model Another\n", "model Another\n    inner World world(k = 9);\n"),
            "body.f"
        ),
        9.0
    );
}

#[test]
fn inner_outer_means_the_one_further_out_where_it_is_declared() {
    let text = "package P\n  model State\n    Real v;\n  end State;\n  model Part\n    outer State state;\n    Real seen = state.v;\n  end Part;\n\
                model Group\n    inner outer State state(v = 2*state.v);\n    Part part;\n  end Group;\n\
                model All\n    inner State state(v = 5);\n    Group group;\n    Part part;\n  end All;\nend P;\n";
    assert_eq!((last(text, "part.seen"), last(text, "group.part.seen")), (5.0, 10.0));
}

#[test]
fn a_vanishing_parameter_chooses_the_equations() {
    let text = "model Part\n  parameter Real m = 0;\n  Real T(start = 1, fixed = m > 0);\n  Real Q = 4;\nequation\n  if m > 1e-9 then\n    m*der(T) = Q;\n  else\n    T = 2*Q;\n  end if;\nend Part;\n\
                model All\n  Part light;\n  Part heavy(m = 2);\nend All;\n";
    assert_eq!((last(text, "light.T"), last(text, "heavy.T")), (8.0, 3.0));
}

#[test]
fn a_size_that_is_set_makes_the_model_anew() {
    let text = "model Part\n  parameter Integer n = 2;\n  parameter Boolean reversed = false;\n  Real x[n] = {i*time for i in 1:n};\n  Real s;\nequation\n  if reversed then\n    s = -sum(x);\n  else\n    s = sum(x);\n  end if;\nend Part;\nmodel All\n  Part part;\nend All;\n";
    let model = Model::compile(text).unwrap_or_else(|failure| panic!("{failure}"));
    let table = model.run().set("part.n", 3).set("part.reversed", true).simulate().unwrap_or_else(|failure| panic!("{failure}"));
    assert_eq!(table.values("part.s").and_then(|values| values.last().copied()), Some(-6.0));
    assert_eq!(last(&text.replace("Part part", "Part part(n = 3)"), "part.s"), 6.0);
}

#[test]
fn fields_of_a_record_that_a_function_gives_are_those_of_its_modification() {
    let text = "package P\n  record Pair\n    Real a;\n    Real b;\n  end Pair;\n  function make\n    input Real x;\n    output Pair p(a = x, b = 2*x);\n  algorithm\n  end make;\n\
                model All\n    Pair p = make(time);\n    Pair q(b = 30) = make(4);\n  end All;\nend P;\n";
    assert_eq!(["p.a", "p.b"].map(|name| last(text, name)), [1.0, 2.0]);
    assert_eq!(last(text, "q.a"), 4.0);
}

#[test]
fn operators_of_records_are_those_that_the_record_declares() {
    let text = "package P\n  operator record Z\n    Real re;\n    Real im;\n    encapsulated operator 'constructor'\n      function ofReal\n        import P.Z;\n        input Real re;\n        input Real im = 0;\n        output Z z(re = re, im = im);\n      algorithm\n      end ofReal;\n    end 'constructor';\n\
                encapsulated operator function '*'\n      import P.Z;\n      input Z a;\n      input Z b;\n      output Z c;\n    algorithm\n      c := Z(a.re*b.re - a.im*b.im, a.re*b.im + a.im*b.re);\n    end '*';\n\
                encapsulated operator function '+'\n      import P.Z;\n      input Z a;\n      input Z b;\n      output Z c;\n    algorithm\n      c := Z(a.re + b.re, a.im + b.im);\n    end '+';\n  end Z;\n\
                connector In = input Z;\n  block Twice\n    In u;\n    Z y;\n  equation\n    y = u*2 + 1;\n  end Twice;\n\
                model All\n    Twice twice;\n    Z i = Z(0, 1);\n    Z v[2] = {i, 2*i};\n    Z w[2] = i*v;\n  equation\n    twice.u = Z(time)*i;\n  end All;\nend P;\n";
    let expected = [("twice.y.re", 1.0), ("twice.y.im", 2.0), ("w[1].re", -1.0), ("w[2].re", -2.0), ("w[2].im", 0.0)];
    for (name, expected) in expected {
        assert_eq!(last(text, name), expected, "{name}");
    }
    assert!(refused(&text.replace("u*2 + 1", "u*2 - 1")).contains("N011"));
}

#[test]
fn streams_are_mixed_by_the_flows_that_enter() {
    let text = "package P\n  connector Port\n    Real p;\n    flow Real m;\n    stream Real h;\n  end Port;\n\
                model Source\n    parameter Real m = 1;\n    parameter Real h = 1;\n    Port port;\n  equation\n    port.m = -m;\n    port.h = h;\n  end Source;\n\
                model Sink\n    Port port;\n    Real h = inStream(port.h);\n    Real through = actualStream(port.h);\n  equation\n    port.p = 1;\n    port.h = 99;\n  end Sink;\n\
                model Junction\n    Port a, b, c;\n  equation\n    connect(a, b);\n    connect(b, c);\n  end Junction;\n\
                model All\n    Source one(m = 1, h = 10), two(m = 3, h = 20);\n    Sink sink;\n    Junction junction;\n  equation\n    connect(one.port, junction.a);\n    connect(two.port, junction.b);\n    connect(junction.c, sink.port);\n  end All;\nend P;\n";
    // (1*10 + 3*20)/4, up to the flows that count as rest.
    assert!((last(text, "sink.h") - 17.5).abs() < 1e-5);
    assert!((last(text, "sink.through") - 17.5).abs() < 1e-5);
}

#[test]
fn sizes_may_refer_to_the_array_that_has_them() {
    let text = "model Part\n  parameter Real A[:, size(A, 1)] = {{1, 2}, {3, 4}};\n  Real d[size(A, 1)] = {A[i, i] for i in 1:size(A, 1)};\nend Part;\nmodel All\n  Part part(A = 2*[1, 0, 0; 0, 2, 0; 0, 0, 3]);\nend All;\n";
    assert_eq!(last(text, "part.d[3]"), 6.0);
}
