model UnknownName
  Real speed;
equation
  spead = 2*time;
end UnknownName;
