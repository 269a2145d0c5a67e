//! What the contract has and this version does not do yet: asking for it says so, rather than that it is unknown.

/// Verbs.
pub const VERBS: &[&str] = &["serve"];

/// Verbs below a verb.
pub const CHILDREN: &[(&str, &[&str])] = &[];

/// Flags of verbs.
pub const FLAGS: &[(&str, &[&str])] = &[("size", WORK), ("advise", WORK)];

/// Flags of work that is not serving.
const WORK: &[&str] = &["--audio", "--beam", "--embedding-rows"];

/// Whether a flag of a verb is still to come.
pub fn has_flag(verb: &str, flag: &str) -> bool {
    FLAGS.iter().any(|(of, flags)| *of == verb && flags.contains(&flag))
}

/// Whether a verb, or a verb below one, is still to come.
pub fn has_verb(parent: Option<&str>, name: &str) -> bool {
    match parent {
        None => VERBS.contains(&name),
        Some(parent) => CHILDREN.iter().any(|(of, names)| *of == parent && names.contains(&name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_planned_is_not_there_yet() {
        let root = crate::command::root();
        for verb in VERBS {
            assert!(root.find_subcommand(verb).is_none(), "{verb} is available: take it off the list");
        }
        for (verb, names) in CHILDREN {
            let Some(verb) = root.find_subcommand(verb) else { continue };
            for name in *names {
                assert!(verb.find_subcommand(name).is_none(), "{name} is available: take it off the list");
            }
        }
        for (verb, flags) in FLAGS {
            let Some(verb) = root.find_subcommand(verb) else { continue };
            for flag in *flags {
                let long = flag.trim_start_matches("--");
                assert!(
                    verb.get_arguments().all(|arg| arg.get_long() != Some(long)),
                    "{flag} is available: take it off the list"
                );
            }
        }
    }
}
