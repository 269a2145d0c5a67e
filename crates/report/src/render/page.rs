//! A page of text under construction.

use maat_base::Text;

use super::{Bar, Style, Table, Tone};
use crate::Localiser;

/// A page of text: lines that never exceed the width where they can be broken.
pub struct Page<'a> {
    /// The language.
    pub local: &'a Localiser,
    /// The looks.
    pub style: &'a Style,
    out: String,
}

impl<'a> Page<'a> {
    /// An empty page.
    pub fn new(local: &'a Localiser, style: &'a Style) -> Self {
        Self { local, style, out: String::new() }
    }

    /// A line as it is.
    pub fn line(&mut self, text: &str) {
        self.out.push_str(text.trim_end());
        self.out.push('\n');
    }

    /// A line of somebody else's text, without what could steer a terminal.
    pub fn foreign(&mut self, text: &str) {
        self.line(&crate::argument::clean(text));
    }

    /// An empty line, unless there is one already.
    pub fn gap(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
    }

    /// A heading, as the message says it.
    pub fn heading(&mut self, id: &str) {
        self.gap();
        let text = self.local.label(id);
        let text = self.style.paint(Tone::Strong, &text);
        self.line(&text);
    }

    /// A sentence, broken at the width; later lines are indented by `indent`, the first begins with `first`.
    pub fn wrapped(&mut self, first: &str, indent: usize, text: &str) {
        let mut line = first.to_owned();
        let mut empty = true;
        let mut words = text.split_whitespace().peekable();
        while let Some(word) = words.next() {
            let room = self.style.width.max(20);
            // A sign of a currency stays with its amount.
            let ahead = words.peek().filter(|_| ["€", "$"].contains(&word)).map_or(0, |next| 1 + width(next));
            if !empty && width(&line) + 1 + width(word) + ahead > room {
                self.line(&line);
                line = " ".repeat(indent);
                empty = true;
            }
            if !empty {
                line.push(' ');
            }
            line.push_str(word);
            empty = false;
        }
        self.line(&line);
    }

    /// A text as a wrapped bullet.
    pub fn bullet(&mut self, text: &Text) {
        let sentence = self.local.text(text);
        let sign = if self.style.unicode { "  · " } else { "  - " };
        self.wrapped(sign, 4, &sentence);
    }

    /// Bullets for all texts.
    pub fn bullets(&mut self, texts: &[Text]) {
        for text in texts {
            self.bullet(text);
        }
    }

    /// A table.
    pub fn table(&mut self, table: &Table) {
        self.gap();
        let text = table.text(self.style);
        self.out.push_str(&text);
    }

    /// A bar of memory with its legend.
    pub fn bar(&mut self, bar: &Bar) {
        self.gap();
        for line in bar.lines(self.local, self.style) {
            self.line(&line);
        }
    }

    /// The text; without Unicode, what is drawn is drawn in letters.
    pub fn finish(self) -> String {
        if self.style.unicode {
            return self.out;
        }
        let plain = |c| match c {
            '–' => "-".to_owned(),
            '·' => ".".to_owned(),
            '×' => "x".to_owned(),
            'µ' => "u".to_owned(),
            '€' => "EUR".to_owned(),
            c => String::from(c),
        };
        self.out.chars().map(plain).collect()
    }
}

/// Columns that a text takes: characters, which is right for the two languages and the blocks that are drawn.
pub fn width(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Lang;

    #[test]
    fn long_sentences_break_at_the_width() {
        let local = Localiser::new(Lang::En);
        let style = Style { width: 24, ..Style::default() };
        let mut page = Page::new(&local, &style);
        page.wrapped("  - ", 4, "a sentence that is longer than the page is wide");
        let text = page.finish();
        assert_eq!(text, "  - a sentence that is\n    longer than the page\n    is wide\n");
    }
}
