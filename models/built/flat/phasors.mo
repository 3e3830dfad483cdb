// The same filter in real and imaginary parts.
model Phasors
  Real i1_re, i1_im, i2_re, i2_im, v1_re, v1_im, v2_re, v2_im;
  Real out_re, out_im;
equation
  10 + time - v1_re = i1_re - i1_im;
  -v1_im = i1_re + i1_im;
  v1_re - v2_re = i2_re - 2*i2_im;
  v1_im - v2_im = 2*i2_re + i2_im;
  v1_re = 4*(i1_re - i2_re) + 3*(i1_im - i2_im);
  v1_im = 4*(i1_im - i2_im) - 3*(i1_re - i2_re);
  v2_re = 4*i2_re + 3*i2_im;
  v2_im = 4*i2_im - 3*i2_re;
  out_re = -v2_im;
  out_im = v2_re;
  annotation(experiment(StopTime = 1));
end Phasors;
