//! Puts files into the user's data so that a broken run changes nothing: each is written beside its place and then moved
//! there, and what stood there is kept as history.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use maat_base::{Date, Fault};
use maat_catalogue::{Catalogue, ExportedFile};

/// Stores files of facts below `data/facts` and a copy of each below `data/history/DAY`. All are checked before the first
/// is moved to its place.
pub fn facts(data: &Path, files: &[ExportedFile], day: Date) -> Result<(), Fault> {
    let failed = |path: &Path, error: &std::io::Error| {
        Fault::content("import-not-stored").with("given", error.to_string()).at(path.display().to_string())
    };
    let facts = data.join("facts");
    let waiting = data.join(format!("import-{}", std::process::id()));
    let stored = (|| {
        for file in files {
            write(&waiting.join(&file.path), &file.text)?;
        }
        Ok(())
    })();
    let moved = stored.and_then(|()| {
        // What the catalogue cannot read never reaches its place.
        Catalogue::with_overlay(&waiting)
            .map_err(|fault| (waiting.clone(), std::io::Error::other(fault.to_string())))?;
        for file in files {
            let place = facts.join(&file.path);
            write(&data.join("history").join(day.to_string()).join(&file.path), &file.text)?;
            make_folder(&place)?;
            fs::rename(waiting.join(&file.path), &place).map_err(|error| (place, error))?;
        }
        Ok(())
    });
    let _ = fs::remove_dir_all(&waiting);
    moved.map_err(|(path, error): (PathBuf, std::io::Error)| failed(&path, &error))
}

/// The folders of `data/history`, the oldest day first.
pub fn past(data: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(data.join("history")) else { return Vec::new() };
    let mut folders: Vec<PathBuf> = entries
        .flatten()
        .filter(|entry| entry.file_name().to_str().is_some_and(|name| name.parse::<Date>().is_ok()))
        .map(|entry| entry.path())
        .collect();
    folders.sort_unstable();
    folders
}

fn make_folder(file: &Path) -> Result<(), (PathBuf, std::io::Error)> {
    file.parent().map_or(Ok(()), fs::create_dir_all).map_err(|error| (file.to_path_buf(), error))
}

fn write(path: &Path, text: &str) -> Result<(), (PathBuf, std::io::Error)> {
    make_folder(path)?;
    let wrong = |error| (path.to_path_buf(), error);
    let mut file = fs::File::create(path).map_err(wrong)?;
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(wrong)
}

/// Today, by the clock of this machine in universal time.
pub fn today() -> Date {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    civil(seconds / 86_400)
}

/// The day that lies so many days after 1970-01-01 (Howard Hinnant's `civil_from_days`).
fn civil(days: u64) -> Date {
    let shifted = days + 719_468;
    let era = shifted / 146_097;
    let of_era = shifted % 146_097;
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    Date::new(year as i16, month as i8, day as i8).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_since_1970() {
        for (days, day) in [(0, "1970-01-01"), (11_016, "2000-02-29"), (20_787, "2026-11-30")] {
            assert_eq!(civil(days).to_string(), day);
        }
    }
}
