//! Sizes of files and functions.

use super::tree::Tree;

const FILE_LINES: usize = 600;
const FUNCTION_LINES: usize = 80;

/// Sources that are too long.
pub fn files(tree: &Tree) -> Vec<String> {
    tree.sources()
        .filter(|file| file.text.lines().count() > FILE_LINES)
        .map(|file| format!("{}: {} lines", file.path, file.text.lines().count()))
        .collect()
}

/// Functions that are too long.
pub fn functions(tree: &Tree) -> Vec<String> {
    let mut faults = Vec::new();
    for file in tree.sources() {
        for (line, name, length) in long_functions(&file.text) {
            faults.push(format!("{}:{line}: {name} has {length} lines", file.path));
        }
    }
    faults
}

/// Line, name and length of functions that are too long. Formatted code ends a function with a brace at the
/// indentation that it began with.
fn long_functions(text: &str) -> Vec<(usize, String, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (start, line) in lines.iter().enumerate() {
        let Some(name) = function_name(line) else { continue };
        let indentation = &line[..line.len() - line.trim_start().len()];
        let end = format!("{indentation}}}");
        let length = lines[start..].iter().take_while(|line| **line != end).count() + 1;
        let declared_only = line.trim_end().ends_with(';') || line.trim_end().ends_with('}');
        if !declared_only && length > FUNCTION_LINES {
            found.push((start + 1, name.to_owned(), length));
        }
    }
    found
}

/// The name of the function that begins on a line.
fn function_name(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace().peekable();
    while let Some(word) = words.next() {
        match word {
            "fn" => return words.next().map(|name| name.split(['(', '<']).next().unwrap_or(name)),
            "const" | "async" | "unsafe" | "extern" => {}
            word if word.starts_with("pub") => {}
            _ => return None,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_of_81_lines_is_too_long() {
        let of = |lines: usize| {
            format!("    pub const fn f<T>() {{\n{}    }}\n", "        x();\n".repeat(lines - 2))
        };
        assert_eq!(long_functions(&of(80)), []);
        assert_eq!(long_functions(&of(81)), [(1, "f".to_owned(), 81)]);
    }

    #[test]
    fn words_that_hold_fn_begin_no_function() {
        assert_eq!(function_name("    fn_name();"), None);
        assert_eq!(function_name("let f: fn(u8) = g;"), None);
        assert_eq!(function_name("pub(crate) async fn go<'a>(x: u8) {"), Some("go"));
    }
}
