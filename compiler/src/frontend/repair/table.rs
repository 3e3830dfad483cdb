//! What is supplied for functions that a file calls and does not define, and what has to show that it is meant. Data only.
//!
//! A function with the full name of one of the library is that one. A function of a package that a component may exchange is exported
//! under the path of the component, for example `pipe.flowModel.WallFriction.Internal.m_flow_of_dp_fric`; [`INSTANCES`] says which package
//! of the library is taken for it, and on what evidence.

use std::fmt;

/// The record of a gas.
pub(super) const GAS_DATA: &str = "Modelica.Media.IdealGases.Common.DataRecord";

/// What in a file shows that an exchangeable package is a certain one.
#[derive(Debug)]
pub(super) enum Evidence {
    /// The calling function declares this.
    Declares(&'static str),
    /// The calling function has an assertion with these words.
    Asserts(&'static str),
    /// The file defines this function of the same package.
    Defines(&'static str),
    /// The file defines this class, which only media of this kind need.
    Has(&'static str),
    /// A message of the file's models, or of the file's functions of the same package, names this medium.
    Says(&'static str),
    /// The function is one of these, which no other package has; with a medium's name, one that the file also names.
    Only(&'static [&'static str], Option<&'static str>),
    /// The function is one of these, and the file defines this class.
    OnlyHas(&'static [&'static str], &'static str),
    /// The file's functions of this package name one gas.
    OneGas,
    /// The file's functions of this package name several gases.
    SeveralGases,
    /// The function gives a field of the medium's state, and the state in the file has this field.
    State,
    /// The functions themselves: they are the same in every package that has them.
    Name,
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Evidence::Declares(name) => write!(f, "the function that calls it declares `{name}`"),
            Evidence::Asserts(words) => write!(f, "the function that calls it asserts \"{words}\""),
            Evidence::Defines(function) => write!(f, "the file defines `{function}` of the same package"),
            Evidence::Has(class) => write!(f, "the file defines `{class}`"),
            Evidence::Says(words) => write!(f, "a message of the file names \"{words}\""),
            Evidence::Only(_, None) => write!(f, "no other package has a function of this name"),
            Evidence::Only(_, Some(words)) => {
                write!(f, "few packages have a function of this name, and a message of the file names \"{words}\"")
            }
            Evidence::OnlyHas(_, class) => write!(f, "no other package has a function of this name, and the file defines `{class}`"),
            Evidence::OneGas => write!(f, "the functions of this package in the file have the data of one gas"),
            Evidence::SeveralGases => write!(f, "the functions of this package in the file have the data of several gases"),
            Evidence::State => write!(f, "the state of the medium in the file has this field"),
            Evidence::Name => write!(f, "it is the same in every package that has it"),
        }
    }
}

/// An exchangeable package: the name it has in a component, the package of the library, what shows that it is meant.
pub(super) struct Instance {
    pub(super) name: &'static str,
    pub(super) package: &'static str,
    pub(super) evidence: Evidence,
}

/// Functions that are an approximation of our own, not the text of the library in other words, and how good it is.
pub(super) const APPROXIMATIONS: [(&str, &str); 2] = [
    ("Modelica.Media.R134a.R134a_ph.temperatureOf_p", "the saturation of R134a is a fit, exact to 2e-8 of the temperature"),
    ("Modelica.Media.R134a.R134a_ph.boundaryOf_p", "the saturation of R134a is a fit, exact to 2e-8 of the temperature"),
];

const DETAILED: &str = "Modelica.Fluid.Pipes.BaseClasses.WallFriction.Detailed";
const LAMINAR_AND_QUADRATIC: &str = "Modelica.Fluid.Pipes.BaseClasses.WallFriction.LaminarAndQuadraticTurbulent";
const MOIST_AIR: &str = "Modelica.Media.Air.MoistAir";
/// Names of functions that only moist air has.
const MOIST_AIR_ALONE: [&str; 7] = [
    "saturationPressureLiquid",
    "saturationPressureLiquid_der",
    "sublimationPressureIce",
    "sublimationPressureIce_der",
    "T_phX",
    "T_phX.f_nonlinear",
    "s_pTX",
];
const GLYCOL: &str = "Modelica.Media.Incompressible.Examples.Glycol47";
const ESSOTHERM: &str = "Modelica.Media.Incompressible.Examples.Essotherm650";
const SINGLE_GAS: &str = "Modelica.Media.IdealGases.Common.SingleGasNasa";
const GAS_MIXTURE: &str = "Modelica.Media.IdealGases.Common.MixtureGasNasa";
const ANY_MIXTURE: &str = "Modelica.Media.Interfaces.PartialMixtureMedium";
const R134A: &str = "Modelica.Media.R134a.R134a_ph";
/// What these media have of their own without knowing their gases.
const OF_ONE_GAS: [&str; 2] = ["T_h.f_nonlinear", "T_ps.f_nonlinear"];
const OF_A_MIXTURE: [&str; 5] =
    ["T_hX.f_nonlinear", "T_psX.f_nonlinear", "gasMixtureViscosity", "lowPressureThermalConductivity", "MixEntropy"];

const ANY_MEDIUM: &str = "Modelica.Media.Interfaces.PartialMedium";
/// Functions that give a field of a medium's state.
pub(super) const FIELDS: [(&str, &str); 4] = [("pressure", "p"), ("temperature", "T"), ("density", "d"), ("specificEnthalpy", "h")];

pub(super) const INSTANCES: [Instance; 18] = [
    Instance { name: "WallFriction", package: DETAILED, evidence: Evidence::Declares("Re") },
    Instance { name: "WallFriction", package: LAMINAR_AND_QUADRATIC, evidence: Evidence::Asserts("quadratic turbulent wall friction") },
    Instance { name: "Medium", package: MOIST_AIR, evidence: Evidence::Defines("sublimationPressureIce") },
    Instance { name: "Medium", package: MOIST_AIR, evidence: Evidence::Defines("saturationPressureLiquid") },
    Instance { name: "Medium", package: MOIST_AIR, evidence: Evidence::Declares("X_steam") },
    Instance { name: "Medium", package: MOIST_AIR, evidence: Evidence::Only(&MOIST_AIR_ALONE, None) },
    Instance { name: "Medium", package: MOIST_AIR, evidence: Evidence::Only(&["T_psX", "T_psX.f_nonlinear"], Some("Moist air")) },
    Instance { name: "Medium", package: GLYCOL, evidence: Evidence::Says("Glycol-Water 47%") },
    Instance { name: "Medium", package: ESSOTHERM, evidence: Evidence::Says("Essotherm 650") },
    Instance { name: "Medium", package: R134A, evidence: Evidence::Has("Modelica.Media.R134a.Common.InverseDerivatives_rhoT") },
    Instance {
        name: "Medium",
        package: R134A,
        evidence: Evidence::Only(&["f_R134a", "fid_R134a", "fres_R134a", "R134a_liqofdT", "R134a_vapofdT"], None),
    },
    Instance { name: "Medium", package: SINGLE_GAS, evidence: Evidence::OnlyHas(&OF_ONE_GAS, GAS_DATA) },
    Instance { name: "Medium", package: GAS_MIXTURE, evidence: Evidence::OnlyHas(&OF_A_MIXTURE, GAS_DATA) },
    Instance { name: "Medium", package: SINGLE_GAS, evidence: Evidence::OneGas },
    Instance { name: "Medium", package: GAS_MIXTURE, evidence: Evidence::SeveralGases },
    Instance { name: "Medium", package: ANY_MIXTURE, evidence: Evidence::Name },
    Instance { name: "Medium", package: ANY_MEDIUM, evidence: Evidence::State },
    Instance { name: "Utilities", package: "Modelica.Media.Air.MoistAir.Utilities", evidence: Evidence::Name },
];
