//! Reduces polynomial systems by Groebner bases; the only file that names symbolica.
//!
//! Input: rational residuals of a few unknowns as steps of arithmetic; what else occurs are symbols. Output: polynomials in one unknown,
//! and quotients of polynomials for the others, as such steps. Nothing where a bound is exceeded, or where the basis has another shape.
//!
//! Method: numerators of the residuals; a basis modulo a prime number with numbers for the symbols shows the shape and the degree, which
//! depend on the order of the unknowns; then a lexicographic basis over the rational functions of the symbols. Its last polynomial is
//! factored, and its coefficients are written by Horner's scheme where that takes fewer steps.
//! Guarantee: where the symbols have general values, each solution with no zero denominator is a root with what follows from it. Equal
//! input gives equal output. Cost: bounded by degrees, numbers of terms and of steps.
//!
//! All calls come from one thread, as free use of symbolica demands; a process that runs beside another one waits for nothing: symbolica
//! ends it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock};
use symbolica::poly::groebner::Echelonize;
use symbolica::prelude::*;

use super::steps::{Reduced, Step, Steps, System};
use partita_runtime::base::roots::MAX_DEGREE;

/// Terms of a numerator or denominator.
const MOST_TERMS: usize = 300;
/// The product of the degrees of the residuals.
const MOST_PATHS: u32 = 16;
/// Solutions of a system with symbols: of more the coefficients are too large on the way.
const MOST_SOLUTIONS: usize = 4;
/// Terms that coefficients may have, as the degrees say.
const MOST_COEFFICIENT_TERMS: u64 = 500;
/// Steps of a result.
const MOST_STEPS: usize = 2000;
/// How often a basis is completed.
const MOST_ROUNDS: usize = 4;
/// A prime number whose squares are far below the largest of 64 bits.
const PRIME: u32 = 16_777_213;

type Whole = MultivariatePolynomial<IntegerRing, u16>;
type Quotient = RationalPolynomial<IntegerRing, u16>;
type Coefficients = RationalPolynomialField<IntegerRing, u16>;

/// The polynomials of a system, and its unknowns and symbols.
struct Polynomials {
    n_unknowns: usize,
    /// Unknowns, then symbols.
    variables: Arc<Vec<PolyVariable>>,
    numerators: Vec<Whole>,
}

/// A system to be reduced, and where the result goes.
type Order = (System, Sender<Option<Reduced>>);

/// Reduces a system.
pub(super) fn reduce(system: System) -> Option<Reduced> {
    static WORKER: OnceLock<Mutex<Sender<Order>>> = OnceLock::new();
    let worker = WORKER.get_or_init(|| {
        let (orders, received) = channel();
        std::thread::spawn(move || work(&received));
        Mutex::new(orders)
    });
    let (result, received) = channel();
    worker.lock().ok()?.send((system, result)).ok()?;
    received.recv().ok()?
}

fn work(orders: &Receiver<Order>) {
    for (system, result) in orders {
        // Exponents or numbers may become too large for their types, which is no more than a system without a closed form.
        let reduced = catch_unwind(AssertUnwindSafe(|| reduced(&system))).unwrap_or_default();
        let _ = result.send(reduced);
    }
}

fn reduced(system: &System) -> Option<Reduced> {
    let system = Polynomials::of(system)?;
    if !system.is_small() {
        return None;
    }
    (0..system.n_unknowns).rev().find_map(|last| {
        // The unknown that is left stands behind the others.
        let order: Vec<usize> = (0..system.n_unknowns).filter(|unknown| *unknown != last).chain([last]).collect();
        let degree = degree_of_shape(&basis_of(system.modulo_prime(&order))?)?;
        if degree > if system.n_symbols() == 0 { MAX_DEGREE } else { MOST_SOLUTIONS } {
            return None;
        }
        let basis = basis_of(system.over_symbols(&order))?;
        degree_of_shape(&basis).filter(|own| *own == degree)?;
        result(&system, &order, &basis)
    })
}

