//! Any bytes: a configuration, a safetensors or a GGUF file is read to a model, or a fault says what is wrong.
#![no_main]

use libfuzzer_sys::fuzz_target;
use maat_model::{Options, describe};

fuzz_target!(|bytes: &[u8]| {
    let Some((kind, bytes)) = bytes.split_first() else { return };
    let ending = ["json", "safetensors", "gguf"][usize::from(*kind) % 3];
    let path = std::env::temp_dir().join(format!("maat-fuzz-{}.{ending}", std::process::id()));
    if std::fs::write(&path, bytes).is_ok() {
        if let Ok(answer) = describe(&path.to_string_lossy(), &Options::default()) {
            let _ = serde_json::to_string(&answer);
        }
        let _ = std::fs::remove_file(&path);
    }
});
