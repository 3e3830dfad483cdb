//! base 0.1.0
// Water and steam by the industrial formulation IAPWS-IF97: equations and coefficients of the release R7-97(2012), written
// as sums over the tables of the release, whose powers are tables of products, under the names of
// Modelica.Media.Water.IF97_Utilities and Modelica.Media.Common.
package 'Library'
  record 'Modelica.Media.Common.GibbsDerivs'
    Real 'p';
    Real 'T';
    Real 'R_s';
    Real 'pi';
    Real 'tau';
    Real 'g';
    Real 'gpi';
    Real 'gpipi';
    Real 'gtau';
    Real 'gtautau';
    Real 'gtaupi';
  end 'Modelica.Media.Common.GibbsDerivs';

  record 'Modelica.Media.Common.HelmholtzDerivs'
    Real 'd';
    Real 'T';
    Real 'R_s';
    Real 'delta';
    Real 'tau';
    Real 'f';
    Real 'fdelta';
    Real 'fdeltadelta';
    Real 'ftau';
    Real 'ftautau';
    Real 'fdeltatau';
  end 'Modelica.Media.Common.HelmholtzDerivs';

  record 'Modelica.Media.Common.PhaseBoundaryProperties'
    Real 'd';
    Real 'h';
    Real 'u';
    Real 's';
    Real 'cp';
    Real 'cv';
    Real 'pt';
    Real 'pd';
  end 'Modelica.Media.Common.PhaseBoundaryProperties';

  function 'Modelica.Media.Common.gibbsToBoundaryProps' "Properties of a phase from its Gibbs function"
    input 'Modelica.Media.Common.GibbsDerivs' 'g';
    output 'Modelica.Media.Common.PhaseBoundaryProperties' 'sat';
    Real 'm' = 'g'.'gpi' - 'g'.'tau' * 'g'.'gtaupi';
  algorithm
    'sat'.'d' := 'g'.'p' / ('g'.'R_s' * 'g'.'T' * 'g'.'pi' * 'g'.'gpi');
    'sat'.'h' := 'g'.'R_s' * 'g'.'T' * 'g'.'tau' * 'g'.'gtau';
    'sat'.'u' := 'g'.'R_s' * 'g'.'T' * ('g'.'tau' * 'g'.'gtau' - 'g'.'pi' * 'g'.'gpi');
    'sat'.'s' := 'g'.'R_s' * ('g'.'tau' * 'g'.'gtau' - 'g'.'g');
    'sat'.'cp' := -'g'.'R_s' * 'g'.'tau' ^ 2 * 'g'.'gtautau';
    'sat'.'cv' := 'g'.'R_s' * ('m' ^ 2 / 'g'.'gpipi' - 'g'.'tau' ^ 2 * 'g'.'gtautau');
    'sat'.'pt' := -'g'.'p' / 'g'.'T' * 'm' / ('g'.'gpipi' * 'g'.'pi');
    'sat'.'pd' := -'g'.'R_s' * 'g'.'T' * 'g'.'gpi' ^ 2 / 'g'.'gpipi';
  end 'Modelica.Media.Common.gibbsToBoundaryProps';

  function 'Modelica.Media.Common.helmholtzToBoundaryProps' "Properties of a phase from its Helmholtz function"
    input 'Modelica.Media.Common.HelmholtzDerivs' 'f';
    output 'Modelica.Media.Common.PhaseBoundaryProperties' 'sat';
  algorithm
    'sat'.'d' := 'f'.'d';
    'sat'.'h' := 'f'.'R_s' * 'f'.'T' * ('f'.'tau' * 'f'.'ftau' + 'f'.'delta' * 'f'.'fdelta');
    'sat'.'s' := 'f'.'R_s' * ('f'.'tau' * 'f'.'ftau' - 'f'.'f');
    'sat'.'u' := 'f'.'R_s' * 'f'.'T' * 'f'.'tau' * 'f'.'ftau';
    'sat'.'pd' := 'f'.'R_s' * 'f'.'T' * 'f'.'delta' * (2.0 * 'f'.'fdelta' + 'f'.'delta' * 'f'.'fdeltadelta');
    'sat'.'pt' := 'f'.'R_s' * 'f'.'d' * 'f'.'delta' * ('f'.'fdelta' - 'f'.'tau' * 'f'.'fdeltatau');
    'sat'.'cv' := -'f'.'R_s' * 'f'.'tau' ^ 2 * 'f'.'ftautau';
    'sat'.'cp' := 'sat'.'cv' + 'f'.'T' * 'sat'.'pt' ^ 2 / ('f'.'d' ^ 2 * 'sat'.'pd');
  end 'Modelica.Media.Common.helmholtzToBoundaryProps';

  function 'Modelica.Media.Common.cv2Phase' "Heat capacity of a mixture of two phases at constant volume"
    input 'Modelica.Media.Common.PhaseBoundaryProperties' 'liq';
    input 'Modelica.Media.Common.PhaseBoundaryProperties' 'vap';
    input Real 'x';
    input Real 'T';
    input Real 'p';
    output Real 'cv';
    Real 'dpT';
    Real 'dvl' "Slope of the volume of the liquid along the boundary";
    Real 'dvv';
    Real 'dv';
    Real 'dul';
    Real 'duv';
    Real 'dx';
  algorithm
    'dpT' := ('vap'.'s' - 'liq'.'s') * 'liq'.'d' * 'vap'.'d' / ('liq'.'d' - 'vap'.'d');
    'dvl' := ('liq'.'pt' - 'dpT') / ('liq'.'d' ^ 2 * 'liq'.'pd');
    'dvv' := ('vap'.'pt' - 'dpT') / ('vap'.'d' ^ 2 * 'vap'.'pd');
    'dv' := 'dvl' + 'x' * ('dvv' - 'dvl');
    'dul' := 'liq'.'cv' + ('T' * 'liq'.'pt' - 'p') * 'dvl';
    'duv' := 'vap'.'cv' + ('T' * 'vap'.'pt' - 'p') * 'dvv';
    'dx' := if 'liq'.'d' <> 'vap'.'d' then -'dv' * 'liq'.'d' * 'vap'.'d' / ('liq'.'d' - 'vap'.'d') else 0.0;
    'cv' := 'dul' + 'x' * ('duv' - 'dul') + 'dx' * ('vap'.'u' - 'liq'.'u');
  end 'Modelica.Media.Common.cv2Phase';

  function 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.g1' "Gibbs function of region 1"
    input Real 'p';
    input Real 'T';
    output 'Modelica.Media.Common.GibbsDerivs' 'g';
    constant Integer 'I'[34] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 8, 8, 21, 23, 29, 30, 31, 32};
    constant Integer 'J'[34] = {-2, -1, 0, 1, 2, 3, 4, 5, -9, -7, -1, 0, 1, 3, -3, 0, 1, 3, 17, -4, 0, 6, -5, -2, 10, -8, -11, -6, -29, -31, -38, -39, -40, -41};
    constant Real 'n'[34] = {0.14632971213167, -0.84548187169114, -3.7563603672040, 3.3855169168385, -0.95791963387872, 0.15772038513228, -0.016616417199501, 0.81214629983568e-3, 0.28319080123804e-3, -0.60706301565874e-3, -0.018990068218419, -0.032529748770505, -0.021841717175414, -0.52838357969930e-4, -0.47184321073267e-3, -0.30001780793026e-3, 0.47661393906987e-4, -0.44141845330846e-5, -0.72694996297594e-15, -0.31679644845054e-4, -0.28270797985312e-5, -0.85205128120103e-9, -0.22425281908000e-5, -0.65171222895601e-6, -0.14341729937924e-12, -0.40516996860117e-6, -0.12734301741641e-8, -0.17424871230634e-9, -0.68762131295531e-18, 0.14478307828521e-19, 0.26335781662795e-22, -0.11947622640071e-22, 0.18228094581404e-23, -0.93537087292458e-25};
    Real 'a';
    Real 'b';
    Real 't';
    Real 'pa'[33];
    Real 'pb'[59];
    Real 'ra';
    Real 'rb';
  algorithm
    'g'.'p' := 'p';
    'g'.'T' := 'T';
    'g'.'R_s' := 461.526;
    'g'.'pi' := 'p' / 16.53e6;
    'g'.'tau' := 1386.0 / 'T';
    'g'.'g' := 0.0;
    'g'.'gpi' := 0.0;
    'g'.'gpipi' := 0.0;
    'g'.'gtau' := 0.0;
    'g'.'gtautau' := 0.0;
    'g'.'gtaupi' := 0.0;
    'a' := 7.1 - 'g'.'pi';
    'b' := 'g'.'tau' - 1.222;
    'ra' := 1.0 / 'a';
    'rb' := 1.0 / 'b';
    'pa'[1] := 1.0;
    for 'k' in 2:33 loop
      'pa'['k'] := 'pa'['k' - 1] * 'a';
    end for;
    'pb'[42] := 1.0;
    for 'k' in 1:41 loop
      'pb'[42 - 'k'] := 'pb'[43 - 'k'] * 'rb';
    end for;
    for 'k' in 43:59 loop
      'pb'['k'] := 'pb'['k' - 1] * 'b';
    end for;
    for 'k' in 1:34 loop
      't' := 'n'['k'] * 'pa'['I'['k'] + 1] * 'pb'['J'['k'] + 42];
      'g'.'g' := 'g'.'g' + 't';
      'g'.'gpi' := 'g'.'gpi' - 'I'['k'] * 't' * 'ra';
      'g'.'gpipi' := 'g'.'gpipi' + 'I'['k'] * ('I'['k'] - 1) * 't' * 'ra' * 'ra';
      'g'.'gtau' := 'g'.'gtau' + 'J'['k'] * 't' * 'rb';
      'g'.'gtautau' := 'g'.'gtautau' + 'J'['k'] * ('J'['k'] - 1) * 't' * 'rb' * 'rb';
      'g'.'gtaupi' := 'g'.'gtaupi' - 'I'['k'] * 'J'['k'] * 't' * 'ra' * 'rb';
    end for;
  end 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.g1';

  function 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.g2' "Gibbs function of region 2"
    input Real 'p';
    input Real 'T';
    input Boolean 'checkLimits' = true;
    output 'Modelica.Media.Common.GibbsDerivs' 'g';
    constant Integer 'I'[43] = {1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4, 5, 6, 6, 6, 7, 7, 7, 8, 8, 9, 10, 10, 10, 16, 16, 18, 20, 20, 20, 21, 22, 23, 24, 24, 24};
    constant Integer 'J'[43] = {0, 1, 2, 3, 6, 1, 2, 4, 7, 36, 0, 1, 3, 6, 35, 1, 2, 3, 7, 3, 16, 35, 0, 11, 25, 8, 36, 13, 4, 10, 14, 29, 50, 57, 20, 35, 48, 21, 53, 39, 26, 40, 58};
    constant Real 'n'[43] = {-0.0017731742473213, -0.017834862292358, -0.045996013696365, -0.057581259083432, -0.05032527872793, -3.3032641670203e-5, -0.00018948987516315, -0.0039392777243355, -0.043797295650573, -2.6674547914087e-5, 2.0481737692309e-8, 4.3870667284435e-7, -3.227767723857e-5, -0.0015033924542148, -0.040668253562649, -7.8847309559367e-10, 1.2790717852285e-8, 4.8225372718507e-7, 2.2922076337661e-6, -1.6714766451061e-11, -0.0021171472321355, -23.895741934104, -5.905956432427e-18, -1.2621808899101e-6, -0.038946842435739, 1.1256211360459e-11, -8.2311340897998, 1.9809712802088e-8, 1.0406965210174e-19, -1.0234747095929e-13, -1.0018179379511e-9, -8.0882908646985e-11, 0.10693031879409, -0.33662250574171, 8.9185845355421e-25, 3.0629316876232e-13, -4.2002467698208e-6, -5.9056029685639e-26, 3.7826947613457e-6, -1.2768608934681e-15, 7.3087610595061e-29, 5.5414715350778e-17, -9.436970724121e-7};
    constant Integer 'J0'[9] = {0, 1, -5, -4, -3, -2, -1, 2, 3};
    constant Real 'n0'[9] = {-9.6927686500217, 10.086655968018, -0.0056087911283020, 0.071452738081455, -0.40710498223928, 1.4240819171444, -4.3839511319450, -0.28408632460772, 0.021268463753307};
    Real 'a';
    Real 'b';
    Real 't';
    Real 'pa'[25];
    Real 'pb'[59];
    Real 'p0'[9];
    Real 'ra';
    Real 'rb';
  algorithm
    'g'.'p' := 'p';
    'g'.'T' := 'T';
    'g'.'R_s' := 461.526;
    'g'.'pi' := 'p' / 1e6;
    'g'.'tau' := 540.0 / 'T';
    'g'.'g' := log('g'.'pi');
    'g'.'gpi' := 1.0 / 'g'.'pi';
    'g'.'gpipi' := -1.0 / 'g'.'pi' ^ 2;
    'g'.'gtau' := 0.0;
    'g'.'gtautau' := 0.0;
    'g'.'gtaupi' := 0.0;
    'p0'[6] := 1.0;
    for 'k' in 1:5 loop
      'p0'[6 - 'k'] := 'p0'[7 - 'k'] / 'g'.'tau';
    end for;
    for 'k' in 7:9 loop
      'p0'['k'] := 'p0'['k' - 1] * 'g'.'tau';
    end for;
    for 'k' in 1:9 loop
      't' := 'n0'['k'] * 'p0'['J0'['k'] + 6];
      'g'.'g' := 'g'.'g' + 't';
      'g'.'gtau' := 'g'.'gtau' + 'J0'['k'] * 't' / 'g'.'tau';
      'g'.'gtautau' := 'g'.'gtautau' + 'J0'['k'] * ('J0'['k'] - 1) * 't' / 'g'.'tau' ^ 2;
    end for;
    'a' := 'g'.'pi';
    'b' := 'g'.'tau' - 0.5;
    'ra' := 1.0 / 'a';
    'rb' := 1.0 / 'b';
    'pa'[1] := 1.0;
    for 'k' in 2:25 loop
      'pa'['k'] := 'pa'['k' - 1] * 'a';
    end for;
    'pb'[1] := 1.0;
    for 'k' in 2:59 loop
      'pb'['k'] := 'pb'['k' - 1] * 'b';
    end for;
    for 'k' in 1:43 loop
      't' := 'n'['k'] * 'pa'['I'['k'] + 1] * 'pb'['J'['k'] + 1];
      'g'.'g' := 'g'.'g' + 't';
      'g'.'gpi' := 'g'.'gpi' + 'I'['k'] * 't' * 'ra';
      'g'.'gpipi' := 'g'.'gpipi' + 'I'['k'] * ('I'['k'] - 1) * 't' * 'ra' * 'ra';
      'g'.'gtau' := 'g'.'gtau' + 'J'['k'] * 't' * 'rb';
      'g'.'gtautau' := 'g'.'gtautau' + 'J'['k'] * ('J'['k'] - 1) * 't' * 'rb' * 'rb';
      'g'.'gtaupi' := 'g'.'gtaupi' + 'I'['k'] * 'J'['k'] * 't' * 'ra' * 'rb';
    end for;
  end 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.g2';

  function 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.g5' "Gibbs function of region 5"
    input Real 'p';
    input Real 'T';
    output 'Modelica.Media.Common.GibbsDerivs' 'g';
    constant Integer 'I'[6] = {1, 1, 1, 2, 2, 3};
    constant Integer 'J'[6] = {1, 2, 3, 3, 9, 7};
    constant Real 'n'[6] = {0.15736404855259e-2, 0.90153761673944e-3, -0.50270077677648e-2, 0.22440037409485e-5, -0.41163275453471e-5, 0.37919454822955e-7};
    constant Integer 'J0'[6] = {0, 1, -3, -2, -1, 2};
    constant Real 'n0'[6] = {-13.179983674201, 6.8540841634434, -0.024805148933466, 0.36901534980333, -3.1161318213925, -0.32961626538917};
    Real 'a';
    Real 'b';
    Real 't';
    Real 'pa'[4];
    Real 'pb'[10];
    Real 'p0'[6];
    Real 'ra';
    Real 'rb';
  algorithm
    'g'.'p' := 'p';
    'g'.'T' := 'T';
    'g'.'R_s' := 461.526;
    'g'.'pi' := 'p' / 1e6;
    'g'.'tau' := 1000.0 / 'T';
    'g'.'g' := log('g'.'pi');
    'g'.'gpi' := 1.0 / 'g'.'pi';
    'g'.'gpipi' := -1.0 / 'g'.'pi' ^ 2;
    'g'.'gtau' := 0.0;
    'g'.'gtautau' := 0.0;
    'g'.'gtaupi' := 0.0;
    'p0'[4] := 1.0;
    for 'k' in 1:3 loop
      'p0'[4 - 'k'] := 'p0'[5 - 'k'] / 'g'.'tau';
    end for;
    for 'k' in 5:6 loop
      'p0'['k'] := 'p0'['k' - 1] * 'g'.'tau';
    end for;
    for 'k' in 1:6 loop
      't' := 'n0'['k'] * 'p0'['J0'['k'] + 4];
      'g'.'g' := 'g'.'g' + 't';
      'g'.'gtau' := 'g'.'gtau' + 'J0'['k'] * 't' / 'g'.'tau';
      'g'.'gtautau' := 'g'.'gtautau' + 'J0'['k'] * ('J0'['k'] - 1) * 't' / 'g'.'tau' ^ 2;
    end for;
    'a' := 'g'.'pi';
    'b' := 'g'.'tau';
    'ra' := 1.0 / 'a';
    'rb' := 1.0 / 'b';
    'pa'[1] := 1.0;
    for 'k' in 2:4 loop
      'pa'['k'] := 'pa'['k' - 1] * 'a';
    end for;
    'pb'[1] := 1.0;
    for 'k' in 2:10 loop
      'pb'['k'] := 'pb'['k' - 1] * 'b';
    end for;
    for 'k' in 1:6 loop
      't' := 'n'['k'] * 'pa'['I'['k'] + 1] * 'pb'['J'['k'] + 1];
      'g'.'g' := 'g'.'g' + 't';
      'g'.'gpi' := 'g'.'gpi' + 'I'['k'] * 't' * 'ra';
      'g'.'gpipi' := 'g'.'gpipi' + 'I'['k'] * ('I'['k'] - 1) * 't' * 'ra' * 'ra';
      'g'.'gtau' := 'g'.'gtau' + 'J'['k'] * 't' * 'rb';
      'g'.'gtautau' := 'g'.'gtautau' + 'J'['k'] * ('J'['k'] - 1) * 't' * 'rb' * 'rb';
      'g'.'gtaupi' := 'g'.'gtaupi' + 'I'['k'] * 'J'['k'] * 't' * 'ra' * 'rb';
    end for;
  end 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.g5';

  function 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.f3' "Helmholtz function of region 3"
    input Real 'd';
    input Real 'T';
    output 'Modelica.Media.Common.HelmholtzDerivs' 'f';
    constant Integer 'I'[39] = {0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 6, 6, 6, 7, 8, 9, 9, 10, 10, 11};
    constant Integer 'J'[39] = {0, 1, 2, 7, 10, 12, 23, 2, 6, 15, 17, 0, 2, 6, 7, 22, 26, 0, 2, 4, 16, 26, 0, 2, 4, 26, 1, 3, 26, 0, 2, 26, 2, 26, 2, 26, 0, 1, 26};
    constant Real 'n'[39] = {-15.732845290239, 20.944396974307, -7.6867707878716, 2.6185947787954, -2.8080781148620, 1.2053369696517, -0.84566812812502e-2, -1.2654315477714, -1.1524407806681, 0.88521043984318, -0.64207765181607, 0.38493460186671, -0.85214708824206, 4.8972281541877, -3.0502617256965, 0.39420536879154e-1, 0.12558408424308, -0.27999329698710, 1.3899799569460, -2.0189915023570, -0.82147637173963e-2, -0.47596035734923, 0.43984074473500e-1, -0.44476435428739, 0.90572070719733, 0.70522450087967, 0.10770512626332, -0.32913623258954, -0.50871062041158, -0.22175400873096e-1, 0.94260751665092e-1, 0.16436278447961, -0.13503372241348e-1, -0.14834345352472e-1, 0.57922953628084e-3, 0.32308904703711e-2, 0.80964802996215e-4, -0.16557679795037e-3, -0.44923899061815e-4};
    Real 't';
    Real 'pa'[12];
    Real 'pb'[27];
    Real 'ra';
    Real 'rb';
  algorithm
    'f'.'d' := 'd';
    'f'.'T' := 'T';
    'f'.'R_s' := 461.526;
    'f'.'delta' := 'd' / 322.0;
    'f'.'tau' := 647.096 / 'T';
    'f'.'f' := 1.0658070028513 * log('f'.'delta');
    'f'.'fdelta' := 1.0658070028513 / 'f'.'delta';
    'f'.'fdeltadelta' := -1.0658070028513 / 'f'.'delta' ^ 2;
    'f'.'ftau' := 0.0;
    'f'.'ftautau' := 0.0;
    'f'.'fdeltatau' := 0.0;
    'ra' := 1.0 / 'f'.'delta';
    'rb' := 1.0 / 'f'.'tau';
    'pa'[1] := 1.0;
    for 'k' in 2:12 loop
      'pa'['k'] := 'pa'['k' - 1] * 'f'.'delta';
    end for;
    'pb'[1] := 1.0;
    for 'k' in 2:27 loop
      'pb'['k'] := 'pb'['k' - 1] * 'f'.'tau';
    end for;
    for 'k' in 1:39 loop
      't' := 'n'['k'] * 'pa'['I'['k'] + 1] * 'pb'['J'['k'] + 1];
      'f'.'f' := 'f'.'f' + 't';
      'f'.'fdelta' := 'f'.'fdelta' + 'I'['k'] * 't' * 'ra';
      'f'.'fdeltadelta' := 'f'.'fdeltadelta' + 'I'['k'] * ('I'['k'] - 1) * 't' * 'ra' * 'ra';
      'f'.'ftau' := 'f'.'ftau' + 'J'['k'] * 't' * 'rb';
      'f'.'ftautau' := 'f'.'ftautau' + 'J'['k'] * ('J'['k'] - 1) * 't' * 'rb' * 'rb';
      'f'.'fdeltatau' := 'f'.'fdeltatau' + 'I'['k'] * 'J'['k'] * 't' * 'ra' * 'rb';
    end for;
  end 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.f3';

  function 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tph1' "Backward equation of region 1"
    input Real 'p';
    input Real 'h';
    output Real 'T';
    constant Integer 'I'[20] = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 3, 4, 5, 6};
    constant Integer 'J'[20] = {0, 1, 2, 6, 22, 32, 0, 1, 2, 3, 4, 10, 32, 10, 32, 10, 32, 32, 32, 32};
    constant Real 'n'[20] = {-238.72489924521, 404.21188637945, 113.49746881718, -5.8457616048039, -0.15285482413140e-3, -0.10866707695377e-5, -13.391744872602, 43.211039183559, -54.010067170506, 30.535892203916, -6.5964749423638, 0.93965400878363e-2, 0.11573647505340e-6, -0.25858641282073e-4, -0.40644363084799e-8, 0.66456186191635e-7, 0.80670734103027e-10, -0.93477771213947e-12, 0.58265442020601e-14, -0.15020185953503e-16};
    Real 'a';
    Real 'b';
    Real 'pa'[7];
    Real 'pb'[33];
  algorithm
    'a' := 'p' / 1e6;
    'b' := 'h' / 2.5e6 + 1.0;
    'T' := 0.0;
    'pa'[1] := 1.0;
    for 'k' in 2:7 loop
      'pa'['k'] := 'pa'['k' - 1] * 'a';
    end for;
    'pb'[1] := 1.0;
    for 'k' in 2:33 loop
      'pb'['k'] := 'pb'['k' - 1] * 'b';
    end for;
    for 'k' in 1:20 loop
      'T' := 'T' + 'n'['k'] * 'pa'['I'['k'] + 1] * 'pb'['J'['k'] + 1];
    end for;
  end 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tph1';

  function 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tph2a' "Backward equation of region 2a"
    input Real 'p';
    input Real 'h';
    output Real 'T';
    constant Integer 'I'[34] = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 7};
    constant Integer 'J'[34] = {0, 1, 2, 3, 7, 20, 0, 1, 2, 3, 7, 9, 11, 18, 44, 0, 2, 7, 36, 38, 40, 42, 44, 24, 44, 12, 32, 44, 32, 36, 42, 34, 44, 28};
    constant Real 'n'[34] = {1089.8952318288, 849.51654495535, -107.81748091826, 33.153654801263, -7.4232016790248, 11.765048724356, 1.8445749355790, -4.1792700549624, 6.2478196935812, -17.344563108114, -200.58176862096, 271.96065473796, -455.11318285818, 3091.9688604755, 252266.40357872, -0.61707422868339e-2, -0.31078046629583, 11.670873077107, 0.12812798404046e9, -0.98554909623276e9, 0.28224546973002e10, -0.35948971410703e10, 0.17227349913197e10, -13551.334240775, 0.12848734664650e8, 1.3865724283226, 235988.32556514, -0.13105236545054e8, 7399.9835474766, -551966.97030060, 3715408.5996233, 19127.729239660, -415351.64835634, -62.459855192507};
    Real 'a';
    Real 'b';
    Real 'pa'[8];
    Real 'pb'[45];
  algorithm
    'a' := 'p' / 1e6;
    'b' := 'h' / 2e6 - 2.1;
    'T' := 0.0;
    'pa'[1] := 1.0;
    for 'k' in 2:8 loop
      'pa'['k'] := 'pa'['k' - 1] * 'a';
    end for;
    'pb'[1] := 1.0;
    for 'k' in 2:45 loop
      'pb'['k'] := 'pb'['k' - 1] * 'b';
    end for;
    for 'k' in 1:34 loop
      'T' := 'T' + 'n'['k'] * 'pa'['I'['k'] + 1] * 'pb'['J'['k'] + 1];
    end for;
  end 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tph2a';

  function 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tph2b' "Backward equation of region 2b"
    input Real 'p';
    input Real 'h';
    output Real 'T';
    constant Integer 'I'[38] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 5, 5, 5, 6, 7, 7, 9, 9};
    constant Integer 'J'[38] = {0, 1, 2, 12, 18, 24, 28, 40, 0, 2, 6, 12, 18, 24, 28, 40, 2, 8, 18, 40, 1, 2, 12, 24, 2, 12, 18, 24, 28, 40, 18, 24, 40, 28, 2, 28, 1, 40};
    constant Real 'n'[38] = {1489.5041079516, 743.07798314034, -97.708318797837, 2.4742464705674, -0.63281320016026, 1.1385952129658, -0.47811863648625, 0.85208123431544e-2, 0.93747147377932, 3.3593118604916, 3.3809355601454, 0.16844539671904, 0.73875745236695, -0.47128737436186, 0.15020273139707, -0.21764114219750e-2, -0.21810755324761e-1, -0.10829784403677, -0.46333324635812e-1, 0.71280351959551e-4, 0.11032831789999e-3, 0.18955248387902e-3, 0.30891541160537e-2, 0.13555504554949e-2, 0.28640237477456e-6, -0.10779857357512e-4, -0.76462712454814e-4, 0.14052392818316e-4, -0.31083814331434e-4, -0.10302738212103e-5, 0.28217281635040e-6, 0.12704902271945e-5, 0.73803353468292e-7, -0.11030139238909e-7, -0.81456365207833e-13, -0.25180545682962e-10, -0.17565233969407e-17, 0.86934156344163e-14};
    Real 'a';
    Real 'b';
    Real 'pa'[10];
    Real 'pb'[41];
  algorithm
    'a' := 'p' / 1e6 - 2.0;
    'b' := 'h' / 2e6 - 2.6;
    'T' := 0.0;
    'pa'[1] := 1.0;
    for 'k' in 2:10 loop
      'pa'['k'] := 'pa'['k' - 1] * 'a';
    end for;
    'pb'[1] := 1.0;
    for 'k' in 2:41 loop
      'pb'['k'] := 'pb'['k' - 1] * 'b';
    end for;
    for 'k' in 1:38 loop
      'T' := 'T' + 'n'['k'] * 'pa'['I'['k'] + 1] * 'pb'['J'['k'] + 1];
    end for;
  end 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tph2b';

  function 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tph2c' "Backward equation of region 2c"
    input Real 'p';
    input Real 'h';
    output Real 'T';
    constant Integer 'I'[23] = {-7, -7, -6, -6, -5, -5, -2, -2, -1, -1, 0, 0, 1, 1, 2, 6, 6, 6, 6, 6, 6, 6, 6};
    constant Integer 'J'[23] = {0, 4, 0, 2, 0, 2, 0, 1, 0, 2, 0, 1, 4, 8, 4, 0, 1, 4, 10, 12, 16, 20, 22};
    constant Real 'n'[23] = {-0.32368398555242e13, 0.73263350902181e13, 0.35825089945447e12, -0.58340131851590e12, -0.10783068217470e11, 0.20825544563171e11, 610747.83564516, 859777.22535580, -25745.723604170, 31081.088422714, 1208.2315865936, 482.19755109255, 3.7966001272486, -10.842984880077, -0.045364172676660, 0.14559115658698e-12, 0.11261597407230e-11, -0.17804982240686e-10, 0.12324579690832e-6, -0.11606921130984e-5, 0.27846367088554e-4, -0.59270038474176e-3, 0.12918582991878e-2};
    Real 'a';
    Real 'b';
    Real 'pa'[14];
    Real 'pb'[23];
  algorithm
    'a' := 'p' / 1e6 + 25.0;
    'b' := 'h' / 2e6 - 1.8;
    'T' := 0.0;
    'pa'[8] := 1.0;
    for 'k' in 1:7 loop
      'pa'[8 - 'k'] := 'pa'[9 - 'k'] / 'a';
    end for;
    for 'k' in 9:14 loop
      'pa'['k'] := 'pa'['k' - 1] * 'a';
    end for;
    'pb'[1] := 1.0;
    for 'k' in 2:23 loop
      'pb'['k'] := 'pb'['k' - 1] * 'b';
    end for;
    for 'k' in 1:23 loop
      'T' := 'T' + 'n'['k'] * 'pa'['I'['k'] + 8] * 'pb'['J'['k'] + 1];
    end for;
  end 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tph2c';

  function 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tph2' "Backward equations of region 2: below 4 MPa, above the boundary B2bc, the rest"
    input Real 'p';
    input Real 'h';
    output Real 'T';
    Real 'k' = 'h' / 1e3;
  algorithm
    if 'p' <= 4e6 then
      'T' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tph2a'('p', 'h');
    elseif 'p' / 1e6 < 905.84278514723 + 'k' * (-0.67955786399241 + 0.12809002730136e-3 * 'k') then
      'T' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tph2b'('p', 'h');
    else
      'T' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tph2c'('p', 'h');
    end if;
  end 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tph2';

  function 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.psat' "Pressure of saturation"
    input Real 'T';
    output Real 'p_sat';
    Real 'x';
    Real 'a';
    Real 'b';
    Real 'c';
  algorithm
    'x' := min('T', 647.096) - 0.23855557567849 / (min('T', 647.096) - 650.17534844798);
    'a' := 'x' * ('x' + 1167.0521452767) - 724213.16703206;
    'b' := 'x' * (12020.824702470 - 17.073846940092 * 'x') - 3232555.0322333;
    'c' := 'x' * (14.915108613530 * 'x' - 4823.2657361591) + 405113.40542057;
    'p_sat' := 1e6 * (2.0 * 'c' / (sqrt('b' * 'b' - 4.0 * 'a' * 'c') - 'b')) ^ 4;
  end 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.psat';

  function 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tsat' "Temperature of saturation"
    input Real 'p';
    output Real 't_sat';
    Real 'x';
    Real 'd';
    Real 'e';
    Real 'f';
    Real 'g';
  algorithm
    'x' := (min('p', 22.064e6) / 1e6) ^ 0.25;
    'e' := 'x' * ('x' - 17.073846940092) + 14.915108613530;
    'f' := 'x' * (1167.0521452767 * 'x' + 12020.824702470) - 4823.2657361591;
    'g' := 405113.40542057 - 'x' * (724213.16703206 * 'x' + 3232555.0322333);
    'd' := 2.0 * 'g' / (-'f' - sqrt('f' * 'f' - 4.0 * 'e' * 'g'));
    't_sat' := 0.5 * (650.17534844798 + 'd' - sqrt((650.17534844798 + 'd') ^ 2 - 4.0 * (650.17534844798 * 'd' - 0.23855557567849)));
    annotation(derivative = 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tsat_der');
  end 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tsat';

  function 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.dptofT' "Slope of the pressure of saturation, from the implicit equation between both"
    input Real 'T';
    output Real 'dpt';
    Real 't' = min('T', 647.096);
    Real 'x';
    Real 'y';
    Real 'fx';
    Real 'fy';
  algorithm
    'x' := 't' - 0.23855557567849 / ('t' - 650.17534844798);
    'y' := ('Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.psat'('t') / 1e6) ^ 0.25;
    'fx' := 'y' * ('y' * (2.0 * 'x' + 1167.0521452767) - 34.147693880184 * 'x' + 12020.824702470) + 29.83021722706 * 'x' - 4823.2657361591;
    'fy' := 2.0 * 'y' * ('x' * ('x' + 1167.0521452767) - 724213.16703206) + 'x' * (12020.824702470 - 17.073846940092 * 'x') - 3232555.0322333;
    'dpt' := -4e6 * 'y' ^ 3 * 'fx' / 'fy' * (1.0 + 0.23855557567849 / ('t' - 650.17534844798) ^ 2);
  end 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.dptofT';

  function 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.dtsatofp' "Slope of the temperature of saturation"
    input Real 'p';
    output Real 'dtsat';
  algorithm
    'dtsat' := 1.0 / 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.dptofT'('Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tsat'('p'));
  end 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.dtsatofp';

  function 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tsat_der'
    input Real 'p';
    input Real 'der_p';
    output Real 'der_tsat';
  algorithm
    'der_tsat' := 'der_p' * 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.dtsatofp'('p');
  end 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tsat_der';

  function 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.psat_der'
    input Real 'T';
    input Real 'der_T';
    output Real 'der_psat';
  algorithm
    'der_psat' := 'der_T' * 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.dptofT'('T');
  end 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.psat_der';

  function 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Regions.boundary23ofT' "Pressure of the boundary between regions 2 and 3"
    input Real 't';
    output Real 'p';
  algorithm
    'p' := 1e6 * (348.05185628969 + 't' * (-1.1671859879975 + 0.10192970039326e-2 * 't'));
  end 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Regions.boundary23ofT';

  function 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Regions.boundary23ofp' "Temperature of the boundary between regions 2 and 3"
    input Real 'p';
    output Real 't';
  algorithm
    't' := 572.54459862746 + sqrt(('p' / 1e6 - 13.918839778870) / 0.10192970039326e-2);
  end 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Regions.boundary23ofp';

  function 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Inverses.density3' "Density of region 3 in an interval where the pressure rises with it: Newton's method kept inside by halving"
    input Real 'p';
    input Real 'T';
    input Real 'low';
    input Real 'high';
    input Real 'start';
    output Real 'd';
    output Integer 'error';
    'Modelica.Media.Common.HelmholtzDerivs' 'f';
    Real 'lo';
    Real 'hi';
    Real 'e';
    Real 'slope';
    Real 'next';
  algorithm
    'lo' := 'low';
    'hi' := 'high';
    'd' := 'start';
    'error' := 1;
    for 'k' in 1:100 loop
      'f' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.f3'('d', 'T');
      'e' := 461.526 * 'T' * 'd' * 'f'.'delta' * 'f'.'fdelta' - 'p';
      'slope' := 461.526 * 'T' * 'f'.'delta' * (2.0 * 'f'.'fdelta' + 'f'.'delta' * 'f'.'fdeltadelta');
      if 'e' > 0.0 then
        'hi' := 'd';
      else
        'lo' := 'd';
      end if;
      'next' := if 'slope' > 0.0 then 'd' - 'e' / 'slope' else 0.0;
      if not ('next' > 'lo' and 'next' < 'hi') then
        'next' := 0.5 * ('lo' + 'hi');
      end if;
      if abs('e') <= 1e-10 * 'p' or abs('next' - 'd') <= 1e-13 * 'd' then
        'error' := 0;
        break;
      end if;
      'd' := 'next';
    end for;
  end 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Inverses.density3';

  function 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Inverses.dofpt3' "Density of region 3 at a pressure and a temperature"
    input Real 'p';
    input Real 'T';
    input Real 'delp' = 1e-6;
    output Real 'd';
    output Integer 'error';
  algorithm
    if 'T' >= 647.096 then
      ('d', 'error') := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Inverses.density3'('p', 'T', 1.0, 800.0, if 'p' > 22.064e6 then 500.0 else 'p' / (461.526 * 'T'));
    elseif 'p' >= 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.psat'('T') then
      ('d', 'error') := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Inverses.density3'('p', 'T', 322.0, 800.0, 800.0);
    else
      ('d', 'error') := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Inverses.density3'('p', 'T', 1.0, 322.0, 'p' / (461.526 * 'T'));
    end if;
  end 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Inverses.dofpt3';

  function 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Inverses.saturated3' "Density on the boundary of region 4 above 623.15 K"
    input Real 'p';
    input Boolean 'liquid';
    output Real 'd';
    Real 'T';
    Integer 'error';
  algorithm
    'T' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tsat'('p');
    if 'T' >= 647.0959 then
      'd' := 322.0;
    elseif 'liquid' then
      ('d', 'error') := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Inverses.density3'('p', 'T', 322.0, 800.0, 800.0);
    else
      ('d', 'error') := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Inverses.density3'('p', 'T', 1.0, 322.0, 'p' / (461.526 * 'T'));
    end if;
  end 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Inverses.saturated3';

  function 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Regions.rhol_p_R4b' "Density on the boundary of region 4 above 623.15 K"
    input Real 'p';
    output Real 'dl';
  algorithm
    'dl' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Inverses.saturated3'('p', true);
  end 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Regions.rhol_p_R4b';

  function 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Regions.hl_p_R4b' "Enthalpy on the boundary of region 4 above 623.15 K"
    input Real 'p';
    output Real 'h';
    'Modelica.Media.Common.HelmholtzDerivs' 'f';
  algorithm
    'f' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.f3'('Modelica.Media.Water.IF97_Utilities.BaseIF97.Inverses.saturated3'('p', true), 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tsat'('p'));
    'h' := 461.526 * 'f'.'T' * ('f'.'tau' * 'f'.'ftau' + 'f'.'delta' * 'f'.'fdelta');
  end 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Regions.hl_p_R4b';

  function 'Modelica.Media.Water.IF97_Utilities.hl_p' "Enthalpy of the saturated liquid"
    input Real 'p';
    output Real 'h';
    'Modelica.Media.Common.GibbsDerivs' 'g';
  algorithm
    if 'p' < 16.5292e6 then
      'g' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.g1'('p', 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tsat'('p'));
      'h' := 461.526 * 'g'.'T' * 'g'.'tau' * 'g'.'gtau';
    elseif 'p' < 22.064e6 then
      'h' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Regions.hl_p_R4b'('p');
    else
      'h' := 2087546.84511715;
    end if;
  end 'Modelica.Media.Water.IF97_Utilities.hl_p';

  function 'Modelica.Media.Water.IF97_Utilities.rhol_T' "Density of the saturated liquid"
    input Real 'T';
    output Real 'd';
    Real 'p';
    'Modelica.Media.Common.GibbsDerivs' 'g';
  algorithm
    'p' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.psat'('T');
    if 'T' < 623.15 then
      'g' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.g1'('p', 'T');
      'd' := 'p' / (461.526 * 'T' * 'g'.'pi' * 'g'.'gpi');
    elseif 'T' < 647.096 then
      'd' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Regions.rhol_p_R4b'('p');
    else
      'd' := 322.0;
    end if;
  end 'Modelica.Media.Water.IF97_Utilities.rhol_T';

  function 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Regions.rhov_p_R4b' "Density on the boundary of region 4 above 623.15 K"
    input Real 'p';
    output Real 'dv';
  algorithm
    'dv' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Inverses.saturated3'('p', false);
  end 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Regions.rhov_p_R4b';

  function 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Regions.hv_p_R4b' "Enthalpy on the boundary of region 4 above 623.15 K"
    input Real 'p';
    output Real 'h';
    'Modelica.Media.Common.HelmholtzDerivs' 'f';
  algorithm
    'f' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.f3'('Modelica.Media.Water.IF97_Utilities.BaseIF97.Inverses.saturated3'('p', false), 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tsat'('p'));
    'h' := 461.526 * 'f'.'T' * ('f'.'tau' * 'f'.'ftau' + 'f'.'delta' * 'f'.'fdelta');
  end 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Regions.hv_p_R4b';

  function 'Modelica.Media.Water.IF97_Utilities.hv_p' "Enthalpy of the saturated vapour"
    input Real 'p';
    output Real 'h';
    'Modelica.Media.Common.GibbsDerivs' 'g';
  algorithm
    if 'p' < 16.5292e6 then
      'g' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.g2'('p', 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tsat'('p'));
      'h' := 461.526 * 'g'.'T' * 'g'.'tau' * 'g'.'gtau';
    elseif 'p' < 22.064e6 then
      'h' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Regions.hv_p_R4b'('p');
    else
      'h' := 2087546.84511715;
    end if;
  end 'Modelica.Media.Water.IF97_Utilities.hv_p';

  function 'Modelica.Media.Water.IF97_Utilities.rhov_T' "Density of the saturated vapour"
    input Real 'T';
    output Real 'd';
    Real 'p';
    'Modelica.Media.Common.GibbsDerivs' 'g';
  algorithm
    'p' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.psat'('T');
    if 'T' < 623.15 then
      'g' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.g2'('p', 'T');
      'd' := 'p' / (461.526 * 'T' * 'g'.'pi' * 'g'.'gpi');
    elseif 'T' < 647.096 then
      'd' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Regions.rhov_p_R4b'('p');
    else
      'd' := 322.0;
    end if;
  end 'Modelica.Media.Water.IF97_Utilities.rhov_T';

  function 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Inverses.dtofph3' "Density and temperature of region 3 at a pressure and an enthalpy: Newton's method for the temperature, kept inside by halving"
    input Real 'p';
    input Real 'h';
    input Real 'delp';
    input Real 'delh';
    output Real 'd';
    output Real 'T';
    output Integer 'error';
    'Modelica.Media.Common.HelmholtzDerivs' 'f';
    Real 'lo';
    Real 'hi';
    Real 'e';
    Real 'cp';
    Real 'pt';
    Real 'pd';
    Real 'next';
    Integer 'inner';
  algorithm
    'lo' := 623.15;
    'hi' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Regions.boundary23ofp'('p') + 1.0;
    if 'p' < 22.064e6 then
      if 'h' < 0.5 * ('Modelica.Media.Water.IF97_Utilities.hl_p'('p') + 'Modelica.Media.Water.IF97_Utilities.hv_p'('p')) then
        'hi' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tsat'('p');
      else
        'lo' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.tsat'('p');
      end if;
    end if;
    'T' := 0.5 * ('lo' + 'hi');
    'error' := 1;
    for 'k' in 1:100 loop
      ('d', 'inner') := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Inverses.dofpt3'('p', 'T', 'delp');
      'f' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.f3'('d', 'T');
      'e' := 461.526 * 'T' * ('f'.'tau' * 'f'.'ftau' + 'f'.'delta' * 'f'.'fdelta') - 'h';
      'pd' := 461.526 * 'T' * 'f'.'delta' * (2.0 * 'f'.'fdelta' + 'f'.'delta' * 'f'.'fdeltadelta');
      'pt' := 461.526 * 'd' * 'f'.'delta' * ('f'.'fdelta' - 'f'.'tau' * 'f'.'fdeltatau');
      'cp' := 'T' * 'pt' ^ 2 / ('d' ^ 2 * 'pd') - 461.526 * 'f'.'tau' ^ 2 * 'f'.'ftautau';
      if 'e' > 0.0 then
        'hi' := 'T';
      else
        'lo' := 'T';
      end if;
      'next' := if 'cp' > 0.0 then 'T' - 'e' / 'cp' else 0.0;
      if not ('next' > 'lo' and 'next' < 'hi') then
        'next' := 0.5 * ('lo' + 'hi');
      end if;
      if abs('e') <= 1e-9 * abs('h') or abs('next' - 'T') <= 1e-13 * 'T' then
        'error' := 'inner';
        break;
      end if;
      'T' := 'next';
    end for;
  end 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Inverses.dtofph3';

  function 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Inverses.tofph5' "Temperature of region 5 at a pressure and an enthalpy"
    input Real 'p';
    input Real 'h';
    input Real 'reldh';
    output Real 'T';
    output Integer 'error';
    'Modelica.Media.Common.GibbsDerivs' 'g';
    Real 'e';
  algorithm
    'T' := 1673.15;
    'error' := 1;
    for 'k' in 1:50 loop
      'g' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.g5'('p', 'T');
      'e' := 461.526 * 'T' * 'g'.'tau' * 'g'.'gtau' - 'h';
      if abs('e') <= 1e-12 * abs('h') then
        'error' := 0;
        break;
      end if;
      'T' := min(2500.0, max(900.0, 'T' + 'e' / (461.526 * 'g'.'tau' ^ 2 * 'g'.'gtautau')));
    end for;
    if abs('e') <= 'reldh' * abs('h') then
      'error' := 0;
    end if;
  end 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Inverses.tofph5';

  function 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Regions.region_pT' "Region of a pressure and a temperature"
    input Real 'p';
    input Real 'T';
    input Integer 'mode' = 0;
    output Integer 'region';
  algorithm
    assert('p' > 0.0 and 'p' <= 100e6 and 'T' >= 273.15 and 'T' <= 2273.15 and ('T' <= 1073.15 or 'p' <= 50e6), "IF97 is not defined for p = " + String('p') + " Pa, T = " + String('T') + " K", AssertionLevel.error);
    if 'mode' <> 0 then
      'region' := 'mode';
    elseif 'T' > 1073.15 then
      'region' := 5;
    elseif 'T' > 623.15 then
      'region' := if 'T' < 863.15 and 'p' > 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Regions.boundary23ofT'('T') then 3 else 2;
    else
      'region' := if 'p' > 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.psat'('T') then 1 else 2;
    end if;
  end 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Regions.region_pT';

  function 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Regions.region_ph' "Region of a pressure and an enthalpy"
    input Real 'p';
    input Real 'h';
    input Integer 'phase' = 0;
    input Integer 'mode' = 0;
    output Integer 'region';
    'Modelica.Media.Common.GibbsDerivs' 'g';
    Real 'hl';
    Real 'hv';
  algorithm
    assert('p' >= 611.657 and 'p' <= 100e6, "IF97 is not defined for p = " + String('p') + " Pa", AssertionLevel.error);
    if 'mode' <> 0 then
      'region' := 'mode';
    elseif 'phase' == 2 then
      'region' := 4;
    elseif 'p' < 16.5292e6 then
      'hl' := 'Modelica.Media.Water.IF97_Utilities.hl_p'('p');
      'hv' := 'Modelica.Media.Water.IF97_Utilities.hv_p'('p');
      if 'h' <= 'hl' or 'phase' == 1 and 'h' < 0.5 * ('hl' + 'hv') then
        'region' := 1;
      elseif 'h' >= 'hv' or 'phase' == 1 then
        'g' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.g2'('p', 1073.15);
        'region' := if 'h' > 461.526 * 1073.15 * 'g'.'tau' * 'g'.'gtau' then 5 else 2;
      else
        'region' := 4;
      end if;
    else
      'g' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.g1'('p', 623.15);
      'hl' := 461.526 * 623.15 * 'g'.'tau' * 'g'.'gtau';
      'g' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.g2'('p', 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Regions.boundary23ofp'('p'));
      'hv' := 461.526 * 'g'.'T' * 'g'.'tau' * 'g'.'gtau';
      if 'h' <= 'hl' then
        'region' := 1;
      elseif 'h' >= 'hv' then
        'g' := 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Basic.g2'('p', 1073.15);
        'region' := if 'h' > 461.526 * 1073.15 * 'g'.'tau' * 'g'.'gtau' then 5 else 2;
      elseif 'p' < 22.064e6 and 'phase' <> 1 and 'h' > 'Modelica.Media.Water.IF97_Utilities.hl_p'('p') and 'h' < 'Modelica.Media.Water.IF97_Utilities.hv_p'('p') then
        'region' := 4;
      else
        'region' := 3;
      end if;
    end if;
  end 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Regions.region_ph';

  function 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Transport.visc_dTp' "Dynamic viscosity, IAPWS release of 2003"
    input Real 'd';
    input Real 'T';
    input Real 'p';
    input Integer 'phase' = 0;
    input Boolean 'checkLimits' = true;
    output Real 'eta';
    constant Real 'n'[42] = {0.5132047, 0.3205656, 0.0, 0.0, -0.7782567, 0.1885447, 0.2151778, 0.7317883, 1.241044, 1.476783, 0.0, 0.0, -0.2818107, -1.070786, -1.263184, 0.0, 0.0, 0.0, 0.1778064, 0.460504, 0.2340379, -0.4924179, 0.0, 0.0, -0.0417661, 0.0, 0.0, 0.1600435, 0.0, 0.0, 0.0, -0.01578386, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -0.003629481, 0.0, 0.0};
    Real 't';
    Real 'r';
    Real 'sum';
    Real 'row';
  algorithm
    if 'checkLimits' then
      assert('d' > 0.004854575724778614 and 'p' <= 5e8 and 'T' >= 273.15 and 'T' <= 1173.15, "the viscosity of water is not defined for d = " + String('d') + " kg/m3, T = " + String('T') + " K", AssertionLevel.error);
    end if;
    't' := 647.226 / 'T' - 1.0;
    'r' := 'd' / 317.763 - 1.0;
    'sum' := 0.0;
    for 'j' in 1:7 loop
      'row' := 0.0;
      for 'i' in 1:6 loop
        'row' := 'row' * 't' + 'n'[(7 - 'j') * 6 + 7 - 'i'];
      end for;
      'sum' := 'sum' * 'r' + 'row';
    end for;
    't' := 647.226 / 'T';
    'eta' := 55.071e-6 * exp('d' / 317.763 * 'sum') / (sqrt('t') * (1.0 + 't' * (0.978197 + 't' * (0.579829 - 0.202354 * 't'))));
  end 'Modelica.Media.Water.IF97_Utilities.BaseIF97.Transport.visc_dTp';
end 'Library';
