operator record Money
  Real euros;
  encapsulated operator function '+'
    import Money;
    input Money a;
    input Money b;
    output Money c;
  algorithm
    c := Money(a.euros + b.euros);
  end '+';
end Money;
model OperatorOfNoRecord
  Money a(euros = 1), b(euros = 2), c;
equation
  c = a*b;
end OperatorOfNoRecord;
//! expect
// error[N011]: `Money` has no operator `*` for these operands
//    ┌─ operator_of_no_record.mo:15:7
//    │
// 15 │   c = a*b;
//    │       ^^^
//
