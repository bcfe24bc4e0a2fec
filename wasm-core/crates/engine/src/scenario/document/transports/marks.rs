//! Windows that follow marks (DCTCP, QTCP, D2TCP) in the document. Their one parameter is a field of the class.

use super::{FromClass, Surroundings};
use crate::scenario::document::Class;
use crate::transport::controllers::{d2tcp, dctcp, qtcp};

impl FromClass for dctcp::Parameters {
    fn from_class(class: &Class, _at: &Surroundings) -> Self {
        Self { gain: class.gain }
    }
}

impl FromClass for d2tcp::Parameters {
    fn from_class(class: &Class, _at: &Surroundings) -> Self {
        Self { gain: class.gain }
    }
}

impl FromClass for qtcp::Parameters {
    fn from_class(class: &Class, at: &Surroundings) -> Self {
        Self { gain: class.gain, deficit: at.qos.mark_in_deficit }
    }
}
