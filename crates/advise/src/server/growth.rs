//! How much more a machine carries, and until when.

use maat_base::{Date, Growth};

use crate::case::{Case, Judged};
use crate::limits::Limits;
use crate::world::World;

/// Days of a year.
const YEAR_DAYS: f64 = 365.25;
/// Most users that are looked for.
const MOST_USERS: u64 = 1 << 16;

/// How much more than today's load is carried, and until when at a growth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Headroom {
    /// The most that is carried over today's load.
    pub times: f64,
    /// The day on which it is used up; `None` where the load does not grow.
    pub until: Option<Date>,
}

impl Headroom {
    /// The day from today: `ln(headroom) / ln(growth)` years on.
    pub fn of(times: f64, growth: Option<Growth>, today: Date) -> Self {
        let until = growth.filter(|growth| growth.0 > 1.0).and_then(|growth| {
            let years = times.max(1.0).ln() / growth.0.ln();
            let days = (years * YEAR_DAYS).floor().min(36_500.0);
            today.checked_add(maat_base::days(days as i64)).ok()
        });
        Self { times, until }
    }
}

/// The most users that a machine serves within the limits; `None` where more than can be counted, or not even those that
/// are asked.
pub fn most_users(case: &Case, limits: &Limits, world: &World) -> Option<u64> {
    let serves = |users: u64| {
        let mut case = case.clone();
        case.work.users = users;
        let best = case.best(world.rules).filter(Judged::fits);
        best.and_then(|best| best.speed).is_some_and(|speed| limits.miss(&speed, None).is_none())
    };
    let mut serving = case.work.users;
    if !serves(serving) {
        return None;
    }
    let mut too_many = serving.checked_mul(2)?;
    while serves(too_many) {
        serving = too_many;
        too_many *= 2;
        if too_many > MOST_USERS {
            return None;
        }
    }
    while too_many - serving > 1 {
        let middle = serving.midpoint(too_many);
        if serves(middle) { serving = middle } else { too_many = middle }
    }
    Some(serving)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A load that doubles every year has used up four times the room after two years.
    #[test]
    fn doubling_uses_up_four_times_in_two_years() {
        let today: Date = "2026-11-09".parse().unwrap();
        let room = Headroom::of(4.0, Some(Growth(2.0)), today);
        assert_eq!(room.until, Some("2028-11-08".parse().unwrap()));
        assert_eq!(Headroom::of(4.0, None, today).until, None);
        assert_eq!(Headroom::of(1.0, Some(Growth(2.0)), today).until, Some(today));
    }
}
