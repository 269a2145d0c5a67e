//! Looks at the running machine: the only crate that reads its files. It hands over the same facts and samples as the
//! readers of tools' output.

pub mod watch;
