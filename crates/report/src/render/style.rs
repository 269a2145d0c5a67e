//! How a page looks.

/// Formats of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Text for a terminal.
    #[default]
    Table,
    /// The whole answer for programs.
    Json,
    /// The main table for programs.
    Csv,
    /// Markdown.
    Md,
    /// A page for a browser.
    Html,
    /// A workbook with live formulas.
    Xlsx,
}

/// How text for a terminal looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches of the command line")]
pub struct Style {
    /// Columns that a line may take.
    pub width: usize,
    /// Whether blocks and lines may be drawn in Unicode.
    pub unicode: bool,
    /// Whether there are ANSI colours.
    pub color: bool,
    /// Whether it says how figures came about.
    pub explain: bool,
    /// Whether it is the verdict and the main block only.
    pub quiet: bool,
}

impl Default for Style {
    fn default() -> Self {
        Self { width: 80, unicode: true, color: false, explain: false, quiet: false }
    }
}

/// What a piece of text is, which decides its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Good news.
    Good,
    /// To mind.
    Warn,
    /// Bad news.
    Bad,
    /// Less important.
    Faint,
    /// A heading.
    Strong,
}

impl Style {
    /// The text in a tone, as it is when there are no colours.
    pub fn paint(&self, tone: Tone, text: &str) -> String {
        if !self.color || text.is_empty() {
            return text.to_owned();
        }
        let code = match tone {
            Tone::Good => "1;32",
            Tone::Warn => "1;33",
            Tone::Bad => "1;31",
            Tone::Faint => "2",
            Tone::Strong => "1",
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }
}
