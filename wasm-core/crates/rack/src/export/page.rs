//! A file that is being written, line by line.

use super::{File, Mark};

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