impl Polynomials {
    /// The numerators of the residuals.
    fn of(system: &System) -> Option<Polynomials> {
        let names = (0..system.n_unknowns).map(|n| format!("partita::u{n}")).chain((0..system.n_symbols).map(|n| format!("partita::s{n}")));
        let variables: Arc<Vec<PolyVariable>> = Arc::new(names.map(|name| PolyVariable::from(symbol!(name.as_str()))).collect());
        let mut made: Vec<Quotient> = Vec::with_capacity(system.steps.list.len());
        for step in &system.steps.list {
            let next = quotient(step, &made, &variables)?;
            if next.numerator.nterms().max(next.denominator.nterms()) > MOST_TERMS {
                return None;
            }
            made.push(next);
        }
        let numerators = system.residuals.iter().map(|residual| made[*residual].numerator.clone()).collect();
        Some(Polynomials { n_unknowns: system.n_unknowns, variables, numerators })
    }

    /// The degree of a polynomial in the unknowns, and in the symbols.
    fn degrees(&self, polynomial: &Whole) -> [u32; 2] {
        let mut most = [0; 2];
        for term in polynomial {
            let (unknowns, symbols) = term.exponents.split_at(self.n_unknowns);
            for (most, part) in most.iter_mut().zip([unknowns, symbols]) {
                *most = (*most).max(part.iter().map(|e| u32::from(*e)).sum());
            }
        }
        most
    }

    fn n_symbols(&self) -> usize {
        self.variables.len() - self.n_unknowns
    }

    /// Whether the bounds of degrees promise a result of bearable size.
    fn is_small(&self) -> bool {
        let degrees: Vec<[u32; 2]> = self.numerators.iter().map(|numerator| self.degrees(numerator)).collect();
        let n_paths = degrees.iter().fold(1_u32, |product, [own, _]| product.saturating_mul(*own));
        if n_paths == 0 || n_paths > MOST_PATHS {
            return false;
        }
        // A resultant has the coefficients of each polynomial as often as the others have common zeros.
        let in_symbols: u32 = degrees.iter().map(|[own, symbols]| symbols * (n_paths / own)).sum();
        let n_terms = (1..=self.n_symbols() as u64).fold(1_u64, |count, k| count.saturating_mul(u64::from(in_symbols) + k) / k);
        n_terms <= MOST_COEFFICIENT_TERMS
    }

    /// The polynomials with other coefficients, the unknowns in another order.
    fn mapped<F: Ring>(
        &self,
        order: &[usize],
        field: &F,
        coefficient: impl Fn(&Integer, &[u16]) -> F::Element,
    ) -> Vec<MultivariatePolynomial<F, u16>> {
        let unknowns: Arc<Vec<PolyVariable>> = Arc::new(order.iter().map(|unknown| self.variables[*unknown].clone()).collect());
        let map = |numerator: &Whole| {
            let mut mapped = MultivariatePolynomial::new(field, None, unknowns.clone());
            for term in numerator {
                let (own, symbols) = term.exponents.split_at(self.n_unknowns);
                let exponents: Vec<u16> = order.iter().map(|unknown| own[*unknown]).collect();
                mapped.append_monomial(coefficient(term.coefficient, symbols), &exponents);
            }
            mapped
        };
        self.numerators.iter().map(map).collect()
    }

    /// The polynomials modulo a prime number, with numbers for the symbols.
    fn modulo_prime(&self, order: &[usize]) -> Vec<MultivariatePolynomial<Zp, u16>> {
        let field = Zp::new(PRIME);
        let value = |symbol: usize| field.to_element(12_347 + 7_919 * (symbol as u32 + 1) * (symbol as u32 + 3));
        self.mapped(order, &field, |factor, symbols| {
            let start = field.element_from_integer(factor.clone());
            symbols
                .iter()
                .enumerate()
                .fold(start, |product, (symbol, exponent)| field.mul(&product, &field.pow(&value(symbol), u64::from(*exponent))))
        })
    }

    /// The polynomials over the rational functions of the symbols.
    fn over_symbols(&self, order: &[usize]) -> Vec<MultivariatePolynomial<Coefficients, u16>> {
        let symbols: Arc<Vec<PolyVariable>> = Arc::new(self.variables[self.n_unknowns..].to_vec());
        self.mapped(order, &Coefficients::new(Z), |factor, exponents| {
            let mut numerator = Whole::new(&Z, None, symbols.clone());
            numerator.append_monomial(factor.clone(), exponents);
            Quotient::from(numerator)
        })
    }
}

