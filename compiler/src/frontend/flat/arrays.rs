//! The built-in functions that arrange elements of arrays anew: one row each, for values, scalarisation and called functions alike.
//!
//! Input: the sizes of the arguments. Output: the sizes of the result, and what each of its elements is: a number, an element of an
//! argument, or a product of elements. All of them are linear in each argument, so that their derivatives are those of the elements.
//! Guarantee: elements lie row by row. Cost: constant per element.

use super::Builtin;

/// Which arguments of a function are sizes, which have to be known when the model is compiled.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Sizes {
    /// None.
    None,
    /// All of them.
    All,
    /// All but the first one.
    Rest,
}

/// An element of an argument: the number of the argument among those that are no sizes, and the place of the element.
pub(crate) type Place = (usize, usize);

/// One element of a result.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cell {
    Zero,
    One,
    /// An element as it is.
    Item(Place),
    /// Its negative.
    Minus(Place),
    /// A product.
    Product([Place; 2]),
    /// The difference of two products.
    Minor([[Place; 2]; 2]),
}

/// What a function makes of arguments of certain sizes.
pub(crate) struct Arrangement {
    /// The sizes of the result.
    pub(crate) dims: Vec<usize>,
    /// Elements of the arguments occur more than once.
    pub(crate) repeats: bool,
    cell: Box<dyn Fn(usize) -> Cell>,
}

impl Arrangement {
    /// How many elements there are; nothing if that is no number of this machine.
    pub(crate) fn len(&self) -> Option<usize> {
        self.dims.iter().try_fold(1usize, |n, dim| n.checked_mul(*dim))
    }

    /// The element at a place.
    pub(crate) fn cell(&self, place: usize) -> Cell {
        (self.cell)(place)
    }
}

type Arrange = fn(&[Vec<usize>], &[usize]) -> Option<Arrangement>;

/// A function that arranges elements.
pub(crate) struct Row {
    builtin: Builtin,
    /// The name, and what is said where the sizes do not fit.
    pub(crate) needs: &'static str,
    pub(crate) sizes: Sizes,
    /// From the sizes of the arguments that are arrays, and the arguments that are sizes.
    pub(crate) arrange: Arrange,
}

/// The row of a function.
pub(crate) fn row(builtin: Builtin) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.builtin == builtin)
}

const ROWS: [Row; 14] = [
    Row {
        builtin: Builtin::Zeros,
        needs: "zeros needs sizes",
        sizes: Sizes::All,
        arrange: |_, sizes| made(sizes.to_vec(), false, |_| Cell::Zero),
    },
    Row {
        builtin: Builtin::Ones,
        needs: "ones needs sizes",
        sizes: Sizes::All,
        arrange: |_, sizes| made(sizes.to_vec(), false, |_| Cell::One),
    },
    Row { builtin: Builtin::Fill, needs: "fill needs a value and sizes", sizes: Sizes::Rest, arrange: fill },
    Row { builtin: Builtin::Identity, needs: "identity needs a size", sizes: Sizes::All, arrange: identity },
    Row { builtin: Builtin::Diagonal, needs: "diagonal needs a vector", sizes: Sizes::None, arrange: diagonal },
    Row { builtin: Builtin::Scalar, needs: "scalar() needs exactly one element", sizes: Sizes::None, arrange: scalar },
    Row { builtin: Builtin::Vector, needs: "vector needs one argument", sizes: Sizes::None, arrange: vector },
    Row {
        builtin: Builtin::Matrix,
        needs: "matrix needs at most two sizes other than one",
        sizes: Sizes::None,
        arrange: |dims, _| resized(dims.first()?, 2),
    },
    Row {
        builtin: Builtin::Promote,
        needs: "promote cannot drop dimensions",
        sizes: Sizes::Rest,
        arrange: |dims, sizes| resized(dims.first()?, *sizes.first()?),
    },
    Row { builtin: Builtin::Transpose, needs: "transpose needs a matrix", sizes: Sizes::None, arrange: transpose },
    Row { builtin: Builtin::OuterProduct, needs: "outerProduct needs two vectors", sizes: Sizes::None, arrange: outer_product },
    Row { builtin: Builtin::Symmetric, needs: "symmetric needs a square matrix", sizes: Sizes::None, arrange: symmetric },
    Row { builtin: Builtin::Cross, needs: "cross needs vectors of size 3", sizes: Sizes::None, arrange: cross },
    Row { builtin: Builtin::Skew, needs: "skew needs a vector of size 3", sizes: Sizes::None, arrange: skew },
];

fn made(dims: Vec<usize>, repeats: bool, cell: impl Fn(usize) -> Cell + 'static) -> Option<Arrangement> {
    Some(Arrangement { dims, repeats, cell: Box::new(cell) })
}

fn count(dims: &[usize]) -> usize {
    dims.iter().product()
}

/// An array is repeated along new outer dimensions.
fn fill(dims: &[Vec<usize>], sizes: &[usize]) -> Option<Arrangement> {
    let [inner] = dims else { return None };
    let n = count(inner).max(1);
    made(sizes.iter().chain(inner).copied().collect(), true, move |k| Cell::Item((0, k % n)))
}

fn identity(_: &[Vec<usize>], sizes: &[usize]) -> Option<Arrangement> {
    let [n] = *sizes else { return None };
    made(vec![n, n], false, move |k| if k / n == k % n { Cell::One } else { Cell::Zero })
}

fn diagonal(dims: &[Vec<usize>], _: &[usize]) -> Option<Arrangement> {
    let n = count(dims.first()?);
    made(vec![n, n], false, move |k| if k / n == k % n { Cell::Item((0, k / n)) } else { Cell::Zero })
}

