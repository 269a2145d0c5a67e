//! The work of a request, with what was not said filled in.

use maat_base::{Fault, Text};
use maat_estimate::{Serving, Task};

use crate::notes::{Notes, default_why};
use crate::request::WorkRequest;

/// Tokens of a prompt, where neither it nor the context is given.
const INPUT: u64 = 1024;
/// Tokens of an answer, where neither it nor the context is given.
const OUTPUT: u64 = 256;

/// Most users or tokens that are taken for meant: a thousand million.
const MOST: u64 = 1_000_000_000;

/// The serving that a request describes.
pub fn serving(request: &WorkRequest, notes: &mut Notes) -> Result<Serving, Fault> {
    let task = request.task.unwrap_or_default();
    if !matches!(task, Task::Chat | Task::Batch | Task::Edge) {
        return Err(Fault::usage("task-not-available").with("task", task.name()));
    }
    if let Some(flag) = request.training.other_than_length() {
        return Err(Fault::usage("flag-of-training").with("flag", flag).with("task", task.name()));
    }
    for (name, value) in [
        ("users", request.users),
        ("input", request.input),
        ("output", request.output),
        ("context", request.context),
    ] {
        match value {
            Some(0) => return Err(Fault::usage("count-zero").with("flag", name)),
            Some(n) if n > MOST => return Err(Fault::usage("count-too-large").with("flag", name)),
            _ => {}
        }
    }
    let users = request.users.unwrap_or_else(|| {
        notes.assume("users", 1, Text::new("assumed-users").with("n", 1u64), default_why());
        1
    });
    let (input, output) = lengths(request, notes);
    let needed = input.saturating_add(output);
    let context = request.context.unwrap_or_else(|| {
        notes.assume(
            "context",
            needed,
            Text::new("assumed-context").with("n", needed),
            Text::new("why-context-input-output"),
        );
        needed
    });
    if context < needed {
        return Err(Fault::usage("context-below-lengths")
            .with("context", context)
            .with("needed", needed)
            .hint(Text::new("hint-context-below-lengths")));
    }
    Ok(Serving { task, users, input, output, context })
}

/// Prompt and answer. Only within a small context that was given, the usual lengths shrink in proportion.
fn lengths(request: &WorkRequest, notes: &mut Notes) -> (u64, u64) {
    let room = request.context.unwrap_or(u64::MAX);
    let output = request.output.unwrap_or_else(|| {
        let share = request.input.map_or(room / 5, |input| room.saturating_sub(input));
        let output = OUTPUT.min(share).max(1);
        notes.assume("output", output, Text::new("assumed-output").with("n", output), default_why());
        output
    });
    let input = request.input.unwrap_or_else(|| {
        let input = INPUT.min(room.saturating_sub(output)).max(1);
        notes.assume("input", input, Text::new("assumed-input").with("n", input), default_why());
        input
    });
    (input, output)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolve(request: &WorkRequest) -> (Result<Serving, Fault>, Notes) {
        let mut notes = Notes::default();
        (serving(request, &mut notes), notes)
    }

    /// The contract's defaults: 1 user, 1,024 in, 256 out, room for both.
    #[test]
    fn defaults_are_listed() {
        let (work, notes) = resolve(&WorkRequest::default());
        let work = work.unwrap();
        assert_eq!((work.users, work.input, work.output, work.context), (1, 1024, 256, 1280));
        let names: Vec<_> = notes.assumed.iter().map(|assumed| assumed.name).collect();
        assert_eq!(names, ["users", "output", "input", "context"]);
    }

    #[test]
    fn a_small_context_shrinks_the_usual_lengths() {
        let (work, _) = resolve(&WorkRequest { context: Some(512), ..WorkRequest::default() });
        let work = work.unwrap();
        assert_eq!((work.input, work.output, work.context), (410, 102, 512));
    }

    /// The contract: the answer has 256 tokens unless said otherwise, whatever the prompt has.
    #[test]
    fn a_long_prompt_leaves_the_answer_alone() {
        for input in [1, 1100, 4096, 131_000] {
            let (work, _) = resolve(&WorkRequest { input: Some(input), ..WorkRequest::default() });
            let work = work.unwrap();
            assert_eq!((work.output, work.context), (256, input + 256));
        }
    }

    #[test]
    fn impossible_work_is_a_usage_fault() {
        let zero = WorkRequest { users: Some(0), ..WorkRequest::default() };
        assert_eq!(resolve(&zero).0.unwrap_err().code, "count-zero");
        let absurd = WorkRequest { context: Some(u64::MAX), ..WorkRequest::default() };
        assert_eq!(resolve(&absurd).0.unwrap_err().code, "count-too-large");
        let small = WorkRequest { input: Some(1000), context: Some(1000), ..WorkRequest::default() };
        assert_eq!(resolve(&small).0.unwrap_err().code, "context-below-lengths");
    }
}