/// A Groebner basis of polynomials, by lexicographic order. The library leaves out what some inputs ask for: what they leave when they
/// are divided by the result is added until nothing is left.
fn basis_of<F: Echelonize>(polynomials: Vec<MultivariatePolynomial<F, u16>>) -> Option<Vec<MultivariatePolynomial<F, u16>>> {
    let mut basis = GroebnerBasis::new(&polynomials, false).system;
    for _ in 0..MOST_ROUNDS {
        let rests = polynomials.iter().map(|polynomial| polynomial.clone().reduce(&basis));
        let rests: Vec<_> = rests.filter(|rest| !rest.is_zero()).collect();
        if rests.is_empty() {
            return GroebnerBasis::is_groebner_basis(&basis).then_some(basis);
        }
        basis.extend(rests);
        basis = GroebnerBasis::new(&basis, false).system;
    }
    None
}

/// What a step makes of the quotients before it.
fn quotient(step: &Step, made: &[Quotient], variables: &Arc<Vec<PolyVariable>>) -> Option<Quotient> {
    let whole = |factor: i64, variable: Option<usize>| {
        let mut exponents = vec![0; variables.len()];
        variable.into_iter().for_each(|variable| exponents[variable] = 1);
        let mut polynomial = Whole::new(&Z, None, variables.clone());
        polynomial.append_monomial(Integer::from(factor), &exponents);
        Quotient::from(polynomial)
    };
    Some(match *step {
        Step::Number(above, below) => &whole(above, None) / &whole(below, None),
        Step::Variable(variable) => whole(1, Some(variable)),
        Step::Add(a, b) => &made[a] + &made[b],
        Step::Mul(a, b) => &made[a] * &made[b],
        Step::Div(_, b) if made[b].numerator.is_zero() => return None,
        Step::Div(a, b) => &made[a] / &made[b],
    })
}

/// The degree of the last polynomial of a basis whose others are linear in one unknown each and contain no other but the last; nothing
/// if it has another shape.
fn degree_of_shape<F: Ring>(basis: &[MultivariatePolynomial<F, u16>]) -> Option<usize> {
    let last = basis.first()?.nvars() - 1;
    let mut degrees = vec![None; last + 1];
    for polynomial in basis {
        let own = (0..=last).find(|unknown| polynomial.degree(*unknown) > 0)?;
        let is_shape = polynomial.into_iter().all(|term| {
            let before_last = &term.exponents[..last];
            before_last.iter().all(|e| *e == 0)
                || (before_last.iter().sum::<u16>() == 1 && before_last[own] == 1 && term.exponents[last] == 0)
        });
        if !is_shape || degrees[own].replace(usize::from(polynomial.degree(own))).is_some() {
            return None;
        }
    }
    degrees.iter().all(Option::is_some).then_some(degrees[last])?
}

/// Numerators of the coefficients of a polynomial in the last unknown over their common denominator; variables of the system.
fn cleared(system: &Polynomials, order: &[usize], polynomial: &[(Quotient, u16)]) -> [Whole; 2] {
    let wide = |narrow: &Whole, power: u16| {
        let mut made = Whole::new(&Z, None, system.variables.clone());
        for term in narrow {
            let mut exponents = vec![0; system.n_unknowns];
            exponents[order[order.len() - 1]] = power;
            exponents.extend_from_slice(term.exponents);
            made.append_monomial(term.coefficient.clone(), &exponents);
        }
        made
    };
    let one = Whole::new(&Z, None, system.variables.clone()).one();
    let mut common = one;
    for (coefficient, _) in polynomial {
        let own = wide(&coefficient.denominator, 0);
        let shared = common.gcd(&own);
        common = &common * &(&own / &shared);
    }
    let mut sum = Whole::new(&Z, None, system.variables.clone());
    for (coefficient, power) in polynomial {
        let factor = &common / &wide(&coefficient.denominator, 0);
        sum = &sum + &(&factor * &wide(&coefficient.numerator, *power));
    }
    [sum, common]
}