fn scalar(dims: &[Vec<usize>], _: &[usize]) -> Option<Arrangement> {
    if count(dims.first()?) == 1 { made(Vec::new(), false, |_| Cell::Item((0, 0))) } else { None }
}

fn vector(dims: &[Vec<usize>], _: &[usize]) -> Option<Arrangement> {
    made(vec![count(dims.first()?)], false, |k| Cell::Item((0, k)))
}

/// The same elements with so many dimensions: further ones are of size one, and so are those that are dropped.
fn resized(dims: &[usize], n: usize) -> Option<Arrangement> {
    if dims.iter().skip(n).any(|dim| *dim != 1) {
        return None;
    }
    let mut dims = dims.to_vec();
    dims.resize(n, 1);
    made(dims, false, |k| Cell::Item((0, k)))
}

fn transpose(dims: &[Vec<usize>], _: &[usize]) -> Option<Arrangement> {
    let [n, m] = *dims.first()?.as_slice() else { return None };
    made(vec![m, n], false, move |k| Cell::Item((0, k % n * m + k / n)))
}

fn outer_product(dims: &[Vec<usize>], _: &[usize]) -> Option<Arrangement> {
    let [a, b] = dims else { return None };
    let (n, m) = (count(a), count(b));
    made(vec![n, m], true, move |k| Cell::Product([(0, k / m), (1, k % m)]))
}

fn symmetric(dims: &[Vec<usize>], _: &[usize]) -> Option<Arrangement> {
    let [n, m] = *dims.first()?.as_slice() else { return None };
    if n != m {
        return None;
    }
    made(vec![n, n], false, move |k| Cell::Item((0, (k / n).min(k % n) * n + (k / n).max(k % n))))
}

fn cross(dims: &[Vec<usize>], _: &[usize]) -> Option<Arrangement> {
    let [a, b] = dims else { return None };
    if count(a) != 3 || count(b) != 3 {
        return None;
    }
    made(vec![3], true, |k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        Cell::Minor([[(0, i), (1, j)], [(0, j), (1, i)]])
    })
}

fn skew(dims: &[Vec<usize>], _: &[usize]) -> Option<Arrangement> {
    if count(dims.first()?) != 3 {
        return None;
    }
    let (zero, plus, minus) = (Cell::Zero, |i| Cell::Item((0, i)), |i| Cell::Minus((0, i)));
    let cells = [zero, minus(2), plus(1), plus(2), zero, minus(0), minus(1), plus(0), zero];
    made(vec![3, 3], true, move |k| cells[k])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A function of arrays that hold 1, 2, 3, ...; the second one begins with 10.
    fn value(builtin: Builtin, dims: &[&[usize]], sizes: &[usize]) -> Option<(Vec<usize>, Vec<i64>)> {
        let dims: Vec<Vec<usize>> = dims.iter().map(|dims| dims.to_vec()).collect();
        let made = (row(builtin)?.arrange)(&dims, sizes)?;
        let at = |(argument, place): Place| [1, 10][argument] + place as i64;
        let cell = |k| match made.cell(k) {
            Cell::Zero => 0,
            Cell::One => 1,
            Cell::Item(a) => at(a),
            Cell::Minus(a) => -at(a),
            Cell::Product([a, b]) => at(a) * at(b),
            Cell::Minor([[a, b], [c, d]]) => at(a) * at(b) - at(c) * at(d),
        };
        Some((made.dims.clone(), (0..made.len()?).map(cell).collect()))
    }

    #[test]
    fn elements_are_where_they_belong() {
        let cases: [(Builtin, &[&[usize]], &[usize], &[usize], &[i64]); 13] = [
            (Builtin::Zeros, &[], &[1, 2], &[1, 2], &[0, 0]),
            (Builtin::Ones, &[], &[2], &[2], &[1, 1]),
            (Builtin::Fill, &[&[2]], &[2], &[2, 2], &[1, 2, 1, 2]),
            (Builtin::Identity, &[], &[2], &[2, 2], &[1, 0, 0, 1]),
            (Builtin::Diagonal, &[&[2]], &[], &[2, 2], &[1, 0, 0, 2]),
            (Builtin::Scalar, &[&[1, 1]], &[], &[], &[1]),
            (Builtin::Vector, &[&[2, 2]], &[], &[4], &[1, 2, 3, 4]),
            (Builtin::Matrix, &[&[3]], &[], &[3, 1], &[1, 2, 3]),
            (Builtin::Promote, &[&[2]], &[3], &[2, 1, 1], &[1, 2]),
            (Builtin::Transpose, &[&[2, 3]], &[], &[3, 2], &[1, 4, 2, 5, 3, 6]),
            (Builtin::OuterProduct, &[&[2], &[2]], &[], &[2, 2], &[10, 11, 20, 22]),
            (Builtin::Cross, &[&[3], &[3]], &[], &[3], &[-9, 18, -9]),
            (Builtin::Skew, &[&[3]], &[], &[3, 3], &[0, -3, 2, 3, 0, -1, -2, 1, 0]),
        ];
        for (builtin, dims, sizes, expected_dims, expected) in cases {
            assert_eq!(value(builtin, dims, sizes), Some((expected_dims.to_vec(), expected.to_vec())), "{builtin:?}");
        }
        assert_eq!(value(Builtin::Symmetric, &[&[2, 2]], &[]), Some((vec![2, 2], vec![1, 2, 2, 4])));
        for (builtin, dims) in
            [(Builtin::Scalar, vec![2]), (Builtin::Transpose, vec![2]), (Builtin::Symmetric, vec![2, 3]), (Builtin::Skew, vec![2])]
        {
            assert_eq!(value(builtin, &[&dims], &[]), None, "{builtin:?}");
        }
        assert_eq!(value(Builtin::Matrix, &[&[2, 2, 2]], &[]), None);
    }
}
