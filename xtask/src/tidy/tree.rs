//! The texts of the repository.

use std::path::Path;

/// A file of text.
pub struct File {
    /// Its path from the root, with `/`.
    pub path: String,
    /// Its content.
    pub text: String,
}

/// All files of text, in the order of their paths.
pub struct Tree {
    /// The files.
    pub files: Vec<File>,
}

impl Tree {
    /// Reads the tree under a root, without what is built and what git keeps.
    pub fn read(root: &Path) -> Self {
        let mut files = Vec::new();
        walk(root, "", &mut files);
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Self { files }
    }

    /// Rust sources.
    pub fn sources(&self) -> impl Iterator<Item = &File> {
        self.files
            .iter()
            .filter(|file| Path::new(&file.path).extension().is_some_and(|extension| extension == "rs"))
    }

    /// The text of a file, empty when there is none.
    pub fn text(&self, path: &str) -> &str {
        self.files.iter().find(|file| file.path == path).map_or("", |file| &file.text)
    }
}

fn walk(folder: &Path, prefix: &str, files: &mut Vec<File>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{prefix}{name}");
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() {
            if !["target", ".git"].contains(&name.as_str()) {
                walk(&entry.path(), &format!("{path}/"), files);
            }
        } else if kind.is_file()
            && name != ".git"
            && let Ok(text) = std::fs::read_to_string(entry.path())
        {
            files.push(File { path, text });
        }
    }
}
