//! The candidates that no other beats in everything.

/// Indices of the points that no other point dominates; smaller is better in every coordinate. A point dominates
/// another when it is nowhere worse and somewhere better. An unknown coordinate is never better.
pub fn front<const N: usize>(points: &[[Option<f64>; N]]) -> Vec<usize> {
    let beats = |a: &[Option<f64>; N], b: &[Option<f64>; N]| {
        let pairs = || a.iter().zip(b);
        pairs().all(|(a, b)| !better(*b, *a)) && pairs().any(|(a, b)| better(*a, *b))
    };
    (0..points.len())
        .filter(|&i| !points.iter().enumerate().any(|(j, other)| j != i && beats(other, &points[i])))
        .collect()
}

fn better(a: Option<f64>, b: Option<f64>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a < b,
        (Some(_), None) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dominated_points_are_left_out() {
        let cheap_slow = [Some(1.0), Some(9.0)];
        let dear_fast = [Some(9.0), Some(1.0)];
        let dear_slow = [Some(9.0), Some(9.0)];
        let unknown = [None, Some(1.0)];
        assert_eq!(front(&[cheap_slow, dear_fast, dear_slow, unknown]), [0, 1]);
    }

    #[test]
    fn equals_stay_together() {
        assert_eq!(front(&[[Some(1.0)], [Some(1.0)]]), [0, 1]);
        assert!(front::<2>(&[]).is_empty());
    }
}
