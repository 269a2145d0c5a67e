//! Readers of what says how a software stack is put together: one file each, one line in [`crate::READERS`].

pub mod nvidia_driver;
