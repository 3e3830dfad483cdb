model Dense "more terms than a text of this size may ask for"
  Real x[5000];
equation
  for i in 1:5000 loop
    x[i] = sum(sin(i*j*time) for j in 1:5000);
  end for;
end Dense;
