//! Lists and names as sentences and files have them.

use qoscope_engine::text::listed_at_most;

/// Names in a sentence, the third and later ones counted if there are more than three.
pub(crate) fn listed(names: &[impl AsRef<str>]) -> String {
    listed_at_most(names, 3)
}

/// What is said of several things, each once: `48 requests, 32 requests`.
pub(crate) fn each_once(said: &[String]) -> String {
    let mut once: Vec<&str> = Vec::new();
    for text in said {
        if !text.is_empty() && !once.contains(&text.as_str()) {
            once.push(text);
        }
    }
    let more = once.len().saturating_sub(6);
    once.truncate(6);
    if more > 0 { format!("{} and {more} more", once.join(", ")) } else { once.join(", ") }
}

/// A name of letters, digits and hyphens, for files and sections: `read-write` for `Read & write`.
pub(crate) fn slug(name: &str) -> String {
    let lower = name.to_lowercase();
    let words: Vec<&str> =
        lower.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|w| !w.is_empty()).collect();
    words.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_counted() {
        assert_eq!(listed(&["h0"]), "h0");
        assert_eq!(listed(&["h2", "h3"]), "h2 and h3");
        assert_eq!(listed(&["h4", "h5", "h6", "h7"]), "h4, h5 and 2 more");
        let said: Vec<String> = ["a", "", "b", "a"].map(String::from).into();
        assert_eq!(each_once(&said), "a, b");
        assert_eq!(slug("Read & write, 4 KiB"), "read-write-4-kib");
    }
}
