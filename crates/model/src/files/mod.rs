//! Readers of model files, each bounded in memory and time.

pub(crate) mod bounded;
pub(crate) mod gguf;
pub(crate) mod safetensors;
pub(crate) mod tensors;
