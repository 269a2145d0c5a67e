//! Normal equations of a sparse derivative.

/// `J'J` and `J'r` with the pull's terms.
#[derive(Clone, Debug)]
pub struct Normal {
    matrix: Vec<Vec<f64>>,
    gradient: Vec<f64>,
    /// `J'J`'s diagonal without the pull, for damping.
    scale: Vec<f64>,
}

impl Normal {
    /// Of columns over the rows that they touch. `pulls` has each parameter's weight and distance from its prior.
    pub fn new(columns: &[Vec<(u32, f64)>], residuals: &[f64], pulls: &[(f64, f64)]) -> Self {
        let n = columns.len();
        let mut matrix = vec![vec![0.0; n]; n];
        let mut gradient = vec![0.0; n];
        let mut scale = vec![0.0; n];
        for i in 0..n {
            for j in 0..=i {
                let sum = product(&columns[i], &columns[j]);
                (matrix[i][j], matrix[j][i]) = (sum, sum);
            }
            scale[i] = matrix[i][i];
            gradient[i] = columns[i].iter().map(|(row, slope)| slope * residuals[*row as usize]).sum();
            let (weight, away) = pulls[i];
            matrix[i][i] += weight;
            gradient[i] += weight * away;
        }
        Self { matrix, gradient, scale }
    }

    /// The step that leads to the least squares, damped.
    pub fn solve(&self, damping: f64) -> Vec<f64> {
        let mut matrix = self.matrix.clone();
        for (i, row) in matrix.iter_mut().enumerate() {
            row[i] += damping * (self.scale[i] + 1e-3);
        }
        gauss(matrix, self.gradient.clone())
    }
}

/// Sum of products over the rows that both touch; rows stand in order.
fn product(a: &[(u32, f64)], b: &[(u32, f64)]) -> f64 {
    let (mut i, mut j, mut sum) = (0, 0, 0.0);
    while i < a.len() && j < b.len() {
        match a[i].0.cmp(&b[j].0) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                sum += a[i].1 * b[j].1;
                i += 1;
                j += 1;
            }
        }
    }
    sum
}

/// Gauss with pivots; what cannot be told is 0.
fn gauss(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for i in 0..n {
        let pivot = (i..n).max_by(|&x, &y| a[x][i].abs().total_cmp(&a[y][i].abs())).unwrap_or(i);
        a.swap(i, pivot);
        b.swap(i, pivot);
        if a[i][i].abs() < 1e-300 {
            continue;
        }
        for row in i + 1..n {
            let factor = a[row][i] / a[i][i];
            if factor != 0.0 {
                let (above, below) = a.split_at_mut(row);
                for (cell, above) in below[0].iter_mut().zip(&above[i]).skip(i) {
                    *cell -= factor * above;
                }
                b[row] -= factor * b[i];
            }
        }
    }
    let mut x = vec![0.0; n];
    for i in (0..n).rev() {
        let rest: f64 = (i + 1..n).map(|j| a[i][j] * x[j]).sum();
        x[i] = if a[i][i].abs() < 1e-300 { 0.0 } else { (b[i] - rest) / a[i][i] };
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two rows, `x` and `x + y`: the least squares of residuals 1 and 3 lie at -1 and -2.
    #[test]
    fn least_squares_of_two_rows() {
        let columns = vec![vec![(0, 1.0), (1, 1.0)], vec![(1, 1.0)]];
        let normal = Normal::new(&columns, &[1.0, 3.0], &[(0.0, 0.0), (0.0, 0.0)]);
        let step = normal.solve(0.0);
        assert!((step[0] - 1.0).abs() < 1e-9 && (step[1] - 2.0).abs() < 1e-9, "{step:?}");
    }
}
