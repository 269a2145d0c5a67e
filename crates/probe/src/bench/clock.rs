//! Clocks of the cores, and how often heat slowed them down.

use crate::machine::Root;

const FOLDER: &str = "/sys/devices/system/cpu";
/// More cores than these are not asked: they share their power, so that the first tell enough.
const LIMIT: usize = 256;

fn cores(root: &Root) -> impl Iterator<Item = String> {
    let numbered = |name: &String| name.strip_prefix("cpu").is_some_and(|rest| rest.parse::<u32>().is_ok());
    root.entries(FOLDER).into_iter().filter(numbered).take(LIMIT)
}

/// Mean clock in Hz as the frequency driver says it now; `None` where no core has one.
pub(super) fn mean(root: &Root) -> Option<f64> {
    let clocks: Vec<f64> = cores(root)
        .filter_map(|core| root.number::<f64>(&format!("{FOLDER}/{core}/cpufreq/scaling_cur_freq")))
        .filter(|khz| khz.is_finite() && *khz > 0.0)
        .collect();
    let sum: f64 = clocks.iter().sum();
    (!clocks.is_empty()).then(|| sum * 1e3 / clocks.len() as f64)
}

/// Times that heat slowed a core or a package down since the start; `None` where nothing counts them.
pub(super) fn thermal_events(root: &Root) -> Option<u64> {
    let counts = cores(root).flat_map(|core| {
        ["core_throttle_count", "package_throttle_count"]
            .map(|name| root.number::<u64>(&format!("{FOLDER}/{core}/thermal_throttle/{name}")))
    });
    counts.flatten().reduce(u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_and_heat_of_a_tree() {
        let folder = std::env::temp_dir().join(format!("maat-clock-{}", std::process::id()));
        let root = Root::of(&folder);
        assert_eq!((mean(&root), thermal_events(&root)), (None, None));
        for (core, khz, count) in [("cpu0", "3000000", "2"), ("cpu1", "2000000", "0"), ("cpufreq", "1", "9")]
        {
            let place = folder.join(format!("sys/devices/system/cpu/{core}"));
            std::fs::create_dir_all(place.join("cpufreq")).unwrap();
            std::fs::create_dir_all(place.join("thermal_throttle")).unwrap();
            std::fs::write(place.join("cpufreq/scaling_cur_freq"), khz).unwrap();
            std::fs::write(place.join("thermal_throttle/core_throttle_count"), count).unwrap();
        }
        assert_eq!((mean(&root), thermal_events(&root)), (Some(2.5e9), Some(2)));
        std::fs::write(folder.join("sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq"), "-1").unwrap();
        assert_eq!(mean(&root), Some(2e9));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
