//! A file that is being written, line by line, and numbers as people read them.

use super::{File, Mark};
use qoscope_engine::text::trimmed;

/// The lines of a file, and which of them come from the scenario.
#[derive(Default)]
pub(crate) struct Page {
    text: String,
    lines: u32,
    marks: Vec<Mark>,
}

impl Page {
    /// Adds a line.
    pub(crate) fn line(&mut self, line: impl AsRef<str>) {
        self.text.push_str(line.as_ref());
        self.text.push('\n');
        self.lines += 1;
    }

    /// Adds a line whose value comes from the scenario, in the way that `says` says; of the class of this number, if of one.
    pub(crate) fn marked(&mut self, line: impl AsRef<str>, says: impl Into<String>, class: Option<usize>) {
        self.line(line);
        self.marks.push(Mark { line: self.lines, says: says.into(), class });
    }

    /// The file.
    pub(crate) fn file(self, name: impl Into<String>, about: impl Into<String>) -> File {
        File { name: name.into(), about: about.into(), text: self.text, marks: self.marks }
    }
}

/// A number with at most four decimals.
pub(crate) fn number(value: f64) -> String {
    trimmed(value, 4)
}

/// A name as tools take it: upper case letters, digits and underscores, at most `longest`.
pub(crate) fn identifier(name: &str, longest: usize) -> String {
    let letter = |letter: char| if letter.is_ascii_alphanumeric() { letter.to_ascii_uppercase() } else { '_' };
    name.chars().map(letter).take(longest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_for_people() {
        assert_eq!(number(52_500.0), "52\u{202f}500");
        assert_eq!(number(1500.0), "1500");
        assert_eq!(number(16.666_66), "16.6667");
        assert_eq!(number(-3.0), "−3");
        assert_eq!(number(12_345_678.5), "12\u{202f}345\u{202f}678.5");
        assert_eq!(identifier("Best effort", 12), "BEST_EFFORT");
    }
}
