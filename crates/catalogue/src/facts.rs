//! Files of facts: the built-in ones, and a folder of the user's with the same layout.

use std::fs;
use std::path::Path;

use maat_base::Fault;

use crate::builtin;
use crate::table::File;

/// Folders of `facts/` that this crate reads, beside `sources.csv` and `exchange.csv`.
pub(crate) const FOLDERS: [&str; 5] = ["hardware", "offers", "prices", "electricity", "carbon"];

/// Largest file that is read from a user's folder, in bytes: 100,000 offers take 20 MB.
const LARGEST_FILE: u64 = 256 << 20;
/// Most files that are read from a user's folder.
const MOST_FILES: usize = 4096;
/// Deepest folder below the facts folder.
const DEEPEST: usize = 4;

/// The built-in files.
pub(crate) fn builtin() -> Vec<File> {
    builtin::FILES.to_vec()
}

/// Reads the files of a folder. A folder without any file of facts is a fault: the path is probably wrong.
pub(crate) fn of_folder(folder: &Path) -> Result<Vec<File>, Fault> {
    let unreadable = || Fault::content("facts-folder-unreadable").at(folder.display().to_string());
    if !folder.is_dir() {
        return Err(unreadable());
    }
    let mut files = Vec::new();
    for name in ["sources.csv", "exchange.csv"] {
        let path = folder.join(name);
        if path.is_file() {
            files.push(one(&path, name)?);
        }
    }
    for name in FOLDERS {
        walk(&folder.join(name), name, DEEPEST, &mut files)?;
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    if files.is_empty() {
        Err(Fault::content("facts-folder-empty").at(folder.display().to_string()))
    } else {
        Ok(files)
    }
}

fn walk(folder: &Path, below: &str, depth: usize, files: &mut Vec<File>) -> Result<(), Fault> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(()) };
    for entry in entries.flatten() {
        let path = entry.path();
        let name = format!("{below}/{}", entry.file_name().to_string_lossy());
        if path.is_dir() {
            if depth > 0 {
                walk(&path, &name, depth - 1, files)?;
            }
        } else if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv")) {
            if files.len() >= MOST_FILES {
                return Err(Fault::content("facts-too-many-files").at(folder.display().to_string()));
            }
            files.push(one(&path, &name)?);
        }
    }
    Ok(())
}

fn one(path: &Path, name: &str) -> Result<File, Fault> {
    let place = || path.display().to_string();
    let size = fs::metadata(path).map_err(|_| Fault::content("facts-file-unreadable").at(place()))?.len();
    if size > LARGEST_FILE {
        return Err(Fault::content("facts-file-too-large").at(place()));
    }
    let bytes = fs::read(path).map_err(|_| Fault::content("facts-file-unreadable").at(place()))?;
    let text = String::from_utf8(bytes).map_err(|_| Fault::content("facts-file-not-text").at(place()))?;
    Ok(File { path: name.to_owned().into(), text: text.into() })
}

/// Lays files over others: one with the same path replaces, others are added behind.
pub(crate) fn laid_over(mut below: Vec<File>, above: Vec<File>) -> Vec<File> {
    for file in above {
        match below.iter_mut().find(|known| known.path == file.path) {
            Some(known) => *known = file,
            None => below.push(file),
        }
    }
    below
}