/// The steps of a basis of the right shape.
fn result(system: &Polynomials, order: &[usize], basis: &[MultivariatePolynomial<Coefficients, u16>]) -> Option<Reduced> {
    let (last, position) = (*order.last()?, order.len() - 1);
    let mut reduced = Reduced { unknown: last, factors: Vec::new(), others: Vec::new(), steps: Steps::default() };
    for polynomial in basis {
        let own = (0..order.len()).find(|unknown| polynomial.degree(*unknown) > 0)?;
        if own == position {
            add_factors(system, order, polynomial, &mut reduced)?;
            continue;
        }
        let leading = polynomial.into_iter().find(|term| term.exponents[own] == 1)?.coefficient.clone();
        let rest = polynomial.into_iter().filter(|term| term.exponents[own] == 0);
        let terms: Vec<(Quotient, u16)> = rest.map(|term| (&(-term.coefficient.clone()) / &leading, term.exponents[position])).collect();
        let [above, below] = cleared(system, order, &terms);
        let above = shortest(&mut reduced.steps, system, &above)?;
        let below = shortest(&mut reduced.steps, system, &below)?;
        let value = reduced.steps.quotient(above, below);
        reduced.others.push((order[own], value));
    }
    (reduced.steps.list.len() <= MOST_STEPS).then_some(reduced)
}

/// The factors of the polynomial in the last unknown.
fn add_factors(
    system: &Polynomials,
    order: &[usize],
    polynomial: &MultivariatePolynomial<Coefficients, u16>,
    reduced: &mut Reduced,
) -> Option<()> {
    let (last, position) = (*order.last()?, order.len() - 1);
    let terms: Vec<(Quotient, u16)> = polynomial.into_iter().map(|term| (term.coefficient.clone(), term.exponents[position])).collect();
    let [numerator, _] = cleared(system, order, &terms);
    for (factor, _) in numerator.factor() {
        let degree = usize::from(factor.degree(last));
        if degree > 0 {
            let mut coefficients = vec![reduced.steps.number(0, 1); degree + 1];
            for (coefficient, power) in factor.to_univariate_polynomial_list(last) {
                coefficients[usize::from(power)] = shortest(&mut reduced.steps, system, &coefficient)?;
            }
            reduced.factors.push(coefficients);
        }
    }
    Some(())
}

/// A polynomial as steps: by Horner's scheme, or as a sum of products if that takes fewer.
fn shortest(steps: &mut Steps, system: &Polynomials, polynomial: &Whole) -> Option<usize> {
    let sum = polynomial.to_expression();
    let nested = sum.collect_horner(None::<&[Symbol]>);
    let ways = [nested, sum].map(|way| {
        let mut made = steps.clone();
        let value = add_expression(&mut made, system, way.as_view())?;
        Some((made, value))
    });
    let (made, value) = ways.into_iter().flatten().min_by_key(|(made, _)| made.list.len())?;
    *steps = made;
    Some(value)
}

/// The steps of an expression; its depth is bounded by the degrees.
fn add_expression(steps: &mut Steps, system: &Polynomials, expression: AtomView<'_>) -> Option<usize> {
    match expression {
        AtomView::Num(number) => match number.get_coeff_view() {
            CoefficientView::Natural(above, below, 0, _) => Steps::is_exact(above, below).then(|| steps.number(above, below)),
            _ => None,
        },
        AtomView::Var(variable) => {
            let own = PolyVariable::Symbol(variable.get_symbol());
            system.variables.iter().position(|other| *other == own).map(|position| steps.add(Step::Variable(position)))
        }
        AtomView::Pow(power) => {
            let (base, exponent) = power.get_base_exp();
            let AtomView::Num(exponent) = exponent else { return None };
            let CoefficientView::Natural(exponent, 1, 0, _) = exponent.get_coeff_view() else { return None };
            let base = add_expression(steps, system, base)?;
            Some(steps.power(base, u32::try_from(exponent).ok()?))
        }
        AtomView::Mul(product) => {
            let factors = product.iter().map(|factor| add_expression(steps, system, factor)).collect::<Option<Vec<usize>>>()?;
            factors.into_iter().reduce(|a, b| steps.add(Step::Mul(a, b)))
        }
        AtomView::Add(sum) => {
            let terms = sum.iter().map(|term| add_expression(steps, system, term)).collect::<Option<Vec<usize>>>()?;
            terms.into_iter().reduce(|a, b| steps.add(Step::Add(a, b)))
        }
        AtomView::Fun(_) => None,
    }
}
