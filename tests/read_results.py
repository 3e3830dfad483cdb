"""Reads results of Partita with DyMat, as plotting tools in Python do, and compares them with the .csv of the same run.

  python3 -m venv .venv && .venv/bin/pip install dymat scipy numpy
  .venv/bin/python tests/read_results.py target/release/partita

For each model of `models`: every name of the .csv is in the .mat with the same values, time included; parameters and their units are
there; and a model with aliases shows them, the negated ones with their sign. Exit code 0 if all of it holds.
"""
import csv, pathlib, subprocess, sys, tempfile
import numpy, DyMat

ALIASES = """model Aliases
  parameter Real R(unit = "Ohm") = 2 "resistance";
  Real u(unit = "V", start = 1, fixed = true) "voltage", v(unit = "V") "the same", i(unit = "A") "current", j(unit = "A") "negated";
equation
  v = u;
  j = -i;
  u = R*i;
  der(u) = -i + (if time > 0.5 then 1 else 0);
end Aliases;
"""

def run(partita, model, result):
    subprocess.run([partita, "run", str(model), "-o", str(result)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

def compare(partita, model, folder):
    mat, text = folder / "r.mat", folder / "r.csv"
    run(partita, model, mat)
    run(partita, model, text)
    table = DyMat.DyMatFile(str(mat))
    with open(text, newline="") as file:
        rows = csv.reader(file)
        names = next(rows)
        values = numpy.array([[float(value) for value in row] for row in rows])
    known = set(table.names())
    for column, name in enumerate(names):
        if name == "time":
            read = table.abscissa(2)[0]
        else:
            assert name in known, f"{model}: {name} is not in the .mat"
            read = table.data(name)
        if len(read) != len(values):
            # A constant has two points.
            assert numpy.all(read == read[0]) and len(read) == 2, f"{model}: {name} has {len(read)} points"
            read = numpy.full(len(values), read[0])
        assert numpy.array_equal(read, values[:, column], equal_nan=True), f"{model}: {name} differs between .mat and .csv"
    return len(names)

def main():
    partita = str(pathlib.Path(sys.argv[1]).resolve())
    models = sorted((pathlib.Path(__file__).parent.parent / "models").glob("*.mo"))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        n = sum(compare(partita, model, folder) for model in models)
        source = folder / "aliases.mo"
        source.write_text(ALIASES)
        compare(partita, source, folder)
        table = DyMat.DyMatFile(str(folder / "r.mat"))
        assert numpy.array_equal(table.data("v"), table.data("u"))
        assert numpy.array_equal(table.data("j"), -table.data("i"))
        # Aliases share a column, as they should.
        assert abs(table._vars["j"][2]) == abs(table._vars["i"][2]) and table._vars["j"][3] == -table._vars["i"][3]
        for name, words in {"u": "voltage [V]", "j": "negated [A]", "R": "resistance [Ohm]"}.items():
            assert table.description(name) == words, f"{name}: {table.description(name)}"
        assert table.data("R")[0] == 2
        times = table.abscissa(2)[0]
        assert numpy.sum(times == 0.5) == 2, "the event is not a double point"
    print(f"{len(models)} models, {n} signals: .mat and .csv agree in DyMat {getattr(DyMat, '__version__', '')}; aliases, units and events are right")

if __name__ == "__main__":
    main()
