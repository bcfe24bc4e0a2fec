//! Changes of a document by path.

use serde_json::Value;

use super::diagnostics::{Diagnostic, alternatives};
use super::fields;
use super::path::{self, Step, parse};

/// Puts `value` at `path`. Sections that the document leaves out are made; elements of lists are not.
///
/// Whether the field exists in the format is not checked here: validate the document afterwards.
///
/// # Errors
/// A diagnostic, the document being left as it was, if the path is malformed or leads through something that has no such part.
pub fn set_path(document: &mut Value, path: &str, value: Value) -> Result<(), Diagnostic> {
    if let Some([Step::Field(name)]) = parse(path).as_deref()
        && document.get(name).is_none()
        && let Some(hint) = of_symbol(name)
    {
        return Err(Diagnostic::new(path, "is the symbol of a field, not its path", hint));
    }
    path::set(document, path, value)
}

/// Which paths to write in place of a symbol; `None` if no field has the symbol, or if it is the name of a field of the document.
pub fn of_symbol(symbol: &str) -> Option<String> {
    let named = fields::with_symbol(symbol);
    let is_name = || fields::document().fields.iter().any(|field| field.name == symbol);
    (!named.is_empty() && !is_name())
        .then(|| format!("Write {}.", alternatives(named.iter().map(|field| field.path.as_str()))))
}
