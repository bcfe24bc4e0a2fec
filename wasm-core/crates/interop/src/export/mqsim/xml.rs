//! XML as MQSim reads it: sections of elements, each with one value.

use std::fmt::Display;

use super::super::File;
use super::super::page::Page;

/// An XML file that is being written.
pub(super) struct Xml {
    page: Page,
    open: Vec<&'static str>,
    /// Elements that no scenario has anything for, each once.
    own: Vec<&'static str>,
}

impl Xml {
    pub(super) fn new() -> Self {
        let mut page = Page::default();
        page.line("<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
        Self { page, open: Vec::new(), own: Vec::new() }
    }

    /// Begins a section.
    pub(super) fn begin(&mut self, section: &'static str) {
        self.page.line(format!("{}<{section}>", self.indent()));
        self.open.push(section);
    }

    /// Ends the section that was begun last.
    pub(super) fn end(&mut self) {
        let Some(section) = self.open.pop() else { return };
        self.page.line(format!("{}</{section}>", self.indent()));
    }

    /// Adds an element whose value comes from the scenario, in the way that `says` says; of the class of this number, if of one.
    pub(super) fn set(
        &mut self,
        element: &'static str,
        value: impl Display,
        says: impl Into<String>,
        class: Option<usize>,
    ) {
        self.page.marked(self.element(element, value), says, class);
    }

    /// Adds an element that has a value of MQSim's own, since no scenario has anything for it.
    pub(super) fn own(&mut self, element: &'static str, value: impl Display) {
        if !self.own.contains(&element) {
            self.own.push(element);
        }
        self.page.line(self.element(element, value));
    }

    /// The file, and the elements in it that have values of MQSim's own.
    pub(super) fn file(mut self, name: impl Into<String>, about: impl Into<String>) -> (File, Vec<&'static str>) {
        while !self.open.is_empty() {
            self.end();
        }
        (self.page.file(name, about), self.own)
    }

    fn indent(&self) -> String {
        "\t".repeat(self.open.len())
    }

    fn element(&self, element: &str, value: impl Display) -> String {
        format!("{}<{element}>{}</{element}>", self.indent(), escaped(&value.to_string()))
    }
}

/// A text between tags. Control characters, which XML has no way to write, are left out.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars().filter(|letter| !letter.is_control()) {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            _ => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_stand_in_their_sections_and_sections_are_ended() {
        let mut xml = Xml::new();
        xml.begin("IO_Scenario");
        xml.set("File_Path", "a<b> & c\n.trace", "the file", Some(1));
        xml.own("Relay_Count", 1);
        let (file, own) = xml.file("workload.xml", "flows");
        let lines: Vec<&str> = file.text.lines().skip(1).collect();
        let path = "\t<File_Path>a&lt;b&gt; &amp; c.trace</File_Path>";
        assert_eq!(lines, ["<IO_Scenario>", path, "\t<Relay_Count>1</Relay_Count>", "</IO_Scenario>"]);
        assert_eq!((file.marks.len(), file.marks[0].line, own), (1, 3, vec!["Relay_Count"]));
    }
}
