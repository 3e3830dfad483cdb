// Pictures are written beside the result.
//! command run MODEL --plot x,der(x)=a.svg --plot x=b.png --plot x
model PlotFiles
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end PlotFiles;
//! expect
// exit code 0
// files: PlotFiles_res.mat a.svg b.png
