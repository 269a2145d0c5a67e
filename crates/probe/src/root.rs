//! Where procfs and sysfs are read: the machine's own root, or a folder that holds a copy of one.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// More of a file than this is not read.
const LIMIT_BYTES: u64 = 1 << 20;
/// More entries of a folder than these are not looked at.
const ENTRY_LIMIT: usize = 4096;

/// The folder under which `/proc`, `/sys` and `/dev` stand.
#[derive(Clone, Debug)]
pub struct Root(PathBuf);

impl Default for Root {
    fn default() -> Self {
        Self(PathBuf::from("/"))
    }
}

impl Root {
    /// A folder that holds a tree.
    pub fn of(folder: impl Into<PathBuf>) -> Self {
        Self(folder.into())
    }

    /// Whether it is the running machine's own, so that libraries and system calls speak of the same machine.
    pub fn is_live(&self) -> bool {
        self.0 == Path::new("/")
    }

    /// A path of the tree.
    pub fn path(&self, path: &str) -> PathBuf {
        self.0.join(path.trim_start_matches('/'))
    }

    /// The bytes of a regular file, cut at a limit; `None` where it cannot be read.
    pub fn bytes(&self, path: &str) -> Option<Vec<u8>> {
        let path = self.path(path);
        // A pipe of that name would block for ever.
        if !fs::metadata(&path).ok()?.is_file() {
            return None;
        }
        let mut bytes = Vec::new();
        File::open(path).ok()?.take(LIMIT_BYTES).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }

    /// A file as trimmed text without zero bytes; `None` where it cannot be read or is empty.
    pub fn text(&self, path: &str) -> Option<String> {
        let bytes = self.bytes(path)?;
        let text = String::from_utf8_lossy(&bytes).replace('\0', " ").trim().to_owned();
        (!text.is_empty()).then_some(text)
    }

    /// A file that holds one number.
    pub fn number<T: std::str::FromStr>(&self, path: &str) -> Option<T> {
        self.text(path)?.parse().ok()
    }

    /// A file that holds one hexadecimal number, such as `0x10de`.
    pub fn hex(&self, path: &str) -> Option<u32> {
        u32::from_str_radix(self.text(path)?.trim_start_matches("0x"), 16).ok()
    }

    /// Names in a folder, in order; none where it cannot be read.
    pub fn entries(&self, path: &str) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.path(path))
            .into_iter()
            .flatten()
            .take(ENTRY_LIMIT)
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .collect();
        names.sort();
        names
    }

    /// The last part of what a link points to.
    pub fn link(&self, path: &str) -> Option<String> {
        let target = fs::read_link(self.path(path)).ok()?;
        target.file_name()?.to_str().map(str::to_owned)
    }

    /// Whether it is there.
    pub fn has(&self, path: &str) -> bool {
        self.path(path).exists()
    }
}
