//! Cutting an input into the outputs of single tools.

use std::borrow::Cow;
use std::sync::Arc;

use super::{BlockInfo, FORMATS, Observation, Part, Samples, Span, hosts, log};
use crate::{Input, Place};

/// A line of an input.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// Its number, from 1.
    pub number: u32,
    /// Its text without line end.
    pub text: &'a str,
}

/// The output of one tool.
#[derive(Debug)]
pub struct Block<'a> {
    /// Name of the input.
    pub file: &'a Arc<str>,
    /// The lines, the first being the one at which the format begins.
    pub lines: &'a [Line<'a>],
    /// The line before, which may say what it is.
    pub before: Option<&'a str>,
    /// Its index in [`Samples::blocks`].
    pub index: u32,
}

/// How one tool's output is recognised and read.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// Its name.
    pub kind: &'static str,
    /// Whether such an output begins at a line.
    pub begins: fn(&[Line<'_>], usize) -> bool,
    /// How many lines it holds, where the text itself says so.
    pub length: Option<fn(&[Line<'_>]) -> usize>,
    /// Reads it.
    pub read: fn(&Block<'_>, &mut Samples),
    /// Whether a log may begin in the middle of it.
    pub holds_logs: bool,
}

impl Block<'_> {
    /// An empty observation of this block.
    pub fn row(&self, part: Part, name: &str, line: Line<'_>) -> Observation {
        Observation {
            part,
            name: Arc::from(name),
            block: self.index,
            at_s: None,
            span: Span::Moment,
            values: Vec::new(),
            labels: Vec::new(),
            place: self.place(line),
        }
    }

    /// The place of a line.
    pub fn place(&self, line: Line<'_>) -> Place {
        Place { file: Arc::clone(self.file), line: line.number }
    }

    /// The lines' texts, joined.
    pub fn text(&self) -> String {
        let mut text = String::with_capacity(self.lines.iter().map(|line| line.text.len() + 1).sum());
        for line in self.lines {
            text.push_str(line.text);
            text.push('\n');
        }
        text
    }
}

/// Whether anything in an input is known, without reading it.
pub fn begins(input: &Input) -> bool {
    let lines = lines(input.text());
    (0..lines.len()).any(|at| FORMATS.iter().any(|format| (format.begins)(&lines, at)))
}

/// Reads an input block by block, or as one block of a given format.
pub fn read(input: &Input, forced: Option<&'static Format>) -> Samples {
    let text = without_cut_figure(input.text());
    let lines = lines(&text);
    let mut samples = Samples { cut: input.cut, ..Samples::default() };
    if let Some(format) = forced {
        take(format, &input.name, &lines, 0..lines.len(), &mut samples);
        return samples;
    }
    let mut open: Option<(&'static Format, usize)> = None;
    let mut at = 0;
    while at < lines.len() {
        if is_boundary(lines[at].text) {
            close(&mut open, at, &input.name, &lines, &mut samples);
            at += 1;
            continue;
        }
        if let Some(format) = next(&lines, at, open.map(|(format, _)| format)) {
            if let Some(length) = format.length {
                close(&mut open, at, &input.name, &lines, &mut samples);
                let end = (at + length(&lines[at..]).max(1)).min(lines.len());
                take(format, &input.name, &lines, at..end, &mut samples);
                at = end;
                continue;
            }
            if open.is_none_or(|(current, _)| current.kind != format.kind) {
                close(&mut open, at, &input.name, &lines, &mut samples);
                open = Some((format, at));
            }
        }
        at += 1;
    }
    close(&mut open, lines.len(), &input.name, &lines, &mut samples);
    hosts::assign(&lines, &mut samples);
    samples
}

/// The format that begins at a line, given the one that is being read: one log does not end another, and a word in a
/// table of processes does not begin a log.
fn next(lines: &[Line<'_>], at: usize, open: Option<&Format>) -> Option<&'static Format> {
    FORMATS.iter().find(|format| {
        let barred = open.is_some_and(|open| {
            log::is_log(format) && (log::is_log(open) || format.kind == log::OTHER.kind && !open.holds_logs)
        });
        !barred && (format.begins)(lines, at)
    })
}

/// The text with a dash in place of a figure that ends it without a line's end: it may go on where the text was cut.
fn without_cut_figure(text: &str) -> Cow<'_, str> {
    let start = text
        .rfind(|c: char| !(c.is_ascii_alphanumeric() || c == '.'))
        .map_or(0, |at| at + text.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8));
    let last = text.get(start..).unwrap_or("");
    let figure = last.bytes().next().is_some_and(|byte| byte.is_ascii_digit() || byte == b'.')
        && last.bytes().all(|byte| byte.is_ascii_hexdigit() || matches!(byte, b'x' | b'.'));
    if figure { Cow::Owned(format!("{}-", text.get(..start).unwrap_or(""))) } else { Cow::Borrowed(text) }
}

fn lines(text: &str) -> Vec<Line<'_>> {
    text.split('\n')
        .zip(1..)
        .map(|(text, number)| Line { number, text: text.trim_end_matches('\r') })
        .collect()
}

/// A typed command or a drawn line ends what came before.
fn is_boundary(line: &str) -> bool {
    let bare = line.trim_start_matches(['#', ' ']);
    let prompt = bare.starts_with("$ ")
        || bare.starts_with("> nvidia-smi")
        || line.split_once("$ ").is_some_and(|(host, _)| is_prompt(host))
        || line.split_once("# ").is_some_and(|(host, _)| is_prompt(host));
    prompt || line.len() >= 20 && line.bytes().all(|byte| byte == b'#')
}

/// `user@host:~` or `[user@host dir]`.
pub(super) fn is_prompt(text: &str) -> bool {
    text.len() < 80 && text.contains('@') && !text.trim_matches(['[', ']']).contains("  ")
}

fn close(
    open: &mut Option<(&'static Format, usize)>,
    end: usize,
    file: &Arc<str>,
    lines: &[Line<'_>],
    samples: &mut Samples,
) {
    if let Some((format, start)) = open.take() {
        take(format, file, lines, start..end, samples);
    }
}

fn take(
    format: &'static Format,
    file: &Arc<str>,
    lines: &[Line<'_>],
    range: std::ops::Range<usize>,
    samples: &mut Samples,
) {
    let Some(&first) = lines.get(range.start) else { return };
    let before = range.start.checked_sub(1).and_then(|at| lines.get(at)).map(|line| line.text);
    let index = u32::try_from(samples.blocks.len()).unwrap_or(u32::MAX);
    let Some(own) = lines.get(range) else { return };
    let block = Block { file, lines: own, before, index };
    samples.blocks.push(BlockInfo { kind: format.kind, place: block.place(first), items: 0, host: None });
    let items = samples.items();
    (format.read)(&block, samples);
    let items = samples.items() - items;
    if let Some(info) = samples.blocks.get_mut(index as usize) {
        info.items = items;
    }
}
