// Evaluate and final of a record are those of its fields; a branch that a structural parameter excludes closes no circle.
package Records
  record Data
    parameter Real r = 0;
    parameter Real c = 1;
  end Data;
  model Line
    parameter Data data annotation(Evaluate = true);
    final parameter Data twice = Data(r = 2*data.r, c = 2*data.c);
    parameter Boolean useTemperature = true;
    parameter Real T = if useTemperature then 300 else h/4;
    parameter Real h = if useTemperature then 4*T else 100;
    Real v(start = 1, fixed = true);
    Real i;
  equation
    twice.c*der(v) = -i;
    twice.r*i = v - T;
  end Line;
  model EvaluatedRecords
    Line line(data(r = 0));
  end EvaluatedRecords;
end Records;
//! expect
// model Records.EvaluatedRecords
//   record Records.Data
//     Real r = 0.0
//     Real c = 1.0
//   parameter Boolean line.useTemperature = true annotation(Evaluate = true)
//   parameter Real line.T = 300.0
//   parameter Real line.h = 4.0 * line.T /* 1200.0 */
//   Real line.v(start = 1.0, fixed = true)
//   Real line.i
//   parameter Real line.data.r = 0.0 annotation(Evaluate = true)
//   parameter Real line.data.c = 1.0 annotation(Evaluate = true)
//   final parameter Real line.twice.r = 2.0 * line.data.r /* 0.0 */
//   final parameter Real line.twice.c = 2.0 * line.data.c /* 2.0 */
// equation
//   line.twice.c * der(line.v) = -line.i
//   line.twice.r * line.i = line.v - line.T
// end Records.EvaluatedRecords
