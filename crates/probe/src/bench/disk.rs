//! A disk: a temporary file, written through to it and read past the page cache.

use std::fs::{self, File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::{Deserialize, Serialize};

/// Bytes of one sequential request.
const PIECE: usize = 1 << 20;
/// Bytes of one random request.
const PAGE: usize = 4096;
/// Alignment that reading past the cache takes.
const ALIGN: usize = 4096;

/// What a disk did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DiskResult {
    /// Folder whose disk it is.
    pub folder: String,
    /// Writing, until it is on the disk.
    pub write_bytes_per_s: Option<f64>,
    /// Reading one after another, past the page cache; `None` where the file system does not let it be passed by.
    pub read_bytes_per_s: Option<f64>,
    /// Random pages of 4 KiB a second, one at a time.
    pub random_reads_per_s: Option<f64>,
    /// Whether the page cache was passed by; where not, nothing of reading is claimed.
    pub direct: bool,
}

/// A file that goes when it is dropped.
struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Measures the disk of a folder; `None` where nothing can be written there.
pub(super) fn measure(folder: &Path, quick: bool) -> Option<DiskResult> {
    fs::create_dir_all(folder).ok()?;
    let pieces: usize = if quick { 64 } else { 256 };
    let path = folder.join(format!("maat-bench-{}.tmp", std::process::id()));
    let mut file = OpenOptions::new().write(true).create_new(true).open(&path).ok()?;
    let file_guard = Temporary(path);
    // Contents that no disk compresses away.
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let piece: Vec<u8> =
        std::iter::repeat_with(|| next(&mut state).to_le_bytes()).take(PIECE / 8).flatten().collect();
    let start = Instant::now();
    let written = (0..pieces).try_for_each(|_| file.write_all(&piece)).and_then(|()| file.sync_all());
    let write = written.is_ok().then(|| (pieces * PIECE) as f64 / start.elapsed().as_secs_f64());
    drop(file);
    let folder = folder.display().to_string();
    let unread = DiskResult {
        folder,
        write_bytes_per_s: write,
        read_bytes_per_s: None,
        random_reads_per_s: None,
        direct: false,
    };
    if written.is_err() {
        return Some(unread);
    }
    let Some(mut file) = direct(&file_guard.0) else { return Some(unread) };
    let read = sequential(&mut file, pieces);
    let random = random(&mut file, pieces * PIECE / PAGE, if quick { 0.2 } else { 1.0 }, &mut state);
    Some(DiskResult { read_bytes_per_s: read, random_reads_per_s: random, direct: read.is_some(), ..unread })
}

/// The file opened past the page cache.
#[cfg(target_os = "linux")]
fn direct(path: &Path) -> Option<File> {
    use std::os::unix::fs::OpenOptionsExt;
    // O_DIRECT of asm/fcntl.h.
    let flag = if cfg!(any(target_arch = "aarch64", target_arch = "arm")) { 0x1_0000 } else { 0x4000 };
    OpenOptions::new().read(true).custom_flags(flag).open(path).ok()
}

#[cfg(not(target_os = "linux"))]
fn direct(_path: &Path) -> Option<File> {
    None
}

fn sequential(file: &mut File, pieces: usize) -> Option<f64> {
    let mut buffer = Aligned::of(PIECE);
    let start = Instant::now();
    for _ in 0..pieces {
        std::io::Read::read_exact(file, buffer.bytes()).ok()?;
    }
    Some((pieces * PIECE) as f64 / start.elapsed().as_secs_f64())
}

fn random(file: &mut File, pages: usize, seconds: f64, state: &mut u64) -> Option<f64> {
    let mut buffer = Aligned::of(PAGE);
    let (start, mut done) = (Instant::now(), 0_u32);
    while start.elapsed().as_secs_f64() < seconds {
        let page = next(state) % pages.max(1) as u64;
        file.seek(SeekFrom::Start(page * PAGE as u64)).ok()?;
        std::io::Read::read_exact(file, buffer.bytes()).ok()?;
        done += 1;
    }
    Some(f64::from(done) / start.elapsed().as_secs_f64())
}

/// A buffer at an address that reading past the cache accepts.
struct Aligned {
    bytes: Vec<u8>,
    at: usize,
    length: usize,
}

impl Aligned {
    fn of(length: usize) -> Self {
        let bytes = vec![0; length + ALIGN];
        let at = bytes.as_ptr().align_offset(ALIGN).min(ALIGN);
        Self { bytes, at, length }
    }

    fn bytes(&mut self) -> &mut [u8] {
        &mut self.bytes[self.at..self.at + self.length]
    }
}

/// The next number of xorshift64 (Marsaglia, 2003).
fn next(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_behind() {
        let folder = std::env::temp_dir().join(format!("maat-disk-{}", std::process::id()));
        let result = measure(&folder, true).unwrap();
        assert!(result.write_bytes_per_s.is_some_and(|rate| rate > 0.0));
        assert_eq!(result.direct, result.read_bytes_per_s.is_some());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(measure(Path::new("/proc/nowhere"), true), None);
    }
}
